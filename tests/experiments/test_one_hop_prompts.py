"""One-hop prompts: their answers, what a model is credited with, and how heads read the window."""

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import one_hop_prompts as command  # noqa: E402
from one_hop import record  # noqa: E402
from one_hop.answers import Spelling, answered, common_prefix  # noqa: E402
from one_hop.heads import LOOKS, heads_on  # noqa: E402
from one_hop.prompts import DIGITS, LETTERS, STYLES, TASKS, drawn, prompt_of  # noqa: E402
from predicted import Prediction, compared, read_predictions  # noqa: E402

from ropeproof.numerics.bounds.head.scores import vector_scores  # noqa: E402
from ropeproof.numerics.models.visit import visit_layers  # noqa: E402
from ropeproof.proofs_check.site.pictures.recorded import one_hop as pictures  # noqa: E402
from ropeproof.theory.errors import InvalidArgument  # noqa: E402
from ropeproof.theory.rotary.spec import RopeSpec  # noqa: E402

TEMPLATE = (
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>\n{% endif %}"
)


def byte_tokenizer(*, chat: bool) -> PreTrainedTokenizerFast:
    """A tokenizer of bytes, with a space and a letter as one token, as large vocabularies have them."""
    spaced = [f"Ġ{letter}" for letter in LETTERS]
    words = {
        word: at for at, word in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()) + spaced)
    }
    bpe = Tokenizer(models.BPE(vocab=words, merges=[("Ġ", letter) for letter in LETTERS]))
    digits, level = pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.pre_tokenizer = pre_tokenizers.Sequence([digits, level])
    bpe.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=bpe, chat_template=TEMPLATE if chat else None)


@pytest.fixture(scope="module")
def tokenizer():
    return byte_tokenizer(chat=True)


