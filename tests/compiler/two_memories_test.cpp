// SPDX-License-Identifier: Apache-2.0
// Addresses that lie in one memory or another, depending on the way: each access becomes one of each memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/compiler/ptx_runner.h"
#include "toolchain/compiler/ptx/lower_ptx.h"

namespace g80 {
namespace {

using u32 = std::uint32_t;
using ::testing::HasSubstr;

constexpr unsigned kThreads = 64;

// What the memories hold at thread t's addresses when the tested code begins; `in` and `out` are in global memory.
u32 tile(u32 t) { return 3 * t + 1; }
u32 in(u32 t) { return 1000 + t; }
u32 edge(u32 t) { return 500 + t % 4; }
u32 local(u32 t) { return 7 * t; }

/// A kernel that sets %x. Generic addresses of thread t: %tile (8-byte aligned if t is even), %in, %edge, %local.
/// %odd and %high (bit 1 of t) are predicates.
std::string kernel(const std::string& body, const std::string& functions = "") {
  return R"(.version 3.0
.target sm_20
.address_size 64
.const .u32 edges[4] = {500, 501, 502, 503};
.global .u32 numbers[4] = {90, 91, 92, 93};
.const .u64 place = numbers;
)" + functions +
         R"(
.entry k(.param .u64 out_p, .param .u64 in_p) {
  .reg .u32 %t, %x, %y, %r<20>;
  .reg .u64 %tile, %in, %edge, %local, %out, %offset, %p, %q, %d<20>;
  .reg .pred %odd, %high, %c<9>;
  .shared .align 16 .u32 tiles[64];
  .local .align 16 .u32 words[4];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %offset, %t, 4;
  ld.param.u64 %out, [out_p];
  add.s64 %out, %out, %offset;
  ld.param.u64 %in, [in_p];
  add.s64 %in, %in, %offset;
  mov.u64 %tile, tiles;
  cvta.shared.u64 %tile, %tile;
  add.s64 %tile, %tile, %offset;
  mov.u64 %edge, edges;
  cvta.const.u64 %edge, %edge;
  and.b64 %d0, %offset, 12;
  add.s64 %edge, %edge, %d0;
  mov.u64 %local, words;
  cvta.local.u64 %local, %local;
  add.s64 %local, %local, %d0;
  mul.lo.u32 %r0, %t, 7;
  st.u32 [%local], %r0;
  mad.lo.u32 %r0, %t, 3, 1;
  st.u32 [%tile], %r0;
  bar.sync 0;
  and.b32 %r0, %t, 1;
  setp.ne.u32 %odd, %r0, 0;
  and.b32 %r0, %t, 2;
  setp.ne.u32 %high, %r0, 0;
  mov.u32 %x, 0;
)" + body +
         R"(
  bar.sync 0;
  st.global.u32 [%out], %x;
  ld.shared.u32 %x, [%tile];
  st.global.u32 [%out+256], %x;
  ret;
}
)";
}

struct Results {
  std::vector<u32> x, tile, in;
};

Results run(const std::string& text, DivergenceFirst first) {
  PtxProgram program(text, PtxProgram::sm13(), first);
  std::vector<u32> data;
  for (u32 t = 0; t < kThreads + 4; ++t) data.push_back(in(t));
  const u32 input = program.upload(data), output = program.upload(std::vector<u32>(2 * kThreads));
  program.run("k", 1, kThreads, {output, 0, input, 0});
  const std::vector<u32> all = program.download<u32>(output, 2 * kThreads);
  return {{all.begin(), all.begin() + kThreads},
          {all.begin() + kThreads, all.end()},
          program.download<u32>(input, kThreads)};
}

using Expected = std::function<u32(u32)>;

/// %x at the end, and with `new_tile` and `new_in` the memories.
void expect(const std::string& text, const Expected& x, const Expected& new_tile = tile, const Expected& new_in = in) {
  for (const DivergenceFirst first : {DivergenceFirst::kTaken, DivergenceFirst::kFallthrough}) {
    const Results results = run(text, first);
    for (u32 t = 0; t < kThreads; ++t) {
      EXPECT_EQ(results.x[t], x(t)) << "x of thread " << t;
      EXPECT_EQ(results.tile[t], new_tile(t)) << "tile of thread " << t;
      EXPECT_EQ(results.in[t], new_in(t)) << "in of thread " << t;
    }
  }
}

