// SPDX-License-Identifier: Apache-2.0
// The built program, as a user calls it: exit codes and messages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "source_dir.h"
#include "tests/support/shell.h"

namespace {

using ::g80::test::Outcome;

// In a folder of its own: a run that fails leaves a file behind. kernels/ is the project's.
Outcome g80(std::string arguments) {
  const std::string kernels = " kernels/";
  for (std::size_t at = arguments.find(kernels); at != std::string::npos;
       at = arguments.find(kernels, at + sizeof G80_SOURCE_DIR)) {
    arguments.insert(at + 1, G80_SOURCE_DIR "/");
  }
  return ::g80::test::shell("cd " + ::testing::TempDir() + " && " + std::string(G80_PROGRAM) + " " + arguments);
}
std::string temporary(const std::string& name) {
  return (std::filesystem::path(::testing::TempDir()) / ("g80_cli_" + name)).string();
}
std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void expect_input_error(const std::string& arguments, const std::string& part) {
  const Outcome outcome = g80(arguments);
  EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.output;
  EXPECT_NE(outcome.output.find(part), std::string::npos) << arguments << "\n" << outcome.output;
}

TEST(CommandLine, HelpIsCompleteForEveryCommand) {
  EXPECT_EQ(g80("--help").code, 0);
  for (const char* command : {"run", "suite", "asm", "disasm", "devices", "list", "wave-filter", "diff"}) {
    const Outcome help = g80(std::string(command) + " --help");
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.output.find("Exit codes: 0 pass"), std::string::npos) << command;
  }
  const std::string run = g80("run --help").output;
  for (const char* option : {"--device",      "--set",           "--rtl",         "--check",        "--wave",
                             "--wave-from",   "--wave-to",       "--wave-scope",  "--wave-level",   "--wave-on",
                             "--wave-off",    "--until",         "--shell",       "--shell-script", "--wave-on-failure",
                             "--wave-before", "--timeline-from", "--timeline-to", "--timeline-sm",  "--trace",
                             "--trace-file",  "--stats",         "--report",      "--timeline",     "--max-cycles",
                             "--seed",        "--arg",           "--progress",    "--golden",       "--update-golden",
                             "--load",        "--dump",          "--no-sleep"}) {
    EXPECT_NE(run.find(option), std::string::npos) << option;
  }
}

TEST(Version, IsThatOfTheProjectAndStandsInEveryFileOfARun) {
  const Outcome printed = g80("--version");
  ASSERT_EQ(printed.code, 0);
  std::smatch words;
  const std::regex form("(g80 ([0-9.]+))\ngit (\\S+)\nSystemC [0-9.]+\nVerilator [0-9.]+ .*\n(GCC|Clang) [0-9.]+.*\n");
  ASSERT_TRUE(std::regex_match(printed.output, words, form)) << printed.output;
  const std::string program = words[1], version = words[2];
  EXPECT_NE(contents(G80_SOURCE_DIR "/CMakeLists.txt").find("project(g80 VERSION " + version + " "), std::string::npos);
  const std::string run = "run vec_add --device tiny --arg n=64 --arg block=64 ", json = temporary("version.json");
  ASSERT_EQ(g80(run + "--stats " + json).code, 0);
  const auto manifest = nlohmann::json::parse(contents(json))["runs"][0]["manifest"];
  EXPECT_EQ(manifest["version"], version);
  EXPECT_EQ(manifest["git_id"], words[3].str());
  for (const auto& [option, suffix] : std::vector<std::pair<std::string, std::string>>{
           {"--wave", ".vcd"}, {"--wave", ".fst"}, {"--timeline", ".json"}, {"--report", ".html"}}) {
    const std::string file = temporary("version" + suffix);
    ASSERT_EQ(g80(run + option + " " + file).code, 0) << option;
    EXPECT_NE(contents(file).find(program), std::string::npos) << option << " " << suffix;
  }
  EXPECT_EQ(g80(run + "--inject 'sm0.resolve.ended^=1@36808..37608'").code, 4);
  EXPECT_EQ(contents(::testing::TempDir() + "/vec_add.flight.txt").rfind(program + ": the last ", 0), 0u);
  std::filesystem::remove(::testing::TempDir() + "/vec_add.flight.txt");
}

