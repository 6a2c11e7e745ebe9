#include "tb/shell/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tb/check/fault_text.h"
#include "tb/machine/interrupt_hold.h"
#include "tb/scenario/input_error.h"
#include "tb/waves/trace_file.h"

namespace g80 {

struct Shell::Command {
  const char* name;
  bool (Shell::*run)(const Words&);
  const char* usage;
  const char* does;
};

const Shell::Command Shell::kCommands[] = {
    {"step", &Shell::step, "step [N]", "run N shader cycles (1)"},
    {"continue", &Shell::go_on, "continue", "run to the next breakpoint or to the end"},
    {"until", &Shell::until, "until EVENT", "run until an event happens"},
    {"break", &Shell::add_break, "break PC|FILE:LINE|LINE [sm N] [warp N] [block X,Y]; break if EVENT",
     "halt when a warp issues that instruction, or at every event"},
    {"watch", &Shell::watch, "watch g[ADDRESS]|s[ADDRESS] [r|w]", "halt when a lane reads or writes that byte"},
    {"delete", &Shell::remove, "delete N|all", "take a breakpoint away"},
    {"warps", &Shell::warps, "warps", "every resident warp"},
    {"warp", &Shell::select, "warp [SM] N", "choose the warp that commands are about"},
    {"print", &Shell::print, "print $rN|$cN|$aN|SIGNAL [x|u|d|f]", "a register of the warp, lane by lane, or a signal"},
    {"x", &Shell::examine, "x g[A]|s[A]|l[A]|cN[A] [COUNT] [x|u|d|f]", "words of a memory"},
    {"stack", &Shell::stack, "stack", "lanes and control stack of the warp"},
    {"scoreboard", &Shell::scoreboard, "scoreboard", "what the warp has in flight"},
    {"queues", &Shell::queues, "queues [UID]", "heads of the queues; or every place where a uid is"},
    {"list", &Shell::list, "list [N]", "code and source around the warp's pc"},
    {"trace", &Shell::trace, "trace SIGNAL|off", "print the signal whenever it changes"},
    {"wave", &Shell::wave, "wave on FILE|off", "draw from here on; complete the file"},
    {"info", &Shell::info, "info kernel|blocks|breaks", "the launch, its blocks on the SMs, the breakpoints"},
    {"flight", &Shell::flight, "flight [N]", "the last N events of the warps (20)"},
    {"help", &Shell::help, "help", "this list"},
    {"quit", &Shell::quit, "quit", "end the run"},
};

namespace {

std::uint64_t number(const std::string& text, const char* what, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  if (!parse_number(text, value) || value < least || value > most) throw InputError(fmt::format("'{}' is no {} from {} to {}", text, what, least, most));
  return value;
}

std::string rest_of(const std::vector<std::string>& words, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < words.size(); ++i) text += (i == from ? "" : " ") + words[i];
  return text;
}

}  // namespace

Shell::Shell(std::unique_ptr<LineSource> lines, std::optional<Event> until) : lines_(std::move(lines)), first_until_(std::move(until)) {
  if (lines_->interactive()) hold_interrupts(true);
}

Shell::~Shell() { hold_interrupts(false); }

isa::Arch Shell::arch() const { return static_cast<isa::Arch>(machine_->config().device.compute_minor); }

void Shell::built(GpuBackend& machine) {
  machine_ = &machine;
  if (!first_until_) return;
  Stop& stop = stops_.emplace_back();
  stop.text = first_until_->text;
  stop.event = *first_until_;
  stop.trigger = trigger_for("--until", stop.event, machine.gpu().shader, [this, &stop](const std::string& where) { hit(stop, where); });
}

void Shell::closing() {
  stops_.clear();
  traces_.clear();
  wave_.reset();
  machine_ = nullptr;
}

bool Shell::halt_wanted() const { return wanted_ || interrupt_held(); }

void Shell::arm(Stop& stop) {
  stop.trigger.reset();
  if (stop.place) {
    if (kernel_.loaded == nullptr) return;
    std::uint32_t pc = 0;
    try {
      pc = code_address(*stop.place);
    } catch (const InputError&) {
      if (stop.id == next_id_) throw;  // just asked for
      return;                          // not in this kernel
    }
    const std::string sm = stop.sm ? std::string(machine_->gpu().sm(*stop.sm).name()) : "sm*";
    stop.event.kind = Event::Kind::kCondition;
    stop.event.condition = fmt::format("changes({0}.issue.uid) && {0}.issue.valid && {0}.issue.insn.pc == {1}", sm, pc + kernel_.loaded->start);
    if (stop.warp) stop.event.condition += fmt::format(" && {}.issue.warp == {}", sm, *stop.warp);
  }
  stop.trigger = std::make_unique<EventTrigger>(stop.event, machine_->gpu().shader, [this, &stop](const std::string& where) { hit(stop, where); });
}

