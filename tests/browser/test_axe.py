"""What axe finds on a page of each kind: nothing serious."""

from __future__ import annotations

import pytest
from site_visitor import FULL, KINDS, LOOKS, MADE, Visitor, axe, names_of

ALIKE = 10

FEWER = """most => {
  const kind = e => `${e.tagName}.${e.getAttribute('class')}`;
  const inside = e => [e, ...e.querySelectorAll('*')].map(kind);
  const count = new Map();
  for (const each of inside(document.body)) count.set(each, (count.get(each) ?? 0) + 1);
  for (const parent of document.querySelectorAll('body, body *:not(svg *)')) {
    const alike = new Map();
    for (const child of parent.isConnected ? [...parent.children] : []) {
      alike.set(kind(child), (alike.get(kind(child)) ?? 0) + 1);
      if (alike.get(kind(child)) <= most) continue;
      const lost = new Map();
      for (const each of inside(child)) lost.set(each, (lost.get(each) ?? 0) + 1);
      if ([...lost].some(([each, times]) => times === count.get(each))) continue;
      lost.forEach((times, each) => count.set(each, count.get(each) - times));
      child.remove();
    }
  }
}"""
"""Of more than so many neighbours alike (rows, claims, steps) the rest goes, unless it holds the last
element of some tag and class: what axe reads is as varied as the page, and not as long."""


@pytest.mark.parametrize("look", LOOKS)
def test_axe_has_no_serious_finding(folder, address, browser, look):
    visitor = Visitor(browser, address, *LOOKS[look])
    found = []
    code = next(name for name in names_of(folder) if name.startswith("code/"))
    for name in [*(f"{kind}.html" for kind in (KINDS if FULL else MADE)), code]:
        page = visitor.open(name)
        page.evaluate(
            "for (const kind of ['derivation', 'attacks', 'evidence'])"
            " document.querySelector(`details.${kind}`)?.setAttribute('open', '')"
        )
        visitor.wait()
        page.evaluate(FEWER, ALIKE)
        results = axe.Axe().run(page, None, {"resultTypes": ["violations"]})
        found += [
            f"{name}: {violation['impact']} {violation['id']}: {node['html'][:160]}"
            for violation in results.response["violations"]
            if violation["impact"] in ("serious", "critical")
            for node in violation["nodes"][:3]
        ]
    visitor.context.close()
    assert not found, "\n".join(found[:40])
