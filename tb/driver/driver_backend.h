// The cycle model as a scenario's backend: allocations, copies, modules and launches go through the driver. What only
// the machine's owner knows (counters, who is stuck, lock-step) comes through the probe.
#pragma once
#include <optional>
#include <string>

#include "hw/config/config.h"
#include "tb/driver/driver.h"
#include "tb/scenario/backend.h"

namespace g80 {

/// The machine around the driver, as far as a launch's report needs it.
class MachineProbe {
 public:
  struct Hang {
    LaunchEnd end = LaunchEnd::kHang;  // kBarrierDeadlock, kHang or kLivelock
    std::string message;               // who waits for what
  };

  virtual ~MachineProbe() = default;
  /// Just before the doorbell: remember the counters, start the checker.
  virtual void begin(const LaunchRequest& request) = 0;
  /// Called about every gpu.hang_cycles / 8 core cycles of a launch. A value ends the wait.
  virtual std::optional<Hang> stuck() = 0;
  /// The limit was reached: is the kernel still getting anywhere? `kLivelock` with a message if not.
  virtual std::optional<Hang> livelock() = 0;
  /// After the launch: fills `sms` and `memory` with the difference to begin().
  virtual void end(LaunchResult& result) = 0;
};

class DriverBackend final : public Backend {
 public:
  DriverBackend(const Config& config, Driver& driver, MachineProbe& probe);

  std::string_view model() const override { return "gpu"; }
  void load(const Module& module) override;
  std::uint32_t allocate(std::uint64_t bytes, const std::string& name) override;
  void write(std::uint32_t address, const void* bytes, std::size_t size) override;
  void read(std::uint32_t address, void* bytes, std::size_t size) override;
  void write_symbol(const std::string& name, std::uint32_t offset, const void* bytes, std::size_t size) override;
  void bind_texture(const TextureBinding& binding) override;
  std::optional<std::string> launch_error(const LaunchRequest& request) const override;
  LaunchResult launch(const LaunchRequest& request) override;

 private:
  const Config config_;
  Driver& driver_;
  MachineProbe& probe_;
  std::optional<MachineProbe::Hang> hang_;
};

/// One sentence: kind, block, warp, lane, pc, instruction, address.
std::string describe_fault(const KernelFault& fault, isa::Arch arch);

}  // namespace g80
