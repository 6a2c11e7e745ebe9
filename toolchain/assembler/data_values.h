// SPDX-License-Identifier: Apache-2.0
// Initial values of variables: "v, v, v" of a type, as little-endian bytes.
#pragma once
#include <cstdint>
#include <vector>

#include "toolchain/assembler/source_line.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// Reads values up to the end of the line. For f32 and f64 a decimal number is the value, a hex number the bits;
/// 1.5f is the bits of a float in every type.
std::vector<std::uint8_t> take_values(SourceLine& line, DataType type, const isa::SymbolLookup& symbols);

/// Bytes as words, the last one filled with zeros.
std::vector<std::uint32_t> words_of(const std::vector<std::uint8_t>& bytes);

}  // namespace g80
