// SPDX-License-Identifier: Apache-2.0
// How the SMs stand to each other when a run begins.
//
// A launch starts all SMs in step. In a long run they drift, and how they stand decides which of their accesses find
// the same DRAM row open: one start is chance. A row that depends on it is the mean of several starts.
#pragma once
#include <cstdint>
#include <string>

namespace g80::silicon {

/// Instructions to put in front of a kernel, by which each SM begins `apart` shader cycles after the one before it.
/// Blocks go to the SMs in turn, and all of an SM wait. They leave $r0 alone, and write $r1 to $r4 and $c0.
std::string staggered(unsigned num_sms, std::uint32_t apart);

/// Bytes of those instructions, at most.
constexpr std::uint32_t kStaggeredBytes = 13 * 8;

}  // namespace g80::silicon
