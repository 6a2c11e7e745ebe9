// SPDX-License-Identifier: Apache-2.0
// warp_scheduler and a twin of it side by side, with random warps and resources.
#pragma once
#include "hw/sm/warp_scheduler.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class WarpSchedulerPair final : public Pair<WarpScheduler> {
 public:
  WarpSchedulerPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {4, Rate::kHalf}) {
    pass(1500);  // inputs change between even edges
  }
  std::string configuration() const {
    return fmt::format("{}, {} collector units, {} load entries, {} SFUs, fp64 for {} lanes, control {}, replay {}",
                       to_text(config_.sm.scheduler), config_.sm.collector_units, config_.sm.load_table_entries,
                       config_.sm.num_sfus, config_.sm.num_dps, config_.sm.control_cycles, config_.sm.replay_cycles);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.scheduler = kSchedulerPoliciesOfTheTwin[random() % 3].value;
    config.sm.collector_units = std::array{1u, 2u, 4u, 16u}[random() % 4];
    config.sm.load_table_entries = std::array{1u, 2u, 8u, 64u}[random() % 4];
    config.sm.num_sfus = 1u << random() % 3;
    config.sm.num_dps = 1u << random() % 4;
    config.sm.sfu_mul = random() % 2 != 0;
    config.sm.control_cycles = std::array{2u, 4u, 5u, 16u}[random() % 4];
    config.sm.shared_operand_cycles = std::array{4u, 6u, 9u, 16u}[random() % 4];
    config.sm.replay_cycles = std::array{0u, 1u, 2u, 16u}[random() % 4];
    return config;
  }
  std::optional<std::string> other_difference() override {
    if (auto found = difference("issued", block_.issued(), twin_.issued())) return found;
    const Cycle now = clock_.last_edge();
    const WarpScheduler::Counters a = block_.counters(now), b = twin_.counters(now);
    for (unsigned i = 0; i < kNumStallReasons; ++i) {
      if (auto found = difference(enum_text(StallReason{}).names[i], a.stall[i], b.stall[i])) return found;
    }
    return std::nullopt;
  }
  void reset() override {
    Pair::reset();
    freed_ = {};
    write_credits();
  }
  void write_credits() {
    for (Wire<Credits>* credit : {&collector_credit_, &memory_credit_, &load_credit_}) credit->write(freed_);
  }
  void stimulate() override {
    const bool starts = random_() % 8 == 0 && quiet_ == 0;
    if (starts || start_.read().valid) {
      Redirect start;
      start.valid = starts;
      start.warp = random_() % kMaxWarps;
      start_.write(start);
    }
    // As many as the port keeps up with: the banks wait for it.
    const bool keeps_up = block_.registers().port_wait < 8;
    replay_.write(quiet_ == 0 && keeps_up && random_() % 8 < conflicts_);
    if (quiet_ > 0) {
      --quiet_;
      return;
    }
    // Two warps that want the port, and between them one that has its turn whenever the port is taken.
    if (random_() % 200 == 0 && config_.sm.scheduler == SchedulerPolicy::kLooseRoundRobin &&
        config_.sm.control_cycles <= kSpOccupancy)
      crossed_ = 8 * kPickPatience, conflicts_ = 0;
    if (crossed_ > 0) {
      --crossed_;
      const WarpSchedulerRegs& used = block_.registers();
      freed_ = {used.collector_used, used.memory_used, used.load_used, used.wide_used};
      write_credits();
      WarpReady r;
      r.resident = r.has_head = r.ready = 7;
      r.control = 1;
      r.sp = 6;
      ready_.write(r);
      return;
    }
    if (random_() % 60 == 0) conflicts_ = random_() % 9;
    if (random_() % 25 == 0) quiet_ = random_() % 40;
    // What was picked is given back, quickly or slowly.
    if (random_() % 60 == 0) pace_ = random_() % 5;
    const WarpSchedulerRegs& used = block_.registers();
    if (random_() % 4 < pace_ && used.collector_used != freed_.collector) ++freed_.collector;
    if (random_() % 4 < pace_ && used.memory_used != freed_.memory) ++freed_.memory;
    if (random_() % 4 < pace_ && used.load_used != freed_.load) ++freed_.load;
    if (random_() % 4 < pace_) freed_.wide = used.wide_used;
    write_credits();
    if (random_() % 4 != 0) return;  // the warps stay as they are
    ready_.write(random_warps());
  }
  WarpReady random_warps() {
    const auto mask = [&](unsigned ands) {
      auto bits = static_cast<WarpMask>(random_());
      for (unsigned i = 0; i < ands; ++i) bits &= static_cast<WarpMask>(random_());
      return bits;
    };
    if (random_() % 60 == 0) crowd_ = random_() % 5;
    WarpReady r;
    if (crowd_ == 4) return r;  // nobody
    r.resident = crowd_ == 0 ? mask(3) : crowd_ == 1 ? mask(0) : ~WarpMask{0};
    r.has_head = r.resident & (random_() % 3 == 0 ? mask(0) : ~WarpMask{0});
    r.ready = r.has_head & (random_() % 3 == 0 ? 0 : mask(crowd_));
    const WarpMask waiting = r.has_head & ~r.ready;
    // Of a warp that waits, one reason or another is known.
    for (WarpMask* reason : {&r.wait_alu, &r.wait_control, &r.wait_drain, &r.wait_memory}) {
      *reason = waiting & (random_() % 2 == 0 ? 0 : mask(1));
    }
    r.wait_barrier = r.resident & ~r.ready & (random_() % 2 == 0 ? ~r.has_head : mask(1));
    // Every head has one unit; loads are memory instructions.
    const unsigned mix = random_() % 5;
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      const WarpMask bit = r.has_head & WarpMask{1} << w;
      switch (mix == 0 ? random_() % 6 : mix == 1 ? 3 + random_() % 2 : mix == 4 ? 0 : 1 + random_() % 2) {
        case 0: r.sp |= bit; break;
        case 1: r.sfu |= bit; break;
        case 2: r.dp |= bit; break;
        case 3: r.memory |= bit; break;
        case 4: r.texture |= bit; break;
        default: r.control |= bit; break;
      }
    }
    r.load = (r.memory | r.texture) & mask(0);
    r.wide = (r.dp | r.memory | r.texture) & mask(random_() % 3);
    if (config_.sm.sfu_mul) r.multiply = r.sp & mask(0);
    r.shared = r.sp & ~r.multiply & mask(0);
    return r;
  }
  unsigned waits() const {
    const WarpSchedulerRegs& q = block_.registers();
    return q.port_wait | q.sfu_wait | q.dp_wait | q.control_wait | q.shared_work;
  }
  void note_cases() override {
    const Pick& pick = block_.pick_o.read();
    const WarpReady& ready = ready_.read();
    if (replay_.read()) ++cases_["replay"];
    if (replay_.read() && pick.valid) ++cases_["replay beside an issue"];
    if (ran_ && !pick.valid && waits_before_ != 0 && waits() == 0) ++cases_["every unit is free again"];
    waits_before_ = waits();
    ++cases_[enum_text(pick.stall).names[static_cast<unsigned>(pick.stall)]];
    if (!pick.valid) return;
    ++cases_[fmt::format("issued under {}", to_text(config_.sm.scheduler))];
    const WarpMask bit = WarpMask{1} << pick.warp;
    if ((ready.sfu & bit) != 0) ++cases_["issued to the SFUs"];
    if ((ready.dp & bit) != 0) ++cases_["issued to the fp64 unit"];
    if ((ready.control & bit) != 0) ++cases_["issued to the control unit"];
    if ((ready.shared & bit) != 0) ++cases_["issued with an operand from s[]"];
    if (pick.to_multipliers) ++cases_["issued to the multipliers of the SFUs"];
    if ((ready.load & bit) != 0) ++cases_["issued a load"];
    if ((ready.wide & bit) != 0) ++cases_["issued a wide instruction"];
    if (crossed_ > 0 && overdue_ && pick.warp == watched_) ++cases_["one that was passed over goes first"];
    overdue_ = block_.registers().passed_over == kPickPatience;
    watched_ = block_.registers().watched;
    if (pick.warp == last_) ++cases_["same warp again"];
    if (pick.warp == 31) ++cases_["last warp slot"];
    last_ = pick.warp;
  }

  Wire<WarpReady>& ready_ = wire(block_.ready_i);
  Wire<Redirect>& start_ = wire(block_.start_i);
  Wire<Credits>& collector_credit_ = wire(block_.collector_credit_i);
  Wire<Credits>& memory_credit_ = wire(block_.memory_credit_i);
  Wire<Credits>& load_credit_ = wire(block_.load_credit_i);
  Wire<bool>& replay_ = wire(block_.replay_i);
  Credits freed_;
  unsigned quiet_ = 0, pace_ = 3, crowd_ = 1, conflicts_ = 0, crossed_ = 0, last_ = 99, waits_before_ = 0, watched_ = 0;
  bool overdue_ = false;
};

}  // namespace g80::testing
