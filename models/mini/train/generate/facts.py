"""Common facts, written down here by hand: capitals, days, units, opposites, colours, animals."""

from __future__ import annotations

from random import Random

from .chat import Check, Conversation, Split, assistant, user
from .further import further
from .phrasing import phrase
from .words import DAYS, MONTHS


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """`a:b, c:d` as pairs."""
    return tuple((left.strip(), right.strip()) for left, right in (pair.split(":") for pair in text.split(",")))


CAPITALS = pairs(
    "France:Paris, Germany:Berlin, Italy:Rome, Spain:Madrid, Portugal:Lisbon, Austria:Vienna, Poland:Warsaw, Greece:Athens, Ireland:Dublin, Norway:Oslo, "
    "Finland:Helsinki, Sweden:Stockholm, Denmark:Copenhagen, Belgium:Brussels, Hungary:Budapest, Egypt:Cairo, Kenya:Nairobi, Ghana:Accra, Tunisia:Tunis, "
    "India:New Delhi, Japan:Tokyo, South Korea:Seoul, China:Beijing, Thailand:Bangkok, Vietnam:Hanoi, Canada:Ottawa, Australia:Canberra, Peru:Lima, Ecuador:Quito, "
    "Colombia:Bogota, Chile:Santiago, Cuba:Havana, Mexico:Mexico City, Argentina:Buenos Aires, Latvia:Riga, Lithuania:Vilnius, Estonia:Tallinn, Iceland:Reykjavik, "
    "Romania:Bucharest, Bulgaria:Sofia, Croatia:Zagreb, Serbia:Belgrade, Ukraine:Kyiv, Turkey:Ankara, Morocco:Rabat, Nepal:Kathmandu, Iran:Tehran, Iraq:Baghdad, "
    "Switzerland:Bern, the Netherlands:Amsterdam, the United Kingdom:London, the United States:Washington, Brazil:Brasilia, Czechia:Prague"
)
OPPOSITES = pairs(
    "hot:cold, big:small, tall:short, fast:slow, happy:sad, light:dark, early:late, old:new, open:closed, full:empty, hard:soft, wet:dry, high:low, near:far, "
    "rich:poor, strong:weak, clean:dirty, loud:quiet, thick:thin, wide:narrow, deep:shallow, sweet:sour, left:right, up:down, day:night, true:false, first:last, "
    "good:bad, heavy:light, long:short, easy:difficult, safe:dangerous, inside:outside, love:hate, win:lose, buy:sell, begin:end, push:pull, summer:winter, always:never"
)
UNITS = (
    ("minutes", "an hour", "60"), ("seconds", "a minute", "60"), ("hours", "a day", "24"), ("days", "a week", "7"), ("months", "a year", "12"), ("days", "a year", "365"),
    ("weeks", "a year", "52"), ("years", "a century", "100"), ("years", "a decade", "10"), ("centimetres", "a metre", "100"), ("metres", "a kilometre", "1000"),
    ("grams", "a kilogram", "1000"), ("millimetres", "a centimetre", "10"), ("kilograms", "a tonne", "1000"), ("eggs", "a dozen", "12"), ("inches", "a foot", "12"),
    ("bits", "a byte", "8"), ("millilitres", "a litre", "1000"), ("cents", "a euro", "100"), ("quarters", "a year", "4"), ("degrees", "a right angle", "90"), ("letters", "the alphabet", "26"),
)
COLOURS_OF = pairs(
    "the sky:blue, grass:green, snow:white, a banana:yellow, coal:black, blood:red, a ripe tomato:red, a carrot:orange, chocolate:brown, the sun:yellow, a lemon:yellow, "
    "a strawberry:red, milk:white, a frog:green, the sea:blue, an emerald:green, a ruby:red, salt:white, a pumpkin:orange, an elephant:grey"
)
SOUNDS = pairs("dog:barks, cat:meows, cow:moos, duck:quacks, lion:roars, horse:neighs, sheep:bleats, frog:croaks, bee:buzzes, pig:oinks, wolf:howls, snake:hisses, owl:hoots, mouse:squeaks")
YOUNG = pairs("dog:puppy, cat:kitten, cow:calf, sheep:lamb, horse:foal, duck:duckling, bear:cub, goat:kid, hen:chick, frog:tadpole, pig:piglet, swan:cygnet, deer:fawn, kangaroo:joey")
LEGS = pairs("a dog:4, a cat:4, a spider:8, an ant:6, a bird:2, a horse:4, a bee:6, a snake:0, a cow:4, a human:2, a crab:10, a fish:0, an octopus:0, a chicken:2")
SIDES = pairs("triangle:3, square:4, pentagon:5, hexagon:6, octagon:8, rectangle:4, heptagon:7, decagon:10")
CHEMISTRY = pairs("water:H2O, gold:Au, silver:Ag, iron:Fe, oxygen:O, hydrogen:H, carbon:C, helium:He, copper:Cu, sodium:Na, table salt:NaCl, carbon dioxide:CO2, lead:Pb, tin:Sn")
LANGUAGES = pairs("France:French, Germany:German, Italy:Italian, Spain:Spanish, Portugal:Portuguese, Japan:Japanese, China:Chinese, Russia:Russian, Greece:Greek, Poland:Polish, Brazil:Portuguese, Mexico:Spanish, Egypt:Arabic, Sweden:Swedish, Turkey:Turkish, Hungary:Hungarian")
PLANETS = ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"]

