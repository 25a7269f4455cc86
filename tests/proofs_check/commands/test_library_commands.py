"""`new`, `find`, `rules`, `presets`, and what a new user may stumble over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sympy as sp
from typer.testing import CliRunner

from ropeproof import InvalidArgument, check, retrieval_head, slash_head
from ropeproof.cli import app
from ropeproof.proofs_check.authoring import searchable as searchable_module
from ropeproof.proofs_check.authoring.claim_search import find
from ropeproof.proofs_check.authoring.patterns import matches, read_pattern, relations_of
from ropeproof.proofs_check.authoring.searchable import searchable
from ropeproof.proofs_check.authoring.session import Session
from ropeproof.proofs_check.authoring.trial import try_file
from ropeproof.proofs_check.authoring.vocabulary import TERMS, rule_texts
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.rules import RULES
from ropeproof.proofs_check.present.plain import plain
from ropeproof.proofs_check.reports.listing import entries, listed_lines
from ropeproof.proofs_check.reports.report import table
from ropeproof.proofs_check.run.cache.formulas import formula, written
from ropeproof.theory import CLAIMS
from ropeproof.theory import language as names
from ropeproof.theory.language.logic import eq, integer, le, lt, real, real_function
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import RopeSpec

pytest_plugins = ["pytester"]
ROOT = Path(__file__).resolve().parents[3]
x, y = real("x y")
k, n = integer("k n")
f = real_function("f")


def run(*arguments):
    result = CliRunner().invoke(app, list(arguments))
    error = result.exception
    told = str(error) if error and not isinstance(error, SystemExit) else ""
    return result.exit_code, result.output + told


# -- new ---------------------------------------------------------------------------------


def test_the_new_file_holds_and_is_attacked(tmp_path):
    path = tmp_path / "my sums.py"
    assert run("new", str(path))[0] == 0
    assert try_file(str(path), session=Session(keep=False)).holds
    (verdict,) = check("own.*", modules=str(path), profile_name="quick")
    assert (verdict.claim.id, verdict.status, verdict.shortfalls) == ("own.my-sums", "proved", ())
    assert len(path.read_text().splitlines()) < 60


def test_no_file_is_overwritten(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("mine")
    assert "a file that is not there yet" in run("new", str(path))[1]
    assert path.read_text() == "mine"
    assert "ending in .py" in run("new", str(tmp_path / "mine.txt"))[1]
    assert "a folder that exists" in run("new", str(tmp_path / "no" / "mine.py"))[1]


# -- find --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "id"),
    [
        ("exponential is monotone", "exp.monotone"),
        ("geometric sum", "sums.geometric"),
        ("sine below identity", "trig.sine-below-identity"),
        ("one step changes the logit", "rope.lipschitz"),
        ("exp(a) <= exp(b)", "exp.monotone"),
        ("log(a) <= a - 1", "exp.log-below-identity"),
        ("Sum(exp(a)) <= n*exp(b)", "sums.cycle-exponentials"),
    ],
)
def test_lemmas_are_found(query, id):
    assert id in [entry.claim.id for entry in find(query, CLAIMS)][:5]


@pytest.mark.parametrize(
    ("pattern", "formula", "found"),
    [
        ("a <= b", le(x, y), {"a": "x", "b": "y"}),
        ("a < b", le(x, y), None),
        ("a <= b", lt(x, y), {"a": "x", "b": "y"}),
        ("b >= a", le(x, y), {"a": "x", "b": "y"}),
        ("a <= a", le(x, y), None),
        ("a = b + 1", eq(x + 1, y), {"a": "y", "b": "x"}),
        ("exp(a) <= b", le(sp.exp(x * y), 2), {"a": "x*y", "b": "2"}),
        ("Sum(f(a)) <= b", le(sp.Sum(f(k), (k, 0, n)), y), {"f": "f", "a": "k", "b": "y"}),
        ("a/b <= 1", le(x / y, 1), {"a": "x", "b": "y"}),
        ("2*a <= b", le(2 * x, y), {"a": "x", "b": "y"}),
        ("sqrt(a) <= b", le(sp.sqrt(x), y), {"a": "x", "b": "y"}),
        ("a^2 = b", eq(x**2, y), {"a": "x", "b": "y"}),
        ("cos(a) <= b", le(sp.sin(x), y), None),
    ],
)
def test_patterns(pattern, formula, found):
    values = matches(read_pattern(pattern), formula)
    assert (values and {name: str(value) for name, value in values.items()}) == found


@pytest.mark.parametrize("query", ["a <", "a <= b <= c", "a <= 'x'", "a in b <= c", "=", ""])
def test_what_is_no_pattern_is_named(query):
    with pytest.raises(InvalidArgument, match=r"pattern|query"):
        find(query, CLAIMS)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("exp(a) ≤ exp(b)", "exp(a) <= exp(b)"),
        ("a≥b", "a >= b"),
        ("a ≠ b", "a != b"),
        ("x² ≥ 0", "x**2 >= 0"),
        ("x^2 >= 0", "x**2 >= 0"),
        ("a − b ≤ c", "a - b <= c"),
        ("cos(θ·t) ≤ 1", "cos(θ*t) <= 1"),
        ("√x ≤ 1", "sqrt(x) <= 1"),
        ("√(x) ≤ π", "sqrt(x) <= pi"),
        (r"\exp(a) \le b", "exp(a) <= b"),
        (r"a \geq b \cdot c", "a >= b*c"),
        ("a =< b", "a <= b"),
        ("0.5 <= a", "1/2 <= a"),
        ("Σ(f(k), (k, 0, n)) > 0", "Sum(f(k), (k, 0, n)) > 0"),
        ("a <= lambda", "a <= lamda"),
    ],
)
def test_a_formula_may_be_typed_as_statements_print_it(typed, meant):
    assert read_pattern(typed) == read_pattern(meant)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("a <= b <= c", "one relation at a time"),
        ("a <= b and b <= c", "one relation at a time"),
        ("0 < Sum(exp(w(j)), (j, 0, n)", r"it has 4 '\(' and 3 '\)'"),
        ("Sum(a, (0, n)) <= b", r"such as \(k, 0, n\), for \(0, n\)"),
        ("Sum(a, k, 0, n) <= b", r"such as \(k, 0, n\), for k in a sum"),
        ("|x| <= 1", r"Abs\(a\)"),
        ("a => b", "the conclusion alone"),
        ("for all x: x <= 1", "the relation alone"),
        ("2x <= y", r"2\*x"),
        ("exp a <= exp b", r"such as exp\(a\)"),
        ("∑_{j=0}^{n} w_j > 0", "no LaTeX groups"),
        ("sin(a, b) <= 1", r"sin has, not 2"),
        ("a/0 <= b", "a divisor that is not 0"),
        ("a <= 10**10**10", "powers of numbers up to 1000"),
        ("x[0] <= 1", r"no x\[0\]"),
        ("a <= b; b <= c", "not understood from '; b"),
    ],
)
def test_a_slip_in_a_formula_is_answered_with_what_to_write(typed, told):
    with pytest.raises(InvalidArgument, match=told):
        read_pattern(typed)


def test_a_formula_that_no_claim_concludes_is_answered_with_what_to_try():
    code, text = run("find", "zebra(a) <= sign(sign(b))")
    assert (code, "or words, may find more" in text) == (1, True)


def test_find_as_a_command(tmp_path):
    code, text = run("find", "exp(a)", "<=", "exp(b)", "--most", "1")
    assert (code, "exp.strictly-monotone" in text or "exp.monotone" in text) == (0, True)
    code, text = run("find", "zebra")
    assert (code, text.strip()) == (1, "Nothing found.")


def test_a_search_of_what_is_kept_finds_the_same_and_builds_no_claim(tmp_path, monkeypatch):
    queries = ("a <= b", "Sum(exp(a)) <= b", "a^2 = b", "max(a, b) <= c", "sharp bound of a logit")
    monkeypatch.setenv("ROPEPROOF_CACHE", "")
    before = [[(f.claim.id, f.because) for f in find(query, CLAIMS, 400)] for query in queries]
    monkeypatch.setenv("ROPEPROOF_CACHE", str(tmp_path))
    first = searchable(CLAIMS)
    assert [s.id for s in first if s.kept is None] == ["rope.scaling.llama3"]  # it has cases
    with monkeypatch.context() as patch:
        patch.setattr(searchable_module, "_of", None)
        assert searchable(CLAIMS) == first
        found = [[(f.claim.id, f.because) for f in find(query, CLAIMS, 400)] for query in queries]
    assert found == before


def test_relations_come_back_as_they_were():
    for claim in CLAIMS.values():
        for relation in relations_of(claim.conclusion) if claim.conclusion is not None else ():
            content = written(relation)
            if content is not None:
                again = formula(json.loads(json.dumps(content)))
                assert (again, plain(again)) == (relation, plain(relation))
    kept = sp.Mul(2, sp.Add(x, y, evaluate=False), evaluate=False)
    assert formula(written(le(kept, 1))) == le(kept, 1)
    assert written(sp.Dummy("x") <= 1) is None
    assert written(sp.Piecewise((x, x < 1), (y, True))) is None


# -- rules and presets -------------------------------------------------------------------


def test_every_rule_is_listed_with_how_a_proof_calls_it():
    code, text = run("rules")
    assert code == 0
    assert set(rule_texts()) == {*RULES, "by_claim", "axiom"}
    for name, (call, told) in rule_texts().items():
        assert name in text
        assert call
        assert told.strip()
    assert "Sound" in run("rules", "termwise")[1]
    assert "allowed: identity, smt" in run("rules", "simplify")[1]


def test_the_kernel_reads_every_term_that_is_listed():
    known = {**vars(names), "x": x, "y": y, "k": k, "n": n, "f": f, "low": n, "high": n + 3}
    listed = [entry for entry in TERMS if entry.startswith("sp.")]
    assert len(listed) > 8
    for entry in listed:
        found = eval(f"({entry},)", known)
        for value in found:
            read(value)


def test_presets_are_listed_and_checked(tmp_path):
    code, text = run("presets")
    assert code == 0
    assert all(name in text for name in PRESETS)
    target = tmp_path / "found.json"
    code, _ = run("check", "rope.group", "--preset", "llama-3-8b", "--json", str(target))
    assert code == 0
    assert json.loads(target.read_text())["model"]["length"] == 8192
    assert "gpt-j-6b" in run("check", "rope.group", "--preset", "nope")[1]
    both = run("check", "rope.group", "--preset", "llama-3-8b", "--config", "x.json")
    assert "either --config FILE or --preset NAME" in both[1]


# -- what a new user stumbles over ---------------------------------------------------------


def test_a_missing_folder_is_found_before_the_run(tmp_path, monkeypatch):
    monkeypatch.setattr("ropeproof.proofs_check.run.runner.plan", None)
    for command in (["check"], ["show", "rope.group"], ["budget"], ["list"]):
        code, text = run(*command, "--json", str(tmp_path / "no" / "found.json"))
        assert code != 0
        assert "json: got" in text


def test_one_string_is_one_id():
    assert [v.claim.id for v in check("rope.group", profile_name="quick")] == ["rope.group"]
    with pytest.raises(InvalidArgument, match=r"id: got 'rope\.grup', allowed: .* rope\.group"):
        check("rope.grup")
    with pytest.raises(InvalidArgument, match="ids or globs as strings"):
        check([3])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--ropeproof-module", "nothing.py"], "nothing.py', allowed: a readable Python file"),
        (["--ropeproof", "--ropeproof-ids", "rope.grup"], "such as rope.group"),
        (["--ropeproof", "--ropeproof-profile", "fast"], "profile: got 'fast'"),
    ],
)
def test_pytest_names_a_wrong_option(pytester, arguments, said):
    result = pytester.runpytest(*arguments, "-p", "no:cacheprovider", "-n", "0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert said in result.stderr.str() + result.stdout.str()


def test_pytest_runs_the_claims_alone_unless_a_path_is_given(pytester):
    pytester.makeini("[pytest]\ntestpaths = .")
    path = pytester.makepyfile("def test_one(): pass")
    options = ["--ropeproof-ids", "exp.monotone", "--ropeproof", "-p", "no:cacheprovider"]
    pytester.runpytest(*options).assert_outcomes(passed=5)
    pytester.runpytest(*options, str(path)).assert_outcomes(passed=6)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: retrieval_head(10**12, 8), "letters: got 1000000000000, allowed: at most"),
        (lambda: retrieval_head(8, 10**12), "length: got 1000000000000, allowed: an integer from"),
        (lambda: slash_head(RopeSpec(8, 100), 1, 10**12, 0.9), "7 s for a million lags"),
        (lambda: slash_head(RopeSpec(8, 100), 10**12, 10**13, 0.9), "offset: got"),
    ],
)
def test_a_size_that_would_take_too_much_is_refused_with_its_cost(build, said):
    with pytest.raises(InvalidArgument, match=said):
        build()


def test_a_budget_of_too_many_letters_is_refused():
    text = run("budget", "--preset", "gpt-j-6b", "--task", "retrieval", "--letters", str(10**12))[1]
    assert "letters: got 1000000000000, allowed: an integer from 2 to" in text


def test_tables_fit_narrow_terminals():
    from rich.console import Console

    found = check("rope.group", profile_name="quick")
    for width in (40, 60, 100):
        console = Console(width=width)
        with console.capture() as got:
            console.print(table(found, width))
        lines = got.get().splitlines()
        assert max(map(len, lines)) <= width
        assert "rope.group" in lines[1]
        assert "proof: " in got.get()


def test_a_refuted_claim_shows_its_witness_and_both_sides(tmp_path):
    found = check("own.false", modules=str(ROOT / "examples/false_claim.py"), profile_name="quick")
    from rich.console import Console

    console = Console(width=200)
    with console.capture() as got:
        console.print(table(found, 200))
    text = " ".join(got.get().split())
    assert "own.false refuted false on an instance" in text
    assert "left side" in text
    assert "right side Sum(A(l)*theta(l)" in text
    assert "theta(0) = " in text


# -- what a newcomer meets ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "formula", "found"),
    [
        ("0 < Sum(exp(f(k)), (k, 0, n))", lt(0, sp.Sum(sp.exp(f(k)), (k, 0, n))), "f"),
        ("0 < Sum(a, (k, 1, b))", lt(0, sp.Sum(f(k), (k, 1, n))), "a"),
        ("0 < Sum(a, (k, 0, b))", lt(0, sp.Sum(f(k), (k, 1, n))), None),
        ("a <= 1/2", le(x, sp.Rational(1, 2)), "a"),
        ("a <= 1/2", le(x, sp.Rational(1, 3)), None),
    ],
)
def test_ranges_of_sums_and_fractions_are_read(pattern, formula, found):
    values = matches(read_pattern(pattern), formula)
    assert (values is not None) == (found is not None)
    assert found is None or found in values


def test_find_takes_what_try_prints():
    from ropeproof.proofs_check.present.plain import plain

    for id in ("softmax.partition", "exp.monotone", "sums.cycle-exponentials"):
        for relation in relations_of(CLAIMS[id].conclusion):
            shown = [entry.claim.id for entry in find(plain(relation), CLAIMS, 50)]
            assert id in shown, plain(relation)
    assert find("0 < Sum(exp(f(k)), (k, 0, n))", CLAIMS)
    (first, *_) = find("exp(g(k)) <= exp(h(k))", CLAIMS)  # no claim has just these functions
    assert "monotone" in first.claim.id


@pytest.mark.parametrize("query", ["0 < Sum(a, k)", "0 < Sum(a, (k, 0))", "0 < Sum(a, (2, 0, n))"])
def test_a_range_that_is_none_is_refused(query):
    with pytest.raises(
        InvalidArgument, match=r"an index with its first and last value, such as \(k, 0, n\)"
    ):
        find(query, CLAIMS)


def test_show_lists_symbols_with_their_kinds():
    code, text = run("show", "softmax.partition")
    assert code == 0
    assert [" ".join(line.split()[:2]) for line in text.split("Where\n")[1].splitlines()[:4]] == [
        "a integer",
        "n integer",
        "w reals",
        "j index",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_list_keeps_within_the_width_and_loses_no_word(width):
    listed = list(entries().values())
    lines = listed_lines(listed, width)
    assert max(map(len, lines)) <= max(width, 52)  # an id and its role stand together
    words = "\n".join(lines).split()
    assert words == " ".join(f"{c.id} {c.role} {c.title}" for c in listed).split()


def test_a_claim_is_one_line_in_a_pipe(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    listed = list(entries().values())
    assert len(listed_lines(listed)) == len(listed)
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, listed_lines(listed))) <= 80
