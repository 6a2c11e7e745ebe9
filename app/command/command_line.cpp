// SPDX-License-Identifier: Apache-2.0
// The command line of g80.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "app/command/commands.h"
#include "app/command/completion_script.h"
#include "app/run/common_options.h"
#include "app/run/terminal.h"
#include "app/run/whole_number.h"
#include "input/input_error.h"
#include "tb/scenario/run_result.h"
#include "toolchain/compiler/ir/compile_options.h"

namespace g80 {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 pass, 1 result differs from golden or nothing was recorded, 2 bad input or usage, 3 hang or "
    "--max-cycles reached,\n"
    "4 a check of the model itself failed, 5 kernel fault.\n"
    "Options can be written as plusargs: +max-cycles=1000 is --max-cycles=1000.";

CLI::App* add_run(CLI::App& app, RunCommand& run) {
  CLI::App* sub = app.add_subcommand("run", "run a kernel, compare with its golden, print its counters");
  const std::string data = "Data", bare = "Bare kernel files";
  sub->add_option("X", run.target, "kernel folder, its name, scenario.toml, .sasm, .cubin, .ptx or .cu")->required();
  add_common_options(*sub, run.common);
  sub->add_option("--trace", run.common.simulation.trace,
                  "print every wire and FIFO whose fields have these values: uid=0x2000007, or warp=3,pc=0x48")
      ->type_name("FIELD=N,...")
      ->group("Waves");
  sub->add_option("--trace-file", run.common.simulation.trace_file,
                  "write --trace to this file instead of standard output")
      ->type_name("F")
      ->group("Waves");
  sub->add_flag("--quiet", run.quiet, "print no table: only what is wrong, and what other options ask for")
      ->group("Results");
  sub->add_option("--until", run.until, "end the run at an event (as for --wave-on) and print where each warp is")
      ->type_name("EVENT")
      ->group("Limits");
  sub->add_flag("--shell", run.shell,
                "debug: halt at the first launch, or at --until, and read commands (docs/shell.md)")
      ->group("Debugging");
  sub->add_option("--shell-script", run.shell_script, "read the commands of --shell from a file")
      ->type_name("F")
      ->group("Debugging");
  sub->add_option(
         "--arg", run.args,
         "argument of the scenario, repeatable; for a bare kernel file the next parameter: 42, 3.5, f32[1024]=iota, "
         "u8[64]=random:7, s32[16]=i*i, f32[n]=@in.bin; results: out:f32[8] prints them, 'f32[8]>out.bin' writes them")
      ->type_name("NAME=VALUE|EXPR|TYPE[COUNT][=INIT]")
      ->allow_extra_args(false)
      ->group(data);
  sub->add_option("--load", run.load, "initial contents of a buffer, raw or .hex")
      ->type_name("BUFFER=F")
      ->allow_extra_args(false)
      ->group(data);
  sub->add_option("--dump", run.dump, "write a buffer after the run, raw or .hex")
      ->type_name("BUFFER=F")
      ->allow_extra_args(false)
      ->group(data);
  sub->add_option("--golden", run.golden, "compare with recorded results instead of the scenario's golden")
      ->type_name("F")
      ->group(data);
  CLI::Option* update =
      sub->add_flag("--update-golden", run.update_golden, "write this run's results to --golden F (asks first)")
          ->group(data);
  sub->add_flag("--yes", run.yes, "write without asking")->needs(update)->group(data);
  sub->add_option("--grid", run.grid, "blocks of the grid")->type_name("X[,Y]")->group(bare);
  sub->add_option("--block", run.block, "threads per block")->type_name("X[,Y[,Z]]")->group(bare);
  sub->add_option("--kernel,--entry", run.kernel,
                  "kernel to launch, if the file has several; the name in the CUDA program is accepted")
      ->type_name("NAME")
      ->group(bare);
  sub->add_option("--dynamic-shared", run.dynamic_shared, "bytes of dynamic shared memory")
      ->type_name("BYTES")
      ->transform(whole_number(0, UINT32_MAX))
      ->group(bare);
  return sub;
}

CLI::App* add_suite(CLI::App& app, SuiteCommand& suite) {
  CLI::App* sub = app.add_subcommand("suite", "run every kernel of the collection and print one table");
  add_common_options(*sub, suite.common);
  sub->add_option("--only", suite.only, "run only scenarios whose name contains this, or one of a list: vec,dot")
      ->type_name("TEXT,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group("Setup");
  sub->add_option("-j,--jobs", suite.jobs, "kernels to run at a time, each in a process of its own")
      ->type_name("N")
      ->transform(whole_number(1, 4096))
      ->capture_default_str()
      ->group("Setup");
  sub->add_flag("--quiet", suite.quiet, "print only the last line, and what differs")->group("Output");
  sub->add_option("--against", suite.against, "compare cycles and main counters with this record; 1: they differ")
      ->type_name("F.tsv")
      ->group("Output");
  sub->add_option("--bless", suite.bless, "show the differences from this record, ask, and write the new figures to it")
      ->type_name("F.tsv")
      ->group("Output");
  sub->add_option("--wave-kernel", suite.wave_kernel, "scenario that --wave records")
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Waves");
  return sub;
}

CLI::App* add_sweep(CLI::App& app, SweepCommand& sweep) {
  CLI::App* sub = app.add_subcommand("sweep", "run kernels with many configurations; tables and a page of all results");
  sub->add_option("FILE", sweep.file, "sweep file: kernels, devices, keys, seeds (docs/sweep.md)")->required();
  sub->add_option("-j,--jobs", sweep.jobs, "processes at a time (default: one for each processor)")
      ->type_name("N")
      ->transform(whole_number(1, 4096));
  sub->add_option("--out", sweep.out,
                  "folder of the results; a sweep that was stopped goes on there (default: NAME.sweep)")
      ->type_name("DIR");
  sub->add_option("--on", sweep.on, "local, or slurm: as a job array of a cluster")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
  sub->add_option("--sbatch", sweep.sbatch, "further options of sbatch, quoted: '--partition=short --time=10'")
      ->type_name("OPTIONS");
  sub->add_flag("--list", sweep.list, "print the command of each run; run nothing");
  CLI::Option* collect =
      sub->add_flag("--collect", sweep.collect, "only write the tables and the page of the results so far");
  sub->add_flag("--retry", sweep.retry, "repeat the runs that were not as expected")->excludes(collect);
  sub->add_option("--against", sweep.against, "compare with the results.json of another sweep; 1: they differ")
      ->type_name("F.json");
  sub->add_option("--gate", sweep.gates, "allowed change from --against F, repeatable: cycles<=+1%")
      ->type_name("METRIC<=CHANGE")
      ->allow_extra_args(false);
  sub->add_flag("--quiet", sweep.quiet, "print only the last line, and what differs");
  sub->add_option("--task", sweep.task)->group("");  // of a job array
  return sub;
}

CLI::App* add_compile(CLI::App& app, CompileCommand& compile) {
  CLI::App* sub = app.add_subcommand("compile", "compile PTX, or the kernels of a CUDA program, to a cubin");
  sub->add_option("SOURCE", compile.source, ".ptx or .cu")->required();
  sub->add_option("-o,--output", compile.output, "cubin to write, - for standard output (default: SOURCE with .cubin)")
      ->type_name("F.cubin");
  sub->add_option("--arch", compile.arch,
                  "feature level: sm_10 to sm_13; nvcc's -arch=sm_11, -gencode and -code are accepted")
      ->capture_default_str();
  sub->add_option("--gencode", compile.gencode)->group("");
  sub->add_option("--code", compile.code)->group("");
  sub->add_option("-I", compile.include_folders, "folder with headers, repeatable")
      ->type_name("DIR")
      ->allow_extra_args(false);
  sub->add_option("-D", compile.defines, "define a preprocessor macro, repeatable")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  sub->add_option("-U", compile.undefines, "undefine a macro, repeatable")->type_name("NAME")->allow_extra_args(false);
  sub->add_option("-O", compile.optimize, "ignored: kernels are always optimised")
      ->type_name("0..3")
      ->transform(whole_number(0, 3));
  sub->add_flag("--ptx", compile.only_ptx, "write the PTX of a .cu and stop");
  sub->add_flag("--cubin,--m64,--lineinfo")->group("");  // accepted for nvcc; always in effect
  sub->add_option("--maxrregcount", compile.max_registers, "maximum registers per thread; the compiler spills the rest")
      ->type_name("N")
      ->transform(whole_number(kLeastRegisterLimit, kMostRegisterLimit));
  sub->add_option("--fmad", compile.fmad, "fuse f32 products and sums into multiply-adds, which truncate the product")
      ->type_name("true|false")
      ->capture_default_str();
  sub->add_option("--entry", compile.entry, "compile only this kernel; the name in the CUDA program is accepted")
      ->type_name("NAME");
  sub->add_flag("-v,--verbose", compile.verbose, "print registers, memory, instructions and occupancy of each kernel");
  sub->add_option("--block", compile.block, "threads per block, for the occupancy that -v prints")
      ->type_name("N")
      ->transform(whole_number(1, 512))
      ->capture_default_str();
  sub->add_flag("--keep", compile.keep, "keep the PTX of a .cu beside the cubin");
  return sub;
}

/// Adds a dash to nvcc's options with one dash, which Makefiles of users have: -arch=sm_11 -> --arch=sm_11.
void double_dashes(std::string& word) {
  for (const char* name :
       {"arch", "gencode", "code", "maxrregcount", "fmad", "keep", "ptx", "cubin", "m64", "lineinfo"}) {
    const std::size_t length = std::strlen(name);
    if (word.compare(0, 1, "-") == 0 && word.compare(1, length, name) == 0 &&
        (word.size() == length + 1 || word[length + 1] == '='))
      word.insert(0, 1, '-');
  }
}

/// +max-cycles=9 -> --max-cycles=9
std::vector<std::string> without_plusargs(int argc, char** argv) {
  std::vector<std::string> words;
  for (int k = argc - 1; k > 0; --k) {  // CLI11 expects reverse order
    std::string word = argv[k];
    if (word.size() > 1 && word[0] == '+' && std::isalpha(static_cast<unsigned char>(word[1])))
      word = "--" + word.substr(1);
    if (std::strcmp(argv[1], "compile") == 0) double_dashes(word);
    words.push_back(word);
  }
  return words;
}

/// The command followed by a space ("run "), or nothing if none is parsed yet.
std::string command_of(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? "" : parsed.front()->get_name() + " ";
}

std::string joined(int argc, char** argv) {
  std::string text = "g80";
  for (int k = 1; k < argc; ++k) text += " " + shell_word(argv[k]);
  return text;
}

}  // namespace

std::vector<AddedCommand::Maker>& AddedCommand::makers() {
  static std::vector<Maker> makers;
  return makers;
}

int run_command_line(int argc, char** argv) {
  if (std::filesystem::path(argv[0]).filename() == "nvcc") return cc_command({{argv + 1, argv + argc}});
  CLI::App app("A cycle-level model of a Tesla-generation GPU that runs the chip's machine code.", "g80");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text(),
                       "print the version, the commit, and the libraries and compiler of the build");
  app.set_help_all_flag("--help-all", "print the help of every command");

