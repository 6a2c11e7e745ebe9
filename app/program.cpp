// SPDX-License-Identifier: Apache-2.0
// The program g80: runs, compiles, assembles and inspects programs for the modelled GPU.
#include <cstdio>
#include <iostream>
#include <systemc>

#include "app/command/commands.h"
#include "app/run/report_exception.h"
#include "tb/machine/large_pages.h"
#include "tb/scenario/run_result.h"

namespace {

/// Returns an error if the output could not be written completely.
int with_output_written(int code) {
  std::cout.flush();
  const bool written = std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || code != g80::kExitPass) return code;
  return g80::report_failure("standard output cannot be written", g80::kExitInput);
}

}  // namespace

int main(int argc, char** argv) {
  g80::use_large_pages();
  try {
    return with_output_written(g80::run_command_line(argc, argv));
  } catch (...) {
    return g80::report_exception();
  }
}

/// The SystemC library refers to sc_main, but the program starts in main.
extern "C" int sc_main(int, char**) { return 0; }
