// SPDX-License-Identifier: Apache-2.0
// The golden reference as a backend.
#include "tb/scenario/golden_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "hw/config/occupancy.h"
#include "input/input_error.h"
#include "tb/golden/program.h"
#include "tb/scenario/image_lines.h"
#include "tb/scenario/warp_places.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80 {
namespace {

constexpr std::uint32_t kFirstAddress = 0x10000;  // a null pointer and its neighbourhood fault
constexpr std::uint64_t kAlignment = 256;
constexpr std::uint32_t kAddressUnits = 1u << 24;  // 4 GB

constexpr std::uint32_t units_of(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + kAlignment - 1) / kAlignment);
}
/// Size of the gap behind an allocation, where an access faults.
constexpr std::uint32_t gap_units(Placement placement) { return placement == Placement::kGuarded ? 1 : 0; }
constexpr std::size_t kCudaSpace = 14;  // CUDA programs see all of the address space as g14[]

/// Control instructions have been executed; so a warp that waits at a barrier is behind it.
WarpPlaces::Warp place_of(const golden::Launch& launch, const golden::BlockState& block,
                          const golden::WarpState& warp) {
  WarpPlaces::Warp place;
  place.block = fmt::format("block ({},{})", block.index % launch.grid_x, block.index / launch.grid_x);
  place.number = warp.index;
  place.at_barrier = warp.waiting != golden::kNoBarrier;
  place.pc = warp.pc - (place.at_barrier ? isa::kControlBytes : 0);
  place.active = warp.active;
  const LaneMask others = warp.populated & ~(warp.exited | warp.active);
  for (auto entry = warp.stack.rbegin(); entry != warp.stack.rend() && place.parked == 0; ++entry)
    place.parked = entry->mask & others, place.parked_pc = entry->pc;
  return place;
}

/// Counts for the statistics, and tells where warps are.
class Observer final : public golden::StepObserver {
 public:
  Observer(const Kernel& kernel, isa::Arch arch, const golden::Launch& grid, const GoldenBackend::Watch& watch)
      : kernel_(kernel), arch_(arch), grid_(grid), watch_(watch) {}

  SmCounters counters;
  std::string stuck_text;
  std::optional<WarpPlaces> places;  // where the grid was stopped

  void stepped(const golden::BlockState&, const golden::WarpState&, const golden::StepRecord& record) override {
    ++counters.warp_instructions;
    const unsigned lanes = static_cast<unsigned>(__builtin_popcount(record.lanes));
    counters.thread_instructions += lanes;
    const unsigned active = static_cast<unsigned>(__builtin_popcount(record.active));
    ++counters.active_lanes[active == 32 ? 0 : active >= 24 ? 1 : active >= 16 ? 2 : active >= 8 ? 3 : 4];
    const isa::Op op = record.decoded->insn.op;
    if (op == isa::Op::kBra) {
      ++counters.branches;
      if (record.lanes != 0 && record.lanes != record.active) ++counters.divergent_branches;
    } else if (op == isa::Op::kBar) {
      ++counters.barriers;
    }
  }

  void stuck(const golden::BlockState& block) override {
    std::string finished;
    for (const golden::WarpState& warp : block.warps)
      if (warp.finished) finished += fmt::format("{}{}", finished.empty() ? "" : ", ", warp.index);
    for (const golden::WarpState& warp : block.warps) {
      if (warp.finished) continue;
      const WarpPlaces::Warp place = place_of(grid_, block, warp);
      stuck_text = fmt::format("barrier {} of {}{} can never open: {}{}", warp.waiting, place.block,
                               kernel_.lines.remark(place.pc),
                               finished.empty() ? "no other warp can arrive"
                                                : fmt::format("warps {} have ended without reaching it", finished),
                               places_of({block}).list_text());
      return;
    }
  }

  void round(const Blocks& blocks) override {
    if (watch_) watch_([&] { return place_text(blocks); });
  }
  void lasts(const Blocks& blocks) override {
    fmt::print(stderr, "g80: note: no block has ended for long, {}\n", place_text(blocks));
  }
  void stopped(const Blocks& blocks) override { places = places_of(blocks); }

 private:
  WarpPlaces places_of(const Blocks& blocks) const {
    WarpPlaces places(&kernel_, arch_);
    for (const golden::BlockState& block : blocks) {
      for (const golden::WarpState& warp : block.warps) {
        if (!warp.finished) places.add(place_of(grid_, block, warp));
      }
    }
    return places;
  }
  std::string place_text(const Blocks& blocks) const {
    return fmt::format("in kernel {} after {} warp instructions{}", demangled_name(kernel_.name),
                       counters.warp_instructions, places_of(blocks).list_text());
  }

  const Kernel& kernel_;
  const isa::Arch arch_;
  const golden::Launch& grid_;
  const GoldenBackend::Watch& watch_;
};

void put_words(std::vector<std::uint8_t>& bank, std::uint32_t offset, const std::vector<std::uint32_t>& words,
               std::uint32_t bytes) {
  if (bank.size() < offset + bytes) bank.resize(offset + bytes);
  const std::size_t given = std::min<std::size_t>(bytes, words.size() * 4);
  if (given != 0) std::memcpy(bank.data() + offset, words.data(), given);
}

}  // namespace

