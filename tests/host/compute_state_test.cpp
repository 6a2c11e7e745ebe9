// SPDX-License-Identifier: Apache-2.0
// What each method of the compute class sets, and which launches are refused.
#include "hw/host/compute_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hw/host/block_fit.h"
#include "hw/host/launch_log.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

/// A launch that is legal on the 8600 GTS: 4x2 blocks of 64x2 threads.
ComputeState legal_state() {
  ComputeState state;
  const auto write = [&](std::uint32_t number, std::uint32_t value) {
    EXPECT_NE(apply_method(state, number, value), MethodEffect::kUnknown) << std::hex << number;
  };
  write(method::kCpAddressLow, 0x10000);
  write(method::kCpStartId, 0x40);
  write(method::kStackSizeLog, 5);
  write(method::kCbDefAddressLow, 0x20000);
  write(method::kCbDefSet, 3u << 16 | 0x100);
  write(method::kSetProgramCb, 3u << 12 | 1u << 8 | 1);
  write(method::kGlobal + 14 * 0x20 + 0x0c, 0xffffffff);
  write(method::kGlobal + 14 * 0x20 + 0x10, 1);
  write(method::kLanes32Enable, 1);
  write(method::kRegMode, kRegModeStriped);
  write(method::kCpRegAllocTemp, 10);
  write(method::kSharedSize, 0x40);
  write(method::kUserParamCount, 2 << 8);
  write(method::kUserParam, 0x1111);
  write(method::kUserParam + 4, 0x2222);
  write(method::kGridDim, 2u << 16 | 4);
  write(method::kBlockdimXy, 2u << 16 | 64);
  write(method::kBlockdimZ, 1);
  write(method::kBlockAlloc, 1u << 16 | 128);
  write(method::kBlockdimLatch, 1);
  write(method::kGridId, 7);
  return state;
}

const Config& config() {
  static const Config loaded = load_config("8600gts");
  return loaded;
}

MemoryRow read_row(const ComputeState& state, unsigned row) { return read_memories(state, address_of(state, row)); }

/// What the first row that is not legal says.
LaunchError judge(const ComputeState& state, const Config& machine = config()) {
  BlockFit fit;
  while (!fit.done()) count_blocks(fit, {state.threads, state.registers, state.shared_bytes}, machine.sm);
  std::uint32_t block_threads = 0;
  for (unsigned row = 0; row != launch_row::kEnd; row = next_launch_row(state, row, true)) {
    const LaunchError error = check_launch_row(state, read_row(state, row), machine, fit.blocks != 0, block_threads);
    if (error != LaunchError::kNone) return error;
  }
  return LaunchError::kNone;
}

/// What the rows make of the registers in a TPC.
struct Sent {
  explicit Sent(const ComputeState& state) {
    for (unsigned row = 0; row != launch_row::kEnd; row = next_launch_row(state, row, true), ++rows)
      log.send({true, static_cast<std::uint8_t>(row), launch_row_of(state, read_row(state, row), 0x107)});
  }
  LaunchLog log;
  const LaunchState& launch = log.launch();
  const std::array<std::uint32_t, kMaxUserParams>& param = log.param();
  const TextureBindings& textures = log.textures();
  unsigned rows = 0;
};

TEST(ComputeState, HeaderWordsSurviveEncodingAndDecoding) {
  const PushHeader header{0x1ffc, 5, 0x7ff, true};
  const PushHeader back = decode_header(encode_header(header));
  EXPECT_EQ(back.method, 0x1ffcu);
  EXPECT_EQ(back.subchannel, 5u);
  EXPECT_EQ(back.count, 0x7ffu);
  EXPECT_TRUE(back.same_method);
  EXPECT_EQ(decode_header(0x00047 << 18 | 3u << 13 | 0x0368).method, 0x368u);
}

std::optional<std::uint32_t> next_constant_address(ComputeState& state) {
  return g80::next_constant_address(state, read_memories(state, {true, 0, static_cast<std::uint8_t>(state.cb_buffer)}));
}

