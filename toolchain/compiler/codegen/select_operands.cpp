// SPDX-License-Identifier: Apache-2.0
// Selects the operands of machine instructions: registers, halves, s[], c[], literals.
#include <algorithm>

#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Op;
using ir::Space;
using ir::ValueId;
using isa::MemType;
using isa::NumType;
using isa::OperandKind;

namespace {

constexpr std::uint32_t kLongReach = 32;         // elements an s[] operand of a long instruction reaches
constexpr std::uint32_t kImmediateReach = 16;    // of one with an immediate
constexpr std::uint32_t kConstantReach = 0x200;  // bytes a c[] operand reaches

bool is_header(ir::Special special, std::uint32_t& address) {
  switch (special) {
    case ir::Special::kGridid: address = 0x0; return true;
    case ir::Special::kNtidX: address = 0x2; return true;
    case ir::Special::kNtidY: address = 0x4; return true;
    case ir::Special::kNtidZ: address = 0x6; return true;
    case ir::Special::kNctaidX: address = 0x8; return true;
    case ir::Special::kNctaidY: address = 0xa; return true;
    case ir::Special::kCtaidX: address = 0xc; return true;
    case ir::Special::kCtaidY: address = 0xe; return true;
    default: return false;
  }
}

bool shared_type(ir::Access access, MemType& type) {
  switch (access) {
    case ir::Access::kU8: type = MemType::kU8; return true;
    case ir::Access::kU16: type = MemType::kU16; return true;
    case ir::Access::kS16: type = MemType::kS16; return true;
    case ir::Access::kB32: type = MemType::kB32; return true;
    default: return false;
  }
}

/// True if selection makes one machine instruction, which reads each operand once.
bool reads_once(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kMinU:
    case Op::kMinS:
    case Op::kMaxU:
    case Op::kMaxS:
    case Op::kFadd:
    case Op::kFmul: return true;
    default: return false;
  }
}

}  // namespace

Reg Selector::reg_of(ValueId value) {
  value = root(value);
  if (!reg_[value]) {
    const std::uint8_t words = static_cast<std::uint8_t>(words_of(value));
    reg_[value] = halves_[value] ? m_.new_half() : m_.new_register(RegClass::kGeneral, words, words);
  }
  return reg_[value];
}

Reg Selector::load_word(std::uint32_t word) {
  const Reg reg = m_.new_register();
  Arg arg;
  arg.op.kind = OperandKind::kImm;
  arg.immediate = word;
  move(reg, arg);
  return reg;
}

Reg Selector::need(ValueId value) {
  const ValueId v = root(value);
  if (f_.values[v].undefined) return load_word(0);
  if (f_.is_constant(v)) {
    const std::uint64_t bits = f_.values[v].bits;
    if (f_.type_of(v) == ir::Type::kPred) return load_word(bits != 0 ? 0xffffffffu : 0);
    if (words_of(v) == 1) return load_word(static_cast<std::uint32_t>(bits));
    const Reg pair = m_.new_register(RegClass::kGeneral, 2, 2);
    Arg arg;
    arg.op.kind = OperandKind::kImm;
    arg.immediate = static_cast<std::uint32_t>(bits);
    move(pair, arg);
    arg.immediate = static_cast<std::uint32_t>(bits >> 32);
    move({pair.id, 1}, arg);
    return pair;
  }
  in_register_[v] = 1;
  if (!halves_[v]) return reg_of(v);
  // a half register, but the reader needs a word
  MachineInst widen = start(isa::Op::kCvtI2I);
  const bool is_signed = halves_.kind(v) == HalfKind::kSigned;
  widen.insn.dst_type = is_signed ? NumType::kS32 : NumType::kU32;
  widen.insn.src_type = is_signed ? NumType::kS16 : NumType::kU16;
  const Reg word = m_.new_register();
  set_dst(widen, word);
  set_arg(widen, 0, half_register_arg(v));
  emit(std::move(widen));
  return word;
}

