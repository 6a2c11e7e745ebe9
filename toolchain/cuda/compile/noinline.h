// SPDX-License-Identifier: Apache-2.0
// Carries `__noinline__` from the source to the PTX.
//
// clang keeps such a function apart but does not say so in its PTX, where it looks like any other function; our
// compiler would copy a small one to where it is called (docs/compiler.md, "Calls").
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace g80::cuda {

/// The functions with a body that LLVM's assembly language marks `noinline`, named as in the PTX.
std::set<std::string> noinline_functions(std::string_view ir);

/// The PTX with `.noinline` behind the heads of these functions.
std::string mark_noinline(std::string_view ptx, const std::set<std::string>& functions);

}  // namespace g80::cuda
