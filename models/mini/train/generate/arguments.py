"""Typed parameters: their names, schemas, values, and how people mention them."""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from .chat import Json
from .facts import CAPITALS
from .natural import natural
from .words import CITIES, COLOURS, COMMON, DAYS, FOODS, MONTHS, SURNAMES, THINGS, city, distinct, invented, name, sentence


@dataclass(frozen=True)
class Kind:
    """A sort of value with the parameter names it goes by."""

    names: tuple[str, ...]
    schema: dict[str, Json]
    make: Callable[[Random], Json]
    mentions: tuple[str, ...] = ()
    alike: str = ""
    """Kinds of one name here look the same, so that a second of them is mentioned by its name."""

    @property
    def is_short(self) -> bool:
        """Whether a list of such values is read as a list: of names, places and codes it is, of sentences it is not."""
        return self.names[0] in SHORT

    @property
    def group(self) -> str:
        """What two kinds share that nobody could tell apart."""
        return f"~{self.alike or self.names[0]}"


@dataclass(frozen=True)
class Argument:
    """A parameter with a value for it, and the words that mention both."""

    name: str
    schema: dict[str, Json]
    value: Json
    mention: str
    kind: Kind

    @property
    def spoken_name(self) -> str:
        """The parameter's name as words."""
        return spoken(self.name)


SHORT = frozenset(("city", "customer", "first_name", "email", "id", "date", "url", "colour", "language", "currency", "timezone", "word", "food", "country", "app", "device", "ticker", "branch", "host"))
STRING, INTEGER, NUMBER, BOOLEAN = {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}
LIST = {"type": "array", "items": STRING}
UNITS, SIZES, LEVELS, STATES = ("celsius", "fahrenheit"), ("small", "medium", "large"), ("low", "normal", "high"), ("open", "closed", "pending")
LANGUAGES = ["English", "French", "German", "Spanish", "Italian", "Portuguese", "Dutch", "Swedish", "Polish", "Greek"]
CURRENCIES = ["EUR", "USD", "GBP", "JPY", "CHF", "SEK", "NOK", "INR"]


def thing(random: Random) -> str:
    """A word that stands for something."""
    return random.choice(THINGS) if random.random() < 0.5 else natural(random, "words")


def surname(random: Random) -> str:
    return random.choice(SURNAMES) if random.random() < 0.6 else natural(random, "surnames")


def full_name(random: Random) -> str:
    chance = random.random()
    if chance < 0.1:
        return f"{name(random)} {random.choice(string.ascii_uppercase)}. {surname(random)}"
    return doctor(random) if chance < 0.16 else first_and_last(random)


def doctor(random: Random) -> str:
    return f"{random.choice(('Dr.', 'Dr.', 'Mr.', 'Mrs.', 'Ms.', 'Prof.', 'Dr', 'Mr'))} {random.choice((surname(random), first_and_last(random)))}"


def first_and_last(random: Random) -> str:
    return f"{name(random)} {surname(random)}"


def email(random: Random) -> str:
    return f"{random.choice((name(random), invented(random))).lower()}@{random.choice(('example.com', 'mail.org', invented(random) + '.net', 'work.io'))}"


def phrase_of_words(random: Random) -> str:
    """One to eight words that stand for a title or a query."""
    chance = random.random()
    if chance < 0.6:
        return natural(random, "queries", "topics", "titles", "products")
    if chance < 0.75:
        return sentence(random)
    pool = (*THINGS, *COLOURS, *FOODS)
    return " ".join(random.choice(pool) if random.random() < 0.8 else invented(random) for _ in range(random.randint(1, 4)))


def code(random: Random) -> str:
    letter = random.choice("ABCDEFGHKLMNPRSTXZ")
    return random.choice((f"{letter}{random.randint(10, 9999)}", f"{letter}{letter}{random.choice('ABCE')} {random.randint(1, 999)}", f"INV-{random.randint(2020, 2027)}-{random.randint(1, 9999):04}", f"{letter}{random.choice('ABCXYZ')}-{random.randint(10, 999)}", f"{invented(random, 1)}-{random.randint(1, 99)}", str(random.randint(100, 99999))))


