// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/gpu_backend.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "hw/gpu/gpu.h"
#include "input/input_error.h"
#include "tb/check/fault_injector.h"
#include "tb/check/lockstep.h"
#include "tb/check/sleep_check.h"
#include "tb/check/watchdog.h"
#include "tb/driver/advance.h"
#include "tb/driver/driver.h"
#include "tb/driver/gpu_link.h"
#include "tb/machine/interrupt.h"
#include "tb/machine/launch_text.h"
#include "tb/machine/observers.h"
#include "tb/machine/random_state.h"
#include "tb/machine/recorders.h"
#include "tb/machine/signal_records.h"
#include "tb/machine/twin_select.h"
#include "tb/record/counter_snapshot.h"
#include "tb/scenario/golden_backend.h"
#include "tb/scenario/image_lines.h"
#include "tb/twins/twins.h"
#include "tb/waves/signal_table.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80 {
namespace {

inline constexpr std::uint64_t kMegabyte = 1u << 20;
inline constexpr std::uint64_t kWatchCycles = 2048;  // core cycles between looks at the machine

}  // namespace

/// A launch that runs, and what its result needs from before.
struct GpuBackend::Started {
  Launch launch;
  LaunchResult result;
  CounterSnapshot before;
  std::size_t launches_before = 0;  // records of the command processor, before it had one of this launch
};

GpuBackend::GpuBackend(const Config& config, const MachineOptions& options) : config_(config), options_(options) {
  if (options.random_state) {
    config_.sm.init = InitState::kRandom;
    config_.gpu.seed = static_cast<std::uint32_t>(*options.random_state);
    if (!options.rtl_check.empty()) throw InputError("--x random starts a block and the twin beside it differently");
  }
  set_model_seed(options.random_state ? static_cast<std::uint32_t>(*options.random_state) | 1 : 0);
  TwinTable twins = select_twins(options.rtl, options.rtl_check);
  twins.insert(options.twins.begin(), options.twins.end());
  // These look at blocks, or change them, in the middle of an edge. Models of single blocks share what Verilator knows
  // of a simulation; the model of an SM has its own.
  const bool only_sms = options.rtl == "sm" && options.rtl_check.empty() && options.twins.empty();
  const bool one_thread = (!twins.empty() && !only_sms) || options.shuffle || options.random_state ||
                          options.check_sleep || !options.faults.empty();
  gpu_ = std::make_unique<Gpu>("gpu", config_,
                               GpuOptions{options.no_sleep, options.lockstep, options.shuffle, twins,
                                          one_thread ? 1 : options.threads, options.late_crossings});
  if (only_sms) gpu_->shader.share_from(2);  // any awake block of an SM clocks its model
  if (options.lockstep) {
    lockstep_ = std::make_unique<LockStep>(config_, *gpu_);
  }
  if (options.random_state) {
    // A block that is stepped in its sleep drives its outputs once more: --check sleep would see that as a change.
    random_state_ = std::make_unique<RandomState>(domains(), *options.random_state, !options.check_sleep);
  }
  if (options.check_sleep) {
    if (options.no_sleep) throw InputError("--check sleep looks at blocks that sleep; with --no-sleep none does");
    if (!options.faults.empty()) throw InputError("--check sleep: a fault of --inject changes blocks that sleep");
    sleep_check_ = std::make_unique<SleepCheck>(domains());
  }
  if (!options.rtl_check.empty() || !options.twins.empty()) twins_ = observe<TwinObserver>(domains());
  if (options.profile) observe<ProfileObserver>(*gpu_);
  if (!options.faults.empty()) faults_ = std::make_unique<FaultInjector>(options.faults, domains());
  signals_ = observe<SignalRecords>(*gpu_, domains(), options_);
  recorders_ = observe<Recorders>(*gpu_, options_, arch());
  driver_ = std::make_unique<Driver>(config_, link_to(*gpu_));
  if (lockstep_) {
    driver_->set_write_observer([this](std::uint32_t address, const void* data, std::uint32_t bytes) {
      lockstep_->settle_copies();
      std::memcpy(lockstep_->image().at(address), data, bytes);
    });
  }
  if (options.debugger != nullptr) {
    driver_->set_halts(options.debugger);
    options.debugger->built(*this);
  }
  watchdog_ = std::make_unique<Watchdog>(*gpu_);
  if (options.lockstep) {
    const Cycle others = most_transactions(config_) * longest_step(config_);
    observe<ProtocolObserver>(domains(), watchdog_->stuck_cycles() + others, config_);
  }
  const char* const for_all = std::getenv("G80_COVERAGE");  // of every machine of a test program or a campaign
  const std::string coverage = !options.coverage.empty() || for_all == nullptr ? options.coverage : for_all;
  if (!coverage.empty()) observe<CoverageObserver>(coverage);
  driver_->set_watch([this] { return watch(); }, lockstep_ ? 1 : kWatchCycles);
}

