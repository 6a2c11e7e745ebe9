// SPDX-License-Identifier: Apache-2.0
// The sources of the blocks: no block names another one, so nothing but ports connects them; none holds what grows
// without bound or is found by a key, knows the time, or divides by a number of units or ways, as no hardware does. No
// block holds a plain member that it does not show. No class that shows its members leaves one out, nor one with a
// constructor, whose members no compiler counts for hw/common/members.h.
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

/// By how many there are of a unit, or of the ways of a set, which may be no power of two.
std::vector<std::string> dividing(const Sources& sources) {
  static const std::regex division(
      "[^/*]([/%] ?(?:\\w+(?:\\.|->))*(?:num_(?:tpcs|sms|partitions)|sms_per_tpc|\\w+_lanes|\\w*ways)_?\\b)");
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

TEST(BlockSources, NoBlockDividesByANumberOfUnitsOrWays) { EXPECT_THAT(dividing(committed_sources()), IsEmpty()); }

/// What a class need not show, as its value follows from what it shows, from its construction, or from the edge.
const std::set<std::pair<std::string, std::string>> kNotShown = {
    {"hw/cache/cache_tags.h", "line_bytes_"},  // what it was made for, down to `ways_`
    {"hw/cache/cache_tags.h", "line_shift_"},
    {"hw/cache/cache_tags.h", "policy_"},
    {"hw/cache/cache_tags.h", "sets_"},
    {"hw/cache/line_store.h", "line_words_"},
    {"hw/cache/mshr.h", "built_"},
    {"hw/common/delayed_fifo.h", "stages_"},
    {"hw/host/timer.h", "frequency_"},
    {"hw/tex/address_pipe.h", "width_"},
    {"hw/tex/filter_pipe.h", "latency_"},
    {"hw/tex/filter_pipe.h", "width_"},
    {"hw/tex/latency_queue.h", "width_"},
    {"hw/tex/texel_ports.h", "num_ports_"},
    {"hw/tex/texel_ports.h", "width_"},
    {"hw/tex/texel_ports.h", "line_bits_"},
    {"hw/cache/cache_tags.h", "ways_"},
    {"hw/cache/line_store.h", "unsent_"},          // a store of its block, which shows it
    {"hw/common/delayed_fifo.h", "any_arrived_"},  // the sum of what has arrived
    {"hw/tex/texture_cache.h", "misses_"},         // counted events
};

/// What a block holds beside its state, which hardware does not have.
const std::set<std::pair<std::string, std::string>> kNotState = {
    {"hw/cache/instruction_cache.h", "idle_"},  // follows from the state; a twin's is its pin
    {"hw/dram/dram_device.h", "cells_"},        // what the testbench's images fill
    {"hw/sm/load_table.h", "completed_"},       // wires of this edge
    {"hw/mem/crossbar.h", "renewed_"},          // which wires change at this edge
    {"hw/mem/crossbar.h", "driven_ready_"},
    {"hw/mem/tpc_arbiter.h", "renewed_"},
    {"hw/mem/tpc_arbiter.h", "driven_ready_"},
    {"hw/cache/tlb.h", "counted_"},  // for counters
    {"hw/dram/dram_controller.h", "moved_data_"},
    {"hw/dram/dram_controller.h", "wrote_last_"},
    {"hw/exec/sp_array.h", "events_"},
    {"hw/mem/reply_router.h", "reply_tried_"},
    {"hw/mem/reply_router.h", "refused_tried_"},
    {"hw/sm/operand_collector.h", "brought_"},  // for reports
    {"hw/sm/writeback.h", "load_values_"},
    {"hw/sm/writeback.h", "retiring_"},
    {"hw/sm/writeback.h", "last_retirement_"},
    {"hw/exec/sp_array.h", "sps_"},          // each shows its lane
    {"hw/exec/sp_array.h", "runs_stages_"},  // the stages catch up when somebody looks
    {"hw/exec/sp_array.h", "may_skip_"},
    {"hw/exec/sp_array.h", "last_run_"},
    {"hw/exec/sp_array.h", "made_"},
    {"hw/exec/sp_array.h", "resting_"},
    {"hw/exec/sp_array.h", "num_passed_"},
    {"hw/exec/sp_array.h", "passed_"},
};

/// Behind the brace at `open` or the one around `at`.
std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}' && --depth == 0) return at + 1;
  }
  return text.size();
}
std::size_t opening(const std::string& text, std::size_t at) {
  for (int depth = 0; at-- > 0;) {
    if (text[at] == '}') ++depth;
    if (text[at] == '{' && depth-- == 0) return at;
  }
  return 0;
}

