// SPDX-License-Identifier: Apache-2.0
// Carries `__noinline__` from the source to the PTX.
//
// clang does not inline such a function but does not mark it in its PTX, so our
// compiler would inline a small one (docs/compiler.md, "Calls").
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
