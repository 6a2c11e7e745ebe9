// SPDX-License-Identifier: Apache-2.0
// Counts what goes over a DRAM command bus. Whether it may, the chips judge (DramRules).
#pragma once
#include <set>
#include <utility>
#include <vector>

#include "hw/bundles/dram_pins.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"

namespace g80 {

class DramChecker final : public Clocked<NoRegs> {
 public:
  explicit DramChecker(const sc_core::sc_module_name& name) : Clocked(name) {}
  In<DramCommand> command_i{"command_i"};
  std::vector<std::pair<Cycle, DramCommandKind>> commands;
  std::vector<std::uint32_t> tags;  // of reads and writes
  /// Those whose row was open, was opened for them, and took the place of another one for them.
  std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;

 private:
  void next() override {
    const DramCommand& command = command_i.read();
    if (command.kind != DramCommandKind::kNone && (commands.empty() || commands.back().first != edge())) {
      commands.emplace_back(edge(), command.kind);
      note(command);
    }
    if (command.kind == DramCommandKind::kNone) sleep();
  }
  void drive() override {}
  void note(const DramCommand& command) {
    const std::uint32_t tag = command.tag.bits;
    if (command.kind == DramCommandKind::kActivate) activated_.insert(tag);
    if (command.kind == DramCommandKind::kPrecharge) precharged_.insert(tag);
    if (command.kind != DramCommandKind::kRead && command.kind != DramCommandKind::kWrite) return;
    tags.push_back(tag);
    const bool activated = activated_.erase(tag) != 0;
    ++(precharged_.erase(tag) != 0 ? row_conflicts : activated ? row_misses : row_hits);
  }
  std::set<std::uint32_t> activated_, precharged_;  // for bursts that have not moved
};

}  // namespace g80
