// Runs small pieces of machine code on one preset and says how many shader cycles they took.
//
// Times are differences between runs that differ in nothing but the number of copies and of rounds through them: launch,
// first fetches, the loop and the end of the grid fall out. Every run gets a machine of its own, so rows do not depend on their order.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hw/config/config.h"

namespace g80::silicon {

class Bench {
 public:
  explicit Bench(const std::string& device, const std::vector<std::string>& sets = {}) : config_(load_config(device, sets)) {}

  const Config& config() const { return config_; }
  double shader_hz() const { return config_.clock.shader_mhz * 1e6; }
  unsigned num_sms() const { return config_.gpu.num_tpcs * config_.gpu.sms_per_tpc; }

  /// Shader cycles of one launch. The kernel's only parameter is a buffer of `bytes` that reads zero; `dynamic_shared`
  /// bytes of s[] lie behind it, from 0x20 on.
  std::uint64_t cycles(const std::string& source, unsigned blocks, unsigned threads, std::uint32_t bytes = 256,
                       std::uint32_t dynamic_shared = 0) const;

  /// Cycles that an SM takes for `operation` of one of `warps` warps, nothing waiting for anything: the copies write four
  /// registers in turn ("{d}"). An operation may be several instructions, one a line.
  double issue_cycles(const std::string& operation, unsigned warps = 16, const std::string& setup = "") const;
  /// Cycles from one copy to the next in one warp when each needs the one before.
  double dependent_cycles(const std::string& operation, unsigned warps = 1, const std::string& setup = "") const;

 private:
  double per_copy(const std::string& operation, const std::string& setup, unsigned warps) const;
  const Config config_;
};

}  // namespace g80::silicon
