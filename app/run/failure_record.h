// SPDX-License-Identifier: Apache-2.0
// What a failing run leaves behind: its last events, and with --wave-on-failure a wave of the cycles before the
// failure, drawn by running the same thing again.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "app/run/run_options.h"
#include "hw/config/config.h"
#include "tb/scenario/backend.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario.h"
#include "toolchain/cubin/module.h"

namespace g80 {

struct ModelError;

/// Writes the last events of `failed` into <name>.flight.txt in the present folder and tells so on standard error, or
/// that it cannot. Returns the shader cycle of the last one; nothing if there are none.
std::optional<std::uint64_t> write_flight_log(const Backend& failed, const std::string& name);

class FailureRecord {
 public:
  /// Everything outlives the record.
  FailureRecord(const Scenario& scenario, const Module& module, const Config& config, const CommonRunOptions& common,
                const RunOptions& options)
      : scenario_(scenario), module_(module), config_(config), common_(common), options_(options) {}

  /// Writes <scenario>.flight.txt into the present folder, and the wave with its view if one was asked for; tells on
  /// standard error. `error`: what ended the run, if it did not end by itself.
  void write(const Backend& failed, const ModelError* error = nullptr) const;

 private:
  void draw(std::uint64_t cycle) const;

  const Scenario& scenario_;
  const Module& module_;
  const Config& config_;
  const CommonRunOptions& common_;
  const RunOptions& options_;
};

}  // namespace g80
