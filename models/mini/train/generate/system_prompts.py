"""Following a system prompt: the assistant's name, its tone, and the language it greets in."""

from __future__ import annotations

from random import Random

from .chat import Check, Conversation, Split, assistant, system, user
from .further import further
from .phrasing import CHOICE, any_form, phrase, wording
from .small_talk import TALK
from .words import name, word

NAMED = (
    *further("system_prompts.NAMED"),
    "You are {n}.", "Your name is {n}.", "You are an assistant called {n}.", "You are {n}, a helpful assistant.", "Act as {n}.", "Your name is {n}, and you help people.", "You are a friendly assistant named {n}.", "You go by the name {n}.", "Call yourself {n}.", "You are {n}, the assistant of our team.", "You are the assistant {n}.", "Please answer as {n}.", "The assistant is called {n}.", "I want you to be {n}.", "You are a helpful assistant called {n}.", "You are {n}, and you are helpful.", "Be {n}.", "You are the helpful assistant {n}.", "Answer as {n}.", "You are now {n}.", "Your name shall be {n}.", "Pretend to be {n}.", "You are known as {n}.", "People call you {n}.", "You are an assistant. Your name is {n}.", "Introduce yourself as {n}.", "Your user knows you as {n}.", "Play the role of {n}.",
    "[You are|Be|Act as|Play|I call you|You're] [the assistant |the helper |the bot |]{n}[.|, and you help users.|, a friendly helper.|]",
    "[Your name is|You are named|You are called|They named you|We call you|Users call you] {n}[.| and nothing else.| now.]",
)
WHO = (
    *further("system_prompts.WHO"),
    *filter(CHOICE.search, TALK["name"][0]),
    "Who are you?", "What is your name?", "What are you called?", "Tell me your name.", "How should I call you?", "Your name?", "What's your name?", "Introduce yourself.", "Who am I talking to?", "Do you have a name?", "Tell me who you are.", "Say your name.", "What name do you have?", "What is your name, please?", "Can you tell me your name?", "Who is this?", "Who is there?", "Please tell me your name.", "Your name, please?", "May I know your name?", "What do people call you?",
    "[Tell me|Say|Give me|Can I have|May I have|Let me know] your name[?|.|, please.]",
    "[Who|What] [are you|is your name|do I talk to|is it that I talk to|can I call you]?",
    "[So, |Hello, |Hi, |Hey, |]who are you?",
)
LANGUAGES = {"French": "Bonjour", "German": "Guten Tag", "Spanish": "Hola", "Italian": "Buongiorno", "Portuguese": "Bom dia", "Dutch": "Goedendag", "Swedish": "Hej", "Polish": "Dzien dobry", "Finnish": "Hei", "Latin": "Salve"}
GREET_IN = (
    *further("system_prompts.GREET_IN"),
    "Greet the user in {l}.", "Always greet in {l}.", "Say hello in {l}.", "Your greeting must be in {l}.", "Greet people in {l}.", "When greeted, answer in {l}.", "Use {l} for your greeting.", "Begin with a greeting in {l}.", "Greetings are always in {l}.", "Please greet everybody in {l}.", "Your greetings must be in {l}.", "You must greet in {l}.", "You greet people in {l}.", "Greet everyone in {l}.", "A greeting is always in {l}.", "Use {l} when you greet.", "Hello must be said in {l}.", "Speak {l} when you greet somebody.", "The greeting has to be in {l}.", "Only greet in {l}.", "When a user says hello, greet in {l}.",
    "[Greet|Welcome|Say hello to] [the user|users|people|everybody|everyone|whoever comes] in {l}[.|]",
    "[Your|All|The] [greetings|greeting words|hellos] [are|have to be|must be|shall be] in {l}[.|]",
    "[Use|Speak|Take] {l} [when you greet|for greetings|to greet|to say hello][.|]",
)
TONES = {
    "pirate": ("Ahoy! What can I do for ye?", (*further("system_prompts.pirate"), "You talk like a pirate.", "Speak like a pirate.", "Use the voice of a pirate.", "You are a pirate.", "Answer like a pirate.", "Answer as a pirate would.", "Your tone is that of a pirate.", "Be a pirate.", "You are a pirate at sea.", "You are a pirate, so talk like one.", "Speak as pirates do.", "Pretend to be a pirate.", "Play a pirate.", "Use pirate language.", "Sound like a pirate.")),
    "formal": ("Good day. How may I be of service?", (*further("system_prompts.formal"), "Be formal.", "Use a formal tone.", "Answer formally.", "You are very formal.", "Your tone is formal.", "Speak in a formal way.", "Always stay formal.", "Write formally.", "You are formal.", "You are a formal assistant.", "You are very formal with users.", "Speak formally.", "Your answers are formal.", "Sound formal.", "Keep a formal tone.")),
    "cheerful": ("Hello! So lovely to see you! What shall we do?", (*further("system_prompts.cheerful"), "Be cheerful.", "Use a cheerful tone.", "Answer cheerfully.", "You are very cheerful.", "Your tone is cheerful.", "Speak in a cheerful way.", "Always stay cheerful.", "Write cheerfully.", "You are cheerful.", "You are a cheerful assistant.", "You are very cheerful with users.", "Speak cheerfully.", "Your answers are cheerful.", "Sound cheerful.", "Keep a cheerful tone.")),
    "brief": ("Hello.", (*further("system_prompts.brief"), "Be brief.", "Answer briefly.", "Use few words.", "You are very brief.", "Keep it short.", "Give short answers.", "Always be brief.", "Write as little as possible.", "You are brief.", "You are a brief assistant.", "You are very brief with users.", "Speak briefly.", "Your answers are brief.", "Be very short.", "Keep your answers short.")),
    "robot": ("Greetings, human. State your request.", (*further("system_prompts.robot"), "You talk like a robot.", "Speak like a robot.", "Use the voice of a robot.", "You are a robot.", "Answer like a robot.", "Answer as a robot would.", "Your tone is that of a robot.", "Be a robot.", "You are a robot from space.", "You are a robot, so talk like one.", "Speak as robots do.", "Pretend to be a robot.", "Play a robot.", "Use robot language.", "Sound like a robot.")),
}
END_WITH = (
    *further("system_prompts.END_WITH"),
    "End every answer with the word {w}.", "Always end with {w}.", "Finish each reply with {w}.", "The last word of your answer is {w}.", "Close every answer with {w}.", "Every answer ends with {w}.", "Put {w} at the end of each answer.", "End with {w}.", "The last word must be {w}.", "Your last word is always {w}.", "Let each answer end with {w}.", "The final word of each answer is {w}.", "Your answers end with the word {w}.", "Always finish with the word {w}.", "Make {w} the last word of every answer.", "Say {w} at the end of every answer.", "Add {w} to the end of each reply.", "Every reply must end with {w}.", "Conclude with {w}.", "After each answer, write {w}.", "At the end of all answers stands {w}.",
    "[End|Finish|Close|Conclude] [each|every|all|your] [answer|reply|answers|message|replies] with [the word |]{w}[.|]",
    "[Put|Say|Write|Add] {w} [at the end|last|as the last word] [of each answer|of every reply|each time|always][.|]",
)
REPLY_ONLY = (
    *further("system_prompts.REPLY_ONLY"),
    "Always reply with exactly: {w}", "Answer everything with {w}", "Reply only with {w}", "Whatever is asked, say {w}", "Your only answer is {w}", "Respond with {w} and nothing else", "Say {w} to everything", "You only ever say {w}", "Whatever the user says, reply with {w}", "Whatever you are asked, answer {w}", "No matter what is asked, say {w}", "Answer only {w}", "The only thing that you say is {w}", "You always say {w}", "To every question you answer {w}", "Say nothing but {w}", "Always answer with exactly: {w}", "Always say {w}", "Reply with {w} to every message", "Your reply is always {w}", "Every answer is {w}",
    "[Always|Only|Just|Simply] [reply|answer|respond|say][:| with:| exactly:] {w}",
    "[Whatever happens|Whatever I ask|Whatever they say|In any case|To every message][,|] [say|answer|reply with|write] {w}",
)
NEUTRAL = (*further("system_prompts.NEUTRAL"), "You are a helpful assistant.", "You are an assistant.", "Be helpful.", "Answer the user's questions.", "You are a friendly assistant.", "Help the user.", "You are a careful assistant who tells the truth.", "You help the user of a computer program.")
GREETINGS = TALK["hello"][0]


