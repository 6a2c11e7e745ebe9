// SPDX-License-Identifier: Apache-2.0
// Functions that fall off their end without the result that they should return.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// The text with a return where -fno-strict-return leaves the end of a function without one: where it returns a
/// reference or a class with a destructor. Compilers of the time returned what was in the register or in memory, and
/// that was often the address with which the function worked. So a reference is the first argument if that has the same
/// type, as `operator=` has it; else address 0.
std::string return_where_missing(std::string_view ir);

}  // namespace g80::cuda
