"""Finds the fault model that reproduces the observed numbers of a whole run.

The implementation is linear where this is used, and was given random vectors of signs, so that a
wrong explanation agrees with it at one place with probability at most one half (`conform.probe`),
and at all places of a sequence practically never. Even so a name from one small call may be an
accident: one vector at position 1 has few numbers. So a cause is named only if it holds in most of
the failing tests it has to do with, takes away most of the error, and is denied by no test that
holds; what was read off the numbers of one test, such as a base, is the same in all others.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.diagnosis import causes
from ropeproof.tools.conform.diagnosis.causes.way import Change
from ropeproof.tools.conform.diagnosis.facts import facts, tail, where
from ropeproof.tools.conform.diagnosis.glance import ruled_out
from ropeproof.tools.conform.diagnosis.guess import OUTLIERS, Guess, Observation, altered, start
from ropeproof.tools.conform.record import NONE_KNOWN, Cause

__all__ = ["Diagnosis", "changes", "diagnose"]

_GLANCE = 5
_HELD = 2_000_000
"""Positions of guesses that are held at once."""
_MOST = 2 / 3
"""Share of the failing tests that it changes, and of the error, that a cause must explain."""
_FIRST = 3
"""Failing tests in which causes are looked for; they are verified in all."""
_SURE = 0.99
_TOLD = 2
"""Other causes of the same numbers that are named in full."""
_LEAST_VECTORS = 8
"""Fewest vectors that must be as a cause predicts, where other vectors of the call are right."""
_LEAST_NUMBERS = 64
"""Fewest numbers in vectors of a tail that are as good as so many vectors."""


@dataclass(frozen=True)
class Diagnosis:
    """The cause of the failures of a run, and the names of the tests whose numbers it explains."""

    cause: Cause
    tests: frozenset[str]


@dataclass(frozen=True)
class _Recipe:
    """A change of the right rotation that can be made anew for each sequence."""

    id: str
    text: str
    steps: tuple[tuple[causes.Way, str], ...]
    bases: tuple[float, ...] | None
    stretches: tuple[float, ...] | None

    def guess(self, seen: Observation, kept: _Kept | None = None) -> Guess:
        """The guess that the recipe makes of one sequence: the right rotation if it changes nothing.

        `kept` has the guesses of first changes, which many pairs share, and is added to.
        """
        pinned = replace(seen, bases=self.bases or (), stretches=self.stretches or ())
        first, *rest = self.steps
        key = (seen, *first, self.bases, self.stretches)
        guess = None if kept is None else kept.get(key)
        if guess is None:
            guess = _step(start(seen), *first, pinned)
        if kept is not None:
            kept[key] = guess
        for step in rest:
            guess = _step(guess, *step, pinned)
        return guess


_Kept: TypeAlias = "dict[tuple[object, ...], Guess]"


def _step(guess: Guess, way: causes.Way, rule: str, pinned: Observation) -> Guess:
    """The guess with one more change, or unchanged where the sequence does not have that change."""
    found = (g for _, g in _fitting(way, guess, pinned) if g.rule == rule)
    return next((altered(g, rule="", fitted=None) for g in found), guess)


@dataclass(frozen=True)
class _Verdict:
    recipe: _Recipe
    explained: frozenset[str]
    share: float
    residual: float
    partly: str
    since: int | None


def diagnose(
    run: Sequence[Observation],
    *,
    pairs: bool = True,
    whole: Sequence[Observation] | None = None,
) -> Diagnosis | None:
    """The cause that explains a run, with others that do so as well; None if no test fails.

    `run` are the sequences of the tests that fail and of those that hold. Single causes are tried
    before pairs of them (`pairs=False` leaves those out), in all failing tests or in those of one
    kind: of one type, of the gradient, under autocast, of the keys or the queries, of one vector at a
    time or of several, of rows that differ, of vectors with gaps in memory. Otherwise the id is `none
    known` and the text says in which respect the numbers are wrong. Where `run` has only some vectors of each
    call, `whole` are the same calls with all of them, in which it is looked up which ones are wrong.
    Cost: a few seconds with pairs.
    """
    failing = [s for s in run if s.failed]
    if not failing:
        return None
    told = NONE_KNOWN
    # Single causes, everywhere or in one kind of call; then in some vectors of a call; then pairs.
    of_whole = _partial_of(whole)
    searches: tuple[_Search, ...] = (_single, of_whole, *((_double,) if pairs else ()))
    tries = [(*scope, search) for search in searches for scope in _SCOPES]
    for scope, holds, search in tries:
        if search is _double and scope:
            break
        if search is of_whole and not scope and (apart := _of_each(run)) is not None:
            return apart
        part = [s for s in run if holds(s)]
        if scope and len(part) == len(run):
            continue  # the whole run was searched
        wrong = [s for s in part if s.failed]
        if not wrong or (scope and len(wrong) < len(failing)):
            continue  # a cause in one kind of call must be the cause of all that fails
        found = search(part, wrong)
        if (
            scope and search is _single
        ):  # so narrow a cause leaves no failure of its kind unexplained
            found = [v for v in found if all(_agrees(v.recipe.guess(s), s) for s in wrong)]
        if found:
            besides = "" if scope or found[0].partly else _besides(found[0], run)
            left = 0 if scope or found[0].partly or besides else _left(found[0], failing)
            if left and pairs and search is _single:  # two causes may explain what one does not
                both = _double(part, wrong)
                if both and len(both[0].explained) > len(found[0].explained):
                    return _named(both, scope, "")
            if left:
                besides = f"{left} of {len(failing)} failing calls are not explained by that"
            return _named(found, scope, besides)
        told = scope or told
    calls = run if whole is None else whole
    text = facts([s for s in calls if s.failed], [s for s in calls if not s.failed])
    residual = max(_worst(start(s), s) for s in failing)
    text = "; ".join(t for t in (NONE_KNOWN, "" if told == NONE_KNOWN else told, text) if t)
    return Diagnosis(Cause(id=NONE_KNOWN, text=text, residual=residual), frozenset())


_Holds: TypeAlias = Callable[[Observation], bool]
_Search: TypeAlias = Callable[[list[Observation], list[Observation]], "list[_Verdict]"]
_OF_TYPES: tuple[tuple[str, _Holds], ...] = (
    ("only in bfloat16", lambda s: s.dtype == "bfloat16"),
    ("only in float16", lambda s: s.dtype == "float16"),
    ("only in float32", lambda s: s.dtype == "float32"),
    ("only in float64", lambda s: s.dtype == "float64"),
    ("only in half precision", lambda s: s.dtype in ("float16", "bfloat16")),
)
_UNTOLD = (*_OF_TYPES, ("only in the gradient", lambda s: s.backwards))
"""Kinds of calls that often differ by their arithmetic alone: no second cause is looked for in them."""
_SCOPES: tuple[tuple[str, _Holds], ...] = (
    ("", lambda s: True),
    ("only in calls of many vectors", lambda s: s.test == "calls.many"),
    ("only in calls of some sizes", lambda s: s.test.startswith("calls.")),
    *_OF_TYPES,
    _UNTOLD[-1],
    ("only under autocast", lambda s: s.test == "autocast"),
    ("only of the keys", lambda s: s.keys),
    ("only of the queries", lambda s: not s.keys),
    ("only for one vector at a time", lambda s: s.x.shape[2] == 1),
    ("only for several vectors at a time", lambda s: s.x.shape[2] > 1),
    ("only where positions differ in the batch", lambda s: len(s.places) > 1),
    ("only in calls of more than four heads", lambda s: s.x.shape[1] > 4),
    ("only for vectors with gaps in memory", lambda s: "strided" in s.test),
)


def _named(found: list[_Verdict], scope: str, besides: str) -> Diagnosis:
    best, *rest = found
    text = best.recipe.text
    if best.since is not None:
        text += f" from position {best.since} on"
    text = ", ".join(t for t in (text, best.partly, scope) if t)
    text = "; ".join(t for t in (text, _same_numbers(best, rest), besides) if t)
    others = tuple(
        dict.fromkeys(
            (v.recipe.id, v.recipe.text) for v in rest if v.recipe.text != best.recipe.text
        )
    )
    cause = Cause(id=best.recipe.id, text=text, residual=best.residual, others=others)
    return Diagnosis(cause, best.explained)


def _of_each(run: Sequence[Observation]) -> Diagnosis | None:
    """A cause of the queries and another of the keys, if neither explains most of both; else None."""
    parts = [[s for s in run if s.keys is keys] for keys in (False, True)]
    wrong = [[s for s in part if s.failed] for part in parts]
    if not all(wrong):
        return None
    queries, keys = (_single(part, failing) for part, failing in zip(parts, wrong, strict=True))
    if not queries or not keys or queries[0].recipe.text == keys[0].recipe.text:
        return None
    found = _named(queries, "", f"of the keys {keys[0].recipe.text} instead")
    return replace(found, tests=found.tests | keys[0].explained)


def _same_numbers(best: _Verdict, rest: Sequence[_Verdict]) -> str:
    """In words, the other causes that predict the same numbers: this run cannot tell which it is."""
    if best.since is not None or best.share <= _SURE:
        return ""
    sure = [v for v in rest if v.since is None and v.share > _SURE]
    alike = [v.recipe for v in sure if v.explained == best.explained]
    texts: dict[str, str] = {}  # one of each id, and of numbers that were read off the best alone
    for recipe in alike:
        near = recipe.id == best.recipe.id and (recipe.bases or recipe.stretches)
        if not near and recipe.text != best.recipe.text:
            texts.setdefault(recipe.id, recipe.text)
    told = list(texts.values())
    if not told:
        return ""
    more = "" if len(told) <= _TOLD else f", and {len(told) - _TOLD} more"
    return f"the same numbers: {' or '.join(told[:_TOLD])}{more}"


def _left(best: _Verdict, failing: Sequence[Observation]) -> int:
    """How many failing calls a cause does not explain."""
    return sum(not _agrees(best.recipe.guess(s), s) for s in failing)


def _besides(best: _Verdict, run: Sequence[Observation]) -> str:
    """In words, what is wrong with calls of one kind that the best cause does not explain.

    That is a cause on top of the best one, or another instead of it.
    """
    left = [s for s in run if s.failed and not _agrees(best.recipe.guess(s), s)]
    for scope, holds in _SCOPES:
        part = [s for s in run if holds(s)]
        if not left or len(part) == len(run) or (scope, holds) in _UNTOLD:
            continue
        if not all(map(holds, left)) or len(left) < sum(s.failed for s in part):
            continue
        kind = scope.removeprefix("only ")
        seen = max(left, key=_failing_places)
        for recipe in _recipes_on(best.recipe, seen):
            if _verdict(recipe, part, left):
                return f"{kind} {recipe.text} as well"
        for verdict in _single(part, left):
            return f"{kind} {verdict.recipe.text} instead"
        return f"{kind} something else"
    return ""


def _recipes_on(recipe: _Recipe, seen: Observation) -> Iterator[_Recipe]:
    """Yield changes on top of a cause that reproduce one observation; their text is the second's."""
    changed = recipe.guess(seen)
    for way in causes.ways(seen.spec):
        for text, both in _fitting(way, changed, seen):
            if _agrees(both, seen):
                read = () if both.fitted is None else (both.fitted,)
                yield replace(
                    recipe,
                    id=f"{recipe.id}+{way.id}",
                    text=text,
                    steps=(*recipe.steps, (way, both.rule)),
                    stretches=read if read and way.id == "stretch" else recipe.stretches,
                    bases=read if read and way.id != "stretch" else recipe.bases,
                )


