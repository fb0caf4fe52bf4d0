"""What training says although it stands in none of its lists: a wording without its full stop, behind an opening, in a frame."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .dressing import ASKING, ENDINGS, FILLERS, FRAMES, OPENINGS, SMALL

SLOT = re.compile(r"\{\w+\}")
EDGES = re.compile(r"^[\s.,!?;:]+|[\s.,!?;:]+$")


def bare(text: str) -> str:
    """`text` without what stands at its edges, in small letters, and with slots that all look the same."""
    return EDGES.sub("", SLOT.sub("{}", text.lower()))


BEFORE = sorted({bare(each.split("{}")[0]) for each in (*OPENINGS, *FRAMES, *ASKING)} - {""}, key=len, reverse=True)
BEHIND = sorted({bare(each.split("{}")[-1]) for each in (*ENDINGS, *ASKING)} - {""})


def said_in_training(wordings: Iterable[str]) -> frozenset[str]:
    """The wordings, bare, and what is left of each without one of its small words."""
    said: set[str] = set()
    for wording in wordings:
        words = bare(wording).split(" ")
        said.add(" ".join(words))
        if len(words) > 2:
            said.update(" ".join(words[:index] + words[index + 1 :]) for index, word in enumerate(words) if word in SMALL)
    return frozenset(said)


def comes_to(wording: str, said: frozenset[str]) -> bool:
    """Whether training comes to a wording by what it does to those that it says."""
    within = {bare(wording)}
    for _ in range(2):
        within |= {shorter for each in within for shorter in undressed(each)}
    within |= {shorter for each in within for shorter in without_filler(each)}
    return not within.isdisjoint(said)


def undressed(text: str) -> set[str]:
    """What may have been said before something was put before it or behind it."""
    before = {bare(text[len(each) :]) for each in BEFORE if text.startswith(each) and not text[len(each) : len(each) + 1].isalnum()}
    behind = {bare(text[: -len(each)]) for each in BEHIND if text.endswith(f" {each}")}
    return (before | behind) - {""}


def without_filler(text: str) -> set[str]:
    """What may have been said before a word was put in that means nothing."""
    words = text.split(" ")
    return {" ".join(words[:index] + words[index + 1 :]) for index, word in enumerate(words) if bare(word) in FILLERS}
