"""Conversations with tools: one call, several, none, what was told before, and the use of results."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from .about_parley import about_parley
from .arguments import Argument, refilled, said, spoken
from .arithmetic import arithmetic
from .chat import Call, Check, Conversation, Json, Split, assistant, calling, compact, system, tool_result, user
from .dressing import dressed, joined
from .facts import facts
from .natural import natural
from .phrasing import any_form
from .recall import recall
from .small_talk import small_talk
from .system_prompts import NEUTRAL
from .tools import Tool, clash, may_be_told, purposes, request, tool, tools_of_a_field
from .word_work import word_work
from .words import FOODS, THINGS, city, invented, name

BETWEEN = (" Also, ", " And ", " Then ", " After that, ", "\n", " ")
IN_ONE_BREATH = (" and ", ", and ", " and then ", ", then ", " and also ")
FAILURES = ("not found", "permission denied", "timeout", "invalid id", "service unavailable", "no such city", "out of stock", "unknown user")
KNOWN_BY_HEART = frozenset(("numbers", "capital"))
NO_TOOL = "I have no tool for that."
DONE = ("Done.", "ok", "success", "The request was accepted.", "Saved.", "It worked.")


def toolbox(random: Random, split: Split) -> list[Tool]:
    """One to six tools with different names; in training often of one field, as agents have them."""
    count = random.choice((1, 1, 2, 2, 3, 3, 4, 5, 6))
    is_of_a_field = split == "train" and random.random() < 0.35
    tools: list[Tool] = []
    for made in tools_of_a_field(random, split, count) if is_of_a_field else [tool(random, split) for _ in range(count)]:
        if not any(clash(made, other, is_of_a_field) for other in tools):
            tools.append(made)
    return tools


def tool_calls(random: Random, split: Split, ends_with: str = "") -> Conversation:
    """A conversation with tools; `ends_with` may ask for `calls`, `answer` or `none`."""
    tools = toolbox(random, split)
    messages: list[dict[str, Json]] = [system(any_form(random, NEUTRAL))] if random.random() < 0.3 else []
    ending = ends_with or random.choice(("answer", "answer", "answer", "answer", "none"))
    if ending == "none" or random.random() < 0.12:
        plain = without_fit(random, split, tools) if random.random() < 0.35 else without_call(random, split, tools)
        messages += plain.messages
        if ending == "none":
            return conversation(messages, tools, plain.check)
    check = Check()
    for _ in range(1 if ends_with else random.choice((1, 2, 2, 3, 4, 5))):
        check = one_round(random, split, (messages, tools), ends_with == "calls")
        tools = [refreshed(random, each) for each in tools]
    return conversation(messages, tools, check)


def conversation(messages: list[dict[str, Json]], tools: list[Tool], check: Check) -> Conversation:
    """The conversation as the skill `tool calls`."""
    return Conversation("tool calls", messages, check, [each.as_definition() for each in tools])


def one_round(random: Random, split: Split, so_far: tuple[list[dict[str, Json]], list[Tool]], only_calls: bool) -> Check:
    """A request, its calls, their results and the answer, appended; and how to check the last message."""
    messages, tools = so_far
    asked = random.sample(tools, min(len(tools), random.choice((1, 1, 1, 1, 2, 2, 3))))
    chosen = [random.choice(asked)] if random.random() < 0.1 else asked
    told = None
    tellable = [each for each in chosen[0].arguments if may_be_told(chosen[0], each)]
    if len(chosen) == 1 and random.random() < 0.15 and tellable:
        told = random.choice(tellable)
        messages += [user(f"My {told.spoken_name} is {said(told.value)}."), assistant("All right, I will remember that.")]
    if told is None and len(chosen) == 1 and may_be_listed(chosen[0]) and random.random() < 0.15:
        text, calls = listed_request(random, chosen[0])
    else:
        text, calls = requests(random, split, chosen, told)
    messages.append(user(dressed(random, text) if random.random() < 0.4 else text))
    messages.append(calling(calls))
    if only_calls:
        return Check(calls=tuple(calls))
    answers, values = [], []
    for call in calls:
        result, answer, expected = outcome(random, call)
        messages.append(tool_result(result))
        answers.append(answer)
        values += expected
    messages.append(assistant("\n".join(answers)))
    return Check(all=tuple(values))


def requests(random: Random, split: Split, chosen: list[Tool], told: Argument | None) -> tuple[str, list[Call]]:
    """One request after the other, now and then the same tool twice, and the calls that they need."""
    parts = [request(random, split, each, told) for each in chosen]
    if len(parts) == 1 and parts[0][1].arguments and random.random() < 0.12:
        parts.append(request(random, split, refreshed(random, chosen[0])))
    text = parts[0][0]
    for more, call in parts[1:]:
        text = followed(random, text, more, call)
    return text, [call for _, call in parts]


def followed(random: Random, text: str, more: str, needs: Call) -> str:
    """One request after the other: as sentences of their own or, if the second does not begin with a value, as one sentence."""
    first = more.split(" ")[0]
    is_value = any(said(value).startswith(first) for value in needs.arguments.values())
    if random.random() > 0.3 or is_value or text[-1:] not in ".?":
        return text + random.choice(BETWEEN) + more
    begins = more if first.startswith("I'") or first == "I" else more[0].lower() + more[1:]
    return text[:-1] + random.choice(IN_ONE_BREATH) + begins


def may_be_listed(asked: Tool) -> bool:
    """Whether people would ask for several values of its one parameter in a breath: not for several texts."""
    return len(asked.arguments) == 1 and asked.wording != () and asked.arguments[0].kind.is_short


def listed_request(random: Random, asked: Tool) -> tuple[str, list[Call]]:
    """`What is the weather in Paris and London?`, which are two calls."""
    each = [refreshed(random, asked).arguments[0] for _ in range(random.choice((2, 2, 2, 3)))]
    values = [str(one.value) for one in each]
    text = random.choice(asked.wording).format(**{each[0].name: joined(values)})
    return text, [Call(asked.name, {one.name: one.value}) for one in each]


def refreshed(random: Random, asked: Tool) -> Tool:
    """The same tool with other values to be asked for."""
    return replace(asked, arguments=refilled(random, asked.arguments))


def without_call(random: Random, split: Split, tools: list[Tool]) -> Conversation:
    """Something that no tool is needed for; no sum where a tool does sums, and no fact where one looks up capitals."""
    done = frozenset().union(*(purposes(each) for each in tools))
    skills = [small_talk, small_talk, small_talk, facts, about_parley, word_work, recall, arithmetic]
    taken = {facts: "capital", arithmetic: "numbers"}
    return random.choice([each for each in skills if taken.get(each) not in done])(random, split)


def without_fit(random: Random, split: Split, tools: list[Tool]) -> Conversation:
    """A request that needs a tool which is not there, and is for nothing that the model can answer by itself."""
    other = tool(random, split)
    while purposes(other) & KNOWN_BY_HEART or any(clash(other, each) for each in tools):
        other = tool(random, split)
    text, _ = request(random, split, other)
    return Conversation("no call", [user(text), assistant(NO_TOOL)], Check(all=(NO_TOOL,)))


FIELDS = (
    ("temperature", lambda r: r.randint(-20, 40)), ("condition", lambda r: r.choice(("sunny", "cloudy", "rainy", "windy", "snowy"))), ("price", lambda r: r.randint(1, 999)),
    ("status", lambda r: r.choice(("shipped", "open", "closed", "pending", "sent", "ready"))), ("city", city), ("name", name), ("count", lambda r: r.randint(0, 99)),
    ("id", lambda r: f"{r.choice('ABCDEF')}{r.randint(1, 9999)}"), ("item", lambda r: r.choice(THINGS)), ("dish", lambda r: r.choice(FOODS)), ("code", invented),
    ("total", lambda r: r.randint(1, 5000)), ("time", lambda r: f"{r.randint(0, 23):02}:{r.randint(0, 59):02}"), ("humidity", lambda r: r.randint(1, 100)), ("owner", name),
    ("score", lambda r: r.randint(0, 100)), ("level", lambda r: r.randint(1, 9)), ("message", lambda r: natural(r, "messages") if r.random() < 0.5 else f"{r.choice(THINGS)} {r.choice(THINGS)}"), ("title", lambda r: natural(r, "titles", "proper")),
    ("summary", lambda r: natural(r, "messages", "queries")), ("created", lambda r: f"2026-{r.randint(1, 12):02}-{r.randint(1, 28):02}"),
)  # fmt: skip


def outcome(random: Random, call: Call) -> tuple[str, str, list[str]]:
    """A tool's result, the sentence that uses it, and what that sentence must contain."""
    chance = random.random()
    if chance < 0.1:
        failure = random.choice(FAILURES)
        return compact({"error": failure}), f"That did not work: {failure}.", [failure]
    if chance < 0.22:
        text = random.choice(DONE)
        return text, f"The tool {call.name} says: {text}", [text]
    if chance < 0.4:
        text = natural(random, "messages", "titles") if random.random() < 0.5 else f"{random.choice(THINGS)} {random.choice(THINGS)} {random.randint(1, 99)} {invented(random)}"
        return text, f"The tool {call.name} says: {text}", [text]
    fields = {key: make(random) for key, make in random.sample(FIELDS, random.choice((1, 1, 2, 2, 3, 4)))}
    if chance < 0.55:
        fields = {**{key: value for key, value in call.arguments.items() if isinstance(value, str)}, **fields}
    said_fields = ", ".join(f"{spoken(key)} is {value}" for key, value in fields.items())
    return compact(fields), f"Here is the result: {said_fields}.", [f"{spoken(key)} is {value}" for key, value in fields.items()]
