// SPDX-License-Identifier: Apache-2.0
// Any text is a cubin or a SourceError. What reads can be written, read back and listed; every pair of its words
// decodes or not, has text, and encodes to what decodes to the same instruction.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "hw/isa/disassembler.h"
#include "hw/isa/encoding.h"
#include "hw/isa/instruction_compare.h"
#include "toolchain/assembler/listing.h"
#include "toolchain/cubin/cubin.h"

namespace {

void check_words(std::uint32_t w0, std::uint32_t w1, g80::isa::Arch arch) {
  using namespace g80::isa;
  disassemble(w0, w1, arch);
  Instruction insn, again;
  if (decode(w0, w1, arch, insn) != DecodeError::kNone) return;
  disassemble_marked(insn);
  const Words words = encode(insn);
  if (words.is_long == is_long(w0) && decode(words.w0, words.w1, arch, again) == DecodeError::kNone &&
      first_difference(insn, again) == nullptr)
    return;
  std::fprintf(stderr, "%08x %08x decodes to `%s`, which encodes to %08x %08x\n", w0, w1, disassemble(insn).c_str(),
               words.w0, words.w1);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  g80::Module module;
  try {
    module = g80::read_cubin({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const g80::SourceError&) {
    return 0;
  }
  const std::string cubin = g80::write_cubin(module);
  if (g80::write_cubin(g80::read_cubin(cubin, "cubin")) != cubin) std::abort();
  g80::list_module(module);
  for (const g80::Kernel& kernel : module.kernels) {
    for (std::size_t i = 0; i + 1 < kernel.code.size(); ++i)
      check_words(kernel.code[i], kernel.code[i + 1], module.arch);
  }
  return 0;
}
