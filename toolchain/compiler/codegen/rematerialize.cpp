// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/rematerialize.h"

#include <algorithm>

namespace g80::codegen {
namespace {

using isa::OperandKind;

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
         function.regs[inst.dst.id].cls == RegClass::kGeneral && function.regs[inst.dst.id].fixed < 0 &&
         !function.regs[inst.dst.id].is_spill;
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
    recipes_.resize(count);
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInst& inst : block.insts) {
        for_each_def(inst, [&](const Reg& reg, unsigned) { ++definitions_[reg.id]; });
        stores_parameters_ |=
            inst.insn.op == isa::Op::kStShared && !inst.addr && inst.insn.src[0].offset < function_.parameter_end;
      }
    }
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInst& inst : block.insts) {
        if (const Reg reg = computed(inst)) recipes_[reg.id] = inst;
      }
    }
    drop_those_without_operands();
    return std::move(recipes_);
  }

 private:
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
      if (operand.cls != RegClass::kGeneral || operand.is_spill || definitions_[inst.src[i].id] > 1) return false;
      if (definitions_[inst.src[i].id] == 0 && operand.fixed < 0) return false;
      ++registers;
    }
    return registers <= most;
  }

  /// Drops recipes whose operands are not in registers at every place where the register is read.
  void drop_those_without_operands() {
    for (ir::BlockId id = 0; id < function_.blocks.size(); ++id) {
      const MachineBlock& block = function_.blocks[id];
      BitSet live = liveness_.live_out[id];
      if (block.end.kind == TerminatorKind::kBranch) check(block.end.flags, live);
      for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
        liveness_.step_back(*inst, live);
        for_each_use(*inst, [&](const Reg& reg, unsigned) { check(reg, live); });
      }
    }
  }

  void check(const Reg& reg, const BitSet& live) {
    std::optional<MachineInst>& recipe = recipes_[reg.id];
    if (!recipe) return;
    bool is_live = true;
    for (const Reg& source : recipe->src) {
      if (source) liveness_.for_each_unit(source, 1, [&](std::uint32_t unit) { is_live &= live.test(unit); });
    }
    if (!is_live) recipe.reset();
  }

  const MachineFunction& function_;
  const Liveness& liveness_;
  std::vector<unsigned> definitions_;
  Recipes recipes_;
  bool stores_parameters_ = false;
};

}  // namespace

Recipes find_recipes(const MachineFunction& function, const Liveness& liveness) {
  return Finder(function, liveness).run();
}

void rematerialize(MachineFunction& function, const std::vector<Recomputed>& values) {
  std::vector<const MachineInst*> recipes(function.regs.size(), nullptr);
  for (const Recomputed& value : values) recipes[value.reg] = &value.recipe;
  const auto recipe_of = [&](const Reg& reg) { return reg && reg.id < recipes.size() ? recipes[reg.id] : nullptr; };
  for (MachineBlock& block : function.blocks) {
    std::vector<MachineInst> out;
    const auto compute = [&](const MachineInst& recipe, Reg to, const ir::Location& loc) {
      MachineInst again = recipe;
      (again.dst ? again.dst : again.flags_out) = to;
      again.loc = loc;
      out.push_back(std::move(again));
    };
    // Instructions in a row with one guard share its flags.
    Reg guard, guard_again;
    const auto compute_flags = [&](Reg& flags, const ir::Location& loc) {
      const MachineInst* recipe = recipe_of(flags);
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
        const MachineInst* recipe = recipe_of(given[i]);
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
}

}  // namespace g80::codegen
