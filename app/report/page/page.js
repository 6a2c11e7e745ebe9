// SPDX-License-Identifier: Apache-2.0
// Draws a page from the JSON in the element #page: see app/report/html_page.h for what it may hold. No library, no network.
"use strict";
(() => {
  const page = JSON.parse(document.getElementById("page").textContent);
  const SVG = "http://www.w3.org/2000/svg";

  function element(tag, attributes = {}, ...children) {
    const svg = ["svg", "g", "path", "rect", "line", "text", "circle"].includes(tag);
    const node = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== undefined));
    return node;
  }

  // ---- numbers
  const grouped = new Intl.NumberFormat("en", {maximumFractionDigits: 0});
  function number(value) {
    if (typeof value !== "number") return String(value);
    if (Number.isInteger(value)) return grouped.format(value).replaceAll(",", "\u202f");
    const size = Math.abs(value);
    return size >= 1000 ? grouped.format(value).replaceAll(",", "\u202f") : String(Number(value.toPrecision(size >= 100 ? 4 : 3)));
  }
  function short(value) {
    const size = Math.abs(value);
    for (const [unit, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
      if (size >= unit * 10 || (size >= unit && value % (unit / 10) === 0)) return Number((value / unit).toPrecision(4)) + letter;
    return String(Number(value.toPrecision(4)));
  }
  const colour = (index) => `var(--c${index % 10})`;

  // ---- scales: value to pixel and back, and where ticks are
  function linear(from, to, start, end) {
    const span = to - from || 1;
    const scale = (value) => start + ((value - from) / span) * (end - start);
    scale.invert = (pixel) => from + ((pixel - start) / (end - start)) * span;
    scale.ticks = (count, whole) => {
      const rough = Math.max(span / Math.max(1, count), whole ? 1 : 0), power = 10 ** Math.floor(Math.log10(rough));
      const step = power * [1, 2, 5, 10].find((factor) => power * factor >= rough);
      const ticks = [];
      for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9; ++k) ticks.push(Number((k * step).toPrecision(12)));
      return ticks;
    };
    return scale;
  }
  function logarithmic(from, to, start, end) {
    const inner = linear(Math.log10(from), Math.log10(to), start, end);
    const scale = (value) => inner(Math.log10(Math.max(value, from * 1e-3)));
    scale.invert = (pixel) => 10 ** inner.invert(pixel);
    scale.ticks = (count) => {
      const ticks = [], few = Math.log10(to / from) < count / 2;
      for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); ++power)
        for (const factor of few ? [1, 2, 5] : [1]) {
          const tick = factor * 10 ** power;
          if (tick >= from * 0.999 && tick <= to * 1.001) ticks.push(Number(tick.toPrecision(6)));
        }
      return ticks;
    };
    return scale;
  }

  // ---- plots
  class Plot {
    constructor(spec) {
      this.spec = spec;
      this.hidden = new Set();
      this.window = null;  // [from, to] of x when zoomed
      this.reset = element("button", {hidden: "", onclick: () => this.zoom(null)}, "whole range");
      this.legend = element("div", {class: "legend"});
      this.svg = element("svg", {role: "img", "aria-label": spec.title});
      this.tip = element("div", {class: "tip", hidden: ""});
      this.node = element("div", {class: spec.wide ? "card wide" : "card", id: spec.id},
                          element("div", {class: "head"}, element("h3", {}, spec.title), this.reset),
                          spec.note ? element("p", {}, spec.note) : undefined, this.legend,
                          element("div", {class: "plot"}, this.svg, this.tip));
      this.numeric = !spec.x.categories;
      this.grouped = !this.numeric && !spec.stacked && !spec.across && spec.series.length > 1;
      this.zoomable = this.numeric && spec.type !== "scatter";
      if (this.zoomable) this.svg.classList.add("zoomable");
      this.makeLegend();
      this.listen();
      // What is drawn depends on the width alone, and an observer reports every size once to begin with.
      new ResizeObserver(() => { if (this.width() !== this.scales?.width) this.draw(); }).observe(this.node);
    }
    width() { return Math.max(220, this.svg.clientWidth || this.node.clientWidth); }

    makeLegend() {
      if (this.spec.series.filter((series) => series.legend !== false).length < 2) return;
      this.spec.series.forEach((series, index) => {
        if (series.legend === false) return;
        const button = element("button", {"aria-pressed": "true", onclick: () => {
          this.hidden.has(index) ? this.hidden.delete(index) : this.hidden.add(index);
          button.setAttribute("aria-pressed", String(!this.hidden.has(index)));
          this.draw();
        }}, element("i", {style: `background:${this.colourOf(index)}`}), series.name);
        this.legend.append(button);
      });
    }
    colourOf(index) { return colour(this.spec.series[index].colour ?? (this.spec.series.length === 1 ? 2 : index)); }
    shown() { return this.spec.series.map((_, index) => index).filter((index) => !this.hidden.has(index)); }

    zoom(range) {
      this.window = range;
      this.reset.hidden = range === null;
      this.draw();
    }

    // Points of x: of bars and steps the edges of each bin, otherwise the sample itself.
    get bins() { return this.spec.type === "bars"; }
    count() { return this.numeric ? this.spec.x.values.length - (this.bins ? 1 : 0) : this.spec.x.categories.length; }
    left(k) { return this.numeric ? this.spec.x.values[k] : k; }
    right(k) { return this.numeric ? this.spec.x.values[k + 1] : k + 1; }
    visible(k) {
      if (!this.window) return true;
      const end = this.bins ? this.right(k) : this.left(k);
      return end >= this.window[0] && this.left(k) <= this.window[1];
    }
    baseAndTop(k, index) {  // of a stacked series
      let base = 0;
      for (const one of this.shown()) {
        if (one === index) break;
        if (this.spec.stacked) base += this.spec.series[one].y[k];
      }
      return [base, base + this.spec.series[index].y[k]];
    }

    rangeX() {
      if (this.window) return this.window;
      if (!this.numeric) return [0, this.count()];
      const values = this.spec.type === "scatter" ? this.points().map((point) => point[0]) : this.spec.x.values;
      const range = [Math.min(...values), Math.max(...values)];
      return this.spec.x.log ? [this.spec.x.from ?? range[0] / 2, this.spec.x.to ?? range[1] * 2] : range;
    }
    rangeY() {
      if (this.spec.y.names) return [0, this.spec.y.names.length + 1];
      if (this.spec.type === "scatter") {
        const values = this.points().map((point) => point[1]);
        const least = Math.min(...values), most = Math.max(...values), room = 0.15 * (most - least);
        if (this.spec.y.log) return [least / 2, most * 2];
        return least > 0.5 * most && room > 0 ? [least - room, most + room] : [0, most * 1.05];  // differences must be seen
      }
      let top = 0;
      for (let k = 0; k < this.count(); ++k)
        if (this.visible(k)) for (const index of this.shown()) top = Math.max(top, this.baseAndTop(k, index)[1]);
      const most = this.spec.y.most !== undefined && top > this.spec.y.most * 0.3 ? this.spec.y.most : 0;
      return [0, Math.max(top * (most ? 1 : 1.06), most) || 1];
    }
    points() { return this.shown().flatMap((index) => this.spec.series[index].points); }

    // Bars that run across, one category below the other: for many names, and for values on both sides of 0.
    rangeAcross() {
      const {y, series} = this.spec;
      if (y.most !== undefined) return [0, y.most];
      const values = [0, ...this.shown().flatMap((index) => series[index].y), ...(y.bands ?? []).flat()].filter((value) => value !== null);
      return [Math.min(...values), Math.max(...values)];
    }
    drawAcross() {
      const {spec, svg} = this, names = spec.x.categories, count = names.length;
      const width = this.width(), row = count > 60 ? 16 : 19;
      const longest = Math.max(...names.map((name) => name.length)) * 6.6 + 14;
      const margin = {left: Math.min(longest, 0.45 * width), right: 14, top: 20, bottom: 40};
      const height = margin.top + count * row + margin.bottom;
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("height", height);
      svg.replaceChildren();
      const [from, to] = this.rangeAcross(), room = spec.stacked ? 0 : 50;  // for a value behind its bar
      const v = linear(from, to, margin.left + (from < 0 ? room : 0), width - margin.right - (to > 0 ? room : 0));
      this.scales = {x: v, y: v, margin, width, height, row};
      const bottom = height - margin.bottom, unit = spec.y.percent ? "\u202f%" : "";
      (spec.y.bands ?? []).forEach(([from, to], k) =>
        svg.append(element("rect", {x: v(from), width: v(to) - v(from), y: margin.top + k * row, height: row, fill: "var(--good)", opacity: 0.13})));
      for (const tick of v.ticks(Math.max(2, Math.floor((width - margin.left) / 80))))
        svg.append(element("line", {x1: v(tick), x2: v(tick), y1: margin.top, y2: bottom, stroke: tick === 0 ? "var(--soft)" : "var(--grid)"}),
                   ...[margin.top - 6, bottom + 15].map((at) => element("text", {x: v(tick), y: at, "text-anchor": "middle"}, short(tick) + unit)));
      svg.append(element("text", {class: "label", x: (margin.left + width - margin.right) / 2, y: height - 5, "text-anchor": "middle"}, spec.y.label));
      const body = element("g");
      svg.append(body);
      for (let k = 0; k < count; ++k) {
        const top = margin.top + k * row;
        svg.append(element("text", {class: "label", x: margin.left - 8, y: top + row / 2 + 4, "text-anchor": "end"}, names[k]));
        for (const index of this.shown()) {
          const value = this.spec.series[index].y[k];
          if (value === null) continue;
          const [base, end] = this.baseAndTop(k, index), from = v(Math.min(base, end)), wide = Math.abs(v(end) - v(base));
          body.append(element("rect", {x: from, width: Math.max(value === 0 && spec.stacked ? 0 : 1, wide), y: top + 3, height: row - 6, fill: this.colourOf(index)}));
          if (!spec.stacked)
            body.append(element("text", {x: v(end) + (value < 0 ? -5 : 5), y: top + row / 2 + 4, "text-anchor": value < 0 ? "end" : "start"},
                                `${value > 0 && spec.y.signed ? "+" : ""}${number(value)}${unit}`));
        }
      }
      this.marker = element("g");
      svg.append(this.marker);
    }

    // A field for each pair of values, coloured by its distance from 1: a ratio.
    drawHeat() {
      const {spec, svg} = this, across = spec.x.categories, up = spec.y.names;
      const width = this.width(), margin = {left: Math.min(0.4 * width, Math.max(...up.map((name) => name.length)) * 6.6 + 34), right: 10, top: 8, bottom: 40};
      const row = Math.max(8, Math.min(26, 600 / up.length)), height = margin.top + up.length * row + margin.bottom;
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("height", height);
      svg.replaceChildren();
      const wide = (width - margin.left - margin.right) / across.length, x = (k) => margin.left + k * wide, y = (k) => margin.top + k * row;
      this.scales = {x: linear(0, across.length, margin.left, width - margin.right), y, margin, width, height};
      const far = Math.max(1e-9, ...spec.cells.flat().filter((value) => value !== null).map((value) => Math.abs(Math.log(value))));
      up.forEach((name, j) => {
        if (j % Math.ceil(12 / row) === 0) svg.append(element("text", {class: "label", x: margin.left - 6, y: y(j) + row / 2 + 4, "text-anchor": "end"}, name));
        across.forEach((_, k) => {
          const value = spec.cells[j][k];
          if (value === null) return;
          const share = Math.round((Math.abs(Math.log(value)) / far) * 75);
          svg.append(element("rect", {x: x(k) + 0.5, y: y(j) + 0.5, width: Math.max(1, wide - 1), height: row - 1,
                                      style: `fill: color-mix(in srgb, var(${value >= 1 ? "--good" : "--bad"}) ${share}%, var(--card))`, stroke: "var(--grid)"}));
          if (wide >= 44 && row >= 14) svg.append(element("text", {class: "label", x: x(k) + wide / 2, y: y(j) + row / 2 + 4, "text-anchor": "middle"}, value.toFixed(3)));
        });
      });
      const step = Math.max(1, Math.ceil((Math.max(...across.map((name) => name.length)) * 6.6 + 8) / wide));
      for (let k = 0; k < across.length; k += step)
        svg.append(element("text", {x: x(k) + wide / 2, y: height - margin.bottom + 16, "text-anchor": "middle"}, across[k]));
      svg.append(element("text", {class: "label", x: (margin.left + width - margin.right) / 2, y: height - 5, "text-anchor": "middle"}, spec.x.label),
                 element("text", {class: "label", transform: `translate(12 ${(height - margin.bottom) / 2}) rotate(-90)`, "text-anchor": "middle"}, spec.y.label));
    }

    draw() {
      if (this.spec.across) return this.drawAcross();
      if (this.spec.type === "heat") return this.drawHeat();
      const width = this.width(), height = this.spec.height ?? 250;
      const many = !this.numeric && this.count() * 34 > width;
      const {spec, svg} = this;
      const [x0, x1] = this.rangeX(), [y0, y1] = this.rangeY();
      const longest = Math.max(0, ...(spec.y.log ? [] : linear(y0, y1, 1, 0).ticks(5).map((tick) => short(tick).length)));
      const margin = {left: spec.y.names ? 74 : Math.max(52, 30 + 7 * longest), right: 10, top: 8, bottom: 40};
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("height", height);
      svg.replaceChildren();
      const x = (spec.x.log ? logarithmic : linear)(x0, x1, margin.left, width - margin.right);
      const y = (spec.y.log ? logarithmic : linear)(y0, y1, height - margin.bottom, margin.top);
      this.scales = {x, y, margin, width, height};
      for (const tick of spec.y.names ? spec.y.names.map((_, k) => k + 1) : y.ticks(5)) {
        svg.append(element("line", {x1: margin.left, x2: width - margin.right, y1: y(tick), y2: y(tick), stroke: "var(--grid)"}),
                   element("text", {x: margin.left - 6, y: y(tick) + 4, "text-anchor": "end"},
                           spec.y.names ? spec.y.names[tick - 1] : spec.y.percent ? `${short(tick)}\u202f%` : short(tick)));
      }
      if (this.numeric) {
        for (const tick of x.ticks(Math.max(2, Math.floor(width / 95)), spec.x.whole))
          svg.append(element("line", {x1: x(tick), x2: x(tick), y1: height - margin.bottom, y2: height - margin.bottom + 4, stroke: "var(--line)"}),
                     element("text", {x: x(tick), y: height - margin.bottom + 16, "text-anchor": "middle"}, short(tick)));
      } else {
        const step = many ? Math.ceil((this.count() * 34) / width) : 1;
        for (let k = 0; k < this.count(); k += step)
          svg.append(element("text", {x: x(k + 0.5), y: height - margin.bottom + 16, "text-anchor": "middle"}, spec.x.categories[k]));
      }
      svg.append(element("line", {x1: margin.left, x2: width - margin.right, y1: height - margin.bottom, y2: height - margin.bottom, stroke: "var(--line)"}),
                 element("text", {class: "label", x: (margin.left + width - margin.right) / 2, y: height - 5, "text-anchor": "middle"}, spec.x.label),
                 element("text", {class: "label", transform: `translate(12 ${(height - margin.bottom) / 2}) rotate(-90)`, "text-anchor": "middle"}, spec.y.label));
      const body = element("g");
      if (this.window) body.setAttribute("style", `clip-path: inset(0 ${margin.right}px 0 ${margin.left}px)`);
      svg.append(body);
      if (spec.type === "bars") this.drawBars(body);
      else if (spec.type === "scatter") this.drawScatter(body);
      else this.drawLines(body);
      this.marker = element("g");
      svg.append(this.marker);
    }

    drawBars(body) {
      const {x, y} = this.scales;
      const gap = this.numeric ? 0.5 : 0.14 * (x(1) - x(0)), shown = this.shown();
      for (const index of shown)
        for (let k = 0; k < this.count(); ++k) {
          const [base, top] = this.baseAndTop(k, index);
          if (top === base || !this.visible(k)) continue;
          let from = Math.max(x(this.left(k)), 0), wide = Math.max(0.7, x(this.right(k)) - from - 2 * gap);
          if (this.grouped) {
            wide /= shown.length;
            from += shown.indexOf(index) * wide;
          }
          body.append(element("rect", {x: from + gap, width: wide, y: y(top), height: Math.max(0.5, y(base) - y(top)), fill: this.colourOf(index)}));
        }
    }
    drawLines(body) {
      const {x, y} = this.scales;
      for (const index of this.shown()) {
        const area = this.spec.type === "area", down = [];
        let d = "", pen = "M";
        for (let k = 0; k < this.count(); ++k) {
          if (this.spec.series[index].y[k] === null) {  // nothing is known here
            pen = "M";
            continue;
          }
          const [base, top] = this.baseAndTop(k, index);
          d += `${pen}${x(this.left(k)).toFixed(1)} ${y(top).toFixed(1)}`;
          down.push(`${x(this.left(k)).toFixed(1)} ${y(base).toFixed(1)}`);
          pen = "L";
        }
        if (d === "") continue;
        if (area) d += `L${down.reverse().join("L")}Z`;
        body.append(element("path", area ? {d, fill: this.colourOf(index)}
                                         : {d, fill: "none", stroke: this.colourOf(index), "stroke-width": 1.6, "stroke-linejoin": "round"}));
      }
    }
    drawScatter(body) {
      const {x, y} = this.scales;
      for (const index of this.shown()) {
        const series = this.spec.series[index];
        if (series.line) {
          const d = "M" + series.points.map((point) => `${x(point[0])} ${y(point[1])}`).join("L");
          body.append(element("path", {d, fill: "none", stroke: this.colourOf(index), "stroke-width": 1.8}));
          if (series.marks) for (const point of series.points) body.append(element("circle", {cx: x(point[0]), cy: y(point[1]), r: 4, fill: this.colourOf(index)}));
        } else {
          for (const point of series.points) {
            body.append(element("circle", {cx: x(point[0]), cy: y(point[1]), r: 5, fill: this.colourOf(index)}));
            const left = x(point[0]) > this.scales.width * 0.6;  // the label stays inside
            if (point[2] && this.spec.y.names) body.append(element("text", {class: "label", x: x(point[0]), y: y(point[1]) - 9, "text-anchor": "middle"}, point[2]));
            else if (point[2]) body.append(element("text", {class: "label", x: x(point[0]) + (left ? -9 : 9), y: y(point[1]) + 4, "text-anchor": left ? "end" : "start"}, point[2]));
          }
        }
      }
    }

    // ---- the reader's hand
    listen() {
      const place = (event) => {
        const box = this.svg.getBoundingClientRect();
        return [((event.clientX - box.left) * this.scales.width) / box.width, ((event.clientY - box.top) * this.scales.height) / box.height];
      };
      let from = null;
      this.svg.addEventListener("pointerdown", (event) => {
        if (!this.zoomable || event.button !== 0) return;
        from = place(event)[0];
        this.svg.setPointerCapture(event.pointerId);
      });
      this.svg.addEventListener("pointermove", (event) => {
        const at = place(event);
        if (from !== null && Math.abs(at[0] - from) > 4) this.select(from, at[0]);
        else this.point(at);
      });
      this.svg.addEventListener("pointerup", (event) => {
        if (from === null) return;
        const to = place(event)[0], start = from;
        from = null;
        if (Math.abs(to - start) < 8) return;
        const range = [Math.min(start, to), Math.max(start, to)].map((pixel) => this.scales.x.invert(pixel));
        const [x0, x1] = this.rangeX();
        this.zoom([Math.max(range[0], x0), Math.min(range[1], x1)]);
      });
      this.svg.addEventListener("pointerleave", () => { if (from === null) this.point(null); });
      this.svg.addEventListener("dblclick", () => this.zoom(null));
    }
    select(a, b) {
      const {margin, height} = this.scales;
      this.tip.hidden = true;
      this.marker.replaceChildren(element("rect", {x: Math.min(a, b), width: Math.abs(a - b), y: margin.top, height: height - margin.top - margin.bottom, fill: "var(--accent)", opacity: 0.18}));
    }
    point(at) {
      this.marker?.replaceChildren();
      this.tip.hidden = true;
      if (at === null || this.spec.type === "scatter" || this.spec.type === "heat") return;
      const {x, margin, width, height, row} = this.scales;
      if (!this.spec.across && (at[0] < margin.left || at[0] > width - margin.right)) return;
      const value = x.invert(at[0]);
      let k;
      if (this.spec.across) {
        k = Math.floor((at[1] - margin.top) / row);
      } else if (this.bins) {
        k = this.numeric ? this.spec.x.values.findLastIndex((edge) => edge <= value) : Math.floor(value);
      } else {
        k = 0;
        for (let i = 1; i < this.count(); ++i) if (Math.abs(this.left(i) - value) < Math.abs(this.left(k) - value)) k = i;
      }
      if (k < 0 || k >= this.count()) return;
      const middle = this.spec.across ? at[0] : this.bins ? (x(this.left(k)) + x(this.right(k))) / 2 : x(this.left(k));
      if (this.spec.across) this.marker.append(element("rect", {x: 0, width, y: margin.top + k * row, height: row, fill: "var(--accent)", opacity: 0.12}));
      else this.marker.append(element("line", {x1: middle, x2: middle, y1: margin.top, y2: height - margin.bottom, stroke: "var(--soft)", "stroke-dasharray": "3 3"}));
      const where = !this.numeric ? this.spec.x.categories[k] : this.bins ? `${number(this.left(k))} to ${number(this.right(k))}` : number(this.left(k));
      const rows = element("table");
      for (const index of this.shown().reverse()) {
        const amount = this.spec.series[index].y[k];
        if (amount === null || (amount === 0 && this.spec.series.length > 4)) continue;
        rows.append(element("tr", {}, element("td", {}, element("span", {style: `color:${this.colourOf(index)}`}, "\u25a0 "), this.spec.series[index].name),
                            element("td", {class: "number"}, number(amount) + (this.spec.y.percent ? "\u202f%" : ""))));
      }
      this.tip.replaceChildren(element("b", {}, `${where}${this.numeric && this.spec.x.unit ? " " + this.spec.x.unit : ""}`), rows);
      this.tip.hidden = false;
      const wide = this.svg.clientWidth, left = (middle * wide) / width;
      this.tip.style.top = `${this.spec.across ? (margin.top + (k + 1) * row + 4) * (wide / width) : margin.top}px`;
      this.tip.style.left = left + 14 + this.tip.offsetWidth > wide ? `${Math.max(0, left - 14 - this.tip.offsetWidth)}px` : `${left + 14}px`;
    }
  }

  // ---- tables, tiles, text
  function cell(column, value) {
    if (value && typeof value === "object" && !Array.isArray(value)) {
      const text = value.href ? element("a", {href: value.href}, number(value.text)) : element("span", {class: value.class}, number(value.text));
      const bar = value.part === undefined ? undefined : element("span", {class: "bar", style: `width:${(value.part * 60).toFixed(1)}px`});
      return element("td", {class: column.kind}, bar, text);
    }
    return element("td", {class: column.kind}, value === null || value === undefined ? "" : number(value));
  }
  function table(spec) {
    const rows = spec.rows.map((row, index) => element("tr", {id: spec.row_ids?.[index]}, ...spec.columns.map((column, k) => cell(column, row[k]))));
    const content = element("div", {class: "scroll"}, element("table", {},
      element("thead", {}, element("tr", {}, ...spec.columns.map((column) => element("th", {class: column.kind}, column.name)))),
      element("tbody", {}, ...rows)));
    const head = spec.folded ? undefined : element("h3", {}, spec.title);
    const note = spec.note ? element("p", {}, spec.note) : undefined;
    const card = element("div", {class: spec.wide === false ? "card" : "card wide", id: spec.id}, head, note);
    card.append(spec.folded ? element("details", {}, element("summary", {}, spec.title), content) : content);
    return card;
  }
  function tiles(spec) {
    return element("div", {class: "tiles"}, ...spec.tiles.map((tile) => element("div", {class: "tile"}, element("span", {}, tile.label),
      element("b", {class: tile.class}, number(tile.value).replaceAll("_", "_\u200b") + (tile.unit ? "\u202f" + tile.unit : "")),
      tile.part === undefined ? undefined : element("i", {style: `--part:${Math.min(100, tile.part * 100).toFixed(1)}%`}),
      tile.note ? element("span", {}, tile.note) : undefined)));
  }
  const plots = [];
  function plot(spec) {
    plots.push(new Plot(spec));
    return plots.at(-1).node;
  }
  const makers = {table, tiles, plot, text: (spec) => element("p", {class: "text"}, spec.text)};

  // A link to a row inside a folded table opens it.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = target && target.closest("details");
    if (details) details.open = true;
    if (target) target.scrollIntoView({block: "center"});
  }

  document.title = page.title;
  const main = element("main");
  for (const section of page.sections) {
    const node = element("section", {id: section.id}, element("h2", {}, section.title), section.text ? element("p", {class: "text"}, section.text) : undefined,
                         element("div", {class: "items"}, ...section.items.map((item) => makers[item.kind](item))));
    main.append(node);
  }
  document.body.append(element("header", {}, element("h1", {}, page.title), element("p", {}, page.subtitle),
                               element("nav", {}, ...page.sections.map((section) => element("a", {href: "#" + section.id}, section.title)))),
                       main, element("footer", {}, page.footer));
  for (const one of plots) one.draw();  // without a screen the observers may come too late
  addEventListener("hashchange", unfold);
  unfold();
})();
