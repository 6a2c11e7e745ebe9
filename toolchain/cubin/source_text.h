// SPDX-License-Identifier: Apache-2.0
// The text of source lines, for listings that show it beside machine code.
//
// Files are read at the first request and cached. A missing file is not an error: its lines have no
// text.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/cubin/line_table.h"

namespace g80 {

class SourceText {
 public:
  /// The line without spaces around it, if its file can be read and is that long.
  std::optional<std::string_view> line(const SourcePlace& place);

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> files_;  // no lines: unreadable
};

}  // namespace g80
