// MathJax, where the reader is: a page may hold four thousand formulas, most of them in derivations
// that nobody has opened. A formula is set when it comes within a window's height of the window.
"use strict";

(() => {
  const AT_ONCE = 30;
  const PLACES = "p, li, td, dd, figcaption, blockquote";  // what holds lines of text
  const SMALLEST = 0.75;  // of the size of the text: the smallest that a formula is set
  const queue = [];
  let goal = null;  // what the address names, kept in place while the formulas around it grow
  let working = false;

  window.MathJax = {
    loader: { load: [] },
    options: { enableMenu: false },
    svg: { fontCache: "global" },
    // A statement of many computed cases is longer than the 5 kB that MathJax takes for a runaway macro.
    tex: { packages: { "[-]": ["noundefined", "noerrors"] }, maxBuffer: 64 * 1024 },
    startup: { typeset: false, pageReady: () => start() },
  };

  const near = new IntersectionObserver(
    (entries) => {
      const found = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
      found.forEach((element) => near.unobserve(element));
      queue.push(...found);
      work();
    },
    { rootMargin: "100% 0px" }
  );

  async function work() {
    if (working) return;
    working = true;
    document.documentElement.dataset.math = "setting";
    do {
      while (queue.length) {
        await set(queue.splice(0, AT_ONCE));
        if (goal) goal.scrollIntoView();
      }
      await frame();
      await frame();  // what has come near by now is in the queue
    } while (queue.length);
    goal = null;
    working = false;
    document.documentElement.dataset.math = "done";
  }

  function frame() {
    return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }

  let before = Promise.resolve();

  function set(elements) {
    const turn = before.then(() => typeset(elements));
    before = turn.catch(() => {});  // what fails says so, and does not hold up the rest
    return turn;
  }

  async function typeset(elements) {
    const missing = elements.filter(unset);
    if (!missing.length) return;
    await MathJax.typesetPromise(missing);
    fit(missing);
  }

  function unset(element) {
    return !element.querySelector("mjx-container");
  }

  // A formula in a line of text that is a little wider than its place is set smaller.
  function shrink(elements) {
    const shares = elements.map((element) => {
      const container = element.querySelector("mjx-container");
      const place = element.tagName === "SPAN" && element.closest(PLACES);
      if (!container || !place) return 1;
      const style = getComputedStyle(place);
      const room = place.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      return room / container.getBoundingClientRect().width;
    });
    elements.forEach((element, number) => {
      if (shares[number] >= 1 || shares[number] < SMALLEST) return;
      element.style.fontSize = `${Math.floor(shares[number] * 1000 - 10) / 10}%`;
    });
  }

  // Formulas wider than their place scroll by themselves, and by keyboard.
  function fit(elements) {
    shrink(elements);
    const widths = elements.map((element) => {
      const container = element.querySelector("mjx-container");
      if (!container) return false;
      if (element.tagName !== "SPAN") return element.scrollWidth > element.clientWidth + 1;
      const place = element.closest(PLACES);
      return Boolean(place) && container.getBoundingClientRect().width > place.clientWidth + 1;
    });
    elements.forEach((element, number) => {
      if (!widths[number]) return;
      element.classList.toggle("wide", element.tagName === "SPAN");
      element.tabIndex = 0;
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", "Wide formula, scrolls sideways");
      // A shadow at each edge beyond which there is more of it.
      const cue = () => {
        const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
        element.classList.toggle("more-right", rest > 1);
        element.classList.toggle("more-left", element.scrollLeft > 1);
      };
      element.addEventListener("scroll", cue, { passive: true });
      cue();
    });
  }

  // The formulas of all open parts, wherever they are.
  function left() {
    return [...document.querySelectorAll(".math")].filter(
      (element) => unset(element) && !element.closest("details:not([open])")
    );
  }

  window.setFormulas = async (elements) => {
    for (let from = 0; from < elements.length; from += 10 * AT_ONCE) {
      await set(elements.slice(from, from + 10 * AT_ONCE));
    }
  };
  window.addEventListener("beforeprint", () => {
    const elements = window.MathJax.typeset ? left() : [];
    if (elements.length) MathJax.typeset(elements);
  });

  function reveal() {
    const id = decodeURIComponent(location.hash.slice(1));
    const element = id ? document.getElementById(id) : null;
    for (let up = element; up; up = up.parentElement) {
      if (up.tagName === "DETAILS") up.open = true;
    }
    if (element) element.scrollIntoView();
    goal = element;
  }

  function start() {
    reveal();
    document.querySelectorAll(".math").forEach((element) => near.observe(element));
    work();
  }

  for (const kind of ["wheel", "touchmove", "keydown", "mousedown"]) {
    window.addEventListener(kind, () => { goal = null; }, { passive: true });
  }
  window.addEventListener("hashchange", () => {
    reveal();
    if (window.MathJax.typesetPromise) work();
  });
  document.addEventListener("DOMContentLoaded", () => {
    if (!document.querySelector(".math")) document.documentElement.dataset.math = "done";
    addSwitch();
  });

  // One button for all parts of a page that open on a click.
  function addSwitch() {
    const parts = [...document.querySelectorAll("article details")];
    if (parts.length < 2) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "open-all";
    button.textContent = `Open all ${parts.length} parts`;
    button.addEventListener("click", () => {
      const open = parts.some((part) => !part.open);
      parts.forEach((part) => { part.open = open; });
      button.textContent = open ? "Close all parts" : `Open all ${parts.length} parts`;
    });
    parts[0].before(button);
  }
})();
