"""The record of a certificate: made query by query, kept on the way, and checked again on drawn queries.

Numbers are integers in units of 1 / `UNITS`, rounded down. A lower bound of every lag's expected weight
is all that is kept: as weights add up to 1, the upper bound at a lag is `UNITS` less all the other lower
bounds, that is the lower bound plus the row's `slack`. Sums over the law are sums of integers with
integer counts, so exact.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.certificate.expected import LawRows
from ropeproof.tools.certificate.first_layer import FirstLayer
from ropeproof.tools.certificate.law import TokenLaw
from ropeproof.tools.certificate.prompts import over_prompts

__all__ = ["FORM", "UNITS", "Maker", "check_record", "code_identity", "refuse_others"]

Integers = NDArray[np.int64]
Json = dict[str, Any]

FORM = "ropeproof certificate 1"
UNITS = 10**7
_PILOTS, _KEPT = 16, 8
_AGREE = 20
"""Within how many units a bound that is computed again has to be: another machine rounds otherwise."""


def code_identity() -> str:
    """The SHA-256 of the code that bounds and record come from."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\n" + file.read_bytes())
    return digest.hexdigest()


def _down(values: Any) -> Integers:
    """In units, rounded down for certain."""
    result: Integers = np.floor(np.asarray(values) * (UNITS * (1 - 2.0**-50))).astype(np.int64)
    return np.maximum(result, 0)


def _up(values: Any) -> Integers:
    result: Integers = np.ceil(np.asarray(values) * (UNITS * (1 + 2.0**-50))).astype(np.int64)
    return np.minimum(result, UNITS)


