// SPDX-License-Identifier: Apache-2.0
// Keeps a kernel's accesses to shared memory in program order.
//
// The lanes of a warp run in lock-step on this generation, and programs of its time let them exchange values through
// shared memory without a barrier and without `volatile`: `s[t] += s[t + 16]; s[t] += s[t + 8];`. Nothing in C++ keeps
// a compiler from holding s[t] back until the end, because no other thread may look at it in between. Those of the time
// did not do so.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// LLVM's assembly language as clang's front end writes it, with volatile stores to shared memory where the address
/// shows it: otherwise LLVM makes one store of `found = 0; if (in[t] == key) found = 1;`, in which lanes write zeros
/// beside the one.
std::string keep_shared_stores(std::string_view ir);

/// LLVM's assembly language with a fence for the compiler (no instruction) behind each store to shared memory.
std::string order_shared_stores(std::string_view ir);

}  // namespace g80::cuda
