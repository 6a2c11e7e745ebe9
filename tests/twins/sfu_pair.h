// SPDX-License-Identifier: Apache-2.0
// sfu and a twin of it side by side, with random functions and arguments.
#pragma once
#include "hw/exec/sfu.h"
#include "hw/isa/opcode_table.h"
#include "tests/exec/operand_source.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class SfuPair {
 public:
  using MakeTwin = std::unique_ptr<Sfu> (*)(const char* name, const Config& config);

  SfuPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        config_(random_config(random)),
        source_(static_cast<unsigned>(random())),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        block_("block", config_),
        made_twin_(make("twin", config_)),
        twin_(*made_twin_) {
    for (Sfu* each : {&block_, &twin_}) {
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
  std::string configuration() const {
    return fmt::format("{} units, latency {}", config_.sm.num_sfus, config_.sm.sfu_latency);
  }

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

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.num_sfus = 1u << random() % 3;
    // The shortest latency has no register that only delays.
    config.sm.sfu_latency = kFixedCycles + kWarpSize / config.sm.num_sfus + 2 * (random() % 4 == 0 ? random() % 31 : 0);
    return config;
  }
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
    const unsigned groups = kWarpSize / config_.sm.num_sfus;
    if (since_ >= groups && quiet_ == 0 && random_() % 4 < density_) {
      if (since_ == groups) ++cases_["one behind the other"];
      since_ = 0;
      dispatch_.write(random_dispatch());
    } else if (dispatch_.read().valid) {
      dispatch_.write({});
    }
    SfuLanes lanes;
    for (std::uint32_t& word : lanes.a) word = random_argument();
    operands_.write(lanes);
  }
  Dispatch random_dispatch() {
    const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    for (;;) {
      const isa::Row& row = rows[random_() % rows.size()];
      if (row.graphics || row.unit != isa::Unit::kSfu) continue;
      Dispatch dispatch;
      dispatch.fetched.words = (source_.next64() & ~row.mask) | row.match;
      dispatch.fetched.pc = source_.next() >> 8;
      isa::Instruction insn;
      if (isa::decode(dispatch.fetched.w0(), dispatch.fetched.w1(), isa::Arch::kSm13, insn) !=
              isa::DecodeError::kNone ||
          insn.op != row.op || dispatch.fetched.decoded().unit != isa::Unit::kSfu)
        continue;
      dispatch.valid = true;
      dispatch.warp = random_() % kMaxWarps;
      dispatch.tag.bits = source_.next();
      dispatch.lanes = random_() % 4 == 0 ? source_.next() : ~LaneMask{0};
      const sfu::Control control = sfu::control_of(insn);
      ++cases_[std::string("function ") + enum_text(control.function).names[static_cast<unsigned>(control.function)]];
      if (control.saturate) ++cases_["saturated"];
      if (control.absolute && control.negate) ++cases_["absolute, negated"];
      return dispatch;
    }
  }
  /// Any word, numbers of all exponents that matter, and those that reduce or end a range.
  std::uint32_t random_argument() {
    const std::uint32_t sign = random_() % 2 != 0 ? 0x80000000u : 0, fraction = source_.next() & 0x7fffffu;
    switch (random_() % 9) {
      case 0: return source_.next();
      case 5: return sign | static_cast<std::uint32_t>(126 + random_() % 3) << 23;  // one and its neighbours
      case 1: return sign | (random_() % 2 != 0 ? 0x7f800000u : 0) | (random_() % 2 != 0 ? fraction : 0);
      case 2: return sign | static_cast<std::uint32_t>(random_() % 256) << 23;
      case 3: return sign | static_cast<std::uint32_t>(random_() % 256) << 23 | 0x7fffffu;
      case 4: return sign | static_cast<std::uint32_t>(random_() % 4) << 23 | fraction;
      default: return sign | static_cast<std::uint32_t>(90 + random_() % 75) << 23 | fraction;
    }
  }
  void note_cases(std::uint64_t ran) {
    if (ran == 0) ++cases_["asleep"];
    if (block_ahead_.read().valid) ++cases_["announced"];
    if (block_result_.read().valid) ++cases_[fmt::format("result of {} units", config_.sm.num_sfus)];
    if (block_.stages() + 1 == kSfuFunctionalStages) ++cases_["no padding"];
  }

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  test::OperandSource source_;
  Domain shader_;
  Wire<Dispatch> dispatch_{"dispatch"};
  Wire<SfuLanes> operands_{"operands"};
  Wire<ResultAhead> block_ahead_{"block_ahead"}, twin_ahead_{"twin_ahead"};
  Wire<ExecResult> block_result_{"block_result"}, twin_result_{"twin_result"};
  Sfu block_;
  const std::unique_ptr<Sfu> made_twin_;
  Sfu& twin_;
  std::uint64_t edges_ = 0;
  unsigned since_ = 100;              // cycles since the last dispatch
  unsigned quiet_ = 4, density_ = 2;  // the collector is in reset, too
};

}  // namespace g80::testing
