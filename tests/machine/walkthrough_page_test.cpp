// SPDX-License-Identifier: Apache-2.0
// docs/walkthrough.md, one global load of vec_add through the machine, edge by edge, against a run.
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "hw/bundles/transaction.h"
#include "hw/common/check.h"
#include "hw/config/data_folder.h"
#include "hw/isa/float_bits.h"
#include "hw/mem/address_map.h"
#include "tb/machine/gpu_backend.h"
#include "tb/machine/signal_history.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"
#include "tests/support/recorded.h"

namespace g80 {
namespace {

constexpr const char* kDevice = "tiny";
constexpr unsigned kLoadThreads = 64;  // two warps
constexpr const char* kSm = "gpu.tpc0.sm0.";

/// The trace lines of a run of the kernel that fulfil `conditions`, or the history of `signals` if given.
struct Recording {
  std::vector<TraceLine> lines;
  std::unique_ptr<GpuBackend> machine;
  std::unique_ptr<SignalHistory> history;
};

Recording run_vec_add(const Config& config, const std::string& conditions,
                      const std::vector<std::string>& signals = {}) {
  const Scenario scenario = read_scenario(data_path("kernels/vec_add/scenario.toml"));
  const Module module = load_module(scenario);
  Recording recording;
  MachineOptions options;
  if (!conditions.empty()) {
    options.trace = {parse_trace_conditions(conditions),
                     [&lines = recording.lines](const TraceLine& line) { lines.push_back(line); }};
  }
  recording.machine = std::make_unique<GpuBackend>(config, options);
  if (!signals.empty()) {
    recording.history = std::make_unique<SignalHistory>(recording.machine->domains(),
                                                        std::vector<std::string>{"gpu.tpc0.sm0"}, signals);
  }
  RunOptions run;
  run.args = {{"n", std::to_string(kLoadThreads)}, {"block", std::to_string(kLoadThreads)}};
  const RunResult result = run_scenario(scenario, module, config, run, *recording.machine);
  CHECK(exit_code(result) == 0, "vec_add does not pass on {}", kDevice);
  recording.machine->finish();
  return recording;
}

/// One row of a table of the page.
struct Row {
  std::string clock;
  Cycle cycle = 0;
  Picoseconds time = 0;
  std::string signal, shows;
};

class Page {
 public:
  Page() : config_(load_config(kDevice)), arch_(static_cast<isa::Arch>(config_.device.compute_minor)) {
    find_load();
    follow_load();
    watch_warp();
  }
  std::string text();

 private:
  using Fields = std::vector<std::string>;

  void find_load();
  void follow_load();
  void watch_warp();

  const TraceLine& first(const std::string& where, const std::string& field = "", std::uint64_t value = 0) const;
  /// Adds the lines of a wire between two moments, with the given fields.
  void show(const std::string& where, const Fields& fields, Picoseconds from = 0, Picoseconds to = ~Picoseconds{0});
  void show_change(const std::string& signal, const SignalHistory::Change& change, const std::string& shows);
  /// Adds the DRAM commands between two moments: ACT with its row, RD with its column.
  void show_commands(const std::vector<TraceLine>& lines, Picoseconds from, Picoseconds to);
  std::uint64_t value(const TraceLine& line, const std::string& field) const;
  void head(const std::string& title, const std::string& read);
  void say(const std::string& prose) { page_ += prose + "\n"; }
  /// Prints the rows added since the last table, in order of time.
  void table();
  std::uint64_t nanoseconds(Picoseconds time) const { return (time - picked_.time) / 1000; }

