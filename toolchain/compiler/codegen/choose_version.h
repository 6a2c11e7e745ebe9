// SPDX-License-Identifier: Apache-2.0
// Turns machine instructions with virtual registers into the code of a kernel.
#pragma once
#include "toolchain/compiler/codegen/emit.h"
#include "toolchain/compiler/codegen/machine.h"
#include "toolchain/compiler/ir/compile_options.h"
#include "toolchain/cubin/module.h"

namespace g80::codegen {

/// A kernel or function with registers allocated and words encoded.
struct Version {
  MachineFunction code;
  Kernel kernel;
  KernelInfo info;
  std::vector<CallSite> calls;
};

struct VersionLimits {
  isa::Arch arch = isa::Arch::kSm10;
  unsigned registers = kMaxRegisters;  // per thread
  unsigned threads = 0;                // of a block; 0: unknown
};

/// Makes several versions and returns the best. Throws OutOfRegisters.
Version choose_version(const MachineFunction& code, const VersionLimits& limits);

}  // namespace g80::codegen