GpuBackend::~GpuBackend() {
  if (options_.debugger != nullptr) options_.debugger->closing();
}

template <class Observer, class... Arguments>
Observer* GpuBackend::observe(Arguments&&... arguments) {
  auto observer = std::make_unique<Observer>(std::forward<Arguments>(arguments)...);
  Observer* const there = observer.get();
  observers_.push_back(std::move(observer));
  return there;
}

std::vector<std::string> GpuBackend::finish() {
  progress_.end();  // what is told now begins a line
  std::vector<std::string> sentences;
  std::exception_ptr failed;  // the first one: what an observer cannot write costs the others nothing
  for (const auto& observer : observers_) {
    try {
      for (std::string& sentence : observer->finish()) sentences.push_back(std::move(sentence));
    } catch (const std::exception&) {
      if (!failed) failed = std::current_exception();
    }
  }
  if (failed) std::rethrow_exception(failed);
  return sentences;
}

std::vector<InjectedFault> GpuBackend::injected_faults() const {
  return faults_ ? faults_->report() : std::vector<InjectedFault>{};
}

std::uint64_t GpuBackend::free_bytes() const { return driver_->free_bytes(); }

std::uint32_t GpuBackend::device_variable(const std::string& name) const { return driver_->device_variable(name); }

std::string GpuBackend::describe_warps() const { return watchdog_->describe_warps(); }

void GpuBackend::look_for_mismatch() {
  if (lockstep_) lockstep_->consume();
}

bool GpuBackend::records_missing() const { return signals_->wave_missing() || recorders_->timeline_empty(); }

std::optional<TwinDifference> GpuBackend::twin_difference() const {
  return twins_ != nullptr ? twins_->check.difference() : std::nullopt;
}

std::string GpuBackend::twin_summary() const { return twins_ != nullptr ? twins_->check.summary() : std::string(); }

FlightLog GpuBackend::flight_log() const { return recorders_->flight_log(); }

std::vector<Domain*> GpuBackend::domains() const { return {&gpu_->shader, &gpu_->core, &gpu_->dram}; }

std::vector<Signal> GpuBackend::wave_signals() const { return list_signals({}, domains()); }

Cycle GpuBackend::now() const { return gpu_->shader.last_edge(); }

void GpuBackend::load(const Module& module) { driver_->load_module(module); }

void GpuBackend::unload(const Module& module) {
  for (const std::uint32_t address : driver_->unload_module(module)) release(address);
}

std::uint32_t GpuBackend::allocate(std::uint64_t bytes, const std::string& name, Contents contents,
                                   Placement placement) {
  const std::uint32_t address = driver_->alloc(bytes, name, placement);
  const Mapping& mapping = driver_->allocations().at(address).mapping;
  const bool used = mapping.address < used_virtual_end_ || mapping.physical < used_physical_end_;
  if (random_state_ && !used) {
    random_state_->fill(gpu_->device_memory(), mapping, lockstep_ ? lockstep_->image().at(address) : nullptr);
  }
  if (contents == Contents::kClear || used) fill({address, static_cast<std::uint32_t>(bytes)}, 0);
  return address;
}

std::uint32_t GpuBackend::map_host(void* host, std::size_t bytes) {
  const std::uint32_t address = driver_->map_host(host, static_cast<std::uint32_t>(bytes), "mapped host memory");
  mapped_[address] = {static_cast<std::uint8_t*>(host), bytes};
  return address;
}

void GpuBackend::release(std::uint32_t address) {
  mapped_.erase(address);
  const Mapping mapping = driver_->allocations().at(address).mapping;
  driver_->free(address);
  used_virtual_end_ = std::max<std::uint64_t>(used_virtual_end_, mapping.address + std::uint64_t{mapping.bytes});
  if (mapping.bus != 0) return;
  used_physical_end_ = std::max<std::uint64_t>(used_physical_end_, mapping.physical + std::uint64_t{mapping.bytes});
}

