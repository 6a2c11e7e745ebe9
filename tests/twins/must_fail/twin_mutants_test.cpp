// SPDX-License-Identifier: Apache-2.0
// Twins with one mistake each (twin_mutants.cmake says which): the comparison that the true twins pass must refuse them
// all.
#include <gtest/gtest.h>

#include "rtl/adapters/address_unit_rtl.h"
#include "rtl/adapters/bank_conflict_rtl.h"
#include "rtl/adapters/barrier_rtl.h"
#include "rtl/adapters/coalescer_rtl.h"
#include "rtl/adapters/constant_cache_rtl.h"
#include "rtl/adapters/cta_launcher_rtl.h"
#include "rtl/adapters/decode_rtl.h"
#include "rtl/adapters/dp_rtl.h"
#include "rtl/adapters/fault_reporter_rtl.h"
#include "rtl/adapters/fetch_rtl.h"
#include "rtl/adapters/instruction_buffer_rtl.h"
#include "rtl/adapters/instruction_cache_rtl.h"
#include "rtl/adapters/line_port_rtl.h"
#include "rtl/adapters/load_table_rtl.h"
#include "rtl/adapters/operand_collector_rtl.h"
#include "rtl/adapters/reconvergence_stack_rtl.h"
#include "rtl/adapters/register_file_rtl.h"
#include "rtl/adapters/scoreboard_rtl.h"
#include "rtl/adapters/sfu_multipliers_rtl.h"
#include "rtl/adapters/sfu_rtl.h"
#include "rtl/adapters/shared_memory_rtl.h"
#include "rtl/adapters/sp_array_rtl.h"
#include "rtl/adapters/warp_scheduler_rtl.h"
#include "rtl/adapters/writeback_rtl.h"
#include "tests/support/random_seed.h"
#include "tests/twins/address_unit_pair.h"
#include "tests/twins/bank_conflict_pair.h"
#include "tests/twins/barrier_pair.h"
#include "tests/twins/coalescer_pair.h"
#include "tests/twins/constant_cache_pair.h"
#include "tests/twins/cta_launcher_pair.h"
#include "tests/twins/decode_pair.h"
#include "tests/twins/dp_pair.h"
#include "tests/twins/fault_reporter_pair.h"
#include "tests/twins/fetch_pair.h"
#include "tests/twins/instruction_buffer_pair.h"
#include "tests/twins/instruction_cache_pair.h"
#include "tests/twins/line_port_pair.h"
#include "tests/twins/load_table_pair.h"
#include "tests/twins/must_fail/selected_mutant.h"
#include "tests/twins/operand_collector_pair.h"
#include "tests/twins/reconvergence_stack_pair.h"
#include "tests/twins/register_file_pair.h"
#include "tests/twins/scoreboard_pair.h"
#include "tests/twins/sfu_multipliers_pair.h"
#include "tests/twins/sfu_pair.h"
#include "tests/twins/shared_memory_pair.h"
#include "tests/twins/sp_array_pair.h"
#include "tests/twins/warp_scheduler_pair.h"
#include "tests/twins/writeback_pair.h"

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

TEST_F(Mutant, AddressUnitWithAnyMistakeIsFound) {
  expect_all_found<testing::AddressUnitPair, AddressUnit, AddressUnitTwin, Vaddress_unit_mutants>(kAddressUnitMutants);
}

TEST_F(Mutant, BankConflictWithAnyMistakeIsFound) {
  expect_all_found<testing::BankConflictPair, BankConflict, BankConflictTwin, Vbank_conflict_mutants>(
      kBankConflictMutants);
}

TEST_F(Mutant, BarrierWithAnyMistakeIsFound) {
  expect_all_found<testing::BarrierPair, Barrier, BarrierTwin, Vbarrier_mutants>(kBarrierMutants);
}

TEST_F(Mutant, CoalescerWithAnyMistakeIsFound) {
  expect_all_found<testing::CoalescerPair, Coalescer, CoalescerTwin, Vcoalescer_mutants>(kCoalescerMutants);
}

TEST_F(Mutant, ConstantCacheWithAnyMistakeIsFound) {
  expect_all_found<testing::ConstantCachePair, ConstantCache, ConstantCacheTwin, Vconstant_cache_mutants>(
      kConstantCacheMutants);
}

TEST_F(Mutant, CtaLauncherWithAnyMistakeIsFound) {
  expect_all_found<testing::CtaLauncherPair, CtaLauncher, CtaLauncherTwin, Vcta_launcher_mutants>(kCtaLauncherMutants);
}

