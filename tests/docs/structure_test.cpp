// SPDX-License-Identifier: Apache-2.0
// docs/structure.md against the includes: a folder may include only what stands in rows above its own.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "source_dir.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

using Layers = std::map<std::string, unsigned>;  // folder, row

/// The first cell of every row of the page's table holds folders between backquotes.
Layers layers_of(std::istream& page) {
  Layers layers;
  const std::regex folder("`([a-z0-9_/]+)`");
  unsigned row = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const std::string cell = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator it(cell.begin(), cell.end(), folder), end; it != end; ++it) layers[(*it)[1]] = row;
    ++row;
  }
  return layers;
}

Layers committed_layers() {
  std::ifstream page(G80_SOURCE_DIR "/docs/structure.md");
  return layers_of(page);
}

/// The folder in the sense of the table: all kernels are one.
std::string folder_of(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/'));
  return folder.rfind("kernels/", 0) == 0 ? "kernels" : folder;
}

/// What is wrong with `file` including `included`, or nothing.
std::optional<std::string> violation(const Layers& layers, const std::string& file, const std::string& included) {
  const std::string from = folder_of(file), to = folder_of(included);
  if (from == to) return std::nullopt;
  const auto above = layers.find(from), below = layers.find(to);
  if (above == layers.end()) return from + " is in no row";
  if (below == layers.end()) return file + " includes " + included + ", whose folder is in no row";
  if (below->second < above->second) return std::nullopt;
  return file + " includes " + included + ", which is not below it";
}

TEST(Structure, NoIncludeGoesUpOrAcross) {
  const Layers layers = committed_layers();
  ASSERT_GT(layers.size(), 30u);
  const fs::path root = G80_SOURCE_DIR;
  const std::regex include("^\\s*#include \"([^\"]+)\"");
  std::set<std::string> seen;
  unsigned checked = 0;
  for (const char* top : {"input", "hw", "rtl", "toolchain", "tb", "kernels", "runtime", "app", "validation"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string file = fs::relative(entry.path(), root).string(), extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".def") continue;
      if (file.rfind("toolchain/cuda/include/", 0) == 0 || file == "kernels/cuda_program.h")
        continue;  // of CUDA programs
      seen.insert(folder_of(file));
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        if (!std::regex_search(line, match, include)) continue;
        const std::string included = match[1];
        if (!fs::exists(root / included)) continue;  // generated, or of a library
        ++checked;
        if (const auto wrong = violation(layers, file, included)) ADD_FAILURE() << *wrong;
      }
    }
  }
  EXPECT_GT(checked, 1500u);
  for (const auto& [folder, row] : layers) EXPECT_EQ(seen.count(folder), 1u) << folder << " has a row and no source";
}

// A program has the twins that are linked, or none: rtl/ enters them into the list of tb/twins. Only its own tests know
// it.
TEST(Structure, NothingOutsideOfRtlIncludesIt) {
  const fs::path root = G80_SOURCE_DIR;
  const std::regex include("^\\s*#include \"(rtl/[^\"]+)\"");
  const std::set<std::string> own_tests{"tests/twins", "tests/twins/must_fail"};
  unsigned checked = 0, own = 0;
  for (const char* top :
       {"app", "bench", "docs", "hw", "kernels", "runtime", "tb", "tests", "toolchain", "validation"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string file = fs::relative(entry.path(), root).string(), extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".def") continue;
      ++checked;
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        if (!std::regex_search(line, match, include)) continue;
        const bool may = own_tests.count(folder_of(file)) != 0;
        EXPECT_TRUE(may) << file << " includes " << match[1];
        own += may;
      }
    }
  }
  EXPECT_GT(checked, 1000u);
  EXPECT_GT(own, 0u);
}

/// True if what lies above the machine may include this header: it names no part of the inside of an SM.
bool is_outside_of_sm(const std::string& included) {
  static const std::set<std::string> of_first_level{"hw/cache/instruction_cache.h", "hw/cache/constant_cache.h",
                                                    "hw/cache/line_port.h"};
  const std::string folder = folder_of(included);
  return (folder != "hw/sm" && folder != "hw/exec" && folder != "hw/smem" && of_first_level.count(included) == 0) ||
         included == "hw/sm/sm_pins.h";
}