template <class Copy>
void GpuBackend::copying(const char* what, std::uint64_t bytes, const Copy& copy) {
  if (bytes >= kMegabyte) progress_.begin(options_.progress, what, "MB", 0, bytes / kMegabyte, gpu_->shader.edge());
  copied_before_ = gpu_->copy_engine.counters().bytes();
  copy();
  progress_.end();
}

std::uint64_t GpuBackend::copied_megabytes() const {
  return (gpu_->copy_engine.counters().bytes() - copied_before_) / kMegabyte;
}

void GpuBackend::fill(const Lines& lines, std::uint32_t word) {
  copying("fill", std::uint64_t{lines.bytes} * lines.count, [&] { driver_->fill(lines, word); });
  if (!lockstep_) return;
  lockstep_->settle_copies();
  fill_lines(lockstep_->image(), lines, word);
}

void GpuBackend::copy(const Lines& to, const Lines& from) {
  copying("copy on the device", std::uint64_t{to.bytes} * to.count, [&] { driver_->copy_on_device(to, from); });
  if (!lockstep_) return;
  lockstep_->settle_copies();
  copy_lines(lockstep_->image(), to, from);
}

void GpuBackend::write(std::uint32_t address, const void* bytes, std::size_t size) {
  copying("copy to the device", size,
          [&] { driver_->copy_to_device(address, bytes, static_cast<std::uint32_t>(size)); });
}

void GpuBackend::read(std::uint32_t address, void* bytes, std::size_t size) {
  copying("copy to the host", size,
          [&] { driver_->copy_from_device(bytes, address, static_cast<std::uint32_t>(size)); });
  if (!lockstep_ || !all_finished_) return;
  lockstep_->settle_copies();
  const Allocation& allocation = *driver_->allocation_at_or_below(address);
  lockstep_->check_copy(address, allocation.mapping.physical + (address - allocation.address), bytes, size);
}

void GpuBackend::write_lines(const Lines& to, const void* bytes, std::size_t pitch) {
  copying("copy to the device", std::uint64_t{to.bytes} * to.count,
          [&] { driver_->copy_lines_to_device(to, bytes, static_cast<std::uint32_t>(pitch)); });
  if (!lockstep_) return;
  lockstep_->settle_copies();
  put_lines(lockstep_->image(), to, bytes, pitch);
}

void GpuBackend::read_lines(const Lines& from, void* bytes, std::size_t pitch) {
  copying("copy to the host", std::uint64_t{from.bytes} * from.count,
          [&] { driver_->copy_lines_from_device(bytes, static_cast<std::uint32_t>(pitch), from); });
  if (!lockstep_ || !all_finished_) return;
  lockstep_->settle_copies();
  const Allocation& allocation = *driver_->allocation_at_or_below(from.address);
  const std::uint32_t to_physical = allocation.mapping.physical - allocation.address;
  for_each_part(from, [&](std::uint32_t line, std::uint32_t first, std::uint32_t address, std::uint32_t count) {
    const auto* const seen = static_cast<const std::uint8_t*>(bytes) + line * pitch + first;
    lockstep_->check_copy(address, address + to_physical, seen, count);
  });
}

void GpuBackend::write_symbol(const std::string& name, std::uint32_t offset, const void* bytes, std::size_t size) {
  driver_->set_symbol(name, bytes, static_cast<std::uint32_t>(size), offset);
}

void GpuBackend::read_symbol(const std::string& name, std::uint32_t offset, void* bytes, std::size_t size) {
  driver_->get_symbol(name, bytes, static_cast<std::uint32_t>(size), offset);
}

std::uint64_t GpuBackend::picoseconds() const { return sc_core::sc_time_stamp().value(); }

void GpuBackend::bind_texture(const TextureBinding& binding) {
  textures_[binding.unit] = binding;
  driver_->bind_texture(binding.unit, binding.header, binding.sampler);
}

void GpuBackend::set_global(unsigned space, std::uint32_t base, std::uint32_t limit) {
  driver_->set_global(space, true, base, limit);
  spaces_.push_back({space, {true, base, limit}});
}

