// Scenario requests as driver calls, driver reports as launch results.
#include "tb/driver/driver_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/isa/disassembler.h"
#include "tb/scenario/input_error.h"

namespace g80 {
namespace {

/// What the driver refuses is a mistake in the scenario.
template <class Call>
auto as_input_error(Call&& call) {
  try {
    return call();
  } catch (const DriverError& error) {
    throw InputError(error.what());
  }
}

/// Copies go in pieces: the driver counts bytes with 32 bits.
constexpr std::size_t kCopyPiece = 1u << 30;

}  // namespace

std::string describe_fault(const KernelFault& fault, isa::Arch arch) {
  return fmt::format("{} in block ({},{}), warp {}, lane {}, pc 0x{:x}: {}, address 0x{:x}",
                     enum_text(fault.kind).names[static_cast<unsigned>(fault.kind)], fault.cta_x, fault.cta_y,
                     fault.warp_in_cta, fault.lane, fault.origin.pc,
                     isa::disassemble(fault.words[0], fault.words[1], arch), fault.address);
}

DriverBackend::DriverBackend(const Config& config, Driver& driver, MachineProbe& probe)
    : config_(config), driver_(driver), probe_(probe) {
  driver_.set_watch(
      [this] {
        hang_ = probe_.stuck();
        return !hang_.has_value();
      },
      std::max(1u, config.gpu.hang_cycles / 8));
}

void DriverBackend::load(const Module& module) {
  as_input_error([&] { driver_.load_module(module); });
}
std::uint32_t DriverBackend::allocate(std::uint64_t bytes, const std::string& name) {
  return as_input_error([&] { return driver_.alloc(bytes, name); });
}
void DriverBackend::write(std::uint32_t address, const void* bytes, std::size_t size) {
  for (std::size_t at = 0; at < size; at += kCopyPiece) {
    const auto piece = static_cast<std::uint32_t>(std::min(kCopyPiece, size - at));
    as_input_error([&] {
      driver_.copy_to_device(address + static_cast<std::uint32_t>(at), static_cast<const std::uint8_t*>(bytes) + at,
                             piece);
    });
  }
}
void DriverBackend::read(std::uint32_t address, void* bytes, std::size_t size) {
  for (std::size_t at = 0; at < size; at += kCopyPiece) {
    const auto piece = static_cast<std::uint32_t>(std::min(kCopyPiece, size - at));
    as_input_error([&] {
      driver_.copy_from_device(static_cast<std::uint8_t*>(bytes) + at, address + static_cast<std::uint32_t>(at), piece);
    });
  }
}
void DriverBackend::write_symbol(const std::string& name, std::uint32_t offset, const void* bytes, std::size_t size) {
  as_input_error([&] { driver_.set_symbol(name, bytes, static_cast<std::uint32_t>(size), offset); });
}
void DriverBackend::bind_texture(const TextureBinding& binding) {
  as_input_error([&] { driver_.bind_texture(binding.unit, binding.header, binding.sampler); });
}

std::optional<std::string> DriverBackend::launch_error(const LaunchRequest& request) const {
  return g80::launch_error(config_, launch_shape(request));
}

LaunchResult DriverBackend::launch(const LaunchRequest& request) {
  hang_.reset();
  driver_.set_max_cycles(request.max_cycles);
  std::vector<std::uint8_t> args(request.params.size() * 4);
  if (!args.empty()) std::memcpy(args.data(), request.params.data(), args.size());
  probe_.begin(request);
  const WaitEnd end = as_input_error([&] {
    driver_.launch(request.kernel->name, {request.grid[0], request.grid[1], request.grid[2]},
                   {request.block[0], request.block[1], request.block[2]}, args, request.dynamic_shared);
    return driver_.wait();
  });
  const LaunchReport& report = driver_.last_launch();

  LaunchResult result;
  result.kernel = request.kernel->name;
  result.grid = request.grid;
  result.block = request.block;
  result.timed = true;
  result.shader_cycles = report.shader_cycles;
  result.picoseconds = report.record.ended - report.record.accepted;
  if (end == WaitEnd::kStopped) {
    result.end = hang_->end;
    result.message = hang_->message;
  } else if (report.record.outcome == LaunchOutcome::kFault) {
    result.end = LaunchEnd::kFault;
    result.message =
        describe_fault(report.record.fault, isa::Arch{static_cast<std::uint8_t>(config_.device.compute_minor)});
  } else if (end == WaitEnd::kMaxCycles || report.record.outcome == LaunchOutcome::kTimeout) {
    const std::optional<MachineProbe::Hang> livelock = probe_.livelock();
    result.end = livelock ? livelock->end : LaunchEnd::kMaxCycles;
    result.message =
        livelock ? livelock->message : fmt::format("stopped at the limit of {} shader cycles", request.max_cycles);
  }
  if (end != WaitEnd::kDone) {  // the launch never ended: its time is the limit or unknown, not a result
    result.shader_cycles = end == WaitEnd::kMaxCycles ? request.max_cycles : 0;
    result.picoseconds = 0;
  }
  probe_.end(result);
  return result;
}

}  // namespace g80
