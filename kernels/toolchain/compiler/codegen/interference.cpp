#include "kernels/toolchain/compiler/codegen/interference.h"

#include <algorithm>

namespace g80::codegen {

Interference::Interference(const MachineFunction& function, const Liveness& liveness)
    : function_(function), liveness_(liveness) {
  edges_.assign(liveness.words, BitSet(liveness.words));
  for (std::uint32_t id = 0; id < function.regs.size(); ++id) {
    parent_.push_back({id, 0});
    words_.push_back(function.regs[id].words);
    align_.push_back(function.regs[id].align);
    fixed_.push_back(function.regs[id].fixed);
    end_.push_back(function.regs[id].end);
  }
  build();
}

void Interference::add_edge(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t x = liveness_.owner[a], y = liveness_.owner[b];
  if (x == y || function_.regs[x].cls != function_.regs[y].cls) return;
  edges_[a].set(b);
  edges_[b].set(a);
}

void Interference::build() {
  for (std::size_t i = 0; i < function_.blocks.size(); ++i) {
    const MachineBlock& block = function_.blocks[i];
    if (block.end.kind == TerminatorKind::kNone) continue;
    BitSet live = liveness_.live_out[i];
    if (block.end.kind == TerminatorKind::kBranch) live.set(liveness_.word(block.end.flags));
    for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
      // a copy's source may share the register of its destination
      const std::uint32_t source = is_copy(*inst) ? liveness_.word(inst->src[0]) : ir::kNone;
      for_each_def(*inst, [&](const Reg& reg, unsigned count) {
        for (unsigned w = 0; w < count; ++w) {
          const std::uint32_t defined = liveness_.word(reg, w);
          live.for_each([&](std::size_t other) {
            if (other != source) add_edge(defined, static_cast<std::uint32_t>(other));
          });
        }
      });
      // results of one instruction, dead or not, need different registers
      for_each_def(*inst, [&](const Reg& a, unsigned) {
        for_each_def(*inst, [&](const Reg& b, unsigned) { add_edge(liveness_.word(a), liveness_.word(b)); });
      });
      liveness_.step_back(*inst, live);
    }
    if (i != 0) continue;
    live.for_each([&](std::size_t a) {
      live.for_each([&](std::size_t b) { add_edge(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)); });
    });
  }
}

Interference::Node Interference::find(std::uint32_t reg) const {
  Node node = parent_[reg];
  while (parent_[node.leader].leader != node.leader) {
    const Node up = parent_[node.leader];
    node = {up.leader, static_cast<std::uint8_t>(node.offset + up.offset)};
  }
  parent_[reg] = node;
  return node;
}

bool Interference::try_merge(const Reg& a, const Reg& b) {
  Node x = find(a.id), y = find(b.id);
  if (x.leader == y.leader) return false;
  unsigned x_word = x.offset + a.word, y_word = y.offset + b.word;
  if (words_[x.leader] < words_[y.leader]) {
    std::swap(x, y);
    std::swap(x_word, y_word);
  }
  // y goes into x at `shift`
  if (x_word < y_word || x_word - y_word + words_[y.leader] > words_[x.leader]) return false;
  const unsigned shift = x_word - y_word;
  if (shift % align_[y.leader] != 0) return false;
  if (fixed_[y.leader] >= 0 && (fixed_[x.leader] >= 0 || shift != 0 || words_[x.leader] != 1)) return false;
  const std::uint32_t to = liveness_.first_word[x.leader], from = liveness_.first_word[y.leader];
  for (unsigned w = 0; w < words_[y.leader]; ++w) {
    bool conflict = false;
    edges_[from + w].for_each([&](std::size_t word) {
      const std::uint32_t owner = liveness_.owner[word];
      const Node node = find(owner);
      conflict |= node.leader == x.leader && word - liveness_.first_word[owner] + node.offset == w + shift;
    });
    edges_[to + w + shift].for_each([&](std::size_t word) {
      const std::uint32_t owner = liveness_.owner[word];
      const Node node = find(owner);
      conflict |= node.leader == y.leader && word - liveness_.first_word[owner] + node.offset == w;
    });
    if (conflict) return false;
  }
  for (unsigned w = 0; w < words_[y.leader]; ++w) {
    edges_[from + w].for_each([&](std::size_t word) { edges_[word].set(to + w + shift); });
    edges_[to + w + shift].merge(edges_[from + w]);
  }
  parent_[y.leader] = {x.leader, static_cast<std::uint8_t>(shift)};
  align_[x.leader] = std::max(align_[x.leader], align_[y.leader]);
  end_[x.leader] = std::min(end_[x.leader], end_[y.leader]);
  if (fixed_[y.leader] >= 0) fixed_[x.leader] = fixed_[y.leader];
  return true;
}

void Interference::coalesce() {
  struct Candidate {
    unsigned depth;
    Reg a, b;
  };
  std::vector<Candidate> candidates;
  for (const MachineBlock& block : function_.blocks) {
    for (const MachineInst& inst : block.insts) {
      if (is_copy(inst)) candidates.push_back({block.loop_depth, inst.dst, inst.src[0]});
      // the guarded half of a selection, where the value of the other half ends
      if (inst.insn.op == isa::Op::kMov && inst.is_guarded && inst.src[0] && inst.dst) {
        candidates.push_back({block.loop_depth, inst.dst, inst.src[0]});
      }
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.depth > b.depth; });
  for (const Candidate& candidate : candidates) try_merge(candidate.a, candidate.b);
}

unsigned Interference::degree(std::uint32_t leader) const {
  unsigned count = 0;
  for (unsigned w = 0; w < words_[leader]; ++w) {
    for_each_neighbour(leader, w, [&](std::uint32_t, unsigned) { ++count; });
  }
  return count;
}

}  // namespace g80::codegen
