// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/device_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "toolchain/cubin/module.h"
#include "toolchain/cubin/output_file.h"
#include "toolchain/cuda/compile/address_initialisers.h"
#include "toolchain/cuda/compile/bool_bytes.h"
#include "toolchain/cuda/compile/clang.h"
#include "toolchain/cuda/compile/dialect.h"
#include "toolchain/cuda/compile/ir_text.h"
#include "toolchain/cuda/compile/missing_returns.h"
#include "toolchain/cuda/compile/noinline.h"
#include "toolchain/cuda/compile/opaque_numbers.h"
#include "toolchain/cuda/compile/opaque_operations.h"
#include "toolchain/cuda/compile/rotations.h"
#include "toolchain/cuda/compile/saturations.h"
#include "toolchain/cuda/compile/shared_order.h"
#include "toolchain/cuda/compile/signed_extracts.h"
#include "toolchain/cuda/compile/signed_truths.h"
#include "toolchain/cuda/compile/static_variables.h"
#include "toolchain/cuda/compile/unroll_rules.h"
#include "toolchain/cuda/compile/vector_copies.h"
#include "toolchain/cuda/compile/whole_loops.h"

namespace g80::cuda {

std::vector<std::string> language_options(const CcOptions& options, const std::string& include_folder) {
  // First of all include folders, because makefiles pass that of an installed toolkit. What the toolkit never had comes
  // last of all, even after the system's folders: a program may bring it itself.
  std::vector<std::string> words = {"-I", include_folder};
  if (!options.standard.empty()) words.push_back("-std=" + options.standard);
  words.insert(words.end(), options.preprocessor.begin(), options.preprocessor.end());
  words.insert(words.end(),
               {"-idirafter", include_folder + "/sdk", "-idirafter", include_folder + "/missing",
                // g++ 4 accepted these without a warning; the first two are errors since C++11.
                "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal", "-Wno-undefined-bool-conversion",
                "-Wno-tautological-undefined-compare", "-Wno-unknown-warning-option",
                "-Wno-ignored-optimization-argument", "-Wno-unused-command-line-argument",
                // Compilers of the time did not conclude from undefined behaviour what cannot happen: the end of a
                // function with a result may be reached, signed sums wrap, a float may lie at the address of an int,
                // a loop may be endless, `this` may be null.
                "-fno-strict-return", "-fwrapv", "-fno-strict-aliasing", "-fno-finite-loops",
                "-fno-delete-null-pointer-checks"});
  return words;
}

std::vector<std::string> clang_command(const std::string& source, const CcOptions& options,
                                       const std::string& include_folder, const TemporaryFolder& folder) {
  std::vector<std::string> words = {
      "clang", "-x", "cuda", "--cuda-gpu-arch=" + std::string(kClangsChip), "-nocudainc", "-nocudalib",
      // clang must not find an installed toolkit, which would change the launch conventions.
      "--cuda-path=" + folder.file("none"), "-Xclang", "-target-sdk-version=11.0", "-Wno-unknown-cuda-version",
      "-Wno-unicode-whitespace",  // programs are copied from web pages
      "-fdeclspec", "-include", include_folder + "/cuda_runtime.h"};
  const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
  // The SDK's makefiles passed -I. : `#include <NAME_kernel.cu>` finds the file beside the source.
  const std::string beside = std::filesystem::path(source).parent_path().string();
  add({"-idirafter", beside.empty() ? "." : beside});
  if (options.arch < isa::Arch::kSm12) add({"-DCUDA_NO_SM_12_ATOMIC_INTRINSICS"});
  if (!options.choose_arch.empty()) add({fmt::format("-D__G80_CHOOSE_ARCH__=\"{}\"", options.choose_arch)});
  add(language_options(options, include_folder));
  add(dialect_options(source, options, include_folder, folder));
  return words;
}

namespace {

/// Removes the "./" that clang has put in front of the paths of .file.
std::string without_folder(std::string ptx) {
  constexpr std::string_view kDirective = "\t.file\t", kFolder = " \"./";
  for (std::size_t at = ptx.find(kDirective); at != std::string::npos; at = ptx.find(kDirective, at + 1)) {
    const std::size_t quote = ptx.find_first_of(" \n", at);
    if (quote != std::string::npos && ptx.compare(quote, kFolder.size(), kFolder) == 0) ptx.erase(quote + 2, 2);
  }
  return ptx;
}

/// Names the chip that the user asked for instead of the one that clang compiles for.
std::string with_target(std::string ptx, isa::Arch arch) {
  const std::string target = fmt::format(".target {}", kClangsChip);
  const std::size_t at = ptx.find(target);
  if (at != std::string::npos) ptx.replace(at, target.size(), fmt::format(".target {}", isa::arch_name(arch)));
  return ptx;
}

/// Refuses a binary file with one message; clang would report every line.
void check_source(const std::string& path) {
  const std::string text = read_text_file(path);
  std::size_t line = 1;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') ++line;
    if (byte == 0 || (byte < 0x20 && std::strchr("\t\n\v\f\r\x1a", c) == nullptr))
      throw SourceError(fmt::format("{}:{}: byte 0x{:02x} is not allowed in a CUDA program", path, line, byte));
  }
}

/// Compiles the source to LLVM's assembly language, without optimisation. No value if clang has reported errors.
std::optional<std::string> front_end(const std::string& source, const CcOptions& options,
                                     const std::string& include_folder, const TemporaryFolder& folder) {
  const std::string ir = folder.file("source.ll");
  std::vector<std::string> words = clang_command(source, options, include_folder, folder);
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  const unsigned capability = 100 + 10 * static_cast<unsigned>(options.arch);
  // The host pass reports the warnings. (-w would also hide warnings that a header turns into errors.)
  // Only with strict aliasing does clang write the types of accesses, which vector_copies.h needs; whole_loops.h needs
  // the names of blocks.
  add({"--cuda-device-only", "-S", "-emit-llvm", "-O2", "-Xclang", "-disable-llvm-passes", "-Wno-everything",
       "-fstrict-aliasing", "-fno-wrapv", "-fno-discard-value-names", "-U__CUDA_ARCH__",
       fmt::format("-D__CUDA_ARCH__={}", capability)});
  // clang's only contraction is a fused multiply-add, which this chip does not have. The PTX compiler makes mads.
  add({"-ffp-contract=off"});
  // Below sm_13 every double is a float, also a literal without suffix.
  if (capability < 130) add({"-Xclang", "-cl-single-precision-constant"});
  if (options.fast_math) add({"-D__USE_FAST_MATH__=1"});
  // Source lines (.loc) do not change the code. The compilation folder "." keeps relative paths relative.
  add({"-gline-directives-only", "-fdebug-compilation-dir=."});
  add({source, "-o", ir});
  if (run_clang(words, options) != 0) return std::nullopt;
  return options.run_mode == RunMode::kDry ? std::string() : read_intermediate(ir);
}

/// The text without promises that programs of the time do not keep and its compilers did not rely on: that an int and a
/// float are never at the same address (`((int*)row)[i]`), that signed sums, differences, products and shifts do not
/// overflow, that an argument has a value, that a pointer minus a number is not below zero (`p - n > p`). -fwrapv would
/// let all addresses wrap; they keep their promise, so that a constant in an index can become an offset.
std::string without_promises(const std::string& ir) {
  constexpr std::string_view kTypes[] = {", !tbaa !", ", !tbaa.struct !"}, kHasValue = " noundef", kNoWrap = " nsw",
                             kInside = " inbounds", kNegative = ", i64 %idx.neg";
  constexpr std::string_view kMayWrap[] = {" = add ", " = sub ", " = mul ", " = shl "};
  std::string out;
  out.reserve(ir.size());
  for_each_line(ir, [&](std::string_view line) {
    if (starts_with(line, "@")) return void(out += line);  // a variable; its text may contain any words
    std::string kept(line);
    for (const std::string_view type : kTypes) {
      const std::size_t at = kept.find(type);
      if (at != std::string::npos) kept.erase(at, kept.find_first_not_of("0123456789", at + type.size()) - at);
    }
    for (std::size_t at; (at = kept.find(kHasValue)) != std::string::npos;) kept.erase(at, kHasValue.size());
    const std::size_t inside = kept.find(kInside), negative = kept.find(kNegative);
    if (inside < negative && negative != std::string::npos) kept.erase(inside, kInside.size());
    const std::size_t equals = kept.find(" = "), no_wrap = kept.find(kNoWrap);
    for (const std::string_view operation : kMayWrap) {
      if (no_wrap != std::string::npos && equals < no_wrap && kept.compare(equals, operation.size(), operation) == 0)
        kept.erase(no_wrap, kNoWrap.size());
    }
    out += kept;
  });
  return out;
}

/// Runs clang on a text in LLVM's assembly language and returns its output.
std::optional<std::string> pass(const std::string& ir, const std::vector<std::string>& options, const std::string& name,
                                const CcOptions& cc, const TemporaryFolder& folder) {
  const std::string from = folder.file(name + ".ll"), to = folder.file(name + ".out");
  write_output_file(from, ir);
  std::vector<std::string> words = {"clang",
                                    "-x",
                                    "ir",
                                    "--target=nvptx64-nvidia-cuda",
                                    "--cuda-path=" + folder.file("none"),
                                    "-Xclang",
                                    "-target-cpu",
                                    "-Xclang",
                                    kClangsChip,
                                    "-S",
                                    "-O2",
                                    "-Wno-everything"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {from, "-o", to});
  if (run_clang(words, cc) != 0) return std::nullopt;
  return cc.run_mode == RunMode::kDry ? std::string() : read_intermediate(to);
}

}  // namespace