/// Bits of a method's word and the field that they become.
struct MethodField {
  std::uint32_t number;
  unsigned high, low;
  std::uint32_t (*of)(const ComputeState& state);
};
bool is_valid(bool bound) { return bound; }
template <class Binding>
bool is_valid(const Binding& binding) {
  return binding.valid;
}
/// The number of the only binding that is valid; that of none: the number of all.
template <class Bindings>
std::uint32_t valid_one(const Bindings& bindings) {
  const auto valid = std::find_if(bindings.begin(), bindings.end(), [](const auto& one) { return is_valid(one); });
  return static_cast<std::uint32_t>(valid - bindings.begin());
}
const MethodField kMethodFields[] = {
    {method::kCbAddr, 21, 8, [](const ComputeState& state) { return state.cb_word; }},
    {method::kCbAddr, 6, 0, [](const ComputeState& state) { return state.cb_buffer; }},
    {method::kBlockAlloc, 15, 0, [](const ComputeState& state) { return state.threads; }},
    {method::kBlockAlloc, 23, 16, [](const ComputeState& state) { return state.barriers; }},
    {method::kLanes32Enable, 0, 0, [](const ComputeState& state) { return std::uint32_t{state.lanes32}; }},
    {method::kBlockdimLatch, 0, 0, [](const ComputeState& state) { return std::uint32_t{state.blockdim_latched}; }},
    {method::kUserParamCount, 15, 8, [](const ComputeState& state) { return state.num_params; }},
    {method::kGridId, 15, 0, [](const ComputeState& state) { return state.grid_id; }},
    {method::kGridDim, 15, 0, [](const ComputeState& state) { return state.grid_x; }},
    {method::kGridDim, 31, 16, [](const ComputeState& state) { return state.grid_y; }},
    {method::kBlockdimXy, 15, 0, [](const ComputeState& state) { return state.block_x; }},
    {method::kBlockdimXy, 31, 16, [](const ComputeState& state) { return state.block_y; }},
    {method::kTexLimits, 3, 0, [](const ComputeState& state) { return state.samplers_log; }},
    {method::kTexLimits, 7, 4, [](const ComputeState& state) { return state.textures_log; }},
};
/// Those whose word names a place, and is valid by bit 0.
const MethodField kBindFields[] = {
    {method::kBindTsc, 7, 4, [](const ComputeState& state) { return valid_one(state.sampler); }},
    {method::kBindTsc, 20, 12,
     [](const ComputeState& state) { return std::uint32_t{state.sampler[valid_one(state.sampler)].entry}; }},
    {method::kBindTic, 7, 1, [](const ComputeState& state) { return valid_one(state.texture_bound); }},
    {method::kBindTic, 30, 9,
     [](const ComputeState& state) { return state.memories.texture_entry[valid_one(state.texture_bound)]; }},
    {method::kSetProgramCb, 11, 8, [](const ComputeState& state) { return valid_one(state.const_bank); }},
    {method::kSetProgramCb, 18, 12,
     [](const ComputeState& state) { return std::uint32_t{state.const_bank[valid_one(state.const_bank)].buffer}; }},
};

TEST(ComputeState, AFieldOfAMethodIsItsBitsAndNoOthers) {
  for (unsigned bit = 0; bit < 32; ++bit) {
    const auto expect = [bit](const MethodField& field, std::uint32_t others) {
      ComputeState state;
      EXPECT_EQ(apply_method(state, field.number, std::uint32_t{1} << bit | others),
                field.number == method::kBindTic ? MethodEffect::kWriteMemory : MethodEffect::kNone);
      EXPECT_EQ(field.of(state), bit >= field.low && bit <= field.high ? std::uint32_t{1} << (bit - field.low) : 0)
          << "bit " << bit << " of method " << std::hex << field.number;
    };
    for (const MethodField& field : kMethodFields) expect(field, 0);
    for (const MethodField& field : kBindFields) expect(field, 1);
    ComputeState state;
    EXPECT_EQ(apply_method(state, method::kCbDefSet, std::uint32_t{1} << bit), MethodEffect::kWriteMemory);
    const unsigned buffer = bit >= 16 && bit <= 22 ? 1u << (bit - 16) : 0;
    EXPECT_EQ(state.memories.const_buffer[buffer].bytes, bit < 16 ? 1u << bit : 0x10000u) << bit;
    EXPECT_EQ(apply_method(state, method::kTexCacheCtl, 0x20u ^ 1u << bit),
              bit == 4 || bit == 5 ? MethodEffect::kNone : MethodEffect::kFlushTextures)
        << bit;
    EXPECT_EQ(apply_method(state, method::kIsaFlags, 1u << bit), MethodEffect::kUnknown) << bit;
  }
  ComputeState state;
  EXPECT_EQ(apply_method(state, method::kIsaFlags, 0), MethodEffect::kNone);
  apply_method(state, method::kBindTsc, 0xf0);
  EXPECT_EQ(valid_one(state.sampler), kMaxSamplers) << "without bit 0";
}