CAPITAL = (
    *further("facts.CAPITAL"),
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] [the capital|the capital city] of {x}[?|.|, please.|]",
    "[Which|What] [city|town] is [the capital of {x}|{x}'s capital]?",
    "{x}[:|,] [which|what] [capital|capital city]?",
    "[The capital|Capital|Capital city] [of|for] {x}[?|, please|]",
    "What is the capital of {x}?", "Capital of {x}?", "Which city is the capital of {x}?", "Name the capital of {x}.", "Tell me the capital of {x}.", "What's the capital of {x}?", "Do you know the capital of {x}?", "What city is the capital of {x}?", "{x}: what is its capital?", "Can you tell me the capital of {x}?", "the capital of {x}", "Which is the capital city of {x}?", "What is the capital city of {x}?", "I need the capital of {x}.", "Name {x}'s capital.", "What is {x}'s capital?", "Which city is {x}'s capital?", "Say the capital of {x}.", "Give me the capital of {x}.", "The capital city of {x}?", "I want to know the capital of {x}.")
OPPOSITE = (
    *further("facts.OPPOSITE"),
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] [the|an|one] [opposite|antonym|opposite word] [of|to|for] {x}[?|.|, please.|]",
    "[Which|What] word [is|means] the [opposite|contrary] of {x}?",
    "[Opposite|Antonym|The opposite] of [the word |]{x}[?|, please|]",
    "What is [not {x}, but the opposite|the contrary of {x}|the reverse of being {x}]?",
    "What is the opposite of {x}?", "Opposite of {x}?", "Tell me the opposite of {x}.", "Name the opposite of {x}.", "Give me the opposite of {x}.", "What's the opposite of {x}?", "Which word is the opposite of {x}?", "Do you know the opposite of {x}?", "What is the antonym of {x}?", "the opposite of {x}", "Give an antonym for {x}.", "Which word means the opposite of {x}?", "What word is opposite to {x}?", "I need the opposite of {x}.", "Name an antonym of {x}.", "Antonym of {x}?", "What is an antonym for {x}?", "Say the opposite of {x}.", "Which word is an antonym of {x}?", "The opposite of the word {x}?", "I want to know the opposite of {x}.")
