// SPDX-License-Identifier: Apache-2.0
// decode and a twin of it side by side, with random fetch replies.
#pragma once
#include "hw/isa/opcode_table.h"
#include "hw/sm/decode.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class DecodePair {
 public:
  using MakeTwin = std::unique_ptr<Decode> (*)(const char* name, const Config& config);

  DecodePair(std::mt19937& random, Cases& cases, MakeTwin make)
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
    for (Decode* each : {&block_, &twin_}) {
      each->launch_i(launch_);
      each->reply_i(reply_);
      shader_.add(*each);
    }
    block_.decoded_o(block_decoded_);
    twin_.decoded_o(twin_decoded_);
    sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));  // inputs change between edges
  }
  std::string configuration() const {
    return fmt::format("compute capability 1.{}, {} fp64 units", config_.device.compute_minor, config_.sm.num_dps);
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
    if (auto found = difference("decoded_o", block_decoded_.read(), twin_decoded_.read())) return found;
    return drawn_difference(block_, twin_);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.device.compute_minor = random() % 4;
    config.sm.num_dps = random() % 2;
    return config;
  }
  void reset() {
    reset_both(block_, twin_);
    reply_.write({});
    ++cases_["reset"];
  }
  void stimulate() {
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
  void note_cases(std::uint64_t ran) {
    if (ran == 0) ++cases_["asleep"];
    const DecodedGroup& group = block_decoded_.read();
    if (!group.valid) return;
    ++cases_[fmt::format("{} instructions", group.count)];
    for (unsigned i = 0; i < group.count; ++i) {
      const isa::DecodeError error = group.insn[i].error;
      ++cases_[enum_text(error).names[static_cast<unsigned>(error)]];
    }
    if (group.count == 1 && group.insn[0].words == ~std::uint64_t{0}) ++cases_["page absent"];
  }

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  Domain shader_;
  Wire<LaunchState> launch_{"launch"};
  Wire<FetchReply> reply_{"reply"};
  Wire<DecodedGroup> block_decoded_{"block_decoded"}, twin_decoded_{"twin_decoded"};
  Decode block_;
  const std::unique_ptr<Decode> made_twin_;
  Decode& twin_;
  unsigned quiet_ = 0;
};

}  // namespace g80::testing