TEST(ComputeState, ALegalLaunchBecomesALaunchState) {
  const ComputeState state = legal_state();
  ASSERT_EQ(judge(state), LaunchError::kNone) << describe(judge(state));
  const Sent sent(state);
  const LaunchState& launch = sent.launch;
  EXPECT_EQ(launch.code_base, 0x10000u);
  EXPECT_EQ(launch.start_pc, 0x40u);
  EXPECT_EQ(launch.grid_x, 4u);
  EXPECT_EQ(launch.grid_y, 2u);
  EXPECT_EQ(launch.block_x, 64u);
  EXPECT_EQ(launch.block_y, 2u);
  EXPECT_EQ(launch.block_z, 1u);
  EXPECT_EQ(launch.threads, 128u);
  EXPECT_EQ(launch.registers, 10u);
  EXPECT_EQ(launch.shared_bytes, 64u);
  EXPECT_EQ(launch.grid_id, 7u);
  EXPECT_EQ(launch.num_params, 2u);
  EXPECT_EQ(sent.param[1], 0x2222u);
  EXPECT_EQ(launch.number, 7u);
  EXPECT_EQ(launch.stack_depth, 16u);
  EXPECT_TRUE(launch.const_bank[1].valid);
  EXPECT_EQ(launch.const_bank[1].address, 0x20000u);
  EXPECT_EQ(launch.const_bank[1].bytes, 0x100u);
  EXPECT_FALSE(launch.const_bank[0].valid);
  EXPECT_TRUE(launch.global[14].enabled);
  EXPECT_EQ(launch.global[14].limit, 0xffffffffu);
  EXPECT_FALSE(launch.global[0].enabled);
}

