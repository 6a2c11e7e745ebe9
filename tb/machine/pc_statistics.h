// SPDX-License-Identifier: Apache-2.0
// Counters per instruction of a kernel, from the profiles of the SMs.
#pragma once
#include <vector>

#include "hw/isa/encoding.h"
#include "tb/record/pc_profile.h"
#include "tb/scenario/run_result.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// One entry for each instruction of the kernel in the order of its code, and for any other counted pc; summed
/// over the profiles, which have the kernel's words from its first on.
std::vector<PcCounters> pc_statistics(const std::vector<PcProfile>& profiles, const Kernel& kernel, isa::Arch arch);

}  // namespace g80
