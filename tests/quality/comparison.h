// SPDX-License-Identifier: Apache-2.0
// Our compiler beside NVIDIA's: for each kernel of rows.def, what both machine codes are and what they execute in the
// same runs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tests/quality/code_shape.h"
#include "toolchain/cubin/module.h"

namespace g80::quality {

/// How much worse than NVIDIA's a figure of ours may be.
inline constexpr unsigned kBoundPercent = 25;

struct Side {
  CodeShape shape;
  std::uint64_t executed = 0;  // warp instructions in all runs of the kernel
};

struct Row {
  std::string name, file, reason;
  Side nvidia, ours;
  std::string listing;  // where NVIDIA's code was counted, if it is not among the binaries: then nothing was run
  std::size_t runs = 0;
  std::vector<std::string> differences;  // runs that leave other memory than expected

  /// What is worse than the bound, as words; empty: nothing.
  std::vector<std::string> over() const;
};

/// Our machine code for tests/quality/kernels/<file>.cu. Throws if clang is missing or refuses it.
Module compile_kernels(const std::string& file);

/// All rows. `binaries` is the folder of the machine code. Throws if clang is missing or refuses a source.
std::vector<Row> compare_code(const std::string& binaries);

/// tests/quality/code_quality.tsv.
std::string quality_table(const std::vector<Row>& rows);

}  // namespace g80::quality
