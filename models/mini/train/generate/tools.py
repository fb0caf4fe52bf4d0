"""Tools that have never existed: a name, a description, parameters, and a request that needs them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from .arguments import KINDS, Argument, argument, argument_of, said_by
from .chat import Call, Json, Split
from .further import further
from .known_tools import Known, is_held_back, is_trained, known_to, wordings_of
from .phrasing import any_form, families, forms, wording
from .words import ANIMALS, CITIES, COLOURS, DAYS, FOODS, HOBBIES, JOBS, MONTHS, NAMES, SURNAMES, THINGS, invented

VERBS: dict[str, tuple[str, ...]] = {
    "get": ("Get", "Show me", "Give me", "Fetch", "I need", "Look up"), "find": ("Find", "Look for", "Search for", "Find me", "Locate"),
    "search": ("Search for", "Find", "Look for", "Search"), "create": ("Create", "Make", "Add", "Set up"), "delete": ("Delete", "Remove", "Erase", "Get rid of"),
    "update": ("Update", "Change", "Edit", "Modify"), "send": ("Send", "Dispatch", "Send out"), "list": ("List", "Show all", "Show me all", "Enumerate"),
    "book": ("Book", "Reserve", "Make a booking of"), "cancel": ("Cancel", "Call off"), "open": ("Open", "Open up"), "close": ("Close", "Shut"),
    "start": ("Start", "Begin", "Launch"), "stop": ("Stop", "Halt", "End"), "check": ("Check", "Verify", "Have a look at"), "order": ("Order", "Buy", "Purchase"),
    "schedule": ("Schedule", "Plan", "Arrange"), "read": ("Read", "Show", "Display"), "write": ("Write", "Save", "Store"), "print": ("Print", "Print out"),
    "count": ("Count", "How many are there of"), "convert": ("Convert", "Turn around"), "upload": ("Upload", "Put up"), "download": ("Download", "Pull"),
    "play": ("Play", "Put on"), "approve": ("Approve", "Accept"), "reject": ("Reject", "Turn down"), "archive": ("Archive", "Put away"),
}
OBJECTS = ["weather", "invoice", "ticket", "meeting", "report", "recipe", "flight", "hotel", "table", "message", "reminder", "task", "note", "order", "customer", "product", "account", "payment", "refund", "shipment", "package", "contact", "event", "calendar", "playlist", "song", "movie", "book", "article", "document", "file", "folder", "image", "photo", "video", "backup", "server", "database", "query", "user", "group", "role", "password", "session", "alarm", "timer", "light", "door", "window", "heating", "camera", "robot", "printer", "scanner", "machine", "engine", "vehicle", "car", "taxi", "bus", "train", "route", "map", "address", "city", "park", "museum", "restaurant", "menu", "dish", "pizza", "coffee", "drink", "snack", "game", "score", "team", "player", "match", "course", "lesson", "exam", "grade", "student", "teacher", "school", "job", "candidate", "interview", "contract", "offer", "budget", "salary", "expense", "tax", "bill", "stock", "price", "rate", "currency", "loan", "insurance", "claim", "patient", "appointment", "prescription", "doctor", "medicine", "garden", "plant", "animal", "dog", "cat", "sensor", "measurement", "experiment", "sample", "star", "planet", "language", "word", "translation", "quote", "poem", "letter", "email", "newsletter", "survey", "question", "answer", "vote", "poll", "comment", "review", "rating", "tag", "label", "branch", "commit", "issue", "release", "build", "test", "deployment", "log", "metric"]
FILLERS = frozenset((*NAMES, *SURNAMES, *CITIES, *THINGS, *COLOURS, *FOODS, *ANIMALS, *HOBBIES, *JOBS, *DAYS, *MONTHS, *OBJECTS)) | {
    part for kind in KINDS for called in kind.names for part in called.split("_") if len(part) > 2
}
"""Words that users and tools give and want back unchanged; the tokenizer cuts these alike wherever they stand."""

DESCRIPTIONS = (*further("tools.DESCRIPTIONS"), "{V} the {o}.", "{V} a {o}.", "{V} {o} data.", "Use this to {v} a {o}.", "This tool can {v} the {o}.", "{V}s a {o} in the system.", "{V} one {o}", "Tool to {v} {o}s.", "{V} the {o} that the user asks for.", "")
REQUESTS = (*further("tools.REQUESTS"), "{v} the {o} {a}.", "{v} a {o} {a}", "{v} {o} {a}", "{v} my {o} {a}.", "Please {w} the {o} {a}.", "Can you {w} the {o} {a}?", "I want you to {w} a {o} {a}.", "{v} the {o}, {a}.", "Could you {w} a {o} {a}?", "I would like you to {w} the {o} {a}.", "{a}: {w} the {o}.", "{v} this {o} {a}", "Now {w} the {o} {a}.", "{v} one {o} {a}, please.", "Go and {w} the {o} {a}.", "{v} our {o} {a}.", "Would you {w} my {o} {a}?", "I need to {w} the {o} {a}.", "Let us {w} a {o} {a}.", "Could you please {w} my {o} {a}?", "It is time to {w} the {o} {a}.", "{a}, {w} the {o}, please.", "Hey, {w} that {o} {a}", "I'd like to {w} our {o} {a}.", "Try to {w} one {o} {a}.", "{v} some {o} {a}.", "You should {w} the {o} {a}.", "{v} {o}: {a}",
    "[{v}|Please {w}|Just {w}|Kindly {w}|Hey, {w}|Okay, {w}] [the|a|one|my|our|this|that|some|any] {o} {a}[.|, please.|!|]",
    "[Can|Could|Would|Will] you [please |kindly |now |]{w} [the|a|my|our|this|one|that] {o} {a}[?|, please?|]",
    "[I want|I need|I would like|I'd like|I have|We need|I wish|I am here] [you to|to] {w} [the|a|my|our|this|one|some] {o} {a}[.|]",
    "[Try to|Go ahead and|Remember to|Be sure to|You have to|You may|You can|Help me to|Help us|I ask you to] {w} [the|a|my|one|our|this] {o} {a}[.|]",
    "[It's time to|Time to|Next,|Then|After that,|First,|And|Also,|So,|Well,] {w} [the|a|my|one|our|that] {o} {a}[.|]",
    "{a}[,| please,|:] {w} [the|a|my|our|one|this] {o}[.|]", "[My|The|Our|One more] {o}: {w} it {a}[.|]", "{o}[,|:] {w} it {a}[.|]",
    "[Somebody should|Someone has to|Let us|Let me|Let's|We must|We want to|I must] {w} [the|a|our|one|my] {o} {a}[.|]",
    "[Any chance to|Is it possible to|Is there a way to|Are you able to|May I ask you to] {w} [the|a|my|our] {o} {a}[?|]",
    "[Use|Take|Call] [the|a|your] tool to {w} [the|a|my|our] {o} {a}[.|]", "[Task|To do|Job|Next step]: {w} [the|a|my|our] {o} {a}[.|]", "{v} {o}[:| -] {a}[.|]", "{v}[:|,] {o} {a}[.|]",
    "Be so kind and {w} the {o} {a}.", "What I want: {w} the {o} {a}.", "The next thing is to {w} the {o} {a}.", "Might you find the time to {w} my {o} {a}?", "Do me a favour and {w} the {o} {a}.",
    "It would make me glad if you could {w} the {o} {a}.",
    "As soon as you can, {w} the {o} {a}.", "The boss says to {w} the {o} {a}.", "Before I leave, {w} my {o} {a}.", "{w} the {o} {a}, that would help.", "Quick, {w} the {o} {a}!", "You know what to do: {w} the {o} {a}.",
    "Nobody has found the time to {w} the {o} {a} so far.",
    "What about this: {w} a {o} {a}.", "Now comes this: {w} the {o} {a}.", "On my list: {w} the {o} {a}.", "If you like, {w} the {o} {a}.", "My team wants to {w} the {o} {a}.", "Without delay, {w} the {o} {a}.",
    "Would you do the honours and {w} our {o} {a}?",
    "Our customer asks to {w} the {o} {a}.", "Today you {w} the {o} {a}.", "Sorry to bother you, but {w} the {o} {a}.", "There is work: {w} the {o} {a}.", "Would you rather {w} the {o} {a}?", "This one is urgent: {w} the {o} {a}.",
    "I was told that you can {w} a {o} {a}.",
)


SAME_VERBS: dict[str, tuple[str, ...]] = {
    "get": ("fetch", "retrieve", "show", "lookup", "query", "tell"), "find": ("search", "lookup", "locate", "get"), "search": ("find", "query", "lookup", "browse"),
    "create": ("add", "make", "new", "insert"), "add": ("create", "insert", "append", "put"), "delete": ("remove", "erase", "drop", "destroy"), "remove": ("delete", "drop", "take"),
    "send": ("deliver", "submit", "dispatch"), "list": ("show", "get", "enumerate"), "set": ("change", "adjust", "configure", "put"), "update": ("edit", "change", "modify"),
    "book": ("reserve", "order"), "cancel": ("abort", "revoke"), "check": ("verify", "test", "inspect", "get"), "show": ("display", "get", "view"), "start": ("begin", "launch", "run"),
    "stop": ("halt", "end"), "log": ("record", "track", "note"), "track": ("follow", "trace", "locate"), "schedule": ("plan", "arrange"), "calculate": ("compute", "estimate"),
    "convert": ("change", "transform"), "read": ("get", "load", "view"), "write": ("save", "store", "put"), "play": ("start", "stream"), "report": ("file", "submit", "announce"),
    "order": ("buy", "request", "purchase"), "open": ("create", "start"), "lookup": ("find", "get", "search"), "generate": ("create", "make", "produce"), "run": ("execute", "start", "perform"),
}  # fmt: skip
"""Verbs of names that say much the same."""

KNOWN_SHARE: dict[Split, float] = {"train": 0.7, "validation": 0.45, "test": 0.45}
STRANGE_SHARE = 0.1
"""How many tools are such as people write, and how many are of invented words; the others are a verb and an object."""

POINTED = frozenset(("to", "from", "at", "a", "b", "id", "min", "max"))
"""Names that nobody says with `my`."""

NAME_PART = re.compile("[A-Z]?[a-z]+")


def parts_of(name: str) -> tuple[str, ...]:
    """The words of a name in any style."""
    return tuple(part.lower() for part in NAME_PART.findall(name))


@dataclass(frozen=True)
class Tool:
    """A tool and its parameters, of which the last `optional` need not be given."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    optional: int
    verb: str
    subject: str
    wording: tuple[str, ...] = ()
    also_named: str = ""
    """A name that tells what it is for, where its own does not."""

    @property
    def words(self) -> frozenset[str]:
        """The words of its name, by which two tools for the same purpose are known."""
        return frozenset(parts_of(self.also_named or self.name))

    def as_definition(self) -> dict[str, Json]:
        """The tool as chat templates know it."""
        needed = [each.name for each in self.arguments[: len(self.arguments) - self.optional]]
        parameters = {"type": "object", "properties": {each.name: each.schema for each in self.arguments}, "required": needed}
        return {"type": "function", "function": {"name": self.name, "description": self.description, "parameters": parameters}}


