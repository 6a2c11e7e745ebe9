// SPDX-License-Identifier: Apache-2.0
#include "tb/driver/driver.h"

#include <algorithm>

#include <fmt/format.h>

#include "toolchain/cubin/kernel_name.h"

namespace g80 {
namespace {

constexpr std::uint32_t kFenceBytes = 16;

CopySurface surface_of(const Lines& lines) {
  if (!lines.surface) return {};
  const SurfacePlace& place = *lines.surface;
  return {true, place.shape.block, place.shape.width, place.shape.height, place.x, place.y, place.z};
}

}  // namespace

void Driver::advance(Cycle core_cycles) {
  advance_time(sc_core::sc_time::from_value(link_.core.edge_time(core_cycles)), halts_);
}

Driver::Driver(const Config& config, const DeviceLink& link)
    : config_(config),
      link_(link),
      push_words_(config.host.pushbuffer_words_per_cycle),
      space_(std::min<std::uint64_t>(config.device.memory_bytes, 0xffffffffu)) {
  // CUDA programs see all of the address space as g14.
  global_[14] = {true, 0, 0xffffffff};
}

void Driver::start() {
  if (started_) return;
  started_ = true;
  for (const Domain* clock : {&link_.core, &link_.shader}) {
    while (clock->in_reset()) {
      const Picoseconds next = clock->edge_time(clock->first_edge_after_now());
      advance_time(sc_core::sc_time::from_value(next) - sc_core::sc_time_stamp(), halts_);
    }
  }
  fence_address_ = map(kFenceBytes, "fence");
  map_stacks();
  write_tables();
  PushBuffer buffer;
  buffer.write(method::kBindClass, {kComputeClassG80});
  buffer.write(method::kLanes32Enable, {1});
  buffer.write(method::kRegMode, {kRegModeStriped});
  buffer.write(method::kStackAddressHigh, {0, stack_memory_});
  push(buffer);
}

std::uint32_t Driver::alloc(std::uint64_t bytes, const std::string& name, Placement placement) {
  start();
  const std::uint32_t address = map(bytes, name, placement);
  settle();
  write_tables();
  return address;
}

// A part of the address space, which the tables in memory do not have yet.
std::uint32_t Driver::map(std::uint64_t bytes, const std::string& name, Placement placement) {
  if (bytes == 0) throw DriverError(fmt::format("allocation '{}' has 0 bytes, but must have at least 1", name));
  const std::optional<Mapping> mapping = bytes > 0xffffffffu ? std::nullopt : space_.map(bytes, placement);
  if (!mapping) {
    throw DriverError(fmt::format("allocation '{}' of {} bytes does not fit: {} bytes of device memory are free", name,
                                  bytes, space_.free_bytes()));
  }
  allocations_[mapping->address] = {name, mapping->address, static_cast<std::uint32_t>(bytes), *mapping};
  return mapping->address;
}

std::uint32_t Driver::map_host(void* host, std::uint32_t bytes, const std::string& name) {
  CHECK(bytes != 0, "'{}' has no bytes", name);
  start();
  const std::uint64_t bus = link_.host_memory.pin_pages(host, bytes);
  const bool reached = bus + bytes <= page_table::kHostWindow + page_table::kHostWindowBytes;
  const std::optional<Mapping> mapping = reached ? space_.map_host(bus, bytes) : std::nullopt;
  if (!mapping) {
    link_.host_memory.unpin(bus);
    throw DriverError(
        fmt::format("'{}' of {} bytes of host memory cannot be mapped: no addresses are left", name, bytes));
  }
  allocations_[mapping->address] = {name, mapping->address, bytes, *mapping};
  settle();
  write_tables();
  return mapping->address;
}

void Driver::free(std::uint32_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end())
    throw DriverError(fmt::format("no allocation at {:#x}, so it cannot be freed", address));
  settle();
  space_.unmap(found->second.mapping);
  write_tables();
  if (found->second.mapping.bus != 0) link_.host_memory.unpin(found->second.mapping.bus);
  allocations_.erase(found);
}

const Allocation* Driver::allocation_at_or_below(std::uint32_t address) const {
  auto above = allocations_.upper_bound(address);
  return above == allocations_.begin() ? nullptr : &std::prev(above)->second;
}

std::uint32_t Driver::physical_of(std::uint32_t address, std::uint64_t bytes, const char* what) const {
  const Allocation* allocation = allocation_at_or_below(address);
  if (allocation == nullptr || address + bytes > std::uint64_t{allocation->address} + allocation->bytes) {
    throw DriverError(fmt::format("{} of {} bytes at {:#x} is not inside one allocation", what, bytes, address));
  }
  if (allocation->mapping.bus != 0)
    throw DriverError(fmt::format("{} of {} bytes at {:#x}, which is memory of the host", what, bytes, address));
  return allocation->mapping.physical + (address - allocation->address);
}

