"""Faults of functions that make positions, and of code that changes the positions it is given."""

import itertools
from typing import Any

import torch

from faults.seventh.basics import inverse, pair, plain, turn
from faults.seventh.entry import Entry
from ropeproof import RopeSpec

SPEC = RopeSpec(64, 10000, length=4096)
LONG = RopeSpec(64, 500000, length=65536)


def cumulated(lengths: Any) -> list[int]:
    """Lengths of documents as a list of whole numbers."""
    return [int(n) for n in lengths]


def packed(fault: str) -> Any:
    """Positions of packed documents from their borders."""

    def positions(cu_seqlens: Any) -> torch.Tensor:
        borders = cumulated(cu_seqlens)
        total = borders[-1]
        index = torch.arange(total)
        if fault == "run on":
            return index
        result = index.clone()
        for number, (start, stop) in enumerate(itertools.pairwise(borders)):
            result[start:stop] -= start
            if fault == "second from one" and number:
                result[start:stop] += 1
            if fault == "border late" and number and stop > start:
                result[start] = start - borders[number - 1]
                result[start + 1 : stop] -= 1
        return result

    return positions


def of_documents(fault: str) -> Any:
    """Positions of packed documents from the number of each token's document."""

    def positions(document_ids: Any) -> torch.Tensor:
        ids = torch.as_tensor(document_ids)
        result = []
        for row in ids.reshape(-1, ids.shape[-1]).tolist():
            last, at = None, 0
            for number in row:
                new = (
                    number != last
                    if fault != "parity"
                    else last is None or (number - last) % 2 == 1
                )
                at = 0 if new else at + 1
                result.append(at % 16 if fault == "pages" else at)
                last = number
        return torch.tensor(result).reshape(ids.shape)

    return positions


def padded(fault: str) -> Any:
    """Positions of rows padded on either side from their mask."""

    def positions(attention_mask: Any) -> torch.Tensor:
        mask = torch.as_tensor(attention_mask).long()
        count = mask.cumsum(-1) - 1
        if fault == "counted":
            return torch.arange(mask.shape[-1]).expand(mask.shape)
        if fault == "from one":
            return count + 1
        if fault == "taken off twice":
            return count - (1 - mask).sum(-1, keepdim=True)
        if fault == "first row's padding":
            shift = (1 - mask[0]).sum()
            return (torch.arange(mask.shape[-1]) - shift).clamp(min=0).expand(mask.shape)
        if fault == "padding index":
            return count + 2
        # The padding of the longest row is taken off every row.
        shift = (1 - mask).sum(-1).max()
        return (torch.arange(mask.shape[-1]) - shift).clamp(min=0).expand(mask.shape)

    return positions


def masked_cache(fault: str) -> Any:
    """Positions of new tokens behind a cache, whose mask covers the cached ones as well."""

    def positions(attention_mask: Any, past: int) -> torch.Tensor:
        mask = torch.as_tensor(attention_mask).long()
        count = (mask.cumsum(-1) - 1).clamp(min=0)
        new = mask.shape[-1] - past
        if fault == "mask of new ones alone":
            return (mask[:, past:].cumsum(-1) - 1).clamp(min=0)
        if fault == "cache counted whole":
            return past + torch.arange(new).expand(len(mask), new)
        return count[:, past:]

    return positions


def chunk(fault: str) -> Any:
    """Positions of `length` new tokens behind `past` cached ones."""

    def positions(past: int, length: int) -> torch.Tensor:
        index = torch.arange(length)
        if fault == "past ignored":
            return index
        if fault == "past twice":
            return 2 * past + index
        if fault == "past in pages":
            return past // 16 * 16 + index
        if fault == "decode one behind":
            return past + index - (1 if length == 1 and past else 0)
        if fault == "decode one ahead":
            return past + index + (1 if length == 1 and past else 0)
        if fault == "window":
            return min(past, 4) + index
        if fault == "all at once":
            return torch.full((length,), past) if past else index
        if fault == "modulo 8":
            return (past + index) % 8
        if fault == "bytes":
            return (past + index).to(torch.uint8)
        if fault == "from the end":
            return (past + index).flip(0)
        if fault == "chunk of past tokens":
            return past * length + index
        return past + index

    return positions


