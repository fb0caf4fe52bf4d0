"""Counting, ordering, upper and lower case, reversing and repeating the user's own words."""

from __future__ import annotations

from random import Random

from .chat import Check, Conversation, Split, assistant, letters, user
from .dressing import joined
from .further import further
from .phrasing import phrase
from .words import COLOURS, NAMES, distinct, name, word

UPPER = (
    *further("word_work.UPPER"),
    "[No small letters|Without small letters|Big letters only|Only upper case]: {w}",
    "Write {w} in upper case.", "Uppercase {w}", "Put the word {w} in capital letters.", "Convert {w} to uppercase.", "Make {w} upper case.",
    "Please write {w} in capitals.", "Can you write {w} in capital letters?", "Change {w} to upper case.", "{w} in uppercase, please", "Turn {w} into capitals.",
    "What is {w} in upper case?", "Capitalize every letter of {w}.", "Could you uppercase {w}?", "Shout the word {w}.", "Type {w} in all caps.",
    "Give me {w} in upper case.", "How does {w} look in capital letters?", "Write {w} with capital letters only.", "Uppercase this: {w}", "In capitals: {w}", "Transform {w} to upper case.",
    "Convert {w} into capitals.", "Convert the word {w} to upper case.", "{w} in capital letters", "All capitals, please: {w}",
    "What does {w} look like in uppercase?", "I need {w} in upper case.", "Show {w} in capitals.", "Make the letters of {w} big.",
    "Use only capital letters for {w}.", "Uppercase the word {w}.", "Say {w} in capitals.", "Please convert {w} to upper case",
    "Let me see {w} in capital letters.", "Only capitals: {w}",
    "[Write|Put|Type|Give me|Show me|Say|Print|Spell] [the word |]{w} in [capitals|capital letters|upper case|uppercase|big letters|all caps][.|, please.|]",
    "[Change|Convert|Turn|Make|Transform] [the word |]{w} [to|into] [capitals|upper case|uppercase|capital letters|all caps][.|]",
    "[Uppercase|Capitalise fully|Capitalize fully] [the word |the text |]{w}[.|]",
    "[Big letters|Capital letters|Upper case|All caps] [for|please for]: {w}",
    "[I want|I need|Can I have|Could I get] {w} [in|with] [capitals|capital letters|upper case|big letters][.|]",
)
LOWER = (
    *further("word_work.LOWER"),
    "[No capital letters|Without capitals|Small letters only|Never capitals|Only lower case]: {w}",
    "[No big letters|Without big letters|No upper case] [in|for] {w}[.|, please.|]",
    "Write {w} in lower case.", "Lowercase {w}", "Put the word {w} in small letters.", "Convert {w} to lowercase.", "Make {w} lower case.",
    "Please write {w} in small letters.", "Can you write {w} in lower case?", "Change {w} to lower case.", "{w} in lowercase, please", "Turn {w} into small letters.",
    "What is {w} in lower case?", "Give me {w} in lower case.", "Could you lowercase {w}?", "Lowercase this: {w}",
    "Convert {w} into small letters.", "Convert the word {w} to lower case.", "{w} in small letters", "Only small letters, please: {w}",
    "What does {w} look like in lowercase?", "I need {w} in lower case.", "Show {w} in small letters.", "Make the letters of {w} small.",
    "Use only small letters for {w}.", "Lowercase the word {w}.", "In lower case: {w}", "Write {w} without capitals.", "Please convert {w} to lower case",
    "Let me see {w} in small letters.", "Write {w} with small letters only.", "How does {w} look in lower case?", "Type {w} in small letters.",
    "What is {w} in small letters?", "Could you write {w} in lower case?", "No capitals: {w}", "Transform {w} to lower case.",
    "[Write|Put|Type|Give me|Show me|Say|Print] [the word |]{w} in [small letters|lower case|lowercase|little letters][.|, please.|]",
    "[Change|Convert|Turn|Make|Transform] [the word |]{w} [to|into] [lower case|lowercase|small letters][.|]",
    "[Lowercase|Uncapitalize] [the word |the text |]{w}[.|]",
    "[Small letters|Lower case|Lowercase] [for|please for]: {w}",
    "[I want|I need|Can I have|Could I get] {w} [in|with] [small letters|lower case][.|]",
)
REVERSE = (
    *further("word_work.REVERSE"),
    "[Reversed|In reverse|From the end|The other way round|Mirrored]: {w}",
    "[Reverse|Flip|Invert] [this|the following]: {w}",
    "Reverse the word {w}.", "Spell {w} backwards.", "Write {w} backwards.", "What is {w} backwards?", "Reverse {w}",
    "Can you write {w} in reverse?", "Turn the word {w} around.", "What is {w} in reverse?", "Please reverse {w}.", "{w} backwards, please",
    "Say {w} backwards.", "How do you write {w} backwards?", "Could you spell {w} backwards?", "Give me {w} with its letters reversed.", "Reverse this word: {w}",
    "What do you get when you reverse {w}?", "Read {w} from right to left.", "Flip the letters of {w}.", "Reverse the letters in {w}.", "Backwards: {w}", "What does {w} read like backwards?",
    "Flip {w}.", "Flip the word {w}.", "Write the letters of {w} in reverse order.", "{w} in reverse", "Turn {w} around.", "I want to see {w} backwards.",
    "Show me {w} in reverse.", "Write {w} the other way round.", "Mirror the word {w}.", "Put the letters of {w} in reverse order.",
    "What is the reverse of {w}?", "Reverse of {w}?", "Read {w} backwards.", "From back to front: {w}",
    "[Write|Say|Spell|Give me|Show me|Print|Type|Put] [the word |]{w} [backwards|in reverse|the other way round|from back to front|reversed][.|, please.|]",
    "[Reverse|Flip|Turn around|Invert|Mirror] [the word |the letters of |the text |]{w}[.|]",
    "[What is|What's|How do you write|How do you say|How does one spell] {w} [backwards|in reverse|reversed]?",
    "[I want|I need|Can I have] {w} [backwards|reversed|in reverse][.|]",
)
SPELL = (
    *further("word_work.SPELL"),
    "Spell {w}.", "How do you spell {w}?", "Spell the word {w} for me.", "Can you spell {w}?", "Please spell {w}.", "Spell out {w}.",
    "What are the letters of {w}?", "Give me the letters of {w}.",
    "Spell this: {w}", "Say the letters of {w}.", "How is {w} spelled?", "Which letters are in {w}?", "Spell {w} letter by letter.", "Letter by letter: {w}",
    "Could you spell {w}?", "I want to know how to spell {w}.", "What is the spelling of {w}?", "Spelling of {w}?", "Show me the letters of {w}.",
    "Write {w} letter by letter.", "Tell me how {w} is spelled.",
    "[Spell|Spell out|Please spell] [the word |the name |]{w}[ for me|][.|]",
    "[Give me|Show me|List|Name|Tell me|Say] [the|all] letters [of|in] [the word |]{w}[.|]",
    "[How do I|How does one|How would you] [spell|write] {w}[ letter by letter|]?",
)
LENGTH = (
    *further("word_work.LENGTH"),
    "How many letters are in {w}?", "Count the letters in {w}.", "How many letters does {w} have?", "How long is the word {w}?", "What is the length of {w}?",
    "Tell me how many letters {w} has.", "Count the letters of the word {w}.", "How many letters does the word {w} have?", "Number of letters in {w}?", "Letters in {w}?",
    "How many characters are in {w}?", "Can you count the letters in {w}?", "Please count the letters of {w}.", "The word {w} has how many letters?",
    "How long is {w}?", "How many letters long is {w}?", "Count the characters of {w}.", "Length of {w}?", "Length of the word {w}?",
    "Number of characters in {w}?", "How many characters does {w} have?", "The length of {w}, please.", "Say how long the word {w} is.",
    "{w} has how many characters?", "Give me the number of letters in {w}.", "Count how many letters {w} has.", "I want to know how many letters {w} has.",
    "What is the number of letters in {w}?",
    "[How many|What number of] [letters|characters] [are in|are there in|does it take to write|has] [the word |]{w}?",
    "[Count|Tell me|Give me|Find] [the|all] [letters|characters] [in|of] [the word |]{w}[.|]",
    "[The length|Length] of [the word |]{w}[?|, please|]",
    "[What is|Tell me|Give me|Find] the [length|number of letters|number of characters] [of|in] [the word |]{w}[?|.]",
)
REPEAT = (
    *further("word_work.REPEAT"),
    "Repeat the word {w} {n} times.", "Say {w} {n} times.", "Write {w} {n} times.", "Repeat {w} {n} times.", "Can you say {w} {n} times?",
    "Please write the word {w} {n} times.", "{n} times {w}, please.", "Give me {w} {n} times.", "Type {w} {n} times.", "I want to read {w} {n} times.",
    "Could you repeat {w} {n} times?", "Print {w} {n} times.", "Echo {w} {n} times.", "Say the word {w} exactly {n} times.",
    "{w}, {n} times", "Say the word {w} {n} times in a row.", "Repeat {w}, {n} times.", "Could you say {w} {n} times?", "I want you to write {w} {n} times.",
    "Can you repeat {w} {n} times?", "Show me {w} {n} times.", "Copy the word {w} {n} times.", "Please repeat {w} {n} times",
    "Could you write {w} {n} times?", "Write down {w} {n} times.", "Let me see {w} {n} times.", "Output {w} {n} times.", "{n} times the word {w}",
    "[Repeat|Say|Write|Print|Type|Echo|Show|Output|Copy] [the word |]{w} {n} times[ in a row| please|][.|]",
    "[I want|I need|Give me] [the word |]{w} {n} times[.|]",
    "Give me a row of {n} times {w}.", "Let {w} stand there {n} times.", "Put {n} times {w} in a row.", "A line with {w} {n} times over, please.", "Fill a line with {n} times {w}.",
    "How does {w} look {n} times in a row?",
)
ECHO = (
    *further("word_work.ECHO"),
    'Repeat after me: {w}', 'Say "{w}".', "Say exactly this: {w}", "Repeat this: {w}", "Echo: {w}", 'Please repeat "{w}".',
    "Say the following: {w}", "Just say: {w}", "Can you repeat this? {w}", "Repeat exactly: {w}", 'Write "{w}".', "Copy this: {w}", 'Repeat the words "{w}".', "Reply with exactly: {w}",
    "Write exactly this: {w}", "Write this: {w}", 'Please say "{w}".', "Answer with exactly: {w}", 'Answer "{w}".', "Say this: {w}", "Say: {w}",
    'Can you say "{w}"?', 'Could you repeat "{w}"?', 'Please write "{w}".', "Respond with exactly: {w}", 'Reply with "{w}".', 'Print "{w}".',
    "Type this: {w}",
    '[Say|Repeat|Write|Print|Type|Echo|Copy|Answer|Reply|Respond] [exactly|just|only|with|this|after me|the following|the words|the text][:| ] "{w}"',
    "[Say|Repeat|Write|Print|Type|Echo|Copy|Answer|Reply] [exactly|just|only|with|this|after me|the following|the words|the text]: {w}",
    '[I want you to|You should|Now|Just] [say|repeat|write|echo] "{w}"[.|]',
)
SORT = (
    *further("word_work.SORT"),
    "[Which|What] order from A to Z [have|do we get for] {l}?",
    "[Alphabetical|By alphabet|A to Z|Sorted]: {l}",
    "Sort these words: {l}", "Put these words in alphabetical order: {l}", "Order these alphabetically: {l}", "Sort {l} alphabetically.", "Arrange these words from A to Z: {l}",
    "Can you sort these words? {l}", "Alphabetize {l}", "Please put {l} in alphabetical order.", "Sort the list {l}", "List these in alphabetical order: {l}",
    "What is the alphabetical order of {l}?", "Bring these into alphabetical order: {l}", "Order from A to Z: {l}", "Sort alphabetically: {l}",
    "Which alphabetical order do {l} have?", "What order do these words have in the alphabet? {l}", "Sort by alphabet: {l}", "Please sort {l}.",
    "Could you sort the words {l}?", "Alphabetical order, please: {l}", "Order the words {l}.", "Arrange {l} alphabetically.",
    "Sort the words {l} from A to Z.", "How do you sort {l}?", "Alphabetical order of {l}?", "Put {l} in order.", "Give me {l} in alphabetical order.",
    "Please alphabetize these words: {l}",
    "[Sort|Order|Arrange|Put|Bring|List] [these|these words|the words|the following|all of these] [alphabetically|in alphabetical order|from A to Z|by the alphabet][:|] {l}",
    "[Sort|Alphabetize|Order|Arrange] [the list |the words |]{l}[.| by the alphabet.| from A to Z.|]",
    "{l}[: sort| in alphabetical order|, alphabetically| sorted][ please|, please|]",
    "[What|How] [is|are] {l} [in|when in] alphabetical order?",
)
SORT_NUMBERS = (
    *further("word_work.SORT_NUMBERS"),
    "Sort these numbers: {l}", "Put these numbers in order: {l}", "Order {l} from smallest to largest.", "Sort {l} in ascending order.", "Arrange these numbers from small to large: {l}",
    "Can you sort these numbers? {l}", "Please put the numbers {l} in order.", "Sort the numbers {l}", "Order these numbers: {l}", "Numbers in order, please: {l}",
    "What is the right order of {l}?", "Sort from lowest to highest: {l}", "Order from small to large: {l}", "Bring these numbers into order: {l}",
    "Sort {l} ascending.", "Ascending order, please: {l}", "What is the ascending order of {l}?", "Which order do the numbers {l} have?",
    "Put {l} in ascending order.", "Arrange {l} from smallest to largest.", "Could you sort the numbers {l}?", "Sort {l} from low to high.",
    "Rank these numbers from small to large: {l}", "Smallest first: {l}", "Give me the numbers {l} in order.", "How do you sort the numbers {l}?",
    "Order the numbers {l}.", "Sort by size: {l}",
    "[Sort|Order|Arrange|Put|Bring|Rank|List] [these|these numbers|the numbers|the following numbers] [by size|in order|from small to large|in ascending order|from low to high][:|] {l}",
    "[Sort|Order|Arrange] [the numbers |the list |]{l}[.| by size.| from small to large.|]",
    "{l}[: sort| in ascending order|, from low to high| sorted][ please|, please|]",
)
COUNT_WORDS = (
    *further("word_work.COUNT_WORDS"),
    "How many words are in this list: {l}?", "Count the words: {l}", "How many items are in {l}?", "Count these: {l}", "How many words do you see? {l}",
    "How many things are listed here: {l}?", "Count the items in this list: {l}", "Tell me how many words there are: {l}", "How many are these: {l}?", "Number of words in: {l}?",
    "How many entries are there? {l}", "Please count the words: {l}", "How many words did I write: {l}?", "Can you count these words? {l}",
    "How many entries does this list have: {l}?", "How many elements are in {l}?", "Count the entries: {l}", "Number of entries in {l}?",
    "How many are there? {l}", "What is the number of words here: {l}?", "How many words are these? {l}", "Count this list: {l}",
    "I listed {l}. How many words is that?", "Say how many words this is: {l}", "How many names or things do I list: {l}?", "How long is this list? {l}",
    "Give me the number of items in {l}.", "Count all of these: {l}",
    "[How many|What number of] [words|items|things|entries|elements] [are in|are there in|does it have, the list|do I list in][:|] {l}[?|]",
    "[Count|Tell me how many are|Say how many are] [in this list|here|there]: {l}",
    "[Count|Number of] [the |]words: {l}",
)
COUNT_TO = (
    *further("word_work.COUNT_TO"),
    "Count to {n}.", "Can you count to {n}?", "Count from 1 to {n}.", "Please count up to {n}.", "List the numbers from 1 to {n}.", "Count up to {n}.", "Say the numbers from one to {n}.", "Count for me until {n}.",
    "Start counting to {n}.", "Count up from one to {n}.", "Please count to {n}", "Could you count to {n}?", "Count: 1 to {n}.",
    "Numbers from 1 to {n}, please.", "Count from one up to {n}.", "I want you to count to {n}.", "Can you count up to {n}?",
    "Show me the numbers from 1 to {n}.", "Write the numbers from 1 to {n}.", "Give me all numbers up to {n}.", "All numbers from 1 to {n}",
    "[Count|Please count|Count up|Start counting|Count slowly] [to|up to|until] {n}[.|, please.|]",
    "[Give me|List|Say|Show|Write|Print|Name] [all |]the numbers [from 1|from one|1] [to|up to|until] {n}[.|]",
)
FIRST_LAST = (
    *further("word_work.FIRST_LAST"),
    "What is the {p} word of this list: {l}?", "Which word comes {p}: {l}?", "Tell me the {p} word: {l}", "Give me the {p} of these: {l}", "From this list, what is the {p} word? {l}",
    "Pick the {p} word: {l}", "The {p} of these, please: {l}", "Which is the {p} word in {l}?",
    "What is the {p} word in {l}?", "Name the {p} word of {l}.", "The {p} word of {l}?", "Say the {p} of these words: {l}",
    "In this list, which word is {p}? {l}", "Which of these is {p}: {l}?", "What comes {p} here: {l}?", "Show me the {p} word: {l}",
    "Find the {p} word in {l}.", "I want the {p} word of {l}.", "{l}: what is the {p} word?", "Here is a list: {l}. What is its {p} word?",
    "Read {l} and tell me the {p} word.",
    "[What|Which] [is|word is|one is] [the |]{p}[ word| one|] [in|of|here|in this list][:|] {l}[?|]",
    "[Give me|Tell me|Say|Show|Name|Find|Pick|Take] the {p} [word|item|one|of them] [in|of|from][ this list|][:|] {l}",
)
NUMBER_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def word_work(random: Random, split: Split) -> Conversation:
    """One task on words that the user gives."""
    make = random.choice((upper, upper, lower, reverse, reverse, reverse, spell, length, length, repeat, echo, echo, sort, sort, sort_numbers, count_words, count_to, position))
    question, answer, expected = make(random, split)
    return Conversation("words", [user(question), assistant(answer)], Check(all=(expected,)))


