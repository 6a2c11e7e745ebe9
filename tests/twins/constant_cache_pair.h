// SPDX-License-Identifier: Apache-2.0
// constant_cache and a twin of it side by side: reads of a few lines, and a second level that answers in any order.
#pragma once
#include <algorithm>

#include "hw/cache/constant_cache.h"
#include "tests/twins/pair.h"

namespace g80::testing {

struct WatchedConstantCache final : ConstantCache {
  using ConstantCache::ConstantCache;
  bool rests() const { return pauses_; }
  bool has_request() const { return !order_.empty(); }
};

class ConstantCachePair final : public Pair<ConstantCache, WatchedConstantCache> {
 public:
  ConstantCachePair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}) {
    pass(2500);  // over the edges in reset, in which nothing is taken
    new_lines();
  }
  std::string configuration() const {
    const auto& ccache = config_.ccache;
    return fmt::format("{} bytes in {} ways of {} bytes, {}, {} miss registers, {} addresses in 4 cycles",
                       ccache.l1_bytes, ccache.l1_ways, ccache.line_bytes, to_text(ccache.l1_replacement), ccache.mshrs,
                       config_.sm.const_addresses_per_4_cycles);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    auto& ccache = config.ccache;
    ccache.line_bytes = 32u << random() % 3;
    ccache.l1_ways = 1 + random() % (random() % 2 != 0 ? 16 : 4);
    unsigned sets = 1u << random() % (random() % 4 != 0 ? 3 : 12);
    while (sets * ccache.l1_ways * ccache.line_bytes > 65536) sets /= 2;
    ccache.l1_bytes = sets * ccache.l1_ways * ccache.line_bytes;
    const auto policies = choices(ReplacementPolicy{});
    ccache.l1_replacement = policies[random() % policies.size()].value;
    const unsigned mshrs[] = {1u + static_cast<unsigned>(random() % 4), 1u + static_cast<unsigned>(random() % 32), 32};
    ccache.mshrs = mshrs[random() % 3];
    config.sm.const_addresses_per_4_cycles = 1 + random() % 4;
    return config;
  }
  bool often(unsigned quarters) { return random_() % 4 < quarters; }

  std::optional<std::string> other_difference() override { return difference("idle", block_.idle(), twin_.idle()); }
  void reset() override {
    Pair::reset();
    request_.write({});
    fill_.write({});
    asked_.clear();
    outstanding_ = inside_ = 0;
  }
  /// Some that share a set, and some that do not.
  void new_lines() {
    lines_.clear();
    const std::uint32_t line = config_.ccache.line_bytes, set_bytes = config_.ccache.l1_bytes / config_.ccache.l1_ways;
    const auto base = static_cast<std::uint32_t>(random_()) / line * line;
    for (unsigned i = 0; i < num_lines_; ++i)
      lines_.push_back(base + i / 2 * set_bytes + (i % 2) * line * (random_() % 3));
  }
  void stimulate() override {
    send();
    note_inputs();
  }
  void send() {
    if (rarely(100)) {
      requests_ = random_() % 3 * (random_() % 3), takes_ = random_() % 5, answers_ = random_() % 5;
      hot_ = rarely(3) ? 1 + random_() % 3 : num_lines_;
    }
    if (rarely(400)) answers_ = 0, takes_ = requests_ = 4, hot_ = rarely(2) ? 1 + random_() % 2 : num_lines_;
    if (rarely(1500)) new_lines();
    if (rarely(120)) kernel_.write(static_cast<std::uint32_t>(random_()));
    if (!request_.read().valid || taken_ || rarely(20))
      request_.write(often(requests_) ? random_request() : ConstRequest{});
    line_ready_.write(often(takes_));
    if (fill_taken_) fill_.write({});
    if (!fill_.read().valid && !asked_.empty() && often(answers_)) fill_.write(random_fill());
  }
  std::uint32_t random_line() { return lines_[random_() % std::min<std::size_t>(hot_, lines_.size())]; }
  ConstRequest random_request() {
    ConstRequest request;
    request.valid = true;
    request.id = static_cast<std::uint8_t>(random_());
    request.warp = static_cast<std::uint8_t>(random_() % kMaxWarps);
    request.bytes = static_cast<std::uint8_t>(1u << random_() % 3);
    request.direct = rarely(3);
    request.origin = random_origin(random_);
    const unsigned lower = random_lanes(random_), upper = random_lanes(random_);
    request.lanes = lower | upper << kHalfWarp;
    if (!request.direct) request.lanes &= rarely(2) ? 0xffffu : 0xffff0000u;
    if (request.lanes == 0) request.lanes = 1u << random_() % kWarpSize;
    // The lanes read a few words, or many, of one line or several.
    const unsigned span = rarely(2) ? 4 : 4u << random_() % 6, lines = rarely(2) ? 1 : 1 + random_() % kHalfWarp;
    std::array<std::uint32_t, kHalfWarp> line{};
    for (unsigned i = 0; i < lines; ++i) line[i] = random_line();
    for (std::uint32_t& address : request.address) {
      const auto place = static_cast<std::uint32_t>(random_() % std::min(span, config_.ccache.line_bytes));
      address = line[random_() % lines] + place / request.bytes * request.bytes;
    }
    return request;
  }
  /// Of any line that was asked for.
  LineReply random_fill() {
    const std::size_t i = random_() % asked_.size();
    LineReply fill;
    fill.valid = true;
    fill.client = MemClient::kConstant;
    fill.fault = rarely(5) ? static_cast<MemFault>(1 + random_() % 2) : MemFault::kNone;
    fill.id = asked_[i];
    fill.address = static_cast<std::uint32_t>(random_());
    fill.origin = random_origin(random_);
    for (auto& word : fill.data) word = static_cast<std::uint32_t>(random_());
    asked_.erase(asked_.begin() + static_cast<std::ptrdiff_t>(i));
    return fill;
  }

  void note_inputs() {
    taken_ = request_.read().valid && block_.request_ready_o.read();
    fill_taken_ = fill_.read().valid && block_.fill_ready_o.read();
    filling_ = fill_taken_ || !block_.fill_ready_o.read();
    rests_ = block_.rests();
    counted_ = block_.counters();
    if (taken_ && ++inside_ == kMaxWarps) ++cases_["32 requests"];
    if (block_.line_o.read().valid && line_ready_.read()) asked_.push_back(block_.line_o.read().id);
    if (request_.read().valid && !block_.request_ready_o.read()) ++cases_["request refused"];
    if (fill_taken_ && fill_.read().fault != MemFault::kNone) ++cases_["line that cannot be read"];
    if (fill_taken_ && taken_) ++cases_["request beside a line"];
    if (fill_taken_ && rests_) ++cases_["line between passes"];
    if (kernel_.read() != block_.registers().kernel) {
      if (!asked_.empty()) ++cases_["new kernel with lines on their way"];
      if (fill_taken_) ++cases_["new kernel beside a line"];
    }
    if (block_.line_o.read().valid && !line_ready_.read()) ++cases_["miss waits"];
  }
  void note_cases() override {
    const ConstantCache::Counters& now = block_.counters();
    const std::string policy = std::string(to_text(config_.ccache.l1_replacement)) + ": ";
    const bool missed = now.misses != counted_.misses, passed = now.passes != counted_.passes;
    if (now.hits != counted_.hits && !filling_) ++cases_[policy + "hit"];
    if (missed) ++cases_[policy + "miss"];
    if (now.merges != counted_.merges) ++cases_["merge"];
    if (passed && config_.sm.const_addresses_per_4_cycles == 1) ++cases_["pass with a rest"];
    if (block_.has_request() && !filling_ && !rests_ && !passed)
      ++cases_[outstanding_ == config_.ccache.mshrs ? "no miss register" : "no place to wait"];
    outstanding_ += missed ? 1 : 0;
    outstanding_ -= filling_ && block_.fill_ready_o.read() ? 1 : 0;
    if (outstanding_ == 32) ++cases_["32 lines on their way"];
    if (const ConstReply& reply = block_.reply_o.read(); reply.valid) {
      --inside_;
      const LaneMask good = reply.lanes & ~reply.fault_lanes;
      const std::string kind = reply.direct ? "direct: " : "half-warp: ";
      ++cases_[kind + (reply.fault_lanes == 0 ? "all read" : good == 0 ? "all fail" : "some fail")];
      if (taken_ && reply.origin == request_.read().origin) ++cases_["answered at once"];
    }
  }

  Wire<ConstRequest>& request_ = wire(block_.request_i);
  Wire<std::uint32_t>& kernel_ = wire(block_.kernel_i);
  Wire<bool>& line_ready_ = wire(block_.line_ready_i);
  Wire<LineReply>& fill_ = wire(block_.fill_i);
  // Some more than fill two sets, or many.
  const unsigned num_lines_ = random_() % 4 != 0 ? 2 * config_.ccache.l1_ways + 3 : 80;
  std::vector<std::uint32_t> lines_;
  std::vector<std::uint8_t> asked_;  // miss registers whose line was asked for and has not come
  bool taken_ = false, fill_taken_ = false, filling_ = false, rests_ = false;
  ConstantCache::Counters counted_;
  unsigned outstanding_ = 0, inside_ = 0;  // lines; requests
  unsigned requests_ = 3, takes_ = 3, answers_ = 3, hot_ = 4;
};

}  // namespace g80::testing
