// SPDX-License-Identifier: Apache-2.0
// How large an i32 value can be: decides between 16-, 24- and 32-bit multiplication.
#pragma once
#include <cstdint>
#include <vector>

#include "toolchain/compiler/ir/ir.h"

namespace g80::codegen {

class Ranges {
 public:
  explicit Ranges(const ir::Function& function) : f_(function) {}

  /// The value is below 2^n as an unsigned number; 32 if nothing is known.
  unsigned unsigned_bits(ir::ValueId value) const { return bits(value, 0); }
  /// The value is in [-2^(n-1), 2^(n-1)) as a signed number.
  unsigned signed_bits(ir::ValueId value) const { return sbits(value, 0); }

 private:
  unsigned bits(ir::ValueId value, unsigned depth) const;
  unsigned sbits(ir::ValueId value, unsigned depth) const;

  const ir::Function& f_;
};

}  // namespace g80::codegen
