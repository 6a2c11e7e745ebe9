// SPDX-License-Identifier: Apache-2.0
// The crossbar between TPCs and memory partitions, one network for requests and one for replies.
//
// Inputs: a request comes to the switch over the registers of the way from its port, a reply at once. xbar.queue
// packets wait at each input, or as many as come while the place that one leaves is made known over as many registers.
// The front packet asks for its output, and those behind it wait (head of line). A request's partition and its address
// inside the partition come from the stages of address_divider.h, through which a packet goes while it waits.
// Outputs: each serves the inputs that ask in a round, a packet at a time. A packet crosses in words of flits_per_cycle
// flits, one a cycle. What is left of the word that ends a packet may begin the next one of its input and its output:
// an input asks for its next packet while that word crosses. A word ends one packet at most.
// Way: plain registers, which never stop; with those in front of the switch they are kWayRegisters (fewer if the
// latency is short). At its far end is a queue with room for what crosses while a credit comes back over as many
// registers: an output grants only with credits for the largest packet, and a packet that leaves the far queue returns
// its own.
// Padding: from the far queue a packet goes through the registers of the rest of the configured latency, into a queue
// of xbar.queue packets, whose oldest one is on the output's wire.
// The model's packets rest, of an input and of an output, in a ring that stands for the registers of the way and for
// the queue behind it: valid bits move through the way. So the memory of an input is read where a packet crosses, and
// that of an output where it is offered. What is asked of a packet before, its output and its flits, lies in memories
// of their own.
//
// Unloaded, a packet of one word takes the configured latency from input to output, at least two cycles, the stages of
// the divider and a register of each way: one cycle to be granted, one on the output's wire.
//
// Flits: a request has one flit of header, a write also its data, an atomic or reduction its two operands (16 bytes).
// A reply has one flit of header, unless refused also its data; an atomic's reply the old value (8 bytes).
//
// Ports: 0 .. num_tpcs - 1 are the TPCs, num_tpcs is the chip-level port; on the other side one per partition.
#pragma once
#include <algorithm>
#include <array>
#include <systemc>
#include <type_traits>
#include <vector>

#include "hw/bundles/page_table.h"
#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/limits.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/mem/address_divider.h"

