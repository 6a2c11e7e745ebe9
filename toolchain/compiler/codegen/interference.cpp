// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/interference.h"

#include <algorithm>
#include <array>

namespace g80::codegen {
namespace {

/// Up to this group size, neighbours of a group have an edge to each of its former leaders. So they count as more
/// connected, and their copies are coloured before them. For larger groups this would take too long.
constexpr std::size_t kToldOfAll = 64;

}  // namespace

Interference::Interference(const MachineFunction& function, const Liveness& liveness)
    : function_(function), liveness_(liveness) {
  edges_.resize(liveness.units);
  for (std::uint32_t unit = 0; unit < liveness.units; ++unit) members_.push_back({unit});
  for (std::uint32_t id = 0; id < function.regs.size(); ++id) {
    const VirtualRegister& reg = function.regs[id];
    const unsigned scale = liveness.scale[id];
    parent_.push_back({id, 0});
    units_.push_back(static_cast<std::uint8_t>(liveness.first_unit[id + 1] - liveness.first_unit[id]));
    align_.push_back(static_cast<std::uint8_t>(reg.is_half ? (reg.is_low ? 2 : 1) : reg.align * scale));
    fixed_.push_back(reg.fixed < 0 ? -1 : static_cast<int>(reg.fixed * scale));
    end_.push_back(static_cast<std::uint16_t>(reg.end * scale));
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
  std::array<BitSet, 3> live;  // by class
  const auto live_of = [&](const Reg& reg) -> BitSet& {
    return live[static_cast<std::size_t>(function_.regs[reg.id].cls)];
  };
  const auto enter = [&](const Reg& reg, unsigned count) {
    liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) { live_of(reg).set(unit); });
  };
  const auto leave = [&](const Reg& reg, unsigned count) {
    liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) { live_of(reg).reset(unit); });
  };
  std::vector<BitSet> found(edges_.size());  // by unit: those that are needed behind a definition of it
  BitSet others;
  for (std::size_t i = 0; i < function_.blocks.size(); ++i) {
    const MachineBlock& block = function_.blocks[i];
    if (block.end.kind == TerminatorKind::kNone) continue;
    live = {};
    liveness_.live_out[i].for_each([&](std::size_t unit) { live_of({liveness_.owner[unit]}).set(unit); });
    if (block.end.kind == TerminatorKind::kBranch) enter(block.end.flags, 1);
    for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
      // a copy's source may share the register of its destination
      const bool is_copied = is_any_copy(*inst);
      for_each_def(*inst, [&](const Reg& reg, unsigned count) {
        others = live_of(reg);
        for (std::uint32_t own = liveness_.first_unit[reg.id]; own < liveness_.first_unit[reg.id + 1]; ++own) {
          others.reset(own);
        }
        std::uint32_t source = is_copied ? liveness_.unit(with_part(inst->src[0], inst->insn.src[0])) : ir::kNone;
        liveness_.for_each_unit(reg, count, [&](std::uint32_t defined) {
          const bool shares = is_copied && others.test(source);
          if (shares) others.reset(source);
          found[defined].merge(others);
          if (shares) others.set(source);
          source += is_copied;
        });
      });
      // results of one instruction, dead or not, need different registers
      for_each_def(*inst, [&](const Reg& a, unsigned count) {
        for_each_def(*inst, [&](const Reg& b, unsigned words) {
          if (a.id == b.id) return;
          liveness_.for_each_unit(a, count, [&](std::uint32_t x) {
            liveness_.for_each_unit(b, words, [&](std::uint32_t y) { add_edge(x, y); });
          });
        });
      });
      for_each_def(*inst, leave);
      for_each_use(*inst, enter);
    }
    if (i != 0) continue;
    for (const BitSet& values : live) {
      values.for_each([&](std::size_t a) {
        values.for_each([&](std::size_t b) { add_edge(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)); });
      });
    }
  }
  // in ascending order, so that most go to the end of their set
  for (std::size_t unit = 0; unit < found.size(); ++unit) {
    found[unit].for_each([&](std::size_t other) { edges_[other].set(unit); });
  }
  for (std::size_t unit = 0; unit < found.size(); ++unit) edges_[unit].merge(found[unit]);
}

