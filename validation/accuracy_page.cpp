// SPDX-License-Identifier: Apache-2.0
// docs/accuracy.md.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "hw/config/config_keys.h"
#include "source_dir.h"
#include "tb/scenario/run_scenario.h"
#include "validation/rows.h"
#include "validation/sensitivity.h"

namespace g80::silicon {
namespace {

constexpr const char* kStart = R"(# How near the model is to silicon

Every row is a published figure of a real chip and what the model gives. `g80 seeds` and `g80 silicon` print the same;
`accuracy_doc` (`docs/accuracy.cpp`) prints this page, and a test fails when a row is no longer what it says here.

An error is the distance from the published value, or from the nearer end of a published range. A row holds when its error is no
larger than what is allowed: 10 % unless its table says otherwise, because the measurements are known no better. The errors that
stand are kept in `tests/validation/errors.tsv`: a row whose error grows beyond its line there fails a test, whether it holds or not.

)";

constexpr std::pair<char, const char*> kSections[] = {{'B', "Instructions, banks, constants, bandwidth"},
                                                      {'C', "Seven reductions"},
                                                      {'D', "Latencies, launches, matrix products"},
                                                      {'E', "Occupancy and peaks"}};

std::string table(const std::vector<Result>& results) {
  std::string text =
      "| Row | Device | What | Silicon | Model | Unit | Error | Holds | Decided by | Source "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Result& result : results) {
    const Row& row = *result.row;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", row.id, row.device, row.what,
                        published_text(row), model_text(result.model), row.unit, percent_text(result.error()),
                        result.holds() ? "yes" : "**no**", row.decided, row.source);
  }
  return text;
}

// What lies behind each row.
std::string causes(const std::vector<Result>& results) {
  std::string text =
      "| Row | Shader cycles | Scheduler cycles of all SMs | Row hits | Turnarounds | Data buses | Busiest partition "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const Result& result : results) {
    const CycleBreakdown& where = result.where;
    if (where.cycles == 0) continue;
    text += fmt::format("| `{}` | {} | {} |", result.row->id, where.cycles, cycles_text(where));
    if (where.uses_dram()) {
      text += fmt::format(" {:.0f} % | {} | {:.0f} % | {:.2f} |\n", 100 * where.hit_rate(), where.turnarounds,
                          100 * where.bus(), where.busiest());
    } else {
      text += " | | idle | |\n";
    }
  }
  return text;
}

std::string sections_of(const std::vector<Result>& micro) {
  std::string text;
  for (const auto& [section, title] : kSections) {
    std::vector<Result> rows;
    std::copy_if(micro.begin(), micro.end(), std::back_inserter(rows),
                 [&, letter = section](const Result& result) { return result.row->section == letter; });
    text += fmt::format("\n### {}\n\n", title) + table(rows);
  }
  return text;
}

// Shader cycles of whole trials, as `g80 seeds --full` gave them on the day that stands in the page.
constexpr std::array<std::pair<unsigned, std::uint64_t>, 7> kFullCycles = {
    {{1, 21368908}, {2, 19424258}, {3, 129123422}, {4, 131704957}, {5, 21652514}, {6, 33220742}, {7, 123425936}}};

// The slices beside the whole runs.
std::string full_runs(const std::vector<Result>& trials) {
  std::string text =
      "\nAll 1024 blocks, recorded on 2026-11-21 with `g80 seeds --full` (a trial takes two to twelve minutes):\n\n"
      "| Row | Silicon, ms | All blocks, ms | Error | Slices, ms | Slices beside all blocks "
      "|\n|---|---|---|---|---|---|\n";
  const double khz = load_config("8600gts").clock.shader_mhz * 1e3;
  for (const auto& [trial, cycles] : kFullCycles) {
    const Result& slice = trials.at(trial - 1);
    const double ms = static_cast<double>(cycles) / khz;
    text +=
        fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", slice.row->id, published_text(*slice.row), model_text(ms),
                    percent_text(ms / slice.row->low - 1), model_text(slice.model), percent_text(slice.model / ms - 1));
  }
  return text;
}

// Keys whose source says that they were chosen to meet the seven times.
std::string fitted_keys() {
  const ConfigDetails details = load_config_details("8600gts");
  std::string text = "| Key | Value | Source |\n|---|---|---|\n";
  for (const ConfigKey& key : config_keys()) {
    const ConfigOrigin& origin = details.origins[*find_config_key(key.full_name())];
    if (origin.source.find("closest fit") == std::string::npos) continue;
    text += fmt::format("| `{}` | {} | {} |\n", key.full_name(), quote_config_value(key.load(details.config)),
                        origin.source);
  }
  return text;
}

constexpr const char* kOut = R"(
## Rows that are out, and why

