"""Reads the setting that `ropeproof assess` is asked about, and goes through all questions about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ropeproof.numerics.bounds.slash.learned import precision
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.scaling import LongRope
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess import answers
from ropeproof.tools.assess import quantities as numbers
from ropeproof.tools.assess.answers import Answer
from ropeproof.tools.assess.quantities import types
from ropeproof.tools.assess.scaling import read_scaling
from ropeproof.tools.conform.expected.exact import at_length
from ropeproof.tools.console.model_choice import chosen_model

__all__ = ["Serving", "ServingSetting", "read_setting", "serve"]

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of the step that begins, its number from 0, and the number of steps."""


@dataclass(frozen=True)
class ServingSetting:
    """A model as it was trained and as it is served.

    `before` is its spec at the `trained` positions, `after` that at `length` positions. `fields` are
    those of the model in the configuration that it was read from, which is `inside` another one's in a
    multimodal file; `layer` is the one asked about.
    """

    name: str
    before: RopeSpec
    after: RopeSpec
    trained: int
    length: int
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    layer: int | None = None
    inside: bool = False


@dataclass(frozen=True)
class Serving:
    """The answers for one setting and number type, and the records that a picture is drawn from."""

    setting: ServingSetting
    dtype: str
    answers: tuple[Answer, ...]
    angles: numbers.AngleErrors
    tables: numbers.BlindTables
    turns: numbers.Turns
    slash: tuple[numbers.SlashKept, ...]
    decoding: tuple[numbers.DecodingKept, ...]

    def __getitem__(self, id: str) -> Answer:
        """The answer with this id. Raises `KeyError` if no question has it."""
        return {answer.id: answer for answer in self.answers}[id]


def read_setting(
    config: str | None,
    preset: str | None,
    *,
    length: int,
    scaling: str | None = None,
    trained: int | None = None,
    layer: int | None = None,
    part: str | None = None,
) -> ServingSetting:
    """How a model was trained and how it is to be served.

    With `scaling` the configuration says how it was trained and the scaling replaces its own.
    Without, and without `trained`, the original length of the configuration's scaling is that of training,
    with unscaled frequencies; a configuration without one was trained on its context. `layer` is the
    one that is asked about, where layers differ, and `part` the model of a configuration of several;
    images' positions count as those of text.
    Raises `InvalidArgument`, `Unsupported` as `RopeSpec.from_config`.
    """
    count = types.read_length(length)
    choice = chosen_model(config, preset, layer=layer, part=part)
    fields = choice.fields
    own = choice.one().on_text()
    layer = choice.layer() if layer is None else layer
    if not own.rotary_planes:
        raise Unsupported("a layer without RoPE")
    original = getattr(own.scaling, "original_length", None)
    seen = trained if trained is not None else own.length
    if scaling is None:
        after = RopeSpec.from_config(fields, length=count, layer=layer).on_text()
        before = own
        if trained is None and original is not None:
            seen = original
            before = own if isinstance(own.scaling, LongRope) else _scaled(own, None, seen)
    else:
        before = own
        found = read_scaling(scaling, original=original or own.length)
        after = _scaled(own, found, count)
    if seen is None:
        raise InvalidArgument("trained", None, "--trained LENGTH; the model states no context")
    seen = read_integer("trained", seen, least=3)
    types.read_length(seen, name="trained")
    return ServingSetting(
        choice.name, at_length(before, seen), after, seen, count, fields, layer, choice.inside
    )


def _window(fields: Mapping[str, Any]) -> int | None:
    """The positions that a layer with a sliding window sees, if the configuration has one in use."""
    window = fields.get("sliding_window")
    used = isinstance(window, int) and fields.get("use_sliding_window") is not False
    return window if used else None


def _scaled(spec: RopeSpec, scaling: Any, length: int) -> RopeSpec:
    return spec.changed(scaling=scaling, length=length)


