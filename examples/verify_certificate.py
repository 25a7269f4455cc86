"""Checks the record of `ropeproof certificate make` by other means: this program uses NumPy and gguf alone.

    python examples/verify_certificate.py FILE MODEL.gguf [--draw 3] [--seed 0]

It reads the model anew (its own norm, projections and rotation), compares the hash of the stored numbers,
forms all sums of the record again in Python's integers, and computes the expected weights behind drawn
queries by a quadrature of `integral of -L_t'(v) prod L_u(v) dv` in ln v with all the law's tokens,
without bins; of one named query the least and the largest weights over all prompts, too. A value outside
the enclosure that the record states by more than `TOLERANCE` contradicts it. Exit 0: nothing does; 1:
something does; 2: another model, no record, or a model that this program does not compute: it knows the
layers of GGUF files of architecture `llama` without biases, norms of queries and keys, or scaling.

The quadrature is accurate, and its error not proven: what is proven is the enclosure, and this is its
witness.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE = 2e-6
POINTS, DECADES = 400, (-7.0, 7.0)
"""Of the quadrature: points, and the powers of ten of v, in units of the inverse mean sum of rates."""


class OtherLayer(Exception):
    """A layer that this program does not compute."""


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
        self.extra = any(name.startswith("rope_f") for name in tensors)

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


def wrong_sums(record: dict[str, Any]) -> list[str]:
    """Sums over the law that are not those of the entries."""
    units, counts = record["units"], record["law"]["counts"]
    total, entries = sum(counts), record["entries"]
    rest = total - sum(counts[: len(entries)])
    wrong = []
    if record["mass"] != [total - rest, total] or record["queries"] != len(entries):
        wrong.append("the mass of the queries")
    for head, stated in enumerate(record["heads"]):
        places = [*record["kept_lags"][head], None]
        for place, lag in enumerate(places):
            total_here = sum(c * e[head][place] for c, e in zip(counts, entries, strict=False))
            if lag is None:
                least = (total_here + rest * units) // total
                good = least <= stated["slack"] <= least + record["lags"] + 1
            else:
                good = stated["lower"][lag] == total_here // total
            if not good:
                wrong.append(
                    f"head {head}: the sum at {'the slack' if lag is None else f'lag {lag}'}"
                )
        if sum(stated["lower"]) + stated["slack"] != units:
            wrong.append(f"head {head}: lower bounds and slack do not add up to 1")
    return wrong


def wrong_queries(record: dict[str, Any], model: Model, draw: int, seed: int) -> list[str]:
    """Enclosures that do not hold the value computed here."""
    units, law = record["units"], record["law"]
    tokens, counts = np.array(law["tokens"]), np.array(law["counts"], dtype=float)
    chances = counts / counts.sum()
    chosen = random.Random(seed)
    wrong = []
    for place in sorted(
        chosen.sample(range(len(record["entries"])), min(draw, len(record["entries"])))
    ):
        for head, entry in enumerate(record["entries"][place]):
            lags = record["kept_lags"][head]
            found = expected(model, head, int(tokens[place]), tokens, chances, record["lags"])[lags]
            lower = np.array(entry[:-1]) / units
            upper = lower + entry[-1] / units
            if (found < lower - TOLERANCE).any() or (found > upper + TOLERANCE).any():
                wrong.append(
                    f"token {tokens[place]}, head {head}: {found} not in {lower} to {upper}"
                )
    if record["long_rows"]:
        one = chosen.choice(record["long_rows"])
        head = chosen.randrange(model.heads)
        found = expected(model, head, one["token"], tokens, chances, record["long"])
        found = found[one["lags"][head]]
        lower = np.array(one["lower"][head]) / units
        upper = lower + one["slack"][head] / units
        if (found < lower - TOLERANCE).any() or (found > upper + TOLERANCE).any():
            wrong.append(f"{record['long']} keys, token {one['token']}, head {head}: {found}")
    if record["prompts"]:
        one = chosen.choice(record["prompts"])
        head = chosen.randrange(model.heads)
        stated, lags = one["heads"][head], record["kept_lags"][head]
        low, high = extremes(model, head, one["token"], record["lags"])
        if (abs(np.array(stated["lower"]) / units - low[lags]) > TOLERANCE).any() or (
            abs(np.array(stated["upper"]) / units - high[lags]) > TOLERANCE
        ).any():
            wrong.append(
                f"all prompts, token {one['token']}, head {head}: {low[lags]}, {high[lags]}"
            )
    return wrong


def main() -> int:
    """Read, compare, say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("record", type=Path)
    parser.add_argument("model")
    parser.add_argument("--draw", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    try:
        record = json.loads(options.record.read_text(encoding="utf-8"))
        wrong = wrong_sums(record)
        model = Model(options.model)
    except OtherLayer as other:
        print(f"{other}: this program does not compute them", file=sys.stderr)
        return 2
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        print(f"no record, or no model: {error!r}", file=sys.stderr)
        return 2
    if model.weights != record["model"]["weights"]:
        print(f"another model: weights {model.weights[:16]}", file=sys.stderr)
        return 2
    if model.extra or "scaling=None" not in record["model"]["rotation"]:
        print("frequencies that are scaled, which this program does not compute", file=sys.stderr)
        return 2
    wrong += wrong_queries(record, model, options.draw, options.seed)
    drawn = min(options.draw, len(record["entries"]))
    said = (
        f"nothing contradicts {options.record.name}: sums, {drawn} queries, a long row, all prompts"
    )
    print("\n".join(wrong) or said)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
