"""A tokenizer that llama.cpp reproduces: the `llama-bpe` pre-tokenizer, own merges, and whole words where text is prose.

Merges are learned on bare words, so a value is cut alike wherever it stands: after a blank, a quote or an underscore.
Digits are never merged. A pre-token that is in the vocabulary as a whole (such as a blank and a common word) is one token; the same
word without its blank is one token too, so that copying it to where no blank stands is one step and the same step for every word.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import islice, pairwise
from pathlib import Path

from generate.chat import LETTERS, SILENT
from generate.tools import FILLERS

CONTROL = ("<|pad|>", "<|begin|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|tools|>", "<|schema|>")
MARKUP = ("<tool_call>", "</tool_call>")
PRE_TOKEN = re.compile(r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
SPECIAL = re.compile("(" + "|".join(map(re.escape, (*CONTROL, *MARKUP, LETTERS, SILENT))) + ")")


def byte_signs() -> dict[int, str]:
    """The printable sign that stands for each byte in a byte-level vocabulary."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    signs = {byte: chr(byte) for byte in printable}
    others = (byte for byte in range(256) if byte not in signs)
    return signs | {byte: chr(256 + index) for index, byte in enumerate(others)}


MOST_WORDS = 6000
"""Merges are learned on this many words; invented ones would otherwise outnumber the rest."""

SIGNS = byte_signs()
BLANK = SIGNS[ord(" ")]
BYTES = {sign: byte for byte, sign in SIGNS.items()}


def as_signs(text: str) -> str:
    """`text` with every byte as its printable sign."""
    return "".join(SIGNS[byte] for byte in text.encode())


