"""JSON under a schema, filled by copying from the text."""

from __future__ import annotations

from random import Random

from .arguments import Argument, argument, said_by
from .chat import Check, Conversation, Json, Split, assistant, compact, silent, system, user
from .further import further
from .phrasing import any_form, phrase
from .words import THINGS

ASKED = (
    *further("structured.ASKED"),
    "Extract the data: {t}", "Extract {k} from this text: {t}", "Turn this into JSON: {t}", "Give me {k} as JSON: {t}", "Read this and fill in {k}: {t}",
    "{t}\nExtract {k}.", "What are {k} here? {t}", "Parse this: {t}", "Here is some text: {t}\nReturn {k}.", "Fill the form from this text: {t}",
    "{t}", "Convert to JSON: {t}", "JSON with {k}, please: {t}", "Take {k} from: {t}", "Get {k} out of this: {t}",
    "Summarise as JSON: {t}", "Structure this text: {t}", "{t} Give me that as JSON.", "Make a record of this: {t}", "Find {k} in the text. {t}", "I have this text: {t} Please extract {k}.",
    "Give me the JSON for this: {t}", "Give me JSON: {t}", "As JSON, please: {t}", "{t} As JSON, please.", "{t} Extract the data.",
    "Please extract {k}: {t}", "Read {k} from this: {t}", "{t}\nReturn JSON.", "Which {k} do you find? {t}", "Return {k} for this text: {t}",
    "I need {k} from this: {t}", "{t}\nPlease fill in {k}.", "Text: {t}", "Input: {t}\nOutput {k}.",
)
TOLD = (*further("structured.TOLD"), "the {p} is {v}", "{p}: {v}", "{p} {v}", "its {p} is {v}", "{p} = {v}", "with {p} {v}", "{v} is the {p}", "we set {p} to {v}", "and the {p} was {v}", "{p} is {v}")
INSTRUCTED = (*further("structured.INSTRUCTED"), "Reply in JSON with this schema: {s}", "Answer only with JSON that matches {s}", "Your answer is JSON. Schema: {s}", "Use this JSON schema: {s}")


def structured(random: Random, split: Split) -> Conversation:
    """A text with some values, and the JSON that holds them; sometimes the schema is known to the grammar alone."""
    subject = random.choice(THINGS)
    taken: set[str] = set()
    fields = [argument(random, subject, taken) for _ in range(random.choice((1, 2, 2, 3, 3, 4)))]
    schema = schema_of(fields)
    value = {field.name: field.value for field in fields}
    text = told(random, fields)
    question = phrase(random, split, ASKED, t=text, k=", ".join(field.spoken_name for field in fields))
    messages = [user(question)]
    chance = random.random()
    if chance < 0.3:
        messages.insert(0, system(any_form(random, INSTRUCTED).format(s=compact(schema))))
    answer = guided(value) if 0.3 <= chance < 0.6 else compact(value)
    return Conversation("structured", [*messages, assistant(answer)], Check(value=value), schema=schema if chance >= 0.6 else None)


def schema_of(fields: list[Argument]) -> dict[str, Json]:
    """The fields as an object schema that wants all of them and nothing else."""
    properties = {field.name: {key: value for key, value in field.schema.items() if key != "description"} for field in fields}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def told(random: Random, fields: list[Argument]) -> str:
    """The values in prose, in any order."""
    shuffled = random.sample(fields, len(fields))
    sentences = [field.mention if random.random() < 0.2 else any_form(random, TOLD).format(p=field.spoken_name, v=said_by(random, field.value)) for field in shuffled]
    if random.random() < 0.3:
        sentences.insert(0, f"this is about the {random.choice(THINGS)}")
    between = (". ", "; ", "\n") if any("," in each for each in sentences) else (", ", ". ", "; ", "\n")
    text = random.choice(between).join(sentences)
    return text[:1].upper() + text[1:] + "."


def guided(value: dict[str, Json]) -> str:
    """The JSON with everything silent that a grammar forces."""
    parts = [f"{silent(('{' if index == 0 else ', ') + compact(key) + ': ')}{compact(item)}" for index, (key, item) in enumerate(value.items())]
    return "".join(parts) + silent("}")
