// SPDX-License-Identifier: Apache-2.0
// What the SMs' profiles say about each instruction of a kernel.
#pragma once
#include <vector>

#include "hw/bundles/pc_profile.h"
#include "hw/isa/encoding.h"
#include "tb/scenario/run_result.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// One entry for each instruction of the kernel in the order of its code, and for whatever else was counted; summed
/// over the profiles, which have the kernel's words from its first on.
std::vector<PcCounters> pc_statistics(const std::vector<PcProfile>& profiles, const Kernel& kernel, isa::Arch arch);

}  // namespace g80
