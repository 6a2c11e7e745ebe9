// SPDX-License-Identifier: Apache-2.0
// The binary operators of C with C's precedence, for all texts with expressions: scenarios and events, assembler, PTX.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace g80 {

struct Operator {
  enum Name : std::uint8_t {
    kLogicalOr,
    kLogicalAnd,
    kOr,
    kXor,
    kAnd,
    kEqual,
    kNotEqual,
    kLess,
    kGreater,
    kLessEqual,
    kGreaterEqual,
    kShiftLeft,
    kShiftRight,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kModulo
  };
  std::string_view text;
  Name name;
  unsigned level;  // a larger one binds more
};

/// Those of two characters come first.
inline constexpr std::array<Operator, 18> kOperators = {{{"||", Operator::kLogicalOr, 1},
                                                         {"&&", Operator::kLogicalAnd, 2},
                                                         {"==", Operator::kEqual, 6},
                                                         {"!=", Operator::kNotEqual, 6},
                                                         {"<=", Operator::kLessEqual, 7},
                                                         {">=", Operator::kGreaterEqual, 7},
                                                         {"<<", Operator::kShiftLeft, 8},
                                                         {">>", Operator::kShiftRight, 8},
                                                         {"|", Operator::kOr, 3},
                                                         {"^", Operator::kXor, 4},
                                                         {"&", Operator::kAnd, 5},
                                                         {"<", Operator::kLess, 7},
                                                         {">", Operator::kGreater, 7},
                                                         {"+", Operator::kAdd, 9},
                                                         {"-", Operator::kSubtract, 9},
                                                         {"*", Operator::kMultiply, 10},
                                                         {"/", Operator::kDivide, 10},
                                                         {"%", Operator::kModulo, 10}}};

/// The operator with which `text` begins; null: none.
inline const Operator* operator_at(std::string_view text) {
  for (const Operator& op : kOperators) {
    if (text.substr(0, op.text.size()) == op.text) return &op;
  }
  return nullptr;
}

/// Operands with operators between them that bind more than `above`. The parser has
///   operand()
///   next_operator(): the one that comes next, which stays there; null: none
///   combine(op, left, right): takes the operator, then calls right() for the operand behind it
template <class Parser>
auto parse_operators(Parser& parser, unsigned above = 0) -> decltype(parser.operand()) {
  auto left = parser.operand();
  for (const Operator* op = parser.next_operator(); op != nullptr && op->level > above; op = parser.next_operator()) {
    left = parser.combine(*op, std::move(left), [&] { return parse_operators(parser, op->level); });
  }
  return left;
}

/// The operators on integers of 64 bits that wrap. Nothing: division by zero.
inline std::optional<std::uint64_t> apply(Operator::Name op, std::uint64_t x, std::uint64_t y, bool is_unsigned) {
  const auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
  switch (op) {
    case Operator::kLogicalOr: return x != 0 || y != 0;
    case Operator::kLogicalAnd: return x != 0 && y != 0;
    case Operator::kOr: return x | y;
    case Operator::kXor: return x ^ y;
    case Operator::kAnd: return x & y;
    case Operator::kEqual: return x == y;
    case Operator::kNotEqual: return x != y;
    case Operator::kLess: return is_unsigned ? x < y : sx < sy;
    case Operator::kGreater: return is_unsigned ? x > y : sx > sy;
    case Operator::kLessEqual: return is_unsigned ? x <= y : sx <= sy;
    case Operator::kGreaterEqual: return is_unsigned ? x >= y : sx >= sy;
    case Operator::kShiftLeft: return y < 64 ? x << y : 0;
    case Operator::kShiftRight:
      return is_unsigned ? (y < 64 ? x >> y : 0) : static_cast<std::uint64_t>(sx >> (y < 63 ? y : 63));
    case Operator::kAdd: return x + y;
    case Operator::kSubtract: return x - y;
    case Operator::kMultiply: return x * y;
    case Operator::kDivide:
    case Operator::kModulo: break;
  }
  if (y == 0) return std::nullopt;
  const bool wraps = !is_unsigned && sy == -1;  // the least number has no opposite
  const std::uint64_t quotient = is_unsigned ? x / y : wraps ? 0 - x : static_cast<std::uint64_t>(sx / sy);
  return op == Operator::kDivide ? quotient : x - quotient * y;
}

}  // namespace g80
