// SPDX-License-Identifier: Apache-2.0
// Text about a halted machine for the shell: warps, registers, memories, stacks, code. Only reads the machine.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "app/shell/command.h"
#include "hw/config/config.h"
#include "tb/scenario/backend.h"

namespace g80 {

class GpuBackend;
struct LoadedKernel;

/// The kernel that the machine runs.
struct RunningKernel {
  const LoadedKernel* loaded = nullptr;  // null: none has been launched
  std::optional<Launch> launch;
};

/// The warp that commands refer to.
struct Selection {
  unsigned sm = 0, warp = 0;
};

std::string warps_text(GpuBackend& machine, const RunningKernel& kernel, Selection selected);
/// Where a warp is, in one line: "SM 0 warp 1 (block 0,0 warp 1): barrier, pc 0x48 `bar sync 0` (scan.cu:12)".
std::string warp_line(GpuBackend& machine, const RunningKernel& kernel, Selection at);
/// Instructions around a pc, source lines between them.
std::string listing_text(const RunningKernel& kernel, std::uint32_t pc, unsigned around, isa::Arch arch);

/// A register of the selected warp, a value for each lane. Format: x, u, d, f. Throws InputError.
std::string register_text(GpuBackend& machine, Selection at, const RegisterName& reg, char format);
/// All registers of one lane of the selected warp, in three formats; without a number its first active lane.
std::string lane_text(GpuBackend& machine, Selection at, std::optional<std::uint64_t> lane);
/// `count` words of g[], s[] of the selected warp's block, l[] of its lanes, c<n>[] of the kernel. Throws InputError.
std::string memory_text(GpuBackend& machine, const RunningKernel& kernel, Selection at, const MemoryPlace& place,
                        unsigned count, char format);

std::string stack_text(GpuBackend& machine, const RunningKernel& kernel, Selection at);
std::string scoreboard_text(GpuBackend& machine, Selection at);
std::string blocks_text(GpuBackend& machine);
/// Name, grid, block and code in one line; resources, occupancy and parameters.
std::string kernel_line(const RunningKernel& kernel);
std::string kernel_text(const Config& config, const RunningKernel& kernel);
/// The value of a signal. Throws InputError.
std::uint64_t signal_value(const std::string& path);
/// Every leaf of the signal with its value. Throws InputError.
std::string signal_text(const std::string& path);

}  // namespace g80
