// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of every space.
#include <cstring>

#include "hw/common/set_bits.h"
#include "tb/golden/step.h"

namespace g80::golden {

using isa::Op;
using isa::OperandKind;

void Executor::memory(Step& s) {
  switch (s.insn.op) {
    case Op::kLdConst: load_const(s); break;
    case Op::kLdShared:
    case Op::kLdSharedLock:
    case Op::kStShared:
    case Op::kStSharedUnlock: shared_access(s); break;
    case Op::kLdLocal:
    case Op::kStLocal: local_access(s); break;
    default: global_access(s); break;
  }
  if (s.status == StepStatus::kStepped && s.insn.post_increment) post_increment(s);
}

/// Checks alignment and limits of all lanes of access_. Raises the fault of the first bad lane and returns false.
bool Executor::aligned_and_inside(Step& s, std::uint32_t size, bool is_write) {
  const std::uint32_t bytes = access_.bytes;
  std::uint32_t bad = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t a = access_.address[l];
    const bool wrong = (a & (bytes - 1)) != 0 || a >= size || size - a < bytes;
    bad |= wrong ? access_.lanes & kLaneBits.bit[l] : 0;
  }
  if (bad == 0) return true;
  const auto lane = static_cast<unsigned>(__builtin_ctz(bad));
  const std::uint32_t a = access_.address[lane];
  raise_access(s, (a & (bytes - 1)) != 0 ? FaultKind::kMisaligned : FaultKind::kOutOfBounds, access_.space, lane, a,
               bytes, is_write);
  return false;
}

/// Reads the registers of the data operand, low word first. Narrow stores use the low bits.
void Executor::gather_store_data(Step& s, unsigned slot) {
  const isa::Operand& operand = s.insn.src[slot];
  if (operand.kind == OperandKind::kHalf) {
    const LaneWords& whole = register_of(s.warp, operand.index / 2u);
    const unsigned shift = operand.index & 1u ? 16 : 0;
    for (unsigned l = 0; l < kWarpSize; ++l) access_.data[0][l] = whole[l] >> shift & 0xffffu;
    return;
  }
  for (unsigned i = 0; i < access_.words(); ++i) access_.data[i] = register_of(s.warp, operand.index + i);
  if (access_.bytes < 4) {
    const std::uint32_t mask = (1u << (8 * access_.bytes)) - 1;
    for (unsigned l = 0; l < kWarpSize; ++l) access_.data[0][l] &= mask;
  }
}

void Executor::deliver_load(Step& s) {
  extend(s.insn.mem_type, access_.data[0]);
  if (s.insn.dst.kind == OperandKind::kHalf) return write_half(s, access_.data[0]);
  const LaneWords* const values[4] = {&access_.data[0], &access_.data[1], &access_.data[2], &access_.data[3]};
  write_registers(s, values, access_.words());
}

void Executor::load_const(Step& s) {
  const isa::Operand& operand = s.insn.src[0];
  access_.kind = AccessKind::kLoad;
  access_.space = Space::kConst;
  access_.bytes = static_cast<std::uint8_t>(element_bytes(operand.type));
  access_.lanes = s.lanes;
  memory_addresses(s, operand, access_.address);
  if (!aligned_and_inside(s, 0x10000, false)) return;
  for (const unsigned l : set_bits(s.lanes)) {
    access_.data[0][l] = const_element(operand.bank, access_.address[l], access_.bytes);
  }
  s.record.access = &access_;
  deliver_load(s);
}

void Executor::shared_access(Step& s) {
  const Op op = s.insn.op;
  const bool is_store = op == Op::kStShared || op == Op::kStSharedUnlock;
  access_.kind = op == Op::kLdShared       ? AccessKind::kLoad
                 : op == Op::kLdSharedLock ? AccessKind::kLock
                 : op == Op::kStShared     ? AccessKind::kStore
                                           : AccessKind::kUnlock;
  access_.space = Space::kShared;
  access_.bytes = static_cast<std::uint8_t>(element_bytes(s.insn.src[0].type));
  access_.lanes = s.lanes;
  memory_addresses(s, s.insn.src[0], access_.address);
  if (!aligned_and_inside(s, static_cast<std::uint32_t>(s.block.shared.size()), is_store)) return;
  if (is_store) gather_store_data(s, 1);
  perform_shared(s);
  if (s.status != StepStatus::kStepped) return;
  s.record.access = &access_;
  if (op == Op::kLdSharedLock) {
    LaneFlags flags;
    for (unsigned l = 0; l < kWarpSize; ++l) flags[l] = access_.granted >> l & 1u ? kFlagsTrue : kFlagsFalse;
    write_flags(s, flags);
    s.lanes &= access_.granted;  // only lanes that got the lock receive data
    deliver_load(s);
    s.lanes = s.record.lanes;
    s.record.written_lanes = s.lanes;
  } else if (!is_store) {
    deliver_load(s);
  }
}

