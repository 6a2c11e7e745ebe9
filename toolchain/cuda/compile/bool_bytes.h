// SPDX-License-Identifier: Apache-2.0
// A bool in memory is a byte that may have come from elsewhere: from cudaMemset, or a copy of other bytes. clang reads
// its lowest bit and takes the others for zero; compilers of the time compared the byte with zero.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// LLVM's assembly language as clang's front end writes it, where every bool that is loaded, and every one that a
/// kernel gets as an argument, is true if its byte is not zero.
std::string test_whole_bytes(std::string_view ir);

}  // namespace g80::cuda
