// SPDX-License-Identifier: Apache-2.0
// What the CUDA programs of this collection share: checked runtime calls, "name=value" arguments, results that are
// compared with the host's and written to a file for comparison between devices.
//
// A program prints one line per result and ends with PASSED or FAILED; its exit status is 0 or 1.
// Options of every program: --output FILE writes the results as text: "name type count tolerance" and hexadecimal
// words.
#pragma once
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define CHECK_CUDA(call)                                                                              \
  do {                                                                                                \
    const cudaError_t error_ = (call);                                                                \
    if (error_ != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      std::exit(1);                                                                                   \
    }                                                                                                 \
  } while (0)

/// After launches: waits for them and reports what went wrong in them.
#define CHECK_LAUNCH()                   \
  do {                                   \
    CHECK_CUDA(cudaGetLastError());      \
    CHECK_CUDA(cudaDeviceSynchronize()); \
  } while (0)

/// Device memory that is freed at the end of its scope.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    CHECK_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    CHECK_CUDA(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() { return data_; }
  void clear() { CHECK_CUDA(cudaMemset(data_, 0, count_ * sizeof(T))); }
  std::vector<T> read() const {
    std::vector<T> host(count_);
    CHECK_CUDA(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// The same numbers on every host and device.
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : state_(seed * 2654435761u + 12345u) {}
  unsigned next() {  // xorshift32
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    return state_ ^= state_ << 5;
  }
  /// In [low, high), a multiple of 2^-24 of the range.
  float uniform(float low, float high) { return low + (high - low) * (static_cast<float>(next() >> 8) / 16777216.0f); }

 private:
  unsigned state_;
};

/// A product that no compiler fuses with an addition: where a comparison or a conversion to a whole number depends on
/// its last bit, device and host must round it alike. A multiply-add of these chips cuts it off instead.
__host__ __device__ inline float rounded_product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

class Program {
 public:
  Program(int argc, char** argv) : name_(argv[0]) {
    for (int i = 1; i < argc; ++i) {
      if (std::strcmp(argv[i], "--output") == 0 && i + 1 < argc) {
        output_ = std::fopen(argv[++i], "w");
        if (output_ == nullptr) usage("cannot be written", argv[i]);
      } else if (std::strchr(argv[i], '=') != nullptr) {
        arguments_.push_back(argv[i]);
      } else {
        usage("is neither --output FILE nor name=value", argv[i]);
      }
    }
  }
  ~Program() {
    if (output_ != nullptr) std::fclose(output_);
  }

  /// The value of argument `name`, or `otherwise`.
  int argument(const char* name, int otherwise) {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const std::string& text = arguments_[i];
      const std::size_t end = text.find('=');
      if (text.compare(0, end, name) != 0) continue;
      char* rest = nullptr;
      const long value = std::strtol(text.c_str() + end + 1, &rest, 0);
      if (*rest != '\0' || value <= 0 || value > INT_MAX) usage("needs a number from 1 to 2147483647", text.c_str());
      used_ += 1;
      return static_cast<int>(value);
    }
    return otherwise;
  }

  /// Compares with what the host computed; `ulps` apart is still equal (0: bit for bit).
  void result(const char* name, const std::vector<int>& got, const std::vector<int>& want) {
    report(name, "s32", got.data(), want.data(), got.size(), 0);
  }
  void result(const char* name, const std::vector<unsigned>& got, const std::vector<unsigned>& want) {
    report(name, "u32", got.data(), want.data(), got.size(), 0);
  }
  void result(const char* name, const std::vector<float>& got, const std::vector<float>& want, unsigned ulps = 0) {
    report(name, "f32", got.data(), want.data(), got.size(), ulps);
  }

  /// Compares sums of products with the host's. The compiler may contract a product and an addition to a multiply-add,
  /// which these chips round twice: the product towards zero, the sum to the nearest. `sizes` has for each sum the sum
  /// of its terms' sizes, and `additions` is how many additions a term goes through at most.
  ///
  /// The bound, with S the size and u = 2^-23: cutting off errs by at most u of each product, so by u S in all; the
  /// host's rounding of products by u S / 2. Each addition errs on each side by at most half of u of its result, which
  /// is no larger than S. Together (additions + 3/2) u S; the other half pays for terms of second order, below a
  /// thousand additions. Without contraction the results are equal.
  void sums(const char* name, const std::vector<float>& got, const std::vector<float>& want,
            const std::vector<float>& sizes, unsigned additions) {
    std::size_t wrong = 0, first = 0, equal = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double bound = (additions + 2.0) * std::ldexp(double(sizes[i]), -23);
      equal += got[i] == want[i];
      if (!(std::fabs(double(got[i]) - want[i]) <= bound) && wrong++ == 0) first = i;
    }
    if (wrong != 0) {
      failed_ = true;
      std::printf(
          "%s: %zu of %zu sums are further apart than multiply-adds explain, first [%zu] = %.9g, expected %.9g\n", name,
          wrong, got.size(), first, got[first], want[first]);
    } else if (equal == got.size()) {
      std::printf("%s: %zu elements, equal\n", name, got.size());
    } else {
      std::printf("%s: %zu elements, %zu equal, the others as close as multiply-adds are\n", name, got.size(), equal);
    }
    write(name, "f32", got.data(), got.size(), 0);
  }

  /// The program's exit status.
  int finish() {
    if (used_ < arguments_.size()) usage("is not an argument of this program; the first of", arguments_[0].c_str());
    std::puts(failed_ ? "FAILED" : "PASSED");
    return failed_ ? 1 : 0;
  }

 private:
  [[noreturn]] void usage(const char* what, const char* argument) {
    std::fprintf(stderr, "%s: '%s' %s\n", name_, argument, what);
    std::exit(2);
  }

  /// Position of a float's pattern on the line of all floats, so that neighbours differ by one.
  static long long ordinal(unsigned bits) {
    return (bits & 0x80000000u) != 0 ? -static_cast<long long>(bits & 0x7fffffffu) : static_cast<long long>(bits);
  }

  void report(const char* name, const char* type, const void* got, const void* want, std::size_t count, unsigned ulps) {
    const unsigned* a = static_cast<const unsigned*>(got);
    const unsigned* b = static_cast<const unsigned*>(want);
    const bool is_float = std::strcmp(type, "f32") == 0;
    std::size_t wrong = 0, first = 0;
    long long worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      long long apart = a[i] != b[i];
      if (is_float) {
        apart = ordinal(a[i]) - ordinal(b[i]);
        if (apart < 0) apart = -apart;
      }
      if (apart > worst) worst = apart;
      if (apart > static_cast<long long>(ulps) && wrong++ == 0) first = i;
    }
    if (wrong == 0) {
      std::printf("%s: %zu elements, ", name, count);
      if (ulps == 0)
        std::printf("equal\n");
      else
        std::printf("at most %lld of %u units in the last place apart\n", worst, ulps);
    } else {
      failed_ = true;
      if (is_float) {
        float x, y;
        std::memcpy(&x, a + first, 4);
        std::memcpy(&y, b + first, 4);
        std::printf(
            "%s: %zu of %zu elements differ, first [%zu] = %.9g, expected %.9g, %lld units in the last place at most\n",
            name, wrong, count, first, x, y, worst);
      } else {
        std::printf("%s: %zu of %zu elements differ, first [%zu] = %d, expected %d\n", name, wrong, count, first,
                    static_cast<int>(a[first]), static_cast<int>(b[first]));
      }
    }
    write(name, type, got, count, ulps);
  }

  void write(const char* name, const char* type, const void* got, std::size_t count, unsigned ulps) {
    if (output_ == nullptr) return;
    const unsigned* words = static_cast<const unsigned*>(got);
    std::fprintf(output_, "%s %s %zu %u\n", name, type, count, ulps);
    for (std::size_t i = 0; i < count; ++i)
      std::fprintf(output_, "%08x%c", words[i], i % 64 == 63 || i + 1 == count ? '\n' : ' ');
  }

  const char* name_;
  std::vector<std::string> arguments_;
  std::size_t used_ = 0;
  std::FILE* output_ = nullptr;
  bool failed_ = false;
};
