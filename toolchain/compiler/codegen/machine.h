// SPDX-License-Identifier: Apache-2.0
// Machine instructions with virtual registers: the output of instruction selection, completed by register allocation.
//
// An instruction is an isa::Instruction whose register numbers are not known yet; they stand beside it. A virtual
// register has 1, 2, 3 or 4 words of 32 bits, which get consecutive registers; operands name a word of one. Control
// flow stays outside the instruction lists, as the terminator of a block, until emission.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hw/isa/encoding.h"
#include "hw/isa/instruction.h"
#include "toolchain/compiler/ir/compile_options.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::codegen {

enum class RegClass : std::uint8_t { kGeneral, kFlags, kAddress };

inline constexpr std::uint32_t kNoRegister = 0xffffffffu;
/// Never allocated, so it reads zero.
inline constexpr std::uint8_t kZeroRegister = 124;
inline constexpr unsigned kMaxRegisters = kMostRegisterLimit;

enum class Part : std::uint8_t { kWhole, kLow, kHigh };

/// A word of a virtual register, or half of one.
struct Reg {
  std::uint32_t id = kNoRegister;
  std::uint8_t word = 0;
  Part part = Part::kWhole;  // what an operand touches: said by for_each_use and for_each_def, kept nowhere
  explicit operator bool() const { return id != kNoRegister; }
  friend bool operator==(const Reg& a, const Reg& b) { return a.id == b.id && a.word == b.word; }
  friend bool operator!=(const Reg& a, const Reg& b) { return !(a == b); }
};
/// Word `word` of a register of several, counted from the word that `reg` names.
inline Reg word_at(Reg reg, unsigned word) { return {reg.id, static_cast<std::uint8_t>(reg.word + word)}; }

struct VirtualRegister {
  RegClass cls = RegClass::kGeneral;
  std::uint8_t words = 1, align = 1;
  std::int16_t fixed = -1;  // the register it must get
  std::uint8_t end = 128;   // it must lie below: 64 where an operand names a half of it
  bool is_spill = false;    // made by the spiller: short, not to be spilled again
  bool is_half = false;     // 16 bits of one word: operands name it as its low half
  bool is_low = false;      // half a register that must be the low one: narrow stores read it as a word
};

/// One instruction. Operand slots: `dst` and `src[i]` hold the register of insn.dst and insn.src[i] where those are
/// kReg, kHalf (half in the low bit of index), kPair, kQuad, kFlags or kAddr. Textures: dst names the group.
struct MachineInst {
  isa::Instruction insn;
  Reg dst, src[3];
  Reg addr;                        // $a of the memory operand
  Reg flags_in, flags_out;         // $c read (guard, carry, vote), $c written
  bool is_guarded = false;         // flags_in is the guard: insn.cond
  bool merges = false;             // guarded definition that keeps the old value in the other lanes: reads dst too
  bool is_volatile = false;        // an access that keeps its place among those of its space
  bool is_slot = false;            // an access to the place of a spilled register in l[]
  ir::BlockId target = ir::kNone;  // joinat, breakaddr
  // Loops inside a block (retrying a lock): a label in front of this instruction, the label it branches to; 0: none.
  // Registers that such a loop reads are operands of its last instruction too, so that they live to its end.
  std::uint32_t label = 0, label_target = 0;
  // A call: what it passes, and what the function writes, its results included. All have fixed places.
  std::uint32_t callee = ir::kNone;
  std::vector<Reg> passes, overwrites;
  ir::Location loc;
};

enum class TerminatorKind : std::uint8_t { kNone, kJump, kBranch, kExit };

struct Terminator {
  TerminatorKind kind = TerminatorKind::kNone;
  Reg flags;  // kBranch
  std::uint8_t cond = isa::kAlways;
  ir::BlockId taken = ir::kNone;  // kJump, kBranch
  ir::BlockId other = ir::kNone;  // kBranch: where the condition does not hold
  bool divergent = false;         // kBranch: lanes of a warp may disagree
  ir::Location loc;

  /// What led to `from` leads to `to`.
  void redirect(ir::BlockId from, ir::BlockId to) {
    if (taken == from) taken = to;
    if (other == from) other = to;
  }
};

struct MachineBlock {
  std::vector<MachineInst> insts;
  Terminator end;                 // kNone: the block does not exist
  bool starts_with_join = false;  // its first instruction is the join of a reconvergence region
  bool is_break_target = false;   // where lanes go on that left a loop: branches to it are breaks
  unsigned loop_depth = 0;
};

/// A word that a function is passed or returns: a register that is there at its entry, or at its end.
struct PassedRegister {
  Reg reg;          // none: not requested
  int number = -1;  // assigned register; -1: no reader
};

/// What callers must know of a function that is finished.
struct CalledFunction {
  std::string name;
  std::vector<int> arguments, results;  // registers, as PassedRegister::number; the thread number is the last argument
  std::vector<std::uint8_t> general, flags, addresses;  // registers that it or what it calls writes ($a from 0: $a1)
  unsigned stack_depth = 0;                             // entries of the control stack, with the call's own
  std::uint32_t local_end = 0;                          // behind its l[]
  unsigned barriers = 0;
};

