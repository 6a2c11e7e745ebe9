// SPDX-License-Identifier: Apache-2.0
// No state of the machine is hidden. At random moments between two edges all that visit() reaches of a machine in the
// middle of a run is loaded into a second one, fresh from its reset. Both go on beside each other, on the same clocks
// and with the same host, up to the next moment, and all fields of all blocks, wires and queues are compared: what the
// first one keeps where no visitor comes, the second one does not have, and a few edges later a field differs. What no
// reset clears is fresh the first time only.
//
// Not part of the state, as nothing that the machine does depends on it:
//   - counters of events, and what a block keeps for them (Counters, StallAccount), and logs (LaunchLog, PartitionLog,
//     RetirementPort), which the testbench reads
//   - who sleeps, and until when: the second machine does not sleep, and that is known to be the same
//   - numbers of edges, which both have from the same clocks: times in the state may be such numbers
// What visit() names is a field: seen in waves, or by faults alone. What a block hands to FieldEditor::state() is moved
// here, but no fault reaches it: what the model keeps of outputs and queues so that it need not look at all of them,
// the edges at which something leaves a delay line or shows behind a synchroniser, where hardware has a bit in each
// register, and what an observer is told later.
// Outside of the machine: host memory, which both pin, and what the host pushes and pops. The cells of the DRAM are
// state; they are copied by themselves, because an image of fields would be as long as the memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hw/common/alarm.h"
#include "hw/common/field_values.h"
#include "input/input_error.h"
#include "tb/driver/driver.h"
#include "tb/waves/signal_table.h"
#include "tests/machine/machine_run.h"
#include "tests/machine/small_run.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using testing::kernel_names;
using testing::MachineRun;
using testing::scenario_of;

/// What the host pushes into a queue of one machine, or pops from it, it pushes or pops in the same queue of the other.
template <class T>
class SameHost final : public TraceSink {
 public:
  SameHost(
      CrossingFifo<T>& first, CrossingFifo<T>& second, std::function<void()> before = [] {})
      : first_(first), second_(second), before_(std::move(before)) {
    first_.attach_trace(*this, 0);
  }
  ~SameHost() override { first_.detach_trace(*this); }
  SameHost(const SameHost&) = delete;
  SameHost& operator=(const SameHost&) = delete;
  void begin() {
    size_ = first_.size();
    follows_ = true;
  }
  void changed(std::uint32_t) override {
    const bool pushed = first_.size() > size_;
    size_ = first_.size();
    if (!follows_ || pushed == first_.read_by_host()) return;
    before_();
    if (pushed) {
      second_.push(first_.newest());
    } else {
      second_.pop();
    }
  }

 private:
  CrossingFifo<T>& first_;
  CrossingFifo<T>& second_;
  const std::function<void()> before_;
  bool follows_ = false;
  unsigned size_ = 0;
};

class Follower final : public TraceSink {
 public:
  /// Takes over the state of `leader` at the moments, which come in their order.
  Follower(Gpu& leader, std::vector<Picoseconds> moments)
      : leader_(leader),
        gpu_("follower", leader.config),
        moments_(std::move(moments)),
        alarm_("load", [this] { load(); }),
        push_(leader.push, gpu_.push),
        orders_(leader.copy_orders, gpu_.copy_orders, [this] { gpu_.host_memory.pin_as(leader_.host_memory); }),
        fences_(leader.fences, gpu_.fences),
        copies_(leader.copies_done, gpu_.copies_done) {
    const std::vector<Traceable*> first = items_of(leader_), second = items_of(gpu_);
    CHECK(first.size() == second.size(), "{} objects of one machine, {} of the other", first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      items_.push_back({first[i], second[i], false});
      first[i]->attach_trace(*this, static_cast<std::uint32_t>(i));
      second[i]->attach_trace(*this, static_cast<std::uint32_t>(i));
    }
    for (Domain* domain : {&leader_.shader, &leader_.core, &leader_.dram}) domain->attach_trace(*this);
    for (Domain* domain : domains()) domain->attach_trace(*this);
    alarm_.notify(sc_core::sc_time::from_value(moments_.front()));
  }
  ~Follower() override {
    for (Domain* domain : {&leader_.shader, &leader_.core, &leader_.dram}) domain->detach_trace(*this);
    for (const Item& item : items_) item.first->detach_trace(*this);
  }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  /// The run is over: both are at the same point, in memory too.
  void compare_end() {
    ASSERT_EQ(loads_, moments_.size()) << "the run ended before the last moment";
    compare_all("the end");
    for_each_row([&](std::uint64_t at, const Row& first, const Row& second) {
      if (first != second) differ(fmt::format("the end: device memory from {:#x} on", at));
    });
  }

