// SPDX-License-Identifier: Apache-2.0
// Measuring rows, and rows as text and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "validation/rows.h"

namespace g80::silicon {

std::string published_text(const Row& row) {
  if (std::isinf(row.high)) return fmt::format("{:g} or more", row.low);
  return row.low == row.high ? fmt::format("{:g}", row.low) : fmt::format("{:g} to {:g}", row.low, row.high);
}

std::string model_text(double value) { return fmt::format(value < 10 ? "{:.2f}" : "{:.1f}", value); }

std::string percent_text(double error) {
  return fmt::format("{:+.1f} %", std::fabs(error) < 0.0005 ? 0.0 : 100 * error);
}

double Result::error() const {
  if (!std::isfinite(model)) return std::numeric_limits<double>::quiet_NaN();
  if (model < row->low) return model / row->low - 1;
  if (model > row->high) return model / row->high - 1;
  return 0;
}

bool Result::holds() const { return std::fabs(error()) <= row->allowed; }

const std::vector<Row>& micro_rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> rows;
    for (const auto& part :
         {issue_rows(), bandwidth_rows(), reduction_rows(), matrix_rows(), atomic_rows(), published_rows()})
      rows.insert(rows.end(), part.begin(), part.end());
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.section < b.section; });
    return rows;
  }();
  return all;
}

Result Silicon::measure(const Row& row) {
  Bench& bench = benches_.try_emplace(row.device, row.device, runner_).first->second;
  runner_.take();
  const double model = row.measure(bench);
  return {&row, model, runner_.take()};
}

std::vector<Result> Silicon::measure(const std::vector<Row>& rows) {
  std::vector<Result> results;
  for (const Row& row : rows) results.push_back(measure(row));
  return results;
}

double rms_error(const std::vector<Result>& results) {
  double sum = 0;
  for (const Result& result : results) sum += result.error() * result.error();
  return results.empty() ? 0 : std::sqrt(sum / static_cast<double>(results.size()));
}

std::string results_text(const std::vector<Result>& results) {
  std::string text = fmt::format("{:<20} {:<8} {:>12} {:>9}  {:<13} {:>8} {:<4} {}\n", "row", "device", "silicon",
                                 "model", "unit", "error", "", "decided by");
  std::size_t held = 0;
  for (const Result& result : results) {
    const Row& row = *result.row;
    held += result.holds() ? 1 : 0;
    text += fmt::format("{:<20} {:<8} {:>12} {:>9}  {:<13} {:>8} {:<4} {}\n", row.id, row.device, published_text(row),
                        model_text(result.model), row.unit, percent_text(result.error()), result.holds() ? "" : "OUT",
                        row.decided);
    if (const std::string cycles = cycles_text(result.where); !cycles.empty()) {
      const std::string dram = result.where.uses_dram() ? dram_text(result.where) : "";
      text += fmt::format("{:<20} {}{}{}\n", "", cycles, dram.empty() ? "" : "; DRAM: ", dram);
    }
  }
  return text + fmt::format("{} of {} rows hold\n", held, results.size());
}

std::string results_tsv(const std::vector<Result>& results) {
  std::string text =
      "row\tdevice\twhat\tsilicon\tmodel\tunit\terror\tholds\tdecided by\tsource\tshader cycles\texecuting\t"
      "scheduler cycles\tDRAM\n";
  for (const Result& result : results) {
    const Row& row = *result.row;
    const CycleBreakdown& where = result.where;
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", row.id, row.device, row.what,
                        published_text(row), model_text(result.model), row.unit, percent_text(result.error()),
                        result.holds() ? "yes" : "no", row.decided, row.source, where.cycles, where.executing,
                        cycles_text(where), where.uses_dram() ? dram_text(where) : "");
  }
  const auto held = std::count_if(results.begin(), results.end(), [](const Result& result) { return result.holds(); });
  return text + fmt::format("# {} of {} rows hold\n", held, results.size());
}

std::string results_json(const std::vector<Result>& results) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Result& result : results) {
    const Row& row = *result.row;
    list.push_back({{"row", row.id},
                    {"section", std::string(1, row.section)},
                    {"device", row.device},
                    {"what", row.what},
                    {"unit", row.unit},
                    {"silicon", {row.low, row.high}},  // an end that is not known is null
                    {"model", result.model},
                    {"error", result.error()},
                    {"allowed", row.allowed},
                    {"holds", result.holds()},
                    {"source", row.source},
                    {"decided_by", row.decided},
                    {"where", where_json(result.where)}});
  }
  return list.dump(1) + "\n";
}

}  // namespace g80::silicon
