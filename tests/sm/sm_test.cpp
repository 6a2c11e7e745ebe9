// SPDX-License-Identifier: Apache-2.0
// The pipeline of one SM: results, dependent-issue latencies, issue rates, and stall reasons that add up.
#include "tests/sm/sm_kernels.h"

namespace g80 {
namespace {

using testing::kDataBase;
using testing::SmBench;
using SmTest = testing::SystemCTest;

// Lane l stores its value at kDataBase + 4 l.
std::vector<std::string> with_store(std::vector<std::string> body) {
  std::vector<std::string> lines = {"cvt u32 $r1 u16 $r0l", "shl b32 $r2 $r1 0x2", "add b32 $r2 $r2 0x40000"};
  lines.insert(lines.end(), body.begin(), body.end());
  lines.push_back("st b32 g14[$r2] $r3");
  lines.push_back("exit (never) nop");
  return lines;
}

TEST_F(SmTest, OneWarpStoresItsLaneNumbers) {
  SmBench bench;
  bench.code(with_store({"mov b32 $r3 $r1"}));
  ASSERT_TRUE(bench.run(1));
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(bench.get(kDataBase + 4 * l), l);
}

TEST_F(SmTest, LoadsComeBackToTheirLanes) {
  SmBench bench;
  for (unsigned l = 0; l < 32; ++l) bench.put(kDataBase + 4 * l, 1000 + 7 * l);
  bench.code(with_store({"ld b32 $r3 g14[$r2]", "add b32 $r3 $r3 0x1"}));
  ASSERT_TRUE(bench.run(1));
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(bench.get(kDataBase + 4 * l), 1001 + 7 * l);
}

TEST_F(SmTest, SharedAndConstantOperandsReachTheSps) {
  SmBench bench;
  bench.put(testing::kConstBase + 8, 500);
  bench.launch.num_params = 2;
  bench.param[1] = 41;
  // The parameter is at s[0x14].
  bench.code(with_store({"mov b32 $r3 b32 s[0x14]", "add b32 $r3 $r3 c1[0x8]", "add b32 $r3 $r3 $r1"}));
  ASSERT_TRUE(bench.run(1));
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(bench.get(kDataBase + 4 * l), 541 + l);
}

TEST_F(SmTest, AConstantOutsideItsBankReadsZero) {
  SmBench bench;
  bench.code(with_store({"mov b32 $r3 7", "add b32 $r3 $r3 c9[0x8]"}));
  ASSERT_TRUE(bench.run(1));
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(bench.get(kDataBase + 4 * l), 7u);
}

/// Cycles between the operand reads of consecutive instructions of warp 0 whose pc lies in [from, to].
std::vector<Cycle> issue_distances(const SmBench& bench, std::uint32_t from, std::uint32_t to) {
  std::vector<Cycle> out;
  Cycle last = 0;
  for (const SmLog::Issue& issue : bench.log.issue) {
    if (issue.warp != 0 || issue.fetched.pc < from || issue.fetched.pc > to) continue;
    if (last != 0) out.push_back(issue.cycle - last);
    last = issue.cycle;
  }
  return out;
}

/// An SM with room for 24 warps, as the chips have it, and one more setting.
std::vector<std::string> full_size(const std::string& setting = "") {
  std::vector<std::string> settings{"sm.max_warps=24", "sm.max_threads=768", "sm.num_registers=8192"};
  if (!setting.empty()) settings.push_back(setting);
  return settings;
}

/// The first pc of a program behind the lines of code that its warps fetch when they start.
constexpr std::uint32_t kPastFirstFetches = 0x60;

/// Cycles an instruction, over all warps, of those whose pc lies in [first_pc, end_pc).
double cycles_per_issue(const SmBench& bench, std::uint32_t first_pc, std::uint32_t end_pc) {
  Cycle first = ~Cycle{0}, last = 0;
  unsigned count = 0;
  for (const SmLog::Issue& issue : bench.log.issue) {
    if (issue.fetched.pc < first_pc || issue.fetched.pc >= end_pc) continue;
    first = std::min(first, issue.cycle);
    last = std::max(last, issue.cycle);
    ++count;
  }
  return double(last - first) / count;
}

std::vector<std::string> repeated(const std::string& line, unsigned count) {
  return std::vector<std::string>(count, line);
}

TEST_F(SmTest, DependentAluInstructionsIssueAtTheConfiguredLatency) {
  SmBench bench;
  bench.code(with_store(repeated("add b32 $r3 $r3 $r1", 12)));
  ASSERT_TRUE(bench.run(1));
  for (const Cycle distance : issue_distances(bench, 0x20, 0x70)) EXPECT_EQ(distance, bench.config.sm.alu_latency);
}

TEST_F(SmTest, DependentSfuInstructionsIssueAtTheConfiguredLatency) {
  SmBench bench;
  bench.code(with_store(repeated("rcp f32 $r3 $r3", 12)));
  ASSERT_TRUE(bench.run(1));
  for (const Cycle distance : issue_distances(bench, 0x20, 0x70)) EXPECT_EQ(distance, bench.config.sm.sfu_latency);
}

TEST_F(SmTest, DependentSharedReadsIssueAtTheConfiguredLatency) {
  SmBench bench;
  std::vector<std::string> body = repeated("mov b32 $r3 b32 s[0x10]", 1);
  for (unsigned i = 0; i < 6; ++i) body.push_back("shl $a1 $r3 0x2"), body.push_back("mov b32 $r3 b32 s[$a1+0x10]");
  bench.code(with_store(body));
  ASSERT_TRUE(bench.run(1));
  const auto distances = issue_distances(bench, 0x18, 0x80);
  ASSERT_GE(distances.size(), 12u);
  for (std::size_t i = 2; i < 12; i += 2) {
    EXPECT_EQ(distances[i], bench.config.sm.smem_latency) << i;     // a shared read to its user
    EXPECT_EQ(distances[i + 1], bench.config.sm.alu_latency) << i;  // the address to the read
  }
}

TEST_F(SmTest, DependentConstantReadsIssueAtTheConfiguredLatency) {
  SmBench bench;
  std::vector<std::string> body;
  for (unsigned i = 0; i < 8; ++i) body.push_back("ld $r3 b32 c1[$a1]"), body.push_back("shl $a1 $r3 0x2");
  bench.code(with_store(body));
  ASSERT_TRUE(bench.run(1));
  const auto distances = issue_distances(bench, 0x18, 0x18 + 15 * 8);
  ASSERT_EQ(distances.size(), 15u);
  for (std::size_t i = 4; i < 15; i += 2) EXPECT_EQ(distances[i], bench.config.sm.const_latency) << i;
}

TEST_F(SmTest, TakenBranchCostsTheConfiguredLatency) {
  SmBench bench;
  std::vector<std::string> body;
  // A branch to the next instruction is not a jump: each skips one.
  for (unsigned i = 0; i < 8; ++i)
    body.push_back(fmt::format("bra 0x{:x}", 0x18 + 16 * (i + 1))), body.push_back("trap");
  bench.code(with_store(body));
  ASSERT_TRUE(bench.run(1));
  const auto distances = issue_distances(bench, 0x18, 0x18 + 16 * 7);
  ASSERT_EQ(distances.size(), 7u);
  unsigned hits = 0;
  for (const Cycle distance : distances) hits += distance == bench.config.sm.branch_latency;
  EXPECT_GE(hits, 4u) << "the others miss the instruction cache";
}

// 14 cycles from pick to pick, and the registers in front of the control stack.
TEST_F(SmTest, ALoneWarpsBarrierPassesTheControlStackBehindItsRegisters) {
  for (const char* latency : {"sm.branch_latency=24", "sm.branch_latency=40"}) {
    renew_context();
    SmBench bench({latency});
    bench.code(with_store(repeated("bar inc wait 0x0 0xfff", 8)));
    ASSERT_TRUE(bench.run(1));
    const auto distances = issue_distances(bench, 0x18, 0x18 + 8 * 8);
    ASSERT_EQ(distances.size(), 8u);
    unsigned hits = 0;
    for (const Cycle distance : distances) hits += distance == 14 + branch_extra_cycles(bench.config);
    EXPECT_GE(hits, 5u) << latency << ": the others miss the instruction cache";
  }
}

TEST_F(SmTest, OneWarpIssuesIndependentInstructionsBackToBack) {
  SmBench bench;
  std::vector<std::string> body;
  for (unsigned i = 0; i < 48; ++i) body.push_back(fmt::format("add b32 $r{} $r0 $r1", 4 + i % 8));
  bench.code(with_store(body));
  ASSERT_TRUE(bench.run(1));
  Cycle total = 0;
  const auto distances = issue_distances(bench, kPastFirstFetches, 0x18 + 47 * 8);
  for (const Cycle distance : distances) total += distance;
  // The issue port takes four cycles; a line of eight instructions that misses the instruction cache costs some more.
  EXPECT_LT(double(total) / double(distances.size()), 5.5);
}

class WarpSweep : public testing::SystemCTest, public ::testing::WithParamInterface<unsigned> {};

// A chain of dependent instructions in every warp: each takes 24 cycles alone, six warps fill the issue port.
TEST_P(WarpSweep, SixWarpsHideTheAluLatency) {
  const unsigned warps = GetParam();
  SmBench bench(full_size());
  bench.launch.threads = bench.launch.block_x = static_cast<std::uint16_t>(32 * std::min(warps, 12u));
  bench.launch.registers = 8;
  bench.code(with_store(repeated("add b32 $r3 $r3 $r1", 40)));
  ASSERT_TRUE(bench.run(warps <= 12 ? 1 : 2));
  const double per_instruction = cycles_per_issue(bench, kPastFirstFetches, 0x18 + 40 * 8);
  RecordProperty(fmt::format("warps_{}", warps), fmt::format("{:.2f}", per_instruction));
  const double ideal = std::max(4.0, 24.0 / warps);
  EXPECT_NEAR(per_instruction, ideal, 0.15 * ideal) << warps << " warps";
}
INSTANTIATE_TEST_SUITE_P(Warps, WarpSweep, ::testing::Values(1u, 2u, 3u, 6u, 12u, 24u));

// Cycles an instruction, of 12 warps whose instructions read three registers each.
double cycles_of_mad(unsigned banks) {
  SmBench bench(full_size(fmt::format("sm.register_banks={}", banks)));
  bench.launch.threads = bench.launch.block_x = 384;
  std::vector<std::string> body;
  for (unsigned i = 0; i < 80; ++i) body.push_back(fmt::format("add f32 $r{} (mul $r0 $r1) $r2", 4 + i % 12));
  bench.code(with_store(body));
  EXPECT_TRUE(bench.run(1));
  return cycles_per_issue(bench, kPastFirstFetches, 0x18 + 80 * 8);
}

TEST_F(SmTest, ARegisterBankServesOneReadOrWriteASchedulerCycle) {
  EXPECT_NEAR(cycles_of_mad(16), 4.0, 0.1) << "three reads and a write in different banks";
  renew_context();
  EXPECT_NEAR(cycles_of_mad(1), 8.0, 0.4) << "four accesses of two shader cycles";
}

// Cycles an instruction, of 12 warps that multiply and add, and multiply, in turns, and read `registers` for both.
double cycles_of_mad_and_mul(bool sfu_mul, unsigned registers, std::uint64_t& beside) {
  SmBench bench(full_size(fmt::format("sm.sfu_mul={}", sfu_mul)));
  bench.launch.threads = bench.launch.block_x = 384;
  std::vector<std::string> body;
  for (unsigned i = 0; i < 40; ++i) {
    if (registers == 5) {
      body.push_back(fmt::format("add f32 $r{} (mul $r0 $r1) $r2", 4 + i % 6));
      body.push_back(fmt::format("mul rn f32 $r{} $r1 $r0", 10 + i % 6));
    } else {
      body.push_back(fmt::format("add f32 $r{0} (mul $r0 0x3f800000) $r{0}", 4 + i % 6));
      body.push_back(fmt::format("mul f32 $r{} $r1 0x3f800000", 10 + i % 6));
    }
  }
  bench.code(with_store(body));
  EXPECT_TRUE(bench.run(1));
  beside = bench.sm.sfu_multipliers ? bench.sm.sfu_multipliers->counters().instructions : 0;
  return cycles_per_issue(bench, kPastFirstFetches, 0x18 + 80 * 8);
}

TEST_F(SmTest, MultipliesGoToTheSfusBesideMultiplyAddsWhereTheConfigurationSaysSo) {
  std::uint64_t beside = 0;
  EXPECT_NEAR(cycles_of_mad_and_mul(false, 3, beside), 4.0, 0.2);
  EXPECT_EQ(beside, 0u);
  renew_context();
  // One goes out every scheduler cycle: 24 flops a cycle for the SM instead of 16.
  EXPECT_NEAR(cycles_of_mad_and_mul(true, 3, beside), 2.0, 0.3);
  EXPECT_GT(beside, 400u) << "of 480 multiplies";
  renew_context();
  // Five registers for two instructions through three ports of four cycles each.
  EXPECT_NEAR(cycles_of_mad_and_mul(true, 5, beside), 20.0 / 6, 0.2);
}

// Cycles an instruction, of 24 warps that add and meet a branch that nobody takes, in turns.
double cycles_of_add_and_branch(unsigned control_cycles) {
  SmBench bench(full_size(fmt::format("sm.control_cycles={}", control_cycles)));
  bench.launch.threads = bench.launch.block_x = 512;
  std::vector<std::string> body;
  for (unsigned i = 0; i < 40; ++i) {
    body.push_back(fmt::format("add f32 $r{} $r0 $r1", 4 + i % 6));
    body.push_back("(never) bra 0x0");
  }
  bench.code(with_store(body));
  EXPECT_TRUE(bench.run(1));
  return cycles_per_issue(bench, kPastFirstFetches, 0x18 + 80 * 8);
}

TEST_F(SmTest, BranchesGoOutBesideWhatTheSpsWorkOn) {
  EXPECT_NEAR(cycles_of_add_and_branch(4), 2.0, 0.2) << "an addition and a branch in four cycles";
  renew_context();
  EXPECT_NEAR(cycles_of_add_and_branch(16), 8.0, 0.8)
      << "the control unit is the limit; the warps begin one after the other";
}

TEST_F(SmTest, SpecialFunctionsGoOutBesideWhatTheSpsWorkOn) {
  SmBench bench(full_size());
  bench.launch.threads = bench.launch.block_x = 384;
  std::vector<std::string> body;
  for (unsigned i = 0; i < 20; ++i) {
    body.push_back(fmt::format("rcp f32 $r{} $r0", 4 + i % 6));
    for (unsigned k = 0; k < 3; ++k) body.push_back(fmt::format("add f32 $r{} $r0 $r1", 10 + k));
  }
  bench.code(with_store(body));
  ASSERT_TRUE(bench.run(1));
  EXPECT_NEAR(cycles_per_issue(bench, kPastFirstFetches, 0x18 + 80 * 8), 16.0 / 4, 0.3)
      << "one after the other would be 28 cycles for four";
}

// Cycles a round of twelve warps: multiply-adds, of which `shared` take an operand from s[], then `moves` reads of s[]
// and `additions`.
double cycles_of_round(unsigned port, unsigned shared, unsigned moves, unsigned additions) {
  SmBench bench(full_size(fmt::format("sm.shared_operand_cycles={}", port)));
  bench.launch.threads = bench.launch.block_x = 384;
  const unsigned round = shared + moves + additions, rounds = 72 / round;
  std::vector<std::string> body;
  for (unsigned i = 0; i < rounds; ++i) {
    for (unsigned k = 0; k < shared; ++k)
      body.push_back(fmt::format("add f32 $r{} (mul b32 s[0x10] $r1) $r0", 3 + (i * shared + k) % 6));
    for (unsigned k = 0; k < moves; ++k) body.push_back(fmt::format("mov b32 $r{} b32 s[0x20]", 9 + (i + k) % 3));
    for (unsigned k = 0; k < additions; ++k) body.push_back(fmt::format("add f32 $r{} $r0 $r1", 12 + (i + k) % 4));
  }
  bench.code(with_store(body));
  EXPECT_TRUE(bench.run(1));
  return round * cycles_per_issue(bench, kPastFirstFetches, 0x18 + rounds * round * 8);
}

// Where both ports could be busy all the time, the loose round robin reaches it only in part.
TEST_F(SmTest, TheSpsWorkOnWhileThePortOfSharedOperandsIsTaken) {
  struct Case {
    unsigned port, shared, moves, additions;
    double least, most;  // cycles; with the SPs busy as long as the port, the sum of both
  };
  for (const Case& c : {Case{6, 1, 0, 0, 6, 6}, Case{4, 1, 0, 0, 4, 4}, Case{6, 0, 1, 0, 4, 4}, Case{6, 1, 0, 1, 8, 8},
                        Case{10, 1, 0, 1, 10, 10}, Case{6, 1, 1, 0, 8, 9.3}, Case{6, 2, 0, 1, 12, 14.5}}) {
    renew_context();
    const double cycles = cycles_of_round(c.port, c.shared, c.moves, c.additions);
    EXPECT_GT(cycles, 0.95 * c.least) << c.port << ", " << c.shared << ", " << c.moves << ", " << c.additions;
    EXPECT_LT(cycles, 1.04 * c.most) << c.port << ", " << c.shared << ", " << c.moves << ", " << c.additions;
  }
}

// Cycles a round of six warps that read a word whose bank all lanes of a half-warp want, and add eight times.
double cycles_of_conflict_and_additions(unsigned replay_cycles) {
  SmBench bench(full_size(fmt::format("sm.replay_cycles={}", replay_cycles)));
  bench.launch.threads = bench.launch.block_x = 192;
  bench.launch.shared_bytes = 4096;
  std::vector<std::string> body{"and b32 $r1 $r0 0x1f", "shl $a1 $r1 0x6"};
  for (unsigned i = 0; i < 8; ++i) {
    body.push_back(fmt::format("mov b32 $r{} b32 s[$a1+0x40]", 4 + i));
    for (unsigned k = 0; k < 8; ++k) body.push_back(fmt::format("add f32 $r{} $r0 $r1", 12 + k));
  }
  bench.code(with_store(body));
  EXPECT_TRUE(bench.run(1));
  return 9 * cycles_per_issue(bench, kPastFirstFetches, 0x28 + 72 * 8);
}

TEST_F(SmTest, AnAccessWithBankConflictsIsIssuedAgainForThePassesBeyondTheFirst) {
  EXPECT_NEAR(cycles_of_conflict_and_additions(0), 64.0, 4.0) << "32 passes of the banks, the additions beside them";
  renew_context();
  EXPECT_NEAR(cycles_of_conflict_and_additions(2), 96.0, 4.0) << "30 times 2 cycles, and 9 instructions of 4";
}

// Cycles from the first to the last of `depth` joins of nested join points, where memory answers after `memory` cycles.
Cycle cycles_of_joins(unsigned depth, unsigned on_chip, unsigned memory) {
  SmBench bench({fmt::format("sm.stack_on_chip={}", on_chip)}, memory);
  std::vector<std::string> body;
  for (unsigned i = 0; i < depth; ++i) body.push_back("joinat 0x0");
  for (unsigned i = 0; i < depth; ++i) body.push_back("join (never) nop");
  bench.code(with_store(body));
  EXPECT_TRUE(bench.run(1));
  const unsigned over = depth > on_chip ? depth - on_chip : 0;
  EXPECT_EQ(bench.sm.reconvergence_stack.counters().spills, over);
  EXPECT_EQ(bench.sm.reconvergence_stack.counters().refills, over);
  unsigned writes = 0, reads = 0;
  for (const HalfWarpAccess& access : bench.accesses) {
    if (access.client != MemClient::kStack) continue;
    const unsigned number = access.op == MemOp::kWrite ? writes++ : over - 1 - reads++;
    EXPECT_EQ(access.address[0], testing::kStackBase + 8 * number);
    EXPECT_EQ(access.lanes, 1u);
    if (access.op == MemOp::kWrite) {
      EXPECT_EQ(access.data[0][0], ~0u) << "all lanes";
      EXPECT_EQ(access.data[0][1] >> 24, static_cast<std::uint32_t>(StackEntryType::kJoinat));
    }
  }
  EXPECT_EQ(writes, over);
  EXPECT_EQ(reads, over);
  return bench.log.issue.back().cycle - bench.log.issue.front().cycle;
}

TEST_F(SmTest, EachStackEntryReadBackFromMemoryCostsARoundTrip) {
  const Cycle all_on_chip = cycles_of_joins(6, 64, 200);
  renew_context();
  const Cycle round_trip = cycles_of_joins(6, 5, 200) - all_on_chip;
  EXPECT_GT(round_trip, 200u);
  EXPECT_LT(round_trip, 230u);
  for (const unsigned on_chip : {1u, 4u, 6u}) {
    renew_context();
    EXPECT_EQ(cycles_of_joins(6, on_chip, 200), all_on_chip + Cycle{6 - on_chip} * round_trip) << on_chip;
  }
  renew_context();
  EXPECT_EQ(cycles_of_joins(6, 4, 300), all_on_chip + 2 * (round_trip + 100)) << "slower memory";
}

// A break with three join points above its entry, of which nobody runs any more.
Cycle cycles_of_break(unsigned on_chip) {
  SmBench bench({fmt::format("sm.stack_on_chip={}", on_chip)});
  bench.code(with_store({"breakaddr 0x40", "joinat 0x0", "joinat 0x0", "joinat 0x0", "break"}));
  EXPECT_TRUE(bench.run(1));
  EXPECT_EQ(bench.log.issue.back().fetched.pc, 0x48u) << "the exit behind the store";
  return bench.log.issue.back().cycle - bench.log.issue.front().cycle;
}

TEST_F(SmTest, AnInstructionThatNeedsSeveralEntriesWaitsForEach) {
  const Cycle all_on_chip = cycles_of_break(64);
  renew_context();
  const Cycle one = cycles_of_break(3) - all_on_chip;
  EXPECT_GT(one, 200u);
  renew_context();
  EXPECT_EQ(cycles_of_break(1), all_on_chip + 3 * one);
}

TEST_F(SmTest, StallReasonsAddUpToTheSchedulerCycles) {
  SmBench bench;
  bench.code(with_store({"ld b32 $r3 g14[$r2]", "rcp f32 $r3 $r3", "bar inc wait 0x0 0xfff", "add b32 $r3 $r3 $r3"}));
  bench.launch.threads = bench.launch.block_x = 96;
  ASSERT_TRUE(bench.run(2));
  const WarpScheduler::Counters counters = bench.sm.warp_scheduler.counters();
  std::uint64_t sum = 0;
  for (const std::uint64_t value : counters.stall) sum += value;
  EXPECT_EQ(sum, bench.shader.edge() / 2);
  EXPECT_EQ(counters.stall[0], bench.log.issue.size());
  EXPECT_EQ(bench.log.issue.size(), bench.log.retire.size());
  EXPECT_GT(counters.stall[static_cast<unsigned>(StallReason::kMemory)], 0u);
}

// Warps that run read no register and write the only bank all the time, until the block's last thread, which has not
// got its number yet, says that they may end.
TEST_F(SmTest, ABlockStartsAlthoughItsFirstWarpsWriteTheOnlyBankAllTheTime) {
  std::vector<std::string> settings = full_size("sm.register_banks=1");
  settings.insert(settings.end(),
                  {"sm.num_dps=8", "device.compute_minor=3", "sm.launch_lanes=1", "sm.collector_units=16"});
  SmBench bench(settings);
  bench.launch.threads = bench.launch.block_x = 512;
  bench.launch.num_params = 1;  // the flag: s[0x10]
  std::vector<std::string> lines = {"mov b32 $r1 0x1ff", "cvt u32 $r2 u16 $r0l", "set $c0 # e u32 $r2 $r1",
                                    "(lg $c0) st b32 s[0x10] $r1", "loop:"};
  for (unsigned i = 0; i < 8; ++i) {
    lines.push_back(fmt::format("cvt f64 $r{}d f32 b32 s[0x10]", 4 + 2 * (i % 3)));
    lines.push_back(fmt::format("mov b32 $r{} 0x1", 10 + i % 6));
  }
  lines.insert(lines.end(), {"cvt u32 $c1 # u32 b32 s[0x10]", "(e $c1) bra @loop", "exit (never) nop"});
  bench.code(testing::resolve_labels(lines));
  unsigned waited = 0, longest = 0, starts = 0;
  bench.each_cycle = [&](unsigned) {
    waited = bench.sm.registers.Clocked<RegisterFileRegs>::registers().numbers_age != 0 ? waited + 1 : 0;
    longest = std::max(longest, waited);
    starts += bench.sm.warp_start.read().valid;
  };
  ASSERT_TRUE(bench.run(1)) << starts / kSchedulerPeriod << " of 16 warps have started";
  EXPECT_GE(longest, kSchedulerPeriod * kLongRun) << "the bank had free slots";
  EXPECT_LE(longest, kSchedulerPeriod * (kNumbersPatience + kMostWritesInARow));
}

}  // namespace
}  // namespace g80
