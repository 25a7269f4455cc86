"""Arithmetical goals as Coq scripts: certificates, cases, equations."""