std::optional<std::string> compile_to_ptx(const std::string& source, const CcOptions& options,
                                          const std::string& include_folder, const TemporaryFolder& folder,
                                          LoopAddresses addresses) {
  check_source(source);
  const std::optional<std::string> written = front_end(source, options, include_folder, folder);
  if (!written) return std::nullopt;
  check_static_variables(*written);
  const bool has_double = options.arch >= isa::Arch::kSm13;
  const std::string stored =
      store_shared_addresses(test_whole_bytes(return_where_missing(follow_unroll_rules(*written))));
  std::vector<std::string> optimisation = unroll_options();
  optimisation.insert(optimisation.end(),
                      {"-emit-llvm",
                       // Keeps stores that a later store overwrites, because other lanes may read them between
                       // (shared_order.h).
                       "-mllvm", "-dse-memoryssa-scanlimit=0",
                       // Of a vector only the access is wanted (vector_copies.h), not arithmetic.
                       "-mllvm", "-disable-vector-combine"});
  const std::optional<std::string> optimised = pass(
      hide_operations(
          hide_numbers(keep_shared_stores(keep_loops_whole(without_promises(copy_in_vectors(show_variables(stored))))),
                       has_double),
          has_double),
      optimisation, "whole", options, folder);
  if (!optimised) return std::nullopt;
  // The last pass only selects instructions. Division and square root are those of compute capability 1.x.
  std::vector<std::string> selection = {"-Xclang", "-disable-llvm-passes",
                                        "-mllvm",  options.fast_math ? "-nvptx-prec-divf32=0" : "-nvptx-prec-divf32=1",
                                        "-mllvm",  "-nvptx-prec-sqrtf32=0"};
  if (addresses == LoopAddresses::kComputed)
    selection.insert(selection.end(), {"-mllvm", "-disable-lsr", "-mllvm", "-disable-machine-licm"});
  const std::optional<std::string> ptx =
      pass(order_shared_stores(
               plain_address_initialisers(choose_signed_truths(show_numbers(show_operations(show_ways(*optimised)))))),
           selection, "ordered", options, folder);
  if (!ptx) return std::nullopt;
  const std::string mended =
      mend_saturations(mend_rotations(mend_signed_extracts(with_target(without_folder(*ptx), options.arch))));
  return mark_noinline(mended, noinline_functions(*optimised));
}

}  // namespace g80::cuda
