"""Tools that have never existed: a name, a description, parameters, and a request that needs them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from .arguments import KINDS, Argument, argument, argument_of, said
from .chat import Call, Json, Split
from .phrasing import families
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

DESCRIPTIONS = ("{V} the {o}.", "{V} a {o}.", "{V} {o} data.", "Use this to {v} a {o}.", "This tool can {v} the {o}.", "{V}s a {o} in the system.", "{V} one {o}", "Tool to {v} {o}s.", "{V} the {o} that the user asks for.", "")
REQUESTS = ("{v} the {o} {a}.", "{v} a {o} {a}", "{v} {o} {a}", "{v} my {o} {a}.", "Please {w} the {o} {a}.", "Can you {w} the {o} {a}?", "I want you to {w} a {o} {a}.", "{v} the {o}, {a}.", "Could you {w} a {o} {a}?", "I would like you to {w} the {o} {a}.", "{a}: {w} the {o}.", "{v} this {o} {a}", "Now {w} the {o} {a}.", "{v} one {o} {a}, please.", "Go and {w} the {o} {a}.", "{v} our {o} {a}.", "Would you {w} my {o} {a}?", "I need to {w} the {o} {a}.", "Let us {w} a {o} {a}.", "Could you please {w} my {o} {a}?", "It is time to {w} the {o} {a}.", "{a}, {w} the {o}, please.", "Hey, {w} that {o} {a}", "I'd like to {w} our {o} {a}.", "Try to {w} one {o} {a}.", "{v} some {o} {a}.", "You should {w} the {o} {a}.", "{v} {o}: {a}")


NAME_PART = re.compile("[A-Z]?[a-z]+")


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

    @property
    def words(self) -> frozenset[str]:
        """The words of its name, by which two tools for the same purpose are known."""
        return frozenset(part.lower() for part in NAME_PART.findall(self.name))

    def as_definition(self) -> dict[str, Json]:
        """The tool as chat templates know it."""
        needed = [each.name for each in self.arguments[: len(self.arguments) - self.optional]]
        parameters = {"type": "object", "properties": {each.name: each.schema for each in self.arguments}, "required": needed}
        return {"type": "function", "function": {"name": self.name, "description": self.description, "parameters": parameters}}


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
    known, strange = (0.42, 0.12) if split == "train" else (0.22, 0.15)
    chance = random.random()
    if chance < known:
        return known_tool(random, split)
    if chance < known + strange:
        verb, subject = invented(random), invented(random)
        spoken_verbs: tuple[str, ...] = (verb.capitalize(),)
    else:
        verb = random.choice(tuple(VERBS))
        spoken_verbs, subject = VERBS[verb], object_of(random, split)
    made, optional = parameters(random, subject)
    parts = (verb, subject) if random.random() < 0.85 else (subject, verb)
    description = random.choice(DESCRIPTIONS).format(v=verb, V=verb.capitalize(), o=subject)
    return Tool(written(random, *parts), description, made, optional, random.choice(spoken_verbs), subject)


def object_of(random: Random, split: Split) -> str:
    """What a tool is about; in training also any other thing or an invented word, so that no object is strange."""
    if split == "train" and random.random() < 0.4:
        return random.choice((random.choice(THINGS), invented(random)))
    return random.choice(families(split, OBJECTS))


KNOWN: tuple[tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]], ...] = (
    (("get", "weather"), "Get the current weather for a city.", ("city",), ("What is the weather in {city}?", "How is the weather in {city}?", "Is it raining in {city}?", "Weather in {city}?", "What's the weather like in {city}?")),
    (("get", "current", "weather"), "Get the current weather in a given location", ("location", "unit"), ("What is the weather in {location} in {unit}?", "Tell me the weather in {location}, in {unit}.", "How warm is it in {location}? Use {unit}.")),
    (("search", "web"), "Search the web.", ("query",), ("Search the web for {query}.", "Look up {query} online.", "Google {query}", "Find something about {query} on the web.")),
    (("send", "email"), "Send an email.", ("to", "subject", "text"), ('Send an email to {to} with the subject "{subject}" and the text "{text}".', 'Email {to}: subject "{subject}", text "{text}".')),
    (("set", "timer"), "Set a timer.", ("minutes",), ("Set a timer for {minutes} minutes.", "Wake me in {minutes} minutes.", "Timer, {minutes} minutes.")),
    (("get", "time"), "Get the current time in a city.", ("city",), ("What time is it in {city}?", "Tell me the time in {city}.", "Current time in {city}?")),
    (("translate",), "Translate a text.", ("text", "target_language"), ('Translate "{text}" into {target_language}.', 'How do you say "{text}" in {target_language}?', 'Say "{text}" in {target_language}.')),
    (("play", "song"), "Play music.", ("song",), ("Play {song}.", "I want to hear {song}.", "Put on {song}.")),
    (("read", "file"), "Read a file.", ("path",), ("Read {path}.", "What is in {path}?", "Show me the file {path}.", "Open {path}")),
    (("convert", "currency"), "Convert an amount of money.", ("amount", "currency"), ("Convert {amount} to {currency}.", "How much is {amount} in {currency}?", "Change {amount} into {currency}.")),
    (("get", "user"), "Look a user up.", ("user_id",), ("Look up user {user_id}.", "Who is user {user_id}?", "Get the user with the id {user_id}.")),
    (("get", "order", "status"), "Get the status of an order.", ("order_id",), ("Where is my order {order_id}?", "What is the status of order {order_id}?", "Has order {order_id} shipped?")),
    (("add", "todo"), "Add something to the todo list.", ("title",), ('Add "{title}" to my list.', "Remind me of {title}.", "Put {title} on my todo list.")),
    (("list", "files"), "List the files of a folder.", ("path",), ("List the files in {path}.", "What files are in {path}?", "ls {path}")),
    (("book", "table"), "Book a table in a restaurant.", ("guest", "seats", "time"), ("Book a table for {guest}, {seats} seats, at {time}.", "I need a table at {time} with {seats} seats for {guest}.")),
    (("turn", "on", "light"), "Turn on the light in a room.", ("room",), ("Turn on the light in room {room}.", "Light on in room {room}.")),
    (("fetch", "url"), "Fetch a web page.", ("url",), ("Fetch {url}.", "Get {url}", "Download the page {url}.", "What is on {url}?")),
    (("get", "forecast"), "Get the weather forecast.", ("city", "days"), ("What will the weather be in {city} over the next {days} days?", "Forecast for {city}, {days} days.", "Give me the {days} day forecast for {city}.")),
    (("buy", "item"), "Buy something in the shop.", ("item", "quantity"), ("Buy {quantity} of {item}.", "I want to buy {item}, quantity {quantity}.", "Order {quantity} times {item}.")),
    (("get", "stock", "price"), "Get the price of a stock.", ("code",), ("What is the price of the stock {code}?", "Stock price of {code}?", "How much is {code} worth?")),
    (("call", "contact"), "Call somebody by phone.", ("contact",), ("Call {contact}.", "Phone {contact}", "Ring {contact} please.")),
    (("get", "directions"), "Get directions to a place.", ("destination",), ("How do I get to {destination}?", "Show me the way to {destination}.", "Directions to {destination}, please.")),
    (("create", "event"), "Create a calendar event.", ("title", "date", "time"), ('Put "{title}" into my calendar on {date} at {time}.', 'Create an event "{title}", {date}, {time}.')),
    (("delete", "file"), "Delete a file.", ("path",), ("Delete {path}.", "Remove the file {path}.", "rm {path}", "I do not need {path} any more, delete it.")),
    (("write", "file"), "Write a text to a file.", ("path", "text"), ('Write "{text}" to {path}.', 'Save the text "{text}" as {path}.', 'Put "{text}" into the file {path}.')),
    (("search", "products"), "Search the shop for products.", ("query",), ("Do you sell {query}?", "Find products for {query}.", "Search the shop for {query}.", "I am looking for {query}.")),
    (("get", "exchange", "rate"), "Get the exchange rate of a currency.", ("currency",), ("What is the exchange rate of {currency}?", "How much is one {currency} worth?", "Exchange rate for {currency}?")),
    (("send", "message"), "Send a message to somebody.", ("recipient", "message"), ('Tell {recipient}: "{message}".', 'Send {recipient} the message "{message}".', 'Message {recipient} "{message}".', 'Text {recipient} "{message}".')),
    (("track", "package"), "Track a package.", ("code",), ("Where is my package {code}?", "Track {code}.", "Has the package {code} arrived?")),
    (("get", "news"), "Get the latest news about a topic.", ("topic",), ("What is new about {topic}?", "News about {topic}, please.", "Give me the latest news on {topic}.")),
    (("set", "alarm"), "Set an alarm.", ("time",), ("Wake me at {time}.", "Set an alarm for {time}.", "Alarm at {time}, please.")),
    (("set", "temperature"), "Set the temperature of a room.", ("room", "temperature"), ("Set room {room} to {temperature} degrees.", "Make it {temperature} degrees in room {room}.", "Heat room {room} to {temperature}.")),
    (("cancel", "order"), "Cancel an order.", ("order_id",), ("Cancel my order {order_id}.", "I do not want the order {order_id} any more.", "Please stop order {order_id}.")),
    (("get", "population"), "Get the population of a city.", ("city",), ("How many people live in {city}?", "What is the population of {city}?", "Population of {city}?")),
    (("get", "customer"), "Look a customer up by name.", ("customer",), ("Who is the customer {customer}?", "Show me the customer {customer}.", "Look up {customer} in the customers.")),
    (("get", "weather"), "Get the current weather in a given location", ("location", "unit"), ("What's the weather like in {location}? In {unit}.", "Weather in {location} in {unit}, please.", "What is the weather in {location}, {unit}?")),
    (("calculator",), "Evaluate an expression.", ("expression",), ("What is {expression}? Use the tool.", "Calculate {expression}.", "Compute {expression}", "How much is {expression}? Use the calculator.", "Work out {expression} with the tool.")),
    (("add",), "Add two numbers.", ("a:count", "b:count"), ("Add {a} and {b}.", "Add {a} to {b}", "What is the sum of {a} and {b}? Use the tool.", "Add up {a} and {b}, please.")),
    (("multiply",), "Multiply two numbers.", ("a:count", "b:count"), ("Multiply {a} by {b}.", "Multiply {a} and {b}", "What is the product of {a} and {b}? Use the tool.")),
    (("book", "flight"), "Book a flight.", ("from:city", "to:city", "date"), ("Book a flight from {from} to {to} on {date}.", "I want to fly from {from} to {to} on {date}.", "Get me a flight to {to} from {from}, {date}.", "Fly me from {from} to {to} {date}")),
    (("find", "flights"), "Find flights between two cities.", ("origin", "destination"), ("Find flights from {origin} to {destination}.", "Are there flights from {origin} to {destination}?", "Flights to {destination} from {origin}?")),
    (("run", "command"), "Run a shell command.", ("command",), ("Run {command}", "Run the command {command}", "Execute `{command}`", "Type {command} in the shell.", "Please run {command} for me")),
    (("bash",), "Run a command in the shell.", ("command",), ("Run {command}", "Run {command} in bash", "Execute {command}", "Use bash: {command}")),
    (("get", "current", "time"), "Get the current time in a time zone.", ("timezone",), ("What time is it in {timezone}?", "What's the time in {timezone}?", "Tell me the time in {timezone}.", "Current time, {timezone}?")),
    (("send", "email"), "Send an email to a person.", ("to", "subject", "body"), ("Send an email to {to} with subject {subject} and body {body}", 'Email {to} with the subject "{subject}" and the body "{body}".', "Write an email to {to}. Subject: {subject}. Body: {body}", 'Mail {to} about {subject}: "{body}"')),
    (("web", "search"), "Search the internet.", ("query",), ("Search for {query}", "Search the web for {query}", "Look up {query}", "Find out about {query}", "What can you find about {query}?")),
    (("read", "file"), "Read the content of a file.", ("path",), ("Read the file {path}", "What does {path} say?", "Show me {path}", "Read {path} and tell me what is in it.", "Open the file {path}.")),
    (("write", "file"), "Write content to a file.", ("path", "content"), ('Write "{content}" into {path}.', "Create the file {path} with the content {content}", 'Write {path} with "{content}"', "Save {content} to {path}")),
    (("list", "directory"), "List the files of a directory.", ("path",), ("List the files in {path}", "What is in the folder {path}?", "Show me the files in {path}.", "Which files are in {path}?")),
    (("search", "files"), "Search files for a pattern.", ("pattern:topic", "path"), ("Search {path} for {pattern}", "Find {pattern} in {path}", "Where in {path} is {pattern}?", "Look for {pattern} in {path}.")),
    (("create", "issue"), "Create an issue.", ("title", "body"), ('Create an issue "{title}" with the body "{body}".', "Open an issue titled {title} saying {body}", 'File an issue: "{title}", "{body}".')),
    (("get", "stock", "price"), "Get the current price of a stock.", ("symbol:code",), ("What is the stock price of {symbol}?", "Price of {symbol}?", "How is {symbol} doing?")),
    (("convert", "currency"), "Convert money from one currency to another.", ("amount", "from:currency", "to:currency"), ("Convert {amount} {from} to {to}.", "How much is {amount} {from} in {to}?", "Change {amount} {from} into {to}", "{amount} {from} in {to}?")),
    (("create", "reminder"), "Create a reminder.", ("text", "time"), ("Remind me to {text} at {time}.", 'Set a reminder "{text}" for {time}.', "At {time}, remind me: {text}")),
    (("translate", "text"), "Translate a text into a language.", ("text", "language"), ("Translate {text} to {language}", 'Translate "{text}" into {language}.', "How do you say {text} in {language}?")),
    (("get", "weather", "forecast"), "Get the forecast for a place and a day.", ("location", "date"), ("What will the weather be in {location} on {date}?", "Forecast for {location}, {date}?", "Will it rain in {location} {date}?")),
    (("schedule", "meeting"), "Schedule a meeting.", ("title", "date", "time"), ("Schedule a meeting about {title} on {date} at {time}.", 'Set up a meeting "{title}" for {date}, {time}.', "Plan a meeting: {title}, {date} at {time}")),
    (("query", "database"), "Run a query.", ("query",), ('Query the database for {query}.', "Ask the database: {query}", "Look in the database for {query}")),
)


def known_tool(random: Random, split: Split) -> Tool:
    """A tool as people really write them, with requests in everyday words."""
    parts, description, called, wording = random.choice(families(split, KNOWN))  # type: ignore[arg-type]
    made = tuple(named_argument(random, each, parts[-1]) for each in called)
    return Tool(written(random, *parts), description, made, 0, parts[0], " ".join(parts[1:]), wording)


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
    if asked.wording and hidden is None:
        return random.choice(asked.wording).format(**{each.name: said(each.value) for each in given}), call
    mentions = [f"with my {each.spoken_name}" if each is hidden else each.mention for each in given]
    if random.random() < 0.3:
        random.shuffle(mentions)
    words = random.choice((" ", " ", ", ", " and ")).join(mentions)
    verb = asked.verb
    text = random.choice(families(split, REQUESTS)).format(v=verb, w=verb[0].lower() + verb[1:], o=asked.subject, a=words)
    return " ".join(text.split()).replace(" .", ".").replace(" ?", "?").replace(", .", ".").replace(" ,", ","), call
