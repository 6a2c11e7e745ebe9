// SPDX-License-Identifier: Apache-2.0
// The words of a PTX text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace g80::ptx {

/// Where something stands in the PTX text; both count from 1.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,   // add, %r1, $Lt_0_1, _, foo
  kDotWord,      // .u32, .reg, .1d: `text` without the dot
  kInteger,      // `bits`; WARP_SZ is one
  kFloat32,      // 0f3f800000: `bits` are the f32
  kFloat64,      // 0d... or a decimal literal: `bits` are the f64
  kString,       // `text` without the quotes
  kPunctuation,  // one of ,;:{}()[]+-*/%!@|&^~?<>= or a two-character operator
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  std::uint64_t bits = 0;
  bool is_unsigned = false;  // of an integer: written with U, or too large for s64
  bool glued = false;        // no blank before it
  bool inline_asm = false;   // between clang's comments about inline assembly
  Place place;

  bool is(std::string_view punctuation) const { return kind == TokenKind::kPunctuation && text == punctuation; }
  bool is_dot(std::string_view word) const { return kind == TokenKind::kDotWord && text == word; }
};

}  // namespace g80::ptx
