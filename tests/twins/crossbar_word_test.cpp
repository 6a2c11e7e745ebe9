// SPDX-License-Identifier: Apache-2.0
// What crosses to the outputs of a crossbar at an edge, in SystemVerilog against the function in C++.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/common/set_bits.h"
#include "hw/mem/crossbar.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/twins/clock_edge.h"
#include "tests/twins/packed_array.h"

#include "Vcrossbar_words.h"

namespace g80 {
namespace {

constexpr CrossbarRules kChip{9, 7, 2, 5}, kWide{5, 4, 3, 9};  // as in crossbar_words.sv

/// Registers that a crossbar can have: an input sends to one output at most, and asks for the next one while the last
/// word of its packet crosses.
CrossbarRegs draw(const CrossbarRules& rules, std::mt19937& random) {
  CrossbarRegs now;
  const unsigned busy = 1 + random() % 4, few = 1 + random() % rules.outputs;
  std::uint32_t sending_on = 0;
  for (unsigned output = 0; output < rules.outputs; ++output) {
    const auto last = static_cast<std::uint8_t>(random() % rules.inputs);
    now.last[output] = last;
    now.credits[output] = static_cast<std::uint16_t>(random() % (random() % 4 == 0 ? 2 * rules.largest : 60));
    if (random() % busy == 0 || (now.sending >> last & 1) != 0) continue;
    now.taken |= 1u << output;
    now.sending |= 1u << last;
    const unsigned most = random() % 2 != 0 ? rules.flits_per_cycle : rules.largest;
    now.flits_left[output] = static_cast<std::uint8_t>(1 + random() % most);
    if (now.flits_left[output] > rules.flits_per_cycle) sending_on |= 1u << last;
  }
  for (unsigned input = 0; input < rules.inputs; ++input) {
    if ((sending_on >> input & 1) != 0 || random() % 4 == 0) continue;
    now.asking |= 1u << input;
    now.wanted[input] = static_cast<std::uint8_t>(random() % few);
    now.flits[input] = static_cast<std::uint8_t>(1 + random() % (random() % 2 != 0 ? 2 : rules.largest));
  }
  return now;
}

/// What the crossbar makes of it: the registers that crossbar_word.sv has.
struct Next {
  std::array<std::uint32_t, kMaxXbarPorts> granted{}, last{}, flits_left{}, credits{};
  std::uint32_t taken = 0;
};
Next after(const CrossbarRegs& now, const CrossbarRules& rules, const CrossbarWord& word,
           const std::array<unsigned, kMaxXbarPorts>& returned) {
  Next next;
  next.taken = now.taken & ~word.ended;
  for (unsigned output = 0; output < rules.outputs; ++output) {
    const bool goes_on = (next.taken >> output & 1) != 0;
    next.last[output] = now.last[output];
    next.flits_left[output] = goes_on ? now.flits_left[output] - rules.flits_per_cycle : 0;
    next.credits[output] = now.credits[output] + returned[output];
    if ((word.granted >> output & 1) == 0) continue;
    const unsigned input = word.input[output], left = now.flits[input] - word.begun[output];
    next.granted[output] = 1u << input;
    next.last[output] = input;
    next.flits_left[output] = left;
    next.credits[output] -= now.flits[input];
    if (left != 0) next.taken |= 1u << output;
  }
  return next;
}

template <class Port, class Values>
void set(Port& port, unsigned bits, const Values& values, unsigned count) {
  std::uint64_t all = 0;
  for (unsigned i = 0; i < count; ++i) all |= std::uint64_t{values[i]} << bits * i;
  port = static_cast<Port>(all);
}

TEST(CrossbarWordTwin, GoesOnAndGrantsAsInCpp) {
  std::mt19937 random(random_seed());
  Vcrossbar_words model;
  unsigned granted = 0, waiting = 0, behind = 0, second_tails = 0, whole = 0, no_credits = 0;
  for (unsigned step = 0; step < 30'000; ++step) {
    const CrossbarRegs now = draw(kChip, random), wide = draw(kWide, random);
    std::array<unsigned, kMaxXbarPorts> returned{};
    for (unsigned& flits : returned) flits = random() % 2 * (1 + random() % kChip.largest) % 4;
    model.asking_i = static_cast<std::uint16_t>(now.asking);
    set(model.wanted_i, 3, now.wanted, 9);
    set(model.flits_i, 3, now.flits, 9);
    model.taken_i = static_cast<std::uint8_t>(now.taken);
    set(model.last_i, 4, now.last, 7);
    set(model.flits_left_i, 3, now.flits_left, 7);
    set(model.credits_i, 6, now.credits, 7);
    set(model.returned_i, 3, returned, 7);
    model.wide_asking_i = static_cast<std::uint8_t>(wide.asking);
    set(model.wide_wanted_i, 2, wide.wanted, 5);
    set(model.wide_flits_i, 4, wide.flits, 5);
    model.wide_taken_i = static_cast<std::uint8_t>(wide.taken);
    set(model.wide_last_i, 3, wide.last, 4);
    set(model.wide_flits_left_i, 4, wide.flits_left, 4);
    set(model.wide_credits_i, 7, wide.credits, 4);
    set(model.wide_returned_i, 4, returned, 4);
    testing::clock_edge(model);

    const CrossbarWord word = crossbar_word(now, kChip), wide_word = crossbar_word(wide, kWide);
    const Next next = after(now, kChip, word, returned), wide_next = after(wide, kWide, wide_word, returned);
    ASSERT_EQ(model.taken_o, next.taken) << step;
    ASSERT_EQ(model.wide_taken_o, wide_next.taken) << step;
    for (unsigned o = 0; o < 7; ++o) {
      ASSERT_EQ(testing::get(model.granted_o, 9, o), next.granted[o]) << step << " output " << o;
      ASSERT_EQ(testing::get(model.last_o, 4, o), next.last[o]) << step << " output " << o;
      ASSERT_EQ(testing::get(model.flits_left_o, 3, o), next.flits_left[o]) << step << " output " << o;
      ASSERT_EQ(testing::get(model.credits_o, 6, o), next.credits[o] & 63) << step << " output " << o;
    }
    for (unsigned o = 0; o < 4; ++o) {
      ASSERT_EQ(testing::get(model.wide_granted_o, 5, o), wide_next.granted[o]) << step << " output " << o;
      ASSERT_EQ(testing::get(model.wide_last_o, 3, o), wide_next.last[o]) << step << " output " << o;
      ASSERT_EQ(testing::get(model.wide_flits_left_o, 4, o), wide_next.flits_left[o]) << step << " output " << o;
      ASSERT_EQ(testing::get(model.wide_credits_o, 7, o), wide_next.credits[o]) << step << " output " << o;
    }

    waiting += word.waiting != 0;
    for (const unsigned output : set_bits(word.granted)) {
      ++granted;
      behind += (word.ended >> output & 1) != 0;
      whole += word.begun[output] == now.flits[word.input[output]];
    }
    for (const unsigned input : set_bits(word.waiting)) {
      const unsigned output = now.wanted[input];
      const bool free = ((now.taken & ~word.ended) >> output & 1) == 0, ends = (word.ended >> output & 1) != 0;
      if (free && now.credits[output] < kChip.largest) ++no_credits;
      if (ends && now.flits_left[output] == 1 && now.flits[input] == 1 && now.credits[output] >= kChip.largest &&
          (word.granted >> output & 1) == 0)
        ++second_tails;
    }
  }
  EXPECT_GT(granted, 3'000u);
  EXPECT_GT(waiting, 3'000u);
  EXPECT_GT(behind, 300u) << "a packet begins in the word that ends another one";
  EXPECT_GT(whole, 300u) << "a packet of one word";
  EXPECT_GT(second_tails, 100u) << "a packet that would be the second to end in a word waits";
  EXPECT_GT(no_credits, 300u);
}

}  // namespace
}  // namespace g80
