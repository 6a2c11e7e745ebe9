// SPDX-License-Identifier: Apache-2.0
// Scripted sessions of g80 run --shell: what commands print, what they refuse, and that halting changes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <regex>

#include "source_dir.h"
#include "tests/support/random_seed.h"
#include "tests/support/shell.h"

namespace g80 {
namespace {

using test::Outcome;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kTiny = "run vec_add --device tiny --arg n=64 --arg block=64 ";

class Session : public ::testing::Test {
 protected:
  Session() { std::filesystem::create_directories(folder); }
  ~Session() override { std::filesystem::remove_all(folder); }
  /// Runs the commands; folders of source files are left out of what was printed.
  Outcome session(const std::string& commands, const std::string& run = kTiny) const {
    std::ofstream(folder + "/commands.txt") << commands;
    Outcome outcome = test::shell("cd " + folder + " && " + G80_PROGRAM + " " + run + " --shell-script commands.txt");
    outcome.output = std::regex_replace(outcome.output, std::regex("[^ (`]*/([a-z_]+\\.sasm)"), "$1");
    return outcome;
  }
  /// What `keys` prints is typed on a terminal; typed.txt has what the terminal shows meanwhile.
  Outcome on_terminal(const std::string& keys) const {
    return test::shell("cd " + folder + " && : >typed.txt && (" + keys + ") | script -qefc '" + G80_PROGRAM + " " +
                       kTiny + "--shell' typed.txt");
  }
  /// Waits until the terminal has shown so many prompts.
  static std::string prompts(unsigned number) {
    return "until [ $(grep -o '(g80) ' typed.txt | wc -l) -ge " + std::to_string(number) + " ]; do sleep 0.02; done";
  }
  std::string contents(const std::string& file) const {
    std::ifstream stream(folder + "/" + file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  const std::string folder = ::testing::TempDir() + "g80_shell_" + std::to_string(getpid());
};

TEST_F(Session, BreakpointsShowTheWarpThatHitThem) {
  const Outcome outcome = session(R"(info kernel
break 0x40 warp 1
continue
warps
print $r0
stack
scoreboard
list 1
info blocks
delete 1
continue
)");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, StartsWith(R"(launch 1: vec_add: grid 1 x 1, block 64 x 1 x 1, 120 bytes of code at 0x0
shader cycle 36874
(g80) info kernel
vec_add: grid 1 x 1, block 64 x 1 x 1, 120 bytes of code at 0x0
3 registers and 0 bytes of local memory per thread, 32 + 0 bytes of shared memory per block
8 blocks fit on an SM, 16 of 16 warps; limited by blocks
s[0x10] a = 0x00050000 (327680)
s[0x14] b = 0x00070000 (458752)
s[0x18] c = 0x00090000 (589824)
s[0x1c] n = 0x00000040 (64)
(g80) break 0x40 warp 1
breakpoint 1: 0x40 warp 1
(g80) continue
shader cycle 37582: breakpoint 1: 0x40 warp 1
SM 0 warp 1 (block 0,0 warp 1): ready, lanes ffffffff, pc 0x48 `ld b32 $r2 g14[$r2]` (vec_add.sasm:18)
(g80) warps
  SM 0 warp 0 (block 0,0 warp 0): ready, lanes ffffffff, pc 0x48 `ld b32 $r2 g14[$r2]` (vec_add.sasm:18)
* SM 0 warp 1 (block 0,0 warp 1): ready, lanes ffffffff, pc 0x48 `ld b32 $r2 g14[$r2]` (vec_add.sasm:18)
(g80) print $r0
  $r0  0: 00000080 00000084 00000088 0000008c 00000090 00000094 00000098 0000009c
       8: 000000a0 000000a4 000000a8 000000ac 000000b0 000000b4 000000b8 000000bc
      16: 000000c0 000000c4 000000c8 000000cc 000000d0 000000d4 000000d8 000000dc
      24: 000000e0 000000e4 000000e8 000000ec 000000f0 000000f4 000000f8 000000fc
(g80) stack
active ffffffff, runnable ffffffff, broke 00000000, returned 00000000
#0 JOINAT lanes ffffffff, pc 0x68 `join nop` (vec_add.sasm:23)
(g80) scoreboard
1 instructions in flight, 1 in the buffer; writes pending: $r1
(g80) list 1
      vec_add.sasm:17  ld b32 $r1 g14[$r1]
   0x0040  ld b32 $r1 g14[$r1]
      vec_add.sasm:18  ld b32 $r2 g14[$r2]
=> 0x0048  ld b32 $r2 g14[$r2]
      vec_add.sasm:19  add rn f32 $r1 $r1 $r2
   0x0050  add rn f32 $r1 $r1 $r2
(g80) info blocks
SM 0: 1 blocks, 2 of 16 warps, 0 blocks ended
  block 0,0: warp slots 0 to 1, live 3
(g80) delete 1
(g80) continue
the launch has ended: finished, 1140 cycles, 714 of them from the first issue to the last retirement
)"));
  EXPECT_THAT(outcome.output, HasSubstr("  ok\n"));
}

TEST_F(Session, MemoryIsWatchedAndShown) {
  const Outcome outcome = session(R"(break vec_add.sasm:21
continue
x s[0x10] 3
delete 1
watch g[0x50000] r
watch g[0x90004] w
continue
print sm0_access.address[0]
delete 2
continue
queues
quit
)",
                                  kTiny + "--until sm0.pick.valid");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("shader cycle 37372: sm0.pick.valid\n"))
      << "--until says where the first prompt is";
  EXPECT_THAT(outcome.output, HasSubstr("s[0x10]: 00050000 00070000 00090000\n"));
  EXPECT_THAT(outcome.output, HasSubstr(": breakpoint 3: watch g[0x90004] w\nSM 0 warp 0 "));
}

// The kernel stores in * 3^k at l[4k].
TEST_F(Session, LocalMemoryIsShownLaneByLane) {
  const Outcome outcome = session("break local_spill.sasm:29 warp 1\ncontinue\nx l[0] 2 u\nx l[0x3c]\n",
                                  "run local_spill --device tiny --arg blocks=1 ");
  EXPECT_EQ(outcome.code, 2) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("\nl[0x0]  0:"));
  const auto first_word = [&](const std::string& label) {
    const std::size_t at = outcome.output.find("\n" + label + "  0:");
    return at == std::string::npos ? 0u
                                   : static_cast<unsigned>(std::stoul(outcome.output.substr(at + label.size() + 5)));
  };
  EXPECT_NE(first_word("l[0x0]"), 0u);
  EXPECT_EQ(first_word("l[0x4]"), 3 * first_word("l[0x0]"));
  EXPECT_THAT(outcome.output, HasSubstr("l[0x40]: a thread has 64 bytes of local memory"));
}

// Halts at every cycle, with breakpoints, traces and waves: the same counters, the same wave.
TEST_F(Session, HaltsChangeNothing) {
  std::string commands = "break 0x40\nbreak if changes(sm0.resolve.ended)\nwatch g[0x50000]\ntrace sm0.pick.stall\n";
  for (unsigned i = 0; i < 300; ++i) commands += "step\n";
  for (unsigned i = 1; i < 40; ++i) commands += "step " + std::to_string(i) + "\nwarps\nqueues\n";
  commands += "delete all\ncontinue\n";
  EXPECT_EQ(session(commands, kTiny + "--stats halted.csv --wave halted.vcd --wave-from 36908").code, 0);
  EXPECT_EQ(session("continue\n", kTiny + "--stats once.csv --wave once.vcd --wave-from 36908").code, 0);
  const Outcome plain = test::shell("cd " + folder + " && " + G80_PROGRAM + " " + kTiny +
                                    "--stats plain.csv --wave plain.vcd --wave-from 36908");
  EXPECT_EQ(plain.code, 0);
  EXPECT_FALSE(contents("plain.csv").empty());
  EXPECT_EQ(contents("plain.csv"), contents("halted.csv"));
  EXPECT_EQ(contents("plain.csv"), contents("once.csv"));
  EXPECT_TRUE(contents("plain.vcd") == contents("halted.vcd"));
  EXPECT_TRUE(contents("plain.vcd") == contents("once.vcd"));
}

TEST_F(Session, StepsCountShaderCycles) {
  const Outcome outcome = session("step\nstep 10\ns 3\nuntil cycle=36908\n");
  EXPECT_EQ(outcome.code, 0);
  for (const char* cycle : {"36875", "36885", "36888", "36908: cycle=36908"}) {
    EXPECT_THAT(outcome.output, HasSubstr(std::string("shader cycle ") + cycle + "\n"));
  }
  EXPECT_THAT(outcome.output, EndsWith("shader cycle 36908: cycle=36908\n")) << "the end of the commands ends the run";
}

TEST_F(Session, WavesAndTracesBeginAndEndWhereTheyAreAsked) {
  const Outcome outcome = session(
      "until sm0.pick.valid\nwave on w.vcd\ntrace sm0.pick.warp\nstep 20\nwave off\ntrace off\nflight 2\nquit\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("cycle 37376: gpu.tpc0.sm0.pick.warp = 1\n"));
  EXPECT_THAT(outcome.output, HasSubstr(" issues uid "));
  const std::string wave = contents("w.vcd");
  EXPECT_THAT(wave, HasSubstr("\n#37372000\n"));
  EXPECT_GT(wave.size(), 100000u);
}

// Every warp of the block stops at the barrier; the scheduler sees the last one there for a moment, too.
TEST_F(Session, AStateOfAWarpHalts) {
  const Outcome outcome = session(
      "break state barrier warp 2\ncontinue\ndelete\nbreak state memory sm 0 warp 1\ndisable\n"
      "tbreak state drain block 1,0\ninfo breakpoints\ncontinue\ninfo breakpoints\nquit\n",
      "run dot_product_hang --set gpu.hang_cycles=3000 ");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  // clang-format off
  EXPECT_THAT(outcome.output, ContainsRegex("breakpoint 1: state barrier warp 2\nSM [0-3] warp 2 \\(block .* warp 2\\): barrier, "));
  EXPECT_THAT(outcome.output, HasSubstr("(g80) info breakpoints\n2: state memory sm 0 warp 1 (disabled)\n3: state drain block 1,0 (once)\n"));
  EXPECT_THAT(outcome.output, ContainsRegex("breakpoint 3: state drain block 1,0\nSM [0-3] warp [0-9]+ \\(block 1,0 warp [0-9]+\\): drain, "));
  EXPECT_THAT(outcome.output, HasSubstr("(g80) info breakpoints\n2: state memory sm 0 warp 1 (disabled)\n(g80) quit\n"));
  // clang-format on
}

TEST_F(Session, AWarpIsFollowedInstructionByInstruction) {
  const Outcome outcome = session("break 0x40 warp 1\ncontinue\nstepi\nstepi 2\nsi 100\n");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, ContainsRegex("stepi\nshader cycle [0-9]+\nSM 0 warp 1 .* pc 0x50 "));
  EXPECT_THAT(outcome.output, ContainsRegex("stepi 2\nshader cycle [0-9]+\nSM 0 warp 1 .* pc 0x60 "));
  EXPECT_THAT(outcome.output, ContainsRegex("si 100\nshader cycle [0-9]+: the warp has ended\n"));
}

TEST_F(Session, BreakpointsRestAndHaltOnce) {
  const Outcome outcome = session(
      "tbreak 0x40\nbreak 0x48\ndisable 2\ncontinue\ninfo breakpoints\nenable\ncontinue\ndelete\ninfo "
      "breakpoints\nquit\n");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr(": breakpoint 1: 0x40\n"));
  EXPECT_THAT(outcome.output, HasSubstr("info breakpoints\n2: 0x48 (disabled)\n"));
  EXPECT_THAT(outcome.output, HasSubstr(": breakpoint 2: 0x48\n"));
  EXPECT_THAT(outcome.output, HasSubstr("info breakpoints\nthere are no breakpoints\n"));
}

