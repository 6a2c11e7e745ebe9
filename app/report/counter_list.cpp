// SPDX-License-Identifier: Apache-2.0
// The registry of counters as text.
#include <fmt/format.h>

#include "app/report/counters.h"

namespace g80 {

std::string counter_list() {
  std::string text;
  CounterScope scope = CounterScope::kLaunch;
  for (const Counter& counter : counters()) {
    if (counter.scope != scope) text += fmt::format("counters of {} (--stats F):\n", scope_title(counter.scope));
    scope = counter.scope;
    text += fmt::format("  {:<30} {:<13} {}; {}\n", counter.name, counter.unit, counter.meaning,
                        counter.module.empty() ? "= " + counter.formula : "hw/" + counter.module);
  }
  text += "laws between counters, of every launch or of those that finished; a unit before a name: their sum:\n";
  for (const CounterLaw& law : counter_laws()) {
    text += fmt::format("  {} ({}{}): {}\n", law.text, scope_title(law.scope), law.finished ? ", finished" : "",
                        law.meaning);
  }
  text += "counters of CUDA's profiler (CUPTI User's Guide DA-05679-001): unit that it counts, capability:\n";
  for (const ProfilerCounter& counter : profiler_counters()) {
    text += fmt::format("  {:<30} {:<3} 1.{} to 1.{} = {}{}{}\n", counter.name,
                        counter.scope == CounterScope::kSm ? "SM" : "TPC", counter.from_minor, counter.to_minor,
                        counter.formula, counter.remark.empty() ? "" : "; ", counter.remark);
  }
  return text;
}

}  // namespace g80