  const Config config_;
  const isa::Arch arch_;
  std::uint64_t pc_ = 0, uid_ = 0, warp_ = 0;
  std::vector<TraceLine> lines_, other_lines_;
  Picoseconds translated_ = 0;  // the first transaction leaves the TLB
  SignalHistory::Change picked_, pending_, cleared_, dependent_;
  std::uint64_t other_uid_ = 0;  // the load of b[]
  std::string pending_name_, picked_name_;
  std::vector<Row> rows_;
  std::string page_;
};

// Finds the pc and uid of the kernel's first load from g[].
void Page::find_load() {
  const Recording warp = run_vec_add(config_, "warp=0");
  for (const TraceLine& line : warp.lines) {
    if (line.where != std::string(kSm) + "issue") continue;
    const std::string text = trace_value(*line.find("words"), arch_);
    if (text.rfind("`ld b32 $r1 g14", 0) == 0) {
      pc_ = line.find("pc")->values.front();
      uid_ = line.find("uid")->values.front();
      warp_ = line.find("warp")->values.front();
    } else if (uid_ != 0 && text.rfind("`ld b32 $r2 g14", 0) == 0) {
      other_uid_ = line.find("uid")->values.front();
      return;
    }
  }
  CHECK(false, "vec_add issued no pair of loads");
}

void Page::follow_load() {
  lines_ = run_vec_add(config_, fmt::format("uid={}", uid_)).lines;
  other_lines_ = run_vec_add(config_, fmt::format("uid={}", other_uid_)).lines;
  translated_ = first("gpu.tpc0_request", "client", static_cast<std::uint64_t>(MemClient::kGlobal)).time;
}

// Finds the events without a uid: the pick, and the scoreboard's bit of the destination register.
void Page::watch_warp() {
  picked_name_ = std::string(kSm) + "pick.valid";
  const std::string picked_warp = std::string(kSm) + "pick.warp", issued_pc = std::string(kSm) + "issue.insn.pc",
                    issued_warp = std::string(kSm) + "issue.warp";
  pending_name_ = fmt::format("{}scoreboard.pending[{}].registers.low", kSm, warp_);
  const Recording run = run_vec_add(config_, "", {picked_name_, picked_warp, pending_name_, issued_pc, issued_warp});
  const TraceLine& issued = first(std::string(kSm) + "issue");
  const Picoseconds released = first(std::string(kSm) + "release.entry[0]").time;
  for (const auto& change : run.history->of(picked_name_)) {
    if (change.time < issued.time && change.value == 1) picked_ = change;
  }
  CHECK(run.history->at(picked_warp, picked_.time) == warp_, "the pick before the issue is another warp's");
  for (const auto& change : run.history->of(pending_name_)) {
    if (pending_.time == 0 && change.time > picked_.time && (change.value & 2) != 0) pending_ = change;
    if (cleared_.time == 0 && change.time > released && (change.value & 2) == 0) cleared_ = change;
  }
  // The dependent addition is the warp's next instruction after both loads.
  for (const auto& change : run.history->of(issued_pc)) {
    if (dependent_.time == 0 && change.time > cleared_.time && run.history->at(issued_warp, change.time) == warp_ &&
        change.value > pc_) {
      dependent_ = change;
    }
  }
  CHECK(picked_.time != 0 && pending_.time != 0 && cleared_.time != 0 && dependent_.time != 0,
        "the load's way through the SM was not seen");
}

const TraceLine& Page::first(const std::string& where, const std::string& field, std::uint64_t value) const {
  for (const TraceLine& line : lines_) {
    if (line.where != where) continue;
    if (field.empty() || line.find(field)->values.front() == value) return line;
  }
  throw ModelError(fmt::format("the load never shows at {}", where));
}

std::uint64_t Page::value(const TraceLine& line, const std::string& field) const {
  const TraceField* found = line.find(field);
  CHECK(found != nullptr, "{} has no field {}", line.where, field);
  return found->values.front();
}

void Page::show(const std::string& where, const Fields& fields, Picoseconds from, Picoseconds to) {
  const std::size_t before = rows_.size();
  for (const TraceLine& line : lines_) {
    if (line.where != where || line.time < from || line.time >= to) continue;
    std::string shows;
    for (const std::string& name : fields) {
      const TraceField* field = line.find(name);
      CHECK(field != nullptr, "{} has no field {}", where, name);
      const std::string text = trace_value(*field, arch_);
      shows += fmt::format("{}{}", shows.empty() ? "" : ", ",
                           text.front() == '`' ? text : fmt::format("{} = {}", name, text));
    }
    rows_.push_back({line.clock, line.cycle, line.time, where, shows});
  }
  CHECK(rows_.size() > before, "the load never shows at {}", where);
}

void Page::show_change(const std::string& signal, const SignalHistory::Change& change, const std::string& shows) {
  rows_.push_back({change.clock, change.cycle, change.time, signal, shows});
}

void Page::show_commands(const std::vector<TraceLine>& lines, Picoseconds from, Picoseconds to) {
  for (const TraceLine& line : lines) {
    if (line.where != "gpu.channel0.command" || line.time < from || line.time >= to) continue;
    const std::string kind = trace_value(*line.find("kind"), arch_);
    std::string shows = fmt::format("{}, bank = {}", kind, value(line, "bank"));
    if (kind == "ACT") shows += fmt::format(", row = 0x{:x}", value(line, "address"));
    if (kind == "RD") shows += fmt::format(", column = 0x{:x}", value(line, "address"));
    rows_.push_back(
        {line.clock, line.cycle, line.time, line.where, fmt::format("{}, uid = 0x{:x}", shows, value(line, "uid"))});
  }
}

void Page::head(const std::string& title, const std::string& read) {
  page_ += fmt::format("\n## {}\n\nRead: {}\n\n", title, read);
}

void Page::table() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.time < b.time; });
  page_ += "\n| Edge | +ns | Signal | Shows |\n|---|---|---|---|\n";
  for (const Row& row : rows_) {
    page_ +=
        fmt::format("| {} {} | {} | `{}` | {} |\n", row.clock, row.cycle, nanoseconds(row.time), row.signal, row.shows);
  }
  rows_.clear();
}

