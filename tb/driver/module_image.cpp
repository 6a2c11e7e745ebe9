// SPDX-License-Identifier: Apache-2.0
#include "tb/driver/module_image.h"

#include <algorithm>
#include <cstring>

#include "hw/isa/encoding.h"

namespace g80 {
namespace {

bool has_target(isa::Op op) {
  return op == isa::Op::kBra || op == isa::Op::kCall || op == isa::Op::kBreakaddr || op == isa::Op::kJoinat;
}

/// Writes words at a byte offset, growing the bank to whole constant-buffer units.
void place(BankImage& bank, std::uint32_t offset, std::uint32_t bytes, const std::vector<std::uint32_t>& words) {
  const auto end = static_cast<std::uint32_t>(offset + std::max<std::size_t>(bytes, 4 * words.size()));
  if (bank.size() < end) bank.resize(round_up(end, kConstantAlignment));
  if (!words.empty()) std::memcpy(&bank[offset], words.data(), 4 * words.size());
}

}  // namespace

std::vector<std::uint32_t> relocate(const std::vector<std::uint32_t>& code, isa::Arch arch, std::uint32_t start) {
  std::vector<std::uint32_t> out = code;
  for (std::size_t i = 0; i < code.size();) {
    const bool two_words = isa::is_long(code[i]) && i + 1 < code.size();
    isa::Instruction insn;
    if (two_words && isa::decode(code[i], code[i + 1], arch, insn) == isa::DecodeError::kNone && has_target(insn.op)) {
      insn.target += start;
      const isa::Words words = isa::encode(insn);
      out[i] = words.w0;
      out[i + 1] = words.w1;
    }
    i += two_words ? 2 : 1;
  }
  return out;
}

ModuleImage make_module_image(const Module& module) {
  ModuleImage image;
  for (const ConstantVariable& variable : module.constants) {
    place(image.bank.at(variable.bank), variable.offset, variable.bytes, variable.words);
  }
  for (const DeviceVariable& variable : module.device_variables)
    place(image.bank.at(variable.bank), variable.offset, 4, {});
  for (const Kernel& kernel : module.kernels) {
    KernelImage placed;
    placed.start = 4 * static_cast<std::uint32_t>(image.code.size());
    placed.bytes = 4 * static_cast<std::uint32_t>(kernel.code.size());
    const std::vector<std::uint32_t> words = relocate(kernel.code, module.arch, placed.start);
    image.code.insert(image.code.end(), words.begin(), words.end());
    image.code.resize(round_up(4 * static_cast<std::uint32_t>(image.code.size()), kKernelAlignment) / 4);
    for (const ConstantSegment& segment : kernel.constants) {
      BankImage& bank = placed.bank.at(segment.bank);
      if (bank.empty()) bank = image.bank[segment.bank];
      place(bank, segment.offset, 0, segment.words);
    }
    image.kernels.push_back(std::move(placed));
  }
  return image;
}

}  // namespace g80
