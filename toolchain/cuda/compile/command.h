// SPDX-License-Identifier: Apache-2.0
// Running other programs: the host compiler and the linker.
#pragma once
#include <string>
#include <vector>

namespace g80::cuda {

/// Whether programs are run, run and printed, or only printed.
enum class RunMode { kQuiet, kTold, kDry };

/// Runs a program with its messages on standard error; returns its exit status. Throws InputError if it is not there.
int run_program(const std::vector<std::string>& words, RunMode mode);

/// Runs a compiler or linker and returns its exit status. Throws InputError if it is not there, or if it could not
/// write: its own messages do not say that temporary files have their place in TMPDIR.
int run_tool(const std::vector<std::string>& words, RunMode mode);
/// The same, but `said` gets the messages.
int run_tool(const std::vector<std::string>& words, RunMode mode, std::string& said);

/// The text that a tool has written. The limit on the size of a file is for those that a user gives: clang makes many
/// times the text of a source. Throws SourceError.
std::string read_intermediate(const std::string& path);

/// A folder for files on the way; it goes with this object. Throws InputError if there is no place for it.
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
