// SPDX-License-Identifier: Apache-2.0
// docs/extend.md, executed: its patches are applied to copies of the files, the sources that see them are compiled, a
// second program is linked from the objects of this build, and it must print what the page says.
//
// The sections that call g80 make one second g80 together. Of a section that lists keys or counters, a program is made
// that does only this: a new key or counter changes structures that every object of g80 knows. The sources that such a
// section patches are compiled all the same.
//
// Sections that patch SystemVerilog make a third program, with the models of the twins that contain these modules. That
// takes minutes: `ctest -C long -L long`.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "source_dir.h"
#include "tests/pages/told_output.h"
#include "tests/support/shell.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = G80_SOURCE_DIR, kBuild = G80_BINARY_DIR;

using ::g80::test::are_as_told;
using ::g80::test::Lines;
using ::g80::test::lines_of;
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

/// The page in pieces: what is between ```kind and ```, and everything else as kind "". Each is in a section.
struct Piece {
  std::string kind, text, section;
};
std::vector<Piece> pieces_of(const fs::path& page) {
  std::vector<Piece> pieces{{"", "", ""}};
  std::istringstream in(text_of(page));
  std::string section;
  bool fenced = false;
  for (std::string line; std::getline(in, line);) {
    if (!fenced && line.rfind("## ", 0) == 0) {
      section = line.substr(3);
      pieces.push_back({"", "", section});
    }
    if (line.rfind("```", 0) == 0) {
      fenced = !fenced;
      if (!fenced) pieces.push_back({"", "", section});
      pieces.back().text += line + '\n';
      if (fenced) pieces.push_back({line.substr(3), "", section});
    } else {
      pieces.back().text += line + '\n';
    }
  }
  return pieces;
}

/// Commands of g80 that have a program of their own.
const std::map<std::string, std::string> kLists = {{"list_keys", "g80 list keys"},
                                                   {"list_counters", "g80 list counters"}};

/// The program below build/release/bin/ that a section's commands call; every line that begins with "$ " is one.
std::string program_of(const Piece& piece) {
  const std::string before = "$ build/release/bin/";
  const std::size_t at = piece.text.find(before);
  if (piece.kind != "console" || at == std::string::npos) return "";
  const std::size_t name = at + before.size();
  for (const auto& [program, command] : kLists) {
    if (piece.text.compare(name, command.size(), command) == 0) return program;
  }
  return piece.text.substr(name, piece.text.find_first_of(" \n", name) - name);
}

class ExtendPage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kBuild / "build.ninja") || run("command -v ninja && command -v patch").code != 0) {
      GTEST_SKIP() << "needs ninja, patch and a build made by ninja";
    }
    std::map<std::string, std::string> programs;  // section, program
    std::set<std::string> in_systemverilog;       // sections
    for (const Piece& piece : pieces_) {
      if (const std::string program = program_of(piece); !program.empty()) programs[piece.section] = program;
      if (piece.kind == "diff" && piece.text.find("+++ b/rtl/") != std::string::npos)
        in_systemverilog.insert(piece.section);
    }
    for (Piece& piece : pieces_) {
      const std::string& program = programs[piece.section];
      if (in_systemverilog.count(piece.section) != 0) {
        rtl_.push_back(&piece);
      } else if (!program.empty()) {
        groups_[program == "g80" ? program : piece.section].push_back(&piece);
      }
    }
  }

  /// A group of sections with one patched tree and one second program.
  struct Group {
    std::string program;
    fs::path work, tree;
    std::set<std::string> patched;  // files, from the project's folder
    std::string objects;            // compiled ones
  };
  Group begin(const std::string& name, const std::string& program);
  void execute(const std::vector<Piece*>& pieces, const std::string& name);
  void run_commands(const Group& group, const std::vector<Piece*>& pieces);
  std::vector<std::string> touched_twins(const Group& group);
  static std::string verilator_command(const Group& group, const std::string& twin);
  void verilate(Group& group, const std::string& twin);
  void expect_what_the_page_says(const std::vector<Piece>& before);
  void apply_patches(Group& group, const std::vector<Piece*>& pieces);
  std::set<std::string> touched_objects(const Group& group);
  void compile(Group& group, const std::set<std::string>& objects);
  void check_sources(const Group& group);
  void link(const Group& group);

  std::vector<Piece> pieces_ = pieces_of(kRoot / "docs/extend.md");
  std::map<std::string, std::vector<Piece*>> groups_;
  std::vector<Piece*> rtl_;  // of sections that patch SystemVerilog
  const nlohmann::json commands_ = nlohmann::json::parse(text_of(kBuild / "compile_commands.json"));
};

