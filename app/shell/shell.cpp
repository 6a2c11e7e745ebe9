// SPDX-License-Identifier: Apache-2.0
#include "app/shell/shell.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/shell/completion.h"
#include "app/shell/queue_text.h"
#include "hw/gpu/gpu.h"
#include "input/input_error.h"
#include "tb/check/field_names.h"
#include "tb/driver/driver.h"
#include "tb/machine/gpu_backend.h"
#include "tb/machine/interrupt_hold.h"
#include "tb/waves/trace_file.h"

namespace g80 {
namespace {

constexpr unsigned kWords = 4;  // that `x` shows

}  // namespace

Shell::Shell(std::unique_ptr<LineSource> lines, std::optional<Event> until)
    : lines_(std::move(lines)),
      first_until_(std::move(until)),
      breakpoints_(kernel_, selected_,
                   [this](const std::string& what, std::optional<Selection> about) { halt(what, about); }) {
  if (lines_->interactive()) hold_interrupts(true);
  lines_->complete_with([this](const std::string& before, const std::string& word) {
    if (signal_names_.empty()) {
      for (const Field& field : list_fields(false)) signal_names_.push_back(field.name);
    }
    return completions(before, word, signal_names_);
  });
}

Shell::~Shell() { hold_interrupts(false); }

isa::Arch Shell::arch() const { return static_cast<isa::Arch>(machine_->config().device.compute_minor); }

void Shell::built(GpuBackend& machine) {
  machine_ = &machine;
  breakpoints_.attach(machine);
  if (!first_until_) return;
  StopPlace place;
  place.text = place.event = first_until_->text;
  breakpoints_.add_passing(place, "--until");
}

void Shell::closing() {
  for (const std::string& event : breakpoints_.awaited()) {
    fmt::print("{} did not happen\n", event);
    missed_ |= first_until_ && event == first_until_->text;
  }
  breakpoints_.clear();
  traces_.clear();
  wave_.reset();
  machine_ = nullptr;
}

bool Shell::halt_wanted() const { return wanted_ || interrupt_held(); }

void Shell::halt(const std::string& what, std::optional<Selection> about) {
  if (about) selected_ = *about;
  if (!what.empty()) hits_.push_back(what);
  wanted_ = true;
}

void Shell::launched(const Launch& launch, std::uint64_t number) {
  kernel_.loaded = machine_->driver().last_launch().kernel;
  kernel_.launch = launch;
  fmt::print("launch {}: {}", number, kernel_line(kernel_));
  breakpoints_.launched(launch.kernel->name, number);
  if (number == 1 && !first_until_) wanted_ = true;
  if (wanted_) halted();
}

void Shell::launch_ended(const LaunchResult& result) {
  fmt::print("the launch has ended: {}, {} cycles, {} of them from the first issue to the last retirement\n",
             launch_end_name(result.end), result.shader_cycles, result.executing_cycles);
  if (result.end == LaunchEnd::kFinished) return;
  failed_ = true;
  hits_.push_back(result.message);
  halted();
}

void Shell::failed(const ModelError& error) {
  failed_ = true;
  look_time_ = kNever;
  halt(error.what(), std::nullopt);
  prompt();
}

void Shell::halted() {
  breakpoints_.check();
  if (look_time_ != kNever) {
    plan_look();
    machine_->look_for_mismatch();
    const bool stepped = sc_core::sc_time_stamp().value() >= halt_time_;
    if (!stepped && !halt_wanted() && hits_.empty()) return;
  }
  if (take_held_interrupt()) hits_.push_back("interrupted");
  prompt();
}

// Schedules the next check just after the next edge of the core clock.
void Shell::plan_look() {
  const Domain& core = machine_->gpu().core;
  look_time_ = breakpoints_.mismatch_wanted() ? Domain::edge_time(core.mhz(), core.first_edge_after_now()) + 1 : kNever;
}

bool Shell::chosen_resident() const {
  SmState state;
  machine_->gpu().sm(selected_.sm).read_state(state);
  const CtaSlot* const slot = state.slot_of(selected_.warp);
  return slot != nullptr && (slot->live >> selected_.warp & 1) != 0;
}

void Shell::print_place() {
  std::string line = fmt::format("shader cycle {}", machine_->shader_cycle());
  for (const std::string& what : hits_) line += ": " + what;
  fmt::print("{}\n", line);
  hits_.clear();
  if (chosen_resident()) fmt::print("{}\n", warp_line(*machine_, kernel_, selected_));
}

void Shell::prompt() {
  wanted_ = false;
  halt_time_ = kNever;
  breakpoints_.remove_spent();
  print_place();
  while (true) {
    const std::optional<std::string> line = lines_->next("(g80) ");
    if (!line) {
      leave();
      break;
    }
    const auto refuse = [this](const char* sentence) {
      if (!lines_->interactive()) throw InputError(fmt::format("{}: {}", lines_->place(), sentence));
      fmt::print("{}\n", sentence);
    };
    try {
      std::optional<ShellCommand> command = parse_command(*line);
      if (!command && line->empty() && lines_->interactive()) command = repeated_;
      if (!command) continue;
      repeated_ = command;  // Enter shows the words that follow
      if (command->verb == Verb::kExamine) repeated_->memory.address += 4 * command->number.value_or(kWords);
      if (execute(*command)) break;
    } catch (const InputError& error) {
      refuse(error.what());
    } catch (const WaveError& error) {
      refuse(error.what());
    }
  }
  plan_look();
  std::fflush(stdout);
}

void Shell::leave() const {
  if (!failed_) throw EventReached("", machine_->shader_cycle());
}

bool Shell::execute(const ShellCommand& command) {
  switch (command.verb) {
    case Verb::kStep: return step(command);
    case Verb::kStepInstruction:
      if (!chosen_resident()) throw InputError("the chosen warp is not resident; `warps` lists the resident ones");
      breakpoints_.add_next_issue(command.number.value_or(1));
      return true;
    case Verb::kContinue: return true;
    case Verb::kUntil: breakpoints_.add_passing(command.stop); return true;
    case Verb::kBreak:
    case Verb::kWatch:
      fmt::print("breakpoint {}: {}\n", breakpoints_.add(command.stop), command.stop.text);
      return false;
    case Verb::kDelete: breakpoints_.remove(command.number); return false;
    case Verb::kDisable: breakpoints_.enable(command.number, false); return false;
    case Verb::kEnable: breakpoints_.enable(command.number, true); return false;
    case Verb::kWarp: select(command); return false;
    case Verb::kTrace: trace(command); return false;
    case Verb::kWave: wave(command); return false;
    case Verb::kQuit: leave(); return true;
    default: fmt::print("{}", text_of(command)); return false;
  }
}

std::string Shell::text_of(const ShellCommand& command) const {
  switch (command.verb) {
    case Verb::kWarps: return warps_text(*machine_, kernel_, selected_);
    case Verb::kPrint:
      return command.reg ? register_text(*machine_, selected_, *command.reg, command.format)
                         : signal_text(command.name);
    case Verb::kExamine:
      return memory_text(*machine_, kernel_, selected_, command.memory,
                         static_cast<unsigned>(command.number.value_or(kWords)), command.format);
    case Verb::kStack: return stack_text(*machine_, kernel_, selected_);
    case Verb::kScoreboard: return scoreboard_text(*machine_, selected_);
    case Verb::kQueues:
      return command.number ? places_text(static_cast<std::uint32_t>(*command.number)) : queues_text();
    case Verb::kList: return code_around(static_cast<unsigned>(command.number.value_or(4)));
    case Verb::kInfo: return info_text(command);
    case Verb::kFlight: return last_events(command.number.value_or(20));
    default: return help_text(command.name);
  }
}

bool Shell::step(const ShellCommand& command) {
  const Cycle then = machine_->shader_cycle() + command.number.value_or(1);
  halt_time_ = Domain::edge_time(machine_->gpu().shader.mhz(), then) + 1;  // when the edge has run
  return true;
}

void Shell::select(const ShellCommand& command) {
  Selection wanted = selected_;
  if (command.sm) wanted.sm = *command.sm;
  if (wanted.sm >= machine_->gpu().num_sms()) {
    throw InputError(fmt::format("'{}' is not an SM from 0 to {}", wanted.sm, machine_->gpu().num_sms() - 1));
  }
  if (command.number) wanted.warp = static_cast<unsigned>(*command.number);
  fmt::print("{}\n", warp_line(*machine_, kernel_, wanted));
  selected_ = wanted;
}

std::string Shell::code_around(unsigned instructions) const {
  if (kernel_.loaded == nullptr) throw InputError("no kernel has been launched");
  SmState state;
  machine_->gpu().sm(selected_.sm).read_state(state);
  const std::uint32_t pc = chosen_resident() ? state.warp[selected_.warp].pc - kernel_.loaded->start : 0;
  return listing_text(kernel_, pc, instructions, arch());
}

void Shell::trace(const ShellCommand& command) {
  if (command.name.empty()) return traces_.clear();
  Event event;
  event.condition = fmt::format("changes({})", command.name);
  traces_.emplace_back(event, machine_->gpu().shader, [this, signal = command.name](const std::string&) {
    fmt::print("cycle {}: {}", machine_->shader_cycle(), signal_text(signal));
  });
}

void Shell::wave(const ShellCommand& command) {
  if (command.name.empty()) {
    if (wave_ == nullptr) throw InputError("no wave is being recorded");
    wave_->close();
    wave_->check_file();
    for (const std::string& warning : wave_->warnings()) fmt::print("{}\n", warning);
    return wave_.reset();
  }
  if (wave_ != nullptr) throw InputError("a wave is being recorded: write wave off first");
  WaveOptions options;
  options.file = command.name;
  wave_ = std::make_unique<WaveSink>(options, machine_->domains());
  try {
    wave_->open();
  } catch (const WaveError&) {
    wave_.reset();
    throw;
  }
}

std::string Shell::info_text(const ShellCommand& command) const {
  if (command.name == "kernel") return kernel_text(machine_->config(), kernel_);
  if (command.name == "blocks") return blocks_text(*machine_);
  if (command.name == "warps") return warps_text(*machine_, kernel_, selected_);
  if (command.name == "registers") return lane_text(*machine_, selected_, command.number);
  return breakpoints_.text();
}

std::string Shell::last_events(std::uint64_t count) const {
  const std::string text = machine_->flight_log().text;
  std::size_t from = text.size();
  for (std::uint64_t n = 0; n <= count && from != 0 && from != std::string::npos; ++n)
    from = text.rfind('\n', from - 1);
  return text.substr(from == std::string::npos || from == 0 ? 0 : from + 1);
}

}  // namespace g80
