"""What a shell completes: ids of claims, names of presets and profiles. Nothing is loaded but lists."""

from __future__ import annotations

__all__ = ["ids", "presets", "profiles"]


def ids(incomplete: str) -> list[str]:
    """The ids that begin so."""
    from ropeproof.theory.topics.contents import CONTENTS

    return [id for id in CONTENTS if id.startswith(incomplete)]


def presets(incomplete: str) -> list[str]:
    """The presets whose names begin so."""
    from ropeproof.theory.rotary.presets import PRESETS
    from ropeproof.theory.rotary.released import RELEASED

    return [name for name in (*PRESETS, *RELEASED) if name.startswith(incomplete)]


def profiles(incomplete: str) -> list[str]:
    """The profiles whose names begin so."""
    return [name for name in ("quick", "default", "deep") if name.startswith(incomplete)]
