"""The subject of the experiments: a model, its rotation, a text as token numbers; and kept steps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from experiment import versions
from numpy.typing import NDArray
from small_lm.corpus import read_corpus, standard_library

from ropeproof.numerics.models.gguf_weights import installed_model
from ropeproof.numerics.models.load import opened
from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Head", "Steps", "Subject", "heads_on", "installed", "trained_here", "untrained"]

Json = dict[str, Any]
Floats = NDArray[np.float64]
CHARACTERS = 400_000


@dataclass(frozen=True, eq=False)
class Subject:
    """A causal transformers model in eval mode, its exact rotation, and the token numbers of a text."""

    model: Any
    spec: RopeSpec
    text: torch.Tensor
    facts: Json = field(default_factory=dict)

    @property
    def vocabulary(self) -> int:
        """The number of tokens in the vocabulary."""
        return int(self.model.config.vocab_size)

    def prompts(self, count: int, length: int, *, skip: int = 0) -> torch.Tensor:
        """Windows spread over the text, `(count, length)`; `skip` moves each by that many tokens."""
        ends = len(self.text) - length - skip
        if ends < 0:
            raise SystemExit(f"the text has {len(self.text)} tokens, {length + skip} are needed")
        starts = np.linspace(0, ends, count).astype(int) + skip
        return torch.stack([self.text[start : start + length] for start in starts])

    def random(self, count: int, length: int, *, seed: int = 0) -> torch.Tensor:
        """Tokens drawn uniformly from the vocabulary, `(count, length)`."""
        generator = torch.Generator().manual_seed(seed)
        return torch.randint(self.vocabulary, (count, length), generator=generator)


@dataclass(frozen=True, eq=False)
class Head:
    """The unrotated queries and keys of one head on one prompt, `(length, head_dim)` float64; its scale."""

    layer: int
    head: int
    key_head: int
    queries: Floats
    keys: Floats
    scale: float

    @property
    def name(self) -> str:
        """The name of the head, `layer.head`."""
        return f"{self.layer}.{self.head}"


def installed(package: str, folder: Path) -> Subject:
    """The model that an installed package carries, and the held-out sources of the standard library.

    The text is written to `folder / "sources.txt"` once and read from there afterwards. Raises
    `Unsupported`, with the line that installs it, if the package is not there.
    """
    path = Path(installed_model(package))
    text = folder / "sources.txt"
    if not text.is_file():
        held_out = read_corpus(standard_library()).held_out
        text.write_text("\n".join(part.text for part in held_out)[:CHARACTERS], encoding="utf-8")
    from transformers import AutoTokenizer, logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model = opened(str(path)).eval()
    model.set_attn_implementation("sdpa")
    tokenizer = AutoTokenizer.from_pretrained(
        str(path.parent), gguf_file=path.name, local_files_only=True
    )
    words = text.read_text(encoding="utf-8")
    tokens = tokenizer(words, add_special_tokens=False, return_tensors="pt").input_ids[0]
    facts = {
        "package": package,
        "file": path.name,
        "model sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "text": "the standard library's sources that experiments/small_lm/corpus.py holds out",
        "text sha256": hashlib.sha256(words.encode()).hexdigest(),
        "text tokens": len(tokens),
        "versions": versions("transformers", "gguf"),
    }
    return Subject(model, RopeSpec.from_config(model.config), tokens, facts)


def trained_here(folder: Path) -> Subject:
    """The model, tokenizer and held-out text that `experiments/train_small_lm.py` left in a folder.

    Raises `SystemExit`, with the line that makes such a folder, if it is none.
    """
    from transformers import AutoTokenizer, logging

    weights, words = folder / "trained/model.safetensors", folder / "held_out.txt"
    training = folder / "training.json"
    if not all(path.is_file() for path in (weights, words, training)):
        made = f"python experiments/train_small_lm.py --length 64 --output {folder}"
        raise SystemExit(f"{folder} has no model that was trained here: {made}")
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model = opened(str(weights.parent)).eval()
    tokenizer = AutoTokenizer.from_pretrained(str(weights.parent), local_files_only=True)
    text = words.read_text(encoding="utf-8")[:CHARACTERS]
    tokens = tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids[0]
    told = json.loads(training.read_text(encoding="utf-8"))
    facts = {
        "training": {name: told[name] for name in ("settings", "steps", "tokens", "held_out")},
        "model sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
        "text": "the standard library's sources that experiments/small_lm/corpus.py holds out",
        "text sha256": hashlib.sha256(text.encode()).hexdigest(),
        "text tokens": len(tokens),
        "versions": versions("transformers"),
    }
    return Subject(model, RopeSpec.from_config(model.config), tokens, facts)


def untrained(subject: Subject, *, seed: int = 0) -> Subject:
    """A model of the same shape with the library's random initialisation, and the same text."""
    import copy

    config = copy.deepcopy(subject.model.config)
    for name in ("quantization_config", "_pre_quantization_dtype"):
        if hasattr(config, name):
            delattr(config, name)
    torch.manual_seed(seed)
    model = type(subject.model)(config).float().eval()
    return Subject(model, subject.spec, subject.text, subject.facts)


