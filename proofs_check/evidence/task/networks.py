"""Construction evidence: stacks of heads on the papers' data format, in PyTorch float64.

Each check also runs a broken version of its construction and must detect it: a check that
cannot fail is no evidence. torch is imported when a check runs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.networks import AttentionNetwork, compose, induction_network
from ropeproof.constructions.networks.inputs import malformed
from ropeproof.numerics.task import (
    every_letter_input,
    every_number_input,
    index_times,
    induction_task,
    letter_task,
    number_task,
    retrieve_times,
    solve_induction,
)
from ropeproof.proofs_check.evidence import Finding, evidence, runs
from ropeproof.proofs_check.kernel.outcome import Outcome, holds
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.errors import InvalidArgument

__all__: list[str] = []

Integers = NDArray[np.int64]
_PAPER = 17
"""The length of the papers' sequences in tokens: 8 targets, 8 links and the query."""
_COUNT = {"quick": 240, "default": 2_000}
_MOST = 20_000
_PART = 64


def _seed(how: Profile, claim: str) -> tuple[int, str]:
    generator, seed = how.random("construction", claim)
    return generator.getrandbits(31), seed


def _iterate(network: AttentionNetwork, tokens: Integers, times: int) -> Integers:
    """The last column after Index or Retrieval is applied `times` times."""
    vocabulary: Any = network.plan.vocabulary
    step: Any = index_times if network.task == "number" else retrieve_times
    result: Integers = step(tokens, vocabulary, times)[:, -1]
    return result


def _missed(network: AttentionNetwork, blocks: Iterable[Integers]) -> tuple[Outcome | None, int]:
    """None if a network answers all inputs with its iterate, else the outcome; and the count."""
    count = 0
    for tokens in blocks:
        found = network.decode(tokens, beyond_guarantee=True)  # the answers are judged here
        expected = _iterate(network, tokens, network.hops)
        count += len(tokens)
        if (found != expected).any():
            row = int(np.argmax(found != expected))
            decode = network.plan.vocabulary.decode
            pair = decode(found[row]), decode(expected[row])
            return runs.wrong("the answer", *pair, input=decode(tokens[row])), count
    return None, count


def _first_missed(
    networks: Iterable[AttentionNetwork], blocks: Callable[[], Iterable[Integers]]
) -> tuple[Outcome | None, int]:
    """The first failed outcome of several networks, None if all answer; and the inputs' number."""
    count = 0
    for network in networks:
        bad, inputs = _missed(network, blocks())
        count += inputs
        if bad is not None:
            return bad, count
    return None, count


def _inaccurate(network: AttentionNetwork, data: Any, length: int) -> Outcome | None:
    """None if a network is certified for the length and answers all data, else the outcome."""
    certified = network.certificate.quantities["length"]
    if not certified >= length:
        return runs.wrong("certified length", certified, length)
    right = network.decode(data.tokens, beyond_guarantee=True) == data.answers
    return None if right.all() else runs.wrong("accuracy", float(right.mean()), 1.0)


def _errs(
    network: AttentionNetwork, tokens: Integers, answers: Integers, *, guaranteed: bool = False
) -> bool:
    """Whether a network errs on some of the inputs, which are asked in parts up to the first error."""
    for first in range(0, len(tokens), _PART):
        part = slice(first, first + _PART)
        found = network.decode(tokens[part], beyond_guarantee=not guaranteed)
        if (found != answers[part]).any():
            return True
    return False


def _unseen(task: Any, data: Any) -> Outcome | None:
    """None if three layers, and a network at inverse temperature 1, err on the data."""
    if not _errs(compose(task, hops=3), data.tokens, data.answers, guaranteed=True):
        return runs.blind("three layers")
    if not _errs(compose(task, inverse_temperature=1), data.tokens, data.answers):
        return runs.blind("a warm network")
    return None


