// SPDX-License-Identifier: Apache-2.0
// Every twin against its SystemC block: equal at each of 300 000 clock edges of random traffic, in all configurations,
// and the traffic has met every case that matters.
#include <gtest/gtest.h>

#include "rtl/adapters/cache_straps.h"
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

namespace g80 {
namespace {

constexpr std::uint64_t kCycles = 300'000;

/// "reset; asleep" are two cases.
std::vector<std::string> each_of(const std::string& cases) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at <= cases.size();) {
    const std::size_t end = std::min(cases.find("; ", at), cases.size());
    list.push_back(cases.substr(at, end - at));
    at = end + 2;
  }
  return list;
}

class Twin : public testing::SystemCTest {
 protected:
  static std::uint32_t seed() { return random_seed() + 1; }
  template <class Pair>
  static void expect_equal(const std::vector<std::string>& cases, std::uint64_t cycles = kCycles) {
    const auto comparison = testing::compare<Pair>(testing::twin_of<typename Pair::TwinBlock>, seed(), cycles);
    EXPECT_EQ(comparison.difference, "");
    EXPECT_GE(comparison.cycles, cycles);
    for (const std::string& one : cases) {
      const auto found = comparison.cases.find(one);
      EXPECT_GE(found == comparison.cases.end() ? 0 : found->second, 50u) << "the traffic hardly met: " << one;
    }
    std::printf("seed %u, %llu cycles:", seed(), static_cast<unsigned long long>(comparison.cycles));
    for (const auto& [name, count] : comparison.cases)
      std::printf(" %s %llu;", name.c_str(), static_cast<unsigned long long>(count));
    std::printf("\n");
  }
};

TEST_F(Twin, AddressUnitIsEqualAtEveryEdge) {
  expect_equal<testing::AddressUnitPair>(each_of(
      "reset; asleep; dispatch; dispatch beside a second half-warp; increment; c[] at one address; "
      "c[] outside its bank; head of s[]; shared memory makes it wait; the texture unit makes it wait; "
      "load without lanes; 64 loads; fourth word of a lane; stores fill their queue; "
      "store to memory waits for one to s[]; accesses on chip fill their queue; "
      "accesses to memory fill their queue; fault in the first half-warp; fault in the second half-warp; "
      "fault of an address in the instruction; fault MISALIGNED_ADDRESS; fault GLOBAL_LIMIT; fault LOCAL_LIMIT; "
      "fault SHARED_LIMIT; addresses of other lanes follow; a control stack's entries go first meanwhile; "
      "in order, 4 bytes; in order, 8 bytes; in order, 16 bytes; READ of GLOBAL; WRITE of GLOBAL; "
      "REDUCE of GLOBAL; ATOMIC of GLOBAL; READ of LOCAL; WRITE of LOCAL; READ of STACK; WRITE of STACK"));
}

TEST_F(Twin, BankConflictIsEqualAtEveryEdge) {
  expect_equal<testing::BankConflictPair>(
      each_of("reset; asleep; request refused; queue full; wait between passes; request without lanes; "
              "read without conflict; write without conflict; some conflict; read of 16 passes; write of 16 passes"));
}

TEST_F(Twin, BarrierIsEqualAtEveryEdge) {
  std::vector<std::string> cases = each_of(
      "reset; asleep; warp of a full block starts; divergent; several warps let through; arrives and goes on; "
      "waits for others; waits where no warp has arrived; first to come to a barrier that opens by an end; "
      "opened by the end and the arrival of the last two; opened by an end beside one opened by an arrival; "
      "live: opened by an end; live: several opened by an end; live: missed");
  for (const std::string policy : {"live: ", "launched: "}) {
    for (const char* each : {"opened by the last arrival", "arrival beside an end in its block"})
      cases.push_back(policy + each);
  }
  constexpr std::uint64_t kEdges = 1'000'000;  // ends that open barriers beside arrivals are rare
  expect_equal<testing::BarrierPair>(cases, kEdges);
}

