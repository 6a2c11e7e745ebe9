// SPDX-License-Identifier: Apache-2.0
// Every function that the headers declare for kernels, those of the mathematics library too, on constants and on the
// same numbers loaded from memory: the bits must be the same. clang computes what it knows of constants itself and
// rewrites what surrounds them, our compiler folds and puts them into instructions; the chip converts, rounds and
// flushes in its own way. The list is what the preprocessor makes of the headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "hw/isa/float_bits.h"
#include "tests/runtime/program_runner.h"
#include "tests/support/random_seed.h"

namespace {

using namespace g80::testing;

struct Function {
  std::string name, result;
  std::vector<std::string> arguments;  // of input
  std::vector<std::string> places;     // types that pointers behind them lead to: more results
  std::string signature() const {
    std::string text = result + " " + name + "(";
    for (const std::string& type : arguments) text += type + ", ";
    for (const std::string& type : places) text += type + "*, ";
    return text.substr(0, text.size() - 2) + ")";
  }
};

constexpr std::size_t kAll = 35;     // edges of a type
constexpr std::size_t kFew = 2;      // of them: a denormal and a NaN
constexpr std::size_t kOthers = 12;  // of them, those that are no ordinary numbers

/// Edges of a type, as bits: of its own, and those at which conversions from it and shifts and products of it change.
/// In front: numbers that are no ordinary ones, and the simplest that are.
const std::vector<std::uint64_t>& edges(const std::string& type) {
  // clang-format off
  static const std::vector<std::uint64_t> kFloat = {
      0x000116c2, 0xffc12345, 0, 0x80000000, 0x807fffff, 0x00800000, 0xbf800000, 0x3f000000, 0x7f7fffff, 0x7f800000,
      0xff800000, 0x7fc00000,
      0x00000001, 0x800116c2, 0x3f800000, 0x7f800001, 0x7fffffff, 0x007fffff, 0x80800000, 0x3fc00000, 0xc0200000,
      0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x4f32d05e, 0xcf32d05e, 0x5f000000, 0x5f800000, 0xdf800000,
      0x7149f2ca, 0xf149f2ca, 0x40490fdb, 0x4b800001, 0x33d6bf95};
  static const std::vector<std::uint64_t> kDouble = {
      0x37a16c262777579c, 0xfff8000000012345, 0, 0x8000000000000000, 0x800fffffffffffff, 0x0010000000000000,
      0xbff0000000000000, 0x3fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
      0x7ff8000000000000,
      0x0000000000000001, 0xb7a16c262777579c, 0x3ff0000000000000, 0x7ff0000000000001, 0xbff8000000000000,
      0xc004000000000000, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000,
      0x43e0000000000000, 0xc3e0000000000001, 0x43f0000000000000, 0x7e37e43c8800759c, 0xfe37e43c8800759c,
      0x400921fb54442d18};
  static const std::vector<std::uint64_t> kHalf = {
      0, 1, 0x8001, 0x03ff, 0x3c00, 0xc000, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xfe01};
  static const std::vector<std::uint64_t> kInteger = {
      0, 1, 2, 31, 0xffffffff, 0x7fffffff, 0x80000000, 0xfffffffffffffffe, 0x100000000, UINT64_MAX,
      0x7fffffffffffffff, 0x8000000000000000, 32, 33, 63, 64, 0xff, 0x7fff, 0xffff, 0x7fffff, 0x800000, 0xffffff,
      0x1000001, 0x80000001, 0x123456789abcdef0};
  // clang-format on
  return type == "float" ? kFloat : type == "double" ? kDouble : type == "unsigned short" ? kHalf : kInteger;
}
/// The order of a Bessel function: one step for each.
const std::vector<std::uint64_t> kOrders = {0, 1, 2, 31, 64, 0xffffffff, 0x80000000};
const std::vector<std::uint64_t>& edges(const Function& f, std::size_t argument) {
  static const std::regex bessel("[jy]nf?");
  if (argument == 0 && std::regex_match(f.name, bessel)) return kOrders;
  return edges(f.arguments[argument]);
}
bool is_number(const std::string& type) {
  static const std::vector<std::string> kTypes = {
      "float", "double",        "int",       "unsigned int",       "unsigned",
      "long",  "unsigned long", "long long", "unsigned long long", "unsigned short"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// The functions that the headers define for kernels, from numbers to numbers. `others`: what is none of them
/// for no reason that is known here.
std::vector<Function> functions_of_headers(const std::string& capability, std::set<std::string>& others) {
  const std::string text = temporary("headers.i");
  const Outcome made =
      run("clang -x cuda --cuda-gpu-arch=sm_20 -nocudainc -nocudalib --cuda-path=" + temporary("none") +
          " -Xclang -target-sdk-version=11.0 -fdeclspec -isystem " + source("toolchain/cuda/include") +
          " -include cuda_runtime.h --cuda-device-only -E -P -w -U__CUDA_ARCH__ -D__CUDA_ARCH__=" + capability +
          " /dev/null -o " + text);
  EXPECT_EQ(made.code, 0) << made.output;
  static const std::regex definition(
      R"(((?:template ?<[^<>]*> ?)?)static (?:inline )?(?:__attribute__\(\(host\)\) )?__attribute__\(\(device\)\) )"
      R"((?:__inline__ __attribute__\(\(always_inline\)\) )?([A-Za-z_][A-Za-z_0-9 :<>]*[ *]+?)(\w+)\(([^()]*)\) \{)");
  std::vector<Function> functions;
  const auto add = [&](const std::smatch& match) {
    Function f;
    f.result = trimmed(match[2]);
    f.name = match[3];
    if (match[1].length() != 0 || f.name.rfind("__g80_", 0) == 0)
      return;  // the same for other types; parts of the others
    // A rounding chooses one of the functions that are run; any(bool) and all(bool) are __any and __all.
    static const std::regex no_number(
        R"(void\*|[TW]|(u?(char|short|int|long|longlong)|float|double)[1-4]|enum cudaRoundMode.*|bool)");
    bool is_known = true, is_explained = false;
    const auto know = [&](const std::string& type) {
      is_known = is_known && is_number(type);
      is_explained = is_explained || std::regex_match(type, no_number);
    };
    if (f.result != "void") know(f.result);
    std::istringstream parameters(match[4]);
    for (std::string parameter; std::getline(parameters, parameter, ',');) {
      std::string type = trimmed(parameter);
      if (type.rfind("const ", 0) == 0) type = type.substr(6);
      const std::size_t star = type.find('*');
      if (star == std::string::npos) {
        type = trimmed(type.substr(0, type.find_last_of(' ')));  // without the name
        know(type);
        is_explained = is_explained || !f.places.empty();  // what follows a pointer goes to memory
        f.arguments.push_back(type);
      } else {
        know(trimmed(type.substr(0, star)));
        f.places.push_back(trimmed(type.substr(0, star)));
      }
    }
    is_explained = is_explained || f.arguments.empty() || (f.result == "void" && f.places.empty());
    if (is_explained) return;
    is_known ? functions.push_back(f) : void(others.insert(f.signature()));
  };
  std::ifstream stream(text);
  for (std::string line; std::getline(stream, line);)
    for (std::sregex_iterator it(line.begin(), line.end(), definition), end; it != end; ++it) add(*it);
  return functions;
}

/// How a constant is written: as bits, as bits that are known only when functions are inlined or, if it may be and has
/// one, with the digits of a floating point number.
enum class Form { kBits, kInlined, kDigits };

std::string literal(const std::string& type, std::uint64_t bits, Form form) {
  char text[64];
  const bool digits = form == Form::kDigits;
  if (form == Form::kInlined) {
    std::snprintf(text, sizeof text, ">(0x%llxull)", static_cast<unsigned long long>(bits));
    return "from<" + type + text;
  }
  if (type == "float") {
    const float value = g80::isa::float_of(static_cast<std::uint32_t>(bits));
    if (digits && std::isfinite(value))
      std::snprintf(text, sizeof text, "(%af)", static_cast<double>(value));
    else
      std::snprintf(text, sizeof text, "__int_as_float((int)0x%x)", static_cast<unsigned>(bits));
    return text;
  }
  if (type == "double") {
    const double value = g80::isa::double_of(bits);
    if (digits && std::isfinite(value))
      std::snprintf(text, sizeof text, "(%a)", value);
    else
      std::snprintf(text, sizeof text, "__longlong_as_double(0x%llx)", static_cast<unsigned long long>(bits));
    return text;
  }
  std::snprintf(text, sizeof text, "0x%llxull", static_cast<unsigned long long>(bits));
  return "(" + type + ")" + text;
}

/// A program that runs each function on `count` tuples of constants and prints those with other bits than the same
/// numbers in memory have. Of some tuples one argument comes from memory in both.
std::string program_of(const std::vector<Function>& functions, std::size_t count, std::mt19937& rng) {
  std::string text = R"(#include <cstdio>
#include <vector>
typedef unsigned long long word;
template <class T> __device__ T from(word w) { return (T)w; }
template <> __device__ float from<float>(word w) { return __int_as_float((int)w); }
#if __CUDA_ARCH__ >= 130
template <> __device__ double from<double>(word w) { return __longlong_as_double((long long)w); }
__device__ word bits(double x) { return (word)__double_as_longlong(x); }
#endif
__device__ word bits(float x) { return (unsigned)__float_as_int(x); }
template <class T> __device__ word bits(T x) { return (word)x; }
)";
  std::string runs;
  for (std::size_t n = 0; n < functions.size(); ++n) {
    const Function& f = functions[n];
    const std::size_t results = f.places.size() + (f.result != "void");
    const auto call = [&](const std::vector<std::string>& arguments, const std::string& out) {
      std::string code = "{ ", list;
      for (const std::string& argument : arguments) list += (list.empty() ? "" : ", ") + argument;
      for (std::size_t p = 0; p < f.places.size(); ++p) {
        code += f.places[p] + " p" + std::to_string(p) + "; ";
        list += ", &p" + std::to_string(p);
      }
      if (f.result != "void") code += out + "[0] = bits(";
      code += f.name + "(" + list + ")" + (f.result != "void" ? "); " : "; ");
      for (std::size_t p = 0; p < f.places.size(); ++p)
        code += out + "[" + std::to_string(p + (f.result != "void")) + "] = bits(p" + std::to_string(p) + "); ";
      return code + "}\n";
    };
    const auto loaded = [&](std::size_t argument, const std::string& tuple) {
      return "from<" + f.arguments[argument] + ">(in[" + std::to_string(f.arguments.size()) + " * " + tuple + " + " +
             std::to_string(argument) + "])";
    };
    std::vector<std::string> opaque;
    for (std::size_t k = 0; k < f.arguments.size(); ++k) opaque.push_back(loaded(k, "blockIdx.x"));
    const std::string number = std::to_string(n), width = std::to_string(results);
    text += "__global__ void loaded" + number + "(word* out, const word* in) { out += " + width + " * blockIdx.x; " +
            call(opaque, "out") + "}\n";
    text += "__global__ void constant" + number + "(word* out, const word* in) {\n";
    std::string inputs;
    for (std::size_t t = 0; t < count; ++t) {
      std::vector<std::string> arguments;
      const std::size_t from_memory =
          f.arguments.size() > 1 && rng() % 3 == 0 ? rng() % f.arguments.size() : f.arguments.size();
      for (std::size_t k = 0; k < f.arguments.size(); ++k) {
        const std::vector<std::uint64_t>& all = edges(f, k);
        const std::uint64_t bits =
            all[f.arguments.size() == 1 ? t % all.size() : rng() % std::min(all.size(), std::max(count, kOthers))];
        inputs += std::to_string(bits) + "ull,";
        arguments.push_back(k == from_memory ? loaded(k, std::to_string(t))
                                             : literal(f.arguments[k], bits, static_cast<Form>(t % 3)));
      }
      text += call(arguments, "(out + " + std::to_string(t * results) + ")");
    }
    text += "}\n";
    runs += "  { static const word in[] = {" + inputs + "};\n    check(\"" + f.signature() + "\", constant" + number +
            ", loaded" + number + ", in, " + std::to_string(f.arguments.size()) + ", " + width + "); }\n";
  }
  const std::string tuples = std::to_string(count);
  text += R"(
static int wrong = 0;
typedef void Kernel(word*, const word*);
static void check(const char* name, Kernel* constant, Kernel* loaded, const word* numbers, int arguments, int results) {
  word *in, *out;
  std::vector<word> a(results * )" +
          tuples + R"(), b(a.size());
  cudaMalloc((void**)&in, 8 * arguments * )" +
          tuples + R"();
  cudaMalloc((void**)&out, 8 * a.size());
  cudaMemcpy(in, numbers, 8 * arguments * )" +
          tuples + R"(, cudaMemcpyHostToDevice);
  constant<<<1, 1>>>(out, in);
  cudaMemcpy(a.data(), out, 8 * a.size(), cudaMemcpyDeviceToHost);
  loaded<<<)" +
          tuples + R"(, 1>>>(out, in);
  cudaMemcpy(b.data(), out, 8 * b.size(), cudaMemcpyDeviceToHost);
  for (size_t k = 0; k < a.size(); ++k) {
    if (a[k] == b[k]) continue;
    ++wrong;
    std::printf("%s:", name);
    for (int n = 0; n < arguments; ++n) std::printf(" %llx", numbers[k / results * arguments + n]);
    std::printf(": constant %llx, loaded %llx\n", a[k], b[k]);
  }
  cudaFree(in);
  cudaFree(out);
}
int main() {
)" + runs +
          R"(  if (cudaGetLastError() != cudaSuccess) return 2;
  return wrong != 0;
}
)";
  return text;
}

