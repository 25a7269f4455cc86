"""A user's file: what it does by accident must not turn anything green."""

from __future__ import annotations

import hashlib
import sys

import pytest
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.proofs_check.run import items, library
from ropeproof.proofs_check.run.apart.user_file import executed
from ropeproof.proofs_check.run.library import load
from ropeproof.proofs_check.run.runner import check
from ropeproof.theory import Claim
from ropeproof.theory.errors import InvalidArgument, InvalidClaim, RopeproofError
from ropeproof.theory.language.logic import real

OPENING = """
import sys
import sympy as sp
from ropeproof.theory import Claim, Derivation, Hypothesis, Mutant, Source, Step
from ropeproof.theory.language.derivation import Rule, instance, smt
from ropeproof.theory.language.logic import Both, Every, Negation, eq, le, lt, real, real_function

x, y = real("x y")
goal = le(0, x**2)


def claim(goal=goal, id="own.square", step=None, **more):
    step = step or Step("only", goal, smt(), "a square")
    more.setdefault("mutants", (Mutant("strict", lt(0, x**2)),))
    more.setdefault("needs", frozenset("PTX"))
    return Claim(id, "t", "s", Source("test"), conclusion=goal,
                 derivation=Derivation((step,)), **more)


CLAIMS = (claim(),)
"""


@pytest.fixture
def module(tmp_path):
    """A file with the text after the opening; what it registers is forgotten afterwards."""
    loaded = dict(library.LOADED)

    def write(text=""):
        path = tmp_path / f"module_{abs(hash(text))}.py"
        path.write_text(OPENING + text)
        return str(path)

    yield write
    library.LOADED.clear()
    library.LOADED.update(loaded)


def test_the_opening_is_proved(module):
    (verdict,) = check(["own.square"], modules=[module()], profile_name="quick")
    assert (verdict.status, verdict.shortfalls) == ("proved", ())


@pytest.mark.parametrize(
    "end",
    [
        "sys.exit(0)",
        "raise SystemExit",
        "exit()",
        "raise GeneratorExit",
        "class E(BaseException): ...\nraise E",
    ],
)
def test_a_file_that_ends_the_program_is_refused(end, module):
    with pytest.raises(InvalidArgument, match="a file that imports"):
        load([module(end)])
    result = CliRunner().invoke(app, ["check", "own.*", "--module", module(end), "--jobs", "1"])
    assert result.exit_code != 0


def test_an_interrupt_is_one(module):
    with pytest.raises(KeyboardInterrupt):
        load([module("raise KeyboardInterrupt")])


@pytest.mark.parametrize("end", ["sys.exit(0)", "raise SystemExit", "raise GeneratorExit"])
def test_evidence_that_ends_the_program_fails(end, module):
    text = f"""
from ropeproof.proofs_check.evidence import evidence

@evidence("own.square", "property", "ends")
def ends(how):
    {end}
"""
    (verdict,) = check(["own.square"], modules=[module(text)], profile_name="quick")
    assert any("ends: broke off" in reason for reason in verdict.shortfalls)


@pytest.mark.parametrize(
    ("kind", "finding", "status"),
    [
        ("certified", 'Finding(holds(), "", 3)', "open"),
        ("certified", 'Finding(holds(), " ", 3)', "open"),
        ("certified", 'Finding(holds(), "n <= 9", 3)', "tested"),  # by the code of the file alone
        ("certified", 'Finding(holds(), "n <= 9")', "open"),
        ("certified", 'Finding(unsupported("not here"), "n <= 9", 3)', "open"),
        ("certified", "holds()", "open"),
        ("certified", "None", "open"),
        ("certified", 'Finding(Outcome("HOLDS"), "n <= 9", 3)', "open"),
        ("property", 'Finding(holds(), "n <= 9", 0)', "open"),
        ("property", 'Finding(holds(), "n <= 9", float("nan"))', "open"),
        ("property", 'Finding(holds(), "n <= 9", -1)', "open"),
        ("property", 'Finding(holds(), "n <= 9", 1)', "tested"),
        ("construction", 'Finding(holds(), "n <= 9")', "open"),
    ],
)
def test_evidence_of_nothing_is_none(kind, finding, status, module):
    text = f"""
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.kernel.outcome import Outcome, holds, unsupported

CLAIMS = (Claim("own.bare", "t", "s", Source("test"), kind="definition", needs=frozenset("C")),)

@evidence("own.bare", {kind!r}, "nothing")
def nothing(how):
    return {finding}
"""
    (verdict,) = check(["own.bare"], modules=[module(text)], profile_name="quick")
    assert verdict.established == status


