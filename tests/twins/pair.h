// SPDX-License-Identifier: Apache-2.0
// A block and a twin of it side by side. The pair of a block says how both are configured, what they are sent, and
// which cases that was; their ports, resets and the comparison after every edge are here.
#pragma once
#include <type_traits>

#include "hw/config/config.h"
#include "tests/twins/comparison.h"
#include "tests/twins/pair_channels.h"

namespace g80::testing {

struct PairClock {
  unsigned depth = 4;       // of the queues at both
  Rate rate = Rate::kFull;  // the edges at which they run
};

template <class Block, class = void>
struct counts_in_place : std::false_type {};
template <class Block>
struct counts_in_place<Block, std::void_t<decltype(std::declval<const Block&>().counters())>>
    : std::is_reference<decltype(std::declval<const Block&>().counters())> {};

/// `Watched`: the block, or a class derived from it that shows more. `Rest`: what its constructor takes besides the
/// configuration.
template <class Block, class Watched = Block, class... Rest>
class Pair {
  static constexpr bool kConfigured = std::is_constructible_v<Watched, const char*, const Config&, Rest...>;

 public:
  using TwinBlock = Block;
  using MakeTwin = std::conditional_t<kConfigured, std::unique_ptr<Block> (*)(const char*, const Config&, Rest...),
                                      std::unique_ptr<Block> (*)(const char*, Rest...)>;
  virtual ~Pair() = default;
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  /// The first difference of the next clock cycle.
  std::optional<std::string> cycle() {
    if (is_reset_now()) {
      reset();
      ++cases_["reset"];
      if (auto found = state_difference()) return "in reset: " + *found;
      if (auto found = channels_->difference()) return "in reset: " + *found;
    }
    stimulate();
    const std::uint64_t before = clock_.activations();
    sc_core::sc_start(sc_core::sc_time(rate_ == Rate::kHalf ? 2 : 1, sc_core::SC_NS));
    const std::uint64_t ran = clock_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    if (ran == 0) ++cases_["asleep"];
    ran_ = ran != 0;
    note_cases();
    if (auto found = channels_->difference()) return found;
    if constexpr (counts_in_place<Block>::value) {
      if (auto found = difference("counters", block_.counters(), twin_.counters())) return found;
    }
    if (auto found = other_difference()) return found;
    return state_difference();
  }

 protected:
  Pair(std::mt19937& random, Cases& cases, MakeTwin make, Config config, const PairClock& clock, Rest... rest)
      : random_(random),
        cases_(cases),
        config_(std::move(config)),
        rate_(clock.rate),
        clock_("clock", 0, 1000, 2, random() % 2 != 0),
        made_block_(made([](const char* name, const auto&... args) { return std::make_unique<Watched>(name, args...); },
                         "block", rest...)),
        made_twin_(made(make, "twin", rest...)),
        block_(*made_block_),
        twin_(*made_twin_) {
    channels_ = std::make_unique<PairChannels>(block_, twin_, clock_, clock.depth);
    clock_.add(block_, rate_);
    clock_.add(twin_, rate_);
  }
  /// Before the first inputs, which change between edges.
  static void pass(Picoseconds time) { sc_core::sc_start(sc_core::sc_time(static_cast<double>(time), sc_core::SC_PS)); }

  virtual bool is_reset_now() { return rarely(600); }
  virtual void reset() { reset_both(block_, twin_); }  // and what they are sent
  virtual void stimulate() = 0;
  virtual void note_cases() = 0;  // of the edge that was
  /// In registers and queues.
  virtual std::optional<std::string> state_difference() { return drawn_difference(block_, twin_); }
  /// In what no port, counter or wave shows.
  virtual std::optional<std::string> other_difference() { return std::nullopt; }

  bool rarely(unsigned one_in) { return random_() % one_in == 0; }
  template <class T>
  Wire<T>& wire(const In<T>& port) const {
    return channels_->wire(port);
  }
  template <class Port>
  auto& queue(const Port& port) const {
    return channels_->queue(port);
  }

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  bool ran_ = false;  // both, at the last edge

 private:
  template <class Make, class... Args>
  auto made(Make make, const char* name, const Args&... args) {
    if constexpr (kConfigured) {
      return make(name, config_, args...);
    } else {
      return make(name, args...);
    }
  }

  const Rate rate_;

 protected:
  Domain clock_;

 private:
  std::unique_ptr<PairChannels> channels_;
  const std::unique_ptr<Watched> made_block_;
  const std::unique_ptr<Block> made_twin_;

 protected:
  Watched& block_;
  Block& twin_;
};

}  // namespace g80::testing