/// What the SFU and the converters do, and functions of a few such instructions.
bool is_intrinsic(const Function& f) { return f.name.rfind("__", 0) == 0; }
bool needs_double(const Function& f) {
  const auto is_double = [](const std::string& type) { return type == "double"; };
  return is_double(f.result) || std::any_of(f.arguments.begin(), f.arguments.end(), is_double);
}

/// The mathematics library.
bool is_library(const Function& f) { return !is_intrinsic(f); }
bool is_double_library(const Function& f) { return is_library(f) && needs_double(f); }
bool is_any(const Function&) { return true; }

struct Part {
  const char *name, *arch;
  std::size_t tuples;
  bool (*wanted)(const Function&);
};

class ConstantFunctions : public ::testing::TestWithParam<Part> {};

TEST_P(ConstantFunctions, GiveWhatTheSameNumbersInMemoryGive) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  unsetenv("G80_RUN");
  unsetenv("G80_DEVICE");
  const Part& part = GetParam();
  const bool has_double = std::string(part.arch) == "sm_13";
  std::set<std::string> others;
  std::vector<Function> functions = functions_of_headers(has_double ? "130" : "100", others);
  functions.erase(
      std::remove_if(functions.begin(), functions.end(),
                     [&](const Function& f) { return !part.wanted(f) || (!has_double && needs_double(f)); }),
      functions.end());
  std::mt19937 rng(g80::random_seed());
  const std::string name = std::string("constant_arguments_") + part.name;
  const Outcome outcome = compile_and_run(
      std::string("-w -arch=") + part.arch + " " + write(name + ".cu", program_of(functions, part.tuples, rng)), name,
      "G80_DEVICE=gtx280 G80_RUN='--model golden'");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "");
  RecordProperty("functions", static_cast<int>(functions.size()));
}

