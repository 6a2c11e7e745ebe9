// SPDX-License-Identifier: Apache-2.0
// The host API: memory, modules, constants, textures, launches. Everything goes through push buffer and copy engine.
//
// Virtual addresses are 64 KB pages with an unmapped page behind every guarded allocation. launch() returns at once;
// wait() runs the machine until its fence. start_copy() returns at once too; where the chip can do that, its copy runs
// beside a kernel. All other requests wait until the machine is idle first. A request the device cannot carry out
// throws DriverError with one sentence.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/config/config.h"
#include "input/input_error.h"
#include "tb/driver/address_space.h"
#include "tb/driver/advance.h"
#include "tb/driver/device_link.h"
#include "tb/driver/launch.h"
#include "tb/driver/module_image.h"
#include "tb/driver/push_buffer.h"

namespace g80 {

/// The user asked for something that this device or this program does not have.
struct DriverError : InputError {
  using InputError::InputError;
};

struct Allocation {
  std::string name;
  std::uint32_t address = 0;
  std::uint32_t bytes = 0;  // as asked
  Mapping mapping;
};

/// A kernel of a loaded module, as launch() needs it.
struct LoadedKernel {
  const Kernel* kernel = nullptr;  // of the driver's copy of the module
  std::uint32_t code_base = 0;     // virtual address of the segment
  std::uint32_t start = 0;         // in the segment
  struct Bank {
    std::uint32_t address = 0, bytes = 0;  // virtual; 0 bytes = not used
  };
  std::array<Bank, kNumConstBanks> bank;
};

enum class WaitEnd : std::uint8_t {
  kDone,       // the fence was written
  kMaxCycles,  // the kernel passed the cycle limit
  kStopped,    // the watch callback stopped it
};

/// A copy between host and device that start_copy() has ordered.
struct CopyEnd {
  std::uint32_t number = 0;
  Picoseconds time = 0;  // of its end
};

/// One launch; the record and times are there once wait() has returned.
struct LaunchReport {
  const LoadedKernel* kernel = nullptr;
  LaunchRecord record;
  std::uint64_t shader_cycles = 0;  // shader edges from the accepted doorbell to the end of the last CTA
};

class Driver {
 public:
  Driver(const Config& config, const DeviceLink& link);

  // Memory
  std::uint32_t alloc(std::uint64_t bytes, const std::string& name, Placement placement = Placement::kGuarded);
  /// Maps memory of the host, which stays in place until free().
  std::uint32_t map_host(void* host, std::uint32_t bytes, const std::string& name);
  void free(std::uint32_t address);
  void copy_to_device(std::uint32_t address, const void* from, std::uint32_t bytes);
  void copy_from_device(void* to, std::uint32_t address, std::uint32_t bytes);
  /// The same of lines; the host's are `pitch` bytes apart. The write observer is not told.
  void copy_lines_to_device(const Lines& to, const void* from, std::uint32_t pitch);
  void copy_lines_from_device(void* to, std::uint32_t pitch, const Lines& from);
  /// Orders a copy and returns its number. The bytes of the host stay in place until it has ended.
  std::uint32_t start_copy(CopyOp op, std::uint32_t address, void* host, std::uint32_t bytes);
  /// False: the queue of orders is full.
  bool can_start_copy() const { return link_.orders.can_push(); }
  bool copies_running() const { return !started_copies_.empty(); }
  /// Until all have ended, or until `enough` holds.
  void wait_for_copies(const std::function<bool()>& enough = [] { return false; });
  /// Those that have ended since the last call, in their order.
  std::vector<CopyEnd> take_ended_copies() { return std::exchange(ended_copies_, {}); }
  bool has_ended_copies() const { return !ended_copies_.empty(); }
  /// Byte i of a line becomes byte (address mod 4) of `word`.
  void fill(const Lines& lines, std::uint32_t word);
  /// Copies lines of equal number and length, on the device. The two sides must not overlap.
  void copy_on_device(const Lines& to, const Lines& from);
  const std::map<std::uint32_t, Allocation>& allocations() const { return allocations_; }
  /// The allocation that holds `address`, or the closest one below it; nullptr if there is none below.
  const Allocation* allocation_at_or_below(std::uint32_t address) const;
  /// `observer` gets what each copy_to_device() writes, with its virtual address; lock-step updates its image from it.
  using WriteObserver = std::function<void(std::uint32_t address, const void* data, std::uint32_t bytes)>;
  void set_write_observer(WriteObserver observer) { write_observer_ = std::move(observer); }
  std::uint64_t free_bytes() const { return space_.free_bytes(); }

  // Programs
  void load_module(const Module& module);
  /// Forgets a loaded module. Returns its allocations, which are the caller's to free.
  std::vector<std::uint32_t> unload_module(const Module& module);
  const LoadedKernel& kernel(const std::string& name) const;
  /// Of all loaded modules, sorted.
  std::vector<std::string> kernel_names() const;
  /// Writes bytes of a __constant__ or __device__ variable.
  void set_symbol(const std::string& name, const void* from, std::uint32_t bytes, std::uint32_t offset = 0);
  void get_symbol(const std::string& name, void* to, std::uint32_t bytes, std::uint32_t offset = 0);
  std::uint32_t device_variable(const std::string& name) const;
  using Descriptor = std::array<std::uint32_t, kDescriptorBytes / 4>;
  /// $t<unit> reads through `header`; $s<unit>, if there is such a sampler, filters as `sampler` says.
  void bind_texture(unsigned unit, const Descriptor& header, const Descriptor& sampler);
  /// Texture unit that a module's texture reference names.
  unsigned texture_unit(const std::string& name) const;
  void set_global(unsigned space, bool enabled, std::uint32_t base, std::uint32_t limit);

