"""Tasks and their data [HEADS, DECOUPLE]: drawn, enumerated and solved, on arrays of token numbers.

- `vocabulary`: token numbers and their printable names, one record per task;
- `number_task`, `letter_task`, `index_task`, `information_retrieval`, `partial_induction`,
  `induction_task`: drawn sequences with balanced strata, as a `TaskData`;
- `solve_...`: answers by definition; `index_once`, `retrieve_once` and their iterates: the
  functions of which a stack of heads is made (`task.compose-index`,
  `task.compose-retrieval`, `task.compose-retrieval-chain`);
- `every_...`, `count_...`: all inputs of a small task, and how many there are;
- `prepend_targets`: given sequences made longer, with the same answers.

Everything is NumPy; importing this package loads neither torch nor transformers.
"""

from ropeproof.numerics.task.data import TaskData
from ropeproof.numerics.task.exhaustive import (
    count_letter_inputs,
    count_number_inputs,
    every_letter_input,
    every_number_input,
)
from ropeproof.numerics.task.exhaustive_lookup import (
    count_information_retrieval_inputs,
    count_partial_induction_inputs,
    every_information_retrieval_input,
    every_partial_induction_input,
)
from ropeproof.numerics.task.extend import prepend_targets
from ropeproof.numerics.task.induction import induction_task, solve_induction
from ropeproof.numerics.task.letter import letter_task
from ropeproof.numerics.task.lookup import index_task, information_retrieval, partial_induction
from ropeproof.numerics.task.number import number_task
from ropeproof.numerics.task.solve import (
    Chain,
    chain_letter,
    chain_number,
    index_once,
    index_times,
    retrieve_once,
    retrieve_times,
    solve_index,
    solve_information_retrieval,
    solve_letter,
    solve_number,
    solve_partial_induction,
)
from ropeproof.numerics.task.vocabulary import (
    IndexVocabulary,
    KeyValueVocabulary,
    LetterVocabulary,
    NumberVocabulary,
    TokenVocabulary,
    Vocabulary,
)

__all__ = [
    "Chain",
    "IndexVocabulary",
    "KeyValueVocabulary",
    "LetterVocabulary",
    "NumberVocabulary",
    "TaskData",
    "TokenVocabulary",
    "Vocabulary",
    "chain_letter",
    "chain_number",
    "count_information_retrieval_inputs",
    "count_letter_inputs",
    "count_number_inputs",
    "count_partial_induction_inputs",
    "every_information_retrieval_input",
    "every_letter_input",
    "every_number_input",
    "every_partial_induction_input",
    "index_once",
    "index_task",
    "index_times",
    "induction_task",
    "information_retrieval",
    "letter_task",
    "number_task",
    "partial_induction",
    "prepend_targets",
    "retrieve_once",
    "retrieve_times",
    "solve_index",
    "solve_induction",
    "solve_information_retrieval",
    "solve_letter",
    "solve_number",
    "solve_partial_induction",
]
