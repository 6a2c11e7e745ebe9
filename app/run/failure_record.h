// SPDX-License-Identifier: Apache-2.0
// Files that a failing run writes: its last events, and with --wave-on-failure, or if an RTL twin differs, a wave of
// the cycles before the failure, recorded in a second run.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/run/run_options.h"
#include "hw/config/config.h"
#include "tb/scenario/backend.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario.h"
#include "toolchain/cubin/module.h"

namespace g80 {

struct ModelError;

/// Writes the last events of `failed` to <name>.flight.txt in the current folder and prints this, or an error, to
/// standard error. Returns the shader cycle of the last event; nothing if there are none.
std::optional<std::uint64_t> write_flight_log(const Backend& failed, const std::string& name);

class FailureRecord {
 public:
  /// All references must outlive the record.
  FailureRecord(const Scenario& scenario, const Module& module, const Config& config, const CommonRunOptions& common,
                const RunOptions& options)
      : scenario_(scenario), module_(module), config_(config), common_(common), options_(options) {}

  /// Writes <scenario>.flight.txt to the current folder, and the wave with its view if requested; prints their names to
  /// standard error. `error`: the exception that ended the run, if any.
  void write(const Backend& failed, const ModelError* error = nullptr) const;

 private:
  struct Wave {
    std::string file;
    std::uint64_t failure, to;        // shader cycles
    std::vector<std::string> scopes;  // empty: all
  };
  void draw(const Wave& wave) const;

  const Scenario& scenario_;
  const Module& module_;
  const Config& config_;
  const CommonRunOptions& common_;
  const RunOptions& options_;
};

}  // namespace g80
