// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/wave_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "hw/common/check.h"

namespace g80 {

std::atomic<bool> WaveSink::close_requested_{false};

namespace {

// 2^40 cycles of the fastest clock are ten minutes of simulated time.
constexpr unsigned kCycleBits = 40;

constexpr std::size_t kSoon = 4, kSooner = 2;  // marked objects ahead

Picoseconds now() { return sc_core::sc_time_stamp().value(); }

Picoseconds falling_edge(double mhz, Cycle edge) {
  return (Domain::edge_time(mhz, edge) + Domain::edge_time(mhz, edge + 1)) / 2;
}

}  // namespace

std::string clock_name(const Domain& domain) {
  const std::string name = domain.name();
  const std::size_t dot = name.rfind('.');
  std::string base = dot == std::string::npos ? name : name.substr(dot + 1);
  if (base.size() > 4 && base.compare(base.size() - 4, 4, "_clk") == 0) base.resize(base.size() - 4);
  return base;
}

ClockSignals declare_clock(SignalTable& table, const Domain& domain) {
  const std::string base = clock_name(domain);
  ClockSignals signals{};
  signals.clk = table.add_signal("clocks", base + "_clk", 1);
  signals.cycle = table.add_signal("clocks", base + "_cycle", kCycleBits);
  signals.rst_n = table.add_signal("clocks", base + "_rst_n", 1);
  signals.issue_en = domain.has_half_rate() ? table.add_signal("clocks", base + "_issue_en", 1) : ClockSignals::kNone;
  return signals;
}

WaveSink::WaveSink(const WaveOptions& options, std::vector<Domain*> domains)
    : options_(options),
      domains_(std::move(domains)),
      file_(TraceFile::create(options.file)),
      temporary_(options.file + ".part"),
      table_(options.level == WaveLevel::kMemories) {
  CHECK(!domains_.empty() || (options_.from == 0 && options_.to == WaveOptions::kToTheEnd),
        "a window is counted in cycles of a clock domain");
  if (options_.to < options_.from) {
    throw WaveError(
        fmt::format("the wave window ends at cycle {}, before its begin at cycle {}", options_.to, options_.from));
  }
}

WaveSink::~WaveSink() {
  try {
    close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", options_.file.c_str(), error.what());
  }
}

void WaveSink::open() {
  CHECK(state_ == State::kNew, "waves are opened once");
  close_requested_.store(false, std::memory_order_relaxed);
  for (const Domain* domain : domains_) {
    clocks_.push_back({domain, domain->mhz(), true, declare_clock(table_, *domain), 0, false, 0, {}, ~0u});
  }
  const std::vector<Traceable*> items = collect_items({options_.scopes, options_.level, options_.architecture});
  for (Traceable* item : items) {
    if (!table_.add_item(*item)) continue;
    auto* const low = dynamic_cast<LowPhase*>(item);
    if (low == nullptr) continue;
    const auto slot = static_cast<std::uint32_t>(table_.num_items() - 1);
    for (Clock& clock : clocks_) {
      if (clock.domain == low->clock()) clock.low_blocks.push_back({low, slot});
    }
  }
  if (table_.num_items() == 0) {
    std::string known;
    for (const sc_core::sc_object* object : sc_core::sc_get_top_level_objects())
      known += std::string(" ") + object->name();
    throw WaveError(fmt::format("no traceable object matches the wave scope {}; the top scopes are:{}",
                                fmt::join(options_.scopes, ", "), known));
  }
  table_.seal();
  is_marked_.assign(table_.num_items(), 0);
  is_moving_ = is_marked_;
  from_time_ = now();
  if (options_.from != 0) from_time_ = std::max(from_time_, domains_.front()->edge_time(options_.from));
  if (options_.to != WaveOptions::kToTheEnd) end_time_ = domains_.front()->edge_time(options_.to + 1) - 1;
  file_->open(temporary_, table_);
  if (!options_.on.empty()) {
    state_ = State::kArmed;
    return;
  }
  for (Domain* domain : domains_) domain->attach_trace(*this);
  state_ = State::kWaiting;
  if (now() >= from_time_) {
    begin_window();
    return;
  }
  alarm_ = std::make_unique<Alarm>("wave_window", [this] {
    if (state_ == State::kWaiting) begin_window();
  });
  alarm_->notify(sc_core::sc_time::from_value(from_time_ - now()));
}

void WaveSink::begin() {
  if (state_ != State::kArmed || now() > end_time_) return;
  from_time_ = now();
  for (Domain* domain : domains_) domain->attach_trace(*this);
  begin_window();
}

void WaveSink::begin_window() {
  state_ = State::kTracing;
  has_traced_ = true;
  // Nothing has changed since the window began, so the present state is that of its beginning.
  point_ = from_time_;
  for (std::uint32_t slot = 0; slot < table_.num_items(); ++slot) table_.item(slot).attach_trace(*this, slot);
  for (std::uint32_t slot = 0; slot < table_.num_items(); ++slot) update(slot);
  initial_changes_ = table_.changes();
  for (Clock& clock : clocks_) start_clock(clock, point_);
  must_dump_ = true;
}

void WaveSink::edge_begin(Domain&) {
  if (__builtin_expect(close_requested_.load(std::memory_order_relaxed), 0)) {
    close();
    return;
  }
  const Picoseconds time = now();
  if (state_ == State::kWaiting) {
    if (time < from_time_) return;
    begin_window();
  }
  if (time > end_time_) {
    close();
    return;
  }
  advance(time);
  in_edge_ = true;
}

void WaveSink::changed(std::uint32_t slot) {
  if (is_marked_[slot] != 0) return;
  is_marked_[slot] = 1;
  marked_.push_back(slot);
  if (in_edge_) return;
  // A change outside of a clock edge comes from the testbench. It is recorded at once, before the next change.
  const Picoseconds time = now();
  if (time > end_time_) {
    close();
    return;
  }
  advance(time);
  visit_marked();
}

void WaveSink::edge_done(Domain& domain) {
  if (state_ != State::kTracing) return;
  visit_marked();
  for (Clock& clock : clocks_) {
    if (clock.in_reset && clock.domain == &domain) end_reset(clock);
  }
  in_edge_ = false;
}

void WaveSink::visit_marked() {
  for (std::size_t i = 0; i < marked_.size(); ++i) {
    if (i + kSoon < marked_.size()) table_.expect(marked_[i + kSoon], marked_[i + kSooner]);
    update(marked_[i]);
    is_marked_[marked_[i]] = 0;
  }
  marked_.clear();
  ++moves_;
}

void WaveSink::update(std::uint32_t slot) {
  table_.update(slot);
  if (is_moving_[slot] != 0 || !table_.item(slot).moves_unmarked(0, table_.with_stored())) return;
  is_moving_[slot] = 1;
  moving_.push_back(slot);
}

// A clock has risen at this time, before any block has run.
void WaveSink::move_unmarked(Picoseconds time) {
  std::size_t left = 0;
  for (const std::uint32_t slot : moving_) {
    table_.update(slot, time);
    is_moving_[slot] = table_.item(slot).moves_unmarked(time, table_.with_stored()) ? 1 : 0;
    if (is_moving_[slot] != 0) moving_[left++] = slot;
  }
  moving_.resize(left);
}

void WaveSink::settle(Clock& clock) {
  clock.settled = moves_;
  for (const LowBlock& low : clock.low_blocks) {
    if (low.block->clock_low(clock.edge + 1)) table_.update(low.slot);
  }
}

void WaveSink::end_reset(Clock& clock) {
  clock.in_reset = clock.domain->in_reset();
  table_.set(clock.signals.rst_n, clock.in_reset ? 0 : 1);
}

void WaveSink::start_clock(Clock& clock, Picoseconds time) {
  // The last rising edge strictly before `time`; tick() draws an edge at `time`.
  auto edge = static_cast<Cycle>(static_cast<long double>(time) * static_cast<long double>(clock.mhz) / 1e6L);
  while (edge > 0 && Domain::edge_time(clock.mhz, edge) >= time) --edge;
  while (Domain::edge_time(clock.mhz, edge + 1) < time) ++edge;
  clock.edge = edge;
  clock.high = edge > 0 && time <= falling_edge(clock.mhz, edge);
  clock.next = clock.high ? falling_edge(clock.mhz, edge) : Domain::edge_time(clock.mhz, edge + 1);
  table_.set(clock.signals.clk, clock.high ? 1 : 0);
  table_.set(clock.signals.cycle, edge);
  end_reset(clock);
  if (clock.signals.issue_en != ClockSignals::kNone) table_.set(clock.signals.issue_en, (edge + 1) % 2 == 0 ? 1 : 0);
  while (clock.next <= time) tick(clock);
}

void WaveSink::tick(Clock& clock) {
  if (clock.high) {
    clock.high = false;
    settle(clock);
    clock.next = Domain::edge_time(clock.mhz, clock.edge + 1);
  } else {
    clock.high = true;
    ++clock.edge;
    clock.next = falling_edge(clock.mhz, clock.edge);
    table_.set(clock.signals.cycle, clock.edge);
    if (clock.signals.issue_en != ClockSignals::kNone)
      table_.set(clock.signals.issue_en, (clock.edge + 1) % 2 == 0 ? 1 : 0);
  }
  table_.set(clock.signals.clk, clock.high ? 1 : 0);
}

void WaveSink::advance(Picoseconds time) {
  if (time <= point_) return;
  while (true) {
    Picoseconds next = time;
    for (const Clock& clock : clocks_) next = std::min(next, clock.next);
    // Before a clock rises, its RTL blocks take the inputs that changed since it fell.
    for (Clock& clock : clocks_) {
      if (clock.next == next && !clock.high && clock.settled != moves_) settle(clock);
    }
    flush();
    point_ = next;
    bool rises = false;
    for (Clock& clock : clocks_) {
      if (clock.next != next) continue;
      tick(clock);
      rises |= clock.high;
    }
    if (rises && !moving_.empty()) move_unmarked(next);
    if (next == time) return;
  }
}

void WaveSink::flush() {
  if (table_.log().size() == written_ && !must_dump_) return;
  must_dump_ = false;
  file_->dump(point_);
  written_ = table_.log().size();
}

void WaveSink::detach() {
  for (Domain* domain : domains_) domain->detach_trace(*this);
  for (std::uint32_t slot = 0; slot < table_.num_items(); ++slot) table_.item(slot).detach_trace(*this);
}

void WaveSink::close() {
  if (state_ == State::kNew || state_ == State::kClosed) return;
  if (state_ == State::kWaiting && now() >= from_time_) begin_window();  // nothing has changed since its beginning
  detach();
  // After an exception inside an edge, this records the state at the failure.
  if (state_ == State::kTracing && now() <= end_time_) visit_marked();
  finish();
}

void WaveSink::close_after_machine() {
  if (state_ != State::kNew && state_ != State::kClosed) finish();
}

bool WaveSink::is_tracing() const { return state_ == State::kTracing && now() <= end_time_; }

void WaveSink::check_file() const {
  if (file_->failure().empty()) return;
  throw WaveError(fmt::format("{}: the wave file could not be completed ({}); {} has the data so far", options_.file,
                              file_->failure(), temporary_));
}

void WaveSink::finish() {
  const bool traced = state_ == State::kTracing;
  state_ = State::kClosed;
  alarm_.reset();
  if (traced) {
    advance(std::min(now(), end_time_));
    flush();
  }
  file_->close();
  if (!file_->failure().empty()) return;  // what was written stays where it is
  if (!traced) {
    std::remove(temporary_.c_str());
    warnings_.push_back(
        options_.on.empty()
            ? fmt::format("{} was not written: the run ended before cycle {}, where the wave window begins",
                          options_.file, options_.from)
            : fmt::format("{} was not written: the event {} did not happen in the window", options_.file, options_.on));
    return;
  }
  if (std::rename(temporary_.c_str(), options_.file.c_str()) != 0) {
    throw WaveError(fmt::format("cannot rename {} to {}", temporary_, options_.file));
  }
  if (value_changes() == 0) {
    warnings_.push_back(fmt::format("{}: no traced value changed in the wave window", options_.file));
  }
}

}  // namespace g80
