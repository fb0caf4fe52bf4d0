"""The chat template that goes into the GGUF, rendered here by the same text."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from jinja2 import Environment, Template

from generate.chat import Conversation

PATH = Path(__file__).parent / "chat_template.jinja"


@cache
def template() -> Template:
    """The compiled template, with JSON as the runtimes write it."""
    environment = Environment(keep_trailing_newline=False)
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    return environment.from_string(PATH.read_text())


def rendered(conversation: Conversation) -> str:
    """The whole conversation as the model reads it."""
    return template().render(messages=conversation.messages, tools=conversation.tools, response_schema=conversation.schema)


def prompt_of(conversation: Conversation) -> str:
    """The conversation up to where its last answer begins."""
    asked = conversation.messages[:-1]
    return template().render(messages=asked, tools=conversation.tools, response_schema=conversation.schema, add_generation_prompt=True)
