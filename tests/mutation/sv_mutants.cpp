// SPDX-License-Identifier: Apache-2.0
// The places of a SystemVerilog source. Statements are found by their keywords, and the expressions in them are parsed:
// a mutant wraps a whole expression in a choice between itself and the original.
#include <algorithm>
#include <cctype>
#include <optional>

#include "tests/mutation/mutants.h"
#include "tests/mutation/token.h"

namespace g80::mutation {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

/// Without comments and directives. 4'd3, '0 and 12 are numbers.
std::vector<Token> tokens_of(std::string_view source) {
  static constexpr std::string_view kLong[] = {"<<<", ">>>", "===", "!==", "==?", "::", "+:", "-:", "**", "<<",
                                               ">>",  "<=",  ">=",  "==",  "!=",  "&&", "||", "~^", "++", "+="};
  std::vector<Token> out;
  unsigned line = 1;
  for (std::size_t i = 0; i < source.size();) {
    const char c = source[i];
    const std::string_view rest = source.substr(i);
    std::size_t length = 1;
    Kind kind = Kind::kSign;
    bool keep = true;
    const auto word_from = [&](std::size_t at) {
      while (at < rest.size() && is_word(rest[at])) ++at;
      return at;
    };
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      keep = false;
    } else if (rest.substr(0, 2) == "//" || c == '`') {
      length = std::min(rest.find('\n'), rest.size()), keep = false;
    } else if (rest.substr(0, 2) == "/*") {
      length = std::min(rest.find("*/") + 2, rest.size()), keep = false;
    } else if (c == '"') {
      kind = Kind::kText;
      length = rest.find('"', 1) + 1;
    } else if (c == '\'' && rest.size() > 1 && is_word(rest[1])) {
      kind = Kind::kNumber, length = word_from(1);
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      kind = Kind::kNumber, length = word_from(0);
      if (length + 1 < rest.size() && rest[length] == '\'' && is_word(rest[length + 1])) {
        length = word_from(length + 1);
      }
    } else if (is_word(c)) {
      kind = Kind::kWord, length = word_from(0);
    } else {
      for (const std::string_view sign : kLong) {
        if (rest.substr(0, sign.size()) != sign) continue;
        length = sign.size();
        break;
      }
    }
    if (keep) out.push_back({kind, rest.substr(0, length), i, line, false, false});
    line += static_cast<unsigned>(std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
    i += length;
  }
  return out;
}

struct Infix {
  std::string_view sign, by, operation;
  int level;  // what binds tighter has more
};
constexpr Infix kInfix[] = {
    {"||", "&&", "logical", 1},    {"&&", "||", "logical", 2},    {"|", "&", "bitwise", 3},
    {"^", "|", "bitwise", 4},      {"~^", "^", "bitwise", 4},     {"&", "|", "bitwise", 5},
    {"==", "!=", "relational", 6}, {"!=", "==", "relational", 6}, {"<", "<=", "relational", 7},
    {"<=", "<", "relational", 7},  {">", ">=", "relational", 7},  {">=", ">", "relational", 7},
    {"<<", ">>", "shift", 8},      {">>", "<<", "shift", 8},      {">>>", ">>", "shift", 8},
    {"+", "-", "arithmetic", 9},   {"-", "+", "arithmetic", 9},   {"*", "+", "arithmetic", 10},
};

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source), tokens_(tokens_of(source)) {}

  std::vector<Place> places() {
    bool procedure = false;  // in always_* or a function
    int depth = 0;           // of begin and case in it
    bool in_function = false;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view word = text(i);
      if (word == "parameter" || word == "localparam" || word == "typedef" || word == "import") {
        while (i < tokens_.size() && text(i) != ";" && text(i) != ")") i = after_bracket(i);
      } else if (word == "#" && text(i + 1) == "(") {
        i = after_bracket(i + 1) - 1;
      } else if (word == "function" || word == "endfunction") {
        in_function = word == "function";
        if (in_function) i = find(i, ";");
      } else if (word.substr(0, 6) == "always") {
        procedure = true, depth = 0;
        reset_ = false, checks_ = word == "always";
        if (text(i + 1) == "@") i = after_bracket(i + 2) - 1;
      } else if (word == "assign") {
        if (i = find(i, "="), i < tokens_.size()) expression(i + 1, find(i, ";"));
      } else if (word == "." && text(i + 2) == "(" && text(i + 1).size() > 2 &&
                 text(i + 1).substr(text(i + 1).size() - 2) == "_i" && !procedure && !in_function &&
                 text(i + 1) != "sleep_i" && text(i + 1) != "idle_i") {  // which cost time only
        expression(i + 3, after_bracket(i + 2) - 1);
      } else if (procedure || in_function) {
        i = statement(i, &depth);
        const bool ends = text(i) == ";" || word == "end" || word == "endcase";
        if (procedure && depth == 0 && ends && text(i + 1) != "else") procedure = false;
      }
    }
    std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.begin < b.begin; });
    return std::move(places_);
  }

 private:
  /// The tokens of an expression that was read.
  struct Node {
    std::size_t begin = 0, end = 0;
  };

  std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  std::string_view text(std::size_t begin, std::size_t end) const {
    return source_.substr(tokens_[begin].offset, tokens_[end - 1].end() - tokens_[begin].offset);
  }

  /// Behind the bracket that token i opens; behind token i if it opens none.
  std::size_t after_bracket(std::size_t i) const {
    int open = 0;
    do {
      if (i >= tokens_.size()) return i;
      if (tokens_[i].kind == Kind::kSign) {
        open += std::string_view("([{").find(text(i)) != std::string_view::npos ? 1 : 0;
        open -= std::string_view(")]}").find(text(i)) != std::string_view::npos ? 1 : 0;
      }
      ++i;
    } while (open > 0);
    return i;
  }
  /// The next such token from i on that is in no bracket.
  std::size_t find(std::size_t i, std::string_view sign) const {
    while (i < tokens_.size() && text(i) != sign) i = after_bracket(i);
    return i;
  }

  /// One token or statement of a procedure; its last token.
  std::size_t statement(std::size_t i, int* depth) {
    const std::string_view word = text(i);
    if (word == "begin" || word == "case" || word == "casez") ++*depth;
    if (word == "end" || word == "endcase") --*depth;
    if ((word == "begin" || word == "end") && text(i + 1) == ":") return i + 2;
    if (word == "case" || word == "casez" || word == "for") return after_bracket(i + 1) - 1;
    if (word == "if" || word == "assert") {
      const std::size_t end = after_bracket(i + 1) - 1;
      if (word == "assert") {
        add("assertion", i, "never holds", {i + 2, end}, "1'b0");
      } else if (!checks_) {
        // A reset is its own kind of statement, not a condition.
        reset_ = text(i + 2) == "!" && text(i + 3) == "rst_ni" && i + 4 == end;
        reset_depth_ = *depth;
        expression(i + 2, end);
        if (!reset_) add("condition", i, "negated", {i + 2, end}, "!(" + std::string(text(i + 2, end)) + ")");
      }
      return end;
    }
    if (word == "else" && *depth <= reset_depth_) reset_ = false;
    if (word == "return") {
      const std::size_t end = find(i, ";");
      expression(i + 1, end);
      return end;
    }
    if (tokens_[i].kind != Kind::kWord || keyword(word)) return i;
    std::size_t sign = i;
    while (sign < tokens_.size() && text(sign) != ";" && text(sign) != "=" && text(sign) != "<=" && text(sign) != ":" &&
           !keyword(text(sign)))
      sign = after_bracket(sign);
    if (text(sign) != "=" && text(sign) != "<=") return text(sign) == ":" || text(sign) == ";" ? sign : i;
    const std::size_t end = find(sign, ";");
    if (text(sign) == "<=") {
      add(reset_ ? "reset" : "register", i, "keeps its value", {sign + 1, end}, std::string(text(i, sign)));
    }
    if (!reset_) expression(sign + 1, end);
    return end;
  }

  static bool keyword(std::string_view word) {
    static constexpr std::string_view kWords[] = {
        "begin", "end", "if",     "else",   "case",   "casez",     "endcase", "for",    "default", "int",
        "logic", "bit", "assert", "unique", "return", "automatic", "cover",   "assume", "initial", "final"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  }

  void add(std::string_view operation, std::size_t i, std::string change, Node node, const std::string& becomes) {
    if (node.begin >= node.end) return;
    places_.push_back({std::string(operation), tokens_[i].line, std::move(change), tokens_[node.begin].offset,
                       tokens_[node.end - 1].end(), "(mutant_pkg::number == # ? (" + becomes + ") : (", "))"});
  }

  /// The places of the expression of tokens [begin, end), if all of it can be read.
  void expression(std::size_t begin, std::size_t end) {
    const std::size_t known = places_.size();
    at_ = begin, end_ = end;
    if (!choice() || at_ != end) places_.resize(known);
  }

  std::optional<Node> choice() {
    const auto condition = infix(1);
    if (!condition || at_ >= end_ || text(at_) != "?") return condition;
    const std::size_t sign = at_++;
    if (!choice() || at_ >= end_ || text(at_) != ":") return {};
    ++at_;
    const auto other = choice();
    if (!other) return {};
    add("condition", sign, "negated", *condition, "!(" + std::string(text(condition->begin, condition->end)) + ")");
    return Node{condition->begin, other->end};
  }

  std::optional<Node> infix(int level) {
    auto left = unary();
    while (left && at_ < end_) {
      const auto* row =
          std::find_if(std::begin(kInfix), std::end(kInfix), [&](const Infix& r) { return r.sign == text(at_); });
      if (row == std::end(kInfix) || row->level < level) break;
      const std::size_t sign = at_++;
      const auto right = infix(row->level + 1);
      if (!right) return {};
      const Node all{left->begin, right->end};
      const std::string l(text(left->begin, left->end)), r(text(right->begin, right->end));
      add(row->operation, sign, std::string(row->sign) + " becomes " + std::string(row->by), all,
          l + " " + std::string(row->by) + " " + r);
      if (row->operation == "logical") {
        add("operand", sign, "no left operand of " + std::string(row->sign), all, r);
        add("operand", sign, "no right operand of " + std::string(row->sign), all, l);
      }
      left = all;
    }
    if (left && at_ < end_ && text(at_) == "inside") {
      at_ = after_bracket(at_ + 1);
      left->end = at_;
    }
    return left;
  }

  std::optional<Node> unary() {
    static constexpr std::string_view kUnary[] = {"!", "~", "|", "&", "^", "-", "+"};
    const std::size_t begin = at_;
    if (at_ < end_ && tokens_[at_].kind == Kind::kSign &&
        std::find(std::begin(kUnary), std::end(kUnary), text(at_)) != std::end(kUnary)) {
      const std::string_view sign = text(at_++);
      const auto operand = unary();
      if (!operand) return {};
      const Node all{begin, operand->end};
      const std::string rest(text(operand->begin, operand->end));
      if (sign == "!" || sign == "~") add("inversion", begin, "no " + std::string(sign), all, rest);
      if (sign == "|" || sign == "&")
        add("reduction", begin, std::string(sign) + " becomes " + (sign == "|" ? "&" : "|"), all,
            (sign == "|" ? "&" : "|") + rest);
      return all;
    }
    return primary();
  }

  std::optional<Node> primary() {
    if (at_ >= end_) return {};
    const std::size_t begin = at_;
    if (tokens_[at_].kind == Kind::kNumber) {
      ++at_;
      if (at_ + 1 < end_ && text(at_) == "'" && text(at_ + 1) == "(") return cast(begin);  // 8'(x)
      number(begin);
      return Node{begin, at_};
    }
    if (text(at_) == "(") {
      ++at_;
      if (!choice() || at_ >= end_ || text(at_) != ")") return {};
      ++at_;
    } else if (text(at_) == "{") {
      if (!list("}")) return {};
    } else if (text(at_) == "'" && text(at_ + 1) == "{") {
      at_ = after_bracket(at_ + 1);
      return Node{begin, at_};
    } else if (tokens_[at_].kind == Kind::kWord) {
      ++at_;
    } else {
      return {};
    }
    for (;;) {
      if (at_ >= end_) break;
      if (text(at_) == "'" && (text(at_ + 1) == "(" || text(at_ + 1) == "{")) return cast(begin);
      if (text(at_) == "::" || text(at_) == ".") {
        at_ += 2;
      } else if (text(at_) == "[") {
        const std::size_t end = after_bracket(at_);
        bool range = false;
        for (std::size_t t = at_ + 1; t < end; ++t) {
          if (text(t) == "[" || text(t) == "(") {
            t = after_bracket(t) - 1;
          } else {
            range = range || text(t) == ":" || text(t) == "+:" || text(t) == "-:";
          }
        }
        ++at_;
        if (!range && (!choice() || at_ + 1 != end)) return {};
        at_ = end;
      } else if (text(at_) == "(" && tokens_[at_ - 1].kind == Kind::kWord) {
        const std::string_view name = text(at_ - 1);
        if (name == "$clog2" || name == "$bits") {
          at_ = after_bracket(at_);
        } else if (!list(")")) {
          return {};
        }
      } else {
        break;
      }
    }
    return Node{begin, at_};
  }

  std::optional<Node> cast(std::size_t begin) {
    ++at_;
    if (text(at_) == "{") {
      at_ = after_bracket(at_);
      return Node{begin, at_};
    }
    ++at_;
    if (!choice() || at_ >= end_ || text(at_) != ")") return {};
    ++at_;
    return Node{begin, at_};
  }

  /// Expressions between brackets with commas between them, from the opening bracket on. {4{x}} is one of {x}.
  bool list(std::string_view close) {
    ++at_;
    if (at_ < end_ && text(at_) == close) {
      ++at_;
      return true;
    }
    while (at_ < end_) {
      const std::size_t known = places_.size();
      if (!choice()) return false;
      if (at_ < end_ && text(at_) == "{") {
        places_.resize(known);  // how often is a constant
        if (!list("}")) return false;
      }
      if (at_ >= end_) return false;
      const bool last = text(at_) == close;
      if (!last && text(at_) != ",") return false;
      ++at_;
      if (last) return true;
    }
    return false;
  }

  void number(std::size_t i) {
    const std::string value(text(i));
    const std::size_t quote = value.find('\'');
    if (value == "'0" || value == "'1") {
      add("constant", i, value + " becomes " + (value == "'0" ? "'1" : "'0"), {i, i + 1}, value == "'0" ? "'1" : "'0");
    } else if (value == "1'b0" || value == "1'b1") {
      add("constant", i, value + " becomes " + (value == "1'b0" ? "1'b1" : "1'b0"), {i, i + 1}, "!" + value);
    } else {
      const std::string one = quote == std::string::npos ? "1" : value.substr(0, quote) + "'d1";
      const char* sign = (tokens_[i].offset + tokens_[i].line) % 2 == 0 ? " + " : " - ";
      add("constant", i, value + sign + "1", {i, i + 1}, value + sign + one);
    }
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  std::vector<Place> places_;
  std::size_t at_ = 0, end_ = 0;  // of the expression that is read
  bool reset_ = false;            // in the branch of a reset
  bool checks_ = false;           // in a block of assertions: nothing but them can show a mistake
  int reset_depth_ = 0;
};

}  // namespace

std::vector<Place> find_rtl_places(std::string_view source) { return Reader(source).places(); }

}  // namespace g80::mutation
