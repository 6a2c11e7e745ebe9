// SPDX-License-Identifier: Apache-2.0
// Instruction selection: IR to machine instructions with virtual registers.
//
// Blocks are visited so that uses come before definitions, instructions from last to first. A use says what it needs of
// a value: a register, a flag register, or nothing because it took the defining operation into its own instruction (an
// s[] or c[] operand, a half register, the product of a multiply-add). A definition nobody asked for emits nothing.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "toolchain/compiler/codegen/half_values.h"
#include "toolchain/compiler/codegen/layout.h"
#include "toolchain/compiler/codegen/machine.h"
#include "toolchain/compiler/codegen/ranges.h"
#include "toolchain/compiler/ir/compile_options.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::codegen {

/// A source operand of a machine instruction.
struct Arg {
  isa::Operand op;
  Reg reg;
  Reg addr;  // $a of a memory operand
  std::uint32_t immediate = 0;
  bool is_volatile = false;  // reads a volatile variable
};

/// What a function is made after.
struct CallContext {
  bool is_called = false;                                  // it is no kernel
  const std::vector<CalledFunction>* functions = nullptr;  // that are finished
  std::vector<std::uint32_t> literals;                     // that they have in c1[]
};

/// How many places the 16-bit address field of an instruction names: elements or bytes, as the instruction counts.
inline constexpr std::uint32_t kFieldReach = 0x10000;
/// The machine's operation for kAnd, kOr or kXor.
inline isa::Op logic_op(ir::Op op) {
  return op == ir::Op::kAnd ? isa::Op::kAnd : op == ir::Op::kOr ? isa::Op::kOr : isa::Op::kXor;
}

class Selector {
 public:
  Selector(const ir::Module& module, const ir::Function& function, const KernelLayout& layout, const CallContext& calls,
           const CompileOptions& options, const std::string& filename);

  MachineFunction run();

 private:
  // the walk
  void number_values();
  void assign_group_registers();
  void select_block(ir::BlockId block);
  void select_terminator(ir::BlockId block);
  void select_phi_copies(ir::BlockId block);
  void select_inst(const ir::Inst& inst);
  [[noreturn]] void fail(const ir::Inst& inst, const std::string& message) const;

  // calls
  void begin_function();
  void finish_function();
  Reg fixed_register(RegClass cls, unsigned number);
  void select_argument(const ir::Inst& inst);
  void move_word(Reg dst, ir::ValueId value);
  void select_return();
  void select_call(const ir::Inst& inst);

  // values
  ir::ValueId root(ir::ValueId value) const;  // through copies that cost nothing
  const ir::Inst* def(ir::ValueId value) const { return f_.def(root(value)); }
  bool is_constant(ir::ValueId value) const { return f_.is_constant(root(value)); }
  std::uint32_t word_of(ir::ValueId value) const { return static_cast<std::uint32_t>(f_.values[root(value)].bits); }
  bool is_word(ir::ValueId value, std::uint32_t word) const { return is_constant(value) && word_of(value) == word; }
  unsigned words_of(ir::ValueId value) const;
  Reg reg_of(ir::ValueId value);  // of a value that is defined or needed in a register
  Reg need(ir::ValueId value);    // asks for it; constants are loaded here
  Reg need_flags(ir::ValueId value, bool& inverted);
  bool wanted(ir::ValueId value) const { return in_register_[root(value)] || in_flags_[root(value)]; }
  /// The defining operation may be taken into the instruction being selected: nobody else reads it and it is in this
  /// block. `op` must match.
  const ir::Inst* sole(ir::ValueId value, ir::Op op) const;
  /// The defining operation if it is `op` (any number of readers: for operations whose operands stay available).
  const ir::Inst* defined_by(ir::ValueId value, ir::Op op) const;

  // operands
  Arg register_arg(ir::ValueId value);
  bool shared_arg(ir::ValueId value, Arg& arg);  // s[] for source 1
  bool can_be_shared(ir::ValueId value) const;
  bool constant_arg(ir::ValueId value, Arg& arg);  // c[] for source 2 or 3
  bool can_be_constant(ir::ValueId value) const;
  /// A word of the literal pool; beyond `reach` bytes a register. What is left of the pool serves emission.
  Arg literal_arg(std::uint32_t word, std::uint32_t reach = 0x180);
  bool half_arg(ir::ValueId value, Arg& arg, bool is_signed);  // 16 bits of a register or s[]
  bool can_be_half(ir::ValueId value, bool is_signed);
  bool is_half(ir::ValueId value) const { return halves_[root(value)]; }
  /// The register whose low half has a value's low 16 bits: half a register, or a word below $r64.
  Reg need_half(ir::ValueId value);
  Arg half_register_arg(ir::ValueId value);
  /// 16 bits of a value as a source: the first operand may be in s[], the second in c[]. Of extensions and upper
  /// halves, what they are of.
  Arg first_half(ir::ValueId value, HalfKind kind = HalfKind::kUnsigned);
  Arg second_half(ir::ValueId value, HalfKind kind = HalfKind::kUnsigned);
  Arg half_source(ir::ValueId value, bool is_first, HalfKind kind);
  Arg half_literal(std::uint32_t word);
  struct TwoArgs {
    Arg a, b;
  };
  /// Operands of an instruction of two: s[] may be the first, c[] or (`immediate`) a constant the second. `swapped`,
  /// if not null, allows exchanging them and tells whether it happened.
  TwoArgs two_args(ir::ValueId a, ir::ValueId b, bool immediate, bool* swapped = nullptr);
  TwoArgs word_args(ir::ValueId a, std::uint32_t word, bool immediate);
  /// The same with 16 bits.
  TwoArgs half_args(ir::ValueId a, ir::ValueId b, bool immediate, bool* swapped = nullptr,
                    HalfKind kind = HalfKind::kUnsigned);
  Reg shared_address(const ir::Inst& load, std::uint32_t reach, unsigned scale, std::uint32_t& offset);
  bool constant_address(const ir::Inst& access, std::uint32_t& address) const;
  bool no_store_since(const ir::Inst& load) const;

