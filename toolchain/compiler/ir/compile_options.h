// SPDX-License-Identifier: Apache-2.0
// The options of all compiler passes, and their warnings.
#pragma once
#include <map>
#include <string>

#include "hw/isa/encoding.h"

namespace g80 {

/// What a limit of registers per thread may be.
inline constexpr unsigned kLeastRegisterLimit = 4, kMostRegisterLimit = 124;

struct CompileOptions {
  isa::Arch arch = isa::Arch::kSm10;
  // How the user chooses another one, as messages say it in front of its name.
  std::string choose_arch = "compile with -arch=";
  unsigned max_registers = 0;  // per thread; 0: what the launch bounds of the kernel ask for, else no limit but 124
  // By kernel without bounds of its own, mangled: the threads of the largest block with which its program launches it.
  std::map<std::string, unsigned> launched_threads;
  bool fmad = true;   // fuse f32 multiply and add where the source allows it
  bool calls = true;  // of large functions; false: everything is inlined
};

struct Diagnostic {
  std::string message;  // "file:line: what"
};

}  // namespace g80
