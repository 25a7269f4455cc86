// The overview's table: sorts by a click on a heading, filters by text, topic, role and status.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form.filters");
  const table = document.querySelector(".catalogue table");
  if (!form || !table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];
  const column = Object.fromEntries(headings.map((cell, k) => [cell.textContent.trim(), k]));
  const text = (row, k) => row.cells[k].textContent.trim();

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", filter);

  function filter() {
    const words = form.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const whole = row.textContent.toLowerCase();
      const fits = words.every((word) => whole.includes(word)) &&
        ["topic", "role", "status"].every(
          (name) => !form[name].value || text(row, column[name]) === form[name].value
        );
      row.hidden = !fits;
      shown += fits;
    }
    form.count.textContent = `${shown} of ${rows.length} claims`;
  }

  const collator = new Intl.Collator("en", { numeric: true });
  headings.forEach((cell, k) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    cell.append(button);
    cell.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const up = cell.getAttribute("aria-sort") !== "ascending";
      headings.forEach((other) => other.setAttribute("aria-sort", "none"));
      cell.setAttribute("aria-sort", up ? "ascending" : "descending");
      const sorted = [...rows].sort((a, b) => collator.compare(text(a, k), text(b, k)));
      if (!up) sorted.reverse();
      body.append(...sorted);
    });
  });
  filter();
});

// A table wider than the page scrolls by itself, and by keyboard.
document.addEventListener("DOMContentLoaded", () => {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const place of document.querySelectorAll(".table-wrapper, div.highlight pre, .code-page")) {
    watch.observe(place);
  }
});
