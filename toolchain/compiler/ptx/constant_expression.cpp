// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/constant_expression.h"

#include <cctype>

#include "hw/isa/float_bits.h"
#include "input/operators.h"

namespace g80::ptx {
namespace {

constexpr unsigned kMaxDepth = 100;  // of parentheses: a text with more is not a program

class ExpressionParser {
 public:
  explicit ExpressionParser(Cursor& cursor) : cursor_(cursor) {}

  Constant conditional() {
    const Depth depth(*this);
    const Constant condition = parse_operators(*this);
    if (!cursor_.accept("?")) return condition;
    const Constant yes = conditional();
    cursor_.expect(":", "in a conditional expression");
    const Constant no = conditional();
    need_integer(condition);
    return condition.bits != 0 ? yes : no;
  }

  Constant operand() { return unary(); }
  const Operator* next_operator() const {
    const Token& token = cursor_.peek();
    const Operator* const op = token.kind == TokenKind::kPunctuation ? operator_at(token.text) : nullptr;
    return op != nullptr && op->text == token.text ? op : nullptr;
  }
  template <class Right>
  Constant combine(const Operator& op, const Constant& a, const Right& right) {
    const Token token = cursor_.take();
    const Constant b = right();
    if (a.is_float || b.is_float) cursor_.fail(token.place, fmt::format("'{}' works on integers only", op.text));
    Constant result;
    result.is_unsigned = a.is_unsigned || b.is_unsigned;
    const auto bits = apply(op.name, a.bits, b.bits, result.is_unsigned);
    if (!bits) cursor_.fail(token.place, "division by zero");
    result.bits = *bits;
    return result;
  }

 private:
  struct Depth {
    explicit Depth(ExpressionParser& parser) : parser(parser) {
      if (++parser.depth_ > kMaxDepth) parser.cursor_.fail("this expression is nested too deeply");
    }
    ~Depth() { --parser.depth_; }
    ExpressionParser& parser;
  };

  Constant unary() {
    const Depth depth(*this);
    const Token token = cursor_.peek();
    if (token.is("-") || token.is("+") || token.is("~") || token.is("!")) {
      cursor_.take();
      Constant value = unary();
      if (token.is("-") && value.is_float) {
        value.bits ^= std::uint64_t{1} << 63;
        value.f32_bits ^= 0x80000000u;
        return value;
      }
      if (!token.is("+") || !value.is_float) need_integer(value);
      if (token.is("-")) value.bits = 0 - value.bits;
      if (token.is("~")) value.bits = ~value.bits;
      if (token.is("!")) value.bits = value.bits == 0;
      return value;
    }
    if (cursor_.accept("(")) {
      if (cursor_.peek().kind == TokenKind::kDotWord) {  // (.s64) and (.u64): the only casts of PTX
        const Token cast = cursor_.take();
        if (cast.text != "s64" && cast.text != "u64") cursor_.fail("a cast is (.s64) or (.u64)");
        cursor_.expect(")", "after a cast");
        Constant value = unary();
        need_integer(value);
        value.is_unsigned = cast.text == "u64";
        return value;
      }
      const Constant value = conditional();
      cursor_.expect(")", "after an expression");
      return value;
    }
    return literal();
  }

  Constant literal() {
    const Token& token = cursor_.peek();
    Constant value;
    value.bits = token.bits;
    value.is_unsigned = token.is_unsigned;
    switch (token.kind) {
      case TokenKind::kInteger: break;
      case TokenKind::kFloat64: value.is_float = true; break;
      case TokenKind::kFloat32:
        value.is_float = value.has_f32 = true;
        value.f32_bits = static_cast<std::uint32_t>(token.bits);
        value.bits = isa::bits_of(double{isa::float_of(value.f32_bits)});
        break;
      default: cursor_.fail(fmt::format("expected a constant, found {}", Cursor::describe(token)));
    }
    cursor_.take();
    return value;
  }

  void need_integer(const Constant& value) const {
    if (value.is_float) cursor_.fail("this operator works on integers only");
  }

  Cursor& cursor_;
  unsigned depth_ = 0;
};

}  // namespace

bool begins_constant(const Cursor& cursor) {
  const Token& token = cursor.peek();
  switch (token.kind) {
    case TokenKind::kInteger:
    case TokenKind::kFloat32:
    case TokenKind::kFloat64: return true;
    case TokenKind::kPunctuation:
      if (token.text == "!") return cursor.peek(1).kind == TokenKind::kInteger;
      return token.text == "-" || token.text == "+" || token.text == "~" || token.text == "(";
    default: return false;
  }
}

Constant parse_constant(Cursor& cursor) { return ExpressionParser(cursor).conditional(); }

std::string why_no_value(const Constant& constant, Scalar type, std::string_view text) {
  const unsigned width = scalar_bits(type);
  const auto number = static_cast<std::int64_t>(constant.bits);
  if (width == 64 || constant.bits >> width == 0 || (number < 0 && number >> (width - 1) == -1)) return "";
  const bool is_word = !text.empty() && std::isalnum(static_cast<unsigned char>(text[0])) != 0;
  return fmt::format("{} does not fit the {} bits of .{}", is_word ? std::string(text) : fmt::to_string(number), width,
                     scalar_name(type));
}

std::uint32_t constant_as_f32(const Constant& constant) {
  if (constant.has_f32) return constant.f32_bits;
  const double wide = constant.is_float      ? isa::double_of(constant.bits)
                      : constant.is_unsigned ? static_cast<double>(constant.bits)
                                             : static_cast<double>(static_cast<std::int64_t>(constant.bits));
  return isa::bits_of(static_cast<float>(wide));
}

std::uint64_t constant_as_f64(const Constant& constant) {
  if (constant.is_float) return constant.bits;
  return isa::bits_of(constant.is_unsigned ? static_cast<double>(constant.bits)
                                           : static_cast<double>(static_cast<std::int64_t>(constant.bits)));
}

}  // namespace g80::ptx
