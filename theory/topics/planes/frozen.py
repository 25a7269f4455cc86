"""A spectrum that is best for one length loses its margin at longer ones."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l

t = integer("t")
MEANINGS: Meanings = {**NOTATION, t: "a lag"}
Shares = Mapping[int, int]

_PARTS = 10**7
"""Amplitudes and weights are given in parts of ten millions, and add up to that."""
SPECTRA: Mapping[int, Shares] = MappingProxyType(
    {
        16: {0: 7646277, 2: 651217, 3: 1702506},
        64: {
            0: 6820447, 1: 514356, 2: 359283, 3: 569086, 4: 480746, 5: 249573, 12: 351915,
            19: 654594,
        },
        256: {
            0: 5817594, 1: 1113082, 2: 821714, 3: 541870, 4: 164464, 6: 236501, 8: 266313,
            11: 183433, 13: 331675, 17: 122455, 19: 16608, 20: 83181, 21: 301110,
        },
        1024: {
            0: 5958008, 1: 588358, 2: 524785, 3: 387144, 4: 406928, 5: 289995, 6: 76832,
            8: 135799, 11: 59595, 13: 80270, 17: 44242, 18: 38079, 19: 44005, 20: 158410,
            22: 274457, 23: 120522, 25: 18920, 26: 205155, 32: 230513, 36: 118019, 37: 239964,
        },
    }
)  # fmt: skip
"""By the number of positions on each side: the planes of the best spectrum and their shares."""
WEIGHTS: Mapping[int, Shares] = MappingProxyType(
    {
        16: {1: 8637241, 6: 1264823, 12: 97936},
        64: {
            1: 7697688, 6: 202446, 13: 160927, 19: 172436, 38: 2045, 44: 486276, 50: 814882,
            57: 463300,
        },
        256: {
            1: 7194321, 44: 212922, 50: 595822, 57: 96407, 88: 214157, 94: 196604, 101: 296711,
            125: 30688, 145: 304033, 151: 29826, 176: 484571, 233: 339411, 239: 4527,
        },
        1024: {
            1: 7028102, 25: 12891, 44: 377836, 50: 38158, 88: 85634, 101: 13949, 145: 3559,
            182: 272810, 270: 118779, 283: 23045, 327: 195270, 377: 451674, 427: 326496,
            553: 152574, 559: 134717, 603: 111010, 660: 97353, 754: 67344, 804: 223862,
            892: 62798, 930: 202139,
        },
    }
)  # fmt: skip
"""Likewise the lags, and weights on them by which no head has a larger margin (`slash.game-upper`)."""
Bounds = tuple[int, int]
BEST: Mapping[int, Bounds] = MappingProxyType(
    {16: (403618, 403619), 64: (363862, 363863), 256: (346496, 346497), 1024: (327866, 327868)}
)
"""The best margin per unit amplitude, in millionths: one that is kept, one that none exceeds."""
KEPT: Mapping[int, tuple[int, Bounds]] = MappingProxyType(
    {
        16: (1, (403618, 403619)),
        64: (19, (85371, 85372)),
        256: (126, (46362, 46363)),
        1024: (377, (4447, 4448)),
    }
)
"""Where the spectrum that is best for 16 keeps least, and between which margins, in millionths."""


def _named() -> None:
    """Names for what the spectra keep, and for what planes earn against the weights."""
    for reach, shares in SPECTRA.items():
        text, latex = f"E_{{{reach}}}({{}})", f"E_{{{reach}}}({{}})"
        meaning = "falls at a lag by the spectra, per unit of amplitude"
        named(text, latex, meaning, t, once=True)(partial(_fall, shares))
        text, latex = f"G_{{{reach}}}({{}})", f"G_{{{reach}}}({{}})"
        meaning = "what a plane earns against the weights"
        named(text, latex, meaning, l, once=True)(partial(_gain, reach))


def _margin(value: int) -> Term:
    return sp.Rational(value, 10**6)


def _turn(plane: Term | int, lag: Term | int) -> Term:
    """`1 - cos(theta_l t)` for `theta_l = 10000**(-2 l/128)`."""
    return 1 - sp.cos(sp.Integer(10) ** (-plane / sp.Integer(16)) * lag)


def _fall(shares: Shares, lag: Term | int) -> Term:
    """What a spectrum loses at a lag, per unit amplitude."""
    return sp.Add(*(sp.Rational(a, _PARTS) * _turn(plane, lag) for plane, a in shares.items()))


def _keeps(shares: Shares, reach: int, least: int) -> Formula:
    return every(t, 1, reach, le(_margin(least), _fall(shares, t)))


def _gain(reach: int, plane: Term) -> Term:
    """What a plane earns against the weights on the lags, per unit of amplitude."""
    weights = WEIGHTS[reach].items()
    return sp.Add(*(sp.Rational(y, _PARTS) * _turn(plane, lag) for lag, y in weights))


def _none_better(reach: int, most: int) -> Formula:
    return every(l, 0, 63, le(_gain(reach, l), _margin(most)))


def _frozen(
    kept: Mapping[int, tuple[int, Bounds]], best: Mapping[int, Bounds], own: Mapping[int, Shares]
) -> Formula:
    """What the first spectrum keeps; what those made for each reach do, and that none does better."""
    return Both(
        *(
            part
            for reach, (lag, (low, high)) in kept.items()
            for part in (_keeps(own[16], reach, low), le(_fall(own[16], lag), _margin(high)))
        ),
        *(
            part
            for reach, (low, high) in best.items()
            for part in (_keeps(own[reach], reach, low), _none_better(reach, high))
        ),
    )


def _mutants() -> dict[str, Formula]:
    """Each bound a millionth or two too tight, and a spectrum that is not the best."""
    found: dict[str, Formula] = {}
    for reach, (lag, (low, high)) in KEPT.items():
        more, less = (lag, (high, high)), (lag, (low, low))
        found[f"more is kept at {reach}"] = _frozen({**KEPT, reach: more}, BEST, SPECTRA)
        found[f"less is kept at {reach}"] = _frozen({**KEPT, reach: less}, BEST, SPECTRA)
    for reach, (low, high) in BEST.items():
        found[f"better at {reach}"] = _frozen(KEPT, {**BEST, reach: (high, high)}, SPECTRA)
        found[f"none as good at {reach}"] = _frozen(KEPT, {**BEST, reach: (low, low)}, SPECTRA)
    found["that of 256 for 1024"] = _frozen(KEPT, BEST, {**SPECTRA, 1024: SPECTRA[256]})
    return found


_named()
FROZEN = Claim(
    id="planes.frozen",
    title="The spectrum that is best for 16 positions fails at 1024",
    statement=(
        r"For $d=128$, $b=10^4$: the amplitudes that are optimal for $N=16$, up to $10^{-6}$, "
        r"keep, per unit amplitude, the margins $0.404$, $0.085$, $0.046$, $0.0044$ at $N=16,64,256,1024$, "
        r"while re-optimised ones keep $0.404$, $0.364$, $0.346$, $0.328$ (`slash.game`). "
        r"Formally: the margins of four spectra, given in parts of ten millions, at every lag, "
        r"in millionths; and weights on the lags that by `slash.game-upper` leave no head a margin "
        r"more than $2\cdot10^{-6}$ larger."
    ),
    needs=frozenset("C"),
    conclusion=_frozen(KEPT, BEST, SPECTRA),
)

PLANES_FROZEN = Attack(_mutants()).on(FROZEN)
