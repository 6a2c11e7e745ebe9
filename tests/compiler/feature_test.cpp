// SPDX-License-Identifier: Apache-2.0
// One kernel per feature of the chip: memory spaces, widths, atomics, votes, textures, barriers.
#include <gtest/gtest.h>

#include <random>

#include "tests/compiler/kernel_runner.h"
#include "toolchain/assembler/listing.h"

namespace g80 {
namespace {

using ir::Op;
using ir::Space;
using ir::Type;
using ir::ValueId;

/// Writes a kernel of one block (or more, with `at`).
class Code {
 public:
  Code() {
    f.name = "kernel";
    add_parameters(f, 2);
    at = f.add_block();
    out = load_parameter(f, at, 0);
    in = load_parameter(f, at, 1);
    tid = special(ir::Special::kTidX);
  }
  ValueId special(ir::Special which) {
    ir::Inst inst = make_inst(Op::kSpecial, {});
    inst.special = which;
    return f.append1(at, inst, Type::kI32);
  }
  ValueId op(Op o, std::vector<ValueId> operands, Type type = Type::kI32) {
    return f.append1(at, make_inst(o, std::move(operands)), type);
  }
  ValueId n(std::uint32_t value) { return f.i32(value); }
  ValueId element(ValueId base, ValueId index, std::uint32_t bytes) {
    return op(Op::kAdd, {base, op(Op::kMul, {index, n(bytes)})});
  }
  ValueId load(Space space, ValueId address, ir::Access access = ir::Access::kB32, std::int32_t offset = 0,
               Type type = Type::kI32) {
    ir::Inst inst = make_inst(Op::kLoad, {address});
    inst.space = space;
    inst.access = access;
    inst.offset = offset;
    return f.append1(at, inst, type);
  }
  void store(Space space, ValueId address, std::vector<ValueId> values, ir::Access access = ir::Access::kB32,
             std::int32_t offset = 0) {
    ir::Inst inst = make_inst(Op::kStore, {address});
    inst.operands.insert(inst.operands.end(), values.begin(), values.end());
    inst.space = space;
    inst.access = access;
    inst.offset = offset;
    f.append(at, inst, {});
  }
  ValueId variable(Space space, std::uint32_t bytes, std::vector<std::uint8_t> initial = {}) {
    ir::Variable v;
    v.name = "v" + std::to_string(module.variables.size());
    v.space = space;
    v.bytes = bytes;
    v.align = 8;
    v.initial = std::move(initial);
    module.variables.push_back(v);
    ir::Inst inst = make_inst(Op::kVarAddr, {});
    inst.variable = static_cast<std::uint32_t>(module.variables.size() - 1);
    return f.append1(at, inst, Type::kI32);
  }
  void barrier() { f.append(at, make_inst(Op::kBarrier, {}), {}); }
  ValueId atomic(isa::AtomOp which, Space space, ValueId address, std::vector<ValueId> operands,
                 bool is_signed = false) {
    ir::Inst inst = make_inst(Op::kAtomic, {address});
    inst.operands.insert(inst.operands.end(), operands.begin(), operands.end());
    inst.space = space;
    inst.atom_op = which;
    inst.is_signed = is_signed;
    return f.append1(at, inst, Type::kI32);
  }
  void result(ValueId value) { store(Space::kGlobal, element(out, tid, 4), {value}); }

  CompileResult compile(isa::Arch arch = isa::Arch::kSm10, unsigned registers = 0) {
    ir::Module whole = module;
    whole.kernels.push_back(f);
    whole.kernels[0].append(at, make_inst(Op::kExit, {}), {});
    CompileOptions options;
    options.arch = arch;
    options.max_registers = registers;
    return generate_code(whole, "test.ptx", options);
  }
  std::vector<std::uint32_t> run(const std::vector<std::uint32_t>& input, Shape shape,
                                 isa::Arch arch = isa::Arch::kSm10) {
    const CompileResult compiled = compile(arch);
    return run_compiled(compiled.module, compiled.module.kernels[0], f, input, shape);
  }

