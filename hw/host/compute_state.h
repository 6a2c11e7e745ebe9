// SPDX-License-Identifier: Apache-2.0
// The state that the compute class's methods set, and the rows of the launch state derived from it. No clock: pure
// functions on one struct.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hw/bundles/launch_beat.h"
#include "hw/bundles/launch_state.h"
#include "hw/common/field_list.h"
#include "hw/config/config.h"
#include "hw/host/compute_class.h"

namespace g80 {

/// A 40-bit address as its two method words. This machine's virtual space has 32 bits: the high byte must be zero.
struct SplitAddress {
  std::uint32_t high = 0, low = 0;
  G80_FIELDS(high, low);
};
struct ConstBuffer {
  SplitAddress address;
  std::uint32_t bytes = 0;
  G80_FIELDS(address, (bytes, 17));
};
struct ConstBankSelect {
  bool valid = false;
  std::uint8_t buffer = 0;
  G80_FIELDS(valid, (buffer, 7));
};
struct GlobalMethods {
  SplitAddress address;
  std::uint32_t pitch = 0, limit = 0, mode = 0;
  G80_FIELDS(address, pitch, limit, mode);
};

/// What methods define and bind by number: memories with one read and one write port, of which a method writes a row or
/// a word of one. No reset clears them.
struct ComputeMemories {
  std::array<ConstBuffer, kNumConstBuffers> const_buffer{};
  std::array<std::uint32_t, kMaxUserParams> param{};        // two in a row
  std::array<std::uint32_t, kMaxTextures> texture_entry{};  // two in a row
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v.stored("const_buffer", s.const_buffer);
    v.stored("param", s.param);
    v.stored("texture_entry", s.texture_entry, 22);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      v.fill(s.const_buffer);
      v.fill(s.param);
      v.fill(s.texture_entry, 22);
    }
  }
};

/// Every register behind the methods, as last written. Initial values are those of an idle channel: all zero.
struct ComputeState {
  SplitAddress code, stack, tsc, tic, local, cb_def, query;
  std::uint32_t stack_size_log = 0, call_limit_log = 0, tsc_limit = 0, tic_limit = 0, local_size_log = 0;
  std::uint32_t cb_word = 0, cb_buffer = 0;
  std::array<bool, kNumConstBuffers> buffer_defined{};
  std::array<ConstBankSelect, kNumConstBanks> const_bank{};
  std::uint32_t watchdog = 0;
  std::uint32_t threads = 0, barriers = 0;
  bool lanes32 = false;
  std::uint32_t registers = 0, reg_mode = 0;
  bool blockdim_latched = false;
  std::uint32_t num_params = 0;
  std::uint32_t grid_id = 0, grid_x = 0, grid_y = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t block_x = 0, block_y = 0, block_z = 0;
  std::uint32_t start_pc = 0;
  std::uint32_t samplers_log = 0, textures_log = 0;
  std::array<bool, kMaxTextures> texture_bound{};
  std::array<TableBinding, kMaxSamplers> sampler{};
  std::array<GlobalMethods, kNumGlobalSpaces> global{};
  std::uint32_t query_sequence = 0;
  ComputeMemories memories;

