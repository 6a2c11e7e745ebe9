// SPDX-License-Identifier: Apache-2.0
#include "tests/mutation/mutants.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <tuple>

#include "tests/mutation/token.h"

namespace g80::mutation {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Without comments and preprocessor lines.
std::vector<Token> tokens_of(std::string_view source) {
  static constexpr std::string_view kLong[] = {"<<=", ">>=", "...", "->*", "::", "->", "++", "--",
                                               "<<",  ">>",  "<=",  ">=",  "==", "!=", "&&", "||",
                                               "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^="};
  std::vector<Token> out;
  unsigned line = 1;
  bool space = true, line_start = true;
  for (std::size_t i = 0; i < source.size();) {
    const char c = source[i];
    const std::string_view rest = source.substr(i);
    const auto skip = [&](std::size_t length) {
      line += static_cast<unsigned>(std::count(source.begin() + static_cast<std::ptrdiff_t>(i),
                                               source.begin() + static_cast<std::ptrdiff_t>(i + length), '\n'));
      i += length;
    };
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (c == '\n') line_start = true;
      space = true;
      if (!out.empty()) out.back().space_after = true;
      skip(1);
      continue;
    }
    if (rest.substr(0, 2) == "//" || (c == '#' && line_start)) {
      std::size_t length = 0;
      while (i + length < source.size() && (source[i + length] != '\n' || source[i + length - 1] == '\\')) ++length;
      skip(length);
      continue;
    }
    if (rest.substr(0, 2) == "/*") {
      skip(std::min(rest.find("*/") + 2, rest.size()));
      continue;
    }
    std::size_t length = 1;
    Kind kind = Kind::kSign;
    if (c == '"' || c == '\'') {
      kind = Kind::kText;
      while (i + length < source.size() && source[i + length] != c) length += source[i + length] == '\\' ? 2 : 1;
      ++length;
      if (!out.empty() && out.back().text == "R" && !space) {  // R"(...)"
        const std::string end = ")" + std::string(rest.substr(1, rest.find('(') - 1)) + "\"";
        length = rest.find(end) + end.size();
      }
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      kind = Kind::kNumber;
      while (i + length < source.size() && (is_word(source[i + length]) || source[i + length] == '.' ||
                                            (source[i + length] == '\'' && is_word(source[i + length + 1])))) {
        ++length;
      }
    } else if (is_word(c)) {
      kind = Kind::kWord;
      while (i + length < source.size() && is_word(source[i + length])) ++length;
    } else {
      for (const std::string_view sign : kLong) {
        if (rest.substr(0, sign.size()) == sign) {
          length = sign.size();
          break;
        }
      }
    }
    out.push_back({kind, rest.substr(0, length), i, line, space, false});
    skip(length);
    space = line_start = false;
  }
  return out;
}

