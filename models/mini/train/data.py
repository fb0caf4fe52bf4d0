"""From conversations to batches: tokens, where loss is taken, and rows of like length side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import torch
from torch import Tensor

from generate.chat import Split
from generate.corpus import conversations
from peers import ALONE, Peers
from template import rendered
from tokenizer import Tokenizer

Row = tuple[list[int], list[bool]]

STEP = 32
"""Rows are of like length if as many times so many tokens hold them."""


def row_of(text: str, tokenizer: Tokenizer) -> Row:
    """The tokens of a rendered conversation, and which of them the assistant has to say itself."""
    ids, silence = tokenizer.encode_marked(text)
    learned = [False] * len(ids)
    end = 0
    for _ in range(ids.count(tokenizer.assistant)):
        start = ids.index(tokenizer.assistant, end) + 1
        end = ids.index(tokenizer.end, start) + 1
        learned[start:end] = [not is_silent for is_silent in silence[start:end]]
    return ids, learned


def rows(tokenizer: Tokenizer, seed: int, split: Split, longest: int) -> Iterator[Row]:
    """Rows without end; conversations longer than `longest` tokens are left out."""
    for conversation in conversations(seed, split):
        row = row_of(rendered(conversation), tokenizer)
        if len(row[0]) <= longest:
            yield row


def batches(tokenizer: Tokenizer, seed: int, split: Split, tokens: int, longest: int = 1024, peers: Peers = ALONE) -> Iterator[tuple[Tensor, Tensor]]:
    """
    Inputs and a mask of learned tokens, about `tokens` in each batch, filled up on the right. Every peer makes the same text and takes
    its own of as many batches of like length, so that none waits for another.
    """
    waiting: dict[int, list[Row]] = defaultdict(list)
    for row in rows(tokenizer, seed, split, longest):
        width = -(-len(row[0]) // STEP) * STEP
        each = max(tokens // width, 1)
        waiting[width].append(row)
        if len(waiting[width]) == each * peers.count:
            alike = waiting.pop(width)
            yield filled(alike[peers.rank * each : (peers.rank + 1) * each], tokenizer.pad)


def filled(group: list[Row], pad: int) -> tuple[Tensor, Tensor]:
    """The rows as two rectangles."""
    width = max(len(ids) for ids, _ in group)
    tokens = torch.tensor([ids + [pad] * (width - len(ids)) for ids, _ in group])
    learned = torch.tensor([mask + [False] * (width - len(mask)) for _, mask in group])
    return tokens, learned
