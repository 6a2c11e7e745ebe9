// SPDX-License-Identifier: Apache-2.0
#include "rtl/adapters/coalescer_rtl.h"

namespace g80 {

template class CoalescerTwin<Vcoalescer>;

}  // namespace g80
