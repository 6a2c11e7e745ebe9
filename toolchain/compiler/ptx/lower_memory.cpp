// SPDX-License-Identifier: Apache-2.0
// Addresses, loads and stores; mov and cvta, which make addresses.
#include <fmt/format.h>

#include <array>

#include "toolchain/compiler/ptx/kernel_lowering.h"

namespace g80::ptx {
namespace {

ir::Space ir_space(StateSpace space, bool in_kernel) {
  switch (space) {
    case StateSpace::kGlobal: return ir::Space::kGlobal;
    case StateSpace::kShared: return ir::Space::kShared;
    case StateSpace::kLocal: return ir::Space::kLocal;
    case StateSpace::kConst: return ir::Space::kConst;
    case StateSpace::kParam: return in_kernel ? ir::Space::kParam : ir::Space::kLocal;
    default: return ir::Space::kGeneric;
  }
}

ir::Access ir_access(Scalar type) {
  switch (scalar_bits(type)) {
    case 8: return is_signed(type) ? ir::Access::kS8 : ir::Access::kU8;
    case 16: return is_signed(type) ? ir::Access::kS16 : ir::Access::kU16;
    case 32: return ir::Access::kB32;
    default: return ir::Access::kB64;
  }
}

}  // namespace

/// The address of a variable: a value and an offset in its space.
ValueId KernelLowering::variable_address(const Operand& operand, ir::Space& space, std::int32_t& offset) {
  const Function& function = *frame_->function;
  const Variable& variable = operand.is_local ? function.variables[operand.id] : module_.variables[operand.id];
  if (variable.is_texture) fail(fmt::format("'{}' is a texture; only tex can read it", variable.name));
  if (operand.is_local && frame_->function->is_entry && parameter_offsets_[operand.id] != ir::kNone) {
    space = ir::Space::kParam;
    offset += static_cast<std::int32_t>(parameter_offsets_[operand.id]);
    return emit_.i32(0);
  }
  ir::Inst inst = emit_.make(Op::kVarAddr, {});
  if (!operand.is_local) {
    inst.variable = tables_.module_variable(operand.id, operand.place);
  } else if (variable.space == StateSpace::kLocal || variable.space == StateSpace::kParam) {
    std::uint32_t& id = frame_->variables[operand.id];
    if (id == ir::kNone) id = tables_.local_variable(variable);
    inst.variable = id;
  } else {
    inst.variable = tables_.function_variable(function, operand.id);
  }
  space = tables_.variable(inst.variable).space;
  return emit_.add(std::move(inst), ir::Type::kI32);
}

KernelLowering::Address KernelLowering::address(const Instruction& inst, const Operand& operand) {
  Address result;
  const Operand& base = operand.elements[0];
  result.space = ir_space(inst.mods.space, frame_->function->is_entry);
  result.offset = static_cast<std::int32_t>(static_cast<std::uint32_t>(operand.offset));
  if (base.kind == OperandKind::kVariable) {
    ir::Space space = ir::Space::kGlobal;
    result.base = variable_address(base, space, result.offset);
    const bool param_of_function = inst.mods.space == StateSpace::kParam && space == ir::Space::kLocal;
    if (inst.mods.space != StateSpace::kGeneric && space != result.space && !param_of_function)
      fail(fmt::format("'{}' is a .{} variable and cannot be accessed as .{}", base.text, ir::space_name(space),
                       state_space_name(inst.mods.space)));
    result.space = space;
  } else if (base.kind == OperandKind::kRegister) {
    result.base = reinterpret(read_register(base.id), ir::Type::kI32, false);
  } else {
    result.base = emit_.i32(static_cast<std::uint32_t>(base.bits));
  }
  return result;
}

void KernelLowering::lower_memory(const Instruction& inst) { inst.op() == Opcode::kLd ? load(inst) : store(inst); }

/// Part `index` of a word that holds several 8- or 16-bit quantities, extended by its type.
ValueId KernelLowering::element(ValueId word, unsigned index, Scalar type) {
  const unsigned shift = index * scalar_bits(type);
  return extend(shift == 0 ? word : emit_.op(Op::kShrU, {word, emit_.i32(shift)}), type);
}

void KernelLowering::load(const Instruction& inst) {
  const Scalar type = inst.type();
  const Address where = address(inst, inst.operands[1]);
  ir::Inst access = emit_.make(Op::kLoad, {where.base});
  access.space = where.space;
  access.offset = where.offset;
  access.is_volatile = inst.mods.is_volatile;
  access.access = ir_access(type);
  std::vector<const Operand*> targets;
  if (inst.mods.vector == 1) {
    targets.push_back(&inst.operands[0]);
  } else {
    for (const Operand& target : inst.operands[0].elements) targets.push_back(&target);
  }
  const auto finish = [&](std::size_t k, ValueId v) {
    const Operand& target = *targets[k];
    if (target.kind != OperandKind::kSink) define(target, to_register_width(v, type, target.id));
  };
  const unsigned bits = scalar_bits(type);
  if (targets.size() > 1 && bits < 32) {  // vectors of narrow elements are loaded as whole words
    const unsigned total = bits * static_cast<unsigned>(targets.size());
    const unsigned words = total > 32 ? 2 : 1;
    access.access = total == 16 ? ir::Access::kU16 : ir::Access::kB32;
    const ir::InstId id =
        emit_.function.append(emit_.block, std::move(access), std::vector<ir::Type>(words, ir::Type::kI32));
    const std::vector<ValueId> loaded = emit_.function.insts[id].results;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const unsigned at = static_cast<unsigned>(k) * bits;
      finish(k, element(loaded[at / 32], at % 32 / bits, type));
    }
    return;
  }
  const bool demoted = type == Scalar::kF64 && ir_type(type) == ir::Type::kF32;
  const ir::Type loaded_type = demoted ? ir::Type::kI64 : ir_type(type);
  const ir::InstId id =
      emit_.function.append(emit_.block, std::move(access), std::vector<ir::Type>(targets.size(), loaded_type));
  const std::vector<ValueId> loaded = emit_.function.insts[id].results;
  for (std::size_t k = 0; k < targets.size(); ++k) finish(k, demoted ? f64_from_bits(loaded[k]) : loaded[k]);
}