TEST_F(Twin, CoalescerIsEqualAtEveryEdge) {
  std::vector<std::string> cases = each_of(
      "reset; asleep; idle; transaction refused; accesses wait; access without lanes; queue full; "
      "lanes share a word");
  for (const std::string rule : {"strict rule: ", "segment rule: "}) {
    for (const std::string& each :
         each_of("coalesced; uncoalesced; 16 transactions; atomic; local; control stack; store of 32 bytes; "
                 "store of 64 bytes; store of 128 bytes")) {
      cases.push_back(rule + each);
    }
  }
  expect_equal<testing::CoalescerPair>(cases);
}

TEST_F(Twin, ConstantCacheIsEqualAtEveryEdge) {
  std::vector<std::string> cases = each_of(
      "reset; asleep; request refused; 32 requests; answered at once; request beside a line; "
      "line between passes; pass with a rest; merge; miss waits; no miss register; 32 lines on their way; "
      "no place to wait; line that cannot be read; new kernel with lines on their way; new kernel beside a line");
  for (const std::string_view policy : kReplacementPoliciesOfTheTwins) {
    for (const char* each : {"hit", "miss"}) cases.push_back(fmt::format("{}: {}", policy, each));
  }
  for (const std::string kind : {"direct: ", "half-warp: "}) {
    for (const char* each : {"all read", "some fail", "all fail"}) cases.push_back(kind + each);
  }
  expect_equal<testing::ConstantCachePair>(cases);
}

TEST_F(Twin, CtaLauncherIsEqualAtEveryEdge) {
  expect_equal<testing::CtaLauncherPair>(
      each_of("reset; asleep; new grid; a block waits for the last row; no header; header cut short; longest header; "
              "address unit takes no words; no room for numbers; lanes without threads; warp of fewer threads; "
              "rows longer than a warp; three dimensions; one thread in a row; 8 blocks; block of 16 warps; "
              "slot of a block that has just ended; "
              "block ends; block ends while another begins; several blocks over; no room for a report; idle; "
              "a fetch waits; an access is on its way"),
      2 * kCycles);
}

TEST_F(Twin, DecodeIsEqualAtEveryEdge) {
  std::vector<std::string> cases = {"reset",          "asleep",         "page absent",   "1 instructions",
                                    "2 instructions", "3 instructions", "4 instructions"};
  for (unsigned i = 0; i < enum_text(isa::DecodeError{}).count; ++i)
    cases.push_back(enum_text(isa::DecodeError{}).names[i]);
  expect_equal<testing::DecodePair>(cases);
}

// All registers of all lanes are compared at each edge, so there are fewer edges.
TEST_F(Twin, DpIsEqualAtEveryEdge) {
  constexpr std::uint64_t kEdges = 100'000;
  std::vector<std::string> cases = each_of(
      "reset; asleep; one behind the other; announced; no padding; add; multiply; multiply and add; integral; "
      "absolute, negated");
  for (const unsigned lanes : {1, 2, 4, 8}) cases.push_back(fmt::format("result of {} lanes a cycle", lanes));
  for (unsigned i = 0; i < 4; ++i) cases.push_back(fmt::format("rounding {}", i));
  for (unsigned i = 0; i < enum_text(dp::Operation{}).count; ++i)
    cases.push_back(fmt::format("operation {}", enum_text(dp::Operation{}).names[i]));
  for (unsigned i = 0; i < enum_text(dp::Type{}).count; ++i) {
    cases.push_back(fmt::format("from {}", enum_text(dp::Type{}).names[i]));
    cases.push_back(fmt::format("to {}", enum_text(dp::Type{}).names[i]));
  }
  expect_equal<testing::DpPair>(cases, kEdges);
}

