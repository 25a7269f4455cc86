"""The checker in plain C: its own rotation conforms, its faulty variants do not, no file breaks it."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest
from needs import Missing, needs, skip_for
from programs import found

from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.scaling import Linear, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.golden import as_json, golden, json_text

SOURCE = Path(__file__).resolve().parents[4] / "examples" / "golden_check.c"
CC = found("gcc")
pytestmark = needs(program="gcc")

SPECS = {
    "llama-3.1-8b": PRESETS["llama-3.1-8b"].spec,
    "gpt-j-6b": PRESETS["gpt-j-6b"].spec,
    "pythia-1.4b": PRESETS["pythia-1.4b"].spec,
    "qwen2.5-7b": PRESETS["qwen2.5-7b"].spec,
    "split": RopeSpec(48, 10000, rotary_dim=16, rotary_start=32, layout="interleaved", length=512),
    "still": RopeSpec(8, 10000, rotary_dim=0),
    "linear": RopeSpec(64, 10000, scaling=Linear(4), length=4096),
    "yarn": RopeSpec(64, 10000, scaling=Yarn(factor=4, original_length=1024), length=4096),
    "sections": RopeSpec(64, 10000, axes=Axes.sections((8, 12, 12)), length=2048),
    "woven": RopeSpec(64, 500000, axes=Axes.sections((12, 10, 10), interleaved=True), length=2048),
    "image": RopeSpec(32, 10000, axes=Axes.grid(16), layout="interleaved", length=128),
    "dealt": RopeSpec(32, 10000, axes=Axes.grid(16, dealt=True), length=128),
}
FAULTS = {
    1: ("base 10000", "llama-3.1-8b"),
    2: ("the other layout", "gpt-j-6b"),
    3: ("sine of the opposite sign", "qwen2.5-7b"),
    4: ("position off by one", "qwen2.5-7b"),
    5: ("angles in bfloat16", "qwen2.5-7b"),
    6: ("scaling left out", "llama-3.1-8b"),
    7: ("scaling twice", "linear"),
    8: ("all of the head rotated", "pythia-1.4b"),
    9: ("pairs half a head apart", "pythia-1.4b"),
    10: ("positions in bfloat16", "gpt-j-6b"),
    11: ("frequencies over the head's size", "gpt-j-6b"),
    12: ("cosine and sine swapped", "yarn"),
    13: ("positions in 15 bits", "llama-3.1-8b"),
    14: ("frequencies in bfloat16", "qwen2.5-7b"),
    15: ("the first part of the head rotated", "split"),
    16: ("one coordinate for all planes", "sections"),
    17: ("coordinates in the opposite order", "image"),
    18: ("frequencies of one sequence", "image"),
    19: ("coordinates dealt out to planes in turn", "sections"),
}


def compiled(target: Path, *options: str) -> Path:
    command = [str(CC), "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    subprocess.run([*command, *options, str(SOURCE), "-o", str(target), "-lm"], check=True)
    return target


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("golden")
    for name, spec in SPECS.items():
        vectors = golden(spec, dtypes=("float32", "bfloat16", "float16"))
        (found / name).write_text(json_text(as_json(vectors, name=name)))
    tight = golden(SPECS["llama-3.1-8b"], angles="float64")
    (found / "tight").write_text(json_text(as_json(tight, name="tight")))
    small = golden(RopeSpec(4, 100), positions=[0, 1, 5])
    (found / "small").write_text(json_text(as_json(small, name="small")))
    compiled(found / "check")
    compiled(found / "check_double", "-DREAL=double")
    return found


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(w) for w in words], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("name", SPECS)
def test_its_own_function_conforms(folder, name):
    for dtype in ("float32", "bfloat16", "float16"):
        found = run(folder / "check", folder / name, dtype)
        assert found.returncode == 0, found.stdout + found.stderr
        assert f"conforms in {dtype}" in found.stdout
    assert ("not tested" in found.stdout) == (name == "yarn")


def test_in_double_it_gives_the_very_values(folder):
    """Rounded from doubles, all but none of the narrower values can differ from the exact ones."""
    found = run(folder / "check_double", folder / "tight", "float64")
    assert found.returncode == 0, found.stdout + found.stderr
    for dtype in ("bfloat16", "float16"):
        found = run(folder / "check_double", folder / "tight", dtype)
        assert "off by at most 0 of what is allowed" in found.stdout


def test_single_precision_fails_where_double_is_asked_for(folder):
    found = run(folder / "check", folder / "tight", "float32")
    assert found.returncode == 1
    assert "first at position" in found.stdout
    found = run(folder / "check", folder / "tight", "float64")
    assert found.returncode == 2
    assert "-DREAL=double" in found.stderr


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_variant_is_refused(folder, fault):
    told, name = FAULTS[fault]
    faulty = compiled(folder / f"fault{fault}", f"-DFAULT={fault}")
    found = run(faulty, folder / name)
    assert found.returncode == 1, f"{told}: {found.stdout}{found.stderr}"
    assert "does not conform in float32" in found.stdout


def test_every_fault_of_the_source_is_tried():
    text = SOURCE.read_text()
    assert all(
        f"FAULT {word} {n}" in text for n in FAULTS for word in ["!=" if n in (6, 18) else "=="]
    )
    assert f"FAULT == {max(FAULTS) + 1}" not in text


def _axes(**other: object) -> dict[str, object]:
    return {"names": ["height", "width"], "planes": [0, 1], "exponents": [0, 0]} | other


@pytest.mark.parametrize("fault", [16, 17, 18, 19])
def test_a_fault_of_axes_is_seen_in_other_kinds_too(folder, fault):
    faulty = compiled(folder / f"axes{fault}", f"-DFAULT={fault}")
    kinds = {"sections", "woven", "image", "dealt"}
    kinds -= {18: {"sections", "woven"}}.get(fault, set())  # these have one sequence
    for name in kinds:
        assert run(faulty, folder / name).returncode == 1, name
    assert run(faulty, folder / "gpt-j-6b").returncode == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.pop("format"), '"format" is missing'),
        (lambda d: d.update(format="x"), "no golden vectors"),
        (lambda d: d.update(schema=2), "no golden vectors"),
        (lambda d: d.update(rope=[]), '"rope" is not an object'),
        (lambda d: d["rope"].update(head_dim=5), "not even"),
        (lambda d: d["rope"].update(head_dim=1e9), "head_dim"),
        (lambda d: d["rope"].update(rotary_dim=6), "rotary_dim"),
        (lambda d: d["rope"].update(base=0.5), "base"),
        (lambda d: d["rope"].update(layout="quarter"), "quarter"),
        (lambda d: d["rope"].update(scaling={"kind": "linear"}), '"factor" is missing'),
        (lambda d: d["rope"]["frequencies"].pop(), "frequencies"),
        (lambda d: d.update(heads=2), "another shape"),
        (lambda d: d["inputs"]["values"].pop(), '"inputs" has'),
        (lambda d: d["inputs"]["values"].__setitem__(0, "1"), "no number"),
        (lambda d: d["inputs"].update(shape=[1, 3]), '"shape" has'),
        (lambda d: d["positions"]["values"].__setitem__(0, 0.5), "no position"),
        (lambda d: d["positions"]["values"].__setitem__(0, -1), "no position"),
        (lambda d: d["positions"].update(values=[]), "0 positions"),
        (lambda d: d["types"].pop("float32"), '"float32" is missing'),
        (lambda d: d["rope"].update(axes=2), '"axes" is not an object'),
        (lambda d: d["rope"].update(axes={}), '"names" is missing'),
        (lambda d: d["rope"].update(axes=_axes(planes=[0])), '"planes" has 1 numbers'),
        (lambda d: d["rope"].update(axes=_axes(planes=[0, 2])), "no coordinate of 2"),
        (lambda d: d["rope"].update(axes=_axes(planes=[0, 0.5])), "no coordinate of 2"),
        (lambda d: d["rope"].update(axes=_axes(exponents=[])), '"exponents" has 0'),
        (lambda d: d["rope"].update(axes=_axes(names=["a"] * 17)), "not from 2 to 16"),
        (lambda d: d["rope"].update(axes=_axes(names=[])), "not from 2 to 16"),
        (lambda d: d["rope"].update(axes=_axes(names=[], planes=[]), rotary_dim=0), "not from 2"),
        (lambda d: d["rope"].update(axes=_axes()), '"shape" has 1 numbers, not 2'),
        (lambda d: d["types"]["float32"].pop("allowed"), '"allowed" is missing'),
        (lambda d: d["types"]["float32"]["allowed"]["values"].__setitem__(0, 1e9), "tests nothing"),
        (lambda d: d["types"]["float32"]["allowed"]["values"].__setitem__(0, -1), "tests nothing"),
        (lambda d: d["types"]["float32"]["rotated"].update(error=1e9), 'an "error" of 1e+09'),
    ],
)
def test_a_file_that_lacks_something_is_refused(folder, tmp_path, change, said):
    data = json.loads((folder / "small").read_text())
    change(data)
    (tmp_path / "bad").write_text(json.dumps(data))
    found = run(folder / "check", tmp_path / "bad")
    assert found.returncode == 2, found.stdout
    assert said in found.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 100_000,
        '{"format": "ropeproof-golden"',
        '{"format": "x", "format": "x"}',
        '{"format": 01}',
        '{"format": 0x10}',
        '{"format": 1e999}',
        '{"format": +1}',
        '{"format": .5}',
        '{"format": 1.}',
        '{"format": NaN}',
        '{"format": "\\u12"}',
        '{"format": "\\q"}',
        '{"format": "a\nb"}',
        '{"format": "a',
        '{"format": "a\\',
        '{"format" 1}',
        "{format: 1}",
        '{"format": 1,}',
        "[1,]",
        "{} {}",
        "null",
        "\0",
        "truefalse",
    ],
)
def test_malformed_json_is_refused(folder, tmp_path, text):
    (tmp_path / "bad").write_text(text)
    found = run(folder / "check", tmp_path / "bad")
    assert found.returncode == 2, found.stdout
    assert found.stderr.startswith("golden_check: ")


def test_wrong_arguments_are_refused(folder, tmp_path):
    check = folder / "check"
    assert run(check).returncode == 2
    assert "No such file" in run(check, tmp_path / "none").stderr
    assert run(check, tmp_path).returncode == 2  # a folder
    assert '"int8" is missing' in run(check, folder / "small", "int8").stderr


def test_no_damage_to_a_file_breaks_the_reader(folder, tmp_path):
    """Cut and flipped files under the compiler's own checks of memory and of undefined behaviour."""
    options = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
    try:
        check = compiled(folder / "sanitised", *options)
    except subprocess.CalledProcessError:
        skip_for(Missing("program", "gcc with sanitizers", "apt-get install build-essential"))
    whole = (folder / "small").read_bytes()
    draw = random.Random(0)
    seen = set()
    for case in range(60):
        data = bytearray(whole)
        if case % 3 == 0:
            del data[draw.randrange(len(data)) :]
        for _ in range(case % 3):
            at = draw.randrange(len(data))
            data[at] = draw.choice(b'0123456789{}[],:"-.eE\\u\x00\xff tn')
        (tmp_path / "bad").write_bytes(data)
        found = subprocess.run(
            [str(check), str(tmp_path / "bad")],
            capture_output=True,
            check=False,
            timeout=60,
            env={"ASAN_OPTIONS": "detect_leaks=0:exitcode=99", "UBSAN_OPTIONS": "exitcode=99"},
        )
        assert found.returncode in (0, 1, 2), (case, found.stderr.decode(errors="replace"))
        seen.add(found.returncode)
    assert {0, 2} <= seen
