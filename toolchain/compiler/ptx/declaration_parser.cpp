// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/declaration_parser.h"

#include <algorithm>

#include "toolchain/compiler/ptx/constant_expression.h"

namespace g80::ptx {
namespace {

constexpr std::uint64_t kMaxVariableBytes = 1u << 28;  // 256 MiB: more than these chips can provide
constexpr std::size_t kMaxRegisters = 1u << 20;
constexpr unsigned kMaxInitialiserBraces = 16;

/// Fills a variable's bytes from its initialiser.
class Initializer {
 public:
  Initializer(Cursor& cursor, Variable& variable, std::vector<std::uint64_t> dims)
      : cursor_(cursor), variable_(variable), dims_(std::move(dims)) {}

  void parse() {
    if (cursor_.peek().is("{")) {
      braces(0, 0);
    } else {
      element(0);
    }
    if (!used_) return;
    variable_.initial.resize(std::max<std::size_t>(variable_.initial.size(), end_));
  }
  std::uint64_t end() const { return end_; }

 private:
  std::uint64_t element_bytes() const { return scalar_bytes(variable_.type); }

  /// Bytes of one element of the array at nesting `level`.
  std::uint64_t stride(std::size_t level) const {
    std::uint64_t bytes = element_bytes();
    for (std::size_t k = level + 1; k < dims_.size(); ++k) bytes *= dims_[k];
    return bytes;
  }

  void braces(std::size_t level, std::uint64_t offset) {
    if (level > kMaxInitialiserBraces) cursor_.fail("this initialiser is nested too deeply");
    cursor_.expect("{", "before a list of values");
    if (cursor_.accept("}")) return;
    const std::uint64_t step = stride(level);
    do {
      if (cursor_.peek().is("{")) {
        braces(level + 1, offset);
        offset += step;
      } else {
        element(offset);
        offset += level + 1 >= dims_.size() ? step : element_bytes();
      }
    } while (cursor_.accept(","));
    cursor_.expect("}", "after a list of values");
  }

  void element(std::uint64_t offset) {
    const std::uint64_t bytes = element_bytes();
    if (variable_.bytes != 0 && offset + bytes > variable_.bytes)
      cursor_.fail(fmt::format("'{}' has {} bytes and more initial values", variable_.name, variable_.bytes));
    if (offset + bytes > kMaxVariableBytes) cursor_.fail("this initialiser is too long");
    used_ = true;
    end_ = std::max(end_, offset + bytes);
    if (variable_.initial.size() < end_) variable_.initial.resize(end_);
    if (cursor_.peek().kind == TokenKind::kIdentifier) {
      address(offset);
      return;
    }
    const Token first = cursor_.peek();
    const bool is_word = cursor_.peek(1).is(",") || cursor_.peek(1).is("}") || cursor_.peek(1).is(";");
    Constant value = parse_constant(cursor_);
    if (variable_.type == Scalar::kF64) {
      value.bits = constant_as_f64(value);
    } else if (variable_.type == Scalar::kF32 || (value.is_float && scalar_bits(variable_.type) == 32)) {
      value.bits = constant_as_f32(value);
    }
    if (const std::string why = why_no_value(value, variable_.type, is_word ? first.text : ""); !why.empty())
      cursor_.fail(first.place, why);
    for (std::uint64_t k = 0; k < bytes; ++k)
      variable_.initial[offset + k] = static_cast<std::uint8_t>(value.bits >> (8 * k));
  }

  void address(std::uint64_t offset) {
    AddressInitializer pointer;
    pointer.place = cursor_.peek().place;
    pointer.offset = static_cast<std::uint32_t>(offset);
    pointer.bytes = static_cast<std::uint32_t>(element_bytes());
    pointer.symbol = cursor_.identifier("a name");
    if (pointer.symbol == "generic" && cursor_.accept("(")) {
      pointer.symbol = cursor_.identifier("a variable");
      cursor_.expect(")", "after the variable");
    }
    if (cursor_.peek().is("+") || cursor_.peek().is("-"))
      pointer.addend = static_cast<std::int64_t>(parse_constant(cursor_).bits);
    if (pointer.bytes < 4)
      cursor_.fail(pointer.place,
                   fmt::format("the address of '{}' does not fit into {} byte(s)", pointer.symbol, pointer.bytes));
    variable_.addresses.push_back(pointer);
  }

