"""Slot fillers: names, places, things and invented words."""

from __future__ import annotations

from functools import cache
from random import Random

from .natural import natural, values

NAMES = ["Anna", "Ben", "Carla", "David", "Elena", "Felix", "Grace", "Hugo", "Ines", "Jonas", "Klara", "Leo", "Maria", "Noah", "Olivia", "Paul", "Quinn", "Rosa", "Sam", "Tara", "Umar", "Vera", "Walter", "Xenia", "Yusuf", "Zoe", "Aisha", "Boris", "Chen", "Diego", "Emma", "Fatima", "George", "Hana", "Ivan", "Julia", "Kofi", "Lena", "Marco", "Nadia", "Oscar", "Priya", "Rafael", "Sofia", "Tomas", "Ursula", "Victor", "Wendy", "Yara", "Zane", "Alice", "Bob", "Charlie", "Dana", "Eric", "Fiona", "Gina", "Henry", "Iris", "Jack", "Kate", "Liam", "Mia", "Nora", "Omar", "Petra", "Ravi", "Sara", "Theo", "Viola"]
SURNAMES = ["Smith", "Rossi", "Novak", "Tanaka", "Garcia", "Muller", "Silva", "Okafor", "Jensen", "Kowalski", "Dubois", "Haddad", "Larsen", "Singh", "Costa", "Weber", "Moreau", "Park"]
CITIES = ["Paris", "London", "Berlin", "Rome", "Madrid", "Lisbon", "Vienna", "Prague", "Warsaw", "Athens", "Dublin", "Oslo", "Helsinki", "Stockholm", "Copenhagen", "Brussels", "Budapest", "Cairo", "Nairobi", "Lagos", "Accra", "Tunis", "Delhi", "Mumbai", "Tokyo", "Osaka", "Kyoto", "Seoul", "Beijing", "Shanghai", "Bangkok", "Hanoi", "Jakarta", "Manila", "Sydney", "Melbourne", "Perth", "Auckland", "Toronto", "Montreal", "Boston", "Chicago", "Denver", "Seattle", "Austin", "Dallas", "Miami", "Lima", "Quito", "Bogota", "Santiago", "Havana", "Porto", "Milan", "Turin", "Lyon", "Geneva", "Zurich", "Munich", "Hamburg", "Leeds", "Glasgow", "Cork", "Bergen", "Malmo", "Riga", "Vilnius", "Tallinn"]
LONG_CITIES = ["San Francisco", "New York", "Los Angeles", "San Diego", "Las Vegas", "New Orleans", "Mexico City", "Rio de Janeiro", "Buenos Aires", "Sao Paulo", "Cape Town", "Tel Aviv", "New Delhi", "Hong Kong", "Kuala Lumpur", "Ho Chi Minh City", "Santa Cruz", "Saint Paul", "Salt Lake City", "Palo Alto", "San Jose", "Den Haag", "Abu Dhabi", "Addis Ababa"]
REGIONS = ["CA", "NY", "TX", "MA", "WA", "IL", "FL", "France", "Germany", "Italy", "Spain", "Japan", "India", "Canada", "Brazil", "Kenya", "Norway", "Egypt", "Peru", "Poland", "UK", "USA"]
COMMON = ["how", "are", "you", "we", "they", "it", "this", "that", "there", "here", "see", "meet", "come", "go", "bring", "call", "wait", "work", "works", "look", "need", "want", "have", "will", "can", "is", "was", "not", "on", "in", "at", "to", "for", "with", "from", "about", "after", "before", "the", "a", "my", "your", "our", "all", "more", "new", "old", "good", "bad", "big", "small", "late", "early", "ready", "happy", "sorry", "great", "best", "fast", "free", "open", "next", "last", "first", "meeting", "report", "project", "team", "plan", "office", "lunch", "dinner", "party", "birthday", "holiday", "weekend", "week", "month", "today", "tomorrow", "now", "soon", "again", "please", "thanks", "hello", "news", "price", "model", "code", "test", "server", "release", "bug", "fix", "update", "question", "answer", "help", "time", "day", "year", "people", "friend", "world", "history", "science", "health", "weather", "climate", "football", "recipe", "review", "guide", "language", "computer", "phone", "data", "energy", "space", "art", "book", "film"]
THINGS = ["apple", "banana", "lantern", "garden", "window", "river", "mountain", "bicycle", "camera", "guitar", "pencil", "kettle", "blanket", "bottle", "candle", "carpet", "castle", "cherry", "circle", "cloud", "coffee", "copper", "cotton", "desert", "dragon", "engine", "feather", "finger", "flower", "forest", "galaxy", "hammer", "harbor", "helmet", "island", "jacket", "jungle", "kitten", "ladder", "lemon", "letter", "magnet", "marble", "meadow", "mirror", "monkey", "needle", "ocean", "orange", "oyster", "paper", "parrot", "pepper", "piano", "pillow", "planet", "pocket", "potato", "puzzle", "rabbit", "ribbon", "rocket", "saddle", "salad", "school", "shadow", "silver", "sister", "spider", "spoon", "summer", "sunset", "table", "teapot", "temple", "thunder", "ticket", "tiger", "tomato", "tunnel", "turtle", "valley", "velvet", "violin", "wagon", "wallet", "walnut", "whale", "winter", "wizard", "yellow", "zebra", "bread", "cheese", "stone", "train", "plane", "horse", "mouse", "snake", "light", "night", "dream", "music", "voice", "storm", "beach", "chair", "clock", "knife", "plate", "shirt", "socks", "shoes", "glove", "house", "door", "floor", "roof", "wall", "tree", "leaf", "root", "seed", "fish", "bird", "frog", "bear", "wolf", "moon", "star", "sun", "rain"]
COLOURS = ["red", "blue", "green", "yellow", "black", "white", "brown", "orange", "purple", "pink", "grey", "silver", "golden"]
FOODS = ["pizza", "sushi", "pasta", "soup", "salad", "bread", "cheese", "rice", "noodles", "pancakes", "curry", "tacos", "dumplings", "stew", "pie"]
ANIMALS = ["cat", "dog", "rabbit", "hamster", "parrot", "turtle", "horse", "goldfish", "lizard", "canary"]
HOBBIES = ["chess", "painting", "hiking", "swimming", "cooking", "gardening", "reading", "cycling", "dancing", "fishing", "singing", "knitting", "sailing", "running"]
JOBS = ["teacher", "nurse", "baker", "pilot", "farmer", "lawyer", "plumber", "painter", "driver", "engineer", "doctor", "gardener", "musician", "writer", "chef"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]

