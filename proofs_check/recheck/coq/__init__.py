"""Coq: claims as theorems about Coq's real numbers, and derivations as proofs that Coq checks.

None of this is trusted: what is written here is either accepted by Coq's kernel or it is not.
"""
