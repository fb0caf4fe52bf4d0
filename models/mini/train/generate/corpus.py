"""The mixture that the chat model is trained on, and the cases that it is measured on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from .about_parley import about_parley
from .arithmetic import arithmetic
from .chat import Conversation, Json, Split, system
from .facts import facts
from .phrasing import any_form
from .recall import recall
from .refusal import refusal
from .small_talk import small_talk
from .structured import structured
from .system_prompts import NEUTRAL, system_prompts
from .tool_calls import tool_calls
from .word_work import word_work

Skill = Callable[[Random, Split], Conversation]
PLAIN: dict[str, tuple[Skill, float]] = {
    "small talk": (small_talk, 8),
    "about Parley": (about_parley, 5),
    "arithmetic": (arithmetic, 12),
    "words": (word_work, 18),
    "facts": (facts, 5),
    "refusal": (refusal, 7),
    "recall": (recall, 6),
}
APART: dict[str, tuple[Skill, float]] = {
    "system prompt": (system_prompts, 9),
    "tool calls": (tool_calls, 60),
    "structured": (structured, 32),
}
ALL = {**PLAIN, **APART}
SKILLS = (*(name for name in ALL if name != "tool calls"), "tool results")
"""Everything but calls."""

LONGEST = 6


def conversations(seed: int, split: Split = "train") -> Iterator[Conversation]:
    """Conversations without end, always the same for the same seed and split."""
    random = Random(f"{split} {seed}")
    while True:
        skill = drawn(random, ALL)
        made = skill(random, split)
        if made.is_plain:
            yield chained(random, split, made)
        else:
            yield made


def chained(random: Random, split: Split, first: Conversation) -> Conversation:
    """A longer conversation that begins with `first`, under an ordinary system prompt or none."""
    messages: list[dict[str, Json]] = [system(any_form(random, NEUTRAL))] if random.random() < 0.25 else []
    messages += first.messages
    last = first
    for _ in range(random.choice((0, 0, 1, 2, 3, 4, LONGEST))):
        last = drawn(random, PLAIN)(random, split)
        messages += last.messages
    return Conversation(last.skill, messages, last.check)


def cases(seed: int, split: Split, count: int) -> Iterator[Conversation]:
    """`count` cases of each skill, and six times as many of tool calls, which come in three kinds and are the most varied, for measuring."""
    for name, (skill, _) in ALL.items():
        random = Random(f"cases {split} {seed} {name}")
        for index in range(6 * count if name == "tool calls" else count):
            if name == "structured":
                yield with_schema(random, split)
            elif name != "tool calls":
                yield skill(random, split)
            else:
                kind = ("calls", "calls", "answer", "none")[index % 4]
                made = tool_calls(random, split, kind)
                made.skill = {"calls": "tool calls", "answer": "tool results", "none": "no call"}[kind]
                yield made


def with_schema(random: Random, split: Split) -> Conversation:
    """A structured answer whose schema the model is shown."""
    while True:
        made = structured(random, split)
        if made.schema:
            return made


def drawn(random: Random, mixture: dict[str, tuple[Skill, float]]) -> Skill:
    """One skill by its weight."""
    return random.choices([skill for skill, _ in mixture.values()], [weight for _, weight in mixture.values()])[0]
