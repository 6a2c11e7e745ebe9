// SPDX-License-Identifier: Apache-2.0
// Runs a command as a user does from a shell.
#pragma once
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace g80::test {

struct Outcome {
  int code = -1;       // exit code; 128 + signal if one ended it
  std::string output;  // standard output and standard error
};

/// Standard input is empty.
inline Outcome shell(const std::string& command) {
  Outcome outcome;
  // The braces carry the redirections to all of a list of commands.
  std::FILE* const pipe = ::popen(("{ " + command + "\n} 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.output.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace g80::test
