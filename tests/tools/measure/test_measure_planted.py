"""Heads that were put into models: found by the measurement, with their constants and guarantees."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import transformers

from ropeproof.constructions import build_model, compose, export_network, slash_head
from ropeproof.numerics.bounds.rope.rope import amplitude
from ropeproof.numerics.bounds.slash.null import null_bound
from ropeproof.numerics.models import capture_heads
from ropeproof.numerics.task import letter_task, number_task
from ropeproof.theory.rotary.spec import Linear, RopeSpec
from ropeproof.tools.measure import HeadVectors, MeasureOptions, measure_head, measure_model
from ropeproof.tools.measure.verdicts import judge

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

LENGTH = 48
SCORE = 0.9
FAMILIES = {
    "llama": RopeSpec(32, 10000),
    "gpt_neox": RopeSpec(32, 10000, rotary_dim=24),
    "gptj": RopeSpec(32, 10000, rotary_dim=24, layout="interleaved"),
}


def vectors_of(model, tokens, *, prompt="text", layer=0, head=0):
    """One head of a model on one prompt, from the model's own forward pass."""
    found = capture_heads(model, torch.tensor(np.asarray(tokens)[np.newaxis]))
    return HeadVectors(
        queries=found.queries[0, layer, head].double().numpy(),
        keys=found.keys[0, layer, head // found.groups].double().numpy(),
        tokens=np.asarray(tokens, dtype=np.int64),
        spec=RopeSpec.from_config(model.config),
        scale=found.scale,
        soft_cap=found.soft_cap,
        layer=layer,
        head=head,
        key_head=head // found.groups,
        first=layer == 0,
        prompt=prompt,
    )


def judged(vectors, **options):
    measure = measure_head(vectors, MeasureOptions(**options))
    verdicts = judge(vectors, measure)
    assert [v for v in verdicts if not v.consistent] == []
    return measure, verdicts


def only(verdicts, claim, about=""):
    (found,) = (v for v in verdicts if v.claim == claim and about in v.about)
    return found


def guaranteed(verdicts, claim, about=""):
    """The bound of a verdict that has to be guaranteed."""
    found = only(verdicts, claim, about)
    assert found.verdict == "guaranteed", (claim, about, found)
    return found.guaranteed.value


def random_tokens(vocabulary, length, seed=0):
    return np.random.default_rng(seed).integers(0, vocabulary, length)


# --- slash heads ---------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[("llama", 1), ("llama", 5), ("gpt_neox", 2), ("gptj", 1)])
def planted(request):
    family, offset = request.param
    head = slash_head(FAMILIES[family], offset, LENGTH, SCORE)
    return head, build_model(family, head)


@pytest.mark.parametrize("prompt", ["text", "random"])
def test_a_slash_head_is_found_with_its_amplitude_margin_and_score(planted, prompt):
    head, model = planted
    tokens = random_tokens(len(head.embeddings), LENGTH)
    if prompt == "text":  # long stretches of one token
        tokens = np.sort(tokens)
    measure, verdicts = judged(vectors_of(model, tokens, prompt=prompt))
    offset, planned = head.offset, head.certificate.quantities
    assert measure.largest == offset
    assert offset in measure.dominant
    bars = [side[:, 0] for side in (head.w_q, head.w_k)]
    wanted = float(amplitude(*bars, head.spec))
    # The means over the prompt's tokens have a part of their leak, a tenth of the margin in all.
    assert measure.amplitudes.sum() == pytest.approx(wanted, rel=0.05)
    emergence = only(verdicts, "slash.emergence", f"lag {offset},")
    by = {c.name: c for c in emergence.hypotheses}
    left = by["margin of the mean logit"].measured - 2 * measure.eta
    assert left == pytest.approx(planned["margin"], rel=0.1)
    assert guaranteed(verdicts, "slash.emergence", f"lag {offset},") > 0.85
    assert emergence.observed >= SCORE
    assert guaranteed(verdicts, "slash.sandwich", f"lag {offset}, from below") > SCORE
    rows = guaranteed(verdicts, "slash.row-sandwich", f"lag {offset}, from below")
    assert rows > SCORE
    # Amplitudes of the slash game: the margin is nearly the best that this amplitude can buy.
    game = only(verdicts, "slash.game-one-sided", f"lag {offset}")
    assert game.observed >= 0.8 * guaranteed(verdicts, "slash.game-one-sided", f"lag {offset}")
    needed = guaranteed(verdicts, "slash.amplitude-needed", f"lag {offset}")
    assert 0.4 * measure.amplitudes.sum() < needed <= measure.amplitudes.sum()
    for side in ("queries", "keys"):
        assert guaranteed(verdicts, "slash.cone", f"r1 of {side}") > 0.99
        assert guaranteed(verdicts, "slash.cone", f"r095 of {side}") == 1


def test_no_positions_would_not_do(planted):
    """On random tokens its score is far above the null, which planes that turn keep it from."""
    head, model = planted
    tokens = random_tokens(len(head.embeddings), LENGTH, seed=1)
    _, verdicts = judged(vectors_of(model, tokens, prompt="random"))
    null = only(verdicts, "slash.null", f"lag {head.offset}")
    assert null.verdict == "out of scope"
    (failed,) = (c for c in null.hypotheses if not c.met)
    assert failed.name == "amplitude of planes that turn"
    assert null.observed > 10 * null_bound(LENGTH, head.offset).upper


def test_logits_of_a_slash_head_are_additive(planted):
    head, model = planted
    tokens = random_tokens(len(head.embeddings), LENGTH, seed=2)
    _, verdicts = judged(vectors_of(model, tokens))
    for claim in ("posgen.two-axis", "posgen.three-axis"):
        assert guaranteed(verdicts, "posgen.pearson", f"{claim}, by the bound") > 0.99
        guaranteed(verdicts, claim, "largest")
        guaranteed(verdicts, claim, "root mean square")


def test_a_head_beside_it_that_reads_nothing_is_not_taken_for_one():
    head = slash_head(FAMILIES["llama"], 2, LENGTH, SCORE)
    model = build_model("llama", head, head_index=3)
    tokens = random_tokens(len(head.embeddings), LENGTH)
    measure, verdicts = judged(vectors_of(model, tokens, prompt="random", head=0), threshold=0.5)
    assert measure.dominant == ()
    lag = measure.largest
    emergence = only(verdicts, "slash.emergence", f"lag {lag},")
    assert emergence.verdict == "out of scope"
    # Weights of 0 do not turn either: the null holds, and uniform attention keeps it.
    assert only(verdicts, "slash.null", f"lag {lag}").verdict == "guaranteed"
    measure, verdicts = judged(vectors_of(model, tokens, head=3))
    assert measure.largest == 2
    assert guaranteed(verdicts, "slash.emergence", "lag 2,") > 0.85


def test_under_grouped_queries_the_head_that_shares_the_keys_is_told_apart():
    head = slash_head(FAMILIES["llama"], 1, LENGTH, SCORE)
    model = build_model("llama", head, key_heads=1, head_index=1)
    with torch.no_grad():
        # The other query head of the group asks at random, of the same keys.
        weight = model.model.layers[0].self_attn.q_proj.weight
        weight[:32] = torch.randn(32, weight.shape[1], generator=torch.Generator().manual_seed(0))
    tokens = random_tokens(len(head.embeddings), LENGTH)
    _, verdicts = judged(vectors_of(model, tokens, head=1))
    assert guaranteed(verdicts, "slash.emergence", "lag 1,") > 0.85
    measure, verdicts = judged(vectors_of(model, tokens, head=0))
    cone = only(verdicts, "slash.cone", "r1 of queries")
    assert cone.verdict == "out of scope"
    assert guaranteed(verdicts, "slash.cone", "r1 of keys") > 0.99
    found = only(verdicts, "slash.emergence", f"lag {measure.largest},")
    assert found.verdict == "out of scope"


def test_noise_on_the_weights_is_what_fails():
    """More and more noise in the query weights: the guarantee goes, and says why."""
    head = slash_head(FAMILIES["llama"], 1, LENGTH, SCORE)
    tokens = random_tokens(len(head.embeddings), LENGTH)
    bounds = []
    for size in (0.0, 0.05, 1.0):
        model = build_model("llama", head)
        weight = model.model.layers[0].self_attn.q_proj.weight
        with torch.no_grad():
            noise = torch.randn(32, weight.shape[1], generator=torch.Generator().manual_seed(0))
            weight[:32] += size * noise * weight[:32].norm() / noise.norm()
        _, verdicts = judged(vectors_of(model, tokens))
        bounds.append(only(verdicts, "slash.sandwich", "lag 1, from below").guaranteed.value)
        emergence = only(verdicts, "slash.emergence", "lag 1,")
    assert bounds[0] > bounds[1] > bounds[2]
    assert emergence.verdict == "out of scope"
    failed = {c.name: c.by for c in emergence.hypotheses if not c.met}
    assert failed["|q_i - mean| over |mean|, largest"] < 0


# --- index and retrieval heads -------------------------------------------------------------------

NUMBER = {"hops": 2, "length": 17, "letters": 8, "integers": 16}


@pytest.mark.parametrize("kind", ["one", "several"])
def test_an_index_head_is_found_with_its_margin(kind):
    # Position interpolation by 3 makes the fastest plane's angle 1/3: 17 positions are one turn.
    spec = RopeSpec(32, 10000, scaling=Linear(3)) if kind == "one" else RopeSpec(32, 10000)
    network = compose("number", **NUMBER, planes=kind, spec=spec)
    model = export_network(network, "llama")
    data = number_task(6, seed=0, letters=8, integers=16, hops=range(1, 3))
    for tokens in data.tokens:
        measure, verdicts = judged(vectors_of(model, tokens))
        margin = network.heads[0].certificate.quantities["margin"]
        assert measure.purity == "positional"
        assert measure.fit.epsilon_key < 1e-4
        assert guaranteed(verdicts, "softmax.perturb", "mean key's") == 1.0
        weight = guaranteed(
            verdicts, "slash.row-sandwich", "mean key's logit is largest, from below"
        )
        assert weight > 0.999
        found = only(verdicts, "index.margin", "at least")
        # The certified margin is the worst over all inputs.
        assert found.observed >= margin * (1 - 1e-3)
        if kind == "one":
            # The model computes in float32, and one norm's epsilon is in every vector.
            bound = guaranteed(verdicts, "index.margin", "at least")
            assert bound == pytest.approx(found.observed, rel=1e-3)
            guaranteed(verdicts, "index.margin", "at most")
        else:
            assert found.verdict == "out of scope"
            assert found.hypotheses[0].by < 0
        assert guaranteed(verdicts, "head.constant-key-positional") < 0.1
        assert only(verdicts, "retrieval.margin").verdict == "out of scope"


@pytest.mark.parametrize("kind", ["one", "several"])
def test_a_retrieval_head_is_found_with_its_margin(kind):
    unrotated = RopeSpec(160, 10000, rotary_dim=32, layout="interleaved")
    spec = unrotated if kind == "one" else RopeSpec(32, 10000)
    network = compose("letter", hops=2, length=17, letters=8, digits=8, planes=kind, spec=spec)
    model = export_network(network, "gptj" if kind == "one" else "llama")
    data = letter_task(6, seed=0, letters=8, digits=8, hops=range(1, 3))
    for tokens in data.tokens:
        measure, verdicts = judged(vectors_of(model, tokens))
        margin = network.heads[0].certificate.quantities["margin"]
        assert guaranteed(verdicts, "softmax.perturb", "contents") == 1.0
        found = only(verdicts, "retrieval.margin")
        if kind == "one":
            bound = guaranteed(verdicts, "retrieval.margin")
            assert bound <= found.observed * (1 + 1e-9)
            assert bound == pytest.approx(margin, rel=1e-2)
            assert measure.purity == "symbolic"
            assert guaranteed(verdicts, "head.nope-symbolic") == 0.0
        else:
            assert found.verdict == "out of scope"
            assert guaranteed(verdicts, "head.nope-symbolic") < 1.0
        assert only(verdicts, "index.margin", "at least").verdict == "out of scope"


def test_a_retrieval_head_on_random_tokens_keeps_the_null():
    spec = RopeSpec(160, 10000, rotary_dim=32, layout="interleaved")
    network = compose("letter", hops=1, length=60, letters=8, digits=8, planes="one", spec=spec)
    model = export_network(network, "gptj")
    tokens = random_tokens(network.plan.tokens, 60)
    measure, verdicts = judged(vectors_of(model, tokens, prompt="random"))
    null = only(verdicts, "slash.null", f"lag {measure.largest}")
    assert null.verdict == "guaranteed"
    assert null.guaranteed.value == pytest.approx(null_bound(60, measure.largest).upper)


def test_the_measurement_of_a_model_carries_the_verdicts():
    head = slash_head(FAMILIES["llama"], 1, LENGTH, SCORE)
    model = build_model("llama", head)
    tokens = random_tokens(len(head.embeddings), LENGTH)
    report = measure_model(model, {"random": tokens}, RopeSpec.from_config(model.config))
    verdicts = report["heads"][0]["verdicts"]
    assert all(v["consistent"] and v["prompt"] == "random" for v in verdicts)
    (emergence,) = (
        v for v in verdicts if v["claim"] == "slash.emergence" and "lag 1," in v["about"]
    )
    assert emergence["verdict"] == "guaranteed"
    assert emergence["guaranteed"]["value"] <= emergence["observed"]
