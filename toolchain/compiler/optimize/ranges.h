// SPDX-License-Identifier: Apache-2.0
// What is known about the size of i32 values: an interval of signed numbers.
#pragma once
#include <cstdint>
#include <vector>

#include "toolchain/compiler/ir/ir.h"

namespace g80::ir {

struct Range {
  std::int64_t low = INT32_MIN, high = INT32_MAX;
  bool within(std::int64_t least, std::int64_t most) const { return low >= least && high <= most; }
};

/// Ranges of one state of a function: to be made anew after changes.
class Ranges {
 public:
  explicit Ranges(const Function& function) : function_(function) {}
  /// Of an i32 value read as a signed number.
  Range of(ValueId value) { return of(value, 0); }
  /// Before anything is asked for: of a value of which it would know nothing.
  void suppose(ValueId value, const Range& range) { learn(value, range); }

 private:
  Range of(ValueId value, unsigned depth);
  Range compute(const Inst& inst, unsigned depth);
  void learn(ValueId value, const Range& range);

  const Function& function_;
  std::vector<Range> known_;
  std::vector<std::uint8_t> has_;
};

}  // namespace g80::ir
