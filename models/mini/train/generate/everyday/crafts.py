"""Tools of farms, gardens, sky and laboratory, maps, sea and mountains, transport, city, factory, media, text, calendars, kitchen and hotel."""

TOOLS = (
    # farming
    (("log", "milking"), "[Record the milk yield of one cow.|Adds a milking to the herd book: cow tag and litres|Use this to write down how much milk a cow gave]", ("cow_tag:id", "litres:price"), (
        "[Cow|Animal|The cow with tag] {cow_tag} gave {litres} litres[ this morning| tonight||.]",
        "[Write down|Record|Note|Enter] a milking of {litres} litres for cow {cow_tag}[.|, please|]",
        "milking done, tag {cow_tag}, {litres} l[ of milk||, put it in the herd book]",
        "[I just milked|We have finished milking] {cow_tag} and got {litres} litres[, please log it| out of her|.]",
        "herd book: {litres} litres from {cow_tag}[.| today|]",
    )),
    (("book", "vet"), "[Call the livestock vet out to the farm|Requests a farm visit of the veterinarian for a sick animal.|Arranges a vet visit on a given day]", ("animal_id:id", "visit_date:date"), (
        "[Get|Send for|Call out] the vet for animal {animal_id}, {visit_date}[.|, please|]",
        "[Sheep|Heifer|Calf|The goat] {animal_id} is limping, can the [vet|animal doctor] come {visit_date}?",
        "{animal_id} looks [ill|unwell|feverish|off her feed], I need a farm visit {visit_date}[.|]",
        "vet visit {visit_date} for {animal_id}[ please||, it won't eat]",
        "[Please get|I would like|We need] a veterinarian to look at {animal_id}. The day that suits is {visit_date}.",
    )),
    (("start", "irrigation"), "[Opens the irrigation valves of one field|Start watering a field for a number of minutes.|Runs the sprinklers on the given field]", ("field_id:id", "minutes:count"), (
        "[Irrigate|Water|Sprinkle] field {field_id} for {minutes} minutes[.|, please|]",
        "field {field_id} is [bone dry|parched|cracking], give it {minutes} minutes of water",
        "[Open the valves|Turn the sprinklers on|Run the pivot] on {field_id}, {minutes} minutes[ should do||.]",
        "{minutes} min of irrigation [on|for] parcel {field_id}[ please||.]",
        "[I think|It seems|Looks like] plot {field_id} needs a soak of {minutes} minutes[.| or it will wilt.|]",
    )),
    (("get", "crop", "price"), "[Get the wholesale market price of a crop|Returns today's commodity quote for farm produce in a currency.|Looks up what traders pay for produce]", ("crop:food", "currency"), (
        "[What does|How much does] the wholesale market pay for {crop}, in {currency}?",
        "farm gate price in {currency} for {crop}[?||, today]",
        "[Show|Give|Find] me the {currency} commodity quote for {crop}[.|]",
        "[I have|We harvested] a truckload to sell. Market rate in {currency}, crop is {crop}",
        "What are traders [offering|paying now|giving] per tonne? Produce: {crop}. Currency: {currency}.",
    )),
    (("count", "livestock"), "[How many animals stand in a barn|Returns the head count of a barn or pen.|Counts the animals that the ear tag reader sees]", ("barn:id",), (
        "How many [animals|head of cattle|sheep|pigs] are in barn {barn}[?| right now?]",
        "[Do|Take|Run] a head count in {barn}[.|, please|]",
        "livestock in pen {barn}[?||, total]",
        "[Are|I wonder if] they all [back|home] in stall {barn}? Count the ear tags[.|, please.]",
        "[Tell me the|What is the] size of the herd housed in {barn}[.|?]",
    )),
    (("order", "seed"), "[Order sacks of seed from the cooperative|Places a seed order: variety and number of sacks.]", ("variety:proper", "sacks:count"), (
        "[Order|Buy|Get] {sacks} sacks of seed, variety '{variety}'[.|]",
        "we are [sowing|drilling|planting] next week and need {sacks} bags of seed of the sort {variety}",
        "{sacks} sacks of \"{variety}\" seed from the co-op[, please|.|]",
        "seed order: {variety}, {sacks} sacks[.|]",
        "[Could the cooperative deliver|Can we have] {sacks} bags of sowing seed? [We want|It should be] '{variety}'.",
    )),

    # gardening
    (("identify", "plant"), "[Names the plant on a photo|Identify a flower, tree or weed from a picture.|Botanical recognition of an image file]", ("image_path:path",), (
        "[What plant is|Which flower is|What kind of weed is] this[?| one?] The picture is {image_path}",
        "[Identify|Name|Recognise] the plant in {image_path}[.|, please|]",
        "[Something strange|A weird thing|Some shrub] is growing by my fence, photo in {image_path}, what is it?",
        "plant id for {image_path}[?||, latin name too]",
        "Is the leaf [shown in|on] {image_path} from [an oak or a maple|a weed or a vegetable|a rose or something else]?",
    )),
    (("planting", "calendar"), "[When to sow and harvest a vegetable|Returns sowing, planting and harvest months of a vegetable in a region.]", ("vegetable:food", "region:country"), (
        "[When do I|When should I|What month do people] sow in {region} if I want to grow {vegetable}?",
        "[I live|My garden is|Our allotment is] in {region}. Best time to plant {vegetable}?",
        "sowing months, {region}, {vegetable}[.|]",
        "[Is it|Would it be] too early in {region} to put out {vegetable}?",
        "gardening calendar of {region} for {vegetable}[.|, please|]",
        "[Seeds|Seedlings] arrived today. Country: {region}. Crop: {vegetable}. When do they go in the ground?",
    )),
    (("diagnose", "leaf"), "[Finds out from symptoms which disease or pest a plant has|Plant doctor: describes what may be wrong with a plant.]", ("symptoms:body",), (
        "[What is wrong with my plant|What disease does my plant have|Why is my plant sick]? {symptoms}",
        "plant doctor[,| please,| needed,] here is what I see: {symptoms}",
        "[Diagnose|Check] these leaf symptoms: {symptoms}",
        "my [tomatoes|roses|houseplants|cucumbers] look [sick|awful|diseased]: {symptoms}",
        "Pest or fungus? [I noticed this on the leaves|The leaves show this]: \"{symptoms}\"",
    )),
    (("mow", "lawn"), "[Send the robot mower out|Starts the robotic lawnmower at a time and cuts to a height in millimetres.]", ("start_time:time", "height_mm:count"), (
        "Mow the [lawn|grass|garden] at {start_time}, down to {height_mm} millimetres[.|, please|]",
        "the grass is [too long|knee high|getting wild], cut it to {height_mm} mm, start at {start_time}",
        "[Send|Let] the mower out at {start_time}, blade height {height_mm}[ mm|]",
        "lawn: {height_mm} mm[ short|], {start_time}",
        "[I would like|We want] the robot to trim the lawn to {height_mm} mm beginning at {start_time}[.|]",
    )),

    # weather stations
    (("read", "barometer"), "[Air pressure at a weather station in hPa|Returns the current barometric pressure of a station.]", ("station_id:id",), (
        "[What is|What was|How low is] the air pressure at station {station_id}[?|]",
        "[Read|Check] the barometer of {station_id}[.|, please|]",
        "hPa at {station_id}[?| now|]",
        "Is the pressure [falling|dropping|rising] at weather station {station_id}?",
        "[my head aches, it must be the|how is the] barometric pressure, station {station_id}?",
    )),
    (("sum", "rainfall"), "[Sum of rain in millimetres between two dates|How much rain fell at a place over a period.]", ("place:city", "since:date", "until:date"), (
        "How [much rain|many millimetres of rain] fell in {place} from {since} to {until}?",
        "[Total|Sum of the] rainfall in {place} between {since} and {until}[.|?|]",
        "rain gauge {place}, {since} until {until}[, total mm|]",
        "[Was it|Has it been] a wet spell in {place}? Add up the rain, first day {since}, last day {until}.",
        "precipitation from {since} through {until} at {place}[ please||.]",
    )),
    (("set", "frost", "alarm"), "[Subscribes to an alert when the temperature falls below a limit|Set a frost alarm in celsius or fahrenheit for a weather station.]", ("threshold:count", "scale:unit"), (
        "[Warn|Alert|Wake] me when it gets colder than {threshold} degrees {scale}[.|, my lemon trees are outside|]",
        "frost alarm at {threshold} {scale}[.|, please|]",
        "[My seedlings|The vines|The pipes] won't survive below {threshold} degrees {scale}, [tell|notify] me if it gets that cold",
        "[Set|Put] the cold warning to {threshold}, in {scale}[.|]",
        "let me know [as soon as|if] the thermometer drops under {threshold} {scale}",
    )),
    (("calibrate", "sensor"), "[Calibrate one sensor with an offset|Applies a correction offset to the readings of a measuring sensor.]", ("sensor:id", "offset:price"), (
        "[Calibrate|Correct|Adjust] sensor {sensor} with an offset of {offset}[.|]",
        "{sensor} reads too low by {offset}, [fix that|recalibrate it|please correct it]",
        "calibration: sensor {sensor}, offset {offset}[.|]",
        "[add|apply] a correction of {offset} to [all readings|everything] from probe {sensor}",
        "Our [hygrometer|thermometer|anemometer] {sensor} is off by {offset}. [Could you|Please] compensate for it[.|]",
    )),

    # astronomy
    (("get", "moon", "phase"), "[Get the phase of the moon for a date|Tells whether the moon is full, new, waxing or waning.|Returns the lunar phase]", ("date",), (
        "[What phase is the moon in|What does the moon look like|How full is the moon] {date}?",
        "Is it [full moon|new moon|a crescent moon] {date}?",
        "moon phase {date}[?|]",
        "[I sleep badly when the moon is round|We plan a night walk|I want it dark for my telescope]. What will the moon be, {date}?",
        "lunar phase, please, for {date}[.|]",
        "[Waxing|Waning] or not? The moon, {date}",
    )),
    (("find", "satellite"), "[When a satellite passes over a place|Predicts the next visible pass of a satellite above a city.]", ("satellite:proper", "observer:city"), (
        "When does the satellite '{satellite}' [fly|pass] over {observer}[?| next?]",
        "[Next|Upcoming] visible pass above {observer} of the satellite {satellite}",
        "[Can I see|Will I be able to spot] the satellite \"{satellite}\" from {observer} tonight?",
        "I am [standing|observing] in {observer}, where in the sky do I look for satellite {satellite}?",
        "satellite pass: {satellite}, seen from {observer}[.|]",
    )),
    (("point", "telescope"), "[Slews the observatory telescope to an object|Point the telescope at a star, planet or galaxy and expose.]", ("target:proper", "exposure_s:count"), (
        "[Point|Aim|Slew|Swing] the telescope at '{target}' and expose for {exposure_s} seconds[.|]",
        "{exposure_s} second exposure of {target}[, with the telescope|, take it with the big scope]",
        "telescope target: {target}, {exposure_s} s[.|]",
        "[I want|We would like] {exposure_s} seconds of starlight from \"{target}\" on the [camera|sensor][.|]",
        "the sky is clear, [go to|turn the dome to|observe] '{target}', exposure {exposure_s} s",
    )),
    (("predict", "aurora"), "[Chance of northern lights|Returns the aurora probability for tonight in a country.]", ("country",), (
        "[Will there be|Is there any chance of|Can I see] northern lights in {country} tonight?",
        "aurora forecast {country}[.|?|]",
        "[How strong is|What about] the aurora over {country}[?| this night?]",
        "We are on holiday in {country}, is it worth [staying up|going outside|driving out of town] for the polar lights?",
        "kp index and aurora odds for {country}[ please|]",
    )),
    (("list", "planets"), "[Planets that can be seen with the naked eye tonight|Lists the visible planets and where to look.]", (), (
        "[Which|What] planets [can I see|are visible|are up] tonight?",
        "[Show|List|Tell me] the planets in the sky [right now|tonight|this evening]",
        "visible planets[?||, please]",
        "[There is a bright dot in the west|I see something bright above the roof], which planets are up?",
        "Is [any planet|Venus|Jupiter|Mars] above the horizon at the moment?",
    )),

    # chemistry and physics laboratories
    (("compute", "molar", "mass"), "[Computes the molar mass of a chemical formula or substance|Get g/mol of a compound.]", ("compound:word",), (
        "[Give me|Calculate|I need] the molar mass of {compound}[.|]",
        "g/mol of {compound}[?||, please]",
        "[How heavy is|What is the weight of] one mole of {compound}?",
        "[I am making|I am mixing|We prepare] a solution and need the molecular weight of {compound}",
        "molecular mass, {compound}[.|]",
    )),
    (("fetch", "safety", "sheet"), "[Fetch the safety data sheet of a chemical|Returns hazards, storage and first aid of a substance.]", ("chemical:text", "lang:language"), (
        "[Get|Find|Open|Download] the {lang} safety data sheet for '{chemical}'[.|]",
        "SDS in {lang}: {chemical}",
        "somebody [spilled|opened|sniffed] \"{chemical}\" in the lab, I need the hazard sheet in {lang}",
        "[What are the hazards|How dangerous is it to work] with '{chemical}'? Answer with the sheet in {lang}[.|]",
        "the [technician|new student] only reads {lang}, [print|fetch] the MSDS of '{chemical}'",
    )),
    (("balance", "equation"), "[Balances a chemical reaction|Adds the right coefficients to a chemical equation.]", ("reaction:text",), (
        "Balance [the|this] [chemical equation|reaction]: {reaction}",
        "[Which|What] coefficients are missing in the reaction '{reaction}'?",
        "[My chemistry homework says|The worksheet has this reaction]: {reaction}",
        "stoichiometry for \"{reaction}\"[ please||, balance it]",
        "the atoms [don't add up|are not the same] on both sides, put the right numbers in: {reaction}",
    )),
    (("reserve", "instrument"), "[Reserve a lab instrument for a time slot|Books a shared instrument such as the microscope, laser or spectrometer.]", ("instrument:id", "day:date", "from_time:time"), (
        "[Reserve|Book|Block] instrument {instrument} for me, {day} from {from_time}[.|]",
        "[I need|Our group needs] spectrometer {instrument} {day}, starting at {from_time}",
        "lab booking: {instrument}, {day}, {from_time}[.|]",
        "Is microscope {instrument} free {day}? [Then take it|If so, book it|Put my name down] from {from_time}[.|, please.]",
        "my samples are ready, give me a slot on the {instrument} {day} at {from_time}",
    )),
    (("log", "measurement"), "[Store a series of readings in the lab notebook|Adds measured values to an experiment.]", ("experiment:id", "values:numbers"), (
        "[Write|Put|Enter] the readings {values} into experiment {experiment}[.|]",
        "experiment {experiment}: measured {values}",
        "[I measured|We got|The meter showed] {values}, this belongs to run {experiment}",
        "new data points for {experiment}: {values}",
        "[add|append] to lab notebook entry {experiment} these values: {values}",
    )),

    # geography and maps
    (("get", "elevation"), "[Height of a place above sea level|Returns the elevation of a city in metres.]", ("place:city",), (
        "[How high is|How far above sea level is|At what altitude lies] {place}?",
        "elevation of {place}[?||, in metres]",
        "[Tell me|Look up|I need] the height above sea level of {place}[.|]",
        "Does {place} lie [high up|below sea level|at sea level|in the mountains]? Give me its altitude.",
        "how many metres up is {place}[?|]",
    )),
    (("list", "borders"), "[Neighbouring countries of a country|Returns which countries share a land border with it.]", ("country",), (
        "[Which|What] countries [border|touch|are next to|lie around] {country}?",
        "neighbours of {country}[?||, list them]",
        "[Who shares|Which states have] a frontier with {country}?",
        "[I want to drive|Suppose I walk] out of {country}, into which countries can I cross by land?",
        "land borders: {country}",
    )),
    (("render", "map"), "[Draw a map around a place|Renders a map image with a zoom level and saves it as a file.]", ("center:city", "zoom:count", "outfile:path"), (
        "[Draw|Render|Make] a map of {center} at zoom {zoom} and save it as {outfile}[.|]",
        "map, centred on {center}, zoom level {zoom}, to {outfile}",
        "[I need|Please give me] {outfile} with a map image around {center}, zoom {zoom}[.|]",
        "[Put|Save] the street map into {outfile}: middle {center}, zoom factor {zoom}",
        "export {center} as a map tile to {outfile}, zoom={zoom}[.|]",
    )),
    (("measure", "distance"), "[Straight-line distance between two places|Great circle distance from one city to another, in a unit of length.]", ("origin:city", "destination:city", "in_unit:measure"), (
        "How far is it as the crow flies from {origin} to {destination}, in {in_unit}?",
        "[Distance|Great circle|Air line] from {origin} to {destination} [in|given in] {in_unit}[.|?|]",
        "[How many|Number of] {in_unit} between {origin} and {destination}, straight line[?|]",
        "[Measure|Work out|Calculate] in {in_unit} the distance that a bird would fly from {origin} to {destination}[.|]",
        "{origin} to {destination} on the globe, {in_unit}[ please|?|]",
    )),

    # mountains and sea
    (("check", "avalanche", "risk"), "[Avalanche danger level of a mountain region|Get today's avalanche bulletin for a massif.]", ("massif:proper",), (
        "[How high is|What is] the avalanche danger in the '{massif}' [massif|area|range]?",
        "avalanche bulletin: {massif}",
        "[Is it|Would it be] safe to go ski touring today around {massif}?",
        "snow [slides|slab risk|stability] report for the \"{massif}\" region[?|]",
        "We [plan|have planned] a winter climb, could there be avalanches at {massif}?",
    )),
    (("get", "tides"), "[High and low tide of a port|Returns the tide table of a harbour for one day.]", ("port:city", "date"), (
        "When is [high tide|low tide|high water|low water] in {port} {date}?",
        "[Tide table|Tides|Tide times] {port}, {date}[.|]",
        "[I want to|The kids want to|We would like to] walk on the mudflats at {port} {date}, when is the water out?",
        "[At what time|When] does the sea come in at {port}, {date}?",
        "ebb and flood for {port} {date}[, please|]",
    )),
    (("book", "hut"), "[Reserve beds in a mountain hut|Books places in an alpine refuge for a night.]", ("hut_name:proper", "beds:count", "night:date"), (
        "[Reserve|Book] {beds} beds in the mountain hut '{hut_name}' for the night of {night}[.|]",
        "[We are|Our rope team is] {beds} climbers and want to sleep at the \"{hut_name}\" refuge, night: {night}",
        "hut booking, {hut_name}, {beds} bunks, {night}",
        "[Could we get|Are there still] {beds} bunks in the dormitory at '{hut_name}' {night}?",
        "{beds} sleeping places {night} in the alpine hut {hut_name}[.|, please]",
    )),
    (("get", "surf", "report"), "[Waves, swell and water temperature of a beach|Get the surf report of a spot.]", ("beach:city",), (
        "[How are the waves|How big is the swell|Is it flat] in {beach}[?| today?]",
        "surf report {beach}[.|]",
        "[Shall I|Should I|Is it worth it to] wax my board and go to {beach}?",
        "[wave height|swell|surf] at {beach}[?| this morning]",
        "Can [beginners|kids|we] surf in {beach} today or is the sea too rough?",
    )),

    # sailing
    (("get", "marine", "forecast"), "[Wind and wave forecast for a sea area|Shipping forecast by area and day.]", ("sea_area:proper", "day:date"), (
        "[What wind|How much wind|Which wind] can we expect in the sea area '{sea_area}' {day}?",
        "shipping forecast, {sea_area}, {day}",
        "[We set sail|We leave harbour|The regatta starts] {day}. Wind and sea state for area {sea_area}?",
        "gale [warnings|warning] {day} for sea area {sea_area}[?|]",
        "[Read|Give] me the marine weather, area \"{sea_area}\", {day}[.|]",
    )),
    (("reserve", "berth"), "[Book a berth in a marina|Reserves a mooring for a boat of a length in metres.]", ("harbour:city", "boat_length:price", "arrival:date"), (
        "[Reserve|Book] a mooring in {harbour} for a boat of {boat_length} metres, arriving {arrival}[.|]",
        "[Our yacht|My boat|The ketch] is {boat_length} m long, is there a berth at {harbour}? We come in {arrival}.",
        "berth, {harbour} marina, {boat_length} m, {arrival}",
        "we will tie up in {harbour} {arrival}, [keep|save] us a place, {boat_length} metres over all",
        "[Any|Is there any] room on the pontoon in {harbour} {arrival}? Length is {boat_length} metres[.|]",
    )),
    (("track", "vessel"), "[Position, course and speed of a ship by its AIS id|Looks up where a vessel is.]", ("mmsi:id",), (
        "Where is [the ship|the vessel|the ferry|tanker] {mmsi}[?| at the moment?]",
        "AIS position of {mmsi}[?||, please]",
        "[Track|Follow|Locate] vessel {mmsi}[.|]",
        "[My husband|Our cargo|My daughter] is on board ship {mmsi}, how far have they come?",
        "course and speed of the boat with mmsi {mmsi}",
    )),

    # aviation
    (("get", "metar"), "[Decoded METAR of an airport|Returns the aviation weather report of an aerodrome: wind, visibility, clouds.]", ("icao:id",), (
        "[METAR|Metar please,|metar for] {icao}",
        "[What is|Read me|Get] the aviation weather at airfield {icao}[?|]",
        "[Visibility|Cloud base|Ceiling and wind] at aerodrome {icao}[?| right now?]",
        "[Can I|Could I] land at {icao} under visual flight rules just now?",
        "pilot here, current airport observation for {icao}[ please|]",
    )),
    (("file", "flightplan"), "[File a flight plan|Submits a flight plan from one aerodrome to another with a departure time.]", ("aircraft:id", "adep:city", "ades:city", "off_block:time"), (
        "[File|Submit|Send off] a flight plan for {aircraft} from {adep} to {ades}, off blocks at {off_block}[.|]",
        "flight plan: {aircraft}, {adep} to {ades}, {off_block}",
        "[I am taking|We are flying] {aircraft} out of {adep} at {off_block} with destination {ades}, please file it[.|]",
        "[Tell air traffic control|Let ATC know] that {aircraft} departs {adep} for {ades} at {off_block}",
        "at {off_block} we take off from {adep}, landing in {ades}, registration {aircraft}, [plan it|file the plan]",
    )),
    (("find", "gate"), "[Gate and boarding time of a flight|Tells at which gate a flight boards.]", ("flight_no:id",), (
        "[Which|What] gate does flight {flight_no} [board at|leave from]?",
        "gate for {flight_no}[?|]",
        "[I am lost in the terminal|I have just come through security|We are running late], where do I board {flight_no}?",
        "[Has the gate changed|Is boarding open] for {flight_no}?",
        "[Where is|Show me] the gate of flight {flight_no}[.|, please|]",
    )),
    (("weigh", "aircraft"), "[Check weight and balance of a small plane|Tests whether fuel and passengers are within the limits.]", ("tail_number:id", "fuel_kg:count", "payload_kg:count"), (
        "Is {tail_number} too heavy with {fuel_kg} kg of fuel and {payload_kg} kg of [passengers|people and bags|cargo]?",
        "weight and balance: {tail_number}, fuel {fuel_kg} kg, payload {payload_kg} kg",
        "[Check|Work out] mass and balance for plane {tail_number}, we load {payload_kg} kilos and tank {fuel_kg} kilos of fuel[.|]",
        "[Can|May] we take off in {tail_number}? On board are {payload_kg} kg, in the tanks {fuel_kg} kg.",
    )),

    # railways
    (("find", "platform"), "[From which platform a train leaves|Get platform and delay of a train.]", ("train_number:id", "station:city"), (
        "[Which platform|What track|Which side] does train {train_number} leave from in {station}?",
        "platform of {train_number} at {station} station[?|]",
        "I am [running through|standing in|just arriving at] the station of {station}, where is train {train_number}?",
        "[Is|Is the train] {train_number} late? I change in {station} and need the platform.",
        "track number, {station}, train {train_number}[.|]",
    )),
    (("claim", "delay"), "[Claim compensation for a late train|Submits a passenger refund claim by ticket and minutes of delay.]", ("ticket_no:id", "delay_minutes:count"), (
        "my train was {delay_minutes} minutes late, [I want my money back|claim a refund|I demand compensation] for ticket {ticket_no}",
        "[Claim|Request] compensation on ticket {ticket_no}, delay {delay_minutes} minutes[.|]",
        "delay refund {ticket_no}, {delay_minutes} min",
        "[We sat|I was stuck] {delay_minutes} minutes in a stopped train with ticket {ticket_no}. What do I get back? File it.",
        "passenger rights [form|claim]: {delay_minutes} minutes, ticket number {ticket_no}",
    )),
    (("set", "signal"), "[Set a railway signal|Switches a signal at the interlocking on or off.|Turns a line signal on or off by its number]", ("signal_id:id", "state:power"), (
        "[Set|Switch|Put] railway signal {signal_id} {state}[.|]",
        "signal {signal_id}: {state}",
        "[Dispatcher here|Signal box here], we need the {signal_id} signal {state}",
        "[The freight train is waiting|A shunting engine is coming], change line signal {signal_id} to {state}[.|]",
        "please have the light at {signal_id} on the track {state}",
    )),
    (("reserve", "bicycle"), "[Reserve a bicycle place on a train|Books a spot for a bike on board of a train.]", ("train_id:id", "travel_day:date"), (
        "[I am bringing|I am taking|We are bringing] my bike on train {train_id}, {travel_day}, [book it a place|is there room?|reserve a spot]",
        "bicycle space on {train_id} {travel_day}[, please|]",
        "[Reserve|Book] a place for a bicycle {travel_day} in train {train_id}[.|]",
        "[Can|May] my bicycle travel with me {travel_day}? The train is {train_id}. Reserve if so.",
        "cycle reservation, {train_id}, {travel_day}",
    )),

    # police and fire brigade
    (("report", "theft"), "[File a theft report with the police|Reports stolen property: what and where.]", ("item:text", "location:city"), (
        "[I want to report|I would like to report|I have to report] a theft in {location}: {item}",
        "[Somebody stole|A thief took|They nicked] my things in {location}, namely '{item}'",
        "stolen in {location}: {item}",
        "[Police report|Theft report|Complaint], town {location}, stolen object \"{item}\"",
        "my '{item}' [is gone|was stolen|has been robbed] in {location}, tell the police",
    )),
    (("dispatch", "engine"), "[Sends a fire engine|Dispatch fire trucks to an incident with a priority.]", ("incident:id", "trucks:count", "urgency:priority"), (
        "[Send|Dispatch|Roll] {trucks} fire engines to incident {incident}, {urgency} priority[.|]",
        "incident {incident} needs {trucks} trucks, urgency {urgency}",
        "[Control room|Station two|Chief speaking]: {trucks} engines for {incident}, treat it as {urgency}",
        "it is burning, {incident}, {urgency} priority, [alarm|get out] {trucks} fire trucks",
        "{urgency} priority turnout for fire {incident} with {trucks} vehicles[.|]",
    )),
    (("check", "plate"), "[Look up a vehicle by its licence plate|Police query: is a car stolen or wanted.]", ("plate:id", "country"), (
        "[Run|Check|Query] the plate {plate}, registered in {country}[.|]",
        "Is the car with the number plate {plate} from {country} [stolen|wanted|insured|reported missing]?",
        "licence plate {plate}, {country}[.|, any hits?|]",
        "[A suspicious van|A grey car|Some motorbike] from {country} is parked here with plate {plate}, whose is it?",
        "vehicle lookup: country {country}, registration {plate}",
    )),
    (("list", "hydrants"), "[Find fire hydrants near a place|Lists hydrants within a radius in metres.]", ("near:city", "radius_m:count"), (
        "[Where are|List|Show] the hydrants within {radius_m} metres of {near}[.|?|]",
        "hydrants near {near}, radius {radius_m} m",
        "[We need|The crew needs] water for the hoses, what hydrants are there {radius_m} metres around {near}?",
        "[Is there|Do we have] any fire hydrant closer than {radius_m} m to {near}?",
    )),

    # city administration
    (("renew", "passport"), "[Appointment at the citizen office to renew a passport|Starts the renewal of a passport by its number.]", ("passport_number:id",), (
        "[My passport|The passport] {passport_number} [runs out|is about to expire|has expired], renew it[, please|.|]",
        "[Renew|Extend|Replace] passport {passport_number}[.|]",
        "[I am travelling abroad soon|Holiday is coming] and my old passport {passport_number} is no longer valid",
        "passport renewal, document no. {passport_number}",
        "How do I get a new passport? [The old one is|The number of mine is] {passport_number}, start the application.",
    )),
    (("report", "pothole"), "[Tell the city about a damaged street|Reports road damage, a broken lamp or rubbish to the town hall.]", ("description:body",), (
        "[Report|Tell the town hall about] [road damage|a pothole|a broken street]: {description}",
        "[The road in front of my house|Our street] is in a terrible state, pass this to the city: {description}",
        "pothole [alert|report]: {description}",
        "[Dear city|Hello city hall|To the public works office], there is a problem with the road: {description}",
        "street damage[, please forward|]: \"{description}\"",
    )),
    (("register", "address"), "[Register a new residence|Tells the residents' office that a person has moved to a city on a date.]", ("resident:person", "new_city:city", "moved_in:date"), (
        "[Register|Record] the new address of {resident}: living in {new_city}, moved in {moved_in}[.|]",
        "{resident} has moved to {new_city}, date of moving in {moved_in}, [tell the residents' office|please register]",
        "change of residence: {resident}, {new_city}, {moved_in}",
        "[As of|Starting] {moved_in} the home of {resident} is in {new_city}, inform the registry[.|]",
    )),
    (("book", "wedding"), "[Book the registry office for a marriage|Reserves a slot at the registry office for two people.]", ("partner_a:person", "partner_b:person", "wedding_day:date"), (
        "{partner_a} and {partner_b} [want to marry|are getting married|would like to say yes] {wedding_day}, book the registry office",
        "[Reserve|Book] the registry office {wedding_day} for the wedding of {partner_a} and {partner_b}[.|]",
        "marriage slot {wedding_day}: {partner_a} & {partner_b}",
        "[Is the town hall|Is the marriage room] free for a wedding {wedding_day}? The couple: {partner_a} and {partner_b}",
    )),

    # waste and water
    (("get", "bin", "day"), "[When the bins are emptied|Returns the next collection day of a kind of bin, named by its colour.]", ("bin_color:color",), (
        "When [do they empty|do they collect|does the lorry take] the {bin_color} bin?",
        "[Which day|What day] is pickup for the {bin_color} bin[?|]",
        "{bin_color} bin, [next collection|when?|what day?]",
        "[Do I have to|Must I|Should I] put out the {bin_color} rubbish bin tonight?",
        "the {bin_color} trash can is [overflowing|full], when does the garbage truck come?",
    )),
    (("order", "skip"), "[Order a skip for rubbish|Has a waste container of some size delivered on a day.]", ("size:format", "delivery_day:date"), (
        "[Order|Hire|Rent|Get me] a {size} skip for {delivery_day}[.|]",
        "we are [clearing out the attic|tearing down the shed|gutting the cellar], please bring a {size} rubbish container {delivery_day}",
        "{size} waste container, delivery {delivery_day}[.|]",
        "[Could you|Can you] drop off a {size} dumpster in our drive {delivery_day}?",
    )),
    (("submit", "meter"), "[Send in the reading of the water meter|Reports a meter reading in cubic metres to the waterworks.]", ("meter_id:id", "reading:count"), (
        "[My water meter|Water meter|The meter] {meter_id} [shows|reads|stands at] {reading}",
        "[Submit|Send in|Report] a reading of {reading} cubic metres for meter {meter_id}[.|]",
        "meter {meter_id}: {reading} m3",
        "[The waterworks want|You asked for] my reading, it is {reading}, number on the meter {meter_id}",
        "annual water reading {reading}, counter no. {meter_id}[.|]",
    )),
    (("check", "water", "quality"), "[Quality of the drinking water in a city|Returns hardness, nitrate and chlorine of tap water.]", ("municipality:city",), (
        "[Can I|Is it safe to|Do people] drink the tap water in {municipality}?",
        "[How hard is|What is in] the tap water of {municipality}?",
        "water quality {municipality}[.|, latest values|]",
        "[My kettle is full of lime|My hair feels like straw], how hard is the water in {municipality}?",
        "nitrate [and chlorine|levels|and hardness] of the drinking water, {municipality}",
    )),

    # construction
    (("order", "concrete"), "[Order ready-mix concrete for a building site|Has concrete delivered: cubic metres and time of delivery.]", ("volume_m3:price", "site_code:id", "pour_time:time"), (
        "[Order|Send|Deliver] {volume_m3} cubic metres of concrete to site {site_code}, pour at {pour_time}[.|]",
        "we [pour|cast the slab|fill the foundation] at {pour_time} on site {site_code} and need {volume_m3} m3 of concrete",
        "concrete: {volume_m3} m3, {site_code}, {pour_time}",
        "[I want|Get] the mixer truck at building site {site_code} by {pour_time} with {volume_m3} cubes[ on board|]",
    )),
    (("inspect", "scaffold"), "[Record the inspection of a scaffold|Logs whether a scaffold is open or closed for work.]", ("scaffold:id", "result:status"), (
        "scaffold {scaffold} inspected, [result|it is|verdict] {result}",
        "[Mark|Log|Record] scaffolding {scaffold} as {result} after today's inspection[.|]",
        "[I have looked at|I climbed up|I have just checked] scaffold {scaffold}, write {result} in the log",
        "site safety: {scaffold} scaffold {result}[.|]",
    )),
    (("estimate", "bricks"), "[How many bricks a wall takes|Estimates bricks and mortar for a wall by length and height in metres.]", ("length_m:price", "height_m:price"), (
        "How many bricks [do I need|does it take|must I buy] for a wall {length_m} metres long and {height_m} metres high?",
        "bricks for a wall, length {length_m} m, height {height_m} m[?|]",
        "[I am building|We are putting up|I plan] a garden wall, {height_m} metres tall and {length_m} metres long, estimate the bricks",
        "brick count: {length_m} m long by {height_m} m high[.|]",
        "[Work out|Estimate|Calculate] masonry material, wall height {height_m}, wall length {length_m}",
    )),

    # factories and machines
    (("stop", "machine"), "[Emergency stop of one machine|Halts a machine on the shop floor at once.]", ("machine_id:id",), (
        "[STOP|Halt|Emergency stop] machine {machine_id}[!| now!|]",
        "{machine_id} is [smoking|jammed|making a terrible noise|eating the parts], shut it down",
        "[Somebody's glove|A sleeve|A hand] is caught in press {machine_id}, stop it[!|]",
        "[Kill|Cut] the power of lathe {machine_id}[ immediately|!|]",
        "e-stop {machine_id}[ please|]",
    )),
    (("get", "line", "output"), "[Pieces made by a production line|Returns how many units a line produced on a date.]", ("line:id", "shift_date:date"), (
        "How many [units|pieces|parts|items] did line {line} [make|produce|turn out] {shift_date}?",
        "output of production line {line}, {shift_date}[.|]",
        "[The boss asks for|I need|Give me] the piece count of assembly line {line} for {shift_date}",
        "[Did|So, did] line {line} reach its target {shift_date}? Show what the line put out.",
        "throughput {line} {shift_date}",
    )),
    (("report", "scrap"), "[Record rejected parts|Books defective pieces of a work order with the reason.]", ("work_order:id", "pieces:count", "reason:body"), (
        "[Scrap|Reject|Write off] {pieces} pieces of work order {work_order}, reason: {reason}",
        "{pieces} parts from order {work_order} are [bad|defective|for the bin]: {reason}",
        "quality: work order {work_order}, {pieces} rejects. {reason}",
        "[I had to|We had to] throw away {pieces} pieces on {work_order} because of this: {reason}",
    )),
    (("schedule", "maintenance"), "[Plan the maintenance of a machine|Schedules servicing of equipment with a technician.]", ("equipment:id", "technician:person", "when:date"), (
        "[Schedule|Plan] servicing of {equipment} {when}, done by {technician}[.|]",
        "[Have|Let] {technician} oil and grease machine {equipment} {when}",
        "maintenance {equipment}, {when}, technician {technician}",
        "the pump {equipment} is due for [an overhaul|a check-up|a service], {technician} could do it {when}",
        "[Put|Write] {technician} down for the upkeep of {equipment} {when}[.|]",
    )),

    # robots and drones
    (("launch", "drone"), "[Start a drone and climb|Takes off with a drone and hovers at an altitude in metres.]", ("drone_id:id", "altitude_m:count"), (
        "[Launch|Start|Take off with] drone {drone_id} and climb to {altitude_m} metres[.|]",
        "drone {drone_id} up to {altitude_m} m[, please|.|]",
        "[I want|We need] an eye in the sky: {drone_id}, hover at {altitude_m} metres",
        "[Get|Bring] quadcopter {drone_id} in the air, altitude {altitude_m} m[.|]",
        "lift off {drone_id}, height {altitude_m}",
    )),
    (("return", "home"), "[Bring the drone back|Makes a flying drone return to its start point and land.]", ("drone:id",), (
        "[Bring|Call|Fly] drone {drone} back [home|to base|to me][.|]",
        "[The battery is low|It starts raining|A storm is coming], {drone} must come home and land",
        "return to home {drone}",
        "abort the flight of {drone}, [land where it started|come back]",
        "[Enough pictures|Mission over|That will do], get {drone} back down",
    )),
    (("move", "arm"), "[Moves the robot arm to a position|Move one joint of the robot arm to an angle in degrees at a speed.]", ("joint:count", "angle:count", "speed:count"), (
        "[Move|Turn|Rotate] joint {joint} of the arm to {angle} degrees at speed {speed}[.|]",
        "robot arm: joint {joint}, angle {angle}, speed {speed}",
        "[Bend|Swing] the robot's joint number {joint} with a speed of {speed} until it stands at {angle} degrees",
        "axis {joint} to {angle} deg[rees|.|], velocity {speed}",
    )),
    (("vacuum", "room"), "[Send the robot vacuum to a room|Starts the cleaning robot in one room.]", ("room:room_name",), (
        "[Vacuum|Hoover|Clean the floor of] the {room}[.|, please|]",
        "there are [crumbs|dog hairs|muddy footprints] all over the {room}, send the robot",
        "[Start|Let] the vacuum robot in the {room}[.|]",
        "{room} floor is dirty[, robot, go|, hoover it|, suck it up]",
        "[Guests are coming|The kids had a party], could the cleaning robot do the {room}?",
    )),

    # 3D printing
    (("print", "model"), "[Print a 3D model|Slices a model file and prints it with filament of a colour.]", ("model_file:path", "filament:color", "copies:count"), (
        "[3D print|Print in 3D] {copies} copies of {model_file} with {filament} filament[.|]",
        "[Load|Take] the {filament} spool and make {copies} pieces from the model {model_file}",
        "{model_file} on the 3d printer, {copies} times, filament {filament}[.|]",
        "[I need|I would like] {copies} plastic parts in {filament}, the model is {model_file}",
        "slice and print {model_file}, plastic {filament}, quantity {copies}",
    )),
    (("heat", "bed"), "[Heats the print bed|Sets the temperature of the 3D printer's bed in degrees.]", ("temperature:count",), (
        "[Heat|Preheat|Warm up] the print bed to {temperature} degrees[.|]",
        "print bed {temperature}[ C|°|]",
        "the first layer [won't stick|keeps curling|peels off], try the bed at {temperature} degrees",
        "[Set|Bring] the build plate to {temperature}[ degrees|]",
    )),
    (("check", "filament"), "[How much filament is left on a spool|Returns remaining grams on the spool of a printer.]", ("printer:id",), (
        "How much [filament|plastic|material] [is left|remains] on printer {printer}?",
        "filament on {printer}[?|, how many grams?]",
        "[Will the spool last|Do I need a new roll|Is the spool nearly empty] on {printer}?",
        "[Check|Show] the remaining spool weight of 3d printer {printer}[.|]",
    )),

    # electronics
    (("read", "resistor"), "[Colour bands of a resistor|Returns the colour code for a resistance in ohms.]", ("ohms:count",), (
        "[What|Which] [colours|coloured rings|bands] does a resistor of {ohms} ohms have?",
        "resistor colour code {ohms} ohms[?|]",
        "[I am looking for|I have to find|How do I recognise] a resistor of {ohms} ohms in this drawer by its stripes",
        "bands for {ohms} ohm[, please|?|]",
    )),
    (("find", "datasheet"), "[Search the data sheet of an electronic component|Returns the pinout and PDF link by part number.]", ("part_number:id",), (
        "[Find|Open|Get|Search] the data sheet of the chip {part_number}[.|]",
        "[Pinout|Pin assignment|Maximum voltage] of {part_number}[?| please]",
        "datasheet {part_number}[.| pdf|]",
        "[I found|There is] a transistor marked {part_number} on this board, what is it? I need its sheet.",
        "[How do I wire|Which pin is ground on] component {part_number}?",
    )),
    (("set", "voltage"), "[Set the lab power supply|Sets voltage and current limit of the bench power supply.]", ("volts:price", "max_amps:price"), (
        "[Set|Turn|Adjust] the bench supply to {volts} volts, limit {max_amps} amps[.|]",
        "power supply: {volts} V, no more than {max_amps} A",
        "[Give|Feed] my circuit {volts} volts but cut off at {max_amps} amperes[.|]",
        "current limit {max_amps} A, output voltage {volts} V[, go|]",
    )),

    # audio and video editing
    (("trim", "clip"), "[Cut a piece out of a video or audio file|Keeps only the part between two seconds.]", ("clip:path", "start_sec:count", "end_sec:count"), (
        "[Trim|Cut|Crop] the clip {clip} from second {start_sec} to second {end_sec}[.|]",
        "keep only seconds {start_sec} to {end_sec} of the recording {clip}",
        "[The beginning is boring|Too long for the website], cut {clip} so that it starts at {start_sec} s and ends at {end_sec} s",
        "{clip}: in point {start_sec}s, out point {end_sec}s",
        "[I just want|Only take] the bit of footage between {start_sec} and {end_sec} seconds in {clip}[.|]",
    )),
    (("add", "subtitles"), "[Makes subtitles for a video|Transcribes a film and burns subtitles in a language.]", ("video_file:path", "subtitle_lang:language"), (
        "[Add|Put|Burn] {subtitle_lang} subtitles [to|into|onto] {video_file}[.|]",
        "[My grandmother|My class|The audience] can't follow the film {video_file}, it needs subtitles in {subtitle_lang}",
        "{video_file}, captions in {subtitle_lang}[, please|]",
        "[Could you caption|Please caption|Subtitle] the movie {video_file} in {subtitle_lang}[.|?]",
    )),
    (("remove", "noise"), "[Takes hiss and hum out of a recording|Denoise an audio file.]", ("audio:path",), (
        "[Remove|Take out|Filter out] the [background noise|hiss|hum|wind noise] from {audio}[.|]",
        "denoise {audio}[, please|]",
        "the [interview|podcast|voice] in {audio} is hard to understand, clean up the sound",
        "[There is|I hear] a nasty buzzing in {audio}, get rid of it",
    )),
    (("mix", "tracks"), "[Mix two audio tracks into one|Lays music under a voice recording.]", ("voice:path", "music:path"), (
        "[Mix|Blend|Lay] the music {music} under the voice recording {voice}[.|]",
        "speech is in {voice}, [the background music|the soundtrack|the jingle] in {music}, mix them",
        "[Put together|Combine] the voice track {voice} with the music track {music}[.|]",
        "I want [soft music|some melody] behind my speech {voice}: use the song {music}",
    )),

    # photography
    (("compute", "exposure"), "[Compute shutter speed|Returns the exposure time for an ISO value and an f-number.]", ("iso:count", "f_number:price"), (
        "[Which|What] shutter speed at ISO {iso} and f/{f_number}?",
        "exposure time, f-stop {f_number}, iso {iso}[?|]",
        "[How long should I|How long must I] expose? My aperture is {f_number} and the film has ISO {iso}.",
        "[I shoot|I am shooting] with an aperture of {f_number} on {iso} ISO film, give me the shutter time",
    )),
    (("read", "exif"), "[Shows camera data of a photo|Returns camera, lens, date and place from the metadata of an image.]", ("photo:path",), (
        "[Which camera|What lens|Which aperture] was used for the [photo|picture] {photo}?",
        "exif of {photo}[, please|]",
        "[When and where|With which settings] was {photo} [taken|shot]?",
        "[Read|Show|Dump] the metadata inside the picture {photo}[.|]",
        "does {photo} contain [GPS data|a location|the serial number of my camera]?",
    )),
    (("straighten", "horizon"), "[Rotates a photo so that the horizon is level|Straighten a crooked picture.]", ("picture:path",), (
        "The [horizon|sea|skyline] in {picture} is [crooked|tilted|slanting], level it",
        "[Straighten|Level|Unslant] the picture {picture}[.|, please|]",
        "[I held the camera askew|My hands were shaking], can you make {picture} straight?",
        "fix the tilt of {picture}",
    )),

    # fonts, design and typesetting
    (("suggest", "font"), "[Recommends a typeface|Suggests fonts that suit a purpose.]", ("purpose:text",), (
        "[Which|What] [font|typeface] [goes well with|suits|would you use for] {purpose}?",
        "font [idea|suggestion|recommendation]: {purpose}",
        "[I am designing|I am laying out] '{purpose}' and can't decide on a typeface",
        "recommend me [some lettering|a font|a serif] for \"{purpose}\"",
    )),
    (("check", "contrast"), "[Contrast ratio of two colours|Tells whether text of one colour can be read on another.]", ("text_color:color", "background:color"), (
        "Can one read {text_color} text on a background of {background}?",
        "[Check|Calculate] the contrast of {text_color} letters on {background} ground[.|]",
        "[Would|Will] type in {text_color} be legible on a page in {background}?",
        "accessibility: foreground {text_color}, background {background}[.|]",
        "[Our designer|The client] wants the writing {text_color} with {background} behind it, is the contrast enough?",
    )),
    (("make", "palette"), "[Colour palette from one base colour|Generates a number of matching colours.]", ("base:color", "n_colors:count"), (
        "[Make|Generate|Build] a palette of {n_colors} colours around {base}[.|]",
        "[What|Which] {n_colors} shades go with {base}?",
        "colour scheme, base {base}, {n_colors} swatches",
        "my logo is {base}, [find|suggest|give me] {n_colors} matching tones",
    )),
    (("compile", "document"), "[Typesets a LaTeX file to PDF|Compiles a manuscript into a printable document.]", ("source:path",), (
        "[Compile|Typeset|Run LaTeX on] {source}[.|, please|]",
        "turn the manuscript {source} into a [PDF|printable pdf][.|]",
        "[My thesis|The paper|The book] is in {source}, typeset it",
        "latex {source}",
        "[Do the page breaks come out right|Are there overfull boxes|Does it still build] in {source}? Compile it once.",
    )),

    # spreadsheets and presentations
    (("write", "cell"), "[Write a value into a spreadsheet cell|Sets one cell of a workbook.]", ("workbook:path", "cell:id", "value:price"), (
        "[Write|Put|Enter] {value} into cell {cell} of {workbook}[.|]",
        "{workbook}, cell {cell} = {value}",
        "[Change|Set|Correct] cell {cell} in the spreadsheet {workbook} to {value}[.|]",
        "the number in {cell} is wrong, it should be {value}, [fix|edit] the sheet {workbook}",
    )),
    (("sum", "column"), "[Add up a column of a sheet|Returns the total of one column in a spreadsheet file.]", ("sheet_file:path", "column:word"), (
        "[Add up|Sum|Total] the column {column} in {sheet_file}[.|]",
        "what does the {column} column of {sheet_file} [come to|add up to|amount to]?",
        "{sheet_file}: sum of {column}[?|]",
        "[I need|Accounting needs] the grand total of all the rows under '{column}' in {sheet_file}",
    )),
    (("create", "chart"), "[Draws a chart of numbers|Makes a bar chart with a title from a list of values.]", ("data:numbers", "chart_title:text"), (
        "[Make|Draw|Plot] a [bar chart|line chart|graph] of {data} with the title '{chart_title}'[.|]",
        "chart: {data}, headline {chart_title}",
        "[Visualise|Show as a diagram] the values {data} and call it \"{chart_title}\"",
        "[I want to see|Can I see] these numbers as bars: {data}. Title: {chart_title}",
    )),
    (("add", "slide"), "[Adds a slide to a presentation|Append a slide with a heading to a deck.]", ("deck:path", "heading:text"), (
        "[Add|Append|Attach] a slide to {deck} with the heading '{heading}'[.|]",
        "new slide in {deck}: {heading}",
        "my [talk|presentation|pitch] {deck} needs [one more|another] slide called \"{heading}\"",
        "[Put|Give] the deck {deck} another page headed {heading}",
    )),
    (("next", "slide"), "[Go to the next slide|Advances the running presentation by one slide.]", (), (
        "[Next|Next slide|Forward][, please|.|]",
        "[Go on|Move on|Advance|Flip] to the [next slide|following slide]",
        "I am done with this [slide|page of the talk], [show the one after it|go on]",
        "[slide forward|one slide further|skip to the next slide]",
    )),

    # text statistics, regular expressions, encoding and hashing
    (("score", "readability"), "[How hard a text is to read|Returns the reading grade level of a passage.]", ("passage:body",), (
        "[How easy|How hard|How difficult] is this to read? {passage}",
        "readability[ score|]: {passage}",
        "[Would a child|Would a ten year old|Could a beginner] understand this passage: \"{passage}\"",
        "[Compute|Give me] the reading level of the following: {passage}",
    )),
    (("count", "word"), "[How often a word occurs in a file|Counts the occurrences of a word in a document.]", ("needle:word", "document:path"), (
        "How [often|many times] does the word '{needle}' [occur|appear|turn up] in {document}?",
        "[count|frequency] of \"{needle}\" in {document}[.|]",
        "I think I [overuse|repeat] the word {needle} in {document}, [count it|how bad is it?]",
        "[Tell me|Find out] the number of times that {document} says '{needle}'[.|]",
    )),
    (("explain", "regex"), "[Explains a regular expression in plain words|Describe what a pattern matches.]", ("pattern:glob",), (
        "[Explain|Describe|Decipher] the regex {pattern}[, please|]",
        "What [would|does|could] the regular expression {pattern} match?",
        "regex {pattern} [in plain words|in English|means what?]",
        "I [found|inherited|wrote last year] this pattern and don't understand it: {pattern}",
    )),
    (("hash", "string"), "[Compute the checksum of a text|Returns the SHA-256 digest of a string.]", ("input:text",), (
        "[Hash|Compute the hash of|Give me the digest of] '{input}'[.|]",
        "sha256 of \"{input}\"[?||, hex]",
        "[What is|I need] the SHA-256 fingerprint of the string {input}",
        "[run|put] \"{input}\" through the hash function[.|, please|]",
    )),
    (("encode", "base"), "[Encode a text as base64|Returns the Base64 form of a string.]", ("payload:text",), (
        "[Encode|Convert|Turn] '{payload}' [to|into] base64[.|]",
        "base64 for \"{payload}\"[?||, please]",
        "[What does it look like|How is it written] in Base64: {payload}",
        "[I need|Make me] a base64 string of {payload}",
    )),
    (("verify", "checksum"), "[Compare the checksum of a file|Checks that a downloaded file has the expected hash.]", ("file:path", "expected:id"), (
        "[Check|Verify] that {file} has the checksum {expected}[.|]",
        "Is {file} [intact|complete|unaltered]? The checksum should be {expected}.",
        "checksum {file}, expected {expected}",
        "[I downloaded|Just got] {file} and the site says {expected}, does the hash match?",
    )),

    # random data and units
    (("random", "name"), "[Invents names for test data|Generates a number of random person names from a country.]", ("how_many:count", "origin:country"), (
        "[Give me|Make up|Invent|Generate] {how_many} random names of people from {origin}[.|]",
        "{how_many} fake names, nationality {origin}[.|]",
        "my [novel|game|test database] needs {how_many} invented persons from {origin}, what are they called?",
        "random names: {how_many}, as in {origin}",
    )),
    (("convert", "measure"), "[Convert a quantity between units|Converts an amount from one unit of measure to another.]", ("amount:price", "from_unit:measure", "to_unit:measure"), (
        "[Convert|Change|Turn] {amount} {from_unit} [to|into] {to_unit}[.|]",
        "{amount} {from_unit} in {to_unit}[?|]",
        "[How much is|What is|What are] {amount} {from_unit} expressed in {to_unit}?",
        "the manual says {amount} {from_unit}, but I only know {to_unit}[, help|, what is that?|]",
        "[How many|Number of] {to_unit} make {amount} {from_unit}[?|]",
    )),

    # calendars and history
    (("to", "hebrew", "date"), "[Hebrew calendar date of a day|Converts a Gregorian date to the Jewish calendar.]", ("gregorian:date",), (
        "[What|Which] [date|day] is {gregorian} in the [Hebrew|Jewish] calendar?",
        "{gregorian} as a Hebrew date[, please|?|]",
        "[Convert|Translate] {gregorian} to the Jewish calendar[.|]",
        "[hebrew|jewish] calendar: {gregorian}",
    )),
    (("chinese", "zodiac"), "[Animal of the Chinese zodiac by year|Returns which zodiac animal belongs to a birth year.]", ("birth_year:count",), (
        "[Which|What] animal of the Chinese zodiac is {birth_year}?",
        "[I was|My wife was|My boss was] born in the year {birth_year}, would that be a [tiger or a rabbit|dragon or a snake]?",
        "chinese sign for {birth_year}[?|]",
        "{birth_year} is the year of [which animal|the what][?|]",
    )),
    (("find", "name", "day"), "[Name day of a first name|When the name day of somebody is celebrated in a country.]", ("first_name", "where:country"), (
        "When is the name day of {first_name} in {where}?",
        "[name day|saint's day] {first_name}, calendar of {where}[.|]",
        "[On what day|When] do people called {first_name} celebrate in {where}?",
        "my friend {first_name} from {where} [expects flowers|wants a cake] for the name day, when is it?",
    )),
    (("search", "archive"), "[Search a historical newspaper archive|Looks for a term in old newspapers between two years.]", ("term:text", "year_from:count", "year_to:count"), (
        "[Search|Look through|Comb] the old newspapers from {year_from} to {year_to} for '{term}'[.|]",
        "newspaper archive, {year_from} to {year_to}: {term}",
        "[What did the papers write|What was printed] between the years {year_from} and {year_to} about {term}?",
        "I am [researching|writing a chapter on] \"{term}\", show press clippings from the year {year_from} until {year_to}",
    )),

    # genealogy
    (("find", "ancestors"), "[Lists the ancestors of a person|Looks up the family tree back by a number of generations.]", ("ancestor_of:person", "generations:count"), (
        "[Who were|Show me|Find] the ancestors of {ancestor_of}, {generations} generations back[.|?]",
        "family tree of {ancestor_of}, depth {generations}",
        "[Trace|Follow] the line of {ancestor_of} back by {generations} generations[.|]",
        "[Where does the family come from|Who came before us]? Start at {ancestor_of} and go up {generations} generations",
    )),
    (("add", "marriage"), "[Enters a marriage in the family tree|Records that two persons were married.]", ("groom:person", "bride:person", "year:count"), (
        "{groom} married {bride} in the year {year}, [add it to|put it in|enter it in] the family tree",
        "[Family tree|Genealogy]: husband {groom}, wife {bride}, wedding year {year}",
        "[The church book|An old letter] says that {bride} became the wife of {groom} in {year}, record it",
        "[Connect|Link] {groom} and {bride} as spouses in our pedigree, married {year}",
    )),

    # recipes and kitchens
    (("scale", "recipe"), "[Recalculate a recipe for more or fewer people|Scales the ingredients of a dish to a number of servings.]", ("dish:food", "servings:count"), (
        "[Scale|Recalculate|Adapt] the recipe to {servings} servings: {dish}",
        "[I cook|We cook|I am cooking] for {servings} people, how much of each ingredient for {dish}?",
        "ingredients for {servings} portions of {dish}",
        "the cookbook only gives two portions, [make it|I need] {servings}, the dish is {dish}",
    )),
    (("substitute", "ingredient"), "[What can replace an ingredient|Suggests a substitute for something missing in the kitchen.]", ("missing:food",), (
        "[What can I use|What do I take|What works] instead of {missing}?",
        "[I have run out of|There is no more|We forgot to buy] {missing}, [what now|any replacement|what else would work]?",
        "substitute for {missing}[?|]",
        "[My guest is allergic to|My son can't stand|I don't eat] {missing}, swap it for something",
    )),
    (("preheat", "oven"), "[Preheats the oven|Switches the oven on at a temperature, in celsius or fahrenheit.]", ("degrees:count", "scale:unit"), (
        "[Preheat|Heat up|Turn on] the oven, {degrees} degrees {scale}[.|]",
        "oven to {degrees} {scale}[, please|.|]",
        "the [dough|cake|casserole] is almost ready to go in, get the oven to {degrees} {scale}",
        "[I am about to bake|I want to roast something], oven at {degrees} degrees {scale}",
    )),
    (("pair", "wine"), "[Recommends a wine for a dish|Which wine goes with a meal under a price.]", ("meal:food", "max_price:price"), (
        "[Which|What] wine for at most {max_price} goes with {meal}?",
        "wine [pairing|tip] up to {max_price}: {meal}",
        "[Tonight|On Saturday] we are having guests. A bottle below {max_price}, please, to drink with {meal}",
        "[sommelier|dear sommelier], no more than {max_price} a bottle, on the plate {meal}",
    )),

    # bars and hotels
    (("mix", "cocktail"), "[Recipe of a cocktail|Returns ingredients and steps of a drink by name.]", ("cocktail:proper",), (
        "[How do I mix|How do you make|What goes into] the cocktail '{cocktail}'?",
        "cocktail recipe: {cocktail}",
        "[A guest at the bar|Table nine|Somebody] ordered the drink \"{cocktail}\", how is it made?",
        "[shaken or stirred|with ice or without], the cocktail {cocktail}?",
    )),
    (("call", "housekeeping"), "[Send housekeeping to a hotel room|Asks the cleaning staff to do something in a room.]", ("room_no:id", "request:errand"), (
        "[Housekeeping|Room service|Maid] to room {room_no}, please {request}",
        "guest in {room_no} asks housekeeping to {request}",
        "[I am staying|We are staying] in hotel room {room_no}, could somebody [come and |]{request}?",
        "hotel room {room_no}: [tell the staff to|have the maid] {request}",
    )),
    (("request", "late", "checkout"), "[Extend the stay in a hotel room until later in the day|Asks for a late check-out.]", ("hotel_room:id", "until:time"), (
        "Can [I|we] [stay in|keep] room {hotel_room} until {until}?",
        "late checkout {hotel_room}, {until}[.|]",
        "[My flight is late|We want to sleep in|The kids are still asleep], may we leave hotel room {hotel_room} at {until} instead?",
        "[Please extend|Prolong] check-out of room {hotel_room} to {until}[.|]",
    )),
    (("charge", "minibar"), "[Adds a minibar item to the hotel bill|Charges a drink or snack to a room.]", ("room_id:id", "item:food", "price"), (
        "[Charge|Bill] {price} for the minibar to room {room_id}, item {item}",
        "minibar {room_id}: {price}, {item}",
        "[The guest in|Somebody in] room {room_id} took something from the minibar worth {price}, namely {item}",
        "put {price} on the bill of room {room_id}, [they had|they took] {item}",
    )),
    (("open", "tab"), "[Opens a bar tab for a guest|Starts a running bill at the bar with a spending limit.]", ("guest:person", "limit:price", "currency"), (
        "[Open|Start] a bar tab for {guest}, limit {limit} {currency}[.|]",
        "{guest} [pays at the end|will settle later|drinks on credit], at most {limit} {currency}, open a tab",
        "bar tab: {guest}, up to {limit} {currency}",
        "[Let|Please let] {guest} run up a bill at the bar of no more than {limit} {currency}[.|]",
    )),
)