/// Whatever the methods of a class say lies in the registers of a TPC afterwards, each field in its place.
TEST(ComputeState, EveryFieldOfTheLaunchStateHasItsPlaceInARow) {
  const unsigned seed = random_seed();
  std::mt19937 random(seed);
  const auto word = [&] { return static_cast<std::uint32_t>(random()); };
  for (int i = 0; i < 200; ++i) {
    ComputeState state;
    const auto write = [&](std::uint32_t number, std::uint32_t value) { apply_method(state, number, value); };
    for (const std::uint32_t number :
         {method::kCpAddressLow, method::kStackAddressLow, method::kCallLimitLog, method::kTscAddressLow,
          method::kTscLimit, method::kLocalAddressLow, method::kBlockAlloc, method::kCpRegAllocTemp,
          method::kTicAddressLow, method::kTicLimit, method::kGridId, method::kGridDim, method::kSharedSize,
          method::kBlockdimXy, method::kBlockdimZ, method::kCpStartId})
      write(number, word());
    write(method::kLocalSizeLog, random() % 14);
    write(method::kStackSizeLog, random() % 14);
    write(method::kUserParamCount, (random() % (kMaxUserParams + 1)) << 8);
    for (unsigned p = 0; p < kMaxUserParams; ++p) write(method::kUserParam + 4 * p, word());
    for (unsigned g = 0; g < kNumGlobalSpaces; ++g) {
      for (const unsigned offset : {0x4u, 0xcu, 0x10u})
        write(method::kGlobal + g * method::kGlobalStride + offset, word());
    }
    for (unsigned b = 0; b < kNumConstBanks; ++b) {
      write(method::kCbDefAddressLow, word());
      write(method::kCbDefSet, b << 16 | (word() & 0xffff));
      write(method::kSetProgramCb, b << 12 | b << 8 | (word() & 1));
    }
    for (unsigned t = 0; t < kMaxTextures; ++t) write(method::kBindTic, (word() & 0x7ffffe00) | t << 1 | (word() & 1));
    for (unsigned t = 0; t < kMaxSamplers; ++t) write(method::kBindTsc, (word() & 0x1ff000) | t << 4 | (word() & 1));

    LaunchState expected;
    expected.code_base = state.code.low;
    expected.number = 7;
    expected.start_pc = state.start_pc & 0xffffff;
    expected.grid_x = static_cast<std::uint16_t>(state.grid_x);
    expected.grid_y = static_cast<std::uint16_t>(state.grid_y);
    expected.block_x = static_cast<std::uint16_t>(state.block_x);
    expected.block_y = static_cast<std::uint16_t>(state.block_y);
    expected.block_z = static_cast<std::uint16_t>(state.block_z);
    expected.threads = static_cast<std::uint16_t>(state.threads);
    expected.registers = static_cast<std::uint8_t>(state.registers);
    expected.shared_bytes = static_cast<std::uint16_t>(state.shared_bytes);
    expected.grid_id = static_cast<std::uint16_t>(state.grid_id);
    expected.num_params = static_cast<std::uint8_t>(state.num_params);
    const unsigned params = (state.num_params + 1) / 2 * 2;  // no row beyond those of the kernel
    std::array<std::uint32_t, kMaxUserParams> expected_param{};
    std::copy_n(state.memories.param.begin(), params, expected_param.begin());
    expected.local_base = state.local.low;
    expected.local_bytes = state.local_size_log == 0 ? 0 : 8u << state.local_size_log;
    expected.stack_base = state.stack.low;
    expected.stack_depth = state.stack_size_log < 3 ? 4 : 1u << (state.stack_size_log - 1);
    expected.call_limit_log = static_cast<std::uint8_t>(state.call_limit_log);
    for (unsigned b = 0; b < kNumConstBanks; ++b) {
      if (state.const_bank[b].valid)
        expected.const_bank[b] = {true, state.memories.const_buffer[b].address.low,
                                  state.memories.const_buffer[b].bytes};
    }
    for (unsigned g = 0; g < kNumGlobalSpaces; ++g)
      expected.global[g] = {(state.global[g].mode & 1) != 0, state.global[g].address.low, state.global[g].limit};
    const Sent sent(state);
    ASSERT_EQ(sent.launch, expected) << "seed " << seed;
    ASSERT_EQ(sent.param, expected_param) << "seed " << seed;
    LaunchState again;
    std::array<std::uint32_t, kMaxUserParams> param_again{};
    for (const LaunchBeat& row : sm_rows(sent.launch, sent.param)) store_row(row, again, param_again);
    ASSERT_EQ(again, expected) << "seed " << seed;
    ASSERT_EQ(param_again, expected_param) << "seed " << seed;
    const TextureBindings& textures = sent.textures;
    ASSERT_EQ(textures.header_base, state.tic.low);
    ASSERT_EQ(textures.last_header, state.tic_limit);
    ASSERT_EQ(textures.sampler_base, state.tsc.low);
    ASSERT_EQ(textures.last_sampler, state.tsc_limit);
    for (unsigned t = 0; t < kMaxTextures; ++t) {
      ASSERT_EQ(textures.texture(t).valid, state.texture_bound[t]) << "seed " << seed;
      ASSERT_EQ(textures.texture(t).entry, state.texture_bound[t] ? state.memories.texture_entry[t] : 0);
    }
    for (unsigned s = 0; s < kMaxSamplers; ++s) ASSERT_EQ(textures.sampler(s), state.sampler[s]) << "seed " << seed;
    ASSERT_TRUE(textures.written);
    ASSERT_EQ(sent.rows, 38u + params / 2 + 2 + 4 + 64);
  }
}

TEST(ComputeState, RowsOfTexturesAreSentWhereAMethodChangesThemOrWhatIsCheckedThere) {
  for (const std::uint32_t number :
       {method::kTscAddressHigh, method::kTscAddressLow, method::kTscLimit, method::kTicAddressHigh,
        method::kTicAddressLow, method::kTicLimit, method::kTexLimits, method::kBindTsc, method::kBindTic})
    EXPECT_TRUE(is_texture_method(number)) << std::hex << number;
  for (const std::uint32_t number : {method::kCallLimitLog, method::kCbAddr, method::kCpRegAllocTemp,
                                     method::kBlockdimLatch, method::kRegMode, method::kSetProgramCb})
    EXPECT_FALSE(is_texture_method(number)) << std::hex << number;
  ComputeState state = legal_state();
  unsigned row = 0, rows = 0;
  for (; row != launch_row::kEnd; row = next_launch_row(state, row, false), ++rows)
    EXPECT_FALSE(launch_row::is_of_texture(row)) << row;
  EXPECT_EQ(rows, 38u + 1) << "two parameters in one row";
}

