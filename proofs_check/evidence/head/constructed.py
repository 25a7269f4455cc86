"""Construction evidence: pure heads and heads that attain their limits, in PyTorch float64.

Each check also runs a broken version of its construction and must detect it: a check that
cannot fail is no evidence. torch is imported when a check runs.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.head import Certificate, Head
from ropeproof.constructions.heads.behaviour import (
    general_readout,
    positional_counterexample,
    symbolic_counterexample,
    uniform_but_self,
)
from ropeproof.constructions.heads.index import index_head
from ropeproof.constructions.heads.retrieval import retrieval_head
from ropeproof.numerics.bounds.head import vector_scores
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.proofs_check.evidence.runs import APART, Runs, blind, run, wrong
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary import scaling
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_LENGTH = 16
_TOKENS = 5
_SPECS = (
    RopeSpec(8, 10000, rotary_dim=4, layout="half"),
    RopeSpec(12, 500, rotary_dim=6, layout="interleaved"),
    RopeSpec(16, 10000, rotary_dim=8, scaling=scaling.Linear(4)),
    RopeSpec(16, 10000, rotary_dim=8, scaling=scaling.Yarn(factor=4, original_length=64)),
)


def _random(runs: Runs[RopeSpec], spec: RopeSpec, claim: str) -> Head:
    w_q, w_k = runs.random.normal(size=(2, spec.head_dim, _TOKENS))
    identity = np.eye(_TOKENS)
    return Head(w_q, w_k, identity, identity, spec, Certificate(claim))


def _silent(head: Head) -> Head:
    """The head with its keys set to 0 on the rotated planes."""
    spec, w_k = head.spec, head.w_k.copy()
    for pair in spec.plane_coordinates()[: spec.rotary_planes]:
        w_k[list(pair)] = 0
    return replace(head, w_k=w_k)


def _prompt(runs: Runs[RopeSpec]) -> NDArray[np.int64]:
    """A prompt whose neighbouring tokens differ, so that their order matters."""
    drawn = runs.random.permutation(_TOKENS)
    return np.resize(drawn, _LENGTH)


def _rounding(head: Head) -> float:
    size = float(np.linalg.norm(head.w_q) * np.linalg.norm(head.w_k))
    return UNIT * (size + 8) * 64 * (_LENGTH + head.spec.head_dim) * 8


@evidence("head.nope-symbolic", "construction", "contents exchanged in heads without rotation")
def nope_symbolic(how: Profile) -> Finding:
    """A head with keys on unrotated planes only is symbolic: tokens carry their logits with them.

    Permuting the earlier tokens permutes the last row's logits, and the symbolic score is 1. With
    keys on the rotated planes neither holds.
    """
    runs = Runs(how, "head.nope-symbolic", _SPECS)
    domain = f"random partial heads, {_LENGTH} tokens, random permutations"
    for spec in runs:
        loud = _random(runs, spec, "head.nope-symbolic")
        head, prompt = _silent(loud), _prompt(runs)
        order = np.append(runs.random.permutation(_LENGTH - 1), _LENGTH - 1)
        x, budget = np.eye(_TOKENS)[prompt], _rounding(loud)
        here, there = (run(head, part)[0][-1] for part in (x, x[order]))
        off = float(np.abs(here[order] - there).max())
        if not off <= budget:
            return Finding(wrong("permuted logits differ by", off, 0.0, spec=spec), domain)
        scores = vector_scores(x @ head.w_q.T, x @ head.w_k.T, spec, tau=1.0)
        if not scores.symbolic >= 1 - 4 * budget:
            return Finding(wrong("symbolic score", scores.symbolic, 1.0, spec=spec), domain)
        rotating = run(loud, x)[0][-1][order] - run(loud, x[order])[0][-1]
        if float(np.abs(rotating).max()) <= APART * budget:
            return Finding(blind("keys that rotate", spec=spec), domain)
    return runs.finding(domain)


@evidence("head.constant-key-positional", "construction", "contents exchanged in heads of one key")
def constant_key_positional(how: Profile) -> Finding:
    """A head with one constant key is positional: any earlier tokens give the same attention row.

    The positional score is then 1. With keys that depend on the tokens neither holds.
    """
    runs = Runs(how, "head.constant-key-positional", _SPECS)
    domain = f"random heads of one key, {_LENGTH} tokens, random permutations"
    for spec in runs:
        seeing = _random(runs, spec, "head.constant-key-positional")
        keys = np.repeat(seeing.w_k[:, :1], _TOKENS, axis=1)
        head, prompt = replace(seeing, w_k=keys), _prompt(runs)
        order = np.append(runs.random.permutation(_LENGTH - 1), _LENGTH - 1)
        x, budget = np.eye(_TOKENS)[prompt], _rounding(seeing)
        here, there = (run(head, part)[1][-1] for part in (x, x[order]))
        off = float(np.abs(here - there).max())
        if not off <= 4 * budget:
            return Finding(wrong("attention differs by", off, 0.0, spec=spec), domain)
        scores = vector_scores(x @ head.w_q.T, x @ head.w_k.T, spec, tau=1.0)
        if not scores.positional >= 1 - 4 * budget:
            return Finding(wrong("positional score", scores.positional, 1.0, spec=spec), domain)
        moved = run(seeing, x)[0][-1] - run(seeing, x[order])[0][-1]
        if float(np.abs(moved).max()) <= APART * budget:
            return Finding(blind("keys that see the tokens", spec=spec), domain)
    return runs.finding(domain)


@evidence("head.symbolic-cannot-index", "construction", "the retrieval head asked to index")
def symbolic_cannot_index(how: Profile) -> Finding:
    """A head without rotation cannot index: it has one output on two inputs with different answers.

    The inputs differ in the indexed letter, at every offset; an index head tells each pair apart.
    """
    runs = Runs(how, "head.symbolic-cannot-index", ((3, 6), (4, 9), (5, 12)), drawn=False)
    domain = "retrieval heads of 3 to 5 letters, lengths 6 to 12, every offset"
    for letters, length in runs:
        head = retrieval_head(letters, length)
        able = index_head(letters, length - 1, length)
        for offset in range(1, length):
            found = symbolic_counterexample(
                head,
                length=length,
                query=f"A{head.letters[-1]}",
                offset=offset,
                letters=("B1", "C1"),
                residual=False,
            )
            x = head.embeddings[np.array(found.inputs)]
            outputs = run(head, x)[2][:, -1]
            off = float(np.abs(outputs[0] - outputs[1]).max())
            if not off <= 64 * UNIT * (length + head.inverse_temperature):
                return Finding(wrong("outputs differ by", off, 0.0, offset=offset), domain)
            if found.errs is None or not any(found.errs):
                return Finding(wrong("errors", found.errs, "one at least", offset=offset), domain)
            told = symbolic_counterexample(
                able,
                length=length,
                query=str(offset),
                offset=offset,
                letters=("B", "C"),
                tolerance=1e6,
            )
            if told.errs != (False, False):
                return Finding(blind("an index head errs too", offset=offset), domain)
    return runs.finding(domain)


@evidence("head.positional-cannot-retrieve", "construction", "simple heads, and a general read-out")
def positional_cannot_retrieve(how: Profile) -> Finding:
    """A simple positional head cannot retrieve: it errs on one of two inputs with the same answer.

    A retrieval head errs on neither, and a positional head with a general read-out answers every
    input of three tokens correctly.
    """
    runs = Runs(how, "head.positional-cannot-retrieve", _SPECS)
    domain = "random simple heads, lengths 3 and 8; every functional input of 3 tokens, 3 letters"
    for spec in runs:
        keys = runs.random.normal(size=(spec.head_dim, 1)) * np.ones(_TOKENS)
        head = replace(_random(runs, spec, "head.positional-cannot-retrieve"), w_k=keys)
        for length in (3, 8):
            found = positional_counterexample(
                head, length=length, query=4, target=0, other=1, embeddings=np.eye(_TOKENS)
            )
            outputs = run(head, np.eye(_TOKENS)[np.array(found.inputs)])[2][:, -1]
            if all(int(output.argmax()) == 0 for output in outputs):
                return Finding(wrong("both inputs", found.decoded, "an error", spec=spec), domain)
            if found.errs is None or not any(found.errs):
                return Finding(wrong("errors", found.errs, "one at least", spec=spec), domain)
    able = retrieval_head(3, 8)
    told = positional_counterexample(
        able, length=8, query="AB", target="B1", other="C1", tolerance=1e6
    )
    if told.errs != (False, False):
        return Finding(blind("a retrieval head errs too"), domain)
    general = general_readout(3)
    cases = 0
    for prompt in itertools.product(range(len(general.tokens)), repeat=3):
        answer = _retrieved(general.pairs, prompt)
        if answer is None:
            continue
        cases += 1
        output = run(general.head, np.eye(len(general.tokens))[list(prompt)])[2][-1]
        if general.decode(output) != answer:
            found_at = [general.tokens[token] for token in prompt]
            return Finding(wrong("general read-out on", found_at, answer), domain, cases)
    return Finding(runs.finding(domain).outcome, domain, runs.count + cases)


def _retrieved(pairs: tuple[tuple[str, str], ...], prompt: tuple[int, ...]) -> int | None:
    """The token that Retrieval answers with; None if the input is not functional or has no answer."""
    named: dict[str, int] = {}
    for token in prompt:
        if named.setdefault(pairs[token][0], token) != token:
            return None
    right = pairs[prompt[-1]][1]
    if right == "1":
        return prompt[-1]
    earlier = [token for token in prompt[:-1] if pairs[token][0] == right]
    return earlier[-1] if earlier else None


@evidence("head.uniform-excludes-self", "construction", "almost all weight on the query itself")
def uniform_excludes_self(how: Profile) -> Finding:
    """Equal logits before the query give both scores 1, with most weight on the query itself.

    That weight is at least the certified one; with zeroed queries it is spread over all positions.
    """
    runs = Runs(how, "head.uniform-excludes-self", ((17, "0.9"), (5, "0.999"), (40, "0.99999")))
    domain = "weights from 0.9 to 0.99999 at 5 to 40 tokens, random symbols"
    for length, weight in runs:
        head = uniform_but_self(3, length, weight)
        guaranteed = head.certificate.quantities["weight"]
        if not guaranteed >= float(weight) * (1 - UNIT):
            return Finding(wrong("certified weight", guaranteed, weight, length=length), domain)
        prompt = np.append(runs.random.integers(0, 3, length - 1), 3)
        x = head.embeddings[prompt]
        logits, rows, _ = run(head, x)
        spread = float(np.ptp(logits[-1, :-1]))
        if not spread <= 64 * UNIT:
            return Finding(wrong("spread of the logits", spread, 0.0, length=length), domain)
        if not rows[-1, -1] >= guaranteed * (1 - UNIT * (length + 64)):
            found = float(rows[-1, -1])
            return Finding(wrong("weight on itself", found, guaranteed, length=length), domain)
        scores = vector_scores(x @ head.w_q.T, x @ head.w_k.T, head.spec)
        if not min(scores.positional, scores.symbolic) >= 1 - 1e-12:
            return Finding(wrong("scores", scores, "both 1", length=length), domain)
        silent = replace(head, w_q=0 * head.w_q)
        if run(silent, x)[1][-1, -1] >= guaranteed:
            return Finding(blind("a silent query", length=length), domain)
    return runs.finding(domain)
