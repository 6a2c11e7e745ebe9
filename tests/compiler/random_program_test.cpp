// SPDX-License-Identifier: Apache-2.0
// Random IR kernels: what the compiled code stores is what the interpreter stores, in every thread.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/compiler/kernel_runner.h"
#include "tests/compiler/random_ir.h"
#include "tests/compiler/shrink_ir.h"

namespace g80 {
namespace {

std::vector<std::uint32_t> random_input(std::mt19937& rng, std::size_t count) {
  std::vector<std::uint32_t> input;
  for (std::size_t i = 0; i < count; ++i) input.push_back(interesting_word(rng));
  return input;
}

/// A kernel that differs is shrunk before it is shown.
void expect_match(unsigned seed, const ir::Function& f, const std::vector<std::uint32_t>& input, const Shape& shape,
                  const CompileOptions& options = {}, std::uint32_t local_bytes = 0) {
  const auto differs = [&](const ir::Function& g) { return mismatch(g, input, shape, options, local_bytes); };
  if (differs(f).empty()) return;
  // a loop that has lost its end is another failure
  const auto fails = [&](const ir::Function& g) {
    const std::string why = differs(g);
    return !why.empty() && why.find("does not end") == std::string::npos;
  };
  const ir::Function small = IrShrinker(f, fails).run();
  ADD_FAILURE() << "seed " << seed << ": " << differs(f) << ", shrunk: " << differs(small) << "\n" << ir::print(small);
}

void run_seed(unsigned seed, const RandomIrOptions& shape, const CompileOptions& options) {
  std::mt19937 rng(seed);
  const ir::Function f = random_kernel(rng, shape);
  expect_match(seed, f, random_input(rng, 128), {48, 2, kRandomOutputs}, options,
               shape.is_narrow ? kNarrowLocalBytes : 0);
}

constexpr unsigned kPrograms = 300;

TEST(RandomIr, StraightLineProgramsComputeTheSame) {
  RandomIrOptions shape;
  shape.statements = 25;
  shape.max_depth = 0;
  for (unsigned seed = 1; seed <= kPrograms && !HasFailure(); ++seed) run_seed(seed, shape, {});
}

TEST(RandomIr, ProgramsWithBranchesAndLoopsComputeTheSame) {
  RandomIrOptions shape;
  shape.statements = 8;
  shape.max_depth = 3;
  for (unsigned seed = 1; seed <= kPrograms && !HasFailure(); ++seed) run_seed(seed, shape, {});
}

TEST(RandomIr, FewRegistersSpillAndComputeTheSame) {
  RandomIrOptions shape;
  shape.statements = 15;
  shape.max_depth = 2;
  CompileOptions options;
  for (unsigned seed = 1; seed <= kPrograms / 4 && !HasFailure(); ++seed) {
    options.max_registers = 10 + seed % 8;
    run_seed(seed, shape, options);
  }
}

TEST(RandomIr, ProgramsOfShortsComputeTheSame) {
  RandomIrOptions shape;
  shape.is_narrow = true;
  CompileOptions options;
  for (unsigned seed = 1; seed <= kPrograms / 3 && !HasFailure(); ++seed) {
    shape.max_depth = seed % 4;
    shape.statements = shape.max_depth == 0 ? 30 : 10;
    options.max_registers = seed % 2 == 0 ? 0 : 7 + seed % 9;  // half of them spill
    options.arch = seed % 3 == 0 ? isa::Arch::kSm10 : isa::Arch::kSm13;
    run_seed(seed, shape, options);
  }
}

/// Counts the warps that end with all their lanes together.
class EndsTogether : public golden::StepObserver {
 public:
  void stepped(const golden::BlockState&, const golden::WarpState& warp, const golden::StepRecord& record) override {
    if (!record.finished) return;
    ++warps;
    whole += record.active == warp.populated;
  }
  void stuck(const golden::BlockState&) override { ADD_FAILURE() << "a barrier that cannot open"; }
  unsigned warps = 0, whole = 0;
};

TEST(RandomIr, LanesAreTogetherAgainAtTheEnd) {
  RandomIrOptions shape;
  shape.statements = 8;
  shape.max_depth = 3;
  shape.has_early_ends = false;
  for (unsigned seed = 1; seed <= kPrograms && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    ir::Module module;
    module.kernels.push_back(random_kernel(rng, shape));
    const CompileResult compiled = generate_code(module, "test.ptx", {});
    const std::vector<std::uint32_t> input = random_input(rng, 128);
    for (const golden::FirstPath first : {golden::FirstPath::kTaken, golden::FirstPath::kFallthrough}) {
      EndsTogether ends;
      run_compiled(compiled.module, compiled.module.kernels[0], module.kernels[0], input, {48, 2, kRandomOutputs},
                   first, &ends);
      EXPECT_EQ(ends.warps, 4u);
      EXPECT_EQ(ends.whole, ends.warps);
    }
  }
}

// Any block may follow any other: loops with several entries, no structure at all. The state is in local memory, so
// that the graph needs no phis; a counter ends every walk.
ir::Function random_graph(std::mt19937& rng, unsigned fewest = 3, unsigned most = 12) {
  using ir::Op;
  using ir::Type;
  ir::Function f;
  f.name = "graph";
  add_parameters(f);
  const unsigned count = fewest + rng() % (most - fewest + 1);
  for (unsigned i = 0; i < count + 4; ++i) f.add_block();
  const ir::BlockId last = count + 1, early = count + 2, at_once = count + 3;
  const unsigned ends = rng() % 3;  // ways to end a thread early
  const auto any_block = [&] {
    if (ends > 0 && rng() % 10 == 0) return rng() % ends == 0 ? early : at_once;
    return static_cast<ir::BlockId>(1 + rng() % count);
  };
  const auto op = [&](ir::BlockId b, Op o, ir::ValueId x, ir::ValueId y) {
    return f.append1(b, make_inst(o, {x, y}), Type::kI32);
  };
  const auto local = [&](ir::BlockId b, std::int32_t offset) {
    ir::Inst load = make_inst(Op::kLoad, {f.i32(0)});
    load.space = ir::Space::kLocal;
    load.offset = offset;
    return f.append1(b, load, Type::kI32);
  };
  const auto set_local = [&](ir::BlockId b, std::int32_t offset, ir::ValueId value) {
    ir::Inst store = make_inst(Op::kStore, {f.i32(0), value});
    store.space = ir::Space::kLocal;
    store.offset = offset;
    f.append(b, store, {});
  };
  const auto thread = [&](ir::BlockId b) {
    ir::Inst special = make_inst(Op::kSpecial, {});
    const ir::ValueId tid = f.append1(b, special, Type::kI32);
    special.special = ir::Special::kCtaidX;
    const ir::ValueId ctaid = f.append1(b, special, Type::kI32);
    special.special = ir::Special::kNtidX;
    return op(b, Op::kAdd, op(b, Op::kMul, ctaid, f.append1(b, special, Type::kI32)), tid);
  };
  set_local(0, 0, op(0, Op::kMul, thread(0), f.i32(2654435761u)));
  set_local(0, 4, f.i32(20 + rng() % 20));
  f.append(0, make_inst(Op::kBranch, {}, {any_block()}), {});
  for (ir::BlockId b = 1; b <= count; ++b) {
    ir::ValueId state = local(b, 0);
    for (unsigned k = rng() % 3; k-- > 0;) {
      state = op(b, Op::kXor, op(b, Op::kMul, state, f.i32(rng() | 1)), op(b, Op::kShrU, state, f.i32(1 + rng() % 15)));
    }
    set_local(b, 0, op(b, Op::kAdd, state, f.i32(b)));
    const ir::ValueId fuel = op(b, Op::kSub, local(b, 4), f.i32(1));
    set_local(b, 4, fuel);
    ir::Inst test = make_inst(Op::kSet, {op(b, Op::kAnd, state, f.i32(1u << rng() % 8)), f.i32(0)});
    const ir::ValueId way = f.append1(b, test, Type::kPred);
    ir::Inst out = make_inst(Op::kSet, {fuel, f.i32(0)});
    out.compare = ir::Compare::kLe;
    const ir::ValueId done = f.append1(b, out, Type::kPred);
    const ir::BlockId choose = f.add_block();
    f.append(b, make_inst(Op::kCondBranch, {done}, {last, choose}), {});
    f.append(choose, make_inst(Op::kCondBranch, {way}, {any_block(), any_block()}), {});
  }
  for (const ir::BlockId end : {last, early}) {
    ir::Inst address = make_inst(Op::kAdd, {load_parameter(f, end, 0), op(end, Op::kMul, thread(end), f.i32(4))});
    ir::Inst store = make_inst(Op::kStore, {f.append1(end, address, Type::kI32), local(end, 0)});
    f.append(end, store, {});
    f.append(end, make_inst(Op::kExit, {}), {});
  }
  f.append(at_once, make_inst(Op::kExit, {}), {});
  // blocks nobody jumps to do not count
  const ir::Dominators reachable = ir::find_dominators(f);
  for (ir::BlockId b = 0; b < f.blocks.size(); ++b) {
    if (reachable.position[b] == ir::kNone) f.blocks[b].insts.clear();
  }
  return f;
}

TEST(RandomIr, GraphsWithoutStructureComputeTheSame) {
  std::vector<unsigned> seeds{1023, 2501};  // an endless part, which only breaks of its surroundings leave
  for (unsigned seed = 1; seed <= kPrograms; ++seed) seeds.push_back(seed);
  for (std::size_t i = 0; i < seeds.size() && !HasFailure(); ++i) {
    std::mt19937 rng(seeds[i]);
    expect_match(seeds[i], random_graph(rng), {}, {64, 2, 1}, {}, 8);
  }
}

TEST(RandomIr, LargeGraphsWithoutStructureComputeTheSame) {
  for (unsigned seed = 1; seed <= kPrograms / 5 && !HasFailure(); ++seed) {
    std::mt19937 rng(seed);
    expect_match(seed, random_graph(rng, 10, 39), {}, {64, 2, 1}, {}, 8);
  }
}

TEST(IrShrinker, KeepsOnlyWhatAFailureNeeds) {
  std::mt19937 rng(7);
  RandomIrOptions shape;
  shape.statements = 8;
  shape.max_depth = 3;
  const auto has_store = [](const ir::Function& f) {
    return std::any_of(f.blocks.begin(), f.blocks.end(), [&](const ir::Block& block) {
      return std::any_of(block.insts.begin(), block.insts.end(),
                         [&](ir::InstId id) { return f.insts[id].op == ir::Op::kStore; });
    });
  };
  const ir::Function f = random_kernel(rng, shape);
  ASSERT_TRUE(has_store(f));
  const ir::Function small = IrShrinker(f, has_store).run();
  std::size_t size = 0;
  for (const ir::Block& block : small.blocks) size += block.insts.size();
  EXPECT_EQ(size, 2u) << ir::print(small);  // a store, and the end
}

}  // namespace
}  // namespace g80