Reg Selector::need_flags(ValueId value, bool& inverted) {
  ValueId v = root(value);
  while (f_.def(v) != nullptr && f_.def(v)->op == Op::kNot) {
    inverted = !inverted;
    v = root(f_.def(v)->operands[0]);
  }
  if (f_.is_constant(v) || f_.values[v].undefined) {
    const Reg flags = m_.new_register(RegClass::kFlags);
    MachineInst set = start(isa::Op::kMov2);
    set.insn.src_type = set.insn.src2_type = set.insn.dst_type = NumType::kB32;
    Arg zero;
    zero.op.kind = OperandKind::kReg;
    zero.op.index = kZeroRegister;
    set_arg(set, 0, zero);
    set_arg(set, 1, zero);
    set.insn.src[1].neg = f_.values[v].bits != 0;
    set.insn.dst.kind = OperandKind::kDiscard;
    set.insn.writes_flags = true;
    set.flags_out = flags;
    emit(std::move(set));
    return flags;
  }
  in_flags_[v] = 1;
  if (!flags_[v]) flags_[v] = m_.new_register(RegClass::kFlags);
  return flags_[v];
}

const ir::Inst* Selector::defined_by(ValueId value, Op op) const {
  const ir::Inst* inst = def(value);
  return inst != nullptr && inst->op == op ? inst : nullptr;
}

const ir::Inst* Selector::sole(ValueId value, Op op) const {
  const ValueId v = root(value);
  const ir::Inst* inst = defined_by(v, op);
  if (inst == nullptr || uses_[v] != 1 || in_register_[v] || block_of_[f_.values[v].def] != block_) return nullptr;
  return carry_of_[f_.values[v].def] ? nullptr : inst;
}

Arg Selector::register_arg(ValueId value) {
  Arg arg;
  arg.op.kind = words_of(value) == 2 ? OperandKind::kPair : OperandKind::kReg;
  const bool is_zero = f_.values[root(value)].undefined || (is_constant(value) && f_.values[root(value)].bits == 0);
  if (is_zero && words_of(value) == 1) {
    arg.op.index = kZeroRegister;
  } else {
    arg.reg = need(value);
  }
  return arg;
}

bool Selector::constant_address(const ir::Inst& access, std::uint32_t& address) const {
  if (!is_constant(access.operands[0])) return false;
  address = word_of(access.operands[0]) + static_cast<std::uint32_t>(access.offset);
  if (access.space == Space::kParam) address += kParameterBase;
  return true;
}

/// True if a shared load may move to the current instruction. A volatile load is performed once, and keeps its place
/// among all instructions with effects.
bool Selector::no_store_since(const ir::Inst& load) const {
  const ir::InstId id = f_.values[load.results[0]].def;
  const std::vector<ir::InstId>& insts = f_.blocks[block_].insts;
  if (block_of_[id] != block_ || (load.is_volatile && !reads_once(*current_))) return false;
  for (std::uint32_t i = index_of_[id] + 1; i < index_; ++i) {
    const ir::Inst& between = f_.insts[insts[i]];
    if (load.is_volatile && ir::op_info(between.op).has_effects()) return false;
    if (between.op == Op::kBarrier || between.op == Op::kMembar || between.op == Op::kCall) return false;
    if ((between.op == Op::kStore || between.op == Op::kAtomic) && between.space == Space::kShared) return false;
    if (between.op == Op::kLoad && between.is_volatile) return false;
  }
  return true;
}

bool Selector::can_be_shared(ValueId value) const {
  const ValueId v = root(value);
  const ir::Inst* inst = f_.def(v);
  std::uint32_t address = 0;
  if (inst == nullptr) return false;
  if (inst->op == Op::kSpecial) return is_header(inst->special, address);
  MemType type;
  if (inst->op != Op::kLoad || inst->results.size() != 1 || !shared_type(inst->access, type)) return false;
  if (inst->space == Space::kParam) return constant_address(*inst, address);
  return inst->space == Space::kShared && uses_[v] == 1 && !in_register_[v] && no_store_since(*inst);
}