def _leading(failing: list[Observation]) -> list[Observation]:
    """The failing calls with most wrong vectors, where a cause shows most."""
    order = sorted(failing, key=lambda s: -_failing_vectors(s))
    return [*order[:_FIRST], *[s for s in order[_FIRST:] if s.x.shape[2] > 1][:1]]


def _single(run: list[Observation], failing: list[Observation]) -> list[_Verdict]:
    """The verdicts on the single causes that explain the run, only those that explain most."""
    tried: dict[tuple[str, ...], _Verdict | None] = {}
    for seen in _leading(failing):
        for recipe in _recipes(seen, double=False):
            key = (recipe.id, *(rule for _, rule in recipe.steps))
            if key not in tried:
                tried[key] = _verdict(recipe, run, failing)
    found = [v for v in tried.values() if v is not None]
    most = max(((len(v.explained), v.share > _SURE) for v in found), default=None)
    return [v for v in found if (len(v.explained), v.share > _SURE) == most]


def _double(run: list[Observation], failing: list[Observation]) -> list[_Verdict]:
    """A list with the verdict on the first pair of causes that explains the run, or empty."""
    first: tuple[causes.Way, str] | None = None
    kept: _Kept = {}
    widest = max(_leading(failing), key=_failing_places)  # of few places many pairs say the same
    for recipe in _recipes(widest, double=True):
        if recipe.steps[0] != first:
            first, kept = recipe.steps[0], {}
        verdict = _verdict(recipe, run, failing) if _possible(recipe, failing, kept) else None
        if verdict is not None:
            return [verdict]
    return []


