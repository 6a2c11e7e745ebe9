// SPDX-License-Identifier: Apache-2.0
// Breakpoints of the shell: code addresses, events, warp states, memory accesses.
#pragma once
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/command.h"
#include "app/shell/machine_text.h"
#include "tb/events/event.h"

namespace g80 {

class Breakpoints {
 public:
  /// Called when a breakpoint halts the machine, with a text and the warp that hit it, if any.
  using Halt = std::function<void(const std::string& what, std::optional<Selection> about)>;

  /// `kernel` and `selected` belong to the shell: code addresses refer to `kernel`, s[] to the block of `selected`.
  Breakpoints(const RunningKernel& kernel, const Selection& selected, Halt halt);
  ~Breakpoints();

  /// Call after the machine is built; it must exist until clear().
  void attach(GpuBackend& machine) { machine_ = &machine; }
  /// Adds a breakpoint and returns its number. Throws InputError.
  unsigned add(const StopPlace& place);
  /// Adds one without a number, deleted at the next halt. Errors name `option` if it is not null.
  void add_passing(const StopPlace& place, const char* option = nullptr);
  /// Also temporary: halts when the chosen warp has issued `count` more instructions or has ended.
  void add_next_issue(std::uint64_t count);
  /// After a halt: deletes temporary breakpoints, and those that halt once and have done so.
  void remove_spent();

  /// For one breakpoint, or all. Throws InputError if the number does not exist.
  void remove(std::optional<std::uint64_t> id);
  void enable(std::optional<std::uint64_t> id, bool enabled);

  /// Called before launch `number`: looks up code addresses again.
  void launched(const std::string& kernel, std::uint64_t number);
  /// Throws InputError if a condition could not be evaluated.
  void check() const;
  /// True if lock-step must be checked in every core cycle.
  bool mismatch_wanted() const;
  std::string text() const;
  /// The events of temporary breakpoints that have not happened.
  std::vector<std::string> awaited() const;
  void clear();

 private:
  class StateWatch;
  struct Stop {
    unsigned id = 0;  // 0: temporary
    StopPlace place;
    Event event;  // its condition
    bool enabled = true;
    bool spent = false;                // has halted the machine
    std::optional<Selection> follows;  // this warp's instructions
    std::uint64_t left = 1;            // halts after this many more occurrences
    std::string port;                  // watch: the wire that carries the accesses, if it is a wire
    std::unique_ptr<EventTrigger> trigger;
    std::unique_ptr<StateWatch> states;
    bool armed() const { return trigger != nullptr || states != nullptr || place.kind == StopPlace::Kind::kMismatch; }
  };

  Stop& append(const StopPlace& place, unsigned id);
  void arm(Stop& stop, const char* option = nullptr);
  /// Throws InputError if no loaded kernel has that name.
  void check_kernel(const std::string& wanted) const;
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
  std::list<Stop> stops_;  // triggers hold iterators to their element
  unsigned next_id_ = 1;
};

}  // namespace g80
