// g80 silicon and g80 seeds: what real chips did, beside what the model does.
#include <fmt/format.h>

#include <cmath>

#include "tb/main/commands.h"
#include "tb/report/run_result.h"
#include "tb/scenario/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/silicon/rows.h"

namespace g80 {
namespace {

using silicon::Result;
using silicon::Row;

constexpr double kTrialBand = 0.10;  // of each of the seven times

void write_json(const std::string& file, const std::vector<Result>& results) {
  if (file.empty()) return;
  write_file(file, silicon::results_json(results));
}

}  // namespace

int silicon_command(const SiliconCommand& options) {
  if (!options.json.empty()) check_writable("--json", options.json);
  std::vector<Result> results;
  for (const Row& row : silicon::micro_rows()) {
    if (options.row.empty() || options.row == row.id) results.push_back(silicon::measure(row));
  }
  if (results.empty()) throw InputError(fmt::format("--row {}: no row has this name; g80 silicon prints them all", options.row));
  fmt::print("{}", silicon::results_text(results));
  write_json(options.json, results);
  return kExitPass;
}

int seeds_command(const SeedsCommand& options) {
  if (!options.json.empty()) check_writable("--json", options.json);
  std::vector<Result> results;
  bool within = true;
  for (unsigned trial = 1; trial <= silicon::trial_rows().size(); ++trial) {
    if (options.trial != 0 && options.trial != trial) continue;
    results.push_back({&silicon::trial_rows()[trial - 1], silicon::trial_milliseconds(trial, options.full)});
    within &= std::fabs(results.back().error()) <= kTrialBand;
  }
  fmt::print("{}root mean square {:.1f} %; {}\n", silicon::results_text(results), 100 * silicon::rms_error(results),
             within ? "all within 10 %" : "not all within 10 %");
  write_json(options.json, results);
  return within ? kExitPass : kExitDiffers;
}

}  // namespace g80
