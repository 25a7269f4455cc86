"""Construction evidence: explicit slash heads in PyTorch float64 against their certificates.

Each check also runs a broken version of its construction and must detect it: a check that
cannot fail is no evidence. torch is imported when a check runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash import (
    SlashHead,
    rank_one_without_cone,
    slash_head,
    uniform_profile,
)
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import amplitudes_and_phases
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.proofs_check.evidence.runs import APART, Runs, blind
from ropeproof.proofs_check.kernel.outcome import Outcome, fails
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary import scaling
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Cases", "attention", "attention_budget", "on_target", "wrong"]

Floats = NDArray[np.float64]
_SCORE = 0.9

_SPECS = (
    RopeSpec(8, 500, layout="half"),
    RopeSpec(16, 10000, layout="interleaved"),
    RopeSpec(24, 10000, rotary_dim=12, layout="half"),
    RopeSpec(16, 500, rotary_dim=8, layout="interleaved"),
    RopeSpec(32, 10000, scaling=scaling.Linear(4)),
    RopeSpec(32, 10000, rotary_dim=16, scaling=scaling.Yarn(factor=4, original_length=64)),
    RopeSpec(
        32,
        500000,
        scaling=scaling.Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=64),
    ),
    RopeSpec(128, 10000),
)
_WINDOWS = ((1, 32), (0, 16), (12, 25), (23, 24))
_STANDARD = (
    RopeSpec(24, 10000),
    RopeSpec(16, 500, layout="interleaved"),
    RopeSpec(40, 10000, rotary_dim=20, layout="interleaved"),
    RopeSpec(128, 10000),
    RopeSpec(128, 500000, rotary_dim=64),
)
"""Standard frequencies with `m ln pi >= ln b`: a condition of `slash.uniform`."""


class Cases(Runs[Any]):
    """The specs, offsets and lengths of a profile in turn."""

    def __init__(self, how: Profile, name: str, choices: tuple[RopeSpec, ...] = _SPECS) -> None:
        super().__init__(how, name, choices, once_in=5, group="slash")

    def __iter__(self) -> Iterator[tuple[RopeSpec, int, int]]:
        for number in range(self.count):
            round_, place = divmod(number, len(self.choices))
            # The first round takes the windows as they are, later ones draw.
            if round_ == 0:
                offset, length = _WINDOWS[place % len(_WINDOWS)]
            else:
                offset = int(self.random.integers(0, 40))
                length = offset + int(self.random.integers(2, 60))
            yield self.choices[place], offset, length

    def prompts(self, head: SlashHead) -> list[list[int]]:
        """Four prompts: uniform tokens, half of the vocabulary, one token, a repeated pattern."""
        tokens, length = len(head.embeddings), head.length
        return [
            self.random.integers(0, tokens, length).tolist(),
            self.random.integers(tokens // 2, tokens, length).tolist(),
            [tokens - 1] * length,
            np.resize(self.random.permutation(tokens)[:3], length).tolist(),
        ]


def attention(head: SlashHead, x: Floats) -> Floats:
    """The attention `(prompts, length, length)` on embeddings `(prompts, length, width)`."""
    import torch

    with torch.no_grad():
        _, rows = head.to_module()(torch.from_numpy(x), return_attention=True)
    found: Floats = rows.numpy()
    return found


def _logits(head: SlashHead, x: Floats) -> Floats:
    import torch

    with torch.no_grad():
        found: Floats = head.to_module().logits(torch.from_numpy(x)).numpy()
    return found


def _embedded(head: SlashHead, prompts: list[list[int]]) -> Floats:
    return head.embed(np.array(prompts))


def on_target(head: SlashHead, rows: Floats) -> Floats:
    """The attention weights at the head's offset, `(prompts, rows)`."""
    return np.diagonal(rows, -head.offset, axis1=1, axis2=2)


def attention_budget(head: SlashHead) -> float:
    """The rounding budget of an attention weight, from that of the logits and the softmax."""
    return 4 * head.bound().rounding + UNIT * (head.length + 64)


def wrong(what: str, spec: RopeSpec, found: float, bound: float) -> Outcome:
    """The failed outcome of a head that breaks a bound."""
    return fails(f"{what}: {found:.12g}, bound {bound:.12g}", {"spec": repr(spec)})


