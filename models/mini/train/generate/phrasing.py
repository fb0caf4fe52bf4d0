"""Template families: which of them a split may use, the forms that each comes in, and the small talk around a request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, product
from random import Random
from typing import TypeVar

from .chat import Split

Row = TypeVar("Row")

CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
"""`[one|other]` in a template: any of these."""

OPENINGS = (*[""] * 8, "Please ", "Hey, ", "Can you help? ", "Quick question: ", "Hi! ", "Okay, ", "Now, ", "So, ", "One more: ", "Hello. ", "Next: ", "Well, ", "By the way, ", "Listen, ", "Then ", "And ", "Good. ", "Question: ", "Right, ")
FRAMES = ("Can you {}", "Could you {}", "Would you {}", "Will you {}", "I want you to {}", "I'd like you to {}", "I need you to {}", "Try to {}", "Could you please {}", "Would you please {}", "You should {}", "You must {}", "Go and {}", "Help me: {}", "I ask you to {}", "You can {}", "Let us {}", "Let's {}", "Time to {}", "Your task: {}", "Do this: {}", "Kindly {}", "Just {}", "First, {}")
"""What somebody says around a wish that begins with a verb."""

ASKING = ("Tell me: {}", "I want to know: {}", "Do you know {}", "Can you tell me {}", "Could you say {}", "I wonder, {}", "Please tell me, {}", "{} I forgot.", "{} Tell me.", "A question: {}", "Let me ask: {}", "I need to know: {}", "Hm, {}", "My question is: {}", "May I ask, {}", "Say, {}")
"""What somebody says around a question."""

WH = frozenset(("what", "what's", "which", "who", "how", "where", "when"))
IMPERATIVES = frozenset(["add", "answer", "archive", "arrange", "book", "bring", "buy", "calculate", "call", "cancel", "change", "check", "compare", "compose", "compute", "convert", "copy", "count", "create", "cut", "define", "delete", "describe", "design", "divide", "do", "draft", "draw", "echo", "edit", "email", "erase", "explain", "extract", "fetch", "fill", "find", "flip", "form", "get", "give", "greet", "halt", "imagine", "invent", "list", "locate", "look", "make", "mirror", "modify", "multiply", "name", "open", "order", "paint", "parse", "pick", "plan", "play", "predict", "print", "program", "pull", "purchase", "put", "rank", "read", "recommend", "remove", "repeat", "reply", "reserve", "respond", "return", "reverse", "review", "save", "say", "schedule", "search", "send", "set", "share", "shout", "show", "sing", "solve", "sort", "spell", "split", "start", "stop", "structure", "subtract", "sum", "summarise", "summarize", "take", "teach", "tell", "text", "transform", "translate", "turn", "type", "update", "uppercase", "use", "verify", "work", "write"])
SMALL = frozenset(("a", "an", "are", "can", "could", "do", "does", "for", "i", "in", "is", "it", "me", "my", "of", "please", "that", "the", "this", "to", "what", "you", "your"))
FILLERS = ("actually", "again", "also", "exactly", "just", "kindly", "maybe", "now", "please", "quickly", "really", "right", "simply", "then", "today", "well", "so", "perhaps", "here")
ENDINGS = ("", "", "", "", "", "", " Please.", " Thanks.", " Thank you!", " Thanks in advance.", " That is all.")


def families(split: Split, templates: Sequence[str]) -> list[str]:
    """The templates without a choice in them that `split` owns."""
    plain = [template for template in templates if not CHOICE.search(template)]
    if len(plain) < 7:
        raise ValueError(f"{len(plain)} templates are too few to hold some back: write at least 7")
    return owned_by(split, plain)


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
    """What training may not say, however it comes to it."""
    return frozenset(template.lower() for split in ("test", "validation") for template in families(split, templates))


@cache
def owned_forms(split: Split, templates: tuple[str, ...]) -> tuple[list[tuple[str, ...]], list[float]]:
    """
    The forms of each family of a split, and how often each family is drawn: more often, the more forms it has. Families with a
    choice are for training, without the forms that are held back.
    """
    held = held_back(templates) if split == "train" else frozenset()
    owned = families(split, templates) + [template for template in templates if split == "train" and CHOICE.search(template)]
    families_of = [tuple(form for form in forms(template) if form.lower() not in held) for template in owned]
    kept = [each for each in families_of if each]
    return kept, list(accumulate(len(each) ** 0.4 for each in kept))


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
    text = (template if changed.lower() in held_back(tuple(templates)) else changed).format(**slots)
    return dressed(random, text) if random.random() < 0.5 else text


def framed(random: Random, template: str) -> str:
    """A template that is a wish or a question, now and then within a sentence that asks for it."""
    first, _, rest = template.partition(" ")
    if first.lower() in WH and template.endswith("?") and random.random() < 0.12:
        return random.choice(ASKING).format(template[0].lower() + template[1:])
    if random.random() > 0.2 or not rest or first.lower() not in IMPERATIVES:
        return template
    text = random.choice(FRAMES).format(f"{first.lower()} {rest}")
    return f"{text[:-1]}?" if text.startswith(("Can", "Could", "Would", "Will")) and text.endswith(".") and random.random() < 0.7 else text


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
    if opening.endswith((", ", "Please ", "Then ", "And ")) and text[:1].isupper() and not text.startswith(("I ", "I'")) and text[1:2].islower():
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
