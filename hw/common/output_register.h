// SPDX-License-Identifier: Apache-2.0
// A wide register at an output of a block: loaded or dropped in next(), shown by drive() at edges that changed it. It
// stands outside Regs, which are copied at every edge.
//
//     OutputRegister<MemRequest> miss_{*this, "miss"};
//     miss_.hand_over(miss_ready_i.read());         // in next()
//     if (!miss_->valid && ...) miss_.load(request);
//     miss_.drive(miss_o);                          // in drive()
#pragma once
#include "hw/common/store.h"
#include "hw/common/wire.h"

namespace g80 {

template <class Bundle>
class LoadedRegister {
 public:
  const Bundle& operator*() const { return bundle_; }
  const Bundle* operator->() const { return &bundle_; }
  void load(const Bundle& bundle) { edit() = bundle; }
  /// What changes is loaded.
  Bundle& edit() {
    change_ = Change::kLoaded;
    return bundle_;
  }
  /// It is no longer valid; its other bits stay.
  void drop() {
    bundle_.valid = false;
    if (change_ == Change::kNone) change_ = Change::kDropped;
  }
  /// Drops it if it is valid and its reader takes it. True if so.
  bool hand_over(bool taken) {
    const bool goes = bundle_.valid && taken;
    if (goes) drop();
    return goes;
  }
  void reset() { edit() = {}; }
  G80_INLINE void drive(Out<Bundle>& output) {
    if (change_ != Change::kNone) show(output);
  }

  template <class S, class V>
  static void visit(S& s, V& v) {
    visit_fields(s.bundle_, v);
    if constexpr (std::is_same_v<V, FieldEditor>) s.change_ = Change::kLoaded;
  }

 private:
  enum class Change : std::uint8_t { kNone, kDropped, kLoaded };  // not driven yet

  [[gnu::noinline]] void show(Out<Bundle>& output) {
    if (change_ == Change::kDropped) {
      output.renew_by([](Bundle& shown) { shown.valid = false; });
    } else {
      output.write(bundle_);
    }
    change_ = Change::kNone;
  }

  Bundle bundle_;
  Change change_ = Change::kLoaded;
};

template <class Bundle>
using OutputRegister = Stored<LoadedRegister<Bundle>>;

}  // namespace g80
