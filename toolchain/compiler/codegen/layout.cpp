// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/compiler/codegen/prepare.h"

namespace g80::codegen {
namespace {

constexpr std::uint32_t kMaxConstantBytes = 0x10000;
constexpr std::uint32_t kMaxSharedBytes = 0x4000;

std::uint32_t align_up(std::uint32_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

std::vector<std::uint32_t> words_of(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4, 0);
  for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= std::uint32_t{bytes[i]} << i % 4 * 8;
  return words;
}

}  // namespace

ModuleLayout place_module_variables(const ir::Module& module, Module& out, const std::string& filename) {
  ModuleLayout layout;
  layout.address.resize(module.variables.size());
  std::uint32_t constant_end = 0, slots = 0;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ir::Variable& variable = module.variables[i];
    if (variable.space == ir::Space::kConst) {
      const std::uint32_t offset = align_up(constant_end, std::max(variable.align, 4u));
      constant_end = offset + variable.bytes;
      if (constant_end > kMaxConstantBytes) {
        throw SourceError(fmt::format("{}: constant variables take more than {} bytes", filename, kMaxConstantBytes));
      }
      layout.address[i] = offset;
      out.constants.push_back(
          {variable.name, kUserConstantBank, offset, variable.bytes, variable.element, words_of(variable.initial)});
    } else if (variable.space == ir::Space::kGlobal) {
      layout.address[i] = slots;
      out.device_variables.push_back(
          {variable.name, kDeviceAddressBank, slots, variable.bytes, variable.element, words_of(variable.initial)});
      slots += 4;
    }
  }
  for (const ir::Variable& variable : module.variables) {
    for (const ir::AddressWord& word : variable.addresses)
      out.addresses.push_back({variable.name, word.offset, module.variables[word.variable].name, word.addend});
  }
  for (const ir::Texture& texture : module.textures) out.textures.push_back({texture.name, texture.unit});
  return layout;
}

KernelLayout place_kernel_variables(const ir::Module& module, const ir::Function& kernel, const ModuleLayout& base,
                                    const std::string& filename) {
  KernelLayout layout;
  layout.address = base.address;
  std::uint32_t shared_end = kParameterBase;
  for (const ir::KernelParameter& param : kernel.params) {
    shared_end = std::max(shared_end, kParameterBase + param.offset + param.bytes);
  }
  if (shared_end > kParameterBase + kParameterBytes) {
    refuse(filename, kernel.loc,
           fmt::format("the parameters of '{}' take more than {} bytes", kernel.name, kParameterBytes));
  }
  shared_end = align_up(shared_end, 4);
  std::vector<std::uint8_t> is_used(module.variables.size(), 0);
  ir::for_each_function(kernel, [&](const ir::Function& function) {
    for (const ir::Block& block : function.blocks) {
      for (const ir::InstId id : block.insts) {
        if (function.insts[id].op == ir::Op::kVarAddr) is_used[function.insts[id].variable] = 1;
      }
    }
  });
  std::vector<std::size_t> dynamic;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ir::Variable& variable = module.variables[i];
    if (!is_used[i]) continue;
    if (variable.space == ir::Space::kShared && variable.bytes == 0) {
      dynamic.push_back(i);
    } else if (variable.space == ir::Space::kShared) {
      layout.address[i] = align_up(shared_end, std::max(variable.align, 1u));
      shared_end = layout.address[i] + variable.bytes;
    } else if (variable.space == ir::Space::kLocal) {
      layout.address[i] = align_up(layout.local_bytes, std::max(variable.align, 1u));
      layout.local_bytes = layout.address[i] + variable.bytes;
    }
  }
  shared_end = align_up(shared_end, 4);
  for (const std::size_t i : dynamic) shared_end = align_up(shared_end, std::max(module.variables[i].align, 4u));
  for (const std::size_t i : dynamic) layout.address[i] = shared_end;
  layout.local_bytes = align_up(layout.local_bytes, 4);
  layout.shared_bytes = shared_end;
  if (shared_end > kMaxSharedBytes) {
    refuse(
        filename, kernel.loc,
        fmt::format("'{}' uses {} bytes of shared memory, the chip has {}", kernel.name, shared_end, kMaxSharedBytes));
  }
  return layout;
}

}  // namespace g80::codegen
