// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/noinline.h"

#include <algorithm>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

/// True if the line contains `word` as a whole word.
bool has_word(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  return at != std::string_view::npos && line[at - 1] == ' ' &&
         (line[at + word.size()] == ' ' || line[at + word.size()] == '\n');
}

/// `#3` in a definition, `attributes #3 = { .. }`: the number with its '#'.
std::string_view attribute_group(std::string_view line) {
  const std::size_t at = line.find(" #");
  if (at == std::string_view::npos) return {};
  return line.substr(at + 1, line.find_first_not_of("0123456789", at + 2) - at - 1);
}

/// The PTX name of LLVM's `@name` or `@"name"`, with replacements for characters that PTX does not allow.
std::string ptx_name(std::string_view definition) {
  std::size_t begin = definition.find('@') + 1, end = definition.find('(', begin);
  if (definition[begin] == '"') end = definition.find('"', ++begin);
  std::string name;
  for (const char c : definition.substr(begin, end - begin))
    name += c == '.' || c == '@' ? std::string("_$_") : std::string(1, c);
  return name;
}

/// The name behind `.func` and its results; empty if the line does not begin a function.
std::string_view function_name(std::string_view line) {
  std::size_t at = line.find(".func ");
  if (at == std::string_view::npos || starts_with(line, "//")) return {};
  at = line.find_first_not_of(' ', at + 5);
  if (at != std::string_view::npos && line[at] == '(')
    at = line.find_first_not_of(' ', std::min(line.find(')', at), line.size() - 1) + 1);
  return at == std::string_view::npos ? std::string_view() : line.substr(at, line.find_first_of("(\n", at) - at);
}

}  // namespace

std::set<std::string> noinline_functions(std::string_view ir) {
  std::set<std::string_view> groups;
  for_each_line(ir, [&](std::string_view line) {
    if (starts_with(line, "attributes #") && has_word(line, "noinline")) groups.insert(attribute_group(line));
  });
  std::set<std::string> functions;
  for_each_line(ir, [&](std::string_view line) {
    if (starts_with(line, "define ") && groups.count(attribute_group(line.substr(line.find('@')))) != 0)
      functions.insert(ptx_name(line));
  });
  return functions;
}

std::string mark_noinline(std::string_view ptx, const std::set<std::string>& functions) {
  std::string out;
  out.reserve(ptx.size() + 10 * functions.size());
  bool is_head = false;
  for_each_line(ptx, [&](std::string_view line) {
    const std::string_view name = function_name(line);
    if (!name.empty()) is_head = functions.count(std::string(name)) != 0;
    if (is_head && starts_with(line, "{")) out += ".noinline\n";
    if (starts_with(line, "{") || starts_with(line, ";")) is_head = false;
    out += line;
  });
  return out;
}

}  // namespace g80::cuda
