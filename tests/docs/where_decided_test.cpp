// SPDX-License-Identifier: Apache-2.0
// The documents against the sources: the table of decisions, the folders, links, paths and configuration keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "hw/config/config_keys.h"
#include "source_dir.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = G80_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Source text without // comments.
std::string code_of(const fs::path& file) {
  std::string code;
  for (const std::string& line : lines_of(text_of(file))) code += line.substr(0, line.find("//")) + '\n';
  return code;
}

bool is_source(const fs::path& file) { return file.extension() == ".h" || file.extension() == ".cpp"; }

/// Files below `folder` that belong to the project: no build trees, no hidden folders.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(folder); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name == "build" || name.front() == '.')) it.disable_recursion_pending();
    if (it->is_regular_file()) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The rows below a heading, split into cells, without the two rows of the table's head.
std::vector<std::vector<std::string>> table_below(const fs::path& file, const std::string& heading) {
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  for (const std::string& line : lines_of(text_of(file))) {
    if (line.rfind('#', 0) == 0) inside = line == heading;
    if (!inside || line.rfind('|', 0) != 0) continue;
    std::vector<std::string> cells;
    std::istringstream in(line.substr(1));
    for (std::string cell; std::getline(in, cell, '|');) {
      const auto first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
      cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    rows.push_back(cells);
  }
  if (rows.size() >= 2) rows.erase(rows.begin(), rows.begin() + 2);
  return rows;
}

/// Markdown without fenced blocks.
std::string prose_of(const fs::path& file) {
  std::string prose;
  bool fenced = false;
  for (const std::string& line : lines_of(text_of(file))) {
    if (line.rfind("```", 0) == 0) fenced = !fenced;
    if (!fenced) prose += line + '\n';
  }
  return prose;
}

std::vector<fs::path> markdown_files() {
  std::vector<fs::path> files = files_below(kRoot);
  files.erase(std::remove_if(files.begin(), files.end(), [](const fs::path& f) { return f.extension() != ".md"; }),
              files.end());
  return files;
}

TEST(WhereIsItDecided, EveryRowNamesAFunctionThatIsThere) {
  const auto rows = table_below(kRoot / "hw/README.md", "## Where is it decided?");
  ASSERT_GE(rows.size(), 30u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 3u) << row.front();
    ASSERT_TRUE(fs::is_regular_file(kRoot / row[1])) << row[1];
    const std::string code = code_of(kRoot / row[1]);
    const auto colons = row[2].find("::");
    const std::string function = colons == std::string::npos ? row[2] : row[2].substr(colons + 2);
    EXPECT_TRUE(std::regex_search(code, std::regex("\\b" + function + "\\(")))
        << row[1] << " has no " << function << "()";
    if (colons == std::string::npos) continue;
    const std::string type = row[2].substr(0, colons);
    EXPECT_TRUE(std::regex_search(code, std::regex("\\b" + type + "\\b"))) << row[1] << " has no " << type;
  }
}

TEST(WhereIsItDecided, EveryMarkedDecisionIsInTheTable) {
  std::set<std::string> listed;
  for (const auto& row : table_below(kRoot / "hw/README.md", "## Where is it decided?")) listed.insert(row[1]);
  for (const fs::path& file : files_below(kRoot / "hw")) {
    if (!is_source(file) || text_of(file).find("This is where") == std::string::npos) continue;
    EXPECT_EQ(listed.count(fs::relative(file, kRoot).string()), 1u) << file << " says where something is decided";
  }
}

TEST(Folders, EveryFolderOfTheHardwareHasARow) {
  std::set<std::string> listed;
  for (const auto& row : table_below(kRoot / "hw/README.md", "## Folders")) listed.insert(row[0]);
  std::set<std::string> present;
  for (const auto& entry : fs::directory_iterator(kRoot / "hw")) {
    if (entry.is_directory()) present.insert("hw/" + entry.path().filename().string() + "/");
  }
  EXPECT_EQ(listed, present);
}

