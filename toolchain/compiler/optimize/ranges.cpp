// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/optimize/ranges.h"

#include <algorithm>

namespace g80::ir {
namespace {

constexpr unsigned kMaxDepth = 12;

/// Ranges by the chip's limits (compute capability 1.x: blocks of 512 threads, 64 in z; grids of 65535 x 65535 blocks).
Range special_range(Special special) {
  switch (special) {
    case Special::kTidX:
    case Special::kTidY: return {0, 511};
    case Special::kTidZ: return {0, 63};
    case Special::kNtidX:
    case Special::kNtidY: return {1, 512};
    case Special::kNtidZ: return {1, 64};
    case Special::kCtaidX:
    case Special::kCtaidY: return {0, 65534};
    case Special::kNctaidX:
    case Special::kNctaidY: return {1, 65535};
    case Special::kLaneid:
    case Special::kWarpid: return {0, 31};
    case Special::kSmid:
    case Special::kGridid: return {0, 65535};
    default: return {};
  }
}

Range checked(std::int64_t low, std::int64_t high) {
  if (low < INT32_MIN || high > INT32_MAX) return {};
  return {low, high};
}

/// The smallest number 2^k - 1 that is at least v.
std::int64_t all_ones(std::int64_t v) {
  std::int64_t ones = 0;
  while (ones < v) ones = ones * 2 + 1;
  return ones;
}

}  // namespace

Range Ranges::of(ValueId value, unsigned depth) {
  const Value& v = function_.values[value];
  if (v.type != Type::kI32) return {};
  if (v.is_constant()) {
    const std::int64_t n = static_cast<std::int32_t>(static_cast<std::uint32_t>(v.bits));
    return {n, n};
  }
  if (v.undefined || depth > kMaxDepth) return {};
  if (value < has_.size() && has_[value]) return known_[value];
  const Range range = compute(function_.insts[v.def], depth + 1);
  learn(value, range);  // may be wider than necessary, because the depth is limited
  return range;
}

void Ranges::learn(ValueId value, const Range& range) {
  if (known_.size() <= value) {
    known_.resize(function_.values.size(), Range{});
    has_.resize(function_.values.size(), 0);
  }
  known_[value] = range;
  has_[value] = 1;
}

Range Ranges::compute(const Inst& inst, unsigned depth) {
  const auto arg = [&](std::size_t k) { return of(inst.operands[k], depth); };
  const auto constant = [&](std::size_t k) {
    const Value& v = function_.values[inst.operands[k]];
    return v.is_constant() ? static_cast<std::int64_t>(v.bits) : std::int64_t{-1};
  };
  switch (inst.op) {
    case Op::kSpecial: return special_range(inst.special);
    case Op::kZext8: {
      const Range r = arg(0);
      return r.within(0, 255) ? r : Range{0, 255};
    }
    case Op::kZext16: {
      const Range r = arg(0);
      return r.within(0, 65535) ? r : Range{0, 65535};
    }
    case Op::kSext8: return {-128, 127};
    case Op::kSext16: return {-32768, 32767};
    case Op::kCopy: return arg(0);
    case Op::kSelect: {
      const Range a = arg(1), b = arg(2);
      return {std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    case Op::kAdd: {
      const Range a = arg(0), b = arg(1);
      return checked(a.low + b.low, a.high + b.high);
    }
    case Op::kSub: {
      const Range a = arg(0), b = arg(1);
      return checked(a.low - b.high, a.high - b.low);
    }
    case Op::kNeg: {
      const Range a = arg(0);
      return checked(-a.high, -a.low);
    }
    case Op::kMul:
    case Op::kMul24U:
    case Op::kMul24S: {
      const Range a = arg(0), b = arg(1);
      if (inst.op == Op::kMul24U && !(a.within(0, 0xffffff) && b.within(0, 0xffffff))) return {};
      if (inst.op == Op::kMul24S && !(a.within(-0x800000, 0x7fffff) && b.within(-0x800000, 0x7fffff))) return {};
      const std::int64_t p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
      return checked(*std::min_element(p, p + 4), *std::max_element(p, p + 4));
    }
    case Op::kAnd: {
      const Range a = arg(0), b = arg(1);
      if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
      if (a.low >= 0) return {0, a.high};
      if (b.low >= 0) return {0, b.high};
      return {};
    }
    case Op::kOr:
    case Op::kXor: {
      const Range a = arg(0), b = arg(1);
      if (a.low >= 0 && b.low >= 0) return {0, all_ones(std::max(a.high, b.high))};
      return {};
    }
    case Op::kShl: {
      const Range a = arg(0);
      const std::int64_t n = constant(1);
      if (n < 0 || n > 31) return {};
      return checked(a.low * (std::int64_t{1} << n), a.high * (std::int64_t{1} << n));
    }
    case Op::kShrU: {
      const Range a = arg(0);
      const std::int64_t n = constant(1);
      if (n < 0) return a.low >= 0 ? Range{0, a.high} : Range{};
      if (n > 31) return {0, 0};
      if (a.low >= 0) return {a.low >> n, a.high >> n};
      return n == 0 ? Range{} : Range{0, std::int64_t{0xffffffff} >> n};
    }
    case Op::kShrS: {
      const Range a = arg(0);
      const std::int64_t n = constant(1);
      if (n < 0) return a.low >= 0 ? Range{0, a.high} : Range{};
      return {a.low >> std::min<std::int64_t>(n, 31), a.high >> std::min<std::int64_t>(n, 31)};
    }
    case Op::kMinS: {
      const Range a = arg(0), b = arg(1);
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    }
    case Op::kMaxS: {
      const Range a = arg(0), b = arg(1);
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    }
    case Op::kMinU: {
      const Range a = arg(0), b = arg(1);
      if (a.low >= 0 && b.low >= 0) return {std::min(a.low, b.low), std::min(a.high, b.high)};
      if (a.low >= 0) return {0, a.high};
      if (b.low >= 0) return {0, b.high};
      return {};
    }
    case Op::kRemU: {
      const Range b = arg(1);
      return b.low > 0 ? Range{0, b.high - 1} : Range{};
    }
    case Op::kDivU: {
      const Range a = arg(0), b = arg(1);
      return a.low >= 0 && b.low > 0 ? Range{a.low / b.high, a.high / b.low} : Range{};
    }
    case Op::kLoad:
      switch (inst.access) {
        case Access::kU8: return {0, 255};
        case Access::kS8: return {-128, 127};
        case Access::kU16: return {0, 65535};
        case Access::kS16: return {-32768, 32767};
        default: return {};
      }
    case Op::kTrunc: {
      const Value& v = function_.values[inst.operands[0]];
      if (v.def == kNone) return {};
      const Inst& source = function_.insts[v.def];
      if (source.op == Op::kZext32 || source.op == Op::kSext32) return of(source.operands[0], depth);
      return {};
    }
    default: return {};
  }
}

}  // namespace g80::ir