def _weaker(head: SlashHead, factor: float) -> SlashHead:
    return replace(head, w_q=head.w_q * math.sqrt(factor), w_k=head.w_k * math.sqrt(factor))


@evidence("slash.emergence", "construction", "the guaranteed score on every kind of prompt")
def emergence(how: Profile) -> Finding:
    """A head with the margin 2 eta + ln((N-1) kappa/(1-kappa)) has the score kappa in every row.

    Prompts are random, of half the vocabulary, constant and repeating; with a quarter of the amplitude
    the score is lower.
    """
    cases = Cases(how, "emergence")
    domain = f"score {_SCORE}, leaking tokens on a cone, offsets below 40, lengths below 100"
    for spec, offset, length in cases:
        head = slash_head(spec, offset, length, _SCORE)
        bound, needed = head.bound(), softmax.margin_needed(_SCORE, length)
        if not bound.margin >= 2 * bound.leak + needed.upper:
            least = 2 * bound.leak + needed.upper
            return Finding(wrong("margin", spec, bound.margin, least), domain)
        x = _embedded(head, cases.prompts(head))
        weights = on_target(head, attention(head, x))
        least = max(head.certificate.quantities["score"], _SCORE)
        if not weights.min() >= least:
            return Finding(wrong("weight at the offset", spec, weights.min(), least), domain)
        broken = _weaker(head, 0.25)
        if on_target(broken, attention(broken, x)).mean(1).min() >= _SCORE:
            return Finding(blind("a quarter of the amplitude", spec=spec), domain)
    return cases.finding(domain)


@evidence("slash.factor-emergence", "construction", "tokens of many sizes along one direction")
def factor_emergence(how: Profile) -> Finding:
    """A head without leak keeps the claimed score when its tokens are scaled by drawn factors.

    The factors range from 1 to the largest that its margin allows; with factors of both signs the score
    is lost.
    """
    cases = Cases(how, "factor")
    domain = "leak-free heads, tokens stretched by drawn factors, offsets below 40"
    for spec, offset, length in cases:
        head = slash_head(spec, offset, length, _SCORE, leak=0)
        x = _embedded(head, cases.prompts(head))
        factor = _logits(head, x[:1])[0, -1, ::-1]  # f(t), from the last row
        rivals = np.delete(factor, offset)
        room = (factor[offset] - rivals.max()) / 2
        most = 1 + min(room / max(float(rivals.max()), room), 1.0)
        gamma = factor[offset] - float(np.maximum(rivals, most * rivals).max())
        sizes = cases.random.uniform(1, most, x.shape[:2])
        sizes[0] = np.where(np.arange(length) % 2, 1, most)
        weights = on_target(head, attention(head, sizes[..., None] * x))
        slack = 4 * most**2 * head.bound().rounding + UNIT * (length + 64)
        bound = float(softmax.weight_bound(gamma, length).lower) * (1 - slack)
        if not weights.min() >= bound:
            return Finding(wrong("weight at the offset", spec, weights.min(), bound), domain)
        signs = np.where(np.arange(length) < offset, -1.0, 1.0)  # some targets' against their rows'
        broken = on_target(head, attention(head, (sizes * signs)[..., None] * x))
        if offset and broken.min() >= bound:
            return Finding(blind("factors of both signs", spec=spec), domain)
    return cases.finding(domain)