INSTANTIATE_TEST_SUITE_P(Parts, ConstantFunctions,
                         ::testing::Values(Part{"intrinsics_sm_10", "sm_10", kAll, is_intrinsic},
                                           Part{"intrinsics_sm_13", "sm_13", kAll, is_intrinsic},
                                           Part{"library_sm_10", "sm_10", kOthers, is_library},
                                           Part{"library_sm_13", "sm_13", kOthers, is_double_library},
                                           Part{"all_sm_11", "sm_11", kFew, is_any},
                                           Part{"all_sm_12", "sm_12", kFew, is_any},
                                           Part{"all_sm_13", "sm_13", kFew, is_any}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ConstantArgumentsList, HasEveryFunctionFromNumbersToNumbers) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  std::set<std::string> others;
  const std::vector<Function> functions = functions_of_headers("130", others);
  for (const std::string& signature : others) ADD_FAILURE() << signature << " is not run";
  for (const char* name :
       {"__mul24", "__float2int_rz", "__double2ull_rd", "__sincosf", "floor", "min", "remquo", "expm1f", "jn"}) {
    const auto has_name = [&](const Function& f) { return f.name == name; };
    EXPECT_TRUE(std::any_of(functions.begin(), functions.end(), has_name)) << name;
  }
}

/// What clang could compute itself without any function: comparisons, sums, choices, loads from constant arrays.
TEST(ConstantArguments, OfOperatorsGiveWhatTheSameNumbersInMemoryGive) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  const std::string program = R"(#include <cstdio>
#define KERNELS(NAME, X, Y) \
  __device__ void operate_##NAME(unsigned* out, float x, const float* table, const float* in) { \
    out[0] = x == 0.0f, out[1] = x < in[2], out[2] = x > 0.0f, out[3] = x != x, out[4] = x <= Y; \
    out[5] = __float_as_int(x + 0.0f), out[6] = __float_as_int(x * 2.0f), out[7] = __float_as_int(1.0f - x); \
    out[8] = __float_as_int(-x), out[9] = __float_as_int(in[2] == 0.0f ? x : in[1]); \
    out[10] = table[0] == 0.0f, out[11] = __float_as_int(table[1] * 0.5f), out[12] = (table[1] - x) == 0.0f; \
    switch (__float_as_int(in[3])) { case 0: x = Y; break; case 1: x = X; } \
    out[13] = x == Y, out[14] = __float_as_int(x); \
  } \
  __global__ void constant_##NAME(unsigned* out, const float* in) { \
    const float table[2] = {X, Y}; \
    operate_##NAME(out, X, table, in); \
  } \
  __global__ void loaded_##NAME(unsigned* out, const float* in) { operate_##NAME(out, in[0], in, in); }
