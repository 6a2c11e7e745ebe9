// SPDX-License-Identifier: Apache-2.0
// A position in the words of a PTX text, with the tests and errors of a parser.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "toolchain/compiler/ptx/lexer.h"

namespace g80::ptx {

class Cursor {
 public:
  Cursor(const std::vector<Token>& tokens, const std::string& filename) : tokens_(tokens), filename_(filename) {}

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool at_end() const { return peek().kind == TokenKind::kEnd; }
  bool accept(std::string_view punctuation) { return peek().is(punctuation) && (take(), true); }
  bool accept_dot(std::string_view word) { return peek().is_dot(word) && (take(), true); }
  void expect(std::string_view punctuation, std::string_view context) {
    if (!accept(punctuation)) fail(fmt::format("expected '{}' {}, found {}", punctuation, context, describe(peek())));
  }
  std::string identifier(std::string_view what) {
    if (peek().kind != TokenKind::kIdentifier) fail(fmt::format("expected {}, found {}", what, describe(peek())));
    return std::string(take().text);
  }
  /// A whole number from `min` to `max`.
  std::uint64_t integer(std::string_view what, std::uint64_t max, std::uint64_t min = 0) {
    if (peek().kind != TokenKind::kInteger) fail(fmt::format("expected {}, found {}", what, describe(peek())));
    if (peek().bits > max) fail(fmt::format("{} is {}; at most {} is possible", what, peek().bits, max));
    if (peek().bits < min) fail(fmt::format("{} is {}; it must be at least {}", what, peek().bits, min));
    return take().bits;
  }
  [[noreturn]] void fail(const std::string& message) const { fail_at(filename_, peek().place, message); }
  [[noreturn]] void fail(Place place, const std::string& message) const { fail_at(filename_, place, message); }
  const std::string& filename() const { return filename_; }

  static std::string describe(const Token& token) {
    switch (token.kind) {
      case TokenKind::kEnd: return "the end of the file";
      case TokenKind::kDotWord: return fmt::format("'.{}'", token.text);
      case TokenKind::kString: return fmt::format("\"{}\"", token.text);
      default: return fmt::format("'{}'", token.text);
    }
  }

 private:
  const std::vector<Token>& tokens_;
  const std::string& filename_;
  std::size_t at_ = 0;
};

}  // namespace g80::ptx