ALIKE = {
    "http": "url", "bash": "command", "clock": "time", "temperature": "weather", "forecast": "weather", "air": "weather", "directory": "files", "glob": "files", "todo": "reminder",
    "internet": "web", "database": "sql", "share": "stock", "shares": "stock", "exchange": "currency", "money": "currency", "directions": "route", "distance": "route", "music": "song",
    "artist": "song", "lyrics": "song", "flights": "flight", "sms": "message", "events": "event", "meeting": "event", "call": "event", "contact": "user", "customer": "user", "profile": "user",
    "calculator": "numbers", "add": "numbers", "sum": "numbers", "multiply": "numbers", "divide": "numbers", "subtract": "numbers", "average": "numbers", "tip": "numbers",
    "items": "item", "products": "product", "shop": "product", "grep": "files", "file": "files", "documents": "web", "expert": "web", "news": "web", "query": "sql",
    "branch": "git", "commit": "git", "issues": "issue", "trains": "train", "thermostat": "heating", "volume": "song", "package": "order", "sunrise": "time", "alarm": "timer",
}  # fmt: skip
"""Words of names that stand for much the same purpose."""

ACTS: dict[str, str] = {
    "list": "list", "read": "read", "find": "find", "search": "find", "track": "track", "open": "make read", "load": "read",
    **dict.fromkeys(("get", "show", "check", "view", "fetch", "lookup", "query", "tell", "describe", "see"), "list read find track"),
    **dict.fromkeys(("create", "add", "make", "book", "schedule", "post", "record", "log", "start", "run", "launch", "reserve", "register"), "make"), "buy": "buy", "order": "make buy",
    "set": "make change", "write": "make change", "append": "append", **dict.fromkeys(("update", "edit", "change", "modify", "reschedule"), "change"), "move": "move", "copy": "copy",
    **dict.fromkeys(("delete", "remove", "cancel", "clear"), "end"), "close": "close", "stop": "close end", **dict.fromkeys(("send", "share", "forward"), "send"),
    **{each: each for each in ("assign", "rate", "refund", "turn-on", "turn-off", "multiply", "divide", "subtract", "commit", "approve", "reject", "pay", "print", "translate", "download", "upload", "rename", "restart", "subscribe", "unsubscribe",
        "lock", "unlock", "play", "pause", "increase", "decrease", "enable", "disable", "push", "pull", "install", "uninstall", "mute", "unmute", "import", "export", "resize", "rotate", "join", "leave")},
}  # fmt: skip
"""What a verb of a name may do: everybody can tell tools for one purpose apart that have none of it in common."""