 private:
  struct Item {
    Traceable* first;
    Traceable* second;
    bool changed;
  };
  using Row = std::vector<std::uint8_t>;
  static constexpr std::uint64_t kCloseLook = 400;  // edges behind a load at all of which both are compared,
  static constexpr std::uint64_t kLooks = 64;       // and behind these at each of so many

  /// Blocks first: a block that is loaded drives its outputs, and a wire is then given what it carried.
  static std::vector<Traceable*> items_of(const Gpu& gpu) {
    std::vector<Traceable*> items = collect_items({{gpu.name()}, WaveLevel::kLanes});
    std::stable_partition(items.begin(), items.end(),
                          [](Traceable* item) { return dynamic_cast<ClockedBase*>(item) != nullptr; });
    return items;
  }
  std::vector<Domain*> domains() { return {&gpu_.shader, &gpu_.core, &gpu_.dram}; }

  template <class Call>
  void for_each_row(const Call& call) {
    constexpr std::size_t kRow = 1u << 16;
    Row first(kRow), second(kRow);
    DeviceMemory of_first = leader_.device_memory(), of_second = gpu_.device_memory();
    for (std::uint64_t at = 0; at < of_first.bytes(); at += kRow) {
      of_first.read(at, first.data(), kRow);
      of_second.read(at, second.data(), kRow);
      call(at, first, second);
    }
  }

  void load() {
    for (Domain* domain : domains()) {
      ASSERT_FALSE(domain->in_reset());
      for (ClockedBase* block : domain->modules()) {
        block->hold_reset();
        block->commit();
      }
    }
    StateImage image;
    FieldEditor save(image, false);
    for (const Item& item : items_) item.first->edit_fields(save);
    image.at = 0;
    FieldEditor load(image, true);
    for (const Item& item : items_) item.second->edit_fields(load);
    ASSERT_EQ(image.at, image.bytes.size());
    DeviceMemory memory = gpu_.device_memory();
    for_each_row([&](std::uint64_t at, const Row& first, const Row& second) {
      if (first != second) memory.write(at, first.data(), first.size());
    });
    gpu_.host_memory.pin_as(leader_.host_memory);
    push_.begin(), orders_.begin(), fences_.begin(), copies_.begin();
    for (Domain* domain : domains()) domain->stay_awake();
    follows_ = true;
    edges_ = 0;
    compare_all("the load");
    if (++loads_ != moments_.size())
      alarm_.notify(sc_core::sc_time::from_value(moments_[loads_] - moments_[loads_ - 1]));
  }

  void changed(std::uint32_t slot) override {
    if (!follows_ || items_[slot].changed) return;
    items_[slot].changed = true;
    changed_.push_back(slot);
  }
  // The edges of equal clocks come in the order in which the machines were made: the leader has had its own.
  void edge_done(Domain& domain) override {
    if (!follows_ || &domain == &leader_.shader || &domain == &leader_.core || &domain == &leader_.dram) return;
    if (++edges_ > kCloseLook && edges_ % kLooks != 0) return;
    for (const std::uint32_t slot : changed_) {
      items_[slot].changed = false;
      compare(items_[slot], domain.basename(), false);
    }
    changed_.clear();
  }
  /// What waves leave out too.
  void compare_all(const char* when) {
    for (const Item& item : items_) compare(item, when, true);
  }
  void compare(const Item& item, const char* when, bool with_stored) {
    const std::vector<std::uint64_t> first = values_of(*item.first, with_stored),
                                     second = values_of(*item.second, with_stored);
    const auto at = std::mismatch(first.begin(), first.end(), second.begin());
    if (at.first == first.end()) return;
    FieldValues named(true, with_stored);
    item.first->trace_fields(named);
    differ(fmt::format("{}: {}.{} is {:#x}, but {:#x} where the state was loaded", when, item.first->trace_name(),
                       named.names[static_cast<std::size_t>(at.first - first.begin())], *at.first, *at.second));
  }
  [[noreturn]] void differ(const std::string& what) {
    follows_ = false;
    const Picoseconds moment = moments_[std::min(loads_, moments_.size() - 1)];
    throw ModelError(fmt::format("hidden state: loaded at {} ps, {} edges later, at {}", moment, edges_, what));
  }