  RunCommand run;
  SuiteCommand suite;
  AsmCommand assemble;
  DisasmCommand disassemble;
  CompileCommand compile;
  DevicesCommand devices;
  ListCommand list;
  WaveFilterCommand wave_filter;
  DiffCommand diff;
  SweepCommand sweep;
  sweep.command = joined(argc, argv);
  run.common.command = suite.common.command = diff.run.common.command = joined(argc, argv);

  const CLI::App* run_app = add_run(app, run);
  const CLI::App* suite_app = add_suite(app, suite);
  const CLI::App* sweep_app = add_sweep(app, sweep);

  CLI::App* asm_app = app.add_subcommand("asm", "assemble a .sasm file to a cubin");
  asm_app->add_option("SOURCE", assemble.source, "assembly source")->required();
  asm_app->add_option("-o,--output", assemble.output, "cubin to write (default: SOURCE with .cubin)")
      ->type_name("F.cubin");
  asm_app->add_flag("--list", assemble.list, "print addresses, words and text; write no file");

  const CLI::App* compile_app = add_compile(app, compile);

  CLI::App* cc_app = app.add_subcommand("cc", "compile a CUDA program (options are nvcc's: g80 cc --help)");
  cc_app->prefix_command();
  cc_app->set_help_flag();

  CLI::App* disasm_app = app.add_subcommand("disasm", "disassemble a cubin, or words");
  disasm_app->add_option("FILE", disassemble.file,
                         "cubin; with --words a file of hexadecimal words, - for standard input");
  disasm_app->add_flag("--words", disassemble.words, "FILE holds one instruction's words per line");
  disasm_app->add_flag("-S,--source", disassemble.source, "show source lines between the instructions");
  disasm_app->add_option("--arch", disassemble.arch, "feature level of --words")
      ->check(CLI::IsMember({"sm_10", "sm_11", "sm_12", "sm_13"}))
      ->capture_default_str()
      ->each([&disassemble](const std::string&) { disassemble.arch_given = true; });

