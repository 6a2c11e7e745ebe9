// SPDX-License-Identifier: Apache-2.0
// opcodes.def as data: the rows with their fields resolved, and the index that finds the row of a word.
//
// Built once at first use, read-only afterwards. The decoder, encoder, disassembler and assembler walk rows; generators
// (documentation, SystemVerilog package, wave filter, random programs) read the same structures.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/isa/encoding.h"
#include "hw/isa/instruction.h"

namespace g80::isa {

/// How the bits of a field are read, written and printed.
enum class FieldKind : std::uint8_t {
  kFlag,         // one bit; its word is printed if set
  kWords,        // the value selects one of the words
  kWordOrFirst,  // the same; source may leave the word out for the first value
  kNumber,       // unsigned, printed in hex
  kOffset,       // two's complement, printed as -0x1; source may leave it out for 0
  kUnitNumber,   // prefix and decimal number: $t3
  kRegister,     // register of the given width
  kDestination,  // register, or '#' for none
  kSameAsDst,    // repeats the destination; no bits of its own
  kShared,       // source 1: register or s[]
  kConst2,       // source 2: register or c[]
  kConst3,       // source 3: register or c[]
  kImmediate,    // unsigned constant operand
  kAddrDst,
  kAddrSrc,  // $a
  kFlagOut,
  kFlagDst,
  kFlagSrc,  // $c written if enabled, always written, read
  kSpecial,  // special register
  kMemory,   // s[], c[] or l[] with 16-bit offset and $a
  kGlobal,   // g<space>[$r]
  kLanes,    // lane mask of mov: (l012)
  kTexDst,
  kTexSrc,
};

/// The member of Instruction a field or a fixed value belongs to.
enum class Role : std::uint8_t {
  kNone,
  kDst,
  kSrc0,
  kSrc1,
  kSrc2,
#define G80_ROLE(name, member, bits, values) k##name,
#include "hw/isa/roles.def"
};

/// Reads and writes the plain (non-operand) member named by `role`.
std::int64_t get_role(const Instruction& insn, Role role);
void set_role(Instruction& insn, Role role, std::int64_t value);

/// Name of a number format or memory type as assembly text writes it, and back (-1: no such name).
std::string_view type_name(NumType type);
std::string_view type_name(MemType type);
int find_num_type(std::string_view name);
int find_mem_type(std::string_view name);

/// A run of bits of the 64-bit value {w1, w0}.
struct Piece {
  std::uint8_t lo = 0, width = 0;
  std::uint64_t mask() const { return ((std::uint64_t{1} << width) - 1) << lo; }
  std::uint32_t get(std::uint64_t word) const {
    return static_cast<std::uint32_t>(word >> lo & ((std::uint64_t{1} << width) - 1));
  }
};

struct Field {
  const char* name;
  FieldKind kind;
  Role role;
  std::uint8_t width;
  std::uint8_t pieces_used;
  Piece pieces[3];
  std::vector<std::string_view> words;
  std::vector<std::int64_t> values;  // kWords: the member's value for each word, -1 if the code does not exist

  std::uint32_t get(std::uint64_t word) const {
    std::uint32_t value = 0;
    unsigned shift = 0;
    for (unsigned i = 0; i < pieces_used; ++i) {
      value |= pieces[i].get(word) << shift;
      shift += pieces[i].width;
    }
    return value;
  }
  std::uint64_t mask() const { return pieces[0].mask() | pieces[1].mask() | pieces[2].mask(); }
  unsigned bits() const { return pieces[0].width + pieces[1].width + pieces[2].width; }
  /// Bits of the encoded value; it must fit.
  std::uint64_t place(std::uint64_t value) const;
};

/// Of a field of src[1] with the number of a register or a word of c[]: 0 if it stands where the words have that of
/// source 1, 1 where they have that of source 2, 2 that of the destination.
inline std::uint8_t place_of_index(const Field& field) {
  const bool is_index =
      field.kind == FieldKind::kRegister || field.kind == FieldKind::kConst2 || field.kind == FieldKind::kConst3;
  return !is_index || field.pieces[0].lo == 16 ? 0 : field.pieces[0].lo == 46 ? 1 : 2;
}

/// One token of a row's syntax: literal text, or a field, possibly followed by ')'.
struct Item {
  std::string_view text;         // literal, without parentheses
  const Field* field = nullptr;  // or the field
  bool opens = false, closes = false;
};

struct Row {
  Op op;
  Form form;
  std::uint64_t match, mask;  // {w1, w0}
  std::uint64_t fill;         // as written, with bits that the chip ignores
  Unit unit;
  Arch arch;
  bool guarded = false;  // has a predicate
  bool alias = false;
  bool graphics = false;
  std::vector<std::pair<Role, std::int64_t>> fixed;
  std::vector<Item> items;
  std::vector<const Field*> fields;
  std::string_view mnemonic;
  std::string_view syntax;
};

class OpcodeTable {
 public:
  static const OpcodeTable& get();

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Field>& fields() const { return fields_; }
  /// The row whose match and mask fit, or nullptr.
  const Row* find(std::uint32_t w0, std::uint32_t w1) const;
  /// The rows of an operation, in table order.
  const std::vector<const Row*>& rows_of(Op op) const { return by_op_[static_cast<unsigned>(op)]; }
  const Field* field(std::string_view name) const;

 private:
  OpcodeTable();
  void resolve(Row& row, std::string_view fixed);
  void add_graphics(std::uint64_t match, std::uint64_t mask);
  void index();

  static constexpr unsigned kForms = 5;
  static unsigned bucket(unsigned form, unsigned p, unsigned q) { return (form * 16 + p) * 8 + q; }

  std::vector<Field> fields_;
  std::vector<Row> rows_;
  std::vector<const Row*> by_op_[static_cast<unsigned>(Op::kCount)];
  std::vector<const Row*> buckets_[kForms * 16 * 8];  // by form, w0[31:28] and w1[31:29]
};

}  // namespace g80::isa
