// SPDX-License-Identifier: Apache-2.0
// Prints the module opcode_decoder from opcodes.def: a word to the fields of its instruction. It is what
// hw/isa/encoding.cpp does by walking the table. rtl/isa/instruction_decoder.sv makes a micro-op of what it finds.
// The build runs this program and keeps its output in the build folder.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "hw/common/check.h"
#include "hw/isa/memory_fields.h"
#include "hw/isa/opcode_table.h"
#include "hw/isa/row_encoding.h"
#include "rtl/adapters/decoded_fields.h"

namespace g80::isa {
namespace {

/// The sources are variables of their own: src[0] is src0.
std::string variable(std::string member) {
  if (member.rfind("src[", 0) == 0) member.erase(5, 1).erase(3, 1);
  return member;
}

/// A member of instruction_t that a role names, and its bits.
struct Member {
  std::string name;
  unsigned bits;
  std::string_view type;  // of an enumeration, as its values begin
};
// clang-format off
Member member(Role role) {
  switch (role) {
    case Role::kDst: return {"dst", 0, ""};
    case Role::kSrc0: return {"src0", 0, ""};
    case Role::kSrc1: return {"src1", 0, ""};
    case Role::kSrc2: return {"src2", 0, ""};
    case Role::kNone: break;
#define G80_ROLE(name, member, bits, values) case Role::k##name: return {variable(#member), bits, #values};
#include "hw/isa/roles.def"
  }
  return {"", 0, ""};
}
// clang-format on

/// TEX_AUTO is TexAuto, as write_package.cpp spells values.
std::string camel(std::string_view text) {
  std::string out;
  bool first = true;
  for (const char c : text) {
    if (c == '_') {
      first = true;
      continue;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const char lower = static_cast<char>(c | 0x20);
    out += !letter ? c : first ? static_cast<char>(lower - 0x20) : lower;
    first = false;
  }
  return out;
}
template <class E>
std::string value_name(const char* type, E value) {
  return fmt::format("g80_pkg::{}{}", type, camel(enum_text(value).names[static_cast<unsigned>(value)]));
}
std::string role_value(Role role, std::int64_t value) {
  const Member m = member(role);
  if (m.type == "NumType") return value_name("NumType", static_cast<NumType>(value));
  if (m.type == "MemType") return value_name("MemType", static_cast<MemType>(value));
  if (m.type == "Op") return value_name("Op", static_cast<Op>(value));
  return fmt::format("{}'d{}", m.bits, value);
}
std::string operand_name(OperandKind kind) { return value_name("Operand", kind); }

std::string bits(unsigned lo, unsigned width) {
  return width == 1 ? fmt::format("word[{}]", lo) : fmt::format("word[{}:{}]", lo + width - 1, lo);
}
std::string bits(const Piece& piece) { return bits(piece.lo, piece.width); }
std::string address_bits(bool is_long) {
  return fmt::format("{{{}, {}}}", is_long ? bits(kAddrHigh) : "1'b0", bits(kAddrLow));
}
/// The encoded value, most significant piece first.
std::string value_bits(const Field& field) {
  std::string list;
  for (unsigned i = field.pieces_used; i-- > 0;) list += (list.empty() ? "" : ", ") + bits(field.pieces[i]);
  return field.pieces_used == 1 ? list : '{' + list + '}';
}
/// `expression` of `from` bits as one of `to`.
std::string widened(const std::string& expression, unsigned from, unsigned to) {
  CHECK(from <= to, "{} bits do not fit {}", from, to);
  return from == to ? expression : fmt::format("{{{}'d0, {}}}", to - from, expression);
}

/// Statements of one branch, indented.
class Block {
 public:
  void line(const std::string& text) { text_ += fmt::format("{:>{}}{}\n", "", 2 * depth_, text); }
  void open(const std::string& text) {
    line(text);
    ++depth_;
  }
  void close(const char* text = "end") {
    --depth_;
    line(text);
  }
  void otherwise(const std::string& text) {
    --depth_;
    line(text);
    ++depth_;
  }
  /// yosys knows no member of an element, so the sources are variables of their own.
  void set(const std::string& member, const std::string& value) {
    line(fmt::format("{}{} = {};", member.compare(0, 3, "src") == 0 && member[3] < '3' ? "" : "insn.", member, value));
  }
  const std::string& text() const { return text_; }
  explicit Block(unsigned depth) : depth_(depth) {}

 private:
  std::string text_;
  unsigned depth_;
};

/// What reads one field. `is_long`: of all rows that have it.
class FieldReader {
 public:
  FieldReader(const Field& field, bool is_long, unsigned depth)
      : field_(field), is_long_(is_long), at_(member(field.role)), block_(depth) {}

  std::string statements() {
    switch (field_.kind) {
      case FieldKind::kFlag:
      case FieldKind::kNumber: {
        const std::string value =
            field_.width == 0 ? value_bits(field_) : fmt::format("{{{}, {}'d0}}", value_bits(field_), field_.width);
        block_.set(at_.name, widened(value, field_.bits() + field_.width, at_.bits));
        break;
      }
      case FieldKind::kUnitNumber:
      case FieldKind::kOffset: block_.set(at_.name, widened(value_bits(field_), field_.bits(), at_.bits)); break;
      case FieldKind::kWords:
      case FieldKind::kWordOrFirst: words(); break;
      case FieldKind::kRegister: reg(field_.width, bits(field_.pieces[0]), field_.pieces[0].width); break;
      case FieldKind::kDestination: destination(); break;
      case FieldKind::kSameAsDst:
        block_.set(part("kind"), "insn.dst.kind");
        block_.set(part("index"), "insn.dst.index");
        break;
      case FieldKind::kImmediate:
        kind(OperandKind::kImm);
        block_.set("immediate", widened(value_bits(field_), field_.bits(), 32));
        break;
      case FieldKind::kAddrDst:
        block_.line(fmt::format("if ({} > 3'd{}) note_illegal();", value_bits(field_), kLastAddr));
        [[fallthrough]];
      case FieldKind::kAddrSrc: indexed(OperandKind::kAddr); break;
      case FieldKind::kSpecial: indexed(OperandKind::kSpecial); break;
      case FieldKind::kFlagOut:
        block_.set("writes_flags", bits(field_.pieces[1]));
        block_.set("flag_dst", fmt::format("{} ? {} : 2'd0", bits(field_.pieces[1]), bits(field_.pieces[0])));
        break;
      case FieldKind::kFlagDst:
        block_.set("writes_flags", "1'b1");
        block_.set("flag_dst", value_bits(field_));
        break;
      case FieldKind::kFlagSrc: block_.set("flag_src", value_bits(field_)); break;
      case FieldKind::kGlobal:
        reg(32, bits(field_.pieces[0]), field_.pieces[0].width);
        block_.set("space", bits(field_.pieces[1]));
        break;
      case FieldKind::kLanes: block_.set("lane_mask", value_bits(field_)); break;
      case FieldKind::kTexDst:
        reg(32, bits(field_.pieces[0]), field_.pieces[0].width);
        block_.set("tex_mask", field_.pieces_used == 1
                                   ? "4'hf"
                                   : fmt::format("{{{}, {}}}", bits(field_.pieces[2]), bits(field_.pieces[1])));
        break;
      case FieldKind::kTexSrc: block_.set("tex_sources", fmt::format("{{1'd0, {}}} + 3'd1", value_bits(field_))); break;
      case FieldKind::kShared: shared(); break;
      case FieldKind::kConst2:
      case FieldKind::kConst3: constant(); break;
      case FieldKind::kMemory: memory(); break;
    }
    return block_.text();
  }

 private:
  std::string part(const char* of) const { return fmt::format("{}.{}", at_.name, of); }
  void kind(OperandKind is) { block_.set(part("kind"), operand_name(is)); }
  void reg(unsigned width, const std::string& index, unsigned index_bits) {
    kind(register_kind(width));
    block_.set(part("index"), widened(index, index_bits, 7));
  }
  void indexed(OperandKind is) {
    kind(is);
    block_.set(part("index"), widened(value_bits(field_), field_.bits(), 7));
  }
  void words() {
    const std::string value = value_bits(field_);
    bool direct = field_.values.size() == 1u << field_.bits() && at_.type.empty();
    for (std::size_t i = 0; i < field_.values.size(); ++i) {
      direct = direct && (field_.values[i] < 0 || field_.values[i] == static_cast<std::int64_t>(i));
    }
    if (direct) block_.set(at_.name, widened(value, field_.bits(), at_.bits));
    block_.open(fmt::format("unique case ({})", value));
    for (std::size_t i = 0; i < (1u << field_.bits()); ++i) {
      const bool known = i < field_.values.size() && field_.values[i] >= 0;
      if (known && direct) continue;
      block_.line(fmt::format("{}'d{}: {}", field_.bits(), i,
                              known ? fmt::format("insn.{} = {};", at_.name, role_value(field_.role, field_.values[i]))
                                    : "note_illegal();"));
    }
    block_.line("default: ;");
    block_.close("endcase");
  }
  void destination() {
    reg(field_.width, bits(field_.pieces[0]), field_.pieces[0].width);
    block_.open(fmt::format("if ({}) begin  // o[], of graphics programs, or '#'", bits(field_.pieces[1])));
    block_.line(fmt::format("if ({} != 7'd127) note_graphics();", bits(field_.pieces[0])));
    kind(OperandKind::kDiscard);
    block_.set(part("index"), "7'd0");
    block_.set(part("type_"), value_name("MemType", register_type(field_.width)));
    block_.close();
  }
  void address() {
    block_.set("addr_reg", address_bits(is_long_));
    block_.set("post_increment", bits(kPostIncrement));
  }
  void refuse_bad_increment() { block_.line("if (bad_increment) refused = g80_pkg::DecodeErrorIllegalPostIncrement;"); }
  /// Offset or increment: the element number of `count` bits at bit `lo`, times 2^shift.
  void element(unsigned lo, unsigned count, unsigned shift, bool is_signed) {
    const std::string number = bits(lo, count);
    const std::string zeros = shift == 0 ? "" : fmt::format(", {}'d0", shift);
    const std::string sign = is_signed ? bits(lo + count - 1, 1) : "1'b0", post = bits(kPostIncrement);
    block_.set(part("offset"), fmt::format("{} ? 16'd0 : {}", post, padded(16, count, shift, number + zeros)));
    block_.set("increment",
               fmt::format("{} ? {{{{{}{{{}}}}}, {}{}}} : 18'd0", post, 18 - count - shift, sign, number, zeros));
  }
  static std::string padded(unsigned to, unsigned count, unsigned shift, const std::string& inner) {
    return to == count + shift ? fmt::format("{{{}}}", inner) : fmt::format("{{{}'d0, {}}}", to - count - shift, inner);
  }
  void shared() {
    const Piece all = field_.pieces[0];
    const std::string in_memory = bits(field_.pieces[1]) + (is_long_ ? " && " + bits(kConstSelect) + " != 2'd3" : "");
    reg(field_.width, bits(all), all.width);
    block_.open(fmt::format("if ({}) begin", in_memory));
    kind(OperandKind::kShared);
    block_.set(part("index"), "7'd0");
    address();
    modes(
        {static_cast<std::uint8_t>(all.lo + all.width - 2), 2}, all.lo, [&](unsigned) { return all.width - 2u; }, true);
    refuse_bad_increment();
    block_.close();
  }
  /// An element of s[] or c[] whose type two bits select.
  template <class Width>
  void modes(const Piece& mode, unsigned lo, Width width, bool is_signed, bool sets_access = false) {
    block_.open(fmt::format("unique case ({})", bits(mode)));
    for (unsigned i = 0; i < 4; ++i) {
      block_.open(fmt::format("2'd{}: begin", i));
      type(kSharedModes[i], sets_access);
      const unsigned shift = log2_bytes(kSharedModes[i]);
      element(lo, width(shift), shift, is_signed);
      block_.close();
    }
    block_.line("default: ;");
    block_.close("endcase");
  }
  void type(MemType is, bool sets_access) {
    block_.set(part("type_"), value_name("MemType", is));
    if (sets_access) block_.set("mem_type", value_name("MemType", is));
  }
  void constant() {
    const bool second = field_.kind == FieldKind::kConst2;
    const unsigned shift = field_.width == 16 ? 1 : 2;
    const Piece all = field_.pieces[0];
    const unsigned index_bits = is_long_ ? 7 : 6;
    // Both select bits: with an s[] operand in a long form, both sources are registers. All else is for graphics.
    block_.line(fmt::format("if ({} == 2'd3{}) note_graphics();", bits(kConstSelect),
                            is_long_ ? " && !" + bits(kSharedSelectLong) : ""));
    reg(field_.width, bits(all.lo, index_bits), index_bits);
    block_.open(fmt::format("if ({} == 2'd{}) begin", bits(kConstSelect), second ? 1 : 2));
    kind(OperandKind::kConst);
    block_.set(part("index"), "7'd0");
    block_.set(part("type_"), value_name("MemType", register_type(field_.width)));
    block_.set(part("bank"), widened(bits(field_.pieces[1]), field_.pieces[1].width, 4));
    block_.open(fmt::format("if (src0.kind == {}) begin  // $a belongs to s[]", operand_name(OperandKind::kShared)));
    block_.set(part("offset"), padded(16, all.width, shift, bits(all) + fmt::format(", {}'d0", shift)));
    block_.otherwise("end else begin");
    address();
    element(all.lo, all.width, shift, true);
    refuse_bad_increment();
    block_.close();
    block_.close();
  }
  /// The operand of a load or store instruction.
  void memory() {
    const char space = field_.words[0][0];
    const Piece all = field_.pieces[0];
    kind(space == 'c' ? OperandKind::kConst : space == 's' ? OperandKind::kShared : OperandKind::kLocal);
    if (space == 'c') block_.set(part("bank"), bits(field_.pieces[2]));
    address();
    if (space == 'l') {
      block_.set(part("type_"), "insn.mem_type");
      element(all.lo, all.width, 0, false);
    } else if (field_.width == 0) {
      modes(
          field_.pieces[1], all.lo, [&](unsigned shift) { return all.width - shift; }, false, true);
    } else {
      const unsigned shift = field_.width == 8 ? 0 : field_.width == 16 ? 1 : 2;
      type(field_.width == 8 ? MemType::kU8 : field_.width == 16 ? MemType::kU16 : MemType::kB32, true);
      element(all.lo, all.width - shift, shift, false);
    }
    refuse_bad_increment();
  }

  const Field& field_;
  const bool is_long_;
  const Member at_;
  Block block_;
};

/// True if it matters which fields of a row are read before this one: for its value, or for which error counts.
bool has_place(const Field& field) {
  switch (field.kind) {
    case FieldKind::kWords:
    case FieldKind::kWordOrFirst:
    case FieldKind::kRegister:
    case FieldKind::kDestination:
    case FieldKind::kSameAsDst:
    case FieldKind::kAddrDst: return true;
    default: return is_memory_field(field.kind);
  }
}

/// The fields in an order that keeps that of each row.
std::vector<const Field*> in_order_of_rows() {
  const OpcodeTable& table = OpcodeTable::get();
  std::vector<const Field*> order;
  std::map<const Field*, int> state;  // 1: on the way, 2: listed
  const auto place = [&](auto&& self, const Field* field) -> void {
    CHECK(state[field] != 1, "field {} stands before and behind another", field->name);
    if (state[field] == 2) return;
    state[field] = 1;
    for (const Row& row : table.rows()) {
      const Field* before = nullptr;
      for (const Field* each : row.fields) {
        if (!has_place(*each)) continue;
        if (each == field && before != nullptr) self(self, before);
        before = each;
      }
    }
    state[field] = 2;
    order.push_back(field);
  };
  for (const Row& row : table.rows())
    for (const Field* field : row.fields) place(place, field);
  return order;
}

bool is_long(const Row& row) { return row.form == Form::kLong; }

/// True if every row with the field has a long form, false if none; the memory operands' fields depend on it.
bool in_long_rows(const Field& field) {
  bool any_long = false, any_short = false;
  for (const Row& row : OpcodeTable::get().rows()) {
    for (const Field* each : row.fields)
      if (each == &field) (is_long(row) ? any_long : any_short) = true;
  }
  CHECK(!is_memory_field(field.kind) || !(any_long && any_short), "field {} stands in rows of both lengths",
        field.name);
  return any_long;
}

/// Words that agree with `match` in the bits of `mask`.
struct Words {
  std::uint64_t mask, match;
};
/// `words` without `taken`: differing from it in one bit after the other, so that no two parts have a word in common.
std::vector<Words> without(const Words& words, const Words& taken) {
  if ((words.mask & taken.mask & (words.match ^ taken.match)) != 0) return {words};
  std::vector<Words> left;
  Words rest = words;
  for (std::uint64_t more = taken.mask & ~words.mask; more != 0; more &= more - 1) {
    const std::uint64_t bit = more & -more;
    rest.mask |= bit;
    rest.match |= ~taken.match & bit;
    left.push_back(rest);
    rest.match ^= bit;
  }
  return left;
}
/// As the pattern of a casez: '?' for bits outside the mask.
std::string pattern(const Words& words) {
  std::string text = "64'b";
  for (unsigned i = 64; i-- > 0;) {
    text += (words.mask >> i & 1) == 0 ? '?' : (words.match >> i & 1) != 0 ? '1' : '0';
    if (i % 8 == 0 && i != 0) text += '_';
  }
  return text;
}

void print_row(const Row& row, const std::vector<Words>& words) {
  for (const Words& each : words)
    fmt::print("{}{}", &each == words.data() ? "          " : ",\n          ", pattern(each));
  fmt::print(": begin");
  if (row.graphics) {
    fmt::print(" graphics = 1'b1; end\n");
    return;
  }
  fmt::print("  // {}\n            found = 1'b1; arch = 2'd{};{}\n", row.syntax, static_cast<unsigned>(row.arch),
             row.guarded ? " guarded = 1'b1;" : "");
  fmt::print("            row.op = {}; row.unit = {};", value_name("Op", row.op), value_name("Unit", row.unit));
  for (const auto& [role, value] : row.fixed) fmt::print(" row.{} = {};", member(role).name, role_value(role, value));
  if (!row.fields.empty()) fmt::print("\n           ");
  for (const Field* field : row.fields) fmt::print(" has_{} = 1'b1;", field->name);
  fmt::print("\n          end\n");
}

/// Rows by form and primary opcode, w0[31:28]. In a group the first that fits counts; a later row is written without
/// the words of the earlier ones, so that all are compared side by side and not one after the other.
void print_rows() {
  for (unsigned form = 0; form < 5; ++form) {
    fmt::print("      {}: unique case ({})\n", value_name("Form", static_cast<Form>(form)), bits(kPrimaryOpcode));
    for (unsigned opcode = 0; opcode < 16; ++opcode) {
      std::vector<const Row*> rows;
      for (const Row& row : OpcodeTable::get().rows()) {
        if (static_cast<unsigned>(row.form) == form && kPrimaryOpcode.get(row.match) == opcode) rows.push_back(&row);
      }
      if (rows.empty()) continue;
      fmt::print("        4'd{}: (* parallel_case *) casez (word)\n", opcode);
      std::vector<Words> taken;
      for (const Row* row : rows) {
        std::vector<Words> words = {{row->mask, row->match}};
        for (const Words& earlier : taken) {
          std::vector<Words> left;
          for (const Words& part : words)
            for (const Words& each : without(part, earlier)) left.push_back(each);
          words = left;
        }
        CHECK(!words.empty(), "no word is '{}': earlier rows have all of them", row->syntax);
        print_row(*row, words);
        taken.push_back({row->mask, row->match});
      }
      fmt::print("          default: ;\n        endcase\n");
    }
    fmt::print("        default: ;\n      endcase\n");
  }
}

void print_uses(const char* name, bool (*takes)(const Field&)) {
  fmt::print("  assign {} = ", name);
  bool first = true;
  for (const Field& field : OpcodeTable::get().fields()) {
    if (!takes(field)) continue;
    fmt::print("{}has_{}", first ? "" : " || ", field.name);
    first = false;
  }
  fmt::print(";\n");
}

void print_module() {
  const std::vector<const Field*> fields = in_order_of_rows();
  fmt::print(R"(// Written by rtl/write_decoder.cpp from opcodes.def. Changes belong there.
// The fields of the instruction in a word. Of a word that is none only the error counts: who wants the fields alone does
// not wait for it.
module opcode_decoder (
  input  logic [63:0]            word_i,   // the upper half of a short form does not matter
  output g80_pkg::instruction_t  insn_o,
  output g80_pkg::decode_error_e error_o,
  output logic [1:0]             arch_o,   // the first compute capability, 1.x, that has the instruction
  output logic                   guarded_o,
  output logic [1:0]             src1_at_o,
  output logic                   src2_is_dst_o
);
  logic [63:0]           word;
  g80_pkg::form_e        form;
  g80_pkg::instruction_t row, insn;
  g80_pkg::operand_t     src0, src1, src2;
  logic                  found, graphics, guarded, has_shared, has_shared_half, bad_increment;
  logic [1:0]            arch;
  g80_pkg::decode_error_e field_error, refused;
)");
  fmt::print("  logic ");
  for (const Field* field : fields) fmt::print("has_{}{}", field->name, field == fields.back() ? ";\n\n" : ", ");
  fmt::print(
      R"(  assign word = word_i[0] ? word_i : {{32'd0, word_i[31:0]}};

  always_comb begin : find_form
    unique case (word[1:0])
      2'd0: form = g80_pkg::FormShort;
      2'd1: form = {} == 2'd3 ? g80_pkg::FormImmediate : g80_pkg::FormLong;
      2'd2: form = g80_pkg::FormShortControl;
      default: form = g80_pkg::FormControl;
    endcase
  end

  always_comb begin : find_row
    row = g80_pkg::InstructionDefault;
    row.form = form;
    row.bytes = word[0] ? 4'd8 : 4'd4;
    found = 1'b0;
    graphics = 1'b0;
    guarded = 1'b0;
    arch = 2'd0;
)",
      bits(kExitJoin));
  for (const Field* field : fields) fmt::print("    has_{} = 1'b0;\n", field->name);
  fmt::print("    unique case (form)\n");
  print_rows();
  fmt::print("      default: ;\n    endcase\n  end\n\n");
  print_uses("has_shared", [](const Field& field) { return field.kind == FieldKind::kShared; });
  print_uses("has_shared_half",
             [](const Field& field) { return field.kind == FieldKind::kShared && field.width == 16; });
  fmt::print("  assign guarded_o = guarded;\n");
  print_uses("src1_at_o[0]",
             [](const Field& field) { return field.role == Role::kSrc1 && place_of_index(field) == 1; });
  print_uses("src1_at_o[1]",
             [](const Field& field) { return field.role == Role::kSrc1 && place_of_index(field) == 2; });
  print_uses("src2_is_dst_o", [](const Field& field) { return field.kind == FieldKind::kSameAsDst; });
  fmt::print(R"(  // A post-increment needs one of $a1 to $a{2}.
  assign bad_increment = {0} && (form == g80_pkg::FormLong ? {1} == 3'd0 ||
                                      {1} > 3'd{2} : {3} == 2'd0);

  always_comb begin : read_fields
    insn = row;
    src0 = g80_pkg::OperandDefault;
    src1 = g80_pkg::OperandDefault;
    src2 = g80_pkg::OperandDefault;
    field_error = g80_pkg::DecodeErrorNone;
    refused = g80_pkg::DecodeErrorNone;
    if (guarded) begin
      insn.cond = {4};
      if ({4} != 5'd{5} && {4} != 5'd{6}) insn.flag_src = {7};
      insn.exit = form == g80_pkg::FormLong && {8} == 2'd1;
      insn.join_ = form == g80_pkg::FormLong && {8} == 2'd2;
    end
)",
             bits(kPostIncrement), address_bits(true), kLastAddr, bits(kAddrLow), bits(kCondition), kAlways, kNever,
             bits(kConditionFlags), bits(kExitJoin));
  for (const Field* field : fields) {
    std::string statements = FieldReader(*field, in_long_rows(*field), 3).statements();
    // The first error of a row counts.
    for (const auto& [call, error] : {std::pair<std::string, std::string>{"note_illegal();", "IllegalOpcode"},
                                      {"note_graphics();", "GraphicsOnly"}}) {
      for (std::size_t at = statements.find(call); at != std::string::npos; at = statements.find(call, at)) {
        statements.replace(
            at, call.size(),
            "field_error = field_error == g80_pkg::DecodeErrorNone ? g80_pkg::DecodeError" + error + " : field_error;");
      }
    }
    fmt::print("    if (has_{}) begin\n{}    end\n", field->name, statements);
  }
  fmt::print(R"(    // Size and sign of an s[] operand must be those of the operation.
    if (refused == g80_pkg::DecodeErrorNone && has_shared && src0.kind == g80_pkg::OperandShared) begin
      if (insn.src_type == g80_pkg::NumTypeU8 || insn.src_type == g80_pkg::NumTypeS8) begin
        if (src0.type_ != g80_pkg::MemTypeU8) refused = g80_pkg::DecodeErrorIllegalMemoryByte;
      end else if (has_shared_half) begin
        if (src0.type_ == g80_pkg::MemTypeB32) refused = g80_pkg::DecodeErrorIllegalMemorySize;
        else if (insn.src_type == g80_pkg::NumTypeU16 && src0.type_ == g80_pkg::MemTypeS16)
          refused = g80_pkg::DecodeErrorIllegalMemorySign;
        else if (insn.src_type == g80_pkg::NumTypeS16 && src0.type_ == g80_pkg::MemTypeU16)
          refused = g80_pkg::DecodeErrorIllegalMemorySign;
      end
    end
    insn.src = {{src2, src1, src0}};
  end

  always_comb begin : judge
    arch_o = arch;
    if (graphics) begin
      error_o = g80_pkg::DecodeErrorGraphicsOnly;
      arch_o = 2'd0;
    end else if (!found || field_error == g80_pkg::DecodeErrorIllegalOpcode) begin
      error_o = g80_pkg::DecodeErrorIllegalOpcode;
      arch_o = 2'd3;
    end else if (field_error != g80_pkg::DecodeErrorNone) begin
      error_o = field_error;
    end else begin
      error_o = refused;
    end
    insn_o = insn;
  end
endmodule
)");
}

}  // namespace
}  // namespace g80::isa

// The SystemC library refers to sc_main.
int sc_main(int, char**) { return 0; }

int main() {
  g80::isa::print_module();
  return 0;
}
