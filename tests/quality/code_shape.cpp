// SPDX-License-Identifier: Apache-2.0
#include "tests/quality/code_shape.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>

namespace g80::quality {
namespace {

constexpr std::uint8_t kZeroRegister = 124;

using isa::Instruction;
using isa::Op;
using isa::OperandKind;

struct Placed {
  std::uint32_t address = 0;
  Instruction insn;
  std::vector<std::size_t> next;
};

struct Graph {
  std::vector<Placed> code;
  std::map<std::uint32_t, std::size_t> at;
  std::set<std::size_t> reachable;
};

bool always(const Instruction& insn) { return insn.cond == isa::kAlways; }

/// Reachable instructions and where each goes. The end of a function goes to wherever its calls return to.
class GraphBuilder {
 public:
  GraphBuilder(const std::vector<std::uint32_t>& words, std::uint32_t entry, isa::Arch arch) {
    for (std::size_t i = 0; i < words.size();) {
      Placed placed;
      placed.address = static_cast<std::uint32_t>(4 * i);
      const bool is_long = isa::is_long(words[i]);
      if (isa::decode(words[i], is_long ? words.at(i + 1) : 0, arch, placed.insn) != isa::DecodeError::kNone) {
        throw std::runtime_error("a word that is no instruction");
      }
      graph_.at[placed.address] = graph_.code.size();
      graph_.code.push_back(placed);
      i += is_long ? 2 : 1;
    }
    for (std::size_t i = 0; i < graph_.code.size(); ++i) {
      const Instruction& insn = graph_.code[i].insn;
      if (insn.op == Op::kCall) returns_[graph_.at.at(insn.target)].insert(i + 1);
    }
    walk(graph_.at.at(entry), {});
  }
  Graph take() { return std::move(graph_); }

 private:
  /// Follows the code from `start`; `returns` is where a ret goes (empty: it ends the thread).
  void walk(std::size_t start, const std::set<std::size_t>& returns) {
    std::vector<std::size_t> work{start};
    while (!work.empty()) {
      const std::size_t i = work.back();
      work.pop_back();
      if (!graph_.reachable.insert(i).second) continue;
      Placed& placed = graph_.code[i];
      const Instruction& insn = placed.insn;
      bool falls_through = !insn.exit;
      if (insn.op == Op::kBra) {
        placed.next.push_back(graph_.at.at(insn.target));
        falls_through = !always(insn);
      } else if (insn.op == Op::kCall) {
        const std::size_t function = graph_.at.at(insn.target);
        placed.next.push_back(function);
        walk(function, returns_[function]);
        falls_through = !always(insn);
        work.push_back(i + 1);
      } else if (insn.op == Op::kRet) {
        placed.next.insert(placed.next.end(), returns.begin(), returns.end());
        falls_through = !always(insn);
      }
      if (falls_through) placed.next.push_back(i + 1);
      for (const std::size_t next : placed.next) {
        if (next >= graph_.code.size()) throw std::runtime_error("the code runs past its end");
        if (insn.op != Op::kRet || returns.count(next) == 0) work.push_back(next);
      }
    }
  }

  Graph graph_;
  std::map<std::size_t, std::set<std::size_t>> returns_;  // of each function, to behind its calls
};

/// One past the highest register the operand names.
unsigned registers_of(const isa::Operand& operand) {
  const unsigned index = operand.index;
  switch (operand.kind) {
    case OperandKind::kReg: return index == kZeroRegister ? 0 : index + 1;
    case OperandKind::kHalf: return index / 2 + 1;
    case OperandKind::kPair: return index + 2;
    case OperandKind::kQuad: return index + 4;
    default: return 0;
  }
}

/// dominators[i]: reachable instructions on every way from the entry to i, i included.
std::map<std::size_t, std::set<std::size_t>> find_dominators(const Graph& graph, std::size_t entry) {
  std::map<std::size_t, std::set<std::size_t>> sources, dominators;
  for (const std::size_t i : graph.reachable) {
    for (const std::size_t next : graph.code[i].next) sources[next].insert(i);
    dominators[i] = graph.reachable;
  }
  dominators[entry] = {entry};
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t i : graph.reachable) {
      if (i == entry) continue;
      std::set<std::size_t> common = graph.reachable;
      for (const std::size_t source : sources[i]) {
        std::set<std::size_t> both;
        const std::set<std::size_t>& other = dominators[source];
        std::set_intersection(common.begin(), common.end(), other.begin(), other.end(),
                              std::inserter(both, both.end()));
        common = std::move(both);
      }
      common.insert(i);
      changed |= common != dominators[i];
      dominators[i] = std::move(common);
    }
  }
  return dominators;
}

/// The bodies of the natural loops by their first instruction.
std::map<std::size_t, std::set<std::size_t>> find_loops(const Graph& graph, std::size_t entry) {
  std::map<std::size_t, std::set<std::size_t>> loops, sources;
  for (const std::size_t i : graph.reachable) {
    for (const std::size_t next : graph.code[i].next) sources[next].insert(i);
  }
  auto dominators = find_dominators(graph, entry);
  for (const std::size_t i : graph.reachable) {
    for (const std::size_t head : graph.code[i].next) {
      if (dominators[i].count(head) == 0) continue;
      std::set<std::size_t>& body = loops[head];
      body.insert(head);
      std::vector<std::size_t> work{i};
      while (!work.empty()) {
        const std::size_t member = work.back();
        work.pop_back();
        if (!body.insert(member).second) continue;
        work.insert(work.end(), sources[member].begin(), sources[member].end());
      }
    }
  }
  return loops;
}

}  // namespace

CodeShape measure_code(const std::vector<std::uint32_t>& words, std::uint32_t entry, isa::Arch arch) {
  const Graph graph = GraphBuilder(words, entry, arch).take();
  CodeShape shape;
  shape.instructions = static_cast<unsigned>(graph.reachable.size());
  for (const std::size_t i : graph.reachable) {
    const Instruction& insn = graph.code[i].insn;
    for (const isa::Operand* operand : {&insn.dst, &insn.src[0], &insn.src[1], &insn.src[2]}) {
      shape.registers = std::max(shape.registers, registers_of(*operand));
    }
  }
  const auto loops = find_loops(graph, graph.at.at(entry));
  for (const auto& [head, body] : loops) {
    const bool holds_another =
        std::any_of(loops.begin(), loops.end(), [&, head = head, &body = body](const auto& other) {
          return other.first != head && body.count(other.first) != 0;
        });
    if (!holds_another) shape.loops.push_back(static_cast<unsigned>(body.size()));
  }
  return shape;
}

}  // namespace g80::quality
