// SPDX-License-Identifier: Apache-2.0
// shared_memory and a twin of it side by side: half-warps of every kind in passes as bank_conflict makes them, warps
// that take each other's locks, and blocks that end and begin.
#pragma once
#include "hw/smem/bank_conflict.h"
#include "hw/smem/shared_memory.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class SharedMemoryPair final : public Pair<SharedMemory> {
 public:
  SharedMemoryPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}) {
    pass(2500);  // over the edges in reset
  }
  std::string configuration() const {
    const auto& sm = config_.sm;
    return fmt::format("latency {}, {} flags, {} locks a warp", sm.smem_latency, sm.lock_flags, sm.locks_per_warp);
  }

 private:
  static constexpr std::uint16_t kWords = kMaxSharedBytes / 4;

  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    auto& sm = config.sm;
    sm.shared_bytes = kMaxSharedBytes;
    sm.smem_latency = sm.alu_latency + 10 + 2 * (random() % (random() % 4 != 0 ? 4 : 105));
    sm.lock_flags = 1u << random() % 9;
    sm.locks_per_warp = random() % 3 != 0 ? 1 + random() % 4 : 1 + random() % 32;
    sm.init = static_cast<InitState>(random() % 3);
    return config;
  }
  static std::uint64_t locked(const SharedMemory& memory, unsigned warp) {
    std::uint64_t words = memory.locks().held(warp);
    memory.locks().for_each_word(warp, [&](unsigned address) { words = 31 * words + address; });
    return words;
  }

  bool is_reset_now() override { return rarely(700); }
  void reset() override {
    pass_.write({});
    ended_.write(0);
    start_.write({});
    request_ = {};
    left_ = 0;
    Pair::reset();
  }
  std::optional<std::string> other_difference() override {
    if (auto found = difference("holders", block_.locks().holders(), twin_.locks().holders())) return found;
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned word = rarely(2) ? random_() % kWords : request_.address[random_() % kHalfWarp] / 4u;
      if (auto found = difference("word", block_.read_word(word), twin_.read_word(word))) return found;
    }
    const unsigned warp = random_() % kMaxWarps;
    return difference("locked words", locked(block_, warp), locked(twin_, warp));
  }
  void stimulate() override {
    send();
    holders_ = block_.locks().holders();
    counted_ = block_.counters();
  }
  void send() {
    if (rarely(200)) pause_one_in_ = 1 + random_() % (rarely(2) ? 3 : 40), locks_one_in_ = 1 + random_() % 5;
    if (quiet_ > 0) {
      --quiet_;
      pass_.write({});
      ended_.write(0);
      start_.write({});
      return;
    }
    if (left_ == 0 && rarely(60)) quiet_ = random_() % 150;
    ended_.write(rarely(40) ? random_ended() : 0);
    start_.write(rarely(80) ? random_start() : SmemStart{});
    if (!request_.valid && !rarely(pause_one_in_ + 1)) {
      request_ = random_request();
      left_ = request_.lanes;
    }
    if (!request_.valid || rarely(6)) {
      pass_.write({});
      return;
    }
    HalfWords word;
    for (unsigned l = 0; l < kHalfWarp; ++l) word[l] = static_cast<std::uint16_t>(request_.address[l] / 4);
    SmemPass pass;
    pass.valid = true;
    pass.lanes = select_pass(left_, word, request_.write);
    pass.request = request_;
    left_ = static_cast<HalfMask>(left_ & ~pass.lanes);
    pass.last = left_ == 0;
    request_.valid = !pass.last;
    pass_.write(pass);
  }
  WarpMask random_ended() {
    return (WarpMask{3} << random_() % kMaxWarps) | (rarely(3) ? static_cast<WarpMask>(random_()) : 0);
  }
  SmemStart random_start() {
    SmemStart start;
    start.valid = true;
    start.count = static_cast<std::uint16_t>(random_() % 300);
    start.first = static_cast<std::uint16_t>(random_() % (kWords - start.count));
    return start;
  }
  SmemRequest random_request() {
    SmemRequest request;
    request.valid = true;
    request.write = rarely(2);
    request.lock = rarely(locks_one_in_);
    request.header = request.write && !request.lock && rarely(8);
    request.warp = static_cast<std::uint8_t>(rarely(2) ? random_() % 3 : random_() % kMaxWarps);
    request.unit = static_cast<std::uint8_t>(random_() % 16);
    request.half = random_() % 2;
    request.bytes = static_cast<std::uint8_t>(1u << random_() % 3);
    request.sign_extend = rarely(2);
    request.lanes = random_lanes(random_);
    request.origin = random_origin(random_);
    const unsigned pattern = random_() % 5, stride = random_() % 33, first = random_() % (rarely(2) ? 16 : kWords);
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      unsigned address = 0;
      switch (pattern) {
        case 0: address = static_cast<unsigned>(random_()) % kMaxSharedBytes; break;   // anywhere
        case 1: address = 4 * (first + l * stride); break;                             // a stride
        case 2: address = 4 * first + l * request.bytes; break;                        // neighbours, words shared
        case 3: address = 64 * (random_() % 256) + first % 64; break;                  // one bank
        default: address = 4 * (first + 16 * (random_() % 2) + random_() % 3); break;  // few words, some twice
      }
      request.address[l] = static_cast<std::uint16_t>(address % kMaxSharedBytes / request.bytes * request.bytes);
      request.data[l] = static_cast<std::uint32_t>(random_());
    }
    return request;
  }

  void note_cases() override {
    const WarpMask holders = holders_;
    const SharedMemory::Counters& before = counted_;
    const SmemPass& pass = pass_.read();
    if (block_.reply_o.read().valid) {
      for (const std::uint32_t word : block_.reply_o.read().data) {
        if (word == 0xdeadbeefu) ++cases_["an unwritten word is read"];
        if (word >> 16 == 0xdead && word != 0xdeadbeefu) ++cases_["a word with unwritten bytes is read"];
      }
    }
    if ((ended_.read() & holders) != 0) ++cases_["a warp with a lock ends"];
    if (start_.read().valid) ++cases_["block begins"];
    if (start_.read().valid && pass.valid) ++cases_["block begins beside a pass"];
    if (block_.reply_o.read().valid && block_.registers().gather.data != decltype(SmemGather::data){})
      ++cases_["answer while the next one is gathered"];
    if (!pass.valid) return;
    const SmemRequest& request = pass.request;
    ++cases_[fmt::format("{} of {} bytes", request.write ? "write" : "read", request.bytes)];
    if (!request.write && request.bytes < 4 && request.sign_extend) ++cases_["sign extended"];
    if (request.lanes == 0) ++cases_["request without lanes"];
    if (pass.last && pass.lanes != request.lanes) ++cases_["last of several passes"];
    if (!request.lock) return;
    const std::uint64_t granted = block_.counters().granted[request.warp] - before.granted[request.warp];
    if (request.write) {
      const bool held = (holders >> request.warp & 1) != 0;
      if (held && (block_.locks().holders() >> request.warp & 1) == 0) ++cases_["gives back its last lock"];
      if (!held && (holders != 0)) ++cases_["unlocks what it does not hold"];
      return;
    }
    if (granted == 0 && pass.lanes != 0) ++cases_["gets no lock"];
    if (granted != 0) ++cases_["gets a lock"];
    if (granted > 1) ++cases_["gets several locks"];
    if (block_.locks().held(request.warp) == config_.sm.locks_per_warp) ++cases_["holds all it may"];
  }

  Wire<SmemPass>& pass_ = wire(block_.pass_i);
  Wire<SmemStart>& start_ = wire(block_.start_i);
  Wire<WarpMask>& ended_ = wire(block_.ended_i);
  WarpMask holders_ = 0;
  SharedMemory::Counters counted_;
  SmemRequest request_;  // whose passes come
  HalfMask left_ = 0;
  unsigned quiet_ = 0, pause_one_in_ = 2, locks_one_in_ = 3;
};

}  // namespace g80::testing
