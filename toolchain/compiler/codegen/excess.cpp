// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/excess.h"

#include <set>

namespace g80::codegen {
namespace {

constexpr std::size_t kLow = 3;  // the last of the limits

/// Visits the blocks, each from its end to its beginning, and counts the units in use: each node once, and a spilled
/// node only while an instruction names it. If there are too many, it spills the cheapest nodes.
class ExcessFinder {
 public:
  ExcessFinder(const MachineFunction& function, const Liveness& liveness, const Interference& graph,
               const ExcessLimits& places, const std::vector<double>& prices)
      : function_(function),
        liveness_(liveness),
        graph_(graph),
        places_(places),
        prices_(prices),
        is_live_(liveness.units, 0),
        is_gone_(prices.size(), 0),
        is_named_(prices.size(), 0),
        live_registers_(liveness.units, 0),
        live_units_(prices.size(), 0) {}

  std::vector<std::uint32_t> run() {
    const BitSet none;
    const BitSet* live = &none;
    for (std::size_t i = 0; i < function_.blocks.size(); ++i) {
      const MachineBlock& block = function_.blocks[i];
      if (block.end.kind == TerminatorKind::kNone) continue;
      // from what is live in front of one block to what is live behind the next
      const BitSet& out = liveness_.live_out[i];
      live->for_each_missing_in(out, [&](std::size_t unit) { leave(static_cast<std::uint32_t>(unit)); });
      out.for_each_missing_in(*live, [&](std::size_t unit) { enter(static_cast<std::uint32_t>(unit)); });
      if (block.end.kind == TerminatorKind::kBranch) name(block.end.flags, 1);
      relieve();
      for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
        for_each_def(*inst, [&](const Reg& reg, unsigned count) { name(reg, count); });
        relieve();
        for_each_def(*inst, [&](const Reg& reg, unsigned count) {
          liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) { leave(unit); });
        });
        for_each_use(*inst, [&](const Reg& reg, unsigned count) { name(reg, count); });
        relieve();
      }
      live = &liveness_.live_in[i];
    }
    return std::move(victims_);
  }

 private:
  std::uint32_t leader(std::uint32_t unit) const { return graph_.find(liveness_.owner[unit]).leader; }
  /// The unit of the leader.
  std::uint32_t merged(std::uint32_t unit) const {
    const std::uint32_t reg = liveness_.owner[unit];
    const Interference::Node& node = graph_.find(reg);
    return liveness_.first_unit[node.leader] + node.offset + unit - liveness_.first_unit[reg];
  }
  bool is_low(std::uint32_t node) const {
    return function_.regs[node].cls == RegClass::kGeneral && graph_.end(node) <= places_[kLow] &&
           places_[kLow] < places_[cls(node)];
  }
  std::size_t cls(std::uint32_t node) const { return static_cast<std::size_t>(function_.regs[node].cls); }

  void enter(std::uint32_t unit) {
    if (is_live_[unit]) return;
    is_live_[unit] = 1;
    if (live_registers_[merged(unit)]++ != 0) return;
    const std::uint32_t node = leader(unit);
    ++live_units_[node];
    if (is_gone_[node]) return;
    ++in_use_[cls(node)];
    if (is_low(node)) ++in_use_[kLow];
    if (live_units_[node] != 1 || prices_[node] < 0) return;
    candidates_[cls(node)].insert({prices_[node], node});
    if (is_low(node)) candidates_[kLow].insert({prices_[node], node});
  }

  void leave(std::uint32_t unit) {
    if (!is_live_[unit]) return;
    is_live_[unit] = 0;
    if (--live_registers_[merged(unit)] != 0) return;
    const std::uint32_t node = leader(unit);
    --live_units_[node];
    if (is_gone_[node]) return;
    --in_use_[cls(node)];
    if (is_low(node)) --in_use_[kLow];
    if (live_units_[node] != 0) return;
    candidates_[cls(node)].erase({prices_[node], node});
    if (is_low(node)) candidates_[kLow].erase({prices_[node], node});
  }

  /// The current instruction names the register, so it is in use there.
  void name(const Reg& reg, unsigned count) {
    liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) { enter(unit); });
    const std::uint32_t node = graph_.find(reg.id).leader;
    is_named_[node] = 1;
    named_.push_back(node);
    if (!is_gone_[node]) return;
    named_units_[cls(node)] += liveness_.count(reg, count);
    if (is_low(node)) named_units_[kLow] += liveness_.count(reg, count);
  }

  void relieve() {
    for (std::size_t c = 0; c < places_.size(); ++c) {
      auto next = candidates_[c].begin();
      while (in_use_[c] + named_units_[c] > places_[c] && next != candidates_[c].end()) {
        const std::uint32_t node = next->second;
        if (is_named_[node]) {
          ++next;
          continue;
        }
        next = candidates_[c].erase(next);
        candidates_[cls(node)].erase({prices_[node], node});
        candidates_[kLow].erase({prices_[node], node});
        is_gone_[node] = 1;
        in_use_[cls(node)] -= live_units_[node];
        if (is_low(node)) in_use_[kLow] -= live_units_[node];
        victims_.push_back(node);
      }
    }
    for (const std::uint32_t node : named_) is_named_[node] = 0;
    named_.clear();
    named_units_ = {};
  }

  const MachineFunction& function_;
  const Liveness& liveness_;
  const Interference& graph_;
  ExcessLimits places_;
  const std::vector<double>& prices_;
  std::vector<std::uint8_t> is_live_;             // by unit
  std::vector<std::uint8_t> is_gone_, is_named_;  // by node
  std::vector<unsigned> live_registers_;          // by unit of a leader: live units that became one with it
  std::vector<unsigned> live_units_;              // by node
  ExcessLimits in_use_{}, named_units_{};
  std::array<std::set<std::pair<double, std::uint32_t>>, 4> candidates_;  // live nodes by price
  std::vector<std::uint32_t> named_, victims_;
};

}  // namespace

std::vector<std::uint32_t> find_excess(const MachineFunction& function, const Liveness& liveness,
                                       const Interference& graph, const ExcessLimits& limits,
                                       const std::vector<double>& prices) {
  return ExcessFinder(function, liveness, graph, limits, prices).run();
}

}  // namespace g80::codegen
