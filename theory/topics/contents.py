"""Which module states which claim: the catalogue's ids in its order, without loading any claim.

What needs no more than ids, topics and roles reads this table. `python maintenance/write_contents.py`
writes it from what the modules state, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["CONTENTS", "NAMING", "TOPIC_NAMES", "Listing", "package_of"]

TOPIC_NAMES = (
    "rope",
    "softmax",
    "slash",
    "head",
    "index",
    "retrieval",
    "planes",
    "task",
    "posgen",
    "conform",
    "sums",
    "duality",
    "trigonometry",
    "exponential",
)
"""The topics, in the order in which a reader meets them."""

_LIBRARY = frozenset({"sums", "duality", "trigonometry", "exponential"})


def package_of(topic: str) -> str:
    """The name of the module that has a topic's claims."""
    return f"ropeproof.theory.{'library' if topic in _LIBRARY else 'topics'}.{topic}"


class Listing(NamedTuple):
    """Where a claim stands: its topic, the module of `theory` that states it, its role and its title.

    The role is one of `ropeproof.theory.annotations.roles.ROLES`. The title is here so that a list of
    the claims needs no module that states them: importing all of them writes every proof.
    """

    topic: str
    module: str
    role: str
    title: str


# fmt: off
# From here on written by `python maintenance/write_contents.py`.
# fmt: off
CONTENTS: Mapping[str, Listing] = MappingProxyType(
    {
        "rope.group": Listing(
            "rope", "topics.rope.rotation", "main result",
            'Rotations add their angles and keep norms',
        ),
        "rope.relative": Listing(
            "rope", "topics.rope.rotation", "main result",
            'The logit depends on positions through the lag only',
        ),
        "rope.toeplitz": Listing(
            "rope", "topics.rope.rotation", "main result",
            'Constant queries and keys give logits that depend on the lag alone',
        ),
        "rope.fourier": Listing(
            "rope", "topics.rope.fourier", "main result",
            'The logit is a sum of cosines of the lag',
        ),
        "rope.layout": Listing(
            "rope", "topics.rope.layout", "main result",
            'Interleaved and half layout differ by one fixed permutation of coordinates',
        ),
        "sums.member": Listing(
            "sums", "library.sums.terms", "lemma",
            'A sum of terms that are not negative is at least each of them',
        ),
        "sums.zero-terms": Listing(
            "sums", "library.sums.terms", "lemma",
            'Non-negative terms that add up to 0 are 0',
        ),
        "rope.bounded": Listing(
            "rope", "topics.rope.bounded", "main result",
            'The amplitude bounds the logit',
        ),
        "trig.sine-below-identity": Listing(
            "trigonometry", "library.trigonometry.sine", "lemma",
            'The sine of a non-negative angle lies between plus and minus the angle',
        ),
        "rope.lipschitz": Listing(
            "rope", "topics.rope.lipschitz", "main result",
            'A unit step changes the logit by at most Σ A_l θ_l',
        ),
        "exp.strictly-monotone": Listing(
            "exponential", "library.exponential.exp_log", "lemma",
            'The exponential is strictly monotone',
        ),
        "exp.log-monotone": Listing(
            "exponential", "library.exponential.exp_log", "lemma",
            'The logarithm is monotone',
        ),
        "exp.monotone": Listing(
            "exponential", "library.exponential.exp_log", "lemma",
            'The exponential is monotone',
        ),
        "trig.sine-positive": Listing(
            "trigonometry", "library.trigonometry.sine", "lemma",
            'The sine is positive between 0 and π',
        ),
        "rope.band": Listing(
            "rope", "topics.rope.band", "main result",
            'With standard frequencies a unit step moves a logit by at most 0.9589 A',
        ),
        "trig.jordan": Listing(
            "trigonometry", "library.trigonometry.jordan", "lemma",
            "Jordan's inequality",
        ),
        "order.times": Listing(
            "sums", "library.order", "lemma",
            'A factor that is not negative keeps the order',
        ),
        "rope.partial": Listing(
            "rope", "topics.rope.partial", "main result",
            'Partial rotary is RoPE with frequency 0 on the planes left alone',
        ),
        "rope.nonresonant": Listing(
            "rope", "topics.rope.nonresonant", "main result",
            'With an integer base no plane ever returns exactly',
        ),
        "trig.cosine-strictly-decreasing": Listing(
            "trigonometry", "library.trigonometry.cosine", "lemma",
            'The cosine falls between 0 and π',
        ),
        "trig.cosine-injective": Listing(
            "trigonometry", "library.trigonometry.cosine", "lemma",
            'The cosine takes no value twice between 0 and π',
        ),
        "rope.expressive-exists": Listing(
            "rope", "topics.rope.expressive.expressive_exists", "lemma",
            'Every target on 2m consecutive lags is a combination of m separated planes',
        ),
        "rope.expressive-unique": Listing(
            "rope", "topics.rope.expressive.expressive_unique", "lemma",
            '2m consecutive lags determine the coefficients of m separated planes',
        ),
        "sums.cycle": Listing(
            "sums", "library.sums.series.cycle", "lemma",
            'The cosines around a cycle add up to 0',
        ),
        "rope.expressive-cyclic": Listing(
            "rope", "topics.rope.expressive.expressive_cyclic", "lemma",
            'The frequencies 2πl/M reach every function on the integers modulo M',
        ),
        "rope.expressive": Listing(
            "rope", "topics.rope.expressive.expressive", "main result",
            'Every target on 2m consecutive lags is a logit, and 2m lags determine its coefficients',
        ),
        "rope.expressive-cost": Listing(
            "rope", "topics.rope.expressive.expressive_cost", "main result",
            'Every target is reachable, but not cheaply',
        ),
        "rope.scaling.linear": Listing(
            "rope", "topics.rope.scaling", "main result",
            'Linear scaling keeps the order and slows every plane',
        ),
        "exp.log-positive": Listing(
            "exponential", "library.exponential.exp_log", "lemma",
            'The logarithm is positive beyond 1',
        ),
        "rope.scaling.dynamic": Listing(
            "rope", "topics.rope.scaling", "main result",
            'Dynamic NTK scaling is a larger base',
        ),
        "rope.scaling.yarn": Listing(
            "rope", "topics.rope.scaling", "main result",
            'YaRN keeps the order as long as its ramp rises with the plane',
        ),
        "rope.scaling.longrope": Listing(
            "rope", "topics.rope.scaling", "main result",
            'LongRoPE keeps the order if its factors do not fall',
        ),
        "rope.scaling.llama3": Listing(
            "rope", "topics.rope.scaling", "main result",
            'Llama 3 scaling is strictly increasing',
        ),
        "rope.slow-channel": Listing(
            "rope", "topics.rope.decay.slow_channel", "main result",
            'A plane that turns reverses or ties any two contents within half a turn; a still one does not',
        ),
        "sums.pick": Listing(
            "sums", "library.sums.indicators", "lemma",
            'A sum against an indicator picks one term',
        ),
        "rope.no-forced-decay": Listing(
            "rope", "topics.rope.decay.no_forced_decay", "main result",
            'RoPE does not make logits decay: one mean square at all lags, and any lag can be the best',
        ),
        "rope.only-two-sided": Listing(
            "rope", "topics.rope.only.two_sided", "main result",
            'Linear maps of queries and keys whose logits see the lag only are powers of one matrix',
        ),
        "rope.only-two-sided-planes": Listing(
            "rope", "topics.rope.only.two_sided_planes", "main result",
            'What is left of two linear maps: planes that turn and decay, and lone coordinates',
        ),
        "rope.only": Listing(
            "rope", "topics.rope.only.only", "main result",
            'A linear encoding whose logits see the lag only is powers of one orthogonal matrix',
        ),
        "rope.only-planes": Listing(
            "rope", "topics.rope.only.planes", "main result",
            'What is left of one linear map: RoPE with some angles, coordinates that stay, changes of sign',
        ),
        "sums.indicator": Listing(
            "sums", "library.sums.indicators", "lemma",
            'A sum against the indicator of an index picks its term',
        ),
        "duality.homogeneous": Listing(
            "duality", "library.duality.homogeneous", "lemma",
            'Linear equations in more unknowns than there are equations have a solution that is not 0',
        ),
        "duality.injective": Listing(
            "duality", "library.duality.injective", "lemma",
            'A square matrix with a right inverse takes no vector but 0 to 0',
        ),
        "rope.gauge-commutes": Listing(
            "rope", "topics.rope.gauge.inverse", "lemma",
            'What keeps all logits at the lags 0 and 1 is inverse and transposed, and commutes with the rotation',
        ),
        "rope.commutant": Listing(
            "rope", "topics.rope.gauge.commutant", "lemma",
            'What commutes with the rotation by one position is one complex number for each plane',
        ),
        "rope.gauge": Listing(
            "rope", "topics.rope.gauge.gauge", "main result",
            'RoPE sees every linear change of queries and keys but one complex number for each plane',
        ),
        "sums.cauchy-schwarz": Listing(
            "sums", "library.sums.inequalities.cauchy_schwarz", "lemma",
            'The Cauchy-Schwarz inequality',
        ),
        "rope.rerotation": Listing(
            "rope", "topics.rope.rerotation", "main result",
            'The error of a stored key that is turned again n times',
        ),
        "rope.base-criterion": Listing(
            "rope", "topics.rope.decay.base_criterion", "main result",
            "The first lags at which the planes' cosines add up to less than 0",
        ),
        "rope.base-expectation": Listing(
            "rope", "topics.rope.decay.base_expectation", "main result",
            "How much more a query prefers its own key to another's, on average, at each lag",
        ),
        "rope.mean-bias": Listing(
            "rope", "topics.rope.decay.mean_bias", "main result",
            'Queries and keys with means make the mean logit depend on the lag',
        ),
        "index.rational-angle": Listing(
            "index", "topics.index.rational_angle", "lemma",
            'A rational angle never returns',
        ),
        "trig.cosine-lipschitz": Listing(
            "trigonometry", "library.trigonometry.cosine", "lemma",
            'A cosine changes by no more than its angle',
        ),
        "rope.half-exponential": Listing(
            "rope", "topics.rope.half.means", "lemma",
            'Means of exponentials of a logit do not depend on its phases, for independent angles',
        ),
        "rope.half-powers": Listing(
            "rope", "topics.rope.half.means", "lemma",
            'Means of powers of 1 − a exp(λ D) do not depend on the phases, for independent angles',
        ),
        "rope.half-power-bounds": Listing(
            "rope", "topics.rope.half.step", "lemma",
            "Bernoulli's inequality from both sides",
        ),
        "rope.half-fall": Listing(
            "rope", "topics.rope.half.step", "lemma",
            'By what a power of 1 − p is off a step',
        ),
        "exp.above-tangent": Listing(
            "exponential", "library.exponential.exp_log", "lemma",
            'The exponential lies above its tangent at 0',
        ),
        "rope.half-step": Listing(
            "rope", "topics.rope.half.step", "lemma",
            'A power of 1 − a exp(λ y) is nearly a step',
        ),
        "rope.half-three": Listing(
            "rope", "topics.rope.half.three", "lemma",
            'Of three of K values of a cosine on a regular polygon one is away from any level',
        ),
        "sums.two-of-three": Listing(
            "sums", "library.sums.two_of_three", "lemma",
            'Numbers of which among any three one is small add up to little more than two',
        ),
        "rope.half-shifts": Listing(
            "rope", "topics.rope.half.shifts", "lemma",
            'What is concentrated about one value of a logit has a small mean, if phases do not matter',
        ),
        "rope.half-mark": Listing(
            "rope", "topics.rope.half.marks", "lemma",
            'A share of lags is near the mean of a function that is nearly a step',
        ),
        "rope.half-law": Listing(
            "rope", "topics.rope.half.law", "lemma",
            'The share of lags below a threshold has a limit that phases do not change',
        ),
        "rope.half": Listing(
            "rope", "topics.rope.half.half", "main result",
            'A difference of two logits is positive at one half of all lags, for independent angles',
        ),
        "softmax.partition": Listing(
            "softmax", "topics.softmax.margin", "lemma",
            'The normaliser splits at the target',
        ),
        "softmax.margin-lower": Listing(
            "softmax", "topics.softmax.margin", "lemma",
            'Gaps at least γ: the weight is at least 1/(1 + (n − 1) exp(−γ))',
        ),
        "softmax.margin-upper": Listing(
            "softmax", "topics.softmax.margin", "lemma",
            'Gaps at most γ: the weight is at most 1/(1 + (n − 1) exp(−γ))',
        ),
        "softmax.margin": Listing(
            "softmax", "topics.softmax.margin", "main result",
            'A margin gives a weight',
        ),
        "softmax.margin-needed": Listing(
            "softmax", "topics.softmax.needed", "main result",
            'The margin that a weight needs',
        ),
        "softmax.perturb": Listing(
            "softmax", "topics.softmax.odds", "main result",
            'Logits that move by at most η move odds by a factor of at most exp(2η)',
        ),
        "softmax.two-masses": Listing(
            "softmax", "topics.softmax.masses", "lemma",
            'The worst share of mass to tilt',
        ),
        "softmax.share-bound": Listing(
            "softmax", "topics.softmax.masses", "lemma",
            'Divide the worst share by the normaliser',
        ),
        "softmax.tv-mass": Listing(
            "softmax", "topics.softmax.variation", "lemma",
            'Tilting keys of mass μ moves attention by at most μ (exp(ε) − 1)',
        ),
        "softmax.tv": Listing(
            "softmax", "topics.softmax.variation", "main result",
            'Bounded tilts move attention by at most tanh(ε/2) in total variation',
        ),
        "sums.triangle-inequality": Listing(
            "sums", "library.sums.inequalities.norm", "lemma",
            'The triangle inequality',
        ),
        "softmax.output-moved": Listing(
            "softmax", "topics.softmax.moved_output", "lemma",
            'A weighted mean moves by at most the total variation of its weights times the diameter',
        ),
        "softmax.entropy": Listing(
            "softmax", "topics.softmax.entropy", "main result",
            'Logits in [−B, B] give entropy at least ln n − 2B',
        ),
        "exp.log-below-identity": Listing(
            "exponential", "library.exponential.exp_log", "lemma",
            'The logarithm lies below its tangent at 1',
        ),
        "softmax.gibbs": Listing(
            "softmax", "topics.softmax.gibbs", "lemma",
            "Gibbs' inequality",
        ),
        "softmax.gibbs-competitors": Listing(
            "softmax", "topics.softmax.gibbs_competitors", "lemma",
            "Gibbs' inequality for the competitors of a key",
        ),
        "softmax.hard-to-soft-weights": Listing(
            "softmax", "topics.softmax.temperature", "main result",
            'The weights of the top keys at inverse temperature beta',
        ),
        "order.product-sign": Listing(
            "sums", "library.order", "lemma",
            'A product of numbers that are not negative',
        ),
        "softmax.hard-to-soft": Listing(
            "softmax", "topics.softmax.decoding", "main result",
            'Softmax decodes like average-hard attention from a finite inverse temperature on',
        ),
        "softmax.token": Listing(
            "softmax", "topics.softmax.token", "lemma",
            'A token that leads all others has most of the attention',
        ),
        "sums.blocks": Listing(
            "sums", "library.sums.blocks", "lemma",
            'A sum over K N integers, block by block',
        ),
        "floor.value": Listing(
            "sums", "library.sums.plain", "lemma",
            'The floor is the integer below',
        ),
        "numerals.digit": Listing(
            "sums", "library.sums.numerals.digits", "lemma",
            'One digit more in front',
        ),
        "sums.expand": Listing(
            "sums", "library.sums.expand", "lemma",
            'A product of sums is the sum over all choices',
        ),
        "softmax.race-transform": Listing(
            "softmax", "topics.softmax.race.race", "lemma",
            'The Laplace transform of independent keys is the product of theirs',
        ),
        "softmax.race-split": Listing(
            "softmax", "topics.softmax.race.race", "lemma",
            'The joint transform at one point for a key and another for all others',
        ),
        "softmax.race-product": Listing(
            "softmax", "topics.softmax.race.race", "lemma",
            'One key at one point, the others at another',
        ),
        "exp.sinh-ratio": Listing(
            "exponential", "library.exponential.hyperbolic", "lemma",
            'sinh(hx)/x rises with x',
        ),
        "softmax.race-cell": Listing(
            "softmax", "topics.softmax.race.race", "lemma",
            'What the clock gains in a cell beside all others',
        ),
        "sums.telescope": Listing(
            "sums", "library.sums.blocks", "lemma",
            'Differences of neighbours add up to that of the ends',
        ),
        "softmax.race-lower": Listing(
            "softmax", "topics.softmax.race.race", "lemma",
            'The race, from below',
        ),
        "softmax.race": Listing(
            "softmax", "topics.softmax.race.race", "main result",
            'The expected weights of a row of independent keys, between two sums',
        ),
        "softmax.race-longer": Listing(
            "softmax", "topics.softmax.race.race_longer", "main result",
            'A key more takes from every other',
        ),
        "exp.midpoint": Listing(
            "exponential", "library.exponential.exp_log", "lemma",
            'The arithmetic mean of two exponentials is at least the geometric one',
        ),
        "exp.sinh-above": Listing(
            "exponential", "library.exponential.hyperbolic", "lemma",
            'sinh x is at least x',
        ),
        "softmax.race-cell-key": Listing(
            "softmax", "topics.softmax.race.race_width", "lemma",
            'What a key gains in a cell at least',
        ),
        "exp.sinh-quotient": Listing(
            "exponential", "library.exponential.hyperbolic", "lemma",
            'x/sinh x is at least 1 - x²/6',
        ),
        "softmax.race-cell-row": Listing(
            "softmax", "topics.softmax.race.race_width", "lemma",
            'What all keys gain in a cell at least',
        ),
        "softmax.race-width": Listing(
            "softmax", "topics.softmax.race.race_width", "main result",
            'How close the two sums of the race are',
        ),
        "slash.score": Listing(
            "slash", "topics.slash.corpus", "definition",
            'The average slash score',
        ),
        "slash.score-one-length": Listing(
            "slash", "topics.slash.corpus", "lemma",
            'The average slash score of prompts of one length',
        ),
        "slash.dominance": Listing(
            "slash", "topics.slash.dominance", "definition",
            'Slash dominance',
        ),
        "slash.dominance-one-length": Listing(
            "slash", "topics.slash.dominance", "lemma",
            'Slash dominance on prompts of one length',
        ),
        "slash.rank-statistics": Listing(
            "slash", "topics.slash.learned.rank_statistics", "definition",
            'The rank statistics r₁ and r₀.₉₅',
        ),
        "slash.cancel": Listing(
            "slash", "topics.slash.cone.inequalities", "lemma",
            'Cancel a positive factor',
        ),
        "slash.relative": Listing(
            "slash", "topics.slash.cone.inequalities", "lemma",
            'A relative difference',
        ),
        "slash.product-of-two": Listing(
            "slash", "topics.slash.cone.inequalities", "lemma",
            'A product is at most a bound times a size',
        ),
        "slash.product-size": Listing(
            "slash", "topics.slash.cone.inequalities", "lemma",
            'A product is at most the product of the sizes',
        ),
        "slash.size-order": Listing(
            "slash", "topics.slash.sandwich.logit_size", "lemma",
            'Sizes compare as their squares do',
        ),
        "slash.root-fit": Listing(
            "slash", "topics.slash.cone.inequalities", "lemma",
            'Norms compare as their squares do',
        ),
        "slash.cone-angle": Listing(
            "slash", "topics.slash.cone.inequalities", "lemma",
            'A vector near an axis has a small angle to it',
        ),
        "slash.fit": Listing(
            "slash", "topics.slash.cone.inequalities", "lemma",
            "The square of a token's distance from the mean",
        ),
        "slash.cone-vectors": Listing(
            "slash", "topics.slash.cone.near_axis", "lemma",
            'Vectors near one axis have almost rank one',
        ),
        "slash.cone": Listing(
            "slash", "topics.slash.cone.axis", "main result",
            'Tokens on a cone give almost rank-one queries',
        ),
        "slash.rival": Listing(
            "slash", "topics.slash.rival", "lemma",
            'One rival bounds the weight',
        ),
        "slash.rank-not-enough": Listing(
            "slash", "topics.slash.rival", "main result",
            'Rank one alone makes no slash',
        ),
        "slash.norm": Listing(
            "slash", "topics.slash.sandwich.logit_size", "lemma",
            'A norm and its square are not negative',
        ),
        "slash.root-order": Listing(
            "slash", "topics.slash.sandwich.logit_size", "lemma",
            'A size below the product of two roots',
        ),
        "slash.logit-size": Listing(
            "slash", "topics.slash.sandwich.logit_size", "lemma",
            'A logit is at most the product of the norms',
        ),
        "slash.logit-close": Listing(
            "slash", "topics.slash.sandwich.logit_close", "lemma",
            "A logit of nearly constant queries and keys is close to the mean head's",
        ),
        "slash.share-order": Listing(
            "slash", "topics.slash.sandwich.share_order", "lemma",
            'A share whose parts move by at most a factor',
        ),
        "slash.row-sandwich": Listing(
            "slash", "topics.slash.sandwich.row_sandwich", "lemma",
            'A row whose logits move by at most eta',
        ),
        "slash.sandwich": Listing(
            "slash", "topics.slash.sandwich.row_sandwich", "main result",
            'Nearly rank-one queries and keys: the slash weight lies between two numbers',
        ),
        "slash.row-one-direction": Listing(
            "slash", "topics.slash.sandwich.one_direction", "lemma",
            'A row whose logits are products of components in an interval',
        ),
        "slash.one-direction": Listing(
            "slash", "topics.slash.sandwich.one_direction", "main result",
            'Queries and keys that read one direction make a slash while its component stays in an interval',
        ),
        "slash.rank-condition-not-enough": Listing(
            "slash", "topics.slash.sandwich.rank_condition", "main result",
            'Queries and keys of rank one up to a twentieth of their squares need not make a slash',
        ),
        "slash.row-emergence": Listing(
            "slash", "topics.slash.emergence.row_emergence", "lemma",
            'A margin makes a row attend',
        ),
        "slash.emergence": Listing(
            "slash", "topics.slash.emergence.emergence", "main result",
            'Rank-one queries and keys and a margin make a slash head, on every prompt',
        ),
        "slash.factor": Listing(
            "slash", "topics.slash.learned.factor", "main result",
            "A logit lies close to the factor's",
        ),
        "slash.factor-emergence": Listing(
            "slash", "topics.slash.learned.factor_emergence", "main result",
            'A rank-one factor and a margin make a slash head, on every prompt',
        ),
        "slash.signed": Listing(
            "slash", "topics.slash.learned.signed", "main result",
            'Rows of the wrong sign keep a slash score low',
        ),
        "slash.band-dominance": Listing(
            "slash", "topics.slash.learned.band_dominance", "main result",
            'A margin from the planes outside a band of any phases',
        ),
        "slash.scaling-survival": Listing(
            "slash", "topics.slash.learned.scaling_survival", "main result",
            'What scaled frequencies leave of a slash head',
        ),
        "slash.precision": Listing(
            "slash", "topics.slash.learned.precision", "main result",
            'What rounded angles and rounded tables move a logit by',
        ),
        "slash.cells": Listing(
            "slash", "topics.slash.learned.quantiles.grid", "lemma",
            'The expectation of what rises with a variable, cell by cell',
        ),
        "slash.odds": Listing(
            "slash", "topics.slash.learned.law.draw", "lemma",
            "The target's weight, from its logit and the sum of all others",
        ),
        "slash.odds-order": Listing(
            "slash", "topics.slash.learned.law.draw", "lemma",
            "The weight rises with the target's logit and falls with the others'",
        ),
        "slash.law": Listing(
            "slash", "topics.slash.learned.law.law", "main result",
            'Two distributions bound the expected weight of a target among independent keys',
        ),
        "sums.jensen-inverse": Listing(
            "sums", "library.sums.inequalities.jensen", "lemma",
            'The mean of inverses is at least the inverse of the mean',
        ),
        "slash.emergence-typical": Listing(
            "slash", "topics.slash.learned.emergence_typical", "lemma",
            "Typical noise: the mean head, and exponential moments of the keys' noise",
        ),
        "slash.quantile-floor": Listing(
            "slash", "topics.slash.learned.quantiles.quantile_mean", "lemma",
            'Quantiles bound the expectation of what rises from below',
        ),
        "slash.quantile-mean": Listing(
            "slash", "topics.slash.learned.quantiles.quantile_mean", "lemma",
            'Quantiles decide the expectation of what rises, up to one part',
        ),
        "slash.quantiles": Listing(
            "slash", "topics.slash.learned.quantiles.quantiles", "main result",
            'A few quantiles bound the expected weight of a target among independent keys',
        ),
        "exp.logistic-parabola": Listing(
            "exponential", "library.exponential.logistic", "lemma",
            'A parabola below the logistic function',
        ),
        "slash.moments": Listing(
            "slash", "topics.slash.learned.law.moments", "main result",
            'Four moments bound the expected weight of a target among independent keys',
        ),
        "slash.contextual": Listing(
            "slash", "topics.slash.learned.contextual", "definition",
            'The contextual share of a slash score',
        ),
        "slash.ood": Listing(
            "slash", "topics.slash.distribution.ood", "main result",
            'In and out of distribution: the same attention, or nearly',
        ),
        "slash.composition": Listing(
            "slash", "topics.slash.distribution.composition", "main result",
            'What a slash head hands on',
        ),
        "slash.null-exchange": Listing(
            "slash", "topics.slash.null.exchange", "lemma",
            'Exchangeable keys get the same weight on average',
        ),
        "slash.null-row": Listing(
            "slash", "topics.slash.null.row", "lemma",
            'Without positions no earlier key gets more than its share',
        ),
        "slash.null": Listing(
            "slash", "topics.slash.null.null", "main result",
            'The slash score of a head without positions',
        ),
        "slash.window": Listing(
            "slash", "topics.slash.lags", "lemma",
            'Competitors in pairs around the target bound its weight',
        ),
        "slash.amplitudes": Listing(
            "slash", "topics.slash.ceiling.amplitudes", "lemma",
            'What every plane earns per unit of amplitude, all earn on the whole amplitude',
        ),
        "slash.pair": Listing(
            "slash", "topics.slash.ceiling.pair_fall", "lemma",
            'The pair at distance t lies at most E_t below the target',
        ),
        "slash.ceiling": Listing(
            "slash", "topics.slash.ceiling.symmetric", "main result",
            'No phases beat the aligned ones on a symmetric window',
        ),
        "trig.cosine-decreasing": Listing(
            "trigonometry", "library.trigonometry.cosine", "lemma",
            'The cosine does not rise between 0 and π',
        ),
        "slash.amplitude-needed": Listing(
            "slash", "topics.slash.ceiling.amplitude_needed", "main result",
            'A slash needs amplitude',
        ),
        "trig.cosine-above-parabola": Listing(
            "trigonometry", "library.trigonometry.cosine", "lemma",
            'The cosine lies above its parabola at 0',
        ),
        "slash.low-only": Listing(
            "slash", "topics.slash.slow.low_only", "main result",
            'Low frequencies alone cannot make a sharp two-sided slash',
        ),
        "sums.geometric": Listing(
            "sums", "library.sums.series.geometric", "lemma",
            'The geometric sum',
        ),
        "sums.two-sided-decay": Listing(
            "sums", "library.sums.series.geometric", "lemma",
            'Exponential decay on both sides of a target, summed',
        ),
        "slash.lipschitz-ceiling": Listing(
            "slash", "topics.slash.slow.lipschitz_ceiling", "main result",
            'A logit with slope λ: the weight is at most tanh(λ/2)/(1 − r) on a two-sided row',
        ),
        "numerals.fraction": Listing(
            "sums", "library.sums.numerals.fractions", "lemma",
            'A fraction lies in one of G parts',
        ),
        "numerals.bound": Listing(
            "sums", "library.sums.numerals.numerals", "lemma",
            'm digits make a number below G^m',
        ),
        "numerals.highest": Listing(
            "sums", "library.sums.numerals.highest", "lemma",
            'The highest number of m digits',
        ),
        "numerals.unique": Listing(
            "sums", "library.sums.numerals.numerals", "lemma",
            'A number has one numeral',
        ),
        "numerals.codes": Listing(
            "sums", "library.sums.numerals.highest", "lemma",
            'Powers and numerals are integers',
        ),
        "sums.power-at-least-one": Listing(
            "sums", "library.sums.plain", "lemma",
            'A power of a number that is at least 1 is at least 1',
        ),
        "sums.once": Listing(
            "sums", "library.sums.pigeonhole", "lemma",
            'Different codes take each value at most once',
        ),
        "sums.pigeonhole": Listing(
            "sums", "library.sums.pigeonhole", "lemma",
            'The pigeonhole principle',
        ),
        "sums.dirichlet": Listing(
            "sums", "library.sums.dirichlet", "lemma",
            "Dirichlet's theorem on simultaneous approximation",
        ),
        "slash.alias": Listing(
            "slash", "topics.slash.spaced.alias", "main result",
            'Few planes repeat themselves: a ghost slash',
        ),
        "slash.game-upper": Listing(
            "slash", "topics.slash.game.game_bounds", "lemma",
            "Weights on the lags bound every head's margin",
        ),
        "slash.game-certificate": Listing(
            "slash", "topics.slash.game.game_bounds", "lemma",
            'Shares and weights on the lags enclose what any head can keep',
        ),
        "duality.weak": Listing(
            "duality", "library.duality.packing", "lemma",
            'No packing of columns is larger than a cover by rows',
        ),
        "duality.farkas": Listing(
            "duality", "library.duality.farkas", "lemma",
            'A linear form is a combination of others, or a point tells it from them',
        ),
        "duality.alternative": Listing(
            "duality", "library.duality.alternative", "lemma",
            'Linear inequalities have a solution that is not negative, or a combination refutes them',
        ),
        "duality.programme": Listing(
            "duality", "library.duality.programme", "lemma",
            'The least cover by rows is as large as the greatest packing of columns',
        ),
        "duality.minimax": Listing(
            "duality", "library.duality.minimax", "lemma",
            'A matrix game has a value',
        ),
        "slash.game": Listing(
            "slash", "topics.slash.game.game", "main result",
            'The best margin per unit amplitude is the value of a linear programme',
        ),
        "trig.projection": Listing(
            "trigonometry", "library.trigonometry.cosine", "lemma",
            'A projection is no longer than the vector',
        ),
        "slash.game-one-sided": Listing(
            "slash", "topics.slash.game.one_sided", "main result",
            "On any window weights on the displacements bound every head's margin",
        ),
        "slash.game-slackness": Listing(
            "slash", "topics.slash.game.one_sided", "main result",
            'When a head is optimal on a window',
        ),
        "slash.game-dense": Listing(
            "slash", "topics.slash.game.angles", "lemma",
            'What angles of a dense list cannot gain, no angles can, nearly',
        ),
        "slash.game-reached": Listing(
            "slash", "topics.slash.game.angles", "main result",
            'On any window listed angles reach the best margin of any angles, nearly',
        ),
        "slash.game-bands": Listing(
            "slash", "topics.slash.game.bands", "main result",
            'Planes with θ ≤ π/N may give all their amplitude to the fastest of them',
        ),
        "slash.mean-fall": Listing(
            "slash", "topics.slash.game.soft.mean_fall", "lemma",
            'The mean fall of an aligned head is what its planes earn',
        ),
        "sums.empty": Listing(
            "sums", "library.sums.plain", "lemma",
            'A sum over no terms is 0',
        ),
        "slash.soft-ceiling": Listing(
            "slash", "topics.slash.game.soft.ceiling", "main result",
            "Probabilities on the lags bound every head's weight",
        ),
        "slash.soft-optimal": Listing(
            "slash", "topics.slash.game.soft.optimal", "main result",
            'When a head is the best of its amplitude on a symmetric window',
        ),
        "slash.amplitude-needed-window": Listing(
            "slash", "topics.slash.game.soft.needed", "main result",
            'A slash with a window on each side needs amplitude',
        ),
        "slash.soft-convex": Listing(
            "slash", "topics.slash.game.soft.convex", "main result",
            "The logarithm of the competitors' sum is convex in the amplitudes",
        ),
        "slash.weights-fall": Listing(
            "slash", "topics.slash.game.soft.weights_fall", "lemma",
            "A target's weight falls as its row grows",
        ),
        "slash.fall-of-rows": Listing(
            "slash", "topics.slash.game.soft.fall_of_rows", "lemma",
            'The mean fall over rows is at most what planes can earn',
        ),
        "sums.falling-mean": Listing(
            "sums", "library.sums.inequalities.falling_mean", "lemma",
            'The mean of a falling sequence bounds its terms and the means of its beginnings',
        ),
        "slash.fall-needed": Listing(
            "slash", "topics.slash.game.soft.fall_needed", "lemma",
            'A mean score over rows forces a mean fall below the target',
        ),
        "slash.amplitude-needed-mean": Listing(
            "slash", "topics.slash.game.soft.needed_mean", "main result",
            'A mean score over rows needs amplitude',
        ),
        "slash.crossing": Listing(
            "slash", "topics.slash.spaced.uniform", "lemma",
            'Slowly falling angles pass between 1 and π',
        ),
        "slash.uniform": Listing(
            "slash", "topics.slash.spaced.uniform", "main result",
            'A uniform head reaches every lag of a long window',
        ),
        "slash.neighbours": Listing(
            "slash", "topics.slash.spaced.ladder", "lemma",
            'Of two planes a factor 3/2 to 3 apart one has always fallen',
        ),
        "sums.two-members": Listing(
            "sums", "library.sums.terms", "lemma",
            'A sum of terms that are not negative is at least any two of them',
        ),
        "slash.spaced": Listing(
            "slash", "topics.slash.spaced.ladder", "main result",
            'Few spaced planes hold a margin at every lag of a long window',
        ),
        "slash.spaced-standard": Listing(
            "slash", "topics.slash.spaced.spaced_standard", "main result",
            'Every r-th plane of standard frequencies is enough',
        ),
        "slash.race": Listing(
            "slash", "topics.slash.learned.law.race", "main result",
            'The slash score on independent tokens, between two sums',
        ),
        "slash.cone-mean": Listing(
            "slash", "topics.slash.headline.cone_planes", "lemma",
            'How long the mean query is, plane by plane',
        ),
        "slash.cone-planes": Listing(
            "slash", "topics.slash.headline.cone_planes", "lemma",
            "A token on a cone has a query near the axis' own, plane by plane",
        ),
        "slash.band-uniform": Listing(
            "slash", "topics.slash.headline.band_uniform", "main result",
            'Standard frequencies: fast planes of some amplitude dominate',
        ),
        "slash.band-spaced": Listing(
            "slash", "topics.slash.headline.band_spaced", "lemma",
            'Few spaced planes dominate, whatever the others do',
        ),
        "slash.head": Listing(
            "slash", "topics.slash.headline.head", "main result",
            'From weights, a cone and frequencies to a slash head',
        ),
        "slash.head-typical": Listing(
            "slash", "topics.slash.headline.typical", "main result",
            "From weights and a cone to a row's expected weight on independent tokens",
        ),
        "slash.gd.rank-one": Listing(
            "slash", "topics.slash.descent.heads.rank_one", "main result",
            'Keys stay rank one and blind to the token',
        ),
        "slash.gd.ood": Listing(
            "slash", "topics.slash.descent.heads.ood", "main result",
            'The trained attention is the same on tokens never seen',
        ),
        "exp.chord": Listing(
            "exponential", "library.exponential.convex", "lemma",
            'The exponential lies below its chords',
        ),
        "exp.hoeffding": Listing(
            "exponential", "library.exponential.hoeffding", "lemma",
            "Hoeffding's lemma, in one variable",
        ),
        "softmax.log-sum-positive": Listing(
            "slash", "topics.slash.descent.loss.log_sum", "lemma",
            'The log of a sum of exponentials, for moves bounded by B > 0',
        ),
        "softmax.log-sum": Listing(
            "slash", "topics.slash.descent.loss.log_sum", "lemma",
            'The log of a sum of exponentials lies between its tangent and a parabola',
        ),
        "slash.gd.features": Listing(
            "slash", "topics.slash.descent.features", "lemma",
            "A key's logits are its scores on the features of the lags",
        ),
        "slash.gd.row-convex": Listing(
            "slash", "topics.slash.descent.loss.convex", "lemma",
            "One row's loss is convex and no more curved than beta",
        ),
        "slash.gd.convex": Listing(
            "slash", "topics.slash.descent.loss.convex", "main result",
            'The loss is convex in the key, with curvature at most beta',
        ),
        "slash.gd.gradient": Listing(
            "slash", "topics.slash.descent.steps.step", "lemma",
            'The gradient of the loss',
        ),
        "slash.gd.step": Listing(
            "slash", "topics.slash.descent.steps.step", "lemma",
            'One step of gradient descent',
        ),
        "slash.gd.telescope": Listing(
            "slash", "topics.slash.descent.steps.telescope", "lemma",
            'Steps that pay with distance',
        ),
        "slash.gd.same-loss": Listing(
            "slash", "topics.slash.descent.loss.same_loss", "lemma",
            'Equal keys have equal loss',
        ),
        "slash.gd.comparator": Listing(
            "slash", "topics.slash.descent.steps.comparator", "lemma",
            'A multiple of the separating direction has loss 1/T',
        ),
        "exp.tangent": Listing(
            "exponential", "library.exponential.convex", "lemma",
            'The exponential lies above its tangents',
        ),
        "slash.gd.score": Listing(
            "slash", "topics.slash.descent.loss.score", "main result",
            'A small loss is a large slash score',
        ),
        "slash.gd.rate": Listing(
            "slash", "topics.slash.descent.rates.rate", "main result",
            'Gradient descent makes a slash head',
        ),
        "slash.gd.row-slope": Listing(
            "slash", "topics.slash.descent.loss.row_slope", "lemma",
            "A direction that lowers every competitor lowers the row's loss",
        ),
        "slash.gd.slope-below": Listing(
            "slash", "topics.slash.descent.loss.slope_below", "lemma",
            'The loss falls at least as fast as what is missing',
        ),
        "slash.gd.missing-below": Listing(
            "slash", "topics.slash.descent.loss.missing_below", "lemma",
            'What is missing is at most the loss',
        ),
        "slash.gd.square-order": Listing(
            "slash", "topics.slash.descent.steps.gradient_size", "lemma",
            'A slope below minus gamma M, squared',
        ),
        "slash.gd.gradient-size": Listing(
            "slash", "topics.slash.descent.steps.gradient_size", "lemma",
            'The gradient is at least the margin times what is missing',
        ),
        "slash.gd.recursion-step": Listing(
            "slash", "topics.slash.descent.steps.recursion", "lemma",
            'One step of the recursion',
        ),
        "slash.gd.recursion-tail": Listing(
            "slash", "topics.slash.descent.steps.recursion", "lemma",
            'Cancel the first loss',
        ),
        "slash.gd.recursion": Listing(
            "slash", "topics.slash.descent.steps.recursion", "lemma",
            'A loss that falls by its square decays like 1/n',
        ),
        "slash.gd.row-losses": Listing(
            "slash", "topics.slash.descent.loss.row_losses", "lemma",
            "No row's loss is negative, or above the sum of all",
        ),
        "slash.gd.tail": Listing(
            "slash", "topics.slash.descent.loss.tail", "lemma",
            'A loss of at most one row is mostly what is missing',
        ),
        "slash.gd.gain-arithmetic": Listing(
            "slash", "topics.slash.descent.steps.progress", "lemma",
            'The gain of a step in terms of the loss',
        ),
        "slash.gd.progress": Listing(
            "slash", "topics.slash.descent.steps.progress", "lemma",
            'What a step gains when every row is mostly right',
        ),
        "slash.gd.rate-sharp": Listing(
            "slash", "topics.slash.descent.rates.rate_sharp", "main result",
            'A faster rate: 1/τ without a logarithm',
        ),
        "slash.gd.head": Listing(
            "slash", "topics.slash.descent.heads.head", "main result",
            'From W_K = 0 to a slash head, on every prompt in the hyperplane ⟨x, u⟩ = 1',
        ),
        "slash.gd.head-cone": Listing(
            "slash", "topics.slash.descent.heads.head_cone", "main result",
            'Trained on a cone, a slow plane that sees the scatter finds content, not the lag',
        ),
        "slash.gd.ceiling-arithmetic": Listing(
            "slash", "topics.slash.descent.steps.gradient_ceiling", "lemma",
            'A square below its root',
        ),
        "slash.gd.gradient-ceiling": Listing(
            "slash", "topics.slash.descent.steps.gradient_ceiling", "lemma",
            'No gradient is longer than what is missing allows',
        ),
        "slash.gd.slow-step": Listing(
            "slash", "topics.slash.descent.steps.slow_step", "lemma",
            'No step of gradient descent gains more than four times the square of the loss',
        ),
        "slash.gd.floor-step": Listing(
            "slash", "topics.slash.descent.rates.rate_floor", "lemma",
            "One step of the floor's recursion",
        ),
        "slash.gd.rate-floor": Listing(
            "slash", "topics.slash.descent.rates.rate_floor", "main result",
            'The rate cannot be better than 1/τ',
        ),
        "slash.gd.along": Listing(
            "slash", "topics.slash.descent.heads.along", "lemma",
            'A key grows along what separates the target',
        ),
        "slash.gd.plane-arithmetic": Listing(
            "slash", "topics.slash.descent.slow_planes.plane_bound", "lemma",
            "Compare a plane's growth with the whole key's",
        ),
        "slash.gd.plane-bound": Listing(
            "slash", "topics.slash.descent.slow_planes.plane_bound", "lemma",
            'A plane whose features hardly differ hardly grows',
        ),
        "slash.gd.plane-feature": Listing(
            "slash", "topics.slash.descent.slow_planes.low_suppressed", "lemma",
            "How far a plane's features are apart",
        ),
        "slash.gd.low-suppressed": Listing(
            "slash", "topics.slash.descent.slow_planes.low_suppressed", "main result",
            'Gradient descent leaves slow planes small',
        ),
        "slash.gd.wasted-growth": Listing(
            "slash", "topics.slash.descent.slow_planes.wasted_growth", "lemma",
            'A key grows along a direction by what its scores fall where attention is wasted',
        ),
        "slash.gd.wasted-distance": Listing(
            "slash", "topics.slash.descent.slow_planes.wasted_distance", "main result",
            'Slow planes stay small by the mean wasted distance',
        ),
        "slash.flow": Listing(
            "slash", "topics.slash.descent.flow", "main result",
            'The gradient in both factors keeps |q|² - |k|² and moves w along its own',
        ),
        "slash.flow-sparse": Listing(
            "slash", "topics.slash.descent.flow", "conjecture",
            'Conjecture: joint training plays the slash game',
        ),
        "slash.flow-limit": Listing(
            "slash", "topics.slash.descent.flow_limit", "main result",
            'A direction that balances its planes against the lags it loses to is optimal in the game',
        ),
        "slash.gd.offset-signs": Listing(
            "slash", "topics.slash.descent.offset.signs", "main result",
            'The loss of induction falls with the weight of lag 1 and with no other',
        ),
        "slash.gd.offset-step": Listing(
            "slash", "topics.slash.descent.offset.step", "main result",
            'A step of descent on induction widens the lead of lag 1',
        ),
        "slash.gd.offset-lead": Listing(
            "slash", "topics.slash.descent.offset.lead", "lemma",
            'Where lag 1 is rewarded more than any other, a step shrinks the weight of all others',
        ),
        "slash.gd.offset-last-place": Listing(
            "slash", "topics.slash.descent.offset.last_place", "lemma",
            'The loss of induction falls fastest with lag 1 even for the token directly before the last',
        ),
        "slash.gd.offset-found": Listing(
            "slash", "topics.slash.descent.offset.found", "main result",
            'One free logit a lag, trained on induction, selects offset 1, at a rate of one over the steps',
        ),
        "slash.gd.offset-causal-row": Listing(
            "slash", "topics.slash.descent.causal.row", "lemma",
            'In a softmax row the lag that is rewarded most, and has the largest weight, gains most',
        ),
        "slash.gd.offset-causal-rewards": Listing(
            "slash", "topics.slash.descent.causal.rewards", "lemma",
            'In each causal row the loss of induction falls fastest with the weight of lag 1',
        ),
        "slash.gd.offset-causal-shares": Listing(
            "slash", "topics.slash.descent.causal.step", "lemma",
            'The weights of a causal softmax row are not negative and add up to 1',
        ),
        "slash.gd.offset-causal-step": Listing(
            "slash", "topics.slash.descent.causal.step", "lemma",
            'A step of descent on causal rows widens the lead of lag 1 over longer lags',
        ),
        "slash.gd.offset-causal-step-own": Listing(
            "slash", "topics.slash.descent.causal.step", "lemma",
            'A step of descent on causal rows widens the lead of lag 1 over lag 0',
        ),
        "slash.gd.offset-causal": Listing(
            "slash", "topics.slash.descent.causal.found", "main result",
            'Through causal softmax rows, too, training on induction never lets lag 1 be overtaken',
        ),
        "sums.triangle": Listing(
            "sums", "library.sums.triangle", "lemma",
            'A sum over a triangle may be exchanged',
        ),
        "slash.gd.offset-kernel": Listing(
            "slash", "topics.slash.descent.causal.kernel", "lemma",
            'Lags whose logits move by all pulls alike, and by their own more, train like free logits',
        ),
        "slash.gd.offset-rope-apart": Listing(
            "slash", "topics.slash.descent.causal.apart", "main result",
            'The planes of a circle cut into 2m + 1 parts keep 2m + 1 lags equally apart',
        ),
        "slash.gd.offset-rope": Listing(
            "slash", "topics.slash.descent.causal.rope_head", "main result",
            'A RoPE head whose planes keep all lags equally apart finds offset 1 inside the two layers',
        ),
        "slash.gd.offset-rope-slow": Listing(
            "slash", "topics.slash.descent.causal.slow_plane", "main result",
            'With three tokens and one slow plane lag 1 is overtaken at the first step, whatever its size',
        ),
        "head.nope-symbolic": Listing(
            "head", "topics.head.table", "main result",
            'Without rotation every head is symbolic',
        ),
        "head.constant-key-positional": Listing(
            "head", "topics.head.table", "main result",
            'Equal keys make a head positional',
        ),
        "head.exclusion-identity": Listing(
            "head", "topics.head.exclusion.exclusion", "lemma",
            'What the two deviations add up to',
        ),
        "sums.even": Listing(
            "sums", "library.sums.even", "lemma",
            'A sum over places that come equally often',
        ),
        "head.exclusion": Listing(
            "head", "topics.head.exclusion.exclusion", "main result",
            'No head is positional and symbolic unless its logits are constant',
        ),
        "sums.permute": Listing(
            "sums", "library.sums.permutation", "lemma",
            'A sum does not depend on the order of its terms',
        ),
        "head.exclusion-all": Listing(
            "head", "topics.head.exclusion.all_permutations", "main result",
            'Exclusion over all permutations, with the printed constant',
        ),
        "order.root": Listing(
            "sums", "library.order", "lemma",
            'Numbers that are not negative and have one square are one',
        ),
        "head.norm-scale": Listing(
            "head", "topics.head.scores", "lemma",
            'A vector divided by a positive number',
        ),
        "head.cosine-scale": Listing(
            "head", "topics.head.scores", "lemma",
            'Cosine similarity forgets positive factors',
        ),
        "head.score-table": Listing(
            "head", "topics.head.scores", "main result",
            "The scores' cosines are functions of the table alone",
        ),
        "head.score-disc": Listing(
            "head", "topics.head.exclusion.geometry", "main result",
            'No swap has two small scores',
        ),
        "order.square": Listing(
            "sums", "library.order", "lemma",
            'Squares keep the order of numbers that are not negative',
        ),
        "head.score-geometry": Listing(
            "head", "topics.head.exclusion.geometry", "main result",
            'The two scores of a swap as angles, and how they exclude each other',
        ),
        "head.swap-sum": Listing(
            "head", "topics.head.diagonal", "lemma",
            'The two cosines of a swap add up to at most twice that with the diagonal',
        ),
        "head.diagonal-order": Listing(
            "head", "topics.head.diagonal", "lemma",
            'Weights far apart are far from the diagonal',
        ),
        "head.swaps-exclusion": Listing(
            "head", "topics.head.swaps", "lemma",
            'Two scores averaged over swaps',
        ),
        "head.row-exclusion": Listing(
            "head", "topics.head.exclusion.row_exclusion", "main result",
            'Both scores of a row high means that its weights are nearly equal',
        ),
        "sums.exchange": Listing(
            "sums", "library.sums.exchange", "lemma",
            'Exchanging two places is a permutation and its own inverse',
        ),
        "head.swaps-for-permutations": Listing(
            "head", "topics.head.definitions", "lemma",
            'What no swap changes, no permutation changes',
        ),
        "head.swaps-suffice": Listing(
            "head", "topics.head.definitions", "main result",
            'A head that no swap shows to be other is positional, or symbolic',
        ),
        "head.cosine-one": Listing(
            "head", "topics.head.definitions", "lemma",
            'The cosine of two positive vectors is 1 if and only if they are parallel',
        ),
        "head.perfect-score": Listing(
            "head", "topics.head.definitions", "main result",
            'What a perfect score of a swap says of the logits',
        ),
        "head.discrepancy": Listing(
            "head", "topics.head.discrepancy", "definition",
            'The discrepancy of a head at a length: the largest and the smallest over its inputs',
        ),
        "head.robust-exclusion": Listing(
            "head", "topics.head.exclusion.robust", "main result",
            'Following a position excludes being symbolic, following a content being positional',
        ),
        "head.symbolic-cannot-index": Listing(
            "head", "topics.head.cannot.symbolic", "main result",
            'A symbolic head cannot index',
        ),
        "head.positional-cannot-retrieve": Listing(
            "head", "topics.head.cannot.positional", "main result",
            'A positional head with one-hot tokens cannot retrieve',
        ),
        "head.symbolic-any-read-out": Listing(
            "head", "topics.head.cannot.any_read_out", "main result",
            'Behind a symbolic head no read-out can index',
        ),
        "head.simple-cannot-retrieve": Listing(
            "head", "topics.head.cannot.repeated", "main result",
            'No simple head that acts positionally on an input retrieves from it',
        ),
        "head.positional-read-out": Listing(
            "head", "topics.head.cannot.read_out", "main result",
            'With a read-out that sees the query a positional head retrieves',
        ),
        "head.perceptron-retrieves": Listing(
            "head", "topics.head.cannot.perceptron", "main result",
            'Behind a perceptron a positional head retrieves from two keys',
        ),
        "head.index-budget": Listing(
            "head", "topics.head.budget", "main result",
            'Separating neighbours costs Σ A_l θ_l',
        ),
        "head.uniform-excludes-self": Listing(
            "head", "topics.head.budget", "main result",
            'A head can be positional and symbolic and look at itself alone',
        ),
        "trig.cosine-band": Listing(
            "trigonometry", "library.trigonometry.turns", "lemma",
            'At distance a from every whole turn the cosine is at most cos a',
        ),
        "trig.roots": Listing(
            "trigonometry", "library.trigonometry.turns", "lemma",
            'Of the Q-th parts of a turn the first is the closest to none',
        ),
        "index.margin-attained": Listing(
            "index", "topics.index.inputs", "lemma",
            'One turn over the length attains the best margin',
        ),
        "head.reflexive": Listing(
            "head", "topics.head.reflexive", "main result",
            'A positional and a symbolic head can hand the own token on',
        ),
        "head.one-factor": Listing(
            "head", "topics.head.identified.factor", "lemma",
            'One product that is not 0 determines its factors up to one complex number',
        ),
        "head.identified": Listing(
            "head", "topics.head.identified.logits", "main result",
            'Logits at 2m consecutive lags determine a RoPE head up to one complex number per plane',
        ),
        "head.identified-weights": Listing(
            "head", "topics.head.identified.weights", "main result",
            'Attention weights alone determine a RoPE head up to one complex number per plane',
        ),
        "head.identified-vocabulary": Listing(
            "head", "topics.head.identified.vocabulary", "main result",
            "Attention weights on prompts of a vocabulary determine a head's forms of its tokens",
        ),
        "head.identified-tokens-needed": Listing(
            "head", "topics.head.identified.tokens_needed", "main result",
            'Prompts of 2m tokens never determine a RoPE head of m planes',
        ),
        "head.identified-two-tokens": Listing(
            "head", "topics.head.identified.two_tokens", "main result",
            'Two tokens do not determine the form of one plane',
        ),
        "head.sink-reflection": Listing(
            "head", "topics.head.sink.bound", "lemma",
            'What any head guarantees on a window, a head without phases does',
        ),
        "head.sink-even-bound": Listing(
            "head", "topics.head.sink.bound", "lemma",
            'Weights on the lags bound every guarantee, plane by plane about the middle',
        ),
        "head.sink-bound": Listing(
            "head", "topics.head.sink.bound", "main result",
            'Weights on the lags bound what any query can guarantee to one token',
        ),
        "head.sink-uniform": Listing(
            "head", "topics.head.sink.uniform", "main result",
            'What a query can guarantee at N lags is at most a Dirichlet kernel',
        ),
        "duality.minimax-signed": Listing(
            "duality", "library.duality.minimax_signed", "lemma",
            'A matrix game whose rows may be taken with either sign has a value',
        ),
        "head.sink-horizon": Listing(
            "head", "topics.head.sink.horizon", "main result",
            'How far a query can guarantee a token its logit: the value of a linear programme',
        ),
        "head.sink-slackness": Listing(
            "head", "topics.head.sink.slackness", "main result",
            "When a head's guarantee is the best of its amplitude",
        ),
        "index.logit": Listing(
            "index", "topics.index.construction", "main result",
            'The logit of the index construction',
        ),
        "index.feasible": Listing(
            "index", "topics.index.construction", "main result",
            'With average-hard attention the index construction computes Index',
        ),
        "index.window": Listing(
            "index", "topics.index.window", "main result",
            'The margin on one input is a minimum over a window',
        ),
        "index.return": Listing(
            "index", "topics.index.margin", "lemma",
            'Any angle almost returns within Q steps',
        ),
        "index.margin-upper": Listing(
            "index", "topics.index.margin", "lemma",
            'The margin of one plane on one input',
        ),
        "index.margin": Listing(
            "index", "topics.index.inputs", "main result",
            'What one plane can index, over all inputs',
        ),
        "index.printed-bound": Listing(
            "index", "topics.index.printed", "printed",
            'Printed: the discrepancy of the index construction is at most 2π²/n²',
        ),
        "index.printed-irrational": Listing(
            "index", "topics.index.printed", "printed",
            'Printed: an irrational angle gives a unique maximum',
        ),
        "index.printed-maxima": Listing(
            "index", "topics.index.printed", "printed",
            'Printed: above 2π/n attention has its maximum in several positions',
        ),
        "index.staircase": Listing(
            "index", "topics.index.staircase", "main result",
            "A fixed angle's margin falls in steps, at its near-returns",
        ),
        "index.majority": Listing(
            "index", "topics.index.needed", "lemma",
            'A target has more than half of the weight if and only if it outweighs all others together',
        ),
        "index.temperature-any": Listing(
            "index", "topics.index.needed", "lemma",
            'Every angle needs an inverse temperature of order n²',
        ),
        "index.cycle": Listing(
            "index", "topics.index.temperature", "lemma",
            'With one turn over the length every target has the same competition',
        ),
        "trig.cosine-below-parabola": Listing(
            "trigonometry", "library.trigonometry.jordan", "lemma",
            'The cosine lies below a parabola within half a turn',
        ),
        "index.near-term": Listing(
            "index", "topics.index.temperature", "lemma",
            'A competitor d steps away counts at most 3⁻ᵈ',
        ),
        "index.temperature-enough": Listing(
            "index", "topics.index.temperature", "lemma",
            'An inverse temperature of n² (ln 3)/8 is enough',
        ),
        "index.temperature-needed": Listing(
            "index", "topics.index.temperature", "lemma",
            'With one turn over the length the two neighbours already need it',
        ),
        "index.temperature": Listing(
            "index", "topics.index.decodes", "main result",
            'What inverse temperature the index construction needs',
        ),
        "index.softmax": Listing(
            "index", "topics.index.one_head", "lemma",
            'With softmax the index construction computes Index up to a length',
        ),
        "index.one-head": Listing(
            "index", "topics.index.one_head", "main result",
            'There is a softmax head that computes Index on every input up to a length',
        ),
        "index.fading": Listing(
            "index", "topics.index.fading", "lemma",
            "A mean near its limit makes n times the target's weight near its own",
        ),
        "index.weyl-groups": Listing(
            "index", "topics.index.weyl", "lemma",
            'How heads fade on ever longer prompts, where angles depend on each other',
        ),
        "index.weyl": Listing(
            "index", "topics.index.weyl", "main result",
            'How positional heads fade on ever longer prompts',
        ),
        "retrieval.logit": Listing(
            "retrieval", "topics.retrieval.construction", "main result",
            'The logit of the retrieval construction',
        ),
        "retrieval.gap": Listing(
            "retrieval", "topics.retrieval.construction", "lemma",
            'Another letter is at least a step less the rotation away',
        ),
        "retrieval.feasible": Listing(
            "retrieval", "topics.retrieval.feasible", "main result",
            'With average-hard attention the retrieval construction computes Retrieval',
        ),
        "retrieval.margin": Listing(
            "retrieval", "topics.retrieval.margin", "main result",
            'The worst margin of the retrieval construction, exactly',
        ),
        "retrieval.printed-bound": Listing(
            "retrieval", "topics.retrieval.printed", "printed",
            'Printed: the discrepancy of the retrieval construction',
        ),
        "retrieval.printed-symbolic": Listing(
            "retrieval", "topics.retrieval.printed", "printed",
            'Printed: the retrieval construction is purely symbolic',
        ),
        "retrieval.printed-equal": Listing(
            "retrieval", "topics.retrieval.printed", "printed",
            'Printed: tokens of one left letter are attended equally and are one token',
        ),
        "retrieval.exactly": Listing(
            "retrieval", "topics.retrieval.temperature", "lemma",
            'When a target beats n − 1 equal rivals of a neighbouring letter',
        ),
        "retrieval.temperature": Listing(
            "retrieval", "topics.retrieval.temperature", "main result",
            'What inverse temperature retrieval needs',
        ),
        "retrieval.softmax": Listing(
            "retrieval", "topics.retrieval.softmax_head", "lemma",
            'With softmax the retrieval construction computes Retrieval up to a length',
        ),
        "retrieval.one-head": Listing(
            "retrieval", "topics.retrieval.one_head", "main result",
            'There is a softmax head that computes Retrieval on every input up to a length',
        ),
        "separation.one-plane": Listing(
            "retrieval", "topics.retrieval.separation", "main result",
            'On one plane Index needs inverse temperature of order n², Retrieval of order ln n',
        ),
        "sums.lowest": Listing(
            "sums", "library.sums.permutation", "lemma",
            'Finitely many numbers have a least one',
        ),
        "separation.discrepancy": Listing(
            "retrieval", "topics.retrieval.discrepancy", "main result",
            'Index loses its discrepancy as n⁻², Retrieval without rotation keeps it',
        ),
        "retrieval.race": Listing(
            "retrieval", "topics.retrieval.race", "main result",
            'A needle among n - 1 distractors, from two curves',
        ),
        "planes.upper": Listing(
            "planes", "topics.planes.upper", "main result",
            'Few planes leave a small margin',
        ),
        "planes.digit": Listing(
            "planes", "topics.planes.digits", "lemma",
            'Every number has a last digit that is not 0',
        ),
        "planes.digits": Listing(
            "planes", "topics.planes.digits", "main result",
            'One plane per digit',
        ),
        "planes.part-of-a-turn": Listing(
            "planes", "topics.planes.order", "lemma",
            'How far a Q-th part of a turn falls',
        ),
        "planes.order": Listing(
            "planes", "topics.planes.order", "main result",
            'The best margin of m planes is of order 1/n^(2/m)',
        ),
        "sums.least": Listing(
            "sums", "library.sums.permutation", "lemma",
            'Some term is no larger than the mean',
        ),
        "sums.cycle-exponentials": Listing(
            "sums", "library.sums.series.cycle_exponentials", "lemma",
            'The exponentials of the cosines around a cycle',
        ),
        "planes.choice": Listing(
            "planes", "topics.planes.choice", "lemma",
            'One more plane, chosen well',
        ),
        "planes.many": Listing(
            "planes", "topics.planes.choice", "lemma",
            'Planes chosen one after another',
        ),
        "planes.log": Listing(
            "planes", "topics.planes.log", "main result",
            'A logarithmic number of planes gives a large margin',
        ),
        "planes.log-needed": Listing(
            "planes", "topics.planes.log_needed", "main result",
            'A large margin needs a logarithmic number of planes',
        ),
        "planes.frozen": Listing(
            "planes", "topics.planes.frozen", "main result",
            'The spectrum that is best for 16 positions fails at 1024',
        ),
        "sums.sorted": Listing(
            "sums", "library.sums.sorting", "lemma",
            'Finitely many numbers can be put in order',
        ),
        "planes.round": Listing(
            "planes", "topics.planes.tour", "lemma",
            'Angles in the order in which they are met around the circle',
        ),
        "planes.between": Listing(
            "planes", "topics.planes.between", "lemma",
            'A key leads the better of its two neighbours by no more than their distance allows',
        ),
        "planes.address": Listing(
            "planes", "topics.planes.address", "main result",
            'How far K addresses can be told apart on one plane',
        ),
        "task.compose-index": Listing(
            "task", "topics.task.compose.compose_index", "main result",
            'A stack of r index heads follows a chain of at most r hops',
        ),
        "task.compose-retrieval": Listing(
            "task", "topics.task.compose.compose_retrieval", "main result",
            'A stack of r retrieval heads follows r parents',
        ),
        "task.compose-retrieval-chain": Listing(
            "task", "topics.task.compose.compose_chain", "main result",
            'A stack of r retrieval heads follows a chain of r parents, whatever stands beside it',
        ),
        "task.soft-stack": Listing(
            "task", "topics.task.compose.soft_stack", "main result",
            'How cold the layers of a stack must be',
        ),
        "task.absolute-index": Listing(
            "task", "topics.task.absolute_index", "main result",
            'One plane and a scale read the token at an absolute index',
        ),
        "task.info-retrieval": Listing(
            "task", "topics.task.info_retrieval", "main result",
            'On one plane the right symbol has the largest logit, whatever the lag',
        ),
        "task.lookup": Listing(
            "task", "topics.task.lookup", "lemma",
            'A position that leads all other tokens is answered with',
        ),
        "task.info-retrieval-head": Listing(
            "task", "topics.task.info_retrieval_head", "main result",
            'There is a softmax head that finds the value of a key in every input up to a length',
        ),
        "task.partial-induction": Listing(
            "task", "topics.task.partial_induction.partial_induction", "main result",
            'A symbol plane and a slow plane give the last occurrence of a key the largest logit',
        ),
        "task.partial-induction-sharp": Listing(
            "task", "topics.task.partial_induction.sharp", "lemma",
            'The last occurrence of a key has the largest logit, with a margin',
        ),
        "task.partial-induction-head": Listing(
            "task", "topics.task.partial_induction.partial_induction_head", "main result",
            'There is a softmax head that finds the last value of a key in every input up to a length',
        ),
        "task.partial-induction-needs-both": Listing(
            "task", "topics.task.partial_induction.needs_both", "main result",
            'Neither a symbolic nor a positional head does partial induction',
        ),
        "task.induction-mean": Listing(
            "task", "topics.task.induction_mean", "lemma",
            'A slash head at offset 1 writes the token before, up to its missing weight',
        ),
        "task.induction-recency": Listing(
            "task", "topics.task.induction_planes", "lemma",
            'A slow plane prefers the later of two positions',
        ),
        "task.induction-any": Listing(
            "task", "topics.task.induction_planes", "lemma",
            'Induction where all earlier occurrences have one successor',
        ),
        "task.induction-last": Listing(
            "task", "topics.task.induction_planes", "lemma",
            'Induction on the last earlier occurrence',
        ),
        "task.induction": Listing(
            "task", "topics.task.induction", "main result",
            'A slash head at offset 1 and a matching head do induction up to a length',
        ),
        "task.u-shape-index": Listing(
            "task", "topics.task.u_shape.u_shape_index", "main result",
            'The index construction weighs its target least in the middle',
        ),
        "task.u-shape-symbol": Listing(
            "task", "topics.task.u_shape.u_shape_symbol", "main result",
            'The simplified symbolic construction weighs its target most in the middle',
        ),
        "task.u-shape": Listing(
            "task", "topics.task.u_shape.u_shape", "main result",
            'Lost in the middle, or found there',
        ),
        "task.printed-scale": Listing(
            "task", "topics.task.printed", "printed",
            'Printed: the constructed heads answer, without a scale, on every input',
        ),
        "task.printed-mixed": Listing(
            "task", "topics.task.printed", "printed",
            'Printed: a head that does partial induction is positional on no input',
        ),
        "task.printed-answer": Listing(
            "task", "topics.task.printed", "printed",
            "Printed: the index of the number task's answer",
        ),
        "posgen.sum-size": Listing(
            "posgen", "topics.posgen.plane", "lemma",
            "A scaled sum is at most the scaled sum of its terms' bounds",
        ),
        "order.products": Listing(
            "sums", "library.order", "lemma",
            'Products of numbers that are not negative keep the order',
        ),
        "posgen.plane": Listing(
            "posgen", "topics.posgen.plane", "lemma",
            'One plane of a logit moves by at most its size times the angle',
        ),
        "posgen.slow-part": Listing(
            "posgen", "topics.posgen.additive.slow_part", "lemma",
            'A sum over planes, but for its slow planes at the middle of the window',
        ),
        "posgen.product-length": Listing(
            "posgen", "topics.posgen.additive.slow_part", "lemma",
            'The size of a product of planes is the product of their lengths',
        ),
        "posgen.two-axis": Listing(
            "posgen", "topics.posgen.additive.two_axis", "main result",
            'A logit is nearly a function of the lag plus one of the key',
        ),
        "posgen.three-axis": Listing(
            "posgen", "topics.posgen.additive.three_axis", "main result",
            'A logit is nearly a function of the lag plus one of the query plus one of the key',
        ),
        "posgen.alibi": Listing(
            "posgen", "topics.posgen.alibi", "main result",
            'A bias of the lag alone (ALiBi, T5) is fitted by two axes without residual, and nothing else is',
        ),
        "posgen.cosine": Listing(
            "posgen", "topics.posgen.pearson", "lemma",
            'A small residual guarantees a large cosine',
        ),
        "posgen.pearson": Listing(
            "posgen", "topics.posgen.pearson", "main result",
            'A small residual guarantees a high correlation',
        ),
        "posgen.additive-fit": Listing(
            "posgen", "topics.posgen.anova.fit", "lemma",
            'The best additive fit is the sum of the means',
        ),
        "posgen.energy": Listing(
            "posgen", "topics.posgen.anova.energies", "lemma",
            'Planes that fluctuate in circles and apart add their energies',
        ),
        "posgen.anova": Listing(
            "posgen", "topics.posgen.anova.explained", "main result",
            'What the best additive fit explains',
        ),
        "posgen.pattern": Listing(
            "posgen", "topics.posgen.anova.pattern", "main result",
            'Which features are additive: energy on planes that are slow or concentrated',
        ),
        "posgen.concentration": Listing(
            "posgen", "topics.posgen.null", "lemma",
            "How concentrated a plane's turns are over a window",
        ),
        "posgen.null": Listing(
            "posgen", "topics.posgen.null", "main result",
            'The null: what an additive fit explains of random features',
        ),
        "posgen.gauge": Listing(
            "posgen", "topics.posgen.gauge", "main result",
            'The three axes on the causal triangle leave three numbers free',
        ),
        "posgen.noise-floor": Listing(
            "posgen", "topics.posgen.noise_floor", "main result",
            'Of pure noise a fit explains rank/(cells − 1) on average',
        ),
        "posgen.transposition": Listing(
            "posgen", "topics.posgen.transposition", "main result",
            'Displaced positions change attention little',
        ),
        "posgen.effective-length": Listing(
            "posgen", "topics.posgen.effective_length", "main result",
            'Bounded positional logits leave a share of the length',
        ),
        "posgen.length": Listing(
            "posgen", "topics.posgen.length", "main result",
            'On longer input the output settles at a value that no position enters',
        ),
        "posgen.length-near": Listing(
            "posgen", "topics.posgen.length_near", "main result",
            'A head that is additive up to ε gives nearly the output of the additive head',
        ),
        "posgen.cell": Listing(
            "posgen", "topics.posgen.turns", "lemma",
            'Every angle lies in one of G parts of a turn',
        ),
        "posgen.whole-turns": Listing(
            "posgen", "topics.posgen.turns", "lemma",
            'A plane does not see whole turns',
        ),
        "posgen.bounded-capacity": Listing(
            "posgen", "topics.posgen.capacity", "main result",
            'Bounded features keep a bounded number of distances apart',
        ),
        "conform.basis": Listing(
            "conform", "topics.conform.basis", "main result",
            'Linear maps that agree on a basis agree everywhere',
        ),
        "conform.probe": Listing(
            "conform", "topics.conform.probe", "main result",
            'Of two vectors of signs that differ where two linear maps do, one tells them apart',
        ),
        "conform.group": Listing(
            "conform", "topics.conform.group", "main result",
            'Identity, steps that add up and position 1 decide every position',
        ),
        "conform.blind": Listing(
            "conform", "topics.conform.blind", "main result",
            'Norms, relative positions and the identity at 0 hold for wrong frequencies',
        ),
        "trig.exact-values": Listing(
            "trigonometry", "library.trigonometry.values", "lemma",
            'Cosine and sine of 45 and 30 degrees',
        ),
    }
)
"""Every claim of the catalogue, each after those that it uses."""

