// SPDX-License-Identifier: Apache-2.0
// Timers of the SDK's programs from CUDA 5 on; they measure modelled time, as those of cutil do.
#pragma once
#define HELPER_TIMER_H
#include "cutil_timer.h"

struct StopWatchInterface : __g80_timer {};

inline bool sdkCreateTimer(StopWatchInterface** timer) { return (*timer = new StopWatchInterface) != 0; }
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = 0;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) { return (*timer)->start(), true; }
inline bool sdkStopTimer(StopWatchInterface** timer) { return (*timer)->stop(), true; }
inline bool sdkResetTimer(StopWatchInterface** timer) { return (*timer)->reset(), true; }
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (float)(*timer)->now(); }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return (float)(*timer)->average(); }
