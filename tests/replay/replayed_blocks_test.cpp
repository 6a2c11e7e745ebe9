// SPDX-License-Identifier: Apache-2.0
// Each block alone, on plain SystemC signals, shows the waves that it shows in the chip: it knows its ports only.
#include <cxxabi.h>
#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>

#include "hw/sm/sm.h"
#include "tests/machine/machine_run.h"
#include "tests/replay/block_waves.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

using testing::BlockWaves;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Records the blocks of a chip, and knows of which classes they are.
class Recorder {
 public:
  explicit Recorder(BlockWaves& waves) : waves_(waves) {}
  /// `args`: what the block's constructor takes after its name.
  template <class Block, class... Args>
  void add(Block& block, const Args&... args) {
    waves_.record(block, [=](const char* name) { return std::make_unique<Block>(name, args...); });
    recorded_.insert(&block);
    classes_.insert(class_name(typeid(Block)));
  }
  /// Those of these clocks that are not recorded, by class, unless another one of the class is.
  std::set<std::string> missing(const std::vector<const Domain*>& domains) const {
    std::set<std::string> out;
    for (const Domain* domain : domains) {
      for (const ClockedBase* block : domain->modules()) {
        const std::string name = class_name(typeid(*block));
        if (classes_.count(name) == 0) out.insert(name);
      }
    }
    return out;
  }
  const std::set<std::string>& classes() const { return classes_; }

 private:
  static std::string class_name(const std::type_info& type) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                      std::free);
    const std::string full = text.get();
    return full.substr(full.rfind(':') + 1);
  }
  BlockWaves& waves_;
  std::set<const ClockedBase*> recorded_;
  std::set<std::string> classes_;
};

void record_sm(Recorder& out, const Sm& sm, const Config& config) {
  out.add(sm.launcher, config);
  out.add(sm.fetch, config);
  out.add(sm.instruction_cache, config);
  out.add(sm.decode, config);
  out.add(sm.instruction_buffer, config, 0u);
  out.add(sm.scoreboard, config);
  out.add(sm.warp_scheduler, config);
  out.add(sm.registers, config);
  out.add(sm.operand_collector, config, 0u, 0u);
  out.add(sm.reconvergence_stack, config);
  out.add(sm.barrier, config);
  out.add(sm.sp_array, config);
  out.add(sm.sfu, config);
  if (sm.sfu_multipliers != nullptr) out.add(*sm.sfu_multipliers, config);
  if (sm.dp != nullptr) out.add(*sm.dp, config);
  out.add(sm.address_unit, config, 0u, 0u);
  out.add(sm.bank_conflict, config);
  out.add(sm.shared_memory, config);
  out.add(sm.constant_cache, config);
  out.add(sm.load_table, config);
  out.add(sm.writeback, config);
  out.add(sm.line_port, 0u, 0u);
  out.add(sm.fault_reporter, 0u);
}

void record_chip(Recorder& out, Gpu& gpu, const Config& config) {
  record_sm(out, dynamic_cast<Sm&>(gpu.sm(0)), config);
  Tpc& tpc = *gpu.tpcs[0];
  out.add(*tpc.coalescers[0], config, 0u, 0u);
  out.add(tpc.launch_bus, config.gpu.sms_per_tpc);
  out.add(tpc.arbiter, config);
  out.add(tpc.tlb, config);
  out.add(tpc.router, config);
  out.add(tpc.texture_unit, config, 0u);
  out.add(tpc.second_level, config, 0u);
  out.add(gpu.core_reset, gpu.core_reset.released(), false);
  out.add(gpu.command_processor, config);
  out.add(gpu.copy_engine, config);
  out.add(gpu.host_link, config);
  out.add(gpu.host_port, config, static_cast<PartitionLog*>(nullptr));
  out.add(gpu.cta_scheduler, config);
  out.add(gpu.chip_port);
  out.add(gpu.chip_tlb, config);
  out.add(gpu.second_level_tlb, config);
  out.add(gpu.third_level, config);
  out.add(gpu.request_crossbar, config);
  out.add(gpu.reply_crossbar, config);
  out.add(*gpu.texture_l2s[0], config);
  out.add(gpu.channels[0]->partition, config, static_cast<PartitionLog*>(nullptr));
  out.add(gpu.channels[0]->controller, config);
  out.add(gpu.channels[0]->device, config, AddressMap(config).rows());
}

