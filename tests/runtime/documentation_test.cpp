// SPDX-License-Identifier: Apache-2.0
// docs/cuda.md against the headers and the accuracy test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "source_dir.h"

namespace {

std::string contents(const std::string& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}
std::string source(const std::string& name) { return std::string(G80_SOURCE_DIR) + "/" + name; }

std::string section(const std::string& page, const std::string& from, const std::string& to) {
  const std::size_t begin = page.find(from), end = page.find(to, begin);
  EXPECT_NE(begin, std::string::npos) << from;
  return page.substr(begin, end - begin);
}

/// Words inside `..`.
std::vector<std::string> quoted_words(const std::string& text) {
  std::vector<std::string> words;
  static const std::regex quoted("`([^`]*)`");
  for (std::sregex_iterator it(text.begin(), text.end(), quoted), end; it != end; ++it) {
    std::istringstream stream((*it)[1]);
    for (std::string word; stream >> word;) words.push_back(word);
  }
  return words;
}

TEST(CudaPage, NamesOnlyWhatTheHeadersDeclare) {
  std::string headers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source("toolchain/cuda/include"))) {
    if (entry.is_regular_file()) headers += contents(entry.path().string());
  }
  const std::string page = contents(source("docs/cuda.md"));
  static const std::regex name("[a-zA-Z_][a-zA-Z0-9_]{4,}");
  unsigned checked = 0;
  for (const char* start : {"| Barriers, fences, clock |", "| Votes (sm_12) |", "| Names without underscores |",
                            "| Integers |", "| Floats |", "| Special functions |", "| Textures |"}) {
    for (const std::string& word : quoted_words(section(page, start, "\n"))) {
      if (!std::regex_match(word, name) || word == "__syncthreads") continue;  // that one is the compiler's own
      // Macros paste some names together: the operation stands there without its prefix.
      const bool there = headers.find(word) != std::string::npos ||
                         headers.find(word.substr(0, word.find_last_of('_'))) != std::string::npos;
      EXPECT_TRUE(there) << word;
      ++checked;
    }
  }
  EXPECT_GT(checked, 40u);
}

// Whoever adds a call to a header adds one to a test.
TEST(Headers, DeclareNoCallThatNoTestMakes) {
  std::string tests;
  for (const char* folder : {"tests/runtime", "tests/runtime/programs"}) {
    for (const auto& entry : std::filesystem::directory_iterator(source(folder))) {
      if (entry.is_regular_file() && entry.path().filename() != "documentation_test.cpp")
        tests += contents(entry.path().string());
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(source("kernels"))) {
    const std::filesystem::path program = entry.path() / (entry.path().filename().string() + ".cu");
    if (std::filesystem::exists(program)) tests += contents(program.string());
  }
  std::set<std::string> called;
  static const std::regex word("[A-Za-z_]\\w*");
  for (std::sregex_iterator it(tests.begin(), tests.end(), word), end; it != end; ++it) called.insert(it->str());
  unsigned checked = 0;
  const std::pair<const char*, const char*> headers[] = {
      {"cuda_runtime_api.h", "\\b(cuda[A-Z]\\w*)\\("},
      {"cuda.h", "\\b(cu[A-Z]\\w*)\\("},
      {"sdk/cutil.h", "\\b(cut[A-Z]\\w*|CUT_\\w+|CUDA_SAFE\\w+)\\("},
      {"sdk/cutil_inline.h", "\\b(cutil\\w+|cutGet\\w+)\\("},
      {"sdk/helper_cuda.h", "\\b(check[A-Z]\\w*|getLast\\w*|gpu\\w+|find\\w+|ftoi)\\("},
      {"sdk/helper_functions.h", "\\b(sdk\\w+|compareData)\\("},
      {"sdk/helper_string.h", "\\b(sdk\\w+|checkCmd\\w*|getCmd\\w*)\\("},
      {"sdk/helper_timer.h", "\\b(sdk\\w+)\\("},
  };
  for (const auto& [header, pattern] : headers) {
    const std::string whole = std::regex_replace(contents(source(std::string("toolchain/cuda/include/") + header)),
                                                 std::regex("//[^\n]*"), "");
    // A call of these is an error: another test compares them with a list.
    const std::string text = std::regex_replace(whole, std::regex("__G80_(NO_[A-Z]+__|ABSENT__)[^;]*;"), "");
    const std::regex name(pattern);
    for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it) {
      EXPECT_EQ(called.count((*it)[1]), 1u) << (*it)[1] << " of " << header << " is called by no test";
      ++checked;
    }
  }
  EXPECT_GT(checked, 220u);
}

TEST(CudaPage, GivesTheBoundsThatAreTested) {
  std::map<std::string, std::string> tested;
  const std::string program = contents(source("tests/runtime/programs/math_bounds.cu"));
  static const std::regex entry("X\\((\\w+), \\w+, (\\d+)\\)");
  for (std::sregex_iterator it(program.begin(), program.end(), entry), end; it != end; ++it)
    tested[(*it)[1]] = (*it)[2];
  const std::string table = section(contents(source("docs/cuda.md")), "| ulp | Functions |", "Denormals are zero");
  std::istringstream lines(table);
  static const std::regex row("\\| (\\d+) \\|.*");
  unsigned compared = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    for (const std::string& function : quoted_words(line)) {
      const auto found = tested.find(function);
      if (found == tested.end()) continue;
      EXPECT_EQ(found->second, match[1]) << function;
      tested.erase(found);
      ++compared;
    }
  }
  EXPECT_GT(compared, 35u);
  for (const char* other : {"reciprocal_device", "quotient_device", "__fdiv_rn"}) tested.erase(other);
  for (const auto& left : tested) ADD_FAILURE() << left.first << " is tested, but not in the table";
}

TEST(CudaPage, GivesTheBoundsOfSpecialFunctions) {
  std::set<std::string> tested, told;
  const std::string program = contents(source("tests/runtime/programs/special_bounds.cu"));
  static const std::regex entry("X\\((\\w+), (\\d+), (\\d+)\\)"), row("\\| `(\\w+)` \\| (\\d+) \\| (\\d+) \\|");
  const auto add = [](const std::string& text, const std::regex& pattern, std::set<std::string>* to) {
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      to->insert((*it)[1].str() + " " + (*it)[2].str() + " " + (*it)[3].str());
    }
  };
  add(program, entry, &tested);
  add(section(contents(source("docs/cuda.md")), "### Gamma, Bessel", "## What the host has"), row, &told);
  EXPECT_EQ(tested.size(), 8u);
  EXPECT_EQ(told, tested);
}

}  // namespace
