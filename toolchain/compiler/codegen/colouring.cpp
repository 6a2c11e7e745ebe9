// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/colouring.h"

#include <algorithm>
#include <array>

#include "toolchain/compiler/codegen/allocate.h"

namespace g80::codegen {
namespace {

/// An array of keys that finds the first position of the smallest key. A change of a key costs the height of a tree.
class LeastKey {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  explicit LeastKey(std::size_t places) {
    while (leaves_ < places) leaves_ *= 2;
    least_.assign(2 * leaves_, kNone);
  }
  void set(std::size_t place, std::uint64_t key) {
    std::size_t at = leaves_ + place;
    least_[at] = key;
    while ((at /= 2) > 0) {
      const std::uint64_t least = std::min(least_[2 * at], least_[2 * at + 1]);
      if (least_[at] == least) break;
      least_[at] = least;
    }
  }
  std::size_t first() const {
    std::size_t at = 1;
    while (at < leaves_) at = least_[2 * at] <= least_[2 * at + 1] ? 2 * at : 2 * at + 1;
    return at - leaves_;
  }

 private:
  std::size_t leaves_ = 1;
  std::vector<std::uint64_t> least_;  // a tree: the least key below each node
};

}  // namespace

Colouring::Colouring(const MachineFunction& function, const Liveness& liveness, const Interference& graph,
                     unsigned limit)
    : function_(function), liveness_(liveness), graph_(graph), limit_(limit) {
  for (std::uint32_t id = 0; id < function_.regs.size(); ++id) {
    if (graph_.find(id).leader == id) nodes_.push_back(id);
  }
  colour_.assign(function_.regs.size(), kNoColour);
}

unsigned Colouring::places(RegClass cls) const {
  return cls == RegClass::kGeneral ? limit_ * liveness_.per_word
         : cls == RegClass::kFlags ? kFlagRegisters
                                   : kAddressRegisters;
}

void Colouring::keep_low_places() {
  for (const std::uint32_t node : nodes_) {
    if (function_.regs[node].cls == RegClass::kGeneral) low_end_ = std::min(low_end_, graph_.end(node));
  }
}

void Colouring::run(const std::vector<double>& costs) {
  std::vector<unsigned> degree(function_.regs.size(), 0);
  std::vector<std::uint8_t> removed(function_.regs.size(), 0);
  std::vector<std::uint32_t> order, rest = nodes_;
  degree_.assign(function_.regs.size(), 0);
  for (const std::uint32_t node : nodes_) {
    degree_[node] = graph_.degree(node);
    degree[node] = degree_[node] + 4 * graph_.units(node);
  }
  std::vector<std::uint32_t> index(function_.regs.size());  // in `rest`
  LeastKey least(rest.size());
  const auto enter = [&](std::uint32_t node) {  // fixed ones are removed last, so that they are coloured first
    least.set(index[node], std::uint64_t{graph_.fixed(node) >= 0} << 32 | degree[node]);
  };
  for (std::uint32_t i = 0; i < rest.size(); ++i) {
    index[rest[i]] = i;
    enter(rest[i]);
  }
  while (!rest.empty()) {
    const std::size_t best = least.first();
    const std::uint32_t node = rest[best];
    rest[best] = rest.back();
    rest.pop_back();
    removed[node] = 1;
    order.push_back(node);
    least.set(rest.size(), LeastKey::kNone);
    if (best < rest.size()) {
      index[rest[best]] = static_cast<std::uint32_t>(best);
      enter(rest[best]);
    }
    for (unsigned w = 0; w < graph_.units(node); ++w) {
      graph_.for_each_neighbour(node, w, [&](std::uint32_t other, unsigned) {
        if (removed[other] || degree[other] == 0) return;
        --degree[other];
        enter(other);
      });
    }
  }
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    if (costs[*node] == 0) continue;  // spilled before: no instruction names it
    colour_[*node] = lowest_free(*node);
    if (colour_[*node] == kNoColour) failed_.push_back(*node);
  }
}

int Colouring::lowest_free(std::uint32_t node) const {
  const RegClass cls = function_.regs[node].cls;
  const unsigned units = graph_.units(node), count = places(cls);
  std::array<std::uint8_t, 2 * kMaxRegisters + 8> taken{};  // as the place of the node's first unit
  for (unsigned w = 0; w < units; ++w) {
    graph_.for_each_neighbour(node, w, [&](std::uint32_t other, unsigned offset) {
      if (colour_[other] == kNoColour) return;
      const int place = colour_[other] + static_cast<int>(offset) - static_cast<int>(w);
      if (place >= 0 && place < static_cast<int>(count)) taken[static_cast<unsigned>(place)] = 1;
    });
  }
  if (graph_.fixed(node) >= static_cast<int>(count)) throw OutOfRegisters();  // a called function's
  if (graph_.fixed(node) >= 0) return taken[static_cast<unsigned>(graph_.fixed(node))] ? kNoColour : graph_.fixed(node);
  const unsigned end = std::min(count, graph_.end(node));
  // other nodes leave the places below low_end_ free for those that need them
  for (unsigned place = cls == RegClass::kGeneral && end > low_end_ ? low_end_ : end; place + units <= end;
       place += graph_.align(node)) {
    if (!taken[place]) return static_cast<int>(place);
  }
  for (unsigned place = 0; place + units <= end; place += graph_.align(node)) {
    if (!taken[place]) return static_cast<int>(place);
  }
  return kNoColour;
}

}  // namespace g80::codegen
