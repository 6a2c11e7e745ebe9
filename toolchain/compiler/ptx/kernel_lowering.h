// SPDX-License-Identifier: Apache-2.0
// Lowers one kernel, or one called function, from syntax to IR. The instructions are lowered in lower_*.cpp, one group
// each.
#pragma once
#include <string>
#include <vector>

#include "toolchain/compiler/ptx/call_plan.h"
#include "toolchain/compiler/ptx/emitter.h"
#include "toolchain/compiler/ptx/lowering.h"

namespace g80::ptx {

class KernelLowering {
 public:
  /// `kernel` is what is made; of the functions called it must know arguments and results already: `signatures`.
  KernelLowering(const Module& module, ModuleTables& tables, const CompileOptions& options,
                 std::vector<Diagnostic>& warnings, const CallPlan& plan, const std::vector<ir::Function>& signatures,
                 bool& warned_f64, ir::Function& kernel)
      : module_(module),
        tables_(tables),
        options_(options),
        warnings_(warnings),
        plan_(plan),
        signatures_(signatures),
        warned_f64_(warned_f64),
        emit_(kernel) {}

  void run(const Function& entry);
  /// A function that is called. Its arguments and results are words: pieces of its .param variables, or registers.
  void run_function(const Function& function);

 private:
  /// A function being lowered: the kernel, or a device function at one of its calls.
  struct Frame {
    const Function* function = nullptr;
    const Frame* caller = nullptr;
    VariableId first_register = 0;         // of those that the function has for itself
    std::vector<std::uint32_t> variables;  // IR variable of each variable; kNone: not needed yet
    ir::BlockId return_block = ir::kNone;  // kNone: the kernel, whose ret ends the thread
    std::vector<ir::BlockId> heads;        // per basic block of the body
    std::vector<std::uint32_t> block_at;   // per instruction: the basic block that begins there, or kNone
  };

  /// Address of a memory access.
  struct Address {
    ir::Space space = ir::Space::kGlobal;
    ValueId base = ir::kNone;
    std::int32_t offset = 0;
  };

  // control flow (lower_control.cpp, calls in lower_call.cpp)
  void parameters(const Function& entry);
  void open_outermost(Frame& frame,
                      const Function& function);  // of a kernel or a called function: its first block, too
  void open_frame(Frame& frame, const Function& function, const Frame* caller);
  void body(Frame& frame);
  void basic_block(std::uint32_t begin, std::uint32_t end);
  void instruction(const Instruction& inst);
  void guarded(const Instruction& inst);
  void dispatch(const Instruction& inst);
  bool ends_block(const Instruction& inst) const;
  void terminator(const Instruction& inst, std::uint32_t next);
  void call(const Instruction& inst);
  void check_call(const Function& callee, const Instruction& inst) const;
  void pass_arguments(const Function& callee, const Instruction& inst, Frame& frame);
  void bind_memory(const Function& callee, const FunctionParameter& formal, const Operand& actual, Frame& frame);
  void inline_body(Frame& frame);
  void call_function(std::uint32_t index, Frame& frame);
  void take_results(const Function& callee, const Instruction& inst, const Frame& frame);
  ir::Inst memory_access(Op op, std::uint32_t variable, std::uint32_t offset, unsigned bytes,
                         std::vector<ValueId> values);
  std::vector<ir::PassedWord> word_list(const Function& function, const std::vector<FunctionParameter>& list) const;
  std::vector<ValueId> read_words(const Frame& frame, const std::vector<FunctionParameter>& list);
  void write_words(const Frame& frame, const std::vector<FunctionParameter>& list, const std::vector<ValueId>& words);
  void leave();
  ir::BlockId head_of(std::uint32_t index) const;

  // operands (lower_operand.cpp)
  ir::Type ir_type(Scalar type) const;
  VariableId register_of(const Frame& frame, std::uint32_t id) const;
  ValueId read_register(std::uint32_t id);
  void write_register(std::uint32_t id, ValueId value);
  ValueId value(const Operand& operand, Scalar type);
  ValueId literal(const Operand& operand, Scalar type);
  ValueId special(ir::Special special);
  /// The operand extended to the whole word by its type (u16, s8 ..); i64 and floats as they are.
  ValueId extended(const Operand& operand, Scalar type);
  ValueId extend(ValueId value, Scalar type);
  /// i32 count of a shift.
  ValueId count(const Operand& operand);
  void define(const Operand& operand, ValueId value);
  /// A value of another IR type with the same bits.
  ValueId reinterpret(ValueId value, ir::Type type, bool is_f64);
  ValueId f64_bits(ValueId value);
  ValueId f64_from_bits(ValueId bits);
  [[noreturn]] void fail(const std::string& message) const;
  void warn(const std::string& message);
  void need(isa::Arch arch, const std::string& what) const;

  // groups of instructions
  void lower_integer(const Instruction& inst);  // add .. rem, abs, neg, min, max
  void lower_carry(const Instruction& inst);    // add.cc, addc ..
  void lower_bits(const Instruction& inst);     // logic, shifts, popc .. prmt
  void lower_float(const Instruction& inst);    // f32 and f64
  void lower_compare(const Instruction& inst);  // set, setp, selp, slct
  void lower_convert(const Instruction& inst);  // cvt
  void lower_move(const Instruction& inst);     // mov, cvta
  void lower_memory(const Instruction& inst);   // ld, st
  void lower_atomic(const Instruction& inst);   // atom, red
  void lower_texture(const Instruction& inst);
  void lower_warp(const Instruction& inst);  // bar, membar, vote, trap ..

  ValueId product(const Instruction& inst);
  ValueId permute(ValueId a, ValueId b, ValueId selector);
  ValueId fused(const Instruction& inst, ValueId a, ValueId b, ValueId c);
  ValueId compared(const Instruction& inst, ValueId a, ValueId b, Scalar type);
  ValueId combined(const Instruction& inst, ValueId relation, std::size_t operand);
  ir::Inst rounded(const Instruction& inst, Op op, std::vector<ValueId> operands);
  void load(const Instruction& inst);
  void store(const Instruction& inst);
  Address address(const Instruction& inst, const Operand& operand);
  ValueId variable_address(const Operand& operand, ir::Space& space, std::int32_t& offset);
  ValueId element(ValueId word, unsigned index, Scalar type);
  ValueId to_register_width(ValueId value, Scalar type, std::uint32_t reg);

  const Module& module_;
  ModuleTables& tables_;
  const CompileOptions& options_;
  std::vector<Diagnostic>& warnings_;
  const CallPlan& plan_;
  const std::vector<ir::Function>& signatures_;
  bool& warned_f64_;
  Emitter emit_;
  Frame* frame_ = nullptr;
  std::vector<std::uint32_t> parameter_offsets_;  // per variable of the entry
  const Instruction* at_ = nullptr;
  ValueId guard_ = ir::kNone;  // of the instruction being lowered, if its results are selected
  std::size_t emitted_ = 0;

  VariableId module_registers_ = 0;  // the first of them
  VariableId carry_ = 0;             // CC.CF as i32: 0 or 1
  struct {
    ir::BlockId block = ir::kNone;
    ValueId a = ir::kNone, b = ir::kNone;
    bool is_sub = false;
  } last_carry_;  // the sum that made the carry, if that was in this block
};

}  // namespace g80::ptx
