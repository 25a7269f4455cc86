"""The command line: output, JSON, exit codes and messages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run
from needs import needs

from ropeproof.cli import main
from ropeproof.proofs_check import site as docs
from ropeproof.proofs_check.kernel.outcome import Kills
from ropeproof.proofs_check.run.library import load
from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.site.pages.printed import errata_page
from ropeproof.theory import TOPICS
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.presets import PRESETS

ROOT = Path(__file__).resolve().parents[3]
FAST = ["trig.sine-below-identity", "--profile", "quick", "--jobs", "1"]


def command(*args: str) -> subprocess.CompletedProcess[str]:
    tool = Path(sys.executable).with_name("ropeproof")
    return subprocess.run([tool, *args], capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.skipif(sys.platform != "linux", reason="a device of Linux that is always full")
@pytest.mark.parametrize(
    "args", [["presets"], ["show", "exp.monotone", "--json", "-"]], ids=" ".join
)
def test_an_output_that_cannot_be_written_is_told_in_a_line(args):
    tool = Path(sys.executable).with_name("ropeproof")
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = subprocess.run(
            [tool, *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT
        )
    assert ended.returncode == 2
    assert ended.stderr == "ropeproof: the output cannot be written: No space left on device\n"


def test_check_prints_a_table_and_ends_with_0():
    code, text = run("check", *FAST)
    assert code == 0
    for word in ("trig.sine-below-identity", "proved", "2/2", "1 claims: 1 proved"):
        assert word in text


def test_json_has_the_schema():
    code, text = run("check", *FAST, "--json", "-")
    data = json.loads(text)
    assert code == 0
    assert data["schema"] == 2
    statuses = {"proved", "definition", "certified", "tested", "conjecture", "refuted", "open"}
    assert set(data["summary"]) == statuses
    assert data["summary"]["proved"] == 1
    assert {"python", "sympy", "z3-solver", "python-flint"} <= set(data["versions"])
    (claim,) = data["claims"]
    wanted = {"id", "title", "kind", "role", "status", "source", "uses", "axioms", "repaired_by"}
    assert wanted | {"witness", "evidence", "mutants"} <= set(claim)
    assert set(claim["source"]) == {"paper", "locator", "fidelity", "compare"}
    assert claim["mutants"] == {"tried": 2, "killed": 2}
    keys = {"kind", "name", "outcome", "domain", "cases", "seconds", "detail", "kept"}
    assert all(set(e) == keys for e in claim["evidence"])
    assert {e["kind"] for e in claim["evidence"]} == {"proof", "property", "attack"}


def test_json_to_a_file(tmp_path):
    target = tmp_path / "report.json"
    code, text = run("check", *FAST, "--json", str(target))
    assert code == 0
    assert "proved" in text
    assert json.loads(target.read_text())["schema"] == 2
    code, text = run("check", *FAST, "--json", str(tmp_path / "no" / "such" / "x.json"))
    assert code == 2
    assert "json: got" in text


def test_a_pipe_gets_no_colours_and_no_bar():
    done = command("check", *FAST)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_several_processes_agree_with_one():
    args = ["check", "exp.*", "--profile", "quick", "--json", "-"]
    one, two = (json.loads(run(*args, "--jobs", jobs)[1]) for jobs in "12")
    assert [c["status"] for c in one["claims"]] == [c["status"] for c in two["claims"]]
    assert one["summary"] == two["summary"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["check", "nope"], "id: got 'nope'"),
        (["check", "rope.nope*"], "id: got 'rope.nope*'"),
        (["check", *FAST[:1], "--profile", "slow"], "allowed: quick, default, deep"),
        (["check", *FAST[:3], "--jobs", "0"], "jobs: got 0, allowed: an integer >= 1"),
        (["check", "--module", "no/such.py"], "a readable Python file"),
        (["show", "nope"], "the id of a claim"),
        (["graph", "--format", "png"], "allowed: text, mermaid, dot, json"),
        (["check", *FAST, "--config", "no/such.json"], "such.json"),
        (["docs", "--pages", "no/such"], "the docs folder of a checkout"),
        (["errata", "--module", "no/such.py"], "a readable Python file"),
        (["budget", "--task", "nope"], "task: got 'nope', allowed: slash, index, retrieval"),
    ],
)
def test_bad_input_is_named(args, message):
    code, text = run(*args)
    assert code == 2
    assert message in text


def test_the_real_command_exits_with_2_and_one_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ropeproof", "check", "nope"])
    with pytest.raises(SystemExit) as end:
        main()  # what the console script calls
    assert end.value.code == 2
    said = capsys.readouterr()
    assert said.err == "ropeproof: id: got 'nope', allowed: an id or glob that matches a claim\n"
    assert said.out == ""
    assert run("check", "--nonsense")[0] == 2


@pytest.mark.parametrize(("own", "used"), [(None, "None"), ("2000", "2000")])
def test_sympy_remembers_the_terms_of_a_catalogue_unless_the_user_says_otherwise(own, used):
    code = (
        "import sys; from ropeproof.proofs_check import cli; assert 'sympy' not in sys.modules; "
        "cli.app = lambda: None; cli.main(); from sympy.core import cache; "
        "print(cache.SYMPY_CACHE_SIZE)"
    )
    variables = {k: v for k, v in os.environ.items() if k != "SYMPY_CACHE_SIZE"}
    variables |= {"SYMPY_CACHE_SIZE": own} if own else {}
    done = subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == used


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("{", "JSON"),
        ({"model_type": "qwen2", "hidden_size": 512, "num_attention_heads": 8}, "rope_theta"),
        ({"model_type": "gpt2", "n_embd": 64, "n_head": 4}, "gpt2"),
        ({"head_dim": 63}, "head_dim"),
        ({"rope_theta": -1.0}, "base"),
        ({"rope_scaling": {"type": "spiral", "factor": 2.0}}, "spiral"),
        ({"max_position_embeddings": 0}, "max_position_embeddings"),
    ],
)
def test_bad_configurations_are_named(tmp_path, fields, message):
    path = tmp_path / "config.json"
    if isinstance(fields, str):
        path.write_text(fields)
    else:
        base = {} if "model_type" in fields else PRESETS["llama-2-7b"].to_config()
        path.write_text(json.dumps({**base, **fields}))
    code, text = run("check", *FAST, "--config", str(path))
    assert code == 2
    assert message in text


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_models_certified_numbers(tmp_path, name):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(PRESETS[name].to_config()))
    code, text = run("check", "rope.bounded", *FAST[1:], "--config", str(path), "--json", "-")
    model = json.loads(text)["model"]
    assert code == 0
    assert model["length"] == PRESETS[name].spec.length
    (fact,) = [f for f in model["facts"] if f["claim"] == "rope.bounded"]
    exact = model["head_dim"] ** -0.5
    assert fact["lower"] <= exact <= fact["upper"]


def test_list_show_graph_errata_budget():
    code, text = run("list", "softmax.*")
    assert code == 0
    assert "softmax.tv" in text
    assert "rope." not in text
    code, text = run("list", "--json", "-")
    assert {"id", "title", "kind", "role", "needs"} <= set(json.loads(text)["claims"][0])
    code, text = run("show", "exp.monotone", "--run")
    assert code == 0
    for word in (
        "Hypotheses",
        "Conclusion",
        "by mean_value",
        "Evidence",
        "Mutants",
        "Axioms: none",
    ):
        assert word in text
    code, text = run("show", "exp.monotone", "--json", "-")
    assert json.loads(text)["derivation"][-1]["rule"] == "smt"
    code, text = run("graph", "exp.*")
    assert text.startswith("graph TD")
    code, text = run("graph", "exp.*", "--format", "dot")
    assert text.startswith("digraph")
    code, text = run("graph", "--format", "json")
    edges = json.loads(text)["edges"]
    assert edges
    # Of one claim: what it uses, and which claims use it, as `show` says it, too.
    users = [e["from"] for e in edges if (e["to"], e["kind"]) == ("exp.monotone", "uses")]
    assert len(users) > 3
    code, text = run("graph", "exp.monotone")
    assert text.startswith("exp.monotone  The exponential is monotone\n  uses: no other claim\n")
    assert " ".join(text.split()).endswith(f"used by {len(users)}: {', '.join(users)}")
    code, text = run("show", "exp.monotone")
    # To list them takes seconds if no entries are cached, as here; then it names the command.
    assert "Used by: `ropeproof graph exp.monotone` lists the claims" in " ".join(text.split())
    code, text = run("errata", "--json", "-")
    assert code == 0
    assert "errata" in json.loads(text)
    assert run("errata")[0] == 0
    assert run("budget")[0] == 2  # which model is not said


def test_help_folds_a_paragraph_at_the_width_alone(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    code, text = run("show", "--help")
    assert code == 0
    lines = [line.strip() for line in text.splitlines()]
    begin = next(k for k, line in enumerate(lines) if line.startswith("Status and evidence"))
    end = lines.index("", begin)
    for line, after in zip(lines[begin:end], lines[begin + 1 : end], strict=False):
        assert len(line) + 1 + len(after.split()[0]) > 100 - 4, line


def test_show_runs_nothing_unless_asked(tmp_path, monkeypatch):
    monkeypatch.setenv("ROPEPROOF_CACHE", str(tmp_path))
    code, text = run("show", "trig.jordan")
    assert code == 0
    assert text.startswith("trig.jordan  not run")
    assert "`ropeproof show trig.jordan --run` runs it" in " ".join(text.split())
    assert "Axioms" not in text
    code, text = run("show", "trig.jordan", "--json", "-")
    assert (json.loads(text)["status"], json.loads(text)["evidence"]) == ("not run", [])
    assert run("show", "trig.jordan", "--profile", "nosuch")[0] == 2
    quick = ("--profile", "quick")
    assert run("show", "trig.jordan", "--run", *quick)[1].startswith("trig.jordan  proved")
    for asked in ((), quick):  # the default results are looked for first, then the quick ones
        code, text = run("show", "trig.jordan", *asked)
        assert text.startswith("trig.jordan  proved")
        assert "(cached)" in text
    code, text = run("show", "trig.jordan", "--profile", "default")
    assert text.startswith("trig.jordan  not run")


def test_of_a_part_of_the_results_no_status_follows(tmp_path, monkeypatch):
    from ropeproof.proofs_check.run.cache import Kept

    monkeypatch.setenv("ROPEPROOF_CACHE", str(tmp_path))
    quick = ("--profile", "quick")
    assert run("show", "trig.jordan", "--run", *quick)[1].startswith("trig.jordan  proved")
    find = Kept.find
    monkeypatch.setattr(
        Kept, "find", lambda k, item: find(k, item) if item.kind == "proof" else None
    )
    text = " ".join(run("show", "trig.jordan", *quick)[1].split())
    assert text.startswith("trig.jordan not run")
    assert "proof [derivation] holds" in text
    assert "of the results that the status rests on are not cached" in text


def test_errata_json_to_a_file(tmp_path):
    target = tmp_path / "errata.json"
    code, text = run("errata", "--json", str(target))
    assert code == 0
    assert "Printed statements that are false" in text
    assert set(json.loads(target.read_text())) == {"schema", "errata"}


def test_a_users_own_claim_is_attacked_like_ours_and_a_false_one_refused():
    quick = ("--profile", "quick", "--jobs", "1")
    code, text = run("check", "own.*", "--module", str(ROOT / "examples/own_claim.py"), *quick)
    assert code == 0
    assert "own.two-steps" in text
    assert "2/2" in text
    code, text = run("check", "own.*", "--module", str(ROOT / "examples/false_claim.py"), *quick)
    assert code == 1
    assert "refuted" in text
    assert "witness:" in text
    assert "z3 does not refute the negation" in text


def test_a_module_without_claims(tmp_path):
    for content, message in (
        ("x = 1", "at least one claim"),
        ("CLAIMS = 1", "if it has one, is a tuple"),
        ("CLAIMS = ()", "at least one claim"),
        ("import nonsense_xyz", "a file that imports"),
    ):
        path = tmp_path / f"m{abs(hash(content))}.py"
        path.write_text(content)
        code, text = run("check", "--module", str(path))
        assert code == 2
        assert message in text


def unrun() -> list[ClaimResult]:
    """A verdict for every claim, of no run."""
    return [ClaimResult(c, "open", (), (), Kills(0, 0), ()) for c in load().claims.values()]


def test_every_page_is_in_the_contents_once():
    text = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    trees = [tree.split("```")[0] for tree in text.split("```{toctree}")[1:]]
    listed = [line for tree in trees for line in tree.splitlines() if line and line[0] != ":"]
    pages = [docs.page_of(topic) for topic in TOPICS]
    assert "index" not in pages
    assert len(set(pages)) == len(pages)
    written = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    made = {*pages, "errata", "rules", "overview", "graph", "papers"}
    assert written | made | {"tutorials/index"} <= set(listed)
    assert len(set(listed)) == len(listed)
    assert not written & made


@needs("sphinx", "myst_parser")
def test_a_topics_page_never_overwrites_a_written_one(tmp_path):
    pages = tmp_path / "docs"
    pages.mkdir()
    (pages / "conf.py").write_text("")
    (pages / f"{docs.page_of('rope')}.md").write_text("mine")
    with pytest.raises(InvalidArgument, match=r"pages: got 'rope\.md'"):
        docs.build(tmp_path / "html", pages, verdicts=unrun(), pictures=False, reference=False)


def test_the_docs_say_how_a_printed_statement_fails():
    claims = load().claims
    text = "\n".join(errata_page(docs.Site(claims, {v.claim.id: v for v in unrun()})))
    printed = [claim for claim in claims.values() if claim.kind == "printed"]
    assert text.count("\n## ") == text.count("- **Repaired by:** ") == len(printed)
    assert text.count("- **Read as:** ") == sum(len(claim.readings) for claim in printed)
    assert text.count("- **Witness** (not re-checked in this build)") == text.count("Read as:")
    assert text.count("- **Charitably read:** ") == len(printed)
    for claim in printed:
        assert f"[{claim.repaired_by}](" in text or f"`{claim.repaired_by}`" in text


def test_the_code_of_the_docs_runs():
    blocks = (ROOT / "docs/decoding.md").read_text(encoding="utf-8").split("```python\n")[1:]
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block.split("```", 1)[0], names)
