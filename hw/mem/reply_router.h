// SPDX-License-Identifier: Apache-2.0
// Routes the replies that arrive at a TPC to the requesting client: SM, texture unit or page-table walker.
//
// Replies come from the crossbar, and from the TLB for requests it refused (faults, which go first: they are rare).
// Each source has its own queue; a reply whose client has no place stalls those behind it. Rate: one reply a
// cycle from each source, and one to each SM.
#pragma once
#include <systemc>

#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/limits.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

struct ReplyRouterRegs {
  bool reply_ready = false, refused_ready = false;
  bool texture_offered = false, walk_offered = false;
  G80_FIELDS(reply_ready, refused_ready, texture_offered, walk_offered);
};

class ReplyRouter : public Clocked<ReplyRouterRegs> {
 public:
  ReplyRouter(const sc_core::sc_module_name& name, const Config& config);

  // From the crossbar
  In<MemReply> reply_i{"reply_i"};
  Out<bool> reply_ready_o{"reply_ready_o"};
  // From the TLB: requests that never left
  In<MemReply> refused_i{"refused_i"};
  Out<bool> refused_ready_o{"refused_ready_o"};
  // To the load tables of the SMs
  Ports<CrossingOut<MemReply>> sm_o;
  // To the texture unit
  Out<MemReply> texture_o{"texture_o"};
  In<bool> texture_ready_i{"texture_ready_i"};
  // To the page-table walker
  Out<MemReply> walk_o{"walk_o"};
  In<bool> walk_ready_i{"walk_ready_i"};
  // To the idle detector
  Out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t replies = 0, faults = 0;
    std::uint64_t held_back = 0;  // replies that found no place at their client on their first try
    G80_FIELDS(replies, faults, held_back);
  };
  const Counters& counters() const { return counters_; }
  /// Nothing inside. False after a refused access: its SM reports the fault, and until then the machine is not idle;
  /// afterwards the result is not used.
  bool idle() const {
    return replies_.empty() && refused_.empty() && texture_.empty() && walk_.empty() && !refused_an_access_;
  }

 protected:
  static constexpr unsigned kQueue = 2;
  using ReplyQueue = Fifo<MemReply, kQueue>;

  void next() override;
  void drive() override;
  void reset() override;
  void visit_members(FieldVisitor& visitor) const override { visitor.stored("refused", refused_an_access_); }
  void visit_members(FieldEditor& editor) override { editor.stored("refused", refused_an_access_); }
  /// Delivers the front of `source` if its client has a place. `given`: the SMs that have got a reply at this edge.
  bool deliver(ReplyQueue& source, bool& tried, std::uint32_t& given);

  const unsigned num_sms_;
  ReplyQueue replies_{*this, "replies"}, refused_{*this, "refused"}, texture_{*this, "texture"}, walk_{*this, "walk"};
  bool reply_tried_ = false, refused_tried_ = false;
  bool refused_an_access_ = false;
  Counters counters_;
};

}  // namespace g80
