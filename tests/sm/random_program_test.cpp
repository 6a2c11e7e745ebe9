// SPDX-License-Identifier: Apache-2.0
// Random programs give what the golden reference gives, instruction by instruction, whatever the machine's shape.
#include "tests/sm/random_program.h"
#include "tests/sm/golden_compare.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using testing::GoldenRun;
using testing::ProgramShape;
using testing::RandomProgram;
using testing::SmBench;

struct Machine {
  const char* name;
  std::vector<std::string> overrides;
  unsigned memory_delay = 60;
  bool no_sleep = false;
};
void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

void set_up(SmBench& bench, const std::vector<std::uint32_t>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    bench.put(testing::kCodeBase + 4 * static_cast<std::uint32_t>(i), words[i]);
  std::mt19937 random(7);
  for (unsigned i = 0; i < 64; ++i) bench.put(testing::kConstBase + 4 * i, static_cast<std::uint32_t>(random()));
  for (unsigned i = 0; i < 0x4000; i += 4) bench.put(testing::kDataBase + i, static_cast<std::uint32_t>(random()));
  bench.launch.threads = bench.launch.block_x = 50;  // the second warp is not full
  bench.launch.shared_bytes = 0x800;
  bench.launch.local_bytes = 64;
  bench.launch.local_base = 0x60000;
  bench.launch.grid_x = 3;
  bench.launch.num_params = 4;
  for (unsigned i = 0; i < 4; ++i) bench.launch.param[i] = static_cast<std::uint32_t>(random());
}

class RandomPrograms : public testing::SystemCTest, public ::testing::WithParamInterface<Machine> {};

TEST_P(RandomPrograms, RunAsOnTheReference) {
  const Machine& machine = GetParam();
  const unsigned first = 1000 + random_seed();
  for (unsigned seed = first; seed < first + 12; ++seed) {
    SCOPED_TRACE(fmt::format("{} seed {}", machine.name, seed));
    renew_context();
    auto bench = std::make_unique<SmBench>(machine.overrides, machine.memory_delay, machine.no_sleep);
    ProgramShape shape;
    shape.control = seed % 3 != 0;
    shape.nesting = shape.control && seed % 2 == 0 ? 6 : 0;
    shape.memory = seed % 4 != 1;
    shape.blocks = 10;
    shape.arch = static_cast<isa::Arch>(bench->config.device.compute_minor);
    const std::vector<std::uint32_t> words = RandomProgram(seed, shape).generate();
    set_up(*bench, words);
    GoldenRun reference(*bench, words, 3);
    ASSERT_TRUE(reference.run()) << reference.fault;
    ASSERT_TRUE(bench->run(3, 400000)) << "pc " << bench->seen_fault.origin.pc << " fault "
                                       << int(bench->seen_fault.kind);
    ASSERT_EQ(compare(*bench, reference), "");
  }
}
INSTANTIATE_TEST_SUITE_P(
    Machines, RandomPrograms,
    ::testing::Values(Machine{"tiny", {}}, Machine{"no_sleep", {}, 60, true}, Machine{"quick_memory", {}, 1},
                      Machine{"one_register_bank", {"sm.register_banks=1"}, 1},
                      Machine{"one_collector", {"sm.collector_units=1"}},
                      Machine{"sixteen_collectors", {"sm.collector_units=16", "sm.register_banks=2"}, 5},
                      Machine{"shallow_buffer", {"sm.ibuffer_entries=4"}},
                      Machine{"long_pipes",
                              {"sm.alu_latency=76", "sm.sfu_latency=80", "sm.smem_latency=90", "sm.const_latency=84",
                               "sm.branch_latency=200"}},
                      Machine{"fallthrough_first", {"sm.divergence_first=fallthrough", "sm.scheduler=oldest_first"}},
                      Machine{"greedy", {"sm.scheduler=greedy_then_oldest", "sm.smem_passes_per_4_cycles=1"}},
                      Machine{"multiplies_beside", {"sm.sfu_mul=true", "sm.scheduler=oldest_first"}, 5},
                      Machine{"stack_in_memory", {"sm.stack_on_chip=1"}},
                      Machine{"double_precision", {"device.compute_minor=3", "sm.num_dps=1"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace g80
