// SPDX-License-Identifier: Apache-2.0
// Bundles between a partition and its DRAM controller.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

inline constexpr unsigned kMaxBurstBytes = 64;

/// One burst that the partition requests. Bursts of the same sector are executed in the order they were sent.
struct DramRequest {
  bool write = false;
  std::uint8_t slot = 0;   // the partition's transaction
  std::uint8_t burst = 0;  // which burst of it
  Tag tag;
  std::uint32_t local = 0;  // in-partition byte address, aligned to the burst
  std::uint64_t byte_enable = 0;
  std::array<std::uint32_t, kMaxBurstBytes / 4> data{};
  G80_FIELDS(write, slot, (burst, 2), (uid, tag.bits, 0), local, byte_enable, data);
};

/// A burst's data, or the acknowledgement that a write is in the cells.
struct DramReply {
  bool write = false;
  std::uint8_t slot = 0;
  std::uint8_t burst = 0;
  Tag tag;
  std::array<std::uint32_t, kMaxBurstBytes / 4> data{};
  G80_FIELDS(write, slot, (burst, 2), (uid, tag.bits, 0), data);
};

}  // namespace g80
