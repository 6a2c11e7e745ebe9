// SPDX-License-Identifier: Apache-2.0
// The options of every run: of a command of g80, a validation row or a CUDA program.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace g80 {

class EventSink;

/// Options of the cycle model; the golden reference has none of these.
struct SimulationOptions {
  std::string rtl;        // --rtl: twins to simulate as RTL, comma separated, or "all"
  std::string rtl_check;  // --rtl-check: twins to simulate beside their blocks
  std::string check = "lockstep";
  bool check_given = false;
  std::string wave;                          // --wave F.vcd or F.fst
  std::uint64_t wave_from = 0, wave_to = 0;  // shader cycles; 0 = from the start, to the end
  std::vector<std::string> wave_scope;
  std::string wave_level = "all";
  std::string wave_on, wave_off;  // events
  std::string trace, trace_file;  // conditions; where the lines go, empty = standard output
  std::string report;
  std::string timeline;
  std::uint64_t timeline_from = 0, timeline_to = 0;  // shader cycles; 0 = from the start, to the end
  unsigned timeline_sm = 0;
  std::string timeline_level = "waits";
  std::string wave_on_failure;  // wave of a second run, of the cycles before the failure
  std::uint64_t wave_before = 2000;
  std::uint64_t wave_failure = 0;  // of that second run: the shader cycle
  bool wave_before_given = false;
  EventSink* events = nullptr;  // receives the warp events; may be null
  bool progress = false;
  bool no_sleep = false;
  unsigned threads = 1;                         // --threads
  std::optional<std::uint64_t> random_state;    // --x random:SEED
  std::optional<std::uint64_t> late_crossings;  // --x crossings:SEED
  std::optional<std::uint64_t> shuffle;         // --step-order shuffle:SEED
  std::vector<std::string> faults;              // --inject
  std::string coverage;                         // --coverage F
};

struct CommonRunOptions {
  std::string command;  // the whole command line, for the manifest
  std::string model = "gpu";
  std::string device;             // empty: the scenario's device
  std::vector<std::string> sets;  // key=value
  std::string stats;
  unsigned hot = 0;  // --hot: instructions to list per kernel; 0: none
  std::uint64_t seed = 1;
  std::uint64_t max_cycles = 0;
  SimulationOptions simulation;
};

}  // namespace g80