struct MachineFunction {
  std::string name;
  std::vector<VirtualRegister> regs;
  std::vector<MachineBlock> blocks;     // blocks[0] is the entry
  std::vector<std::uint32_t> literals;  // c1[]
  std::uint32_t local_bytes = 0;        // l[] used so far
  std::uint32_t parameter_end = 0;      // s[] below holds the launch header and parameters
  unsigned spill_stores = 0, spill_loads = 0;
  unsigned barriers = 0;
  bool has_halves = false;  // some registers have 16 bits, or some words are made of two halves
  bool is_called = false;   // a function: its ends return
  std::vector<PassedRegister> arguments, results;
  const std::vector<CalledFunction>* functions = nullptr;  // of the kernel, as far as they are finished
  unsigned stack_depth = 0;                                // entries of the control stack, with those of calls

  /// A block of its own that only goes on to `to`.
  ir::BlockId new_jump(ir::BlockId to, const ir::Location& loc) {
    MachineBlock block;
    block.end.kind = TerminatorKind::kJump;
    block.end.taken = to;
    block.end.loc = loc;
    blocks.push_back(std::move(block));
    return static_cast<ir::BlockId>(blocks.size() - 1);
  }
  Reg new_register(RegClass cls = RegClass::kGeneral, std::uint8_t words = 1, std::uint8_t align = 1) {
    VirtualRegister reg;
    reg.cls = cls;
    reg.words = words;
    reg.align = align;
    regs.push_back(reg);
    return {static_cast<std::uint32_t>(regs.size() - 1), 0};
  }
  Reg new_half() {
    const Reg reg = new_register();
    regs[reg.id].is_half = true;
    regs[reg.id].end = 64;
    has_halves = true;
    return reg;
  }
  /// Byte offset in c1[] of a word; equal words share one.
  std::uint32_t literal(std::uint32_t word);
  std::vector<std::vector<ir::BlockId>> predecessors() const;
};

inline std::vector<ir::BlockId> successors(const Terminator& end) {
  if (end.kind == TerminatorKind::kJump) return {end.taken};
  if (end.kind == TerminatorKind::kBranch) return {end.taken, end.other};
  return {};
}

/// Number of words of an operand (0: not a general register).
inline unsigned operand_words(isa::OperandKind kind) {
  switch (kind) {
    case isa::OperandKind::kReg:
    case isa::OperandKind::kHalf: return 1;
    case isa::OperandKind::kPair: return 2;
    case isa::OperandKind::kQuad: return 4;
    default: return 0;
  }
}

/// The register of an operand, with the part of it that is meant.
inline Reg with_part(Reg reg, const isa::Operand& op) {
  if (op.kind == isa::OperandKind::kHalf) reg.part = (op.index & 1) != 0 ? Part::kHigh : Part::kLow;
  return reg;
}

/// Stores the low half of a register, or its low byte.
inline bool is_narrow_store(const MachineInst& inst) {
  const isa::Op op = inst.insn.op;
  const isa::MemType type = inst.insn.mem_type;
  return (op == isa::Op::kStGlobal || op == isa::Op::kStLocal || op == isa::Op::kStShared) &&
         (type == isa::MemType::kU8 || type == isa::MemType::kS8 || type == isa::MemType::kU16 ||
          type == isa::MemType::kS16);
}

/// Calls f(reg, words) for every register the instruction reads, or writes; of every class. One word may be half of
/// one: reg.part.
template <typename F>
void for_each_use(const MachineInst& inst, F&& f) {
  for (int i = 0; i < 3; ++i) {
    if (!inst.src[i]) continue;
    Reg reg = with_part(inst.src[i], inst.insn.src[i]);
    if (i == 1 && reg.part == Part::kWhole && is_narrow_store(inst)) reg.part = Part::kLow;
    f(reg, std::max(1u, operand_words(inst.insn.src[i].kind)));
  }
  if (inst.insn.unit == isa::Unit::kTexture) f(inst.dst, unsigned{inst.insn.tex_sources});
  if (inst.merges && inst.dst) {
    f(with_part(inst.dst, inst.insn.dst), std::max(1u, operand_words(inst.insn.dst.kind)));
  }
  if (inst.merges && inst.flags_out) f(inst.flags_out, 1u);
  if (inst.addr) f(inst.addr, 1u);
  if (inst.flags_in) f(inst.flags_in, 1u);
  for (const Reg& reg : inst.passes) f(reg, 1u);
}
template <typename F>
void for_each_def(const MachineInst& inst, F&& f) {
  if (inst.insn.unit == isa::Unit::kTexture) {
    unsigned results = 0;
    for (unsigned i = 0; i < 4; ++i) results += inst.insn.tex_mask >> i & 1u;
    f(inst.dst, results);
  } else if (inst.dst) {
    f(with_part(inst.dst, inst.insn.dst), std::max(1u, operand_words(inst.insn.dst.kind)));
  }
  if (inst.flags_out) f(inst.flags_out, 1u);
  for (const Reg& reg : inst.overwrites) f(reg, 1u);
}

/// A plain copy of one general register to another, in every lane.
bool is_copy(const MachineInst& inst);
/// The same of half a register to half of one.
bool is_half_copy(const MachineInst& inst);
inline bool is_any_copy(const MachineInst& inst) { return is_copy(inst) || is_half_copy(inst); }
/// Stands for no instruction: memory accesses stay on their side of it. schedule_blocks removes it.
inline bool is_fence(const MachineInst& inst) {
  return inst.insn.op == isa::Op::kNop && !inst.insn.join && !inst.insn.exit;
}
MachineInst make_copy(Reg dst, Reg src, const ir::Location& loc);
/// Halves 0 (low) or 1 of the two.
MachineInst make_half_copy(Reg dst, unsigned dst_half, Reg src, unsigned src_half, const ir::Location& loc);

/// Text for tests and debugging.
std::string print(const MachineFunction& function);

}  // namespace g80::codegen
