"""Heads with additive fits in the place of their logits: by definition, controls, plan and record."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import replace_logits as command  # noqa: E402
from additive_heads import conditions, fits, plan, replaced, summary  # noqa: E402
from predicted import held_against, read_predictions, table_of  # noqa: E402
from released.subject import Subject, heads_on  # noqa: E402

from ropeproof.numerics.bounds.perturbation import token_losses, uniform_moves  # noqa: E402
from ropeproof.numerics.bounds.posgen import additive_fits  # noqa: E402
from ropeproof.numerics.core.spec import logits  # noqa: E402
from ropeproof.theory.errors import InvalidArgument  # noqa: E402
from ropeproof.theory.rotary.spec import RopeSpec  # noqa: E402

LENGTH = 24


@pytest.fixture(scope="module")
def tiny():
    """Two layers of four heads, two of them sharing their keys, and a text of random tokens."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "initializer_range": 0.3}
    model = LlamaForCausalLM(
        LlamaConfig(vocab_size=40, max_position_embeddings=64, **sizes, **heads)
    ).eval()
    text = torch.from_numpy(np.random.default_rng(0).integers(40, size=4_000))
    return Subject(model, RopeSpec.from_config(model.config), text, {"model": "tiny"})


@pytest.fixture(scope="module")
def found(tiny):
    return fits.with_means(tiny, tiny.prompts(2, LENGTH))


def heads_of(tiny, tokens):
    seen = {}
    heads_on(tiny, tokens, lambda head: seen.update({(head.layer, head.head): head}))
    return seen


def output_of(tiny, tokens, **options):
    """The output of the first layer's attention on one prompt, `(length, width)`."""
    seen = []
    attention = tiny.model.model.layers[0].self_attn
    hook = attention.register_forward_hook(lambda _m, _a, output: seen.append(output[0][0]))
    token_losses(tiny.model, tokens[None], **options)
    hook.remove()
    return seen[0].double().detach().numpy()