  // Launches
  /// Sends the methods of a launch of `kernel`, the loaded form of the launch's own.
  void launch(const LoadedKernel& kernel, const Launch& launch);
  bool running() const { return fence_done_ != fence_; }
  /// Until the launch has ended, or until `enough` holds.
  WaitEnd wait(const std::function<bool()>& enough = [] { return false; });
  /// When the fence of the last launch that has ended was written.
  Picoseconds fence_time() const { return fence_time_; }
  /// Every launch so far; complete up to the last wait().
  const std::vector<LaunchReport>& launches() const { return reports_; }
  const LaunchReport& last_launch() const { return reports_.back(); }
  /// The last launch runs for longer than its cycle limit.
  bool past_limit() const;
  Cycle shader_cycle(Cycle core_edge) const { return link_.shader.last_edge_by(link_.core.edge_time(core_edge)); }
  /// `watch` is called about every `core_cycles` while the driver waits; false stops the wait.
  void set_watch(std::function<bool()> watch, std::uint64_t core_cycles);
  /// Sets the object that halts simulated time; may be null. It must outlive the driver.
  void set_halts(Halts* halts) { halts_ = halts; }

  static constexpr Cycle kChunk = 256;  // core cycles of simulation between two checks of the host's queues
  /// Runs the machine until `done` holds or the watch or cycle limit stops it. Looks every `look_every` core cycles.
  WaitEnd run_until(const std::function<bool()>& done, Cycle look_every = kChunk);

 private:
  struct Loaded {
    const Module* source = nullptr;
    Module module;
    std::vector<std::uint32_t> allocations = {};
    std::map<std::string, std::uint32_t> device_variables;  // virtual addresses
  };
  struct GlobalSetting {
    bool enabled = false;
    std::uint32_t base = 0, limit = 0;
  };

  /// A variable and the addresses of its copies: more than one for a constant of which kernels have a copy.
  struct Symbol {
    std::vector<std::uint32_t> addresses;
    bool constant = false;
  };
  Symbol find_symbol(const std::string& name, std::uint32_t bytes, std::uint32_t offset) const;

  void start();
  void advance(Cycle core_cycles);
  std::uint32_t physical_of(std::uint32_t address, std::uint64_t bytes, const char* what) const;
  template <class HostBytes>
  void copy_lines(CopyOp op, const Lines& lines, HostBytes* host, std::uint32_t pitch);
  void write_tables();
  void run_copy(const CopyOrder& order);  // and unpins its host memory
  void run_order(CopyOrder order);
  void take_copies();
  void push(const PushBuffer& buffer);
  template <class Queue>
  void wait_for_room(Queue& queue, Cycle look_every);
  void ask_fence(PushBuffer& buffer);
  void settle();
  void take_fences();
  void complete_reports();
  void place(Loaded& loaded);
  std::uint32_t take_room(Loaded& loaded, std::uint32_t bytes, const std::string& name);
  std::uint32_t place_bytes(Loaded& loaded, const void* from, std::uint32_t bytes, const std::string& name);
  void write_banks(PushBuffer& buffer, const LoadedKernel& kernel) const;
  void write_spaces(PushBuffer& buffer) const;
  std::uint32_t map(std::uint64_t bytes, const std::string& name, Placement placement = Placement::kGuarded);
  void map_stacks();
  void write_local(PushBuffer& buffer, std::uint32_t bytes_per_thread);
  void write_textures(PushBuffer& buffer);

  const Config config_;
  DeviceLink link_;
  const unsigned push_words_;  // that the host interface delivers together
  AddressSpace space_;
  std::map<std::uint32_t, Allocation> allocations_;
  WriteObserver write_observer_;
  std::list<Loaded> modules_;
  std::map<std::string, LoadedKernel> kernels_;
  std::array<GlobalSetting, kNumGlobalSpaces> global_{};
  std::array<bool, kMaxTextures> texture_bound_{};
  std::uint32_t headers_ = 0, samplers_ = 0;  // virtual addresses of the tables, 0 until the first texture
  std::uint32_t local_memory_ = 0, local_bytes_ = 0;
  std::uint32_t stack_memory_ = 0;  // control-stack entries of every warp slot
  std::uint32_t fence_address_ = 0;
  std::uint32_t fence_ = 0, fence_done_ = 0;
  Picoseconds fence_time_ = 0;
  std::uint32_t next_order_ = 1, order_done_ = 0;
  std::deque<CopyOrder> started_copies_;  // by start_copy(), not ended
  std::vector<CopyEnd> ended_copies_;
  bool started_ = false;  // reset is over and the first pages are mapped
  bool stuck_ = false;    // a wait was stopped before the machine was idle
  bool code_changed_ = true;
  std::uint64_t max_cycles_ = 0;  // of the last launch, from the accepted doorbell; 0: no limit
  Halts* halts_ = nullptr;
  std::function<bool()> watch_;
  std::uint64_t watch_cycles_ = 0;
  Cycle next_watch_ = 0;
  std::vector<LaunchReport> reports_;
  std::size_t reported_ = 0;  // launches whose report is complete
};

}  // namespace g80
