// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/compiler/ptx/kernel_lowering.h"
#include "toolchain/compiler/ptx/lexer.h"

namespace g80::ptx {
namespace {

DataType data_type(Scalar type) {
  switch (type) {
    case Scalar::kU8:
    case Scalar::kB8: return DataType::kU8;
    case Scalar::kS8: return DataType::kS8;
    case Scalar::kU16:
    case Scalar::kB16:
    case Scalar::kF16: return DataType::kU16;
    case Scalar::kS16: return DataType::kS16;
    case Scalar::kS32: return DataType::kS32;
    case Scalar::kF32: return DataType::kF32;
    case Scalar::kU64:
    case Scalar::kS64:
    case Scalar::kB64: return DataType::kU64;
    case Scalar::kF64: return DataType::kF64;
    default: return DataType::kU32;
  }
}

ir::Space ir_space(StateSpace space) {
  switch (space) {
    case StateSpace::kShared: return ir::Space::kShared;
    case StateSpace::kConst: return ir::Space::kConst;
    case StateSpace::kLocal:
    case StateSpace::kParam: return ir::Space::kLocal;
    default: return ir::Space::kGlobal;
  }
}

}  // namespace

std::uint32_t ModuleTables::add(const Variable& variable, ir::Space space) {
  ir::Variable v;
  v.name = variable.name;
  v.space = space;
  v.bytes = static_cast<std::uint32_t>(variable.bytes);
  v.align = variable.align;
  v.element = data_type(variable.type);
  v.initial = variable.initial;
  target_.variables.push_back(std::move(v));
  return static_cast<std::uint32_t>(target_.variables.size() - 1);
}

void ModuleTables::set_addresses(const Variable& variable, std::uint32_t ir_id) {
  for (const AddressInitializer& address : variable.addresses) {
    const auto refuse = [&](const std::string& why) {
      fail_at(source_.filename, address.place,
              fmt::format("'{}' is initialised with the address of '{}', {}", variable.name, address.symbol, why));
    };
    const auto target = std::find_if(source_.variables.begin(), source_.variables.end(),
                                     [&](const Variable& one) { return one.name == address.symbol; });
    if (target == source_.variables.end()) {
      const bool of_function =
          std::any_of(source_.functions.begin(), source_.functions.end(), [&](const Function& function) {
            return std::any_of(function.variables.begin(), function.variables.end(),
                               [&](const Variable& one) { return one.name == address.symbol; });
          });
      refuse(of_function ? "which is a variable of a kernel or function: only those outside have one address for all"
                         : "which is no variable of this file: pointers to functions need sm_20");
    }
    if (target->is_texture) refuse("which is a texture and has none");
    if (target->space != StateSpace::kGlobal)
      refuse(fmt::format("which is in .{} memory: a pointer in memory points to global memory on this chip",
                         state_space_name(target->space)));
    if (address.offset % 4 != 0) refuse("which is not on a word of it");
    const std::uint32_t id =
        module_variable(static_cast<std::uint32_t>(target - source_.variables.begin()), address.place);
    target_.variables[ir_id].addresses.push_back({address.offset, id, static_cast<std::uint32_t>(address.addend)});
  }
}

std::uint32_t ModuleTables::module_variable(std::uint32_t id, Place use) {
  const auto found = module_variables_.find(id);
  if (found != module_variables_.end()) return found->second;
  const Variable& variable = source_.variables[id];
  if (variable.is_extern && variable.space != StateSpace::kShared)
    fail_at(source_.filename, use,
            fmt::format("'{}' is declared .extern and defined nowhere in this file", variable.name));
  const std::uint32_t ir_id = add(variable, ir_space(variable.space));
  module_variables_.emplace(id, ir_id);
  set_addresses(variable, ir_id);  // after its entry exists: variables may point to each other
  return ir_id;
}

std::uint32_t ModuleTables::function_variable(const Function& function, std::uint32_t id) {
  const auto key = std::make_pair(&function, id);
  const auto found = function_variables_.find(key);
  if (found != function_variables_.end()) return found->second;
  const Variable& variable = function.variables[id];
  const std::uint32_t ir_id = add(variable, ir_space(variable.space));
  function_variables_.emplace(key, ir_id);
  set_addresses(variable, ir_id);
  return ir_id;
}

std::uint32_t ModuleTables::local_variable(const Variable& variable) { return add(variable, ir::Space::kLocal); }

std::uint32_t ModuleTables::texture(std::uint32_t id) {
  const auto [found, is_new] = textures_.emplace(id, static_cast<std::uint32_t>(target_.textures.size()));
  if (is_new) target_.textures.push_back({source_.variables[id].name, found->second});
  return found->second;
}

/// Lowers all variables in text order, also unused ones: the host may access any of them by name.
void lower_variables(const Module& source, ModuleTables& tables) {
  for (std::uint32_t id = 0; id < source.variables.size(); ++id) {
    const Variable& variable = source.variables[id];
    if (variable.is_texture) {
      tables.texture(id);
    } else if (!variable.is_extern && variable.space != StateSpace::kShared) {
      tables.module_variable(id, variable.place);
    }
  }
}

ir::Function lower_kernel(const Module& source, const Function& entry, const CallPlan& plan, ModuleTables& tables,
                          const CompileOptions& options, std::vector<Diagnostic>& warnings) {
  std::vector<ir::Function> functions;
  bool warned_f64 = false;  // once for a kernel with its functions
  for (const std::uint32_t id : plan.functions) {
    ir::Function function;
    KernelLowering(source, tables, options, warnings, plan, functions, warned_f64, function)
        .run_function(source.functions[id]);
    functions.push_back(std::move(function));
  }
  ir::Function kernel;
  KernelLowering(source, tables, options, warnings, plan, functions, warned_f64, kernel).run(entry);
  kernel.functions = std::move(functions);
  return kernel;
}

}  // namespace g80::ptx
