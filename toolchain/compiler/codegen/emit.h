// SPDX-License-Identifier: Apache-2.0
// Encodes machine instructions with assigned registers as code words.
#pragma once
#include <stdexcept>
#include <vector>

#include "toolchain/compiler/codegen/generate.h"
#include "toolchain/compiler/codegen/machine.h"
#include "toolchain/cubin/module.h"

namespace g80::codegen {

/// Immediates whose instructions name registers from 64 on need a place in the literal pool, which is full.
class LiteralsFull : public std::runtime_error {
 public:
  LiteralsFull() : std::runtime_error("too many different constants") {}
};

/// Redirects branches past blocks that only jump.
void thread_jumps(MachineFunction& function);

/// Orders the blocks: every block after its predecessors if possible, loops together.
std::vector<ir::BlockId> order_blocks(const MachineFunction& function);

/// A call in code words: its target is not known yet.
struct CallSite {
  std::size_t word = 0;  // of the code
  std::uint32_t callee = 0;
};

/// Lays out and encodes the function: branches, joins, exit, short and long forms. Fills code, bar, reg and the literal
/// pool of `kernel`, and instruction counts and lines of `info`. Every word is decoded again and compared. Returns the
/// calls, whose targets link_functions fills in.
std::vector<CallSite> emit_code(MachineFunction& function, isa::Arch arch, unsigned registers, Kernel& kernel,
                                KernelInfo& info);

}  // namespace g80::codegen
