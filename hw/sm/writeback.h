// SPDX-License-Identifier: Apache-2.0
// Chooses the cycle in which results are written into the register banks, and releases finished instructions in the
// scoreboard.
//
// SP results first (their pipe does not stall), then SFU and fp64, then loads; a result whose register banks are taken
// in the slot waits. SP results take every second slot at most: when a bank was written in more than kLongRun slots in
// a row, the others leave it to SP results and loads for two slots, and then to SP results alone, until it has a slot
// without a write, for a read or for numbers of threads. operand_collector sends no more instructions than there is
// room for results that wait: it counts those that have their slots. A load comes one register after the other, in two
// halves. Stores and control instructions finish here too, without writing $r.
//
// An execution unit announces a result before its lanes leave the pipe. This block then gives it the slot, a scheduler
// cycle in which nothing reads its banks, and releases the instruction. The write is on the ports a scheduler cycle
// later. The lanes come on the unit's result wire, two groups a scheduler cycle, and the last ones in the slot itself:
// the register file takes these from the wire. pipeline_depth.h shows the cycles.
//
// Words rest: in the row of their unit, or in a memory of results that wait and one of loads' registers, which are read
// in the cycle before the write. A write on its way says where its words are, and the port shows them from there.
//
// From:  sp_array, sfu, sfu_multipliers, dp, load_table, address_unit (finished stores), operand_collector (control
// events)
// To:    register_file, scoreboard (release), load_table (registers written), operand_collector (results written)
#pragma once
#include "hw/bundles/load_bundles.h"
#include "hw/bundles/register_bundles.h"
#include "hw/bundles/retirement_port.h"
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/config/pipeline_depth.h"

namespace g80 {

/// Lanes of a result, as they leave an execution unit.
struct ResultRow {
  bool whole = false;  // the last lanes have arrived
  LaneWords low{}, high{};
  LaneFlags flags{};
  G80_FIELDS(whole, low, high, flags);
};

/// A result that has no slot yet.
struct WaitingResult {
  ResultAhead ahead;
  ExecUnit unit = ExecUnit::kSfu;
  bool whole = false;  // all its lanes have left the unit: they are in the memory
  G80_FIELDS(ahead, (unit, 2), whole);
};

/// Where the values of a write are: in the row of the unit with this number, which may still lack the last lanes, or
/// beside the rows.
enum class ValueSource : std::uint8_t { kSp, kSfu, kMultiply, kDp, kWaited, kLoad, kNone };
inline const EnumText& enum_text(ValueSource) {
  static const char* const names[] = {"SP", "SFU", "MULTIPLY", "DP", "WAITED", "LOAD", "-"};
  static const EnumText text{"ValueSource", names, 7};
  return text;
}

/// A write that has its slot: it is on a port in the next cycle, and then stays there until the next one.
struct SlotWrite {
  std::uint8_t bank = 0;  // of an $r
  std::uint8_t warp = 0;
  std::uint8_t index = 0;          // of the $r, $c or $a
  bool low = false, high = false;  // halves of an $r
  LaneMask lanes = 0;
  ValueSource from = ValueSource::kSp;
  LateLanes::Word word = LateLanes::Word::kLow;
  G80_FIELDS((bank, 5), (warp, 5), (index, 7), low, high, lanes, from, word);
};

/// For counters and the retirement port: more of the instructions in `release`, in the same order.
struct Retired {
  struct Entry {
    LaneMask lanes = 0;                     // in which it executed
    LaneMask loaded = 0;                    // whose destination register is written
    ValueSource from = ValueSource::kNone;  // its results
    G80_FIELDS(lanes, loaded, from);
  };
  std::array<Entry, kMaxReleases> entry{};
  std::uint8_t load_word = 0;  // of the load's register that got its slot
  G80_FIELDS(entry, (load_word, 2));
};

/// A register of a load that has no slot yet. Its words are in the memory.
struct LoadRow {
  std::uint8_t warp = 0;
  IssuedInstruction fetched;
  Tag tag;
  std::uint8_t word = 0;  // which of the load's registers
  bool last = false;      // the load is finished with it
  LaneMask lanes = 0;
  G80_FIELDS((warp, 5), (insn, fetched, 0), (uid, tag.bits, 0), (word, 2), last, lanes);
};

inline constexpr unsigned kLongRun = 59;  // slots
/// Only one run is counted at a time, and a bank may have joined it late, in its second slot at the earliest: it waits
/// for the end of the next one, too. rtl/formal/bank_runs_props.sv proves it.
inline constexpr unsigned kMostWritesInARow = 2 * (kLongRun + 5) - 1;

struct WritebackRegs {
  Release release;
  std::uint8_t load_rows = 0;                          // registers of loads written so far, modulo 256
  std::uint8_t sfu_dp_results = 0;                     // the same of results of SFUs, multipliers and fp64 unit
  std::uint32_t busy_banks = 0;                        // register banks whose next slot is taken
  std::uint8_t next_ports = 0, written_ports = 0;      // ports in use in the next cycle, and in this one
  std::uint8_t next_flag_writes = 0, flag_writes = 0;  // the same of $c
  bool next_addr_write = false, addr_write = false;
  std::uint8_t waiting_written = 0;  // registers of the oldest waiting result that have their slot
  // In the memories: the result that waits, and the load's register, that may have got slots in the last cycle
  std::uint8_t waited_place = 0, loaded_place = 0;
  std::uint32_t run_banks = 0;  // written in each of the last slots
  std::uint8_t run = 0;         // so many slots, and one
  G80_FIELDS(release, load_rows, sfu_dp_results, busy_banks, (next_ports, kWritePorts), (written_ports, kWritePorts),
             (next_flag_writes, 2), next_addr_write, (flag_writes, 2), addr_write, (waiting_written, 2),
             (waited_place, 4), (loaded_place, 1), run_banks, (run, 6));
};

class Writeback : public Clocked<WritebackRegs> {
 public:
  Writeback(const sc_core::sc_module_name& name, const Config& config);

