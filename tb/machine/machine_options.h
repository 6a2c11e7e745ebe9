// SPDX-License-Identifier: Apache-2.0
// Options of a machine besides its configuration: checks, observers, injected faults.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hw/common/blocks.h"
#include "tb/events/event.h"
#include "tb/machine/debugger.h"
#include "tb/record/timeline.h"
#include "tb/waves/text_trace.h"
#include "tb/waves/wave_sink.h"

namespace g80 {

struct TraceOptions {
  std::vector<TraceCondition> conditions;
  TextTrace::Sink sink;
  std::function<void()> end{};  // after the last line; throws InputError if lines were lost
};

struct MachineOptions {
  bool lockstep = true;                           // compare with the reference, and watch the protocols between blocks
  std::optional<std::uint64_t> random_state{};    // what a reset leaves as it is starts from bits of this seed
  std::optional<std::uint64_t> late_crossings{};  // bits that cross between clocks come late or not, by this seed
  bool check_sleep = false;                       // step blocks that sleep too, and compare
  std::optional<std::uint64_t> shuffle{};         // blocks are stepped in an order drawn from this seed
  bool no_sleep = false;
  unsigned threads = 1;   // that step the machine
  std::string rtl;        // blocks that are RTL: names, or "all"
  std::string rtl_check;  // blocks with their twin beside them, which is compared at each edge
  TwinTable twins;        // more of both kinds, by class
  bool progress = false;  // print the progress to standard error, if it is a terminal
  std::optional<WaveOptions> wave;
  std::optional<Event> wave_on, wave_off;  // start of the window, if wave.from is not set, and its end
  Cycle wave_failure = 0;                  // shader cycle of a failure that an earlier run found: the view opens there
  Debugger* debugger = nullptr;            // halts the machine; must outlive it
  std::optional<TraceOptions> trace;
  std::optional<TimelineOptions> timeline;
  EventSink* events = nullptr;      // receives the warp events; must outlive the machine
  bool profile = false;             // count per instruction
  bool history = false;             // counters over time, latencies of loads
  std::vector<std::string> faults;  // injected: see tb/check/fault_text.h
  std::string coverage;             // file to which the run adds its functional coverage; empty: none
};

}  // namespace g80
