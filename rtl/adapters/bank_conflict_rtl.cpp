// SPDX-License-Identifier: Apache-2.0
#include "rtl/adapters/bank_conflict_rtl.h"

namespace g80 {

template class BankConflictTwin<Vbank_conflict>;

}  // namespace g80
