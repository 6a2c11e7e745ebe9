// SPDX-License-Identifier: Apache-2.0
#include "tb/scenario/warp_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace g80 {

std::string WarpPlaces::remark(std::uint32_t pc) const {
  return kernel_ != nullptr ? kernel_->lines.remark(pc) : std::string();
}

std::string WarpPlaces::lanes_text(const Warp& warp) const {
  std::string text = fmt::format("lanes {:08x}, ", warp.active);
  text += kernel_ != nullptr ? place_text(*kernel_, warp.pc, arch_) : fmt::format("pc 0x{:x}", warp.pc);
  if (warp.parked != 0) {
    text +=
        fmt::format("; lanes {:08x} wait to go on at pc 0x{:x}{}", warp.parked, warp.parked_pc, remark(warp.parked_pc));
  }
  return text + warp.locks;
}

std::string WarpPlaces::endless_text(const std::string& why) const {
  const auto worth = [](const Warp& warp) { return (warp.at_barrier ? 0 : 2) + (warp.parked != 0 ? 1 : 0); };
  const auto best =
      std::max_element(warps_.begin(), warps_.end(), [&](const Warp& a, const Warp& b) { return worth(a) < worth(b); });
  return fmt::format("{} repeats forever: warp {} goes round with {}\n    {}{}", best->block, best->number,
                     lanes_text(*best), why, warps_.size() > 1 ? list_text() : "");
}

std::string WarpPlaces::list_text() const {
  struct Group {
    std::string place;  // the lines, or without lines the addresses
    const Warp* first;
    std::size_t others = 0;
  };
  std::vector<Group> groups;
  for (const Warp& warp : warps_) {
    std::string place = (warp.at_barrier ? "at a barrier" : "") + warp.locks;
    for (const auto& [lanes, pc] : {std::pair{warp.active, warp.pc}, {warp.parked, warp.parked_pc}}) {
      const std::string line = remark(pc);
      if (lanes != 0) place += line.empty() ? fmt::format(" {:x}", pc) : line;
    }
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& one) { return one.place == place; });
    same == groups.end() ? groups.push_back({std::move(place), &warp}) : void(++same->others);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.others > b.others; });
  std::string out;
  for (std::size_t i = 0; i < std::min(groups.size(), kMostLines); ++i) {
    const Group& group = groups[i];
    out += fmt::format("\n  {}: warp {}{}{}: {}", group.first->block, group.first->number,
                       group.others != 0 ? fmt::format(" and {} more", group.others) : "",
                       group.first->at_barrier ? ", at a barrier" : "", lanes_text(*group.first));
  }
  if (groups.size() > kMostLines) out += fmt::format("\n  and at {} more places", groups.size() - kMostLines);
  return out;
}

}  // namespace g80
