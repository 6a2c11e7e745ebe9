// Random IR kernels: what the compiled code stores is what the interpreter stores, in every thread.
#include <gtest/gtest.h>

#include <random>

#include "kernels/toolchain/assembler/listing.h"
#include "tests/compiler/kernel_runner.h"
#include "tests/compiler/random_ir.h"

namespace g80 {
namespace {

std::vector<std::uint32_t> random_input(std::mt19937& rng, std::size_t count) {
  std::vector<std::uint32_t> input;
  for (std::size_t i = 0; i < count; ++i) input.push_back(interesting_word(rng));
  return input;
}

void run_seed(unsigned seed, const RandomIrOptions& shape, const CompileOptions& options) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  const ir::Function f = random_kernel(rng, shape);
  const std::vector<std::uint32_t> input = random_input(rng, 128);
  const CompileResult result = expect_same(f, input, {48, 2, kRandomOutputs}, options);
  if (testing::Test::HasFailure()) {
    std::printf("%s\n%s\n", ir::print(f).c_str(), list_module(result.module).c_str());
  }
}

constexpr unsigned kPrograms = 300;

TEST(RandomIr, StraightLineProgramsComputeTheSame) {
  RandomIrOptions shape;
  shape.statements = 25;
  shape.max_depth = 0;
  for (unsigned seed = 1; seed <= kPrograms && !HasFailure(); ++seed) run_seed(seed, shape, {});
}

TEST(RandomIr, ProgramsWithBranchesAndLoopsComputeTheSame) {
  RandomIrOptions shape;
  shape.statements = 8;
  shape.max_depth = 3;
  for (unsigned seed = 1; seed <= kPrograms && !HasFailure(); ++seed) run_seed(seed, shape, {});
}

TEST(RandomIr, FewRegistersSpillAndComputeTheSame) {
  RandomIrOptions shape;
  shape.statements = 15;
  shape.max_depth = 2;
  CompileOptions options;
  for (unsigned seed = 1; seed <= kPrograms / 2 && !HasFailure(); ++seed) {
    options.max_registers = 10 + seed % 8;
    run_seed(seed, shape, options);
  }
}

}  // namespace
}  // namespace g80
