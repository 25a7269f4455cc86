"""Prompts of one hop for a language model [HEADS, section 3.7 and appendix H].

A prompt ends with a sequence: a *window* of elements, then the query. In the **number task** the
elements are letters and the query says how many elements to count back from it; in the **letter task** they
are pairs of a letter and a digit, the query is a pair of letters, and the answer is the one element
that begins with the query's second letter.

Two styles. **instructed** is the paper's: the task in words, three worked examples that are the
same in every prompt (windows of 8, 10 and 10 elements for numbers, 4, 10 and 10 for letters), the
sequence, as one message to a chat model. The rules are told here in other words than in the paper's
Table 2. **bare** has no words: one worked example of three elements, or three of them where a prompt of 60
tokens or more has room, and the sequence; its window fills the prompt up to a number of tokens.

What the paper does not print is chosen as its examples have it: letters with repetition, the number
uniform from 1 to the window's size, digits from 1 to 9, the query's first letter any but the second.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument

__all__ = ["DIGITS", "LETTERS", "STYLES", "TASKS", "Prompt", "Sequenced", "drawn", "prompt_of"]

TASKS, STYLES = ("number", "letter"), ("instructed", "bare")
LETTERS, DIGITS = string.ascii_lowercase, "123456789"
EXAMPLE_SEED = 7
EXAMPLES = {"number": (8, 10, 10), "letter": (4, 10, 10)}
BARE_WINDOW, ROOM = 3, 60

RULES = {
    "number": "A sequence of tokens follows, with a space between two of them. Its last token is a "
    "whole number n. Start at this last token and go back n tokens to the left: the token that "
    "you reach is the answer.",
    "letter": "A sequence of tokens follows, with a space between two of them. Take the second "
    "character of its last token. Exactly one of the tokens before the last one begins with this "
    "character: that token is the answer.",
}
ALONE = "Write the answer and nothing else, without any explanation or formatting."


@dataclass(frozen=True)
class Sequenced:
    """A sequence: the elements of its window, the query, and the place of the answer in the window."""

    window: tuple[str, ...]
    query: str
    place: int

    @property
    def answer(self) -> str:
        """The element that the query asks for."""
        return self.window[self.place]

    @property
    def text(self) -> str:
        """The window and the query, with spaces between."""
        return " ".join((*self.window, self.query))


@dataclass(frozen=True)
class Prompt:
    """A prompt as token numbers.

    - `tokens`: all of them, up to where the answer begins;
    - `first`, `block`: the position of the window's first token, and the number of tokens an element
      has; the window has `elements` elements without gaps;
    - `place`: the answer's place in the window; `answer`: the answer in characters.
    """

    tokens: tuple[int, ...]
    first: int
    block: int
    elements: int
    place: int
    answer: str


def drawn(task: str, size: int, random: np.random.Generator) -> Sequenced:
    """A random sequence with a window of `size` elements.

    Raises `InvalidArgument` for another task, or for no element.
    """
    if size < 1:
        raise InvalidArgument("size", size, "an integer >= 1")
    if task == "number":
        window = tuple(random.choice(list(LETTERS), size).tolist())
        number = int(random.integers(1, size + 1))
        return Sequenced(window, str(number), size - number)
    if task != "letter":
        raise InvalidArgument("task", task, " or ".join(TASKS))
    wanted, other = random.choice(list(LETTERS), 2, replace=False).tolist()
    place = int(random.integers(size))
    letters = random.choice([letter for letter in LETTERS if letter != wanted], size).tolist()
    letters[place] = wanted
    digits = random.choice(list(DIGITS), size).tolist()
    window = tuple(letter + digit for letter, digit in zip(letters, digits, strict=True))
    return Sequenced(window, other + wanted, place)


def prompt_of(tokenizer: Any, style: str, task: str, size: int, random: Any) -> Prompt:
    """A prompt of a style and task.

    `size` is the number of elements in the window of an instructed prompt, and the number of tokens
    of a bare one, which is met up to what an element and the digits of a number take, from below.
    `tokenizer` is a fast one of transformers; with a chat template an instructed prompt is a message.
    Raises `InvalidArgument` for another style, a bare prompt too short for an element, and a
    tokenizer that gives elements different numbers of tokens.
    """
    if style == "instructed":
        return _tokenized(tokenizer, _instructed(tokenizer, task), drawn(task, size, random))
    if style != "bare":
        raise InvalidArgument("style", style, " or ".join(STYLES))
    around = _bare(task, 3 if size >= ROOM else 1)
    start = random.bit_generator.state

    def tried(elements: int) -> Prompt:
        random.bit_generator.state = start
        return _tokenized(tokenizer, around, drawn(task, elements, random))

    one = tried(1)
    elements = 1 + (size - len(one.tokens)) // one.block
    while elements > 0:
        found = tried(elements)
        if len(found.tokens) <= size:
            return found
        elements -= 1
    raise InvalidArgument("size", size, f"room for an element, about {len(one.tokens)} tokens")


Around = Callable[[str], tuple[str, int]]
"""From a sequence to the prompt's text, and the place of the sequence in it, in characters."""


def _examples(task: str, sizes: Sequence[int]) -> list[Sequenced]:
    random = np.random.default_rng(EXAMPLE_SEED)
    return [drawn(task, size, random) for size in sizes]


def _instructed(tokenizer: Any, task: str) -> Around:
    """The paper's design: rules, three worked examples, the sequence; as a message to a chat model."""
    parts = [f"{RULES[task]} {ALONE}"]
    for number, each in enumerate(_examples(task, EXAMPLES[task]), start=1):
        parts.append(f'Example {number}:\nInput: "{each.text}"\nOutput: {each.answer}')
    before, after = "\n\n".join([*parts, 'Task:\nInput: "']), '"\nOutput:'

    def around(sequence: str) -> tuple[str, int]:
        text = before + sequence + after
        if tokenizer.chat_template is None:
            return text, len(before)
        message = [{"role": "user", "content": text}]
        whole = tokenizer.apply_chat_template(message, add_generation_prompt=True, tokenize=False)
        return whole, whole.index(text) + len(before)

    return around


def _bare(task: str, examples: int) -> Around:
    """Worked examples of three elements, one a line, and the sequence."""
    told = _examples(task, (BARE_WINDOW,) * examples)
    before = "".join(f"{each.text}: {each.answer}\n" for each in told)
    return lambda sequence: (f"{before}{sequence}:", len(before))


def _tokenized(tokenizer: Any, around: Around, sequence: Sequenced) -> Prompt:
    text, start = around(sequence.text)
    end = start + len(" ".join(sequence.window))
    coded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    inside = [at for at, (_, last) in enumerate(coded["offset_mapping"]) if start < last <= end]
    elements = len(sequence.window)
    if len(inside) % elements:
        got = f"{len(inside)} tokens for {elements} elements"
        raise InvalidArgument("tokenizer", got, "one that gives every element as many tokens")
    return Prompt(
        tuple(coded["input_ids"]),
        inside[0],
        len(inside) // elements,
        elements,
        sequence.place,
        sequence.answer,
    )
