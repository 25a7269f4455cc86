"""The kinds of heads as the field names them: what each one's score, null and threshold are."""

from __future__ import annotations

from dataclasses import dataclass

from ropeproof.numerics.bounds.head.scores import TAU
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational

__all__ = ["KINDS", "LABELS", "MIXED", "NOT_DECIDED", "UNIFORM", "UNLEARNED", "Kind", "KindOptions"]

UNIFORM = "uniform"
MIXED = "mixed"
NOT_DECIDED = "not decided"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of head: its score, null and threshold.

    - `name`; `threshold`: what the expected score has to reach, by default;
    - `score`: what is measured in each prompt; `null`: the score of a head that is not of the kind;
    - `prompt`: on which prompts it is scored, `"text"` (those given) or `"repeated"`.
    """

    name: str
    threshold: float
    score: str
    null: str
    prompt: str


KINDS = (
    Kind(
        name="induction",
        threshold=0.2,
        score="weight on the token after the earlier copy of the query's, over the null",
        null="weight at the same lag in the same rows when they repeat nothing",
        prompt="repeated",
    ),
    Kind(
        name="duplicate-token",
        threshold=0.2,
        score="weight on the earlier copy of the query's token, over the null",
        null="weight at the same lag in the same rows when they repeat nothing",
        prompt="repeated",
    ),
    Kind(
        name="previous-token",
        threshold=0.3,
        score="slash score of lag 1: the mean weight on the token before the query",
        null="the most that a head without positions scores there (slash.null)",
        prompt="text",
    ),
    Kind(
        name="slash",
        threshold=0.1,
        score="largest slash score of a lag from 1 on that half of the rows have",
        null="the most that a head without positions scores there (slash.null)",
        prompt="text",
    ),
    Kind(
        name="sink",
        threshold=0.3,
        score="mean weight on the first token, in the second half of the rows",
        null="the mean of one over the number of keys",
        prompt="text",
    ),
    Kind(
        name=UNIFORM,
        threshold=0.5,
        score="perplexity of the weights over the number of keys, in the second half of the rows",
        null="0, which a row that looks at one of many keys comes near to",
        prompt="text",
    ),
    Kind(
        name="positional",
        threshold=0.3,
        score="positional less symbolic score (head.score-table), mean over rows",
        null="0, as equal weights have",
        prompt="text",
    ),
    Kind(
        name="symbolic",
        threshold=0.3,
        score="symbolic less positional score (head.score-table), mean over rows",
        null="0, as equal weights have",
        prompt="text",
    ),
)
"""In the order in which a label is given: the first kind that holds, once those before it do not."""

LABELS = (*(kind.name for kind in KINDS), MIXED, NOT_DECIDED)

UNLEARNED = (UNIFORM, MIXED, NOT_DECIDED)
"""Labels that are no kind: of heads that look at nothing in particular, or of which nothing is known."""


@dataclass(frozen=True, kw_only=True)
class KindOptions:
    """Options for deciding the kinds of heads.

    - `confidence`: of each statement about one kind of one head;
    - `rows`: of each prompt, for the positional and symbolic scores; `tau`: their temperature;
    - `thresholds`: those that are not the kind's own, as pairs of name and number;
    - `near`: how likely a label has to change on other prompts for further ones to be run.

    Raises `InvalidArgument` unless `1/2 < confidence < 1`, `rows >= 1`, `tau > 0`, `0 < near < 1`, and
    thresholds are of kinds that there are, above 0 and below 1.
    """

    confidence: float = 0.95
    rows: int = 8
    tau: float = TAU
    thresholds: tuple[tuple[str, float], ...] = ()
    near: float = 0.1

    def __post_init__(self) -> None:
        confidence = float(read_rational("confidence", self.confidence))
        if not 0.5 < confidence < 1:
            raise InvalidArgument("confidence", self.confidence, "1/2 < number < 1")
        object.__setattr__(self, "confidence", confidence)
        object.__setattr__(self, "rows", read_integer("rows", self.rows, least=1))
        tau = float(read_rational("tau", self.tau))
        if not tau > 0:
            raise InvalidArgument("tau", self.tau, "a number > 0")
        object.__setattr__(self, "tau", tau)
        near = float(read_rational("near", self.near))
        if not 0 < near < 1:
            raise InvalidArgument("near", self.near, "0 < number < 1")
        object.__setattr__(self, "near", near)
        names = [kind.name for kind in KINDS]
        for name, value in self.thresholds:
            if name not in names:
                raise InvalidArgument("thresholds", name, ", ".join(names))
            if not 0 < float(read_rational("thresholds", value)) < 1:
                raise InvalidArgument("thresholds", value, "0 < number < 1")

    def threshold(self, kind: Kind) -> float:
        """What the expected score of this kind has to reach."""
        return float(dict(self.thresholds).get(kind.name, kind.threshold))
