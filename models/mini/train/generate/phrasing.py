"""Template families: which of them a split may use, the forms that each comes in, and how they are said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, product
from random import Random
from typing import TypeVar

from .chat import Split
from .dressing import dressed, framed, worn
from .further import FOR_TESTS
from .reach import comes_to, said_in_training

Row = TypeVar("Row")

CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
"""`[one|other]` in a template: any of these."""


def families(split: Split, templates: Sequence[str]) -> list[str]:
    """The templates without a choice in them that `split` owns."""
    plain = [template for template in templates if not CHOICE.search(template) and not template.startswith(FOR_TESTS)]
    if len(plain) < 7:
        raise ValueError(f"{len(plain)} templates are too few to hold some back: write at least 7")
    return owned_by(split, plain)


def asked_in(split: Split, templates: Sequence[str]) -> list[str]:
    """The families of a split for measuring: for tests also those that are for nothing else."""
    apart = [template.removeprefix(FOR_TESTS) for template in templates if template.startswith(FOR_TESTS)]
    return families(split, templates) + (apart if split == "test" else [])


def owned_by(split: Split, rows: Sequence[Row]) -> list[Row]:
    """The rows of a list that a split owns: every seventh is for tests, every seventh for validation, the others for training."""
    kept = {"test": (5,), "validation": (3,), "train": (0, 1, 2, 4, 6)}[split]
    return [row for index, row in enumerate(rows) if index % 7 in kept]


@cache
def forms(template: str) -> tuple[str, ...]:
    """Everything that a template with choices may say."""
    parts = CHOICE.split(template)
    return tuple("".join(chosen) for chosen in product(*(part.split("|") if index % 2 else (part,) for index, part in enumerate(parts))))


@cache
def held_back(templates: tuple[str, ...]) -> frozenset[str]:
    """What training may not say, however it comes to it, in small letters."""
    return frozenset(template.lower() for split in ("test", "validation") for template in families(split, templates))


@cache
def owned_forms(split: Split, templates: tuple[str, ...]) -> tuple[list[tuple[str, ...]], list[float]]:
    """
    The forms of each family of a split, and how often each family is drawn: more often, the more forms it has. Families with a
    choice are for training, without the forms that are held back.
    """
    kept = forms_in_training(templates) if split == "train" else [(template,) for template in unreached(split, templates)]
    return kept, list(accumulate(len(each) ** 0.4 for each in kept))


def forms_in_training(templates: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What training may say of these families, those with a choice among them, without the forms that are held back."""
    owned = [*families("train", templates), *filter(CHOICE.search, templates)]
    families_of = [tuple(form for form in forms(template) if form.lower() not in held_back(templates)) for template in owned]
    return [each for each in families_of if each]


def unreached(split: Split, templates: tuple[str, ...]) -> list[str]:
    """
    The families of a split for measuring that training does not come to, whatever a slot is called there. For validation, which is for
    looking at, all where there are none.
    """
    said = said_in_training(form for each in forms_in_training(templates) for form in each)
    found = [each for each in asked_in(split, templates) if not comes_to(each, said)]
    if not found and split == "test":
        raise ValueError(f"training comes to every wording for tests in the list with {templates[-1]!r}: write more of them")
    return found or asked_in(split, templates)


def any_form(random: Random, templates: Sequence[str]) -> str:
    """One form of one of the templates, whatever the split."""
    return random.choice(forms(random.choice(templates)))


def wording(random: Random, split: Split, templates: Sequence[str]) -> str:
    """One form of one of the split's families, not filled yet."""
    owned, weights = owned_forms(split, tuple(templates))
    return random.choice(random.choices(owned, cum_weights=weights)[0])


def phrase(random: Random, split: Split, templates: Sequence[str], **slots: object) -> str:
    """One of the split's templates, filled, and dressed as people write."""
    template = wording(random, split, templates)
    if split != "train":
        return template.format(**slots)
    changed = worn(random, framed(random, template))
    if random.random() < 0.5:
        changed = dressed(random, changed)
    return (template if changed.lower() in held_back(tuple(templates)) else changed).format(**slots)
