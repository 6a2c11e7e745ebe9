// SPDX-License-Identifier: Apache-2.0
#include "tb/check/sleep_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/common/crossing_fifo.h"
#include "hw/common/field_values.h"
#include "tb/check/leaf_values.h"
#include "tb/waves/signal_table.h"

namespace g80 {
namespace {

/// A block that never sleeps.
class Sleepless final : public Clocked<NoRegs> {
 public:
  explicit Sleepless(const std::string& name) : Clocked(sc_core::sc_module_name(name.c_str())) {}

 private:
  void next() override {}
  void drive() override {}
};

/// Finds the first leaf whose value is another one than before.
class NameOfChange final : public FieldVisitor {
 public:
  NameOfChange(const std::vector<std::uint64_t>& before, bool with_stored)
      : FieldVisitor(with_stored), before_(before) {}
  void enter(const char* name, int index) override { path_.push_back(element_name(name, index)); }
  void leave() override { path_.pop_back(); }
  void leaf(const char* name, int index, std::uint64_t value, unsigned, const EnumText*) override {
    const std::uint64_t before = before_[next_++];
    if (value == before || !text.empty()) return;
    for (const std::string& part : path_) text += part + ".";
    text += fmt::format("{} from 0x{:x} to 0x{:x}", element_name(name, index), before, value);
  }
  std::string text;

 private:
  const std::vector<std::uint64_t>& before_;
  std::size_t next_ = 0;
  std::vector<std::string> path_;
};

void take(const ClockedBase& block, std::vector<std::uint64_t>& values, bool with_stored, Picoseconds moment = 0) {
  values.clear();
  LeafValues leaves(values, with_stored);
  leaves.show_at(moment);
  block.trace_fields(leaves);
}

}  // namespace

SleepCheck::SleepCheck(std::vector<Domain*> domains) : domains_(std::move(domains)) {
  for (Traceable* item : collect_items({{}, WaveLevel::kLanes})) {
    const std::string kind = dynamic_cast<const sc_core::sc_object&>(*item).kind();
    if (kind != "wire" && kind != "crossing_fifo") continue;
    item->attach_trace(*this, static_cast<std::uint32_t>(outside_.size()));
    outside_.push_back(item);
  }
  for (Domain* domain : domains_) {
    awake_.push_back(std::make_unique<Sleepless>("sleepless_" + std::to_string(domain->number())));
    domain->add(*awake_.back());
    domain->attach_trace(*this);
    sleepers_.emplace_back();
  }
}

SleepCheck::~SleepCheck() {
  for (Domain* domain : domains_) domain->detach_trace(*this);
  for (Traceable* item : outside_) item->detach_trace(*this);
}

void SleepCheck::lost(const ClockedBase& block, const std::string& what) const {
  const Domain& shader = *domains_.front();
  const Cycle cycle = shader.last_edge();
  throw ModelError(
      fmt::format("sleep: cycle {}, {} sleeps, but would {}: a wake-up is lost", cycle, block.name(), what));
}

void SleepCheck::compare(const ClockedBase& block, const Sleeper& sleeper, bool with_stored) {
  const std::vector<std::uint64_t>& before = with_stored ? sleeper.all : sleeper.shown;
  take(block, now_, with_stored, sleeper.since);
  if (now_ == before) return;
  NameOfChange change(before, with_stored);
  change.show_at(sleeper.since);
  block.trace_fields(change);
  lost(block, "change " + change.text);
}

void SleepCheck::changed(std::uint32_t slot) {
  if (probed_ == nullptr) return;
  const bool queue = dynamic_cast<QueueView*>(outside_[slot]) != nullptr;
  const ClockedBase& block = *probed_;
  probed_ = nullptr;
  compare(block, *probed_sleeper_, false);  // a register behind it says more
  lost(block, fmt::format("{} {}", queue ? "use the queue" : "drive", outside_[slot]->trace_name()));
}

void SleepCheck::probe(ClockedBase& block, Sleeper& sleeper) {
  ++probes_;
  probed_ = &block;
  probed_sleeper_ = &sleeper;
  block.step();
  block.commit();
  probed_ = nullptr;
  block.sleep_requested = false;
  if (sleeper.probes++ % kProbesPerLook == 0) compare(block, sleeper, false);
}

// The state is still that before the edge: a block that will not run at it is stepped here, with the inputs that those
// see that run.
void SleepCheck::edge_begin(Domain& domain) {
  const auto number = static_cast<std::size_t>(std::find(domains_.begin(), domains_.end(), &domain) - domains_.begin());
  std::vector<Sleeper>& sleepers = sleepers_[number];
  sleepers.resize(domain.modules().size());
  if (domain.in_reset()) return;
  for (std::size_t i = 0; i < sleepers.size(); ++i) {
    ClockedBase& block = *domain.modules()[i];
    Sleeper& sleeper = sleepers[i];
    if (!block.runs_at(domain.edge())) continue;
    if (block.will_run(domain.edge())) {
      if (sleeper.asleep) compare(block, sleeper, !sleeper.all.empty());
      sleeper.asleep = false;
      continue;
    }
    if (!sleeper.asleep) {
      sleeper.asleep = true;
      sleeper.probes = 0;
      sleeper.since = sc_core::sc_time_stamp().value();
      take(block, sleeper.shown, false);
      sleeper.all.clear();
      if (sleeper.sleeps++ % kSleepsPerLook == 0) take(block, sleeper.all, true);
    }
    probe(block, sleeper);
  }
}

}  // namespace g80