TEST_F(Session, AKernelIsABreakpoint) {
  const Outcome outcome = session("break mirror\ncontinue\nquit\n", "run global_sync");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr(": breakpoint 1: mirror\n"));
}

TEST_F(Session, KernelsAndParametersHaveTheNamesOfTheSource) {
  std::ofstream(folder + "/mangled.sasm") << ".kernel _Z5scalePfi\n.param ptr _Z5scalePfi_param_0\n"
                                             ".param s32 _Z5scalePfi_param_1\nexit nop\n";
  const std::string run = "run mangled.sasm --device tiny --grid 1 --block 32 --arg 'f32[4]' --arg 3";
  const Outcome outcome = session("info kernel\nbreak scale\nbreak mangled.sasm:9\n", run);
  EXPECT_EQ(outcome.code, 2) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("\nlaunch 1: scale(float*, int): grid 1 x 1, "));
  EXPECT_THAT(outcome.output, HasSubstr("\ns[0x14] int = 0x00000003 (3)\n"));
  EXPECT_THAT(outcome.output, HasSubstr("commands.txt:3: mangled.sasm:9: kernel scale(float*, int) has no code"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("_Z"))) << outcome.output;
  EXPECT_THAT(session("break scales\n", run).output,
              HasSubstr("the program has no kernel 'scales'; it has scale(float*, int)\n"));
}

