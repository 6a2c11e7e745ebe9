// SPDX-License-Identifier: Apache-2.0
// The record of cycles: exact cycles and main counters of every run of the suite, a line each, as tab-separated text.
// `g80 suite --against F` compares with it, `--bless F` writes it. tests/machine/cycles.tsv is the one of this version:
// a change of the model that moves a cycle shows there.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tb/scenario/run_result.h"

namespace g80 {

struct CycleRow {
  std::string device, run;            // "8600gts", "vec_add n=1000 block=256"
  std::string verdict;                // as the table of results says it
  std::vector<std::uint64_t> counts;  // in the order of cycle_columns()
};

/// shader_cycles, main counters summed over all launches and units, stall reasons.
const std::vector<std::string>& cycle_columns();

CycleRow cycle_row(const RunResult& result);

/// Throws InputError, with the line, at anything that write_cycle_record() does not write.
std::vector<CycleRow> read_cycle_record(const std::string& file);
/// Sorted by device and run. Throws InputError if the file cannot be written.
void write_cycle_record(const std::string& file, std::vector<CycleRow> rows);

/// One sentence for each run that differs from the record or is not in it; if `whole`, also for each recorded run of
/// the devices in `measured` that is missing there.
std::vector<std::string> cycle_differences(const std::vector<CycleRow>& recorded, const std::vector<CycleRow>& measured,
                                           bool whole);

/// The recorded rows, with those of `measured` in the place of theirs; if `whole`, without those of the devices in
/// `measured` that are missing there.
std::vector<CycleRow> merged(std::vector<CycleRow> recorded, const std::vector<CycleRow>& measured, bool whole);

}  // namespace g80
