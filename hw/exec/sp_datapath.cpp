// SPDX-License-Identifier: Apache-2.0
// The stages of the SPs, one by one and all of them at once.
#include "hw/exec/sp_datapath.h"

#include "hw/exec/sp_align.h"
#include "hw/exec/sp_normalise.h"
#include "hw/exec/sp_product.h"
#include "hw/exec/sp_round.h"
#include "hw/exec/sp_unpack.h"

namespace g80 {
namespace {

/// What every stage hands on.
template <class From, class To>
void hand_on(const From& in, To& out) {
  out.control = in.control;
  out.verdict = in.verdict;
}

/// A register that nobody has cleared: no result depends on what its path does not write.
template <class Register>
union Place {
  Place() {}
  Register lanes;
};

/// The registers become those of the host, and on a known path little is left of each stage.
template <SpPath kPath>
void execute(const SpControl& control, const SpLaneOperands (&__restrict operands)[kSpGroups],
             SpResult (&__restrict results)[kSpGroups]) {
  SpControl c = control;
  c.path = kPath;
  for (unsigned group = 0; group < kSpGroups; ++group) {
    Place<SpUnpacked> unpacked;
    Place<SpMultiplied> multiplied;
    Place<SpProduct> product;
    Place<SpAligned> aligned;
    Place<SpSum> sum;
    Place<SpCounted> counted;
    Place<SpNormalised> normalised;
    normalised.lanes.verdict = operands[group].verdict;
    sp_stage::unpack<AtOnce>(c, operands[group], unpacked.lanes);
    sp_stage::multiply<AtOnce>(c, unpacked.lanes, multiplied.lanes);
    sp_stage::add_product(c, multiplied.lanes, product.lanes);
    sp_stage::align(c, product.lanes, aligned.lanes);
    sp_stage::add(c, aligned.lanes, sum.lanes);
    sp_stage::count_zeros(c, sum.lanes, counted.lanes);
    sp_stage::normalise(c, counted.lanes, normalised.lanes);
    sp_stage::round(c, normalised.lanes, results[group]);
  }
}

}  // namespace

G80_LANE_FUNCTION void sp_unpack(const SpControl& control, const SpLaneOperands& in, SpUnpacked& out) {
  out.control = control;
  out.verdict = in.verdict;
  sp_stage::unpack<InHalves>(control, in, out);
}
G80_LANE_FUNCTION void sp_multiply(const SpUnpacked& in, SpMultiplied& out) {
  hand_on(in, out);
  sp_stage::multiply<InHalves>(in.control, in, out);
}
G80_LANE_FUNCTION void sp_add_product(const SpMultiplied& in, SpProduct& out) {
  hand_on(in, out);
  sp_stage::add_product(in.control, in, out);
}
G80_LANE_FUNCTION void sp_align(const SpProduct& in, SpAligned& out) {
  hand_on(in, out);
  sp_stage::align(in.control, in, out);
}
G80_LANE_FUNCTION void sp_add(const SpAligned& in, SpSum& out) {
  hand_on(in, out);
  sp_stage::add(in.control, in, out);
}
G80_LANE_FUNCTION void sp_count_zeros(const SpSum& in, SpCounted& out) {
  hand_on(in, out);
  sp_stage::count_zeros(in.control, in, out);
}
G80_LANE_FUNCTION void sp_normalise(const SpCounted& in, SpNormalised& out) {
  hand_on(in, out);
  sp_stage::normalise(in.control, in, out);
}
G80_LANE_FUNCTION void sp_round(const SpNormalised& in, SpResult& out) { sp_stage::round(in.control, in, out); }

G80_LANE_FUNCTION void sp_execute(const SpControl& control, const SpLaneOperands (&operands)[kSpGroups],
                                  SpResult (&results)[kSpGroups]) {
  switch (control.path) {
    case SpPath::kNone: return execute<SpPath::kNone>(control, operands, results);
    case SpPath::kMove: return execute<SpPath::kMove>(control, operands, results);
    case SpPath::kLogic: return execute<SpPath::kLogic>(control, operands, results);
    case SpPath::kAdd: return execute<SpPath::kAdd>(control, operands, results);
    case SpPath::kCompare: return execute<SpPath::kCompare>(control, operands, results);
    case SpPath::kShiftLeft: return execute<SpPath::kShiftLeft>(control, operands, results);
    case SpPath::kShiftRight: return execute<SpPath::kShiftRight>(control, operands, results);
    case SpPath::kMultiply: return execute<SpPath::kMultiply>(control, operands, results);
    case SpPath::kMultiplyAdd: return execute<SpPath::kMultiplyAdd>(control, operands, results);
    case SpPath::kDistance: return execute<SpPath::kDistance>(control, operands, results);
    case SpPath::kFloat: return execute<SpPath::kFloat>(control, operands, results);
    case SpPath::kToInteger: return execute<SpPath::kToInteger>(control, operands, results);
    case SpPath::kToFloat: return execute<SpPath::kToFloat>(control, operands, results);
  }
}

}  // namespace g80
