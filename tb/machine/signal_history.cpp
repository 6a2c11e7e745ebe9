// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/signal_history.h"

#include <algorithm>

#include <fmt/format.h>

#include "tb/waves/trace_file.h"
#include "tb/waves/wave_sink.h"

namespace g80 {

SignalHistory::SignalHistory(std::vector<Domain*> domains, const std::vector<std::string>& scopes,
                             std::vector<std::string> signals)
    : domains_(std::move(domains)), names_(std::move(signals)), changes_(names_.size()) {
  for (Traceable* item : collect_items({scopes, WaveLevel::kLanes})) table_.add_item(*item);
  table_.seal();
  for (const std::string& name : names_) {
    const auto& all = table_.signals();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Signal& signal) { return signal.name == name; });
    if (found == all.end()) throw WaveError(fmt::format("unknown signal {}", name));
    numbers_.push_back(static_cast<std::uint32_t>(found - all.begin()));
  }
  for (std::uint32_t slot = 0; slot < table_.num_items(); ++slot) table_.item(slot).attach_trace(*this, slot);
  for (Domain* domain : domains_) domain->attach_trace(*this);
}

SignalHistory::~SignalHistory() {
  for (Domain* domain : domains_) domain->detach_trace(*this);
  for (std::uint32_t slot = 0; slot < table_.num_items(); ++slot) table_.item(slot).detach_trace(*this);
}

const std::vector<SignalHistory::Change>& SignalHistory::of(const std::string& signal) const {
  const auto found = std::find(names_.begin(), names_.end(), signal);
  if (found == names_.end()) throw WaveError(fmt::format("{} was not watched", signal));
  return changes_[static_cast<std::size_t>(found - names_.begin())];
}

std::uint64_t SignalHistory::at(const std::string& signal, Picoseconds time) const {
  std::uint64_t value = 0;
  for (const Change& change : of(signal)) {
    if (change.time > time) break;
    value = change.value;
  }
  return value;
}

void SignalHistory::changed(std::uint32_t slot) {
  marked_.push_back(slot);
  if (domain_ == nullptr) look();
}

void SignalHistory::edge_done(Domain&) {
  look();
  domain_ = nullptr;
}

void SignalHistory::look() {
  for (const std::uint32_t slot : marked_) table_.update(slot);
  marked_.clear();
  table_.log().clear();
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const std::uint64_t value = table_.value(numbers_[i]);
    if (value == (changes_[i].empty() ? 0 : changes_[i].back().value)) continue;
    changes_[i].push_back({sc_core::sc_time_stamp().value(), domain_ != nullptr ? clock_name(*domain_) : "host",
                           domain_ != nullptr ? domain_->edge() : 0, value});
  }
}

}  // namespace g80
