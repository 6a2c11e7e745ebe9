// SPDX-License-Identifier: Apache-2.0
// Colouring: nodes are removed in order of their degree, the least connected first, and get the lowest free register in
// the opposite order. Where nodes find no free register, some are spilled (they or cheaper neighbours), and everything
// starts again. Where very many are too much, they are found without colouring, by counting what is alive.
#include "toolchain/compiler/codegen/allocate.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "toolchain/compiler/codegen/interference.h"
#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/rematerialize.h"
#include "toolchain/compiler/codegen/split_ranges.h"

namespace g80::codegen {
namespace {

constexpr int kNoColour = -1;
constexpr std::size_t kSpillShare = 3;
constexpr std::size_t kFailedPerPass = 64, kMostPasses = 8;
// A few registers are spilled with care, one after the other, and the graph is made again after each. That takes too
// long where hundreds are needed: so many nodes without a register, or units in all graphs so far.
constexpr std::size_t kManyFailed = 128, kCarefulUnits = 100000;
constexpr unsigned kMostFreeShare = 4;  // of the registers, that spilling many may leave free
// Reading a spilled register costs an instruction and a memory access, a rematerialised one a plain instruction.
constexpr double kRematerializedShare = 0.1;
constexpr unsigned kFlagRegisters = 4;
constexpr unsigned kAddressRegisters = 4;  // $a1 .. $a4

/// Keys at places; finds the first place with the least of them. Changing a key costs the height of a tree.
class LeastKey {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  explicit LeastKey(std::size_t places) {
    while (leaves_ < places) leaves_ *= 2;
    least_.assign(2 * leaves_, kNone);
  }
  void set(std::size_t place, std::uint64_t key) {
    std::size_t at = leaves_ + place;
    least_[at] = key;
    while ((at /= 2) > 0) {
      const std::uint64_t least = std::min(least_[2 * at], least_[2 * at + 1]);
      if (least_[at] == least) break;
      least_[at] = least;
    }
  }
  std::size_t first() const {
    std::size_t at = 1;
    while (at < leaves_) at = least_[2 * at] <= least_[2 * at + 1] ? 2 * at : 2 * at + 1;
    return at - leaves_;
  }

 private:
  std::size_t leaves_ = 1;
  std::vector<std::uint64_t> least_;  // a tree: the least key below each node
};

/// What allocation of a function has taken so far.
struct Effort {
  std::size_t units = 0;     // in the graphs
  unsigned bulk_rounds = 0;  // that spilled many
};

class Allocator {
 public:
  Allocator(MachineFunction& function, unsigned limit)
      : function_(function), limit_(limit), liveness_(find_liveness(function)), graph_(function, liveness_) {}

  /// False if something was spilled: start again.
  bool run(Effort& effort) {
    graph_.coalesce();
    list_nodes();
    remember_costs();
    if (effort.bulk_rounds > 0) find_low_end();
    colour();
    if (failed_.empty()) return true;
    recipes_ = find_recipes(function_, liveness_);
    prefer_recipes();
    effort.units += liveness_.units;
    if (effort.bulk_rounds > 0 || failed_.size() > kManyFailed || effort.units > kCarefulUnits) {
      spill_many(effort.bulk_rounds++);
    } else {
      RangeSplitter splitter(function_, liveness_);
      find_waits(splitter);
      spill_some(splitter);
    }
    return false;
  }

  unsigned assign();