UNIT = (
    *further("facts.UNIT"),
    "[How many|What number of] {u} [are in|are there in|has|does it take for|make up|fit in|go into] {x}[?|]",
    "[Tell me|Give me|Say|Do you know] [how many {u} {x} has|the number of {u} in {x}|how many {u} are in {x}][?|.|]",
    "{x} [has|is|contains|equals] how many {u}?",
    "How many {u} are in {x}?", "How many {u} does {x} have?", "{x} has how many {u}?", "How many {u} are there in {x}?", "Tell me how many {u} are in {x}.", "Number of {u} in {x}?", "How many {u} make {x}?", "How many {u} in {x}?", "Do you know how many {u} are in {x}?", "What is the number of {u} in {x}?", "Can you say how many {u} are in {x}?", "How many {u} has {x}?", "How many {u} make up {x}?", "I forgot how many {u} are in {x}.", "How many {u} are contained in {x}?", "Say how many {u} are in {x}.", "{x}: how many {u}?", "I want to know how many {u} are in {x}.", "Give me the number of {u} in {x}.", "How many {u} can you find in {x}?", "{x} is how many {u}?")
COLOUR = (
    *further("facts.COLOUR"),
    "[What|Which|Tell me what|Say which] [colour|color] [is|has|does one see on] {x}[?|]",
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] the [colour|color] of {x}[?|.|]",
    "{x}[:|,] [what|which] [colour|color]?",
    "What colour is {x}?", "What color is {x}?", "Which colour is {x}?", "What is the colour of {x}?", "Tell me the colour of {x}.", "Which color does {x} have?", "What colour does {x} have?", "The colour of {x}?", "Name the colour of {x}.", "Which color is {x}?", "Do you know what colour {x} is?", "{x} is what colour?", "What is the color of {x}?", "What's the colour of {x}?", "Say what colour {x} is.", "Which colour has {x}?", "Color of {x}?", "Can you tell me the colour of {x}?", "I want to know the colour of {x}.", "Tell me what color {x} is.", "Give me the color of {x}.")
SOUND = (
    *further("facts.SOUND"),
    "[What|Which] [sound|noise] [does|would] [a|the] {x} make?",
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] the [sound|noise] [of|made by] a {x}[?|.|]",
    "[How|What] does a {x} [sound|sound like|say]?",
    "A {x} [makes|goes] what[ sound| noise|]?",
    "What sound does a {x} make?", "What does a {x} do to make a sound?", "Which sound does a {x} make?", "How does a {x} sound?", "What noise does a {x} make?", "Which noise does a {x} make?", "Tell me the sound of a {x}.", "The sound of a {x}?", "Do you know the sound of a {x}?", "What is the sound of a {x}?", "How do you call the sound of a {x}?", "Say what sound a {x} makes.", "Which sound comes from a {x}?", "Can you tell me what sound a {x} makes?", "What sound comes from a {x}?", "Noise of a {x}?", "A {x} makes which sound?", "Tell me what noise a {x} makes.", "What does the {x} say?", "How does the {x} sound?", "The noise that a {x} makes?")
BABY = (
    *further("facts.BABY"),
    "[What is|What's|How is|What do you call|How do you call] [a|the] [young|baby|little|newborn] {x}[ called|]?",
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] [the name|the word] [for|of] a [young|baby|little] {x}[?|.|]",
    "A [young|baby|little] {x} is [called|named] [what|how]?",
    "What is a young {x} called?", "What do you call a baby {x}?", "What is a baby {x} called?", "How is a young {x} called?", "Name for a young {x}?", "What is the name of a young {x}?", "A young {x} is called what?", "What do we call a young {x}?", "Tell me the word for a young {x}.", "What do you call a young {x}?", "How do you call a young {x}?", "What is the word for a baby {x}?", "Word for a young {x}?", "Can you tell me what a young {x} is called?", "The young of a {x} is called what?", "A baby {x} is called what?", "How do we call a baby {x}?", "Say the name for a young {x}.", "What is the child of a {x} called?", "Which word means a young {x}?", "The name of a baby {x}?")
