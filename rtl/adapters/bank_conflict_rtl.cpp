#include "rtl/adapters/bank_conflict_rtl.h"

namespace g80 {

template class BankConflictTwin<Vbank_conflict>;

}  // namespace g80