def date(random: Random) -> str:
    day = random.randint(1, 28)
    return random.choice((f"2026-{random.randint(1, 12):02}-{day:02}", f"{random.choice(MONTHS)} {day}", random.choice(DAYS), "tomorrow", "today", f"{day} {random.choice(MONTHS)}"))


def clock(random: Random) -> str:
    hour, minute, half = random.randint(1, 12), random.choice((0, 15, 30, 45, 5, 20)), random.choice(("am", "pm", "am", "pm", "AM", "PM"))
    ways = (f"{random.randint(0, 23):02}:{minute:02}", f"{random.randint(0, 23):02}:{minute:02}", f"{hour}{half}", f"{hour}{half}", f"{hour} {half}", f"{hour}:{minute:02}{half}", f"{hour}:{minute:02} {half}")
    return random.choice((*ways, random.choice(("noon", "midnight"))))


def path(random: Random) -> str:
    chance = random.random()
    if chance < 0.45:
        return random.choice(FILES) if chance < 0.15 else natural(random, "files")
    stem = random.choice((thing(random), invented(random)))
    return random.choice((f"{stem}.txt", f"{stem}.csv", f"src/{stem}", f"{stem}/{invented(random)}.yaml", f"src/{stem}.ts", f"/home/{invented(random)}/{stem}.md", f"docs/{stem}.json", f"/tmp/{stem}", f"{stem}.py"))


FILES = ("README.md", "LICENSE", "package.json", "index.html", "main.py", "notes.txt", "src", "docs", "/etc/hosts", "Makefile", "config.yaml", "app.ts", "src/index.ts", "todo.md", "data.csv", "~/notes.md", "test/", "/var/log/syslog", "main.go")
COMMANDS = ("ls", "ls -la", "pwd", "git status", "git log", "npm test", "npm run build", "make", "whoami", "df -h", "git diff", "docker ps", "date", "uname -a", "top", "python --version")


def command(random: Random) -> str:
    """What is typed into a shell."""
    if random.random() < 0.5:
        return random.choice(COMMANDS)
    tool = random.choice(("cat", "ls", "rm", "python", "mkdir", "grep " + thing(random), "echo", "node", "head -n " + str(random.randint(1, 99)), invented(random)))
    return f"{tool} {path(random)}"


def expression(random: Random) -> str:
    """A sum as it is written down."""
    one, two, three = (random.randint(0, random.choice((9, 99, 999))) for _ in range(3))
    sign, other = random.choice("+-*/"), random.choice("+-*/")
    gap = random.choice((" ", " ", ""))
    short = f"{one}{gap}{sign}{gap}{two}"
    return random.choice((short, short, short, f"({short}){gap}{other}{gap}{three}", f"{short}{gap}{other}{gap}{three}"))


def zone(random: Random) -> str:
    return random.choice((random.choice(CITIES), f"Europe/{random.choice(CITIES)}", f"America/{random.choice(CITIES)}", "UTC", "GMT", "EST", "CET"))


def address(random: Random) -> str:
    return f"https://{random.choice((invented(random), thing(random)))}.{random.choice(('com', 'org', 'net'))}{random.choice(('', '/' + thing(random)))}"


def listed(random: Random) -> list[str]:
    if random.random() < 0.4:
        return random.sample((*THINGS, *COLOURS), random.randint(2, 3))
    return several(random, thing)


def several(random: Random, make: Callable[[Random], str]) -> list[str]:
    """Two to four values."""
    return distinct(random, make, random.choice((2, 3, 3, 4)))


