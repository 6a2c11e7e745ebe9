// SPDX-License-Identifier: Apache-2.0
// The outstanding loads of an SM: the lanes that still wait, and the data of the others.
//
// Replies name the entry and the lanes they serve; each lane finds its bytes by the low bits of its own address.
// Replies are not merged: two lanes of one sector get it twice. One memory reply and one texture reply a scheduler
// cycle.
//
// A finished load leaves as half a register a scheduler cycle, which is what the datapath's buses carry. Writeback has
// room for kLoadRows registers and counts those it has written.
//
// Control-stack entries that come back need no entry here: they go straight to the reconvergence stack.
//
// From:  address_unit (opened loads), crossbar replies, texture unit
// To:    writeback, address_unit (freed entries), reconvergence_stack
#pragma once
#include "hw/bundles/load_bundles.h"
#include "hw/bundles/stack_bundles.h"
#include "hw/bundles/texture_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delay_memory.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

inline constexpr unsigned kMaxLoads = 64;

/// A load on its way: what its replies have brought so far.
struct LoadEntry {
  std::uint8_t warp = 0;
  IssuedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  std::array<std::uint8_t, kWarpSize> offset{};
  std::array<LaneWords, 4> data{};
  G80_FIELDS((warp, 5), (insn, fetched, 0), (uid, tag.bits, 0), lanes, (offset, 7), data);
};

struct LoadTableRegs {
  bool leaving = false;     // an entry has registers that writeback has not got
  std::uint8_t result = 0;  // which entry
  std::uint8_t part = 0;    // of its half registers the next one
  bool shows = false;       // the half register before it to writeback; the last one if nothing is leaving any more
  std::uint8_t rows = 0;    // registers sent so far, modulo 256
  LoadFreed freed;
  StackFill stack;
  KernelFault fault;
  Credits credit;
  std::uint64_t occupied = 0;  // bit i = entry i
  G80_FIELDS(leaving, (result, 6), (part, 3), shows, rows, freed, stack, occupied, fault, credit);
};

class LoadTable : public Clocked<LoadTableRegs> {
 public:
  LoadTable(const sc_core::sc_module_name& name, const Config& config);

  In<LoadOpen> open_i{"open_i"};
  In<LoadLanes> lanes_i{"lanes_i"};                   // of an opened load
  In<std::uint8_t> rows_written_i{"rows_written_i"};  // registers that writeback has written, modulo 256
  CrossingIn<MemReply> reply_i{"reply_i"};
  CrossingIn<TexReply> tex_i{"tex_i"};
  Out<LoadResult> result_o{"result_o"};
  Out<LoadFreed> freed_o{"freed_o"};
  Out<StackFill> stack_o{"stack_o"};
  Out<Credits> credit_o{"credit_o"};
  Out<KernelFault> fault_o{"fault_o"};

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  template <class S, class V>
  static void members(S& s, V& v) {
    v.stored("pending", s.pending_);
    v.stored("entry", s.entries_);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override { members(*this, editor); }
  bool is_open(unsigned id) const { return (d_.occupied >> id & 1) != 0; }
  void send_part();
  void take(const MemReply& reply);
  void take(const TexReply& reply);
  bool completes(unsigned id, unsigned word, LaneMask lanes);
  void raise(const LoadEntry& entry, LaneMask lanes, std::uint32_t address);

  std::array<LoadEntry, kMaxLoads> entries_{};
  std::array<std::array<LaneMask, 4>, kMaxLoads> pending_{};  // per word of a wide l[] access; else word 0
  Unwritten unwritten_{*this, [this](FieldEditor& filler) {
                         filler.fill(entries_);
                         filler.fill(pending_);
                       }};
  /// The loads that the replies of one cycle completed.
  struct Completed {
    bool valid = false;
    bool memory = false, texture = false;
    std::uint8_t memory_id = 0, texture_id = 0;
    G80_FIELDS(valid, memory, texture, (memory_id, 6), (texture_id, 6));
  };
  Completed completed_;                                        // at this edge
  DelayMemory<Completed> way_back_;                            // to writeback; sm.return_latency says how many
  Fifo<std::uint8_t, kMaxLoads> complete_{*this, "complete"};  // wait for writeback
};

}  // namespace g80