@evidence("task.compose-index", "construction", "four layers on the number task")
def number(how: Profile) -> Finding:
    """Four heads answer data of 1 to 4 hops and return the integer beyond, as certified.

    Small stacks answer all inputs of their length. Three layers do not answer 4 hops, nor does a stack at
    too low an inverse temperature.
    """
    seed, name = _seed(how, "task.compose-index")
    size = _COUNT.get(how.name, _MOST)
    domain = f"120 letters, integers to 16, {_PAPER} tokens; all inputs of 5 tokens; seed {name!r}"
    data = number_task(size, seed=seed)
    beyond = number_task(size // 4, seed=seed + 1, hops=(5, 6, 7))
    network = compose("number")
    count = 0
    bad = _inaccurate(network, data, _PAPER)
    if bad is not None:
        return Finding(bad, domain)
    if (network.decode(beyond.tokens, beyond_guarantee=True) != beyond.tokens[:, -1]).any():
        return Finding(runs.wrong("beyond 4 hops", "another token", "the integer itself"), domain)
    count += len(data) + len(beyond)
    sizes: dict[str, Any] = {"letters": 2, "integers": 3, "length": 5}
    stacks = ({"hops": 1}, {"hops": 3}, {"hops": 2, "planes": "several", "code": "pairs"})
    small = (compose("number", **sizes, **options) for options in stacks)
    bad, inputs = _first_missed(small, lambda: every_number_input(**sizes))
    count += inputs
    bad = _unseen("number", data) if bad is None else bad
    return Finding(holds(f"{count} inputs") if bad is None else bad, domain, count)


@evidence("task.compose-retrieval", "construction", "four layers on the letter task")
def letter(how: Profile) -> Finding:
    """Four heads answer the paper's data of 1 to 4 hops, as certified for inputs of their length.

    On longer chains a stack returns the token reached so far. Small stacks answer all inputs; three layers
    do not answer 4 hops, nor does a stack at too low an inverse temperature.
    """
    seed, name = _seed(how, "task.compose-retrieval")
    size = _COUNT.get(how.name, _MOST)
    domain = f"8 letters, 8 digits, {_PAPER} tokens; all inputs of 4 tokens; seed {name!r}"
    data = letter_task(size, seed=seed)
    network = compose("letter")
    count = 0
    bad = _inaccurate(network, data, _PAPER)
    if bad is not None:
        return Finding(bad, domain)
    # Chains longer than the stack, of the same data: the token reached so far.
    shallow = (compose("letter", hops=fewer) for fewer in (1, 2, 3))
    bad, inputs = _first_missed(shallow, lambda: [data.tokens])
    count += inputs
    if bad is not None:
        return Finding(bad, domain, count)
    sizes: dict[str, Any] = {"letters": 3, "digits": 1, "length": 4}
    stacks = ({"hops": 1}, {"hops": 3}, {"hops": 2, "planes": "several"})
    small = (compose("letter", **sizes, **options) for options in stacks)
    bad, inputs = _first_missed(small, lambda: every_letter_input(**sizes))
    count += len(data) + inputs
    bad = _unseen("letter", data) if bad is None else bad
    return Finding(holds(f"{count} inputs") if bad is None else bad, domain, count)


@evidence("task.compose-retrieval-chain", "construction", "four layers on the published data")
def chain(how: Profile) -> Finding:
    """Four heads answer data with one chain and arbitrary tokens beside it, and refuse none of it.

    Three layers do not answer 4 hops. Where another token begins like the answer the network refuses, and
    if forced to decode, it errs.
    """
    seed, name = _seed(how, "task.compose-retrieval-chain")
    size = _COUNT.get(how.name, _MOST)
    domain = f"8 letters, 8 digits, {_PAPER} tokens, free beside the chain; seed {name!r}"
    data = letter_task(size, seed=seed, beside="free")
    vocabulary: Any = data.vocabulary
    network = compose("letter")
    bad = _inaccurate(network, data, _PAPER)
    if bad is not None:
        return Finding(bad, domain)
    refused, _ = malformed(network.plan, data.tokens)
    if refused.any():
        input_ = vocabulary.decode(data.tokens[int(refused.argmax())])
        return Finding(runs.wrong("an input", "refused", "answered", input=input_), domain)
    if not _errs(compose("letter", hops=3), data.tokens, data.answers, guaranteed=True):
        return Finding(runs.blind("three layers"), domain, size)
    rows, column = np.arange(size), (data.places + 1) % 8
    rivals = data.tokens.copy()
    letter, digit = vocabulary.left(data.answers), vocabulary.digit(data.answers)
    rivals[rows, column] = vocabulary.letters**2 + letter * vocabulary.digits
    rivals[rows, column] += digit % vocabulary.digits
    try:
        network.decode(rivals)
    except InvalidArgument:
        pass
    else:
        return Finding(runs.blind("two tokens like the answer"), domain, size)
    if not _errs(network, rivals, data.answers):
        return Finding(runs.blind("two tokens like the answer, asked all the same"), domain, size)
    return Finding(holds(f"{size} inputs"), domain, size)


@evidence("task.induction", "construction", "two layers on drawn and on all short prompts")
def two_layers(how: Profile) -> Finding:
    """Two layers answer drawn prompts and all short ones whose last token occurred before.

    That is what they are certified for, up to their length. A prompt with a new last token is refused.
    With a second layer at too low an inverse temperature, or without the first layer, they err.
    """
    seed, name = _seed(how, "task.induction")
    size = _COUNT.get(how.name, _MOST)
    domain = f"32 tokens, 64 positions; all prompts of 6 of 3 tokens; seed {name!r}"
    network, data = induction_network(), induction_task(size, seed=seed)
    bad = _inaccurate(network, data, data.length)
    if bad is not None:
        return Finding(bad, domain)
    small = induction_network(tokens=3, length=6)
    prompts = np.array(list(itertools.product(range(3), repeat=6)))
    prompts = prompts[(prompts[:, :-1] == prompts[:, -1:]).any(1)]
    vocabulary: Any = small.plan.vocabulary
    expected, found = solve_induction(prompts, vocabulary), small.decode(prompts)
    if (found != expected).any():
        row = int(np.argmax(found != expected))
        pair = vocabulary.decode(found[row]), vocabulary.decode(expected[row])
        return Finding(
            runs.wrong("the answer", *pair, input=vocabulary.decode(prompts[row])), domain
        )
    count = len(data) + len(prompts)
    try:
        small.decode(vocabulary.encode(["A B A B C"]))
    except InvalidArgument:
        pass
    else:
        return Finding(runs.blind("a token that did not occur before"), domain, count)
    warm = induction_network(inverse_temperature=2)
    if not _errs(warm, data.tokens, data.answers):
        return Finding(runs.blind("a warm second layer"), domain, count)
    still = replace(network.heads[0], w_o=np.zeros_like(network.heads[0].w_o))
    alone = replace(network, heads=(still, network.heads[1]))
    if not _errs(alone, data.tokens, data.answers):
        return Finding(runs.blind("no first layer"), domain, count)
    return Finding(holds(f"{count} prompts"), domain, count)
