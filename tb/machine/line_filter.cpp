#include "tb/machine/line_filter.h"

#include <fmt/format.h>

#include "kernels/toolchain/cubin/source_text.h"

namespace g80 {

void add_lines(const Kernel& kernel, std::uint32_t start, std::map<std::uint32_t, std::string>& lines) {
  SourceText source;
  for (std::uint32_t word = 0; word < kernel.code.size(); word += isa::is_long(kernel.code[word]) ? 2 : 1) {
    const auto place = kernel.lines.find(4 * word);
    if (!place) continue;
    const auto text = source.line(*place);
    lines[start + 4 * word] = fmt::format("{}{}{}", to_text(*place), text ? "  " : "", text.value_or(""));
  }
}

std::string line_filter(const std::map<std::uint32_t, std::string>& lines) {
  std::string text;
  for (const auto& [address, line] : lines) text += fmt::format("{:06x} {}\n", address, line);
  return text;
}

}  // namespace g80
