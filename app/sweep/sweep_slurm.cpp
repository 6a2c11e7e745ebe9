// SPDX-License-Identifier: Apache-2.0
// A sweep as a job array: sbatch, squeue, and results that appear in the folder.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <unordered_map>

#include "app/run/terminal.h"
#include "app/sweep/sweep_engine.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/waves/number.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostSubmissions = 3;
constexpr std::uint64_t kUsualArray = 1001;  // MaxArraySize of Slurm, if it does not say
constexpr std::chrono::milliseconds kBetweenLooks{1000};

struct Answer {
  int code = 0;
  std::string text;  // both outputs
};

Answer ask(const std::string& command) {
  Answer answer;
  std::FILE* const pipe = ::popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) throw InputError("--on slurm: no process can be started");
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    answer.text.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  while (!answer.text.empty() && answer.text.back() == '\n') answer.text.pop_back();
  return answer;
}

/// How many tasks an array may have.
std::uint64_t most_tasks() {
  const Answer answer = ask("scontrol show config");
  std::istringstream lines(answer.text);
  for (std::string line; std::getline(lines, line);) {
    std::uint64_t size = 0;
    if (line.rfind("MaxArraySize", 0) == 0 && parse_number(line.substr(line.find('=') + 2), size) && size > 1)
      return size - 1;
  }
  return kUsualArray - 1;
}

/// Writes what the tasks are to run, and submits them. Returns the job's number.
std::string submit(const SweepPlan& plan, const SweepStore& store, const std::vector<const SweepPoint*>& points,
                   const SlurmOptions& options, std::uint64_t limit) {
  const fs::path folder = fs::absolute(store.folder()) / "slurm";
  fs::create_directories(folder);
  unsigned number = 1;
  while (fs::exists(folder / fmt::format("tasks{}.txt", number))) ++number;
  const std::string tasks = (folder / fmt::format("tasks{}.txt", number)).string();
  // As many tasks as Slurm allows, of nearly equal length.
  const std::uint64_t count = std::min<std::uint64_t>(points.size(), limit);
  std::string lines;
  for (std::uint64_t task = 0; task < count; ++task) {
    for (std::size_t i = task; i < points.size(); i += count) lines += (i == task ? "" : " ") + points[i]->id;
    lines += '\n';
  }
  write_atomically(tasks, lines);
  const std::string script = (folder / fmt::format("job{}.sh", number)).string();
  write_atomically(script, fmt::format("#!/bin/sh\nexec {} --task {} --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" --quiet\n",
                                       options.program, shell_word(tasks)));
  const Answer answer = ask(fmt::format("sbatch --parsable --array=0-{} --job-name={} --output={} --chdir={} {} {}",
                                        count - 1, shell_word("g80-" + plan.name),
                                        shell_word((folder / fmt::format("job{}-%a.out", number)).string()),
                                        shell_word(fs::current_path().string()), options.sbatch, shell_word(script)));
  const std::string job = answer.text.substr(0, answer.text.find(';'));
  if (answer.code != 0 || job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
    throw InputError(fmt::format("--on slurm: sbatch: {}", answer.text));
  return job;
}

/// True while Slurm has a task of the job that has not ended. A controller that does not answer has not forgotten it.
bool is_in_queue(const std::string& job) {
  const Answer answer = ask("squeue -h -o %T -j " + job);
  if (answer.code == 0) return !answer.text.empty();
  return answer.text.find("Invalid job id") == std::string::npos;
}

}  // namespace

std::vector<std::string> slurm_task(const std::string& file) {
  const char* const number = std::getenv("SLURM_ARRAY_TASK_ID");
  std::uint64_t task = 0;
  if (number == nullptr || !parse_number(number, task))
    throw InputError("--task is for jobs of --on slurm: SLURM_ARRAY_TASK_ID is not set");
  std::istringstream lines(read_file(file));
  std::string line;
  for (std::uint64_t k = 0; k <= task; ++k) {
    if (!std::getline(lines, line)) throw InputError(fmt::format("{}: there is no task {}", file, task));
  }
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

int run_on_slurm(const SweepPlan& plan, const SweepStore& store, const std::vector<const SweepPoint*>& points,
                 const SlurmOptions& options, SweepProgress& progress) {
  if (ask("sbatch --version").code != 0) throw InputError("--on slurm: sbatch cannot be run; is Slurm installed here?");
  const StopSignal signals;
  const std::string job_file = store.folder() + "/slurm/job";
  std::unordered_map<std::string, const SweepPoint*> missing;
  for (const SweepPoint* const point : points) missing[point->id] = point;
  const auto collect = [&] {
    for (const std::string& id : store.ids()) {
      const auto found = missing.find(id);
      if (found == missing.end()) continue;
      const auto outcome = store.read(id);
      if (!outcome) continue;
      progress.ended(*found->second, *outcome);
      missing.erase(found);
    }
    progress.tick();
  };
  std::string job;
  if (std::ifstream known(job_file); known) known >> job;
  if (!job.empty()) progress.note(fmt::format("job {} was submitted before", job));
  const std::uint64_t limit = most_tasks();
  for (unsigned submissions = 0; !missing.empty();) {
    if (job.empty()) {
      if (submissions++ == kMostSubmissions) {
        progress.note(fmt::format("{} runs have no result after {} jobs; their output is in {}/slurm", missing.size(),
                                  kMostSubmissions, store.folder()));
        break;
      }
      std::vector<const SweepPoint*> rest;  // in the order of the plan
      std::copy_if(points.begin(), points.end(), std::back_inserter(rest),
                   [&](const SweepPoint* point) { return missing.count(point->id) != 0; });
      job = submit(plan, store, rest, options, limit);
      write_atomically(job_file, job + "\n");
      progress.note(fmt::format("job {}: {} runs", job, rest.size()));
    }
    while (!missing.empty() && StopSignal::seen() == 0 && is_in_queue(job)) {
      std::this_thread::sleep_for(kBetweenLooks);
      collect();
    }
    if (StopSignal::seen() != 0) {
      progress.note(fmt::format("job {} goes on (scancel {} ends it)", job, job));
      return StopSignal::seen();
    }
    std::this_thread::sleep_for(kBetweenLooks);  // a shared file system may show the last files late
    collect();
    job.clear();
    std::error_code absent;
    fs::remove(job_file, absent);
  }
  return StopSignal::seen();
}

}  // namespace g80
