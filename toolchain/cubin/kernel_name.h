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

/// The kernels that `wanted` names; if there is none, those whose names end in it ("add" for "space::add").
std::vector<std::string> kernels_named(std::string_view wanted, const std::vector<std::string>& names);
/// Why it is not one kernel of a program: there is none of that name, or several.
std::string no_such_kernel(std::string_view wanted, const std::vector<std::string>& names);
/// Demangled, for messages.
std::string kernel_list(const std::vector<std::string>& names);

/// The types of the parameters as the CUDA program has them: "float*", "int"; nothing if the name is not mangled.
std::vector<std::string> parameter_types(const std::string& name);

}  // namespace g80
