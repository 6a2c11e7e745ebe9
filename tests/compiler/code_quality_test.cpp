// SPDX-License-Identifier: Apache-2.0
// How good the code is: loops of known kernels stay within the number of instructions a good programmer needs.
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "hw/isa/disassembler.h"
#include "tests/compiler/kernel_runner.h"

namespace g80 {
namespace {

using ir::Op;
using ir::Type;
using ir::ValueId;

struct Loop {
  unsigned instructions = 0;
  unsigned branches = 0;  // in the loop, the one back included
};

struct Placed {
  std::uint32_t address;
  isa::Instruction insn;
};

std::vector<Placed> decode(const Kernel& kernel, isa::Arch arch) {
  std::vector<Placed> code;
  for (std::size_t i = 0; i < kernel.code.size();) {
    Placed placed{static_cast<std::uint32_t>(4 * i), {}};
    const std::uint32_t w1 = i + 1 < kernel.code.size() ? kernel.code[i + 1] : 0;
    EXPECT_EQ(isa::decode(kernel.code[i], w1, arch, placed.insn), isa::DecodeError::kNone);
    i += isa::is_long(kernel.code[i]) ? 2 : 1;
    code.push_back(placed);
  }
  return code;
}

/// The innermost loop: from the target of the only backward branch to that branch.
Loop find_loop(const Kernel& kernel, isa::Arch arch) {
  const std::vector<Placed> code = decode(kernel, arch);
  Loop loop;
  for (std::size_t end = 0; end < code.size(); ++end) {
    if (code[end].insn.op != isa::Op::kBra || code[end].insn.target > code[end].address) continue;
    for (const Placed& placed : code) {
      if (placed.address < code[end].insn.target || placed.address > code[end].address) continue;
      ++loop.instructions;
      loop.branches += placed.insn.op == isa::Op::kBra;
    }
  }
  return loop;
}

// for (i = tid; i < n; i += stride) { if (group) a[i] = a[i] + a[i]; else a[i] = a[i] * a[i]; }
ir::Function square_array() {
  ir::Function f;
  f.name = "square_array";
  add_parameters(f, 2);
  for (int i = 0; i < 6; ++i) f.add_block();
  const auto op = [&](ir::BlockId b, Op o, std::vector<ValueId> operands, Type type = Type::kI32) {
    return f.append1(b, make_inst(o, std::move(operands)), type);
  };
  const ValueId array = load_parameter(f, 0, 0), tid = op(0, Op::kSpecial, {});
  const ValueId n = f.i32(640), stride = f.i32(64);
  const ValueId group = op(0, Op::kSet, {op(0, Op::kAnd, {tid, f.i32(2)}), f.i32(0)}, Type::kPred);
  f.append(0, make_inst(Op::kBranch, {}, {1}), {});
  const ir::InstId index_phi = f.append(1, make_inst(Op::kPhi, {tid}, {0}), {Type::kI32});
  const ValueId index = f.insts[index_phi].results[0];
  const ValueId address = op(1, Op::kAdd, {array, op(1, Op::kShl, {index, f.i32(2)})});
  f.append(1, make_inst(Op::kCondBranch, {group}, {2, 3}), {});
  for (const ir::BlockId side : {2u, 3u}) {
    const ValueId element = op(side, Op::kLoad, {address}, Type::kF32);
    f.append(
        side,
        make_inst(Op::kStore, {address, op(side, side == 2 ? Op::kFmul : Op::kFadd, {element, element}, Type::kF32)}),
        {});
    f.append(side, make_inst(Op::kBranch, {}, {4}), {});
  }
  const ValueId next = op(4, Op::kAdd, {index, stride});
  ir::Inst test = make_inst(Op::kSet, {next, n});
  test.compare = ir::Compare::kLt;
  f.append(4, make_inst(Op::kCondBranch, {f.append1(4, test, Type::kPred)}, {1, 5}), {});
  f.insts[index_phi].operands.push_back(next);
  f.insts[index_phi].blocks.push_back(4);
  f.append(5, make_inst(Op::kExit, {}), {});
  return f;
}

TEST(CodeQuality, SquareArrayIsAPredicatedLoopOfAtMost14Instructions) {
  const ir::Function f = square_array();
  const CompileResult result = expect_same(f, {}, {64, 1, 10});
  const Loop loop = find_loop(result.module.kernels[0], isa::Arch::kSm10);
  EXPECT_LE(loop.instructions, 14u);
  EXPECT_GE(loop.instructions, 8u);  // two loads, two operations, two stores, the index and its test
  EXPECT_EQ(loop.branches, 1u);
  EXPECT_LE(result.kernels[0].registers, 9u);  // the assembly version has 9
}

// sum += a[i] * b[i]: what a compiler of the time needed for the inner loop of a naive matrix product is nine
// instructions with the store of each partial sum, eight without.
TEST(CodeQuality, InnerProductsTakeEightInstructions) {
  ir::Function f;
  f.name = "inner";
  add_parameters(f, 1);
  for (int i = 0; i < 3; ++i) f.add_block();
  const auto op = [&](ir::BlockId b, Op o, std::vector<ValueId> operands, Type type = Type::kI32) {
    return f.append1(b, make_inst(o, std::move(operands)), type);
  };
  const ValueId out = load_parameter(f, 0, 0), in = load_parameter(f, 0, 1), tid = op(0, Op::kSpecial, {});
  f.append(0, make_inst(Op::kBranch, {}, {1}), {});
  const ir::InstId phis[] = {f.append(1, make_inst(Op::kPhi, {in}, {0}), {Type::kI32}),
                             f.append(1, make_inst(Op::kPhi, {f.constant(Type::kF32, 0)}, {0}), {Type::kF32}),
                             f.append(1, make_inst(Op::kPhi, {f.i32(16)}, {0}), {Type::kI32})};
  const auto phi = [&](int i) { return f.insts[phis[i]].results[0]; };
  const ValueId a = op(1, Op::kLoad, {phi(0)}, Type::kF32);
  ir::Inst second = make_inst(Op::kLoad, {phi(0)});
  second.offset = 64;
  const ValueId b = f.append1(1, second, Type::kF32);
  ir::Inst product = make_inst(Op::kFmul, {a, b});
  product.contract = true;
  ir::Inst sum = make_inst(Op::kFadd, {phi(1), f.append1(1, product, Type::kF32)});
  sum.contract = true;
  const ValueId next[] = {op(1, Op::kAdd, {phi(0), f.i32(4)}), f.append1(1, sum, Type::kF32),
                          op(1, Op::kSub, {phi(2), f.i32(1)})};
  ir::Inst test = make_inst(Op::kSet, {next[2], f.i32(0)});
  test.compare = ir::Compare::kNe;
  f.append(1, make_inst(Op::kCondBranch, {f.append1(1, test, Type::kPred)}, {1, 2}), {});
  for (int i = 0; i < 3; ++i) {
    f.insts[phis[i]].operands.push_back(next[i]);
    f.insts[phis[i]].blocks.push_back(1);
  }
  f.append(2, make_inst(Op::kStore, {op(2, Op::kAdd, {out, op(2, Op::kShl, {tid, f.i32(2)})}), next[1]}), {});
  f.append(2, make_inst(Op::kExit, {}), {});
  ir::Module module;
  module.kernels.push_back(f);
  const CompileResult result = generate_code(module, "test.ptx", {});
  EXPECT_LE(find_loop(result.module.kernels[0], isa::Arch::kSm10).instructions, 8u);
}

/// A kernel in PTX with parameters a (a pointer) and n; data[] is in s[].
Kernel kernel_of(const std::string& body) {
  const std::string text =
      ".version 1.4\n.target sm_10\n.shared .align 4 .b8 data[512];\n"
      ".entry k (.param .u32 a, .param .u32 n) {\n"
      "  .reg .u32 %r<9>; .reg .pred %p<4>;\n"
      "  ld.param.u32 %r0, [a];\n  ld.param.u32 %r1, [n];\n  cvt.u32.u16 %r2, %tid.x;\n  shl.b32 %r3, %r2, 2;\n" +
      body + "}\n";
  return compile_ptx(text, "test.ptx", {}).module.kernels.at(0);
}

/// Its instructions.
std::vector<std::string> listing(const std::string& body) {
  std::vector<std::string> lines;
  for (const Placed& placed : decode(kernel_of(body), isa::Arch::kSm10)) lines.push_back(isa::disassemble(placed.insn));
  return lines;
}

std::size_t count(const std::vector<std::string>& lines, const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [&](const std::string& line) { return line.find(text) != std::string::npos; }));
}

