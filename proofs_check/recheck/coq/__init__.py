"""Coq: claims as theorems about Coq's reals, and their derivations as proofs that Coq checks.

Not trusted: what is written here is either accepted by Coq's kernel or is not.
"""
