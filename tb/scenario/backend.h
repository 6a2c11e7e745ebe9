// SPDX-License-Identifier: Apache-2.0
// The machine for a scenario or CUDA program: the cycle model with its driver, or only the golden reference.
// The caller loads programs, fills memory and runs one launch after the other.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/driver/launch.h"
#include "tb/driver/memory_layout.h"
#include "tb/scenario/run_result.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// A texture and its sampler as the chip's descriptors (eight words each), bound to $t<unit> and $s<unit>.
struct TextureBinding {
  unsigned unit = 0;
  std::array<std::uint32_t, 8> header{};
  std::array<std::uint32_t, 8> sampler{};
};

using BoundTextures = std::map<unsigned, TextureBinding>;  // by unit

/// The last events before a failure.
struct FlightLog {
  std::string text;         // lines; empty if the model has no time or nothing ran
  std::uint64_t cycle = 0;  // shader cycle of the last event
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view model() const = 0;  // "gpu", "golden"
  virtual const Config& config() const = 0;

  /// Machines of a program may take turns: the calls that follow are for this one.
  virtual void enter() {}

  /// Loads a program: code, constants, device variables. The module stays in place until unload(). Names of kernels and
  /// variables are unique among the modules loaded. Throws InputError if there is not enough memory, and has loaded
  /// nothing then.
  virtual void load(const Module& module) = 0;
  /// Frees the memory of a loaded module. No launch of its kernels runs.
  virtual void unload(const Module& module) = 0;

  /// How new memory becomes zero: always cleared, or only cleared if it was used before.
  enum class Contents : std::uint8_t { kClear, kClearIfUsed };
  /// Device memory that reads zero, aligned to 256 bytes. Throws InputError if there is not enough.
  virtual std::uint32_t allocate(std::uint64_t bytes, const std::string& name, Contents contents = Contents::kClear,
                                 Placement placement = Placement::kGuarded) = 0;
  /// Maps memory of the host, which stays in place until release(). Kernels reach it; copies do not. Nobody else
  /// changes it while a kernel runs.
  virtual std::uint32_t map_host(void* host, std::size_t bytes) = 0;
  /// Frees an allocation of allocate() or map_host().
  virtual void release(std::uint32_t address) = 0;
  virtual std::uint64_t free_bytes() const = 0;
  /// Ranges lie inside one allocation.
  virtual void write(std::uint32_t address, const void* bytes, std::size_t size) = 0;
  virtual void read(std::uint32_t address, void* bytes, std::size_t size) = 0;
  /// The same of lines; those of the host are `pitch` bytes apart.
  virtual void write_lines(const Lines& to, const void* bytes, std::size_t pitch) = 0;
  virtual void read_lines(const Lines& from, void* bytes, std::size_t pitch) = 0;
  /// Byte i of a line becomes byte (address mod 4) of `word`.
  virtual void fill(const Lines& lines, std::uint32_t word) = 0;
  /// Between lines of equal number and length, each side inside one allocation. The two sides must not overlap.
  virtual void copy(const Lines& to, const Lines& from) = 0;
  /// Into and out of a __constant__ or __device__ variable of a module; the range lies inside it.
  virtual void write_symbol(const std::string& name, std::uint32_t offset, const void* bytes, std::size_t size) = 0;
  virtual void read_symbol(const std::string& name, std::uint32_t offset, void* bytes, std::size_t size) = 0;
  virtual std::uint32_t device_variable(const std::string& name) const = 0;
  /// Replaces the binding of the unit.
  virtual void bind_texture(const TextureBinding& binding) = 0;

  /// Runs a launch until it ends, normally or not.
  virtual LaunchResult launch(const Launch& launch) = 0;

  /// Work beside other work: one launch and several copies at a time, until run_started() says that they have ended.
  /// The other requests must wait for that. A model without time does all at once.
  struct HostCopy {
    bool to_device = true;
    std::uint32_t address = 0;  // in one allocation
    void* host = nullptr;       // stays in place
    std::size_t bytes = 0;
  };
  struct Ended {
    std::optional<LaunchResult> launch;
    std::uint64_t launch_picoseconds = 0;         // when its last store was performed
    std::vector<std::uint64_t> copy_picoseconds;  // when copies ended, in their order
  };
  virtual void start(const Launch& launch) { ended_.launch = this->launch(launch); }
  virtual void start(const HostCopy& copy) {
    copy.to_device ? write(copy.address, copy.host, copy.bytes) : read(copy.address, copy.host, copy.bytes);
    ended_.copy_picoseconds.push_back(0);
  }
  virtual bool can_start_copy() const { return true; }
  /// Lets the machine work until something that was started has ended, or, if not `wait`, for a short time.
  virtual Ended run_started(bool /*wait*/) { return std::exchange(ended_, {}); }

  /// Modelled time since the machine started; 0 if the model has no time.
  virtual std::uint64_t picoseconds() const { return 0; }
  /// The injected faults and how often they changed a value.
  virtual std::vector<InjectedFault> injected_faults() const { return {}; }
  virtual FlightLog flight_log() const { return {}; }
  /// Call after the last launch and read: completes the records. Returns sentences for the user, if
  /// any.
  virtual std::vector<std::string> finish() { return {}; }
  /// After finish(): true if the window of a requested wave or timeline contained no cycle of the run.
  virtual bool records_missing() const { return false; }

 protected:
  Backend() = default;
  Ended ended_;  // of what a model without time has done
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
};

}  // namespace g80
