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

Printed from `tb/record/counters.def` by the target `counters_doc`; a test compares. What `--stats` writes with them: [stats.md](stats.md).

All counters belong to one launch: each is read before the launch and after its end, and the difference is written. Counters of
the SMs count from the doorbell to the last block's end; those of the memory system also see what the launch itself needs, the
words of the push buffer and the constants. Copies are outside. A counter costs the machine one addition where the event happens and
nothing when nothing happens. No counter is sampled or estimated.
)";

constexpr const char* kLaws = R"(
## Laws

Sums that must agree. The tests check them for every kernel of the collection and other presets; `g80 run --report` checks them for
its run. *finished*: for launches that ended as they should, because a launch that is stopped leaves work behind. `stall` is the sum
of the stall reasons, `launch.blocks` the size of the grid; a name with a unit before it is the sum over these units.

| Of | Law | When | Why |
|---|---|---|---|
)";

constexpr const char* kProfiler = R"(
## Names of CUDA's profiler

The counters that NVIDIA's profiler has for compute capability 1.0 to 1.3, as far as this machine has what they count. The tool counts
on one unit only and says so: events of type SM on the first multiprocessor, events of type TPC on all multiprocessors of the first
TPC (CUPTI User's Guide DA-05679-001, chapter "Event Reference", compute capability 1.0 to 1.3). `profiler` in a statistics file
therefore has two values for each: `unit` on the unit that the tool would watch, and `chip` over all. The tool's own values are also
counts of events of warps, not of threads.

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
