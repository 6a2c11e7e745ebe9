// SPDX-License-Identifier: Apache-2.0
// Compiles the text of an expression into its steps: recursive descent, C's operators with C's precedence.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "input/input_error.h"
#include "input/operators.h"
#include "tb/scenario/expression.h"

namespace g80 {
namespace {

class ListedNames final : public ExpressionNames {
 public:
  explicit ListedNames(const std::vector<std::string>& names) : names_(names) {}
  bool holds(char, bool) const override { return false; }
  Operand name(const std::string& name, std::optional<std::uint32_t>) override {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      throw InputError(fmt::format(
          "unknown name '{}'; {}", name,
          names_.empty() ? "no names are allowed here" : fmt::format("known are {}", fmt::join(names_, ", "))));
    }
    return {false, static_cast<std::uint32_t>(found - names_.begin()), 0};
  }
  std::uint32_t call(const std::string&, const std::string&) override { return 0; }  // there are none

 private:
  const std::vector<std::string>& names_;
};

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(const std::string& text, ExpressionNames& names) : text_(text), names_(names) {
    expression_.text_ = text;
  }

  Expression parse() {
    ternary();
    skip_space();
    if (at_ != text_.size()) fail(fmt::format("'{}' is not expected here", text_.substr(at_, 8)));
    return expression_;
  }

  // For parse_operators(): the values are on the stack of the evaluation.
  struct OnStack {};
  OnStack operand() { return unary(), OnStack(); }
  const Operator* next_operator() {
    skip_space();
    return operator_at(std::string_view(text_).substr(at_));
  }
  template <class Right>
  OnStack combine(const Operator& op, OnStack, const Right& right) {
    at_ += op.text.size();
    if (op.name == Operator::kLogicalOr || op.name == Operator::kLogicalAnd) {
      pop();
      const std::size_t if_false = emit(Step::kJumpIfFalse);
      if (op.name == Operator::kLogicalOr) {  // a || b = a ? 1 : truth(b)
        emit(Step::kConstant, 0, Value::of(1));
        const std::size_t to_end = emit(Step::kJump);
        land(if_false);
        right();
        emit(Step::kTruth);
        land(to_end);
      } else {  // a && b = a ? truth(b) : 0
        right();
        emit(Step::kTruth);
        const std::size_t to_end = emit(Step::kJump);
        land(if_false);
        emit(Step::kConstant, 0, Value::of(0));
        land(to_end);
      }
      return {};
    }
    if (op.name == Operator::kEqual || op.name == Operator::kNotEqual) {
      const Expression::Code& left = expression_.code_.back();
      partner_ = left.step == Step::kSlot ? std::optional(left.operand) : std::nullopt;
    }
    right();
    partner_.reset();
    pop();
    emit(Step::kBinary, op.name);
    return {};
  }

 private:
  using Step = Expression::Step;
  struct Function {
    std::string_view name;
    Step step;
    unsigned arguments;  // 0: any number from 2
  };
  static constexpr std::array<Function, 12> kFunctions = {{{"min", Step::kMin, 2},
                                                           {"max", Step::kMax, 2},
                                                           {"abs", Step::kAbs, 1},
                                                           {"ceil_div", Step::kCeilDiv, 2},
                                                           {"float", Step::kFloat, 1},
                                                           {"int", Step::kInt, 1},
                                                           {"f32", Step::kF32, 1},
                                                           {"sqrt", Step::kSqrt, 1},
                                                           {"log2", Step::kLog2, 1},
                                                           {"pick", Step::kPick, 0},
                                                           {"uniform", Step::kUniform, 2},
                                                           {"random", Step::kRandom, 2}}};

