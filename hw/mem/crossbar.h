// SPDX-License-Identifier: Apache-2.0
// The crossbar between TPCs and memory partitions, one network for requests and one for replies.
//
// A network has a queue of xbar.queue packets at each input. The front packet of an input requests its output; every
// output serves its requesters round robin. A packet of n flits occupies its input and its output for n flit times, and
// a port moves so many flits per core cycle; then it travels down the output's pipe, an elastic one that holds as many
// packets as it has stages plus xbar.queue at its end. Nothing is lost, and packets from one input to one output stay
// in order. From input to output an unloaded packet of one flit cycle takes the configured latency, at least 2 cycles.
//
// Flits: a request has one flit of header, a write also its data, an atomic or reduction its two operands (16 bytes).
// A reply has one flit of header, unless refused also its data; an atomic's reply the old value (8 bytes).
//
// Ports: 0 .. num_tpcs - 1 are the TPCs, num_tpcs is the chip-level port; on the other side one per partition.
#pragma once
#include <array>
#include <systemc>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/limits.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/mem/address_map.h"

namespace g80 {

inline constexpr unsigned kMaxXbarPorts = kMaxTpcs + 1;

unsigned request_flits(const MemRequest& request, unsigned flit_bytes);
unsigned reply_flits(const MemReply& reply, unsigned flit_bytes);

/// Which of the inputs (bit k: input k requests) the output serves next. This is where a crossbar conflict is decided.
unsigned pick_input(std::uint32_t asking, unsigned last);

struct CrossbarRegs {
  std::uint32_t ready = 0;                         // bit k: input k has a place
  std::uint32_t offered = 0;                       // bit k: output k has a packet on its wire
  bool idle = true;                                // nothing queued or travelling
  std::array<std::uint8_t, kMaxXbarPorts> last{};  // input an output served last
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("ready", s.ready, kMaxXbarPorts);
    v("offered", s.offered, kMaxXbarPorts);
    v("idle", s.idle);
    v("last", s.last, 5);
  }
};

/// One direction of the crossbar.
template <class Packet>
class CrossbarNetwork : public Clocked<CrossbarRegs> {
 public:
  sc_core::sc_vector<sc_core::sc_in<Packet>> in_i;
  sc_core::sc_vector<sc_core::sc_out<bool>> in_ready_o;
  sc_core::sc_vector<sc_core::sc_out<Packet>> out_o;
  sc_core::sc_vector<sc_core::sc_in<bool>> out_ready_i;
  // To wait-for-idle
  sc_core::sc_out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t packets = 0, flits = 0;
    std::array<std::uint64_t, kMaxXbarPorts> input_packets{}, output_packets{};
    std::array<std::uint64_t, kMaxXbarPorts> input_flits{}, output_flits{};
    std::array<std::uint64_t, kMaxXbarPorts> stalls{};  // cycles in which an input's front packet did not go
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("packets", s.packets);
      v("flits", s.flits);
      v("input_packets", s.input_packets);
      v("output_packets", s.output_packets);
      v("input_flits", s.input_flits);
      v("output_flits", s.output_flits);
      v("stalls", s.stalls);
    }
  };
  const Counters& counters() const { return counters_; }

 protected:
  struct Shape {
    unsigned inputs, outputs, flits_per_cycle, latency, queue, flit_bytes;
  };
  CrossbarNetwork(const sc_core::sc_module_name& name, const Shape& shape);
  virtual unsigned flits(const Packet& packet) const = 0;
  virtual unsigned destination(const Packet& packet) const = 0;
  const Shape shape_;

  static constexpr unsigned kLeastLatency = 2;
  struct Travelling {
    Cycle arrives = 0;
    Packet packet;
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("arrives", s.arrives);
      v("packet", s.packet);
    }
  };

  void next() override;
  void drive() override;
  void reset() override;
  bool pop_delivered();
  bool grant();
  bool accept();
  void ask(unsigned input);
  void move(unsigned input, unsigned output);

  // Time, in flits of the port's rate, until which a port is occupied.
  std::array<Cycle, kMaxXbarPorts> input_busy_{}, output_busy_{};
  Stored<std::vector<SizedRing<Packet>>> queues_;
  Stored<std::vector<SizedRing<Travelling>>> pipes_;
  std::uint32_t fronts_ = 0;                           // bit k: input k's queue holds something
  std::uint32_t travelling_ = 0;                       // bit k: output k's pipe holds something
  std::array<std::uint32_t, kMaxXbarPorts> asking_{};  // per output: inputs whose front packet wants it
  std::uint32_t redrive_ = ~0u;                        // outputs whose wire changes
  std::uint32_t driven_ready_ = 0;
  Counters counters_;
};

class RequestCrossbar : public CrossbarNetwork<MemRequest> {
 public:
  RequestCrossbar(const sc_core::sc_module_name& name, const Config& config);

 protected:
  unsigned flits(const MemRequest& request) const override { return request_flits(request, shape_.flit_bytes); }
  unsigned destination(const MemRequest& request) const override {
    return locate_partition(map_, request.address).partition;
  }
  const AddressMap map_;
};

class ReplyCrossbar : public CrossbarNetwork<MemReply> {
 public:
  ReplyCrossbar(const sc_core::sc_module_name& name, const Config& config);

 protected:
  unsigned flits(const MemReply& reply) const override { return reply_flits(reply, shape_.flit_bytes); }
  unsigned destination(const MemReply& reply) const override { return reply.port; }
};

}  // namespace g80
