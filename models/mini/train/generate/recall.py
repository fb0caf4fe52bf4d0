"""Remembering what the user said earlier in the conversation."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .arithmetic import arithmetic
from .chat import Check, Conversation, Json, Split, assistant, user
from .facts import facts
from .further import further
from .phrasing import phrase
from .small_talk import MY_NAME, small_talk
from .word_work import word_work
from .words import COLOURS, FOODS, JOBS, city, invented, name

Memory = tuple[Callable[[Random], str], tuple[str, ...], str, tuple[str, ...], str]


def one_of(row: list[str]) -> Callable[[Random], str]:
    """A maker that chooses from a row."""
    return lambda random: random.choice(row)


MEMORIES: tuple[Memory, ...] = (
    (name, tuple(told.replace("{n}", "{x}") for told in MY_NAME), "Nice to meet you, {x}! How can I help you?",
     (*further("recall.name.asked"), "[What|Which] [is|was] my name[ again|, please|, do you know|]?", "[Do you|Can you|Could you|Will you] [remember|know|recall|say|tell me|repeat] [my name|what I am called|who I am|how I am called|the name I gave]?", "[Say|Tell me|Give me|Repeat|Recall] [my name|what I am called|who I am|the name I gave you][.|, please.|]", "[How|What] [did I say|did I tell you] [I am called|my name was|about my name]?", "[Who|And who|So who] am I[ again|, please|]?",
     "What is my name?", "Do you remember my name?", "What am I called?", "Who am I?", "Tell me my name.", "Can you say my name?", "My name is what?", "Which name did I tell you?", "What's my name?", "Do you know my name?", "Say my name.", "What name did I give you?", "Remember my name?", "How am I called?",
     "Who am I, do you remember?", "Say who I am.", "Can you tell me my name?", "What did I say my name is?", "Please say my name", "Which name do I have?",
     "My name?"), "Your name is {x}."),
    (one_of(COLOURS), (*further("recall.colour.told"), "My favourite colour is {x}.", "I like the colour {x} best.", "The colour I love most is {x}.", "{x} is my favourite colour.", "My favorite color is {x}.", "I prefer {x} to all other colours.", "Of all colours I like {x} best.", "Remember that my favourite colour is {x}.",
     "I like {x} more than any other colour.", "{x} is the colour that I like best.", "The best colour is {x}, I think.",
     "My favourite among the colours is {x}.", "My preferred colour is {x}.", "No colour is as nice as {x}."), "I will remember that your favourite colour is {x}.",
     (*further("recall.colour.asked"), "[What|Which] [is|was] my favourite colour[ again|, please|, do you know|]?", "[Do you|Can you|Could you|Will you] [remember|know|recall|say|tell me|repeat] [my favourite colour|which colour I like|what colour I like best]?", "[Say|Tell me|Give me|Repeat|Recall] [my favourite colour|the colour that I like|which colour I like][.|, please.|]", "[Which|What] colour [do I like|did I name|do I prefer|did I mention|was it that I like][ best| most|]?",
     "What is my favourite colour?", "Which colour do I like best?", "What colour do I like?", "Do you remember my favourite colour?", "Tell me my favourite colour.", "What's my favorite color?", "Which colour is my favourite?", "What is my favorite color?", "My favourite colour is what?", "Which colour did I say I like?",
     "Can you say my favourite colour?", "What did I say about my favourite colour?", "Do you know which colour I like?", "Remember my favourite colour?",
     "My favourite colour?", "Which colour did I tell you?"), "Your favourite colour is {x}."),
    (one_of(FOODS), (*further("recall.food.told"), "My favourite food is {x}.", "I like to eat {x}.", "The food I love most is {x}.", "I could eat {x} every day.", "My favorite food is {x}.", "I love eating {x}.", "Of all food I like {x} best.", "Remember that my favourite food is {x}.",
     "I love to eat {x}.", "I like eating {x} best.", "{x} is my favourite food.", "What I like to eat is {x}.", "I could always eat {x}.",
     "I eat {x} every day, I love it."), "I will remember that your favourite food is {x}.",
     (*further("recall.food.asked"), "[What|Which] [is|was] my favourite food[ again|, please|, do you know|]?", "[Do you|Can you|Could you|Will you] [remember|know|recall|say|tell me|repeat] [my favourite food|which food I like|what food I like best]?", "[Say|Tell me|Give me|Repeat|Recall] [my favourite food|the food that I like|which food I like][.|, please.|]", "[Which|What] food [do I like|did I name|do I prefer|did I mention|was it that I like][ best| most|]?",
     "What is my favourite food?", "Which food do I like best?", "What do I like to eat?", "Do you remember my favourite food?", "Tell me my favourite food.", "What's my favorite food?", "Which food is my favourite?", "What is my favorite food?", "My favourite food is what?", "Which food did I say I like?",
     "Can you say my favourite food?", "What did I say about my favourite food?", "Do you know what I like to eat?", "Remember my favourite food?",
     "My favourite food?", "What food did I tell you?"), "Your favourite food is {x}."),
    (city, (*further("recall.city.told"), "I live in {x}.", "My home is in {x}.", "I am from {x}.", "My city is {x}.", "I come from {x}.", "My home town is {x}.", "I moved to {x} last year.", "I am living in {x}.",
     "The city where I live is {x}.", "My home is the city of {x}.", "My city, {x}, is nice.", "I have lived in {x} for years.", "{x} is where I live.",
     "{x} is my home town."), "I will remember that you live in {x}.",
     (*further("recall.city.asked"), "[Where|In which city|In what city|In which place] [do I live|am I at home|did I say I live|is my home|do I have my home][ again|, please|]?", "[Do you|Can you|Could you|Will you] [remember|know|recall|say|tell me] [where I live|my city|my home town|the city I live in]?", "[Say|Tell me|Repeat|Recall] [where I live|my city|the city I live in|my home town][.|, please.|]",
     "Where do I live?", "Which city do I live in?", "Where is my home?", "Do you remember where I live?", "Tell me where I live.", "What city do I live in?", "In which city do I live?", "Where am I living?", "Do you know where I live?", "Where did I say I live?",
     "Can you say where I live?", "What did I say about my home?", "Remember where I live?", "Do you know my city?", "My city?",
     "Which city did I tell you?"), "You live in {x}."),
    (one_of(JOBS), (*further("recall.job.told"), "I work as a {x}.", "I am a {x}.", "My job is {x}.", "I earn my living as a {x}.", "By profession I am a {x}.", "I have worked as a {x} for years.", "My profession is {x}.", "I have a job as a {x}.",
     "I earn money as a {x}.", "I make a living as a {x}.", "My work is that of a {x}.", "I am employed as a {x}.", "For a living, I am a {x}.",
     "I became a {x} last year."), "I will remember that you work as a {x}.",
     (*further("recall.job.asked"), "[What|Which] [is|was] my [job|profession|work][ again|, please|]?", "[Do you|Can you|Could you|Will you] [remember|know|recall|say|tell me] [my job|my profession|what I work as|what I do for a living]?", "[Say|Tell me|Repeat|Recall] [my job|my profession|what I work as][.|, please.|]", "[What|As what] do I [work|earn my money|make my living|do for work][ as|]?",
     "What is my job?", "What do I work as?", "What do I do for a living?", "Do you remember my job?", "Tell me my job.", "What's my job?", "Which job do I have?", "What is my profession?", "Do you know my job?", "What did I say my job is?",
     "Can you say my job?", "What did I say about my job?", "Remember my job?", "Do you know what I work as?", "My job?", "Which job did I tell you?"), "You work as a {x}."),
    (lambda random: random.choice((name(random), invented(random, 2).capitalize())), (*further("recall.pet.told"), "My dog is called {x}.", "I have a pet. Its name is {x}.", "My cat is called {x}.", "I named my parrot {x}.", "My hamster has the name {x}.", "The name of my pet is {x}.", "We call our dog {x}.", "My rabbit is named {x}.",
     "My pet is called {x}.", "The name of my dog is {x}.", "My parrot is called {x}.", "I named my cat {x}.", "I have a rabbit named {x}.",
     "My dog's name is {x}."), "I will remember that your pet is called {x}.",
     (*further("recall.pet.asked"), "[What|How] is my [pet|animal|dog|cat] called[ again|, please|]?", "[What|Which] is [the name of my pet|my pet's name|my animal's name][ again|, please|]?", "[Do you|Can you|Could you|Will you] [remember|know|recall|say|tell me] [my pet's name|the name of my pet|what my pet is called]?", "[Say|Tell me|Repeat|Recall] [my pet's name|the name of my pet|what my pet is called][.|, please.|]",
     "What is my pet called?", "What is the name of my pet?", "How is my pet called?", "Do you remember my pet's name?", "Tell me the name of my pet.", "What's my pet's name?", "Which name has my pet?", "What is my pet's name?", "Do you know my pet's name?", "What did I call my pet?",
     "Can you say the name of my pet?", "Do you remember the name of my pet?", "Remember my pet?", "Do you know the name of my pet?", "My pet's name?",
     "Which name did I tell you for my pet?"), "Your pet is called {x}."),
    (lambda random: str(random.randint(1, 999)), (*further("recall.number.told"), "My lucky number is {x}.", "Remember the number {x}.", "The number to remember is {x}.", "Keep the number {x} in mind.", "Please remember {x}.", "Please keep the number {x}.", "Note the number {x}.", "Remember this number: {x}",
     "Keep in mind the number {x}.", "Have the number {x} in mind.", "Keep this number: {x}", "My number is {x}.", "The number is {x}.",
     "You should remember the number {x}."), "I will remember the number {x}.",
     (*further("recall.number.asked"), "[What|Which] [is|was] [the|my] number[ again|, please|, do you know|, remember|]?", "[Do you|Can you|Could you|Will you|You] [still |]remember [the|my|that] number[ again|, please|, or not|]?", "[So |And |Now |Well, |Still ]remember [my|that|this|the other] number?", "[Remember|Recall|Know] [the number that I gave you|the number I told you|what my number is|what the number was|which number it was]?", "[Recall|Forgot|Forgotten|Got|Know] the number[ yet| still|]?", "[Say|Tell me|Give me|Recall] [the|my|that] number[ again| I gave you| from before][.|, please.|]", "[What|Which] number [did I give you|did I name|did I mention|was I talking about|do you remember|should you keep]?",
     "What was the number?", "Which number should you remember?", "What number did I tell you?", "Do you remember the number?", "Tell me the number.", "What is the number?", "Which number did I say?", "What was my number?", "Do you know the number?", "Say the number again.",
     "Can you say the number?", "What did I say the number is?", "Remember the number?", "Which number was it?", "The number?", "Repeat the number."), "The number is {x}."),
    (lambda random: invented(random), (*further("recall.word.told"), "The secret word is {x}.", "Remember the word {x}.", "The password is {x}.", "Keep the word {x} in mind.", "My secret word is {x}.", "Please remember the word {x}.", "Note the word {x}.", "Remember this word: {x}",
     "Keep in mind the word {x}.", "Have the word {x} in mind.", "Keep this word: {x}", "My word is {x}.", "The word is {x}.",
     "You should remember the word {x}."), "I will remember the word {x}.",
     (*further("recall.word.asked"), "[What|Which] [is|was] [the|my] word[ again|, please|, do you know|, remember|]?", "[Do you|Can you|Could you|Will you|You] [still |]remember [the|my|that] word[ again|, please|, or not|]?", "[So |And |Now |Well, |Still ]remember [my|that|this|the other] word?", "[Remember|Recall|Know] [the word that I gave you|the word I told you|what my word is|what the word was|which word it was]?", "[Recall|Forgot|Forgotten|Got|Know] the word[ yet| still|]?", "[Say|Tell me|Give me|Recall] [the|my|that] word[ again| I gave you| from before][.|, please.|]", "[What|Which] word [did I give you|did I name|did I mention|was I talking about|do you remember|should you keep]?",
     "What was the word?", "Which word should you remember?", "What word did I tell you?", "Do you remember the word?", "Tell me the word.", "What is the secret word?", "Which word did I say?", "What was the secret word?", "Do you know the word?", "Say the word again.",
     "Can you say the word?", "What did I say the word is?", "Remember the word?", "Which word was it?", "The word?", "Repeat the word."), "The word is {x}."),
)


def recall(random: Random, split: Split) -> Conversation:
    """One to three things told, something between, and one of them asked for."""
    chosen = random.sample(MEMORIES, random.choice((1, 1, 2, 3)))
    messages: list[dict[str, Json]] = []
    told: list[tuple[Memory, str]] = []
    for memory in chosen:
        value = memory[0](random)
        told.append((memory, value))
        messages += [user(phrase(random, split, memory[1], x=value)), assistant(memory[2].format(x=value))]
    for _ in range(random.choice((0, 0, 1, 1, 2, 4))):
        messages += random.choice((arithmetic, facts, word_work, talk))(random, split).messages
    asked = told if random.random() < 0.3 else [random.choice(told)]
    for memory, value in asked:
        answer = memory[4].format(x=value)
        messages += [user(phrase(random, split, memory[3])), assistant(answer)]
    return Conversation("recall", messages, Check(all=(answer,)))


def talk(random: Random, split: Split) -> Conversation:
    """Small talk that tells nothing which is asked for."""
    while True:
        found = small_talk(random, split)
        if found.check.any:
            return found
