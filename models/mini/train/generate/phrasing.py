"""Template families: which of them a split may use, and the small talk around a request."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .chat import Split

OPENINGS = ("", "", "", "", "", "", "Please ", "Hey, ", "Can you help? ", "Quick question: ", "Hi! ", "Okay, ", "Now, ", "So, ", "One more: ")
SMALL = frozenset(("a", "an", "are", "can", "could", "do", "does", "for", "i", "in", "is", "it", "me", "my", "of", "please", "that", "the", "this", "to", "what", "you", "your"))
FILLERS = ("actually", "again", "also", "exactly", "just", "kindly", "maybe", "now", "please", "quickly", "really", "right", "simply", "then", "today", "well", "so", "perhaps", "here")
ENDINGS = ("", "", "", "", "", "", " Please.", " Thanks.", " Thank you!", " Thanks in advance.", " That is all.")


def families(split: Split, templates: Sequence[str]) -> list[str]:
    """The templates that `split` owns: every seventh is kept for tests, every seventh for validation."""
    if len(templates) < 7:
        raise ValueError(f"{len(templates)} templates are too few to hold some back: write at least 7")
    kept = {"test": (5,), "validation": (3,), "train": (0, 1, 2, 4, 6)}[split]
    return [template for index, template in enumerate(templates) if index % 7 in kept]


def phrase(random: Random, split: Split, templates: Sequence[str], **slots: object) -> str:
    """One of the split's templates, filled, and dressed as people write."""
    template = random.choice(families(split, templates))
    if split != "train":
        return template.format(**slots)
    text = worn(random, template).format(**slots)
    return dressed(random, text) if random.random() < 0.5 else text


def worn(random: Random, template: str) -> str:
    """`template` as somebody in a hurry says it: now and then a small word is missing, or one too many, before the first slot."""
    words = template.split(" ")
    free = next((index for index, word in enumerate(words) if "{" in word), len(words))
    chance = random.random()
    small = [index for index in range(free) if words[index].lower() in SMALL]
    if chance < 0.12 and small and len(words) > 2:
        del words[random.choice(small)]
    elif chance < 0.22 and len(words) > 1:
        words.insert(random.randint(0, max(free - 1, 0)), random.choice(FILLERS))
    elif chance < 0.27 and free > 1:
        words[:free] = [word.lower() for word in words[:free]]
    return " ".join(words)


def dressed(random: Random, text: str) -> str:
    """`text` with an opening, an ending, another case or other punctuation."""
    opening, ending = random.choice(OPENINGS), random.choice(ENDINGS)
    if opening.endswith((", ", "Please ")) and text[:1].isupper() and not text.startswith("I ") and text[1:2].islower():
        text = text[0].lower() + text[1:]
    if ending and text[-1:] not in ".?!":
        text += "."
    text = opening + text + ending
    chance = random.random()
    if chance < 0.06 and text[1:2].islower():
        text = text[0].lower() + text[1:]
    elif chance < 0.12 and text[-1:] in ".?":
        text = text[:-1]
    return text


def joined(items: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
