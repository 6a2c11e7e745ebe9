// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/signed_extracts.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

constexpr std::string_view kExtract = "\tbfe.u64 \t";
constexpr unsigned kBits = 64;

/// `a, b, c;`
std::vector<std::string> operands_of(std::string_view text) {
  std::vector<std::string> operands;
  text = text.substr(0, text.find(';'));
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = next_comma(text, at);
    operands.emplace_back(text.substr(at, end - at));
    at = std::min(text.size(), text.find_first_not_of(' ', std::min(text.size(), end + 1)));
    if (end >= text.size()) break;
  }
  return operands;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The corrected line, or an empty text if the line can stay.
std::string mended(std::string_view line) {
  if (!starts_with(line, kExtract)) return "";
  const std::vector<std::string> operands = operands_of(line.substr(kExtract.size()));
  if (operands.size() != 4 || !is_number(operands[2]) || !is_number(operands[3])) return "";
  const unsigned long first = std::strtoul(operands[2].c_str(), nullptr, 10),
                      count = std::strtoul(operands[3].c_str(), nullptr, 10);
  if (first >= kBits || count >= kBits || first + count <= kBits) return "";
  return fmt::format("\tshr.s64 \t{0}, {1}, {2};\n\tand.b64 \t{0}, {0}, {3};\n", operands[0], operands[1], first,
                     (std::uint64_t{1} << count) - 1);
}

}  // namespace

std::string mend_signed_extracts(std::string_view ptx) {
  std::string out;
  out.reserve(ptx.size());
  for_each_line(ptx, [&](std::string_view line) {
    const std::string better = mended(line);
    out += better.empty() ? line : std::string_view(better);
  });
  return out;
}

}  // namespace g80::cuda
