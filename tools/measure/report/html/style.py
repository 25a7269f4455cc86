"""The style and the script of the page, both inside it."""

from __future__ import annotations

__all__ = ["SCRIPT", "STYLE"]

STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --text: #1b1b1b; --quiet: #595959;
  --line: #c9c9c9; --box: #f4f5f7; --link: #004f87; --first: #0072b2; --second: #b84a00;
  --null: #595959; --good: #00624a; --bad: #b00020; --high: #cfe5f3; --medium: #d5eadf;
  --low: #f6dccb; --none: #e6e6e6; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171a; --text: #e9e9e9; --quiet: #b3b8bd; --line: #454b52; --box: #1e2328;
    --link: #8ecdf5; --first: #6bbdf0; --second: #f0a35e; --null: #b3b8bd; --good: #5fd3ad;
    --bad: #ff9a94; --high: #1d3a4c; --medium: #1e4034; --low: #4b3020; --none: #33383d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 78rem; padding: 1rem; background: var(--page);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 .5em; }
h1 { margin-top: .3em; } h2 { border-bottom: 1px solid var(--line); }
a { color: var(--link); } p, li, dd { max-width: 46rem; }
a:focus-visible, button:focus-visible, summary:focus-visible, input:focus-visible,
select:focus-visible, .scroll:focus-visible { outline: 3px solid var(--second);
  outline-offset: 2px; }
.skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
.quiet { color: var(--quiet); } .good { color: var(--good); }
.bad { color: var(--bad); font-weight: 700; }
.warning { border-left: 4px solid var(--second); padding: .2rem .8rem; background: var(--box); }
.alarm { border: 2px solid var(--bad); padding: .2rem .8rem; }
.scroll { overflow-x: auto; margin: .8rem 0; max-width: 100%; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem;
  border-bottom: 1px solid var(--line); overflow-wrap: normal; }
tbody th { min-width: 9rem; } tbody th:has(> a) { min-width: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; padding: 0; list-style: none; }
td:not(.n) { min-width: 6.5rem; } td.wide { min-width: 16rem; }
.n { text-align: right; } td.n { white-space: nowrap; }
.one-line { white-space: nowrap; }
thead th { vertical-align: bottom; background: var(--box); }
th button { font: inherit; font-weight: 700; color: inherit; background: none; border: 0;
  padding: 0; cursor: pointer; text-align: inherit; text-decoration: underline dotted; }
th[aria-sort=ascending] button::after { content: " \\25b2"; }
th[aria-sort=descending] button::after { content: " \\25bc"; }
.filters { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: center;
  background: var(--box); padding: .6rem; }
.filters[hidden] { display: none; }
.filters input, .filters select { font: inherit; max-width: 12rem; }
details { border: 1px solid var(--line); margin: .4rem 0; padding: 0 .7rem; }
summary { cursor: pointer; padding: .35rem 0; }
summary h4 { display: inline; font-size: 1rem; margin: 0; }
.charts { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: .5rem 0; flex: 1 1 20rem; max-width: 34rem; min-width: 0; }
figcaption { font-size: .875rem; color: var(--quiet); }
svg { width: 100%; height: auto; display: block; font: 11px system-ui, sans-serif; }
.pattern { display: block; width: 100%; height: auto; border: 1px solid var(--line);
  image-rendering: pixelated; }
svg text { fill: var(--text); } .axis { stroke: var(--quiet); stroke-width: 1; }
.grid { stroke: var(--line); stroke-width: .5; } .curve { fill: none; stroke-width: 1.2; }
.first { stroke: var(--first); } .second { stroke: var(--second); stroke-dasharray: 5 2; }
.null { stroke: var(--null); stroke-dasharray: 1.5 2.5; stroke-width: 1.8; }
.dot-first { fill: var(--first); stroke: none; }
.dot-second { fill: var(--page); stroke: var(--second); stroke-width: 1.5; }
.band-high { fill: var(--high); } .band-medium { fill: var(--medium); }
.band-low { fill: var(--low); } .band-unrotated { fill: var(--none); }
dt { font-weight: 700; margin-top: .7rem; } dd { margin: 0; }
.unmet { color: var(--second); }
.scroll tbody th[scope=row] { position: sticky; left: 0; z-index: 1; background: var(--page); }
.map td, .map th { padding: 1px; border: 0; min-width: 0; text-align: center; }
.map tbody th { min-width: 0; padding-right: .5rem; } .map td:not(.n) { min-width: 1.75rem; }
.key { display: inline-block; min-width: 1.6rem; padding: .1rem .2rem; text-align: center;
  border-radius: 3px; color: var(--text); font-weight: 700; text-decoration: none;
  background: color-mix(in srgb, var(--kind) var(--strength, 40%), var(--page)); }
.kind-0 { --kind: #a03cc4; } .kind-1 { --kind: #d6408c; } .kind-2 { --kind: #0072c8; }
.kind-3 { --kind: #009a7c; } .kind-4 { --kind: #a08a00; } .kind-5 { --kind: #a3a3a3; }
.kind-6 { --kind: #d65a10; } .kind-7 { --kind: #6a7f9a; } .kind-8 { --kind: #8a8a8a; }
.kind-9 { --kind: #b4b4b4; }
@media print { .filters { display: none; } .scroll { overflow: visible; } }
"""

# Buttons and filters are made here, so that without scripts the page has none that do nothing.
SCRIPT = """
(() => {
  const key = (cell) => cell.dataset.value ?? cell.textContent.trim();
  const compare = (a, b) => {
    const [x, y] = [Number(a), Number(b)];
    const numbers = a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y);
    return numbers ? x - y : a.localeCompare(b);
  };
  const sort = (table, column, header) => {
    const down = header.getAttribute("aria-sort") === "ascending";
    for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows].sort((first, second) => {
      const [a, b] = [key(first.cells[column]), key(second.cells[column])];
      if (a === "none" || b === "none") return (a === "none") - (b === "none");
      return down ? compare(b, a) : compare(a, b);
    });
    table.tBodies[0].append(...rows);
  };
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    [...table.tHead.rows[0].cells].forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      button.addEventListener("click", () => sort(table, column, header));
      header.append(button);
    });
  }
  for (const form of document.querySelectorAll("form.filters")) {
    const rows = [...document.getElementById(form.dataset.table).tBodies[0].rows];
    const count = form.querySelector("[role=status]");
    const apply = () => {
      const words = form.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        const keep = words.every((word) => text.includes(word))
          && (!form.slash.checked || row.dataset.slash === "yes")
          && (!form.broken.checked || row.dataset.broken === "yes")
          && (form.purity.value === "" || row.dataset.purity === form.purity.value);
        row.hidden = !keep;
        shown += keep;
      }
      count.textContent = `${shown} of ${rows.length} heads shown`;
    };
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let box = target?.closest("details"); box; box = box.parentElement?.closest("details")) {
      box.open = true;
    }
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  if (location.hash) open();
})();
"""
