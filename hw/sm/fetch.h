// SPDX-License-Identifier: Apache-2.0
// Chooses, each scheduler cycle, the warp whose next instructions are fetched from the first-level instruction cache.
//
// A warp requests a fetch while its instruction buffer has room for a whole fetch, counting what is on the way. A
// redirect starts a new epoch: those who take decoded groups drop the replies of older epochs. An epoch's number comes
// back after 256 redirects; a warp waits with its fetches before a stale reply could be taken for one of them.
//
// From:  reconvergence_stack (redirect), instruction_buffer (levels), instruction_cache (ready), decode (groups done)
// To:    instruction_cache
#pragma once
#include "hw/bundles/launch_state.h"
#include "hw/bundles/sm_bundles.h"
#include "hw/cache/instruction_cache.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// The warp fetched for next: round robin from the one after `last`. This is where the fetching warp is decided.
std::optional<unsigned> pick_fetch(WarpMask wanting, unsigned last);

/// Bytes fetched from `address`: a whole aligned block, or after a jump into the middle of one the largest aligned
/// piece there. This is where the size of a fetch is decided.
std::uint32_t aligned_fetch_bytes(std::uint32_t address, std::uint32_t fetch_bytes);

struct FetchRegs {
  FetchRequest request;
  std::uint8_t last_warp = 0;
  WarpMask active = 0;                             // warps that run
  std::array<std::uint32_t, kMaxWarps> address{};  // of the next fetch
  std::array<std::uint8_t, kMaxWarps> epoch{};
  WarpMask in_flight = 0;                        // warps with a fetch of the present epoch not yet decoded
  std::array<std::uint8_t, kMaxWarps> stale{};   // fetches of older epochs not yet decoded,
  std::array<std::uint8_t, kMaxWarps> oldest{};  // ... none of them older than this epoch
  G80_FIELDS(request, (last_warp, 5), active, address, epoch, in_flight, stale, oldest);
};

class Fetch : public Clocked<FetchRegs> {
 public:
  Fetch(const sc_core::sc_module_name& name, const Config& config);

  In<LaunchState> launch_i{"launch_i"};
  In<Redirect> start_i{"start_i"};        // from cta_launcher
  In<Redirect> redirect_i{"redirect_i"};  // from reconvergence_stack
  In<BufferLevel> level_i{"level_i"};     // from instruction_buffer
  In<DecodedGroup> decoded_i{"decoded_i"};
  In<bool> cache_ready_i{"cache_ready_i"};
  Out<FetchRequest> request_o{"request_o"};

  /// The first instruction of a warp that is not decoded yet: the fetch in flight or else the next one begins with it.
  /// The warp has gone straight on since `from`, if it runs.
  std::uint32_t awaited_pc(unsigned warp, std::uint32_t from) const;

 protected:
  void next() override;
  void drive() override { request_o.write(q_.request); }
  void apply(const Redirect& redirect);

  const unsigned fetch_bytes_, max_group_, entries_;
};

}  // namespace g80
