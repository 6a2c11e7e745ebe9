// SPDX-License-Identifier: Apache-2.0
// Prints docs/accuracy.md.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "hw/config/config_keys.h"
#include "hw/config/data_folder.h"
#include "tb/scenario/run_scenario.h"
#include "validation/rows.h"
#include "validation/sensitivity.h"

namespace g80::silicon {
namespace {

constexpr const char* kStart = R"(# How close the model is to real chips

Each row compares a published figure of a real chip with the model. `g80 seeds` and `g80 silicon` print the same rows;
`accuracy_doc` (`docs/accuracy.cpp`) prints this page, and a test fails if a row changes.

The error is the distance from the published value, or from the nearer end of a published range. A row holds if its error is at
most the allowed one: 10 % unless its table says otherwise, because the measurements are not more accurate. `tests/validation/errors.tsv`
has the present error of each row; a test fails if an error grows beyond it, whether the row holds or not.

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

// The section that explains each row.
std::string causes(const std::vector<Result>& results) {
  std::string text =
      "| Row | Shader cycles | Executing | Scheduler cycles of all SMs | Row hits | Turnarounds | Data buses | Busiest "
      "partition |\n|---|---|---|---|---|---|---|---|\n";
  for (const Result& result : results) {
    const CycleBreakdown& where = result.where;
    if (where.cycles == 0) continue;
    text += fmt::format("| `{}` | {} | {} | {} |", result.row->id, where.cycles, where.executing, cycles_text(where));
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

// Shader cycles of whole trials: the output of `g80 seeds --full` on the date that the page names.
constexpr std::array<std::pair<unsigned, std::uint64_t>, 7> kFullCycles = {
    {{1, 21544017}, {2, 21732816}, {3, 127350632}, {4, 135837054}, {5, 21797307}, {6, 32894849}, {7, 125039222}}};

// The whole runs in place of the slices.
std::vector<Result> whole_runs(std::vector<Result> trials) {
  const double khz = load_config("8600gts").clock.shader_mhz * 1e3;
  for (const auto& [trial, cycles] : kFullCycles) trials.at(trial - 1).model = static_cast<double>(cycles) / khz;
  return trials;
}

// Compares the slices with the whole runs.
std::string full_runs(const std::vector<Result>& trials) {
  std::string text =
      "\nAll 1024 blocks, recorded on 2026-11-26 with `g80 seeds --full` (a trial takes one to six minutes):\n\n"
      "| Row | Silicon, ms | All blocks, ms | Error | Slice, ms | Slice relative to all blocks "
      "|\n|---|---|---|---|---|---|\n";
  const std::vector<Result> whole = whole_runs(trials);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Result& slice = trials[i];
    const double ms = whole[i].model;
    text +=
        fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", slice.row->id, published_text(*slice.row), model_text(ms),
                    percent_text(ms / slice.row->low - 1), model_text(slice.model), percent_text(slice.model / ms - 1));
  }
  return text;
}

// The keys that were fitted to the seven times, according to their `source`.
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

| Rows | What is wrong | Missing information |
|---|---|---|
| `coalesced_128` | In the model the three coalesced copies cost the DRAM the same per byte: nearly all bursts hit an open row, both partitions move the same amount, there are 750 to 830 turnarounds per MB, and the data bus is the limit. The two transactions of a half-warp cost as much as two half-warps. | the cost of a 128-bit access on the chip: the guide says "noticeably lower", and no document gives the reason |
| `increment_permuted` | The data buses are busy 78 % of the time, every burst hits an open row, and turnarounds take most of the rest; the chip takes 16 % longer. | what a burst of 32 bytes costs on the chip besides its data |
| `device_copy`, `device_copy_gt200` | The data buses are busy 72 and 68 % of the time; turnarounds and rows take the rest. Larger batches of writes help copies and make `square_array` too fast ([one rule](mechanisms.md#one-dram-rule-for-three-chips)). | the order in which the DRAM controllers serve reads and writes |
)";

constexpr const char* kCauses = R"(
## Where the cycles went

The table uses the longest launch of each row, or the difference of a longer and a shorter launch if the row is a difference. It uses the
counters of [counters.md](counters.md), for SMs that had a block. Every scheduler cycle issues an instruction or has
one stall reason. *Executing* are the cycles from the first issue to the last retirement. The SP port accepts an instruction in every second scheduler cycle, so SP code issues in at most 50 % of the cycles; SFU, fp64 and control
instructions issue in between. Row hits are bursts whose DRAM row was open. Turnarounds are changes between reads and writes. *Busiest partition* is its bytes
relative to the mean. `g80 silicon --json` and `g80 seeds --json` write these numbers for each row.

)";

constexpr const char* kSensitivity = R"(
## What the assumed numbers change

This table shows how rows change if an assumed number is a quarter smaller or larger (whole numbers are rounded). `g80 silicon --sensitivity F.tsv`
measures it, which takes almost an hour; [sensitivity.tsv](sensitivity.tsv) has the results. A second run continues
an interrupted one. `--part 1/2` measures every second change, so two processes can share the work; join their files afterwards.
A test fails if the configuration has another number than the file. Choices that are not numbers are not measured.
`clock.reset_cycles` only shifts the start relative to the refreshes, so its effects are noise; ignore effects of this size in other lines.
Trials 3 and 7 are left out, because their slices depend on chance.

)";

}  // namespace

