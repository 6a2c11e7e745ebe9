// SPDX-License-Identifier: Apache-2.0
// hw/sm/README.md against the SM: the pins, the wires for recorders, and the fields of the retirement port. And the
// port itself: what it tells of a program, and that it tells each cycle once.
#include <gmock/gmock.h>

#include <fstream>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>

#include "source_dir.h"
#include "tests/sm/sm_kernels.h"

namespace g80 {
namespace {

using testing::prologue;
using testing::SmBench;
using testing::operator+;
using Lines = std::vector<std::string>;
using SmContract = testing::SystemCTest;

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(G80_SOURCE_DIR "/") + file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// All matches of `pattern`, the groups joined by a blank.
std::vector<std::string> found_in(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    std::string joined;
    for (std::size_t group = 1; group < it->size(); ++group) joined += (group == 1 ? "" : " ") + (*it)[group].str();
    found.push_back(joined);
  }
  return found;
}

std::vector<std::string> pins_of(const std::string& header) {
  std::vector<std::string> pins;
  for (const auto& [kind, pattern] :
       std::vector<std::pair<const char*, const char*>>{{"wire in", "\\bIn<(\\w+)> (\\w+)\\{"},
                                                        {"queue in", "CrossingIn<(\\w+)> (\\w+)\\{"},
                                                        {"queue out", "CrossingOut<(\\w+)> (\\w+)\\{"},
                                                        {"wire", "Wire<(\\w+)> (\\w+)\\{"}}) {
    for (const std::string& pin : found_in(header, pattern)) {
      const std::size_t blank = pin.find(' ');
      pins.push_back(pin.substr(blank + 1) + ": " + kind + " " + pin.substr(0, blank));
    }
  }
  return pins;
}

/// The rows of the page, one for each list of a report: "| `issue` | 1 | `uid` 32, ... |".
class ReportRows final : public FieldVisitor {
 public:
  std::vector<std::string> rows;

  void enter(const char* name, int index) override {
    if (depth_++ == 0) begin(name);
    if (depth_ == 2) entries_ = static_cast<unsigned>(index) + 1;
    if (depth_ > 2) path_.push_back(index < 0 ? name : fmt::format("{}[{}]", name, index));
  }
  void leave() override {
    if (depth_-- > 2) path_.pop_back();
    if (depth_ == 0) end();
  }
  void leaf(const char* name, int index, std::uint64_t, unsigned width, const EnumText*) override {
    if (depth_ == 0) {
      begin(name);
      rows.back() += fmt::format("| 1 | {} |", width);
      return;
    }
    if (depth_ == 1 && std::string(name) == "count") return;
    if (entries_ > 1) return;  // as in the first entry
    std::string path;
    for (const std::string& part : path_) path += part + ".";
    if (index > 0) {
      fields_.back().last = index;
    } else {
      fields_.push_back({path + name, width, index});
    }
  }