 private:
  void list_nodes() {
    for (std::uint32_t id = 0; id < function_.regs.size(); ++id) {
      if (graph_.find(id).leader == id) nodes_.push_back(id);
    }
    colour_.assign(function_.regs.size(), kNoColour);
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

  /// What can be computed again is cheap to give up; of registers that became one, all must be.
  void prefer_recipes() {
    std::vector<std::uint8_t> all(function_.regs.size(), 1);
    for (std::uint32_t id = 0; id < function_.regs.size(); ++id) {
      if (!recipes_[id]) all[graph_.find(id).leader] = 0;
    }
    for (const std::uint32_t node : nodes_) {
      if (all[node]) cost_[node] *= kRematerializedShare;
    }
  }

  /// What only waits for the end of a loop is cheap to give up there.
  void find_waits(const RangeSplitter& splitter) {
    waits_.assign(function_.regs.size(), {});
    for (const Wait& wait : splitter.find(limit_)) {
      if (wait.reg == kNoRegister) continue;
      const std::uint32_t leader = graph_.find(wait.reg).leader;
      if (graph_.units(leader) > liveness_.per_word || wait.cost >= cost_[leader]) continue;
      waits_[leader] = wait;
      cost_[leader] = wait.cost;
    }
  }

  void find_low_end() {
    for (const std::uint32_t node : nodes_) {
      if (function_.regs[node].cls == RegClass::kGeneral) low_end_ = std::min(low_end_, graph_.end(node));
    }
  }

  /// Units of a class.
  unsigned places(RegClass cls) const {
    return cls == RegClass::kGeneral ? limit_ * liveness_.per_word
           : cls == RegClass::kFlags ? kFlagRegisters
                                     : kAddressRegisters;
  }

  void colour() {
    std::vector<unsigned> degree(function_.regs.size(), 0);
    std::vector<std::uint8_t> removed(function_.regs.size(), 0);
    std::vector<std::uint32_t> order, rest = nodes_;
    degree_.assign(function_.regs.size(), 0);
    for (const std::uint32_t node : nodes_) {
      degree_[node] = graph_.degree(node);
      degree[node] = degree_[node] + 4 * graph_.units(node);
    }
    std::vector<std::uint32_t> index(function_.regs.size());  // in `rest`
    LeastKey least(rest.size());
    const auto enter = [&](std::uint32_t node) {  // fixed ones are removed last, so that they are coloured first
      least.set(index[node], std::uint64_t{graph_.fixed(node) >= 0} << 32 | degree[node]);
    };
    for (std::uint32_t i = 0; i < rest.size(); ++i) {
      index[rest[i]] = i;
      enter(rest[i]);
    }
    while (!rest.empty()) {
      const std::size_t best = least.first();
      const std::uint32_t node = rest[best];
      rest[best] = rest.back();
      rest.pop_back();
      removed[node] = 1;
      order.push_back(node);
      least.set(rest.size(), LeastKey::kNone);
      if (best < rest.size()) {
        index[rest[best]] = static_cast<std::uint32_t>(best);
        enter(rest[best]);
      }
      for (unsigned w = 0; w < graph_.units(node); ++w) {
        graph_.for_each_neighbour(node, w, [&](std::uint32_t other, unsigned) {
          if (removed[other] || degree[other] == 0) return;
          --degree[other];
          enter(other);
        });
      }
    }
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      if (cost_[*node] == 0) continue;  // spilled before: nobody names it
      colour_[*node] = lowest_free(*node);
      if (colour_[*node] == kNoColour) failed_.push_back(*node);
    }
  }

  int lowest_free(std::uint32_t node) const {
    const RegClass cls = function_.regs[node].cls;
    const unsigned units = graph_.units(node), count = places(cls);
    std::array<std::uint8_t, 2 * kMaxRegisters + 8> taken{};  // as the place of the node's first unit
    for (unsigned w = 0; w < units; ++w) {
      graph_.for_each_neighbour(node, w, [&](std::uint32_t other, unsigned offset) {
        if (colour_[other] == kNoColour) return;
        const int place = colour_[other] + static_cast<int>(offset) - static_cast<int>(w);
        if (place >= 0 && place < static_cast<int>(count)) taken[static_cast<unsigned>(place)] = 1;
      });
    }
    if (graph_.fixed(node) >= static_cast<int>(count)) throw OutOfRegisters();  // a called function's
    if (graph_.fixed(node) >= 0)
      return taken[static_cast<unsigned>(graph_.fixed(node))] ? kNoColour : graph_.fixed(node);
    const unsigned end = std::min(count, graph_.end(node));
    // the others leave the places below low_end_ to those that can have no other
    for (unsigned place = cls == RegClass::kGeneral && end > low_end_ ? low_end_ : end; place + units <= end;
         place += graph_.align(node)) {
      if (!taken[place]) return static_cast<int>(place);
    }
    for (unsigned place = 0; place + units <= end; place += graph_.align(node)) {
      if (!taken[place]) return static_cast<int>(place);
    }
    return kNoColour;
  }

