// SPDX-License-Identifier: Apache-2.0
// Each source of hw/ includes what declares the names that it uses, itself or through its own includes, so it compiles
// alone. The build cannot tell: it compiles many sources as one, with a precompiled header. This test reads the text.
#include <gmock/gmock.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "source_dir.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Texts = std::map<std::string, std::string>;  // path, text
using Names = std::set<std::string>;

Texts sources_of_hw() {
  Texts sources;
  const fs::path root = G80_SOURCE_DIR;
  for (const auto& entry : fs::recursive_directory_iterator(root / "hw")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream in(entry.path());
    sources[fs::relative(entry.path(), root).string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return sources;
}

bool of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_word(const std::string& token) {
  return of_word(token[0]) && std::isdigit(static_cast<unsigned char>(token[0])) == 0;
}

/// Words, numbers, "::", "->" and single characters; without comments. A literal is `""`, a line of the preprocessor
/// ends with "\n".
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  bool preprocessor = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (text.compare(at, 2, "//") == 0) {
      at = text.find('\n', at);
    } else if (c == '\n') {
      if (preprocessor && text[at - 1] != '\\') tokens.push_back("\n"), preprocessor = false;
      ++at;
    } else if (c == '"' || (c == '\'' && (at == 0 || !of_word(text[at - 1])))) {
      for (++at; text[at] != c; ++at) at += text[at] == '\\';
      ++at;
      tokens.push_back("\"\"");
    } else if (of_word(c)) {
      const std::size_t from = at;
      while (at < text.size() && of_word(text[at])) ++at;
      tokens.push_back(text.substr(from, at - from));
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
    } else {
      preprocessor |= c == '#';
      const bool two = text.compare(at, 2, "::") == 0 || text.compare(at, 2, "->") == 0;
      tokens.push_back(text.substr(at, two ? 2 : 1));
      at += two ? 2 : 1;
    }
  }
  return tokens;
}

struct Source {
  std::vector<std::string> includes;  // of the project
  Names declared;                     // in any scope
  Names offered;                      // in namespace scope, or macros
  Names used;                         // types, constants and macros; functions that are called
};

/// A type, constant or macro by its form: Upper, kUpper, UPPER.
bool is_type_or_constant(const std::string& word) {
  const auto upper = [&](std::size_t i) {
    return i < word.size() && std::isupper(static_cast<unsigned char>(word[i])) != 0;
  };
  return (upper(0) && word.size() > 1) || (word[0] == 'k' && upper(1));
}

std::vector<std::string> includes_of(const std::string& text) {
  std::vector<std::string> found;
  const std::string begin = "#include \"";
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    found.push_back(text.substr(from, text.find('"', from) - from));
  }
  return found;
}

Source read(const std::string& text) {
  static const Names no_types = {"return", "else", "case", "throw", "new", "delete", "operator", "not", "and", "or"};
  static const Names keywords = {"unsigned", "bool", "int", "if", "for", "while", "switch", "sizeof"};
  Source source;
  source.includes = includes_of(text);
  const std::vector<std::string> tokens = tokens_of(text);
  unsigned depth = 0;              // of braces but those of a namespace
  std::vector<bool> of_namespace;  // by open brace
  bool opens_namespace = false;
  const auto token = [&](std::size_t i) -> const std::string& {
    static const std::string none = ";";
    return i < tokens.size() ? tokens[i] : none;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string &word = tokens[i], &before = token(i - 1), &after = token(i + 1);
    if (word == "namespace") opens_namespace = true;
    if (word == ";") opens_namespace = false;
    if (word == "{") {
      of_namespace.push_back(opens_namespace);
      depth += !opens_namespace;
      opens_namespace = false;
    } else if (word == "}" && !of_namespace.empty()) {
      depth -= !of_namespace.back();
      of_namespace.pop_back();
    }
    if (!is_word(word) || before == "." || before == "->") continue;
    const bool named = is_type_or_constant(word), called = after == "(" && keywords.count(word) == 0;
    const bool typed = (is_word(before) && no_types.count(before) == 0) ||
                       (!named && (before == ">" || before == "&" || before == "*"));
    const bool enumerator = named && (before == "," || before == "{") && (after == "," || after == "=" || after == "}");
    const bool aligned_type = named && before == ")" && after == "{";  // struct alignas(16) Name
    const bool method = called && (before == "::" || before == "~");
    if (typed || enumerator || aligned_type || method) {
      source.declared.insert(word);
      if (depth == 0 && (aligned_type || (typed && (named || called)))) source.offered.insert(word);
    }
    if (before != "::" && (named || (called && !typed))) source.used.insert(word);
  }
  return source;
}