  Gpu& leader_;
  Gpu gpu_;
  const std::vector<Picoseconds> moments_;
  std::size_t loads_ = 0;
  Alarm alarm_;
  SameHost<PushWords> push_;
  SameHost<CopyOrder> orders_;
  SameHost<HostEvent> fences_, copies_;
  std::vector<Item> items_;
  bool follows_ = false;
  std::uint64_t edges_ = 0;  // since the last load, of all clocks
  std::vector<std::uint32_t> changed_;
};

/// A run in which the state is taken over so many times while a kernel runs, and as often at any time behind reset.
void expect_nothing_hidden(const MachineRun& run, unsigned times, std::mt19937_64& random) {
  SCOPED_TRACE(run.kernel + " on " + run.device);
  const Scenario scenario = scenario_of(run.kernel);
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, run.device, run.sets);
  RunOptions options;
  options.args = run.args;
  MachineOptions machine = run.machine;
  machine.lockstep = false;
  Picoseconds end = 0;
  std::vector<LaunchRecord> launches;
  {
    GpuBackend alone(config, machine);
    run_scenario(scenario, module, config, options, alone);
    end = alone.picoseconds();
    launches = alone.gpu().command_processor.launches();
  }
  const std::array<ClockTimes, 3> clocks{ClockTimes(config.clock.shader_mhz), ClockTimes(config.clock.core_mhz),
                                         ClockTimes(config.clock.dram_mhz)};
  const auto is_edge = [&](Picoseconds moment) {
    return std::any_of(clocks.begin(), clocks.end(),
                       [=](const ClockTimes& clock) { return clock.time_of(clock.first_edge_from(moment)) == moment; });
  };
  std::vector<Picoseconds> moments;
  const auto add_moment = [&](Picoseconds from, Picoseconds to) {
    Picoseconds moment = from + random() % (to - from);
    while (is_edge(moment)) ++moment;
    moments.push_back(moment);
  };
  Picoseconds begin = 0;
  for (const ClockTimes& clock : clocks) begin = std::max(begin, clock.time_of(config.clock.reset_cycles + 8));
  for (unsigned i = 0; i < times; ++i) {
    const LaunchRecord& launch = launches[random() % launches.size()];
    const Picoseconds accepted = clocks[1].time_of(launch.accepted_edge);
    add_moment(accepted, launch.ended_edge > launch.accepted_edge ? clocks[1].time_of(launch.ended_edge) : end);
    add_moment(begin, end);
  }
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  try {
    GpuBackend gpu(config, machine);
    Follower follower(gpu.gpu(), moments);
    const RunResult result = run_scenario(scenario, module, config, options, gpu);
    EXPECT_TRUE(as_expected(result)) << verdict(result);
    EXPECT_EQ(gpu.picoseconds(), end) << "the machine is not as it is alone";
    follower.compare_end();
  } catch (const ModelError& error) {
    ADD_FAILURE() << error.what();
  }
}

MachineRun on(const std::string& preset, const std::string& kernel) {
  MachineRun run = testing::small_run(kernel);
  run.device = preset;
  if (preset == "tiny") {
    run.sets.insert(run.sets.end(),
                    {"device.max_threads_per_block=512", "device.max_block_x=512", "device.max_block_y=512",
                     "sm.max_warps=16", "sm.max_threads=512", "sm.num_registers=8192"});
  }
  return run;
}

// Of the shortest kernel that uses textures, for `./test` without `--all`.
TEST(SomeState, IsAllVisited) {
  std::mt19937_64 random(random_seed());
  expect_nothing_hidden(on("tiny", "texture_read"), 5, random);
}

TEST(State, IsAllVisited) {
  std::mt19937_64 random(random_seed());
  for (const char* kernel :
       {"block_flag", "constant_read", "divergence_in_warp", "global_sync", "local_spill", "texture_read"})
    expect_nothing_hidden(on("tiny", kernel), 10, random);
  expect_nothing_hidden(on("8600gts", "vec_add"), 3, random);
}

class StateOfAll : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(StateOfAll, IsVisited) {
  const auto& [preset, kernel] = GetParam();
  std::mt19937_64 random(random_seed());
  try {
    expect_nothing_hidden(on(preset, kernel), 10, random);
  } catch (const InputError& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("the kernel needs sm_1"), std::string::npos) << refusal.what();
  }
}

INSTANTIATE_TEST_SUITE_P(KernelsOfPresets, StateOfAll,
                         ::testing::Combine(::testing::ValuesIn(preset_names()), ::testing::ValuesIn(kernel_names())),
                         [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

}  // namespace
}  // namespace g80