// while (n > 1) { n /= 2; data[n] = n; } as LLVM writes it. NVIDIA's compilers of the time shift at the end of the
// loop, where the shift's own flags say whether there is another round.
TEST(CodeQuality, TheShiftThatHalvesAStrideTestsIt) {
  const std::vector<std::string> lines = listing(
      "  setp.lt.u32 %p1, %r1, 2;\n  @%p1 bra done;\n"
      "loop:\n  shr.u32 %r4, %r1, 1;\n  shl.b32 %r5, %r4, 2;\n  st.shared.u32 [%r5], %r4;\n"
      "  setp.lt.u32 %p2, %r1, 4;\n  mov.u32 %r1, %r4;\n  @%p2 bra done;\n  bra loop;\n"
      "done:\n  exit;\n");
  EXPECT_EQ(count(lines, "set $c0"), 1u) << "only the one in front of the loop";
  EXPECT_EQ(count(lines, "shr u32 $c0"), 1u);
  EXPECT_EQ(count(lines, "shr u32"), 2u) << "one in front of the loop, one at its end";
}

// for (k = 0; k < 16; ++k) sum += data[k * 16 + tid], with `more` in the loop.
std::string column_sum(const std::string& more) {
  return "  mov.u32 %r4, data;\n  add.u32 %r4, %r4, %r3;\n  mov.u32 %r5, 0;\n  mov.u32 %r6, 0;\n"
         "loop:\n  ld.shared.u32 %r7, [%r4];\n  add.u32 %r6, %r6, %r7;\n" +
         more +
         "  add.u32 %r4, %r4, 64;\n  add.u32 %r5, %r5, 1;\n  setp.ne.u32 %p1, %r5, 16;\n  @%p1 bra loop;\n"
         "  st.global.u32 [%r0], %r6;\n  exit;\n";
}

