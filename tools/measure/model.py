"""All heads of a model on some prompts: one forward pass each, heads measured as they come.

The model runs layer by layer. Each head's queries and keys go to an executor while the pass goes
on; when too many wait, the pass waits. So the memory is that of the model, one layer and a few
heads, however many layers there are, and no attention matrix of the model is ever held.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.core.threads import beside, single_threaded
from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure.head.explained_share import explained
from ropeproof.tools.measure.head.race import race_measure
from ropeproof.tools.measure.head.statistics import measure_head
from ropeproof.tools.measure.head.vectors import HeadVectors
from ropeproof.tools.measure.journal import Journal, Key
from ropeproof.tools.measure.options import MeasureOptions
from ropeproof.tools.measure.result import Measured
from ropeproof.tools.measure.verdicts import Rows, judge

if TYPE_CHECKING:
    import torch

__all__ = ["measure_and_judge", "measure_model"]

Progress = Callable[[str, int, int], None]

WAITING = 4
"""Heads that may wait for each worker."""


def measure_and_judge(vectors: HeadVectors, options: MeasureOptions) -> dict[str, Any]:
    """Statistics and, if the options ask for them, verdicts of one head on one prompt, as JSON."""
    whole = vectors.unwindowed
    rows = Rows(whole, wanted=options.verdicts)
    found: dict[str, Any] = {"additive": rows.additive}
    study = rows.study
    mine: dict[str, Any] = {
        "attention": rows.attention,
        "factors": study.factors,
        "head": study.head,
    }
    shared = measure_head(whole, options, **found, **mine)
    verdicts = judge(whole, shared, rows) if options.verdicts else ()
    measure = shared
    if whole is not vectors:
        measure = measure_head(vectors, options, **found)
        # The theorems speak about plain causal heads, as this one is on its first tokens.
        where = f", on the first {whole.length} tokens"
        verdicts = tuple(replace(verdict, about=verdict.about + where) for verdict in verdicts)
    share = explained(measure, verdicts if whole is vectors else ())
    race = None
    if options.race and measure.law is not None:
        race = race_measure(vectors, measure.law.lag, rows=options.race)
    return {
        "key_head": vectors.key_head,
        "statistics": measure.as_json()
        | {"explained": None if share is None else share.as_json()}
        | {"race": None if race is None else race.as_json()},
        "verdicts": [verdict.as_json() for verdict in verdicts],
    }


def measure_model(
    model: Any,
    prompts: Mapping[str, Sequence[int]],
    spec: RopeSpec | Sequence[RopeSpec],
    *,
    layers: Collection[int] | None = None,
    options: MeasureOptions | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> Measured:
    """Measures every head of some layers, by default all, on every prompt.

    `model` is of a family of `ropeproof.numerics.models.FAMILIES` and is left as it was found;
    `spec` is its rotation, or those of its layers in order (`ropeproof.theory.rotary.layers.layer_specs`).
    `executor` is any of `concurrent.futures`' kind with `workers` workers; without one heads are
    measured by `workers` threads of this process, by default as many as `beside` starts, with one
    by this thread. `progress` is called with what is being done, how many heads are
    done, and of how many. `journal` keeps what has been found; what it has is not measured again.

    Returns a mapping, whose attribute `heads` is a table (`Measured`): `heads` and `skipped` as in the
    JSON of `ropeproof measure`, and `prompts`, by name:
    `loss`, the mean of nats per next token (None unless all layers ran), `rotation`, the largest
    difference of the model's own rotation tables from the exact ones.
    Raises what `visit_layers` raises, and `InvalidArgument` for vectors that are not finite.
    """
    require_extra("models", "measuring a model")
    chosen = options or MeasureOptions()
    book = journal or Journal()
    with _workers(model, executor, workers) as (pool, count):
        run = _Run(model, spec, chosen, pool, count, book, progress)
        run.expect(len(prompts), layers)
        try:
            run.first = next(iter(prompts), None)
            for name, tokens in prompts.items():
                run.prompt(name, np.asarray(tokens, dtype=np.int64), layers)
            run.finish()
        except BaseException:
            run.cancel()
            raise
    return run.report(list(prompts))


@contextmanager
def _workers(
    model: Any, executor: Executor | None, workers: int | None
) -> Iterator[tuple[Executor | None, int]]:
    if executor is not None or workers == 1 or model.device.type != "cpu":
        yield executor, max(1, workers or 1)
        return
    with beside(workers) as threads:
        yield threads


class _Run:
    """The state of one measurement of a model: heads that wait, layers skipped, progress."""

    def __init__(
        self,
        model: Any,
        spec: RopeSpec | Sequence[RopeSpec],
        options: MeasureOptions,
        executor: Executor | None,
        workers: int,
        book: Journal,
        progress: Progress | None,
    ) -> None:
        self.model, self.options, self.book = model, options, book
        self.executor, self.most = executor, workers * WAITING
        self.progress = progress
        self.waiting: dict[Future[dict[str, Any]], Key] = {}
        self.skipped: dict[int, str] = {}
        config = model.config
        self.layers = int(config.num_hidden_layers)
        self.specs = (spec,) * self.layers if isinstance(spec, RopeSpec) else tuple(spec)
        if len(self.specs) != self.layers:
            allowed = f"one spec, or one for each of {self.layers} layers"
            raise InvalidArgument("spec", f"{len(self.specs)} specs", allowed)
        self.heads = int(config.num_attention_heads)
        self.total = 0
        self.first: str | None = None

    def expect(self, prompts: int, layers: Collection[int] | None) -> None:
        count = self.layers if layers is None else len(set(layers))
        self.total = prompts * count * self.heads

    def prompt(self, name: str, tokens: Any, layers: Collection[int] | None) -> None:
        """Run the model on one prompt and measure the heads that the journal does not have yet."""
        facts = self.book.prompts.get(name)
        wanted = range(self.layers) if layers is None else sorted(set(layers))
        if facts is not None:
            self.skipped |= {int(layer): why for layer, why in facts["skipped"].items()}
            done = {(layer, head) for prompt, layer, head in self.book.results if prompt == name}
            wanted = [
                layer
                for layer in wanted
                if layer not in self.skipped
                and any((layer, head) not in done for head in range(self.heads))
            ]
            if not wanted:
                self._tell(name)
                return
        errors = [0.0]
        exact: dict[RopeSpec, Rotation] = {}

        def visit(layer: LayerHeads) -> None:
            spec = self.specs[layer.layer]
            if spec not in exact:
                exact[spec] = Rotation.of(spec, len(tokens), layer.keys.device)
            errors.append(_difference(layer.rotation, exact[spec]))
            if layer.window is not None and layer.window < 2:
                self.skipped[layer.layer] = "a sliding window of the query's own position alone"
                self.total -= self.heads
                return
            self._layer(name, tokens, layer)

        hidden = visit_layers(self.model, tokens[np.newaxis], visit, layers=wanted, beyond=True)
        if facts is None:
            whole = hidden is not None
            found = {
                "loss": next_token_loss(self.model, hidden, tokens) if whole else None,
                "rotation": max(errors),
                "skipped": {str(layer): why for layer, why in self.skipped.items()},
            }
            self.book.add_prompt(name, found)

    def _layer(self, prompt: str, tokens: Any, layer: LayerHeads) -> None:
        groups = layer.queries.shape[1] // layer.keys.shape[1]
        # The race is a budget of its own: the expected scores of one prompt are enough.
        options = self.options if prompt == self.first else replace(self.options, race=0)
        for head in range(layer.queries.shape[1]):
            key = (prompt, layer.layer, head)
            if key in self.book.results:
                continue
            vectors = HeadVectors(
                queries=_numbers(layer.queries[0, head]),
                keys=_numbers(layer.keys[0, head // groups]),
                tokens=tokens,
                spec=self.specs[layer.layer],
                scale=layer.scale,
                soft_cap=layer.soft_cap,
                window=layer.window,
                layer=layer.layer,
                head=head,
                key_head=head // groups,
                first=layer.layer == 0,
                prompt=prompt,
                device=_device(layer.keys.device),
            )
            # Other processes would all wait for the one accelerator.
            if layer.keys.device.type != "cpu":
                self._keep(key, measure_and_judge(vectors, options))
                continue
            if self.executor is None:
                self._keep(key, _alone(vectors, options))
                continue
            future = self.executor.submit(_alone, vectors, options)
            self.waiting[future] = key
            self._collect(self.most)

    def _collect(self, most: int) -> None:
        """Wait until at most `most` heads are still being measured, and keep finished results."""
        while len(self.waiting) > most:
            done, _ = wait(self.waiting, return_when=FIRST_COMPLETED)
            for future in done:
                self._keep(self.waiting.pop(future), future.result())

    def _keep(self, key: Key, result: dict[str, Any]) -> None:
        self.book.add(key, result)
        self._tell(f"{key[0]}, layer {key[1]}")

    def _tell(self, what: str) -> None:
        if self.progress is not None:
            self.progress(what, min(len(self.book.results), self.total), self.total)

    def finish(self) -> None:
        """Waits for every head that is still being measured."""
        self._collect(0)

    def cancel(self) -> None:
        """Cancel the heads whose measurement has not begun."""
        for future in self.waiting:
            future.cancel()

    def report(self, prompts: list[str]) -> Measured:
        """The results of all heads in order, facts about the prompts, and the layers left out."""
        heads: dict[tuple[int, int], dict[str, Any]] = {}
        order = {name: number for number, name in enumerate(prompts)}
        kept = [key for key in self.book.results if key[0] in order]
        for key in sorted(kept, key=lambda key: (key[1:], order[key[0]])):
            prompt, layer, head = key
            result = self.book.results[key]
            entry = heads.setdefault(
                (layer, head),
                {"layer": layer, "head": head, "key_head": result["key_head"], "prompts": {}}
                | {"verdicts": []},
            )
            entry["prompts"][prompt] = result["statistics"]
            entry["verdicts"].extend(result["verdicts"])
        skipped = [{"layer": layer, "why": why} for layer, why in sorted(self.skipped.items())]
        facts = {name: self.book.prompts[name] for name in prompts}
        return Measured(heads=list(heads.values()), skipped=skipped, prompts=facts)


def _alone(vectors: HeadVectors, options: MeasureOptions) -> dict[str, Any]:
    """`measure_and_judge` with one thread for its linear algebra."""
    with single_threaded():
        return measure_and_judge(vectors, options)


def next_token_loss(model: Any, hidden: Any, tokens: Any, *, block: int = 128) -> float | None:
    """The mean of `-log p(next token)` in nats; None for a model without a map to the vocabulary.

    `hidden` is `(1, length, width)`. The logits are formed for `block` positions at a time.
    """
    import torch

    output = model.get_output_embeddings()
    if output is None or len(tokens) < 2:
        return None
    cap = getattr(model.config, "final_logit_softcapping", None)
    # Cohere multiplies its logits, Granite divides them.
    factor = getattr(model.config, "logit_scale", 1) / getattr(model.config, "logits_scaling", 1)
    targets = torch.as_tensor(tokens[1:], device=hidden.device)
    total = 0.0
    with torch.no_grad():
        for start in range(0, len(tokens) - 1, block):
            part = targets[start : start + block]
            logits = output(hidden[0, start : start + len(part)]).float() * factor
            if cap is not None:
                logits = (logits / cap).tanh() * cap
            total += float(torch.nn.functional.cross_entropy(logits, part, reduction="sum"))
    if not np.isfinite(total):
        raise InvalidArgument("model", "a loss that is not finite", "a model with finite logits")
    return total / (len(tokens) - 1)


def _device(device: torch.device) -> str:
    """The device on which a head is measured: the model's own, or the CPU if that lacks float64."""
    return "cpu" if device.type == "mps" else str(device)


def _numbers(vectors: torch.Tensor) -> Any:
    return vectors.detach().cpu().double().numpy()


def _difference(one: Rotation, other: Rotation) -> float:
    """The largest difference of two rotations' cosines and sines, plane by plane."""
    if (one.real, one.imaginary) != (other.real, other.imaginary):
        one_at = {pair: n for n, pair in enumerate(zip(one.real, one.imaginary, strict=True))}
        pairs = list(zip(other.real, other.imaginary, strict=True))
        if any(pair not in one_at for pair in pairs):
            return float("inf")
        order = [one_at[pair] for pair in pairs]
        cosines, sines = one.cosines[:, order], one.sines[:, order]
    else:
        cosines, sines = one.cosines, one.sines
    gaps = (cosines - other.cosines).abs().max(), (sines - other.sines).abs().max()
    return float(max(gaps))
