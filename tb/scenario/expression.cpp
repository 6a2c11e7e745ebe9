// SPDX-License-Identifier: Apache-2.0
// Evaluation of compiled expressions; the parser is in expression_parser.cpp.
#include "tb/scenario/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "input/input_error.h"
#include "input/operators.h"

namespace g80 {
namespace {

/// Counter-based random bits (the finaliser of SplitMix64): element i does not depend on the elements before it.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

int compare(const Value& a, const Value& b) {  // -1, 0, 1; 2 with a NaN
  if (a.is_float || b.is_float) {
    const double x = a.as_real(), y = b.as_real();
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
  }
  return a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
}

class Evaluation {
 public:
  explicit Evaluation(const std::string& text) : text_(text) {}

  [[noreturn]] void fail(const std::string& why) const { throw InputError(fmt::format("in '{}': {}", text_, why)); }

  std::int64_t integer(const Value& value, const char* operation) const {
    if (value.is_float) fail(fmt::format("{} needs integers, but {} is not an integer", operation, value.text()));
    return value.integer;
  }

  Value binary(Operator::Name op, const Value& a, const Value& b) const {
    const bool real = a.is_float || b.is_float;
    std::int64_t r = 0;
    switch (op) {
      case Operator::kAdd:
        if (real) return Value::of_real(a.as_real() + b.as_real());
        if (__builtin_add_overflow(a.integer, b.integer, &r)) overflow();
        return Value::of(r);
      case Operator::kSubtract:
        if (real) return Value::of_real(a.as_real() - b.as_real());
        if (__builtin_sub_overflow(a.integer, b.integer, &r)) overflow();
        return Value::of(r);
      case Operator::kMultiply:
        if (real) return Value::of_real(a.as_real() * b.as_real());
        if (__builtin_mul_overflow(a.integer, b.integer, &r)) overflow();
        return Value::of(r);
      case Operator::kDivide:
        if (real) return Value::of_real(a.as_real() / b.as_real());
        check_divisor(a.integer, b.integer);
        return Value::of(a.integer / b.integer);
      case Operator::kModulo: {
        const std::int64_t x = integer(a, "%"), y = integer(b, "%");
        check_divisor(x, y);
        return Value::of(x % y);
      }
      case Operator::kShiftLeft: return shift(a, b, true);
      case Operator::kShiftRight: return shift(a, b, false);
      case Operator::kAnd: return Value::of(integer(a, "&") & integer(b, "&"));
      case Operator::kOr: return Value::of(integer(a, "|") | integer(b, "|"));
      case Operator::kXor: return Value::of(integer(a, "^") ^ integer(b, "^"));
      case Operator::kEqual: return Value::of(compare(a, b) == 0);
      case Operator::kNotEqual: return Value::of(compare(a, b) != 0);
      case Operator::kLess: return Value::of(compare(a, b) == -1);
      case Operator::kLessEqual: return Value::of(compare(a, b) <= 0);
      case Operator::kGreater: return Value::of(compare(a, b) == 1);
      case Operator::kGreaterEqual: return Value::of(compare(b, a) <= 0);
      case Operator::kLogicalOr:
      case Operator::kLogicalAnd: break;  // jumps
    }
    return a;
  }
  Value negate(const Value& a) const { return binary(Operator::kSubtract, Value::of(0), a); }
  Value ceil_div(const Value& a, const Value& b) const {
    const std::int64_t x = integer(a, "ceil_div"), y = integer(b, "ceil_div");
    if (x < 0 || y <= 0) fail("ceil_div needs a dividend of at least 0 and a divisor of at least 1");
    return Value::of(x / y + (x % y != 0));
  }
  Value shift(const Value& a, const Value& b, bool left) const {
    const std::int64_t x = integer(a, "a shift"), n = integer(b, "a shift");
    if (n < 0 || n > 62) fail(fmt::format("shift count {} is outside 0 to 62", n));
    if (!left) return Value::of(x >> n);
    std::int64_t r = 0;
    if (__builtin_mul_overflow(x, std::int64_t{1} << n, &r)) overflow();
    return Value::of(r);
  }
  Value uniform(const EvaluationContext& context, unsigned serial, const Value& lo, const Value& hi) const {
    const double unit = static_cast<double>(bits(context, serial) >> 11) * 0x1p-53;
    return Value::of_real(lo.as_real() + (hi.as_real() - lo.as_real()) * unit);
  }
  Value random(const EvaluationContext& context, unsigned serial, const Value& lo, const Value& hi) const {
    const std::int64_t low = integer(lo, "random"), high = integer(hi, "random");
    if (low > high) fail(fmt::format("random({}, {}) is an empty range", low, high));
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t drawn = bits(context, serial);
    return Value::of(static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + (span == 0 ? drawn : drawn % span)));
  }
  Value log2(const Value& a) const {  // of an integer, rounded down
    const std::int64_t x = integer(a, "log2");
    if (x < 1) fail(fmt::format("log2({}): allowed is an integer of at least 1", x));
    return Value::of(63 - __builtin_clzll(static_cast<unsigned long long>(x)));
  }
  Value to_int(const Value& a) const {
    if (!a.is_float) return a;
    if (!(std::fabs(a.real) < 0x1p63)) fail(fmt::format("int({}) is out of range", a.text()));
    return Value::of(static_cast<std::int64_t>(a.real));
  }
  [[noreturn]] void overflow() const { fail("integer overflow of 64 bits"); }

