"""The claims of a user's file: its code runs once, in a process of its own, and says what it states.

The file is Python and runs with all rights of the user. What comes back from its process is data
(`apart`), so that nothing which its code does there can change who judges: a file that ends the
program, replaces parts of this project or of a library, or whose objects are not what they look like.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ropeproof.proofs_check.run import refused
from ropeproof.proofs_check.run.apart.user_file import without_refused
from ropeproof.proofs_check.run.cache.content import Unreadable, claim_digest
from ropeproof.proofs_check.run.printed_names import check_names
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim

if TYPE_CHECKING:
    from ropeproof.proofs_check.evidence import Evidence
    from ropeproof.proofs_check.run.apart.host import Host

__all__ = ["claims_of", "looked_at", "stamp"]


def claims_of(path: str) -> tuple[Claim, ...]:
    """The claims that a user's file states.

    Raises `InvalidArgument` for a file that is not there, does not come to its end, registers no
    claims, or registers evidence for claims that are not its own; `InvalidClaim` for a claim that is
    not made of plain parts.
    """
    from ropeproof.proofs_check.run.apart.host import Host

    host = Host(path)
    claims, _ = looked_at(host)
    host.close()
    return claims


def looked_at(host: Host) -> tuple[tuple[Claim, ...], Mapping[str, tuple[Evidence, ...]]]:
    """The claims and the evidence of a host's file, which may have been started; errors as `claims_of`."""
    refused.begin(host.path)
    claims = host.claims()
    for about, reason in host.refusals():
        refused.refuse(host.path, about, reason)
    claims = without_refused(host.path, claims)
    if refusals := () if claims else refused.refused_in(host.path):
        raise InvalidClaim("; ".join(map(str, refusals)))
    for claim in claims:
        check_names(claim)
        try:
            claim_digest(claim)
        except Unreadable as error:
            raise InvalidClaim(f"{claim.id}: {error}; allowed: SymPy's terms of numbers") from error
        except RecursionError:
            raise InvalidClaim(
                f"{host.path}: {claim.id}: a formula that is nested too deeply to be read"
            ) from None
    return claims, host.evidence()


def stamp(claims: Iterable[Claim]) -> str:
    """A hash of the whole content of the claims, by which another process checks that it read the same."""
    return hashlib.sha256("".join(map(claim_digest, claims)).encode()).hexdigest()