  /// Spills for a part of the nodes without a register: what that frees may be enough for the others.
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
    // Nodes that are alive together have the same cheapest neighbour. Where very many failed, one for all of them would
    // be too
    // little: those that were chosen are passed over, and others looked for.
    const std::size_t passes = std::clamp<std::size_t>(failed_.size() / kFailedPerPass, 1, kMostPasses);
    for (std::size_t pass = 0; pass < passes; ++pass) {
      const std::size_t chosen = victims.size();
      for (const std::uint32_t node : failed_) {
        if (function_.regs[node].cls == RegClass::kAddress) throw OutOfRegisters();
        const std::uint32_t victim = cheapest_around(node);
        if (victim == ir::kNone) continue;
        if (!is_victim[victim]) victims.push_back(victim);
        is_victim[victim] = 1;
        if (victims.size() > failed_.size() / kSpillShare) break;
      }
      for (std::size_t k = chosen; k < victims.size() && pass + 1 < passes; ++k) is_short_[victims[k]] = 1;
    }
    if (victims.empty()) throw OutOfRegisters();
    return victims;
  }

  /// Spills at once what is too much anywhere: instructions in order, and where more is alive than there are places,
  /// the cheapest nodes. Whole registers, and pairs, need more places than are counted: each round leaves a few more
  /// free.
  void spill_many(unsigned round) {
    for (const std::uint32_t node : failed_) {
      if (function_.regs[node].cls == RegClass::kAddress) throw OutOfRegisters();
    }
    find_low_end();
    std::vector<std::uint32_t> victims = excess(round);
    if (victims.empty()) victims = in_the_way();
    find_members();
    for (const std::uint32_t victim : victims) give_up(victim);
    rewrite();
  }

  std::vector<std::uint32_t> excess(unsigned round) const;

