// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cubin/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace g80 {

std::string demangled_name(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

bool names_kernel(std::string_view wanted, const std::string& name) {
  if (wanted == name) return true;
  std::string text = demangled_name(name);
  if (wanted == text) return true;
  // A template's name begins with its result type and has its arguments in <>: "void scale<float>(float*)".
  const std::size_t parameters = text.find('(');
  text = text.substr(0, parameters);
  if (const std::size_t blank = text.substr(0, text.find('<')).rfind(' '); blank != std::string::npos)
    text.erase(0, blank + 1);
  return wanted == text || wanted == std::string_view(text).substr(0, text.find('<'));
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
