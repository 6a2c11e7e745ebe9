// SPDX-License-Identifier: Apache-2.0
// accuracy_doc: prints docs/accuracy.md.
#include <cstdio>
#include <exception>
#include <systemc>

#include "validation/rows.h"

// The SystemC library wants sc_main to exist.
int sc_main(int, char**) { return 0; }

int main() {
  using namespace g80::silicon;
  try {
    Silicon machine;
    const std::vector<Result> trials = machine.measure(trial_rows());
    const std::string page = accuracy_page(trials, machine.measure(micro_rows()));
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "accuracy_doc: %s\n", error.what());
    return 1;
  }
}
