// SPDX-License-Identifier: Apache-2.0
// Lowers atomics, textures, barriers, votes and traps.
#include <fmt/format.h>

#include "toolchain/compiler/ptx/kernel_lowering.h"

namespace g80::ptx {
namespace {

/// An integer literal with its sign.
std::string number_text(const Operand& literal) {
  return literal.text == "-" ? std::to_string(static_cast<std::int64_t>(literal.bits)) : std::to_string(literal.bits);
}

struct AtomicRule {
  AtomicOp op;
  ir::AtomOp ir_op;
  std::vector<Scalar> types;
};

const std::vector<AtomicRule>& atomic_rules() {
  using S = Scalar;
  static const std::vector<AtomicRule> rules{
      {AtomicOp::kAnd, ir::AtomOp::kAnd, {S::kB32}},
      {AtomicOp::kOr, ir::AtomOp::kOr, {S::kB32}},
      {AtomicOp::kXor, ir::AtomOp::kXor, {S::kB32}},
      {AtomicOp::kCas, ir::AtomOp::kCas, {S::kB32, S::kB64}},
      {AtomicOp::kExch, ir::AtomOp::kExch, {S::kB32, S::kB64}},
      {AtomicOp::kAdd, ir::AtomOp::kAdd, {S::kU32, S::kS32, S::kU64}},
      {AtomicOp::kInc, ir::AtomOp::kInc, {S::kU32}},
      {AtomicOp::kDec, ir::AtomOp::kDec, {S::kU32}},
      {AtomicOp::kMin, ir::AtomOp::kMin, {S::kU32, S::kS32}},
      {AtomicOp::kMax, ir::AtomOp::kMax, {S::kU32, S::kS32}},
  };
  return rules;
}

}  // namespace

void KernelLowering::lower_atomic(const Instruction& inst) {
  const Scalar type = inst.type();
  const bool returns = inst.op() == Opcode::kAtom;
  const AtomicRule* rule = nullptr;
  for (const AtomicRule& r : atomic_rules())
    if (r.op == inst.mods.atomic) rule = &r;
  bool exists = false;
  for (const Scalar t : rule->types) exists |= t == type;
  const std::string name = fmt::format("{} of .{}", inst.form->name, scalar_name(type));
  if (!exists) {
    if (type == Scalar::kF32) fail(fmt::format("{} needs sm_20: the memory of this chip adds integers only", name));
    if (scalar_bits(type) == 64) fail(fmt::format("{} with this operation needs sm_32", name));
    fail(fmt::format("{} does not exist with this operation", name));
  }
  if (!returns && (inst.mods.atomic == AtomicOp::kCas || inst.mods.atomic == AtomicOp::kExch))
    fail("red does not exist with .cas and .exch: they only return the old value");
  const std::size_t first = returns ? 1 : 0;
  const bool is_cas = inst.mods.atomic == AtomicOp::kCas;
  if (inst.operands.size() != first + (is_cas ? 3 : 2)) fail(fmt::format("{}: wrong number of operands", name));
  const bool is64 = scalar_bits(type) == 64;
  const Address where = address(inst, inst.operands[first]);
  if (where.space != ir::Space::kGlobal && where.space != ir::Space::kShared && where.space != ir::Space::kGeneric)
    fail(fmt::format("{}: only global and shared memory have atomics", name));
  const bool is_shared = where.space == ir::Space::kShared;
  if (is_shared && options_.arch < isa::Arch::kSm12)
    fail(fmt::format("{} in shared memory needs compute capability 1.2: {}sm_12; this code is for {}", name,
                     options_.choose_arch, isa::arch_name(options_.arch)));
  need(is64 ? isa::Arch::kSm12 : isa::Arch::kSm11, name);
  if (is64 && is_shared) fail(fmt::format("{} in shared memory needs sm_20", name));

  ir::Inst atom = emit_.make(Op::kAtomic, {where.base, value(inst.operands[first + 1], type)});
  if (is_cas) atom.operands.push_back(value(inst.operands[first + 2], type));
  atom.space = where.space;
  atom.offset = where.offset;
  atom.atom_op = rule->ir_op;
  atom.is_signed = is_signed(type);
  atom.access = is64 ? ir::Access::kB64 : ir::Access::kB32;
  if (!returns || inst.operands[0].kind == OperandKind::kSink) {
    const bool needs_result = is_cas || inst.mods.atomic == AtomicOp::kExch;
    if (!needs_result) return emit_.add(std::move(atom));
  }
  const ValueId old = emit_.add(std::move(atom), ir_type(type));
  if (returns) define(inst.operands[0], old);
}

/// The texture stays the last operand until find_textures() knows which texture it is.
void KernelLowering::lower_texture(const Instruction& inst) {
  const Operand& where = inst.operands[1];
  const Operand& texture = where.elements[0];
  ir::Inst tex = emit_.make(Op::kTexture, {});
  tex.shape = inst.mods.dimensions == 1   ? ir::TexShape::k1d
              : inst.mods.dimensions == 2 ? ir::TexShape::k2d
                                          : ir::TexShape::k3d;
  const Scalar coordinate = inst.types[1];
  // In two and three dimensions the chip accepts only floats: texel i is sampled at its centre, which is exact for
  // every legal size. In one dimension, integer coordinates address a linear buffer.
  const bool whole = coordinate == Scalar::kS32 && inst.mods.dimensions != 1;
  const Operand& coordinates = where.elements[1];
  for (unsigned k = 0; k < inst.mods.dimensions; ++k) {
    const ValueId at =
        value(coordinates.kind == OperandKind::kVector ? coordinates.elements[k] : coordinates, coordinate);
    constexpr std::uint32_t kHalf = 0x3f000000;  // 0.5
    tex.operands.push_back(whole ? emit_.op(Op::kFadd, {emit_.op(Op::kIntToFloatS, ir::Type::kF32, {at}),
                                                        emit_.function.constant(ir::Type::kF32, kHalf)})
                                 : at);
  }
  if (texture.kind == OperandKind::kVariable) {
    if (texture.is_local || !module_.variables[texture.id].is_texture)
      fail(fmt::format("'{}' is not a texture", texture.text));
    tex.operands.push_back(emit_.i32(ir::kTextureTag + tables_.texture(texture.id)));
  } else if (texture.kind == OperandKind::kRegister) {
    tex.operands.push_back(reinterpret(read_register(texture.id), ir::Type::kI32, false));
  } else {
    fail(fmt::format("'{}' is not a texture", texture.text));
  }
  const Scalar type = inst.type();
  const ir::InstId id = emit_.function.append(emit_.block, std::move(tex), std::vector<ir::Type>(4, ir_type(type)));
  const std::vector<ValueId> results = emit_.function.insts[id].results;
  for (std::size_t k = 0; k < 4; ++k) {
    const Operand& target = inst.operands[0].elements[k];
    if (target.kind != OperandKind::kSink) define(target, results[k]);
  }
}

void KernelLowering::lower_warp(const Instruction& inst) {
  const auto effect = [&](Op op, std::uint32_t immediate) {
    ir::Inst made = emit_.make(op, {});
    made.immediate = immediate;
    emit_.add(std::move(made));
  };
  switch (inst.op()) {
    case Opcode::kBar: {
      if (inst.operands.size() > 1) fail("bar.sync with a number of threads needs sm_20");
      if (inst.operands[0].kind != OperandKind::kInteger) fail("bar.sync with a barrier from a register needs sm_20");
      if (inst.operands[0].bits > 15)
        fail(fmt::format("barrier {} does not exist: there are 0 to 15", number_text(inst.operands[0])));
      return effect(Op::kBarrier, static_cast<std::uint32_t>(inst.operands[0].bits));
    }
    case Opcode::kMembar: return effect(Op::kMembar, inst.mods.fence == Fence::kGl ? 1 : 0);
    case Opcode::kTrap: return effect(Op::kTrap, 0);
    case Opcode::kBrkpt: need(isa::Arch::kSm11, "brkpt"); return effect(Op::kBrkpt, 0);
    case Opcode::kPmevent:
      if (inst.operands[0].bits > 15)
        fail(fmt::format("event {} does not exist: there are 0 to 15", number_text(inst.operands[0])));
      return effect(Op::kPmevent, static_cast<std::uint32_t>(inst.operands[0].bits));
    case Opcode::kVote: {
      need(isa::Arch::kSm12, "vote");
      const ValueId p = value(inst.operands[1], Scalar::kPred);
      if (inst.mods.vote == VoteMode::kAny) return define(inst.operands[0], emit_.op(Op::kVoteAny, {p}));
      const ValueId all = emit_.op(Op::kVoteAll, {p});
      if (inst.mods.vote == VoteMode::kAll) return define(inst.operands[0], all);
      return define(inst.operands[0], emit_.op(Op::kOr, {all, emit_.op(Op::kNot, {emit_.op(Op::kVoteAny, {p})})}));
    }
    default: fail(fmt::format("{} is not supported", inst.form->name));
  }
}

}  // namespace g80::ptx