/// `then` and `otherwise` set %p, `joined` is behind both.
std::string choice(const std::string& then, const std::string& otherwise, const std::string& joined) {
  return "@!%odd bra OTHER; mov.u64 %p, " + then + "; bra JOINED; OTHER: mov.u64 %p, " + otherwise +
         "; JOINED: " + joined;
}

std::string error_of(const std::string& text) {
  std::vector<Diagnostic> warnings;
  try {
    lower_ptx(text, "k.ptx", PtxProgram::sm13(), warnings);
  } catch (const SourceError& error) {
    return error.what();
  }
  return "";
}

TEST(TwoMemories, ASelectedAddress) {
  expect(kernel("selp.b64 %p, %tile, %in, %odd; ld.u32 %x, [%p];"), [](u32 t) { return t & 1 ? tile(t) : in(t); });
}

TEST(TwoMemories, JoinedAddresses) {
  expect(kernel(choice("%tile", "%in", "ld.u32 %x, [%p];")), [](u32 t) { return t & 1 ? tile(t) : in(t); });
}

TEST(TwoMemories, TheLoadGoesBackToTheBranches) {
  const CompileResult made =
      compile_ptx(kernel(choice("%tile", "%in", "ld.u32 %x, [%p];")), "k.ptx", PtxProgram::sm13());
  const CompileResult plain =
      compile_ptx(kernel("@!%odd bra OTHER; ld.u32 %x, [%tile]; bra JOINED; OTHER: ld.u32 %x, [%in]; JOINED:"), "k.ptx",
                  PtxProgram::sm13());
  EXPECT_EQ(made.kernels[0].instructions, plain.kernels[0].instructions);
  EXPECT_EQ(made.kernels[0].registers, plain.kernels[0].registers);
}

TEST(TwoMemories, FourMemories) {
  expect(kernel("selp.b64 %p, %tile, %in, %odd; selp.b64 %q, %edge, %local, %odd; selp.b64 %p, %p, %q, %high; ld.u32 "
                "%x, [%p];"),
         [](u32 t) { return t & 2   ? (t & 1 ? tile(t) : in(t))
                            : t & 1 ? edge(t)
                                    : local(t); });
  const std::string joined =
      "@%high bra A; @%odd bra B; mov.u64 %p, %local; bra J; A: @%odd bra C; mov.u64 %p, %in; bra J; B: mov.u64 %p, "
      "%edge; bra J;"
      "C: mov.u64 %p, %tile; J: ld.u32 %x, [%p];";
  expect(kernel(joined), [](u32 t) { return t & 2 ? (t & 1 ? tile(t) : in(t)) : t & 1 ? edge(t) : local(t); });
}

TEST(TwoMemories, OffsetsBehindTheJoin) {
  const std::string behind =
      "and.b64 %d1, %offset, 4; xor.b64 %d1, %d1, 4; add.s64 %p, %p, %d1; sub.s64 %p, %p, 4; ld.u32 %x, [%p+4];";
  const auto element = [](u32 t) { return t + (t & 1 ? 0 : 1); };
  expect(kernel(choice("%tile", "%in", behind)), [&](u32 t) { return t & 1 ? tile(element(t)) : in(element(t)); });
}

TEST(TwoMemories, ALoadBehindAStoreSeesIt) {
  // The store is between the join and the load, to the same word: the load cannot go back in front of it.
  const std::string behind = "st.shared.u32 [%tile], 5; st.global.u32 [%in], 6; ld.u32 %x, [%p];";
  expect(
      kernel(choice("%tile", "%in", behind)), [](u32 t) { return t & 1 ? 5 : 6; }, [](u32) { return 5; },
      [](u32) { return 6; });
}

TEST(TwoMemories, ALoadInFrontOfAStoreDoesNot) {
  const std::string behind = "ld.u32 %x, [%p]; st.u32 [%p], 5; ld.u32 %y, [%p]; mad.lo.u32 %x, %y, 65536, %x;";
  expect(
      kernel(choice("%tile", "%in", behind)), [](u32 t) { return (5u << 16) + (t & 1 ? tile(t) : in(t)); },
      [](u32 t) { return t & 1 ? 5 : tile(t); }, [](u32 t) { return t & 1 ? in(t) : 5; });
}

