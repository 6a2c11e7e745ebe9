// SPDX-License-Identifier: Apache-2.0
// decode and a twin of it side by side, with random fetch replies.
#pragma once
#include "hw/isa/opcode_table.h"
#include "hw/sm/decode.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class DecodePair final : public Pair<Decode> {
 public:
  DecodePair(std::mt19937& random, Cases& cases, MakeTwin make) : Pair(random, cases, make, random_config(random), {}) {
    LaunchState launch;
    launch.code_base = static_cast<std::uint32_t>(random()) & 0x7fffff00;
    launch_.write(launch);
    pass(500);
  }
  std::string configuration() const {
    return fmt::format("compute capability 1.{}, {} fp64 units", config_.device.compute_minor, config_.sm.num_dps);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.device.compute_minor = random() % 4;
    config.sm.num_dps = random() % 2;
    return config;
  }
  void reset() override {
    Pair::reset();
    reply_.write({});
  }
  void stimulate() override {
    if (random_() % 100 == 0) quiet_ = random_() % 40;
    if (quiet_ > 0) --quiet_;
    if (quiet_ == 0 && random_() % 4 != 0) {
      reply_.write(random_reply());
    } else if (reply_.read().valid) {
      reply_.write({});
    }
  }
  FetchReply random_reply() {
    FetchReply reply;
    reply.valid = true;
    reply.warp = random_() % kMaxWarps;
    reply.epoch = static_cast<std::uint8_t>(random_());
    reply.bytes = static_cast<std::uint8_t>(4u << random_() % 3);
    reply.fault = random_() % 20 == 0 ? static_cast<MemFault>(1 + random_() % (enum_text(MemFault{}).count - 1))
                                      : MemFault::kNone;
    const std::uint32_t pc = (static_cast<std::uint32_t>(random_()) & 0xffffff) / reply.bytes * reply.bytes;
    reply.address = launch_.read().code_base + pc;
    if (reply.fault == MemFault::kNone) {
      for (unsigned word = 0; word < reply.data.size();) {
        const std::uint64_t words = random_instruction();
        reply.data[word++] = static_cast<std::uint32_t>(words);
        if ((words & 1) != 0 && word < reply.data.size()) reply.data[word++] = static_cast<std::uint32_t>(words >> 32);
        if (random_() % 8 == 0) reply.data[word - 1] = static_cast<std::uint32_t>(random_());
      }
    }
    return reply;
  }
  std::uint64_t random_instruction() {
    const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    const isa::Row& row = rows[random_() % rows.size()];
    const std::uint64_t bits = std::uint64_t{random_()} << 32 | random_();
    return (bits & ~row.mask) | row.match;
  }
  void note_cases() override {
    const DecodedGroup& group = block_.decoded_o.read();
    if (!group.valid) return;
    ++cases_[fmt::format("{} instructions", group.count)];
    for (unsigned i = 0; i < group.count; ++i) {
      const isa::DecodeError error = group.insn[i].error;
      ++cases_[enum_text(error).names[static_cast<unsigned>(error)]];
    }
    if (group.count == 1 && group.insn[0].words == ~std::uint64_t{0}) ++cases_["page absent"];
  }

  Wire<LaunchState>& launch_ = wire(block_.launch_i);
  Wire<FetchReply>& reply_ = wire(block_.reply_i);
  unsigned quiet_ = 0;
};

}  // namespace g80::testing
