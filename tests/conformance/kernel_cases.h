// SPDX-License-Identifier: Apache-2.0
// The runnable cases of real kernels (cases.jsonl) and their machine code, as plain data: whoever runs them builds its
// own launch.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/isa/encoding.h"
#include "tests/conformance/vector_file.h"
#include "tests/support/data_dirs.h"

namespace g80::conformance {

struct KernelCode {
  std::vector<std::uint32_t> words;
  isa::Arch arch = isa::Arch::kSm10;
  std::uint32_t local_bytes = 0;  // l[] per thread, a power of two or 0
};

/// Words at byte addresses of g14[].
using WordRanges = std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>;

struct KernelCase {
  std::string kernel, label;
  std::array<std::uint32_t, 2> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint32_t entry = 0;
  std::vector<std::uint32_t> params;                       // from s[0x10]
  std::map<unsigned, std::vector<std::uint8_t>> constant;  // by bank
  std::uint32_t mem_size = 0;                              // g14[0] .. g14[mem_size), zero where nothing is listed
  WordRanges mem_init, expect_changed;
  std::uint64_t warp_instructions = 0;

  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  /// The memory before, as words.
  std::vector<std::uint32_t> initial() const { return image({&mem_init}); }
  /// The memory after: what is not listed as changed must be as before.
  std::vector<std::uint32_t> expected() const { return image({&mem_init, &expect_changed}); }

 private:
  std::vector<std::uint32_t> image(const std::vector<const WordRanges*>& layers) const {
    std::vector<std::uint32_t> words(mem_size / 4);
    for (const WordRanges* layer : layers) {
      for (const auto& [address, values] : *layer) {
        for (std::size_t i = 0; i < values.size(); ++i) words.at(address / 4 + i) = values[i];
      }
    }
    return words;
  }
};

inline std::string cases_directory() { return test::binaries_dir().value_or("no folder"); }

/// All cases, in the order of the file; nothing if there is no such file.
inline std::optional<std::vector<KernelCase>> read_kernel_cases(const std::string& directory) {
  std::ifstream file(directory + "/cases.jsonl");
  if (!file) return std::nullopt;
  const auto ranges_of = [](const nlohmann::json& object) {
    WordRanges ranges;
    for (const auto& [address, words] : object.items()) {
      auto& range = ranges.emplace_back(hex32(address), std::vector<std::uint32_t>());
      for (const auto& word : words) range.second.push_back(hex32(word));
    }
    return ranges;
  };
  std::vector<KernelCase> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const nlohmann::json test = nlohmann::json::parse(line);
    KernelCase& out = cases.emplace_back();
    out.kernel = test["kernel"];
    out.label = out.kernel + " " + test["case"].get<std::string>();
    for (std::size_t i = 0; i < out.grid.size(); ++i) out.grid[i] = test["grid"][i];
    for (std::size_t i = 0; i < out.block.size(); ++i) out.block[i] = test["block"][i];
    out.entry = test["entry"];
    for (const auto& word : test["params"]) out.params.push_back(hex32(word));
    for (const auto& [bank, text] : test["const"].items()) {
      auto& bytes = out.constant[static_cast<unsigned>(std::stoul(bank))];
      const std::string digits = text;
      for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        bytes.push_back(static_cast<std::uint8_t>(hex32(digits.substr(i, 2))));
      }
    }
    out.mem_size = test["mem_size"];
    out.mem_init = ranges_of(test["mem_init"]);
    out.expect_changed = ranges_of(test["expect_changed"]);
    out.warp_instructions = test["warp_instructions"];
  }
  return cases;
}

inline KernelCode load_kernel_code(const std::string& directory, const std::string& name) {
  KernelCode kernel;
  std::ifstream code(directory + "/" + name + ".hex");
  for (std::string word; code >> word;) kernel.words.push_back(hex32(word));
  std::ifstream info(directory + "/" + name + ".json");
  const nlohmann::json about = nlohmann::json::parse(info);
  kernel.arch = isa::parse_arch(about.value("arch", "sm_10")).value_or(isa::Arch::kSm10);
  // The feature level is that of the instructions used: an sm_11 operation in a file that names none is accepted.
  kernel.arch = std::max(kernel.arch, isa::Arch::kSm11);
  const auto local = about.find("lmem");
  if (local != about.end() && local->is_number() && local->get<std::uint32_t>() != 0) {
    kernel.local_bytes = 16;
    while (kernel.local_bytes < local->get<std::uint32_t>()) kernel.local_bytes *= 2;
  }
  return kernel;
}

/// First word that differs, as text; empty if none.
inline std::string first_difference(const std::vector<std::uint32_t>& seen,
                                    const std::vector<std::uint32_t>& expected) {
  const auto [a, b] = std::mismatch(seen.begin(), seen.end(), expected.begin(), expected.end());
  if (a == seen.end() && b == expected.end()) return {};
  if (a == seen.end() || b == expected.end()) return "sizes differ";
  char text[96];
  std::snprintf(text, sizeof text, "g[%x] is %08x, expected %08x", static_cast<unsigned>(4 * (a - seen.begin())), *a,
                *b);
  return text;
}

}  // namespace g80::conformance
