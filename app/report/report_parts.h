// SPDX-License-Identifier: Apache-2.0
// The sections of a report about one launch and about all launches of its kernel.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/report/hot_rows.h"
#include "tb/scenario/run_result.h"

namespace g80 {

/// Peak rates of the chip, from the resolved configuration.
struct Peaks {
  double shader_mhz = 0, sms = 0, tpcs = 0, partitions = 0;
  double issue = 0;     // warp instructions per shader cycle: each SM issues in every second
  double lanes = 0;     // thread instructions per shader cycle: eight SPs each
  double dram_gbs = 0;  // GB/s of all partitions
};
Peaks peaks_of(const nlohmann::ordered_json& config);

/// part / whole, 0 for an empty whole.
inline double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// A value with two decimals, enough for plots and tables.
double hundredths(double value);

/// Colour of a stall reason, or of "issued": the same in every plot.
unsigned reason_colour(const std::string& reason);

using Items = nlohmann::ordered_json;  // an array of items for html_page()

Items stall_items(const LaunchResult& launch);
Items lane_items(const LaunchResult& launch);
Items occupancy_items(const LaunchResult& launch, const Peaks& peaks);
Items memory_items(const LaunchResult& launch, const Peaks& peaks);
/// `prefix` makes the anchors of several kernels different.
Items hot_items(const HotKernel& kernel, const std::string& prefix);

/// GB/s of so many bytes in so many shader cycles.
double gigabytes_per_second(double bytes, double cycles, const Peaks& peaks);
std::uint64_t sum_over_sms(const LaunchResult& launch, const std::string& counter);
/// One of the sums of memory_counters().
std::uint64_t memory_sum(const LaunchResult& launch, const std::string& counter);

}  // namespace g80
