r"""Heads that decode: the inputs for which the arg max is guaranteed to be right, in each type.

A `DecodingHead` has a vocabulary, reads the answer at the last row off its output by arg max, and
knows the worst of its inputs. What it guarantees rests on three numbers:

- the *competition*: the attention mass on wrong answers over that on the right one, at most. It is
  a sum of `e^{w(t') - w(t)}` over the positions of the worst input, from logits enclosed at every
  lag (`ropeproof.numerics.core.lag_scan`), so that margin, length and inverse temperature are all in it;
- the *deviation*: what the type moves a logit by (`ropeproof.constructions.heads.slash.rounding`);
  it multiplies the competition by at most `e^{2 eta}` (`softmax.perturb`);
- the *read-out factor* `rho`: computed sums of attention weights over the exact ones are in
  `[rho, 1/rho]`.

Without a residual the answer comes out if `e^{2 eta} Z < rho^2`. With the residual and values of
size 2, the target's coordinate is at least `2 rho W` and every other one at most
`max(1, 2 (1 - W)/rho)`, so `W > 1/(2 rho)` is enough when the answer is not the query's own token;
if it is, `rho (1 + 2 rho W) > 2 (1 - W)/rho` is.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.head import ARITHMETICS, Certificate, Head
from ropeproof.constructions.heads.index.planes import read_names
from ropeproof.constructions.heads.index.table import LogitTable, logit_table
from ropeproof.constructions.heads.slash import rounding
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

if TYPE_CHECKING:
    from ropeproof.constructions.module import HeadModule

__all__ = ["ASK", "DecodingBound", "DecodingHead", "Rivals", "decode_length"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST = 4096
"""The longest length that is tried by default."""
ASK = "beyond_guarantee=True asks for an answer that may be wrong"
"""How every refusal to decode ends."""


class Rivals(NamedTuple):
    """What competes with the target in the worst inputs of one length, before logits are rounded.

    - `gap`: the target's logit minus the best rival's, the smallest; in logits;
    - `moved`, `kept`: mass on one wrong answer over that on the right one, at most, where the
      answer is not and where it is the query's own token;
    - `total`: mass off the target over that on it, at most.
    """

    gap: float
    moved: float
    kept: float
    total: float


@dataclass(frozen=True, kw_only=True)
class DecodingBound:
    """What is guaranteed of every input of at most `length` tokens, in logits where it has a unit.

    `decodes` says whether every answer comes out; `margin` is what is left of the gap after the
    deviation on both sides, `weight` the least attention on the target (all positions that hold
    it count once), `excess` the competition over what is allowed.
    """

    length: int
    margin: float
    deviation: float
    amplitude: float
    weight: float
    excess: float
    inverse_temperature: float

    @property
    def decodes(self) -> bool:
        """Whether every answer is guaranteed."""
        return self.excess < 1

    def certificate(self, claim: str, arithmetic: str | None) -> Certificate:
        """The bound as a certificate of a claim. Raises `InvalidArgument` if it guarantees nothing."""
        if not self.decodes:
            raise InvalidArgument("length", self.length, "a length at which every answer comes out")
        quantities = {
            "amplitude": self.amplitude,
            "deviation": self.deviation,
            "inverse_temperature": self.inverse_temperature,
            "length": self.length,
            "margin": self.margin,
            "weight": self.weight,
        }
        return Certificate(claim, quantities, "certified", arithmetic)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DecodingHead(Head, ABC):
    """A head with its vocabulary, its read-out and what it decodes in each type.

    - `tokens`: the names of the vocabulary; `embeddings`: `(tokens, width)`, read-only;
    - `answers`: the names of the directions among which the arg max is taken;
    - `residual`: whether the embedding is added to the head's output before that;
    - `length`: the longest input it was made for; `inverse_temperature`: `beta`, in logits per
      unit of the scores; `least_inverse_temperature`: with which it decodes in exact arithmetic;
    - `certificate`: in exact arithmetic; `certificates`: in `"float64"`, `"float32"` and
      `"bfloat16"`. Their `length` says up to which length, at most the head's own, every input
      decodes; 0 if no guarantee is left.

    `decode` and `decode_numbers` answer what is guaranteed: inputs of the kind the construction is
    for, up to the length at which every one decodes in the type asked for. Any other input is
    refused, unless `beyond_guarantee` asks for whatever comes out.

    Raises `InvalidArgument` unless the values are exact in every type: one term per coordinate,
    weights 0 or a power of two, and the identity after them.
    """

    tokens: tuple[str, ...]
    embeddings: Floats
    answers: tuple[str, ...]
    residual: bool
    length: int
    inverse_temperature: float
    least_inverse_temperature: float = 0.0
    certificates: Mapping[str, Certificate] = field(default_factory=dict)
    _decodes: dict[tuple[str, int], bool] = field(default_factory=dict, init=False, repr=False)
    _modules: dict[str, HeadModule] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "tokens", read_names("tokens", self.tokens))
        array = np.array(self.embeddings, dtype=np.float64)
        if array.shape != (len(self.tokens), self.width):
            allowed = f"({len(self.tokens)}, {self.width})"
            raise InvalidArgument("embeddings", f"shape {array.shape}", allowed)
        if not np.isin(array, (0.0, 1.0)).all():
            raise InvalidArgument("embeddings", "other numbers", "0 and 1")
        array.flags.writeable = False
        object.__setattr__(self, "embeddings", array)
        if self.directions is None:
            raise InvalidArgument("directions", None, "Directions")
        for answer in self.answers:
            self.directions.place(answer)
        powers = np.frexp(self.w_v[self.w_v != 0])[0]
        terms = (self.w_v != 0).astype(np.int64) @ (array != 0).astype(np.int64).T
        if not (powers == 0.5).all() or terms.max() > 1:
            raise InvalidArgument("w_v", "other weights", "one term per token, 0 or a power of two")
        if self.w_o.shape != (self.width, self.width) or (self.w_o != np.eye(self.width)).any():
            raise InvalidArgument("w_o", "another matrix", "the identity")
        object.__setattr__(self, "length", read_integer("length", self.length, least=2))
        object.__setattr__(self, "certificates", MappingProxyType(dict(self.certificates)))

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_modules": {}}

    @abstractmethod
    def rivals(self, table: LogitTable) -> Rivals:
        """The competition in the worst inputs of `table.lags` tokens of this construction."""

    @abstractmethod
    def claims(self) -> str:
        """The id of the claim behind the certificates."""

    @abstractmethod
    def malformed(self, prompts: Integers) -> tuple[NDArray[np.bool_], str]:
        """Mark inputs, `(sequences, length)` token numbers, that the head is not built for.

        Returns the mask `(sequences,)` and, in words, the inputs of that length that the head is built for.
        """

    def vocabulary(self) -> tuple[tuple[str, ...], Floats]:
        """The names of the tokens and their embeddings, `(tokens, width)`."""
        return self.tokens, self.embeddings

    def number(self, token: str) -> int:
        """A token's number in the vocabulary. Raises `InvalidArgument` for an unknown one."""
        if token not in self.tokens:
            raise InvalidArgument("token", token, "a token of the vocabulary")
        return self.tokens.index(token)

    def decode(
        self,
        prompt: Sequence[str],
        *,
        arithmetic: object = "float64",
        beyond_guarantee: bool = False,
    ) -> str:
        """The answer to one input of token names: the name of a direction in `answers`.

        Raises `InvalidArgument`, naming the guaranteed length for a longer input and what is wrong
        with a malformed one, unless `beyond_guarantee` asks for an answer that may be wrong.
        """
        if isinstance(prompt, str) or not len(prompt):
            raise InvalidArgument("prompt", prompt, "a non-empty list of token names")
        numbers = np.array([[self.number(token) for token in prompt]])
        if not beyond_guarantee:
            self._check("prompt", numbers, rounding.rounding_in(arithmetic).name)
        found = self.decode_numbers(numbers, arithmetic=arithmetic, beyond_guarantee=True)
        return self.answers[int(found[0])]

    def decode_numbers(
        self,
        prompts: ArrayLike,
        *,
        arithmetic: object = "float64",
        every_row: bool = False,
        beyond_guarantee: bool = False,
    ) -> Integers:
        """Places in `answers` of the answers to token numbers `(sequences, length)`.

        Shape `(sequences,)`, the answer at the last row; `(sequences, length)` with `every_row`,
        where each row is the end of an input. `arithmetic` is the type the weights, the embeddings
        and the head are run in; `beyond_guarantee` as in `decode`.
        Cost: one forward pass of `HeadModule`, and a bound for each new length. Raises as `decode`.
        """
        import torch

        name = rounding.rounding_in(arithmetic).name
        numbers = np.asarray(prompts)
        if numbers.ndim != 2 or not numbers.size or numbers.dtype.kind not in "iu":
            got = f"shape {numbers.shape}, dtype {numbers.dtype}"
            raise InvalidArgument("prompts", got, "token numbers (sequences, length)")
        if numbers.min() < 0 or numbers.max() >= len(self.tokens):
            raise InvalidArgument("prompts", "a number", f"token numbers below {len(self.tokens)}")
        if not beyond_guarantee:
            for end in range(1 if every_row else numbers.shape[1], numbers.shape[1] + 1):
                self._check("prompts", numbers[:, :end], name)
        assert self.directions is not None
        places = [self.directions.place(answer) for answer in self.answers]
        dtype = getattr(torch, name)
        if name not in self._modules:  # its weights are nobody else's to change
            self._modules[name] = self.to_module(dtype=dtype)
        module = self._modules[name]
        found = []
        with torch.no_grad():
            for part in np.array_split(numbers, max(1, numbers.size * self.width // 2**22)):
                x = torch.from_numpy(self.embeddings[part]).to(dtype)
                output = module(x)
                output = output + x if self.residual else output
                rows = output if every_row else output[:, -1]
                found.append(rows[..., places].argmax(-1).numpy())
        return np.concatenate(found)

    def _check(self, argument: str, prompts: Integers, arithmetic: str) -> None:
        """Raise `InvalidArgument` unless every answer to inputs `(sequences, length)` is guaranteed."""
        bad, allowed = self.malformed(prompts)
        if bad.any():
            got = [self.tokens[token] for token in prompts[int(bad.argmax())]]
            raise InvalidArgument(argument, got, f"{allowed}; {ASK}")
        length = max(prompts.shape[1], 2)
        known = arithmetic, length
        if known not in self._decodes:
            self._decodes[known] = self.bound(arithmetic, length=length).decodes
        if not self._decodes[known]:
            most = self.decode_length(arithmetic=arithmetic, most=length)
            allowed = f"at most {most} tokens, the length guaranteed in {arithmetic}; {ASK}"
            raise InvalidArgument(argument, f"{prompts.shape[1]} tokens", allowed)

    def table(self, arithmetic: object = None, *, length: int | None = None) -> LogitTable:
        """Logits at all lags below `length` and what a type does to them.

        With `arithmetic=None` the weights are run exactly. Cost: a certified scan of `length` lags
        per plane in use, remembered. Raises `InvalidArgument`.
        """
        lags = read_integer("length", self.length if length is None else length, least=2)
        return logit_table(self, self.embeddings, arithmetic, lags)

    def bound(self, arithmetic: object = None, *, length: int | None = None) -> DecodingBound:
        """What is guaranteed of every input of at most `length` tokens, by default `self.length`.

        `arithmetic` is a type's name or a torch dtype; None for exact arithmetic.
        Raises `InvalidArgument`.
        """
        table = self.table(arithmetic, length=length)
        rivals = self.rivals(table)
        moved, kept = self._limits(table.readout)
        grown = math.exp(min(2 * table.deviation, 700.0)) * rounding.SLACK

        def excess(value: float, limit: float) -> float:
            return value * grown / limit if limit > 0 else math.inf

        weight = table.readout / (1 + rivals.total * grown) / rounding.SLACK
        return DecodingBound(
            length=table.lags,
            margin=math.nextafter(rivals.gap - 2 * table.deviation * rounding.SLACK, -math.inf),
            deviation=table.deviation,
            amplitude=table.amplitude,
            weight=max(0.0, weight),
            excess=max(excess(rivals.moved, moved), excess(rivals.kept, kept)),
            inverse_temperature=self.inverse_temperature,
        )

    def decode_length(self, *, arithmetic: object = None, most: int = MOST) -> int:
        """The largest length up to `most` at which every input decodes, guaranteed; 0 if none.

        Guarantees are monotone: every shorter input decodes too. Only a head for absolute indices takes
        inputs of one length, so that it is `length` or 0. Cost: `log2(most)` bounds. Raises
        `InvalidArgument`.
        """
        most = read_integer("most", most, least=2)
        found = self._longest(arithmetic, most)
        return 0 if found is None else found.length

    def _longest(self, arithmetic: object, most: int) -> DecodingBound | None:
        """The bound at the length that `decode_length` returns; None if no length decodes."""
        good, bad, found = 0, most + 1, None
        probe = min(self.length, most)
        while good + 1 < bad and probe > 1:
            bound = self.bound(arithmetic, length=probe)
            if bound.decodes:
                good, found = probe, bound
            else:
                bad = probe
            probe = min(2 * good, most) if bad > most else (good + bad) // 2
        return found

    def certified(self) -> Self:
        """The same head with its certificates computed, by `claims()`."""
        found = {name: self._certificate(name) for name in ARITHMETICS}
        return replace(self, certificate=self._certificate(None), certificates=found)

    def _certificate(self, name: str | None) -> Certificate:
        found = self._longest(name, self.length)
        if found is None:
            return Certificate(self.claims(), {"length": 0, "weight": 0.0}, "certified", name)
        return found.certificate(self.claims(), name)

    def _limits(self, rho: float) -> tuple[float, float]:
        """Limits of the competition where the answer is another token, and where it is the query."""
        if rho <= 0:
            return 0.0, 0.0
        if not self.residual:
            return rho * rho / rounding.SLACK, rho * rho / rounding.SLACK
        least = (2 / rho - rho) / (2 * rho * rho + 2 / rho)
        return (2 * rho - 1) / rounding.SLACK, (1 / least - 1) / rounding.SLACK


def decode_length(head: DecodingHead, *, arithmetic: object = None, most: int = MOST) -> int:
    """Up to which length a head of this family decodes every input, guaranteed; 0 if none.

    In exact arithmetic, or in a type by its name or torch dtype; `most` is returned if the head
    decodes at `most`. The same as `head.decode_length`. Raises `InvalidArgument`.

    >>> from ropeproof.constructions.heads.index import index_head
    >>> head = index_head(4, 16, 64)
    >>> decode_length(head), decode_length(head, arithmetic="float32")
    (65, 65)
    """
    if not isinstance(head, DecodingHead):
        raise InvalidArgument("head", head, "a head made by one of the constructions that decode")
    return head.decode_length(arithmetic=arithmetic, most=most)
