// SPDX-License-Identifier: Apache-2.0
// Lowers calls: inlines the function, or calls it.
//
// In both cases, parameters and results in .param memory are local variables of the caller. A called function gets
// their words and has its own variables. Promotion turns all these variables into values.
#include <fmt/format.h>

#include <utility>

#include "toolchain/compiler/ptx/kernel_lowering.h"
#include "toolchain/compiler/ptx/lexer.h"

namespace g80::ptx {
namespace {

constexpr unsigned kMaxCallDepth = 200;

bool is_memory(const Operand& operand) { return operand.kind == OperandKind::kVariable; }

Scalar scalar_of(const Function& function, const FunctionParameter& formal) {
  return formal.is_register ? function.registers[formal.id].type : function.variables[formal.id].type;
}

unsigned bytes_of(Scalar type) { return scalar_bits(type) / 8; }

}  // namespace

void KernelLowering::run_function(const Function& function) {
  ir::Function& f = emit_.function;
  f.name = function.name;
  f.loc.ptx_line = function.place.line;
  f.arguments = word_list(function, function.params);
  f.results = word_list(function, function.results);
  Frame frame;
  open_outermost(frame, function);
  Frame* const outer = std::exchange(frame_, &frame);
  for (const auto* list : {&function.params, &function.results}) {
    for (const FunctionParameter& formal : *list) {
      if (!formal.is_register) frame.variables[formal.id] = tables_.local_variable(function.variables[formal.id]);
    }
  }
  std::vector<ValueId> words;
  for (std::uint32_t k = 0; k < f.arguments.size(); ++k) {
    ir::Inst argument = emit_.make(Op::kArgument, {});
    argument.immediate = k;
    words.push_back(emit_.add(std::move(argument), ir::Type::kI32));
  }
  write_words(frame, function.params, words);
  inline_body(frame);
  emit_.add(emit_.make(Op::kReturn, read_words(frame, function.results)));
  frame_ = outer;
  emit_.ssa.finish();
}

void KernelLowering::inline_body(Frame& frame) {
  frame.return_block = emit_.ssa.add_block();
  body(frame);
  emit_.ssa.seal(frame.return_block);
  emit_.block = frame.return_block;
}

void KernelLowering::check_call(const Function& callee, const Instruction& inst) const {
  if (callee.is_entry) fail(fmt::format("'{}' is a kernel; a kernel cannot call a kernel below sm_35", callee.name));
  if (!callee.is_defined)
    fail(fmt::format("function '{}' has no body in this file, and this chip has no system functions to link with",
                     callee.name));
  unsigned depth = 0;
  for (const Frame* frame = frame_; frame != nullptr; frame = frame->caller) {
    if (frame->function == &callee) fail(fmt::format("'{}' calls itself; recursion needs sm_20", callee.name));
    if (++depth > kMaxCallDepth) fail("calls are nested too deeply");
  }
  const std::vector<Operand>& results = inst.operands[0].elements;
  const std::vector<Operand>& arguments = inst.operands[2].elements;
  if (results.size() != callee.results.size() || arguments.size() != callee.params.size())
    fail(fmt::format("'{}' has {} result(s) and {} parameter(s), but this call has {} and {}", callee.name,
                     callee.results.size(), callee.params.size(), results.size(), arguments.size()));
}

void KernelLowering::call(const Instruction& inst) {
  const Function& callee = module_.functions[inst.operands[1].id];
  check_call(callee, inst);
  Frame frame;
  open_frame(frame, callee, frame_);
  pass_arguments(callee, inst, frame);
  const std::uint32_t index = plan_.index_of(inst.operands[1].id);
  if (index != kNoId) {
    call_function(index, frame);
  } else {
    inline_body(frame);
  }
  at_ = &inst;
  emit_.loc = {inst.place.line, inst.source_file, inst.source_line};
  take_results(callee, inst, frame);
}

/// Binds a parameter or result of the function to the caller's .param variable.
void KernelLowering::bind_memory(const Function& callee, const FunctionParameter& formal, const Operand& actual,
                                 Frame& frame) {
  const Variable& variable = callee.variables[formal.id];
  if (!is_memory(actual)) {
    frame.variables[formal.id] = tables_.local_variable(variable);
    return;
  }
  if (!actual.is_local || frame_->function->variables[actual.id].space != StateSpace::kParam)
    fail(fmt::format("'{}' is not a .param variable and cannot be passed to a function", actual.text));
  std::uint32_t& memory = frame_->variables[actual.id];
  if (memory == ir::kNone) memory = tables_.local_variable(frame_->function->variables[actual.id]);
  if (tables_.variable(memory).bytes < variable.bytes)
    fail(fmt::format("'{}' is smaller than the parameter '{}' of '{}'", actual.text, variable.name, callee.name));
  frame.variables[formal.id] = memory;
}

void KernelLowering::pass_arguments(const Function& callee, const Instruction& inst, Frame& frame) {
  const std::vector<Operand>& results = inst.operands[0].elements;
  const std::vector<Operand>& arguments = inst.operands[2].elements;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const FunctionParameter& formal = callee.params[k];
    const Operand& actual = arguments[k];
    const Scalar type = scalar_of(callee, formal);
    if (!formal.is_register) bind_memory(callee, formal, actual, frame);
    if (formal.is_register && is_memory(actual))
      fail(fmt::format("'{}' is passed in a register, not in .param memory", actual.text));
    if (is_memory(actual)) continue;
    if (actual.kind == OperandKind::kRegister &&
        scalar_bits(frame_->function->registers[actual.id].type) != scalar_bits(type))
      fail(fmt::format("'{}' does not fit the .{} parameter of '{}'", actual.text, scalar_name(type), callee.name));
    if (actual.kind != OperandKind::kRegister && actual.kind != OperandKind::kInteger &&
        actual.kind != OperandKind::kFloat)
      fail(fmt::format("'{}' cannot be passed to a function", actual.text));
    const ValueId passed = value(actual, type);
    if (formal.is_register) {
      emit_.ssa.write(register_of(frame, formal.id), emit_.block, passed);
    } else {
      emit_.add(memory_access(Op::kStore, frame.variables[formal.id], 0, bytes_of(type),
                              {type == Scalar::kF64 ? f64_bits(passed) : passed}));
    }
  }
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (!callee.results[k].is_register) {
      bind_memory(callee, callee.results[k], results[k], frame);
    } else if (results[k].kind != OperandKind::kRegister && results[k].kind != OperandKind::kSink) {
      fail(fmt::format("'{}' returns in a register; '{}' is not one", callee.name, results[k].text));
    }
  }
}

