// SPDX-License-Identifier: Apache-2.0
// Collects the operands of issued instructions, and sends each complete instruction to its unit.
//
// The register file sees each issued instruction too, and brings its registers a scheduler cycle later or more. s[] and
// c[] operands are fetched through the address unit. Memory instructions and operand fetches go to the address unit in
// the order of issue, so accesses of a warp to one address keep their order.
// A unit has three words, which is enough for nearly all. The wide words are the second words of 64-bit sources, the
// third and fourth word to store, operand c of an atomic, the third coordinate. One instruction at a time has them,
// from its issue until its unit is free.
//
// From:  instruction_buffer (issue), reconvergence_stack (masks), register_file, shared_memory, constant_cache,
//        address_unit (freed units), writeback (results written)
// To:    register_file (unit of the next instruction), sp_array, sfu, sfu_multipliers, dp, address_unit,
//        reconvergence_stack and barrier (control events), warp_scheduler (credits)
#pragma once
#include "hw/bundles/exec_bundles.h"
#include "hw/bundles/fetch_bundles.h"
#include "hw/bundles/register_bundles.h"
#include "hw/bundles/retirement_port.h"
#include "hw/bundles/smem_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/delay_memory.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// The operands of one instruction, as far as they have been read. An immediate, a special register or a c[] word that
/// all lanes read is one word, which the ports expand: no instruction has two of them.
struct OperandSet {
  std::array<LaneWords, 3> source{};
  std::uint8_t uniform = 0;  // sources that are the scalar (bit = source)
  bool numbered = false;     // ... with the number of the lane in it
  std::uint32_t scalar = 0;
  LaneFlags flags{};       // $c<flag_src>: input of addc and mov $r,$c
  LaneWords addr{};        // value of the instruction's $a
  LaneMask active = 0;     // active lanes of the warp
  LaneMask lanes = 0;      // active lanes in which the guard holds
  LaneMask condition = 0;  // all lanes in which the condition holds, active or not: input of vote
  LaneMask granted = 0;    // lanes whose word of s[] was locked for them: input of ld lock
  std::uint32_t scalar_of(unsigned lane) const { return scalar | (numbered ? lane : 0); }
  bool is_uniform(unsigned slot) const { return (uniform >> slot & 1) != 0; }
  LaneWords operand(unsigned slot) const;  // source `slot` in all lanes
  G80_FIELDS(source, (uniform, 3), numbered, scalar, flags, addr, active, lanes, condition, granted);
};

/// Words 3 to 5 of operands, as the register file numbers them. The scheduler lets one instruction at a time have them.
using WideWords = std::array<LaneWords, kOperandWords - kHighWords>;

/// What a port to an execution unit is sending: two groups of lanes each scheduler cycle, and beside the first of them
/// the dispatch. The collector unit keeps the instruction and the operands for the first two parts, as it takes the
/// next instruction only then. The SPs and the address unit need no more; the others have a latch, which takes the
/// operands while the first part leaves. A port that sends nothing shows zeros.
struct PortState {
  bool sending = false;
  std::uint8_t part = 0;
  std::uint8_t unit = 0;
  bool begins() const { return sending && part == 0; }
  G80_FIELDS(sending, (part, 4), (unit, 4));
};

/// An access of the instruction in a unit, or the fetch of its s[] or c[] operand, on its way to the address unit.
struct AccessJob {
  std::uint8_t unit = 0;
  bool constant = false;
  G80_FIELDS((unit, 4), constant);
};

/// Bundles that leave are not copied into registers: these say in which unit their fields lie.
struct OperandCollectorRegs {
  bool address = false;           // a dispatch to the address unit is shown:
  AccessJob access;               // which
  bool access_operands = false;   // its lanes have operands of their own
  bool control = false;           // a control event is shown
  std::uint8_t control_unit = 0;  // whose
  PortState address_port;         // its part is the half-warp that travels
  PortState sp_port, sfu_port, multiply_port, dp_port;
  PortState shared_port;  // of the s[] operand that the SPs are taking
  KernelFault fault;
  Credits credit;
  std::uint32_t occupied = 0;  // bit = unit
  bool issued = false;         // the instruction of unit `newest` was issued last cycle
  std::uint8_t newest = 0;
  std::uint8_t sfu_dp_sent = 0;  // instructions sent to SFUs, multipliers and fp64 unit so far, modulo 256
  G80_FIELDS((occupied, 16), issued, (newest, 4), sfu_dp_sent, address, access, access_operands, control,
             (control_unit, 4), address_port, sp_port, sfu_port, multiply_port, dp_port, shared_port, fault, credit);
};

class OperandCollector : public Clocked<OperandCollectorRegs> {
 public:
  OperandCollector(const sc_core::sc_module_name& name, const Config& config, unsigned tpc, unsigned sm_in_tpc);

