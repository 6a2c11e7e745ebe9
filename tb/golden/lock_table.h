// SPDX-License-Identifier: Apache-2.0
// The locked words of s[] in the reference: a list of locks and their owners.
//
// Words whose numbers are equal modulo Launch::lock_flags share a lock; a warp holds at most Launch::locks_per_warp.
// The caller decides the order of requests: lane by lane in a stand-alone run, in the order of the machine's passes in
// lock-step.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace g80::golden {

class LockTable {
 public:
  void start(unsigned flags, unsigned per_warp) {
    flags_ = flags;
    per_warp_ = per_warp;
    held_.clear();
  }
  /// A lane of `warp` requests the lock of the word at a byte address; true if it gets it.
  bool lock(unsigned warp, std::uint32_t address) {
    const std::uint32_t flag = address / 4 % flags_;
    const auto mine = std::count_if(held_.begin(), held_.end(), [&](const Held& held) { return held.warp == warp; });
    const bool free = std::none_of(held_.begin(), held_.end(), [&](const Held& held) { return held.flag == flag; });
    if (!free || static_cast<unsigned>(mine) >= per_warp_) return false;
    held_.push_back({flag, warp});
    return true;
  }
  /// A lane of `warp` releases the lock of the word, if its warp holds it.
  void unlock(unsigned warp, std::uint32_t address) {
    const std::uint32_t flag = address / 4 % flags_;
    forget([&](const Held& held) { return held.flag == flag && held.warp == warp; });
  }
  /// Calls `visit` with the number and the owner of each lock that is held.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Held& held : held_) visit(held.flag, held.warp);
  }
  /// The warp has ended.
  void release(unsigned warp) {
    forget([&](const Held& held) { return held.warp == warp; });
  }

 private:
  struct Held {
    std::uint32_t flag;
    unsigned warp;
  };
  template <class Predicate>
  void forget(Predicate&& gone) {
    held_.erase(std::remove_if(held_.begin(), held_.end(), gone), held_.end());
  }

  unsigned flags_ = 1, per_warp_ = 1;
  std::vector<Held> held_;
};

}  // namespace g80::golden
