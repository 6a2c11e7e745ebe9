// SPDX-License-Identifier: Apache-2.0
#include "app/shell/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>
#include <vector>

#include "hw/common/limits.h"
#include "hw/common/types.h"
#include "input/input_error.h"
#include "tb/waves/number.h"

namespace g80 {
namespace {

using Words = std::vector<std::string>;

std::uint64_t number(const std::string& text, const char* what, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  if (!parse_number(text, value) || value < least || value > most) {
    throw InputError(fmt::format("'{}' is not a valid {} ({} to {})", text, what, least, most));
  }
  return value;
}

std::string rest_of(const Words& words, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < words.size(); ++i) text += (i == from ? "" : " ") + words[i];
  return text;
}

void no_more(const Words& words, std::size_t from) {
  if (words.size() > from) throw InputError(fmt::format("'{}' is an unexpected argument", words[from]));
}

/// The text between the brackets of "name[text]"; nothing if it is not of this form.
std::optional<std::string> bracketed(const std::string& text, std::string& name) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos || text.back() != ']') return std::nullopt;
  name = text.substr(0, open);
  return text.substr(open + 1, text.size() - open - 2);
}

void read_filters(const Words& words, std::size_t from, StopPlace& stop) {
  for (std::size_t i = from; i < words.size(); i += 2) {
    const std::string& what = words[i];
    if (what != "sm" && what != "warp" && what != "block") {
      throw InputError(fmt::format("'{}' is not one of sm, warp, block", what));
    }
    if (i + 1 == words.size()) throw InputError(fmt::format("a value is missing after '{}'", what));
    const std::string& value = words[i + 1];
    if (what == "sm") {
      stop.sm = static_cast<unsigned>(number(value, "SM", 0, UINT16_MAX));
    } else if (what == "warp") {
      stop.warp = static_cast<unsigned>(number(value, "warp slot", 0, kMaxWarps - 1));
    } else {
      const std::size_t comma = value.find(',');
      const std::uint64_t y = comma == std::string::npos ? 0 : number(value.substr(comma + 1), "block", 0, UINT16_MAX);
      stop.block = {static_cast<unsigned>(number(value.substr(0, comma), "block", 0, UINT16_MAX)),
                    static_cast<unsigned>(y)};
    }
  }
}

bool is_name(const std::string& text) {
  const auto part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '$'; };
  return std::isdigit(static_cast<unsigned char>(text[0])) == 0 && std::all_of(text.begin(), text.end(), part);
}

void read_code_place(const std::string& place, StopPlace& stop) {
  stop.kind = StopPlace::Kind::kCode;
  const std::size_t colon = place.rfind(':');
  std::uint64_t value = 0;
  if (colon == std::string::npos && place.rfind("0x", 0) == 0 && parse_number(place, value) && value <= UINT32_MAX) {
    stop.pc = static_cast<std::uint32_t>(value);
    return;
  }
  stop.file = colon == std::string::npos ? "" : place.substr(0, colon);
  const std::string line = colon == std::string::npos ? place : place.substr(colon + 1);
  stop.line = static_cast<std::uint32_t>(number(line, "line", 1, UINT32_MAX));
}

void read_state(const std::string& name, StopPlace& stop) {
  const EnumText& states = enum_text(WarpState{});
  const auto end = states.names + states.count, found = std::find(states.names, end, name);
  if (found == end) {
    throw InputError(
        fmt::format("'{}' is not a warp state; the states are {}", name, fmt::join(states.names, end, ", ")));
  }
  stop.state = static_cast<WarpState>(found - states.names);
  stop.kind = StopPlace::Kind::kState;
}

void read_break(const Words& words, ShellCommand& command) {
  if (words.size() < 2) {
    throw InputError(
        "write break PC, break FILE:LINE, break LINE, break KERNEL, break if EVENT, break state STATE, "
        "or break mismatch");
  }
  StopPlace& stop = command.stop;
  stop.text = rest_of(words, 1);
  if (words[1] == "if") {
    stop.text = stop.event = rest_of(words, 2);
  } else if (words[1] == "state") {
    if (words.size() < 3) throw InputError("write break state STATE, as `warps` shows it");
    read_state(words[2], stop);
    read_filters(words, 3, stop);
  } else if (words[1] == "mismatch" || words[1] == "fault" || is_name(words[1])) {
    no_more(words, 2);
    if (words[1] == "mismatch") stop.kind = StopPlace::Kind::kMismatch;
    stop.event = words[1] == "fault" ? words[1] : "launch=" + words[1];
  } else {
    read_code_place(words[1], stop);
    read_filters(words, 2, stop);
  }
}