def _lower(rows: LawRows, token: int) -> Integers:
    """The lower bounds behind a query, `(heads, lags)`, in units."""
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
        if lags < 2 or long < 2:
            raise InvalidArgument("lags", (lags, long), "integers >= 2")
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
        if kept is not None and kept.exists():
            self._read(kept)
        self._sums: Integers = np.array(self.state["sums"], dtype=np.int64)

    @property
    def pieces(self) -> int:
        """How many pieces of work there are."""
        return len(self.law.tokens) + 2 * len(self.named)

    @property
    def done(self) -> int:
        """How many of them are done."""
        return sum(len(self.state[name]) for name in ("entries", "long_rows", "prompts"))

    def step(self) -> bool:
        """The next piece: a named query, then the law's queries; False where there is none left."""
        state = self.state
        if state["kept_lags"] is None:
            state["kept_lags"] = self._pilot()
        if len(state["prompts"]) < len(self.named):
            state["prompts"].append(self._prompts(self.named[len(state["prompts"])]))
        elif len(state["long_rows"]) < len(self.named):
            state["long_rows"].append(self._long_row(self.named[len(state["long_rows"])]))
        elif len(state["entries"]) < len(self.law.tokens):
            place = len(state["entries"])
            lower = _lower(self.rows, int(self.law.tokens[place]))
            self._sums += int(self.law.counts[place]) * lower
            state["entries"].append(_entry(lower, state["kept_lags"]))
        return self.done < self.pieces

    def keep(self) -> None:
        """Writes what was found so far, whole or not at all."""
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
        """The record; `complete` says whether the law's queries are all in it.

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
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            run, state = data["run"], data["state"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InvalidArgument("kept", str(path), f"what a run has kept ({error})") from None
        if run != self._run():
            allowed = "what a run with this model, law, code and options has kept; or remove it"
            raise InvalidArgument("kept", str(path), allowed)
        self.state = state

    def _pilot(self) -> list[list[int]]:
        """The lags of each head that single queries are kept at: of most weight behind frequent ones."""
        sums = np.zeros((self.layer.heads, self.rows.lags), dtype=np.int64)
        for place in range(min(_PILOTS, len(self.law.tokens))):
            lower = _lower(self.rows, int(self.law.tokens[place]))
            sums += int(self.law.counts[place]) * lower
        best = np.argsort(-sums, axis=1, kind="stable")[:, :_KEPT]
        return [sorted(row) for row in best.tolist()]

    def _long_row(self, token: int) -> Json:
        lower = _lower(self.long, token)
        best = np.sort(np.argsort(-lower, axis=1, kind="stable")[:, :_KEPT], axis=1)
        return {
            "token": token,
            "lags": best.tolist(),
            "lower": np.take_along_axis(lower, best, 1).tolist(),
            "slack": (UNITS - lower.sum(1)).tolist(),
        }

    def _prompts(self, token: int) -> Json:
        return _prompts(self.layer, token, self.rows.lags, self.state["kept_lags"])


def _entry(lower: Integers, lags: list[list[int]]) -> list[list[int]]:
    """Of each head the lower bounds at its kept lags, and the slack of the row."""
    return [
        [*(int(row[lag]) for lag in kept), int(UNITS - row.sum())]
        for row, kept in zip(lower, lags, strict=True)
    ]


def _prompts(layer: FirstLayer, token: int, lags: int, kept: list[list[int]]) -> Json:
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


# -- checking ------------------------------------------------------------------------------


def refuse_others(record: Mapping[str, Any], layer: FirstLayer) -> TokenLaw:
    """The law of a record that is about this model and this code.

    Raises `InvalidArgument`, by name, for another form, model or code, or a law that is none.
    """
    if record.get("form") != FORM:
        raise InvalidArgument("record", f"the form {record.get('form')!r}", repr(FORM))
    model = record.get("model")
    stated = model if isinstance(model, Mapping) else {}
    weights = stated.get("weights")
    if stated.get("rotation") != layer.rotation():
        raise InvalidArgument(
            "model", layer.rotation(), f"that of the record, {stated.get('rotation')}"
        )
    if weights != layer.identity():
        raise InvalidArgument(
            "model", f"weights {layer.identity()[:16]}", f"those of the record, {str(weights)[:16]}"
        )
    if record.get("code") != code_identity():
        got = f"code {code_identity()[:16]}"
        raise InvalidArgument("code", got, f"that of the record, {str(record.get('code'))[:16]}")
    law = record.get("law")
    if not isinstance(law, Mapping):
        raise InvalidArgument("law", type(law).__name__, "name, text, tokens and counts")
    return TokenLaw.from_json(law)


def check_record(
    record: Mapping[str, Any],
    layer: FirstLayer,
    *,
    draw: int = 8,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[str]:
    """What is wrong with a record; nothing if all sums are right and drawn queries come out again.

    All sums over the law are formed again from the kept entries; `draw` of its queries, and one
    named query, are computed again. Raises `InvalidArgument` as `refuse_others`, and for a record with
    missing or malformed parts.
    """
    law = refuse_others(record, layer)
    if draw < 1:
        raise InvalidArgument("draw", draw, "an integer >= 1")
    try:
        wrong = _wrong_sums(record, law, layer)
        if wrong:
            return wrong
        return _wrong_entries(record, law, layer, draw, random.Random(seed), progress)
    except (KeyError, TypeError, IndexError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidArgument):
            raise
        raise InvalidArgument("record", repr(error), "all parts of a record") from None


def _wrong_sums(record: Mapping[str, Any], law: TokenLaw, layer: FirstLayer) -> list[str]:
    wrong = []
    entries, kept = record["entries"], record["kept_lags"]
    if record["units"] != UNITS:
        wrong.append(f"units {record['units']}, not {UNITS}")
    if record["queries"] != len(entries) or len(entries) > len(law.tokens):
        wrong.append(f"{len(entries)} entries for {record['queries']} queries")
        return wrong
    complete = len(entries) == len(law.tokens) and all(
        len(record[name]) == len(record["named"]) for name in ("long_rows", "prompts")
    )
    if record["complete"] is not complete:
        wrong.append(f"complete: {record['complete']}, of the entries {complete}")
    for name in ("long_rows", "prompts"):
        tokens = [one["token"] for one in record[name]]
        if tokens != record["named"][: len(tokens)]:
            wrong.append(f"{name} of the tokens {tokens}, not {record['named']}")
    counts = law.counts[: len(entries)]
    if record["mass"] != [int(counts.sum()), law.total]:
        wrong.append(
            f"mass {record['mass']} of the queries, which is {[int(counts.sum()), law.total]}"
        )
    if len(record["heads"]) != layer.heads or len(kept) != layer.heads:
        wrong.append(f"{len(record['heads'])} heads, not {layer.heads}")
        return wrong
    for head, stated in enumerate(record["heads"]):
        table = np.array([entry[head] for entry in entries], dtype=np.int64)
        table = table.reshape(len(entries), len(kept[head]) + 1)
        lower = np.array(stated["lower"], dtype=np.int64)
        if len(lower) != record["lags"] or (lower < 0).any():
            wrong.append(f"head {head}: {len(lower)} lags, not {record['lags']}")
            continue
        if stated["slack"] != UNITS - int(lower.sum()):
            wrong.append(f"head {head}: slack {stated['slack']}, not {UNITS - int(lower.sum())}")
        sums = (counts[:, None] * table).sum(0)
        for place, lag in enumerate(kept[head]):
            if lower[lag] != sums[place] // law.total:
                right = int(sums[place]) // law.total
                wrong.append(f"head {head}, lag {lag}: {lower[lag]}, the entries' sum {right}")
        # Rounding down once more, at each lag, is all by which slacks may differ.
        missing = law.total - int(counts.sum())
        least = (int(sums[-1]) + missing * UNITS) // law.total
        if not least <= stated["slack"] <= least + record["lags"] + 1:
            wrong.append(f"head {head}: slack {stated['slack']}, the entries' sum {least}")
    return wrong


def _far(found: Any, stated: Any) -> bool:
    a, b = np.array(found, dtype=np.int64), np.array(stated, dtype=np.int64)
    return a.shape != b.shape or bool((abs(a - b) > _AGREE).any())


def _wrong_entries(
    record: Mapping[str, Any],
    law: TokenLaw,
    layer: FirstLayer,
    draw: int,
    random_: random.Random,
    progress: Callable[[int, int], None],
) -> list[str]:
    wrong = []
    kept, entries = record["kept_lags"], record["entries"]
    rows = LawRows(layer, law, int(record["lags"]))
    places = sorted(random_.sample(range(len(entries)), min(draw, len(entries))))
    for done, place in enumerate(places):
        progress(done, len(places))
        token = int(law.tokens[place])
        found = _entry(_lower(rows, token), kept)
        for head, (new, old) in enumerate(zip(found, entries[place], strict=True)):
            lags = record["lags"]  # a slack is a sum over the lags
            if _far(new[:-1], old[:-1]) or abs(new[-1] - old[-1]) > _AGREE + lags:
                wrong.append(f"token {token}, head {head}: {old}, computed again {new}")
    for name in ("long_rows", "prompts"):
        stated = record[name]
        if not stated:
            continue
        one = stated[random_.randrange(len(stated))]
        if name == "prompts":
            again = _prompts(layer, int(one["token"]), rows.lags, kept)
            for head, (new, old) in enumerate(zip(again["heads"], one["heads"], strict=True)):
                parts = ("lower", "upper", "own")
                if any(_far(new[part], old[part]) for part in parts) or any(
                    new[part] != old[part] for part in ("below_half", "below_hundredth")
                ):
                    wrong.append(
                        f"all prompts, token {one['token']}, head {head}: {old}, again {new}"
                    )
        else:
            lower = _lower(LawRows(layer, law, int(record["long"])), int(one["token"]))
            new_lower = np.take_along_axis(lower, np.array(one["lags"]), 1)
            new_slack = UNITS - lower.sum(1)
            if (
                _far(new_lower, one["lower"])
                or (abs(new_slack - np.array(one["slack"])) > _AGREE + lower.shape[1]).any()
            ):
                wrong.append(
                    f"row of {record['long']} keys, token {one['token']}: not as computed again"
                )
    progress(len(places), len(places))
    return wrong
