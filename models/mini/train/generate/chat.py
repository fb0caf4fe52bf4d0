"""The shapes of what is generated: a conversation, and how to tell whether its last answer is right."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

Split = Literal["train", "validation", "test"]
Json = Any

LETTERS = "\x01"
"""Text between two of these marks is tokenised letter by letter."""

SILENT = "\x02"
"""Text between two of these marks is not learned: a grammar will have forced it."""


@dataclass(frozen=True)
class Call:
    """One tool call."""

    name: str
    arguments: dict[str, Json]

    def as_message_part(self) -> dict[str, Json]:
        """The call as chat templates know it."""
        return {"type": "function", "function": {"name": self.name, "arguments": self.arguments}}


@dataclass(frozen=True)
class Check:
    """When an answer is right: every string of `all`, one of `any`, exactly `calls`, or exactly the JSON `value`."""

    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    value: Json = None

    def as_dict(self) -> dict[str, Json]:
        """The check as plain data."""
        calls = [{"name": call.name, "arguments": call.arguments} for call in self.calls]
        return {"all": list(self.all), "any": list(self.any), "calls": calls, "value": self.value}


@dataclass
class Conversation:
    """Messages that end with the assistant's; tools and schema that it was given."""

    skill: str
    messages: list[dict[str, Json]]
    check: Check
    tools: list[dict[str, Json]] = field(default_factory=list)
    schema: dict[str, Json] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it may stand among others in one longer conversation."""
        return not self.tools and self.schema is None and self.messages[0]["role"] == "user"


def user(text: str) -> dict[str, Json]:
    """A user's message."""
    return {"role": "user", "content": text}


def system(text: str) -> dict[str, Json]:
    """A system message."""
    return {"role": "system", "content": text}


def assistant(text: str) -> dict[str, Json]:
    """An assistant's message."""
    return {"role": "assistant", "content": text}


def calling(calls: list[Call]) -> dict[str, Json]:
    """An assistant's message that only calls tools."""
    return {"role": "assistant", "content": "", "tool_calls": [call.as_message_part() for call in calls]}


def tool_result(text: str) -> dict[str, Json]:
    """What a tool answered."""
    return {"role": "tool", "content": text}


def letters(text: str) -> str:
    """`text`, to be tokenised letter by letter."""
    return f"{LETTERS}{text}{LETTERS}"


def silent(text: str) -> str:
    """`text`, not to be learned."""
    return f"{SILENT}{text}{SILENT}"


def unmarked(text: str) -> str:
    """`text` as a person sees it."""
    return text.replace(LETTERS, "").replace(SILENT, "")


def compact(value: Json) -> str:
    """JSON on one line, as templates write it."""
    return json.dumps(value, ensure_ascii=False)