void KernelLowering::take_results(const Function& callee, const Instruction& inst, const Frame& frame) {
  const std::vector<Operand>& results = inst.operands[0].elements;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const FunctionParameter& formal = callee.results[k];
    if (results[k].kind != OperandKind::kRegister) continue;
    const Scalar type = scalar_of(callee, formal);
    if (scalar_bits(frame_->function->registers[results[k].id].type) != scalar_bits(type))
      fail(fmt::format("'{}' does not fit the .{} result of '{}'", results[k].text, scalar_name(type), callee.name));
    ValueId result;
    if (formal.is_register) {
      result = emit_.ssa.read(register_of(frame, formal.id), emit_.block);
    } else {
      const bool is_f64 = type == Scalar::kF64;
      result = emit_.add(memory_access(Op::kLoad, frame.variables[formal.id], 0, bytes_of(type), {}),
                         is_f64 ? ir::Type::kI64 : ir_type(type));
      if (is_f64) result = f64_from_bits(result);
    }
    define(results[k], result);
  }
}

/// A load or store of a .param variable; `values` are what is stored.
ir::Inst KernelLowering::memory_access(Op op, std::uint32_t variable, std::uint32_t offset, unsigned bytes,
                                       std::vector<ValueId> values) {
  ir::Inst where = emit_.make(Op::kVarAddr, {});
  where.variable = variable;
  values.insert(values.begin(), emit_.add(std::move(where), ir::Type::kI32));
  ir::Inst access = emit_.make(op, std::move(values));
  access.space = ir::Space::kLocal;
  access.offset = static_cast<std::int32_t>(offset);
  access.access = bytes == 8   ? ir::Access::kB64
                  : bytes == 4 ? ir::Access::kB32
                  : bytes == 2 ? ir::Access::kU16
                               : ir::Access::kU8;
  return access;
}

