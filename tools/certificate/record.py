"""The record of a certificate, made query by query, with unfinished work kept in a file.

Numbers are integers in units of 1 / `UNITS`, rounded down. A lower bound of every lag's expected weight
is all that is kept: as weights add up to 1, the upper bound at a lag is `UNITS` less all the other lower
bounds, that is the lower bound plus the row's `slack`. Sums over the law are sums of integers with
integer counts, so exact.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.certificate.expected import LawRows
from ropeproof.tools.certificate.first_layer import FirstLayer
from ropeproof.tools.certificate.law import TokenLaw
from ropeproof.tools.certificate.prompts import over_prompts
from ropeproof.tools.certificate.structure import (
    FORM,
    KEPT,
    MOST_KEYS,
    UNITS,
    check_state,
    parse_record,
)

__all__ = [
    "FORM",
    "UNITS",
    "Maker",
    "bounds_over_prompts",
    "code_identity",
    "entry_of",
    "lower_bounds",
]

Integers = NDArray[np.int64]
Json = dict[str, Any]

_PILOTS = 16
_REPORTS = frozenset({"__init__.py", "command.py", "make.py", "show.py", "verify.py"})
"""Files of this folder that compute nothing that is in a record: options, progress and what is printed."""


def code_identity() -> str:
    """The SHA-256 of the code that bounds and record come from."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        if file.name in _REPORTS:
            continue
        digest.update(file.name.encode() + b"\n" + file.read_bytes())
    return digest.hexdigest()


def _down(values: Any) -> Integers:
    """Values in units of `1 / UNITS`, rounded down for certain, at least 0."""
    result: Integers = np.floor(np.asarray(values) * (UNITS * (1 - 2.0**-50))).astype(np.int64)
    return np.maximum(result, 0)


def _up(values: Any) -> Integers:
    result: Integers = np.ceil(np.asarray(values) * (UNITS * (1 + 2.0**-50))).astype(np.int64)
    return np.minimum(result, UNITS)


def lower_bounds(rows: LawRows, token: int) -> Integers:
    """The lower bounds of the expected weights behind a query token, `(heads, lags)`, in units."""
    return _down([found.lower for found in rows.every_head(token)])


