// SPDX-License-Identifier: Apache-2.0
// How pages look: prose of at most 120 columns, tables of at most 160. And what pages say against its sources: ports of
// a block, what the table of mechanisms names, the recorded cycles on the front page.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "hw/config/config_keys.h"
#include "source_dir.h"

namespace g80::markdown {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const fs::path kRoot = G80_SOURCE_DIR;
constexpr std::size_t kProse = 120, kTable = 160;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Pages of the project that a person writes: one that a program prints says so in its first lines.
std::vector<fs::path> pages() {
  static const std::regex printed("makes this page|prints? (this page|it again)|Printed from a run");
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(kRoot); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name == "build" || name == "node_modules" || name.front() == '.'))
      it.disable_recursion_pending();
    if (!it->is_regular_file() || it->path().extension() != ".md") continue;
    const std::string text = text_of(it->path());
    if (!std::regex_search(text.substr(0, 1000), printed)) files.push_back(it->path());
  }
  return files;
}

/// Characters, not bytes.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Lines that are too wide. Fenced and indented text is as a program has it.
std::vector<unsigned> too_wide(std::istream& page) {
  std::vector<unsigned> found;
  bool fenced = false;
  unsigned number = 1;
  for (std::string line; std::getline(page, line); ++number) {
    if (line.rfind("```", 0) == 0) fenced = !fenced;
    if (fenced || line.rfind("    ", 0) == 0 || line.rfind("![", 0) == 0) continue;
    if (columns(line) > (line.rfind('|', 0) == 0 ? kTable : kProse)) found.push_back(number);
  }
  return found;
}

TEST(Markdown, ProseAndTablesFitTheScreen) {
  const std::vector<fs::path> files = pages();
  EXPECT_GT(files.size(), 40u);
  for (const fs::path& file : files) {
    std::ifstream page(file);
    for (const unsigned line : too_wide(page)) ADD_FAILURE() << file << ":" << line << " is too wide";
  }
}

TEST(Markdown, WideLinesAreFound) {
  const std::string prose(kProse + 1, 'x'), row = "|" + std::string(kTable, 'x');
  std::istringstream page("short\n" + prose + "\n```\n" + prose + "\n```\n    " + prose + "\n|" + prose + "\n" + row);
  EXPECT_THAT(too_wide(page), ElementsAre(2u, 8u));
}

/// "name type": the ports that a header declares, or that the table of a chapter lists.
std::set<std::string> found_in(const std::string& text, const std::string& pattern, bool type_first) {
  std::set<std::string> found;
  const std::regex row(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it)
    found.insert(type_first ? (*it)[2].str() + " " + (*it)[1].str() : (*it)[1].str() + " " + (*it)[2].str());
  return found;
}

// A chapter docs/machine/X.md whose text names hw/FOLDER/X.h as its source is about that block.
TEST(Chapters, ListThePortsOfTheirBlocks) {
  unsigned checked = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/machine")) {
    const std::string page = text_of(entry.path()), block = entry.path().stem().string();
    std::smatch source;
    if (!std::regex_search(page, source, std::regex("\\[(hw/\\w+/" + block + "\\.h)\\]"))) continue;
    const auto listed = found_in(page, "\\n\\| `(\\w+_[io])` \\| `(\\w+)` \\|", false);
    const auto declared =
        found_in(text_of(kRoot / source[1].str()), "\\b(?:Crossing)?(?:In|Out)<(?:std::)?(\\w+)> (\\w+_[io])\\{", true);
    EXPECT_THAT(listed, ::testing::ContainerEq(declared)) << entry.path();
    EXPECT_GT(declared.size(), 0u) << entry.path();
    ++checked;
  }
  EXPECT_GE(checked, 1u);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, '\t');) cells.push_back(cell);
  return cells;
}

std::vector<std::string> words_of(const std::string& cell) {
  std::istringstream in(cell);
  return {std::istream_iterator<std::string>(in), {}};
}

TEST(Mechanisms, NameFilesKeysTestsAndRowsThatExist) {
  const std::string rows = "\n" + text_of(kRoot / "tests/validation/errors.tsv");
  std::string tests;
  for (auto it = fs::recursive_directory_iterator(kRoot / "tests"); it != fs::recursive_directory_iterator(); ++it) {
    if (it->is_regular_file() && it->path().extension() == ".cpp") tests += text_of(it->path());
  }
  std::set<std::string> there;
  for (const std::string& test : found_in(tests, "TEST(?:_F|_P)?\\((\\w+),\\s*(\\w+)\\)", false)) there.insert(test);
  std::ifstream table(kRoot / "validation/mechanisms.tsv");
  std::string line;
  std::getline(table, line);
  unsigned mechanisms = 0;
  for (; std::getline(table, line); ++mechanisms) {
    const std::vector<std::string> cells = cells_of(line + "\t");  // the last cell may be empty
    ASSERT_GE(cells.size(), 4u) << line;
    for (const std::string& file : words_of(cells[1])) EXPECT_TRUE(fs::is_regular_file(kRoot / file)) << file;
    for (const std::string& key : words_of(cells[2])) EXPECT_TRUE(find_config_key(key).has_value()) << key;
    for (std::string test : words_of(cells[3])) {
      std::replace(test.begin(), test.end(), '.', ' ');
      EXPECT_EQ(there.count(test), 1u) << test;
    }
    EXPECT_FALSE(cells[1].empty() || cells[3].empty()) << line;
    if (cells.size() < 5) continue;
    for (const std::string& row : words_of(cells[4])) EXPECT_NE(rows.find("\n" + row + "\t"), std::string::npos) << row;
  }
  EXPECT_GE(mechanisms, 36u);
}

// The table of kernels on the front page against the first run of each in the record of cycles.
TEST(FrontPage, HasTheRecordedCyclesOfEveryKernel) {
  std::ifstream record(kRoot / "tests/machine/cycles.tsv");
  std::string line;
  std::getline(record, line);
  const std::vector<std::string> columns = cells_of(line);
  std::map<std::string, std::map<std::string, std::string>> runs;
  while (std::getline(record, line)) {
    const std::vector<std::string> cells = cells_of(line);
    auto& run = runs[cells[1].substr(0, cells[1].find(' '))];
    if (cells[0] != "8600gts" || !run.empty()) continue;
    for (std::size_t i = 0; i < cells.size(); ++i) run[columns[i]] = cells[i];
  }
  const std::string page = text_of(kRoot / "README.md");
  const std::regex row(R"(\n\| \[(\w+)\]\(kernels/[^|]*\|[^|]*(\| \d+ [^\n]*))");
  unsigned compared = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), row), end; it != end; ++it, ++compared) {
    const auto& run = runs[(*it)[1]];
    ASSERT_FALSE(run.empty()) << (*it)[1];
    std::string stall;
    for (const std::string& column : columns) {
      if (column.rfind("stall.", 0) != 0 || column == "stall.no_warp") continue;
      if (stall.empty() || std::stoull(run.at(column)) > std::stoull(run.at(stall))) stall = column;
    }
    const std::string& cycles = run.at("shader_cycles");
    EXPECT_EQ((*it)[2], fmt::format("| {} | {} | {:.3f} | {} |", cycles, run.at("executing_cycles"),
                                    std::stod(run.at("warp_instructions")) / std::stod(cycles), stall.substr(6)))
        << (*it)[1];
  }
  EXPECT_GE(compared, 20u);
}

}  // namespace
}  // namespace g80::markdown
