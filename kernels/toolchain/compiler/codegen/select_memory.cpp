// Loads, stores, atomics and textures.
#include <algorithm>

#include "kernels/toolchain/compiler/codegen/select.h"

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
constexpr std::uint32_t kFieldReach = 0x10000;  // of the 16-bit address field, in elements

MemType mem_type(Access access) {
  constexpr MemType kTypes[] = {MemType::kU8, MemType::kS8, MemType::kU16, MemType::kS16, MemType::kB32, MemType::kB64};
  return kTypes[static_cast<unsigned>(access)];
}

Reg word_at(Reg reg, unsigned word) { return {reg.id, static_cast<std::uint8_t>(reg.word + word)}; }

}  // namespace

/// $a for a memory operand whose address is not constant; `offset` is what remains for its offset field, which counts
/// `reach` elements of `scale` bytes.
Reg Selector::shared_address(const ir::Inst& load, std::uint32_t reach, unsigned scale, std::uint32_t& offset) {
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
  if (wrapped % scale == 0 && wrapped / scale < reach) {
    offset = wrapped;
    return address;
  }
  MachineInst add = start(isa::Op::kAddAddr);
  const Reg sum = m_.new_register(RegClass::kAddress);
  set_dst(add, sum, OperandKind::kAddr);
  add.insn.src[0].kind = OperandKind::kAddr;
  add.src[0] = address;
  add.insn.src[1].kind = OperandKind::kImm;
  add.insn.immediate = wrapped;
  emit(std::move(add));
  offset = 0;
  return sum;
}

bool Selector::select_memory(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::kLoad:
      select_load(inst);
      return true;
    case Op::kStore:
      select_store(inst);
      return true;
    case Op::kAtomic:
      select_atomic(inst);
      return true;
    case Op::kTexture:
      select_texture(inst);
      return true;
    default:
      return false;
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
  // s[] and c[] have no vectors: one load for every word somebody reads
  for (std::size_t i = 0; i < inst.results.size(); ++i) {
    const ValueId result = inst.results[i];
    if (!in_register_[result] && !inst.is_volatile) continue;
    const unsigned words = element == 8 ? 2 : 1;
    for (unsigned w = 0; w < words; ++w) {
      const Access access = element == 8 ? Access::kB32 : inst.access;
      load_element(inst, access, static_cast<std::uint32_t>(i * element + w * 4), word_at(reg_of(result), w));
    }
  }
}

/// One element of s[] or c[] into a register.
void Selector::load_element(const ir::Inst& inst, Access access, std::uint32_t offset, Reg dst) {
  ir::Inst part = inst;
  part.offset += static_cast<std::int32_t>(offset);
  const unsigned bytes = ir::access_bytes(access);
  const bool is_shared = inst.space != Space::kConst;
  const bool sign_later = access == Access::kS8;  // no signed bytes in s[] and c[]
  const MemType type = sign_later ? MemType::kU8 : mem_type(access);
  const Reg loaded = sign_later ? m_.new_register() : dst;
  std::uint32_t address = 0;
  const bool is_direct = constant_address(part, address);
  const bool has_load = !is_shared || options_.arch >= isa::Arch::kSm11;
  // within reach of an operand a mov is as good and may become short
  const bool is_move = is_shared && (!has_load || (is_direct && address / bytes < 32));
  MachineInst load = start(is_move ? isa::Op::kMov : is_shared ? isa::Op::kLdShared : isa::Op::kLdConst);
  load.insn.dst_type = load.insn.src_type = NumType::kB32;
  set_dst(load, loaded);
  Arg arg;
  arg.op.kind = is_shared ? OperandKind::kShared : OperandKind::kConst;
  arg.op.bank = kUserConstantBank;
  arg.op.type = type;
  if (!is_move) load.insn.mem_type = type;
  const std::uint32_t reach = is_move ? 32 : kFieldReach / bytes;
  if (!is_direct) {
    arg.addr = shared_address(part, reach, bytes, address);
  } else if (address / bytes >= reach) {
    MachineInst add = start(isa::Op::kAddAddr);
    arg.addr = m_.new_register(RegClass::kAddress);
    set_dst(add, arg.addr, OperandKind::kAddr);
    add.insn.src[0].kind = OperandKind::kAddr;
    add.insn.src[1].kind = OperandKind::kImm;
    add.insn.immediate = address & 0xffff;
    emit(std::move(add));
    address = 0;
  }
  arg.op.offset = static_cast<std::uint16_t>(address);
  set_arg(load, 0, arg);
  emit(std::move(load));
  if (sign_later) {
    MachineInst convert = start(isa::Op::kCvtI2I);
    convert.insn.dst_type = NumType::kS32;
    convert.insn.src_type = NumType::kS8;
    set_dst(convert, dst);
    convert.insn.src[0].kind = OperandKind::kReg;
    convert.src[0] = loaded;
    emit(std::move(convert));
  }
}