 private:
  struct Field {
    std::string name;
    unsigned width;
    int last;  // index of the last element; -1: no array. In end(): size of the array around it
  };
  void begin(const char* name) {
    rows.push_back(fmt::format("| `{}` ", name));
    fields_.clear();
    path_.clear();
    entries_ = 0;
  }
  void end() {
    // An array is named once, with its size: words[6].lane[32].
    static const std::regex element("\\[(\\d+)\\]");
    std::vector<Field> arrays;
    for (Field field : fields_) {
      std::smatch match;
      const int outer = std::regex_search(field.name, match, element) ? std::stoi(match[1]) + 1 : 0;
      field.name = std::regex_replace(field.name, element, "[]");
      if (field.last >= 0) field.name += fmt::format("[{}]", field.last + 1);
      if (arrays.empty() || arrays.back().name != field.name) arrays.push_back(field);
      arrays.back().last = outer;
    }
    // What a line of the page has no room for stands in a row without a name.
    constexpr std::size_t kColumns = 150;
    std::string line = rows.back() + fmt::format("| {} | ", std::max(entries_, 1u)), text, separator;
    for (const Field& field : arrays) {
      const std::string name = std::regex_replace(field.name, std::regex("\\[\\]"), fmt::format("[{}]", field.last));
      const std::string item = fmt::format("`{}` {}", name, field.width);
      if (line.size() + item.size() > kColumns) {
        text += line + " |\n";
        line = "| | | ";
        separator.clear();
      }
      line += separator + item;
      separator = ", ";
    }
    rows.back() = text + line + " |";
  }
  unsigned depth_ = 0, entries_ = 0;
  std::vector<std::string> path_;
  std::vector<Field> fields_;
};

TEST_F(SmContract, ThePageListsEveryPin) {
  const std::string page = text_of("hw/sm/README.md");
  std::vector<std::string> listed;
  for (const std::string& row : found_in(page, "\\n\\| `(\\w+)` \\| (wire in|queue in|queue out) \\| `(\\w+)` \\|")) {
    const std::size_t name = row.find(' ');
    listed.push_back(row.substr(0, name) + ":" + row.substr(name));
  }
  for (const std::string& row : found_in(page, "\\n\\| `(\\w+)` \\| `(\\w+)` \\| ")) {
    const std::size_t name = row.find(' ');
    listed.push_back(row.substr(0, name) + ": wire" + row.substr(name));
  }
  const std::vector<std::string> declared = pins_of(text_of("hw/sm/sm_pins.h"));
  EXPECT_GE(declared.size(), 16u);
  EXPECT_THAT(listed, ::testing::UnorderedElementsAreArray(declared));
}

TEST_F(SmContract, NoOtherPinExists) {
  SmBench bench;
  std::set<std::string> ports, declared;
  for (const sc_core::sc_object* child : bench.sm.get_child_objects()) {
    if (dynamic_cast<const sc_core::sc_port_base*>(child) != nullptr) ports.insert(child->basename());
  }
  for (const std::string& pin : pins_of(text_of("hw/sm/sm_pins.h"))) {
    if (pin.find(": wire ") == std::string::npos || pin.find(": wire in") != std::string::npos)
      declared.insert(pin.substr(0, pin.find(':')));
  }
  EXPECT_EQ(ports, declared);
}

TEST_F(SmContract, ThePageListsEveryFieldOfTheRetirementPort) {
  const std::string page = text_of("hw/sm/README.md");
  ReportRows should;
  const SmReport report;
  visit_fields(report, should);
  ASSERT_GE(should.rows.size(), 14u);
  std::string table = "| List | Entries | Fields |\n|---|---|---|\n";
  for (const std::string& row : should.rows) table += row + "\n";
  EXPECT_NE(page.find(table + "\n"), std::string::npos) << "hw/sm/README.md should have this table:\n" << table;
}

class Tally final : public SmObserver {
 public:
  void observe(const SmReport& report) override {
    EXPECT_TRUE(reports == 0 || report.cycle > cycle) << "reports come in order of time";
    EXPECT_EQ(report.cycle % 2, 0u) << "one for each scheduler cycle";
    cycle = report.cycle;
    ++reports;
    if (report.stall.valid) {
      stall[static_cast<unsigned>(report.stall.reason)] += 1;
      stall[static_cast<unsigned>(report.stall.asleep_reason)] += report.stall.asleep;
    }
    for (const SmReport::Issue& issue : report.issue) EXPECT_TRUE(in_flight.insert(issue.tag.bits).second);
    for (const SmReport::HandOut& out : report.hand_out) handed_out.push_back(out.pc);
    for (const SmReport::Release& release : report.release) released.push_back(release.fetched.pc);
    for (const SmReport::Issue& issue : report.issue) issued.push_back(issue.fetched.pc);
    for (const SmReport::Retire& retire : report.retire) {
      EXPECT_EQ(in_flight.erase(retire.tag.bits), 1u) << "retired once, after its issue";
      const auto lanes = static_cast<unsigned>(__builtin_popcount(retire.lanes));
      thread_instructions += lanes;
      ++active_lanes[4 - lanes / 8];
      if (retire.num_registers != 0) last_written = retire;
      if (retire.fetched.decoded().insn.post_increment) last_incremented = retire;
      retired.push_back(retire.fetched.pc);
      EXPECT_TRUE(retire.num_registers != 0 || retire.first_register == 0);
      with_values += retire.num_registers != 0;
    }
    conflicts += report.conflict.count;
    passes += report.smem.count;
    operands += report.operands.count;
    for (const SmReport::Operands& entry : report.operands) as_stored += entry.as_stored;
  }
  Cycle cycle = 0;
  std::uint64_t reports = 0, thread_instructions = 0, conflicts = 0, passes = 0, operands = 0, as_stored = 0,
                with_values = 0;
  std::array<std::uint64_t, kNumStallReasons> stall{};
  std::array<std::uint64_t, 5> active_lanes{};
  SmReport::Retire last_written;      // the last with values
  SmReport::Retire last_incremented;  // the last with an address register that was incremented
  std::set<std::uint32_t> in_flight;
  std::vector<std::uint32_t> handed_out, issued, released, retired;  // program counters, in order of time
};

/// Runs one block and tells `tally` all that its instructions did. False if the block does not end.
bool run_one_block(SmBench& bench, Tally& tally) {
  bench.sm.attach(tally, RetirementPort::Reads::kAll);
  const bool ended = bench.run(1);
  bench.idle(100);
  bench.sm.flush_reports();
  bench.sm.detach(tally);
  return ended;
}

/// Conflicts of 16 passes, an SFU instruction, a load, a barrier.
Lines busy_program() {
  return prologue(1) + Lines{"shl $a1 $r1 0x6",     "st b32 s[$a1+0x20] $r1",  "ld $r5 b32 s[$a1+0x20]",
                             "rcp f32 $r6 $r5",     "ld b32 $r8 g14[$r2]",     "bar inc wait 0x0 0xfff",
                             "add b32 $r8 $r8 $r5", "exit st b32 g14[$r2] $r8"};
}

TEST_F(SmContract, ReportsAddUpToTheCounters) {
  SmBench bench({"sm.max_ctas=1"});
  bench.launch.shared_bytes = 0x1900;
  bench.launch.threads = bench.launch.block_x = 96;
  bench.code(busy_program());
  Tally tally;
  bench.sm.attach(tally, RetirementPort::Reads::kProfile);
  ASSERT_TRUE(bench.run(3));
  bench.idle(500);
  bench.sm.flush_reports();
  const Cycle now = bench.shader.edge();
  const SmReport::Stall rest = bench.sm.unreported(now);
  tally.stall[static_cast<unsigned>(rest.asleep_reason)] += rest.asleep;
  const SmCounterBank bank = bench.sm.counters(now);
  EXPECT_EQ(tally.stall, bank.stall);
  EXPECT_EQ(std::accumulate(bank.stall.begin(), bank.stall.end(), std::uint64_t{0}), now / 2);
  EXPECT_EQ(tally.thread_instructions, bank.thread_instructions);
  EXPECT_EQ(tally.active_lanes, bank.active_lanes);
  const Sm& sm = bench.sm;
  using Counted = std::pair<std::uint64_t, std::uint64_t>;
  const std::vector<Counted> counted = {{bank.blocks, 3},
                                        {bank.barrier_arrivals, 9},
                                        {bank.barrier_openings, 3},
                                        {bank.instructions, 9u * busy_program().size()},
                                        {bank.sfu_instructions, 9},
                                        {bank.sfu_lanes, 9 * kWarpSize},
                                        {bank.sp_instructions, sm.sp_array.counters().instructions},
                                        {bank.sp_lanes, sm.sp_array.counters().lanes},
                                        {bank.shared_requests, sm.bank_conflict.counters().requests},
                                        {bank.device_accesses, sm.address_unit.counters().accesses},
                                        {bank.icache_hits, sm.instruction_cache.counters().hits},
                                        {bank.icache_misses, sm.instruction_cache.counters().misses}};
  for (std::size_t i = 0; i < counted.size(); ++i) {
    EXPECT_EQ(counted[i].first, counted[i].second) << i;
    EXPECT_GT(counted[i].first, 0u) << i;
  }
  EXPECT_GT(bank.icache_hits + bank.icache_merges, 0u);
  EXPECT_EQ(tally.conflicts, bank.shared_conflicts);
  EXPECT_EQ(tally.passes, bank.shared_passes);
  EXPECT_GT(bank.shared_conflicts, 100u);
  EXPECT_EQ(tally.issued, tally.handed_out);
  EXPECT_EQ(tally.issued.size(), bank.issued());
  std::sort(tally.released.begin(), tally.released.end());
  std::sort(tally.retired.begin(), tally.retired.end());
  EXPECT_EQ(tally.released, tally.retired) << "the scoreboard was informed of each that has finished";
  EXPECT_TRUE(tally.in_flight.empty());
  EXPECT_GT(tally.operands, 0u) << "the bench's log asks for values";
  bench.sm.detach(tally);
}

TEST_F(SmContract, ARetiredInstructionTellsItsRegistersAndTheirValues) {
  for (const unsigned reg : {5u, 70u}) {
    renew_context();
    SmBench bench;
    bench.launch.registers = 80;
    bench.code({"mov b32 $r" + std::to_string(reg) + " 0x1234", "exit (never) nop"});
    Tally tally;
    ASSERT_TRUE(run_one_block(bench, tally));
    EXPECT_EQ(tally.last_written.first_register, reg);
    EXPECT_EQ(tally.last_written.num_registers, 1u);
    EXPECT_EQ(tally.last_written.value[0][31], 0x1234u);
  }
}

TEST_F(SmContract, ARetiredInstructionTellsTheAddressRegisterThatItIncremented) {
  SmBench bench;
  bench.code({"add $a1 0x0 0x10", "mov b32 $r4 b32 s[$a1++0x4]", "exit (never) nop"});
  Tally tally;
  ASSERT_TRUE(run_one_block(bench, tally));
  EXPECT_EQ(tally.last_incremented.fetched.pc, 8u);
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(tally.last_incremented.addr[l], 0x14u) << l;
}

TEST_F(SmContract, LanesOfTheFp64UnitAreCounted) {
  SmBench bench({"device.compute_minor=3", "sm.num_dps=1"});
  bench.code({"mov b32 $r4 0x0", "mov b32 $r5 0x3ff00000", "add rn f64 $r6d $r4d $r4d", "exit (never) nop"});
  bench.launch.threads = bench.launch.block_x = 40;
  ASSERT_TRUE(bench.run(1));
  const SmCounterBank bank = bench.sm.counters(bench.shader.edge());
  EXPECT_EQ(bank.dp_instructions, 2u);
  EXPECT_EQ(bank.dp_lanes, 40u);
}

TEST_F(SmContract, AnInstructionThatWritesFlagsAloneTellsNoRegister) {
  SmBench bench;
  bench.code({"mov b32 $r4 0x20", "set $c0 # l s32 $r4 $r4", "exit (never) nop"});
  Tally tally;
  ASSERT_TRUE(run_one_block(bench, tally));
  EXPECT_EQ(tally.issued.size(), 3u);
  EXPECT_EQ(tally.with_values, 1u);
}

TEST_F(SmContract, OperandsOfAProgramAreThoseThatItsRegistersHold) {
  SmBench bench;
  bench.code(prologue(1) + Lines{"ld b32 $r8 g14[$r2]", "add b32 $r8 $r8 $r1", "exit st b32 g14[$r2] $r8"});
  Tally tally;
  ASSERT_TRUE(run_one_block(bench, tally));
  EXPECT_EQ(tally.operands, 10u) << "one entry for each instruction";
  EXPECT_EQ(tally.as_stored, tally.operands);
}

TEST_F(SmContract, ValuesAreLeftOutIfNobodyAsks) {
  SmBench bench;
  bench.launch.shared_bytes = 0x900;
  bench.code(busy_program());
  bench.sm.detach(bench.log);
  Tally tally;
  bench.sm.attach(tally, RetirementPort::Reads::kProfile);
  ASSERT_TRUE(bench.run(1));
  EXPECT_GT(tally.issued.size(), 0u);
  EXPECT_EQ(tally.operands, 0u);
  EXPECT_EQ(tally.with_values, 0u);
  bench.sm.detach(tally);
  const std::uint64_t told = tally.reports;
  ASSERT_TRUE(bench.run(1));
  EXPECT_EQ(tally.reports, told) << "detached";
}

TEST_F(SmContract, StateAndMemoriesShowWarpsThatWait) {
  SmBench bench({}, 100000);  // memory does not answer while the test looks
  bench.launch.threads = bench.launch.block_x = 64;
  bench.launch.shared_bytes = 0x300;
  bench.code(prologue(1) + Lines{"mov b32 $r7 0x1234", "shl $a1 $r1 0x2", "st b32 s[$a1+0x100] $r7",
                                 "ld b32 $r5 g14[$r2]", "add b32 $r5 $r5 $r5", "exit st b32 g14[$r2] $r5"});
  ASSERT_FALSE(bench.run(1, 4000));
  SmState state;
  bench.sm.read_state(state);
  ASSERT_EQ(state.ready.resident, 0b11u);
  EXPECT_EQ(state.ready.wait_memory, 0b11u);
  EXPECT_EQ(state.leaving, 0u);
  std::vector<std::string> holding;
  for (const SmPart& part : state.part) {
    if (part.holds_work) holding.emplace_back(part.block);
  }
  EXPECT_THAT(holding, ::testing::ElementsAre("scoreboard", "load_table"));
  const CtaSlot* const slot = state.slot_of(1);
  ASSERT_EQ(slot, state.slot_of(0));
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(slot->live, 0b11u);
  for (unsigned w = 0; w < 2; ++w) {
    const SmState::Warp& warp = state.warp[w];
    EXPECT_EQ(warp.active, ~LaneMask{0});
    EXPECT_EQ(warp.populated, ~LaneMask{0});
    EXPECT_EQ(warp.registers, bench.launch.registers);
    EXPECT_EQ(warp.in_flight, 1u) << "the load";
    EXPECT_EQ(warp.pending.registers.bits[0], std::uint64_t{1} << 5);
    EXPECT_TRUE(warp.has_head);
    EXPECT_EQ(warp.head.decoded().insn.dst.index, 5u) << "the addition waits";
    EXPECT_EQ(warp.head.pc, warp.pc);
    EXPECT_EQ(bench.sm.peek(SmMemory::kRegister, w, 7)[9], 0x1234u);
    EXPECT_EQ(bench.sm.peek(SmMemory::kAddress, w, 1)[9], 4 * (32 * w + 9));
    EXPECT_EQ(bench.sm.peek(SmMemory::kShared, 0, (warp.shared_base + 0x100u) / 4 + 32 * w + 9)[0], 0x1234u);
  }
}

TEST_F(SmContract, StateShowsWarpsAtABarrier) {
  SmBench bench({}, 100000);
  bench.launch.threads = bench.launch.block_x = 64;
  bench.code(prologue(1) + Lines{"mov b32 $r4 0x20", "set $c0 # l s32 $r1 $r4", "(lg $c0) ld b32 $r5 g14[$r2]",
                                 "(lg $c0) add b32 $r5 $r5 $r5", "bar inc wait 0x0 0xfff", "exit (never) nop"});
  ASSERT_FALSE(bench.run(1, 4000));
  SmState state;
  bench.sm.read_state(state);
  EXPECT_EQ(state.ready.wait_memory, 0b01u);
  EXPECT_EQ(state.ready.wait_barrier, 0b10u);
  EXPECT_EQ(state.barrier_waiting, 0b10u);
  EXPECT_EQ(state.barrier[0][0].waiting, 0b10u);
  EXPECT_EQ(state.barrier[0][1].waiting, 0u);
}

TEST_F(SmContract, StateShowsLanesThatLeftALoop) {
  SmBench bench({}, 100000);
  bench.code(prologue(1) + Lines{"breakaddr 0x80", "mov b32 $r4 0x10", "set $c0 # l s32 $r1 $r4", "(lg $c0) break",
                                 "ld b32 $r5 g14[$r2]", "add b32 $r5 $r5 $r5", "break", "nop", "nop",
                                 "exit (never) nop"});
  ASSERT_FALSE(bench.run(1, 4000));
  SmState state;
  bench.sm.read_state(state);
  EXPECT_EQ(state.warp[0].active, 0xffff0000u);
  EXPECT_EQ(state.warp[0].broke, 0x0000ffffu);
  EXPECT_EQ(state.warp[0].returned, 0u);
  EXPECT_EQ(state.warp[0].stack_depth, 1u);
  const LaneWords entry = bench.sm.peek(SmMemory::kControlStack, 0, 0);
  EXPECT_EQ(entry[0], static_cast<std::uint32_t>(StackEntryType::kBreak));
  EXPECT_EQ(entry[1], ~LaneMask{0});
  EXPECT_EQ(entry[2], 0x80u);
}

TEST_F(SmContract, StateShowsAWarpThatDrainsBeforeABarrier) {
  SmBench bench({}, 100000);
  bench.code(prologue(1) +
             Lines{"ld b32 $r5 g14[$r2]", "bar inc wait 0x0 0xfff", "add b32 $r5 $r5 c1[0x10]", "exit (never) nop"});
  ASSERT_FALSE(bench.run(1, 4000));
  SmState state;
  bench.sm.read_state(state);
  EXPECT_EQ(state.ready.wait_drain, 0b01u);
  EXPECT_EQ(state.barrier_waiting, 0u);
  EXPECT_GT(state.warp[0].buffered, 0u) << "the barrier, at least";
}

}  // namespace
}  // namespace g80
