"""Titles set their formulas as formulas, and words stay words."""

from __future__ import annotations

import re

import pytest

from ropeproof.proofs_check.site.markup.titles import set_title
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory import CLAIMS


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("f(x) <= g(x)", r"$f(x) \le g(x)$"),
        ("exp(a) ≤ exp(b) for a <= b", r"$\exp(a) \le\exp(b)$ for $a \le b$"),
        ("Gaps at most γ: more", r"Gaps at most $\gamma$: more"),
        ("Every r-th plane", "Every $r$-th plane"),
        ("At most 0.9589 A", r"At most $0.9589\,A$"),
        ("order n² (ln 3)/8 is enough", r"order $n^{2} (\ln 3)/8$ is enough"),
        ("the statistics r₁ and r₀.₉₅", "the statistics $r_{1}$ and $r_{0.95}$"),
        ("of order 1/n^(2/m)", "of order $1/n^{2/m}$"),
        ("keeps |q|² - |k|² here", r"keeps $\vert q\vert^{2} - \vert k\vert^{2}$ here"),
        ("A bias (ALiBi, T5) of 2 to 3 tokens", r"A bias (ALiBi, T5) of 2 to 3 tokens"),
        ("A is a head, and I am not", "A is a head, and I am not"),
        ("key(s), a lag's sign - or none", "key(s), a lag's sign - or none"),
        ("50% of θ_l² & {more}", r"50% of $\theta_l^{2}$ & \{more\}"),
        ("the file `a_b <= 2` and $x$", "the file `a_b <= 2` and $x$"),
        ("", ""),
    ],
)
def test_formulas_are_set_and_words_are_not(title, shown):
    assert set_title(title) == shown


def test_no_title_of_the_catalogue_shows_a_raw_formula():
    """Outside its formulas a title has no sign of mathematics and no single letter but an article."""
    raw = {}
    for id, claim in CLAIMS.items():
        shown = set_title(claim.title)
        outside = re.sub(r"\$[^$]+\$|`[^`]+`", " ", shown)
        found = re.findall(r"[^\x00-\x7f]|[<>=^_|]|(?<![\w'])[B-HJ-Zb-z](?![\w'])", outside)
        if found or "|" in shown:
            raw[id] = shown
    assert raw == {}


def test_headings_lists_and_tables_take_the_title_that_is_set():
    site = Site({"softmax.tv": CLAIMS["softmax.tv"]}, {})
    assert r"$\tanh(\varepsilon/2)$" in site.title(CLAIMS["softmax.tv"])
    paper = Site({"softmax.tv": CLAIMS["softmax.tv"]}, {}, paper=True)
    assert paper.title(CLAIMS["softmax.tv"]) == site.title(CLAIMS["softmax.tv"])
