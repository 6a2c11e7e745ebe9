// SPDX-License-Identifier: Apache-2.0
// What campaigns of random machines share: their length, and the command that repeats a run.
#pragma once
#include <cstdlib>
#include <string>

#include "tests/machine/machine_run.h"

namespace g80::testing {

/// The same run from a shell.
inline std::string command_of(const MachineRun& run) {
  std::string text = "g80 run " + run.kernel + " --device " + run.device;
  for (const auto& [name, value] : run.args) text += fmt::format(" --arg {}={}", name, value);
  for (const std::string& set : run.sets) text += " --set " + set;
  if (!run.machine.lockstep) text += " --check final";
  if (run.machine.no_sleep) text += " --no-sleep";
  if (run.machine.shuffle) text += fmt::format(" --step-order shuffle:{}", *run.machine.shuffle);
  if (run.machine.late_crossings) text += fmt::format(" --x crossings:{}", *run.machine.late_crossings);
  if (run.machine.threads > 1) text += fmt::format(" --threads {}", run.machine.threads);
  if (!run.machine.rtl.empty()) text += " --rtl " + run.machine.rtl;
  return text;
}

/// The numbers of the machines that a campaign looks at.
struct Span {
  unsigned from = 0, to = 0;
};
/// Those of G80_CAMPAIGN, else as many as are `fixed`.
inline Span campaign(unsigned fixed) {
  const char* const given = std::getenv("G80_CAMPAIGN");
  if (given == nullptr) return {0, fixed};
  const std::string text = given;
  const std::size_t dots = text.find("..");
  const auto number = [](const std::string& digits) {
    return static_cast<unsigned>(std::strtoul(digits.c_str(), nullptr, 10));
  };
  return dots == std::string::npos ? Span{0, number(text)}
                                   : Span{number(text.substr(0, dots)), number(text.substr(dots + 2))};
}

}  // namespace g80::testing
