// SPDX-License-Identifier: Apache-2.0
// The register file of an SM: $r in single-ported banks, $c and $a beside them.
//
// Storage with counted write ports: one for each bank of $r, kFlagWrites of $c, kAddrWrites of $a, and one for new
// warps. An access takes a slot of one scheduler cycle, and the collector reads no bank that is written. A write is on
// its port in its slot; lanes that leave their execution unit in the slot come from the unit's result wire. The cells
// change at the end of the slot. Who reads and writes when is decided by operand_collector and writeback.
//
// From:  writeback, cta_launcher, execution units      To:  operand_collector
#pragma once
#include <array>
#include <vector>

#include "hw/bundles/register_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/limits.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/config/initial_word.h"

namespace g80 {

inline constexpr unsigned kNumAddressRegisters = 5;  // $a0 (constant 0) to $a4

class RegisterFile : public Clocked<NoRegs> {
 public:
  RegisterFile(const sc_core::sc_module_name& name, const Config& config);

  sc_core::sc_in<RegisterStart> start_i{"start_i"};
  sc_core::sc_in<std::uint32_t> written_banks_i{"written_banks_i"};  // banks whose ports write
  sc_core::sc_vector<sc_core::sc_in<RegisterWrite>> write_i;         // of each bank
  sc_core::sc_vector<sc_core::sc_in<FlagWrite>> flag_write_i;
  sc_core::sc_vector<sc_core::sc_in<AddrWrite>> addr_write_i;
  sc_core::sc_vector<sc_core::sc_in<ExecResult>> result_i;  // of each ExecUnit

  unsigned bank(unsigned warp, unsigned reg) const { return register_bank(warp, reg, num_banks_); }

  /// A register that is not allocated reads 0.
  const LaneWords& read(unsigned warp, unsigned reg) const {
    const unsigned row = warps_[warp].base + reg;
    return reg < warps_[warp].registers && row < rows_.size() ? rows_[row] : zero_;
  }
  const LaneFlags& flags(unsigned warp, unsigned index) const { return flags_[warp][index]; }
  /// $a0 reads 0, and so do the numbers that name no register: a write to them is dropped.
  const LaneWords& addr(unsigned warp, unsigned index) const {
    return index < kNumAddressRegisters ? addrs_[warp][index] : zero_;
  }
  unsigned registers(unsigned warp) const { return warps_[warp].registers; }

 protected:
  struct Warp {
    std::uint16_t base = 0;
    std::uint8_t registers = 0;
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("base", s.base, 10);
      v("registers", s.registers);
    }
  };
  void next() override;
  void drive() override {}
  void start(const RegisterStart& start);
  void write(const RegisterWrite& write);
  const ExecResult& late_lanes(const LateLanes& late) const;
  void add_late_lanes(const LateLanes& late, LaneWords& value) const;
  void visit_members(FieldVisitor& visitor) const override { cells(*this, visitor); }
  void visit_members(FieldEditor& editor) override { cells(*this, editor); }
  template <class S, class V>
  static void cells(S& s, V& v) {
    v.stored("warp", s.warps_);
    v.stored("row", s.rows_);
    v.stored("flags", s.flags_, 4);
    v.stored("addr", s.addrs_, 16);
  }

  const unsigned num_banks_;
  const InitialWords initial_;
  std::vector<LaneWords> rows_;
  std::array<Warp, kMaxWarps> warps_{};
  std::array<std::array<LaneFlags, 4>, kMaxWarps> flags_{};
  std::array<std::array<LaneWords, kNumAddressRegisters>, kMaxWarps> addrs_{};
  LaneWords zero_{};
};

}  // namespace g80
