"""Shell completion of command-line arguments: ids of claims, names of presets and profiles.

Only the lists themselves are loaded, no claim and no library.
"""

from __future__ import annotations

__all__ = ["ids", "presets", "profiles"]


def ids(incomplete: str) -> list[str]:
    """The ids of claims that begin with `incomplete`."""
    from ropeproof.theory.topics.contents import CONTENTS

    return [id for id in CONTENTS if id.startswith(incomplete)]


def presets(incomplete: str) -> list[str]:
    """The names of presets that begin with `incomplete`."""
    from ropeproof.theory.rotary.presets import PRESETS
    from ropeproof.theory.rotary.released import RELEASED

    return [name for name in (*PRESETS, *RELEASED) if name.startswith(incomplete)]


def profiles(incomplete: str) -> list[str]:
    """The names of profiles that begin with `incomplete`."""
    return [name for name in ("quick", "default", "deep") if name.startswith(incomplete)]
