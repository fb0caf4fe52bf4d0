"""From conversations to batches: tokens, where loss is taken, and rows of like length side by side."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import torch
from torch import Tensor

from generate.chat import Split
from generate.corpus import conversations
from peers import ALONE, Peers
from template import rendered
from tokenizer import Tokenizer

Row = tuple[list[int], list[bool]]


def row_of(text: str, tokenizer: Tokenizer) -> Row:
    """The tokens of a rendered conversation, and which of them the assistant has to say itself."""
    ids, silence = tokenizer.encode_marked(text)
    learned: list[bool] = []
    speaks = False
    for index, is_silent in zip(ids, silence, strict=True):
        learned.append(speaks and not is_silent)
        speaks = index == tokenizer.assistant or (speaks and index != tokenizer.end)
    return ids, learned


def rows(tokenizer: Tokenizer, seed: int, split: Split, longest: int) -> Iterator[Row]:
    """Rows without end; conversations longer than `longest` tokens are left out."""
    for conversation in conversations(seed, split):
        row = row_of(rendered(conversation), tokenizer)
        if len(row[0]) <= longest:
            yield row


def batches(tokenizer: Tokenizer, seed: int, split: Split, tokens: int, longest: int = 1024, pool: int = 2048, peers: Peers = ALONE) -> Iterator[tuple[Tensor, Tensor]]:
    """
    Inputs and a mask of learned tokens, about `tokens` in each batch, filled up on the right. Every peer makes the same text and takes
    its own of as many batches of like length, so that none waits for another.
    """
    source = rows(tokenizer, seed, split, longest)
    random = Random(seed)
    while True:
        groups = grouped([next(source) for _ in range(pool)], tokens)
        alike = [groups[first : first + peers.count] for first in range(0, len(groups) - peers.count + 1, peers.count)]
        random.shuffle(alike)
        for each in alike:
            yield filled(each[peers.rank], tokenizer.pad)


def grouped(pooled: list[Row], tokens: int) -> list[list[Row]]:
    """The rows by their length, in groups of about so many tokens."""
    groups: list[list[Row]] = [[]]
    for row in sorted(pooled, key=lambda row: len(row[0])):
        if len(row[0]) * (len(groups[-1]) + 1) > tokens:
            groups.append([])
        groups[-1].append(row)
    return groups


def filled(group: list[Row], pad: int) -> tuple[Tensor, Tensor]:
    """The rows as two rectangles."""
    width = max(len(ids) for ids, _ in group)
    tokens = torch.tensor([ids + [pad] * (width - len(ids)) for ids, _ in group])
    learned = torch.tensor([mask + [False] * (width - len(mask)) for _, mask in group])
    return tokens, learned
