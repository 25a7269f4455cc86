"""The glossary of the page: what each column means, for a reader who has not seen the code."""

from __future__ import annotations

from ropeproof.tools.measure.report.html.markup import Markup, element
from ropeproof.tools.measure.report.reading import Json, threshold_of

__all__ = ["glossary"]


def glossary(report: Json) -> Markup:
    """The glossary as an HTML list of terms, with the thresholds that the report was made with."""
    options = report["options"]
    threshold, gamma = f"{threshold_of(report):g}", f"{options['gamma']:g}"
    terms = {
        "layer.head": "The layer and the query head in it, both counted from 0. Several query "
        "heads can share a key head.",
        "logit, weight": "A query and a key have a logit, a real number. The softmax of a row of "
        "logits gives the attention weights of one query: numbers from 0 to 1 with sum 1.",
        "lag": "How many positions the key is before the query; 0 is the query's own position.",
        "slash score": "The average weight at one lag, over all rows that reach so far. A head "
        "with a high score at one lag draws a line parallel to the diagonal in the attention "
        "matrix, a slash. The table has the largest score over lags from 1 on, and its lag. At a "
        "lag near the length it is the average over a few rows only.",
        "null (of a slash score)": "The largest score that a head without rotation in the first "
        "layer can have, on average, on tokens that come in random order (claim slash.null). A "
        "score far above it on random tokens has its origin in positions.",
        "slash head": f"A head with a score of at least {threshold} at some lag from 1 on, above "
        "the null there. The score is printed in bold.",
        "explained share": "For a slash head: the best guarantee of its score over the score. Bounds "
        "of slash.law, slash.quantiles, slash.moments and slash.emergence-typical are about the expected "
        "score on independently drawn positions, with the sampling taken off at the confidence that "
        "stands with the head; at most 1.",
        "independent score, contextual share": "The slash score, at the same lag, if every position's "
        "query and key is drawn independently from those of the prompt; and the score less that: what "
        "the order of the tokens adds.",
        "rank-one factor, energy outside, negative": "Queries (keys) as a scalar times one direction "
        "each. The energy outside is 1 - r1. Negative is the share of scalars below 0, the direction "
        "turned so that their sum is not: near one half, both signs are in use, and a mean says nothing.",
        "positional score, symbolic score": "Two tokens of the prompt change places. The "
        "positional score is 1 if the weights of the last query stay at their positions, the "
        "symbolic score is 1 if they follow the tokens. Swaps that move more weight count more. "
        "No head has a sum of both below 1 (claim head.score-disc).",
        "purity": f"positional: the positional score is at least 1 - {gamma} and the symbolic one "
        f"at most {gamma}; symbolic: the other way round; both: both scores are at least "
        f"1 - {gamma}; neither: anything else.",
        "r1, r0.95": "How near the queries (keys) of all tokens are to multiples of one vector: "
        "r1 is the share of the largest singular value's square in the sum of squares, 1 if they "
        "are; r0.95 is how many singular values give 95 % of that sum, 1 at best.",
        "cone, epsilon, eta": "epsilon is the largest distance of a query (key) to their mean, as "
        "a share of the mean's length. eta is how far, in logits, the logits can be from those of "
        "the two means.",
        "plane, wavelength, amplitude, phase": "RoPE turns pairs of coordinates, the planes, each "
        "at its own frequency. The wavelength is after how many positions a plane is back where "
        "it was. The mean query and the mean key have on each plane a cosine over the lags, with "
        "an amplitude in logits and a phase in radians.",
        "band share": "The share of the amplitude in planes of high frequency (wavelength up to "
        "16 positions) and medium frequency (up to twice the length); planes of low frequency "
        "hardly turn within the prompt, and some planes do not turn at all.",
        "additive correlation": "How well a sum of a function of the lag and a function of the "
        "key describes the logits. reference and optimal have such functions for each query; "
        "query-free has one of each for all; three-axis has one more, of the query. triangle: the "
        "pairs that attention sees; grid: every query at every lag with every key. row-centred: "
        "without each query's mean, which softmax does not see. The table shows, of the "
        "row-centred fits on the triangle, the one with the largest correlation; a fit with more "
        "freedom has a larger null as well.",
        "null (of a correlation)": "The correlation that random features have already, at this "
        "length and with these frequencies (claim posgen.null). It is far from 0, so a "
        "correlation says something only by what it is above its null.",
        "noise floor": "The R² that least squares with as many free numbers has on pure noise, "
        "on average (claim posgen.noise-floor).",
        "predicted R²": "What claim posgen.anova gives the best fit on the grid, if the "
        "fluctuations are circular and uncorrelated between planes.",
        "guaranteed": "The hypotheses of the theorem are met by the measured figures, and its "
        "conclusion says something: the number is in the column of this name, next to what was "
        "observed.",
        "vacuous": "The hypotheses are met, but the number says nothing, such as a weight of at "
        "least 0.",
        "out of scope": "A hypothesis fails; which one and by how much stands beside it. The "
        "theorem then says nothing about this head, for or against.",
        "inconsistent": "The theorem guarantees more than is observed. That cannot be: it is a "
        "bug, of the measurement or of the reading of the theorem.",
    }
    parts = [
        part
        for term, meaning in terms.items()
        for part in (element("dt", term), element("dd", meaning))
    ]
    return element("dl", *parts)
