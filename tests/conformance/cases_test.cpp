// Every runnable case of the real kernels on the golden reference: memory exactly as expected, in either divergence
// order.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tb/golden/grid.h"
#include "tests/conformance/vector_file.h"

namespace g80::golden {
namespace {

using conformance::hex32;
using nlohmann::json;

struct Kernel {
  std::vector<std::uint32_t> words;
  isa::Arch arch = isa::Arch::kSm10;
  std::uint32_t registers = 128, shared = kMaxSharedBytes, local = 0;
};

std::uint32_t number_or(const json& object, const char* key, std::uint32_t fallback) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number() ? it->get<std::uint32_t>() : fallback;
}

Kernel load_kernel(const std::string& directory, const std::string& name) {
  Kernel kernel;
  std::ifstream code(directory + "/" + name + ".hex");
  for (std::string word; code >> word;) kernel.words.push_back(hex32(word));
  std::ifstream info(directory + "/" + name + ".json");
  const json about = json::parse(info);
  kernel.arch = isa::parse_arch(about.value("arch", "sm_10")).value_or(isa::Arch::kSm10);
  // The feature level is that of the instructions used: an sm_11 operation in a file that names none is accepted.
  kernel.arch = std::max(kernel.arch, isa::Arch::kSm11);
  kernel.local = number_or(about, "lmem", 0);
  if (kernel.local != 0) {
    std::uint32_t size = 16;
    while (size < kernel.local) size *= 2;
    kernel.local = size;
  }
  return kernel;
}

Launch make_launch(const json& test, const Kernel& kernel, FirstPath first) {
  Launch launch;
  launch.grid_x = test["grid"][0];
  launch.grid_y = test["grid"][1];
  launch.block_x = test["block"][0];
  launch.block_y = test["block"][1];
  launch.block_z = test["block"][2];
  launch.start_pc = test["entry"];
  launch.registers = kernel.registers;
  launch.shared_bytes = kernel.shared;
  launch.local_bytes = kernel.local;
  for (const auto& word : test["params"]) launch.params.push_back(hex32(word));
  for (const auto& [bank, text] : test["const"].items()) {
    auto& bytes = launch.constant[static_cast<unsigned>(std::stoul(bank))];
    const std::string digits = text;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
      bytes.push_back(static_cast<std::uint8_t>(hex32(digits.substr(i, 2))));
    }
  }
  launch.first_path = first;
  return launch;
}

void put_words(MemoryImage& image, const json& ranges) {
  for (const auto& [address, words] : ranges.items()) {
    std::uint32_t a = hex32(address);
    for (const auto& word : words) {
      image.set_word(a, hex32(word));
      a += 4;
    }
  }
}

/// First word that differs, as text; empty if none.
std::string first_difference(const MemoryImage& seen, const MemoryImage& expected, std::uint32_t bytes) {
  if (std::memcmp(seen.at(0), expected.at(0), bytes) == 0) return {};
  for (std::uint32_t a = 0; a < bytes; a += 4) {
    if (seen.word(a) == expected.word(a)) continue;
    char text[96];
    std::snprintf(text, sizeof text, "g[%x] is %08x, expected %08x", a, seen.word(a), expected.word(a));
    return text;
  }
  return "last bytes differ";
}

class Cases : public testing::TestWithParam<FirstPath> {};

TEST_P(Cases, EveryKernelLeavesTheExpectedMemory) {
  const std::string directory = conformance::data_directory("G80_BINARIES_DIR", "../shared/binaries");
  std::ifstream file(directory + "/cases.jsonl");
  if (!file) GTEST_SKIP() << "cases.jsonl is not in " << directory;
  std::map<std::string, Kernel> kernels;
  std::size_t total = 0, passed = 0, counts_agree = 0;
  std::set<std::string> counts_differ;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const json test = json::parse(line);
    const std::string name = test["kernel"], label = name + " " + test["case"].get<std::string>();
    if (kernels.count(name) == 0) kernels[name] = load_kernel(directory, name);
    const Kernel& kernel = kernels[name];
    ++total;

    const Launch launch = make_launch(test, kernel, GetParam());
    const std::uint32_t bytes = test["mem_size"];
    MemoryImage seen, expected;
    seen.allow(0, bytes);
    put_words(seen, test["mem_init"]);
    put_words(expected, test["mem_init"]);
    put_words(expected, test["expect_changed"]);
    if (launch.block_threads() > kMaxThreadsPerCta) {
      std::printf("%s runs blocks of %u threads, more than the chip's %u: reference only\n", label.c_str(),
                  launch.block_threads(), kMaxThreadsPerCta);
    }
    RunOptions options;
    options.max_warp_instructions = 100'000'000;
    const Program program(kernel.words, kernel.arch);
    const RunResult result = run_grid(program, launch, seen, options);
    if (result.status != RunStatus::kFinished) {
      ADD_FAILURE() << label << ": " << (result.fault ? describe(result.fault) : "does not end");
      continue;
    }
    const std::string difference = first_difference(seen, expected, bytes);
    EXPECT_EQ(difference, "") << label;
    passed += difference.empty();
    if (result.warp_instructions == test["warp_instructions"].get<std::uint64_t>()) {
      ++counts_agree;
    } else {
      counts_differ.insert(label + ": " + std::to_string(result.warp_instructions) + " instead of " +
                           std::to_string(test["warp_instructions"].get<std::uint64_t>()));
    }
  }
  std::printf("%zu of %zu cases cases.jsonl (%s path first)\n", passed, total,
              GetParam() == FirstPath::kTaken ? "taken" : "fall-through");
  std::printf("%zu of %zu cases issue the listed number of warp instructions\n", counts_agree, total);
  for (const auto& text : counts_differ) std::printf("  %s\n", text.c_str());
  EXPECT_EQ(passed, total);
  EXPECT_GT(total, 0u);
}

INSTANTIATE_TEST_SUITE_P(BothOrders, Cases, testing::Values(FirstPath::kTaken, FirstPath::kFallthrough),
                         [](const auto& info) {
                           return info.param == FirstPath::kTaken ? "TakenFirst" : "FallthroughFirst";
                         });

}  // namespace
}  // namespace g80::golden
