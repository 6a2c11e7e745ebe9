// SPDX-License-Identifier: Apache-2.0
// The headers against the list of names that the toolkits of CUDA 1.1 to 3.2 have (toolkit/names.txt).
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;

struct Section {
  std::string header;
  std::vector<std::string> there, unavailable, absent;
};

std::vector<Section> sections() {
  std::vector<Section> all;
  std::ifstream file(source("tests/runtime/toolkit/names.txt"));
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      all.push_back({line.substr(1, line.find(']') - 1), {}, {}, {}});
      continue;
    }
    Section& section = all.back();
    std::vector<std::string>& names = line[0] == '!'   ? section.unavailable
                                      : line[0] == '-' ? section.absent
                                                       : section.there;
    const std::size_t colon = line.find(": ");
    EXPECT_EQ(line[0] == '-', colon != std::string::npos && colon + 10 < line.size()) << "a sentence: " << line;
    std::istringstream words(line.substr(line[0] == '!' || line[0] == '-' ? 2 : 0, colon - (line[0] == '-' ? 2 : 0)));
    for (std::string word; words >> word;) names.push_back(word);
  }
  return all;
}

/// Compiles a program with one line for each name and returns the errors by name.
std::map<std::string, std::string> errors_of(const Section& section, const std::vector<std::string>& names,
                                             bool by_use) {
  const bool kernel = section.header == "kernel";
  std::string text = kernel ? "#include <math.h>\n" : "#include <" + section.header + ">\n";
  std::vector<std::string> name_at_line(2);  // lines are counted from 1
  for (const std::string& name : names) {
    const std::string line =
        by_use ? std::string(kernel ? "__device__ " : "") + "void use_" + name + "() { (void)&::" + name + "; }"
               : "namespace there { using ::" + name + "; }";
    text += "#ifndef " + name + "\n" + line + "\n#endif\n";
    name_at_line.insert(name_at_line.end(), {name, name, name});
  }
  const Outcome outcome =
      compile("-arch=sm_13 -Xcompiler -ferror-limit=0 -c " + write(kernel ? "names.cu" : "names.cpp", text),
              temporary("names.o"));
  std::map<std::string, std::string> errors;
  static const std::regex error("names\\.(?:cu|cpp):(\\d+):\\d+: error: ([^\n]*)");
  for (std::sregex_iterator it(outcome.output.begin(), outcome.output.end(), error), end; it != end; ++it)
    errors[name_at_line.at(std::stoul((*it)[1]))] = (*it)[2];
  EXPECT_EQ(outcome.code == 0, errors.empty()) << section.header << "\n" << outcome.output;
  return errors;
}

class ToolkitNames : public ProgramTest {};

TEST_F(ToolkitNames, AreThereOrRefusedWithASentence) {
  unsigned there = 0, refused = 0;
  for (const Section& section : sections()) {
    if (section.header == "files of the toolkit") continue;
    SCOPED_TRACE(section.header);
    for (const auto& [name, error] : errors_of(section, section.there, false)) ADD_FAILURE() << name << ": " << error;
    there += section.there.size();
    if (!section.unavailable.empty()) {
      const std::map<std::string, std::string> errors = errors_of(section, section.unavailable, true);
      for (const std::string& name : section.unavailable) {
        EXPECT_TRUE(errors.count(name) != 0 && errors.at(name).find("is unavailable: ") != std::string::npos)
            << name << " is not refused with a sentence";
      }
    }
    if (!section.absent.empty()) {
      const std::map<std::string, std::string> errors = errors_of(section, section.absent, false);
      for (const std::string& name : section.absent) EXPECT_EQ(errors.count(name), 1u) << name << " is there";
    }
    refused += section.unavailable.size() + section.absent.size();
  }
  EXPECT_GT(there, 1000u);
  EXPECT_GT(refused, 50u);
}

/// A file of another name would hide one of a program that makefiles search after the toolkit.
TEST(ToolkitFiles, AreThoseOfTheToolkitAndNoOthers) {
  const Section files = sections().front();
  ASSERT_EQ(files.header, "files of the toolkit");
  const std::set<std::string> listed(files.there.begin(), files.there.end());
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(source("toolchain/cuda/include"))) {
    if (entry.is_regular_file()) found.insert(entry.path().filename());
  }
  EXPECT_EQ(found, listed);
}

}  // namespace
