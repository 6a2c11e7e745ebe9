// SPDX-License-Identifier: Apache-2.0
// Functions that are called: what they compute, with lanes apart and together, in either order of divergent ways; which
// functions are called at all, and what that saves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/compiler/ptx_runner.h"
#include "toolchain/assembler/listing.h"

namespace g80 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Word = std::uint32_t;

constexpr unsigned kCallThreads = 64;

/// Two words per thread, %r1 and %r2, and the thread number %r3 go in; %r0 comes out.
std::string program(const std::string& functions, const std::string& body) {
  return ".version 3.2\n.target sm_13\n.address_size 64\n" + functions +
         "\n.entry k (.param .u64 k_out, .param .u64 k_in) {\n.reg .b32 %r<40>; .reg .b64 %rd<10>; .reg .f64 %fd<6>; "
         ".reg .pred "
         "%p<8>;\n"
         "ld.param.u64 %rd1, [k_out]; ld.param.u64 %rd2, [k_in]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd3, %r3, 8;"
         "add.u64 %rd2, %rd2, %rd3; ld.global.u32 %r1, [%rd2]; ld.global.u32 %r2, [%rd2+4]; mul.wide.u32 %rd4, %r3, 4;"
         "add.u64 %rd1, %rd1, %rd4;\n" +
         body + "\nst.global.u32 [%rd1], %r0; exit; }\n";
}

std::vector<Word> inputs() {
  std::vector<Word> words;
  for (Word k = 0; k < 2 * kCallThreads; ++k) words.push_back(k * 2654435761u >> k % 9);
  return words;
}

std::vector<std::string> called(const CompileResult& result) {
  std::vector<std::string> names;
  for (const CalledFunctionInfo& function : result.kernels.at(0).functions) names.push_back(function.name);
  return names;
}

using Definition = std::function<Word(Word a, Word b, Word thread)>;

/// Runs the program with calls and without, in both orders. Returns the result with calls.
CompileResult expect_results(const std::string& text, const Definition& definition, CompileOptions options = {}) {
  const std::vector<Word> in = inputs();
  CompileResult with_calls;
  for (const bool calls : {false, true}) {
    options.calls = calls;
    for (const DivergenceFirst first : {DivergenceFirst::kTaken, DivergenceFirst::kFallthrough}) {
      PtxProgram device(text, options, first);
      const Word input = device.upload(in), output = device.upload(std::vector<Word>(kCallThreads));
      device.run("k", 1, kCallThreads, {output, 0, input, 0});
      const std::vector<Word> out = device.download<Word>(output, kCallThreads);
      for (Word t = 0; t < kCallThreads; ++t) {
        EXPECT_EQ(out[t], definition(in[2 * t], in[2 * t + 1], t))
            << "thread " << t << (calls ? ", calls" : ", inlined");
        if (out[t] != definition(in[2 * t], in[2 * t + 1], t)) break;
      }
      if (calls) with_calls = device.result();
    }
  }
  return with_calls;
}

const std::string kMix =
    ".func (.reg .u32 %v) mix (.reg .u32 %x, .reg .u32 %y) .noinline { .reg .pred %p; .reg .u32 %t;\n"
    "setp.lt.u32 %p, %x, %y; @%p bra less; sub.u32 %v, %x, %y; and.b32 %t, %v, 3; setp.eq.u32 %p, %t, 0; @%p ret;\n"
    "mul.lo.u32 %v, %v, 5; bra end; less: xor.b32 %v, %x, %y; end: add.u32 %v, %v, 7; ret; }\n";
Word mix(Word x, Word y) {
  if (x < y) return (x ^ y) + 7;
  return ((x - y) & 3) == 0 ? x - y : (x - y) * 5 + 7;
}

TEST(Calls, LanesThatReturnEarlyWaitForTheOthers) {
  const CompileResult result =
      expect_results(program(kMix, "call (%r4), mix, (%r1, %r2); call (%r5), mix, (%r2, %r4); add.u32 %r0, %r4, %r5;"),
                     [](Word a, Word b, Word) { return mix(a, b) + mix(b, mix(a, b)); });
  EXPECT_THAT(called(result), ElementsAre("mix"));
  const std::string text = list_module(result.module);
  EXPECT_THAT(text, HasSubstr("call "));
}