CUISINES = ("Italian", "Thai", "Mexican", "Indian", "Greek", "Japanese", "French", "Turkish", "Korean", "Spanish", "vegan", "Chinese")
COUNTRIES = tuple(country for country, _ in CAPITALS)
MEASURES = ("miles", "kilometres", "metres", "feet", "inches", "centimetres", "pounds", "kilograms", "grams", "ounces", "litres", "gallons", "celsius", "fahrenheit", "km", "kg", "lb", "cm", "hours", "minutes")
ROOMS = ("kitchen", "bedroom", "living room", "bathroom", "garage", "office", "hallway", "garden", "cellar", "attic", "dining room", "nursery", "entrance", "guest room")
DEVICES = ("lamp", "fan", "heater", "television", "radio", "printer", "oven", "kettle", "vacuum", "air conditioner", "speaker", "router")
APPS = ("browser", "calculator", "calendar", "mail", "terminal", "notes", "music player", "camera", "maps", "settings", "text editor", "chat")
ENDINGS = ("ts", "py", "md", "json", "txt", "go", "rs", "css", "html", "csv")
ERRANDS = (("call", "meet", "visit", "thank", "help", "write to", "pick up", "invite", "wait for"), ("buy", "clean", "paint", "sell", "find", "order", "bring", "repair", "return", "wash", "water", "pay for"), ("go to", "leave for", "drive to", "fly to", "move to"))


def proper(random: Random) -> str:
    """One to five words as a title or a name."""
    chance = random.random()
    if chance < 0.06:
        return f"{name(random)}'s{random.choice(('', '', ' Place', ' Kitchen', ' Diary'))}"
    if chance < 0.5:
        return natural(random, "proper")
    words = [random.choice((*THINGS, *COLOURS, *COMMON)) if random.random() < 0.75 else invented(random) for _ in range(random.randint(1, 3))]
    text = " ".join(each.capitalize() for each in words)
    return f"The {text}" if random.random() < 0.2 else text


def phone(random: Random) -> str:
    """A number as people write it, in groups or not."""
    groups = " ".join(str(random.randint(10, random.choice((99, 999, 9999)))) for _ in range(random.choice((2, 3, 3, 4))))
    return random.choice((f"+{random.randint(1, 99)} {groups}", f"+{random.randint(1, 99)} {groups}", f"0{random.randint(10, 99)}-{random.randint(1000, 99999)}", f"555-{random.randint(100, 9999)}", f"({random.randint(100, 999)}) {random.randint(100, 999)}-{random.randint(1000, 9999)}", f"0{groups}"))


def ticker(random: Random) -> str:
    return "".join(random.choice("ABCDEFGHIKLMNOPRSTUVXZ") for _ in range(random.randint(2, 5)))


def choice_of(names: tuple[str, ...], *values: str, mentions: tuple[str, ...] = ()) -> Kind:
    """A kind that takes one of these values."""
    return Kind(names, {"type": "string", "enum": list(values)}, lambda random: random.choice(values), mentions)


def sql(random: Random) -> str:
    """A short query."""
    table, column = f"{thing(random)}s", thing(random)
    sign = random.choice((">", "<", "=", ">=", "!="))
    condition = f"{column} {sign} {random.choice((random.randint(1, 999), quoted(thing(random))))}"
    if random.random() < 0.35:
        return f"SELECT {random.choice(('*', 'name', thing(random)))} FROM {table} WHERE {condition}{random.choice(('', '', f' ORDER BY {column}', ' LIMIT 10'))}"
    return random.choice((f"SELECT * FROM {table}", f"select count(*) from {table}", f"SELECT {thing(random)} FROM {table} LIMIT {random.randint(1, 50)}", f"SELECT * FROM {table} WHERE id = {random.randint(1, 999)}", f"DELETE FROM {table}"))


def quoted(text: str) -> str:
    """A text as SQL knows it."""
    return f"'{text}'"


