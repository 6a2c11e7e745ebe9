// SPDX-License-Identifier: Apache-2.0
// Comparison of buffers, images in files, recorded goldens.
#include "tb/scenario/buffer_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/recorded_golden.h"

namespace g80 {
namespace {

std::vector<std::uint8_t> words(const std::vector<std::uint32_t>& values) {
  std::vector<std::uint8_t> bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
BufferDecl decl(ElementType type, std::uint64_t ulp = 0) {
  BufferDecl d;
  d.name = "x";
  d.type = type;
  d.ulp = ulp;
  return d;
}
std::string temporary(const char* name) { return (std::filesystem::path(::testing::TempDir()) / name).string(); }

TEST(CompareBuffer, ExactMeansBits) {
  EXPECT_EQ(compare_buffer(decl(ElementType::kF32), words({0x3f800000, 0}), words({0x3f800000, 0})).differing, 0u);
  const BufferCheck check =
      compare_buffer(decl(ElementType::kF32), words({0x3f800000, 0x80000000, 1}), words({0x3f800000, 0, 2}));
  EXPECT_EQ(check.differing, 2u);
  EXPECT_EQ(check.first_difference, "x[1] is -0 (0x80000000), expected 0 (0x00000000)");
}

TEST(CompareBuffer, ToleranceCountsFloatsBetween) {
  const auto differing = [](std::uint64_t ulp, std::uint32_t a, std::uint32_t b) {
    return compare_buffer(decl(ElementType::kF32, ulp), words({a}), words({b})).differing;
  };
  EXPECT_EQ(differing(2, 0x3f800000, 0x3f800002), 0u);
  EXPECT_EQ(differing(1, 0x3f800000, 0x3f800002), 1u);
  EXPECT_EQ(differing(2, 0x00000001, 0x80000001), 0u) << "the distance goes through zero";
  EXPECT_EQ(differing(1, 0x00000001, 0x80000001), 1u);
  EXPECT_EQ(differing(1 << 24, 0x7fc00000, 0x7f800000), 1u) << "a NaN is near nothing";
  EXPECT_EQ(differing(1, 0x7fffffff, 0xffc00000), 0u) << "two NaNs are one, whatever their bits";
  EXPECT_EQ(differing(0, 0x7fffffff, 0xffc00000), 1u) << "without a tolerance the bits count";
  EXPECT_EQ(compare_buffer(decl(ElementType::kU32, 5), words({1}), words({2})).differing, 1u) << "integers are exact";
}

TEST(ElementBits, NumbersMustFit) {
  EXPECT_EQ(element_bits(ElementType::kU8, Value::of(-1), "v"), 0xffu);
  EXPECT_EQ(element_bits(ElementType::kF32, Value::of(16777217), "v"), 0x4b800000u);
  EXPECT_EQ(element_bits(ElementType::kF64, Value::of_real(1), "v"), 0x3ff0000000000000u);
  EXPECT_THROW(element_bits(ElementType::kU8, Value::of(256), "v"), InputError);
  EXPECT_THROW(element_bits(ElementType::kS8, Value::of(128), "v"), InputError);
  EXPECT_THROW(element_bits(ElementType::kU32, Value::of_real(1), "v"), InputError);
}

// The host's NaN has a sign that depends on the host.
TEST(ElementBits, ANanIsTheChips) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {nan, -nan, std::copysign(nan, -1.0)}) {
    EXPECT_EQ(element_bits(ElementType::kF32, Value::of_real(value), "v"), 0x7fffffffu);
    EXPECT_EQ(element_bits(ElementType::kF64, Value::of_real(value), "v"), 0xfff8000000000000u);
  }
}

// An expression that is the same everywhere is evaluated once; all others element by element.
TEST(Elements, AreWhatTheirExpressionSays) {
  NameTable names;
  names.add("n", Value::of(7));
  const auto elements = [&](const char* text) {
    return evaluate_elements({text, "here"}, ElementType::kU32, 4, names, 1, "x");
  };
  EXPECT_EQ(elements("0"), words({0, 0, 0, 0}));
  EXPECT_EQ(elements("n * 3"), words({21, 21, 21, 21}));
  EXPECT_EQ(elements("n + i"), words({7, 8, 9, 10}));
  EXPECT_EQ(elements("i == 2 ? n : 1"), words({1, 1, 7, 1}));
  const auto drawn = elements("random(0, 1000000)");
  EXPECT_NE(element_at(drawn, 4, 0), element_at(drawn, 4, 1));
  EXPECT_TRUE(evaluate_elements({"0", "here"}, ElementType::kU32, 0, names, 1, "x").empty());
}

TEST(EvaluateElements, TheNameChoosesTheRandomNumbers) {
  const auto numbers = [](std::uint64_t seed, const char* name) {
    return evaluate_elements({"random(0, 0xffffffff)", "here"}, ElementType::kU32, 4, NameTable{}, seed, name);
  };
  EXPECT_EQ(numbers(1, "a"), numbers(1, "a"));
  EXPECT_NE(numbers(1, "a"), numbers(1, "b"));
  EXPECT_NE(numbers(1, "a"), numbers(2, "a"));
}

// A gigabyte is not filled to be told that it does not fit.
TEST(Buffers, ThatDoNotFitAreRefusedBeforeTheyAreFilled) {
  Scenario scenario;
  for (const char* name : {"a", "b", "c"}) {
    BufferDecl& buffer = scenario.buffers.emplace_back();
    buffer.name = name;
    buffer.type = ElementType::kU32;
    buffer.count = {"1000", "s.toml:3: buffer." + buffer.name + ".count"};
    buffer.init_text = {"1 / 0", "an expression that cannot be evaluated"};
  }
  const auto error = [&](std::uint64_t device_bytes) -> std::string {
    try {
      make_buffers(scenario, {}, 1, device_bytes);
    } catch (const InputError& refused) {
      return refused.what();
    }
    return "";
  };
  EXPECT_EQ(error(8000),
            "s.toml:3: buffer.c.count: buffer c of 4000 bytes does not fit: the buffers up to it need 12000 bytes, "
            "8000 bytes of device memory are free");
  EXPECT_EQ(error(12000), "an expression that cannot be evaluated: element 0 of a: in '1 / 0': division by zero");
}

TEST(MemoryImage, OfAnotherSizeIsRefusedBeforeItIsRead) {
  write_file(temporary("g80_long.bin"), "");
  std::filesystem::resize_file(temporary("g80_long.bin"), std::uintmax_t{1} << 33);  // a hole, all of it
  try {
    read_memory_image(temporary("g80_long.bin"), 16, "here");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("g80_long.bin has 8589934592 bytes, the buffer 16"), std::string::npos)
        << error.what();
  }
  std::filesystem::remove(temporary("g80_long.bin"));
}

