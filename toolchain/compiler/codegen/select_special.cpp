// SPDX-License-Identifier: Apache-2.0
// Selects textures, special registers, barriers, traps and the like.
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

constexpr unsigned kTextures = 128, kSamplers = 16;

}  // namespace

void Selector::select_texture(const ir::Inst& inst) {
  MachineInst fetch = start(f_.type_of(inst.operands[0]) == Type::kI32 ? isa::Op::kTexFetch : isa::Op::kTexAuto);
  fetch.insn.unit = isa::Unit::kTexture;
  // texel fetches use no sampler; for other reads the sampler has the number of the texture
  const bool is_fetch = fetch.insn.op == isa::Op::kTexFetch;
  const unsigned unit = texture_unit(inst);
  if (unit >= kTextures) fail(inst, "texture unit " + std::to_string(unit) + " does not exist");
  if (unit >= kSamplers && !is_fetch)
    fail(inst, "this is texture " + std::to_string(unit + 1) + " of the file; only the first " +
                   std::to_string(kSamplers) + " can be read at coordinates that are floats");
  fetch.insn.tex = static_cast<std::uint8_t>(unit);
  fetch.insn.sampler = is_fetch ? 0 : fetch.insn.tex;
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
        case ir::Special::kTidX: masked(dst, thread_id_, 0, 0xffff); return true;
        case ir::Special::kTidY: masked(dst, thread_id_, 16, 0x3ff); return true;
        case ir::Special::kTidZ: masked(dst, thread_id_, 26, 0); return true;
        case ir::Special::kCtaidZ:
        case ir::Special::kNctaidZ: {
          Arg arg;
          arg.op.kind = OperandKind::kImm;
          arg.immediate = inst.special == ir::Special::kNctaidZ;
          move(dst, arg);
          return true;
        }
        case ir::Special::kPhysid: move(dst, of(special(0))); return true;
        case ir::Special::kLaneid: masked(dst, special(0), 0, 0x1f); return true;
        case ir::Special::kWarpid: masked(dst, special(0), 8, 0xff); return true;
        case ir::Special::kSmid: masked(dst, special(0), 16, 0xff); return true;
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
    case Op::kClock: move(reg_of(inst.results[0]), of(special(1))); return true;
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
    case Op::kHigh: need(inst.operands[0]); return true;
    case Op::kZext32:  // a pack with a high word of zero
    case Op::kPack: {
      const Reg pair = reg_of(inst.results[0]);
      for (unsigned w = 0; w < 2; ++w) {
        Arg arg;
        if (w == inst.operands.size()) {
          arg.op.kind = OperandKind::kImm;
        } else if (is_constant(inst.operands[w])) {
          arg.op.kind = OperandKind::kImm;
          arg.immediate = word_of(inst.operands[w]);
        } else if (!shared_arg(inst.operands[w], arg)) {
          arg = register_arg(inst.operands[w]);
        }
        move(word_at(pair, w), arg);
      }
      return true;
    }
    case Op::kArgument: select_argument(inst); return true;
    case Op::kCall: select_call(inst); return true;
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
      emit(start(isa::Op::kNop));  // the chip performs a thread's accesses in order: only the scheduler must know
      return true;
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
    default: return false;
  }
}

}  // namespace g80::codegen