std::optional<unsigned> Shell::sm_named(const std::string& where) const {
  for (unsigned i = 0; i < machine_->gpu().num_sms(); ++i) {
    const std::string name = machine_->gpu().sm(i).name();
    if (where.compare(0, name.size(), name) == 0 && (where.size() == name.size() || where[name.size()] == '_' || where[name.size()] == '.')) return i;
  }
  return std::nullopt;
}

// Inside the simulation, except for launches.
void Shell::hit(Stop& stop, const std::string& where) {
  if (stop.place) {
    bool found = false;
    for (unsigned sm = 0; sm < machine_->gpu().num_sms() && !found; ++sm) {
      const std::string name = machine_->gpu().sm(sm).name();
      if (stop.sm ? sm != *stop.sm : (", " + where + ",").find(", " + name + ",") == std::string::npos) continue;
      const unsigned warp = machine_->gpu().sm(sm).probes().issue.read().warp;
      const CtaSlot* const slot = machine_->gpu().sm(sm).launcher.slot_of(warp);
      found = !stop.block || (slot != nullptr && slot->x == stop.block->first && slot->y == stop.block->second);
      if (found) selected_ = {sm, warp};
    }
    if (!found) return;
  } else if (const std::optional<unsigned> sm = sm_named(where.substr(0, where.find(',')))) {
    selected_.sm = *sm;
  }
  if (stop.port) {
    const std::string port = stop.port->empty() ? where.substr(0, where.find(',')) : *stop.port;
    selected_.warp = static_cast<unsigned>(signal_value(port + ".origin.warp"));
    if (const std::optional<unsigned> sm = sm_named(port)) selected_.sm = *sm;
  }
  const std::string in = stop.place || stop.port || where.empty() ? "" : " in " + where;
  hits_.push_back(stop.id == 0 ? fmt::format("{}{}", stop.text, in) : fmt::format("breakpoint {}: {}{}", stop.id, stop.text, in));
  wanted_ = true;
  if (stop.event.kind != Event::Kind::kLaunch) sc_core::sc_pause();
}

void Shell::launched(const LaunchRequest& request, std::uint64_t number) {
  kernel_.loaded = &machine_->driver().kernel(request.kernel->name);
  std::copy(request.grid.begin(), request.grid.end(), kernel_.grid);
  std::copy(request.block.begin(), request.block.end(), kernel_.block);
  fmt::print("launch {}: {}", number, kernel_text(kernel_));
  for (Stop& stop : stops_) {
    if (stop.place) arm(stop);
    if (stop.trigger) stop.trigger->launched(request.kernel->name, number);
  }
  if (number == 1 && !first_until_) wanted_ = true;
  if (wanted_) halted();
}

void Shell::launch_ended(const LaunchResult& result) {
  fmt::print("the launch has ended: {}, {} cycles\n", launch_end_name(result.end), result.shader_cycles);
  if (result.end == LaunchEnd::kFinished) return;
  hits_.push_back(result.message);
  halted();
}

void Shell::failed(const ModelError& error) {
  hits_.push_back(error.what());
  halted();
}

void Shell::halted() {
  for (const Stop& stop : stops_) {
    if (stop.trigger) stop.trigger->check();
  }
  if (take_held_interrupt()) hits_.push_back("interrupted");
  prompt();
}

void Shell::tell_place() {
  std::string line = fmt::format("shader cycle {}", machine_->shader_cycle());
  for (const std::string& what : hits_) line += ": " + what;
  fmt::print("{}\n", line);
  hits_.clear();
  const CtaSlot* const slot = machine_->gpu().sm(selected_.sm).launcher.slot_of(selected_.warp);
  if (slot != nullptr && (slot->live >> selected_.warp & 1) != 0) fmt::print("{}\n", warp_line(*machine_, kernel_, selected_));
}