  In<Issue> issue_i{"issue_i"};
  In<ActiveMasks> masks_i{"masks_i"};
  In<std::uint32_t> reading_i{"reading_i"};  // units with register reads to do
  In<std::uint32_t> read_banks_i{"read_banks_i"};
  Ports<In<RegisterRead>> read_i;  // of each bank
  In<SideRead> side_i{"side_i"};
  In<SmemReply> smem_i{"smem_i"};
  In<ConstReply> const_i{"const_i"};
  In<WarpMask> freed_i{"freed_i"};                        // by address_unit
  In<WarpMask> answered_i{"answered_i"};                  // c[] operands that lie outside their bank
  In<std::uint8_t> sfu_dp_results_i{"sfu_dp_results_i"};  // of those sent, with their slots
  Out<std::uint8_t> unit_o{"unit_o"};                     // that takes the next instruction
  Out<Dispatch> sp_o{"sp_o"};
  Out<Dispatch> sfu_o{"sfu_o"};
  Out<Dispatch> multiply_o{"multiply_o"};
  Out<Dispatch> dp_o{"dp_o"};
  Out<SpLanes> sp_operands_o{"sp_operands_o"};
  Out<SfuLanes> sfu_operands_o{"sfu_operands_o"};
  Out<SpLanes> multiply_operands_o{"multiply_operands_o"};
  Out<DpLanes> dp_operands_o{"dp_operands_o"};
  Out<AddressDispatch> address_o{"address_o"};
  Out<AddressLanes> address_operands_o{"address_operands_o"};
  Out<ControlEvent> control_o{"control_o"};
  Out<Credits> credit_o{"credit_o"};
  Out<KernelFault> fault_o{"fault_o"};

  void report_to(RetirementPort* port) { reports_ = port; }

 protected:
  struct Unit {
    std::uint8_t warp = 0;
    FetchedInstruction fetched;
    Tag tag;
    OperandSet operands;
    // Decoded when it comes
    isa::Unit to = isa::Unit::kSp;
    bool to_multipliers = false;
    bool control = false;
    bool takes_shared_port = false;
    bool addressed = false;        // lanes have operands for the address unit
    bool const_addressed = false;  // ... for its c[] operand
    bool votes = false, vote_all = false;
    std::uint8_t data_words = 0;  // that an operand is (bit = word)
    // Its progress
    std::uint8_t waiting_halves = 0;  // half-warps of the s[] operand to come
    std::uint8_t waiting_const = 0;   // answers for the c[] operand to come: one, or one of each half-warp
    bool control_sent = false;
    bool sent = false;  // left for its unit
    G80_FIELDS((warp, 5), (insn, fetched, 0), (uid, tag.bits, 0), operands, to, to_multipliers, control,
               takes_shared_port, addressed, const_addressed, votes, vote_all, (data_words, 4), (waiting_halves, 2),
               (waiting_const, 2), control_sent, sent);
  };

  void next() override;
  void drive() override;
  void reset() override;
  void accept(const Issue& issue);
  void gather(Unit& unit, const DecodedInstruction& decoded, unsigned slot);
  void take_side();
  void take_registers();
  void take_replies();
  void take(const ConstReply& reply);
  void send();
  void free_unit(unsigned index);
  void report_issue(const Unit& unit);
  void report_operands(unsigned index);
  void note_register(const RegisterRead& read);
  template <class Collector>
  static auto& word_of(Collector& s, unsigned unit, unsigned number) {
    CHECK(number < kOperandWords, "{}: an operand word has number {}", s.name(), number);
    return number < kHighWords ? s.units_[unit].operands.source[number] : s.wide_[number - kHighWords];
  }
  /// Of what it stores, of atomic operands b (0, 1) and c (2, 3), of texture coordinates.
  const LaneWords& data(unsigned unit, unsigned number) const { return word_of(*this, unit, kDataWords + number); }
  template <class S, class V>
  static void members(S& s, V& v) {
    v.stored("unit", s.units_);
    v.stored("sfu_latch", s.sfu_latch_);
    v.stored("multiply_latch", s.multiply_latch_);
    v.stored("dp_latch", s.dp_latch_);
    v.stored("wide", s.wide_);
    v.stored("dp_wide_latch", s.dp_wide_latch_);
    v.index("order", s.order_, s.num_units_);
    v.index("ordered", s.num_ordered_, s.num_units_ + 1);
    v.stored("leaving", s.leaving_, kMaxCollectorUnits);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override {
    members(*this, editor);
    editor.state(shown_, shown_data_words_);
  }
  WarpMask warps_reading_before(unsigned index) const;
  void send_address(std::uint32_t reading);
  void show_dispatch(const PortState& port, Out<Dispatch>& port_o) const;
  void load_latches();
  void drive_operands();

  const std::uint32_t tpc_, sm_in_tpc_;
  const unsigned num_units_;
  const Cycle sfu_cycles_, dp_cycles_, multiply_cycles_, shared_operand_cycles_;
  const unsigned num_banks_;
  std::array<Unit, kMaxCollectorUnits> units_;
  LaneWords sfu_latch_{};
  OperandSet multiply_latch_, dp_latch_;
  WideWords wide_{}, dp_wide_latch_{};
  std::array<std::uint8_t, kMaxCollectorUnits> order_{};  // occupied units, oldest first
  unsigned num_ordered_ = 0;
  DelayMemory<ConstReply> const_way_;  // from the constant cache; sm.const_latency says how many
  Fifo<AccessJob, 2 * kMaxCollectorUnits> address_order_{*this, "address_order"};
  std::uint32_t leaving_ = 0;  // dispatched last cycle: operands are being taken
  RetirementPort* reports_ = nullptr;
  // Ports to SPs, SFUs, multipliers, fp64 unit and address unit that show operands (bit = port); the others show zeros.
  unsigned shown_ = 0;
  unsigned shown_data_words_ = 0;  // of the port to the address unit (bit = word)
  // For the report: the sources as the register file brought them.
  std::array<std::array<LaneWords, 3>, kMaxCollectorUnits> brought_{};
};

}  // namespace g80
