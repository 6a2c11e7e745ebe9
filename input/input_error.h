// SPDX-License-Identifier: Apache-2.0
// An error in the user's input: one sentence with file, line, key, value and what is allowed (exit
// code 2).
#pragma once
#include <stdexcept>
#include <string>

namespace g80 {

struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace g80
