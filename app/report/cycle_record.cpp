// SPDX-License-Identifier: Apache-2.0
#include "app/report/cycle_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "app/report/comparison.h"
#include "app/report/statistics.h"
#include "app/report/summary_table.h"
#include "hw/common/check.h"
#include "input/input_error.h"

namespace g80 {
namespace {

constexpr const char* kKeys[] = {"device", "run", "verdict"};

auto key(const CycleRow& row) { return std::tie(row.device, row.run); }
auto with_key_of(const CycleRow& wanted) {
  return [&wanted](const CycleRow& row) { return key(row) == key(wanted); };
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, '\t');) list.push_back(cell);
  return list;
}

std::string head() {
  std::string line;
  for (const char* name : kKeys) line += fmt::format("{}\t", name);
  return line + fmt::format("{}", fmt::join(cycle_columns(), "\t"));
}

std::string change_text(std::uint64_t from, std::uint64_t to) {
  if (from == 0) return fmt::format("0 -> {}", to);
  const MetricPair metric{"", static_cast<double>(from), static_cast<double>(to)};
  return fmt::format("{} -> {} ({})", from, to, g80::change_text(metric.change()));
}

std::string difference(const CycleRow& recorded, const CycleRow& measured) {
  std::vector<std::string> changes;
  if (recorded.verdict != measured.verdict)
    changes.push_back(fmt::format("'{}' -> '{}'", recorded.verdict, measured.verdict));
  for (std::size_t i = 0; i < recorded.counts.size(); ++i) {
    if (recorded.counts[i] != measured.counts[i])
      changes.push_back(fmt::format("{} {}", cycle_columns()[i], change_text(recorded.counts[i], measured.counts[i])));
  }
  if (changes.empty()) return {};
  return fmt::format("{} on {}: {}", measured.run, measured.device, fmt::join(changes, ", "));
}

/// A run of a measured device that the suite no longer has.
bool is_gone(const CycleRow& row, const std::vector<CycleRow>& measured) {
  return std::any_of(measured.begin(), measured.end(),
                     [&](const CycleRow& other) { return other.device == row.device; }) &&
         std::none_of(measured.begin(), measured.end(), with_key_of(row));
}

}  // namespace

const std::vector<std::string>& cycle_columns() {
  static const std::vector<std::string> columns = {"shader_cycles",
                                                   "executing_cycles",
                                                   "warp_instructions",
                                                   "thread_instructions",
                                                   "divergent_branches",
                                                   "memory_transactions",
                                                   "bank_conflict_passes",
                                                   "register_bank_conflicts",
                                                   "instruction_cache_misses",
                                                   "constant_cache_misses",
                                                   "tpc.tlb_misses",
                                                   "tpc.texture_cache_misses",
                                                   "tpc.request_flits",
                                                   "tpc.reply_flits",
                                                   "partition.bytes_read",
                                                   "partition.bytes_written",
                                                   "partition.dram_row_conflicts",
                                                   "stall.no_warp",
                                                   "stall.fetch",
                                                   "stall.control",
                                                   "stall.alu",
                                                   "stall.memory",
                                                   "stall.barrier",
                                                   "stall.drain",
                                                   "stall.unit_busy",
                                                   "stall.memory_queue"};
  return columns;
}

CycleRow cycle_row(const RunResult& result) {
  const auto run = statistics_document({result}).at("runs").at(0);
  const std::vector<std::pair<std::string, double>> numbers = summed_counters(run);
  CycleRow row{result.manifest.device, run_name(run), verdict(result), {}};
  for (const std::string& column : cycle_columns()) {
    const auto found =
        std::find_if(numbers.begin(), numbers.end(), [&](const auto& number) { return number.first == column; });
    CHECK(found != numbers.end(), "{}: the run has no counter {}", row.run, column);
    row.counts.push_back(static_cast<std::uint64_t>(found->second));
  }
  return row;
}

std::vector<CycleRow> read_cycle_record(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line)) throw InputError(fmt::format("{}: there is no record of cycles", file));
  if (line != head()) {
    throw InputError(
        fmt::format("{}: this is not a record of cycles with the columns of this version (--bless writes one)", file));
  }
  std::vector<CycleRow> rows;
  for (unsigned number = 2; std::getline(in, line); ++number) {
    const auto refuse = [&] { return InputError(fmt::format("{}:{}: this is not a row of the record", file, number)); };
    const std::vector<std::string> cell = cells(line);
    if (cell.size() != std::size(kKeys) + cycle_columns().size()) throw refuse();
    CycleRow row{cell[0], cell[1], cell[2], {}};
    for (std::size_t i = std::size(kKeys); i < cell.size(); ++i) {
      std::uint64_t value = 0;
      const char* const end = cell[i].data() + cell[i].size();
      const auto [at, error] = std::from_chars(cell[i].data(), end, value);
      if (cell[i].empty() || at != end || error != std::errc{}) throw refuse();
      row.counts.push_back(value);
    }
    if (std::any_of(rows.begin(), rows.end(), with_key_of(row)))
      throw InputError(fmt::format("{}:{}: this run is in the record twice", file, number));
    rows.push_back(std::move(row));
  }
  return rows;
}

void write_cycle_record(const std::string& file, std::vector<CycleRow> rows) {
  std::sort(rows.begin(), rows.end(), [](const CycleRow& a, const CycleRow& b) { return key(a) < key(b); });
  std::ofstream out(file);
  out << head() << '\n';
  for (const CycleRow& row : rows)
    out << fmt::format("{}\t{}\t{}\t{}\n", row.device, row.run, row.verdict, fmt::join(row.counts, "\t"));
  out.close();
  if (!out) throw InputError(fmt::format("{}: the record of cycles could not be written", file));
}

std::vector<std::string> cycle_differences(const std::vector<CycleRow>& recorded, const std::vector<CycleRow>& measured,
                                           bool whole) {
  std::vector<std::string> sentences;
  for (const CycleRow& row : measured) {
    const auto found = std::find_if(recorded.begin(), recorded.end(), with_key_of(row));
    if (found == recorded.end()) {
      sentences.push_back(fmt::format("{} on {}: is not in the record", row.run, row.device));
    } else if (std::string sentence = difference(*found, row); !sentence.empty()) {
      sentences.push_back(std::move(sentence));
    }
  }
  for (const CycleRow& row : recorded) {
    if (whole && is_gone(row, measured))
      sentences.push_back(fmt::format("{} on {}: is in the record and did not run", row.run, row.device));
  }
  return sentences;
}

std::vector<CycleRow> merged(std::vector<CycleRow> recorded, const std::vector<CycleRow>& measured, bool whole) {
  const auto gone = [&](const CycleRow& row) { return whole && is_gone(row, measured); };
  recorded.erase(std::remove_if(recorded.begin(), recorded.end(), gone), recorded.end());
  for (const CycleRow& row : measured) {
    const auto found = std::find_if(recorded.begin(), recorded.end(), with_key_of(row));
    if (found == recorded.end()) {
      recorded.push_back(row);
    } else {
      *found = row;
    }
  }
  return recorded;
}

}  // namespace g80