  /// What has the place, for each node without one, that is the cheapest to free.
  std::vector<std::uint32_t> in_the_way() const {
    std::vector<std::uint32_t> victims;
    std::vector<std::uint8_t> is_victim(function_.regs.size(), 0);
    for (const std::uint32_t node : failed_) {
      std::vector<std::pair<int, std::uint32_t>> occupants;  // place of the node's first unit, who forbids it
      for (unsigned w = 0; w < graph_.units(node); ++w) {
        graph_.for_each_neighbour(node, w, [&](std::uint32_t other, unsigned offset) {
          if (colour_[other] == kNoColour) return;
          occupants.emplace_back(colour_[other] + static_cast<int>(offset) - static_cast<int>(w), other);
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
          if (is_short_[occupant->second]) return;
          if (!is_victim[occupant->second]) sum += price(occupant->second);
          here.push_back(occupant->second);
        }
        if (best >= 0 && sum >= best) return;
        best = sum;
        cheapest = std::move(here);
      };
      if (graph_.fixed(node) >= 0) {
        consider(graph_.fixed(node));
      } else {
        const unsigned end = std::min(places(function_.regs[node].cls), graph_.end(node));
        for (unsigned p = 0; p + graph_.units(node) <= end; p += graph_.align(node)) consider(static_cast<int>(p));
      }
      for (const std::uint32_t victim : cheapest) {
        if (!is_victim[victim]) victims.push_back(victim);
        is_victim[victim] = 1;
      }
    }
    if (victims.empty()) throw OutOfRegisters();
    return victims;
  }

  void find_members() {
    members_.resize(function_.regs.size());
    for (std::uint32_t id = 0; id < members_.size(); ++id) {
      if (can_spill(id)) members_[graph_.find(id).leader].push_back(id);
    }
    is_gone_.assign(members_.size(), 0);
    is_source_.assign(members_.size(), 0);
  }

  /// Of the registers that became `victim`, one that can be computed again, or all, or of groups the widest: the rest
  /// may then find a place.
  void give_up(std::uint32_t victim) {
    SpillGroup group;
    Spilled widest{ir::kNone, 0};
    for (const std::uint32_t id : members_[victim]) {
      if (can_compute(id)) {
        for (const Reg& source : recipes_[id]->src) {
          if (source) is_source_[source.id] = 1;
        }
        recomputed_.push_back({id, *recipes_[id]});
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

  /// Nothing can be computed from a register that has been given up, nor a register again that others are computed
  /// from.
  bool can_compute(std::uint32_t reg) const {
    if (!recipes_[reg] || is_source_[reg]) return false;
    const auto is_gone = [&](const Reg& source) { return source && is_gone_[source.id]; };
    return std::none_of(std::begin(recipes_[reg]->src), std::end(recipes_[reg]->src), is_gone);
  }

  void rewrite() {
    if (!recomputed_.empty()) rematerialize(function_, recomputed_);
    if (!spilled_.empty()) spill(function_, spilled_);
    for (const Recomputed& value : recomputed_) {
      for (const Reg& source : value.recipe.src) {
        if (source) is_source_[source.id] = 0;
      }
    }
    recomputed_.clear();
    spilled_.clear();
  }

  /// The node itself or a neighbour, by uses saved per conflict removed; kNone: nothing that can be spilled.
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

  /// Uses saved per conflict removed.
  double price(std::uint32_t node) const { return cost_[node] / (degree_[node] + 1.0); }

  bool can_spill(std::uint32_t id) const { return !function_.regs[id].is_spill && function_.regs[id].fixed < 0; }

  MachineFunction& function_;
  unsigned limit_;
  Liveness liveness_;
  Interference graph_;
  std::vector<std::uint32_t> nodes_, failed_;
  std::vector<int> colour_;
  std::vector<unsigned> degree_;  // of the whole graph
  unsigned low_end_ = ~0u;        // of general registers that must lie below another place than the last; units
  std::vector<double> cost_;
  std::vector<std::uint8_t> is_short_;
  Recipes recipes_;
  std::vector<Wait> waits_;                          // by node
  std::vector<std::vector<std::uint32_t>> members_;  // by node: registers that can be spilled
  std::vector<std::uint8_t> is_gone_, is_source_;    // by register: given up; needed to compute another
  std::vector<Recomputed> recomputed_;               // to be rewritten
  std::vector<SpillGroup> spilled_;                  // the same
};

/// Walks through the blocks, each from its end to its beginning, and counts units in use: of each node once, and of
/// nodes given up only while an instruction names them. Where that is too much, the cheapest are given up.
class ExcessFinder {
 public:
  static constexpr std::size_t kLow = 3;  // behind the classes: general registers that must lie below `low_end`
  using Places = std::array<unsigned, 4>;

  /// `prices`: by node; negative: it cannot be given up.
  ExcessFinder(const MachineFunction& function, const Liveness& liveness, const Interference& graph,
               const Places& places, const std::vector<double>& prices)
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
    for (std::size_t i = 0; i < function_.blocks.size(); ++i) {
      const MachineBlock& block = function_.blocks[i];
      if (block.end.kind == TerminatorKind::kNone) continue;
      liveness_.live_out[i].for_each([&](std::size_t unit) { enter(static_cast<std::uint32_t>(unit)); });
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
      liveness_.live_in[i].for_each([&](std::size_t unit) { leave(static_cast<std::uint32_t>(unit)); });
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

  /// The instruction at hand names the register, so that it is in use there.
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
  Places places_;
  const std::vector<double>& prices_;
  std::vector<std::uint8_t> is_live_;             // by unit
  std::vector<std::uint8_t> is_gone_, is_named_;  // by node
  std::vector<unsigned> live_registers_;          // by unit of a leader: live units that became one with it
  std::vector<unsigned> live_units_;              // by node
  Places in_use_{}, named_units_{};
  std::array<std::set<std::pair<double, std::uint32_t>>, 4> candidates_;  // live nodes by price
  std::vector<std::uint32_t> named_, victims_;
};

std::vector<std::uint32_t> Allocator::excess(unsigned round) const {
  std::vector<double> prices(function_.regs.size(), -1.0);
  for (const std::uint32_t node : nodes_) {
    if (!is_short_[node]) prices[node] = price(node);
  }
  const unsigned free = std::min(round, limit_ / kMostFreeShare) * liveness_.per_word;
  const unsigned general = places(RegClass::kGeneral);
  const ExcessFinder::Places limits{general - free, kFlagRegisters, kAddressRegisters, low_end_};
  return ExcessFinder(function_, liveness_, graph_, limits, prices).run();
}

unsigned Allocator::assign() {
  unsigned highest = 0;
  const auto place = [&](const Reg& reg) {  // in units
    const Interference::Node node = graph_.find(reg.id);
    return static_cast<unsigned>(colour_[node.leader]) + node.offset + liveness_.unit(reg) -
           liveness_.first_unit[reg.id];
  };
  const auto number = [&](const Reg& reg) { return place(reg) / liveness_.scale[reg.id]; };
  const auto fill = [&](isa::Operand& op, const Reg& reg) {
    if (!reg || op.kind == isa::OperandKind::kNone) return;  // an operand that only keeps its register alive
    const unsigned n = number(reg);
    switch (op.kind) {
      case isa::OperandKind::kHalf:
        op.index =
            static_cast<std::uint8_t>(liveness_.per_word == 2 ? place(with_part(reg, op)) : 2 * n + (op.index & 1));
        break;
      case isa::OperandKind::kAddr: op.index = static_cast<std::uint8_t>(n + 1); break;
      default: op.index = static_cast<std::uint8_t>(n); break;
    }
  };
  for (MachineBlock& block : function_.blocks) {
    std::vector<MachineInst> kept;
    for (MachineInst& inst : block.insts) {
      const auto note = [&](const Reg& reg, unsigned count) {
        if (function_.regs[reg.id].cls == RegClass::kGeneral) highest = std::max(highest, number(reg) + count);
      };
      for_each_use(inst, note);
      for_each_def(inst, note);
      fill(inst.insn.dst, inst.dst);
      for (int i = 0; i < 3; ++i) fill(inst.insn.src[i], inst.src[i]);
      const bool has_memory = inst.insn.form != isa::Form::kControl;
      if (inst.addr && has_memory) inst.insn.addr_reg = static_cast<std::uint8_t>(number(inst.addr) + 1);
      if (inst.flags_in) inst.insn.flag_src = static_cast<std::uint8_t>(number(inst.flags_in));
      if (inst.flags_out) inst.insn.flag_dst = static_cast<std::uint8_t>(number(inst.flags_out));
      const bool is_move =
          inst.insn.op == isa::Op::kMov && inst.src[0] &&
          (inst.insn.src[0].kind == isa::OperandKind::kReg || inst.insn.src[0].kind == isa::OperandKind::kHalf) &&
          inst.insn.src[0].kind == inst.insn.dst.kind;
      if (is_move && inst.insn.dst.index == inst.insn.src[0].index) continue;
      kept.push_back(inst);
    }
    block.insts = std::move(kept);
    if (block.end.kind == TerminatorKind::kBranch)
      block.end.flags = {block.end.flags.id, static_cast<std::uint8_t>(number(block.end.flags))};
  }
  for (std::vector<PassedRegister>* list : {&function_.arguments, &function_.results}) {
    for (PassedRegister& passed : *list) {
      if (!passed.reg || colour_[graph_.find(passed.reg.id).leader] == kNoColour) continue;
      passed.number = static_cast<int>(number(passed.reg));
      highest = std::max(highest, number(passed.reg) + 1);
    }
  }
  return highest;
}

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
