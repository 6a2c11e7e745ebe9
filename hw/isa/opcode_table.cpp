// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/opcode_table.h"

#include <array>
#include <stdexcept>

namespace g80::isa {
namespace {

constexpr std::array<std::string_view, 15> kNumTypeNames = {"u8",  "s8",  "u16", "s16", "u24", "s24", "u32", "s32",
                                                            "u64", "s64", "f16", "f32", "f64", "b16", "b32"};
constexpr std::array<std::string_view, 10> kMemTypeNames = {"u8",   "s8",  "u16", "s16", "b64",
                                                            "b128", "b32", "u32", "s32", "u64"};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    if (end != 0) words.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return words;
}

Op mad_operation(std::string_view name) {
  if (name == "add") return Op::kAdd;
  if (name == "sub") return Op::kSub;
  if (name == "subr") return Op::kSubr;
  return Op::kAddc;
}

std::pair<Role, std::int64_t> fixed_value(std::string_view key, std::string_view value) {
  if (key == "dst") return {Role::kDstType, find_num_type(value)};
  if (key == "src") return {Role::kSrcType, find_num_type(value)};
  if (key == "src2") return {Role::kSrc2Type, find_num_type(value)};
  if (key == "mem") return {Role::kMemType, find_mem_type(value)};
  if (key == "mad") return {Role::kMadOp, static_cast<std::int64_t>(mad_operation(value))};
  std::int64_t number = 0;
  for (const char c : value) number = number * 10 + (c - '0');
  if (key == "sat") return {Role::kSaturate, number};
  if (key == "high") return {Role::kHigh, number};
  if (key == "integral") return {Role::kIntegral, number};
  if (key == "atom") return {Role::kAtomOp, number};
  if (key == "vote_all") return {Role::kVoteAll, number};
  if (key == "cube") return {Role::kTexCube, number};
  if (key == "bar_all") return {Role::kBarAll, number};
  throw std::logic_error("opcodes.def: unknown fixed value " + std::string(key));
}

Field make_field(const char* name, FieldKind kind, Role role, unsigned width, std::string_view words,
                 std::initializer_list<Piece> pieces) {
  Field field{name, kind, role, static_cast<std::uint8_t>(width), 0, {}, split(words), {}};
  for (const Piece& piece : pieces) field.pieces[field.pieces_used++] = piece;
  const bool selects = kind == FieldKind::kWords || kind == FieldKind::kWordOrFirst;
  for (std::size_t i = 0; selects && i < field.words.size(); ++i) {
    std::int64_t value = static_cast<std::int64_t>(i);
    if (role == Role::kDstType || role == Role::kSrcType || role == Role::kSrc2Type)
      value = find_num_type(field.words[i]);
    if (role == Role::kMemType) value = find_mem_type(field.words[i]);
    field.values.push_back(field.words[i] == "-" ? -1 : value);
  }
  return field;
}

// The mask bits that every row of a form has: the primary opcode and the bits that select the form.
std::uint64_t implied_mask(Form form) {
  switch (form) {
    case Form::kLong: return 0xf0000003u;  // w1[1:0] = 0, 1, 2: plain, exit, join
    case Form::kImmediate: return std::uint64_t{3} << 32 | 0xf0000003u;
    default: return 0xf0000003u;
  }
}

unsigned form_of(std::uint32_t w0, std::uint32_t w1) {
  if ((w0 & 3u) == 0) return static_cast<unsigned>(Form::kShort);
  if ((w0 & 3u) == 2) return static_cast<unsigned>(Form::kShortControl);
  if ((w0 & 3u) == 3) return static_cast<unsigned>(Form::kControl);
  return static_cast<unsigned>((w1 & 3u) == 3 ? Form::kImmediate : Form::kLong);
}

}  // namespace

std::string_view type_name(NumType type) { return kNumTypeNames[static_cast<unsigned>(type)]; }
std::string_view type_name(MemType type) { return kMemTypeNames[static_cast<unsigned>(type)]; }

int find_num_type(std::string_view name) {
  for (unsigned i = 0; i < kNumTypeNames.size(); ++i)
    if (kNumTypeNames[i] == name) return static_cast<int>(i);
  return -1;
}

int find_mem_type(std::string_view name) {
  for (unsigned i = 0; i < kMemTypeNames.size(); ++i)
    if (kMemTypeNames[i] == name) return static_cast<int>(i);
  return -1;
}

std::uint64_t Field::place(std::uint64_t value) const {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < pieces_used; ++i) {
    const std::uint64_t part = (std::uint64_t{1} << pieces[i].width) - 1;
    word |= (value & part) << pieces[i].lo;
    value >>= pieces[i].width;
  }
  return word;
}

const OpcodeTable& OpcodeTable::get() {
  // Never destroyed: CUDA programs write their timelines in an exit handler.
  static const OpcodeTable& table = *new OpcodeTable;
  return table;
}