  CLI::App* devices_app = app.add_subcommand("devices", "list the presets, or print one as deviceQuery does");
  devices_app->add_option("NAME", devices.name, "preset or configuration file");

  CLI::App* list_app =
      app.add_subcommand("list", "list kernels, presets, configuration keys, counters and other names");
  CLI::Option* what =
      list_app
          ->add_option("WHAT", list.what,
                       "kernels; presets; keys; quantities that follow from keys; delays: the hardware that takes the "
                       "cycles; numbers: how they are known; counters; twins; schema of --stats F.json (default: all "
                       "but the schema)")
          ->check(CLI::IsMember(
              {"kernels", "presets", "keys", "quantities", "delays", "numbers", "counters", "twins", "schema"}));
  CLI::Option* views =
      list_app
          ->add_option("--views", list.views, "write the GTKWave views of a machine, with their filters, into a folder")
          ->type_name("DIR")
          ->excludes(what);
  list_app->add_option("--coverage", list.coverage, "print the page of a file of g80 run --coverage, its holes first")
      ->type_name("F")
      ->excludes(what)
      ->excludes(views);
  list_app
      ->add_option("--device", list.device,
                   "machine of --views, keys, quantities and delays: preset or configuration file")
      ->type_name("PRESET|FILE")
      ->capture_default_str();