TEST(CodeQuality, APointerIntoSharedMemoryStaysInAnAddressRegister) {
  EXPECT_EQ(find_loop(kernel_of(column_sum("")), isa::Arch::kSm10).instructions, 4u)
      << "the sum, the pointer, the counter, the branch";
  EXPECT_EQ(count(listing(column_sum("")), "add $a1 $a1 0x40"), 1u);
  // where the loop wants the pointer itself, it stays where it can be read
  const std::vector<std::string> stored = listing(column_sum("  st.global.u32 [%r0], %r4;\n"));
  EXPECT_EQ(count(stored, "add $a"), 0u);
}

// On sm_10 an operand reaches 32 words from its address register: two rows of 16.
TEST(CodeQuality, TwoRowsOfATileShareASum) {
  std::string body = "  mov.u32 %r4, data;\n  add.u32 %r4, %r4, %r3;\n  mov.u32 %r6, 0;\n";
  for (unsigned row = 0; row < 16; ++row)
    body += fmt::format("  ld.shared.u32 %r7, [%r4+{}];\n  add.u32 %r6, %r6, %r7;\n", 64 * row);
  EXPECT_EQ(count(listing(body + "  st.global.u32 [%r0], %r6;\n  exit;\n"), "add $a"), 7u);
}

// A word at a number reaches 32 words, too: those beyond are operands from a register that neighbours share.
TEST(CodeQuality, FarWordsOfSharedMemoryShareAnAddressRegister) {
  std::string body = "  ld.param.f32 %f1, [n];\n  mov.f32 %f2, %f1;\n";
  for (unsigned word = 40; word < 48; ++word)
    body += fmt::format("  ld.shared.f32 %f3, [data+{}];\n  mad.f32 %f2, %f3, %f1, %f2;\n", 4 * word);
  const std::vector<std::string> lines =
      listing("  .reg .f32 %f<9>;\n" + body + "  st.global.f32 [%r0], %f2;\n  exit;\n");
  EXPECT_EQ(count(lines, "add $a"), 1u);
  EXPECT_EQ(count(lines, "(mul b32 s[$a1+"), 8u) << fmt::format("{}", fmt::join(lines, "\n"));
}

