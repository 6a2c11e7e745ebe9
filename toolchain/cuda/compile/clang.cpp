// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/clang.h"

#include <fmt/format.h>
#include <unistd.h>

#include <set>
#include <string_view>

#include "hw/isa/encoding.h"
#include "toolchain/cuda/compile/command.h"
#include "toolchain/cuda/compile/device_pass.h"

namespace g80::cuda {
namespace {

constexpr const char* kNotFound =
    "is neither visible in the template definition nor found by argument-dependent lookup";

// A member of a base that depends on a template parameter, without `this->`: g++ took it until 3.4, Microsoft's
// compiler ever after. Only a program that is refused otherwise is read with the rules of that compiler, without its
// macros, and as C++ of the time (char16_t and the like of later headers are missing there).
constexpr const char* kUndeclared = "error: use of undeclared identifier '";
constexpr const char* kBaseMembers[] = {"-std=gnu++98",
                                        "-Xclang",
                                        "-fms-compatibility",
                                        "-Wno-microsoft",
                                        "-Wno-builtin-macro-redefined",
                                        "-U_WCHAR_T_DEFINED",
                                        "-U_NATIVE_WCHAR_T_DEFINED",
                                        "-D__STDC__=1",
                                        "-D__EXCEPTIONS=1"};

/// The names that errors of this kind quote.
std::set<std::string> names(const std::string& said, const std::string& error) {
  std::set<std::string> found;
  for (std::size_t at = 0; (at = said.find(error, at)) != std::string::npos;) {
    at += error.size();
    found.insert(said.substr(at, said.find('\'', at) - at));
  }
  return found;
}

/// What to do about names that Microsoft's rules let through.
std::string advice(const std::string& said, const std::string& said_then) {
  if (said_then.find("fatal error: ") != std::string::npos) return "";
  std::set<std::string> wrong = names(said_then, kUndeclared);
  wrong.merge(names(said_then, "error: no member named '"));
  std::string text;
  for (const std::string& name : names(said, kUndeclared)) {
    if (wrong.count(name) == 0)
      text += fmt::format(
          "g80: note: if '{0}' is a member of a base class that depends on a template parameter, write this->{0} or "
          "Base<T>::{0}\n",
          name);
  }
  return text;
}

/// The summary of a device pass names the chip that clang compiles for, which is not the user's.
std::string with_chip(std::string said, isa::Arch arch) {
  const std::string summary = fmt::format(" generated when compiling for {}.", kClangsChip);
  const std::size_t at = said.find(summary);
  if (at != std::string::npos)
    said.replace(at, summary.size(), fmt::format(" generated when compiling for {}.", isa::arch_name(arch)));
  return said;
}

}  // namespace

std::string advice_on_openmp(const std::string& said) {
  for (const char* missing : {"'omp.h' file not found", "library not found: omp\n", "-lomp"}) {
    if (said.find(missing) != std::string::npos)
      return "g80: note: the program uses OpenMP, and clang's library for it (omp.h, libomp) is not installed: install "
             "it (on Debian libomp-dev)\n";
  }
  return "";
}

int run_clang(std::vector<std::string> words, const CcOptions& options) {
  if (isatty(STDERR_FILENO) == 1) words.insert(words.begin() + 1, "-fcolor-diagnostics");  // it would see a pipe
  std::string said;
  int status = run_tool(words, options.run_mode, said);
  if (status != 0 && said.find(kNotFound) != std::string::npos) {
    words.push_back("-fdelayed-template-parsing");
    status = run_tool(words, options.run_mode, said);
  }
  if (status != 0 && said.find(kUndeclared) != std::string::npos) {
    std::string said_then;
    words.insert(words.end(), std::begin(kBaseMembers), std::end(kBaseMembers));
    if (run_tool(words, options.run_mode, said_then) == 0 && options.standard.empty()) {
      status = 0;
      said = std::move(said_then);
    } else {
      said += advice(said, said_then);
    }
  }
  fmt::print(stderr, "{}{}", with_chip(said, options.arch), status == 0 ? "" : advice_on_openmp(said));
  return status;
}

}  // namespace g80::cuda