def test_evidence_for_claims_of_others_is_refused(module):
    text = """
from ropeproof.proofs_check.evidence import evidence

@evidence("rope.group", "property", "more")
def more(how): ...
"""
    with pytest.raises(InvalidArgument, match=r"this one has some for rope\.group"):
        load([module(text)])


def test_evidence_of_others_is_not_replaced(module):
    text = """
from ropeproof.proofs_check.evidence import evidence

def other(how): ...
other.__module__ = "ropeproof.proofs_check.evidence.rope"
evidence("rope.group", "property", "another")(other)
"""
    with pytest.raises(InvalidArgument, match="for its own claims"):
        load([module(text)])


def test_a_claim_of_the_catalogue_is_not_replaced(module):
    with pytest.raises(InvalidClaim, match=r"duplicate claim id 'rope\.group'"):
        load([module('CLAIMS = (claim(id="rope.group"),)')])


def test_what_the_file_changes_later_changes_nothing(module):
    text = """
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.kernel.outcome import holds

mapping = {x: 3}
law = Every((x,), le(0, x**2))
step = Step("at 3", le(0, sp.Integer(9)), Rule("instance", {"mapping": mapping}), "", ("law",))
one = claim(lt(y - 1, y), "own.one", Step("so", lt(y - 1, y), smt(), ""),
            mutants=(Mutant("no", lt(y, y - 1)),))
listed = [one, claim(id="own.two", step=Step("only", goal, Rule("smt", mapping), ""))]
CLAIMS = listed


@evidence("own.one", "property", "changes what was stated")
def changes(how):
    mapping[x] = 4
    listed.clear()
    return Finding(holds(), "all", 3)
"""
    before = set(sys.modules)
    claims = load([module(text)]).claims
    assert "own.one" in claims
    (step,) = claims["own.two"].derivation.steps
    assert dict(step.rule.arguments) == {real("x"): 3}
    with pytest.raises(TypeError):
        step.rule.arguments["x"] = 5
    assert not [name for name in set(sys.modules) - before if name.startswith("_ropeproof_module")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "class Other(Claim):\n    pass\n"
            'CLAIMS = (Other("own.a", "t", "s", Source("test"), conclusion=goal),)',
            "allowed: Claim itself",
        ),
        (
            "class Other(Step):\n    @property\n    def conclusion(self): return goal\n"
            "    @conclusion.setter\n    def conclusion(self, v): ...\n"
            'CLAIMS = (claim(step=Other("only", goal, smt(), "")),)',
            "allowed: Step itself",
        ),
        (
            "class Other(sp.LessThan):\n    def __eq__(self, other): return True\n"
            "    __hash__ = sp.LessThan.__hash__\n"
            "CLAIMS = (claim(Other(0, x**2, evaluate=False)),)",
            "of type Other; allowed: SymPy's formulas",
        ),
        (
            "class Text(str):\n    pass\nCLAIMS = (claim(id=Text('own.a')),)",
            "of type Text",
        ),
        (
            "F = type('F', (sp.core.function.AppliedUndef,), {})\nCLAIMS = (claim(le(0, F(x) ** 2)),)",
            "allowed",
        ),
        ("CLAIMS = (claim(le(0, sp.Function('g')(x) ** 2)),)", "real_function, integer_function"),
        (
            "class Other(sp.LessThan):\n    __module__ = 'sympy.core.relational'\n"
            "    def _latex(self, printer): return '1 = 0'\n"
            "CLAIMS = (claim(Other(0, x**2, evaluate=False)),)",
            "of type Other; allowed: SymPy's formulas",
        ),
        (
            "from sympy.core.function import AppliedUndef, UndefinedFunction\n"
            "F = UndefinedFunction('odd_a', (AppliedUndef,), {'_latex': lambda *_, **__: '0'}, real=True)\n"
            "CLAIMS = (claim(le(0, F(x) ** 2)),)",
            "real_function, integer_function",
        ),
        (
            "F = real_function('odd_b')\nF._latex = lambda *_, **__: '0'\n"
            "CLAIMS = (claim(le(0, F(x) ** 2)),)",
            "real_function, integer_function",
        ),
        (
            "from sympy.core.function import AppliedUndef, UndefinedFunction\n"
            "class Base(AppliedUndef):\n    def _latex(self, *_, **__): return '0'\n"
            "F = UndefinedFunction('odd_c', (Base,), real=True)\nCLAIMS = (claim(le(0, F(x) ** 2)),)",
            "real_function, integer_function",
        ),
        (
            "goal = Both(le(0, x**2), le(0, y**2))\ngoal._latex = lambda printer: '1 = 0'\n"
            "CLAIMS = (claim(goal),)",
            "has _latex of its own",
        ),
        (
            "term = sp.cos(17 * y)\nterm._latex = lambda printer, exp=None: '2'\n"
            "CLAIMS = (claim(le(0, x**2 + term**2)),)",
            "has _latex of its own",
        ),
    ],
)
def test_what_may_look_different_to_another_reader_is_refused(text, message, module):
    with pytest.raises(InvalidClaim, match=message):
        load([module(text)])


