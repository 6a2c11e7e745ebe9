// SPDX-License-Identifier: Apache-2.0
// Selects loads and stores.
#include <algorithm>

#include "toolchain/compiler/codegen/select.h"

namespace g80::codegen {

using ir::Access;
using ir::Op;
using ir::Space;
using ir::Type;
using ir::ValueId;
using isa::MemType;
using isa::NumType;
using isa::OperandKind;

namespace {

constexpr std::uint8_t kGlobalSpace = 14;
constexpr std::uint32_t kMoveReach = 32;  // elements that the s[] operand of a mov reaches

MemType mem_type(Access access) {
  constexpr MemType kTypes[] = {MemType::kU8, MemType::kS8, MemType::kU16, MemType::kS16, MemType::kB32, MemType::kB64};
  return kTypes[static_cast<unsigned>(access)];
}

}  // namespace

/// The $a of a memory operand; none for a constant address that the offset field reaches. `offset` becomes the rest for
/// that field, which reaches `reach` elements of `scale` bytes. Sums cover 32 elements, so that neighbouring accesses
/// share them.
Reg Selector::shared_address(const ir::Inst& load, std::uint32_t reach, unsigned scale, std::uint32_t& offset) {
  const auto add = [&](Reg base, std::uint32_t address) {
    MachineInst add = start(isa::Op::kAddAddr);
    const Reg sum = m_.new_register(RegClass::kAddress);
    offset = address % scale == 0 ? address % (kMoveReach * scale) : 0;
    set_dst(add, sum, OperandKind::kAddr);
    add.insn.src[0].kind = OperandKind::kAddr;
    add.src[0] = base;
    add.insn.src[1].kind = OperandKind::kImm;
    add.insn.immediate = address - offset;
    emit(std::move(add));
    return sum;
  };
  const auto reaches = [&](std::uint32_t address) { return address % scale == 0 && address / scale < reach; };
  if (constant_address(load, offset)) return reaches(offset) ? Reg{} : add(Reg{}, offset & 0xffff);
  ValueId base = load.operands[0];
  std::uint32_t constant = static_cast<std::uint32_t>(load.offset);
  if (load.space == Space::kParam) constant += kParameterBase;
  while (const ir::Inst* add = defined_by(base, Op::kAdd)) {
    const unsigned side = is_constant(add->operands[1]) ? 1 : is_constant(add->operands[0]) ? 0 : 2;
    if (side == 2) break;
    constant += word_of(add->operands[side]);
    base = add->operands[1 - side];
  }
  std::uint32_t shift = 0;
  if (const ir::Inst* shl = defined_by(base, Op::kShl);
      shl != nullptr && is_constant(shl->operands[1]) && word_of(shl->operands[1]) < 16) {
    shift = word_of(shl->operands[1]);
    base = shl->operands[0];
  }
  MachineInst make = start(isa::Op::kShlAddr);
  const Reg address = m_.new_register(RegClass::kAddress);
  set_dst(make, address, OperandKind::kAddr);
  set_arg(make, 0, register_arg(base));
  make.insn.src[1].kind = OperandKind::kImm;
  make.insn.immediate = shift;
  emit(std::move(make));
  const std::uint32_t wrapped = constant & 0xffff;
  if (!reaches(wrapped)) return add(address, wrapped);
  offset = wrapped;
  return address;
}

bool Selector::select_memory(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::kLoad: select_load(inst); return true;
    case Op::kStore: select_store(inst); return true;
    case Op::kAtomic: select_atomic(inst); return true;
    case Op::kTexture: select_texture(inst); return true;
    default: return false;
  }
}

