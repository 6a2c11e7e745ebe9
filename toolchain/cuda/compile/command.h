// SPDX-License-Identifier: Apache-2.0
// Running other programs: the host compiler and the linker.
#pragma once
#include <string>
#include <vector>

namespace g80::cuda {

/// Whether programs are run, run and printed, or only printed. kSilent: run, and their messages are dropped.
enum class RunMode { kQuiet, kTold, kDry, kSilent };

/// Runs a program with its messages on standard error; returns its exit status. Throws InputError if it is not there.
int run_program(const std::vector<std::string>& words, RunMode mode);

/// A folder for files on the way; it goes with this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace g80::cuda