// The reference reads its program and constants from device memory, where the driver has put them.
void GpuBackend::begin_lockstep(const Launch& launch, const LoadedKernel& kernel) {
  std::array<std::vector<std::uint8_t>, kNumConstBanks> constant;
  for (unsigned bank = 0; bank < kNumConstBanks; ++bank) {
    const std::uint8_t* from = lockstep_->image().at(kernel.bank[bank].address);
    if (kernel.bank[bank].bytes != 0) constant[bank].assign(from, from + kernel.bank[bank].bytes);
  }
  for (const auto& [address, mapped] : mapped_) {
    std::uint8_t* const image = lockstep_->image().at(address);
    std::memset(image, 0xff, driver_->allocations().at(address).mapping.bytes);  // what lies behind the memory
    std::memcpy(image, mapped.host, mapped.bytes);
  }
  golden::Launch grid = reference_launch(config_, launch, constant, textures_);
  for (const auto& [space, setting] : spaces_) grid.global[space] = setting;
  grid.start_pc = kernel.start;
  std::vector<std::uint32_t> words(launch.kernel->code.size());
  std::memcpy(words.data(), lockstep_->image().at(kernel.code_base + kernel.start), words.size() * 4);
  golden::Program program(std::move(words), arch(), kernel.start, config_.sm.num_dps != 0);
  lockstep_->begin(std::move(program), std::move(grid), &launch.kernel->lines);
}

std::string GpuBackend::place_text() const {
  if (!launching_) return fmt::format("outside of launches, shader cycle {}", now());
  return fmt::format("in kernel {} (launch {}), {} of {} blocks done, shader cycle {}", running_.kernel, launches_,
                     blocks_ended() - running_.blocks_before, running_.blocks, now());
}

std::string GpuBackend::interrupted_text() const {
  return place_text() + (launching_ ? watchdog_->places().list_text() : "");
}

bool GpuBackend::watch() {
  if (lockstep_) {  // at every opportunity: the logs stay in the caches
    lockstep_->consume();
    const Cycle cycle = gpu_->core.last_edge_by(sc_core::sc_time_stamp().value());
    if (cycle < next_look_) return true;
    next_look_ = cycle + kWatchCycles;
  }
  check_interrupt([this] { return interrupted_text(); });
  for (const auto& observer : observers_) observer->watch();
  if (progress_.active()) progress_.report(launching_ ? blocks_ended() : copied_megabytes(), gpu_->shader.edge());
  hang_ = watchdog_->poll();
  if (!launching_) {  // a copy may take any time as long as something moves
    if (hang_.kind == HangKind::kNone) return true;
    while (!hang_.text.empty() && hang_.text.back() == '\n') hang_.text.pop_back();
    throw MachineHung(fmt::format("hang {}: {}", place_text(), hang_.text));
  }
  if (hang_.kind == HangKind::kNone && watchdog_->suspicious()) {
    // Steps single scheduler cycles for a while and looks for a repeated state.
    const sc_core::sc_time cycle = sc_core::sc_time::from_value(gpu_->shader.edge_time(2));
    for (std::uint64_t i = 0; hang_.kind == HangKind::kNone; ++i) {
      check_interrupt([this] { return interrupted_text(); });
      advance_time(cycle, options_.debugger);
      hang_ = watchdog_->look_for_livelock();
      if (i % 4096 != 0) continue;
      if (lockstep_) lockstep_->consume();
      watchdog_->note_progress();  // no poll: what waits for the host, which is not asked meanwhile, is not stuck
      if (!watchdog_->suspicious() || watchdog_->has_looked_enough() || driver_->past_limit()) break;
    }
    if (hang_.kind != HangKind::kNone) return false;
    watchdog_->relax();
    if (watchdog_->is_long() && !running_.told_long) {
      running_.told_long = true;
      progress_.clear();
      fmt::print(stderr, "g80: note: no block has ended for long, {}\n", interrupted_text());
    }
  }
  return hang_.kind == HangKind::kNone;
}

std::uint64_t GpuBackend::blocks_ended() const {
  std::uint64_t blocks = 0;
  for (unsigned i = 0; i < gpu_->num_sms(); ++i) blocks += gpu_->sm(i).counters(now()).blocks;
  return blocks;
}

