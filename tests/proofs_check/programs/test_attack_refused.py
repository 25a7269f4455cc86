"""No function of the collection of attacks is proved to be what it is not; none that is right is refuted."""

from __future__ import annotations

import warnings

import pytest
from attack import ENTRIES
from attack.__main__ import answered, judged

_NAMES = """
zero_times_a_pole pole_less_itself root_less_itself zero_times_a_pole_of_positions
zero_times_a_logarithm root_of_positions_less_itself exponential_overflows product_underflows
product_overflows count_by_nonzero count_by_mask count_by_masked_select count_by_unique count_by_bincount
count_by_repetition pieces_by_positions entries_by_nonzero copied_by_a_list array_that_shares_memory
bytes_that_share_memory factor_from_another_thread branch_in_another_thread factor_without_modes
factor_below_python exception_of_a_view exception_of_a_layout integer_of_its_own_kind integer_with_bits
unseen_by_modes unseen_by_function_modes counter_of_itertools queue_of_calls bytes_of_calls
counter_behind_many_objects counter_in_a_library counter_in_a_generator chance_by_a_hidden_import
chance_by_numpy a_file_decides number_of_threads_decides torch_assertion_on_values
table_in_the_first_type rebuilt_after_a_long_call kernel_of_the_cosine_replaced
late_calls_write_a_buffer read_by_a_buffer read_by_a_method_of_bytes read_by_the_base
read_by_a_plain_view read_by_an_early_name factor_by_an_early_name place_of_the_largest places_by_nonzero
places_by_function places_by_mask equal_positions_by_unique sorted_search printed_positions finite_poles
zero_times_a_pole_in_numpy late_calls_write_an_array exception_of_a_type filled_by_a_method
sorted_in_place table_of_all_rows table_read_by_embedding two_coordinates
written_into_a_new_array copied_before_writing
"""
FIRST = _NAMES.split()
"""Those that earlier provers proved wrongly, and the right functions that they refuted."""

BY_NAME = {entry.name: entry for entry in ENTRIES}


def _is_judged_rightly(entry):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = answered(entry)
        worth = judged(entry, answer)
    told = (worth, answer.reason, answer.statement)
    assert "FALSE" not in worth, told
    assert worth != "CRASH", told
    assert "NOT REAL" not in worth, told


@pytest.mark.parametrize("name", FIRST)
def test_what_was_proved_wrongly_once_is_not_proved(name):
    _is_judged_rightly(BY_NAME[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", [e.name for e in ENTRIES if e.name not in FIRST])
def test_the_whole_collection_is_judged_rightly(name):
    _is_judged_rightly(BY_NAME[name])
