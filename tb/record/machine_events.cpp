// SPDX-License-Identifier: Apache-2.0
#include "tb/record/machine_events.h"

#include <utility>

namespace g80 {
namespace {

MachineEvent event_of(unsigned unit, Cycle cycle) {
  MachineEvent event;
  event.unit = static_cast<std::uint8_t>(unit);
  event.cycle = cycle;
  return event;
}

}  // namespace

WarpState warp_state(const WarpReady& ready, unsigned warp) {
  const auto has = [warp](WarpMask mask) { return (mask >> warp & 1) != 0; };
  if (!has(ready.resident)) return WarpState::kAbsent;
  if (has(ready.ready)) return WarpState::kReady;
  if (has(ready.wait_alu)) return WarpState::kAlu;
  if (has(ready.wait_control)) return WarpState::kControl;
  if (has(ready.wait_barrier)) return WarpState::kBarrier;
  if (!has(ready.has_head)) return WarpState::kFetch;
  if (has(ready.wait_drain)) return WarpState::kDrain;
  return WarpState::kMemory;
}

EventSource::EventSource(Gpu& gpu) : gpu_(gpu), ready_(gpu.num_sms()), queued_(gpu.channels.size()) {
  for (unsigned s = 0; s < gpu.num_sms(); ++s) sms_.push_back(&gpu.sm(s));
}

void EventSource::add(EventSink& sink, Detail detail) {
  if (sinks_.empty()) attach_all(Detail::kArchitecture);
  sinks_.push_back(&sink);
  if (!sink.takes_sms_apart()) keep_in_order();
  if (detail != Detail::kEverything) return;
  if (detailed_.empty()) attach_all(Detail::kEverything);
  detailed_.push_back(&sink);
}

// Attaches the wires that a level of detail adds to the level below it.
void EventSource::attach_all(Detail detail) {
  const bool everything = detail == Detail::kEverything;
  for (unsigned s = 0; s < gpu_.num_sms(); ++s) {
    SmPins& wires = *sms_[s];
    if (everything) {
      ready_[s] = wires.ready.read();
      attach(wires.ready, s, kReadiness);
      continue;
    }
    attach(wires.warp_start, s, kWarpStarts);
    attach(wires.resolve, s, kResolves);
    attach(wires.issue, s, kIssues);
    attach(wires.release, s, kReleases);
    attach(wires.barrier_opened, s, kBarriers);
  }
  if (!everything) return;
  for (unsigned p = 0; p < gpu_.channels.size(); ++p) {
    queued_[p] = {gpu_.channels[p]->to_dram.size(), gpu_.channels[p]->from_dram.size()};
    attach(gpu_.channels[p]->to_dram, p, kRequests);
    attach(gpu_.channels[p]->from_dram, p, kReplies);
  }
}

EventSource::~EventSource() {
  for (Traceable* item : attached_) item->detach_trace(*this);
  for (Domain* domain : {&gpu_.shader, &gpu_.dram}) domain->detach_trace(*this);
}

void EventSource::keep_in_order() {
  if (std::exchange(in_order_, true)) return;
  for (Domain* domain : {&gpu_.shader, &gpu_.dram}) domain->attach_trace(*this);
}

void EventSource::attach(Traceable& item, unsigned unit, Probe probe) {
  item.attach_trace(*this, unit * kNumProbes + probe);
  attached_.push_back(&item);
}

void EventSource::changed(std::uint32_t slot) {
  const unsigned unit = slot / kNumProbes;
  const auto probe = static_cast<Probe>(slot % kNumProbes);
  // Every second change of these wires only takes back what they said.
  if (probe == kIssues) {
    if (sms_[unit]->issue.read().valid) issued(unit);
  } else if (probe == kReleases) {
    if (sms_[unit]->release.read().entry[0].valid) released(unit);
  } else {
    changed(unit, probe);
  }
}

void EventSource::issued(unsigned sm) {
  const Issue& issue = sms_[sm]->issue.read();
  MachineEvent event = event_of(sm, cycle(sm));
  event.kind = EventKind::kIssue;
  event.warp = issue.warp;
  event.pc = issue.fetched.pc;
  event.uid = issue.tag.bits;
  event.w0 = issue.fetched.w0();
  event.w1 = issue.fetched.w1();
  deliver(sinks_, event);
}

void EventSource::released(unsigned sm) {
  MachineEvent event = event_of(sm, cycle(sm));
  event.kind = EventKind::kRelease;
  for (const Release::Entry& entry : sms_[sm]->release.read().entry) {
    if (!entry.valid) return;
    event.warp = entry.warp;
    event.uid = entry.tag.bits;
    deliver(sinks_, event);
  }
}

void EventSource::changed(unsigned unit, Probe probe) {
  if (probe == kReadiness) return readiness_changed(unit);
  if (probe == kRequests) return burst(unit, gpu_.channels[unit]->to_dram, EventKind::kDramRequest);
  if (probe == kReplies) return burst(unit, gpu_.channels[unit]->from_dram, EventKind::kDramReply);
  MachineEvent event = event_of(unit, cycle(unit));
  switch (probe) {
    case kWarpStarts: {
      const WarpStart& start = sms_[unit]->warp_start.read();
      if (!start.valid) return;
      event.kind = EventKind::kWarpStart;
      event.warp = start.warp;
      event.pc = start.pc;
      event.lanes = start.lanes;
      event.detail = start.warp_in_cta;
      event.w0 = start.cta_x;
      event.w1 = start.cta_y;
      deliver(sinks_, event);
      return;
    }
    case kResolves: {
      const Resolve& resolve = sms_[unit]->resolve.read();
      if (!resolve.ended) return;
      event.kind = EventKind::kWarpEnd;
      event.warp = resolve.ended_warp;
      deliver(sinks_, event);
      return;
    }
    case kBarriers:
      event.lanes = sms_[unit]->barrier_opened.read();
      if (event.lanes == 0) return;
      event.kind = EventKind::kBarrierOpen;
      deliver(sinks_, event);
      return;
    default: return;
  }
}

void EventSource::readiness_changed(unsigned sm) {
  const WarpReady& now = sms_[sm]->ready.read();
  MachineEvent event = event_of(sm, cycle(sm));
  event.kind = EventKind::kWaits;
  for (unsigned warp = 0; warp < kMaxWarps; ++warp) {
    const WarpState state = warp_state(now, warp);
    if (state == warp_state(ready_[sm], warp)) continue;
    event.warp = static_cast<std::uint8_t>(warp);
    event.detail = static_cast<std::uint8_t>(state);
    deliver(detailed_, event);
  }
  ready_[sm] = now;
}

template <class Item>
void EventSource::burst(unsigned partition, const CrossingFifo<Item>& queue, EventKind kind) {
  unsigned& queued = queued_[partition][kind == EventKind::kDramReply];
  const bool pushed = queue.size() > queued;
  queued = queue.size();
  if (!pushed) return;
  MachineEvent event = event_of(partition, gpu_.shader.last_edge());
  event.kind = kind;
  event.uid = queue.newest().tag.bits;
  event.detail = queue.newest().write ? 1 : 0;
  deliver(detailed_, event);
}

}  // namespace g80