  CLI::App* diff_app = app.add_subcommand("diff", "compare two runs: results, cycles, counters, schedules");
  CLI::Option* diff_files =
      diff_app->add_option("FILES", diff.files, "statistics files of --stats: A, and those that are compared with it")
          ->expected(2, 16)
          ->type_name("A B ...");
  CLI::Option* diff_run =
      diff_app
          ->add_option("--run", diff.run.target, "run this twice instead of reading files, and compare schedules too")
          ->type_name("X")
          ->excludes(diff_files);
  diff_app->add_option("--a", diff.a, "options of run A, quoted: --a '--device gtx280'")
      ->type_name("OPTIONS")
      ->needs(diff_run);
  diff_app->add_option("--b", diff.b, "options of run B")->type_name("OPTIONS")->needs(diff_run);
  diff_app->add_option("--arg", diff.run.args, "argument of the scenario, repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->needs(diff_run);
  diff_app->add_option("--gate", diff.gates, "allowed change from A to B, repeatable: cycles<=+1%, dram_row_misses<=0")
      ->type_name("METRIC<=CHANGE")
      ->allow_extra_args(false);
  diff_app
      ->add_option("--report", diff.report, "write a page with the runs side by side: times, stalls, memory, hot lines")
      ->type_name("F.html");
  CLI::Option* all = diff_app->add_flag("--all", diff.all, "also print counters that are equal");
  diff_app->add_flag("--quiet", diff.quiet, "print only results that differ and gates that fail")->excludes(all);

  std::vector<AddedCommand> added;
  for (const AddedCommand::Maker make : AddedCommand::makers()) added.push_back(make(app));

  CLI::App* filter_app = app.add_subcommand("wave-filter", "translate values for GTKWave, line by line");
  filter_app->add_option("KIND", wave_filter.kind, "instruction: translate words to mnemonics")
      ->required()
      ->check(CLI::IsMember({"instruction"}));
  filter_app->add_option("--arch", wave_filter.arch, "feature level of the words")
      ->check(CLI::IsMember({"sm_10", "sm_11", "sm_12", "sm_13"}))
      ->capture_default_str();
  std::string shell;
  CLI::App* completion_app = app.add_subcommand("completion", "print a script with which a shell completes words");
  completion_app->add_option("SHELL", shell, "bash")->required()->check(CLI::IsMember({"bash"}));
  for (CLI::App* sub : app.get_subcommands({})) sub->footer(kFooter);

  try {
    app.parse(without_plusargs(argc, argv));
    check_arguments(app);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    const bool unknown = app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-';
    if (unknown) {
      std::string commands;
      for (const CLI::App* sub : app.get_subcommands({})) commands += (commands.empty() ? "" : ", ") + sub->get_name();
      throw InputError(fmt::format("unknown command '{}'; commands are {}", argv[1], commands));
    }
    throw InputError(fmt::format("{} (see g80 {}--help)", mistake_text(app, error), command_of(app)));
  }
  if (run_app->parsed()) return run_command(run);
  if (suite_app->parsed()) return suite_command(suite);
  if (sweep_app->parsed()) return sweep_command(sweep);
  if (compile_app->parsed()) return compile_command(compile);
  if (cc_app->parsed()) return cc_command({cc_app->remaining()});
  if (asm_app->parsed()) return asm_command(assemble);
  if (disasm_app->parsed()) return disasm_command(disassemble);
  for (const AddedCommand& command : added) {
    if (command.parser->parsed()) return command.run();
  }
  if (devices_app->parsed()) return devices_command(devices);
  if (diff_app->parsed()) return diff_command(diff);
  if (completion_app->parsed()) {
    fmt::print("{}", completion_script(app));
    return kExitPass;
  }
  if (filter_app->parsed()) return wave_filter_command(wave_filter);
  return list_command(list);
}

}  // namespace g80