void Driver::copy_to_device(std::uint32_t address, const void* from, std::uint32_t bytes) {
  if (bytes == 0) return;
  const std::uint32_t physical = physical_of(address, bytes, "a copy to the device");
  settle();
  run_copy({CopyOp::kToDevice, physical, bytes, link_.host_memory.pin(from, bytes), 0, 0});
  if (write_observer_) write_observer_(address, from, bytes);
}

void Driver::copy_from_device(void* to, std::uint32_t address, std::uint32_t bytes) {
  if (bytes == 0) return;
  const std::uint32_t physical = physical_of(address, bytes, "a copy from the device");
  settle();
  run_copy({CopyOp::kFromDevice, physical, bytes, link_.host_memory.pin(to, bytes), 0, 0});
}

template <class HostBytes>
void Driver::copy_lines(CopyOp op, const Lines& lines, HostBytes* host, std::uint32_t pitch) {
  if (lines.extent() == 0 || lines.bytes == 0) return;
  const std::uint32_t physical = physical_of(lines.address, lines.extent(), "a copy");
  const std::uint64_t host_bytes = std::uint64_t{lines.count - 1} * pitch + lines.bytes;
  settle();
  CopyOrder order{op, physical, lines.bytes, link_.host_memory.pin(host, host_bytes), 0, 0, lines.count, lines.pitch};
  order.host_pitch = pitch;
  order.surface = surface_of(lines);
  run_copy(order);
}

void Driver::copy_lines_to_device(const Lines& to, const void* from, std::uint32_t pitch) {
  copy_lines(CopyOp::kToDevice, to, from, pitch);
}

void Driver::copy_lines_from_device(void* to, std::uint32_t pitch, const Lines& from) {
  copy_lines(CopyOp::kFromDevice, from, to, pitch);
}

std::uint32_t Driver::start_copy(CopyOp op, std::uint32_t address, void* host, std::uint32_t bytes) {
  start();
  const std::uint32_t physical = physical_of(address, bytes, "a copy");
  const std::uint64_t pinned = op == CopyOp::kToDevice ? link_.host_memory.pin(static_cast<const void*>(host), bytes)
                                                       : link_.host_memory.pin(host, bytes);
  CopyOrder order{op, physical, bytes, pinned, 0, next_order_++};
  wait_for_room(link_.orders, 1);
  link_.orders.push(order);
  started_copies_.push_back(order);
  return order.id;
}

void Driver::wait_for_copies(const std::function<bool()>& enough) {
  if (!copies_running()) return;
  const WaitEnd end = run_until([&] {
    take_copies();
    return !copies_running() || enough();
  });
  CHECK(end == WaitEnd::kDone, "{} copies did not end", started_copies_.size());
}

void Driver::take_copies() {
  while (link_.copies.available()) {
    const HostEvent& event = link_.copies.front();
    order_done_ = event.value;
    if (!started_copies_.empty() && started_copies_.front().id == event.value) {
      link_.host_memory.unpin(started_copies_.front().host_address);
      started_copies_.pop_front();
      ended_copies_.push_back({event.value, event.time * kPicosecondsPerTick});
    }
    link_.copies.pop();
  }
}

void Driver::fill(const Lines& lines, std::uint32_t word) {
  if (lines.extent() == 0 || lines.bytes == 0) return;
  const std::uint32_t physical = physical_of(lines.address, lines.extent(), "a fill");
  settle();
  run_order({CopyOp::kFill, physical, lines.bytes, 0, word, 0, lines.count, lines.pitch, 0, 0});
}

void Driver::copy_on_device(const Lines& to, const Lines& from) {
  CHECK(to.bytes == from.bytes && to.count == from.count, "a copy of {} lines of {} bytes to {} lines of {} bytes",
        from.count, from.bytes, to.count, to.bytes);
  if (to.extent() == 0 || to.bytes == 0) return;
  const std::uint32_t target = physical_of(to.address, to.extent(), "a copy on the device");
  const std::uint32_t source = physical_of(from.address, from.extent(), "a copy on the device");
  settle();
  CopyOrder order{CopyOp::kOnDevice, target, to.bytes, 0, 0, 0, to.count, to.pitch, source, from.pitch};
  order.surface = surface_of(to);
  order.source_surface = surface_of(from);
  run_order(order);
}

void Driver::write_tables() {
  for (const TableChange& change : space_.changes()) {
    const std::uint32_t bytes = change.count * page_table::kEntryBytes;
    run_copy({CopyOp::kToDevice, change.physical, bytes, link_.host_memory.pin(change.entries, bytes), 0, 0});
  }
  run_order({CopyOp::kSetPageDirectory, space_.page_directory(), 0, 0, 0, 0});
}

void Driver::run_copy(const CopyOrder& order) {
  run_order(order);
  link_.host_memory.unpin(order.host_address);
}