TEST(MemoryImage, HexAndRawHoldTheSameBytes) {
  const std::vector<std::uint8_t> bytes = words({0x00112233, 0xdeadbeef, 7});
  for (const char* name : {"g80_image.hex", "g80_image.bin"}) {
    write_memory_image(temporary(name), bytes);
    EXPECT_EQ(read_memory_image(temporary(name)), bytes) << name;
  }
  EXPECT_EQ(read_file(temporary("g80_image.hex")), "00112233 deadbeef 00000007\n");
}

TEST(MemoryImage, MistakesNameFileAndLine) {
  write_file(temporary("g80_bad.hex"), "00000000 # fine\n\n0000000g\n");
  try {
    read_memory_image(temporary("g80_bad.hex"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("g80_bad.hex:3: '0000000g'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(read_memory_image(temporary("g80_not_there.bin")), InputError);
  EXPECT_THROW(write_memory_image(temporary("g80_odd.hex"), {1, 2, 3}), InputError);
}

TEST(RecordedGolden, ComesBackAsWritten) {
  const BufferDecl a = decl(ElementType::kF32);
  BufferDecl b = decl(ElementType::kU16);
  b.name = "y";
  const std::vector<Buffer> buffers = {{&a, 3, 0, words({1, 2, 0xffffffff})}, {&b, 2, 0, {1, 2, 3, 4}}};
  write_recorded_golden(temporary("g80_golden.txt"), buffers);
  const auto contents = read_recorded_golden(temporary("g80_golden.txt"));
  EXPECT_EQ(contents.at("x"), buffers[0].bytes);
  EXPECT_EQ(contents.at("y"), buffers[1].bytes);
}

TEST(RecordedGolden, DamageIsReported) {
  const std::string path = temporary("g80_damaged.txt");
  for (const char* text :
       {"", "g80-golden 2\n", "g80-golden 1\nbuffer x f32 2\n00000000\n", "g80-golden 1\nbuffer x f32 1\n0000\n",
        "g80-golden 1\nbuffer x f99 1\n00000000\n", "g80-golden 1\nbuffer x f32 1\n00000000 00000000\n"}) {
    write_file(path, text);
    EXPECT_THROW(read_recorded_golden(path), InputError) << text;
  }
}

}  // namespace
}  // namespace g80
