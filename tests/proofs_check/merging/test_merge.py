"""`ropeproof try --merge`: idle steps go, their premises and reasons move on, all else stays as it is."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest
from command_line import run

from ropeproof.proofs_check.authoring import try_file
from ropeproof.proofs_check.authoring.session import Session
from ropeproof.proofs_check.kernel import smt
from ropeproof.proofs_check.kernel.solvers import query
from ropeproof.proofs_check.merging import judge
from ropeproof.proofs_check.merging.load import loaded_file
from ropeproof.proofs_check.merging.run import merged
from ropeproof.proofs_check.merging.search import joined
from ropeproof.theory.language import (
    Every,
    Hypothesis,
    If,
    Proof,
    eq,
    le,
    lt,
    real,
    rules,
    sp,
)

HEAD = '''
"""A file with proofs."""

from ropeproof import CLAIMS
from ropeproof.theory.language import *

x, y, z = real("x y z")
k, n = integer("k n")
f = real_function("f")
POSITIVE = Hypothesis("x is positive", lt(0, x))
ORDER = Hypothesis("y is larger", le(x, y))
'''


@pytest.fixture
def file(tmp_path):
    """A function that writes a file with the head above and the given proofs, and returns its path."""

    def write(text: str) -> str:
        path = tmp_path / "mine.py"
        path.write_text(HEAD.lstrip() + "\n\n" + dedent(text).strip() + "\n", encoding="utf-8")
        return str(path)

    return write


def theorem_of(body: str, conclusion: str = "lt(0, x + y)", hypotheses="POSITIVE, ORDER") -> str:
    """A file's theorem with these lines as its proof."""
    lines = "\n    ".join(dedent(body).strip().splitlines())
    return f'''
@theorem("own.toy", hypotheses=({hypotheses},), conclusion={conclusion})
def TOY(p: Proof) -> None:
    """A toy

    It says nothing of interest.
    """
    {lines}
'''


def without_idle(path: str, **how) -> str:
    """The file's text without idle steps; the proofs in it hold again."""
    done = merged(loaded_file(path), second=False, **how)
    text = done.texts.get(path)
    if text is None:
        return Path(path).read_text(encoding="utf-8")
    ast.parse(text)
    Path(path).write_text(text, encoding="utf-8")
    assert try_file(path, session=Session(keep=False)).holds
    return text


def unchanged(path: str) -> bool:
    """Whether no step of the file's proofs is left out."""
    return merged(loaded_file(path), second=False).texts == {}


def test_premises_and_reason_of_an_idle_step_move_on(file):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            p.qed("So the sum is positive, too.", twice, ORDER)
        """)
    )
    text = without_idle(path)
    assert "twice" not in text
    call = text[text.index("p.qed") :]
    assert "Twice a positive number is positive. So the sum is positive, too." in " ".join(
        call.split()
    )
    assert "POSITIVE, ORDER" in " ".join(call.split())


def test_a_kept_step_stays(file):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE, keep=True)
            p.qed("So the sum is positive, too.", twice, ORDER)
        """)
    )
    assert unchanged(path)


def test_keep_marks_the_step_of_each_method():
    x = real("x")
    positive = Hypothesis("x is positive", lt(0, x))
    fact = Every((x,), If(lt(0, x), lt(0, 2 * x)))
    p = Proof(lt(0, x))
    inside = p.under(fact)
    universal = inside.given(fact, keep=True)
    one = universal.at({x: x}, positive, keep=True)
    two = inside.use(universal, {x: x}, positive, keep=True)
    three = p.show(le(0, x), "A positive number is not negative.", positive, keep=True)
    three.times(x, "Multiply by the number itself.", positive, keep=True)
    three.image(sp.exp, "Exponentials keep the order of numbers.", keep=True)
    p.step(lt(0, x), rules.smt(), "This is the hypothesis as it stands.", positive, keep=True)
    same = p.show(eq(x, x * 1), "A number is itself times one.", by=rules.identity())
    p.rewrite(eq(x, x), "Rewrite with that equation.", same, keep=True)
    kept = {s.label for s in p.steps if s.keep}
    assert {universal.label, one.label, two.label, three.label} <= kept
    assert len(kept) == 8
    assert not p.steps[-2].keep


