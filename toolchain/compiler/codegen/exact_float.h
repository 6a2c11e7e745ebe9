// SPDX-License-Identifier: Apache-2.0
// Correctly rounded fp32 arithmetic that the chip does not have, computed with integers: division and square root from
// an estimate of the SFU, sums of products, conversions of 64-bit integers. Every rounding of PTX. Subnormal numbers
// are zero, as everywhere on this chip; a result that rounds up to the smallest normal number is that number.
#pragma once
#include "toolchain/compiler/codegen/ir_builder.h"

namespace g80::codegen {

/// a / b.
ir::ValueId exact_divide(IrBuilder& b, ir::ValueId dividend, ir::ValueId divisor, ir::Round round);
/// The square root.
ir::ValueId exact_sqrt(IrBuilder& b, ir::ValueId value, ir::Round round);
/// x * y + z, rounded once.
ir::ValueId exact_multiply_add(IrBuilder& b, ir::ValueId x, ir::ValueId y, ir::ValueId z, ir::Round round);
/// x * y. (The chip rounds products and sums to nearest and to zero.)
ir::ValueId exact_product(IrBuilder& b, ir::ValueId x, ir::ValueId y, ir::Round round);
/// An i64 as f32.
ir::ValueId wide_to_float(IrBuilder& b, ir::ValueId value, bool is_signed, ir::Round round);
/// An f32 as i64, clamped; NaN is 2^63, as with the instruction of sm_13.
ir::ValueId float_to_wide(IrBuilder& b, ir::ValueId value, bool is_signed, ir::Round round);

}  // namespace g80::codegen