std::string Page::text() {
  const auto in_sm = [](const char* name) { return std::string(kSm) + name; };
  const auto global = static_cast<std::uint64_t>(MemClient::kGlobal);
  const TraceLine& release = first(in_sm("release.entry[0]"));
  const TraceLine& translated = first("gpu.tpc0_request", "client", global);
  const TraceLine& missed = first("gpu.tpc0.tlb_request");
  const TraceLine& replied = first("gpu.partition0_reply", "client", global);
  const TraceLine& at_dram = first("gpu.partition0_request", "client", global);
  const DramLocation at = locate(AddressMap(config_), static_cast<std::uint32_t>(value(translated, "address")));
  const auto word = static_cast<std::uint32_t>(value(replied, "data"));
  const float number = isa::float_of(word);

  page_ = fmt::format(
      R"(# One load, edge by edge

`tests/machine/walkthrough_page_test.cpp` compares this page with what the machine does now, and prints it again.

The kernel is [vec_add](../kernels/vec_add/README.md), `c[i] = a[i] + b[i]`, with {threads} threads: two warps on the one SM of
the preset `{device}`. Its clocks are round: shader {shader} MHz, core {core} MHz, dram {dram} MHz, so a shader or dram edge
lasts 1 ns and a core edge 2 ns. We follow warp {warp}'s load of `a[i]`, at pc 0x{pc:x}. Every bundle of this load
carries its uid, 0x{uid:x}. Times count from the pick; the register is written {total} ns later.

To see it yourself:

```sh
run="build/release/bin/g80 run vec_add --device {device} --arg n={threads} --arg block={threads}"
$run --trace pc=0x{pc:x}                          # which uid does the load get?
$run --trace uid=0x{uid:x}                       # a line for each wire and FIFO that shows it
$run --wave load.fst --wave-from {from} --wave-to {to}
waves/view load.fst load                       # the same as a picture
```

![The load in GTKWave: uid 0x{uid:x} moves down the rows to the DRAM, waits for the page walk, and comes back](pictures/load.png)

In the tables, *edge* is the number of the clock edge, as in the wave's cycle counters; *+ns* is the time since the pick;
*signal* is the name in the wave. A wire shows a value from the edge that wrote it. A FIFO between two clocks shows its
oldest entry.
)",
      fmt::arg("threads", kLoadThreads), fmt::arg("device", kDevice), fmt::arg("shader", config_.clock.shader_mhz),
      fmt::arg("core", config_.clock.core_mhz), fmt::arg("dram", config_.clock.dram_mhz), fmt::arg("warp", warp_),
      fmt::arg("pc", pc_), fmt::arg("uid", uid_), fmt::arg("total", nanoseconds(release.time)),
      fmt::arg("from", picked_.cycle - 12), fmt::arg("to", cleared_.cycle + 10));

  head("1. Pick", "`hw/sm/warp_scheduler.h`, `pick_warp`; `hw/sm/scoreboard.h`, `is_clear`");
  say("No register of the load has a write pending in the scoreboard. A collector unit, a memory credit and an entry\n"
      "of the load table are free. The scheduler runs at every second shader edge and picks the warp.");
  show_change(picked_name_, picked_, fmt::format("1, with `pick.warp` = {}", warp_));
  table();

  head("2. Issue", "`hw/sm/instruction_buffer.h`, `InstructionBuffer::next`; `hw/sm/scoreboard.h`, `Scoreboard::next`");
  say("The warp's oldest instruction leaves the buffer and gets its uid: the SM's number and a sequence number. At the "
      "same edge\n"
      "the scoreboard marks `$r1` pending (bit 1), so nothing that reads or writes it may issue.");
  show(in_sm("issue"), {"warp", "uid", "pc", "words"});
  show_change(pending_name_, pending_, fmt::format("0x{:x}", pending_.value));
  table();

  head("3. Operands", "`hw/sm/register_file.h`, `RegisterFile::read_banks`; `hw/sm/operand_collector.h`");
  say("The register file reads the address register `$r1` of all lanes from its bank and sends it to the collector. "
      "Active mask and\n"
      "guard give the lanes that execute. The instruction goes to the address unit.");
  show(in_sm("to_address"), {"uid", "unit", "lanes"});
  table();

  head("4. Addresses", "`hw/exec/address_unit.h`, `lane_addresses`; `hw/sm/load_table.h`, `LoadTable::next`");
  say("The address unit computes and checks 32 addresses, takes an entry of the load table and sends two half-warps, "
      "one per\n"
      "scheduler cycle, through a FIFO to the core clock.");
  show(in_sm("load_open"), {"id", "warp", "lanes", "uid"});
  show("gpu.tpc0.sm0_access", {"half", "lanes", "bytes", "address"});
  table();

  head("5. Coalescing", "`hw/mem/coalesce.h`, `coalesce`");
  say("Lane k accesses word k of an aligned segment, so each half-warp becomes one transaction of 64 bytes.");
  show("gpu.tpc0.sm0_transaction", {"half", "bytes", "virtual_address", "uid"});
  table();

  head("6. Translation",
       "`hw/mem/tpc_arbiter.h`, `pick_requester`; `hw/cache/tlb.h`, `translate`; `hw/cache/second_level_tlb.h`");
  say(fmt::format(
      "The arbiter selects the SM, and the TLB looks up the page. The kernel has not accessed the page before: "
      "a miss. A walker asks\n"
      "the second level of the TLB, which also misses. Then it reads the page directory and the page table: "
      "two reads of\n"
      "32 bytes that take the same path as the load later (with its uid, as client PAGE_TABLE). The result "
      "also fills\n"
      "the second level. This takes {} of the {} ns; the next load from this page hits.",
      (translated.time - missed.time) / 1000, nanoseconds(release.time)));
  show("gpu.tpc0.tlb_request", {"half", "virtual_address"});
  show("gpu.tpc0_tlb_question", {"fill", "virtual_address"});
  show("gpu.tpc0_tlb_answer", {"hit", "virtual_address"});
  show("gpu.tpc0_request", {"client", "address"}, 0, translated_);
  show("gpu.tpc0.walk_reply", {"client", "data"});
  show("gpu.tpc0_request", {"client", "half", "virtual_address", "address"}, translated_);
  table();

  head("7. Crossbar",
       "`hw/mem/crossbar.h`, `pick_input`; `hw/mem/address_divider.h`, `divide_address`; `hw/tex/texture_l2.h`, "
       "`TextureL2::next`");
  say("The physical address selects the partition. The second-level texture cache before the partition passes the "
      "transaction on:\n"
      "it only looks up texture reads.");
  show("gpu.partition0_l2_request", {"half", "address"}, translated_);
  show("gpu.partition0_request", {"half", "address"}, translated_);
  table();

  head("8. Bursts", "`hw/mem/memory_partition.h`, `MemoryPartition::dispatch`; `hw/mem/address_map.h`, `locate_local`");
  say(
      fmt::format("The partition gives the transaction a place in its order and splits it into bursts of {} bytes, "
                  "which cross to the DRAM\n"
                  "clock. Local address 0x{:x} is in bank {}, row 0x{:x}, column 0x{:x}.",
                  config_.dram.burst_bytes, at.local, at.bank, at.row, at.column));
  show("gpu.channel0.to_dram", {"slot", "burst", "local", "uid"}, translated_);
  table();

  head("9. DRAM", "`hw/dram/fr_fcfs.h`, `pick_request`; `hw/dram/dram_timing.h`, `earliest`");
  show_commands(lines_, translated_, ~Picoseconds{0});
  CHECK(rows_.size() >= 4, "the load's bursts were not read");
  const Picoseconds first_command = rows_.front().time;
  const std::size_t own = rows_.size();
  show_commands(other_lines_, at_dram.time, first_command);
  if (rows_.size() > own) {
    say(fmt::format("The bank is busy with a read of the page walk for `b[i]` (uid 0x{:x}).", other_uid_));
  }
  say(fmt::format(
      "Another row is open, so the controller sends PRE, ACT after tRP = {} clocks, and the first RD after tRCD = {}. "
      "The other\n"
      "bursts hit the open row and follow every tCCD = {} clocks. Data move CL = {} clocks after RD, for {} clocks.",
      config_.dram.t_rp, config_.dram.t_rcd, config_.dram.t_ccd, config_.dram.cl, config_.dram.burst_cycles));
  show("gpu.channel0.from_dram", {"slot", "burst", "data"}, translated_);
  table();
  say("\n![The same view, closer: PRE, ACT, four RD of one uid, their data, the two "
      "replies](pictures/load_return.png)");

  head("10. Reply",
       "`hw/mem/memory_partition.h`, `MemoryPartition::collect`; `hw/mem/reply_router.h`, `ReplyRouter::next`");
  say(
      fmt::format("The partition replies when both bursts of a transaction are back, {} ns after it arrived. The reply "
                  "crossbar carries {} bytes\n"
                  "to the TPC, and the router passes them to the SM through a FIFO to the shader clock.",
                  (replied.time - at_dram.time) / 1000, value(replied, "bytes")));
  show("gpu.partition0_reply", {"half", "data"}, translated_);
  show("gpu.tpc0_reply", {"half", "id"}, translated_);
  show("gpu.tpc0.sm0_reply", {"half", "lanes", "id"});
  table();

  head("11. Load table", "`hw/sm/load_table.h`, `LoadTable::take`");
  say(fmt::format(
      "The low bits of each lane's address select its bytes. After the second half-warp every lane is served. "
      "Lane 0 has\n"
      "0x{:08x}, which is {}: the value of `a[0]` that the host copied. Half a register leaves each scheduler cycle.",
      word, number));
  show(in_sm("load_result"), {"id", "warp", "word", "half", "uid"});
  table();

  head("12. Writeback and release",
       "`hw/sm/writeback.h`, `Writeback::write_load`; `hw/sm/scoreboard.h`, `Scoreboard::next`");
  say(fmt::format(
      "The register's bank is free, so writeback writes `$r1` at the edge at which the release appears. One scheduler "
      "cycle later the\n"
      "scoreboard has cleared bit 1. The next instruction of the warp, the addition, also reads `$r2`. The load of "
      "`b[i]` (uid 0x{:x},\n"
      "the next instruction) reads it from another page. So the addition issues {} ns later, when both values are "
      "there.",
      other_uid_, (dependent_.time - cleared_.time) / 1000));
  show(in_sm("release.entry[0]"), {"warp", "uid"});
  show_change(pending_name_, cleared_, fmt::format("0x{:x}", cleared_.value));
  show_change(in_sm("issue.insn.pc"), dependent_, fmt::format("0x{:x}, of warp {}", dependent_.value, warp_));
  table();

  page_ += fmt::format(R"(
## Where the time went

| Part | ns |
|---|---|
| pick to the TLB | {} |
| page walk | {} |
| TLB to the partition | {} |
| partition and DRAM, first transaction | {} |
| reply to the register, second transaction included | {} |
| all | {} |

Try `--set dram.t_rcd=8`, `--set tlb.hit_latency=4` or `--device 8600gts`, and follow the uid again. Where each decision is made:
[hw/README.md](../hw/README.md#where-is-it-decided). How to change one: [extend.md](extend.md).
)",
                       nanoseconds(missed.time), (translated.time - missed.time) / 1000,
                       (at_dram.time - translated.time) / 1000, (replied.time - at_dram.time) / 1000,
                       (release.time - replied.time) / 1000, nanoseconds(release.time));
  return page_;
}

TEST(WalkthroughPage, IsWhatTheMachineDoes) { test::expect_recorded("docs/walkthrough.md", Page().text()); }

}  // namespace
}  // namespace g80
