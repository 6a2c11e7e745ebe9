// SPDX-License-Identifier: Apache-2.0
// What scenario expressions mean and refuse.
#include "tb/scenario/expression.h"

#include <gtest/gtest.h>

#include "input/input_error.h"

namespace g80 {
namespace {

Value evaluate(const std::string& text, const std::vector<std::string>& names = {},
               const std::vector<Value>& values = {}) {
  return Expression::compile(text, names).evaluate({&values, 0, 0});
}
std::int64_t integer(const std::string& text) {
  const Value value = evaluate(text);
  EXPECT_FALSE(value.is_float) << text;
  return value.integer;
}
std::string error_of(const std::string& text) {
  try {
    evaluate(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, OperatorsBindAsInC) {
  EXPECT_EQ(integer("2 + 3 * 4"), 14);
  EXPECT_EQ(integer("(2 + 3) * 4"), 20);
  EXPECT_EQ(integer("20 - 3 - 4"), 13);
  EXPECT_EQ(integer("1 << 2 + 3"), 32);
  EXPECT_EQ(integer("6 & 3 == 3"), 6 & (3 == 3));
  EXPECT_EQ(integer("1 | 6 ^ 3 & 2"), 1 | (6 ^ (3 & 2)));
  EXPECT_EQ(integer("-7 / 2"), -3);
  EXPECT_EQ(integer("-7 % 3"), -1);
  EXPECT_EQ(integer("~5 & 0xff"), 0xfa);
  EXPECT_EQ(integer("3 < 4 && 4 <= 4 && 5 > 4 && 4 >= 4 && 4 != 5 && !(4 == 5)"), 1);
}

TEST(Expression, ShiftsAreNotComparisons) {
  EXPECT_EQ(integer("256 >> 4"), 16);
  EXPECT_EQ(integer("1<<4"), 16);
  EXPECT_EQ(integer("1 < 4 << 1"), 1);
}

TEST(Expression, OnlyTheChosenSideOfAConditionIsEvaluated) {
  EXPECT_EQ(integer("1 ? 7 : 1 / 0"), 7);
  EXPECT_EQ(integer("0 ? 1 / 0 : 8"), 8);
  EXPECT_EQ(integer("0 && 1 / 0"), 0);
  EXPECT_EQ(integer("3 || 1 / 0"), 1);
  EXPECT_EQ(integer("0 ? 1 : 0 ? 2 : 3"), 3);
}

TEST(Expression, FunctionsComputeWhatTheirNamesSay) {
  EXPECT_EQ(integer("ceil_div(1000, 256)"), 4);
  EXPECT_EQ(integer("ceil_div(1024, 256)"), 4);
  EXPECT_EQ(integer("ceil_div(0, 256)"), 0);
  EXPECT_EQ(integer("min(3, -2) + max(3, -2) * 10"), 28);
  EXPECT_EQ(integer("abs(-9)"), 9);
  EXPECT_EQ(integer("pick(2, 10, 11, 12)"), 12);
  EXPECT_EQ(integer("log2(1) + log2(512) * 10 + log2(1000) * 1000"), 9090);
  EXPECT_EQ(integer("int(2.9)"), 2);
  EXPECT_DOUBLE_EQ(evaluate("float(1) / 4").real, 0.25);
  EXPECT_DOUBLE_EQ(evaluate("sqrt(2.25)").real, 1.5);
  EXPECT_EQ(evaluate("f32(16777217)").real, 16777216.0);  // rounded to a float once
}

TEST(Expression, NamesAreSlots) {
  EXPECT_EQ(evaluate("n * i + n", {"n", "i"}, {Value::of(10), Value::of(4)}).integer, 50);
}

TEST(Expression, RandomNumbersDependOnSeedAndElementOnly) {
  const Expression e = Expression::compile("random(-5, 5)", {});
  bool differs = false, below = false, above = false;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const std::int64_t a = e.evaluate({nullptr, 1, i}).integer, b = e.evaluate({nullptr, 1, i}).integer;
    EXPECT_EQ(a, b);
    EXPECT_GE(a, -5);
    EXPECT_LE(a, 5);
    differs |= a != e.evaluate({nullptr, 2, i}).integer;
    below |= a == -5, above |= a == 5;
  }
  EXPECT_TRUE(differs && below && above);
}

TEST(Expression, TwoRandomCallsAreIndependent) {
  const Expression e = Expression::compile("random(0, 1000000) - random(0, 1000000)", {});
  int equal = 0;
  for (std::uint64_t i = 0; i < 100; ++i) equal += e.evaluate({nullptr, 1, i}).integer == 0;
  EXPECT_LT(equal, 3);
}

TEST(Expression, MistakesAreNamed) {
  EXPECT_EQ(error_of("1 / 0"), "in '1 / 0': division by zero");
  EXPECT_EQ(error_of("1 +"), "in '1 +': a value is missing at the end");
  EXPECT_EQ(error_of("(1"), "in '(1': expected ')' at the end");
  EXPECT_EQ(error_of("1 2"), "in '1 2': '2' is not expected here");
  EXPECT_EQ(error_of("m + 1"), "in 'm + 1': unknown name 'm'; no names are allowed here");
  EXPECT_EQ(error_of("0x7fffffffffffffff + 1"), "in '0x7fffffffffffffff + 1': integer overflow of 64 bits");
  EXPECT_EQ(error_of("1e400"), "in '1e400': a number is larger than a double can be");
  EXPECT_EQ(error_of("99999999999999999999"), "in '99999999999999999999': a number is larger than 9223372036854775807");
  EXPECT_EQ(error_of("pick(3, 1, 2)"), "in 'pick(3, 1, 2)': pick has 2 choices, 3 is not one of 0 to 1");
  EXPECT_NE(error_of("sin(1)").find("unknown function 'sin'"), std::string::npos);
  EXPECT_NE(error_of("min(1)").find("min takes 2 arguments, but 1 are given"), std::string::npos);
  EXPECT_NE(error_of("1.5 % 2").find("% needs integers"), std::string::npos);
  EXPECT_NE(error_of("").find("a value is missing"), std::string::npos);
}

TEST(Expression, DepthIsLimitedNotFatal) {
  EXPECT_NE(error_of(std::string(5000, '(')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(error_of(std::string(5000, '-') + "1").find("nested too deeply"), std::string::npos);
  std::string wide = "pick(0";
  for (int k = 0; k < 200; ++k) wide += ", 1";
  EXPECT_NE(error_of(wide + ")").find("too many values"), std::string::npos);
}

}  // namespace
}  // namespace g80
