// SPDX-License-Identifier: Apache-2.0
// Element types: names, sizes, encoding of numbers.
#include "tb/scenario/element_type.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "input/input_error.h"

namespace g80 {
namespace {

struct TypeRow {
  ElementType type;
  std::string_view name;
  std::size_t bytes;
  bool is_signed;
};
constexpr std::array<TypeRow, 9> kTypes = {{{ElementType::kU8, "u8", 1, false},
                                            {ElementType::kS8, "s8", 1, true},
                                            {ElementType::kU16, "u16", 2, false},
                                            {ElementType::kS16, "s16", 2, true},
                                            {ElementType::kU32, "u32", 4, false},
                                            {ElementType::kS32, "s32", 4, true},
                                            {ElementType::kU64, "u64", 8, false},
                                            {ElementType::kF32, "f32", 4, true},
                                            {ElementType::kF64, "f64", 8, true}}};

const TypeRow& row(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

template <class To, class From>
To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

std::optional<ElementType> parse_element_type(std::string_view name) {
  for (const TypeRow& r : kTypes) {
    if (r.name == name) return r.type;
  }
  return std::nullopt;
}
std::string_view element_type_name(ElementType type) { return row(type).name; }
std::string element_type_list() {
  std::string list;
  for (const TypeRow& r : kTypes) list += fmt::format("{}{}", list.empty() ? "" : ", ", r.name);
  return list;
}
std::size_t element_bytes(ElementType type) { return row(type).bytes; }
bool is_floating(ElementType type) { return type == ElementType::kF32 || type == ElementType::kF64; }

std::uint64_t element_bits(ElementType type, const Value& value, const std::string& what) {
  // The chip's NaN: the sign of the host's NaN depends on the host.
  if (is_floating(type) && std::isnan(value.as_real()))
    return type == ElementType::kF32 ? 0x7fffffffu : 0xfff8000000000000u;
  if (type == ElementType::kF32) {
    const float rounded = value.is_float ? static_cast<float>(value.real) : static_cast<float>(value.integer);
    return same_bits<std::uint32_t>(rounded);
  }
  if (type == ElementType::kF64) return same_bits<std::uint64_t>(value.as_real());
  if (value.is_float) {
    throw InputError(fmt::format("{} is {}, which is not an integer; its type is {} (int() truncates)", what,
                                 value.text(), element_type_name(type)));
  }
  const unsigned bits = static_cast<unsigned>(row(type).bytes) * 8;
  if (bits < 64) {
    const std::int64_t lowest = -(std::int64_t{1} << (bits - 1));
    const std::int64_t highest = (std::int64_t{1} << (row(type).is_signed ? bits - 1 : bits)) - 1;
    if (value.integer < lowest || value.integer > highest) {
      throw InputError(fmt::format("{} is {}, which does not fit {}; allowed is {} to {}", what, value.integer,
                                   element_type_name(type), lowest, highest));
    }
    return static_cast<std::uint64_t>(value.integer) & ((std::uint64_t{1} << bits) - 1);
  }
  return static_cast<std::uint64_t>(value.integer);
}

std::string element_text(ElementType type, std::uint64_t bits) {
  const unsigned width = static_cast<unsigned>(row(type).bytes) * 8;
  if (type == ElementType::kF32) {
    const auto word = static_cast<std::uint32_t>(bits);
    return fmt::format("{} (0x{:08x})", same_bits<float>(word), word);
  }
  if (type == ElementType::kF64) return fmt::format("{} (0x{:016x})", same_bits<double>(bits), bits);
  if (!row(type).is_signed) return fmt::format("{} (0x{:0{}x})", bits, bits, width / 4);
  const auto value = static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
  return fmt::format("{} (0x{:0{}x})", value, bits, width / 4);
}

}  // namespace g80
