"""Measures the chat model on template families that training never saw: `python evaluate.py --from out/mini`."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

from generate.chat import Check, Conversation, Json, compact, unmarked
from generate.corpus import SKILLS, cases
from model import Llama, Shape
from template import prompt_of
from tokenizer import Tokenizer
from training import stored_in

CALL_START, CALL_END = "<tool_call>", "</tool_call>"
CALL_SKILLS = ("tool calls", "no call")


def main() -> None:
    """Reads the options, then measures or writes the cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="source", type=Path, default=Path("out/mini"))
    parser.add_argument("--split", choices=("validation", "test", "train"), default="test")
    parser.add_argument("--count", type=int, default=100, help="cases of each skill; of tool calls six times as many")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=int, default=0, help="wrong answers to print of each skill")
    parser.add_argument("--write-cases", type=Path, help="write the cases as JSON lines for another runner, and stop")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    measured = list(cases(options.seed, options.split, options.count))
    if options.write_cases:
        options.write_cases.write_text("".join(compact(as_line(case)) + "\n" for case in measured))
        return
    figures = measure(options, measured)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


def as_line(case: Conversation) -> dict[str, Json]:
    """A case as another runner needs it: what to send, and when the answer is right."""
    asked = [{**message, "content": unmarked(message["content"])} for message in case.messages[:-1]]
    return {"skill": case.skill, "messages": asked, "tools": case.tools, "schema": case.schema, "check": case.check.as_dict()}


def measure(options: argparse.Namespace, measured: list[Conversation]) -> dict[str, float]:
    """The share of right answers by skill, printed and returned."""
    model, tokenizer = loaded(options.source)
    right: dict[str, list[bool]] = defaultdict(list)
    shown: dict[str, int] = defaultdict(int)
    for case in measured:
        ids = model.answer(tokenizer.encode(unmarked(prompt_of(case))), tokenizer.end)
        answer = tokenizer.decode(ids)
        is_right = holds(case.check, answer)
        right[case.skill].append(is_right)
        if case.skill == "structured":
            right["structured is JSON"].append(json_in(answer) is not None)
        if not is_right and shown[case.skill] < options.show:
            shown[case.skill] += 1
            print(f"[{case.skill}] {asked_in(case)}\n    said:   {answer}\n    wanted: {case.check}")
    figures = {skill: sum(found) / len(found) for skill, found in right.items()}
    figures["all skills"] = mean_over(right, SKILLS)
    figures["all tool calls"] = mean_over(right, CALL_SKILLS)
    for skill, figure in figures.items():
        print(f"{skill:20} {100 * figure:6.1f} %  {len(right.get(skill, [])) or ''}")
    return figures


def mean_over(right: dict[str, list[bool]], skills: tuple[str, ...]) -> float:
    """The share of right answers over several skills."""
    found = [each for skill in skills for each in right.get(skill, [])]
    return sum(found) / max(len(found), 1)


def loaded(folder: Path) -> tuple[Llama, Tokenizer]:
    """The model and its tokenizer from a training folder."""
    stored = stored_in(folder)
    model = Llama(Shape(**stored["shape"]))
    model.load_state_dict(stored["model"])
    return model.eval(), Tokenizer.load(folder / "tokenizer.json")


def asked_in(case: Conversation) -> str:
    """The last message before the answer."""
    return f"{case.messages[-2]['role']}: {unmarked(case.messages[-2]['content'])}"


def holds(check: Check, answer: str) -> bool:
    """Whether an answer is right: exactly the calls wanted and no other, or the text or value wanted and no call."""
    if check.calls:
        return calls_in(answer) == [{"name": call.name, "arguments": call.arguments} for call in check.calls]
    if CALL_START in answer:
        return False
    if check.value is not None:
        return json_in(answer) == check.value
    has_all = all(part in answer for part in check.all)
    return has_all and (not check.any or answer in check.any)


def calls_in(answer: str) -> list[Json]:
    """The tool calls of an answer; one that is no JSON counts as nothing."""
    return [json_in(part.split(CALL_END)[0]) for part in answer.split(CALL_START)[1:]]


def json_in(text: str) -> Json:
    """The value of a JSON text, or nothing."""
    try:
        return json.loads(text)
    except ValueError:
        return None


if __name__ == "__main__":
    main()
