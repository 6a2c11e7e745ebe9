// SPDX-License-Identifier: Apache-2.0
#include "app/shell/breakpoints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hw/common/alarm.h"
#include "hw/gpu/gpu.h"
#include "input/input_error.h"
#include "tb/check/lockstep.h"
#include "tb/driver/driver.h"
#include "tb/machine/gpu_backend.h"
#include "tb/record/machine_events.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80 {

/// Reports when a warp enters a state, after all other events of that moment.
class Breakpoints::StateWatch final : public EventSink {
 public:
  using Entered = std::function<void(Selection)>;
  StateWatch(Gpu& gpu, const StopPlace& place, Entered entered)
      : place_(place), entered_(std::move(entered)), source_(gpu), alarm_("state_watch", [this] { report_seen(); }) {
    source_.add(*this, EventSource::Detail::kEverything);
  }
  void event(const MachineEvent& event) override {
    if (event.kind != EventKind::kWaits || event.detail != static_cast<unsigned>(place_.state)) return;
    if (event.unit != place_.sm.value_or(event.unit) || event.warp != place_.warp.value_or(event.warp)) return;
    if (seen_.empty()) alarm_.notify(sc_core::SC_ZERO_TIME);
    seen_.push_back({event.unit, event.warp});
  }

 private:
  void report_seen() {
    const std::vector<Selection> seen = std::move(seen_);
    seen_.clear();
    for (const Selection& warp : seen) entered_(warp);
  }

  const StopPlace place_;
  const Entered entered_;
  std::vector<Selection> seen_;
  EventSource source_;
  Alarm alarm_;
};

Breakpoints::Breakpoints(const RunningKernel& kernel, const Selection& selected, Halt halt)
    : kernel_(kernel), selected_(selected), halt_(std::move(halt)) {}

Breakpoints::~Breakpoints() = default;

void Breakpoints::clear() {
  stops_.clear();
  machine_ = nullptr;
}

Breakpoints::Stop& Breakpoints::append(const StopPlace& place, unsigned id) {
  if (place.sm && *place.sm >= machine_->gpu().num_sms()) {
    throw InputError(fmt::format("'{}' is not an SM from 0 to {}", *place.sm, machine_->gpu().num_sms() - 1));
  }
  if (place.warp && *place.warp >= machine_->config().sm.max_warps) {
    throw InputError(
        fmt::format("'{}' is not a warp slot from 0 to {}", *place.warp, machine_->config().sm.max_warps - 1));
  }
  Stop& stop = stops_.emplace_back();
  stop.id = id;
  stop.place = place;
  return stop;
}

unsigned Breakpoints::add(const StopPlace& place) {
  Stop& stop = append(place, next_id_);
  try {
    arm(stop);
  } catch (const InputError&) {
    stops_.pop_back();
    throw;
  }
  return next_id_++;
}

void Breakpoints::add_passing(const StopPlace& place, const char* option) {
  Stop& stop = append(place, 0);
  try {
    arm(stop, option);
  } catch (const InputError&) {
    stops_.pop_back();
    throw;
  }
}

void Breakpoints::add_next_issue(std::uint64_t count) {
  const std::string sm = machine_->gpu().sm(selected_.sm).name();
  StopPlace place;
  place.event = fmt::format(
      "changes({0}.issue.uid) && {0}.issue.valid && {0}.issue.warp == {1} || "
      "{0}.resolve.ended && {0}.resolve.ended_warp == {1}",
      sm, selected_.warp);
  Stop& stop = append(place, 0);
  stop.follows = selected_;
  stop.left = count;
  arm(stop);
}

void Breakpoints::remove_spent() {
  stops_.remove_if([](const Stop& stop) { return stop.id == 0 || (stop.spent && stop.place.once); });
}

template <class Action>
void Breakpoints::for_each(std::optional<std::uint64_t> id, const Action& action) {
  bool found = !id;
  for (auto stop = stops_.begin(); stop != stops_.end();) {
    const auto here = stop++;
    if (id && here->id != *id) continue;
    found = true;
    action(here);
  }
  if (!found) throw InputError(fmt::format("breakpoint {} does not exist", *id));
}

void Breakpoints::remove(std::optional<std::uint64_t> id) {
  for_each(id, [this](auto stop) { stops_.erase(stop); });
}

void Breakpoints::enable(std::optional<std::uint64_t> id, bool enabled) {
  for_each(id, [this, enabled](auto stop) {
    stop->enabled = enabled;
    arm(*stop);
  });
}

