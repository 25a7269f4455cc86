"""Compare the record of a certificate with a model, and say what was not compared.

Nothing that stands in the record is passed on unchecked. What a record is compared with is computed here,
from the model and the law, and it is these numbers that are shown in the end: a number of the record that
nothing compares is not shown, and one that is compared is shown as it was computed here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.certificate.expected import LawRows
from ropeproof.tools.certificate.first_layer import FirstLayer
from ropeproof.tools.certificate.law import TokenLaw, kept_law_of
from ropeproof.tools.certificate.record import (
    bounds_over_prompts,
    code_identity,
    entry_of,
    lower_bounds,
)
from ropeproof.tools.certificate.structure import UNITS, read_record
from ropeproof.tools.certificate.sums import contradictions

__all__ = ["Comparison", "check_record", "refuse_others"]

Integers = NDArray[np.int64]
Json = dict[str, Any]

_AGREE = 20
"""Most units by which a bound that is computed again may differ: another machine rounds otherwise."""
_AGREE_PROMPTS = 2
"""`_AGREE` for bounds over all prompts, where nothing is put into bins: a unit of rounding, and one more."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The outcome of comparing a record with a model.

    - `wrong`: in which points the record is false, one sentence each; none if nothing contradicts it.
    - `law`: the law of the certificate; `law_name`: what it is called by whoever read it elsewhere, or by
      the code that keeps a law with these counts; None if its counts are known from the record alone.
    - `computed`: `heads`, `long_rows` and `prompts` in the form of a record, all of it computed here. The
      means of `heads` are those over the law if `whole`; else those over the queries that were drawn.
    - `queries`, `long_rows`, `prompts`: how many were computed again, and how many the record has.
    - `mass`: how many of the law's tokens the queries of `computed["heads"]` are.
    - `not_compared`: what the record states beside that, in words.
    """

    wrong: tuple[str, ...]
    law: TokenLaw
    law_name: str | None
    computed: Mapping[str, Any]
    queries: tuple[int, int]
    long_rows: tuple[int, int]
    prompts: tuple[int, int]
    mass: int
    not_compared: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether all queries of the record were computed again, and with them its sums at every lag."""
        return self.queries[0] == self.queries[1]


def refuse_others(record: Mapping[str, Any], layer: FirstLayer) -> TokenLaw:
    """Check that a record is whole and about this model and this code, and return its law.

    Raises `InvalidArgument`, by name, for another form, model or code, and for a part that is missing,
    unknown or malformed.
    """
    found = read_record(record)
    model = found["model"]
    if model["rotation"] != layer.rotation():
        raise InvalidArgument(
            "model", layer.rotation(), f"that of the record, {_shown(model['rotation'])}"
        )
    if model["weights"] != layer.identity():
        raise InvalidArgument(
            "model",
            f"weights {layer.identity()[:16]}",
            f"those of the record, {_shown(model['weights'][:16])}",
        )
    if found["code"] != code_identity():
        allowed = f"that of the record, {_shown(found['code'][:16])}"
        raise InvalidArgument("code", f"code {code_identity()[:16]}", allowed)
    return TokenLaw.from_json(found["law"])