NAMING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "topics.head.sink.horizon": ('N a theta',),
        "topics.planes.frozen": ('',),
        "topics.rope.decay.base_expectation": ('N p q_x q_y',),
        "topics.rope.decay.independent": ('M N h_x h_y p q_x q_y r',),
        "topics.rope.decay.no_forced_decay": ('m q_x q_y s t_0 theta',),
        "topics.rope.decay.slow_channel": ('h_x h_y k_x k_y q_x q_y theta',),
        "topics.rope.only.only": ('R S d',),
        "topics.rope.only.planes": ('R V d',),
        "topics.rope.only.two_sided": ('A B d', 'B D d'),
        "topics.rope.only.two_sided_planes": ('A V d', 'B W d'),
        "topics.rope.rerotation": ('u v',),
        "topics.slash.ceiling.aligned_head": ('A m theta',),
        "topics.slash.corpus": ('Delta N S n_prompts pi_P',),
        "topics.slash.descent.heads.head_cone": ('c_x c_y k_x k_y omega rho',),
        "topics.slash.descent.heads.head_terms": ('q q_turned s theta',),
        "topics.slash.descent.notation": ('Delta N m psi_x psi_y', 'Delta i m psi_x psi_y'),
        "topics.slash.descent.offset.signs": ('N a beta e',),
        "topics.slash.game.soft.fall_needed": ('Delta y',),
        "topics.slash.game.soft.terms": ('M y',),
        "topics.slash.headline.mean_head": ('D W_k W_q a m s theta u',),
        "topics.slash.headline.recombined": ('D P W_k W_q a_token i m s theta u xi',),
        "topics.slash.headline.terms": ('D W_k W_q a m s u', 'a rho_k rho_q s sigma_k sigma_q tan_alpha zeta', 'm theta'),
        "topics.slash.learned.law.draw": ('Delta W i n_r n_v p q', 'Delta Y i'),
        "topics.slash.learned.law.moments": ('Delta Y i n_r q', 'X n_v p'),
        "topics.slash.sandwich.cluster": ('k_x k_y m q_x q_y s varepsilon_k varepsilon_q',),
        "topics.slash.sandwich.one_direction": ('b delta_k delta_q k_x k_y m q_x q_y s',),
        "topics.task.induction": ('beta_1 n sigma u',),
        "topics.task.u_shape.u_shape_index": ('beta n theta',),
        "topics.task.u_shape.u_shape_symbol": ('beta n',),
    }
)
"""The modules that give names to terms, and what such terms have: `Abbreviation.needs`."""
