// SPDX-License-Identifier: Apache-2.0
#include "tb/record/stage_events.h"

#include <string>

#include "hw/bundles/exec_bundles.h"
#include "hw/bundles/fetch_bundles.h"
#include "hw/bundles/load_bundles.h"
#include "hw/bundles/smem_bundles.h"
#include "hw/common/check.h"
#include "hw/common/wire.h"

namespace g80 {

namespace {

template <class T>
std::uint32_t uid_of(const T& bundle) {
  return bundle.tag.bits;
}
std::uint32_t uid_of(const SmemReply& reply) { return reply.origin.tag.bits; }
std::uint32_t uid_of(const ConstRequest& request) { return request.origin.tag.bits; }
std::uint32_t uid_of(const ConstReply& reply) { return reply.origin.tag.bits; }

}  // namespace

template <class T, class Fill>
void StageEvents::watch(const char* name, PipelineStage stage, Fill fill) {
  const std::string full = std::string(gpu_.sm(sm_).name()) + "." + name;
  auto* const wire = dynamic_cast<Wire<T>*>(sc_core::sc_find_object(full.c_str()));
  CHECK(wire != nullptr, "{}: the stages of instructions need this wire", full);
  wire->attach_trace(*this, static_cast<std::uint32_t>(handlers_.size()));
  watched_.push_back(wire);
  handlers_.push_back([this, wire, stage, fill] {
    if (!wire->read().valid) return;
    MachineEvent event;
    event.cycle = gpu_.shader.edge();
    event.kind = EventKind::kStage;
    event.detail = static_cast<std::uint8_t>(stage);
    event.unit = static_cast<std::uint8_t>(sm_);
    fill(wire->read(), event);
  });
}

template <class T>
void StageEvents::watch_issued(const char* wire, PipelineStage stage) {
  watch<T>(wire, stage, [this](const T& bundle, MachineEvent& event) {
    event.uid = uid_of(bundle);
    sink_.event(event);
  });
}

StageEvents::StageEvents(Gpu& gpu, unsigned sm, EventSink& sink) : gpu_(gpu), sm_(sm), sink_(sink) {
  gpu.shader.attach_trace(*this);  // its wires are told edge by edge
  const auto of_warp = [this](const auto& bundle, MachineEvent& event) {
    event.warp = bundle.warp;
    sink_.event(event);
  };
  const auto of_fetch = [of_warp](const auto& bundle, MachineEvent& event) {
    event.lanes = bundle.epoch;
    of_warp(bundle, event);
  };
  watch<FetchRequest>("fetch_request", PipelineStage::kFetch, of_fetch);
  watch<FetchReply>("fetch_reply", PipelineStage::kDecode, of_fetch);
  watch<DecodedGroup>("decoded", PipelineStage::kBuffer, [of_fetch](const DecodedGroup& group, MachineEvent& event) {
    for (unsigned i = 0; i < group.count; ++i) {
      event.pc = group.insn[i].pc;
      event.w0 = group.insn[i].w0();
      event.w1 = group.insn[i].w1();
      of_fetch(group, event);
    }
  });
  watch<Redirect>("start", PipelineStage::kDropped, of_warp);
  watch<Redirect>("redirect", PipelineStage::kDropped, of_warp);

  watch_issued<Dispatch>("to_sp", PipelineStage::kSp);
  watch_issued<Dispatch>("to_sfu", PipelineStage::kSfu);
  watch_issued<Dispatch>("to_multipliers", PipelineStage::kMultiply);
  watch_issued<Dispatch>("to_dp", PipelineStage::kDp);
  watch_issued<ControlEvent>("control", PipelineStage::kControl);
  watch_issued<AddressDispatch>("to_address", PipelineStage::kAddress);
  watch<SmemRequest>("smem_request", PipelineStage::kShared, [this](const SmemRequest& request, MachineEvent& event) {
    event.uid = request.origin.tag.bits;
    if (!request.header) sink_.event(event);
  });
  watch_issued<SmemReply>("smem_reply", PipelineStage::kOperands);
  watch_issued<ConstRequest>("const_request", PipelineStage::kConstant);
  watch_issued<ConstReply>("const_reply", PipelineStage::kOperands);
  watch_issued<LoadOpen>("load_open", PipelineStage::kMemory);
  watch_issued<LoadResult>("load_result", PipelineStage::kWriteback);
  watch_issued<StoreDone>("store_done", PipelineStage::kWriteback);
  for (const char* result : {"sp_result", "sfu_result", "multiply_result", "dp_result"}) {
    watch<ExecResult>(result, PipelineStage::kWriteback, [this](const ExecResult& lanes, MachineEvent& event) {
      event.uid = lanes.tag.bits;
      if (lanes.last) sink_.event(event);
    });
  }
}

StageEvents::~StageEvents() {
  for (Traceable* wire : watched_) wire->detach_trace(*this);
  gpu_.shader.detach_trace(*this);
}

}  // namespace g80
