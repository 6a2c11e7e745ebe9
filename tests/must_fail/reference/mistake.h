// SPDX-License-Identifier: Apache-2.0
// Selects the mistake of the reference (mistakes.cmake).
#pragma once

namespace g80::must_fail {

extern unsigned mistake;  // its number; 0: none

}  // namespace g80::must_fail
