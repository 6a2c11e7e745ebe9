// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/order_blocks.h"

#include <cstdint>
#include <utility>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

using Set = std::vector<std::uint8_t>;  // of blocks, by number

class Orderer {
 public:
  Orderer(const std::vector<Block>& blocks, const std::vector<std::vector<std::size_t>>& next)
      : blocks_(blocks), next_(next) {
    for (std::size_t i = 0; i < blocks.size(); ++i) order_.push_back(i);
    places_ = order_;
  }

  std::vector<std::size_t> run() {
    for (std::size_t moves = 0; moves < blocks_.size() && move_one(); ++moves) {
      for (std::size_t i = 0; i < order_.size(); ++i) places_[order_[i]] = i;
    }
    return order_;
  }

 private:
  bool move_one() {
    for (const std::size_t from : order_) {
      for (const std::size_t to : next_[from]) {
        if (places_[to] > places_[from] || is_statement(blocks_[to].name) || begins_loop(to, from)) continue;
        move_behind(from, to);
        return true;
      }
    }
    return false;
  }

  /// The blocks that can be reached from one, not through those of `without`.
  Set reached(std::size_t from, const Set& without) const {
    Set seen(blocks_.size(), 0);
    std::vector<std::size_t> work{from};
    while (!work.empty()) {
      const std::size_t block = work.back();
      work.pop_back();
      if (seen[block] != 0 || without[block] != 0) continue;
      seen[block] = 1;
      work.insert(work.end(), next_[block].begin(), next_[block].end());
    }
    return seen;
  }

  /// True if a block leads to `last`, which leads back to it, not through a block on all ways to it.
  bool begins_loop(std::size_t block, std::size_t last) {
    if (in_front_.empty()) find_in_front();
    Set without = in_front_[block];
    without[block] = 0;
    return reached(block, without)[last] != 0;
  }

  /// For each block those on all ways to it, itself included.
  void find_in_front() {
    const std::size_t count = blocks_.size();
    in_front_.assign(count, Set(count, 1));
    in_front_[0].assign(count, 0);
    in_front_[0][0] = 1;
    for (bool again = true; std::exchange(again, false);) {
      for (std::size_t from = 0; from < count; ++from) {
        for (const std::size_t to : next_[from]) {
          for (std::size_t i = 0; i < count; ++i) {
            if (i == to || in_front_[to][i] == 0 || in_front_[from][i] != 0) continue;
            in_front_[to][i] = 0;
            again = true;
          }
        }
      }
    }
  }

  /// Moves a block, and what can only be reached through it, behind the one that jumps back to it, and behind the loops
  /// around that which begin behind it.
  void move_behind(std::size_t jump, std::size_t block) {
    std::size_t behind = places_[jump];
    for (std::size_t place = behind; place < order_.size(); ++place) {
      for (const std::size_t first : next_[order_[place]]) {
        if (places_[first] <= places_[jump] && places_[block] < places_[first]) behind = place;
      }
    }
    std::vector<std::size_t> front, moved, rest;
    for (std::size_t place = 0; place < order_.size(); ++place) {
      const std::size_t one = order_[place];
      (place > behind ? rest : in_front_[one][block] != 0 ? moved : front).push_back(one);
    }
    order_ = std::move(front);
    order_.insert(order_.end(), moved.begin(), moved.end());
    order_.insert(order_.end(), rest.begin(), rest.end());
  }

  const std::vector<Block>& blocks_;
  const std::vector<std::vector<std::size_t>>& next_;
  std::vector<std::size_t> order_, places_;  // the numbers of the blocks; the place of each
  std::vector<Set> in_front_;
};

}  // namespace

bool is_statement(std::string_view name) {
  return starts_with(name, "for.") || starts_with(name, "while.") || starts_with(name, "do.");
}

void order_blocks(std::vector<Block>& blocks, const std::vector<std::vector<std::size_t>>& next) {
  std::vector<Block> ordered;
  for (const std::size_t block : Orderer(blocks, next).run()) ordered.push_back(std::move(blocks[block]));
  blocks = std::move(ordered);
}

}  // namespace g80::cuda
