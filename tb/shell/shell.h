// g80 run --shell: halts the machine at steps, breakpoints and events, and shows it. docs/shell.md.
//
// A halt is a pause of the simulator between two moments; commands only read, so a run with a shell does cycle by cycle
// what one without does.
#pragma once
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/machine/debugger.h"
#include "tb/shell/line_source.h"
#include "tb/shell/machine_text.h"
#include "tb/waves/wave_sink.h"

namespace g80 {

class Shell final : public Debugger {
 public:
  /// `until`: where the first prompt is; without it at the first launch.
  Shell(std::unique_ptr<LineSource> lines, std::optional<Event> until);
  ~Shell() override;

  void built(GpuBackend& machine) override;
  void launched(const LaunchRequest& request, std::uint64_t number) override;
  void launch_ended(const LaunchResult& result) override;
  void failed(const ModelError& error) override;
  void closing() override;
  Picoseconds next_halt() const override { return halt_time_; }
  bool halt_wanted() const override;
  /// Throws EventReached without a text when the run is over, InputError at a wrong command of a script.
  void halted() override;

 private:
  using Words = std::vector<std::string>;
  struct Command;
  /// Something that halts the machine: a breakpoint, or what `until` waits for.
  struct Stop {
    unsigned id = 0;              // 0: of `until`, once
    std::string text;             // as the user wrote it
    Event event;
    std::optional<std::string> place;  // of code: 0x40 or file:line, looked up in each kernel
    std::optional<std::string> port;   // of a watch on memory: the wire of the accesses, if it is one
    std::optional<unsigned> sm, warp;
    std::optional<std::pair<unsigned, unsigned>> block;
    std::unique_ptr<EventTrigger> trigger;
  };

  static const Command kCommands[];
  void prompt();
  bool execute(const std::string& line);
  const Command& find_command(const std::string& name) const;
  void arm(Stop& stop);
  void hit(Stop& stop, const std::string& where);
  void tell_place();
  std::optional<unsigned> sm_named(const std::string& where) const;
  std::uint32_t code_address(const std::string& place) const;
  isa::Arch arch() const;

  // Commands; true: the machine goes on.
  bool step(const Words& words);
  bool go_on(const Words& words);
  bool until(const Words& words);
  bool add_break(const Words& words);
  bool watch(const Words& words);
  bool remove(const Words& words);
  bool warps(const Words& words);
  bool select(const Words& words);
  bool print(const Words& words);
  bool examine(const Words& words);
  bool stack(const Words& words);
  bool scoreboard(const Words& words);
  bool queues(const Words& words);
  bool list(const Words& words);
  bool trace(const Words& words);
  bool wave(const Words& words);
  bool info(const Words& words);
  bool flight(const Words& words);
  bool help(const Words& words);
  bool quit(const Words& words);

  std::unique_ptr<LineSource> lines_;
  std::optional<Event> first_until_;
  GpuBackend* machine_ = nullptr;
  RunningKernel kernel_;
  Selection selected_;
  std::list<Stop> stops_;  // triggers know where theirs is
  std::deque<EventTrigger> traces_;
  std::unique_ptr<WaveSink> wave_;
  Picoseconds halt_time_ = kNever;
  unsigned next_id_ = 1;
  bool wanted_ = false;
  std::vector<std::string> hits_;  // what to say at the halt
};

}  // namespace g80
