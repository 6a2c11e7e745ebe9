// SPDX-License-Identifier: Apache-2.0
// Turns fetched words into instructions: one fetch reply a scheduler cycle.
//
// It finds where instructions begin and which of them this chip lacks. Blocks further on take the fields that they need
// from the words.
//
// From:  instruction_cache      To:  instruction_buffer, scoreboard, fetch
#pragma once
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
  G80_FIELDS(group);
};

class Decode : public Clocked<DecodeRegs> {
 public:
  Decode(const sc_core::sc_module_name& name, const Config& config);

  In<LaunchState> launch_i{"launch_i"};
  In<FetchReply> reply_i{"reply_i"};
  Out<DecodedGroup> decoded_o{"decoded_o"};

 protected:
  void next() override;
  FetchedInstruction decode(std::uint32_t pc, std::uint32_t w0, std::uint32_t w1) const;
  void drive() override { decoded_o.write_event(q_.group.valid, q_.group); }

  const isa::Arch arch_;
  const bool has_dp_;  // sm.num_dps
};

}  // namespace g80