Task = tuple[str, str, str]


def quoted(random: Random, text: str) -> str:
    """`text` as users mark a word: often not at all."""
    return random.choice(("{}", "{}", "{}", '"{}"', "'{}'")).format(text)


def short(random: Random) -> str:
    """A word of at most eight letters, for work on each of them."""
    while len(found := word(random)) > 8:
        pass
    return found


def upper(random: Random, split: Split) -> Task:
    given = short(random) if random.random() < 0.7 else " ".join(distinct(random, short, 2))
    return phrase(random, split, UPPER, w=quoted(random, given)), letters(given.upper()), given.upper()


def lower(random: Random, split: Split) -> Task:
    given = short(random)
    shown = random.choice((given.upper(), given.capitalize(), given.upper()))
    return phrase(random, split, LOWER, w=quoted(random, shown)), letters(given), given


def spelled(text: str) -> str:
    """`l-e-t-t-e-r-s`, each a token of its own."""
    return letters("-".join(text))


def reverse(random: Random, split: Split) -> Task:
    given = short(random)
    backwards = given[::-1]
    return phrase(random, split, REVERSE, w=quoted(random, given)), f"{spelled(given)} backwards is {spelled(backwards)}: {letters(backwards)}", f": {backwards}"


def spell(random: Random, split: Split) -> Task:
    given = short(random)
    return phrase(random, split, SPELL, w=quoted(random, given)), spelled(given), "-".join(given)


