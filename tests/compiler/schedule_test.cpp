// SPDX-License-Identifier: Apache-2.0
// The order of instructions: loads come before the readers of others, nothing passes what it must not pass, and
// programs full of accesses that may meet in memory compute the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hw/config/occupancy.h"
#include "tests/compiler/kernel_runner.h"
#include "tests/compiler/random_ir.h"
#include "toolchain/compiler/codegen/dependences.h"
#include "toolchain/compiler/codegen/occupancy_steps.h"

namespace g80 {
namespace {

using ir::Op;
using ir::Type;
using ir::ValueId;

std::vector<isa::Instruction> decoded(const Kernel& kernel, isa::Arch arch) {
  std::vector<isa::Instruction> code;
  for (std::size_t i = 0; i < kernel.code.size();) {
    const std::uint32_t w1 = i + 1 < kernel.code.size() ? kernel.code[i + 1] : 0;
    isa::Instruction insn;
    EXPECT_EQ(isa::decode(kernel.code[i], w1, arch, insn), isa::DecodeError::kNone);
    i += isa::is_long(kernel.code[i]) ? 2 : 1;
    code.push_back(insn);
  }
  return code;
}

/// How many instructions of a kind stand in front of the first of another.
std::size_t count_before(const std::vector<isa::Instruction>& code, isa::Op counted, isa::Op end) {
  const auto last = std::find_if(code.begin(), code.end(), [&](const isa::Instruction& i) { return i.op == end; });
  return static_cast<std::size_t>(
      std::count_if(code.begin(), last, [&](const isa::Instruction& i) { return i.op == counted; }));
}

/// The sum of words 16 bytes apart, each load followed by its readers; `between` is put behind each.
struct Chain {
  explicit Chain(unsigned loads, Op between = Op::kCopy) {
    f.name = "chain";
    add_parameters(f);
    f.add_block();
    const ValueId out = load_parameter(f, 0, 0), in = load_parameter(f, 0, 1);
    ValueId sum = f.i32(0);
    for (unsigned k = 0; k < loads; ++k) {
      ir::Inst load = make_inst(Op::kLoad, {in});
      load.offset = static_cast<std::int32_t>(16 * k);
      sum = op(Op::kXor, op(Op::kAdd, sum, f.append1(0, load, Type::kI32)), f.i32(k + 1));
      if (between != Op::kCopy) f.append(0, make_inst(between, {}), {});
    }
    f.append(0, make_inst(Op::kStore, {out, sum}), {});
    f.append(0, make_inst(Op::kExit, {}), {});
  }
  ValueId op(Op o, ValueId a, ValueId b) { return f.append1(0, make_inst(o, {a, b}), Type::kI32); }

