// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/twin_select.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "hw/common/input_error.h"
#include "rtl/adapters/bank_conflict_rtl.h"
#include "rtl/adapters/coalescer_rtl.h"
#include "rtl/adapters/warp_scheduler_rtl.h"

namespace g80 {
namespace {

class SelectedTwins final : public BlockFactory {
 public:
  explicit SelectedTwins(const std::set<std::string>& names)
      : bank_conflict_(names.count("bank_conflict") != 0),
        coalescer_(names.count("coalescer") != 0),
        warp_scheduler_(names.count("warp_scheduler") != 0) {}

  std::unique_ptr<BankConflictPorts> bank_conflict(const char* name, const Config& config) const override {
    if (bank_conflict_) return std::make_unique<BankConflictRtl>(name, config);
    return BlockFactory::bank_conflict(name, config);
  }
  std::unique_ptr<CoalescerPorts> coalescer(const char* name, const Config& config, unsigned tpc,
                                            unsigned sm_in_tpc) const override {
    if (coalescer_) return std::make_unique<CoalescerRtl>(name, config, tpc, sm_in_tpc);
    return BlockFactory::coalescer(name, config, tpc, sm_in_tpc);
  }
  std::unique_ptr<WarpSchedulerPorts> warp_scheduler(const char* name, const Config& config) const override {
    if (warp_scheduler_) return std::make_unique<WarpSchedulerRtl>(name, config);
    return BlockFactory::warp_scheduler(name, config);
  }

 private:
  const bool bank_conflict_, coalescer_, warp_scheduler_;
};

std::string allowed_names() {
  std::string names;
  for (const TwinInfo& twin : twins()) names += fmt::format("{}, ", twin.name);
  return names + "all";
}

}  // namespace

const std::vector<TwinInfo>& twins() {
  static const std::vector<TwinInfo> list = {
      {"bank_conflict", "rtl/smem/bank_conflict.sv", "passes of a half-warp's access to s[]"},
      {"coalescer", "rtl/mem/coalescer.sv", "memory transactions of a half-warp"},
      {"warp_scheduler", "rtl/sm/warp_scheduler.sv", "the warp that issues, or the stall reason"},
  };
  return list;
}

std::unique_ptr<const BlockFactory> select_twins(const std::string& list) {
  std::set<std::string> chosen;
  for (std::size_t at = 0; at <= list.size() && !list.empty();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const std::string name = list.substr(at, comma - at);
    at = comma + 1;
    if (name == "all") {
      for (const TwinInfo& twin : twins()) chosen.insert(twin.name);
    } else if (std::any_of(twins().begin(), twins().end(), [&](const TwinInfo& twin) { return name == twin.name; })) {
      chosen.insert(name);
    } else {
      throw InputError(
          fmt::format("--rtl {}: block '{}' has no RTL twin; allowed are {}", list, name, allowed_names()));
    }
  }
  return std::make_unique<SelectedTwins>(chosen);
}

}  // namespace g80