_ONSETS = ["b", "c", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z", "br", "cr", "dr", "fl", "gr", "kl", "pl", "pr", "sk", "sl", "st", "tr"]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "oo"]
_CODAS = ["", "", "", "n", "r", "l", "s", "t", "k", "m", "x", "ng", "rd"]


def invented(random: Random, syllables: int = 0) -> str:
    """A word that nobody has seen, one to three syllables long."""
    count = syllables or random.choice((1, 2, 2, 3))
    return "".join(random.choice(_ONSETS) + random.choice(_VOWELS) + random.choice(_CODAS) for _ in range(count))


LONGEST = 8
"""Letters of a word to work on."""


@cache
def short_words() -> tuple[str, ...]:
    """Words that people use which are not too long to be worked on."""
    return tuple(each for each in values()["words"] if len(each) <= LONGEST)


def word(random: Random) -> str:
    """A word to work on: mostly a thing or another that people use, sometimes invented."""
    chance = random.random()
    if chance < 0.35:
        return random.choice(THINGS)
    return random.choice(short_words()) if chance < 0.65 else invented(random)


def name(random: Random) -> str:
    """A person's name: mostly a usual one, sometimes invented."""
    chance = random.random()
    if chance < 0.5:
        return random.choice(NAMES)
    return natural(random, "first_names") if chance < 0.8 else invented(random, 2).capitalize()


def city(random: Random) -> str:
    """A place: mostly a real one of one word or several, sometimes invented, now and then with what it lies in."""
    chance = random.random()
    real = random.choice(LONG_CITIES if chance < 0.15 else CITIES)
    place = real if chance < 0.6 else natural(random, "places") if chance < 0.8 else invented(random, 2).capitalize()
    return place if random.random() < 0.9 else f"{place}, {random.choice(REGIONS)}"


def sentence(random: Random) -> str:
    """What people write to each other, or two to seven usual words in no order, as a copyist sees a sentence."""
    if random.random() < 0.65:
        return natural(random, "messages")
    words = [random.choice(COMMON) if random.random() < 0.85 else invented(random) for _ in range(random.randint(2, 7))]
    text = " ".join(words)
    return text if random.random() < 0.4 else text[0].upper() + text[1:]


def distinct(random: Random, make: object, count: int) -> list[str]:
    """`count` different values of `make(random)`."""
    found: list[str] = []
    while len(found) < count:
        made = make(random)  # type: ignore[operator]
        if made not in found:
            found.append(made)
    return found
