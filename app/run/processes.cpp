// SPDX-License-Identifier: Apache-2.0
#include "app/run/processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

#include "app/run/report_exception.h"
#include "input/input_error.h"

namespace g80 {
namespace {

struct Process {
  std::size_t number;
  ::pid_t pid;
  int pipe;
  std::string text = {};
};

void write_all(int file, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ::ssize_t written = ::write(file, text.data() + at, text.size() - at);
    if (written < 0) throw InputError(fmt::format("a result cannot be handed on ({})", std::strerror(errno)));
    at += static_cast<std::size_t>(written);
  }
}

Process start(std::size_t number, const std::function<std::string(std::size_t)>& run) {
  std::array<int, 2> ends{};
  std::fflush(stdout);
  std::fflush(stderr);
  const ::pid_t self = ::getpid();
  const ::pid_t pid = ::pipe2(ends.data(), O_CLOEXEC) == 0 ? ::fork() : -1;
  if (pid < 0) throw InputError(fmt::format("a process cannot be started ({})", std::strerror(errno)));
  if (pid != 0) {
    ::close(ends[1]);
    return {number, pid, ends[0]};
  }
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != self) ::_exit(128 + SIGTERM);
  int code = 0;
  try {
    write_all(ends[1], run(number));
  } catch (...) {
    code = report_exception();
  }
  std::fflush(stdout);
  ::_exit(code);
}

/// Reads more of its text. True if the process has ended; then its exit code is in `code`.
bool has_ended(Process& process, int& code) {
  std::array<char, 65536> bytes{};
  const ::ssize_t count = ::read(process.pipe, bytes.data(), bytes.size());
  if (count > 0) process.text.append(bytes.data(), static_cast<std::size_t>(count));
  if (count > 0 || (count < 0 && errno == EINTR)) return false;
  ::close(process.pipe);
  int status = 0;
  while (::waitpid(process.pid, &status, 0) < 0 && errno == EINTR) {
  }
  code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return true;
}

}  // namespace

int run_in_processes(std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& run,
                     const std::function<void(std::size_t, const std::string&)>& ended) {
  if (jobs <= 1) {
    for (std::size_t k = 0; k < count; ++k) ended(k, run(k));
    return 0;
  }
  std::vector<Process> running;
  std::size_t next = 0;
  int first_failure = 0;
  while (next < count || !running.empty()) {
    while (next < count && running.size() < jobs) {
      running.push_back(start(next, run));
      ++next;
    }
    std::vector<::pollfd> pipes;
    for (const Process& process : running) pipes.push_back({process.pipe, POLLIN, 0});
    ::poll(pipes.data(), pipes.size(), -1);
    for (std::size_t k = running.size(); k-- > 0;) {
      int code = 0;
      if (pipes[k].revents == 0 || !has_ended(running[k], code)) continue;
      const Process process = std::move(running[k]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(k));
      if (first_failure != 0) continue;
      if (code == 0) {
        ended(process.number, process.text);
        continue;
      }
      first_failure = code;
      if (code > 128) fmt::print(stderr, "g80: a process was ended by signal {}\n", code - 128);
      next = count;
      for (const Process& other : running) ::kill(other.pid, SIGTERM);
    }
  }
  return first_failure;
}

}  // namespace g80
