"""Where training starts: with copying built in, so that it need not be discovered.

A language model of this size copies by two layers of attention: one looks at the tokens just before, the next looks for a place where
the same tokens stood before and takes what followed there. Training finds that by itself only after many millions of tokens. Here the
first two layers begin with it. Everything can still be changed by training.

The stream begins as: one dimension that is the same for every token, then one half for the token's own embedding, then the *places*
where the first layer writes the embeddings of the tokens one, two and three before.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model import Attention, Llama

PLACES = (64, 32, 31)
"""Dimensions for the token before, the one before that, and so on; with the embedding's they fill the stream."""

WEIGHTS = (1.0, 0.7, 0.5)
"""How much a match of the last token, the one before it and the one before that counts."""

STEEPNESS = 8.0
"""Each turning pair's part of a score in the first layer."""

MATCH = 16.0
"""The score of a match of the last token in the second layer; of some hundreds of others, none comes near."""

FASTEST = 8
"""As many pairs of a head turn fast enough to tell one token's place from the next."""

SLOW = 0.002
"""Pairs that turn less than this from one token to the next, in radians, compare tokens wherever they stand."""

COPIED = 4.0
"""The length of what the second layer writes, beside an embedding's length of one."""


@torch.no_grad()
def prepared(model: Llama, seed: int) -> Llama:
    """`model` with copying in its first two layers."""
    width = model.shape.width
    if model.shape.head_width < max(PLACES) or model.shape.heads < len(PLACES) or width < 2 * sum(PLACES):
        raise ValueError(f"{model.shape.heads} heads of {model.shape.head_width} are too few or too narrow: {len(PLACES)} of {max(PLACES)} are needed")
    chance = torch.Generator().manual_seed(seed)
    own = slice(1, width - sum(PLACES))
    size = own.stop - own.start
    model.embedding.weight.normal_(std=0.02, generator=chance)
    model.embedding.weight[:, own] = torch.randn(len(model.embedding.weight), size, generator=chance) * size**-0.5
    model.embedding.weight[:, 0] = 1.0
    angles = torch.atan2(model.sin[1], model.cos[1]).cpu()
    places = [across(width, range(width - sum(PLACES[index:]), width - sum(PLACES[index + 1 :]))) for index in range(len(PLACES))]
    reads = torch.zeros(max(PLACES), width)
    reads[:, own] = at_right_angles(max(PLACES), size, chance)
    look_back(model.blocks[0].attention, angles, reads, places)
    look_for_the_same(model.blocks[1].attention, angles, (reads, places), own, chance)
    return model


def across(width: int, dimensions: range) -> Tensor:
    """Rows that read these dimensions of the stream."""
    return torch.eye(width)[list(dimensions)]


def at_right_angles(rows: int, columns: int, chance: torch.Generator) -> Tensor:
    """Random rows of length one at right angles to each other."""
    return torch.linalg.qr(torch.randn(columns, rows, generator=chance))[0].T


def look_back(attention: Attention, angles: Tensor, reads: Tensor, places: list[Tensor]) -> None:
    """Head number n looks n + 1 tokens back and writes a part of the embedding that it finds there into its own place."""
    shape = attention.shape
    head, unit = shape.head_width, (shape.width / 2) ** 0.5
    strength = (STEEPNESS * head**0.5) ** 0.5 / unit
    for index, place in enumerate(places):
        first, size = index * head, len(place)
        q, k = attention.q.weight[first : first + head], attention.k.weight[first : first + head]
        q.zero_()
        k.zero_()
        for pair in range(FASTEST):
            turn = (index + 1) * angles[pair]
            q[2 * pair, 0] = strength
            k[2 * pair, 0], k[2 * pair + 1, 0] = strength * turn.cos(), strength * turn.sin()
        gain = ((shape.width / 2 / size) ** 0.5 / unit) ** 0.5
        attention.v.weight[first : first + head] = 0
        attention.output.weight[:, first : first + head] = 0
        attention.v.weight[first : first + size] = reads[:size] * gain
        attention.output.weight[:, first : first + size] = place.T * gain


def look_for_the_same(attention: Attention, angles: Tensor, known: tuple[Tensor, list[Tensor]], own: slice, chance: torch.Generator) -> None:
    """Every head looks for a token that came after the same tokens as the next one will, and copies a part of its embedding."""
    shape, (reads, places) = attention.shape, known
    head = shape.head_width
    unit = (shape.width / (2 + sum(len(place) for place in places) / (own.stop - own.start))) ** 0.5
    compared = torch.nonzero(angles < SLOW).flatten()
    compared = torch.stack((2 * compared, 2 * compared + 1), dim=1).flatten()
    size = -(-(own.stop - own.start) // shape.heads)
    whole = torch.zeros(size * shape.heads, shape.width)
    whole[: own.stop - own.start, own] = at_right_angles(own.stop - own.start, own.stop - own.start, chance)
    for index in range(shape.heads):
        rows = slice(index * head, (index + 1) * head)
        q, k = torch.zeros(head, shape.width), torch.zeros(head, shape.width)
        for weight, here, there in zip(WEIGHTS, (reads, *places), places, strict=False):
            size_of_match = len(there)
            sketch = torch.randn(len(compared), size_of_match, generator=chance) / len(compared) ** 0.5
            share = size_of_match / (own.stop - own.start)
            strength = (MATCH * weight * head**0.5 / share) ** 0.5 / unit
            q[compared] += sketch @ here[:size_of_match] * strength
            k[compared] += sketch @ there * strength
        attention.q.weight[rows], attention.k.weight[rows] = q, k
        gain = (COPIED / unit) ** 0.5
        attention.v.weight[rows] = 0
        attention.output.weight[:, rows] = 0
        part = whole[index * size : (index + 1) * size] * gain
        attention.v.weight[rows.start : rows.start + size] = part
        attention.output.weight[:, rows.start : rows.start + size] = part.T