  ir::Module module;
  ir::Function f;
  ir::BlockId at = 0;
  ValueId out, in, tid;
};

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> input;
  for (std::size_t i = 0; i < count; ++i) input.push_back(static_cast<std::uint32_t>(i * 2654435761u));
  return input;
}

TEST(Features, SharedMemoryExchangesValuesAcrossABarrier) {
  for (const isa::Arch arch : {isa::Arch::kSm10, isa::Arch::kSm13}) {
    Code c;
    const ValueId shared = c.variable(Space::kShared, 64 * 4);
    c.store(Space::kShared, c.element(shared, c.tid, 4), {c.load(Space::kGlobal, c.element(c.in, c.tid, 4))});
    c.barrier();
    c.result(c.load(Space::kShared, c.element(shared, c.op(Op::kSub, {c.n(63), c.tid}), 4)));
    const std::vector<std::uint32_t> input = numbers(64), output = c.run(input, {64, 1, 1}, arch);
    for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(output[i], input[63 - i]);
  }
}

TEST(Features, SharedMemoryHasEveryWidth) {
  for (const isa::Arch arch : {isa::Arch::kSm10, isa::Arch::kSm11}) {
    for (const ir::Access access : {ir::Access::kU8, ir::Access::kS8, ir::Access::kU16, ir::Access::kS16}) {
      Code c;
      const std::uint32_t bytes = ir::access_bytes(access);
      const ValueId far = c.variable(Space::kShared, 4096), shared = c.variable(Space::kShared, 64 * 4);
      (void)far;
      c.store(Space::kShared, c.element(shared, c.tid, bytes), {c.load(Space::kGlobal, c.element(c.in, c.tid, 4))},
              access);
      c.barrier();
      c.result(c.load(Space::kShared, c.element(shared, c.tid, bytes), access));
      const std::vector<std::uint32_t> input = numbers(64), output = c.run(input, {64, 1, 1}, arch);
      for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t expected = access == ir::Access::kU8    ? input[i] & 0xff
                                       : access == ir::Access::kU16 ? input[i] & 0xffff
                                       : access == ir::Access::kS8
                                           ? static_cast<std::uint32_t>(static_cast<std::int8_t>(input[i]))
                                           : static_cast<std::uint32_t>(static_cast<std::int16_t>(input[i]));
        ASSERT_EQ(output[i], expected);
      }
    }
  }
}

TEST(Features, StaticSharedAddressesBeyondTheOperandsReachWork) {
  Code c;
  const ValueId shared = c.variable(Space::kShared, 8192);
  c.store(Space::kShared, shared, {c.tid}, ir::Access::kB32, 8000);
  c.result(c.load(Space::kShared, shared, ir::Access::kB32, 8000));
  const std::vector<std::uint32_t> output = c.run({}, {1, 1, 1});
  EXPECT_EQ(output[0], 0u);
  EXPECT_EQ(c.compile().module.kernels[0].smem, 0x10u + 16 + 8192);
}

TEST(Features, LocalArraysArePrivate) {
  Code c;
  const ValueId local = c.variable(Space::kLocal, 16 * 4);
  for (std::uint32_t i = 0; i < 16; ++i) {
    c.store(Space::kLocal, local, {c.op(Op::kMul, {c.tid, c.n(i)})}, ir::Access::kB32,
            static_cast<std::int32_t>(4 * i));
  }
  c.result(c.load(Space::kLocal, c.element(local, c.op(Op::kAnd, {c.tid, c.n(15)}), 4)));
  const std::vector<std::uint32_t> output = c.run({}, {64, 1, 1});
  for (std::uint32_t i = 0; i < 64; ++i) ASSERT_EQ(output[i], i * (i & 15));
}

TEST(Features, ConstantsAreIndexedAndUsedAsOperands) {
  Code c;
  std::vector<std::uint8_t> bytes;
  for (unsigned i = 0; i < 64; ++i) {
    for (unsigned k = 0; k < 4; ++k) bytes.push_back(static_cast<std::uint8_t>(i * 7 + k));
  }
  const ValueId constant = c.variable(Space::kConst, 256, bytes);
  const ValueId indexed = c.load(Space::kConst, c.element(constant, c.tid, 4));
  const ValueId byte = c.load(Space::kConst, c.op(Op::kAdd, {constant, c.tid}), ir::Access::kU8, 3);
  c.result(c.op(Op::kAdd, {c.op(Op::kXor, {indexed, byte}), c.load(Space::kConst, constant, ir::Access::kB32, 8)}));
  const CompileResult compiled = c.compile();
  ASSERT_EQ(compiled.module.constants.size(), 1u);
  Kernel kernel = compiled.module.kernels[0];
  kernel.constants.push_back({0, 0, compiled.module.constants[0].words});
  const std::vector<std::uint32_t> output = run_compiled(compiled.module, kernel, c.f, {}, {60, 1, 1});
  const auto word = [&](std::size_t at) {
    return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | std::uint32_t{bytes[at + 3]} << 24;
  };
  for (std::uint32_t i = 0; i < 60; ++i) ASSERT_EQ(output[i], (word(4 * i) ^ bytes[i + 3]) + word(8));
}