def requests(fault: str) -> Any:
    """Positions of several requests in one call, of which each has a cache."""

    def positions(lengths: Any, past: Any) -> torch.Tensor:
        new, cached = cumulated(lengths), cumulated(past)
        if fault == "first cache for all":
            cached = [cached[0]] * len(new)
        if fault == "caches moved on by one":
            cached = cached[-1:] + cached[:-1]
        if fault == "caches sorted":
            cached = sorted(cached)
        if fault == "ignored":
            cached = [0] * len(new)
        parts = [torch.arange(n) + p for n, p in zip(new, cached, strict=True)]
        if fault == "run on":
            return torch.arange(sum(new)) + cached[0]
        return torch.cat(parts)

    return positions


def ranked(fault: str) -> Any:
    """Positions of a rank of context parallelism."""

    def positions(length: int, rank: int, world_size: int) -> torch.Tensor:
        index = torch.arange(length)
        if fault == "local":
            return index[: len(torch.tensor_split(index, world_size)[rank])]
        if fault == "rounded down":
            size = length // world_size
            return index[rank * size : (rank + 1) * size]
        chunks = torch.tensor_split(index, 2 * world_size)
        if fault == "mirror one off":
            return torch.cat((chunks[rank], chunks[(2 * world_size - rank) % (2 * world_size)]))
        if fault == "mirror in each half":
            return torch.cat((chunks[2 * rank], chunks[2 * world_size - 1 - rank]))
        if fault == "overlap":
            size = length // world_size
            return index[max(rank * size - 1, 0) : (rank + 1) * size]
        return torch.cat((chunks[rank], chunks[2 * world_size - 1 - rank]))

    return positions


def sliced(fault: str) -> Any:
    """Positions of a rank, cut out of the positions of the sequence."""

    def positions(position_ids: Any, rank: int, world_size: int) -> torch.Tensor:
        given = torch.as_tensor(position_ids)
        chunks = torch.tensor_split(given, world_size, dim=-1)
        if fault == "made anew":
            start = sum(c.shape[-1] for c in chunks[:rank])
            return torch.arange(start, start + chunks[rank].shape[-1]).expand(chunks[rank].shape)
        if fault == "first rank's":
            return chunks[0]
        return chunks[rank]

    return positions


