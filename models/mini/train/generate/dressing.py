"""How people say a wording: with something before and after it, within another sentence, in a hurry."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

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
