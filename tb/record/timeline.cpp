// SPDX-License-Identifier: Apache-2.0
#include "tb/record/timeline.h"

namespace g80 {

bool is_kanata(const std::string& file) {
  const std::string suffix = ".kanata";
  return file.size() > suffix.size() && file.compare(file.size() - suffix.size(), suffix.size(), suffix) == 0;
}

bool Timeline::belongs_to(const MachineEvent& event, unsigned sm) {
  const bool of_dram = event.kind == EventKind::kDramRequest || event.kind == EventKind::kDramReply;
  return of_dram || event.unit == sm;
}

// A warp that started before the window appears with its next event. A wait that began before it begins with it.
void Timeline::event(const MachineEvent& event) {
  if (event.cycle < options_.from || event.cycle > options_.to || cut_ != 0) return;
  if (of_one_sm_ && !belongs_to(event, options_.sm)) return;
  if (events_.size() == TimelineOptions::kMostEvents) {
    cut_ = event.cycle;
    return;
  }
  events_.push_back(event);
}

}  // namespace g80
