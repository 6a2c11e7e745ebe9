// SPDX-License-Identifier: Apache-2.0
// Progress of a launch or a copy, on a terminal only: blocks or megabytes done, speed, time left.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "hw/common/types.h"

namespace g80 {

/// "1:09", "2:03:04": minutes and seconds, with hours if there are any.
std::string duration_text(double seconds);

/// "vec_add: 512 of 1024 blocks, 457 k cycles/s, 1:20 left". The time left is that of the remaining units at the speed
/// so far; "?" until one is done. `seconds` is more than 0.
std::string progress_text(const std::string& what, const char* unit, std::uint64_t done, std::uint64_t total,
                          Cycle cycles, double seconds);

class Progress {
 public:
  ~Progress() { end(); }
  /// Starts at shader cycle `cycle`, when `done` units of earlier ones were done. Silent unless `wanted` and
  /// standard error is a terminal.
  void begin(bool wanted, const std::string& what, const char* unit, std::uint64_t done, std::uint64_t total,
             Cycle cycle);
  bool active() const { return active_; }
  /// Overwrites the previous line, a few times per second.
  void report(std::uint64_t done, Cycle cycle);
  /// Clears the line: something else is printed.
  void clear();
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  bool active_ = false, written_ = false;
  std::string what_;
  const char* unit_ = "";
  std::uint64_t done_before_ = 0, total_ = 0;
  Cycle begin_cycle_ = 0;
  Clock::time_point begin_, last_;
};

}  // namespace g80
