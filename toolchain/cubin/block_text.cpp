// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cubin/block_text.h"

#include <fmt/format.h>

#include "toolchain/cubin/module.h"

namespace g80 {
namespace {

struct Token {
  std::string text;
  unsigned line;
};

class Tokens {
 public:
  Tokens(std::string_view text, const std::string& filename) : filename_(filename) {
    unsigned line = 1;
    std::size_t i = 0;
    while (i < text.size()) {
      const char c = text[i];
      if (c == '\n') ++line;
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++i;
      } else if (c == '{' || c == '}' || c == '=') {
        tokens_.push_back({std::string(1, c), line});
        ++i;
      } else {
        const std::size_t start = i;
        while (i < text.size() && std::string_view(" \t\r\n{}=").find(text[i]) == std::string_view::npos) {
          if (static_cast<unsigned char>(text[i]) < 0x20 || static_cast<unsigned char>(text[i]) > 0x7e)
            fail_at(filename, line,
                    fmt::format("byte 0x{:02x} is not allowed in a cubin", static_cast<unsigned char>(text[i])));
          ++i;
        }
        tokens_.push_back({std::string(text.substr(start, i - start)), line});
      }
    }
    last_line_ = line;
  }

  bool done() const { return next_ == tokens_.size(); }
  bool at(std::string_view text) const { return !done() && tokens_[next_].text == text; }
  const Token& take(const std::string& open_block) {
    if (done()) fail_at(filename_, last_line_, fmt::format("the file ends inside {}", open_block));
    return tokens_[next_++];
  }
  const std::string& filename() const { return filename_; }

 private:
  const std::string& filename_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  unsigned last_line_ = 1;
};

constexpr unsigned kDeepest = 8;

Block parse_block(Tokens& tokens, const Token& name, unsigned depth) {
  Block block;
  block.name = name.text;
  block.line = name.line;
  if (depth > kDeepest) fail_at(tokens.filename(), block.line, "blocks are nested too deep");
  const std::string place = fmt::format("the '{}' block of line {}", block.name, block.line);
  while (true) {
    const Token token = tokens.take(place);
    if (token.text == "}") return block;
    if (token.text == "{" || token.text == "=")
      fail_at(tokens.filename(), token.line, fmt::format("'{}' without a name before it in {}", token.text, place));
    if (tokens.at("=")) {
      tokens.take(place);
      const Token value = tokens.take(place);
      if (value.text == "{" || value.text == "}" || value.text == "=")
        fail_at(tokens.filename(), token.line, fmt::format("'{}' has no value", token.text));
      block.items.push_back({token.text, value.text, token.line});
    } else if (tokens.at("{")) {
      tokens.take(place);
      block.blocks.push_back(parse_block(tokens, token, depth + 1));
    } else {
      block.words.push_back({"", token.text, token.line});
    }
  }
}

}  // namespace

void fail_at(const std::string& filename, unsigned line, const std::string& message) {
  throw SourceError(fmt::format("{}:{}: {}", filename, line, message));
}

std::vector<Block> parse_blocks(std::string_view text, const std::string& filename) {
  Tokens tokens(text, filename);
  std::vector<Block> blocks;
  while (!tokens.done()) {
    const Token name = tokens.take("the file");
    if (name.text == "{" || name.text == "}" || name.text == "=")
      fail_at(filename, name.line, fmt::format("a block name is expected, not '{}'", name.text));
    if (!tokens.at("{")) fail_at(filename, name.line, fmt::format("'{{' is expected after '{}'", name.text));
    tokens.take("the file");
    blocks.push_back(parse_block(tokens, name, 0));
  }
  return blocks;
}

}  // namespace g80
