// SPDX-License-Identifier: Apache-2.0
// Performs global accesses on a memory image; lanes of one access act in ascending order.
#include "tb/golden/image_port.h"

#include <algorithm>
#include <cstring>

#include "hw/common/set_bits.h"
#include "tb/golden/semantics.h"
#include "tb/golden/step.h"

namespace g80::golden {

PortStatus ImagePort::global(MemoryAccess& access, unsigned& fault_lane) {
  LaneMask outside = 0;
  for (const unsigned l : set_bits(access.lanes)) {
    outside |= image_.contains(access.address[l], access.bytes) ? 0 : LaneMask{1} << l;
  }
  if (outside != 0) {
    fault_lane = static_cast<unsigned>(__builtin_ctz(outside));
    return PortStatus::kFault;
  }
  switch (access.kind) {
    case AccessKind::kLoad: load(access); break;
    case AccessKind::kStore:
      switch (access.bytes) {
        case 1: store<1>(access); break;
        case 2: store<2>(access); break;
        case 4: store<4>(access); break;
        case 8: store<8>(access); break;
        default: store<16>(access); break;
      }
      break;
    default: atomic(access); break;
  }
  return PortStatus::kDone;
}

PortStatus ImagePort::shared(MemoryAccess&) { return PortStatus::kDone; }  // the executor's own array serves s[]

void ImagePort::load(MemoryAccess& access) {
  if (access.bytes == 4) {  // by far the most common size
    for (const unsigned l : set_bits(access.lanes)) access.data[0][l] = image_.word(access.address[l]);
    return;
  }
  const unsigned step = access.bytes < 4 ? access.bytes : 4;
  for (const unsigned l : set_bits(access.lanes)) {
    const std::uint8_t* at = image_.at(access.address[l]);
    for (unsigned i = 0; i * step < access.bytes; ++i, at += step) {
      std::uint32_t raw = 0;
      std::memcpy(&raw, at, step);
      access.data[i][l] = raw;
    }
  }
}

template <unsigned kBytes>
void ImagePort::store(const MemoryAccess& access) {
  constexpr unsigned kStep = std::min(kBytes, 4u);
  bool changes = false;
  for (const unsigned l : set_bits(access.lanes)) {
    std::uint8_t* const at = image_.at(access.address[l]);
    for (unsigned i = 0; i * kStep < kBytes; ++i) {
      changes |= std::memcmp(at + i * kStep, &access.data[i][l], kStep) != 0;
      std::memcpy(at + i * kStep, &access.data[i][l], kStep);
    }
  }
  changes_ += changes ? 1 : 0;
}

void ImagePort::atomic(MemoryAccess& access) {
  for (const unsigned l : set_bits(access.lanes)) {
    const std::uint32_t a = access.address[l];
    if (access.bytes == 4) {
      const std::uint32_t old_value = image_.word(a);
      access.data[0][l] = old_value;
      const std::uint32_t value =
          atomic32(access.atom_op, access.atom_signed, old_value, access.b[0][l], access.c[0][l]);
      changes_ += value != old_value ? 1 : 0;
      image_.set_word(a, value);
      continue;
    }
    std::uint64_t old_value;
    std::memcpy(&old_value, image_.at(a), sizeof old_value);
    const auto wide = [l](const LaneWords(&w)[2]) { return std::uint64_t{w[1][l]} << 32 | w[0][l]; };
    const std::uint64_t value = atomic64(access.atom_op, old_value, wide(access.b), wide(access.c));
    changes_ += value != old_value ? 1 : 0;
    std::memcpy(image_.at(a), &value, sizeof value);
    access.data[0][l] = static_cast<std::uint32_t>(old_value);
    access.data[1][l] = static_cast<std::uint32_t>(old_value >> 32);
  }
}

bool ImagePort::texture_read(std::uint32_t address, unsigned bytes, void* out) {
  if (!image_.contains(address, bytes)) return false;
  std::memcpy(out, image_.at(address), bytes);
  return true;
}

}  // namespace g80::golden