def heads_on(subject: Subject, tokens: torch.Tensor, visit: Callable[[Head], None]) -> None:
    """Call `visit` with every head on one prompt, `(length,)`, layer by layer, in one forward pass."""

    def each(layer: LayerHeads) -> None:
        groups = layer.queries.shape[1] // layer.keys.shape[1]
        for head in range(layer.queries.shape[1]):
            queries = layer.queries[0, head].double().numpy()
            keys = layer.keys[0, head // groups].double().numpy()
            visit(Head(layer.layer, head, head // groups, queries, keys, layer.scale))

    visit_layers(subject.model, tokens[None], each, beyond=True)


class Steps:
    """The results of steps, kept in a folder, so that an interrupted run resumes.

    A step is kept under its name and the hash of its settings and of the subject's facts: other
    settings, another text or model are another step.
    """

    def __init__(self, folder: Path, facts: Mapping[str, Any]) -> None:
        self.folder, self.facts = folder, dict(facts)
        folder.mkdir(parents=True, exist_ok=True)

    def of(self, name: str, settings: Mapping[str, Any], find: Callable[[], Any]) -> Any:
        """The result of `find` as JSON, read from the folder if it is kept there."""
        whole = json.dumps([name, dict(settings), self.facts], sort_keys=True)
        mark = hashlib.sha256(whole.encode()).hexdigest()[:12]
        path = self.folder / f"{name.replace(' ', '_').replace(':', '-')}-{mark}.json"
        if not path.is_file():
            found = find()
            draft = path.with_suffix(".part")
            draft.write_text(json.dumps(found), encoding="utf-8")
            draft.replace(path)
        print(name, flush=True)
        return json.loads(path.read_text(encoding="utf-8"))


def spread(values: Any) -> Json:
    """The median and quartiles of numbers, and how many there are."""
    low, middle, high = np.quantile(np.asarray(values, dtype=np.float64), [0.25, 0.5, 0.75])
    return {"median": float(middle), "quartiles": [float(low), float(high)], "of": len(values)}


def losses(model: Any, tokens: torch.Tensor, *, block: int = 512) -> Iterator[Floats]:
    """Yield each prompt's losses in nats of every token but the first, `(length - 1,)`.

    As `token_losses`, but the logits of `block` positions at a time, for long prompts.
    """
    with torch.no_grad():
        for row in tokens:
            hidden = model.model(input_ids=row[None], use_cache=False).last_hidden_state[0]
            parts = []
            for start in range(0, len(row) - 1, block):
                targets = row[start + 1 : start + 1 + block]
                scores = model.lm_head(hidden[start : start + len(targets)]).float()
                parts.append(
                    torch.nn.functional.cross_entropy(scores, targets, reduction="none").double()
                )
            yield torch.cat(parts).numpy()