namespace g80 {

inline constexpr unsigned kMaxXbarPorts = kMaxTpcs + 1;
inline constexpr unsigned kWayRegisters = 12;  // from a TPC to a partition

unsigned request_flits(const MemRequest& request, unsigned flit_bytes);
unsigned reply_flits(const MemReply& reply, unsigned flit_bytes);

struct CrossbarRegs {
  std::uint32_t ready = 0;                               // bit k: input k has a place
  std::uint32_t asking = 0;                              // bit k: the front packet of input k wants output wanted[k]
  std::array<std::uint8_t, kMaxXbarPorts> wanted{};      //
  std::array<std::uint8_t, kMaxXbarPorts> flits{};       // of that packet
  std::uint32_t sending = 0;                             // bit k: the front packet of input k is crossing
  std::uint32_t taken = 0;                               // bit k: output k takes a packet, from input last[k]
  std::array<std::uint8_t, kMaxXbarPorts> last{};        // input an output served last
  std::array<std::uint8_t, kMaxXbarPorts> flits_left{};  // of the packet that an output takes
  std::array<std::uint16_t, kMaxXbarPorts> credits{};    // flits that have room in an output's far queue
  std::uint32_t offered = 0;                             // bit k: output k has a packet on its wire
  bool idle = true;                                      // nothing queued or travelling
  G80_FIELDS((ready, kMaxXbarPorts), (asking, kMaxXbarPorts), (wanted, 5), (flits, 5), (sending, kMaxXbarPorts),
             (taken, kMaxXbarPorts), (last, 5), (flits_left, 5), (credits, 10), (offered, kMaxXbarPorts), idle);
};

/// Which of the inputs (bit k: input k requests) the output serves next. This is where a crossbar conflict is decided.
unsigned pick_input(std::uint32_t asking, unsigned last);

/// What crosses at an edge: a word to each output.
struct CrossbarWord {
  std::uint32_t ended = 0;                          // bit k: the packet that output k takes ends in it
  std::uint32_t granted = 0;                        // bit k: output k begins to take the packet of input[k]
  std::uint32_t waiting = 0;                        // bit k: input k asks in vain
  std::array<std::uint8_t, kMaxXbarPorts> input{};  //
  std::array<std::uint8_t, kMaxXbarPorts> begun{};  // flits of that packet which are in the word
};
struct CrossbarRules {
  unsigned inputs, outputs, flits_per_cycle;
  unsigned largest;  // packet, in flits: an output grants only with credits for it
};
CrossbarWord crossbar_word(const CrossbarRegs& now, const CrossbarRules& rules);

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
    std::array<std::uint64_t, kMaxXbarPorts> stalls{};  // cycles in which an input's front packet asked in vain
    G80_FIELDS(packets, flits, input_packets, output_packets, input_flits, output_flits, stalls);
  };
  const Counters& counters() const { return counters_; }
  /// Flits that have room in the far queue of an output.
  unsigned far_flits() const { return far_flits_; }
  /// Packets that have room at an input.
  unsigned places() const { return places_; }
  /// Calls each(of what, port, how many are lost: neither at home, nor taken, nor on their way back), for observers.
  template <class Each>
  void count_places(const Each& each) const {
    for (unsigned k = 0; k < shape_.inputs; ++k) {
      const unsigned waiting = inputs_[k].packets.size() - (q_.sending >> k & 1);
      each("places of input", k, inputs_[k].held - static_cast<int>(waiting + place_way_.size(k)));
    }
    for (unsigned k = 0; k < shape_.outputs; ++k) {
      int lost = static_cast<int>(far_flits_) - q_.credits[k];
      if ((q_.taken >> k & 1) != 0) lost -= inputs_[q_.last[k] % shape_.inputs].asked.front().flits;
      for (const SizedRing<std::uint8_t>* packets : {&outputs_[k].flits, &outputs_[k].returning})
        for (unsigned i = 0; i < packets->size(); ++i) lost -= packets->at(i);
      each("credits of output", k, lost);
    }
  }
  /// Registers of the ways in front of the switch and behind it.
  unsigned input_way() const { return shape_.input_way; }
  unsigned output_way() const { return way_registers_; }

 protected:
  struct Shape {
    unsigned inputs, outputs, flits_per_cycle, latency, queue, flit_bytes;
    unsigned address_stages;  // behind which a packet's output is known
    unsigned input_way;       // registers from the port to the switch
  };
  CrossbarNetwork(const sc_core::sc_module_name& name, const Shape& shape);
  unsigned flits(const Packet& packet) const {
    if constexpr (std::is_same_v<Packet, MemRequest>) {
      return request_flits(packet, shape_.flit_bytes);
    } else {
      return reply_flits(packet, shape_.flit_bytes);
    }
  }
  /// The output of a packet behind the divider's stages. What they make of its address replaces it.
  virtual unsigned destination(Packet& packet, const DividerRegisters* divider) const = 0;
  /// A stage of the divider takes what the one before it has, the first one the address of a packet.
  virtual void divide_stage(unsigned, const Packet&, DividerRegisters&) const {}
  const Shape shape_;

  static constexpr unsigned kLeastLatency = 2;
  /// What an input asks for its front packet.
  struct Asked {
    std::uint8_t output = 0, flits = 0;
    G80_FIELDS((output, 5), (flits, 5));
  };
  /// An input's queue. The packet that crosses keeps a place of its own, the front.
  struct Input {
    SizedRing<Packet> packets;
    SizedRing<Asked> asked;  // of each that has come through the stages of the divider
    std::uint16_t held = 0;  // places that the port does not know to be free
    explicit Input(unsigned places) : packets(places + 1), asked(places + 1) {}
    template <class S, class V>
    static void visit(S& s, V& v) {
      v("packets", s.packets);
      v("asked", s.asked);
      v("held", s.held, kDelayCountBits);
    }
  };
  /// Behind the crossing: packets on their way and in the far queue (which have come through `way_`), in the padding
  /// and in the queue at the end (which have come through `padding_`).
  struct Output {
    SizedRing<Packet> packets;
    std::uint16_t padded = 0;           // those that have left the far queue
    SizedRing<std::uint8_t> flits;      // of each packet that has not left it
    SizedRing<std::uint8_t> returning;  // and of each whose credit is on its way
    Output(unsigned packets_in, unsigned registers)
        : packets(packets_in), flits(packets_in), returning(registers + 1) {}
    template <class S, class V>
    static void visit(S& s, V& v) {
      v("packets", s.packets);
      v("padded", s.padded, kDelayCountBits);
      v.stored("flits", s.flits);
      v.stored("returning", s.returning);
    }
  };

  void next() override;
  void drive() override;
  void reset() override;
  void visit_members(FieldVisitor&) const override { const_cast<CrossbarNetwork*>(this)->show_stages(); }
  void visit_members(FieldEditor& editor) override {
    show_stages();
    editor.state(changed_, divided_to_);
    if (!editor.moves()) changed_ = ~0u;
  }
  G80_INLINE void pop_delivered();
  G80_INLINE void cross();
  G80_INLINE void grant(unsigned input, unsigned output, unsigned begun);
  void finish(unsigned input, unsigned output);
  G80_INLINE void travel();
  G80_INLINE bool accept();
  G80_INLINE void divide(unsigned input);
  void divide_up_to(Cycle edge);
  void show_stages();
  Cycle next_arrival();
  bool has_room(const Output& out) const { return out.padded < padding_stages_ + shape_.queue; }
  /// What the latency leaves behind the switch, without `taken`.
  unsigned registers_behind(unsigned taken) const {
    return shape_.latency - std::min(shape_.latency, taken + shape_.address_stages + shape_.input_way);
  }
  std::array<DelayLines*, 5> lines() { return {&divided_, &place_way_, &way_, &padding_, &credit_way_}; }

  const unsigned largest_, places_, way_registers_, padding_stages_, far_flits_;
  Stored<std::vector<Input>> inputs_;
  Stored<DelayLines> divided_;                     // of each input: the way to the switch, and the divider
  Stored<std::vector<DividerRegisters>> divider_;  // of each input, where there are stages
  Stored<DelayLines> place_way_;                   // of each input: places on their way back
  Stored<std::vector<Output>> outputs_;
  Stored<DelayLines> way_, padding_, credit_way_;  // of each output
  struct Occupied {
    std::uint32_t filled = 0;   // bit k: input k has a packet that does not cross yet
    std::uint32_t holding = 0;  // bit k: packets are behind the crossing of output k
    G80_FIELDS((filled, kMaxXbarPorts), (holding, kMaxXbarPorts));
  };
  Stored<Occupied> occupied_{*this, "occupied"};
  Cycle divided_to_ = 0;       // the edge behind which the divider's registers are as they stand here
  std::uint32_t changed_ = 0;  // inputs whose places a fault may have changed
  std::uint32_t renewed_ = 0;  // outputs whose wire changes
  std::uint32_t driven_ready_ = 0;
  Counters counters_;
};

class RequestCrossbar : public CrossbarNetwork<MemRequest> {
 public:
  RequestCrossbar(const sc_core::sc_module_name& name, const Config& config);

 protected:
  unsigned destination(MemRequest& request, const DividerRegisters* divider) const override;
  void divide_stage(unsigned stage, const MemRequest& request, DividerRegisters& divider) const override;
  const AddressMap map_;
};

class ReplyCrossbar : public CrossbarNetwork<MemReply> {
 public:
  ReplyCrossbar(const sc_core::sc_module_name& name, const Config& config);

 protected:
  unsigned destination(MemReply& reply, const DividerRegisters*) const override { return reply.port; }
};

}  // namespace g80