TEST(Features, AddressesOfDeviceVariablesComeFromTheirBank) {
  Code c;
  const ValueId device = c.variable(Space::kGlobal, 256);
  c.result(c.load(Space::kGlobal, c.element(device, c.tid, 4)));
  const CompileResult compiled = c.compile();
  ASSERT_EQ(compiled.module.device_variables.size(), 1u);
  Kernel kernel = compiled.module.kernels[0];
  kernel.constants.push_back({14, compiled.module.device_variables[0].offset, {kInput}});
  const std::vector<std::uint32_t> input = numbers(32);
  EXPECT_EQ(run_compiled(compiled.module, kernel, c.f, input, {32, 1, 1}), input);
}

TEST(Features, VectorsOfAllWidthsMoveWhole) {
  for (const unsigned width : {2u, 4u}) {
    Code c;
    ir::Inst load = make_inst(Op::kLoad, {c.element(c.in, c.tid, 4 * width)});
    const ir::InstId id = c.f.append(c.at, load, std::vector<Type>(width, Type::kI32));
    std::vector<ValueId> reversed = c.f.insts[id].results;
    std::reverse(reversed.begin(), reversed.end());
    c.store(Space::kGlobal, c.element(c.out, c.tid, 4 * width), reversed);
    const std::vector<std::uint32_t> input = numbers(32 * width), output = c.run(input, {32, 1, width});
    for (std::size_t i = 0; i < input.size(); ++i) {
      ASSERT_EQ(output[i], input[i / width * width + width - 1 - i % width]);
    }
  }
}

TEST(Features, GlobalAtomicsReturnTheOldValueAndReductionsNone) {
  Code c;
  const ValueId old = c.atomic(isa::AtomOp::kAdd, Space::kGlobal, c.in, {c.n(3)});
  c.atomic(isa::AtomOp::kMax, Space::kGlobal, c.op(Op::kAdd, {c.in, c.n(4)}), {c.tid});
  c.atomic(isa::AtomOp::kCas, Space::kGlobal, c.op(Op::kAdd, {c.in, c.n(8)}),
           {c.n(0), c.op(Op::kAdd, {c.tid, c.n(1)})});
  c.result(old);
  const std::vector<std::uint32_t> output = c.run(std::vector<std::uint32_t>(4, 0), {32, 1, 1}, isa::Arch::kSm11);
  std::vector<std::uint32_t> sorted = output;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < 32; ++i) ASSERT_EQ(sorted[i], 3 * i);
  EXPECT_THROW(c.compile(isa::Arch::kSm10), SourceError);
}

struct SharedAtomicCase {
  isa::AtomOp op;
  std::uint32_t start, expected;
};

TEST(Features, SharedAtomicsLoseNoUpdate) {
  static constexpr SharedAtomicCase kCases[] = {
      {isa::AtomOp::kAdd, 5, 5 + 63 * 64 / 2},
      {isa::AtomOp::kMax, 7, 63},
      {isa::AtomOp::kMin, 7, 0},
      {isa::AtomOp::kOr, 0, 63},
      {isa::AtomOp::kAnd, 0xff, 0},
      {isa::AtomOp::kXor, 0xf0, 0xf0},
      {isa::AtomOp::kInc, 0, ~0u},
      {isa::AtomOp::kDec, 0, ~0u},
  };
  for (const SharedAtomicCase& test : kCases) {
    Code c;
    const ValueId shared = c.variable(Space::kShared, 64);
    c.store(Space::kShared, shared, {c.n(test.start)}, ir::Access::kB32, 8);
    c.barrier();
    const bool counts = test.op == isa::AtomOp::kInc || test.op == isa::AtomOp::kDec;
    ir::Inst inst = make_inst(Op::kAtomic, {shared, counts ? c.n(9) : c.tid});
    inst.space = Space::kShared;
    inst.offset = 8;
    inst.atom_op = test.op;
    const ValueId old = c.f.append1(c.at, inst, Type::kI32);
    c.barrier();
    c.result(c.op(Op::kOr, {c.op(Op::kShl, {old, c.n(16)}), c.load(Space::kShared, shared, ir::Access::kB32, 8)}));
    const std::vector<std::uint32_t> output = c.run({}, {64, 1, 1}, isa::Arch::kSm12);
    std::vector<unsigned> seen(16, 0);
    for (const std::uint32_t word : output) {
      if (!counts) {
        ASSERT_EQ(word & 0xffff, test.expected) << "operation " << static_cast<int>(test.op);
      } else {
        ++seen[(word >> 16) % 16];
      }
    }
    if (!counts) continue;  // 64 steps around 0 .. 9
    for (unsigned i = 0; i < 10; ++i) EXPECT_GE(seen[i], 6u);
    EXPECT_EQ(output[0] & 0xffff, test.op == isa::AtomOp::kInc ? 4u : 6u);
  }
}