void read_watch(const Words& words, ShellCommand& command) {
  if (words.size() < 2) throw InputError("write watch g[ADDRESS] or watch s[ADDRESS], and r or w");
  StopPlace& stop = command.stop;
  stop.kind = StopPlace::Kind::kMemory;
  stop.text = "watch " + rest_of(words, 1);
  std::string space;
  std::uint64_t address = 0;
  const std::optional<std::string> inside = bracketed(words[1], space);
  if (!inside || (space != "g" && space != "s") || !parse_number(*inside, address) || address > UINT32_MAX) {
    throw InputError(fmt::format("{}: write g[ADDRESS] or s[ADDRESS]", words[1]));
  }
  stop.shared = space == "s";
  stop.address = static_cast<std::uint32_t>(address);
  const std::string kind = words.size() > 2 ? words[2] : "rw";
  if (kind != "r" && kind != "w" && kind != "rw") throw InputError(fmt::format("'{}' is not one of r, w, rw", kind));
  no_more(words, 3);
  stop.reads = kind != "w";
  stop.writes = kind != "r";
}

char read_format(const std::string& text) {
  if (text.size() == 1 && std::string("xudf").find(text[0]) != std::string::npos) return text[0];
  throw InputError(fmt::format("'{}' is not one of the formats x, u, d, f", text));
}

void read_print(const Words& words, ShellCommand& command) {
  if (words.size() < 2) throw InputError("write print $r0, print $c0, print $a1 or print SIGNAL");
  if (words.size() > 2) command.format = read_format(words[2]);
  no_more(words, 3);
  const std::string& name = words[1];
  command.name = name;
  if (name[0] != '$') return;
  const char kind = name.size() > 1 ? name[1] : ' ';
  std::uint64_t index = 0;
  if (std::string("rca").find(kind) == std::string::npos || !parse_number(name.substr(2), index) || index > 255) {
    throw InputError(fmt::format("{}: registers are $r0, $c0, $a1 and so on", name));
  }
  command.reg = RegisterName{kind, static_cast<unsigned>(index)};
}

void read_examine(const Words& words, ShellCommand& command) {
  if (words.size() < 2) throw InputError("write x g[ADDRESS], x s[ADDRESS], x l[ADDRESS] or x c0[ADDRESS]");
  std::string space;
  std::uint64_t bank = 0;
  const std::optional<std::string> inside = bracketed(words[1], space);
  if (!inside || !parse_number(*inside, command.memory.address) || command.memory.address % 4 != 0) {
    throw InputError(fmt::format(
        "{}: write g[ADDRESS], s[ADDRESS], l[ADDRESS] or c0[ADDRESS], with an address that is a multiple of 4",
        words[1]));
  }
  const bool constant =
      space.size() > 1 && space[0] == 'c' && parse_number(space.substr(1), bank) && bank < kNumConstBanks;
  if (!constant && space != "g" && space != "s" && space != "l") {
    throw InputError(fmt::format("{}: memories are g[], s[], l[] and c0[] to c{}[]", words[1], kNumConstBanks - 1));
  }
  if (command.memory.address > UINT32_MAX) {
    throw InputError(fmt::format("{}: addresses have 32 bits", words[1]));
  }
  command.memory.space = space[0];
  command.memory.bank = static_cast<unsigned>(bank);
  const bool counted = words.size() > 2 && std::isdigit(static_cast<unsigned char>(words[2][0])) != 0;
  if (counted) command.number = number(words[2], "number of words", 1, 4096);
  const std::size_t format = counted ? 3 : 2;
  if (words.size() > format) command.format = read_format(words[format]);
  no_more(words, format + 1);
}

void read_event(const Words& words, ShellCommand& command) {
  command.stop.text = command.stop.event = rest_of(words, 1);
  command.stop.once = true;
}

