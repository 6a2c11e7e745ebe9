// SPDX-License-Identifier: Apache-2.0
// What a machine is built with besides its configuration: who checks it, who watches it, what is planted in it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tb/events/event.h"
#include "tb/machine/debugger.h"
#include "tb/record/timeline.h"
#include "tb/waves/text_trace.h"
#include "tb/waves/wave_sink.h"

namespace g80 {

/// Lines about what fulfils the conditions.
struct TraceOptions {
  std::vector<TraceCondition> conditions;
  TextTrace::Sink sink;
};

struct MachineOptions {
  bool lockstep = true;
  bool no_sleep = false;
  std::string rtl;        // blocks that are RTL: names, or "all"
  bool progress = false;  // how far a launch is, on standard error, if that is a terminal
  std::optional<WaveOptions> wave;
  std::optional<Event> wave_on, wave_off;  // what the window begins with, unless wave.from says so, and ends with
  Debugger* debugger = nullptr;            // halts the machine; outlives it
  std::optional<TraceOptions> trace;
  std::optional<TimelineOptions> timeline;
  EventSink* events = nullptr;      // told what the warps do; outlives the machine
  bool profile = false;             // count per instruction
  bool history = false;             // counters over time, latencies of loads
  std::vector<std::string> faults;  // planted: see tb/check/fault_text.h
};

}  // namespace g80
