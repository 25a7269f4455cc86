// The search: claims by id, title and the words of their statements, then sections of written pages.
"use strict";

(() => {
  const GREEK = Object.fromEntries(
    ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau " +
      "upsilon phi chi psi omega").split(" ").map((name, k) => [name, "αβγδεζηθικλμνξοπρστυφχψω"[k]])
  );
  const AT_FIRST = 30;
  const AROUND = 90;

  // Where a word begins in a text: at the beginning of one of its words if it does anywhere, else within.
  function place(text, word) {
    const whole = text.toLowerCase();
    let within = -1;
    for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + 1)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(whole[at - 1])) return { at, start: true };
      if (within < 0) within = at;
    }
    return within < 0 ? null : { at: within, start: false };
  }

  // How well an entry fits all words, 0 if one is nowhere; fields are pairs of a text and its weight.
  function score(fields, words) {
    let total = 0;
    for (const forms of words) {
      let best = 0;
      for (const form of forms) {
        for (const [text, weight] of fields) {
          const found = place(text, form);
          if (found) best = Math.max(best, found.start ? weight : weight / 4);
        }
      }
      if (!best) return 0;
      total += best;
    }
    return total;
  }

  function wordsOf(query) {
    return query.toLowerCase().split(/\s+/).filter(Boolean).map(
      (word) => (GREEK[word] ? [word, GREEK[word]] : [word])
    );
  }

  // Claims and sections that hold every word of a query, the best first.
  function find(index, query) {
    const words = wordsOf(query);
    if (!words.length) return { claims: [], pages: [] };
    const asked = query.trim().toLowerCase();
    const rank = (entries, measure) => entries
      .map((entry, k) => ({ entry, k, points: measure(entry) }))
      .filter(({ points }) => points > 0)
      .sort((one, other) => other.points - one.points || one.k - other.k)
      .map(({ entry }) => entry);
    return {
      claims: rank(index.claims, (c) => {
        const points = score([[c.id, 40], [c.title, 30], [c.text, 8], [c.source, 4]], words);
        const id = c.id.toLowerCase();
        return points && points + (id === asked ? 1000 : id.startsWith(asked) ? 100 : 0);
      }),
      pages: rank(index.pages, (p) => score([[p.title, 30], [p.text, 8]], words)),
    };
  }

  // A piece of a text around its first word that was asked for: pairs of a text and whether it was.
  function snippet(text, query) {
    const forms = wordsOf(query).flat();
    const places = forms.map((form) => place(text, form)).filter(Boolean).map(({ at }) => at);
    const first = places.length ? Math.min(...places) : 0;
    let from = Math.max(0, first - AROUND);
    if (from > 0) from = text.indexOf(" ", from) + 1 || from;
    if (from > first) from = first;
    let to = Math.min(text.length, first + 2 * AROUND);
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), first + 1);
    const pieces = [[from > 0 ? "… " : "", false]];
    let at = from;
    while (at < to) {
      const next = forms
        .map((form) => ({ form, at: text.toLowerCase().indexOf(form, at) }))
        .filter((found) => found.at >= 0 && found.at < to)
        .sort((one, other) => one.at - other.at || other.form.length - one.form.length)[0];
      if (!next) break;
      pieces.push([text.slice(at, next.at), false]);
      at = next.at + next.form.length;
      pieces.push([text.slice(next.at, at), true]);
    }
    pieces.push([text.slice(at, Math.max(at, to)), false], [to < text.length ? " …" : "", false]);
    return pieces.filter(([piece]) => piece);
  }

  if (typeof module !== "undefined") {
    module.exports = { find, snippet };
    return;
  }

  document.addEventListener("DOMContentLoaded", () => {
    const form = document.querySelector("form.search");
    if (!form) return;
    const said = document.querySelector(".found");
    const results = document.querySelector(".results");
    form.q.value = new URLSearchParams(location.search).get("q") ?? "";
    form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
    form.q.addEventListener("input", show);
    show();
    form.q.focus();

    function show() {
      const query = form.q.value;
      const address = query ? `?q=${encodeURIComponent(query)}` : location.pathname;
      try { history.replaceState(null, "", address); } catch { /* some browsers refuse it on the disk */ }
      document.title = query ? `Search: ${query} - ropeproof` : "Search - ropeproof";
      const found = find(window.SEARCH_INDEX, query);
      const count = (list, one) => `${list.length} ${one}${list.length === 1 ? "" : "s"}`;
      said.textContent = query.trim()
        ? `${count(found.claims, "claim")}, ${count(found.pages, "section")} of pages` : "";
      results.replaceChildren(
        ...part("Claims", found.claims, claim, query), ...part("Pages", found.pages, section, query)
      );
    }

    function part(title, entries, draw, query) {
      if (!entries.length) return [];
      const list = element("ol", "");
      const more = (to) => {
        list.append(...entries.slice(list.children.length, to).map((entry) => draw(entry, query)));
      };
      more(AT_FIRST);
      const parts = [element("h2", "", title), list];
      if (entries.length > AT_FIRST) {
        const button = element("button", "more", `Show all ${entries.length}`);
        button.type = "button";
        button.addEventListener("click", () => { more(entries.length); button.remove(); });
        parts.push(button);
      }
      return parts;
    }

    function claim(entry, query) {
      const item = element("li", "");
      const link = element("a", "", `${entry.word}. ${entry.title}`);
      link.href = entry.href;
      const kind = `status status-${entry.status.replaceAll(" ", "-")}`;
      item.append(
        link, " ", element("span", kind, entry.status), element("br", ""), element("code", "", entry.id),
        " ", marked(entry.text, query)
      );
      return item;
    }

    function section(entry, query) {
      const item = element("li", "");
      const link = element("a", "", entry.title);
      link.href = entry.href;
      item.append(link, element("br", ""), marked(entry.text, query));
      return item;
    }

    function marked(text, query) {
      const place = element("span", "snippet");
      place.append(...snippet(text, query).map(
        ([piece, asked]) => (asked ? element("mark", "", piece) : document.createTextNode(piece))
      ));
      return place;
    }

    function element(tag, kind, text = "") {
      const made = document.createElement(tag);
      if (kind) made.className = kind;
      if (text) made.textContent = text;
      return made;
    }
  });
})();
