// SPDX-License-Identifier: Apache-2.0
// An execution unit with one operand port and a twin of it side by side, with random instructions and operands.
#pragma once
#include "hw/exec/exec_pipe.h"
#include "hw/isa/opcode_table.h"
#include "tests/exec/operand_source.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

/// `Lanes` is what the operand port shows.
template <class Block, class Lanes>
class ExecUnitPair {
 public:
  using MakeTwin = std::unique_ptr<Block> (*)(const char* name, const Config& config);

  virtual ~ExecUnitPair() = default;
  ExecUnitPair(const ExecUnitPair&) = delete;
  ExecUnitPair& operator=(const ExecUnitPair&) = delete;

  std::optional<std::string> cycle() {
    if (random_() % 600 == 0) reset();
    stimulate();
    const std::uint64_t before = shader_.activations();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    note_cases(ran);
    if (auto found = difference("ahead_o", block_ahead_.read(), twin_ahead_.read())) return found;
    if (auto found = difference("result_o", block_result_.read(), twin_result_.read())) return found;
    if (auto found = difference("counters", block_.counters(), twin_.counters())) return found;
    return drawn_difference(block_, twin_);
  }
  std::string configuration() const { return fmt::format("{} groups, {} stages", block_.groups(), block_.stages()); }

 protected:
  /// `functional`: stages that compute.
  ExecUnitPair(std::mt19937& random, Cases& cases, MakeTwin make, const Config& config, isa::Unit unit,
               unsigned functional)
      : random_(random),
        cases_(cases),
        source_(static_cast<unsigned>(random())),
        config_(config),
        unit_(unit),
        functional_(functional),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        block_("block", config_),
        made_twin_(make("twin", config_)),
        twin_(*made_twin_) {
    for (Block* each : {&block_, &twin_}) {
      each->dispatch_i(dispatch_);
      each->operands_i(operands_);
      shader_.add(*each);
    }
    block_.ahead_o(block_ahead_);
    twin_.ahead_o(twin_ahead_);
    block_.result_o(block_result_);
    twin_.result_o(twin_result_);
    sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));  // inputs change between edges
  }
  virtual Lanes random_operands() = 0;
  virtual void note_instruction(const isa::Instruction& insn) = 0;
  /// Of the operations of its unit; all if it is not overridden.
  virtual bool executes(isa::Op) const { return true; }

  std::mt19937& random_;
  Cases& cases_;
  test::OperandSource source_;

 private:
  void reset() {
    dispatch_.write({});
    reset_both(block_, twin_);
    since_ = 100;
    ++cases_["reset"];
  }
  /// As the operand collector, which runs at every second edge: a dispatch when all lanes of the one before have
  /// entered, and the operands of two groups with each scheduler cycle.
  void stimulate() {
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
  void note_cases(std::uint64_t ran) {
    if (ran == 0) ++cases_["asleep"];
    if (block_ahead_.read().valid) ++cases_["announced"];
    if (block_result_.read().valid) ++cases_[fmt::format("result of {} lanes a cycle", kWarpSize / block_.groups())];
    if (block_.stages() + 1 == functional_) ++cases_["no padding"];
  }

  const Config config_;
  const isa::Unit unit_;
  const unsigned functional_;
  Domain shader_;
  Wire<Dispatch> dispatch_{"dispatch"};
  Wire<Lanes> operands_{"operands"};
  Wire<ResultAhead> block_ahead_{"block_ahead"}, twin_ahead_{"twin_ahead"};
  Wire<ExecResult> block_result_{"block_result"}, twin_result_{"twin_result"};
  Block block_;
  const std::unique_ptr<Block> made_twin_;
  Block& twin_;
  std::uint64_t edges_ = 0;
  unsigned since_ = 100;              // cycles since the last dispatch
  unsigned quiet_ = 4, density_ = 2;  // the collector is in reset, too
};

}  // namespace g80::testing
