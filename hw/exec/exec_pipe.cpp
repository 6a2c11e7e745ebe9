// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/exec_pipe.h"

namespace g80 {

void ExecPipe::next() {
  // Writeback runs at half rate. A result stays valid for two cycles, so writeback samples it exactly once.
  if (q_.result.valid) {
    if (++d_.result_held == 2) d_.result = {}, d_.result_held = 0;
  }
  if (q_.occupied != 0) {
    const PipeStage& last = q_.stage[num_stages_ - 1];
    if (last.valid) {
      --d_.occupied;
      if (last.group == num_groups_ - 1) {
        CHECK(last.slot < slots_.size(), "{}: the last stage names slot {}, but there are {}", name(), last.slot,
              slots_.size());
        const ExecSlot& slot = slots_[last.slot];
        d_.result = {true, slot.warp, slot.tag, slot.fetched.pc, &slot};
        d_.result_held = 0;
      }
    }
    std::memmove(&d_.stage[1], &q_.stage[0], sizeof(PipeStage) * (num_stages_ - 1));
    d_.stage[0] = {};
  }
  const Dispatch& dispatch = dispatch_i.read();
  if (dispatch.valid && !issue_en()) {
    CHECK(q_.entering == 0, "{}: dispatched while lanes of the previous instruction still enter", name());
    CHECK(dispatch.operands != nullptr, "{}: warp {} dispatched an instruction without operands", name(),
          dispatch.warp);
    CHECK(q_.next_slot < slots_.size(), "{}: the next slot is {}, but there are {}", name(), q_.next_slot,
          slots_.size());
    ExecSlot& slot = slots_[q_.next_slot];
    slot.fetched = dispatch.fetched;
    slot.tag = dispatch.tag;
    slot.warp = dispatch.warp;
    slot.lanes = slot.loaded = dispatch.lanes;
    compute(dispatch, slot);
    ++counters_.instructions;
    counters_.lanes += static_cast<unsigned>(__builtin_popcount(dispatch.lanes));
    d_.entering = static_cast<std::uint8_t>(num_groups_);
    d_.entering_slot = q_.next_slot;
    d_.next_slot = static_cast<std::uint8_t>((q_.next_slot + 1u) % slots_.size());
  }
  if (d_.entering != 0) {
    d_.stage[0] = {true, d_.entering_slot, static_cast<std::uint8_t>(num_groups_ - d_.entering)};
    --d_.entering;
    ++d_.occupied;
  } else if (d_.occupied == 0 && !d_.result.valid && !(dispatch.valid && issue_en())) {
    sleep();
  }
}

}  // namespace g80
