// Correctly rounded fp32 division and square root, which the chip does not have: an estimate from the SFU, made exact
// in integers. Subnormal numbers are zero, as everywhere on this chip.
#pragma once
#include "kernels/toolchain/compiler/codegen/ir_builder.h"

namespace g80::codegen {

/// a / b rounded to nearest even.
ir::ValueId exact_divide(IrBuilder& b, ir::ValueId dividend, ir::ValueId divisor);
/// The square root rounded to nearest even.
ir::ValueId exact_sqrt(IrBuilder& b, ir::ValueId value);

}  // namespace g80::codegen
