// SPDX-License-Identifier: Apache-2.0
// Turns fetched words into instructions: one fetch reply a scheduler cycle.
//
// The result of decoding is a pure function of the words, so each distinct instruction is decoded once and cached.
//
// From:  instruction_cache      To:  instruction_buffer, scoreboard, fetch
#pragma once
#include <deque>
#include <unordered_map>

#include "hw/bundles/launch_state.h"
#include "hw/bundles/sm_bundles.h"
#include "hw/cache/instruction_cache.h"
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

struct DecodeRegs {
  DecodedGroup group;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("group", s.group);
  }
};

class Decode : public Clocked<DecodeRegs> {
 public:
  Decode(const sc_core::sc_module_name& name, const Config& config, const LaunchState& launch);

  sc_core::sc_in<FetchReply> reply_i{"reply_i"};
  sc_core::sc_out<DecodedGroup> decoded_o{"decoded_o"};

  /// The decoded form of two words (w1 is ignored for short instructions).
  const DecodedInstruction* lookup(std::uint32_t w0, std::uint32_t w1,
                                   isa::DecodeError placement = isa::DecodeError::kNone);

 protected:
  void next() override;
  void drive() override { decoded_o.write(q_.group); }

  static constexpr unsigned kRecent = 256;
  const LaunchState& launch_;
  const isa::Arch arch_;
  const bool has_dp_;  // sm.num_dps
  std::deque<DecodedInstruction> store_;
  std::unordered_map<std::uint64_t, const DecodedInstruction*> by_words_;
  std::array<const DecodedInstruction*, kRecent> recent_{};
  std::unordered_map<std::uint64_t, const DecodedInstruction*> misplaced_;
};

}  // namespace g80