  Ports<In<ResultAhead>> ahead_i;  // of each ExecUnit
  Ports<In<ExecResult>> result_i;  // of each ExecUnit
  In<LoadResult> load_i{"load_i"};
  In<StoreDone> store_i{"store_i"};
  In<ControlEvent> control_i{"control_i"};
  Out<Release> release_o{"release_o"};
  Out<std::uint8_t> load_rows_o{"load_rows_o"};
  Out<std::uint8_t> sfu_dp_results_o{"sfu_dp_results_o"};
  Out<std::uint32_t> busy_banks_o{"busy_banks_o"};
  Out<std::uint8_t> written_ports_o{"written_ports_o"};  // bit = WritePort
  Ports<Out<RegisterWrite>> write_o;
  Ports<Out<FlagWrite>> flag_write_o;
  Out<AddrWrite> addr_write_o{"addr_write_o"};

  struct Counters {
    std::uint64_t instructions = 0;               // warp instructions finished
    std::uint64_t thread_instructions = 0;        // lanes they executed in
    std::uint64_t bank_conflicts = 0;             // results that waited for a register bank
    std::array<std::uint64_t, 5> active_lanes{};  // instructions that executed in 32, 24-31, 16-23, 8-15, 0-7 lanes
    G80_FIELDS(instructions, thread_instructions, bank_conflicts, active_lanes);
  };
  const Counters& counters() const { return counters_; }
  /// Edge at which an instruction last retired.
  Cycle last_retirement() const { return last_retirement_; }
  void report_to(RetirementPort* port) {
    reports_ = port;
    retiring_ = {};
  }