def length(random: Random, split: Split) -> Task:
    given = short(random)
    counted = ", ".join(f"{letter} {index}" for index, letter in enumerate(given, 1))
    answer = f"{letters(counted)}. That makes {len(given)} letters."
    return phrase(random, split, LENGTH, w=quoted(random, given)), answer, f"{len(given)} letters"


def repeat(random: Random, split: Split) -> Task:
    given, count = word(random), random.choice(tuple(NUMBER_WORDS))
    shown = str(count) if random.random() < 0.5 else NUMBER_WORDS[count]
    said = " ".join([given] * count)
    return phrase(random, split, REPEAT, w=quoted(random, given), n=shown), said, said


def echo(random: Random, split: Split) -> Task:
    given = " ".join(random.choice((word, name))(random) for _ in range(random.randint(1, 6)))
    return phrase(random, split, ECHO, w=given), given, given


def sort(random: Random, split: Split) -> Task:
    given = distinct(random, random.choice((word, name, lambda r: r.choice(COLOURS), lambda r: r.choice(NAMES))), random.randint(2, 5))
    said = ", ".join(sorted(given))
    return phrase(random, split, SORT, l=", ".join(given)), said, said


def sort_numbers(random: Random, split: Split) -> Task:
    given = random.sample(range(random.choice((10, 30, 100))), random.randint(2, 5))
    said = ", ".join(map(str, sorted(given)))
    return phrase(random, split, SORT_NUMBERS, l=", ".join(map(str, given))), said, said


def count_words(random: Random, split: Split) -> Task:
    given = distinct(random, word, random.randint(2, 7))
    counted = ", ".join(f"{item} {index}" for index, item in enumerate(given, 1))
    shown = ", ".join(given) if random.random() < 0.6 else joined(given)
    return phrase(random, split, COUNT_WORDS, l=shown), f"{counted}. That makes {len(given)}.", f"makes {len(given)}."


def count_to(random: Random, split: Split) -> Task:
    top = random.randint(3, 20)
    said = ", ".join(map(str, range(1, top + 1)))
    return phrase(random, split, COUNT_TO, n=top), said, said


def position(random: Random, split: Split) -> Task:
    given = distinct(random, word, random.randint(3, 5))
    where = random.choice(("first", "second", "third", "last"))
    found = given[{"first": 0, "second": 1, "third": 2, "last": -1}[where]]
    return phrase(random, split, FIRST_LAST, p=where, l=", ".join(given)), f"The {where} word is {found}.", f"is {found}."
