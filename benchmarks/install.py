"""What an installation takes: size, packages and time of the base and of each extra.

    python benchmarks/install.py [--extras base proofs ...] [--wheel FILE] [--keep FOLDER]

Each is installed from one wheel of this checkout, with `constraints.txt`, into a virtual environment of
its own, which is removed again; a package index must be reachable. Sizes are those of the files in
`site-packages` before anything is compiled, without pip itself. Times are wall seconds and the CPU
seconds of pip and its children; downloads that pip has in its cache are not repeated, so the wall
seconds of a second run are those of unpacking.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BASE = "base"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = (BASE, *PYPROJECT["optional-dependencies"])


def size(folder: Path) -> int:
    """The bytes of the files below a folder, without pip and what was compiled."""
    total = 0
    for path in folder.rglob("*"):
        top = path.relative_to(folder).parts[0]
        own = top == "pip" or top.startswith("pip-")
        if not own and "__pycache__" not in path.parts and path.is_file() and not path.is_symlink():
            total += path.stat().st_size
    return total


def install(wheel: Path, extra: str, folder: Path) -> tuple[int, int, float, float]:
    """The bytes, packages, wall seconds and CPU seconds of installing one extra in a new environment."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    wanted = str(wheel) if extra == BASE else f"{wheel}[{extra}]"
    pip = [str(python), "-m", "pip", "install", "-q", "--no-compile", "--disable-pip-version-check"]
    pip += ["-c", str(ROOT / "constraints.txt"), wanted]
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    begin = time.perf_counter()
    child = subprocess.Popen(pip, env=clean)
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - begin
    if status:
        raise SystemExit(f"pip install of {extra} failed")
    (site,) = folder.glob("lib/python*/site-packages")
    packages = sum(1 for path in site.glob("*.dist-info") if not path.name.startswith("pip-"))
    return size(site), packages, seconds, used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--extras", nargs="*", default=list(EXTRAS), choices=EXTRAS)
    parser.add_argument("--wheel", type=Path, help="instead of one built from this checkout")
    parser.add_argument("--keep", type=Path, help="leave the environments in this folder")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        wheel = given.wheel
        if wheel is None:
            build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(work)]
            subprocess.run([*build, str(ROOT)], check=True)
            (wheel,) = work.glob("*.whl")
        print(f"{wheel.name}, Python {platform.python_version()}, {datetime.date.today()}\n")
        print("| extra | size (MB) | packages | time (s) | CPU (s) |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for extra in given.extras:
            folder = (given.keep or work) / extra
            taken, packages, seconds, cpu = install(wheel.resolve(), extra, folder)
            print(
                f"| {extra} | {taken / 1e6:.0f} | {packages} | {seconds:.0f} | {cpu:.0f} |",
                flush=True,
            )
            if given.keep is None:
                subprocess.run(["rm", "-rf", str(folder)], check=True)


if __name__ == "__main__":
    main()
