"""Slash-dominant heads (theory notes, section 3).

What a reader may look for: the definitions (`slash.score`, `slash.dominance`,
`slash.rank-statistics`); the headline, from weights to attention (`slash.head`), and what makes a
slash head on every prompt (`slash.cone`, `slash.sandwich`, `slash.one-direction`, `slash.emergence`,
`slash.factor-emergence`, `slash.ood`, `slash.uniform`, `slash.spaced`, `slash.composition`); what
is left of one under noise (`slash.emergence-typical`, `slash.law`, `slash.quantiles`,
`slash.moments`, `slash.race`) and what a text adds (`slash.contextual`); what prevents one
(`slash.rank-not-enough`, `slash.rank-condition-not-enough`, `slash.null`, `slash.ceiling`,
`slash.amplitude-needed`, `slash.low-only`, `slash.lipschitz-ceiling`, `slash.alias`);
how good one can be (`slash.game`,
`slash.game-certificate`, `slash.game-upper`, `slash.game-one-sided`, `slash.game-reached`,
`slash.game-bands`); and how gradient descent finds one (`slash.gd.rank-one`, `slash.gd.convex`,
`slash.gd.rate`, `slash.gd.rate-sharp`, `slash.gd.rate-floor`, `slash.gd.low-suppressed`,
`slash.gd.ood`, `slash.gd.offset-causal`, `slash.gd.offset-rope`, `slash.gd.offset-rope-slow`, `slash.flow`,
`slash.flow-limit`, `slash.flow-sparse`). The other entries are the lemmas on which these
rest.
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "corpus",
    "dominance",
    "learned.rank_statistics",
    "cone",
    "rival",
    "sandwich",
    "emergence",
    "learned",
    "distribution",
    "null",
    "lags",
    "ceiling",
    "slow",
    "spaced.alias",
    "game.game_bounds",
    "game.game",
    "game.one_sided",
    "game.angles",
    "game.bands",
    "game.soft",
    "spaced.uniform",
    "spaced.ladder",
    "spaced.spaced_standard",
    "learned.law.race",
    "headline",
    "descent",
)
