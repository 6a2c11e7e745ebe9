// SPDX-License-Identifier: Apache-2.0
// The element types of buffers, arguments and parameters, and how a number becomes their bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tb/scenario/expression.h"

namespace g80 {

enum class ElementType : std::uint8_t { kU8, kS8, kU16, kS16, kU32, kS32, kU64, kF32, kF64 };

std::optional<ElementType> parse_element_type(std::string_view name);
std::string_view element_type_name(ElementType type);
std::string element_type_list();  // "u8, s8, ..." for messages
std::size_t element_bytes(ElementType type);
bool is_floating(ElementType type);

/// The little-endian bytes of `value`, in the low bytes of the result. Integers must fit the type (an unsigned type
/// also takes the negative numbers of its signed twin: two's complement); floats are rounded once. Throws InputError.
std::uint64_t element_bits(ElementType type, const Value& value, const std::string& what);

/// An element as text: "-3", "0.1 (0x3dcccccd)".
std::string element_text(ElementType type, std::uint64_t bits);

}  // namespace g80