TEST(CodeQuality, AnIndexIntoSharedMemoryBecomesAPointer) {
  // the words from address n on: n + k, k from 0 to 15 in steps of a word
  const std::string body =
      "  mov.u32 %r5, 0;\n  mov.u32 %r6, 0;\n"
      "loop:\n  add.u32 %r4, %r1, %r5;\n  ld.shared.u32 %r7, [%r4];\n  add.u32 %r6, %r6, %r7;\n"
      "  add.u32 %r5, %r5, 4;\n  setp.ne.u32 %p1, %r5, 64;\n  @%p1 bra loop;\n"
      "  st.global.u32 [%r0], %r6;\n  exit;\n";
  EXPECT_EQ(find_loop(kernel_of(body), isa::Arch::kSm10).instructions, 4u);
}

// sum += data[n + k] + data[n + k + 1], left in the middle: where the row begins is computed in the loop.
TEST(CodeQuality, AnIndexIntoSharedMemoryBecomesAPointerInALoopOfTwoBlocks) {
  const std::vector<std::string> lines = listing(
      "  mov.u32 %r5, 0;\n  mov.u32 %r6, 0;\n"
      "loop:\n  add.u32 %r4, %r1, %r5;\n  shl.b32 %r4, %r4, 2;\n  add.u32 %r8, %r0, %r3;\n  add.u32 %r4, %r4, %r8;\n"
      "  ld.shared.u32 %r7, [%r4];\n  add.u32 %r6, %r6, %r7;\n  setp.eq.s32 %p1, %r5, 16;\n  @%p1 bra done;\n"
      "  ld.shared.u32 %r7, [%r4+4];\n  xor.b32 %r6, %r6, %r7;\n  add.u32 %r5, %r5, 2;\n  bra loop;\n"
      "done:\n  st.global.u32 [%r0], %r6;\n  exit;\n");
  const auto xored = std::find_if(lines.begin(), lines.end(),
                                  [](const std::string& line) { return line.find("xor") != std::string::npos; });
  ASSERT_NE(xored, lines.end());
  const std::vector<std::string> rest(xored, lines.end());
  EXPECT_EQ(count(rest, "add b32"), 2u) << "the pointer, which also ends the loop, and the sum";
  EXPECT_EQ(count(lines, "shl b32"), 2u) << "of the thread number and of n, in front of the loop";
}

// for (k = 0; k < 16; k += n - t) sum += data[n + k]: the step is computed in the loop.
TEST(CodeQuality, AStepThatIsComputedInTheLoopMovesInFrontWithThePointer) {
  const std::vector<std::string> lines = listing(
      "  mov.u32 %r5, 0;\n  mov.u32 %r6, 0;\n"
      "loop:\n  add.u32 %r4, %r1, %r5;\n  shl.b32 %r4, %r4, 2;\n  add.u32 %r4, %r4, %r3;\n"
      "  ld.global.u32 %r7, [%r4];\n  add.u32 %r6, %r6, %r7;\n"
      "  sub.u32 %r8, %r1, %r2;\n  add.u32 %r5, %r5, %r8;\n  setp.lt.u32 %p1, %r5, 16;\n  @%p1 bra loop;\n"
      "  st.global.u32 [%r0], %r6;\n  exit;\n");
  const auto load = std::find_if(lines.begin(), lines.end(),
                                 [](const std::string& line) { return line.find("ld b32") != std::string::npos; });
  ASSERT_NE(load, lines.end());
  const std::vector<std::string> rest(load, lines.end());
  EXPECT_EQ(count(rest, "shl b32") + count(rest, "sub"), 0u) << fmt::format("{}", fmt::join(lines, "\n"));
}

// for (p = data, i = 0;; p += 2, i += 2) { sum += *p; if (i == 16) break; sum ^= p[1]; }: the pointer can tell the end.
TEST(CodeQuality, ACounterThatOnlyEndsTheLoopGivesItsTestToAnotherVariable) {
  const auto sums = [](const std::string& step, const std::string& test) {
    const std::vector<std::string> lines = listing(
        "  mov.u32 %r5, 0;\n  mov.u32 %r6, 0;\n  mov.u32 %r4, data;\n"
        "loop:\n  ld.shared.u32 %r7, [%r4];\n  add.u32 %r6, %r6, %r7;\n  setp." +
        test +
        ";\n  @%p1 bra done;\n"
        "  ld.shared.u32 %r7, [%r4+4];\n  xor.b32 %r6, %r6, %r7;\n  add.u32 %r4, %r4, 8;\n  add.u32 %r5, %r5, " +
        step + ";\n  bra loop;\ndone:\n  st.global.u32 [%r0], %r6;\n  exit;\n");
    const auto xored = std::find_if(lines.begin(), lines.end(),
                                    [](const std::string& line) { return line.find("xor") != std::string::npos; });
    return count({xored, lines.end()}, "add b32");
  };
  EXPECT_EQ(sums("2", "eq.s32 %p1, %r5, 16"), 2u) << "the pointer and the sum";
  EXPECT_EQ(sums("-2", "eq.s32 %p1, %r5, -16"), 2u);
  EXPECT_EQ(sums("2", "eq.s32 %p1, %r5, 15"), 3u) << "no value of the counter";
  EXPECT_EQ(sums("2", "eq.s32 %p1, %r5, -16"), 3u) << "the pointer has been everywhere before";
  EXPECT_EQ(sums("2", "ne.s32 %p1, %r5, 16"), 3u) << "left where it is not 16: only equality is the same";
  EXPECT_EQ(sums("2", "gt.s32 %p1, %r5, 16"), 3u);
}

