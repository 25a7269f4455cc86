"""What makes positions is tested like what turns vectors by them."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from needs import need
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.conform.producers.check import check_positions

torch = need("torch")


def by_mask(attention_mask):
    places = attention_mask.long().cumsum(-1) - 1
    return places.masked_fill(attention_mask == 0, 1)


def by_mask_behind(attention_mask, past_key_values_length=0):
    return by_mask(attention_mask)[:, past_key_values_length:]


def run(length, start_pos=0):
    return torch.arange(start_pos, start_pos + length)


def packed(cu_seqlens):
    parts = [torch.arange(int(b - a)) for a, b in itertools.pairwise(cu_seqlens.tolist())]
    return torch.cat(parts)


def of_documents(document_ids):
    index = torch.arange(document_ids.shape[1]).expand_as(document_ids)
    new = torch.ones_like(document_ids, dtype=torch.bool)
    new[:, 1:] = document_ids[:, 1:] != document_ids[:, :-1]
    return index - torch.where(new, index, 0).cummax(-1).values


def requests(num_computed_tokens, query_lens):
    starts = torch.as_tensor(num_computed_tokens).reshape(-1).expand(len(query_lens))
    return torch.cat([s + torch.arange(int(n)) for s, n in zip(starts, query_lens, strict=True)])


def zigzag(length, cp_rank, cp_size):
    chunks = torch.arange(length).chunk(2 * cp_size)
    return torch.cat((chunks[cp_rank], chunks[2 * cp_size - 1 - cp_rank]))


def contiguous(num_tokens, rank, world_size):
    return torch.arange(num_tokens) + rank * num_tokens  # of a rank's own tokens


def striped(position_ids, rank, world_size):
    return position_ids[:, rank::world_size]


def mrope(input_ids, image_grid_thw, attention_mask=None, *, gap=0, swap=False):
    mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
    out = torch.ones(3, *input_ids.shape, dtype=torch.long)
    image = 0  # grids are those of all rows one after another
    for row, ids in enumerate(input_ids):
        kept = ids[mask[row] == 1]
        at, following, parts = 0, 0, []
        while at < len(kept):
            if kept[at] == 3:
                t, h, w = (int(n) for n in image_grid_thw[image])
                grid = torch.stack(
                    torch.meshgrid(*map(torch.arange, (t, h // 2, w // 2)), indexing="ij")
                )
                own = grid.reshape(3, -1)
                parts.append((own[[0, 2, 1]] if swap else own) + following)
                image += 1
            else:
                parts.append(torch.full((3, 1), following))
            at += parts[-1].shape[1]
            following = int(parts[-1].max()) + 1 + (gap if parts[-1].shape[1] > 1 else 0)
        out[:, row, mask[row] == 1] = torch.cat(parts, 1)
    return out, torch.zeros(len(input_ids), 1)


def padded_ranks(length, rank, size):
    each = -(-length // size)
    return torch.arange(rank * each, (rank + 1) * each)  # what is more than the length is padding


RIGHT = [
    by_mask,
    by_mask_behind,
    run,
    packed,
    of_documents,
    requests,
    zigzag,
    contiguous,
    striped,
    mrope,
    padded_ranks,
]


@pytest.mark.parametrize("make", RIGHT, ids=lambda f: f.__name__)
def test_a_right_function_is_not_accused(make):
    report = check_positions(make)
    assert report.passed, report
    assert not report.warnings, report


def test_the_split_of_the_ranks_is_told():
    assert check_positions(zigzag)["positions.ranks"].detail.startswith(
        ("2 ranks: zigzag", "4", "1")
    )
    report = check_positions(run)
    assert report["positions.chunk"].result == "holds"
    told = "not checked: it has no parameter for attention_mask"
    assert report["positions.left-padding"].detail == told


def shifted_by_two(attention_mask):
    return by_mask(attention_mask) + 2  # the same lags


def arange_of_mask(attention_mask):
    return torch.arange(attention_mask.shape[1]).expand_as(attention_mask)


def run_on(cu_seqlens):
    return torch.arange(int(cu_seqlens[-1]))


@pytest.mark.parametrize(
    ("make", "name", "says"),
    [
        (shifted_by_two, "positions.left-padding", "lags are right"),
        (arange_of_mask, "positions.left-padding", "left padding is counted"),
        (run_on, "positions.packing", "no restart at the document starts (tokens 5, 6, 10)"),
    ],
)
def test_a_shift_of_rows_or_documents_warns(make, name, says):
    if make is shifted_by_two:
        report = check_positions(make)
        assert report["positions.plain"].result == "fails"
        assert says in report[name].detail
        return
    report = check_positions(make)
    assert report.passed, report
    assert report[name].result == "warns"
    assert says in report[name].detail


def from_one(attention_mask):
    return attention_mask.cumsum(-1)


def not_behind(length, start_pos=0):
    return torch.arange(length)


def late_boundary(cu_seqlens):
    return packed(torch.cat((cu_seqlens[:1], cu_seqlens[1:-1] + 1, cu_seqlens[-1:])))


def cumulated(attention_mask, past_length=0):
    return (attention_mask.cumsum(-1) - 1)[:, : attention_mask.shape[1] - past_length]


def local(length, rank, size):
    return torch.arange(length // size)


def doubled_chunk(length, rank, size):
    chunks = torch.arange(length).chunk(2 * size)
    return torch.cat((chunks[rank], chunks[2 * size - 1 - rank if rank else size]))


def gapped(input_ids, image_grid_thw, attention_mask=None):
    return mrope(input_ids, image_grid_thw, attention_mask, gap=1)


def swapped(input_ids, image_grid_thw, attention_mask=None):
    return mrope(input_ids, image_grid_thw, attention_mask, swap=True)


def uneven(length, rank, size):
    return torch.arange(length)[rank * (length // size) : (rank + 1) * (length // size)]


def signed_bytes(length, start=0):
    return torch.arange(start, start + length).to(torch.int8)


def whole_pages(length, start=0):
    return torch.arange(length) + -(-start // 32) * 32


def longest_cache(num_computed_tokens, query_lens):
    starts = torch.as_tensor(num_computed_tokens).reshape(-1)
    return requests(starts.max().expand(len(starts)), query_lens)


def two_ahead_at_once(length, start=0):
    return torch.arange(start, start + length) + 2 * (start > 0 and length > 1)


def as_before_merging(input_ids, image_grid_thw, attention_mask=None):
    out, _ = mrope(input_ids, image_grid_thw, attention_mask)
    image = input_ids == 3
    out[2][image] = 2 * (out[2][image] - out[0][image]) + out[0][image]
    out[1][image] = 2 * (out[1][image] - out[0][image]) + out[0][image]
    return out


RULES = [
    (uneven, "the last ones, which are left over by a division"),
    (signed_bytes, "positions are kept in 8 bits, and are negative from 128 on"),
    (whole_pages, "rounded up to pages of 32"),
    (longest_cache, "all requests take the longest cache length"),
    (two_ahead_at_once, "offset of two: 2 ahead where several tokens come behind a cache"),
    (as_before_merging, "an image's height and width are multiplied by the merge size"),
]


@pytest.mark.parametrize(("make", "says"), RULES, ids=[r[0].__name__ for r in RULES])
def test_one_rule_of_all_settings_is_the_cause(make, says):
    report = check_positions(make)
    assert not report.passed, report
    assert says in report.cause.text, report


def shift_of_its_own(length, start=0):
    return torch.arange(length) + start + (3 if start == 7 else 11 if start > 7 else 0)


def test_without_a_rule_the_settings_are_told_and_no_name_that_another_denies():
    told = check_positions(shift_of_its_own).cause.text
    assert "every token 3 ahead behind 7 cached" in told
    assert "every token 11 ahead behind 12 cached" in told


def text_alone(input_ids, image_grid_thw):
    return torch.arange(input_ids.shape[1]).expand(3, *input_ids.shape)


WRONG = [
    (from_one, "positions.plain", "offset of one"),
    (not_behind, "positions.chunk", "the start of the shard or chunk, 7, is missing"),
    (late_boundary, "positions.packing", "documents that begin at tokens"),
    (cumulated, "positions.chunk", "is missing"),
    (
        local,
        "positions.ranks",
        "all 2 ranks have the same positions: the start of the shard is missing",
    ),
    (doubled_chunk, "positions.ranks", "are missing"),
    (gapped, "positions.image", "ahead"),
    (swapped, "positions.image", "height"),
    (text_alone, "positions.image", "text positions"),
]


@pytest.mark.parametrize(("make", "name", "says"), WRONG, ids=[w[0].__name__ for w in WRONG])
def test_a_wrong_function_is_named(make, name, says):
    report = check_positions(make)
    assert not report.passed, report
    assert report[name].result == "fails", report
    assert says in report[name].detail, report


def test_a_name_that_says_nothing_is_refused():
    with pytest.raises(InvalidArgument, match="a parameter stuff"):
        check_positions(lambda stuff: stuff)
    with pytest.raises(InvalidArgument, match="callable"):
        check_positions(3)


def test_what_raises_or_returns_something_else_is_not_checked():
    def raises(length):
        raise OSError("no")

    def halves(length):
        return np.arange(length) + 0.5

    for make in (raises, halves):
        report = check_positions(make)
        assert not report.passed
        assert not report.failures
        assert math.isfinite(report.seconds)


def test_the_command(tmp_path, monkeypatch):
    (tmp_path / "own_places.py").write_text(
        "import numpy as np\n\ndef make(length, start=0):\n    return np.arange(length) + start\n\n"
        "def wrong(length, start=0):\n    return np.arange(length)\n"
    )
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(
        app, ["conform", "--positions", "own_places:make", "--array", "numpy"]
    )
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(app, ["conform", "--positions", "own_places:wrong", "--json", "-"])
    assert done.exit_code == 1
    assert "is missing" in json.loads(done.output)["cause"]["text"]
