// SPDX-License-Identifier: Apache-2.0
// Every bit-exact result vector, executed by the golden reference: decode, operand fetch, arithmetic, writeback and
// flags.
//
// Rows with the same machine words are run together, one row per lane, so that ordinary and special operands share a
// warp.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "tb/golden/executor.h"
#include "tb/golden/image_port.h"
#include "tests/conformance/vector_file.h"
#include "tests/support/data_dirs.h"

namespace g80::golden {
namespace {

using conformance::hex;
using conformance::hex32;
using conformance::hex_words;
using conformance::Row;

constexpr std::uint32_t kPoison = 0xa5c35a3cu;
constexpr unsigned kNotWritten = 0xf;

isa::Arch arch_of(const std::string& chip) {
  return chip == "g80" ? isa::Arch::kSm10 : chip == "g84" ? isa::Arch::kSm11 : isa::Arch::kSm13;
}

/// One instruction on a fresh warp.
struct Bench {
  Bench(const std::vector<std::uint32_t>& words, isa::Arch arch)
      : program(words, arch), executor(program, launch), port(image) {
    launch.registers = 16;
    launch.block_x = kWarpSize;
    block.start(launch, 0);
    for (auto& r : warp().r) {
      for (auto& lane : r.lane) lane = kPoison;
    }
    for (auto& c : warp().c) {
      for (auto& lane : c.lane) lane = kNotWritten;
    }
    image.allow(0, 0x1000);
  }
  WarpState& warp() { return block.warps[0]; }
  StepStatus step() { return executor.step(block, warp(), port, &record); }
  void set64(unsigned reg, unsigned lane, std::uint64_t value) {
    warp().r[reg][lane] = static_cast<std::uint32_t>(value);
    warp().r[reg + 1][lane] = static_cast<std::uint32_t>(value >> 32);
  }
  std::uint64_t get64(unsigned reg, unsigned lane) {
    return std::uint64_t{warp().r[reg + 1][lane]} << 32 | warp().r[reg][lane];
  }

  Launch launch;
  Program program;
  Executor executor;
  MemoryImage image;
  ImagePort port;
  BlockState block;
  StepRecord record;
};

class Vectors : public testing::Test {
 protected:
  /// Calls `run` with batches of up to 32 rows that agree in chip and words, counts the rows it accepts, and reports.
  template <typename Run>
  void every_row(const char* file, std::size_t batch_limit, Run&& run) {
    const std::string directory = test::conformance_dir().value_or("no folder");
    const auto rows = conformance::read_rows(directory, file);
    if (!rows) GTEST_SKIP() << file << " is not in " << directory;
    std::size_t passed = 0;
    for (std::size_t begin = 0; begin < rows->size();) {
      std::size_t end = begin + 1;
      while (end < rows->size() && end - begin < batch_limit && same_code((*rows)[begin], (*rows)[end])) ++end;
      passed += run(&(*rows)[begin], end - begin);
      begin = end;
    }
    test::tally_rows(file, passed, rows->size());
    EXPECT_EQ(passed, rows->size());
    EXPECT_GT(rows->size(), 0u);
  }
  static bool same_code(const Row& a, const Row& b) { return a[0] == b[0] && a[2] == b[2]; }

  void complain(const Row& row, const std::string& seen) {
    if (++complaints_ > 20) return;
    std::string text;
    for (const auto& column : row) text += column + " | ";
    ADD_FAILURE() << text << "seen " << seen;
  }
  static std::string show(std::uint64_t result, unsigned flags) {
    char text[64];
    std::snprintf(text, sizeof text, "%llx flags %x", static_cast<unsigned long long>(result), flags);
    return text;
  }

