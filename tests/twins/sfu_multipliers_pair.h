// SPDX-License-Identifier: Apache-2.0
// sfu_multipliers and a twin of it side by side, with random multiplies and operands.
#pragma once
#include <cstring>

#include "hw/exec/sfu_multipliers.h"
#include "tests/twins/exec_unit_pair.h"

namespace g80::testing {

class SfuMultipliersPair final : public ExecUnitPair<SfuMultipliers, SpLanes> {
 public:
  SfuMultipliersPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : ExecUnitPair(random, cases, make, random_config(random), isa::Unit::kSp, kMultiplierFunctionalStages) {}

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.sfu_mul = true;
    config.sm.num_sfus = 1u << random() % 3;
    // The shortest latency has one register that only delays: an odd number of stages would not fit the scheduler.
    constexpr unsigned kBeyond = kMultiplierFunctionalStages + 1 - kResultAheadCycles - 2;
    config.sm.sfu_latency =
        kFixedCycles + multiply_occupancy(config) + kBeyond + 2 * (random() % 4 == 0 ? random() % 30 : 0);
    return config;
  }
  bool executes(isa::Op op) const override { return op == isa::Op::kFmul; }
  SpLanes random_operands() override {
    SpLanes lanes;
    for (unsigned l = 0; l < kPortLanes; ++l) {
      lanes.a[l] = random_word();
      lanes.b[l] = random_() % 8 == 0   ? lanes.a[l] ^ 0x80000000u
                   : random_() % 8 == 0 ? reciprocal(lanes.a[l])
                                        : random_word();
    }
    return lanes;
  }
  void note_instruction(const isa::Instruction& insn) override {
    const multiplier::Control control = multiplier::control_of(insn);
    ++cases_[control.toward_zero ? "toward zero" : "to nearest"];
    if (control.saturate) ++cases_["saturated"];
    if (insn.src[0].neg && insn.src[1].neg) ++cases_["both negated"];
    if (control.negate) ++cases_["one negated"];
  }
  /// The number with which the product is one, or just above or below it: only there does rounding carry to the top.
  static std::uint32_t reciprocal(std::uint32_t word) {
    float number;
    std::memcpy(&number, &word, sizeof number);
    number = 1 / number;
    std::memcpy(&word, &number, sizeof word);
    return word;
  }
  /// Any word; numbers of all exponents, with few or many ones; zeros, denormals, infinities and NaN.
  std::uint32_t random_word() {
    const std::uint32_t sign = random_() % 2 != 0 ? 0x80000000u : 0, fraction = source_.next() & 0x7fffffu;
    switch (random_() % 8) {
      case 0: return source_.next();
      case 1: return sign | (random_() % 2 != 0 ? 0x7f800000u : 0) | (random_() % 2 != 0 ? fraction : 0);
      case 2: return sign | static_cast<std::uint32_t>(random_() % 256) << 23 | 1u << random_() % 23;
      case 3: return sign | static_cast<std::uint32_t>(random_() % 256) << 23 | 0x7fffffu;
      case 4: return sign | static_cast<std::uint32_t>(60 + random_() % 8) << 23 | fraction;    // products near the
      case 5: return sign | static_cast<std::uint32_t>(186 + random_() % 10) << 23 | fraction;  // ends of the range
      default: return sign | static_cast<std::uint32_t>(90 + random_() % 75) << 23 | fraction;
    }
  }
};

}  // namespace g80::testing
