// SPDX-License-Identifier: Apache-2.0
// `g80 list keys` without the rest of g80, which docs/extend.md would compile again for a new key.
#include <cstdio>

#include "hw/config/key_lists.h"

int main() { return std::fputs(g80::key_list("8600gts").c_str(), stdout) < 0 ? 1 : 0; }
