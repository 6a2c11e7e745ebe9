// SPDX-License-Identifier: Apache-2.0
// fetch and a twin of it side by side, with random warps, buffers and a random cache.
#pragma once
#include "hw/sm/fetch.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class FetchPair {
 public:
  using MakeTwin = std::unique_ptr<Fetch> (*)(const char* name, const Config& config);

  FetchPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        config_(random_config(random)),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        block_("block", config_),
        made_twin_(make("twin", config_)),
        twin_(*made_twin_) {
    LaunchState launch;
    launch.code_base = static_cast<std::uint32_t>(random()) & 0x7fffff00;
    launch_.write(launch);
    for (Fetch* each : {&block_, &twin_}) {
      each->launch_i(launch_);
      each->start_i(start_);
      each->redirect_i(redirect_);
      each->level_i(level_);
      each->decoded_i(decoded_);
      each->cache_ready_i(ready_);
      shader_.add(*each);
    }
    block_.request_o(block_request_);
    twin_.request_o(twin_request_);
    sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));  // inputs change between edges
  }
  std::string configuration() const {
    return fmt::format("{} bytes a fetch, {} buffer entries", config_.sm.fetch_bytes, config_.sm.ibuffer_entries);
  }

  std::optional<std::string> cycle() {
    if (random_() % 600 == 0) {
      reset();
      if (auto found = drawn_difference(block_, twin_)) return "in reset: " + *found;
    }
    stimulate();
    const std::uint64_t before = shader_.activations();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    note_cases(ran);
    if (auto found = difference("request_o", block_request_.read(), twin_request_.read())) return found;
    return drawn_difference(block_, twin_);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.fetch_bytes = 8u << random() % 2;
    config.sm.ibuffer_entries = config.sm.fetch_bytes / 4 + random() % (9 - config.sm.fetch_bytes / 4);
    return config;
  }
  void reset() {
    reset_both(block_, twin_);
    ++cases_["reset"];
  }
  bool rarely(unsigned one_in) { return random_() % one_in == 0; }
  /// Few warps, so that what happens to one meets what happened to it before.
  std::uint8_t some_warp() {
    return static_cast<std::uint8_t>(rarely(4) ? random_() % kMaxWarps : random_() % 3 * 15 + 1);
  }
  std::uint32_t some_pc() { return static_cast<std::uint32_t>(random_()) & 0xffffc; }
  void stimulate() {
    if (rarely(200)) busy_ = random_() % 4;
    ready_.write(!rarely(busy_ + 1) || busy_ == 0);
    start_.write(rarely(6 + 20 * busy_) ? Redirect{true, RedirectKind::kStart, some_warp(), some_pc()} : Redirect{});
    redirect_.write(rarely(6 + 20 * busy_)
                        ? Redirect{true, rarely(3) ? RedirectKind::kStop : RedirectKind::kJump, some_warp(), some_pc()}
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
    DecodedGroup group;
    if (!rarely(3)) {
      group.valid = true;
      group.warp = some_warp();
      group.count = static_cast<std::uint8_t>(1 + random_() % (config_.sm.fetch_bytes / 4));
      group.epoch = static_cast<std::uint8_t>(block_.registers().epoch[group.warp] + (rarely(4) ? 1 : 0));
    }
    decoded_.write(group);
  }
  void note_cases(std::uint64_t ran) {
    const FetchRequest& request = block_request_.read();
    if (ran == 0) ++cases_["asleep"];
    if (start_.read().valid && redirect_.read().valid && start_.read().warp == redirect_.read().warp)
      ++cases_["start and redirect of one warp"];
    if (request.valid && !ready_.read()) ++cases_["request waits"];
    if (last_.valid && !request.valid && !ready_.read()) ++cases_["request withdrawn"];
    if (request.valid) ++cases_[fmt::format("{} bytes", request.bytes)];
    if (request.valid && decoded_.read().valid && request.warp == decoded_.read().warp)
      ++cases_["fetch of the warp whose group arrives"];
    last_ = request;
  }

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  Domain shader_;
  Wire<LaunchState> launch_{"launch"};
  Wire<Redirect> start_{"start"}, redirect_{"redirect"};
  Wire<BufferLevel> level_{"level"};
  Wire<DecodedGroup> decoded_{"decoded"};
  Wire<bool> ready_{"ready"};
  Wire<FetchRequest> block_request_{"block_request"}, twin_request_{"twin_request"};
  Fetch block_;
  const std::unique_ptr<Fetch> made_twin_;
  Fetch& twin_;
  FetchRequest last_;
  unsigned busy_ = 1;
};

}  // namespace g80::testing
