"""A monitor that follows chosen heads through training, out of the passes that training makes anyway."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import ropeproof.tools.measure.monitor.rows as tabled
from ropeproof.numerics.models.passes import (
    MODES,
    CapturedSequence,
    PassHeads,
    PassWatch,
    plain_model,
)
from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure.kinds import KindOptions, KindPrompts
from ropeproof.tools.measure.kinds.rows import PromptHeads, weights_at_lags
from ropeproof.tools.measure.monitor.scored import SequenceScores, scores_of_layer
from ropeproof.tools.measure.result import HeadTable

try:
    from transformers import TrainerCallback
except ImportError:
    raise Unsupported("HeadMonitor needs transformers: the extra 'hf'") from None

__all__ = ["HeadMonitor"]

_LOG = logging.getLogger(__name__)
_LEAST = 8
"""Fewest tokens of a sequence on which a head is scored."""


class HeadMonitor(TrainerCallback):  # type: ignore[misc]
    """Follows attention heads through training, from the forward passes that training makes anyway.

        monitor = HeadMonitor([(0, 1), (3, 2)], every=50)
        Trainer(model, args, callbacks=[monitor], ...).train()
        monitor.table  # a row for each step, layer, head and quantity

    Hooks copy queries and keys of the chosen heads, a few sequences every `every` steps; the heads'
    attention is computed again from these copies, without dropout. There is no forward pass more and
    the training is the same to the last bit. Without a Trainer, `watch(model)` is a context in which the
    passes are read, and `record(step)` puts the last of them into the table.

    - `heads`: pairs of layer and head, or a text such as `"0.1,3.2"`; None for all heads of the model;
    - `every`: at every how many steps of a Trainer's optimizer the heads are recorded;
    - `during`: `"training"`, `"evaluation"` (the passes of each evaluation, without dropout and on the same
      sequences each time) or `"both"`;
    - `sequences`, `length`: how many sequences are kept, the first of the step's batches, and how many
      tokens of each at most; attention is causal, so the first tokens attend as in the whole sequence.
      Micro-batches of one step are put together. Sequences of a step count as far as the shortest of
      them; those of fewer than `shortest` tokens are left out (`skipped`);
    - `lags`: lags whose slash scores are recorded, beside the best lag, which is always;
    - `additive`: whether additive fits are made; `options`: `KindOptions`, for rows, confidence, thresholds;
    - `probes`: prompts of `ropeproof.tools.measure.kinds.kind_prompts`, whose repeated and control prompts
      are then run at each record, in eval mode and without a gradient. `extra_passes` counts these.

    Recorded are the scores of the kinds of `ropeproof.tools.measure.kinds.KINDS` that are defined on natural
    tokens (previous-token, slash, sink, positional, symbolic), slash scores at `lags`, and the R² of additive
    fits of the row-centred logits with two and three axes (`posgen.two-axis`, `posgen.three-axis`).
    Induction and duplicate-token heads cannot be recognised on such tokens: they are "not measured"
    unless there are `probes`. The table's columns are `ropeproof.tools.measure.monitor.rows.COLUMNS`. A
    `step` is the number of updates that the weights had when the pass was made.

    Works with gradient accumulation, gradient checkpointing, mixed precision, grouped keys, sliding
    windows, padding on either side and packed sequences (the first document is read). Raises
    `InvalidArgument` for other arguments; when training begins `Unsupported`, by name, for a family that is
    not read, and for a compiled model, on whose modules hooks do not run.

    >>> import torch
    >>> from transformers import LlamaConfig, LlamaForCausalLM
    >>> rope = {"rope_type": "default", "rope_theta": 10000.0}
    >>> shape = {"hidden_size": 32, "num_attention_heads": 2, "num_hidden_layers": 1}
    >>> config = LlamaConfig(vocab_size=50, intermediate_size=32, rope_parameters=rope, **shape)
    >>> model, monitor = LlamaForCausalLM(config), HeadMonitor("0.1", lags=(4,))
    >>> with monitor.watch(model):
    ...     loss = model(input_ids=torch.arange(48)[None] % 50, labels=torch.arange(48)[None]).loss
    ...     rows = monitor.record(step=0)
    >>> [row["quantity"] for row in rows][2:5]
    ['previous-token', 'slash', 'sink']
    >>> rows[0]["quantity"], rows[0]["verdict"], monitor.extra_passes
    ('induction', 'not measured', 0)
    """

    def __init__(
        self,
        heads: Iterable[tuple[int, int]] | str | None,
        *,
        every: int = 100,
        during: str = "training",
        sequences: int = 4,
        length: int = 256,
        shortest: int = 32,
        lags: Iterable[int] | int = (),
        additive: bool = True,
        options: KindOptions | None = None,
        probes: KindPrompts | None = None,
    ) -> None:
        self.heads = tabled.read_heads(heads)
        self.every = read_integer("every", every, least=1)
        if during not in (*MODES, "both"):
            raise InvalidArgument("during", during, "'training', 'evaluation' or 'both'")
        self.during = frozenset(MODES if during == "both" else (during,))
        self.sequences = read_integer("sequences", sequences, least=1)
        self.length = read_integer("length", length, least=_LEAST)
        self.shortest = min(read_integer("shortest", shortest, least=_LEAST), self.length)
        self.lags = tabled.read_lags(lags)
        self.additive = bool(additive)
        self.options = options or KindOptions()
        if probes is not None and not isinstance(probes, KindPrompts):
            raise InvalidArgument(
                "probes", type(probes).__name__, "KindPrompts, of kind_prompts(...)"
            )
        self.probes = probes
        self.extra_passes = 0
        self.skipped: list[tabled.Row] = []
        self._rows: list[tabled.Row] = []
        self._watch: PassWatch | None = None
        self._stack = contextlib.ExitStack()
        self._step: int | None = None
        self._probed: dict[tuple[int, int], tabled.Probed] | None = None

    @property
    def table(self) -> HeadTable:
        """All rows recorded so far: a sequence of mappings, with `to_frame()` and `to_csv()`."""
        return HeadTable(self._rows)

    def to_frame(self) -> Any:
        """The table as a data frame. Raises `Unsupported` where pandas is not installed."""
        return self.table.to_frame()

    def to_csv(self, path: str | Path | None = None) -> str:
        """The table as CSV with a line of names, also written to `path` if there is one."""
        text = self.table.to_csv()
        if path is not None:
            try:
                Path(path).write_text(text, encoding="utf-8")
            except OSError as error:
                raise InvalidArgument("path", path, f"a file ({error.strerror})") from None
        return text

    def __repr__(self) -> str:
        steps = len({row["step"] for row in self._rows})
        which = "all heads" if self.heads is None else f"{len(self.heads)} heads"
        return (
            f"<monitor of {which}: {len(self._rows)} rows of {steps} steps, "
            f"{self.extra_passes} extra passes>"
        )

    @contextlib.contextmanager
    def watch(self, model: Any) -> Iterator[HeadMonitor]:
        """A context in which the passes of a model of transformers are read; `record` uses them.

        The hooks are removed at its end, whatever happens. Raises as the class says.
        """
        self._start(model)
        assert self._watch is not None
        self._watch.open = self.during
        try:
            yield self
        finally:
            self._stop()

    def record(self, step: int) -> HeadTable:
        """Put what the last passes gave into the table and return the new rows.

        Used are the passes since the weights last changed before a pass, or since the last `record`. `step`
        is an integer from 0 on. Raises `InvalidArgument` outside `watch`, `Unsupported` if no pass was seen.
        """
        number = read_integer("step", step, least=0)
        watch = self._watch
        if watch is None:
            raise InvalidArgument("step", step, "a call inside `with monitor.watch(model)`")
        modes = [mode for mode in MODES if mode in self.during and watch.passes[mode]]
        if not modes:
            raise Unsupported(_unseen(self.during))
        if self.probes is not None:
            self._probed = self._probe()
        before = len(self._rows)
        for mode in modes:
            self._record(number, mode)
        return HeadTable(self._rows[before:])

    def on_train_begin(self, args: Any, *_more: Any, model: Any = None, **_named: Any) -> None:
        """Put the hooks in place; called by Trainer. Raises as the class says."""
        if getattr(args, "torch_compile", False):
            raise Unsupported(
                "torch_compile=True: hooks on the modules of a compiled model do not run"
            )
        self._start(model)

    def on_step_begin(self, _args: Any, state: Any, *_more: Any, **_named: Any) -> None:
        """Read the passes of this step if it is one to record; called by Trainer."""
        watch, self._step = self._watch, None
        if watch is None:
            return
        watch.open = self.during - {MODES[0]}
        if MODES[0] not in self.during or state.global_step % self.every:
            return
        self._step = int(state.global_step)
        watch.clear(MODES[:1])
        watch.open = self.during
        if self.probes is not None and state.is_world_process_zero:
            self._probed = self._probe()

    def on_step_end(self, _args: Any, state: Any, *_more: Any, **_named: Any) -> None:
        """Record the passes of this step; called by Trainer after the optimizer's step."""
        watch, step, self._step = self._watch, self._step, None
        if watch is None or step is None:
            return
        watch.open = self.during - {MODES[0]}
        if not state.is_world_process_zero:
            return
        if not watch.passes[MODES[0]]:
            raise Unsupported(_unseen(MODES[:1]))
        self._record(step, MODES[0])

    def on_evaluate(self, _args: Any, state: Any, *_more: Any, **_named: Any) -> None:
        """Record the passes of an evaluation, if these are followed; called by Trainer after it."""
        watch = self._watch
        if watch is None or MODES[1] not in self.during or not watch.passes[MODES[1]]:
            return
        if state.is_world_process_zero:
            if self.probes is not None:
                self._probed = self._probe()
            self._record(int(state.global_step), MODES[1])

    def on_train_end(self, *_arguments: Any, **_named: Any) -> None:
        """Remove the hooks; called by Trainer."""
        self._stop()

    def _start(self, model: Any) -> None:
        self._stop()
        plain = plain_model(model)
        watch = PassWatch(
            plain,
            self.heads,
            sequences=self.sequences,
            length=self.length,
            shortest=self.shortest,
        )
        layer_specs(watch.config)  # a rotation that cannot be read is refused before the first step
        self._stack.enter_context(watch.hooked())
        self._watch = watch
        self._watch.open = self.during - {MODES[0]}

    def _stop(self) -> None:
        self._stack.close()
        self._watch, self._step, self._probed = None, None, None

    def _record(self, step: int, mode: str) -> None:
        watch = self._watch
        assert watch is not None
        captured, short = watch.found[mode], watch.short
        watch.clear((mode,))
        if not captured:
            why = (
                f"{short} sequences of fewer than {self.shortest} tokens"
                if short
                else "no sequence"
            )
            _LOG.warning("step %s: no head was scored: %s", step, why)
            self.skipped.append({"step": step, "source": mode, "layer": None, "why": why})
            return
        probed, self._probed = self._probed, None
        tokens = min(each.tokens for each in captured)
        for layer, heads in watch.heads.items():
            window = captured[0].layers[layer].window
            if window is not None and window < 4:
                why = f"a sliding window of {window} positions"
                self.skipped.append({"step": step, "source": mode, "layer": layer, "why": why})
                continue
            each = [self._scored(watch, sequence, layer, tokens) for sequence in captured]
            window = None if window is None or window >= tokens else window
            for number, head in enumerate(heads):
                self._rows += tabled.head_rows(
                    [scores[number] for scores in each],
                    {"step": step, "source": mode, "layer": layer, "head": head},
                    window=window,
                    lags=self.lags,
                    options=self.options,
                    additive=self.additive,
                    probed=None if probed is None else probed[layer, head],
                )

    def _scored(
        self, watch: PassWatch, sequence: CapturedSequence, layer: int, tokens: int
    ) -> list[SequenceScores]:
        heads = sequence.layers[layer]
        spec: RopeSpec | None = None
        if self.additive:
            spec = layer_specs(watch.config, length=sequence.whole)[layer]
        return scores_of_layer(
            _as_layer(heads, tokens),
            spec,
            rows=self.options.rows,
            tau=self.options.tau,
            additive=self.additive,
        )

    def _probe(self) -> dict[tuple[int, int], tabled.Probed]:
        """Run the probe prompts and keep what the chosen heads put on the lags of the repetition."""
        watch, prompts = self._watch, self.probes
        assert watch is not None
        assert prompts is not None
        found = {
            (layer, head): tabled.Probed(prompts.period)
            for layer, heads in watch.heads.items()
            for head in heads
        }
        opened, watch.open = watch.open, frozenset()
        try:
            for name in ("repeated", "control"):
                for tokens in getattr(prompts, name):

                    def visit(layer: LayerHeads, name: str = name) -> None:
                        heads = PromptHeads.of(layer)
                        lags = weights_at_lags(heads, prompts.period).cpu().numpy()
                        for head in heads.heads:
                            if (layer.layer, head) in found:
                                getattr(found[layer.layer, head], name).append(lags[head])

                    visit_layers(
                        watch.model,
                        np.asarray(tokens)[np.newaxis],
                        visit,
                        layers=list(watch.heads),
                        beyond=True,
                    )
                    self.extra_passes += 1
        finally:
            watch.open = opened
        return found


def _as_layer(heads: PassHeads, tokens: int) -> LayerHeads:
    """The captured heads as a layer of one sequence, on its first `tokens` tokens."""
    window = heads.window
    rotation = heads.rotation
    return LayerHeads(
        heads.layer,
        heads.queries[None, :, :tokens],
        heads.keys[None, :, :tokens],
        type(rotation)(
            rotation.cosines[:tokens], rotation.sines[:tokens], rotation.real, rotation.imaginary
        ),
        heads.scale,
        heads.soft_cap,
        None if window is None or window >= tokens else window,
    )


def _unseen(modes: Collection[str]) -> str:
    which = " or ".join(sorted(modes))
    return (
        f"no forward pass in {which} mode was seen: hooks do not run in a compiled model or a compiled "
        "step, nor in copies of the model; or the model was run in the other mode"
    )
