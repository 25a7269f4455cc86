"""The record of one-hop prompts: accuracy and pure heads by style, task and size, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.stats import binomtest

from one_hop.answers import Spelling, answered
from one_hop.heads import WindowHeads, heads_on
from one_hop.prompts import STYLES, TASKS, Prompt, prompt_of
from ropeproof.numerics.bounds.head.scores import purity

__all__ = ["DEFAULT", "QUICK", "Plan", "accuracy_of", "kinds_of", "observed", "prompts_of"]

Json = dict[str, Any]

GAMMA = 0.1
"""The paper's level of purity."""
RESAMPLED = 400
KINDS = ("positional", "symbolic")


@dataclass(frozen=True)
class Plan:
    """The prompts that are tried: sizes by style, runs and prompts in each, and prompts for heads."""

    instructed: tuple[int, ...]
    bare: tuple[int, ...]
    runs: int
    each: int
    looked_at: tuple[int, ...]
    """The sizes of instructed prompts on which heads are looked at; of bare ones, all."""
    prompts: int
    """The prompts of each size on which heads are looked at."""

    def sizes(self, style: str) -> tuple[int, ...]:
        """The sizes of a style."""
        return self.instructed if style == "instructed" else self.bare

    def head_sizes(self, style: str) -> tuple[int, ...]:
        """The sizes of a style at which heads are looked at."""
        return self.looked_at if style == "instructed" else self.bare


DEFAULT = Plan(
    instructed=(12, 16, 24, 32, 48, 64, 100, 300),
    bare=(20, 60, 100, 300, 1_000),
    runs=5,
    each=10,
    looked_at=(12, 32, 100, 300),
    prompts=6,
)
"""Windows of 80, 150 and 200 elements, which the paper has, are left out; how many prompts it has is
not printed."""
QUICK = Plan(instructed=(12,), bare=(20, 60), runs=1, each=2, looked_at=(), prompts=2)


def prompts_of(
    tokenizer: Any, style: str, task: str, size: int, *, seed: int, count: int
) -> list[Prompt]:
    """The prompts of one cell and seed, the same for the same arguments, whatever else is drawn."""
    random = np.random.default_rng([seed, STYLES.index(style), TASKS.index(task), size])
    return [prompt_of(tokenizer, style, task, size, random) for _ in range(count)]


def accuracy_of(
    model: Any, tokenizer: Any, style: str, task: str, size: int, *, runs: int, each: int
) -> Json:
    """The answers to `each` prompts of each run, the run's number the seed, as in the paper.

    `right` and `chosen` are numbers of prompts by run, as `one_hop.answers.Answered` defines them;
    `tokens` is the mean length of a prompt, `window` the mean number of its elements.
    """
    prompts = [
        prompt
        for run in range(runs)
        for prompt in prompts_of(tokenizer, style, task, size, seed=run, count=each)
    ]
    found = answered(model, prompts, spelling_of(tokenizer, style))
    right, chosen = (
        np.reshape([getattr(one, name) for one in found], (runs, each)).sum(1).tolist()
        for name in ("right", "chosen")
    )
    return {
        "size": size,
        "tokens": float(np.mean([len(prompt.tokens) for prompt in prompts])),
        "window": float(np.mean([prompt.elements for prompt in prompts])),
        "each": each,
        "right": right,
        "chosen": chosen,
    } | {
        f"{name} share": share(sum(hits), runs * each)
        for name, hits in (("right", right), ("chosen", chosen))
    }