struct Replayed {
  std::vector<std::string> differences;
  std::vector<std::string> idle;
  std::set<std::string> classes, missing;
  std::uint64_t compared = 0;
};

using RecordBlocks = std::function<void(Recorder& out, Gpu& gpu, const Config& config)>;

Replayed replay(const Config& config, const RecordBlocks& blocks, const std::function<void(GpuBackend& gpu)>& run) {
  BlockWaves waves;
  Recorder recorder(waves);
  Replayed out;
  {
    MachineOptions machine;
    machine.lockstep = false;
    GpuBackend gpu(config, machine);
    blocks(recorder, gpu.gpu(), config);
    out.missing = recorder.missing({&gpu.gpu().shader, &gpu.gpu().core, &gpu.gpu().dram});
    run(gpu);
    waves.stop();
  }
  out.differences = waves.differences();
  out.idle = waves.idle_blocks();
  out.compared = waves.compared();
  out.classes = recorder.classes();
  return out;
}

Replayed replay_kernel(const std::string& kernel, const Assignments& args, const std::vector<std::string>& sets,
                       const RecordBlocks& blocks) {
  const Scenario scenario = testing::scenario_of(kernel);
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, "tiny", sets);
  return replay(config, blocks, [&](GpuBackend& gpu) {
    RunOptions options;
    options.args = args;
    EXPECT_EQ(exit_code(run_scenario(scenario, module, config, options, gpu)), kExitPass);
  });
}

/// Special functions, accesses to memory of the host, then a fault.
Replayed replay_fault(const RecordBlocks& blocks) {
  const Module module = assemble(
      ".arch sm_11\n.kernel faulty\n"
      "  mov b32 $r2 0x3f9d70a4\n  rcp f32 $r3 $r2\n  rsqrt f32 $r4 $r3\n"
      "  mov b32 $r1 0x4\n  ld b32 $r2 g14[$r1]\n  st b32 g14[$r1] $r2\n"
      "  mov b32 $r1 0x2\n  ld b32 $r2 g14[$r1]\n  exit nop\n",
      "faulty.sasm");
  return replay(load_config("tiny"), blocks, [&](GpuBackend& gpu) {
    gpu.load(module);
    static std::array<std::uint8_t, page_table::kPageBytes> host;
    gpu.set_global(14, gpu.map_host(host.data(), host.size()), 255);
    const Launch launch(gpu.config(), module.kernels.front(), {2, 1, 1}, {40, 1, 1}, {}, 0, 100'000);
    EXPECT_EQ(gpu.launch(launch).end, LaunchEnd::kFault);
  });
}

/// The classes of blocks that the sources of hw/ declare, without those that others are derived from.
std::set<std::string> declared_blocks() {
  std::set<std::string> classes, bases;
  static const std::regex declaration(
      "class (\\w+)(?: final)? : public (Clocked|StagedPipe|ExecPipe|CrossbarNetwork)\\b");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(G80_SOURCE_DIR) + "/hw")) {
    if (entry.path().extension() != ".h") continue;
    const std::string text = testing::contents_of(entry.path().string());
    for (std::sregex_iterator it(text.begin(), text.end(), declaration), end; it != end; ++it) {
      classes.insert((*it)[1]);
      bases.insert((*it)[2]);
    }
  }
  for (const std::string& base : bases) classes.erase(base);
  return classes;
}

