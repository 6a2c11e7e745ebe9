// SPDX-License-Identifier: Apache-2.0
// Any text is a PTX program or a SourceError. What is accepted becomes well-formed IR.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "toolchain/compiler/compile.h"
#include "toolchain/compiler/ptx/lower_ptx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  g80::CompileOptions options;
  options.arch = static_cast<g80::isa::Arch>(data[size - 1] % 4);
  std::vector<g80::Diagnostic> warnings;
  try {
    g80::ir::verify(g80::lower_ptx({reinterpret_cast<const char*>(data), size}, "input", options, warnings));
  } catch (const g80::SourceError&) {
  }
  return 0;
}
