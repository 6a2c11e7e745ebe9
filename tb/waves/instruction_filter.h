// SPDX-License-Identifier: Apache-2.0
// GTKWave translate filter process: translates instruction words to mnemonics.
//
// GTKWave writes the digits of a signal's value, one per line, and reads one line back for each.
#pragma once
#include <iosfwd>
#include <string>

#include "hw/isa/encoding.h"

namespace g80 {

/// The text of one displayed value: up to 8 hexadecimal digits are a short instruction (or the first word of a long one
/// on its own), up to 16 are w1:w0. Anything else (x, z, no number) comes back unchanged.
std::string instruction_text(const std::string& digits, isa::Arch arch);

/// Answers every line of `in` on `out`, until `in` ends.
void run_instruction_filter(std::istream& in, std::ostream& out, isa::Arch arch);

}  // namespace g80
