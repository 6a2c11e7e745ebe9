// SPDX-License-Identifier: Apache-2.0
// Pages from JSON: texts of a run cannot become part of the page's own code.
#include "app/report/html_page.h"

#include <gtest/gtest.h>

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

TEST(HtmlPage, KeepsTextsInsideTheirJson) {
  const Json page = {
      {"title", "</script><b>&\"'"}, {"subtitle", "<!--"}, {"footer", "]]>"}, {"sections", Json::array()}};
  const std::string html = html_page(page);
  EXPECT_EQ(count_of(html, "</script>"), 2u);
  EXPECT_EQ(count_of(html, "<script"), 2u);
  EXPECT_EQ(html.find("<!--"), std::string::npos);
  const std::string start = "id=\"page\">";
  const std::size_t from = html.find(start) + start.size();
  EXPECT_EQ(Json::parse(html.substr(from, html.find("</script>", from) - from)), page);
}

TEST(HtmlPage, TakesTextsThatAreNoUtf8) {
  const Json page = {{"title", "\xff"}, {"sections", Json::array()}};
  EXPECT_NE(html_page(page).find("\"title\":\"\xef\xbf\xbd\""), std::string::npos);
}

TEST(HtmlPage, IsOneDocument) {
  const std::string html = html_page({{"title", "t"}, {"sections", Json::array()}});
  EXPECT_EQ(html.rfind("<!DOCTYPE html>\n", 0), 0u);
  for (const char* tag : {"html", "head", "body", "style", "title", "noscript"}) {
    EXPECT_EQ(count_of(html, std::string("<") + tag + ">") + count_of(html, std::string("<") + tag + " "), 1u) << tag;
    EXPECT_EQ(count_of(html, std::string("</") + tag + ">"), 1u) << tag;
  }
}

}  // namespace
}  // namespace g80