bool Selector::shared_arg(ValueId value, Arg& arg) {
  if (!can_be_shared(value)) return false;
  const ir::Inst& inst = *def(value);
  arg = {};
  arg.op.kind = OperandKind::kShared;
  std::uint32_t address = 0;
  if (inst.op == Op::kSpecial) {
    is_header(inst.special, address);
    arg.op.type = MemType::kU16;
  } else {
    shared_type(inst.access, arg.op.type);
    arg.addr = shared_address(inst, kLongReach, ir::access_bytes(inst.access), address);
    arg.is_volatile = inst.is_volatile;
    is_operand_[inst.results[0]] = inst.is_volatile;
  }
  arg.op.offset = static_cast<std::uint16_t>(address);
  return true;
}

bool Selector::can_be_constant(ValueId value) const {
  const ir::Inst* inst = def(value);
  std::uint32_t address = 0;
  return inst != nullptr && inst->op == Op::kLoad && inst->space == Space::kConst && inst->results.size() == 1 &&
         inst->access == ir::Access::kB32 && constant_address(*inst, address) && address < kConstantReach;
}

bool Selector::constant_arg(ValueId value, Arg& arg) {
  if (!can_be_constant(value)) return false;
  std::uint32_t address = 0;
  constant_address(*def(value), address);
  arg = {};
  arg.op.kind = OperandKind::kConst;
  arg.op.bank = kUserConstantBank;
  arg.op.offset = static_cast<std::uint16_t>(address);
  return true;
}

Arg Selector::literal_arg(std::uint32_t word, std::uint32_t reach) {
  Arg arg;
  if (word == 0) {
    arg.op.kind = OperandKind::kReg;
    arg.op.index = kZeroRegister;
    return arg;
  }
  const std::uint32_t offset = m_.literal(word);
  if (offset >= reach) {
    arg.op.kind = OperandKind::kReg;
    arg.reg = load_word(word);
    return arg;
  }
  arg.op.kind = OperandKind::kConst;
  arg.op.bank = kLiteralBank;
  arg.op.offset = static_cast<std::uint16_t>(offset);
  return arg;
}

Selector::TwoArgs Selector::two_args(ValueId a, ValueId b, bool immediate, bool* swapped) {
  const auto second_only = [&](ValueId v) { return is_constant(v) || can_be_constant(v); };
  if (swapped != nullptr) {
    *swapped = (second_only(a) && !second_only(b)) || (can_be_shared(b) && !can_be_shared(a) && !second_only(b));
    if (*swapped) std::swap(a, b);
  }
  if (is_constant(b)) return word_args(a, word_of(b), immediate);
  TwoArgs args;
  if (!shared_arg(a, args.a)) args.a = register_arg(a);
  if (!constant_arg(b, args.b)) args.b = register_arg(b);
  return args;
}

Selector::TwoArgs Selector::word_args(ValueId a, std::uint32_t word, bool immediate) {
  TwoArgs args;
  if (!shared_arg(a, args.a)) args.a = register_arg(a);
  const MemType type = args.a.op.type;
  const unsigned scale = type == MemType::kU8 ? 1 : type == MemType::kB32 ? 4 : 2;
  const bool near = args.a.op.kind != OperandKind::kShared || args.a.op.offset / scale < kImmediateReach;
  const bool is_zero =
      args.a.op.kind == OperandKind::kReg && args.a.op.index == kZeroRegister;  // its number is too high
  if (immediate && near && !is_zero) {
    args.b.op.kind = OperandKind::kImm;
    args.b.immediate = word;
  } else {
    args.b = literal_arg(word);
  }
  return args;
}

bool Selector::can_be_half(ValueId value, bool is_signed) {
  if (is_constant(value)) {
    const std::uint32_t word = word_of(value);
    return is_signed ? static_cast<std::uint32_t>(static_cast<std::int16_t>(word)) == word : word <= 0xffff;
  }
  const ValueId v = root(value);
  if (halves_[v] && halves_.kind(v) == (is_signed ? HalfKind::kSigned : HalfKind::kUnsigned)) return true;
  return is_signed ? ranges_.signed_bits(v) <= 16 : ranges_.unsigned_bits(v) <= 16;
}

