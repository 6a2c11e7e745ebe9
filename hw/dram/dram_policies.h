// SPDX-License-Identifier: Apache-2.0
// The policies of the DRAM controller, dram.policy: which of the commands that are legal now goes out. A policy is an
// order here and its name in hw/config/policies.def.
//
// Only dram_controller.cpp includes this file: a new policy rebuilds it and the list of names.
#pragma once
#include <cstddef>
#include <string_view>

#include "hw/config/config.h"
#include "hw/dram/fr_fcfs.h"

namespace g80 {

struct DramPolicyRow {
  GoesBefore goes_before;
  bool oldest_only;  // nothing but what the oldest burst needs
};
inline constexpr DramPolicyRow fr_fcfs{fr_fcfs_order, false};
inline constexpr DramPolicyRow fcfs{fr_fcfs_order, true};

inline constexpr DramPolicyRow kDramPolicies[] = {
#define DRAM_POLICY(name) name,
#include "hw/config/policies.def"
};

static_assert(!kDramPolicies[static_cast<std::size_t>(DramPolicy::kFrFcfs)].oldest_only &&
                  kDramPolicies[static_cast<std::size_t>(DramPolicy::kFcfs)].oldest_only,
              "the names of config.h are those of the first rows");

}  // namespace g80