  CompileResult compile(const CompileOptions& options = {}) const {
    ir::Module module;
    module.kernels.push_back(f);
    return generate_code(module, "test.ptx", options);
  }
  ir::Function f;
};

TEST(Schedule, LoadsComeBeforeTheReaderOfTheFirst) {
  const CompileResult result = Chain(8).compile();
  const auto code = decoded(result.module.kernels[0], isa::Arch::kSm10);
  EXPECT_EQ(count_before(code, isa::Op::kLdGlobal, isa::Op::kXor), 8u);
  EXPECT_LE(result.kernels[0].registers, 10u);  // as many blocks as with the fewest
}

TEST(Schedule, OccupancyBoundsHowManyLoadsAreUnderWay) {
  const CompileResult result = Chain(40).compile();
  EXPECT_LE(result.kernels[0].registers, 10u);
  EXPECT_GE(count_before(decoded(result.module.kernels[0], isa::Arch::kSm10), isa::Op::kLdGlobal, isa::Op::kXor), 6u);
  // a block of 64 threads has 16 registers before the number of blocks, 8 at most, goes down
  Chain small(40);
  small.f.max_threads = 64;
  const CompileResult more = small.compile();
  EXPECT_LE(more.kernels[0].registers, 16u);
  EXPECT_GE(count_before(decoded(more.module.kernels[0], isa::Arch::kSm10), isa::Op::kLdGlobal, isa::Op::kXor), 12u);
}

TEST(Schedule, ALimitIsKeptWithoutSpilling) {
  CompileOptions options;
  for (const unsigned limit : {4u, 5u, 6u}) {
    options.max_registers = limit;
    const CompileResult result = Chain(8).compile(options);
    EXPECT_LE(result.kernels[0].registers, limit);
    EXPECT_EQ(result.kernels[0].spill_loads + result.kernels[0].spill_stores, 0u);
  }
}

TEST(Schedule, NothingPassesBarriers) {
  const CompileResult result = Chain(8, Op::kBarrier).compile();
  EXPECT_EQ(count_before(decoded(result.module.kernels[0], isa::Arch::kSm10), isa::Op::kLdGlobal, isa::Op::kXor), 1u);
}

TEST(Schedule, FencesAndVolatileLoadsStayInOrder) {
  enum Mode { kPlain, kVolatile, kFence };
  for (const Mode mode : {kPlain, kVolatile, kFence}) {
    ir::Function f;
    f.name = "order";
    add_parameters(f);
    f.add_block();
    const auto op = [&](Op o, ValueId a, ValueId b) { return f.append1(0, make_inst(o, {a, b}), Type::kI32); };
    const auto load = [&](ValueId address) {
      ir::Inst inst = make_inst(Op::kLoad, {address});
      inst.is_volatile = mode == kVolatile;
      return f.append1(0, inst, Type::kI32);
    };
    const ValueId out = load_parameter(f, 0, 0), in = load_parameter(f, 0, 1);
    ValueId found[2];
    for (const std::uint32_t i : {0u, 1u}) {  // two ways of two loads each
      found[i] = load(op(Op::kAdd, in, op(Op::kAnd, load(op(Op::kAdd, in, f.i32(32 * i))), f.i32(12))));
      if (mode == kFence) f.append(0, make_inst(Op::kMembar, {}), {});
    }
    f.append(0, make_inst(Op::kStore, {out, op(Op::kSub, found[0], found[1])}), {});
    f.append(0, make_inst(Op::kExit, {}), {});
    ir::Module module;
    module.kernels.push_back(f);
    const CompileResult result = generate_code(module, "test.ptx", {});
    EXPECT_EQ(count_before(decoded(result.module.kernels[0], isa::Arch::kSm10), isa::Op::kLdGlobal, isa::Op::kAnd),
              mode == kPlain ? 2u : 1u);
  }
}

TEST(Schedule, OccupancyStepsAreThoseOfTheProgrammingGuide) {
  using codegen::most_registers_as_good;
  using codegen::next_better_registers;
  // 8192 registers: three blocks of 256 threads with 10, two with 16, one with 32
  EXPECT_EQ(most_registers_as_good(isa::Arch::kSm10, 256, 3), 10u);
  EXPECT_EQ(most_registers_as_good(isa::Arch::kSm10, 256, 11), 16u);
  EXPECT_EQ(most_registers_as_good(isa::Arch::kSm10, 256, 17), 32u);
  EXPECT_EQ(next_better_registers(isa::Arch::kSm10, 256, 11), 10u);
  EXPECT_EQ(next_better_registers(isa::Arch::kSm10, 256, 16), 10u);
  EXPECT_EQ(next_better_registers(isa::Arch::kSm10, 256, 10), 0u);
  // 16384 registers, 1024 threads
  EXPECT_EQ(most_registers_as_good(isa::Arch::kSm13, 256, 3), 16u);
  EXPECT_EQ(most_registers_as_good(isa::Arch::kSm13, 512, 17), 32u);
  // any size of block: six of 128 threads want 10, five 12, four 16
  EXPECT_EQ(most_registers_as_good(isa::Arch::kSm10, 0, 1), 10u);
  EXPECT_EQ(next_better_registers(isa::Arch::kSm10, 0, 10), 0u);
}

TEST(Schedule, LaunchBoundsGetTheMostRegistersWithWhichTheirBlocksFit) {
  for (const isa::Arch arch : {isa::Arch::kSm10, isa::Arch::kSm11, isa::Arch::kSm12, isa::Arch::kSm13}) {
    const Config config = load_config(arch >= isa::Arch::kSm12 ? "gtx280" : "8800gtx");
    for (unsigned threads = 1; threads <= 512; ++threads) {
      for (unsigned min_blocks = 0; min_blocks <= 8; ++min_blocks) {
        const auto held = [&](unsigned registers) { return occupancy(config, {threads, registers, 0}).blocks; };
        const unsigned wanted = std::clamp(min_blocks, 1u, held(1));
        const unsigned most = codegen::most_registers_for(arch, threads, min_blocks);
        ASSERT_GE(held(most), wanted) << isa::arch_name(arch) << ", " << threads << " threads";
        if (most < codegen::kMaxRegisters) {
          ASSERT_LT(held(most + 1), wanted) << isa::arch_name(arch) << ", " << threads << " threads";
        }
      }
    }
  }
}

TEST(Schedule, KernelsOfManyRegistersKeepTheirLaunchBounds) {
  std::string body;
  for (unsigned i = 0; i < 40; ++i) body += fmt::format("  ld.global.u32 %r{}, [%p+{}];\n", i, 4 * i);
  for (unsigned i = 0; i < 40; ++i) body += fmt::format("  st.global.u32 [%p+{}], %r{};\n", 4 * i, (i * 7) % 40);
  const auto registers = [&](const std::string& bounds, const CompileOptions& options = {}) {
    return compile_ptx(".version 1.4\n.target sm_10\n.entry k(.param .u32 p)\n" + bounds +
                           "{\n  .reg .u32 %r<40>;\n  .reg .u32 %p;\n  ld.param.u32 %p, [p];\n" + body + "  exit;\n}\n",
                       "test.ptx", options)
        .module.kernels[0]
        .reg;
  };
  EXPECT_EQ(registers(".maxntid 480\n"), 16u);                   // 15 warps take the registers of 16
  EXPECT_EQ(registers(".maxntid 192\n.minnctapersm 3\n"), 13u);  // 6 warps; 14 would take 2816 registers
  EXPECT_EQ(registers(".maxntid 128\n.minnctapersm 8\n"), 10u);  // 768 threads are 6 blocks
  // the name that PTX gave .minnctapersm before 2.0: the registers leave room for as many blocks
  EXPECT_EQ(registers(".maxntid 192\n.maxnctapersm 3\n"), 13u);
  CompileOptions launched;
  launched.launched_threads = {{"k", 480}, {"other", 512}};
  EXPECT_GT(registers(""), 40u);
  EXPECT_EQ(registers("", launched), 16u) << "what its program launches is a bound";
  EXPECT_EQ(registers(".maxntid 192\n.minnctapersm 3\n", launched), 13u) << "the kernel's own bounds come first";
  EXPECT_EQ(registers(".maxnreg 20\n", launched), 20u);
}

TEST(Schedule, RegistersOrderInstructions) {
  using namespace codegen;
  MachineFunction f;
  const Reg a = f.new_register(), b = f.new_register(), flags = f.new_register(RegClass::kFlags);
  MachineInst read = make_copy(b, a, {}), write = make_copy(a, b, {}), guarded = make_copy(a, b, {}), test;
  guarded.is_guarded = guarded.merges = true;
  guarded.flags_in = flags;
  test.insn.op = isa::Op::kSet;
  test.flags_out = flags;
  const auto ordered = [&](const MachineInst& first, const MachineInst& second) {
    f.blocks.assign(1, {});
    f.blocks[0].insts = {first, second};
    f.blocks[0].end.kind = TerminatorKind::kExit;
    const Liveness liveness = find_liveness(f);
    MachineFunction no_copies = f;
    no_copies.blocks.clear();
    return find_dependences(f, f.blocks[0], liveness, CopyPartners(no_copies, liveness)).count[1] == 1;
  };
  const Reg c = f.new_register(), d = f.new_register();
  EXPECT_TRUE(ordered(read, write));  // b is read after it is written, a written after it is read
  EXPECT_TRUE(ordered(make_copy(c, a, {}), make_copy(a, d, {})));  // operand overwritten
  EXPECT_TRUE(ordered(make_copy(a, c, {}), make_copy(a, d, {})));  // the same result
  EXPECT_TRUE(ordered(make_copy(a, c, {}), make_copy(d, a, {})));  // result read
  EXPECT_TRUE(ordered(test, guarded));                             // guard
  EXPECT_TRUE(ordered(guarded, test));                             // guard overwritten
  EXPECT_TRUE(ordered(make_copy(a, c, {}), guarded));              // the other lanes keep it
  EXPECT_FALSE(ordered(make_copy(a, c, {}), make_copy(b, c, {})));
  EXPECT_FALSE(ordered(test, make_copy(a, b, {})));
}

// Loads, stores and arithmetic in any order, in three spaces, at addresses of which many are the same word.
class MemoryProgram {
 public:
  static constexpr unsigned kWords = 8;  // of each space and thread

