"""Everything that a model of this size should not pretend to know."""

from __future__ import annotations

from random import Random

from .chat import Check, Conversation, Split, assistant, user
from .further import further
from .phrasing import phrase
from .words import ANIMALS, CITIES, FOODS, HOBBIES, JOBS, NAMES, SURNAMES, THINGS, invented

SORRY = "I am a small demonstration model, so I cannot do that well. I can chat a little, explain Parley, do small sums, work on words, answer some common facts, and call tools."
ASKED = (
    *further("refusal.ASKED"),
    "[Write|Compose|Create|Make|Draft|Invent] [me |us |][a|one|another] [poem|story|song|essay|novel|speech|letter|blog post|text|haiku|sonnet|fairy tale|rhyme|play|script|slogan] [about|on|for] [the {x}|{h}|a {x}|{c}|{p}|my {j}][.|, please.|]",
    "[Write|Code|Program|Implement|Build|Develop|Show] [me |][a|some] [Python|Rust|Java|JavaScript|Go|C|TypeScript|SQL] [function|program|script|class|code] [for|about|that handles|to sort] [{x}|a {x}|the {x}][.|]",
    "[Write|Code|Build|Develop|Program|Make|Design] [me |][a|an] [app|website|game|web page|server|database|logo|tool|compiler|poster] [for|about|with] [{x}|a {x}|{p}|my {j}][.|]",
    "[Teach|Show|Tell] me [how to learn|how to start with|to be good at|everything about|the basics of|about] {h}[.|, please.|]",
    "[Teach me|Train me in|Instruct me in] {h}[.|, please.| now.]",
    "[How|Where] [can|do|should|could] [I|we|one] [learn|start|practise|improve at|begin with|teach] {h}?",
    "[Explain|Describe|Teach me|Tell me about|What is|I want to understand] [physics|chemistry|biology|history|politics|economics|philosophy|medicine|gravity|evolution|democracy|electricity|magnetism|the universe|the big bang|inflation|the stock market|relativity|photosynthesis|machine learning|neural networks|the internet|climate change|religion|law][.|?|, please.]",
    "[Why|How] [is|are|was|were|did|does|do] [the sky so high|the sea salty|people sleep|birds fly|wars begin|planes fly|the dinosaurs die|stars shine|we dream|cats purr|volcanoes work|magnets work|{c} famous|{p} famous][?|]",
    "[Who|When|Where] [was|is|did|were] [the first man on the moon|{p}|{p} born|the queen of {z}|the king of {z}|the president of {z}|the inventor of the {x}|the war of {y}|{p} live]?",
    "[Who|Which country|What team] [won|lost|plays in] [the world cup|the game|the election|the war|the final|the match|the league] [in {y}|yesterday|last year|today][?|]",
    "[What|Which] [happened|was invented|was built|was discovered|happened to {p}] in {y}[?|]",
    "[Solve|Prove|Integrate|Derive|Simplify|Work on] [the equation|the integral|this problem|the theorem|the function|my exercise] [{y} x = {y}|of {p}|about {x}|x + {y} = 9|{y} x = 12|for x][.|]",
    "[What is|Calculate|Compute|Find] the [square root|logarithm|cube|factorial|sine|derivative|prime factors|percentage] of [{y}|{x}|x][.|?]",
    "[What does|How much does|How much is|What is the price of|What is the cost of|How expensive is] [a|an|the|one|your] {x}[ cost|][?| in {c}?| today?]",
    "[Find|Get|Search|Look for|Give] me [a job|work|a place|an office|a career|a position] as [a|an] {j}[.| in {c}.|]",
    "[How|Where] [can|do] I [become|find work as|get a job as] a {j}?",
    "[Should|Shall|May|Must] I [buy|sell|eat|marry|become|call|trust|leave|study] [a {x}|{p}|a {j}|{h}|the {x}|in {c}]?",
    "[Is|Are] [a {x}|the {x}|{h}|{c}|{p}|eating {x}] [healthy|safe|dangerous|good for me|cheap|expensive|beautiful|worth it|better than {c}|toxic|legal]?",
    "[Recommend|Suggest|Find|Name|Show] [me |us |][a|some|the best|a good|a cheap] [hotel|restaurant|book|film|song|doctor|lawyer|shop|school|museum|bar] [in {c}|about {x}|for {p}|like {x}|near me][.|]",
    "[Plan|Organise|Prepare|Arrange] [my|a|our] [trip|wedding|party|holiday|journey|week|dinner|meeting] [to {c}|in {c}|with {p}|for my {j}|for {y}][.|]",
    "[Translate|Put|Render] [this|this text|the sentence|my letter|the book|{x}] [into|to] [German|French|Latin|{z}|Chinese|English][.|: {x} {w}|]",
    "[Summarise|Summarize|Review|Analyse|Analyze|Criticise|Rewrite|Improve|Proofread] [this article|my essay|this book|my code|the text|the news|my letter|the film] [about|on|of] [{x}|{p}|{c}|{h}][.|]",
    "[What's|What is|How is|Tell me] the [weather|temperature|time|news|traffic|population|size|history|climate] [in|of] {c}[?|.| today?| now?]",
    "[What|Which] [is|are] the [symptoms|causes|side effects|risks|benefits|advantages] of [{z}|{x}|{h}|eating {x}]?",
    "[Give|Send|Offer] me [advice|ideas|tips|help|some facts|an opinion|a plan|a lesson] [about|on|for|with] [my {x}|{h}|my {j}|{c}|{p}|love|money|my homework|my taxes|my code][.|]",
    "[What|Tell me what] do you think [of|about] [{p}|{c}|{x}|{h}|politics|war|love|God|money|my {x}|the government][?|.]",
    "[Draw|Paint|Sketch|Photograph|Show me] [a|the|my] [picture of a {x}|{x}|photo of {c}|portrait of {p}|map of {c}|house][.|]",
    "[Order|Buy|Sell|Deliver|Bring|Send] [me |us |][a|two|some|the] {x}[.| to {c}.| for {p}.| now.|]",
    "[Book|Reserve] [me |][a flight|a table|a hotel|a train|a taxi|a seat] [to|in|for] {c}[.|]",
    "[Call|Phone|Email|Text|Write to|Contact|Tell] {p} [about the {x}|for me|that I am late|now|and say hello][.|]",
    "[Fix|Repair|Clean|Build|Sell|Move|Wash] my [{x}|car|house|roof|computer|phone|bike|sink][.|, please.|]",
    "[Do|Finish|Write|Check] my [homework|taxes|work|essay|job|maths|exam|application][.| for me.|]",
    "[Generate|Make up|Think of|Create|Choose] a [password|name|plan|riddle|quiz|title|logo|recipe|menu|story] for [my {x}|{p}|my {j}|a {x}|our team][.|]",
    "[Compare|Rank|Rate] {c} [and|with|to] [{x}|{p}|{z}][.|]",
    "[What|How] would [{p}|a {j}|you] [say|do|think|feel] [about|in|with] [{x}|{c}|a {x}]?",
    "[Predict|Guess|Forecast] the [future|weather|price of {x}|winner|year {y}|election][.|]",
    "[Sing|Play|Dance|Hum|Whistle] [a song|something|the blues|a melody] [about {x}|for {p}|for me|in {c}][.|]",
    "[What|Which] [{x}|book|film|car|phone|stocks] [is the best|should I buy|do people like|is in fashion|would {p} take]?",
    "[How|Tell me how] [far|big|old|deep|high|long|heavy|fast] [is|was] [{c}|{p}|the moon|a {x}|the sea|the sun|mount {z}|the river {z}][?|.]",
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