void Breakpoints::launched(const std::string& kernel, std::uint64_t number) {
  for (Stop& stop : stops_) {
    if (stop.place.kind == StopPlace::Kind::kCode) {
      try {
        arm(stop);
      } catch (const InputError&) {  // not in this kernel
      }
    }
    if (stop.trigger) stop.trigger->launched(kernel, number);
  }
}

void Breakpoints::check() const {
  for (const Stop& stop : stops_) {
    if (stop.trigger) stop.trigger->check();
  }
}

bool Breakpoints::mismatch_wanted() const {
  return std::any_of(stops_.begin(), stops_.end(),
                     [](const Stop& stop) { return stop.enabled && stop.place.kind == StopPlace::Kind::kMismatch; });
}

std::string Breakpoints::text() const {
  std::string out;
  for (const Stop& stop : stops_) {
    out += fmt::format("{}: {}{}{}\n", stop.id, stop.place.text, stop.place.once ? " (once)" : "",
                       !stop.enabled   ? " (disabled)"
                       : !stop.armed() ? " (not in this kernel)"
                                       : "");
  }
  return out.empty() ? "there are no breakpoints\n" : out;
}

std::vector<std::string> Breakpoints::awaited() const {
  std::vector<std::string> events;
  for (const Stop& stop : stops_) {
    if (stop.id == 0 && !stop.follows && !stop.spent) events.push_back(stop.place.text);
  }
  return events;
}

void Breakpoints::arm(Stop& stop, const char* option) {
  stop.trigger.reset();
  stop.states.reset();
  if (!stop.enabled) return;
  switch (stop.place.kind) {
    case StopPlace::Kind::kMismatch:
      if (machine_->lockstep() == nullptr) throw InputError("break mismatch needs --check lockstep");
      return;
    case StopPlace::Kind::kState:
      stop.states = std::make_unique<StateWatch>(machine_->gpu(), stop.place, [this, &stop](Selection warp) {
        if (of_block(stop.place, warp)) hit(stop, "", warp);
      });
      return;
    case StopPlace::Kind::kEvent:
      stop.event = parse_event(stop.place.event);
      check_kernel(stop.event.kernel);
      break;
    case StopPlace::Kind::kCode:
      if (kernel_.loaded == nullptr) return;
      stop.event.condition = code_condition(stop);
      break;
    case StopPlace::Kind::kMemory: stop.event.condition = memory_condition(stop); break;
  }
  const auto told = [this, &stop](const std::string& where) { happened(stop, where); };
  stop.trigger = option != nullptr ? trigger_for(option, stop.event, machine_->gpu().shader, told)
                                   : std::make_unique<EventTrigger>(stop.event, machine_->gpu().shader, told);
}

// Nothing is loaded yet when --until is read.
void Breakpoints::check_kernel(const std::string& wanted) const {
  const std::vector<std::string> loaded = machine_->driver().kernel_names();
  if (wanted.empty() || loaded.empty() || !kernels_named(wanted, loaded).empty()) return;
  throw InputError(no_such_kernel(wanted, loaded));
}

std::uint32_t Breakpoints::code_address(const StopPlace& place) const {
  const Kernel& kernel = *kernel_.loaded->kernel;
  if (place.pc) {
    if (*place.pc % 4 != 0 || *place.pc / 4 >= kernel.code.size()) {
      throw InputError(fmt::format("0x{:x}: the code of {} has {} bytes", *place.pc, demangled_name(kernel.name),
                                   kernel.code.size() * 4));
    }
    return *place.pc;
  }
  std::string next;
  for (const LineTable::Run& run : kernel.lines.runs()) {
    if (run.line == 0) continue;
    const std::string& name = kernel.lines.files()[run.file];
    const std::size_t before = name.size() - std::min(name.size(), place.file.size());
    const bool same = place.file.empty() || (name.compare(before, std::string::npos, place.file) == 0 &&
                                             (before == 0 || name[before - 1] == '/'));
    if (same && run.line == place.line) return run.address;
    if (same && run.line > place.line && next.empty()) next = fmt::format("; the next line with code is {}", run.line);
  }
  throw InputError(fmt::format("{}{}{}: kernel {} has no code for this line{}", place.file,
                               place.file.empty() ? "" : ":", place.line, demangled_name(kernel.name), next));
}

std::string Breakpoints::code_condition(const Stop& stop) const {
  const std::uint32_t pc = code_address(stop.place) + kernel_.loaded->start;
  const std::string sm = stop.place.sm ? std::string(machine_->gpu().sm(*stop.place.sm).name()) : "sm*";
  std::string condition = fmt::format("changes({0}.issue.uid) && {0}.issue.valid && {0}.issue.insn.pc == {1}", sm, pc);
  if (stop.place.warp) condition += fmt::format(" && {}.issue.warp == {}", sm, *stop.place.warp);
  return condition;
}