void Shell::prompt() {
  wanted_ = false;
  halt_time_ = kNever;
  tell_place();
  stops_.remove_if([](const Stop& stop) { return stop.id == 0; });
  while (true) {
    const std::optional<std::string> line = lines_->next("(g80) ");
    if (!line) throw EventReached("", machine_->shader_cycle());
    try {
      if (execute(*line)) break;
    } catch (const InputError& error) {
      if (!lines_->interactive()) throw InputError(fmt::format("{}: {}", lines_->place(), error.what()));
      fmt::print("{}\n", error.what());
    } catch (const WaveError& error) {
      if (!lines_->interactive()) throw InputError(fmt::format("{}: {}", lines_->place(), error.what()));
      fmt::print("{}\n", error.what());
    }
  }
  std::fflush(stdout);
}

const Shell::Command& Shell::find_command(const std::string& name) const {
  const Command* found = nullptr;
  std::string names;
  for (const Command& command : kCommands) {
    names += (names.empty() ? "" : ", ") + std::string(command.name);
    if (name == command.name) return command;
    if (std::string_view(command.name).substr(0, name.size()) != name) continue;
    if (found == nullptr) found = &command;  // the first of the list: s is step, w is watch
  }
  if (found == nullptr) throw InputError(fmt::format("there is no command '{}'; commands are {}", name, names));
  return *found;
}

bool Shell::execute(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) return false;
  return (this->*find_command(words[0]).run)(words);
}

bool Shell::step(const Words& words) {
  const std::uint64_t cycles = words.size() > 1 ? number(words[1], "number of cycles", 1, 1'000'000'000'000) : 1;
  halt_time_ = Domain::edge_time(machine_->gpu().shader.mhz(), machine_->shader_cycle() + cycles) + 1;  // when the edge has run
  return true;
}

bool Shell::go_on(const Words&) { return true; }

bool Shell::until(const Words& words) {
  Stop stop;
  stop.text = rest_of(words, 1);
  stop.event = parse_event(stop.text);
  stops_.push_back(std::move(stop));
  try {
    arm(stops_.back());
  } catch (const InputError&) {
    stops_.pop_back();
    throw;
  }
  return true;
}

std::uint32_t Shell::code_address(const std::string& place) const {
  const Kernel& kernel = *kernel_.loaded->kernel;
  std::uint64_t value = 0;
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos && place.rfind("0x", 0) == 0 && parse_number(place, value)) {
    if (value % 4 != 0 || value / 4 >= kernel.code.size()) throw InputError(fmt::format("{}: the code of {} has {} bytes", place, kernel.name, kernel.code.size() * 4));
    return static_cast<std::uint32_t>(value);
  }
  const std::string file = colon == std::string::npos ? "" : place.substr(0, colon);
  value = number(colon == std::string::npos ? place : place.substr(colon + 1), "line", 1, UINT32_MAX);
  std::string has;
  for (const LineTable::Run& run : kernel.lines.runs()) {
    if (run.line == 0) continue;
    const std::string& name = kernel.lines.files()[run.file];
    const bool same = file.empty() || name == file || (name.size() > file.size() && name.compare(name.size() - file.size() - 1, std::string::npos, "/" + file) == 0);
    if (same && run.line == value) return run.address;
    if (same && run.line > value && has.empty()) has = fmt::format("; the next line with code is {}", run.line);
  }
  throw InputError(fmt::format("{}: kernel {} has no code of this line{}", place, kernel.name, has));
}

bool Shell::add_break(const Words& words) {
  if (words.size() < 2) throw InputError("write break PC, break FILE:LINE, break LINE or break if EVENT");
  Stop stop;
  stop.id = next_id_;
  stop.text = rest_of(words, 1);
  if (words[1] == "if") {
    stop.event = parse_event(rest_of(words, 2));
    stop.text = stop.event.text;
  } else {
    stop.place = words[1];
    for (std::size_t i = 2; i < words.size(); i += 2) {
      if (i + 1 == words.size()) throw InputError(fmt::format("a value is missing behind '{}'", words[i]));
      const std::string& value = words[i + 1];
      if (words[i] == "sm") {
        stop.sm = static_cast<unsigned>(number(value, "SM", 0, machine_->gpu().num_sms() - 1));
      } else if (words[i] == "warp") {
        stop.warp = static_cast<unsigned>(number(value, "warp slot", 0, machine_->config().sm.max_warps - 1));
      } else if (words[i] == "block") {
        const std::size_t comma = value.find(',');
        const auto y = comma == std::string::npos ? 0 : number(value.substr(comma + 1), "block", 0, 65535);
        stop.block = {static_cast<unsigned>(number(value.substr(0, comma), "block", 0, 65535)), static_cast<unsigned>(y)};
      } else {
        throw InputError(fmt::format("'{}' is none of sm, warp, block", words[i]));
      }
    }
  }
  stops_.push_back(std::move(stop));
  try {
    arm(stops_.back());
  } catch (const InputError&) {
    stops_.pop_back();
    throw;
  }
  fmt::print("breakpoint {}: {}\n", next_id_++, stops_.back().text);
  return false;
}

