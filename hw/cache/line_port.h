// SPDX-License-Identifier: Apache-2.0
// The one line link of an SM: merges the misses of its instruction and constant caches, and hands each line to its
// cache.
//
// Runs at scheduler rate, as the two caches do.
// Latency: a miss is pushed one edge after its transfer when the link is free; a line is on the fill wire one edge
// after it became visible. Rate: one request and one reply an edge. The caches take turns when both miss.
#pragma once
#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"

namespace g80 {

struct LinePortRegs {
  bool instruction_ready = true;
  bool constant_ready = true;
  bool constant_first = false;  // whose turn it is when both want to send
  LineReply instruction_fill;
  LineReply constant_fill;
  G80_FIELDS(instruction_ready, constant_ready, constant_first, instruction_fill, constant_fill);
};

class LinePort : public Clocked<LinePortRegs> {
 public:
  /// `tpc` and `sm_in_tpc` mark the requests.
  LinePort(const sc_core::sc_module_name& name, unsigned tpc, unsigned sm_in_tpc);

  // From and to the instruction cache
  In<LineRequest> instruction_i{"instruction_i"};
  Out<bool> instruction_ready_o{"instruction_ready_o"};
  Out<LineReply> instruction_fill_o{"instruction_fill_o"};
  In<bool> instruction_fill_ready_i{"instruction_fill_ready_i"};
  // From and to the constant cache
  In<LineRequest> constant_i{"constant_i"};
  Out<bool> constant_ready_o{"constant_ready_o"};
  Out<LineReply> constant_fill_o{"constant_fill_o"};
  In<bool> constant_fill_ready_i{"constant_fill_ready_i"};
  // To and from the second level of the TPC
  CrossingOut<LineRequest> line_o{"line_o"};
  CrossingIn<LineReply> line_i{"line_i"};

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void send(Fifo<LineRequest, 2>& queue);

  const std::uint8_t tpc_, sm_in_tpc_;
  Fifo<LineRequest, 2> instruction_{*this, "instruction"}, constant_{*this, "constant"};
};

}  // namespace g80
