// SPDX-License-Identifier: Apache-2.0
// g80 --version: the versions that a bug report must name.
#include <fmt/format.h>
#include <sysc/kernel/sc_ver.h>
#include <verilated_config.h>

#include "app/command/commands.h"
#include "hw/common/version.h"

namespace g80 {
namespace {

#ifdef __clang__
constexpr const char* kCompiler = "Clang " __clang_version__;
#else
constexpr const char* kCompiler = "GCC " __VERSION__;
#endif

}  // namespace

std::string version_text() {
  return fmt::format("g80 {}\ngit {}\nSystemC {}.{}.{}\nVerilator {}\n{}", kVersion, kGitId, sc_core::sc_version_major,
                     sc_core::sc_version_minor, sc_core::sc_version_patch, VERILATOR_VERSION, kCompiler);
}

}  // namespace g80
