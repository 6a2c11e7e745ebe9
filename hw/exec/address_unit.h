// SPDX-License-Identifier: Apache-2.0
// Computes the addresses of every access to s[], c[], l[], g[] and textures, and sends them out half a warp a scheduler
// cycle.
//
// Operands come in half-warps, from a port of eight lanes a shader cycle, and a half-warp's request leaves in the cycle
// in which its operands come, if nothing is in front of it. So a fault in the second half-warp may find that the
// request of the first one has left; the instruction does not complete.
// The head of a new block's s[], which the launcher writes, leaves as a row of words, ahead of the accesses of
// instructions. An entry of a control stack that goes to memory or comes back leaves as an access of one lane, ahead of
// the half-warps that wait, but not twice in a row: other warps could keep these waiting for ever.
// The path to the coalescer has room for one address. That of its first lane is enough for a half-warp in order
// (hw/bundles/half_warp_order.h). Otherwise the addresses of the other lanes follow, sm.address_cycles each, and
// the access leaves with the last one.
// Accesses keep the order in which the collector sent them, separately for what stays in the SM (s[], c[]) and what
// leaves it (g[], l[], textures), so that a wait for the memory path does not hold up shared memory.
// Loads are entered in the load_table before their first request leaves. Stores and reductions to g[] and l[] are
// finished when their last request has left, because all later blocks keep their order; stores to s[] when the banks
// have performed them, because the block's shared memory is freed when its last instruction has finished.
//
// From:  operand_collector, cta_launcher (head of s[]), reconvergence_stack, load_table (freed entries), shared_memory
//        (performed stores)
// To:    bank_conflict, constant_cache, coalescer, texture unit, load_table, writeback (finished stores),
//        operand_collector, cta_launcher (accesses are on their way)
#pragma once
#include "hw/bundles/exec_bundles.h"
#include "hw/bundles/fetch_bundles.h"
#include "hw/bundles/launch_state.h"
#include "hw/bundles/load_bundles.h"
#include "hw/bundles/register_bundles.h"
#include "hw/bundles/retirement_port.h"
#include "hw/bundles/smem_bundles.h"
#include "hw/bundles/stack_bundles.h"
#include "hw/bundles/texture_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/output_register.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// Where a warp's s[] begins and ends in the SM's shared memory, and its slot number in the chip: per warp slot.
struct WarpPlace {
  std::uint16_t shared_base = 0;
  std::uint16_t shared_limit = 0;  // bytes of s[] that the block owns
  std::uint32_t chip_warp = 0;
  G80_FIELDS(shared_base, shared_limit, (chip_warp, 11));
};

/// Address of each lane of a half-warp in the space of the memory operand; $a is added for s[], c[] and l[].
/// This is where addresses are formed.
void lane_addresses(const isa::Operand& operand, const isa::Instruction& insn, const AddressLanes& lanes,
                    std::uint32_t* out);

/// An access that waits for its turn. Where its address stands in the instruction, that is formed when it comes.
struct AddressJob {
  AddressDispatch dispatch;
  isa::OperandKind kind = isa::OperandKind::kNone;  // of the memory operand; a texture has none
  std::uint8_t bytes = 4;                           // per lane and access
  std::uint8_t words = 1;                           // accesses of a lane: words of l[] go out one by one
  bool sign_extend = false;
  bool no_data = false;       // without operands: c[] ends before the address, so it reads 0
  std::uint32_t address = 0;  // without operands: of lane 0
  G80_FIELDS(dispatch, (kind, 4), (bytes, 5), (words, 3), sign_extend, no_data, address);
};

/// What came on the operand port for a half-warp of an access, its addresses formed.
template <unsigned kWords>
struct OperandRow {
  HalfMask lanes = 0;  // that access: c[] outside its bank reads 0
  PortWords address{};
  PortWords data[kWords]{};
  G80_FIELDS(lanes, address, data);
};