 protected:
  void next() override;
  void drive() override;
  void reset() override {
    waiting_.clear();
    loads_.clear();
    counters_ = {};
    retiring_ = {};
  }
  void collect(ExecUnit unit);
  void show_writes();
  void count_run();
  std::uint32_t spared_banks(ValueSource from) const;
  const ResultRow& row_from(ValueSource from) const;
  const LaneWords& word_of(const SlotWrite& write) const;
  bool is_late(const SlotWrite& write) const;
  bool write(const ResultAhead& result, ValueSource from, std::uint8_t& written);
  void take_load(const LoadResult& load);
  bool write_load(const LoadRow& row);
  void retire(unsigned warp, const FetchedInstruction& fetched, Tag tag, const Retired::Entry& more);
  struct Halves {
    bool low, high;
  };
  static constexpr Halves kBothHalves{true, true};
  /// Gives slots to the registers from `first` + `written` on, as many as lie in different banks. True if these were
  /// the last; false, and no slot given, if a bank is busy.
  bool write_registers(unsigned warp, unsigned first, unsigned count, Halves halves, LaneMask lanes, ValueSource from,
                       std::uint8_t& written);
  /// For the testbench, at the end of each edge: what `release`, the rows and what stands beside them say.
  void observe();

  template <class S, class V>
  static void members(S& s, V& v) {
    v.stored("write", s.writes_);
    v.stored("flag_write", s.flag_writes_);
    v.stored("addr_write", s.addr_write_);
    v.stored("next_write", s.next_writes_);
    v.stored("next_flag_write", s.next_flag_writes_);
    v.stored("next_addr_write", s.next_addr_write_);
    v.stored("row", s.rows_);
    v.stored("kept", s.kept_);
    v.stored("waited", s.waited_);
    v.stored("load_words", s.load_words_);
    v.stored("loaded", s.loaded_);
    v.stored("load_half_lanes", s.load_half_lanes_);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override {
    members(*this, editor);
    editor.state(num_released_, retired_);
  }

  const std::array<unsigned, kExecUnits> unit_lanes_;  // that arrive together
  const unsigned num_banks_;
  // What the ports show, and what they show in the next cycle
  struct ShownWrite {
    SlotWrite slot;
    bool late = false;  // the last lanes leave their unit in this cycle
    G80_FIELDS(slot, late);
  };
  static LateLanes late_lanes(const ShownWrite& write);
  std::array<ShownWrite, kWritePorts> writes_{};
  std::array<ShownWrite, kFlagWrites> flag_writes_{};
  ShownWrite addr_write_{};
  std::array<SlotWrite, kWritePorts> next_writes_{};
  std::array<SlotWrite, kFlagWrites> next_flag_writes_{};
  SlotWrite next_addr_write_{};
  std::array<ResultRow, kExecUnits> rows_{};                           // what has left each unit
  Fifo<WaitingResult, kMaxWaitingResults> waiting_{*this, "waiting"};  // SFU and fp64 results
  std::array<ResultRow, kMaxWaitingResults> kept_{};                   // memory: rows of whole ones
  ResultRow waited_{};                                                 // what was read from it
  Fifo<LoadRow, kLoadRows> loads_{*this, "loads"};
  std::array<LaneWords, kLoadRows> load_words_{};  // memory
  LaneWords loaded_{};                             // what was read from it
  HalfMask load_half_lanes_ = 0;                   // of the register that is coming
  Unwritten unwritten_{*this, [this](FieldEditor& filler) {
                         filler.fill(kept_);
                         filler.fill(load_words_);
                       }};
  unsigned num_released_ = 0;
  Retired retired_{};
  /// For the retirement port: the registers of the load that is being written.
  std::array<LaneWords, 4> load_values_{};
  /// For the retirement port: what finished in each of the last two scheduler cycles. Its last lanes are there when its
  /// registers are written, kResultAheadCycles later.
  struct Retiring {
    unsigned count = 0;
    std::array<ValueSource, kMaxReleases> from{};
    std::array<SmReport::Retire, kMaxReleases> entry{};
  };
  static_assert(kResultAheadCycles == 2 * kSchedulerPeriod);
  std::array<Retiring, 2> retiring_{};
  Counters counters_;
  Cycle last_retirement_ = 0;
  RetirementPort* reports_ = nullptr;
};

}  // namespace g80
