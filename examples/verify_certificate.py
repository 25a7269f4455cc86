"""Checks the record of `ropeproof certificate make` by other means: this program uses NumPy and gguf alone.

    python examples/verify_certificate.py FILE MODEL.gguf [--draw 3|all] [--seed 0] [--law FILE]

It looks at every part of the record (a missing or unknown key, a number of another type or out of range is
refused), reads the model anew (its own norm, projections and rotation), compares the hash of the stored
numbers, the rotation and the sizes, forms all sums of the record again in Python's integers, and computes
the expected weights behind drawn queries by a quadrature of `integral of -L_t'(v) prod L_u(v) dv` in ln v
with all the law's tokens, without bins; of one named query the least and the largest weights over all
prompts, too. With `--draw all` it does so for every query, named row and bound, and compares every head's
mean over the law at every lag. A value outside the enclosure that the record states by more than
`TOLERANCE` contradicts it.

It prints no number of the record that it has not compared, and says in the end what it compared, and what
it did not. Exit 0: nothing contradicts the record; 1: something does; 2: another model or law, no record, or
a model that this program does not compute: it knows the layers of GGUF files of architecture `llama` without
biases, norms of queries and keys, or scaling.

The quadrature is accurate, and its error not proven: what is proven is the enclosure, and this is its
witness.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import secrets
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE, ROUNDING = 2e-6, 3e-7
"""Of expected weights, which a quadrature gives; of bounds over all prompts, which are rounded alone."""
FORM, UNITS, KEPT = "ropeproof certificate 1", 10**7, 8
MOST = 1 << 17
"""Keys of a row."""
POINTS, DECADES = 400, (-7.0, 7.0)
"""Of the quadrature: points, and the powers of ten of v, in units of the inverse mean sum of rates."""


class OtherLayer(Exception):
    """A layer that this program does not compute."""


class NoRecord(Exception):
    """What is not the record of this model, or no record at all."""


class Model:
    """The first layer of a llama's GGUF file: rows of queries and keys lie by plane."""

    def __init__(self, path: str) -> None:
        from gguf import GGUFReader, dequantize

        if not Path(path).is_file():
            raise OtherLayer(f"{path}, which is no GGUF file")
        reader = GGUFReader(path)
        kind = reader.get_field("general.architecture").contents()
        if kind != "llama":
            raise OtherLayer(f"layers of {kind}")
        tensors = {tensor.name: tensor for tensor in reader.tensors}
        more = [
            name
            for name in tensors
            if name.startswith("blk.0.attn_")
            and name.endswith(("q.bias", "k.bias", "_norm.weight"))
        ]
        others = sorted({*more} - {"blk.0.attn_norm.weight"})
        if others:
            raise OtherLayer(f"layers with {others[0]}")
        names = ("token_embd", "blk.0.attn_norm", "blk.0.attn_q", "blk.0.attn_k")
        arrays = []
        for name in names:
            tensor = tensors[f"{name}.weight"]
            arrays.append(dequantize(tensor.data, tensor.tensor_type).astype("<f4"))
        self.embedding, self.norm, self.query, self.key = arrays

        def number(name: str) -> Any:
            return reader.get_field(f"llama.{name}").contents()

        self.eps = float(number("attention.layer_norm_rms_epsilon"))
        self.base = float(number("rope.freq_base"))
        self.heads = int(number("attention.head_count"))
        self.key_heads = int(number("attention.head_count_kv"))
        self.dim = len(self.query) // self.heads
        digest = hashlib.sha256()
        for array in arrays:
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(np.array([self.eps], dtype="<f8").tobytes())
        self.weights = digest.hexdigest()
        self.name = Path(path).name
        scaling = reader.get_field("llama.rope.scaling.type")
        if any(name.startswith("rope_f") for name in tensors) or (
            scaling is not None and scaling.contents() != "none"
        ):
            raise OtherLayer("frequencies that are scaled")
        turned = reader.get_field("llama.rope.dimension_count")
        if turned is not None and int(turned.contents()) != self.dim:
            raise OtherLayer("heads that are rotated in part")
        context = reader.get_field("llama.context_length")
        length = None if context is None else int(context.contents())
        self.rotation = (
            f"RopeSpec(head_dim={self.dim}, base={Fraction(self.base)}, rotary_dim={self.dim}, "
            f"layout='half', scaling=None, length={length})"
        )

    def normed(self, tokens: Any) -> np.ndarray:
        rows = self.embedding[tokens].astype(float)
        return rows / np.sqrt((rows**2).mean(1, keepdims=True) + self.eps) * self.norm

    def logits(self, head: int, query: int, tokens: Any, lags: int) -> np.ndarray:
        """`(lags, tokens)`: each key turned by minus the lag, and its product with the query."""
        rows = slice(head * self.dim, (head + 1) * self.dim)
        q = self.query[rows].astype(float) @ self.normed([query])[0]
        group = head // (self.heads // self.key_heads)
        rows = slice(group * self.dim, (group + 1) * self.dim)
        keys = self.normed(tokens) @ self.key[rows].astype(float).T
        first, second = keys[:, 0::2], keys[:, 1::2]
        angles = np.arange(lags)[:, None] * self.base ** (-np.arange(0, self.dim, 2) / self.dim)
        result = np.empty((lags, len(keys)))
        for lag, angle in enumerate(angles):
            cosine, sine = np.cos(angle), np.sin(angle)
            # A key `lag` places before the query, seen from it.
            x, y = first * cosine + second * sine, second * cosine - first * sine
            result[lag] = x @ q[0::2] + y @ q[1::2]
        return result / np.sqrt(self.dim)


