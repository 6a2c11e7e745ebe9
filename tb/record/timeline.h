// SPDX-License-Identifier: Apache-2.0
// A timeline of the warps: what each issued and what it waited for, and the bursts of each DRAM. As trace events for
// Perfetto (ui.perfetto.dev, JSON), or as a Kanata log of one SM for Konata: the stages of each warp instruction.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "hw/isa/encoding.h"
#include "tb/record/machine_event.h"

namespace g80 {

struct TimelineOptions {
  static constexpr Cycle kToTheEnd = ~Cycle{0};
  static constexpr std::size_t kMostEvents = 4'000'000;
  std::string file;  // .json: Perfetto; .kanata: Konata
  Cycle from = 0;    // first and last shader cycle
  Cycle to = kToTheEnd;
  unsigned sm = 0;  // the SM of a Kanata log
  bool all = true;  // Perfetto: every issue, wait and burst; else only what lasts, see kShortestSlice
};

/// Shader cycles. A timeline for Perfetto that has not all leaves out shorter waits, the issues between them and the
/// bursts: a slice is then a wait, and where a warp has none, it issues.
inline constexpr Cycle kShortestSlice = 64;

/// The format for a file name: .kanata for Konata, else Perfetto.
bool is_kanata(const std::string& file);

class Timeline final : public EventSink {
 public:
  explicit Timeline(const TimelineOptions& options) : options_(options), of_one_sm_(is_kanata(options.file)) {}
  void event(const MachineEvent& event) override;

  const TimelineOptions& options() const { return options_; }
  const std::vector<MachineEvent>& events() const { return events_; }
  /// The first cycle that did not fit; 0: none.
  Cycle cut() const { return cut_; }

 private:
  static bool belongs_to(const MachineEvent& event, unsigned sm);

  const TimelineOptions options_;
  const bool of_one_sm_;
  std::vector<MachineEvent> events_;
  Cycle cut_ = 0;
};

/// Perfetto: one microsecond of its time is one shader cycle, so that times are whole numbers. A process per SM with a
/// track per warp slot: a slice for the warp's life, in it one for each issue and each wait; a process per DRAM with
/// its bursts. Arrows lead from a load's issue through its bursts to where it finishes. Events are in the order of
/// time.
void write_perfetto(std::ostream& out, const std::vector<MachineEvent>& events, isa::Arch arch, bool all = true);

/// Kanata 4: one row for each warp instruction of the events, with its stages from its fetch to its end. One that was
/// fetched and never issued ends as flushed.
void write_kanata(std::ostream& out, const std::vector<MachineEvent>& events, isa::Arch arch);

}  // namespace g80
