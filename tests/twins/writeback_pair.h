// SPDX-License-Identifier: Apache-2.0
// writeback and a twin of it side by side: units whose results come in parts, loads, stores and control events, with
// few warps and registers, so that banks collide.
#pragma once
#include <algorithm>
#include <deque>

#include "hw/common/set_bits.h"
#include "hw/isa/opcode_table.h"
#include "hw/sm/writeback.h"
#include "rtl/adapters/decoded_fields.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class WritebackPair {
 public:
  using MakeTwin = std::unique_ptr<Writeback> (*)(const char* name, const Config& config);

  WritebackPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        config_(random_config(random)),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        block_out_("block", config_),
        twin_out_("twin", config_),
        block_("block", config_),
        made_twin_(make("twin", config_)),
        twin_(*made_twin_) {
    for (Writeback* each : {&block_, &twin_}) {
      each->ahead_i(ahead_);
      each->result_i(result_);
      each->load_i(load_);
      each->store_i(store_);
      each->control_i(control_);
      shader_.add(*each);
    }
    block_out_.bind(block_);
    twin_out_.bind(twin_);
    const unsigned lanes[kExecUnits] = {kPortLanes, 2 * config_.sm.num_sfus,
                                        config_.sm.sfu_mul ? 2 * kWarpSize / multiply_occupancy(config_) : 0,
                                        2 * config_.sm.num_dps};
    std::copy_n(lanes, kExecUnits, lanes_.begin());
    sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));  // inputs change between edges
  }
  std::string configuration() const {
    return fmt::format("{} banks, {} SFUs, multiplies {}, {} fp64 lanes", config_.sm.register_banks,
                       config_.sm.num_sfus, config_.sm.sfu_mul, config_.sm.num_dps);
  }

  std::optional<std::string> cycle() {
    if (random_() % 600 == 0) {
      reset();
      if (auto found = drawn_difference(block_, twin_)) return "in reset: " + *found;
      if (auto found = output_difference()) return "in reset: " + *found;
    }
    stimulate();
    const std::uint64_t before = shader_.activations();
    const Writeback::Counters counted = block_.counters();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    note_cases(ran, counted);
    if (auto found = output_difference()) return found;
    if (auto found = difference("counters", block_.counters(), twin_.counters())) return found;
    if (block_.last_retirement() != twin_.last_retirement()) return "last_retirement";
    return drawn_difference(block_, twin_);
  }

 private:
  /// The wires behind a block.
  struct Outputs {
    Outputs(const std::string& name, const Config& config)
        : release((name + "_release").c_str()),
          load_rows((name + "_load_rows").c_str()),
          sfu_dp_results((name + "_sfu_dp_results").c_str()),
          busy((name + "_busy").c_str()),
          written((name + "_written").c_str()),
          write((name + "_write").c_str(), config.sm.register_banks),
          flag_write((name + "_flag_write").c_str(), kFlagWrites),
          addr_write((name + "_addr_write").c_str()) {}
    void bind(Writeback& writeback) {
      writeback.release_o(release);
      writeback.load_rows_o(load_rows);
      writeback.sfu_dp_results_o(sfu_dp_results);
      writeback.busy_banks_o(busy);
      writeback.written_banks_o(written);
      writeback.write_o(write);
      writeback.flag_write_o(flag_write);
      writeback.addr_write_o(addr_write);
    }
    Wire<Release> release;
    Wire<std::uint8_t> load_rows, sfu_dp_results;
    Wire<std::uint32_t> busy, written;
    sc_core::sc_vector<Wire<RegisterWrite>> write;
    sc_core::sc_vector<Wire<FlagWrite>> flag_write;
    Wire<AddrWrite> addr_write;
  };
  std::optional<std::string> output_difference() const {
    const Outputs &block = block_out_, &twin = twin_out_;
    if (auto found = difference("release_o", block.release.read(), twin.release.read())) return found;
    if (auto found = difference("load_rows_o", block.load_rows.read(), twin.load_rows.read())) return found;
    if (auto found = difference("sfu_dp_results_o", block.sfu_dp_results.read(), twin.sfu_dp_results.read()))
      return found;
    if (auto found = difference("busy_banks_o", block.busy.read(), twin.busy.read())) return found;
    if (auto found = difference("written_banks_o", block.written.read(), twin.written.read())) return found;
    for (unsigned b = 0; b < config_.sm.register_banks; ++b)
      if (auto found = difference("write_o", block.write[b].read(), twin.write[b].read())) return found;
    for (unsigned i = 0; i < kFlagWrites; ++i)
      if (auto found = difference("flag_write_o", block.flag_write[i].read(), twin.flag_write[i].read())) return found;
    return difference("addr_write_o", block.addr_write.read(), twin.addr_write.read());
  }

  static Config random_config(std::mt19937& random) {
    Config config = load_config("gtx280");
    const unsigned banks[] = {1, 2, 3, 16, 32, 1 + static_cast<unsigned>(random()) % 32};
    config.sm.register_banks = banks[random() % std::size(banks)];
    config.sm.num_sfus = 1u << random() % 3;
    config.sm.sfu_mul = random() % 3 != 0;
    config.sm.num_dps = random() % 5 == 0 ? 0 : 1u << random() % 4;
    return config;
  }
  void reset() {
    reset_both(block_, twin_);
    for (Unit& unit : units_) unit = {};
    waiting_ = rows_sent_ = 0;
    announced_.clear();
    load_ready_ = false;
    for (auto& wire : ahead_) wire.write({});
    for (auto& wire : result_) wire.write({});
    load_.write({});
    store_.write({});
    control_.write({});
    ++cases_["reset"];
  }
  bool rarely(unsigned one_in) { return random_() % one_in == 0; }
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
        case ExecUnit::kSp:
          return decoded.unit == isa::Unit::kSp &&
                 (to != isa::OperandKind::kPair || config_.sm.register_banks > 1);  // written at once
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
    ahead_[number].write(ahead);
    result_[number].write(result);
  }
  ExecResult random_part(unsigned part, unsigned parts, unsigned unit) {
    ExecResult result;
    result.valid = true;
    result.last = part + 1 == parts;
    result.first = static_cast<std::uint8_t>(part * lanes_[unit]);
    result.tag.bits = static_cast<std::uint32_t>(random_());
    for (unsigned l = 0; l < kPortLanes; ++l) {
      result.low[l] = static_cast<std::uint32_t>(random_());
      result.high[l] = static_cast<std::uint32_t>(random_());
      result.flags[l] = static_cast<std::uint8_t>(random_() & 15);
    }
    return result;
  }

  /// The halves of a load's registers, as far as writeback has room.
  void run_loads(bool busy) {
    LoadResult out;
    const bool room = static_cast<std::uint8_t>(rows_sent_ - block_out_.load_rows.read()) < kLoadRows;
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

  void stimulate() {
    ++cycle_;
    if (rarely(100)) quiet_ = random_() % 40;
    if (rarely(50)) density_ = 1 + random_() % 4;
    if (quiet_ > 0) --quiet_;
    const bool busy = quiet_ == 0 && cycle_ > 3;  // at first the blocks are in reset
    for (const Release::Entry& entry : block_out_.release.read().entry) {
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
  void note_cases(std::uint64_t ran, const Writeback::Counters& before) {
    if (ran == 0) ++cases_["asleep"];
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
    for (const unsigned bank : set_bits(now.written_banks)) {
      const RegisterWrite& write = block_out_.write[bank].read();
      if (write.late.valid)
        ++cases_[fmt::format("lanes of {} are late", enum_text(write.late.unit).names[unit_number(write.late.unit)])];
      if (write.late.unit != ExecUnit::kSp && !write.late.valid) ++cases_["late by a cycle"];
      if (!write.low || !write.high) ++cases_["half of a register"];
      if (write.late.word == LateLanes::Word::kHigh) ++cases_["high word"];
    }
    if (now.written_banks != 0 && (now.written_banks & (now.written_banks - 1)) != 0) ++cases_["several banks"];
    for (unsigned unit = 0; unit < kExecUnits; ++unit) {
      if (!ahead_[unit].read().valid) continue;
      ++cases_[fmt::format("{} lanes of {}", lanes_[unit], enum_text(ExecUnit{}).names[unit])];
      if (result_[unit].read().valid) ++cases_["announced beside a part"];
    }
    if (config_.sm.register_banks % 2 != 0 && config_.sm.register_banks > 1) ++cases_["odd number of banks"];
  }

  struct Unit {
    unsigned left = 0, step = 0;  // of a result, in cycles
    bool ends = false;            // the second of two parts comes
  };

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  Domain shader_;
  sc_core::sc_vector<Wire<ResultAhead>> ahead_{"ahead", kExecUnits};
  sc_core::sc_vector<Wire<ExecResult>> result_{"result", kExecUnits};
  Wire<LoadResult> load_{"load"};
  Wire<StoreDone> store_{"store"};
  Wire<ControlEvent> control_{"control"};
  Outputs block_out_, twin_out_;
  Writeback block_;
  const std::unique_ptr<Writeback> made_twin_;
  Writeback& twin_;
  std::array<unsigned, kExecUnits> lanes_{};  // that arrive together
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