def test_a_file_says_the_same_in_every_process(module, tmp_path):
    count = tmp_path / "count"
    text = f"""
from pathlib import Path

count = Path({str(count)!r})
count.write_text(count.read_text() + "." if count.exists() else ".")
if len(count.read_text()) > 1:  # in the next process an easier claim
    CLAIMS = (claim(le(-1, x**2), id="own.square"),)
else:
    CLAIMS = (claim(le(x, x**2), id="own.square"),)
"""
    path = module(text)
    first = load([path])
    item = next(i for i in items.items_of(first, "own.square") if i.kind == "proof")
    library.LOADED.clear()
    result = items.run_item(item, "quick", (path,), first.stamp)
    assert result.record.outcome == "fails"
    assert "files that always say the same" in result.record.detail
    assert items.run_item(item, "quick", (path,), load([path]).stamp).record.outcome != "fails"


def test_names_of_a_file_are_looked_at(module):
    text = 'CLAIMS = (claim(lt(real("x1") + real("x_1") - 1, real("x1") + real("x_1"))),)'
    with pytest.raises(InvalidClaim, match="both print as"):
        load([module(text)])


@pytest.mark.parametrize("mark", ["\x1b[2K", "\r", "\x08", "\u202e", "\u200b", "\x9b1A"])
def test_texts_that_a_screen_would_obey_are_refused(mark, module):
    text = f'CLAIMS = (Claim("own.a", {"t" + mark!r}, "s", Source("test"), kind="definition"),)'
    with pytest.raises(InvalidClaim, match="a screen does not show"):
        load([module(text)])


def test_what_evidence_says_is_shown_and_not_obeyed(module):
    text = """
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.kernel.outcome import fails

@evidence("own.square", "property", "writes")
def writes(how):
    return Finding(fails("no\\x1b[1A\\x1b[2K", {"x": "\\x1b[8m"}), "all\\r", 3)
"""
    (verdict,) = check(["own.square"], modules=[module(text)], profile_name="quick")
    (record,) = [r for r in verdict.records if r.name == "writes"]
    assert (record.detail, record.domain) == ("no?[1A?[2K", "all?")
    assert dict(record.witness) == {"x": "?[8m"}


@pytest.mark.parametrize(
    "id",
    [
        "own.*",
        "own.[ab]",
        "own.a?",
        "own\n",
        "own.a\n",
        "own.\x1b[2K",
        "own.а",
        "own/a",
        ".",
        "a:b",
    ],
)
def test_an_id_is_a_plain_word(id):
    with pytest.raises(InvalidClaim, match="claim id"):
        Claim(id, "t", "s", kind="definition")


