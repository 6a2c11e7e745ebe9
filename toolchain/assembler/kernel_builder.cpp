// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/kernel_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "toolchain/assembler/code_layout.h"
#include "toolchain/assembler/data_values.h"
#include "toolchain/assembler/register_count.h"

namespace g80 {
namespace {

constexpr std::uint32_t kCodeBytes = 1u << 24;

}  // namespace

std::uint32_t align_up(std::uint32_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

DataType take_type(SourceLine& line) {
  line.at_end();
  const std::size_t start = line.position();
  const std::string_view word = line.take_word();
  const std::optional<DataType> type = parse_data_type(word);
  if (!type) line.fail(start, fmt::format("'{}' is not a type (u8 s8 u16 s16 u32 s32 f32 u64 f64 ptr)", word));
  return *type;
}

BankPlacement take_placement(SourceLine& line, unsigned bank, const isa::SymbolLookup& symbols) {
  BankPlacement placement{bank, std::nullopt};
  const std::string_view word = line.peek_word();
  if (word.size() >= 2 && word.size() <= 3 && word[0] == 'c' &&
      word.find_first_not_of("0123456789", 1) == std::string_view::npos) {
    const unsigned number = static_cast<unsigned>(std::stoul(std::string(word.substr(1))));
    if (number >= kNumConstBanks)
      line.fail(line.position(), fmt::format("there are constant banks c0 to c{}", kNumConstBanks - 1));
    placement.bank = number;
    line.take_word();
  }
  if (line.take('@'))
    placement.offset = static_cast<std::uint32_t>(line.take_number(symbols, 0, kConstantBankBytes - 1, "the offset"));
  return placement;
}

std::uint32_t ConstantBanks::end(unsigned bank) const {
  return places_[bank].empty() ? 0 : places_[bank].rbegin()->second.end;
}

std::uint32_t ConstantBanks::take(const BankPlacement& placement, std::uint32_t bytes, std::uint32_t alignment,
                                  std::string_view owner, const SourceLine& line, std::size_t position) {
  const std::uint32_t offset = placement.offset.value_or(align_up(end(placement.bank), alignment));
  if (std::uint64_t{offset} + bytes > kConstantBankBytes)
    line.fail(position, fmt::format("{} ends at byte {} of its constant bank, which has {}", owner,
                                    std::uint64_t{offset} + bytes, kConstantBankBytes));
  std::map<std::uint32_t, Place>& places = places_[placement.bank];
  const auto last = places.lower_bound(offset + bytes);  // the one before it starts before the end
  if (last != places.begin() && std::prev(last)->second.end > offset)
    line.fail(position, fmt::format("{} has bytes of c{} from {} on, which overlap those of {}", owner, placement.bank,
                                    offset, std::prev(last)->second.owner));
  places[offset] = {offset + bytes, std::string(owner)};
  return offset;
}

KernelBuilder::KernelBuilder(std::string name, isa::Arch arch, const SymbolTable& module_symbols,
                             const ConstantBanks& banks)
    : arch_(arch), symbols_(&module_symbols), banks_(banks) {
  kernel_.name = std::move(name);
}

void KernelBuilder::define(const std::string& name, std::int64_t value, const SourceLine& line, std::size_t position) {
  if (!symbols_.define(name, value)) line.fail(position, fmt::format("the name '{}' is already in use", name));
}

bool KernelBuilder::directive(std::string_view name, SourceLine& line) {
  if (name == ".reg") {
    reg_ = static_cast<std::uint32_t>(line.take_number(lookup(), 1, kMaxRegistersPerThread, "the register count"));
  } else if (name == ".bar") {
    bar_ = static_cast<std::uint32_t>(line.take_number(lookup(), 0, kMaxBarriers, "the barrier count"));
  } else if (name == ".local") {
    kernel_.lmem = static_cast<std::uint32_t>(line.take_number(lookup(), 0, kLocalBytes, "the local memory size"));
  } else if (name == ".smem") {
    smem_ = static_cast<std::uint32_t>(line.take_number(lookup(), 0, kSharedBytes, "the shared memory size"));
  } else if (name == ".param") {
    parameter(line);
  } else if (name == ".shared") {
    shared(line);
  } else if (name == ".const") {
    constant(line);
  } else if (name == ".equ") {
    line.at_end();
    const std::size_t start = line.position();
    const std::string equ = line.take_name("a name");
    line.take('=');
    define(equ, line.take_number(lookup(), INT64_MIN, INT64_MAX, "the value"), line, start);
  } else if (name == ".word") {
    raw_word(line);
  } else {
    return false;
  }
  line.expect_end();
  return true;
}

void KernelBuilder::parameter(SourceLine& line) {
  const std::size_t begin = line.position();
  if (has_shared_) line.fail(begin, "parameters come before shared variables");
  Parameter parameter;
  parameter.type = take_type(line);
  line.at_end();
  const std::size_t start = line.position();
  parameter.name = line.take_ptx_name("a parameter name");
  const unsigned size = data_type_bytes(parameter.type);
  parameter.offset = align_up(shared_end_, size);
  const std::uint32_t limit = kParameterBase + kParameterBytes - size;
  if (line.take('@'))
    parameter.offset =
        static_cast<std::uint32_t>(line.take_number(lookup(), kParameterBase, limit, "the parameter address"));
  if (parameter.offset > limit) line.fail(start, fmt::format("the parameters exceed {} bytes", kParameterBytes));
  define(parameter.name, parameter.offset, line, start);
  shared_end_ = std::max(shared_end_, parameter.offset + size);
  kernel_.params.push_back(std::move(parameter));
}

void KernelBuilder::shared(SourceLine& line) {
  line.at_end();
  const std::size_t start = line.position();
  const std::string name = line.take_ptx_name("a variable name");
  const DataType type = take_type(line);
  const auto count = static_cast<std::uint32_t>(line.take_number(lookup(), 1, kSharedBytes, "the element count"));
  const std::uint32_t address = align_up(shared_end_, std::max(4u, data_type_bytes(type)));
  const std::uint64_t end = address + std::uint64_t{count} * data_type_bytes(type);
  if (end > kSharedBytes)
    line.fail(start, fmt::format("'{}' ends at byte {} of s[], which has {}", name, end, kSharedBytes));
  define(name, address, line, start);
  shared_end_ = static_cast<std::uint32_t>(end);
  has_shared_ = true;
}

void KernelBuilder::constant(SourceLine& line) {
  line.at_end();
  const std::size_t start = line.position();
  const std::string name = line.take_ptx_name("a constant name");
  const DataType type = take_type(line);
  const BankPlacement placement = take_placement(line, kLiteralBank, lookup());
  line.take('=');
  const std::vector<std::uint8_t> bytes = take_values(line, type, lookup());
  if (placement.offset.value_or(0) % 4 != 0) line.fail(start, "a literal starts at a multiple of 4 bytes");
  const std::vector<std::uint32_t> words = words_of(bytes);
  const std::uint32_t end = banks_.end(placement.bank);
  // Small values are packed by words: a literal always starts at a multiple of its size and of 4.
  const std::uint32_t offset = banks_.take(placement, static_cast<std::uint32_t>(words.size() * 4),
                                           std::max(4u, data_type_bytes(type)), fmt::format("'{}'", name), line, start);
  auto segment = kernel_.constants.end();
  if (!placement.offset)
    segment = std::find_if(kernel_.constants.begin(), segment, [&](const ConstantSegment& s) {
      return s.bank == placement.bank && s.offset + s.words.size() * 4 == end;
    });
  if (segment == kernel_.constants.end()) segment = kernel_.constants.insert(segment, {placement.bank, offset, {}});
  segment->words.resize((offset - segment->offset) / 4);
  segment->words.insert(segment->words.end(), words.begin(), words.end());
  define(name, offset, line, start);
}

void KernelBuilder::raw_word(SourceLine& line) {
  isa::Words words;
  words.w0 = static_cast<std::uint32_t>(line.take_number(lookup(), 0, 0xffffffff, "the word"));
  words.is_long = !line.at_end();
  if (words.is_long) words.w1 = static_cast<std::uint32_t>(line.take_number(lookup(), 0, 0xffffffff, "the word"));
  statements_.push_back({line, pending_label_, words});
  pending_label_ = false;
}

void KernelBuilder::label(const std::string& name, const SourceLine& line, std::size_t position) {
  define(name, 0, line, position);
  labels_.emplace_back(name, statements_.size());
  pending_label_ = true;
}

void KernelBuilder::instruction(const SourceLine& line) {
  statements_.push_back({line, pending_label_, std::nullopt});
  pending_label_ = false;
}

isa::AssembledLine KernelBuilder::assemble_statement(const Statement& statement) const {
  const std::string_view text = statement.line.text().substr(statement.line.position());
  try {
    return isa::assemble_line(text, arch_, lookup());
  } catch (const isa::AssemblyError& error) {
    statement.line.fail(statement.line.position() + error.column() - 1, error.what());
  }
}

Kernel KernelBuilder::finish(const SourceLine& end) {
  if (statements_.empty()) end.fail(0, fmt::format("kernel '{}' has no instruction", kernel_.name));
  std::vector<LayoutItem> layout(statements_.size());
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    const Statement& statement = statements_[i];
    layout[i].has_label = statement.has_label;
    if (statement.raw) {
      layout[i].has_short = !statement.raw->is_long;
      layout[i].has_long = statement.raw->is_long;
      continue;
    }
    const isa::AssembledLine line = assemble_statement(statement);
    layout[i].has_short = line.short_form.has_value();
    layout[i].has_long = line.long_form.has_value();
  }
  LayoutProblem problem;
  if (!place_code(layout, problem)) {
    const SourceLine& line = statements_[problem.index].line;
    line.fail(line.position(), problem.message);
  }
  const std::uint32_t code_end = layout.back().address + (layout.back().is_short ? 4 : 8);
  if (code_end > kCodeBytes) end.fail(0, fmt::format("the code of '{}' exceeds {} bytes", kernel_.name, kCodeBytes));
  for (const auto& [name, index] : labels_)
    symbols_.assign(name, index < layout.size() ? layout[index].address : code_end);

  unsigned registers = 1, barriers = 0;
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    isa::Words words;
    if (statements_[i].raw) {
      words = *statements_[i].raw;
    } else {
      const isa::AssembledLine line = assemble_statement(statements_[i]);
      words = layout[i].is_short ? *line.short_form : *line.long_form;
      registers = std::max(registers, registers_named(line.insn));
      if (line.insn.op == isa::Op::kBar) barriers = std::max<unsigned>(barriers, line.insn.barrier);
    }
    kernel_.lines.add(layout[i].address, statements_[i].line.filename(), statements_[i].line.number());
    kernel_.code.push_back(words.w0);
    if (words.is_long) kernel_.code.push_back(words.w1);
  }
  kernel_.reg = reg_.value_or(registers);
  kernel_.bar = bar_.value_or(barriers);
  if (smem_ && *smem_ < shared_end_ && !(kernel_.params.empty() && !has_shared_))
    end.fail(0, fmt::format("kernel '{}' says .smem {}, but its parameters and variables end at {}", kernel_.name,
                            *smem_, shared_end_));
  kernel_.smem = smem_.value_or(shared_end_);
  return std::move(kernel_);
}

}  // namespace g80
