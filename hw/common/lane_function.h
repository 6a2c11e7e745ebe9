// SPDX-License-Identifier: Apache-2.0
// G80_LANE_FUNCTION marks a function that does the same for many lanes.
#pragma once

// The compiler also makes a version for hosts with 256-bit vectors, chosen when the program starts. What the function
// calls is compiled into it, which needs optimisation.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define G80_LANE_FUNCTION __attribute__((target_clones("avx2", "default"), flatten))
#else
#define G80_LANE_FUNCTION
#endif
