// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/rematerialize.h"

#include <algorithm>

namespace g80::codegen {
namespace {

using isa::OperandKind;

/// Recipes of up to four steps, a bit each. They take less time than a load from l[], which waits for the DRAM.
constexpr std::uint8_t kAnyLength = 0xf;

bool is_cheap(isa::Op op) {
  switch (op) {
    case isa::Op::kMov:
    case isa::Op::kLdConst:
    case isa::Op::kLdShared:
    case isa::Op::kAdd:
    case isa::Op::kSub:
    case isa::Op::kSubr:
    case isa::Op::kShl:
    case isa::Op::kShr:
    case isa::Op::kAnd:
    case isa::Op::kOr:
    case isa::Op::kXor: return true;
    default: return false;
  }
}

bool is_plain_word(const MachineInst& inst, const MachineFunction& function) {
  return inst.dst && inst.insn.dst.kind == OperandKind::kReg && function.regs[inst.dst.id].words == 1 &&
         function.regs[inst.dst.id].cls == RegClass::kGeneral && function.regs[inst.dst.id].fixed < 0;
}

/// The flag register that a comparison writes, if that is all it does.
Reg compared(const MachineInst& inst, const MachineFunction& function) {
  const bool compares = inst.insn.op == isa::Op::kSet || inst.insn.op == isa::Op::kFset;
  if (!compares || inst.dst || !inst.flags_out || function.regs[inst.flags_out.id].is_spill) return {};
  return inst.flags_out;
}

class Finder {
 public:
  Finder(const MachineFunction& function, const Liveness& liveness) : function_(function), liveness_(liveness) {}