TEST_F(Session, RegistersOfALaneAndFormatsAsInGdb) {
  const Outcome outcome =
      session("break 0x48 warp 1\ncontinue\ninfo registers 3\np/d $r0\nx/2u g[0x50000]\nbt\nhelp bt\nquit\n");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("SM 0 warp 1 (block 0,0 warp 1) lane 3\n$r0  0000008c         140"));
  EXPECT_THAT(outcome.output, HasSubstr("$r0  0:         128         132"));
  EXPECT_THAT(outcome.output, ContainsRegex("g\\[0x50000\\]: +[0-9]+ +[0-9]+\n"));
  EXPECT_THAT(outcome.output, HasSubstr("(g80) bt\nactive ffffffff,"));
  EXPECT_THAT(outcome.output, HasSubstr("  stack, backtrace, bt, where\n"));
}

// A load waits in the queue to the coalescer and then in others; every entry is told, and a uid is found behind the
// head.
TEST_F(Session, QueuesShowDepthAndEveryEntry) {
  const Outcome outcome = session("break if sm0_access.count == 5\ncontinue\nqueues\nqueues 0x15\nquit\n");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr(R"((g80) queues
  gpu.tpc0.sm0_access: 5 of 17
    #0 uid 0x13, address 0x50000
    #1 uid 0x13, address 0x50040
    #2 uid 0x14, address 0x50080
    #3 uid 0x14, address 0x500c0
    #4 uid 0x15, address 0x70000
)"));
  EXPECT_THAT(outcome.output, HasSubstr("  gpu.tpc0.sm0_access #4 of 5: uid 0x15, address 0x70000\n"));
}