TEST(Calls, OneSideOfABranchMayCall) {
  const CompileResult result = expect_results(
      program(kMix,
              "mov.u32 %r0, 1; and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; @%p1 bra skip;"
              "call (%r0), mix, (%r1, %r3); skip: @!%p1 call (%r5), mix, (%r0, %r2); @%p1 mov.u32 %r5, 9;"
              "add.u32 %r0, %r0, %r5;"),
      [](Word a, Word b, Word t) { return (a & 1) != 0 ? mix(a, t) + mix(mix(a, t), b) : 10; });
  EXPECT_THAT(called(result), ElementsAre("mix"));
}

TEST(Calls, LoopsMayTurnOnceAThreadAndCall) {
  const CompileResult result = expect_results(
      program(kMix,
              "mov.u32 %r0, %r1; and.b32 %r4, %r2, 7; mov.u32 %r5, 0; again: setp.ge.u32 %p1, %r5, %r4; @%p1 bra done;"
              "call (%r0), mix, (%r0, %r2); add.u32 %r5, %r5, 1; setp.eq.u32 %p2, %r0, 12; @%p2 bra done; bra again;"
              "done: add.u32 %r0, %r0, %r5;"),
      [](Word a, Word b, Word) {
        Word v = a, k = 0;
        while (k < (b & 7)) {
          v = mix(v, b);
          ++k;
          if (v == 12) break;
        }
        return v + k;
      });
  EXPECT_THAT(called(result), ElementsAre("mix"));
}

TEST(Calls, FunctionsCallFunctionsAndTheStackHoldsAllOfThem) {
  const std::string outer =
      kMix +
      ".func (.reg .u32 %v) outer (.reg .u32 %x) .noinline { .reg .pred %p; .reg .u32 %t, %k; mov.u32 %k, %tid.x;\n"
      "setp.gt.u32 %p, %x, 1000; @%p bra big; call (%t), mix, (%x, %k); add.u32 %v, %t, %x; ret;\n"
      "big: call (%t), mix, (%k, %x); call (%v), mix, (%t, %k); sub.u32 %v, %v, %k; ret; }\n";
  const auto define = [](Word x, Word k) { return x > 1000 ? mix(mix(k, x), k) - k : mix(x, k) + x; };
  const CompileResult result =
      expect_results(program(outer, "call (%r4), outer, (%r1); call (%r5), outer, (%r2); xor.b32 %r0, %r4, %r5;"),
                     [&](Word a, Word b, Word t) { return define(a, t) ^ define(b, t); });
  EXPECT_THAT(called(result), ElementsAre("outer", "mix"));
  EXPECT_GE(result.kernels[0].stack_entries, 2u);  // two calls under way
}

/// More values live across the calls than there are registers.
TEST(Calls, ValuesLiveAcrossCallsAreKept) {
  std::string body, sum = "mov.u32 %r0, 0;";
  for (unsigned k = 0; k < 12; ++k) {
    const std::string r = "%r" + std::to_string(8 + k);
    body += "mad.lo.u32 " + r + ", %r1, " + std::to_string(3 * k + 1) + ", %r2; ";
    if (k % 4 == 3) body += "call (%r4), mix, (" + r + ", %r4); ";
    sum += "mad.lo.u32 %r0, %r0, 3, " + r + ";";
  }
  const auto define = [](Word a, Word b, Word t) {
    Word last = t, sum = 0;
    for (unsigned k = 0; k < 12; ++k) {
      if (k % 4 == 3) last = mix(a * (3 * k + 1) + b, last);
      sum = sum * 3 + a * (3 * k + 1) + b;
    }
    return sum + last;
  };
  const std::string text = program(kMix, "mov.u32 %r4, %r3; setp.gt.u32 %p3, %r1, %r2; " + body + sum +
                                             "add.u32 %r0, %r0, %r4; @%p3 add.u32 %r0, %r0, 1;");
  const auto with_flag = [&](Word a, Word b, Word t) { return define(a, b, t) + (a > b); };
  EXPECT_EQ(expect_results(text, with_flag).kernels[0].spill_stores, 0u);
  CompileOptions few;
  few.max_registers = 12;
  const CompileResult result = expect_results(text, with_flag, few);
  EXPECT_THAT(called(result), ElementsAre("mix"));
  EXPECT_GT(result.kernels[0].spill_stores, 0u);
  EXPECT_LE(result.kernels[0].registers, 12u);
}

