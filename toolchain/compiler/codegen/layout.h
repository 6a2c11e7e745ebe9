// SPDX-License-Identifier: Apache-2.0
// Addresses of variables: offsets in s[], l[] and c0[], slots in c14[] for the addresses of `__device__` variables.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/compiler/ir/ir.h"
#include "toolchain/cubin/module.h"

namespace g80::codegen {

/// Module-wide addresses: c0[] offset of constants, c14[] slot of device variables, by variable.
struct ModuleLayout {
  std::vector<std::uint32_t> address;
};
/// Fills constants, device variables and textures of `out`.
ModuleLayout place_module_variables(const ir::Module& module, Module& out, const std::string& filename);

/// Addresses of one kernel: shared and local variables that it and its functions name in addition to those of the
/// module. No two functions share a place in l[].
struct KernelLayout {
  std::vector<std::uint32_t> address;
  std::uint32_t shared_bytes = 0;  // header, parameters, static variables
  std::uint32_t local_bytes = 0;
};
KernelLayout place_kernel_variables(const ir::Module& module, const ir::Function& kernel, const ModuleLayout& base,
                                    const std::string& filename);

}  // namespace g80::codegen