// Without the breakpoint lock-step is looked at every 2048 core cycles.
TEST_F(Session, AMismatchHaltsInItsCycle) {
  const std::string run = "run vec_add --inject 'tpc0.sm0.to_sp.lanes^=0x8@57860..57970' ";
  const Outcome late = session("continue\ncontinue\n", run),
                soon = session("break mismatch\ncontinue\ncontinue\n", run);
  EXPECT_EQ(late.code, 4) << late.output;
  EXPECT_EQ(soon.code, 4) << soon.output;
  const auto cycles_late = [](const std::string& output) {
    static const std::regex told("shader cycle ([0-9]+): lock-step: cycle ([0-9]+), SM 0, ");
    std::smatch found;
    return std::regex_search(output, found, told) ? std::stoul(found[1]) - std::stoul(found[2]) : ~0ul;
  };
  EXPECT_GT(cycles_late(late.output), 100u) << late.output;
  EXPECT_LE(cycles_late(soon.output), 3u) << soon.output;  // a core cycle
  EXPECT_THAT(session("break mismatch\n", kTiny + "--check off ").output,
              HasSubstr("break mismatch needs --check lockstep"));
}

// Enter repeats on a terminal only; an empty line of a script is nothing.
TEST_F(Session, EnterRepeatsOnATerminal) {
  const Outcome outcome = on_terminal("printf 'step 5\\n\\n\\n'; " + prompts(4) + "; printf 'quit\\n'");
  EXPECT_THAT(outcome.output, HasSubstr("shader cycle 36879"));
  EXPECT_THAT(outcome.output, HasSubstr("shader cycle 36884"));
  EXPECT_THAT(outcome.output, HasSubstr("shader cycle 36889"));
  EXPECT_THAT(session("step 5\n\n\nquit\n").output, Not(HasSubstr("shader cycle 36884")));
}

