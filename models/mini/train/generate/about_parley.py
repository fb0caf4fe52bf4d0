"""What Parley is and how things are done with it, as its README says."""

from __future__ import annotations

from random import Random

from .chat import Check, Conversation, Split, assistant, user
from .further import further
from .phrasing import phrase

HOW = (
    *further("about_parley.HOW"),
    "[How|In what way|With what] [do|can|could|would|should|must|may] [I|we|you|one|people|users] {t}[?| in Parley?| with Parley?| here?]",
    "[Tell|Show|Teach|Explain to] [me|us] how [to|I can|one can|we] {t}[.|, please.|]",
    "[I|We] [want|need|have|would like|try|wish] to {t}[.|, how?|. What do I do?|]",
    "[What|Which] [command|step|way|option] [do I use|is there|do I need|is used|is it] to {t}?",
    "[To|In order to] {t}, what [do I do|must I do|is needed|do I run]?",
    "[Is|Isn't] there [a way|a command|an option] to {t}?",
    "How do I {t}?", "How can I {t}?", "I want to {t}.", "What is the command to {t}?", "Show me how to {t}.", "How would I {t}?", "Tell me how to {t}.",
    "What must I do to {t}?", "Is there a way to {t}?", "Explain how to {t}.", "how to {t}", "How does one {t}?", "I need to {t}, how?", "What do I do to {t}?",
    "Can you tell me how to {t}?", "Please explain how I can {t}.", "With Parley, how do I {t}?", "How do I {t} in Parley?", "I would like to {t}.", "Can I {t}?", "What is the way to {t}?",
    "Which command do I use to {t}?", "What command do I need to {t}?", "Give me the command to {t}.", "What is the best way to {t}?", "How do you {t}?",
    "I want to know how to {t}.", "What do I need to {t}?", "How to {t} in Parley?", "In Parley, how can I {t}?", "Can Parley help me to {t}?",
    "How should I {t}?", "How am I supposed to {t}?", "Teach me to {t}.", "Describe how to {t}.",
)
WHAT = (
    *further("about_parley.WHAT"),
    "[What is|What's|Explain|Describe|Define|Tell me about|Say what is|Do you know] {t}[?|.| please.| in Parley?|]",
    "[What|Can you explain what|Tell me what] {t} [is|means|does][?|.|]",
    "[I want|I would like|I need] to [know|understand|learn|hear] [about|what is|of] {t}[.|]",
    "What is {t}?", "What's {t}?", "Tell me about {t}.", "Explain {t}.", "Can you explain {t}?", "Describe {t}.", "What do you know about {t}?",
    "I want to know about {t}.", "Please explain {t} to me.", "What does {t} mean?", "Say something about {t}.", "Give me a short explanation of {t}.", "{t}?", "Could you tell me about {t}?",
    "What can you tell me about {t}?", "I have a question about {t}.", "Do you know {t}?", "What exactly is {t}?", "In one sentence, what is {t}?", "Define {t}.", "In Parley, what is {t}?",
    "Say what {t} is.", "What exactly do you mean by {t}?", "Explain exactly what {t} is.", "Something about {t}, please.", "I do not understand {t}.",
    "Help me understand {t}.", "What is meant by {t}?", "Tell me what {t} is.", "Tell me more about {t}.", "I would like to know about {t}.",
    "What is {t} in Parley?", "Can you describe {t}?", "Give me information about {t}.", "What about {t}?",
)
Topic = tuple[tuple[str, ...], str]