/// Names that the class-level text of a class declares, without functions, constants and members whose type is in
/// `known`.
std::vector<std::string> members_of(const std::string& body, const std::regex& known = std::regex("^$")) {
  std::string text;
  for (std::size_t at = 1; at + 1 < body.size(); ++at) {
    if (body[at] == '{') at = closing(body, at) - 1;
    text += body[at] == '}' ? ';' : body[at];
  }
  static const std::regex access("\\b(public|private|protected)\\s*:|\\[[^\\]]*\\]|\\balignas\\([^)]*\\)"),
      angles("<[^<>]*>"), value("=[^,;]*|:\\s*\\d+"),
      other("\\b(using|static|friend|template|enum|struct|class|typedef|const|operator)\\b|\\("),
      declaration("\\s*[\\w:\\s]+?[\\s*&](\\w+)\\s*((?:,\\s*\\w+\\s*)*)"), word("\\w+");
  text = std::regex_replace(text, access, " ");
  for (int nested = 0; nested < 4; ++nested) text = std::regex_replace(text, angles, " ");
  std::vector<std::string> names;
  for (std::size_t from = 0, end; (end = text.find(';', from)) != std::string::npos; from = end + 1) {
    const std::string statement = std::regex_replace(text.substr(from, end - from), value, " ");
    std::smatch match;
    if (std::regex_search(statement, other) || std::regex_search(statement, known)) continue;
    if (!std::regex_match(statement, match, declaration)) continue;
    names.push_back(match[1]);
    const std::string more = match[2];
    for (std::sregex_iterator it(more.begin(), more.end(), word), last; it != last; ++it) names.push_back(it->str());
  }
  return names;
}

std::vector<std::string> left_out(const Sources& sources, std::size_t* members = nullptr) {
  static const std::regex shows("G80_FIELDS\\(|\\bvoid visit(_members)?\\(S& "), word("\\w+"), quoted("\"[^\"\n]*\"");
  std::map<std::pair<std::string, std::size_t>, std::set<std::string>> shown;  // by class
  std::vector<std::string> found;
  for (const auto& [path, full] : sources) {
    const std::string text = std::regex_replace(full, quoted, "");
    for (std::sregex_iterator it(text.begin(), text.end(), shows), end; it != end; ++it) {
      const auto at = static_cast<std::size_t>(it->position());
      const bool fields = (*it)[0].str().front() == 'G';
      const std::string what =
          fields ? text.substr(at, text.find(';', at) - at) : text.substr(at, closing(text, text.find('{', at)) - at);
      std::set<std::string>& names = shown[{path, opening(text, at)}];
      for (std::sregex_iterator name(what.begin(), what.end(), word), last; name != last; ++name)
        names.insert(name->str());
    }
    for (const auto& [where, names] : shown) {
      if (where.first != path) continue;
      for (const std::string& member :
           members_of(text.substr(where.second, closing(text, where.second) - where.second))) {
        if (members != nullptr) ++*members;
        if (names.count(member) == 0 && kNotShown.count({path, member}) == 0) found.push_back(path + ": " + member);
      }
    }
  }
  return found;
}

/// Ports, memories and registers that enter themselves with their block, what counts, and who observes.
const char* const kKnownType =
    "^\\s*(?:(?:Crossing)?(?:In|Out)|Ports|sc_core::sc_(?:in|port)|(?:Delayed|Reply)?(?:Fifo|Queue)|Delay(?:Registers|"
    "Memory)|"
    "(?:Stored|Loaded|Output)\\w*|Bursts|Flight|LineCache|Timer|Unwritten|"
    "Counters|StallAccount|\\w+(?:Port|Log|Observer)(?:\\s*\\*)?)\\s";