def check_record(
    record: Mapping[str, Any],
    layer: FirstLayer,
    *,
    law: TokenLaw | None = None,
    draw: int | None = 8,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Comparison:
    """Compares a record with the model that it is about.

    Sums that the record states twice are formed again. Of the law's queries `draw` are computed again, chosen
    by `seed`, or all of them for None; with all of them the means over the law are compared at every lag, and
    every named row and every bound over all prompts is computed again, else one of each. `law` is the law as
    somebody has read it elsewhere, from a text or a file.

    Raises `InvalidArgument` as `refuse_others` does, and for a record about another law than `law`.
    """
    own = refuse_others(record, layer)
    if draw is not None and draw < 1:
        raise InvalidArgument("draw", draw, "an integer >= 1")
    if law is not None:
        _refuse_other_law(own, law)
    known = kept_law_of(own) if law is None else law
    wrong = list(_of_the_model(record, layer))
    if known is not None and known.text != own.text:
        wrong.append(
            f"the law's text has the hash {_shown(own.text[:16])}; that of {known.name}, which has "
            f"the law's counts, is {known.text[:16]}"
        )
    wrong += contradictions(record, own)
    run = _Run(record, layer, own, random.Random(seed), progress)
    if not wrong:
        run.compare(draw)
    return Comparison(
        wrong=(*wrong, *run.wrong),
        law=own,
        law_name=None if known is None else known.name,
        computed=run.computed,
        queries=(run.queries, len(record["entries"])),
        long_rows=(len(run.computed["long_rows"]), len(record["long_rows"])),
        prompts=(len(run.computed["prompts"]), len(record["prompts"])),
        mass=run.mass,
        not_compared=tuple(run.left_out(known)),
    )


def _refuse_other_law(own: TokenLaw, law: TokenLaw) -> None:
    if law.text != own.text:
        got = f"{_shown(law.name)}, whose text has the hash {_shown(law.text[:16])}"
        raise InvalidArgument("law", got, f"that of the record, {_shown(own.text[:16])}")
    if law.identity() != own.identity():
        raise InvalidArgument("law", f"other counts in {_shown(law.name)}", "those of the record")


def _of_the_model(record: Mapping[str, Any], layer: FirstLayer) -> list[str]:
    stated = record["model"]
    return [
        f"{stated[key]} {what}, the model has {right}"
        for key, what, right in (
            ("heads", "heads", layer.heads),
            ("vocabulary", "tokens in the vocabulary", layer.vocabulary),
        )
        if stated[key] != right
    ]


class _Run:
    """One comparison: what was computed so far, and what it contradicts."""

    def __init__(
        self,
        record: Mapping[str, Any],
        layer: FirstLayer,
        law: TokenLaw,
        chance: random.Random,
        progress: Callable[[int, int], None],
    ) -> None:
        self.record, self.layer, self.law = record, layer, law
        self.chance, self.progress = chance, progress
        self.wrong: list[str] = []
        self.computed: Json = {"heads": [], "long_rows": [], "prompts": []}
        self.queries = self.mass = 0

    def compare(self, draw: int | None) -> None:
        """Computes queries, long rows and bounds over all prompts, and compares them."""
        record = self.record
        of = len(record["entries"])
        every = draw is None or draw >= of
        places = range(of) if every else sorted(self.chance.sample(range(of), draw or 0))
        parts = {
            part: record[part] if every or not record[part] else [self.chance.choice(record[part])]
            for part in ("long_rows", "prompts")
        }
        total = len(places) + sum(map(len, parts.values()))
        done = 0
        rows = LawRows(self.layer, self.law, record["lags"])
        sums = np.zeros((self.layer.heads, record["lags"]), dtype=np.int64)
        for place in places:
            self.progress(done, total)
            sums += int(self.law.counts[place]) * self._query(rows, place)
            done += 1
        self.queries = len(places)
        self.mass = int(self.law.counts[list(places)].sum())
        self._means(sums, every)
        long = LawRows(self.layer, self.law, record["long"])
        for part, compute in (("long_rows", self._long_row), ("prompts", self._prompts)):
            for one in parts[part]:
                self.progress(done, total)
                self.computed[part].append(compute(one, long if part == "long_rows" else rows))
                done += 1
        self.progress(done, total)

    def left_out(self, known: TokenLaw | None) -> list[str]:
        """Descriptions of what the record states and nothing was compared with."""
        record = self.record
        found = []
        missing = len(record["entries"]) - self.queries
        if missing:
            found.append(
                f"{missing} of {len(record['entries'])} queries, and so the record's means over the law"
            )
        for part, what in (
            ("long_rows", f"rows of {record['long']} keys"),
            ("prompts", "bounds over all prompts"),
        ):
            missing = len(record[part]) - len(self.computed[part])
            if missing:
                found.append(f"{missing} of {len(record[part])} {what}")
        if not record["long_rows"]:
            found.append("the length of long rows, of which there are none")
        if record["model"]["name"] != self.layer.name:
            found.append("the record's name of the model, which is not this one's")
        if known is None:
            found.append("the law's name and the hash of its text")
        elif record["law"]["name"] != known.name:
            found.append("the record's name of the law, which is not this one's")
        return found

    def _query(self, rows: LawRows, place: int) -> Integers:
        token = int(self.law.tokens[place])
        lower = lower_bounds(rows, token)
        found = entry_of(lower, self.record["kept_lags"])
        stated = self.record["entries"][place]
        for head, (new, old) in enumerate(zip(found, stated, strict=True)):
            # A slack is a sum over the lags.
            if _far(new[:-1], old[:-1]) or abs(new[-1] - old[-1]) > _AGREE + rows.lags:
                self.wrong.append(f"token {token}, head {head}: {old}, computed again {new}")
        return lower

    def _means(self, sums: Integers, every: bool) -> None:
        """Means over the queries that were computed; those of the whole law are compared at every lag."""
        of, lags = self.law.total if every else self.mass, self.record["lags"]
        for head, stated in enumerate(self.record["heads"]):
            lower = (sums[head] // of).tolist()
            slack = UNITS - sum(lower)
            self.computed["heads"].append({"head": head, "lower": lower, "slack": slack})
            if every:
                for lag, (new, old) in enumerate(zip(lower, stated["lower"], strict=True)):
                    if abs(new - old) > _AGREE:
                        self.wrong.append(f"head {head}, lag {lag}: {old}, computed again {new}")
                if abs(slack - stated["slack"]) > _AGREE + lags:
                    self.wrong.append(
                        f"head {head}: slack {stated['slack']}, computed again {slack}"
                    )
                continue
            # The other queries' bounds are at least 0.
            least = sums[head] - _AGREE * of
            for lag, old in enumerate(stated["lower"]):
                if (old + 1) * self.law.total <= least[lag]:
                    self.wrong.append(
                        f"head {head}, lag {lag}: {old}, less than the queries computed again have"
                    )

    def _long_row(self, one: Mapping[str, Any], rows: LawRows) -> Json:
        lower = lower_bounds(rows, one["token"])
        slack = UNITS - lower.sum(1)
        found = np.take_along_axis(lower, np.array(one["lags"]), 1)
        for head in range(len(lower)):
            apart = abs(int(slack[head]) - one["slack"][head])
            if _far(found[head], one["lower"][head]) or apart > _AGREE + rows.lags:
                self.wrong.append(
                    f"row of {rows.lags} keys, token {one['token']}, head {head}: "
                    f"{one['lower'][head]}, slack {one['slack'][head]}; computed again "
                    f"{found[head].tolist()}, slack {slack[head]}"
                )
        return {"token": one["token"], "slack": slack.tolist()}

    def _prompts(self, one: Mapping[str, Any], rows: LawRows) -> Json:
        found = bounds_over_prompts(self.layer, one["token"], rows.lags, self.record["kept_lags"])
        for head, (new, old) in enumerate(zip(found["heads"], one["heads"], strict=True)):
            if any(
                _far(new[key], old[key], _AGREE_PROMPTS) for key in ("lower", "upper", "own")
            ) or any(new[key] != old[key] for key in ("below_half", "below_hundredth")):
                self.wrong.append(
                    f"all prompts, token {one['token']}, head {head}: {dict(old)}, again {new}"
                )
        return found


def _far(found: Any, stated: Any, most: int = _AGREE) -> bool:
    a, b = np.array(found, dtype=np.int64), np.array(stated, dtype=np.int64)
    return a.shape != b.shape or bool((abs(a - b) > most).any())


def _shown(text: str) -> str:
    """A text from a record, escaped if a terminal might execute it, and not too long."""
    return text if text.isprintable() and len(text) < 200 else ascii(text[:200])
