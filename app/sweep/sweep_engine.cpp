// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/sweep_engine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>

#include "app/report/summary_table.h"
#include "app/run/report_exception.h"
#include "input/input_error.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::array<int, 3> kStopSignals = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t stop_signal = 0;
std::array<struct sigaction, kStopSignals.size()> previous_actions;

void remember_signal(int number) {
  if (stop_signal == 0) stop_signal = number;
}

const char* log_name() { return "log.txt"; }

/// Takes down a folder that holds nothing but an empty log.
void remove_folder(const std::string& folder) {
  std::error_code absent;
  fs::remove_all(folder, absent);
}

/// The new process: everything that the run prints and leaves goes to its folder. Returns the exit code.
int run_in_folder(const SweepPlan& plan, const SweepStore& store, const SweepPoint& point, const RunPoint& run) {
  const std::string folder = fs::absolute(store.failed_folder(point.id)).string();
  const SweepStore own(fs::absolute(store.folder()).string());
  const Clock::time_point begin = Clock::now();
  try {
    fs::create_directories(folder);
    fs::current_path(folder);
    const int log = ::open(log_name(), O_WRONLY | O_CREAT | O_TRUNC, 0666), empty = ::open("/dev/null", O_RDONLY);
    if (log < 0 || empty < 0) throw InputError(fmt::format("{}: the log cannot be written", folder));
    ::dup2(empty, STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    fmt::print("$ {}\n", plan.command(point));
    std::fflush(stdout);
    const RunResult result = run(point);
    fmt::print("{}{}", summary_table(result), run_details(result));
    std::fflush(stdout);
    SweepOutcome outcome = sweep_outcome(result);
    outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (!outcome.as_expected) outcome.log = fmt::format("failed/{}/{}", point.id, log_name());
    own.write(plan, point, outcome);
    if (outcome.as_expected) remove_folder(folder);
    return kExitPass;
  } catch (...) {
    const int code = report_exception();
    std::fflush(stdout);
    return code;
  }
}

struct Process {
  const SweepPoint* point;
  Clock::time_point begin;
  bool over_limit = false;
};

std::string end_text(int status, bool over_limit, std::uint64_t limit) {
  if (over_limit) return fmt::format("stopped after {} s", limit);
  if (WIFSIGNALED(status))
    return fmt::format("ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  switch (WEXITSTATUS(status)) {
    case kExitInput: return "refused";
    case kExitHang: return "hung";
    case kExitModel: return "model error";
    default: return fmt::format("exit code {}", WEXITSTATUS(status));
  }
}

}  // namespace

StopSignal::StopSignal() {
  stop_signal = 0;
  struct sigaction action {};
  action.sa_handler = remember_signal;
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) {
    ::sigaction(kStopSignals[i], &action, &previous_actions[i]);
    if (previous_actions[i].sa_handler == SIG_IGN)
      ::sigaction(kStopSignals[i], &previous_actions[i], nullptr);  // nohup
  }
}
StopSignal::~StopSignal() { restore(); }
int StopSignal::seen() { return stop_signal; }
void StopSignal::restore() {
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) ::sigaction(kStopSignals[i], &previous_actions[i], nullptr);
}

int run_here(const SweepPlan& plan, const SweepStore& store, const std::vector<const SweepPoint*>& points,
             unsigned processes, const RunPoint& run, SweepProgress& progress) {
  const StopSignal signals;
  std::map<::pid_t, Process> running;
  std::size_t next = 0;
  bool told = false;
  const ::pid_t self = ::getpid();
  while (next < points.size() || !running.empty()) {
    const int stop = StopSignal::seen();
    if (stop != 0 && !told) {
      told = true;
      next = points.size();
      for (const auto& [pid, process] : running) ::kill(pid, SIGTERM);
      progress.note("stopping");
    }
    while (next < points.size() && running.size() < processes) {
      const SweepPoint& point = *points[next];
      std::fflush(stdout);
      std::fflush(stderr);
      const ::pid_t pid = ::fork();
      if (pid < 0) {
        if (running.empty()) throw InputError(fmt::format("a process cannot be started ({})", std::strerror(errno)));
        break;  // when another has ended
      }
      if (pid == 0) {
        // A sweep that is killed leaves no run behind: the next one would start the same runs.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != self) ::_exit(kExitModel);
        StopSignal::restore();
        ::_exit(run_in_folder(plan, store, point, run));
      }
      ++next;
      running[pid] = {&point, Clock::now()};
      progress.started(point);
    }
    int status = 0;
    const ::pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid <= 0) {
      for (auto& [child, process] : running) {
        if (plan.limit_s == 0 || process.over_limit ||
            Clock::now() - process.begin < std::chrono::seconds(plan.limit_s))
          continue;
        process.over_limit = true;
        ::kill(child, SIGKILL);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      progress.tick();
      continue;
    }
    const auto found = running.find(pid);
    if (found == running.end()) continue;
    const Process process = found->second;
    running.erase(found);
    const SweepPoint& point = *process.point;
    // A result decides, not the exit code: a run that has written its result and is then killed is done.
    std::optional<SweepOutcome> outcome = store.read(point.id);
    if (!outcome) {
      const bool stopped =
          StopSignal::seen() != 0 && !process.over_limit && (WIFSIGNALED(status) || WEXITSTATUS(status) > 128);
      if (stopped) continue;  // it has no result, and is repeated next time
      outcome = SweepOutcome{};
      outcome->ended = false;
      outcome->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
      outcome->verdict = end_text(status, process.over_limit, plan.limit_s);
      outcome->seconds = std::chrono::duration<double>(Clock::now() - process.begin).count();
      outcome->log = fmt::format("failed/{}/{}", point.id, log_name());
      store.write(plan, point, *outcome);
    }
    progress.ended(point, *outcome);
  }
  return StopSignal::seen();
}

}  // namespace g80
