// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "toolchain/cubin/cubin.h"

namespace g80 {
namespace {

using Text = fmt::memory_buffer;

template <class... Args>
void line(Text& text, unsigned depth, fmt::format_string<Args...> format, Args&&... args) {
  for (unsigned i = 0; i < depth; ++i) text.push_back('\t');
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  text.push_back('\n');
}

void words(Text& text, unsigned depth, std::string_view name, const std::vector<std::uint32_t>& values) {
  line(text, depth, "{}  {{", name);
  for (std::size_t i = 0; i < values.size(); i += 4) {
    std::string row;
    for (std::size_t j = i; j < values.size() && j < i + 4; ++j) row += fmt::format("0x{:08x} ", values[j]);
    line(text, depth + 1, "{}", row);
  }
  line(text, depth, "}}");
}

template <class Variable>
void variable(Text& text, std::string_view block, std::string_view segment, const Variable& v) {
  line(text, 0, "{}  {{", block);
  line(text, 1, "name = {}", v.name);
  line(text, 1, "segname = {}", segment);
  line(text, 1, "segnum = {}", v.bank);
  line(text, 1, "offset = {}", v.offset);
  line(text, 1, "bytes = {}", v.bytes);
  if (v.type) line(text, 1, "type = {}", data_type_name(*v.type));
  if (!v.words.empty()) words(text, 1, "mem", v.words);
  line(text, 0, "}}");
}

std::string path_word(const std::string& path) {
  std::string word;
  for (const char c : path) {
    const bool plain = c > ' ' && c <= '~' && std::string_view("{}=%").find(c) == std::string_view::npos;
    word += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return word;
}

// Writes one block for each sequence of lines of one file, with at most kRunsPerBlock runs.
void line_table(Text& text, const LineTable& table) {
  constexpr std::size_t kRunsPerBlock = 8;
  const std::vector<LineTable::Run>& runs = table.runs();
  for (std::size_t i = 0; i < runs.size();) {
    std::string list = path_word(table.files()[runs[i].file]);
    const std::size_t first = i;
    for (; i < runs.size() && i < first + kRunsPerBlock && runs[i].file == runs[first].file; ++i)
      list += fmt::format(" 0x{:04x}:{}", runs[i].address, runs[i].line);
    line(text, 1, "lines {{{}}}", list);
  }
}

void kernel(Text& text, const Kernel& k) {
  line(text, 0, "code  {{");
  line(text, 1, "name = {}", k.name);
  line(text, 1, "lmem = {}", k.lmem);
  line(text, 1, "smem = {}", k.smem);
  line(text, 1, "reg = {}", k.reg);
  line(text, 1, "bar = {}", k.bar);
  for (const Parameter& p : k.params) {
    line(text, 1, "param  {{");
    line(text, 2, "name = {}", p.name);
    line(text, 2, "type = {}", data_type_name(p.type));
    line(text, 2, "offset = {}", p.offset);
    if (p.bytes != 0) line(text, 2, "bytes = {}", p.bytes);
    line(text, 1, "}}");
  }
  words(text, 1, "bincode", k.code);
  for (const ConstantSegment& c : k.constants) {
    line(text, 1, "const  {{");
    line(text, 2, "segname = const");
    line(text, 2, "segnum = {}", c.bank);
    line(text, 2, "offset = {}", c.offset);
    line(text, 2, "bytes = {}", c.words.size() * 4);
    words(text, 2, "mem", c.words);
    line(text, 1, "}}");
  }
  line_table(text, k.lines);
  line(text, 0, "}}");
}

}  // namespace

std::string write_cubin(const Module& module) {
  Text text;
  line(text, 0, "architecture {{{}}}", isa::arch_name(module.arch));
  line(text, 0, "abiversion {{{}}}", module.abi_version);
  if (!module.name.empty()) line(text, 0, "modname {{{}}}", path_word(module.name));
  for (const ConstantVariable& v : module.constants) variable(text, "consts", "const", v);
  for (const DeviceVariable& v : module.device_variables) variable(text, "reloc", "reloc", v);
  for (const AddressWord& a : module.addresses) {
    line(text, 0, "address  {{");
    line(text, 1, "name = {}", a.variable);
    line(text, 1, "offset = {}", a.offset);
    line(text, 1, "target = {}", a.target);
    if (a.addend != 0) line(text, 1, "addend = {}", a.addend);
    line(text, 0, "}}");
  }
  for (const TextureReference& t : module.textures) {
    line(text, 0, "sampler  {{");
    line(text, 1, "name = {}", t.name);
    line(text, 1, "texunit = {}", t.unit);
    line(text, 0, "}}");
  }
  for (const Kernel& k : module.kernels) kernel(text, k);
  return fmt::to_string(text);
}

}  // namespace g80