class Maker:
    """Makes the record of a model and a law, and goes on where an interrupted run stopped.

    `lags` keys a row for the law's queries, `long` for the `named` ones, the most frequent tokens; `kept`
    is the file of what was found so far. `step()` does the next piece of work and says whether there is
    more.
    """

    def __init__(
        self,
        layer: FirstLayer,
        law: TokenLaw,
        *,
        lags: int = 512,
        long: int = 2048,
        named: int = 8,
        kept: Path | None = None,
    ) -> None:
        if not (2 <= lags <= MOST_KEYS and 2 <= long <= MOST_KEYS):
            raise InvalidArgument("lags", (lags, long), f"integers from 2 to {MOST_KEYS}")
        if named < 0:
            raise InvalidArgument("named", named, "an integer >= 0")
        self.layer, self.law, self.kept = layer, law, kept
        self.rows = LawRows(layer, law, lags)
        self.long = LawRows(layer, law, long)
        self.named = [int(token) for token in law.tokens[:named]]
        self.head: Json = {
            "form": FORM,
            "model": {
                "name": layer.name,
                "weights": layer.identity(),
                "rotation": layer.rotation(),
                "heads": layer.heads,
                "vocabulary": layer.vocabulary,
            },
            "code": code_identity(),
            "law": law.as_json(),
            "units": UNITS,
            "lags": lags,
            "long": long,
            "named": self.named,
        }
        self.state: Json = {
            "entries": [],
            "sums": np.zeros((layer.heads, lags), dtype=np.int64).tolist(),
            "kept_lags": None,
            "long_rows": [],
            "prompts": [],
        }
        self.resumed = 0
        """How many pieces were read from `kept`, and not computed by this run."""
        if kept is not None and kept.exists():
            self._read(kept)
        self._sums: Integers = np.array(self.state["sums"], dtype=np.int64)

    @property
    def pieces(self) -> int:
        """How many pieces of work there are."""
        return len(self.law.tokens) + 2 * len(self.named)

    @property
    def done(self) -> int:
        """How many pieces of work are done."""
        return sum(len(self.state[name]) for name in ("entries", "long_rows", "prompts"))

    def step(self) -> bool:
        """Do the next piece of work: named queries, then the law's; False if none is left."""
        state = self.state
        if state["kept_lags"] is None:
            state["kept_lags"] = self._pilot()
        if len(state["prompts"]) < len(self.named):
            state["prompts"].append(self._prompts(self.named[len(state["prompts"])]))
        elif len(state["long_rows"]) < len(self.named):
            state["long_rows"].append(self._long_row(self.named[len(state["long_rows"])]))
        elif len(state["entries"]) < len(self.law.tokens):
            place = len(state["entries"])
            lower = lower_bounds(self.rows, int(self.law.tokens[place]))
            self._sums += int(self.law.counts[place]) * lower
            state["entries"].append(entry_of(lower, state["kept_lags"]))
        return self.done < self.pieces

    def keep(self) -> None:
        """Write what was found so far into the file `kept`, whole or not at all."""
        if self.kept is None:
            return
        self.state["sums"] = self._sums.tolist()
        text = json.dumps({"run": self._run(), "state": self.state})
        part = self.kept.with_name(self.kept.name + ".part")
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(self.kept)
        except OSError as error:
            raise InvalidArgument("kept", str(self.kept), f"a file ({error.strerror})") from None

    def record(self) -> Json:
        """The record of what was found so far; `complete` says whether all pieces of work are done.

        An upper bound over the law counts every query that is missing as anything from 0 to 1.
        """
        done = len(self.state["entries"])
        total, seen = self.law.total, int(self.law.counts[:done].sum())
        lower = self._sums // total
        slack = UNITS - lower.sum(1)
        return self.head | {
            "complete": self.done == self.pieces,
            "queries": done,
            "mass": [seen, total],
            "kept_lags": self.state["kept_lags"],
            "heads": [
                {"head": head, "lower": lower[head].tolist(), "slack": int(slack[head])}
                for head in range(self.layer.heads)
            ],
            "entries": self.state["entries"],
            "long_rows": self.state["long_rows"],
            "prompts": self.state["prompts"],
        }

    def _run(self) -> str:
        text = json.dumps(self.head, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def _read(self, path: Path) -> None:
        allowed = "what a run with this model, law, code and options has kept; or remove it"
        try:
            data = parse_record(path.read_text(encoding="utf-8"), name="kept")
            run, state = data["run"], data["state"]
            if run != self._run():
                raise InvalidArgument("kept", str(path), allowed)
            self._look_at(state)
        except InvalidArgument as error:
            if error.argument == "kept":
                raise
            raise InvalidArgument("kept", f"{path}: {error}", allowed) from None
        except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
            raise InvalidArgument("kept", f"{path}: {error!r}", allowed) from None
        self.state = state
        self.resumed = self.done

    def _look_at(self, state: Json) -> None:
        """Raise an error if the state that an earlier run kept does not have the right form."""
        if set(state) != set(self.state):
            raise KeyError("other keys")
        sums = np.array(state["sums"])
        if sums.dtype != np.int64 or sums.shape != (self.layer.heads, self.rows.lags):
            raise ValueError("sums")
        if state["kept_lags"] is None:
            if state["entries"] or state["long_rows"] or state["prompts"]:
                raise KeyError("kept_lags")
            return
        check_state(state, heads=self.layer.heads, lags=self.rows.lags, long=self.long.lags)
        if len(state["entries"]) > len(self.law.tokens):
            raise ValueError("more entries than tokens")
        seen = int(self.law.counts[: len(state["entries"])].sum())
        if (sums < 0).any() or (sums.sum(1) > seen * UNITS).any():
            raise ValueError("sums")
        for part in ("long_rows", "prompts"):
            tokens = [one["token"] for one in state[part]]
            if tokens != self.named[: len(tokens)]:
                raise ValueError(part)

    def _pilot(self) -> list[list[int]]:
        """The lags of each head at which single queries are kept: those of most weight.

        The weight is that behind the law's most frequent tokens.
        """
        sums = np.zeros((self.layer.heads, self.rows.lags), dtype=np.int64)
        for place in range(min(_PILOTS, len(self.law.tokens))):
            lower = lower_bounds(self.rows, int(self.law.tokens[place]))
            sums += int(self.law.counts[place]) * lower
        best = np.argsort(-sums, axis=1, kind="stable")[:, :KEPT]
        return [sorted(row) for row in best.tolist()]

    def _long_row(self, token: int) -> Json:
        lower = lower_bounds(self.long, token)
        best = np.sort(np.argsort(-lower, axis=1, kind="stable")[:, :KEPT], axis=1)
        return {
            "token": token,
            "lags": best.tolist(),
            "lower": np.take_along_axis(lower, best, 1).tolist(),
            "slack": (UNITS - lower.sum(1)).tolist(),
        }

    def _prompts(self, token: int) -> Json:
        found: Json = bounds_over_prompts(
            self.layer, token, self.rows.lags, self.state["kept_lags"]
        )
        return found


def entry_of(lower: Integers, lags: list[list[int]]) -> list[list[int]]:
    """A record's entry of one query: per head the lower bounds at kept lags, and the row's slack.

    `lower` is `(heads, lags)` in units; `lags` are the kept ones of each head.
    """
    return [
        [*(int(row[lag]) for lag in kept), int(UNITS - row.sum())]
        for row, kept in zip(lower, lags, strict=True)
    ]


def bounds_over_prompts(layer: FirstLayer, token: int, lags: int, kept: list[list[int]]) -> Json:
    """A record's bounds of one named query token over all prompts of `lags` keys, in units.

    For each head: the bounds at the `kept` lags, those of the query's own key (`own`), and at how many
    lags the upper bound is below 1/2 and below 1/100.
    """
    found = over_prompts(layer, token, lags=lags)
    lower, upper = _down(found.lower), _up(found.upper)
    heads = []
    for head, places in enumerate(kept):
        heads.append(
            {
                "lower": lower[head, places].tolist(),
                "upper": upper[head, places].tolist(),
                "below_half": int((upper[head] < UNITS // 2).sum()),
                "below_hundredth": int((upper[head] < UNITS // 100).sum()),
                "own": [int(lower[head, 0]), int(upper[head, 0])],
            }
        )
    return {"token": token, "heads": heads}