void KernelLowering::call_function(std::uint32_t index, Frame& frame) {
  const Function& callee = *frame.function;
  ir::Inst call = emit_.make(Op::kCall, read_words(frame, callee.params));
  call.callee = index;
  const std::vector<ir::Type> types(signatures_[index].results.size(), ir::Type::kI32);
  const ir::InstId id = emit_.function.append(emit_.block, std::move(call), types);
  write_words(frame, callee.results, std::vector<ValueId>(emit_.function.insts[id].results));
}

std::vector<ir::PassedWord> KernelLowering::word_list(const Function& function,
                                                      const std::vector<FunctionParameter>& list) const {
  std::vector<ir::PassedWord> words;
  for (const FunctionParameter& parameter : list) {
    if (!parameter.is_register) {
      for (const ParameterPiece& piece : parameter_pieces(function.variables[parameter.id], module_.address_bits))
        words.push_back({piece.may_point});
      continue;
    }
    const ir::Type type = ir_type(function.registers[parameter.id].type);
    const bool is_wide = type == ir::Type::kI64 || type == ir::Type::kF64;
    words.push_back({type == (module_.address_bits == 32 ? ir::Type::kI32 : ir::Type::kI64)});
    if (is_wide) words.push_back({false});
  }
  return words;
}

/// The words of the parameters or results of a frame.
std::vector<ValueId> KernelLowering::read_words(const Frame& frame, const std::vector<FunctionParameter>& list) {
  std::vector<ValueId> words;
  for (const FunctionParameter& parameter : list) {
    if (!parameter.is_register) {
      for (const ParameterPiece& piece :
           parameter_pieces(frame.function->variables[parameter.id], module_.address_bits))
        words.push_back(emit_.add(
            memory_access(Op::kLoad, frame.variables[parameter.id], piece.offset, piece.bytes, {}), ir::Type::kI32));
      continue;
    }
    ValueId value = emit_.ssa.read(register_of(frame, parameter.id), emit_.block);
    const ir::Type type = emit_.function.type_of(value);
    if (type == ir::Type::kF32) value = emit_.op(Op::kF32ToBits, ir::Type::kI32, {value});
    if (type == ir::Type::kF64) value = emit_.op(Op::kF64ToBits, ir::Type::kI64, {value});
    const bool is_wide = type == ir::Type::kI64 || type == ir::Type::kF64;
    words.push_back(is_wide ? emit_.op(Op::kTrunc, ir::Type::kI32, {value}) : value);
    if (is_wide) words.push_back(emit_.op(Op::kHigh, ir::Type::kI32, {value}));
  }
  return words;
}

void KernelLowering::write_words(const Frame& frame, const std::vector<FunctionParameter>& list,
                                 const std::vector<ValueId>& words) {
  std::size_t next = 0;
  for (const FunctionParameter& parameter : list) {
    if (!parameter.is_register) {
      for (const ParameterPiece& piece :
           parameter_pieces(frame.function->variables[parameter.id], module_.address_bits))
        emit_.add(memory_access(Op::kStore, frame.variables[parameter.id], piece.offset, piece.bytes, {words[next++]}));
      continue;
    }
    const ir::Type type = ir_type(frame.function->registers[parameter.id].type);
    ValueId value = words[next++];
    if (type == ir::Type::kF32) value = emit_.op(Op::kBitsToF32, type, {value});
    if (type == ir::Type::kI64 || type == ir::Type::kF64)
      value = emit_.op(Op::kPack, ir::Type::kI64, {value, words[next++]});
    if (type == ir::Type::kF64) value = emit_.op(Op::kBitsToF64, type, {value});
    emit_.ssa.write(register_of(frame, parameter.id), emit_.block, value);
  }
}

}  // namespace g80::ptx