TEST(ExitCodes, AreAsDocumented) {
  EXPECT_EQ(g80("run kernels/vec_add --model golden").code, 0);
  EXPECT_EQ(g80("run vec_add --model golden").code, 0) << "a kernel's name is enough";
  EXPECT_EQ(g80("run dot_product_hang --model golden").code, 3);
  EXPECT_EQ(g80("run reduction_endless --model golden").code, 3);
  EXPECT_EQ(g80("run vec_add --model golden +max-cycles=100").code, 3);
  EXPECT_EQ(g80("run nothing_like_it --model golden").code, 2);
  EXPECT_EQ(g80("").code, 2);
  EXPECT_EQ(g80("run").code, 2);
  EXPECT_EQ(g80("run vec_add --no-such-option").code, 2);
  EXPECT_EQ(g80("suite --model golden").code, 0);
}

TEST(ExitCodes, AFaultIsFive) {
  const Outcome outcome =
      g80("run kernels/vec_add/vec_add.sasm --model golden --grid 1 --block 32 --arg f32[32] --arg arg0 "
          "--arg 0x7ff00001 --arg 32");
  EXPECT_EQ(outcome.code, 5) << outcome.output;
  EXPECT_NE(outcome.output.find("fault"), std::string::npos);
}

TEST(ExitCodes, ADifferenceIsOne) {
  const std::string golden = temporary("golden.txt");
  std::filesystem::remove(golden);
  EXPECT_EQ(g80("run vec_add --model golden --golden " + golden).code, 2) << "nothing is recorded yet";
  EXPECT_EQ(g80("run vec_add --model golden --update-golden --golden " + golden).code, 2)
      << "nobody was there to confirm";
  EXPECT_FALSE(std::filesystem::exists(golden));
  EXPECT_EQ(g80("run vec_add --model golden --update-golden --yes --golden " + golden).code, 0);
  EXPECT_EQ(g80("run vec_add --model golden --golden " + golden).code, 0);
  const Outcome other = g80("run vec_add --model golden --seed 2 --golden " + golden);
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.output.find("1000 of 1000 elements differ; c[0] is"), std::string::npos) << other.output;
}

TEST(Mistakes, AreOneSentence) {
  expect_input_error("run vec_add --model golden --arg m=1", "has no argument 'm'; it has n, block");
  expect_input_error("run vec_add --model golden --arg n", "--arg 'n': the form is --arg NAME=VALUE");
  expect_input_error("run vec_add --model golden --arg n=0", "argument 'n' is 0; allowed is 1 to");
  expect_input_error("run vec_add --model golden --set sm.nothing=1", "sm.nothing");
  expect_input_error("run vec_add --model golden --device nosuch", "nosuch");
  expect_input_error("run vec_add --model golden --wave x.vcd", "--wave needs the cycle model");
  expect_input_error("run vec_add --model golden --wave x.txt", "must end in .vcd or .fst");
  expect_input_error("run vec_add --model golden --wave-from 10", "need --wave F");
  expect_input_error("run vec_add --model golden --trace uid=1", "--trace needs the cycle model");
  expect_input_error("run vec_add --trace uid", "the form is FIELD=NUMBER");
  expect_input_error("run vec_add --trace-file x", "needs --trace FIELD=N");

  expect_input_error("run vec_add --trace uid=1 --trace-file /no/such/folder/x", "cannot be written");
  expect_input_error("run vec_add --device tiny --trace udi=1", "no wire has a field 'udi'");
  expect_input_error("run vec_add --model golden --stats x.xml", "must end in .json or .csv");
  expect_input_error("run vec_add --model golden --grid 3", "--grid is for bare kernel files");
  expect_input_error("run vec_add --model golden --load q=x.bin", "there is no buffer 'q'; buffers are a, b, c");
  expect_input_error("run vec_add --model golden --max-cycles 0", "max-cycles");
  expect_input_error("run kernels/vec_add/vec_add.sasm --model golden",
                     "give --grid, --block and an --arg for each parameter");
  expect_input_error("run kernels/vec_add/vec_add.sasm --model golden --grid 1 --block 32",
                     "takes 4 parameters (ptr a, ptr b, ptr c, s32 n), but 0 are given");
  expect_input_error("run atomics --model golden --device 8800gtx", "needs sm_11");
  expect_input_error("disasm --arch sm_11 kernels/vec_add/vec_add.sasm", "--arch is for --words");
  expect_input_error("asm no_such_file.sasm", "no_such_file.sasm");
  expect_input_error("suite --model golden --only zzz", "no scenario of the suite");
}

