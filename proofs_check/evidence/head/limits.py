"""Evidence for the limits of pure heads: of two inputs, each drawn head gets one wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.constructions.head import Certificate, Head
from ropeproof.constructions.heads.behaviour import (
    positional_counterexample,
    symbolic_counterexample,
)
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.drawing import require
from ropeproof.proofs_check.evidence.head.rows import complex_planes
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Pure", "output_of", "pure"]

Floats = NDArray[np.float64]
_TOKENS = 6
_SPECS = (
    RopeSpec(8, 10000, rotary_dim=4),
    RopeSpec(12, 500, rotary_dim=8, layout="interleaved"),
    RopeSpec(6, 10000, rotary_dim=2),
)


@dataclass(frozen=True, eq=False)
class Pure:
    """A symbolic or positional head with embeddings `(tokens, width)` and a linear read-out.

    `length` is the number of tokens, `offset` the distance of the answer from the query.
    """

    head: Head
    embeddings: Floats
    reader: Floats
    length: int
    offset: int

    def decode(self, output: Floats) -> int:
        """The token with the largest read-out."""
        return int((self.reader @ output).argmax())

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        head = self.head
        return {"length": self.length, "offset": self.offset, "w_q": head.w_q, "w_k": head.w_k}


@st.composite
def pure(draw: st.DrawFn, *, kind: Literal["symbolic", "positional"]) -> Pure:
    """A drawn pure head: symbolic with keys of 0 on rotated planes, or positional with equal keys.

    A positional one is simple: its tokens and values are one-hot vectors.
    """
    spec = draw(st.sampled_from(_SPECS))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    # Length 3 leaves two positions before the query: there a positional head can come closest.
    length = draw(st.sampled_from((3, 4, 9)))
    w_q, w_k = random.normal(size=(2, spec.head_dim, _TOKENS))
    identity = np.eye(_TOKENS)
    if kind == "symbolic":
        rotated = list(zip(*spec.plane_coordinates()[: spec.rotary_planes], strict=True))
        w_k[[*rotated[0], *rotated[1]]] = 0
        values, embeddings = random.normal(size=(2, _TOKENS, _TOKENS))
        reader = random.normal(size=(_TOKENS, _TOKENS))
    else:
        w_k[:] = w_k[:, :1]
        values, embeddings, reader = identity, identity, identity
    head = Head(w_q, w_k, values, identity, spec, Certificate("head.exclusion"))
    return Pure(head, embeddings, reader, length, draw(st.integers(1, length - 1)))


def output_of(case: Pure, prompt: tuple[int, ...], *, residual: bool) -> Floats:
    """The head's output at the query by the definition of attention, without PyTorch."""
    head = case.head
    x = case.embeddings[list(prompt)]
    lags = np.arange(len(prompt))[::-1]
    query = complex_planes(x[-1] @ head.w_q.T, head.spec)
    turns = np.exp(1j * np.outer(lags, frequencies_float64(head.spec)))
    keys = complex_planes(x @ head.w_k.T, head.spec)
    values = (query * keys.conj() * turns).real.sum(-1) / math.sqrt(head.spec.head_dim)
    weights = np.exp(values - values.max())
    mixed = weights / weights.sum() @ (x @ head.w_v.T) @ head.w_o.T
    result: Floats = mixed + x[-1] if residual else mixed
    return result


def _budget(case: Pure) -> float:
    head = case.head
    size = float(np.linalg.norm(head.w_q) * np.linalg.norm(head.w_k)) * 4
    values = 1 + float(np.abs(head.w_v).sum(1).max() * np.abs(case.embeddings).max())
    return drawing.UNIT * 64 * (size + 8) * (case.length + 8) * values


@evidence("head.symbolic-cannot-index", "property", "two inputs with one output, drawn heads")
def symbolic_cannot_index(how: Profile) -> Finding:
    """A symbolic head has the same output after any exchange of earlier tokens, so it cannot index.

    It reads two inputs with different indexed letters alike, hence one of them wrongly.
    """

    def check(case: Pure) -> None:
        found = symbolic_counterexample(
            case.head,
            length=case.length,
            query=_TOKENS - 1,
            offset=case.offset,
            letters=(0, 1),
            embeddings=case.embeddings,
            readout=case.decode,
        )
        first, second = found.inputs
        place = case.length - 1 - case.offset
        indexed = first[place], second[place]
        require(indexed == found.required, "not what Index asks for", **case.shown)
        require(indexed[0] != indexed[1], "the two answers agree", **case.shown)
        require(sorted(first) == sorted(second), "not the same tokens", **case.shown)
        require(first[-1] == second[-1] == _TOKENS - 1, "not the query", **case.shown)
        outputs = [output_of(case, prompt, residual=True) for prompt in found.inputs]
        budget = _budget(case)
        drawing.within(outputs[0], outputs[1], budget, "the outputs differ", **case.shown)
        for direct, other in zip(outputs, found.outputs, strict=True):
            drawing.within(other, direct, budget, "the outputs", **case.shown)
        require(found.errs is not None and any(found.errs), "no error", **case.shown)
        wrong = tuple(case.decode(o) != a for o, a in zip(outputs, indexed, strict=True))
        require(found.errs == wrong, "another read-out", **case.shown)

    domain = "symbolic heads of up to 6 planes, 6 tokens, lengths 3, 4 and 9, linear read-outs"
    return drawing.draw_cases(how, pure(kind="symbolic"), check, domain=domain)


@evidence("head.positional-cannot-retrieve", "property", "two inputs with one answer, drawn heads")
def positional_cannot_retrieve(how: Profile) -> Finding:
    """A positional head cannot retrieve from both of two inputs with the same answer.

    Each needs more weight on its own position than on all others together; the two margins add up to
    minus twice the remaining weight, and to 0 with only two positions.
    """

    def check(case: Pure) -> None:
        target, other = 1, 2
        found = positional_counterexample(
            case.head,
            length=case.length,
            query=_TOKENS - 1,
            target=target,
            other=other,
            embeddings=case.embeddings,
        )
        outputs = [output_of(case, prompt, residual=False) for prompt in found.inputs]
        budget = _budget(case)
        for direct, computed, prompt in zip(outputs, found.outputs, found.inputs, strict=True):
            drawing.within(computed, direct, budget, "the outputs", **case.shown)
            require(prompt.count(target) == 1, "the answer stands once", **case.shown)
            others = prompt.count(other) == case.length - 2
            require(others and prompt[-1] == _TOKENS - 1, "other tokens", **case.shown)
        margins = [float(o[target] - o[other]) for o in outputs]
        require(min(margins) <= budget, "both answers come out", **case.shown)
        if case.length == 3:
            drawing.within(sum(margins), 0.0, budget, "two positions alone", **case.shown)
        if min(map(abs, margins)) > budget:
            wrong = tuple(int(o.argmax()) != target for o in outputs)
            require(found.errs == wrong, "another read-out", **case.shown)
            require(any(wrong), "no error", **case.shown)

    domain = "simple positional heads of up to 6 planes, 6 tokens, lengths 3, 4 and 9"
    return drawing.draw_cases(how, pure(kind="positional"), check, domain=domain)