  /// 32-bit instructions: r4, r5, r6 in columns 4..6, result in column 8, flags of `flag_register` in column 9.
  std::size_t run_32(const Row* rows, std::size_t count, bool column7_is_c0, unsigned flag_register) {
    Bench bench(hex_words(rows[0][2]), arch_of(rows[0][0]));
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      const Row& row = rows[i % count];
      for (unsigned reg = 4; reg <= 6; ++reg) bench.warp().r[reg][i] = hex32(row[reg]);
      if (column7_is_c0) bench.warp().c[0][i] = static_cast<std::uint8_t>(hex32(row[7]));
    }
    const std::array<LaneWords, 2> before = {bench.warp().r[6], bench.warp().r[7]};
    if (bench.step() != StepStatus::kStepped) {
      complain(rows[0], describe(bench.executor.fault()));
      return 0;
    }
    const isa::Operand& dst = bench.record.decoded->insn.dst;
    const bool half = dst.kind == isa::OperandKind::kHalf;
    const unsigned reg = half ? dst.index / 2u : dst.index;
    EXPECT_EQ(reg,
              isa::is_long(bench.record.decoded->w0) && bench.record.decoded->insn.form == isa::Form::kLong ? 7u : 6u);
    std::size_t passed = 0;
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      const Row& row = rows[i % count];
      const std::uint32_t expected = half ? (before[reg - 6][i] & 0xffff0000u) | hex32(row[8]) : hex32(row[8]);
      const unsigned flags = bench.warp().c[flag_register][i];
      const bool good = bench.warp().r[reg][i] == expected && flags == hex32(row[9]);
      if (i >= count) {
        EXPECT_TRUE(good) << "a repeated row differs between lanes";
        continue;
      }
      passed += good;
      if (!good) complain(row, show(bench.warp().r[reg][i], flags));
    }
    return passed;
  }

 protected:
  unsigned complaints_ = 0;
};

TEST_F(Vectors, IntegerResultsAreExact) {
  every_row("sem_int.tsv", kWarpSize, [&](const Row* rows, std::size_t n) { return run_32(rows, n, true, 1); });
}
TEST_F(Vectors, Fp32ResultsAreExact) {
  every_row("sem_fp32.tsv", kWarpSize, [&](const Row* rows, std::size_t n) { return run_32(rows, n, false, 0); });
}
TEST_F(Vectors, IntegerToHalfReproducesTheChipsDefect) {
  every_row("sem_quirk_i2f16.tsv", kWarpSize,
            [&](const Row* rows, std::size_t n) { return run_32(rows, n, false, 0); });
}

TEST_F(Vectors, Fp64ResultsAreExact) {
  every_row("sem_fp64.tsv", kWarpSize, [&](const Row* rows, std::size_t count) -> std::size_t {
    Bench bench(hex_words(rows[0][2]), isa::Arch::kSm13);
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      for (unsigned k = 0; k < 3; ++k) bench.set64(4 + 2 * k, static_cast<unsigned>(i), hex(rows[i % count][4 + k]));
    }
    if (bench.step() != StepStatus::kStepped) {
      complain(rows[0], describe(bench.executor.fault()));
      return 0;
    }
    const isa::Operand& dst = bench.record.decoded->insn.dst;
    EXPECT_EQ(dst.index, 10);
    const bool wide = dst.kind == isa::OperandKind::kPair;
    std::size_t passed = 0;
    for (unsigned i = 0; i < count; ++i) {
      const std::uint64_t expected =
          wide ? hex(rows[i][8]) : std::uint64_t{kPoison} << 32 | static_cast<std::uint32_t>(hex(rows[i][8]));
      const unsigned flags = bench.warp().c[0][i];
      const bool good = bench.get64(10, i) == expected && flags == hex(rows[i][9]);
      passed += good;
      if (!good) complain(rows[i], show(bench.get64(10, i), flags));
    }
    return passed;
  });
}

TEST_F(Vectors, QuadopResultsAreExact) {
  every_row("sem_quadop.tsv", kWarpSize / 4, [&](const Row* rows, std::size_t count) -> std::size_t {
    Bench bench(hex_words(rows[0][2]), arch_of(rows[0][0]));
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const Row& row = rows[l / 4 % count];
      bench.warp().r[4][l] = hex_words(row[4])[l % 4];
      bench.warp().r[6][l] = hex_words(row[5])[l % 4];
    }
    EXPECT_EQ(bench.step(), StepStatus::kStepped);
    std::size_t passed = 0;
    for (unsigned q = 0; q < count; ++q) {
      bool good = true;
      for (unsigned i = 0; i < 4; ++i) {
        good &= bench.warp().r[7][q * 4 + i] == hex_words(rows[q][6])[i];
        good &= bench.warp().c[0][q * 4 + i] == hex_words(rows[q][7])[i];
      }
      passed += good;
      if (!good) complain(rows[q], show(bench.warp().r[7][q * 4], bench.warp().c[0][q * 4]));
    }
    return passed;
  });
}

