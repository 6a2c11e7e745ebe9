// SPDX-License-Identifier: Apache-2.0
// Prints modules as source.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "hw/isa/disassembler.h"
#include "toolchain/assembler/expression.h"
#include "toolchain/assembler/kernel_builder.h"
#include "toolchain/assembler/listing.h"

namespace g80 {
namespace {

using Text = fmt::memory_buffer;

template <class... Args>
void put(Text& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

std::string word_list(const std::vector<std::uint32_t>& words) {
  std::string list;
  for (const std::uint32_t word : words) list += fmt::format("{}0x{:08x}", list.empty() ? "" : ", ", word);
  return list;
}

// Values of a variable: by its type if an element is one or more words, otherwise as bytes.
std::string value_list(const std::vector<std::uint32_t>& words, DataType type, std::uint32_t bytes) {
  const unsigned size = data_type_bytes(type);
  std::string list;
  for (std::uint32_t at = 0; at < bytes; at += size) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i)
      value |= std::uint64_t{words[(at + i) / 4] >> (8 * ((at + i) % 4)) & 0xffu} << (8 * i);
    list += fmt::format("{}0x{:x}", list.empty() ? "" : ", ", value);
  }
  return list;
}

template <class Variable>
void variable(Text& text, std::string_view directive, const Variable& v, unsigned usual_bank) {
  const DataType type = v.type && v.bytes % data_type_bytes(*v.type) == 0 ? *v.type
                        : v.bytes % 4 == 0                                ? DataType::kU32
                                                                          : DataType::kU8;
  put(text, "{} {} {} {}", directive, v.name, data_type_name(type), v.bytes / data_type_bytes(type));
  if (v.bank != usual_bank) put(text, " c{}", v.bank);
  put(text, " @ {}", v.offset);
  if (!v.words.empty()) put(text, " = {}", value_list(v.words, type, v.bytes));
  put(text, "\n");
}

struct Line {
  std::uint32_t address;
  isa::Words words;
  isa::Instruction insn;
  bool has_text;
};

std::vector<Line> decode_code(const Kernel& kernel, isa::Arch arch) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < kernel.code.size();) {
    Line line{static_cast<std::uint32_t>(i * 4), {}, {}, false};
    // A long instruction that the end of the code cuts off, or that is not aligned, is printed as a raw word.
    const bool is_long = isa::is_long(kernel.code[i]) && i % 2 == 0 && i + 1 < kernel.code.size();
    line.words = {kernel.code[i], is_long ? kernel.code[i + 1] : 0, is_long};
    if (is_long == isa::is_long(kernel.code[i]))
      line.has_text = isa::has_text(line.insn, isa::decode(line.words.w0, line.words.w1, arch, line.insn));
    lines.push_back(line);
    i += is_long ? 2 : 1;
  }
  return lines;
}

bool has_target(const isa::Instruction& insn) {
  return insn.op == isa::Op::kBra || insn.op == isa::Op::kCall || insn.op == isa::Op::kBreakaddr ||
         insn.op == isa::Op::kJoinat;
}

std::string label(std::uint32_t address) { return fmt::format("L{:04x}", address); }

void source_line(Text& text, const std::optional<SourcePlace>& place, SourceText& source) {
  if (!place) {
    put(text, "// no source line\n");
    return;
  }
  const std::optional<std::string_view> line = source.line(*place);
  put(text, "// {}{}{}\n", to_text(*place), line ? ": " : "", line.value_or(""));
}

void code(Text& text, const Kernel& kernel, isa::Arch arch, SourceText* source) {
  const std::vector<Line> lines = decode_code(kernel, arch);
  std::set<std::uint32_t> starts, targets;
  for (const Line& line : lines) starts.insert(line.address);
  for (const Line& line : lines)
    if (line.has_text && has_target(line.insn) && starts.count(line.insn.target) != 0) targets.insert(line.insn.target);
  std::optional<SourcePlace> last;
  for (const Line& line : lines) {
    if (const auto place = kernel.lines.find(line.address); source != nullptr && !(place == last)) {
      source_line(text, place, *source);
      last = place;
    }
    if (targets.count(line.address) != 0) put(text, "{}:\n", label(line.address));
    if (!line.has_text) {
      put(text, "    .word 0x{:08x}", line.words.w0);
      if (line.words.is_long) put(text, " 0x{:08x}", line.words.w1);
      put(text, "\n");
      continue;
    }
    std::string statement = isa::disassemble_marked(line.insn);
    if (has_target(line.insn) && targets.count(line.insn.target) != 0) {
      const std::string number = fmt::format(" 0x{:x}", line.insn.target);
      statement.replace(statement.find(number), number.size(), " " + label(line.insn.target));
    }
    put(text, "    {}\n", statement);
  }
}

}  // namespace

std::string list_module(const Module& module, SourceText* source) {
  Text text;
  put(text, ".arch {}\n", isa::arch_name(module.arch));
  for (const ConstantVariable& v : module.constants) variable(text, ".constant", v, kUserConstantBank);
  for (const DeviceVariable& v : module.device_variables) variable(text, ".device", v, kDeviceAddressBank);
  for (const AddressWord& a : module.addresses)
    put(text, ".address {} {} = {} {}\n", a.variable, a.offset, a.target, a.addend);
  for (const TextureReference& t : module.textures) put(text, ".texture {} {}\n", t.name, t.unit);
  for (const Kernel& kernel : module.kernels) {
    put(text, "\n.kernel {}\n.reg {}\n.smem {}\n.bar {}\n", kernel.name, kernel.reg, kernel.smem, kernel.bar);
    if (kernel.lmem != 0) put(text, ".local {}\n", kernel.lmem);
    for (const Parameter& p : kernel.params)
      put(text, ".param {} {} @ 0x{:x}\n", data_type_name(p.type), p.name, p.offset);
    unsigned number = 0;
    for (const ConstantSegment& c : kernel.constants) {
      if (c.words.empty()) continue;
      put(text, ".const literals{} u32", number++);
      if (c.bank != kLiteralBank) put(text, " c{}", c.bank);
      put(text, " @ {} = {}\n", c.offset, word_list(c.words));
    }
    code(text, kernel, module.arch, source);
  }
  return fmt::to_string(text);
}

}  // namespace g80
