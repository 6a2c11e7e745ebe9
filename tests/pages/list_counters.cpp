// SPDX-License-Identifier: Apache-2.0
// `g80 list counters` without the rest of g80, which docs/extend.md would compile again for a new counter.
#include <cstdio>

#include "app/report/counters.h"

int main() { return std::fputs(g80::counter_list().c_str(), stdout) < 0 ? 1 : 0; }