void read_breakpoint(const Words& words, ShellCommand& command) {
  if (words.size() > 1 && words[1] != "all") command.number = number(words[1], "breakpoint", 1, UINT32_MAX);
  no_more(words, 2);
}

void read_warp(const Words& words, ShellCommand& command) {
  no_more(words, 3);
  if (words.size() > 2) command.sm = static_cast<unsigned>(number(words[1], "SM", 0, UINT16_MAX));
  if (words.size() > 1) command.number = number(words.back(), "warp slot", 0, kMaxWarps - 1);
}

void read_trace(const Words& words, ShellCommand& command) {
  if (words.size() < 2) throw InputError("write trace SIGNAL or trace off");
  no_more(words, 2);
  if (words[1] != "off") command.name = words[1];
}

void read_wave(const Words& words, ShellCommand& command) {
  if (words.size() == 2 && words[1] == "off") return;
  if (words.size() != 3 || words[1] != "on") throw InputError("write wave on F.vcd, wave on F.fst or wave off");
  command.name = words[2];
  const std::size_t dot = command.name.rfind('.');
  const std::string suffix = dot == std::string::npos ? "" : command.name.substr(dot);
  if (suffix != ".vcd" && suffix != ".fst") {
    throw InputError(fmt::format("{}: the name must end in .vcd or .fst", command.name));
  }
}

void read_info(const Words& words, ShellCommand& command) {
  for (const char* topic : kInfoTopics) {
    if (words.size() < 2 || std::string(topic).compare(0, words[1].size(), words[1]) != 0) continue;
    command.name = topic;
    const bool lane = command.name == "registers";
    if (lane && words.size() > 2) command.number = number(words[2], "lane", 0, kWarpSize - 1);
    no_more(words, lane ? 3 : 2);
    return;
  }
  throw InputError("write info kernel, info blocks, info warps, info registers or info breakpoints");
}

void read_nothing(const Words& words, ShellCommand&) { no_more(words, 1); }

template <std::uint64_t kMost>
void read_count(const Words& words, ShellCommand& command) {
  if (words.size() > 1) command.number = number(words[1], "number", 1, kMost);
  no_more(words, 2);
}

void read_help(const Words& words, ShellCommand& command) {
  command.name = words.size() > 1 ? words[1] : "";
  no_more(words, 2);
}

struct Row {
  const char* name;
  Verb verb;
  void (*read)(const Words&, ShellCommand&);
  const char* usage;  // null: another name of the row before
  const char* does;
};

