"""What mypy says of a claim file: of each slip what is wrong, of the right file nothing."""

from __future__ import annotations

import re
from pathlib import Path

from needs import ROOT, need

api = need("mypy.api")

SETTINGS = """
[mypy]
strict = True
follow_imports = silent
[mypy-sympy.*,flint.*,numpy.*,scipy.*,torch.*,ropeproof.numerics.*,ropeproof.constructions.*,ropeproof.tools.*,ropeproof.proofs_check.*]
follow_imports = skip
ignore_missing_imports = True
"""
"""Of the distribution a claim file needs `theory` alone."""

RIGHT = '''"""A number between two others, and the right ways to write what the slips below get wrong."""

from ropeproof.theory.language import *
from ropeproof.theory.library.exponential.exp_log import EXP_MONOTONE
from ropeproof.theory.library.trigonometry.cosine import falling_cosine

x, y = real("x y")
n = integer("n")
f = real_function("f")
ORDER = Hypothesis("x is at most y", le(x, y))
half = sp.Rational(1, 2)
one: Values = {x: 1, y: half}


def middle(first: Term | int, last: Term | int) -> Term:
    """The number in the middle."""
    return half * first + half * last


@theorem(
    "own.middle",
    hypotheses=(ORDER,),
    conclusion=within(middle(x, y), x, y),
    attack=Attack(
        {"lower": le(middle(x, y), x)},
        at={"lower": {x: 0, y: sp.pi}},
        without={ORDER: {**one, y: -half}},
    ),
)
def MIDDLE(p: Proof) -> None:
    """The number in the middle lies between two others

    Half of $x+y$ is at least $x$ and at most $y$.
    """
    low = p.show(le(x, middle(x, y)), "It is at least the smaller one.", ORDER)
    high = p.show(le(middle(x, y), y), "It is at most the larger one.", (ORDER,))
    every(n, 0, 9, Every((x,), If(lt(0, x), le(0, f(n)))))
    p.apply(EXP_MONOTONE.at(x=0), ORDER, why="So are their exponentials.")
    p.lemma(EXP_MONOTONE.at(x=x, **by_name({y: x + 1})), why="So are the exponentials of these.")
    p.axiom(axiom_named("Lindemann").at(p=1, q=n, m=1), why="It is no quotient.")
    p.calc(x).le(middle(x, y), "By the first step.", low).done()
    falling_cosine(p, 0, 1, "The cosine falls.")
    p.qed("Both together are the claim.", low, high)
'''

SLIPS = {
    # a formula where a term is due, and a term where a formula is due
    "le(0, eq(x, y))": 'Argument 2 to "le" has incompatible type "Formula"; expected "Term | int"',
    "If(x, le(x, y))": 'Argument 1 to "If" has incompatible type "Term"; expected "Formula"',
    # a claim or a hypothesis where a fact is due
    'p.show(le(x, y), "So it is.", EXP_MONOTONE)': 'Argument 3 to "show" of "Scope" has incompatible type '
    '"Claim"; expected "Premise"',
    "p.chain(low, ORDER)": 'Argument 2 to "chain" of "Scope" has incompatible type "Hypothesis"; expected '
    '"Fact"',
    # no reason
    "p.show(le(x, y), ORDER)": 'Argument 2 to "show" of "Scope" has incompatible type "Hypothesis"; expected '
    '"str"',
    # a float, and a text as a bound
    "le(x, 0.5)": 'Argument 2 to "le" has incompatible type "float"; expected "Term | int"',
    'every(n, "0", 9, le(0, f(n)))': 'Argument 2 to "every" has incompatible type "str"; expected '
    '"Term | int"',
    # too few arguments of a function of another module
    "falling_cosine(p, x)": 'Missing positional arguments "high", "why" in call to "falling_cosine"',
    # others
    "le(0, f)": 'Argument 2 to "le" has incompatible type "Function"; expected "Term | int"',
    "Every(n, le(0, f(n)))": 'Argument 1 to "Every" has incompatible type "Symbols"; expected '
    '"tuple[Term, ...] | list[Term]"',
    'Hypothesis("order", x <= y)': 'Argument 2 to "Hypothesis" has incompatible type "Condition"; expected '
    '"Formula"',
    # values of a lemma's symbols
    "EXP_MONOTONE.at(x=0.5)": 'Argument "x" to "at" of "Claim" has incompatible type "float"; expected '
    '"Term | int | Callable[..., Term | int]"',
    "EXP_MONOTONE.at(x=ORDER.formula)": 'Argument "x" to "at" of "Claim" has incompatible type "Formula"; '
    'expected "Term | int | Callable[..., Term | int]"',
    'p.lemma(EXP_MONOTONE, {x: 0}, why="So it is.")': 'Argument 2 to "lemma" of "Scope" has incompatible '
    'type "dict[Term, int]"; expected "Premise"',
    "p.use(low, {x: 0.5})": 'Dict entry 0 has incompatible type "Term": "float"; expected "Any": '
    '"Term | int | Callable[..., Term | int]"',
}
"""Lines of a proof with a slip, and what mypy says of each."""


def printed(folder: Path, *files: Path) -> list[str]:
    """The lines that mypy prints of claim files, each with the file's name alone."""
    settings = folder / "mypy.ini"
    settings.write_text(SETTINGS, encoding="utf-8")
    options = ("--config-file", settings, "--cache-dir", folder / "cache", "--no-error-summary")
    text, failed, _ = api.run(list(map(str, (*options, *files))))
    assert not failed
    parts = (line.split(":", 1) for line in text.splitlines())
    return [f"{Path(file).name}:{rest}" for file, rest in parts]


def test_a_slip_in_a_claim_file_is_seen_and_the_right_file_is_not_called_wrong(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(ROOT)
    right, wrong = tmp_path / "right_file.py", tmp_path / "wrong_file.py"
    right.write_text(RIGHT, encoding="utf-8")
    *before, last = RIGHT.splitlines()
    wrong.write_text(
        "\n".join([*before, *(f"    {slip}" for slip in SLIPS), last, ""]), encoding="utf-8"
    )
    expected = [
        f"wrong_file.py:{number}: error: {message}"
        for number, message in enumerate(SLIPS.values(), len(before) + 1)
    ]
    assert [line.rpartition("  [")[0] for line in printed(tmp_path, right, wrong)] == expected


def test_the_page_shows_what_mypy_prints(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/add_a_claim.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```py\n(.*?)^```", page, flags=re.S | re.M)
    file = tmp_path / "slips.py"
    file.write_text(text, encoding="utf-8")
    assert printed(tmp_path, file) == re.findall(r"^slips\.py:\d+: .*$", page, flags=re.M)
