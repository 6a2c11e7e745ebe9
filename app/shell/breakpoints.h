// SPDX-License-Identifier: Apache-2.0
// What halts a machine for the shell: places in the code, events, states of warps, accesses to memory.
#pragma once
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "app/shell/command.h"
#include "app/shell/machine_text.h"
#include "tb/events/event.h"

namespace g80 {

class Breakpoints {
 public:
  /// Called when one halts the machine: what to tell, and the warp it is about if one is.
  using Halt = std::function<void(const std::string& what, std::optional<Selection> about)>;

  /// `kernel` and `selected` are the shell's: a place is looked up in the one, s[] belongs to the block of the other.
  Breakpoints(const RunningKernel& kernel, const Selection& selected, Halt halt);
  ~Breakpoints();

  /// The machine is built; it stands until clear().
  void attach(GpuBackend& machine) { machine_ = &machine; }
  /// A breakpoint with the next number, which is returned. Throws InputError.
  unsigned add(const StopPlace& place);
  /// One without a number, which goes at the next halt. `option` is named in errors about it, if it is not null.
  void add_passing(const StopPlace& place, const char* option = nullptr);
  /// One that passes, too: the chosen warp has issued `count` more instructions, or has ended.
  void add_next_issue(std::uint64_t count);
  /// The machine has halted: passing ones go, and those that halt once and have.
  void remove_spent();

  /// Of one breakpoint, or of all. Throws InputError if there is none of this number.
  void remove(std::optional<std::uint64_t> id);
  void enable(std::optional<std::uint64_t> id, bool enabled);

  /// The kernel is about to be launched as launch `number`: places are looked up again.
  void launched(const std::string& kernel, std::uint64_t number);
  /// Throws InputError if a condition could not be evaluated.
  void check() const;
  /// Lock-step is to be looked at in every core cycle.
  bool mismatch_wanted() const;
  std::string text() const;
  void clear();

 private:
  class StateWatch;
  struct Stop {
    unsigned id = 0;  // 0: passing
    StopPlace place;
    Event event;  // the condition it stands for
    bool enabled = true;
    bool spent = false;                // has halted the machine
    std::optional<Selection> follows;  // this warp's instructions
    std::uint64_t left = 1;            // halts when it has happened so many times more
    std::string port;                  // of a memory: the wire of the accesses, if it is one
    std::unique_ptr<EventTrigger> trigger;
    std::unique_ptr<StateWatch> states;
    bool armed() const { return trigger != nullptr || states != nullptr || place.kind == StopPlace::Kind::kMismatch; }
  };

  Stop& append(const StopPlace& place, unsigned id);
  void arm(Stop& stop, const char* option = nullptr);
  std::uint32_t code_address(const StopPlace& place) const;
  std::string code_condition(const Stop& stop) const;
  std::string memory_condition(Stop& stop) const;
  void happened(Stop& stop, const std::string& where);
  void hit(Stop& stop, const std::string& remark, std::optional<Selection> about);
  template <class Action>
  void for_each(std::optional<std::uint64_t> id, const Action& action);
  bool of_block(const StopPlace& place, Selection at) const;
  std::optional<unsigned> sm_named(const std::string& where) const;

  const RunningKernel& kernel_;
  const Selection& selected_;
  const Halt halt_;
  GpuBackend* machine_ = nullptr;
  std::list<Stop> stops_;  // triggers know where theirs is
  unsigned next_id_ = 1;
};

}  // namespace g80
