"""Trains the embedding model on paraphrases: `python train_embed.py --minutes 30`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from generate.paraphrases import distinct_pairs, pairs
from model import Llama, Shape
from peers import Peers
from precision import fastest
from tokenizer import Tokenizer, trained
from training import Training, joined, options_of, spread

TEMPERATURE = 0.05
ALIKE = 6
Batch = tuple[list[str], list[str]]


def main() -> None:
    """Reads the options, then trains and measures, or writes the pairs that it is measured on."""
    parser = options_of(__doc__, minutes=30, out="out/mini-embed", batch=384)
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=3)
    parser.add_argument("--feed-forward", type=int, default=512)
    parser.add_argument("--write-pairs", type=Path, help="write 500 pairs of test families as JSON lines for another runner, and stop")
    options = parser.parse_args()
    if options.write_pairs:
        lines = (json.dumps({"query": one, "text": other}, ensure_ascii=False) + "\n" for one, other in distinct_pairs(7, "test", 500))
        options.write_pairs.write_text("".join(lines))
        return
    options.out.mkdir(parents=True, exist_ok=True)
    tokenizer_in(options.out, options.seed)
    spread(run, options)


def run(rank: int, options: argparse.Namespace, place: str) -> None:
    """One process of the training."""
    peers = joined(rank, options, place)
    task = Paraphrases(options)
    Training(task, options, peers).run()
    if rank == 0:
        for split in ("validation", "test"):
            print(f"top-1 of 500, {split} families: {100 * top_one(task.model, task.tokenizer, split):.1f} %", flush=True)


class Paraphrases:
    """Learning which sentences mean the same; batches are measured in pairs."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.tokenizer = tokenizer_in(options.out, options.seed)
        shape = Shape(len(self.tokenizer.tokens), options.width, options.layers, options.heads, options.heads, options.feed_forward, context=512, causal=False)
        self.model = Llama(shape).to(self.device)
        torch.nn.init.normal_(self.model.embedding.weight, std=options.width**-0.5)

    def batches(self, seed: int, size: int, peers: Peers) -> Iterator[Batch]:
        """Pairs whose meanings all differ, many of them said in the same words but for a name: only so is the name what counts."""
        source = pairs(seed + 1_000_003 * peers.rank, "train", alike=ALIKE)
        while True:
            found: dict[str, tuple[str, str]] = {}
            while len(found) < size:
                meaning, one, other = next(source)
                found.setdefault(meaning, (one, other))
            yield [one for one, _ in found.values()], [other for _, other in found.values()]

    def size(self, batch: Batch) -> int:
        """Pairs."""
        return len(batch[0])

    def loss(self, batch: Batch) -> Tensor:
        """Every text shall be nearest to its paraphrase, among all texts of the batch."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=fastest(self.device) == torch.bfloat16):
            vectors = embedded(self.model, self.tokenizer, [*batch[0], *batch[1]])
        scores = vectors @ vectors.T / TEMPERATURE
        scores = scores.masked_fill(torch.eye(len(vectors), dtype=torch.bool, device=self.device), float("-inf"))
        wanted = torch.arange(len(vectors), device=self.device).roll(len(vectors) // 2)
        return F.cross_entropy(scores, wanted)

    def held_out(self) -> str:
        """Retrieval on validation families."""
        return f"top-1 of 500 {top_one(self.model, self.tokenizer, 'validation'):.3f}"


def tokenizer_in(folder: Path, seed: int) -> Tokenizer:
    """The tokenizer of the folder, trained on paraphrases if there is none; all its words are cut alike."""
    path = folder / "tokenizer.json"
    if not path.exists():
        texts = (text for _, one, other in islice(pairs(seed, "train"), 30_000) for text in (one, other))
        trained(texts, merges=1000, whole=600).save(path)
    return Tokenizer.load(path)


def embedded(model: Llama, tokenizer: Tokenizer, texts: list[str]) -> Tensor:
    """One vector of length 1 for each text: the mean over its tokens."""
    rows = [tokenizer.encode(text) for text in texts]
    width = max(map(len, rows))
    device = model.embedding.weight.device
    tokens = torch.tensor([row + [tokenizer.pad] * (width - len(row)) for row in rows], device=device)
    is_text = torch.tensor([[True] * len(row) + [False] * (width - len(row)) for row in rows], device=device)
    hidden = model.hidden(tokens, mask=is_text[:, None, None, :]).float()
    return F.normalize((hidden * is_text[..., None]).sum(1) / is_text.sum(1, keepdim=True), dim=-1)


@torch.inference_mode()
def top_one(model: Llama, tokenizer: Tokenizer, split: str, count: int = 500, seed: int = 7) -> float:
    """The share of texts whose nearest among `count` is their paraphrase, on families of `split`."""
    found = distinct_pairs(seed, split, count)  # type: ignore[arg-type]
    ones = embedded(model, tokenizer, [one for one, _ in found])
    others = embedded(model, tokenizer, [other for _, other in found])
    nearest = (ones @ others.T).argmax(1).cpu()
    return float((nearest == torch.arange(count)).float().mean())


if __name__ == "__main__":
    main()