def errand(random: Random) -> str:
    """Something to be done, as it stands behind `to`."""
    if random.random() < 0.4:
        return natural(random, "errands")
    people, things, places = ERRANDS
    with_people = f"{random.choice(people)} {name(random)}"
    with_things = f"{random.choice(things)} {random.choice(('', 'the ', 'my ', 'some '))}{random.choice((*THINGS, *FOODS))}"
    return random.choice((with_people, with_things, with_things, f"{random.choice(places)} {city(random)}", sentence(random)))


KINDS: tuple[Kind, ...] = (
    Kind(("city", "location", "place", "town", "destination"), STRING, city, ("in {v}", "for {v}", "in the city of {v}"), "place"),
    Kind(("customer", "name", "person", "recipient", "user", "guest", "author", "employee"), STRING, full_name, ("for {v}", "by {v}", "named {v}"), "person"),
    Kind(("first_name", "owner", "player", "member", "contact", "assignee"), STRING, name, ("for {v}", "of {v}"), "person"),
    Kind(("title", "query", "subject", "topic", "keyword", "label", "text", "message", "description", "note", "product", "item", "song"), STRING, phrase_of_words, ('called "{v}"', 'with the {p} "{v}"', "about {v}", "'{v}'"), "text"),
    Kind(("email", "address", "to", "sender", "mail"), STRING, email, ("to {v}", "at {v}")),
    Kind(("id", "code", "order_id", "user_id", "ticket", "reference", "number", "account", "serial"), STRING, code, ("number {v}", "#{v}", "with id {v}")),
    Kind(("date", "day", "start", "due_date", "deadline", "when"), STRING, date, ("on {v}", "for {v}", "dated {v}")),
    Kind(("time", "hour", "at", "start_time"), STRING, clock, ("at {v}", "for {v}")),
    Kind(("path", "file", "filename", "source", "target"), STRING, path, ("from {v}", "at {v}", "in {v}")),
    Kind(("url", "link", "website", "page"), STRING, address, ("from {v}", "at {v}")),
    Kind(("colour", "color", "shade"), STRING, lambda r: r.choice(COLOURS), ("in {v}", "that is {v}")),
    Kind(("language", "target_language", "locale"), {"type": "string"}, lambda r: r.choice(LANGUAGES), ("in {v}", "into {v}")),
    Kind(("count", "quantity", "limit", "amount", "seats", "copies", "days", "minutes", "level", "floor", "age", "room", "size", "width"), INTEGER, lambda r: r.randint(1, r.choice((10, 100, 1000))), ()),
    Kind(("price", "weight", "rate", "temperature", "distance", "budget"), NUMBER, lambda r: r.choice((r.randint(1, 500), r.randint(1, 99) + r.randint(1, 9) / 10)), ()),
    choice_of(("unit", "units"), *UNITS, mentions=("in {v}",)),
    choice_of(("size", "format"), *SIZES, mentions=("in size {v}",)),
    choice_of(("priority", "importance", "urgency"), *LEVELS, mentions=("with {v} {p}",)),
    choice_of(("status", "state"), *STATES, mentions=("that are {v}",)),
    Kind(("currency",), {"type": "string"}, lambda r: r.choice(CURRENCIES), ("in {v}",)),
    Kind(("urgent", "private", "public", "dry_run", "recursive", "enabled"), BOOLEAN, lambda r: r.random() < 0.5, ("with {p} {v}", "{p}: {v}")),
    Kind(("tags", "items", "words", "labels", "topics"), LIST, listed, ("with the {p} {v}", "{p}: {v}")),
    Kind(("command", "cmd", "script"), STRING, command),
    Kind(("expression", "formula", "calculation"), STRING, expression),
    Kind(("timezone", "time_zone", "zone"), STRING, zone, ("in {v}", "for {v}"), "place"),
    Kind(("body", "content", "reason", "comment"), STRING, sentence, ('"{v}"', "saying {v}", 'with the {p} "{v}"'), "text"),
    Kind(("origin", "departure"), STRING, city, ("from {v}",), "place"),
    Kind(("word", "term", "service", "username", "category"), STRING, lambda r: r.choice((thing(r), thing(r), thing(r), invented(r)))),
    Kind(("food", "dish", "topping", "ingredient"), STRING, lambda r: r.choice((r.choice(FOODS), natural(r, "dishes"), natural(r, "dishes"), thing(r)))),
    Kind(("cuisine",), STRING, lambda r: r.choice(CUISINES)),
    Kind(("country", "nation"), STRING, lambda r: r.choice((r.choice(COUNTRIES), r.choice(COUNTRIES), invented(r, 2).capitalize()))),
    Kind(("measure",), STRING, lambda r: r.choice(MEASURES)),
    Kind(("area", "room_name"), STRING, lambda r: r.choice(ROOMS)),
    choice_of(("power",), "on", "off"),
    Kind(("device", "appliance"), STRING, lambda r: r.choice((*DEVICES, thing(r)))),
    Kind(("app", "application", "program"), STRING, lambda r: r.choice((*APPS, thing(r), invented(r)))),
    Kind(("proper", "artist", "album", "movie", "restaurant"), STRING, proper),
    Kind(("glob",), STRING, lambda r: r.choice((f"*.{r.choice(ENDINGS)}", f"src/*.{r.choice(ENDINGS)}", f"**/*.{r.choice(ENDINGS)}", f"{thing(r)}*"))),
    Kind(("branch",), STRING, lambda r: r.choice((f"feature/{thing(r)}", natural(r, "projects"), f"fix-{thing(r)}", thing(r), f"{invented(r)}-{r.randint(1, 99)}"))),
    Kind(("sql",), STRING, sql),
    Kind(("host", "hostname", "server"), STRING, lambda r: r.choice((f"{thing(r)}.{r.choice(('com', 'org', 'local'))}", f"10.{r.randint(0, 9)}.{r.randint(0, 99)}.{r.randint(1, 99)}", f"{invented(r)}-{r.randint(1, 9)}"))),
    Kind(("version", "tag"), STRING, lambda r: r.choice((f"{r.randint(0, 9)}.{r.randint(0, 20)}.{r.randint(0, 9)}", f"v{r.randint(1, 9)}.{r.randint(0, 9)}"))),
    choice_of(("stage",), "staging", "production", "test"),
    Kind(("channel",), STRING, lambda r: r.choice((f"#{thing(r)}", f"#{natural(r, 'projects')}", f"#{invented(r)}", thing(r)))),
    Kind(("phone", "phone_number"), STRING, phone),
    Kind(("errand",), STRING, errand),
    Kind(("numbers", "values"), {"type": "array", "items": NUMBER}, lambda r: [r.randint(0, r.choice((9, 99, 999))) for _ in range(r.randint(2, 5))]),
    Kind(("ticker", "symbol"), STRING, ticker),
    Kind(("members", "guests", "participants", "names"), LIST, lambda r: several(r, r.choice((name, name, first_and_last))), ("with {v}", "for {v}")),
    Kind(("symbols", "tickers"), LIST, lambda r: several(r, ticker)),
    Kind(("dishes", "ingredients", "groceries"), LIST, lambda r: several(r, lambda r: r.choice((r.choice(FOODS), natural(r, "dishes")))), ("with {v}",)),
    choice_of(("direction", "heading"), "forward", "backward", "left", "right", "up", "down"),
    choice_of(("manager", "package_manager"), "npm", "pip", "cargo", "apt", "brew", "yarn"),
    choice_of(("transport", "travel_mode"), "car", "bus", "train", "bike", "foot"),
    choice_of(("mode",), "heat", "cool", "auto", "off", "dark", "light"),
    choice_of(("order", "sort_order"), "ascending", "descending"),
    Kind(("grade", "mark"), STRING, lambda r: r.choice((r.choice("ABCDEF") + r.choice(("", "+", "-")), f"{r.randint(1, 10)}/10", f"{r.randint(1, 100)}%"))),
    Kind(("seat", "square", "gate", "platform"), STRING, lambda r: r.choice((f"{r.randint(1, 40)}{r.choice('ABCDEF')}", f"{r.choice('abcdefgh')}{r.randint(1, 8)}", f"{r.choice('ABCDEF')}{r.randint(1, 40)}"))),
    Kind(("image",), STRING, lambda r: f"{thing(r)}:{r.choice((str(r.randint(1, 30)), f'{r.randint(1, 30)}-alpine', 'latest', f'{r.randint(1, 9)}.{r.randint(0, 20)}'))}"),
    Kind(("package", "library"), STRING, lambda r: r.choice((thing(r), f"{thing(r)}-{thing(r)}", f"{thing(r)}=={r.randint(0, 9)}.{r.randint(0, 40)}", f"{thing(r)}@{r.randint(1, 20)}.{r.randint(0, 9)}", f"@{thing(r)}/{thing(r)}"))),
    Kind(("doctor", "teacher"), STRING, doctor, ("with {v}", "at {v}'s"), "person"),
    Kind(("repo", "repository", "project"), STRING, lambda r: r.choice((thing(r), natural(r, "projects"), invented(r), f"{invented(r)}/{thing(r)}", f"{thing(r)}-{thing(r)}"))),
)
NAMED_MENTIONS = ("with {p} {v}", "{p} {v}", "{p}: {v}", "with the {p} {v}", "and {p} {v}", "{p} = {v}", "using {v} as the {p}", "where {p} is {v}", "set {p} to {v}", "the {p} is {v}")
ABOUT = ("The {p}.", "{P} of the {o}.", "The {p} to use.", "Which {p}.", "{P}.", "")


