// SPDX-License-Identifier: Apache-2.0
// Random faults over the fields of all blocks but the host's: each run ends with the right result or is stopped with a
// reason. None crashes, none hangs, none passes with a wrong result unseen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <random>

#include "hw/common/clocked.h"
#include "hw/common/field_values.h"
#include "tb/check/field_names.h"
#include "tests/must_fail/planted_run.h"
#include "tests/support/random_seed.h"

namespace g80::must_fail {
namespace {

/// They carry buffers and commands, which nothing checks but the comparison of the results.
const char* const kHost[] = {"command_processor", "copy_engine", "host_port", "host_link"};

/// The fields that a block drives: registers, stored values, wires and queues behind it.
std::vector<Field> fields_of_blocks() {
  GpuBackend machine(load_config("tiny"), MachineOptions());
  machine.allocate(256, "any");  // lets the machine run: drivers are known when ports are bound
  std::vector<Field> fields;
  for (const Field& field : list_fields(true)) {
    const ClockedBase* const driver = field.item->driver();
    if (driver == nullptr) continue;
    const std::string name = driver->basename();
    if (std::find(std::begin(kHost), std::end(kHost), name) == std::end(kHost)) fields.push_back(field);
  }
  return fields;
}

// A wide output stands outside the registers of its block; what a fault changes there is on the wire.
TEST(OutputRegisters, AFaultInOneIsOnItsWire) {
  GpuBackend machine(load_config("tiny"), MachineOptions());
  machine.allocate(256, "any");
  const std::vector<Field> fields = list_fields(true);
  const std::pair<const char*, const char*> outputs[] = {
      {"third_level.reply[0].", "tpc0_line."},
      {"second_level_tlb.answer[0].", "tpc0_tlb_answer."},
      {"chip_tlb.request.", "chip_translated."},
  };
  for (const auto& [output, wire] : outputs) {
    unsigned changed = 0;
    for (const Field& field : fields) {
      const std::size_t at = field.name.find(output);
      if (at == std::string::npos) continue;
      const std::string leaf = field.name.substr(at + std::string(output).size());
      const Field there = find_field(wire + leaf, fields);
      const std::vector<std::uint64_t> before = values_of(*there.item, true);
      FieldEditor editor(field.first, 1, {true, 1});
      field.item->edit_fields(editor);
      if (editor.changed() == 0) continue;  // an enumeration that has no such value
      ++changed;
      EXPECT_EQ(values_of(*there.item, true).at(there.first), before.at(there.first) ^ 1) << field.name;
    }
    EXPECT_GT(changed, 5u) << output;
  }
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