void Executor::perform_shared(Step& s) {
  if (s.port.external_shared()) {
    const PortStatus status = s.port.shared(access_);
    if (status == PortStatus::kNotReady) s.status = StepStatus::kNotReady;
    return;
  }
  std::uint8_t* const base = s.block.shared.data();
  const unsigned bytes = access_.bytes;
  switch (access_.kind) {
    case AccessKind::kLock: lock_shared(s); [[fallthrough]];
    case AccessKind::kLoad:
      for (const unsigned l : set_bits(access_.lanes)) {
        std::uint32_t raw = 0;
        std::memcpy(&raw, base + access_.address[l], bytes);
        access_.data[0][l] = raw;
      }
      break;
    default:
      for (const unsigned l : set_bits(access_.lanes))
        std::memcpy(base + access_.address[l], &access_.data[0][l], bytes);
      if (access_.kind == AccessKind::kUnlock) {
        for (const unsigned l : set_bits(access_.lanes)) s.block.locks.unlock(s.warp.index, access_.address[l]);
      }
      break;
  }
}

/// Grants locks in lane order, the lowest lane first.
void Executor::lock_shared(Step& s) {
  access_.granted = 0;
  for (const unsigned l : set_bits(access_.lanes)) {
    if (s.block.locks.lock(s.warp.index, access_.address[l])) access_.granted |= LaneMask{1} << l;
  }
}

void Executor::local_access(Step& s) {
  const bool is_store = s.insn.op == Op::kStLocal;
  access_.kind = is_store ? AccessKind::kStore : AccessKind::kLoad;
  access_.space = Space::kLocal;
  access_.bytes = static_cast<std::uint8_t>(element_bytes(s.insn.mem_type));
  access_.lanes = s.lanes;
  memory_addresses(s, s.insn.src[0], access_.address);
  if (!aligned_and_inside(s, launch_.local_bytes, is_store)) return;
  if (is_store) gather_store_data(s, 1);
  perform_local(s);
  s.record.access = &access_;
  if (!is_store) deliver_load(s);
}

/// The reference always has its own l[], also in lock-step: l[] is private to a thread, so no order matters.
void Executor::perform_local(Step& s) {
  const unsigned bytes = access_.bytes, step = bytes < 4 ? bytes : 4;
  for (const unsigned l : set_bits(access_.lanes)) {
    std::uint8_t* at = s.warp.local.data() + std::size_t{l} * launch_.local_bytes + access_.address[l];
    for (unsigned i = 0; i * step < bytes; ++i, at += step) {
      if (access_.kind == AccessKind::kStore) {
        std::memcpy(at, &access_.data[i][l], step);
      } else {
        access_.data[i][l] = 0;
        std::memcpy(&access_.data[i][l], at, step);
      }
    }
  }
}

void Executor::global_access(Step& s) {
  const Op op = s.insn.op;
  const bool is_load = op == Op::kLdGlobal, is_store = op == Op::kStGlobal;
  const GlobalSpace& space = launch_.global[s.insn.space];
  access_.kind = is_load          ? AccessKind::kLoad
                 : is_store       ? AccessKind::kStore
                 : op == Op::kRed ? AccessKind::kReduce
                                  : AccessKind::kAtomic;
  access_.space = Space::kGlobal;
  access_.global_space = s.insn.space;
  access_.bytes = static_cast<std::uint8_t>(element_bytes(s.insn.mem_type));
  access_.lanes = s.lanes;
  const LaneWords& pointer = register_of(s.warp, s.insn.src[0].index);
  const std::uint32_t bytes = access_.bytes;
  std::uint32_t misaligned = 0;
  LaneMask beyond = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t offset = pointer[l];
    access_.address[l] = space.base + offset;
    misaligned |= offset & (bytes - 1) ? s.lanes & kLaneBits.bit[l] : 0;
    beyond |= offset > space.limit || space.limit - offset < bytes - 1 ? s.lanes & kLaneBits.bit[l] : 0;
  }
  if (!space.enabled) beyond = s.lanes;
  if ((misaligned | beyond) != 0) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(misaligned | beyond));
    const FaultKind kind = misaligned >> lane & 1u ? FaultKind::kMisaligned
                           : space.enabled         ? FaultKind::kOutOfBounds
                                                   : FaultKind::kSpaceDisabled;
    return raise_access(s, kind, Space::kGlobal, lane, access_.address[lane], bytes, !is_load);
  }
  if (is_store) gather_store_data(s, 1);
  if (op == Op::kRed || op == Op::kAtom) {
    access_.atom_op = static_cast<std::uint8_t>(s.insn.atom_op);
    access_.atom_signed = s.insn.mem_type == isa::MemType::kS32;
    for (unsigned i = 0; i < bytes / 4; ++i) {
      access_.b[i] = register_of(s.warp, s.insn.src[1].index + i);
      if (s.insn.src[2].kind != OperandKind::kNone) access_.c[i] = register_of(s.warp, s.insn.src[2].index + i);
    }
  }
  unsigned fault_lane = 0;
  switch (s.port.global(access_, fault_lane)) {
    case PortStatus::kDone: break;
    case PortStatus::kNotReady: s.status = StepStatus::kNotReady; return;
    case PortStatus::kFault:
      return raise_access(s, FaultKind::kOutOfBounds, Space::kGlobal, fault_lane, access_.address[fault_lane], bytes,
                          !is_load);
  }
  s.record.access = &access_;
  if (is_load || op == Op::kAtom) deliver_load(s);
}

}  // namespace g80::golden
