// SPDX-License-Identifier: Apache-2.0
// What all contexts of a program share: options, configuration, statistics.
#pragma once
#include <optional>

#include "app/run/run_options.h"
#include "hw/config/config.h"
#include "tb/driver/memory_layout.h"
#include "tb/scenario/run_result.h"

namespace g80::cuda {

/// Of the environment's variables. Created on first use and never destroyed.
class Session {
 public:
  static Session& current();

  const CommonRunOptions& options();
  const Config& config();
  /// Of what the program allocates.
  Placement placement() { return options(), placement_; }

  /// A program makes several machines, one for each context: each writes files of its own.
  CommonRunOptions options_of_next_machine();
  void set_model(const std::string& name);
  /// Keeps what the statistics, reports and lists of hot instructions need of a launch.
  void keep(LaunchResult result);
  void write_results();

 private:
  Session() = default;

  std::optional<CommonRunOptions> options_;
  std::optional<Config> config_;
  Placement placement_ = Placement::kHeap;
  RunResult result_;
  unsigned machines_ = 0;
};

}  // namespace g80::cuda