TEST(ComputeState, TheControlStackHasAtLeastFourEntries) {
  ComputeState state = legal_state();
  for (const std::uint32_t log : {0u, 1u, 2u, 3u}) {
    state.stack_size_log = log;
    EXPECT_EQ(Sent(state).launch.stack_depth, 4u);
  }
  state.stack_size_log = 13;
  EXPECT_EQ(Sent(state).launch.stack_depth, 4096u);
}

TEST(ComputeState, LocalSizesArePowersOfTwo) {
  ComputeState state = legal_state();
  EXPECT_EQ(Sent(state).launch.local_bytes, 0u);
  state.local_size_log = 1;
  EXPECT_EQ(Sent(state).launch.local_bytes, 16u);
  state.local_size_log = 13;
  EXPECT_EQ(Sent(state).launch.local_bytes, 65536u);
}

TEST(ComputeState, TextureBindingsReachTheLaunch) {
  ComputeState state = legal_state();
  apply_method(state, method::kTicLimit, 9);
  apply_method(state, method::kTscLimit, 3);
  apply_method(state, method::kTexLimits, 7u << 4 | 4);
  apply_method(state, method::kBindTic, 9u << 9 | 5u << 1 | 1);
  apply_method(state, method::kBindTsc, 3u << 12 | 2u << 4 | 1);
  ASSERT_EQ(judge(state), LaunchError::kNone);
  const Sent sent(state);
  EXPECT_EQ(sent.textures.texture(5), (TableBinding{true, 9}));
  EXPECT_EQ(sent.textures.sampler(2), (TableBinding{true, 3}));
  apply_method(state, method::kTicLimit, 8);
  EXPECT_EQ(judge(state), LaunchError::kTextures);
  apply_method(state, method::kTicLimit, 9);
  apply_method(state, method::kTexLimits, 2u << 4 | 4);
  EXPECT_EQ(judge(state), LaunchError::kTextures) << "texture 5 of 4";
  apply_method(state, method::kTexLimits, 7u << 4 | 1);
  EXPECT_EQ(judge(state), LaunchError::kTextures) << "sampler 2 of 2";
}

TEST(ComputeState, TheLimitsOfTexturesAndSamplersAreFourBitsEach) {
  ComputeState state = legal_state();
  apply_method(state, method::kTexLimits, 0xffffff00u | 7u << 4 | 4);
  EXPECT_EQ(state.textures_log, 7u);
  EXPECT_EQ(state.samplers_log, 4u);
}

TEST(ComputeState, OnlyTheRowOfABankNamesABuffer) {
  ComputeState state;
  for (unsigned bank = 0; bank < state.const_bank.size(); ++bank)
    apply_method(state, method::kSetProgramCb, (bank + 1) << 12 | bank << 8 | 1);
  for (unsigned row = 0; row < launch_row::kEnd; ++row) {
    const bool is_bank = row >= launch_row::kConstBank && row < launch_row::kTables;
    EXPECT_EQ(address_of(state, row).buffer, is_bank ? row - launch_row::kConstBank + 1 : 0) << row;
  }
}

TEST(ComputeState, AResetLeavesTheRowsOfMemoriesAndForgetsThatTheyAreDefined) {
  ComputeState state = legal_state();
  apply_method(state, method::kTexLimits, 7u << 4);
  apply_method(state, method::kTicLimit, 5);
  apply_method(state, method::kBindTic, 5u << 9 | 1);
  state.reset();
  EXPECT_EQ(state.memories.const_buffer[3].address.low, 0x20000u);
  EXPECT_EQ(state.memories.texture_entry[0], 5u);
  EXPECT_EQ(launch_row_of(state, read_row(state, launch_row::kTexture), 1), 0u);
  apply_method(state, method::kCbAddr, 3);
  EXPECT_EQ(next_constant_address(state), std::nullopt);
  apply_method(state, method::kSetProgramCb, 3u << 12 | 1);
  std::uint32_t threads = 0;
  EXPECT_EQ(check_launch_row(state, read_row(state, launch_row::kConstBank), config(), true, threads),
            LaunchError::kConstBank);
}

