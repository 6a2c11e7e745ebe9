// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <unordered_set>

#include "hw/common/limits.h"
#include "input/hex_digit.h"
#include "toolchain/cubin/block_text.h"
#include "toolchain/cubin/cubin.h"

namespace g80 {
namespace {

constexpr std::uint32_t kLargestVariable = 1u << 30;  // a larger size means that the file is damaged

// One block with checked access to its items.
class Reader {
 public:
  Reader(const Block& block, const std::string& filename) : block_(block), filename_(filename) {}

  [[noreturn]] void fail(unsigned line, const std::string& message) const { fail_at(filename_, line, message); }
  const Block& block() const { return block_; }
  const std::string& filename() const { return filename_; }

  /// Refuses all other items and blocks, and items that occur twice.
  void allow(std::initializer_list<std::string_view> items, std::initializer_list<std::string_view> blocks) const {
    for (const BlockItem& item : block_.items) {
      if (std::find(items.begin(), items.end(), item.key) == items.end())
        fail(item.line, fmt::format("unknown key '{}' in a '{}' block", item.key, block_.name));
      if (const BlockItem* first = find(item.key); first != &item)
        fail(item.line, fmt::format("'{}' is given twice (first in line {})", item.key, first->line));
    }
    for (const Block& inner : block_.blocks)
      if (std::find(blocks.begin(), blocks.end(), inner.name) == blocks.end())
        fail(inner.line, fmt::format("unknown block '{}' in a '{}' block", inner.name, block_.name));
    if (!block_.words.empty())
      fail(block_.words[0].line,
           fmt::format("'{}' is not allowed in a '{}' block", block_.words[0].value, block_.name));
  }

  const BlockItem* find(std::string_view key) const {
    for (const BlockItem& item : block_.items)
      if (item.key == key) return &item;
    return nullptr;
  }
  const BlockItem& item(std::string_view key) const {
    if (const BlockItem* found = find(key)) return *found;
    fail(block_.line, fmt::format("the '{}' block has no '{}'", block_.name, key));
  }
  std::string name() const { return item("name").value; }
  std::uint32_t number(std::string_view key, std::uint32_t largest) const { return to_number(item(key), key, largest); }

  std::uint32_t to_number(const BlockItem& item, std::string_view what, std::uint32_t largest) const {
    return to_number(item.value, item.line, what, largest);
  }
  std::uint32_t to_number(std::string_view text, unsigned line, std::string_view what, std::uint32_t largest) const {
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    std::uint64_t value = 0;
    if (text.empty()) fail(line, fmt::format("{} is missing", what));
    for (std::size_t i = hex ? 2 : 0; i < text.size(); ++i) {
      const int digit = hex_digit(text[i]);
      value = value * (hex ? 16 : 10) + static_cast<unsigned>(digit);
      if (digit < 0 || digit >= (hex ? 16 : 10) || value > 0xffffffffu)
        fail(line, fmt::format("{} is '{}', which is not a 32-bit number", what, text));
    }
    if (value > largest) fail(line, fmt::format("{} is {}, more than the largest possible {}", what, text, largest));
    return static_cast<std::uint32_t>(value);
  }

  std::vector<std::uint32_t> words() const {
    if (!block_.items.empty())
      fail(block_.items[0].line, fmt::format("'{}' is not allowed in a '{}' block", block_.items[0].key, block_.name));
    if (!block_.blocks.empty())
      fail(block_.blocks[0].line,
           fmt::format("a '{}' block is not allowed in a '{}' block", block_.blocks[0].name, block_.name));
    std::vector<std::uint32_t> words;
    words.reserve(block_.words.size());
    for (const BlockItem& word : block_.words) words.push_back(to_number(word, "this word", 0xffffffffu));
    return words;
  }

  /// The words of the only inner block of that name; empty if there is none and it is optional.
  std::vector<std::uint32_t> inner_words(std::string_view name, bool required) const {
    const Block* found = nullptr;
    for (const Block& inner : block_.blocks) {
      if (inner.name != name) continue;
      if (found != nullptr) fail(inner.line, fmt::format("a second '{}' block (first in line {})", name, found->line));
      found = &inner;
    }
    if (found == nullptr && required) fail(block_.line, fmt::format("the '{}' block has no '{}'", block_.name, name));
    return found != nullptr ? Reader(*found, filename_).words() : std::vector<std::uint32_t>{};
  }

