"""Whether a draft model of speculative decoding fits its target: its scaling, its base, its reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.theory.rotary.wording import layers_said, rotation_said
from ropeproof.tools.console.model_choice import ModelChoice
from ropeproof.tools.lint.price import differences

__all__ = ["ComparedDraft", "compare_draft"]

_HEADS = ("eagle", "mtp", "nextn", "medusa", "hydra", "dflash", "speculator")
"""What the names of heads on a target's hidden states have in them."""
_FIELDS = (
    "eagle_config",
    "eagle_aux_hidden_state_layer_ids",
    "target_hidden_size",
    "n_predict",
    "draft_vocab_size",
    "speculators_model_type",
    "fc_norm",
)


@dataclass(frozen=True)
class ComparedDraft:
    """What of a draft model must agree with its target and does not, and what differs and may.

    - `head`: why the draft is taken for a head on the target's hidden states; empty for a model of its own;
    - `wrong`: what must agree and does not, each as a sentence;
    - `free`: what differs and need not agree.
    """

    head: str
    wrong: tuple[str, ...]
    free: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether everything agrees that must."""
        return not self.wrong

    def as_json(self) -> dict[str, Any]:
        """The record as JSON."""
        return {
            "draft": "head" if self.head else "model",
            "why": self.head,
            "same": self.same,
            "must_agree": list(self.wrong),
            "need_not_agree": list(self.free),
        }

    def __str__(self) -> str:
        kind = (
            f"the draft is a head on the target's hidden states ({self.head})"
            if self.head
            else "the draft is a model of its own"
        )
        head = "the draft fits its target" if self.same else "the draft does not fit its target"
        lines = [f"{head}; {kind}", *(f"must agree: {text}" for text in self.wrong)]
        return "\n".join([*lines, *(f"need not agree: {text}" for text in self.free)])


def compare_draft(
    target: ModelChoice, draft: ModelChoice, *, length: int | None = None
) -> ComparedDraft:
    """Compare a draft model with the model whose tokens it proposes.

    What is proposed is verified by the target, so that nothing here makes a wrong text; a draft that
    does not fit is accepted less often. It must have the reach of the target, or `length` positions if
    that is given. A head on hidden states, which is trained as one more layer of the target, must have
    its base and its scaling. A model of its own must have a scaling of the target's kind if it is of
    the same family and base, as a smaller sibling is; else it may have been trained without, or with
    another. The factor and other parameters of a scaling are those of its own training. A draft's
    layers are compared with the layers of the target that are nearest.
    """
    head = _head(target.fields, draft.fields)
    wrong: list[str] = []
    free: list[str] = []
    aims = [kind for kind in target.kinds if kind[0].rotary_dim]
    for own, layers in draft.kinds:
        if not own.rotary_dim or not aims:
            continue
        aim = min((spec for spec, _ in aims), key=lambda spec: len(_different(spec, own)))
        where = "" if len(draft.kinds) == 1 else f"{layers_said(layers)} of the draft: "
        sibling = target.fields.get("model_type") == draft.fields.get("model_type")
        for text, must in _different(aim, own):
            (wrong if head or (must and sibling) else free).append(f"{where}{text}")
        free += [f"{where}{text}" for text in _shapes(aim, own)]
        reach = _reach(aim, own, length)
        wrong += [f"{where}{reach}"] if reach else []
    turning = [spec for spec, _ in draft.kinds if spec.rotary_dim]
    if aims and not turning:
        wrong.append(f"the draft does not rotate; the target has {rotation_said(aims[0][0])}")
    if turning and not aims:
        free.append("the target does not rotate and the draft does")
    return ComparedDraft(head, tuple(dict.fromkeys(wrong)), tuple(dict.fromkeys(free)))


def _head(target: Mapping[str, Any], draft: Mapping[str, Any]) -> str:
    """Why a configuration is that of a head on the target's hidden states, in words; else empty."""
    for field in ("model_type", "architectures", "speculators_model_type"):
        said = str(draft.get(field) or "").lower()
        for name in _HEADS:
            if name in said and name not in str(target.get(field) or "").lower():
                return f"{field} has {name}"
    for field in _FIELDS:
        if field in draft and field not in target:
            return f"it has {field}"
    one = draft.get("num_hidden_layers") == 1 and target.get("num_hidden_layers") != 1
    if one and draft.get("hidden_size") == target.get("hidden_size"):
        return "one layer of the target's hidden size"
    return ""


def _different(target: RopeSpec, draft: RopeSpec) -> list[tuple[str, bool]]:
    """The differences in base and scaling, and whether a sibling of the target must agree there."""
    found = []
    kinds = [type(spec.scaling) for spec in (target, draft)]
    if target.base != draft.base:
        text = f"the base is {float(target.base):g} in the target and {float(draft.base):g} in the draft"
        found.append((text, False))
    if target.scaling == draft.scaling:
        return found
    (text,) = differences(target, draft.changed(base=target.base))
    if draft.scaling is None:
        text = text.replace(
            "is missing in the second: the first has", "is missing in the draft: the target has"
        )
    elif target.scaling is None:
        text = text.replace(
            "the second has a scaling that the first has not",
            "the draft has a scaling that the target has not",
        )
    else:
        text += " (target, and draft)"
    must = target.base == draft.base and kinds[0] is not kinds[1] and target.scaling is not None
    return [*found, (text, must)]


def _shapes(target: RopeSpec, draft: RopeSpec) -> list[str]:
    """Differences in the shape of heads, which are the draft's own affair."""
    found = []
    for name, told in (("head_dim", "coordinates of a head"), ("rotary_dim", "that rotate")):
        one, other = getattr(target, name), getattr(draft, name)
        if one != other:
            found.append(f"{one} {told} in the target and {other} in the draft")
    if target.layout != draft.layout:
        found.append(f"{target.layout} layout in the target and {draft.layout} layout in the draft")
    return found


def _reach(target: RopeSpec, draft: RopeSpec, length: int | None) -> str:
    """In words, from which position on the draft is beyond its context and the target is not; else empty."""
    wanted = target.length if length is None else length
    if wanted is None or draft.length is None or draft.length >= wanted:
        return ""
    of = "the target's context" if length is None else "the length that was asked for"
    own = f"{draft.length:,}"
    told = f"the draft's context is {own} positions, and {of} {wanted:,}"
    return f"{told}: from position {own} on it is beyond its own"
