// SPDX-License-Identifier: Apache-2.0
// Lanes that part come together again: random structured programs, compiled, against an ideal warp. Every mark of the
// program must be executed by exactly the lanes of the ideal one at a time, no more often, and the results must be its.
#include <gtest/gtest.h>

#include <map>

#include "tests/compiler/control_tree.h"
#include "toolchain/assembler/listing.h"
#include "toolchain/compiler/optimize/passes.h"

namespace g80 {
namespace {

constexpr std::uint32_t kBlocks = 2;

using Marks = std::multiset<std::pair<std::uint32_t, std::uint32_t>>;

/// Which lanes execute the marks.
class MarkObserver : public golden::StepObserver {
 public:
  MarkObserver(const Kernel& kernel, const KernelInfo& info) {
    std::size_t index = 0;
    for (std::size_t i = 0; i < kernel.code.size(); ++index) {
      line_[static_cast<std::uint32_t>(4 * i)] = info.lines.at(index).ptx_line;
      i += isa::is_long(kernel.code[i]) ? 2 : 1;
    }
  }
  void stepped(const golden::BlockState&, const golden::WarpState&, const golden::StepRecord& record) override {
    if (record.decoded->insn.op == isa::Op::kPmevent && record.lanes != 0)
      marks.insert({line_.at(record.pc), record.lanes});
  }
  void stuck(const golden::BlockState&) override { ADD_FAILURE() << "a barrier that cannot open"; }

  Marks marks;

 private:
  std::map<std::uint32_t, std::uint32_t> line_;
};

CompileResult compile(const ControlNode& program, bool optimised) {
  ir::Module module = ControlKernel().build(program);
  std::vector<Diagnostic> warnings;
  ir::clean_control_flow(module.kernels[0]);
  ir::remove_dead_code(module.kernels[0]);
  if (optimised) ir::optimize(module, {}, "test.ptx", warnings);
  return generate_code(module, "test.ptx", {});
}

/// Marks that are executed more often than by the ideal warp, or not by the same lanes altogether.
std::string difference(const Marks& expected, const Marks& actual) {
  struct Sum {
    std::uint64_t lanes = 0;
    unsigned times = 0;
  };
  const auto sum_up = [](const Marks& marks) {
    std::map<std::uint32_t, Sum> sums;
    for (const auto& [mark, lanes] : marks) {
      sums[mark].lanes += static_cast<std::uint64_t>(__builtin_popcount(lanes));
      ++sums[mark].times;
    }
    return sums;
  };
  std::string text;
  std::map<std::uint32_t, Sum> ideal = sum_up(expected);
  for (const auto& [mark, sum] : sum_up(actual)) {
    if (sum.times <= ideal[mark].times && sum.lanes == ideal[mark].lanes) continue;
    text += "  mark " + std::to_string(mark) + " executed " + std::to_string(sum.times) + " times by " +
            std::to_string(sum.lanes) + " lanes, expected " + std::to_string(ideal[mark].times) + " times by " +
            std::to_string(ideal[mark].lanes) + "\n";
  }
  return text;
}

/// What is wrong with the compiled program; empty: nothing. `late`: only that lanes meet later than they could.
struct Verdict {
  std::string text;
  bool late = false;
  std::size_t executed = 0, ideal = 0;  // marks, by a warp at a time
};

Verdict compare_with_ideal(const ControlNode& program, bool optimised) {
  Marks expected;
  std::vector<std::uint32_t> results;
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    IdealWarp ideal;
    ideal.run(program, block);
    expected.insert(ideal.marks.begin(), ideal.marks.end());
    results.insert(results.end(), ideal.result.begin(), ideal.result.end());
  }
  const CompileResult compiled = compile(program, optimised);
  ir::Function interface;
  add_parameters(interface);
  Verdict verdict;
  for (const golden::FirstPath first : {golden::FirstPath::kTaken, golden::FirstPath::kFallthrough}) {
    MarkObserver observer(compiled.module.kernels[0], compiled.kernels[0]);
    const std::string order = first == golden::FirstPath::kTaken ? "taken ways first: " : "other ways first: ";
    const Outcome outcome = execute(compiled.module, compiled.module.kernels[0], interface, {},
                                    {IdealWarp::kLanes, kBlocks, 1}, first, &observer);
    if (!outcome.fault.empty()) return {order + outcome.fault, false, 0, 0};
    if (outcome.output != results) return {order + "results differ", false, 0, 0};
    const std::string differences = difference(expected, observer.marks);
    verdict.executed += observer.marks.size();
    verdict.ideal += expected.size();
    if (differences.empty()) continue;
    verdict.text = order + "lanes differ\n" + differences;
    verdict.late = true;
  }
  return verdict;
}

void for_every_node(const ControlTree& node, const std::function<void(ControlNode&)>& apply) {
  apply(*node);
  for (const ControlTree& child : node->children) for_every_node(child, apply);
}

/// Leaves out statements as long as the same stays wrong.
void shrink(const ControlTree& program, bool optimised, bool late) {
  const auto fails = [&] {
    const Verdict verdict = compare_with_ideal(*program, optimised);
    return !verdict.text.empty() && verdict.late == late;
  };
  for (bool again = true; again;) {
    again = false;
    std::vector<ControlNode*> blocks;
    for_every_node(program, [&](ControlNode& node) {
      if (node.kind == ControlNode::kBlock) blocks.push_back(&node);
    });
    for (ControlNode* block : blocks) {
      for (std::size_t k = 0; k < block->children.size() && !again;) {
        const std::vector<ControlTree> old = block->children;
        block->children.erase(block->children.begin() + static_cast<std::ptrdiff_t>(k));
        if (fails()) {
          again = true;  // the blocks below are gone
        } else {
          block->children = old;
          ++k;
        }
      }
      if (again) break;
    }
  }
}

constexpr unsigned kPrograms = 500;
constexpr unsigned kMostLate = kPrograms * 6 / 100;  // where more lanes could be together
constexpr double kMostExecuted = 1.0;                // of all programs, against the ideal warp

void run_programs(std::uint32_t first_seed, bool optimised) {
  unsigned late = 0;
  std::size_t executed = 0, ideal = 0;
  for (std::uint32_t seed = first_seed; seed < first_seed + kPrograms; ++seed) {
    const ControlTree program = ControlGenerator(seed).program();
    const Verdict verdict = compare_with_ideal(*program, optimised);
    executed += verdict.executed;
    ideal += verdict.ideal;
    if (verdict.text.empty() || (verdict.late && ++late <= kMostLate)) continue;
    shrink(program, optimised, verdict.late);
    FAIL() << "seed " << seed << ", shrunk:\n"
           << control_text(*program) << compare_with_ideal(*program, optimised).text << "\n"
           << list_module(compile(*program, optimised).module);
  }
  EXPECT_LT(static_cast<double>(executed), kMostExecuted * static_cast<double>(ideal));
}

TEST(Divergence, LanesOfRandomProgramsMeetWhereStatementsEnd) { run_programs(1, true); }
TEST(Divergence, LanesOfUnoptimisedRandomProgramsMeetWhereStatementsEnd) { run_programs(5001, false); }

}  // namespace
}  // namespace g80