TEST(Run, ATracePrintsTheLifeOfOneLoad) {
  const std::string file = temporary("trace.txt"), run = "run vec_add --device tiny --arg n=32 --arg block=32 ";
  const Outcome direct = g80(run + "--trace uid=3");
  ASSERT_EQ(direct.code, 0) << direct.output;
  EXPECT_NE(direct.output.find("gpu.tpc0.sm0.issue           warp=0 to_multipliers=0 uid=0x3 "), std::string::npos)
      << direct.output;
  ASSERT_EQ(g80(run + "--trace uid=3 --trace-file " + file).code, 0);
  const std::string lines = contents(file);
  EXPECT_EQ(direct.output.compare(0, lines.size(), lines), 0) << "the file holds the same lines";
  EXPECT_GT(lines.size(), 100u);
  EXPECT_NE(g80(run + "--trace uid=0xffffff").output.find("no wire or FIFO showed these values"), std::string::npos);
}

TEST(Run, ABareCubinGivesTheSameResult) {
  const std::string cubin = temporary("vec_add.cubin"), dump = temporary("c.hex");
  ASSERT_EQ(g80("asm kernels/vec_add/vec_add.sasm -o " + cubin).code, 0);
  const Outcome outcome = g80(
      "run " + cubin + " --model golden --grid 1 --block 8 --arg f32[8]=iota --arg 'f32[8]=i*10' --arg 'out:f32[8]>" +
      dump + "' --arg 8");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_EQ(contents(dump), "00000000 41300000 41b00000 42040000 42300000 425c0000 42840000 429a0000\n");
  EXPECT_NE(outcome.output.find("arg2[0]: 0 11 22 33 44 55 66 77\n"), std::string::npos) << outcome.output;
}

TEST(Run, OfALargeBufferItPrintsTheBeginningAndTheEnd) {
  const auto added = [](const std::string& n) {
    const std::string floats = "f32[" + n + "]";
    return g80("run kernels/vec_add/vec_add.sasm --model golden --grid 4 --block 256 --arg " + floats + "=iota --arg " +
               floats + " --arg out:" + floats + " --arg " + n)
        .output;
  };
  const std::string large = added("1000"), small = added("64");
  EXPECT_NE(
      large.find("\narg2[24]: 24 25 26 27 28 29 30 31\n... 960 elements more; '>FILE' behind the count writes all "
                 "of them\narg2[992]: 992 993 994 995 996 997 998 999\n"),
      std::string::npos)
      << large;
  EXPECT_LE(std::count(large.begin(), large.end(), '\n'), 20);
  EXPECT_NE(small.find("\narg2[56]: 56 57 58 59 60 61 62 63\n"), std::string::npos) << small;
  EXPECT_EQ(small.find("elements more"), std::string::npos) << small;
}

TEST(Run, SaysWhatOpensItsWave) {
  const std::string run = "run vec_add --device tiny --arg n=32 --arg block=32 --wave ", wave = temporary("told.vcd");
  const std::string told = "waves of vec_add:\n    " G80_SOURCE_DIR "/waves/view " + wave + "\n";
  EXPECT_NE(g80(run + wave).output.find(told), std::string::npos);
  EXPECT_EQ(g80(run + wave + " --quiet").output, "");
  std::filesystem::remove(wave);
  EXPECT_EQ(g80(run + wave + " --wave-from 900000000").output.find("waves of"), std::string::npos)
      << "none was written";
}