TEST(Features, SharedCompareAndSwapHasOneWinner) {
  Code c;
  const ValueId shared = c.variable(Space::kShared, 256);
  const ValueId slot = c.element(shared, c.op(Op::kAnd, {c.tid, c.n(3)}), 4);
  c.store(Space::kShared, slot, {c.n(0)});
  c.barrier();
  const ValueId old = c.atomic(isa::AtomOp::kCas, Space::kShared, slot, {c.n(0), c.op(Op::kAdd, {c.tid, c.n(1)})});
  c.result(old);
  const std::vector<std::uint32_t> output = c.run({}, {64, 1, 1}, isa::Arch::kSm12);
  for (unsigned slot_number = 0; slot_number < 4; ++slot_number) {
    unsigned winners = 0;
    for (unsigned i = slot_number; i < 64; i += 4) winners += output[i] == 0;
    EXPECT_EQ(winners, 1u);
  }
}

TEST(Features, VotesSeeTheWarp) {
  Code c;
  ir::Inst set = make_inst(Op::kSet, {c.load(Space::kGlobal, c.element(c.in, c.tid, 4)), c.n(7)});
  const ValueId pred = c.f.append1(c.at, set, Type::kPred);
  const ValueId any = c.op(Op::kVoteAny, {pred}, Type::kPred), all = c.op(Op::kVoteAll, {pred}, Type::kPred);
  const ValueId both = c.op(Op::kSelect, {any, c.n(1), c.n(0)});
  c.result(c.op(Op::kOr, {both, c.op(Op::kSelect, {all, c.n(2), c.n(0)})}));
  std::vector<std::uint32_t> input(96, 7);
  input[3] = 1;                                     // first warp: some
  for (unsigned i = 64; i < 96; ++i) input[i] = 0;  // third warp: none
  const std::vector<std::uint32_t> output = c.run(input, {96, 1, 1}, isa::Arch::kSm12);
  EXPECT_EQ(output[0], 1u);
  EXPECT_EQ(output[40], 3u);
  EXPECT_EQ(output[80], 0u);
}

TEST(Features, TexturesReadConsecutiveRegistersAndDropUnusedComponents) {
  Code c;
  c.module.textures.push_back({"image", 3});
  ir::Inst fetch = make_inst(Op::kTexture, {c.op(Op::kSub, {c.n(31), c.tid})});
  const ir::InstId id = c.f.append(c.at, fetch, std::vector<Type>(4, Type::kI32));
  const std::vector<ValueId> texel = c.f.insts[id].results;
  c.result(c.op(Op::kSub, {texel[1], texel[3]}));
  const CompileResult compiled = c.compile();
  EXPECT_EQ(compiled.module.textures.at(0).unit, 3u);
  // r of the four components is not read, b neither: two results
  EXPECT_NE(list_module(compiled.module).find("texfetch live #:$r"), std::string::npos) << list_module(compiled.module);
  c.module.textures[0].unit = 128;
  EXPECT_THROW(c.compile(), SourceError);
}

TEST(Features, DoublePrecisionArithmeticIsIeee) {
  static constexpr Op kOps[] = {Op::kFadd, Op::kFsub, Op::kFmul, Op::kFma};
  for (const Op op : kOps) {
    Code c;
    std::vector<ValueId> operands;
    const ValueId address = c.element(c.in, c.tid, 24);
    for (int i = 0; i < (op == Op::kFma ? 3 : 2); ++i) {
      operands.push_back(c.load(Space::kGlobal, address, ir::Access::kB64, 8 * i, Type::kF64));
    }
    operands[1] = c.op(Op::kFneg, {operands[1]}, Type::kF64);
    c.store(Space::kGlobal, c.element(c.out, c.tid, 8), {c.op(op, operands, Type::kF64)}, ir::Access::kB64);
    c.f.append(c.at, make_inst(Op::kExit, {}), {});
    std::mt19937 rng(7);
    std::vector<std::uint32_t> input;
    for (int i = 0; i < 64 * 6; ++i)
      input.push_back(i % 2 == 0 ? rng() : (rng() & 0x800fffff) | 0x3f000000 | (rng() % 32) << 20);
    CompileOptions options;
    options.arch = isa::Arch::kSm13;
    expect_same(c.f, input, {64, 1, 2}, options);
  }
}

