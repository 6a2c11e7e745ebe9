// SPDX-License-Identifier: Apache-2.0
#include "rtl/adapters/warp_scheduler_rtl.h"

namespace g80 {

template class WarpSchedulerTwin<Vwarp_scheduler>;

}  // namespace g80
