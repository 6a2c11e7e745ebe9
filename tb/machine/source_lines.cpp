// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/source_lines.h"

#include <algorithm>

#include <fmt/format.h>

namespace g80 {
namespace {

/// Replaces several spaces by one, because a row of a viewer has little room.
std::string squeezed(std::string_view line) {
  std::string text;
  std::unique_copy(line.begin(), line.end(), std::back_inserter(text),
                   [](char a, char b) { return a == ' ' && b == ' '; });
  return text;
}

}  // namespace

void SourceLines::launch(const Kernel& kernel, std::uint32_t start) {
  Launched& launched = kernels_[kernel.name];
  launched_ = &launched;
  if (launched.code == kernel.code) return;
  launched = {kernel.code, {}};
  for (std::uint32_t word = 0; word < kernel.code.size(); word += isa::is_long(kernel.code[word]) ? 2 : 1) {
    const auto place = kernel.lines.find(4 * word);
    if (!place) continue;
    const std::size_t folder = place->file.rfind('/');
    std::string line = to_text({place->file.substr(folder == std::string_view::npos ? 0 : folder + 1), place->line});
    if (const auto text = source_.line(*place)) line += "  " + squeezed(*text);
    std::string& all = by_pc_[start + 4 * word];
    all += all.empty() ? line : " | " + line;
    launched.lines.emplace(start + 4 * word, std::move(line));
  }
}

const std::string& SourceLines::at(std::uint32_t pc) const {
  static const std::string unknown;
  if (launched_ == nullptr) return unknown;
  const auto found = launched_->lines.find(pc);
  return found == launched_->lines.end() ? unknown : found->second;
}

std::string SourceLines::filter() const {
  std::string text = "0000000 -\n";
  for (const auto& [pc, line] : by_pc_) text += fmt::format("{0:06x} {1}\n1{0:06x} {1}\n", pc, line);
  return text;
}

}  // namespace g80