// for (; n > 0; n /= 2): a division of a signed number adds its sign bit before it shifts.
TEST(CodeQuality, ADivisionByTwoOfWhatIsNeverNegativeIsAShift) {
  constexpr const char* kSign = " 0x1f";
  const auto halved = [](const std::string& before) {
    return listing(before +
                   "loop:\n  bar.sync 0;\n  shr.u32 %r4, %r1, 31;\n  add.s32 %r4, %r1, %r4;\n  shr.s32 %r4, %r4, 1;\n"
                   "  st.shared.u32 [%r3], %r4;\n  setp.gt.s32 %p2, %r1, 3;\n  mov.u32 %r1, %r4;\n  @%p2 bra loop;\n"
                   "done:\n  exit;\n");
  };
  EXPECT_EQ(count(halved("  setp.lt.s32 %p1, %r1, 1;\n  @%p1 bra done;\n"), kSign), 0u);
  EXPECT_EQ(count(halved("  setp.lt.s32 %p1, %r1, 1;\n  @%p1 bra done;\n"), "shr u32 $c0"), 1u) << "it tests itself";
  EXPECT_EQ(count(halved("  setp.lt.s32 %p1, %r1, -1;\n  @%p1 bra done;\n"), kSign), 1u) << "n may be -1";
  EXPECT_EQ(count(halved(""), kSign), 1u);
  // for (n = 2; n < most; n *= 2) data[t] = n < 0;
  const auto doubled = [](const std::string& most) {
    return listing(
        "  mov.u32 %r1, 2;\nloop:\n  shr.u32 %r4, %r1, 31;\n  st.shared.u32 [%r3], %r4;\n  bar.sync 0;\n"
        "  shl.b32 %r1, %r1, 1;\n  setp.lt.s32 %p1, %r1, " +
        most + ";\n  @%p1 bra loop;\n  exit;\n");
  };
  EXPECT_EQ(count(doubled("257"), kSign), 0u);
  EXPECT_EQ(count(doubled("1073741824"), kSign), 0u);
  EXPECT_EQ(count(doubled("1073741825"), kSign), 1u) << "the next is 2^31";
  EXPECT_EQ(count(doubled("%r2"), kSign), 1u);
}

TEST(CodeQuality, ALoopVariableThatOnlyCountsEndsAtZero) {
  // up to a number, and up to a value
  for (const std::string limit : {"16", "%r1"}) {
    const std::vector<std::string> lines = listing(
        "  mov.u32 %r5, 0;\n  mov.u32 %r6, 1;\n"
        "loop:\n  mul.lo.u32 %r6, %r6, %r6;\n  add.u32 %r5, %r5, 1;\n  setp.ne.u32 %p1, %r5, " +
        limit + ";\n  @%p1 bra loop;\n  st.global.u32 [%r0], %r6;\n  exit;\n");
    EXPECT_EQ(count(lines, "set $c0"), 0u) << limit;
    EXPECT_EQ(count(lines, "add b32 $c0"), 1u) << limit;
  }
  // one that is read after the loop ends where the program says
  const std::vector<std::string> lines = listing(
      "  mov.u32 %r5, 0;\n"
      "loop:\n  add.u32 %r5, %r5, %r1;\n  setp.ne.u32 %p1, %r5, 16;\n  @%p1 bra loop;\n"
      "  st.global.u32 [%r0], %r5;\n  exit;\n");
  EXPECT_EQ(count(lines, "set $c0"), 1u);
}

