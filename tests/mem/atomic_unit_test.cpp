// SPDX-License-Identifier: Apache-2.0
// The partition's atomic unit against the chip's results, the reference and the programming guide's definitions.
#include "hw/mem/atomic_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "hw/isa/encoding.h"
#include "tb/golden/semantics.h"
#include "tests/conformance/vector_file.h"
#include "tests/support/atomic_definition.h"
#include "tests/support/data_dirs.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

/// What an atomic leaves in memory, through both stages.
std::uint64_t left_by(unsigned op, bool is_signed, unsigned bytes, std::uint64_t old_value, std::uint64_t b,
                      std::uint64_t c) {
  const AtomicOperation atomic{static_cast<std::uint8_t>(op), is_signed, bytes == 8, b, c};
  return atomic_result(atomic, old_value, atomic_sums(atomic, old_value));
}

TEST(AtomicUnit, GivesTheResultsOfTheChip) {
  const std::string directory = test::conformance_dir().value_or("no folder");
  const auto rows = conformance::read_rows(directory, "sem_atom.tsv");
  if (!rows) GTEST_SKIP() << "sem_atom.tsv is not in " << directory;
  ASSERT_FALSE(rows->empty());
  for (const conformance::Row& row : *rows) {
    const auto words = conformance::hex_words(row[2]);
    isa::Instruction insn;
    ASSERT_EQ(isa::decode(words[0], words[1], isa::Arch::kSm13, insn), isa::DecodeError::kNone) << row[3];
    const unsigned bytes = row[1] == "atom64" ? 8 : 4;
    const std::uint64_t left = left_by(static_cast<unsigned>(insn.atom_op), insn.mem_type == isa::MemType::kS32, bytes,
                                       conformance::hex(row[4]), conformance::hex(row[5]), conformance::hex(row[6]));
    ASSERT_EQ(left, conformance::hex(row[7])) << row[3] << ": " << row[4] << " " << row[5] << " " << row[6];
  }
}

// Every number that the field of an instruction can hold; values that are often near or equal.
TEST(AtomicUnit, AgreesWithReferenceAndDefinitionForEveryOperationNumber) {
  std::mt19937_64 random(random_seed());
  for (unsigned n = 0; n < 1000000; ++n) {
    const unsigned op = n % 16, bytes = n / 16 % 2 != 0 ? 8 : 4;
    const bool is_signed = n / 32 % 2 != 0;
    const auto [edge, other_edge] = testing::atomic_operands(static_cast<unsigned>(random() % 36));
    const std::uint64_t old_value = n / 64 % 2 != 0 ? random() : std::uint64_t{edge} << 32 | edge;
    std::uint64_t b = random();
    if (n / 128 % 4 == 0) b = old_value + random() % 3 - 1;
    if (n / 128 % 4 == 1) b = std::uint64_t{other_edge} << 32 | other_edge;
    const std::uint64_t c = random();
    const std::uint64_t left = left_by(op, is_signed, bytes, old_value, b, c);
    const std::uint64_t reference =
        bytes == 8 ? golden::atomic64(op, old_value, b, c)
                   : golden::atomic32(op, is_signed, static_cast<std::uint32_t>(old_value),
                                      static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c));
    const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : 0xffffffffu;
    const AtomicSums sums = atomic_sums({static_cast<std::uint8_t>(op), false, bytes == 8, b, c}, old_value);
    ASSERT_EQ(sums.less, (old_value & mask) < (b & mask)) << bytes << std::hex << ' ' << old_value << ' ' << b;
    ASSERT_EQ(sums.equal, (old_value & mask) == (b & mask)) << bytes << std::hex << ' ' << old_value << ' ' << b;
    const auto text = [&] {
      return ::testing::Message() << op << (is_signed ? " signed, " : " unsigned, ") << bytes << " bytes: " << std::hex
                                  << old_value << " " << b << " " << c;
    };
    ASSERT_EQ(left, reference) << text();
    ASSERT_EQ(left, testing::atomic_result(op, is_signed, bytes, old_value & mask, b, c) & mask) << text();
  }
}

TEST(AtomicUnit, HoldsAccessesToItsBurstUntilItIsEmptyAndWorksWhileItHasTheWord) {
  AtomicUnit unit;
  for (const AtomicStage stage : {AtomicStage::kEmpty, AtomicStage::kWaits, AtomicStage::kTakes, AtomicStage::kAdds,
                                  AtomicStage::kWrites, AtomicStage::kEnds}) {
    unit.stage = stage;
    EXPECT_EQ(unit.works(),
              stage == AtomicStage::kTakes || stage == AtomicStage::kAdds || stage == AtomicStage::kWrites);
    for (const unsigned burst_bytes : {32u, 64u}) {
      unit.burst = 0x1040;
      for (const unsigned bytes : {32u, 64u, 128u}) {
        for (std::uint32_t address = 0x0f80; address < 0x1180; address += bytes) {
          const bool meets = address < unit.burst + burst_bytes &&
                             address + std::max(bytes, burst_bytes) > unit.burst &&
                             address / burst_bytes * burst_bytes + std::max(bytes, burst_bytes) > unit.burst;
          EXPECT_EQ(unit.holds(address, bytes, burst_bytes), meets && stage != AtomicStage::kEmpty)
              << address << ' ' << bytes << ' ' << burst_bytes;
        }
      }
    }
  }
}

}  // namespace
}  // namespace g80
