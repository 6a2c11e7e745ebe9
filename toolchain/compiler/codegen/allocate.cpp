// SPDX-License-Identifier: Apache-2.0
// Colours the interference graph. If nodes have no free register, it spills some (them or cheaper neighbours) and
// starts again. If there are very many, it chooses them by counting live units instead of colouring.
#include "toolchain/compiler/codegen/allocate.h"

#include <algorithm>
#include <stdexcept>

#include "toolchain/compiler/codegen/colouring.h"
#include "toolchain/compiler/codegen/excess.h"
#include "toolchain/compiler/codegen/interference.h"
#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/rematerialize.h"
#include "toolchain/compiler/codegen/split_ranges.h"

namespace g80::codegen {
namespace {

constexpr std::size_t kSpillShare = 3;
constexpr std::size_t kFailedPerPass = 64, kMostPasses = 8;
// A few registers are spilled one by one, and the graph is built again after each. This takes too long for hundreds of
// registers: from this number of nodes without a register on, or of units in all graphs so far.
constexpr std::size_t kManyFailed = 128, kCarefulUnits = 100000;
constexpr unsigned kMostFreeShare = 4;  // spill_many() may leave free at most a quarter of the registers
constexpr unsigned kPatience = 4;       // rounds of spill_many() before it also frees places for failed nodes
// Reading a spilled register costs an instruction and a memory access, a rematerialised one a plain instruction.
constexpr double kRematerializedShare = 0.1;

/// The work of allocating a function so far.
struct Effort {
  std::size_t units = 0;     // in the graphs
  unsigned bulk_rounds = 0;  // that spilled many
};

class Allocator {
 public:
  Allocator(MachineFunction& function, unsigned limit)
      : function_(function),
        limit_(limit),
        liveness_(find_liveness(function)),
        graph_(coalesced(function, liveness_)),
        colouring_(function, liveness_, graph_, limit) {}

  /// False if registers were spilled, so that allocation must start again.
  bool run(Effort& effort) {
    remember_costs();
    if (effort.bulk_rounds > 0) colouring_.keep_low_places();
    colouring_.run(cost_);
    if (colouring_.failed().empty()) return true;
    recipes_ = find_recipes(function_, liveness_);
    prefer_recipes();
    effort.units += liveness_.units;
    if (effort.bulk_rounds > 0 || colouring_.failed().size() > kManyFailed || effort.units > kCarefulUnits) {
      spill_many(effort.bulk_rounds++);
    } else {
      RangeSplitter splitter(function_, liveness_);
      find_waits(splitter);
      spill_some(splitter);
    }
    return false;
  }

  unsigned assign() { return assign_registers(function_, liveness_, graph_, colouring_.colours()); }

 private:
  static Interference coalesced(const MachineFunction& function, const Liveness& liveness) {
    Interference graph(function, liveness);
    graph.coalesce();
    return graph;
  }

  void remember_costs() {
    cost_.assign(function_.regs.size(), 0.0);
    is_short_.assign(function_.regs.size(), 1);
    for (std::uint32_t id = 0; id < function_.regs.size(); ++id) {
      if (can_spill(id)) is_short_[graph_.find(id).leader] = 0;
    }
    for (const MachineBlock& block : function_.blocks) {
      double weight = 1.0;
      for (unsigned i = 0; i < block.loop_depth; ++i) weight *= 10.0;
      for (const MachineInst& inst : block.insts) {
        const auto count = [&](const Reg& reg, unsigned) { cost_[graph_.find(reg.id).leader] += weight; };
        for_each_use(inst, count);
        for_each_def(inst, count);
      }
      if (block.end.kind == TerminatorKind::kBranch) cost_[graph_.find(block.end.flags.id).leader] += weight;
    }
    for (const PassedRegister& passed : function_.results) cost_[graph_.find(passed.reg.id).leader] += 1.0;
  }

  /// Lowers the cost of nodes that can be computed again. All registers coalesced into the node must be computable.
  void prefer_recipes() {
    std::vector<std::uint8_t> all(function_.regs.size(), 1);
    for (std::uint32_t id = 0; id < function_.regs.size(); ++id) {
      if (recipes_[id].empty()) all[graph_.find(id).leader] = 0;
    }
    for (const std::uint32_t node : colouring_.nodes()) {
      if (all[node]) cost_[node] *= kRematerializedShare * static_cast<double>(recipes_[node].size());
    }
  }

  /// Lowers the cost of registers that are live through a loop but not used in it: they can be spilled around the loop.
  /// But not what several others can be computed from there.
  void find_waits(const RangeSplitter& splitter) {
    waits_.assign(function_.regs.size(), {});
    std::vector<unsigned> recipes_from(function_.regs.size(), 0);
    for (const Recipe& recipe : recipes_) {
      if (recipe.empty()) continue;
      for (const Reg& source : recipe.front().src) {
        if (source) ++recipes_from[source.id];
      }
    }
    for (const Wait& wait : splitter.find(limit_)) {
      if (wait.reg == kNoRegister || recipes_from[wait.reg] > 1) continue;
      const std::uint32_t leader = graph_.find(wait.reg).leader;
      if (graph_.units(leader) > liveness_.per_word || wait.cost >= cost_[leader]) continue;
      waits_[leader] = wait;
      cost_[leader] = wait.cost;
    }
  }

