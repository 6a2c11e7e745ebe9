// SPDX-License-Identifier: Apache-2.0
// g80 sweep: runs what a sweep file lists, and writes tables and a page.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>
#include <unordered_map>

#include "app/command/bare_scenario.h"
#include "app/command/commands.h"
#include "app/command/scenario_locator.h"
#include "app/run/execute.h"
#include "app/run/terminal.h"
#include "app/sweep/sweep_engine.h"
#include "app/sweep/sweep_plan.h"
#include "app/sweep/sweep_progress.h"
#include "app/sweep/sweep_results.h"
#include "app/sweep/sweep_store.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/scenario_file.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

/// A kernel of the collection by its name; else a folder or scenario file, beginning at the folder of the sweep file.
SweepKernel find_kernel(const std::string& name, const std::string& folder) {
  RunCommand run;
  const fs::path near = fs::path(folder) / name;
  run.target = fs::exists(near) ? near.string() : name;
  if (is_bare_kernel(run.target))
    throw InputError(fmt::format("{}: a bare kernel file has no data; allowed are kernels with a scenario", name));
  SweepKernel kernel;
  kernel.name = name;
  // Each run has a working folder of its own, so every path begins at the root.
  kernel.scenario = read_scenario(fs::absolute(locate_scenario(run).path).lexically_normal().string());
  kernel.target = fs::exists(near) ? kernel.scenario.path : name;
  return kernel;
}

