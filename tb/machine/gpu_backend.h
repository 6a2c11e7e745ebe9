// SPDX-License-Identifier: Apache-2.0
// The cycle model with its driver, lock-step, watchdog and waves. Who looks into one of them includes its header.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/config/config.h"
#include "hw/isa/encoding.h"
#include "tb/check/hang_report.h"
#include "tb/check/twin_check.h"
#include "tb/golden/launch.h"
#include "tb/machine/machine_options.h"
#include "tb/machine/progress.h"
#include "tb/machine/simulation_context.h"
#include "tb/scenario/backend.h"

namespace g80 {

class Domain;
class Driver;
class FaultInjector;
class Gpu;
class LockStep;
class MachineObserver;
class RandomState;
class Recorders;
class SignalRecords;
class SleepCheck;
class TwinObserver;
class Watchdog;
struct KernelFault;
struct LaunchRecord;
struct LoadedKernel;
struct Signal;
enum class WaitEnd : std::uint8_t;

class GpuBackend : public Backend {
 public:
  GpuBackend(const Config& config, const MachineOptions& options);
  ~GpuBackend() override;

  std::string_view model() const override { return "gpu"; }
  void enter() override { context_.enter(); }
  void load(const Module& module) override;
  void unload(const Module& module) override;
  std::uint32_t allocate(std::uint64_t bytes, const std::string& name, Contents contents = Contents::kClear,
                         Placement placement = Placement::kGuarded) override;
  std::uint32_t map_host(void* host, std::size_t bytes) override;
  void release(std::uint32_t address) override;
  std::uint64_t free_bytes() const override;
  void write(std::uint32_t address, const void* bytes, std::size_t size) override;
  void read(std::uint32_t address, void* bytes, std::size_t size) override;
  void write_lines(const Lines& to, const void* bytes, std::size_t pitch) override;
  void read_lines(const Lines& from, void* bytes, std::size_t pitch) override;
  void fill(const Lines& lines, std::uint32_t word) override;
  void copy(const Lines& to, const Lines& from) override;
  void write_symbol(const std::string& name, std::uint32_t offset, const void* bytes, std::size_t size) override;
  void read_symbol(const std::string& name, std::uint32_t offset, void* bytes, std::size_t size) override;
  std::uint32_t device_variable(const std::string& name) const override;
  void bind_texture(const TextureBinding& binding) override;
  LaunchResult launch(const Launch& launch) override;
  void start(const Launch& launch) override;
  void start(const HostCopy& copy) override;
  bool can_start_copy() const override;
  Ended run_started(bool wait) override;

  std::uint64_t picoseconds() const override;

  /// Address 0 of g<space>[] becomes `base`; accesses beyond `limit` fault. CUDA's g14[] is all of memory.
  void set_global(unsigned space, std::uint32_t base, std::uint32_t limit);

  const Gpu& gpu() const { return *gpu_; }
  Gpu& gpu() { return *gpu_; }
  const Config& config() const override { return config_; }
  const Driver& driver() const { return *driver_; }
  /// Shader edges passed, run or slept.
  Cycle shader_cycle() const { return now(); }
  /// One line per resident warp: its pc and what it waits for.
  std::string describe_warps() const;
  const LockStep* lockstep() const { return lockstep_.get(); }
  /// Compares all events so far immediately. Throws LockStepError.
  void look_for_mismatch();
  std::vector<InjectedFault> injected_faults() const override;
  /// Completes the wave file and writes the timeline.
  std::vector<std::string> finish() override;
  bool records_missing() const override;
  std::optional<TwinDifference> twin_difference() const;
  /// What twins beside their blocks have compared; empty without them.
  std::string twin_summary() const;
  FlightLog flight_log() const override;
  std::vector<Domain*> domains() const;
  /// Every signal of a wave file of this machine.
  std::vector<Signal> wave_signals() const;

 private:
  template <class Observer, class... Arguments>
  Observer* observe(Arguments&&... arguments);
  void begin_lockstep(const Launch& launch, const LoadedKernel& kernel);
  void check_mapped_memory() const;
  /// Prints the progress of a copy.
  template <class Copy>
  void copying(const char* what, std::uint64_t bytes, const Copy& copy);
  std::uint64_t copied_megabytes() const;
  bool watch();
  std::string place_text() const;  // position of the run
  std::string interrupted_text() const;
  Cycle now() const;  // shader edges passed, run or slept
  std::uint64_t blocks_ended() const;
  WaitEnd wait_for_end(const std::function<bool()>& enough);
  std::optional<LaunchResult> finish_launch(const std::function<bool()>& enough);
  void describe_end(WaitEnd end, LaunchResult& result);
  const KernelFault* fault_of(const LaunchRecord& record) const;
  void end_lockstep(const LaunchResult& result);
  isa::Arch arch() const { return static_cast<isa::Arch>(config_.device.compute_minor); }

  SimulationContext context_;
  Config config_;
  MachineOptions options_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<LockStep> lockstep_;  // null without checking
  std::unique_ptr<Driver> driver_;
  std::unique_ptr<Watchdog> watchdog_;
  std::unique_ptr<RandomState> random_state_;  // null unless requested
  std::unique_ptr<SleepCheck> sleep_check_;    // null unless requested
  std::unique_ptr<FaultInjector> faults_;      // null without faults
  std::vector<std::unique_ptr<MachineObserver>> observers_;
  const TwinObserver* twins_ = nullptr;  // of the observers; null unless requested
  SignalRecords* signals_ = nullptr;     // likewise
  Recorders* recorders_ = nullptr;
  std::uint64_t launches_ = 0;
  BoundTextures textures_;
  std::vector<std::pair<unsigned, golden::GlobalSpace>> spaces_;  // spaces that differ from CUDA's
  struct Mapped {
    std::uint8_t* host = nullptr;
    std::size_t bytes = 0;
  };
  std::map<std::uint32_t, Mapped> mapped_;                      // by address
  std::uint64_t used_virtual_end_ = 0, used_physical_end_ = 0;  // no released allocation reaches further
  HangReport hang_;
  Cycle next_look_ = 0;  // core cycle in which watch() looks at more than lock-step
  struct Running {
    std::string kernel;
    std::uint64_t blocks_before = 0, blocks = 0;  // ended before this launch; of this launch
    bool told_long = false;                       // the user has read that no block ends
  } running_;
  struct Started;
  std::unique_ptr<Started> started_;  // the launch that runs
  bool launching_ = false;
  bool all_finished_ = true;  // every launch so far finished, so the reference's memory equals the device's
  Progress progress_;
  std::uint64_t copied_before_ = 0;  // bytes moved before the copy under way
};

}  // namespace g80
