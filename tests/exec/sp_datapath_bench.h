// SPDX-License-Identifier: Apache-2.0
// A warp through the eight stages of the SPs, without a clock: group by group, stage by stage, and all at once.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>

#include "hw/exec/sp_datapath.h"
#include "tb/golden/semantics.h"

namespace g80::test {

/// The registers between the stages. They keep what earlier groups left in them, as those of the machine do.
struct SpPipe {
  SpUnpacked unpacked;
  SpMultiplied multiplied;
  SpProduct product;
  SpAligned aligned;
  SpSum sum;
  SpCounted counted;
  SpNormalised normalised;
  SpResult result;

  const SpResult& run(const SpControl& control, const SpLaneOperands& operands) {
    sp_unpack(control, operands, unpacked);
    sp_multiply(unpacked, multiplied);
    sp_add_product(multiplied, product);
    sp_align(product, aligned);
    sp_add(aligned, sum);
    sp_count_zeros(sum, counted);
    sp_normalise(counted, normalised);
    sp_round(normalised, result);
    return result;
  }

  void run_warp(const isa::Instruction& insn, const golden::AluInput& in, golden::AluOutput& out) {
    const SpControl control = sp_control(insn);
    SpLaneOperands all[kSpGroups] = {};
    SpResult at_once[kSpGroups];
    std::fill(std::begin(at_once), std::end(at_once), result);
    for (unsigned group = 0; group < kSpGroups; ++group) {
      SpLaneOperands& operands = all[group];
      for (unsigned i = 0; i < kNumSpLanes; ++i) {
        const unsigned lane = group * kNumSpLanes + i;
        operands.a[i] = in.s[0][lane];
        operands.b[i] = in.s[1][lane];
        operands.c[i] = in.s[2][lane];
        operands.flags[i] = in.flags[lane];
      }
      const SpResult& seen = run(control, operands);
      for (unsigned i = 0; i < kNumSpLanes; ++i) {
        out.lo[group * kNumSpLanes + i] = seen.word[i];
        out.flags[group * kNumSpLanes + i] = seen.flags[i];
      }
    }
    sp_execute(control, all, at_once);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const SpResult& seen = at_once[lane / kNumSpLanes];
      ASSERT_EQ(seen.word[lane % kNumSpLanes], out.lo[lane]) << "all stages at once, lane " << lane;
      ASSERT_EQ(seen.flags[lane % kNumSpLanes], out.flags[lane]) << "all stages at once, lane " << lane;
    }
  }
};

}  // namespace g80::test
