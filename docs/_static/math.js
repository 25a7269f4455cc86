// MathJax, one part of the page after another: a page may hold two thousand formulas, and most of
// them lie in derivations that nobody has opened. The part that the address names comes first.
"use strict";

(() => {
  const AT_ONCE = 30;
  const done = new WeakSet();

  window.MathJax = {
    loader: { load: [] },
    options: { enableMenu: false },
    svg: { fontCache: "global" },
    tex: { packages: { "[-]": ["noundefined", "noerrors"] } },
    startup: {
      typeset: false,
      pageReady: () => start(),
    },
  };

  // Formulas under `root` that are not set yet and not inside a closed part.
  function waiting(root) {
    return [...root.querySelectorAll(".math")].filter(
      (element) => !done.has(element) && !element.closest("details:not([open])")
    );
  }

  async function set(root) {
    const elements = waiting(root);
    elements.forEach((element) => done.add(element));
    for (let from = 0; from < elements.length; from += AT_ONCE) {
      const part = elements.slice(from, from + AT_ONCE);
      await MathJax.typesetPromise(part);
      part.forEach(fit);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  // A formula wider than its place scrolls by itself, and by keyboard.
  function fit(element) {
    const inline = element.tagName === "SPAN";
    const container = element.querySelector("mjx-container");
    if (!container) return;
    const place = inline ? element.closest("p, li, td, dd, figcaption, blockquote") : element;
    const wide = place && container.getBoundingClientRect().width > place.clientWidth + 1;
    const scrolls = inline ? wide : element.scrollWidth > element.clientWidth + 1;
    element.classList.toggle("wide", Boolean(inline && wide));
    if (scrolls) {
      element.tabIndex = 0;
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", "Wide formula, scrolls sideways");
    }
  }

  function target() {
    const id = decodeURIComponent(location.hash.slice(1));
    return id ? document.getElementById(id) : null;
  }

  function reveal() {
    const element = target();
    for (let up = element; up; up = up.parentElement) {
      if (up.tagName === "DETAILS") up.open = true;
    }
    return element;
  }

  let running = Promise.resolve();

  function enqueue(root) {
    document.documentElement.dataset.math = "setting";
    running = running.then(() => set(root)).then(() => {
      document.documentElement.dataset.math = "done";
    });
    return running;
  }

  async function start() {
    const element = reveal();
    const first = element && (element.closest("section") || element);
    if (first) {
      await enqueue(first);
      element.scrollIntoView();
    }
    let moved = false;
    const note = () => { moved = true; };
    for (const kind of ["wheel", "touchmove", "keydown", "mousedown"]) {
      window.addEventListener(kind, note, { once: true, passive: true });
    }
    await enqueue(document.body);
    if (element && !moved) element.scrollIntoView();
  }

  document.addEventListener("toggle", (event) => {
    if (event.target.tagName === "DETAILS" && event.target.open && window.MathJax.typesetPromise) {
      enqueue(event.target);
    }
  }, true);
  window.addEventListener("hashchange", async () => {
    const element = reveal();
    if (!element) return;
    element.scrollIntoView();
    if (!window.MathJax.typesetPromise) return;
    await enqueue(element.closest("details") || element);
    element.scrollIntoView();  // the formulas above it have grown
  });
  document.addEventListener("DOMContentLoaded", () => {
    if (!document.querySelector(".math")) document.documentElement.dataset.math = "done";
    addSwitch();
  });

  // One button for all derivations of a page.
  function addSwitch() {
    const parts = [...document.querySelectorAll("details.derivation")];
    const title = document.querySelector("article h1");
    if (parts.length < 2 || !title) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "open-all";
    button.textContent = `Open all ${parts.length} derivations`;
    button.addEventListener("click", () => {
      const open = parts.some((part) => !part.open);
      parts.forEach((part) => { part.open = open; });
      button.textContent = open ? "Close all derivations" : `Open all ${parts.length} derivations`;
    });
    title.after(button);
  }
})();
