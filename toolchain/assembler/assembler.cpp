// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "hw/common/limits.h"
#include "toolchain/assembler/data_values.h"
#include "toolchain/assembler/kernel_builder.h"

namespace g80 {
namespace {

constexpr std::int64_t kLargestVariable = 1 << 30;
constexpr std::uint32_t kLargestInitialised = 1 << 22;  // a limit, because a cubin lists every word

class Assembler {
 public:
  explicit Assembler(const std::string& filename) : filename_(filename) {}

  Module run(std::string_view text) {
    std::vector<SourceLine> lines = source_lines(text, filename_);
    for (SourceLine& line : lines) statement(line);
    const SourceLine end(filename_, lines.empty() ? 1 : lines.back().number(), {});
    finish_kernel(end);
    if (module_.kernels.empty()) end.fail(0, "the source has no .kernel");
    return std::move(module_);
  }

 private:
  void statement(SourceLine& line);
  void module_directive(std::string_view name, SourceLine& line, std::size_t start);
  void architecture(SourceLine& line, std::size_t start);
  void constant(SourceLine& line);
  void device(SourceLine& line);
  void address(SourceLine& line);
  void texture(SourceLine& line);
  void kernel(SourceLine& line);
  void finish_kernel(const SourceLine& end) {
    if (kernel_) module_.kernels.push_back(kernel_->finish(end));
    kernel_.reset();
  }
  void define(const std::string& name, std::int64_t value, const SourceLine& line, std::size_t position) {
    if (!symbols_.define(name, value)) line.fail(position, fmt::format("the name '{}' is already in use", name));
  }
  isa::SymbolLookup lookup() const {
    return [this](std::string_view name) { return symbols_.find(name); };
  }
  std::vector<std::uint32_t> initial_words(SourceLine& line, DataType type, std::uint32_t bytes);

