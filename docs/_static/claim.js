// A claim's page: the address to cite, with the server that shows it, and a button that copies.
// A topic's page: addresses from when all claims stood on it lead to their pages.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const place = document.querySelector(".cite");
  if (!place) return;
  const address = place.querySelector(".address");
  const entry = place.querySelector("pre");
  if (/^https?:$/.test(location.protocol)) {
    const whole = location.href.replace(/[?#].*$/, "");
    address.textContent = whole;
    entry.append(...["  url = {", whole, "},\n}\n"].map((t) => document.createTextNode(t)));
    const walk = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    // The entry's own last brace comes after the line that was added.
    const last = texts.slice(0, -3).reverse().find((node) => node.data.includes("}"));
    last.data = last.data.slice(0, last.data.lastIndexOf("}"));
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const range = document.createRange();
    range.selectNodeContents(entry);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    try {
      await navigator.clipboard.writeText(entry.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";  // the browser leaves copying to the reader
    }
  });
  place.append(button);
});

(() => {
  function lead() {
    const asked = decodeURIComponent(location.hash.slice(1));
    if (!asked) return;
    const entries = [...document.querySelectorAll(".place[id]")]
      .filter((item) => asked === item.id || asked.startsWith(`${item.id}-`))
      .sort((one, other) => other.id.length - one.id.length);
    if (!entries.length) return;
    const target = entries[0].querySelector("a[href]").href;
    location.replace(asked === entries[0].id ? target : `${target}#${asked}`);
  }
  document.addEventListener("DOMContentLoaded", lead);
  window.addEventListener("hashchange", lead);
})();
