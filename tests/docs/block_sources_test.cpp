// SPDX-License-Identifier: Apache-2.0
// The sources of the blocks: no block names another one, so nothing but ports connects them; none holds what grows
// without bound or is found by a key, knows the time, or divides by a number of units, as no hardware does.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "source_dir.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Sources = std::map<std::string, std::string>;  // path, text without comments

std::string without_comments(const std::string& text) {
  static const std::regex comment("//[^\n]*");
  return std::regex_replace(text, comment, "");
}

const char* const kFolders[] = {"host", "gpu", "sm", "exec", "smem", "cache", "tex", "mem", "dram"};
/// They make blocks and wires and have no state of their own.
const std::set<std::string> kWiring = {"hw/gpu/connector",      "hw/gpu/gpu", "hw/gpu/idle_detector",
                                       "hw/gpu/memory_channel", "hw/gpu/tpc", "hw/sm/sm"};

std::string stem(const std::string& path) { return path.substr(0, path.rfind('.')); }

Sources committed_sources() {
  Sources sources;
  const fs::path root = G80_SOURCE_DIR;
  for (const char* folder : kFolders) {
    for (const auto& entry : fs::directory_iterator(root / "hw" / folder)) {
      const std::string path = fs::relative(entry.path(), root).string();
      if (path.find(".md") != std::string::npos || kWiring.count(stem(path)) != 0) continue;
      std::ifstream in(entry.path());
      sources[path] = without_comments({std::istreambuf_iterator<char>(in), {}});
    }
  }
  return sources;
}

/// Classes that a Domain steps, with the source that declares them.
std::map<std::string, std::string> blocks_of(const Sources& sources) {
  std::map<std::string, std::string> blocks;
  static const std::regex declaration(
      "class (\\w+)(?: final)? : public (?:Clocked|StagedPipe|ExecPipe|CrossbarNetwork)\\b");
  for (const auto& [path, text] : sources) {
    for (std::sregex_iterator it(text.begin(), text.end(), declaration), end; it != end; ++it)
      blocks[(*it)[1]] = stem(path);
  }
  return blocks;
}

/// "a.h names B": a source other than B's own that is not derived from it either.
std::vector<std::string> blocks_that_name_another(const Sources& sources) {
  const auto blocks = blocks_of(sources);
  std::map<std::string, std::set<std::string>> bases;
  static const std::regex base("public (\\w+)"), own("(?:struct|class) (\\w+)"), word("\\w+");
  for (const auto& [path, text] : sources) {
    for (std::sregex_iterator it(text.begin(), text.end(), base), end; it != end; ++it)
      bases[stem(path)].insert((*it)[1]);
    for (std::sregex_iterator it(text.begin(), text.end(), own), end; it != end; ++it)
      bases[stem(path)].insert((*it)[1]);
  }
  std::vector<std::string> found;
  for (const auto& [path, text] : sources) {
    std::set<std::string> named;
    for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) named.insert(it->str());
    for (const auto& [block, home] : blocks) {
      if (home != stem(path) && bases[stem(path)].count(block) == 0 && named.count(block) != 0)
        found.push_back(path + " names " + block);
    }
  }
  return found;
}

/// What may grow: it is there for who watches, or outside the chip.
const std::set<std::pair<std::string, std::string>> kMayGrow = {
    {"hw/host/launch_log.h", "records_"},  // records for reports
    {"hw/exec/sp_array.cpp", "sps_"},      // the SPs of the array, made with it
};

std::vector<std::string> unbounded(const Sources& sources) {
  static const std::regex type(
      "std::(unordered_\\w+|map|multimap|set|multiset|list|forward_list|deque|queue|priority_queue|stack|function|any)"
      "\\b");
  static const std::regex growth("(\\w+)(?:\\.|->)(?:\\w+(?:\\.|->))?(push_back|emplace_back|resize)\\(");
  std::vector<std::string> found;
  for (const auto& [path, text] : sources) {
    for (std::sregex_iterator it(text.begin(), text.end(), type), end; it != end; ++it)
      found.push_back(path + ": " + it->str());
    for (std::sregex_iterator it(text.begin(), text.end(), growth), end; it != end; ++it) {
      const std::string what = (*it)[1];
      if (what != "log_" && kMayGrow.count({path, what}) == 0) found.push_back(path + ": " + what + " grows");
    }
  }
  return found;
}