TEST(TwoMemories, ALoadFarBehindTheJoinGoesBack) {
  // As clang leaves the loads of a stencil: all choices first, then all loads.
  const std::string first = choice("%tile", "%in", ""),
                    between = "@%high bra FAR; mov.u32 %r1, 9; FAR: ld.u32 %y, [%edge];",
                    load = "ld.u32 %x, [%p]; mad.lo.u32 %x, %x, %r1, %y;", start = "mov.u32 %r1, 4;";
  const std::string merged = kernel(start + first + between + load);
  expect(merged, [](u32 t) { return (t & 1 ? tile(t) : in(t)) * (t & 2 ? 4 : 9) + edge(t); });
  const std::string plain =
      kernel(start + "@!%odd bra OTHER; ld.u32 %x, [%tile]; bra JOINED; OTHER: ld.u32 %x, [%in]; JOINED:" + between +
             "mad.lo.u32 %x, %x, %r1, %y;");
  EXPECT_EQ(compile_ptx(merged, "k.ptx", PtxProgram::sm13()).kernels[0].instructions,
            compile_ptx(plain, "k.ptx", PtxProgram::sm13()).kernels[0].instructions);
}

TEST(TwoMemories, ALoadThatIsNotAlwaysExecutedStaysWhereItIs) {
  // Where bit 1 is clear, the address is outside of all memories.
  const std::string wild = "@%high bra GOOD; add.s64 %tile, %tile, 0x4000; add.s64 %in, %in, 0x70000000; GOOD:";
  const std::string restored = "@%high bra KEPT; sub.s64 %tile, %tile, 0x4000; KEPT:";
  expect(kernel(wild + choice("%tile", "%in", "@!%high bra END; ld.u32 %x, [%p]; END:") + restored), [](u32 t) {
    return !(t & 2) ? 0 : t & 1 ? tile(t) : in(t);
  });
  // Nor where a thread ends in front of it.
  expect(
      kernel(wild + choice("%tile", "%in", "@!%high bra OUT; bra ON; OUT: exit; ON: ld.u32 %x, [%p];")),
      [](u32 t) { return !(t & 2) ? 0
                         : t & 1  ? tile(t)
                                  : in(t); }, [](u32 t) { return t & 2 ? tile(t) : 0; });
}

TEST(TwoMemories, ALoadInALoopSeesWhatTheLoopStores) {
  const std::string loop =
      "mov.u32 %r1, 0; LOOP: ld.u32 %y, [%p]; mad.lo.u32 %x, %x, 3, %y; add.u32 %y, %y, 1; @%high st.u32 [%p], %y;"
      "add.u32 %r1, %r1, 1; setp.le.u32 %c1, %r1, 3; @%c1 bra LOOP;";
  const auto sum = [](u32 t) {
    u32 x = 0, y = t & 1 ? tile(t) : in(t);
    for (u32 k = 0; k < 4; ++k, y += t & 2 ? 1 : 0) x = 3 * x + y;
    return x;
  };
  expect(
      kernel(choice("%tile", "%in", loop)), sum, [](u32 t) { return (t & 3) == 3 ? tile(t) + 4 : tile(t); },
      [](u32 t) { return (t & 3) == 2 ? in(t) + 4 : in(t); });
}