const KernelFault* GpuBackend::fault_of(const LaunchRecord& record) const {
  return record.outcome == LaunchOutcome::kFault ? &record.fault : nullptr;
}

void GpuBackend::describe_end(WaitEnd end, LaunchResult& result) {
  const LaunchReport& report = driver_->last_launch();
  if (end == WaitEnd::kStopped) {
    result.end = hang_.kind == HangKind::kBarrierDeadlock ? LaunchEnd::kBarrierDeadlock
                 : hang_.kind == HangKind::kLivelock      ? LaunchEnd::kLivelock
                                                          : LaunchEnd::kHang;
    result.message = hang_.text;
  } else if (end == WaitEnd::kMaxCycles) {
    result.end = LaunchEnd::kMaxCycles;
    result.message = fmt::format("cycle limit reached; a hang could not be proved\n{}", watchdog_->describe_warps());
  } else if (const KernelFault* fault = fault_of(report.record)) {
    result.end = LaunchEnd::kFault;
    result.message = fault_sentence(*driver_, *fault, recorders_->place_of(fault->origin), arch());
  } else if (report.record.outcome == LaunchOutcome::kRefused) {
    throw InputError(
        fmt::format("kernel {}: the device refused the launch", demangled_name(report.kernel->kernel->name)));
  }
  result.message.erase(result.message.find_last_not_of('\n') + 1);
}

// When a block's CHECK fails, another block has often caused it earlier. So lock-step first processes the logs up to
// that moment, and its mismatch, if any, comes first in the message.
WaitEnd GpuBackend::wait_for_end(const std::function<bool()>& enough) {
  launching_ = true;
  try {
    const WaitEnd end = driver_->wait(enough);
    launching_ = false;
    const bool stands = hang_.kind == HangKind::kDeadlock || hang_.kind == HangKind::kBarrierDeadlock;
    if (lockstep_ && end == WaitEnd::kStopped && stands) lockstep_->explain_hang();
    return end;
  } catch (const LockStepError&) {
    launching_ = false;
    throw;
  } catch (const ModelError& error) {
    launching_ = false;
    if (!lockstep_) throw;
    try {
      lockstep_->consume();
    } catch (const LockStepError& first) {
      throw LockStepError(fmt::format("{}; after it: {}", first.what(), error.what()), first.cycle);
    }
    throw;
  }
}

/// Requires that mapped host memory holds what the reference has written there.
void GpuBackend::check_mapped_memory() const {
  for (const auto& [address, mapped] : mapped_) {
    const std::uint8_t* const expected = lockstep_->image().at(address);
    const auto wrong =
        static_cast<std::size_t>(std::mismatch(mapped.host, mapped.host + mapped.bytes, expected).first - mapped.host);
    if (wrong == mapped.bytes) continue;
    throw LockStepError(
        fmt::format("lock-step: mapped host memory at 0x{:x} is 0x{:02x}, expected 0x{:02x}; suspect: {}",
                    address + wrong, mapped.host[wrong], expected[wrong], gpu_->host_port.name()));
  }
}

void GpuBackend::end_lockstep(const LaunchResult& result) {
  if (result.end == LaunchEnd::kFinished) {
    lockstep_->finish();
    return check_mapped_memory();
  }
  if (const KernelFault* fault = fault_of(driver_->last_launch().record);
      fault != nullptr && result.end == LaunchEnd::kFault) {
    const Allocation* near = driver_->allocation_at_or_below(fault->address);
    const bool mapped = near != nullptr && near->mapping.bus == 0;  // the memory of the host refuses atomics
    lockstep_->confirm_fault(*fault, mapped && fault->address - near->address < near->bytes);
  } else {
    lockstep_->consume();
  }
  lockstep_->abandon();
}