// What is typed up to TAB, and what the terminal shows then; the commands and signals themselves answer.
TEST_F(Session, TabCompletesCommandsWordsAndSignals) {
  const auto typed = [&](const std::string& keys) {
    return on_terminal(prompts(1) + "; printf '" + keys + "\\nquit\\n'").output;
  };
  if (test::shell("ldd '" G80_PROGRAM "'").output.find("libedit") == std::string::npos)
    GTEST_SKIP() << "built without libedit";
  EXPECT_THAT(typed("pri\\tsm0.pick.wa\\t"), HasSubstr("gpu.tpc0.sm0.pick.warp = 0"))
      << "print, the end of a signal's name";
  EXPECT_THAT(typed("pri\\tsm0.pi\\twarp"), HasSubstr("gpu.tpc0.sm0.pick.warp = 0"))
      << "a part of a name ends in its dot";
  EXPECT_THAT(typed("info ker\\t"), HasSubstr("registers and 0 bytes of local memory"));
  EXPECT_THAT(typed("break sta\\tbarr\\t"), HasSubstr("breakpoint 1: state barrier"));
  EXPECT_THAT(typed("break if changes(sm0.pick.wa\\t)"), HasSubstr("breakpoint 1: changes(sm0.pick.warp )"));
}

TEST_F(Session, AWholeWireIsPrintedMemberByMember) {
  const Outcome outcome = session(
      "until sm0.pick.valid\nprint sm0.pick\nprint sm0.pick.warp\nprint sm0.issue.insn\nuntil sm0_access.count == "
      "5\nprint sm0_access\n"
      "print sm0_access.address\nprint sm0.scoreboard.pending[1]\n");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("gpu.tpc0.sm0.pick\n  valid = 1\n  warp = 0\n"));
  EXPECT_THAT(outcome.output, HasSubstr("(g80) print sm0.pick.warp\ngpu.tpc0.sm0.pick.warp = 0\n"));
  EXPECT_THAT(outcome.output, HasSubstr("gpu.tpc0.sm0.issue.insn\n  pc = 0\n  error = -\n  words = 0\n"));
  EXPECT_THAT(outcome.output, HasSubstr("\n  count = 5\n"));
  EXPECT_THAT(outcome.output, HasSubstr("\n  address[0 to 15] = 0x50000 (327680), 0x50004 (327684), "));
  EXPECT_THAT(outcome.output, HasSubstr("gpu.tpc0.sm0.scoreboard.pending[1]\n  registers.low = "));
}

TEST_F(Session, AHangHaltsOnceMore) {
  const Outcome outcome = session("continue\nwarps\ncontinue\n", "run dot_product_hang --set gpu.hang_cycles=3000");
  // clang-format off
  EXPECT_EQ(outcome.code, test::shell(std::string(G80_PROGRAM) + " run dot_product_hang --set gpu.hang_cycles=3000").code);
  EXPECT_THAT(outcome.output, HasSubstr("can never open"));
  EXPECT_THAT(outcome.output, HasSubstr("  SM 3 warp 3 (block 3,0 warp 3): barrier, lanes ffffffff, pc 0xf8 `bar inc wait 0x0 0xfff` (dot_product_hang.sasm:45)\n"));
  // clang-format on
}