TEST(Run, ArgumentsOfABareKernelAreFilledAsTheySay) {
  const std::string raw = temporary("words.bin"),
                    copy = "run kernels/vec_add/vec_add.sasm --model golden --grid 1 --block 8 ";
  std::ofstream(raw, std::ios::binary) << std::string("\0\0\x80\x3f\0\0\0\x40", 8);
  const auto printed = [&](const std::string& first) {
    const std::string output = g80(copy + "--arg " + first + " --arg f32[8] --arg out:f32[8] --arg 8").output;
    const std::size_t at = output.find("arg2[0]: ");
    return at == std::string::npos ? output : output.substr(at + 9, output.find('\n', at) - at - 9);
  };
  EXPECT_EQ(printed("f32[8]"), "0 0 0 0 0 0 0 0");
  EXPECT_EQ(printed("f32[8]=2.5"), "2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5");
  EXPECT_EQ(printed("'f32[4*2]=i>3 ? 1 : 0'"), "0 0 0 0 1 1 1 1") << "'>' behind '=' belongs to the expression";
  const std::string seven = printed("f32[8]=random:7");
  // clang-format off
  EXPECT_EQ(printed("f32[8]=random:7"), seven);
  EXPECT_NE(printed("f32[8]=random:8"), seven);
  EXPECT_EQ(g80(copy + "--arg f32[2]=@" + raw + " --arg arg0 --arg out:f32[2] --arg 2").output.find("arg2[0]: 2 4\n") != std::string::npos, true)
      // clang-format on
      << "arg0 is the first buffer again";
}

TEST(Run, StatisticsAreTheSameEveryTime) {
  const std::string first = temporary("a.json"), second = temporary("b.json");
  ASSERT_EQ(g80("run matrix_mul --model golden --stats " + first).code, 0);
  ASSERT_EQ(g80("run matrix_mul --model golden --stats " + second).code, 0);
  auto a = nlohmann::json::parse(contents(first)), b = nlohmann::json::parse(contents(second));
  for (auto* json : {&a, &b}) (*json)["runs"][0]["manifest"].erase("command");  // names the file
  EXPECT_EQ(a.dump(), b.dump());
  EXPECT_EQ(a["runs"][0]["manifest"]["kernel_hash"].get<std::string>().size(), 16u);
  EXPECT_EQ(a["runs"][0]["manifest"]["config"]["device"]["name"], "GeForce 8600 GTS");
}

// Nothing of the process is in a file: no address, no time, no order of a table that was hashed.
TEST(Run, EveryFileIsTheSameInEveryProcess) {
  for (const std::string kernel :
       {"vec_add --arg n=100 --arg block=32", "texture_read --arg n=32 --arg width=8 --arg block=32"}) {
    for (const std::string wave : {".vcd", ".fst"}) {
      std::string first_statistics, first_table, first_wave, first_output;
      for (const std::string option : {"", "", "--no-sleep", "--check off", "--step-order shuffle:3", "--threads 2"}) {
        const std::string json = temporary("same.json"), csv = temporary("same.csv"), file = temporary("same" + wave);
        const Outcome with_json = g80("run " + kernel + " " + option + " --stats " + json + " --wave " + file);
        ASSERT_EQ(with_json.code, 0) << with_json.output;
        ASSERT_EQ(g80("run " + kernel + " " + option + " --stats " + csv).code, 0);
        auto statistics = nlohmann::json::parse(contents(json));
        statistics["runs"][0]["manifest"].erase("command");  // names the option
        if (first_wave.empty()) {
          first_statistics = statistics.dump(), first_table = contents(csv), first_wave = contents(file),
          first_output = with_json.output;
        }
        EXPECT_EQ(statistics.dump(), first_statistics) << kernel << " " << option;
        EXPECT_EQ(contents(csv), first_table) << kernel << " " << option;
        EXPECT_EQ(with_json.output, first_output) << kernel << " " << option;
        EXPECT_TRUE(contents(file) == first_wave) << kernel << " " << option << ": another " << file;
      }
    }
  }
}

