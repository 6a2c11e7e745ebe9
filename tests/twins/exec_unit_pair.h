// SPDX-License-Identifier: Apache-2.0
// An execution unit with one operand port and a twin of it side by side, with random instructions and operands.
#pragma once
#include "hw/exec/exec_pipe.h"
#include "hw/isa/opcode_table.h"
#include "tests/exec/operand_source.h"
#include "tests/twins/pair.h"

namespace g80::testing {

/// `Lanes` is what the operand port shows.
template <class Block, class Lanes>
class ExecUnitPair : public Pair<Block> {
 public:
  using typename Pair<Block>::MakeTwin;

  std::string configuration() const { return fmt::format("{} groups, {} stages", block_.groups(), block_.stages()); }

 protected:
  using Pair<Block>::block_;
  using Pair<Block>::cases_;
  using Pair<Block>::random_;

  /// `functional`: stages that compute.
  ExecUnitPair(std::mt19937& random, Cases& cases, MakeTwin make, const Config& config, isa::Unit unit,
               unsigned functional)
      : Pair<Block>(random, cases, make, config, {}), unit_(unit), functional_(functional) {
    this->pass(500);
  }
  virtual Lanes random_operands() = 0;
  virtual void note_instruction(const isa::Instruction& insn) = 0;
  /// Of the operations of its unit; all if it is not overridden.
  virtual bool executes(isa::Op) const { return true; }

  test::OperandSource source_{static_cast<unsigned>(random_())};

 private:
  void reset() override {
    dispatch_.write({});
    Pair<Block>::reset();
    since_ = 100;
  }
  /// As the operand collector, which runs at every second edge: a dispatch when all lanes of the one before have
  /// entered, and the operands of two groups with each scheduler cycle.
  void stimulate() override {
    ++since_;
    if (edges_++ % 2 != 0) return;  // the scheduler did not run at the last edge
    if (quiet_ > 0) --quiet_;
    if (random_() % 300 == 0) quiet_ = random_() % 120;
    if (random_() % 50 == 0) density_ = random_() % 5;
    if (since_ >= block_.groups() && quiet_ == 0 && random_() % 4 < density_) {
      if (since_ == block_.groups()) ++cases_["one behind the other"];
      since_ = 0;
      dispatch_.write(random_dispatch());
    } else if (dispatch_.read().valid) {
      dispatch_.write({});
    }
    operands_.write(random_operands());
  }
  Dispatch random_dispatch() {
    const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    for (;;) {
      const isa::Row& row = rows[random_() % rows.size()];
      if (row.graphics || row.unit != unit_ || !executes(row.op)) continue;
      Dispatch dispatch;
      dispatch.fetched.words = (source_.next64() & ~row.mask) | row.match;
      dispatch.fetched.pc = source_.next() >> 8;
      isa::Instruction insn;
      if (isa::decode(dispatch.fetched.w0(), dispatch.fetched.w1(), isa::Arch::kSm13, insn) !=
              isa::DecodeError::kNone ||
          insn.op != row.op || dispatch.fetched.decoded().unit != unit_)
        continue;
      dispatch.valid = true;
      dispatch.warp = random_() % kMaxWarps;
      dispatch.tag.bits = source_.next();
      dispatch.lanes = random_() % 4 == 0 ? source_.next() : ~LaneMask{0};
      note_instruction(insn);
      return dispatch;
    }
  }
  void note_cases() override {
    if (block_.ahead_o.read().valid) ++cases_["announced"];
    if (block_.result_o.read().valid) ++cases_[fmt::format("result of {} lanes a cycle", kWarpSize / block_.groups())];
    if (block_.stages() + 1 == functional_) ++cases_["no padding"];
  }

  const isa::Unit unit_;
  const unsigned functional_;
  Wire<Dispatch>& dispatch_ = this->wire(block_.dispatch_i);
  Wire<Lanes>& operands_ = this->wire(block_.operands_i);
  std::uint64_t edges_ = 0;
  unsigned since_ = 100;              // cycles since the last dispatch
  unsigned quiet_ = 4, density_ = 2;  // the collector is in reset, too
};

}  // namespace g80::testing