def kinds_of(model: Any, tokenizer: Any, style: str, task: str, size: int, *, count: int) -> Json:
    """The pure heads on `count` prompts that are in no run, among the heads that look at the window.

    A head is pure by its scores' means over the prompts, at level .1. The interval of a number of
    heads is that of the middle 95 % of its values on prompts that are drawn again from these.
    """
    prompts = prompts_of(tokenizer, style, task, size, seed=1_000, count=count)
    found = heads_on(model, prompts, spelling_of(tokenizer, style))
    names = _named(found, np.arange(count))
    random = np.random.default_rng(0)
    again = [_named(found, random.integers(count, size=count)) for _ in range(RESAMPLED)]
    best = int(found.answer.mean(0).argmax())
    return {
        "size": size,
        "prompts": count,
        "tokens": float(np.mean([len(prompt.tokens) for prompt in prompts])),
        "heads": found.window.shape[1],
        "looking": len(found.looking),
        **{kind: found.looking[names == kind].tolist() for kind in KINDS},
        **{
            f"{kind} interval": np.quantile(
                [(each == kind).sum() for each in again], [0.025, 0.975]
            ).tolist()
            for kind in KINDS
        },
        "window weight": float(found.window.mean()),
        "best head": best,
        "best head's weight on the answer": found.answer[:, best].tolist(),
        "best head's kind": str(names[found.looking == best][0])
        if best in found.looking
        else "not looking",
    }


def _named(found: WindowHeads, rows: Any) -> Any:
    """The purity of the heads that look, on some of the prompts."""
    if not len(found.looking):
        return np.array([], dtype=str)
    positional, symbolic = (part[rows].mean(0) for part in (found.positional, found.symbolic))
    return purity(positional.clip(0, 1), symbolic.clip(0, 1), GAMMA)


def spelling_of(tokenizer: Any, style: str) -> Spelling:
    """The spelling of answers: without a space in front where a chat model's message begins with one."""
    chat = style == "instructed" and tokenizer.chat_template is not None
    return Spelling.of(tokenizer, spaced=not chat)


def share(hits: int, of: int) -> Json:
    """A share with its exact 95 % interval (Clopper and Pearson)."""
    ends = binomtest(hits, of).proportion_ci(method="exact")
    return {"mean": hits / of, "low": float(ends.low), "high": float(ends.high), "of": of}


def observed(
    accuracy: Mapping[str, Sequence[Json]], kinds: Mapping[str, Sequence[Json]]
) -> dict[str, float | None]:
    """The numbers that the predictions are about, from cells by `STYLE, TASK` in the order of sizes."""
    found: dict[str, float | None] = {}
    for name, cells in accuracy.items():
        for cell in cells:
            size = cell["size"]
            for said, key in (("right", "right share"), ("chosen right", "chosen share")):
                found[f"{name}: {said} at {size}"] = cell[key]["mean"]
                found[f"{name}: low of {said} at {size}"] = cell[key]["low"]
        found[f"{name}: most right"] = max(cell["right share"]["mean"] for cell in cells)
        shares = {cell["size"]: cell["chosen share"]["mean"] for cell in cells}
        if {60, 1_000} <= set(shares):
            found[f"{name}: chosen right, 60 less 1000"] = shares[60] - shares[1_000]
    for style in STYLES:
        pairs = zip(accuracy[f"{style}, letter"], accuracy[f"{style}, number"], strict=True)
        found[f"{style}: sizes with the letter task ahead"] = float(
            sum(
                letter["chosen share"]["mean"] > number["chosen share"]["mean"]
                for letter, number in pairs
            )
        )
    for name, cells in kinds.items():
        more = [len(cell["symbolic"]) > len(cell["positional"]) for cell in cells]
        found[f"{name}: sizes with more symbolic than positional heads"] = float(sum(more))
        for cell in cells:
            weight = float(np.mean(cell["best head's weight on the answer"]))
            found[f"{name}: most weight on the answer at {cell['size']}"] = weight
        at = {cell["size"]: cell for cell in cells}
        if {60, 1_000} <= set(at):
            short, long = at[60], at[1_000]
            counts = {kind: (len(short[kind]), len(long[kind])) for kind in KINDS}
            few, many = counts["positional"], counts["symbolic"]
            found[f"{name}: positional heads, 60 less 1000"] = float(few[0] - few[1])
            if many[0]:
                kept = set(short["symbolic"]) & set(long["symbolic"])
                found[f"{name}: symbolic heads, 1000 over 60"] = many[1] / many[0]
                found[f"{name}: share of symbolic heads of 60 kept at 1000"] = len(kept) / many[0]
    return found


def as_json(plan: Plan) -> Json:
    """A plan as the record keeps it."""
    return asdict(plan)