TEST(Assembler, ItsListingAssemblesBack) {
  const std::string cubin = temporary("k.cubin"), source = temporary("k.sasm"), again = temporary("k2.cubin");
  ASSERT_EQ(g80("asm kernels/texture_read/texture_read.sasm -o " + cubin).code, 0);
  std::ofstream(source) << g80("disasm " + cubin).output;
  ASSERT_EQ(g80("asm " + source + " -o " + again).code, 0);
  // The lines are those of another file.
  const auto without_lines = [](const std::string& text) {
    std::istringstream stream(text);
    std::string kept;
    for (std::string line; std::getline(stream, line);)
      if (line.find("\tlines {") != 0) kept += line + "\n";
    return kept;
  };
  EXPECT_NE(without_lines(contents(cubin)), contents(cubin));
  EXPECT_EQ(without_lines(contents(cubin)), without_lines(contents(again)));
}

TEST(Disassembler, TurnsEachLineOfWordsIntoALine) {
  const std::string words = temporary("words.txt");
  std::ofstream(words) << "d00e0001 80c00780\n30000003 00000280\nffffffff ffffffff\n";
  const Outcome outcome = g80("disasm --words " + words + " --arch sm_10");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output.find("ld b32 $r0 g14[$r0]\n(lg $c0) ret\nerror: "), 0u) << outcome.output;
  std::ofstream(words) << "hello\n";
  EXPECT_EQ(g80("disasm --words " + words).code, 2);
}

TEST(Disassembler, KnowsEveryFeatureLevelUnlessToldOtherwise) {
  const std::string words = temporary("fp64.txt");
  std::ofstream(words) << "e0060829 48c207c0\n";
  EXPECT_EQ(g80("disasm --words " + words).output, "fma rz f64 $c0 $r10d $r4d $r6d neg $r8d\n");
  EXPECT_EQ(g80("disasm --words " + words + " --arch sm_10").output.find("error: "), 0u);
}

TEST(Devices, PrintsTheDevice) {
  EXPECT_NE(g80("devices 8600gts").output.find("Total amount of global memory:                 268173312 bytes"),
            std::string::npos);
  EXPECT_NE(g80("devices").output.find("8800gtx"), std::string::npos);
}

TEST(Waves, AnUnwritableFileIsToldBeforeTheRun) {
  expect_input_error("run vec_add --wave no_such_folder/x.vcd", "no_such_folder/x.vcd: the file cannot be written");
}

// Whoever asked for a record and gets none must not take the run for a success.
TEST(Waves, AWindowInWhichNothingLiesIsCodeOneAndNoFile) {
  const std::string wave = temporary("late.vcd"), timeline = temporary("late.json"),
                    run = "run vec_add --device tiny --check off --arg n=64 --arg block=64 ";
  const auto expect_nothing = [&](const std::string& options, const std::string& sentence) {
    for (const std::string& file : {wave, wave + ".lines"}) std::filesystem::remove(file);
    const Outcome outcome = g80(run + options);
    EXPECT_EQ(outcome.code, 1) << options << "\n" << outcome.output;
    EXPECT_NE(outcome.output.find(sentence), std::string::npos) << outcome.output;
    EXPECT_FALSE(std::filesystem::exists(wave)) << options;
    EXPECT_FALSE(std::filesystem::exists(wave + ".lines")) << options;
  };
  expect_nothing("--wave-from 900000000 --wave " + wave, "the run ended before cycle 900000000");
  expect_nothing("--wave-on launch=2 --wave " + wave, "the event launch=2 did not happen in the window");
  expect_nothing("--wave-on fault --until launch --wave " + wave, "the event fault did not happen in the window");
  expect_nothing("--timeline-from 900000000 --timeline " + timeline, "no warp ran in the window of the timeline");
  EXPECT_EQ(g80("suite --check off --only vec_add --wave-from 900000000 --wave " + wave).code, 1);
  EXPECT_EQ(g80(run + "--wave-from 36908 --wave " + wave).code, 0);
  EXPECT_TRUE(std::filesystem::exists(wave));
}

