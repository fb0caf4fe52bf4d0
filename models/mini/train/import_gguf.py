"""Makes a checkpoint of a GGUF, so that training goes on from it: `python import_gguf.py --from ../parley-mini.gguf --to out/mini`."""

from __future__ import annotations

import argparse
from pathlib import Path

import gguf
import numpy as np
import torch
from torch import Tensor

from export_gguf import tensors
from model import Llama, Shape
from tokenizer import Tokenizer
from training import begun_anew


def main() -> None:
    """Reads the options, writes the checkpoint and the tokenizer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="source", type=Path, default=Path("../parley-mini.gguf"))
    parser.add_argument("--to", type=Path, default=Path("out/mini"), help="folder of the checkpoint and the tokenizer")
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    unpack(gguf.GGUFReader(options.source), options.to)


def unpack(reader: gguf.GGUFReader, target: Path) -> None:
    """The file as a checkpoint."""
    tokens, merges = texts(reader, "tokenizer.ggml.tokens"), texts(reader, "tokenizer.ggml.merges")
    tokenizer = Tokenizer(tokens, [(first, second) for first, second in (merge.split(" ") for merge in merges)])
    shape = shape_of(reader, len(tokens))
    model = Llama(shape)
    named = tensors(dict(model.state_dict()), shape)
    with torch.no_grad():
        for stored in reader.tensors:
            named[stored.name].copy_(values_of(stored))
    tokenizer.save(target / "tokenizer.json")
    torch.save(begun_anew(model), target / "checkpoint.pt")


def shape_of(reader: gguf.GGUFReader, vocabulary: int) -> Shape:
    """The sizes of the model that the file holds."""
    kind = texts(reader, "general.architecture")[0]

    def number(name: str) -> int | float:
        field = reader.fields[f"{kind}.{name}"]
        return field.parts[field.data[0]][0].item()

    return Shape(
        vocabulary,
        width=int(number("embedding_length")),
        layers=int(number("block_count")),
        heads=int(number("attention.head_count")),
        kv_heads=int(number("attention.head_count_kv")),
        feed_forward=int(number("feed_forward_length")),
        context=int(number("context_length")),
        rope_base=float(number("rope.freq_base")),
        # The file keeps 32 bits of it.
        epsilon=round(float(number("attention.layer_norm_rms_epsilon")), 9),
        causal=kind == "llama",
    )


def texts(reader: gguf.GGUFReader, name: str) -> list[str]:
    """A field that holds one text or many."""
    field = reader.fields[name]
    return [bytes(field.parts[index]).decode() for index in field.data]


def values_of(stored: gguf.ReaderTensor) -> Tensor:
    """A tensor in full precision, whatever it is stored in."""
    return torch.from_numpy(np.array(gguf.dequantize(stored.data, stored.tensor_type))).float()


if __name__ == "__main__":
    main()
