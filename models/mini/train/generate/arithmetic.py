"""Sums on small whole numbers: up to twenty where they are added or taken away, up to ten where they are multiplied or divided."""

from __future__ import annotations

from random import Random

from .chat import Check, Conversation, Split, assistant, user
from .further import further
from .phrasing import phrase

PLUS = (
    *further("arithmetic.PLUS"),
    "What is {a} plus {b}?", "{a} + {b}", "What is {a} + {b}?", "Add {a} and {b}.", "How much is {a} plus {b}?",
    "Can you add {a} and {b}?", "What do you get if you add {b} to {a}?", "{a}+{b}=?", "Calculate {a} + {b}.", "Tell me the sum of {a} and {b}.",
    "What is the sum of {a} and {b}?", "Work out {a} + {b} for me.", "{a} plus {b} is what?", "Compute {a} plus {b}.", "How much is {a} + {b}?",
    "I have {a} apples and get {b} more. How many do I have?", "Sum {a} and {b}.", "{a} plus {b}", "What does {a} + {b} make?", "Please add {a} and {b}", "What is {a}+{b}",
    "Sum up {a} and {b}.", "{a} and {b} together make what?", "What is the total of {a} and {b}?", "Add {b} to {a}.", "What is the result of {a} + {b}?",
    "Total of {a} and {b}?", "{a} added to {b} is what?", "Do the addition {a} + {b}.", "If I add {a} to {b}, what do I get?", "Put {a} and {b} together.",
    "I had {a} coins and found {b} more. How many coins now?", "There are {a} birds and {b} more come. How many birds are there?",
    "Anna has {a} books and buys {b} books. How many books has she?", "{a} plus {b} equals",
    "[What is|What's|How much is|Give me|Tell me|Compute|Calculate|Work out|Find|Solve] {a} [plus|+|and] {b}[?|.|]",
    "[Add|Sum|Put together|Count together|Total up] {a} [and|with|plus|to] {b}[.|]",
    "[Add|Put] [another |]{b} [to|on top of] {a}[.|]",
    "[I have|There are|We have|She has|Tom has|He had|You have] {a} [apples|coins|books|eggs|cars|friends|points] and [get|find|buy|gets|add|receive|win] {b} more. How many [is that|are there|now|in all|altogether|are they]?",
    "{a} [apples|eggs|dogs|boxes|euros] and {b} [apples|eggs|cats|boxes|euros] [make|are|is] how many?",
    "[The sum|Sum|Total|The total] of {a} and {b}[?|, please|]",
    "[What|How much] [do|does|will] {a} and {b} [make|give|come to]?",
    "{a} [more than|added to|and] {b} [is|makes|gives][?| what?| how much?]",
    "[I add|You add|If we add] {b} [to|onto] {a}[, what is it|. What comes out|. Result]?",
    "[First|I walk|I drive] {a} km, then {b} km[. How far is that|, how far in all]?",
)
MINUS = (
    *further("arithmetic.MINUS"),
    "What is {a} minus {b}?", "{a} - {b}", "What is {a} - {b}?", "Subtract {b} from {a}.", "How much is {a} minus {b}?",
    "Can you subtract {b} from {a}?", "What do you get if you take {b} from {a}?", "{a}-{b}=?", "Calculate {a} - {b}.", "Tell me what {a} minus {b} is.",
    "Take {b} away from {a}.", "Work out {a} - {b} for me.", "{a} minus {b} is what?", "Compute {a} minus {b}.", "How much is {a} - {b}?",
    "I have {a} coins and lose {b}. How many are left?", "{a} minus {b}", "What is the difference between {a} and {b}?", "What does {a} - {b} make?", "What is {a}-{b}", "From {a}, take {b}.",
    "Subtract {b} from {a}, please.", "Please subtract {b} from {a}", "What is the difference of {a} and {b}?", "Take away {b} from {a}.",
    "{a} take away {b}", "Do the subtraction {a} - {b}.", "What is the result of {a} - {b}?", "Difference between {a} and {b}?",
    "Tell me the difference between {a} and {b}.", "{a} without {b} is how much?", "Subtract: {a} - {b}", "If I have {a} and give away {b}, what is left?",
    "There were {a} birds and {b} flew away. How many are left?", "Ben had {a} apples and ate {b}. How many apples are left?", "{b} less than {a} is what?",
    "{a} reduced by {b}", "What remains when I take {b} from {a}?", "{a} minus {b} equals", "What is {b} subtracted from {a}?",
    "How much is left of {a} without {b}?", "Calculate the difference of {a} and {b}.",
    "[What is|What's|How much is|Give me|Tell me|Compute|Calculate|Work out|Find|Solve] {a} [minus|-|less|without] {b}[?|.|]",
    "[Take|Remove|Cut|Get] {b} [from|off|out of|away from] {a}[.|]",
    "[Subtract|Deduct] {b} from {a}[.|, what is left?]",
    "{a}[, take away|, minus|, subtract| take] {b}[.|?|]",
    "[I have|There are|We have|She has|Tom has|He had|You have] {a} [apples|coins|books|eggs|cars|friends|points] and [lose|eat|sell|give away|lost|spend] {b}. How many [are left|remain|are there now|do I keep]?",
    "[The difference|Difference] [of|between] {a} [and|to] {b}[?|, please|]",
    "[How much|What] [is left|remains|stays] [of|from] {a} [after|when] {b} [is gone|is taken away|goes]?",
    "{b} [off|from|out of] {a} [is|leaves|makes] [what|how much]?",
    "[If I take|When you take|I take] {b} [from|away from] {a}, what [is left|do I get|remains]?",
    "[How much|How many] more is {a} than {b}?",
)
TIMES = (
    *further("arithmetic.TIMES"),
    "What is {a} times {b}?", "{a} * {b}", "What is {a} * {b}?", "Multiply {a} by {b}.", "How much is {a} times {b}?",
    "Can you multiply {a} by {b}?", "What is {a} multiplied by {b}?", "{a} x {b}", "Calculate {a} * {b}.", "Tell me the product of {a} and {b}.",
    "What is the product of {a} and {b}?", "Work out {a} x {b} for me.", "{a} times {b} is what?", "Compute {a} times {b}.", "How much is {a} x {b}?",
    "There are {a} boxes with {b} books each. How many books?", "{a} times {b}", "Multiply {a} and {b}.", "What does {a} * {b} make?", "What is {a}*{b}", "{a}*{b}=?",
    "Multiply {a} with {b}.", "Multiply {a} times {b}", "Please multiply {a} by {b}", "Can you multiply {a} and {b}?", "Do the multiplication {a} * {b}.",
    "What is the result of {a} * {b}?", "Product of {a} and {b}?", "{a} multiplied by {b}", "If I multiply {a} by {b}, what do I get?",
    "{a} groups of {b} make how many?", "I buy {a} bags with {b} apples each. How many apples?",
    "There are {a} rows with {b} chairs in each. How many chairs?", "{a} times {b} equals", "Calculate the product of {a} and {b}.",
    "[What is|What's|How much is|Give me|Tell me|Compute|Calculate|Work out|Find|Solve] {a} [times|x|*|multiplied by|multiplied with] {b}[?|.|]",
    "[Multiply|Take] {a} [by|with|times] {b}[.|]",
    "Multiply [the numbers |]{a}, {b}[.|]",
    "{a} [multiplied with|times|x|by] {b}[?|.| is?| makes?]",
    "[I have|There are|We have|She has|Tom has|I see] {a} [boxes|bags|rows|tables|baskets|shelves|cars] [with|of] {b} [apples|coins|books|eggs|chairs|people] each. How many [apples|coins|books|eggs|chairs|people] [are there|is that|in all]?",
    "[The product|Product] of {a} [and|with] {b}[?|, please|]",
    "[Multiplying|When you multiply] {a} [by|and] {b} [gives|makes|is] what?",
    "{a} [tickets|pens|cakes] cost {b} euros each. How much is that?",
    "{a} [weeks|days|times] {b} [hours|each|a day] [makes|is] how many?",
)
OVER = (
    *further("arithmetic.OVER"),
    "What is {a} divided by {b}?", "{a} / {b}", "What is {a} / {b}?", "Divide {a} by {b}.", "How much is {a} divided by {b}?",
    "Can you divide {a} by {b}?", "What do you get if you divide {a} by {b}?", "{a}/{b}=?", "Calculate {a} / {b}.", "Tell me what {a} divided by {b} is.",
    "Share {a} sweets among {b} children. How many each?", "Work out {a} / {b} for me.", "{a} divided by {b} is what?", "Compute {a} divided by {b}.",
    "Divide {a} through {b}", "Please divide {a} by {b}", "Do the division {a} / {b}.", "What is the result of {a} / {b}?", "{a} over {b}",
    "How often does {b} go into {a}?", "If I divide {a} by {b}, what do I get?", "Share {a} apples among {b} people. How many does each get?",
    "{a} children share {b} tables?", "Split {a} into {b} equal parts.", "{a} sweets are shared by {b} children. How many for each?",
    "How many times does {b} fit into {a}?", "{a} divided by {b} equals", "Split {a} books among {b} shelves. How many on each?",
    "I have {a} coins for {b} children. How many does each child get?", "Calculate {a} divided by {b}.", "Divide: {a} / {b}", "Quotient of {a} and {b}?",
    "What is the quotient of {a} and {b}?", "Tell me the quotient of {a} and {b}.", "Divide {a} into {b} parts.",
    "[What is|What's|How much is|Give me|Tell me|Compute|Calculate|Work out|Find|Solve] {a} [divided by|/|over|through] {b}[?|.|]",
    "[Divide|Split|Share] {a} [by|through|into|among|between] {b}[.|]",
    "{a} [split by|divided into|shared by|cut into] {b}[?|.| is?| makes?]",
    "[I share|We share|Anna shares|Split|Share] {a} [apples|coins|books|eggs|cookies|cards] [among|between|with] {b} [children|friends|people|boxes]. How many [does each get|for each|each]?",
    "[The quotient|Quotient] of {a} [and|by] {b}[?|, please|]",
    "[How many times|How often] [is|does|goes] {b} [fit |go |]in[to|] {a}?",
    "{a} [eggs|pens|cards] in {b} [boxes|bags|groups], how many [in each|each|per box]?",
)
LARGER = (
    *further("arithmetic.LARGER"),
    "Which is larger, {a} or {b}?", "Which number is bigger: {a} or {b}?", "Is {a} or {b} the larger number?", "What is the larger of {a} and {b}?",
    "Tell me which is greater, {a} or {b}.", "Which is greater, {a} or {b}?", "Which of {a} and {b} is larger?", "{a} or {b}: which is more?",
    "Is {a} greater than {b} or smaller?", "Compare {a} and {b}.", "Which number is larger, {a} or {b}?", "What is bigger, {a} or {b}?",
    "Say which is bigger: {a} or {b}.", "The bigger of {a} and {b}?", "Find the greater of {a} and {b}.", "Which is the bigger number, {a} or {b}?",
    "Which is the greater of {a} and {b}?", "Between {a} and {b}, which is larger?", "Tell me the larger of {a} and {b}.", "Is {a} bigger or {b}?",
    "Name the larger number: {a}, {b}.",
    "[Which|What] [number |one |]is [larger|bigger|greater|more|higher][:|,] {a} or {b}?",
    "[Tell me|Say|Name|Pick|Choose|Find|Give me] the [larger|bigger|greater|higher] [one |number |]of {a} and {b}[.|]",
    "{a} [or|versus|vs] {b}[:|,] [which|what] is [larger|bigger|greater|more]?",
    "[Is|Would] {a} [larger|bigger|greater|more] than {b}?",
)
TOO_LARGE = "I can only do sums on small numbers, up to 20."
SIGNS = {"+": PLUS, "-": MINUS, "*": TIMES, "/": OVER}


