"""What is left of an angle without its whole turns, and in which of G cells that lies."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.numerals.fractions import NUMERALS_FRACTION, fraction, x
from ropeproof.theory.library.sums.numerals.fractions import part as part_of
from ropeproof.theory.library.sums.numerals.numerals import base
from ropeproof.theory.topics.posgen import plane
from ropeproof.theory.topics.posgen.plane import a, c, part

angle = real("psi")
MEANINGS: Meanings = {**plane.MEANINGS, base: "number of parts of a turn", angle: "an angle"}
whole = integer("n_0")
LARGE_CELLS = Hypothesis("there is a cell", le(1, base))


def left(of: Term) -> Term:
    """The part of a turn that is left of an angle."""
    return fraction(of / (2 * sp.pi))


def cell(of: Term) -> Term:
    """Which of the G parts of a turn an angle lies in."""
    return part_of(of / (2 * sp.pi))


# -- cells -------------------------------------------------------------------------------


@theorem(
    "posgen.cell",
    hypotheses=(LARGE_CELLS,),
    conclusion=Both(
        within(cell(angle), 0, base - 1),
        le(cell(angle), base * left(angle)),
        lt(base * left(angle), cell(angle) + 1),
    ),
    attack=Attack(
        {"the first": eq(cell(angle), 0), "below G - 1": le(cell(angle), base - 2)},
        at={"the first": {angle: 3, base: 4}, "below G - 1": {angle: 0, base: 1}},
        without={LARGE_CELLS: {base: -1, angle: 0}},
    ),
)
def POSGEN_CELL(p: Proof) -> None:
    r"""Every angle lies in one of G parts of a turn

    For $G\ge1$ and $r=\frac\psi{2\pi}-\lfloor\frac\psi{2\pi}\rfloor$: $0\le\lfloor Gr\rfloor\le
    G-1$ and $\lfloor Gr\rfloor\le Gr<\lfloor Gr\rfloor+1$.
    """
    turns = {"x": angle / (2 * sp.pi)}
    p.lemma(
        NUMERALS_FRACTION.at(**turns),
        LARGE_CELLS,
        why="The cell is the first digit of the fraction of turns in base G.",
    )


# -- whole turns -------------------------------------------------------------------------


@theorem(
    "posgen.whole-turns",
    conclusion=eq(part(angle), part(2 * sp.pi * left(angle))),
    attack=Attack(
        {
            "half turns": eq(part(angle), part(sp.pi * left(angle))),
            "nothing left": eq(part(angle), a),
        },
        at={"half turns": {a: 1, c: 0, angle: 1}, "nothing left": {a: 1, c: 0, angle: 1}},
    ),
)
def POSGEN_WHOLE_TURNS(p: Proof) -> None:
    r"""A plane does not see whole turns

    $\mathrm{Re}\,ze^{\mathrm i\psi}=\mathrm{Re}\,ze^{2\pi\mathrm ir}$ for
    $r=\frac\psi{2\pi}-\lfloor\frac\psi{2\pi}\rfloor$, $z=a+\mathrm ic$.
    """
    floor, rest = sp.floor(angle / (2 * sp.pi)), 2 * sp.pi * left(angle)
    turned = angle + 2 * sp.pi * -floor
    same, waves = (
        p.show(
            eq(rest, turned), "Multiply the fraction of turns by 2 pi: whole turns are taken away."
        ),
        [],
    )
    for wave in (sp.cos, sp.sin):
        period = p.show(
            eq(kept(wave, x + 2 * sp.pi * whole), wave(x)), "A cosine or sine has the period 2 pi."
        )
        back = p.use(
            period,
            {x: angle, whole: -floor},
            why="In particular this holds for the whole turns of the angle psi.",
            goal=eq(kept(wave, turned), wave(angle)),
        )
        waves.append(
            p.show(
                eq(wave(angle), kept(wave, rest)),
                "So the angle without whole turns has the same cosine or sine.",
                (same, back),
            )
        )
    p.rewrite(p.goal, "So the plane adds the same at the angle without whole turns.", *waves)