 private:
  const Block& block_;
  const std::string& filename_;
};

void check_words(const Reader& reader, std::uint32_t bytes, const std::vector<std::uint32_t>& words) {
  const std::size_t expected = (std::size_t{bytes} + 3) / 4;
  if (words.size() != expected)
    reader.fail(reader.block().line,
                fmt::format("{} bytes need {} words, but 'mem' has {}", bytes, expected, words.size()));
}

void check_bank(const Reader& reader, std::string_view segment) {
  const BlockItem& name = reader.item("segname");
  if (name.value != segment)
    reader.fail(name.line, fmt::format("segname is '{}', where '{}' is expected", name.value, segment));
}

std::optional<DataType> read_type(const Reader& reader) {
  const BlockItem* item = reader.find("type");
  if (item == nullptr) return std::nullopt;
  const std::optional<DataType> type = parse_data_type(item->value);
  if (!type)
    reader.fail(item->line, fmt::format("'{}' is not a type (u8 s8 u16 s16 u32 s32 f32 u64 f64 ptr)", item->value));
  return type;
}

// Reads the part that consts and reloc have in common.
template <class Variable>
Variable read_variable(const Reader& reader, std::string_view segment) {
  constexpr bool kInBank = std::is_same_v<Variable, ConstantVariable>;  // else only its address is

  reader.allow({"name", "segname", "segnum", "offset", "bytes", "type"}, {"mem"});
  check_bank(reader, segment);
  Variable variable;
  variable.name = reader.name();
  variable.bank = reader.number("segnum", kNumConstBanks - 1);
  variable.offset = reader.number("offset", kConstantBankBytes - (kInBank ? 1 : 4));
  variable.bytes = reader.number("bytes", kInBank ? kConstantBankBytes - variable.offset : kLargestVariable);
  variable.type = read_type(reader);
  variable.words = reader.inner_words("mem", false);
  if (!variable.words.empty()) check_words(reader, variable.bytes, variable.words);
  return variable;
}

Parameter read_parameter(const Reader& reader) {
  reader.allow({"name", "type", "offset", "bytes"}, {});
  Parameter parameter;
  parameter.name = reader.name();
  reader.item("type");
  parameter.type = *read_type(reader);
  parameter.offset = reader.number("offset", kParameterBase + kParameterBytes - data_type_bytes(parameter.type));
  if (parameter.offset < kParameterBase)
    reader.fail(reader.item("offset").line,
                fmt::format("offset {} is in the launch header (below {})", parameter.offset, kParameterBase));
  if (reader.find("bytes") != nullptr)
    parameter.bytes = reader.number("bytes", kParameterBase + kParameterBytes - parameter.offset);
  return parameter;
}

AddressWord read_address(const Reader& reader) {
  reader.allow({"name", "offset", "target", "addend"}, {});
  AddressWord word;
  word.variable = reader.name();
  word.offset = reader.number("offset", kLargestVariable);
  word.target = reader.item("target").value;
  if (reader.find("addend") != nullptr) word.addend = reader.number("addend", 0xffffffffu);
  return word;
}

/// Checks an address word. Called after the whole file is read, because the variables may follow the address.
void check_address(const Module& module, const AddressWord& word, unsigned line, const std::string& filename) {
  const auto bytes_of = [&](const auto& variables, const std::string& name) -> std::optional<std::uint32_t> {
    for (const auto& variable : variables)
      if (variable.name == name) return variable.bytes;
    return std::nullopt;
  };
  std::optional<std::uint32_t> bytes = bytes_of(module.device_variables, word.variable);
  if (!bytes) bytes = bytes_of(module.constants, word.variable);
  if (!bytes)
    fail_at(filename, line, fmt::format("an address is in '{}', which is not a variable of the file", word.variable));
  if (word.offset % 4 != 0 || *bytes < 4 || word.offset > *bytes - 4)
    fail_at(
        filename, line,
        fmt::format("there is no word at offset {} of '{}', which has {} bytes", word.offset, word.variable, *bytes));
  if (!bytes_of(module.device_variables, word.target))
    fail_at(filename, line,
            fmt::format("the target '{}' of an address is not a 'reloc' variable of the file", word.target));
}

ConstantSegment read_segment(const Reader& reader) {
  reader.allow({"segname", "segnum", "offset", "bytes"}, {"mem"});
  check_bank(reader, "const");
  ConstantSegment segment;
  segment.bank = reader.number("segnum", kNumConstBanks - 1);
  segment.offset = reader.number("offset", kConstantBankBytes - 1);
  const std::uint32_t bytes = reader.number("bytes", kConstantBankBytes - segment.offset);
  segment.words = reader.inner_words("mem", true);
  check_words(reader, bytes, segment.words);
  return segment;
}

std::string read_path(const Reader& reader, const BlockItem& word) {
  std::string path;
  for (std::size_t i = 0; i < word.value.size(); ++i) {
    if (word.value[i] != '%') {
      path += word.value[i];
      continue;
    }
    const int high = i + 2 < word.value.size() ? hex_digit(word.value[i + 1]) : -1,
              low = high < 0 ? -1 : hex_digit(word.value[i + 2]);
    if (low < 0) reader.fail(word.line, fmt::format("'%' without two hex digits after it in '{}'", word.value));
    path += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return path;
}

void read_lines(const Reader& reader, std::uint32_t code_bytes, std::int64_t& last, LineTable& table) {
  const Block& block = reader.block();
  if (block.words.empty() || !block.items.empty() || !block.blocks.empty())
    reader.fail(block.line, "'lines' needs a path, then words address:line");
  const std::string path = read_path(reader, block.words[0]);
  for (std::size_t i = 1; i < block.words.size(); ++i) {
    const auto& [key, value, line] = block.words[i];
    const std::size_t colon = value.find(':');
    if (colon == std::string::npos) reader.fail(line, fmt::format("'{}' is not address:line", value));
    const std::string_view text = value;
    const std::uint32_t address = reader.to_number(text.substr(0, colon), line, "this address", code_bytes - 4);
    if (address % 4 != 0 || address <= last)
      reader.fail(line, fmt::format("address 0x{:x} does not ascend in steps of 4", address));
    last = address;
    table.add(address, path, reader.to_number(text.substr(colon + 1), line, "this line", 0xffffffffu));
  }
}

Kernel read_kernel(const Reader& reader) {
  reader.allow({"name", "lmem", "smem", "reg", "bar"}, {"bincode", "const", "param", "lines"});
  Kernel kernel;
  kernel.name = reader.name();
  kernel.lmem = reader.number("lmem", kLocalBytes);
  kernel.smem = reader.number("smem", kSharedBytes);
  kernel.reg = reader.number("reg", kMaxRegistersPerThread);
  kernel.bar = reader.number("bar", kMaxBarriers);
  kernel.code = reader.inner_words("bincode", true);
  if (kernel.code.empty()) reader.fail(reader.block().line, fmt::format("kernel '{}' has no code", kernel.name));
  std::int64_t last_address = -1;  // in `lines`
  for (const Block& inner : reader.block().blocks) {
    const Reader inner_reader(inner, reader.filename());
    if (inner.name == "const") kernel.constants.push_back(read_segment(inner_reader));
    if (inner.name == "param") kernel.params.push_back(read_parameter(inner_reader));
    if (inner.name == "lines")
      read_lines(inner_reader, static_cast<std::uint32_t>(kernel.code.size() * 4), last_address, kernel.lines);
  }
  return kernel;
}

std::string setting(const Reader& reader) {
  const Block& block = reader.block();
  if (block.words.size() != 1 || !block.items.empty() || !block.blocks.empty())
    reader.fail(block.line, fmt::format("'{}' needs exactly one word in its braces", block.name));
  return block.words[0].value;
}

using Names = std::unordered_set<std::string>;

template <class Thing>
void add(std::vector<Thing>& things, Names& names, Thing thing, const Reader& reader) {
  if (!names.insert(thing.name).second)
    reader.fail(reader.block().line, fmt::format("a second '{}' block named '{}'", reader.block().name, thing.name));
  things.push_back(std::move(thing));
}

/// nvcc 3.0 and later write machine code as ELF files, and put several into a fat binary.
void refuse_binary(std::string_view text, const std::string& filename) {
  constexpr std::string_view kElf =
                                 "\x7f"
                                 "ELF",
                             kFatBinary = "\x50\xed\x55\xba";
  const char* const what = text.substr(0, kElf.size()) == kElf               ? "an ELF file"
                           : text.substr(0, kFatBinary.size()) == kFatBinary ? "a fat binary"
                                                                             : nullptr;
  if (what == nullptr) return;
  throw SourceError(
      fmt::format("{}: this is {}; only cubins in text form can be read, as nvcc up to 2.3 and g80 write them; give "
                  "the .cu or .ptx",
                  filename, what));
}

}  // namespace

Module read_cubin(std::string_view text, const std::string& filename) {
  refuse_binary(text, filename);
  Module module;
  Names constants, device_variables, textures, kernels;
  std::vector<unsigned> address_lines;
  bool has_arch = false;
  for (const Block& block : parse_blocks(text, filename)) {
    const Reader reader(block, filename);
    if (block.name == "architecture") {
      const std::string name = setting(reader);
      const std::optional<isa::Arch> arch = isa::parse_arch(name);
      if (!arch) reader.fail(block.line, fmt::format("architecture '{}' is not one of sm_10 sm_11 sm_12 sm_13", name));
      module.arch = *arch;
      has_arch = true;
    } else if (block.name == "abiversion") {
      setting(reader);
      module.abi_version = reader.to_number(block.words[0], "abiversion", 0xffff);
    } else if (block.name == "modname") {
      setting(reader);
      module.name = read_path(reader, block.words[0]);
    } else if (block.name == "consts") {
      add(module.constants, constants, read_variable<ConstantVariable>(reader, "const"), reader);
    } else if (block.name == "reloc") {
      add(module.device_variables, device_variables, read_variable<DeviceVariable>(reader, "reloc"), reader);
    } else if (block.name == "address") {
      module.addresses.push_back(read_address(reader));
      address_lines.push_back(block.line);
    } else if (block.name == "sampler") {
      reader.allow({"name", "texunit"}, {});
      add(module.textures, textures, TextureReference{reader.name(), reader.number("texunit", kMaxTextures - 1)},
          reader);
    } else if (block.name == "code") {
      add(module.kernels, kernels, read_kernel(reader), reader);
    } else {
      reader.fail(block.line, fmt::format("unknown block '{}'", block.name));
    }
  }
  for (std::size_t k = 0; k < module.addresses.size(); ++k)
    check_address(module, module.addresses[k], address_lines[k], filename);
  if (!has_arch) fail_at(filename, 1, "this is not a cubin: it has no 'architecture {sm_..}'");
  if (module.kernels.empty()) fail_at(filename, 1, "the cubin has no 'code' block");
  return module;
}

}  // namespace g80