// The half-warps' accesses where they leave the SM's address unit: a lane's bytes hold the address.
bool Shell::watch(const Words& words) {
  if (words.size() < 2) throw InputError("write watch g[ADDRESS] or watch s[ADDRESS], and r or w");
  const std::string& where = words[1];
  std::uint64_t address = 0;
  const bool shared = where[0] == 's';
  if (where.size() < 4 || (where[0] != 'g' && !shared) || where[1] != '[' || where.back() != ']' || !parse_number(where.substr(2, where.size() - 3), address) ||
      address > UINT32_MAX) {
    throw InputError(fmt::format("{}: write g[ADDRESS] or s[ADDRESS]", where));
  }
  const std::string kind = words.size() > 2 ? words[2] : "rw";
  if (kind != "r" && kind != "w" && kind != "rw") throw InputError(fmt::format("'{}' is none of r, w, rw", kind));
  std::string port = "sm*_access";
  if (shared) {
    const Sm& sm = machine_->gpu().sm(selected_.sm);
    const CtaSlot* const slot = sm.launcher.slot_of(selected_.warp);
    if (slot == nullptr) throw InputError("s[] belongs to a block: choose one of its warps with `warp` first");
    port = std::string(sm.name()) + ".smem_request";
    address += sm.launcher.places()[slot->first_warp].shared_base;
  }
  std::string lanes;
  for (unsigned lane = 0; lane < 16; ++lane) {
    lanes += fmt::format("{}({}.lanes >> {} & 1) != 0 && {}.address[{}] <= {} && {} < {}.address[{}] + {}.bytes", lane == 0 ? "" : " || ", port, lane, port, lane,
                         address, address, port, lane, port);
  }
  const std::string read = shared ? port + ".write == 0" : port + ".op == READ", write = shared ? port + ".write == 1" : port + ".op != READ";
  Stop stop;
  stop.id = next_id_;
  stop.text = "watch " + rest_of(words, 1);
  stop.port = shared ? port : "";
  // A queue that is empty still shows an entry that has left.
  const std::string there = shared ? port + ".valid" : fmt::format("{0}.count != 0 && {0}.client == GLOBAL", port);
  stop.event.condition = fmt::format("(changes({0}.origin.uid) || changes({0}.half)) && {1} && {2}({3})", port, there,
                                     kind == "r" ? read + " && " : kind == "w" ? write + " && " : "", lanes);
  stops_.push_back(std::move(stop));
  arm(stops_.back());
  fmt::print("breakpoint {}: {}\n", next_id_++, stops_.back().text);
  return false;
}

bool Shell::remove(const Words& words) {
  if (words.size() < 2) throw InputError("write delete N or delete all");
  if (words[1] == "all") {
    stops_.clear();
    return false;
  }
  const std::uint64_t id = number(words[1], "breakpoint", 1, next_id_);
  const auto found = std::find_if(stops_.begin(), stops_.end(), [&](const Stop& stop) { return stop.id == id; });
  if (found == stops_.end()) throw InputError(fmt::format("there is no breakpoint {}", id));
  stops_.erase(found);
  return false;
}

bool Shell::warps(const Words&) {
  fmt::print("{}", warps_text(*machine_, kernel_, selected_));
  return false;
}

bool Shell::select(const Words& words) {
  if (words.size() > 2) selected_.sm = static_cast<unsigned>(number(words[1], "SM", 0, machine_->gpu().num_sms() - 1));
  if (words.size() > 1) selected_.warp = static_cast<unsigned>(number(words.back(), "warp slot", 0, kMaxWarps - 1));
  fmt::print("{}\n", warp_line(*machine_, kernel_, selected_));
  return false;
}

bool Shell::print(const Words& words) {
  if (words.size() < 2) throw InputError("write print $r0, print $c0, print $a1 or print SIGNAL");
  if (words[1][0] != '$') {
    fmt::print("{}", signal_text(words[1]));
    return false;
  }
  fmt::print("{}", register_text(*machine_, selected_, words[1], words.size() > 2 ? words[2][0] : 'x'));
  return false;
}