void Selector::select_load(const ir::Inst& inst) {
  const unsigned element = ir::access_bytes(inst.access);
  if (inst.space == Space::kGlobal || inst.space == Space::kLocal) {
    const unsigned bytes = element * static_cast<unsigned>(inst.results.size());
    const bool is_group = inst.results.size() > 1 && inst.access >= Access::kB32;
    const unsigned parts = inst.results.size() > 1 && !is_group ? static_cast<unsigned>(inst.results.size()) : 1;
    for (unsigned part = 0; part < parts; ++part) {
      MachineInst load = start(inst.space == Space::kGlobal ? isa::Op::kLdGlobal : isa::Op::kLdLocal);
      const bool wide = is_group || inst.access == Access::kB64;
      load.insn.mem_type = !wide ? mem_type(inst.access) : bytes == 8 ? MemType::kB64 : MemType::kB128;
      const OperandKind kind = !wide ? OperandKind::kReg : bytes == 8 ? OperandKind::kPair : OperandKind::kQuad;
      set_dst(load, reg_of(inst.results[part]), kind);
      memory_operand(load, inst, part * element);
      emit(std::move(load));
    }
    return;
  }
  // s[] and c[] have no vector loads: one load for every word that has a reader
  for (std::size_t i = 0; i < inst.results.size(); ++i) {
    const ValueId result = inst.results[i];
    if (is_operand_[result] || (!in_register_[result] && !inst.is_volatile)) continue;
    const unsigned words = element == 8 ? 2 : 1;
    for (unsigned w = 0; w < words; ++w) {
      const Access access = element == 8 ? Access::kB32 : inst.access;
      load_element(inst, access, static_cast<std::uint32_t>(i * element + w * 4), word_at(reg_of(result), w));
    }
  }
}

/// Loads one element of s[] or c[] into a register.
void Selector::load_element(const ir::Inst& inst, Access access, std::uint32_t offset, Reg dst) {
  ir::Inst part = inst;
  part.offset += static_cast<std::int32_t>(offset);
  const unsigned bytes = ir::access_bytes(access);
  const bool is_shared = inst.space != Space::kConst;
  const bool sign_later = access == Access::kS8;  // no signed bytes in s[] and c[]
  const MemType type = sign_later ? MemType::kU8 : mem_type(access);
  const bool in_half = m_.regs[dst.id].is_half;
  const Reg loaded = !sign_later ? dst : in_half ? m_.new_half() : m_.new_register();
  const OperandKind kind = in_half ? OperandKind::kHalf : OperandKind::kReg;
  std::uint32_t address = 0;
  const bool is_direct = constant_address(part, address);
  const bool has_load = !is_shared || options_.arch >= isa::Arch::kSm11;
  // if an operand reaches the element, a mov is as good, and may get a short form
  const bool is_move = is_shared && (!has_load || (is_direct && address / bytes < kMoveReach));
  MachineInst load = start(is_move ? isa::Op::kMov : is_shared ? isa::Op::kLdShared : isa::Op::kLdConst);
  load.insn.dst_type = in_half ? NumType::kB16 : NumType::kB32;
  if (is_move) load.insn.src_type = load.insn.dst_type;
  set_dst(load, loaded, kind);
  Arg arg;
  arg.op.kind = is_shared ? OperandKind::kShared : OperandKind::kConst;
  arg.op.bank = kUserConstantBank;
  arg.op.type = type;
  if (!is_move) load.insn.mem_type = type;
  const std::uint32_t reach = is_move ? kMoveReach : kFieldReach / bytes;
  arg.addr = shared_address(part, reach, bytes, address);
  arg.op.offset = static_cast<std::uint16_t>(address);
  set_arg(load, 0, arg);
  emit(std::move(load));
  if (sign_later) {
    MachineInst convert = start(isa::Op::kCvtI2I);
    convert.insn.dst_type = in_half ? NumType::kS16 : NumType::kS32;
    convert.insn.src_type = NumType::kS8;
    set_dst(convert, dst, kind);
    convert.insn.src[0].kind = kind;
    convert.src[0] = loaded;
    emit(std::move(convert));
  }
}

/// The g[] or l[] operand (source 0) of an access `offset` bytes behind the address of `inst`.
void Selector::memory_operand(MachineInst& access, const ir::Inst& inst, std::uint32_t offset) {
  ir::Inst part = inst;
  part.offset += static_cast<std::int32_t>(offset);
  std::uint32_t address = 0;
  if (inst.space == Space::kLocal) {
    access.insn.src[0].kind = OperandKind::kLocal;
    access.insn.src[0].type = access.insn.mem_type;
    access.addr = shared_address(part, kFieldReach, 1, address);
    access.insn.src[0].offset = static_cast<std::uint16_t>(address);
    return;
  }
  access.insn.space = kGlobalSpace;
  access.insn.src[0].kind = OperandKind::kReg;
  if (constant_address(part, address)) {
    access.src[0] = load_word(address);
  } else if (part.offset == 0) {
    access.src[0] = need(inst.operands[0]);
  } else {
    const Reg sum = m_.new_register();
    emit(two(isa::Op::kAdd, NumType::kB32, sum,
             word_args(inst.operands[0], static_cast<std::uint32_t>(part.offset), true)));
    access.src[0] = sum;
  }
}

