// SPDX-License-Identifier: Apache-2.0
// How sources look: licence line, length of lines, clang-format.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "source_dir.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kColumns = 120;

/// Sources of C++ and SystemVerilog, without build trees and the CUDA programs that tests compile as they are.
std::vector<fs::path> sources() {
  std::vector<fs::path> files;
  for (const char* top :
       {"input", "hw", "rtl", "toolchain", "tb", "kernels", "runtime", "app", "validation", "tests", "docs", "bench"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(G80_SOURCE_DIR) / top)) {
      const std::string extension = entry.path().extension().string();
      if (entry.path().parent_path().filename() == "programs") continue;
      for (const char* of_ours : {".h", ".cpp", ".def", ".sv"}) {
        if (extension == of_ours) files.push_back(entry.path());
      }
    }
  }
  return files;
}

/// Characters, not bytes.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// The first line of code or comment that is too long, or 0. Tables are exempt: .def files, what stands between
/// clang-format off and on, and texts in raw strings.
unsigned too_long(std::istream& in) {
  bool table = false, raw = false;
  unsigned number = 1;
  for (std::string line; std::getline(in, line); ++number) {
    if (line.find("// clang-format off") != std::string::npos) table = true;
    if (line.find("// clang-format on") != std::string::npos) table = false;
    const std::size_t opens = line.find("R\"");
    if (opens != std::string::npos) raw = true;
    const bool exempt = table || raw;
    if (raw && line.find(")\"", opens == std::string::npos ? 0 : opens) != std::string::npos) raw = false;
    if (raw && opens == std::string::npos) {  // R"name( .. )name"
      const std::size_t closes = line.find(')');
      if (closes != std::string::npos && line.find('"', closes) != std::string::npos) raw = false;
    }
    if (!exempt && columns(line) > kColumns) return number;
  }
  return 0;
}

TEST(Format, EverySourceNamesItsLicence) {
  for (const fs::path& file : sources()) {
    std::ifstream in(file);
    std::string first;
    std::getline(in, first);
    // C of 1989, which may include the headers of CUDA, has no other comments before their first pragma.
    EXPECT_EQ(first.substr(0, first.find(" */")).substr(2), " SPDX-License-Identifier: Apache-2.0") << file;
  }
}

TEST(Format, NoLineIsLongerThanAScreen) {
  unsigned checked = 0;
  for (const fs::path& file : sources()) {
    if (file.extension() == ".def") continue;
    std::ifstream in(file);
    const unsigned line = too_long(in);
    EXPECT_EQ(line, 0u) << file << ":" << line << " has more than " << kColumns << " columns";
    ++checked;
  }
  EXPECT_GT(checked, 800u);
}

TEST(Format, LongLinesAreFoundOutsideOfTablesOnly) {
  const std::string row(kColumns + 1, 'x');
  const auto line = [](const std::string& text) {
    std::istringstream in(text);
    return too_long(in);
  };
  EXPECT_EQ(line("short\n" + row + "\n"), 2u);
  EXPECT_EQ(line("// clang-format off\n" + row + "\n// clang-format on\n"), 0u);
  EXPECT_EQ(line("// clang-format off\n// clang-format on\n" + row), 3u);
  EXPECT_EQ(line("f(R\"(\n" + row + "\n)\");\n"), 0u);
  EXPECT_EQ(line("f(R\"page(\n" + row + "\n)page\");\n" + row), 4u);
}

TEST(Format, IsWhatClangFormatMakes) {
  if (std::system("clang-format --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "needs clang-format";
  const fs::path list = fs::temp_directory_path() / "g80_format_list.txt";
  {
    std::ofstream out(list);
    for (const fs::path& file : sources()) {
      const std::string extension = file.extension().string();
      if (extension == ".h" || extension == ".cpp") out << file.string() << '\n';
    }
  }
  const std::string command = "xargs -n 40 clang-format --dry-run --Werror <" + list.string() + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << "clang-format -i makes it right";
  fs::remove(list);
}

}  // namespace
}  // namespace g80