TEST(BlockSources, NoBlockNamesAnother) {
  const Sources sources = committed_sources();
  EXPECT_GT(blocks_of(sources).size(), 40u);
  EXPECT_THAT(blocks_that_name_another(sources), IsEmpty());
}

TEST(BlockSources, NoBlockHoldsWhatIsUnboundedOrFoundByAKey) {
  const Sources sources = committed_sources();
  EXPECT_THAT(unbounded(sources), IsEmpty());
  for (const auto& [path, what] : kMayGrow)
    EXPECT_NE(sources.at(path).find(what + ".push_back("), std::string::npos) << path << " has no " << what;
}

/// Of the simulator: a block counts the edges of its clock.
std::vector<std::string> knowing_the_time(const Sources& sources) {
  static const std::regex time("sc_time\\w*|time_of_log");
  std::vector<std::string> found;
  for (const auto& [path, text] : sources) {
    std::smatch match;
    if (std::regex_search(text, match, time)) found.push_back(path + ": " + match.str());
  }
  return found;
}

/// By how many there are of a unit, which may be no power of two.
std::vector<std::string> dividing(const Sources& sources) {
  static const std::regex division(
      "[^/*]([/%] ?(?:\\w+(?:\\.|->))*(?:num_(?:tpcs|sms|partitions)|sms_per_tpc|\\w+_lanes)_?\\b)");
  const std::string by_division = "hw/mem/address_map.cpp";  // what the divider's stages are compared with
  std::vector<std::string> found;
  for (const auto& [path, text] : sources) {
    std::smatch match;
    if (path != by_division && std::regex_search(text, match, division)) found.push_back(path + ": " + match[1].str());
  }
  return found;
}

TEST(BlockSources, NoBlockKnowsTheTime) {
  Sources sources = committed_sources();
  for (const char* log : {"hw/bundles/event_log.h", "hw/bundles/transaction.h"}) {
    std::ifstream in(fs::path(G80_SOURCE_DIR) / log);
    sources[log] = without_comments({std::istreambuf_iterator<char>(in), {}});
  }
  EXPECT_THAT(knowing_the_time(sources), IsEmpty());
}

TEST(BlockSources, NoBlockDividesByANumberOfUnits) { EXPECT_THAT(dividing(committed_sources()), IsEmpty()); }

TEST(BlockSources, OffendersAreFound) {
  const Sources sources = {
      {"hw/sm/a.h", "class A : public Clocked<ARegs> { const B& b_; std::map<int, int> m_; };"},
      {"hw/sm/a.cpp", without_comments("void A::next() { list_.push_back(1); log_->issue.push_back(2); }  // B")},
      {"hw/sm/b.h", "class B final : public Clocked<BRegs> { void next() override; };"},
      {"hw/exec/c.h", "class C : public ExecPipe { struct A {}; };"},
      {"hw/exec/exec_pipe.h", "class ExecPipe : public Clocked<ExecPipeRegs> {};"},
  };
  EXPECT_THAT(blocks_that_name_another(sources), ElementsAre("hw/sm/a.h names B"));
  EXPECT_THAT(unbounded(sources), ElementsAre("hw/sm/a.cpp: list_ grows", "hw/sm/a.h: std::map"));
  EXPECT_THAT(knowing_the_time({{"a", "at = sc_core::sc_time_stamp().value();"}}), ElementsAre("a: sc_time_stamp"));
  EXPECT_THAT(dividing({{"a", "x / filter_lanes_;"}, {"b", "x % choice.num_tpcs;"}, {"c", "x / lanes_per_port;"}}),
              ElementsAre("a: / filter_lanes_", "b: % choice.num_tpcs"));
}

}  // namespace
}  // namespace g80