def _partial_of(whole: Sequence[Observation] | None) -> _Search:
    """A search for causes that affect only some vectors of a call; `whole` as for `diagnose`."""

    def partial(run: list[Observation], failing: list[Observation]) -> list[_Verdict]:
        calls = run if whole is None else whole
        return _partial(failing, [s for s in calls if s.failed], [s for s in calls if not s.failed])

    return partial


def _partial(
    failing: list[Observation], wrong: list[Observation], right: list[Observation]
) -> list[_Verdict]:
    """A list with the verdict on a cause that affects only some vectors of a call, or empty.

    Which vectors it affects can be said in words, of the calls with all their vectors, `wrong` and `right`,
    and all others are right.
    """
    masks = [_wrong_vectors(s) for s in failing]
    off = [_wrong_vectors(s) for s in wrong]
    told, vectors = where(wrong, off, right), sum(int(m.sum()) for m in masks)
    # Calls that hold say which vectors of a tail are off, so that few of these are evidence enough.
    numbers = vectors * failing[0].x.shape[-1] if tail(wrong, off, right) else 0
    if not told or (vectors < _LEAST_VECTORS and numbers < _LEAST_NUMBERS):
        return []
    for recipe in dict.fromkeys(r for s in _leading(failing) for r in _singles(s)):
        partly = _partly(recipe, failing, masks, told)
        if partly is not None:
            return [partly]
    return []