TEST(ComputeState, CbDataWalksThroughItsBufferAndStopsAtItsEnd) {
  ComputeState state = legal_state();
  apply_method(state, method::kCbAddr, 0x3e << 8 | 3);
  EXPECT_EQ(apply_method(state, method::kCbData + 4, 1), MethodEffect::kWriteConstant);
  EXPECT_EQ(next_constant_address(state), 0x200f8u);
  EXPECT_EQ(next_constant_address(state), 0x200fcu);
  EXPECT_EQ(next_constant_address(state), std::nullopt);
  apply_method(state, method::kCbDefAddressHigh, 1);
  apply_method(state, method::kCbDefSet, 3u << 16 | 0x100);
  apply_method(state, method::kCbAddr, 3);
  EXPECT_EQ(next_constant_address(state), std::nullopt) << "above 4 GB";
  apply_method(state, method::kCbDefAddressHigh, 0);
  for (const std::uint32_t bytes : {0x103u, 0x104u}) {
    apply_method(state, method::kCbDefSet, 3u << 16 | bytes);
    apply_method(state, method::kCbAddr, 0x40 << 8 | 3);
    EXPECT_EQ(next_constant_address(state).has_value(), bytes == 0x104) << "the last word is a whole one";
  }
}

TEST(ComputeState, TheFirstSpaceTheLastRegisterAndABankThatIsTakenBack) {
  ComputeState state = legal_state();
  apply_method(state, method::kGlobal, 1);
  EXPECT_EQ(state.global[0].address.high, 1u);
  apply_method(state, method::kSetProgramCb, 3u << 12 | 1u << 8);
  EXPECT_FALSE(state.const_bank[1].valid);
  apply_method(state, method::kCpRegAllocTemp, kMaxRegistersPerThread);
  EXPECT_NE(judge(state), LaunchError::kRegisters);
  apply_method(state, method::kCpRegAllocTemp, kMaxRegistersPerThread + 1);
  EXPECT_EQ(judge(state), LaunchError::kRegisters);
}

TEST(ComputeState, MethodsWithEffectsSaySo) {
  ComputeState state;
  EXPECT_EQ(apply_method(state, method::kLaunch, 0), MethodEffect::kLaunch);
  EXPECT_EQ(apply_method(state, method::kQueryGet, 0), MethodEffect::kQuery);
  EXPECT_EQ(apply_method(state, method::kCodeCbFlush, 0), MethodEffect::kFlushCodeAndConstants);
  EXPECT_EQ(apply_method(state, method::kTexCacheCtl, 0x20), MethodEffect::kFlushTextures);
  EXPECT_EQ(apply_method(state, method::kTexCacheCtl, 0x10), MethodEffect::kNone);
  EXPECT_EQ(apply_method(state, 0x0100, 0), MethodEffect::kUnknown);
  EXPECT_EQ(apply_method(state, method::kGlobal + 0x14, 0), MethodEffect::kUnknown);
  EXPECT_EQ(apply_method(state, method::kUserParam + 4 * kMaxUserParams, 0), MethodEffect::kUnknown);
  const std::uint32_t behind = method::kCbData + 4 * method::kCbDataWords;
  EXPECT_EQ(apply_method(state, behind - 4, 0), MethodEffect::kWriteConstant);
  EXPECT_NE(apply_method(state, behind, 0), MethodEffect::kWriteConstant);
}

TEST(ComputeState, TheWatchdogDoublesWithEachStep) {
  EXPECT_EQ(watchdog_clocks(0), 0u);
  EXPECT_EQ(watchdog_clocks(1), 7u);
  EXPECT_EQ(watchdog_clocks(5), 7u * 16);
}

TEST(ComputeState, LocalMemoryOfAllWarpsLiesBelow4GB) {
  ComputeState state = legal_state();
  apply_method(state, method::kLocalAddressLow, 0xfffff000);
  EXPECT_EQ(judge(state), LaunchError::kNone) << "no local memory";
  apply_method(state, method::kLocalSizeLog, 3);
  EXPECT_EQ(judge(state), LaunchError::kLocalSize);
  apply_method(state, method::kLocalAddressLow, 0x100000);
  EXPECT_EQ(judge(state), LaunchError::kNone);
  const auto fits_below = [&](std::uint64_t bytes) {
    apply_method(state, method::kLocalAddressLow, static_cast<std::uint32_t>((std::uint64_t{1} << 32) - bytes));
    return judge(state) == LaunchError::kNone;
  };
  for (const std::uint32_t log : {1u, 5u, 13u}) {
    apply_method(state, method::kLocalSizeLog, log);
    const Config& chip = config();
    const std::uint64_t bytes =
        std::uint64_t{chip.gpu.num_tpcs} * chip.gpu.sms_per_tpc * chip.sm.max_warps * kWarpSize * (8u << log);
    EXPECT_TRUE(fits_below(bytes)) << log;
    EXPECT_FALSE(fits_below(bytes - 256)) << log;
  }
  const Config large = load_config("gtx280");  // 10 TPCs of 3 SMs
  const std::uint64_t bytes = std::uint64_t{30} * large.sm.max_warps * kWarpSize * (8u << 13);
  std::uint32_t threads = 0;
  for (const unsigned beyond : {0u, 256u}) {
    state.local.low = static_cast<std::uint32_t>((std::uint64_t{1} << 32) - bytes + beyond);
    EXPECT_EQ(check_launch_row(state, read_row(state, launch_row::kLocal), large, true, threads) == LaunchError::kNone,
              beyond == 0);
  }
}

