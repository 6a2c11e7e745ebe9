// SPDX-License-Identifier: Apache-2.0
// Finds the branches at which the lanes of a warp may diverge.
//
// A value is uniform if all lanes that execute its definition together get the same value. Thread numbers and loaded
// data are not uniform; results computed from uniform values are. A phi is not uniform where diverged lanes meet. An
// argument is uniform if it is uniform at every call; a result, if the function has one return and it is uniform there.
#include "toolchain/compiler/codegen/flow_graph.h"
#include "toolchain/compiler/codegen/reconvergence.h"

namespace g80::codegen {
namespace {

using ir::Op;

bool differs_by_itself(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::kSpecial:
      switch (inst.special) {
        case ir::Special::kTidX:
        case ir::Special::kTidY:
        case ir::Special::kTidZ:
        case ir::Special::kLaneid:
        case ir::Special::kPhysid: return true;
        default: return false;
      }
    case Op::kLoad: return inst.space != ir::Space::kParam && inst.space != ir::Space::kConst;
    case Op::kAtomic:
    case Op::kTexture: return true;
    default: return false;
  }
}

/// The arguments and results of a function that differ between lanes.
struct PassedDifferences {
  std::vector<std::uint8_t> arguments, results;
};

class Finder {
 public:
  Finder(const ir::Function& function, std::vector<PassedDifferences>& functions, PassedDifferences* own)
      : function_(function),
        functions_(functions),
        own_(own),
        graph_(make_flow_graph(function)),
        meeting_(find_meeting_points(graph_)),
        divergent_(function.values.size(), 0),
        branches_(function.blocks.size(), 0),
        mixes_(function.blocks.size(), 0) {
    for (const ir::BlockId block : graph_.order) {
      returns_ += !function.blocks[block].insts.empty() && function.terminator(block).op == Op::kReturn;
    }
  }

  /// Marks values, branches, arguments and results. True if the marks of another function changed.
  bool run() {
    bool news = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (const ir::BlockId block : graph_.order) {
        for (const ir::InstId id : function_.blocks[block].insts) visit(block, function_.insts[id], changed, news);
      }
    }
    return news;
  }

  std::vector<std::uint8_t> branches() { return std::move(branches_); }

 private:
  void visit(ir::BlockId block, const ir::Inst& inst, bool& changed, bool& news) {
    if (inst.op == Op::kCall) return visit_call(inst, changed, news);
    bool differs = differs_by_itself(inst) || (inst.op == Op::kPhi && mixes_[block]);
    if (inst.op == Op::kArgument) differs = own_->arguments[inst.immediate] != 0;
    for (const ir::ValueId operand : inst.operands) differs |= divergent_[operand] != 0;
    if (inst.op == Op::kVoteAny || inst.op == Op::kVoteAll) differs = false;
    if (inst.op == Op::kReturn) {
      for (std::size_t k = 0; k < inst.operands.size(); ++k)
        note(own_->results[k], returns_ > 1 || divergent_[inst.operands[k]], news);
      return;
    }
    if (!differs) return;
    for (const ir::ValueId result : inst.results) note(divergent_[result], true, changed);
    if (inst.op != Op::kCondBranch || branches_[block]) return;
    branches_[block] = 1;
    changed = true;
    const ir::BlockId meet = meeting_.point[block];
    region_between(graph_, block, meet).for_each([&](std::size_t other) { mixes_[other] = 1; });
    if (meet != ir::kNone) mixes_[meet] = 1;
  }

  void visit_call(const ir::Inst& call, bool& changed, bool& news) {
    PassedDifferences& callee = functions_[call.callee];
    for (std::size_t k = 0; k < call.operands.size(); ++k)
      note(callee.arguments[k], divergent_[call.operands[k]] != 0, news);
    for (std::size_t k = 0; k < call.results.size(); ++k)
      note(divergent_[call.results[k]], callee.results[k] != 0, changed);
  }

  static void note(std::uint8_t& mark, bool differs, bool& changed) {
    changed |= differs && mark == 0;
    mark |= static_cast<std::uint8_t>(differs);
  }

  const ir::Function& function_;
  std::vector<PassedDifferences>& functions_;
  PassedDifferences* own_;  // null: the kernel
  FlowGraph graph_;
  Meeting meeting_;
  std::vector<std::uint8_t> divergent_, branches_;  // values; by block
  std::vector<std::uint8_t> mixes_;                 // phis of the block join separated lanes
  unsigned returns_ = 0;
};

}  // namespace

std::vector<std::vector<std::uint8_t>> find_divergent_branches(const ir::Function& kernel) {
  std::vector<PassedDifferences> functions;
  for (const ir::Function& function : kernel.functions) {
    functions.push_back({std::vector<std::uint8_t>(function.arguments.size(), 0),
                         std::vector<std::uint8_t>(function.results.size(), 0)});
  }
  std::vector<Finder> finders;
  for (std::size_t k = 0; k < functions.size(); ++k)
    finders.emplace_back(kernel.functions[k], functions, &functions[k]);
  finders.emplace_back(kernel, functions, nullptr);
  for (bool news = true; news;) {
    news = false;
    for (auto finder = finders.rbegin(); finder != finders.rend(); ++finder) news |= finder->run();
  }
  std::vector<std::vector<std::uint8_t>> branches;
  for (Finder& finder : finders) branches.push_back(finder.branches());
  return branches;
}

}  // namespace g80::codegen
