// SPDX-License-Identifier: Apache-2.0
// Values of 16 bits in halves of registers: two share a register, wherever they come from and go to, and what is
// computed with them is what the host computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/compiler/ptx_runner.h"

namespace g80 {
namespace {

constexpr unsigned kHalfThreads = 64;

std::string number(unsigned n) { return std::to_string(n); }

/// A kernel of one block: `in` and `out` have `bytes` for each thread, %in and %out point to those of this one; %t is
/// the thread, %o its offset in tile[].
std::string kernel(const std::string& body, unsigned bytes, const std::string& before = "") {
  return ".version 1.4\n.target sm_11\n" + before +
         ".entry k (.param .u32 in, .param .u32 out) {\n"
         ".reg .u32 %in, %out, %t, %o, %r<40>; .reg .u16 %x<40>, %h<40>; .reg .pred %p<8>;\n"
         ".shared .align 4 .b8 tile[" +
         number(kHalfThreads * bytes) +
         "];\n"
         "mov.u32 %t, %tid.x; mul.lo.u32 %o, %t, " +
         number(bytes) +
         ";\n"
         "ld.param.u32 %in, [in]; add.u32 %in, %in, %o; ld.param.u32 %out, [out]; add.u32 %out, %out, %o;\n" +
         body + "exit; }\n";
}

struct Finished {
  KernelInfo info;
  std::vector<std::uint16_t> output;
};

Finished run(const std::string& text, const std::vector<std::uint16_t>& input, unsigned max_registers = 0) {
  CompileOptions options;
  options.arch = isa::Arch::kSm11;
  options.max_registers = max_registers;
  PtxProgram program(text, options);
  const std::uint32_t in = program.upload(input), out = program.upload(std::vector<std::uint16_t>(input.size(), 0));
  program.run("k", 1, kHalfThreads, {in, out});
  return {program.result().kernels.at(0), program.download<std::uint16_t>(out, input.size())};
}

std::vector<std::uint16_t> numbers(unsigned count) {
  std::vector<std::uint16_t> result(count);
  for (unsigned i = 0; i < count; ++i) result[i] = static_cast<std::uint16_t>(40503u * i ^ i >> 3);
  return result;
}

unsigned count_of(const KernelInfo& info, const std::string& mnemonic) {
  for (const auto& [name, count] : info.mix) {
    if (name == mnemonic) return count;
  }
  return 0;
}

/// `count` shorts go through tile[] into registers, where all are in use at once: the n-th plus the last but n.
std::string shorts_in_use(unsigned count, const std::string& middle = "") {
  std::string body;
  const auto each = [&](auto&& line) {
    for (unsigned i = 0; i < count; ++i) body += line(i) + "\n";
  };
  body += "mov.u32 %r0, tile; add.u32 %r0, %r0, %o;\n";
  each([](unsigned i) {
    const std::string at = number(2 * i);
    return "ld.global.u16 %x0, [%in+" + at + "]; st.shared.u16 [%r0+" + at + "], %x0;";
  });
  body += "bar.sync 0;\n";
  each([](unsigned i) { return "ld.shared.u16 %h" + number(i) + ", [%r0+" + number(2 * i) + "];"; });
  body += "bar.sync 0;\n" + middle;
  each([&](unsigned i) {
    return "add.u16 %x1, %h" + number(i) + ", %h" + number(count - 1 - i) + "; st.shared.u16 [%r0+" + number(2 * i) +
           "], %x1;";
  });
  each([](unsigned i) {
    const std::string at = number(2 * i);
    return "ld.shared.u16 %x0, [%r0+" + at + "]; st.global.u16 [%out+" + at + "], %x0;";
  });
  return kernel(body, 2 * count);
}

std::vector<std::uint16_t> mirrored_sums(const std::vector<std::uint16_t>& in, unsigned count) {
  std::vector<std::uint16_t> out(in.size());
  for (unsigned t = 0; t < kHalfThreads; ++t) {
    for (unsigned i = 0; i < count; ++i) {
      out[t * count + i] = static_cast<std::uint16_t>(in[t * count + i] + in[t * count + count - 1 - i]);
    }
  }
  return out;
}

TEST(HalfRegisters, TwoShortsShareARegister) {
  constexpr unsigned kCount = 20;
  const std::vector<std::uint16_t> input = numbers(kHalfThreads * kCount);
  const Finished result = run(shorts_in_use(kCount), input);
  EXPECT_EQ(result.output, mirrored_sums(input, kCount));
  // ten for the shorts, and the pointers
  EXPECT_LE(result.info.registers, kCount / 2 + 4);
  EXPECT_EQ(result.info.spill_loads, 0u);
}

TEST(HalfRegisters, SpilledShortsComeBack) {
  constexpr unsigned kCount = 20;
  const std::vector<std::uint16_t> input = numbers(kHalfThreads * kCount);
  for (const unsigned limit : {5u, 6u, 8u}) {
    SCOPED_TRACE(limit);
    const Finished result = run(shorts_in_use(kCount), input, limit);
    EXPECT_EQ(result.output, mirrored_sums(input, kCount));
    EXPECT_LE(result.info.registers, limit);
    EXPECT_GT(result.info.spill_loads, 0u);
    EXPECT_LE(result.info.local_bytes, 4 * kCount);
  }
}

TEST(HalfRegisters, LoopsCarryThemAndGuardsChangeThem) {
  constexpr unsigned kCount = 12;
  // each turn moves all shorts on by one place; in odd threads it doubles one, in every third it takes a branch
  std::string turn =
      "mov.u32 %r1, 0; and.b32 %r2, %t, 1; setp.ne.u32 %p0, %r2, 0; rem.u32 %r3, %t, 3;\n"
      "setp.eq.u32 %p1, %r3, 0;\nturn:\nmov.u16 %x2, %h0;\n";
  for (unsigned i = 0; i + 1 < kCount; ++i) turn += "mov.u16 %h" + number(i) + ", %h" + number(i + 1) + ";\n";
  turn +=
      "mov.u16 %h" + number(kCount - 1) +
      ", %x2;\n@%p0 add.u16 %h3, %h3, %h3;\n@!%p1 bra around;\n"
      "xor.b16 %h4, %h4, %h5;\nsetp.lt.s16 %p2, %h6, %h7;\n@%p2 min.s16 %h8, %h8, %h9;\n@!%p2 shr.u16 %h8, %h8, 3;\n"
      "around:\nadd.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 5; @%p3 bra turn;\n";
  const std::vector<std::uint16_t> input = numbers(kHalfThreads * kCount);
  std::vector<std::uint16_t> moved = input;
  for (unsigned t = 0; t < kHalfThreads; ++t) {
    std::uint16_t* h = &moved[t * kCount];
    for (unsigned round = 0; round < 5; ++round) {
      std::rotate(h, h + 1, h + kCount);
      if (t % 2 != 0) h[3] = static_cast<std::uint16_t>(2 * h[3]);
      if (t % 3 != 0) continue;
      h[4] ^= h[5];
      if (static_cast<std::int16_t>(h[6]) < static_cast<std::int16_t>(h[7])) {
        h[8] = static_cast<std::uint16_t>(std::min(static_cast<std::int16_t>(h[8]), static_cast<std::int16_t>(h[9])));
      } else {
        h[8] = static_cast<std::uint16_t>(h[8] >> 3);
      }
    }
  }
  for (const unsigned limit : {0u, 7u}) {
    SCOPED_TRACE(limit);
    const Finished result = run(shorts_in_use(kCount, turn), input, limit);
    EXPECT_EQ(result.output, mirrored_sums(moved, kCount));
    if (limit == 0) {
      EXPECT_LE(result.info.registers, kCount / 2 + 7);
    }
  }
}

/// Loads and stores of every width and space, of what a short or a byte becomes.
TEST(HalfRegisters, BytesAndShortsComeFromEverySpaceAndGoThere) {
  const std::string constants = ".const .align 2 .b8 table[8] = {1, 255, 128, 127, 0, 2, 254, 129};\n";
  std::string body =
      "mov.u32 %r0, tile; add.u32 %r0, %r0, %o; and.b32 %r1, %t, 3; mov.u32 %r2, table;\n"
      "add.u32 %r3, %r1, %r2; shl.b32 %r1, %r1, 1; add.u32 %r4, %r1, %r2;\n"
      "ld.global.u16 %h0, [%in]; ld.global.s8 %h1, [%in+2]; ld.global.u8 %h2, [%in+3];\n"
      "st.shared.u16 [%r0], %h0; st.shared.u8 [%r0+2], %h1; st.shared.u8 [%r0+3], %h2;\n"
      "ld.shared.s16 %h3, [%r0]; ld.shared.s8 %h4, [%r0+2]; ld.shared.u8 %h5, [%r0+3];\n"
      "ld.const.u8 %h6, [%r3]; ld.const.s8 %h7, [%r3]; ld.const.u16 %h8, [%r4];\n";
  body +=
      "add.u16 %x0, %h3, %h8; max.s16 %x0, %x0, %h4; st.global.u16 [%out], %x0;\n"
      "sub.u16 %x1, %h6, %h5; st.global.u8 [%out+2], %x1;\n"
      "mul.lo.u16 %x2, %h7, %h5; add.u16 %x2, %x2, %x0; st.global.u8 [%out+3], %x2;\n";
  const std::uint8_t table[] = {1, 255, 128, 127, 0, 2, 254, 129};
  const std::vector<std::uint16_t> input = numbers(kHalfThreads * 2);
  std::vector<std::uint16_t> expected(input.size());
  for (unsigned t = 0; t < kHalfThreads; ++t) {
    const unsigned entry = t & 3;
    const unsigned word = table[2 * entry] | table[2 * entry + 1] << 8;
    const int signed_byte = static_cast<std::int8_t>(input[2 * t + 1]), byte = input[2 * t + 1] >> 8;
    const int x0 = std::max<int>(static_cast<std::int16_t>(input[2 * t] + word), signed_byte);
    const int x1 = table[entry] - byte, x2 = static_cast<std::int8_t>(table[entry]) * byte + x0;
    expected[2 * t] = static_cast<std::uint16_t>(x0);
    expected[2 * t + 1] = static_cast<std::uint16_t>((x1 & 0xff) | (x2 & 0xff) << 8);
  }
  for (const unsigned limit : {0u, 5u}) {
    SCOPED_TRACE(limit);
    EXPECT_EQ(run(kernel(body, 4, constants), input, limit).output, expected);
  }
}

/// Shorts are compared, ordered and shifted as they are: nothing is extended first.
TEST(HalfRegisters, ShortsAreNotExtended) {
  const std::string body =
      "ld.global.u16 %h0, [%in]; ld.global.u16 %h1, [%in+2]; min.s16 %x0, %h0, %h1;\n"
      "max.s16 %x1, %h0, %h1; shr.s16 %x1, %x1, 2; setp.gt.u16 %p0, %h0, %h1;\n"
      "@%p0 add.u16 %x0, %x0, 1; st.global.u16 [%out], %x0; st.global.u16 [%out+2], %x1;\n";
  const std::vector<std::uint16_t> input = numbers(kHalfThreads * 2);
  std::vector<std::uint16_t> expected(input.size());
  for (unsigned t = 0; t < kHalfThreads; ++t) {
    const auto a = static_cast<std::int16_t>(input[2 * t]), b = static_cast<std::int16_t>(input[2 * t + 1]);
    expected[2 * t] = static_cast<std::uint16_t>(std::min(a, b) + (input[2 * t] > input[2 * t + 1]));
    expected[2 * t + 1] = static_cast<std::uint16_t>(std::max(a, b) >> 2);
  }
  const Finished result = run(kernel(body, 4), input);
  EXPECT_EQ(result.output, expected);
  EXPECT_EQ(count_of(result.info, "cvt"), 0u);
  EXPECT_EQ(count_of(result.info, "and"), 1u);  // of the thread number
}

/// The sum has 32 bits, also where the chip takes the distance of two halves; a third operand of 16 bits is extended.
TEST(HalfRegisters, DistancesAreTakenOfHalves) {
  const std::string body =
      "ld.global.u16 %x0, [%in]; ld.global.u16 %x1, [%in+2]; ld.global.s16 %h0, [%in]; ld.global.s16 %h1, [%in+2];\n"
      "cvt.u32.u16 %r0, %x0; cvt.u32.u16 %r1, %x1; sad.u32 %r2, %r0, %r1, 0xfffff000; st.global.u32 [%out], %r2;\n"
      "cvt.s32.s16 %r3, %h0; cvt.s32.s16 %r4, %h1; sad.s32 %r5, %r3, %r4, %r2; st.global.u32 [%out+4], %r5;\n"
      "sad.u16 %x3, %x0, %x1, %x1; st.global.u16 [%out+8], %x3; sad.s16 %h3, %h0, %h1, %h0; st.global.s16 [%out+10], "
      "%h3;\n";
  const std::vector<std::uint16_t> input = numbers(kHalfThreads * 6);
  std::vector<std::uint16_t> expected(input.size());
  for (unsigned t = 0; t < kHalfThreads; ++t) {
    const std::uint16_t a = input[6 * t], b = input[6 * t + 1];
    const auto s = static_cast<std::int16_t>(a), u = static_cast<std::int16_t>(b);
    const auto unsigned_distance = static_cast<std::uint32_t>(std::abs(a - b)),
               signed_distance = static_cast<std::uint32_t>(std::abs(s - u));
    const std::uint32_t first = unsigned_distance + 0xfffff000u, second = signed_distance + first;
    expected[6 * t] = static_cast<std::uint16_t>(first);
    expected[6 * t + 1] = static_cast<std::uint16_t>(first >> 16);
    expected[6 * t + 2] = static_cast<std::uint16_t>(second);
    expected[6 * t + 3] = static_cast<std::uint16_t>(second >> 16);
    expected[6 * t + 4] = static_cast<std::uint16_t>(unsigned_distance + b);
    expected[6 * t + 5] = static_cast<std::uint16_t>(signed_distance + a);
  }
  const Finished result = run(kernel(body, 12), input);
  EXPECT_EQ(result.output, expected);
  EXPECT_EQ(count_of(result.info, "sad"), 4u);
  EXPECT_EQ(count_of(result.info, "cvt"), 0u);
}

TEST(HalfRegisters, WordsArePutTogetherOfHalvesInPlace) {
  const std::string body =
      "mov.u32 %r0, tile; add.u32 %r0, %r0, %o; ld.global.u16 %x0, [%in]; st.shared.u16 [%r0], %x0;\n"
      "ld.global.u16 %x1, [%in+2]; st.shared.u16 [%r0+2], %x1; bar.sync 0;\n"
      "ld.shared.u16 %h0, [%r0]; ld.shared.u16 %h1, [%r0+2]; add.u16 %h2, %h0, %h1;\n"
      "sub.u16 %h3, %h0, %h1; cvt.u32.u16 %r1, %h2; cvt.u32.u16 %r2, %h3; shl.b32 %r2, %r2, 16;\n"
      "or.b32 %r3, %r1, %r2; st.global.u32 [%out], %r3;\n";
  const std::vector<std::uint16_t> input = numbers(kHalfThreads * 2);
  std::vector<std::uint16_t> expected(input.size());
  for (unsigned t = 0; t < kHalfThreads; ++t) {
    expected[2 * t] = static_cast<std::uint16_t>(input[2 * t] + input[2 * t + 1]);
    expected[2 * t + 1] = static_cast<std::uint16_t>(input[2 * t] - input[2 * t + 1]);
  }
  const Finished result = run(kernel(body, 4), input);
  EXPECT_EQ(result.output, expected);
  EXPECT_EQ(count_of(result.info, "or"), 0u);
  EXPECT_EQ(count_of(result.info, "cvt"), 0u);
}

}  // namespace
}  // namespace g80
