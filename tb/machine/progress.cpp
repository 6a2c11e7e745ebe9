// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace g80 {
namespace {

constexpr std::chrono::milliseconds kBetween{250};
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string progress_text(const std::string& what, const char* unit, std::uint64_t done, std::uint64_t total,
                          Cycle cycles, double seconds) {
  const std::string left =
      done == 0 ? "?" : duration_text(seconds * static_cast<double>(total - done) / static_cast<double>(done));
  return fmt::format("{}: {} of {} {}, {:.0f} k cycles/s, {} left", what, done, total, unit,
                     static_cast<double>(cycles) / seconds / 1000, left);
}

void Progress::begin(bool wanted, const std::string& what, const char* unit, std::uint64_t done, std::uint64_t total,
                     Cycle cycle) {
  active_ = wanted && isatty(STDERR_FILENO) != 0;
  written_ = false;
  what_ = what;
  unit_ = unit;
  done_before_ = done;
  total_ = total;
  begin_cycle_ = cycle;
  begin_ = last_ = Clock::now();
}

void Progress::report(std::uint64_t done, Cycle cycle) {
  const Clock::time_point now = Clock::now();
  if (now - last_ < kBetween) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  fmt::print(stderr, "{}{}", kClearLine,
             progress_text(what_, unit_, done - done_before_, total_, cycle - begin_cycle_, seconds));
  std::fflush(stderr);
  written_ = true;
}

void Progress::clear() {
  if (written_) fmt::print(stderr, "{}", kClearLine);
  written_ = false;
}

void Progress::end() {
  clear();
  active_ = false;
}

}  // namespace g80