  Recipes run() {
    const std::size_t count = function_.regs.size();
    definitions_.assign(count, 0);
    steps_.assign(count, nullptr);
    lengths_.assign(count, kAnyLength);
    depths_.assign(count, 0);
    enters_loop_.assign(count, 0);
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInst& inst : block.insts) {
        for_each_def(inst, [&](const Reg& reg, unsigned) { ++definitions_[reg.id]; });
        stores_parameters_ |=
            inst.insn.op == isa::Op::kStShared && !inst.addr && inst.insn.src[0].offset < function_.parameter_end;
      }
    }
    count_undefined();
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInst& inst : block.insts) {
        if (const Reg reg = computed(inst)) {
          steps_[reg.id] = &inst;
          depths_[reg.id] = block.loop_depth;
        }
      }
    }
    find_lengths();
    share_operands();
    Recipes recipes(count);
    for (std::uint32_t reg = 0; reg < count; ++reg) {
      if (steps_[reg] == nullptr || lengths_[reg] == 0 || function_.regs[reg].is_spill) continue;
      Recipe& recipe = recipes[reg];
      const MachineInst* step = steps_[reg];
      for (unsigned rest = lengths_[reg]; recipe.push_back(*step), (rest & 1u) == 0; rest >>= 1)
        step = step_before(*step);
      std::reverse(recipe.begin(), recipe.end());
    }
    return recipes;
  }

 private:
  /// A register that is alive at the entry has no value on some way, where its phi has no copy: a later value may
  /// follow an earlier one although only one instruction defines it. That counts as a second definition.
  void count_undefined() {
    BitSet live = liveness_.live_out[0];
    const std::vector<MachineInst>& insts = function_.blocks[0].insts;
    for (auto inst = insts.rbegin(); inst != insts.rend(); ++inst) liveness_.step_back(*inst, live);
    for (std::uint32_t id = 0; id < definitions_.size(); ++id) {
      if (definitions_[id] == 0) continue;
      bool is_live = false;
      const auto look = [&](std::uint32_t unit) { is_live |= live.test(unit); };
      liveness_.for_each_unit(Reg{id, 0}, function_.regs[id].words, look);
      definitions_[id] += is_live;
    }
  }

  /// The register that the instruction may compute again elsewhere, if any.
  Reg computed(const MachineInst& inst) const {
    const Reg flags = compared(inst, function_);
    if (!flags && (!is_cheap(inst.insn.op) || !is_plain_word(inst, function_) || inst.flags_out)) return {};
    const Reg result = flags ? flags : inst.dst;
    const unsigned most = flags ? 2 : is_any_copy(inst) ? 0 : 1;  // registers that it may read
    return definitions_[result.id] == 1 && reads_at_most(most, inst) ? result : Reg{};
  }

  /// True if the instruction has the same result wherever the registers that it reads are alive.
  bool reads_at_most(unsigned most, const MachineInst& inst) const {
    if (inst.is_guarded || inst.merges || inst.is_volatile || inst.flags_in || inst.addr) return false;
    if (inst.label != 0 || inst.label_target != 0) return false;
    unsigned registers = 0;
    for (int i = 0; i < 3; ++i) {
      const isa::Operand& source = inst.insn.src[i];
      if (source.kind == OperandKind::kShared && (stores_parameters_ || source.offset >= function_.parameter_end)) {
        return false;
      }
      if (source.kind == OperandKind::kLocal || source.kind == OperandKind::kSpecial) return false;
      if (!inst.src[i]) continue;
      const VirtualRegister& operand = function_.regs[inst.src[i].id];
      if (operand.cls != RegClass::kGeneral || definitions_[inst.src[i].id] > 1) return false;
      if (definitions_[inst.src[i].id] == 0 && operand.fixed < 0) return false;
      ++registers;
    }
    return registers <= most;
  }

  /// The register that a step reads, if it is the only one.
  static Reg operand(const MachineInst& step) {
    const auto is_register = [](const Reg& reg) { return static_cast<bool>(reg); };
    const Reg* const source = std::find_if(std::begin(step.src), std::end(step.src), is_register);
    return step.dst && source != std::end(step.src) ? *source : Reg();
  }
  /// The instruction that computes what a step reads, if that can be computed again, too.
  const MachineInst* step_before(const MachineInst& step) const {
    const Reg source = operand(step);
    return source ? steps_[source.id] : nullptr;
  }

  /// Finds how many steps make a recipe whose operands are in registers at every place where the register is read.
  void find_lengths() {
    for (ir::BlockId id = 0; id < function_.blocks.size(); ++id) {
      const MachineBlock& block = function_.blocks[id];
      BitSet live = liveness_.live_out[id];
      if (block.end.kind == TerminatorKind::kBranch) check(block.end.flags, live, block.loop_depth);
      for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
        liveness_.step_back(*inst, live);
        for_each_use(*inst, [&](const Reg& reg, unsigned) { check(reg, live, block.loop_depth); });
      }
    }
  }

  void check(const Reg& reg, const BitSet& live, unsigned depth) {
    const MachineInst* step = steps_[reg.id];
    std::uint8_t possible = 0;
    for (unsigned bit = 1; step != nullptr && (kAnyLength & bit) != 0; bit <<= 1, step = step_before(*step)) {
      bool is_live = true;
      for (const Reg& source : step->src) {
        if (source) is_live &= !function_.regs[source.id].is_spill;  // it is to end where it is read
        if (source) liveness_.for_each_unit(source, 1, [&](std::uint32_t unit) { is_live &= live.test(unit); });
      }
      if (is_live) possible |= static_cast<std::uint8_t>(bit);
    }
    lengths_[reg.id] &= possible;
    enters_loop_[reg.id] |= depth > depths_[reg.id];
  }

  /// Values that were computed in front of a loop from the same operand can be computed again in the loop, although the
  /// operand is not alive there: it takes one register instead of several. (Where a register is read, what it was
  /// computed from still has its value, because each has one definition.)
  void share_operands() {
    std::vector<unsigned> readers(steps_.size(), 0);
    const auto for_each_length = [&](std::uint32_t reg, const auto& visit) {
      if (steps_[reg] == nullptr || lengths_[reg] != 0 || !enters_loop_[reg]) return;
      const MachineInst* step = steps_[reg];
      for (unsigned bit = 1; step != nullptr && (kAnyLength & bit) != 0; bit <<= 1, step = step_before(*step)) {
        const Reg source = operand(*step);
        if (source && function_.regs[source.id].fixed < 0 && !function_.regs[source.id].is_spill)
          visit(source.id, static_cast<std::uint8_t>(bit));
      }
    };
    for (std::uint32_t reg = 0; reg < steps_.size(); ++reg)
      for_each_length(reg, [&](std::uint32_t source, std::uint8_t) { ++readers[source]; });
    for (std::uint32_t reg = 0; reg < steps_.size(); ++reg) {
      unsigned most = 1;
      std::uint8_t length = 0;
      for_each_length(reg, [&](std::uint32_t source, std::uint8_t bit) {
        if (readers[source] > most) most = readers[source], length = bit;
      });
      lengths_[reg] |= length;
    }
  }

  const MachineFunction& function_;
  const Liveness& liveness_;
  std::vector<unsigned> definitions_;
  std::vector<const MachineInst*> steps_;  // by register: the instruction that computes it, if that may be repeated
  std::vector<std::uint8_t> lengths_;      // by register: of recipes, bit n - 1 for n steps
  std::vector<unsigned> depths_;           // by register: loops around that instruction
  std::vector<std::uint8_t> enters_loop_;  // by register: read in a loop that it was computed in front of
  bool stores_parameters_ = false;
};

}  // namespace

Recipes find_recipes(const MachineFunction& function, const Liveness& liveness) {
  return Finder(function, liveness).run();
}

