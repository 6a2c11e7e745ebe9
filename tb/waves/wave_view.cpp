// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/wave_view.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>
#include <unordered_set>

#include "tb/waves/enum_filters.h"
#include "tb/waves/surfer_view.h"
#include "tb/waves/trace_file.h"
#include "tb/waves/wave_sink.h"

namespace g80 {

namespace {

// Bits of a row's flag word in a save file.
constexpr std::uint64_t kHexBit = 0x2, kDecimalBit = 0x4, kBinaryBit = 0x8, kRightJustified = 0x20, kBlank = 0x200,
                        kCollapsed = 0x1000, kFileFilter = 0x2000, kProcessFilter = 0x4000, kClosed = 0x400000,
                        kGroupBegin = 0x800000, kGroupEnd = 0x1000000, kEnum = 0x100000000;

constexpr const char* kInstructionFilter = "instruction";  // the program in the filter folder

/// The files with which GTKWave decodes values.
struct Filters {
  std::string folder, lines;
};

/// Names of the signals of a row. Most signals differ in what stands before the first wildcard.
class RowPattern {
 public:
  RowPattern(const std::string& scope, const ViewRow& row) : has_index_(row.glob.find('[') != std::string::npos) {
    const std::string glob = scope + row.glob;
    literal_ = glob.substr(0, glob.find_first_of("*?"));
    for (const char c : glob) {  // brackets are part of names here
      if (c == '[' || c == ']') pattern_ += '\\';
      pattern_ += c;
    }
  }
  // Array elements match only a row whose pattern has an index, so that a wide block does not fill the view.
  bool matches(const std::string& name) const {
    if (name.compare(0, literal_.size(), literal_) != 0) return false;
    if (!has_index_ && name.find('[') != std::string::npos) return false;
    return fnmatch(pattern_.c_str(), name.c_str(), 0) == 0;
  }

