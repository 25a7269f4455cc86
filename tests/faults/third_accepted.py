"""What the kit may call each fault of the third collection; an empty set: no name, but a fact."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["THIRD_ACCEPTED"]

THIRD_ACCEPTED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        name: frozenset(ids.split())
        for name, ids in {
            "positions_in_a_byte": "limit",
            "two_for_padding": "offset",
            "offset_twice": "",
            "grouped_when_far": "",
            "spread_by_linspace": "stretch",
            # Where one vector is decoded the longest row is the last one of the call.
            "longest_row": "rows",
            "rows_rolled": "",
            # Position 0 turns nothing: the same numbers as of vectors that are not rotated.
            "prefill_forgotten": "not-rotated",
            "sines_one_row_on": "",
            # Frequencies 1, 0, 0, ...: the same numbers as of frequencies cut to integers.
            "infinite_base": "still-planes",
            # 10000 ** (96 / 128) is 1000: the same numbers.
            "exponent_of_padded_head": "base exponent",
            "sines_behind_the_row": "",
            "base_slightly_off": "base",
            "divided_by_frequency": "unit",
            "every_other_base": "",
            "added_rows_unscaled": "scaling-missing",
            "half_interpolated": "",
            "length_of_the_call": "scaling-length",
            "dynamic_jumps": "scaling-dynamic",
            "factor_of_another_model": "",
            "factor_in_prefill_only": "attention-factor",
            "exchanged_factors": "scaling-length",
            "always_long": "scaling-length",
            # A ramp between exchanged ends falls where it is to rise.
            "exchanged_bands": "scaling-blend",
            "over_the_head": "head-pairs+exponent",
            "lanes_of_four": "",
            "alternating_sign": "",
            "row_cut_in_halves": "",
            "half_of_the_half": "rotary-part",
            "halves_exchanged": "",
            "cosines_alone": "half-lost",
            "tables_in_eight_bits": "",
            "three_terms": "",
            "product_under_autocast": "angle-type",
            "keys_of_a_cache": "",
            "stride_of_two": "not-rotated",
            "one_long_head": "",
            "block_from_zero": "",
            "WornTable": "angle-type",
            "gradient_without_factor": "attention-factor",
            "rest_without_gradient": "rest",
            "keys_of_another_base": "base",
            "keys_ahead": "offset",
            "merged_patches": "",
            "double_time": "",
            "turned_in_eight_bits": "contract.linear",
        }.items()
    }
)
