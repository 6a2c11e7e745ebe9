// SPDX-License-Identifier: Apache-2.0
// The instructions of PTX as rows: a kernel for each variant that opcodes.def allows and its definition knows, inputs
// that suit it, and the comparison of what it gives with what it should.
#pragma once
#include "tests/compiler/ptx_cases.h"

#if G80_HAS_MPFR
#include <map>

#include "tests/compiler/float_definition.h"
#include "tests/compiler/float_inputs.h"
#include "tests/compiler/memory_definition.h"

namespace g80 {

inline constexpr unsigned kSeed = 19991011;
inline constexpr std::size_t kThreads = 64, kBatch = 48;

/// One instruction to run, and which operands suit it.
struct Row {
  std::string name;
  PtxCase code;
  Tolerance tolerance;
  Inputs (*inputs)() = nullptr;
  bool may_be_either_zero = false;
};

inline Inputs whole_numbers() { return integer_inputs(kSeed, kThreads); }
inline Inputs hard_f32() { return hard_singles(kSeed, kThreads); }
inline Inputs hard_f64() { return hard_doubles(kSeed, kThreads); }
inline Inputs tame_f32() { return tame_singles(kSeed, kThreads); }
inline Inputs positive_f32() {
  Inputs inputs = tame_singles(kSeed, kThreads);
  for (std::uint64_t& word : inputs) word &= 0x7fffffff;
  return inputs;
}
inline Inputs positive_f64() {
  Inputs inputs = hard_doubles(kSeed, kThreads);
  for (std::uint64_t& word : inputs) word &= INT64_MAX;
  return inputs;
}
inline Inputs uniform_f32(float low, float high) {
  std::mt19937 rng(kSeed);
  Inputs inputs;
  for (std::size_t k = 0; k < 3 * kThreads; ++k)
    inputs.push_back(bits_of(std::uniform_real_distribution<float>(low, high)(rng)));
  return inputs;
}
/// -pi to pi.
inline Inputs angles() { return uniform_f32(-3.14159f, 3.14159f); }
inline Inputs exponents() { return uniform_f32(-120.0f, 120.0f); }

inline double single_or_double(char result, std::uint64_t bits) {
  return result == 'g' ? double_of(bits) : float_of(bits);
}

inline bool is_as_defined(const Row& row, std::uint64_t expected, std::uint64_t actual) {
  const char result = row.code.result;
  if (expected == actual) return true;
  if (result != 'f' && result != 'g') return false;
  const double wanted = single_or_double(result, expected), found = single_or_double(result, actual);
  if (std::isnan(wanted) || std::isnan(found)) return std::isnan(wanted) && std::isnan(found);
  if (row.may_be_either_zero && wanted == 0 && found == 0) return true;
  if (std::isinf(wanted) || std::isinf(found)) return false;
  if (std::abs(wanted - found) <= row.tolerance.absolute) return true;
  const auto order = [&](std::uint64_t bits) {
    const bool negative = result == 'g' ? bits >> 63 : bits >> 31 & 1;
    const auto magnitude = static_cast<std::int64_t>(bits & (result == 'g' ? INT64_MAX : 0x7fffffff));
    return negative ? -magnitude : magnitude;
  };
  return static_cast<double>(std::abs(order(expected) - order(actual))) <= row.tolerance.units;
}

inline bool is_integer_form(const PtxVariant& v) {
  switch (v.op()) {
    case Opcode::kSet:
    case Opcode::kSetp:
    case Opcode::kSelp:
    case Opcode::kSlct:
    case Opcode::kMov: return true;
    case Opcode::kCvt: return false;
    default: return !ptx::is_float(v.type());
  }
}

inline std::optional<Row> arithmetic_row(const PtxVariant& v) {
  Row row;
  row.name = v.text();
  if (is_integer_form(v)) {
    const std::optional<PtxCase> c = IntegerDefinition::of(v);
    if (!c) return std::nullopt;
    row.code = *c;
    const Scalar compared = v.types.back();
    row.inputs = compared == Scalar::kF32 ? hard_f32 : compared == Scalar::kF64 ? hard_f64 : whole_numbers;
    return row;
  }
  const std::optional<FloatCase> c = FloatDefinition::of(v);
  if (!c) return std::nullopt;
  row.code = c->code;
  row.tolerance = c->tolerance;
  row.may_be_either_zero = v.op() == Opcode::kMin || v.op() == Opcode::kMax;
  const bool is64 = v.types.back() == Scalar::kF64;
  switch (c->inputs) {
    case FloatInputs::kHard: row.inputs = is64 ? hard_f64 : hard_f32; break;
    case FloatInputs::kTame: row.inputs = tame_f32; break;
    case FloatInputs::kPositive: row.inputs = is64 ? positive_f64 : positive_f32; break;
    case FloatInputs::kAngles: row.inputs = angles; break;
    case FloatInputs::kExponents: row.inputs = exponents; break;
    case FloatInputs::kIntegers: row.inputs = whole_numbers; break;
  }
  return row;
}

inline std::string module_text(const std::vector<Row>& rows, const std::string& functions = "") {
  std::string text = ".version 3.2\n.target sm_20\n.address_size 64\n" + std::string(kMemoryScope) + functions;
  text += ".func (.reg .u32 %v) tripled (.reg .u32 %x) { mul.lo.u32 %v, %x, 3; ret; }\n";
  for (std::size_t k = 0; k < rows.size(); ++k) text += case_kernel("k" + std::to_string(k), rows[k].code);
  return text;
}

/// Empty if it compiles, else why not.
inline std::string refusal(const Row& row, const CompileOptions& options = PtxProgram::sm13(),
                           const std::string& functions = "") {
  try {
    compile_ptx(module_text({row}, functions), "k.ptx", options);
    return "";
  } catch (const SourceError& error) {
    return error.what();
  } catch (const std::exception& error) {  // a mistake of the compiler's own
    ADD_FAILURE() << row.code.code << ": " << error.what();
    return error.what();
  }
}

/// Compiles, runs and compares. A row that does not compile fails by its name; the others run.
inline void run_rows(const std::vector<Row>& rows, const CompileOptions& options = PtxProgram::sm13(),
                     const std::string& functions = "") {
  for (std::size_t start = 0; start < rows.size(); start += kBatch) {
    std::vector<Row> batch(rows.begin() + static_cast<std::ptrdiff_t>(start),
                           rows.begin() + static_cast<std::ptrdiff_t>(std::min(start + kBatch, rows.size())));
    std::optional<PtxProgram> compiled;
    try {
      compiled.emplace(module_text(batch, functions), options);
    } catch (const std::exception&) {
      const auto fails = [&](const Row& row) {
        const std::string why = refusal(row, options, functions);
        EXPECT_EQ(why, "") << row.code.code;
        return !why.empty();
      };
      batch.erase(std::remove_if(batch.begin(), batch.end(), fails), batch.end());
      compiled.emplace(module_text(batch, functions), options);
    }
    PtxProgram& program = *compiled;
    const std::uint32_t out = program.upload(std::vector<std::uint64_t>(kThreads, 0));
    std::map<Inputs (*)(), std::uint32_t> uploaded;
    std::map<Inputs (*)(), Inputs> made;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const Row& row = batch[k];
      if (made.count(row.inputs) == 0) {
        made[row.inputs] = row.inputs();
        uploaded[row.inputs] = program.upload(made[row.inputs]);
      }
      const Inputs& inputs = made[row.inputs];
      std::vector<std::uint32_t> params{uploaded[row.inputs], 0, out, 0};
      params.insert(params.end(), std::begin(kParameterBlock), std::end(kParameterBlock));
      program.run("k" + std::to_string(k), 1, kThreads, params);
      const std::vector<std::uint64_t> actual = program.download<std::uint64_t>(out, kThreads);
      for (std::size_t t = 0; t < kThreads; ++t) {
        const std::uint64_t a = inputs[3 * t], b = inputs[3 * t + 1], c = inputs[3 * t + 2];
        const std::uint64_t expected = row.code.expected(a, b, c);
        if (is_as_defined(row, expected, actual[t])) continue;
        ADD_FAILURE() << row.code.code << std::hex << "\n  a " << a << " b " << b << " c " << c << "\n  expected "
                      << expected << " got " << actual[t];
        break;
      }
    }
  }
}

