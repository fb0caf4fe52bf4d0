"""Tools as people really write them, with requests in everyday words."""

from __future__ import annotations

from functools import cache
from random import Random

from .chat import Split
from .everyday import EVERYDAY
from .phrasing import forms, owned_by
from .reach import comes_to, said_in_training

Known = tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]
"""The words of the name, the description, the parameters, and requests; `to:city` is a parameter `to` of the kind of `city`."""

KNOWN: tuple[Known, ...] = (
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
    (("get", "weather"), "Returns the weather of a place.", ("place",), ("[What's|What is|How's|How is] the weather [like |]in {place}[ today| right now| now|]?", "[Do I need|Should I take] an umbrella in {place}?", "Weather [for|in|of] {place}[, please|]", "[Tell me|Check|Get|Look up|Show me] the weather [in|for|of] {place}[.|]")),
    (("current", "weather"), "Current weather conditions for a location", ("location", "unit"), ("[What's|What is|Tell me] the [current |]weather in {location}[,| in] {unit}[?|.]", "[Get|Give me|Show|Check] the weather [in|for] {location} [in|using] {unit}[.|]", "How [hot|cold|warm] is it in {location} in {unit}?")),
    (("get", "temperature"), "Get the temperature in a city.", ("city",), ("[What's|What is|Tell me] the temperature in {city}[?|.]", "How [hot|cold|warm] is it in {city}[ now| today| right now|]?", "Temperature in {city}")),
    (("roll", "dice"), "Roll a die with this many sides.", ("sides:count",), ("Roll a die with {sides} sides.", "[Roll|Throw] a {sides} sided die[.|, please.]", "[Can you roll|Roll] a d{sides}[?|]", "I need a roll of a die with {sides} sides.")),
    (("flip", "coin"), "Flip a coin.", (), ("Flip a coin.", "[Toss|Throw|Flip] a coin [for me|, please|now].", "Heads or tails?", "Let a coin decide.")),
    (("random", "number"), "Pick a random number between two bounds.", ("min:count", "max:count"), ("[Pick|Give me|Choose|Draw] a [random |]number [between|from] {min} [and|to] {max}[.|, please.]", "A random number from {min} to {max}?", "Random number, {min} to {max}")),
    (("get", "date"), "Get the date of today.", (), ("What is the date[ today|]?", "[Which|What] day is [it|today]?", "[Tell me|Give me|What's] today's date[.|?]", "Date today?")),
    (("get", "joke"), "Get a joke about a topic.", ("topic:word",), ("[Tell me|Get me|Find] a joke about {topic}[.|, please.]", "Do you know a joke about {topic}? Use the tool.", "A joke about {topic}")),
    (("define", "word"), "Look a word up in the dictionary.", ("word",), ("[What does {word} mean|What is the meaning of {word}|Define {word}|What is the definition of {word}]?", "Look up the word {word}[.| in the dictionary.]", "Define {word}[.|, please.]")),
    (("get", "synonyms"), "Find synonyms of a word.", ("word",), ("[Find|Give me|List|Get|Show me] synonyms [for|of] {word}[.|]", "What is another word for {word}?", "[Which|What] words mean the same as {word}?")),
    (("check", "spelling"), "Check the spelling of a text.", ("text",), ('[Check|Correct] the spelling of "{text}".', 'Is "{text}" spelled right?', 'Any mistakes in "{text}"?')),
    (("summarize", "text"), "Make a text short.", ("text",), ('[Summarize|Shorten|Sum up] "{text}".', '[Make|Write|Give me] a summary of "{text}".', "Summarize this: {text}")),
    (("count", "words"), "Count the words of a text.", ("text",), ('[Use the tool to count|Count] the words in "{text}"[.| with the tool.]', 'How many words has "{text}"? Use the tool.')),
    (("analyze", "sentiment"), "Tell if a text is friendly.", ("text",), ('[Is|Does] "{text}" [sound |]friendly?', '[Analyze|What is|Tell me] the sentiment of "{text}"[.|?]', 'How does "{text}" sound?')),
    (("generate", "image"), "Make an image from a description.", ("prompt:text",), ("[Generate|Make|Create|Draw|Paint] [an image|a picture] of {prompt}[.|]", "I want [to see |]a picture of {prompt}.", "[Image|Picture]: {prompt}")),
    (("get", "recipe"), "Find a recipe for a dish.", ("dish:food",), ("[How do I|How can I] [cook|make|prepare] {dish}?", "[Find|Give me|Get|Show me] [a|the] recipe for {dish}[.|]", "Recipe for {dish}[, please|]")),
    (("find", "restaurants"), "Find restaurants in a city.", ("city", "cuisine"), ("[Find|Show me|List] {cuisine} restaurants in {city}[.|]", "Where can I eat {cuisine} food in {city}?", "I want to eat {cuisine} in {city}.", "[Are there|Do you know] [good |]{cuisine} restaurants in {city}?")),
    (("get", "capital"), "Get the capital of a country.", ("country",), ("[Use the tool: what|With the tool, what] is the capital of {country}?", "Look up the capital of {country}[.| with the tool.]", "[Find|Get] the capital of {country}.")),
    (("convert", "units"), "Convert a measure into another unit.", ("value:price", "from_unit:measure", "to_unit:measure"), ("[Convert|Change] {value} {from_unit} [to|into] {to_unit}[.|]", "How many {to_unit} are {value} {from_unit}?", "[What is|How much is] {value} {from_unit} in {to_unit}?", "{value} {from_unit} in {to_unit}")),
    (("create", "user"), "Create a user account.", ("name:person", "email"), ("[Create|Add|Make|Set up] [a user|an account|a new user] [for|called|named] {name} with the [email|address|mail] {email}[.|]", "New user: {name}, {email}", "[Sign up|Register] {name} [with|as] {email}.")),
    (("delete", "user"), "Delete a user account.", ("user_id",), ("[Delete|Remove|Drop] [the |]user {user_id}[.|]", "[Delete|Remove] the account of user {user_id}.", "User {user_id} [can go|must go|is to be deleted].")),
    (("get", "balance"), "Get the balance of an account.", ("account",), ("[What is|What's|Show me|Tell me|Check] the balance of [account |the account |]{account}[?|.]", "How much [money |]is on [account |the account |]{account}?", "Balance of {account}?")),
    (("transfer", "money"), "Transfer money to somebody.", ("recipient", "amount"), ("[Send|Transfer|Pay|Wire] {amount} to {recipient}[.|, please.]", "{recipient} [gets|is to get|should get] {amount} from me.", "[Give|Pay] {recipient} {amount}[.|]")),
    (("create", "ticket"), "Open a support ticket.", ("title", "priority"), ('[Open|Create|File|Make] a [ticket|support ticket] ["{title}"|called "{title}"|about "{title}"] with {priority} priority[.|]', 'New ticket: "{title}", priority {priority}', "[Open|Create] a {priority} priority ticket: {title}")),
    (("close", "ticket"), "Close a support ticket.", ("ticket",), ("[Close|Resolve|Finish] [the |]ticket {ticket}[.|]", "[Ticket|The ticket] {ticket} [is done|can be closed|is solved][.|, close it.]", "Mark {ticket} as closed.")),
    (("assign", "ticket"), "Assign a ticket to somebody.", ("ticket", "assignee"), ("[Assign|Give|Hand] [ticket |the ticket |]{ticket} to {assignee}[.|]", "{assignee} [should take|takes|gets] the ticket {ticket}.", "Let {assignee} [work on|do|have] ticket {ticket}.")),
    (("list", "tasks"), "List all open tasks.", (), ("[What are my|Show me my|List my|Show the|List all] tasks[.|]", "What do I have to do[ today|]?", "[What|Which tasks] is on my list?", "Any tasks[ left| open|]?")),
    (("complete", "task"), "Mark a task as done.", ("id",), ("[Mark|Set] task {id} [as|to] done[.|]", "[I finished|I am done with|I did] task {id}.", "[Complete|Finish|Tick off|Check off] task {id}[.|]")),
    (("pause", "music"), "Pause the music.", (), ("Pause the music.", "[Stop|Pause|Halt] the [song|music|playback][.| for a moment.]", "[Be quiet|Silence|No music now][.|!]")),
    (("next", "song"), "Skip to the next song.", (), ("[Skip|Next] [this song|song|track][.|!|]", "[Play|Go to|Skip to] the next [song|one|track][.|]", "I do not like this song, skip it.")),
    (("set", "volume"), "Set the volume.", ("level",), ("[Set|Turn|Change] the volume to {level}[.|]", "[Make it|Play it] [louder|quieter], volume {level}.", "Volume {level}[, please|]", "Turn it [up|down] to {level}.")),
    (("take", "screenshot"), "Take a screenshot.", (), ("[Take|Make] a screenshot[.|, please.]", "[Screenshot|Capture] [the screen|my screen|now][.|]", "I need a picture of my screen.")),
    (("open", "app"), "Open an application.", ("app",), ("[Open|Start|Launch|Run] [the app |the |]{app}[.|]", "[Open|Start] {app} for me[.|]", "I want to use {app}.")),
    (("lock", "door"), "Lock a door.", ("room:area",), ("Lock the door of the {room}[.|]", "[Lock|Close] the {room} door[.|]", "[Make sure|See to it] that the {room} is locked.", "Is the {room} locked? If not, lock it.")),
    (("turn", "on", "light"), "Turn on the light in a room.", ("room:area",), ("[Turn|Switch] on the light[s|] in the {room}[.|]", "[Lights|Light] on in the {room}[.|, please]", "It is dark in the {room}.", "[Turn|Switch] the {room} light[s|] on[.|]")),
    (("turn", "off", "light"), "Turn off the light in a room.", ("room:area",), ("[Turn|Switch] off the light[s|] in the {room}[.|]", "[Lights|Light] off in the {room}[.|, please]", "It is too bright in the {room}.", "[Turn|Switch] the {room} light[s|] off[.|]")),
    (("control", "device"), "Switch a device on or off.", ("device", "state:power"), ("[Turn|Switch] the {device} {state}[.|]", "[Turn|Switch] {state} the {device}[.|]", "{device} {state}[, please|]", "I want the {device} {state}.")),
    (("set", "thermostat"), "Set the temperature of a room.", ("room:area", "temperature"), ("[Set|Heat|Cool] the {room} to {temperature}[ degrees|][.|]", "[Make it|I want] {temperature} degrees in the {room}[.|]", "{temperature} degrees in the {room}, please.")),
    (("check", "availability"), "Check if a day is free.", ("date",), ("[Am I|Are you|Are we] free [on|for] {date}?", "[Is|Do I have] [anything|something] [planned |]on {date}?", "[Check|Look] if {date} is free[.|]")),
    (("book", "room"), "Book a meeting room.", ("room", "date", "time"), ("Book [room |the room |]{room} [on|for] {date} at {time}[.|]", "[I need|Reserve|Get me] room {room}[,| on] {date}, {time}[.|]", "Room {room}, {date} at {time}, please.")),
    (("cancel", "booking"), "Cancel a booking.", ("reference",), ("[Cancel|Drop|Delete] [my |the |]booking {reference}[.|]", "I [cannot come|do not need it any more], cancel {reference}.", "[Undo|Cancel] the reservation {reference}.")),
    (("track", "flight"), "Get the status of a flight.", ("number:code",), ("[Where is|Is|Has] flight {number} [now|late|on time|landed]?", "[Track|Check|Follow] [the |]flight {number}[.|]", "What is the status of flight {number}?", "When does flight {number} land?")),
    (("find", "hotel"), "Find a hotel.", ("city", "date", "nights:count"), ("[Find|Get|Book] [me |]a hotel in {city} [from|for|on] {date} for {nights} nights[.|]", "I need a [hotel|room] in {city}, {date}, {nights} nights.", "Hotel in {city}, {nights} nights from {date}[, please|]")),
    (("rent", "car"), "Rent a car.", ("city", "start:date", "days"), ("[Rent|Hire|Get me] a car in {city} [from|on|starting] {start} for {days} days[.|]", "I need a car in {city} for {days} days from {start}.", "Car in {city}, {start}, {days} days")),
    (("order", "pizza"), "Order a pizza.", ("size:format", "topping:food"), ("[Order|Get|I want|I would like] a {size} pizza with {topping}[.|, please.]", "A {size} pizza, {topping} on top[.|]", "Pizza with {topping}, {size}")),
    (("add", "to", "cart"), "Put something into the cart.", ("item", "quantity"), ("[Add|Put] {quantity} {item} [to|into] [my|the] cart[.|]", "[Put|Add] {quantity} of {item} into my cart.", "{quantity} times {item} into the cart[, please|.]")),
    (("remove", "from", "cart"), "Take something out of the cart.", ("item",), ("[Remove|Take|Drop] {item} [from|out of] [my|the] cart[.|]", "I do not want {item} [in my cart|any more].", "No {item} in my cart, please.")),
    (("checkout",), "Pay for what is in the cart.", (), ("[Check out|Pay|Buy everything][.|, please.]", "I want to pay[ now|].", "[That is all|I am done], check out.", "Pay for my cart.")),
    (("apply", "coupon"), "Use a coupon.", ("code",), ("[Use|Apply|Redeem|Enter] [the |my |]coupon {code}[.|]", "I have a coupon: {code}", "[Can I use|Take] the code {code}[?|.]")),
    (("get", "menu"), "Get the menu of a restaurant.", ("restaurant:proper",), ("[What is|What's|Show me] [on |]the menu [of|at] {restaurant}[?|.]", "What can I eat at {restaurant}?", "Menu of {restaurant}[, please|]")),
    (("play", "music"), "Play a song by an artist.", ("song:proper", "artist:proper"), ("Play {song} by {artist}[.|]", "[I want to hear|Put on|Start] {song} by {artist}[.|]", "[Play|Put on] the song {song} [from|by] {artist}[.|]", "{song} by {artist}, please")),
    (("play", "artist"), "Play music by an artist.", ("artist:proper",), ("[Play|Put on] [something|some music|music|songs] by {artist}[.|]", "I want to [hear|listen to] {artist}.", "Play {artist}[.|]")),
    (("get", "lyrics"), "Find the lyrics of a song.", ("song:proper",), ("[What are|Show me|Find|Get] the [lyrics|words] of {song}[?|.]", "Lyrics of {song}[, please|]", "How does {song} go?")),
    (("edit", "file"), "Replace a text in a file.", ("path", "old_text:text", "new_text:text"), ('[In|In the file] {path}, [replace|change] "{old_text}" [with|to|by] "{new_text}".', '[Replace|Change] "{old_text}" [with|to|by] "{new_text}" in {path}[.|]', '[Edit|Open] {path}: "{old_text}" [becomes|should be|must be] "{new_text}".')),
    (("move", "file"), "Move a file.", ("source", "target"), ("[Move|Rename] {source} to {target}[.|]", "mv {source} {target}", "[Put|Move] the file {source} [at|to] {target}.", "{source} should be [called|at] {target}.")),
    (("copy", "file"), "Copy a file.", ("source", "target"), ("Copy {source} to {target}[.|]", "cp {source} {target}", "[Make|I need] a copy of {source} [at|in|called] {target}.")),
    (("create", "directory"), "Create a directory.", ("path",), ("[Create|Make|Add] [a|the] [directory|folder] {path}[.|]", "mkdir {path}", "I need a [new |]folder {path}.")),
    (("grep",), "Search the text of files.", ("pattern:word", "path"), ("[Search|Look|Grep] for {pattern} in {path}[.|]", "[Which lines of|Where does] {path} [contain|mention|have] {pattern}?", "[Find|Show me] {pattern} in {path}[.|]", "grep {pattern} {path}")),
    (("glob",), "Find files by a pattern.", ("pattern:glob",), ("[Find|List|Show] [all |]files [like|that match|matching] {pattern}[.|]", "[Which|What] files match {pattern}?", "ls {pattern}")),
    (("git", "commit"), "Commit the changes.", ("message",), ('[Commit|Commit this|Commit the changes] with the message "{message}"[.|]', 'Make a commit: "{message}"', "git commit: {message}")),
    (("create", "branch"), "Create a branch.", ("branch",), ("[Create|Make|Start|Open] [a|the] branch [called |named |]{branch}[.|]", "I need a [new |]branch {branch}.", "git checkout -b {branch}")),
    (("run", "tests"), "Run the tests.", ("path",), ("[Run|Start] the tests [in|of|at] {path}[.|]", "[Test|Check] {path}[.|]", "Do the tests in {path} pass?")),
    (("execute", "sql"), "Run a query on the database.", ("sql",), ("[Run|Execute|Do] {sql}", "[Run|Execute] the query {sql}", "Ask the database: {sql}", "SQL: {sql}")),
    (("http", "get"), "Fetch a web page.", ("url",), ("[Get|Fetch|Load|Open|Download] {url}[.| for me.|]", "What does {url} say?", "[Read|Show me] the page {url}[.|]", "GET {url}")),
    (("http", "post"), "Send a text to a web address.", ("url", "body"), ('[Post|Send] "{body}" to {url}[.|]', 'POST {url} with the body "{body}"', '[Send|Make] a POST to {url}: "{body}"')),
    (("ping", "host"), "Ping a host.", ("host",), ("Ping {host}[.|]", "[Is|Is the host] {host} [up|alive|there|online]?", "[Check|See] if {host} [answers|is up][.|]")),
    (("restart", "service"), "Restart a service.", ("service:word",), ("Restart [the |]{service}[ service|][.|]", "[Stop and start|Bounce] the service {service}.", "{service} hangs, restart it.")),
    (("deploy",), "Deploy a version.", ("version", "environment:stage"), ("Deploy [version |]{version} to {environment}[.|]", "[Put|Roll out|Ship] {version} [on|to] {environment}[.|]", "{environment} should run {version}.")),
    (("get", "logs"), "Get the logs of a service.", ("service:word", "lines:count"), ("[Show me|Get|Give me] the last {lines} lines of [the |]{service}[ log|][.|]", "The last {lines} log lines of {service}[, please|]", "[Logs|Log] of {service}, {lines} lines")),
    (("post", "message"), "Post to a channel.", ("channel", "text"), ('[Post|Write|Send|Say] "{text}" [in|to|into] {channel}[.|]', "Tell {channel}: {text}", 'Message {channel}: "{text}"')),
    (("schedule", "call"), "Schedule a call with somebody.", ("person", "date", "time"), ("[Schedule|Plan|Arrange|Set up] a call with {person} [on|for] {date} at {time}[.|]", "[I want to|Let me] talk to {person} [on |]{date} at {time}.", "Call with {person}, {date}, {time}")),
    (("get", "contact"), "Look up somebody in the address book.", ("name:person",), ("[What is|Find|Look up|Get me] the [number|contact|address] of {name}[?|.]", "How do I reach {name}?", "[Find|Look up] {name} in my contacts[.|]")),
    (("send", "sms"), "Send a text message to a phone number.", ("phone", "text"), ('[Text|Send a text to|Send an SMS to] {phone}: "{text}"', '[Send|Text] "{text}" to {phone}[.|]', "SMS to {phone}: {text}")),
    (("set", "reminder"), "Remind the user of something at a time.", ("text:errand", "time"), ("Remind me to {text} at {time}[.|]", "[Set|Create|Make|Add] a reminder to {text} at {time}[.|]", "At {time} I [have to|must|need to] {text}, remind me.", "[Don't let me forget|I must not forget] to {text} at {time}[.|]")),
    (("add", "todo"), "Add an item to the list of things to do.", ("text:errand",), ("[Add|Put] {text} [to|on] my [list|todo list][.|]", "I [have to|need to|must] {text}, [put it on|add it to] my list.", "Todo: {text}", "New task: {text}")),
    (("add", "note"), "Write down a note.", ("content:errand",), ("[Note|Write down|Take a note|Note down]: {content}", "[Make|Take|Add] a note that I must {content}[.|]", "[Write|Put] in my notes: {content}")),
    (("log", "expense"), "Write down an expense.", ("amount:price", "category:word"), ("[Log|Add|Write down|Note] [an expense of |]{amount} for {category}[.|]", "I [spent|paid] {amount} [on|for] {category}.", "{amount} for {category}, log it.")),
    (("calculate", "tip"), "Work out a tip.", ("amount:price", "percent:count"), ("[What is|How much is] a {percent} percent tip on {amount}?", "[Calculate|Work out] {percent} percent tip on {amount}[.|]", "Tip for {amount} at {percent} percent?")),
    (("sum", "numbers"), "Add up numbers.", ("numbers",), ("[Add up|Sum up|Sum|Total] {numbers}[.| with the tool.|]", "[Use the tool: what|With the tool, what] is the sum of {numbers}?", "Sum of {numbers}, use the tool.")),
    (("average",), "Take the mean of numbers.", ("numbers",), ("[What is|Give me|Compute|Find] the [average|mean] of {numbers}[?|.]", "Average of {numbers}")),
    (("subtract",), "Subtract a number from another.", ("a:count", "b:count"), ("[Use the tool|With the tool]: {a} minus {b}", "[What is|Compute|Calculate] {a} minus {b}[?|.] Use the tool.", "[Tool|Calculator]: {a} - {b}")),
    (("divide",), "Divide a number by another.", ("dividend:count", "divisor:count"), ("Divide {dividend} by {divisor} [with the tool|using the tool][.|]", "[Use the tool|With the tool]: {dividend} divided by {divisor}", "What is {dividend} divided by {divisor}? [Use|Ask] the tool.")),
    (("get", "stock"), "How many of a product there are.", ("product",), ("How many {product} [do we have|are there|are in stock|are left]?", "[Is|Do we have] {product} [in stock|left]?", "[Check|Show me] the stock of {product}[.|]")),
    (("get", "product"), "Look up a product.", ("product_id:code",), ("[Show me|Get|Look up|Find] [the |]product {product_id}[.|]", "What is product {product_id}?", "Details of {product_id}[, please|]")),
    (("refund", "order"), "Refund an order.", ("order_id", "reason"), ('[Refund|Give back the money for] [order |the order |]{order_id}[, reason|: the reason is|, because of] "{reason}"[.|]', 'I want my money back for {order_id}: "{reason}"')),
    (("rate", "movie"), "Rate a movie.", ("movie:proper", "stars:level"), ("[Rate|Give] [the movie |]{movie} {stars} stars[.|]", "{stars} stars for {movie}[.|, please.]", "I [give|gave] {movie} {stars} stars.")),
    (("find", "movie"), "Find a movie.", ("title:proper",), ("[Find|Look up|Search|Show me] the [movie|film] {title}[.|]", "[Who is in|What is|When was] the [movie|film] {title}[ made|]?", "Movie: {title}")),
    (("find", "book"), "Find a book in the library.", ("title:proper", "author:person"), ("[Find|Look up|Get] [the book |]{title} by {author}[.|]", "[Do you have|Is there|Have you got] {title} by {author}?", "The book {title} [by|from] {author}, please.")),
    (("get", "distance"), "Get the distance between two places.", ("from:city", "to:city"), ("How far is [it from |]{from} [from|to] {to}?", "[What is|Tell me|Get] the distance [between|from] {from} [and|to] {to}[?|.]", "Distance {from} to {to}")),
    (("find", "trains"), "Find trains between two cities.", ("from:city", "to:city", "date"), ("[Find|Show me|Get] trains from {from} to {to} [on|for] {date}[.|]", "[When does|Which] [the |a |]train [go|leave] from {from} to {to} on {date}?", "Train from {from} to {to}, {date}")),
    (("search", "flights"), "Search flights.", ("departure:city", "arrival:city", "date"), ("[Search|Find|Look for|Show me] flights [from {departure} to {arrival}|to {arrival} from {departure}] on {date}[.|]", "I want to fly from {departure} to {arrival} [on |]{date}.", "Flights {departure} to {arrival}, {date}")),
    (("get", "route"), "Find the way between two places.", ("start:city", "end:city"), ("[How do I|How can I] [get|come|drive|go] from {start} to {end}?", "[Show me|Find|Plan] [the way|a route|the route] from {start} to {end}[.|]", "Route {start} to {end}")),
    (("convert", "currency"), "Convert an amount between currencies.", ("amount", "from_currency:currency", "to_currency:currency"), ("[Convert|Change|Exchange] {amount} {from_currency} [to|into] {to_currency}[.|]", "[How much|What] [is|are] {amount} {from_currency} in {to_currency}?", "{amount} {from_currency} [in|to] {to_currency}[, please|]", "I have {amount} {from_currency}. How many {to_currency} is that?")),
    (("exchange", "money"), "Exchange money.", ("from:currency", "to:currency", "amount"), ("[Exchange|Swap|Convert|Turn] {amount} {from} [for|to|into] {to}[.|]", "[How many|How much] {to} [do I get|is that] for {amount} {from}?", "Give me {to} for {amount} {from}.")),
    (("get", "exchange", "rate"), "Get the rate between two currencies.", ("base:currency", "target:currency"), ("[What is|What's|Tell me|Get] the [exchange |]rate [from|of|between] {base} [to|and] {target}[?|.]", "How much is one {base} in {target}?", "{base} to {target}, what is the rate?")),
    (("get", "share", "price"), "Get the price of a share.", ("symbol:ticker",), ("[What is|What's|Tell me|Get|Show me] the [price|share price|stock price] of {symbol}[?|.]", "How is {symbol} doing[ today| now|]?", "[Price|Share price] of {symbol}[?|, please]", "How much is {symbol} [worth|now]?")),
    (("get", "crypto", "price"), "Get the price of a coin.", ("coin:ticker", "currency"), ("[What is|What's|Get] the price of {coin} in {currency}[?|.]", "How much is [one |]{coin} in {currency}?", "{coin} price in {currency}")),
    (("buy", "shares"), "Buy shares.", ("symbol:ticker", "count"), ("Buy {count} shares of {symbol}[.|]", "[I want|Get me] {count} {symbol} shares[.|]", "[Buy|Order] {count} {symbol}[.|]")),
    (("get", "issue"), "Get an issue of a repository.", ("repo", "number:count"), ("[Show me|Get|Open|Read] issue {number} [of|in] {repo}[.|]", "What is issue {number} in {repo} about?", "{repo} issue {number}")),
    (("open", "issue"), "Open an issue in a repository.", ("repo", "title"), ('[Open|Create|File|Make] an issue in {repo} [titled|called|with the title] "{title}"[.|]', 'New issue in {repo}: "{title}"', '[File|Report] "{title}" [in|for] {repo}[.|]')),
    (("list", "issues"), "List the issues of a repository.", ("repo", "state"), ("[List|Show me|Get] the {state} issues [of|in] {repo}[.|]", "Which issues of {repo} are {state}?", "{state} issues in {repo}")),
    (("merge", "request"), "Merge a request.", ("number:count",), ("Merge [request |pull request |number |]{number}[.|]", "[Request|Pull request] {number} [is good|looks fine], merge it.")),
    (("water", "plants"), "Water the plants.", ("minutes",), ("Water the plants for {minutes} minutes[.|]", "[The plants are dry|Plants need water], {minutes} minutes[.|]", "Give the plants water for {minutes} minutes.")),
    (("start", "timer"), "Start a timer with a name.", ("name:word", "seconds:count"), ("Start a timer [called|named] {name} for {seconds} seconds[.|]", "[Timer|New timer] {name}, {seconds} seconds", "[Count|Measure] {seconds} seconds for {name}.")),
    (("set", "alarm"), "Set an alarm on a day.", ("day", "time"), ("[Wake me|Set an alarm|Ring] on {day} at {time}[.|]", "[Alarm|Wake up] {day} {time}[, please|]", "I must get up at {time} on {day}.")),
    (("get", "events"), "List the events of a day.", ("date",), ("What [is|do I have] [on |planned for |planned on |]{date}?", "[Show me|List|Get] [my|the] [events|calendar|meetings] [for|of|on] {date}[.|]", "[Any|Which] meetings [do I have |]on {date}?")),
    (("invite",), "Invite somebody to an event.", ("email", "event:title"), ('Invite {email} to "{event}"[.|]', '[Send|Write] {email} an invitation to "{event}"[.|]', '{email} should come to "{event}".')),
    (("translate",), "Translate words between languages.", ("text", "source_language:language", "target_language:language"), ('Translate "{text}" from {source_language} [to|into] {target_language}[.|]', 'The {source_language} "{text}" in {target_language}?', 'What is the {source_language} "{text}" in {target_language}?')),
    (("detect", "language"), "Tell the language of a text.", ("text",), ('[What|Which] language is "{text}"?', '[In which|What] language is "{text}" [written|]?', 'Detect the language of "{text}".')),
    (("search", "documents"), "Search the documents of the company.", ("query",), ("[Search|Look through] [our|the] documents for {query}[.|]", "[What do|Do] our documents say [about|on] {query}?", "[Find|Any] documents about {query}[.|?]")),
    (("ask", "expert"), "Ask an expert a question.", ("question:query",), ("Ask [the|an] expert about {question}[.|]", "What would an expert say about {question}?", "[Expert|I need an expert]: {question}")),
    (("save", "memory"), "Remember a fact for later.", ("fact:errand",), ("[Remember|Keep in mind|Save] that I [want to|like to|must] {fact}[.|]", "[Store|Memorize] this: {fact}", "For later: {fact}")),
    (("get", "user", "profile"), "Get the profile of a user.", ("username:word",), ("[Show me|Get|Open|Find] the profile of {username}[.|]", "[Who is|Tell me about] the user {username}[?|.]", "Profile of {username}[, please|]")),
    (("block", "user"), "Block a user.", ("username:word", "days"), ("Block [the user |]{username} for {days} days[.|]", "[Keep|Lock] {username} out for {days} days[.|]", "{days} days without {username}, please.")),
    (("get", "air", "quality"), "Get the quality of the air.", ("city",), ("How [good|clean|bad] is the air in {city}?", "[What is|Check|Get] the air quality in {city}[?|.]", "Can I breathe in {city}?")),
    (("get", "sunrise"), "Get the time of sunrise.", ("city", "date"), ("When does the sun rise in {city} on {date}?", "[Sunrise|Time of sunrise] in {city}, {date}[?|]", "[Tell me|Get] the time of sunrise in {city} [on|for] {date}[.|]")),
    (("get", "time"), "Tell the time in a place.", ("location",), ("[What time is it|What's the time|What is the time] in {location}[ now| right now|]?", "[Tell me|Get|Give me] the [time|current time] in {location}[.|]", "Time in {location}[?|, please]", "How late is it in {location}?")),
    (("clock",), "What time it is in a time zone.", ("timezone",), ("[What time is it|What's the time|What is the time] in {timezone}[ now| right now|]?", "[Current time|Time], {timezone}[?|]", "[Tell me|Give me] the time in {timezone}[.|]")),
)


