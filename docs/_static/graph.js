// The graph: what a claim rests on and what would fall with it, on hover or focus.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector(".graph");
  if (!box) return;
  const says = document.querySelector(".graph-says");
  const nodes = new Map([...box.querySelectorAll("a.node")].map((a) => [a.dataset.claim, a]));
  const edges = [...box.querySelectorAll("path.edge")];
  const falls = (id) => nodes.get(id).dataset.falls.split(" ").filter(Boolean);

  function rests(id, found = new Set()) {
    for (const edge of edges) {
      if (edge.dataset.to === id && !found.has(edge.dataset.from)) {
        found.add(edge.dataset.from);
        rests(edge.dataset.from, found);
      }
    }
    return found;
  }

  function show(id) {
    const above = new Set(falls(id));
    const below = rests(id);
    box.classList.add("chosen");
    for (const [other, node] of nodes) {
      node.classList.toggle("here", other === id);
      node.classList.toggle("falls", above.has(other));
      node.classList.toggle("rests", below.has(other));
    }
    for (const edge of edges) {
      const { from, to } = edge.dataset;
      edge.classList.toggle("falls", above.has(to) && (from === id || above.has(from)));
      edge.classList.toggle("rests", below.has(from) && (to === id || below.has(to)));
    }
    const some = [...above].slice(0, 6).join(", ");
    const tail = above.size > 6 ? ` and ${above.size - 6} more` : "";
    const fall = above.size === 1 ? "1 claim would fall" : `${above.size} claims would fall`;
    says.textContent =
      `${id} rests on ${below.size}; ${fall} with it${above.size ? `: ${some}${tail}` : ""}.`;
  }

  function clear() {
    box.classList.remove("chosen");
    for (const element of [...nodes.values(), ...edges]) {
      element.classList.remove("here", "falls", "rests");
    }
    says.textContent = "No claim is chosen.";
  }

  for (const [id, node] of nodes) {
    node.addEventListener("mouseenter", () => show(id));
    node.addEventListener("mouseleave", clear);
    node.addEventListener("focus", () => show(id));
    node.addEventListener("blur", clear);
  }

  const fade = document.querySelector(".graph-search [name=fade]");
  fade.addEventListener("change", () => box.classList.toggle("faded", fade.checked));

  const search = document.querySelector(".graph-search input");
  search.addEventListener("change", () => {
    const node = nodes.get(search.value.trim());
    if (!node) return;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "center", inline: "center" });
  });
});
