// SPDX-License-Identifier: Apache-2.0
// Translation look-aside buffer, first level: turns the virtual address of each transaction into a physical one, in
// order.
//
// Requests wait in a queue, and their addresses in one beside it; what travels through the stages are slots. Each stage
// is one edge:
//   read       the address of the next lookup goes from its queue into `sought`: the one behind that which stands
//              there, or after a fill or flush the one in front, so registers know the index before the lookup of the
//              same edge is done. An address that comes while none waits goes past the queue
//   lookup     the tags of all entries (flip-flops) are compared with `sought`. Hit: its slot goes into `found`. Miss:
//              the address goes into `miss`, and the lookup goes ahead of the request in front to find further misses,
//              at one request an edge. If tlb.hit_latency leaves no edge for `read`, an address that comes while none
//              waits goes past `sought` too
//   translate  the entry of `found` gives the physical address or a fault; the request leaves the queue for request_o
//              or fault_o
//   age        the replacement state learns of the use or fill in `used`
//   miss       an idle walker takes `miss`, unless another already works for the same entry
// The lookup has one port: a fill takes it for an edge, and chooses its slot with the same comparison and by
// tlb.replacement. It begins again with the request in front behind each fill, before the next one; so the request in
// front finds what was walked for it, whatever comes then. A slot is not filled while `found` holds one.
//
// A walker asks the second level (question_o), unless tlb.l2_entries is 0. If that misses, it reads the directory entry
// and then the aligned chunk of page table entries that covers an entry's reach; both reads (client kPageTable,
// physical, id = walker) leave on request_o, before translated requests, and come back on walk_i. It keeps what it
// learnt until both levels have it. A page that is not present: the request is not sent on, and a reply with the fault
// leaves on fault_o, for writes too. Entries, absent pages included, stay until flush_i shows a new count.
//
// Core clock. Latency: a request transferred at edge k that hits is on request_o for edge k + tlb.hit_latency; beyond
// these stages it waits in front of `read`. One that misses asks three edges after its lookup, and is on
// request_o four edges after the answer of the second level. Rate: one request an edge.
// Sleeps while no stage can move: outputs, answers and replies of walks wake it.
#pragma once
#include <type_traits>
#include <vector>

#include "hw/bundles/page_table.h"
#include "hw/bundles/tlb_bundles.h"
#include "hw/bundles/transaction.h"
#include "hw/cache/tlb_entries.h"
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
  if (reach.unreadable != MemFault::kNone) return {reach.unreadable};
  const page_table::Entry& page = reach.page[virtual_address % reach_bytes / page_table::kPageBytes];
  if (!page.present) return {MemFault::kPageNotPresent};
  const std::uint64_t base = page.address - (page.host ? page_table::kHostWindow : 0);
  if (base >= page_table::kHostBit) return {MemFault::kBeyondMemory};
  const std::uint32_t address = static_cast<std::uint32_t>(base) + virtual_address % page_table::kPageBytes;
  return {MemFault::kNone, page.host ? address | page_table::kHostBit : address};
}

enum class WalkerState : std::uint8_t {
  kIdle,
  kAsk,             // the second level
  kAnswerComes,     //
  kReadDirectory,   // the page table, in memory
  kDirectoryComes,  //
  kReadTable,
  kTableComes,
  kFill,  // the first level
  kTell   // the second level
};
inline const EnumText& enum_text(WalkerState) {
  static const char* const names[] = {
      "IDLE", "ASK", "ANSWER_COMES", "READ_DIRECTORY", "DIRECTORY_COMES", "READ_TABLE", "TABLE_COMES", "FILL", "TELL"};
  static const EnumText text{"WalkerState", names, 9};
  return text;
}

/// What the lookup knows of a request.
struct TlbAddress {
  std::uint8_t port = 0;
  std::uint32_t virtual_address = 0;
  Origin origin;
  G80_FIELDS(port, virtual_address, origin);
};
/// Between the stages.
struct TlbHit {
  bool valid = false;
  std::uint8_t slot = 0;
  G80_FIELDS(valid, slot);
};
struct TlbUse {
  bool valid = false;
  bool fill = false;
  std::uint8_t slot = 0;
  G80_FIELDS(valid, fill, slot);
};
struct TlbWanted {
  bool valid = false;
  std::uint8_t port = 0;
  std::uint32_t virtual_address = 0;
  Origin origin;
  G80_FIELDS(valid, port, virtual_address, origin);
};

struct TlbRegs {
  bool ready = true;
  std::uint8_t ahead = 0;  // requests in front that the lookup has passed
  bool filled = false;     // a fill took the port at the last edge
  TlbWanted sought;        // of the next lookup, while it waits for its turn
  TlbHit found;            // of the request in front
  TlbUse used;
  TlbWanted miss;
  std::uint32_t flush = 0;
  G80_FIELDS(ready, ahead, filled, sought, found, used, miss, flush);
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
  bool idle() const;

 protected:
  static constexpr unsigned kStages = 3;          // read, lookup and translation
  static constexpr unsigned kMaxHitLatency = 64;  // largest tlb.hit_latency
  struct Walker {
    WalkerState state = WalkerState::kIdle;
    bool restart = false;  // a flush came: what is on its way to it is old
    bool walked = false;   // it has read, or will read, the page table
    std::uint8_t port = 0;
    std::uint32_t virtual_address = 0;
    std::uint32_t table = 0;  // physical address of the page table
    Origin origin;
    TlbReach reach;  // what it learnt
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("state", s.state);
      v("restart", s.restart);
      v("walked", s.walked);
      v("port", s.port);
      v("virtual_address", s.virtual_address);
      v("table", s.table);
      v("origin", s.origin);
      v.stored("reach", s.reach);
      if constexpr (std::is_same_v<V, FieldEditor>) {
        if (!v.fills() || s.state != WalkerState::kIdle) return;
        v.fill(s.port);
        v.fill(s.virtual_address);
        v.fill(s.table);
        v.fill(s.reach);
      }
    }
  };

  void next() override;
  void drive() override;
  void reset() override;
  void flush();
  bool send_question();
  bool send_walk_read();
  bool translate_front();
  bool start_walk();
  bool takes() const { return q_.ready && request_i.read().valid; }
  Walker* filling_walker();
  TlbWanted read_address(bool front) const;
  void fill_from(Walker& walker);
  bool look_up(const TlbWanted& request);
  bool take_answer();
  bool take_walk_reply();
  void walk(Walker& walker);

  const std::uint32_t reach_bytes_;
  const unsigned depth_;
  const unsigned chunk_bytes_;  // of page table entries for one reach
  const bool has_second_level_;
  const bool past_read_;  // no edge is left for `read`
  Stored<TlbEntries> entries_;
  Fifo<MemRequest, kMaxHitLatency + 2> queue_{*this, "queue"};          // the translation reads it
  Fifo<TlbAddress, kMaxHitLatency + 2> addresses_{*this, "addresses"};  // of the same requests
  Stored<DelayLine> stages_;  // in front of the lookup, for each request of queue_
  Stored<std::vector<Walker>> walker_;
  OutputRegister<MemRequest> request_{*this, "request"};
  OutputRegister<MemReply> fault_{*this, "fault"};
  OutputRegister<TlbQuestion> question_{*this, "question"};
  unsigned counted_ = 0;  // requests in front that were counted as hits or misses
  Counters counters_;
};

}  // namespace g80