def test_a_fact_whose_formula_is_used_stays(file):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            again = p.show(twice.formula, "This is said again in the same words.", twice, keep=True)
            p.qed("So the sum is positive, too.", again, ORDER)
        """)
    )
    assert unchanged(path)


def test_a_name_that_is_bound_twice_stays(file):
    """The second value would take the place of the first in the moved premises."""
    path = file(
        theorem_of("""
            fact = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            fact = p.show(lt(0, 3 * x), "Three times it is positive as well.", fact)
            p.qed("So the sum is positive, too.", fact, ORDER)
        """)
    )
    assert unchanged(path)


def test_a_premise_that_is_shadowed_where_it_would_go_stays(file):
    path = file(
        theorem_of("""
            first = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE, keep=True)
            second = p.show(lt(0, 3 * x), "Three times it is positive as well.", first)
            first = p.show(le(x, y), "The order is one of the hypotheses.", ORDER)
            p.qed("So the sum is positive, too.", second, first)
        """)
    )
    text = without_idle(path)
    assert "second = p.show(lt(0, 3 * x)" in text


def test_cases_stay_cases(file):
    """What both cases use moves into the call that distinguishes them."""
    path = file(
        theorem_of(
            """
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            p.qed(
                "In both cases the value is positive.",
                twice,
                ORDER,
                cases=(le(x, z),),
            )
            """,
            "lt(0, sp.Max(x, z))",
        )
    )
    text = without_idle(path)
    assert "twice" not in text
    assert "cases=(le(x, z),)" in text


def test_a_case_written_out_stays(file):
    path = file(
        theorem_of(
            """
            low = p.under(le(x, z)).show(p.goal, "In this case the value is z.", POSITIVE)
            high = p.under(lt(z, x)).show(p.goal, "In this case the value is x.", POSITIVE)
            p.qed("One of the two cases applies.", low, high)
            """,
            "lt(0, sp.Max(x, z))",
        )
    )
    assert unchanged(path)


def test_a_reason_that_speaks_about_steps_stays_beside_them(file):
    """Once a step is part of another, nobody knows which one is meant."""
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            p.qed("The previous step and the order give it.", twice, ORDER)
        """)
    )
    assert unchanged(path)


def test_a_reason_that_speaks_about_steps_is_heeded_in_each_step_that_takes_over(file):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            first = p.show(lt(0, 3 * x), "Three times it is positive as well.", twice, keep=True)
            p.qed("These two steps give it together.", first, twice, ORDER)
        """)
    )
    assert unchanged(path)


def test_what_an_induction_stands_on_stays(file):
    path = file(
        theorem_of(
            """
            base = p.show(kept_at(le(n, n**2), n, 0), "At 0 both sides are 0.")
            time = p.under(le(0, n), le(n, n**2))
            following = time.show(le(n + 1, (n + 1) ** 2), "The square grows by 2 n + 1.")
            each = p.under(le(0, n)).induction(le(n, n**2), n, 0, base, following)
            p.qed("This is what the induction gives.", each, COUNT)
            """,
            "le(n, n**2)",
            "COUNT",
        ).replace(
            "@theorem", 'COUNT = Hypothesis("n is no negative number", le(0, n))\n\n\n@theorem'
        )
    )
    text = without_idle(path)
    for name in ("base = ", "following = ", "each = "):
        assert name in text


def test_a_choice_stays(file):
    path = file(
        theorem_of(
            """
            there = p.witness(Some((z,), lt(0, z)), {z: x}, POSITIVE, why="The number x is positive.")
            inside = there.body()
            known = inside.given(lt(0, z), "Choose a positive number z.")
            more = inside.show(lt(0, x + y), "So the sum is positive.", POSITIVE, ORDER, known)
            p.choose(there, more)
            """
        )
    )
    text = without_idle(path)
    for name in ("p.witness(", "p.choose(", "more = "):
        assert name in text


def test_hypotheses_of_a_lemma_are_still_met(file):
    path = file(
        theorem_of(
            """
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            order = p.show(le(x, y), "The order is one of the hypotheses.", ORDER)
            p.qed_by = p.apply(
                CLAIMS["exp.monotone"], order, twice, why="Exponentials keep the order of numbers."
            )
            """,
            "le(sp.exp(x), sp.exp(y))",
        ).replace("p.qed_by = ", "")
    )
    text = without_idle(path)
    assert "exp.monotone" in text
    assert "order = " not in text
    assert "Exponentials keep the order of numbers." in " ".join(text.split())


def test_a_step_on_which_many_rest_stays(file):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            first = p.show(lt(0, 3 * x), "Three times it is positive as well.", twice, keep=True)
            second = p.show(lt(0, 4 * x), "Four times it is positive as well.", twice, keep=True)
            third = p.show(lt(0, 5 * x), "Five times it is positive as well.", twice, keep=True)
            fourth = p.show(lt(0, 6 * x), "Six times it is positive as well.", twice, keep=True)
            p.qed("So the sum is positive, too.", first, second, third, fourth, ORDER)
        """)
    )
    assert unchanged(path)