  // emission
  MachineInst start(isa::Op op) const;
  void set_arg(MachineInst& inst, unsigned slot, const Arg& arg);
  void set_dst(MachineInst& inst, Reg reg, isa::OperandKind kind = isa::OperandKind::kReg);
  void emit(MachineInst inst);
  MachineInst two(isa::Op op, isa::NumType type, Reg dst, const TwoArgs& args);
  void move(Reg dst, const Arg& arg);
  void move_half(Reg dst, const Arg& arg, std::uint8_t half = 0);
  Reg load_word(std::uint32_t word);
  /// The register must lie below `end`: halves reach to 64, to 32 in instructions with an immediate.
  void limit_register(Reg reg, std::uint8_t end) { m_.regs[reg.id].end = std::min(m_.regs[reg.id].end, end); }
  void guard(MachineInst& inst, Reg flags, bool inverted);

  // by kind of operation
  bool select_integer(const ir::Inst& inst);
  bool select_predicate(const ir::Inst& inst);
  bool select_float(const ir::Inst& inst);
  bool select_double(const ir::Inst& inst);
  bool select_conversion(const ir::Inst& inst);
  bool select_memory(const ir::Inst& inst);
  bool select_special(const ir::Inst& inst);
  void select_select(const ir::Inst& inst);
  void select_half(const ir::Inst& inst);
  bool select_word_of_halves(const ir::Inst& inst);
  bool saves_by_halves(ir::ValueId x, ir::ValueId y) const;
  bool select_half_set(const ir::Inst& inst, unsigned code, bool is_signed);
  bool select_half_sad(const ir::Inst& inst);
  void select_add(const ir::Inst& inst);
  bool select_counted(const ir::Inst& inst);
  void select_multiply(const ir::Inst& inst);
  void select_mad(const ir::Inst& mul, ir::ValueId addend, isa::Op mad_op, Reg dst);
  const ir::Inst* sole_product(ir::ValueId value) const;
  bool can_mad(const ir::Inst* mul);
  enum class Product { kNone, kU16, kS16, kU24, kS24, kU24High, kS24High };
  Product product_kind(const ir::Inst& mul);
  void product_args(const ir::Inst& mul, Product kind, MachineInst& inst, bool constant_free);
  void select_carry(const ir::Inst& inst);
  void select_fadd(const ir::Inst& inst);
  void select_fmad(const ir::Inst& inst, ir::ValueId x, ir::ValueId y, ir::ValueId z, bool neg_product, bool neg_z);
  void saturate(Reg dst, Reg src);
  /// Takes negations (and magnitudes, if `abs`) into the operand's modifiers.
  void strip_signs(ir::ValueId& value, bool& neg, bool* abs) const;
  void select_load(const ir::Inst& inst);
  void load_element(const ir::Inst& inst, ir::Access access, std::uint32_t offset, Reg dst);
  void memory_operand(MachineInst& access, const ir::Inst& inst, std::uint32_t offset);
  unsigned texture_unit(const ir::Inst& inst) const { return module_.textures[inst.texture].unit; }
  ir::Space variable_space(const ir::Inst& inst) const { return module_.variables[inst.variable].space; }
  void select_store(const ir::Inst& inst);
  void select_atomic(const ir::Inst& inst);
  void select_shared_atomic(const ir::Inst& inst);
  Reg updated_word(const ir::Inst& inst, Reg old, const std::vector<Reg>& inputs);
  void select_texture(const ir::Inst& inst);
  void finish_set(MachineInst& inst, ir::ValueId result);

  const ir::Module& module_;
  const ir::Function& f_;
  const KernelLayout& layout_;
  const CallContext& calls_;
  const CompileOptions& options_;
  const std::string& filename_;
  Ranges ranges_;
  HalfValues halves_;
  MachineFunction m_;
  Reg thread_id_;  // $r0 at the start
  std::map<std::pair<RegClass, unsigned>, Reg> fixed_;
  std::vector<MachineInst> entry_;   // copies that come first
  std::vector<std::uint32_t> uses_;  // of root values
  std::vector<Reg> reg_, flags_;
  std::vector<std::uint8_t> in_register_, in_flags_;
  std::vector<std::uint8_t> is_operand_;  // loads of volatile variables that an instruction behind them performs
  std::vector<ir::BlockId> block_of_;     // of instructions
  std::vector<std::uint32_t> index_of_;   // within the block
  ir::BlockId block_ = 0;
  std::uint32_t index_ = 0;  // of the instruction being selected
  const ir::Inst* current_ = nullptr;
  std::vector<MachineInst> sequence_;  // of the instruction being selected, in order
  std::vector<MachineInst> reversed_;  // of the block, last first
  std::uint32_t labels_ = 0;           // given out within blocks
  std::vector<Reg> carry_of_;          // by instruction: flag register an addition must write
};

}  // namespace g80::codegen
