// SPDX-License-Identifier: Apache-2.0
// The seed of a test's random stimulus. The same in every run, so that a change is judged by itself; G80_TEST_SEED=N
// gives another one, G80_TEST_SEED=fresh one that no run had before. Printed: the number repeats a run.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace g80 {

inline unsigned random_seed() {
  const char* const given = std::getenv("G80_TEST_SEED");
  unsigned seed = 1;
  if (given != nullptr)
    seed = std::strcmp(given, "fresh") == 0 ? std::random_device()()
                                            : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
  std::printf("G80_TEST_SEED=%u repeats this\n", seed);
  return seed;
}

}  // namespace g80