void ExtendPage::apply_patches(Group& group, const std::vector<Piece*>& pieces) {
  std::map<std::string, std::set<std::string>> of_section;
  for (const Piece* piece : pieces) {
    if (piece->kind != "diff") continue;
    std::istringstream in(piece->text);
    for (std::string line; std::getline(in, line);) {
      if (line.rfind("+++ b/", 0) != 0) continue;
      const std::string file = line.substr(6);
      of_section[piece->section].insert(file);
      if (!group.patched.insert(file).second) continue;
      fs::create_directories((group.tree / file).parent_path());
      if (fs::exists(kRoot / file)) {
        fs::copy_file(kRoot / file, group.tree / file, fs::copy_options::overwrite_existing);
      }
    }
    std::ofstream(group.work / "patch") << piece->text;
    const Outcome patch =
        run("patch --batch --fuzz=0 -p1 -d " + group.tree.string() + " -i " + (group.work / "patch").string());
    ASSERT_EQ(patch.code, 0) << piece->section << "\n" << patch.output;
  }
  for (const auto& [section, files] : of_section) {
    EXPECT_LE(files.size(), 3u) << section << ": " << ::testing::PrintToString(files);
  }
}

/// They are precompiled from the files as they are, and optimised.
void leave_out_common_headers(std::string& command) {
  const std::size_t header = command.find(" -include ");
  if (header != std::string::npos) command.erase(header, command.find(' ', header + 10) - header);
}

/// Objects of the program whose sources include one of the patched files.
std::set<std::string> ExtendPage::touched_objects(const Group& group) {
  const std::map<std::string, std::vector<std::string>> folders = {
      {"g80", {"CMakeFiles/g80", "rtl/"}},
      {"list_keys", {"tests/CMakeFiles/list_keys.dir", "CMakeFiles/g80_config.dir"}},
      {"list_counters", {"tests/CMakeFiles/list_counters.dir", "CMakeFiles/g80_report.dir"}}};
  std::set<std::string> touched;
  std::istringstream in(run("ninja -C " + kBuild.string() + " -t deps").output);
  std::string object;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("    ", 0) != 0) {
      object = line.substr(0, line.find(':'));
      continue;
    }
    const auto& of_program = folders.at(group.program);
    const bool is_of_program = std::any_of(of_program.begin(), of_program.end(),
                                           [&](const std::string& folder) { return object.rfind(folder, 0) == 0; });
    const fs::path needed = (kBuild / line.substr(4)).lexically_normal();  // ccache makes paths relative
    for (const std::string& file : group.patched) {
      if (is_of_program && needed == (kRoot / file).lexically_normal()) touched.insert(object);
    }
  }
  return touched;
}

void ExtendPage::compile(Group& group, const std::set<std::string>& objects) {
  std::size_t compiled = 0;
  for (const auto& entry : commands_) {
    std::string command = entry.at("command");
    const std::size_t at = command.find(" -o ") + 4;
    const std::string output = command.substr(at, command.find(' ', at) - at);
    if (objects.count(output) == 0) continue;
    std::string name = output;
    std::replace(name.begin(), name.end(), '/', '_');
    const std::string object = (group.work / name).string();
    replace_first(command, " -I", " -I" + group.tree.string() + " -I");
    replace_first(command, " -o " + output, " -O0 -o " + object);  // quick to compile, and fast enough
    leave_out_common_headers(command);
    const Outcome compiled_one = run("cd " + entry.at("directory").get<std::string>() + " && " + command);
    ASSERT_EQ(compiled_one.code, 0) << compiled_one.output;
    group.objects += " " + object;
    ++compiled;
  }
  ASSERT_EQ(compiled, objects.size());
}

