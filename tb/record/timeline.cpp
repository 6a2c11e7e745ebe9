// SPDX-License-Identifier: Apache-2.0
#include "tb/record/timeline.h"

namespace g80 {

bool is_kanata(const std::string& file) {
  const std::string suffix = ".kanata";
  return file.size() > suffix.size() && file.compare(file.size() - suffix.size(), suffix.size(), suffix) == 0;
}

// A warp that started before the window appears with its next event. A wait that began before it begins with it.
void Timeline::event(const MachineEvent& event) {
  if (event.cycle < options_.from || event.cycle > options_.to || cut_ != 0) return;
  if (events_.size() == TimelineOptions::kMostEvents) {
    cut_ = event.cycle;
    return;
  }
  events_.push_back(event);
}

}  // namespace g80
