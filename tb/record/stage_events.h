// SPDX-License-Identifier: Apache-2.0
// The stages of one SM's instructions: when they are fetched, decoded and dropped, and what an issued one is in.
//
// It watches wires between the blocks of the SM, which it finds by name. So an event has the cycle at which a wave
// shows the wire, an SM in RTL tells the same, and a machine without StageEvents pays nothing.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/record/machine_event.h"

namespace g80 {

class StageEvents final : public TraceSink {
 public:
  /// The machine is built; it and `sink` outlive this.
  StageEvents(Gpu& gpu, unsigned sm, EventSink& sink);
  ~StageEvents() override;
  StageEvents(const StageEvents&) = delete;
  StageEvents& operator=(const StageEvents&) = delete;

  void changed(std::uint32_t slot) override { handlers_[slot](); }

 private:
  /// `fill(bundle, event)` is called when the wire holds something new.
  template <class T, class Fill>
  void watch(const char* wire, PipelineStage stage, Fill fill);
  template <class T>
  void watch_issued(const char* wire, PipelineStage stage);

  Gpu& gpu_;
  const unsigned sm_;
  EventSink& sink_;
  std::vector<Traceable*> watched_;
  std::vector<std::function<void()>> handlers_;  // by slot
};

}  // namespace g80