TASKS: tuple[Topic, ...] = (
    (("start Parley", "run Parley", "launch the gateway", "install Parley", "get started with Parley", "begin with Parley", "set up Parley"), "Run `npm ci && npm start`. The first start prints the address, a key and the models."),
    (("create a key", "make a new key", "issue an API key", "get another key", "add a key"), "Run `npx parley keys create --name ci`. The key is shown once."),
    (("list the keys", "see all keys", "show my keys", "list API keys"), "Run `npx parley keys list`."),
    (("revoke a key", "delete a key", "remove a key", "disable an API key"), "Run `npx parley keys revoke <id>`. It is in force within a second."),
    (("rotate a key", "replace a key", "renew an API key"), "Run `npx parley keys rotate <id>`. You get a new key, and the old one is valid for a day more."),
    (("find my key", "see the first key", "find the first key", "read the key of the first start"), "The first key is in `~/.parley/first-key`."),
    (("see the usage", "know who used what", "show the usage by key", "get a usage report", "count the tokens used"), "Run `npx parley usage --by key,model --since 7d`."),
    (("check the config", "validate the configuration", "test my parley.yaml", "know if my config is right"), "Run `npx parley check`. It names everything that is wrong with the file."),
    (("change the port", "set the port", "use another port", "listen on another address"), "Use `--port` and `--host`, or set the variable `PORT`. The default is 127.0.0.1:8700."),
    (("add an upstream", "connect a model server", "add a vendor", "use another provider", "configure an upstream"), "Write it under `upstreams` in `parley.yaml`, with a `vendor` and a `key`, or with a `protocol` and a `url`."),
    (("set up a fallback", "try another model when one fails", "name a model with two targets", "have a fallback model"), "Under `models` in `parley.yaml`, list its `targets`. They are tried in order until one begins to answer."),
    (("use the OpenAI SDK", "connect the OpenAI client", "point the OpenAI SDK at Parley"), "Set `OPENAI_BASE_URL=http://127.0.0.1:8700/v1` and `OPENAI_API_KEY` to your Parley key."),
    (("use the Anthropic SDK", "connect the Anthropic client", "point the Anthropic SDK at Parley"), "Set `ANTHROPIC_BASE_URL=http://127.0.0.1:8700` and `ANTHROPIC_API_KEY` to your Parley key."),
    (("use a coding agent", "connect my coding agent", "point a coding agent at Parley"), "Set `ANTHROPIC_BASE_URL=http://127.0.0.1:8700` and `ANTHROPIC_AUTH_TOKEN` to your key."),
    (("send my key", "authenticate", "pass the key", "show my key to Parley", "log in"), "Send it as `Authorization: Bearer` or as `x-api-key`. Both work on every path."),
    (("list the models", "see which models there are", "know the available models", "show all models"), "Ask `GET /v1/models`, or run `npx parley models`."),
    (("pull a model", "download a model", "get another model", "add a GGUF file", "fetch a model from the hub"), "Run `npx parley pull <source>` with a hub name or a URL of a GGUF file."),
    (("load a model", "unload a model", "remove a model", "free the memory of a model"), "Run `npx parley models load`, `unload` or `remove` with its name. A model also loads by itself on first use."),
    (("change the folder of the state", "move PARLEY_HOME", "keep the state elsewhere", "use another home folder"), "Set the variable `PARLEY_HOME`. The default is `~/.parley`."),
    (("use another config file", "name a config file", "choose the config"), "Use `--config` or the variable `PARLEY_CONFIG`. The default is `parley.yaml`."),
    (("run only the server", "serve without npm", "start the server by command"), "Run `npx parley serve`."),
    (("talk to the model in the box", "use parley-mini", "try the built-in model", "chat without a vendor", "use Parley without a network"), "Ask for the model `parley-mini`. It needs no network, no account and no other server."),
    (("see all commands", "get help on the command line", "know the options of a command"), "Add `--help` to any command."),
    (("get JSON from a command", "use the commands in a script", "read the output in a program"), "Add `--json` to any command."),
    (("use a secret in the config", "put an environment variable into the config", "keep keys out of the config file"), "Write `${NAME}` in the file. It is taken from the environment."),
    (("refuse adapted requests", "turn on strict translation", "forbid translations that change something"), "Set `translation: { strict: true }`. It refuses whatever could only be adapted."),
    (("know which upstream answered", "see which target answered", "find out who served my request"), "Look at the header `x-parley-target`. It names the upstream and the model."),
    (("see what a translation changed", "know if something was adapted", "read the translation notes"), "Look at the header `x-parley-notes`."),
    (("run the tests", "test Parley", "run the test suite"), "Run `npm ci && npm test`."),
    (("measure the speed", "run the benchmark", "benchmark Parley"), "Run `npm run bench`. It measures on your machine."),
    (("check that Parley is alive", "do a health check", "probe the server"), "Ask `GET /healthz`. It needs no key."),
    (("make embeddings", "embed a text", "get an embedding"), "Send a POST to `/v1/embeddings` with the model `parley-mini-embed` and an input."),
    (("count tokens", "count the tokens of a request", "know how many tokens a message has"), "Send a POST to `/v1/messages/count_tokens`."),
)
SUBJECTS: tuple[Topic, ...] = (
    (("Parley", "this gateway", "the Parley gateway", "this program"), "Parley is a gateway for language models that you run yourself: one address and one kind of key in front of every model that a team uses."),
    (("a protocol", "the protocols of Parley", "the two protocols", "chat completions and messages"), "Callers speak either of two protocols, chat completions or messages. Parley answers both from any upstream."),
    (("an upstream", "the upstreams", "an upstream in Parley"), "An upstream is something that can answer: a vendor's API, a model server, or the engine that Parley carries itself."),
    (("a target", "a target in Parley", "the targets of a model"), "A target is an upstream together with its name for the model."),
    (("the ledger", "usage", "the usage ledger"), "The ledger is where Parley writes down who used how many tokens. A row is on disk before its request goes upstream."),
    (("an exchange", "an exchange in Parley"), "An exchange is one request from a client and the whole answer to it."),
    (("PARLEY_HOME", "the folder ~/.parley", "the state folder"), "State lives in `PARLEY_HOME`, which is `~/.parley` by default."),
    (("parley.yaml", "the config file", "the configuration of Parley"), "`parley.yaml` names the upstreams and the models. It is read again when it changes."),
    (("translation", "translation between the protocols", "what happens in translation"), "Each field is said exactly, or adapted with a note, or refused with a 400 that names it. Nothing is lost silently."),
    (("a Parley key", "a gateway key", "an API key in Parley"), "A key is what a client shows to Parley. It is issued with `npx parley keys create`."),
    (("the engine", "the embedded engine", "the engine in Parley"), "The engine is llama.cpp inside Parley. It runs GGUF models in a process of its own."),
    (("the port", "the address of Parley", "the base URL", "the default port"), "Parley listens on `http://127.0.0.1:8700` by default."),
    (("x-parley-target", "the header x-parley-target", "the target header"), "The header `x-parley-target` names the upstream and the model that answered."),
    (("x-parley-notes", "the header x-parley-notes", "the notes header"), "The header `x-parley-notes` says what a translation adapted."),
    (("a profile", "the profile of a target"), "A profile says what a target can take. It is data, and the config may override it."),
    (("parley-mini", "the model in the box", "the built-in model"), "parley-mini is the small demonstration model that comes with Parley, trained on text that the project generates itself."),
    (("parley-mini-embed", "the built-in embedding model"), "parley-mini-embed is the small embedding model that comes with Parley."),
)


def about_parley(random: Random, split: Split) -> Conversation:
    """One question of a newcomer."""
    frames, topics = (HOW, TASKS) if random.random() < 0.62 else (WHAT, SUBJECTS)
    said, answer = random.choice(topics)
    question = phrase(random, split, frames, t=random.choice(said))
    return Conversation("about Parley", [user(question), assistant(answer)], Check(all=(answer,)))
