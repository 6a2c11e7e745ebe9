// SPDX-License-Identifier: Apache-2.0
// Names of kernels, mangled and demangled.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace g80 {

/// "_Z3addPfi" -> "add(float*, int)"; a name that is not mangled stays as it is.
std::string demangled_name(const std::string& name);

/// True if `wanted` is the kernel's name, its demangled name, or that without parameters ("add", "space::add").
bool names_kernel(std::string_view wanted, const std::string& name);

/// The types of the parameters as the CUDA program has them: "float*", "int"; nothing if the name is not mangled.
std::vector<std::string> parameter_types(const std::string& name);

}  // namespace g80