| Rows | What is wrong | What would be needed |
|---|---|---|
| `coalesced_128` | The three coalesced copies make the DRAM the same work for each byte: nearly all bursts hit an open row, both partitions move as much, there are 800 to 1100 turnarounds for each MB, and the bus is what they wait for. The two transactions of a half-warp cost what two half-warps cost. | what a 128-bit access costs on the chip: the guide says "noticeably lower", and no document says where it is lost |
)";

constexpr const char* kCauses = R"(
## Where the cycles went

Of the longest launch behind each row, or of what a longer launch took beyond a shorter one where that is what the row counts; from the
counters of [counters.md](counters.md), of the SMs that had a block. Every scheduler cycle issues an instruction or has
one reason not to. The port of the SPs takes one in every second, so that 50 % issued is as much as it can; SFU, fp64 and control
instructions go out between. Row hits are bursts whose DRAM row was open; turnarounds are changes between reading and writing; the busiest partition's bytes
stand beside the mean. `g80 silicon --json` and `g80 seeds --json` have all of it for each row.

)";

constexpr const char* kSensitivity = R"(
## What the assumed numbers change

Every number that nobody published, a quarter smaller and a quarter larger, whole numbers rounded. `g80 silicon --sensitivity F.tsv`
measures it; the lines are kept in [sensitivity.tsv](sensitivity.tsv), because all rows take most of an hour. A second run goes on
where the first one was ended. `--part 1/2` measures every second change: two processes with a file each, whose lines then go into one.
A test fails when a number there is no longer the configuration's. Choices that are no numbers are not in it.
`clock.reset_cycles` shifts the start against the refreshes and nothing else: what it moves is chance, and a line of that size says nothing.

)";

}  // namespace

std::string accuracy_page(const std::vector<Result>& trials, const std::vector<Result>& micro) {
  std::string page = kStart;
  page += fmt::format(
      "## Seven times of square_array\n\nRoot mean square of the errors: {:.1f} %. The model's times come from two "
      "slices of twelve blocks, three for every SM: one\n"
      "with the SMs in step, as they start, and one with a quarter of a block between them. In step they ask for the "
      "same banks at once\n"
      "and are up to 6 % slower; in a long run they drift in and out of step, and the mean of both is carried on to "
      "1024 blocks.\n"
      "`g80 seeds --full` runs all of them.\n\n",
      100 * rms_error(trials));
  page += table(trials);
  page +=
      "\n![The page of g80 seeds: the seven times beside silicon, their errors, and where the cycles went]"
      "(pictures/accuracy.png)\n\nThe page of `g80 seeds --row 1.3.time --report F.html`; `g80 silicon --report` makes "
      "one "
      "of the other rows.\n";
  page += full_runs(trials);
  page +=
      "\nThe numbers below were fitted to these seven times together; agreement with them is no evidence by itself.\n"
      "Every other number is published, derived or assumed apart from them: [timing.md](timing.md).\n\n" +
      fitted_keys();
  page +=
      "\nThe order of the kernel's loads is an input too: the binary that was measured is not known. Both sides' loads "
      "go before either\n"
      "store; with the second load behind the first store trial 5 would take one and a half times as long as trial 1, "
      "and on\n"
      "silicon they are equal.\n";
  const auto held = static_cast<std::size_t>(
      std::count_if(micro.begin(), micro.end(), [](const Result& result) { return result.holds(); }));
  page += fmt::format(
      "\n## Micro-benchmarks\n\n{} of {} rows hold. No number was fitted to these. A row decided by a key with the "
      "published value shows that the "
      "machine keeps it; the\nothers are results. Allowed are 20 % for a time of a reduction, 15 % for a step and for "
      "a product that is only like the one\nthat was measured, and nothing where a source says no more than "
      "\"slower\". Copies (`coalesced_`, `uncoalesced_`) depend on how the SMs stand to each other: a row is the mean "
      "of "
      "five starts, with the SMs\nin step and up to half a round apart. Six cycles more in `clock.reset_cycles` move "
      "one "
      "start by up to 7 %. The means moved\nby up to 3 % when `clock.reset_cycles` and `host.launch_cycles` were "
      "changed, and by up to 5 % with runs a third longer: they are known\nno better than that.\n",
      held, micro.size());
  page +=
      "\nThe ladder's kernels are compiled here, not by NVIDIA. Of the fourth NVIDIA's own code is known, of another "
      "kernel its\nremainder: what our code does not do by itself as that code does is written out in "
      "`validation/kernels/reduction.cu`. NVIDIA's code for\nthe fourth takes 319 cycles a warp on this machine and "
      "318 on "
      "the chip (`MeasuredCode.TheFourthReduction...`).\n";
  page += sections_of(micro) + kOut + kCauses + causes(trials) + "\n" + causes(micro);
  const std::string effects = G80_SOURCE_DIR "/docs/sensitivity.tsv";
  std::vector<Result> all = trials;
  all.insert(all.end(), micro.begin(), micro.end());
  page += kSensitivity + sensitivity_section(read_effects(read_text_file(effects), effects), all);
  return page;
}

}  // namespace g80::silicon