@evidence("slash.ood", "construction", "the same attention on swapped prompts")
def out_of_distribution(how: Profile) -> Finding:
    """Without leak all prompts have the same attention matrix.

    With leak the target's odds vary by a factor of at most e^{4 eta}; a head whose tokens are not on a
    cone exceeds it.
    """
    cases = Cases(how, "ood")
    domain = "heads with and without leak, in and out of distribution"
    for spec, offset, length in cases:
        head = slash_head(spec, offset, length, _SCORE, leak=0)
        rows = attention(head, _embedded(head, cases.prompts(head)))
        off, budget = float(np.abs(rows - rows[0]).max()), attention_budget(head)
        if not off <= budget:
            return Finding(wrong("attention of another prompt", spec, off, budget), domain)
        leaky = slash_head(spec, offset, length, _SCORE)
        rows = attention(leaky, _embedded(leaky, cases.prompts(leaky)))
        # The first row of offset 0 has one key, and no odds.
        weights = on_target(leaky, rows)[:, max(1 - offset, 0) :]
        bound = leaky.bound()
        odds = np.log(weights) - np.log1p(-weights)
        moved, limit = float(np.ptp(odds, axis=0).max()), 4 * bound.deviation
        # An odds of e^m carries the rounding of its weight e^m times.
        limit += 8 * UNIT * (length + 64) * float(np.exp(odds.max()))
        if not moved <= limit:
            return Finding(wrong("log odds of the target", spec, moved, limit), domain)
        if np.abs(rows - rows[0]).max() <= APART * budget:
            return Finding(blind("leaking tokens", spec=spec), domain)
        signs = rank_one_without_cone(spec, offset, length, _SCORE)
        flipped = attention(signs, _embedded(signs, [[0] * length, [1] * length]))
        if float(np.abs(flipped[1] - flipped[0]).max()) <= APART * budget:
            return Finding(blind("no cone", spec=spec), domain)
    return cases.finding(domain)


@evidence("slash.rank-not-enough", "construction", "rank one, and the wrong sign row by row")
def rank_not_enough(how: Profile) -> Finding:
    """Rank-one queries whose sign depends on the token do not suffice for a slash.

    The target is the best key where the sign is +, the worst where it is -; on the + token alone the head
    has the score.
    """
    cases = Cases(how, "rank")
    domain = "one query direction with both signs, one key"
    for spec, offset, length in cases:
        head = rank_one_without_cone(spec, offset, length, _SCORE)
        sizes = np.linalg.svd(head.embeddings @ head.w_q.T, compute_uv=False)
        if not sizes[1] ** 2 <= UNIT * sizes[0] ** 2:
            return Finding(wrong("rank-one share", spec, float(sizes[1] ** 2), 0.0), domain)
        places = np.arange(length)
        alternating = (places % 2).tolist()
        prompts = [[0] * length, [1] * length, alternating]
        x = _embedded(head, prompts)
        logits = _logits(head, x)
        budget = 4 * head.bound().rounding
        signs = np.where(places % 2, -1.0, 1.0)[:, np.newaxis]
        for number, sign in ((1, -1.0), (2, signs)):
            off = float(np.abs(logits[number] - sign * logits[0]).max())
            if not off <= budget:
                return Finding(wrong("logits of the other sign", spec, off, budget), domain)
        weights = on_target(head, attention(head, x))
        if not weights[0].min() >= _SCORE:
            return Finding(wrong("the + prompt", spec, weights[0].min(), _SCORE), domain)
        # The target is the worst of i keys.
        worst = 1 / np.arange(offset + 1, length + 1) + attention_budget(head)
        if not (weights[1] <= worst).all():
            return Finding(wrong("the - prompt", spec, weights[1].max(), worst.max()), domain)
        if weights[0][-1] <= worst[-1]:
            return Finding(blind("the + prompt", spec=spec), domain)
    return cases.finding(domain)


@evidence("slash.uniform", "construction", "a head of equal amplitudes")
def uniform(how: Profile) -> Finding:
    """Equal amplitudes of sum A have the margin A (1 - cos 1)/m under the claim's conditions.

    The head has the score that this margin guarantees; with only two planes, against the conditions, it
    has not.
    """
    cases = Cases(how, "uniform", _STANDARD)
    domain = "equal amplitudes on the rotated planes, lengths up to b^{1 - 1/m}, aligned phases"
    for spec, offset, length in cases:
        planes, base = spec.rotary_planes, float(spec.base)
        longest = int(base ** (1 - 1 / planes)) + 1
        assert planes * math.log(math.pi) >= math.log(base)
        assert length <= longest
        head = slash_head(spec, offset, length, _SCORE, leak=0, profile=uniform_profile(spec))
        amplitude = planes * float(np.abs(_planes_of(head)).min())
        margin = amplitude * (1 - math.cos(1)) / planes
        bound = head.bound()
        if not bound.margin >= margin * (1 - 1e-9):
            return Finding(wrong("margin", spec, bound.margin, margin), domain)
        weights = on_target(head, attention(head, _embedded(head, cases.prompts(head))))
        least = softmax.weight_bound(margin * (1 - 1e-9), length).lower - attention_budget(head)
        if not weights.min() >= least:
            return Finding(wrong("weight at the offset", spec, weights.min(), least), domain)
    # Two planes of base 10^4: the lag 44 is a near-return of the first, and the second is slow.
    narrow = RopeSpec(4, 10000)
    few = slash_head(narrow, 0, 64, _SCORE, leak=0, profile=uniform_profile(narrow))
    amplitude = 2 * float(np.abs(_planes_of(few)).min())
    if few.bound().margin >= amplitude * (1 - math.cos(1)) / 2:
        return Finding(blind("too few planes", spec=narrow), domain)
    return cases.finding(domain)