void KernelLowering::store(const Instruction& inst) {
  const Scalar type = inst.type();
  const Address where = address(inst, inst.operands[0]);
  if (where.space == ir::Space::kConst) fail("constant memory cannot be written");
  if (where.space == ir::Space::kParam) fail("the parameters of a kernel cannot be written");
  ir::Inst access = emit_.make(Op::kStore, {where.base});
  access.space = where.space;
  access.offset = where.offset;
  access.is_volatile = inst.mods.is_volatile;
  access.access = ir_access(type);
  std::vector<ValueId> values;
  const auto take = [&](const Operand& operand) {
    ValueId v = value(operand, type);
    if (type == Scalar::kF64 && ir_type(type) == ir::Type::kF32) v = f64_bits(v);
    values.push_back(v);
  };
  if (inst.mods.vector == 1) {
    take(inst.operands[1]);
  } else {
    for (const Operand& operand : inst.operands[1].elements) take(operand);
  }
  const unsigned bits = scalar_bits(type);
  if (values.size() > 1 && bits < 32) {
    const unsigned total = bits * static_cast<unsigned>(values.size());
    std::vector<ValueId> words(total > 32 ? 2 : 1, ir::kNone);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const unsigned at = static_cast<unsigned>(k) * bits;
      const ValueId part = emit_.op(bits == 8 ? Op::kZext8 : Op::kZext16, {values[k]});
      ValueId& word = words[at / 32];
      word = word == ir::kNone ? part : emit_.op(Op::kOr, {word, emit_.op(Op::kShl, {part, emit_.i32(at % 32)})});
    }
    access.access = total == 16 ? ir::Access::kU16 : ir::Access::kB32;
    values = words;
  }
  access.operands.insert(access.operands.end(), values.begin(), values.end());
  emit_.add(std::move(access));
}