/// Compiles the patched sources, and the one that reads the machine's counters, as the library g80_tb would.
void ExtendPage::check_sources(const Group& group) {
  std::set<std::string> sources;
  for (const std::string& file : group.patched) {
    if (fs::path(file).extension() == ".cpp") sources.insert((group.tree / file).string());
    if (file == "tb/record/counters.def") sources.insert((kRoot / "tb/record/counter_snapshot.cpp").string());
  }
  for (const auto& entry : commands_) {
    std::string command = entry.at("command");
    if (sources.empty() || command.find("CMakeFiles/g80_tb.dir/batches/") == std::string::npos) continue;
    command = command.substr(0, command.find(" -o "));
    replace_first(command, " -I", " -I" + group.tree.string() + " -I");
    leave_out_common_headers(command);
    for (const std::string& source : sources) {
      const Outcome checked =
          run("cd " + entry.at("directory").get<std::string>() + " && " + command + " -fsyntax-only " + source);
      EXPECT_EQ(checked.code, 0) << checked.output;
    }
    return;
  }
  EXPECT_TRUE(sources.empty()) << "no command to compile with";
}

void ExtendPage::link(const Group& group) {
  std::string command = run("ninja -C " + kBuild.string() + " -t commands -s bin/" + group.program).output;
  command = command.substr(command.find(": &&"));  // behind what ninja says about itself
  while (!command.empty() && command.back() == '\n') command.pop_back();
  const std::string folder = kLists.count(group.program) != 0 ? "tests/CMakeFiles/" : "CMakeFiles/";
  const std::string own = folder + group.program + ".dir/";  // objects that stand before the libraries
  std::istringstream objects(group.objects);
  std::string added;
  for (std::string object; objects >> object;) {
    std::string flat = own;
    std::replace(flat.begin(), flat.end(), '/', '_');
    const std::size_t at = object.find(flat);
    if (at == std::string::npos) {
      added += " " + object;
      continue;
    }
    std::istringstream words(command);  // of the program itself: instead of the old one
    for (std::string word; words >> word;) {
      std::string name = word;
      std::replace(name.begin(), name.end(), '/', '_');
      if (name == object.substr(at)) replace_first(command, word, object);
    }
  }
  replace_first(command, " -o bin/" + group.program,
                added + " -o " + (group.work / group.program).string());  // before the libraries: these win
  const Outcome linked = run("cd " + kBuild.string() + " && { " + command + "; }");
  ASSERT_EQ(linked.code, 0) << linked.output;
}

/// An empty folder for a group.
ExtendPage::Group ExtendPage::begin(const std::string& name, const std::string& program) {
  std::string folder = name;
  std::replace(folder.begin(), folder.end(), ' ', '_');
  Group group;
  group.program = program;
  group.work = kBuild / "extend" / folder;
  group.tree = group.work / "tree";
  fs::remove_all(group.work);
  fs::create_directories(group.tree);
  fs::copy(kRoot / "configs", group.tree / "configs");
  return group;
}

/// Applies the patches, makes the program and replaces what the page says it prints by what it prints.
void ExtendPage::execute(const std::vector<Piece*>& pieces, const std::string& name) {
  std::string program = name == "g80" ? name : "";
  for (const Piece* piece : pieces) {
    if (program.empty()) program = program_of(*piece);
  }
  Group group = begin(name, program);
  ASSERT_NO_FATAL_FAILURE(apply_patches(group, pieces));
  const std::set<std::string> touched = touched_objects(group);
  if (group.program == "g80") {
    // One block or, of control flow, one block and the reference for each table, and the names in the configuration:
    // whatever else includes these files makes the build slow.
    EXPECT_LE(touched.size(), 8u) << ::testing::PrintToString(touched);
  }
  ASSERT_NO_FATAL_FAILURE(compile(group, touched));
  check_sources(group);
  ASSERT_NO_FATAL_FAILURE(link(group));
  run_commands(group, pieces);
}

