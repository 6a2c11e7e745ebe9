// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/expression.h"

#include <cctype>
#include <cstdlib>
#include <string>

#include "hw/isa/float_bits.h"
#include "input/hex_digit.h"
#include "input/operators.h"

namespace g80::isa {
namespace {

class Parser {
 public:
  Parser(std::string_view text, std::size_t position, const SymbolLookup& symbols)
      : text_(text), position_(position), symbols_(symbols) {}

  std::optional<std::int64_t> operand() { return unary(); }
  const Operator* next_operator();
  template <class Right>
  std::optional<std::int64_t> combine(const Operator& op, std::optional<std::int64_t> left, const Right& right);
  std::size_t position() const { return position_; }
  const TextProblem& problem() const { return problem_; }

 private:
  std::optional<std::int64_t> unary();
  std::optional<std::int64_t> signed_value();
  std::optional<std::int64_t> primary();
  std::optional<std::int64_t> number();
  std::optional<std::int64_t> fail(std::size_t position, std::string message) {
    problem_ = {position, std::move(message)};
    return std::nullopt;
  }
  // Inside parentheses spaces do not end the expression.
  void skip_spaces() {
    while (depth_ > 0 && position_ < text_.size() && text_[position_] == ' ') ++position_;
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (text_.substr(position_, token.size()) != token) return false;
    position_ += token.size();
    return true;
  }

  std::string_view text_;
  std::size_t position_;
  const SymbolLookup& symbols_;
  TextProblem problem_;
  int depth_ = 0;    // open parentheses
  int nesting_ = 0;  // parentheses and signs inside each other
};

constexpr int kMaxNesting = 64;  // each takes host stack

const Operator* Parser::next_operator() {
  if (!problem_.message.empty()) return nullptr;  // nothing more is parsed
  skip_spaces();
  const Operator* const op = operator_at(text_.substr(position_));
  if (op == nullptr) return nullptr;
  // No comparisons, and no logic but on bits.
  static const unsigned shifts = operator_at("<<")->level;
  return op->level >= shifts || op->name == Operator::kOr || op->name == Operator::kAnd ? op : nullptr;
}

template <class Right>
std::optional<std::int64_t> Parser::combine(const Operator& op, std::optional<std::int64_t> left, const Right& right) {
  const std::size_t at = position_;
  position_ += op.text.size();
  const std::optional<std::int64_t> second = right();
  if (!second) return std::nullopt;
  const auto result = apply(op.name, static_cast<std::uint64_t>(*left), static_cast<std::uint64_t>(*second),
                            op.name == Operator::kShiftRight);
  if (!result) return fail(at, "division by zero");
  return static_cast<std::int64_t>(*result);
}

std::optional<std::int64_t> Parser::unary() {
  if (nesting_ == kMaxNesting)
    return fail(position_, "the expression is nested deeper than " + std::to_string(kMaxNesting) + " levels");
  ++nesting_;
  const std::optional<std::int64_t> value = signed_value();
  --nesting_;
  return value;
}

std::optional<std::int64_t> Parser::signed_value() {
  if (take("-")) {
    skip_spaces();
    const std::size_t start = position_;
    const std::optional<std::int64_t> value = unary();
    if (!value) return std::nullopt;
    const std::string_view literal = text_.substr(start, position_ - start);
    const bool is_float = literal.find('.') != std::string_view::npos && literal.back() == 'f' &&
                          std::isdigit(static_cast<unsigned char>(literal[0]));
    return is_float ? *value ^ 0x80000000 : static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*value));
  }
  if (take("~")) {
    const std::optional<std::int64_t> value = unary();
    return value ? std::optional<std::int64_t>(~*value) : std::nullopt;
  }
  return primary();
}

std::optional<std::int64_t> Parser::primary() {
  skip_spaces();
  if (position_ >= text_.size()) return fail(position_, "a number or name is missing");
  if (take("(")) {
    ++depth_;
    const std::optional<std::int64_t> value = parse_operators(*this);
    if (!value) return std::nullopt;
    if (!take(")")) return fail(position_, "')' is missing");
    --depth_;
    return value;
  }
  if (std::isdigit(static_cast<unsigned char>(text_[position_])) != 0) return number();
  if (!is_name_start(text_[position_])) return fail(position_, "a number or name is expected");
  const std::size_t start = position_;
  while (position_ < text_.size() && is_name_char(text_[position_])) ++position_;
  const std::string_view name = text_.substr(start, position_ - start);
  if (const std::optional<std::int64_t> value = symbols_ ? symbols_(name) : std::nullopt) return value;
  return fail(start, "unknown name '" + std::string(name) + "'");
}

std::optional<std::int64_t> Parser::number() {
  const std::size_t start = position_;
  const auto at = [this](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  const bool hex = at(start) == '0' && (at(start + 1) == 'x' || at(start + 1) == 'X');
  while (std::isalnum(static_cast<unsigned char>(at(position_))) != 0 || at(position_) == '.' ||
         (!hex && (at(position_) == '+' || at(position_) == '-') &&
          (at(position_ - 1) == 'e' || at(position_ - 1) == 'E')))
    ++position_;
  const std::string literal(text_.substr(start, position_ - start));
  char* end = nullptr;
  if (!hex && literal.find_first_of(".eEf") != std::string::npos) {
    const float value = std::strtof(literal.c_str(), &end);
    if (*end != 'f' || end[1] != '\0') return fail(start, "'" + literal + "' is not a number (a float ends in f)");
    return bits_of(value);
  }
  std::uint64_t value = 0;
  const unsigned base = hex ? 16 : 10;
  for (std::size_t i = hex ? 2 : 0; i < literal.size() || literal.size() == 2u * hex; ++i) {
    const char c = i < literal.size() ? literal[i] : '?';
    const int digit = hex_digit(c);
    if (digit < 0 || digit >= static_cast<int>(base)) return fail(start, "'" + literal + "' is not a number");
    if (value > (~std::uint64_t{0} - static_cast<unsigned>(digit)) / base)
      return fail(start, "'" + literal + "' does not fit 64 bits");
    value = value * base + static_cast<unsigned>(digit);
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '.' || c == '$'; }

std::optional<std::int64_t> evaluate(std::string_view text, std::size_t& position, const SymbolLookup& symbols,
                                     TextProblem& problem) {
  Parser parser(text, position, symbols);
  const std::optional<std::int64_t> value = parse_operators(parser);
  if (value) {
    position = parser.position();
  } else {
    problem = parser.problem();
  }
  return value;
}

}  // namespace g80::isa
