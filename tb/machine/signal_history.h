// SPDX-License-Identifier: Apache-2.0
// Records the changes of a few signals in memory, for programs that analyse waves.
#pragma once
#include <string>
#include <vector>

#include "hw/common/domain.h"
#include "tb/waves/signal_table.h"

namespace g80 {

class SignalHistory final : public TraceSink {
 public:
  struct Change {
    Picoseconds time = 0;
    std::string clock;
    Cycle cycle = 0;
    std::uint64_t value = 0;
  };
  /// `signals`: names as a wave viewer lists them, of the objects below `scopes`. Throws WaveError if one does not
  /// exist.
  SignalHistory(std::vector<Domain*> domains, const std::vector<std::string>& scopes, std::vector<std::string> signals);
  ~SignalHistory() override;
  SignalHistory(const SignalHistory&) = delete;
  SignalHistory& operator=(const SignalHistory&) = delete;

  /// The changes of the signal, in the order of time.
  const std::vector<Change>& of(const std::string& signal) const;
  /// Its value after the changes at `time`; 0 before the first one.
  std::uint64_t at(const std::string& signal, Picoseconds time) const;

  void edge_begin(Domain& domain) override { domain_ = &domain; }
  void edge_done(Domain& domain) override;
  void changed(std::uint32_t slot) override;

 private:
  void look();

  const std::vector<Domain*> domains_;
  SignalTable table_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> numbers_;  // of the signals in the table
  std::vector<std::vector<Change>> changes_;
  std::vector<std::uint32_t> marked_;
  Domain* domain_ = nullptr;  // whose edge is running
};

}  // namespace g80
