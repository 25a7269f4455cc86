r"""Two inputs on which a symbolic or a positional head must err, for a head of the reader's choice.

`a[k, p]` is the logit of content `k` at position `p` for the query at the last position. A head is
symbolic on some contents if `a[k, p]` does not depend on `p`, positional if it does not depend on
`k`; that is checked before an input is given out, and the deviation found is in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.head import Head
from ropeproof.constructions.heads.behaviour.exhibits import SelfAttendingHead
from ropeproof.constructions.heads.index.decoding import DecodingHead
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational

__all__ = [
    "Counterexample",
    "content_logits",
    "positional_counterexample",
    "symbolic_counterexample",
]

Floats = NDArray[np.float64]
Token: TypeAlias = int | str
Readout: TypeAlias = Callable[[Floats], int]
"""From an output, `(output_dim,)`, to a token number."""


@dataclass(frozen=True, eq=False)
class Counterexample:
    """Two inputs of which a head gets at least one wrong.

    - `inputs`: token numbers, the query last; `required`: the answer to each;
    - `outputs`: the head's outputs at the query, `(2, output_dim)`, with the residual if asked;
    - `decoded`: what the read-out says of them, None without one; `errs`: which of them is wrong;
    - `deviation`: how far the head is from symbolic or positional on these contents, in logits.
    """

    claim: str
    inputs: tuple[tuple[int, ...], tuple[int, ...]]
    required: tuple[int, int]
    outputs: Floats
    decoded: tuple[int, int] | None
    deviation: float

    @property
    def difference(self) -> float:
        """The largest difference of a coordinate of the two outputs."""
        return float(np.abs(self.outputs[0] - self.outputs[1]).max())

    @property
    def errs(self) -> tuple[bool, bool] | None:
        """Which of the two answers is wrong; None without a read-out."""
        if self.decoded is None:
            return None
        first, second = (a != b for a, b in zip(self.decoded, self.required, strict=True))
        return first, second


def content_logits(
    head: Head, embeddings: ArrayLike, contents: Sequence[int], query: int, *, length: int
) -> Floats:
    """`a[k, p]`: the logit of each content at each of the first `length - 1` positions.

    `(contents, length - 1)` float64; `embeddings` is `(tokens, width)`, the query token is at the
    last position. Raises `InvalidArgument`.
    """
    vectors = _embeddings(head, embeddings)
    keys = (vectors[list(contents)] @ head.w_k.T)[:, np.newaxis, :]
    spread = np.ascontiguousarray(np.broadcast_to(keys, (len(keys), length - 1, keys.shape[-1])))
    queries = (vectors[[query]] @ head.w_q.T)[np.newaxis]
    found = logits(queries, spread, np.array([length - 1]), np.arange(length - 1), head.spec)
    result: Floats = found[:, 0, :]
    return result


def symbolic_counterexample(
    head: Head,
    *,
    length: int,
    query: Token,
    offset: int,
    letters: tuple[Token, Token],
    embeddings: ArrayLike | None = None,
    readout: Readout | None = None,
    residual: bool = True,
    tolerance: float = 1e-9,
) -> Counterexample:
    """Two inputs that a symbolic head cannot distinguish, though Index has different answers.

    The first has `letters[0]` at `offset` positions before the query and `letters[1]` everywhere
    else, the second the two exchanged at that position and one other. If a content's logit does
    not depend on its position the outputs are equal, so any read-out is wrong on one of them.
    Claim `head.symbolic-cannot-index`.

    Tokens are numbers of rows of `embeddings`, `(tokens, width)`, or names if the head is a
    `DecodingHead`, which has its own embeddings and read-out. Raises `InvalidArgument`, naming the
    head and its deviation in logits if that is above `tolerance`.
    """
    size = read_integer("length", length, least=3)
    back = read_integer("offset", offset, least=1)
    if back >= size:
        raise InvalidArgument("offset", offset, f"an integer from 1 to {size - 1}")
    vectors = _own_embeddings(head, embeddings)
    ask, first, other = (_token(head, vectors, token) for token in (query, *letters))
    if first == other:
        raise InvalidArgument("letters", letters, "two different tokens")
    table = content_logits(head, vectors, (first, other), ask, length=size)
    deviation = float(np.ptp(table, axis=1).max())
    _refuse(deviation, tolerance, "a symbolic one: no logit depends on the position")
    target = size - 1 - back
    elsewhere = 0 if target else 1
    inputs = [_input(size, other, ask, first, place) for place in (target, elsewhere)]
    return _record(
        head,
        "head.symbolic-cannot-index",
        vectors,
        (inputs[0], inputs[1]),
        (first, other),
        readout,
        deviation,
        residual=residual,
    )


def positional_counterexample(
    head: Head,
    *,
    length: int,
    query: Token,
    target: Token,
    other: Token,
    embeddings: ArrayLike | None = None,
    residual: bool = False,
    tolerance: float = 1e-9,
) -> Counterexample:
    """Two inputs with the answer `target` of which a simple positional head gets one wrong.

    `target` stands at one of two positions, `other` at all others. The weights of positions are
    the same in both inputs, and each answer needs more weight on its own position than on the
    rest, which has the other one: both is impossible. The head must be simple: one-hot tokens,
    identity values, and the arg max of the output as the answer; adding the query's own token
    (`residual`) changes nothing, if it is neither of the two. Claim
    `head.positional-cannot-retrieve`.

    Tokens and errors as in `symbolic_counterexample`; a head that is not positional on the two
    contents, or not simple, is refused.
    """
    size = read_integer("length", length, least=3)
    vectors = _own_embeddings(head, embeddings)
    ask, right, wrong = (_token(head, vectors, token) for token in (query, target, other))
    if len({ask, right, wrong}) < 3:
        raise InvalidArgument("other", other, "a third token besides query and target")
    one_hot = np.isin(vectors, (0.0, 1.0)).all() and np.array_equal(
        vectors @ vectors.T, np.eye(len(vectors))
    )
    values = vectors @ head.w_v.T @ head.w_o.T
    if not one_hot or values.shape != vectors.shape or not np.array_equal(values, vectors):
        raise InvalidArgument("head", "other values", "a simple one: one-hot tokens, W_V = I")
    table = content_logits(head, vectors, (right, wrong), ask, length=size)
    deviation = float(np.ptp(table, axis=0).max())
    _refuse(deviation, tolerance, "a positional one: no logit depends on the content")
    inputs = [_input(size, wrong, ask, right, place) for place in (0, 1)]
    return _record(
        head,
        "head.positional-cannot-retrieve",
        vectors,
        (inputs[0], inputs[1]),
        (right, right),
        lambda output: int((vectors @ output).argmax()),
        deviation,
        residual=residual,
    )


def _input(size: int, filler: int, ask: int, one: int, place: int) -> tuple[int, ...]:
    """An input that ends with `ask`, with `one` at its place and the filler at all others."""
    prompt = [filler] * (size - 1) + [ask]
    prompt[place] = one
    return tuple(prompt)


def _record(
    head: Head,
    claim: str,
    vectors: Floats,
    inputs: tuple[tuple[int, ...], tuple[int, ...]],
    required: tuple[int, int],
    readout: Readout | None,
    deviation: float,
    *,
    residual: bool,
) -> Counterexample:
    import torch

    if readout is None and isinstance(head, DecodingHead):
        places = [head.directions.place(a) for a in head.answers] if head.directions else []
        owner = head

        def by_answer(output: Floats) -> int:
            return owner.number(owner.answers[int(output[places].argmax())])

        readout = by_answer
    x = torch.from_numpy(vectors[np.array(inputs)])
    with torch.no_grad():
        outputs = head.to_module()(x)[:, -1].numpy()
    if residual:
        if outputs.shape[-1] != vectors.shape[-1]:
            raise InvalidArgument("residual", residual, "False, as output and width differ")
        outputs = outputs + x[:, -1].numpy()
    decoded = None if readout is None else (readout(outputs[0]), readout(outputs[1]))
    return Counterexample(claim, inputs, required, outputs, decoded, deviation)


def _refuse(deviation: float, tolerance: float, kind: str) -> None:
    limit = float(read_rational("tolerance", tolerance))
    if not deviation <= limit:
        raise InvalidArgument("head", f"a deviation of {deviation:.6g} logits", kind)


def _own_embeddings(head: Head, embeddings: ArrayLike | None) -> Floats:
    if not isinstance(head, Head):
        raise InvalidArgument("head", head, "a Head")
    if embeddings is None:
        if not isinstance(head, DecodingHead | SelfAttendingHead):
            raise InvalidArgument("embeddings", None, "an array, unless the head has its own")
        return head.embeddings
    return _embeddings(head, embeddings)


def _embeddings(head: Head, embeddings: ArrayLike) -> Floats:
    array = np.asarray(embeddings, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != head.width or not np.isfinite(array).all():
        allowed = f"finite numbers (tokens, {head.width})"
        raise InvalidArgument("embeddings", f"shape {array.shape}", allowed)
    return array


def _token(head: Head, vectors: Floats, token: Token) -> int:
    if isinstance(token, str):
        if not isinstance(head, DecodingHead | SelfAttendingHead) or token not in head.tokens:
            raise InvalidArgument("token", token, "a token number, or a name of the vocabulary")
        return head.tokens.index(token)
    number = read_integer("token", token, least=0)
    if number >= len(vectors):
        raise InvalidArgument("token", token, f"a number below {len(vectors)}")
    return number