void GpuBackend::start(const Launch& launch) {
  CHECK(!started_, "a launch is started while another one runs");
  auto started = std::make_unique<Started>(Started{launch, {}, {}, gpu_->command_processor.launches().size()});
  const Kernel& kernel = *launch.kernel;
  const LoadedKernel& loaded = driver_->kernel(kernel.name);
  LaunchResult& result = started->result;
  result.kernel = kernel.name;
  result.grid = launch.shape.grid;
  result.block = launch.shape.block;
  result.timed = true;
  if (lockstep_) begin_lockstep(launch, loaded);
  ++launches_;
  watchdog_->begin(&kernel, loaded.start);
  hang_ = {};
  for (const auto& observer : observers_) observer->launch_begins(loaded, launches_);
  started->before = take_counters(*gpu_);
  begin_launch(*gpu_);
  driver_->launch(loaded, launch);
  if (options_.debugger != nullptr) options_.debugger->launched(launch, launches_);
  running_ = {demangled_name(result.kernel), blocks_ended(), std::uint64_t{result.grid[0]} * result.grid[1]};
  progress_.begin(options_.progress, running_.kernel, "blocks", running_.blocks_before, running_.blocks,
                  gpu_->shader.edge());
  started_ = std::move(started);
}

LaunchResult GpuBackend::launch(const Launch& launch) {
  start(launch);
  return *finish_launch([] { return false; });
}

void GpuBackend::start(const HostCopy& copy) {
  const auto bytes = static_cast<std::uint32_t>(copy.bytes);
  const CopyOp op = copy.to_device ? CopyOp::kToDevice : CopyOp::kFromDevice;
  const std::uint32_t number = driver_->start_copy(op, copy.address, copy.host, bytes);
  if (!lockstep_ || !all_finished_) return;
  const Allocation& allocation = *driver_->allocation_at_or_below(copy.address);
  const std::uint32_t physical = allocation.mapping.physical + (copy.address - allocation.address);
  lockstep_->begin_copy(number, physical, copy.address, bytes);
}

bool GpuBackend::can_start_copy() const { return driver_->can_start_copy(); }

Backend::Ended GpuBackend::run_started(bool wait) {
  bool looked = false;
  const auto enough = [&] { return driver_->has_ended_copies() || (!wait && std::exchange(looked, true)); };
  Ended ended;
  if (started_) {
    ended.launch = finish_launch(enough);
    ended.launch_picoseconds = driver_->fence_time();
  } else {
    driver_->wait_for_copies(enough);
  }
  for (const CopyEnd& copy : driver_->take_ended_copies()) ended.copy_picoseconds.push_back(copy.time);
  return ended;
}

/// Nothing: `enough` holds, and the launch still runs.
std::optional<LaunchResult> GpuBackend::finish_launch(const std::function<bool()>& enough) {
  std::unique_ptr<Started> started = std::move(started_);  // gone if an exception ends the launch
  // After a failure the debugger halts once more, so that the user can inspect the machine.
  const auto halting_on_failure = [this](const auto& part) {
    try {
      return part();
    } catch (const ModelError& error) {
      progress_.end();
      if (options_.debugger != nullptr) options_.debugger->failed(error);
      throw;
    }
  };
  const WaitEnd end = halting_on_failure([&] { return wait_for_end(enough); });
  if (end == WaitEnd::kDone && driver_->running()) {
    started_ = std::move(started);
    return std::nullopt;
  }
  LaunchResult& result = started->result;
  progress_.end();
  describe_end(end, result);
  all_finished_ &= result.end == LaunchEnd::kFinished;
  if (lockstep_) halting_on_failure([&] { end_lockstep(result); });
  const LaunchReport& report = driver_->last_launch();
  result.shader_cycles = report.shader_cycles;
  const std::vector<LaunchRecord>& launches = gpu_->command_processor.launches();
  const bool is_accepted = launches.size() > started->launches_before;  // false after some hangs
  const Cycle accepted =
      is_accepted ? gpu_->shader.last_edge_by(gpu_->core.edge_time(launches.back().accepted_edge)) : now();
  if (result.end != LaunchEnd::kFinished && result.end != LaunchEnd::kFault) {  // not ended: count up to now
    result.shader_cycles = now() - accepted;
  }
  result.executing_cycles = executing_cycles(*gpu_);
  result.picoseconds = gpu_->shader.edge_time(result.shader_cycles);
  fill_counters(started->before, take_counters(*gpu_), result.shader_cycles, config_.coalescer.segment_rule, result);
  result.occupancy = launch_occupancy(config_, started->launch.shape);
  halting_on_failure([&] {
    for (const auto& observer : observers_) observer->launch_ends(accepted, result);
  });
  if (result.end == LaunchEnd::kFinished) result.message = barrier_defects(result);
  if (options_.debugger != nullptr) options_.debugger->launch_ended(result);
  return std::move(result);
}

}  // namespace g80