/// "a.cpp names f of b.h": a name of another source of hw/ that no include leads to.
std::vector<std::string> missing_includes(const Texts& texts) {
  std::map<std::string, Source> sources;
  std::map<std::string, std::string> home;  // of each name that a header offers
  for (const auto& [path, text] : texts) {
    const Source& source = sources[path] = read(text);
    if (path.back() != 'h') continue;
    for (const std::string& name : source.offered) home.emplace(name, path);
  }
  std::vector<std::string> found;
  for (const auto& [path, source] : sources) {
    Names known, seen;
    std::vector<std::string> next = {path};
    while (!next.empty()) {
      const std::string at = next.back();
      next.pop_back();
      if (!seen.insert(at).second || sources.count(at) == 0) continue;
      known.insert(sources[at].declared.begin(), sources[at].declared.end());
      next.insert(next.end(), sources[at].includes.begin(), sources[at].includes.end());
    }
    for (const std::string& name : source.used) {
      if (home.count(name) != 0 && known.count(name) == 0)
        found.push_back(path + " names " + name + " of " + home[name]);
    }
  }
  return found;
}

TEST(SelfContained, EverySourceReachesTheNamesThatItUses) {
  const Texts sources = sources_of_hw();
  EXPECT_GT(sources.size(), 200u);
  EXPECT_THAT(missing_includes(sources), IsEmpty());
}

TEST(SelfContained, ALostIncludeIsFound) {
  Texts sources = sources_of_hw();
  std::string& text = sources.at("hw/sm/load_table.cpp");
  const std::string include = "#include \"hw/config/pipeline_depth.h\"\n";
  ASSERT_NE(text.find(include), std::string::npos);
  text.erase(text.find(include), include.size());
  EXPECT_THAT(missing_includes(sources),
              ElementsAre("hw/sm/load_table.cpp names return_extra_cycles of hw/config/pipeline_depth.h"));
}

TEST(SelfContained, OffendersAreFound) {
  const Texts sources = {
      {"hw/a.h",
       "struct Alpha { int beta() const; };\ninline int gamma(int x) { return x; }\nconstexpr int kDelta = 1;\n"},
      {"hw/b.h", "#include \"hw/a.h\"\nstruct Bravo { Alpha alpha; };\n"},
      {"hw/c.cpp", "#include \"hw/b.h\"\nint f(const Alpha& a) { return a.beta() + gamma(kDelta); }  // Charlie\n"},
      {"hw/d.cpp", "int f() { return gamma(kDelta); }\nint beta() { return x.gamma(1); }\n"},
      {"hw/e.cpp",
       "struct Alpha;\nenum class E { kDelta };\nvoid gamma(Alpha&);\nint f(Bravo* b) { return gamma(kDelta); }\n"},
      {"hw/f.cpp", "const char* text = \"Alpha kDelta\";  // gamma(1)\n"},
  };
  EXPECT_THAT(missing_includes(sources),
              ElementsAre("hw/d.cpp names gamma of hw/a.h", "hw/d.cpp names kDelta of hw/a.h",
                          "hw/e.cpp names Bravo of hw/b.h"));
}

}  // namespace
}  // namespace g80
