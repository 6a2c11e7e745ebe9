// Colouring: nodes are removed in order of their degree, the least connected first, and get the lowest free register in
// the opposite order. Where nodes find no free register, some are spilled (they or cheaper neighbours), and everything
// starts again.
#include "kernels/toolchain/compiler/codegen/allocate.h"

#include <algorithm>
#include <stdexcept>

#include "kernels/toolchain/compiler/codegen/interference.h"
#include "kernels/toolchain/compiler/codegen/live_ranges.h"
#include "kernels/toolchain/compiler/codegen/rematerialize.h"
#include "kernels/toolchain/compiler/codegen/split_ranges.h"

namespace g80::codegen {
namespace {

constexpr int kNoColour = -1;
constexpr std::size_t kSpillShare = 3;
constexpr std::size_t kFailedPerPass = 64, kMostPasses = 8;
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

class Allocator {
 public:
  Allocator(MachineFunction& function, unsigned limit)
      : function_(function), limit_(limit), liveness_(find_liveness(function)), graph_(function, liveness_) {}

  /// False if something was spilled: start again.
  bool run() {
    graph_.coalesce();
    list_nodes();
    remember_costs();
    colour();
    if (failed_.empty()) return true;
    recipes_ = find_recipes(function_, liveness_);
    prefer_recipes();
    RangeSplitter splitter(function_, liveness_);
    find_waits(splitter);
    spill_some(splitter);
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
    std::vector<std::uint8_t> taken(count + 8, 0);  // as the place of the node's first unit
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
    for (unsigned place = 0; place + units <= end; place += graph_.align(node)) {
      if (!taken[place]) return static_cast<int>(place);
    }
    return kNoColour;
  }

  /// Spills for a part of the nodes without a register: what that frees may be enough for the others.
  void spill_some(RangeSplitter& splitter) {
    const std::size_t known = liveness_.scale.size();
    std::vector<std::uint32_t> victims;
    // Nodes that are alive together have the same cheapest neighbour. Where very many failed, one for all of them would be too
    // little: those that were chosen are passed over, and others looked for.
    const std::size_t passes = std::clamp<std::size_t>(failed_.size() / kFailedPerPass, 1, kMostPasses);
    for (std::size_t pass = 0; pass < passes; ++pass) {
      const std::size_t chosen = victims.size();
      for (const std::uint32_t node : failed_) {
        if (function_.regs[node].cls == RegClass::kAddress) throw OutOfRegisters();
        const std::uint32_t victim = cheapest_around(node);
        if (victim == ir::kNone) continue;
        if (std::find(victims.begin(), victims.end(), victim) == victims.end()) victims.push_back(victim);
        if (victims.size() > failed_.size() / kSpillShare) break;
      }
      for (std::size_t k = chosen; k < victims.size() && pass + 1 < passes; ++k) is_short_[victims[k]] = 1;
    }
    if (victims.empty()) throw OutOfRegisters();
    for (const std::uint32_t victim : victims) {
      if (waits_[victim].reg != kNoRegister) {
        splitter.split(waits_[victim]);
      } else {
        give_up(victim, known);
      }
    }
  }

  /// Of the registers that became `victim`, one that can be computed again, or all, or of groups the widest: the rest
  /// may then find a place. Registers from `known` on are younger than the graph.
  void give_up(std::uint32_t victim, std::size_t known) {
    std::vector<Spilled> members;
    Spilled widest{ir::kNone, 0};
    for (std::uint32_t id = 0; id < known; ++id) {
      if (graph_.find(id).leader != victim || !can_spill(id)) continue;
      if (recipes_[id]) {
        rematerialize(function_, id, *recipes_[id]);
        drop_recipes_from(id);
        return;
      }
      const Spilled member{id, function_.regs[id].is_half ? graph_.find(id).offset & 1u : 0u};
      members.push_back(member);
      if (widest.reg == ir::kNone || function_.regs[id].words > function_.regs[widest.reg].words) widest = member;
    }
    if (graph_.units(victim) > liveness_.scale[victim]) members = {widest};
    spill(function_, members);
    for (const Spilled& member : members) drop_recipes_from(member.reg);
  }

  /// Nothing can be computed from a register that has been given up.
  void drop_recipes_from(std::uint32_t reg) {
    for (std::optional<MachineInst>& recipe : recipes_) {
      if (!recipe) continue;
      const auto is_gone = [&](const Reg& source) { return source && source.id == reg; };
      if (std::any_of(std::begin(recipe->src), std::end(recipe->src), is_gone)) recipe.reset();
    }
  }

  /// The node itself or a neighbour, by uses saved per conflict removed; kNone: nothing that can be spilled.
  std::uint32_t cheapest_around(std::uint32_t failed) const {
    std::uint32_t best = ir::kNone;
    double best_cost = 0;
    const auto consider = [&](std::uint32_t node) {
      if (is_short_[node]) return;
      const double cost = cost_[node] / (degree_[node] + 1.0);
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

  bool can_spill(std::uint32_t id) const { return !function_.regs[id].is_spill && function_.regs[id].fixed < 0; }

  MachineFunction& function_;
  unsigned limit_;
  Liveness liveness_;
  Interference graph_;
  std::vector<std::uint32_t> nodes_, failed_;
  std::vector<int> colour_;
  std::vector<unsigned> degree_;  // of the whole graph
  std::vector<double> cost_;
  std::vector<std::uint8_t> is_short_;
  Recipes recipes_;
  std::vector<Wait> waits_;  // by node
};

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
        op.index = static_cast<std::uint8_t>(liveness_.per_word == 2 ? place(with_part(reg, op)) : 2 * n + (op.index & 1));
        break;
      case isa::OperandKind::kAddr:
        op.index = static_cast<std::uint8_t>(n + 1);
        break;
      default:
        op.index = static_cast<std::uint8_t>(n);
        break;
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
      const bool is_move = inst.insn.op == isa::Op::kMov && inst.src[0] &&
                           (inst.insn.src[0].kind == isa::OperandKind::kReg ||
                            inst.insn.src[0].kind == isa::OperandKind::kHalf) &&
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
  for (int round = 0; round < kMaxRounds; ++round) {
    Allocator allocator(function, limit);
    if (allocator.run()) return allocator.assign();
  }
  throw std::logic_error("register allocation does not end");
}

}  // namespace g80::codegen
