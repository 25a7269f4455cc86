"""Tampered records of certificates: one field changed alone, or several so that every sum is kept."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from ropeproof.tools.certificate.structure import UNITS

__all__ = ["CONSISTENT", "consistent", "fields", "places", "random_change", "single_changes"]

Path = tuple[Any, ...]
STRINGS = ("", "another", "0" * 64, "\x1b[2Jcleared", "Llama-3-405B.gguf", "\ud800")


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every part of a JSON value, except the whole value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def field(path: Path) -> str:
    """The name of a field, the same for all items of a list: `heads[].lower[]`."""
    return "".join("[]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def fields(record: Any) -> list[str]:
    """The names of all fields in a record."""
    return sorted({field(path) for path in places(record)})


def _with(record: Any, path: Path, change: Callable[[Any, Any], None]) -> Any:
    result = copy.deepcopy(record)
    holder = result
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return result


def _others(value: Any) -> list[Any]:
    """Values to put in the place of a value."""
    odd: list[Any] = [
        None,
        True,
        False,
        float("nan"),
        float("inf"),
        -1,
        10**30,
        0.5,
        "1",
        [],
        {},
        [value],
    ]
    if isinstance(value, bool):
        odd += [not value, int(value)]
    elif isinstance(value, int):
        odd += [value + 1, value - 1, value + 7, value + 40, value - 40, 0, 1, UNITS, UNITS // 3]
        odd += [value + UNITS // 10, value * 2, -value, value + 2**64, float(value), str(value)]
    elif isinstance(value, str):
        odd += [*STRINGS, value[::-1], value + " ", value.upper()]
    elif isinstance(value, list) and value:
        odd += [value[::-1], [*value, value[-1]], value[:-1], value[1:], [value[0]] * len(value)]
        odd += [[*value[1:], value[0]], [value] * len(value), [*value, 0], dict(enumerate(value))]
    elif isinstance(value, dict):
        odd += [{key: item for key, item in value.items() if key != left} for left in value]
        odd += [value | {"more": 1}, value | {"": value}, list(value.values()), list(value)]
    return [one for one in odd if type(one) is not type(value) or one != value]


def single_changes(record: Any, name: str, *, most: int = 4) -> Iterator[tuple[Path, Any, Any]]:
    """Yield records with one field changed alone, with path and new value, up to `most` places a field."""
    found = [path for path in places(record) if field(path) == name]
    step = max(1, len(found) // most)
    for path in [*found[::step][: most - 1], found[-1]]:
        holder = record
        for key in path:
            holder = holder[key]
        for new in _others(holder):
            yield path, new, _with(record, path, lambda at, key, new=new: at.__setitem__(key, new))
        if isinstance(path[-1], str):
            yield path, "removed", _with(record, path, lambda at, key: at.pop(key))


def consistent(record: Any) -> Any:
    """The record with the sums that follow from its entries: means at the kept lags, slack and masses.

    What a mean gains or loses is taken from the slack, as an author of false numbers would do it.
    """
    counts, total = record["law"]["counts"], sum(record["law"]["counts"])
    entries = record["entries"]
    for head, stated in enumerate(record["heads"]):
        for place, lag in enumerate(record["kept_lags"][head]):
            sums = sum(c * e[head][place] for c, e in zip(counts, entries, strict=False))
            stated["lower"][lag] = sums // total
        stated["slack"] = UNITS - sum(stated["lower"])
    record["mass"] = [sum(counts[: len(entries)]), total]
    record["queries"] = len(entries)
    record["complete"] = len(entries) == len(counts) and all(
        len(record[part]) == len(record["named"]) for part in ("long_rows", "prompts")
    )
    return record


def _free(record: Any, head: int) -> list[int]:
    """The lags of a head for which the record keeps no entry."""
    return sorted(set(range(record["lags"])) - set(record["kept_lags"][head]))


# -- changes that keep every sum; each takes the record to change, and draws what it needs ----------------

Change = Callable[[Any, random.Random], None]
CONSISTENT: dict[str, Change] = {}
"""By name: what changes a record in place, drawing what it needs. `consistent` mends the sums behind it."""


def _listed(change: Change) -> Change:
    CONSISTENT[change.__name__] = change
    return change


@_listed
def heads_numbered_in_reverse(record, chance):
    for place, head in enumerate(record["heads"]):
        head["head"] = len(record["heads"]) - 1 - place


@_listed
def heads_listed_in_reverse(record, chance):
    record["heads"].reverse()


def _exchange_heads(record, one, other):
    for part in [record["heads"], record["kept_lags"], *record["entries"]]:
        part[one], part[other] = part[other], part[one]
    for place, head in enumerate(record["heads"]):
        head["head"] = place
    for row in record["long_rows"]:
        for key in ("lags", "lower", "slack"):
            row[key][one], row[key][other] = row[key][other], row[key][one]
    for prompt in record["prompts"]:
        heads = prompt["heads"]
        heads[one], heads[other] = heads[other], heads[one]


@_listed
def two_heads_exchanged_everywhere(record, chance):
    _exchange_heads(record, *chance.sample(range(len(record["heads"])), 2))


@_listed
def all_heads_reversed_everywhere(record, chance):
    count = len(record["heads"])
    for head in range(count // 2):
        _exchange_heads(record, head, count - 1 - head)


@_listed
def free_mass_on_one_lag(record, chance):
    """Move all that the means have outside the kept lags to one lag."""
    for head, stated in enumerate(record["heads"]):
        free = _free(record, head)
        lag, mass = chance.choice(free), sum(stated["lower"][lag] for lag in free)
        for other in free:
            stated["lower"][other] = 0
        stated["lower"][lag] = mass


@_listed
def free_mass_moved(record, chance):
    head = chance.randrange(len(record["heads"]))
    lower = record["heads"][head]["lower"]
    one, other = chance.sample(_free(record, head), 2)
    moved = chance.randint(1, lower[one])
    lower[one] -= moved
    lower[other] += moved


@_listed
def free_means_reversed(record, chance):
    for head, stated in enumerate(record["heads"]):
        free = _free(record, head)
        values = [stated["lower"][lag] for lag in free]
        for lag, value in zip(free, values[::-1], strict=True):
            stated["lower"][lag] = value


@_listed
def free_means_exchanged_between_heads(record, chance):
    one, other = chance.sample(range(len(record["heads"])), 2)
    free = [_free(record, head) for head in (one, other)]
    for a, b in zip(*free, strict=True):
        first, second = record["heads"][one]["lower"], record["heads"][other]["lower"]
        first[a], second[b] = second[b], first[a]


def _entry(record, chance):
    place = chance.randrange(len(record["entries"]))
    head = chance.randrange(len(record["heads"]))
    return place, head, record["entries"][place][head]


@_listed
def entry_moved_between_lags(record, chance):
    _, _, entry = _entry(record, chance)
    one, other = chance.sample(range(len(entry) - 1), 2)
    moved = chance.randint(1, max(1, entry[one]))
    entry[one] -= min(moved, entry[one])
    entry[other] += moved


@_listed
def entry_lags_rotated(record, chance):
    _, _, entry = _entry(record, chance)
    entry[:-1] = [*entry[1:-1], entry[0]]


@_listed
def entry_narrowed(record, chance):
    _, _, entry = _entry(record, chance)
    moved = chance.randint(1, max(1, entry[-1]))
    entry[-1] -= min(moved, entry[-1])
    entry[chance.randrange(len(entry) - 1)] += moved


@_listed
def entry_widened(record, chance):
    _, _, entry = _entry(record, chance)
    place = chance.randrange(len(entry) - 1)
    moved = chance.randint(1, max(1, entry[place]))
    entry[place] -= min(moved, entry[place])
    entry[-1] += moved


@_listed
def mass_moved_between_queries(record, chance):
    """Move mass from one query's entries to another's, weighted by their counts, so that no sum changes."""
    counts = record["law"]["counts"]
    one, other = chance.sample(range(len(record["entries"])), 2)
    head, place = (
        chance.randrange(len(record["heads"])),
        chance.randrange(len(record["kept_lags"][0])),
    )
    times = chance.randint(1, 200_000)
    record["entries"][one][head][place] += counts[other] * times
    record["entries"][other][head][place] -= counts[one] * times


@_listed
def entries_exchanged(record, chance):
    entries = record["entries"]
    one, other = chance.sample(range(len(entries)), 2)
    entries[one], entries[other] = entries[other], entries[one]


@_listed
def entries_and_tokens_exchanged(record, chance):
    entries_exchanged(record, random.Random(5))
    tokens, counts = record["law"]["tokens"], record["law"]["counts"]
    one, other = random.Random(5).sample(range(len(record["entries"])), 2)
    tokens[one], tokens[other] = tokens[other], tokens[one]
    counts[one], counts[other] = counts[other], counts[one]


@_listed
def one_entry_repeated(record, chance):
    record["entries"] = [copy.deepcopy(chance.choice(record["entries"])) for _ in record["entries"]]


@_listed
def kept_lags_moved(record, chance):
    head = chance.randrange(len(record["heads"]))
    kept = record["kept_lags"][head]
    kept[-1] = _free(record, head)[-1]
    kept.sort()


@_listed
def kept_lags_doubled(record, chance):
    kept = record["kept_lags"][chance.randrange(len(record["heads"]))]
    kept[1] = kept[0]


@_listed
def counts_changed(record, chance):
    counts = record["law"]["counts"]
    counts[0] += chance.randint(1, 50)


@_listed
def counts_multiplied(record, chance):
    record["law"]["counts"] = [count * 3 for count in record["law"]["counts"]]


@_listed
def tokens_changed(record, chance):
    tokens = record["law"]["tokens"]
    place = chance.randrange(len(tokens))
    tokens[place] = next(token for token in range(40) if token not in tokens)


@_listed
def called_a_law_of_the_code(record, chance):
    record["law"]["name"] = "apache-2.0"
    record["law"]["text"] = "c71d239df91726fc519c6eb72d318ec65820627232b2f796219e87dcf35d0ab4"


@_listed
def names_changed(record, chance):
    record["model"]["name"] = "Llama-3-405B.gguf"
    record["law"]["name"] = "shakespeare"


@_listed
def cut_short(record, chance):
    del record["entries"][chance.randrange(1, len(record["entries"])) :]


@_listed
def named_longer(record, chance):
    named = record["named"]
    record["named"] = record["law"]["tokens"][: len(named) + 1]


@_listed
def named_exchanged(record, chance):
    for part in (record["named"], record["long_rows"], record["prompts"]):
        part.reverse()


@_listed
def named_removed(record, chance):
    record.update(named=[], long_rows=[], prompts=[], long=record["long"] + 1)


@_listed
def long_row_changed(record, chance):
    row = chance.choice(record["long_rows"])
    head = chance.randrange(len(row["lower"]))
    moved = chance.randint(1, max(1, row["slack"][head]))
    row["lower"][head][chance.randrange(len(row["lower"][head]))] += moved
    row["slack"][head] = max(0, row["slack"][head] - moved)


@_listed
def long_row_narrowed(record, chance):
    for row in record["long_rows"]:
        row["slack"] = [slack // 2 for slack in row["slack"]]


@_listed
def long_row_lags_changed(record, chance):
    row = chance.choice(record["long_rows"])
    head = chance.randrange(len(row["lags"]))
    free = sorted(set(range(record["long"])) - set(row["lags"][head]))
    row["lags"][head][-1] = chance.choice(free)
    row["lags"][head].sort()


@_listed
def long_rows_exchanged(record, chance):
    for key in ("lags", "lower", "slack"):
        first, second = record["long_rows"][:2]
        first[key], second[key] = second[key], first[key]


@_listed
def long_longer(record, chance):
    record["long"] += chance.randint(1, 30)


@_listed
def prompts_changed(record, chance):
    bounds = chance.choice(chance.choice(record["prompts"])["heads"])
    key = chance.choice(["lower", "upper", "own"])
    bounds[key][chance.randrange(len(bounds[key]))] = chance.randint(0, UNITS)


@_listed
def prompts_counts_changed(record, chance):
    bounds = chance.choice(chance.choice(record["prompts"])["heads"])
    bounds[chance.choice(["below_half", "below_hundredth"])] = chance.randint(0, record["lags"])


@_listed
def prompts_exchanged(record, chance):
    first, second = record["prompts"][:2]
    first["heads"], second["heads"] = second["heads"], first["heads"]


@_listed
def prompts_widened(record, chance):
    for one in record["prompts"]:
        for bounds in one["heads"]:
            bounds.update(lower=[0] * len(bounds["lower"]), upper=[UNITS] * len(bounds["upper"]))


@_listed
def one_lag_less(record, chance):
    record["lags"] -= 1
    for head in record["heads"]:
        head["lower"].pop()


@_listed
def one_lag_more(record, chance):
    record["lags"] += 1
    for head in record["heads"]:
        head["lower"].append(0)


@_listed
def a_head_less(record, chance):
    record["model"]["heads"] -= 1
    for part in [record["heads"], record["kept_lags"], *record["entries"]]:
        part.pop()
    for row in record["long_rows"]:
        for key in ("lags", "lower", "slack"):
            row[key].pop()
    for one in record["prompts"]:
        one["heads"].pop()


@_listed
def a_head_more(record, chance):
    record["model"]["heads"] += 1
    for part in [record["heads"], record["kept_lags"], *record["entries"]]:
        part.append(copy.deepcopy(part[-1]))
    record["heads"][-1]["head"] += 1
    for row in record["long_rows"]:
        for key in ("lags", "lower", "slack"):
            row[key].append(copy.deepcopy(row[key][-1]))
    for one in record["prompts"]:
        one["heads"].append(copy.deepcopy(one["heads"][-1]))


@_listed
def vocabulary_changed(record, chance):
    record["model"]["vocabulary"] += chance.choice([-1, 1, 1000])


@_listed
def all_zero(record, chance):
    """Set all lower bounds to 0, which is true and says nothing, but is not this model's record."""
    for entry in record["entries"]:
        for row in entry:
            row[:] = [0] * (len(row) - 1) + [UNITS]
    for stated in record["heads"]:
        stated["lower"] = [0] * record["lags"]


def random_change(record: Any, chance: random.Random) -> tuple[list[str], Any]:
    """The names of one to three random changes, and the record after them, with its sums mended or not.

    Now and then one number is moved, too: by a little, by much, or to where another number stands.
    """
    result, names = copy.deepcopy(record), []
    for _ in range(chance.randint(1, 3)):
        name = chance.choice(sorted(CONSISTENT))
        try:
            CONSISTENT[name](result, chance)
        except (IndexError, ValueError, KeyError, StopIteration):
            continue  # an earlier change left nothing to change
        names.append(name)
    if chance.random() < 0.3:
        leaves = [path for path in places(result) if type(_at(result, path)) is int]
        path = chance.choice(leaves)
        new = chance.choice(
            [
                _at(result, path) + chance.randint(-60, 60),
                chance.randint(0, UNITS),
                _at(result, chance.choice(leaves)),
            ]
        )
        result = _with(result, path, lambda at, key: at.__setitem__(key, new))
        names.append(f"{field(path)}={new}")
    if chance.random() < 0.8:
        try:
            result = consistent(result)
            names.append("mended")
        except (IndexError, ValueError, KeyError, TypeError):
            pass
    return names, result


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value
