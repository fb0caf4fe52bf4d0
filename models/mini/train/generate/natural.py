"""Values as people use them: the texts in `values/`, one a line under the name of its list."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from .further import lists_in

FOLDER = Path(__file__).parent / "values"


def natural(random: Random, *names: str) -> str:
    """A value of one of these lists."""
    return random.choice(values()[random.choice(names)])


@cache
def values() -> dict[str, tuple[str, ...]]:
    """Every list, by its name."""
    return {name: rows for file in sorted(FOLDER.glob("*.txt")) for name, rows in lists_in(file).items()}