void ExtendPage::run_commands(const Group& group, const std::vector<Piece*>& pieces) {
  const auto list = kLists.find(group.program);
  const std::string program = "build/release/bin/" + (list == kLists.end() ? group.program : list->second);
  const std::string synthesis = "$ rtl/tools/python rtl/synth/run.py";
  for (Piece* piece : pieces) {
    if (piece->kind != "console") continue;
    std::string printed;
    const Lines lines = lines_of(std::istringstream(piece->text));
    for (std::size_t at = 0; at < lines.size(); ++at) {
      const std::string& line = lines[at];
      if (line.rfind(synthesis, 0) == 0) {  // of the patched modules
        fs::copy(kRoot / "rtl", group.tree / "rtl", fs::copy_options::recursive | fs::copy_options::skip_existing);
        fs::create_directory_symlink(kRoot / "build", group.tree / "build");
        const Outcome cells = run("cd " + group.tree.string() + " && " + line.substr(2) + " --generated " +
                                  (kBuild / "rtl").string() + " 2> /dev/null");
        printed = cells.code == 77 ? piece->text : line + "\n" + cells.output;
        break;
      }
      if (line.rfind("$ " + program, 0) != 0) continue;
      const Outcome outcome =
          run("cd " + kRoot.string() + " && G80_DATA_DIR=$PWD G80_CONFIG_DIR=" + (group.tree / "configs").string() +
              " " + (group.work / group.program).string() + line.substr(2 + program.size()));
      EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.output;
      const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      const Lines told(
          begin, std::find_if(begin, lines.end(), [](const std::string& next) { return next.rfind("$ ", 0) == 0; }));
      printed += line + "\n";
      if (are_as_told(lines_of(std::istringstream(outcome.output)), told)) {
        for (const std::string& one : told) printed += one + "\n";
      } else {
        printed += outcome.output;
      }
    }
    piece->text = printed;
  }
}

