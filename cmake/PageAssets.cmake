# SPDX-License-Identifier: Apache-2.0
# page_assets.h: style and script of HTML pages as texts of the program, so that a page needs no other file.
set(folder ${CMAKE_SOURCE_DIR}/app/report/page)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/page.css ${folder}/page.js)
file(READ ${folder}/page.css page_css)
file(READ ${folder}/page.js page_js)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/page_assets.h @ONLY CONTENT [[
// Made from app/report/page/ by cmake/PageAssets.cmake.
#pragma once
namespace g80 {
inline constexpr char kPageCss[] = R"g80page(@page_css@)g80page";
inline constexpr char kPageJs[] = R"g80page(@page_js@)g80page";
}  // namespace g80
]])
