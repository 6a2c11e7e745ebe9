// SPDX-License-Identifier: Apache-2.0
// Computes the addresses of every access to s[], c[], l[], g[] and textures, and sends them out half a warp a scheduler
// cycle.
//
// Operands come in half-warps, from a port of eight lanes a shader cycle, and a half-warp's request leaves in the cycle
// in which its operands come, if nothing is in front of it. So a fault in the second half-warp may find that the
// request of the first one has left; the instruction does not complete.
// The head of a new block's s[], which the launcher writes, leaves as a row of words, ahead of the accesses of
// instructions. So does an entry of a control stack that goes to memory or comes back, as an access of one lane.
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
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// Where a warp's s[] begins and ends in the SM's shared memory, and its slot number in the chip: per warp slot.
struct WarpPlace {
  std::uint16_t shared_base = 0;
  std::uint16_t shared_limit = 0;  // bytes of s[] that the block owns
  std::uint32_t chip_warp = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("shared_base", s.shared_base);
    v("shared_limit", s.shared_limit);
    v("chip_warp", s.chip_warp, 11);
  }
};

/// Address of each lane of a half-warp in the space of the memory operand; $a is added for s[], c[] and l[].
/// This is where addresses are formed.
void lane_addresses(const isa::Operand& operand, const isa::Instruction& insn, const AddressLanes& lanes,
                    std::uint32_t* out);

struct AddressUnitRegs {
  SmemRequest smem;
  ConstRequest constant;
  LoadOpen open;
  LoadLanes lanes;
  AddrIncrement increment;
  StoreDone done;
  KernelFault fault;
  WarpMask freed = 0;     // collector units whose operands are no longer needed (bit = unit)
  WarpMask answered = 0;  // units whose c[] operand lies outside the bank in every lane: it reads 0
  Credits credit;
  bool stack_ready = true, fill_ready = true;
  bool busy = false;  // an access has not been taken out of the queue to the coalescer or the texture unit
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("smem", s.smem);
    v("constant", s.constant);
    v("open", s.open);
    v("lanes", s.lanes);
    v("increment", s.increment);
    v("done", s.done);
    v("freed", s.freed, 16);
    v("answered", s.answered, 16);
    v("fault", s.fault);
    v("credit", s.credit);
    v("stack_ready", s.stack_ready);
    v("fill_ready", s.fill_ready);
    v("busy", s.busy);
  }
};

class AddressUnit : public Clocked<AddressUnitRegs> {
 public:
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

  /// Accesses to device memory (g[], l[], textures) so far.
  std::uint64_t accesses() const { return accesses_; }
  const std::array<WarpPlace, kMaxWarps>& places() const { return places_; }
  bool idle() const { return on_chip_.empty() && off_chip_.empty() && stack_.empty(); }
  void report_to(RetirementPort* port) { reports_ = port; }

 protected:
  enum class Receiver : std::uint8_t { kNone, kOnChip, kOffChip };  // queue whose newest job gets the port's lanes
  struct Job {
    AddressDispatch dispatch;
    std::uint8_t next_part = 0;  // half-warp, and word of a wide l[] access, that goes out next
    std::uint8_t num_parts = 0;
    std::uint8_t load_id = 0;
    bool opened = false;                              // entered in the load_table, and
    std::uint8_t entered = 0;                         // its half-warps (bit = half) whose lanes are
    std::uint8_t arrived = 0;                         // half-warps (bit = half) whose operands have come
    bool faulted = false;                             // in a lane of the second half-warp: it goes no further
    std::uint8_t bytes = 4;                           // per lane and part
    isa::OperandKind kind = isa::OperandKind::kNone;  // of the memory operand; a texture has none
    bool sign_extend = false;
    LaneMask lanes = 0;   // lanes that access
    LaneWords address{};  // in the operand's space; l[] and c[] in virtual memory
    LaneWords data[4]{};
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("dispatch", s.dispatch);
      v("next_part", s.next_part, 4);
      v("num_parts", s.num_parts, 4);
      v("load_id", s.load_id, 6);
      v("opened", s.opened);
      v("entered", s.entered, 2);
      v("arrived", s.arrived, 2);
      v("faulted", s.faulted);
      v("bytes", s.bytes, 5);
      v("lanes", s.lanes);
      v("kind", s.kind, 4);
      v("sign_extend", s.sign_extend);
      v("address", s.address);
      v("data", s.data);
    }
  };
  /// A store to s[] whose requests have left; `after` = half-warps performed when it is finished.
  struct SentStore {
    StoreDone done;
    std::uint32_t after = 0;
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("done", s.done);
      v("after", s.after);
    }
  };
  using Queue = Fifo<Job, 2 * kMaxCollectorUnits + 1>;  // an s[] and a c[] operand of every collector unit

  void next() override;
  void drive() override;
  void reset() override;
  template <class S, class V>
  static void members(S& s, V& v) {
    v.stored("place", s.places_);
    v("receiver", s.receiver_, 2);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override { members(*this, editor); }
  void accept(const AddressDispatch& dispatch);
  void receive();
  bool check(const Job& job, unsigned half, HalfMask bad, FaultKind kind);
  static const isa::Operand& memory_operand(const AddressDispatch& dispatch);
  void prepare(Job& job);
  void increment(const Job& job, unsigned half, const PortWords& addr);
  bool take(Job& job, unsigned half, const AddressLanes& lanes);
  void work_on_chip();
  void work_off_chip();
  bool send_shared(const Job& job, unsigned half);
  bool send_constant(const Job& job, unsigned half);
  bool send_access(const Job& job, unsigned half, unsigned word);
  bool send_texture(const Job& job, unsigned half);
  void send_stack();
  void send_head();
  void open_load(Job& job);
  void enter_lanes(Job& job, unsigned half);
  void release(const Job& job);
  static StoreDone store_done(const Job& job);
  void report_shared_store();
  Origin origin(const Job& job) const;

  const std::uint8_t sm_id_, sm_in_tpc_;
  const unsigned load_entries_, max_warps_;
  std::array<WarpPlace, kMaxWarps> places_{};
  Unwritten unwritten_{*this, [this](FieldEditor& filler) { filler.fill(places_); }};
  Queue on_chip_{*this, "on_chip"}, off_chip_{*this, "off_chip"};
  Receiver receiver_ = Receiver::kNone;
  Fifo<StackAccess, 2> stack_{*this, "stack"};
  Fifo<SmemFill, 2> head_{*this, "head"};
  Fifo<SentStore, 8> sent_stores_{*this, "sent_stores"};
  std::uint32_t stores_sent_ = 0, stores_performed_ = 0;  // half-warps, since the beginning
  std::uint64_t accesses_ = 0;
  std::uint64_t free_loads_ = 0;  // bit i = load_table entry i
  RetirementPort* reports_ = nullptr;
};

}  // namespace g80
