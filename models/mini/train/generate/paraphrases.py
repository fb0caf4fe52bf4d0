"""Meanings, each said in many ways: what the embedding model learns to bring together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from .about_parley import HOW, SUBJECTS, TASKS, WHAT
from .arguments import email
from .chat import Split
from .facts import AFTER, CAPITAL, CAPITALS, COLOUR, COLOURS_OF, LANGUAGES, OPPOSITE, OPPOSITES, SPEAK
from .phrasing import families
from .words import ANIMALS, CITIES, COLOURS, DAYS, FOODS, HOBBIES, JOBS, MONTHS, NAMES, THINGS, invented

Slots = dict[str, str]


@dataclass(frozen=True)
class Intent:
    """A kind of meaning: its wordings, and what may be filled into them."""

    wordings: tuple[str, ...]
    fill: Callable[[Random], Slots]


def of(**rows: object) -> Callable[[Random], Slots]:
    """A filler that draws each slot from its row."""
    return lambda random: {slot: random.choice(tuple(row)) for slot, row in rows.items()}  # type: ignore[call-overload]


def topics(topics: tuple[tuple[tuple[str, ...], str], ...]) -> Callable[[Random], Slots]:
    """A filler for the questions about Parley: every name of a topic means the same."""
    return lambda random: {"topic": str(random.randrange(len(topics)))}


INTENTS: tuple[Intent, ...] = (
    Intent(CAPITAL, of(x=[country for country, _ in CAPITALS])),
    Intent(OPPOSITE, of(x=[one for one, _ in OPPOSITES])),
    Intent(COLOUR, of(x=[thing for thing, _ in COLOURS_OF])),
    Intent(SPEAK, of(x=[country for country, _ in LANGUAGES])),
    Intent(AFTER, of(k=["one"], x=[*DAYS, *MONTHS])),
    Intent(("The weather in {x} is bad.", "It is raining in {x}.", "{x} has bad weather.", "Bad weather in {x} today.", "In {x} it rains.", "There is rain in {x}.", "Rain falls on {x}.", "Take an umbrella to {x}, it rains.", "{x} is wet and rainy.", "It is a rainy day in {x}.", "The sky over {x} is grey and wet.", "We have rain here in {x}.", "{x} gets rain.", "Showers in {x}.",
        "The weather is bad in {x}.", "It rains in {x}.", "It is wet in {x}.", "Rainy weather in {x}.", "{x} has rain today.", "Grey sky over {x}.", "Today it is raining in {x}.", "You need an umbrella in {x}.", "A lot of rain in {x}.", "The rain does not stop in {x}.", "How wet it is in {x}!", "{x} is grey today.", "Bad weather came to {x}.", "In {x} the weather is awful.",
        "Nothing but rain in {x}.", "It is grey and wet in {x}.", "Wet weather in {x}.", "It is raining again in {x}.", "The sky is grey in {x}.", "{x} is wet today.", "There is bad weather in {x}.", "Rain again in {x}.", "Awful weather in {x}.", "How it rains in {x}!", "Clouds and rain over {x}.", "In {x} the sky is grey.", "An umbrella is needed in {x}.", "It is a wet day in {x}."), of(x=CITIES)),
    Intent(("The weather in {x} is fine.", "The sun shines in {x}.", "{x} has good weather.", "Good weather in {x} today.", "In {x} it is sunny.", "There is sunshine in {x}.", "Sun over {x}.", "Blue sky in {x}.", "{x} is warm and sunny.", "It is a sunny day in {x}.", "The sky over {x} is clear.", "We have sun here in {x}.", "{x} gets a lot of sun.", "Clear and sunny in {x}.",
        "The weather is fine in {x}.", "It is sunny in {x}.", "Sunny weather in {x}.", "{x} has sunshine today.", "Blue sky over {x}.", "Today the sun shines in {x}.", "You need sunglasses in {x}.", "A lot of sun in {x}.", "It is warm and clear in {x}.", "The sky is blue in {x}.", "How sunny it is in {x}!", "{x} is bright today.", "Good weather came to {x}.", "In {x} the weather is wonderful.",
        "Nothing but sun in {x}.", "It is bright and sunny in {x}.", "Clear weather in {x}.", "It is sunny again in {x}.", "The sky is clear in {x}.", "{x} is sunny today.", "There is good weather in {x}.", "Sunshine again in {x}.", "Wonderful weather in {x}.", "How the sun shines in {x}!", "Sun and blue sky over {x}.", "In {x} the sky is blue.", "Sunglasses are needed in {x}.", "It is a bright day in {x}."), of(x=CITIES)),
    Intent(("I want to travel to {x}.", "Book me a trip to {x}.", "Let us fly to {x}.", "I need a flight to {x}.", "A journey to {x}, please.", "I would like to go to {x}.", "How do I get to {x}?", "We plan a holiday in {x}.", "Take me to {x}.", "I am going on a trip to {x}.", "My next holiday is in {x}.", "A ticket to {x}, please.", "I am off to {x}.", "We travel to {x}.",
        "I want to go to {x}.", "I want to fly to {x}.", "A flight to {x}.", "Book a flight to {x}.", "We go on holiday to {x}.", "My holiday will be in {x}.", "A trip to {x}.", "I plan a trip to {x}.", "We are travelling to {x}.", "Bring me to {x}.", "What is the way to {x}?", "I leave for {x}.", "I take a plane to {x}.", "Let us go to {x}.",
        "I travel to {x}.", "My trip goes to {x}.", "I am travelling to {x}.", "Fly me to {x}.", "I would like to travel to {x}.", "A holiday in {x}.", "We are off to {x}.", "A plane to {x}, please.", "Buy me a ticket to {x}.", "I need to get to {x}.", "My journey goes to {x}.", "Show me the way to {x}.", "Next I go to {x}.", "We leave for {x} on holiday."), of(x=CITIES)),
    Intent(("How do I cook {x}?", "Give me a recipe for {x}.", "What do I need to make {x}?", "I want to prepare {x}.", "How is {x} made?", "Tell me how to cook {x}.", "Ingredients for {x}?", "I would like to cook {x} tonight.", "Show me a {x} recipe.", "What goes into {x}?", "Cooking {x} at home.", "Preparing {x}: how?", "The recipe of {x}.", "Teach me to cook {x}.",
        "How can I make {x}?", "How to cook {x}?", "How to prepare {x}?", "I want to cook {x}.", "What is the recipe for {x}?", "A recipe for {x}, please.", "Tell me the recipe of {x}.", "Show me how to cook {x}.", "How do you prepare {x}?", "What do I need for {x}?", "The ingredients of {x}?", "Let us cook {x}.", "I am going to cook {x}.", "Making {x} in the kitchen.",
        "How do I make {x}?", "How do I prepare {x}?", "What goes into {x} when I cook it?", "Give me the recipe of {x}.", "Cooking {x}: how?", "Teach me how to make {x}.", "I would like to make {x}.", "I would like to prepare {x}.", "How is {x} cooked?", "How is {x} prepared?", "Which ingredients does {x} need?", "I am making {x} at home.", "Let us make {x} at home.", "Show me how {x} is made."), of(x=FOODS)),
    Intent(("I like {x}.", "{x} is my favourite hobby.", "In my free time I go for {x}.", "I love {x}.", "{x} is what I enjoy.", "I am fond of {x}.", "I spend my time with {x}.", "My hobby is {x}.", "Nothing is better than {x}.", "I enjoy {x} very much.", "{x} makes me happy.", "I am a fan of {x}.", "My free time belongs to {x}.", "I do {x} for fun.",
        "I really like {x}.", "I love to go {x}.", "I enjoy {x} in my free time.", "My favourite hobby is {x}.", "{x} is my hobby.", "{x} is great fun.", "{x} is wonderful.", "What I love is {x}.", "I am happy when I do {x}.", "A hobby of mine is {x}.", "I have fun with {x}.", "Most of all I like {x}.", "I am crazy about {x}.", "{x} is the best thing.",
        "I am happy with {x}.", "I like {x} very much.", "I like to go {x}.", "I love {x} most of all.", "{x} is fun.", "{x} is a great hobby.", "{x} is great.", "I enjoy {x} most of all.", "What fun {x} is!", "I always enjoy {x}.", "I am very fond of {x}.", "I am a great fan of {x}.", "I find {x} wonderful.", "There is nothing better than {x}."), of(x=HOBBIES)),
    Intent(("I hate {x}.", "{x} is boring.", "I do not like {x}.", "I cannot stand {x}.", "I never want to do {x} again.", "{x} is not for me.", "I am tired of {x}.", "{x} bores me.", "I dislike {x}.", "{x} is a waste of time.", "Nothing is worse than {x}.", "I have no interest in {x}.", "Keep me away from {x}.", "I avoid {x}.",
        "I really hate {x}.", "I do not enjoy {x}.", "I do not want to do {x}.", "{x} is no fun.", "{x} is awful.", "I find {x} boring.", "What I hate is {x}.", "I am bored by {x}.", "{x} makes me unhappy.", "I am not a fan of {x}.", "I am sick of {x}.", "I do not care for {x}.", "Stop bothering me with {x}.", "{x} is the worst thing.",
        "I am unhappy with {x}.", "I do not like {x} at all.", "I do not like to go {x}.", "I hate {x} most of all.", "{x} is not fun.", "{x} is an awful hobby.", "{x} is terrible.", "I cannot stand {x} at all.", "How boring {x} is!", "I never enjoy {x}.", "I am tired and sick of {x}.", "I am no fan of {x}.", "I find {x} awful.", "There is nothing worse than {x}."), of(x=HOBBIES)),
    Intent(("{n} works as a {j}.", "{n} is a {j}.", "The job of {n} is {j}.", "{n} earns a living as a {j}.", "By profession, {n} is a {j}.", "{n} has a job as a {j}.", "As a {j}, {n} works hard.", "The {j} is called {n}.", "Our {j} is {n}.", "{n}, the {j}.", "{n} found work as a {j}.", "{n} is employed as a {j}.", "They hired {n} as a {j}.", "{n} became a {j}.",
        "{n} is working as a {j}.", "{n} has worked as a {j} for years.", "{n} is our {j}.", "{n}'s job is {j}.", "The profession of {n} is {j}.", "{n} makes money as a {j}.", "{n} is a {j} by profession.", "A {j} named {n}.", "{n} does the work of a {j}.", "The work of {n} is that of a {j}.", "{n} took a job as a {j}.", "You will meet {n}, who is a {j}.", "{n}, a {j}, is here.", "The name of the {j} is {n}.",
        "{n} works, as a {j}.", "{n} is now a {j}.", "The job that {n} has is {j}.", "{n} has the job of a {j}.", "A {j} is what {n} is.", "{n} was hired as a {j}.", "{n} gets paid as a {j}.", "{n} earns money as a {j}.", "{n} is in work as a {j}.", "We hired {n} as a {j}.", "Our new {j} is {n}.", "{n} has become a {j}.", "The {j} here is {n}.", "{n} makes a living as a {j}."), of(n=NAMES, j=JOBS)),
    Intent(("{n} has a {a}.", "{n} owns a {a}.", "The pet of {n} is a {a}.", "A {a} lives with {n}.", "{n} keeps a {a}.", "{n} bought a {a} as a pet.", "The {a} belongs to {n}.", "{n} takes care of a {a}.", "{n} got a {a}.", "There is a {a} in the home of {n}.", "{n} feeds a {a}.", "{n} and the {a} live together.", "{n} is the owner of a {a}.", "It is the {a} of {n}.",
        "{n} has a {a} as a pet.", "{n} has got a {a}.", "A {a} is the pet of {n}.", "{n} lives with a {a}.", "The {a} is owned by {n}.", "{n} has a pet, a {a}.", "{n} loves the {a} at home.", "{n} looks after a {a}.", "The {a} of {n}.", "{n}'s pet is a {a}.", "At home {n} has a {a}.", "A {a} belongs to {n}.", "{n} walks with the {a}.", "The owner of the {a} is {n}.",
        "{n} now has a {a}.", "{n} has one {a} at home.", "The {a} that {n} has.", "{n} owns one {a} as a pet.", "A {a} is owned by {n}.", "{n} keeps a {a} at home.", "{n} feeds the {a} at home.", "{n} has bought a {a}.", "{n} takes good care of the {a}.", "In the home of {n} lives a {a}.", "The {a} and its owner {n}.", "{n} has a pet {a}.", "Pet of {n}: a {a}.", "The {a} lives with {n}."), of(n=NAMES, a=ANIMALS)),
    Intent(("{n} lives in {c}.", "The home of {n} is in {c}.", "{n} is from {c}.", "{n} has a flat in {c}.", "In {c}, there lives {n}.", "{n} moved to {c}.", "{c} is where {n} lives.", "{n} resides in {c}.", "{n} is at home in {c}.", "You find {n} in {c}.", "The city of {n} is {c}.", "{n} settled in {c}.", "The address of {n} is in {c}.", "{n} stays in {c}.",
        "{n} is living in {c}.", "{n} has lived in {c} for years.", "{n} has a home in {c}.", "{n}'s home is {c}.", "{n} comes from {c}.", "{n} dwells in {c}.", "The home town of {n} is {c}.", "{n} has an address in {c}.", "{n} has a house in {c}.", "In {c} you find {n}.", "{c} is the home of {n}.", "{n} went to live in {c}.", "{n} of {c}.", "A flat in {c} belongs to {n}.",
        "{n} now lives in {c}.", "{n} has settled in {c}.", "The house of {n} is in {c}.", "The flat of {n} is in {c}.", "The city where {n} lives is {c}.", "{n} is at home in the city of {c}.", "{n} has moved to {c}.", "{c} is home to {n}.", "{n} is a resident of {c}.", "Home of {n}: {c}.", "{n} lives somewhere in {c}.", "In {c} is the home of {n}.", "{n} stays at home in {c}.", "Where does {n} live? In {c}."), of(n=NAMES, c=CITIES)),
    Intent(("The {o} is {x}.", "A {x} {o}.", "The colour of the {o} is {x}.", "It is a {x} {o}.", "I see a {x} {o}.", "The {o} has the colour {x}.", "That {o} is {x}.", "Here is a {x} {o}.", "My {o} is {x}.", "Somebody painted the {o} {x}.", "We have a {x} {o}.", "The {o} looks {x}.", "A {o} that is {x}.", "{x} is the colour of this {o}.",
        "This {o} is {x}.", "The {o} is of {x} colour.", "A {o} in {x}.", "There is a {x} {o}.", "This is a {x} {o}.", "The colour of this {o} is {x}.", "I have a {x} {o}.", "Look at the {x} {o}.", "Your {o} is {x}.", "The {o} was painted {x}.", "The {o} is coloured {x}.", "What a {x} {o}!", "The {o} appears to be {x}.", "{x}, that is how the {o} looks.",
        "The {o} is painted {x}.", "The {o} has been painted {x}.", "One {x} {o}.", "Here we have a {x} {o}.", "That is a {x} {o}.", "That {o} has the colour {x}.", "I see that the {o} is {x}.", "The {o} that I see is {x}.", "Here the {o} is {x}.", "Our {o} is {x}.", "Our {o} looks {x}.", "Somebody has a {x} {o}.", "{x} is the {o}.", "A {x} coloured {o}."), of(o=THINGS, x=COLOURS)),
    Intent(("I lost my {o}.", "My {o} is gone.", "Where is my {o}?", "I cannot find my {o}.", "Have you seen my {o}?", "I am looking for my {o}.", "My {o} has disappeared.", "Somebody took my {o}.", "I miss my {o}.", "The {o} is lost.", "I do not know where my {o} is.", "My {o} went missing.", "Help me find my {o}.", "I search for my {o}.",
        "I have lost my {o}.", "I have lost the {o}.", "My {o} is lost.", "The {o} is gone.", "Who took my {o}?", "Who has seen my {o}?", "Where did I leave my {o}?", "I can not see my {o} anywhere.", "I am searching for my {o}.", "Find my {o}, please.", "The {o} is missing.", "My {o} is missing.", "Did you find my {o}?", "I left my {o} somewhere.",
        "I lost the {o}.", "I have no idea where my {o} is.", "I do not find my {o}.", "I cannot find the {o}.", "I can not find the {o} anywhere.", "Where has my {o} gone?", "Where is the {o}?", "Where could my {o} be?", "Has anybody seen my {o}?", "Somebody has taken my {o}.", "The {o} has disappeared.", "The {o} went missing.", "Please help me look for my {o}.", "I look everywhere for my {o}."), of(o=THINGS)),
    Intent(("I want to buy a {o}.", "How much is a {o}?", "Where can I get a {o}?", "I need a new {o}.", "Sell me a {o}.", "I would like to order a {o}.", "A {o}, please, I will pay.", "What does a {o} cost?", "I am shopping for a {o}.", "Do you sell a {o}?", "The price of a {o}?", "I will purchase a {o}.", "Can I buy a {o} here?", "I look for a {o} to buy.",
        "I would like to buy a {o}.", "I will buy a {o}.", "I am going to buy a {o}.", "I want to purchase a {o}.", "What is the price of a {o}?", "What must I pay for a {o}?", "Which shop sells a {o}?", "Where do they sell a {o}?", "I order a {o}.", "Give me a {o}, here is the money.", "How expensive is a {o}?", "A new {o} is what I need to buy.", "Where can I buy a {o}?", "I spend money on a {o}.",
        "I need to buy a {o}.", "I need to buy a new {o}.", "I would like to purchase a {o}.", "Let me buy a {o}.", "What is the cost of a {o}?", "The cost of a {o}?", "How much must I pay for a {o}?", "How much money is a {o}?", "Is a {o} expensive?", "Tell me the price of a {o}.", "Where do you sell a {o}?", "Do you have a {o} to sell?", "I pay for a {o}.", "I am ordering a new {o}."), of(o=THINGS)),
    Intent(("My {o} is broken.", "The {o} does not work.", "I have to repair my {o}.", "Somebody broke the {o}.", "Fix my {o}.", "The {o} is damaged.", "Can you repair a {o}?", "My {o} stopped working.", "The {o} is out of order.", "I need help with a broken {o}.", "The {o} fell and broke.", "There is something wrong with my {o}.", "The {o} has a fault.", "How do I fix a {o}?",
        "The {o} is broken.", "I broke my {o}.", "My {o} is damaged.", "My {o} does not work.", "My {o} does not work any more.", "The {o} needs a repair.", "Please repair my {o}.", "Please fix the {o}.", "The {o} is defective.", "My {o} has a defect.", "The {o} is in pieces.", "The {o} no longer works.", "The {o} must be repaired.", "Who can fix my {o}?",
        "My {o} broke.", "Somebody has broken my {o}.", "My {o} fell and is broken.", "The {o} fell into pieces.", "There is a fault in my {o}.", "The {o} is broken into pieces.", "My {o} is out of order.", "The {o} has stopped working.", "The {o} will not work.", "I have a broken {o}.", "I have to fix my {o}.", "I need to repair the {o}.", "How can I repair my {o}?", "Something is wrong with the {o}."), of(o=THINGS)),
    Intent(("Meet me on {d} in {c}.", "We meet in {c} on {d}.", "The meeting is on {d} in {c}.", "On {d} there is a meeting in {c}.", "Let us meet in {c} this {d}.", "A meeting in {c}, {d}.", "Our appointment is in {c} on {d}.", "{d}, {c}: meeting.", "See you in {c} on {d}.", "I have an appointment on {d} in {c}.", "Come to {c} on {d}.", "The team meets on {d} in {c}.", "Plan a meeting in {c} for {d}.", "Our meeting: {c}, {d}.",
        "We will meet in {c} on {d}.", "We have a meeting in {c} on {d}.", "There is a meeting on {d} in {c}.", "The meeting in {c} is on {d}.", "Let us meet on {d} in {c}.", "A meeting on {d} in {c}.", "My appointment in {c} is on {d}.", "On {d} we meet in {c}.", "Be in {c} on {d} for the meeting.", "I will see you on {d} in {c}.", "Meeting: {d} in {c}.", "Schedule a meeting in {c} on {d}.", "On {d} I expect you in {c}.", "{c} is where we meet on {d}.",
        "We have an appointment on {d} in {c}.", "There is an appointment in {c} on {d}.", "I meet you in {c} on {d}.", "Will you meet me in {c} on {d}?", "Can we meet on {d} in {c}?", "Can we meet in {c} on {d}?", "Our team meets in {c} on {d}.", "See you on {d} in {c}.", "Come to the meeting in {c} on {d}.", "The appointment is on {d} in {c}.", "On {d} we have a meeting in {c}.", "In {c} there is a meeting on {d}.", "A meeting is planned in {c} for {d}.", "{d}: meeting in {c}."), of(d=DAYS, c=CITIES)),
    Intent(("Send a mail to {e}.", "Write to {e}.", "Email {e}.", "Please contact {e}.", "The address is {e}.", "A message for {e}.", "Drop {e} a line.", "Mail this to {e}.", "Reach out to {e}.", "Get in touch with {e}.", "Let {e} know.", "Forward it to {e}.", "Tell {e} by mail.", "Inform {e}.",
        "Send an email to {e}.", "Send this to {e}.", "Write a mail to {e}.", "Write an email to {e}.", "Mail {e}.", "Contact {e}.", "Please write to {e}.", "Send {e} a message.", "A mail for {e}.", "An email goes to {e}.", "The mail address is {e}.", "Please inform {e}.", "Please let {e} know by mail.", "Forward this message to {e}.",
        "Send it to {e}.", "Send a message to {e}.", "Write {e} a mail.", "Write {e} a message.", "Email this to {e}.", "Drop a line to {e}.", "Please email {e}.", "Please mail {e}.", "Please forward this to {e}.", "Get {e} on the mail.", "Contact {e} by mail.", "Let {e} know about it.", "Tell {e} about it.", "This message is for {e}."), lambda random: {"e": email(random)}),
    Intent(("What is a {z}?", "Explain {z}.", "Tell me about {z}.", "Define the word {z}.", "What does {z} mean?", "I do not know the word {z}.", "The meaning of {z}?", "Describe {z}.", "What do you know about {z}?", "Give me information on {z}.", "{z}: what is it?", "Who knows what {z} is?", "Can you explain {z}?", "I want to learn about {z}.",
        "What is {z}?", "Please explain {z}.", "Can you tell me about {z}?", "Define {z}.", "What is the meaning of {z}?", "What is meant by {z}?", "Do you know what {z} means?", "I do not know what {z} is.", "Explain the word {z}.", "Describe {z} to me.", "Information about {z}, please.", "What can you say about {z}?", "Tell me what {z} is.", "I would like to know about {z}.",
        "What is {z}, please?", "What is this {z}?", "What does the word {z} mean?", "What is the definition of {z}?", "Definition of {z}?", "The definition of {z}, please.", "Explain to me what {z} is.", "Describe what {z} is.", "Give me a definition of {z}.", "Give me the meaning of {z}.", "Have you information about {z}?", "I want information about {z}.", "{z}, what does it mean?", "Could you define {z}?"), lambda random: {"z": invented(random)}),
    Intent(HOW, topics(TASKS)),
    Intent(WHAT, topics(SUBJECTS)),
)


LOOSE = 0.35
NOISE = tuple(sorted({word for intent in INTENTS for wording in families("train", intent.wordings) for word in wording.split() if word.isalpha()}))
NAMED = (CITIES, NAMES, THINGS, FOODS, HOBBIES, [country for country, _ in CAPITALS], [one for one, _ in OPPOSITES])


def pairs(seed: int, split: Split, alike: int = 1) -> Iterator[tuple[str, str, str]]:
    """Without end: what is meant, and two ways to say it, of different families; `alike` in a row differ in nothing but their values."""
    random = Random(f"pairs {split} {seed}")
    while True:
        if split == "train" and random.random() < LOOSE:
            yield from loose_pairs(random, alike)
            continue
        number = random.randrange(len(INTENTS))
        intent = INTENTS[number]
        one, other = random.sample(families(split, intent.wordings), 2)
        for _ in range(alike):
            slots = intent.fill(random)
            yield f"{number} {sorted(slots.items())}", filled(random, number, one, slots, split == "train"), filled(random, number, other, slots, split == "train")


def loose_pairs(random: Random, alike: int) -> Iterator[tuple[str, str, str]]:
    """Sentences of no meaning that share a name or a thing: where words were never seen, what is shared decides."""
    one, other = ([noise(random) for _ in range(random.randint(1, 6))] for _ in range(2))
    for _ in range(alike):
        values = [value(random) for _ in range(random.choice((1, 1, 2)))]
        yield f"loose {sorted(values)}", strewn(random, one, values), strewn(random, other, values)


def value(random: Random) -> str:
    """A name, a thing, an invented word or an address."""
    chance = random.random()
    if chance < 0.2:
        return email(random) if chance < 0.05 else invented(random)
    return random.choice(random.choice(NAMED))


def noise(random: Random) -> str:
    """A word that says nothing."""
    return invented(random) if random.random() < 0.5 else random.choice(NOISE)


def strewn(random: Random, words: list[str], values: list[str]) -> str:
    """The values somewhere among the words."""
    text = list(words)
    for value in values:
        text.insert(random.randint(0, len(text)), value)
    joined = " ".join(text)
    return joined[:1].upper() + joined[1:] + random.choice((".", "?", ""))


def filled(random: Random, number: int, wording: str, slots: Slots, worn: bool = False) -> str:
    """A wording with its slots; the topics about Parley have several names each. A worn one may lack words or have strange ones."""
    if "topic" in slots:
        named = TASKS if INTENTS[number].wordings is HOW else SUBJECTS
        slots = {"t": random.choice(named[int(slots["topic"])][0])}
    text = (wording if random.random() < 0.5 or not worn else thinned(random, wording)).format(**slots)
    return text[:1].upper() + text[1:]


def thinned(random: Random, wording: str) -> str:
    """`wording` with some words left out or changed for others, never a slot: what is not known must not count for much."""
    kept: list[str] = []
    for word in wording.split(" "):
        chance = random.random()
        if "{" in word or chance > 0.25:
            kept.append(word)
        elif chance < 0.1:
            kept.append(noise(random))
    return " ".join(kept)


def distinct_pairs(seed: int, split: Split, count: int) -> list[tuple[str, str]]:
    """`count` pairs that all mean something different."""
    found: dict[str, tuple[str, str]] = {}
    for meaning, one, other in pairs(seed, split):
        found.setdefault(meaning, (one, other))
        if len(found) == count:
            break
    return list(found.values())