TEST(ComputeState, ATextureIsBoundByTheLowestBitWhateverItsNumber) {
  ComputeState state = legal_state();
  for (const std::uint32_t texture : {4u, 5u}) {
    for (const bool valid : {true, false}) {
      apply_method(state, method::kBindTic, 9u << 9 | texture << 1 | (valid ? 1 : 0));
      EXPECT_EQ(Sent(state).textures.texture(texture).valid, valid) << texture;
    }
  }
}

TEST(ComputeState, ParametersAreLimitedEvenIfSharedMemoryHasRoomForMore) {
  ComputeState state = legal_state();
  apply_method(state, method::kSharedSize, 0x400);
  apply_method(state, method::kUserParamCount, kMaxUserParams << 8);
  EXPECT_EQ(judge(state), LaunchError::kNone);
  apply_method(state, method::kUserParamCount, (kMaxUserParams + 1) << 8);
  EXPECT_EQ(judge(state), LaunchError::kParams);
}

TEST(ComputeState, AConstantBufferOf64KBIsEncodedAs0) {
  ComputeState state = legal_state();
  apply_method(state, method::kCbDefSet, 4u << 16);
  EXPECT_EQ(state.memories.const_buffer[4].bytes, 0x10000u);
}

TEST(ComputeState, AConstantBufferLiesBelow4GB) {
  ComputeState state = legal_state();
  apply_method(state, method::kCbDefAddressHigh, 1);
  EXPECT_EQ(judge(state), LaunchError::kNone) << "the buffer was defined before";
  apply_method(state, method::kCbDefSet, 3u << 16 | 0x100);
  EXPECT_EQ(judge(state), LaunchError::kAddress);
}

TEST(ComputeState, SharedMemoryMayBeFullAndParametersMayFillIt) {
  ComputeState state = legal_state();
  apply_method(state, method::kSharedSize, config().sm.shared_bytes);
  EXPECT_EQ(judge(state), LaunchError::kNone);
  apply_method(state, method::kSharedSize, 0x40);
  apply_method(state, method::kUserParamCount, (0x40 - kSharedHeaderBytes) / 4 << 8);
  EXPECT_EQ(judge(state), LaunchError::kNone);
  apply_method(state, method::kUserParamCount, ((0x40 - kSharedHeaderBytes) / 4 + 1) << 8);
  EXPECT_EQ(judge(state), LaunchError::kParams);
}

TEST(ComputeState, OneRegisterIsEnough) {
  ComputeState state = legal_state();
  apply_method(state, method::kCpRegAllocTemp, 1);
  EXPECT_EQ(judge(state), LaunchError::kNone);
}

TEST(ComputeState, TheLargestSizesAreAccepted) {
  ComputeState state = legal_state();
  apply_method(state, method::kBlockdimXy, 4u << 16 | 32);
  apply_method(state, method::kBlockdimZ, 4);
  apply_method(state, method::kBlockdimLatch, 1);
  for (const std::uint32_t threads : {1u, 512u}) {
    apply_method(state, method::kBlockAlloc, kMaxBarriers << 16 | threads);
    EXPECT_EQ(judge(state), LaunchError::kNone) << threads;
  }
  apply_method(state, method::kGridDim, 0xffffffffu);
  EXPECT_EQ(judge(state), LaunchError::kNone);
  EXPECT_EQ(Sent(state).launch.grid_x, 0xffffu);
  EXPECT_EQ(Sent(state).launch.grid_y, 0xffffu);
  apply_method(state, method::kStackSizeLog, 13);
  EXPECT_EQ(judge(state), LaunchError::kNone);
  EXPECT_EQ(apply_method(state, method::kUserParam + 4 * (kMaxUserParams - 1), 7), MethodEffect::kWriteMemory);
  EXPECT_EQ(state.memories.param[kMaxUserParams - 1], 7u);
}

