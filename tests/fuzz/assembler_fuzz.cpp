// SPDX-License-Identifier: Apache-2.0
// Any text is assembly source or a SourceError. What assembles can be listed, written and read back.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/listing.h"
#include "toolchain/cubin/cubin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  g80::Module module;
  try {
    module = g80::assemble({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const g80::SourceError&) {
    return 0;
  }
  const std::string cubin = g80::write_cubin(module);
  const std::string again = g80::write_cubin(g80::read_cubin(cubin, "cubin"));
  g80::list_module(module);
  if (again == cubin) return 0;
  std::fprintf(stderr, "%s--- reads as ---\n%s", cubin.c_str(), again.c_str());
  std::abort();
}
