// SPDX-License-Identifier: Apache-2.0
// GTKWave translate filter files: the names of an enumeration's values, for file formats that carry numbers only.
//
// Generated from the design's EnumText tables. GTKWave compares the displayed digits, so the rows are in binary, in
// every width a signal of that type has. Binary, because an FST file's own names are compared that way: one view then
// decodes both formats.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "tb/waves/signal_table.h"

namespace g80 {

/// File name of an enumeration's filter.
std::string enum_filter_name(const EnumText& text);
std::string enum_filter_text(const EnumText& text, const std::set<unsigned>& widths);
/// Writes one file into `dir` for every enumeration among `signals`; returns the file names.
std::vector<std::string> write_enum_filters(const std::string& dir, const std::vector<Signal>& signals);

}  // namespace g80
