// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/block_pressure.h"

#include <algorithm>
#include <unordered_map>

namespace g80::codegen {

BlockPressure::BlockPressure(const MachineFunction& function, ir::BlockId block, const Liveness& liveness)
    : per_word_(liveness.per_word) {
  const MachineBlock& b = function.blocks[block];
  std::unordered_map<std::uint32_t, std::uint32_t> current;  // value in a unit
  const auto add_value = [&](std::uint32_t unit) {
    Value value;
    value.cls = function.regs[liveness.owner[unit]].cls;
    current[unit] = static_cast<std::uint32_t>(values_.size());
    values_.push_back(value);
    return current[unit];
  };
  liveness.live_in[block].for_each([&](std::size_t unit) {
    ++live_[static_cast<std::size_t>(values_[add_value(static_cast<std::uint32_t>(unit))].cls)];
  });
  for (const MachineInst& inst : b.insts) {
    std::vector<std::uint32_t> uses, defs;
    for_each_use(inst, [&](const Reg& reg, unsigned count) {
      liveness.for_each_unit(reg, count, [&](std::uint32_t unit) {
        const auto known = current.find(unit);
        uses.push_back(known == current.end() ? add_value(unit) : known->second);
      });
    });
    for_each_def(inst, [&](const Reg& reg, unsigned count) {
      liveness.for_each_unit(reg, count, [&](std::uint32_t unit) { defs.push_back(add_value(unit)); });
    });
    for (std::vector<std::uint32_t>* list : {&uses, &defs}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    for (const std::uint32_t value : uses) ++values_[value].readers;
    uses_.push_back(std::move(uses));
    defs_.push_back(std::move(defs));
  }
  const auto leaves = [&](std::uint32_t unit) {
    const auto known = current.find(unit);
    if (known != current.end()) ++values_[known->second].readers;
  };
  liveness.live_out[block].for_each([&](std::size_t unit) { leaves(static_cast<std::uint32_t>(unit)); });
  if (b.end.kind == TerminatorKind::kBranch) leaves(liveness.unit(b.end.flags));
}

ClassCounts BlockPressure::step(std::uint32_t inst, ClassCounts& live) {
  for (const std::uint32_t value : uses_[inst]) {
    trial_.push_back(value);
    if (--values_[value].readers == 0) --live[static_cast<std::size_t>(values_[value].cls)];
  }
  for (const std::uint32_t value : defs_[inst]) ++live[static_cast<std::size_t>(values_[value].cls)];
  const ClassCounts most = live;
  for (const std::uint32_t value : defs_[inst]) {
    if (values_[value].readers == 0) --live[static_cast<std::size_t>(values_[value].cls)];
  }
  return most;
}

ClassCounts BlockPressure::peak(std::uint32_t first, const std::uint32_t* order, std::size_t count) {
  trial_.clear();
  ClassCounts live = live_, most = step(first, live);
  for (std::size_t i = 0; i < count; ++i) {
    if (order[i] == first) continue;
    const ClassCounts here = step(order[i], live);
    for (std::size_t cls = 0; cls < most.size(); ++cls) most[cls] = std::max(most[cls], here[cls]);
  }
  for (const std::uint32_t value : trial_) ++values_[value].readers;
  unsigned& general = most[static_cast<std::size_t>(RegClass::kGeneral)];
  general = (general + per_word_ - 1) / per_word_;
  return most;
}

unsigned block_pressure(const MachineFunction& function, ir::BlockId block, const Liveness& liveness) {
  const auto is_general = [&](std::size_t unit) {
    return function.regs[liveness.owner[unit]].cls == RegClass::kGeneral;
  };
  BitSet live = liveness.live_out[block];
  unsigned in_use = 0, most = 0;
  live.for_each([&](std::size_t unit) { in_use += is_general(unit); });
  const std::vector<MachineInst>& insts = function.blocks[block].insts;
  for (auto inst = insts.rbegin(); inst != insts.rend(); ++inst) {
    const auto enter = [&](const Reg& reg, unsigned count) {
      if (function.regs[reg.id].cls != RegClass::kGeneral) return;
      liveness.for_each_unit(reg, count, [&](std::uint32_t unit) {
        in_use += !live.test(unit);
        live.set(unit);
      });
    };
    for_each_def(*inst, enter);  // what nobody reads needs a register, too
    most = std::max(most, in_use);
    for_each_def(*inst, [&](const Reg& reg, unsigned count) {
      if (function.regs[reg.id].cls != RegClass::kGeneral) return;
      liveness.for_each_unit(reg, count, [&](std::uint32_t unit) {
        in_use -= live.test(unit);
        live.reset(unit);
      });
    });
    for_each_use(*inst, enter);
  }
  return (most + liveness.per_word - 1) / liveness.per_word;
}

}  // namespace g80::codegen
