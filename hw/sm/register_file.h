// SPDX-License-Identifier: Apache-2.0
// The register file of an SM: $r in single-ported banks, $c and $a beside them. Storage only; who reads and writes when
// is decided by operand_collector and writeback.
#pragma once
#include <systemc>
#include <vector>

#include "hw/common/limits.h"
#include "hw/common/traceable.h"
#include "hw/common/types.h"
#include "hw/config/config.h"
#include "hw/config/initial_word.h"

namespace g80 {

inline constexpr unsigned kNumAddressRegisters = 5;  // $a0 (constant 0) to $a4

class RegisterFile final : public sc_core::sc_module, public Traceable {
 public:
  RegisterFile(const sc_core::sc_module_name& name, const Config& config);

  /// Gives warp slot `warp` its rows: `registers` rows from `base_row`.
  void start_warp(unsigned warp, unsigned base_row, unsigned registers);

  /// Which bank holds a register of a warp: neighbours lie in different banks, and warps are skewed against each other.
  unsigned bank(unsigned warp, unsigned reg) const { return (reg + warp) % num_banks_; }

  /// A register that is not allocated reads 0.
  const LaneWords& read(unsigned warp, unsigned reg) const {
    return reg < warps_[warp].registers ? rows_[warps_[warp].base + reg] : zero_;
  }
  /// A write to a register that is not allocated is dropped.
  void write(unsigned warp, unsigned reg, LaneMask lanes, const LaneWords& value);
  /// Writes one 16-bit half and keeps the other. `half` is the half number (register * 2 + high).
  void write_half(unsigned warp, unsigned half, LaneMask lanes, const LaneWords& value);

  const LaneFlags& flags(unsigned warp, unsigned index) const { return flags_[warp][index]; }
  void write_flags(unsigned warp, unsigned index, LaneMask lanes, const LaneFlags& value);
  /// $a0 reads 0, and so do the numbers that name no register: a write to them is dropped.
  const LaneWords& addr(unsigned warp, unsigned index) const {
    return index < kNumAddressRegisters ? addrs_[warp][index] : zero_;
  }
  void write_addr(unsigned warp, unsigned index, LaneMask lanes, const LaneWords& value);
  unsigned registers(unsigned warp) const { return warps_[warp].registers; }

  /// The block that writes: faults in the cells count its edges.
  void written_by(ClockedBase& writer) { writer_ = &writer; }
  const char* trace_name() const override { return name(); }
  void trace_fields(FieldVisitor& visitor) const override { cells(*this, visitor); }
  void edit_fields(FieldEditor& editor) override { cells(*this, editor); }
  ClockedBase* driver() override { return writer_; }

 private:
  struct Warp {
    unsigned base = 0, registers = 0;
  };
  template <class S, class V>
  static void cells(S& s, V& v) {
    v.stored("row", s.rows_);
    v.stored("flags", s.flags_, 4);
    v.stored("addr", s.addrs_, 16);
  }

  const unsigned num_banks_;
  const InitState init_;
  std::uint64_t random_ = 0x9e3779b97f4a7c15ull;  // state of the sm.init = random generator
  std::vector<LaneWords> rows_;
  std::array<Warp, kMaxWarps> warps_{};
  std::array<std::array<LaneFlags, 4>, kMaxWarps> flags_{};
  std::array<std::array<LaneWords, kNumAddressRegisters>, kMaxWarps> addrs_{};
  LaneWords zero_{};
  ClockedBase* writer_ = nullptr;
};

}  // namespace g80
