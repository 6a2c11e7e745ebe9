// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/optimize/origins.h"

#include <algorithm>

namespace g80::ir {

Origin either(Origin a, Origin b) {
  return {static_cast<std::uint8_t>(a.spaces | b.spaces), std::max(a.evidence, b.evidence)};
}

std::vector<Space> spaces_of(Origin origin) {
  std::vector<Space> spaces;
  for (const Space space : {Space::kGlobal, Space::kShared, Space::kLocal, Space::kConst, Space::kParam})
    if ((origin.spaces & space_bit(space)) != 0) spaces.push_back(space);
  return spaces;
}

bool Origins::set(ValueId v, Origin origin) {
  if (v >= origins_.size()) origins_.resize(f_.values.size());
  const bool is_new = !(origins_[v] == origin);
  origins_[v] = origin;
  return is_new;
}

std::uint32_t Origins::pointer_operand(const Inst& inst) const {
  switch (inst.op) {
    case Op::kCopy:
    case Op::kZext32:
    case Op::kSext32:
    case Op::kTrunc:
    case Op::kPack: return 0;
    case Op::kAdd:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor: {  // a pointer and an index or a mask, in either order
      const Origin a = of(inst.operands[0]), b = of(inst.operands[1]);
      if (a.evidence == b.evidence && a.spaces != 0) return kNone;
      return a.evidence >= b.evidence ? 0 : 1;
    }
    case Op::kSub: {  // of two pointers: a number
      const Origin a = of(inst.operands[0]), b = of(inst.operands[1]);
      return b.spaces != 0 && a.evidence == b.evidence ? kNone : 0;
    }
    default: return kNone;
  }
}

Origin Origins::computed(const Inst& inst) const {
  const auto& in = inst.operands;
  switch (inst.op) {
    case Op::kVarAddr: return sure_origin(module_.variables[inst.variable].space);
    case Op::kPhi: {
      Origin origin;
      for (const ValueId v : in) origin = either(origin, of(v));
      return origin;
    }
    case Op::kSelect: return either(of(in[1]), of(in[2]));
    case Op::kCopy:
      if (inst.immediate != 0 && inst.space != Space::kGeneric) return sure_origin(inst.space);
      return of(in[0]);
    default: {
      const std::uint32_t pointer = pointer_operand(inst);
      if (pointer != kNone) return of(in[pointer]);
      const bool is_sum = inst.op == Op::kAdd || inst.op == Op::kAnd || inst.op == Op::kOr || inst.op == Op::kXor;
      return is_sum ? either(of(in[0]), of(in[1])) : Origin();
    }
  }
}

}  // namespace g80::ir