// So lock-step, counters, timelines, reports and the shell work with any SM that has these pins. An example of one
// block, and the adapters of twins, are about the inside.
TEST(Structure, AnSmIsKnownByItsPinsOnly) {
  const fs::path root = G80_SOURCE_DIR;
  const std::regex include("^\\s*#include \"([^\"]+)\"");
  unsigned checked = 0, pins = 0;
  for (const char* top : {"hw/gpu", "tb", "app", "runtime", "validation"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string file = fs::relative(entry.path(), root).string(), extension = entry.path().extension().string();
      if ((extension != ".h" && extension != ".cpp") || file == "tb/examples/one_block.cpp" ||
          file == "hw/gpu/tpc.cpp") {  // makes the SMs
        continue;
      }
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        if (!std::regex_search(line, match, include)) continue;
        ++checked;
        pins += match[1] == "hw/sm/sm_pins.h";
        EXPECT_TRUE(is_outside_of_sm(match[1])) << file << " includes " << match[1] << "; hw/sm/README.md";
      }
    }
  }
  EXPECT_GT(checked, 300u);
  EXPECT_GE(pins, 1u);
  for (const char* inside : {"hw/sm/sm.h", "hw/sm/scoreboard.h", "hw/exec/sp_array.h", "hw/smem/shared_memory.h",
                             "hw/cache/instruction_cache.h", "hw/cache/constant_cache.h"}) {
    EXPECT_FALSE(is_outside_of_sm(inside)) << inside;
  }
  for (const char* outside : {"hw/sm/sm_pins.h", "hw/cache/tlb.h", "hw/bundles/sm_state.h", "tb/check/sm_log.h"})
    EXPECT_TRUE(is_outside_of_sm(outside)) << outside;
}

TEST(Structure, ArrowsUpAndAcrossAndUnknownFoldersAreFound) {
  std::istringstream page("| Folders | Layer |\n|---|---|\n| `a/low` | x |\n| `b`, `c` | x |\n");
  const Layers layers = layers_of(page);
  ASSERT_EQ(layers.size(), 3u);
  EXPECT_FALSE(violation(layers, "b/x.h", "a/low/y.h"));
  EXPECT_FALSE(violation(layers, "b/x.h", "b/y.h"));
  EXPECT_TRUE(violation(layers, "a/low/x.h", "b/y.h"));
  EXPECT_TRUE(violation(layers, "b/x.h", "c/y.h"));
  EXPECT_TRUE(violation(layers, "b/x.h", "d/y.h"));
  EXPECT_TRUE(violation(layers, "d/x.h", "a/low/y.h"));
}

/// What is written into the inside of a Verilated model in this line: only its pins may be.
bool writes_inside(const std::string& line) {
  static const std::regex member(R"((\brootp->|\broot\.|\binside\(\)\.)\w+(\[[^=]*\])*(\.\w+)*\s*([-+|&^]?=)[^=])");
  static const std::regex alias(R"(\bauto& \w+ = (\*?[\w.>-]*rootp\b|inside\(\)))");
  return std::regex_search(line, member) ||
         (std::regex_search(line, alias) && line.find("const auto&") == std::string::npos);
}

TEST(Structure, NothingOutsideWritesIntoAModel) {
  for (const char* line : {"root.a__DOT__word[row][l] = 0;", "inside().sm_machine__DOT__clock_i = edge;",
                           "  model_.rootp->x__DOT__word[i] |= 1;", "  auto& root = *model_.rootp;"})
    EXPECT_TRUE(writes_inside(line)) << line;
  for (const char* line : {"const auto& root = *model_.rootp;", "if (root.a__DOT__word[row] == 0) return;",
                           "model_.rst_ni = 1;", "x = model_.rootp->a__DOT__word[row];"})
    EXPECT_FALSE(writes_inside(line)) << line;
  unsigned files = 0;
  for (const char* folder : {"rtl", "cmake", "tests/twins"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(G80_SOURCE_DIR) / folder)) {
      // A mutant's number is no hardware.
      if (!entry.is_regular_file() || entry.path().stem() == "MutateSelected") continue;
      ++files;
      std::ifstream file(entry.path());
      unsigned number = 0;
      for (std::string line; std::getline(file, line);) {
        ++number;
        EXPECT_FALSE(writes_inside(line)) << entry.path() << ':' << number << ": " << line;
        EXPECT_EQ(line.find("public_flat_rw"), std::string::npos) << entry.path() << ':' << number;
      }
    }
  }
  EXPECT_GT(files, 150u);
}

}  // namespace
}  // namespace g80
