"""`theorem`: claim, attack and proof in one piece; which claims a module states."""

from types import ModuleType

import pytest

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import Attack, Claim, Proof, le, lt, prove, real, theorem
from ropeproof.theory.language.claim import stated_by
from ropeproof.theory.lazy_topics import claims_of
from ropeproof.theory.topics.catalogue import TOPICS
from ropeproof.theory.topics.contents import CONTENTS

x = real("x")


@theorem("test.square", needs="PX", conclusion=le(0, x**2), attack=Attack({"above": lt(0, x**2)}))
def square(p: Proof) -> None:
    r"""A square
    is not negative

    $x^2\ge0$ for
    every $x$.
    """
    p.qed("A square is not negative.")


def test_it_is_the_claim_that_its_parts_say():
    assert isinstance(square, Claim)
    assert (square.id, square.title) == ("test.square", "A square is not negative")
    assert square.statement == r"$x^2\ge0$ for every $x$."
    assert square.needs == frozenset("PX")
    assert [m.name for m in square.mutants] == ["above"]
    same = prove(
        Claim(
            "test.square",
            square.title,
            square.statement,
            needs=square.needs,
            conclusion=le(0, x**2),
        ),
        lambda p: p.qed("A square is not negative."),
        Attack({"above": lt(0, x**2)}),
    )
    assert same == square


@pytest.mark.parametrize("text", ["$0<\theta$", "$\frac12$", "$\beta$", "$\rho$"])
def test_latex_that_lost_a_backslash_is_refused(text):
    with pytest.raises(InvalidClaim, match="the statement has the control character"):
        Claim("test.text", "Some text", text, conclusion=le(0, x**2))
    with pytest.raises(InvalidClaim, match="the title has the control character"):
        Claim("test.text", text, "Some text.", conclusion=le(0, x**2))


def test_what_it_has_is_what_it_needs():
    parts = {"conclusion": le(0, x**2)}
    attack = Attack({"above": lt(0, x**2)})
    assert theorem("test.proved", **parts)(square_proof).needs == frozenset("P")
    assert theorem("test.attacked", **parts, attack=attack)(square_proof).needs == frozenset("PX")
    named = theorem("test.named", **parts, attack=attack, needs="PTX")(square_proof)
    assert named.needs == frozenset("PTX")
    assert theorem("test.none", **parts, attack=attack, needs="")(square_proof).needs == frozenset()


def test_prose_may_be_computed_instead():
    @theorem("test.given", conclusion=le(0, x**2), title="t", statement="s")
    def given(p: Proof) -> None:
        p.qed("A square is not negative.")

    assert (given.title, given.statement) == ("t", "s")


@pytest.mark.parametrize("docstring", [None, "", "Only a title", "\n\n"])
def test_a_theorem_without_words_is_refused(docstring):
    def proof(p: Proof) -> None:
        p.qed("A square is not negative.")

    proof.__doc__ = docstring
    with pytest.raises(
        InvalidClaim, match=r"test\.mute: the docstring .* allowed: the claim's title"
    ):
        theorem("test.mute", conclusion=le(0, x**2))(proof)


def test_other_fields_are_those_of_a_claim():
    with pytest.raises(TypeError, match="unexpected keyword argument 'sauce'"):
        theorem("test.sauce", conclusion=le(0, x**2), sauce=1)(square_proof)


def square_proof(p: Proof) -> None:
    """A square

    It is not negative.
    """
    p.qed("A square is not negative.")


def _module(text: str, name: str = "a_module") -> ModuleType:
    module = ModuleType(name)
    exec(f"from ropeproof.theory.language import *\nx = real('x')\n{text}", vars(module))
    return module


MADE = """
def proof(p): "A"
FIRST = Claim("own.first", "t", "s", kind="definition")
SECOND = Claim("own.second", "t", "s", conclusion=le(0, x**2))
PROVED = prove(SECOND, proof)
"""


def test_a_module_states_what_it_makes_and_not_what_it_imports():
    other = _module(MADE, "another_module")
    module = _module(MADE.replace("own.", "my."))
    module.BORROWED = other.FIRST
    assert [c.id for c in stated_by(module)] == ["my.first", "my.second"]
    assert stated_by(module)[1] is module.PROVED  # the last of one id
    module.CLAIMS = (module.FIRST,)
    assert stated_by(module) == (module.FIRST,)


@pytest.mark.parametrize("topic", TOPICS)
def test_each_topic_states_what_is_listed(topic):
    assert {c.id for c in claims_of(TOPICS[topic])} == {
        i for i, e in CONTENTS.items() if e.topic == topic
    }
