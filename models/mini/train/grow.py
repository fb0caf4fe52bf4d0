"""Makes a trained model deeper, so that training goes on from what it knows: `python grow.py --in out/mini --after 2 4 5 6`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import torch
from torch import nn

from model import Block, Llama, Shape
from training import begun_anew, stored_in


def main() -> None:
    """Reads the options, then writes the deeper model in the place of the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--in", dest="folder", type=Path, default=Path("out/mini"), help="folder of the checkpoint")
    parser.add_argument("--after", type=int, nargs="+", required=True, help="layers, the first is 0, behind each of which a new one is put")
    options = parser.parse_args()
    stored = stored_in(options.folder)
    model = Llama(Shape(**stored["shape"]))
    model.load_state_dict(stored["model"])
    deeper = grown(model, options.after)
    torch.save(begun_anew(deeper), options.folder / "checkpoint.pt")
    print(f"{deeper.shape.layers} layers, {deeper.size() / 1e6:.2f} M parameters")


def grown(model: Llama, after: list[int]) -> Llama:
    """`model` with a new layer behind each of these, which answers as before until it is trained. A number twice means two layers."""
    deeper = Llama(replace(model.shape, layers=model.shape.layers + len(after)))
    deeper.load_state_dict({**deeper.state_dict(), **{name: each for name, each in model.state_dict().items() if not name.startswith("blocks.")}})
    places = iter(deeper.blocks)
    for index, block in enumerate(model.blocks):
        next(places).load_state_dict(block.state_dict())
        for _ in range(after.count(index)):
            silent_copy(next(places), block)
    return deeper


def silent_copy(fresh: Block, block: Block) -> None:
    """Gives a new layer the weights of another, but lets it add nothing to the stream yet."""
    fresh.load_state_dict(block.state_dict())
    nn.init.zeros_(fresh.attention.output.weight)
    nn.init.zeros_(fresh.down.weight)


if __name__ == "__main__":
    main()
