// SPDX-License-Identifier: Apache-2.0
// Dots of keys are counted, those of texts and comments are not.
#include "hw/config/toml_depth.h"

#include <gtest/gtest.h>

#include <string>

namespace g80 {
namespace {

std::string dotted(unsigned dots) {
  std::string key = "a";
  for (unsigned i = 0; i < dots; ++i) key += ".a";
  return key;
}

TEST(TomlDepth, CountsTheDotsOfAKey) {
  EXPECT_EQ(line_of_too_deep_key(dotted(kMaxKeyDots) + " = 1\n"), 0u);
  EXPECT_EQ(line_of_too_deep_key("\n" + dotted(kMaxKeyDots + 1) + " = 1\n"), 2u);
  EXPECT_EQ(line_of_too_deep_key("# " + dotted(kMaxKeyDots + 1) + "\n"), 0u);
  EXPECT_EQ(line_of_too_deep_key(dotted(40) + " = 1\n" + dotted(40) + " = 1\n"), 0u) << "two keys";
  const std::string most = dotted(kMaxKeyDots) + " = 1\n";
  EXPECT_EQ(line_of_too_deep_key(most + most + most), 0u) << "each is counted from 0";
  EXPECT_EQ(line_of_too_deep_key(most + dotted(kMaxKeyDots + 1) + " = 1\n"), 2u);
}

TEST(TomlDepth, APartOfAKeyHasLettersDigitsDashesAndBlanks) {
  for (const std::string part : {"a", "Z", "0", "_", "-", " a", "a ", "\ta", "a\t"}) {
    std::string deep = part;
    for (unsigned i = 0; i <= kMaxKeyDots; ++i) deep += "." + part;
    EXPECT_EQ(line_of_too_deep_key(deep + " = 1\n"), 1u) << part;
  }
}

TEST(TomlDepth, KnowsWhereATextEnds) {
  const std::string deep = dotted(kMaxKeyDots + 4);  // its end alone too
  for (const std::string& quote : {std::string("\""), std::string("'")}) {
    const std::string three = quote + quote + quote;
    EXPECT_EQ(line_of_too_deep_key("a = " + quote + deep + quote + "\n"), 0u);
    EXPECT_EQ(line_of_too_deep_key("a = " + three + "\n" + deep + "\n" + three + "\n"), 0u);
    for (const std::string& text : {quote + quote, quote + "x" + quote, three + "\n x" + three, three + quote + three})
      EXPECT_EQ(line_of_too_deep_key("a = " + text + "\n" + deep + " = 1\n"), text.find('\n') == text.npos ? 2u : 3u)
          << text;
  }
  EXPECT_EQ(line_of_too_deep_key("a = \"\\\"" + deep + "\"\n"), 0u) << "an escaped quote";
}

}  // namespace
}  // namespace g80