bool Shell::examine(const Words& words) {
  if (words.size() < 2) throw InputError("write x g[ADDRESS], x s[ADDRESS], x l[ADDRESS] or x c0[ADDRESS]");
  const bool counted = words.size() > 2 && std::isdigit(static_cast<unsigned char>(words[2][0]));
  const unsigned count = counted ? static_cast<unsigned>(number(words[2], "number of words", 1, 4096)) : 4;
  const std::size_t format = counted ? 3 : 2;
  fmt::print("{}", memory_text(*machine_, kernel_, selected_, words[1], count, words.size() > format ? words[format][0] : 'x'));
  return false;
}

bool Shell::stack(const Words&) {
  fmt::print("{}", stack_text(*machine_, kernel_, selected_));
  return false;
}

bool Shell::scoreboard(const Words&) {
  fmt::print("{}", scoreboard_text(*machine_, selected_));
  return false;
}

bool Shell::queues(const Words& words) {
  fmt::print("{}", queues_text(words.size() > 1 ? static_cast<std::uint32_t>(number(words[1], "uid", 1, UINT32_MAX)) : 0));
  return false;
}

bool Shell::list(const Words& words) {
  const unsigned around = words.size() > 1 ? static_cast<unsigned>(number(words[1], "number of instructions", 1, 100000)) : 4;
  if (kernel_.loaded == nullptr) throw InputError("no kernel has been launched");
  const Sm& sm = machine_->gpu().sm(selected_.sm);
  const bool resident = sm.launcher.slot_of(selected_.warp) != nullptr;
  fmt::print("{}", listing_text(kernel_, resident ? sm.next_pc(selected_.warp) - kernel_.loaded->start : 0, around, arch()));
  return false;
}

bool Shell::trace(const Words& words) {
  if (words.size() < 2) throw InputError("write trace SIGNAL or trace off");
  if (words[1] == "off") {
    traces_.clear();
    return false;
  }
  const std::string signal = words[1];
  Event event;
  event.condition = fmt::format("changes({})", signal);
  traces_.emplace_back(event, machine_->gpu().shader, [this, signal](const std::string&) { fmt::print("cycle {}: {}", machine_->shader_cycle(), signal_text(signal)); });
  return false;
}

bool Shell::wave(const Words& words) {
  if (words.size() == 2 && words[1] == "off" && wave_ != nullptr) {
    wave_->close();
    wave_->check_file();
    for (const std::string& warning : wave_->warnings()) fmt::print("{}\n", warning);
    wave_.reset();
    return false;
  }
  if (words.size() != 3 || words[1] != "on" || wave_ != nullptr) {
    throw InputError(wave_ != nullptr ? "a wave is being drawn: write wave off" : "write wave on F.vcd or wave on F.fst");
  }
  WaveOptions options;
  options.file = words[2];
  const std::size_t dot = options.file.rfind('.');
  const std::string suffix = dot == std::string::npos ? "" : options.file.substr(dot);
  if (suffix != ".vcd" && suffix != ".fst") throw InputError(fmt::format("{}: the name must end in .vcd or .fst", options.file));
  wave_ = std::make_unique<WaveSink>(options, machine_->domains());
  try {
    wave_->open();
  } catch (const WaveError&) {
    wave_.reset();
    throw;
  }
  return false;
}

bool Shell::info(const Words& words) {
  const std::string what = words.size() > 1 ? words[1] : "";
  if (what == "kernel") {
    fmt::print("{}", kernel_text(kernel_));
  } else if (what == "blocks") {
    fmt::print("{}", blocks_text(*machine_));
  } else if (what == "breaks") {
    for (const Stop& stop : stops_) fmt::print("{}: {}{}\n", stop.id, stop.text, stop.trigger == nullptr ? " (not in this kernel)" : "");
  } else {
    throw InputError("write info kernel, info blocks or info breaks");
  }
  return false;
}

bool Shell::flight(const Words& words) {
  const auto count = static_cast<std::size_t>(words.size() > 1 ? number(words[1], "number of events", 1, 16384) : 20);
  const std::string text = machine_->flight_log().text;
  std::size_t from = text.size();
  for (std::size_t n = 0; n <= count && from != 0 && from != std::string::npos; ++n) from = text.rfind('\n', from - 1);
  fmt::print("{}", text.substr(from == std::string::npos || from == 0 ? 0 : from + 1));
  return false;
}

bool Shell::help(const Words&) {
  for (const Command& command : kCommands) fmt::print("  {}\n      {}\n", command.usage, command.does);
  return false;
}

bool Shell::quit(const Words&) { throw EventReached("", machine_->shader_cycle()); }

}  // namespace g80
