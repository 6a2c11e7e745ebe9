// SPDX-License-Identifier: Apache-2.0
// A page of tables and plots as one HTML file. It contains the data as JSON; page/page.js draws it in the browser with
// the style sheet page/page.css. It needs no network and uses the browser's light or dark theme. The caller describes
// the page as JSON:
//
//   {"title": "...", "subtitle": "...", "footer": "...", "sections": [{"id": "memory", "title": "...", "text": "...",
//       "items": [...]}]}
//
// with these items:
//
//   {"kind": "tiles", "tiles": [{"label": "IPC", "value": 0.42, "unit": "", "note": "of 8 at most", "part": 0.05,
//       "class": "good"}]}
//   {"kind": "text", "text": "A paragraph. Its line ends stay."}
//   {"kind": "table", "title": "...", "note": "...", "wide": false, "folded": true, "row_ids": ["pc-0010", ...],
//    "columns": [{"name": "Waited", "kind": "number"}, {"name": "Instruction", "kind": "code"}, {"name": "Place",
//        "kind": "word"},
//                {"name": "Meaning", "kind": "prose"}, {"name": "Line", "kind": "source"}],
//    "rows": [[12, "mov $r1 $r2", {"text": "a.cu:3", "href": "#pc-0010", "class": "bad", "part": 0.5}], ...]}
//   {"kind": "plot", "id": "...", "title": "...", "note": "...", "type": "area|lines|bars|scatter", "stacked": true,
//       "wide": true,
//    "height": 250, "x": {"label": "shader cycles", "unit": "cycles", "values": [0, 10, ...], "log": true},
//    "y": {"label": "...", "percent": true, "most": 100, "log": true}, "series": [{"name": "memory", "colour": 4, "y":
//        [...]}, ...]}
//
// x has `values` (of bars the edges of the bins, one more than y) or `categories` (texts). A scatter's series has
// `points` [[x, y, "label"], ...] and may be a `line`. A part is a bar from 0 to 1. Colours are 0 to 9, by default the
// series' number. Numeric x axes zoom by dragging, a click on a name in the legend hides the series.
//
// A plot of the type "heat" has "cells", a row for each of y's "names" with a ratio or null for each category of x;
// those above 1 are green, those below red.
//
// Bars of several series that are not stacked stand side by side. With "across": true bars run to the right, one
// category below the other; values may be null and negative ("signed" in y puts a + before the others), and y's
// "bands", [[from, to], ...], mark where a value should lie. A scatter's y may have "names" for 1, 2, ..., a line
// "marks" at its points, a series "legend": false; x's "whole" numbers have no ticks in between.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace g80 {

/// The file's text. Equal pages give equal bytes.
std::string html_page(const nlohmann::ordered_json& page);

/// A table's column of numbers.
inline nlohmann::ordered_json number_column(const char* name) { return {{"name", name}, {"kind", "number"}}; }

}  // namespace g80
