// SPDX-License-Identifier: Apache-2.0
// Second-level texture cache of a memory partition, between crossbar and partition.
//
// Only reads of client kTexture are looked up; all other transactions pass through in order. A miss reads the whole
// line (tex.line_bytes) from the partition; further misses to it wait for the same read. Writes do not touch the cache,
// as on the chip: a kernel that writes what a texture reads sees old texels until flush_i shows a new count.
//
// Sets and tags are those of the address inside the partition: of consecutive physical addresses a partition has only
// some, so their numbers would leave most of the sets empty.
//
// Core clock. Latency: what passes through is on the other side one edge after its transfer if nothing is in its way; a
// texture read transferred at edge k that hits is on reply_o for edge k + tex.l2_latency + 1 if no other reply goes
// first. Rate: one request and one reply an edge; texture replies and those of the partition take turns. One read is
// answered an edge: a hit waits while waiters of a line that came are answered. A texture read that finds no miss
// register holds up the requests behind it.
#pragma once
#include "hw/bundles/transaction.h"
#include "hw/cache/line_store.h"
#include "hw/common/clocked.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/limits.h"
#include "hw/common/output_register.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

struct TextureL2Regs {
  bool request_ready = true;
  bool partition_ready = true;
  bool cached_went_last = false;
  std::uint32_t flush = 0;
  G80_FIELDS(request_ready, partition_ready, cached_went_last, flush);
};

class TextureL2 : public Clocked<TextureL2Regs> {
 public:
  TextureL2(const sc_core::sc_module_name& name, const Config& config);

  // From and to the crossbar
  In<MemRequest> request_i{"request_i"};
  Out<bool> request_ready_o{"request_ready_o"};
  Out<MemReply> reply_o{"reply_o"};
  In<bool> reply_ready_i{"reply_ready_i"};
  // To and from the partition
  Out<MemRequest> partition_o{"partition_o"};
  In<bool> partition_ready_i{"partition_ready_i"};
  In<MemReply> partition_i{"partition_i"};
  Out<bool> partition_ready_o{"partition_ready_o"};
  // Flushes so far
  In<std::uint32_t> flush_i{"flush_i"};
  // To the idle detector
  Out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;  // lines asked of the partition
    std::uint64_t merges = 0;  // reads that joined a line on its way
    std::uint64_t flushes = 0;
    G80_FIELDS(hits, misses, merges, flushes);
  };
  const Counters& counters() const { return counters_; }
  bool idle() const {
    return queue_.empty() && from_partition_.empty() && replies_.empty() && store_.no_misses() && !request_->valid &&
           !reply_->valid;
  }

 protected:
  static constexpr unsigned kMaxMshrs = 64;     // largest tex.l2_mshrs
  static constexpr unsigned kMaxLatency = 255;  // largest tex.l2_latency
  /// Everything of a read that its reply needs.
  struct Waiter {
    MemReply reply;
    std::uint32_t address = 0;  // in the partition
  };

  void next() override;
  void drive() override;
  void reset() override;
  void front_request(bool answered);
  bool look_up(const MemRequest& request, bool answered);
  bool front_reply();
  void answer(const Waiter& waiter, const std::uint32_t* line, MemFault fault);
  void send_reply();

  const unsigned line_bytes_;
  LineStore<Waiter, kMaxMshrs, 64> store_;  // with places for 4 reads of each TPC
  Fifo<MemRequest, 2> queue_{*this, "queue"};
  Fifo<MemReply, 2> from_partition_{*this, "from_partition"};
  DelayedFifo<MemReply, kMaxLatency + 1> replies_;  // texture reads that have been answered
  OutputRegister<MemRequest> request_{*this, "request"};
  OutputRegister<MemReply> reply_{*this, "reply"};
  Counters counters_;
};

}  // namespace g80
