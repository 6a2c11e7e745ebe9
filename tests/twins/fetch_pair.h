// SPDX-License-Identifier: Apache-2.0
// fetch and a twin of it side by side, with random warps, buffers and a random cache.
#pragma once
#include "hw/sm/fetch.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class FetchPair final : public Pair<Fetch> {
 public:
  FetchPair(std::mt19937& random, Cases& cases, MakeTwin make) : Pair(random, cases, make, random_config(random), {}) {
    LaunchState launch;
    launch.code_base = static_cast<std::uint32_t>(random()) & 0x7fffff00;
    wire(block_.launch_i).write(launch);
    pass(500);
  }
  std::string configuration() const {
    return fmt::format("{} bytes a fetch, {} buffer entries", config_.sm.fetch_bytes, config_.sm.ibuffer_entries);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.fetch_bytes = 8u << random() % 2;
    config.sm.ibuffer_entries = config.sm.fetch_bytes / 4 + random() % (9 - config.sm.fetch_bytes / 4);
    return config;
  }
  void reset() override {
    Pair::reset();
    fetched_.clear();
    late_warp_.reset();
  }
  /// Few warps, so that what happens to one meets what happened to it before.
  std::uint8_t some_warp() {
    return static_cast<std::uint8_t>(rarely(4) ? random_() % kMaxWarps : random_() % 3 * 15 + 1);
  }
  std::uint32_t some_pc() { return static_cast<std::uint32_t>(random_()) & 0xffffc; }
  bool held(unsigned warp) const {
    const FetchRegs& regs = block_.registers();
    return regs.stale[warp] != 0 && ((regs.epoch[warp] - regs.oldest[warp]) & 0x80) != 0;
  }
  /// A reply, in any order; the oldest stale one of `late_warp_` has time.
  DecodedGroup some_group() {
    DecodedGroup group;
    if (fetched_.empty() || rarely(3)) return group;
    const std::size_t at = random_() % fetched_.size();
    const auto [warp, epoch] = fetched_[at];
    if (late_warp_ == warp && block_.registers().stale[warp] != 0 && epoch == block_.registers().oldest[warp])
      return group;
    fetched_.erase(fetched_.begin() + static_cast<std::ptrdiff_t>(at));
    group.valid = true;
    group.warp = warp;
    group.count = static_cast<std::uint8_t>(1 + random_() % (config_.sm.fetch_bytes / 4));
    group.epoch = epoch;
    return group;
  }
  void stimulate() override {
    if (rarely(200)) busy_ = random_() % 4;
    if (rarely(100)) late_warp_ = some_warp();
    if (late_warp_ && held(*late_warp_) && rarely(10)) late_warp_.reset();
    const auto redirected = [this] { return late_warp_ && !rarely(3) ? *late_warp_ : some_warp(); };
    const unsigned distance = late_warp_ ? 2 : 6 + 20 * busy_;
    decoded_.write(some_group());
    const bool ready = !rarely(busy_ + 1) || busy_ == 0;
    ready_.write(ready);
    if (const FetchRequest& request = block_.request_o.read(); request.valid && ready)
      fetched_.push_back({request.warp, request.epoch});
    const bool holds = late_warp_ && held(*late_warp_);  // the warp has no instruction that could redirect it
    start_.write(!holds && rarely(distance) ? Redirect{true, RedirectKind::kStart, redirected(), some_pc()}
                                            : Redirect{});
    redirect_.write(!holds && rarely(distance)
                        ? Redirect{true, rarely(3) ? RedirectKind::kStop : RedirectKind::kJump, redirected(), some_pc()}
                        : Redirect{});
    if (rarely(2)) {
      BufferLevel level = level_.read();
      const unsigned warp = some_warp();
      level.count[warp] = static_cast<std::uint8_t>(random_() % (config_.sm.ibuffer_entries + 1));
      level.room &= ~(WarpMask{1} << warp);
      if (level.count[warp] + config_.sm.fetch_bytes / 4 <= config_.sm.ibuffer_entries)
        level.room |= WarpMask{1} << warp;
      level_.write(level);
    }
  }
  void note_cases() override {
    const FetchRequest& request = block_.request_o.read();
    if (late_warp_ && held(*late_warp_)) ++cases_["waits for a fetch of 128 epochs ago"];
    if (decoded_.read().valid && decoded_.read().epoch != block_.registers().epoch[decoded_.read().warp])
      ++cases_["group of an old epoch"];
    if (start_.read().valid && redirect_.read().valid && start_.read().warp == redirect_.read().warp)
      ++cases_["start and redirect of one warp"];
    if (request.valid && !ready_.read()) ++cases_["request waits"];
    if (last_.valid && !request.valid && !ready_.read()) ++cases_["request withdrawn"];
    if (request.valid) ++cases_[fmt::format("{} bytes", request.bytes)];
    if (request.valid && decoded_.read().valid && request.warp == decoded_.read().warp)
      ++cases_["fetch of the warp whose group arrives"];
    last_ = request;
  }

  Wire<Redirect>& start_ = wire(block_.start_i);
  Wire<Redirect>& redirect_ = wire(block_.redirect_i);
  Wire<BufferLevel>& level_ = wire(block_.level_i);
  Wire<DecodedGroup>& decoded_ = wire(block_.decoded_i);
  Wire<bool>& ready_ = wire(block_.cache_ready_i);
  FetchRequest last_;
  std::vector<std::pair<std::uint8_t, std::uint8_t>> fetched_;  // warp and epoch of fetches that are on their way
  std::optional<std::uint8_t> late_warp_;
  unsigned busy_ = 1;
};

}  // namespace g80::testing
