// SPDX-License-Identifier: Apache-2.0
// The work of streams: launches and copies that the device has still to do, in the order of the calls.
//
// A chip with host.copy_channel has a channel for launches and one for copies; each takes its work in the order of the
// calls, when the work before it in its stream has ended. So a copy runs beside the kernel of another stream, and a
// later piece of work never overtakes an earlier one of its channel, as on the chip. Other chips take all in one order.
// The work of stream 0 waits for all before it, in every stream, and all after it waits for it.
// Modelled time passes only while the program waits or asks, because its own time is not modelled.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "tb/scenario/backend.h"

namespace g80::cuda {

/// A stop in the order of the work: everything up to these numbers of launches and copies.
struct WorkPoint {
  std::uint64_t launches = 0, copies = 0;
  void merge(const WorkPoint& other) {
    launches = launches > other.launches ? launches : other.launches;
    copies = copies > other.copies ? copies : other.copies;
  }
};

class StreamWork {
 public:
  /// Starts and ends a launch: the device's part of it. `end` returns false if the kernel failed.
  struct LaunchSteps {
    std::function<void()> start;
    std::function<bool(LaunchResult&&)> end;
  };
  /// Lets the machine work, as Backend::run_started() does.
  using Run = std::function<Backend::Ended(bool wait)>;
  using Machine = std::function<Backend&()>;

  StreamWork(Machine machine, Run run, bool copies_beside_kernels)
      : machine_(std::move(machine)), run_(std::move(run)), copies_beside_kernels_(copies_beside_kernels) {}

  /// Adds work to a stream, whose work so far `after` includes; nullptr: to stream 0.
  void add(LaunchSteps launch, WorkPoint* after);
  void add(const Backend::HostCopy& copy, WorkPoint* after);
  /// All work so far. Work that comes later waits for it.
  WorkPoint barrier() { return barrier_ = issued(); }
  /// What the next work of a stream waits for; nullptr: of stream 0.
  WorkPoint before_next(const WorkPoint* after) const;

  bool empty() const { return launches_.empty() && copies_.empty(); }
  bool done(const WorkPoint& point) const {
    return point.launches <= launch_ends_.size() && point.copies <= copy_ends_.size();
  }
  /// When the last of this work ended; 0 if there is none.
  std::uint64_t end_of(const WorkPoint& point) const;
  /// Lets the device work until the point is done. False if a kernel failed: the rest of the work is given up.
  bool finish(const WorkPoint& point);
  bool finish_all() { return finish(issued()); }
  /// Lets the device work for a short time, as long as a look at the device takes. False as for finish().
  bool look();

 private:
  template <class What>
  struct Work {
    What what;
    WorkPoint after;
    bool started = false;
  };
  WorkPoint issued() const { return {launch_ends_.size() + launches_.size(), copy_ends_.size() + copies_.size()}; }
  WorkPoint take_place(WorkPoint* after, std::uint64_t WorkPoint::*channel);
  void start_ready();
  bool advance(bool wait);
  bool take_ended(Backend::Ended ended);
  void give_up();

  Machine machine_;
  Run run_;
  const bool copies_beside_kernels_;
  std::deque<Work<LaunchSteps>> launches_;
  std::deque<Work<Backend::HostCopy>> copies_;
  std::vector<std::uint64_t> launch_ends_, copy_ends_;  // picoseconds, of the work that has ended
  WorkPoint barrier_;
};

}  // namespace g80::cuda

struct CUstream_st {
  g80::cuda::WorkPoint after;  // its work so far
};

namespace g80::cuda {

/// For StreamWork::add().
inline WorkPoint* work_of(CUstream_st* stream) { return stream == nullptr ? nullptr : &stream->after; }

}  // namespace g80::cuda