/// Accesses in their order, and a memory with two rows for each.
template <unsigned kDepth, unsigned kWords>
class AccessQueue : public Ring<AddressJob, kDepth> {
 public:
  using Row = OperandRow<kWords>;
  using Jobs = Ring<AddressJob, kDepth>;
  Row& row(unsigned i, unsigned half) { return rows_[this->place(i)][half]; }
  /// A lane of the second half-warp of access `i` has a bad address: the access goes no further.
  bool faulted(unsigned i) const { return (faulted_ >> this->place(i) & 1) != 0; }
  void set_faulted(unsigned i, bool faulted) {
    const std::uint32_t bit = 1u << this->place(i);
    faulted_ = faulted ? faulted_ | bit : faulted_ & ~bit;
  }
  template <class S, class V>
  static void visit(S& s, V& v) {
    Jobs::visit(s, v);
    v.stored("row", s.rows_);
    v.stored("faulted", s.faulted_, kDepth);
    if constexpr (std::is_same_v<V, FieldEditor>) v.fill(s.rows_);
  }

 private:
  std::array<std::array<Row, 2>, kDepth> rows_{};
  std::uint32_t faulted_ = 0;
};

/// A store to s[] whose requests have left; `after` = half-warps performed when it is finished, modulo 256.
struct SentStore {
  StoreDone done;
  std::uint8_t after = 0;
  G80_FIELDS(done, after);
};

/// How far the oldest access to device memory has got.
struct AccessProgress {
  bool upper = false;        // the lower half-warp of this word has left
  std::uint8_t word = 0;     // of a wide access to l[]
  std::uint8_t entered = 0;  // half-warps (bit = half) whose lanes the load_table has got
  std::uint8_t load_id = 0;
  bool waits = false;     // addresses of its half-warp are on their way
  std::uint8_t wait = 0;  // scheduler cycles until it may leave
  G80_FIELDS(upper, (word, 3), (entered, 2), (load_id, 6), waits, (wait, 6));
};

struct AddressUnitRegs {
  WarpMask freed = 0;     // collector units whose operands are no longer needed (bit = unit)
  WarpMask answered = 0;  // units whose c[] operand lies outside the bank in every lane: it reads 0
  Credits credit;
  bool stack_ready = true, fill_ready = true;
  bool busy = false;  // an access has not been taken out of the queue to the coalescer or the texture unit
  bool receives_on_chip = false, receives_off_chip = false;  // the newest access gets the operands that come now
  bool on_chip_upper = false;                                // the lower half-warp of the oldest access has left
  bool stack_went = false;                                   // no half-warp has left since a control stack's entry
  AccessProgress off_chip_progress;
  std::uint8_t stores_sent = 0, stores_performed = 0;  // half-warps, modulo 256
  std::uint64_t loads = 0;                             // entries of the load_table in use
  G80_FIELDS((freed, 16), (answered, 16), credit, stack_ready, fill_ready, busy, receives_on_chip, receives_off_chip,
             on_chip_upper, stack_went, off_chip_progress, stores_sent, stores_performed, loads);
};

class AddressUnit : public Clocked<AddressUnitRegs> {
 public:
  struct Counters {
    std::uint64_t accesses = 0;  // to device memory: g[], l[], textures
    G80_FIELDS(accesses);
  };

  AddressUnit(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id, unsigned sm_in_tpc);

  In<LaunchState> launch_i{"launch_i"};
  In<WarpStart> start_i{"start_i"};
  In<AddressDispatch> dispatch_i{"dispatch_i"};
  In<AddressLanes> operands_i{"operands_i"};
  In<StackAccess> stack_i{"stack_i"};
  Out<bool> stack_ready_o{"stack_ready_o"};
  In<SmemFill> fill_i{"fill_i"};
  Out<bool> fill_ready_o{"fill_ready_o"};
  In<bool> smem_ready_i{"smem_ready_i"};
  In<bool> const_ready_i{"const_ready_i"};
  In<LoadFreed> load_freed_i{"load_freed_i"};
  In<bool> smem_stored_i{"smem_stored_i"};  // a half-warp's store was performed
  Out<SmemRequest> smem_o{"smem_o"};
  Out<ConstRequest> const_o{"const_o"};
  Out<LoadOpen> open_o{"open_o"};
  Out<LoadLanes> lanes_o{"lanes_o"};
  Out<AddrIncrement> increment_o{"increment_o"};
  Out<StoreDone> done_o{"done_o"};
  Out<WarpMask> freed_o{"freed_o"};
  Out<WarpMask> answered_o{"answered_o"};
  Out<Credits> credit_o{"credit_o"};
  Out<KernelFault> fault_o{"fault_o"};
  Out<bool> busy_o{"busy_o"};  // to cta_launcher
  CrossingOut<HalfWarpAccess> access_o{"access_o"};
  CrossingOut<TexRequest> tex_o{"tex_o"};