TEST(TwoMemories, AnAddressThatChangesItsMemoryInALoop) {
  const std::string loop =
      "mov.u64 %p, %tile; mov.u64 %q, %in; mov.u32 %r1, 0;"
      "LOOP: ld.u32 %y, [%p]; mad.lo.u32 %x, %x, 3, %y; mov.u64 %d1, %p; mov.u64 %p, %q; mov.u64 %q, %d1;"
      "add.u32 %r1, %r1, 1; setp.le.u32 %c1, %r1, %r0; @%c1 bra LOOP;";
  const auto sum = [](u32 t) {
    u32 x = 0;
    for (u32 k = 0; k <= (t & 2); ++k) x = 3 * x + (k & 1 ? in(t) : tile(t));
    return x;
  };
  expect(kernel(loop), sum);
  // A loop with two entries: its address is chosen in front of it and in it.
  const std::string two_entries =
      "mov.u64 %p, %tile; mov.u32 %r1, 0; @%odd bra SECOND; FIRST: ld.u32 %y, [%p]; mad.lo.u32 %x, %x, 3, %y; mov.u64 "
      "%p, %in;"
      "SECOND: ld.u32 %y, [%p]; mad.lo.u32 %x, %x, 5, %y; mov.u64 %p, %tile; add.u32 %r1, %r1, 1; setp.lt.u32 %c1, "
      "%r1, 3; @%c1 bra FIRST;";
  const auto entered = [](u32 t) {
    u32 x = 0;
    for (u32 k = 0; k < 3; ++k) {
      const bool first = k > 0 || (t & 1) == 0;
      if (first) x = 3 * x + tile(t);
      x = 5 * x + (first ? in(t) : tile(t));
    }
    return x;
  };
  expect(kernel(two_entries), entered);
}

TEST(TwoMemories, Stores) {
  const auto new_tile = [](u32 t) { return t & 1 ? 9 : tile(t); };
  const auto new_in = [](u32 t) { return t & 1 ? in(t) : 9; };
  const auto x = [](u32) { return 0; };
  expect(kernel(choice("%tile", "%in", "st.u32 [%p], 9;")), x, new_tile, new_in);
  expect(
      kernel("selp.b64 %p, %tile, %in, %odd; @%high st.u32 [%p], 9;"), x,
      [](u32 t) { return (t & 3) == 3 ? 9 : tile(t); }, [](u32 t) { return (t & 3) == 2 ? 9 : in(t); });
  const auto high_half = [](u32 word, u32 half) { return (word & 0xffff) | half << 16; };
  expect(
      kernel(choice("%tile", "%in", "st.u16 [%p+2], 9;")), x,
      [&](u32 t) { return t & 1 ? high_half(tile(t), 9) : tile(t); },
      [&](u32 t) { return t & 1 ? in(t) : high_half(in(t), 9); });
}

TEST(TwoMemories, Atomics) {
  const std::string body = "atom.add.u32 %x, [%p], 10; red.max.u32 [%p], 1020;";
  expect(
      kernel(choice("%tile", "%in", body)), [](u32 t) { return t & 1 ? tile(t) : in(t); },
      [](u32 t) { return t & 1 ? 1020u : tile(t); }, [](u32 t) { return t & 1 ? in(t) : std::max(1020u, in(t) + 10); });
}

TEST(TwoMemories, VectorsAndVolatileAccesses) {
  const std::string whole =
      "and.b64 %d1, %offset, 248; mov.u64 %d2, tiles; cvta.shared.u64 %d2, %d2; add.s64 %d2, %d2, %d1;"
      "and.b64 %d1, %offset, 4; sub.s64 %d3, %in, %d1;";
  const auto pair = [](u32 t) {
    const u32 first = t & ~1u;
    return t & 1 ? tile(first) * 3 + tile(first + 1) : in(first)*3 + in(first + 1);
  };
  expect(kernel(whole + choice("%d2", "%d3", "ld.v2.u32 {%x, %y}, [%p]; mad.lo.u32 %x, %x, 3, %y;")), pair);
  expect(kernel(whole + choice("%d2", "%d3",
                               "ld.volatile.u32 %x, [%p]; ld.volatile.u32 %y, [%p+4]; mad.lo.u32 %x, %x, 3, %y;")),
         pair);
  expect(kernel(whole + choice("%d2", "%d3", "ld.u64 %d4, [%p]; mov.b64 {%x, %y}, %d4; mad.lo.u32 %x, %x, 3, %y;")),
         pair);
}

TEST(TwoMemories, ANullPointerIsInNoMemory) {
  expect(kernel("mov.u64 %p, 0; @%odd bra NULL; selp.b64 %p, %tile, %in, %high; NULL: setp.ne.u64 %c1, %p, 0; @%c1 "
                "ld.u32 %x, [%p];"),
         [](u32 t) { return t & 1   ? 0
                            : t & 2 ? tile(t)
                                    : in(t); });
}