/// One sweep at a time works in a folder. The lock ends with the process, and its runs do not have it.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder) {
    const std::string path = folder + "/lock";
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    if (file_ < 0) throw InputError(fmt::format("{}: cannot be opened ({})", path, std::strerror(errno)));
    if (::fcntl(file_, F_SETLK, &lock) != 0)
      throw InputError(fmt::format("{}: another sweep works in this folder", folder));
  }
  ~FolderLock() { ::close(file_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

RunResult run_point(const SweepPlan& plan, const SweepPoint& point, const std::string& command) {
  const Scenario& scenario = plan.kernels[point.kernel].scenario;
  CommonRunOptions common = plan.common;
  common.command = command;
  common.device = point.device;
  common.seed = point.seed;
  for (const auto& [key, value] : point.keys) common.sets.push_back(fmt::format("{}={}", key, value));
  check_options(common);
  RunOptions run;
  run.args = point.args;
  run.seed = point.seed;
  run.max_cycles = common.max_cycles;
  return execute(scenario, common, run);
}

/// The last line of a log: what a run that failed said.
std::string last_line(const std::string& file) {
  std::error_code absent;
  if (!fs::is_regular_file(file, absent)) return {};
  std::string text = read_file(file);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t begin = text.rfind('\n');
  return begin == std::string::npos ? std::string() : text.substr(begin + 1, 300);
}

void print_failures(const SweepPlan& plan, const SweepResults& results, const SweepStore& store) {
  constexpr std::size_t kMost = 10;
  std::size_t shown = 0, more = 0;
  for (const SweepRow& row : results.rows) {
    if (row.missing || row.as_expected) continue;
    if (shown++ >= kMost) {
      ++more;
      continue;
    }
    const std::string log = row.log.empty() ? "" : store.folder() + "/" + row.log;
    fmt::print("{}: {}\n    {}\n", plan.label(*row.point), row.verdict, plan.command(*row.point));
    if (!log.empty()) fmt::print("    {}\n", log);
    if (const std::string line = last_line(log); !row.ended && !line.empty()) fmt::print("    {}\n", line);
  }
  if (more != 0) fmt::print("and {} more that are not as expected\n", more);
}

void print_choices(const SweepPlan& plan, const SweepResults& results) {
  constexpr std::size_t kMost = 20;
  std::vector<SweepChoice> choices = sweep_choices(plan, results);
  const auto unknown = [](const SweepChoice& choice) { return !std::isfinite(choice.speed_up); };
  choices.erase(std::remove_if(choices.begin() + 1, choices.end(), unknown), choices.end());
  if (choices.size() < 2) return;
  std::stable_sort(choices.begin() + 1, choices.end(),
                   [](const SweepChoice& a, const SweepChoice& b) { return a.speed_up > b.speed_up; });
  fmt::print("speed-up ({}, geometric mean) over {}:\n", plan.report.metric, choices[0].name);
  for (std::size_t c = 1; c < choices.size() && c <= kMost; ++c)
    fmt::print("{}", fold_lines(fmt::format("  {:>8.4f}  {}\n", choices[c].speed_up, choices[c].name), 12,
                                terminal_width(STDOUT_FILENO)));
  if (choices.size() > kMost + 1) fmt::print("  and {} more\n", choices.size() - kMost - 1);
}

}  // namespace

int sweep_command(const SweepCommand& options) {
  std::vector<Gate> gates;
  for (const std::string& gate : options.gates) gates.push_back(parse_gate(gate));
  if (!gates.empty() && options.against.empty()) throw InputError("--gate compares with the results of --against F");
  if (!options.sbatch.empty() && options.on != "slurm") throw InputError("--sbatch has options of --on slurm");
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  const SweepPlan plan = read_sweep(options.file, file_fingerprint(program), find_kernel);
  const RunPoint run = [&](const SweepPoint& point) { return run_point(plan, point, plan.command(point)); };
  if (options.list) {
    for (const SweepPoint& point : plan.points) fmt::print("{}\n", plan.command(point));
    fmt::print(stderr, "g80: {} runs, {} left out\n", plan.points.size(), plan.left_out);
    return kExitPass;
  }
  const unsigned processes = options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  const SweepStore store(options.out.empty() ? fs::path(options.file).stem().string() + ".sweep" : options.out);

  if (!options.task.empty()) {  // a part of a job array: it writes results, and nothing else
    std::unordered_map<std::string, const SweepPoint*> by_id;
    for (const SweepPoint& point : plan.points) by_id[point.id] = &point;
    std::vector<const SweepPoint*> points;
    for (const std::string& id : slurm_task(options.task)) {
      const auto found = by_id.find(id);
      if (found == by_id.end())
        throw InputError(
            fmt::format("{}: the sweep, its kernels or the program changed since the job was submitted", options.file));
      if (!store.has(id)) points.push_back(found->second);
    }
    SweepProgress progress(plan, points, points.size(), true, processes);
    const int signal = run_here(plan, store, points, processes, run, progress);
    return signal != 0 ? 128 + signal : kExitPass;
  }

  const FolderLock lock(store.folder());
  int signal = 0;
  if (!options.collect) {
    if (options.on == "local") store.remove_unfinished();
    std::vector<const SweepPoint*> to_do;
    for (const SweepPoint& point : plan.points) {
      const bool known = store.has(point.id);
      if (known) {
        // A run that a signal ended may have been a victim of the host: it runs again, and others if the user wants it.
        const bool look = options.retry || fs::exists(store.failed_folder(point.id));
        const auto outcome = look ? store.read(point.id) : std::nullopt;
        if (!outcome || outcome->as_expected || (!options.retry && (outcome->ended || outcome->code < 128))) continue;
        store.forget(point.id);
      }
      to_do.push_back(&point);
    }
    SweepProgress progress(plan, to_do, plan.points.size(), options.quiet, options.on == "slurm" ? 1 : processes);
    if (options.on == "slurm") {
      const SlurmOptions slurm{options.sbatch, fmt::format("{} sweep {} --out {}", shell_word(program),
                                                           shell_word(fs::absolute(options.file).string()),
                                                           shell_word(fs::absolute(store.folder()).string()))};
      signal = run_on_slurm(plan, store, to_do, slurm, progress);
    } else {
      signal = run_here(plan, store, to_do, processes, run, progress);
    }
  }
  const SweepResults results = collect_results(plan, store);
  if (signal != 0) {
    fmt::print("stopped: {} of {} runs have a result; the same command goes on\n",
               results.rows.size() - results.missing(), results.rows.size());
    return 128 + signal;
  }
  const std::string folder = store.folder();
  write_atomically(folder + "/results.json", sweep_json(plan, results));
  write_atomically(folder + "/results.csv", sweep_csv(plan, results));
  write_atomically(folder + "/junit.xml", sweep_junit(plan, results));
  write_atomically(folder + "/report.html", sweep_page(plan, results, options.command));
  if (!options.quiet) {
    print_choices(plan, results);
    print_failures(plan, results, store);
  }
  int code = results.code();
  if (!options.against.empty()) {
    const SweepAgainst against = compare_sweeps(plan, results, options.against, gates);
    for (const std::string& sentence : against.sentences) fmt::print("{}\n", sentence);
    fmt::print("against {}: {} runs in both, {} differ, {} only here, {} only there\n", options.against, against.both,
               against.differ, against.only_here, against.only_there);
    if (!against.passes) code = std::max<int>(code, kExitDiffers);
  }
  fmt::print("{}: {} of {} runs are as expected{}; {}/report.html, results.csv, results.json, junit.xml\n", plan.name,
             results.as_expected(), results.rows.size(),
             results.missing() == 0 ? "" : fmt::format(", {} have no result", results.missing()), folder);
  return code;
}

}  // namespace g80
