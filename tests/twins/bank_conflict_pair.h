// SPDX-License-Identifier: Apache-2.0
// bank_conflict and a twin of it side by side, with random requests.
#pragma once
#include "hw/smem/bank_conflict.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class BankConflictPair final : public Pair<BankConflict> {
 public:
  BankConflictPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}) {
    pass(500);
  }
  std::string configuration() const {
    return fmt::format("{} passes in 4 cycles", config_.sm.smem_passes_per_4_cycles);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.smem_passes_per_4_cycles = 1u << random() % 3;
    return config;
  }
  void reset() override {
    Pair::reset();
    request_.write({});
    held_ = false;
  }
  void stimulate() override {
    counted_ = block_.counters();
    if (quiet_ > 0) --quiet_;
    if (held_ && !block_.request_ready_o.read()) {  // a refused request stays
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
  void note_cases() override {
    const SmemPass& pass = block_.pass_o.read();
    if (!block_.request_ready_o.read()) ++cases_["queue full"];
    if (block_.registers().wait != 0) ++cases_["wait between passes"];
    passes_ = block_.counters().passes == counted_.passes ? passes_ : passes_ + 1;
    if (!pass.valid) return;
    if (!pass.last) return;
    if (pass.request.lanes == 0) ++cases_["request without lanes"];
    if (passes_ == 1 && pass.request.lanes == 0xffff)
      ++cases_[pass.request.write ? "write without conflict" : "read without conflict"];
    if (passes_ == 16) ++cases_[pass.request.write ? "write of 16 passes" : "read of 16 passes"];
    if (passes_ > 1 && passes_ < 16) ++cases_["some conflict"];
    passes_ = 0;
  }

  Wire<SmemRequest>& request_ = wire(block_.request_i);
  BankConflict::Counters counted_;
  bool held_ = false;
  unsigned quiet_ = 0, density_ = 2, passes_ = 0;
};

}  // namespace g80::testing
