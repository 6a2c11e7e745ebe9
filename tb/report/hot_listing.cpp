// Text of the hot instructions and lines.
#include "tb/report/hot_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/toolchain/cubin/kernel_name.h"
#include "kernels/toolchain/cubin/source_text.h"

namespace g80 {
namespace {

struct Row {
  PcCounters sum;  // of one instruction, or of all of one line
  std::uint64_t waited = 0;
};

std::uint64_t waited(const PcCounters& counters) {
  std::uint64_t cycles = 0;
  for (const NamedCount& reason : counters.stall) cycles += reason.second;
  return cycles;
}

void add(Row& row, const PcCounters& more) {
  PcCounters& sum = row.sum;
  sum.issued += more.issued, sum.lanes += more.lanes, sum.transactions += more.transactions;
  sum.bank_conflict_passes += more.bank_conflict_passes;
  for (const auto& [reason, cycles] : more.stall) {
    const auto same = [&name = reason](const NamedCount& s) { return s.first == name; };
    const auto found = std::find_if(sum.stall.begin(), sum.stall.end(), same);
    found == sum.stall.end() ? void(sum.stall.emplace_back(reason, cycles)) : void(found->second += cycles);
  }
  row.waited += waited(more);
}

std::string place_of(const PcCounters& counters) {
  return counters.line != 0 ? to_text({counters.file, counters.line}) : std::string();
}

/// "memory 61 %, alu 30 %": the reasons that make up most of the wait.
std::string reasons(const Row& row) {
  std::vector<NamedCount> sorted = row.sum.stall;
  std::stable_sort(sorted.begin(), sorted.end(), [](const NamedCount& a, const NamedCount& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t k = 0; k < sorted.size() && k < 2; ++k) {
    const std::uint64_t percent = 100 * sorted[k].second / row.waited;
    if (k > 0 && percent < 10) break;
    text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", sorted[k].first, percent);
  }
  return text;
}

class Listing {
 public:
  std::string text;

  void kernel(const std::string& name, const std::vector<Row>& instructions, unsigned count) {
    std::uint64_t total = 0, issued = 0;
    for (const Row& row : instructions) total += row.waited, issued += row.sum.issued;
    text += fmt::format("\n{}: {} scheduler cycles issued, in {} a warp waited\n", demangled_name(name), issued, total);
    if (total == 0) return;
    table("instruction", instructions, total, count, [](const Row& row) { return fmt::format("{:04x}  {}", row.sum.pc, row.sum.text); });
    table("source line", lines_of(instructions), total, count, [this](const Row& row) {
      const std::string place = place_of(row.sum);
      if (place.empty()) return std::string("(no source line)");
      const auto line = source_.line({row.sum.file, row.sum.line});
      return fmt::format("{}{}{}", place, line ? "  " : "", line.value_or(""));
    });
  }

 private:
  static std::vector<Row> lines_of(const std::vector<Row>& instructions) {
    std::map<std::pair<std::string, std::uint32_t>, Row> lines;
    for (const Row& row : instructions) {
      Row& line = lines[{row.sum.file, row.sum.line}];
      line.sum.file = row.sum.file;
      line.sum.line = row.sum.line;
      add(line, row.sum);
    }
    std::vector<Row> rows;
    for (auto& entry : lines) rows.push_back(std::move(entry.second));
    return rows;
  }

  template <class Name>
  void table(const char* title, std::vector<Row> rows, std::uint64_t total, unsigned count, const Name& name) {
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.waited > b.waited; });
    if (rows.size() > count) rows.resize(count);
    text += fmt::format("  {:>9} {:>5}  {:<34} {:>8} {:>5} {:>8} {:>8}  {}\n", "waited", "%", "for", "issued", "lanes", "transact", "conflict",
                        title);
    for (const Row& row : rows) {
      if (row.waited == 0) break;
      const PcCounters& sum = row.sum;
      const double lanes = sum.issued != 0 ? static_cast<double>(sum.lanes) / static_cast<double>(sum.issued) : 0;
      text += fmt::format("  {:>9} {:>5.1f}  {:<34} {:>8} {:>5.1f} {:>8} {:>8}  {}\n", row.waited,
                          100.0 * static_cast<double>(row.waited) / static_cast<double>(total), reasons(row), sum.issued, lanes, sum.transactions,
                          sum.bank_conflict_passes, name(row));
      if (!sum.text.empty() && sum.line != 0) {
        const auto line = source_.line({sum.file, sum.line});
        text += fmt::format("  {:>82}    {}{}{}\n", "", place_of(sum), line ? ": " : "", line.value_or(""));
      }
    }
  }

  SourceText source_;
};

}  // namespace

std::string hot_listing(const RunResult& result, unsigned count) {
  std::vector<std::pair<std::string, std::vector<Row>>> kernels;  // in order of their first launch
  for (const LaunchResult& launch : result.launches) {
    if (launch.pcs.empty()) continue;
    auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.first == launch.kernel; });
    if (kernel == kernels.end()) kernel = kernels.emplace(kernels.end(), launch.kernel, std::vector<Row>());
    for (const PcCounters& counters : launch.pcs) {
      auto row = std::find_if(kernel->second.begin(), kernel->second.end(), [&](const Row& r) { return r.sum.pc == counters.pc; });
      if (row == kernel->second.end()) {
        row = kernel->second.emplace(kernel->second.end());
        row->sum = counters;
        row->waited = waited(counters);
      } else {
        add(*row, counters);
      }
    }
  }
  Listing listing;
  for (const auto& [name, rows] : kernels) listing.kernel(name, rows, count);
  return listing.text;
}

}  // namespace g80
