// SPDX-License-Identifier: Apache-2.0
// docs/counters.md, printed from the registry.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/report/counters.h"

namespace g80 {
namespace {

constexpr const char* kHead =
    R"(# Counters

The target `counters_doc` prints this page from `tb/record/counters.def`; a test compares them. [stats.md](stats.md) describes the files of `--stats`.

A counter's value is its difference between the start and the end of one launch. Counters of
the SMs count from the doorbell to the end of the last block. Counters of the memory system also include the accesses of the launch itself, for
push-buffer words and constants. Copies are not included. A counter costs one addition per event, and nothing without an event. No counter
is sampled or estimated.
)";

constexpr const char* kLaws = R"(
## Laws

Laws are equations between counters. Tests check them for every kernel of the collection and on other presets; `g80 run --report` checks them for
its run. *finished* laws only apply to launches that ended normally, because an aborted launch leaves work unfinished. `stall` is the sum
of all stall reasons, `launch.blocks` the size of the grid. A name with a unit before it is the sum over these units.

| Of | Law | When | Why |
|---|---|---|---|
)";

constexpr const char* kProfiler = R"(
## Names of CUDA's profiler

These counters have the names of NVIDIA's profiler for compute capability 1.0 to 1.3. The list has those whose events exist in this machine. The tool counts
on one unit only: events of type SM on the first multiprocessor, events of type TPC on all multiprocessors of the first
TPC (CUPTI User's Guide DA-05679-001, chapter "Event Reference", compute capability 1.0 to 1.3). `profiler` in a statistics file
therefore has two values for each counter: `unit` for the unit that the tool counts, and `chip` for the whole chip. The tool also counts
events of warps, not of threads.

| Name | Unit | Capability | In counters of this machine | Remark |
|---|---|---|---|---|
)";

std::string row_of(const Counter& counter) {
  const std::string place =
      counter.module.empty() ? fmt::format("`{}`", counter.formula) : fmt::format("`hw/{}`", counter.module);
  return fmt::format("| `{}` | {} | {} | {} |\n", counter.name, counter.unit, place, counter.meaning);
}

}  // namespace

std::string counters_page() {
  std::string page = kHead;
  CounterScope scope = CounterScope::kLaunch;
  for (const Counter& counter : counters()) {
    if (counter.scope != scope) {
      page += fmt::format("\n## Of {}\n\n| Counter | Unit | {} | Meaning |\n|---|---|---|---|\n",
                          scope_title(counter.scope), counter.module.empty() ? "Sum of" : "Counted in");
    }
    scope = counter.scope;
    page += row_of(counter);
  }
  page += kLaws;
  for (const CounterLaw& law : counter_laws()) {
    page += fmt::format("| {} | `{}` | {} | {} |\n", scope_title(law.scope), law.text,
                        law.finished ? "finished" : "always", law.meaning);
  }
  page += kProfiler;
  for (const ProfilerCounter& counter : profiler_counters()) {
    page += fmt::format("| `{}` | {} | 1.{} to 1.{} | `{}` | {} |\n", counter.name,
                        counter.scope == CounterScope::kSm ? "SM" : "TPC", counter.from_minor, counter.to_minor,
                        counter.formula, counter.remark);
  }
  return page;
}

}  // namespace g80