 private:
  static std::uint64_t bits(const EvaluationContext& context, unsigned serial) {
    return mix(mix(context.random_stream + serial) ^ context.random_index);
  }
  void check_divisor(std::int64_t a, std::int64_t b) const {
    if (b == 0) fail("division by zero");
    if (b == -1 && a == INT64_MIN) overflow();
  }
  const std::string& text_;
};

}  // namespace

std::string Value::text() const { return is_float ? fmt::format("{}", real) : fmt::format("{}", integer); }

Value Expression::evaluate(const EvaluationContext& context) const {
  const Evaluation ev(text_);
  std::array<Value, kMaxDepth + 1> stack;  // the parser refuses expressions that need more
  std::size_t top = 0;                     // stack[top - 1] is the topmost value
  const auto truth = [](bool b) { return Value::of(b ? 1 : 0); };
  for (std::size_t pc = 0; pc < code_.size(); ++pc) {
    const Code& code = code_[pc];
    Value& a = stack[top >= 2 ? top - 2 : 0];             // first operand of two
    const Value b = top >= 1 ? stack[top - 1] : Value{};  // second of two, or the only one
    switch (code.step) {
      case Step::kConstant: stack[top++] = code.constant; break;
      case Step::kSlot: stack[top++] = (*context.slots)[code.operand]; break;
      case Step::kJump: pc = code.operand - 1; break;
      case Step::kJumpIfFalse:
        --top;
        if (!b.truth()) pc = code.operand - 1;
        break;
      case Step::kNegate: stack[top - 1] = ev.negate(b); break;
      case Step::kInvert: stack[top - 1] = Value::of(~ev.integer(b, "~")); break;
      case Step::kNot: stack[top - 1] = truth(!b.truth()); break;
      case Step::kTruth: stack[top - 1] = truth(b.truth()); break;
      case Step::kBinary: a = ev.binary(static_cast<Operator::Name>(code.operand), a, b), --top; break;
      case Step::kMin: a = compare(b, a) == -1 ? b : a, --top; break;
      case Step::kMax: a = compare(b, a) == 1 ? b : a, --top; break;
      case Step::kAbs: stack[top - 1] = compare(b, Value::of(0)) == -1 ? ev.negate(b) : b; break;
      case Step::kCeilDiv: a = ev.ceil_div(a, b), --top; break;
      case Step::kFloat: stack[top - 1] = Value::of_real(b.as_real()); break;
      case Step::kInt: stack[top - 1] = ev.to_int(b); break;
      case Step::kF32:  // integers round to float once, not through double
        stack[top - 1] = Value::of_real(b.is_float ? static_cast<float>(b.real) : static_cast<float>(b.integer));
        break;
      case Step::kSqrt: stack[top - 1] = Value::of_real(std::sqrt(b.as_real())); break;
      case Step::kLog2: stack[top - 1] = ev.log2(b); break;
      case Step::kPick: {  // pick(k, v0, v1, ...): operand = number of choices
        const std::size_t base = top - code.operand;
        const std::int64_t k = ev.integer(stack[base - 1], "pick");
        if (k < 0 || k >= static_cast<std::int64_t>(code.operand)) {
          ev.fail(fmt::format("pick has {} choices, {} is not one of 0 to {}", code.operand, k, code.operand - 1));
        }
        stack[base - 1] = stack[base + static_cast<std::size_t>(k)];
        top = base;
        break;
      }
      case Step::kUniform: a = ev.uniform(context, code.operand, a, b), --top; break;
      case Step::kRandom: a = ev.random(context, code.operand, a, b), --top; break;
    }
  }
  return stack[0];
}

bool Expression::same_everywhere(std::size_t slot) const {
  return std::none_of(code_.begin(), code_.end(), [slot](const Code& code) {
    return code.step == Step::kUniform || code.step == Step::kRandom ||
           (code.step == Step::kSlot && code.operand == slot);
  });
}

}  // namespace g80
