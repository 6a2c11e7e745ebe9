// SPDX-License-Identifier: Apache-2.0
// Initial values that are addresses.
#pragma once
#include <string>

namespace g80::cuda {

/// LLVM's assembly language with the casts of addresses in initial values written as numbers (`int* p = row + 2`).
/// clang's PTX printer takes a pointer to global memory in an initial value only if nothing is added to it.
std::string plain_address_initialisers(const std::string& ir);

/// LLVM's assembly language with stores of the addresses that a local variable begins with, if one is an address in
/// shared memory: `float* rows[2] = {a, b}`. clang copies such a variable from a constant in memory, but each kernel
/// has shared variables at addresses of its own.
std::string store_shared_addresses(const std::string& ir);

}  // namespace g80::cuda