def expected(
    model: Model, head: int, query: int, tokens: Any, chances: Any, lags: int
) -> np.ndarray:
    """Expected weights by quadrature, `(lags,)`; the key of lag 0 is the query's own token."""
    logits = model.logits(head, query, tokens, lags)
    logits[0] = model.logits(head, query, [query], 1)[0, 0]
    mean = (np.exp(logits) @ chances).sum()
    rates = np.exp(logits) / mean
    result = np.zeros(lags)
    steps = np.linspace(*DECADES, POINTS) * np.log(10)
    for point in np.exp(steps):
        terms = np.exp(-rates * point)
        transform = terms @ chances
        slope = (terms * rates) @ chances
        product = np.exp(np.log(np.maximum(transform, 1e-300)).sum())
        if product > 1e-14:
            result += product * slope / transform * point
    return result * (steps[1] - steps[0])


def extremes(model: Model, head: int, query: int, lags: int) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest weight of each lag over all prompts."""
    parts = []
    for start in range(0, len(model.embedding), 4096):
        block = np.arange(start, min(start + 4096, len(model.embedding)))
        logits = model.logits(head, query, block, lags)
        parts.append((logits.min(1), logits.max(1)))
    least, largest = np.min([p[0] for p in parts], 0), np.max([p[1] for p in parts], 0)
    least[0] = largest[0] = model.logits(head, query, [query], 1)[0, 0]
    low, high = np.exp(least), np.exp(largest)
    return low / (low + high.sum() - high), high / (high + low.sum() - low)


def parsed(text: str) -> Any:
    """The JSON value of a text in which no key stands twice, without NaN and infinities."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) != len(pairs):
            raise NoRecord("a key stands twice in it")
        return dict(pairs)

    def refused(constant: str) -> None:
        raise NoRecord(f"{constant} stands in it")

    return json.loads(text, object_pairs_hook=once, parse_constant=refused)


NAMES = {
    "record": "form model code law units lags long named complete queries mass kept_lags heads entries "
    "long_rows prompts",
    "model": "name weights rotation heads vocabulary",
    "law": "name text tokens counts",
    "heads": "head lower slack",
    "long_rows": "token lags lower slack",
    "prompts": "token heads",
    "bounds": "lower upper below_half below_hundredth own",
}


def keyed(value: Any, part: str) -> None:
    """Raises for an object that has not the keys of this part of a record, all of them and no other."""
    if not isinstance(value, dict) or set(value) != set(NAMES[part].split()):
        raise NoRecord(f"{part} has not the keys {NAMES[part]}")


def whole(values: Any, least: int, most: int, part: str, *shape: int | None) -> None:
    """Raises for anything but integers within bounds, in lists of lists of this shape."""
    if not shape:
        if type(values) is not int or not least <= values <= most:
            raise NoRecord(f"{part} has {str(values)[:40]!r}, no integer from {least} to {most}")
        return
    if not isinstance(values, list) or (shape[0] is not None and len(values) != shape[0]):
        raise NoRecord(f"{part} is no list of {shape[0] or 'integers'}")
    for value in values:
        whole(value, least, most, part, *shape[1:])


def rising(lists: Any, part: str) -> None:
    """Raises where one of several lists is not in rising order."""
    if any(one != sorted(set(one)) for one in lists):
        raise NoRecord(f"{part}: not in rising order")


