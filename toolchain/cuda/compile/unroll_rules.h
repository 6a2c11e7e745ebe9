// SPDX-License-Identifier: Apache-2.0
// Which loops are unrolled: those that NVIDIA's compilers of the time unrolled, so that published kernels keep their
// instructions, and small arrays that a loop indexes their registers.
//
// Open64 unrolled a loop wholly if its number of steps was known, the variable of its condition stepped by a constant
// (others as they like: `++i, c += width`), and nothing but its condition left it; if no other loop and no barrier was
// in it; and if the result had at most 16 * 40 nodes in its trees. `#pragma unroll` alone did the same without a
// limit, and nothing where the number of steps was unknown; `#pragma unroll N` made N steps one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace g80::cuda {

/// LLVM's assembly language as clang's front end writes it, in which loops that stay as they are say so.
std::string follow_unroll_rules(std::string_view ir);

/// Options of clang's optimiser for the rest of the rules. 300 of LLVM's instructions are about 640 nodes of Open64.
std::vector<std::string> unroll_options();

}  // namespace g80::cuda
