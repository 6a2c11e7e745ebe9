// SPDX-License-Identifier: Apache-2.0
// g80 wave-filter: the filter process that GTKWave starts to translate the values of a row.
#include <iostream>

#include "app/command/commands.h"
#include "tb/scenario/run_result.h"
#include "tb/waves/instruction_filter.h"

namespace g80 {

int wave_filter_command(const WaveFilterCommand& options) {
  const isa::Arch arch = *isa::parse_arch(options.arch);
  run_instruction_filter(std::cin, std::cout, arch);
  return kExitPass;
}

}  // namespace g80
