// SPDX-License-Identifier: Apache-2.0
// Random machines of three clocks: which groups run ahead, on how many threads, in which order blocks are stepped and
// whether they sleep changes nothing that a block sees.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {

struct Ball {
  std::uint32_t number = 0;
  G80_FIELDS(number);
};
inline bool operator==(const Ball& a, const Ball& b) { return a.number == b.number; }

namespace {

using sc_core::SC_PS;
using sc_core::sc_time;

std::uint32_t mixed(std::uint32_t a, std::uint32_t b) {
  a = (a ^ b) * 2654435761u;
  return (a ^ a >> 15) * 2246822519u + 1;
}

/// Keeps each ball that comes for some time, then throws it to another clock when there is room, and sleeps between.
class Player final : public Clocked<Ball> {
 public:
  Player(const sc_core::sc_module_name& name, unsigned patience) : Clocked(name), patience_(patience) {}
  In<Ball> neighbour_i{"neighbour_i"};
  Out<Ball> thrown_o{"thrown_o"};
  CrossingIn<Ball> ball_i{"ball_i"};
  CrossingOut<Ball> ball_o{"ball_o"};
  std::uint32_t balls_at_reset = 0;
  std::uint32_t history = 0;  // all that it has done, and when
  std::uint64_t throws = 0;

 private:
  struct Held {
    Ball ball;
    Cycle until;
  };
  void next() override {
    for (; balls_at_reset > 0; --balls_at_reset) keep({balls_at_reset});
    if (neighbour_i.read().number != seen_) note(seen_ = neighbour_i.read().number);
    if (ball_i->available()) {
      keep(ball_i->front());
      ball_i->pop();
    }
    const bool due = !held_.empty() && held_.front().until <= edge();
    if (due && ball_o->can_push()) {
      note(mixed(held_.front().ball.number, history));
      ball_o->push(held_.front().ball);
      d_ = {history};
      held_.pop_front();
      ++throws;
      return;
    }
    if (ball_i->available()) return;
    if (!held_.empty() && !due) wake_at(held_.front().until);
    sleep();  // until then, or until a ball or a place comes
  }
  void drive() override { thrown_o.write(q_); }
  void keep(const Ball& ball) {
    note(ball.number);
    // Mostly short, now and then so long that all balls of the machine are held.
    const std::uint32_t chance = mixed(history, patience_);
    const Cycle least = held_.empty() ? edge() : held_.back().until;
    held_.push_back({{mixed(ball.number, 1)}, least + 1 + (chance % 8 == 0 ? chance / 8 % patience_ : chance / 8 % 4)});
  }
  void note(std::uint32_t what) { history = mixed(mixed(history, what), static_cast<std::uint32_t>(edge())); }

  const unsigned patience_;
  std::uint32_t seen_ = 0;
  std::deque<Held> held_;
};

struct Mode {
  const char* name;
  bool ahead = true, no_sleep = false, shuffled = false;
  unsigned threads = 1;
};

/// As in the GPU: the groups of the first clock run ahead up to the second one, and with threads those of the third.
/// Each ball goes round through all players: from one of the second clock to one of the others and back.
struct Machine {
  static constexpr unsigned kMeeting = 1, kOuter[] = {0, 2};

