// SPDX-License-Identifier: Apache-2.0
// Machine code with random bits changed, run to whatever end it has: finished, fault, hang or limit. No input may make
// the model break one of its own checks, and the machine must agree with the reference instruction by instruction.
#include <gtest/gtest.h>

#include <random>

#include "source_dir.h"
#include "tb/machine/gpu_backend.h"
#include "tb/scenario/golden_backend.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

constexpr unsigned kSeed = 19991011;

std::vector<Module> programs() {
  std::vector<Module> modules;
  for (const char* name : {"vec_add", "matrix_mul", "dot_product", "reduction_interleaved", "local_spill",
                           "constant_read", "sfu_functions"}) {
    modules.push_back(assemble_file(std::string(G80_SOURCE_DIR) + "/kernels/" + name + "/" + name + ".sasm"));
  }
  return modules;
}

/// The program with one to three bits of its code changed.
Module mutated(Module module, std::mt19937& random) {
  Kernel& kernel = module.kernels.front();
  for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
    kernel.code[random() % kernel.code.size()] ^= 1u << random() % 32;
  }
  return module;
}

LaunchResult launch(Backend& backend, const Module& module, std::uint64_t limit) {
  backend.load(module);
  const std::uint32_t data = backend.allocate(4096, "data");
  const Kernel& kernel = module.kernels.front();
  std::vector<std::uint32_t> params;
  for (const Parameter& parameter : kernel.params) {
    params.resize((parameter.offset - kParameterBase) / 4 + 1);
    params.back() = parameter.type == DataType::kPtr ? data : 32;
  }
  return backend.launch({backend.config(), kernel, {2, 1, 1}, {48, 1, 1}, params, 0, limit});
}

TEST(MutatedCode, EndsOnTheReferenceWithinItsLimit) {
  std::mt19937 random(kSeed);
  const Config config = load_config("tiny");
  unsigned ends[8] = {};
  for (const Module& program : programs()) {
    for (unsigned i = 0; i < 300; ++i) {
      GoldenBackend backend(config);
      const Module module = mutated(program, random);
      ++ends[static_cast<unsigned>(launch(backend, module, 20'000).end)];
    }
  }
  EXPECT_GT(ends[static_cast<unsigned>(LaunchEnd::kFinished)], 10u) << "seed " << kSeed;
  EXPECT_GT(ends[static_cast<unsigned>(LaunchEnd::kFault)], 10u) << "seed " << kSeed;
}

TEST(MutatedCode, EndsOnTheMachineAsOnTheReference) {
  std::mt19937 random(kSeed + 1);
  const Config config = load_config("tiny");
  for (const Module& program : programs()) {
    for (unsigned i = 0; i < 20; ++i) {
      const Module module = mutated(program, random);
      GpuBackend backend(config, MachineOptions());
      EXPECT_NO_THROW(launch(backend, module, 30'000))
          << program.kernels.front().name << " " << i << ", seed " << kSeed + 1;
    }
  }
}

}  // namespace
}  // namespace g80
