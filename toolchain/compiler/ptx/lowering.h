// SPDX-License-Identifier: Apache-2.0
// Lowers syntax to IR, one kernel at a time with the functions that it calls (call_plan.h); inlines the others.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "toolchain/compiler/ir/compile_options.h"
#include "toolchain/compiler/ir/ir.h"
#include "toolchain/compiler/ptx/call_plan.h"
#include "toolchain/compiler/ptx/syntax.h"

namespace g80::ptx {

/// What the kernels of a module share while they are lowered: variables and textures by their place in the syntax.
class ModuleTables {
 public:
  ModuleTables(const Module& source, ir::Module& target) : source_(source), target_(target) {}

  /// A variable outside of functions. Throws SourceError if it has no memory.
  std::uint32_t module_variable(std::uint32_t id, Place use);
  /// A .shared, .global or .const variable of a function: one for all places the function is inlined at.
  std::uint32_t function_variable(const Function& function, std::uint32_t id);
  /// A .local variable, or a parameter of a device function: one per call.
  std::uint32_t local_variable(const Variable& variable);
  std::uint32_t texture(std::uint32_t id);
  const ir::Variable& variable(std::uint32_t ir_id) const { return target_.variables[ir_id]; }

 private:
  std::uint32_t add(const Variable& variable, ir::Space space);
  /// Fills in the addresses of a variable's initial value; the variables that they name are added where they are
  /// missing.
  void set_addresses(const Variable& variable, std::uint32_t ir_id);

  const Module& source_;
  ir::Module& target_;
  std::map<std::uint32_t, std::uint32_t> module_variables_, textures_;
  std::map<std::pair<const Function*, std::uint32_t>, std::uint32_t> function_variables_;
};

/// The variables and textures of a module. Throws SourceError.
void lower_variables(const Module& source, ModuleTables& tables);

/// A kernel, not optimised: addresses may be generic (ir::Space::kGeneric), variables of its calls are local memory.
ir::Function lower_kernel(const Module& source, const Function& entry, const CallPlan& plan, ModuleTables& tables,
                          const CompileOptions& options, std::vector<Diagnostic>& warnings);

}  // namespace g80::ptx