namespace {

/// Removes the first steps of recipes from their old places if nobody reads their results there any more. Returns the
/// registers that have no value then.
std::vector<std::uint32_t> remove_unread_steps(MachineFunction& function, const std::vector<Recomputed>& values) {
  std::vector<std::uint32_t> removed;
  if (std::all_of(values.begin(), values.end(), [](const Recomputed& value) { return value.recipe.size() == 1; }))
    return removed;
  std::vector<unsigned> readers(function.regs.size(), 0);
  for (const MachineBlock& block : function.blocks) {
    for (const MachineInst& inst : block.insts)
      for_each_use(inst, [&](const Reg& reg, unsigned) { ++readers[reg.id]; });
  }
  for (const PassedRegister& passed : function.results) ++readers[passed.reg.id];
  std::vector<std::uint8_t> is_step(function.regs.size(), 0);
  for (const Recomputed& value : values) {
    for (std::size_t i = 0; i + 1 < value.recipe.size(); ++i) is_step[value.recipe[i].dst.id] = 1;
  }
  // Only what stands there counts: a step may have gone, or read something else, since its recipe was found.
  for (bool again = true; again;) {
    again = false;
    for (MachineBlock& block : function.blocks) {
      const auto unread = [&](const MachineInst& inst) {
        if (!inst.dst || !is_step[inst.dst.id] || readers[inst.dst.id] != 0) return false;
        for_each_use(inst, [&](const Reg& reg, unsigned) { --readers[reg.id]; });
        removed.push_back(inst.dst.id);
        return true;
      };
      const auto end = std::remove_if(block.insts.begin(), block.insts.end(), unread);
      again |= end != block.insts.end();
      block.insts.erase(end, block.insts.end());
    }
  }
  return removed;
}

}  // namespace

std::vector<std::uint32_t> rematerialize(MachineFunction& function, const std::vector<Recomputed>& values) {
  std::vector<const Recipe*> recipes(function.regs.size(), nullptr);
  for (const Recomputed& value : values) recipes[value.reg] = &value.recipe;
  const auto recipe_of = [&](const Reg& reg) { return reg && reg.id < recipes.size() ? recipes[reg.id] : nullptr; };
  for (MachineBlock& block : function.blocks) {
    std::vector<MachineInst> out;
    const auto compute = [&](const Recipe& recipe, Reg to, const ir::Location& loc) {
      Reg before;
      for (const MachineInst& step : recipe) {
        MachineInst again = step;
        for (Reg& source : again.src) {
          if (source && before) source.id = before.id;
        }
        Reg& result = again.dst ? again.dst : again.flags_out;
        if (&step != &recipe.back()) {
          before = function.new_register();
          function.regs[before.id].is_spill = true;
          function.regs[before.id].end = function.regs[result.id].end;
        }
        result = &step != &recipe.back() ? before : to;
        again.loc = loc;
        out.push_back(std::move(again));
      }
    };
    // Instructions in a row with one guard share its flags.
    Reg guard, guard_again;
    const auto compute_flags = [&](Reg& flags, const ir::Location& loc) {
      const Recipe* recipe = recipe_of(flags);
      if (recipe == nullptr) {
        guard = {};
        return;
      }
      if (!guard || guard != flags) {
        guard = flags;
        guard_again = function.new_register(RegClass::kFlags);
        function.regs[guard_again.id].is_spill = true;
        compute(*recipe, guard_again, loc);
      }
      flags = guard_again;
    };
    for (MachineInst& inst : block.insts) {
      if (recipe_of(inst.dst) != nullptr || recipe_of(inst.flags_out) != nullptr) continue;
      compute_flags(inst.flags_in, inst.loc);
      if (is_copy(inst) && recipe_of(inst.src[0]) != nullptr) {
        compute(*recipe_of(inst.src[0]), inst.dst, inst.loc);
        continue;
      }
      const Reg given[3] = {inst.src[0], inst.src[1], inst.src[2]};
      for (int i = 0; i < 3; ++i) {
        const Recipe* recipe = recipe_of(given[i]);
        if (recipe == nullptr) continue;
        int first = 0;  // read twice, computed once
        while (!given[first] || given[first].id != given[i].id) ++first;
        if (first < i) {
          inst.src[i] = inst.src[first];
          continue;
        }
        const Reg copy = function.new_register();
        function.regs[copy.id].is_spill = true;
        function.regs[copy.id].end = function.regs[given[i].id].end;
        compute(*recipe, copy, inst.loc);
        inst.src[i] = copy;
      }
      out.push_back(std::move(inst));
    }
    if (block.end.kind == TerminatorKind::kBranch) compute_flags(block.end.flags, block.end.loc);
    block.insts = std::move(out);
  }
  return remove_unread_steps(function, values);
}

}  // namespace g80::codegen