TEST(Features, WideIntegersConvertToDoublesAndBack) {
  Code c;
  const ValueId wide = c.load(Space::kGlobal, c.element(c.in, c.tid, 8), ir::Access::kB64, 0, Type::kI64);
  const ValueId real = c.op(Op::kIntToFloatS, {wide}, Type::kF64);
  c.store(Space::kGlobal, c.element(c.out, c.tid, 8), {c.op(Op::kFloatToIntS, {real}, Type::kI64)}, ir::Access::kB64);
  std::vector<std::uint32_t> input;
  for (std::uint32_t i = 0; i < 32; ++i) {
    input.push_back(i * 12345);
    input.push_back(i % 2 == 0 ? i * 77 : ~(i * 77));
  }
  EXPECT_EQ(c.run(input, {32, 1, 2}, isa::Arch::kSm13), input);
}

// More constants than the literal pool reaches, in more registers than immediates reach.
TEST(Features, ManyConstantsInManyRegistersWork) {
  Code c;
  std::vector<ValueId> values;
  for (std::uint32_t i = 0; i < 90; ++i) {
    const ValueId loaded = c.load(Space::kGlobal, c.in, ir::Access::kB32, static_cast<std::int32_t>(4 * i));
    values.push_back(c.op(Op::kXor, {loaded, c.n(i * 2654435761u + 12345)}));
    values.back() = c.op(Op::kMinU, {values.back(), c.n(0xffff0000u + i * 7)});
  }
  for (std::uint32_t i = 0; i < 90; ++i) values[i] = c.op(Op::kAdd, {values[i], c.n(i * 40503u + 0x01000193u)});
  ValueId sum = values[0];
  for (std::uint32_t i = 1; i < 90; ++i) sum = c.op(Op::kXor, {c.op(Op::kShl, {sum, c.n(1)}), values[i]});
  c.result(sum);
  ir::Function f = c.f;
  f.append(c.at, make_inst(Op::kExit, {}), {});
  expect_same(f, numbers(90), {32, 1, 1});
}

// Twenty values at a time in ten registers, `phases` times one after the other.
std::uint32_t local_bytes_of_phases(unsigned phases) {
  Code c;
  ValueId sum = c.tid;
  for (unsigned phase = 0; phase < phases; ++phase) {
    std::vector<ValueId> values;
    const ValueId base = c.op(Op::kAdd, {c.in, c.op(Op::kAnd, {sum, c.n(4)})});  // another one each time
    for (std::uint32_t i = 0; i < 20; ++i) {
      values.push_back(
          c.op(Op::kXor, {c.load(Space::kGlobal, base, ir::Access::kB32, static_cast<std::int32_t>(4 * i)), sum}));
    }
    for (std::uint32_t i = 0; i < 20; ++i) sum = c.op(Op::kAdd, {c.op(Op::kShl, {sum, c.n(1)}), values[i]});
    for (std::uint32_t i = 20; i-- > 0;) sum = c.op(Op::kXor, {sum, values[i]});
  }
  c.result(sum);
  ir::Function f = c.f;
  f.append(c.at, make_inst(Op::kExit, {}), {});
  CompileOptions options;
  options.max_registers = 10;
  return expect_same(f, numbers(24), {32, 1, 1}, options).kernels[0].local_bytes;
}

TEST(Features, SpilledRegistersShareLocalMemory) {
  const std::uint32_t bytes = local_bytes_of_phases(1);
  EXPECT_GE(bytes, 4u * (20 - 10));
  EXPECT_LE(local_bytes_of_phases(4), bytes + 8);
}

TEST(Features, BadRegisterLimitsAreRefused) {
  Code c;
  ir::Inst load = make_inst(Op::kLoad, {c.element(c.in, c.tid, 16)});
  const ir::InstId id = c.f.append(c.at, load, std::vector<Type>(4, Type::kI32));
  c.store(Space::kGlobal, c.element(c.out, c.tid, 16), c.f.insts[id].results);
  EXPECT_THROW(c.compile(isa::Arch::kSm10, 3), SourceError);
}

TEST(Features, UnsupportedOperationsNameTheLine) {
  Code c;
  ir::Inst vote = make_inst(Op::kVoteAny, {c.f.constant(Type::kPred, 1)});
  vote.loc.ptx_line = 42;
  const ValueId any = c.f.append1(c.at, vote, Type::kPred);
  c.result(c.op(Op::kSelect, {any, c.n(1), c.n(0)}));
  try {
    c.compile(isa::Arch::kSm10);
    FAIL() << "vote was accepted on sm_10";
  } catch (const SourceError& error) {
    EXPECT_STREQ(error.what(), "test.ptx:42: vote needs sm_12");
  }
}

}  // namespace
}  // namespace g80