/// The g[] or l[] operand (source 0) of an access `offset` bytes behind the address of `inst`.
void Selector::memory_operand(MachineInst& access, const ir::Inst& inst, std::uint32_t offset) {
  ir::Inst part = inst;
  part.offset += static_cast<std::int32_t>(offset);
  std::uint32_t address = 0;
  const bool is_direct = constant_address(part, address);
  if (inst.space == Space::kLocal) {
    access.insn.src[0].kind = OperandKind::kLocal;
    if (!is_direct) access.addr = shared_address(part, kFieldReach, 1, address);
    access.insn.src[0].offset = static_cast<std::uint16_t>(address);
    return;
  }
  access.insn.space = kGlobalSpace;
  access.insn.src[0].kind = OperandKind::kReg;
  if (is_direct) {
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
      Arg data = register_arg(inst.operands[i + 1]);
      for (unsigned w = 0; w < words; ++w) {
        MachineInst store = start(isa::Op::kStShared);
        ir::Inst part = inst;
        part.offset += static_cast<std::int32_t>(i * element + w * 4);
        const unsigned bytes = element == 8 ? 4 : element;
        std::uint32_t address = 0;
        if (!constant_address(part, address)) store.addr = shared_address(part, kFieldReach / bytes, bytes, address);
        store.insn.src[0].kind = OperandKind::kShared;
        store.insn.src[0].type = bytes == 1 ? MemType::kU8 : bytes == 2 ? MemType::kU16 : MemType::kB32;
        store.insn.mem_type = store.insn.src[0].type;
        store.insn.src[0].offset = static_cast<std::uint16_t>(address);
        store.insn.src[1].kind = OperandKind::kReg;
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
    } else {
      data = register_arg(inst.operands[part + 1]);
    }
    store.insn.mem_type = bytes == 16 ? MemType::kB128 : bytes == 8 ? MemType::kB64 : mem_type(inst.access);
    memory_operand(store, inst, part * element);
    set_arg(store, 1, data);
    emit(std::move(store));
  }
}

void Selector::select_atomic(const ir::Inst& inst) {
  if (inst.space != Space::kGlobal) fail(inst, "atomic operations on shared memory are not supported");
  if (options_.arch < isa::Arch::kSm11) fail(inst, "atomic operations need sm_11");
  const bool is_wide = inst.access == Access::kB64;
  if (is_wide && options_.arch < isa::Arch::kSm12) fail(inst, "64-bit atomic operations need sm_12");
  const bool is_wanted = !inst.results.empty() && wanted(inst.results[0]);
  const bool can_reduce = inst.atom_op != isa::AtomOp::kExch && inst.atom_op != isa::AtomOp::kCas;
  MachineInst atomic = start(is_wanted || !can_reduce ? isa::Op::kAtom : isa::Op::kRed);
  atomic.insn.atom_op = inst.atom_op;
  switch (inst.atom_op) {
    case isa::AtomOp::kAdd:
    case isa::AtomOp::kInc:
    case isa::AtomOp::kDec:
      atomic.insn.mem_type = is_wide ? MemType::kU64 : MemType::kU32;
      break;
    case isa::AtomOp::kMin:
    case isa::AtomOp::kMax:
      atomic.insn.mem_type = inst.is_signed ? MemType::kS32 : MemType::kU32;
      break;
    default:
      atomic.insn.mem_type = is_wide ? MemType::kB64 : MemType::kB32;
      break;
  }
  memory_operand(atomic, inst, 0);
  const OperandKind kind = is_wide ? OperandKind::kPair : OperandKind::kReg;
  for (std::size_t i = 1; i < inst.operands.size(); ++i) {
    set_arg(atomic, static_cast<unsigned>(i), register_arg(inst.operands[i]));
  }
  if (atomic.insn.op == isa::Op::kAtom) {
    const Reg unread = is_wide ? m_.new_register(RegClass::kGeneral, 2, 2) : m_.new_register();
    set_dst(atomic, is_wanted ? reg_of(inst.results[0]) : unread, kind);
  }
  emit(std::move(atomic));
}