TEST(Calls, FunctionsMayWaitAtBarriersAndShareMemory) {
  const std::string exchange =
      ".shared .align 4 .b8 tile[256];\n"
      ".func (.reg .u32 %v) exchange (.reg .u32 %x) .noinline { .reg .u32 %t, %a; .reg .u64 %s;\n"
      "mov.u32 %t, %tid.x; shl.b32 %t, %t, 2; mov.u32 %a, tile; add.u32 %a, %a, %t; bar.sync 0; st.shared.u32 [%a], "
      "%x;\n"
      "bar.sync 0; xor.b32 %t, %t, 252; mov.u32 %a, tile; add.u32 %a, %a, %t; ld.shared.u32 %v, [%a]; ret; }\n";
  const std::vector<Word> in = inputs();
  const CompileResult result =
      expect_results(program(exchange,
                             "call (%r4), exchange, (%r1); add.u32 %r5, %r4, %r2; call (%r6), exchange, (%r5);"
                             "add.u32 %r0, %r6, %r4;"),
                     [&](Word a, Word, Word t) { return a + in[2 * (63 - t) + 1] + in[2 * (63 - t)]; });
  EXPECT_THAT(called(result), ElementsAre("exchange"));
}

/// Its l[] is not that of its caller.
TEST(Calls, LocalArraysOfFunctionAndCallerAreApart) {
  const std::string table =
      ".func (.reg .u32 %v) table (.reg .u32 %x, .reg .u32 %i) .noinline { .local .align 4 .b8 a[32]; .reg .u32 %k, "
      "%p, %t; "
      ".reg .pred %q;\n"
      "mov.u32 %k, 0; mov.u32 %p, a; fill: mad.lo.u32 %t, %k, %x, %i; st.local.u32 [%p], %t; add.u32 %p, %p, 4;\n"
      "add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 8; @%q bra fill; and.b32 %t, %i, 7; shl.b32 %t, %t, 2; mov.u32 %p, a;\n"
      "add.u32 %p, %p, %t; ld.local.u32 %v, [%p]; ret; }\n";
  const CompileResult result = expect_results(
      program(table,
              "{ .local .align 4 .b8 b[32]; and.b32 %r4, %r1, 7; shl.b32 %r4, %r4, 2; mov.u32 %r5, b; add.u32 %r4, "
              "%r4, %r5; st.local.u32 [%r4], %r2; call (%r6), table, (%r1, %r2); call (%r7), table, (%r6, %r1);"
              "ld.local.u32 %r8, [%r4]; add.u32 %r0, %r6, %r7; add.u32 %r0, %r0, %r8; }"),
      [](Word a, Word b, Word) {
        const Word first = (b & 7) * a + b;
        return first + (a & 7) * first + a + b;
      });
  EXPECT_THAT(called(result), ElementsAre("table"));
}

