// SPDX-License-Identifier: Apache-2.0
// Writes a folder of sources with mutants in it, and the list of them.
// mutate FROM TO FOLDER SEED COUNT PLAN [DROP [ONLY]]: of the places in FROM/FOLDER, COUNT drawn with SEED become
// mutants in TO/FOLDER: in C++, or in SystemVerilog if the folder is rtl. PLAN gets a line for each: number, file,
// line, operation, change, test programs (of rtl: the twins that contain the module), source. DROP lists "file:line"
// without mutants; ONLY is a regular expression for the beginning of the names of files with mutants.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/mutation/mutants.h"

namespace {

using g80::mutation::Chosen;
using g80::mutation::Place;
namespace fs = std::filesystem;

std::string contents_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Leaves a file with these contents untouched, so that nothing is compiled again.
void write_if_new(const fs::path& file, const std::string& contents) {
  if (fs::exists(file) && contents_of(file) == contents) return;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << contents;
}

/// The tests of the folder. A bundle has none: those of the blocks that it connects.
std::string programs_of(const std::string& file) {
  static const std::map<std::string, std::string> kBundles = {
      {"cta", "sm gpu"}, {"dram", "dram mem"},       {"host", "host"},
      {"line", "cache"}, {"smem", "smem sm"},        {"texture", "tex sm"},
      {"tlb", "cache"},  {"launch", "host sm exec"}, {"transaction", "mem"}};
  const std::string folder = fs::path(file).parent_path().filename(), name = fs::path(file).stem();
  if (folder == "isa") return "isa toolchain";
  // The record of blocks is in tb.
  if (folder == "dram" || name == "device_memory") return "dram mem tb";
  for (const char* outside : {"tex", "mem", "gpu", "host", "cache"}) {
    if (folder == outside) return folder + " tb";
  }
  if (folder != "bundles") return folder;
  const auto found = kBundles.find(name.substr(0, name.find('_')));
  return found != kBundles.end() ? found->second : "sm exec mem";
}

/// By SystemVerilog module: what is tested that contains it, as classes with spaces between them. A twin has an
/// adapter; the decoder has a test of its own.
std::map<std::string, std::string> twins_by_module(const fs::path& from,
                                                   const std::map<std::string, std::string>& sources) {
  std::map<std::string, std::set<std::string>> parts;
  for (const auto& entry : sources) parts[fs::path(entry.first).stem()];
  for (const auto& [file, source] : sources) {
    const std::string module = fs::path(file).stem(), of = "_observer";
    std::istringstream words(source);
    for (std::string word, next; words >> word; word = next) {
      const std::streampos at = words.tellg();
      words >> next, words.seekg(at);
      if (parts.count(word) != 0 && (next.compare(0, 1, "#") == 0 || next.compare(0, 2, "u_") == 0))
        parts[module].insert(word);
    }
    if (parts.count(module + of) != 0) parts[module].insert(module + of);
  }
  parts["instruction_decoder"].insert("micro_op_fields");  // its test has both
  std::map<std::string, std::string> twins;
  for (const auto& entry : parts) {
    const bool tested_alone = entry.first == "instruction_decoder";
    if (!tested_alone && !fs::exists(from / "rtl/adapters" / (entry.first + "_rtl.h"))) continue;
    std::string name;
    bool upper = true;
    for (const char c : entry.first) {
      if (c != '_') name += upper ? static_cast<char>(std::toupper(c)) : c;
      upper = c == '_';
    }
    std::set<std::string> inside{entry.first};
    for (std::size_t known = 0; known != inside.size();) {
      known = inside.size();
      for (const std::string& part : std::set<std::string>(inside))
        inside.insert(parts[part].begin(), parts[part].end());
    }
    for (const std::string& part : inside) twins[part] += (twins[part].empty() ? "" : " ") + name;
  }
  return twins;
}

struct Mutant {
  std::string file;
  const Place* place;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) {
    std::cerr << "mutate FROM TO FOLDER SEED COUNT PLAN [DROP [ONLY]]\n";
    return 2;
  }
  const fs::path from = argv[1], to = argv[2];
  const unsigned long seed = std::strtoul(argv[4], nullptr, 10), count = std::strtoul(argv[5], nullptr, 10);
  const std::regex only("^(" + std::string(argc > 8 ? argv[8] : "") + ")");
  std::set<std::string> dropped;
  if (argc > 7) {
    std::ifstream in(argv[7]);
    for (std::string line; std::getline(in, line);) dropped.insert(line);
  }

  std::map<std::string, std::string> sources;  // by name, so in the same order everywhere
  for (const auto& entry : fs::recursive_directory_iterator(from / argv[3])) {
    if (entry.is_regular_file()) sources[fs::relative(entry.path(), from).string()] = contents_of(entry.path());
  }
  const bool rtl = std::string(argv[3]) == "rtl";
  std::map<std::string, std::string> twins;
  if (rtl) twins = twins_by_module(from, sources);
  const auto tests_of = [&](const std::string& file) { return rtl ? twins[fs::path(file).stem()] : programs_of(file); };
  std::map<std::string, std::vector<Place>> places;
  std::vector<Mutant> mutants;
  for (const auto& [file, source] : sources) {
    const std::string suffix = fs::path(file).extension();
    const bool code = rtl ? suffix == ".sv" : suffix == ".h" || suffix == ".cpp";
    if (!code || tests_of(file).empty() || !std::regex_search(file, only)) continue;
    std::vector<Place>& found = places[file] =
        rtl ? g80::mutation::find_rtl_places(source) : g80::mutation::find_places(source);
    for (const Place& place : found) mutants.push_back({file, &place});
  }
  const std::size_t all = mutants.size();
  std::shuffle(mutants.begin(), mutants.end(), std::mt19937_64(seed));
  mutants.resize(std::min<std::size_t>(mutants.size(), count));

  std::map<std::string, std::vector<Chosen>> chosen;
  std::ofstream plan(argv[6]);
  unsigned number = 0, left_out = 0;
  for (const Mutant& mutant : mutants) {
    ++number;
    const Place& place = *mutant.place;
    if (dropped.count(mutant.file + ":" + std::to_string(place.line)) != 0) {
      ++left_out;
      continue;
    }
    chosen[mutant.file].push_back({&place, number});
    plan << number << '\t' << mutant.file << '\t' << place.line << '\t' << place.operation << '\t' << place.change
         << '\t' << tests_of(mutant.file) << '\t' << g80::mutation::quoted_line(sources[mutant.file], place) << '\n';
  }
  for (const auto& [file, source] : sources) write_if_new(to / file, g80::mutation::with_mutants(source, chosen[file]));
  plan.close();
  if (!plan) {
    std::cerr << "mutate: " << argv[6] << " cannot be written\n";
    return 1;
  }
  std::printf("seed %lu: %u mutants of %zu places, %u left out because they do not compile\n", seed, number - left_out,
              all, left_out);
  return 0;
}
