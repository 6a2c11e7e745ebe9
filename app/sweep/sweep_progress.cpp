// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/sweep_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/run/terminal.h"
#include "tb/machine/progress.h"

namespace g80 {
namespace {

constexpr std::chrono::milliseconds kBetweenTables{200};
constexpr std::size_t kMostRunning = 16, kMostNotes = 5;  // lines of the table

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string cycles_text(const SweepOutcome& outcome) {
  std::string text;
  for (const auto& [name, value] : outcome.numbers) {
    if (name == "shader_cycles") text += fmt::format("{:.0f} cycles, ", value);
    if (name == "executing_cycles") text += fmt::format("{:.0f} executing, ", value);
  }
  return text;
}

}  // namespace

void TimeLeft::ended(std::uint32_t kernel, double seconds) {
  known_[kernel].first += seconds;
  ++known_[kernel].second;
}

double TimeLeft::seconds(const std::map<std::uint32_t, std::uint64_t>& left, unsigned processes) const {
  double sum = 0, count = 0;
  for (const auto& [kernel, known] : known_) {
    sum += known.first;
    count += static_cast<double>(known.second);
  }
  if (count == 0) return -1;
  double total = 0;
  for (const auto& [kernel, runs] : left) {
    const auto known = known_.find(kernel);
    const double mean =
        known == known_.end() ? sum / count : known->second.first / static_cast<double>(known->second.second);
    total += mean * static_cast<double>(runs);
  }
  return total / std::max(1u, processes);
}

SweepProgress::SweepProgress(const SweepPlan& plan, const std::vector<const SweepPoint*>& to_do, std::uint64_t total,
                             bool quiet, unsigned processes)
    : plan_(plan),
      total_(total),
      done_(total - to_do.size()),
      quiet_(quiet),
      live_(!quiet && ::isatty(STDOUT_FILENO) != 0),
      processes_(processes) {
  for (const SweepPoint* const point : to_do) ++left_[point->kernel];
  if (done_ != 0 && !quiet_) fmt::print("{} of {} runs have a result already\n", done_, total_);
}

SweepProgress::~SweepProgress() { clear(); }

void SweepProgress::started(const SweepPoint& point) {
  running_[&point] = Clock::now();
  tick();
}

void SweepProgress::ended(const SweepPoint& point, const SweepOutcome& outcome) {
  running_.erase(&point);
  ++done_;
  --left_[point.kernel];
  time_left_.ended(point.kernel, outcome.seconds);
  const std::string line = fmt::format("[{}/{}] {}: {}, {}{:.1f} s", done_, total_, plan_.label(point), outcome.verdict,
                                       cycles_text(outcome), outcome.seconds);
  if (!outcome.as_expected) ++unexpected_;
  if (!quiet_ && !live_) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
  } else if (live_ && !outcome.as_expected) {
    note(coloured(line, Colour::kRed, STDOUT_FILENO));
  }
  tick();
}

void SweepProgress::note(const std::string& sentence) {
  if (live_) {
    notes_.push_back(sentence);
    if (notes_.size() > kMostNotes) notes_.erase(notes_.begin());
    draw();
  } else if (!quiet_) {
    fmt::print("{}\n", sentence);
    std::fflush(stdout);
  }
}

void SweepProgress::tick() {
  if (live_ && Clock::now() - last_ >= kBetweenTables) draw();
}

std::string SweepProgress::head() const {
  constexpr std::uint64_t kBar = 24;
  const std::uint64_t filled = total_ == 0 ? 0 : done_ * kBar / total_;
  const double left = time_left_.seconds(left_, processes_);
  return fmt::format("{} [{}{}] {} of {}{}, {} left", plan_.name, std::string(filled, '#'),
                     std::string(kBar - filled, '.'), done_, total_,
                     unexpected_ == 0 ? "" : fmt::format(", {} not as expected", unexpected_),
                     left < 0 ? "?" : duration_text(left));
}

void SweepProgress::draw() {
  clear();
  const std::size_t width = terminal_width(STDOUT_FILENO);
  const auto line = [&](std::string text) {
    if (text.size() >= width && text.find('\x1b') == std::string::npos) text.resize(width - 1);
    fmt::print("{}\n", text);
    ++drawn_;
  };
  line(head());
  std::size_t shown = 0;
  for (const auto& [point, begin] : running_) {
    if (shown++ == kMostRunning) {
      line(fmt::format("  and {} more", running_.size() - kMostRunning));
      break;
    }
    line(fmt::format("  {:>7}  {}", duration_text(seconds_since(begin)), plan_.label(*point)));
  }
  for (const std::string& sentence : notes_) line(sentence);
  std::fflush(stdout);
  last_ = Clock::now();
}

void SweepProgress::clear() {
  if (drawn_ != 0) fmt::print("\x1b[{}A\x1b[J", drawn_);
  drawn_ = 0;
  std::fflush(stdout);
}

}  // namespace g80