def test_a_step_with_a_comment_stays(file):
    path = file(
        theorem_of("""
            # Without this step the proof cannot be understood.
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            p.qed("So the sum is positive, too.", twice, ORDER)
        """)
    )
    assert unchanged(path)


HELPER = """
    ALL = Hypothesis("f is positive", Every((n,), lt(0, f(n))))


    def sign(p: Proof, goal: Any) -> Fact:
        \"\"\"The goal, by way of one value of f.\"\"\"
        value = p.use(ALL, {n: sp.Integer(3)}, why="In particular the value at 3 is positive.")
        return p.show(goal, "So it is here as well.", value)


    @theorem("own.free", hypotheses=(ALL,), conclusion=le(x, x + 1))
    def FREE(p: Proof) -> None:
        \"\"\"A claim that needs no value of f

        It says nothing of interest.
        \"\"\"
        bound = sign(p, lt(x, x + 1))
        p.qed("A smaller number is at most as large.", bound)
"""
NEEDS = """

    @theorem("own.needs", hypotheses=(ALL,), conclusion=lt(0, 2 * f(3)))
    def NEEDS(p: Proof) -> None:
        \"\"\"A claim that needs the value of f

        It says nothing of interest.
        \"\"\"
        bound = sign(p, lt(0, 3 * f(3)))
        p.qed("A third and two of it are positive, too.", bound)
"""


def test_a_helper_keeps_what_one_of_the_proofs_that_call_it_needs(file):
    assert "value = " not in without_idle(file(HELPER))
    assert "value = " in without_idle(file(HELPER + NEEDS))


def test_a_reason_is_never_made_too_long(file):
    long = "This is a sentence that explains at great length what everybody could see, " * 3
    path = file(
        theorem_of(f"""
            twice = p.show(lt(0, 2 * x), "{long}which is why it stays.", POSITIVE)
            p.qed("So the sum is positive, too.", twice, ORDER)
        """)
    )
    assert unchanged(path)


def test_a_reason_stands_before_one_that_is_computed(file):
    path = file(
        theorem_of("""
            number = 2
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            more = p.show(lt(0, 3 * x), f"So is {number + 1} times it.", twice, keep=True)
            other = p.show(lt(0, 5 * x), "Five times it is positive.", POSITIVE)
            why = "So the sum is positive, too."
            p.qed(why, more, other, ORDER)
        """)
    )
    text = " ".join(without_idle(path).split())
    assert '"Twice a positive number is positive. " f"So is {number + 1} times it."' in text
    assert '"Five times it is positive. " + why' in text


def test_a_sum_and_a_chain_that_nothing_needs_go(file):
    path = file(
        theorem_of(
            """
            term = p.under(le(0, k), le(k, n - 1)).use(BELOW, why="No term exceeds y.")
            total = term.summed(k, 0, n - 1, "Sum the bound over the terms.")
            same = p.show(eq(x, 1 * x), "A number is one times itself.")
            below = p.show(le(1 * x, y), "The order is a hypothesis.", ORDER)
            both = p.chain(same, below, why="So x is at most y.")
            p.qed("So the sum is positive, too.", both, POSITIVE, total)
            """,
            hypotheses="POSITIVE, ORDER, BELOW",
        ).replace(
            "@theorem",
            'BELOW = Hypothesis("no term exceeds y", '
            "every(k, 0, n - 1, le(f(k), y)))\n\n\n@theorem",
        )
    )
    text = without_idle(path)
    assert "summed" not in text
    assert "chain" not in text


def test_a_reason_that_is_computed_is_not_lost(file):
    path = file(
        theorem_of("""
            number = 2
            twice = p.show(lt(0, 2 * x), f"A number times {number} keeps its sign.", POSITIVE)
            p.qed("So the sum is positive, too.", twice, ORDER)
        """)
    )
    assert unchanged(path)


