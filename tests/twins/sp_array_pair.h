// SPDX-License-Identifier: Apache-2.0
// sp_array and a twin of it side by side, with random instructions and operands.
#pragma once
#include <set>

#include "hw/exec/sp_array.h"
#include "hw/isa/opcode_table.h"
#include "tests/exec/operand_source.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class SpArrayPair final : public Pair<SpArray> {
 public:
  SpArrayPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}) {
    pass(500);
  }
  std::string configuration() const { return fmt::format("latency {}", config_.sm.alu_latency); }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    const unsigned latencies[] = {18, 20, 22, 24, 24, 24, 26, 30, 46, 76};
    config.sm.alu_latency = latencies[random() % std::size(latencies)];
    return config;
  }
  std::optional<std::string> state_difference() override {
    if (auto found = difference("registers", block_.registers(), twin_.registers())) return found;
    if (block_.events() != twin_.events()) return "events";
    return inside_difference();
  }
  void reset() override {
    dispatch_.write({});
    Pair::reset();
    since_ = 100;
  }
  /// As the operand collector, which runs at every second edge: a dispatch at most every fourth cycle, and the operands
  /// of two groups with each scheduler cycle.
  void stimulate() override {
    ++since_;
    if (edges_++ % 2 != 0) return;  // the scheduler did not run at the last edge
    if (quiet_ > 0) --quiet_;
    if (random_() % 300 == 0) quiet_ = random_() % 60;
    if (random_() % 50 == 0) density_ = random_() % 5;
    if (since_ >= 4 && quiet_ == 0 && random_() % 4 < density_) {
      if (since_ == 4) ++cases_["one behind the other"];
      since_ = 0;
      dispatch_.write(random_dispatch());
    } else if (dispatch_.read().valid) {
      dispatch_.write({});
    }
    operands_.write(random_operands());
  }
  Dispatch random_dispatch() {
    const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    static const std::vector<isa::Op> ops = operations();
    isa::Op op = ops[random_() % ops.size()];  // one with many encodings is not more frequent
    for (;;) {
      const isa::Row& row = rows[random_() % rows.size()];
      if (row.op != op || row.graphics) continue;
      Dispatch dispatch;
      dispatch.fetched.words = (source_.next64() & ~row.mask) | row.match;
      dispatch.fetched.pc = source_.next() >> 8;
      isa::Instruction insn;
      if (isa::decode(dispatch.fetched.w0(), dispatch.fetched.w1(), isa::Arch::kSm13, insn) !=
              isa::DecodeError::kNone ||
          insn.op != row.op) {
        op = ops[random_() % ops.size()];
        continue;
      }
      dispatch.valid = true;
      dispatch.warp = random_() % kMaxWarps;
      dispatch.vote = random_() % 2 != 0;
      dispatch.tag.bits = source_.next();
      dispatch.lanes = random_() % 4 == 0 ? source_.next() : random_() % 8 == 0 ? 0 : ~LaneMask{0};
      dispatch.granted = source_.next();
      note_instruction(insn);
      return dispatch;
    }
  }
  /// Those that the SPs execute.
  static std::vector<isa::Op> operations() {
    std::set<isa::Op> ops = {isa::Op::kLdConst, isa::Op::kLdShared, isa::Op::kLdSharedLock, isa::Op::kNop,
                             isa::Op::kPmevent};
    for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
      if (!row.graphics && row.unit == isa::Unit::kSp) ops.insert(row.op);
    }
    return {ops.begin(), ops.end()};
  }
  SpLanes random_operands() {
    golden::AluInput in{};
    source_.fill(in);
    SpLanes lanes;
    for (unsigned l = 0; l < kPortLanes; ++l) {
      if (random_() % 8 == 0) {  // infinities and numbers among them
        for (LaneWords& words : in.s)
          words[l] = (source_.next() & 0x80000000u) | (random_() % 2 == 0 ? 0x7f800000u : 0x3fc00000u);
      }
      lanes.a[l] = in.s[0][l];
      lanes.b[l] = in.s[1][l];
      lanes.c[l] = in.s[2][l];
      lanes.flags[l] = in.flags[l];
    }
    return lanes;
  }
  void note_instruction(const isa::Instruction& insn) {
    const SpControl control = sp_control(insn);
    ++cases_[std::string("path ") + enum_text(SpPath{}).names[static_cast<unsigned>(control.path)]];
    if (control.writes_flags)
      ++cases_[std::string("flags ") + enum_text(SpFlags{}).names[static_cast<unsigned>(control.flags)]];
    if (control.quad.enabled) ++cases_["quadop"];
    if (control.saturate) ++cases_["saturated"];
    if (insn.op == isa::Op::kVote) ++cases_["vote"];
    if (insn.op == isa::Op::kLdSharedLock) ++cases_["ld lock"];
    if (insn.op == isa::Op::kPmevent) ++cases_["pmevent"];
  }
  void note_cases() override {
    if (block_.ahead_o.read().valid) ++cases_["announced"];
    if (block_.result_o.read().valid) ++cases_["result"];
    if (block_.stages() + 1 == kSpFunctionalStages) ++cases_["no padding"];
  }
  /// The registers behind the stages, while they hold lanes.
  std::optional<std::string> inside_difference() {
    const SpRegisters &block = block_.datapath(), &twin = twin_.datapath();
    const auto& stage = block_.registers().stage;
    if (block_.counters().instructions != 0) {
      if (auto found = difference("entering", block.entering, twin.entering)) return found;
    }
    if (auto found = stage_difference(stage[0].valid, "unpacked", block.unpacked, twin.unpacked)) return found;
    if (auto found = stage_difference(stage[1].valid, "multiplied", block.multiplied, twin.multiplied)) return found;
    if (auto found = stage_difference(stage[2].valid, "product", block.product, twin.product)) return found;
    if (auto found = stage_difference(stage[3].valid, "aligned", block.aligned, twin.aligned)) return found;
    if (auto found = stage_difference(stage[4].valid, "sum", block.sum, twin.sum)) return found;
    if (auto found = stage_difference(stage[5].valid, "counted", block.counted, twin.counted)) return found;
    if (auto found = stage_difference(stage[6].valid, "normalised", block.normalised, twin.normalised)) return found;
    for (unsigned i = kSpFunctionalStages - 1; i < block_.stages(); ++i) {
      if (auto found = stage_difference(stage[i].valid, "result", block_.result(i), twin_.result(i))) return found;
    }
    for (unsigned i = 0; i < block_.stages(); ++i) {
      if (!stage[i].valid) continue;
      const ExecSlot &a = block_.slot(stage[i].slot), &b = twin_.slot(stage[i].slot);
      if (auto found = difference("slot.insn", a.fetched, b.fetched)) return found;
      if (auto found = difference("slot.lanes", a.lanes, b.lanes)) return found;
      if (auto found = difference("slot.warp", a.warp, b.warp)) return found;
    }
    return std::nullopt;
  }
  template <class Stage>
  static std::optional<std::string> stage_difference(bool valid, const char* name, const Stage& block,
                                                     const Stage& twin) {
    return valid ? difference(name, block, twin) : std::nullopt;
  }

  Wire<Dispatch>& dispatch_ = wire(block_.dispatch_i);
  Wire<SpLanes>& operands_ = wire(block_.operands_i);
  test::OperandSource source_{static_cast<unsigned>(random_())};
  std::uint64_t edges_ = 0;
  unsigned since_ = 100;              // cycles since the last dispatch
  unsigned quiet_ = 4, density_ = 2;  // the collector is in reset, too
};

}  // namespace g80::testing