/// The README.md nearest above a folder or file.
fs::path readme_above(const fs::path& item) {
  fs::path folder = item.parent_path();
  while (!fs::exists(folder / "README.md")) folder = folder.parent_path();
  return folder / "README.md";
}

// A line of the README above names it, and who reads from the front page finds that README.
TEST(Folders, EveryFolderIsNamedInAReadmeThatIsLinked) {
  unsigned checked = 0;
  for (const char* top : {"hw", "tb", "tests", "rtl", "toolchain", "runtime", "app", "validation", "waves", "docs",
                          "bench", "configs", "cmake", "input"}) {
    std::set<fs::path> folders{kRoot / top};
    for (const fs::path& file : files_below(kRoot / top)) {
      for (fs::path folder = file.parent_path(); folder != kRoot / top; folder = folder.parent_path())
        folders.insert(folder);
    }
    for (const fs::path& folder : folders) {
      const std::string name = fs::relative(folder, kRoot).string();
      const fs::path readme = readme_above(folder);
      EXPECT_NE(text_of(readme).find("`" + name + "/`"), std::string::npos)
          << readme << " has no line about `" << name << "/`";
      ++checked;
      if (!fs::exists(folder / "README.md")) continue;
      const std::string link = "(" + fs::relative(folder / "README.md", readme.parent_path()).string() + ")";
      EXPECT_NE(text_of(readme).find(link), std::string::npos)
          << readme << " does not link to " << name << "/README.md";
    }
  }
  EXPECT_GT(checked, 50u);
}

TEST(Folders, EveryKernelHasARowThatLinksToIt) {
  const std::string page = text_of(kRoot / "kernels/README.md"), front = text_of(kRoot / "README.md");
  for (const auto& entry : fs::directory_iterator(kRoot / "kernels")) {
    if (!fs::exists(entry.path() / "scenario.toml")) continue;
    const std::string name = entry.path().filename().string();
    EXPECT_NE(page.find("[" + name + "](" + name + "/README.md)"), std::string::npos) << name;
    EXPECT_NE(front.find("(kernels/" + name + "/README.md)"), std::string::npos) << name;
  }
}

/// The names by which links reach the headings of a page: lower case, words joined by "-", no other signs.
std::set<std::string> anchors_of(const fs::path& file) {
  std::set<std::string> anchors;
  for (const std::string& line : lines_of(prose_of(file))) {
    if (line.rfind('#', 0) != 0) continue;
    std::string anchor;
    for (const char c : line.substr(line.find_first_not_of("# "))) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (c == ' ') anchor += '-';
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(Links, EveryRelativeLinkLeadsToAFileAndItsHeading) {
  const std::regex link(R"(\]\(([^)\s]+)\))"), code(R"(`[^`\n]*`)");
  unsigned checked = 0;
  for (const fs::path& file : markdown_files()) {
    const std::string prose = std::regex_replace(prose_of(file), code, "");
    for (std::sregex_iterator it(prose.begin(), prose.end(), link), end; it != end; ++it) {
      std::string target = (*it)[1];
      if (std::regex_search(target, std::regex("^[a-z]+:"))) continue;
      const std::size_t hash = target.find('#');
      const std::string anchor = hash == std::string::npos ? "" : target.substr(hash + 1);
      target = target.substr(0, hash);
      const fs::path page = target.empty() ? file : file.parent_path() / target;
      ++checked;
      EXPECT_TRUE(fs::exists(page)) << file << " links to " << target;
      if (anchor.empty()) continue;
      EXPECT_EQ(anchors_of(page).count(anchor), 1u) << file << " links to " << target << "#" << anchor;
    }
  }
  EXPECT_GT(checked, 10u);
}

TEST(Links, PathsInTheMainDocumentsAreThere) {
  const std::regex path(
      R"(`((?:hw|rtl|toolchain|tb|runtime|app|validation|docs|tests|kernels|configs|waves|bench|cmake)/[A-Za-z0-9_./-]*)`)");
  for (const char* page :
       {"README.md", "hw/README.md", "docs/README.md", "docs/limits.md", "docs/numbers.md", "docs/accuracy.md",
        "docs/checks.md", "docs/machine/README.md", "docs/machine/bank_conflict.md", "docs/walkthrough.md",
        "docs/extend.md", "docs/structure.md", "docs/compiler.md", "kernels/README.md"}) {
    const std::string prose = prose_of(kRoot / page);
    ASSERT_FALSE(prose.empty()) << page;
    for (std::sregex_iterator it(prose.begin(), prose.end(), path), end; it != end; ++it) {
      EXPECT_TRUE(fs::exists(kRoot / (*it)[1].str())) << page << " names " << (*it)[1];
    }
  }
}

// `file`, `function`: the file, or the source next to it, has the function.
TEST(Links, FunctionsOfTheWalkthroughAreThere) {
  const std::string page = text_of(kRoot / "docs/walkthrough.md");
  const std::regex pair("`(hw/[A-Za-z0-9_./]+)`, `([A-Za-z_:]+)`");
  unsigned checked = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), pair), end; it != end; ++it, ++checked) {
    fs::path file = kRoot / (*it)[1].str();
    std::string code = code_of(file);
    if (fs::exists(file.replace_extension(".cpp"))) code += code_of(file);
    const std::string function = (*it)[2], name = function.substr(function.rfind(':') + 1);
    EXPECT_TRUE(std::regex_search(code, std::regex("\\b" + name + "\\(")))
        << (*it)[1] << " has no " << function << "()";
  }
  EXPECT_GE(checked, 15u);
}

