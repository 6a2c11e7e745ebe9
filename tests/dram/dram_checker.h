// SPDX-License-Identifier: Apache-2.0
// Watches a DRAM command bus and knows the GDDR3 rules a second time, from the history of commands instead of from
// first legal edges. Any broken rule is recorded as a sentence.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hw/bundles/dram_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

class DramRules {
 public:
  explicit DramRules(const Config& config) : dram_(config.dram) {}

  void see(const DramCommand& command, Cycle edge) {
    using Kind = DramCommandKind;
    if (command.kind == Kind::kNone) return;
    apart("tRFC", last_refresh_, edge, dram_.t_rfc);
    if (last_command_ && *last_command_ == edge) broken("two commands", edge);
    last_command_ = edge;
    ++seen;
    Bank& bank = banks_[command.bank];
    switch (command.kind) {
      case Kind::kActivate:
        if (bank.row) broken("ACT of an open bank", edge);
        apart("tRC", bank.activate, edge, dram_.t_rc);
        apart("tRP", bank.precharge, edge, dram_.t_rp);
        for (Bank& any : banks_) apart("tRRD", any.activate, edge, dram_.t_rrd);
        if (activates_.size() >= 4) apart("tFAW", activates_[activates_.size() - 4], edge, dram_.t_faw);
        activates_.push_back(edge);
        bank.activate = edge;
        bank.row = command.row;
        break;
      case Kind::kPrecharge:
        if (!bank.row) broken("PRE of a closed bank", edge);
        apart("tRAS", bank.activate, edge, dram_.t_ras);
        apart("tRTP", bank.read, edge, dram_.t_rtp);
        apart("tWR", bank.write, edge, dram_.wl + dram_.burst_cycles + dram_.t_wr);
        bank.precharge = edge;
        bank.row.reset();
        break;
      case Kind::kRead:
      case Kind::kWrite: {
        const bool write = command.kind == Kind::kWrite;
        if (!bank.row) broken("column command to a closed bank", edge);
        apart("tRCD", bank.activate, edge, dram_.t_rcd);
        for (Bank& any : banks_) {
          apart("tCCD", any.read, edge, dram_.t_ccd);
          apart("tCCD", any.write, edge, dram_.t_ccd);
          if (!write) apart("tWTR", any.write, edge, dram_.wl + dram_.burst_cycles + dram_.t_wtr);
        }
        const Cycle data = edge + (write ? dram_.wl : dram_.cl);
        const Cycle idle = bus_used_ && bus_wrote_ != write ? (write ? dram_.bus_turnaround : 0) : 0;
        if (bus_used_ && data < bus_free_ + idle) broken("data bus occupied", edge);
        bus_used_ = true;
        bus_wrote_ = write;
        bus_free_ = data + dram_.burst_cycles;
        (write ? bank.write : bank.read) = edge;
        break;
      }
      case Kind::kRefresh:
        for (Bank& any : banks_) {
          if (any.row) broken("REF with an open row", edge);
          apart("tRP before REF", any.precharge, edge, dram_.t_rp);
          apart("tRC before REF", any.activate, edge, dram_.t_rc);
        }
        last_refresh_ = edge;
        refreshes.push_back(edge);
        break;
      case Kind::kNone: break;
    }
  }

  std::vector<std::string> violations;
  std::vector<Cycle> refreshes;
  std::uint64_t seen = 0;
  std::optional<std::uint32_t> open_row(unsigned bank) const { return banks_[bank].row; }

 private:
  struct Bank {
    std::optional<std::uint32_t> row;
    std::optional<Cycle> activate, precharge, read, write;
  };
  void apart(const char* rule, std::optional<Cycle> before, Cycle edge, Cycle clocks) {
    if (before && edge < *before + clocks) broken(rule, edge);
  }
  void broken(const char* rule, Cycle edge) { violations.push_back(fmt::format("{} at edge {}", rule, edge)); }

  const decltype(Config::dram) dram_;
  std::array<Bank, 8> banks_;
  std::vector<Cycle> activates_;
  std::optional<Cycle> last_refresh_, last_command_;
  bool bus_used_ = false, bus_wrote_ = false;
  Cycle bus_free_ = 0;
};

/// The rules on a wire. Sees a command one edge after it was issued, which shifts all edges alike.
class DramChecker final : public Clocked<NoRegs> {
 public:
  DramChecker(const sc_core::sc_module_name& name, const Config& config) : Clocked(name), rules(config) {}
  sc_core::sc_in<DramCommand> command_i{"command_i"};
  DramRules rules;
  std::vector<std::pair<Cycle, DramCommandKind>> commands;
  std::vector<std::uint32_t> tags;  // of reads and writes

 private:
  void next() override {
    const DramCommand& command = command_i.read();
    if (command.kind != DramCommandKind::kNone && (commands.empty() || commands.back().first != edge())) {
      rules.see(command, edge());
      commands.emplace_back(edge(), command.kind);
      if (command.kind == DramCommandKind::kRead || command.kind == DramCommandKind::kWrite)
        tags.push_back(command.tag.bits);
    }
    if (command.kind == DramCommandKind::kNone) sleep();
  }
  void drive() override {}
};

}  // namespace g80
