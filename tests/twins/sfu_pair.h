// SPDX-License-Identifier: Apache-2.0
// sfu and a twin of it side by side, with random functions and arguments.
#pragma once
#include "hw/exec/sfu.h"
#include "tests/twins/exec_unit_pair.h"

namespace g80::testing {

class SfuPair final : public ExecUnitPair<Sfu, SfuLanes> {
 public:
  SfuPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : ExecUnitPair(random, cases, make, random_config(random), isa::Unit::kSfu, kSfuFunctionalStages) {}

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.num_sfus = 1u << random() % 3;
    // The shortest latency has no register that only delays.
    config.sm.sfu_latency = kFixedCycles + kWarpSize / config.sm.num_sfus + 2 * (random() % 4 == 0 ? random() % 31 : 0);
    return config;
  }
  SfuLanes random_operands() override {
    SfuLanes lanes;
    for (std::uint32_t& word : lanes.a) word = random_argument();
    return lanes;
  }
  void note_instruction(const isa::Instruction& insn) override {
    const sfu::Control control = sfu::control_of(insn);
    ++cases_[std::string("function ") + enum_text(control.function).names[static_cast<unsigned>(control.function)]];
    if (control.saturate) ++cases_["saturated"];
    if (control.absolute && control.negate) ++cases_["absolute, negated"];
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
};

}  // namespace g80::testing
