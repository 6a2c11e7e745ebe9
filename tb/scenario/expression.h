// SPDX-License-Identifier: Apache-2.0
// Arithmetic expressions of scenario files: "ceil_div(n, block)", "float(i) * 0.5", "uniform(-1, 1)".
//
// An expression is compiled once against a list of names and evaluated many times (once per buffer element), so names
// are slots and the program is a flat list of steps. Integers are 64-bit and never wrap: an overflow is an error.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace g80 {

/// An integer or a floating-point number.
struct Value {
  bool is_float = false;
  std::int64_t integer = 0;
  double real = 0;

  static Value of(std::int64_t value) { return {false, value, 0}; }
  static Value of_real(double value) { return {true, 0, value}; }
  double as_real() const { return is_float ? real : static_cast<double>(integer); }
  bool truth() const { return is_float ? real != 0 : integer != 0; }
  std::string text() const;
};

/// Values of the names during evaluation: slot k holds the value of names[k].
struct EvaluationContext {
  const std::vector<Value>* slots = nullptr;
  std::uint64_t random_stream = 0;  // seeds uniform() and random(): (seed, buffer) mixed by the caller
  std::uint64_t random_index = 0;   // the element: equal inputs give equal numbers, in any order of evaluation
};

/// Resolves the names of an expression, if they are not a list.
class ExpressionNames {
 public:
  virtual ~ExpressionNames() = default;
  struct Operand {
    bool constant = false;
    std::uint32_t slot = 0;
    std::int64_t value = 0;  // of a constant
  };
  /// True if a name may contain `c` besides letters, digits and _; `first`: as its first character.
  virtual bool holds(char c, bool first) const = 0;
  /// The slot or constant for `name`; `partner` is the slot on the other side of == or !=. Throws InputError with the
  /// reason.
  virtual Operand name(const std::string& name, std::optional<std::uint32_t> partner) = 0;
  /// Functions of a name instead of a value.
  virtual std::vector<std::string> functions() const { return {}; }
  /// The slot of `function(name)`, one of functions(). Throws InputError.
  virtual std::uint32_t call(const std::string& function, const std::string& name) = 0;
};

class Expression {
 public:
  Expression() = default;
  /// Compiles `text`. Throws InputError "in '<text>': ..." that names what was found and what is allowed.
  static Expression compile(const std::string& text, const std::vector<std::string>& names);
  static Expression compile(const std::string& text, ExpressionNames& names);

  /// Throws InputError on division by zero and on integer overflow.
  Value evaluate(const EvaluationContext& context) const;
  /// True if the expression uses neither `slot` nor random numbers.
  bool same_everywhere(std::size_t slot) const;
  const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;
  enum class Step : std::uint8_t {
    kConstant,
    kSlot,
    kJump,
    kJumpIfFalse,
    kNegate,
    kInvert,
    kNot,
    kTruth,
    kBinary,
    kMin,
    kMax,
    kAbs,
    kCeilDiv,
    kFloat,
    kInt,
    kF32,
    kSqrt,
    kLog2,
    kPick,
    kUniform,
    kRandom,
  };
  struct Code {
    Step step;
    std::uint32_t operand =
        0;  // slot, jump target, Operator::Name, number of arguments of pick, serial of a random call
    Value constant;
  };
  static constexpr unsigned kMaxDepth = 64;  // values on the evaluation stack

  std::string text_;
  std::vector<Code> code_;
};

}  // namespace g80
