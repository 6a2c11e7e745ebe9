// SPDX-License-Identifier: Apache-2.0
// Chains in which every value is used twice: a walk of the uses that does not remember where it was takes 2^64 steps.
// The tests are that the compilation ends, and that its result is right.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/compiler/ptx_runner.h"

namespace g80 {
namespace {

constexpr unsigned kLength = 64;

/// `step` makes value k + 1 from value k; the last one is stored as 64 and as 32 bits.
std::string kernel(const std::function<std::string(unsigned)>& step) {
  std::string body;
  for (unsigned k = 0; k < kLength; ++k) body += step(k);
  const std::string last = "%v" + std::to_string(kLength);
  return ".version 2.3\n.target sm_13\n.address_size 64\n.entry k(.param .u64 data) {\n.reg .u64 %v<100>, %w<100>, "
         "%at; .reg .u32 %r<3>; "
         ".reg .pred %p;\nld.param.u64 %at, [data];\nld.global.u64 %v0, [%at];\nmov.u32 %r0, %tid.x;\nsetp.eq.u32 %p, "
         "%r0, 3;\n" +
         body + "st.global.u64 [%at+8], " + last + ";\ncvt.u32.u64 %r1, " + last +
         ";\nst.global.u32 [%at+16], %r1;\nexit;\n}\n";
}

std::string numbered(std::string text, unsigned k) {
  for (std::size_t at; (at = text.find('#')) != std::string::npos;) {
    const bool next = text.compare(at, 2, "##") == 0;
    text.replace(at, next ? 2 : 1, std::to_string(k + next));
  }
  return text;
}

void expect_result(const std::string& step, const std::function<std::uint64_t(std::uint64_t)>& meaning) {
  PtxProgram program(kernel([&](unsigned k) { return numbered(step, k) + "\n"; }));
  const std::uint64_t start = 0x123456789abcdef7;
  const std::uint32_t at = program.upload(std::vector<std::uint64_t>{start, 0, 0});
  program.run("k", 1, 1, {at, 0});
  std::uint64_t want = start;
  for (unsigned k = 0; k < kLength; ++k) want = meaning(want);
  const std::vector<std::uint64_t> got = program.download<std::uint64_t>(at, 3);
  EXPECT_EQ(got[1], want) << step;
  EXPECT_EQ(got[2], want & 0xffffffffu) << step;
}

using u64 = std::uint64_t;

TEST(Chains, OfSumsOfAValueWithItselfEnd) {
  expect_result("add.s64 %v##, %v#, %v#;", [](u64 v) { return v + v; });
}
TEST(Chains, OfProductsEnd) {
  expect_result("mul.lo.u64 %v##, %v#, %v#;", [](u64 v) { return v * v; });
}
TEST(Chains, OfShiftsAndExclusiveOrsEnd) {
  expect_result("shl.b64 %w#, %v#, 1; xor.b64 %v##, %v#, %w#;", [](u64 v) { return v ^ v << 1; });
}
TEST(Chains, OfChoicesEnd) {
  expect_result("add.u64 %w#, %v#, 4; selp.u64 %v##, %w#, %v#, %p;", [](u64 v) { return v; });
}

TEST(Chains, OfAddressesEnd) {
  std::string body;
  for (unsigned k = 0; k < kLength; ++k) body += numbered("add.u64 %w#, %v#, 4; selp.u64 %v##, %w#, %v#, %p;\n", k);
  for (const char* load : {"ld.local.u32", "ld.u32"}) {
    PtxProgram program(
        ".version 2.3\n.target sm_13\n.address_size 64\n.entry k(.param .u64 data) {\n.local .align 8 .b8 table[512];\n"
        ".reg .u64 %v<100>, %w<100>, %at; .reg .u32 %r<4>; .reg .pred %p;\nld.param.u64 %at, [data];\nmov.u32 %r0, "
        "%tid.x;\n"
        "setp.eq.u32 %p, %r0, 1;\nmov.u64 %v0, table;\nst.local.u32 [table], 7;\nst.local.u32 [table+256], 9;\n" +
        std::string(load[3] == 'l' ? "" : "cvta.local.u64 %v0, %v0;\n") + body + load +
        " %r1, [%v64];\nmul.wide.u32 %w0, %r0, 4;\nadd.u64 %at, %at, %w0;\nst.global.u32 [%at], %r1;\nexit;\n}\n");
    const std::uint32_t at = program.upload(std::vector<std::uint32_t>(2));
    program.run("k", 1, 2, {at, 0});
    EXPECT_EQ(program.download<std::uint32_t>(at, 2), (std::vector<std::uint32_t>{7, 9})) << load;
  }
}

/// 200 values at once do not fit: so many are spilled that several are chosen for each set of values alive together.
TEST(Chains, OfManyValuesAliveAtOnceAreSpilledCorrectly) {
  constexpr unsigned kValues = 200;
  std::string text =
      ".version 1.4\n.target sm_13\n.entry k(.param .u32 data) {\n.reg .u32 %v<800>, %at;\nld.param.u32 %at, "
      "[data];\nld.global.u32 %v0, [%at];\n";
  for (unsigned k = 1; k < kValues; ++k) text += numbered("mad.lo.u32 %v##, %v#, %v#, 12345;\n", k - 1);
  text += "mov.u32 %v799, 0;\n";
  std::uint32_t value = 5, sum = 0;
  std::vector<std::uint32_t> values{value};
  for (unsigned k = 1; k < kValues; ++k) values.push_back(values.back() * values.back() + 12345);
  for (unsigned k = kValues; k-- > 0;) {
    text += "shl.b32 %v799, %v799, 1;\nxor.b32 %v799, %v799, %v" + std::to_string(k) + ";\n";
    sum = sum << 1 ^ values[k];
  }
  PtxProgram program(text + "st.global.u32 [%at], %v799;\nexit;\n}\n");
  const std::uint32_t at = program.upload(std::vector<std::uint32_t>{value});
  program.run("k", 1, 1, {at});
  EXPECT_EQ(program.download<std::uint32_t>(at, 1)[0], sum);
}

}  // namespace
}  // namespace g80
