// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/line_assembler.h"

#include <fmt/format.h>

#include "hw/isa/disassembler.h"
#include "hw/isa/row_encoding.h"
#include "toolchain/assembler/line_marks.h"
#include "toolchain/assembler/row_parser.h"

namespace g80::isa {
namespace {

bool is_short(const Row& row) { return row.form == Form::kShort || row.form == Form::kShortControl; }

void apply(const LineMarks& marks, std::optional<Words>& words) {
  if (!words) return;
  words->w0 ^= marks.raw0;
  if (words->is_long) words->w1 ^= marks.raw1;
}

}  // namespace

AssembledLine assemble_line(std::string_view text, Arch arch, const SymbolLookup& symbols) {
  const LineMarks marks = read_marks(text);
  RowParser parser(text.substr(0, marks.begin), symbols);
  if (!parser.read_prefix()) throw AssemblyError(parser.problem().position + 1, parser.problem().message);

  AssembledLine line;
  bool known = false;
  for (const Row& row : OpcodeTable::get().rows()) {
    if (row.graphics || row.alias || row.mnemonic != parser.mnemonic()) continue;
    known = true;
    std::optional<Words>& slot = is_short(row) ? line.short_form : line.long_form;
    Instruction insn;
    if (slot || !parser.match(row, insn)) continue;
    if (row.arch > arch) {
      parser.refuse(fmt::format("this instruction needs {}", arch_name(row.arch)));
      continue;
    }
    const RowEncoding encoding = encode_row(row, insn);
    if (encoding.problem != nullptr) {
      parser.refuse(fmt::format("the value of field {} does not fit its encoding", encoding.problem));
      continue;
    }
    slot = encoding.words;
    if (!is_short(row) || !line.long_form) line.insn = insn;
  }
  if (!known)
    throw AssemblyError(parser.mnemonic_position() + 1, fmt::format("unknown instruction '{}'", parser.mnemonic()));
  if (!line.short_form && !line.long_form) throw AssemblyError(parser.problem().position + 1, parser.problem().message);
  if (marks.wants_short && !line.short_form) throw AssemblyError(marks.begin + 1, "this instruction has no short form");
  if (marks.wants_long && !line.long_form) throw AssemblyError(marks.begin + 1, "this instruction has no long form");
  if (marks.wants_short) line.long_form.reset();
  if (marks.wants_long) line.short_form.reset();
  if (marks.has_raw && line.long_form) line.short_form.reset();
  apply(marks, line.short_form);
  apply(marks, line.long_form);
  return line;
}

Words assemble(std::string_view text, Arch arch) {
  const AssembledLine line = assemble_line(text, arch);
  return line.long_form ? *line.long_form : *line.short_form;
}

std::string disassemble_marked(const Instruction& insn) {
  std::string text = disassemble(insn);
  const Words wanted = encode(insn);
  AssembledLine line = assemble_line(text, Arch::kSm13);
  const std::optional<Words>& chosen = wanted.is_long ? line.long_form : line.short_form;
  if (!chosen) throw std::invalid_argument("the text '" + text + "' does not assemble to this form");
  if (line.short_form && line.long_form) text += wanted.is_long ? " .long" : " .short";
  const std::uint32_t raw0 = wanted.w0 ^ chosen->w0, raw1 = wanted.is_long ? wanted.w1 ^ chosen->w1 : 0;
  if (raw0 != 0 || raw1 != 0) text += fmt::format(" .raw 0x{:x}", raw0);
  if (raw1 != 0) text += fmt::format(" 0x{:x}", raw1);
  return text;
}

}  // namespace g80::isa