// Its picture is one fence, with a file at the end of a line.
TEST(Links, FilesOfTheLaunchAreThere) {
  const std::string page = text_of(kRoot / "docs/machine/launch.md");
  const std::regex path("\\b(?:hw|tb)/[a-z_]+/[a-z_]+\\.(?:h|cpp)");
  unsigned checked = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), path), end; it != end; ++it, ++checked)
    EXPECT_TRUE(fs::exists(kRoot / it->str())) << it->str();
  EXPECT_GE(checked, 8u);
}

TEST(Limits, EveryKeyNamedInTheMainDocumentsExists) {
  std::set<std::string> sections;
  for (const ConfigKey& key : config_keys()) sections.insert(std::string(key.section));
  const std::regex name(R"(`([a-z0-9]+)\.([a-z0-9_]+)(?: = [^`]*)?`)");
  unsigned checked = 0;
  for (const char* page : {"README.md", "hw/README.md", "docs/limits.md", "docs/numbers.md", "docs/structure.md",
                           "docs/machine/bank_conflict.md", "docs/machine/launch.md"}) {
    const std::string prose = prose_of(kRoot / page);
    for (std::sregex_iterator it(prose.begin(), prose.end(), name), end; it != end; ++it) {
      const std::string section = (*it)[1], key = (*it)[2];
      if (sections.count(section) == 0 || key == "h" || key == "cpp") continue;
      ++checked;
      EXPECT_TRUE(find_config_key(section + "." + key).has_value()) << page << " names " << section << "." << key;
    }
  }
  EXPECT_GT(checked, 20u);
}

// A key that nothing reads must be confessed, and a confession must still be true.
TEST(Limits, KeysWithoutEffectAreExactlyThoseListed) {
  std::string code;
  for (const char* folder : {"hw", "tb", "app", "validation"}) {
    for (const fs::path& file : files_below(kRoot / folder)) {
      const std::string name = file.filename().string();
      if (!is_source(file) || name == "config_rules.cpp" || name == "key_lists.cpp") continue;
      code += code_of(file);
    }
  }
  std::set<std::string> words;
  const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
  for (std::sregex_iterator it(code.begin(), code.end(), word), end; it != end; ++it) words.insert(it->str());
  std::set<std::string> unread, listed;
  for (const ConfigKey& key : config_keys()) {
    if (words.count(std::string(key.name)) == 0) unread.insert(key.full_name());
  }
  for (const auto& row : table_below(kRoot / "docs/limits.md", "## Keys without effect")) listed.insert(row[0]);
  EXPECT_EQ(listed, unread) << "docs/limits.md, Keys without effect: take out what is read now, put in what is not";
}

}  // namespace
}  // namespace g80