TEST_F(Twin, FaultReporterIsEqualAtEveryEdge) {
  expect_equal<testing::FaultReporterPair>(
      each_of("reset; asleep; no room; two faults at once; fault after the first; fault beside the start of its warp; "
              "fault of source 0; fault of source 1; fault of source 2; fault of source 3"));
}

TEST_F(Twin, FetchIsEqualAtEveryEdge) {
  expect_equal<testing::FetchPair>(
      each_of("reset; asleep; start and redirect of one warp; request waits; request withdrawn; 4 bytes; 8 bytes; "
              "16 bytes; fetch of the warp whose group arrives; group of an old epoch; "
              "waits for a fetch of 128 epochs ago"));
}

TEST_F(Twin, InstructionBufferIsEqualAtEveryEdge) {
  expect_equal<testing::InstructionBufferPair>(
      each_of("reset; asleep; group of an old epoch; buffer full; pick beside an arrival; "
              "last one picked beside an arrival; redirect beside an arrival; redirect beside a pick; "
              "start and redirect of one warp"));
}

TEST_F(Twin, InstructionCacheIsEqualAtEveryEdge) {
  std::vector<std::string> cases = each_of(
      "reset; asleep; queue full; merge; hit of one cycle; miss waits; no miss register; 32 lines on their way; "
      "no place to wait; line that cannot be read; new kernel with lines on their way; new kernel beside a line");
  for (const std::string_view policy : kReplacementPoliciesOfTheTwins) {
    for (const char* each : {"hit", "miss"}) cases.push_back(fmt::format("{}: {}", policy, each));
  }
  expect_equal<testing::InstructionCachePair>(cases);
}

TEST_F(Twin, LinePortIsEqualAtEveryEdge) {
  expect_equal<testing::LinePortPair>(
      each_of("reset; asleep; both caches miss; instruction queue full; constant queue full; link full; "
              "turn of the constant cache; instruction line waits; constant line waits; both lines offered"));
}

TEST_F(Twin, LoadTableIsEqualAtEveryEdge) {
  std::vector<std::string> cases = each_of(
      "reset; asleep; 64 loads; load without lanes; load without a register; 2 words, one by one; "
      "4 words, one by one; memory and texture unit at once; several wait for writeback; writeback has no room; "
      "entry of a control stack; fault of a load; fault of an atomic; fault of a store; "
      "fault of a control stack; fault of a texture; fault after the first");
  for (const unsigned halves : {2, 4, 6, 8}) cases.push_back(fmt::format("{} half registers", halves));
  for (const isa::MemType type : {isa::MemType::kU8, isa::MemType::kS8, isa::MemType::kU16, isa::MemType::kS16,
                                  isa::MemType::kB32, isa::MemType::kB64, isa::MemType::kB128}) {
    cases.push_back(fmt::format("load of type {}", static_cast<unsigned>(type)));
  }
  for (const isa::MemType type : {isa::MemType::kB32, isa::MemType::kB64})
    cases.push_back(fmt::format("atomic of type {}", static_cast<unsigned>(type)));
  for (unsigned mask = 0; mask < 16; ++mask) cases.push_back(fmt::format("components {:x}", mask));
  expect_equal<testing::LoadTablePair>(cases);
}

// All ports are compared at each edge, so there are fewer edges.
TEST_F(Twin, OperandCollectorIsEqualAtEveryEdge) {
  constexpr std::uint64_t kEdges = 200'000;
  expect_equal<testing::OperandCollectorPair>(
      each_of("reset; asleep; all units taken; several units freed; no room for results; register; half of a register; "
              "wide word; all ports bring a register; s[] operand; c[] operand; c[] operand outside its bank; fault; "
              "access with operands; access without operands; access beside an s[] operand; upper half-warp; "
              "control event; vote; lock granted; several leave; to the SPs; to the SFUs; to the multipliers; "
              "to the fp64 unit; sixteen parts"),
      kEdges);
}

