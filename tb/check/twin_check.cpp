// SPDX-License-Identifier: Apache-2.0
#include "tb/check/twin_check.h"

#include <fmt/format.h>

#include "tb/twins/checked_twin.h"

namespace g80 {

TwinCheck::TwinCheck(std::vector<Domain*> domains) : domains_(std::move(domains)) {
  for (Domain* domain : domains_) {
    for (const ClockedBase* block : domain->modules()) {
      const auto* twin = dynamic_cast<const CheckedTwin*>(block);
      if (twin != nullptr && twin->beside()) pairs_.push_back({block, twin});
    }
    domain->attach_trace(*this);
  }
}

TwinCheck::~TwinCheck() {
  for (Domain* domain : domains_) domain->detach_trace(*this);
}

std::optional<TwinDifference> TwinCheck::difference() const {
  const Pair* first = nullptr;
  for (const Pair& pair : pairs_) {
    const auto& found = pair.twin->difference_found();
    if (found && (first == nullptr || found->time < first->twin->difference_found()->time)) first = &pair;
  }
  if (first == nullptr) return std::nullopt;
  const CheckedTwin::Difference& found = *first->twin->difference_found();
  const Cycle cycle = domains_.front()->last_edge_by(found.time);
  return TwinDifference{
      first->block->name(), cycle,
      fmt::format("{}: its RTL twin differs at edge {} of {} ({} ps, shader cycle {}): {}{}{}", first->block->name(),
                  found.edge, first->block->domain()->name(), found.time, cycle, found.text,
                  found.inputs.empty() ? "" : "\n     inputs at this edge: ", found.inputs)};
}

void TwinCheck::look() const {
  if (const auto found = difference()) throw ModelError(found->text);
}

std::string TwinCheck::summary() const {
  std::uint64_t edges = 0;
  for (const Pair& pair : pairs_) edges += pair.twin->edges_compared();
  return fmt::format("--rtl-check: outputs, registers and counters are equal at {} clock edges (twins: {})", edges,
                     pairs_.size());
}

}  // namespace g80