  [[noreturn]] void fail(const std::string& why) const { throw InputError(fmt::format("in '{}': {}", text_, why)); }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool next_is(std::string_view token) {
    skip_space();
    return std::string_view(text_).substr(at_, token.size()) == token;
  }
  bool accept(std::string_view token) {
    if (!next_is(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) {
      fail(at_ < text_.size() ? fmt::format("expected '{}' before '{}'", token, text_.substr(at_, 8))
                              : fmt::format("expected '{}' at the end", token));
    }
  }

  std::size_t emit(Step step, std::uint32_t operand = 0, Value constant = {}) {
    expression_.code_.push_back({step, operand, constant});
    return expression_.code_.size() - 1;
  }
  void land(std::size_t jump) {
    expression_.code_[jump].operand = static_cast<std::uint32_t>(expression_.code_.size());
  }
  void push(int count = 1) {
    depth_ += count;
    if (depth_ > static_cast<int>(Expression::kMaxDepth)) {
      fail(fmt::format("too many values at once; allowed are {}", Expression::kMaxDepth));
    }
  }
  void pop(int count = 1) { depth_ -= count; }

  void ternary() {
    if (++nesting_ > kMaxNesting) fail(fmt::format("nested too deeply; allowed are {} levels", kMaxNesting));
    parse_operators(*this);
    if (accept("?")) {
      pop();
      const std::size_t to_else = emit(Step::kJumpIfFalse);
      ternary();
      pop();
      const std::size_t to_end = emit(Step::kJump);
      expect(":");
      land(to_else);
      ternary();
      land(to_end);
    }
    --nesting_;
  }
  void unary() {
    if (++nesting_ > kMaxNesting) fail(fmt::format("nested too deeply; allowed are {} levels", kMaxNesting));
    if (accept("-")) {
      unary();
      emit(Step::kNegate);
    } else if (accept("~")) {
      unary();
      emit(Step::kInvert);
    } else if (!next_is("!=") && accept("!")) {
      unary();
      emit(Step::kNot);
    } else {
      primary();
    }
    --nesting_;
  }
  void primary() {
    skip_space();
    if (at_ == text_.size()) fail("a value is missing at the end");
    const char c = text_[at_];
    if (accept("(")) {
      ternary();
      expect(")");
    } else if (begins_name(c)) {
      name();
    } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
      number();
    } else {
      fail(fmt::format("'{}' is not the beginning of a value", text_.substr(at_, 8)));
    }
  }
  void number() {
    const char* begin = text_.c_str() + at_;
    char* end = nullptr;
    const bool hex = begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X');
    errno = 0;
    const unsigned long long integer = std::strtoull(begin, &end, hex ? 16 : 10);
    Value value = Value::of(static_cast<std::int64_t>(integer));
    if (!hex && (*end == '.' || *end == 'e' || *end == 'E')) {
      const double real = std::strtod(begin, &end);
      if (std::isinf(real)) fail("a number is larger than a double can be");
      value = Value::of_real(real);
      if (*end == 'f') ++end;
    } else if (errno == ERANGE || integer > static_cast<unsigned long long>(INT64_MAX)) {
      fail(fmt::format("a number is larger than {}", INT64_MAX));
    }
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      fail(fmt::format("'{}' follows a number", text_.substr(at_, 8)));
    }
    emit(Step::kConstant, 0, value);
    push();
  }
  bool begins_name(char c) const {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || names_.holds(c, true);
  }
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' ||
                                  names_.holds(text_[at_], false))) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }
  void name() {
    const std::string name = word();
    if (accept("(")) return call(name);
    ExpressionNames::Operand operand;
    try {
      operand = names_.name(name, partner_);
    } catch (const InputError& error) {
      fail(error.what());
    }
    if (operand.constant) {
      emit(Step::kConstant, 0, Value::of(operand.value));
    } else {
      emit(Step::kSlot, operand.slot);
    }
    push();
  }
  /// Parses a function whose argument is a name, not a value.
  bool call_of_name(const std::string& function) {
    const std::vector<std::string> functions = names_.functions();
    if (std::find(functions.begin(), functions.end(), function) == functions.end()) return false;
    skip_space();
    if (at_ == text_.size() || !begins_name(text_[at_])) fail(fmt::format("{} takes a name", function));
    const std::string argument = word();
    std::uint32_t slot = 0;
    try {
      slot = names_.call(function, argument);
    } catch (const InputError& error) {
      fail(error.what());
    }
    expect(")");
    emit(Step::kSlot, slot);
    push();
    return true;
  }
  void call(const std::string& word) {
    if (call_of_name(word)) return;
    const auto* function =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == word; });
    if (function == kFunctions.end()) {
      std::vector<std::string> known = names_.functions();
      for (const Function& f : kFunctions) known.emplace_back(f.name);
      fail(fmt::format("unknown function '{}'; functions are {}", word, fmt::join(known, ", ")));
    }
    unsigned count = 0;
    do {
      ternary();
      ++count;
    } while (accept(","));
    expect(")");
    if (function->arguments == 0 ? count < 2 : count != function->arguments) {
      fail(fmt::format("{} takes {} arguments, but {} are given", word,
                       function->arguments == 0 ? "at least 2" : std::to_string(function->arguments), count));
    }
    pop(static_cast<int>(count) - 1);
    const bool random = function->step == Step::kUniform || function->step == Step::kRandom;
    emit(function->step, function->step == Step::kPick ? count - 1 : random ? serial_++ : 0);
  }

  static constexpr int kMaxNesting = 100;
  const std::string& text_;
  ExpressionNames& names_;
  std::optional<std::uint32_t> partner_;  // what the name that comes next is compared with
  std::size_t at_ = 0;
  int depth_ = 0;
  int nesting_ = 0;
  std::uint32_t serial_ = 0;  // tells the random calls of one expression apart
  Expression expression_;
};

Expression Expression::compile(const std::string& text, const std::vector<std::string>& names) {
  ListedNames listed(names);
  return compile(text, listed);
}

Expression Expression::compile(const std::string& text, ExpressionNames& names) {
  return ExpressionParser(text, names).parse();
}

}  // namespace g80