// Whatever ends a run from outside, it says where it was, and its files are complete.
TEST(Signals, SayWhereTheRunWasAndCompleteItsFiles) {
  const std::string wave = temporary("signal.vcd"), output = temporary("signal.txt");
  const auto ended_by = [&](const std::string& signal, const std::string& options, double seconds) {
    for (const std::string& file : {wave, wave + ".part", output}) std::filesystem::remove(file);
    // None of the runs ends by itself; a wave has grown beyond its names when the signal comes. A background job of a
    // script ignores SIGINT, and shall not here.
    const std::string begun = "[ $(stat -c %s " + wave + ".part 2>/dev/null || echo 0) -gt 2000000 ]";
    const std::string wait = options.find("--wave") != std::string::npos
                                 ? "until " + begun + "; do kill -0 $pid || exit 99; sleep 0.02; done"
                                 : fmt::format("sleep {}", seconds);
    return ::g80::test::shell("env --default-signal=INT " G80_PROGRAM " " + options + " >" + output +
                              " 2>&1 & pid=$!; " + wait + "; kill -" + signal + " $pid; wait $pid")
        .code;
  };
  // What shows nothing to wait for gets more time until the signal has found it where it shall be.
  const auto expect_told = [&](const std::string& signal, int code, const std::string& options,
                               const std::string& told) {
    int ended = code;
    bool is_told = false;
    for (double seconds = 0.25; ended == code && !is_told && seconds < 600; seconds *= 2) {
      ended = ended_by(signal, options, seconds);
      is_told = contents(output).find(told) != std::string::npos;
    }
    EXPECT_EQ(ended, code) << options << contents(output);
    EXPECT_TRUE(is_told) << options << ": not told " << told << "\n" << contents(output);
  };
  const std::string endless = "run " G80_SOURCE_DIR "/tests/app/endless ";
  const std::string machine = endless + "--check off --wave-on launch --wave " + wave;
  const std::string golden = endless + "--model golden";
  const std::string stuck = "run vec_add --check off --set gpu.hang_cycles=1000000000 --inject ";
  const std::string parked = temporary("parked.sasm");
  std::ofstream(parked)
      << ".kernel _Z6parkedv\n.shared count u32 1\n  mov b16 $r1l u16 s[0x2]\n  cvt u32 $r0 u16 $r0l\n  mov b32 $r2 "
         "$r124\n"
         "  joinat met\n  set $c0 # lg u32 $r0 $r124\n  (lg $c0) bra met\n"
         "again:\n  add b32 $r2 $r2 0x1\n  st b32 s[count] $r2\n  bra again\nmet:\n  join nop\n  exit nop\n";
  expect_told("INT", 130, "run " + parked + " --device tiny --grid 1 --block 32 --check off",
              "; lanes fffffffe wait to go on at pc 0x");
  EXPECT_NE(contents(output).find("in kernel parked() (launch 1), 0 of 1 "), std::string::npos) << contents(output);
  struct Row {
    const char *signal, *word;
    int code;
  };
  for (const Row& row : {Row{"INT", "interrupted (SIGINT)", 130}, Row{"TERM", "terminated (SIGTERM)", 143},
                         Row{"HUP", "terminated (SIGHUP)", 129}}) {
    const std::string word = std::string("g80: ") + row.word;
    EXPECT_EQ(ended_by(row.signal, machine, 0), row.code) << row.signal << contents(output);
    EXPECT_NE(contents(output).find(word + " in kernel endless (launch 1), 0 of 1 blocks done, shader cycle "),
              std::string::npos)
        << contents(output);
    EXPECT_GT(contents(wave).size(), 1000u) << row.signal;
    EXPECT_FALSE(std::filesystem::exists(wave + ".part")) << row.signal;
    EXPECT_NE(contents(output).find("warp 0: lanes ffffffff, pc 0x"), std::string::npos) << contents(output);
    EXPECT_NE(contents(output).find("/endless.sasm:1"), std::string::npos) << contents(output);
    expect_told(row.signal, row.code, golden, word + " in kernel endless after ");
    EXPECT_NE(contents(output).find("/endless.sasm:1"), std::string::npos) << contents(output);
    // A copy that never ends, and a launch that waits for ever for room in the push buffer.
    for (const char* fault : {"request_crossbar.ready=0@1..", "command_processor.state=WRITE@1.."}) {
      expect_told(row.signal, row.code, stuck + fault, word + " outside of launches, shader cycle ");
    }
  }
}

