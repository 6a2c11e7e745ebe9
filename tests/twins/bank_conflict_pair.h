// SPDX-License-Identifier: Apache-2.0
// bank_conflict and a twin of it side by side, with random requests.
#pragma once
#include "hw/smem/bank_conflict.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class BankConflictPair {
 public:
  using MakeTwin = std::unique_ptr<BankConflict> (*)(const char* name, const Config& config);

  BankConflictPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        config_(random_config(random)),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        block_("block", config_),
        made_twin_(make("twin", config_)),
        twin_(*made_twin_) {
    block_.request_i(request_);
    twin_.request_i(request_);
    block_.request_ready_o(block_ready_);
    twin_.request_ready_o(twin_ready_);
    block_.pass_o(block_pass_);
    twin_.pass_o(twin_pass_);
    block_.replay_o(block_replay_);
    twin_.replay_o(twin_replay_);
    shader_.add(block_);
    shader_.add(twin_);
    sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));  // inputs change between edges
  }
  std::string configuration() const {
    return fmt::format("{} passes in 4 cycles", config_.sm.smem_passes_per_4_cycles);
  }

  std::optional<std::string> cycle() {
    if (random_() % 600 == 0) reset();
    stimulate();
    const std::uint64_t before = shader_.activations();
    const BankConflict::Counters counted = block_.counters();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    note_cases(ran, counted);
    if (auto found = difference("request_ready_o", block_ready_.read(), twin_ready_.read())) return found;
    if (auto found = difference("pass_o", block_pass_.read(), twin_pass_.read())) return found;
    if (auto found = difference("replay_o", block_replay_.read(), twin_replay_.read())) return found;
    if (auto found = drawn_difference(block_, twin_)) return found;
    return difference("counters", block_.counters(), twin_.counters());
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.smem_passes_per_4_cycles = 1u << random() % 3;
    return config;
  }
  void reset() {
    reset_both(block_, twin_);
    request_.write({});
    held_ = false;
    ++cases_["reset"];
  }
  void stimulate() {
    if (quiet_ > 0) --quiet_;
    if (held_ && !block_ready_.read()) {  // a refused request stays
      ++cases_["request refused"];
      return;
    }
    if (random_() % 100 == 0) quiet_ = random_() % 40;
    if (random_() % 50 == 0) density_ = random_() % 4;
    held_ = quiet_ == 0 && random_() % 4 <= density_;
    if (held_) {
      request_.write(random_request());
    } else if (request_.read().valid) {
      request_.write({});
    }
  }
  SmemRequest random_request() {
    SmemRequest request;
    request.valid = true;
    request.write = random_() % 3 == 0;
    request.lock = random_() % 4 == 0;
    request.unit = random_() % 16;
    request.half = random_() % 2;
    request.bytes = static_cast<std::uint8_t>(1u << random_() % 3);
    request.sign_extend = random_() % 2 != 0;
    request.lanes = random_lanes(random_);
    request.origin = random_origin(random_);
    const unsigned pattern = random_() % 5, stride = random_() % 33, first = random_() % 1024;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      unsigned address = 0;
      switch (pattern) {
        case 0: address = random_() % kMaxSharedBytes; break;                          // anywhere
        case 1: address = 4 * (first + l * stride); break;                             // a stride
        case 2: address = first + l * request.bytes; break;                            // neighbours, words shared
        case 3: address = 64 * (random_() % 256) + first % 64; break;                  // one bank
        default: address = 4 * (first + 16 * (random_() % 2) + random_() % 3); break;  // few words, some twice
      }
      request.address[l] = static_cast<std::uint16_t>(address % kMaxSharedBytes);
      request.data[l] = static_cast<std::uint32_t>(random_());
    }
    return request;
  }
  void note_cases(std::uint64_t ran, const BankConflict::Counters& before) {
    const SmemPass& pass = block_pass_.read();
    if (ran == 0) ++cases_["asleep"];
    if (!block_ready_.read()) ++cases_["queue full"];
    if (block_.registers().wait != 0) ++cases_["wait between passes"];
    passes_ = block_.counters().passes == before.passes ? passes_ : passes_ + 1;
    if (!pass.valid) return;
    if (!pass.last) return;
    if (pass.request.lanes == 0) ++cases_["request without lanes"];
    if (passes_ == 1 && pass.request.lanes == 0xffff)
      ++cases_[pass.request.write ? "write without conflict" : "read without conflict"];
    if (passes_ == 16) ++cases_[pass.request.write ? "write of 16 passes" : "read of 16 passes"];
    if (passes_ > 1 && passes_ < 16) ++cases_["some conflict"];
    passes_ = 0;
  }

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  Domain shader_;
  Wire<SmemRequest> request_{"request"};
  Wire<bool> block_ready_{"block_ready"}, twin_ready_{"twin_ready"};
  Wire<SmemPass> block_pass_{"block_pass"}, twin_pass_{"twin_pass"};
  Wire<bool> block_replay_{"block_replay"}, twin_replay_{"twin_replay"};
  BankConflict block_;
  const std::unique_ptr<BankConflict> made_twin_;
  BankConflict& twin_;
  bool held_ = false;
  unsigned quiet_ = 0, density_ = 2, passes_ = 0;
};

}  // namespace g80::testing
