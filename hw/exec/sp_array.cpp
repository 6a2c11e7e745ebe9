// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/sp_array.h"

#include <algorithm>
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
    : ExecPipe(name, kSpGroups, sp_stages(config)), resting_(num_slots_) {
  for (unsigned i = 0; i < kNumSpLanes; ++i)
    sps_.push_back(std::make_unique<Sp>(fmt::format("sp{}", i).c_str(), *this, i));
}

void SpArray::next() {
  if (skips() && issue_en()) {
    if (!dispatch_i.read().valid) sleep();
    return;
  }
  if (skips() && is_looked_at()) fill_in();
  if (skips()) {
    last_run_ = edge();
    move_twice();
    take_dispatch();
    if (d_.entering != 0) let_lanes_in();
  } else {
    ExecPipe::next();
  }
  if (!skips()) return;
  last_run_ = edge();
  if (d_.occupied != 0 || d_.result_left != 0) run_at(edge() + 2);
  sleep();
}

// An even edge, and the odd one behind it. At the first one odd groups enter and even ones leave; at the second one
// odd groups leave, which is what others see.
void SpArray::move_twice() {
  d_.result_left = d_.ahead_left = 0;
  if (q_.occupied == 0) return;
  const auto& stage = q_.stage;
  const bool enters = q_.entering != 0;
  const PipeStage& last = stage[num_stages_ - 2];
  d_.occupied = static_cast<std::uint8_t>(q_.occupied + enters - stage[num_stages_ - 1].valid - last.valid);
  if (last.valid) {
    d_.result_slot = last.slot;
    d_.result_group = last.group;
    d_.result_left = 2;
  }
  if (const PipeStage& near = stage[num_stages_ - 2 - kResultAheadCycles]; near.valid && near.group + 1u == kSpGroups) {
    d_.ahead_slot = near.slot;
    d_.ahead_left = 2;
  }
  leave_stages(stage[kFirstResult]);
  leave_stages(stage[kFirstResult - 1]);
  std::memmove(&d_.stage[2], &stage[0], sizeof(PipeStage) * (num_stages_ - 2));
  d_.stage[0] = d_.stage[1] = {};
  if (!enters) return;
  d_.stage[1] = {true, q_.entering_slot, static_cast<std::uint8_t>(kSpGroups - q_.entering)};
  --d_.entering;
}

/// The even edge that it sleeps through.
void SpArray::catch_up() {
  d_ = q_;
  move_on();
  if (d_.entering != 0) let_lanes_in();
  q_ = d_;
}

[[gnu::noinline]] void SpArray::begin(unsigned number) {
  if (d_.occupied == 0) {
    fill_in();
    runs_stages_ = is_looked_at() || (may_skip_ && num_stages_ <= kFirstResult);
  }
  const ExecSlot& slot = slots_[number];
  const isa::Instruction& insn = slot.fetched.decoded().insn;
  resting_[number].control = datapath_.entering = control_of(insn, slot.fetched.pc);
  if (insn.op == Op::kPmevent) events_[insn.pm_event] += slot.lanes != 0;  // not counted if no lane passes the guard
}

void SpArray::enter(unsigned number, unsigned first, unsigned from) {
  if (first == 0) begin(number);
  if (skips() && from != 0) return;  // came with the group before
  const ExecSlot& slot = slots_[number];
  SpLaneOperands* const operands = &resting_[number].operands[first / kNumSpLanes];
  const bool votes = datapath_.entering.flags == SpFlags::kVerdict && slot.fetched.decoded().insn.op == Op::kVote;
  const auto take = [&](unsigned group) {
    const unsigned behind = group * kNumSpLanes;
    operands[group].verdict =
        static_cast<std::uint8_t>(votes ? (slot.vote ? 0xffu : 0u) : slot.granted >> (first + behind));
    take_lanes(operands_i.read(), from + behind, operands[group]);
  };
  take(0);
  if (skips()) take(1);
  if (runs_stages_) sp_unpack(datapath_.entering, *operands, datapath_.unpacked);
}

const SpControl& SpArray::control_of(const isa::Instruction& insn, std::uint32_t pc) {
  Made& made = made_[pc / 4 % made_.size()];
  if (made.insn != &insn) made = {&insn, sp_control(insn)};
  return made.control;
}

/// When the first lanes of a resting warp leave the last stage that computes.
[[gnu::noinline]] void SpArray::compute(Resting& warp) const {
  std::fill(std::begin(warp.results), std::end(warp.results), result_);
  sp_execute(warp.control, warp.operands, warp.results);
}

