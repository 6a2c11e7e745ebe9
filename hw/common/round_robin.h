// SPDX-License-Identifier: Apache-2.0
// The fair choice, of warps and of requesters.
#pragma once
#include <cstdint>

namespace g80 {

/// The first requester after `last` in circular order. `requests` is not empty.
inline unsigned pick_round_robin(std::uint32_t requests, unsigned last) {
  const std::uint32_t after = last >= 31 ? 0 : requests & (~std::uint32_t{0} << (last + 1));
  return static_cast<unsigned>(__builtin_ctz(after != 0 ? after : requests));
}

}  // namespace g80
