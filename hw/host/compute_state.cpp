// SPDX-License-Identifier: Apache-2.0
#include "hw/host/compute_state.h"

#include <algorithm>

#include "hw/config/occupancy.h"

namespace g80 {
namespace {

constexpr std::uint32_t bits(std::uint32_t value, unsigned high, unsigned low) {
  return (value >> low) & ((std::uint32_t{1} << (high - low + 1)) - 1);
}

void define_const_buffer(ComputeState& state, std::uint32_t value) {
  const std::uint32_t bytes = bits(value, 15, 0);
  state.const_buffer[bits(value, 22, 16)] = {state.cb_def, bytes == 0 ? 0x10000u : bytes};  // 0 encodes 64 KB
}

MethodEffect apply_global(ComputeState& state, std::uint32_t offset, std::uint32_t value) {
  GlobalMethods& space = state.global[offset / method::kGlobalStride];
  switch (offset % method::kGlobalStride) {
    case 0x00: space.address.high = value; break;
    case 0x04: space.address.low = value; break;
    case 0x08: space.pitch = value; break;
    case 0x0c: space.limit = value; break;
    case 0x10: space.mode = value; break;
    default: return MethodEffect::kUnknown;
  }
  return MethodEffect::kNone;
}

/// The methods that do more than set a register, and the repeated ones.
MethodEffect apply_special(ComputeState& state, std::uint32_t number, std::uint32_t value) {
  using namespace method;
  if (number >= kCbData && number < kCbData + 4 * kCbDataWords) return MethodEffect::kWriteConstant;
  if (number >= kGlobal && number < kGlobal + kNumGlobalSpaces * kGlobalStride) {
    return apply_global(state, number - kGlobal, value);
  }
  if (number >= kUserParam && number < kUserParam + 4 * kMaxUserParams) {
    state.param[(number - kUserParam) / 4] = value;
    return MethodEffect::kNone;
  }
  switch (number) {
    case kLaunch: return MethodEffect::kLaunch;
    case kQueryGet: return MethodEffect::kQuery;
    case kCodeCbFlush: return MethodEffect::kFlushCodeAndConstants;
    case kTexCacheCtl: return bits(value, 5, 4) == kTexCacheFlush ? MethodEffect::kFlushTextures : MethodEffect::kNone;
    default: return MethodEffect::kUnknown;
  }
}

}  // namespace

MethodEffect apply_method(ComputeState& state, std::uint32_t number, std::uint32_t value) {
  using namespace method;
  switch (number) {
    case kCpAddressHigh: state.code.high = value; break;
    case kCpAddressLow: state.code.low = value; break;
    case kStackAddressHigh: state.stack.high = value; break;
    case kStackAddressLow: state.stack.low = value; break;
    case kStackSizeLog: state.stack_size_log = value; break;
    case kCallLimitLog: state.call_limit_log = value; break;
    case kTscAddressHigh: state.tsc.high = value; break;
    case kTscAddressLow: state.tsc.low = value; break;
    case kTscLimit: state.tsc_limit = value; break;
    case kTicAddressHigh: state.tic.high = value; break;
    case kTicAddressLow: state.tic.low = value; break;
    case kTicLimit: state.tic_limit = value; break;
    case kCbAddr:
      state.cb_word = bits(value, 21, 8);
      state.cb_buffer = bits(value, 6, 0);
      break;
    case kWatchdogTimer: state.watchdog = value; break;
    case kLocalAddressHigh: state.local.high = value; break;
    case kLocalAddressLow: state.local.low = value; break;
    case kLocalSizeLog: state.local_size_log = value; break;
    case kCbDefAddressHigh: state.cb_def.high = value; break;
    case kCbDefAddressLow: state.cb_def.low = value; break;
    case kCbDefSet: define_const_buffer(state, value); break;
    case kBlockAlloc:
      state.threads = bits(value, 15, 0);
      state.barriers = bits(value, 23, 16);
      break;
    case kLanes32Enable: state.lanes32 = (value & 1) != 0; break;
    case kCpRegAllocTemp: state.registers = value; break;
    case kBlockdimLatch: state.blockdim_latched = (value & 1) != 0; break;
    case kQueryAddressHigh: state.query.high = value; break;
    case kQueryAddressLow: state.query.low = value; break;
    case kQuerySequence: state.query_sequence = value; break;
    case kUserParamCount: state.num_params = bits(value, 15, 8); break;
    case kIsaFlags:
      state.isa_flags = value;
      if (value != 0) return MethodEffect::kUnknown;  // the model computes with flags 0 only, as CUDA does
      break;
    case kGridId: state.grid_id = bits(value, 15, 0); break;
    case kGridDim:
      state.grid_x = bits(value, 15, 0);
      state.grid_y = bits(value, 31, 16);
      break;
    case kSharedSize: state.shared_bytes = value; break;
    case kBlockdimXy:
      state.block_x = bits(value, 15, 0);
      state.block_y = bits(value, 31, 16);
      state.blockdim_latched = false;  // new dimensions are not latched yet
      break;
    case kBlockdimZ:
      state.block_z = value;
      state.blockdim_latched = false;
      break;
    case kCpStartId: state.start_pc = value; break;
    case kRegMode: state.reg_mode = value; break;
    case kTexLimits:
      state.samplers_log = bits(value, 3, 0);
      state.textures_log = bits(value, 7, 4);
      break;
    case kBindTsc: state.sampler[bits(value, 7, 4)] = {(value & 1) != 0, bits(value, 20, 12)}; break;
    case kBindTic: state.texture[bits(value, 8, 1) % kMaxTextures] = {(value & 1) != 0, bits(value, 30, 9)}; break;
    case kSetProgramCb:
      state.const_bank[bits(value, 11, 8)] = {(value & 1) != 0, static_cast<std::uint8_t>(bits(value, 18, 12))};
      break;
    // Without effect: every warp slot has its own control stack and local memory, and there is no write cache.
    case kLocalWarpsLogAlloc:
    case kLocalWarpsNoClamp:
    case kStackWarpsLogAlloc:
    case kStackWarpsNoClamp:
    case kWrcacheFlush: break;
    default: return apply_special(state, number, value);
  }
  return MethodEffect::kNone;
}

std::optional<std::uint32_t> next_constant_address(ComputeState& state) {
  const ConstBuffer& buffer = state.const_buffer[state.cb_buffer];
  const std::uint32_t offset = 4 * state.cb_word++;
  if (buffer.address.high != 0 || offset + 4 > buffer.bytes) return std::nullopt;
  return buffer.address.low + offset;
}

const char* describe(LaunchError error) {
  switch (error) {
    case LaunchError::kNone: return "the launch is legal";
    case LaunchError::kNoClass: return "no compute class (0x50c0 or 0x85c0) is bound to the subchannel of the LAUNCH";
    case LaunchError::kBlockdimNotLatched: return "BLOCKDIM_LATCH was not written after the block dimensions";
    case LaunchError::kGridSize: return "a grid dimension is 0 or larger than the device allows";
    case LaunchError::kBlockSize: return "a block dimension is 0 or larger than the device allows, or their product is";
    case LaunchError::kThreadCount: return "BLOCK_ALLOC asks for 0 threads or for more than the block dimensions make";
    case LaunchError::kBarriers: return "BLOCK_ALLOC asks for more than 16 barriers";
    case LaunchError::kRegisters: return "CP_REG_ALLOC_TEMP is 0 or more than 128 registers per thread";
    case LaunchError::kSharedSize: return "SHARED_SIZE is not a multiple of 64, or larger than the SM's shared memory";
    case LaunchError::kParams:
      return "more than 64 parameter words, or they do not fit in SHARED_SIZE behind the header";
    case LaunchError::kLanes: return "LANES32_ENABLE is 0, and warps of 16 lanes do not exist here";
    case LaunchError::kRegisterMode: return "REG_MODE is not striped, the only allocation for warps of 32 lanes";
    case LaunchError::kAddress: return "a code, stack, local, constant or table address lies above 4 GB";
    case LaunchError::kLocalSize: return "LOCAL_SIZE_LOG is above 13, or local memory reaches past 4 GB";
    case LaunchError::kStackSize: return "STACK_SIZE_LOG is above 13";
    case LaunchError::kGlobalMode: return "a g[] space with a limit is not linear, or its base lies above 4 GB";
    case LaunchError::kConstBank: return "SET_PROGRAM_CB names a constant buffer that CB_DEF_SET never defined";
    case LaunchError::kTextures: return "a texture or sampler binding lies behind the limit of its table or TEX_LIMITS";
    case LaunchError::kDoesNotFit: return "one block needs more registers, warps or shared memory than an SM has";
    case LaunchError::kAfterFault: return "an earlier kernel faulted or timed out, and the device was not reset";
  }
  return "unknown";
}

namespace {

LaunchError check_shape(const ComputeState& state, const Config& config) {
  if (!state.blockdim_latched) return LaunchError::kBlockdimNotLatched;
  const auto within = [](std::uint32_t value, std::uint32_t max) { return value >= 1 && value <= max; };
  if (!within(state.grid_x, config.device.max_grid) || !within(state.grid_y, config.device.max_grid)) {
    return LaunchError::kGridSize;
  }
  if (!within(state.block_x, config.device.max_block_x) || !within(state.block_y, config.device.max_block_y) ||
      !within(state.block_z, config.device.max_block_z)) {
    return LaunchError::kBlockSize;
  }
  const std::uint32_t product = state.block_x * state.block_y * state.block_z;
  if (product > config.device.max_threads_per_block) return LaunchError::kBlockSize;
  if (!within(state.threads, product)) return LaunchError::kThreadCount;
  return LaunchError::kNone;
}

LaunchError check_resources(const ComputeState& state, const Config& config, bool fits) {
  if (state.barriers > kMaxBarriers) return LaunchError::kBarriers;
  if (state.registers < 1 || state.registers > kMaxRegistersPerThread) return LaunchError::kRegisters;
  if (state.shared_bytes % 64 != 0 || state.shared_bytes > config.sm.shared_bytes) return LaunchError::kSharedSize;
  if (state.num_params > kMaxUserParams || kSharedHeaderBytes + 4 * state.num_params > state.shared_bytes) {
    return LaunchError::kParams;
  }
  if (!state.lanes32) return LaunchError::kLanes;
  if (state.reg_mode != kRegModeStriped) return LaunchError::kRegisterMode;
  return fits ? LaunchError::kNone : LaunchError::kDoesNotFit;
}

LaunchError check_memory(const ComputeState& state, const Config& config) {
  if ((state.code.high | state.stack.high | state.local.high | state.tic.high | state.tsc.high) != 0) {
    return LaunchError::kAddress;
  }
  if (state.local_size_log > 13) return LaunchError::kLocalSize;
  if (state.local_size_log != 0) {
    const std::uint64_t warps = std::uint64_t{config.gpu.num_tpcs} * config.gpu.sms_per_tpc * config.sm.max_warps;
    const std::uint64_t bytes = warps * kWarpSize * (std::uint64_t{8} << state.local_size_log);
    if (state.local.low + bytes > std::uint64_t{1} << 32) return LaunchError::kLocalSize;
  }
  if (state.stack_size_log > 13) return LaunchError::kStackSize;
  for (const GlobalMethods& space : state.global) {
    const bool linear = (space.mode & 1) != 0;
    if (space.limit != 0 && (!linear || space.address.high != 0)) return LaunchError::kGlobalMode;
  }
  for (const ConstBankSelect& bank : state.const_bank) {
    if (!bank.valid) continue;
    const ConstBuffer& buffer = state.const_buffer[bank.buffer];
    if (buffer.bytes == 0) return LaunchError::kConstBank;
    if (buffer.address.high != 0) return LaunchError::kAddress;
  }
  return LaunchError::kNone;
}

LaunchError check_textures(const ComputeState& state) {
  for (std::uint32_t i = 0; i < kMaxTextures; ++i) {
    if (!state.texture[i].valid) continue;
    if (i >> state.textures_log != 0 || state.texture[i].entry > state.tic_limit) return LaunchError::kTextures;
  }
  for (std::uint32_t i = 0; i < kMaxSamplers; ++i) {
    if (!state.sampler[i].valid) continue;
    if (i >> state.samplers_log != 0 || state.sampler[i].entry > state.tsc_limit) return LaunchError::kTextures;
  }
  return LaunchError::kNone;
}

}  // namespace

LaunchError check_launch(const ComputeState& state, const Config& config, bool fits) {
  if (const LaunchError error = check_shape(state, config); error != LaunchError::kNone) return error;
  if (const LaunchError error = check_resources(state, config, fits); error != LaunchError::kNone) return error;
  if (const LaunchError error = check_memory(state, config); error != LaunchError::kNone) return error;
  return check_textures(state);
}

LaunchState make_launch_state(const ComputeState& state) {
  LaunchState launch;
  launch.code_base = state.code.low;
  launch.start_pc = state.start_pc;
  launch.grid_x = static_cast<std::uint16_t>(state.grid_x);
  launch.grid_y = static_cast<std::uint16_t>(state.grid_y);
  launch.block_x = static_cast<std::uint16_t>(state.block_x);
  launch.block_y = static_cast<std::uint16_t>(state.block_y);
  launch.block_z = static_cast<std::uint16_t>(state.block_z);
  launch.threads = static_cast<std::uint16_t>(state.threads);
  launch.registers = static_cast<std::uint8_t>(state.registers);
  launch.shared_bytes = static_cast<std::uint16_t>(state.shared_bytes);
  launch.num_barriers = static_cast<std::uint8_t>(state.barriers);
  launch.grid_id = static_cast<std::uint16_t>(state.grid_id);
  launch.num_params = static_cast<std::uint8_t>(state.num_params);
  launch.param = state.param;
  launch.local_base = state.local.low;
  launch.local_bytes = state.local_size_log == 0 ? 0 : 8u << state.local_size_log;
  launch.stack_base = state.stack.low;
  // Values up to 3 give four entries, the least that a stack has.
  launch.stack_depth = 1u << (std::max(state.stack_size_log, 3u) - 1);
  launch.call_limit_log = static_cast<std::uint8_t>(state.call_limit_log);
  for (unsigned bank = 0; bank < kNumConstBanks; ++bank) {
    if (!state.const_bank[bank].valid) continue;
    const ConstBuffer& buffer = state.const_buffer[state.const_bank[bank].buffer];
    launch.const_bank[bank] = {true, buffer.address.low, buffer.bytes};
  }
  for (unsigned i = 0; i < kNumGlobalSpaces; ++i) {
    const GlobalMethods& space = state.global[i];
    launch.global[i] = {(space.mode & 1) != 0, space.address.low, space.limit};
  }
  launch.textures.header_base = state.tic.low;
  launch.textures.last_header = state.tic_limit;
  launch.textures.sampler_base = state.tsc.low;
  launch.textures.last_sampler = state.tsc_limit;
  launch.textures.texture = state.texture;
  launch.textures.sampler = state.sampler;
  return launch;
}

std::uint64_t watchdog_clocks(std::uint32_t timer) {
  const std::uint32_t log = timer & 31;
  return log == 0 ? 0 : std::uint64_t{7} << (log - 1);
}

}  // namespace g80
