// SPDX-License-Identifier: Apache-2.0
// Compiles a PTX text and runs its kernels on the golden reference.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tb/scenario/golden_backend.h"
#include "toolchain/compiler/compile.h"

namespace g80 {

class PtxProgram {
 public:
  explicit PtxProgram(const std::string& text, const CompileOptions& options = sm13(),
                      DivergenceFirst first = DivergenceFirst::kTaken)
      : result_(compile_ptx(text, "test.ptx", options)), backend_(load_preset(options.arch, first)) {
    backend_.load(result_.module);
  }

  static CompileOptions sm13() {
    CompileOptions options;
    options.arch = isa::Arch::kSm13;
    return options;
  }

  const CompileResult& result() const { return result_; }
  GoldenBackend& memory() { return backend_; }

  template <class T>
  std::uint32_t upload(const std::vector<T>& values) {
    const std::uint32_t address = backend_.allocate(std::max<std::size_t>(values.size() * sizeof(T), 4), "buffer");
    if (!values.empty()) backend_.write(address, values.data(), values.size() * sizeof(T));
    return address;
  }
  template <class T>
  std::vector<T> download(std::uint32_t address, std::size_t count) {
    std::vector<T> values(count);
    if (count > 0) backend_.read(address, values.data(), count * sizeof(T));
    return values;
  }

  /// `params` are the words from s[0x10]; an 8-byte pointer is two of them.
  void run(const std::string& kernel, unsigned grid, unsigned block, const std::vector<std::uint32_t>& params,
           std::uint32_t dynamic_shared = 0) {
    const Kernel* const entry = result_.module.find_kernel(kernel);
    ASSERT_NE(entry, nullptr) << kernel;
    const LaunchResult launch =
        backend_.launch({backend_.config(), *entry, {grid, 1, 1}, {block, 1, 1}, params, dynamic_shared, 50'000'000});
    ASSERT_EQ(launch.end, LaunchEnd::kFinished) << kernel << ": " << launch.message;
  }

 private:
  static Config load_preset(isa::Arch arch, DivergenceFirst first) {
    Config config = load_config(arch == isa::Arch::kSm10 ? "8800gtx" : arch == isa::Arch::kSm11 ? "8600gts" : "gtx280");
    config.sm.divergence_first = first;
    return config;
  }

  CompileResult result_;
  GoldenBackend backend_;
};

}  // namespace g80