def arithmetic(random: Random, split: Split) -> Conversation:
    """One sum, difference, product, quotient or comparison."""
    chance = random.random()
    if chance < 0.08:
        return comparison(random, split)
    if chance < 0.16:
        return too_large(random, split)
    sign = random.choice("++--**/")
    a, b, result = operands(random, sign)
    question = phrase(random, split, SIGNS[sign], a=a, b=b)
    answer = random.choice((f"{a} {sign} {b} = {result}", f"{a} {sign} {b} = {result}."))
    return Conversation("arithmetic", [user(question), assistant(answer)], Check(all=(f"= {result}",)))


def operands(random: Random, sign: str) -> tuple[int, int, int]:
    """Two operands and the result; the result is never negative or broken."""
    top = random.choice((10, 20, 20))
    a, b = random.randint(0, top), random.randint(0, top)
    if sign == "+":
        return a, b, a + b
    if sign == "-":
        return max(a, b), min(a, b), abs(a - b)
    a, b = random.randint(0, 10), random.randint(0 if sign == "*" else 1, 10)
    return (a, b, a * b) if sign == "*" else (a * b, b, a)


def too_large(random: Random, split: Split) -> Conversation:
    """A sum beyond what this model learns; it says so."""
    sign = random.choice("+-*/")
    pair = [random.randint(21 if sign in "+-" else 11, 999), random.randint(2, random.choice((20, 99, 999)))]
    if sign == "/":
        pair = [random.randint(11, 999), random.randint(11, 99)]
    elif random.random() < 0.5:
        pair.reverse()
    question = phrase(random, split, SIGNS[sign], a=pair[0], b=pair[1])
    return Conversation("arithmetic", [user(question), assistant(TOO_LARGE)], Check(all=(TOO_LARGE,)))


def comparison(random: Random, split: Split) -> Conversation:
    """Which of two numbers is larger."""
    a, b = random.sample(range(100), 2)
    question = phrase(random, split, LARGER, a=a, b=b)
    return Conversation("arithmetic", [user(question), assistant(f"{max(a, b)} is larger than {min(a, b)}.")], Check(all=(f"{max(a, b)} is larger",)))
