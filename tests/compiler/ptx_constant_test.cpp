// SPDX-License-Identifier: Apache-2.0
// Every instruction of PTX with operands that are constants: what the compiler folds, rewrites or puts into an
// instruction gives bit for bit what the instruction gives with the same numbers in registers.
#include "tests/compiler/ptx_rows.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

#if G80_HAS_MPFR

using Word = std::uint64_t;

std::string hexadecimal(Word value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// Which of a, b and c are constants.
constexpr unsigned kMasks[] = {0b111, 0b110, 0b010, 0b001, 0b101};

/// The row on constants: those of `mask` instead of the inputs.
Row with_constants(const Row& row, unsigned mask, const Word* numbers) {
  Row result = row;
  std::string code;
  for (unsigned k = 0; k < 3; ++k) {
    if ((mask >> k & 1) == 0) continue;
    const std::string letter(1, static_cast<char>('a' + k));
    code += "mov.u64 %d" + letter + ", " + hexadecimal(numbers[k]) + "; " + parts_of(letter);
  }
  result.code.code = code + row.code.code;
  return result;
}

/// Numbers that rewriting rules ask for, beside those of the row's own inputs.
constexpr Word kSpecial[] = {
    0, 1, 2, 8, 31, 32, 33, 63, 64, 65, 0xff, 0xffff, 0xffffff, 0x80000000, 0xffffffff, 0x80000000ffffffff, UINT64_MAX};

void run_constants(const std::function<bool(const PtxVariant&)>& wanted) {
  std::mt19937 rng(random_seed());
  std::vector<Row> rows;
  for (const PtxVariant& v :
       variants_of_all([](Opcode op) { return !is_by_hand(op) && op != Opcode::kLd && op != Opcode::kCvta; })) {
    if (!wanted(v)) continue;
    if (std::optional<Row> row = row_of(v)) rows.push_back(std::move(*row));
  }
  struct Case {
    std::size_t row;
    unsigned mask;
    Word numbers[3];
  };
  for (std::size_t start = 0; start < rows.size(); start += 8) {
    std::vector<Row> kernels;
    std::vector<Case> cases;
    for (std::size_t r = start; r < std::min(start + 8, rows.size()); ++r) {
      const Inputs inputs = rows[r].inputs();
      const auto number = [&](bool is_special) {
        return is_special ? kSpecial[rng() % std::size(kSpecial)] : inputs[rng() % inputs.size()];
      };
      kernels.push_back(rows[r]);
      cases.push_back({r, 0, {}});
      for (const unsigned mask : kMasks) {
        for (const bool is_special : {false, true}) {
          if (is_special && rows[r].inputs != whole_numbers) continue;
          Case c{r, mask, {number(is_special), number(is_special), number(is_special)}};
          kernels.push_back(with_constants(rows[r], mask, c.numbers));
          cases.push_back(c);
        }
      }
    }
    PtxProgram program(module_text(kernels));
    const std::uint32_t out = program.upload(Inputs(kThreads, 0)), in = program.upload(Inputs(3 * kThreads, 0));
    const auto run = [&](std::size_t kernel, const Inputs& inputs) {
      program.memory().write(in, inputs.data(), inputs.size() * sizeof(Word));
      std::vector<std::uint32_t> params{in, 0, out, 0};
      params.insert(params.end(), std::begin(kParameterBlock), std::end(kParameterBlock));
      program.run("k" + std::to_string(kernel), 1, kThreads, params);
      return program.download<Word>(out, kThreads);
    };
    std::size_t plain = 0;
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const Case& c = cases[k];
      if (c.mask == 0) {
        plain = k;
        continue;
      }
      Inputs inputs = rows[c.row].inputs();
      for (std::size_t n = 0; n < inputs.size(); ++n)
        if (c.mask >> n % 3 & 1) inputs[n] = c.numbers[n % 3];
      const Inputs expected = run(plain, inputs), actual = run(k, inputs);
      for (std::size_t t = 0; t < kThreads; ++t) {
        if (actual[t] == expected[t]) continue;
        ADD_FAILURE() << kernels[k].code.code << std::hex << "\n  a " << inputs[3 * t] << " b " << inputs[3 * t + 1]
                      << " c " << inputs[3 * t + 2] << "\n  in registers " << expected[t] << " as constants "
                      << actual[t];
        break;
      }
    }
  }
  ::testing::Test::RecordProperty("rows", static_cast<int>(rows.size()));
}

bool is_comparison(const PtxVariant& v) { return v.op() == Opcode::kSet || v.op() == Opcode::kSetp; }

TEST(PtxConstants, ArithmeticGivesTheSame) {
  run_constants([](const PtxVariant& v) { return !is_comparison(v) && v.op() != Opcode::kCvt && !is_memory(v.op()); });
}
TEST(PtxConstants, ComparisonsGiveTheSame) {
  run_constants([](const PtxVariant& v) {
    return is_comparison(v) && (v.op() == Opcode::kSetp || v.type() == Scalar::kU32) &&
           v.mods.boolean != ptx::Boolean::kXor;
  });
}
TEST(PtxConstants, ConversionsGiveTheSame) {
  run_constants([](const PtxVariant& v) { return v.op() == Opcode::kCvt; });
}
TEST(PtxConstants, StoresAndAtomicOperationsGiveTheSame) {
  run_constants([](const PtxVariant& v) { return is_memory(v.op()) && !v.has(ModifierGroup::kCache); });
}

#else

TEST(PtxConstants, NeedsMpfr) { GTEST_SKIP() << "built without MPFR"; }

#endif

}  // namespace
}  // namespace g80