@evidence("slash.game", "construction", "a head of the optimal amplitudes")
def game(how: Profile) -> Finding:
    """In a symmetric window the margin in PyTorch per unit amplitude is the game's certified value.

    Equal amplitudes have a smaller margin.
    """
    cases = Cases(how, "game")
    domain = "symmetric windows of 8 to 40 positions on each side, no leak"
    for spec, offset, _ in cases:
        reach = max(offset, 8)
        solved = optimal_slash(spec, reach)
        profile = (solved.amplitudes, solved.phases)
        best, equal = (
            slash_head(spec, reach, 2 * reach + 1, _SCORE, leak=0, profile=shape)
            for shape in (profile, uniform_profile(spec))
        )
        found = []
        for head in (best, equal):
            row = _logits(head, _embedded(head, [[0] * head.length]))[0, -1]
            amplitude = float(np.abs(_planes_of(head)).sum())
            margin = float(row[reach] - np.delete(row, reach).max())
            found.append(margin / amplitude)
        slack = 1e-12 + 2 * best.bound().rounding / float(np.abs(_planes_of(best)).sum())
        if not solved.lower - slack <= found[0] <= solved.upper + slack:
            return Finding(wrong("margin per unit", spec, found[0], solved.lower), domain)
        if found[1] > solved.upper + slack:
            return Finding(wrong("equal amplitudes", spec, found[1], solved.upper), domain)
        if spec.rotary_planes > 4 and found[1] >= solved.lower - APART * slack:
            return Finding(blind("equal amplitudes", spec=spec), domain)
    return cases.finding(domain)


@evidence("slash.gd.ood", "construction", "keys k u^T on tokens never seen")
def gradient_descent_ood(how: Profile) -> Finding:
    """With W_K = k u^T and constant queries, attention on tokens u + s is that of training tokens.

    Here s is any vector orthogonal to u. A head whose keys depend on s is detected.
    """
    cases = Cases(how, "gd.ood")
    domain = "tokens u + s with s of any size orthogonal to u, repeats"
    for spec, offset, length in cases:
        head = slash_head(spec, offset, length, _SCORE, leak=0)
        assert head.directions is not None
        seen = _embedded(head, cases.prompts(head))
        unseen = seen.copy()
        unseen[..., 1:] = 3 * cases.random.standard_normal(unseen[..., 1:].shape)
        unseen[1, ::2] = unseen[1, 0]
        rows, others = attention(head, seen), attention(head, unseen)
        off, budget = float(np.abs(others - rows[0]).max()), 4 * attention_budget(head)
        if not off <= budget:
            return Finding(wrong("attention of unseen tokens", spec, off, budget), domain)
        keys = head.w_k.copy()
        keys[:, 1:] = 1e-3 * np.abs(keys).max() * cases.random.standard_normal(keys[:, 1:].shape)
        broken = replace(head, w_k=keys)
        if float(np.abs(attention(broken, unseen) - rows[0]).max()) <= budget:
            return Finding(blind("keys that see the token parts", spec=spec), domain)
    return cases.finding(domain)


def _planes_of(head: SlashHead) -> Floats:
    """The shared direction's amplitudes on the rotated planes, `(rotary planes,)`, in logits."""
    found, _ = amplitudes_and_phases(
        np.ascontiguousarray(head.w_q[:, 0]), np.ascontiguousarray(head.w_k[:, 0]), head.spec
    )
    return found[: head.spec.rotary_planes]
