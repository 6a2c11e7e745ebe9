// SPDX-License-Identifier: Apache-2.0
// Runs launches on the golden reference alone: results and instruction counts, no time. Also carries blocks beyond the
// chip's 512 threads, as long as the packed thread id can number them.
#pragma once
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/config/config.h"
#include "tb/driver/range_allocator.h"
#include "tb/golden/grid.h"
#include "tb/golden/memory_image.h"
#include "tb/scenario/backend.h"

namespace g80 {

/// The launch as the reference sees it, with the contents of the constant banks.
golden::Launch reference_launch(const Config& config, const Launch& launch,
                                const std::array<std::vector<std::uint8_t>, kNumConstBanks>& constant,
                                const BoundTextures& textures);

class GoldenBackend final : public Backend {
 public:
  explicit GoldenBackend(const Config& config);

  std::string_view model() const override { return "golden"; }
  const Config& config() const override { return config_; }
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

  /// Called regularly while a kernel runs, with what says where its warps are; may throw.
  using Watch = std::function<void(const std::function<std::string()>& place)>;
  void set_watch(Watch watch) { watch_ = std::move(watch); }

 private:
  using Banks = std::array<std::vector<std::uint8_t>, kNumConstBanks>;
  struct Program {
    const Module* module;
    Banks constant;
  };
  const Program& program_of(const Kernel& kernel) const;
  std::uint8_t* symbol(const std::string& name);

  Config config_;
  std::deque<Program> programs_;
  golden::MemoryImage image_;
  struct Allocation {
    std::uint64_t bytes = 0;
    std::uint32_t units = 0;  // with the gap behind it
  };
  RangeAllocator space_;      // addresses in units of the alignment
  std::uint32_t free_units_;  // of memory
  std::map<std::uint32_t, Allocation> allocations_;
  std::map<std::uint32_t, void*> mapped_;  // host memory of allocations
  std::uint64_t used_end_ = 0;             // no released allocation reaches further
  std::map<std::string, std::uint32_t> device_variables_;
  BoundTextures textures_;
  Watch watch_;
};

}  // namespace g80
