// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/exec_pipe.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hw/common/copy_usual.h"

namespace g80 {

namespace {

/// `count` is a constant where it is known.
template <class Count>
[[gnu::noinline]] void show_result(const ExecSlot& slot, unsigned first, Count count, bool last,
                                   Out<ExecResult>& result_o) {
  result_o.renew_by([&](ExecResult& result) {
    if (count < result.low.size()) result = {};
    result.valid = true;
    result.last = last;
    result.first = static_cast<std::uint8_t>(first);
    result.tag = slot.tag;
    copy_usual<kPortLanes>(&slot.out.lo.lane[first], count, result.low.begin());
    copy_usual<kPortLanes>(&slot.out.hi.lane[first], count, result.high.begin());
    copy_usual<kPortLanes>(&slot.out.flags.lane[first], count, result.flags.begin());
  });
}

[[gnu::noinline]] void hide_result(Out<ExecResult>& result_o) { result_o.write({}); }

}  // namespace

void ExecPipe::next() {
  move_on();
  take_dispatch();
  if (d_.entering != 0) {
    let_lanes_in();
  } else if (d_.occupied == 0 && d_.result_left == 0 && !(dispatch_i.read().valid && issue_en())) {
    sleep();
  }
}

void ExecPipe::move_on() {
  // Writeback runs at half rate. A result is shown for two cycles, so writeback samples it exactly once.
  if (q_.result_left != 0) --d_.result_left;
  if (q_.ahead_left != 0) --d_.ahead_left;
  if (q_.occupied != 0) {
    const PipeStage& last = q_.stage[num_stages_ - 1];
    if (last.valid) {
      CHECK(last.slot < num_slots_ && last.group < num_groups_, "{}: the last stage names slot {}, group {}", name(),
            last.slot, last.group);
      --d_.occupied;
      if (last.group % 2 != 0) {
        d_.result_slot = last.slot;
        d_.result_group = last.group;
        d_.result_left = 2;
      }
    }
    const PipeStage& near = q_.stage[num_stages_ - 1 - kResultAheadCycles];
    if (near.valid && near.group + 1u == num_groups_) {
      CHECK(near.slot < num_slots_, "{}: a stage names slot {}", name(), near.slot);
      d_.ahead_slot = near.slot;
      d_.ahead_left = 2;
    }
    advance();
    std::memmove(&d_.stage[1], &q_.stage[0], sizeof(PipeStage) * (num_stages_ - 1));
    d_.stage[0] = {};
  }
}

void ExecPipe::take_dispatch() {
  const Dispatch& dispatch = dispatch_i.read();
  if (dispatch.valid && !issue_en()) {
    CHECK(d_.entering == 0, "{}: dispatched while lanes of the previous instruction still enter", name());
    CHECK(q_.next_slot < num_slots_, "{}: the next slot is {}, but there are {}", name(), q_.next_slot, num_slots_);
    ExecSlot& slot = slots_[q_.next_slot];
    slot.fetched = dispatch.fetched;
    slot.tag = dispatch.tag;
    slot.warp = dispatch.warp;
    slot.vote = dispatch.vote;
    slot.lanes = dispatch.lanes;
    slot.granted = dispatch.granted;
    ++counters_.instructions;
    counters_.lanes += count_lanes(dispatch.lanes);
    d_.entering = static_cast<std::uint8_t>(num_groups_);
    d_.entering_slot = q_.next_slot;
    d_.next_slot = static_cast<std::uint8_t>(q_.next_slot + 1u == num_slots_ ? 0 : q_.next_slot + 1);
  }
}

void ExecPipe::let_lanes_in() {
  CHECK(d_.entering <= num_groups_ && d_.entering_slot < num_slots_, "{}: slot {} has {} groups to enter", name(),
        d_.entering_slot, d_.entering);
  const unsigned group = num_groups_ - d_.entering;
  enter(d_.entering_slot, group * group_lanes_, group % 2 * group_lanes_);
  d_.stage[0] = {true, d_.entering_slot, static_cast<std::uint8_t>(group)};
  --d_.entering;
  ++d_.occupied;
}

void ExecPipe::drive_ahead() {
  ahead_o.offer_by(q_.ahead_left != 0, [this](ResultAhead& ahead) {
    CHECK(q_.ahead_slot < num_slots_, "{}: the announced result is in slot {}", name(), q_.ahead_slot);
    const ExecSlot& slot = slots_[q_.ahead_slot];
    const bool locks = slot.fetched.decoded().insn.op == isa::Op::kLdSharedLock;
    ahead = {true, slot.warp, slot.fetched, slot.tag, slot.lanes, locks ? slot.lanes & slot.granted : slot.lanes};
  });
}

// Most edges change nothing on the wires.
void ExecPipe::drive() {
  if (q_.ahead_left != 1 && (q_.ahead_left != 0 || ahead_o.read().valid)) drive_ahead();
  if (q_.result_left == 1 || (q_.result_left == 0 && !result_o.read().valid)) return;
  if (q_.result_left == 0) return hide_result(result_o);
  CHECK(q_.result_slot < num_slots_ && q_.result_group % 2 != 0 && q_.result_group < num_groups_,
        "{}: the result wire shows slot {}, group {}", name(), q_.result_slot, q_.result_group);
  const ExecSlot& slot = slots_[q_.result_slot];
  const unsigned first = (q_.result_group - 1u) * group_lanes_, count = 2 * group_lanes_;
  const bool last = q_.result_group == num_groups_ - 1;
  constexpr std::integral_constant<unsigned, kPortLanes> kSpLanes;
  if (count == kSpLanes) {
    show_result(slot, first, kSpLanes, last, result_o);
  } else {
    show_result(slot, first, count, last, result_o);
  }
}

}  // namespace g80