def look(record: Any) -> None:
    """Raises `NoRecord` for a record that has another form than `make` writes."""
    keyed(record, "record")
    keyed(record["model"], "model")
    keyed(record["law"], "law")
    model, law = record["model"], record["law"]
    texts = (
        record["code"],
        model["name"],
        model["weights"],
        model["rotation"],
        law["name"],
        law["text"],
    )
    if record["form"] != FORM or not all(isinstance(text, str) for text in texts):
        raise NoRecord(f"it is not of the form {FORM}, or a name or hash is no text")
    whole(model["heads"], 1, 1 << 16, "model")
    whole(model["vocabulary"], 1, 1 << 32, "model")
    whole(law["tokens"], 0, 1 << 32, "tokens", None)
    many = len(law["tokens"])
    whole(law["counts"], 1, 1 << 39, "counts", many)
    pairs = [(-count, token) for count, token in zip(law["counts"], law["tokens"], strict=True)]
    if not many or pairs != sorted(pairs) or len(set(law["tokens"])) != many:
        raise NoRecord("its law has not the most frequent tokens first, each once")
    total = sum(law["counts"])
    whole(total, 1, (1 << 39) - 1, "the sum of counts")
    whole(record["units"], UNITS, UNITS, "units")
    whole([record["lags"], record["long"]], 2, MOST, "lags and long", 2)
    whole(record["named"], 0, 1 << 32, "named", None)
    whole(record["queries"], 0, many, "queries")
    whole(record["mass"], 0, total, "mass", 2)
    if type(record["complete"]) is not bool:
        raise NoRecord("complete is neither true nor false")
    heads, lags, long = model["heads"], record["lags"], record["long"]
    kept = min(KEPT, lags)
    whole(record["kept_lags"], 0, lags - 1, "kept_lags", heads, kept)
    rising(record["kept_lags"], "kept_lags")
    whole(record["entries"], 0, UNITS, "entries", None, heads, kept + 1)
    look_at_bounds(record, heads, lags, long)


def look_at_bounds(record: Any, heads: int, lags: int, long: int) -> None:
    """Raises `NoRecord` for means over the law, long rows or bounds over all prompts of another form."""
    kept, kept_long = min(KEPT, lags), min(KEPT, long)
    if not all(isinstance(record[part], list) for part in ("heads", "long_rows", "prompts")):
        raise NoRecord("heads, long_rows or prompts is no list")
    if len(record["heads"]) != heads:
        raise NoRecord(f"it has {len(record['heads'])} heads, not {heads}")
    for place, stated in enumerate(record["heads"]):
        keyed(stated, "heads")
        whole(stated["head"], place, place, "the number of a head")
        whole(stated["lower"], 0, UNITS, "heads", lags)
        whole(stated["slack"], 0, UNITS, "heads")
    for row in record["long_rows"]:
        keyed(row, "long_rows")
        whole(row["token"], 0, 1 << 32, "long_rows")
        whole(row["lags"], 0, long - 1, "long_rows", heads, kept_long)
        rising(row["lags"], "long_rows")
        whole(row["lower"], 0, UNITS, "long_rows", heads, kept_long)
        whole(row["slack"], 0, UNITS, "long_rows", heads)
    for one in record["prompts"]:
        keyed(one, "prompts")
        whole(one["token"], 0, 1 << 32, "prompts")
        if not isinstance(one["heads"], list) or len(one["heads"]) != heads:
            raise NoRecord(f"prompts have not {heads} heads")
        for bounds in one["heads"]:
            keyed(bounds, "bounds")
            whole([bounds["lower"], bounds["upper"]], 0, UNITS, "prompts", 2, kept)
            whole(bounds["own"], 0, UNITS, "prompts", 2)
            whole([bounds["below_half"], bounds["below_hundredth"]], 0, lags, "prompts", 2)


def wrong_sums(record: dict[str, Any]) -> list[str]:
    """What the record states twice, and not alike: sums over the law, slacks, numbers of queries."""
    counts, tokens = record["law"]["counts"], record["law"]["tokens"]
    total, entries, named = sum(counts), record["entries"], record["named"]
    if len(entries) > len(counts):
        return ["more queries than the law has tokens"]
    rest = total - sum(counts[: len(entries)])
    wrong = []
    if record["mass"] != [total - rest, total] or record["queries"] != len(entries):
        wrong.append("the mass of the queries")
    if named != tokens[: len(named)]:
        wrong.append("the named queries are not the most frequent tokens")
    ended = rest == 0
    for part in ("long_rows", "prompts"):
        ended = ended and len(record[part]) == len(named)
        if [one["token"] for one in record[part]] != named[: len(record[part])]:
            wrong.append(f"{part} are not those of the named queries")
    if record["complete"] is not ended:
        wrong.append("whether the record is complete")
    for head, stated in enumerate(record["heads"]):
        kept = record["kept_lags"][head]
        left = 0
        for token, count, entry in zip(tokens, counts, entries, strict=False):
            left += count * (UNITS - sum(entry[head]))
            if sum(entry[head]) > UNITS:
                wrong.append(f"token {token}, head {head}: bounds and slack above 1 together")
        for place, lag in enumerate([*kept, None]):
            total_here = sum(c * e[head][place] for c, e in zip(counts, entries, strict=False))
            if lag is None:
                least = (total_here + rest * UNITS) // total
                good = least <= stated["slack"] <= least + record["lags"] + 1
            else:
                good = stated["lower"][lag] == total_here // total
            if not good:
                wrong.append(
                    f"head {head}: the sum at {'the slack' if lag is None else f'lag {lag}'}"
                )
        for lag, bound in enumerate(stated["lower"]):
            if lag not in kept and bound * total > left:
                wrong.append(f"head {head}: more at lag {lag} than the queries leave to it")
        if sum(stated["lower"]) + stated["slack"] != UNITS:
            wrong.append(f"head {head}: lower bounds and slack do not add up to 1")
    return wrong