bool Selector::half_arg(ValueId value, Arg& arg, bool is_signed) {
  if (!can_be_half(value, is_signed) || is_constant(value)) return false;
  arg = {};
  const auto half_of = [&](ValueId whole, std::uint8_t half) {
    arg.op.kind = OperandKind::kHalf;
    arg.op.index = half;
    arg.reg = need_half(whole);
  };
  if (can_be_shared(value)) {
    const ir::Inst& inst = *def(value);
    const bool is_u16 = inst.op == Op::kSpecial || inst.access == ir::Access::kU16 || inst.access == ir::Access::kU8;
    if (inst.op == Op::kSpecial || (is_signed ? inst.access == ir::Access::kS16 : is_u16)) {
      if (!(is_signed && is_u16)) return shared_arg(value, arg);
    }
  }
  if (const ir::Inst* ext = defined_by(value, is_signed ? Op::kSext16 : Op::kZext16)) {
    half_of(ext->operands[0], 0);
  } else if (const ir::Inst* shift = defined_by(value, is_signed ? Op::kShrS : Op::kShrU);
             shift != nullptr && is_word(shift->operands[1], 16) && !is_half(shift->operands[0])) {
    half_of(shift->operands[0], 1);
  } else if (const ir::Inst* special = defined_by(value, Op::kSpecial);
             special != nullptr && special->special == ir::Special::kTidX) {
    arg.op.kind = OperandKind::kHalf;
    arg.op.index = 0;
    arg.reg = thread_id_;
  } else {
    half_of(value, 0);
  }
  return true;
}

MachineInst Selector::start(isa::Op op) const {
  MachineInst inst;
  inst.insn.op = op;
  inst.loc = current_->loc;
  inst.is_volatile = current_->is_volatile;
  return inst;
}

void Selector::set_arg(MachineInst& inst, unsigned slot, const Arg& arg) {
  const bool neg = inst.insn.src[slot].neg, abs = inst.insn.src[slot].abs;
  inst.insn.src[slot] = arg.op;
  inst.insn.src[slot].neg = neg;
  inst.insn.src[slot].abs = abs;
  inst.src[slot] = arg.reg;
  if (arg.addr) inst.addr = arg.addr;
  inst.is_volatile |= arg.is_volatile;
  if (arg.op.kind == OperandKind::kImm) {
    inst.insn.immediate = arg.immediate;
    inst.insn.form = isa::Form::kImmediate;
  }
}

void Selector::set_dst(MachineInst& inst, Reg reg, OperandKind kind) {
  inst.insn.dst.kind = kind;
  inst.dst = reg;
}

void Selector::emit(MachineInst inst) { sequence_.push_back(std::move(inst)); }

MachineInst Selector::two(isa::Op op, NumType type, Reg dst, const TwoArgs& args) {
  MachineInst inst = start(op);
  inst.insn.dst_type = inst.insn.src_type = inst.insn.src2_type = type;
  set_dst(inst, dst);
  set_arg(inst, 0, args.a);
  set_arg(inst, 1, args.b);
  return inst;
}

void Selector::move(Reg dst, const Arg& arg) {
  const bool is_constant = arg.op.kind == OperandKind::kConst;
  MachineInst inst = start(is_constant ? isa::Op::kLdConst : isa::Op::kMov);
  inst.insn.dst_type = inst.insn.src_type = NumType::kB32;
  set_dst(inst, dst);
  if (arg.op.kind == OperandKind::kImm) {
    set_arg(inst, 1, arg);
  } else {
    set_arg(inst, 0, arg);
  }
  emit(std::move(inst));
}

void Selector::guard(MachineInst& inst, Reg flags, bool inverted) {
  inst.flags_in = flags;
  inst.is_guarded = true;
  inst.insn.cond = inverted ? 0x02 : 0x05;
}

/// Sets the result of a comparison or a logic operation on masks: a register if a reader needs the mask, flags if one
/// needs flags.
void Selector::finish_set(MachineInst& inst, ValueId result) {
  inst.insn.dst_type = inst.insn.dst_type == NumType::kB16 ? NumType::kB16 : NumType::kB32;
  if (result != ir::kNone && in_register_[result]) {
    set_dst(inst, reg_of(result));
  } else {
    inst.insn.dst.kind = OperandKind::kDiscard;
    inst.insn.dst.type = MemType::kB32;
  }
  if (result != ir::kNone && in_flags_[result]) {
    inst.insn.writes_flags = true;
    inst.flags_out = flags_[result];
  }
}

}  // namespace g80::codegen
