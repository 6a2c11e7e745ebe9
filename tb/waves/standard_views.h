// SPDX-License-Identifier: Apache-2.0
// The views of the waves/ folder: questions about the machine, and the signals that answer them, in pipeline order.
#pragma once
#include <vector>

#include "tb/waves/wave_view.h"

namespace g80 {

/// A moment that has a name, so that a page or a view can send its reader there: the first of a launch at which the
/// event happens.
struct WavePlace {
  const char* name;
  const char* event;  // empty: the launch itself
};

/// In the order of waves/README.md.
std::vector<ViewSpec> standard_views();
std::vector<WavePlace> wave_places();

}  // namespace g80