TEST(Calls, StructuresAndWideNumbersArePassedInWords) {
  const std::string wide =
      ".func (.param .b64 result) wide (.param .align 8 .b8 pair[16], .param .b32 unused, .param .b64 more) .noinline\n"
      "{ .reg .b64 %d<5>; ld.param.b64 %d1, [pair]; ld.param.b64 %d2, [pair+8]; ld.param.b64 %d3, [more];\n"
      "mul.lo.u64 %d1, %d1, %d2; sub.u64 %d1, %d1, %d3; st.param.b64 [result], %d1; ret; }\n"
      ".func (.reg .f64 %v) third (.reg .f64 %x) .noinline { mul.f64 %v, %x, 0d3FD5555555555555; ret; }\n";
  const std::string call =
      "{ .param .align 8 .b8 s[16]; .param .b32 u; .param .b64 m; .param .b64 o; st.param.b64 [s], %rd5; st.param.b64 "
      "[s+8], "
      "%rd6; st.param.b32 [u], %r1; st.param.b64 [m], %rd5; call (o), wide, (s, u, m); ld.param.b64 %rd7, [o]; }";
  CompileOptions options;
  options.arch = isa::Arch::kSm13;
  const CompileResult result = expect_results(
      program(wide,
              "mov.b64 %rd5, {%r1,%r2}; mov.b64 %rd6, {%r2,%r3};" + call + "mov.u64 %rd5, %rd7;" + call +
                  "shr.u64 %rd8, %rd7, 32; cvt.u32.u64 %r0, %rd8; cvt.rn.f64.u32 %fd1, %r1; call (%fd2), third, (%fd1);"
                  "call (%fd3), third, (%fd2); cvt.rzi.u32.f64 %r4, %fd3; add.u32 %r0, %r0, %r4;"),
      [](Word a, Word b, Word t) {
        const std::uint64_t x = a | std::uint64_t{b} << 32, y = b | std::uint64_t{t} << 32, once = x * y - x;
        const double third = 1.0 / 3.0;
        return static_cast<Word>((once * y - once) >> 32) + static_cast<Word>(a * third * third);
      },
      options);
  EXPECT_THAT(called(result), ElementsAre("third", "wide"));
}

const std::string kRead =
    ".shared .align 4 .b8 tile[256];\n.func (.reg .u32 %v) read (.reg .u64 %p) .noinline { ld.u32 %v, [%p+4]; ret; }\n";

TEST(Calls, APointerIsToOneMemoryOfAllCallsOrTheFunctionIsInlined) {
  const auto body = [](const std::string& second) {
    return "shl.b32 %r4, %r3, 2; mov.u32 %r5, tile; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5], %r2; bar.sync 0;"
           "xor.b32 %r4, %r4, 4; cvt.u64.u32 %rd6, %r4; mov.u64 %rd5, tile; cvta.shared.u64 %rd5, %rd5; add.u64 %rd6, "
           "%rd6, "
           "%rd5; and.b32 %r7, %r3, 1; " +
           second + "add.u32 %r0, %r8, %r9;";
  };
  const std::string global = "call (%r8), read, (%rd2); call (%r9), read, (%rd2);";
  EXPECT_THAT(called(expect_results(program(kRead, body(global)), [](Word, Word b, Word) { return 2 * b; })),
              ElementsAre("read"));
  const std::string both = "call (%r8), read, (%rd2); call (%r9), read, (%rd5);";
  const Word first = inputs()[3];  // what thread 1 has stored
  EXPECT_THAT(called(expect_results(program(kRead, body(both)), [&](Word, Word b, Word) { return b + first; })),
              IsEmpty());
}

TEST(Calls, AFunctionThatGetsThePlaceOfALocalVariableIsInlined) {
  const std::string put = ".func put (.reg .u64 %p, .reg .u32 %x) .noinline { st.u32 [%p], %x; ret; }\n";
  const CompileResult result = expect_results(
      program(put,
              "{ .local .align 4 .b8 slot[8]; mov.u64 %rd5, slot; cvta.local.u64 %rd5, %rd5; call put, (%rd5, %r1);"
              "add.u64 %rd6, %rd5, 4; call put, (%rd6, %r2); ld.u32 %r4, [%rd5]; ld.u32 %r5, [%rd6]; sub.u32 %r0, %r4, "
              "%r5; }"),
      [](Word a, Word b, Word) { return a - b; });
  EXPECT_THAT(called(result), IsEmpty());
}