/// Members of blocks that no visitor of theirs names.
std::vector<std::string> held_by_blocks(const Sources& sources) {
  static const std::regex block("class \\w+(?: final)? : public (?:Clocked|StagedPipe|ExecPipe|CrossbarNetwork)\\b"),
      shows("\\bvoid (?:visit\\w*\\(|\\w+\\(S& )[^)]*\\)[^;{]*\\{"), word("\\w+"), known(kKnownType);
  std::vector<std::string> found;
  for (const auto& [path, text] : sources) {
    for (std::sregex_iterator it(text.begin(), text.end(), block), end; it != end; ++it) {
      const std::size_t open = text.find('{', static_cast<std::size_t>(it->position()));
      const std::string body = text.substr(open, closing(text, open) - open);
      std::set<std::string> shown;
      for (std::sregex_iterator visitor(body.begin(), body.end(), shows); visitor != end; ++visitor) {
        const auto at = static_cast<std::size_t>(visitor->position());
        const std::string named = body.substr(at, closing(body, body.find('{', at)) - at);
        for (std::sregex_iterator name(named.begin(), named.end(), word); name != end; ++name)
          shown.insert(name->str());
      }
      for (const std::string& member : members_of(body, known)) {
        if (shown.count(member) == 0 && kNotState.count({path, member}) == 0) found.push_back(path + ": " + member);
      }
    }
  }
  return found;
}

Sources headers() {
  Sources sources;
  const fs::path root = G80_SOURCE_DIR;
  for (const auto& entry : fs::recursive_directory_iterator(root / "hw")) {
    const std::string path = fs::relative(entry.path(), root).string();
    if (entry.path().extension() != ".h" || path == "hw/common/field_list.h") continue;
    std::ifstream in(entry.path());
    sources[path] = without_comments({std::istreambuf_iterator<char>(in), {}});
  }
  return sources;
}

TEST(BlockSources, AClassThatShowsItsMembersShowsEachOfThem) {
  std::size_t members = 0;
  EXPECT_THAT(left_out(headers(), &members), IsEmpty());
  EXPECT_GT(members, 1800u);
}

TEST(BlockSources, ABlockHoldsNothingThatItDoesNotShow) {
  const Sources sources = headers();
  for (const std::string& member : held_by_blocks(sources)) ADD_FAILURE() << member;
  for (const auto& [path, member] : kNotState) {
    EXPECT_NE(sources.at(path).find(member), std::string::npos) << path << " has no " << member;
  }
}

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
  EXPECT_THAT(dividing({{"a", "x / filter_lanes_;"},
                        {"b", "x % choice.num_tpcs;"},
                        {"c", "x / lanes_per_port;"},
                        {"d", "slot / ways_ * ways_;"}}),
              ElementsAre("a: / filter_lanes_", "b: % choice.num_tpcs", "d: / ways_"));
  EXPECT_THAT(
      held_by_blocks({{"a",
                       "class A : public Clocked<ARegs> { void visit_members(FieldVisitor& v) { v(\"b\", b_); }"
                       " const int a_; int b_; Fifo<int, 2> c_{*this, \"c\"}; In<int> d_i; unsigned e_ = 0; };"}}),
      ElementsAre("a: e_"));
  const std::string shows = "template <class S, class V> static void visit(S& s, V& v) { v(\"a\", s.a_); }";
  EXPECT_THAT(
      left_out({{"a", "class A { A(int); " + shows + " void f() { b_ = 1; } std::vector<int> a_; bool b_ = false; };"},
                {"b", "struct B { int a = 0, c[2]; const int d; struct E { int e; } in; G80_FIELDS(a, in); };"}}),
      ElementsAre("a: b_", "b: c"));
}

}  // namespace
}  // namespace g80