template <std::size_t N>
bool one_of(std::string_view text, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

struct Infix {
  std::string_view sign, by, name, operation;
};
constexpr Infix kInfix[] = {
    {"<", "<=", "Less", "relational"},        {"<=", "<", "LessEqual", "relational"},
    {">", ">=", "Greater", "relational"},     {">=", ">", "GreaterEqual", "relational"},
    {"==", "!=", "Equal", "relational"},      {"!=", "==", "NotEqual", "relational"},
    {"+", "-", "Plus", "arithmetic"},         {"-", "+", "Minus", "arithmetic"},
    {"*", "+", "Times", "arithmetic"},        {"/", "*", "Divide", "arithmetic"},
    {"%", "*", "Modulo", "arithmetic"},       {"<<", ">>", "ShiftLeft", "arithmetic"},
    {">>", "<<", "ShiftRight", "arithmetic"}, {"&", "|", "And", "arithmetic"},
    {"|", "&", "Or", "arithmetic"},           {"^", "|", "ExclusiveOr", "arithmetic"},
};

constexpr std::string_view kAssignments[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

class Reader {
 public:
  explicit Reader(std::string_view source) : tokens_(tokens_of(source)), partner_(tokens_.size(), kNone) {
    match_brackets();
    mark();
  }

  std::vector<Place> places() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!code_[i] || left_out_[i]) continue;
      infix(i);
      logical(i);
      number(i);
      condition(i);
      statement(i);
    }
    return std::move(places_);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  bool opens(std::size_t i) const {
    return tokens_[i].kind == Kind::kSign && std::string_view("([{").find(text(i)) != kNone;
  }
  bool closes(std::size_t i) const {
    return tokens_[i].kind == Kind::kSign && std::string_view(")]}").find(text(i)) != kNone;
  }

  void match_brackets() {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (opens(i)) open.push_back(i);
      if (!closes(i) || open.empty()) continue;
      partner_[i] = open.back();
      partner_[open.back()] = i;
      open.pop_back();
    }
  }

  /// The first token of the declaration or statement that token i belongs to.
  std::size_t begin_of(std::size_t i) const {
    while (i > 0) {
      const std::size_t before = i - 1;
      if (closes(before) && text(before) != "}") {
        i = partner_[before] == kNone ? before : partner_[before];
        continue;
      }
      if (text(before) == ";" || text(before) == "{" || text(before) == "}" || opens(before)) break;
      i = before;
    }
    return i;
  }

  /// The brace at i begins statements; `inside`: it lies in statements itself.
  bool begins_code(std::size_t i, bool inside) const {
    static constexpr std::string_view kTypes[] = {"class", "struct", "union", "enum", "namespace", "extern"};
    static constexpr std::string_view kBeforeCode[] = {")",     "]",        "else",     "do",     "try",
                                                       "const", "noexcept", "override", "mutable"};
    std::size_t begin = begin_of(i);
    if (text(begin) == "template" && text(begin + 1) == "<") {
      int depth = 0;
      do {
        ++begin;
        depth += text(begin) == "<" ? 1 : text(begin) == ">" ? -1 : text(begin) == ">>" ? -2 : 0;
      } while (depth > 0 && begin < i);
      ++begin;
    }
    for (std::size_t t = begin; t < i && t < begin + 3; ++t) {
      if (one_of(text(t), kTypes)) return false;
    }
    if (i == 0) return false;
    if (one_of(text(i - 1), kBeforeCode)) return true;
    for (std::size_t t = begin; t < i; ++t) {  // auto f() -> T {
      if (text(t) == "->" && t > 0 && text(t - 1) == ")") return true;
    }
    return inside && (text(i - 1) == ";" || text(i - 1) == "{" || text(i - 1) == "}" || text(i - 1) == ":");
  }

  /// The name before the parameters of the function whose body begins at i.
  std::string_view function_name(std::size_t i) const {
    for (std::size_t t = i; t-- > 0 && i - t < 6;) {
      if (text(t) == ")" && partner_[t] != kNone && partner_[t] > 0) return text(partner_[t] - 1);
    }
    return {};
  }

  void leave_out(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && i < left_out_.size(); ++i) left_out_[i] = true;
  }

  // Which tokens are in statements, and which of them make no sense as mutants: checks of the model itself, lists of
  // fields that waves show and that --x random fills, what must be constant, hints to the compiler and the host's
  // cache.
  void mark() {
    static constexpr std::string_view kLists[] = {"visit",     "visit_members", "members",
                                                  "enum_text", "fill_unused",   "fill_free_slots"};
    static constexpr std::string_view kCalls[] = {"CHECK",    "static_assert", "assert",
                                                  "sizeof",   "alignof",       "decltype",
                                                  "noexcept", "alignas",       "__builtin_prefetch"};
    code_.assign(tokens_.size(), false);
    statements_.assign(tokens_.size(), false);
    begins_.assign(tokens_.size(), false);
    left_out_.assign(tokens_.size(), false);
    std::vector<bool> inside{false};  // by open brace
    std::vector<int> parentheses{0};  // open ones since that brace
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool in = std::find(inside.begin(), inside.end(), true) != inside.end();
      code_[i] = in;
      statements_[i] = inside.back() && parentheses.back() == 0;
      if (text(i) == "(" || text(i) == ")") parentheses.back() += text(i) == "(" ? 1 : -1;
      if (text(i) == "{") {
        const bool begins = begins_code(i, inside.back());
        if (begins && one_of(function_name(i), kLists)) leave_out(i, partner_[i]);
        begins_[i] = begins;
        inside.push_back(begins);
        parentheses.push_back(0);
      } else if (text(i) == "}" && inside.size() > 1) {
        inside.pop_back();
        parentheses.pop_back();
      } else if (one_of(text(i), kCalls) && text(i + 1) == "(") {
        leave_out(i, partner_[i + 1]);
      } else if (text(i) == "Unwritten" && text(i + 2) == "{") {
        leave_out(i, partner_[i + 2]);
      } else if (text(i) == "__builtin_expect") {
        leave_out(partner_[i + 1] - 1, partner_[i + 1]);
      } else if (text(i) == "case" || text(i) == "throw" || text(i) == "constexpr" || text(i) == "using") {
        std::size_t end = i;
        if (text(i) == "constexpr" && text(i + 1) == "(") {
          end = partner_[i + 1];
        } else {
          while (end < tokens_.size() && text(end) != ";" && (text(i) != "case" || text(end) != ":")) {
            if (text(end) == "{") {
              if (text(i) != "constexpr" || begins_code(end, true)) break;
              end = partner_[end];  // T x{...}
            }
            ++end;
          }
        }
        leave_out(i, end);
      }
    }
  }

  void add(std::string_view operation, std::size_t i, std::string change, std::size_t begin, std::size_t end,
           std::string before, std::string after) {
    places_.push_back(
        {std::string(operation), tokens_[i].line, std::move(change), begin, end, std::move(before), std::move(after)});
  }

  void infix(std::size_t i) {
    const Token& token = tokens_[i];
    if (token.kind != Kind::kSign || !token.space_before || !token.space_after || i == 0) return;
    if (tokens_[i - 1].kind == Kind::kText || (i + 1 < tokens_.size() && tokens_[i + 1].kind == Kind::kText)) return;
    if (text(i - 1) == "operator" || text(i - 1) == "return" || text(i - 1) == "<" || text(i - 1) == "template") return;
    for (const Infix& row : kInfix) {
      if (row.sign != token.text) continue;
      add(row.operation, i, std::string(row.sign) + " becomes " + std::string(row.by), token.end(), token.end(),
          " ::g80_mutant::" + std::string(row.name) + "<#>() " + std::string(row.sign), "");
    }
  }

  bool ends_operand(std::size_t i, std::string_view sign) const {
    static constexpr std::string_view kEnds[] = {",", ";", "?", ":", "||", "return", "else", "case"};
    return one_of(text(i), kEnds) || one_of(text(i), kAssignments) || text(i) == sign;
  }

  // Each operand counts as true in `&&`, as false in `||`.
  void logical(std::size_t i) {
    const std::string sign(text(i));
    if ((sign != "&&" && sign != "||") || !tokens_[i].space_before || !tokens_[i].space_after) return;
    const std::string before = sign == "&&" ? "(::g80_mutant::on<#>() || (" : "(!::g80_mutant::on<#>() && (";
    std::size_t right = i + 1;
    while (right < tokens_.size() && !closes(right) && !ends_operand(right, sign))
      right = opens(right) && partner_[right] != kNone ? partner_[right] + 1 : right + 1;
    std::size_t left = i;
    while (left > 0 && !opens(left - 1) && !ends_operand(left - 1, sign))
      left = closes(left - 1) && partner_[left - 1] != kNone ? partner_[left - 1] : left - 1;
    const auto operand = [&](std::size_t from, std::size_t to, const char* which) {
      if (from < to && to <= tokens_.size())
        add("logical", i, "no " + std::string(which) + " operand of " + sign, tokens_[from].offset,
            tokens_[to - 1].end(), before, "))");
    };
    if (left == 0 || text(left - 1) != sign) operand(left, i, "left");
    operand(i + 1, right, "right");
  }

  void number(std::size_t i) {
    const Token& token = tokens_[i];
    if (token.kind != Kind::kNumber || i == 0) return;
    const bool hexadecimal = token.text.substr(0, 2) == "0x";
    if (!hexadecimal && token.text.find_first_of(".ef'") != kNone) return;
    if (token.text.find('\'') != kNone) return;
    // An argument of a template
    if ((text(i - 1) == "<" && !tokens_[i - 1].space_after) || (text(i + 1) == ">" && !token.space_after)) return;
    if ((text(i + 1) == ">>" || text(i + 1) == ">>=") && !token.space_after) return;
    const bool zero = token.text == "0" || token.text == "0u";
    const bool up = zero || (token.offset + token.line) % 2 == 0;
    add("constant", i, std::string(token.text) + (up ? " + 1" : " - 1"), token.offset, token.end(),
        std::string("::g80_mutant::number<#, ") + (up ? "1" : "-1") + ">(", ")");
  }

  void condition(std::size_t i) {
    if (text(i) != "if" || text(i + 1) != "(" || partner_[i + 1] == kNone) return;
    const std::size_t first = i + 2, last = partner_[i + 1];
    for (std::size_t t = first; t < last; ++t) {
      if (opens(t)) {
        t = partner_[t];
      } else if (text(t) == ";" || text(t) == "=") {
        return;  // a declaration
      }
    }
    if (first == last || left_out_[first]) return;
    add("condition", i, "negated", tokens_[first].offset, tokens_[last - 1].end(), "::g80_mutant::flip<#>(", ")");
  }

  void statement(std::size_t i) {
    static constexpr std::string_view
        kKeywords[] = {"return",   "const",       "constexpr", "auto",          "static",   "using",   "if",
                       "for",      "while",       "do",        "switch",        "case",     "default", "break",
                       "continue", "throw",       "goto",      "struct",        "class",    "typedef", "delete",
                       "new",      "public",      "private",   "protected",     "else",     "try",     "catch",
                       "template", "typename",    "CHECK",     "static_assert", "unsigned", "int",     "bool",
                       "sleep",    "wire_detail", "no_events"};  // whoever calls no_events() does not come back
    if (!statements_[i] || i == 0 || (text(i - 1) != ";" && text(i - 1) != "{" && text(i - 1) != "}")) return;
    if (text(i - 1) == "}" && (partner_[i - 1] == kNone || !begins_[partner_[i - 1]])) return;  // of T{...}
    const bool starts = tokens_[i].kind == Kind::kWord || text(i) == "++" || text(i) == "--" || text(i) == "*";
    if (!starts || one_of(text(i), kKeywords) || text(i).substr(0, 6) == "check_") return;
    bool assigns = text(i) == "++" || text(i) == "--";
    std::size_t t = i;
    for (; t < tokens_.size() && text(t) != ";"; ++t) {
      if (closes(t)) return;
      if (opens(t) && text(t) == "{" && !assigns) return;  // T x{...};
      if (one_of(text(t), kAssignments)) assigns = true;
      // Two names side by side are a declaration.
      if (!assigns && tokens_[t].kind == Kind::kWord && t > i &&
          (tokens_[t - 1].kind == Kind::kWord || text(t - 1) == ">" ||
           ((text(t - 1) == "*" || text(t - 1) == "&") && t > i + 1)))
        return;
      if (text(t) == ":") return;  // a label
      if (opens(t)) t = partner_[t];
      if (t == kNone) return;
    }
    if (!assigns && text(t - 1) != ")" && text(t - 1) != "++" && text(t - 1) != "--") return;
    add("statement", i, "removed", tokens_[i].offset, tokens_[t - 1].end(), "if (!::g80_mutant::on<#>()) ", "");
  }

  std::vector<Token> tokens_;
  std::vector<std::size_t> partner_;                         // of a bracket
  std::vector<bool> code_, statements_, left_out_, begins_;  // by token
  std::vector<Place> places_;
};

}  // namespace