  /// Spills for some of the nodes without a register. The freed registers may be enough for the others.
  void spill_some(RangeSplitter& splitter) {
    const std::vector<std::uint32_t> victims = cheapest_around_failed();
    find_members();
    for (const std::uint32_t victim : victims) {
      if (waits_[victim].reg != kNoRegister) {
        splitter.split(waits_[victim]);
      } else {
        give_up(victim);
        rewrite();
      }
    }
  }

  std::vector<std::uint32_t> cheapest_around_failed() {
    std::vector<std::uint32_t> victims;
    std::vector<std::uint8_t> is_victim(function_.regs.size(), 0);
    // Nodes that are live together have the same cheapest neighbour. If very many failed, one neighbour is not enough:
    // each pass ignores those already chosen and finds others.
    const std::size_t passes = std::clamp<std::size_t>(colouring_.failed().size() / kFailedPerPass, 1, kMostPasses);
    for (std::size_t pass = 0; pass < passes; ++pass) {
      const std::size_t chosen = victims.size();
      for (const std::uint32_t node : colouring_.failed()) {
        if (function_.regs[node].cls == RegClass::kAddress) throw OutOfRegisters();
        const std::uint32_t victim = cheapest_around(node);
        if (victim == ir::kNone) continue;
        if (!is_victim[victim]) victims.push_back(victim);
        is_victim[victim] = 1;
        if (victims.size() > colouring_.failed().size() / kSpillShare) break;
      }
      for (std::size_t k = chosen; k < victims.size() && pass + 1 < passes; ++k) is_short_[victims[k]] = 1;
    }
    if (victims.empty()) throw OutOfRegisters();
    return victims;
  }

  /// Spills many nodes at once: visits the instructions in order, and spills the cheapest nodes where more units are
  /// live than there are places. Alignment of registers and pairs needs more places than this count, so each round
  /// leaves a few more free.
  void spill_many(unsigned round) {
    for (const std::uint32_t node : colouring_.failed()) {
      if (function_.regs[node].cls == RegClass::kAddress) throw OutOfRegisters();
    }
    colouring_.keep_low_places();
    std::vector<std::uint32_t> victims = excess(round);
    if (victims.empty() || round >= kPatience) in_the_way(victims);
    find_members();
    for (const std::uint32_t victim : victims) give_up(victim);
    rewrite();
  }

  std::vector<std::uint32_t> excess(unsigned round) const {
    std::vector<double> prices(function_.regs.size(), -1.0);
    for (const std::uint32_t node : colouring_.nodes()) {
      if (!is_short_[node]) prices[node] = price(node);
    }
    const unsigned free = std::min(round, limit_ / kMostFreeShare) * liveness_.per_word;
    const unsigned general = colouring_.places(RegClass::kGeneral);
    const ExcessLimits limits{general - free, kFlagRegisters, kAddressRegisters, colouring_.low_end()};
    return find_excess(function_, liveness_, graph_, limits, prices);
  }

  /// For each node without a place, adds the occupants of the place that is cheapest to free. No two nodes get the same
  /// occupants.
  void in_the_way(std::vector<std::uint32_t>& victims) const {
    std::vector<std::uint8_t> is_victim(function_.regs.size(), 0), has_found(function_.regs.size(), 0);
    std::vector<int> colours = colouring_.colours();
    for (const std::uint32_t victim : victims) is_victim[victim] = 1;
    for (const std::uint32_t node : colouring_.failed()) {
      std::vector<std::pair<int, std::uint32_t>> occupants;  // place of the node's first unit, who forbids it
      for (unsigned w = 0; w < graph_.units(node); ++w) {
        graph_.for_each_neighbour(node, w, [&](std::uint32_t other, unsigned offset) {
          if (colours[other] == kNoColour) return;
          occupants.emplace_back(colours[other] + static_cast<int>(offset) - static_cast<int>(w), other);
        });
      }
      std::sort(occupants.begin(), occupants.end());
      occupants.erase(std::unique(occupants.begin(), occupants.end()), occupants.end());
      double best = is_short_[node] ? -1.0 : price(node);
      std::vector<std::uint32_t> cheapest;
      if (!is_short_[node]) cheapest = {node};
      const auto consider = [&](int place) {
        auto occupant = std::lower_bound(occupants.begin(), occupants.end(), std::pair{place, 0u});
        double sum = 0;
        std::vector<std::uint32_t> here;
        for (; occupant != occupants.end() && occupant->first == place; ++occupant) {
          if (is_short_[occupant->second] || has_found[occupant->second]) return;
          if (!is_victim[occupant->second]) sum += price(occupant->second);
          here.push_back(occupant->second);
        }
        if (best >= 0 && sum >= best) return;
        best = sum;
        cheapest = std::move(here);
        colours[node] = place;
        has_found[node] = 1;
      };
      if (graph_.fixed(node) >= 0) {
        consider(graph_.fixed(node));
      } else {
        const unsigned end = std::min(colouring_.places(function_.regs[node].cls), graph_.end(node));
        for (unsigned p = 0; p + graph_.units(node) <= end; p += graph_.align(node)) consider(static_cast<int>(p));
      }
      for (const std::uint32_t victim : cheapest) {
        if (!is_victim[victim]) victims.push_back(victim);
        is_victim[victim] = 1;
      }
    }
    if (victims.empty()) throw OutOfRegisters();
  }