// A condition on the accesses of half-warps that leave the SM's address unit: the bytes of a lane contain the address.
std::string Breakpoints::memory_condition(Stop& stop) const {
  std::uint64_t address = stop.place.address;
  std::string port = "sm*_access";
  if (stop.place.shared) {
    const SmPins& sm = machine_->gpu().sm(selected_.sm);
    SmState state;
    sm.read_state(state);
    const CtaSlot* const slot = state.slot_of(selected_.warp);
    if (slot == nullptr) throw InputError("s[] belongs to a block: choose one of its warps with `warp` first");
    stop.port = port = std::string(sm.name()) + ".smem_request";
    address += state.warp[slot->first_warp].shared_base;
  }
  std::string lanes;
  for (unsigned lane = 0; lane < kWarpSize / 2; ++lane) {
    lanes +=
        fmt::format("{0}({1}.lanes >> {2} & 1) != 0 && {1}.address[{2}] <= {3} && {3} < {1}.address[{2}] + {1}.bytes",
                    lane == 0 ? "" : " || ", port, lane, address);
  }
  const std::string kind = stop.place.reads == stop.place.writes ? ""
                           : stop.place.shared
                               ? fmt::format("{}.write == {} && ", port, stop.place.writes ? 1 : 0)
                               : fmt::format("{}.op {} READ && ", port, stop.place.writes ? "!=" : "==");
  // An empty queue still shows the last entry that left it, so the condition tests the count.
  const std::string there =
      stop.place.shared ? port + ".valid" : fmt::format("{0}.count != 0 && {0}.client == GLOBAL", port);
  return fmt::format("(changes({0}.origin.uid) || changes({0}.half)) && {1} && {2}({3})", port, there, kind, lanes);
}

bool Breakpoints::of_block(const StopPlace& place, Selection at) const {
  if (!place.block) return true;
  SmState state;
  machine_->gpu().sm(at.sm).read_state(state);
  const CtaSlot* const slot = state.slot_of(at.warp);
  return slot != nullptr && slot->x == place.block->first && slot->y == place.block->second;
}

std::optional<unsigned> Breakpoints::sm_named(const std::string& where) const {
  for (unsigned i = 0; i < machine_->gpu().num_sms(); ++i) {
    const std::string name = machine_->gpu().sm(i).name();
    if (where.compare(0, name.size(), name) != 0) continue;
    if (where.size() == name.size() || where[name.size()] == '_' || where[name.size()] == '.') return i;
  }
  return std::nullopt;
}

// Called inside the simulation, except for launches.
void Breakpoints::happened(Stop& stop, const std::string& where) {
  const std::string first = where.substr(0, where.find(','));
  std::optional<unsigned> sm = sm_named(first);
  if (stop.place.kind == StopPlace::Kind::kCode) {
    for (unsigned i = 0; i < machine_->gpu().num_sms(); ++i) {
      const std::string name = machine_->gpu().sm(i).name();
      if (stop.place.sm ? i != *stop.place.sm : (", " + where + ",").find(", " + name + ",") == std::string::npos)
        continue;
      const Selection at{i, machine_->gpu().sm(i).issue.read().warp};
      if (of_block(stop.place, at)) return hit(stop, "", at);
    }
    return;
  }
  if (stop.place.kind == StopPlace::Kind::kMemory) {
    const std::string port = stop.port.empty() ? first : stop.port;
    sm = sm_named(port);
    const auto warp = static_cast<unsigned>(signal_value(port + ".origin.warp"));
    return hit(stop, "", Selection{sm.value_or(selected_.sm), warp});
  }
  if (stop.follows) {
    const Resolve& resolve = machine_->gpu().sm(stop.follows->sm).resolve.read();
    const bool ended = resolve.ended && resolve.ended_warp == stop.follows->warp;
    if (!ended && --stop.left != 0) return;
    return hit(stop, ended ? "the warp has ended" : "", stop.follows);
  }
  hit(stop, where.empty() ? "" : "in " + where, sm ? std::optional(Selection{*sm, selected_.warp}) : std::nullopt);
}

void Breakpoints::hit(Stop& stop, const std::string& remark, std::optional<Selection> about) {
  stop.spent = true;
  std::string what = stop.id == 0 ? stop.place.text : fmt::format("breakpoint {}: {}", stop.id, stop.place.text);
  if (!remark.empty()) what += (what.empty() ? "" : " ") + remark;
  halt_(what, about);
  if (stop.event.kind != Event::Kind::kLaunch) sc_core::sc_pause();
}

}  // namespace g80
