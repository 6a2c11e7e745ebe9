// SPDX-License-Identifier: Apache-2.0
// constant_cache and a twin of it side by side: reads of a few lines, and a second level that answers in any order.
#pragma once
#include <algorithm>

#include "hw/cache/constant_cache.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class ConstantCachePair {
 public:
  using MakeTwin = std::unique_ptr<ConstantCache> (*)(const char* name, const Config& config);

  ConstantCachePair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        config_(random_config(random)),
        // Some more than fill two sets, or many.
        num_lines_(random() % 4 != 0 ? 2 * config_.ccache.l1_ways + 3 : 80),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        block_("block", config_),
        made_twin_(make("twin", config_)),
        twin_(*made_twin_) {
    connect(block_, of_block_);
    connect(twin_, of_twin_);
    // Over the edges in reset, in which nothing is taken. Inputs change between edges.
    sc_core::sc_start(sc_core::sc_time(2500, sc_core::SC_PS));
    new_lines();
  }
  std::string configuration() const {
    const auto& ccache = config_.ccache;
    return fmt::format("{} bytes in {} ways of {} bytes, {}, {} miss registers, {} addresses in 4 cycles",
                       ccache.l1_bytes, ccache.l1_ways, ccache.line_bytes, to_text(ccache.l1_replacement), ccache.mshrs,
                       config_.sm.const_addresses_per_4_cycles);
  }

  std::optional<std::string> cycle() {
    if (rarely(600)) {
      reset();
      if (auto found = drawn_difference(block_, twin_)) return "in reset: " + *found;
    }
    stimulate();
    note_inputs();
    const std::uint64_t before = shader_.activations();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    if (ran == 0) ++cases_["asleep"];
    note_cases();
    if (auto found = difference("request_ready_o", of_block_.request_ready.read(), of_twin_.request_ready.read()))
      return found;
    if (auto found = difference("reply_o", of_block_.reply.read(), of_twin_.reply.read())) return found;
    if (auto found = difference("line_o", of_block_.line.read(), of_twin_.line.read())) return found;
    if (auto found = difference("fill_ready_o", of_block_.fill_ready.read(), of_twin_.fill_ready.read())) return found;
    if (auto found = difference("idle", block_.idle(), twin_.idle())) return found;
    if (auto found = difference("counters", block_.counters(), twin_.counters())) return found;
    return drawn_difference(block_, twin_);
  }

 private:
  struct Watched final : ConstantCache {
    using ConstantCache::ConstantCache;
    bool rests() const { return resting_; }
    bool has_request() const { return !order_.empty(); }
  };
  /// What only one of the two drives.
  struct Side {
    explicit Side(const std::string& name)
        : request_ready((name + "_request_ready").c_str()),
          fill_ready((name + "_fill_ready").c_str()),
          reply((name + "_reply").c_str()),
          line((name + "_line").c_str()) {}
    Wire<bool> request_ready, fill_ready;
    Wire<ConstReply> reply;
    Wire<LineRequest> line;
  };

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
  void connect(ConstantCache& each, Side& side) {
    each.request_i(request_);
    each.request_ready_o(side.request_ready);
    each.reply_o(side.reply);
    each.kernel_i(kernel_);
    each.line_o(side.line);
    each.line_ready_i(line_ready_);
    each.fill_i(fill_);
    each.fill_ready_o(side.fill_ready);
    shader_.add(each);
  }
  bool rarely(unsigned one_in) { return random_() % one_in == 0; }
  bool often(unsigned quarters) { return random_() % 4 < quarters; }

  void reset() {
    reset_both(block_, twin_);
    request_.write({});
    fill_.write({});
    asked_.clear();
    outstanding_ = inside_ = 0;
    ++cases_["reset"];
  }
  /// Some that share a set, and some that do not.
  void new_lines() {
    lines_.clear();
    const std::uint32_t line = config_.ccache.line_bytes, set_bytes = config_.ccache.l1_bytes / config_.ccache.l1_ways;
    const auto base = static_cast<std::uint32_t>(random_()) / line * line;
    for (unsigned i = 0; i < num_lines_; ++i)
      lines_.push_back(base + i / 2 * set_bytes + (i % 2) * line * (random_() % 3));
  }
  void stimulate() {
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
    fill.bytes = static_cast<std::uint8_t>(config_.ccache.line_bytes);
    fill.address = static_cast<std::uint32_t>(random_());
    fill.origin = random_origin(random_);
    for (auto& word : fill.data) word = static_cast<std::uint32_t>(random_());
    asked_.erase(asked_.begin() + static_cast<std::ptrdiff_t>(i));
    return fill;
  }

  void note_inputs() {
    taken_ = request_.read().valid && of_block_.request_ready.read();
    fill_taken_ = fill_.read().valid && of_block_.fill_ready.read();
    filling_ = fill_taken_ || !of_block_.fill_ready.read();
    rests_ = block_.rests();
    counted_ = block_.counters();
    if (taken_ && ++inside_ == kMaxWarps) ++cases_["32 requests"];
    if (of_block_.line.read().valid && line_ready_.read()) asked_.push_back(of_block_.line.read().id);
    if (request_.read().valid && !of_block_.request_ready.read()) ++cases_["request refused"];
    if (fill_taken_ && fill_.read().fault != MemFault::kNone) ++cases_["line that cannot be read"];
    if (fill_taken_ && taken_) ++cases_["request beside a line"];
    if (fill_taken_ && rests_) ++cases_["line between passes"];
    if (kernel_.read() != block_.registers().kernel) {
      if (!asked_.empty()) ++cases_["new kernel with lines on their way"];
      if (fill_taken_) ++cases_["new kernel beside a line"];
    }
    if (of_block_.line.read().valid && !line_ready_.read()) ++cases_["miss waits"];
  }
  void note_cases() {
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
    outstanding_ -= filling_ && of_block_.fill_ready.read() ? 1 : 0;
    if (outstanding_ == 32) ++cases_["32 lines on their way"];
    if (const ConstReply& reply = of_block_.reply.read(); reply.valid) {
      --inside_;
      const LaneMask good = reply.lanes & ~reply.fault_lanes;
      const std::string kind = reply.direct ? "direct: " : "half-warp: ";
      ++cases_[kind + (reply.fault_lanes == 0 ? "all read" : good == 0 ? "all fail" : "some fail")];
      if (taken_ && reply.origin == request_.read().origin) ++cases_["answered at once"];
    }
  }

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  const unsigned num_lines_;
  Domain shader_;
  Wire<ConstRequest> request_{"request"};
  Wire<std::uint32_t> kernel_{"kernel"};
  Wire<bool> line_ready_{"line_ready"};
  Wire<LineReply> fill_{"fill"};
  Side of_block_{"block"}, of_twin_{"twin"};
  Watched block_;
  const std::unique_ptr<ConstantCache> made_twin_;
  ConstantCache& twin_;
  std::vector<std::uint32_t> lines_;
  std::vector<std::uint8_t> asked_;  // miss registers whose line was asked for and has not come
  bool taken_ = false, fill_taken_ = false, filling_ = false, rests_ = false;
  ConstantCache::Counters counted_;
  unsigned outstanding_ = 0, inside_ = 0;  // lines; requests
  unsigned requests_ = 3, takes_ = 3, answers_ = 3, hot_ = 4;
};

}  // namespace g80::testing
