// SPDX-License-Identifier: Apache-2.0
// A clocked block: registers q_, next state d_, outputs only from q_. Blocks have no SystemC processes but the one that
// this file spawns for a block by itself.
//
// In the machine a block belongs to a Domain, which calls step() and commit(). By itself the same block runs on
// sc_clock and sc_signal: bind clk_i (and rst_ni) and it spawns one process of its own (tb/examples/one_block.cpp).
//
// step():   d_ is equal to q_; next() reads input ports and q_, writes d_, may call sleep() when doing it again with
//           the same inputs would change nothing. commit(): q_ = d_, then drive() writes the output ports.
// State that is too large to copy every cycle lives in Fifo and Store members, which change in next() and which only
// their block reads.
#pragma once
#include <systemc>

#include "hw/common/check.h"
#include "hw/common/domain.h"
#include "hw/common/store.h"
#include "hw/common/traceable.h"

namespace g80 {

/// Bound where a block runs on plain SystemC signals only: unit tests, tb/examples.
struct ClockPins {
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clk_i{"clk_i"};
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> rst_ni{"rst_ni"};
};

/// What an edge needs of every block: it lies together, in the first line of the block, so that no call has to look for
/// the block.
class Stepped : public Traceable {
 public:
  void step() { next(); }
  virtual void commit() = 0;

  /// Number of the current edge of the block's clock, or of the last one that its group ran.
  Cycle edge() const { return now_->edge; }
  const Moment& now() const { return *now_; }

  /// Set by sleep(), cleared by the domain.
  bool sleep_requested = false;

 protected:
  /// For blocks that drive an output only when it changes: drive all of them. Set where others may have changed what
  /// they show; the block clears it.
  bool redrive_ = true;

  virtual void next() = 0;  // reads inputs and q_, writes d_
  /// Nothing to do until an input changes or a wake_at edge comes.
  void sleep() { sleep_requested = true; }
  /// True on the edges at which the half-rate front end runs.
  bool issue_en() const { return edge() % kSchedulerPeriod == 0; }

 private:
  friend class Domain;
  friend class ClockedBase;
  unsigned index_ = 0;
  const Moment* now_ = nullptr;  // that of its group where there is a domain
  Wakes wakes_;                  // the bit of the domain that says that the block is awake
  Domain* domain_ = nullptr;
  Group* group_ = nullptr;
};

class ClockedBase : public Stepped, public sc_core::sc_module, public ClockPins, public StoreOwner {
 public:
  virtual void hold_reset() = 0;

  /// Runs the block at the next edge of its clock: an input changed.
  void wake() {
    redrive_ = true;
    if (domain_ == nullptr) return;
    *wakes_.awake |= wakes_.bits;
    woken();
  }
  /// What wake() sets was set.
  void woken() {
    if (domain_ != nullptr && !domain_->runs()) domain_->woken_from_outside();
  }
  const Wakes& wakes() const { return wakes_; }
  void wake_at(Cycle edge) {
    if (domain_ != nullptr && !domain_->wakes_soon(*group_, index_, edge)) domain_->wake_at(index_, edge);
  }
  const char* trace_name() const override { return name(); }
  ClockedBase* driver() final { return this; }
  Domain* domain() const { return domain_; }
  /// The last edge of the block's clock, whether the block ran at it or not; with `moment`, that at a moment of the
  /// past. For observers.
  Cycle last_edge(Picoseconds moment = 0) const {
    if (domain_ == nullptr) return edge();
    return moment == 0 ? domain_->last_edge() : domain_->last_edge_by(moment);
  }
  bool awake() const { return domain_ != nullptr && (*wakes_.awake & wakes_.bits) != 0; }
  /// The block runs at this edge of its clock if it is awake.
  bool runs_at(Cycle edge) const { return domain_ != nullptr && domain_->runs_at(index_, edge); }
  /// The block will run at this edge, the next one or one after it, unless more happens before.
  bool will_run(Cycle edge) const { return domain_ != nullptr && domain_->will_run(index_, edge); }

 protected:
  explicit ClockedBase(const sc_core::sc_module_name& name) : sc_module(name) { now_ = &own_now_; }
  /// wake_at() of the block itself, in its next(): most often a near edge.
  void run_at(Cycle edge) {
    if (group_ == nullptr) return;
    if (edge - this->edge() - 1 < Group::kWheel - 1) {
      group_->wake_at(index_, edge);
    } else {
      domain_->wake_at(index_, edge);
    }
  }

 private:
  friend class Domain;
  void end_of_elaboration() override;
  void clock_edge();

  Moment own_now_;
};

template <class Regs>
class Clocked : public ClockedBase {
  static constexpr std::size_t kCopied = 16;  // bytes that a host copies at once

 public:
  void commit() final {
    q_ = d_;
    if (__builtin_expect(traced(), 0)) return drive_traced();
    drive();
  }
  void hold_reset() final {
    d_ = Regs{};
    redrive_ = true;
    reset();
  }
  void trace_fields(FieldVisitor& visitor) const override {
    visitor.clock_at(last_edge(visitor.moment()));
    visitor.fields_of(q_);
    visit_inside(visitor);
  }
  void edit_fields(FieldEditor& editor) override {
    editor.clock_at(last_edge());
    visit_fields(q_, editor);
    visit_members(editor);
    visit_stores(editor);
    if (editor.changed() == 0) return;
    d_ = q_;
    redrive_ = true;
    drive();
    woken();  // the readers of its outputs
    if (traced()) mark_changed();
  }
  const Regs& registers() const { return q_; }

 protected:
  using ClockedBase::ClockedBase;
  virtual void drive() = 0;  // writes outputs from q_
  virtual void reset() {}    // returns Fifo and Store members to their initial state
  // State outside Regs for waves and fault injection; both visit the same.
  virtual void visit_members(FieldVisitor&) const {}
  virtual void visit_members(FieldEditor&) {}
  /// What waves show of the block besides its registers.
  void visit_inside(FieldVisitor& visitor) const {
    visit_members(visitor);
    visit_stores(visitor);
  }
  // Aligned, so that a host copies them without crossing lines of its cache more often than it must.
  alignas(kCopied) Regs q_{};
  alignas(kCopied) Regs d_{};

 private:
  [[gnu::noinline]] void drive_traced() {
    drive();
    mark_changed();
  }
};

/// For blocks whose state is all Fifos and Stores.
struct NoRegs {
  template <class S, class V>
  static constexpr void visit(S&, V&) {}
};

}  // namespace g80