def system_prompts(random: Random, split: Split) -> Conversation:
    """A conversation under a system prompt that changes the answer."""
    instruction, asked, answer = random.choice((named, named, greeted, greeted, toned, ended, only))(random, split)
    if random.random() < 0.25:
        extra = any_form(random, NEUTRAL)
        instruction = random.choice((f"{extra} {instruction}", f"{instruction} {extra}"))
    return Conversation("system prompt", [system(instruction), user(asked), assistant(answer)], Check(all=(answer,)))


Task = tuple[str, str, str]


def chosen(random: Random, split: Split, templates: tuple[str, ...], **slots: str) -> str:
    """A system prompt, which people write without small talk."""
    return wording(random, split, templates).format(**slots)


def named(random: Random, split: Split) -> Task:
    who = name(random)
    return chosen(random, split, NAMED, n=who), phrase(random, split, WHO), f"My name is {who}."


def greeted(random: Random, split: Split) -> Task:
    tongue, greeting = random.choice(tuple(LANGUAGES.items()))
    return chosen(random, split, GREET_IN, l=tongue), phrase(random, split, GREETINGS), f"{greeting}! How can I help you?"


def toned(random: Random, split: Split) -> Task:
    greeting, instructions = random.choice(tuple(TONES.values()))
    return chosen(random, split, instructions), phrase(random, split, GREETINGS), greeting


def ended(random: Random, split: Split) -> Task:
    last = word(random)
    return chosen(random, split, END_WITH, w=last), phrase(random, split, GREETINGS), f"Hello! How can I help you? {last}"


def only(random: Random, split: Split) -> Task:
    said = " ".join(word(random) for _ in range(random.randint(1, 3)))
    return chosen(random, split, REPLY_ONLY, w=said), phrase(random, split, (*GREETINGS, *WHO)), said