  Cursor& cursor_;
  Variable& variable_;
  std::vector<std::uint64_t> dims_;
  std::uint64_t end_ = 0;
  bool used_ = false;
};

unsigned vector_width(Cursor& cursor) {
  if (cursor.accept_dot("v2")) return 2;
  if (cursor.accept_dot("v4")) return 4;
  return 1;
}

std::uint32_t alignment(Cursor& cursor) {
  const std::uint64_t align = cursor.integer("the alignment", 1u << 16);
  if (align == 0 || (align & (align - 1)) != 0)
    cursor.fail(fmt::format("the alignment {} is not a power of two", align));
  return static_cast<std::uint32_t>(align);
}

Scalar type_word(Cursor& cursor) {
  const Token& token = cursor.peek();
  const auto type = token.kind == TokenKind::kDotWord ? parse_scalar(token.text) : std::nullopt;
  if (!type) cursor.fail(fmt::format("expected a type, found {}", Cursor::describe(token)));
  cursor.take();
  return *type;
}

/// Skips .ptr [.space] [.align n], the target of a pointer parameter. Pointer parameters of kernels always point to
/// global memory on this chip.
void skip_pointer_attributes(Cursor& cursor) {
  if (!cursor.accept_dot("ptr")) return;
  for (std::string_view space : {"const", "global", "local", "shared"})
    if (cursor.accept_dot(space)) break;
  if (cursor.accept_dot("align")) alignment(cursor);
}

std::vector<std::uint64_t> dimensions(Cursor& cursor) {
  std::vector<std::uint64_t> dims;
  while (cursor.accept("[")) {
    if (cursor.accept("]")) {
      if (!dims.empty()) cursor.fail("only the first dimension may be empty");
      dims.push_back(0);
      continue;
    }
    const Constant size = parse_constant(cursor);
    if (size.is_float || size.bits > kMaxVariableBytes) cursor.fail("this is not the size of an array");
    dims.push_back(size.bits);
    cursor.expect("]", "after the size of an array");
  }
  return dims;
}

}  // namespace

std::optional<StateSpace> declared_space(const Token& token) {
  if (token.kind != TokenKind::kDotWord) return std::nullopt;
  if (token.text == "global") return StateSpace::kGlobal;
  if (token.text == "const") return StateSpace::kConst;
  if (token.text == "shared") return StateSpace::kShared;
  if (token.text == "local") return StateSpace::kLocal;
  if (token.text == "param") return StateSpace::kParam;
  if (token.text == "tex") return StateSpace::kTex;
  return std::nullopt;
}

/// Skips the number of a constant bank (PTX up to 2.1 had 11). All banks are one memory here, with variables by name.
std::uint64_t skip_constant_bank(Cursor& cursor) {
  constexpr std::uint64_t kLastBank = 10;
  if (!cursor.accept("[")) return 0;
  const std::uint64_t bank = cursor.integer("the number of a constant bank", kLastBank);
  cursor.expect("]", "after the number of a constant bank");
  return bank;
}

Variable parse_variable(Cursor& cursor, StateSpace space, bool is_extern) {
  Variable variable;
  variable.space = space;
  variable.is_extern = is_extern;
  variable.place = cursor.peek().place;
  std::uint32_t align = 0;
  if (space == StateSpace::kConst && skip_constant_bank(cursor) != 0 && is_extern)
    cursor.fail("an OpenCL driver fills .extern constant banks; without one only bank 0 exists");
  if (cursor.accept_dot("align")) align = alignment(cursor);
  const unsigned width = vector_width(cursor);
  if (cursor.accept_dot("align")) align = alignment(cursor);
  if (cursor.peek().is_dot("surfref")) cursor.fail("a surface needs sm_20");
  if (cursor.peek().is_dot("samplerref")) cursor.fail("separate samplers (texmode_independent) need sm_20");
  if (cursor.accept_dot("texref")) {
    variable.is_texture = true;
    variable.type = Scalar::kU64;
  } else {
    variable.type = type_word(cursor);
    if (space == StateSpace::kTex) variable.is_texture = true;
  }
  if (variable.type == Scalar::kPred) cursor.fail("a variable cannot be a predicate");
  skip_pointer_attributes(cursor);
  if (cursor.accept_dot("align")) align = alignment(cursor);
  variable.name = cursor.identifier("the name of a variable");
  std::vector<std::uint64_t> dims = dimensions(cursor);
  variable.is_array = !dims.empty();
  const std::uint64_t element = std::uint64_t{scalar_bytes(variable.type)} * width;
  if (width > 1) dims.push_back(width);
  variable.align = std::max(align, align == 0 ? static_cast<std::uint32_t>(element) : 1u);
  variable.bytes = scalar_bytes(variable.type);
  for (std::uint64_t size : dims) {
    variable.bytes *= size;
    if (variable.bytes > kMaxVariableBytes)
      cursor.fail(variable.place, fmt::format("'{}' is larger than the memory of every supported chip", variable.name));
  }
  if (cursor.accept("=")) {
    if (space != StateSpace::kGlobal && space != StateSpace::kConst)
      cursor.fail(fmt::format("a .{} variable cannot have an initial value", state_space_name(space)));
    Initializer initializer(cursor, variable, dims);
    const bool open = variable.bytes == 0;
    initializer.parse();
    if (open) {
      const std::uint64_t row = std::max<std::uint64_t>(element, 1);
      variable.bytes = (initializer.end() + row - 1) / row * row;
    }
    if (!variable.initial.empty()) variable.initial.resize(variable.bytes);
  }
  return variable;
}

void parse_registers(Cursor& cursor, Scope& scope, std::vector<Register>& registers) {
  unsigned width = vector_width(cursor);
  const Scalar type = type_word(cursor);
  if (width == 1) width = vector_width(cursor);
  do {
    const Place place = cursor.peek().place;
    const std::string name = cursor.identifier("the name of a register");
    const bool is_range = cursor.accept("<");  // p<4> is p0 to p3: `p` is another register
    if ((is_range ? scope.ranges : scope.names).count(name) != 0)
      cursor.fail(place, fmt::format("'{}' is declared twice", name));
    Binding binding{width > 1 ? BindingKind::kVector : BindingKind::kRegister,
                    static_cast<std::uint32_t>(registers.size()), width};
    if (is_range) {
      if (width > 1) cursor.fail(place, "a range of vector registers is not supported");
      binding.count = static_cast<std::uint32_t>(cursor.integer("the number of registers", kMaxRegisters));
      cursor.expect(">", "after the number of registers");
      scope.ranges.emplace(name, binding);
    } else {
      scope.names.emplace(name, binding);
    }
    if (registers.size() + binding.count > kMaxRegisters)
      cursor.fail(place, fmt::format("a function can have {} virtual registers", kMaxRegisters));
    registers.resize(registers.size() + binding.count, Register{type});
  } while (cursor.accept(","));
  cursor.expect(";", "after a declaration of registers");
}

}  // namespace g80::ptx