LEG = (
    *further("facts.LEG"),
    "[How many|What number of] legs [does {x} have|has {x}|are on {x}|will {x} have]?",
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] the number of legs [of|on] {x}[?|.|]",
    "[Count|Tell me how many are] the legs of {x}[.|]",
    "{x} [has|walks on|stands on] how many legs?",
    "How many legs does {x} have?", "How many legs has {x}?", "Number of legs of {x}?", "{x} has how many legs?", "Tell me how many legs {x} has.", "Do you know how many legs {x} has?", "What is the number of legs of {x}?", "Count the legs of {x}.", "On how many legs does {x} stand?", "How many legs are on {x}?", "What number of legs does {x} have?", "Can you tell me how many legs {x} has?", "Legs of {x}?", "Say how many legs {x} has.", "I want to know how many legs {x} has.", "How many legs can you count on {x}?", "Give me the number of legs of {x}.", "Tell me the number of legs of {x}.", "{x}: how many legs?", "Does {x} have legs, and how many?", "How many legs would {x} have?")
SIDE = (
    *further("facts.SIDE"),
    "[How many|What number of] [sides|corners|edges] [does a {x} have|has a {x}|are in a {x}]?",
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] the number of [sides|corners] [of|in] a {x}[?|.|]",
    "A {x} has how many [sides|corners|edges]?",
    "How many sides does a {x} have?", "How many sides has a {x}?", "Number of sides of a {x}?", "A {x} has how many sides?", "Tell me how many sides a {x} has.", "Do you know how many sides a {x} has?", "What is the number of sides of a {x}?", "How many corners does a {x} have?", "What number of sides does a {x} have?", "Can you tell me how many sides a {x} has?", "Sides of a {x}?", "Say how many sides a {x} has.", "I want to know how many sides a {x} has.", "Count the sides of a {x}.", "Give me the number of sides of a {x}.", "How many corners has a {x}?", "Tell me the number of sides of a {x}.", "A {x}: how many sides?", "How many sides are there on a {x}?", "Number of corners of a {x}?", "How many edges does a {x} have?")
SYMBOL = (
    *further("facts.SYMBOL"),
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] the [chemical symbol|symbol|formula|chemical formula] [of|for] {x}[?|.|]",
    "[How|With which symbol] do [chemists|you|we] write {x}?",
    "[Symbol|Formula|Chemical symbol] [of|for] {x}[?|, please|]",
    "What is the chemical symbol for {x}?", "What is the formula of {x}?", "Chemical symbol of {x}?", "Symbol for {x}?", "Which symbol does {x} have?", "What is the symbol of {x}?", "Tell me the chemical symbol of {x}.", "What is the chemical formula of {x}?", "Formula of {x}?", "How do chemists write {x}?", "Give me the chemical symbol for {x}.", "How is {x} written in chemistry?", "What do chemists write for {x}?", "Which formula does {x} have?", "Chemical formula for {x}?", "Tell me the formula of {x}.", "The symbol of {x}?", "Do you know the chemical symbol of {x}?", "What is {x} in chemistry?", "Say the chemical symbol of {x}.", "Which chemical symbol stands for {x}?")
SPEAK = (
    *further("facts.SPEAK"),
    "[What|Which] language [is spoken|do people speak|do they speak|does one speak|do they use|is used] in {x}?",
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] the language [of|in|spoken in] {x}[?|.|]",
    "[What|Which language] do [people|they] in {x} speak?",
    "{x}[:|,] [which|what] language?",
    "Which language do people speak in {x}?", "What language is spoken in {x}?", "Which language is spoken in {x}?", "What do people speak in {x}?", "Language of {x}?", "What is the language of {x}?", "Tell me the language of {x}.", "What language do they speak in {x}?", "In {x}, which language is spoken?", "Which language do they speak in {x}?", "What language do I need in {x}?", "The language that is spoken in {x}?", "What is spoken in {x}?", "People in {x} speak which language?", "I need to know the language of {x}.", "What do they speak in {x}?", "Name the language of {x}.", "What is the main language in {x}?", "Which language is used in {x}?", "In which language do people in {x} talk?", "What language do the people of {x} speak?")
