// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/sp_array.h"

#include <cstring>

#include "hw/exec/lane_vector.h"
#include "hw/exec/sp_words.h"

namespace g80 {

using isa::Op;

namespace {

constexpr unsigned kFirstResult = kSpFunctionalStages - 1;  // the stage whose register is the first to hold a result

/// Shows one lane of a stage register.
struct LaneView {
  FieldVisitor& visitor;
  unsigned lane;
  template <class T>
  void operator()(const char* name, const T& value, unsigned width = 0) {
    if constexpr (std::is_array_v<T>) visitor(name, value[lane], width);
  }
};
template <class Register>
void show_lane(const Register& stage, unsigned lane, FieldVisitor& visitor) {
  LaneView view{visitor, lane};
  visit_fields(stage, view);
  if constexpr (!std::is_same_v<Register, SpResult>) visitor("path", stage.control.path, 4);
}

/// In pieces of the size in which the stage reads them.
G80_LANE_FUNCTION void take_lanes(const SpLanes& __restrict port, unsigned from, SpLaneOperands& __restrict to) {
  const auto take = [from](const PortWords& words, SpWords& lanes) {
    LaneVector vector;
    std::memcpy(&vector, &words[from], sizeof vector);
    store_lanes(vector, lanes);
  };
  take(port.a, to.a);
  take(port.b, to.b);
  take(port.c, to.c);
  std::memcpy(to.flags, &port.flags[from], sizeof to.flags);
}

}  // namespace

Sp::Sp(const sc_core::sc_module_name& name, const SpArray& array, unsigned index)
    : sc_module(name), array_(array), index_(index) {}

void Sp::trace_fields(FieldVisitor& visitor) const {
  const SpRegisters& at = array_.datapath();
  for (unsigned i = 0; i < array_.stages(); ++i) {
    const PipeStage& stage = array_.registers().stage[i];
    const unsigned lane = stage.group % 4u * kNumSpLanes + index_;
    const ExecSlot& slot = array_.slot(stage.slot);
    visitor.enter("stage", static_cast<int>(i));
    visitor("valid", stage.valid);
    visitor("warp", stage.valid ? slot.warp : std::uint8_t{0}, 5);
    visitor("lane", static_cast<std::uint8_t>(stage.valid ? lane : 0), 5);
    visitor("executes", stage.valid && (slot.lanes >> lane & 1u) != 0);
    switch (i) {
      case 0: show_lane(at.unpacked, index_, visitor); break;
      case 1: show_lane(at.multiplied, index_, visitor); break;
      case 2: show_lane(at.product, index_, visitor); break;
      case 3: show_lane(at.aligned, index_, visitor); break;
      case 4: show_lane(at.sum, index_, visitor); break;
      case 5: show_lane(at.counted, index_, visitor); break;
      case 6: show_lane(at.normalised, index_, visitor); break;
      default: show_lane(array_.result(i), index_, visitor); break;
    }
    visitor.leave();
  }
}

SpArray::SpArray(const sc_core::sc_module_name& name, const Config& config)
    : ExecPipe(name, kWarpSize / kNumSpLanes, sp_stages(config)) {
  for (unsigned i = 0; i < kNumSpLanes; ++i)
    sps_.push_back(std::make_unique<Sp>(fmt::format("sp{}", i).c_str(), *this, i));
}

void SpArray::enter(ExecSlot& slot, unsigned first, unsigned from) {
  if (first == 0) {
    const isa::Instruction& insn = slot.fetched.decoded().insn;
    datapath_.entering = sp_control(insn);
    if (insn.op == Op::kPmevent) events_[insn.pm_event] += slot.lanes != 0;  // not counted if no lane passes the guard
  }
  SpLaneOperands operands;
  take_lanes(operands_i.read(), from, operands);
  const bool votes = datapath_.entering.flags == SpFlags::kVerdict && slot.fetched.decoded().insn.op == Op::kVote;
  operands.verdict = static_cast<std::uint8_t>(votes ? (slot.vote ? 0xffu : 0u) : slot.granted >> first);
  sp_unpack(datapath_.entering, operands, datapath_.unpacked);
}

/// The result register's lanes go to their place in the memory.
void SpArray::keep_result(const PipeStage& stage) {
  CHECK(stage.slot < num_slots_ && stage.group < num_groups_, "{}: a result of slot {}, group {}", name(), stage.slot,
        stage.group);
  LaneResults& out = slots_[stage.slot].out;
  const unsigned first = stage.group * kNumSpLanes;
  std::memcpy(&out.lo[first], result_.word, sizeof result_.word);
  std::memcpy(&out.flags[first], result_.flags, sizeof result_.flags);
}

SpResult SpArray::result(unsigned i) const {
  if (i == kFirstResult) return result_;
  SpResult result;
  const PipeStage& stage = q_.stage[i];
  if (!stage.valid) return result;
  const LaneResults& out = slot(stage.slot).out;
  const unsigned first = stage.group % num_groups_ * kNumSpLanes;
  std::memcpy(result.word, &out.lo[first], sizeof result.word);
  std::memcpy(result.flags, &out.flags[first], sizeof result.flags);
  return result;
}

// From the last stage to the first: each register is read before the group behind it arrives. Where the pipe has no
// stages beyond those that compute, the last one's result leaves at once.
void SpArray::advance() {
  const auto& stage = q_.stage;
  const bool rests = num_stages_ > kFirstResult;
  if (rests && stage[kFirstResult].valid) keep_result(stage[kFirstResult]);
  SpRegisters& at = datapath_;
  if (stage[6].valid) sp_round(at.normalised, result_);
  if (!rests && stage[6].valid) keep_result(stage[6]);
  if (stage[5].valid) sp_normalise(at.counted, at.normalised);
  if (stage[4].valid) sp_count_zeros(at.sum, at.counted);
  if (stage[3].valid) sp_add(at.aligned, at.sum);
  if (stage[2].valid) sp_align(at.product, at.aligned);
  if (stage[1].valid) sp_add_product(at.multiplied, at.product);
  if (stage[0].valid) sp_multiply(at.unpacked, at.multiplied);
}

void SpArray::drive() {
  ExecPipe::drive();
  mark_sps();
}

void SpArray::mark_sps() {
  if (!sps_[0]->is_traced()) return;
  for (const auto& sp : sps_) sp->mark();
}

void SpArray::reset() {
  ExecPipe::reset();
  events_.fill(0);
}

}  // namespace g80
