// SPDX-License-Identifier: Apache-2.0
// The crossbar between TPCs and memory partitions, one network for requests and one for replies.
//
// A network has a queue of xbar.queue packets at each input. The front packet of an input requests its output; every
// output serves its requesters round robin, a packet at a time. Its flits cross one by one, as many in a cycle as the
// rate of the ports and the room behind the output allow: the tail of one packet and the head of the next may cross in
// one cycle. They travel through the stages of the output's pipe (flit_pipe.h) and are put together at its end, where
// xbar.queue packets wait. A flit that finds no place stays where it is, and the flits behind it wait. Nothing is lost,
// and packets from one input to one output stay in order. From input to output an unloaded packet of one flit cycle
// takes the configured latency, at least 2 cycles: one in the input's queue, one on the output's wire, the rest in
// stages of the pipe.
//
// Flits: a request has one flit of header, a write also its data, an atomic or reduction its two operands (16 bytes).
// A reply has one flit of header, unless refused also its data; an atomic's reply the old value (8 bytes).
//
// Ports: 0 .. num_tpcs - 1 are the TPCs, num_tpcs is the chip-level port; on the other side one per partition.
#pragma once
#include <array>
#include <systemc>
#include <vector>

#include "hw/bundles/page_table.h"
#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/limits.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/mem/address_map.h"
#include "hw/mem/flit_pipe.h"

namespace g80 {

inline constexpr unsigned kMaxXbarPorts = kMaxTpcs + 1;

unsigned request_flits(const MemRequest& request, unsigned flit_bytes);
unsigned reply_flits(const MemReply& reply, unsigned flit_bytes);

/// Words of data[] that a packet carries.
unsigned request_data_words(const MemRequest& request);
unsigned reply_data_words(const MemReply& reply);

/// Which of the inputs (bit k: input k requests) the output serves next. This is where a crossbar conflict is decided.
unsigned pick_input(std::uint32_t asking, unsigned last);

struct CrossbarRegs {
  std::uint32_t ready = 0;                         // bit k: input k has a place
  std::uint32_t offered = 0;                       // bit k: output k has a packet on its wire
  bool idle = true;                                // nothing queued or travelling
  std::array<std::uint8_t, kMaxXbarPorts> last{};  // input an output served last
  std::uint32_t sending = 0;                       // bit k: the front packet of input k is crossing
  std::uint32_t taken = 0;                         // bit k: output k takes a packet, from input last[k]
  std::array<std::uint8_t, kMaxXbarPorts> sent{};  // flits of it that have crossed, for each input
  G80_FIELDS((ready, kMaxXbarPorts), (offered, kMaxXbarPorts), idle, (last, 5), (sending, kMaxXbarPorts),
             (taken, kMaxXbarPorts), sent);
};

/// One direction of the crossbar.
template <class Packet>
class CrossbarNetwork : public Clocked<CrossbarRegs> {
 public:
  Ports<In<Packet>> in_i;
  Ports<Out<bool>> in_ready_o;
  Ports<Out<Packet>> out_o;
  Ports<In<bool>> out_ready_i;
  // To wait-for-idle
  Out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t packets = 0, flits = 0;
    std::array<std::uint64_t, kMaxXbarPorts> input_packets{}, output_packets{};
    std::array<std::uint64_t, kMaxXbarPorts> input_flits{}, output_flits{};
    std::array<std::uint64_t, kMaxXbarPorts> stalls{};  // cycles in which an input's front packet did not go
    G80_FIELDS(packets, flits, input_packets, output_packets, input_flits, output_flits, stalls);
  };
  const Counters& counters() const { return counters_; }

 protected:
  struct Shape {
    unsigned inputs, outputs, flits_per_cycle, latency, queue, flit_bytes;
  };
  CrossbarNetwork(const sc_core::sc_module_name& name, const Shape& shape);
  virtual unsigned flits(const Packet& packet) const = 0;
  virtual unsigned data_words(const Packet& packet) const = 0;
  virtual unsigned destination(const Packet& packet) const = 0;
  const Shape shape_;

  static constexpr unsigned kLeastLatency = 2;
  /// The end of an output's pipe.
  struct Arrived {
    SizedRing<Packet> packets;
    Packet partial;      // its tail has not come yet
    bool begun = false;  // there is one; it has a place in `packets`
    bool room() const { return packets.size() + begun < packets.capacity(); }
    explicit Arrived(unsigned queue) : packets(queue) {}
    template <class S, class V>
    static void visit(S& s, V& v) {
      v("packets", s.packets);
      v("partial", s.partial);
      v("begun", s.begun);
    }
  };

  void next() override;
  void drive() override;
  void reset() override;
  void visit_members(FieldEditor&) override { requeued_ = ~0u; }  // it may have changed what is ready
  void pop_delivered();
  void travel();
  void take(unsigned output, const Flit<Packet>& flit);
  void cross();
  void accept();
  void ask(unsigned input);
  void start(unsigned input, unsigned output);
  void send(unsigned input, unsigned output);
  /// Packets in the queue of an input besides the one that is crossing.
  unsigned waiting(unsigned input) const { return queues_[input].size() - (this->d_.sending >> input & 1); }

  Stored<std::vector<SizedRing<Packet>>> queues_;  // the packet that crosses keeps a place of its own, the front
  Stored<std::vector<FlitPipe<Packet>>> pipes_;
  Stored<std::vector<Arrived>> arrived_;
  // Flits that may still cross at this edge
  std::array<std::uint8_t, kMaxXbarPorts> input_flits_{}, output_flits_{};
  Flit<Packet> crossing_;                              // of a pipe without stages
  std::uint32_t fronts_ = 0;                           // bit k: a packet waits at input k
  std::uint32_t travelling_ = 0;                       // bit k: output k has flits or packets
  std::array<std::uint32_t, kMaxXbarPorts> asking_{};  // per output: inputs whose next packet wants it
  std::uint32_t redrive_ = ~0u;                        // outputs whose wire changes
  std::uint32_t requeued_ = ~0u;                       // inputs whose queue changed at this edge
  std::uint32_t driven_ready_ = 0;
  Counters counters_;
};

class RequestCrossbar : public CrossbarNetwork<MemRequest> {
 public:
  RequestCrossbar(const sc_core::sc_module_name& name, const Config& config);

 protected:
  unsigned flits(const MemRequest& request) const override { return request_flits(request, shape_.flit_bytes); }
  unsigned data_words(const MemRequest& request) const override { return request_data_words(request); }
  unsigned destination(const MemRequest& request) const override {
    return page_table::is_host(request.address) ? map_.num_partitions
                                                : locate_partition(map_, request.address).partition;
  }
  const AddressMap map_;
};

class ReplyCrossbar : public CrossbarNetwork<MemReply> {
 public:
  ReplyCrossbar(const sc_core::sc_module_name& name, const Config& config);

 protected:
  unsigned flits(const MemReply& reply) const override { return reply_flits(reply, shape_.flit_bytes); }
  unsigned data_words(const MemReply& reply) const override { return reply_data_words(reply); }
  unsigned destination(const MemReply& reply) const override { return reply.port; }
};

}  // namespace g80