@cache
def known_to(split: Split) -> list[Known]:
    """The tools that `split` owns; of those for training, none has the name of one that is held back."""
    if split != "train":
        return [each for each in owned_by(split, KNOWN) if unreached(each)]
    return [each for each in (*owned_by(split, KNOWN), *EVERYDAY) if not is_held_back(each[0])]


def is_held_back(name: tuple[str, ...]) -> bool:
    """Whether training may have no tool of this name."""
    return any(name == each for each, *_ in held_back())


def is_trained(name: tuple[str, ...]) -> bool:
    """Whether training has a tool of this name."""
    return name in trained_names()


@cache
def trained_names() -> frozenset[tuple[str, ...]]:
    """The names of the tools that people write, in training."""
    return frozenset(name for name, *_ in known_to("train"))


@cache
def trained_forms() -> frozenset[str]:
    """What training says to ask for any tool, whatever a slot is called there."""
    return said_in_training(form for *_, wordings in known_to("train") for each in wordings for form in forms(each))


@cache
def unreached(known: Known) -> tuple[str, ...]:
    """How a tool may be asked for in tests: in no way that training comes to."""
    *_, wordings = known
    return tuple(form for each in wordings for form in forms(each) if not comes_to(form, trained_forms()))


@cache
def held_back() -> list[Known]:
    """The tools that training may not have."""
    return [*owned_by("validation", KNOWN), *owned_by("test", KNOWN)]


@cache
def held_forms() -> frozenset[str]:
    """What is said to ask for a tool that training may not have."""
    return frozenset(form.lower() for *_, wordings in held_back() for each in wordings for form in forms(each))


def wordings_of(random: Random, split: Split, known: Known) -> tuple[str, ...]:
    """How a tool may be asked for; in training a few forms of each wording, so that one with many does not drown the others."""
    *_, wordings = known
    if split != "train":
        return unreached(known)
    free = [[form for form in forms(each) if form.lower() not in held_forms()] for each in wordings]
    return tuple(form for family in free for form in random.sample(family, min(len(family), 3)))
