// Syntax to IR: one kernel at a time, device functions inlined where they are called.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernels/toolchain/compiler/compile.h"
#include "kernels/toolchain/compiler/ir.h"
#include "kernels/toolchain/compiler/ptx/syntax.h"

namespace g80::ptx {

/// The address of texture k is this plus k until the texture instruction that uses it has it alone.
inline constexpr std::uint32_t kTextureTag = 0x7e780000u;

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
  /// Fills in the addresses of a variable's initial value; the variables that they name are added where they are missing.
  void set_addresses(const Variable& variable, std::uint32_t ir_id);

  const Module& source_;
  ir::Module& target_;
  std::map<std::uint32_t, std::uint32_t> module_variables_, textures_;
  std::map<std::pair<const Function*, std::uint32_t>, std::uint32_t> function_variables_;
};

/// The whole module, not optimised: addresses may be generic (ir::Space::kGeneric), variables of a kernel's calls are
/// local memory. Throws SourceError.
ir::Module lower(const Module& source, const CompileOptions& options, std::vector<Diagnostic>& warnings);

}  // namespace g80::ptx
