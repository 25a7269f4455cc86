"""Evidence for composition: iterates of Index and Retrieval against chains, by position."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.task import (
    LetterVocabulary,
    NumberVocabulary,
    chain_letter,
    chain_number,
    every_letter_input,
    every_number_input,
    index_times,
    letter_task,
    retrieve_times,
)
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.retrieval.inputs import functional
from ropeproof.proofs_check.kernel.outcome import fails, holds
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Integers = NDArray[np.int64]
_NUMBERS = NumberVocabulary(letters=3, integers=12)
_LETTERS = LetterVocabulary(letters=6, digits=2)


@st.composite
def _numbers(draw: st.DrawFn) -> Integers:
    length = draw(st.integers(2, 16))
    # Short steps make long chains.
    widest = draw(st.sampled_from((1, 2, 12)))
    tokens = []
    for column in range(length):
        most = min(column, widest)
        integer = st.integers(3, 2 + most) if most else st.nothing()
        query = column == length - 1
        tokens.append(draw(integer if query else st.integers(0, 2) | integer))
    return np.array(tokens)


def _index_chain(tokens: list[int], column: int, letters: int) -> tuple[int, int]:
    """The first letter in a position's chain, and the number of hops to it."""
    hops = 0
    while tokens[column] >= letters:
        column -= tokens[column] - letters + 1
        hops += 1
    return tokens[column], hops


@evidence("task.compose-index", "property", "iterates of Index and chains of drawn inputs")
def compose_index(how: Profile) -> Finding:
    """After r rounds of Index each position holds its chain's letter if it is at most r hops away.

    Otherwise it holds its own token; the query needs exactly as many rounds as its chain has hops.
    """

    def check(tokens: Integers) -> None:
        shown = {"input": _NUMBERS.decode(tokens)}
        given = tokens.tolist()
        chains = [_index_chain(given, column, 3) for column in range(len(given))]
        answer, hops = chains[-1]
        found = chain_number(tokens, _NUMBERS)
        drawing.require(
            (int(found.answers), int(found.hops)) == (answer, hops), "the chain", **shown
        )
        for times in {0, 1, hops - 1, hops, hops + 1}:
            expected = [
                letter if far <= times else token
                for token, (letter, far) in zip(given, chains, strict=True)
            ]
            held = index_times(tokens, _NUMBERS, times).tolist()
            drawing.require(held == expected, f"after {times} rounds", held=held, **shown)
        solved = index_times(tokens, _NUMBERS, hops)[-1] == answer
        early = index_times(tokens, _NUMBERS, hops - 1)[-1] == given[-1]
        drawing.require(solved and early, "the query", **shown)

    domain = "3 letters, integers to 12, up to 16 tokens, chains up to 15 hops"
    return drawing.draw_cases(how, _numbers(), check, domain=domain)


@evidence("task.compose-index", "property", "every input of five tokens")
def every_index(how: Profile) -> Finding:
    """Rounds of Index follow the chain on every input of 2 letters and integers to 3.

    Inputs have up to 5 tokens in the quick profile, else 6.
    """
    longest = 5 if how.name == "quick" else 6
    vocabulary = NumberVocabulary(letters=2, integers=3)
    domain = f"2 letters, integers to 3, all inputs of 2 to {longest} tokens"
    count = 0
    for length in range(2, longest + 1):
        for block in every_number_input(letters=2, integers=3, length=length):
            rounds = [index_times(block, vocabulary, times)[:, -1] for times in range(length + 1)]
            for row, tokens in enumerate(block.tolist()):
                answer, hops = _index_chain(tokens, length - 1, 2)
                held = [int(each[row]) for each in rounds]
                if held != [tokens[-1]] * hops + [answer] * (length + 1 - hops):
                    where = {"input": vocabulary.decode(block[row]), "held": held}
                    return Finding(fails("the query", where), domain, count)
                count += 1
    return Finding(holds(f"{count} inputs"), domain, count)


def _parents(tokens: Integers, vocabulary: LetterVocabulary) -> list[int]:
    """Each position's last earlier one that begins with its right letter, or itself if fixed."""
    left, right = vocabulary.left(tokens).tolist(), vocabulary.right(tokens).tolist()
    return [
        max(j for j in range(column) if left[j] == right[column]) if right[column] >= 0 else column
        for column in range(len(left))
    ]


def _followed(tokens: Integers, parents: list[int], times: int) -> list[int]:
    places = list(range(len(parents)))
    for _ in range(times):
        places = [parents[place] for place in places]
    return [int(tokens[place]) for place in places]


@st.composite
def _letters(draw: st.DrawFn) -> Integers:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return functional(random, _LETTERS, draw(st.integers(2, 16)))


def _retrieval_wrong(tokens: Integers, vocabulary: LetterVocabulary) -> str:
    """The error of the iterates of Retrieval on an input, "" if all are right."""
    parents = _parents(tokens, vocabulary)
    place, hops = len(tokens) - 1, 0
    while parents[place] != place:
        place, hops = parents[place], hops + 1
    found = chain_letter(tokens, vocabulary)
    if (int(found.answers), int(found.hops)) != (int(tokens[place]), hops):
        return "the chain"
    for times in {0, 1, max(hops - 1, 0), hops, hops + 2}:
        held = retrieve_times(tokens, vocabulary, times).tolist()
        if held != _followed(tokens, parents, times):
            return f"after {times} rounds"
    return ""