KERNELS(denormal, 1e-40f, -2e-40f)
KERNELS(bits, __int_as_float(0x807fffff), __uint_as_float(1))
KERNELS(nan, __int_as_float(0x7fc12345), __int_as_float(0xff800001))
__device__ float of_bits(unsigned bits) { return __uint_as_float(bits); }
KERNELS(inlined, of_bits(0x000116c2), of_bits(0x80022d85))
KERNELS(inlined_nan, of_bits(0x7fc12345), of_bits(0xff800001))
__global__ void static_denormal(unsigned* out, const float* in) {
  static const float table[2] = {1e-40f, -2e-40f};
  operate_denormal(out, 1e-40f, table, in);
}
static int wrong = 0;
static void check(const char* name, void (*constant)(unsigned*, const float*), void (*loaded)(unsigned*, const float*),
                  unsigned x, unsigned y) {
  unsigned in[4] = {x, y, 0, 0}, a[15], b[15], *out;
  float* numbers;
  cudaMalloc((void**)&out, sizeof a), cudaMalloc((void**)&numbers, sizeof in);
  cudaMemcpy(numbers, in, sizeof in, cudaMemcpyHostToDevice);
  constant<<<1, 1>>>(out, numbers);
  cudaMemcpy(a, out, sizeof a, cudaMemcpyDeviceToHost);
  loaded<<<1, 1>>>(out, numbers);
  cudaMemcpy(b, out, sizeof b, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 15; ++k)
    if (a[k] != b[k]) wrong = 1, std::printf("%s %d: constant %x, loaded %x\n", name, k, a[k], b[k]);
}
int main() {
  check("denormal", constant_denormal, loaded_denormal, 0x000116c2, 0x80022d85);
  check("static denormal", static_denormal, loaded_denormal, 0x000116c2, 0x80022d85);
  check("bits", constant_bits, loaded_bits, 0x807fffff, 1);
  check("nan", constant_nan, loaded_nan, 0x7fc12345, 0xff800001);
  check("inlined", constant_inlined, loaded_inlined, 0x000116c2, 0x80022d85);
  check("inlined NaN", constant_inlined_nan, loaded_inlined_nan, 0x7fc12345, 0xff800001);
  return cudaGetLastError() != cudaSuccess ? 2 : wrong;
}
)";
  for (const char* arch : {"sm_10", "sm_13"}) {
    const Outcome outcome = compile_and_run(std::string("-w -arch=") + arch + " " + write("operators.cu", program),
                                            "operators", "G80_DEVICE=gtx280 G80_RUN='--model golden'");
    EXPECT_EQ(outcome.code, 0) << arch;
    EXPECT_EQ(outcome.output, "") << arch;
  }
}

}  // namespace
