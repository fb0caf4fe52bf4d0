"""More wordings: the texts in `wordings/`, one family a line under the name of its list. Those in `asked.txt` are for tests only."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "wordings"
HEADING = "## "

FOR_TESTS = "\x03"
"""Before a wording that only tests may use."""


def further(named: str) -> tuple[str, ...]:
    """The families of the list `module.name`."""
    module, _, name = named.partition(".")
    asked = (FOR_TESTS + each for each in lists_of("asked").get(named, ()))
    return (*lists_of(module)[name], *asked)


@cache
def lists_of(module: str) -> dict[str, tuple[str, ...]]:
    """Every list of a module, by its name."""
    return lists_in(FOLDER / f"{module}.txt")


def lists_in(file: Path) -> dict[str, tuple[str, ...]]:
    """Every list of a file, by its name."""
    blocks = file.read_text().split(HEADING)[1:]
    return {name: tuple(filter(None, rows)) for name, *rows in (block.split("\n") for block in blocks)}
