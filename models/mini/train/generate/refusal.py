"""Everything that a model of this size should not pretend to know."""

from __future__ import annotations

from random import Random

from .chat import Check, Conversation, Split, assistant, user
from .phrasing import phrase
from .words import ANIMALS, CITIES, FOODS, HOBBIES, JOBS, NAMES, SURNAMES, THINGS, invented

SORRY = "I am a small demonstration model, so I cannot do that well. I can chat a little, explain Parley, do small sums, work on words, answer some common facts, and call tools."
ASKED = (
    "Write a poem about {x}.", "Write me an essay on {x}.", "Tell me a story about {x}.", "Write a Python function for {x}.", "What happened in the year {y}?",
    "Who won the {x} championship in {y}?", "Translate a text about {x} into French.", "Explain quantum physics.", "What do you think about {x} and politics?", "Give me a recipe for {x}.",
    "What is the weather in {c}?", "What time is it in {c}?", "Who is {p}?", "Write a business plan about {x}.", "How do I fix my {x}?",
    "What is the meaning of life?", "Debug my code about {x}.", "What is the price of a {x}?", "Book a flight to {c}.", "What is the population of {c}?",
    "Write a song about {x}.", "Should I become a {j}?", "How do I learn {h}?", "What is the history of {c}?", "Summarize the book {x} by {p}.",
    "Who invented the {x}?", "What is the best {x} in {c}?", "Give me medical advice about my {x}.", "When was {p} born?", "How does a {x} work?",
    "Draw a picture of a {x}.", "Write an email to {p} about the {x}.", "What is the news today?", "Which stocks should I buy?", "How far is {c} from the moon?",
    "Prove the theorem of {p}.", "What is a {z}?", "Explain the {x} of {p}.", "Plan a trip to {c}.", "Tell me the lyrics of a song by {p}.",
    "Implement a {x} in Rust.", "Can you write a letter to my {j}?", "What should I cook with {x}?", "Compose a haiku about {x}.", "How old is {p}?",
    "Why is the {x} so expensive?", "Give me ten ideas for a {x}.", "What are the symptoms of {z}?", "Compare {x} and {w}.", "Review my {x}.",
    "Why do people like {h}?", "What is the square root of {y}?", "Solve this equation for {x}.", "Generate a password for {p}.", "Is {p} a good {j}?",
    "Design a logo for my {x} shop.",
    "Write a JavaScript function for {x}.", "Write code for a {x}.", "Program a {x} in Python.", "Code a function that counts {x}.",
    "Write a program about {x}.", "Can you code a {x}?", "How is the weather in {c}?", "Will it rain in {c} tomorrow?", "What is the temperature in {c}?",
    "How much does a {x} cost?", "What is the cost of a {x}?", "Summarize this book about {x}.", "Summarize the article about {x}.",
    "Give me a summary of {x}.", "Email {p} about the {x}.", "Write an email about {x}.", "Draft a message to my {j}.", "Plan my trip to {c}.",
    "Where should I go in {c}?", "Recommend a hotel in {c}.", "Which restaurant in {c} is good?", "Why are {x} so cheap?", "Why is {c} so big?",
    "Why is the {x} so {w}?", "Solve the equation {y} x = 5.", "Help me with my homework on {x}.", "Do my taxes.", "Explain black holes.",
    "Explain how a {x} works.", "Explain the theory of {p}.", "What is the history of {x}?", "What happened in {c} in {y}?", "What did {p} do in {y}?",
    "Who was {p}?", "Who is the president of {z}?", "Who discovered {x}?", "Who wrote the book about {x}?", "When did {p} die?", "Where was {p} born?",
    "Where can I buy a {x}?", "Where is the nearest {x}?", "How many people live in {c}?", "How tall is {p}?", "How can I become a {j}?",
    "How can I learn {h}?", "Teach me {h}.", "Give me advice about {x}.", "Give me an idea for a {x}.", "Tell me a story about a {j} in {c}.",
    "Tell me about the life of {p}.", "Translate {x} into {z}.", "Translate this book into German.", "Sing a song about {x}.",
    "Make a picture of a {x} in {c}.", "Paint a {x}.", "Show me a photo of {c}.", "Predict the price of {x}.", "Should I buy a {x}?", "Should I marry {p}?",
    "Is {x} healthy?", "Is it safe to eat {x}?", "What are the news in {c}?", "What time is it?", "What is the date today?",
    "What is the stock price of {z}?", "What do you think of {p}?", "What is your opinion on {x}?", "Invent a new {x}.", "Imagine a world without {x}.",
    "Write a review of my {x}.", "Write a speech for {p}.", "Write a letter to {p}.", "Compose a song about {c}.", "Find me a job as a {j}.",
    "Find a flight to {c}.", "Order a {x} for me.", "Calculate the distance from {c} to the moon.", "Analyse this text about {x}.", "Compare {c} and {x}.",
    "Design a house for {p}.", "Build me a website about {x}.",
)


def refusal(random: Random, split: Split) -> Conversation:
    """A request that is answered by saying what this model is."""
    slots = {
        "x": random.choice((*THINGS, *ANIMALS, *FOODS, invented(random))),
        "w": random.choice(THINGS),
        "y": random.randint(1200, 2030),
        "c": random.choice(CITIES),
        "p": f"{random.choice(NAMES)} {random.choice(SURNAMES)}",
        "j": random.choice(JOBS),
        "h": random.choice(HOBBIES),
        "z": invented(random),
    }
    return Conversation("refusal", [user(phrase(random, split, ASKED, **slots)), assistant(SORRY)], Check(all=("small demonstration model",)))