/// The twins whose models contain a patched module.
std::vector<std::string> ExtendPage::touched_twins(const Group& group) {
  std::vector<std::string> twins;
  for (const auto& entry : fs::directory_iterator(kRoot / "rtl/adapters")) {
    const std::string file = entry.path().filename().string(), suffix = "_rtl.h";
    if (file.size() <= suffix.size() || file.compare(file.size() - suffix.size(), suffix.size(), suffix) != 0) continue;
    const std::string twin = file.substr(0, file.size() - suffix.size());
    const std::string sources = text_of(kBuild / "rtl" / ("rtl_" + twin) / ("V" + twin + "__verFiles.dat"));
    const bool contains = std::any_of(group.patched.begin(), group.patched.end(), [&](const std::string& module) {
      return sources.find('"' + module + '"') != std::string::npos;
    });
    if (contains) twins.push_back(twin);
  }
  std::sort(twins.begin(), twins.end());
  return twins;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

/// What makes the C++ of a twin's model, with the patched modules.
std::string ExtendPage::verilator_command(const Group& group, const std::string& twin) {
  const std::string folder = (kBuild / "rtl" / ("rtl_" + twin)).string(), own = (group.work / ("rtl_" + twin)).string();
  const std::string model = "rtl/rtl_" + twin + "/V" + twin + "__slow.cpp";
  std::string command = run("ninja -C " + kBuild.string() + " -t commands -s " + model).output;
  command = command.substr(command.find("cd "));
  replace_all(command, folder, own);
  std::string search;
  for (const std::string& module : group.patched) {
    replace_all(command, " " + module + " ", " " + (group.tree / module).string() + " ");
    search += " -y " + (group.tree / module).parent_path().string();
  }
  replace_first(command, " -y ", search + " -y ");
  return command;
}

/// Makes the model of a twin from the patched modules, and compiles it and what knows it.
void ExtendPage::verilate(Group& group, const std::string& twin) {
  const std::string folder = (kBuild / "rtl" / ("rtl_" + twin)).string(), own = (group.work / ("rtl_" + twin)).string();
  fs::create_directories(own);
  const Outcome made = run(verilator_command(group, twin));
  ASSERT_EQ(made.code, 0) << made.output;

  for (const std::string& object : {"rtl/CMakeFiles/rtl_" + twin + ".dir/rtl_" + twin + "/V" + twin + "__slow.cpp.o",
                                    "rtl/CMakeFiles/rtl_" + twin + ".dir/rtl_" + twin + "/V" + twin + "__fast0.cpp.o",
                                    "rtl/CMakeFiles/g80_rtl.dir/" + twin + "_twin.cpp.o"}) {
    const auto entry = std::find_if(commands_.begin(), commands_.end(), [&](const nlohmann::json& one) {
      return one.at("command").get<std::string>().find(" -o " + object + " ") != std::string::npos;
    });
    ASSERT_NE(entry, commands_.end()) << object;
    std::string compile = entry->at("command");
    const std::string output = own + "/" + fs::path(object).filename().string();
    replace_first(compile, " -o " + object, " -o " + output);
    replace_all(compile, folder, own);
    const Outcome compiled = run("cd " + entry->at("directory").get<std::string>() + " && " + compile);
    ASSERT_EQ(compiled.code, 0) << compiled.output;
    group.objects += " " + output;
  }
}

// A fence with a file's name quotes this file.
TEST_F(ExtendPage, QuotesFilesAsTheyAre) {
  unsigned quoted = 0;
  for (const Piece& piece : pieces_) {
    const std::size_t space = piece.kind.find(' ');
    if (space == std::string::npos) continue;
    ++quoted;
    const std::string file = piece.kind.substr(space + 1);
    EXPECT_NE(text_of(kRoot / file).find(piece.text), std::string::npos) << file << " does not have:\n" << piece.text;
  }
  EXPECT_GE(quoted, 3u);
}

void ExtendPage::expect_what_the_page_says(const std::vector<Piece>& before) {
  std::string should, is;
  for (const Piece& piece : before) should += piece.text;
  for (const Piece& piece : pieces_) is += piece.text;
  std::ofstream(kBuild / "extend/extend.md") << is;
  EXPECT_EQ(is, should) << "what the commands print now: cp " << (kBuild / "extend/extend.md").string()
                        << " docs/extend.md";
}

TEST_F(ExtendPage, DoesWhatItSays) {
  const std::vector<Piece> before = pieces_;
  EXPECT_GE(groups_.size(), 3u);
  for (const auto& [name, pieces] : groups_) execute(pieces, name);
  expect_what_the_page_says(before);
}

TEST_F(ExtendPage, ChangesInSystemVerilogAreCleanUnderLint) {
  Group group = begin("lint", "g80");
  ASSERT_NO_FATAL_FAILURE(apply_patches(group, rtl_));
  const std::vector<std::string> twins = touched_twins(group);
  EXPECT_EQ(twins, (std::vector<std::string>{"bank_conflict", "shared_memory", "warp_scheduler"}));
  for (const std::string& twin : twins) {
    std::string command = verilator_command(group, twin);
    command = command.substr(command.find("verilator_bin"));
    command = command.substr(0, command.find(" && "));
    replace_first(command, " --cc ", " --lint-only -Wall ");
    replace_first(command, " -Wno-fatal ", " ");
    const Outcome lint = run("cd " + kRoot.string() + " && " + command);
    EXPECT_EQ(lint.code, 0) << lint.output;
  }
}

TEST_F(ExtendPage, ChangesInSystemVerilogDoWhatItSays) {
  const std::vector<Piece> before = pieces_;
  Group group = begin("rtl", "g80");
  ASSERT_NO_FATAL_FAILURE(apply_patches(group, rtl_));
  for (const std::string& twin : touched_twins(group)) ASSERT_NO_FATAL_FAILURE(verilate(group, twin));
  ASSERT_NO_FATAL_FAILURE(link(group));
  run_commands(group, rtl_);
  expect_what_the_page_says(before);
}

}  // namespace
