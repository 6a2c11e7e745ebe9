// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/instruction_filter.h"

#include <cstdint>
#include <istream>
#include <ostream>

#include "hw/isa/disassembler.h"
#include "input/hex_digit.h"

namespace g80 {

std::string instruction_text(const std::string& digits, isa::Arch arch) {
  std::uint64_t value = 0;
  if (digits.empty() || digits.size() > 16) return digits;
  for (const char c : digits) {
    const int digit = hex_digit(c);
    if (digit < 0) return digits;
    value = value << 4 | static_cast<unsigned>(digit);
  }
  const auto w0 = static_cast<std::uint32_t>(value), w1 = static_cast<std::uint32_t>(value >> 32);
  if (value == 0) return "-";  // no instruction
  if (digits.size() <= 8 && isa::is_long(w0)) return digits + "...";
  return isa::disassemble(w0, w1, arch);
}

void run_instruction_filter(std::istream& in, std::ostream& out, isa::Arch arch) {
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    out << (first == std::string::npos ? "" : instruction_text(line.substr(first, last - first + 1), arch))
        << std::endl;
  }
}

}  // namespace g80