def spoken(identifier: str) -> str:
    """`due_date` as `due date`."""
    return identifier.replace("_", " ")


def said(value: Json, last: str = ", ") -> str:
    """A value as people write it; `last` stands before the last of several."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return last.join((", ".join(map(str, value[:-1])), str(value[-1])))
    return str(value)


def said_by(random: Random, value: Json) -> str:
    """A value as somebody writes it: the last of several behind a comma or an `and`."""
    return said(value, random.choice((", ", ", ", " and ", " and ", ", and ")))


def argument(random: Random, subject: str, taken: set[str]) -> Argument:
    """A parameter whose name is not yet taken, with a value and a mention."""
    while True:
        kind = random.choice(KINDS)
        called = random.choice(kind.names)
        if called not in taken:
            break
    is_alone = kind.group not in taken
    taken.update((called, kind.group))
    return argument_of(random, kind, called, subject, is_alone)


def argument_of(random: Random, kind: Kind, called: str, subject: str, is_alone: bool = True) -> Argument:
    """A value and a mention for this parameter, which names it where another of its kind stands beside it."""
    about = random.choice(ABOUT).format(p=spoken(called), P=spoken(called).capitalize(), o=subject)
    schema = {**kind.schema, "description": about} if about else dict(kind.schema)
    return mentioned(random, kind, called, schema, is_alone)


def mentioned(random: Random, kind: Kind, called: str, schema: dict[str, Json], is_alone: bool) -> Argument:
    """The parameter with a fresh value of its kind."""
    value = kind.make(random)
    mention = random.choice(kind.mentions if is_alone and kind.mentions and random.random() < 0.6 else NAMED_MENTIONS)
    return Argument(called, schema, value, mention.format(v=said_by(random, value), p=spoken(called)), kind)


def refilled(random: Random, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
    """The same parameters with other values."""
    groups = [each.kind.group for each in arguments]
    return tuple(mentioned(random, each.kind, each.name, each.schema, each.kind.group not in groups[:index]) for index, each in enumerate(arguments))