Interference::Node Interference::find_leader(std::uint32_t reg) {
  Node node = parent_[reg];
  while (parent_[node.leader].leader != node.leader) {
    const Node up = parent_[node.leader];
    node = {up.leader, static_cast<std::uint8_t>(node.offset + up.offset)};
  }
  parent_[reg] = node;
  return node;
}

/// True if a unit coalesced with unit `a` of a leader interferes with one coalesced with `b`. A leader has the edges of
/// all its members, so it is enough to search the edges of one leader for the members of the other.
bool Interference::interfere(std::uint32_t a, std::uint32_t b) const {
  if (members_[a].size() < members_[b].size()) std::swap(a, b);
  return std::any_of(members_[b].begin(), members_[b].end(),
                     [&](std::uint32_t member) { return edges_[a].test(member); });
}

bool Interference::try_merge(const Reg& a, const Reg& b) {
  Node x = find_leader(a.id), y = find_leader(b.id);
  if (x.leader == y.leader) return false;
  unsigned x_unit = x.offset + liveness_.unit(a) - liveness_.first_unit[a.id];
  unsigned y_unit = y.offset + liveness_.unit(b) - liveness_.first_unit[b.id];
  if (units_[x.leader] < units_[y.leader]) {
    std::swap(x, y);
    std::swap(x_unit, y_unit);
  }
  // y goes into x at `shift`
  if (x_unit < y_unit || x_unit - y_unit + units_[y.leader] > units_[x.leader]) return false;
  const unsigned shift = x_unit - y_unit;
  if (shift % align_[y.leader] != 0) return false;
  if (fixed_[y.leader] >= 0 && (fixed_[x.leader] >= 0 || shift != 0 || units_[x.leader] != units_[y.leader]))
    return false;
  const int place = std::max(fixed_[x.leader], fixed_[y.leader]);
  if (place >= static_cast<int>(std::min(end_[x.leader], end_[y.leader]))) return false;
  const std::uint32_t to = liveness_.first_unit[x.leader], from = liveness_.first_unit[y.leader];
  for (unsigned w = 0; w < units_[y.leader]; ++w) {
    if (interfere(to + w + shift, from + w)) return false;
  }
  for (unsigned w = 0; w < units_[y.leader]; ++w) {
    std::vector<std::uint32_t>&members = members_[to + w + shift], &more = members_[from + w];
    BitSet &edges = edges_[to + w + shift], &others = edges_[from + w];
    if (members.size() + more.size() <= kToldOfAll) {
      others.for_each([&](std::size_t unit) { edges_[unit].set(to + w + shift); });
    }
    // the smaller go to the larger
    if (members.size() < more.size()) {
      members.swap(more);
      std::swap(edges, others);
    }
    edges.merge(others);
    members.insert(members.end(), more.begin(), more.end());
    others = {};
    more = {};
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
      // also the guarded mov of a select, where the other value ends
      if (is_any_copy(inst) || (inst.insn.op == isa::Op::kMov && inst.is_guarded && inst.src[0] && inst.dst)) {
        candidates.push_back(
            {block.loop_depth, with_part(inst.dst, inst.insn.dst), with_part(inst.src[0], inst.insn.src[0])});
      }
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.depth > b.depth; });
  for (const Candidate& candidate : candidates) try_merge(candidate.a, candidate.b);
  for (std::uint32_t reg = 0; reg < parent_.size(); ++reg) find_leader(reg);
}

unsigned Interference::degree(std::uint32_t leader) const {
  std::size_t count = 0;
  for (unsigned w = 0; w < units_[leader]; ++w) count += edges_[liveness_.first_unit[leader] + w].count();
  return static_cast<unsigned>(count);
}

}  // namespace g80::codegen