TEST_F(Session, AFailureGivesItsCodeHoweverTheCommandsEnd) {
  for (const char* commands : {"continue\n", "continue\nquit\n"}) {
    EXPECT_EQ(session(commands, "run vec_add --inject 'tpc0.sm0.resolve.ended^=1@58200..58250'").code, 4);
    EXPECT_EQ(session(commands, kTiny + "--max-cycles 500").code, 3);
    EXPECT_EQ(
        session(commands, "run '" G80_SOURCE_DIR
                          "/kernels/vec_add/vec_add.sasm' --grid 1 --block 32 --arg 0x1 --arg 0x1 --arg 0x1 --arg 9")
            .code,
        5);
  }
}

TEST_F(Session, AWordTooManyIsRefused) {
  for (const char* command : {"x g[0x50000] f 8", "continue 3", "delete 1 2", "step 5 7", "print $r0 x 1",
                              "info blocks 1", "watch g[0] r w", "warp 0 1 2", "trace sm0.pick.warp x"}) {
    const Outcome outcome = session(std::string(command) + "\n");
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.output, HasSubstr("is an unexpected argument")) << command;
  }
}

TEST_F(Session, AMismatchHaltsBeforeTheRunEnds) {
  const Outcome outcome =
      session("continue\ninfo blocks\ncontinue\n", "run vec_add --inject 'tpc0.sm0.resolve.ended^=1@58200..58250'");
  EXPECT_EQ(outcome.code, 4) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("(g80) info blocks\nSM 0: "));
}

TEST_F(Session, WrongCommandsAreOneSentence) {
  const auto error = [&](const std::string& command) {
    const Outcome outcome = session("until sm0.pick.valid\n" + command + "\n");
    EXPECT_EQ(outcome.code, 2) << command;
    const std::size_t at = outcome.output.find("g80: commands.txt:2: ");
    EXPECT_NE(at, std::string::npos) << outcome.output;
    return at == std::string::npos ? "" : outcome.output.substr(at + 21, outcome.output.find('\n', at) - at - 20);
  };
  // clang-format off
  EXPECT_THAT(error("bogus"), StartsWith("unknown command 'bogus'; commands are step, stepi, continue, until, "));
  EXPECT_EQ(error("break 0x999"), "0x999: the code of vec_add has 120 bytes\n");
  EXPECT_EQ(error("break other.cu:3"), "other.cu:3: kernel vec_add has no code for this line\n");
  EXPECT_EQ(error("break vec_add.sasm:1"), "vec_add.sasm:1: kernel vec_add has no code for this line; the next line with code is 8\n");
  EXPECT_EQ(error("break vec_sub"), "the program has no kernel 'vec_sub'; it has vec_add\n");
  EXPECT_EQ(error("break if launch=vec_sub"), "the program has no kernel 'vec_sub'; it has vec_add\n");
  EXPECT_EQ(error("break 0x40 lane 3"), "'lane' is not one of sm, warp, block\n");
  EXPECT_EQ(error("break 0x40 sm 1"), "'1' is not an SM from 0 to 0\n");
  EXPECT_THAT(error("break if sm0.pik.warp == 1"), HasSubstr("unknown signal sm0.pik.warp; similar names are"));
  EXPECT_THAT(error("until"), StartsWith("an event is missing"));
  EXPECT_THAT(error("print sm0.pik"), HasSubstr("unknown signal sm0.pik; similar names are"));
  EXPECT_THAT(error("print $r99"), HasSubstr("$r99 does not exist; $r has the numbers 0 to "));
  EXPECT_THAT(error("warp 3"), StartsWith("no warp is resident in SM 0 slot 3"));
  EXPECT_THAT(error("x g[0x8] 1"), StartsWith("no allocation at 0x8"));
  EXPECT_THAT(error("x q[0]"), HasSubstr("memories are g[], s[], l[] and c0[] to c15[]"));
  EXPECT_THAT(error("x s[0x10000]"), HasSubstr("bytes of shared memory"));
  EXPECT_THAT(error("watch g[here]"), StartsWith("g[here]: write g[ADDRESS] or s[ADDRESS]"));
  EXPECT_THAT(error("delete 7"), HasSubstr("7"));
  EXPECT_THAT(error("wave on x.txt"), StartsWith("x.txt: the name must end in .vcd or .fst"));
  EXPECT_THAT(error("step 0"), StartsWith("'0' is not a valid number (1 to "));
  EXPECT_THAT(error("break state asleep"), StartsWith("'asleep' is not a warp state; the states are absent, ready, "));
  EXPECT_THAT(error("break state barrier warp 16"), StartsWith("'16' is not a warp slot from 0 to 15"));
  EXPECT_THAT(error("break mismatch now"), StartsWith("'now' is an unexpected argument"));
  EXPECT_THAT(error("print $r0 q"), StartsWith("'q' is not one of the formats x, u, d, f"));
  EXPECT_THAT(error("x/ g[0]"), StartsWith("a count and a format follow a /"));
  EXPECT_THAT(error("info bogus"), StartsWith("write info kernel, "));
  EXPECT_THAT(error("wave off"), StartsWith("no wave is being recorded"));
  EXPECT_EQ(test::shell(std::string(G80_PROGRAM) + " " + kTiny + "--shell --model golden").code, 2);
  EXPECT_EQ(test::shell(std::string(G80_PROGRAM) + " " + kTiny + "--shell-script /none/x").code, 2);
  // clang-format on
}