void Selector::select_texture(const ir::Inst& inst) {
  MachineInst fetch = start(f_.type_of(inst.operands[0]) == Type::kI32 ? isa::Op::kTexFetch : isa::Op::kTexAuto);
  fetch.insn.unit = isa::Unit::kTexture;
  fetch.insn.tex = fetch.insn.sampler = static_cast<std::uint8_t>(texture_unit(inst));
  fetch.insn.tex_sources = static_cast<std::uint8_t>(inst.operands.size());
  fetch.insn.tex_mask = 0;
  Reg group;
  for (unsigned i = 0; i < 4; ++i) {
    if (uses_[inst.results[i]] == 0) continue;
    fetch.insn.tex_mask |= static_cast<std::uint8_t>(1u << i);
    if (!group) group = reg_[inst.results[i]];
  }
  group.word = 0;
  for (unsigned i = 0; i < inst.operands.size(); ++i) {
    const ValueId coordinate = inst.operands[i];
    Arg arg;
    if (is_constant(coordinate)) {
      arg.op.kind = OperandKind::kImm;
      arg.immediate = word_of(coordinate);
    } else {
      arg = register_arg(coordinate);
    }
    move(word_at(group, i), arg);
  }
  set_dst(fetch, group);
  fetch.insn.tex_live = true;
  emit(std::move(fetch));
}

