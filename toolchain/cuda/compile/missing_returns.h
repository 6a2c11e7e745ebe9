// SPDX-License-Identifier: Apache-2.0
// Functions that fall off their end without the object that they should return.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// The text with a return where a function whose result is a class with a destructor ends without one: compilers of
/// the time returned what was in memory. For all other results -fno-strict-return does so.
std::string return_where_missing(std::string_view ir);

}  // namespace g80::cuda