TEST_F(Mutant, DecodeWithAnyMistakeIsFound) {
  expect_all_found<testing::DecodePair, Decode, DecodeTwin, Vdecode_mutants>(kDecodeMutants);
}

TEST_F(Mutant, DpWithAnyMistakeIsFound) { expect_all_found<testing::DpPair, Dp, DpTwin, Vdp_mutants>(kDpMutants); }

TEST_F(Mutant, FaultReporterWithAnyMistakeIsFound) {
  expect_all_found<testing::FaultReporterPair, FaultReporter, FaultReporterTwin, Vfault_reporter_mutants>(
      kFaultReporterMutants);
}

TEST_F(Mutant, FetchWithAnyMistakeIsFound) {
  expect_all_found<testing::FetchPair, Fetch, FetchTwin, Vfetch_mutants>(kFetchMutants);
}

TEST_F(Mutant, InstructionBufferWithAnyMistakeIsFound) {
  expect_all_found<testing::InstructionBufferPair, InstructionBuffer, InstructionBufferTwin,
                   Vinstruction_buffer_mutants>(kInstructionBufferMutants);
}

TEST_F(Mutant, InstructionCacheWithAnyMistakeIsFound) {
  expect_all_found<testing::InstructionCachePair, InstructionCache, InstructionCacheTwin, Vinstruction_cache_mutants>(
      kInstructionCacheMutants);
}

TEST_F(Mutant, LinePortWithAnyMistakeIsFound) {
  expect_all_found<testing::LinePortPair, LinePort, LinePortTwin, Vline_port_mutants>(kLinePortMutants);
}

TEST_F(Mutant, LoadTableWithAnyMistakeIsFound) {
  expect_all_found<testing::LoadTablePair, LoadTable, LoadTableTwin, Vload_table_mutants>(kLoadTableMutants);
}

TEST_F(Mutant, OperandCollectorWithAnyMistakeIsFound) {
  expect_all_found<testing::OperandCollectorPair, OperandCollector, OperandCollectorTwin, Voperand_collector_mutants>(
      kOperandCollectorMutants);
}

TEST_F(Mutant, ReconvergenceStackWithAnyMistakeIsFound) {
  expect_all_found<testing::ReconvergenceStackPair, ReconvergenceStack, ReconvergenceStackTwin,
                   Vreconvergence_stack_mutants>(kReconvergenceStackMutants);
}

TEST_F(Mutant, ScoreboardWithAnyMistakeIsFound) {
  expect_all_found<testing::ScoreboardPair, Scoreboard, ScoreboardTwin, Vscoreboard_mutants>(kScoreboardMutants);
}

TEST_F(Mutant, RegisterFileWithAnyMistakeIsFound) {
  expect_all_found<testing::RegisterFilePair, RegisterFile, RegisterFileTwin, Vregister_file_mutants>(
      kRegisterFileMutants);
}

TEST_F(Mutant, SfuWithAnyMistakeIsFound) {
  expect_all_found<testing::SfuPair, Sfu, SfuTwin, Vsfu_mutants>(kSfuMutants);
}

TEST_F(Mutant, SfuMultipliersWithAnyMistakeIsFound) {
  expect_all_found<testing::SfuMultipliersPair, SfuMultipliers, SfuMultipliersTwin, Vsfu_multipliers_mutants>(
      kSfuMultipliersMutants);
}

TEST_F(Mutant, SharedMemoryWithAnyMistakeIsFound) {
  expect_all_found<testing::SharedMemoryPair, SharedMemory, SharedMemoryTwin, Vshared_memory_mutants>(
      kSharedMemoryMutants);
}

TEST_F(Mutant, SpArrayWithAnyMistakeIsFound) {
  expect_all_found<testing::SpArrayPair, SpArray, SpArrayTwin, Vsp_array_mutants>(kSpArrayMutants);
}

TEST_F(Mutant, WarpSchedulerWithAnyMistakeIsFound) {
  expect_all_found<testing::WarpSchedulerPair, WarpScheduler, WarpSchedulerTwin, Vwarp_scheduler_mutants>(
      kWarpSchedulerMutants);
}

TEST_F(Mutant, WritebackWithAnyMistakeIsFound) {
  expect_all_found<testing::WritebackPair, Writeback, WritebackTwin, Vwriteback_mutants>(kWritebackMutants);
}

}  // namespace
}  // namespace g80