void Selector::select_store(const ir::Inst& inst) {
  const std::size_t count = inst.operands.size() - 1;
  const unsigned element = ir::access_bytes(inst.access);
  if (inst.space == Space::kShared || inst.space == Space::kParam) {
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned words = element == 8 ? 2 : 1;
      const bool in_half = element < 4 && is_half(inst.operands[i + 1]);
      const Arg data = in_half ? half_register_arg(inst.operands[i + 1]) : register_arg(inst.operands[i + 1]);
      for (unsigned w = 0; w < words; ++w) {
        MachineInst store = start(isa::Op::kStShared);
        ir::Inst part = inst;
        part.offset += static_cast<std::int32_t>(i * element + w * 4);
        const unsigned bytes = element == 8 ? 4 : element;
        std::uint32_t address = 0;
        store.addr = shared_address(part, kFieldReach / bytes, bytes, address);
        store.insn.src[0].kind = OperandKind::kShared;
        store.insn.src[0].type = bytes == 1 ? MemType::kU8 : bytes == 2 ? MemType::kU16 : MemType::kB32;
        store.insn.mem_type = store.insn.src[0].type;
        store.insn.src[0].offset = static_cast<std::uint16_t>(address);
        store.insn.src[1].kind = in_half ? OperandKind::kHalf : OperandKind::kReg;
        if (in_half) store.insn.src_type = NumType::kB16;
        store.insn.src[1].index = data.op.index;
        store.src[1] = data.reg ? word_at(data.reg, w) : data.reg;
        emit(std::move(store));
      }
    }
    return;
  }
  if (inst.space != Space::kGlobal && inst.space != Space::kLocal) fail(inst, "a store to this space");
  const bool is_global = inst.space == Space::kGlobal;
  const bool is_group = count > 1 && inst.access >= Access::kB32;
  const unsigned parts = count > 1 && !is_group ? static_cast<unsigned>(count) : 1;
  for (unsigned part = 0; part < parts; ++part) {
    MachineInst store = start(is_global ? isa::Op::kStGlobal : isa::Op::kStLocal);
    const unsigned bytes = is_group ? element * static_cast<unsigned>(count) : element;
    if (bytes > 16) fail(inst, "a vector of more than 128 bits");
    Arg data;
    if (is_group) {
      const std::uint8_t words = static_cast<std::uint8_t>(bytes / 4);
      const Reg group = m_.new_register(RegClass::kGeneral, words, words);
      for (std::size_t i = 0; i < count; ++i) {
        const unsigned per = element / 4;
        Arg source;
        const ValueId value = inst.operands[i + 1];
        if (per == 1 && is_constant(value)) {
          source.op.kind = OperandKind::kImm;
          source.immediate = word_of(value);
          move(word_at(group, static_cast<unsigned>(i)), source);
          continue;
        }
        const Reg from = need(value);
        for (unsigned w = 0; w < per; ++w) {
          emit(make_copy(word_at(group, static_cast<unsigned>(i) * per + w), word_at(from, w), inst.loc));
        }
      }
      data.reg = group;
      data.op.kind = words == 2 ? OperandKind::kPair : OperandKind::kQuad;
    } else if (element < 4 && is_half(inst.operands[part + 1])) {
      data.op.kind = OperandKind::kReg;  // the instruction names the register: its low half is stored
      data.reg = need_half(inst.operands[part + 1]);
      m_.regs[data.reg.id].is_low = true;
    } else {
      data = register_arg(inst.operands[part + 1]);
    }
    store.insn.mem_type = bytes == 16 ? MemType::kB128 : bytes == 8 ? MemType::kB64 : mem_type(inst.access);
    memory_operand(store, inst, part * element);
    set_arg(store, 1, data);
    emit(std::move(store));
  }
}

}  // namespace g80::codegen