TEST(ComputeState, EachSideOfABlockHasALimitOfItsOwn) {
  for (unsigned side = 0; side < 3; ++side) {
    Config machine = config();
    std::uint32_t* const limits[] = {&machine.device.max_block_x, &machine.device.max_block_y,
                                     &machine.device.max_block_z};
    *limits[side] = 2;
    for (std::uint32_t size = 0; size < 4; ++size) {
      std::array<std::uint32_t, 3> block{4, 4, 4};
      block[side] = size;
      ComputeState state = legal_state();
      apply_method(state, method::kBlockAlloc, 1);
      apply_method(state, method::kBlockdimXy, block[1] << 16 | block[0]);
      apply_method(state, method::kBlockdimZ, block[2]);
      apply_method(state, method::kBlockdimLatch, 1);
      EXPECT_EQ(judge(state, machine), size == 1 || size == 2 ? LaunchError::kNone : LaunchError::kBlockSize)
          << size << " along side " << side;
    }
  }
}

struct Refusal {
  std::uint32_t number, value;
  LaunchError error;
};
class RefusedLaunch : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedLaunch, NamesItsReason) {
  ComputeState state = legal_state();
  apply_method(state, GetParam().number, GetParam().value);
  if (GetParam().number == method::kBlockdimXy && GetParam().error != LaunchError::kBlockdimNotLatched) {
    apply_method(state, method::kBlockdimLatch, 1);
  }
  EXPECT_EQ(judge(state), GetParam().error) << describe(GetParam().error);
}
INSTANTIATE_TEST_SUITE_P(Reasons, RefusedLaunch,
                         ::testing::Values(Refusal{method::kBlockAlloc, 129, LaunchError::kThreadCount},
                                           Refusal{method::kBlockAlloc, 0, LaunchError::kThreadCount},
                                           Refusal{method::kBlockAlloc, 17u << 16 | 128, LaunchError::kBarriers},
                                           Refusal{method::kBlockdimXy, 64, LaunchError::kBlockdimNotLatched},
                                           Refusal{method::kBlockdimZ, 1, LaunchError::kBlockdimNotLatched},
                                           Refusal{method::kBlockdimXy, 2u << 16 | 512, LaunchError::kBlockSize},
                                           Refusal{method::kBlockdimLatch, 0, LaunchError::kBlockdimNotLatched},
                                           Refusal{method::kGridDim, 4, LaunchError::kGridSize},
                                           Refusal{method::kGridDim, 1u << 16, LaunchError::kGridSize},
                                           Refusal{method::kCpRegAllocTemp, 0, LaunchError::kRegisters},
                                           Refusal{method::kCpRegAllocTemp, 129, LaunchError::kRegisters},
                                           Refusal{method::kCpRegAllocTemp, 100, LaunchError::kDoesNotFit},
                                           Refusal{method::kSharedSize, 0x4040, LaunchError::kSharedSize},
                                           Refusal{method::kSharedSize, 0x50, LaunchError::kSharedSize},
                                           Refusal{method::kSharedSize, 0, LaunchError::kParams},
                                           Refusal{method::kUserParamCount, 65 << 8, LaunchError::kParams},
                                           Refusal{method::kUserParamCount, 13 << 8, LaunchError::kParams},
                                           Refusal{method::kLanes32Enable, 0, LaunchError::kLanes},
                                           Refusal{method::kRegMode, 1, LaunchError::kRegisterMode},
                                           Refusal{method::kCpAddressHigh, 1, LaunchError::kAddress},
                                           Refusal{method::kLocalSizeLog, 14, LaunchError::kLocalSize},
                                           Refusal{method::kStackSizeLog, 14, LaunchError::kStackSize},
                                           Refusal{method::kGlobal + 14 * 0x20 + 0x10, 0, LaunchError::kGlobalMode},
                                           Refusal{method::kGlobal + 14 * 0x20, 1, LaunchError::kGlobalMode},
                                           Refusal{method::kSetProgramCb, 9u << 12 | 2u << 8 | 1,
                                                   LaunchError::kConstBank}));

}  // namespace
}  // namespace g80
