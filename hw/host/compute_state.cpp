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
  const std::uint32_t number = bits(value, 22, 16);
  state.memories.const_buffer[number] = {state.cb_def, bytes == 0 ? 0x10000u : bytes};  // 0 encodes 64 KB
  state.buffer_defined[number] = true;
}

void bind_texture(ComputeState& state, std::uint32_t value) {
  const std::uint32_t number = bits(value, 7, 1);
  state.memories.texture_entry[number] = bits(value, 30, 9);
  state.texture_bound[number] = (value & 1) != 0;
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
    state.memories.param[(number - kUserParam) / 4] = value;
    return MethodEffect::kWriteMemory;
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
    case kCbDefSet: define_const_buffer(state, value); return MethodEffect::kWriteMemory;
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
    case kBindTic: bind_texture(state, value); return MethodEffect::kWriteMemory;
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

MemoryAddress address_of(const ComputeState& state, unsigned row) {
  using namespace launch_row;
  const bool is_bank = row >= kConstBank && row < kTables;
  return {true, static_cast<std::uint8_t>(row), is_bank ? state.const_bank[row - kConstBank].buffer : std::uint8_t{0}};
}

MemoryRow read_memories(const ComputeState& state, const MemoryAddress& address) {
  using namespace launch_row;
  const ComputeMemories& memories = state.memories;
  const unsigned row = address.row, buffer = address.buffer % kNumConstBuffers;
  MemoryRow read{true, address.row, state.buffer_defined[buffer], memories.const_buffer[buffer], {}, {}};
  if (row >= kTexture && row < kParam) {
    const unsigned first = 2 * (row - kTexture);
    read.word = {memories.texture_entry[first], memories.texture_entry[first + 1]};
    read.bound = {state.texture_bound[first], state.texture_bound[first + 1]};
  } else if (row >= kParam && row < kLimits) {
    const unsigned first = 2 * (row - kParam);
    read.word = {memories.param[first], memories.param[first + 1]};
  }
  return read;
}

std::optional<std::uint32_t> next_constant_address(ComputeState& state, const MemoryRow& read) {
  const ConstBuffer& buffer = read.buffer;
  const std::uint32_t offset = 4 * state.cb_word++;
  if (!read.defined || buffer.address.high != 0 || offset + 4 > buffer.bytes) return std::nullopt;
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

constexpr std::uint64_t words(std::uint32_t low, std::uint32_t high) { return low | std::uint64_t{high} << 32; }
constexpr std::uint64_t halves(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return words((a & 0xffff) | b << 16, (c & 0xffff) | d << 16);
}

bool within(std::uint32_t value, std::uint32_t max) { return value >= 1 && value <= max; }

LaunchError check_grid(const ComputeState& state, const Config& config) {
  if (!within(state.grid_x, config.device.max_grid) || !within(state.grid_y, config.device.max_grid)) {
    return LaunchError::kGridSize;
  }
  const bool fits = within(state.block_x, config.device.max_block_x) &&
                    within(state.block_y, config.device.max_block_y) &&
                    within(state.block_z, config.device.max_block_z);
  return fits ? LaunchError::kNone : LaunchError::kBlockSize;
}

LaunchError check_limits(const ComputeState& state, const Config& config, bool fits, std::uint32_t block_threads) {
  if (block_threads > config.device.max_threads_per_block) return LaunchError::kBlockSize;
  if (!within(state.threads, block_threads)) return LaunchError::kThreadCount;
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

LaunchError check_local(const ComputeState& state, const Config& config) {
  if ((state.code.high | state.stack.high | state.local.high | state.tic.high | state.tsc.high) != 0) {
    return LaunchError::kAddress;
  }
  if (state.local_size_log > 13) return LaunchError::kLocalSize;
  if (state.local_size_log == 0) return LaunchError::kNone;
  // The number of warps is a constant of the chip, so this is a shift.
  const std::uint64_t warps = std::uint64_t{config.gpu.num_tpcs} * config.gpu.sms_per_tpc * config.sm.max_warps;
  const std::uint64_t bytes = warps * kWarpSize * 8 << state.local_size_log;
  return state.local.low + bytes > std::uint64_t{1} << 32 ? LaunchError::kLocalSize : LaunchError::kNone;
}

LaunchError check_global(const GlobalMethods& space) {
  const bool linear = (space.mode & 1) != 0;
  return space.limit != 0 && (!linear || space.address.high != 0) ? LaunchError::kGlobalMode : LaunchError::kNone;
}

LaunchError check_const_bank(const ConstBankSelect& bank, const MemoryRow& read) {
  if (!bank.valid) return LaunchError::kNone;
  if (!read.defined) return LaunchError::kConstBank;
  return read.buffer.address.high != 0 ? LaunchError::kAddress : LaunchError::kNone;
}

TableBinding texture_of(const MemoryRow& read, unsigned i) {
  return read.bound[i] ? TableBinding{true, read.word[i]} : TableBinding{};
}

bool is_beyond(const TableBinding& binding, unsigned number, std::uint32_t number_log, std::uint32_t last_entry) {
  return binding.valid && (number >> number_log != 0 || binding.entry > last_entry);
}

LaunchError check_bindings(const ComputeState& state, const MemoryRow& read) {
  using namespace launch_row;
  bool beyond = false;
  if (read.row >= kTexture) {
    for (unsigned i = 0; i < 2; ++i)
      beyond |= is_beyond(texture_of(read, i), 2 * (read.row - kTexture) + i, state.textures_log, state.tic_limit);
  } else {
    for (unsigned i = 4 * (read.row - kSampler), end = i + 4; i < end; ++i)
      beyond |= is_beyond(state.sampler[i], i, state.samplers_log, state.tsc_limit);
  }
  return beyond ? LaunchError::kTextures : LaunchError::kNone;
}

template <class Array, class Valid>
std::uint32_t valid_bits(const Array& array, const Valid& valid) {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < array.size(); ++i) bits |= std::uint32_t{valid(array[i])} << i;
  return bits;
}

std::uint64_t limits_row(const ComputeState& state, std::uint32_t number) {
  const std::uint32_t counts =
      (state.registers & 0xff) | (number & 0xff) << 8 | (state.num_params & 0xff) << 16 | state.call_limit_log << 24;
  const std::uint32_t banks = valid_bits(state.const_bank, [](const ConstBankSelect& bank) { return bank.valid; });
  const std::uint32_t spaces =
      valid_bits(state.global, [](const GlobalMethods& space) { return (space.mode & 1) != 0; });
  return words(counts, banks | spaces << 16);
}

std::uint64_t texture_row(const ComputeState& state, const MemoryRow& read) {
  using namespace launch_row;
  const unsigned row = read.row;
  if (row == kTables) return words(state.tic.low, state.tic_limit);
  if (row == kTables + 1) return words(state.tsc.low, state.tsc_limit);
  if (row < kTexture) {
    const auto bits = [&](unsigned i) {
      const TableBinding& binding = state.sampler[4 * (row - kSampler) + i];
      return binding.entry | (binding.valid ? 0x8000u : 0);
    };
    return halves(bits(0), bits(1), bits(2), bits(3));
  }
  const auto bits = [&](unsigned i) {
    const TableBinding binding = texture_of(read, i);
    return binding.entry | (binding.valid ? 1u << 31 : 0);
  };
  return words(bits(0), bits(1));
}

}  // namespace

LaunchError check_launch_row(const ComputeState& state, const MemoryRow& read, const Config& config, bool fits,
                             std::uint32_t& block_threads) {
  using namespace launch_row;
  const unsigned row = read.row;
  if (row == kLimits) return check_limits(state, config, fits, block_threads);
  if (row >= kParam) return LaunchError::kNone;
  if (row >= kSampler) return check_bindings(state, read);
  if (row >= kTables) return LaunchError::kNone;
  if (row >= kConstBank) return check_const_bank(state.const_bank[row - kConstBank], read);
  if (row >= kGlobal) return check_global(state.global[row - kGlobal]);
  switch (row) {
    case kCode: return state.blockdim_latched ? LaunchError::kNone : LaunchError::kBlockdimNotLatched;
    case kGrid: block_threads = (state.block_x & 0x3ff) * (state.block_y & 0x3ff); return check_grid(state, config);
    case kBlock: block_threads *= state.block_z & 0x7f; return LaunchError::kNone;
    case kLocal: return check_local(state, config);
    default: return state.stack_size_log > 13 ? LaunchError::kStackSize : LaunchError::kNone;
  }
}

std::uint64_t launch_row_of(const ComputeState& state, const MemoryRow& read, std::uint32_t number) {
  using namespace launch_row;
  const unsigned row = read.row;
  if (row == kLimits) return limits_row(state, number);
  if (row >= kParam) return words(read.word[0], read.word[1]);
  if (row >= kTables) return texture_row(state, read);
  if (row >= kConstBank) {
    return state.const_bank[row - kConstBank].valid ? words(read.buffer.address.low, read.buffer.bytes) : 0;
  }
  if (row >= kGlobal) return words(state.global[row - kGlobal].address.low, state.global[row - kGlobal].limit);
  switch (row) {
    case kCode: return words(state.code.low, state.start_pc);
    case kGrid: return halves(state.grid_x, state.grid_y, state.block_x, state.block_y);
    case kBlock: return halves(state.block_z, state.threads, state.shared_bytes, state.grid_id);
    case kLocal: return words(state.local.low, state.local_size_log == 0 ? 0 : 8u << state.local_size_log);
    // Values up to 3 give four entries, the least that a stack has.
    default: return words(state.stack.low, 1u << (std::max(state.stack_size_log, 3u) - 1));
  }
}

unsigned next_launch_row(const ComputeState& state, unsigned row, bool with_textures) {
  using namespace launch_row;
  unsigned next = row + 1;
  if (next == kTables && !with_textures) next = kParam;
  return next < kLimits && next >= kParam + (state.num_params + 1) / 2 ? kLimits : next;
}

bool is_texture_method(std::uint32_t number) {
  using namespace method;
  return (number >= kTscAddressHigh && number <= kTscLimit) || (number >= kTicAddressHigh && number <= kTicLimit) ||
         (number >= kTexLimits && number <= kBindTic);
}

std::uint64_t watchdog_clocks(std::uint32_t timer) {
  const std::uint32_t log = timer & 31;
  return log == 0 ? 0 : std::uint64_t{7} << (log - 1);
}

}  // namespace g80