class Tokenizer:
    """Turns text into ids and back."""

    def __init__(self, tokens: list[str], merges: list[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.merges = merges
        self.ids = {token: index for index, token in enumerate(tokens)}
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.end = self.ids["<|end|>"]
        self.assistant = self.ids["<|assistant|>"]
        self.pad = self.ids["<|pad|>"]
        self._known: dict[str, list[int]] = {}

    def encode(self, text: str) -> list[int]:
        """The ids of `text`; its marks are obeyed and leave no token."""
        return self.encode_marked(text)[0]

    def encode_marked(self, text: str) -> tuple[list[int], list[bool]]:
        """The ids of `text`, and for each whether it stands between `SILENT` marks."""
        ids: list[int] = []
        silence: list[bool] = []
        is_silent = by_letter = False
        for part in SPECIAL.split(text):
            if part == SILENT:
                is_silent = not is_silent
            elif part == LETTERS:
                by_letter = not by_letter
            elif part:
                found = [self.ids[part]] if part in self.ids and SPECIAL.fullmatch(part) else self._plain(part, by_letter)
                ids += found
                silence += [is_silent] * len(found)
        return ids, silence

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`, special tokens by their names."""
        raw = b""
        for index in ids:
            token = self.tokens[index]
            raw += token.encode() if SPECIAL.fullmatch(token) else bytes(BYTES[sign] for sign in token)
        return raw.decode(errors="replace")

    def merge(self, first: str, second: str) -> None:
        """One merge more, after all others, and a token for what it makes."""
        self.ranks[first, second] = len(self.merges)
        self.merges.append((first, second))
        if first + second not in self.ids:
            self.ids[first + second] = len(self.tokens)
            self.tokens.append(first + second)

    def cut(self, parts: list[str]) -> list[str]:
        """The signs of a word, merged as far as merges go."""
        while len(parts) > 1:
            ranked = [(self.ranks.get(pair, len(self.ranks)), index) for index, pair in enumerate(pairwise(parts))]
            rank, index = min(ranked)
            if rank == len(self.ranks):
                break
            parts[index : index + 2] = [parts[index] + parts[index + 1]]
        return parts

    def _plain(self, text: str, by_letter: bool) -> list[int]:
        if by_letter:
            return [self.ids[sign] for sign in as_signs(text)]
        ids: list[int] = []
        for part in PRE_TOKEN.findall(text):
            ids += self._known.get(part) or self._pre_token(part)
        return ids

    def _pre_token(self, text: str) -> list[int]:
        signs = as_signs(text)
        parts = [signs] if signs in self.ids else self.cut(list(signs))
        self._known[text] = [self.ids[part] for part in parts]
        return self._known[text]

    def save(self, path: Path) -> None:
        """Writes the vocabulary and the merges."""
        path.write_text(json.dumps({"tokens": self.tokens, "merges": [" ".join(pair) for pair in self.merges]}, ensure_ascii=False))

    @staticmethod
    def load(path: Path) -> Tokenizer:
        """Reads what `save` wrote."""
        stored = json.loads(path.read_text())
        return Tokenizer(stored["tokens"], [(left, right) for left, right in (pair.split(" ") for pair in stored["merges"])])


def trained(texts: Iterable[str], merges: int = 900, whole: int = 1600) -> Tokenizer:
    """A tokenizer with `merges` merges inside words and `whole` frequent pre-tokens as they stand."""
    pre_tokens: Counter[str] = Counter()
    for text in texts:
        for part in SPECIAL.split(text):
            if not SPECIAL.fullmatch(part):
                pre_tokens.update(match.group() for match in PRE_TOKEN.finditer(part))
    words: Counter[str] = Counter()
    for text, count in pre_tokens.items():
        bare = text if text[0].isalpha() else text[1:]
        if bare.isalpha():
            words[as_signs(bare)] += count
    learned = learned_merges(Counter(dict(words.most_common(MOST_WORDS))), merges)
    tokens = [*CONTROL, *MARKUP, *SIGNS.values(), *dict.fromkeys(left + right for left, right in learned)]
    have = set(tokens)
    frequent = (as_signs(text) for text, _ in pre_tokens.most_common() if may_be_whole(text))
    tokens += list(islice((signs for signs in frequent if signs not in have), whole))
    return with_bare_words(Tokenizer(tokens, learned))


def with_bare_words(tokenizer: Tokenizer) -> Tokenizer:
    """A tokenizer that has a token for each word by itself which it has with a blank before it, and the merges that lead to it."""
    grown = Tokenizer([token for token in tokenizer.tokens if not token.startswith("<|reserved")], list(tokenizer.merges))
    for word in bare_words(grown):
        first, *others = grown.cut(list(word))
        for part in others:
            grown.merge(first, part)
            first += part
    return Tokenizer(grown.tokens + [f"<|reserved-{index}|>" for index in range(-len(grown.tokens) % 32)], grown.merges)


def bare_words(tokenizer: Tokenizer) -> list[str]:
    """The words that have a token with a blank before them, without it."""
    return [token[1:] for token in tokenizer.tokens if token[0] == BLANK and token[1:].isascii() and token[1:].isalpha()]


def may_be_whole(text: str) -> bool:
    """Whether a pre-token may be one token: punctuation, or a blank and a word that nobody would ask to copy."""
    if text[0] == " " and text[1:].isalpha():
        return text[1:] not in FILLERS and text[1:].lower() not in FILLERS
    return not any(sign.isalnum() for sign in text)


def learned_merges(words: Counter[str], count: int) -> list[tuple[str, str]]:
    """The `count` merges that byte-pair encoding learns; rare words matter as much as their square root."""
    pieces = {word: list(word) for word in words}
    weights = {word: number**0.5 for word, number in words.items()}
    merges: list[tuple[str, str]] = []
    for _ in range(count):
        pairs: dict[tuple[str, str], float] = defaultdict(float)
        for word, parts in pieces.items():
            for pair in pairwise(parts):
                pairs[pair] += weights[word]
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        for word, parts in pieces.items():
            if best[0] in parts:
                pieces[word] = with_pair_joined(parts, best)
    return merges


def with_pair_joined(parts: list[str], pair: tuple[str, str]) -> list[str]:
    """`parts` with every occurrence of `pair` made one."""
    joined: list[str] = []
    index = 0
    while index < len(parts):
        if parts[index : index + 2] == list(pair):
            joined.append(parts[index] + parts[index + 1])
            index += 2
        else:
            joined.append(parts[index])
            index += 1
    return joined