def serve(
    setting: ServingSetting,
    *,
    dtype: str,
    score: float = 0.9,
    share: float = 0.5,
    progress: Progress | None = None,
    answered: Callable[[Answer], None] | None = None,
) -> Serving:
    """All answers about one setting, certified.

    `score` is the average weight that the slash heads have in training, `share` the part of its amplitude
    that a query is to guarantee to the first token. `answered` is called with each answer as soon as it is
    known, those about frequencies first: what heads keep takes most of the time.

    Where fewer positions are served than that offset, the question about it does not apply, and the
    offset that is half of the served length takes its place.

    Raises `InvalidArgument`; what is `Unsupported` for heads is an answer that is not known.
    Cost: some passes over all lags and eight budgets, half a minute at 131,072 positions.
    """
    types.read_type(dtype)
    before, after, length = setting.before, setting.after, setting.length
    half = setting.trained // 2
    offsets = sorted({1, half} if half < length else {1, max(length // 2, 1), half})
    steps = iter(range(10 + len(offsets)))

    def step(name: str) -> None:
        if progress is not None:
            progress(name, next(steps), 9 + len(offsets))

    found = _Told(answered)
    step("angles")
    angles = numbers.angle_errors(after, length=length, dtype=dtype)
    entry = float(precision.table_move(1.0, unit=precision.table_unit(dtype))) * (1 + 2.0**-40)
    found.append(answers.of_angles(angles, entry))
    step("tables")
    tables = numbers.blind_tables(after, length=length, dtype=dtype)
    found.append(answers.of_tables(tables))
    step("near-returns")
    found.append(answers.of_returns(numbers.returns(after, length=length)))
    step("base criterion")
    found.append(answers.of_criterion(numbers.criterion(after, length=length)))
    step("turns")
    turns = numbers.turns(before, after, trained=setting.trained, length=length)
    found.append(answers.of_turns(turns))
    step("sink")
    kept_sink = numbers.sink_kept(after, length=length, share=share)
    found.append(answers.of_sink(kept_sink, _window(setting.fields)))
    slash = []
    for offset in offsets:
        step(f"slash {offset}")
        if offset >= length:
            asked = answers.slash_question(offset)
            told = f"No query has a key {offset:,} back among {length:,} positions"
            found.append(answers.without_meaning(f"slash-{offset}", asked, told))
            continue
        try:
            kept = numbers.slash_kept(
                before,
                after,
                offset=offset,
                trained=setting.trained,
                length=length,
                dtype=dtype,
                score=score,
            )
        except Unsupported as error:
            asked = answers.slash_question(offset)
            found.append(answers.refused(f"slash-{offset}", asked, str(error)))
            continue
        slash.append(kept)
        found.append(answers.of_slash(kept, dtype))
    decoding = _decoding(setting, dtype, step, found)
    step("cached keys")
    found.append(answers.of_rerotation(_turned(after, length), dtype))
    return Serving(
        setting, dtype, tuple(found), angles, tables, turns, tuple(slash), tuple(decoding)
    )


def _decoding(
    setting: ServingSetting, dtype: str, step: Callable[[str], None], found: _Told
) -> list[numbers.DecodingKept]:
    """The heads of the index and the retrieval task, whose answers are added to those found."""
    before, after = setting.before, setting.after
    decoding = []
    works = (("index", numbers.index_kept), ("retrieval", numbers.retrieval_kept))
    for task, work in works:
        step(task)
        try:
            one = work(before, after, trained=setting.trained, length=setting.length, dtype=dtype)
        except Unsupported as error:
            told = f"Is there a head for the {task} task in {dtype}?"
            found.append(answers.refused(task, told, str(error)))
            continue
        decoding.append(one)
        found.append(answers.of_decoding(one, dtype))
    return decoding


class _Told(list[Answer]):
    """A list of answers that passes each answer to a function when it is appended."""

    def __init__(self, answered: Callable[[Answer], None] | None) -> None:
        super().__init__()
        self._answered = answered

    def append(self, answer: Answer) -> None:
        """Append an answer, and pass it to the function if there is one."""
        super().append(answer)
        if self._answered is not None:
            self._answered(answer)


def _turned(spec: RopeSpec, length: int) -> list[numbers.Rerotation]:
    """Errors of cached keys rotated again by one position, and by half the length, type by type."""
    half = length // 2
    return [
        numbers.rerotation(spec, dtype=cache, inside=inside, by=by, turns=turns)
        for by, turns in {1: length - 1, half: 2 if half > 1 else length - 1}.items()
        for cache, inside in (
            ("bfloat16", "bfloat16"),
            ("bfloat16", "float32"),
            ("float16", "float16"),
            ("float16", "float32"),
            ("float32", "float32"),
        )
    ]
