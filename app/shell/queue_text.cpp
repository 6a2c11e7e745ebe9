// SPDX-License-Identifier: Apache-2.0
#include "app/shell/queue_text.h"

#include <fmt/format.h>

#include "app/shell/leaves.h"
#include "hw/common/crossing_fifo.h"
#include "tb/waves/signal_table.h"

namespace g80 {
namespace {

/// The name of the bundle that an origin belongs to.
std::string owner_of(std::string bundle) {
  if (bundle == "origin") return "";
  if (const std::size_t origin = bundle.rfind(".origin"); origin != std::string::npos && origin + 7 == bundle.size()) {
    bundle.resize(origin);
  }
  return bundle;
}

std::string address_text(const Leaves& leaves, const std::string& bundle) {
  const Leaves::Leaf* address = leaves.find(bundle, "address");
  if (address == nullptr) address = leaves.find(bundle, "address[0]");
  return address != nullptr ? fmt::format(", address 0x{:x}", address->value) : "";
}

/// A short text of an entry: its uids and their addresses, or without a uid its first fields.
std::string entry_text(const Leaves& entry) {
  constexpr std::size_t kFields = 4;
  std::string uids, fields;
  for (std::size_t i = 0; i < entry.list.size(); ++i) {
    const Leaves::Leaf& leaf = entry.list[i];
    if (leaf.name == "uid" && leaf.value != 0) {
      const std::string address = address_text(entry, owner_of(leaf.bundle));
      uids += fmt::format("{}uid 0x{:x}{}", uids.empty() ? "" : "; ", leaf.value, address);
    }
    const std::string bundle = leaf.bundle.empty() ? "" : leaf.bundle + ".";
    if (i < kFields) fields += fmt::format("{}{}{} = {}", i == 0 ? "" : ", ", bundle, leaf.name, leaf_text(leaf));
  }
  return uids.empty() ? fields : uids;
}

}  // namespace

std::string queues_text() {
  std::string out;
  for (Traceable* item : collect_items({{}, WaveLevel::kLanes})) {
    const auto* const queue = dynamic_cast<const QueueView*>(item);
    if (queue == nullptr || queue->size() == 0) continue;
    out += fmt::format("  {}: {} of {}\n", item->trace_name(), queue->size(), queue->depth());
    for (unsigned place = 0; place < queue->size(); ++place) {
      Leaves entry;
      queue->visit_entry(place, entry);
      out += fmt::format("    #{} {}\n", place, entry_text(entry));
    }
  }
  return out.empty() ? "every queue is empty\n" : out;
}

std::string places_text(std::uint32_t uid) {
  std::string out;
  const auto look = [&](const std::string& where, const Leaves& leaves) {
    for (const Leaves::Leaf& leaf : leaves.list) {
      if (leaf.name != "uid" || leaf.value != uid) continue;
      const std::string owner = owner_of(leaf.bundle);
      const Leaves::Leaf* const valid = leaves.find(owner, "valid");
      if (valid != nullptr && valid->value == 0) continue;
      out += fmt::format("  {}{}{}: uid 0x{:x}{}\n", where, owner.empty() ? "" : ".", owner, uid,
                         address_text(leaves, owner));
    }
  };
  for (Traceable* item : collect_items({{}, WaveLevel::kLanes})) {
    const auto* object = dynamic_cast<const sc_core::sc_object*>(item);
    if (object == nullptr || dynamic_cast<const sc_core::sc_module*>(object) != nullptr) continue;
    if (const auto* const queue = dynamic_cast<const QueueView*>(item)) {
      for (unsigned place = 0; place < queue->size(); ++place) {
        Leaves entry;
        queue->visit_entry(place, entry);
        look(fmt::format("{} #{} of {}", item->trace_name(), place, queue->size()), entry);
      }
      continue;
    }
    Leaves leaves;
    item->trace_fields(leaves);
    look(item->trace_name(), leaves);
  }
  return out.empty() ? fmt::format("uid 0x{:x} is on no wire and in no queue\n", uid) : out;
}

}  // namespace g80
