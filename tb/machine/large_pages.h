// SPDX-License-Identifier: Apache-2.0
// Large pages of the host for what the program allocates.
#pragma once

namespace g80 {

/// From here on the heap grows by large pages where the host has them and gives them to who asks (Linux, glibc). The
/// state of a machine spreads over some thousand small pages, more than a processor can look up fast. Call it before
/// much is allocated; where it is not possible it does nothing.
void use_large_pages();

}  // namespace g80