  void find_members() {
    members_.resize(function_.regs.size());
    for (std::uint32_t id = 0; id < members_.size(); ++id) {
      if (can_spill(id)) members_[graph_.find(id).leader].push_back(id);
    }
    is_gone_.assign(members_.size(), 0);
    is_source_.assign(members_.size(), 0);
  }

  /// Spills the registers coalesced into `victim`: only one if it can be computed again, only the widest of a group
  /// (the rest may then find a place), otherwise all.
  void give_up(std::uint32_t victim) {
    SpillGroup group;
    Spilled widest{ir::kNone, 0};
    for (const std::uint32_t id : members_[victim]) {
      if (!recipes_[id].empty() && !can_compute(id)) return;  // next time, from something else
      if (can_compute(id)) {
        for (const Reg& source : recipes_[id].front().src) {
          if (source) is_source_[source.id] = 1;
        }
        recomputed_.push_back({id, recipes_[id]});
        is_gone_[id] = 1;
        return;
      }
      const Spilled member{id, function_.regs[id].is_half ? graph_.find(id).offset & 1u : 0u};
      group.push_back(member);
      if (widest.reg == ir::kNone || function_.regs[id].words > function_.regs[widest.reg].words) widest = member;
    }
    if (graph_.units(victim) > liveness_.scale[victim]) group = {widest};
    for (const Spilled& member : group) is_gone_[member.reg] = 1;
    spilled_.push_back(std::move(group));
  }

  /// True if a register can be computed again: no source of it is spilled, and it is no source of another one.
  bool can_compute(std::uint32_t reg) const {
    if (recipes_[reg].empty() || is_source_[reg]) return false;
    const auto is_gone = [&](const Reg& source) { return source && is_gone_[source.id]; };
    const MachineInst& first = recipes_[reg].front();
    return std::none_of(std::begin(first.src), std::end(first.src), is_gone);
  }

  void rewrite() {
    if (!recomputed_.empty()) {
      for (const std::uint32_t reg : rematerialize(function_, recomputed_)) {
        if (reg < is_gone_.size()) is_gone_[reg] = 1;
      }
    }
    if (!spilled_.empty()) spill(function_, spilled_);
    for (const Recomputed& value : recomputed_) {
      for (const Reg& source : value.recipe.front().src) {
        if (source) is_source_[source.id] = 0;
      }
    }
    recomputed_.clear();
    spilled_.clear();
  }

  /// The node or the neighbour with the lowest price; kNone if none can be spilled.
  std::uint32_t cheapest_around(std::uint32_t failed) const {
    std::uint32_t best = ir::kNone;
    double best_cost = 0;
    const auto consider = [&](std::uint32_t node) {
      if (is_short_[node]) return;
      const double cost = price(node);
      if (best == ir::kNone || cost < best_cost) {
        best = node;
        best_cost = cost;
      }
    };
    consider(failed);
    for (unsigned w = 0; w < graph_.units(failed); ++w) {
      graph_.for_each_neighbour(failed, w, [&](std::uint32_t other, unsigned) { consider(other); });
    }
    return best;
  }

  /// The cost of spilling the node for each conflict that this removes.
  double price(std::uint32_t node) const { return cost_[node] / (colouring_.degree(node) + 1.0); }

  bool can_spill(std::uint32_t id) const { return !function_.regs[id].is_spill && function_.regs[id].fixed < 0; }

  MachineFunction& function_;
  unsigned limit_;
  Liveness liveness_;
  Interference graph_;
  Colouring colouring_;
  std::vector<double> cost_;
  std::vector<std::uint8_t> is_short_;
  Recipes recipes_;
  std::vector<Wait> waits_;                          // by node
  std::vector<std::vector<std::uint32_t>> members_;  // by node: registers that can be spilled
  std::vector<std::uint8_t> is_gone_, is_source_;    // by register: given up; needed to compute another
  std::vector<Recomputed> recomputed_;               // to be rewritten
  std::vector<SpillGroup> spilled_;                  // the same
};

}  // namespace

unsigned allocate_registers(MachineFunction& function, unsigned limit) {
  constexpr int kMaxRounds = 2000;
  Effort effort;
  for (int round = 0; round < kMaxRounds; ++round) {
    Allocator allocator(function, limit);
    if (allocator.run(effort)) return allocator.assign();
  }
  throw std::logic_error("register allocation does not end");
}

}  // namespace g80::codegen
