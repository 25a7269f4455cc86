"""A small model trained from scratch: what is written, that it learns, and that it is the same."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from example_programs import load_example
from made_up_sources import write_sources
from saved_models import equal, weights_in
from transformers import AutoModelForCausalLM, AutoTokenizer

from ropeproof.tools.measure.kinds import head_kinds

lm = load_example("train_small_lm")
from small_lm import corpus, families, measures, training  # noqa: E402  (their folder is on the path now)

SMALL = [
    "--steps=40",
    "--length=32",
    "--layers=2",
    "--heads=2",
    "--width=16",
    "--vocabulary=300",
    "--threads=1",
]


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Forty files of a small made-up language, two of them copies, and files to be left out."""
    folder = tmp_path_factory.mktemp("sources")
    write_sources(folder)
    (folder / "zz_copy.py").write_text((folder / "file01.py").read_text())
    (folder / "zz_caf\N{LATIN SMALL LETTER E WITH ACUTE}.py").write_bytes(b"\xff\xfe not text")
    (folder / "test").mkdir()
    (folder / "test" / "left_out.py").write_text("a line of more than twenty characters\n")
    (folder / "_sysconfigdata_here.py").write_text("a machine's own line, /root/somewhere\n")
    return folder


@pytest.fixture(scope="module")
def made(sources, tmp_path_factory):
    threads = torch.get_num_threads()
    folder = tmp_path_factory.mktemp("made") / "new" / "folder"
    assert lm.main([f"--output={folder}", f"--sources={sources}", *SMALL]) == 0
    torch.set_num_threads(threads)
    return folder


def test_the_folder_holds_two_models_a_text_and_a_report(made):
    assert sorted(path.name for path in made.iterdir()) == sorted(lm.NAMES)
    for name in ("trained", "initial"):
        model = AutoModelForCausalLM.from_pretrained(made / name)
        tokenizer = AutoTokenizer.from_pretrained(made / name)
        config = model.config
        assert config.model_type == "llama"
        assert config.rope_parameters["rope_theta"] == 10_000
        assert (config.head_dim, config.max_position_embeddings) == (8, 32)
        assert config.tie_word_embeddings
        assert config.vocab_size == len(tokenizer) == 300
        assert config.eos_token_id == tokenizer.eos_token_id
        assert (made / name / "model.safetensors").is_file()
        assert model.generate(torch.tensor([[5, 6]]), max_new_tokens=2, do_sample=False).numel() > 2


def test_the_tokenizer_loses_nothing(made):
    tokenizer = AutoTokenizer.from_pretrained(made / "trained")
    for text in (
        "def f(x):\n\treturn  x [ 0 ] , 'y' . z\n\n\n",
        " leading and trailing \r\n",
        "\N{SNOWMAN} \N{GREEK SMALL LETTER THETA}\x00\x7f",
        (made / "held_out.txt").read_text(encoding="utf-8"),
    ):
        ids = tokenizer(text)["input_ids"]
        assert tokenizer.decode(ids) == text
        assert tokenizer.eos_token_id not in ids


def test_the_initial_model_is_what_its_seed_makes(made):
    settings, *_ = lm.read_options([f"--output={made}", *SMALL])
    torch.rand(3)  # what was drawn before must not matter
    again = families.fresh_model(settings).state_dict()
    initial, trained = weights_in(made / "initial"), weights_in(made / "trained")
    assert equal(initial, again)
    assert not any(torch.equal(initial[name], trained[name]) for name in initial)


def test_the_loss_falls_and_the_report_says_so(made):
    report = json.loads((made / "training.json").read_text())
    held = report["held_out"]
    assert held["trained"] < held["initial"] - 0.3
    assert abs(held["initial"] - report["log_vocabulary"]) < 1  # knows nothing, or less
    curve = report["curve"]
    assert curve[-1]["loss"] < curve[0]["loss"] - 0.3
    assert curve[-1]["step"] == report["steps"] == 40
    assert curve[-1]["tokens"] == report["tokens"] == 40 * training.TOKENS_PER_STEP
    assert [len(report["heads"][name]) for name in ("trained", "initial")] == [4, 4]
    for name in ("python", "torch", "transformers", "tokenizers"):
        assert report["versions"][name]
    model = AutoModelForCausalLM.from_pretrained(made / "trained")
    tokenizer = AutoTokenizer.from_pretrained(made / "trained")
    text = (made / "held_out.txt").read_text(encoding="utf-8")
    ids = training.encode(tokenizer, [text])
    again = measures.held_out_loss(model, ids, 32)
    assert again == pytest.approx(held["trained"], abs=1e-5)