// A hang is explained in lines that fit on a screen.
TEST(Hangs, AreToldInLinesThatCanBeRead) {
  for (const char* run : {"run dot_product_hang --set gpu.hang_cycles=3000",
                          "run dot_product_hang --device 8800gtx --set gpu.hang_cycles=3000",
                          "run reduction_endless --set gpu.hang_cycles=20000", "run dot_product_hang --model golden",
                          "run vec_add --max-cycles 4000"}) {
    const Outcome outcome = ::g80::test::shell("cd " G80_SOURCE_DIR " && " G80_PROGRAM " " + std::string(run));
    EXPECT_EQ(outcome.code, 3) << run << outcome.output;
    std::istringstream lines(outcome.output);
    unsigned count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 240u) << run << "\n" << line;
    EXPECT_LE(count, 60u) << run << "\n" << outcome.output;
  }
}

TEST(Hangs, BlocksToWhichTheSameHappensAreToldTogether) {
  const std::string told = g80("run dot_product_hang --set gpu.hang_cycles=3000").output;
  const std::string blocks =
      "4 blocks: (0,0) on gpu.tpc0.sm0, (2,0) on gpu.tpc0.sm1, (1,0) on gpu.tpc1.sm0, (3,0) on gpu.tpc1.sm1";
  const std::string barrier = "barrier 0 of " + blocks,
                    warps = "\n  " + blocks + "\n    warps 0 to 3: each waits at a barrier";
  for (const std::string& part : {barrier, warps, std::string("can never open"), std::string("waits at a barrier")}) {
    const std::size_t at = told.find(part);
    EXPECT_NE(at, std::string::npos) << part << "\n" << told;
    EXPECT_EQ(told.find(part, at + 1), std::string::npos) << part << " stands there twice\n" << told;
  }
}

TEST(Waves, ASignalCompletesTheFile) {
  const std::string wave = temporary("ended.fst");
  std::filesystem::remove(wave);
  // The kernel never ends; once the unfinished file has grown, the signal comes, twice as timeout(1) sends it.
  const std::string command = G80_PROGRAM " run " G80_SOURCE_DIR "/tests/app/endless --check off --wave " + wave +
                              " >/dev/null 2>&1 & pid=$!; until [ $(stat -c %s " + wave +
                              ".part 2>/dev/null || echo 0) -gt 10000 ]; do "
                              "kill -0 $pid || exit 99; sleep 0.02; done; kill -TERM $pid; kill -TERM $pid; wait $pid";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 143);
  EXPECT_GT(contents(wave).size(), 10'000u);
  EXPECT_FALSE(std::filesystem::exists(wave + ".part"));
}

TEST(WaveFilter, AnswersLinesWithMnemonics) {
  const std::string words = temporary("filter.txt");
  std::ofstream(words) << "80C00780D00E0001\nxx\n";
  const Outcome outcome = g80("wave-filter instruction <" + words + " 2>&1 #");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "ld b32 $r0 g14[$r0]\nxx\n");
}

TEST(List, NamesEverything) {
  const std::string list = g80("list").output;
  for (const char* part : {"square_array", "8600gts", "sm.max_warps", "divergent_branches", "synchroniser flops",
                           "peak DRAM bandwidth", "dram.bank_hash", "gld_incoherent"})
    EXPECT_NE(list.find(part), std::string::npos) << part;
  const double first_trial = std::stod(contents(G80_SOURCE_DIR "/validation/leave_one_out.tsv"));  // ms; 14.5 measured
  const std::string left_out = fmt::format("as is: {:+.1f} %", 100 * (first_trial / 14.5 - 1));
  EXPECT_NE(list.find(left_out), std::string::npos) << left_out;
}

}  // namespace
