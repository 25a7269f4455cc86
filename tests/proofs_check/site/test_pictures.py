"""The pictures of the site: drawn from the code, in both variants, and they show what is proved."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from ropeproof.numerics.bounds.index import index_margin
from ropeproof.numerics.bounds.posgen import null_correlation
from ropeproof.numerics.bounds.retrieval import printed_bound, retrieval_margin
from ropeproof.numerics.bounds.rope.expressive import expressive_cost
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.core.softmax import margin_needed, weight_bound
from ropeproof.proofs_check.site.pictures import ILLUSTRATED, draw, drawings
from ropeproof.proofs_check.site.pictures.style import DARK, LIGHT, LOOKS
from ropeproof.theory import CLAIMS, TOPICS
from ropeproof.theory.lazy_topics import claims_of
from ropeproof.theory.rotary.spec import RopeSpec

MAIN = ("rope", "softmax", "slash", "head", "index", "retrieval", "planes", "task", "posgen")
SVG = "{http://www.w3.org/2000/svg}"


made_once = cache(drawings)
"""A topic's drawings, their numbers computed once for all tests of this file."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """All pictures, drawn once; a warning, that of a missing glyph among them, is an error."""
    folder = tmp_path_factory.mktemp("pictures") / "made" / "here"
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("error")
        patch.setattr("ropeproof.proofs_check.site.pictures.drawings", made_once)
        made = draw(folder)
    return folder, made


@pytest.fixture(scope="module")
def painted():
    """A topic's light figures by stem, painted once."""
    known = {}

    def figures(topic):
        if topic not in known:
            known[topic] = {d.picture.stem: d.paint(LIGHT) for d in made_once(topic)}
        return known[topic]

    return figures


def line(axis, words):
    """The data of the one line whose label contains the words, `(2, points)`."""
    (found,) = [x for x in axis.get_lines() if words in str(x.get_label())]
    return np.array([found.get_xdata(), found.get_ydata()], dtype=float)


def all_pictures(made):
    return [(topic, picture) for topic, pictures in made.items() for picture in pictures]


# --- what is there --------------------------------------------------------------------------------


def test_every_main_topic_has_two_pictures_or_more(site):
    _, made = site
    assert list(made) == list(TOPICS)
    assert set(MAIN) <= set(ILLUSTRATED) <= set(TOPICS)
    for topic, pictures in made.items():
        assert bool(pictures) is (topic in ILLUSTRATED)
        assert len(pictures) >= 2 or topic not in MAIN
    assert len(all_pictures(made)) >= 20
    assert set(ILLUSTRATED) == set(TOPICS)  # a page without a picture would begin with text alone


def test_both_variants_of_every_picture_are_there_and_nothing_else(site):
    folder, made = site
    stems = [picture.stem for _, picture in all_pictures(made)]
    assert len(set(stems)) == len(stems)
    for topic, picture in all_pictures(made):
        assert re.fullmatch(rf"{topic}-[a-z-]+", picture.stem)
    wanted = {f"{stem}-{look.name}.svg" for stem in stems for look in LOOKS}
    assert {path.name for path in folder.iterdir()} == wanted


def test_the_files_are_self_contained_svg(site):
    folder, _ = site
    for path in folder.iterdir():
        root = ElementTree.parse(path).getroot()
        assert root.tag == SVG + "svg"
        # A common width, so that text has one size on every page.
        assert root.get("viewBox").startswith("0 0 460.8 ")
        # Text is drawn as outlines; nothing is fetched, nothing runs.
        assert root.find(f".//{SVG}text") is None
        assert root.find(f".//{SVG}script") is None
        text = path.read_text(encoding="utf-8")
        for target in re.findall(r'href="([^"]*)"', text):
            assert target.startswith(("#", "data:image/png;base64,"))
        assert "<dc:date>" not in text
        assert path.stat().st_size < 300_000


def test_the_variants_are_on_light_and_on_dark_paper(site):
    folder, made = site
    for _, picture in all_pictures(made):
        for look, other in ((LIGHT, DARK), (DARK, LIGHT)):
            text = (folder / f"{picture.stem}-{look.name}.svg").read_text(encoding="utf-8")
            background = re.search(r'id="patch_1">\s*<path [^>]*style="fill: (#\w+)', text)
            assert background is not None
            assert background[1] == look.paper
            assert other.ink not in text


