// SPDX-License-Identifier: Apache-2.0
// Corrects the code that clang 14 generates for a rotation by a variable number of bits. Of `x << (n & 31) | x >> (-n &
// 31)` LLVM drops the masks, because its own rotation counts modulo 32; but the shifts that it selects for that do not.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// PTX as clang writes it, with the mask in each such rotation.
std::string mend_rotations(std::string_view ptx);

}  // namespace g80::cuda