TEST(TwoMemories, FunctionsThatChooseOrGetAnAddress) {
  const std::string chooses =
      ".func (.reg .u64 %v) nearer (.reg .u64 %a, .reg .u64 %b, .reg .u32 %n) .noinline { .reg .pred %c; .reg .u32 %m;"
      "and.b32 %m, %n, 1; setp.ne.u32 %c, %m, 0; selp.b64 %v, %a, %b, %c; ret; }";
  expect(kernel("call (%p), nearer, (%tile, %in, %t); ld.u32 %x, [%p];", chooses),
         [](u32 t) { return t & 1 ? tile(t) : in(t); });
  const std::string reads =
      ".func (.reg .u32 %v) add (.reg .u64 %a, .reg .u32 %n) .noinline { ld.u32 %v, [%a]; add.u32 %v, %v, %n; ret; }";
  expect(kernel("selp.b64 %p, %tile, %in, %odd; call (%x), add, (%p, 1); call (%y), add, (%edge, %x); mov.u32 %x, %y;",
                reads),
         [](u32 t) { return (t & 1 ? tile(t) : in(t)) + 1 + edge(t); });
}

TEST(TwoMemories, APointerInConstantMemoryIsToGlobalMemory) {
  const std::string body = "ld.const.u64 %p, [place]; selp.b64 %p, %tile, %p, %odd; ld.u32 %x, [%p];";
  expect(kernel(body), [](u32 t) { return t & 1 ? tile(t) : 90; });
  const std::string generic =
      "mov.u64 %q, place; cvta.const.u64 %q, %q; ld.u64 %p, [%q]; @%odd mov.u64 %p, %tile; ld.u32 %x, [%p];";
  expect(kernel(generic), [](u32 t) { return t & 1 ? tile(t) : 90; });
}

TEST(TwoMemories, APointerThatWasKeptInMemoryIsRefused) {
  const std::string kept =
      ".local .u64 both[2]; mov.u64 %d1, both; st.local.u64 [%d1], %tile; st.local.u64 [%d1+8], %in;"
      "and.b64 %d2, %offset, 8; add.s64 %d1, %d1, %d2; ld.local.u64 %p, [%d1]; ld.u32 %x, [%p];";
  EXPECT_THAT(error_of(kernel(kept)), HasSubstr("this pointer may point to global or shared memory"));
  EXPECT_THAT(error_of(kernel(kept)), HasSubstr("a pointer read from memory does not contain the space"));
}

TEST(TwoMemories, NoWayMayLeadToConstantMemoryThatIsWritten) {
  EXPECT_THAT(error_of(kernel(choice("%tile", "%edge", "st.u32 [%p], 9;"))),
              HasSubstr("constant memory cannot be written"));
  EXPECT_THAT(error_of(kernel("selp.b64 %p, %tile, %local, %odd; red.add.u32 [%p], 9;")),
              HasSubstr("local memory has no atomics"));
}

TEST(TwoMemories, AddressesOf32Bits) {
  const std::string text = R"(.version 3.0
.target sm_20
.address_size 32
.entry k(.param .u32 out_p, .param .u32 in_p) {
  .reg .u32 %t, %r<9>;
  .reg .pred %c;
  .shared .u32 tiles[32];
  mov.u32 %t, %tid.x;
  shl.b32 %r1, %t, 2;
  ld.param.u32 %r2, [in_p];
  add.u32 %r2, %r2, %r1;
  mov.u32 %r3, tiles;
  cvta.shared.u32 %r3, %r3;
  add.u32 %r3, %r3, %r1;
  st.u32 [%r3], %t;
  and.b32 %r4, %t, 1;
  setp.ne.u32 %c, %r4, 0;
  selp.b32 %r5, %r3, %r2, %c;
  ld.u32 %r6, [%r5];
  ld.param.u32 %r7, [out_p];
  add.u32 %r7, %r7, %r1;
  st.global.u32 [%r7], %r6;
  ret;
}
)";
  PtxProgram program(text);
  const u32 input = program.upload(std::vector<u32>(32, 77)), output = program.upload(std::vector<u32>(32));
  program.run("k", 1, 32, {output, input});
  const std::vector<u32> x = program.download<u32>(output, 32);
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(x[t], t & 1 ? t : 77);
}

}  // namespace
}  // namespace g80
