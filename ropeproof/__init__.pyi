"""The public names of `ropeproof`, each with the module that it is loaded from when it is first used.

The only list of them: type checkers and editors read it, and so does `__init__.py` when it is imported.
"""

from ropeproof import constructions as constructions
from ropeproof import numerics as numerics
from ropeproof import proofs_check as proofs_check
from ropeproof import theory as theory
from ropeproof import tools as tools
from ropeproof.constructions import Certificate as Certificate
from ropeproof.constructions import Head as Head
from ropeproof.constructions import absolute_index_head as absolute_index_head
from ropeproof.constructions import build_model as build_model
from ropeproof.constructions import canonical_head as canonical_head
from ropeproof.constructions import certify_head as certify_head
from ropeproof.constructions import certify_network as certify_network
from ropeproof.constructions import compose as compose
from ropeproof.constructions import content_and_position as content_and_position
from ropeproof.constructions import decode_length as decode_length
from ropeproof.constructions import export_network as export_network
from ropeproof.constructions import index_head as index_head
from ropeproof.constructions import induction_network as induction_network
from ropeproof.constructions import information_retrieval_head as information_retrieval_head
from ropeproof.constructions import partial_induction_head as partial_induction_head
from ropeproof.constructions import predict as predict
from ropeproof.constructions import retrieval_head as retrieval_head
from ropeproof.constructions import rewrite_head as rewrite_head
from ropeproof.constructions import sink_head as sink_head
from ropeproof.constructions import slash_head as slash_head
from ropeproof.constructions import soft_head as soft_head
from ropeproof.constructions import to_layout as to_layout
from ropeproof.constructions import toeplitz as toeplitz
from ropeproof.constructions import write_head as write_head
from ropeproof.constructions import write_sink_head as write_sink_head
from ropeproof.numerics import strategies as strategies
from ropeproof.numerics.bounds.head.sink import best_sink as best_sink
from ropeproof.numerics.bounds.race import expected_needle_score as expected_needle_score
from ropeproof.numerics.bounds.race import race_bounds as race_bounds
from ropeproof.numerics.bounds.slash.budget import slash_budget as slash_budget
from ropeproof.numerics.bounds.slash.game import optimal_slash as optimal_slash
from ropeproof.numerics.bounds.slash.score import dominant_lags as dominant_lags
from ropeproof.numerics.bounds.slash.score import slash_scores as slash_scores
from ropeproof.numerics.bounds.slash.soft import soft_optimum as soft_optimum
from ropeproof.numerics.forms.distance import same_head as same_head
from ropeproof.numerics.forms.of_model import head_forms as head_forms
from ropeproof.numerics.models import head_scores as head_scores
from ropeproof.numerics.models.built import check_built as check_built
from ropeproof.numerics.models.trainer import RopeCheckCallback as RopeCheckCallback
from ropeproof.numerics.task import induction_task as induction_task
from ropeproof.numerics.task import letter_task as letter_task
from ropeproof.numerics.task import number_task as number_task
from ropeproof.proofs_check.authoring.trial import try_claims as try_claims
from ropeproof.proofs_check.instantiate.model import instantiate as instantiate
from ropeproof.proofs_check.run.runner import check as check
from ropeproof.theory.errors import InvalidArgument as InvalidArgument
from ropeproof.theory.errors import InvalidClaim as InvalidClaim
from ropeproof.theory.errors import RopeproofError as RopeproofError
from ropeproof.theory.errors import Unsupported as Unsupported
from ropeproof.theory.language.axioms import AXIOMS as AXIOMS
from ropeproof.theory.language.claim import Claim as Claim
from ropeproof.theory.rotary.presets import PRESETS as PRESETS
from ropeproof.theory.rotary.scaling import Dynamic as Dynamic
from ropeproof.theory.rotary.scaling import Linear as Linear
from ropeproof.theory.rotary.scaling import Llama3 as Llama3
from ropeproof.theory.rotary.scaling import LongRope as LongRope
from ropeproof.theory.rotary.scaling import Yarn as Yarn
from ropeproof.theory.rotary.spec import RopeSpec as RopeSpec
from ropeproof.theory.topics.catalogue import CLAIMS as CLAIMS
from ropeproof.tools import conform as conform
from ropeproof.tools.budget.decoding import decoding_budget as decoding_budget
from ropeproof.tools.measure import MeasureOptions as MeasureOptions
from ropeproof.tools.measure import measure_model as measure_model
from ropeproof.tools.measure.kinds import head_kinds as head_kinds
from ropeproof.tools.measure.monitor.callback import HeadMonitor as HeadMonitor

__version__: str