 private:
  bool has_index_;
  std::string literal_, pattern_;
};

/// Every scope of the signals once, in their order.
std::vector<std::string> list_scopes(const std::vector<Signal>& signals) {
  std::vector<std::string> scopes;
  std::unordered_set<std::string_view> known;
  for (const Signal& signal : signals) {
    const std::string_view name = signal.name;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
      if (known.insert(name.substr(0, dot)).second) scopes.emplace_back(name.substr(0, dot));
    }
  }
  return scopes;
}

// Names of the blocks that match, with a final dot: all of them, or the first.
std::vector<std::string> find_scopes(const ViewGroup& group, const std::vector<std::string>& all) {
  if (group.scope.empty()) return {""};
  std::vector<std::string> scopes;
  for (const std::string& scope : all) {
    if (fnmatch(group.scope.c_str(), scope.c_str(), 0) != 0) continue;
    scopes.push_back(scope + '.');
    if (!group.every) break;
  }
  return scopes;
}

// "gpu.tpc0.sm1." -> "tpc0.sm1"
std::string block_name(const std::string& scope) {
  const std::string name = scope.substr(0, scope.size() - 1);
  const std::size_t dot = name.find('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::uint64_t format_flags(ViewFormat format, const Signal& signal) {
  // With both bits GTKWave takes the names from an FST file itself and from the filter file otherwise.
  if (signal.text != nullptr) return kBinaryBit | kRightJustified | kFileFilter | kEnum;
  if (format == ViewFormat::kInstruction) return kHexBit | kRightJustified | kProcessFilter;
  if (format == ViewFormat::kSourceLine) return kHexBit | kRightJustified | kFileFilter;
  if (signal.width == 1 || format == ViewFormat::kBinary) return kBinaryBit | kRightJustified;
  return (format == ViewFormat::kDecimal ? kDecimalBit : kHexBit) | kRightJustified;
}

/// The bundle's valid bit, then the pc: without an instruction the pc is 0, which must not show a source line.
std::string valid_and_pc(const Signal& pc, const std::vector<Signal>& signals) {
  for (std::size_t dot = pc.name.rfind('.'); dot != std::string::npos && dot != 0; dot = pc.name.rfind('.', dot - 1)) {
    const std::string valid = pc.name.substr(0, dot) + ".valid";
    if (std::none_of(signals.begin(), signals.end(), [&](const Signal& signal) { return signal.name == valid; }))
      continue;
    std::string bits = valid;
    for (unsigned bit = 0; bit < pc.width; ++bit) bits += fmt::format(" ({}){}", bit, gtkwave_name(pc));
    return bits;
  }
  throw WaveError(fmt::format("{} has no source line: its struct has no field 'valid'", pc.name));
}

/// The rows of a save file. Flags hold until the next ones, as in the files that GTKWave writes.
struct SavedRows {
  std::string text;
  std::uint64_t flags = 0;
  void add(std::uint64_t row_flags, const std::string& row) {
    if (row_flags != flags) text += fmt::format("@{:x}\n", row_flags);
    flags = row_flags;
    text += row;
  }
};

std::string row_text(const ShownRow& shown, std::uint64_t flags, ViewColor color, const std::vector<Signal>& signals,
                     const Filters& filters) {
  const Signal& signal = *shown.signal;
  std::string text;
  if (color != ViewColor::kDefault) text += fmt::format("[color] {}\n", static_cast<unsigned>(color));
  if (signal.text != nullptr) {
    text += fmt::format("^1 {}/{}\n", filters.folder, enum_filter_name(*signal.text));
  } else if (shown.row->format == ViewFormat::kSourceLine) {
    text += fmt::format("^1 {}\n", filters.lines);
  }
  if ((flags & kProcessFilter) != 0) text += fmt::format("^>1 {}/{}\n", filters.folder, kInstructionFilter);
  if (shown.row->format == ViewFormat::kSourceLine)
    return text + fmt::format("#{{{}}} {}\n", shown.title, valid_and_pc(signal, signals));
  return text + fmt::format("+{{{}}} {}\n", shown.title, gtkwave_name(signal));
}

std::vector<ShownRow> shown_rows(const ViewSpec& view, const ViewGroup& group, const std::string& scope,
                                 const std::vector<Signal>& all) {
  std::vector<ShownRow> rows;
  std::vector<const Signal*> signals;
  for (const Signal& signal : all) {
    if (signal.name.compare(0, scope.size(), scope) == 0) signals.push_back(&signal);
  }
  std::set<std::pair<std::string, bool>> shown;  // a pc is shown as a number and as its line
  for (const ViewRow& row : group.rows) {
    bool matched = false;
    const RowPattern pattern(scope, row);
    for (const Signal* signal : signals) {
      if (!pattern.matches(signal->name)) continue;
      matched = true;
      if (!shown.insert({signal->name, row.format == ViewFormat::kSourceLine}).second) continue;
      std::string title = *row.title != '\0' ? row.title : signal->name.substr(scope.size());
      std::replace(title.begin(), title.end(), '.', ' ');  // GTKWave shows nothing before the last dot
      rows.push_back({&row, signal, std::move(title)});
    }
    if (!matched && !view.partial)
      throw WaveError(fmt::format("view {}, group {}: unknown signal {}{}", view.name, group.title, scope, row.glob));
  }
  return rows;
}

}  // namespace

std::string gtkwave_name(const Signal& signal) {
  return signal.width == 1 ? signal.name : fmt::format("{}[{}:0]", signal.name, signal.width - 1);
}

std::vector<Signal> list_signals(const TraceSelection& selection, const std::vector<Domain*>& domains) {
  SignalTable table;
  for (const Domain* domain : domains) declare_clock(table, *domain);
  for (Traceable* item : collect_items(selection)) table.add_item(*item);
  return table.signals();
}

std::vector<ShownGroup> shown_groups(const ViewSpec& view, const std::vector<Signal>& signals) {
  std::vector<ShownGroup> groups;
  const std::vector<std::string> scopes = list_scopes(signals);
  for (const ViewGroup& group : view.groups) {
    for (const std::string& scope : find_scopes(group, scopes)) {
      std::vector<ShownRow> rows = shown_rows(view, group, scope, signals);
      if (rows.empty()) continue;
      groups.push_back({group.every ? block_name(scope) + ": " + group.title : group.title, group.open, group.color,
                        std::move(rows)});
    }
  }
  return groups;
}

std::string view_text(const ViewSpec& view, const std::vector<Signal>& signals, const std::string& filters,
                      const std::string& lines) {
  // The column has names and, at the marker, values, behind the longest text: room for eight digits.
  constexpr std::size_t kMostCharacters = 43;
  std::string text = view.dump.empty() ? "" : fmt::format("[dumpfile] \"{}\"\n", view.dump);
  text += fmt::format("[timestart] {}\n[size] 1600 1000\n[signals_width] 440\n[sst_expanded] 0\n", view.start);
  const std::string marker = view.marker == 0 ? "-1" : std::to_string(view.marker);
  if (view.zoom != 0)
    text += fmt::format("*{:.6f} {} -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n",
                        -view.zoom, marker);
  SavedRows rows;
  for (std::string rest = view.question; !rest.empty();) {
    const std::size_t end = rest.size() <= kMostCharacters ? rest.size() : rest.rfind(' ', kMostCharacters);
    rows.add(kBlank, fmt::format("-{}\n", rest.substr(0, end)));
    rest.erase(0, end + 1);
  }
  const Filters with{filters, lines.empty() ? filters + '/' + kSourceLineFilter : lines};
  for (const ShownGroup& group : shown_groups(view, signals)) {
    const std::string title = fmt::format("-{}\n", group.title);
    rows.add(kGroupBegin | kBlank | (group.open ? 0 : kClosed), title);
    for (const ShownRow& row : group.rows) {
      const std::uint64_t flags = format_flags(row.row->format, *row.signal);
      rows.add(flags, row_text(row, flags, group.color, signals, with));
    }
    rows.add(kGroupEnd | kBlank | (group.open ? 0 : kClosed | kCollapsed), title);
  }
  return text + rows.text;
}

std::vector<std::string> missing_groups(const ViewSpec& view, const std::vector<Signal>& signals) {
  std::vector<std::string> titles;
  const std::vector<std::string> scopes = list_scopes(signals);
  for (const ViewGroup& group : view.groups) {
    if (find_scopes(group, scopes).empty()) titles.push_back(group.title);
  }
  return titles;
}

std::vector<std::string> write_views(const std::string& dir, const std::vector<ViewSpec>& views,
                                     const std::vector<Signal>& signals, const std::string& filters) {
  std::vector<std::string> files;
  for (const std::string& filter : write_enum_filters(dir + "/filters", signals))
    files.push_back(dir + "/filters/" + filter);
  const auto write = [&](const std::string& path, const std::string& text) {
    std::ofstream out(path);
    out << text;
    if (!out.flush()) throw WaveError("cannot write " + path);
    files.push_back(path);
  };
  write(fmt::format("{}/filters/{}", dir, kSourceLineFilter),
        "# The lines of a run are beside its wave, NAME.fst.lines: waves/view puts that file into this one's "
        "place.\n0000000 -\n");
  for (const ViewSpec& view : views) {
    write(dir + "/" + view.name + ".gtkw", view_text(view, signals, filters));
    write(dir + "/" + view.name + ".sucl", surfer_text(view, signals));
  }
  return files;
}

}  // namespace g80