void KernelLowering::lower_move(const Instruction& inst) {
  const Scalar type = inst.type();
  const Operand& target = inst.operands[0];
  const Operand& source = inst.operands[1];
  const bool is64 = scalar_bits(type) == 64;
  const auto resize = [&](ValueId v) { return is64 ? emit_.op(Op::kZext32, ir::Type::kI64, {v}) : v; };
  /// Records the memory space of a pointer for the pass that infers spaces.
  const auto points_to = [&](ValueId v, ir::Space space) {
    ir::Inst copy = emit_.make(Op::kCopy, {v});
    copy.space = space;
    copy.immediate = 1;
    return emit_.add(std::move(copy), emit_.function.type_of(v));
  };
  const auto pointer = [&]() -> ValueId {
    const Variable& variable = source.is_local ? frame_->function->variables[source.id] : module_.variables[source.id];
    if (variable.is_texture && !source.is_local)
      return emit_.function.constant(ir_type(type), ir::kTextureTag + tables_.texture(source.id));
    ir::Space space = ir::Space::kGlobal;
    std::int32_t offset = static_cast<std::int32_t>(static_cast<std::uint32_t>(source.offset));
    ValueId base = variable_address(source, space, offset);
    if (offset != 0) base = emit_.op(Op::kAdd, {base, emit_.i32(static_cast<std::uint32_t>(offset))});
    return space == ir::Space::kParam ? points_to(resize(base), space) : resize(base);
  };
  if (inst.op() == Opcode::kCvta) {
    const ValueId v = source.kind == OperandKind::kVariable ? pointer() : value(source, type);
    return define(target, points_to(v, ir_space(inst.mods.space, frame_->function->is_entry)));
  }
  if (source.kind == OperandKind::kVector) {
    const unsigned bits = scalar_bits(type) / static_cast<unsigned>(source.elements.size());
    if (bits == 32)
      return define(target,
                    emit_.op(Op::kPack, ir::Type::kI64,
                             {value(source.elements[0], Scalar::kB32), value(source.elements[1], Scalar::kB32)}));
    std::array<ValueId, 2> words{ir::kNone, ir::kNone};
    for (std::size_t k = 0; k < source.elements.size(); ++k) {
      const unsigned at = static_cast<unsigned>(k) * bits;
      const ValueId part = emit_.op(bits == 8 ? Op::kZext8 : Op::kZext16,
                                    {value(source.elements[k], bits == 8 ? Scalar::kB8 : Scalar::kB16)});
      ValueId& word = words[at / 32];
      word = word == ir::kNone ? part : emit_.op(Op::kOr, {word, emit_.op(Op::kShl, {part, emit_.i32(at % 32)})});
    }
    return define(target, is64 ? emit_.op(Op::kPack, ir::Type::kI64, {words[0], words[1]}) : words[0]);
  }
  const ValueId v = source.kind == OperandKind::kVariable ? pointer() : value(source, type);
  if (target.kind != OperandKind::kVector) return define(target, v);
  const unsigned bits = scalar_bits(type) / static_cast<unsigned>(target.elements.size());
  std::vector<ValueId> parts;
  for (std::size_t k = 0; k < target.elements.size(); ++k) {
    const unsigned at = static_cast<unsigned>(k) * bits;
    const ValueId word = !is64 ? v : emit_.op(at < 32 ? Op::kTrunc : Op::kHigh, ir::Type::kI32, {v});
    parts.push_back(bits == 32 ? word : element(word, at % 32 / bits, bits == 8 ? Scalar::kB8 : Scalar::kB16));
  }
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (target.elements[k].kind != OperandKind::kSink) define(target.elements[k], parts[k]);
}

}  // namespace g80::ptx
