// SPDX-License-Identifier: Apache-2.0
#include "app/report/html_page.h"

#include "hw/common/version.h"
#include "page_assets.h"

namespace g80 {
namespace {

/// The page as JSON that is safe inside a script element: no text in it can end the element.
std::string embedded(const nlohmann::ordered_json& page) {
  const std::string json = page.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string text;
  text.reserve(json.size());
  for (const char letter : json) {
    if (letter == '<') {
      text += "\\u003c";
    } else {
      text += letter;
    }
  }
  return text;
}

}  // namespace

std::string html_page(const nlohmann::ordered_json& page) {
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  text += std::string("<meta name=\"generator\" content=\"g80 ") + kVersion + "\">\n<title>g80</title>\n<style>\n";
  text += kPageCss;
  text += "</style>\n</head>\n<body>\n<noscript>This page needs JavaScript.</noscript>\n";
  text += "<script type=\"application/json\" id=\"page\">" + embedded(page) + "</script>\n<script>\n";
  text += kPageJs;
  text += "</script>\n</body>\n</html>\n";
  return text;
}

}  // namespace g80
