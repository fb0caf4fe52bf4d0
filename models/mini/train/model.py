"""The llama architecture, exactly as llama.cpp computes it, in a few lines."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Cache = list[tuple[Tensor, Tensor]]

SHORT = 384
"""Up to as many tokens, all scores of a row at once are computed sooner than piece by piece."""


@dataclass(frozen=True)
class Shape:
    """What fixes every tensor's size; written into the checkpoint and the GGUF."""

    vocabulary: int
    width: int = 256
    layers: int = 8
    heads: int = 4
    kv_heads: int = 4
    feed_forward: int = 704
    context: int = 2048
    rope_base: float = 1_000_000.0
    epsilon: float = 1e-5
    causal: bool = True

    @property
    def head_width(self) -> int:
        """Width of one attention head."""
        return self.width // self.heads

    def as_dict(self) -> dict[str, int | float | bool]:
        """The shape as plain data."""
        return asdict(self)


class Attention(nn.Module):
    """Grouped-query attention with rotary positions on neighbouring pairs, which is llama.cpp's order."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        kv_width = shape.kv_heads * shape.head_width
        self.q = nn.Linear(shape.width, shape.width, bias=False)
        self.k = nn.Linear(shape.width, kv_width, bias=False)
        self.v = nn.Linear(shape.width, kv_width, bias=False)
        self.output = nn.Linear(shape.width, shape.width, bias=False)

    def forward(self, x: Tensor, turns: tuple[Tensor, Tensor], mask: Tensor | None, cache: Cache | None) -> Tensor:
        rows, length, _ = x.shape
        shape = self.shape
        q = rotated(self.q(x).view(rows, length, shape.heads, shape.head_width), turns).transpose(1, 2)
        k = rotated(self.k(x).view(rows, length, shape.kv_heads, shape.head_width), turns).transpose(1, 2)
        v = self.v(x).view(rows, length, shape.kv_heads, shape.head_width).transpose(1, 2)
        fresh = True
        if cache is not None:
            before = cache.pop(0)
            fresh = before[0].shape[2] == 0
            k, v = torch.cat([before[0], k], dim=2), torch.cat([before[1], v], dim=2)
            cache.append((k, v))
        groups = shape.heads // shape.kv_heads
        k, v = k.repeat_interleave(groups, dim=1), v.repeat_interleave(groups, dim=1)
        causal = shape.causal and mask is None and fresh and length > 1
        mixed = attended(q, k, v, mask, causal)
        return self.output(mixed.transpose(1, 2).reshape(rows, length, shape.width))


class Block(nn.Module):
    """One layer: attention, then SwiGLU, each after an RMS norm and added to the stream."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention_norm = nn.RMSNorm(shape.width, eps=shape.epsilon)
        self.attention = Attention(shape)
        self.feed_forward_norm = nn.RMSNorm(shape.width, eps=shape.epsilon)
        self.gate = nn.Linear(shape.width, shape.feed_forward, bias=False)
        self.up = nn.Linear(shape.width, shape.feed_forward, bias=False)
        self.down = nn.Linear(shape.feed_forward, shape.width, bias=False)

    def forward(self, x: Tensor, turns: tuple[Tensor, Tensor], mask: Tensor | None, cache: Cache | None) -> Tensor:
        return self.thought(self.mixed(x, turns, mask, cache))

    def mixed(self, x: Tensor, turns: tuple[Tensor, Tensor], mask: Tensor | None, cache: Cache | None) -> Tensor:
        """`x` after the attention half, which sees the tokens before."""
        return x + self.attention(self.attention_norm(x), turns, mask, cache)

    def thought(self, x: Tensor) -> Tensor:
        """`x` after the feed-forward half, which sees each token by itself."""
        h = self.feed_forward_norm(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class Llama(nn.Module):
    """A decoder with tied embeddings; with `causal=False` in its shape, an encoder."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.width, eps=shape.epsilon)
        self.apply(self._start)
        for block in self.blocks:
            for last in (block.attention.output, block.down):
                nn.init.normal_(last.weight, std=0.02 / (2 * shape.layers) ** 0.5)
        angles = rope_angles(shape)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    @staticmethod
    def _start(module: nn.Module) -> None:
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)

    def hidden(self, tokens: Tensor, mask: Tensor | None = None, cache: Cache | None = None, start: int = 0) -> Tensor:
        """The normed stream, one vector a token; `cache`, if given, is extended in place."""
        return self.norm(self._through(self.blocks, tokens, mask, cache, start))

    def hidden_at(self, tokens: Tensor, places: Tensor) -> Tensor:
        """The normed stream at these places of the flattened tokens; the last feed-forward half is computed nowhere else."""
        x = self._through(self.blocks[:-1], tokens, None, None, 0)
        last = self.blocks[-1]
        turns = (self.cos[: tokens.shape[1], None], self.sin[: tokens.shape[1], None])
        x = last.mixed(x, turns, None, None)
        return self.norm(last.thought(x.flatten(0, 1).index_select(0, places)))

    def _through(self, blocks: nn.ModuleList, tokens: Tensor, mask: Tensor | None, cache: Cache | None, start: int) -> Tensor:
        x = self.embedding(tokens)
        end = start + tokens.shape[1]
        turns = (self.cos[start:end, None], self.sin[start:end, None])
        for block in blocks:
            x = block(x, turns, mask, cache)
        return x

    def logits(self, hidden: Tensor) -> Tensor:
        """Scores of the next token, through the tied embedding."""
        return F.linear(hidden, self.embedding.weight)

    def compiled(self) -> Llama:
        """This model, each kind of layer compiled once, whatever the length of its rows."""
        *others, last = self.blocks
        for block in others:
            block.compile(dynamic=True)
        last.mixed = torch.compile(last.mixed, dynamic=True)
        last.thought = torch.compile(last.thought, dynamic=True)
        return self

    def empty_cache(self) -> Cache:
        """A cache that holds nothing yet."""
        weight = self.embedding.weight
        none = weight.new_zeros(1, self.shape.kv_heads, 0, self.shape.head_width)
        return [(none, none) for _ in self.blocks]

    @torch.inference_mode()
    def answer(self, prompt: list[int], stop: int, limit: int = 256) -> list[int]:
        """Greedy continuation of `prompt` until the token `stop`, which is left out, or `limit` tokens."""
        cache = self.empty_cache()
        device = self.embedding.weight.device
        tokens = torch.tensor([prompt], device=device)
        answer: list[int] = []
        position = 0
        while len(answer) < limit and position + tokens.shape[1] < self.shape.context:
            hidden = self.hidden(tokens, cache=cache, start=position)[:, -1]
            position += tokens.shape[1]
            best = int(self.logits(hidden).argmax())
            if best == stop:
                break
            answer.append(best)
            tokens = torch.tensor([[best]], device=device)
        return answer

    def size(self) -> int:
        """Number of parameters."""
        return sum(parameter.numel() for parameter in self.parameters())


def attended(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
    """Attention; for short rows on a CPU by plain products, which are faster there."""
    if q.is_cuda or q.shape[-2] > SHORT:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
    scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
    if causal:
        scores = scores + torch.full(scores.shape[-2:], float("-inf"), dtype=scores.dtype).triu(1)
    elif mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ v


def rope_angles(shape: Shape) -> Tensor:
    """Rotation angle of every position and pair."""
    pairs = torch.arange(0, shape.head_width, 2) / shape.head_width
    return torch.outer(torch.arange(shape.context), shape.rope_base**-pairs)


def rotated(x: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
    """`x` with each neighbouring pair turned by its position's angle."""
    cos, sin = turns
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2).type_as(x)