@evidence("task.compose-retrieval", "property", "iterates of Retrieval and parents, drawn inputs")
def compose_retrieval(how: Profile) -> Finding:
    """After r rounds of Retrieval each position holds the token at its r-th parent."""

    def check(tokens: Integers) -> None:
        wrong = _retrieval_wrong(tokens, _LETTERS)
        shown: dict[str, Any] = {"input": _LETTERS.decode(tokens)}
        drawing.require(not wrong, wrong, **shown)

    domain = "6 letters, 2 digits, functional inputs of up to 16 tokens"
    return drawing.draw_cases(how, _letters(), check, domain=domain)


@evidence("task.compose-retrieval", "property", "every input of four tokens")
def every_retrieval(how: Profile) -> Finding:
    """Rounds of Retrieval follow parents on every functional input of 3 letters and 1 digit.

    Inputs have up to 4 tokens in the quick profile, else 5.
    """
    longest = 4 if how.name == "quick" else 5
    vocabulary = LetterVocabulary(letters=3, digits=1)
    domain = f"3 letters, 1 digit, all functional inputs of 2 to {longest} tokens"
    count = 0
    for length in range(2, longest + 1):
        for block in every_letter_input(letters=3, digits=1, length=length):
            for tokens in block:
                wrong = _retrieval_wrong(tokens, vocabulary)
                if wrong:
                    where = {"input": vocabulary.decode(tokens)}
                    return Finding(fails(wrong, where), domain, count)
                count += 1
    return Finding(holds(f"{count} inputs"), domain, count)


# -- one chain, and anything beside it ---------------------------------------------------

_TAKES = ("the first match", "the nearest match", "any match")


def _copied(held: list[int], take: str, random: np.random.Generator) -> list[int]:
    """The tokens held after one more head, which copies any token where there is no match."""
    left, right = _LETTERS.left(np.array(held)).tolist(), _LETTERS.right(np.array(held)).tolist()
    result = []
    for column, token in enumerate(held):
        if right[column] < 0:
            result.append(token)
            continue
        matches = [c for c in range(column + 1) if left[c] == right[column]]
        among = matches or range(column + 1)
        place = {_TAKES[0]: among[0], _TAKES[1]: among[-1]}.get(take, int(random.choice(among)))
        result.append(held[place])
    return result


@st.composite
def _beside(draw: st.DrawFn) -> tuple[Integers, int, int, int, str]:
    """A sequence with one chain, its answer, its hops, a seed, and the heads' choice of match."""
    seed, links = draw(st.integers(0, 2**31 - 1)), draw(st.integers(0, 9))
    hops = draw(st.integers(1, min(5, links + 1)))
    data = letter_task(
        1, seed=seed, letters=6, digits=2, targets=draw(st.integers(1, 6)), links=links,
        hops=(hops,), beside="free",
    )  # fmt: skip
    return data.tokens[0], int(data.answers[0]), hops, seed, draw(st.sampled_from(_TAKES))


@evidence("task.compose-retrieval-chain", "property", "stacks of heads on the published data")
def compose_chain(how: Profile) -> Finding:
    """After as many heads as the chain has hops the query holds the answer, and keeps it.

    That holds whichever match the heads take, and whatever they copy without one; one head fewer is not
    enough.
    """

    def check(case: tuple[Integers, int, int, int, str]) -> None:
        tokens, answer, hops, seed, take = case
        random, held = np.random.default_rng(seed), [int(token) for token in tokens]
        shown: dict[str, Any] = {"input": _LETTERS.decode(tokens), "take": take}
        found = chain_letter(tokens, _LETTERS)
        drawing.require(
            (int(found.answers), int(found.hops)) == (answer, hops), "the chain", **shown
        )
        for heads in range(1, hops + 3):
            held = _copied(held, take, random)
            drawing.require(
                (held[-1] == answer) == (heads >= hops), f"after {heads} heads", **shown
            )

    domain = "6 letters, 2 digits, up to 6 targets and 9 links, free beside the chain"
    return drawing.draw_cases(how, _beside(), check, domain=domain)


@evidence("task.compose-retrieval-chain", "property", "a rival that the parent's place cannot see")
def chain_rival(how: Profile) -> Finding:
    """Uniqueness must hold along the whole chain to the query.

    In `A1 CA A2 BC` the chain `BC, CA, A1` has one parent at each of its positions, but two heads that
    take the nearest match end at A2.
    """
    tokens = _LETTERS.encode("A1 CA A2 BC")
    held = [int(token) for token in tokens]
    for _ in range(2):
        held = _copied(held, _TAKES[1], np.random.default_rng(0))
    found = _LETTERS.decode(held[-1])
    domain = "one input of four tokens"
    if found != "A2":
        return Finding(fails("the nearest match", {"answer": found}), domain, 1)
    return Finding(holds("the answer is A2, and not A1"), domain, 1)
