// SPDX-License-Identifier: Apache-2.0
// Records of a machine's signals: the wave file with its window, and the lines of --trace; both with source
// lines of the launched kernels.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/machine/machine_observer.h"
#include "tb/machine/machine_options.h"
#include "tb/machine/source_lines.h"
#include "tb/waves/standard_views.h"

namespace g80 {

/// Without finish(), after an error, the destructor completes the files with the data so far.
class SignalRecords final : public MachineObserver {
 public:
  /// The machine is built and outlives the records. Throws InputError and WaveError.
  SignalRecords(Gpu& gpu, std::vector<Domain*> domains, const MachineOptions& options);
  ~SignalRecords() override;

  void launch_begins(const LoadedKernel& kernel, std::uint64_t number) override;
  /// Throws WaveError if the file cannot be written.
  void watch() override;
  void launch_ends(Cycle accepted, LaunchResult& result) override;
  /// Completes the files.
  std::vector<std::string> finish() override;
  /// After finish(): true if no wave was written because its window did not begin.
  bool wave_missing() const { return wave_ && !wave_->has_traced(); }

 private:
  void open_wave(Gpu& gpu);
  void arm_off();
  /// From the first launch on: records when the events of wave_places() first happen.
  void watch_places();
  /// When a place came, or the first launch if the wave does not have it.
  Picoseconds moment_of(const std::string& place) const;
  std::string openings() const;
  /// Beside the wave: F.gtkw, a view that opens at the first issue, or at a failure.
  std::string view() const;
  /// F.gtkw and F.lines: source lines and openings of the views. False if they cannot be written.
  bool write_companions();

  const MachineOptions options_;
  const std::vector<Domain*> domains_;
  SourceLines lines_;
  std::unique_ptr<WaveSink> wave_;
  std::unique_ptr<TextTrace> trace_;
  std::unique_ptr<EventTrigger> on_, off_;
  struct Place {
    WavePlace is;
    Picoseconds at = 0;  // 0: not yet
    std::unique_ptr<EventWatch> watch;
  };
  std::vector<Place> places_;      // the first one is the launch
  Picoseconds launch_ = 0;         // the first one of the run
  bool ends_with_launch_ = false;  // the window does
  bool off_happened_ = false;
  bool has_companions_ = false;  // they are written
  bool finished_ = false;        // no error has ended the run
  Picoseconds failure_ = 0;      // when a launch failed
};

}  // namespace g80
