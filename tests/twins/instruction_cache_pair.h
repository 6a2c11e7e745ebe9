// SPDX-License-Identifier: Apache-2.0
// instruction_cache and a twin of it side by side: fetches from a few lines, and a second level that answers in any
// order.
#pragma once
#include <algorithm>

#include "hw/cache/instruction_cache.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class InstructionCachePair {
 public:
  using MakeTwin = std::unique_ptr<InstructionCache> (*)(const char* name, const Config& config);

  InstructionCachePair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        config_(random_config(random)),
        // Some more than fill two sets, or many.
        num_lines_(random() % 4 != 0 ? 2 * config_.icache.l1_ways + 3 : 80),
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
    const auto& icache = config_.icache;
    return fmt::format("{} bytes in {} ways of {} bytes, {}, latency {}, {} miss registers", icache.l1_bytes,
                       icache.l1_ways, icache.line_bytes, to_text(icache.l1_replacement), icache.l1_latency,
                       config_.ccache.mshrs);
  }

  std::optional<std::string> cycle() {
    if (rarely(600)) {
      reset();
      if (auto found = drawn_difference(block_, twin_)) return "in reset: " + *found;
    }
    stimulate();
    const InstructionCache::Counters counted = block_.counters();
    note_inputs();
    const std::uint64_t before = shader_.activations();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    if (ran == 0) ++cases_["asleep"];
    note_cases(counted);
    if (auto found = difference("fetch_ready_o", of_block_.fetch_ready.read(), of_twin_.fetch_ready.read()))
      return found;
    if (auto found = difference("reply_o", of_block_.reply.read(), of_twin_.reply.read())) return found;
    if (auto found = difference("line_o", of_block_.line.read(), of_twin_.line.read())) return found;
    if (auto found = difference("fill_ready_o", of_block_.fill_ready.read(), of_twin_.fill_ready.read())) return found;
    if (auto found = difference("waits_o", of_block_.waits.read(), of_twin_.waits.read())) return found;
    if (auto found = difference("idle", block_.idle(), twin_.idle())) return found;
    if (auto found = difference("counters", block_.counters(), twin_.counters())) return found;
    return drawn_difference(block_, twin_);
  }

 private:
  /// What only one of the two drives.
  struct Side {
    explicit Side(const std::string& name)
        : fetch_ready((name + "_fetch_ready").c_str()),
          fill_ready((name + "_fill_ready").c_str()),
          waits((name + "_waits").c_str()),
          reply((name + "_reply").c_str()),
          line((name + "_line").c_str()) {}
    Wire<bool> fetch_ready, fill_ready, waits;
    Wire<FetchReply> reply;
    Wire<LineRequest> line;
  };

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
  void connect(InstructionCache& each, Side& side) {
    each.fetch_i(fetch_);
    each.fetch_ready_o(side.fetch_ready);
    each.reply_o(side.reply);
    each.kernel_i(kernel_);
    each.line_o(side.line);
    each.line_ready_i(line_ready_);
    each.fill_i(fill_);
    each.fill_ready_o(side.fill_ready);
    each.waits_o(side.waits);
    shader_.add(each);
  }
  bool rarely(unsigned one_in) { return random_() % one_in == 0; }
  bool often(unsigned quarters) { return random_() % 4 < quarters; }

  void reset() {
    reset_both(block_, twin_);
    fetch_.write({});
    fill_.write({});
    asked_.clear();
    waiting_ = 0;
    ++cases_["reset"];
  }
  /// Some that share a set, and some that do not.
  void new_lines() {
    lines_.clear();
    const std::uint32_t line = config_.icache.line_bytes, set_bytes = config_.icache.l1_bytes / config_.icache.l1_ways;
    const auto base = static_cast<std::uint32_t>(random_()) / line * line;
    for (unsigned i = 0; i < num_lines_; ++i)
      lines_.push_back(base + i / 2 * set_bytes + (i % 2) * line * (random_() % 3));
  }
  void stimulate() {
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
    fill.bytes = static_cast<std::uint8_t>(config_.icache.line_bytes);
    fill.address = static_cast<std::uint32_t>(random_());
    fill.origin = random_origin(random_);
    for (auto& word : fill.data) word = static_cast<std::uint32_t>(random_());
    asked_.erase(asked_.begin() + static_cast<std::ptrdiff_t>(i));
    return fill;
  }

  void note_inputs() {
    taken_ = fetch_.read().valid && of_block_.fetch_ready.read();
    fill_taken_ = fill_.read().valid && of_block_.fill_ready.read();
    answers_one_ = fill_taken_ || !of_block_.fill_ready.read();
    if (of_block_.line.read().valid && line_ready_.read()) asked_.push_back(of_block_.line.read().id);
    if (fetch_.read().valid && !of_block_.fetch_ready.read()) ++cases_["queue full"];
    if (fill_taken_ && fill_.read().fault != MemFault::kNone) ++cases_["line that cannot be read"];
    if (kernel_.read() != block_.registers().kernel) {
      if (!asked_.empty()) ++cases_["new kernel with lines on their way"];
      if (fill_taken_) ++cases_["new kernel beside a line"];
    }
    if (of_block_.line.read().valid && !line_ready_.read()) ++cases_["miss waits"];
  }
  void note_cases(const InstructionCache::Counters& counted) {
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

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  const unsigned num_lines_;
  Domain shader_;
  Wire<FetchRequest> fetch_{"fetch"};
  Wire<std::uint32_t> kernel_{"kernel"};
  Wire<bool> line_ready_{"line_ready"};
  Wire<LineReply> fill_{"fill"};
  Side of_block_{"block"}, of_twin_{"twin"};
  InstructionCache block_;
  const std::unique_ptr<InstructionCache> made_twin_;
  InstructionCache& twin_;
  std::vector<std::uint32_t> lines_;
  std::vector<std::uint8_t> asked_;  // miss registers whose line was asked for and has not come
  bool taken_ = false, fill_taken_ = false, answers_one_ = false;
  unsigned waiting_ = 0;  // fetches that wait for a line
  unsigned fetches_ = 3, takes_ = 3, answers_ = 3, hot_ = 4;
};

}  // namespace g80::testing
