"""Tools of alarms, lists, groups, calls, doctors, trains, shops, books, photos, music and cars in groups that are easily confused, with lists and choices as values."""

TOOLS = (
    # Alarms, timers, reminders
    (("alarm",), "[Set an alarm.|Sets an alarm clock for a time|Rings an alarm at the given time, e.g. to wake up.]", ("time",), (
        "[Set|Put] an alarm for {time}[.|, please.]",
        "[Wake me|Wake me up|Get me up] at {time}[.|]",
        "Alarm [at|for] {time}",
        "[Can you|Could you] wake me at {time}?",
        "I [need to|have to|must] be up at {time}[, set the alarm|]",
        "[Make|Have] the alarm ring at {time}",
    )),
    (("remove", "alarm"), "[Remove an alarm.|Deletes the alarm set for a time|Takes away the alarm at the given time.]", ("time",), (
        "[Remove|Delete|Cancel] the alarm at {time}[.|]",
        "[Remove|Drop|Scrap] my {time} alarm[, please|]",
        "[Don't|Do not] wake me at {time} [any more|after all]",
        "No alarm at {time}[, please|]",
        "I don't need [the|my] {time} alarm any more[.|]",
    )),
    (("countdown",), "[Start a countdown timer.|Starts a timer of some minutes|Counts down the given number of minutes.]", ("minutes:count",), (
        "[Start|Set] a timer for {minutes} minutes[.|, please.]",
        "Timer[,|:] {minutes} minutes",
        "[Count down|Time] {minutes} minutes[ for me|]",
        "{minutes} minutes on the timer[, please|]",
        "[Can you|Could you] set a {minutes} minute timer?",
        "[Run|Start] a countdown of {minutes} min",
    )),
    (("shorten", "timer"), "[Shorten the running timer.|Takes minutes off the timer|Makes the running countdown shorter by some minutes.]", ("minutes:count",), (
        "[Shorten|Cut] the timer by {minutes} minutes[.|]",
        "[Take|Knock] {minutes} minutes off the timer",
        "{minutes} minutes less on the timer[, please|]",
        "[Make|Can you make] the timer {minutes} minutes shorter[?|]",
        "Timer minus {minutes} minutes[.|]",
    )),
    (("nudge",), "[Remind the user of a task at a time.|Sets a reminder for something to do|Creates a reminder that pops up at the given time.]", ("task:errand", "at:time"), (
        "[Remind me|Remind me please] to {task} at {at}",
        "At {at} remind me to {task}[.|]",
        "[Reminder|New reminder] at {at}: {task}",
        "[Set|Make] a reminder for {at}: {task}",
        "[Don't let me forget|Make sure I remember] to {task} at {at}",
        "Give me a nudge at {at} to {task}[, please|]",
    )),
    (("drop", "reminder"), "[Drop a reminder.|Deletes the reminder about a task|Removes a reminder that is not needed any more.]", ("task:errand",), (
        "[Drop|Delete|Remove] the reminder to {task}",
        "[No need|You don't need] to remind me to {task}",
        "[Cancel|Forget] my reminder to {task}[.|]",
        "Stop reminding me to {task}[, please|]",
        "I don't need [a|the] reminder to {task} any more",
    )),
    (("pill", "reminder"), "[Remind the user to take pills.|Sets a daily reminder for medicine|Reminds of a number of pills at a time of day.]", ("pills:count", "at:time"), (
        "Remind me to take {pills} pills at {at}[.|]",
        "{pills} pills at {at} every day, remind me[, please|]",
        "Pill reminder[:|,] {pills} at {at}",
        "[I have to|I must] take {pills} tablets at {at}, remind me",
        "[Every day|Daily] at {at}, tell me to swallow {pills} pills",
    )),

    # Lists and groceries
    (("add", "groceries"), "[Add foods to the grocery list.|Puts items on the shopping list|Adds one or more groceries to the list.]", ("items:dishes",), (
        "Add {items} to [my|the] [shopping|grocery] list[.|]",
        "[Put|Write] {items} on the [shopping|grocery] list",
        "[We need|We're out of|I need to buy] {items}",
        "{items} [for|on] the shopping list[, please|]",
        "[Can you|Could you] add {items} to the groceries?",
        "Grocery list: add {items}",
    )),
    (("remove", "groceries"), "[Remove foods from the grocery list.|Takes items off the shopping list|Deletes one or more groceries from the list.]", ("items:dishes",), (
        "Remove {items} from [my|the] [shopping|grocery] list[.|]",
        "[Take|Strike|Cross] {items} off the [shopping|grocery] list",
        "We don't need {items} [any more|after all]",
        "[Delete|Drop] {items} from the groceries[, please|]",
        "Grocery list: remove {items}",
    )),
    (("tick", "groceries"), "[Mark groceries as bought.|Ticks items on the shopping list|Checks off foods that are already in the bag.]", ("items:dishes",), (
        "[Tick|Check] {items} as bought",
        "[I bought|I've bought|I just got] {items}[, tick that on the list|, mark it]",
        "Mark {items} as [bought|done] on the shopping list",
        "{items} [is bought|are bought|done], tick it",
        "[Got|Have got] {items} already, mark as bought[.|]",
    )),
    (("clear", "list"), "[Clear a list.|Empties a list but keeps it|Removes every entry of the named list.]", ("list_name:word",), (
        "[Clear|Empty] the {list_name} list[.|]",
        "[Wipe|Clear out] my {list_name} list[, please|]",
        "Remove everything from the {list_name} list",
        "[Delete|Erase] all items on the list {list_name}",
        "Start the {list_name} list [from scratch|afresh|all over]",
    )),

    # Groups and chats
    (("create", "group"), "[Create a group chat.|Makes a new group with some people|Starts a group with a name and members.]", ("name:title", "members"), (
        "Create a group {name} with {members}[.|]",
        "[Make|Start|Open] a group called {name} with {members}",
        "New group {name} with {members}[, please|]",
        "[Put|Bring] {members} together in a new group called {name}",
        "Group chat with {members}, [call|name] it {name}",
        "[Set up|Start] a chat named \"{name}\" for {members}",
    )),
    (("add", "members"), "[Add people to a group.|Puts new members into a group chat|Adds one or more people to an existing group.]", ("people:members", "group:title"), (
        "Add {people} to the group {group}",
        "[Put|Get|Let] {people} into {group}",
        "[Bring|Take] {people} into the chat {group}[.|]",
        "{people} [should join|can join|join] the group {group}",
        "[Can you|Please] add {people} as members of {group}",
    )),
    (("remove", "members"), "[Remove people from a group.|Takes members out of a group chat|Kicks one or more people out of a group.]", ("people:members", "group:title"), (
        "Remove {people} from the group {group}",
        "[Take|Kick|Throw] {people} out of {group}",
        "[Drop|Delete] {people} from the chat {group}[.|]",
        "{people} [should leave|must leave] the group {group}",
        "[Can you|Please] remove {people} from {group}",
    )),
    (("rename", "group"), "[Rename a group chat.|Gives a group a new name|Changes the name of a group.]", ("old:title", "new:title"), (
        "Rename the group {old} to {new}",
        "[Change|Switch] the group name from {old} to {new}",
        "The group {old} [should be called|is now called] {new}",
        "Group {old} gets the new name {new}[.|]",
        "[Please rename|Rename] our chat \"{old}\" to \"{new}\"[.|]",
    )),
    (("mute", "chat"), "[Mute a chat.|Turns off the notifications of a chat|Silences a chat for some hours.]", ("chat:title", "hours:count"), (
        "Mute {chat} for {hours} hours[.|]",
        "[Mute|Silence] the chat {chat} for {hours} hours",
        "No notifications from {chat} for {hours} hours[, please|]",
        "[Keep|Make] {chat} quiet for {hours} hours",
        "For {hours} hours [I want|I'd like] no pings from {chat}",
    )),
    (("unmute", "chat"), "[Unmute a chat.|Turns the notifications of a chat on again|Lets a silenced chat ping again.]", ("chat:title",), (
        "Unmute {chat}",
        "Unmute the chat {chat}[.|, please.]",
        "[Let|Allow] notifications from {chat} again",
        "I want to [hear|get pings] from {chat} again",
        "[Turn|Switch] notifications back on for {chat}",
    )),

    # Calls and texts
    (("dial",), "[Dial a phone number.|Calls a number|Places a call to the given number.]", ("number:phone",), (
        "[Dial|Call|Ring] {number}[.|]",
        "[Phone|Make a call to] {number}[, please|]",
        "[Can you|Could you] call {number}?",
        "Get me {number} on the [phone|line]",
        "Start a call to the number {number}",
    )),
    (("phone", "person"), "[Call a person.|Calls someone from the contacts|Rings up a contact by name.]", ("who:person",), (
        "[Call|Phone|Ring] {who}[.|]",
        "[Can you|Could you] call {who}[ for me|]?",
        "[Give|Please give] {who} a [call|ring]",
        "Get {who} on the [phone|line]",
        "I [want|need|have] to speak to {who} on the phone",
    )),
    (("text", "number"), "[Text a phone number.|Sends an SMS to a number|Sends a text message to the given number.]", ("number:phone", "message:body"), (
        "Text {number}: {message}",
        "[Send|Write] an SMS to {number}: {message}",
        "Text \"{message}\" to {number}[.|]",
        "[SMS|Message] to {number}, \"{message}\"",
        "[Send|Can you send] \"{message}\" to the number {number}[, please|]",
    )),
    (("text", "members"), "[Text several people at once.|Sends one message to a list of people|Sends the same text to each person named.]", ("to:members", "message:body"), (
        "Text {to}: {message}",
        "[Let|Please let] {to} know: {message}",
        "[Send|Write] {to} a message: {message}",
        "Message {to} \"{message}\"[.|]",
        "Send \"{message}\" to {to}[, please|]",
    )),

    # Doctors
    (("schedule", "visit"), "[Schedule a visit to a doctor.|Makes an appointment with a doctor|Books a doctor for a day and time.]", ("doctor", "day:date", "at:time"), (
        "[Schedule|Book|Arrange] a visit to {doctor} for {day} at {at}",
        "[Make|Get] me an appointment with {doctor}, {day} at {at}",
        "I [want|need|would like] to see {doctor} on {day} at {at}",
        "[Visit|Appointment] with {doctor}: {day}, {at}",
        "[Can|Could] {doctor} see me {day} at {at}?",
    )),
    (("cancel", "visit"), "[Cancel a visit to a doctor.|Calls off an appointment with a doctor|Cancels the visit on the given day.]", ("doctor", "day:date"), (
        "Cancel [my|the] visit to {doctor} on {day}[.|]",
        "[Cancel|Call off] the appointment with {doctor}, {day}",
        "I [can't|cannot|won't] see {doctor} on {day}[, cancel it|]",
        "[Tell {doctor}|Let {doctor} know] I'm not coming on {day}",
        "No visit to {doctor} on {day} [after all|any more]",
    )),
    (("reschedule", "visit"), "[Move a visit to a doctor to another day.|Reschedules an appointment with a doctor|Changes the date of a doctor's visit.]", ("doctor", "from_date:date", "to_date:date"), (
        "[Move|Reschedule] my visit to {doctor} from {from_date} to {to_date}",
        "[Change|Shift] the appointment with {doctor} from {from_date} to {to_date}",
        "Can I see {doctor} on {to_date} instead of {from_date}?",
        "[Push|Put] {doctor} from {from_date} to {to_date}[, please|]",
        "{to_date} [suits|fits] me better than {from_date} for {doctor}",
    )),

    # Restaurants
    (("hold", "table"), "[Hold a table at a restaurant.|Reserves a table for a party|Books a table in a restaurant at a time.]", ("restaurant:proper", "guests:count", "at:time"), (
        "[Book|Reserve|Hold] a table for {guests} at {restaurant}, {at}",
        "Table for {guests} in {restaurant} at {at}[.|, please.]",
        "[Get|Find] us a table for {guests} at {at} in {restaurant}",
        "We are {guests} people for {restaurant} at {at}[, book it|, reserve it]",
        "[Dinner|A table] at {at} for {guests} at {restaurant}",
    )),
    (("release", "table"), "[Give up a reserved table.|Cancels a table at a restaurant|Releases the table that was held.]", ("restaurant:proper",), (
        "Cancel [my|our|the] table at {restaurant}[.|]",
        "[Release|Give up] the table in {restaurant}",
        "We're not [coming|going] to {restaurant}, cancel the table",
        "[Cancel|Drop] the reservation at {restaurant}[, please|]",
        "[We don't|I don't] need the table at {restaurant} any more",
    )),
    (("move", "table"), "[Move a table reservation to another time.|Changes the time of a reserved table|Shifts our reservation at a restaurant.]", ("restaurant:proper", "new_time:time"), (
        "Move [my|our|the] table at {restaurant} to {new_time}",
        "[Change|Shift] the reservation at {restaurant} to {new_time}",
        "[We'll be|We will be] at {restaurant} at {new_time} instead[, move the table|]",
        "[Reschedule|Push] our table in {restaurant} to {new_time}[, please|]",
        "Our table at {restaurant}: make it {new_time} instead",
    )),
    (("order", "dishes"), "[Order dishes from a restaurant.|Orders food for delivery|Places an order for one or more dishes.]", ("dishes", "restaurant:proper"), (
        "Order {dishes} from {restaurant}[.|]",
        "[Get|Get me|Get us] {dishes} from {restaurant}",
        "[I want|I'd like|We'd like] {dishes} from {restaurant}",
        "{dishes} from {restaurant}[, please|]",
        "[Can you|Could you] have {dishes} delivered from {restaurant}?",
    )),

    # Trains, seats, flights
    (("list", "trains"), "[List trains between two cities.|Finds train connections on a day|Shows the trains from one city to another.]", ("origin:city", "destination:city", "day:date"), (
        "[List|Show|Find] trains from {origin} to {destination} on {day}",
        "Trains {day} from {origin} to {destination}[?|]",
        "[Which|What] trains go from {origin} to {destination} on {day}?",
        "By train from {origin} to {destination}, {day}",
        "[Is there|Are there] a train from {origin} to {destination} on {day}?",
    )),
    (("pick", "seat"), "[Pick a seat.|Selects a seat on a train or plane|Reserves the given seat for the traveller.]", ("seat",), (
        "[Pick|Take|Give me] seat {seat}[.|]",
        "[I want|I'd like] to sit in {seat}",
        "Seat {seat}[, please|]",
        "[Reserve|Book] seat {seat} for me",
        "Can I have [seat |]{seat}?",
    )),
    (("change", "seat"), "[Change from one seat to another.|Swaps a reserved seat for a different one|Moves the traveller to a new seat.]", ("from_seat:seat", "to_seat:seat"), (
        "Change [my|the] seat from {from_seat} to {to_seat}",
        "[Move|Switch] me from {from_seat} to {to_seat}",
        "[Swap|Trade] seat {from_seat} for {to_seat}[, please|]",
        "I want seat {to_seat} instead of {from_seat}[.|]",
        "Can I [move|change] from seat {from_seat} to {to_seat}?",
    )),
    (("free", "seat"), "[Free a reserved seat.|Gives up a seat|Releases a seat so that others can take it.]", ("seat",), (
        "[Free|Release] seat {seat}[.|]",
        "[Give up|Cancel] seat {seat}[, please|]",
        "I don't need seat {seat} any more[.|]",
        "[Let|You can let] someone else have seat {seat}",
        "Seat {seat} [can be given away|is free again]",
    )),
    (("cheapest", "flight"), "[Find the cheapest flight.|Looks up the lowest fare between two cities|Returns the cheapest flight on a day.]", ("from_city:city", "to_city:city", "date"), (
        "[What's|What is] the cheapest flight from {from_city} to {to_city} on {date}?",
        "Cheapest flight from {from_city} to {to_city}, {date}",
        "[Find|Get|Show] the cheapest flight from {from_city} to {to_city} on {date}",
        "[Fly|I want to fly] as cheaply as possible from {from_city} to {to_city} on {date}",
        "Lowest fare {from_city} to {to_city} on {date}[?|]",
    )),

    # Hotels, shops, orders
    (("hotels", "under"), "[Find hotels in a city under a price.|Searches hotels by the highest price per night|Lists hotels below a nightly rate.]", ("city", "max_price:price"), (
        "[Find|Show|Search] hotels in {city} under {max_price} [a|per] night",
        "Hotels in {city} for less than {max_price}[.|]",
        "[Which|What] hotels in {city} cost less than {max_price}?",
        "[I need|Looking for] a hotel in {city}, at most {max_price} a night",
        "Hotel {city}, max {max_price}",
    )),
    (("extend", "stay"), "[Extend a hotel stay.|Adds nights to a stay|Lets the guest stay some nights longer.]", ("hotel:proper", "nights:count"), (
        "[Extend|Lengthen] my stay at {hotel} by {nights} nights",
        "I [want|would like] to stay {nights} nights longer at {hotel}",
        "{nights} more nights at {hotel}[, please|]",
        "[Add|Book] {nights} extra nights at {hotel}",
        "Can I stay at {hotel} for another {nights} nights?",
    )),
    (("shorten", "stay"), "[Shorten a hotel stay.|Takes nights off a stay|Lets the guest leave some nights earlier.]", ("hotel:proper", "nights:count"), (
        "[Shorten|Cut] my stay at {hotel} by {nights} nights",
        "I [want|have] to leave {hotel} {nights} nights early",
        "{nights} nights less at {hotel}[, please|]",
        "[Take|Drop] {nights} nights off my stay at {hotel}",
        "Can I check out of {hotel} {nights} nights earlier?",
    )),
    (("search", "by", "price"), "[Search products up to a price.|Finds goods that cost no more than a limit|Product search with a price limit.]", ("q:query", "max_price:price"), (
        "[Find|Search|Show me] {q} under {max_price}",
        "{q} for less than {max_price}[.|]",
        "[I want to buy|I'm looking for] {q} below {max_price}",
        "[Search the shop|Look] for {q} under {max_price}[, please|]",
        "Do you have {q} for {max_price} or less?",
    )),
    (("sort", "by", "price"), "[Sort the products found by price.|Orders the results by price|Puts the list of offers in order of price.]", ("order",), (
        "Sort [them|the results|these] by price, {order}[.|]",
        "[Sort|Order] by price {order}",
        "[Show|List] the prices in {order} order",
        "Price, {order}[, please|]",
        "[Can you|Could you] sort the offers by {order} price?",
    )),
    (("cancel", "purchase"), "[Cancel a purchase.|Stops a purchase that has not shipped|Cancels what was bought, by its number.]", ("purchase_id:id",), (
        "Cancel purchase {purchase_id}[.|]",
        "[Cancel|Stop] order {purchase_id}[, please|]",
        "I don't want order {purchase_id} any more[.|]",
        "[Don't ship|Don't send] {purchase_id}, cancel it",
        "[Can I|Can you] still cancel {purchase_id}?",
    )),
    (("return", "purchase"), "[Return a purchase.|Sends back what was bought|Starts the return of a delivered purchase.]", ("purchase_id:id",), (
        "Return purchase {purchase_id}[.|]",
        "[Return|Send back] order {purchase_id}[, please|]",
        "I [want|would like] to return {purchase_id}",
        "{purchase_id} arrived but [I don't like it|it's broken], I'm sending it back",
        "[How do I|Can I] send back order {purchase_id}?",
    )),
    (("reorder",), "[Order the same again.|Repeats an earlier purchase|Buys the goods of a past order once more.]", ("purchase_id:id",), (
        "Reorder {purchase_id}[.|, please.]",
        "[Order|Buy] {purchase_id} again",
        "Repeat [order|purchase] {purchase_id}[, please|]",
        "[The same|The same thing] as order {purchase_id} [again|once more]",
        "I want [order |]{purchase_id} one more time",
    )),

    # Stocks
    (("get", "quotes"), "[Get the prices of some stocks.|Returns the latest quotes for a list of tickers|Looks up share prices by symbol.]", ("symbols",), (
        "[Get|Show|Give me] the prices of {symbols}",
        "[Quotes|Stock prices] for {symbols}[.|, please.]",
        "How are {symbols} [doing|trading][ today|]?",
        "What are {symbols} at [right now|today|now]?",
        "[Price|Share price] of {symbols}[?|]",
    )),
    (("watch", "stocks"), "[Add stocks to the watchlist.|Starts watching a list of tickers|Puts symbols on the user's watchlist.]", ("symbols",), (
        "[Watch|Start watching] {symbols}[.|]",
        "Add {symbols} to [my|the] watchlist",
        "[Put|Place] {symbols} on my watchlist[, please|]",
        "[Keep an eye on|Follow] {symbols} for me",
        "Watchlist: add {symbols}",
    )),
    (("unwatch", "stocks"), "[Remove stocks from the watchlist.|Stops watching a list of tickers|Takes symbols off the user's watchlist.]", ("symbols",), (
        "[Unwatch|Stop watching] {symbols}[.|]",
        "Remove {symbols} from [my|the] watchlist",
        "[Take|Strike] {symbols} off my watchlist[, please|]",
        "[Stop following|No longer watch] {symbols}",
        "Watchlist: remove {symbols}",
    )),

    # Libraries and authors
    (("books", "by", "author"), "[Find books by an author.|Lists what an author has written|Searches the library by author.]", ("author:person",), (
        "[Books|Novels] by {author}[.|]",
        "[Find|Show|List] books by {author}",
        "What has {author} written?",
        "[Do you have|Have you got] anything by {author}?",
        "[Search|Look up] the author {author}",
        "Which books did {author} write?",
    )),
    (("book", "by", "title"), "[Find a book by its title.|Looks a title up in the library|Searches the library by title.]", ("title",), (
        "[Find|Show] the book {title}",
        "[Do you have|Have you got] the book {title}?",
        "[Search|Look] for the title {title}",
        "The book called {title}[, please|]",
        "[Look up|Find] a book with the title \"{title}\"[.|]",
    )),
    (("author", "of"), "[Tell who wrote a book.|Returns the author of a book|Names the writer of the given title.]", ("book:title",), (
        "Who wrote {book}?",
        "[Who is|Who's] the author of {book}?",
        "Author of {book}[?|]",
        "[Tell me|Do you know] who wrote {book}[?|]",
        "[By whom|By which author] is {book}?",
    )),
    (("borrow", "book"), "[Borrow a book from the library.|Checks a book out for some weeks|Lends the user a book by its title.]", ("book:title", "weeks:count"), (
        "Borrow {book} for {weeks} weeks[.|]",
        "[I want|I'd like] to borrow {book} for {weeks} weeks",
        "[Check out|Lend me] {book} for {weeks} weeks[, please|]",
        "Can I [have|borrow] \"{book}\" for {weeks} weeks?",
        "For {weeks} weeks [lend me|I'd like to borrow] {book}",
    )),

    # Photos and tags
    (("tag", "photo"), "[Tag a photo.|Adds tags to a photo|Puts one or more labels on a picture file.]", ("photo:path", "tags"), (
        "Tag {photo} with {tags}",
        "[Put|Stick] the tags {tags} on {photo}",
        "{photo} gets the tags {tags}[.|]",
        "[Label|Mark] {photo} as {tags}",
        "[Photo|Picture] {photo}, tags {tags}",
    )),
    (("untag", "photo"), "[Remove tags from a photo.|Takes tags off a photo|Deletes one or more labels of a picture file.]", ("photo:path", "tags"), (
        "Untag {tags} from {photo}",
        "[Remove|Delete] the tags {tags} from {photo}",
        "[Take|Strip] {tags} off {photo}[, please|]",
        "{photo} should lose the tags {tags}[.|]",
        "{photo} shouldn't [have|carry] the tags {tags}",
    )),
    (("photos", "by", "tag"), "[Find photos by tags.|Shows the photos that carry the given tags|Searches the album for tags.]", ("tags",), (
        "[Find|Show|List] photos tagged {tags}",
        "Photos with the tags {tags}[.|]",
        "[Which|What] photos are tagged {tags}?",
        "[Search|Look through] my photos for the tags {tags}",
        "[Pictures|All pictures] tagged {tags}[, please|]",
    )),

    # Music, volume, heating, lights
    (("increase", "volume"), "[Increase the volume.|Turns the sound up by some steps|Makes the music louder by an amount.]", ("step:count",), (
        "[Increase|Raise] the volume by {step}[.|]",
        "[Turn|Turn the music|Turn it] up by {step}",
        "Volume up {step}[.|]",
        "[Make it|Make the music] louder by {step}[, please|]",
        "{step} louder[, please|]",
    )),
    (("decrease", "volume"), "[Decrease the volume.|Turns the sound down by some steps|Makes the music quieter by an amount.]", ("step:count",), (
        "[Decrease|Lower|Reduce] the volume by {step}[.|]",
        "[Turn|Turn the music|Turn it] down by {step}",
        "Volume down {step}[.|]",
        "[Make it|Make the music] quieter by {step}[, please|]",
        "{step} quieter[, please|]",
    )),
    (("climate", "mode"), "[Set the climate mode of a room.|Switches the air conditioning to a mode|Sets heating, cooling, auto or off.]", ("mode", "room:room_name"), (
        "[Set|Switch] the {room} to {mode}[.|]",
        "[Turn|Change] the thermostat in the {room} to {mode}",
        "Climate {mode} in the {room}[, please|]",
        "{mode} mode for the {room}[.|]",
        "[I want|I'd like] the {room} on {mode}",
    )),
    (("lights", "on"), "[Turn on the lights in a room.|Switches the lights of a room on|Lights up a room.]", ("room:room_name",), (
        "[Turn|Switch] on the lights in the {room}[.|]",
        "Lights on in the {room}[, please|]",
        "[Turn|Switch] the {room} lights on",
        "It's [too dark|dark] in the {room}[.|]",
        "[Can you|Please] light up the {room}",
    )),
    (("lights", "off"), "[Turn off the lights in a room.|Switches the lights of a room off|Makes a room dark.]", ("room:room_name",), (
        "[Turn|Switch] off the lights in the {room}[.|]",
        "Lights out in the {room}[, please|]",
        "[Turn|Switch] the {room} lights off",
        "[Make|I want] the {room} dark",
        "[Nobody is|No one is] in the {room}, kill the lights",
    )),

    # Cars and navigation
    (("travel", "time"), "[Tell how long a trip takes.|Returns the travel time between two cities|Estimates how long one travels by car, bus, train, bike or foot.]", ("start:city", "end:city", "by:transport"), (
        "How long [is it|does it take] from {start} to {end} by {by}?",
        "[Travel time|Time] from {start} to {end} by {by}",
        "How many hours from {start} to {end} by {by}?",
        "By {by}, how long from {start} to {end}?",
        "[How long do I need|How much time do I need] from {start} to {end} by {by}?",
    )),
    (("show", "route"), "[Show the way between two cities.|Gives directions from one place to another|Finds the route by car, bus, train, bike or foot.]", ("start:city", "end:city", "by:transport"), (
        "[Show|Find|Give me] the route from {start} to {end} by {by}",
        "How do I get from {start} to {end} by {by}?",
        "[Directions|Route] from {start} to {end} by {by}[.|]",
        "[What's|Show me] the best way from {start} to {end} by {by}[?|]",
        "[Which way|Which road] from {start} to {end} by {by}?",
    )),

    # Countries
    (("capital", "of"), "[Tell the capital of a country.|Returns a country's capital city|Looks up which city is the capital.]", ("country",), (
        "[What is|What's] the capital of {country}?",
        "Capital of {country}[?|]",
        "[Which|What] city is the capital of {country}?",
        "[Tell me|Look up|Name] the capital of {country}",
        "From which city is {country} [governed|ruled]?",
    )),
    (("population", "of"), "[Tell the population of a country.|Returns how many people live in a country|Looks up the number of inhabitants.]", ("country",), (
        "[What is|What's] the population of {country}?",
        "Population of {country}[?|]",
        "How many [people|inhabitants] live in {country}?",
        "[Tell me|Look up|Give me] the population of {country}",
        "How [big|large] is the population of {country}?",
    )),
    (("currency", "of"), "[Tell the currency of a country.|Returns the money used in a country|Looks up which currency is paid with.]", ("country",), (
        "[What is|What's] the currency of {country}?",
        "Currency of {country}[?|]",
        "[What|Which] money do they use in {country}?",
        "[Tell me|Look up|Name] the currency of {country}",
        "What do people pay with in {country}?",
    )),

    # Sports
    (("latest", "score"), "[Get the latest score of a team.|Returns the result of a team's last game|Tells how a team did in its last match.]", ("team:proper",), (
        "[What was|What's] the latest score for {team}?",
        "[Latest score|Last result] of {team}[.|]",
        "Did {team} win?",
        "How did {team} [play|do] in the last game?",
        "[Tell me|Show] the last result of {team}",
    )),
    (("next", "game"), "[Tell when a team plays next.|Returns the next game of a team|Looks up the date of a team's coming match.]", ("team:proper",), (
        "When does {team} play next?",
        "[When is|What is] the next game of {team}?",
        "Next game of {team}[.|, please.]",
        "[Who does|Against whom does] {team} play next?",
        "[Tell me|Show] the coming match of {team}",
    )),
    (("follow", "team"), "[Follow a team.|Sends news of a team to the user|Adds a team to the teams one follows.]", ("team:proper",), (
        "Follow {team}",
        "[Start|I want to start] following {team}",
        "Add {team} to [my teams|the teams I follow]",
        "I'm a fan of {team}[, follow them|, keep me posted]",
        "[Keep me posted|Send me news] about {team}",
    )),
    (("unfollow", "team"), "[Unfollow a team.|Stops the news of a team|Takes a team off the teams one follows.]", ("team:proper",), (
        "Unfollow {team}",
        "[Stop|I want to stop] following {team}",
        "[Remove|Drop] {team} from my teams",
        "No more news about {team}[, please|]",
        "I'm not a fan of {team} any more[.|]",
    )),

    # Newsletters, office bookings
    (("subscribe",), "[Subscribe an address to a newsletter.|Signs an email up for a newsletter|Adds an email to the readers of a newsletter.]", ("address:email", "newsletter:title"), (
        "Subscribe {address} to {newsletter}",
        "[Sign|Sign up] {address} for the newsletter {newsletter}",
        "[Send|Start sending] {newsletter} to {address}",
        "{address} [wants|would like] to get the newsletter {newsletter}",
        "Add {address} to the readers [of|of the newsletter] {newsletter}",
    )),
    (("unsubscribe",), "[Unsubscribe an address from a newsletter.|Takes an email off a newsletter|Stops a newsletter for the given email.]", ("address:email", "newsletter:title"), (
        "Unsubscribe {address} from {newsletter}",
        "[Take|Get] {address} off the newsletter {newsletter}",
        "[Stop sending|Don't send] {newsletter} to {address}",
        "{address} doesn't want the newsletter {newsletter} any more",
        "[Remove|Drop] {address} from the readers of {newsletter}",
    )),
    (("book", "desk"), "[Book a desk in the office.|Reserves a desk for a day|Books the given desk on a date.]", ("desk:seat", "date"), (
        "Book desk {desk} for {date}[.|]",
        "[Reserve|Get me] desk {desk} on {date}",
        "[I want|I'd like] to work at desk {desk} on {date}",
        "Desk {desk}, {date}[, please|]",
        "[Can I|Could I] have desk {desk} on {date}?",
    )),
    (("cancel", "desk"), "[Cancel a desk booking.|Gives up a desk booked for a day|Frees the desk on a date.]", ("desk:seat", "date"), (
        "Cancel desk {desk} on {date}[.|]",
        "[Free|Release|Unbook] desk {desk} on {date}",
        "I don't need desk {desk} on {date}[.|]",
        "[Give up|Drop] my booking of desk {desk} for {date}",
        "[I'm at home|I'm away] on {date}, cancel desk {desk}",
    )),
)