TEST_F(Session, AnEventThatNeverComesIsTold) {
  const Outcome command = session("until launch=2\n");
  EXPECT_EQ(command.code, 0) << command.output;
  EXPECT_THAT(command.output, HasSubstr("\nlaunch=2 did not happen\n"));
  const Outcome option = session("", kTiny + "--until launch=2");
  EXPECT_EQ(option.code, 1) << option.output;
  EXPECT_THAT(option.output, HasSubstr("g80: --until: launch=2 did not happen\n"));
  const Outcome both = session("until sm0.pick.valid\ncontinue\n", kTiny + "--until launch=1");
  EXPECT_EQ(both.code, 0) << both.output;
  EXPECT_THAT(both.output, Not(HasSubstr("did not happen")));
}

// Any line is a command or one sentence with exit code 2.
TEST_F(Session, NoLineBreaksTheShell) {
  const std::vector<std::string> words = {"step",
                                          "until",
                                          "break",
                                          "watch",
                                          "delete",
                                          "warp",
                                          "print",
                                          "x",
                                          "queues",
                                          "list",
                                          "trace",
                                          "wave",
                                          "info",
                                          "flight",
                                          "if",
                                          "on",
                                          "off",
                                          "all",
                                          "block",
                                          "sm",
                                          "0,0",
                                          ",",
                                          "-1",
                                          "0x",
                                          "0x40",
                                          "99999999999999999999",
                                          "$r",
                                          "$r1",
                                          "$c9",
                                          "$",
                                          "g[",
                                          "g[0x50000]",
                                          "s[]",
                                          "c0[0]",
                                          "c[0]",
                                          "[",
                                          "]",
                                          ":",
                                          "vec_add.sasm:",
                                          ":21",
                                          "sm0.pick",
                                          "sm0.pick.warp",
                                          "== 1",
                                          "*",
                                          "fault",
                                          "launch=",
                                          "cycle=1",
                                          "f",
                                          "\x01\xff",
                                          "#"};
  const auto seed = random_seed();
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 30; ++i) {
    std::string line;
    for (unsigned n = 1 + random() % 4; n-- > 0;) line += words[random() % words.size()] + " ";
    const Outcome outcome = session("until sm0.pick.valid\n" + line + "\nquit\n");
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << line << "\nseed " << seed << "\n" << outcome.output;
    if (outcome.code == 2) {
      EXPECT_THAT(outcome.output, HasSubstr("g80: commands.txt:2: ")) << line;
    }
  }
}

}  // namespace
}  // namespace g80