NO_PURPOSE = frozenset((*VERBS, "set", "turn", "on", "off", "to", "from", "current", "number", "text", "make", "ask", "run", "execute", "log", "save", "air", "quality"))


def purposes(named: Tool) -> frozenset[str]:
    """What the words of a tool's name are about."""
    return frozenset(ALIKE.get(each, each) for each in named.words if each not in NO_PURPOSE or each in ALIKE)


def act_of(named: Tool) -> str:
    """What a tool does to what it is about."""
    is_switch = (f"turn-{each}" for each in ("on", "off") if named.verb == "turn" and each in named.words)
    return next(is_switch, next((part for part in parts_of(named.also_named or named.name) if part in ACTS), named.verb))


def clash(one: Tool, other: Tool, of_a_field: bool = False) -> bool:
    """Whether a request for one of two tools could as well be meant for the other; who wrote both of one field took care that none could."""
    if one.words == other.words or parts_of(one.name) == parts_of(other.name):
        return True
    if not one.wording and not other.wording:
        return False
    acts = [frozenset(ACTS.get(act_of(each), "").split()) for each in (one, other)]
    do_different_things = acts[0].isdisjoint(acts[1]) and (of_a_field or all(acts))
    return bool(purposes(one) & purposes(other)) and not do_different_things


