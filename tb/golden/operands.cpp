// SPDX-License-Identifier: Apache-2.0
// Operand fetch and writeback.
#include <cstring>

#include "hw/common/set_bits.h"
#include "tb/golden/step.h"

namespace g80::golden {
namespace {

using isa::MemType;
using isa::Operand;
using isa::OperandKind;

void broadcast(LaneWords& out, std::uint32_t value) {
  for (unsigned l = 0; l < kWarpSize; ++l) out[l] = value;
}

}  // namespace

std::uint32_t extend(MemType type, std::uint32_t raw) {
  switch (type) {
    case MemType::kS8: return static_cast<std::uint32_t>(static_cast<std::int8_t>(raw));
    case MemType::kS16: return static_cast<std::uint32_t>(static_cast<std::int16_t>(raw));
    default: return raw;
  }
}

void extend(MemType type, LaneWords& words) {
  if (type != MemType::kS8 && type != MemType::kS16) return;
  for (unsigned l = 0; l < kWarpSize; ++l) words[l] = extend(type, words[l]);
}

void Executor::fetch(Step& s) {
  for (unsigned i = 0; i < s.d.num_sources && s.status == StepStatus::kStepped; ++i) fetch_operand(s, i);
  if (s.d.reads_flags_as_data) in_.flags = s.warp.c[s.insn.flag_src];
}

void Executor::fetch_operand(Step& s, unsigned slot) {
  const Operand& operand = s.insn.src[slot];
  LaneWords& out = in_.s[slot];
  switch (operand.kind) {
    case OperandKind::kReg: out = register_of(s.warp, operand.index); break;
    case OperandKind::kHalf: {
      const LaneWords& whole = register_of(s.warp, operand.index / 2u);
      if (operand.index & 1u) {
        for (unsigned l = 0; l < kWarpSize; ++l) out[l] = whole[l] >> 16;
      } else {
        for (unsigned l = 0; l < kWarpSize; ++l) out[l] = whole[l] & 0xffffu;
      }
      break;
    }
    case OperandKind::kPair:
      out = register_of(s.warp, operand.index);
      in_.hi[slot] = register_of(s.warp, operand.index + 1u);
      break;
    case OperandKind::kImm: broadcast(out, s.insn.immediate); break;
    case OperandKind::kShared: fetch_shared(s, operand, out); break;
    case OperandKind::kConst: fetch_const(s, operand, out); break;
    case OperandKind::kAddr:
      for (unsigned l = 0; l < kWarpSize; ++l) {
        out[l] = operand.index < kNumAddressRegisters ? s.warp.a[operand.index][l] : 0;
      }
      break;
    case OperandKind::kSpecial:
      for (unsigned l = 0; l < kWarpSize; ++l) out[l] = special_value(operand.index, l);
      break;
    default: break;
  }
}

std::uint32_t Executor::special_value(unsigned index, unsigned lane) const {
  constexpr unsigned kPhysid = 0, kClock = 1, kPm0 = 4, kPm3 = 7;
  if (index == kPhysid) return special.physid + lane;
  if (index == kClock) return special.clock;
  if (index >= kPm0 && index <= kPm3) return special.pm[index - kPm0];
  return 0;
}

/// 16-bit byte addresses of the instruction's memory operand in every lane.
void Executor::memory_addresses(const Step& s, const Operand& operand, LaneWords& out) const {
  const std::uint32_t offset = s.insn.post_increment ? 0 : operand.offset;
  if (s.insn.addr_reg == 0 || s.insn.addr_reg >= kNumAddressRegisters) {
    broadcast(out, offset);
    return;
  }
  const LaneHalves& a = s.warp.a[s.insn.addr_reg];
  for (unsigned l = 0; l < kWarpSize; ++l) out[l] = (a[l] + offset) & 0xffffu;
}

void Executor::fetch_shared(Step& s, const Operand& operand, LaneWords& out) {
  access_.kind = AccessKind::kLoad;
  access_.space = Space::kShared;
  access_.bytes = static_cast<std::uint8_t>(element_bytes(operand.type));
  access_.lanes = s.lanes;
  memory_addresses(s, operand, access_.address);
  if (!s.port.external_shared() && s.insn.addr_reg == 0) {  // all lanes read the same element
    const std::uint32_t address = access_.address[0];
    if (address % access_.bytes == 0 && address + access_.bytes <= s.block.shared.size()) {
      std::uint32_t raw = 0;
      std::memcpy(&raw, &s.block.shared[address], access_.bytes);
      broadcast(out, extend(operand.type, raw));
      return;
    }
  }
  if (!aligned_and_inside(s, static_cast<std::uint32_t>(s.block.shared.size()), false)) return;
  perform_shared(s);
  s.record.access = &access_;
  out = access_.data[0];
  extend(operand.type, out);
}

/// An element of a constant bank; beyond the bank's end it reads zero.
std::uint32_t Executor::const_element(unsigned bank, std::uint32_t address, unsigned bytes) const {
  const auto& data = launch_.constant[bank];
  if (address + bytes > data.size()) return 0;
  std::uint32_t raw = 0;
  std::memcpy(&raw, &data[address], bytes);
  return raw;
}

void Executor::fetch_const(Step& s, const Operand& operand, LaneWords& out) {
  const unsigned bytes = element_bytes(operand.type);
  if (s.d.has_shared_operand || s.insn.addr_reg == 0) {  // the address register belongs to s[]
    broadcast(out, const_element(operand.bank, operand.offset, bytes));
    return;
  }
  LaneWords address;
  memory_addresses(s, operand, address);
  for (const unsigned l : set_bits(s.lanes)) {
    if (address[l] % bytes != 0 && s.status == StepStatus::kStepped) {
      raise_access(s, FaultKind::kMisaligned, Space::kConst, l, address[l], bytes, false);
    }
    out[l] = const_element(operand.bank, address[l], bytes);
  }
}

void Executor::write_registers(Step& s, const LaneWords* const* values, unsigned count) {
  const unsigned first = s.insn.dst.index;
  for (unsigned i = 0; i < count; ++i) {
    if (first + i < s.warp.r.size()) merge(s.warp.r[first + i], *values[i], s.lanes);
  }
  s.record.first_register = static_cast<std::uint8_t>(first);
  s.record.num_registers = static_cast<std::uint8_t>(count);
  s.record.written_lanes = s.lanes;
}

void Executor::write_half(Step& s, const LaneWords& value) {
  const unsigned index = s.insn.dst.index / 2u;
  const unsigned shift = s.insn.dst.index & 1u ? 16 : 0;
  if (index < s.warp.r.size()) {
    LaneWords merged;
    const LaneWords& old = s.warp.r[index];
    for (unsigned l = 0; l < kWarpSize; ++l) {
      merged[l] = (old[l] & ~(0xffffu << shift)) | (value[l] & 0xffffu) << shift;
    }
    merge(s.warp.r[index], merged, s.lanes);
  }
  s.record.first_register = static_cast<std::uint8_t>(index);
  s.record.num_registers = 1;
  s.record.written_lanes = s.lanes;
}

void Executor::write_address(Step& s, const LaneWords& value) {
  const unsigned index = s.insn.dst.index;
  s.record.written_lanes = s.lanes;
  if (index == 0 || index >= kNumAddressRegisters) return;
  LaneHalves& a = s.warp.a[index];
  if (s.lanes == kAllLanes) {
    for (unsigned l = 0; l < kWarpSize; ++l) a[l] = static_cast<std::uint16_t>(value[l]);
  } else {
    for (const unsigned l : set_bits(s.lanes)) a[l] = static_cast<std::uint16_t>(value[l]);
  }
  s.record.address_written = static_cast<std::int8_t>(index);
}

void Executor::write_flags(Step& s, const LaneFlags& flags) {
  LaneFlags& c = s.warp.c[s.insn.flag_dst];
  if (s.lanes == kAllLanes) {
    c = flags;
  } else {
    for (const unsigned l : set_bits(s.lanes)) c[l] = flags[l];
  }
  s.record.flags_written = static_cast<std::int8_t>(s.insn.flag_dst);
  s.record.written_lanes = s.lanes;
}

void Executor::post_increment(Step& s) {
  if (s.insn.addr_reg == 0 || s.insn.addr_reg >= kNumAddressRegisters) return;
  LaneHalves& a = s.warp.a[s.insn.addr_reg];
  for (const unsigned l : set_bits(s.lanes)) a[l] = static_cast<std::uint16_t>(a[l] + s.insn.increment);
  s.record.address_written = static_cast<std::int8_t>(s.insn.addr_reg);
  s.record.written_lanes = s.lanes;
}

}  // namespace g80::golden
