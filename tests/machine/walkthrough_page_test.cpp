// SPDX-License-Identifier: Apache-2.0
// docs/walkthrough.md against the machine it is printed from.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "source_dir.h"
#include "tb/machine/load_walkthrough.h"

namespace g80 {
namespace {

TEST(WalkthroughPage, IsWhatTheMachineDoes) {
  std::ifstream committed(G80_SOURCE_DIR "/docs/walkthrough.md");
  std::istringstream printed(load_walkthrough_page());
  std::string is, should;
  for (unsigned line = 1; std::getline(printed, should); ++line) {
    ASSERT_TRUE(std::getline(committed, is)) << "docs/walkthrough.md ends before line " << line;
    ASSERT_EQ(is, should) << "docs/walkthrough.md, line " << line
                          << ": build walkthrough_doc and write its output there";
  }
  EXPECT_FALSE(std::getline(committed, is)) << "docs/walkthrough.md goes on after the last line";
}

}  // namespace
}  // namespace g80
