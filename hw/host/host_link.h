// SPDX-License-Identifier: Apache-2.0
// The PCI Express link between the chip and host memory, with its root complex.
//
// Copy engine and memory network take turns. Each direction sends one packet at a time, host.link_mb_per_s bytes a
// microsecond, and both work at once. Reads and posted writes go up in the order in which they come; completions come
// down in the order of their reads. A packet of up to 128 bytes is framed by 8 bytes (start, sequence number, LCRC,
// end) and has a header of 16 bytes, as bus addresses have 64 bits; that of a completion has 12. Payload is counted in
// words of 4 bytes. The root complex completes a read in pieces that end at each 64 bytes (read completion boundary). A
// packet acts host.link_latency_ns after its last byte was sent, so a read takes this time twice: link, root complex
// and memory of the host. Acknowledgements and flow control take no bytes.
#pragma once
#include <array>
#include <systemc>

#include "hw/bundles/host_bundles.h"
#include "hw/bundles/link_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/countdown.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/output_register.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

inline constexpr unsigned kLinkClients = 2;

/// What a packet takes of its direction, behind the 8b/10b code. This is where the cost of a packet is decided.
unsigned bytes_on_link(const LinkPacket& packet);

/// One direction. It sends from one register; the packet behind it begins within the cycle in which that one ends: what
/// that cycle has left is its credit.
struct LinkDirection {
  LinkPacket packet;  // being sent
  Countdown time;     // of its bytes, by a cycle at each edge
  G80_FIELDS(packet, time);
};

struct HostLinkRegs {
  LinkClient last = LinkClient::kCopy;               // whose packet went up last
  std::array<std::uint32_t, kLinkClients> writes{};  // of each client, on their way up
  G80_FIELDS((last, 1), writes);
};

class HostLink : public Clocked<HostLinkRegs> {
 public:
  HostLink(const sc_core::sc_module_name& name, const Config& config);

  // From and to the copy engine and the port of the memory network
  Ports<In<LinkPacket>> packet_i{"packet_i", kLinkClients};
  Ports<Out<bool>> packet_ready_o{"packet_ready_o", kLinkClients};
  Ports<Out<LinkPacket>> completion_o{"completion_o", kLinkClients};  // always taken
  Ports<Out<bool>> sent_o{"sent_o", kLinkClients};                    // the client's writes have reached the host
  // To host memory
  sc_core::sc_port<HostMemoryIf> host_memory{"host_memory"};

  struct Counters {
    std::uint64_t packets_up = 0, packets_down = 0;
    std::uint64_t bytes_up = 0, bytes_down = 0;  // with headers and framing
    G80_FIELDS(packets_up, packets_down, bytes_up, bytes_down);
  };
  const Counters& counters() const { return counters_; }
  /// The packet being sent in each direction, or the last one.
  const LinkPacket& going_up() const { return up_.packet; }
  const LinkPacket& going_down() const { return down_.packet; }
  bool moves_unmarked(Picoseconds, bool) const override { return up_.packet.valid || down_.packet.valid; }
  bool idle() const {
    return !waiting_[0].valid && !waiting_[1].valid && !up_.packet.valid && flying_up_.empty() && reads_.empty() &&
           !down_.packet.valid && flying_down_.empty() && !arrived_[0]->valid && !arrived_[1]->valid;
  }

 protected:
  static constexpr unsigned kReads = 64 * kLinkClients;  // tags
  using Flight = DelayedQueue<LinkPacket>;

  void next() override;
  void drive() override;
  void reset() override;
  std::uint64_t leave(LinkDirection& direction, Flight& flight) const;
  void send(LinkDirection& direction, const LinkPacket& packet, std::uint64_t credit) const;
  void reach_host();
  void reach_chip();
  void complete_read(std::uint64_t credit);
  void send_up(std::uint64_t credit);
  /// A packet leaves a waiting place or comes into one.
  bool sends_at_next_edge() const;

  const std::uint64_t cycle_, byte_;                // what a cycle carries and what a byte takes, in the same unit
  const unsigned latency_;                          // cycles
  Flight flying_up_, flying_down_;                  // packets that were sent and have not arrived
  Fifo<LinkPacket, kReads> reads_{*this, "reads"};  // in the root complex; of the first, what is left
  Stored<std::array<LinkPacket, kLinkClients>> waiting_{*this, "waiting"};  // one of each client goes up next
  Stored<LinkDirection> up_{*this, "up"}, down_{*this, "down"};
  Stored<std::array<LoadedRegister<LinkPacket>, kLinkClients>> arrived_{*this, "arrived"};
  Counters counters_;
};

}  // namespace g80
