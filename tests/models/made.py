"""Small model folders, made without the libraries that usually make them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from explorer.models.config import Config
from explorer.models.families import FAMILIES

WORDS = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *["the", "cat", "sat", "on", "a", "mat", "because", "it", "was", "tired", "."],
)
BERT = {
    "model_type": "bert",
    "architectures": ["BertModel"],
    "vocab_size": 40,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "max_position_embeddings": 12,
}
GPT2 = {
    "model_type": "gpt2",
    "architectures": ["GPT2LMHeadModel"],
    "vocab_size": 40,
    "n_embd": 16,
    "n_layer": 3,
    "n_head": 4,
    "n_positions": 64,
}
LLAMA = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "vocab_size": 40,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
    "rope_theta": 10000.0,
}

Arrays = dict[str, NDArray[Any]]


def arrays_of(config: dict[str, Any], seed: int = 0) -> Arrays:
    """Return random weights of every tensor that a configuration asks for."""
    random = np.random.default_rng(seed)
    plan = FAMILIES[config["model_type"]].describe(Config(config), ())
    return {
        part.name: (random.normal(size=part.shape) * 0.5).astype(np.float32)
        for part in plan.parts.values()
    }


def model_folder(
    folder: Path,
    config: dict[str, Any] | None = None,
    *,
    arrays: Arrays | None = None,
    tokenizer: bool = True,
) -> Path:
    """Write a small model, a BERT by default, into a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    config = BERT if config is None else config
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    save_file(arrays_of(config) if arrays is None else arrays, folder / "model.safetensors")
    if tokenizer:
        write_tokenizer(folder)
    return folder


def write_tokenizer(folder: Path, words: tuple[str, ...] = WORDS) -> None:
    """Write a tokenizer of whole words and single letters, between [CLS] and [SEP]."""
    letters = [f"##{c}" for c in "abcdefghijklmnop" if len(words) == len(WORDS)]
    vocabulary = {word: i for i, word in enumerate((*words, *letters))}
    special = [
        {
            "id": i,
            "content": words[i],
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for i in range(4)
    ]
    sequence = {"id": "A", "type_id": 0}
    made = {
        "version": "1.0",
        # Both are asked for by published files, and neither must be obeyed.
        "truncation": {
            "direction": "Right",
            "max_length": 6,
            "strategy": "LongestFirst",
            "stride": 0,
        },
        "padding": {
            "strategy": {"Fixed": 8},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        "added_tokens": special,
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": sequence},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
            ],
            "pair": [{"Sequence": sequence}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {
                name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]}
                for name in ("[CLS]", "[SEP]")
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(made), "utf-8")