@pytest.mark.parametrize("family", list(families.FAMILIES))
def test_every_family_is_trained_and_measured(family, sources, tmp_path):
    options = [f"--output={tmp_path}", f"--sources={sources}", *SMALL, f"--family={family}"]
    assert lm.main([*options, "--steps=2"]) == 0
    config = AutoModelForCausalLM.from_pretrained(tmp_path / "trained").config
    assert config.model_type == family.replace("-", "_")
    kinds = head_kinds(str(tmp_path / "trained"), prompts=4, length=16)
    assert [(head.layer, head.head) for head in kinds.heads] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_quarter_of_a_head_has_to_be_planes(tmp_path, capsys):
    with pytest.raises(SystemExit):
        lm.main([f"--output={tmp_path}", "--family=gpt-neox", "--width=40", "--heads=4"])
    allowed = "--width: got 40, allowed: a multiple of 32, so that a quarter of each head is planes"
    assert allowed in capsys.readouterr().err


def test_the_same_steps_make_the_same_weights(made, sources, tmp_path, capsys):
    torch.rand(3)
    assert lm.main([f"--output={tmp_path}", f"--sources={sources}", *SMALL]) == 0
    assert equal(weights_in(made / "trained"), weights_in(tmp_path / "trained"))
    for name in ("held_out.txt", "trained/tokenizer.json"):
        assert (made / name).read_bytes() == (tmp_path / name).read_bytes()
    said = capsys.readouterr()  # no terminal: no progress bar, no control sequences
    assert not {"\r", "\x1b"} & set(said.out)
    assert said.err == ""


def test_what_is_trained_on_is_not_held_out(made, sources):
    text = corpus.read_corpus(sources)
    names = [source.name for source in text.train + text.held_out]
    assert len(names) == len(set(names)) == 40
    assert "zz_copy.py" not in names
    assert not any("test" in name or "_sysconfig" in name for name in names)
    assert text.held_out
    seen = {line for source in text.train for line in corpus.long_lines(source.text)}
    held = {line for source in text.held_out for line in corpus.long_lines(source.text)}
    assert text.shared_lines() == len(held & seen) / len(held) < 0.5
    report = json.loads((made / "training.json").read_text())
    assert report["text"]["held_out_files"] == [source.name for source in text.held_out]
    written = (made / "held_out.txt").read_text(encoding="utf-8")
    assert written == "\n".join(source.text for source in text.held_out)


def test_the_standard_library_is_text_enough():
    text = corpus.read_corpus(corpus.standard_library())
    held = sum(len(source.text) for source in text.held_out)
    total = held + sum(len(source.text) for source in text.train)
    assert total > 5_000_000
    assert held > 4 * 65_536  # about 3.2 characters make a token
    assert len(text.held_out) > 10
    assert text.shared_lines() < 0.25
    folders = {part for source in text.train for part in source.name.split("/")[:-1]}
    assert not folders & {"test", "tests", "idle_test", "site-packages", "dist-packages"}


def test_references_on_a_text_that_is_known():
    train = np.array([0, 1] * 500)
    held_out = np.array([0, 1] * 100 + [0])
    known = measures.ngram_references(train, held_out, 4)
    assert known.unigram_entropy == pytest.approx(np.log(2))
    assert known.bigram_entropy == pytest.approx(0, abs=1e-12)
    assert known.unigram_loss == pytest.approx(np.log(2), abs=5e-3)
    assert 0 < known.bigram_loss < 0.02
    uniform = np.random.default_rng(0).integers(0, 4, 20_000)
    drawn = measures.ngram_references(uniform[:10_000], uniform[10_000:], 4)
    for value in (drawn.unigram_entropy, drawn.bigram_entropy, drawn.bigram_loss):
        assert value == pytest.approx(np.log(4), abs=5e-3)


def test_a_copying_model_is_seen():
    """Logits that name the token which came next in the first copy: the second half costs 0."""

    class Copying:
        config = type("Config", (), {"vocab_size": 50})

        def __call__(self, input_ids, use_cache):
            ahead = torch.roll(input_ids, input_ids.shape[1] // 2 - 1, 1)
            logits = 40.0 * torch.nn.functional.one_hot(ahead, 50)
            logits[:, : input_ids.shape[1] // 2] = 0.0
            return type("Output", (), {"logits": logits})

    first, second = measures.repeated_random_loss(Copying(), 64)
    assert first == pytest.approx(np.log(50))
    assert second < 1e-6


def test_scores_of_the_heads_are_means_of_their_weights(made):
    model = AutoModelForCausalLM.from_pretrained(made / "trained")
    tokens = np.arange(64) % 300
    heads = measures.head_scores(model, tokens, 32, windows=2)
    assert [(h.layer, h.head) for h in heads] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    model.set_attn_implementation("eager")
    with torch.no_grad():
        found = model(torch.from_numpy(tokens).view(2, 32), output_attentions=True).attentions
    for head in heads:
        matrices = found[head.layer][:, head.head].double()
        mean = np.mean([np.diagonal(matrix, -1).mean() for matrix in matrices])
        assert head.previous_token == pytest.approx(mean, abs=1e-6)


def test_every_epoch_reads_every_token_once():
    tokens = np.arange(103)
    batches = training._Batches(tokens, 10, seed=0)
    for _ in range(3):
        read = np.concatenate([batches.next(3).numpy() for _ in range(3)]).ravel()
        assert len(set(read.tolist())) == len(read) == 90
        batches.starts = []


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--steps=0", "--steps: got 0, allowed: 1 to 1000000000"),
        ("--minutes=nan", "--minutes: got nan, allowed: more than 0, at most 10000"),
        ("--minutes=0", "--minutes: got 0.0, allowed: more than 0, at most 10000"),
        ("--length=8", "--length: got 8, allowed: 16 to 8192"),
        ("--layers=0", "--layers: got 0, allowed: 1 to 64"),
        ("--heads=0", "--heads: got 0, allowed: 1 to 128"),
        ("--heads=3", "--width: got 128, allowed: a multiple of 6, so that each of the heads"),
        ("--width=-8", "--width: got -8, allowed: 8 to 8192"),
        ("--vocabulary=256", "--vocabulary: got 256, allowed: 257 to 60000"),
        ("--seed=-1", "--seed: got -1, allowed: 0 to 4294967295"),
        ("--threads=0", "--threads: got 0, allowed: 1 to 1024"),
        ("--seed=a", "argument --seed: invalid int value: 'a'"),
        ("--sources=/nowhere", "--sources: got '/nowhere', allowed: a folder of Python files"),
    ],
)
def test_bad_options_are_one_line(option, message, tmp_path, capsys):
    output = tmp_path / "new"
    try:
        status = lm.main([f"--output={output}", option])
    except SystemExit as end:
        status = end.code
    said = capsys.readouterr()
    assert status == 2
    assert message in said.err
    assert said.err.startswith("train_small_lm.py: ")
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert not output.exists()