def written(random: Random, *parts: str) -> str:
    """The parts as one identifier, in one of the usual styles."""
    style = random.choice(("snake", "snake", "snake", "camel", "kebab"))
    if style == "camel":
        return parts[0] + "".join(part.capitalize() for part in parts[1:])
    return ("_" if style == "snake" else "-").join(parts)


def parameters(random: Random, subject: str) -> tuple[tuple[Argument, ...], int]:
    """None to four parameters, and how many of the last are optional."""
    taken: set[str] = set()
    count = random.choice((0, 1, 1, 1, 2, 2, 2, 3, 3, 4))
    made = tuple(argument(random, subject, taken) for _ in range(count))
    return made, random.choice((0, 0, 0, 1)) if count > 1 else 0


def tool(random: Random, split: Split) -> Tool:
    """A tool whose subject belongs to the split, so that tools of tests are never seen in training."""
    chance = random.random()
    if chance < KNOWN_SHARE[split]:
        return known_tool(random, split, random.choice(known_to(split)))
    while True:
        made = other_tool(random, split, chance < KNOWN_SHARE[split] + STRANGE_SHARE)
        if not (is_held_back if split == "train" else is_trained)(parts_of(made.name)):
            return made


def other_tool(random: Random, split: Split, is_strange: bool) -> Tool:
    """A tool that nobody has written: a verb and an object, or two invented words."""
    if is_strange:
        verb, subject = invented(random), invented(random)
        spoken_verbs: tuple[str, ...] = (verb.capitalize(),)
    else:
        verb = random.choice(tuple(VERBS))
        spoken_verbs, subject = VERBS[verb], object_of(random, split)
    made, optional = parameters(random, subject)
    parts = (verb, subject) if random.random() < 0.85 else (subject, verb)
    description = any_form(random, DESCRIPTIONS).format(v=verb, V=verb.capitalize(), o=subject)
    return Tool(written(random, *parts), description, made, optional, random.choice(spoken_verbs), subject)


