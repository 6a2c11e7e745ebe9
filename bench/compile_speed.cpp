// SPDX-License-Identifier: Apache-2.0
// How long does a kernel take to compile, and how does that grow with its length? Processor time of the front end (with
// the optimisations) and of the code generator for programs of several shapes and sizes, and the k of n^k between the
// smallest and the largest: bench_compile [shape ...]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

#include "tests/compiler/sized_programs.h"
#include "toolchain/compiler/compile.h"
#include "toolchain/compiler/ptx/lower_ptx.h"

namespace {

using namespace g80;

constexpr std::size_t kSizes[] = {1250, 2500, 5000, 10000, 20000};  // PTX instructions

double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Seconds {
  double front_end = 0, generator = 0;
};

Seconds measure(const std::string& ptx) {
  std::vector<Diagnostic> warnings;
  const double start = now();
  ir::Module module = lower_ptx(ptx, "sized.ptx", {}, warnings);
  const double lowered = now();
  generate_code(std::move(module), "sized.ptx", {});
  return {lowered - start, now() - lowered};
}

double exponent(double small, double large) {
  return std::log(large / small) / std::log(static_cast<double>(*std::rbegin(kSizes)) / kSizes[0]);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  fmt::print("{:<12}", "seconds for");
  for (const std::size_t size : kSizes) fmt::print("{:>8}", size);
  fmt::print("   front end  generator\n");
  for (const sized::Shape& shape : sized::shapes()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), shape.name) == wanted.end()) continue;
    fmt::print("{:<12}", shape.name);
    std::vector<Seconds> all;
    for (const std::size_t size : kSizes) {
      all.push_back(measure(shape.make(size)));
      fmt::print("{:8.2f}", all.back().front_end + all.back().generator);
      std::fflush(stdout);
    }
    fmt::print("      n^{:.2f}     n^{:.2f}\n", exponent(all.front().front_end, all.back().front_end),
               exponent(all.front().generator, all.back().generator));
  }
  return 0;
}
