// SPDX-License-Identifier: Apache-2.0
// Random faults over the fields of the blocks that lock-step names: each run ends with the right result or is stopped
// with a reason. None crashes, none hangs, none passes with a wrong result unseen.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "hw/common/clocked.h"
#include "tests/must_fail/planted_run.h"
#include "tests/support/random_seed.h"

namespace g80::must_fail {
namespace {

/// Blocks by the end of their name.
const char* const kBlocks[] = {"scoreboard", "operand_collector", "reconvergence_stack", "bank_conflict",
                               "coalescer0", "load_table",        "writeback",           "barrier",
                               "partition",  "controller"};

/// The fields that one of the blocks drives: registers, stored values, wires and queues behind it.
std::vector<Field> fields_of_blocks() {
  GpuBackend machine(load_config("tiny"), MachineOptions());
  machine.allocate(256, "any");  // lets the machine run: drivers are known when ports are bound
  std::vector<Field> fields;
  for (const Field& field : list_fields(true)) {
    const ClockedBase* const driver = field.item->driver();
    if (driver == nullptr) continue;
    const std::string name = driver->name();
    for (const char* block : kBlocks) {
      const std::string end = std::string(".") + block;
      if (name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0)
        fields.push_back(field);
    }
  }
  return fields;
}

TEST(FaultCampaign, EveryFaultIsMaskedOrCaught) {
  const char* const given = std::getenv("G80_CAMPAIGN");
  const unsigned runs = given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 60;
  const unsigned seed = random_seed();
  std::mt19937 random(seed);
  const std::vector<Field> fields = fields_of_blocks();
  ASSERT_GT(fields.size(), 1000u);
  // Items are drawn first: a memory with thousands of words counts as one.
  std::vector<std::pair<std::size_t, std::size_t>> items;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i == 0 || fields[i].item != fields[i - 1].item) items.emplace_back(i, i);
    ++items.back().second;
  }
  unsigned caught = 0, masked = 0;
  for (unsigned run = 0; run < runs; ++run) {
    const auto [first, end] = items[random() % items.size()];
    const Field& field = fields[first + random() % (end - first)];
    if (field.name.size() > 6 && field.name.compare(field.name.size() - 6, 6, ".count") == 0)
      continue;                                       // of a queue: for display
    const unsigned from = 32'000 + random() % 8'000;  // most of it while the kernel runs
    const std::string when =
        random() % 2 != 0 ? std::to_string(from) : std::to_string(from) + ".." + std::to_string(from + random() % 2000);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - field.width);
    std::string fault = field.name;
    if (random() % 2 != 0 || field.text != nullptr) {
      fault += "^=" + std::to_string(std::uint64_t{1} << random() % field.width);
    } else {
      fault += "=" + std::to_string((std::uint64_t{random()} << 32 | random()) & mask);
    }
    fault += "@" + when;
    SCOPED_TRACE(fault);
    std::printf("%s\n", fault.c_str());
    std::fflush(stdout);  // a crash says which fault it was
    try {
      const Outcome outcome = run_planted({fault});
      EXPECT_TRUE(outcome.right || outcome.refused) << "neither right nor caught: " << outcome.message;
      EXPECT_TRUE(outcome.right || !outcome.message.empty());
      ++(outcome.refused ? caught : masked);
    } catch (const std::exception& error) {
      if (std::string(error.what()).find("exists for display only") == std::string::npos) ADD_FAILURE() << error.what();
    }
  }
  std::printf("%u faults caught, %u without effect on the result\n", caught, masked);
}

}  // namespace
}  // namespace g80::must_fail
