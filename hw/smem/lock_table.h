// SPDX-License-Identifier: Apache-2.0
// The lock flags of an SM's shared memory: `ld lock` requests the flag of a word, `st unlock` releases it.
//
// A word's flag is its address modulo sm.lock_flags, so distant words, of other blocks too, share one. A warp holds at
// most sm.locks_per_warp flags. Requests do not wait: a lane that does not get the flag must try again. The warp that
// holds a flag releases it, or the end of the warp's block does; a plain store changes none.
#pragma once
#include <array>
#include <vector>

#include "hw/bundles/sm_bundles.h"
#include "hw/common/check.h"
#include "hw/common/limits.h"
#include "hw/config/config.h"

namespace g80 {

using HalfFlags = std::array<std::uint16_t, kHalfWarp>;  // lock flag of each lane's word

/// Which lanes of a pass get the lock they request: the lowest whose flags are free, one lane a flag, and no more than
/// the warp may still hold. This is where a lock is decided.
HalfMask grant_locks(HalfMask lanes, const HalfFlags& flag, HalfMask taken, unsigned allowed);

struct LockFlag {
  bool held = false;
  std::uint8_t warp = 0;   // that holds it
  std::uint16_t word = 0;  // that it was locked for
  G80_FIELDS(held, (warp, 5), (word, 12));
};

class LockTable {
 public:
  explicit LockTable(const Config& config);

  /// Lanes of a pass of `warp` that get the lock of the word at their byte address.
  HalfMask lock(unsigned warp, HalfMask lanes, const std::array<std::uint16_t, kHalfWarp>& address);
  /// Releases the flags of these lanes' words that `warp` holds.
  void unlock(unsigned warp, HalfMask lanes, const std::array<std::uint16_t, kHalfWarp>& address);
  void release(WarpMask warps);
  void clear() { release(~WarpMask{0}); }

  /// Warps that hold a lock.
  WarpMask holders() const;
  unsigned num_flags() const { return static_cast<unsigned>(flags_.size()); }
  /// What an RTL twin of this table holds.
  void show(unsigned flag, const LockFlag& holds);
  unsigned held(unsigned warp) const { return held_[warp]; }
  /// Calls f(byte address in the SM's shared memory) for each word that `warp` has locked.
  template <class F>
  void for_each_word(unsigned warp, F&& f) const {
    for (const LockFlag& flag : flags_) {
      if (flag.held && flag.warp == warp) f(4u * flag.word);
    }
  }

  G80_FIELDS((flag, flags_, 0), (held, held_, 6));

 private:
  unsigned flag_of(std::uint16_t address) const { return address / 4u & (num_flags() - 1); }

  const unsigned locks_per_warp_;
  std::vector<LockFlag> flags_;                 // a power of two
  std::array<std::uint8_t, kMaxWarps> held_{};  // flags of each warp
};

}  // namespace g80
