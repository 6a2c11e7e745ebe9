// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

#include "toolchain/cubin/output_file.h"

namespace g80::cuda {
namespace {

namespace fs = std::filesystem;

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Replaces comments and literals. It is not a space, so that nothing is moved across them.
constexpr char kNoCode = '"';

/// The text with comments and literals replaced by kNoCode, at the same positions.
std::string code_of(const std::string& text) {
  std::string code = text;
  const auto cover = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < std::min(end, text.size()); ++k) {
      if (text[k] != '\n') code[k] = kNoCode;
    }
    return end;
  };
  const auto end_of = [&](const std::string& what, std::size_t from) {
    const std::size_t at = text.find(what, from);
    return at == std::string::npos ? text.size() : at + what.size();
  };
  for (std::size_t at = 0; at < text.size();) {
    const char before = at == 0 ? ' ' : text[at - 1];
    if (text.compare(at, 2, "//") == 0) {
      std::size_t end = at;
      while (end < text.size() && (text[end] != '\n' || text[end - 1] == '\\')) ++end;
      at = cover(at, end);
    } else if (text.compare(at, 2, "/*") == 0) {
      at = cover(at, end_of("*/", at + 2));
    } else if (text[at] == '"' && before == 'R') {
      const std::size_t open = std::min(text.find('(', at), text.size());
      at = cover(at, end_of(")" + text.substr(at + 1, open - at - 1) + "\"", open));
    } else if (text[at] == '"' || (text[at] == '\'' && std::isdigit(static_cast<unsigned char>(before)) == 0)) {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      at = cover(at, end + 1);
    } else {
      ++at;
    }
  }
  return code;
}

/// The positions of three equal brackets from `at` on with only spaces between them, if they are there.
std::optional<std::array<std::size_t, 3>> three(const std::string& code, std::size_t at, char bracket) {
  std::array<std::size_t, 3> places{};
  for (std::size_t& place : places) {
    while (at < code.size() && is_blank(code[at])) ++at;
    if (at >= code.size() || code[at] != bracket) return std::nullopt;
    place = at++;
  }
  return places;
}

/// Moves the three brackets together, to the position of the first. The spaces between them follow.
void close_up(std::string& text, const std::array<std::size_t, 3>& places) {
  std::string between;
  for (std::size_t k = places[0]; k <= places[2]; ++k) {
    if (is_blank(text[k])) between += text[k];
  }
  text.replace(places[0], places[2] - places[0] + 1, std::string(3, text[places[0]]) + between);
}

/// Finds the closing brackets of a launch whose opening brackets end before `at`: outside of parentheses, and followed
/// by the arguments.
std::optional<std::array<std::size_t, 3>> end_of_launch(const std::string& code, std::size_t at) {
  for (int depth = 0; at < code.size() && depth >= 0; ++at) {
    const char c = code[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth != 0) continue;
    if (c == ';') return std::nullopt;
    const auto places = c == '>' ? three(code, at, '>') : std::nullopt;
    if (!places) continue;
    std::size_t behind = (*places)[2] + 1;
    while (behind < code.size() && (is_blank(code[behind]) || code[behind] == '\\')) ++behind;
    if (behind < code.size() && code[behind] == '(') return places;
  }
  return std::nullopt;
}

/// True behind the keyword `operator`: `operator<< <T>` is the name of a template.
bool names_operator(const std::string& code, std::size_t at) {
  constexpr std::string_view kKeyword = "operator";
  while (at != 0 && is_blank(code[at - 1])) --at;
  return at >= kKeyword.size() && code.compare(at - kKeyword.size(), kKeyword.size(), kKeyword) == 0;
}

void close_launches(std::string& text, const std::string& code) {
  for (std::size_t at = code.find('<'); at != std::string::npos; at = code.find('<', at + 1)) {
    const auto begin = three(code, at, '<');
    if (!begin) continue;
    if (names_operator(code, at)) {
      at = (*begin)[2];
      continue;
    }
    const auto end = end_of_launch(code, (*begin)[2] + 1);
    close_up(text, *begin);
    if (end) close_up(text, *end);
    at = (*begin)[2];
  }
}

/// Removes a __device__ next to a __shared__, where it has no meaning.
void drop_device_of_shared(std::string& text, const std::string& code) {
  static const std::regex both(R"(\b(__device__)((?:\s+(?:static|extern|const|volatile))*\s+__shared__)\b|)"
                               R"(\b(__shared__(?:\s+(?:static|extern|const|volatile))*\s+)(__device__)\b)");
  for (std::sregex_iterator it(code.begin(), code.end(), both), end; it != end; ++it) {
    const std::size_t group = (*it)[1].matched ? 1 : 4;
    std::fill_n(text.begin() + it->position(group), it->length(group), ' ');
  }
}

