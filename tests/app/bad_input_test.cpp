// SPDX-License-Identifier: Apache-2.0
// What a user can get wrong, one row each: the command, the exit code and the whole sentence.
//
// In a command, @ stands for a folder of broken files that the test makes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "source_dir.h"

namespace {

namespace fs = std::filesystem;

constexpr int kInput = 2, kHang = 3, kFault = 5;

struct Row {
  const char* command;  // after "g80 "
  int code;
  const char* sentence;  // regular expression for the first line of standard error without "g80: "; null: not looked at
};
using Rows = std::vector<Row>;

const fs::path& broken_files() {
  static const fs::path& folder = *new fs::path([] {
    const fs::path path = fs::path(::testing::TempDir()) / ("g80_bad_input." + std::to_string(::getpid()));
    std::atexit([] { fs::remove_all(broken_files()); });
    fs::create_directories(path / "empty_folder");
    const auto put = [&](const char* name, const std::string& text) {
      std::ofstream(path / name, std::ios::binary) << text;
    };
    const auto repeat = [](const std::string& part, unsigned times) {
      std::string text;
      for (unsigned i = 0; i < times; ++i) text += part;
      return text;
    };
    const std::string kernel = ".kernel k\n.param ptr p\nmov b32 $r0 b32 s[p]\nexit nop\n";
    const std::string cubin_end =
        "code {name = k lmem = 0 smem = 16 reg = 1 bar = 0 bincode {0x30000003 0x00000780}}\n";
    const std::string scenario =
        "kernel = \"k.sasm\"\nsummary = \"s\"\n[args]\nn = { type = \"u32\", default = 4, doc = \"d\" }\n";
    const std::string launch = "[[launch]]\ngrid = 1\nblock = 32\nparams = [0]\n";
    for (const char* suffix : {"sasm", "cubin", "toml", "hex", "words", "cu", "ptx"}) {
      put((std::string("empty.") + suffix).c_str(), "");
      put((std::string("binary.") + suffix).c_str(), std::string("\x01\x80\xff\0\x7f", 5));
    }
    put("k.sasm", kernel);
    put("zeros.cu", std::string("__global__ void k() {}\n\0\0", 25));
    put("long.sasm", "");
    fs::resize_file(path / "long.sasm", std::uintmax_t{1} << 28);
    put("crlf.sasm", std::regex_replace(kernel, std::regex("\n"), "\r\n"));
    put("bom.sasm", "\xef\xbb\xbf" + kernel);
    put("typed.ptx",
        ".version 3.2\n.target sm_20\n.address_size 64\n"
        ".entry _Z5scalePffi(.param .u64 a, .param .f32 b, .param .u32 c) { ret; }\n"
        ".entry _Z9structure1S(.param .align 4 .b8 s[12]) { ret; }\n"
        ".entry _Z4viewPKfP6float4P6uchar4Pv(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }\n");
    put("two.sasm", kernel + ".kernel l\nexit nop\n");
    put("mangled.sasm", ".kernel _Z5scalePfi\nexit nop\n.kernel _Z5scalePii\nexit nop\n");
    put("spaces.sasm",
        ".kernel _ZN2ns5innerEv\nexit nop\n.kernel _ZN12_GLOBAL__N_16hiddenEv\nexit nop\n"
        ".kernel _ZN1a4sameEv\nexit nop\n.kernel _ZN1a1b4sameEv\nexit nop\n");
    put("elf.cubin",
        "\x7f"
        "ELF\2\1\1");
    put("sm_13.sasm", ".arch sm_13\n" + kernel);
    put("registers.sasm", ".kernel k\n.reg 128\nexit nop\n");
    put("shared.sasm", ".kernel k\n.shared a u32 4000\nexit nop\n");
    put("parentheses.sasm", ".kernel k\n.equ x = " + std::string(100'000, '(') + "\n");
    put("signs.sasm", ".kernel k\n.equ x = " + std::string(100'000, '-') + "1\n");
    put("initialised.sasm", ".device x u8 1000000000 = 1\n.kernel k\nexit nop\n");
    put("far_device.sasm", ".device x u32 1 @65534\n.kernel k\nexit nop\n");
    put("number.sasm", ".kernel k\n.reg 129\nexit nop\n");
    put("constant.sasm", ".kernel k\nmov b32 $r0 0x1ffffffff\nexit nop\n");
    put("endless.sasm", ".kernel k\nagain: bra again\n");
    put("deep.cubin", repeat("code {", 100));
    put("cut.cubin", "architecture {sm_10}\ncode {\n  name = k\n");
    put("twice.cubin", "architecture {sm_10}\ncode {\n  name = k\n  name = l\n}\n");
    put("bank.cubin",
        "architecture {sm_10}\nconsts {name = x segname = const segnum = 0 offset = 65535\nbytes = 2}\n" + cubin_end);
    put("address.cubin",
        "architecture {sm_10}\nreloc {name = x segname = reloc segnum = 14 bytes = 4\noffset = 65533}\n" + cubin_end);
    put("memory.cubin",
        "architecture {sm_10}\nreloc {name = x segname = reloc segnum = 14 offset = 0 bytes = 1000000000}\n" +
            cubin_end);
    put("deep.toml", "[" + repeat("a.", 100'000) + "a]\n");
    put("nested.toml", "base = \"tiny\"\n[sm]\nmax_warps = " + std::string(3000, '[') + "\n");
    put("itself.toml", "base = \"itself.toml\"\n");
    put("header.toml", "[= 3\n");
    put("launch.toml", "summary = \"s\"\n[args]\nn = 1\n[[launch]]\ngrid = 1\n");
    put("key.toml", "base = \"tiny\"\n[sm]\nmax_warp = 8\n");
    put("range.toml", "base = \"tiny\"\n[sm]\nmax_warps = 99\n");
    put("type.toml", "base = \"tiny\"\n[sm]\nmax_warps = [8]\n");
    put("long.toml", std::string(2'000'000, '#'));
    put("s_key.toml", "foo = 3\n" + scenario + launch);
    put("s_deep.toml", repeat("a.", 100'000) + "a = 1\n");
    put("s_expression.toml", scenario + "[buffer.a]\ntype = \"f32\"\ncount = \"n +\"\n" + launch);
    put("s_nested.toml",
        scenario + "[buffer.a]\ntype = \"f32\"\ncount = \"" + std::string(2000, '(') + "\"\n" + launch);
    put("s_infinite.toml", scenario + "[buffer.a]\ntype = \"f32\"\ncount = -inf\n" + launch);
    put("s_name.toml", scenario + "[buffer.n]\ntype = \"f32\"\ncount = 1\n" + launch);
    put("s_config.toml", scenario + "[config.sm]\nmax_warps = 300\n" + launch);
    put("s_device.toml", "device = \"nope\"\n" + scenario + launch);
    put("sweep_device.toml", "kernels = ['vec_add']\ndevices = ['nope']\n");
    put("atomic.cu", "__global__ void k(unsigned* p) { __shared__ unsigned s; atomicAdd(&s, 1u); *p = s; }\n");
    put("s_suite.toml", scenario + launch + "[[suite]]\nm = 3\n");
    put("s_cycle.toml",
        "kernel = \"k.sasm\"\nsummary = \"s\"\n[args]\na = { type = \"u32\", default = \"b\", doc = \"d\" }\n"
        "b = { type = \"u32\", default = \"a\", doc = \"d\" }\n" +
            launch);
    put("s_kernel.toml", std::regex_replace(scenario + launch, std::regex("k.sasm"), "none.sasm"));
    put("b.bin", "12");
    put("k.hex", "xyz\n");
    put("no_run.json", R"({"format": "g80-stats 2", "runs": []})");
    put("name\xff.sasm", kernel);
    fs::create_symlink("/dev/full", path / "full.json");
    fs::create_symlink("/dev/full", path / "full.vcd.part");
    return path;
  }());
  return folder;
}

#define BARE "--model golden --grid 1 --block 32"
std::string with_folder(std::string text, const std::string& folder) {
  for (std::size_t at = 0; (at = text.find("@/", at)) != std::string::npos; at += folder.size())
    text.replace(at, 1, folder);
  return text;
}

/// Runs the row in a shell, so that its redirections and pipes work.
void check_row(const Row& row) {
  SCOPED_TRACE(row.command);
  const fs::path script = broken_files() / "row.sh", errors = broken_files() / "row.stderr";
  std::ofstream(script) << "exec 2>" << errors.string() << " >/dev/null </dev/null\nset -o pipefail\ncd '"
                        << G80_SOURCE_DIR << "'\ntimeout 1000 '" << G80_PROGRAM << "' "
                        << with_folder(row.command, broken_files().string()) << '\n';
  const int status = std::system(("bash " + script.string()).c_str());
  ASSERT_TRUE(WIFEXITED(status));
  std::ifstream stream(errors);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const bool reader_left = std::strstr(row.command, "| head") != nullptr && WEXITSTATUS(status) == 128 + SIGPIPE;
  EXPECT_TRUE(WEXITSTATUS(status) == row.code || reader_left) << "exit code " << WEXITSTATUS(status) << ": " << text;
  EXPECT_EQ(text.find("internal error"), std::string::npos) << text;
  if (row.sentence == nullptr) return;
  ASSERT_EQ(text.substr(0, 5), "g80: ") << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << "one sentence: " << text;
  const std::string sentence = text.substr(5, text.size() - 6);
  const std::string folder = std::regex_replace(broken_files().string(), std::regex("\\."), "\\.");
  EXPECT_TRUE(std::regex_match(sentence, std::regex(with_folder(row.sentence, folder)))) << sentence << "\nis not\n"
                                                                                         << row.sentence;
}

void check(const Rows& rows) {
  for (const Row& row : rows) check_row(row);
}

TEST(BadInput, TheCommandLine) {
  check({
      // clang-format off
      {"", kInput, "A subcommand is required .*"},
      {"run vec_add --wav x.vcd", kInput, "unknown option --wav; did you mean --wave\\? \\(see g80 run --help\\)"},
      {"run vec_add -wave x.vcd", kInput, "unknown option -wave; did you mean --wave\\? .*"},
      {"run vec_add --maxcycles=7", kInput, "unknown option --maxcycles; did you mean --max-cycles\\? .*"},
      {"run vec_add +max-cycle=7", kInput, "unknown option --max-cycle; did you mean --max-cycles\\? .*"},
      {"suite --onyl vec_add", kInput, "unknown option --onyl; did you mean --only\\? .*"},
      {"compile @/typed.ptx --verbos", kInput, "unknown option --verbos; did you mean --verbose\\? .*"},
      {"diff --run vec_add --b '--devise tiny'", kInput, "--b=\"--devise tiny\": unknown option --devise; did you mean --device\\?"},
      {"disasm a b", kInput, "'b' is an unexpected argument .*"},
      {"rum", kInput, "unknown command 'rum'; commands are run, suite, sweep, asm, compile, cc, disasm, devices, list, diff, silicon, seeds, wave-filter, completion"},
      {"run", kInput, "X is required .*"},
      {"silicon --part 1/2", kInput, "--part requires --sensitivity .*"},
      {"silicon --sensitivity f.tsv --set gpu.num_tpcs=1", kInput, "--set excludes --sensitivity .*"},
      {"silicon --sensitivity f.tsv --part 3/2", kInput, "--part 3/2: allowed are 1/2 and 2/2"},
      {"silicon --sensitivity f.tsv --row launch --part 1/-2", kInput, "--part 1/-2: allowed are 1/2 and 2/2"},
      {"run vec_add --bogus", kInput, "unknown option --bogus.*"},
      {"run vec_add vec_add", kInput, "'vec_add' is an unexpected argument .*"},
      {"run vec_add --model fast", kInput, "--model: fast not in \\{gpu,golden\\} .*"},
      {"run vec_add --seed -1", kInput, "--seed: '-1' is not an integer from 0 to 18446744073709551615 .*"},
      {"run vec_add --seed 99999999999999999999", kInput, "--seed: '9+' is not an integer .*"},
      {"run vec_add --max-cycles 0", kInput, "--max-cycles: '0' is not an integer from 1 to 9223372036854775807 .*"},
      {"run vec_add --max-cycles many", kInput, "--max-cycles: 'many' is not an integer from 1 to .*"},
      {"run vec_add --step-order backwards", kInput, "--step-order: 'backwards' is not fixed or shuffle:SEED .*"},
      {"run vec_add --step-order shuffle:-1", kInput, "--step-order: 'shuffle:-1' is not fixed or shuffle:SEED .*"},
      {"run vec_add --model golden --step-order shuffle:1", kInput, "--step-order needs the cycle model .*"},
      {"run vec_add --x late", kInput, "--x: 'late' is not zero, random:SEED or crossings:SEED .*"},
      {"run vec_add --x crossings:", kInput, "--x: 'crossings:' is not zero, random:SEED or crossings:SEED .*"},
      {"run vec_add --x crossings:1 --x crossings:2", kInput, "--x: 'crossings:2' is a second seed of the same kind.*"},
      {"run vec_add --model golden --x crossings:1", kInput, "--x needs the cycle model .*"},
      {"run vec_add --threads 0", kInput, "--threads: '0' is not an integer from 1 to 64 .*"},
      {"run vec_add --threads two", kInput, "--threads: 'two' is not an integer from 1 to 64 .*"},
      {"run vec_add --model golden --threads 2", kInput, "--threads needs the cycle model .*"},
      {"run vec_add --yes", kInput, "--yes requires --update-golden .*"},
      {"run vec_add --update-golden", kInput, "--update-golden needs --golden F: .*"},
      {"list kernels --views v", kInput, "WHAT excludes --views .*"},
      {"list --device tiny", kInput, "--device is for list --views DIR and list keys, quantities and delays"},
      {"list delays --device tiny", 0, nullptr},
      {"run vec_add --wave-before 10", kInput, "--wave-before needs --wave-on-failure F, --wave-on EVENT or --rtl-check LIST"},
      {"run vec_add --timeline-level all", kInput, ".*--timeline-level and --timeline-sm need --timeline F"},
      {"run vec_add --timeline-sm 1", kInput, ".*--timeline-level and --timeline-sm need --timeline F"},
      {"run vec_add --until cycle=40000 --stats @/until.json", kInput, "--until ends the run before it has a result: leave --stats out"},
      {"run vec_add --until cycle=40000 --dump a=@/until.hex", kInput, "--until ends the run before it has a result: leave --dump out"},
      {"suite --timeline @/x.json", kInput, "--timeline is of one run: g80 run X --timeline F.json"},
      {"sweep docs/examples/schedulers.toml --list --sbatch --time=10", kInput, "--sbatch has options of --on slurm"},
      {"diff --run vec_add --a '--hot 3'", kInput, "--a: --hot lists one run: g80 run X --hot N"},
      {"diff --run vec_add --arg n=32 --a '--wave @/w.vcd --wave-from 90000000'", 1, nullptr},
      {"diff @/no_run.json @/no_run.json --gate 'nosuch<=0'", kInput, "--gate nosuch<=0: no run has a value named nosuch"},
      {"compile @/typed.ptx -D X", kInput, "compile @/typed.ptx: -D is for .cu files"},
      {"compile @/typed.ptx --keep", kInput, "compile @/typed.ptx: --keep is for .cu files"},
      {"compile kernels/saxpy/saxpy.cu --ptx --entry saxpy -o @/s.ptx", kInput, "--ptx writes the PTX of the whole file: leave --entry out"},
      {"compile kernels/saxpy/saxpy.cu --keep -o -", kInput, "--keep writes the PTX beside the cubin, which needs a name: -o F.cubin"},
      {"list tables", kInput, "WHAT: tables not in .*"},
      {"wave-filter instruction --arch sm_20", kInput, "--arch: sm_20 not in \\{sm_10,.*"},
      // clang-format on
  });
}

// Whole numbers are written in one way everywhere: 1000, 0x3e8, 1e3. What is none is refused, and never cut short.
TEST(BadInput, Numbers) {
  check({
      // clang-format off
      {"run @/endless.sasm --grid 1 --block 32 --model golden --max-cycles 1e3", kHang, nullptr},
      {"run @/endless.sasm --grid 1 --block 32 --model golden --max-cycles 0x400", kHang, nullptr},
      {"run @/endless.sasm --grid 1 --block 32 --model golden --max-cycles 2.5e3", kHang, nullptr},
      {"run vec_add --model golden --seed 1e3 --max-cycles 1e9", 0, nullptr},
      {"run vec_add --max-cycles 1e99", kInput, "--max-cycles: '1e99' is not an integer from 1 to .*"},
      {"run vec_add --max-cycles 1.5", kInput, "--max-cycles: '1.5' is not an integer .*"},
      {"run vec_add --max-cycles 1.55e1", kInput, "--max-cycles: '1.55e1' is not an integer .*"},
      {"run vec_add --max-cycles 1e-3", kInput, "--max-cycles: '1e-3' is not an integer .*"},
      {"run vec_add --max-cycles 1e", kInput, "--max-cycles: '1e' is not an integer .*"},
      {"run vec_add --max-cycles 0x", kInput, "--max-cycles: '0x' is not an integer .*"},
      {"run vec_add --max-cycles -1", kInput, "--max-cycles: '-1' is not an integer .*"},
      {"run vec_add --max-cycles ''", kInput, "--max-cycles.*"},
      {"run vec_add --hot 1e1 --max-cycles 10k", kInput, "--max-cycles: '10k' is not an integer .*"},
      {"run vec_add --hot 0", kInput, "--hot: '0' is not an integer from 1 to 10000 .*"},
      {"run vec_add --wave-from 1e30 --wave @/x.vcd", kInput, "--wave-from: '1e30' is not an integer from 0 to 1000000000000 .*"},
      {"compile @/typed.ptx --maxrregcount 3", kInput, "--maxrregcount: '3' is not an integer from 4 to 124 .*"},
      {"compile @/typed.ptx -O 4", kInput, "-O: '4' is not an integer from 0 to 3 .*"},
      {"run vec_add --arg n=1e3", kInput, "argument 'n' is 1000, which is not an integer; its type is u32 \\(int\\(\\) truncates\\)"},
      {"run @/k.sasm --grid 1e1 --block 32 --arg 0", kInput, "--grid is 10, a real number \\(from '1e1'\\); allowed is an integer .*"},
      {"run vec_add --until cycle=1e", kInput, "--until: cycle=1e: '1e' is not a shader cycle.*"},
      {"run vec_add --until cycle=2e16", kInput, "--until: cycle=2e16: '2e16' is not a shader cycle.*"},
      {"run vec_add --inject sm0.pick.warp=1@2e16", kInput, "--inject sm0.pick.warp=1@2e16: '2e16' is not a shader cycle; .*"},
      {"run vec_add --set sm.max_warps=1e1", kInput, ".*sm.max_warps = '1e1' must be an integer from 1 to 32 .*"},
      // clang-format on
  });
}

TEST(BadInput, EmptyWords) {
  check({
      // clang-format off
      {"run vec_add --until ''", kInput, "--until: the argument is empty .*"},
      {"run vec_add --device ''", kInput, "--device: the argument is empty .*"},
      {"run vec_add --wave=''", kInput, "--wave.*"},
      {"run vec_add --model golden --arg n=32 --arg ''", kInput, "--arg: the argument is empty .*"},
      {"run ''", kInput, "X: the argument is empty .*"},
      {"suite --stats ''", kInput, "--stats: the argument is empty .*"},
      {"compile @/typed.ptx -o ''", kInput, "--output: the argument is empty .*"},
      {"asm @/k.sasm -o ''", kInput, "--output: the argument is empty .*"},
      {"list --device ''", kInput, "--device: the argument is empty .*"},
      {"diff --run vec_add --a ''", kInput, "--a: the argument is empty .*"},
      // clang-format on
  });
}

// Opening a FIFO waits for its writer, a device may have no end: no way in takes anything but regular files, and none
// waits.
TEST(BadInput, OnlyRegularFilesAreRead) {
  struct Kind {
    const char* name;
    const char* what;
  };
  const Kind kinds[] = {{"fifo", "it is a FIFO"},
                        {"folder", "it is a folder|this folder has no scenario.toml"},
                        {"zero", "it is a device"},
                        {"socket", "it is a socket"}};
  const char* const commands[] = {"run @/K.toml --model golden",
                                  "run @/K.sasm " BARE,
                                  "run @/K.cubin " BARE,
                                  "run @/K.ptx " BARE,
                                  "run @/K.cu " BARE,
                                  "asm @/K.sasm -o -",
                                  "disasm @/K.cubin",
                                  "disasm --words @/K.words",
                                  "compile @/K.ptx -o @/x.cubin",
                                  "compile @/K.cu -o @/x.cubin",
                                  "cc @/K.cu -o @/x",
                                  "cc @/K.cpp -o @/x",
                                  "devices @/K.toml",
                                  "devices @/base_K.toml",
                                  "run vec_add --model golden --device @/K.toml",
                                  "run vec_add --model golden --load a=@/K.bin",
                                  "run vec_add --model golden --load a=@/K.hex",
                                  "run vec_add --model golden --golden @/K.txt",
                                  "run @/init_K.toml --model golden",
                                  "run @/golden_K.toml --model golden",
                                  "run @/k.sasm " BARE " --arg f32[4]=@@/K.bin",
                                  "run vec_add --shell-script @/K.txt",
                                  "diff @/K.json @/K.json"};
  for (const Kind& kind : kinds) {
    const std::string name = kind.name;
    for (const char* suffix : {"toml", "sasm", "cubin", "ptx", "cu", "cpp", "words", "bin", "hex", "txt", "json"}) {
      const fs::path file = broken_files() / (name + "." + suffix);
      if (name == "fifo") {
        ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
      } else if (name == "folder") {
        fs::create_directory(file);
      } else if (name == "zero") {
        fs::create_symlink("/dev/zero", file);
      } else {
        ASSERT_EQ(::mknod(file.c_str(), S_IFSOCK | 0600, 0), 0);
      }
    }
    const auto put = [&](const std::string& file, const std::string& text) {
      std::ofstream(broken_files() / file) << text;
    };
    put("base_" + name + ".toml", "base = \"" + name + ".toml\"\n");
    const std::string head = "kernel = \"k.sasm\"\nsummary = \"s\"\n[buffer.a]\ntype = \"f32\"\ncount = 4\n",
                      launch = "[[launch]]\ngrid = 1\nblock = 32\nparams = [\"a\"]\n";
    put("init_" + name + ".toml", head + "init = { file = \"" + name + ".bin\" }\n" + launch);
    put("golden_" + name + ".toml", head + "golden_file = \"" + name + ".bin\"\n" + launch);
    for (const char* command : commands) {
      const std::string text = std::regex_replace(command, std::regex("K\\."), name + "."),
                        sentence = std::string(".*(") + kind.what + ").*";
      check_row({text.c_str(), kInput, sentence.c_str()});
    }
  }
}

TEST(BadInput, FilesThatAreNotWhatTheyShouldBe) {
  check({
      // clang-format off
      {"run vec_ad", kInput, "vec_ad: there is no such file or kernel; did you mean vec_add\\?.*"},
      {"run @/empty_folder", kInput, "@/empty_folder: this folder has no scenario.toml"},
      {"run saxpy", kInput, "saxpy: this folder has no scenario.toml; its program runs with `g80 cc .*kernels/saxpy/saxpy.cu -o saxpy && ./saxpy`"},
      {"run matmul", kInput, "matmul: this folder has no scenario.toml; its program .*"},
      {"asm x.cu", kInput, "x.cu: this is no assembly \\(.sasm\\); `g80 compile x.cu` makes a cubin"},
      {"asm --list @/typed.ptx", kInput, "@/typed.ptx: this is no assembly .*"},
      {"run vec_add --device @/launch.toml", kInput, "@/launch.toml: this is a scenario, not a configuration"},
      {"run /dev/zero " BARE, kInput, "/dev/zero: allowed are a kernel folder, a scenario .toml, .sasm, .cubin, .ptx and .cu"},
      {"run @/empty.sasm " BARE, kInput, "@/empty.sasm:1:1: the source has no .kernel"},
      {"run @/empty.cubin " BARE, kInput, "@/empty.cubin:1: this is not a cubin: .*"},
      {"run @/empty.toml", kInput, "@/empty.toml:1: summary is missing .*"},
      {"run @/empty.cu " BARE, kInput, "@/empty.cu: it contains no kernel"},
      {"run @/empty.ptx " BARE, kInput, "@/empty.ptx:.*"},
      {"compile @/empty.cu -o -", kInput, "@/empty.cu: it contains no kernel"},
      {"run @/binary.cu " BARE, kInput, "@/binary.cu:1: byte 0x01 is not allowed in a CUDA program"},
      {"run @/atomic.cu --device 8600gts " BARE " --arg u32[32]", kInput, "@/atomic.cu:1: atom of .u32 in shared memory needs compute capability 1.2: choose a --device with sm_12; this code is for sm_11"},
      {"compile @/atomic.cu --arch sm_11 -o @/x.cubin", kInput, "@/atomic.cu:1: atom of .u32 in shared memory needs compute capability 1.2: compile with --arch=sm_12; this code is for sm_11"},
      {"run @/zeros.cu " BARE, kInput, "@/zeros.cu:2: byte 0x00 is not allowed in a CUDA program"},
      {"compile @/binary.cu", kInput, "@/binary.cu:1: byte 0x01 is not allowed in a CUDA program"},
      {"cc @/binary.cu -o @/x", kInput, "@/binary.cu:1: byte 0x01 is not allowed in a CUDA program"},
      {"run @/binary.sasm " BARE, kInput, "@/binary.sasm:1:1: this character is not allowed in assembly source"},
      {"run @/binary.cubin " BARE, kInput, "@/binary.cubin:1: byte 0x01 is not allowed in a cubin"},
      {"run @/binary.toml", kInput, "@/binary.toml:1: not TOML: .*"},
      {"run @/cut.cubin " BARE, kInput, "@/cut.cubin:4: the file ends inside the 'code' block of line 2"},
      {"run @/twice.cubin " BARE, kInput, "@/twice.cubin:4: 'name' is given twice \\(first in line 3\\)"},
      {"run @/bank.cubin " BARE, kInput, "@/bank.cubin:3: bytes is 2, more than the largest possible 1"},
      {"run @/address.cubin " BARE, kInput, "@/address.cubin:3: offset is 65533, more than the largest possible 65532"},
      {"run @/deep.cubin " BARE, kInput, "@/deep.cubin:1: blocks are nested too deep"},
      {"asm @/none.sasm", kInput, "@/none.sasm: the file cannot be read \\(No such file or directory\\)"},
      {"asm @/empty_folder", kInput, "@/empty_folder: the file cannot be read \\(it is a folder; allowed are regular files\\)"},
      {"asm - -o - </dev/zero", kInput, "standard input: the file is longer than 134217728 bytes"},
      {"asm @/long.sasm -o -", kInput, "@/long.sasm: the file is longer than 134217728 bytes"},
      {"asm @/parentheses.sasm -o -", kInput, "@/parentheses.sasm:2:[0-9]+: the expression is nested deeper than 64 levels"},
      {"asm @/signs.sasm -o -", kInput, "@/signs.sasm:2:[0-9]+: the expression is nested deeper than 64 levels"},
      {"asm @/initialised.sasm -o -", kInput, "@/initialised.sasm:1:[0-9]+: 'x' has 1000000000 bytes; with values .* 4194304"},
      {"asm @/far_device.sasm -o -", kInput, "@/far_device.sasm:1:[0-9]+: the address of 'x' ends at byte 65538 .*"},
      {"asm @/number.sasm -o -", kInput, "@/number.sasm:2:[0-9]+: the register count is 129, outside 1 to 128"},
      {"asm @/constant.sasm -o -", kInput, "@/constant.sasm:2:13: '0x1ffffffff' does not fit 32 bits"},
      {"disasm", kInput, "disasm: FILE is missing: .*"},
      {"disasm kernels/saxpy/saxpy.cu", kInput, "kernels/saxpy/saxpy.cu: this is no cubin; `g80 compile .*` makes one"},
      {"disasm @/binary.cubin", kInput, "@/binary.cubin:1: byte 0x01 .*"},
      {"disasm @/empty_folder --words", kInput, "@/empty_folder: the file cannot be read \\(it is a folder.*"},
      {"disasm @/binary.words --words", kInput, nullptr},
      {"disasm @/k.sasm --arch sm_11", kInput, "--arch is for --words; .*"},
      // clang-format on
  });
}

TEST(BadInput, NamesOfFilesMayBeAnyBytes) {
  check({
      {"run @/name\xff.sasm " BARE " --arg 0", 0, nullptr},
      {"run @/name\xff.sasm " BARE " --arg 0 --stats @/name\xff.json", 0, nullptr},
  });
}

TEST(BadInput, FilesThatEditorsMakeAreFine) {
  check({
      {"run @/crlf.sasm " BARE " --arg 0", 0, nullptr},
      {"run @/bom.sasm " BARE " --arg 0", 0, nullptr},
  });
}

TEST(BadInput, Configurations) {
  check({
      // clang-format off
      {"run @/s_device.toml", kInput, "@/s_device.toml: device nope: no preset or file 'nope'; the presets are .*"},
      {"sweep @/sweep_device.toml --list", kInput, "@/sweep_device.toml:2: devices: nope: no preset or file 'nope'; the presets are .*"},
      {"devices nope", kInput, "devices nope: no preset or file 'nope'; the presets are .*"},
      {"devices @/empty_folder", kInput, "devices @/empty_folder: no configuration file '@/empty_folder' \\(it is a folder; allowed are regular files\\)"},
      {"devices @/empty.toml", kInput, "@/empty.toml: device.name is missing: .*"},
      {"devices @/binary.toml", kInput, "@/binary.toml:1: not TOML: .*"},
      {"devices @/deep.toml", kInput, "@/deep.toml:1: a key has more than 64 dots"},
      {"devices @/nested.toml", kInput, "@/nested.toml:3: not TOML: .*depth of 256.*"},
      {"devices @/itself.toml", kInput, "@/itself.toml:1: base = 'itself.toml' is the 9th file in the chain of bases; is the chain a circle\\?"},
      {"devices @/header.toml", kInput, "@/header.toml:1: not TOML: .*saw '='"},
      {"devices @/key.toml", kInput, "@/key.toml:3: no key 'sm.max_warp'; did you mean 'sm.max_warps'\\?"},
      {"devices @/range.toml", kInput, "@/range.toml:3: sm.max_warps = 99 must be an integer from 1 to 32 \\(warps\\)"},
      {"devices @/type.toml", kInput, "@/type.toml:3: sm.max_warps must be an integer .*, not a list, table or date"},
      {"devices @/long.toml", kInput, "@/long.toml: is 2000000 bytes, but a configuration has at most 1048576"},
      {"run vec_add --set foo", kInput, "--set foo: must be key=value, .*"},
      {"run vec_add --set foo=3", kInput, "--set foo=3: no key 'foo'; did you mean '.*'\\?"},
      {"run vec_add --set sm.max_warps=-1", kInput, "--set sm.max_warps=-1: sm.max_warps = -1 must be an integer from 1 .*"},
      {"run vec_add --set sm.max_warps=1e99", kInput, "--set sm.max_warps=1e99: .* must be an integer from 1 to 32 .*"},
      {"run vec_add --set clock.shader_mhz=nan", kInput, ".*clock.shader_mhz = nan must be a number .*"},
      {"run vec_add --set clock.core_mhz=675.00001", kInput, ".*clock.core_mhz = 675.00001 must be a multiple of 0.0001 MHz.*"},
      {"run vec_add --set clock.core_mhz=1", kInput, ".*clock.core_mhz = 1 must be within a factor of 100 of clock.shader_mhz .*"},
      {"run vec_add --set sm.max_warps=99999999999999999999", kInput, "--set sm.max_warps=9+: sm.max_warps = '99999999999999999999' must be an integer from 1 to 32 .*"},
      {"run vec_add --set dram.t_ras=1", kInput, ".*dram.t_ras = 1 must be at least dram.t_rcd .*"},
      {"run vec_add --set gpu.num_tpcs=16 --set gpu.sms_per_tpc=4", kInput, ".*makes 64 SMs, but 32 is the most"},
      {"run vec_add --set device.name=$'a\\tb'", kInput, ".*device.name = 'a\\\\x09b' must be a text of printable characters"},
      // clang-format on
  });
}

TEST(BadInput, Scenarios) {
  check({
      // clang-format off
      {"run docs/examples/schedulers.toml", kInput, "docs/examples/schedulers.toml: this is a sweep file; `g80 sweep .*` runs it"},
      {"run 8600gts", kInput, "8600gts: this is a device, and no kernel: `g80 run KERNEL --device 8600gts`"},
      {"run @/s_key.toml", kInput, "@/s_key.toml:1: foo: unknown key; allowed are kernel, .*"},
      {"run @/s_deep.toml", kInput, "@/s_deep.toml:1: a key has more than 64 dots"},
      {"run @/s_expression.toml", kInput, "@/s_expression.toml:7: buffer.a.count: in 'n \\+': a value is missing at the end"},
      {"run @/s_nested.toml", kInput, "@/s_nested.toml:7: buffer.a.count: .*: nested too deeply; allowed are 100 levels"},
      {"run @/s_infinite.toml", kInput, "@/s_infinite.toml:7: buffer.a.count must be a finite number"},
      {"run @/s_name.toml", kInput, "@/s_name.toml: the name 'n' is used twice"},
      {"run @/s_config.toml", kInput, "@/s_config.toml:6: config.sm.max_warps: sm.max_warps = 300 must be .*"},
      {"run @/s_suite.toml", kInput, "@/s_suite.toml:10: suite.m: the scenario has no such argument"},
      {"run @/s_cycle.toml", kInput, "@/s_cycle.toml:4: args.a.default: in 'b': unknown name 'b'; no names are allowed here"},
      {"run @/s_kernel.toml", kInput, "@/none.sasm: the file cannot be read \\(No such .*"},
      {"run vec_add --arg m=1", kInput, "--arg m=1: .*has no argument 'm'; it has n, block"},
      {"run vec_add --arg n", kInput, "--arg 'n': the form is --arg NAME=VALUE"},
      {"run vec_add --arg n=-5", kInput, ".*argument 'n' is -5; allowed is 1 to 1048576"},
      {"run vec_add --arg n=99999999999999999999", kInput, "--arg n: in '9+': a number is larger than 9223372036854775807"},
      {"run vec_add --arg n=1/0", kInput, "--arg n: in '1/0': division by zero"},
      {"run vec_add --load a=@/none", kInput, "@/none: cannot be read \\(No such file or directory\\)"},
      {"run vec_add --load a=@/b.bin", kInput, "--load a=@/b.bin: @/b.bin has 2 bytes, the buffer 4000"},
      {"run vec_add --load a=@/k.hex", kInput, "@/k.hex:1: 'xyz' is not a word of eight hexadecimal digits"},
      {"run vec_add --load a=@/empty_folder", kInput, "@/empty_folder: cannot be read .*"},
      {"run vec_add --load q=@/b.bin", kInput, "--load q=@/b.bin: there is no buffer 'q'; buffers are a, b, c"},
      {"run vec_add --golden @/binary.hex", kInput, "@/binary.hex:1: the first line must be 'g80-golden 1'"},
      {"run vec_add --grid 3", kInput, "--grid is for bare kernel files; .*"},
      // clang-format on
  });
}

TEST(BadInput, Launches) {
  check({
      // clang-format off
      {"run @/k.sasm", kInput, "@/k.sasm: a bare kernel file does not describe its launch: .*"},
      {"run @/k.sasm --grid 1 --block 1024 --arg 0", kInput, "@/k.sasm: block dimension x is 1024, but must be from 1 to 512"},
      {"run @/k.sasm --grid 1 --block 1024 --arg 0 --model golden", kInput, "@/k.sasm: block dimension x is 1024, .*"},
      {"run @/k.sasm --grid 1 --block 1,1,65 --arg 0", kInput, "@/k.sasm: block dimension z is 65, but must be from 1 to 64"},
      {"run @/k.sasm --grid 1 --block 32,32 --arg 0", kInput, "@/k.sasm: a block of 32 x 32 x 1 has 1024 threads, but at most 512 .*"},
      {"run @/k.sasm --grid 1 --block 129 --arg 0 --set device.max_block_x=128", kInput, "@/k.sasm: block dimension x is 129, but .* 1 to 128"},
      {"run @/k.sasm --grid 0 --block 32 --arg 0", kInput, "@/k.sasm: grid dimension x is 0, but must be from 1 to 65535"},
      {"run @/k.sasm --grid 65536 --block 32 --arg 0", kInput, "@/k.sasm: grid dimension x is 65536, but must be .*"},
      {"run @/k.sasm --grid 1,1,1 --block 32 --arg 0", kInput, "--grid 1,1,1: at most 2 numbers"},
      {"run @/k.sasm --grid 1x --block 32 --arg 0", kInput, "--grid 1x: a number is missing"},
      {"run @/k.sasm --grid 1 --block ,32 --arg 0", kInput, "--block ,32: a number is missing"},
      {"run @/k.sasm --grid 1.5 --block 32 --arg 0", kInput, "--grid is 1.5, a real number \\(from '1.5'\\); allowed is an integer .*"},
      {"run @/k.sasm --grid=-1 --block 32 --arg 0", kInput, "--grid is -1 \\(from '-1'\\); allowed is an integer .*"},
      {"run @/registers.sasm --grid 1 --block 512", kInput, "@/registers.sasm: a block of 512 threads with 128 registers each takes 65536 .*"},
      {"run @/registers.sasm --grid 1 --block 128 --device 8800gtx", kInput, "@/registers.sasm: a block .* but an SM has 8192"},
      {"run @/registers.sasm --grid 1 --block 128 --device gtx280", 0, nullptr},
      {"run @/shared.sasm --grid 1 --block 32 --dynamic-shared 4000", kInput, "@/shared.sasm: a block takes 20[0-9]+ bytes of shared memory .*"},
      {"run @/k.sasm --grid 1 --block 32 --arg 0 --dynamic-shared 99999", kInput, "--dynamic-shared is 99999 .*from 0 to 16384"},
      {"run @/k.sasm " BARE, kInput, "@/k.sasm: kernel k takes 1 parameters \\(ptr p\\), but 0 are given"},
      {"run @/k.sasm " BARE " --arg 0 --arg 0", kInput, "@/k.sasm: kernel k takes 1 parameters \\(ptr p\\), but 2 are given"},
      {"run @/k.sasm " BARE " --arg f64:0", kInput, "--arg f64:0: parameter 1 \\(p\\) of kernel k is a ptr, a f64 is given"},
      {"run @/k.sasm " BARE " --arg 0x9999999999", kInput, "--arg 0x9+: parameter 1 \\(p\\) of kernel k is 659706976665, which does not fit u32; .*"},
      {"run @/k.sasm " BARE " --arg 3", kInput, "--arg 3: parameter 1 \\(p\\) of kernel k is a ptr, the number 3 \\(an address is written in hexadecimal\\) is given"},
      {"run @/k.sasm " BARE " --arg 0 --kernel l", kInput, "@/k.sasm: the program has no kernel 'l'; it has k"},
      {"run @/two.sasm " BARE " --arg 0", kInput, "@/two.sasm: the program has several kernels, k, l; select one with --kernel"},
      {"run @/mangled.sasm " BARE, kInput, "@/mangled.sasm: the program has several kernels, scale\\(float\\*, int\\), scale\\(int\\*, int\\); select one with --kernel"},
      {"run @/mangled.sasm " BARE " --kernel halve", kInput, "@/mangled.sasm: the program has no kernel 'halve'; it has scale\\(float\\*, int\\), scale\\(int\\*, int\\); did you mean scale\\?"},
      {"run @/mangled.sasm " BARE " --kernel xyzzy", kInput, ".* scale\\(int\\*, int\\)"},
      {"run @/mangled.sasm " BARE " --kernel scale", kInput, "@/mangled.sasm: the program has several kernels 'scale': scale\\(float\\*, int\\), scale\\(int\\*, int\\)"},
      {"run @/spaces.sasm " BARE " --kernel inner", 0, nullptr},
      {"run @/spaces.sasm " BARE " --kernel hidden", 0, nullptr},
      {"run @/spaces.sasm " BARE " --kernel b::same", 0, nullptr},
      {"run @/spaces.sasm " BARE " --kernel same", kInput, "@/spaces.sasm: the program has several kernels 'same': a::same\\(\\), a::b::same\\(\\)"},
      {"run @/spaces.sasm " BARE " --kernel ame", kInput, "@/spaces.sasm: the program has no kernel 'ame'; it has .*; did you mean .*same\\?"},
      {"run @/elf.cubin " BARE, kInput, "@/elf.cubin: this is an ELF file; only cubins in text form can be read, .*"},
      {"run @/elf.cubin", kInput, "@/elf.cubin: this is an ELF file; .*"},
      {"run @/sm_13.sasm " BARE " --arg 0", kInput, "@/sm_13.sasm: the kernel needs sm_13, GeForce 8600 GTS has compute capability 1.1: choose --device gtx280"},
      {"run atomics --device 8800gtx", kInput, ".*: the kernel needs sm_11, .* 1.0: choose --device 8600gts or .*"},
      {"run @/k.sasm " BARE " --arg f32[]", kInput, "--arg f32\\[\\]: the count: in '': a value is missing at the end"},
      {"run @/k.sasm " BARE " --arg f99[3]", kInput, "--arg f99\\[3\\]: 'f99' is not a type; types are u8, .*"},
      {"run @/k.sasm " BARE " --arg f32[3", kInput, "--arg f32\\[3: '\\]' is missing; the forms are .*"},
      {"run @/k.sasm " BARE " --arg f32[3]x", kInput, "--arg f32\\[3\\]x: 'x' is not understood; the forms are .*"},
      {"run @/k.sasm " BARE " --arg f32[3]=", kInput, "--arg f32\\[3\\]=: '=' is not understood; the forms are .*"},
      {"run @/k.sasm " BARE " --arg f32[0]", kInput, "--arg f32\\[0\\]: the count is 0 .*from 1 to 268435456"},
      {"run @/k.sasm " BARE " --arg 'f32[3]>'", kInput, "--arg f32\\[3\\]>: a file name is missing after '>'"},
      {"run @/k.sasm " BARE " --arg 'f32[3]>@/none/x.bin'", kInput, "--dump arg0 @/none/x.bin: the file cannot be written .*"},
      {"run @/k.sasm " BARE " --arg f32[3]=@@/none", kInput, "@/none: cannot be read .*"},
      {"run @/k.sasm " BARE " --arg f32[3]=@@/b.bin", kInput, "--arg f32\\[3\\]=@@/b.bin: @/b.bin has 2 bytes, the buffer 12"},
      {"run @/k.sasm " BARE " --arg f32[3]=random:x", kInput, "--arg f32\\[3\\]=random:x: the seed 'x' is not an integer .*"},
      {"run @/k.sasm " BARE " --arg u32[3]=i*0.5", kInput, "--arg u32\\[3\\]=i\\*0.5: element 0 of arg0: the value is .*not an integer.*"},
      {"run @/k.sasm " BARE " --arg p=0", kInput, "--arg p=0: in 'p=0': unknown name 'p'; .*"},
      {"run @/k.sasm " BARE " --arg 0.5", kInput, "--arg 0.5: parameter 1 \\(p\\) of kernel k is a ptr, the number 0.5 is given"},
      // clang-format on
      {"run @/typed.ptx " BARE " --entry scale --arg 0x2 --arg 2.0 --arg 2.5", kInput,
       "--arg 2.5: parameter 3 \\(int\\) of kernel scale\\(float\\*, float, int\\) is 2.5, which is not an integer; "
       "its type is u32 .*"},
      {"run @/typed.ptx " BARE " --entry scale --arg 2.0 --arg 2.0 --arg 2", kInput,
       "--arg 2.0: parameter 1 \\(float\\*\\) of kernel scale\\(.*\\) is a float\\*, the number 2.* is given"},
      {"run @/typed.ptx " BARE " --entry scale --arg f32[8] --arg f32[8] --arg 2", kInput,
       "--arg f32\\[8\\]: parameter 2 \\(float\\) of kernel scale\\(.*\\) is a float, a buffer is given"},
      {"run @/typed.ptx " BARE " --entry scale --arg f32[8] --arg 1 --arg s32[2]", kInput,
       "--arg s32\\[2\\]: parameter 3 \\(int\\) of kernel scale\\(.*\\) is an int, a buffer is given"},
      {"run @/typed.ptx " BARE " --entry scale --arg f32[8] --arg f32:1 --arg f64:1", kInput,
       "--arg f64:1: parameter 3 \\(int\\) of kernel scale\\(.*\\) is an int, a f64 is given"},
      {"run @/typed.ptx " BARE " --entry scale --arg f32[8] --arg u32:1 --arg 1", kInput,
       "--arg u32:1: parameter 2 \\(float\\) of kernel scale\\(.*\\) is a float, a u32 is given"},
      {"run @/typed.ptx " BARE " --entry scale --arg f32[8] --arg 1 --arg f32:1", kInput,
       "--arg f32:1: parameter 3 \\(int\\) of kernel scale\\(.*\\) is an int, a f32 is given"},
      {"run @/typed.ptx " BARE " --entry scale --arg f32:1 --arg 1 --arg 1", kInput,
       "--arg f32:1: parameter 1 \\(float\\*\\) of kernel scale\\(.*\\) is a float\\*, a f32 is given"},
      {"run @/typed.ptx " BARE " --entry scale --arg s32[8] --arg 1 --arg 2", kInput,
       "--arg s32\\[8\\]: parameter 1 \\(float\\*\\) of kernel scale\\(.*\\) is a float\\*, a buffer of s32 is given"},
      {"run @/typed.ptx " BARE " --entry scale --arg f64[8] --arg 1 --arg 2", kInput,
       "--arg f64\\[8\\]: parameter 1 \\(float\\*\\) of kernel scale\\(.*\\) is a float\\*, a buffer of f64 is given"},
      {"run @/typed.ptx " BARE " --entry view --arg f32[8] --arg 'arg2 + 16' --arg u32[9] --arg 0", kInput,
       "--arg arg2 \\+ 16: parameter 2 \\(float4\\*\\) of kernel view\\(.*\\) is a float4\\*, a buffer of u32 is "
       "given"},
      {"run @/typed.ptx " BARE " --entry view --arg u8[8] --arg arg0 --arg f32[8] --arg arg0", kInput,
       "--arg u8\\[8\\]: parameter 1 \\(float const\\*\\) of kernel view\\(.*\\) is a float const\\*, a buffer of u8 "
       "is given"},
      {"run @/typed.ptx " BARE " --entry view --arg f32[8] --arg arg0 --arg f32[8] --arg arg0", kInput,
       "--arg f32\\[8\\]: parameter 3 \\(uchar4\\*\\) of kernel view\\(.*\\) is a uchar4\\*, a buffer of f32 is given"},
      {"run @/typed.ptx " BARE " --entry view --arg f32[8] --arg 'arg0 + 16' --arg u32[8] --arg f64[8]", 0, nullptr},
      {"run @/typed.ptx " BARE " --entry scale --arg f32[8]", kInput,
       "@/typed.ptx: kernel scale\\(float\\*, float, int\\) takes 3 parameters, but 1 are given"},
      {"run @/typed.ptx " BARE " --entry scale --arg f32[8] --arg 1 --arg 2", 0, nullptr},
      {"run @/typed.ptx " BARE " --entry scale --arg f32[8] --arg 1 --arg arg0", kInput,
       "--arg arg0: parameter 3 \\(int\\) of kernel scale\\(.*\\) is an int, a buffer is given"},
      {"run @/typed.ptx " BARE " --entry structure --arg 1", kInput,
       "--arg 1: parameter 1 \\(S\\) of kernel structure\\(S\\) is a S of 12 bytes; only numbers and buffers can be "
       "given"},
      // clang-format off
      {"run @/memory.cubin --grid 1 --block 32", kInput, "allocation 'x' of 1000000000 bytes does not fit: .*"},
      {"run @/memory.cubin " BARE, kInput, "x needs 1000000000 bytes of device memory; .*"},
      {"run vec_add --set device.memory_bytes=1048576 --arg n=1048576", kInput, ".*: buffer a of 4194304 bytes does not fit: the buffers up to it need 4194304 bytes, [0-9]+ bytes of device memory are free"},
      {"run @/k.sasm --grid 1 --block 32 --arg 0 --max-cycles 10", kHang, nullptr},
      {"run @/endless.sasm --model golden --grid 1 --block 32 --max-cycles 1000", kHang, nullptr},
      {"run vec_add/vec_add.sasm --grid 1 --block 32", kInput, "vec_add/vec_add.sasm: there is no such file; did you mean the kernel vec_add\\?"},
      {"run vec_ad", kInput, "vec_ad: there is no such file or kernel; did you mean vec_add\\? .*"},
      {"run xyzzy", kInput, "xyzzy: there is no such file or kernel \\(`g80 list kernels`\\)"},
      {"run endless", kInput, "endless: there is no such file or kernel; did you mean [a-z]+_endless\\? .*"},
      {"run vec_ad.cu", kInput, "vec_ad.cu: there is no such file"},
      {"run no_such_folder/", kInput, "no_such_folder/: there is no such file"},
      {"run no_such_folder/..", kInput, "no_such_folder/\\.\\.: there is no such file"},
      {"run vec_add.cu", kInput, "vec_add.cu: there is no such file; did you mean the kernel vec_add\\?"},
      {"run vec_add --wave @/w.vcd --wave-on lanch", kInput, "--wave-on: in 'lanch': there is no event and no signal lanch; did you mean launch\\?"},
      {"run vec_add --wave @/w.vcd --wave-on launch=vec_ad", kInput, "--wave-on launch=vec_ad: the program has no kernel 'vec_ad'; it has vec_add"},
      {"run vec_add --wave @/w.vcd --wave-off launch=vec_ad", kInput, "--wave-off launch=vec_ad: the program has no kernel 'vec_ad'; it has vec_add"},
      {"run vec_add --until launch=vec_ad", kInput, "--until launch=vec_ad: the program has no kernel 'vec_ad'; it has vec_add"},
      {"run @/kk.sasm", kInput, "@/kk.sasm: there is no such file; did you mean @/k.sasm\\?"},
      {"run @/empty_foldr", kInput, "@/empty_foldr: there is no such file; did you mean @/empty_folder\\?"},
      {"run kernels/vec_add/vec_add.sasm --grid 1 --block 32 --arg 0x1 --arg 0x1 --arg 0x1 --arg 9", kFault, nullptr},
      // clang-format on
  });
}

TEST(BadInput, FilesToBeWritten) {
  check({
      // clang-format off
      {"asm @/k.sasm -o /dev/full", kInput, "/dev/full: the file cannot be written \\(No space left on device\\)"},
      {"asm @/k.sasm -o @/empty_folder", kInput, "@/empty_folder: the file cannot be written \\(Is a directory\\)"},
      {"asm @/k.sasm -o @/none/k.cubin", kInput, "@/none/k.cubin: the file cannot be written \\(No such file or directory\\)"},
      {"asm @/k.sasm -o - >/dev/full", kInput, "standard output cannot be written"},
      {"asm @/k.sasm --list >/dev/full", kInput, "standard output cannot be written"},
      {"list keys >/dev/full", kInput, ".*cannot .*write.*"},
      {"devices >/dev/full", kInput, "standard output cannot be written"},
      {"run vec_add --model golden >/dev/full", kInput, "standard output cannot be written"},
      {"run vec_add --model golden >&-", kInput, "standard output cannot be written"},
      {"list | head -n 1", 0, nullptr},
      {"list --views @/k.sasm", kInput, "cannot make the folder @/k.sasm/filters \\(Not a directory\\)"},
      {"run vec_add --model golden --stats x", kInput, "--stats x: the name must end in .json or .csv, or be -"},
      {"run vec_add --stats @/none/x.json", kInput, "--stats @/none/x.json: the file cannot be written \\(No such file or directory\\)"},
      {"run vec_add --model golden --stats @/full.json", kInput, "@/full.json: writing failed \\(No space left on device\\)"},
      {"run vec_add --model golden --dump a=/dev/full", kInput, "/dev/full: writing failed \\(No space left on device\\)"},
      {"run vec_add --dump a=@/none/a.hex", kInput, "--dump a @/none/a.hex: the file cannot be written .*"},
      {"run vec_add --dump q=a.hex", kInput, "--dump q=a.hex: there is no buffer 'q'; buffers are a, b, c"},
      {"run vec_add --wave @/none/x.vcd", kInput, "--wave @/none/x.vcd: the file cannot be written .*"},
      {"run vec_add --wave x.txt", kInput, "--wave x.txt: the name must end in .vcd or .fst"},
      {"run vec_add --arg n=32 --wave @/full.vcd", kInput, "@/full.vcd: the wave file could not be completed \\(No space left on device\\).*"},
      {"run vec_add --arg n=32 --trace uid=1 --trace-file /dev/full", kInput, "--trace-file /dev/full: the file cannot be written"},
      {"run vec_add --arg n=32 --coverage @/none/c.tsv", kInput, "--coverage @/none/c.tsv: the file cannot be written \\(No such file or directory\\)"},
      {"run vec_add --model golden --stats @/x.json --dump a=@/empty_folder/../x.json", kInput, "--stats and --dump a both write .*"},
      {"run vec_add --model golden --dump a=@/x.hex --dump b=@/x.hex", kInput, "--dump a and --dump b both write @/x.hex"},
      {"run vec_add --wave-level arch", kInput, ".*--wave-level.* need --wave F"},
      {"run vec_add --wave-level most --wave @/x.vcd", kInput, "--wave-level: most not in \\{arch,pipeline,all,lanes,memories\\} .*"},
      {"run vec_add --wave-from 10", kInput, ".*--wave-from.* need --wave F"},
      {"run vec_add --wave-from 10 --wave-to 5 --wave @/x.vcd", kInput, "--wave-to 5 is before --wave-from 10"},
      {"run vec_add --wave-scope nothing --wave @/x.vcd", kInput, "no traceable object matches the wave scope nothing; .*"},
      {"run vec_add --model golden --wave @/x.vcd", kInput, "--wave needs the cycle model .*"},
      {"suite --only zzz", kInput, "--only zzz: no scenario of the suite has a name that contains this"},
      {"suite --only vec_add,zzz", kInput, "--only zzz: no scenario of the suite has a name that contains this"},
      {"silicon --row launch,zzz", kInput, "--row zzz: no row's name starts with this; g80 silicon prints them all"},
      {"seeds --row D3,zzz", kInput, "--row zzz: no row's name starts with this; g80 seeds prints them all"},
      // clang-format on
  });
}

TEST(BadInput, AFileThatCannotBeWrittenCostsTheOthersNothing) {
  check_row({"run vec_add --arg n=32 --trace uid=1 --trace-file /dev/full --timeline @/kept.json", kInput,
             "--trace-file /dev/full: the file cannot be written"});
  std::ifstream stream(broken_files() / "kept.json");
  const std::string json{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_GT(json.size(), 1000u);
  EXPECT_EQ(json.substr(json.size() - 3), "}}\n") << "its end is missing";
}

}  // namespace
