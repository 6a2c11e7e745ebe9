// SPDX-License-Identifier: Apache-2.0
// The commands of g80 and their options. Each command has a file; command_line.cpp has the parser.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/run/run_options.h"

namespace CLI {
class App;
}

namespace g80 {

struct RunCommand {
  CommonRunOptions common;
  std::string target;
  std::vector<std::string> args, load, dump;
  std::string golden;
  bool update_golden = false, yes = false;
  std::string until;   // the run ends at this event, or the shell starts
  bool quiet = false;  // print only what is wrong and what was asked for
  bool shell = false;
  std::string shell_script;  // commands; empty: read the terminal or standard input
  // bare kernel files
  std::string kernel;
  std::string grid, block;
  std::uint32_t dynamic_shared = 0;
};

struct SuiteCommand {
  CommonRunOptions common;
  std::vector<std::string> only;        // parts of the names of the scenarios to run; empty: every one
  std::string wave_kernel = "vec_add";  // --wave records its run
  std::string against;                  // record of cycles to compare with
  std::string bless;                    // ... to write after asking
  unsigned jobs = 1;                    // processes
  bool quiet = false;
};

struct AsmCommand {
  std::string source, output;
  bool list = false;
};

struct CompileCommand {
  std::string source, output;
  std::string arch = "sm_10";
  std::uint32_t max_registers = 0;  // 0: the kernel's own limit
  bool fmad = true, verbose = false, keep = false;
  std::string gencode, code;                                     // options of nvcc
  std::vector<std::string> include_folders, defines, undefines;  // of a .cu
  std::string optimize;                                          // accepted without effect
  bool only_ptx = false;
  std::string entry;          // empty: every kernel
  std::uint32_t block = 256;  // threads of a block, for the occupancy that `verbose` prints
};

struct CcCommand {
  std::vector<std::string> arguments;  // everything after `cc`
};

struct DisasmCommand {
  std::string file;  // cubin, or with `words` a file of hexadecimal words, or "-"
  bool words = false;
  bool source = false;         // source lines between the instructions
  std::string arch = "sm_13";  // of --words
  bool arch_given = false;
};

struct DevicesCommand {
  std::string name;
};

struct ListCommand {
  std::string what;                // empty: everything
  std::string views;               // output folder: only write the views of a machine
  std::string device = "8600gts";  // machine of the views and delays
  std::string coverage;            // file of --coverage: only print its page
};

struct DiffCommand {
  std::vector<std::string> files;  // A, B, ...; empty with a run
  std::string report;              // page with all side by side
  RunCommand run;                  // what A and B run; its target may be empty
  std::string a, b;                // options of the two runs
  std::vector<std::string> gates;
  bool all = false, quiet = false;
};

struct SweepCommand {
  std::string command;  // the whole command line
  std::string file, out;
  unsigned jobs = 0;  // processes; 0: one for each processor
  std::string on = "local", sbatch;
  std::string against;
  std::vector<std::string> gates;
  bool list = false, collect = false, retry = false, quiet = false;
  std::string task;  // of a job array: the file that lists its runs
};

struct WaveFilterCommand {
  std::string kind;            // "instruction"
  std::string arch = "sm_13";  // knows the instructions of all levels
};

/// Each returns the program's exit code. Errors of the user throw InputError, ConfigError or SourceError.
int run_command(const RunCommand& options);
int suite_command(const SuiteCommand& options);
int asm_command(const AsmCommand& options);
int compile_command(const CompileCommand& options);
int cc_command(const CcCommand& options);
int disasm_command(const DisasmCommand& options);
int devices_command(const DevicesCommand& options);
int list_command(const ListCommand& options);
int diff_command(const DiffCommand& options);
int sweep_command(const SweepCommand& options);
int wave_filter_command(const WaveFilterCommand& options);

/// A command of another folder, which adds itself when it is linked into g80: its subcommand, and what runs it.
struct AddedCommand {
  CLI::App* parser;
  std::function<int()> run;
  using Maker = AddedCommand (*)(CLI::App& app);
  /// Those of the program.
  static std::vector<Maker>& makers();
  /// The text of `g80 list numbers`, from the folder that has them; null without it.
  static inline std::string (*numbers)() = nullptr;
};

/// The output of `g80 --version`: version, commit, libraries and compiler of the build.
std::string version_text();

int run_command_line(int argc, char** argv);

}  // namespace g80
