// The policies of the DRAM controller, dram.policy: which of the commands that are legal now goes out. A policy is an order
// and a row of the table below.
//
// Only dram_controller.cpp and the configuration, which takes the names from here, include this file: a new policy
// rebuilds these two.
#pragma once
#include <cstddef>
#include <string_view>

#include "hw/config/config.h"
#include "hw/dram/fr_fcfs.h"

namespace g80 {

struct DramPolicyRow {
  std::string_view name;
  GoesBefore goes_before;
  bool oldest_only;  // nothing but what the oldest burst needs
};
inline constexpr DramPolicyRow kDramPolicies[] = {
    {"fr_fcfs", fr_fcfs_order, false},
    {"fcfs", fr_fcfs_order, true},
};

static_assert(!kDramPolicies[static_cast<std::size_t>(DramPolicy::kFrFcfs)].oldest_only &&
                  kDramPolicies[static_cast<std::size_t>(DramPolicy::kFcfs)].oldest_only,
              "the names of config.h are those of the first rows");

}  // namespace g80