TEST(CodeQuality, WhatOnlySomeThreadsDoLastIsBehindARet) {
  const std::vector<std::string> lines = listing(
      "  setp.ne.u32 %p1, %r2, 0;\n  @%p1 bra done;\n  add.u32 %r4, %r0, %r1;\n  st.global.u32 [%r4], %r1;\n"
      "done:\n  exit;\n");
  EXPECT_EQ(count(lines, "ret"), 1u);
  EXPECT_EQ(count(lines, "exit st b32 g14"), 1u) << "without a guard";
  EXPECT_EQ(count(lines, "nop"), 0u);
}

TEST(CodeQuality, AVolatileWordOfSharedMemoryIsAnOperandWhereItKeepsItsPlace) {
  const std::string load = "  ld.volatile.shared.u32 %r4, [data+64];\n", add = "  add.u32 %r5, %r4, %r1;\n",
                    store = "  st.volatile.global.u32 [%r0], %r1;\n", result = "  st.shared.u32 [%r3], %r5;\n  exit;\n";
  // the instruction that reads the word
  const auto reader = [](const std::vector<std::string>& lines) {
    EXPECT_EQ(count(lines, "s[0x5"), 1u) << "read once";
    for (const std::string& line : lines) {
      if (line.find("s[0x5") != std::string::npos) return line.substr(0, 3);
    }
    return std::string();
  };
  EXPECT_EQ(reader(listing(load + add + store + result)), "add");
  EXPECT_EQ(reader(listing(load + store + add + result)), "mov") << "the store comes between";
  EXPECT_EQ(reader(listing(load + "  st.shared.u32 [%r3], %r1;\n  exit;\n")), "mov") << "nobody wants it";
}

// The steps of an unrolled loop whose stride doubles: clang makes each address from the one before it.
TEST(CodeQuality, AnAddressOfAStepWhoseStrideDoublesIsOneShift) {
  std::string body = "  shl.b32 %r4, %r2, 1;\n  or.b32 %r4, %r4, 1;\n  shl.b32 %r5, %r4, 1;\n  add.u32 %r6, %r5, -1;\n";
  for (unsigned step = 1; step < 5; ++step) {
    body += fmt::format("  shl.b32 %r5, %r4, {};\n  add.u32 %r6, %r6, %r5;\n", step);
  }
  // (64 t + 31) * 2
  const std::vector<std::string> lines =
      listing(body + "  shl.b32 %r7, %r6, 1;\n  st.shared.u16 [%r7+2], %r1;\n  exit;\n");
  EXPECT_EQ(count(lines, "add"), 0u);
  EXPECT_EQ(count(lines, " or"), 0u);
  EXPECT_EQ(count(lines, "shl"), 1u);
}

TEST(CodeQuality, WhatAGuardChoosesIsComputedUnderTheGuard) {
  // m > limit ? m / 2 : m, as in a logarithm; b ? data[b] : 0, as at the edge of an image
  const std::vector<std::string> halved = listing(
      "  .reg .f32 %f<9>;\n  ld.global.f32 %f1, [%r0];\n  setp.gt.f32 %p1, %f1, 0f3fb504f3;\n"
      "  mul.f32 %f2, %f1, 0f3f000000;\n  selp.f32 %f3, %f2, %f1, %p1;\n  st.global.f32 [%r0], %f3;\n  exit;\n");
  EXPECT_EQ(count(halved, "(lg $c0) mul rn f32"), 1u) << fmt::format("{}", fmt::join(halved, "\n"));
  EXPECT_EQ(count(halved, "mov b32"), 1u) << "the address";
  const std::vector<std::string> edge = listing(
      "  mov.u32 %r4, 0;\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra done;\n  add.u32 %r5, %r0, %r3;\n"
      "  ld.global.u32 %r4, [%r5];\ndone:\n  st.global.u32 [%r0], %r4;\n  exit;\n");
  EXPECT_EQ(count(edge, ") mov b32"), 0u) << fmt::format("{}", fmt::join(edge, "\n"));
}

TEST(CodeQuality, APredicateIsAddedAsItsMask) {
  const std::vector<std::string> lines = listing(
      "  setp.gt.u32 %p1, %r1, %r2;\n  selp.u32 %r4, 1, 0, %p1;\n  add.u32 %r5, %r2, %r4;\n"
      "  st.global.u32 [%r0], %r5;\n  exit;\n");
  EXPECT_EQ(count(lines, "sub b32"), 1u);
  EXPECT_EQ(count(lines, "c1["), 0u) << "neither the number 1 nor a choice";
}