def images(fault: str) -> Any:
    """M-RoPE indices `(3, rows, length)` of text and images as in Qwen2-VL."""

    def positions(
        input_ids: Any,
        image_grid_thw: Any,
        image_token_id: int,
        spatial_merge_size: int,
        attention_mask: Any = None,
    ) -> torch.Tensor:
        ids = torch.as_tensor(input_ids)
        kept = ids * 0 + 1 if attention_mask is None else torch.as_tensor(attention_mask)
        kept = kept.reshape(-1, ids.shape[-1]).tolist()
        grids = torch.as_tensor(image_grid_thw).tolist()
        rows = []
        taken = 0
        for row, shown in zip(ids.reshape(-1, ids.shape[-1]).tolist(), kept, strict=True):
            if fault == "grids begin anew":
                taken = 0
            result: list[tuple[int, int, int]] = []
            start = at = 0
            while at < len(row):
                if not shown[at]:
                    result.append((0, 0, 0))
                    at += 1
                    continue
                if row[at] != image_token_id:
                    result.append((start, start, start))
                    start, at = start + 1, at + 1
                    continue
                t, h, w = grids[taken % len(grids)]
                taken += 1
                merge = spatial_merge_size
                h, w = h // merge, w // merge
                count = t * h * w
                columns = w * merge if fault == "columns not merged" else w
                for i in range(count):
                    one = [i // (h * w), i // columns % (h * merge), i % columns]
                    if fault == "height and width":
                        one = [one[0], i % h, i // h % w]
                    if fault == "time runs":
                        one[0] = i
                    if fault == "time stays at 0":
                        result.append((one[0], start + one[1], start + one[2]))
                    elif fault == "coordinates from 0":
                        result.append((one[0], one[1], one[2]))
                    else:
                        result.append((start + one[0], start + one[1], start + one[2]))
                start += {
                    "text one behind": max(t, h, w) - 1,
                    "text one ahead": max(t, h, w) + 1,
                    "text behind all tokens": count,
                    "text behind height": h,
                }.get(fault, max(t, h, w))
                at += count
            rows.append(result)
        made = torch.tensor(rows).permute(2, 0, 1)
        return made if ids.ndim == 2 else made[:, 0]

    return positions


def positions_as(dtype: torch.dtype) -> Any:
    """Positions go through another type before they are multiplied."""
    frequencies = inverse(64, 500000.0)
    return lambda x, p: turn(x, p.to(dtype).float(), frequencies)


def keys_in_slots() -> Any:
    """Keys of a sliding window of 1024 are turned by their slot in the rolling cache."""
    rotate = plain()
    return pair(rotate, lambda x, p: rotate(x, p % 1024))


def window_start() -> Any:
    """Positions are counted from the first token of the call."""
    rotate = plain()
    return lambda x, p: rotate(x, p - p[..., :1])


def from_the_largest() -> Any:
    """Positions are counted back from the last token: the largest is 0."""
    rotate = plain()
    return lambda x, p: rotate(x, p - p.max())


def sorted_positions() -> Any:
    """Positions are sorted before the table is read."""
    rotate = plain()
    return lambda x, p: rotate(x, p.sort(-1).values)


def counted_again() -> Any:
    """Positions are made anew from the number of tokens and the first position."""
    rotate = plain()
    return lambda x, p: rotate(x, p[..., :1] + torch.arange(p.shape[-1]))


def _producer(name: str, make: Any, cause: str, *words: tuple[str, ...]) -> Entry:
    """An entry of a function that makes positions."""
    return Entry(name, "producer", make, cause, words=words)


FAULTS = (
    _producer(
        "packed-run-on",
        lambda: packed("run on"),
        "positions of packed documents run on",
        ("run on", "continue", "begin", "document"),
    ),
    _producer(
        "packed-second-from-one",
        lambda: packed("second from one"),
        "documents after the first begin at 1",
        ("document", "off by", "shift", "1"),
    ),
    _producer(
        "packed-border-late",
        lambda: packed("border late"),
        "a document begins one token late: its first token is counted to the one before",
        ("document", "begin"),
        ("one", "late", "border", "first", "before", "token"),
    ),
    _producer(
        "documents-by-parity",
        lambda: of_documents("parity"),
        "a document begins only where the number's parity changes, so that some run on",
        ("document",),
        ("run on", "begin", "continue"),
    ),
    _producer(
        "documents-in-pages",
        lambda: of_documents("pages"),
        "positions begin again at each page of 16 tokens",
        ("16", "page", "modulo"),
    ),
    _producer(
        "padding-counted",
        lambda: padded("counted"),
        "padding on the left is counted",
        ("padding",),
        ("counted", "count", "not taken off"),
    ),
    _producer(
        "padding-from-one",
        lambda: padded("from one"),
        "the cumulated mask lacks the minus one",
        ("one", "1"),
    ),
    _producer(
        "padding-twice",
        lambda: padded("taken off twice"),
        "padding is taken off twice",
        ("padding",),
        ("twice",),
    ),
    _producer(
        "padding-first-row",
        lambda: padded("first row's padding"),
        "the padding of the first row is taken off every row",
        ("padding", "row"),
    ),
    _producer(
        "padding-index",
        lambda: padded("padding index"),
        "all positions are two too large, as where a padding index is added",
        ("2", "two"),
    ),
    _producer(
        "padding-longest",
        lambda: padded("longest"),
        "the largest padding of the batch is taken off every row",
        ("padding", "row"),
    ),
    _producer(
        "cache-mask-new",
        lambda: masked_cache("mask of new ones alone"),
        "positions behind a cache begin at 0",
        ("0", "ignored", "begin", "missing", "start"),
    ),
    _producer(
        "cache-padding-counted",
        lambda: masked_cache("cache counted whole"),
        "the padding of a cached row is counted",
        ("padding",),
        ("count",),
    ),
    _producer(
        "past-ignored",
        lambda: chunk("past ignored"),
        "a chunk begins at 0: the cache is ignored",
        ("start", "begin", "missing", "ignored", "cache"),
    ),
    _producer(
        "past-twice",
        lambda: chunk("past twice"),
        "the length of the cache is added twice",
        ("twice", "2"),
    ),
    _producer(
        "past-in-pages",
        lambda: chunk("past in pages"),
        "the length of the cache is rounded down to pages of 16",
        ("16", "page", "round"),
    ),
    _producer(
        "decode-one-behind",
        lambda: chunk("decode one behind"),
        "a single token behind a cache has the position before",
        ("one", "1"),
    ),
    _producer(
        "decode-one-ahead",
        lambda: chunk("decode one ahead"),
        "a single token behind a cache has the position after",
        ("one", "1"),
    ),
    _producer(
        "window-of-past",
        lambda: chunk("window"),
        "the length of the cache is cut off at a window of 4",
        ("cut off", "4", "window"),
    ),
    _producer(
        "draft-all-at-once",
        lambda: chunk("all at once"),
        "all tokens of a chunk behind a cache, such as drafts, have the same position",
        ("same", "all at", "cut off", "one position", "constant"),
    ),
    _producer(
        "modulo-8",
        lambda: chunk("modulo 8"),
        "positions are taken modulo 8",
        ("modulo", "again"),
        ("8",),
    ),
    _producer(
        "bytes",
        lambda: chunk("bytes"),
        "positions are kept in eight bits",
        ("256", "uint8", "8 bits", "modulo", "eight"),
    ),
    _producer(
        "chunk-reversed",
        lambda: chunk("from the end"),
        "a chunk's positions are in reverse order",
        ("revers", "order", "backward", "descend", "exchanged"),
    ),
    _producer(
        "past-times-length",
        lambda: chunk("chunk of past tokens"),
        "the length of the cache is multiplied by the length of the chunk",
        ("past", "cache", "times", "length", "chunk", "shift"),
    ),
    _producer(
        "requests-first-cache",
        lambda: requests("first cache for all"),
        "all requests take the cache of the first",
        ("first", "request", "row"),
    ),
    _producer(
        "requests-next-cache",
        lambda: requests("caches moved on by one"),
        "each request takes the cache length of the request before",
        ("exchang", "request", "row", "another"),
    ),
    _producer(
        "requests-run-on",
        lambda: requests("run on"),
        "positions run on from one request to the next",
        ("run on", "request", "continue"),
    ),
    _producer(
        "rank-local",
        lambda: ranked("local"),
        "each rank counts from 0",
        ("rank", "shard"),
        ("start", "0", "begin", "missing"),
    ),
    _producer(
        "rank-rounded-down",
        lambda: ranked("rounded down"),
        "the tokens that are left when the length is divided by the ranks belong to no rank",
        ("missing", "no rank", "not divid", "left", "last", "remain"),
    ),
    _producer(
        "rank-mirror-one-off",
        lambda: ranked("mirror one off"),
        "the second chunk of a zigzag is one too far",
        ("zigzag", "twice", "rank", "missing"),
    ),
    _producer(
        "rank-mirror-doubled",
        lambda: ranked("mirror in each half"),
        "the first chunk of a zigzag is number 2 rank in place of rank",
        ("zigzag", "twice", "rank", "missing"),
    ),
    _producer(
        "rank-overlap",
        lambda: ranked("overlap"),
        "the shards overlap by one token",
        ("twice", "overlap", "more than once", "several"),
    ),
    _producer(
        "rank-made-anew",
        lambda: sliced("made anew"),
        "a rank counts through its shard in place of taking the positions given, of packed documents",
        ("document", "given", "run on", "begin"),
    ),
    _producer(
        "rank-takes-first",
        lambda: sliced("first rank's"),
        "every rank takes the positions of the first",
        ("rank", "shard"),
    ),
    _producer(
        "image-text-one-behind",
        lambda: images("text one behind"),
        "text behind an image is one too low",
        ("image", "text"),
        ("one", "1"),
    ),
    _producer(
        "image-text-one-ahead",
        lambda: images("text one ahead"),
        "text behind an image is one too high",
        ("image", "text"),
        ("one", "1"),
    ),
    _producer(
        "image-text-behind-all",
        lambda: images("text behind all tokens"),
        "text goes on behind the number of an image's tokens",
        ("image", "text"),
    ),
    _producer(
        "image-text-behind-height",
        lambda: images("text behind height"),
        "text goes on behind an image's height, where its width is larger",
        ("image", "text"),
    ),
    _producer(
        "image-height-width",
        lambda: images("height and width"),
        "an image is counted column by column: height and width are exchanged",
        ("height",),
        ("width",),
    ),
    _producer(
        "image-not-merged",
        lambda: images("columns not merged"),
        "an image's width is not divided by the merge size",
        ("merge", "width", "grid"),
    ),
    _producer(
        "image-time-runs",
        lambda: images("time runs"),
        "the time of an image's tokens runs on as of text",
        ("time", "first coordinate", "text"),
    ),
    _producer(
        "image-time-0",
        lambda: images("time stays at 0"),
        "the time of an image does not count the text before it",
        ("time", "coordinate"),
    ),
    _producer(
        "image-from-0",
        lambda: images("coordinates from 0"),
        "the coordinates of an image do not count the text before it",
        ("image", "before", "start", "begin", "shift"),
    ),
    _producer(
        "image-grids-anew",
        lambda: images("grids begin anew"),
        "each row of a batch takes the grids from the first on",
        ("image", "row", "grid"),
    ),
    Entry(
        "positions-int16",
        "code",
        lambda: positions_as(torch.int16),
        "positions are kept in 16 bits and are negative from 32768 on",
        LONG,
        (("32768", "65536", "int16", "16 bits"),),
    ),
    Entry(
        "positions-float16",
        "code",
        lambda: positions_as(torch.float16),
        "positions are kept in float16",
        RopeSpec(64, 500000, length=16384),
        (("float16",), ("position",)),
    ),
    Entry(
        "positions-bfloat16",
        "code",
        lambda: positions_as(torch.bfloat16),
        "positions are kept in bfloat16",
        RopeSpec(64, 500000, length=4096),
        (("bfloat16",), ("position",)),
    ),
    Entry(
        "keys-in-slots",
        "code",
        keys_in_slots,
        "keys take their slot in a rolling cache of 1024 for the position",
        SPEC,
        (("key",), ("1024",)),
        {"form": "pair"},
    ),
    Entry(
        "from-first-token",
        "code",
        window_start,
        "positions are counted from the first token of the call",
        SPEC,
        (("first", "start", "0", "begin", "offset"),),
    ),
    Entry(
        "from-largest",
        "code",
        from_the_largest,
        "positions are counted back from the largest of the call",
        SPEC,
        (("largest", "last", "end", "maximum"),),
    ),
    Entry(
        "positions-sorted",
        "code",
        sorted_positions,
        "positions are sorted",
        SPEC,
        (("sort", "order"),),
    ),
    Entry(
        "positions-counted-again",
        "code",
        counted_again,
        "positions are counted on from the first, whatever they are",
        SPEC,
        (("first", "consecutive", "run", "arange", "counted", "packed"),),
    ),
)
