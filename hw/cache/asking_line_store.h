// SPDX-License-Identifier: Apache-2.0
// A line store whose misses are asked of another cache: of the constant and instruction caches, at every level.
//
// Not a module: a miss makes its request here, once for each line on its way; when it leaves is the owner's.
#pragma once
#include "hw/cache/line_store.h"
#include "hw/common/fifo.h"

namespace g80 {

template <class Waiter, unsigned kEntries, unsigned kWaiters>
class AskingLineStore : public LineStore<Waiter, kEntries, kWaiters> {
  using Base = LineStore<Waiter, kEntries, kWaiters>;

 public:
  AskingLineStore(unsigned bytes, unsigned ways, unsigned line_bytes, unsigned mshrs)
      : Base(bytes, ways, line_bytes, mshrs), line_bytes_(static_cast<std::uint8_t>(line_bytes)) {}

  void reset() {
    Base::reset();
    requests_.clear();
  }

  /// Makes `waiter` wait for the line that holds `address`, unless there is no place to. Where the line is not on its
  /// way, it is asked for; `request` says for whom.
  MissAction ask(std::uint32_t address, const Waiter& waiter, LineRequest request) {
    const MissDecision miss = Base::miss(address);
    if (miss.action == MissAction::kStall) return miss.action;
    Base::wait(miss, address, waiter);
    if (miss.action == MissAction::kAllocate) {
      request.valid = true;
      request.id = miss.entry;
      request.bytes = line_bytes_;
      request.address = Base::line_address(address);
      requests_.push(request);
    }
    return miss.action;
  }
  /// Requests that have not left.
  bool has_request() const { return !requests_.empty(); }
  LineRequest take_request() {
    const LineRequest request = requests_.front();
    requests_.pop();
    return request;
  }

 private:
  const std::uint8_t line_bytes_;
  Fifo<LineRequest, kEntries> requests_;
};

}  // namespace g80
