// SPDX-License-Identifier: Apache-2.0
// Translation look-aside buffer, first level: turns the virtual address of each transaction into a physical one, in
// order.
//
// Fully associative; tlb.replacement says which entry leaves. An entry covers tlb.reach_bytes, so it holds one to
// sixteen page table entries. On a miss a walker asks the second level (question_o), unless tlb.l2_entries is 0. If
// that misses, the walker reads the page table: it reads the directory entry and then the aligned chunk of page table
// entries that covers the reach; both reads (client kPageTable, physical, id = walker) leave on request_o and come back
// on walk_i, and the result fills the second level too. Requests behind a miss wait, but up to tlb.walkers of them
// start their own walks in the meantime. A page that is not present: the request is not sent on, and a reply with the
// fault leaves on fault_o, for writes too. The results of walks, absent pages included, stay until flush_i shows a new
// count.
//
// Core clock. Latency: a request transferred at edge k that hits is on request_o for edge k + tlb.hit_latency; one that
// misses here asks at edge k + 1, and if the second level hits it is on request_o one edge after the answer.
// Rate: one request an edge; walk reads go first.
#pragma once
#include "hw/bundles/page_table.h"
#include "hw/bundles/tlb_bundles.h"
#include "hw/bundles/transaction.h"
#include "hw/cache/cache_tags.h"
#include "hw/common/clocked.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/output_register.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// Translates, or returns the fault. This is where a page fault is decided.
struct Translation {
  MemFault fault = MemFault::kNone;
  std::uint32_t address = 0;
};
inline Translation translate(const TlbReach& reach, std::uint32_t virtual_address, std::uint32_t reach_bytes) {
  if (reach.unreadable != MemFault::kNone) return {reach.unreadable, 0};
  const page_table::Entry& page = reach.page[virtual_address % reach_bytes / page_table::kPageBytes];
  if (!page.present) return {MemFault::kPageNotPresent, 0};
  const std::uint64_t base = page.address - (page.host ? page_table::kHostWindow : 0);
  if (base >= page_table::kHostBit) return {MemFault::kBeyondMemory, 0};
  const std::uint32_t address = static_cast<std::uint32_t>(base) + virtual_address % page_table::kPageBytes;
  return {MemFault::kNone, page.host ? address | page_table::kHostBit : address};
}

struct TlbRegs {
  bool ready = true;
  std::uint32_t flush = 0;
  G80_FIELDS(ready, flush);
};

class Tlb : public Clocked<TlbRegs> {
 public:
  Tlb(const sc_core::sc_module_name& name, const Config& config);

  // Virtual requests
  In<MemRequest> request_i{"request_i"};
  Out<bool> ready_o{"ready_o"};
  // Translated requests and walk reads
  Out<MemRequest> request_o{"request_o"};
  In<bool> ready_i{"ready_i"};
  // Replies to walk reads; always taken
  In<MemReply> walk_i{"walk_i"};
  Out<bool> walk_ready_o{"walk_ready_o"};
  // To the second level; its answers are always taken
  Out<TlbQuestion> question_o{"question_o"};
  In<bool> question_ready_i{"question_ready_i"};
  In<TlbAnswer> answer_i{"answer_i"};
  // Requests that could not be translated, as replies
  Out<MemReply> fault_o{"fault_o"};
  In<bool> fault_ready_i{"fault_ready_i"};
  // Physical address of the page directory (aligned to 4 KB), and flushes so far
  In<std::uint32_t> page_directory_i{"page_directory_i"};
  In<std::uint32_t> flush_i{"flush_i"};
  // To the idle detector
  Out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t hits = 0;    // requests whose entry was there when they came
    std::uint64_t misses = 0;  // the others
    std::uint64_t walks = 0;   // of the page table in memory
    std::uint64_t faults = 0;
    G80_FIELDS(hits, misses, walks, faults);
  };
  const Counters& counters() const { return counters_; }
  bool idle() const {
    return queue_.empty() && busy_ == 0 && !request_->valid && !fault_->valid && !question_->valid &&
           to_second_.empty();
  }

 protected:
  static constexpr unsigned kMaxHitLatency = 64;  // largest tlb.hit_latency
  static constexpr unsigned kMaxWalkers = 16;     // largest tlb.walkers
  enum class WalkStep : std::uint8_t { kAnswerComes, kReadDirectory, kDirectoryComes, kReadTable, kTableComes };
  struct Walker {
    WalkStep step = WalkStep::kReadDirectory;
    bool restart = false;  // a flush came: what is on its way to it is old
    std::uint32_t virtual_address = 0;
    std::uint32_t table = 0;  // physical address of the page table
    std::uint8_t port = 0;
    Origin origin;
  };

  void next() override;
  void drive() override;
  void reset() override;
  void flush();
  bool take_walk_reply();
  bool take_answer();
  void read_directory(unsigned walker);
  void finish_walk(unsigned walker, const TlbReach& reach);
  void keep(unsigned walker, const TlbReach& reach);
  bool walk_for(const MemRequest& request);
  bool examine();
  bool send_question();
  bool send_walk_read();
  bool send_front();

  const std::uint32_t reach_bytes_;
  const unsigned depth_, num_walkers_;
  const unsigned chunk_bytes_;  // of page table entries for one reach
  const bool has_second_level_;
  CacheTags tags_;
  std::vector<TlbReach> reach_;
  Unwritten unwritten_{*this, [this](FieldEditor& filler) {
                         tags_.fill_unused(filler);
                         filler.fill(reach_);  // no entry is there yet
                         for (Walker& walker : walker_) {
                           filler.fill(walker.restart);
                           filler.fill(walker.virtual_address);
                           filler.fill(walker.table);
                           filler.fill(walker.port);
                         }
                       }};
  Fifo<MemRequest, kMaxHitLatency + 2> queue_{*this, "queue"};
  Stored<DelayLine> stages_;  // lookup and address, for each request of queue_
  unsigned examined_ = 0;     // requests of the queue that have been looked up
  std::array<Walker, kMaxWalkers> walker_{};
  std::uint32_t busy_ = 0, to_send_ = 0;  // walkers at work; those with a read to send
  // For the second level: of each walker a fill and, once it walks anew, a question behind it.
  Fifo<TlbQuestion, 2 * kMaxWalkers> to_second_{*this, "to_second"};
  OutputRegister<MemRequest> request_{*this, "request"};
  OutputRegister<MemReply> fault_{*this, "fault"};
  OutputRegister<TlbQuestion> question_{*this, "question"};
  Counters counters_;
};

}  // namespace g80
