// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cubin/module.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <istream>

#include "hw/isa/disassembler.h"
#include "input/regular_file.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80 {
namespace {

constexpr std::array<std::string_view, 10> kTypeNames = {"u8",  "s8",  "u16", "s16", "u32",
                                                         "s32", "f32", "u64", "f64", "ptr"};
constexpr std::array<unsigned, 10> kTypeBytes = {1, 1, 2, 2, 4, 4, 4, 8, 8, 4};

constexpr std::size_t kTextBytes = 128u << 20;               // twice the text of the largest code
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // some editors begin a file with it

template <class Variable>
std::vector<std::uint32_t> with_addresses(const Module& module, const Variable& variable,
                                          const std::map<std::string, std::uint32_t>& placed) {
  std::vector<std::uint32_t> words = variable.words;
  for (const AddressWord& word : module.addresses) {
    if (word.variable != variable.name) continue;
    words.resize((std::size_t{variable.bytes} + 3) / 4);
    words.at(word.offset / 4) = placed.at(word.target) + word.addend;
  }
  return words;
}

}  // namespace

std::vector<std::uint32_t> loaded_words(const Module& module, const ConstantVariable& variable,
                                        const std::map<std::string, std::uint32_t>& placed) {
  return with_addresses(module, variable, placed);
}
std::vector<std::uint32_t> loaded_words(const Module& module, const DeviceVariable& variable,
                                        const std::map<std::string, std::uint32_t>& placed) {
  return with_addresses(module, variable, placed);
}

std::string_view data_type_name(DataType type) { return kTypeNames[static_cast<unsigned>(type)]; }
unsigned data_type_bytes(DataType type) { return kTypeBytes[static_cast<unsigned>(type)]; }

std::uint32_t parameter_bytes(const Parameter& parameter) {
  return parameter.bytes != 0 ? parameter.bytes : data_type_bytes(parameter.type);
}

std::optional<DataType> parse_data_type(std::string_view name) {
  for (unsigned i = 0; i < kTypeNames.size(); ++i)
    if (kTypeNames[i] == name) return static_cast<DataType>(i);
  return std::nullopt;
}

std::string place_text(const Kernel& kernel, std::uint32_t pc, isa::Arch arch) {
  const std::vector<std::uint32_t>& code = kernel.code;
  if (pc % 4 != 0 || pc / 4 >= code.size()) return fmt::format("pc 0x{:x} outside the code", pc);
  const std::uint32_t w0 = code[pc / 4], w1 = isa::is_long(w0) && pc / 4 + 1 < code.size() ? code[pc / 4 + 1] : 0;
  return fmt::format("pc 0x{:x} `{}`{}", pc, isa::disassemble(w0, w1, arch), kernel.lines.remark(pc));
}

const Kernel* Module::find_kernel(std::string_view kernel_name) const {
  for (const Kernel& kernel : kernels)
    if (kernel.name == kernel_name) return &kernel;
  const std::vector<std::string> named = kernels_named(kernel_name, kernel_names());
  return named.size() == 1 ? find_kernel(named.front()) : nullptr;  // overloaded: the full name must be given
}

std::vector<std::string> Module::kernel_names() const {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels) names.push_back(kernel.name);
  return names;
}

std::string read_text(std::istream& in, const std::string& name) {
  std::string text;
  for (std::array<char, 1u << 16> part; in.read(part.data(), part.size()), in.gcount() > 0;) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kTextBytes)
      throw SourceError(fmt::format("{}: the file is longer than {} bytes", name, kTextBytes));
  }
  if (in.bad()) throw SourceError(name + ": the file cannot be read");
  if (text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0) text.erase(0, kByteOrderMark.size());
  return text;
}

std::string read_text_file(const std::string& path) {
  const auto refuse = [&path](const std::string& why) {
    return SourceError(fmt::format("{}: the file cannot be read ({})", path, why));
  };
  if (const std::string why = why_no_regular_file(path); !why.empty()) throw refuse(why);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw refuse(std::strerror(errno));
  return read_text(file, path);
}

}  // namespace g80
