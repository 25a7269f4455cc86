"""The site under test, served once, and one browser for each process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if (
    TYPE_CHECKING
):  # without the extra 'browser' its import skips what imports it: a test, but no conftest
    from site_visitor import Visitor


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """The site under test; the processes of pytest-xdist share one that the first of them builds."""
    from site_visitor import FULL, build_small

    if FULL:
        assert (Path(FULL) / "index.html").is_file(), f"ROPEPROOF_SITE={FULL} holds no index.html"
        return Path(FULL)
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    place, failed = shared / "site", shared / "site-failed"
    try:
        (shared / "site-lock").mkdir()
    except FileExistsError:
        while not place.exists():
            assert not failed.exists(), "the site could not be built; see the other process"
            time.sleep(0.2)
        return place
    try:
        build_small(shared / "site-part")
    except BaseException:
        failed.mkdir()
        raise
    return (shared / "site-part").rename(place)


@pytest.fixture(scope="session")
def address(folder) -> Iterator[str]:
    from ropeproof.proofs_check.site.serve import server

    with server(folder, 0) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    from site_visitor import ARGUMENTS, CHROMIUM, playwright

    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def visitor(browser, address) -> Iterator[Visitor]:
    from site_visitor import Visitor

    found = Visitor(browser, address)
    yield found
    found.context.close()
    assert not found.faults