def outside(found: np.ndarray, lower: Any, slack: int) -> bool:
    """Whether a weight is not in its enclosure, from `lower` to `lower + slack` in units."""
    least = np.array(lower) / UNITS
    most = least + slack / UNITS
    return bool((found < least - TOLERANCE).any() or (found > most + TOLERANCE).any())


class Check:
    """A record beside a model: what of it was computed again, and what is wrong with it."""

    def __init__(self, record: dict[str, Any], model: Model, draw: int | None, seed: int) -> None:
        self.record, self.model, self.wrong = record, model, []
        law = record["law"]
        self.tokens, counts = np.array(law["tokens"]), np.array(law["counts"], dtype=float)
        self.chances = counts / counts.sum()
        of = len(record["entries"])
        self.chosen, self.every = random.Random(seed), draw is None or draw >= of
        self.drawn = range(of) if self.every else sorted(self.chosen.sample(range(of), draw or 0))
        self.rows = self.bounds = 0

    def all(self) -> None:
        """Queries of the law, then named ones in rows with more keys, and over all prompts."""
        self.queries()
        heads = list(range(self.model.heads))
        for part, check in (("long_rows", self.long_row), ("prompts", self.prompts)):
            stated = self.record[part]
            some = stated if self.every or not stated else [self.chosen.choice(stated)]
            for one in some:
                check(one, heads if self.every else [self.chosen.choice(heads)])

    def queries(self) -> None:
        """The drawn queries; with all of them the means over the law, at every lag."""
        record, lags = self.record, self.record["lags"]
        means = np.zeros((self.model.heads, lags))
        for place in self.drawn:
            token = int(self.tokens[place])
            for head, entry in enumerate(record["entries"][place]):
                found = expected(self.model, head, token, self.tokens, self.chances, lags)
                means[head] += self.chances[place] * found
                kept = found[record["kept_lags"][head]]
                if outside(kept, entry[:-1], entry[-1]):
                    self.wrong.append(f"token {token}, head {head}: {kept} not in {entry}")
        if not self.every:
            return
        # Queries that are missing count as anything from 0 to 1.
        missing = 1 - self.chances[: len(record["entries"])].sum()
        for head, stated in enumerate(record["heads"]):
            lower, upper = means[head], means[head] + missing
            least = np.array(stated["lower"]) / UNITS
            most = least + stated["slack"] / UNITS
            for lag in np.flatnonzero((lower < least - TOLERANCE) | (upper > most + TOLERANCE)):
                self.wrong.append(
                    f"head {head}, lag {lag}: {lower[lag]:.7f} not in {least[lag]:.7f} to {most[lag]:.7f}"
                )

    def long_row(self, one: dict[str, Any], heads: list[int]) -> None:
        """A named query in a row with more keys."""
        self.rows += 1
        for head in heads:
            found = expected(
                self.model, head, one["token"], self.tokens, self.chances, self.record["long"]
            )[one["lags"][head]]
            if outside(found, one["lower"][head], one["slack"][head]):
                self.wrong.append(
                    f"{self.record['long']} keys, token {one['token']}, head {head}: {found}"
                )

    def prompts(self, one: dict[str, Any], heads: list[int]) -> None:
        """The least and the largest weights over all prompts behind a named query."""
        self.bounds += 1
        for head in heads:
            stated, kept = one["heads"][head], self.record["kept_lags"][head]
            low, high = extremes(self.model, head, one["token"], self.record["lags"])
            pairs = (
                (stated["lower"], low[kept]),
                (stated["upper"], high[kept]),
                (stated["own"], np.array([low[0], high[0]])),
            )
            good = all((abs(np.array(a) / UNITS - b) < ROUNDING).all() for a, b in pairs)
            for key, most in (("below_half", 0.5), ("below_hundredth", 0.01)):
                least = int((high < most - ROUNDING).sum())
                good = good and least <= stated[key] <= int((high < most + ROUNDING).sum())
            if not good:
                self.wrong.append(
                    f"all prompts, token {one['token']}, head {head}: {low[kept]}, {high[kept]}"
                )