def object_of(random: Random, split: Split) -> str:
    """What a tool is about; in training also any other thing or an invented word, so that no object is strange."""
    if split == "train" and random.random() < 0.4:
        return random.choice((random.choice(THINGS), invented(random)))
    return random.choice([each for each in families(split, OBJECTS) if split == "train" or each not in THINGS])


NEAR = 12
"""As many tools in a row of a list are for the same field."""


def tools_of_a_field(random: Random, split: Split, count: int) -> list[Tool]:
    """Tools that stand side by side where agents have them, hard to tell apart."""
    start = random.randrange(len(known_to(split)))
    near = known_to(split)[start : start + NEAR]
    return [known_tool(random, split, each) for each in random.sample(near, min(count, len(near)))]


def known_tool(random: Random, split: Split, known: Known) -> Tool:
    """A tool as people really write them, with requests in everyday words."""
    parts, description, called, _ = known
    made = tuple(named_argument(random, each, parts[-1]) for each in called)
    every = wordings_of(random, split, known)
    is_described = random.random() < 0.8
    about, named = description, parts
    if split == "train":
        about = random.choice(forms(description)) if is_described else ""
        named = renamed(random, parts, is_described)
    return Tool(written(random, *named), about, made, 0, parts[0], " ".join(parts[1:]), every, "_".join(parts))


def renamed(random: Random, parts: tuple[str, ...], is_described: bool) -> tuple[str, ...]:
    """
    Another name for a tool, so that names alone do not tell what it is asked for with: now and then with another verb that means the
    same, and one that says nothing where the description does.
    """
    chance = random.random()
    if chance < 0.08 and is_described:
        return (invented(random),)
    if chance < 0.35 and parts[0] in SAME_VERBS and len(parts) > 1:
        other = (random.choice(SAME_VERBS[parts[0]]), *parts[1:])
        return parts if is_held_back(other) else other
    return parts


def may_be_told(asked: Tool, each: Argument) -> bool:
    """Whether people would tell this value first and then say `my` and its name."""
    return not asked.optional and each.name not in POINTED and (not asked.wording or pointing(asked, each) != [])


def pointing(asked: Tool, each: Argument) -> list[str]:
    """The wordings of a tool that do not quote this parameter."""
    return [form for form in asked.wording if f'"{{{each.name}}}"' not in form]


def named_argument(random: Random, called: str, subject: str) -> Argument:
    """A parameter of this name; `to:city` is one called `to` of the kind that `city` belongs to."""
    own, _, like = called.partition(":")
    return argument_of(random, next(kind for kind in KINDS if (like or own) in kind.names), own, subject)


def request(random: Random, split: Split, asked: Tool, hidden: Argument | None = None) -> tuple[str, Call]:
    """A request in words and the call that it needs; `hidden` was told before and is only pointed at."""
    given = list(asked.arguments)
    if asked.optional and random.random() < 0.5:
        given = given[: len(given) - asked.optional]
    call = Call(asked.name, {each.name: each.value for each in given})
    if asked.wording:
        told = {each.name: f"my {each.spoken_name}" if each is hidden else said_by(random, each.value) for each in given}
        text = random.choice(pointing(asked, hidden) if hidden else asked.wording)
        return text.format(**told), call
    mentions = [f"with my {each.spoken_name}" if each is hidden else each.mention for each in given]
    if random.random() < 0.3:
        random.shuffle(mentions)
    words = random.choice((" ", " ", ", ", " and ")).join(mentions)
    verb = asked.verb
    text = wording(random, split, REQUESTS).format(v=verb, w=verb[0].lower() + verb[1:], o=asked.subject, a=words)
    return " ".join(text.split()).replace(" .", ".").replace(" ?", "?").replace(", .", ".").replace(" ,", ","), call
