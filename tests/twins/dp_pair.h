// SPDX-License-Identifier: Apache-2.0
// dp and a twin of it side by side, with random instructions and operands.
#pragma once
#include "hw/exec/dp.h"
#include "tests/exec/fp64_operands.h"
#include "tests/twins/exec_unit_pair.h"

namespace g80::testing {

class DpPair final : public ExecUnitPair<Dp, DpLanes> {
 public:
  DpPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : ExecUnitPair(random, cases, make, random_config(random), isa::Unit::kDp, kDpFunctionalStages),
        words_(random()) {}

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("gtx280");
    config.sm.num_dps = 1u << random() % 4;
    // The shortest latency has no register that only delays.
    constexpr unsigned kBeyond = kDpFunctionalStages - kResultAheadCycles - 2;
    config.sm.dp_latency =
        kFixedCycles + kWarpSize / config.sm.num_dps + kBeyond + 2 * (random() % 4 == 0 ? random() % 29 : 0);
    return config;
  }
  DpLanes random_operands() override {
    golden::AluInput in{};
    test::fill_fp64(words_, random_() % 8 == 0, in);
    DpLanes lanes;
    for (unsigned l = 0; l < kPortLanes; ++l) {
      lanes.a[l] = in.s[0][l];
      lanes.a_high[l] = in.hi[0][l];
      lanes.b[l] = in.s[1][l];
      lanes.b_high[l] = in.hi[1][l];
      lanes.c[l] = in.s[2][l];
      lanes.c_high[l] = in.hi[2][l];
    }
    return lanes;
  }
  void note_instruction(const isa::Instruction& insn) override {
    const dp::Control control = dp::control_of(insn);
    const auto name = [](auto value) { return enum_text(value).names[static_cast<unsigned>(value)]; };
    ++cases_[std::string("operation ") + name(control.operation)];
    ++cases_[std::string("from ") + name(control.source)];
    ++cases_[std::string("to ") + name(control.result)];
    if (control.operation == dp::Operation::kFma) {
      ++cases_[!control.multiplies ? "add" : !control.adds ? "multiply" : "multiply and add"];
      ++cases_[fmt::format("rounding {}", static_cast<unsigned>(control.round))];
    }
    if (control.integral) ++cases_["integral"];
    if (control.negate[0] && control.absolute[0]) ++cases_["absolute, negated"];
  }

  std::mt19937_64 words_;
};

}  // namespace g80::testing
