// SPDX-License-Identifier: Apache-2.0
// g80 run --shell: halts the machine at steps, breakpoints and events, and shows it. docs/shell.md.
//
// A halt only pauses the simulator, and commands only read the machine, so a run with a shell has the same cycles as a
// run without one.
#pragma once
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/breakpoints.h"
#include "app/shell/command.h"
#include "app/shell/line_source.h"
#include "app/shell/machine_text.h"
#include "tb/machine/debugger.h"
#include "tb/waves/wave_sink.h"

namespace g80 {

class Shell final : public Debugger {
 public:
  /// `until`: where the first prompt is; without it at the first launch.
  Shell(std::unique_ptr<LineSource> lines, std::optional<Event> until);
  ~Shell() override;

  void built(GpuBackend& machine) override;
  void launched(const Launch& launch, std::uint64_t number) override;
  void launch_ended(const LaunchResult& result) override;
  void failed(const ModelError& error) override;
  void closing() override;
  const Event* until() const override { return first_until_ ? &*first_until_ : nullptr; }
  bool missed() const override { return missed_; }
  Picoseconds next_halt() const override { return std::min(halt_time_, look_time_); }
  bool halt_wanted() const override;
  /// Throws EventReached without a text when the user ends the run, InputError for an error in a script.
  void halted() override;

 private:
  void halt(const std::string& what, std::optional<Selection> about);
  void prompt();
  /// Ends the run for the user. A run that has failed ends by itself, with its exit code.
  void leave() const;
  void print_place();
  bool chosen_resident() const;
  void plan_look();
  /// True: the machine continues.
  bool execute(const ShellCommand& command);
  std::string text_of(const ShellCommand& command) const;

  bool step(const ShellCommand& command);
  void select(const ShellCommand& command);
  void trace(const ShellCommand& command);
  void wave(const ShellCommand& command);
  std::string code_around(unsigned instructions) const;
  std::string info_text(const ShellCommand& command) const;
  std::string last_events(std::uint64_t count) const;
  isa::Arch arch() const;

  std::unique_ptr<LineSource> lines_;
  std::optional<Event> first_until_;
  bool missed_ = false;
  GpuBackend* machine_ = nullptr;
  RunningKernel kernel_;
  Selection selected_;
  Breakpoints breakpoints_;
  std::deque<EventTrigger> traces_;
  std::unique_ptr<WaveSink> wave_;
  std::optional<ShellCommand> repeated_;   // by Enter
  Picoseconds halt_time_ = kNever;         // end of a `step`
  Picoseconds look_time_ = kNever;         // time of the next lock-step check
  std::vector<std::string> signal_names_;  // for the TAB key; filled at its first use
  bool wanted_ = false;
  bool failed_ = false;
  std::vector<std::string> hits_;  // texts to print at the halt
};

}  // namespace g80
