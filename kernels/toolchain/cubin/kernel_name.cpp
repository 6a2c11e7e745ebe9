#include "kernels/toolchain/cubin/kernel_name.h"

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

}  // namespace g80
