// SPDX-License-Identifier: Apache-2.0
// Parses the commands of the shell (docs/shell.md). Parsing needs no machine: the shell looks up signal names, code
// addresses and warp numbers when it executes the command.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/record/warp_state.h"

namespace g80 {

enum class Verb : std::uint8_t {
  kStep,
  kStepInstruction,
  kContinue,
  kUntil,
  kBreak,
  kWatch,
  kDelete,
  kDisable,
  kEnable,
  kWarps,
  kWarp,
  kPrint,
  kExamine,
  kStack,
  kScoreboard,
  kQueues,
  kList,
  kTrace,
  kWave,
  kInfo,
  kFlight,
  kHelp,
  kQuit,
};

/// A condition that halts the machine.
struct StopPlace {
  enum class Kind : std::uint8_t { kEvent, kCode, kState, kMismatch, kMemory };
  Kind kind = Kind::kEvent;
  std::string text;                 // as written
  std::string event;                // kEvent: for parse_event()
  std::optional<std::uint32_t> pc;  // kCode: bytes from the kernel's first instruction, or a line of a source file
  std::string file;                 // empty: any
  std::uint32_t line = 0;
  WarpState state = WarpState::kReady;  // kState: a warp enters it
  bool shared = false;                  // kMemory: s[address], else g[address]
  std::uint32_t address = 0;
  bool reads = true, writes = true;
  std::optional<unsigned> sm, warp;  // those warps only
  std::optional<std::pair<unsigned, unsigned>> block;
  bool once = false;  // deleted after it has halted the machine
};

/// Words of a memory: space g, s, l, or c with its bank.
struct MemoryPlace {
  char space = 'g';
  unsigned bank = 0;
  std::uint64_t address = 0;
  std::string text() const;
};

/// $r3: kind r, c or a, and number.
struct RegisterName {
  char kind = 'r';
  unsigned index = 0;
  std::string text() const;
};

struct ShellCommand {
  Verb verb = Verb::kHelp;
  std::optional<std::uint64_t>
      number;                       // cycles, instructions, words, events; breakpoint (none: all); uid; lane; warp slot
  std::optional<unsigned> sm;       // warp: of which SM
  StopPlace stop;                   // until, break, watch
  std::optional<RegisterName> reg;  // print: a register ...
  std::string name;                 // ... or a signal; trace: signal or empty for off; wave: file or empty; info; help
  MemoryPlace memory;               // x
  char format = 'x';                // x, u, d, f
};

/// Subjects of `info`.
inline constexpr const char* kInfoTopics[] = {"kernel", "blocks", "warps", "registers", "breakpoints"};

/// Nothing for an empty line or a comment. Throws InputError: one sentence.
std::optional<ShellCommand> parse_command(const std::string& line);

/// The names of all commands; the command for a name or abbreviation. Throws InputError.
std::vector<std::string> command_names();
Verb verb_of(const std::string& name);

/// Syntax and description of every command, or of the command `name`. Throws InputError.
std::string help_text(const std::string& name);

}  // namespace g80
