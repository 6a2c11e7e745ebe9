// SPDX-License-Identifier: Apache-2.0
// The port of host memory in the memory network: it serves the transactions whose page is mapped to the host.
//
// It stands beside the partitions, as one more output of the request crossbar and one more input of the reply crossbar.
// A read becomes one packet of the host link and has a row of two memories until its completions are there, at most
// host.mapped_reads of them; a write becomes a posted packet for each run of its bytes, in the order in which they
// came: the run is found at one edge, its bytes are shifted and leave at the next one. Replies leave in the order in
// which they are complete. The chip has no atomic unit for host memory: an atomic is answered with a
// fault. The port says that it is idle when its writes have reached the host. It waits only for the link, which takes
// completions down whatever happens, and for the reply crossbar, as a partition does: so replies always drain.
#pragma once
#include <array>
#include <systemc>
#include <vector>

#include "hw/bundles/event_log.h"
#include "hw/bundles/link_bundles.h"
#include "hw/bundles/reply_to.h"
#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/output_register.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// The first run of bytes that a write enables: `count` bytes from `first` on; 0 bytes if there are none. This is where
/// a write is cut into packets; its twin is rtl/host/first_run.sv.
struct ByteRun {
  std::uint8_t first = 0, count = 0;
  G80_FIELDS((first, 7), count);
};
ByteRun first_run(const std::array<std::uint64_t, 2>& byte_enable);

struct HostPortRegs {
  MemRequest request;  // being turned into packets; of a write, the bytes that are left
  bool begun = false;  // the first run of a write has been found
  ByteRun run;         // found; it has not left
  LinkPacket packet;
  bool posted = false;  // a write has not reached the host
  std::uint64_t reads_pending = 0;
  bool idle = true;
  G80_FIELDS(request, begun, run, packet, posted, reads_pending, idle);
};

class HostPort : public Clocked<HostPortRegs> {
 public:
  /// `log` is null when checking is off.
  HostPort(const sc_core::sc_module_name& name, const Config& config, PartitionLog* log);

  // From and to the crossbars
  In<MemRequest> request_i{"request_i"};
  Out<bool> request_ready_o{"request_ready_o"};
  Out<MemReply> reply_o{"reply_o"};
  In<bool> reply_ready_i{"reply_ready_i"};
  // To and from the host link
  Out<LinkPacket> packet_o{"packet_o"};
  In<bool> packet_ready_i{"packet_ready_i"};
  In<LinkPacket> completion_i{"completion_i"};  // always taken
  In<bool> sent_i{"sent_i"};                    // its writes have reached the host
  // To the idle detector
  Out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t reads = 0, writes = 0;
    std::uint64_t bytes_read = 0, bytes_written = 0;
    std::uint64_t refused = 0;  // atomics
    G80_FIELDS(reads, writes, bytes_read, bytes_written, refused);
  };
  const Counters& counters() const { return counters_; }

 protected:
  static constexpr unsigned kMaxReads = 64;
  /// Two memories of replies, by the tag of the read. Each has a write port and a read port: headers are written when a
  /// read starts, data with the bytes of a completion; a row of both is read once, into the output register.
  struct Replies {
    std::array<ReplyHeader, kMaxReads> header{};
    std::array<std::array<std::uint32_t, kMaxTransactionBytes / 4>, kMaxReads> data{};
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v.stored("header", s.header);
      v.stored("data", s.data);
      if constexpr (std::is_same_v<V, FieldEditor>) {
        v.fill(s.header);
        v.fill(s.data);
      }
    }
  };

  void next() override;
  void drive() override;
  void reset() override;
  bool load_reply();
  bool take_completion();
  bool serve();
  bool start_read(unsigned tag);
  bool serve_write();
  void post_run();
  bool refuse(unsigned tag);

  const unsigned num_reads_;
  PartitionLog* const log_;
  Stored<Replies> replies_{*this, "replies"};
  Queue<std::uint8_t> done_{*this, "done", kMaxReads};
  OutputRegister<MemReply> reply_{*this, "reply"};
  Counters counters_;
};

}  // namespace g80
