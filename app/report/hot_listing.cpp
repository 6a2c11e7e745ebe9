// SPDX-License-Identifier: Apache-2.0
// Text of the hot instructions and lines.
#include "app/report/hot_listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/report/hot_rows.h"
#include "toolchain/cubin/kernel_name.h"
#include "toolchain/cubin/source_text.h"

namespace g80 {
namespace {

class Listing {
 public:
  explicit Listing(std::size_t width) : width_(width) {}
  std::string text;

  void kernel(const std::string& name, const std::vector<HotRow>& instructions, unsigned count) {
    std::uint64_t total = 0, issued = 0;
    for (const HotRow& row : instructions) total += row.waited, issued += row.sum.issued;
    text += fmt::format("\n{}: {} scheduler cycles issued, {} without issue while a warp waited\n",
                        demangled_name(name), issued, total);
    if (total == 0) return;
    table("instruction", instructions, total, count,
          [](const HotRow& row) { return fmt::format("{:04x}  {}", row.sum.pc, row.sum.text); });
    table("source line", hot_lines(instructions), total, count, [this](const HotRow& row) {
      const std::string place = place_of(row.sum);
      if (place.empty()) return std::string("(no source line)");
      const auto line = source_.line({row.sum.file, row.sum.line});
      return fmt::format("{}{}{}", place, line ? "  " : "", line.value_or(""));
    });
  }

 private:
  template <class Name>
  void table(const char* title, std::vector<HotRow> rows, std::uint64_t total, unsigned count, const Name& name) {
    std::stable_sort(rows.begin(), rows.end(), [](const HotRow& a, const HotRow& b) { return a.waited > b.waited; });
    if (rows.size() > count) rows.resize(count);
    const bool narrow = width_ != 0 && width_ < kAllColumns;
    const auto counts = [&](const auto& issued, const auto& lanes, const auto& transactions, const auto& conflicts) {
      return narrow ? "" : fmt::format(" {:>8} {:>5} {:>8} {:>8}", issued, lanes, transactions, conflicts);
    };
    const auto line = [&](const std::string& row) { text += row + '\n'; };
    line(fmt::format("  {:>9} {:>5}  {:<{}}{}  {}", "waited", "%", "for", narrow ? 24 : 34,
                     counts("issued", "lanes", "transact", "conflict"), title));
    for (const HotRow& row : rows) {
      if (row.waited == 0) break;
      const PcCounters& sum = row.sum;
      const double lanes = sum.issued != 0 ? static_cast<double>(sum.lanes) / static_cast<double>(sum.issued) : 0;
      line(fmt::format(
          "  {:>9} {:>5.1f}  {:<{}}{}  {}", row.waited,
          100.0 * static_cast<double>(row.waited) / static_cast<double>(total), main_reasons(row), narrow ? 24 : 34,
          counts(sum.issued, fmt::format("{:.1f}", lanes), sum.transactions, sum.bank_conflict_passes), name(row)));
      if (!sum.text.empty() && sum.line != 0) {
        const auto source = source_.line({sum.file, sum.line});
        line(fmt::format("{:>{}}{}{}{}", "", narrow ? 45 : 88, place_of(sum), source ? ": " : "", source.value_or("")));
      }
    }
  }

  static constexpr std::size_t kAllColumns = 120;  // a terminal that has room for the counts, too
  const std::size_t width_;
  SourceText source_;
};

}  // namespace

std::string hot_listing(const RunResult& result, unsigned count, std::size_t width) {
  Listing listing(width);
  for (const HotKernel& kernel : hot_kernels(result)) listing.kernel(kernel.name, kernel.instructions, count);
  return listing.text;
}

}  // namespace g80
