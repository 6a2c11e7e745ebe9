// SPDX-License-Identifier: Apache-2.0
// Takes back that clang makes one cvt.sat.f32 of fminf(fmaxf(x, 0), 1). Of a NaN the maximum is 0, but the chip's
// saturation leaves it.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// PTX as clang writes it, with a maximum and a minimum for each saturation that does not come from inline assembly
/// (__saturatef), which has no tab in front of the operands.
std::string mend_saturations(std::string_view ptx);

}  // namespace g80::cuda