void SpArray::note_passed(const Resting& warp) {
  result_ = warp.results[kSpGroups - 1];
  const SpControl& c = warp.control;
  const auto writes_the_same = [&c](const Passed& other) {  // fields of the registers
    const SpControl& o = other.control;
    return o.path == c.path && o.writes_flags == c.writes_flags && o.saturate == c.saturate &&
           o.integral == c.integral && o.from.is_float == c.from.is_float && o.to.width == c.to.width;
  };
  auto place = std::find_if(passed_.begin(), passed_.end(), writes_the_same);
  if (place == passed_.end()) place = passed_.insert(place, Passed{});
  place->number = ++num_passed_;
  place->control = c;
  place->operands = warp.operands[kSpGroups - 1];
}

void SpArray::fill_in() const {
  if (runs_stages_) return;
  if (may_skip_) {
    auto& self = const_cast<SpArray&>(*this);
    const Cycle now = domain()->runs() ? edge() : std::max(domain()->edge(), domain()->last_edge());
    if (now > last_run_) self.catch_up();
    self.wake();
  }
  const auto run = [this](const SpControl& control, const SpLaneOperands& operands, unsigned stages) {
    SpRegisters& at = datapath_;
    sp_unpack(control, operands, at.unpacked);
    if (stages > 1) sp_multiply(at.unpacked, at.multiplied);
    if (stages > 2) sp_add_product(at.multiplied, at.product);
    if (stages > 3) sp_align(at.product, at.aligned);
    if (stages > 4) sp_add(at.aligned, at.sum);
    if (stages > 5) sp_count_zeros(at.sum, at.counted);
    if (stages > 6) sp_normalise(at.counted, at.normalised);
    if (stages > 7) sp_round(at.normalised, result_);
  };
  std::sort(passed_.begin(), passed_.end(), [](const Passed& a, const Passed& b) { return a.number < b.number; });
  for (const Passed& each : passed_) run(each.control, each.operands, kSpFunctionalStages - 1);
  passed_.clear();
  for (unsigned i = std::min(num_stages_, kSpFunctionalStages); i-- > 0;) {
    const PipeStage& stage = q_.stage[i];
    if (stage.valid) run(resting_[stage.slot].control, resting_[stage.slot].operands[stage.group], i + 1);
  }
  runs_stages_ = true;
}

/// The lanes of a result go to their place in the memory.
G80_INLINE void SpArray::keep_result(const PipeStage& stage, const SpResult& result) {
  CHECK(stage.slot < num_slots_ && stage.group < num_groups_, "{}: a result of slot {}, group {}", name(), stage.slot,
        stage.group);
  LaneResults& out = slots_[stage.slot].out;
  const unsigned first = stage.group * kNumSpLanes;
  std::memcpy(&out.lo[first], result.word, sizeof result.word);
  std::memcpy(&out.flags[first], result.flags, sizeof result.flags);
}

SpResult SpArray::result(unsigned i) const {
  if (i == kFirstResult) {
    fill_in();
    return result_;
  }
  SpResult result;
  const PipeStage& stage = q_.stage[i];
  if (!stage.valid) return result;
  const LaneResults& out = slot(stage.slot).out;
  const unsigned first = stage.group % num_groups_ * kNumSpLanes;
  std::memcpy(result.word, &out.lo[first], sizeof result.word);
  std::memcpy(result.flags, &out.flags[first], sizeof result.flags);
  return result;
}

/// Lanes of a resting warp leave the last stage that computes.
G80_INLINE void SpArray::leave_stages(const PipeStage& last) {
  if (!last.valid) return;
  Resting& warp = resting_[last.slot];
  if (last.group == 0) compute(warp);
  keep_result(last, warp.results[last.group]);
  if (last.group + 1u == kSpGroups) note_passed(warp);
}

// From the last stage to the first: each register is read before the group behind it arrives. Where the pipe has no
// stages beyond those that compute, the last one's result leaves at once.
void SpArray::advance() {
  const auto& stage = q_.stage;
  const bool rests = num_stages_ > kFirstResult;
  if (!runs_stages_ && !may_skip_ && is_looked_at()) fill_in();
  if (!runs_stages_) {
    const PipeStage& last = stage[rests ? kFirstResult : kFirstResult - 1];
    leave_stages(last);
    if (!rests && last.valid) result_ = resting_[last.slot].results[last.group];
    return;
  }
  if (rests && stage[kFirstResult].valid) keep_result(stage[kFirstResult], result_);
  SpRegisters& at = datapath_;
  if (stage[6].valid) sp_round(at.normalised, result_);
  if (!rests && stage[6].valid) keep_result(stage[6], result_);
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
  fill_in();
  d_ = {};
  ExecPipe::reset();
  events_.fill(0);
}

}  // namespace g80
