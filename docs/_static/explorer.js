/* The explorers of the pages `slash` and `index`: one head, its logits over the lags and what
 * softmax makes of them, for the values that the sliders say. A page shows one where it has an
 * element `<div data-explorer="slash">` or `<div data-explorer="index">`.
 *
 * The first part is the mathematics, without a page; `tests/proofs_check/site/test_explorer.py` compares it with
 * `numerics` (`rope.cosine_logits`, `softmax.weights`, `slash.game.bands`, `index.index_margin` and
 * others). The second part draws. No library, no network.
 */
"use strict";

(function () {
  // ---- mathematics ------------------------------------------------------------------------------

  /** theta_l = base^(-l/m), l = 0..m-1, in radians per position; m = headDim/2. */
  function frequencies(headDim, base) {
    const planes = headDim / 2;
    return Array.from({ length: planes }, (_, plane) => Math.pow(base, -plane / planes));
  }

  /** The planes [first, last] of a band, or null if it has none. By the wavelength in positions: at
   * most 16 is high, above 2 length is low, else medium (claim slash.game-bands). */
  function bandRange(thetas, band, length) {
    const inBand = thetas.map((theta) => {
      const wavelength = (2 * Math.PI) / theta;
      const name = wavelength <= 16 ? "high" : wavelength > 2 * length ? "low" : "medium";
      return band === "all" || band === name;
    });
    const first = inBand.indexOf(true);
    return first < 0 ? null : [first, inBand.lastIndexOf(true)];
  }

  /** The amplitude in equal shares on the planes first..last, 0 on the others, in logits. */
  function equalShares(planes, range, amplitude) {
    const share = amplitude / (range[1] - range[0] + 1);
    return Array.from({ length: planes }, (_, l) => (l < range[0] || l > range[1] ? 0 : share));
  }

  /** E_t = sum_l A_l (1 - cos(theta_l t)): how far an aligned head's logit falls t lags from its
   * target, in logits (claim slash.ceiling). Half angles lose no digits where it is small. */
  function fall(amplitudes, thetas, t) {
    let total = 0;
    for (let l = 0; l < thetas.length; l++) {
      if (amplitudes[l] === 0) continue;
      const sine = Math.sin((thetas[l] * t) / 2);
      total += 2 * amplitudes[l] * sine * sine;
    }
    return total;
  }

  /** g(t) = sum_l A_l cos(theta_l (t - offset)) at the lags 0..length-1, in logits. */
  function slashLogits(amplitudes, thetas, offset, length) {
    const total = amplitudes.reduce((sum, value) => sum + value, 0);
    const falls = Array.from({ length: Math.max(offset, length - 1 - offset) + 1 }, (_, t) =>
      fall(amplitudes, thetas, t)
    );
    return Array.from({ length }, (_, t) => total - falls[Math.abs(t - offset)]);
  }

  /** The softmax of logits: the attention row of the last query, by lag. */
  function softmax(logits) {
    const top = logits.reduce((a, b) => Math.max(a, b), -Infinity);
    const terms = logits.map((value) => Math.exp(value - top));
    const sum = terms.reduce((a, b) => a + b, 0);
    return terms.map((term) => term / sum);
  }

  /** The weight at the offset averaged over the rows that reach back so far: slash.score. */
  function slashScore(logits, offset) {
    const top = logits.reduce((a, b) => Math.max(a, b), -Infinity);
    let sum = 0;
    let scores = 0;
    logits.forEach((value, t) => {
      sum += Math.exp(value - top);
      if (t >= offset) scores += Math.exp(logits[offset] - top) / sum;
    });
    return scores / (logits.length - offset);
  }

  /** The target's logit minus the best other one, and the lag of that one. */
  function margin(logits, offset) {
    let rival = -1;
    logits.forEach((value, t) => {
      if (t !== offset && (rival < 0 || value > logits[rival])) rival = t;
    });
    return { margin: rival < 0 ? Infinity : logits[offset] - logits[rival], rival };
  }

  /** No phases give the last row of `length` lags more weight at the offset: slash.ceiling. */
  function ceiling(amplitudes, thetas, offset, length) {
    let sum = 1;
    for (let t = 1; t <= Math.min(offset, length - 1 - offset); t++) {
      sum += 2 * Math.exp(-fall(amplitudes, thetas, t));
    }
    return 1 / sum;
  }

  /** ln((n - 1) kappa/(1 - kappa)): the margin that gives a weight kappa, softmax.margin-needed. */
  function marginNeeded(weight, keys) {
    return Math.log(((keys - 1) * weight) / (1 - weight));
  }

  /** The margin over all inputs at the lengths 2..longest, index.margin and index.staircase: entry
   * n - 2 is the least E_t over 1 <= t < n, in the unit of the amplitudes. */
  function staircase(amplitudes, thetas, longest) {
    const margins = [];
    let least = Infinity;
    for (let t = 1; t < longest; t++) {
      least = Math.min(least, fall(amplitudes, thetas, t));
      margins.push(least);
    }
    return margins;
  }

  /** 1 - cos(2 pi/n): the best margin that one plane can have at length n, index.margin. */
  function onePlaneLimit(length) {
    const sine = Math.sin(Math.PI / length);
    return 2 * sine * sine;
  }

  /** The competitors' weight over the target's for the integer i among n positions; the query is
   * decoded if and only if it is below 1 (index.temperature). */
  function indexOdds(amplitudes, thetas, inverseTemperature, integer, length) {
    let odds = 0;
    for (let t = 0; t < length; t++) {
      const gap = fall(amplitudes, thetas, t - integer);
      if (t !== integer) odds += Math.exp(-inverseTemperature * gap);
    }
    return odds;
  }

  /** From (ln 3/8) n^2 on the angle 2 pi/n decodes every query; up to ln 2/(2 sin^2(pi/n)) it fails
   * on some (index.temperature, n >= 3). */
  function indexTemperatures(length) {
    const sine = Math.sin(Math.PI / length);
    return {
      needed: Math.log(2) / (2 * sine * sine),
      enough: (Math.log(3) / 8) * length * length,
    };
  }

  const mathematics = {
    bandRange,
    ceiling,
    equalShares,
    fall,
    frequencies,
    indexOdds,
    indexTemperatures,
    margin,
    marginNeeded,
    onePlaneLimit,
    slashLogits,
    slashScore,
    softmax,
    staircase,
  };
  if (typeof module !== "undefined") module.exports = mathematics;
  if (typeof document === "undefined") return;

  // ---- elements ---------------------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";
  let made = 0;

  function element(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  function drawing(tag, attributes, text) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function digits(value, places) {
    if (!Number.isFinite(value)) return value > 0 ? "infinity" : "minus infinity";
    if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) {
      return value.toExponential(2).replace("-", "\u2212").replace("+", "");
    }
    if (Math.abs(value) >= 1e3) return whole(value).replace("-", "\u2212");
    return value.toFixed(places === undefined ? 3 : places).replace("-", "\u2212");
  }

  function whole(value) {
    return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
  }

  /** One labelled slider. `of` maps its position to the value, `show` the value to text. */
  function slider(label, options) {
    const id = `explorer-${++made}`;
    const of = options.of || ((x) => x);
    const show = options.show || ((value) => String(value));
    const input = element("input", {
      type: "range",
      id,
      min: options.min,
      max: options.max,
      step: options.step,
      value: options.value,
    });
    input.dataset.name = options.name;
    const output = element("output", { for: id });
    const node = element(
      "div",
      { class: "explorer-control" },
      element("label", { for: id }, label),
      output,
      input
    );
    const control = {
      node,
      input,
      get value() {
        return of(Number(input.value));
      },
      get text() {
        return show(control.value);
      },
      set position(x) {
        input.value = x;
      },
      limit(most) {
        input.max = most;
        if (Number(input.value) > most) input.value = most;
      },
      refresh() {
        output.textContent = control.text;
        input.setAttribute("aria-valuetext", control.text);
      },
    };
    return control;
  }

  function choice(label, name, options) {
    const id = `explorer-${++made}`;
    const input = element("select", { id });
    input.dataset.name = name;
    for (const [value, text] of options) input.append(element("option", { value }, text));
    const node = element(
      "div",
      { class: "explorer-control" },
      element("label", { for: id }, label),
      input
    );
    return { node, input };
  }

  function checkbox(label, name) {
    const id = `explorer-${++made}`;
    const input = element("input", { type: "checkbox", id });
    input.dataset.name = name;
    const node = element(
      "div",
      { class: "explorer-control explorer-check" },
      input,
      element("label", { for: id }, label)
    );
    return { node, input };
  }

  // ---- plots ------------------------------------------------------------------------------------

  function rule(look, x1, x2, y1, y2) {
    return drawing("line", { class: look, x1, x2, y1, y2 });
  }

  /** Round numbers that divide an axis: about `count` of them, or powers of ten. */
  function ticks(low, high, logarithmic, count) {
    if (logarithmic) {
      const first = Math.ceil(Math.log10(low) - 1e-9);
      const last = Math.floor(Math.log10(high) + 1e-9);
      const every = Math.max(1, Math.ceil((last - first + 1) / count));
      const found = [];
      for (let power = first; power <= last; power += every) found.push(Math.pow(10, power));
      return found;
    }
    const rough = (high - low) / count;
    const unit = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = unit * [1, 2, 5, 10].find((factor) => factor * unit >= rough);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-9) + 1e-12; k++) {
      found.push(k * step);
    }
    return found;
  }

  function tickText(value, logarithmic) {
    if (value === 0) return "0";
    if (logarithmic && (value >= 1e4 || value <= 1e-3)) {
      const superscripts = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
      const power = Math.round(Math.log10(value));
      const raised = [...String(Math.abs(power))].map((d) => superscripts[Number(d)]).join("");
      return `10${power < 0 ? "\u207b" : ""}${raised}`;
    }
    return String(Number(value.toPrecision(6))).replace("-", "\u2212");
  }

  function erase(figure) {
    figure.querySelector(".explorer-plot")?.remove();
  }

  /** Draw series over a common axis into `figure`, as wide as it is. Each series has `name`, `xs`,
   * `ys`, `kind` ("line" or "bars") and a number that says how it looks. */
  function plot(figure, options) {
    const width = Math.max(figure.clientWidth, 240);
    const height = options.height || 220;
    const left = 52;
    const right = width - 10;
    const top = 26;
    const bottom = height - 38;
    const [xLow, xHigh] = options.x.range;
    const [yLow, yHigh] = options.y.range;
    const scale = (axis, low, high) =>
      axis.log
        ? (v) => (Math.log(Math.max(v, low)) - Math.log(low)) / (Math.log(high) - Math.log(low))
        : (v) => (v - low) / (high - low || 1);
    const toX = scale(options.x, xLow, xHigh);
    const toY = scale(options.y, yLow, yHigh);
    const px = (v) => (left + (right - left) * toX(v)).toFixed(1);
    const py = (v) => (bottom - (bottom - top) * Math.min(Math.max(toY(v), 0), 1)).toFixed(1);

    const svg = drawing("svg", {
      class: options.dashed ? "explorer-plot explorer-dashed" : "explorer-plot",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": options.title,
    });
    for (const value of ticks(xLow, xHigh, options.x.log, width < 480 ? 4 : 8)) {
      svg.append(
        rule("explorer-grid", px(value), px(value), top, bottom),
        drawing(
          "text",
          { x: px(value), y: bottom + 15, "text-anchor": "middle" },
          tickText(value, options.x.log)
        )
      );
    }
    for (const value of ticks(yLow, yHigh, options.y.log, 5)) {
      svg.append(
        rule("explorer-grid", left, right, py(value), py(value)),
        drawing(
          "text",
          { x: left - 6, y: Number(py(value)) + 4, "text-anchor": "end" },
          tickText(value, options.y.log)
        )
      );
    }
    svg.append(
      drawing("path", { class: "explorer-axis", d: `M${left} ${top}V${bottom}H${right}` }),
      drawing("text", { x: right, y: bottom + 32, "text-anchor": "end" }, options.x.label),
      drawing("text", { x: 4, y: 14 }, options.y.label)
    );
    for (const at of options.marks || []) {
      svg.append(rule("explorer-mark", px(at), px(at), top, bottom));
    }
    for (const series of options.series) {
      const d = series.xs.map((x, k) => {
        if (series.kind === "bars") return `M${px(x)} ${bottom}V${py(series.ys[k])}`;
        return `${k === 0 ? "M" : "L"}${px(x)} ${py(series.ys[k])}`;
      });
      svg.append(
        drawing("path", { class: `explorer-series explorer-series-${series.look}`, d: d.join("") })
      );
    }
    erase(figure);
    figure.prepend(svg);
  }

  function legend(entries) {
    const list = element("ul", { class: "explorer-legend" });
    for (const [look, text] of entries) {
      const key = drawing("svg", { width: 34, height: 10, "aria-hidden": "true" });
      key.append(
        drawing("path", { class: `explorer-series explorer-series-${look}`, d: "M1 5H33" })
      );
      list.append(element("li", {}, key, text));
    }
    return list;
  }

  function figureOf(caption, keys) {
    const figure = element("figure", { class: "explorer-figure" });
    if (keys) figure.append(legend(keys));
    figure.append(element("figcaption", {}, caption));
    return figure;
  }

  function tableOf(title) {
    const table = element("table");
    const frame = element("div", {
      class: "explorer-scroll",
      tabindex: "0",
      role: "region",
      "aria-label": title,
    });
    frame.append(table);
    const node = element("details", {}, element("summary", {}, title), frame);
    function fill(head, rows) {
      const header = element("tr");
      for (const name of head) header.append(element("th", { scope: "col" }, name));
      const body = element("tbody");
      for (const cells of rows) {
        const row = element("tr");
        cells.forEach((cell, k) => {
          row.append(k === 0 ? element("th", { scope: "row" }, cell) : element("td", {}, cell));
        });
        body.append(row);
      }
      table.replaceChildren(element("thead", {}, header), body);
    }
    return { node, fill };
  }

  /** The planes: base, head dimension, and which planes carry the amplitude. */
  function planeControls() {
    const base = slider("Base", {
      name: "base",
      min: 3,
      max: 6,
      step: 0.01,
      value: 4,
      of: (x) => Math.round(Math.pow(10, x)),
      show: whole,
    });
    const headDim = slider("Head dimension", {
      name: "head-dimension",
      min: 16,
      max: 128,
      step: 8,
      value: 64,
    });
    const band = choice("Band: planes with amplitude", "band", [
      ["all", "all planes"],
      ["high", "high: wavelength up to 16"],
      ["medium", "medium"],
      ["low", "low: wavelength over twice the length"],
      ["chosen", "first to last, as chosen"],
    ]);
    const first = slider("First plane (the fastest is 0)", {
      name: "first-plane",
      min: 0,
      max: 31,
      step: 1,
      value: 0,
    });
    const last = slider("Last plane", { name: "last-plane", min: 0, max: 31, step: 1, value: 31 });
    first.input.addEventListener("input", () => {
      band.input.value = "chosen";
      if (Number(first.input.value) > Number(last.input.value)) last.position = first.input.value;
    });
    last.input.addEventListener("input", () => {
      band.input.value = "chosen";
      if (Number(last.input.value) < Number(first.input.value)) first.position = last.input.value;
    });

    /** The frequencies and the planes in use, or null for an empty band. */
    function read(length) {
      const thetas = frequencies(headDim.value, base.value);
      first.limit(thetas.length - 1);
      last.limit(thetas.length - 1);
      let range = [first.value, last.value];
      if (band.input.value !== "chosen") {
        range = bandRange(thetas, band.input.value, length);
        if (range) [first.position, last.position] = range;
      }
      return { thetas, range };
    }
    return { base, headDim, band, first, last, read };
  }

  /** The planes in use in words, so that every slider of theirs shows in the summary. */
  function planesInWords(controls, thetas, range) {
    const [short, long] = range.map((l) => digits((2 * Math.PI) / thetas[l], 1));
    const of = `of ${thetas.length} at base ${whole(controls.base.value)}`;
    if (range[0] === range[1]) return `plane ${range[0]} ${of} (wavelength ${short})`;
    return `planes ${range[0]} to ${range[1]} ${of} (wavelengths ${short} to ${long})`;
  }

  const EMPTY = "No plane lies in this band at this base, head dimension and length.";

  function near(target, length, only) {
    const low = only ? Math.max(0, target - 64) : 0;
    const high = only ? Math.min(length - 1, target + 64) : length - 1;
    return Array.from({ length: high - low + 1 }, (_, k) => low + k);
  }

  /** Logits over the lags and the attention row, both with the target marked. */
  function drawRow(figures, lags, logits, weights, target) {
    const shown = lags.map((t) => logits[t]);
    const low = Math.min(...shown);
    const high = Math.max(...shown);
    const room = (high - low || 1) * 0.05;
    const x = { label: "lag", range: [lags[0], Math.max(lags[lags.length - 1], lags[0] + 1)] };
    const kind = lags.length > 200 ? "line" : "bars";
    plot(figures[0], {
      title: "Logit at each lag",
      x,
      y: { label: "logit", range: [low - room, high + room] },
      marks: [target],
      series: [{ xs: lags, ys: shown, kind: "line", look: 1 }],
    });
    plot(figures[1], {
      title: "Attention weight at each lag",
      x,
      y: { label: "weight", range: [0, 1] },
      marks: [target],
      series: [{ xs: lags, ys: lags.map((t) => weights[t]), kind, look: 2 }],
    });
  }

  /** Put an explorer together and redraw it when a control or the width changes. */
  function assemble(host, title, controls, parts, update) {
    const form = element("div", { class: "explorer-controls", role: "group", "aria-label": title });
    form.append(...controls.map((control) => control.node));
    host.classList.add("explorer");
    host.replaceChildren(form, ...parts);
    host.addEventListener("input", update);
    host.addEventListener("change", update);
    let width = 0;
    const resized = () => {
      if (host.clientWidth !== width) {
        width = host.clientWidth;
        update();
      }
    };
    if (typeof ResizeObserver === "undefined") window.addEventListener("resize", resized);
    else new ResizeObserver(resized).observe(host);
    resized();
  }

  // ---- the explorer of the page `slash` ---------------------------------------------------------

  function startSlash(host) {
    const planes = planeControls();
    const length = slider("Length", {
      name: "length",
      min: 5,
      max: 12,
      step: 0.125,
      value: 8,
      of: (x) => Math.round(Math.pow(2, x)),
      show: whole,
    });
    const offset = slider("Target lag", {
      name: "offset",
      min: 0,
      max: 255,
      step: 1,
      value: 64,
      show: whole,
    });
    const amplitude = slider("Amplitude in logits", {
      name: "amplitude",
      min: 0.5,
      max: 100,
      step: 0.5,
      value: 40,
      show: (value) => digits(value, 1),
    });
    const closeUp = checkbox("Show 64 lags on each side of the target only", "close-up");
    const summary = element("p", { class: "explorer-summary", "aria-live": "polite" });
    const figures = [
      figureOf("The logit function: the head aligned with the target lag (dotted line)."),
      figureOf("What softmax makes of it: the attention row of the last query."),
    ];
    const table = tableOf("The lags with the largest logits, as a table");

    function update() {
      const n = length.value;
      offset.limit(n - 1);
      const { thetas, range } = planes.read(n);
      const target = offset.value;
      for (const control of controls) control.refresh?.();
      if (!range) {
        summary.textContent = EMPTY;
        figures.forEach(erase);
        table.fill(["lag", "logit", "weight"], []);
        return;
      }
      const amplitudes = equalShares(thetas.length, range, amplitude.value);
      const logits = slashLogits(amplitudes, thetas, target, n);
      const weights = softmax(logits);
      const best = margin(logits, target);
      const most = ceiling(amplitudes, thetas, target, n);
      drawRow(figures, near(target, n, closeUp.input.checked), logits, weights, target);
      summary.textContent =
        `The last query puts the weight ${digits(weights[target])} on lag ${whole(target)}; ` +
        `averaged over the rows, the slash score is ${digits(slashScore(logits, target))}. ` +
        `The best other lag is ${whole(best.rival)}, ${digits(best.margin, 2)} logits below; ` +
        `a weight of 0.9 is guaranteed from ${digits(marginNeeded(0.9, n), 2)} on. ` +
        `No phases give the last row more than ${digits(most)}. ` +
        `The amplitude of ${digits(amplitude.value, 1)} is shared by ` +
        `${planesInWords(planes, thetas, range)}.`;
      const order = logits.map((_, t) => t).sort((a, b) => logits[b] - logits[a] || a - b);
      table.fill(
        ["lag", "logit", "weight"],
        order.slice(0, 12).map((t) => [whole(t), digits(logits[t]), digits(weights[t], 4)])
      );
    }

    const controls = [
      offset,
      length,
      amplitude,
      planes.base,
      planes.headDim,
      planes.band,
      planes.first,
      planes.last,
      closeUp,
    ];
    const parts = [summary, ...figures, table.node];
    assemble(host, "The head of this picture", controls, parts, update);
  }

  // ---- the explorer of the page `index` ---------------------------------------------------------

  function startIndex(host) {
    const LONGEST = 4096;
    const planes = planeControls();
    const places = [3]; // the lengths that the slider stops at: all small ones, then 3 % apart
    while (places[places.length - 1] < LONGEST) {
      const at = places[places.length - 1];
      places.push(Math.min(Math.max(at + 1, Math.round(1.03 * at)), LONGEST));
    }
    const length = slider("Length", {
      name: "length",
      min: 0,
      max: places.length - 1,
      step: 1,
      value: places.indexOf(17),
      of: (x) => places[x],
      show: whole,
    });
    const fixed = slider("Fixed angle in radians", {
      name: "angle",
      min: -3,
      max: 0.49,
      step: 0.01,
      value: 0,
      of: (x) => Math.pow(10, x),
      show: (value) => digits(value, 4),
    });
    const integer = slider("Integer asked for: the target's lag", {
      name: "offset",
      min: 1,
      max: 16,
      step: 1,
      value: 5,
      show: whole,
    });
    const temperature = slider("Inverse temperature", {
      name: "inverse-temperature",
      min: 0,
      max: 7,
      step: 0.01,
      value: 1.3,
      of: (x) => Math.pow(10, x),
      show: (value) => (value < 100 ? digits(value, 1) : whole(value)),
    });
    const head = choice("Head", "head", [
      ["turned", "one turn over the length"],
      ["fixed", "the fixed angle"],
      ["rope", "RoPE's planes of the band"],
    ]);
    const closeUp = checkbox("Show 64 lags on each side of the target only", "close-up");
    const summary = element("p", { class: "explorer-summary", "aria-live": "polite" });
    const names = {
      turned: "one plane, angle chosen for each length: the best that one plane can do",
      fixed: "one plane, one fixed angle: a staircase",
      rope: "RoPE's planes of the band, equal shares",
    };
    const figures = [
      figureOf("The margin on the worst input, per unit of amplitude, at each length.", [
        [1, names.turned],
        [2, names.fixed],
        [3, names.rope],
      ]),
      figureOf("The logit at each lag for this integer, per unit of amplitude."),
      figureOf("The attention row of the last query at this inverse temperature."),
    ];
    const table = tableOf("The margins as a table");
    const allLengths = Array.from({ length: LONGEST - 1 }, (_, k) => k + 2);
    const turned = allLengths.map(onePlaneLimit);

    function update() {
      const n = length.value;
      integer.limit(n - 1);
      const { thetas, range } = planes.read(n);
      const i = integer.value;
      const beta = temperature.value;
      for (const control of controls) control.refresh?.();
      const angle = fixed.value;
      const chosen = {
        turned: [[1], [(2 * Math.PI) / n]],
        fixed: [[1], [angle]],
        rope: range ? [equalShares(thetas.length, range, 1), thetas] : null,
      };
      const curves = {
        turned,
        fixed: staircase([1], [angle], LONGEST),
        rope: range ? staircase(...chosen.rope, LONGEST) : [],
      };
      const kinds = Object.keys(curves);
      plot(figures[0], {
        title: "Margin on the worst input at each length",
        height: 260,
        dashed: true,
        x: { label: "length", range: [2, LONGEST], log: true },
        y: { label: "margin per unit of amplitude", range: [1e-9, 2], log: true },
        marks: [n],
        series: kinds
          .map((kind, k) => ({ xs: allLengths, ys: curves[kind], kind: "line", look: k + 1 }))
          .filter((series) => series.ys.length > 0),
      });
      const wanted = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
      const rows = [...new Set([...wanted, n])].sort((a, b) => a - b);
      table.fill(
        ["length", "best angle", `angle ${digits(angle, 4)}`, "RoPE's planes"],
        rows.map((at) => [
          whole(at),
          ...kinds.map((kind) => (curves[kind].length ? digits(curves[kind][at - 2], 4) : "none")),
        ])
      );
      const used = chosen[head.input.value];
      if (!used) {
        summary.textContent = EMPTY;
        figures.slice(1).forEach(erase);
        return;
      }
      const logits = slashLogits(...used, i, n);
      const weights = softmax(logits.map((value) => beta * value));
      drawRow(figures.slice(1), near(i, n, closeUp.input.checked), logits, weights, i);
      const odds = indexOdds(...used, beta, i, n);
      const limits = indexTemperatures(n);
      summary.textContent =
        `Margins on the worst input of length ${whole(n)}, per unit of amplitude: ` +
        `${digits(onePlaneLimit(n), 4)} for the best angle, ` +
        `${digits(curves.fixed[n - 2], 4)} for the fixed angle ${digits(angle, 4)}, ` +
        `${range ? digits(curves.rope[n - 2], 4) : "none"} for RoPE's ` +
        `${range ? planesInWords(planes, thetas, range) : "planes, as the band is empty"}. ` +
        `With the chosen head at inverse temperature ${temperature.text} the integer ${whole(i)} ` +
        `gets the weight ${digits(weights[i])}: the other positions have ` +
        `${digits(odds)} times the target's weight, so it is ${odds < 1 ? "" : "not "}decoded. ` +
        `With one turn over the length, an inverse temperature of ` +
        `${digits(limits.enough, 1)} is enough for every query and ` +
        `${digits(limits.needed, 1)} is not.`;
    }

    const controls = [
      length,
      integer,
      temperature,
      head,
      fixed,
      planes.base,
      planes.headDim,
      planes.band,
      planes.first,
      planes.last,
      closeUp,
    ];
    assemble(host, "The head of this picture", controls, [summary, ...figures, table.node], update);
  }

  function start() {
    for (const host of document.querySelectorAll("[data-explorer]")) {
      ({ slash: startSlash, index: startIndex })[host.dataset.explorer]?.(host);
    }
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