inline bool is_memory(Opcode op) {
  return op == Opcode::kLd || op == Opcode::kSt || op == Opcode::kAtom || op == Opcode::kRed || op == Opcode::kCvta;
}

/// The row of a variant; nothing if sm_1x does not have it.
inline std::optional<Row> row_of(const PtxVariant& v) {
  if (v.refused) return std::nullopt;
  if (!is_memory(v.op())) return arithmetic_row(v);
  const std::optional<PtxCase> c = MemoryDefinition::of(v);
  if (!c) return std::nullopt;
  Row row;
  row.name = v.text();
  row.code = *c;
  row.inputs = whole_numbers;
  return row;
}

/// The parser takes the first form that fits.
inline bool is_taken_by_another(const PtxVariant& v, const std::vector<ptx::OpcodeForm>& forms, std::size_t form) {
  for (std::size_t k = 0; k < form; ++k) {
    const ptx::OpcodeForm& other = forms[k];
    bool fits = (v.mods.present & ~other.allowed) == 0 && (other.required & ~v.mods.present) == 0;
    fits = fits && other.types.size() == v.types.size();
    for (std::size_t t = 0; fits && t < v.types.size(); ++t)
      fits = std::find(other.types[t].begin(), other.types[t].end(), v.types[t]) != other.types[t].end();
    if (fits) return true;
  }
  return false;
}

/// Every variant of the forms that `wanted` chooses, once.
inline std::vector<PtxVariant> variants_of_all(const std::function<bool(Opcode)>& wanted) {
  std::vector<PtxVariant> result;
  for (const std::string_view name : ptx::opcode_names()) {
    const std::vector<ptx::OpcodeForm>& forms = ptx::forms_of(name);
    for (std::size_t f = 0; f < forms.size(); ++f) {
      if (!wanted(forms[f].opcode)) continue;
      for (PtxVariant& v : variants_of(forms[f]))
        if (!is_taken_by_another(v, forms, f)) result.push_back(std::move(v));
    }
  }
  return result;
}

/// About control, warps and textures: no rows, their tests write the code by hand.
inline bool is_by_hand(Opcode op) {
  switch (op) {
    case Opcode::kBra:
    case Opcode::kCall:
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kTrap:
    case Opcode::kBrkpt:
    case Opcode::kPmevent:
    case Opcode::kBar:
    case Opcode::kMembar:
    case Opcode::kVote:
    case Opcode::kTex: return true;
    default: return false;
  }
}

}  // namespace g80
#endif
