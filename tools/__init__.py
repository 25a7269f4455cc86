"""What people run on models, configurations and implementations: one folder for each tool.

Each folder holds what the tool computes, its report, and its `command.py`; `console` is what they share.
Nothing here imports `proofs_check`.
"""
