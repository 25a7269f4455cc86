"""Arithmetical goals as scripts for Coq: certificates, cases, equations."""