def others(record: dict[str, Any], model: Model, law: dict[str, Any] | None) -> None:
    """Raises for the record of another model, or of another law than that of a file."""
    stated = record["model"]
    for part in ("weights", "rotation"):
        if stated[part] != getattr(model, part):
            raise NoRecord(f"another model: {part} {getattr(model, part)[:90]}")
    if law is not None:
        pairs = [
            dict(zip(one["tokens"], one["counts"], strict=True)) for one in (law, record["law"])
        ]
        if pairs[0] != pairs[1] or law["text"] != record["law"]["text"]:
            raise NoRecord("another law")


def compared(check: Check, law: dict[str, Any] | None) -> list[str]:
    """What was compared, and what was not."""
    record, heads = check.record, check.model.heads
    of, drawn, some = (
        len(record["entries"]),
        len(check.drawn),
        "all heads" if check.every else "a head",
    )
    parts = ["weights, rotation, heads and vocabulary of the model", "sums, slacks and masses"]
    parts.append(f"{drawn} of {of} queries in {heads} heads, at the lags kept")
    if check.every:
        parts.append(f"the mean of each head at all {record['lags']} lags")
    for count, part, what in (
        (check.rows, "long_rows", f"rows of {record['long']} keys"),
        (check.bounds, "prompts", "bounds over all prompts"),
    ):
        if record[part]:
            parts.append(f"{count} of {len(record[part])} {what}, {some} of each")
    rest = ["the hash of the code"]
    if not check.every:
        rest.append(
            "the other queries, rows, bounds and heads, and the means over the law (--draw all)"
        )
    if not record["long_rows"]:
        rest.append("the length of long rows, of which there are none")
    if record["model"]["name"] != check.model.name:
        rest.append("the record's name of the model, which is another than the file's")
    if law is None:
        rest.append("the law's name and the hash of its text (--law)")
    elif law["name"] != record["law"]["name"]:
        rest.append("the record's name of the law, which is another than the file's")
    return [f"compared: {'; '.join(parts)}", f"not compared: {'; '.join(rest)}"]


def number(text: str) -> int | None:
    """A count of queries, or None for all of them."""
    if text == "all":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("an integer >= 1, or all")
    return int(text)


def main() -> int:
    """Read, compare, say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("record", type=Path)
    parser.add_argument("model")
    parser.add_argument("--draw", type=number, default=3, help="how many queries, or all")
    parser.add_argument("--seed", type=int, help="which queries; others each time")
    parser.add_argument("--law", type=Path, help="the law that the record has to be about, JSON")
    options = parser.parse_args()
    seed = secrets.randbits(32) if options.seed is None else options.seed
    try:
        record = parsed(options.record.read_text(encoding="utf-8"))
        look(record)
        law = None if options.law is None else parsed(options.law.read_text(encoding="utf-8"))
        if law is not None:
            keyed(law, "law")
        model = Model(options.model)
        others(record, model, law)
        wrong = wrong_sums(record)
        for part, right in (("heads", model.heads), ("vocabulary", len(model.embedding))):
            if record["model"][part] != right:
                wrong.append(f"{part}: the model has {right}")
        if max(record["law"]["tokens"]) >= len(model.embedding):
            wrong.append("tokens that the model does not have")
        check = Check(record, model, options.draw, seed)
        if not wrong:
            check.all()
            wrong = check.wrong
    except OtherLayer as other:
        print(f"{other}: this program does not compute them", file=sys.stderr)
        return 2
    except NoRecord as error:
        print(f"no record of this model: {error}", file=sys.stderr)
        return 2
    except (
        *(OSError, ValueError, KeyError, TypeError, IndexError, AttributeError),
        *(OverflowError, RecursionError, MemoryError),
    ) as error:
        print(f"no record, or no model: {repr(error)[:200]}", file=sys.stderr)
        return 2
    if wrong:
        print("\n".join([f"{options.record.name} is false:", *(line[:300] for line in wrong[:20])]))
        return 1
    said = [f"nothing contradicts {options.record.name} (--seed {seed})", *compared(check, law)]
    print("\n".join(said))
    return 0


if __name__ == "__main__":
    sys.exit(main())