OpcodeTable::OpcodeTable() {
#define G80_FIELD(name, kind, role, width, words, ...) \
  fields_.push_back(make_field(#name, FieldKind::kind, Role::role, width, words, {__VA_ARGS__}));
#include "hw/isa/opcodes.def"

  const auto add = [this](Op op, Form form, std::uint32_t w0, std::uint32_t mask0, std::uint32_t w1,
                          std::uint32_t mask1, Unit unit, Arch arch, std::string_view fixed, std::string_view syntax) {
    Row row{};
    row.op = op;
    row.form = form;
    row.mask = (std::uint64_t{mask1} << 32 | mask0) | implied_mask(form);
    const std::uint64_t word = (std::uint64_t{w1} << 32 | w0) | (form == Form::kImmediate ? std::uint64_t{3} << 32 : 0);
    row.match = word & row.mask;
    row.fill = word;
    row.unit = unit;
    row.arch = arch;
    row.syntax = syntax;
    resolve(row, fixed);
    rows_.push_back(std::move(row));
  };
#define G80_INSN(op, form, w0, mask0, w1, mask1, unit, arch, fixed, syntax) \
  add(Op::op, Form::form, w0, mask0, w1, mask1, Unit::unit, Arch::arch, fixed, syntax);
#include "hw/isa/opcodes.def"

  // Encodings for vertex and fragment programs only: a[] and o[] access, interpolation, emit, discard.
  const std::uint64_t long_mask = std::uint64_t{0xe0000000u} << 32 | 0xf0000003u;
  add_graphics(0x00000001u, long_mask);
  add_graphics(std::uint64_t{0x80000000u} << 32 | 0x00000001u, long_mask);
  add_graphics(0x80000000u, 0xf0000003u);
  add_graphics(0x80000001u, 0xf0000003u);
  add_graphics(std::uint64_t{0xc0000000u} << 32 | 0xf0000001u, long_mask);
  add_graphics(0x00000003u, 0xf0000003u);
  index();
}

void OpcodeTable::add_graphics(std::uint64_t match, std::uint64_t mask) {
  Row row{};
  row.op = Op::kInvalid;
  row.form = (match & 3u) == 0 ? Form::kShort : (match & 3u) == 3u ? Form::kControl : Form::kLong;
  row.match = row.fill = match;
  row.mask = mask;
  row.graphics = true;
  rows_.push_back(std::move(row));
}

void OpcodeTable::resolve(Row& row, std::string_view fixed) {
  row.guarded = row.form == Form::kLong;
  for (const std::string_view entry : split(fixed)) {
    const std::size_t equals = entry.find('=');
    if (entry == "guarded") {
      row.guarded = true;
    } else if (entry == "alias") {
      row.alias = true;
    } else {
      row.fixed.push_back(fixed_value(entry.substr(0, equals), entry.substr(equals + 1)));
    }
  }
  for (std::string_view token : split(row.syntax)) {
    Item item;
    if (token.front() == '(') {
      item.opens = true;
      token.remove_prefix(1);
    }
    if (token.back() == ')') {
      item.closes = true;
      token.remove_suffix(1);
    }
    if (token.front() == '{') {
      item.field = field(token.substr(1, token.size() - 2));
      if (item.field == nullptr) throw std::logic_error("opcodes.def: unknown field " + std::string(token));
      row.fields.push_back(item.field);
    } else {
      item.text = token;
      if (row.mnemonic.empty()) row.mnemonic = token;
    }
    row.items.push_back(item);
  }
}

const Field* OpcodeTable::field(std::string_view name) const {
  for (const Field& field : fields_)
    if (name == field.name) return &field;
  return nullptr;
}

void OpcodeTable::index() {
  for (const Row& row : rows_) {
    by_op_[static_cast<unsigned>(row.op)].push_back(&row);
    const unsigned p = static_cast<unsigned>(row.match >> 28 & 0xf);
    const unsigned form = static_cast<unsigned>(row.form);
    for (unsigned q = 0; q < 8; ++q) {
      const std::uint64_t q_mask = row.mask >> 61;
      if ((q & q_mask) == (row.match >> 61)) buckets_[bucket(form, p, q)].push_back(&row);
    }
  }
}

const Row* OpcodeTable::find(std::uint32_t w0, std::uint32_t w1) const {
  const unsigned form = form_of(w0, w1);
  const bool is_short = (w0 & 1u) == 0;
  const std::uint64_t word = is_short ? w0 : std::uint64_t{w1} << 32 | w0;
  for (const Row* row : buckets_[bucket(form, w0 >> 28, static_cast<unsigned>(word >> 61))])
    if ((word & row->mask) == row->match) return row;
  return nullptr;
}

}  // namespace g80::isa
