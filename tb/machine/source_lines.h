// SPDX-License-Identifier: Apache-2.0
// The source lines of the kernels that were launched, by pc: for --trace, and as a translate filter file for waves.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/cubin/source_text.h"

namespace g80 {

class SourceLines {
 public:
  /// A launch of `kernel`, whose first word lies at `start`: at() answers for it from now on. Names of kernels are
  /// unique, but a program may unload one and load another one of its name.
  void launch(const Kernel& kernel, std::uint32_t start);
  /// "scan.cu:12  text of the line" of an instruction of the launched kernel; empty if unknown.
  const std::string& at(std::uint32_t pc) const;
  bool empty() const { return by_pc_.empty(); }
  /// The filter file's text: each pc in 6 hexadecimal digits, as viewers show it, and again with a valid bit before it.
  /// Every module's code begins at 0: a pc of several kernels has the lines of all of them.
  std::string filter() const;

 private:
  SourceText source_;
  struct Launched {
    std::vector<std::uint32_t> code;
    std::map<std::uint32_t, std::string> lines;  // by pc
  };
  std::map<std::string, Launched> kernels_;
  const Launched* launched_ = nullptr;
  std::map<std::uint32_t, std::string> by_pc_;
};

}  // namespace g80