  const std::string& filename_;
  Module module_;
  SymbolTable symbols_;
  std::unique_ptr<KernelBuilder> kernel_;
  ConstantBanks banks_;
};

void Assembler::statement(SourceLine& line) {
  while (true) {
    line.at_end();
    const std::size_t start = line.position();
    const std::string_view word = line.peek_word();
    if (!word.empty() && word[0] == '.') {
      line.take_word();
      if (kernel_ && kernel_->directive(word, line)) return;
      return module_directive(word, line, start);
    }
    // "name:" in front of an instruction, or alone.
    SourceLine after = line;
    if (!word.empty() && isa::is_name_start(word[0]) && (after.take_word(), after.take(':'))) {
      if (!kernel_) line.fail(start, "a label must be inside a kernel, but no .kernel precedes it");
      kernel_->label(std::string(word), line, start);
      line = after;
      if (line.at_end()) return;
      continue;
    }
    if (!kernel_) line.fail(start, "an instruction must be inside a kernel, but no .kernel precedes it");
    return kernel_->instruction(line);
  }
}

void Assembler::module_directive(std::string_view name, SourceLine& line, std::size_t start) {
  if (name == ".kernel") {
    kernel(line);
  } else if (kernel_ && (name == ".arch" || name == ".constant" || name == ".device" || name == ".address" ||
                         name == ".texture")) {
    line.fail(start, fmt::format("{} comes before the first .kernel", name));
  } else if (name == ".arch") {
    architecture(line, start);
  } else if (name == ".constant") {
    constant(line);
  } else if (name == ".device") {
    device(line);
  } else if (name == ".address") {
    address(line);
  } else if (name == ".texture") {
    texture(line);
  } else if (name == ".equ") {
    line.at_end();
    const std::size_t at = line.position();
    const std::string equ = line.take_name("a name");
    line.take('=');
    define(equ, line.take_number(lookup(), INT64_MIN, INT64_MAX, "the value"), line, at);
  } else {
    for (const std::string_view inner : {".reg", ".param", ".shared", ".local", ".const", ".bar", ".smem", ".word"})
      if (name == inner) line.fail(start, fmt::format("{} belongs to a kernel, but no .kernel precedes it", name));
    line.fail(start, fmt::format("unknown directive '{}'", name));
  }
  line.expect_end();
}

void Assembler::architecture(SourceLine& line, std::size_t start) {
  const std::string_view word = line.take_word();
  const std::optional<isa::Arch> arch = isa::parse_arch(word);
  if (!arch) line.fail(start, fmt::format("architecture '{}' is not one of sm_10 sm_11 sm_12 sm_13", word));
  module_.arch = *arch;
}

std::vector<std::uint32_t> Assembler::initial_words(SourceLine& line, DataType type, std::uint32_t bytes) {
  if (!line.take('=')) return {};
  line.at_end();
  const std::size_t start = line.position();
  std::vector<std::uint8_t> values = take_values(line, type, lookup());
  if (values.size() > bytes)
    line.fail(start, fmt::format("{} values for {} elements", values.size() / data_type_bytes(type),
                                 bytes / data_type_bytes(type)));
  values.resize(bytes);
  return words_of(values);
}

void Assembler::constant(SourceLine& line) {
  line.at_end();
  const std::size_t start = line.position();
  ConstantVariable variable;
  variable.name = line.take_ptx_name("a variable name");
  variable.type = take_type(line);
  const unsigned size = data_type_bytes(*variable.type);
  variable.bytes =
      static_cast<std::uint32_t>(line.take_number(lookup(), 1, kConstantBankBytes / size, "the element count")) * size;
  const BankPlacement placement = take_placement(line, kUserConstantBank, lookup());
  variable.bank = placement.bank;
  variable.offset = banks_.take(placement, variable.bytes, size, fmt::format("'{}'", variable.name), line, start);
  variable.words = initial_words(line, *variable.type, variable.bytes);
  define(variable.name, variable.offset, line, start);
  module_.constants.push_back(std::move(variable));
}

void Assembler::device(SourceLine& line) {
  line.at_end();
  const std::size_t start = line.position();
  DeviceVariable variable;
  variable.name = line.take_ptx_name("a variable name");
  variable.type = take_type(line);
  const unsigned size = data_type_bytes(*variable.type);
  variable.bytes =
      static_cast<std::uint32_t>(line.take_number(lookup(), 1, kLargestVariable / size, "the element count")) * size;
  const BankPlacement placement = take_placement(line, kDeviceAddressBank, lookup());
  variable.bank = placement.bank;
  variable.offset = banks_.take(placement, 4, 4, fmt::format("the address of '{}'", variable.name), line, start);
  if (line.rest().substr(0, 1) == "=" && variable.bytes > kLargestInitialised)
    line.fail(line.position(), fmt::format("'{}' has {} bytes; with values in the source it may have {}", variable.name,
                                           variable.bytes, kLargestInitialised));
  variable.words = initial_words(line, *variable.type, variable.bytes);
  define(variable.name, variable.offset, line, start);
  module_.device_variables.push_back(std::move(variable));
}

/// .address VARIABLE OFFSET = TARGET [ADDEND]
void Assembler::address(SourceLine& line) {
  line.at_end();
  std::size_t start = line.position();
  const auto bytes_of = [](const auto& variables, const std::string& name) -> std::uint32_t {
    for (const auto& variable : variables)
      if (variable.name == name) return variable.bytes;
    return 0;
  };
  AddressWord word;
  word.variable = line.take_ptx_name("a variable name");
  const std::uint32_t bytes =
      std::max(bytes_of(module_.constants, word.variable), bytes_of(module_.device_variables, word.variable));
  if (bytes < 4)
    line.fail(start, fmt::format("'{}' is not a variable of at least one word defined above", word.variable));
  line.at_end();
  start = line.position();
  word.offset = static_cast<std::uint32_t>(line.take_number(lookup(), 0, bytes - 4, "the offset"));
  if (word.offset % 4 != 0) line.fail(start, fmt::format("the offset {} is not a multiple of 4", word.offset));
  line.take('=');
  line.at_end();
  start = line.position();
  word.target = line.take_ptx_name("a .device variable");
  if (bytes_of(module_.device_variables, word.target) == 0)
    line.fail(start, fmt::format("'{}' is not a .device variable defined above", word.target));
  if (!line.at_end())
    word.addend = static_cast<std::uint32_t>(line.take_number(lookup(), INT32_MIN, UINT32_MAX, "the bytes to add"));
  module_.addresses.push_back(std::move(word));
}

void Assembler::texture(SourceLine& line) {
  line.at_end();
  const std::size_t start = line.position();
  TextureReference texture;
  texture.name = line.take_ptx_name("a texture name");
  texture.unit = static_cast<unsigned>(line.take_number(lookup(), 0, kMaxTextures - 1, "the texture unit"));
  define(texture.name, texture.unit, line, start);
  module_.textures.push_back(std::move(texture));
}

void Assembler::kernel(SourceLine& line) {
  finish_kernel(line);
  line.at_end();
  const std::size_t start = line.position();
  const std::string name = line.take_ptx_name("a kernel name");
  const auto has_name = [&](const Kernel& kernel) { return kernel.name == name; };
  if (std::any_of(module_.kernels.begin(), module_.kernels.end(), has_name))
    line.fail(start, fmt::format("a second kernel named '{}'", name));
  kernel_ = std::make_unique<KernelBuilder>(name, module_.arch, symbols_, banks_);
}

}  // namespace

Module assemble(std::string_view text, const std::string& filename) { return Assembler(filename).run(text); }

Module assemble_file(const std::string& path) { return assemble(read_text_file(path), path); }

}  // namespace g80
