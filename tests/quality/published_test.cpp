// SPDX-License-Identifier: Apache-2.0
// The kernels of which only a listing is public, against the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>

#include "hw/isa/float_bits.h"
#include "tb/scenario/golden_backend.h"
#include "tests/quality/comparison.h"

namespace g80::quality {
namespace {

using Words = std::vector<std::uint32_t>;

class PublishedKernels : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::system("clang --version > /dev/null 2>&1") == 0) module_ = compile_kernels("published");
  }
  void SetUp() override {
    if (!module_) GTEST_SKIP() << "clang is not at hand";
    backend_.load(*module_);
  }
  std::uint32_t upload(const Words& words) {
    const std::uint32_t address = backend_.allocate(4 * words.size(), "words");
    backend_.write(address, words.data(), 4 * words.size());
    return address;
  }
  Words download(std::uint32_t address, std::size_t count) {
    Words words(count);
    backend_.read(address, words.data(), 4 * count);
    return words;
  }
  using Extent = std::array<std::uint32_t, 3>;
  void run(const char* kernel, const Extent& grid, const Extent& block, const Words& params,
           std::uint32_t shared_bytes = 0) {
    Launch launch(backend_.config(), *module_->find_kernel(kernel), grid, {32, 1, 1}, params, shared_bytes, 10'000'000);
    launch.shape.block = block;  // one kernel is for chips with more threads in a block; the reference runs it
    const LaunchResult result = backend_.launch(launch);
    ASSERT_EQ(result.end, LaunchEnd::kFinished) << result.message;
  }
  Words random_words(std::size_t count, std::uint32_t below) {
    Words words(count);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random_()) % below;
    return words;
  }

  static inline std::optional<Module> module_;
  GoldenBackend backend_{load_config("8800gtx")};
  std::mt19937 random_{1};
};

TEST_F(PublishedKernels, TheOddEvenSortSortsWhatABlockHas) {
  Words numbers = random_words(128, 1000);
  const std::uint32_t address = upload(numbers);
  run("odd_even_sort", {2, 1, 1}, {32, 1, 1}, {address, 0, 64});
  std::sort(numbers.begin(), numbers.begin() + 64);
  std::sort(numbers.begin() + 64, numbers.end());
  EXPECT_EQ(download(address, 128), numbers);
}

TEST_F(PublishedKernels, TheScalarProductIsTheSumOfTheProducts) {
  const Words a = random_words(32, 1u << 20), b = random_words(32, 1u << 20);
  const std::uint32_t sums = upload(Words(128, 0));
  run("scalar_product", {1, 1, 1}, {32, 1, 1}, {sums, upload(a), upload(b), 16});
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  EXPECT_EQ(download(sums, 1).at(0), sum);
}

TEST_F(PublishedKernels, TheTransformDoesItsButterflies) {
  constexpr std::uint32_t kPoints = 64;
  Words x = random_words(2 * kPoints, 100), w = random_words(kPoints, 5);
  const std::uint32_t values = upload(x);
  run("fft", {1, 1, 1}, {32, 1, 1}, {values, upload(w), kPoints});
  for (std::uint32_t half = 1, turn = kPoints / 2; half < kPoints; half *= 2, turn /= 2) {
    for (std::uint32_t k = 0; k < kPoints; ++k) {
      if ((k & half) != 0) continue;
      const std::uint32_t r = 2 * (turn * k & (kPoints / 2 - 1)), o = 2 * (k + half);
      const std::uint32_t re = x[o] * w[r] - x[o + 1] * w[r + 1], im = x[o] * w[r + 1] + x[o + 1] * w[r];
      x[o] = x[2 * k] - re, x[o + 1] = x[2 * k + 1] - im;
      x[2 * k] += re, x[2 * k + 1] += im;
    }
  }
  EXPECT_EQ(download(values, 2 * kPoints), x);
}

TEST_F(PublishedKernels, TheBitonicSortSorts) {
  Words numbers = random_words(256, 1000);
  const std::uint32_t address = upload(numbers);
  run("bitonic_sort", {1, 1, 1}, {256, 1, 1}, {address}, 1024);
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(download(address, 256), numbers);
}

TEST_F(PublishedKernels, DistancesAreThoseToThePlace) {
  constexpr std::uint32_t kCount = 100;
  Words places(2 * kCount);
  for (std::uint32_t& word : places) word = isa::bits_of(static_cast<float>(random_() % 1000) / 8);
  const std::uint32_t distances = upload(Words(128, 7));
  run("nearest_neighbor", {2, 2, 1}, {32, 1, 1},
      {upload(places), 0, distances, 0, kCount, isa::bits_of(30.0f), isa::bits_of(90.0f)});
  const Words found = download(distances, 128);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const double north = 30.0 - isa::float_of(places[2 * i]), east = 90.0 - isa::float_of(places[2 * i + 1]);
    const double distance = std::sqrt(north * north + east * east);
    EXPECT_NEAR(isa::float_of(found[i]), distance, 4e-7 * distance) << i;  // rsqrt and rcp: 3 units in the last place
  }
  EXPECT_EQ(found[kCount], 7u);
}

TEST_F(PublishedKernels, TheProductOfTilesIsTheMatrixProduct) {
  constexpr std::uint32_t kInner = 64, kWidth = 64;  // a tile of rows of A; small integers: every sum is exact
  Words a(32 * kInner), b(kInner * kWidth);
  for (std::uint32_t& word : a) word = isa::bits_of(static_cast<float>(random_() % 16));
  for (std::uint32_t& word : b) word = isa::bits_of(static_cast<float>(random_() % 16));
  const std::uint32_t c = upload(Words(32 * kWidth, 0));
  run("matrix_multiply", {kWidth / 32, 1, 1}, {32, 32, 1}, {c, 0, upload(a), 0, upload(b), 0, kInner, kWidth});
  const Words found = download(c, 32 * kWidth);
  for (std::uint32_t i = 0; i < 32; ++i) {
    for (std::uint32_t j = 0; j < kWidth; ++j) {
      float sum = 0;
      for (std::uint32_t k = 0; k < kInner; ++k)
        sum += isa::float_of(a[i * kInner + k]) * isa::float_of(b[k * kWidth + j]);
      ASSERT_EQ(isa::float_of(found[i * kWidth + j]), sum) << i << " " << j;
    }
  }
}

TEST_F(PublishedKernels, TheTransposeSwapsRowsAndColumns) {
  constexpr std::uint32_t kWidth = 64;
  const Words from = random_words(kWidth * kWidth, 1u << 30);
  const std::uint32_t to = upload(Words(kWidth * kWidth, 0));
  run("transpose", {2, 2, 1}, {32, 8, 1}, {upload(from), to, kWidth});
  const Words found = download(to, kWidth * kWidth);
  for (std::uint32_t i = 0; i < kWidth * kWidth; ++i) ASSERT_EQ(found[i], from[i % kWidth * kWidth + i / kWidth]) << i;
}

TEST_F(PublishedKernels, TheAutocorrelationSumsProductsAtALag) {
  constexpr std::uint32_t kCount = 50;
  const Words values = random_words(kCount, 1u << 31);
  const std::uint32_t sums = upload(Words(64, 7));
  run("autocorrelation", {2, 1, 1}, {32, 1, 1}, {upload(values), sums, kCount});
  const Words found = download(sums, 64);
  for (std::uint32_t lag = 0; lag < kCount; ++lag) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i + lag < kCount; ++i) sum += values[i] * values[i + lag];
    EXPECT_EQ(found[lag], sum) << lag;
  }
  EXPECT_EQ(found[kCount], 7u);
}

}  // namespace
}  // namespace g80::quality
