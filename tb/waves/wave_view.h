// SPDX-License-Identifier: Apache-2.0
// GTKWave save files (.gtkw), generated from the elaborated hierarchy: a view names its groups and their signals by
// wildcard pattern and shows those that exist, with enumerations and instruction words decoded.
#pragma once
#include <string>
#include <vector>

#include "hw/common/types.h"
#include "tb/waves/signal_table.h"

namespace g80 {

class Domain;

/// kSourceLine: a pc once more, as the line of the program that it belongs to, where its bundle is valid.
enum class ViewFormat : std::uint8_t { kHex, kDecimal, kBinary, kInstruction, kSourceLine };

struct ViewRow {
  std::string
      glob;  // over signal names below the group's scope; * also crosses dots. All matches, in the hierarchy's order
  ViewFormat format = ViewFormat::kHex;
  const char* title = "";  // what the row is called; empty: the signal's name below the scope
};

/// GTKWave's numbers of its trace colours.
enum class ViewColor : std::uint8_t { kDefault = 0, kOrange = 2, kYellow = 3, kGreen = 4 };

struct ViewGroup {
  std::string title;
  std::string scope;  // glob of the block the rows belong to: the first such block of the hierarchy. Empty: the top
  bool open = true;
  std::vector<ViewRow> rows;
  bool every = false;  // one group for every such block, the block's name before the title
  ViewColor color = ViewColor::kDefault;
};

struct ViewSpec {
  std::string name;      // <name>.gtkw
  std::string question;  // the question it answers, shown as its first line
  std::vector<ViewGroup> groups;
  double zoom = 0;               // GTKWave shows 2^zoom ps in about 200 pixels; 0: as it likes
  const char* place = "launch";  // where it opens: one of wave_places()
  Picoseconds start = 0;         // at the left edge
  Picoseconds marker = 0;        // where the primary marker stands; 0: nowhere
  bool partial = false;          // rows whose signal is not recorded are left out, not an error
  std::string dump = {};         // the wave that the save file opens, if it is of one
};

/// A view with its patterns replaced by the matching signals, for the writers of view files.
struct ShownRow {
  const ViewRow* row;
  const Signal* signal;
  std::string title;
};
struct ShownGroup {
  std::string title;
  bool open;
  ViewColor color;
  std::vector<ShownRow> rows;
};
/// A group whose block does not exist in this machine is left out; a row that matches nothing in an existing block is
/// an error, unless the view is partial: WaveError.
std::vector<ShownGroup> shown_groups(const ViewSpec& view, const std::vector<Signal>& signals);

/// Every signal that `selection` would put into a file, with the clocks of `domains`.
std::vector<Signal> list_signals(const TraceSelection& selection, const std::vector<Domain*>& domains);

/// The filter file of source lines in the filter folder: empty; a run's NAME.fst.lines replaces it.
inline constexpr const char* kSourceLineFilter = "source_lines.txt";

/// Text of the .gtkw file. `filters` is the folder of the filter files as GTKWave shall find it, `lines` the filter
/// file of a run's source lines, if there is one. Throws WaveError as shown_groups() does.
std::string view_text(const ViewSpec& view, const std::vector<Signal>& signals, const std::string& filters,
                      const std::string& lines = "");

/// Titles of the groups whose block is not among `signals`.
std::vector<std::string> missing_groups(const ViewSpec& view, const std::vector<Signal>& signals);

/// Name of a signal as GTKWave lists it: with its range.
std::string gtkwave_name(const Signal& signal);

/// Writes every view, for GTKWave and for Surfer, and the filter files they need into `dir`; returns the files.
/// `filters` is where GTKWave finds dir/filters: it resolves a relative path from the directory it was started in.
std::vector<std::string> write_views(const std::string& dir, const std::vector<ViewSpec>& views,
                                     const std::vector<Signal>& signals, const std::string& filters);

}  // namespace g80
