// SPDX-License-Identifier: Apache-2.0
// Control flow: basic blocks of a body, guards.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "toolchain/compiler/ptx/kernel_lowering.h"
#include "toolchain/compiler/ptx/lexer.h"

namespace g80::ptx {
namespace {

constexpr std::size_t kMaxInlinedInstructions = 4u << 20;  // after inlining

/// True for instructions that need a separate block behind a branch, because executing them with a false guard is wrong
/// or expensive.
bool needs_branch(const Instruction& inst) {
  switch (inst.op()) {
    case Opcode::kLd:
    case Opcode::kSt:
    case Opcode::kAtom:
    case Opcode::kRed:
    case Opcode::kTex:
    case Opcode::kBar:
    case Opcode::kMembar:
    case Opcode::kVote:
    case Opcode::kCall:
    case Opcode::kTrap:
    case Opcode::kBrkpt:
    case Opcode::kPmevent:
    case Opcode::kDiv:
    case Opcode::kRem:
    case Opcode::kRcp:
    case Opcode::kSqrt: return true;
    case Opcode::kMov:
    case Opcode::kCvt: return inst.operands[1].kind == OperandKind::kClock;
    case Opcode::kAdd:
    case Opcode::kAddc:
    case Opcode::kSub:
    case Opcode::kSubc:
    case Opcode::kMad:
    case Opcode::kMadc:
      return inst.mods.carry || inst.op() == Opcode::kAddc || inst.op() == Opcode::kSubc || inst.op() == Opcode::kMadc;
    default: return false;
  }
}

std::uint32_t align_up(std::uint32_t value, std::uint32_t align) { return (value + align - 1) / align * align; }

DataType parameter_type(const Variable& variable) {
  switch (variable.type) {
    case Scalar::kF32: return DataType::kF32;
    case Scalar::kF64: return DataType::kF64;
    case Scalar::kS32: return DataType::kS32;
    case Scalar::kU64:
    case Scalar::kS64:
    case Scalar::kB64: return DataType::kU64;
    case Scalar::kU16:
    case Scalar::kB16: return DataType::kU16;
    case Scalar::kS16: return DataType::kS16;
    case Scalar::kU8:
    case Scalar::kB8: return DataType::kU8;
    case Scalar::kS8: return DataType::kS8;
    default: return DataType::kU32;
  }
}

}  // namespace

void KernelLowering::parameters(const Function& entry) {
  parameter_offsets_.assign(entry.variables.size(), ir::kNone);
  std::uint32_t offset = 0;
  for (const FunctionParameter& parameter : entry.params) {
    const Variable& variable = entry.variables[parameter.id];
    if (variable.bytes > kParameterBytes)
      fail_at(module_.filename, variable.place,
              fmt::format("parameter '{}' has {} bytes; all parameters of a kernel together have at most {}",
                          variable.name, variable.bytes, kParameterBytes));
    offset = align_up(offset, variable.align);
    parameter_offsets_[parameter.id] = offset;
    emit_.function.params.push_back(
        {variable.name, parameter_type(variable), offset, static_cast<std::uint32_t>(variable.bytes)});
    offset += static_cast<std::uint32_t>(variable.bytes);
    if (offset > kParameterBytes)
      fail_at(module_.filename, variable.place,
              fmt::format("the parameters of '{}' have more than {} bytes, the most a kernel can get", entry.name,
                          kParameterBytes));
  }
}

void KernelLowering::run(const Function& entry) {
  ir::Function& kernel = emit_.function;
  kernel.name = entry.name;
  kernel.loc.ptx_line = entry.place.line;
  kernel.max_threads = entry.max_threads;
  kernel.min_blocks = entry.min_blocks;
  kernel.max_registers = entry.max_registers;
  parameters(entry);
  Frame frame;
  open_outermost(frame, entry);
  body(frame);
  emit_.ssa.finish();
}

void KernelLowering::open_outermost(Frame& frame, const Function& function) {
  emit_.block = emit_.ssa.add_block();
  emit_.ssa.seal(emit_.block);
  emit_.loc.ptx_line = function.place.line;
  carry_ = emit_.ssa.add_variables(ir::Type::kI32);
  module_registers_ = emit_.ssa.add_variables(ir::Type::kI32, 0);
  for (const Register& reg : module_.registers) emit_.ssa.add_variables(ir_type(reg.type));
  open_frame(frame, function, nullptr);
}

void KernelLowering::open_frame(Frame& frame, const Function& function, const Frame* caller) {
  frame.function = &function;
  frame.caller = caller;
  frame.variables.assign(function.variables.size(), ir::kNone);
  frame.first_register = emit_.ssa.add_variables(ir::Type::kI32, 0);
  for (std::size_t k = function.module_registers; k < function.registers.size(); ++k)
    emit_.ssa.add_variables(ir_type(function.registers[k].type));
}

bool KernelLowering::ends_block(const Instruction& inst) const {
  return inst.op() == Opcode::kBra || inst.op() == Opcode::kRet || inst.op() == Opcode::kExit;
}

/// Lowers the basic blocks in reverse postorder, so that a block is complete before the blocks that it dominates.
void KernelLowering::body(Frame& frame) {
  Frame* const outer = std::exchange(frame_, &frame);
  const Function& function = *frame.function;
  const auto size = static_cast<std::uint32_t>(function.body.size());

  std::vector<std::uint32_t> starts{0};
  for (std::uint32_t k = 0; k < size; ++k) {  // labels that no branch goes to are for debuggers
    const Instruction& inst = function.body[k];
    if (inst.op() == Opcode::kBra) starts.push_back(function.labels[inst.operands[0].id].index);
    if (ends_block(inst)) starts.push_back(k + 1);
  }
  starts.push_back(size);  // falling off the end returns
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  frame.block_at.assign(size + 1, ir::kNone);
  for (std::uint32_t b = 0; b < starts.size(); ++b) frame.block_at[starts[b]] = b;

  const auto successors = [&](std::uint32_t b) {
    std::vector<std::uint32_t> list;
    const std::uint32_t end = b + 1 < starts.size() ? starts[b + 1] : size;
    if (starts[b] == size) return list;
    const Instruction& last = function.body[end - 1];
    if (last.op() == Opcode::kBra) list.push_back(frame.block_at[function.labels[last.operands[0].id].index]);
    if ((!ends_block(last) || last.guard != kNoId) && (list.empty() || list[0] != b + 1)) list.push_back(b + 1);
    return list;
  };

  std::vector<std::uint32_t> order, pending(starts.size(), 0);
  std::vector<std::uint8_t> seen(starts.size(), 0);
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> stack;
  stack.emplace_back(0, successors(0));
  seen[0] = 1;
  while (!stack.empty()) {
    if (stack.back().second.empty()) {
      order.push_back(stack.back().first);
      stack.pop_back();
      continue;
    }
    const std::uint32_t next = stack.back().second.back();
    stack.back().second.pop_back();
    ++pending[next];
    if (seen[next]) continue;
    seen[next] = 1;
    stack.emplace_back(next, successors(next));
  }
  std::reverse(order.begin(), order.end());

  frame.heads.assign(starts.size(), ir::kNone);
  for (const std::uint32_t b : order) frame.heads[b] = emit_.ssa.add_block();
  emit_.branch(frame.heads[0]);
  if (pending[0] == 0) emit_.ssa.seal(frame.heads[0]);
  for (const std::uint32_t b : order) {
    emit_.block = frame.heads[b];
    basic_block(starts[b], b + 1 < starts.size() ? starts[b + 1] : size);
    for (const std::uint32_t next : successors(b))
      if (--pending[next] == 0) emit_.ssa.seal(frame.heads[next]);
  }
  frame_ = outer;
}

ir::BlockId KernelLowering::head_of(std::uint32_t index) const { return frame_->heads[frame_->block_at[index]]; }

void KernelLowering::basic_block(std::uint32_t begin, std::uint32_t end) {
  const Function& function = *frame_->function;
  for (std::uint32_t k = begin; k < end; ++k) {
    const Instruction& inst = function.body[k];
    at_ = &inst;
    emit_.loc = {inst.place.line, inst.source_file, inst.source_line};
    if (++emitted_ > kMaxInlinedInstructions) fail("this kernel is too long after inlining its functions");
    if (ends_block(inst)) {
      terminator(inst, k + 1);
      return;
    }
    instruction(inst);
  }
  if (begin == function.body.size()) return leave();
  emit_.branch(head_of(end));
}

void KernelLowering::leave() {
  if (frame_->return_block == ir::kNone) return emit_.add(emit_.make(Op::kExit, {}));
  emit_.branch(frame_->return_block);
}

void KernelLowering::terminator(const Instruction& inst, std::uint32_t next) {
  const auto act = [&] {
    if (inst.op() == Opcode::kExit) {
      emit_.add(emit_.make(Op::kExit, {}));
    } else {
      leave();
    }
  };
  const bool is_branch = inst.op() == Opcode::kBra;
  const ir::BlockId target = is_branch ? head_of(frame_->function->labels[inst.operands[0].id].index) : ir::kNone;
  if (inst.guard == kNoId) return is_branch ? emit_.branch(target) : act();
  const ValueId condition = read_register(inst.guard);
  const ir::BlockId fall_through = head_of(next);
  ir::BlockId taken = target;
  if (!is_branch) {
    taken = emit_.ssa.add_block();
  }
  const ir::BlockId from = emit_.block;
  emit_.branch(condition, inst.guard_negated ? fall_through : taken, inst.guard_negated ? taken : fall_through);
  if (is_branch) return;
  emit_.ssa.seal(taken);
  emit_.block = taken;
  act();
  emit_.block = from;
}

void KernelLowering::instruction(const Instruction& inst) {
  if (inst.guard == kNoId) return dispatch(inst);
  guarded(inst);
}

void KernelLowering::guarded(const Instruction& inst) {
  ValueId condition = read_register(inst.guard);
  if (!needs_branch(inst)) {
    guard_ = inst.guard_negated ? emit_.op(Op::kNot, {condition}) : condition;
    dispatch(inst);
    guard_ = ir::kNone;
    return;
  }
  const ir::BlockId then = emit_.ssa.add_block(), join = emit_.ssa.add_block();
  emit_.branch(condition, inst.guard_negated ? join : then, inst.guard_negated ? then : join);
  emit_.ssa.seal(then);
  emit_.block = then;
  dispatch(inst);
  emit_.branch(join);
  emit_.ssa.seal(join);
  emit_.block = join;
}

}  // namespace g80::ptx
