// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/twin_select.h"

#include <algorithm>

#include <fmt/format.h>

#include "input/input_error.h"
#include "tb/twins/twins.h"

namespace g80 {
namespace {

std::string allowed_names() {
  std::string names;
  for (const TwinInfo& twin : twins()) names += fmt::format("{}, ", twin.name);
  return names + "sm, all";
}

/// `maker`: of a twin by itself, `part`: of one that is a part of the model of the multiprocessor.
void select(const char* option, const std::string& list, TwinMaker TwinInfo::*maker, TwinMaker TwinInfo::*part,
            TwinTable& chosen) {
  if (!list.empty() && !has_twins())
    throw InputError(fmt::format("{} {}: this g80 was built without RTL; build it with -DG80_RTL=ON", option, list));
  for (std::size_t at = 0; at <= list.size() && !list.empty();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const std::string name = list.substr(at, comma - at);
    at = comma + 1;
    bool found = false;
    for (const TwinInfo& twin : twins()) {
      const bool in_sm = name == "sm";
      if (in_sm ? twin.*part == nullptr : name != "all" && name != twin.name) continue;
      const TwinMaker made = in_sm ? twin.*part : twin.*maker;
      const auto [before, is_new] = chosen.emplace(twin.block, made);
      if (!is_new && before->second != made)
        throw InputError(fmt::format("{} {}: {} is chosen a second time, in another way", option, list, twin.name));
      found = true;
    }
    if (!found) {
      throw InputError(
          fmt::format("{} {}: block '{}' has no RTL twin; allowed are {}", option, list, name, allowed_names()));
    }
  }
}

}  // namespace

bool has_twins() { return !twins().empty(); }

TwinTable select_twins(const std::string& list, const std::string& beside) {
  TwinTable chosen;
  select("--rtl", list, &TwinInfo::make, &TwinInfo::make_part, chosen);
  select("--rtl-check", beside, &TwinInfo::make_beside, &TwinInfo::make_part_beside, chosen);
  return chosen;
}

}  // namespace g80