  void reset() {
    const ComputeMemories rows = memories;
    *this = ComputeState{};
    memories = rows;
  }

  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("code", s.code);
    v("stack", s.stack);
    v("tsc", s.tsc);
    v("tic", s.tic);
    v("local", s.local);
    v("cb_def", s.cb_def);
    v("query", s.query);
    v("stack_size_log", s.stack_size_log);
    v("call_limit_log", s.call_limit_log);
    v("tsc_limit", s.tsc_limit);
    v("tic_limit", s.tic_limit);
    v("local_size_log", s.local_size_log);
    v("cb_word", s.cb_word, 14);
    v("cb_buffer", s.cb_buffer, 7);
    v.stored("buffer_defined", s.buffer_defined);
    v.stored("const_bank", s.const_bank);
    v("watchdog", s.watchdog);
    v("threads", s.threads, 16);
    v("barriers", s.barriers, 8);
    v("lanes32", s.lanes32);
    v("registers", s.registers);
    v("reg_mode", s.reg_mode);
    v("blockdim_latched", s.blockdim_latched);
    v("num_params", s.num_params, 8);
    v("grid_id", s.grid_id, 16);
    v("grid_x", s.grid_x, 16);
    v("grid_y", s.grid_y, 16);
    v("shared_bytes", s.shared_bytes);
    v("block_x", s.block_x, 16);
    v("block_y", s.block_y, 16);
    v("block_z", s.block_z);
    v("start_pc", s.start_pc);
    v("samplers_log", s.samplers_log, 4);
    v("textures_log", s.textures_log, 4);
    v.stored("texture_bound", s.texture_bound);
    v.stored("sampler", s.sampler);
    v.stored("global", s.global);
    v("query_sequence", s.query_sequence);
    visit_fields(s.memories, v);
  }
};

/// The effect of a method besides setting a register.
enum class MethodEffect : std::uint8_t {
  kNone,
  kUnknown,
  kWriteMemory,  // a row of one of `memories`, which have one port for that
  kLaunch,
  kQuery,
  kWriteConstant,
  kFlushCodeAndConstants,
  kFlushTextures
};

/// Writes one method. This is where a method number gets its meaning.
MethodEffect apply_method(ComputeState& state, std::uint32_t method, std::uint32_t value);

/// The address registers of the memories: of a row of a launch, or of the constant buffer that CB_DATA writes to.
struct MemoryAddress {
  bool valid = false;
  std::uint8_t row = 0;     // of parameters or textures, as a row of the launch state
  std::uint8_t buffer = 0;  // constant buffer
  G80_FIELDS(valid, row, (buffer, 7));
};
/// What the memories hold there, and the bits beside them.
struct MemoryRow {
  bool valid = false;
  std::uint8_t row = 0;
  bool defined = false;
  ConstBuffer buffer;
  std::array<std::uint32_t, 2> word{};  // parameters, or entries of the header table
  std::array<bool, 2> bound{};          // the textures that have them
  G80_FIELDS(valid, row, defined, buffer, word, bound);
};
/// The address of a row of the launch state: where it is that of a bank of c[], the bank says which buffer it has.
MemoryAddress address_of(const ComputeState& state, unsigned row);
MemoryRow read_memories(const ComputeState& state, const MemoryAddress& address);

/// Where CB_DATA writes next, and the step to the word behind it. Nothing if the buffer is undefined or too short.
/// `read`: of buffer cb_buffer.
std::optional<std::uint32_t> next_constant_address(ComputeState& state, const MemoryRow& read);

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

/// Where the walk over the rows of a launch stands.
struct LaunchWalk {
  std::uint8_t row = 0;             // whose address goes to the memories next; kEnd behind the last one
  std::uint32_t block_threads = 0;  // product of the block's dimensions, made in the rows that hold them
  G80_FIELDS(row, (block_threads, 25));
};
/// This is where it is decided whether a LAUNCH is legal: by what its next row holds. `fits`: an SM has room for a
/// block (hw/host/block_fit.h). `block_threads` as in LaunchWalk.
LaunchError check_launch_row(const ComputeState& state, const MemoryRow& read, const Config& config, bool fits,
                             std::uint32_t& block_threads);
/// The row as it travels to the TPCs (hw/bundles/launch_beat.h). `number`: of the launch.
std::uint64_t launch_row_of(const ComputeState& state, const MemoryRow& read, std::uint32_t number);
/// The row behind it; launch_row::kEnd behind the last one. Those of textures are sent where a method has changed them.
unsigned next_launch_row(const ComputeState& state, unsigned row, bool with_textures);
/// A method that changes what the rows of textures hold, or what is checked there.
bool is_texture_method(std::uint32_t method);

/// Shader clocks after which WATCHDOG_TIMER = x kills a program; 0 = never.
std::uint64_t watchdog_clocks(std::uint32_t timer);

}  // namespace g80
