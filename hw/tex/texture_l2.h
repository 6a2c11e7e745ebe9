// SPDX-License-Identifier: Apache-2.0
// Second-level texture cache of a memory partition, between crossbar and partition.
//
// Only reads of client kTexture are looked up; all other transactions pass through in order. A miss reads the whole
// line (tex.line_bytes) from the partition; further misses to it wait for the same read. Writes do not touch the cache,
// as on the chip: a kernel that writes what a texture reads sees old texels until flush_i shows a new count. The cache
// is empty kControlWay edges later: so long is the way from the command processor.
//
// Sets and tags are those of the address inside the partition: of consecutive physical addresses a partition has only
// some, so their numbers would leave most of the sets empty.
//
// Stages, which stop together:
//   look up  the tags of the set are at the output of their memory, which has a read and a write port. They are
//            compared: a hit goes on; a miss takes a miss register and a way, whose tag is written, or joins the one of
//            its line (answer() and look_up(): their twin is rtl/tex/texture_l2_lookup.sv)
//   access   the words are at the output of their memory, which has one port; they go into `replies`, where they pass
//            what is left of tex.l2_latency
// A line that comes is kept in `fill`: at the next edge it is written through the port of the words, which an access
// then does not get, and its waiters are answered, one an edge; a hit waits for them too. So lines come at full rate. A
// miss that needs the way of a line on its way takes it; that line is then not kept.
//
// Core clock. Latency: what passes through is on the other side one edge after its transfer if nothing is in its way; a
// texture read transferred at edge k that hits is on reply_o for edge k + tex.l2_latency + 1 if no other reply goes
// first, k + 4 at least. Rate: one request and one reply an edge; texture replies and those of the partition take
// turns.
// A texture read that finds no miss register holds up the texture reads behind it, and with them what is behind those.
#pragma once
#include <array>
#include <vector>

#include "hw/bundles/launch_beat.h"
#include "hw/bundles/reply_to.h"
#include "hw/bundles/transaction.h"
#include "hw/cache/cache_tags.h"
#include "hw/cache/mshr.h"
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
  bool idle() const { return quiet() && replies_.empty() && misses_.empty(); }

 protected:
  static constexpr unsigned kMaxMshrs = 64;      // largest tex.l2_mshrs
  static constexpr unsigned kPlacesToWait = 64;  // 4 reads of each TPC
  static constexpr unsigned kLeastLatency = 3;
  static constexpr unsigned kStages = 2;  // in front of `replies`
  /// A texture read: all that its reply and its miss need.
  struct Read {
    ReplyHeader header;
    std::uint32_t address = 0;  // in the partition
    G80_FIELDS(header, address);
  };
  /// In front of the comparison of tags.
  struct LookUp {
    bool valid = false;
    Read read;
    G80_FIELDS(valid, read);
  };
  /// In front of the memory of words.
  struct Access {
    bool valid = false;
    std::uint16_t slot = 0;
    Read read;
    G80_FIELDS(valid, slot, read);
  };
  /// The line that came last.
  struct Fill {
    bool answers = false;  // it has waiters
    bool writes = false;   // its words are to be kept
    std::uint8_t entry = 0;
    std::uint16_t slot = 0;
    MemFault fault = MemFault::kNone;
    std::array<std::uint32_t, kMaxTransactionBytes / 4> data{};
    G80_FIELDS(answers, writes, (entry, 6), slot, (fault, 2), data);
  };
  /// Of each miss register: the way that its line has got.
  struct Ways {
    std::array<std::uint16_t, kMaxMshrs> slot{};
    G80_FIELDS(slot);
  };
  struct Tags : CacheTags {
    using CacheTags::CacheTags;
    template <class S, class V>
    static void visit(S& s, V& v) {
      v.stored("memory", static_cast<std::conditional_t<std::is_const_v<S>, const CacheTags, CacheTags>&>(s));
    }
  };
  struct Words {
    Words(unsigned lines, unsigned count) : come(lines), word(count) {}
    std::vector<std::uint8_t> come;  // of each line: its words are there, not on their way
    std::vector<std::uint32_t> word;
    template <class S, class V>
    static void visit(S& s, V& v) {
      v.stored("come", s.come, 1);
      v.stored("word", s.word);
    }
  };

  void next() override;
  void drive() override;
  void reset() override;
  void flush();
  void answer();
  void push_reply(const Read& read, const std::uint32_t* line, MemFault fault);
  void look_up();
  bool miss();
  void take_fill();
  void take_request();
  void send_reply();
  /// Nothing is in a register between the queues, so nothing is in those in front: it would have gone on.
  bool quiet() const {
    return !look_up_.valid && !access_.valid && !fill_.answers && !request_->valid && !reply_->valid;
  }

  const unsigned line_bytes_;
  Fifo<MemRequest, 2> queue_{*this, "queue"};
  Fifo<MemReply, 2> from_partition_{*this, "from_partition"};
  Stored<Tags> tags_;
  Stored<Words> words_;
  Stored<Mshr<Read, kMaxMshrs, kPlacesToWait>> misses_;
  Stored<Ways> ways_{*this, "ways"};
  Stored<LookUp> look_up_{*this, "look_up"};
  Stored<Access> access_{*this, "access"};
  Stored<Fill> fill_{*this, "fill"};
  Stored<DelayLine> flush_way_{*this, "flush_way", kControlWay};
  DelayedQueue<MemReply> replies_;  // texture reads that have been answered
  OutputRegister<MemRequest> request_{*this, "request"};
  OutputRegister<MemReply> reply_{*this, "reply"};
  Unwritten unwritten_{*this, [this](FieldEditor& filler) {
                         const unsigned line_words = line_bytes_ / 4;
                         for (unsigned slot = 0; slot < tags_.num_slots(); ++slot) {
                           for (unsigned i = 0; i < line_words && !(tags_.is_valid(slot) && words_.come[slot] != 0);
                                ++i)
                             filler.fill(words_.word[slot * line_words + i]);
                         }
                       }};
  Counters counters_;
};

}  // namespace g80