  const Counters& counters() const { return counters_; }
  const std::array<WarpPlace, kMaxWarps>& places() const { return places_; }
  bool idle() const { return on_chip_.empty() && off_chip_.empty() && stack_.empty(); }
  void report_to(RetirementPort* port) { reports_ = port; }

 protected:
  // A collector unit has one memory instruction, or an s[] and a c[] operand.
  static constexpr unsigned kOnChip = 2 * kMaxCollectorUnits, kOffChip = kMaxCollectorUnits;
  using OnChip = AccessQueue<kOnChip, 1>;
  using OffChip = AccessQueue<kOffChip, 4>;

  void next() override;
  void drive() override;
  void reset() override;
  void start_warp(const WarpStart& start);
  void report_increment(const AddrIncrement& increment);
  void report_access(const HalfWarpAccess& access);
  const unsigned address_cycles_;  // scheduler cycles
  Counters counters_;
  Stored<OnChip> on_chip_{*this, "on_chip"};
  Stored<OffChip> off_chip_{*this, "off_chip"};
  Fifo<StackAccess, 2> stack_{*this, "stack"};
  Fifo<SmemFill, 2> head_{*this, "head"};
  Fifo<SentStore, 8> sent_stores_{*this, "sent_stores"};
  OutputRegister<SmemRequest> smem_{*this, "smem"};
  OutputRegister<ConstRequest> constant_{*this, "constant"};
  OutputRegister<LoadOpen> open_{*this, "open"};
  OutputRegister<LoadLanes> lanes_{*this, "lanes"};
  OutputRegister<AddrIncrement> increment_{*this, "increment"};
  OutputRegister<StoreDone> done_{*this, "done"};
  OutputRegister<KernelFault> fault_{*this, "fault"};

 private:
  /// Where the lanes of an access may go.
  struct Window {
    bool open = false;
    std::uint32_t base = 0;
    std::uint64_t bytes = 0;
  };

  template <class S, class V>
  static void members(S& s, V& v) {
    v.stored("place", s.places_);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override {
    members(*this, editor);
    only_oldest_waits_ = counts_ = false;  // it may have changed anything
  }
  static const isa::Operand& memory_operand(const AddressDispatch& dispatch);
  static AddressJob describe(const AddressDispatch& dispatch);
  Window window(const AddressJob& job) const;
  Origin origin(const AddressJob& job) const;
  void accept(const AddressDispatch& dispatch);
  void receive();
  template <class Queue>
  bool push(Queue& queue, const AddressJob& job);
  bool form(AddressJob& job);
  template <unsigned kWords>
  bool take(const AddressJob& job, unsigned half, OperandRow<kWords>& row);
  void fault(const AddressJob& job, unsigned lane, bool misaligned, std::uint32_t address);
  void increment(const AddressJob& job, unsigned half);
  template <unsigned kWords>
  static PortWords addresses(const AddressJob& job, unsigned half, const OperandRow<kWords>& row);
  void work_on_chip();
  void work_off_chip();
  bool waits_for_room() const;
  bool only_counts() const;
  bool send_shared(unsigned half);
  bool send_constant(unsigned half);
  unsigned address_wait(unsigned half);
  bool send_access(unsigned half);
  bool send_texture(unsigned half);
  void send_stack();
  void send_head();
  void open_load(const AddressJob& job);
  void enter_lanes(unsigned half);
  void release(const AddressJob& job);
  static StoreDone store_done(const AddressJob& job);
  void report_shared_store();

  const std::uint8_t sm_id_, sm_in_tpc_;
  const unsigned load_entries_, max_warps_;
  std::array<WarpPlace, kMaxWarps> places_{};
  Unwritten unwritten_{*this, [this](FieldEditor& filler) { filler.fill(places_); }};
  RetirementPort* reports_ = nullptr;
  bool only_oldest_waits_ = false;  // the last edge left nothing to do but for the oldest access to device memory
  bool counts_ = false;             // this edge
};

}  // namespace g80
