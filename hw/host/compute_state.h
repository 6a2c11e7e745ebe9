// SPDX-License-Identifier: Apache-2.0
// The state that the compute class's methods set, and the launch state derived from it. No clock: pure functions on
// one struct.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hw/bundles/launch_state.h"
#include "hw/config/config.h"
#include "hw/host/compute_class.h"

namespace g80 {

/// A 40-bit address as its two method words. This machine's virtual space has 32 bits: the high byte must be zero.
struct SplitAddress {
  std::uint32_t high = 0, low = 0;
};
struct ConstBuffer {
  SplitAddress address;
  std::uint32_t bytes = 0;
};
struct ConstBankSelect {
  bool valid = false;
  std::uint8_t buffer = 0;
};
struct GlobalMethods {
  SplitAddress address;
  std::uint32_t pitch = 0, limit = 0, mode = 0;
};

/// Every register behind the methods, as last written. Initial values are those of an idle channel: all zero.
struct ComputeState {
  SplitAddress code, stack, tsc, tic, local, cb_def, query;
  std::uint32_t stack_size_log = 0, call_limit_log = 0, tsc_limit = 0, tic_limit = 0, local_size_log = 0;
  std::uint32_t cb_word = 0, cb_buffer = 0;
  std::array<ConstBuffer, kNumConstBuffers> const_buffer{};
  std::array<ConstBankSelect, kNumConstBanks> const_bank{};
  std::uint32_t watchdog = 0;
  std::uint32_t threads = 0, barriers = 0;
  bool lanes32 = false;
  std::uint32_t registers = 0, reg_mode = 0;
  bool blockdim_latched = false;
  std::uint32_t num_params = 0;
  std::array<std::uint32_t, kMaxUserParams> param{};
  std::uint32_t isa_flags = 0;
  std::uint32_t grid_id = 0, grid_x = 0, grid_y = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t block_x = 0, block_y = 0, block_z = 0;
  std::uint32_t start_pc = 0;
  std::uint32_t samplers_log = 0, textures_log = 0;
  std::array<TableBinding, kMaxTextures> texture{};
  std::array<TableBinding, kMaxSamplers> sampler{};
  std::array<GlobalMethods, kNumGlobalSpaces> global{};
  std::uint32_t query_sequence = 0;
};

/// The effect of a method besides setting a register.
enum class MethodEffect : std::uint8_t {
  kNone,
  kUnknown,
  kLaunch,
  kQuery,
  kWriteConstant,
  kFlushCodeAndConstants,
  kFlushTextures
};

/// Writes one method. This is where a method number gets its meaning.
MethodEffect apply_method(ComputeState& state, std::uint32_t method, std::uint32_t value);

/// Where CB_DATA writes next, and the step to the word behind it. Nothing if the buffer is undefined or too short.
std::optional<std::uint32_t> next_constant_address(ComputeState& state);

/// Reasons to refuse a launch.
enum class LaunchError : std::uint8_t {
  kNone,
  kNoClass,
  kBlockdimNotLatched,
  kGridSize,
  kBlockSize,
  kThreadCount,
  kBarriers,
  kRegisters,
  kSharedSize,
  kParams,
  kLanes,
  kRegisterMode,
  kAddress,
  kLocalSize,
  kStackSize,
  kGlobalMode,
  kConstBank,
  kTextures,
  kDoesNotFit,
  kAfterFault
};
inline const EnumText& enum_text(LaunchError) {
  static const char* const names[] = {"-",
                                      "NO_CLASS",
                                      "BLOCKDIM_NOT_LATCHED",
                                      "GRID_SIZE",
                                      "BLOCK_SIZE",
                                      "THREAD_COUNT",
                                      "BARRIERS",
                                      "REGISTERS",
                                      "SHARED_SIZE",
                                      "PARAMS",
                                      "LANES",
                                      "REGISTER_MODE",
                                      "ADDRESS",
                                      "LOCAL_SIZE",
                                      "STACK_SIZE",
                                      "GLOBAL_MODE",
                                      "CONST_BANK",
                                      "TEXTURES",
                                      "DOES_NOT_FIT",
                                      "AFTER_FAULT"};
  static const EnumText text{"LaunchError", names, 20};
  return text;
}
/// One sentence for messages.
const char* describe(LaunchError error);

/// This is where it is decided whether a LAUNCH is legal. `fits`: an SM has room for a block (hw/host/block_fit.h).
LaunchError check_launch(const ComputeState& state, const Config& config, bool fits);

/// The launch state for the SMs, of a legal launch.
LaunchState make_launch_state(const ComputeState& state);

/// Shader clocks after which WATCHDOG_TIMER = x kills a program; 0 = never.
std::uint64_t watchdog_clocks(std::uint32_t timer);

}  // namespace g80
