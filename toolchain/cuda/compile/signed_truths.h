// SPDX-License-Identifier: Apache-2.0
// Works around LLVM 14's selection for `sitofp i1`, a number that is -1 for true: the PTX has 1. LLVM makes it of the
// negative of a comparison (`(float)-(a < b)`).
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// LLVM's assembly language with a choice between -1 and 0 for each such conversion.
std::string choose_signed_truths(std::string_view ir);

}  // namespace g80::cuda
