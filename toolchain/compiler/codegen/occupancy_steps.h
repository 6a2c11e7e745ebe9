// SPDX-License-Identifier: Apache-2.0
// Registers per thread and how many blocks a multiprocessor holds with them.
#pragma once
#include "hw/isa/encoding.h"

namespace g80::codegen {

/// Blocks of `threads` threads that a multiprocessor holds, as far as threads and registers go.
unsigned resident_blocks(isa::Arch arch, unsigned threads, unsigned registers);

/// The most registers per thread with which a multiprocessor holds as many blocks as with `registers`: of `threads`
/// threads, or if that is 0, of any number of pairs of warps.
unsigned most_registers_as_good(isa::Arch arch, unsigned threads, unsigned registers);

/// The most registers per thread with which a multiprocessor holds `min_blocks` blocks of `threads` threads, at least
/// one. More blocks than it has threads for count as those.
unsigned most_registers_for(isa::Arch arch, unsigned threads, unsigned min_blocks);

/// The most registers below `registers` with which it holds more blocks; 0: there are none.
unsigned next_better_registers(isa::Arch arch, unsigned threads, unsigned registers);

}  // namespace g80::codegen