TEST_F(Vectors, SpecialFunctionResultsAreExact) {
  // op $r7 $r4, guard always; predicate field 0xf in w1[11:7].
  const auto words_of = [](const std::string& op) -> std::vector<std::uint32_t> {
    constexpr std::uint32_t kOperands = 7u << 2 | 4u << 9, kAlwaysGuard = 0x780;
    struct Encoding {
      const char* name;
      std::uint32_t w0, w1;
    };
    constexpr Encoding kEncodings[] = {{"rcp", 0x90000001, 0x00000000},    {"rsqrt", 0x90000001, 0x40000000},
                                       {"lg2", 0x90000001, 0x60000000},    {"sin", 0x90000001, 0x80000000},
                                       {"cos", 0x90000001, 0xa0000000},    {"ex2", 0x90000001, 0xc0000000},
                                       {"presin", 0xb0000001, 0xc0000000}, {"preex2", 0xb0000001, 0xc0004000}};
    for (const Encoding& e : kEncodings) {
      if (op == e.name) return {e.w0 | kOperands, e.w1 | kAlwaysGuard};
    }
    return {};
  };
  every_row("sem_sfu.tsv", 1, [&](const Row* rows, std::size_t) -> std::size_t {
    Bench bench(words_of(rows[0][0]), isa::Arch::kSm10);
    for (auto& lane : bench.warp().r[4].lane) lane = hex32(rows[0][1]);
    EXPECT_EQ(bench.step(), StepStatus::kStepped);
    const bool good = bench.warp().r[7][0] == hex32(rows[0][2]) && bench.warp().r[7][31] == hex32(rows[0][2]);
    if (!good) complain(rows[0], show(bench.warp().r[7][0], 0));
    return good;
  });
}

TEST_F(Vectors, AtomicResultsAreExact) {
  every_row("sem_atom.tsv", kWarpSize, [&](const Row* rows, std::size_t count) -> std::size_t {
    Bench bench(hex_words(rows[0][2]), arch_of(rows[0][0]));
    const bool wide = rows[0][1] == "atom64", returns = rows[0][8] != "-";
    for (unsigned i = 0; i < count; ++i) {
      bench.warp().r[0][i] = i * 8;
      if (wide) {
        bench.set64(4, i, hex(rows[i][5]));
        bench.set64(6, i, hex(rows[i][6]));
      } else {
        bench.warp().r[5][i] = hex32(rows[i][5]);
        bench.warp().r[6][i] = hex32(rows[i][6]);
      }
      const std::uint64_t old_value = hex(rows[i][4]);
      std::memcpy(bench.image.at(i * 8), &old_value, 8);
    }
    bench.warp().active = count == kWarpSize ? ~LaneMask{0} : (LaneMask{1} << count) - 1;
    if (bench.step() != StepStatus::kStepped) {
      complain(rows[0], describe(bench.executor.fault()));
      return 0;
    }
    std::size_t passed = 0;
    for (unsigned i = 0; i < count; ++i) {
      std::uint64_t memory = 0;
      std::memcpy(&memory, bench.image.at(i * 8), wide ? 8 : 4);
      const std::uint64_t returned = wide ? bench.get64(8, i) : bench.warp().r[7][i];
      const bool good = memory == hex(rows[i][7]) && (!returns || returned == hex(rows[i][8]));
      passed += good;
      if (!good) complain(rows[i], show(memory, 0) + " returned " + show(returned, 0));
    }
    return passed;
  });
}

}  // namespace
}  // namespace g80::golden
