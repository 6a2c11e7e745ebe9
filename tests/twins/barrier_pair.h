// SPDX-License-Identifier: Apache-2.0
// barrier and a twin of it side by side: blocks whose warps arrive, wait and end in any order, at a few barriers.
#pragma once
#include <algorithm>

#include "hw/sm/barrier.h"
#include "tests/support/fetched_instruction.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class BarrierPair final : public Pair<Barrier> {
 public:
  BarrierPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}) {
    pass(2500);  // over the edges in reset, in which nothing starts
  }
  std::string configuration() const { return fmt::format("expected: {}", to_text(config_.sm.barrier_expected)); }

 private:
  struct Block {
    unsigned warps = 0;                       // that it has; 0: the slot is free
    std::vector<std::uint8_t> to_come, live;  // those that have not started, and have not ended
  };

  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.barrier_expected = random() % 2 != 0 ? BarrierExpected::kLaunched : BarrierExpected::kLive;
    return config;
  }
  /// Every form of bar, for every barrier.
  static const std::vector<FetchedInstruction>& bars() {
    static const std::vector<FetchedInstruction> all = [] {
      std::vector<FetchedInstruction> made;
      for (unsigned id = 0; id < kMaxBarriers; ++id) {
        for (const char* kind : {"inc wait", "inc", "wait"})
          made.push_back(test::fetched(fmt::format("bar {} {:#x} 0xfff", kind, id)));
      }
      return made;
    }();
    return all;
  }
  bool launched_are_expected() const { return config_.sm.barrier_expected == BarrierExpected::kLaunched; }
  bool waits(std::uint8_t warp) const { return (block_.registers().waiting >> warp & 1) != 0; }

  bool is_reset_now() override {
    return rarely(launched_are_expected() ? 150 : 600);  // where ended warps are expected, blocks get stuck
  }
  void reset() override {
    Pair::reset();
    for (Block& block : blocks_) block = {};
    used_ = 0;
  }
  /// Those of this block that are free to go.
  std::vector<std::uint8_t> running_warps(unsigned slot) const {
    std::vector<std::uint8_t> running;
    for (const std::uint8_t warp : blocks_[slot].live) {
      if (!waits(warp)) running.push_back(warp);
    }
    return running;
  }
  /// One that is free to go, of this block if it has one; no warp if there is none.
  std::optional<std::uint8_t> running_warp(unsigned slot) {
    std::vector<std::uint8_t> running = running_warps(slot);
    for (unsigned s = 0; s < kMaxCtasPerSm && running.empty(); ++s) running = running_warps(s);
    if (running.empty()) return std::nullopt;
    return running[random_() % running.size()];
  }
  void stimulate() override {
    before_ = block_.registers();
    counted_ = block_.counters();
    const BarrierRegs& now = before_;
    if (rarely(100)) quiet_ = random_() % 20;
    if (rarely(100)) ids_ = 1 + random_() % 3, lives_ = 4 + random_() % 30;
    if (quiet_ > 0) --quiet_;
    start_.write({});
    resolve_.write(random_resolve());
    arrival_.write({});
    if (quiet_ > 0) return;
    const unsigned slot = random_() % kMaxCtasPerSm;
    // An end may open barriers for those that wait.
    const bool few = !launched_are_expected() && blocks_[slot].live.size() > 2 && running_warps(slot).size() <= 2;
    const auto arrives = running_warp(slot);
    if (arrives && !rarely(few ? 2 : 3)) arrival_.write(random_arrival(now, *arrives));
    if (rarely(few ? 2 : lives_)) end_a_warp(arrival_.read().valid ? now.cta_of[arrival_.read().warp] : slot);
    start_a_warp();
  }
  /// Of a control instruction that ends no warp.
  Resolve random_resolve() {
    Resolve resolve;
    resolve.warps = quiet_ > 0 ? 0 : 1u << random_() % kMaxWarps;
    return resolve;
  }
  ControlEvent random_arrival(const BarrierRegs& now, std::uint8_t warp) {
    ControlEvent event;
    event.valid = true;
    event.warp = warp;
    event.taken = rarely(10) ? static_cast<LaneMask>(random_()) : now.populated[warp];
    unsigned id = rarely(20) ? random_() % kMaxBarriers : random_() % ids_ * 7;
    if (const auto& arrived = now.arrived[now.cta_of[warp]]; rarely(3)) {  // where others have arrived, if they have
      for (unsigned i = 0; i < kMaxBarriers && arrived[id] == 0; ++i) id = (id + 1) % kMaxBarriers;
    }
    event.fetched = bars()[3 * id + (rarely(5) ? 0 : random_() % 3)];
    event.fetched.pc = static_cast<std::uint32_t>(random_()) & 0xffffff;
    event.tag.bits = static_cast<std::uint32_t>(random_());
    return event;
  }
  void end_a_warp(unsigned slot) {
    const auto ends = running_warp(slot);
    if (!ends || (arrival_.read().valid && arrival_.read().warp == *ends)) return;
    Resolve resolve = random_resolve();
    resolve.ended = true;
    resolve.ended_warp = *ends;
    resolve_.write(resolve);
    for (Block& block : blocks_)
      block.live.erase(std::remove(block.live.begin(), block.live.end(), *ends), block.live.end());
    used_ &= ~(WarpMask{1} << *ends);
  }
  /// The launcher starts all warps of a block, then those of the next one.
  void start_a_warp() {
    const auto starting =
        std::find_if(blocks_.begin(), blocks_.end(), [](const Block& block) { return !block.to_come.empty(); });
    const unsigned slot = random_() % kMaxCtasPerSm;
    Block& block = starting != blocks_.end() ? *starting : blocks_[slot];
    if (block.to_come.empty()) {
      if (block_.registers().live[slot] != 0) return;  // of a block that ends in this cycle, too
      begin(block);
    }
    if (!block.to_come.empty() && !rarely(3)) start_next(block);
  }
  void begin(Block& block) {
    const WarpMask ends_now = resolve_.read().ended ? WarpMask{1} << resolve_.read().ended_warp : 0;
    std::vector<std::uint8_t> free;
    for (std::uint8_t w = 0; w < kMaxWarps; ++w) {
      if (((used_ | ends_now) >> w & 1) == 0) free.push_back(w);
    }
    std::shuffle(free.begin(), free.end(), random_);
    block.warps = static_cast<unsigned>(std::min<std::size_t>(free.size(), 1 + random_() % (rarely(4) ? 16 : 6)));
    block.to_come.assign(free.begin(), free.begin() + block.warps);
  }
  void start_next(Block& block) {
    WarpStart start;
    start.valid = true;
    start.warp = block.to_come.back();
    start.cta_slot = static_cast<std::uint8_t>(&block - blocks_.data());
    start.warp_in_cta = static_cast<std::uint8_t>(block.warps - block.to_come.size());
    start.warps_in_cta = static_cast<std::uint8_t>(block.warps);
    start.lanes = rarely(4) ? static_cast<LaneMask>(random_()) : ~LaneMask{0};
    start.pc = static_cast<std::uint32_t>(random_()) & 0xffffff;
    start_.write(start);
    block.to_come.pop_back();
    block.live.push_back(start.warp);
    used_ |= WarpMask{1} << start.warp;
    if (block.warps == kMaxWarpsPerCta) ++cases_["warp of a full block starts"];
  }

  void note_cases() override {
    const BarrierRegs& before = before_;
    const Barrier::Counters& counted = counted_;
    const Barrier::Counters& now = block_.counters();
    const std::string policy = fmt::format("{}: ", to_text(config_.sm.barrier_expected));
    const ControlEvent& arrival = arrival_.read();
    const Resolve& resolve = resolve_.read();
    const std::uint64_t opened = now.openings - counted.openings;
    if (opened != 0 && !resolve.ended) ++cases_[policy + "opened by the last arrival"];
    if (resolve.ended && !arrival.valid) {
      if (opened == 1) ++cases_[policy + "opened by an end"];
      if (opened > 1) ++cases_[policy + "several opened by an end"];
    }
    if (now.missed != counted.missed) ++cases_[policy + "missed"];
    if (now.divergent != counted.divergent) ++cases_["divergent"];
    const WarpMask passed = block_.registers().opened;
    if ((passed & (passed - 1)) != 0) ++cases_["several warps let through"];
    if (!arrival.valid) return;
    const WarpMask bit = WarpMask{1} << arrival.warp;
    const unsigned cta = before.cta_of[arrival.warp];
    const isa::Instruction& insn = arrival.fetched.decoded().insn;
    const unsigned arrived = before.arrived[cta][insn.barrier];
    if (!insn.bar_wait && opened == 0) ++cases_["arrives and goes on"];
    if (!insn.bar_arrive && (block_.registers().waiting & bit) != 0) ++cases_["waits for others"];
    if (!insn.bar_arrive && (passed & bit) != 0 && arrived == 0) ++cases_["waits where no warp has arrived"];
    if (!resolve.ended || before.cta_of[resolve.ended_warp] != cta) return;
    ++cases_[policy + "arrival beside an end in its block"];
    if (opened == 0) return;
    if (arrived != 0 && block_.registers().arrived[cta][insn.barrier] == 1)
      ++cases_["first to come to a barrier that opens by an end"];
    if (passed == bit && insn.bar_arrive && arrived == 0) ++cases_["opened by the end and the arrival of the last two"];
    if (opened > 1) ++cases_["opened by an end beside one opened by an arrival"];
  }

  Wire<WarpStart>& start_ = wire(block_.start_i);
  Wire<ControlEvent>& arrival_ = wire(block_.arrival_i);
  Wire<Resolve>& resolve_ = wire(block_.resolve_i);
  BarrierRegs before_;
  Barrier::Counters counted_;
  std::array<Block, kMaxCtasPerSm> blocks_;
  WarpMask used_ = 0;  // slots of the warps that run
  unsigned quiet_ = 0, ids_ = 2, lives_ = 10;
};

}  // namespace g80::testing