def test_two_draws_write_the_same_bytes(site, tmp_path):
    """In another process, with another hash seed and other settings of matplotlib."""
    folder, _ = site
    (tmp_path / "matplotlibrc").write_text(
        "font.size: 20\nlines.linewidth: 9\npath.sketch: 1,2,3\n"
    )
    code = (
        "import sys; from pathlib import Path\n"
        "from ropeproof.proofs_check.site.pictures import draw\n"
        "from ropeproof.proofs_check.site.pictures.slash.maps import maps\n"
        "from ropeproof.proofs_check.site.pictures.style import save\n"
        "folder = Path(sys.argv[1])\n"
        "draw(folder, ['head', 'task', 'exponential'])\n"
        "save(maps(), folder)"
    )
    again = tmp_path / "again"
    environment = {**os.environ, "PYTHONHASHSEED": "1", "MPLCONFIGDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code, str(again)], check=True, env=environment)
    paths = sorted(again.iterdir())
    assert len(paths) == 2 * (3 + 2 + 1 + 1)
    for path in paths:
        assert path.read_bytes() == (folder / path.name).read_bytes(), path.name


# --- what is said about them ----------------------------------------------------------------------


def test_captions_name_claims_of_their_topic(site):
    _, made = site
    for topic, picture in all_pictures(made):
        named = re.findall(r"`([^`]*)`", picture.caption)
        assert named
        assert set(named) <= set(CLAIMS), picture.stem
        own = {claim.id for claim in claims_of(TOPICS[topic])}
        assert own & set(named), picture.stem


def test_captions_and_alternative_texts_are_sentences(site):
    _, made = site
    for _, picture in all_pictures(made):
        for text in (picture.alt, picture.caption):
            assert len(text) > 80
            assert text[0].isupper()
            assert text.endswith(".")
            assert "  " not in text
            assert "\n" not in text
            assert not re.search(r"\b(nan|inf)\b", text)
        # Plain text for a screen reader; formulas of the caption between dollars.
        assert not re.search(r"[`$\\]", picture.alt)
        assert picture.caption.count("$") % 2 == 0
        outside = re.sub(r"\$[^$]*\$", "", picture.caption)
        assert not re.search(r"[\\^_{}]", re.sub(r"`[^`]*`", "", outside)), picture.stem
        assert 2 <= len(re.findall(r"[.:](?:\s|$)", outside)) <= 8


def caption_of(topic, stem, made):
    (found,) = [picture for picture in made[topic] if picture.stem == stem]
    return found.caption


def test_the_numbers_of_captions_are_those_of_the_code(site):
    _, made = site
    spec = RopeSpec(128, 10_000)
    cost = expressive_cost(RopeSpec(8, 10_000)).lower
    assert f"{cost:.2e}" in caption_of("rope", "rope-cost", made)
    value = optimal_slash(spec, 2048).lower
    assert f"{value:.3f}" in caption_of("slash", "slash-game", made)
    witness = index_margin(np.pi / 2 + 0.01, length=7, inputs=3).lower
    assert f"{witness:.3f}" in caption_of("index", "index-bounds", made)
    exact = retrieval_margin(letters=8, length=17, angle=0.0027).lower
    printed = printed_bound(letters=8, length=17, angle=0.0027).upper
    assert exact > printed
    for number in (exact, printed):
        assert f"{number:.5f}" in caption_of("retrieval", "retrieval-margin", made)
    null = null_correlation(spec, 1000).lower
    assert f"{null:.3f}" in caption_of("posgen", "posgen-null", made)


# --- what is seen ---------------------------------------------------------------------------------


def test_rope_pictures_show_what_is_proved(painted):
    for axis in painted("rope")["rope-envelope"].axes:
        tent, curve, dots = (x.get_xydata().T for x in axis.get_lines()[2:])
        assert np.interp(dots[0], *curve) == pytest.approx(dots[1], abs=0.01)
        # The steps between whole positions are bounded, and so is what lies between them.
        assert (curve[1] >= tent[1] - 1e-9).all()
        assert np.abs(curve[1]).max() <= 1 + 1e-12
        assert dots[1].max() == pytest.approx(1)
    (axis,) = painted("rope")["rope-wavelengths"].axes
    for words in ("Llama-2", "Llama-3-8B", "Llama-3.1", "GPT-J"):
        assert (np.diff(line(axis, words)[1]) > 0).all()
    assert len(line(axis, "GPT-J")[0]) == 32
    slow = line(axis, "Llama-3.1")[1] / line(axis, "Llama-3-8B")[1]
    assert slow[0] == pytest.approx(1)
    assert slow[-1] == pytest.approx(8)


def test_what_is_left_beside_rope_is_powers_of_one_matrix(painted):
    turn, decay, stay, flip = (
        [x.get_xydata().T for x in axis.get_lines()[1:]]
        for axis in painted("rope")["rope-left"].axes
    )
    for curve, powers in (turn, decay, stay, flip):
        assert np.interp(powers[0], *curve) == pytest.approx(powers[1], abs=0.01)
    # Neighbours of a cosine of one frequency add up to a multiple of what is between them.
    heights = turn[1][1]
    assert heights[2:] + heights[:-2] == pytest.approx(2 * heights[1] * heights[1:-1])
    assert np.abs(decay[1][1]) == pytest.approx(
        np.abs(heights) * np.exp(-0.09 * decay[1][0]), abs=1e-9
    )
    assert stay[1][1] == pytest.approx(np.ones(25))
    assert flip[1][1][1:] == pytest.approx(-flip[1][1][:-1])


def test_softmax_marks_are_where_the_weight_is_reached(painted):
    (axis,) = painted("softmax")["softmax-margin"].axes
    marks = [x for x in axis.get_lines() if len(x.get_xdata()) == 1]
    assert len(marks) == 4
    for keys, mark in zip((16, 256, 4096, 65_536), marks, strict=True):
        (at,), (height,) = mark.get_xdata(), mark.get_ydata()
        assert at == pytest.approx(margin_needed("0.9", keys).lower)
        assert weight_bound(float(at), keys).lower == pytest.approx(height)


def test_slash_pictures_show_what_is_proved(painted):
    figures = painted("slash")
    (axis,) = figures["slash-sandwich"].axes
    upper, lower = (x.get_ydata() for x in axis.get_lines()[:2])
    for name in ("random tokens", "chosen against", "chosen for"):
        _, weight = line(axis, name)
        assert (lower - 1e-12 <= weight).all()
        assert (weight <= upper + 1e-12).all()
    assert line(axis, "chosen for")[1][-1] > 0.9
    assert line(axis, "chosen against")[1][-1] < 0.1
    (axis,) = figures["slash-game"].axes
    one, both, high, low = (
        line(axis, w)[1] for w in ("one side", "all planes, keys on both", "high", "low")
    )
    assert (one >= both).all()
    assert (both >= high - 1e-6).all()
    assert (high > low).all()
    (axis,) = figures["slash-null"].axes
    lags, scores = line(axis, "slash head")
    assert lags[scores.argmax()] == 12
    assert scores.max() > 10 * line(axis, "bound")[1].max()
    upper, lower = figures["slash-training"].axes
    steps, losses = line(upper, "loss of the run")
    for name, sign in (("sharp", 1), ("lower bound", -1)):
        at, bound = line(upper, name)
        assert len(at) > 5
        assert (sign * (bound / losses[np.isin(steps, at)] - 1) >= -1e-9).all()
    assert (line(lower, "share")[1] <= line(lower, "bound")[1]).all()


def test_head_pictures_show_what_is_proved(painted):
    figures = painted("head")
    left, right = figures["head-plane"].axes[:2]
    symbolic, positional = right.collections[-1].get_offsets().T
    assert len(symbolic) == 500
    assert (np.hypot(symbolic, positional) >= 1 - 1e-12).all()
    for words, corner in (("index", (0, 1)), ("slash", (0, 1)), ("retrieval", (1, 0))):
        assert np.abs(line(left, words).T - corner).max() < 0.05
    assert (line(left, "drawn heads").sum(0) >= 1 - 1e-12).all()
    (axis,) = figures["head-exclusion"].axes
    for words in ("random heads", "nearly equal", "content plus position"):
        rows = [x for x in axis.get_lines() if words in str(x.get_label())]
        for row in rows:
            assert (np.asarray(row.get_ydata()) >= np.asarray(row.get_xdata()) * (1 - 1e-12)).all()
    variance, bound = line(axis, "content plus position")
    assert bound == pytest.approx(variance)
    positional, symbolic, neither = (
        np.asarray(axis.images[0].get_array()) for axis in figures["head-tables"].axes
    )
    assert np.ptp(positional, axis=0).max() < 1e-9 < np.ptp(positional, axis=1).min()
    assert np.ptp(symbolic, axis=1).max() < 1e-9 < np.ptp(symbolic, axis=0).min()
    assert min(np.ptp(neither, axis=0).min(), np.ptp(neither, axis=1).min()) > 0.1


def test_index_and_retrieval_pictures_show_the_refutations(painted):
    (axis,) = painted("index")["index-bounds"].axes
    printed = line(axis, "printed")[1][0]
    ((_, star),) = line(axis, "witness").T
    assert star > 2 * printed
    assert (line(axis, "a head, best")[1] > printed).all()
    assert (line(axis, "proved, worst")[1] <= printed).all()
    (axis,) = painted("index")["index-staircase"].axes
    for words in ("θ = 1", "golden"):
        _, margins = line(axis, words)
        assert all(a >= b for a, b in pairwise(margins))
    axis, *_ = painted("retrieval")["retrieval-margin"].axes
    lengths, exact = line(axis, "proved")
    above = lengths[exact > line(axis, "printed")[1]]
    assert list(above) == list(range(3, len(above) + 3))
    marked, sought = line(axis, "search")
    assert sought == pytest.approx(exact[np.isin(lengths, marked)], abs=1e-12)
    (axis,) = painted("retrieval")["retrieval-separation"].axes
    floor, index, enough = (line(axis, w)[1] for w in ("needs more", "exactly", "enough"))
    assert (floor < index).all()
    assert (index < enough).all()


def test_planes_and_posgen_pictures_show_what_is_proved(painted):
    (axis,) = painted("planes")["planes-powers"].axes
    thin = [x for x in axis.get_lines() if str(x.get_label()).startswith("_")]
    for planes, staircase in enumerate(thin, 1):
        n, margin = line(axis, f"{planes} plane")
        at, above = np.asarray(staircase.get_xdata()), np.asarray(staircase.get_ydata())
        # A head of n positions has a target with (n - 1)/2 of them on each side.
        for length, value in zip(n, margin, strict=True):
            below = at <= (length - 1) / 2
            assert not below.any() or value <= above[below][-1]
    assert len(thin) == 4
    (axis,) = painted("posgen")["posgen-transposition"].axes
    for name in ("all planes", "the slower half"):
        bound, seen = (line(axis, f"{what}, {name}")[1] for what in ("bound", "seen"))
        assert (seen <= bound).all()
        assert (seen > 0).all()
    (axis,) = painted("posgen")["posgen-anova"].axes
    for name in ("random", "common", "slow"):
        predicted, found = line(axis, name)
        assert found == pytest.approx(predicted, abs=0.03)


def test_the_task_picture_follows_the_chain(painted):
    (axis,) = painted("task")["task-network"].axes
    shown = {tuple(t.get_position()): t.get_text() for t in axis.texts}
    sequence = list("CBA141321")
    assert [shown[place, 0] for place in range(9)] == sequence
    # The answer arrives in the last layer and not before: its chain has four hops.
    assert [shown[8, layer] for layer in range(5)] == ["1", "1", "1", "1", "C"]
    for layer in range(1, 5):
        for place, token in enumerate(sequence):
            before = shown[place, layer - 1]
            if token.isdigit() and before.isdigit():
                seen = shown[place - int(token), layer - 1]
                assert shown[place, layer] == (seen if seen.isalpha() else before)
            else:
                assert shown[place, layer] == before
