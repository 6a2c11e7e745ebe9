// SPDX-License-Identifier: Apache-2.0
// What loops compile to: the passes that take instructions out of them, each on the smallest loop that shows it.
#include <gtest/gtest.h>

#include <random>

#include "tests/compiler/ptx_runner.h"
#include "tests/quality/code_shape.h"
#include "tests/support/random_seed.h"

namespace g80::quality {
namespace {

/// A kernel with out in %rd0, one parameter in %r0, the thread number in %r1.
std::string kernel(const std::string& body) {
  return ".version 1.4\n.target sm_10\n.entry k(.param .u32 out, .param .u32 n) {\n"
         ".reg .u32 %r<20>; .reg .pred %p<8>; .reg .f32 %f<8>; .shared .u32 cells[64];\n"
         "ld.param.u32 %r9, [out]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x; shl.b32 %r8, %r1, 2; add.u32 %r9, %r9, "
         "%r8;\n" +
         body + "}\n";
}

struct Compiled {
  explicit Compiled(const std::string& body) : program(kernel(body)) {
    const Kernel& code = program.result().module.kernels.at(0);
    shape = measure_code(code.code, 0, program.result().module.arch);
  }
  std::vector<std::uint32_t> run(std::uint32_t n, const std::vector<std::uint32_t>& memory, unsigned threads = 1) {
    const std::uint32_t out = program.upload(memory);
    program.run("k", 1, threads, {out, n});
    return program.download<std::uint32_t>(out, memory.size());
  }
  PtxProgram program;
  CodeShape shape;
};

TEST(LoopCode, AHalvingLoopTestsTheHalf) {
  Compiled code(
      "mov.u32 %r2, 0;\nloop: shr.u32 %r3, %r0, 1; add.u32 %r2, %r2, 1; setp.gt.u32 %p0, %r0, 1; mov.u32 %r0, %r3;\n"
      "@%p0 bra loop; st.global.u32 [%r9], %r2; exit;");
  EXPECT_EQ(code.shape.loops, (std::vector<unsigned>{3}));  // shr with flags, add, bra
  for (const std::uint32_t n : {0u, 1u, 2u, 3u, 4u, 255u, 256u, 0x80000000u, 0xffffffffu}) {
    std::uint32_t bits = 1;
    for (std::uint32_t rest = n; rest > 1; rest /= 2) ++bits;
    EXPECT_EQ(code.run(n, {0}), (std::vector<std::uint32_t>{bits})) << n;
  }
}

TEST(LoopCode, ASignedHalvingLoopKeepsItsBound) {
  // n >= 12 is half >= 6; n >= 13 says nothing about the half
  for (const std::uint32_t bound : {12u, 13u}) {
    Compiled code("mov.u32 %r2, 0;\nloop: shr.s32 %r3, %r0, 1; add.u32 %r2, %r2, 1; setp.ge.s32 %p0, %r0, " +
                  std::to_string(bound) + "; mov.u32 %r0, %r3;\n@%p0 bra loop; st.global.u32 [%r9], %r2; exit;");
    for (const std::uint32_t n :
         {0u, 11u, 12u, 13u, 14u, 25u, 26u, 27u, 1000u, 0x7fffffffu, 0x80000000u, 0xfffffff3u}) {
      std::uint32_t count = 1;
      for (auto rest = static_cast<std::int32_t>(n); rest >= static_cast<std::int32_t>(bound); rest >>= 1) ++count;
      EXPECT_EQ(code.run(n, {0}), (std::vector<std::uint32_t>{count})) << n;
    }
  }
}

TEST(LoopCode, ACountedLoopTestsWhatItHasCounted) {
  Compiled code(
      "mov.u32 %r2, 0;\nloop: add.u32 %r2, %r2, %r1; setp.ne.s32 %p0, %r0, 1; add.s32 %r0, %r0, -1;\n"
      "@%p0 bra loop; st.global.u32 [%r9], %r2; exit;");
  EXPECT_EQ(code.shape.loops, (std::vector<unsigned>{3}));  // add, add with flags, bra
  EXPECT_EQ(code.run(5, {9, 9, 9}, 3), (std::vector<std::uint32_t>{0, 5, 10}));
}

TEST(LoopCode, AVariableThatIsStillNeededIsTestedAsItIs) {
  Compiled code(
      "mov.u32 %r2, 0;\nloop: shr.u32 %r3, %r0, 1; add.u32 %r2, %r2, %r0; setp.gt.u32 %p0, %r0, 3; mov.u32 %r0, %r3;\n"
      "@%p0 bra loop; st.global.u32 [%r9], %r2; exit;");
  EXPECT_EQ(code.run(21, {0}), (std::vector<std::uint32_t>{21 + 10 + 5 + 2}));
}

TEST(LoopCode, AResultThatIsComparedWithZeroWritesItsFlags) {
  Compiled code(
      "and.b32 %r2, %r0, 6; setp.eq.s32 %p0, %r2, 0; selp.u32 %r3, 10, 20, %p0; setp.ne.u32 %p1, %r2, 0; @%p1 add.u32 "
      "%r3, %r3, 1;\n"
      "st.global.u32 [%r9], %r3; exit;");
  EXPECT_EQ(code.run(9, {0}), (std::vector<std::uint32_t>{10}));
  EXPECT_EQ(code.run(4, {0}), (std::vector<std::uint32_t>{21}));
  unsigned sets = 0;
  for (const auto& [mnemonic, count] : code.program.result().kernels[0].mix) sets += mnemonic == "set" ? count : 0;
  EXPECT_LE(sets, 1u);
}

TEST(LoopCode, GuardedAccessesShareAnAddressRegister) {
  Compiled code(
      "mov.u32 %r2, cells; add.u32 %r2, %r2, %r8; st.shared.u32 [%r2], %r1; setp.lt.u32 %p0, %r1, %r0; @!%p0 bra "
      "done;\n"
      "ld.shared.u32 %r3, [%r2]; add.u32 %r3, %r3, 5; st.shared.u32 [%r2], %r3;\n"
      "done: ld.shared.u32 %r4, [%r2]; st.global.u32 [%r9], %r4; exit;");
  EXPECT_EQ(code.run(2, {0, 0, 0, 0}, 4), (std::vector<std::uint32_t>{5, 6, 2, 3}));
  unsigned makes = 0;
  for (const auto& [mnemonic, count] : code.program.result().kernels[0].mix)
    makes += mnemonic.find("$a") != std::string::npos ? count : 0;
  EXPECT_LE(makes, 1u);
}

TEST(LoopCode, AnAddressThatALoopStepsThroughIsAPointer) {
  // for (i = tid; count-- != 0; i += n) out[0] += out[i]
  Compiled code(
      "mov.u32 %r2, %r1; mov.u32 %r3, 3; mov.u32 %r4, 0; ld.param.u32 %r10, [out];\n"
      "loop: shl.b32 %r5, %r2, 2; add.u32 %r6, %r10, %r5; ld.global.u32 %r7, [%r6]; add.u32 %r4, %r4, %r7;\n"
      "add.u32 %r2, %r2, %r0; add.s32 %r3, %r3, -1; setp.ne.s32 %p0, %r3, 0; @%p0 bra loop;\n"
      "bar.sync 0; st.global.u32 [%r9], %r4; exit;");
  EXPECT_EQ(code.shape.loops, (std::vector<unsigned>{5}));  // load, sum, pointer, count with flags, branch
  EXPECT_EQ(code.run(2, {1, 2, 3, 4, 5, 6}, 2), (std::vector<std::uint32_t>{9, 12, 3, 4, 5, 6}));
}

TEST(LoopCode, APointerThatSavesNothingIsNotMade) {
  // the index is stored too: it stays, and a pointer would be a register more for one instruction less
  Compiled code(
      "mov.u32 %r2, %r1; ld.param.u32 %r10, [out]; mov.u32 %r3, 3;\n"
      "loop: shl.b32 %r5, %r2, 2; add.u32 %r6, %r10, %r5; st.global.u32 [%r6], %r2;\n"
      "add.u32 %r2, %r2, %r0; add.s32 %r3, %r3, -1; setp.ne.s32 %p0, %r3, 0; @%p0 bra loop; exit;");
  EXPECT_EQ(code.run(2, {9, 9, 9, 9, 9, 9}, 2), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_LE(code.shape.registers, 5u);
}

/// A loop that sums words at up to three addresses that are linear in its variable, as PTX and on the host.
class RandomLoop {
 public:
  static constexpr std::uint32_t kWords = 256;

  explicit RandomLoop(std::mt19937& random) {
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    do {
      start_ = pick(0, 60), step_ = pick(-3, 4), count_ = pick(1, 9);
      step_is_parameter_ = pick(0, 1) != 0, keeps_variable_ = pick(0, 2) == 0;
      addresses_.assign(static_cast<std::size_t>(pick(1, 3)), {});
      for (auto& operations : addresses_) {
        for (int k = pick(0, 3); k > 0; --k) operations.push_back({pick(0, 3), pick(0, 9)});
      }
    } while (!stays_inside());
  }

  std::uint32_t step() const { return static_cast<std::uint32_t>(step_); }

  std::string text() const {
    std::string code = "ld.param.u32 %r10, [out]; mov.s32 %r2, " + std::to_string(start_) + "; mov.u32 %r3, " +
                       std::to_string(count_) + "; mov.u32 %r4, 0;\nloop:\n";
    for (const auto& operations : addresses_) {
      code += "mov.u32 %r5, %r2;\n";
      for (const auto& [operation, n] : operations) {
        constexpr const char* kTexts[] = {"add.u32", "sub.u32", "mul.lo.u32", "shl.b32"};
        code += std::string(kTexts[operation]) + " %r5, %r5, " + std::to_string(operation == 3 ? n % 3 : n) + ";\n";
      }
      code += "shl.b32 %r6, %r5, 2; add.u32 %r6, %r10, %r6; ld.global.u32 %r7, [%r6]; add.u32 %r4, %r4, %r7;\n";
    }
    if (keeps_variable_) code += "xor.b32 %r4, %r4, %r2;\n";
    code += step_is_parameter_ ? "add.u32 %r2, %r2, %r0;\n" : "add.s32 %r2, %r2, " + std::to_string(step_) + ";\n";
    return code + "add.s32 %r3, %r3, -1; setp.ne.s32 %p0, %r3, 0; @%p0 bra loop; st.global.u32 [%r9], %r4; exit;";
  }

  std::uint32_t on_host(const std::vector<std::uint32_t>& memory) const {
    std::uint32_t sum = 0;
    for (int k = 0; k < count_; ++k) {
      for (const auto& operations : addresses_) sum += memory.at(index(operations, variable(k)));
      if (keeps_variable_) sum ^= variable(k);
    }
    return sum;
  }

 private:
  using Operations = std::vector<std::pair<int, int>>;

  std::uint32_t variable(int k) const { return static_cast<std::uint32_t>(start_ + k * step_); }
  static std::uint32_t index(const Operations& operations, std::uint32_t value) {
    for (const auto& [operation, number] : operations) {
      const auto n = static_cast<std::uint32_t>(number);
      value = operation == 0 ? value + n : operation == 1 ? value - n : operation == 2 ? value * n : value << n % 3;
    }
    return value;
  }
  bool stays_inside() const {
    for (int k = 0; k < count_; ++k) {
      for (const auto& operations : addresses_) {
        if (index(operations, variable(k)) >= kWords) return false;
      }
    }
    return true;
  }

  int start_ = 0, step_ = 0, count_ = 0;
  bool step_is_parameter_ = false, keeps_variable_ = false;
  std::vector<Operations> addresses_;
};

TEST(LoopCode, RandomLoopsReadTheWordsThatTheyName) {
  std::mt19937 random(random_seed());
  std::vector<std::uint32_t> memory(RandomLoop::kWords);
  for (std::uint32_t& word : memory) word = static_cast<std::uint32_t>(random());
  for (int k = 0; k < 200; ++k) {
    const RandomLoop loop(random);
    const std::uint32_t expected = loop.on_host(memory);
    ASSERT_EQ(Compiled(loop.text()).run(loop.step(), memory).at(0), expected) << loop.text();
  }
}

}  // namespace
}  // namespace g80::quality