  explicit MemoryProgram(std::mt19937& rng) : rng_(rng) {
    f_.name = "memory";
    add_parameters(f_, 2);
    f_.add_block();
    for (const ir::Space space : {ir::Space::kLocal, ir::Space::kShared}) {
      ir::Variable variable;
      variable.name = space == ir::Space::kLocal ? "l" : "s";
      variable.space = space;
      variable.bytes = 4 * kWords * (space == ir::Space::kShared ? kThreads : 1);
      variable.align = 16;
      module_.variables.push_back(variable);
    }
    ir::Inst special = make_inst(Op::kSpecial, {});
    const ValueId tid = f_.append1(0, special, Type::kI32);
    special.special = ir::Special::kCtaidX;
    const ValueId ctaid = f_.append1(0, special, Type::kI32);
    const ValueId own = op(Op::kMul, tid, f_.i32(4 * kWords));
    const ValueId index = op(Op::kAdd, op(Op::kMul, ctaid, f_.i32(kThreads)), tid);
    base_[0] = op(Op::kAdd, load_parameter(f_, 0, 0), op(Op::kMul, index, f_.i32(4 * kWords)));
    base_[1] = variable(0);
    base_[2] = op(Op::kAdd, variable(1), own);
    base_[3] = op(Op::kAdd, load_parameter(f_, 0, 1), op(Op::kShl, tid, f_.i32(2)));
    values_ = {tid, ctaid, load_parameter(f_, 0, 2), load_parameter(f_, 0, 3)};
    for (unsigned k = 0; k < kWords; ++k) {  // l[] and s[] hold nothing yet
      for (const unsigned space : {1u, 2u}) store(space, f_.i32(rng_()), static_cast<std::int32_t>(4 * k), f_.i32(0));
    }
    loop();
    for (unsigned k = 0; k < kWords; ++k) {
      store(0, op(Op::kXor, pick(), pick()), static_cast<std::int32_t>(4 * k), f_.i32(0));
    }
    f_.append(block_, make_inst(Op::kExit, {}), {});
    module_.kernels.push_back(f_);
  }