void Driver::run_order(CopyOrder order) {
  order.id = next_order_++;
  const std::uint64_t faults = link_.copy_engine.counters().faults;
  wait_for_room(link_.orders, 1);
  link_.orders.push(order);
  const WaitEnd end = run_until([&] {
    take_copies();
    return order_done_ == order.id;
  });
  CHECK(end == WaitEnd::kDone, "copy {} of {} bytes did not end", order.id, order.bytes);
  CHECK(link_.copy_engine.counters().faults == faults, "the memory system refused a copy at physical address {:#x}",
        order.device_address);
}

void Driver::push(const PushBuffer& buffer) {
  const auto words = buffer.words();
  for (std::size_t first = 0; first < words.size(); first += push_words_) {
    PushWords together;
    while (together.count < push_words_ && first + together.count < words.size()) {
      together.word[together.count] = words[first + together.count];
      ++together.count;
    }
    wait_for_room(link_.push, kChunk);
    link_.push.push(together);
  }
}

void Driver::ask_fence(PushBuffer& buffer) {
  ++fence_;
  buffer.write(method::kQueryAddressHigh, {0, fence_address_, fence_, 0});
}

void Driver::take_fences() {
  while (link_.fences.available()) {
    fence_done_ = link_.fences.front().value;
    fence_time_ = link_.fences.front().time * kPicosecondsPerTick;
    link_.fences.pop();
  }
}

/// Waits until the machine is idle: copies and page tables must not change memory under a running kernel.
void Driver::settle() {
  start();
  // If an earlier wait was stopped, this one would not end either, and perhaps no watchdog would stop it.
  if (!stuck_ && running() && wait() != WaitEnd::kDone) stuck_ = true;
  if (!stuck_) wait_for_copies();
  if (stuck_) throw DriverError("the last kernel did not end, so the device needs a reset");
}

template <class Queue>
void Driver::wait_for_room(Queue& queue, Cycle look_every) {
  const auto has_room = [&] {
    take_copies();  // the engine stops when its events find no room
    return queue.can_push();
  };
  if (run_until(has_room, look_every) == WaitEnd::kDone) return;
  stuck_ = true;
  throw DriverError("the last kernel did not end, so the device needs a reset");
}

bool Driver::past_limit() const {
  const auto& records = link_.processor.launches();
  if (max_cycles_ == 0 || records.empty() || records.back().outcome != LaunchOutcome::kRunning) return false;
  const Picoseconds now = sc_core::sc_time_stamp().value();
  return link_.shader.last_edge_by(now) - shader_cycle(records.back().accepted_edge) > max_cycles_;
}

void Driver::set_watch(std::function<bool()> watch, std::uint64_t core_cycles) {
  watch_ = std::move(watch);
  watch_cycles_ = core_cycles;
  next_watch_ = 0;
}

WaitEnd Driver::run_until(const std::function<bool()>& done, Cycle look_every) {
  start();
  while (!done()) {
    advance(look_every);
    if (past_limit() && !done()) return WaitEnd::kMaxCycles;
    const Cycle now = link_.core.last_edge_by(sc_core::sc_time_stamp().value());
    if (watch_ && now >= next_watch_) {
      next_watch_ = now + watch_cycles_;
      if (!watch_()) return WaitEnd::kStopped;
    }
  }
  return WaitEnd::kDone;
}

WaitEnd Driver::wait(const std::function<bool()>& enough) {
  if (!running()) return WaitEnd::kDone;
  WaitEnd end = run_until([&] {
    take_fences();
    take_copies();
    return !running() || enough();
  });
  if (end == WaitEnd::kDone && running()) return end;
  complete_reports();
  if (end != WaitEnd::kDone) {
    stuck_ = true;
    return end;
  }
  for (const LaunchReport& report : reports_) {
    if (report.record.outcome == LaunchOutcome::kComplete && max_cycles_ != 0 && report.shader_cycles > max_cycles_) {
      end = WaitEnd::kMaxCycles;
    }
  }
  return end;
}

void Driver::complete_reports() {
  const auto& records = link_.processor.launches();
  std::string refusal;
  for (; reported_ < records.size() && reported_ < reports_.size(); ++reported_) {
    LaunchReport& report = reports_[reported_];
    report.record = records[reported_];
    if (report.record.outcome == LaunchOutcome::kRunning) break;
    const LaunchRecord& record = report.record;
    report.shader_cycles = shader_cycle(record.ended_edge) - shader_cycle(record.accepted_edge);
    if (record.outcome == LaunchOutcome::kRefused) {
      refusal = fmt::format("kernel '{}' cannot be launched: {}", demangled_name(report.kernel->kernel->name),
                            describe(record.error));
    }
  }
  if (!refusal.empty()) throw DriverError(refusal);
}

}  // namespace g80
