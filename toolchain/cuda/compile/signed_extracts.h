// SPDX-License-Identifier: Apache-2.0
// Corrects the code that clang 14 generates for `(x >> 40) & 0xffffffff` for a negative 64-bit x: a bfe.u64 of 32 bits
// from bit 40. Bits behind the last one read as zero there, but should be copies of the sign: LLVM's selection for this
// instruction compares the count with the bits that are left of 32. Of unsigned numbers such a mask is not left in the
// code, because it does nothing.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// PTX as clang writes it, with a signed shift and a mask for each bfe.u64 that reads behind the last bit.
std::string mend_signed_extracts(std::string_view ptx);

}  // namespace g80::cuda
