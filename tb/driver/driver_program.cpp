// SPDX-License-Identifier: Apache-2.0
// The driver's modules, symbols and textures.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tb/driver/driver.h"

namespace g80 {
namespace {

void put_word(BankImage& bank, std::uint32_t offset, std::uint32_t word) { std::memcpy(&bank.at(offset), &word, 4); }

}  // namespace

std::uint32_t Driver::take_room(Loaded& loaded, std::uint32_t bytes, const std::string& name) {
  return loaded.allocations.emplace_back(alloc(bytes, name));
}

std::uint32_t Driver::place_bytes(Loaded& loaded, const void* from, std::uint32_t bytes, const std::string& name) {
  const std::uint32_t address = take_room(loaded, bytes, name);
  copy_to_device(address, from, bytes);
  return address;
}

void Driver::load_module(const Module& module) {
  for (const Kernel& kernel : module.kernels) {
    if (kernels_.count(kernel.name) != 0) {
      throw DriverError(fmt::format("kernel '{}' is in two loaded modules, but its name must be unique", kernel.name));
    }
    if (kernel.code.empty()) throw DriverError(fmt::format("kernel '{}' has no code", kernel.name));
  }
  Loaded& loaded = modules_.emplace_back();
  loaded.source = &module;
  loaded.module = module;
  try {
    place(loaded);
  } catch (const DriverError&) {
    for (const std::uint32_t address : unload_module(module)) free(address);
    throw;
  }
}

void Driver::place(Loaded& loaded) {
  const Module& module = loaded.module;
  const std::string& name = module.name.empty() ? "module" : module.name;

  std::map<std::string, std::uint32_t>& placed = loaded.device_variables;
  for (const DeviceVariable& variable : module.device_variables)
    placed[variable.name] = take_room(loaded, std::max(variable.bytes, 4u), variable.name);
  for (ConstantVariable& variable : loaded.module.constants) variable.words = loaded_words(module, variable, placed);
  ModuleImage image = make_module_image(module);
  for (const DeviceVariable& variable : module.device_variables) {
    const std::uint32_t bytes = std::max(variable.bytes, 4u), address = placed[variable.name];
    std::vector<std::uint32_t> words = loaded_words(module, variable, placed);
    words.resize(round_up(bytes, 4) / 4);
    copy_to_device(address, words.data(), bytes);
    put_word(image.bank[variable.bank], variable.offset, address);
    for (KernelImage& kernel : image.kernels) {
      if (!kernel.bank[variable.bank].empty()) put_word(kernel.bank[variable.bank], variable.offset, address);
    }
  }

  LoadedKernel shared;
  if (image.code.empty()) return;
  shared.code_base =
      place_bytes(loaded, image.code.data(), static_cast<std::uint32_t>(4 * image.code.size()), name + ".code");
  for (unsigned bank = 0; bank < kNumConstBanks; ++bank) {
    const BankImage& bytes = image.bank[bank];
    if (bytes.empty()) continue;
    const auto size = static_cast<std::uint32_t>(bytes.size());
    shared.bank[bank] = {place_bytes(loaded, bytes.data(), size, fmt::format("{}.c{}", name, bank)), size};
  }
  for (std::size_t i = 0; i < module.kernels.size(); ++i) {
    LoadedKernel kernel = shared;
    kernel.kernel = &loaded.module.kernels[i];
    kernel.start = image.kernels[i].start;
    for (unsigned bank = 0; bank < kNumConstBanks; ++bank) {
      const BankImage& bytes = image.kernels[i].bank[bank];
      if (bytes.empty()) continue;
      const auto size = static_cast<std::uint32_t>(bytes.size());
      kernel.bank[bank] = {place_bytes(loaded, bytes.data(), size, fmt::format("{}.c{}", kernel.kernel->name, bank)),
                           size};
    }
    kernels_[kernel.kernel->name] = kernel;
  }
  code_changed_ = true;
}

std::vector<std::uint32_t> Driver::unload_module(const Module& module) {
  const auto is_it = [&](const Loaded& one) { return one.source == &module; };
  const auto loaded = std::find_if(modules_.begin(), modules_.end(), is_it);
  for (const Kernel& kernel : module.kernels) kernels_.erase(kernel.name);
  std::vector<std::uint32_t> allocations = std::move(loaded->allocations);
  modules_.erase(loaded);
  return allocations;
}

const LoadedKernel& Driver::kernel(const std::string& name) const {
  const auto found = kernels_.find(name);
  if (found != kernels_.end()) return found->second;
  throw DriverError(fmt::format("unknown kernel '{}'; loaded: {}", name,
                                kernels_.empty() ? "none" : fmt::format("{}", fmt::join(kernel_names(), ", "))));
}

std::vector<std::string> Driver::kernel_names() const {
  std::vector<std::string> names;
  for (const auto& entry : kernels_) names.push_back(entry.first);
  return names;
}

std::uint32_t Driver::device_variable(const std::string& name) const {
  for (const Loaded& loaded : modules_) {
    const auto found = loaded.device_variables.find(name);
    if (found != loaded.device_variables.end()) return found->second;
  }
  throw DriverError(fmt::format("no loaded module has a __device__ variable '{}'", name));
}

Driver::Symbol Driver::find_symbol(const std::string& name, std::uint32_t bytes, std::uint32_t offset) const {
  const auto check_room = [&](std::uint32_t size) {
    if (std::uint64_t{offset} + bytes > size) {
      throw DriverError(
          fmt::format("{} bytes at offset {} do not fit in '{}', which has {} bytes", bytes, offset, name, size));
    }
  };
  Symbol symbol;
  for (const Loaded& loaded : modules_) {
    const Module& module = loaded.module;
    const auto constant = std::find_if(module.constants.begin(), module.constants.end(),
                                       [&](const ConstantVariable& variable) { return variable.name == name; });
    if (constant != module.constants.end()) {
      check_room(constant->bytes);
      symbol.constant = true;
      // A kernel with its own words in the bank has its own copy of the bank.
      for (const Kernel& kernel : module.kernels) {
        const std::uint32_t address =
            this->kernel(kernel.name).bank[constant->bank].address + constant->offset + offset;
        if (std::find(symbol.addresses.begin(), symbol.addresses.end(), address) == symbol.addresses.end()) {
          symbol.addresses.push_back(address);
        }
      }
      return symbol;
    }
    const auto variable = std::find_if(module.device_variables.begin(), module.device_variables.end(),
                                       [&](const DeviceVariable& v) { return v.name == name; });
    if (variable != module.device_variables.end()) {
      check_room(variable->bytes);
      symbol.addresses = {loaded.device_variables.at(name) + offset};
      return symbol;
    }
  }
  throw DriverError(fmt::format("no loaded module has a __constant__ or __device__ variable '{}'", name));
}

void Driver::set_symbol(const std::string& name, const void* from, std::uint32_t bytes, std::uint32_t offset) {
  const Symbol symbol = find_symbol(name, bytes, offset);
  for (const std::uint32_t address : symbol.addresses) copy_to_device(address, from, bytes);
  code_changed_ = code_changed_ || symbol.constant;
}

void Driver::get_symbol(const std::string& name, void* to, std::uint32_t bytes, std::uint32_t offset) {
  const Symbol symbol = find_symbol(name, bytes, offset);
  if (symbol.addresses.empty()) throw DriverError(fmt::format("no loaded kernel has the variable '{}'", name));
  copy_from_device(to, symbol.addresses.front(), bytes);
}

unsigned Driver::texture_unit(const std::string& name) const {
  for (const Loaded& loaded : modules_) {
    for (const TextureReference& texture : loaded.module.textures) {
      if (texture.name == name) return texture.unit;
    }
  }
  throw DriverError(fmt::format("no loaded module has a texture reference '{}'", name));
}

void Driver::bind_texture(unsigned unit, const Descriptor& header, const Descriptor& sampler) {
  if (unit >= kMaxTextures) {
    throw DriverError(fmt::format("texture unit {} does not exist: units are 0 to {}", unit, kMaxTextures - 1));
  }
  if (headers_ == 0) {
    headers_ = alloc(kMaxTextures * kDescriptorBytes, "texture headers");
    samplers_ = alloc(kMaxSamplers * kDescriptorBytes, "samplers");
  }
  copy_to_device(headers_ + unit * kDescriptorBytes, header.data(), kDescriptorBytes);
  if (unit < kMaxSamplers) copy_to_device(samplers_ + unit * kDescriptorBytes, sampler.data(), kDescriptorBytes);
  texture_bound_[unit] = true;
}

void Driver::set_global(unsigned space, bool enabled, std::uint32_t base, std::uint32_t limit) {
  if (space >= kNumGlobalSpaces) {
    throw DriverError(
        fmt::format("global space g{} does not exist: spaces are g0 to g{}", space, kNumGlobalSpaces - 1));
  }
  global_[space] = {enabled, base, limit};
}

}  // namespace g80
