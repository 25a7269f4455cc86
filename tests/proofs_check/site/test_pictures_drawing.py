"""Drawing a picture: looks that can be read, the user's settings, the forms, and what is refused."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.proofs_check.site.pictures import ILLUSTRATED, Picture, draw, drawings
from ropeproof.proofs_check.site.pictures.slash.descent import training
from ropeproof.proofs_check.site.pictures.slash.game import spectrum
from ropeproof.proofs_check.site.pictures.style import LOOKS, Drawing, canvas, save
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

# --- what is seen ---------------------------------------------------------------------------------


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def contrast(one, two):
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_contrast(look):
    """The ratios that WCAG asks of text and of graphical objects."""
    assert contrast(look.ink, look.paper) >= 7
    assert contrast(look.muted, look.paper) >= 4.5
    for colour in look.colours:
        assert contrast(colour, look.paper) >= 3
    assert contrast(look.faint, look.paper) < 2


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_series_differ_without_colour(look):
    series = [look.series(number) for number in range(4)]
    for key in ("color", "linestyle", "marker"):
        assert len({one[key] for one in series}) == 4
    assert look.dots(1)["linestyle"] == "none"
    assert "marker" not in look.line(1)
    assert look.series(2, linestyle="-")["linestyle"] == "-"
    brightness = [luminance(look.shades(x)) for x in (0.0, 0.5, 1.0)]
    assert brightness == sorted(brightness)
    assert all(abs(b - luminance(look.paper)) > 0.02 for b in brightness)


# --- what is drawn --------------------------------------------------------------------------------


def test_pictures_for_latex_are_pdf_and_the_same_every_time(tmp_path):
    made = [draw(tmp_path / name, ["exponential"], form="pdf") for name in ("a", "b")]
    assert made[0] == made[1]
    for look in LOOKS:
        one, two = (tmp_path / x / f"exponential-tangent-{look.name}.pdf" for x in ("a", "b"))
        assert one.read_bytes().startswith(b"%PDF")
        assert one.read_bytes() == two.read_bytes()


def test_a_caption_follows_what_is_drawn():
    short, long = spectrum(16).picture, spectrum(64).picture
    for picture, reach in ((short, 16), (long, 64)):
        margin = optimal_slash(RopeSpec(128, 10_000), reach).lower
        assert f"over {reach} positions" in picture.caption
        assert f"{margin:.4f}" in picture.caption
    assert short.stem == long.stem
    few, more = training(2_000).picture, training(4_000).picture
    assert "after 2,000 steps" in few.alt
    assert few.caption != more.caption


def test_a_missing_glyph_is_noticed(tmp_path):
    def paint(_):
        figure, (axis,) = canvas()
        axis.set_title("\u4e2d")
        return figure

    drawing = Drawing(Picture("missing", "alt", "caption"), paint)
    with pytest.warns(UserWarning, match="Glyph"):
        save(drawing, tmp_path)


def test_settings_of_the_user_are_left_alone(tmp_path):
    with mpl.rc_context({"font.size": 17.0, "axes.facecolor": "#123456"}):
        before = dict(mpl.rcParams)
        draw(tmp_path, ["exponential"])
        assert dict(mpl.rcParams) == before
        assert "#123456" not in (tmp_path / "exponential-tangent-light.svg").read_text()


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("rope", "topics: got 'rope', allowed: a list of topics"),
        (3, "topics: got 3, allowed: a list of topics"),
        (["nope"], "topics: got 'nope', allowed: topics of the catalogue: rope, softmax"),
    ],
)
def test_only_topics_are_drawn(tmp_path, given, message):
    with pytest.raises(InvalidArgument) as error:
        draw(tmp_path / "out", given)
    assert message in str(error.value)
    assert not (tmp_path / "out").exists()


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgument, match="allowed: a folder"):
        draw(tmp_path / "file", ["rope"])


def test_only_three_forms(tmp_path):
    with pytest.raises(InvalidArgument, match="form: got 'gif', allowed: one of svg, pdf, png"):
        draw(tmp_path, ["rope"], form="gif")


def test_no_topics_are_no_pictures(tmp_path):
    assert draw(tmp_path / "out", []) == {}
    assert all(map(drawings, ILLUSTRATED))
