// SPDX-License-Identifier: Apache-2.0
// instruction_cache and a twin of it side by side: fetches from a few lines, and a second level that answers in any
// order.
#pragma once
#include <algorithm>

#include "hw/cache/instruction_cache.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class InstructionCachePair final : public Pair<InstructionCache> {
 public:
  InstructionCachePair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {4, Rate::kHalf}) {
    pass(2500);  // over the edges in reset, in which nothing is taken
    new_lines();
  }
  std::string configuration() const {
    const auto& icache = config_.icache;
    return fmt::format("{} bytes in {} ways of {} bytes, {}, latency {}, {} miss registers", icache.l1_bytes,
                       icache.l1_ways, icache.line_bytes, to_text(icache.l1_replacement), icache.l1_latency,
                       config_.ccache.mshrs);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    auto& icache = config.icache;
    icache.line_bytes = 32u << random() % 3;
    icache.l1_ways = 1 + random() % (random() % 2 != 0 ? 16 : 4);
    unsigned sets = 1u << random() % (random() % 4 != 0 ? 3 : 12);
    while (sets * icache.l1_ways * icache.line_bytes > 65536) sets /= 2;
    icache.l1_bytes = sets * icache.l1_ways * icache.line_bytes;
    const auto policies = choices(ReplacementPolicy{});
    icache.l1_replacement = policies[random() % policies.size()].value;
    icache.l1_latency = 1 + random() % (random() % 4 != 0 ? 4 : 64);
    const unsigned mshrs[] = {1u + static_cast<unsigned>(random() % 4), 1u + static_cast<unsigned>(random() % 32), 32};
    config.ccache.mshrs = mshrs[random() % 3];
    return config;
  }
  bool often(unsigned quarters) { return random_() % 4 < quarters; }

  std::optional<std::string> other_difference() override { return difference("idle", block_.idle(), twin_.idle()); }
  void reset() override {
    Pair::reset();
    fetch_.write({});
    fill_.write({});
    asked_.clear();
    waiting_ = 0;
  }
  /// Some that share a set, and some that do not.
  void new_lines() {
    lines_.clear();
    const std::uint32_t line = config_.icache.line_bytes, set_bytes = config_.icache.l1_bytes / config_.icache.l1_ways;
    const auto base = static_cast<std::uint32_t>(random_()) / line * line;
    for (unsigned i = 0; i < num_lines_; ++i)
      lines_.push_back(base + i / 2 * set_bytes + (i % 2) * line * (random_() % 3));
  }
  void stimulate() override {
    send();
    counted_ = block_.counters();
    note_inputs();
  }
  void send() {
    if (rarely(100)) {
      fetches_ = random_() % 5, takes_ = random_() % 5, answers_ = random_() % 5;
      hot_ = rarely(3) ? 1 + random_() % 3 : num_lines_;
    }
    if (rarely(400)) answers_ = 0, takes_ = fetches_ = 4, hot_ = rarely(2) ? 1 + random_() % 2 : num_lines_;
    if (rarely(1500)) new_lines();
    if (rarely(200)) kernel_.write(static_cast<std::uint32_t>(random_()));
    if (!fetch_.read().valid || taken_ || rarely(20)) fetch_.write(often(fetches_) ? random_fetch() : FetchRequest{});
    line_ready_.write(often(takes_));
    if (fill_taken_) fill_.write({});
    if (!fill_.read().valid && !asked_.empty() && often(answers_)) fill_.write(random_fill());
  }
  FetchRequest random_fetch() {
    FetchRequest fetch;
    fetch.valid = true;
    fetch.warp = static_cast<std::uint8_t>(random_() % kMaxWarps);
    fetch.epoch = static_cast<std::uint8_t>(random_());
    fetch.bytes = static_cast<std::uint8_t>(4u << random_() % 3);
    const std::uint32_t line = lines_[random_() % std::min<std::size_t>(hot_, lines_.size())];
    fetch.address = line + random_() % config_.icache.line_bytes / fetch.bytes * fetch.bytes;
    return fetch;
  }
  /// Of any line that was asked for.
  LineReply random_fill() {
    const std::size_t i = random_() % asked_.size();
    LineReply fill;
    fill.valid = true;
    fill.client = MemClient::kInstruction;
    fill.fault = rarely(8) ? static_cast<MemFault>(1 + random_() % 2) : MemFault::kNone;
    fill.id = asked_[i];
    fill.address = static_cast<std::uint32_t>(random_());
    fill.origin = random_origin(random_);
    for (auto& word : fill.data) word = static_cast<std::uint32_t>(random_());
    asked_.erase(asked_.begin() + static_cast<std::ptrdiff_t>(i));
    return fill;
  }

  void note_inputs() {
    taken_ = fetch_.read().valid && block_.fetch_ready_o.read();
    fill_taken_ = fill_.read().valid && block_.fill_ready_o.read();
    answers_one_ = fill_taken_ || !block_.fill_ready_o.read();
    if (block_.line_o.read().valid && line_ready_.read()) asked_.push_back(block_.line_o.read().id);
    if (fetch_.read().valid && !block_.fetch_ready_o.read()) ++cases_["queue full"];
    if (fill_taken_ && fill_.read().fault != MemFault::kNone) ++cases_["line that cannot be read"];
    if (kernel_.read() != block_.registers().kernel) {
      if (!asked_.empty()) ++cases_["new kernel with lines on their way"];
      if (fill_taken_) ++cases_["new kernel beside a line"];
    }
    if (block_.line_o.read().valid && !line_ready_.read()) ++cases_["miss waits"];
  }
  void note_cases() override {
    const InstructionCache::Counters& counted = counted_;
    const InstructionCache::Counters& now = block_.counters();
    const std::string policy = std::string(to_text(config_.icache.l1_replacement)) + ": ";
    if (now.hits != counted.hits) ++cases_[policy + "hit"];
    if (now.misses != counted.misses) ++cases_[policy + "miss"];
    if (now.merges != counted.merges) ++cases_["merge"];
    if (now.hits != counted.hits && config_.icache.l1_latency == 1) ++cases_["hit of one cycle"];
    waiting_ += static_cast<unsigned>(now.misses - counted.misses + now.merges - counted.merges);
    waiting_ -= answers_one_ ? 1 : 0;
    if (waiting_ == 2 * kMaxWarps) ++cases_["no place to wait"];
    if (asked_.size() == config_.ccache.mshrs) ++cases_["no miss register"];
    if (asked_.size() == 32) ++cases_["32 lines on their way"];
  }

  Wire<FetchRequest>& fetch_ = wire(block_.fetch_i);
  Wire<std::uint32_t>& kernel_ = wire(block_.kernel_i);
  Wire<bool>& line_ready_ = wire(block_.line_ready_i);
  Wire<LineReply>& fill_ = wire(block_.fill_i);
  // Some more than fill two sets, or many.
  const unsigned num_lines_ = random_() % 4 != 0 ? 2 * config_.icache.l1_ways + 3 : 80;
  InstructionCache::Counters counted_;
  std::vector<std::uint32_t> lines_;
  std::vector<std::uint8_t> asked_;  // miss registers whose line was asked for and has not come
  bool taken_ = false, fill_taken_ = false, answers_one_ = false;
  unsigned waiting_ = 0;  // fetches that wait for a line
  unsigned fetches_ = 3, takes_ = 3, answers_ = 3, hot_ = 4;
};

}  // namespace g80::testing
