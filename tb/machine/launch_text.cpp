// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/launch_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/isa/disassembler.h"

namespace g80 {

std::string fault_sentence(const Driver& driver, const KernelFault& fault, const FlightRecorder::Place& place,
                           isa::Arch arch) {
  const EnumText& names = enum_text(fault.kind);
  std::string kind = names.names[static_cast<unsigned>(fault.kind)];
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](unsigned char c) { return c == '_' ? ' ' : static_cast<char>(std::tolower(c)); });
  const LoadedKernel& loaded = *driver.last_launch().kernel;
  const std::vector<std::uint32_t>& code = loaded.kernel->code;
  const std::uint32_t pc = fault.origin.pc - loaded.start;
  std::uint32_t w0 = fault.words[0], w1 = fault.words[1];
  if (w0 == 0 && w1 == 0 && pc / 4 < code.size()) {
    w0 = code[pc / 4];
    w1 = isa::is_long(w0) && pc / 4 + 1 < code.size() ? code[pc / 4 + 1] : 0;
  }
  isa::Instruction insn;
  const isa::DecodeError error = isa::decode(w0, w1, arch, insn);
  std::string text = error == isa::DecodeError::kNone
                         ? isa::disassemble(insn)
                         : fmt::format("{:08x} {:08x} ({})", w0, w1, isa::decode_error_text(error));
  std::string out = fmt::format("{}: block ({},{}), warp {}, lane {}, pc 0x{:x}, `{}`{}", kind, place.x, place.y,
                                place.warp_in_block, fault.lane, pc, text, loaded.kernel->lines.remark(pc));
  const bool device_address = fault.kind == FaultKind::kPageNotPresent || fault.kind == FaultKind::kGlobalLimit ||
                              fault.kind == FaultKind::kMisalignedAddress;
  if (device_address || fault.kind == FaultKind::kSharedLimit || fault.kind == FaultKind::kLocalLimit) {
    out += fmt::format(", address 0x{:x}", fault.address);
  }
  if (fault.kind == FaultKind::kPageNotPresent || fault.kind == FaultKind::kGlobalLimit) {
    if (const Allocation* near = driver.allocation_at_or_below(fault.address)) {
      out += fmt::format(", {} bytes beyond the start of '{}' (0x{:x}, {} bytes)", fault.address - near->address,
                         near->name, near->address, near->bytes);
      if (near->mapping.bus != 0 && fault.address - near->address < near->bytes)
        out += "; host memory has no atomic operations";
    }
  }
  return out;
}

std::string barrier_defects(const LaunchResult& result) {
  std::uint64_t partial = 0, missed = 0;
  for (const SmCounters& sm : result.sms) {
    for (const NamedCount& counter : sm.other) {
      if (counter.first == "barriers_by_part_of_a_warp") partial += counter.second;
      if (counter.first == "barriers_missed_by_ended_warps") missed += counter.second;
    }
  }
  std::string out;
  if (partial != 0) out = fmt::format("error of the kernel: {} barriers executed by part of a warp", partial);
  if (missed != 0) {
    out += fmt::format("{} barriers opened although warps of the block had ended without reaching them, {} times",
                       out.empty() ? "error of the kernel:" : ";", missed);
  }
  return out;
}

LaunchOccupancy launch_occupancy(const Config& config, const LaunchShape& shape) {
  const auto shared_bytes = static_cast<std::uint32_t>(shape.shared_bytes);
  const Occupancy fits =
      occupancy(config, {shape.block[0] * shape.block[1] * shape.block[2], shape.registers_per_thread, shared_bytes});
  LaunchOccupancy out{fits.blocks,
                      fits.warps,
                      config.sm.max_warps,
                      shape.registers_per_thread,
                      shared_bytes,
                      std::string(to_text(fits.limit)),
                      {}};
  for (const auto& choice : choices(SmResource())) {
    out.blocks_by.emplace_back(std::string(choice.text), fits.blocks_by[static_cast<std::size_t>(choice.value)]);
  }
  return out;
}

}  // namespace g80