std::string accuracy_page(const std::vector<Result>& trials, const std::vector<Result>& micro) {
  std::string page = kStart;
  page += fmt::format(
      "## Seven times of square_array\n\nRoot mean square of the errors of whole runs: {:.1f} %. The times of the "
      "first table are extrapolated "
      "from a slice of 64 blocks, sixteen for each SM.\n"
      "The SMs start in step, access the same partition at the same time, and drift apart; so the rate behind the "
      "first 28 blocks counts. Trials 3\n"
      "and 7 access each partition for a quarter of a block. In a short run it is chance how long their SMs stay in "
      "step: slices of 57 to 75\n"
      "blocks give 84 to 121 ms for both, so their allowed error is 25 %. `g80 seeds --full` runs all blocks; "
      "the second table has them.\n\n",
      100 * rms_error(whole_runs(trials)));
  page += table(trials);
  page +=
      "\n![The page of g80 seeds: the seven times of chip and model, their errors, and where the cycles went]"
      "(pictures/accuracy.png)\n\n`g80 seeds --row 1.3.time --report F.html` writes the page in the picture; `g80 "
      "silicon --report` "
      "writes one for the other rows.\n";
  page += full_runs(trials);
  page +=
      "\nThe numbers below were fitted to these seven times together, so agreement with these times proves nothing.\n"
      "All other numbers are published, derived or assumed independently: [timing.md](timing.md).\n\n" +
      fitted_keys();
  page +=
      "\nThe order of the loads in the kernel also matters, and the measured binary is not available. The model's "
      "kernel "
      "has the loads of\n"
      "both sides before the stores. With the second load after the first store, trial 5 would take 1.5 times as long "
      "as trial 1;\n"
      "on the chip both take the same time.\n";
  const auto held = static_cast<std::size_t>(
      std::count_if(micro.begin(), micro.end(), [](const Result& result) { return result.holds(); }));
  page += fmt::format(
      "\n## Micro-benchmarks\n\n{} of {} rows hold. No number was fitted to these rows; the mechanism behind "
      "`matmul_naive` "
      "was chosen because of\nthis row ([one word for several lanes](mechanisms.md#one-word-for-several-lanes)). A row "
      "whose key has the "
      "published value shows that the\n"
      "machine implements the key; the other rows are results. The allowed error is 20 % for the time of a reduction, "
      "15 % for a step and for\n"
      "a product that only resembles the measured one, and 0 if a source only says \"slower\". Copies "
      "(`coalesced_`, `uncoalesced_`) depend on\n"
      "the phase between the SMs: a row is the mean of five starts, with the SMs in phase and up to half a round "
      "apart. Six cycles more in\n"
      "`clock.reset_cycles` change one start by up to 7 %. The means changed by up to 3 % with other values of "
      "`clock.reset_cycles` and\n"
      "`host.launch_cycles`, and by up to 5 % with runs a third longer; they are not more accurate than that.\n",
      held, micro.size());
  page +=
      "\nThis project's compiler compiled the kernels of the reduction ladder, not NVIDIA's. NVIDIA's code is known "
      "for "
      "the fourth kernel,\n"
      "and for the remainder operation of another. Where our compiler generates different code, "
      "`validation/kernels/reduction.cu` states the\n"
      "operations explicitly. NVIDIA's code for the fourth kernel takes 319 cycles per warp on this machine and 318 on "
      "the chip\n"
      "(`MeasuredCode.TheFourthReduction...`).\n";
  page += sections_of(micro) + kOut + kCauses + causes(trials) + "\n" + causes(micro);
  const std::string effects = data_path("docs/sensitivity.tsv");
  std::vector<Result> all = trials;
  all.insert(all.end(), micro.begin(), micro.end());
  all.erase(std::remove_if(all.begin(), all.end(), [](const Result& result) { return result.row->chance; }), all.end());
  page += kSensitivity + sensitivity_section(read_effects(read_text_file(effects), effects), all);
  return page;
}

}  // namespace g80::silicon