def test_text_that_is_too_short_is_one_line(sources, tmp_path, capsys):
    output = tmp_path / "new"
    for option, message in (
        ("--length=8192", "--length: got 8192, allowed: at most"),
        ("--vocabulary=20000", "--vocabulary: got 20000, allowed: at most"),
    ):
        options = [f"--output={output}", f"--sources={sources}", *SMALL, option]
        assert lm.main(options) == 2
        assert message in capsys.readouterr().err
        assert not output.exists()


def test_steps_and_minutes_exclude_each_other(tmp_path, capsys):
    with pytest.raises(SystemExit):
        lm.main([f"--output={tmp_path}", "--steps=3", "--minutes=2"])
    assert "not allowed with argument" in capsys.readouterr().err


def test_an_interrupt_leaves_what_was_there(sources, tmp_path, monkeypatch, capsys):
    old = tmp_path / "trained"
    old.mkdir()
    (old / "kept").write_text("as it was")

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(lm, "train", interrupt)
    assert lm.main([f"--output={tmp_path}", f"--sources={sources}", *SMALL]) == 130
    assert "interrupted, nothing written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["trained"]
    assert (old / "kept").read_text() == "as it was"
    fresh = tmp_path / "trained" / "deeper" / "folder"
    assert lm.main([f"--output={fresh}", f"--sources={sources}", *SMALL]) == 130
    assert not fresh.parent.exists()


def test_a_failure_while_moving_is_undone(sources, tmp_path, monkeypatch):
    (tmp_path / "trained").mkdir()
    (tmp_path / "trained" / "kept").write_text("as it was")
    with pytest.raises(FileNotFoundError), lm.all_or_nothing(tmp_path, lm.NAMES) as work:
        (work / "trained").mkdir()  # and nothing else: the second name is missing
    assert [path.name for path in tmp_path.iterdir()] == ["trained"]
    assert (tmp_path / "trained" / "kept").read_text() == "as it was"


def test_an_output_that_cannot_be_written_is_one_line(sources, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    output = tmp_path / "file" / "below"
    assert lm.main([f"--output={output}", f"--sources={sources}", *SMALL]) == 2
    said = capsys.readouterr().err
    assert "--output: got" in said
    assert "a folder that can be written to (Not a directory)" in said
    assert said.count("\n") == 1


def test_a_loss_that_is_no_number_ends_the_run(sources, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(training.Settings, "rate", float("inf"))
    output = tmp_path / "new"
    assert lm.main([f"--output={output}", f"--sources={sources}", *SMALL]) == 1
    assert "the loss is not finite at step" in capsys.readouterr().err
    assert not output.exists()


def test_an_older_result_is_replaced(sources, made, tmp_path):
    (tmp_path / "trained").mkdir()
    (tmp_path / "trained" / "old").write_text("")
    short = [*SMALL, "--steps=2", "--seed=1"]
    assert lm.main([f"--output={tmp_path}", f"--sources={sources}", *short]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(lm.NAMES)
    assert not (tmp_path / "trained" / "old").exists()
    assert not equal(weights_in(tmp_path / "initial"), weights_in(made / "initial"))


def test_the_clock_ends_a_training_with_minutes(sources, tmp_path):
    options = [option for option in SMALL if not option.startswith("--steps")]
    options += ["--minutes=0.002", f"--output={tmp_path}", f"--sources={sources}"]
    assert lm.main(options) == 0
    report = json.loads((tmp_path / "training.json").read_text())
    assert report["seconds"] >= 0.12
    assert report["steps"] >= 1