std::vector<Place> find_places(std::string_view source) { return Reader(source).places(); }

std::string quoted_line(std::string_view source, const Place& place) {
  const std::size_t at = place.begin == 0 ? 0 : place.begin - 1;
  const std::size_t begin = source.find_first_not_of(" \n", source.rfind('\n', at) + 1);
  return std::string(source.substr(begin, source.find('\n', begin) - begin));
}

std::string with_mutants(std::string_view source, const std::vector<Chosen>& chosen) {
  struct Insert {
    std::size_t offset;
    int order;          // ends first, then what wraps more
    std::size_t other;  // the other end of what it wraps
    std::string text;
  };
  std::vector<Insert> inserts;
  const auto numbered = [](std::string text, unsigned number) {
    const std::size_t at = text.find('#');
    if (at != std::string::npos) text.replace(at, 1, std::to_string(number));
    return text;
  };
  for (const Chosen& one : chosen) {
    const Place& place = *one.place;
    if (!place.after.empty()) inserts.push_back({place.end, 0, place.begin, place.after});
    inserts.push_back({place.begin, 1, place.end, numbered(place.before, one.number)});
  }
  // What ends at a place: the inner one first, which began last. What begins: the outer one first, which ends last.
  std::stable_sort(inserts.begin(), inserts.end(), [](const Insert& a, const Insert& b) {
    return std::make_tuple(a.offset, a.order, ~a.other) < std::make_tuple(b.offset, b.order, ~b.other);
  });
  std::string out;
  std::size_t at = 0;
  for (const Insert& insert : inserts) {
    out += source.substr(at, insert.offset - at);
    out += insert.text;
    at = insert.offset;
  }
  return out + std::string(source.substr(at));
}

}  // namespace g80::mutation
