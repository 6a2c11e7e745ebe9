// SPDX-License-Identifier: Apache-2.0
// Prints the intermediate representation as text.
//
//   %7:i32 = add %3, 0x10        results with their types, operation, operands (constants as hex, f32 with its value)
#include <fmt/format.h>

#include "hw/isa/float_bits.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::ir {
namespace {

std::string value_text(const Function& function, ValueId id) {
  const Value& value = function.values[id];
  if (value.undefined) return "undef";
  if (!value.is_constant()) return fmt::format("%{}", id);
  if (value.type == Type::kF32) {
    const auto bits = static_cast<std::uint32_t>(value.bits);
    return fmt::format("{:#x}({})", bits, isa::float_of(bits));
  }
  return fmt::format("{:#x}", value.bits);
}

constexpr std::string_view kRounds[] = {"rn", "rm", "rp", "rz"};
constexpr std::string_view kAccuracies[] = {"approx", "full", "exact"};
constexpr std::string_view kAccesses[] = {"u8", "s8", "u16", "s16", "b32", "b64"};

std::string atom_name(AtomOp op) {
  constexpr std::string_view kNames[] = {"add", "exch", "cas", "3",   "inc", "dec", "max",
                                         "min", "8",    "9",   "and", "or",  "xor"};
  return std::string(kNames[static_cast<unsigned>(op)]);
}

std::string modifiers(const Inst& inst) {
  std::string text;
  switch (inst.op) {
    case Op::kSet:
    case Op::kFset: text += fmt::format(".{}", compare_name(inst.compare)); break;
    case Op::kFdiv:
    case Op::kFrcp:
    case Op::kFsqrt: text += fmt::format(".{}", kAccuracies[static_cast<unsigned>(inst.accuracy)]); break;
    case Op::kLoad:
    case Op::kStore:
      text += fmt::format("{}.{}.{}", inst.is_volatile ? ".volatile" : "", space_name(inst.space),
                          kAccesses[static_cast<unsigned>(inst.access)]);
      break;
    case Op::kAtomic:
      text += fmt::format(".{}.{}{}.{}", atom_name(inst.atom_op), inst.is_signed ? "s." : "", space_name(inst.space),
                          kAccesses[static_cast<unsigned>(inst.access)]);
      break;
    case Op::kSpecial: text += fmt::format(" {}", special_name(inst.special)); break;
    case Op::kVarAddr: text += fmt::format(" v{}+{}", inst.variable, inst.offset); break;
    case Op::kTexture: text += fmt::format(".{}d t{}", static_cast<unsigned>(inst.shape) + 1, inst.texture); break;
    case Op::kCall: text += fmt::format(" f{}", inst.callee); break;
    case Op::kArgument:
    case Op::kBarrier:
    case Op::kMembar:
    case Op::kPmevent: text += fmt::format(" {}", inst.immediate); break;
    default: break;
  }
  if (inst.round != Round::kRn) text += fmt::format(".{}", kRounds[static_cast<unsigned>(inst.round)]);
  if (inst.saturate) text += ".sat";
  if (inst.contract) text += ".contract";
  return text;
}

}  // namespace

std::string print_inst(const Function& function, InstId id) {
  const Inst& inst = function.insts[id];
  std::string text;
  for (std::size_t i = 0; i < inst.results.size(); ++i) {
    text += fmt::format("{}%{}:{}", i == 0 ? "" : ", ", inst.results[i], type_name(function.type_of(inst.results[i])));
  }
  if (!inst.results.empty()) text += " = ";
  text += fmt::format("{}{}", op_info(inst.op).text, modifiers(inst));
  const bool is_memory = inst.op == Op::kLoad || inst.op == Op::kStore || inst.op == Op::kAtomic;
  for (std::size_t i = 0; i < inst.operands.size(); ++i) {
    text += i == 0 ? " " : ", ";
    if (inst.op == Op::kPhi && i < inst.blocks.size()) text += fmt::format("b{}: ", inst.blocks[i]);
    if (is_memory && i == 0) {
      text += fmt::format("[{}{:+}]", value_text(function, inst.operands[i]), inst.offset);
    } else {
      text += value_text(function, inst.operands[i]);
    }
  }
  if (inst.op != Op::kPhi) {
    for (std::size_t i = 0; i < inst.blocks.size(); ++i) {
      text += fmt::format("{}b{}", i == 0 && inst.operands.empty() ? " " : ", ", inst.blocks[i]);
    }
  }
  return text;
}

namespace {

std::string print_body(const Function& function) {
  std::string text;
  for (const KernelParameter& param : function.params) {
    text += fmt::format("  param {} {} at {}, {} bytes\n", data_type_name(param.type), param.name, param.offset,
                        param.bytes);
  }
  for (BlockId block = 0; block < function.blocks.size(); ++block) {
    if (function.blocks[block].insts.empty()) continue;
    text += fmt::format("b{}:\n", block);
    for (const InstId id : function.blocks[block].insts) {
      const std::uint32_t line = function.insts[id].loc.ptx_line;
      text += fmt::format("  {}{}\n", print_inst(function, id), line == 0 ? "" : fmt::format("  ; line {}", line));
    }
  }
  return text;
}

}  // namespace

std::string print(const Function& kernel) {
  std::string text;
  for (std::size_t k = 0; k < kernel.functions.size(); ++k) {
    text += fmt::format("function f{} {}\n{}", k, kernel.functions[k].name, print_body(kernel.functions[k]));
  }
  return text + fmt::format("kernel {}\n", kernel.name) + print_body(kernel);
}

std::string print(const Module& module) {
  std::string text;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const Variable& variable = module.variables[i];
    text += fmt::format("v{} {} {}: {} bytes, alignment {}\n", i, space_name(variable.space), variable.name,
                        variable.bytes, variable.align);
  }
  for (std::size_t i = 0; i < module.textures.size(); ++i) {
    text += fmt::format("t{} {} unit {}\n", i, module.textures[i].name, module.textures[i].unit);
  }
  for (const Function& kernel : module.kernels) text += print(kernel);
  return text;
}

}  // namespace g80::ir
