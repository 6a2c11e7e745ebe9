// SPDX-License-Identifier: Apache-2.0
// Comparison with a file of the repository that records what a program gave.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "source_dir.h"

namespace g80::test {

/// The file of the project has this text. If not: names the first line that differs, and writes all of the text to a
/// file that can replace it.
inline void expect_recorded(const std::string& name, const std::string& text) {
  std::ifstream stream(std::string(G80_SOURCE_DIR) + "/" + name, std::ios::binary);
  const std::string recorded{std::istreambuf_iterator<char>(stream), {}};
  if (recorded == text) return;
  const std::string fresh = ::testing::TempDir() + "g80_" + name.substr(name.rfind('/') + 1);
  std::ofstream(fresh, std::ios::binary) << text;
  std::istringstream is_lines(recorded), should_lines(text);
  std::string is, should;
  unsigned line = 1;
  while (std::getline(should_lines, should) && std::getline(is_lines, is) && is == should) ++line;
  ADD_FAILURE() << name << ", line " << line << " is\n"
                << is << "\nand should be\n"
                << should << "\nall of it: " << fresh;
}

}  // namespace g80::test
