// SPDX-License-Identifier: Apache-2.0
// Twins with one mistake each (twin_mutants.cmake says which): the comparison that the true twins pass must refuse them
// all.
#include <gtest/gtest.h>

#include "rtl/adapters/bank_conflict_rtl.h"
#include "rtl/adapters/coalescer_rtl.h"
#include "rtl/adapters/warp_scheduler_rtl.h"
#include "tests/support/random_seed.h"
#include "tests/twins/bank_conflict_pair.h"
#include "tests/twins/coalescer_pair.h"
#include "tests/twins/must_fail/selected_mutant.h"
#include "tests/twins/warp_scheduler_pair.h"

#include "twin_mutants.h"

namespace g80 {
namespace {

class Mutant : public testing::SystemCTest {
 protected:
  /// Every mistake of a model that has them all, and that without one nothing is found.
  template <class Pair, class Block, template <class> class Twin, class Model>
  static void expect_all_found(unsigned mutants) {
    const auto seed = random_seed() + 1;
    for (unsigned mutant = 0; mutant <= mutants; ++mutant) {
      testing::selected_mutant = mutant;
      const std::string difference =
          testing::compare<Pair>(testing::make_twin<Block, Twin<testing::SelectedMutant<Model>>>, seed,
                                 mutant == 0 ? 2'500 : 100'000)
              .difference;
      EXPECT_EQ(difference == "", mutant == 0) << "mistake " << mutant << ": " << difference;
      std::printf("%u: %s\n", mutant, difference.c_str());
    }
  }
};

TEST_F(Mutant, BankConflictWithAnyMistakeIsFound) {
  expect_all_found<testing::BankConflictPair, BankConflict, BankConflictTwin, Vbank_conflict_mutants>(
      kBankConflictMutants);
}

TEST_F(Mutant, CoalescerWithAnyMistakeIsFound) {
  expect_all_found<testing::CoalescerPair, Coalescer, CoalescerTwin, Vcoalescer_mutants>(kCoalescerMutants);
}

TEST_F(Mutant, WarpSchedulerWithAnyMistakeIsFound) {
  expect_all_found<testing::WarpSchedulerPair, WarpScheduler, WarpSchedulerTwin, Vwarp_scheduler_mutants>(
      kWarpSchedulerMutants);
}

}  // namespace
}  // namespace g80
