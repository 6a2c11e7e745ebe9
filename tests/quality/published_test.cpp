// The kernels of which only a listing is public, against the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "tb/scenario/golden_backend.h"
#include "tests/quality/comparison.h"

namespace g80::quality {
namespace {

using Words = std::vector<std::uint32_t>;

class PublishedKernels : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("clang --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "clang is not at hand";
    module_ = compile_kernels("published");
    backend_.load(module_);
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
  void run(const char* kernel, unsigned grid, unsigned block, const Words& params) {
    LaunchRequest request;
    request.kernel = module_.find_kernel(kernel);
    request.grid = {grid, 1, 1};
    request.block = {block, 1, 1};
    request.params = params;
    request.max_cycles = 10'000'000;
    const LaunchResult launch = backend_.launch(request);
    ASSERT_EQ(launch.end, LaunchEnd::kFinished) << launch.message;
  }
  Words random_words(std::size_t count, std::uint32_t below) {
    Words words(count);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random_()) % below;
    return words;
  }

  Module module_;
  GoldenBackend backend_{load_config("8800gtx")};
  std::mt19937 random_{1};
};

TEST_F(PublishedKernels, TheOddEvenSortSortsWhatABlockHas) {
  Words numbers = random_words(128, 1000);
  const std::uint32_t address = upload(numbers);
  run("odd_even_sort", 2, 32, {address, 0, 64});
  std::sort(numbers.begin(), numbers.begin() + 64);
  std::sort(numbers.begin() + 64, numbers.end());
  EXPECT_EQ(download(address, 128), numbers);
}

TEST_F(PublishedKernels, TheScalarProductIsTheSumOfTheProducts) {
  const Words a = random_words(32, 1u << 20), b = random_words(32, 1u << 20);
  const std::uint32_t sums = upload(Words(128, 0));
  run("scalar_product", 1, 32, {sums, upload(a), upload(b), 16});
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  EXPECT_EQ(download(sums, 1).at(0), sum);
}

TEST_F(PublishedKernels, TheTransformDoesItsButterflies) {
  constexpr std::uint32_t kPoints = 64;
  Words x = random_words(2 * kPoints, 100), w = random_words(kPoints, 5);
  const std::uint32_t values = upload(x);
  run("fft", 1, 32, {values, upload(w), kPoints});
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

}  // namespace
}  // namespace g80::quality
