// SPDX-License-Identifier: Apache-2.0
// writeback and a twin of it side by side: units whose results come in parts, loads, stores and control events, with
// few warps and registers, so that banks collide.
#pragma once
#include <algorithm>

#include "hw/common/set_bits.h"
#include "hw/isa/opcode_table.h"
#include "hw/sm/writeback.h"
#include "rtl/adapters/decoded_fields.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class WritebackPair final : public Pair<Writeback> {
 public:
  WritebackPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}) {
    const unsigned lanes[kExecUnits] = {kPortLanes, 2 * config_.sm.num_sfus,
                                        config_.sm.sfu_mul ? 2 * kWarpSize / multiply_occupancy(config_) : 0,
                                        2 * config_.sm.num_dps};
    std::copy_n(lanes, kExecUnits, lanes_.begin());
    pass(500);
  }
  std::string configuration() const {
    return fmt::format("{} banks, {} SFUs, multiplies {}, {} fp64 lanes", config_.sm.register_banks,
                       config_.sm.num_sfus, config_.sm.sfu_mul, config_.sm.num_dps);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("gtx280");
    const unsigned banks[] = {1, 2, 3, 16, 32, 1 + static_cast<unsigned>(random()) % 32};
    config.sm.register_banks = banks[random() % std::size(banks)];
    config.sm.num_sfus = 1u << random() % 3;
    config.sm.sfu_mul = random() % 3 != 0;
    config.sm.num_dps = random() % 5 == 0 ? 0 : 1u << random() % 4;
    return config;
  }
  std::optional<std::string> other_difference() override {
    if (block_.last_retirement() != twin_.last_retirement()) return "last_retirement";
    for (unsigned b = 0; b < config_.sm.register_banks; ++b) {
      written_[b] = (block_.registers().busy_banks >> b & 1) != 0 ? written_[b] + 1 : 0;
      if (written_[b] > kMostWritesInARow) return fmt::format("bank {} is written for ever", b);
    }
    return std::nullopt;
  }
  void reset() override {
    Pair::reset();
    for (Unit& unit : units_) unit = {};
    waiting_ = rows_sent_ = 0;
    written_ = {};
    announced_.clear();
    load_ready_ = false;
    for (const auto& port : block_.ahead_i) wire(port).write({});
    for (const auto& port : block_.result_i) wire(port).write({});
    load_.write({});
    store_.write({});
    control_.write({});
  }
  std::uint64_t random64() { return std::uint64_t{random_()} << 32 | random_(); }
  LaneMask some_lanes() {
    return rarely(4)   ? static_cast<LaneMask>(random_())
           : rarely(8) ? 0
                       : ~LaneMask{0} >> (rarely(3) ? random_() % 32 : 0);
  }
  std::uint8_t some_warp() { return static_cast<std::uint8_t>(rarely(4) ? random_() % kMaxWarps : random_() % 3); }

  /// One for which `wanted` holds, with few registers.
  template <class Wanted>
  FetchedInstruction random_instruction(const Wanted& wanted) {
    const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    for (;;) {
      const isa::Row& row = rows[random_() % rows.size()];
      if (row.graphics) continue;
      std::uint64_t bits = random64();
      if (!rarely(3)) bits &= ~std::uint64_t{0x1f0};  // of the destination
      FetchedInstruction insn;
      insn.words = (bits & ~row.mask) | row.match;
      if ((insn.words & 1) == 0) insn.words &= 0xffffffff;
      insn.pc = static_cast<std::uint32_t>(random_()) & 0xffffff;
      const DecodedInstruction& decoded = insn.decoded();
      if (decoded.error != isa::DecodeError::kNone || !wanted(decoded)) continue;
      return insn;
    }
  }
  FetchedInstruction random_result_of(unsigned unit) {
    return random_instruction([&](const DecodedInstruction& decoded) {
      const isa::OperandKind to = decoded.insn.dst.kind;
      if (to == isa::OperandKind::kPair && decoded.insn.dst.index == kMaxRegistersPerThread - 1) return false;
      switch (static_cast<ExecUnit>(unit)) {
        case ExecUnit::kSp: return decoded.unit == isa::Unit::kSp;
        case ExecUnit::kSfu: return decoded.unit == isa::Unit::kSfu;
        case ExecUnit::kMultiply: return decoded.multiplies_fp32;
        case ExecUnit::kDp: return decoded.unit == isa::Unit::kDp;
      }
      return false;
    });
  }

  /// A unit's results come one behind the other, or with gaps. Each is announced two cycles before its last part.
  void run_unit(unsigned number, bool busy) {
    Unit& unit = units_[number];
    ResultAhead ahead;
    ExecResult result;
    const unsigned parts = lanes_[number] == 0 ? 0 : kWarpSize / lanes_[number];
    // Of two parts the first comes behind the announcement.
    const unsigned first_part = parts == 2 ? 1 : 0;
    const bool waits = number != unit_number(ExecUnit::kSp);
    if (unit.left == 0 && parts != 0 && busy && random_() % 4 < density_ && (!waits || waiting_ < kMaxWaitingResults)) {
      if (waits) ++waiting_;
      unit.left = parts;
      unit.step = 0;
    }
    if (unit.ends) {  // of two parts the second one
      unit.ends = false;
      result = random_part(1, 2, number);
    }
    if (unit.left != 0) {
      if (unit.step == parts - 3 + first_part) {
        ahead.valid = true;
        ahead.warp = some_warp();
        ahead.fetched = random_result_of(number);
        ahead.tag.bits = static_cast<std::uint32_t>(random_()) << 1 | (waits ? 1u : 0u);
        ahead.lanes = some_lanes();
        if (waits) announced_[ahead.tag.bits] = cycle_;
        ahead.loaded = rarely(4) ? ahead.lanes & static_cast<LaneMask>(random_()) : ahead.lanes;
      }
      if (unit.step >= first_part) result = random_part(unit.step - first_part, parts, number);
      ++unit.step;
      unit.ends = --unit.left == 0 && parts == 2;
    }
    wire(block_.ahead_i[number]).write(ahead);
    wire(block_.result_i[number]).write(result);
  }
  ExecResult random_part(unsigned part, unsigned parts, unsigned unit) {
    ExecResult result;
    result.valid = true;
    result.last = part + 1 == parts;
    result.first = static_cast<std::uint8_t>(part * lanes_[unit]);
    result.tag.bits = static_cast<std::uint32_t>(random_());
    for (unsigned l = 0; l < kPortLanes; ++l) {
      result.low[l] = static_cast<std::uint32_t>(random_());
      if (unit == unit_number(ExecUnit::kDp)) result.high[l] = static_cast<std::uint32_t>(random_());
      result.flags[l] = static_cast<std::uint8_t>(random_() & 15);
    }
    return result;
  }

  /// The halves of a load's registers, as far as writeback has room.
  void run_loads(bool busy) {
    LoadResult out;
    const bool room = static_cast<std::uint8_t>(rows_sent_ - block_.load_rows_o.read()) < kLoadRows;
    if (!load_ready_ && busy && rarely(3)) {
      coming_ = {};
      coming_.warp = some_warp();
      coming_.fetched = random_instruction([](const DecodedInstruction& decoded) {
        return decoded.uses_load_table && decoded.insn.dst.index <= kMaxRegistersPerThread - 4;
      });
      coming_.tag.bits = static_cast<std::uint32_t>(random_()) << 1;
      lanes_of_load_ = some_lanes();
      load_parts_ = 2 * std::max(1u, coming_.fetched.decoded().writes.registers.count());
      next_part_ = 0;
      load_ready_ = true;
    }
    if (load_ready_ && (next_part_ % 2 != 0 || room) && !rarely(6)) {
      out = coming_;
      out.valid = true;
      out.id = static_cast<std::uint8_t>(random_() % 64);
      out.word = static_cast<std::uint8_t>(next_part_ / 2);
      out.half = static_cast<std::uint8_t>(next_part_ % 2);
      out.lanes = static_cast<HalfMask>(lanes_of_load_ >> (kHalfWarp * out.half));
      for (std::uint32_t& word : out.data) word = static_cast<std::uint32_t>(random_());
      rows_sent_ += out.half == 0;
      out.last = ++next_part_ == load_parts_;
      load_ready_ = !out.last;
      if (out.last && coming_.fetched.decoded().writes.registers.empty()) ++cases_["load without a register"];
    }
    load_.write(out);
  }

  void stimulate() override {
    send();
    counted_ = block_.counters();
  }
  void send() {
    ++cycle_;
    if (rarely(100)) quiet_ = random_() % 40;
    if (rarely(50)) density_ = 1 + random_() % 4;
    if (quiet_ > 0) --quiet_;
    const bool busy = quiet_ == 0 && cycle_ > 3;  // at first the blocks are in reset
    for (const Release::Entry& entry : block_.release_o.read().entry) {
      if (!entry.valid || (entry.tag.bits & 1) == 0) continue;
      --waiting_;
      if (cycle_ - announced_[entry.tag.bits] > 2) ++cases_["values kept in the queue"];
      announced_.erase(entry.tag.bits);
    }
    for (unsigned unit = 0; unit < kExecUnits; ++unit) run_unit(unit, busy);
    run_loads(busy);
    StoreDone store;
    if (busy && rarely(3)) {
      store.valid = true;
      store.warp = some_warp();
      store.fetched.words = random64();
      store.tag.bits = static_cast<std::uint32_t>(random_()) << 1;
      store.lanes = some_lanes();
    }
    store_.write(store);
    ControlEvent control;
    if (busy && rarely(2)) {
      control.valid = true;
      control.warp = some_warp();
      control.fetched = random_instruction([](const DecodedInstruction& decoded) { return decoded.control; });
      if (rarely(10)) control.fetched.error = isa::DecodeError::kIllegalOpcode;
      control.tag.bits = static_cast<std::uint32_t>(random_()) << 1;
      control.taken = some_lanes();
      if (control.fetched.decoded().unit != isa::Unit::kControl) ++cases_["control event of another unit"];
    }
    control_.write(control);
  }
  void note_cases() override {
    const Writeback::Counters& before = counted_;
    const WritebackRegs& now = block_.registers();
    const std::uint64_t waits = block_.counters().bank_conflicts - before.bank_conflicts;
    const std::uint64_t finished = block_.counters().instructions - before.instructions;
    if (waits == 2) ++cases_["a result and a load wait"];
    if (waits == 1) ++cases_["one waits for its bank"];
    if (finished == 5) ++cases_["five finish"];
    if (now.flag_writes == 2) ++cases_["two write flags"];
    if (now.addr_write) ++cases_["address register"];
    if (now.waiting_written != 0) ++cases_["pair in two cycles"];
    if (waiting_ == kMaxWaitingResults) ++cases_["all places for results are taken"];
    for (const unsigned port : set_bits(now.written_ports)) {
      const RegisterWrite& write = block_.write_o[port].read();
      if (write.late.valid)
        ++cases_[fmt::format("lanes of {} are late", enum_text(write.late.unit).names[unit_number(write.late.unit)])];
      if (write.late.unit != ExecUnit::kSp && !write.late.valid) ++cases_["late by a cycle"];
      if (!write.low || !write.high) ++cases_["half of a register"];
      if (write.late.word == LateLanes::Word::kHigh) ++cases_["high word"];
    }
    if ((now.written_ports & (now.written_ports - 1)) != 0) ++cases_["several banks"];
    for (unsigned unit = 0; unit < kExecUnits; ++unit) {
      if (!block_.ahead_i[unit].read().valid) continue;
      ++cases_[fmt::format("{} lanes of {}", lanes_[unit], enum_text(ExecUnit{}).names[unit])];
      if (block_.result_i[unit].read().valid) ++cases_["announced beside a part"];
    }
    if (now.run >= kLongRun) ++cases_[now.run < kLongRun + 2 ? "left to loads" : "left to the SPs"];
    if (config_.sm.register_banks % 2 != 0 && config_.sm.register_banks > 1) ++cases_["odd number of banks"];
  }

  struct Unit {
    unsigned left = 0, step = 0;  // of a result, in cycles
    bool ends = false;            // the second of two parts comes
  };

  Wire<LoadResult>& load_ = wire(block_.load_i);
  Wire<StoreDone>& store_ = wire(block_.store_i);
  Wire<ControlEvent>& control_ = wire(block_.control_i);
  Writeback::Counters counted_;
  std::array<unsigned, kMaxRegisterBanks> written_{};  // slots in a row
  std::array<unsigned, kExecUnits> lanes_{};           // that arrive together
  std::array<Unit, kExecUnits> units_{};
  unsigned cycle_ = 0;
  std::map<std::uint32_t, unsigned> announced_;  // when a result was that waits, by tag
  unsigned waiting_ = 0;                         // results announced, or about to be, and not yet written
  LoadResult coming_;
  LaneMask lanes_of_load_ = 0;
  bool load_ready_ = false;
  unsigned load_parts_ = 0, next_part_ = 0;
  std::uint8_t rows_sent_ = 0;
  unsigned quiet_ = 0, density_ = 2;
};

}  // namespace g80::testing
