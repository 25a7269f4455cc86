r"""One plane against all planes of a spec, and the margin of an optimal spectrum at other lengths.

A target anywhere in `n` positions has up to `n - 1` lags on either side, so the best margin over all
positions is the slash game on the symmetric window of reach `n - 1`, per unit amplitude
(`ropeproof.numerics.bounds.slash.game`). Claims `index.margin`, `slash.game`, `planes.frozen`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ropeproof.numerics.bounds.planes.limits import chord, upper_margin
from ropeproof.numerics.bounds.slash.game import SlashGame, frozen_margin, optimal_slash
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["FrozenMargin", "OnePlaneRow", "frozen_margins", "one_plane_against_all"]


@dataclass(frozen=True)
class FrozenMargin:
    """Margins per unit amplitude with `reach` positions on either side, certified.

    `frozen` is the margin of the spectrum that is optimal at another reach, `lag` the lag where it is
    attained; `best` encloses the optimum at this reach.
    """

    reach: int
    frozen: Enclosure
    lag: int
    best: Enclosure


@dataclass(frozen=True)
class OnePlaneRow:
    """The best worst margins at a length, per unit amplitude, certified.

    `one_plane` is `1 - cos(2 pi/n)`, the best of any angle; `all_planes` encloses the best of the
    spec's planes together; `any_planes` is the limit for as many planes of any angles, None where
    `planes.upper` is silent.
    """

    length: int
    one_plane: Enclosure
    all_planes: Enclosure
    any_planes: Enclosure | None


def frozen_margins(
    spec: RopeSpec, reaches: Iterable[int], *, optimal_at: int
) -> tuple[FrozenMargin, ...]:
    """The margins at other reaches of the spectrum that is optimal for the reach `optimal_at`.

    >>> rows = frozen_margins(RopeSpec(128, 10000), [16, 64], optimal_at=16)
    >>> [f"{row.frozen.lower:.3f}" for row in rows], f"{rows[1].best.lower:.3f}"
    (['0.404', '0.085'], '0.364')

    Claim `planes.frozen`. Cost: the slash game at every reach. Raises `InvalidArgument`.
    """
    game = optimal_slash(spec, read_integer("optimal_at", optimal_at, least=1))
    return tuple(_kept(game, reach) for reach in _integers("reaches", reaches, least=1))


def one_plane_against_all(spec: RopeSpec, lengths: Iterable[int]) -> tuple[OnePlaneRow, ...]:
    """The one-plane limit and the best margin of all planes of a spec, at each length.

    >>> row, = one_plane_against_all(RopeSpec(128, 10000), [65])
    >>> f"{row.one_plane.lower:.4f} {row.all_planes.lower:.4f}"
    '0.0047 0.3639'

    Claims `index.margin`, `slash.game`, `planes.upper`. Cost: the slash game at every length. Raises
    `InvalidArgument`.
    """
    rows = []
    for length in _integers("lengths", lengths, least=2):
        game = optimal_slash(spec, length - 1)
        rotating = sum(theta != 0 for theta in spec.frequencies())
        silent = length - 1 < 2**rotating
        limit = None if silent else upper_margin(planes=rotating, reach=length - 1)
        rows.append(OnePlaneRow(length, chord(length), game.value, limit))
    return tuple(rows)


def _kept(game: SlashGame, reach: int) -> FrozenMargin:
    kept = frozen_margin(game.amplitudes, game.phases, game.spec, reach=reach)
    best = game.value if reach == game.before else optimal_slash(game.spec, reach).value
    return FrozenMargin(reach, Enclosure(lower=kept.lower, upper=kept.upper), kept.lag, best)


def _integers(name: str, values: Iterable[int], *, least: int) -> tuple[int, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidArgument(name, values, f"integers >= {least}")
    found = tuple(read_integer(name, value, least=least) for value in values)
    if not found:
        raise InvalidArgument(name, found, f"at least one integer >= {least}")
    return found