AFTER = (
    *further("facts.AFTER"),
    "[What|Which] {k} [comes|is|follows|stands|is right] [after|behind] {x}?",
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] the {k} [after|following|that comes after|that follows] {x}[?|.|]",
    "[After|Following] {x}[, what comes| comes what| is which {k}| we have which {k}]?",
    "Which {k} comes after {x}?", "What {k} comes after {x}?", "What is the {k} after {x}?", "Which {k} follows {x}?", "Tell me the {k} after {x}.", "What {k} follows {x}?", "After {x} comes which {k}?", "What comes after {x}?", "What is the next {k} after {x}?", "Name the {k} after {x}.", "{x} is followed by which {k}?", "What follows {x}?", "Which {k} is next after {x}?", "The {k} after {x}?", "{x} is followed by what?", "What is {x} followed by?", "Which {k} is {x} followed by?", "Say the {k} after {x}.", "The next {k} after {x}?", "After {x}, what {k} is next?", "What {k} comes next after {x}?", "Which {k} comes next after {x}?", "Give me the {k} that follows {x}.", "What comes right after {x}?", "Which {k} comes right after {x}?", "The {k} following {x}?", "What {k} is next after {x}?", "I want to know the {k} after {x}.")
BEFORE = (
    *further("facts.BEFORE"),
    "[What|Which] {k} [comes|is|stands|is right] [before|just before] {x}?",
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] the {k} [before|preceding|that comes before|just before] {x}[?|.|]",
    "Before {x}[, what comes| comes what| is which {k}| we have which {k}]?",
    "Which {k} comes before {x}?", "What {k} comes before {x}?", "What is the {k} before {x}?", "Which {k} precedes {x}?", "Tell me the {k} before {x}.", "What {k} precedes {x}?", "Before {x} comes which {k}?", "What comes before {x}?", "What is the {k} just before {x}?", "Name the {k} before {x}.", "The {k} before {x}?", "What precedes {x}?", "Which {k} is right before {x}?", "Say the {k} before {x}.", "What {k} is just before {x}?", "The previous {k} before {x}?", "Which {k} comes just before {x}?", "What is the previous {k} before {x}?", "What {k} was before {x}?", "Give me the {k} that precedes {x}.", "What comes right before {x}?", "The {k} preceding {x}?", "I want to know the {k} before {x}.")
NTH = (
    *further("facts.NTH"),
    "[What is|What's|Which is|Tell me|Give me|Name|Say|Do you know|I need|Look up] the {o} {k} [of|in] the {w}[?|.|]",
    "[Which|What] {k} is [the {o}|number {o}] [of|in] the {w}?",
    "The {o} {k} [of|in] the {w}[?|, please|]",
    "What is the {o} {k} of the {w}?", "Which {k} is the {o} of the {w}?", "Name the {o} {k} of the {w}.", "Tell me the {o} {k} of the {w}.", "The {o} {k} of the {w}?", "Which is the {o} {k} of the {w}?", "What's the {o} {k} of the {w}?", "Do you know the {o} {k} of the {w}?", "Say the {o} {k} of the {w}.", "Can you tell me the {o} {k} of the {w}?", "Of the {w}, which is the {o} {k}?", "I want to know the {o} {k} of the {w}.", "Which {k} of the {w} is the {o}?", "Which {k} comes {o} in the {w}?", "The {k} number {o} of the {w}?", "Give me the {o} {k} of the {w}.")
IS_DAY = (
    *further("facts.IS_DAY"),
    "[Is|Tell me, is|Do you know, is|Say, is] {x} [a day or a month|a month or a day|a day|a month|a weekday][?|]",
    "{x}[:|,] [a day or a month|day or month|is it a day or a month]?",
    "[What|Which] is {x}, [a day or a month|day or month]?",
    "Is {x} a day of the week?", "Is {x} a day or a month?", "Is {x} a month?", "What is {x}: a day or a month?", "Tell me if {x} is a day or a month.", "{x}: day or month?", "Which is it, is {x} a day or a month?", "Does {x} name a day or a month?", "What kind of thing is {x}, a day or a month?", "Say whether {x} is a day or a month.", "Is {x} the name of a month?", "Is {x} the name of a day?", "Do you know if {x} is a day or a month?", "A day or a month: {x}?", "What is {x}, a month or a day?", "Would you call {x} a day or a month?", "Can you tell me if {x} is a month?")


