// SPDX-License-Identifier: Apache-2.0
// Counts what goes over a DRAM command bus. Whether it may, the chips judge (DramRules).
#pragma once
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

 private:
  void next() override {
    const DramCommand& command = command_i.read();
    if (command.kind != DramCommandKind::kNone && (commands.empty() || commands.back().first != edge())) {
      commands.emplace_back(edge(), command.kind);
      if (command.kind == DramCommandKind::kRead || command.kind == DramCommandKind::kWrite)
        tags.push_back(command.tag.bits);
    }
    if (command.kind == DramCommandKind::kNone) sleep();
  }
  void drive() override {}
};

}  // namespace g80
