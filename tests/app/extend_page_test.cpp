// SPDX-License-Identifier: Apache-2.0
// docs/extend.md, executed: its patches are applied to copies of the files, the sources that see them are compiled, a
// second g80 is linked from the objects of this build, and it must print what the page says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "source_dir.h"
#include "tests/support/shell.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = G80_SOURCE_DIR, kBuild = G80_BINARY_DIR;

using ::g80::test::Outcome;
Outcome run(const std::string& command) { return ::g80::test::shell(command); }

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void replace_first(std::string& text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what << " is not in: " << text;
  text.replace(at, what.size(), by);
}

/// The page in pieces: what is between ```kind and ```, and everything else as kind "".
struct Piece {
  std::string kind, text;
};
std::vector<Piece> pieces_of(const fs::path& page) {
  std::vector<Piece> pieces{{"", ""}};
  std::istringstream in(text_of(page));
  bool fenced = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("```", 0) == 0) {
      fenced = !fenced;
      if (!fenced) pieces.push_back({"", ""});
      pieces.back().text += line + '\n';
      if (fenced) pieces.push_back({line.substr(3), ""});
    } else {
      pieces.back().text += line + '\n';
    }
  }
  return pieces;
}

class ExtendPage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kBuild / "build.ninja") || run("command -v ninja && command -v patch").code != 0) {
      GTEST_SKIP() << "needs ninja, patch and a build made by ninja";
    }
    fs::remove_all(work_);
    fs::create_directories(tree_);
  }
  void apply_patches(const std::vector<Piece>& pieces);
  /// Objects of g80 whose sources include one of the patched files.
  std::set<std::string> touched_objects();
  void compile(const std::set<std::string>& objects);
  void link();

  const fs::path work_ = kBuild / "extend", tree_ = work_ / "tree";
  std::set<std::string> patched_;  // files, from the project's folder
  std::string objects_;            // compiled ones
  std::size_t compiled_ = 0;
};

void ExtendPage::apply_patches(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    if (piece.kind != "diff") continue;
    std::istringstream in(piece.text);
    for (std::string line; std::getline(in, line);) {
      if (line.rfind("+++ b/", 0) != 0 || !patched_.insert(line.substr(6)).second) continue;
      fs::create_directories((tree_ / line.substr(6)).parent_path());
      fs::copy_file(kRoot / line.substr(6), tree_ / line.substr(6));
    }
    std::ofstream(work_ / "patch") << piece.text;
    const Outcome patch = run("patch --batch --fuzz=0 -p1 -d " + tree_.string() + " -i " + (work_ / "patch").string());
    ASSERT_EQ(patch.code, 0) << patch.output;
  }
  ASSERT_EQ(patched_.size(), 3u);
}

std::set<std::string> ExtendPage::touched_objects() {
  std::set<std::string> touched;
  std::istringstream in(run("ninja -C " + kBuild.string() + " -t deps").output);
  std::string object;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("    ", 0) != 0) {
      object = line.substr(0, line.find(':'));
      continue;
    }
    const bool of_the_program = object.rfind("CMakeFiles/g80", 0) == 0 || object.rfind("rtl/", 0) == 0;
    const fs::path needed = (kBuild / line.substr(4)).lexically_normal();  // ccache makes paths relative
    for (const std::string& file : patched_) {
      if (of_the_program && needed == (kRoot / file).lexically_normal()) touched.insert(object);
    }
  }
  return touched;
}

void ExtendPage::compile(const std::set<std::string>& objects) {
  const nlohmann::json commands = nlohmann::json::parse(text_of(kBuild / "compile_commands.json"));
  for (const auto& entry : commands) {
    std::string command = entry.at("command");
    const std::size_t at = command.find(" -o ") + 4;
    const std::string output = command.substr(at, command.find(' ', at) - at);
    if (objects.count(output) == 0) continue;
    const std::string object = (work_ / fs::path(output).filename()).string();
    replace_first(command, " -I", " -I" + tree_.string() + " -I");
    replace_first(command, " -o " + output, " -o " + object);
    const Outcome compiled = run("cd " + entry.at("directory").get<std::string>() + " && " + command);
    ASSERT_EQ(compiled.code, 0) << compiled.output;
    objects_ += " " + object;
    ++compiled_;
  }
  ASSERT_EQ(compiled_, objects.size());
}

void ExtendPage::link() {
  std::string command = run("ninja -C " + kBuild.string() + " -t commands -s bin/g80").output;
  command = command.substr(command.find(": &&"));  // behind what ninja says about itself
  while (!command.empty() && command.back() == '\n') command.pop_back();
  replace_first(command, " -o bin/g80",
                objects_ + " -o " + (work_ / "g80").string());  // before the libraries: these win
  const Outcome linked = run("cd " + kBuild.string() + " && { " + command + "; }");
  ASSERT_EQ(linked.code, 0) << linked.output;
}

TEST_F(ExtendPage, DoesWhatItSays) {
  std::vector<Piece> pieces = pieces_of(kRoot / "docs/extend.md");
  ASSERT_NO_FATAL_FAILURE(apply_patches(pieces));
  const std::set<std::string> touched = touched_objects();
  // The two blocks, and the names in the configuration: whatever else includes these files makes the build slow.
  EXPECT_EQ(touched.size(), 3u) << ::testing::PrintToString(touched);
  ASSERT_NO_FATAL_FAILURE(compile(touched));
  ASSERT_NO_FATAL_FAILURE(link());

  const std::string program = "build/release/bin/g80";
  unsigned commands = 0;
  std::string should, is;
  for (Piece& piece : pieces) {
    should += piece.text;
    if (piece.kind == "console") {
      std::string printed;
      std::istringstream in(piece.text);
      for (std::string line; std::getline(in, line);) {
        if (line.rfind("$ " + program + " ", 0) != 0) continue;
        const Outcome outcome =
            run("cd " + kRoot.string() + " && " + (work_ / "g80").string() + line.substr(2 + program.size()));
        EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.output;
        printed += line + "\n" + outcome.output;
        ++commands;
      }
      piece.text = printed;
    }
    is += piece.text;
  }
  EXPECT_GE(commands, 4u);
  std::ofstream(work_ / "extend.md") << is;
  EXPECT_EQ(is, should) << "what the commands print now: cp " << (work_ / "extend.md").string() << " docs/extend.md";
}

}  // namespace