TEST_F(Twin, ReconvergenceStackIsEqualAtEveryEdge) {
  std::vector<std::string> cases = each_of(
      "reset; asleep; diverges; spill; refill; waits again at once; goes on as its entry comes; "
      "instruction and entry at once; executed as it comes; queue to memory full; access refused; "
      "entry overwritten; arrival; ends; ends with several entries; drops several entries; 255 entries or more; "
      "limited call; call beyond the limit; break that jumps; return that jumps; exit of some; "
      "join of the first side; join of the second side; quadpop; branch that does not jump");
  for (const std::string& fault : each_of(
           "ILLEGAL_INSTRUCTION; UNALIGNED_LONG_INSTRUCTION; TRAP; STACK_OVERFLOW; STACK_UNDERFLOW; STACK_MISMATCH; "
           "QUADON_ACTIVE; BREAKPOINT"))
    cases.push_back(fmt::format("fault {}", fault));
  constexpr std::uint64_t kEdges = 600'000;  // most faults are rare, and only the first after a reset shows
  expect_equal<testing::ReconvergenceStackPair>(cases, kEdges);
}

TEST_F(Twin, RegisterFileIsEqualAtEveryEdge) {
  constexpr std::uint64_t kEdges = 150'000;  // wide ports
  std::vector<std::string> cases = each_of(
      "reset; asleep; a read waits for its bank; a read waits for a port; several units read; "
      "several banks are read; the last read of a unit; zeros are read; odd number of banks; "
      "numbers get a slot; no room for numbers; reads wait for numbers; $r0 waits for its numbers; "
      "$r0 is written before its numbers; $c is read as it is written; $a is read as it is written; "
      "$a is read as it is incremented; an instruction that is an error; texture; half; pair; quad; "
      "an unwritten row is read; lanes of an unwritten row are written");
  for (const unsigned lanes : {2, 4, 8, 16}) cases.push_back(fmt::format("{} lanes are late", lanes));
  for (unsigned word = 0; word < kOperandWords; ++word) cases.push_back(fmt::format("word {}", word));
  expect_equal<testing::RegisterFilePair>(cases, kEdges);
}

TEST_F(Twin, ScoreboardIsEqualAtEveryEdge) {
  std::vector<std::string> cases = each_of(
      "reset; asleep; group of an old epoch; last one picked beside an arrival; pick with a hazard; "
      "pick beside a release of its warp; two of a warp finish; as many finish as can; "
      "ended with instructions in flight; 64 of a warp in flight; start in a slot with pending results; "
      "start and redirect of one warp; redirect beside a pick; ready; wait_control; wait_barrier; wait_memory; "
      "wait_alu; wait_drain; multiply; shared; load; drained");
  for (unsigned i = 0; i < enum_text(isa::Unit{}).count; ++i)
    cases.push_back(fmt::format("unit {}", enum_text(isa::Unit{}).names[i]));
  expect_equal<testing::ScoreboardPair>(cases);
}

// All registers of all units are compared at each edge, so there are fewer edges.
TEST_F(Twin, SfuIsEqualAtEveryEdge) {
  constexpr std::uint64_t kEdges = 150'000;
  std::vector<std::string> cases = {"reset",     "asleep",    "one behind the other", "saturated", "absolute, negated",
                                    "announced", "no padding"};
  for (const unsigned lanes : {1, 2, 4}) cases.push_back(fmt::format("result of {} lanes a cycle", lanes));
  for (unsigned i = 0; i < enum_text(sfu::Function{}).count; ++i)
    cases.push_back(fmt::format("function {}", enum_text(sfu::Function{}).names[i]));
  expect_equal<testing::SfuPair>(cases, kEdges);
}

