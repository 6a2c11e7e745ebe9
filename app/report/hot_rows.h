// SPDX-License-Identifier: Apache-2.0
// Where the warps of a run waited, by instruction and by source line.
#pragma once
#include <string>
#include <vector>

#include "tb/scenario/run_result.h"

namespace g80 {

struct HotRow {
  PcCounters sum;  // of one instruction, or of all of one line
  std::uint64_t waited = 0;
};
struct HotKernel {
  std::string name;
  std::vector<HotRow> instructions;  // by pc
};
/// The kernels in order of their first launch, launches of one kernel summed. Empty without pc counters.
std::vector<HotKernel> hot_kernels(const RunResult& result);
/// The instructions of each source line together, by file and line.
std::vector<HotRow> hot_lines(const std::vector<HotRow>& instructions);
/// "memory 61 %, alu 30 %": the reasons that make up most of the wait.
std::string main_reasons(const HotRow& row);
/// "scan.cu:12", or empty.
std::string place_of(const PcCounters& counters);

}  // namespace g80