def expected_output(tiny, tokens, table):
    """The same output from the logits of every head, `(heads, length, length)`."""
    attention = tiny.model.model.layers[0].self_attn
    with torch.no_grad():
        x = tiny.model.model.layers[0].input_layernorm(tiny.model.model.embed_tokens(tokens))
        values = attention.v_proj(x).view(len(tokens), 2, 8).double().numpy()
    table = np.where(np.tri(len(tokens), dtype=bool), table, -np.inf)
    weights = np.exp(table - table.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    mixed = np.stack([weights[head] @ values[:, head // 2] for head in range(4)], 1)
    return mixed.reshape(len(tokens), -1) @ attention.o_proj.weight.double().detach().numpy().T


def by_definition(tiny, found, head, places, axes):
    """The logits of a fit, from mean vectors and the mean of rotated products over the window."""
    query, key = (side[0, head.head].double().numpy() for side in (found.queries, found.keys))
    left = head.queries if axes == 2 else np.tile(query, (len(places), 1))
    term = logits(left, np.tile(key, (len(places), 1)), places, places, tiny.spec)
    content = np.mean(
        [
            logits(left, head.keys - key, np.full(len(left), lag), np.zeros(len(left)), tiny.spec)
            for lag in range(LENGTH)
        ],
        0,
    )
    return term + content


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("kind", replaced.KINDS)
def test_replaced_logits_are_those_of_the_definition(tiny, found, kind, moved):
    tokens = tiny.prompts(3, LENGTH)[1]
    moves = uniform_moves(LENGTH, 3) if moved else np.zeros(LENGTH, dtype=int)
    places = np.arange(LENGTH) + moves - moves.min()
    heads = [heads_of(tiny, tokens)[0, number] for number in range(4)]
    own = np.stack([logits(h.queries, h.keys, places, places, tiny.spec) for h in heads])
    two, three = (
        np.stack([by_definition(tiny, found, h, places, axes) for h in heads]) for axes in (2, 3)
    )
    halves = fits.HeadFits(found.queries, found.keys, found.phasors, 0.5 * found.kept)
    other = {
        "two axes": two,
        "three axes": three,
        "residual doubled": 2 * own - two,
        "planes dropped": 0.5 * own,
        "another head's fit": np.roll(two, -1, 0),
    }[kind]
    chosen = [0, 3]
    own[chosen] = other[chosen]
    with replaced.replaced_heads(tiny.model, halves, {0: chosen}, kind):
        seen = output_of(tiny, tokens, moves=moves if moved else None)
    assert seen == pytest.approx(expected_output(tiny, tokens, own), abs=2e-4)


def test_no_chosen_head_leaves_the_model_as_it_was(tiny, found):
    tokens = tiny.prompts(1, LENGTH)
    before = token_losses(tiny.model, tokens)
    name = tiny.model.config._attn_implementation
    with replaced.replaced_heads(tiny.model, found, {}, "two axes"):
        assert token_losses(tiny.model, tokens) == pytest.approx(before, abs=1e-4)
    with replaced.replaced_heads(tiny.model, found, {0: [0, 1, 2, 3]}, "two axes"):
        assert abs(token_losses(tiny.model, tokens) - before).max() > 1e-3
    assert tiny.model.config._attn_implementation == name
    assert (token_losses(tiny.model, tokens) == before).all()
    with (
        pytest.raises(ValueError, match="four axes"),
        replaced.replaced_heads(tiny.model, found, {}, "four axes"),
    ):
        pass


def test_errors_plane_by_plane_are_those_of_the_whole_logits(tiny, found):
    prompt = tiny.prompts(3, LENGTH)[2:]
    errors = fits.plane_errors(tiny, found, prompt)
    below, places = np.tri(LENGTH), np.arange(LENGTH)

    def size(table):
        rows = table - (table * below).sum(1, keepdims=True) / below.sum(1, keepdims=True)
        return (rows**2 * below).sum() / below.sum()

    for number in range(4):
        head = heads_of(tiny, prompt[0])[0, number]
        own = logits(head.queries, head.keys, places, places, tiny.spec)
        moments = errors[0, number]
        assert moments.logits.sum() == pytest.approx(size(own), rel=1e-4)
        for axes, left in ((2, moments.two), (3, moments.three)):
            fit = by_definition(tiny, found, head, places, axes)
            assert left.sum() == pytest.approx(size(own - fit), rel=1e-3)
            assert moments.r_squared(axes) == pytest.approx(
                1 - size(own - fit) / size(own), abs=1e-3
            )
        factors = fits.planes_kept(moments)
        assert ((factors >= 0) & (factors <= 1)).all()
        gone = 1 - factors
        if factors.any():  # the error of the fit, exactly
            assert gone @ moments.logits @ gone == pytest.approx(moments.two.sum(), rel=1e-6)


def test_fixed_fits_are_no_better_than_those_of_the_very_prompt(tiny):
    """Means of the very prompt give the fit with two axes of `posgen`; three are below least squares."""
    prompt = tiny.prompts(1, LENGTH)
    own = fits.with_means(tiny, prompt)
    errors = fits.plane_errors(tiny, own, prompt)
    for number in range(4):
        head = heads_of(tiny, prompt[0])[0, number]
        table = {
            (fit.kind, fit.centred): fit.r_squared
            for fit in additive_fits(head.queries, head.keys, tiny.spec)
        }
        moments = errors[0, number]
        assert moments.r_squared(2) == pytest.approx(table["optimal", True], abs=1e-3)
        assert moments.r_squared(3) <= table["three-axis", True] + 1e-3


def test_shares_grow_and_keep_their_heads(tiny, found):
    errors = fits.plane_errors(tiny, found, tiny.prompts(1, LENGTH))
    orders = plan.orders_of(errors, 2)
    first = orders["two axes", plan.FIRST]
    assert [errors[place].r_squared(2) for place in first] == sorted(
        (each.r_squared(2) for each in errors.values()), reverse=True
    )
    assert orders["three axes", "random 0"] != orders["three axes", "random 1"]
    half, whole = (plan.chosen_heads(first, share) for share in (0.5, 1))
    assert sum(map(len, half.values())) == 4
    assert whole == {0: [0, 1, 2, 3], 1: [0, 1, 2, 3]}
    names = [one.name for one in plan.replacements(command.DEFAULT)]
    assert len(names) == len(set(names)) == 14


def test_conditions_compare_the_same_predictions(tiny):
    settings = command.DEFAULT | {"gap": 40}
    prompts = tiny.prompts(2, LENGTH)
    seen = conditions.losses_under(tiny.model, prompts, settings, 1)
    assert not np.isnan(seen["plain"]).any()
    assert np.isnan(seen["gap"]).tolist() == [True] * 11 + [False] * 12
    still = ~np.isnan(seen["swapped"])
    assert 0 < still.sum() < 23
    rows = conditions.compared({name: each[None] for name, each in seen.items()})
    added = (seen["swapped"] - seen["plain"])[still].mean()
    assert rows["swapped"] == [pytest.approx(added)]


def test_a_record_answers_every_prediction(tiny, tmp_path, capsys, monkeypatch):
    few = {"length": 16, "prompts": 2, "fitted on": 1, "ordered on": 1, "longer": 32}
    monkeypatch.setattr(command, "DEFAULT", command.DEFAULT | few)
    found = command.write(tiny, tmp_path, quick=False)
    assert json.loads((tmp_path / "additive_heads.json").read_text())["settings"]["prompts"] == 2
    rows = found["predictions"]["rows"]
    assert len(rows) == len(read_predictions(command.PREDICTIONS))
    assert all(row["same"] in (True, False) for row in rows)
    assert f"of {len(rows)} as predicted" in capsys.readouterr().out
    own = found["rows"]["unchanged"]
    assert own["plain"]["mean"] == own["moved"]["excess"]["mean"] == 0
    assert own["moved"]["kept"] == 1
    run, control = (found["runs"][f"{kind}, all"] for kind in ("two axes", "planes dropped"))
    contrast = found["fit less control"]["planes dropped, all"]["gap"]
    assert contrast["mean"] == pytest.approx(np.mean(run["gap"]) - np.mean(control["gap"]))
    assert contrast["n"] == 2
    assert summary.rows_of(found["unchanged"], {}).keys() == {"unchanged"}


def test_predictions_are_held_against_numbers(tmp_path):
    path = tmp_path / "said.toml"
    path.write_text(
        '[[prediction]]\nsays = "a"\nquantity = "x"\nleast = 0\nmost = 1\n'
        '[[prediction]]\nsays = "b"\nquantity = "x"\nmost = 0.5\n'
        '[[prediction]]\nsays = "c"\nquantity = "y"\nleast = 0\n'
    )
    found = held_against(path, {"x": 1.0, "y": None})
    assert [row["same"] for row in found["rows"]] == [True, False, None]
    caption = table_of(found["rows"], title="predictions").caption
    assert caption == "1 of 3 as predicted, 1 not, 1 not asked"
    with pytest.raises(InvalidArgument, match="y"):
        held_against(path, {"x": 1.0})
    path.write_text('[[prediction]]\nsays = "a"\nquantity = "x"\n')
    with pytest.raises(InvalidArgument, match="least or most"):
        held_against(path, {"x": 1.0})


def test_an_output_that_is_a_file_is_refused(tmp_path, capsys):
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(SystemExit):
        command.main(["--output", str(path)])
    assert "a folder" in capsys.readouterr().err
