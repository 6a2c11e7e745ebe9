// SPDX-License-Identifier: Apache-2.0
// Keeps the access of a whole float4, uchar4 or aligned structure one instruction.
//
// The CUDA Programming Guide (1.1, 5.1.2.1) promises it, and coalescing depends on it: 16 lanes that read a float4
// each, as one access of 128 bits, are two transactions; as four accesses of 32 bits they are 64. clang copies a
// structure by memcpy, of which its optimiser leaves the members that are used, and its code generator makes accesses
// of 64 bits at most.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// LLVM's assembly language as clang's front end writes it, with a load and a store of a vector for each copy that the
/// alignment of both sides allows; copies between local variables stay as they are.
std::string copy_in_vectors(std::string_view ir);

}  // namespace g80::cuda
