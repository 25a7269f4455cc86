r"""Example heads that show why the impossibility claims need their hypotheses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.head import Certificate, Head
from ropeproof.constructions.heads.index import planes
from ropeproof.constructions.heads.index.head import CONSTANT, IndexHead
from ropeproof.numerics.bounds.rope.rope import step_bounds
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import amplitudes_and_phases
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary import exact
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "BudgetExhibit",
    "GeneralReadout",
    "SelfAttendingHead",
    "general_readout",
    "index_budget",
    "uniform_but_self",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GeneralReadout:
    """A positional head that nevertheless retrieves, by a read-out that is not an arg max.

    The head's weights depend on positions alone, and the query's own is more than half, so the
    output is a list of what is there with the query marked; `decode` looks the answer up in it.
    """

    head: Head
    tokens: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]

    def decode(self, output: ArrayLike) -> int:
        """The answer's token number from an output of the head, `(tokens,)`, without residual."""
        shares = np.asarray(output, np.float64)
        if shares.shape != (len(self.tokens),):
            raise InvalidArgument("output", f"shape {shares.shape}", f"({len(self.tokens)},)")
        query = int(shares.argmax())
        wanted = self.pairs[query][1]
        found = [n for n, (left, _) in enumerate(self.pairs) if left == wanted and shares[n] > 0]
        return found[0] if found else query


def general_readout(letters: int | Sequence[str], *, length: int = 3) -> GeneralReadout:
    """A positional head with identity values and the read-out with which it retrieves.

    Tokens are pairs of two letters and of a letter and the digit 1. It shows why
    `head.positional-cannot-retrieve` needs simple heads: it is right on all functional inputs of at
    most `length` tokens. Raises `InvalidArgument`.
    """
    names = planes.read_names("letters", letters)
    size = exact.read_integer("length", length, least=2)
    pairs = tuple((left, right) for left in names for right in (*names, "1"))
    tokens = tuple(left + right for left, right in pairs)
    spec = planes.angles_spec([math.pi / size])
    # The gap to the next lag makes the query's own weight at least 3/4.
    beta = softmax.margin_needed("0.75", size).upper / (2 * math.sin(math.pi / size / 2) ** 2)
    rows = [planes.plane_vectors(spec, np.array([beta]), np.zeros(1))] * len(tokens)
    weights, identity = np.array(rows).T, np.eye(len(tokens))
    claim = Certificate("head.constant-key-positional")
    head = Head(weights, weights, identity, identity, spec, claim, Directions(tokens))
    return GeneralReadout(head, tokens, pairs)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SelfAttendingHead(Head):
    """A head that is positional and symbolic on every input, with its vocabulary.

    `tokens` are the contents and, last, the query; `embeddings` are `(tokens, width)`, one-hot, read-only.
    """

    tokens: tuple[str, ...]
    embeddings: Floats

    def __post_init__(self) -> None:
        super().__post_init__()
        rows = np.array(self.embeddings, dtype=np.float64)
        rows.flags.writeable = False
        object.__setattr__(self, "embeddings", rows)

    def vocabulary(self) -> tuple[tuple[str, ...], Floats]:
        """The names of the tokens and their embeddings, `(tokens, width)`."""
        return self.tokens, self.embeddings


def uniform_but_self(
    symbols: int | Sequence[str],
    length: int,
    weight: object,
    *,
    spec: RopeSpec | None = None,
) -> SelfAttendingHead:
    """A head both positional and symbolic that gives its own position at least `weight`.

    All symbols have the key 0, so that their logits are 0 wherever they are; the query token `"?"`
    has a key of its own. Exclusion (`head.exclusion`) speaks of the logits before the query, and
    so does "uniform attention". Claim `head.uniform-excludes-self`; certified for inputs of at most
    `length` tokens. Raises `InvalidArgument`.

    >>> head = uniform_but_self(["a", "b"], 17, 0.999)
    >>> head.certificate.quantities["weight"] >= 0.999
    True
    """
    names = planes.read_names("symbols", symbols)
    size = exact.read_integer("length", length, least=2)
    share = exact.read_rational("weight", weight)
    if not 0 < share < 1:
        raise InvalidArgument("weight", weight, "a number between 0 and 1")
    chosen = RopeSpec(4, 10000) if spec is None else spec
    if not isinstance(chosen, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec or None")
    tokens = planes.read_names("symbols", (*names, "?"))
    needed = max(softmax.margin_needed(share, size).upper, 0.0) + 2.0**-20
    amplitudes = np.zeros(chosen.planes)
    amplitudes[0] = needed * (1 + 2.0**-40)
    vector = planes.plane_vectors(chosen, amplitudes, np.zeros(chosen.planes))
    space, identity = Directions(tokens), np.eye(len(tokens))
    # Rounding of the square root and the scale: far below the part added above.
    quantities = {
        "amplitude": needed * (1 + 2.0**-30),
        "length": size,
        "weight": softmax.weight_bound(needed, size).lower,
    }
    return SelfAttendingHead(
        space.matrix({"?": vector}, chosen.head_dim),
        space.matrix({"?": vector}, chosen.head_dim),
        identity,
        identity,
        chosen,
        Certificate("head.uniform-excludes-self", quantities, "certified"),
        space,
        tokens=tokens,
        embeddings=identity,
    )


@dataclass(frozen=True, eq=False)
class BudgetExhibit:
    """How much of the budget for telling neighbours apart an index head has, and where it errs.

    - `budget`: `sum_l A_l theta_l`, at least what one step of the lag moves a logit by;
    - `separation`: the gap of the target to its neighbours, in logits; not more than the budget;
    - `must_err`: whether the separation is below `ln 2`, so that the two neighbours together
      outweigh the target; `prompt`, `answer` and `decoded`: the worst input, and what comes out.
    """

    budget: Enclosure
    separation: float
    must_err: bool
    prompt: tuple[str, ...]
    answer: str
    decoded: str


def index_budget(head: IndexHead, *, length: int | None = None) -> BudgetExhibit:
    """What an index head's planes allow, and its worst input of `length` tokens.

    Neighbours within `mu` logits of the target have weights at least `e^{-mu}` times its own, so
    that a target with two of them is not decoded unless `sum_l A_l theta_l >= mu > ln 2`: low
    frequencies alone cannot index. Claim `head.index-budget`. Build the head on slow planes with
    `index_head(..., spec=..., planes=[...], inverse_temperature=...)`.
    Raises `InvalidArgument` unless the length is at least 3.
    """
    if not isinstance(head, IndexHead):
        raise InvalidArgument("head", head, "an IndexHead")
    size = exact.read_integer("length", head.length if length is None else length, least=3)
    assert head.directions is not None
    constant = head.w_k[:, head.directions.place(CONSTANT)]
    query = head.w_q @ head.embeddings[head.number(head.letters[0])]
    budget = step_bounds(amplitudes_and_phases(query, constant, head.spec)[0], head.spec)
    table = head.table(length=size)
    scores = table.scores(int(table.query_of[head.number(head.letters[0])]))[0]
    separation = float(scores[0] - scores[1])
    prompt, answer = head.worst_input(size)
    with precision(64):
        close = arb(separation) + 2 * arb(table.deviation) < arb(2).log()
    # An integer query's target has a neighbour on each side if the length leaves room for both.
    must_err = bool(close) and any(lag <= size - 2 for lag in head.lags.values())
    decoded = head.decode(prompt, beyond_guarantee=True)
    return BudgetExhibit(budget.frequencies, separation, must_err, prompt, answer, decoded)
