// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cubin/kernel_name.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>

#include <cstdlib>
#include <iterator>
#include <memory>

#include "input/nearest_name.h"

namespace g80 {
namespace {

/// "space::scale<float>" of "void space::scale<float>(float*)": a template's name begins with its result type.
std::string_view bare_name(std::string_view text) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::size_t begin = 0, at = 0;
  for (int depth = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (depth == 0 && c == '(' && text.compare(at, kAnonymous.size(), kAnonymous) != 0) break;
    if (c == '(' || c == '<') ++depth;
    if (c == ')' || c == '>') --depth;
    if (depth == 0 && c == ' ') begin = at + 1;
  }
  return text.substr(begin, at - begin);
}

/// True if `wanted` is the last part of the name, without its spaces.
bool ends_name(std::string_view wanted, const std::string& name) {
  const std::string text = demangled_name(name), end = fmt::format("::{}", wanted);
  const std::string_view bare = bare_name(text);
  const auto ends = [&](std::string_view whole) {
    return whole.size() > end.size() && whole.substr(whole.size() - end.size()) == end;
  };
  return ends(bare) || ends(bare.substr(0, bare.find('<')));
}

}  // namespace

std::string demangled_name(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

bool names_kernel(std::string_view wanted, const std::string& name) {
  const std::string text = demangled_name(name);
  const std::string_view bare = bare_name(text);
  return wanted == name || wanted == text || wanted == bare || wanted == bare.substr(0, bare.find('<'));
}

std::vector<std::string> kernels_named(std::string_view wanted, const std::vector<std::string>& names) {
  std::vector<std::string> named;
  for (const auto& is_it : {names_kernel, ends_name}) {
    std::copy_if(names.begin(), names.end(), std::back_inserter(named),
                 [&](const std::string& name) { return is_it(wanted, name); });
    if (!named.empty()) break;
  }
  return named;
}

std::string kernel_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + demangled_name(name);
  return list.empty() ? "none" : list;
}

std::string no_such_kernel(std::string_view wanted, const std::vector<std::string>& names) {
  if (const std::vector<std::string> several = kernels_named(wanted, names); several.size() > 1)
    return fmt::format("the program has several kernels '{}': {}", wanted, kernel_list(several));
  std::vector<std::string> candidates;
  for (const std::string& name : names) candidates.emplace_back(bare_name(demangled_name(name)));
  return fmt::format("the program has no kernel '{}'; it has {}{}", wanted, kernel_list(names),
                     names.size() > 1 ? did_you_mean(wanted, candidates) : "");
}

std::vector<std::string> parameter_types(const std::string& name) {
  const std::string text = demangled_name(name);
  std::vector<std::string> types;
  if (text == name || text.empty() || text.back() != ')') return types;
  int depth = 0;
  std::string type;  // from its end
  const auto take = [&] {
    const std::size_t first = type.find_last_not_of(' ');
    if (first != std::string::npos)
      types.emplace_back(type.rbegin() + static_cast<std::ptrdiff_t>(type.size() - 1 - first), type.rend());
    type.clear();
  };
  for (std::size_t at = text.size() - 1; at-- > 0;) {  // the list is the last thing in the name
    const char c = text[at];
    if (c == '(' && depth == 0) break;
    if (c == ')' || c == '>') ++depth;
    if (c == '(' || c == '<') --depth;
    if (c == ',' && depth == 0) {
      take();
    } else {
      type += c;
    }
  }
  take();
  return {types.rbegin(), types.rend()};
}

}  // namespace g80
