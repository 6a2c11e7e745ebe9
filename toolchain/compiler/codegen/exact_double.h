// SPDX-License-Identifier: Apache-2.0
// Division and roots of doubles, which the chip does not have: fp32 estimates of the SFU, refined with the fused
// multiply-add of sm_13. Subnormal numbers are supported.
#pragma once
#include "toolchain/compiler/codegen/ir_builder.h"

namespace g80::codegen {

/// a / b and the square root, rounded to nearest even.
ir::ValueId double_divide(IrBuilder& b, ir::ValueId dividend, ir::ValueId divisor);
ir::ValueId double_sqrt(IrBuilder& b, ir::ValueId value);
/// 1 / sqrt(a), with an error of about one unit in the last place.
ir::ValueId double_rsqrt(IrBuilder& b, ir::ValueId value);

}  // namespace g80::codegen
