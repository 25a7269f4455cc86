"""A stack of index heads: after r of them a position holds what it reaches in at most r hops."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    generalise,
    induction,
    instance,
    rewrite,
    smt,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.papers import HEADS
from ropeproof.theory.task.number_task import (
    NAMES,
    answers,
    d,
    h,
    hop,
    hypotheses,
    in_sequence,
    inside,
    integers,
    k,
    letter,
    longer,
    r,
    reaches,
    sigma,
    stream,
)

AT = j - sigma(j)
HELD = stream(h, j)


def _chain() -> tuple[Step, ...]:
    """One hop more from j is as many hops from the next position."""
    at = AT
    ahead = (*in_sequence(j), *in_sequence(at))
    shifted = eq(hop(k + 1, j), hop(k, at))
    shift = If(le(k, r - 1), shifted)
    shift_at_0 = If(le(0, r - 1), eq(hop(1, j), hop(0, at)))
    return (
        Step(
            "place of no hop",
            eq(hop(0, j), j),
            instance({j: j}),
            "No hop leads nowhere:",
            (NAMES[4],),
            in_sequence(j),
        ),
        Step(
            "token of no hop",
            eq(sigma(hop(0, j)), sigma(j)),
            rewrite(),
            "the token met is j's own",
            ("place of no hop",),
            in_sequence(j),
        ),
        Step(
            "letter of no hop",
            eq(letter(sigma(hop(0, j))), letter(sigma(j))),
            rewrite(),
            "and as much of a letter,",
            ("place of no hop",),
            in_sequence(j),
        ),
        Step(
            "first step",
            eq(hop(1, j), hop(0, j) - sigma(hop(0, j))),
            instance({k: 0, j: j}),
            "and the first hop goes back by that token",
            (NAMES[5],),
            (le(0, r - 1), *in_sequence(j)),
        ),
        Step(
            "first hop",
            eq(hop(1, j), at),
            smt(),
            "to the next position,",
            ("first step", "place of no hop", "token of no hop"),
            (le(0, r - 1), *in_sequence(j)),
        ),
        Step(
            "no hop from there",
            eq(hop(0, at), at),
            instance({j: at}),
            "where no hop from it leads.",
            ("place of no hop",),
            in_sequence(at),
        ),
        Step(
            "shift at 0",
            shift_at_0,
            smt(),
            "So one hop more from j is as many from the next position:",
            ("first hop", "no hop from there"),
            ahead,
        ),
        Step("the same", shifted, smt(), "If that is so for k hops,", (), (shifted,)),
        Step(
            "same token",
            eq(sigma(hop(k + 1, j)), sigma(hop(k, at))),
            rewrite(),
            "the two chains meet the same token",
            ("the same",),
            (shifted,),
        ),
        Step(
            "from here",
            eq(hop(k + 2, j), hop(k + 1, j) - sigma(hop(k + 1, j))),
            instance({k: k + 1, j: j}),
            "and go on by it, the one from j",
            (NAMES[5],),
            (*in_sequence(j), le(0, k), le(k + 1, r - 1)),
        ),
        Step(
            "from there",
            eq(hop(k + 1, at), hop(k, at) - sigma(hop(k, at))),
            instance({k: k, j: at}),
            "and the one from the next position,",
            (NAMES[5],),
            (*in_sequence(at), le(0, k), le(k + 1, r - 1)),
        ),
        Step(
            "shift on",
            If(le(k + 1, r - 1), eq(hop(k + 2, j), hop(k + 1, at))),
            smt(),
            "to the same place again,",
            ("same token", "from here", "from there"),
            (*ahead, le(0, k), shift),
        ),
        Step(
            "shift",
            shift,
            induction(k, 0),
            "so it is so for any number,",
            ("shift at 0", "shift on"),
            (*ahead, le(0, k)),
        ),
        Step(
            "one hop on",
            shifted,
            smt(),
            "as far as hops are counted,",
            ("shift",),
            (*ahead, le(0, k), le(k, r - 1)),
        ),
        Step(
            "one token on",
            eq(letter(sigma(hop(k + 1, j))), letter(sigma(hop(k, at)))),
            rewrite(),
            "to the same token.",
            ("one hop on",),
            (*ahead, le(0, k), le(k, r - 1)),
        ),
    )


def _ahead(label: str, where: tuple[Any, ...], last: Any, letters: Any) -> tuple[Step, ...]:
    """What h heads leave at j if its chain is too long for them, and the chain one hop on.

    Hops 0..last stay in the sequence and hops 0..letters meet integers; j looks for `AT`.
    """
    return (
        Step(f"inside, {label}", inside(j, last), smt(), "The places", (), where),
        Step(f"integers, {label}", integers(j, letters), smt(), "and tokens", (), where),
        Step(f"so far, {label}", answers(h)[1], smt(), "of the chain are given,", (), where),
        Step(
            f"own, {label}",
            eq(HELD, sigma(j)),
            instance({j: j}),
            "and h heads have not changed the token,",
            (f"so far, {label}", f"inside, {label}", f"integers, {label}"),
            where,
        ),
        Step(
            f"place 0, {label}",
            Both(*in_sequence(hop(0, j))),
            instance({k: 0}),
            "which stands in the sequence",
            (f"inside, {label}",),
            where,
        ),
        Step(
            f"token 0, {label}",
            eq(letter(sigma(hop(0, j))), 0),
            instance({k: 0}),
            "and is an integer",
            (f"integers, {label}",),
            where,
        ),
        Step(
            f"place 1, {label}",
            Both(*in_sequence(hop(1, j))),
            instance({k: 1}),
            "that points",
            (f"inside, {label}",),
            where,
        ),
        Step(
            f"target in, {label}",
            Both(*in_sequence(AT)),
            smt(),
            "into the sequence.",
            (f"place 1, {label}", "first hop"),
            where,
        ),
        Step(
            f"own letter, {label}",
            eq(letter(HELD), letter(sigma(j))),
            rewrite(),
            "So the head",
            (f"own, {label}",),
            where,
        ),
        Step(
            f"target, {label}",
            eq(stream(h, j - HELD), stream(h, AT)),
            rewrite(),
            "looks at the next position of the chain.",
            (f"own, {label}",),
            where,
        ),
        Step(
            f"letter there, {label}",
            eq(letter(stream(h, j - HELD)), letter(stream(h, AT))),
            rewrite(),
            "What it finds there",
            (f"own, {label}",),
            where,
        ),
        Step(
            f"place ahead, {label}",
            Both(*in_sequence(hop(k + 1, j))),
            instance({k: k + 1}),
            "is told by that position's chain, whose places",
            (f"inside, {label}",),
            (*where, le(0, k), le(k, last - 1)),
        ),
        Step(
            f"same place, {label}",
            Both(*in_sequence(hop(k, AT))),
            smt(),
            "are those",
            (f"place ahead, {label}", "one hop on", f"target in, {label}"),
            (*where, le(0, k), le(k, last - 1)),
        ),
        Step(
            f"places, {label}",
            inside(AT, last - 1),
            generalise(),
            "of j's chain one hop on,",
            (f"same place, {label}",),
            where,
        ),
        Step(
            f"token ahead, {label}",
            eq(letter(sigma(hop(k + 1, j))), 0),
            instance({k: k + 1}),
            "and whose tokens",
            (f"integers, {label}",),
            (*where, le(0, k), le(k, letters - 1)),
        ),
        Step(
            f"same token, {label}",
            eq(letter(sigma(hop(k, AT))), 0),
            smt(),
            "are those of j's chain, too:",
            (f"token ahead, {label}", "one token on", f"target in, {label}"),
            (*where, le(0, k), le(k, letters - 1)),
        ),
        Step(
            f"tokens, {label}",
            integers(AT, letters - 1),
            generalise(),
            "integers, as far as is known.",
            (f"same token, {label}",),
            where,
        ),
    )


def _index() -> Claim:
    at, held = AT, HELD
    kept = eq(stream(h + 1, j), held)
    so_far = Both(*answers(h))
    first = answers(h)[0]
    last_first, last_second = answers(h + 1)

    round = (le(0, h), le(h, r - 1), so_far)
    short = (*in_sequence(j), *reaches(j, d, h + 1).args, le(d, h), *round)
    full = (*in_sequence(j), *reaches(j, d, h + 1).args, lt(h, d), *round)
    long = (*in_sequence(j), *longer(j, h + 1).args, *round)
    guarded = If(le(h, r), so_far)
    goal = Both(
        If(reaches(j, d, r), eq(stream(r, j), sigma(hop(d, j)))),
        If(longer(j, r), eq(stream(r, j), sigma(j))),
    )
    two_hops = (
        eq(r, 2),
        eq(n, 6),
        eq(j, 5),
        eq(d, 2),
        eq(sigma(5), 2),
        eq(sigma(3), 2),
        eq(sigma(1), 9),
        eq(letter(2), 0),
        eq(letter(9), 1),
    )
    return Claim(
        id="task.compose-index",
        title="A stack of r index heads follows a chain of at most r hops",
        statement=(
            r"Tokens are letters or integers, $s_0=\sigma$, and each head replaces an integer $s_h(j)$ by "
            r"the letter at $j-s_h(j)$ if there is one; everything else stays. If the chain "
            r"$j\mapsto j-\sigma_j\mapsto\cdots$ of a position meets its first letter after $d\le r$ hops, "
            r"then $s_r(j)$ is that letter; if it meets integers alone in hops $0,\dots,r$, then "
            r"$s_r(j)=\sigma_j$. The positions met are among the $n$ of the sequence."
        ),
        source=HEADS.at("number and letter task", "own"),
        needs=frozenset("PTW"),
        hypotheses=hypotheses(),
        conclusion=goal,
        derivation=Derivation(
            (
                *_chain(),
                Step(
                    "input",
                    eq(stream(0, j), sigma(j)),
                    instance({j: j}),
                    "Without heads the stream is the input,",
                    (NAMES[0],),
                    in_sequence(j),
                ),
                Step(
                    "none",
                    eq(d, 0),
                    smt(),
                    "a chain of at most 0 hops has none,",
                    (),
                    (le(0, d), le(d, 0)),
                ),
                Step(
                    "nowhere",
                    eq(sigma(hop(d, j)), sigma(hop(0, j))),
                    rewrite(),
                    "and its end is its beginning:",
                    ("none",),
                    (le(0, d), le(d, 0)),
                ),
                Step(
                    "start here",
                    eq(stream(0, j), sigma(hop(d, j))),
                    smt(),
                    "the token is its own answer.",
                    ("input", "nowhere", "token of no hop"),
                    (*in_sequence(j), le(0, d), le(d, 0)),
                ),
                Step(
                    "start first",
                    answers(0)[0],
                    generalise(),
                    "That is the first part without heads,",
                    ("start here",),
                ),
                Step(
                    "start second",
                    answers(0)[1],
                    generalise(),
                    "that the input is unchanged is the second,",
                    ("input",),
                ),
                Step(
                    "start",
                    If(le(0, r), Both(*answers(0))),
                    smt(),
                    "and both start an induction.",
                    ("start first", "start second"),
                ),
                # an answer that is there stays
                Step(
                    "so far, short", first, smt(), "Suppose it holds for h heads: then", (), short
                ),
                Step(
                    "held, short",
                    eq(held, sigma(hop(d, j))),
                    instance({j: j, d: d}),
                    "a chain of at most h hops is solved:",
                    ("so far, short",),
                    short,
                ),
                Step(
                    "is a letter, short",
                    eq(letter(held), letter(sigma(hop(d, j)))),
                    rewrite(),
                    "the position holds a letter",
                    ("held, short",),
                    short,
                ),
                Step(
                    "kept, short",
                    kept,
                    instance({h: h, j: j}),
                    "which stays as it is.",
                    (NAMES[1], "is a letter, short"),
                    short,
                ),
                Step(
                    "answer, short",
                    eq(stream(h + 1, j), sigma(hop(d, j))),
                    smt(),
                    "The next head keeps the answer.",
                    ("held, short", "kept, short"),
                    short,
                ),
                # the chain of h + 1 hops
                *_ahead("full", full, d, d - 1),
                Step(
                    "end, full",
                    eq(hop(d, j), hop(d - 1, at)),
                    instance({k: d - 1}),
                    "That chain ends where j's ends,",
                    ("one hop on", "target in, full"),
                    full,
                ),
                Step(
                    "end token, full",
                    eq(sigma(hop(d, j)), sigma(hop(d - 1, at))),
                    rewrite(),
                    "at the same",
                    ("end, full",),
                    full,
                ),
                Step(
                    "end letter, full",
                    eq(letter(sigma(hop(d, j))), letter(sigma(hop(d - 1, at)))),
                    rewrite(),
                    "letter,",
                    ("end, full",),
                    full,
                ),
                Step("solved, full", first, smt(), "With one hop less to go,", (), full),
                Step(
                    "there, full",
                    eq(stream(h, at), sigma(hop(d - 1, at))),
                    instance({j: at, d: d - 1}),
                    "h heads have already brought to that position.",
                    (
                        "solved, full",
                        "tokens, full",
                        "places, full",
                        "end letter, full",
                        "target in, full",
                    ),
                    full,
                ),
                Step(
                    "letter found, full",
                    eq(letter(stream(h, at)), letter(sigma(hop(d - 1, at)))),
                    rewrite(),
                    "The head sees that letter",
                    ("there, full",),
                    full,
                ),
                Step(
                    "move, full",
                    eq(stream(h + 1, j), stream(h, j - held)),
                    instance({h: h, j: j}),
                    "copies it.",
                    (
                        NAMES[3],
                        "own, full",
                        "own letter, full",
                        "token 0, full",
                        "letter of no hop",
                        "target in, full",
                        "letter there, full",
                        "letter found, full",
                        "end letter, full",
                    ),
                    full,
                ),
                Step(
                    "answer, full",
                    eq(stream(h + 1, j), sigma(hop(d, j))),
                    smt(),
                    "So a chain of h + 1 hops is solved.",
                    ("move, full", "target, full", "there, full", "end token, full"),
                    full,
                ),
                Step(
                    "answer",
                    eq(stream(h + 1, j), sigma(hop(d, j))),
                    smt(),
                    "Shorter or not.",
                    ("answer, short", "answer, full"),
                    (*in_sequence(j), *reaches(j, d, h + 1).args, *round),
                ),
                Step(
                    "first part",
                    last_first,
                    generalise(),
                    "That is the first part.",
                    ("answer",),
                    round,
                ),
                # a chain that is longer still
                *_ahead("long", long, h + 1, h + 1),
                Step(
                    "there, long",
                    eq(stream(h, at), sigma(at)),
                    instance({j: at}),
                    "On a longer chain the next position still holds its own token,",
                    ("so far, long", "tokens, long", "places, long", "target in, long"),
                    long,
                ),
                Step(
                    "letter found, long",
                    eq(letter(stream(h, at)), letter(sigma(at))),
                    rewrite(),
                    "so the head finds its token,",
                    ("there, long",),
                    long,
                ),
                Step(
                    "token 1, long",
                    eq(letter(sigma(hop(1, j))), 0),
                    instance({k: 1}),
                    "met in j's first hop,",
                    ("integers, long",),
                    long,
                ),
                Step(
                    "first token",
                    eq(letter(sigma(hop(1, j))), letter(sigma(at))),
                    rewrite(),
                    "which is an integer:",
                    ("first hop",),
                    (le(0, r - 1), *in_sequence(j)),
                ),
                Step(
                    "kept, long",
                    kept,
                    instance({h: h, j: j}),
                    "there is nothing to copy.",
                    (
                        NAMES[2],
                        "own, long",
                        "own letter, long",
                        "token 0, long",
                        "letter of no hop",
                        "target in, long",
                        "letter there, long",
                        "letter found, long",
                        "token 1, long",
                        "first token",
                    ),
                    long,
                ),
                Step(
                    "same, long",
                    eq(stream(h + 1, j), sigma(j)),
                    smt(),
                    "So the token stays.",
                    ("kept, long", "own, long"),
                    long,
                ),
                Step(
                    "second part",
                    last_second,
                    generalise(),
                    "That is the second part.",
                    ("same, long",),
                    round,
                ),
                Step(
                    "next",
                    If(le(h + 1, r), Both(last_first, last_second)),
                    smt(),
                    "So it holds with one head more",
                    ("first part", "second part"),
                    (le(0, h), guarded),
                ),
                Step(
                    "all",
                    guarded,
                    induction(h, 0),
                    "and with any number.",
                    ("start", "next"),
                    (le(0, h),),
                ),
                Step(
                    "of all", Both(*answers(r)), instance({h: r}), "Take r heads", ("all", NAMES[6])
                ),
                Step("first of all", answers(r)[0], smt(), "in the first part", ("of all",)),
                Step("second of all", answers(r)[1], smt(), "and in the second,", ("of all",)),
                Step(
                    "solved by r",
                    goal.args[0].args[1],
                    instance({j: j, d: d}),
                    "at this position",
                    ("first of all", NAMES[7]),
                    goal.args[0].args[0].args,
                ),
                Step(
                    "unsolved by r",
                    goal.args[1].args[1],
                    instance({j: j}),
                    "at this position.",
                    ("second of all", NAMES[7]),
                    goal.args[1].args[0].args,
                ),
                Step("both", goal, smt(), "Both.", ("solved by r", "unsolved by r")),
            )
        ),
        mutants=(
            Mutant(
                "one hop more",
                If(reaches(j, d, r + 1), eq(stream(r, j), sigma(hop(d, j)))),
                at=(eq(r, 1), *two_hops[1:]),
            ),
            Mutant("the last token", If(reaches(j, d, r), eq(stream(r, j), sigma(j))), at=two_hops),
        ),
    )


TASK_COMPOSE_INDEX = _index()

CLAIMS = (TASK_COMPOSE_INDEX,)