def facts(random: Random, split: Split) -> Conversation:
    """One question about the world."""
    question, answer = random.choice((capital,) * 5 + (opposite,) * 4 + (unit,) * 2 + (colour, sound, young, legs, sides, symbol, language, after, before, nth, day_or_month))(random, split)
    return Conversation("facts", [user(question), assistant(answer)], Check(all=(answer,)))


Task = tuple[str, str]


def upper_first(text: str) -> str:
    """`text` with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def capital(random: Random, split: Split) -> Task:
    country, town = random.choice(CAPITALS)
    return phrase(random, split, CAPITAL, x=country), f"The capital of {country} is {town}."


def opposite(random: Random, split: Split) -> Task:
    one, other = random.choice(OPPOSITES)
    return phrase(random, split, OPPOSITE, x=one), f"The opposite of {one} is {other}."


def unit(random: Random, split: Split) -> Task:
    small, large, count = random.choice(UNITS)
    return phrase(random, split, UNIT, u=small, x=large), f"There are {count} {small} in {large}."


def colour(random: Random, split: Split) -> Task:
    thing, shade = random.choice(COLOURS_OF)
    return phrase(random, split, COLOUR, x=thing), f"{upper_first(thing)} is {shade}."


def sound(random: Random, split: Split) -> Task:
    animal, verb = random.choice(SOUNDS)
    return phrase(random, split, SOUND, x=animal), f"A {animal} {verb}."


def young(random: Random, split: Split) -> Task:
    animal, child = random.choice(YOUNG)
    return phrase(random, split, BABY, x=animal), f"A young {animal} is called a {child}."


def legs(random: Random, split: Split) -> Task:
    animal, count = random.choice(LEGS)
    return phrase(random, split, LEG, x=animal), f"{upper_first(animal)} has {count} legs."


def sides(random: Random, split: Split) -> Task:
    figure, count = random.choice(SIDES)
    return phrase(random, split, SIDE, x=figure), f"A {figure} has {count} sides."


def symbol(random: Random, split: Split) -> Task:
    matter, sign = random.choice(CHEMISTRY)
    return phrase(random, split, SYMBOL, x=matter), f"Chemists write {matter} as {sign}."


def language(random: Random, split: Split) -> Task:
    country, tongue = random.choice(LANGUAGES)
    return phrase(random, split, SPEAK, x=country), f"People in {country} speak {tongue}."


def neighbours(random: Random) -> tuple[str, str, str]:
    """What they are, and two that follow each other."""
    kind, ring = random.choice((("day", DAYS), ("month", MONTHS)))
    index = random.randrange(len(ring))
    return kind, ring[index], ring[(index + 1) % len(ring)]


def after(random: Random, split: Split) -> Task:
    kind, one, following = neighbours(random)
    return phrase(random, split, AFTER, k=kind, x=one), f"{following} comes after {one}."


def before(random: Random, split: Split) -> Task:
    kind, one, following = neighbours(random)
    return phrase(random, split, BEFORE, k=kind, x=following), f"{one} comes before {following}."


def nth(random: Random, split: Split) -> Task:
    kind, whole, row = random.choice((("month", "year", MONTHS), ("day", "week", DAYS), ("planet", "solar system", PLANETS)))
    index = random.randrange(len(row))
    return phrase(random, split, NTH, o=ORDINALS[index], k=kind, w=whole), f"The {ORDINALS[index]} {kind} of the {whole} is {row[index]}."


def day_or_month(random: Random, split: Split) -> Task:
    kind, row = random.choice((("a day of the week", DAYS), ("a month", MONTHS)))
    one = random.choice(row)
    return phrase(random, split, IS_DAY, x=one), f"{one} is {kind}."