def test_a_file_has_one_name_in_every_process(module):
    path = module()
    name = hashlib.sha256(path.encode()).hexdigest()[:32]
    assert executed(path).__name__ == f"_ropeproof_module_{name}"


def test_two_files_do_not_share_an_id(module):
    with pytest.raises(InvalidClaim, match=r"duplicate claim id 'own\.square'"):
        load([module(), module("# another")])


def test_one_file_given_twice_is_one(module, tmp_path):
    path = module()
    (tmp_path / "link.py").symlink_to(path)
    assert "own.square" in load([path, str(tmp_path / "link.py"), path]).claims


@pytest.mark.parametrize("turn", [False, True])
def test_evidence_for_a_claim_of_another_file_is_refused(turn, module):
    more = """
from ropeproof.proofs_check.evidence import evidence
CLAIMS = (claim(id="own.other"),)

@evidence("own.square", "certified", "more")
def more(how): ...
"""
    files = [module(), module(more)]
    with pytest.raises(InvalidArgument, match=r"this one has some for own\.square"):
        load(files[::-1] if turn else files)


OWN = '''from ropeproof.theory.language import *

n, k = integer("n k")
f = real_function("f")


@theorem("own.told", hypotheses={hypotheses}, conclusion={conclusion})
def TOLD(p):
    """A title

    A statement.
    """
    {line}
    p.qed("So.")
'''


@pytest.mark.parametrize(
    ("part", "written", "told"),
    [
        ("conclusion", "le(n^2, k)", r"a power is written \*\*"),
        ("conclusion", "0 <= n <= k", r"Both\(le\(a, b\), le\(b, c\)\)"),
        ("conclusion", "le(n, m)", "a symbol is declared first"),
        ("conclusion", "n ≤ k", "signs are those of Python"),
        ("conclusion", "le(sp.Sum(f(k), (0, n)), 1)", "an index with its first and last"),
        ("conclusion", "'n <= k'", r"conclusion 'n <= k'; allowed: a formula"),
        ("hypotheses", "(le(0, n),)", r"allowed: a named one, Hypothesis\('its name', 0 <= n\)"),
        ("line", "p.use('there is one')", r"use: got 'there is one'; allowed: a fact"),
        ("line", "p.lemma('exp.monotone', why='So.')", r"allowed: .* CLAIMS\['exp.monotone'\]"),
        ("line", "p.lemma(3, why='So.')", r"lemma: got 3; allowed: a claim"),
    ],
)
def test_a_slip_of_a_newcomer_is_answered_with_what_to_write(tmp_path, part, written, told):
    parts = {"hypotheses": "()", "conclusion": "le(n, n)", "line": "pass"} | {part: written}
    file = tmp_path / "mine.py"
    file.write_text(OWN.format(**parts), encoding="utf-8")
    with pytest.raises(RopeproofError, match=told) as caught:
        load([str(file)])
    said = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    assert "line " in said
    assert "mine.py" in said


def test_a_file_that_was_changed_is_read_again(module, tmp_path):
    """In one process too, such as a notebook's: what is said is said of the file as it is now."""
    evidence = """
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.kernel.outcome import holds

@evidence("own.square", "certified", "at all")
def certificate(how):
    return Finding(holds(), "all", 3)
"""
    path = tmp_path / "mine.py"
    path.write_text(OPENING + evidence)
    (verdict,) = check(["own.square"], modules=[str(path)], profile_name="quick")
    assert verdict.status == "proved"
    assert "certified" in {record.kind for record in verdict.records}
    path.write_text(OPENING + "CLAIMS = (claim(le(1, x**2)),)")
    (verdict,) = check(["own.square"], modules=[str(path)], profile_name="quick")
    assert verdict.status == "refuted"
    assert "certified" not in {record.kind for record in verdict.records}
    path.write_text(OPENING)
    (verdict,) = check(["own.square"], modules=[str(path)], profile_name="quick")
    assert (verdict.status, verdict.shortfalls) == ("proved", ())
