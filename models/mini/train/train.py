"""Trains the chat model: `python train.py --minutes 120`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from data import batches
from generate.corpus import conversations
from model import Llama, Shape
from peers import Peers
from precision import fastest
from start import prepared
from template import rendered
from tokenizer import Tokenizer, trained
from training import Training, joined, options_of, spread

Batch = tuple[Tensor, Tensor]


def main() -> None:
    """Reads the options, then trains."""
    parser = options_of(__doc__, minutes=120, out="out/mini", batch=4096)
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--heads", type=int, default=5)
    parser.add_argument("--feed-forward", type=int, default=896)
    parser.add_argument("--longest", type=int, default=1024, help="conversations of more tokens are left out")
    parser.add_argument("--among", type=int, default=1, help="learn from one row of so many, the one that the model knows least of")
    parser.add_argument("--plain", action="store_true", help="do not compile the model; slower, needs no C++ compiler")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    tokenizer_in(options.out, options.seed)
    spread(run, options)


def run(rank: int, options: argparse.Namespace, place: str) -> None:
    """One process of the training."""
    peers = joined(rank, options, place)
    Training(Chat(options), options, peers).run()


class Chat:
    """Learning to say what the assistant says; batches are measured in tokens."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.tokenizer = tokenizer_in(options.out, options.seed)
        self.longest, self.among = options.longest, options.among
        shape = Shape(len(self.tokenizer.tokens), options.width, options.layers, options.heads, options.heads, options.feed_forward)
        self.model = prepared(Llama(shape), options.seed).to(self.device)
        self.surprise = surprise
        if not options.plain:
            self.model.compiled()
            self.surprise = torch.compile(surprise, dynamic=True)
        self.unseen = list(islice(batches(self.tokenizer, options.seed, "validation", 2048, self.longest), 16))

    def batches(self, seed: int, size: int, peers: Peers) -> Iterator[Batch]:
        """Conversations of training families, more than are learned from if some are chosen among them."""
        return batches(self.tokenizer, seed, "train", size * self.among, self.longest, peers=peers)

    def size(self, batch: Batch) -> int:
        """Tokens, padding included."""
        return batch[0].numel()

    def loss(self, batch: Batch) -> Tensor:
        """Cross-entropy of the learned tokens, mean over those of the batch or of its hardest rows."""
        return self.each(self.hardest(batch) if self.among > 1 else batch).mean()

    @torch.no_grad()
    def hardest(self, batch: Batch) -> Batch:
        """The rows that it knows least of. What it knows already, which is most of it, costs a third of learning from it."""
        tokens, learned = batch
        kept = -(-len(tokens) // self.among)
        losses = torch.cat([self.each(part) for part in zip(tokens.split(kept), learned.split(kept), strict=True)])
        rows = learned[:, 1:].nonzero()[:, 0].to(losses.device)
        chosen = torch.zeros(len(tokens), device=losses.device).index_add(0, rows, losses).topk(kept).indices.cpu()
        return tokens[chosen], learned[chosen]

    def each(self, batch: Batch) -> Tensor:
        """Cross-entropy of every learned token; the others never reach the vocabulary."""
        tokens, learned = batch
        places = learned[:, 1:].flatten().nonzero().flatten()
        wanted = tokens[:, 1:].flatten()[places]
        tokens, places, wanted = (part.to(self.device, non_blocking=True) for part in (tokens[:, :-1].contiguous(), places, wanted))
        with torch.autocast(self.device.type, torch.bfloat16, enabled=fastest(self.device) == torch.bfloat16):
            return self.surprise(self.model.hidden_at(tokens, places), self.model.embedding.weight, wanted)

    @torch.no_grad()
    def held_out(self) -> str:
        """Mean loss on conversations of validation families."""
        with torch.compiler.set_stance("force_eager"):
            return f"held out {sum(float(self.each(batch).mean()) for batch in self.unseen) / len(self.unseen):.4f}"


def surprise(hidden: Tensor, embedding: Tensor, wanted: Tensor) -> Tensor:
    """How little the stream, compared with every token's embedding, expects the tokens that come."""
    return F.cross_entropy(F.linear(hidden, embedding).float(), wanted, reduction="none")


def tokenizer_in(folder: Path, seed: int) -> Tokenizer:
    """The tokenizer of the folder, trained first if there is none."""
    path = folder / "tokenizer.json"
    if not path.exists():
        texts = (rendered(conversation) for conversation in islice(conversations(seed), 30_000))
        trained(texts).save(path)
    return Tokenizer.load(path)


if __name__ == "__main__":
    main()
