"""Writes a checkpoint as GGUF: `python export_gguf.py --from out/mini --to ../parley-mini.gguf`."""

from __future__ import annotations

import argparse
from pathlib import Path

import gguf
import numpy as np
from torch import Tensor

from model import Shape
from template import PATH as TEMPLATE
from tokenizer import CONTROL, MARKUP, Tokenizer
from training import stored_in

ABOUT = {
    "parley-mini": "A small demonstration model, trained from scratch on text that the Parley project generates itself.",
    "parley-mini-embed": "A small embedding model, trained from scratch on text that the Parley project generates itself.",
}
LAYER_TENSORS = {
    "attention_norm": "attn_norm",
    "attention.q": "attn_q",
    "attention.k": "attn_k",
    "attention.v": "attn_v",
    "attention.output": "attn_output",
    "feed_forward_norm": "ffn_norm",
    "gate": "ffn_gate",
    "up": "ffn_up",
    "down": "ffn_down",
}
TYPES = {"f32": gguf.GGMLQuantizationType.F32, "f16": gguf.GGMLQuantizationType.F16, "q8_0": gguf.GGMLQuantizationType.Q8_0}
FILE_TYPES = {"f32": gguf.LlamaFileType.ALL_F32, "f16": gguf.LlamaFileType.MOSTLY_F16, "q8_0": gguf.LlamaFileType.MOSTLY_Q8_0}


def main() -> None:
    """Reads the options, writes the file, says how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="source", type=Path, default=Path("out/mini"), help="folder of the checkpoint and the tokenizer")
    parser.add_argument("--to", type=Path, default=Path("../parley-mini.gguf"))
    parser.add_argument("--type", choices=tuple(TYPES), default="f16", help="how matrices are stored")
    options = parser.parse_args()
    write(options.source, options.to, options.type)
    print(f"{options.to}: {options.to.stat().st_size / 1e6:.2f} MB")


def write(source: Path, target: Path, kind: str) -> None:
    """The checkpoint in `source` as the file `target`; a model that is not causal becomes an embedding model."""
    stored = stored_in(source)
    shape, tokenizer = Shape(**stored["shape"]), Tokenizer.load(source / "tokenizer.json")
    is_chat = shape.causal
    name = "parley-mini" if is_chat else "parley-mini-embed"
    writer = gguf.GGUFWriter(str(target), "llama" if is_chat else "llama-embed")
    add_metadata(writer, name, shape)
    writer.add_file_type(FILE_TYPES[kind])
    add_tokenizer(writer, tokenizer)
    if is_chat:
        writer.add_chat_template(TEMPLATE.read_text())
    else:
        writer.add_pooling_type(gguf.PoolingType.MEAN)
        writer.add_causal_attention(False)
    for called, tensor in tensors(stored["model"], shape).items():
        add_tensor(writer, called, tensor, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_metadata(writer: gguf.GGUFWriter, name: str, shape: Shape) -> None:
    """What the model is and how it is computed."""
    writer.add_type("model")
    writer.add_name(name)
    writer.add_description(ABOUT[name])
    writer.add_author("The Parley project")
    writer.add_license("Apache-2.0")
    writer.add_languages(["en"])
    writer.add_vocab_size(shape.vocabulary)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.feed_forward)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_rope_dimension_count(shape.head_width)
    writer.add_rope_freq_base(shape.rope_base)


def add_tokenizer(writer: gguf.GGUFWriter, tokenizer: Tokenizer) -> None:
    """The vocabulary, the merges and the special tokens; nothing is added before or after a text."""
    kinds = [kind_of(token) for token in tokenizer.tokens]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("llama-bpe")
    writer.add_token_list(tokenizer.tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([" ".join(pair) for pair in tokenizer.merges])
    writer.add_bos_token_id(tokenizer.ids["<|begin|>"])
    writer.add_eos_token_id(tokenizer.end)
    writer.add_eot_token_id(tokenizer.end)
    writer.add_pad_token_id(tokenizer.pad)
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(False)


def kind_of(token: str) -> gguf.TokenType:
    """Control tokens are never shown; markup is text that is one token."""
    if token in CONTROL:
        return gguf.TokenType.CONTROL
    if token in MARKUP:
        return gguf.TokenType.USER_DEFINED
    return gguf.TokenType.UNUSED if token.startswith("<|reserved") else gguf.TokenType.NORMAL


def tensors(stored: dict[str, Tensor], shape: Shape) -> dict[str, Tensor]:
    """Every tensor under llama.cpp's name; the output is tied to the embedding and needs none."""
    named = {"token_embd.weight": stored["embedding.weight"], "output_norm.weight": stored["norm.weight"]}
    for layer in range(shape.layers):
        for ours, theirs in LAYER_TENSORS.items():
            named[f"blk.{layer}.{theirs}.weight"] = stored[f"blocks.{layer}.{ours}.weight"]
    return named


def add_tensor(writer: gguf.GGUFWriter, called: str, tensor: Tensor, kind: str) -> None:
    """Matrices in the chosen type, gains in full."""
    values = tensor.float().numpy()
    if tensor.dim() == 1 or kind == "f32":
        writer.add_tensor(called, values)
    elif kind == "f16":
        writer.add_tensor(called, values.astype(np.float16))
    else:
        packed = gguf.quants.quantize(values, TYPES[kind])
        writer.add_tensor(called, packed, raw_dtype=TYPES[kind])


if __name__ == "__main__":
    main()
