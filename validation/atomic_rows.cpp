// SPDX-License-Identifier: Apache-2.0
// Histograms of 256 bins on a GTX 280, by two blocks an SM. The rate is the difference between two lengths of input, so
// that neither the start nor the end count.
#include <random>

#include "input/input_error.h"
#include "validation/rows.h"

namespace g80::silicon {
namespace {

constexpr const char* kSource =
    "Sanders and Kandrot, CUDA by Example, ch. 9, quoted from memory: 100 MB on a GTX 285, scaled to its clocks";
constexpr unsigned kBins = 256;  // and threads of a block
constexpr double kTolerance = 0.15;

// Shader cycles of `each` elements a thread; the bins are checked.
std::uint64_t cycles_of(Bench& bench, const char* entry, unsigned each) {
  const unsigned blocks = 2 * bench.num_sms();
  Experiment experiment;
  experiment.kernel = "histogram.cu";
  experiment.entry = entry;
  experiment.grid = {blocks, 1, 1};
  experiment.block = {kBins, 1, 1};
  experiment.buffers = {Words(blocks * kBins), Words(blocks * kBins * each)};
  experiment.params = {blocks * kBins * each};
  std::mt19937 random(1);
  Words want(kBins);
  for (std::uint32_t& word : experiment.buffers[1]) ++want[word = random() % kBins];
  const Observation seen = bench.run(std::move(experiment));
  Words got(seen.buffers[0].begin(), seen.buffers[0].begin() + kBins);
  for (std::size_t i = kBins; i < seen.buffers[0].size(); ++i) got[i % kBins] += seen.buffers[0][i];
  if (got != want) throw InputError("histogram.cu: a bin is wrong");
  return seen.result.shader_cycles;
}

// M atomics a second.
double rate(Bench& bench, const char* entry, unsigned few, unsigned many) {
  const auto cycles = static_cast<double>(cycles_of(bench, entry, many) - cycles_of(bench, entry, few));
  return 2.0 * bench.num_sms() * kBins * (many - few) / (cycles / bench.shader_hz()) / 1e6;
}

const std::vector<Row> kAtomicRows = {
    {"atomics_shared", 'D', "gtx280", "histogram with atomics in s[]", "M/s", 1600, 1600, kSource,
     "issue: each try of a warp's loop locks one lane's word", [](Bench& b) { return rate(b, "in_shared", 2, 6); },
     kTolerance},
    {"atomics_global", 'D', "gtx280", "histogram with atomics in g[]", "M/s", 56, 56, kSource,
     "hw/mem/atomic_unit.h: one atomic at a time in each partition",
     [](Bench& b) { return rate(b, "in_global", 2, 6); }, kTolerance},
};

}  // namespace

const std::vector<Row>& atomic_rows() { return kAtomicRows; }

}  // namespace g80::silicon
