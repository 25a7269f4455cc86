r"""Lookup heads: the value of a key, or of its last occurrence, from items and one query.

Claims `task.info-retrieval-head` and, built in `ropeproof.constructions.heads.partial_induction`,
`task.partial-induction-head`: from an inverse temperature on, every input is answered right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.index import planes
from ropeproof.constructions.heads.index.decoding import DecodingHead, Rivals
from ropeproof.constructions.heads.index.table import LogitTable
from ropeproof.constructions.heads.retrieval import temperature
from ropeproof.numerics.bounds.partial_induction import (
    info_retrieval_length,
    info_retrieval_temperature_enough,
)
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LookupHead", "information_retrieval_head", "lookup"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_BLOCK = 2**18


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LookupHead(DecodingHead):
    """A head that answers a query symbol with the value of a key; see `DecodingHead`.

    - `symbols`, `values`: of the items, tokens `"symbol:value"`; a query is `"symbol?"`;
    - `last`: whether a symbol may occur with several values and its last occurrence counts;
    - `enough`: above this inverse temperature the claim about the head says that it answers every
      input, in logits; infinity if the head is not of the claim's kind.

    Inputs are items, the symbol asked for among them, and one query at the end. Without `last`
    they are functional: equal symbols mean equal values.
    """

    symbols: tuple[str, ...]
    values: tuple[str, ...]
    last: bool
    enough: float = math.inf

    def claims(self) -> str:
        """The id of the claim behind the certificates, which depends on the inverse temperature.

        Above `enough` it is `task.partial-induction-head` or `task.info-retrieval-head`. A warmer head is
        certified by its margin: `task.partial-induction-sharp` or `task.info-retrieval`.
        """
        cold = self.inverse_temperature > self.enough
        if self.last:
            return "task.partial-induction-head" if cold else "task.partial-induction-sharp"
        return "task.info-retrieval-head" if cold else "task.info-retrieval"

    def malformed(self, prompts: Integers) -> tuple[NDArray[np.bool_], str]:
        """Mark inputs that are not items and then one query for a symbol of some item.

        Without `last` inputs that are not functional are marked, too.
        """
        count, many = len(self.values), len(self.symbols) * len(self.values)
        tokens = np.arange(len(self.tokens))
        symbol = np.where(tokens < many, tokens // count, tokens - many)
        items, query = prompts[:, :-1], prompts[:, -1]
        asked = symbol[items] == symbol[query][:, np.newaxis]
        wrong = (items >= many).any(1) | (query < many) | ~asked.any(1)
        allowed = "items, the symbol asked for among them, and one query at the end"
        if self.last:
            return wrong, allowed
        for place in range(len(self.symbols)):
            own = symbol[items] == place
            largest = np.where(own, items, -1).max(1, initial=-1)
            wrong |= (own & (items != largest[:, np.newaxis])).any(1)
        return wrong, f"{allowed}, equal symbols with equal values"

    def rivals(self, table: LogitTable) -> Rivals:
        """The competition in the worst inputs, where all other items have the same wrong value.

        The symbols of these items are those with which that value gets most weight.
        """
        return self._worst(table)[0]

    def worst_input(self, length: int | None = None) -> tuple[tuple[str, ...], str]:
        """The input of `length` tokens on which the head is closest to an error, and its answer.

        The head, run exactly, decodes all inputs of that length if and only if it decodes this
        one. Raises `InvalidArgument` with fewer than two values.
        """
        if len(self.values) < 2:
            raise InvalidArgument("values", self.values, "at least two values")
        size = read_integer("length", self.length if length is None else length, least=2)
        table = self.table(length=size)
        _, (wanted, lag) = self._worst(table)
        scores, key = table.scores(self._query(table, wanted)), self._keys(table)
        right, wrong = self.values[:2]
        prompt = [f"{wanted}?"]
        for back in range(1, size):
            if back == lag:
                prompt.append(f"{wanted}:{right}")
                continue
            free = [s for s in self.symbols if s != wanted or (self.last and back > lag)]
            best = max(free, key=lambda symbol: float(scores[key[symbol], back]))
            prompt.append(f"{best}:{wrong}")
        return tuple(reversed(prompt)), right

    def _worst(self, table: LogitTable) -> tuple[Rivals, tuple[str, int]]:
        key = self._keys(table)
        gap, moved, total = math.inf, -1.0, 0.0
        worst = (self.symbols[0], 1)
        lags, step = np.arange(table.lags - 1), max(1, _BLOCK // table.lags)
        for wanted in self.symbols:
            scores = table.scores(self._query(table, wanted))
            self_score = scores[table.key_of[self.number(f"{wanted}?")], 0]
            own = scores[key[wanted], 1:]
            others = scores[[key[s] for s in self.symbols if s != wanted], 1:].max(0)
            earlier = np.maximum(own, others) if self.last else others
            for first in range(0, table.lags - 1, step):
                places = np.arange(first, min(first + step, table.lags - 1))[:, np.newaxis]
                # What is nearer than the target has another symbol; what is further may have its own.
                gaps = own[places] - np.where(lags < places, others, earlier)
                gaps[lags == places] = math.inf
                gap = min(gap, float(gaps.min()))
                ratios = np.exp(np.minimum(-gaps, 700.0)).sum(1) * temperature.SUM
                lost = np.exp(np.minimum(self_score - own[places[:, 0]], 700.0))
                total = max(total, float((ratios + lost).max()) * temperature.SUM)
                most = int(ratios.argmax())
                if ratios[most] > moved:
                    moved, worst = float(ratios[most]), (wanted, first + most + 1)
            gap = min(gap, float(own.min() - self_score))
        return Rivals(gap, moved, 0.0, total), worst

    def _query(self, table: LogitTable, wanted: str) -> int:
        return int(table.query_of[self.number(f"{wanted}?")])

    def _keys(self, table: LogitTable) -> dict[str, int]:
        first = self.values[0]
        return {s: int(table.key_of[self.number(f"{s}:{first}")]) for s in self.symbols}


def information_retrieval_head(
    symbols: int | Sequence[str],
    values: int | Sequence[str],
    length: int,
    *,
    angle: object = 0,
    inverse_temperature: float | None = None,
) -> LookupHead:
    """A head that answers with the value of a key, claim `task.info-retrieval-head`.

    Inputs are `length - 1` items `"symbol:value"`, functional, and the query `"symbol?"`. Symbols
    are spread over a circle in a plane that a position turns by `angle` radians; with `angle > 0`
    the query is turned back by half the window, so that no lag is off by more than
    `(length/2 - 1) angle`, at this length only as well as possible. The query's own key is opposite
    to what it looks for. The answer, the arg max over values of the output, is without residual.

    >>> head = information_retrieval_head(["a", "b", "c"], ["x", "y"], 6)
    >>> head.decode(["a:x", "b:y", "c:x", "b?"])
    'y'

    Arguments and errors as in `retrieval_head`; at least 2 symbols.
    """
    names, answers = planes.read_names("symbols", symbols), planes.read_names("values", values)
    size = read_integer("length", length, least=2)
    if len(names) < 2:
        raise InvalidArgument("symbols", symbols, "at least 2")
    spec, plane = temperature.read_symbol_plane(None, angle)
    back = float(frequencies_float64(spec)[plane]) * size / 2
    longest = info_retrieval_length(keys=len(names), angle=angle)
    enough = math.inf
    if longest is None or longest > size:
        kept = {"keys": len(names), "items": size - 1}
        enough = info_retrieval_temperature_enough(**kept, angle=angle).upper

    def made(beta: float) -> LookupHead:
        amplitudes = np.zeros(spec.planes)
        amplitudes[plane] = beta
        turns = np.zeros(spec.planes)
        turns[plane] = -back
        sizes = (names, answers, size, beta)
        return lookup(spec, amplitudes, turns, plane, *sizes, last=False, enough=enough)

    return temperature.least_temperature(made, inverse_temperature, got=angle)


def lookup(
    spec: RopeSpec,
    amplitudes: Floats,
    turns: Floats,
    plane: int,
    symbols: tuple[str, ...],
    values: tuple[str, ...],
    length: int,
    beta: float,
    *,
    last: bool,
    enough: float = math.inf,
) -> LookupHead:
    """A lookup head that codes symbols as angles in one plane and rotates its queries by `turns`.

    `amplitudes` and `turns` are `(planes,)`, in logits and radians; the other planes do not see
    the symbols. `enough` is the inverse temperature of the claim about it, see `LookupHead`.
    """
    keys, asks = ([f"{kind} {s}" for s in symbols] for kind in ("key", "query"))
    space = Directions([*keys, *asks, *values])
    around = -2 * math.pi * np.arange(len(symbols)) / len(symbols)

    def sides(start: Floats, *, opposite: bool = False) -> Floats:
        """A query or key of each symbol, `(symbols, head_dim)`."""
        angles = np.tile(start, (len(symbols), 1))
        angles[:, plane] += around + (math.pi if opposite else 0.0)
        return planes.plane_vectors(spec, amplitudes, angles)

    still, rows = np.zeros(spec.planes), spec.head_dim
    queries = dict(zip(asks, sides(turns), strict=True))
    found = dict(zip(keys, sides(still), strict=True))
    found |= dict(zip(asks, sides(still, opposite=True), strict=True))
    copied = np.zeros((len(space), len(space)))
    for value in values:
        copied[space.place(value), space.place(value)] = 1.0
    items = {f"{s}:{v}": {f"key {s}": 1.0, v: 1.0} for s in symbols for v in values}
    items |= {f"{s}?": {f"query {s}": 1.0} for s in symbols}
    return LookupHead(
        space.matrix(queries, rows),
        space.matrix(found, rows),
        copied,
        np.eye(len(space)),
        spec,
        Certificate("retrieval.feasible"),
        space,
        tokens=tuple(items),
        embeddings=np.stack([space.vector(item) for item in items.values()]),
        answers=values,
        residual=False,
        length=length,
        inverse_temperature=beta,
        symbols=symbols,
        values=values,
        last=last,
        enough=enough,
    )
