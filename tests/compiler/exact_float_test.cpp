// SPDX-License-Identifier: Apache-2.0
// Division and square root: correctly rounded for every operand, special values included, as the host's are.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hw/isa/float_bits.h"
#include "tests/compiler/kernel_runner.h"

namespace g80 {
namespace {

using ir::Op;
using ir::Type;
using ir::ValueId;

constexpr std::uint32_t kFloatThreads = 256;

using isa::bits_of;
using isa::double_of;
using isa::float_of;

/// The chip's view of a single: subnormals are zero, one NaN.
std::uint32_t flushed(std::uint32_t bits) {
  if ((bits & 0x7f800000) == 0) return bits & 0x80000000;
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffffu : bits;
}

/// out[i] = op(in[2 i], in[2 i + 1]); operands and results of `words` words.
ir::Function binary_kernel(Op op, Type type, unsigned operands) {
  ir::Function f;
  f.name = "binary";
  add_parameters(f);
  f.add_block();
  const auto word = [&](Op o, ValueId a, ValueId b) { return f.append1(0, make_inst(o, {a, b}), Type::kI32); };
  const ValueId out = load_parameter(f, 0, 0), in = load_parameter(f, 0, 1);
  const ValueId tid = f.append1(0, make_inst(Op::kSpecial, {}), Type::kI32);
  const std::uint32_t bytes = type == Type::kF64 ? 8 : 4;
  ir::Inst load = make_inst(Op::kLoad, {word(Op::kAdd, in, word(Op::kMul, tid, f.i32(2 * bytes)))});
  load.access = bytes == 8 ? ir::Access::kB64 : ir::Access::kB32;
  ir::Inst math = make_inst(op, {});
  math.accuracy = ir::Accuracy::kExact;
  for (unsigned i = 0; i < operands; ++i) {
    load.offset = static_cast<std::int32_t>(i * bytes);
    math.operands.push_back(f.append1(0, load, type));
  }
  ir::Inst store = make_inst(Op::kStore, {word(Op::kAdd, out, word(Op::kMul, tid, f.i32(bytes)))});
  store.access = load.access;
  store.operands.push_back(f.append1(0, math, type));
  f.append(0, store, {});
  f.append(0, make_inst(Op::kExit, {}), {});
  return f;
}

std::vector<std::uint32_t> compute(const ir::Function& f, const std::vector<std::uint32_t>& input, unsigned words,
                                   isa::Arch arch) {
  ir::Module module;
  module.kernels.push_back(f);
  CompileOptions options;
  options.arch = arch;
  const CompileResult compiled = generate_code(module, "test.ptx", options);
  return run_compiled(compiled.module, compiled.module.kernels[0], f, input, {kFloatThreads, 1, words});
}

std::uint32_t random_float(std::mt19937& rng, unsigned i) {
  static constexpr std::uint32_t kSpecial[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00800000,
                                               0x007fffff, 0x7f7fffff, 0x3f800000, 0x3f7fffff, 0x3f800001, 0xbf800000,
                                               0x7e800000, 0x7f000000, 0x00ffffff, 0x40490fdb};
  if (i < 256) return kSpecial[i % 16];
  if (i % 3 == 0) return (rng() & 0x807fffff) | 0x3f000000;  // near one: hard roundings
  return rng();
}

/// a / b rounded to 24 bits, then flushed: a result that rounds up to the smallest normal number survives.
std::uint32_t chip_quotient(float a, float b) {
  const float quotient = a / b;
  const double wide = static_cast<double>(a) / static_cast<double>(b);
  if (std::fabs(quotient) > 0x1p-126f || wide == 0.0 || std::isnan(wide)) return flushed(bits_of(quotient));
  const float scaled = static_cast<float>(wide * 0x1p64);  // 53 bits are enough to round twice
  const std::uint32_t sign = bits_of(scaled) & 0x80000000;
  return std::fabs(scaled) >= 0x1p-62f ? sign | 0x00800000u : sign;
}

TEST(ExactFloat, SingleQuotientsAreCorrectlyRounded) {
  const ir::Function f = binary_kernel(Op::kFdiv, Type::kF32, 2);
  std::mt19937 rng(1);
  for (unsigned round = 0; round < 24; ++round) {
    std::vector<std::uint32_t> input;
    for (unsigned i = 0; i < kFloatThreads; ++i) {
      input.push_back(random_float(rng, round == 0 ? i / 16 : 1000 + i));
      input.push_back(random_float(rng, round == 0 ? i : 1001 + i));
    }
    const std::vector<std::uint32_t> output = compute(f, input, 1, isa::Arch::kSm10);
    for (unsigned i = 0; i < kFloatThreads; ++i) {
      const float a = float_of(flushed(input[2 * i])), b = float_of(flushed(input[2 * i + 1]));
      ASSERT_EQ(output[i], chip_quotient(a, b)) << std::hex << input[2 * i] << " / " << input[2 * i + 1];
    }
  }
}

TEST(ExactFloat, SingleRootsAreCorrectlyRounded) {
  const ir::Function f = binary_kernel(Op::kFsqrt, Type::kF32, 1);
  std::mt19937 rng(2);
  for (unsigned round = 0; round < 24; ++round) {
    std::vector<std::uint32_t> input;
    for (unsigned i = 0; i < 2 * kFloatThreads; ++i)
      input.push_back(random_float(rng, round == 0 ? i / 2 : 1000 + i / 2));
    const std::vector<std::uint32_t> output = compute(f, input, 1, isa::Arch::kSm10);
    for (unsigned i = 0; i < kFloatThreads; ++i) {
      const float a = float_of(flushed(input[2 * i]));
      ASSERT_EQ(output[i], flushed(bits_of(std::sqrt(a)))) << std::hex << input[2 * i];
    }
  }
}

std::uint64_t random_double(std::mt19937& rng, unsigned i, bool is_tame) {
  static constexpr std::uint64_t kSpecial[] = {0,
                                               0x8000000000000000,
                                               0x7ff0000000000000,
                                               0xfff0000000000000,
                                               0x7ff8000000000000,
                                               0x0010000000000000,
                                               0x000fffffffffffff,
                                               1,
                                               0x7fefffffffffffff,
                                               0x3ff0000000000000,
                                               0x3fefffffffffffff,
                                               0x3ff0000000000001,
                                               0x8000000000000003,
                                               0x4340000000000000,
                                               0x0008000000000000,
                                               0xc000000000000000};
  if (i < 256) return kSpecial[i % 16];
  const std::uint64_t random = std::uint64_t{rng()} << 32 | rng();
  return is_tame ? (random & 0x800fffffffffffff) | 0x3fe0000000000000 : random;
}

void check_doubles(Op op, unsigned operands, unsigned seed) {
  const ir::Function f = binary_kernel(op, Type::kF64, operands);
  std::mt19937 rng(seed);
  for (unsigned round = 0; round < 16; ++round) {
    std::vector<std::uint64_t> numbers;
    for (unsigned i = 0; i < kFloatThreads; ++i) {
      numbers.push_back(random_double(rng, round == 0 ? i / 16 : 1000, round % 2 == 0));
      numbers.push_back(random_double(rng, round == 0 ? i : 1000, round % 2 == 0));
      // results around the smallest numbers
      if (round % 4 == 3) {
        numbers[2 * i] = (numbers[2 * i] & 0x800fffffffffffff) | std::uint64_t{rng() % 64} << 52;
        numbers[2 * i + 1] = (numbers[2 * i + 1] & 0x800fffffffffffff) | std::uint64_t{1000 + rng() % 64} << 52;
      }
    }
    std::vector<std::uint32_t> input;
    for (const std::uint64_t number : numbers) {
      input.push_back(static_cast<std::uint32_t>(number));
      input.push_back(static_cast<std::uint32_t>(number >> 32));
    }
    const std::vector<std::uint32_t> output = compute(f, input, 2, isa::Arch::kSm13);
    for (unsigned i = 0; i < kFloatThreads; ++i) {
      const double a = double_of(numbers[2 * i]), b = double_of(numbers[2 * i + 1]);
      const double expected = op == Op::kFdiv ? a / b : op == Op::kFrcp ? 1.0 / a : std::sqrt(a);
      const std::uint64_t actual = output[2 * i] | std::uint64_t{output[2 * i + 1]} << 32;
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(double_of(actual))) << std::hex << numbers[2 * i] << " " << numbers[2 * i + 1];
      } else {
        ASSERT_EQ(actual, bits_of(expected)) << std::hex << numbers[2 * i] << " " << numbers[2 * i + 1];
      }
    }
  }
}

TEST(ExactFloat, DoubleQuotientsAreCorrectlyRounded) { check_doubles(Op::kFdiv, 2, 3); }
TEST(ExactFloat, DoubleReciprocalsAreCorrectlyRounded) { check_doubles(Op::kFrcp, 1, 4); }
TEST(ExactFloat, DoubleRootsAreCorrectlyRounded) { check_doubles(Op::kFsqrt, 1, 5); }

TEST(ExactFloat, DoublePrecisionNeedsSm13) {
  EXPECT_THROW(compute(binary_kernel(Op::kFdiv, Type::kF64, 2), std::vector<std::uint32_t>(1024), 2, isa::Arch::kSm12),
               SourceError);
}

}  // namespace
}  // namespace g80
