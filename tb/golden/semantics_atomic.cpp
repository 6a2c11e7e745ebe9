// SPDX-License-Identifier: Apache-2.0
// New memory values of the global atomic operations.
#include "tb/golden/semantics.h"

namespace g80::golden {

using namespace isa;

std::uint32_t atomic32(unsigned op, bool is_signed, std::uint32_t old_value, std::uint32_t b, std::uint32_t c) {
  const auto signed_less = [](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
  };
  switch (static_cast<AtomOp>(op)) {
    case AtomOp::kAdd: return old_value + b;
    case AtomOp::kExch: return b;
    case AtomOp::kCas: return old_value == b ? c : old_value;
    case AtomOp::kInc: return old_value >= b ? 0 : old_value + 1;
    case AtomOp::kDec: return old_value - 1 > b ? b : old_value - 1;
    case AtomOp::kMax: return (is_signed ? signed_less(old_value, b) : old_value < b) ? b : old_value;
    case AtomOp::kMin: return (is_signed ? signed_less(b, old_value) : b < old_value) ? b : old_value;
    case AtomOp::kAnd: return old_value & b;
    case AtomOp::kOr: return old_value | b;
    case AtomOp::kXor: return old_value ^ b;
  }
  return old_value;
}

std::uint64_t atomic64(unsigned op, std::uint64_t old_value, std::uint64_t b, std::uint64_t c) {
  switch (static_cast<AtomOp>(op)) {
    case AtomOp::kAdd: return old_value + b;
    case AtomOp::kExch: return b;
    case AtomOp::kCas: return old_value == b ? c : old_value;
    default: return old_value;
  }
}

}  // namespace g80::golden