/// `count` instructions that depend on each other.
std::string long_function(unsigned count, const std::string& attribute = "") {
  std::string text = ".func (.reg .u32 %v) steps (.reg .u32 %x) " + attribute + " { .reg .u32 %t; mov.u32 %v, %x;\n";
  for (unsigned k = 1; k < count; k += 2)
    text += "shr.u32 %t, %v, " + std::to_string(k % 7 + 1) + "; xor.b32 %v, %v, %t;\n";
  return text + "ret; }\n";
}
std::string calls_of_steps(unsigned count) {
  std::string text = "mov.u32 %r0, %r1;";
  for (unsigned k = 0; k < count; ++k) text += "call (%r0), steps, (%r0); add.u32 %r0, %r0, %r2;";
  return text;
}

TEST(Calls, TwentyCallsOfALargeFunctionAreNotTwentyCopies) {
  const std::string text = program(long_function(200), calls_of_steps(20));
  CompileOptions inlined;
  inlined.calls = false;
  const auto words = [](const CompileResult& result) { return result.module.kernels.at(0).code.size(); };
  const CompileResult once = compile_ptx(program(long_function(200), calls_of_steps(1)), "k.ptx", {});
  const CompileResult often = compile_ptx(text, "k.ptx", {});
  EXPECT_GT(words(compile_ptx(text, "k.ptx", inlined)), 15 * words(once));
  EXPECT_LT(words(often), words(once) + 20 * 12);
  EXPECT_EQ(often.kernels[0].lines.size(), often.kernels[0].instructions);
}

TEST(Calls, SmallFunctionsAndThoseCalledOnceAreInlined) {
  const auto names = [](unsigned size, unsigned calls, const std::string& attribute = "") {
    return called(compile_ptx(program(long_function(size, attribute), calls_of_steps(calls)), "k.ptx", {}));
  };
  EXPECT_THAT(names(200, 2), ElementsAre("steps"));
  EXPECT_THAT(names(200, 1), IsEmpty());
  EXPECT_THAT(names(8, 20), IsEmpty());
  EXPECT_THAT(names(8, 1, ".noinline"), ElementsAre("steps"));
}

TEST(Calls, FunctionsThatCallEachOtherAreRefused) {
  const std::string pair =
      ".func (.reg .u32 %v) even (.reg .u32 %x);\n"
      ".func (.reg .u32 %v) odd (.reg .u32 %x) .noinline { call (%v), even, (%x); ret; }\n"
      ".func (.reg .u32 %v) even (.reg .u32 %x) .noinline { call (%v), odd, (%x); ret; }\n";
  try {
    compile_ptx(program(pair, "call (%r0), even, (%r1);"), "k.ptx", {});
    ADD_FAILURE() << "recursion was compiled";
  } catch (const SourceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("calls itself; recursion needs sm_20"));
  }
}

/// What registers hold is all that a call of so many words could pass: with few registers there are copies again.
TEST(Calls, WhereRegistersDoNotSufficeForCallsFunctionsAreInlined) {
  std::string formals, actuals, sum;
  for (unsigned k = 0; k < 12; ++k) {
    formals += std::string(k == 0 ? "" : ", ") + ".reg .u32 %x" + std::to_string(k);
    actuals += std::string(k == 0 ? "%r1" : ", %r2");
    sum += "mad.lo.u32 %v, %v, 3, %x" + std::to_string(k) + ";";
  }
  const std::string many =
      ".func (.reg .u32 %v) many (" + formals + ") .noinline { mov.u32 %v, 0; " + sum + " ret; }\n";
  CompileOptions few;
  few.max_registers = 8;
  const CompileResult result = expect_results(
      program(many, "call (%r4), many, (" + actuals + "); add.u32 %r0, %r4, %r3;"),
      [](Word a, Word b, Word t) {
        Word v = a;
        for (unsigned k = 1; k < 12; ++k) v = v * 3 + b;
        return v + t;
      },
      few);
  EXPECT_THAT(called(result), IsEmpty());
}

}  // namespace
}  // namespace g80
