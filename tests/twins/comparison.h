// SPDX-License-Identifier: Apache-2.0
// What the comparison of a twin with its SystemC block is made of. Both get the same inputs and are looked at after
// every clock edge: outputs, the registers both show, counters, and whether they are awake.
#pragma once
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include <fmt/format.h>

#include "hw/bundles/smem_bundles.h"
#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "rtl/adapters/bundle_difference.h"
#include "tb/twins/twins.h"
#include "tests/support/systemc_test.h"

namespace g80::testing {

/// How often each case that matters occurred: a comparison that never met it says nothing about it.
using Cases = std::map<std::string, std::uint64_t>;

struct Comparison {
  std::string difference;  // the first one; empty: the twin is equal
  std::uint64_t cycles = 0;
  Cases cases;
};

/// As difference(), of what waves show of both: registers and queues.
inline std::optional<std::string> drawn_difference(const ClockedBase& block, const ClockedBase& twin) {
  thread_local FieldValues of_block(false), of_twin(false);
  of_block.values.clear();
  of_twin.values.clear();
  block.trace_fields(of_block);
  twin.trace_fields(of_twin);
  if (of_block.values == of_twin.values) return std::nullopt;
  FieldValues named(true);
  block.trace_fields(named);
  if (of_block.values.size() != of_twin.values.size()) return "the twin draws another number of fields";
  std::size_t i = 0;
  while (of_block.values[i] == of_twin.values[i]) ++i;
  return fmt::format("{}: block {:#x}, twin {:#x}", named.names[i], of_block.values[i], of_twin.values[i]);
}

/// A reset between two edges.
inline void reset_both(ClockedBase& block, ClockedBase& twin) {
  for (ClockedBase* each : {&block, &twin}) {
    each->hold_reset();
    each->commit();
    each->wake();
  }
}

inline Origin random_origin(std::mt19937& random) {
  Origin origin;
  origin.tag.bits = static_cast<std::uint32_t>(random());
  origin.sm = static_cast<std::uint8_t>(random());
  origin.warp = static_cast<std::uint8_t>(random());
  origin.pc = static_cast<std::uint32_t>(random()) >> 8;
  return origin;
}
/// All, some, one or none of a half-warp's lanes.
inline HalfMask random_lanes(std::mt19937& random) {
  switch (random() % 8) {
    case 0: return 0;
    case 1: return static_cast<HalfMask>(1u << random() % kHalfWarp);
    case 2: return random() % 2 != 0 ? 0xff00 : 0x00ff;
    case 3:
    case 4: return static_cast<HalfMask>(random());
    default: return 0xffff;
  }
}

/// Makes the twin of a block.
template <class Block, class... Args>
std::unique_ptr<Block> twin_of(const char* name, Args... args) {
  for (const TwinInfo& twin : twins()) {
    if (twin.block == typeid(Block))
      return std::unique_ptr<Block>(static_cast<Block*>(twin.make(name, {BlockArgument(args)...}).release()));
  }
  throw ModelError(std::string(typeid(Block).name()) + " has no twin");
}
/// Makes a twin of a type.
template <class Ports, class Twin, class... Args>
std::unique_ptr<Ports> make_twin(const char* name, Args... args) {
  return std::make_unique<Twin>(name, args...);
}

/// Runs episodes, each a fresh pair with a configuration of its own, until `cycles` have been compared or something
/// differs. Pair: Pair(std::mt19937&, Cases&, make), cycle() returns the first difference of the next clock cycle.
template <class Pair>
Comparison compare(typename Pair::MakeTwin make, std::uint32_t seed, std::uint64_t cycles) {
  constexpr unsigned kEpisodeCycles = 2500;
  Comparison result;
  std::mt19937 random(seed);
  while (result.cycles < cycles) {
    SystemCTest::renew_context();
    Pair pair(random, result.cases, make);
    try {
      for (unsigned i = 0; i < kEpisodeCycles; ++i, ++result.cycles) {
        if (const std::optional<std::string> found = pair.cycle()) {
          result.difference =
              fmt::format("seed {}, cycle {} ({}): {}", seed, result.cycles, pair.configuration(), *found);
          return result;
        }
      }
    } catch (const std::exception& error) {  // an assertion of the twin, or a check of the block
      result.difference =
          fmt::format("seed {}, cycle {} ({}): {}", seed, result.cycles, pair.configuration(), error.what());
      return result;
    }
  }
  return result;
}

}  // namespace g80::testing