// All registers of all lanes are compared at each edge, so there are fewer edges.
TEST_F(Twin, SfuMultipliersIsEqualAtEveryEdge) {
  constexpr std::uint64_t kEdges = 150'000;
  std::vector<std::string> cases = each_of(
      "reset; asleep; one behind the other; saturated; toward zero; to nearest; both negated; one negated; "
      "announced");
  for (const unsigned lanes : {4, 8}) cases.push_back(fmt::format("result of {} lanes a cycle", lanes));
  expect_equal<testing::SfuMultipliersPair>(cases, kEdges);
}

TEST_F(Twin, SharedMemoryIsEqualAtEveryEdge) {
  std::vector<std::string> cases = each_of(
      "reset; asleep; block begins; sign extended; request without lanes; last of several passes; "
      "answer while the next one is gathered; gets a lock; gets several locks; gets no lock; holds all it may; "
      "gives back its last lock; unlocks what it does not hold; a warp with a lock ends; "
      "block begins beside a pass; an unwritten word is read; a word with unwritten bytes is read");
  for (const unsigned bytes : {1, 2, 4}) {
    for (const char* each : {"read", "write"}) cases.push_back(fmt::format("{} of {} bytes", each, bytes));
  }
  expect_equal<testing::SharedMemoryPair>(cases);
}

// All registers of all lanes are compared at each edge, so there are fewer edges.
TEST_F(Twin, SpArrayIsEqualAtEveryEdge) {
  constexpr std::uint64_t kEdges = 200'000;
  std::vector<std::string> cases = each_of(
      "reset; asleep; one behind the other; quadop; saturated; vote; ld lock; pmevent; no padding; announced; "
      "result");
  for (unsigned i = 0; i < enum_text(SpPath{}).count; ++i)
    cases.push_back(fmt::format("path {}", enum_text(SpPath{}).names[i]));
  for (unsigned i = 0; i < enum_text(SpFlags{}).count; ++i)
    cases.push_back(fmt::format("flags {}", enum_text(SpFlags{}).names[i]));
  expect_equal<testing::SpArrayPair>(cases, kEdges);
}

TEST_F(Twin, WarpSchedulerIsEqualAtEveryEdge) {
  std::vector<std::string> cases = each_of(
      "reset; asleep; every unit is free again; issued to the SFUs; issued to the multipliers of the SFUs; "
      "issued with an operand from s[]; issued to the fp64 unit; issued to the control unit; issued a load; "
      "issued a wide instruction; replay; replay beside an issue; same warp again; last warp slot; one that was passed "
      "over goes first");
  for (unsigned i = 0; i < kNumStallReasons; ++i) cases.push_back(enum_text(StallReason{}).names[i]);
  for (const auto& policy : kSchedulerPoliciesOfTheTwin) cases.push_back(fmt::format("issued under {}", policy.text));
  expect_equal<testing::WarpSchedulerPair>(cases);
}

// All ports are compared at each edge, so there are fewer edges.
TEST_F(Twin, WritebackIsEqualAtEveryEdge) {
  constexpr std::uint64_t kEdges = 200'000;
  std::vector<std::string> cases = each_of(
      "reset; asleep; one waits for its bank; a result and a load wait; values kept in the queue; "
      "late by a cycle; all places for results are taken; announced beside a part; five finish; "
      "two write flags; address register; half of a register; high word; pair in two cycles; several banks; "
      "odd number of banks; load without a register; control event of another unit; left to loads; "
      "left to the SPs");
  for (unsigned i = 0; i < kExecUnits; ++i)
    cases.push_back(fmt::format("lanes of {} are late", enum_text(ExecUnit{}).names[i]));
  for (const std::string& each :
       each_of("16 lanes of SP; 2 lanes of SFU; 4 lanes of SFU; 8 lanes of SFU; 8 lanes of MULTIPLY; "
               "16 lanes of MULTIPLY; 2 lanes of DP; 4 lanes of DP; 8 lanes of DP; 16 lanes of DP"))
    cases.push_back(each);
  expect_equal<testing::WritebackPair>(cases, kEdges);
}

}  // namespace
}  // namespace g80
