// SPDX-License-Identifier: Apache-2.0
// The crossbar port of the units outside the TPCs: copy engine, command processor and third-level cache.
//
// Requests with virtual addresses (command processor and third-level cache) are merged and go through the chip's TLB;
// what comes back translated shares the crossbar port with the copy engine, which has physical addresses; page walks of
// the TLB come back the same way. Arbitration is round robin. Replies are routed by client; a reply to a write means
// that the memory refused it. Latency: one cycle in each merge and in the reply route. Rate: one request and one reply
// a cycle.
#pragma once
#include <systemc>

#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/output_register.h"
#include "hw/common/wire.h"

namespace g80 {

/// Which of two requesters goes: the one that did not go last, if both request. This is where the port is arbitrated.
enum class Contender : std::uint8_t { kNone, kFirst, kSecond };
inline Contender take_turns(bool first, bool second, bool first_went_last) {
  if (first && second) return first_went_last ? Contender::kSecond : Contender::kFirst;
  return first ? Contender::kFirst : second ? Contender::kSecond : Contender::kNone;
}

struct ChipPortRegs {
  bool command_ready = true, line_ready = true, translated_ready = true, copy_ready = true;
  bool reply_ready = true, refusal_ready = true;
  bool command_went_last = false, copy_went_last = false;
  bool idle = true;
  G80_FIELDS(command_ready, line_ready, translated_ready, copy_ready, reply_ready, refusal_ready, command_went_last,
             copy_went_last, idle);
};

class ChipPort : public Clocked<ChipPortRegs> {
 public:
  explicit ChipPort(const sc_core::sc_module_name& name) : Clocked(name) {}

  // From the command processor and the third-level cache, virtual
  In<MemRequest> command_i{"command_i"};
  Out<bool> command_ready_o{"command_ready_o"};
  In<MemRequest> line_i{"line_i"};
  Out<bool> line_ready_o{"line_ready_o"};
  // To the TLB and back: translated requests and page walks, physical; accesses it refuses
  Out<MemRequest> tlb_o{"tlb_o"};
  In<bool> tlb_ready_i{"tlb_ready_i"};
  In<MemRequest> translated_i{"translated_i"};
  Out<bool> translated_ready_o{"translated_ready_o"};
  In<MemReply> refusal_i{"refusal_i"};
  Out<bool> refusal_ready_o{"refusal_ready_o"};
  // From the copy engine, physical
  In<MemRequest> copy_i{"copy_i"};
  Out<bool> copy_ready_o{"copy_ready_o"};
  // To and from the crossbar
  Out<MemRequest> request_o{"request_o"};
  In<bool> request_ready_i{"request_ready_i"};
  In<MemReply> reply_i{"reply_i"};
  Out<bool> reply_ready_o{"reply_ready_o"};
  // Replies to the copy engine (always taken), the third-level cache and the TLB's walker
  Out<MemReply> copy_reply_o{"copy_reply_o"};
  Out<MemReply> line_reply_o{"line_reply_o"};
  In<bool> line_reply_ready_i{"line_reply_ready_i"};
  Out<MemReply> walk_reply_o{"walk_reply_o"};
  In<bool> walk_reply_ready_i{"walk_reply_ready_i"};
  // To the command processor
  Out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t requests = 0, replies = 0;
    std::uint64_t refused_writes = 0;        // by the host link: copies, fences, constants
    std::uint32_t last_refused_address = 0;  // virtual; physical for a copy
    G80_FIELDS(requests, replies, refused_writes, last_refused_address);
  };
  const Counters& counters() const { return counters_; }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void take_inputs();
  void send_to_tlb();
  void send_to_crossbar();
  void route_replies();
  bool route(const MemReply& reply);

  Fifo<MemRequest, 2> command_{*this, "command"}, line_{*this, "line"}, translated_{*this, "translated"},
      copy_{*this, "copy"};
  Fifo<MemReply, 2> replies_{*this, "replies"}, refusals_{*this, "refusals"};
  OutputRegister<MemRequest> to_tlb_{*this, "to_tlb"}, to_crossbar_{*this, "to_crossbar"};
  OutputRegister<MemReply> to_copy_{*this, "to_copy"}, to_line_{*this, "to_line"}, to_walker_{*this, "to_walker"};
  Counters counters_;
};

}  // namespace g80
