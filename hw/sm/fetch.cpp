// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/fetch.h"

#include <algorithm>

#include "hw/common/round_robin.h"
#include "hw/common/set_bits.h"

namespace g80 {

std::optional<unsigned> pick_fetch(WarpMask wanting, unsigned last) {
  return wanting != 0 ? std::optional(pick_round_robin(wanting, last)) : std::nullopt;
}

std::uint32_t aligned_fetch_bytes(std::uint32_t address, std::uint32_t fetch_bytes) {
  return address % fetch_bytes == 0 ? fetch_bytes : address & (~address + 1);
}

Fetch::Fetch(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      fetch_bytes_(config.sm.fetch_bytes),
      max_group_(config.sm.fetch_bytes / 4),
      entries_(config.sm.ibuffer_entries) {}

std::uint32_t Fetch::awaited_pc(unsigned warp, std::uint32_t from) const {
  if ((q_.active >> warp & 1) == 0) return from;
  const std::uint32_t behind = q_.address[warp] - launch_i.read().code_base;
  if ((q_.in_flight >> warp & 1) == 0) return behind;
  std::uint32_t pc = std::max(from, (behind - 1) / fetch_bytes_ * fetch_bytes_);
  while (pc + aligned_fetch_bytes(pc, fetch_bytes_) < behind) pc += aligned_fetch_bytes(pc, fetch_bytes_);
  return pc;
}

void Fetch::apply(const Redirect& redirect) {
  if (!redirect.valid) return;
  const unsigned w = redirect.warp;
  const bool withdrawn = d_.request.valid && d_.request.warp == w;
  if ((d_.in_flight >> w & 1) != 0 && !withdrawn && d_.stale[w]++ == 0) d_.oldest[w] = d_.epoch[w];
  ++d_.epoch[w];
  d_.in_flight &= ~(WarpMask{1} << w);
  d_.address[w] = launch_i.read().code_base + redirect.pc;
  if (redirect.kind == RedirectKind::kStop) {
    d_.active &= ~(WarpMask{1} << w);
  } else {
    d_.active |= WarpMask{1} << w;
  }
}

void Fetch::next() {
  const DecodedGroup& decoded = decoded_i.read();
  const bool arriving = decoded.valid && decoded.epoch == q_.epoch[decoded.warp];
  if (arriving) d_.in_flight &= ~(WarpMask{1} << decoded.warp);
  if (decoded.valid && !arriving) {
    CHECK(d_.stale[decoded.warp] > 0, "{}: warp {} gets instructions that it has not fetched", name(), decoded.warp);
    --d_.stale[decoded.warp];
  }
  if (q_.request.valid && cache_ready_i.read()) d_.request.valid = false;  // taken
  apply(start_i.read());
  apply(redirect_i.read());
  if (d_.request.valid && d_.epoch[d_.request.warp] != d_.request.epoch)
    d_.request.valid = false;  // a redirect has made the request stale

  if (!d_.request.valid) {
    const BufferLevel& level = level_i.read();
    // At most one fetch of a warp is in flight, because replies for different lines may overtake each other.
    WarpMask room = level.room;
    if (arriving && level.count[decoded.warp] + decoded.count + max_group_ > entries_)
      room &= ~(WarpMask{1} << decoded.warp);
    // A redirect empties the warp's buffer at this edge, so it has room.
    for (const Redirect* redirect : {&start_i.read(), &redirect_i.read()}) {
      if (redirect->valid) room |= WarpMask{1} << redirect->warp;
    }
    WarpMask wanting = d_.active & ~d_.in_flight & room;
    // Half of the epochs are in reserve for redirects without a fetch between them: the end of a warp, and its start.
    for (const unsigned w : set_bits(wanting)) {
      if (d_.stale[w] != 0 && ((d_.epoch[w] - d_.oldest[w]) & 0x80) != 0) wanting &= ~(WarpMask{1} << w);
    }
    if (const auto warp = pick_fetch(wanting, q_.last_warp)) {
      const unsigned w = *warp;
      const std::uint32_t address = d_.address[w];
      const std::uint32_t bytes = aligned_fetch_bytes(address, fetch_bytes_);
      d_.request = {};
      d_.request.valid = true;
      d_.request.warp = static_cast<std::uint8_t>(w);
      d_.request.epoch = d_.epoch[w];
      d_.request.address = address;
      d_.request.bytes = static_cast<std::uint8_t>(bytes);
      d_.address[w] = address + bytes;
      d_.in_flight |= WarpMask{1} << w;
      d_.last_warp = static_cast<std::uint8_t>(w);
    } else if (!arriving) {  // else there may be room behind it
      sleep();
    }
  } else {
    sleep();  // the cache's ready wire wakes us
  }
}

}  // namespace g80
