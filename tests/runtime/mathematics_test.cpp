// SPDX-License-Identifier: Apache-2.0
// Accuracy and names of the functions and numbers of device code, by programs that judge themselves.
#include <gtest/gtest.h>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;

class Mathematics : public ProgramTest {};

TEST_F(Mathematics, MathematicsIsWithinItsBounds) {
  const Outcome outcome =
      compile_and_run("-arch=sm_10 " + source("tests/runtime/programs/math_bounds.cu"), "math_bounds", kGolden);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("PASSED"), std::string::npos) << outcome.output;
}

TEST_F(Mathematics, DoublePrecisionIsWithinItsBounds) {
  const std::string environment = std::string("G80_DEVICE=gtx280 ") + kGolden;
  const Outcome outcome =
      compile_and_run("-arch=sm_13 " + source("tests/runtime/programs/double_bounds.cu"), "double_bounds", environment);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

#if !defined(G80_HAS_MPFR)
TEST_F(Mathematics, SpecialFunctionsAreWithinTheirBounds) { GTEST_SKIP() << "built without MPFR"; }
#else
/// Gamma, Bessel and inverse error functions in both precisions, judged by MPFR.
TEST_F(Mathematics, SpecialFunctionsAreWithinTheirBounds) {
  for (const std::string options : {"-DSINGLE -arch=sm_10 ", "-arch=sm_13 "}) {
    const std::string file = options + source("tests/runtime/programs/special_bounds.cu") + " -lmpfr -lgmp";
    const Outcome outcome = compile_and_run(file, "special_bounds", std::string("G80_DEVICE=gtx280 ") + kGolden, "1");
    EXPECT_EQ(outcome.code, 0) << options << outcome.output;
    EXPECT_NE(outcome.output.find("PASSED"), std::string::npos) << outcome.output;
  }
}
#endif

TEST_F(Mathematics, ExtendedWordsAre64BitIntegersAndEveryRoundingRounds) {
  for (const std::string level : {"10", "12", "13"}) {
    const std::string options = "-DARCH=" + level + "0 -arch=sm_" + level + " ";
    const Outcome outcome = compile_and_run(options + source("tests/runtime/programs/wide_words.cu"), "wide_words",
                                            std::string("G80_DEVICE=gtx280 ") + kGolden);
    EXPECT_EQ(outcome.output, "PASSED\n") << level;
    EXPECT_EQ(outcome.code, 0) << level;
  }
}

TEST_F(Mathematics, NamesMeanTheSameForEveryTypeOfArgument) {
  for (const char* arch : {"-arch=sm_10 ", "-arch=sm_13 "}) {
    const std::string environment = std::string("G80_DEVICE=gtx280 ") + kGolden;
    const Outcome outcome =
        compile_and_run(arch + source("tests/runtime/programs/overloads.cu"), "overloads", environment);
    EXPECT_EQ(outcome.code, 0) << arch << outcome.output;
  }
}

TEST_F(Mathematics, VotesAndDoublesHaveNamesWithoutUnderscores) {
  const Outcome outcome = compile_and_run("-arch=sm_13 " + source("tests/runtime/programs/plain_names_13.cu"),
                                          "plain_names_13", std::string("G80_DEVICE=gtx280 ") + kGolden);
  EXPECT_EQ(outcome.output, "PASSED\n");
}

}  // namespace