GoldenBackend::GoldenBackend(const Config& config)
    : config_(config),
      space_(units_of(kFirstAddress), kAddressUnits - units_of(kFirstAddress)),
      free_units_(units_of(std::min<std::uint64_t>(config.device.memory_bytes, 0xffffffffu - kFirstAddress))) {}

std::uint32_t GoldenBackend::allocate(std::uint64_t bytes, const std::string& name, Contents contents,
                                      Placement placement) {
  const std::uint32_t units = units_of(std::min<std::uint64_t>(bytes, 0xffffffffu));
  const std::uint32_t lowest = units_of(lowest_address(placement));
  const bool fits = bytes <= config_.device.memory_bytes && units <= free_units_;
  const std::optional<std::uint32_t> first = fits ? space_.take(units + gap_units(placement), lowest) : std::nullopt;
  if (!first) {
    throw InputError(fmt::format("{} needs {} bytes of device memory; {} of {} bytes are left", name, bytes,
                                 free_bytes(), config_.device.memory_bytes));
  }
  const auto address = static_cast<std::uint32_t>(*first * kAlignment);
  image_.allow(address, bytes);
  allocations_[address] = {bytes, units + gap_units(placement)};
  free_units_ -= units;
  if (contents == Contents::kClear || address < used_end_) std::memset(image_.at(address), 0, bytes);
  return address;
}

// A launch works on a copy.
std::uint32_t GoldenBackend::map_host(void* host, std::size_t bytes) {
  const std::uint32_t address = allocate(bytes, "mapped host memory");
  mapped_[address] = host;
  return address;
}

void GoldenBackend::release(std::uint32_t address) {
  mapped_.erase(address);
  const auto allocation = allocations_.find(address);
  const auto& [bytes, units] = allocation->second;
  image_.forbid(address, bytes);
  space_.give_back(static_cast<std::uint32_t>(address / kAlignment), units);
  free_units_ += units_of(bytes);
  used_end_ = std::max(used_end_, address + bytes);
  allocations_.erase(allocation);
}

std::uint64_t GoldenBackend::free_bytes() const { return free_units_ * kAlignment; }

void GoldenBackend::write(std::uint32_t address, const void* bytes, std::size_t size) {
  if (size != 0) std::memcpy(image_.at(address), bytes, size);
}
void GoldenBackend::read(std::uint32_t address, void* bytes, std::size_t size) {
  if (size != 0) std::memcpy(bytes, image_.at(address), size);
}
void GoldenBackend::write_lines(const Lines& to, const void* bytes, std::size_t pitch) {
  put_lines(image_, to, bytes, pitch);
}
void GoldenBackend::read_lines(const Lines& from, void* bytes, std::size_t pitch) {
  get_lines(image_, from, bytes, pitch);
}
void GoldenBackend::fill(const Lines& lines, std::uint32_t word) { fill_lines(image_, lines, word); }
void GoldenBackend::copy(const Lines& to, const Lines& from) { copy_lines(image_, to, from); }

void GoldenBackend::load(const Module& module) {
  Banks& constant = programs_.emplace_back(Program{&module, {}}).constant;
  try {
    for (const DeviceVariable& variable : module.device_variables)
      device_variables_[variable.name] = allocate(variable.bytes, variable.name);
  } catch (const InputError&) {
    unload(module);
    throw;
  }
  for (const ConstantVariable& variable : module.constants) {
    put_words(constant[variable.bank], variable.offset, loaded_words(module, variable, device_variables_),
              variable.bytes);
  }
  for (const DeviceVariable& variable : module.device_variables) {
    const std::uint32_t address = device_variables_[variable.name];
    const std::vector<std::uint32_t> words = loaded_words(module, variable, device_variables_);
    write(address, words.data(), std::min<std::size_t>(variable.bytes, words.size() * 4));
    put_words(constant[variable.bank], variable.offset, {address}, 4);
  }
}

void GoldenBackend::unload(const Module& module) {
  for (const DeviceVariable& variable : module.device_variables) {
    const auto placed = device_variables_.find(variable.name);
    if (placed == device_variables_.end()) continue;  // load() has stopped before it
    release(placed->second);
    device_variables_.erase(placed);
  }
  programs_.erase(
      std::find_if(programs_.begin(), programs_.end(), [&](const auto& one) { return one.module == &module; }));
}

const GoldenBackend::Program& GoldenBackend::program_of(const Kernel& kernel) const {
  return *std::find_if(programs_.begin(), programs_.end(), [&](const Program& program) {
    const std::vector<Kernel>& kernels = program.module->kernels;
    return std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& one) { return &one == &kernel; });
  });
}

/// The bytes of a variable, in its constant bank or in memory.
std::uint8_t* GoldenBackend::symbol(const std::string& name) {
  for (Program& program : programs_) {
    for (const ConstantVariable& variable : program.module->constants) {
      if (variable.name == name) return program.constant[variable.bank].data() + variable.offset;
    }
  }
  return image_.at(device_variables_.at(name));
}