def test_everything_else_stays_byte_for_byte(file):
    body = """
        twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
        p.qed("So the sum is positive, too.", twice, ORDER)
    """
    path = file("ODD   =  'not formatted, é'\n\n" + theorem_of(body))
    before = Path(path).read_text(encoding="utf-8")
    text = without_idle(path)
    start = before.index("    twice = ")
    assert text[:start] == before[:start]
    assert "'not formatted, é'" in text


def test_a_merged_step_takes_a_tenth_of_the_work(file, monkeypatch):
    """What z3 needs more for is not merged, so that no verdict depends on luck."""
    asked = []
    real_verdict = query.verdict

    def verdict(assertions, effort):
        asked.append(effort)
        return real_verdict(assertions, effort)

    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            p.qed("So the sum is positive, too.", twice, ORDER)
        """)
    )
    loaded = loaded_file(path)
    monkeypatch.setattr(query, "verdict", verdict)
    assert merged(loaded, second=False).counts == {"own.toy": (2, 1)}
    assert set(asked) <= {smt.EFFORT // judge.SHARE, smt.SMALL_EFFORT // judge.SHARE}
    assert asked
    assert smt.verdict is real_verdict  # as it was


def test_an_expensive_merge_is_refused(file, monkeypatch):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            p.qed("So the sum is positive, too.", twice, ORDER)
        """)
    )
    loaded = loaded_file(path)
    monkeypatch.setattr(judge, "SHARE", 10**6)
    assert merged(loaded, second=False).texts == {}


def test_the_second_solver_has_a_say(file, monkeypatch):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            p.qed("So the sum is positive, too.", twice, ORDER)
        """)
    )
    loaded = loaded_file(path)
    monkeypatch.setattr(judge.second_solver, "asked_again", lambda _: "unknown")
    assert merged(loaded, second=True).texts == {}


def test_reasons_are_joined_without_repetition():
    assert joined(["A is B.", "So C is D."]) == "A is B. So C is D."
    assert joined(["So both stay as they are.", "So at 0 both stay as they are."]) == (
        "So at 0 both stay as they are."
    )
    assert joined(["The same.", "The same."]) == "The same."


def test_what_the_command_prints_and_writes(file):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            p.qed("So the sum is positive, too.", twice, ORDER)
        """)
    )
    assert "own.toy: 1 step is not needed: 1" in " ".join(run("try", path)[1].split())
    assert "-    twice = p.show" in run("try", path, "--merge")[1]
    assert "twice" in Path(path).read_text(encoding="utf-8")
    assert run("try", path, "--merge", "--write")[0] == 0
    assert "twice" not in Path(path).read_text(encoding="utf-8")
    assert "every step is needed" in run("try", path, "--merge")[1]


@pytest.mark.parametrize("wrong", [["--coq"], ["--merge", "--watch"]])
def test_options_that_do_not_go_together(file, wrong):
    path = file(theorem_of('p.qed("So the sum is positive, too.", POSITIVE, ORDER)'))
    assert run("try", path, *wrong)[0] == 2


def test_an_id_that_is_none():
    assert run("try", "no.such-claim", "--merge")[0] == 2


def test_a_fact_that_was_made_of_a_step_left_out_may_go_as_well(file):
    """The receiver of a call that is left out is a premise from then on."""
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            again = p.use(twice, why="This holds here as well.")
            p.qed("So the sum is positive, too.", again, ORDER)
        """)
    )
    text = without_idle(path)
    assert "twice" not in text
    assert "again" not in text
    assert "POSITIVE" in text[text.index("p.qed") :]


def test_names_in_a_tuple_of_premises_give_way_to_theirs(file):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "Twice a positive number is positive.", POSITIVE)
            signs = (twice, ORDER)
            p.qed("So the sum is positive, too.", signs)
        """)
    )
    text = without_idle(path)
    assert "twice" not in text
    assert "signs = (POSITIVE, ORDER)" in text


def test_a_list_of_steps_becomes_that_of_their_premises(file):
    path = file(
        theorem_of("""
            facts = [POSITIVE, ORDER]
            doubled = [p.show(fact.formula, "This is a hypothesis.", fact) for fact in facts]
            p.qed("So the sum is positive, too.", *doubled)
        """)
    )
    assert "doubled = [fact for fact in facts]" in without_idle(path)


