// Rows as text, JSON and docs/accuracy.md.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hw/config/config_keys.h"
#include "tb/silicon/rows.h"

namespace g80::silicon {
namespace {

std::string published(const Row& row) {
  return row.low == row.high ? fmt::format("{:g}", row.low) : fmt::format("{:g} to {:g}", row.low, row.high);
}

// Three or four digits that mean something, the same on every host.
std::string digits(double value) { return fmt::format(value < 10 ? "{:.2f}" : "{:.1f}", value); }

std::string percent(double error) { return fmt::format("{:+.1f} %", std::fabs(error) < 0.0005 ? 0.0 : 100 * error); }

constexpr const char* kStart = R"(# How near the model is to silicon

Every row is a published figure of a real chip and what the model gives. `g80 seeds` and `g80 silicon` print the same;
`accuracy_doc` (`docs/accuracy.cpp`) prints this page, and a test fails when a row is no longer what it says here.

An error is the distance from the published value, or from the nearer end of a published range.

)";

std::string table(const std::vector<Result>& results) {
  std::string text =
      "| Row | Device | What | Silicon | Model | Unit | Error | Decided by | Source |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const Result& result : results) {
    const Row& row = *result.row;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} |\n", row.id, row.device, row.what,
                        published(row), digits(result.model), row.unit, percent(result.error()), row.decided, row.source);
  }
  return text;
}

// Shader cycles of whole trials, as `g80 seeds --full` gave them on the day that stands in the page.
constexpr std::array<std::pair<unsigned, std::uint64_t>, 3> kFullCycles = {{{1, 20917464}, {3, 129078850}, {5, 21322211}}};

// The slices beside the whole runs.
std::string full_runs(const std::vector<Result>& trials) {
  std::string text =
      "\nAll 1024 blocks, recorded on 2026-11-21 with `g80 seeds --full` (a trial takes two to twelve minutes):\n\n"
      "| Row | Silicon, ms | All blocks, ms | Error | Slices, ms | Slices beside all blocks |\n|---|---|---|---|---|---|\n";
  const double khz = load_config("8600gts").clock.shader_mhz * 1e3;
  for (const auto& [trial, cycles] : kFullCycles) {
    const Result& slice = trials.at(trial - 1);
    const double ms = static_cast<double>(cycles) / khz;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", slice.row->id, published(*slice.row), digits(ms), percent(ms / slice.row->low - 1), digits(slice.model),
                        percent(slice.model / ms - 1));
  }
  return text;
}

// Keys whose source says that they were chosen to meet the seven times.
std::string fitted_keys() {
  const ConfigDetails details = load_config_details("8600gts");
  std::string text = "| Key | Value | Source |\n|---|---|---|\n";
  for (const ConfigKey& key : config_keys()) {
    const ConfigOrigin& origin = details.origins[*find_config_key(key.full_name())];
    if (origin.source.find("closest fit") == std::string::npos) continue;
    text += fmt::format("| `{}` | {} | {} |\n", key.full_name(), quote_config_value(key.load(details.config)), origin.source);
  }
  return text;
}

}  // namespace

double Result::error() const {
  if (model < row->low) return model / row->low - 1;
  if (model > row->high) return model / row->high - 1;
  return 0;
}

Result measure(const Row& row) { return {&row, row.measure(Bench(row.device))}; }

double rms_error(const std::vector<Result>& results) {
  double sum = 0;
  for (const Result& result : results) sum += result.error() * result.error();
  return results.empty() ? 0 : std::sqrt(sum / static_cast<double>(results.size()));
}

std::string results_text(const std::vector<Result>& results) {
  std::string text = fmt::format("{:<20} {:<8} {:>12} {:>9}  {:<13} {:>8}  {}\n", "row", "device", "silicon", "model",
                                 "unit", "error", "decided by");
  for (const Result& result : results) {
    const Row& row = *result.row;
    text += fmt::format("{:<20} {:<8} {:>12} {:>9}  {:<13} {:>8}  {}\n", row.id, row.device, published(row),
                        digits(result.model), row.unit, percent(result.error()), row.decided);
  }
  return text;
}

std::string results_json(const std::vector<Result>& results) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Result& result : results) {
    const Row& row = *result.row;
    list.push_back({{"row", row.id}, {"section", std::string(1, row.section)}, {"device", row.device}, {"what", row.what},
                    {"unit", row.unit}, {"silicon", {row.low, row.high}}, {"model", result.model},
                    {"error", result.error()}, {"source", row.source}, {"decided_by", row.decided}});
  }
  return list.dump(1) + "\n";
}

std::string accuracy_page(const std::vector<Result>& trials, const std::vector<Result>& micro) {
  std::string page = kStart;
  page += fmt::format("## Seven times of square_array\n\nRoot mean square of the errors: {:.1f} %. The model's times come from two slices of twelve blocks, three for every SM: one\n"
                      "with the SMs in step, as they start, and one with a quarter of a block between them. In step they ask for the same banks at once\n"
                      "and are up to 6 % slower; in a long run they drift in and out of step, and the mean of both is carried on to 1024 blocks.\n"
                      "`g80 seeds --full` runs all of them.\n\n",
                      100 * rms_error(trials));
  page += table(trials);
  page += full_runs(trials);
  page += "\nThe numbers below were fitted to these seven times together; agreement with them is no evidence by itself.\n"
          "Every other number is published, derived or assumed apart from them: [timing.md](timing.md).\n\n" + fitted_keys();
  page += "\nThe order of the kernel's loads is an input too: the binary that was measured is not known. Both sides' loads go before either\n"
          "store; with the second load behind the first store trial 5 would take one and a half times as long as trial 1, and on\n"
          "silicon they are equal.\n";
  page +=
      "\n## Micro-benchmarks\n\nNo number was fitted to these. A row decided by a key with the published value shows that the machine keeps it; the "
      "others are results.\n\n" + table(micro);
  page += "\n`fdividef`: the guide adds the two instructions' times; here the multiplication of one warp goes to the SPs while the SFUs\n"
          "work for another. `barrier`: the block is 16 warps long, and its last warp waits for the barrier to open.\n";
  return page;
}

}  // namespace g80::silicon