def _failing_vectors(seen: Observation) -> int:
    return int(_wrong_vectors(seen).sum())


def _failing_places(seen: Observation) -> int:
    """The number of positions at which a call is off."""
    off = _wrong_vectors(seen).any(1)
    return len(np.unique(np.broadcast_to(seen.places[:, 0], off.shape)[off]))


def _wrong_vectors(seen: Observation) -> NDArray[np.bool_]:
    """Which vectors of a call are off, `(batch, heads, length)`."""
    with np.errstate(all="ignore"):
        error = np.abs(start(seen).apply(seen.x) - seen.out)
    return np.asarray((~(error <= _slack(seen))).any(-1))


def _slack(seen: Observation) -> NDArray[np.float64]:
    return start(seen).tolerance_for(seen) if seen.slack is None else seen.slack


_Change: TypeAlias = tuple[causes.Way, str, Guess]


def _recipes(seen: Observation, *, double: bool) -> Iterator[_Recipe]:
    """Yield the changes, single or in pairs, that reproduce one observation."""
    glance = _some_columns(seen)
    few = seen.some(glance)
    singles = list(changes(start(seen), seen))
    tries: Iterator[tuple[_Change, ...]] = ((change,) for change in singles)
    if double:
        tries = (
            (first, (way, text, both))
            for first in singles
            for way in causes.ways(seen.spec)
            if way.family != first[0].family
            for text, both in _fitting(way, altered(first[2], rule="", fitted=None), seen)
        )
    # A guess has positions of its own: of long calls few at once are held.
    at_once = max(16, min(1024, _HELD // seen.positions.size))
    while some := list(islice(tries, at_once)):
        guesses = [made[-1][-1] for made in some]
        wrong = ruled_out(guesses, seen, glance)
        for made, guess, off in zip(some, guesses, wrong, strict=True):
            if not off and _agrees(guess.at(glance), few) and _agrees(guess, seen):
                yield _recipe(*made)


def _singles(seen: Observation) -> Iterator[_Recipe]:
    return (_recipe(change) for change in changes(start(seen), seen))


def _recipe(*changes: _Change) -> _Recipe:
    steps = tuple((way, guess.rule) for way, _, guess in changes)
    fitted = {way.id: g.fitted for way, _, g in changes if g.fitted is not None}
    based = [v for id, v in fitted.items() if id != "stretch"]
    stretched = [v for id, v in fitted.items() if id == "stretch"]
    id = "+".join(way.id for way, _, _ in changes)
    text = "; ".join(text for _, text, _ in changes)
    return _Recipe(id, text, steps, tuple(based) or None, tuple(stretched) or None)


def changes(guess: Guess, seen: Observation) -> Iterator[tuple[causes.Way, str, Guess]]:
    """Yield what each fault model makes of a guess for one observation, with the model and the words."""
    for way in causes.ways(seen.spec):
        for text, changed in _fitting(way, guess, seen):
            yield way, text, changed


def _fitting(way: causes.Way, guess: Guess, seen: Observation) -> Iterator[Change]:
    """Yield the changes that a fault model makes of a guess, until one does not fit its sizes."""
    with np.errstate(all="ignore"), contextlib.suppress(ValueError, IndexError):
        on_axes = guess.axis is not None and way.family == "positions"
        changes = _on_each_axis(way, guess, seen) if on_axes else way.changes(guess, seen)
        met: Counter[str] = Counter()
        for text, changed in changes:
            rule = changed.rule or text
            met[rule] += 1  # two changes of one text are distinguished by their number
            yield text, altered(changed, rule=f"{rule} ({met[rule]})")


def _on_each_axis(way: causes.Way, guess: Guess, seen: Observation) -> Iterator[Change]:
    """Yield the changes of a position, made to all of its coordinates alike."""
    own = (altered(guess, places=c) for c in guess.coordinates)
    for changes in zip(*(way.changes(g, seen) for g in own), strict=False):
        if len({text for text, _ in changes}) == 1:
            text, changed = changes[0]
            yield text, altered(changed, coordinates=tuple(g.places for _, g in changes))


def _some_columns(seen: Observation) -> NDArray[np.int64]:
    """A few places that tell most causes apart: small positions, and the last."""
    length = seen.x.shape[2]
    wanted = {1, 2, length // 3, 2 * length // 3, length - 1}
    return np.array(sorted(n for n in wanted if 0 <= n < length)[:_GLANCE] or [0])


def _possible(recipe: _Recipe, failing: Sequence[Observation], kept: _Kept) -> bool:
    """Whether a cause can still explain enough failing calls, judged by a few places of each.

    A cause that is wrong at these places is wrong in the call, so no cause that explains it is lost; a cause
    with types that round may be wrong at some places, and is not judged here. Small calls come first, and the
    search ends with the call after which too few are left: it rules out most of the thousands of pairs,
    without computing calls of 131,072 positions.
    """
    possible, least = len(failing), max(1, _MOST * len(failing))
    for seen in sorted(failing, key=lambda s: s.x.size):
        guess, columns = recipe.guess(seen, kept), _some_columns(seen)
        if not guess.rounds and not _agrees(guess.at(columns), seen.some(columns)):
            possible -= 1
            if possible < least:
                return False
    return True


def _verdict(
    recipe: _Recipe, run: Sequence[Observation], failing: Sequence[Observation]
) -> _Verdict | None:
    """The verdict on a cause over a run; None if it is contradicted or explains too little."""
    explained, right_calls, concerned = set(), 0, 0
    before, after, worst = 0.0, 0.0, 0.0
    sinces = []
    for seen in run:
        guess, right = recipe.guess(seen), start(seen)
        with np.errstate(all="ignore"):
            predicted, exact = guess.apply(seen.x), right.apply(seen.x)
        changes = bool((~(np.abs(predicted - exact) <= _slack(seen))).any())
        agrees = _agrees(guess, seen)
        if not seen.failed:
            if changes and not agrees and not _within(predicted, seen):
                return None  # a test that holds says otherwise
            continue
        error, left = _error(exact, seen), _error(predicted, seen)
        before += error
        after += left if changes else error
        if not changes:
            continue
        concerned += 1
        if agrees and left <= (1 - _MOST) * error:
            explained.add(seen.test)
            right_calls += 1
            worst = max(worst, _worst(guess, seen))
            since = _since(guess, seen)
            if since is not None:
                sinces.append(since)
    if right_calls < max(1, _MOST * concerned, _MOST * len(failing)):
        return None
    if before > 0 and after > (1 - _MOST) * before:
        return None
    share = 1 - after / before if before else 1.0
    since = min(sinces) if sinces else None
    return _Verdict(recipe, frozenset(explained), share, worst, "", since)


def _partly(
    recipe: _Recipe, failing: Sequence[Observation], masks: Sequence[NDArray[np.bool_]], told: str
) -> _Verdict | None:
    """The verdict on a cause if each vector of failing tests is right or as predicted, else None."""
    for seen, wrong in zip(failing, masks, strict=True):
        guess = recipe.guess(seen)
        if not wrong.any() or guess.rounds:
            return None
        try:
            with np.errstate(all="ignore"):
                near = np.abs(guess.apply(seen.x) - seen.out) <= guess.tolerance_for(seen)
        except (ValueError, IndexError):  # sizes that do not fit: not this cause
            return None
        vectors: NDArray[np.bool_] = np.asarray(np.all(near, axis=-1))
        if not vectors[wrong].all():
            return None
    tests = frozenset(s.test for s in failing)
    return _Verdict(recipe, tests, 1.0, 0.0, told, None)


def _error(predicted: NDArray[np.float64], seen: Observation) -> float:
    """The sum of the absolute errors of a prediction, each counted as at most 2."""
    with np.errstate(all="ignore"):
        off = np.abs(predicted - seen.out)
    off = np.where(np.isnan(predicted) & np.isnan(seen.out), 0.0, off)
    return float(np.minimum(np.nan_to_num(off, nan=2.0, posinf=2.0), 2.0).sum())


def _within(predicted: NDArray[np.float64], seen: Observation) -> bool:
    with np.errstate(all="ignore"):
        near = np.abs(predicted - seen.out) <= 2 * _slack(seen)
    return bool(np.mean(~near) <= OUTLIERS)


def _agrees(guess: Guess, seen: Observation) -> bool:
    try:
        with np.errstate(all="ignore"):
            predicted = guess.apply(seen.x)
            error = np.abs(predicted - seen.out)
            neither = np.isnan(predicted) & np.isnan(seen.out)
            # Most guesses are far off, which a bound on the tolerance shows.
            if _too_many(~(error <= guess.tolerance_at_most(seen.dtype)) & ~neither, guess):
                return False
            near = error <= guess.tolerance_for(seen)
            near |= neither
    except (ValueError, IndexError):  # sizes that do not fit: not this cause
        return False
    return not _too_many(~near, guess)


def _too_many(off: NDArray[np.bool_], guess: Guess) -> bool:
    """Whether more numbers are wrong than may be: none, or a few where the guess's types round."""
    return bool(np.mean(off) > OUTLIERS) if guess.rounds else bool(off.any())


def _worst(guess: Guess, seen: Observation) -> float:
    with np.errstate(all="ignore"):
        error = np.abs(guess.apply(seen.x) - seen.out)
    if guess.rounds:
        return float(np.nanquantile(error, 1 - OUTLIERS))
    return float(np.nanmax(error)) if not np.isnan(error).all() else float("nan")


def _since(guess: Guess, seen: Observation) -> int | None:
    """The first position at which a coarse type shows, None if no such type takes part."""
    if not guess.rounds:
        return None
    exact = altered(
        guess,
        position_type=None,
        frequency_type=None,
        angle_type=None,
        table_type=None,
        vector_type=None,
        result_type=None,
    )
    with np.errstate(all="ignore"):
        off = ~(np.abs(exact.apply(seen.x) - seen.out) <= exact.tolerance_for(seen))
    columns = off.any((1, 3))
    ahead = np.max(guess.coordinates, 0) if guess.coordinates else guess.places
    places = np.broadcast_to(ahead[:, 0], (len(seen.x), seen.x.shape[2]))
    return int(places[columns].min()) if columns.any() else None
