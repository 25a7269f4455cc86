"""Claims as LaTeX for a paper: what it holds, its words, and that pdfTeX typesets it within the page."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace

import pytest
from needs import need_program
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.proofs_check.present.paper.document import PACKAGES, document
from ropeproof.proofs_check.present.paper.proof import proof_paper
from ropeproof.proofs_check.present.paper.words import in_words, left_over
from ropeproof.theory import CLAIMS
from ropeproof.theory.annotations.roles import HEADINGS
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.topics.contents import CONTENTS

OF_EACH_KIND = (
    "rope.lipschitz",  # a main result
    "rope.only",  # the matrices' own names, and prior work below the source
    "slash.gd.head",  # a long statement
    "rope.rerotation",  # roots wider than a line
    "rope.expressive-unique",  # cases wider than a page
    "index.weyl",  # an axiom
    "index.printed-irrational",  # false as printed, with a proof that it is
    "task.printed-answer",  # false as printed, by instances
    "slash.score",  # a definition
    "slash.flow-sparse",  # a conjecture
)


def latex(id: str, **options: bool) -> str:
    return proof_paper(CLAIMS[id], CLAIMS, HEADINGS[CONTENTS[id].role], **options)


def shown(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["show", *arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_proof_has_every_hypothesis_and_every_step_with_its_reason():
    claim, text = CLAIMS["rope.lipschitz"], latex("rope.lipschitz")
    for number, hypothesis in enumerate(claim.hypotheses, 1):
        assert f"\\item[(H{number})]\n{in_words(hypothesis.name)}:" in text
    for number, step in enumerate(claim.derivation.steps, 1):
        assert f"\\item[({number})]\n{in_words(step.because)}\n" in text
    assert len(re.findall(r"^\{\\small By ", text, re.MULTILINE)) == len(claim.derivation.steps)
    assert "from (2), (1)." in text
    assert "trig.\\allowbreak{}sine-\\allowbreak{}below-\\allowbreak{}identity} (" in text, "used"


def test_the_steps_are_those_of_the_claim_with_the_names_of_its_symbols():
    text = latex("slash.gd.head")
    assert r"$\tau_{0}$ is late enough:" in text
    assert r"$k^{*}$ separates the target by $\gamma$:" in text
    assert not re.search(r"(?<!\\)\btau_0", text)


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("slash.flow-sparse", "This is a conjecture: the catalogue has no proof of it."),
        ("index.printed-irrational", r"\paragraph{Proof that it is false.}"),
        ("task.printed-answer", "there is no derivation beside them"),
        ("rope.only", "Compare: Liu et al., arXiv 2504.06308"),
    ],
)
def test_what_a_claim_is_is_said(id, words):
    assert words in latex(id)


def test_a_definition_has_nothing_to_prove_and_an_axiom_is_stated():
    bare = replace(CLAIMS["slash.score"], derivation=None, uses=())
    assert "This is a definition, which has nothing to prove." in proof_paper(
        bare, {}, "Definition"
    )
    by_axiom = next(
        id
        for id in ("index.weyl-groups", "rope.nonresonant", "rope.expressive")
        if any(step.rule.name == "axiom" for step in CLAIMS[id].derivation.steps)
    )
    text = latex(by_axiom)
    assert r"\paragraph{Axioms that are used.}" in text
    assert "By the axiom ``" in text


def test_written_out_no_name_stands_for_a_term():
    assert r"\psi(" in latex("slash.gd.head")
    whole = latex("slash.gd.head", expand=True).split(r"\paragraph{In formulas.}")[1]
    assert r"\psi(" not in whole.split(r"\paragraph{Results that are used.}")[0]


@pytest.mark.parametrize("id", OF_EACH_KIND)
def test_the_latex_is_balanced_and_its_packages_are_named(id):
    text = latex(id)
    assert text.startswith(f"% {id}: needs \\usepackage{{{','.join(PACKAGES)}}}\n")
    for name in ("align*", "itemize"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}")
    assert text.count(r"\begingroup") == text.count(r"\endgroup")
    assert left_over(text) == ""


def test_pdflatex_typesets_each_kind_of_claim_within_the_page(tmp_path):
    pdflatex = need_program("pdflatex")
    body = "\n\\clearpage\n".join(map(latex, OF_EACH_KIND))
    (tmp_path / "claims.tex").write_text(document(body), encoding="utf-8")
    done = subprocess.run(
        [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "claims.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "claims.log").read_text(encoding="utf-8", errors="replace")
    over = [float(size) for size in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide", log)]
    assert max(over, default=0.0) < 2, "a line reaches into the margin"
    assert "Output written on claims.pdf" in done.stdout


def test_a_statement_alone_is_typeset_as_well(tmp_path):
    pdflatex = need_program("pdflatex")
    (tmp_path / "claim.tex").write_text(shown("slash.gd.head", "--latex", "--document"), "utf-8")
    done = subprocess.run(
        [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "claim.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0


def test_the_command_prints_a_fragment_a_document_or_json(tmp_path):
    fragment = shown("rope.group", "--latex", "--proof")
    assert fragment == latex("rope.group")
    whole = shown("rope.group", "--latex", "--proof", "--document")
    assert whole == document(fragment)
    file = tmp_path / "claim.json"
    shown("rope.group", "--latex", "--proof", "--json", str(file))
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["document"] == fragment
    assert data["id"] == "rope.group"
    assert r"\paragraph{Proof.}" not in shown("rope.group", "--latex")


@pytest.mark.parametrize("option", ["--proof", "--document"])
def test_an_option_of_the_latex_needs_it(option):
    with pytest.raises(InvalidArgument, match=f"{option} together with --latex"):
        shown("rope.group", option)


def test_an_unknown_claim_is_refused_with_near_ones():
    with pytest.raises(InvalidArgument, match=r"rope\.group"):
        shown("rope.grup", "--latex", "--proof")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a share of 95% & more", r"a share of 95\% \& more"),
        ("So x <= y, and |q_l| is positive.", r"So $x$ $\le$ $y$, and $|q_{l}|$ is positive."),
        ("A_(-p)^T times e^(-v)", r"$A_{-p}^{T}$ times $\mathrm{e}^{-v}$"),
        ("entry of A_iᵀ", r"entry of $A_{i}^{T}$"),
        ("the mean query q̄", r"the mean query $\bar{q}$"),  # a combining macron
        ("k* is a unit vector", r"$k^{*}$ is a unit vector"),
        ("that is, i.e. the row's own A", "that is, i.e. the row's own A"),
        ("by `own.my_claim`", r"by \texttt{own.\allowbreak{}my\_\allowbreak{}claim}"),
        ("counts $x_1<2$ and θ", r"counts $x_1<2$ and $\theta$"),
    ],
)
def test_words_become_latex(text, expected):
    assert in_words(text) == expected


def test_markdown_is_read_in_statements_only():
    assert in_words("**all** of *them*", markdown=True) == r"\textbf{all} of \emph{them}"
    assert in_words("**all**") == "**all**"


def test_a_script_that_pdftex_does_not_know_is_named():
    assert left_over("é ü ł") == ""
    assert left_over("定理") == "定理"
