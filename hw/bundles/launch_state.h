// SPDX-License-Identifier: Apache-2.0
// The launch state: the compute class's state as the command processor sends it when it accepts LAUNCH, row by row
// (hw/bundles/launch_beat.h). Each SM keeps what it uses, its launcher the parameters; what textures are bound to is in
// their unit.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {

struct ConstBankBinding {
  bool valid = false;
  std::uint32_t address = 0;  // virtual
  std::uint32_t bytes = 0;    // at most 64 KiB
  G80_FIELDS(valid, address, (bytes, 17));
};
struct GlobalSpace {
  bool enabled = false;
  std::uint32_t base = 0;   // virtual
  std::uint32_t limit = 0;  // last legal byte offset
  G80_FIELDS(enabled, base, limit);
};

/// Which entry of a header table (TIC) or sampler table (TSC) a unit of the kernel uses.
struct TableBinding {
  bool valid = false;
  std::uint32_t entry = 0;
  G80_FIELDS(valid, entry);
};
/// The two tables of 32-byte descriptors and what $t0..$t127 and $s0..$s15 are bound to, row by row as the launch bus
/// brings them. The rows of textures are a memory with one write and one read port. No reset clears rows: none is read
/// before all of them have come.
struct TextureBindings {
  std::uint32_t header_base = 0;   // virtual address of the header table
  std::uint32_t last_header = 0;   // number of its last entry
  std::uint32_t sampler_base = 0;  // virtual address of the sampler table
  std::uint32_t last_sampler = 0;
  bool written = false;  // all rows, since reset
  std::array<std::uint64_t, kMaxTextures / 2> texture_row{};
  std::array<std::uint64_t, kMaxSamplers / 4> sampler_row{};

  void store(unsigned row, std::uint64_t data);
  void reset() {
    header_base = last_header = sampler_base = last_sampler = 0;
    written = false;
  }
  TableBinding texture(unsigned number) const {
    const auto bits = static_cast<std::uint32_t>(texture_row[number / 2] >> 32 * (number % 2));
    return {bits >> 31 != 0, bits & 0x7fffffff};
  }
  TableBinding sampler(unsigned number) const {
    const auto bits = static_cast<std::uint32_t>(sampler_row[number / 4] >> 16 * (number % 4));
    return {(bits & 0x8000) != 0, bits & 0x7fff};
  }

  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("header_base", s.header_base);
    v("last_header", s.last_header);
    v("sampler_base", s.sampler_base);
    v("last_sampler", s.last_sampler);
    v("written", s.written);
    v.stored("texture", s.texture_row);
    v.stored("sampler", s.sampler_row);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (s.written || !v.fills()) return;
      v.fill(s.texture_row);
      v.fill(s.sampler_row);
    }
  }
};

struct LaunchState {
  std::uint8_t number = 0;      // of the launch, its low bits; it comes with the last row
  std::uint32_t code_base = 0;  // virtual address of the code segment
  std::uint32_t start_pc = 0;   // relative to code_base
  std::uint16_t grid_x = 1, grid_y = 1;
  std::uint16_t block_x = 1, block_y = 1, block_z = 1;
  std::uint16_t threads = 1;       // per block
  std::uint8_t registers = 1;      // per thread
  std::uint16_t shared_bytes = 0;  // per block, header and parameters included
  std::uint16_t grid_id = 0;
  std::uint8_t num_params = 0;
  std::uint32_t local_base = 0;   // virtual; see local_address()
  std::uint32_t local_bytes = 0;  // per thread, power of two or 0
  std::uint32_t stack_base = 0;   // virtual; of the control stacks' entries in memory: see stack_address()
  std::uint32_t stack_depth = 0;  // control-stack entries per warp
  std::uint8_t call_limit_log = 0;
  std::array<ConstBankBinding, kNumConstBanks> const_bank{};
  std::array<GlobalSpace, kNumGlobalSpaces> global{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("number", s.number);
    v("code_base", s.code_base);
    v("start_pc", s.start_pc, 24);
    v("grid_x", s.grid_x);
    v("grid_y", s.grid_y);
    v("block_x", s.block_x);
    v("block_y", s.block_y);
    v("block_z", s.block_z);
    v("threads", s.threads);
    v("registers", s.registers);
    v("shared_bytes", s.shared_bytes);
    v("grid_id", s.grid_id);
    v("num_params", s.num_params);
    v("local_base", s.local_base);
    v("local_bytes", s.local_bytes, 17);
    v("stack_base", s.stack_base);
    v("stack_depth", s.stack_depth, 13);
    v("call_limit_log", s.call_limit_log);
    v.stored("const_bank", s.const_bank);
    v.stored("global", s.global);
  }
};

/// Virtual address of byte `offset` of a thread's l[]: the words of a warp's lanes are interleaved, so that lanes which
/// access the same offset touch consecutive words. `warp` counts all warp slots of the chip (SM number * slots + slot).
inline std::uint32_t local_address(const LaunchState& launch, std::uint32_t warp, unsigned lane, std::uint32_t offset) {
  return launch.local_base + warp * launch.local_bytes * kWarpSize + (offset / 4) * (4 * kWarpSize) + lane * 4 +
         offset % 4;
}
/// Accesses that an access of `bytes` to l[] takes: the words of a thread are a warp apart, so one for each word.
constexpr unsigned local_accesses(unsigned bytes) { return std::max(bytes / 4, 1u); }

}  // namespace g80