  static constexpr std::uint32_t kThreads = 48;
  const ir::Module& module() const { return module_; }
  const ir::Function& function() const { return f_; }

 private:
  ValueId op(Op o, ValueId a, ValueId b) { return f_.append1(block_, make_inst(o, {a, b}), Type::kI32); }
  ValueId variable(std::uint32_t number) {
    ir::Inst address = make_inst(Op::kVarAddr, {});
    address.variable = number;
    return f_.append1(block_, address, Type::kI32);
  }
  ValueId pick() { return values_[values_.size() - 1 - rng_() % std::min<std::size_t>(values_.size(), 12)]; }
  ir::Inst access(Op o, unsigned space, ValueId index, std::int32_t offset) {
    static constexpr ir::Space kSpaces[] = {ir::Space::kGlobal, ir::Space::kLocal, ir::Space::kShared,
                                            ir::Space::kGlobal};
    const bool is_direct = f_.is_constant(index);
    ir::Inst inst = make_inst(o, {is_direct ? base_[space] : op(Op::kAdd, base_[space], index)});
    inst.space = kSpaces[space];
    inst.offset = offset;
    inst.is_volatile = rng_() % 8 == 0;
    return inst;
  }
  void store(unsigned space, ValueId value, std::int32_t offset, ValueId index) {
    ir::Inst inst = access(Op::kStore, space, index, offset);
    inst.operands.push_back(value);
    f_.append(block_, inst, {});
  }
  /// Three rounds of random statements; four values are variables, which the last statements of a round change.
  void loop() {
    f_.append(0, make_inst(Op::kBranch, {}, {1}), {});
    const ir::BlockId body = f_.add_block(), end = f_.add_block();
    std::vector<ir::InstId> phis;
    const std::vector<ValueId> start = values_;
    for (unsigned i = 0; i <= start.size(); ++i) {
      phis.push_back(
          f_.append(body, make_inst(Op::kPhi, {i < start.size() ? start[i] : f_.i32(3)}, {0}), {Type::kI32}));
      values_.push_back(f_.insts[phis.back()].results[0]);
    }
    const ValueId round = values_.back();
    block_ = body;
    for (unsigned n = 15 + rng_() % 50; n-- > 0;) statement();
    const ValueId left = op(Op::kSub, round, f_.i32(1));
    for (unsigned i = 0; i <= start.size(); ++i) {
      f_.insts[phis[i]].operands.push_back(i < start.size() ? pick() : left);
      f_.insts[phis[i]].blocks.push_back(body);
    }
    const ValueId again = f_.append1(body, make_inst(Op::kSet, {left, f_.i32(0)}), Type::kPred);
    f_.insts[f_.values[again].def].compare = ir::Compare::kNe;
    f_.append(body, make_inst(Op::kCondBranch, {again}, {body, end}), {});
    block_ = end;
  }
  void statement() {
    const unsigned kind = rng_() % 12, space = rng_() % 4;
    const bool is_direct = rng_() % 3 != 0;
    const std::int32_t offset = is_direct ? static_cast<std::int32_t>(4 * (rng_() % kWords)) : 0;
    const auto index = [&] {
      return is_direct ? f_.i32(0) : op(Op::kShl, op(Op::kAnd, pick(), f_.i32(kWords - 1)), f_.i32(2));
    };
    if (kind < 5) {
      values_.push_back(f_.append1(block_, access(Op::kLoad, space, index(), offset), Type::kI32));
    } else if (kind < 8) {
      store(space % 3, pick(), offset, index());
    } else if (kind == 8 && space < 2) {
      ir::Inst pair = access(Op::kLoad, space, f_.i32(0), offset & ~7);
      const ir::InstId id = f_.append(block_, pair, {Type::kI32, Type::kI32});
      for (const ValueId result : f_.insts[id].results) values_.push_back(result);
    } else if (kind == 9 && rng_() % 3 == 0) {
      f_.append(block_, make_inst(Op::kMembar, {}), {});
    } else {
      static constexpr Op kOps[] = {Op::kAdd, Op::kSub, Op::kXor, Op::kMul, Op::kMinU, Op::kShrU};
      values_.push_back(op(kOps[rng_() % 6], pick(), pick()));
    }
  }

  std::mt19937& rng_;
  ir::Function f_;
  ir::Module module_;
  ir::BlockId block_ = 0;
  ValueId base_[4];  // output, local, shared, input
  std::vector<ValueId> values_;
};

TEST(Schedule, ProgramsFullOfAccessesComputeTheSame) {
  for (unsigned seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const MemoryProgram program(rng);
    CompileOptions options;
    options.arch = static_cast<isa::Arch>(seed % 4);
    options.max_registers = seed % 3 == 0 ? 8 + rng() % 10 : 0;
    std::vector<std::uint32_t> input;
    for (unsigned i = 0; i < 64; ++i) input.push_back(interesting_word(rng));
    const CompileResult compiled = generate_code(program.module(), "test.ptx", options);
    const Shape shape{MemoryProgram::kThreads, 2, MemoryProgram::kWords};
    ASSERT_EQ(run_compiled(compiled.module, compiled.module.kernels[0], program.function(), input, shape),
              run_interpreted(program.function(), input, shape));
  }
}

}  // namespace
}  // namespace g80
