// SPDX-License-Identifier: Apache-2.0
// code_quality_doc: prints docs/code-quality.md. Needs clang and the folder of the binaries (G80_BINARIES_DIR).
#include <cstdio>
#include <exception>

#include "tests/quality/comparison.h"
#include "tests/support/data_dirs.h"

int main() {
  try {
    const auto binaries = g80::test::binaries_dir();
    if (!binaries) throw std::runtime_error("G80_BINARIES_DIR names no folder");
    const std::string page = g80::quality::quality_page(g80::quality::compare_code(*binaries));
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "code_quality_doc: %s\n", error.what());
    return 1;
  }
}