// An abbreviation selects the first row that begins with it.
const Row kRows[] = {
    {"step", Verb::kStep, read_count<kLastCycle>, "step [N]", "run N shader cycles (1)"},
    {"stepi", Verb::kStepInstruction, read_count<kLastCycle>, "stepi [N]",
     "run until the chosen warp has issued N instructions (1) or has ended"},
    {"si", Verb::kStepInstruction, read_count<kLastCycle>, nullptr, nullptr},
    {"continue", Verb::kContinue, read_nothing, "continue", "run to the next breakpoint or to the end"},
    {"until", Verb::kUntil, read_event, "until EVENT", "run until an event happens, once"},
    {"break", Verb::kBreak, read_break,
     "break PC|FILE:LINE|LINE [sm N] [warp N] [block X,Y]; break KERNEL; break if EVENT; "
     "break state STATE [sm N] [warp N] [block X,Y]; break fault; break mismatch",
     "halt when a warp issues that instruction, when a kernel is launched, at every event, when a warp enters a state "
     "of "
     "`warps`, at a fault, in the cycle in which lock-step differs"},
    {"tbreak", Verb::kBreak, read_break, "tbreak ...", "a breakpoint that halts once"},
    {"watch", Verb::kWatch, read_watch, "watch g[ADDRESS]|s[ADDRESS] [r|w]",
     "halt when a lane reads or writes this byte"},
    {"delete", Verb::kDelete, read_breakpoint, "delete [N|all]", "delete a breakpoint; without a number: all"},
    {"disable", Verb::kDisable, read_breakpoint, "disable [N|all]", "disable a breakpoint"},
    {"enable", Verb::kEnable, read_breakpoint, "enable [N|all]", "enable a breakpoint"},
    {"warps", Verb::kWarps, read_nothing, "warps", "every resident warp: its pc and what it waits for"},
    {"warp", Verb::kWarp, read_warp, "warp [[SM] N]", "choose the warp for other commands"},
    {"print", Verb::kPrint, read_print, "print $rN|$cN|$aN|SIGNAL [x|u|d|f]",
     "a register of the warp, lane by lane, or a signal"},
    {"x", Verb::kExamine, read_examine, "x g[A]|s[A]|l[A]|cN[A] [COUNT] [x|u|d|f]", "N words of memory (4)"},
    {"stack", Verb::kStack, read_nothing, "stack, backtrace, bt, where", "active lanes and control stack of the warp"},
    {"backtrace", Verb::kStack, read_nothing, nullptr, nullptr},
    {"bt", Verb::kStack, read_nothing, nullptr, nullptr},
    {"where", Verb::kStack, read_nothing, nullptr, nullptr},
    {"scoreboard", Verb::kScoreboard, read_nothing, "scoreboard", "instructions of the warp in flight"},
    {"queues", Verb::kQueues, read_count<UINT32_MAX>, "queues [UID]",
     "non-empty queues with depth and entries; or every place that holds a uid"},
    {"list", Verb::kList, read_count<100000>, "list [N]",
     "N instructions before and after the warp's pc (4), with source lines"},
    {"trace", Verb::kTrace, read_trace, "trace SIGNAL|off", "print the signal whenever it changes"},
    {"wave", Verb::kWave, read_wave, "wave on FILE|off", "start recording a wave; complete the file"},
    {"info", Verb::kInfo, read_info, "info kernel|blocks|warps|registers [LANE]|breakpoints",
     "the launch; blocks of each SM; as `warps`; all registers of a lane; the breakpoints"},
    {"flight", Verb::kFlight, read_count<16384>, "flight [N]", "the last N warp events (20)"},
    {"help", Verb::kHelp, read_help, "help [COMMAND]", "this list"},
    {"quit", Verb::kQuit, read_nothing, "quit", "end the run"},
};

bool begins(const char* name, const std::string& with) { return std::string(name).compare(0, with.size(), with) == 0; }

const Row& find_row(const std::string& name) {
  const auto exact = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) { return name == row.name; });
  if (exact != std::end(kRows)) return *exact;
  const auto first =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) { return begins(row.name, name); });
  if (first != std::end(kRows)) return *first;
  std::string names;
  for (const Row& row : kRows) {
    if (row.usage != nullptr) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw InputError(fmt::format("unknown command '{}'; commands are {}", name, names));
}

/// Accepts gdb's notation of count and format: x/8f g[0], p/d $r3. Both become words at the end.
void split_slash(Words& words) {
  const std::size_t slash = words[0].find('/');
  if (slash == std::string::npos) return;
  std::string behind = words[0].substr(slash + 1);
  words[0].resize(slash);
  if (words[0].empty() || behind.empty()) throw InputError("a count and a format follow a /: x/8f g[0], print/d $r3");
  const std::size_t digits = std::min(behind.find_first_not_of("0123456789"), behind.size());
  if (digits != 0) words.push_back(behind.substr(0, digits));
  if (digits != behind.size()) words.push_back(behind.substr(digits));
}

}  // namespace

std::string MemoryPlace::text() const {
  return space == 'c' ? fmt::format("c{}[0x{:x}]", bank, address) : fmt::format("{}[0x{:x}]", space, address);
}

std::string RegisterName::text() const { return fmt::format("${}{}", kind, index); }

std::optional<ShellCommand> parse_command(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) return std::nullopt;
  split_slash(words);
  const Row& row = find_row(words[0]);
  ShellCommand command;
  command.verb = row.verb;
  row.read(words, command);
  if (std::string(row.name) == "tbreak") command.stop.once = true;
  return command;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Row& row : kRows) names.emplace_back(row.name);
  return names;
}

Verb verb_of(const std::string& name) { return find_row(name.substr(0, name.find('/'))).verb; }

std::string help_text(const std::string& name) {
  std::string out;
  for (const Row& row : kRows) {
    if (row.usage != nullptr && (name.empty() || row.verb == find_row(name).verb)) {
      out += fmt::format("  {}\n      {}\n", row.usage, row.does);
    }
  }
  return out;
}

}  // namespace g80
