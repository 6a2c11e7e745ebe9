// SPDX-License-Identifier: Apache-2.0
// Initial values that are addresses with an offset: `int* p = row + 2`.
//
// clang's PTX printer takes a pointer to global memory in an initial value only if nothing is added to it.
#pragma once
#include <string>

namespace g80::cuda {

/// LLVM's assembly language with the casts of addresses in initial values written as numbers, which it does print.
std::string plain_address_initialisers(const std::string& ir);

}  // namespace g80::cuda
