"""More wordings, for training only: the texts in `wordings/`, one family a line under the name of its list."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "wordings"
HEADING = "## "


def further(named: str) -> tuple[str, ...]:
    """The families of the list `module.name`."""
    module, _, name = named.partition(".")
    return lists_of(module)[name]


@cache
def lists_of(module: str) -> dict[str, tuple[str, ...]]:
    """Every list of a module, by its name."""
    blocks = (FOLDER / f"{module}.txt").read_text().split(HEADING)[1:]
    return {name: tuple(filter(None, rows)) for name, *rows in (block.split("\n") for block in blocks)}
