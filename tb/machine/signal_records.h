// What is written down of a machine's signals: the wave file with its window, and the lines of --trace; with both the
// source lines of what was launched.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/machine/machine_options.h"
#include "tb/machine/source_lines.h"

namespace g80 {

/// Without finish(), after an error, the files are completed with what there is.
class SignalRecords {
 public:
  /// The machine is built and outlives the records. Throws InputError and WaveError.
  SignalRecords(Gpu& gpu, std::vector<Domain*> domains, const MachineOptions& options);
  ~SignalRecords();
  SignalRecords(const SignalRecords&) = delete;
  SignalRecords& operator=(const SignalRecords&) = delete;

  /// `kernel`, whose first word lies at `start`, is about to be launched as launch `number`.
  void launched(const Kernel& kernel, std::uint32_t start, std::uint64_t number);
  void launch_ended();
  /// Throws WaveError if the file cannot be written.
  void check_file() const;
  /// Completes the files. Returns sentences for the user.
  std::vector<std::string> finish();

 private:
  void open_wave(Gpu& gpu);
  void arm_off();
  /// The source lines beside the wave file. False if they cannot be written.
  bool write_lines();

  const MachineOptions options_;
  const std::vector<Domain*> domains_;
  SourceLines lines_;
  std::unique_ptr<WaveSink> wave_;
  std::unique_ptr<TextTrace> trace_;
  std::unique_ptr<EventTrigger> on_, off_;
  bool ends_with_launch_ = false;  // the window does
  bool has_lines_ = false;         // they are written
};

}  // namespace g80
