// SPDX-License-Identifier: Apache-2.0
// What each key that adds cycles stands for in hardware, and how far the machine is built that way.
// `g80 list delays` prints the table. A test compares it with the keys of config.def.
#pragma once
#include <string_view>
#include <vector>

namespace g80 {

enum class DelayForm : unsigned char {
  kStructure,  // the cycles are those of stages, ports and queues that do the work
  kPadding,    // named registers behind the structure make up the rest
  kTimer,      // one register per resource has the edge from which it is free again: a down counter
  kLimit,      // adds no cycle: ends a launch
};

struct Delay {
  std::string_view key;  // "sm.branch_latency"
  DelayForm form;
  std::string_view hardware;  // what takes the cycles
  std::string_view file;      // where they pass
};

std::string_view delay_form_text(DelayForm form);
std::string_view delay_form_meaning(DelayForm form);

/// One row for each key that adds cycles, in the order of config.def.
const std::vector<Delay>& delays();

}  // namespace g80