/// Covers the lines of the preprocessor, with those that continue them.
void cover_directives(std::string& code) {
  bool is_directive = false;
  for (std::size_t begin = 0, end = 0; begin < code.size(); begin = end + 1) {
    end = std::min(code.find('\n', begin), code.size());
    const std::size_t first = code.find_first_not_of(" \t", begin);
    is_directive = is_directive || (first < end && code[first] == '#');
    const bool continues = end != begin && code[end - 1] == '\\';
    if (is_directive)
      std::fill(code.begin() + static_cast<std::ptrdiff_t>(begin), code.begin() + static_cast<std::ptrdiff_t>(end),
                kNoCode);
    is_directive = is_directive && continues;
  }
}

/// The end of the parentheses that begin at `at`; the length of the code if they do not end.
std::size_t end_of_parentheses(const std::string& code, std::size_t at) {
  for (int depth = 0; at < code.size(); ++at) {
    depth += (code[at] == '(') - (code[at] == ')');
    if (depth == 0) return at + 1;
  }
  return at;
}

/// Puts the type in front of a definition of main that has none.
void give_main_its_type(std::string& text, std::string code) {
  static const std::regex word(R"(\bmain\b(?=\s*\())");
  cover_directives(code);
  const auto is_code = [&](std::size_t at) { return !is_blank(code[at]) && code[at] != kNoCode; };
  for (std::sregex_iterator it(code.begin(), code.end(), word), end; it != end; ++it) {
    const auto at = static_cast<std::size_t>(it->position());
    std::size_t before = at, behind = end_of_parentheses(code, code.find('(', at));
    while (before != 0 && !is_code(before - 1)) --before;
    while (behind < code.size() && !is_code(behind)) ++behind;
    const bool begins = before == 0 || code[before - 1] == ';' || code[before - 1] == '}';
    if (begins && behind < code.size() && code[behind] == '{') {
      text.insert(at, "int ");
      return;
    }
  }
}

std::optional<std::string> contents(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The files of the program that a compilation reads, found by their #include lines. CUDA's own headers are left out.
class SourceFiles {
 public:
  SourceFiles(const std::string& source, const CcOptions& options, fs::path include_folder)
      : include_folder_(std::move(include_folder)) {
    const std::vector<std::string>& words = options.preprocessor;
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (words[k].rfind("-I", 0) == 0) folders_.push_back(words[k].substr(2));
      if (words[k] == "-isystem" && k + 1 < words.size()) folders_.push_back(words[k + 1]);
    }
    folders_.push_back(fs::path(source).parent_path());
    visit(source);
    for (std::size_t k = 0; k + 1 < words.size(); ++k) {
      if (words[k] == "-include") find(words[k + 1], fs::path());
    }
  }
  const std::vector<std::pair<fs::path, std::string>>& files() const { return files_; }

 private:
  void find(const std::string& name, const std::optional<fs::path>& beside) {
    if (beside && visit(*beside / name)) return;
    std::error_code error;
    if (fs::exists(include_folder_ / name, error)) return;
    for (const fs::path& folder : folders_) {
      if (visit(folder / name)) return;
    }
  }

  bool visit(const fs::path& path) {
    const fs::path absolute = fs::absolute(path).lexically_normal();
    if (seen_.count(absolute) != 0) return true;
    const std::optional<std::string> text = contents(absolute);
    if (!text) return false;
    seen_.insert(absolute);
    static const std::regex include(R"((?:^|\n)[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)\"|<([^>\n]+)>))");
    for (std::sregex_iterator it(text->begin(), text->end(), include), end; it != end; ++it) {
      if ((*it)[1].matched) {
        find((*it)[1], absolute.parent_path());
      } else {
        find((*it)[2], std::nullopt);
      }
    }
    files_.emplace_back(absolute, *text);
    return true;
  }

  fs::path include_folder_;
  std::vector<fs::path> folders_;
  std::set<fs::path> seen_;
  std::vector<std::pair<fs::path, std::string>> files_;
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

std::string in_clangs_dialect(std::string text) {
  const std::string code = code_of(text);
  drop_device_of_shared(text, code);
  close_launches(text, code);
  give_main_its_type(text, code);  // the last one, because it moves what follows
  return text;
}

std::vector<std::string> dialect_options(const std::string& source, const CcOptions& options,
                                         const std::string& include_folder, const TemporaryFolder& folder) {
  std::string entries;
  unsigned copies = 0;
  const SourceFiles files(source, options, include_folder);
  for (const auto& [path, text] : files.files()) {
    const std::string changed = in_clangs_dialect(text);
    if (changed == text) continue;
    const std::string copy = folder.file(fmt::format("copy{}", copies++));
    write_output_file(copy, changed);
    entries += fmt::format("{}{{\"type\": \"file\", \"name\": {}, \"external-contents\": {}}}",
                           entries.empty() ? "" : ",\n", quoted(path.string()), quoted(copy));
  }
  if (entries.empty()) return {};
  const std::string overlay = folder.file("copies.yaml");
  write_output_file(overlay,
                    fmt::format("{{\"version\": 0, \"use-external-names\": \"false\", \"roots\": [\n{}]}}\n", entries));
  return {"-ivfsoverlay", overlay};
}

}  // namespace g80::cuda
