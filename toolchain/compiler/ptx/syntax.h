// SPDX-License-Identifier: Apache-2.0
// The syntax of a PTX text, output of the parser. Names are resolved: registers, variables, labels and functions are
// numbers.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/compiler/ir/ir.h"
#include "toolchain/compiler/ptx/modifiers.h"
#include "toolchain/compiler/ptx/opcode_table.h"
#include "toolchain/compiler/ptx/scalar.h"
#include "toolchain/compiler/ptx/token.h"

namespace g80::ptx {

inline constexpr std::uint32_t kNoId = 0xffffffffu;

/// A pointer in an initialiser: the address of `symbol` plus `addend` goes to byte `offset`.
struct AddressInitializer {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 8;
  std::string symbol;
  std::int64_t addend = 0;
  Place place;
};

struct Variable {
  std::string name;
  StateSpace space = StateSpace::kGlobal;
  Scalar type = Scalar::kB32;
  std::uint32_t align = 4;
  std::uint64_t bytes = 0;  // 0: extern array without a size
  bool is_array = false;
  bool is_extern = false;
  bool is_texture = false;  // .texref, or .global .texref
  std::vector<std::uint8_t> initial;
  std::vector<AddressInitializer> addresses;
  Place place;
};

struct Register {
  Scalar type = Scalar::kB32;
};

enum class OperandKind : std::uint8_t {
  kRegister,  // `id`; negated: !%p
  kInteger,   // `bits`
  kFloat,     // `bits` as f64, `f32_bits` if it was written as 0f
  kVariable,  // the address of a variable: `id`, `offset`; local to the function if is_local
  kSpecial,   // `special`
  kClock,     // %clock: every read counts
  kSink,      // _
  kVector,    // {a, b, ..}
  kPair,      // p|q
  kAddress,   // [base + offset]: elements[0] is the base: register, variable or integer
  kTexture,   // [texture, {coordinates}]: elements[0] the texture, elements[1] the coordinates
  kLabel,     // `id`
  kFunction,  // `id`
  kList,      // (a, b): of a call
};

struct Operand {
  OperandKind kind = OperandKind::kSink;
  bool negated = false;
  bool is_local = false;
  bool has_f32 = false;
  ir::Special special = ir::Special::kTidX;
  std::uint32_t id = kNoId;
  std::int64_t offset = 0;
  std::uint64_t bits = 0;
  std::uint32_t f32_bits = 0;
  std::vector<Operand> elements;
  std::string_view text;  // in the source, for messages
  Place place;
};

struct Instruction {
  const OpcodeForm* form = nullptr;
  Modifiers mods;
  std::vector<Scalar> types;  // as many as the form has
  std::vector<Operand> operands;
  std::uint32_t guard = kNoId;  // register
  bool guard_negated = false;
  bool inline_asm = false;
  std::uint32_t source_file = 0, source_line = 0;  // of .loc: index into Module::files
  Place place;

  Opcode op() const { return form->opcode; }
  Scalar type() const { return types.front(); }
};

/// A label stands before the instruction `index`.
struct Label {
  std::string name;
  std::uint32_t index = kNoId;  // kNoId: used but not yet defined
  Place place;
};

/// A parameter or result of a function: a register (PTX 1.x style) or a .param variable.
struct FunctionParameter {
  bool is_register = false;
  std::uint32_t id = kNoId;  // into registers or variables of the function
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool is_defined = false;
  bool is_noinline = false;
  std::vector<FunctionParameter> params, results;
  std::vector<Register> registers;  // those of the module first
  std::uint32_t module_registers = 0;
  bool uses_module_registers = false;  // values go from function to function in them, beside the parameters
  std::vector<Variable> variables;     // of the body and the parameters: .local, .shared, .param, .const, .global
  std::vector<Label> labels;
  std::vector<Instruction> body;
  std::uint32_t max_threads = 0, min_blocks = 0, max_registers = 0;
  Place place;
};

struct Module {
  std::string filename;
  unsigned version = 0;  // 10 * major + minor
  std::string target;
  bool demote_f64 = false;  // map_f64_to_f32
  unsigned address_bits = 32;
  bool made_by_llvm = false;
  std::vector<std::string> files;   // files[0] is the PTX file
  std::vector<Register> registers;  // outside of functions: the same for all functions of a thread
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<std::string, std::uint32_t> variable_ids, function_ids;
};

}  // namespace g80::ptx