// What NVIDIA's functions take: 22 instructions, the remainder four products and a difference more.
TEST(CodeQuality, ARemainderTakesAFifthMoreThanADivision) {
  const auto length = [](const char* operation) {
    return listing(std::string("  ") + operation + " %r4, %r0, %r1;\n  st.global.u32 [%r0], %r4;\n  exit;\n").size();
  };
  EXPECT_EQ(length("rem.u32"), length("div.u32") + 5);
  EXPECT_LE(length("rem.s32"), length("rem.u32") + 5) << "magnitudes, the sign";
}

TEST(CodeQuality, TheReciprocalOfARootIsOneOperation) {
  const std::vector<std::string> lines = listing(
      "  .reg .f32 %f<9>;\n  ld.param.f32 %f1, [n];\n  sqrt.approx.f32 %f2, %f1;\n  rcp.approx.f32 %f3, %f2;\n"
      "  st.global.f32 [%r0], %f3;\n  exit;\n");
  EXPECT_EQ(count(lines, "rsqrt"), 1u);
  EXPECT_EQ(count(lines, "rcp"), 0u);
}

TEST(CodeQuality, MultiplesOfOneValueAreAddedInTheirFactors) {
  const auto stored = [](const std::string& sum) {
    return listing("  shl.b32 %r4, %r2, 3;\n  mul.lo.u32 %r5, %r2, 3;\n  neg.s32 %r6, %r2;\n" + sum +
                   "  st.global.u32 [%r0], %r7;\n  exit;\n");
  };
  for (const char* sum : {"  sub.u32 %r7, %r4, %r4;\n", "  add.u32 %r7, %r6, %r2;\n"}) {
    EXPECT_EQ(count(stored(sum), "add") + count(stored(sum), "sub") + count(stored(sum), "shl"), 0u) << "zero";
  }
  for (const char* sum : {"  add.u32 %r7, %r5, %r2;\n", "  sub.u32 %r7, %r5, %r6;\n"}) {
    EXPECT_EQ(count(stored(sum), "shl"), 1u) << "four times";
    EXPECT_EQ(count(stored(sum), "mul") + count(stored(sum), "add") + count(stored(sum), "sub"), 0u);
  }
  EXPECT_EQ(count(stored("  add.u32 %r7, %r4, %r5;\n"), "add"), 1u) << "eleven times is no shift";
}

// Nine comparisons with the thread number in front of a loop, each read twice in it: the chip has four flag registers,
// and to keep the others would take a register each.
TEST(CodeQuality, ComparisonsThatALoopReadsAreMadeAgainInsteadOfKept) {
  std::string before, steps;
  for (unsigned k = 0; k < 9; ++k) {
    before += fmt::format("  setp.gt.u32 %p{}, %r2, {};\n", k, 1u << k);
    steps += fmt::format("  bar.sync 0;\n  @%p{} st.shared.u32 [%r3+{}], %r4;\n", k, 4 * k);
  }
  const std::string text =
      ".version 1.4\n.target sm_10\n.shared .align 4 .b8 data[4096];\n.entry k (.param .u32 n) {\n"
      "  .reg .u32 %r<9>; .reg .pred %p<16>;\n"
      "  ld.param.u32 %r1, [n];\n  cvt.u32.u16 %r2, %tid.x;\n  shl.b32 %r3, %r2, 2;\n  mov.u32 %r4, 0;\n" +
      before + "loop:\n" + steps + steps +
      "  add.u32 %r4, %r4, 1;\n  setp.ne.u32 %p15, %r4, %r1;\n  @%p15 bra loop;\n  exit;\n}\n";
  const CompileResult result = compile_ptx(text, "test.ptx", {});
  EXPECT_LE(result.kernels[0].registers, 4u) << "the thread number, the address, the counter and one";
  std::vector<std::string> lines;
  for (const Placed& placed : decode(result.module.kernels[0], isa::Arch::kSm10))
    lines.push_back(isa::disassemble(placed.insn));
  EXPECT_GT(count(lines, "set"), 9u) << "some twice";
}

}  // namespace
}  // namespace g80