def test_a_list_whose_steps_have_the_same_premises_stays(file):
    path = file(
        theorem_of("""
            facts = [p.show(lt(0, c * x), "It is positive.", POSITIVE) for c in (2, 3)]
            p.qed("So the sum is positive, too.", *facts, ORDER)
        """)
    )
    assert unchanged(path)


def test_a_restatement_on_which_many_rest_goes(file):
    """Its reason says nothing, so that nothing is lost where it does not stand."""
    path = file(
        theorem_of("""
            parts = p.show(lt(0, 2 * x), "This is one part of the hypotheses.", POSITIVE)
            first = p.show(lt(0, 3 * x), "Three times it is positive as well.", parts, keep=True)
            second = p.show(lt(0, 4 * x), "Four times it is positive as well.", parts, keep=True)
            third = p.show(lt(0, 5 * x), "Five times it is positive as well.", parts, keep=True)
            p.qed("So the sum is positive, too.", first, second, third, ORDER)
        """)
    )
    assert "parts" not in without_idle(path)


def test_a_reason_may_speak_of_steps_of_a_training(file):
    path = file(
        theorem_of("""
            twice = p.show(lt(0, 2 * x), "After the step it is positive.", POSITIVE)
            p.qed("So the sum is positive after each step.", twice, ORDER)
        """)
    )
    assert "twice" not in without_idle(path)


def test_what_is_put_for_a_symbol_stays_beside_the_premises(file):
    """However long the call gets: the mapping is no premise, though it has a name."""
    path = file(
        theorem_of("""
            some = p.under(lt(0, z))
            known = some.show(lt(0, 2 * z), "Twice a positive number is positive.").for_all(z)
            values = {z: x}
            positive = p.show(lt(0, 3 * x), "Three times it is positive.", POSITIVE)
            also = p.show(lt(0, x * 5), "Five times it is positive too.", POSITIVE)
            two = p.use(known, values, positive, also, why="Take x in place of z.", keep=True)
            p.qed("So the sum is positive, too.", two, ORDER)
        """)
    )
    text = without_idle(path)
    assert "positive = " not in text
    assert "known, values," in " ".join(text.split())


def test_the_step_that_shows_the_claim_stays(file):
    path = file(
        theorem_of("""
            first = p.show(lt(0, 3 * x), "Three times it is positive.", POSITIVE, keep=True)
            p.show(p.goal, "So the sum is positive, too.", first, ORDER, POSITIVE)
        """)
    )
    assert unchanged(path)


def test_values_given_by_name_are_no_premises(file):
    """The premise that is left out is replaced behind the claim with its values, which stay as they are."""
    path = file(
        theorem_of(
            """
            order = p.show(le(x, y), "The order is one of the hypotheses.", ORDER)
            p.lemma(
                CLAIMS["exp.monotone"].at(x=x, y=y), order, why="Exponentials keep the order."
            )
            """,
            "le(sp.exp(x), sp.exp(y))",
            "ORDER",
        )
    )
    text = without_idle(path)
    assert 'CLAIMS["exp.monotone"].at(x=x, y=y), ORDER, why=' in " ".join(text.split())


def test_a_lemma_keeps_the_premises_that_say_what_it_is_taken_at(file):
    """From the step that is left out `apply` finds the values of the lemma's symbols."""
    path = file(
        """
        SIGN = Hypothesis("x is not negative", le(0, x))


        @theorem("own.lemma", hypotheses=(SIGN,), conclusion=le(0, x**3))
        def LEMMA(p: Proof) -> None:
            \"\"\"A lemma

            It says nothing of interest.
            \"\"\"
            p.qed("A power of such a number is not negative.", SIGN)


        BOTH = Hypothesis("y and z are positive", Both(lt(0, y), lt(0, z)))


        @theorem("own.uses", hypotheses=(BOTH,), conclusion=le(0, (y * z) ** 3))
        def USES(p: Proof) -> None:
            \"\"\"A claim

            It says nothing of interest.
            \"\"\"
            product = p.show(le(0, y * z), "The product of the two is not negative.", BOTH)
            cube = p.apply(LEMMA, product, why="So is its third power.")
            p.qed("This is what was to be shown.", cube)
        """
    )
    assert unchanged(path)
