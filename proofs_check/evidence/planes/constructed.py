"""Construction evidence: an index head that reads the digits of the lag, in PyTorch float64.

The check also runs a broken version of its construction and must detect it: a check that
cannot fail is no evidence. torch is imported when a check runs.
"""

from __future__ import annotations

import numpy as np

from ropeproof.constructions.heads.index import IndexHead, angles_spec, index_head
from ropeproof.numerics.bounds.planes import digits_margin
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.proofs_check.evidence.runs import Runs, blind, run, wrong
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

_CHOICES = ((1, 12), (2, 4), (2, 6), (3, 3))
_LETTERS = 3


def _made(planes: int, base: float, length: int, beta: float | None = None) -> IndexHead:
    angles = (2 * np.pi / base ** np.arange(1, planes + 1)).tolist()
    return index_head(
        _LETTERS,
        length - 1,
        length,
        spec=angles_spec(angles),
        planes=np.ones(planes),
        inverse_temperature=beta,
    )


def _margin(head: IndexHead) -> float:
    """The target's logit minus the largest other one, minimised over all integers."""
    back = np.arange(1, head.length)
    prompts = np.zeros((len(back), head.length), dtype=np.int64)
    prompts[:, -1] = _LETTERS - 1 + back
    rows = run(head, head.embeddings[prompts])[0][:, -1]
    every, targets = np.arange(len(back)), head.length - 1 - back
    own = rows[every, targets].copy()
    rows[every, targets] = -np.inf
    return float((own - rows.max(1)).min())


@evidence("planes.digits", "construction", "index heads that read the digits of the lag")
def digits(how: Profile) -> Finding:
    """At Q^m positions the head has the claimed and certified margin over all integers.

    It decodes its worst input; a head with base Q + 1 has a smaller margin.
    """
    runs = Runs(how, "planes.digits", _CHOICES, drawn=False)
    domain = "one to three digits, 12 to 36 positions, all integers"
    for planes, parts in runs:
        length = parts**planes
        head = _made(planes, parts, length)
        beta = head.inverse_temperature
        claimed = digits_margin(planes=planes, parts=parts).lower * beta
        budget = UNIT * beta * 64 * (length + 8)
        found = _margin(head)
        certified = head.certificate.quantities["margin"]
        if not abs(found - claimed) <= budget:
            return Finding(wrong("margin", found, claimed, planes=planes, base=parts), domain)
        if not certified <= found + budget or head.certificate.quantities["length"] != length:
            return Finding(wrong("certificate", certified, found, planes=planes), domain)
        prompt, answer = head.worst_input()
        if head.decode(prompt) != answer:
            return Finding(wrong("the worst input", prompt, answer), domain)
        other = _made(planes, parts + 1, length, beta)
        if _margin(other) >= claimed - budget:
            return Finding(blind("another base", planes=planes, base=parts), domain)
    return runs.finding(domain)
