// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/ranges.h"

#include <algorithm>

namespace g80::codegen {
namespace {

using ir::Op;
using ir::ValueId;

constexpr unsigned kMaxDepth = 8;

unsigned width(std::uint64_t value) {
  unsigned n = 0;
  for (; value != 0; value >>= 1) ++n;
  return n;
}

// Bits by the limits of the chip: 512 threads in a block (64 in z), 65535 blocks in a dimension.
unsigned special_bits(ir::Special special) {
  switch (special) {
    case ir::Special::kTidX:
    case ir::Special::kTidY: return 9;
    case ir::Special::kTidZ: return 6;
    case ir::Special::kNtidX:
    case ir::Special::kNtidY: return 10;
    case ir::Special::kNtidZ: return 7;
    case ir::Special::kCtaidX:
    case ir::Special::kCtaidY:
    case ir::Special::kNctaidX:
    case ir::Special::kNctaidY:
    case ir::Special::kGridid: return 16;
    case ir::Special::kCtaidZ: return 0;
    case ir::Special::kNctaidZ: return 1;
    case ir::Special::kLaneid: return 5;
    case ir::Special::kWarpid:
    case ir::Special::kSmid: return 8;
    default: return 32;
  }
}

}  // namespace

unsigned Ranges::bits(ValueId value, unsigned depth) const {
  const ir::Value& v = f_.values[value];
  if (v.is_constant()) return width(v.bits & 0xffffffffu);
  const ir::Inst* def = f_.def(value);
  if (def == nullptr || depth > kMaxDepth || v.type != ir::Type::kI32) return 32;
  const auto operand = [&](unsigned i) { return bits(def->operands[i], depth + 1); };
  const auto count = [&]() -> int {
    const ir::Value& c = f_.values[def->operands[1]];
    return c.is_constant() ? static_cast<int>(std::min<std::uint64_t>(c.bits, 32)) : -1;
  };
  switch (def->op) {
    case Op::kSpecial: return special_bits(def->special);
    case Op::kZext8: return std::min(8u, operand(0));
    case Op::kZext16: return std::min(16u, operand(0));
    case Op::kLoad: return def->access == ir::Access::kU8 ? 8 : def->access == ir::Access::kU16 ? 16 : 32;
    case Op::kAnd: return std::min(operand(0), operand(1));
    case Op::kOr:
    case Op::kXor:
    case Op::kMaxU: return std::max(operand(0), operand(1));
    case Op::kMinU: return std::min(operand(0), operand(1));
    case Op::kAdd: return std::min(32u, std::max(operand(0), operand(1)) + 1);
    case Op::kMul:
    case Op::kMul24U: return std::min(32u, operand(0) + operand(1));
    case Op::kCopy: return operand(0);
    case Op::kSelect: return std::max(operand(1), operand(2));
    case Op::kShrU: return count() < 0 ? operand(0) : operand(0) - std::min<unsigned>(count(), operand(0));
    case Op::kShl: return count() < 0 ? 32 : operand(0) == 0 ? 0 : std::min(32u, operand(0) + count());
    case Op::kDivU: return operand(0);
    case Op::kRemU: return std::min(operand(0), operand(1));
    default: return 32;
  }
}

unsigned Ranges::sbits(ValueId value, unsigned depth) const {
  const ir::Value& v = f_.values[value];
  if (v.is_constant()) {
    const std::int32_t number = static_cast<std::int32_t>(static_cast<std::uint32_t>(v.bits));
    return width(static_cast<std::uint32_t>(number < 0 ? ~number : number)) + 1;
  }
  const unsigned positive = bits(value, depth);
  if (positive < 32) return positive + 1;
  const ir::Inst* def = f_.def(value);
  if (def == nullptr || depth > kMaxDepth || v.type != ir::Type::kI32) return 32;
  const auto operand = [&](unsigned i) { return sbits(def->operands[i], depth + 1); };
  switch (def->op) {
    case Op::kSext8: return std::min(8u, operand(0));
    case Op::kSext16: return std::min(16u, operand(0));
    case Op::kLoad: return def->access == ir::Access::kS8 ? 8 : def->access == ir::Access::kS16 ? 16 : 32;
    case Op::kAdd:
    case Op::kSub: return std::min(32u, std::max(operand(0), operand(1)) + 1);
    case Op::kMul: return std::min(32u, operand(0) + operand(1));
    case Op::kNeg: return std::min(32u, operand(0) + 1);
    case Op::kCopy: return operand(0);
    case Op::kMinS:
    case Op::kMaxS: return std::max(operand(0), operand(1));
    case Op::kSelect: return std::max(operand(1), operand(2));
    case Op::kShrS: {
      const ir::Value& c = f_.values[def->operands[1]];
      if (!c.is_constant()) return operand(0);
      return operand(0) -
             std::min<unsigned>(static_cast<unsigned>(std::min<std::uint64_t>(c.bits, 31)), operand(0) - 1);
    }
    default: return 32;
  }
}

}  // namespace g80::codegen