  Machine(std::uint64_t seed, const Mode& mode) {
    std::mt19937_64 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const double met = 100 + below(1500);
    const double mhz[] = {met * (25 + below(1000)) / 100, met, met * (25 + below(400)) / 100};
    const unsigned edges = 1 + below(8), groups = 1 + below(4), of_group = 1 + below(3), all = 2 * groups * of_group;
    const unsigned patience = below(2) != 0 ? 40 : 4000, num_balls = 1 + below(2 * all);
    text = fmt::format("seed {}: {}, {} and {} MHz, {} edges, {} groups of {}, {} balls, patience {}", seed, mhz[0],
                       mhz[1], mhz[2], edges, groups, of_group, num_balls, patience);
    if (mode.threads > 1) workers = std::make_unique<Workers>(mode.threads);
    for (unsigned d = 0; d < 3; ++d) {
      domains.push_back(std::make_unique<Domain>(fmt::format("clock{}", d).c_str(), d, mhz[d], 2, mode.no_sleep));
      if (mode.shuffled) domains[d]->shuffle(seed + d);
      if (workers != nullptr) domains[d]->step_groups_with(*workers), domains[d]->share_from(1);
    }
    for (const unsigned d : kOuter) {
      if (mode.ahead && (d == 0 || workers != nullptr)) domains[d]->run_groups_apart(*domains[kMeeting]);
    }
    for (unsigned i = 0; i < all; ++i) {
      for (const bool meets : {true, false}) {
        Domain& domain = meets ? *domains[kMeeting] : outer(i, all);
        if (i % of_group == 0 && i % (meets ? all : all / 2) != 0) domain.begin_group((i + 0.5) / all);
        (meets ? meeting : others).push_back(std::make_unique<Player>(named(meets, "player", i).c_str(), patience));
        domain.add(player(meets, i), below(2) != 0 ? Rate::kFull : Rate::kHalf);
        wires.push_back(std::make_unique<Wire<Ball>>(named(meets, "thrown", i).c_str()));
        player(meets, i).thrown_o(*wires.back());
      }
    }
    for (unsigned i = 0; i < all; ++i) {
      // In the second clock wires join groups, in the others not.
      meeting[i]->neighbour_i(*wires[2 * below(all)]);
      others[i]->neighbour_i(*wires[2 * (i / of_group * of_group + below(of_group)) + 1]);
      connect(*meeting[i], *domains[kMeeting], *others[i], outer(i, all), 1 + below(6), edges);
      connect(*others[i], outer(i, all), *meeting[(i + 1) % all], *domains[kMeeting], 1 + below(6), edges);
    }
    for (unsigned i = 0; i < num_balls; ++i) ++player(below(2) != 0, below(all)).balls_at_reset;
  }
  ~Machine() {
    for (auto* list : {&meeting, &others}) {
      while (!list->empty()) list->pop_back();
    }
  }
  static std::string named(bool meets, const char* what, unsigned i) {
    return fmt::format("{}_{}{}", meets ? "meeting" : "other", what, i);
  }
  Domain& outer(unsigned i, unsigned all) { return *domains[kOuter[2 * i / all]]; }
  Player& player(bool meets, unsigned i) { return *(meets ? meeting : others)[i]; }
  void connect(Player& from, Domain& writer, Player& to, Domain& reader, unsigned depth, unsigned edges) {
    queues.push_back(std::make_unique<CrossingFifo<Ball>>(fmt::format("queue{}", queues.size()).c_str(), &writer,
                                                          &reader, depth, edges, edges));
    from.ball_o(*queues.back());
    to.ball_i(*queues.back());
  }
  std::vector<std::uint32_t> histories() const {
    std::vector<std::uint32_t> all;
    for (const auto* list : {&meeting, &others}) {
      for (const auto& player : *list) all.push_back(player->history);
    }
    return all;
  }
  std::uint64_t throws() const {
    std::uint64_t sum = 0;
    for (const auto& player : meeting) sum += player->throws;
    return sum;
  }

  std::string text;
  std::vector<std::unique_ptr<Domain>> domains;
  std::unique_ptr<Workers> workers;  // ends before the domains
  std::vector<std::unique_ptr<Wire<Ball>>> wires;
  std::vector<std::unique_ptr<CrossingFifo<Ball>>> queues;
  std::vector<std::unique_ptr<Player>> meeting, others;
};

class RunAhead : public testing::SystemCTest {};

TEST_F(RunAhead, ChangesNothingThatABlockSees) {
  constexpr unsigned kMachines = 60;
  const Mode modes[] = {
      {"edge by edge, all awake", false, true}, {"edge by edge", false},         {"ahead"},
      {"ahead, all awake", true, true},         {"shuffled", true, false, true}, {"two threads", true, false, false, 2},
      {"four threads", true, false, false, 4}};
  std::mt19937_64 seeds(random_seed());
  std::uint64_t throws = 0;
  for (unsigned machine = 0; machine < kMachines; ++machine) {
    const std::uint64_t seed = seeds();
    std::vector<std::uint32_t> expected;
    for (const Mode& mode : modes) {
      renew_context();
      Machine rig(seed, mode);
      SCOPED_TRACE(rig.text + ", " + mode.name);
      Calendar::start(sc_time(7'000'000, SC_PS));
      if (expected.empty()) {
        expected = rig.histories();
        throws += rig.throws();
      }
      EXPECT_EQ(rig.histories(), expected);
    }
  }
  EXPECT_GT(throws, 100u * kMachines);
}

TEST_F(RunAhead, WhatWouldArriveAtAnEdgeThatIsPassedIsNoticed) {
  Machine rig(1, {"all awake", false, true});
  Calendar::start(sc_time(1'000'000, SC_PS));
  for (const auto& domain : rig.domains) {
    const Picoseconds passed = domain->edge_time(domain->edge());
    EXPECT_EQ(domain->first_edge_after(passed), domain->edge() + 1);
    EXPECT_THROW(domain->first_edge_after(passed - 2), ModelError);  // times are rounded
  }
}

}  // namespace
}  // namespace g80
