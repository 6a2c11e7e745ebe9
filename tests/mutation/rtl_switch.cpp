// SPDX-License-Identifier: Apache-2.0
// The mutant that mutant_pkg.sv asks for.
#include <cstdlib>

extern "C" unsigned g80_mutant() {
  static const char* const number = std::getenv("G80_MUTANT");
  return number != nullptr ? static_cast<unsigned>(std::strtoul(number, nullptr, 10)) : 0;
}
