// SPDX-License-Identifier: Apache-2.0
// Writes results into the register file and releases finished instructions in the scoreboard.
//
// SP results first (their pipe does not stall), then SFU and fp64, then loads; a result whose register banks are taken
// this scheduler cycle waits. Stores and control instructions finish here too, without writing $r.
//
// From:  sp_array, sfu, sfu_multipliers, dp, load_table, address_unit (finished stores), operand_collector (control
// events)
// To:    register_file, scoreboard (release), load_table (taken), operand_collector (busy banks)
#pragma once
#include "hw/bundles/load_bundles.h"
#include "hw/bundles/register_bundles.h"
#include "hw/bundles/retirement_port.h"
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

inline constexpr unsigned kMaxWaitingResults = 8;  // of SFUs and fp64 unit

/// The result of an execution unit, as far as its lanes have arrived.
struct ResultRow {
  FetchedInstruction fetched;
  Tag tag;
  std::uint8_t warp = 0;
  LaneMask lanes = 0, loaded = 0;
  LaneWords low{}, high{};
  LaneFlags flags{};
  LaneWords new_addr{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("insn", s.fetched);
    v("uid", s.tag.bits);
    v("warp", s.warp, 5);
    v("lanes", s.lanes);
    v("loaded", s.loaded);
    v("low", s.low);
    v("high", s.high);
    v("flags", s.flags);
    v("new_addr", s.new_addr);
  }
};

struct WritebackRegs {
  Release release;
  LoadFreed taken;
  std::uint32_t busy_banks = 0;                   // register banks written this scheduler cycle
  std::uint8_t flag_writes = 0, addr_writes = 0;  // ports in use
  // Registers already written of the oldest waiting result and of the load
  std::uint8_t waiting_written = 0, load_written = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("release", s.release);
    v("taken", s.taken);
    v("busy_banks", s.busy_banks);
    v("flag_writes", s.flag_writes, 2);
    v("addr_writes", s.addr_writes, 3);
    v("waiting_written", s.waiting_written, 2);
    v("load_written", s.load_written, 2);
  }
};

class Writeback : public Clocked<WritebackRegs> {
 public:
  Writeback(const sc_core::sc_module_name& name, const Config& config);

  sc_core::sc_in<ExecResult> sp_i{"sp_i"};
  sc_core::sc_in<ExecResult> sfu_i{"sfu_i"};
  sc_core::sc_in<ExecResult> multiply_i{"multiply_i"};
  sc_core::sc_in<ExecResult> dp_i{"dp_i"};
  sc_core::sc_in<LoadResult> load_i{"load_i"};
  sc_core::sc_in<StoreDone> store_i{"store_i"};
  sc_core::sc_in<ControlEvent> control_i{"control_i"};
  sc_core::sc_out<Release> release_o{"release_o"};
  sc_core::sc_out<LoadFreed> taken_o{"taken_o"};
  sc_core::sc_out<std::uint32_t> busy_banks_o{"busy_banks_o"};
  sc_core::sc_vector<sc_core::sc_out<RegisterWrite>> write_o;  // of each bank
  sc_core::sc_vector<sc_core::sc_out<FlagWrite>> flag_write_o;
  sc_core::sc_vector<sc_core::sc_out<AddrWrite>> addr_write_o;

  struct Counters {
    std::uint64_t instructions = 0;               // warp instructions finished
    std::uint64_t thread_instructions = 0;        // lanes they executed in
    std::uint64_t bank_conflicts = 0;             // results that waited for a register bank
    std::array<std::uint64_t, 5> active_lanes{};  // instructions that executed in 32, 24-31, 16-23, 8-15, 0-7 lanes
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("instructions", s.instructions);
      v("thread_instructions", s.thread_instructions);
      v("bank_conflicts", s.bank_conflicts);
      v("active_lanes", s.active_lanes);
    }
  };
  const Counters& counters() const { return counters_; }
  /// Edge at which an instruction last retired.
  Cycle last_retirement() const { return last_retirement_; }
  void report_to(RetirementPort* port) { reports_ = port; }

 protected:
  void next() override;
  void drive() override;
  void reset() override { waiting_.clear(); }
  bool collect(const ExecResult& part, unsigned count, ResultRow& row);
  bool write(const ResultRow& row, std::uint8_t& written);
  void write_load(const LoadResult& load);
  /// `values`: `count` words of its registers in the lanes `loaded`.
  void retire(unsigned warp, const FetchedInstruction& fetched, Tag tag, LaneMask lanes, const LaneWords* values,
              unsigned count, LaneMask loaded, const LaneFlags* flags, const LaneWords* addr);
  struct Halves {
    bool low = false, high = false;
  };
  static constexpr Halves kBothHalves{true, true};
  /// Writes registers from `first` + `written` on, as many as lie in different banks. True if these were the last;
  /// false, and nothing written, if a bank is busy.
  bool write_registers(unsigned warp, unsigned first, unsigned count, Halves halves, LaneMask lanes,
                       const LaneWords* values, std::uint8_t& written);
  void write_addr(unsigned warp, unsigned index, LaneMask lanes, const LaneWords& value);

  template <class S, class V>
  static void members(S& s, V& v) {
    v.stored("write", s.writes_);
    v.stored("flag_write", s.flag_writes_);
    v.stored("addr_write", s.addr_writes_);
    v.stored("sp_row", s.sp_row_);
    v.stored("sfu_row", s.sfu_row_);
    v.stored("multiply_row", s.multiply_row_);
    v.stored("dp_row", s.dp_row_);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override { members(*this, editor); }

  const unsigned sfu_lanes_, multiply_lanes_, dp_lanes_;  // that arrive together
  const unsigned num_banks_;
  // What the ports show. One that is not in use keeps its last contents.
  std::array<RegisterWrite, kMaxRegisterBanks> writes_{};
  std::array<FlagWrite, kFlagWrites> flag_writes_{};
  std::array<AddrWrite, kAddrWrites> addr_writes_{};
  ResultRow sp_row_, sfu_row_, multiply_row_, dp_row_;
  Fifo<ResultRow, kMaxWaitingResults> waiting_{*this, "waiting"};  // SFU and fp64 results
  unsigned num_released_ = 0;
  Counters counters_;
  Cycle last_retirement_ = 0;
  RetirementPort* reports_ = nullptr;
};

}  // namespace g80
