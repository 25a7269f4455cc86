"""What a build keeps is used only where it would be made alike, and is then the same byte for byte."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from site_pages import verdict

from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.proofs_check.run.cache.store import Store
from ropeproof.proofs_check.site import Site, pictures
from ropeproof.proofs_check.site import code as page_code
from ropeproof.proofs_check.site.kept import Products
from ropeproof.proofs_check.site.pages.generated import generated_pages
from ropeproof.proofs_check.site.parts import Making
from ropeproof.theory import CLAIMS

PAGE = "# A page\n\n```python\nprint(6 * 7)\n```\n"
ID = "rope.lipschitz"


def refuse(*args, **more):
    raise AssertionError("it was made again")


@pytest.fixture
def opened(tmp_path):
    return lambda: Products(Store(tmp_path / "kept"))


@pytest.fixture
def making(tmp_path):
    """The parts of a build of one page, into a new folder each time."""
    source = tmp_path / "checkout/docs"
    source.mkdir(parents=True)
    (source / "page.md").write_text(PAGE)
    count = iter(range(99))

    def make(products):
        folder = tmp_path / f"copy{next(count)}"
        folder.mkdir()
        (folder / "page.md").write_bytes((source / "page.md").read_bytes())
        return Making(folder, source, "html", None, products)

    return make


def output(made):
    (found,) = made.code([made.source / "page.md"])().values()
    return found.printed


def test_the_output_of_a_page_is_kept_under_its_code_and_what_the_code_may_read(
    making, opened, monkeypatch, tmp_path
):
    first = opened()
    assert output(making(first)) == ("42\n",)
    first.write()
    page = tmp_path / "checkout/docs/page.md"
    page.write_text("Other words.\n" + PAGE)
    with monkeypatch.context() as patch:
        patch.setattr(page_code, "run_code", refuse)
        assert output(making(opened())) == ("42\n",)
        with pytest.raises(AssertionError, match="made again"):
            output(making(None))  # nothing is kept
        page.write_text(PAGE.replace("7", "8"))
        with pytest.raises(AssertionError, match="made again"):
            output(making(opened()))
        page.write_text(PAGE)
        example = tmp_path / "checkout/examples/one.py"
        example.parent.mkdir()
        example.write_text("x = 1\n")
        with pytest.raises(AssertionError, match="made again"):
            output(making(opened()))
    assert output(making(opened())) == ("42\n",)


def test_a_page_whose_code_could_not_run_is_run_again(making, opened, monkeypatch):
    first = opened()
    with monkeypatch.context() as patch:
        patch.setattr(page_code, "run_code", lambda *_: page_code.Ran(missing="torch"))
        output(making(first))
    first.write()
    assert output(making(opened())) == ("42\n",)


def test_pictures_are_the_same_byte_for_byte(making, opened, monkeypatch):
    monkeypatch.setattr(pictures, "ILLUSTRATED", ("exponential",))
    first, made = opened(), []
    made.append(making(first))
    drawn = made[0].pictures()()
    first.write()
    monkeypatch.setattr(pictures, "draw_topic", refuse)
    made.append(making(opened()))
    assert made[1].pictures()() == drawn
    old, new = (sorted((one.source / "pictures").iterdir()) for one in made)
    assert [(p.name, p.read_bytes()) for p in old] == [(p.name, p.read_bytes()) for p in new]
    assert len(new) == 2


def test_nothing_is_kept_once_a_source_has_changed(making, opened, monkeypatch):
    first = opened()
    output(making(first))
    monkeypatch.setattr(PackageSources, "digest", property(lambda self: "another"))
    first.write()
    monkeypatch.setattr(page_code, "run_code", refuse)
    monkeypatch.undo()
    monkeypatch.setattr(page_code, "run_code", refuse)
    with pytest.raises(AssertionError, match="made again"):
        output(making(opened()))


def page_of(site, products):
    wanted = f"claims/{ID}"
    pages = generated_pages(site, {}, {}, False, frozenset(), products)
    return next(list(lines) for name, lines in pages if name == wanted)


def test_a_claim_s_page_is_kept_under_its_verdict_and_the_statuses_of_all(opened, monkeypatch):
    found = verdict(CLAIMS[ID])
    site = Site(CLAIMS, {ID: found})
    first = opened()
    whole = page_of(site, first)
    assert whole == page_of(site, None)
    first.write()
    slower = replace(
        found, records=tuple(replace(r, seconds=9.0, kept=True) for r in found.records)
    )
    failed = replace(found.records[0], outcome="fails", detail="not so")
    record = {ID: replace(found, records=(failed, *found.records[1:]))}
    status = {ID: replace(found, status="open")}
    another = {ID: found, "rope.group": verdict(CLAIMS["rope.group"])}
    monkeypatch.setattr("ropeproof.proofs_check.site.pages.generated.claim_page", refuse)
    assert page_of(Site(CLAIMS, {ID: slower}), opened()) == whole
    for verdicts in (record, status, another, {}):
        with pytest.raises(AssertionError, match="made again"):
            page_of(Site(CLAIMS, verdicts), opened())
    with pytest.raises(AssertionError, match="made again"):
        page_of(Site(CLAIMS, {ID: found}, modules=("mine.py",)), opened())


def test_a_product_is_what_it_was(opened):
    first = opened()
    begin = partial(first.begin, ["x", 1], pack=lambda text: text, unpack=lambda text: text)
    assert begin(lambda: lambda: "one")() == "one"
    first.write()
    again = opened().begin(["x", 1], refuse, lambda text: text, lambda text: text)
    assert again() == "one"
    assert opened().begin(["x", 2], lambda: lambda: "two", str, str)() == "two"
