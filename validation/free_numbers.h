// SPDX-License-Identifier: Apache-2.0
// How many numbers the configurations have, how each is known, which were fitted to which measurements, and how well
// the fit predicts a measurement that it did not see: `g80 list numbers`.
#pragma once
#include <array>
#include <string>
#include <vector>

namespace g80::silicon {

inline constexpr unsigned kTrials = 7;  // of square_array
using Times = std::array<double, kTrials>;

/// The seven times with one fitted key at another value; with the values of the preset, `key` is empty.
struct FitRun {
  std::string key, value;
  Times ms{};
};
/// Lines of key, value and seven times, separated by tabs: validation/leave_one_out.tsv.
std::vector<FitRun> read_fit_runs(const std::string& text, const std::string& name);

/// One trial left out: the value that fits the six others best, and what it predicts.
struct LeftOut {
  unsigned trial = 0;
  std::string value;  // empty: the preset's
  double error = 0;   // of the prediction, relative
};
/// `measured` in ms. The smallest mean square of the six errors decides; the first run wins a tie.
std::vector<LeftOut> leave_one_out(const std::vector<FitRun>& runs, const std::string& key, const Times& measured);

/// The lists as text, from the presets and the recordings in validation/.
std::string free_numbers_text();

}  // namespace g80::silicon