@pytest.fixture(scope="module")
def tiny():
    """Two layers of four heads, two of them sharing their keys, with logits that are not all equal."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 300}
    model = LlamaForCausalLM(LlamaConfig(max_position_embeddings=2048, **sizes, **heads)).eval()
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.q_proj.weight *= 40
            layer.self_attn.k_proj.weight *= 40
    return model


@pytest.mark.parametrize("size", [1, 2, 12, 300])
def test_a_sequence_has_the_answer_that_its_query_asks_for(size):
    random = np.random.default_rng(size)
    for _ in range(50):
        one = drawn("number", size, random)
        words = one.text.split(" ")
        assert len(words) == size + 1
        assert words[-1 - int(words[-1])] == one.answer
        one = drawn("letter", size, random)
        *window, query = one.text.split(" ")
        assert [word for word in window if word[0] == query[1]] == [one.answer]
        assert query[0] != query[1]
        assert all(word[1] in DIGITS for word in window)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("chat", [True, False])
def test_the_window_of_a_prompt_is_where_its_tokens_are(style, task, chat):
    coder = byte_tokenizer(chat=chat)
    for seed in range(8):
        prompt = prompt_of(coder, style, task, 60, np.random.default_rng(seed))
        last = prompt.first + prompt.block * prompt.elements
        words = coder.decode(prompt.tokens[prompt.first : last]).split()
        assert len(words) == prompt.elements
        assert words[prompt.place] == prompt.answer
        text = coder.decode(prompt.tokens)
        query = coder.decode(prompt.tokens[last:]).split()[0].strip('":')
        if task == "number":
            assert prompt.block == 1
            assert words[-int(query)] == prompt.answer
        else:
            assert prompt.block == 2
            assert query[1] == prompt.answer[0]
        if style == "instructed":
            assert prompt.elements == 60
            assert text.count("Example") == 3
            assert text.endswith("<assistant>\n" if chat else "Output:")


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("size", [24, 60, 61, 300])
def test_a_bare_prompt_fills_its_number_of_tokens(task, size, tokenizer):
    for seed in range(8):
        prompt = prompt_of(tokenizer, "bare", task, size, np.random.default_rng(seed))
        assert size - 4 < len(prompt.tokens) <= size
        assert tokenizer.decode(prompt.tokens).count("\n") == (1 if size < 60 else 3)


def test_what_no_prompt_can_be_made_of_is_named(tokenizer):
    random = np.random.default_rng(0)
    with pytest.raises(InvalidArgument, match="room for an element"):
        prompt_of(tokenizer, "bare", "number", 5, random)
    with pytest.raises(InvalidArgument, match="style"):
        prompt_of(tokenizer, "chatty", "number", 5, random)
    with pytest.raises(InvalidArgument, match="task"):
        drawn("copy", 5, random)
    with pytest.raises(InvalidArgument, match="size"):
        drawn("letter", 0, random)


class Told(torch.nn.Module):
    """A model that says what it is told: `says[tokens]` is the likeliest token after them."""

    def __init__(self, model, says):
        super().__init__()
        self.model, self.says, self.seen = model, says, []

    def forward(self, input_ids, past_key_values=None, **options):
        found = self.model(input_ids=input_ids, past_key_values=past_key_values, **options)
        before = self.seen if past_key_values is not None else [()] * len(input_ids)
        if len(before) != len(input_ids):
            before = self.start * len(input_ids)
        self.seen = [
            (*b, *row) for b, row in zip(before, map(tuple, input_ids.tolist()), strict=True)
        ]
        if past_key_values is None:
            self.start = self.seen
        for row, tokens in enumerate(self.seen):
            if tokens in self.says:
                found.logits[row, -1, self.says[tokens]] = 1e4
        return found


@pytest.mark.parametrize("spaced", [True, False])
@pytest.mark.parametrize("task", TASKS)
def test_a_model_is_credited_with_what_it_says(task, spaced, tiny, tokenizer):
    spelling = Spelling.of(tokenizer, spaced=spaced)
    random = np.random.default_rng(3)
    prompts = [prompt_of(tokenizer, "bare", task, 40, random) for _ in range(4)]
    right, wrong, silent, other = prompts
    noise = tokenizer("#", add_special_tokens=False)["input_ids"][0]
    says = {}
    for prompt in (right, other):
        # The other one spells the letter in the other way.
        ours = (
            spelling.answers if prompt is right else (spelling.bare if spaced else spelling.spaced)
        )
        letter = ours[prompt.answer[0]]
        says[prompt.tokens] = letter
        if task == "letter":
            says[(*prompt.tokens, letter)] = spelling.bare[prompt.answer[1]]
    unlike = next(sign for sign in LETTERS if sign != wrong.answer[0])
    says[wrong.tokens] = spelling.answers[unlike]
    says[silent.tokens] = noise
    if task == "letter":
        digit = next(sign for sign in DIGITS if sign != silent.answer[1])
        says[(*silent.tokens, spelling.answers[silent.answer[0]])] = spelling.bare[digit]
    found = answered(Told(tiny, says), prompts, spelling)
    assert [each.right for each in found] == [True, False, False, True]
    assert [found[0].chosen, found[3].chosen] == [True, True]
    assert not (found[1] if task == "number" else found[2]).chosen


def test_answers_do_not_depend_on_what_is_run_together(tiny, tokenizer):
    spelling = Spelling.of(tokenizer, spaced=True)
    random = np.random.default_rng(0)
    for task in TASKS:
        prompts = [prompt_of(tokenizer, "bare", task, 60, random) for _ in range(12)]
        alone = [answered(tiny, [prompt], spelling)[0] for prompt in prompts]
        assert answered(tiny, prompts, spelling) == alone
        for prompt, seen in zip(prompts, alone, strict=True):
            if task == "number":
                with torch.no_grad():
                    logits = tiny(torch.tensor([prompt.tokens])).logits[0, -1]
                said = int(logits.argmax())
                own = {spelling.bare[prompt.answer], spelling.spaced[prompt.answer]}
                assert seen.right == (said in own)


def test_what_all_prompts_begin_with():
    assert common_prefix([[1, 2, 3], [1, 2, 4, 5]]) == [1, 2]
    assert common_prefix([[1, 2, 3], [1, 2, 3]]) == [1, 2]
    assert common_prefix([[7, 8]]) == [7]
    assert common_prefix([[1, 2], [3, 4]]) == []


def swapped_scores(layer, head, prompt, tau=1e-4):
    """Both scores of a head by running its last row again after each swap of two pairs of the window."""
    row = layer.keys.shape[2] - 1
    turned = layer.rotation.turned_back((layer.queries[0, head, -1] * layer.scale).double(), row)
    keys = layer.keys[0, head // 2].double()

    def blocks(contents):
        weights = (turned * contents).sum(-1).softmax(-1).numpy()
        last = prompt.first + prompt.block * prompt.elements
        return weights[prompt.first : last].reshape(-1, prompt.block).mean(1)

    before = blocks(keys)
    sums = np.zeros(3)
    for i in range(prompt.elements):
        for j in range(i):
            order = torch.arange(len(keys))
            one, other = (torch.arange(2) + prompt.first + 2 * at for at in (i, j))
            order[one], order[other] = other, one
            after = blocks(keys[order])[[i, j]]
            alpha = np.exp((abs(before[i] - before[j]) - np.ptp(before)) / tau)
            for at, pair in enumerate(([i, j], [j, i])):
                sizes = np.linalg.norm(after) * np.linalg.norm(before[pair])
                sums[at] += alpha * (after @ before[pair]) / sizes
            sums[2] += alpha
    return tuple(sums[:2] / sums[2])


def test_heads_are_scored_in_the_window(tiny, tokenizer):
    """Against the library's weights, swaps that are run again, and the scores of a whole row."""
    spelling = Spelling.of(tokenizer, spaced=True)
    prompt = prompt_of(tokenizer, "bare", "letter", 40, np.random.default_rng(1))
    found = heads_on(tiny, [prompt], spelling)
    tokens = torch.tensor([[*prompt.tokens, spelling.answers[prompt.answer[0]]]])
    with torch.no_grad():
        tiny.set_attn_implementation("eager")
        seen = tiny(tokens, output_attentions=True).attentions
        tiny.set_attn_implementation("sdpa")
    weights = torch.cat([layer[0, :, -1] for layer in seen]).double().numpy()
    last = prompt.first + prompt.block * prompt.elements
    inside = weights[:, prompt.first : last]
    assert found.window[0] == pytest.approx(inside.sum(1), abs=1e-4)
    at = prompt.first + prompt.block * prompt.place
    assert found.answer[0] == pytest.approx(weights[:, at : at + 2].sum(1), abs=1e-4)
    assert (found.looking == np.flatnonzero(inside.sum(1) >= LOOKS)).all()
    spec = RopeSpec.from_config(tiny.config)
    whole = replace(prompt, first=0, block=1, elements=len(prompt.tokens), place=0)
    again = heads_on(tiny, [whole], spelling)
    kept = {}

    def keep(layer):
        for head in range(4):
            pair = layer.queries[0, head], layer.keys[0, head // 2]
            kept[4 * layer.layer + head] = vector_scores(*(x.double() for x in pair), spec)

    visit_layers(tiny, tokens, keep)
    assert len(again.looking) > 2
    for number, head in enumerate(again.looking.tolist()):
        assert again.positional[0, number] == pytest.approx(float(kept[head].positional), abs=1e-5)
        assert again.symbolic[0, number] == pytest.approx(float(kept[head].symbolic), abs=1e-5)


def test_shares_have_exact_intervals():
    assert record.share(0, 50) == {
        "mean": 0,
        "low": 0,
        "high": pytest.approx(0.0711, abs=1e-4),
        "of": 50,
    }


def test_predictions_are_compared_with_what_was_asked():
    asked = [
        Prediction("a", "x", least=1),
        Prediction("b", "y", most=2),
        Prediction("c", "z", 0, 1),
    ]
    told = compared(asked, {"x": 1.0, "y": 3.0, "z": None})
    assert [each.same for each in told] == [True, False, None]
    assert [each.criterion for each in told] == ["at least 1", "at most 2", "0 to 1"]


@pytest.mark.parametrize(
    "entry", ['says = "a"\nquantity = "x"', 'says = "a"\nquantity = "x"\nlow = 1']
)
def test_a_prediction_without_a_criterion_is_refused(entry, tmp_path):
    path = tmp_path / "predictions.toml"
    path.write_text(f"[[prediction]]\n{entry}\n")
    with pytest.raises(InvalidArgument, match="prediction"):
        read_predictions(path)


def test_the_command_leaves_a_record_and_pictures(tiny, tokenizer, tmp_path, monkeypatch, capsys):
    tiny.save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    options = ["--output", str(tmp_path / "out"), "--model", str(tmp_path / "model"), "--quick"]
    command.main(options)
    said = capsys.readouterr()
    assert "not asked" in said.out
    assert "bare, letter, 60: heads" in said.err
    found = json.loads((tmp_path / "out/one_hop_prompts.json").read_text())
    assert set(found["accuracy"]) == {f"{style}, {task}" for style in STYLES for task in TASKS}
    assert {p.stem for p in (tmp_path / "out").glob("*-light.png")} == {
        f"{d.picture.stem}-light" for d in pictures.pictures_of(found)
    }
    # Every quantity of the predictions is one that a whole run computes.
    whole = replace(record.QUICK, **{k: asdict(record.DEFAULT)[k] for k in ("instructed", "bare")})
    cell = {name: each[0] for name, each in found["accuracy"].items()}
    heads = found["kinds"]["bare, letter"][0] | {"symbolic": [1]}
    numbers = record.observed(
        {
            name: [one | {"size": n} for n in whole.sizes(name.split(",")[0])]
            for name, one in cell.items()
        },
        {f"bare, {task}": [heads | {"size": n} for n in whole.bare] for task in TASKS},
    )
    assert {p.quantity for p in read_predictions(command.PREDICTIONS)} <= set(numbers)


@pytest.mark.parametrize(
    ("wrong", "said"), [(["--model", "nowhere"], "--model"), (["--output", "FILE"], "--output")]
)
def test_a_bad_option_is_named(wrong, said, tmp_path, capsys):
    (tmp_path / "file").touch()
    options = ["--output", str(tmp_path / "out"), *wrong]
    with pytest.raises(SystemExit) as ended:
        command.main([str(tmp_path / "file") if word == "FILE" else word for word in options])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