TEST(ReplayedBlocks, ShowTheWavesThatTheyShowInTheChip) {
  const std::vector<std::string> all_units = {"device.compute_minor=3", "sm.num_dps=1", "sm.sfu_mul=true"};
  const Replayed runs[] = {
      replay_kernel("reduction_sequential", {{"blocks", "2"}, {"block", "64"}}, all_units, record_chip),
      replay_kernel("texture_read", {{"block", "32"}}, {"sm.register_banks=3", "sm.collector_units=2"}, record_chip),
      replay_fault(record_chip),
  };
  std::set<std::string> recorded;
  std::map<std::string, unsigned> idle;  // by block, in how many runs
  for (const Replayed& run : runs) {
    EXPECT_THAT(run.differences, IsEmpty());
    EXPECT_THAT(run.missing, IsEmpty()) << "add them to record_chip()";
    EXPECT_GT(run.compared, 20'000u);
    recorded.insert(run.classes.begin(), run.classes.end());
    for (const std::string& block : run.idle) ++idle[block];
  }
  EXPECT_EQ(recorded, declared_blocks()) << "a block of hw/ is in none of the chips";
  for (const auto& [block, times] : idle) EXPECT_LT(times, std::size(runs)) << block << " did nothing in any run";
}

// A block that is not the one in the chip, by one key, is found: by what it writes, by what it puts into a queue, and
// by when it takes an entry out of one.
TEST(ReplayedBlocks, AnotherBlockShowsOtherWaves) {
  const RecordBlocks others = [](Recorder& out, Gpu& gpu, const Config& config) {
    Config other = config;
    other.sm.alu_latency += 2;
    other.dram.window = other.dram.write_high = 1;
    other.dram.write_low = 0;
    const Sm& sm = dynamic_cast<Sm&>(gpu.sm(0));
    out.add(sm.sp_array, other);
    out.add(sm.scoreboard, config);
    out.add(sm.writeback, config);
    out.add(gpu.channels[0]->controller, other);
  };
  const Replayed wires = replay_kernel("reduction_sequential", {{"blocks", "1"}, {"block", "64"}}, {}, others);
  EXPECT_THAT(wires.differences,
              UnorderedElementsAre(HasSubstr("sp_array.ahead_o at edge "), HasSubstr("controller.request_i at edge "),
                                   HasSubstr("a beat of a read that nobody asked for")));
  EXPECT_EQ(wires.missing.count("Decode"), 1u) << "a block that is not recorded is named";
  EXPECT_EQ(wires.missing.count("Scoreboard"), 0u);
  const Replayed queue = replay_fault(
      [](Recorder& out, Gpu& gpu, const Config&) { out.add(dynamic_cast<Sm&>(gpu.sm(0)).fault_reporter, 1u); });
  EXPECT_THAT(queue.differences, ElementsAre(HasSubstr("fault_reporter.fault_o at edge ")));
}

std::uint32_t behind_the_ports = 0;  // what a block must not know of another one

struct CountRegs {
  std::uint32_t count = 0;
  G80_FIELDS(count);
};
class CountingBlock final : public Clocked<CountRegs> {
 public:
  explicit CountingBlock(const sc_core::sc_module_name& name) : Clocked(name) {}
  Out<std::uint32_t> count_o{"count_o"};

 private:
  void next() override { ++d_.count; }
  void drive() override {
    count_o.write(q_.count);
    behind_the_ports = q_.count;
  }
};

struct AdderRegs {
  std::uint32_t sum = 0, edges = 0;
  G80_FIELDS(sum, edges);
};
/// Adds up what its neighbour counts.
class AddingBlock final : public Clocked<AdderRegs> {
 public:
  /// `peeks`: it reads the neighbour's count behind its port. `first`: of a register that no output shows.
  AddingBlock(const sc_core::sc_module_name& name, bool peeks, std::uint32_t first)
      : Clocked(name), peeks_(peeks), first_(first) {}
  In<std::uint32_t> count_i{"count_i"};
  Out<std::uint32_t> sum_o{"sum_o"};

 private:
  void next() override {
    d_.sum += peeks_ ? behind_the_ports : count_i.read();
    ++d_.edges;
  }
  void drive() override { sum_o.write(q_.sum); }
  void reset() override { d_.edges = first_; }
  const bool peeks_;
  const std::uint32_t first_;
};

/// An adder in a chip of two blocks, then one alone whose register starts from `first`.
std::vector<std::string> replay_adder(bool peeks, std::uint32_t first) {
  BlockWaves waves;
  testing::SystemCTest::renew_context();
  {
    Domain domain("clock", 0, 500, 2, false);
    CountingBlock counter("counter");
    AddingBlock adder("adder", peeks, 0);
    Wire<std::uint32_t> count("count"), sum("sum");
    counter.count_o(count);
    adder.count_i(count);
    adder.sum_o(sum);
    domain.add(counter);
    domain.add(adder);
    waves.record(adder, [=](const char* name) { return std::make_unique<AddingBlock>(name, peeks, first); });
    sc_core::sc_start(100, sc_core::SC_NS);
    waves.stop();
  }
  return waves.differences();
}

TEST(ReplayedBlocks, ABlockThatKnowsMoreThanItsPortsIsFound) {
  EXPECT_THAT(replay_adder(false, 0), IsEmpty());
  EXPECT_THAT(replay_adder(true, 0), ElementsAre(HasSubstr("adder.sum_o at edge ")));
  EXPECT_THAT(replay_adder(false, 7), ElementsAre(HasSubstr("its registers are not those in the chip")));
}

}  // namespace
}  // namespace g80