bool Selector::select_special(const ir::Inst& inst) {
  const auto special = [&](std::uint8_t index) {
    MachineInst read = start(isa::Op::kMovFromSpecial);
    read.insn.dst_type = NumType::kB32;
    const Reg reg = m_.new_register();
    set_dst(read, reg);
    read.insn.src[0].kind = OperandKind::kSpecial;
    read.insn.src[0].index = index;
    emit(std::move(read));
    return reg;
  };
  const auto of = [](Reg reg) {
    Arg arg;
    arg.op.kind = OperandKind::kReg;
    arg.reg = reg;
    return arg;
  };
  const auto masked = [&](Reg dst, Reg src, std::uint32_t shift, std::uint32_t mask) {
    if (shift != 0) {
      Arg count;
      count.op.kind = OperandKind::kImm;
      count.immediate = shift;
      const Reg shifted = mask == 0 ? dst : m_.new_register();
      MachineInst down = two(isa::Op::kShr, NumType::kU32, shifted, {of(src), count});
      down.insn.form = isa::Form::kLong;
      emit(std::move(down));
      src = shifted;
    }
    if (mask == 0) return;
    Arg bits;
    bits.op.kind = OperandKind::kImm;
    bits.immediate = mask;
    emit(two(isa::Op::kAnd, NumType::kB32, dst, {of(src), bits}));
  };
  switch (inst.op) {
    case Op::kSpecial: {
      const Reg dst = reg_of(inst.results[0]);
      switch (inst.special) {
        case ir::Special::kTidX:
          masked(dst, thread_id_, 0, 0xffff);
          return true;
        case ir::Special::kTidY:
          masked(dst, thread_id_, 16, 0x3ff);
          return true;
        case ir::Special::kTidZ:
          masked(dst, thread_id_, 26, 0);
          return true;
        case ir::Special::kCtaidZ:
        case ir::Special::kNctaidZ: {
          Arg arg;
          arg.op.kind = OperandKind::kImm;
          arg.immediate = inst.special == ir::Special::kNctaidZ;
          move(dst, arg);
          return true;
        }
        case ir::Special::kPhysid:
          move(dst, of(special(0)));
          return true;
        case ir::Special::kLaneid:
          masked(dst, special(0), 0, 0x1f);
          return true;
        case ir::Special::kWarpid:
          masked(dst, special(0), 8, 0xff);
          return true;
        case ir::Special::kSmid:
          masked(dst, special(0), 16, 0xff);
          return true;
        case ir::Special::kPm0:
        case ir::Special::kPm1:
        case ir::Special::kPm2:
        case ir::Special::kPm3:
          move(dst, of(special(static_cast<std::uint8_t>(4 + static_cast<unsigned>(inst.special) -
                                                         static_cast<unsigned>(ir::Special::kPm0)))));
          return true;
        default: {
          Arg arg;
          if (!shared_arg(inst.results[0], arg)) return false;
          move(dst, arg);
          return true;
        }
      }
    }
    case Op::kClock:
      move(reg_of(inst.results[0]), of(special(1)));
      return true;
    case Op::kVarAddr: {
      Arg arg;
      if (variable_space(inst) == Space::kGlobal) {
        const Reg base = m_.new_register();
        const Reg dst = reg_of(inst.results[0]);
        arg.op.kind = OperandKind::kConst;
        arg.op.bank = kDeviceAddressBank;
        arg.op.offset = static_cast<std::uint16_t>(layout_.address[inst.variable]);
        move(inst.offset == 0 ? dst : base, arg);
        if (inst.offset != 0) {
          Arg offset;
          offset.op.kind = OperandKind::kImm;
          offset.immediate = static_cast<std::uint32_t>(inst.offset);
          emit(two(isa::Op::kAdd, NumType::kB32, dst, {of(base), offset}));
        }
        return true;
      }
      return false;
    }
    case Op::kTrunc:
    case Op::kHigh:
      need(inst.operands[0]);
      return true;
    case Op::kPack: {
      const Reg pair = reg_of(inst.results[0]);
      for (unsigned w = 0; w < 2; ++w) {
        Arg arg;
        if (is_constant(inst.operands[w])) {
          arg.op.kind = OperandKind::kImm;
          arg.immediate = word_of(inst.operands[w]);
        } else if (!shared_arg(inst.operands[w], arg)) {
          arg = register_arg(inst.operands[w]);
        }
        move(word_at(pair, w), arg);
      }
      return true;
    }
    case Op::kBarrier: {
      if (inst.immediate > 15) fail(inst, "a block has 16 barriers");
      MachineInst bar = start(isa::Op::kBar);
      bar.insn.form = isa::Form::kControl;
      bar.insn.barrier = static_cast<std::uint8_t>(inst.immediate);
      bar.insn.bar_arrive = bar.insn.bar_wait = true;
      bar.insn.bar_count = 0xfff;
      m_.barriers = std::max(m_.barriers, inst.immediate);
      emit(std::move(bar));
      return true;
    }
    case Op::kMembar:
      return true;  // accesses of a thread are performed in order; there is no fence instruction
    case Op::kTrap:
    case Op::kBrkpt: {
      if (inst.op == Op::kBrkpt && options_.arch < isa::Arch::kSm11) fail(inst, "brkpt needs sm_11");
      MachineInst stop = start(inst.op == Op::kTrap ? isa::Op::kTrap : isa::Op::kBrkpt);
      stop.insn.form = isa::Form::kControl;
      emit(std::move(stop));
      return true;
    }
    case Op::kPmevent: {
      MachineInst event = start(isa::Op::kPmevent);
      event.insn.pm_event = static_cast<std::uint8_t>(inst.immediate & 0xf);
      emit(std::move(event));
      return true;
    }
    default:
      return false;
  }
}

}  // namespace g80::codegen