void GoldenBackend::write_symbol(const std::string& name, std::uint32_t offset, const void* bytes, std::size_t size) {
  std::memcpy(symbol(name) + offset, bytes, size);
}
void GoldenBackend::read_symbol(const std::string& name, std::uint32_t offset, void* bytes, std::size_t size) {
  std::memcpy(bytes, symbol(name) + offset, size);
}
std::uint32_t GoldenBackend::device_variable(const std::string& name) const { return device_variables_.at(name); }

void GoldenBackend::bind_texture(const TextureBinding& binding) { textures_[binding.unit] = binding; }

golden::Launch reference_launch(const Config& config, const Launch& launch,
                                const std::array<std::vector<std::uint8_t>, kNumConstBanks>& constant,
                                const BoundTextures& textures) {
  golden::Launch out;
  const LaunchShape& shape = launch.shape;
  out.grid_x = shape.grid[0], out.grid_y = shape.grid[1];
  out.block_x = shape.block[0], out.block_y = shape.block[1], out.block_z = shape.block[2];
  out.registers = shape.registers_per_thread;
  out.shared_bytes =
      static_cast<std::uint32_t>((shape.shared_bytes + 63) / 64 * 64);  // the launch field counts 64 bytes
  out.local_bytes = launch.kernel->lmem;
  out.lock_flags = config.sm.lock_flags;
  out.locks_per_warp = config.sm.locks_per_warp;
  out.params = launch.params;
  out.constant = constant;
  for (golden::GlobalSpace& space : out.global) space.enabled = false;
  out.global[kCudaSpace].enabled = true;
  for (const auto& [unit, binding] : textures) {
    out.texture[unit] = golden::parse_texture_header(binding.header.data());
    if (unit < out.sampler.size()) out.sampler[unit] = golden::parse_sampler(binding.sampler.data());
  }
  out.first_path = static_cast<golden::FirstPath>(config.sm.divergence_first);
  out.barrier_count = static_cast<golden::BarrierCount>(config.sm.barrier_expected);
  return out;
}

LaunchResult GoldenBackend::launch(const Launch& launch) {
  const Kernel& kernel = *launch.kernel;
  const Program& loaded = program_of(kernel);
  Banks constant = loaded.constant;
  for (const ConstantSegment& segment : kernel.constants) {
    put_words(constant[segment.bank], segment.offset, segment.words,
              static_cast<std::uint32_t>(segment.words.size() * 4));
  }
  const golden::Program program(kernel.code, loaded.module->arch, 0, config_.sm.num_dps != 0);
  const golden::Launch grid = reference_launch(config_, launch, constant, textures_);
  Observer observer(kernel, loaded.module->arch, grid, watch_);
  golden::RunOptions options;
  options.observer = &observer;
  options.resident_blocks = config_.gpu.num_tpcs * config_.gpu.sms_per_tpc *
                            occupancy(config_, {grid.block_threads(), grid.registers, grid.shared_bytes}).blocks;
  if (launch.max_cycles != 0) options.max_warp_instructions = launch.max_cycles;
  for (const auto& [address, host] : mapped_) std::memcpy(image_.at(address), host, allocations_.at(address).bytes);
  const golden::RunResult run = golden::run_grid(program, grid, image_, options);
  for (const auto& [address, host] : mapped_) std::memcpy(host, image_.at(address), allocations_.at(address).bytes);

  LaunchResult result;
  result.kernel = kernel.name;
  result.grid = launch.shape.grid;
  result.block = launch.shape.block;
  if (run.status == golden::RunStatus::kFinished) observer.counters.blocks = grid.num_blocks();
  result.sms.push_back(observer.counters);
  if (run.status == golden::RunStatus::kLimit) {
    result.end = LaunchEnd::kMaxCycles;
    result.message = fmt::format("stopped after {} warp instructions; a hang could not be proved{}",
                                 run.warp_instructions, observer.places->list_text());
  } else if (run.status == golden::RunStatus::kLivelock) {
    result.end = LaunchEnd::kLivelock;
    std::string why = "no device memory changes any more, and each warp has come back to a state in which it was";
    if (run.not_begun != 0)
      why += fmt::format("\n    {} blocks have not begun: this chip holds {} at once", run.not_begun,
                         options.resident_blocks);
    result.message = observer.places->endless_text(why);
  } else if (run.status == golden::RunStatus::kFault) {
    const bool deadlock = run.fault.kind == golden::FaultKind::kBarrierDeadlock;
    result.end = deadlock ? LaunchEnd::kBarrierDeadlock : LaunchEnd::kFault;
    result.message = deadlock ? observer.stuck_text : golden::describe(run.fault) + kernel.lines.remark(run.fault.pc);
  } else if (run.defect != golden::Defect::kNone) {
    result.message = fmt::format("error of the kernel: {} (block {}, pc 0x{:x}){}", golden::defect_text(run.defect),
                                 run.defect_block, run.defect_pc, kernel.lines.remark(run.defect_pc));
  }
  return result;
}

}  // namespace g80
