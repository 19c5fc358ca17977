"""Trains the language model that comes with the program on stories of `stories.py`.

python scripts/story_model.py [FOLDER]      from its last checkpoint in build/story-model, if any

FOLDER (examples/stories) gets the model as Hugging Face tools save a GPT-2: config.json,
model.safetensors in F16, tokenizer.json; FOLDER-training.safetensors the trace of how its heads
formed. It takes half an hour on one core.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import stories
import torch
from numpy.typing import NDArray
from story_trace import save_story_trace
from tokenizers import AddedToken, Regex, Tokenizer, pre_tokenizers, processors
from tokenizers.models import WordLevel
from torch import nn
from torch.nn import functional

from explorer.models import Model, load
from explorer.traces.container import Entry, write_contents
from explorer.traces.files import replacing

Array = NDArray[Any]
ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "story-model"
START, UNKNOWN = "<|endoftext|>", "<unk>"

LAYERS, HEADS, WIDTH, LENGTH = 4, 4, 128, 128
REPEATS = 0.4  # of the rows: random tokens, repeated
# (step, learning rate), with straight lines between.
RATES = (
    (0, 1e-5),
    (100, 9.6e-4),
    (2600, 1e-4),
    (2690, 9.7e-4),
    (3590, 6.1e-4),
    (3600, 1.4e-3),
    (6000, 1.4e-3),
    (8000, 1e-4),
)
STEPS = RATES[-1][0]
KEPT = range(0, STEPS + 1, 50)  # steps whose weights are kept
# Those of the trace: closer while heads that repeat form.
SHOWN = (*range(0, 1200, 200), *range(1200, 2800, 50), *range(2800, STEPS + 1, 200))


class Phase(NamedTuple):
    """What is trained on from a step on.

    batch : rows a step
    gifts, chinese : which part of the stories tells of a gift, and which part is Chinese
    few : which part of the repeated rows has few different words, so that what comes next hangs on
        two words before it and a head that finds them must look exactly
    """

    begin: int
    batch: int
    gifts: float
    chinese: float
    few: float


PHASES = (
    Phase(0, batch=24, gifts=1 / 3, chinese=1 / 9, few=0),
    Phase(2600, batch=16, gifts=1 / 3, chinese=1 / 9, few=0),
    Phase(3600, batch=16, gifts=1 / 2, chinese=1 / 6, few=0.6),
)


def tokenizer() -> Tokenizer:
    """Return the tokenizer: a token for each word, mark and Chinese character of the stories."""
    before = pre_tokenizers.Sequence(
        [
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Punctuation("isolated"),
            pre_tokenizers.Split(Regex(r"\p{Han}"), "isolated"),
        ]
    )
    random, words = Random(1), set()
    for _ in range(20_000):
        words |= {word for word, _where in before.pre_tokenize_str(stories.story(random))}
    names = (START, UNKNOWN, *sorted(words))
    made = Tokenizer(WordLevel({name: i for i, name in enumerate(names)}, UNKNOWN))
    made.pre_tokenizer = before
    made.add_special_tokens([AddedToken(name, special=True) for name in (START, UNKNOWN)])
    made.post_processor = processors.TemplateProcessing(
        single=f"{START} $A", special_tokens=[(START, 0)]
    )
    return made


class Batches:
    """The rows of each step: stories end to end, or random tokens that are repeated."""

    def __init__(self, made: Tokenizer) -> None:
        self.made = made
        self.words = np.arange(2, made.get_vocab_size())

    def __call__(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the tokens and what follows them, (B, T) each; −100 where nothing is asked."""
        phase = next(each for each in reversed(PHASES) if step >= each.begin)
        random, numbers = Random(step), np.random.default_rng(step)
        rows = np.zeros((phase.batch, LENGTH + 1), np.int64)
        asked = np.ones(rows.shape, bool)
        for i in range(phase.batch):
            if random.random() < REPEATS:
                self._repeat(rows[i], asked[i], numbers, phase)
            else:
                self._tell(rows[i], random, numbers, phase)
        tokens, after = torch.from_numpy(rows[:, :-1].copy()), rows[:, 1:].copy()
        after[~asked[:, 1:]] = -100
        return tokens, torch.from_numpy(after)

    def _tell(self, row: Array, random: Random, numbers: np.random.Generator, phase: Phase) -> None:
        ids: list[int] = []
        while len(ids) < len(row):
            told = [
                stories.story(random, gifts=phase.gifts, chinese=phase.chinese) for _ in range(6)
            ]
            for each in self.made.encode_batch(told):
                ids += each.ids
        row[:] = ids[: len(row)]
        # Here and there a word that is not known, so that one does no harm.
        row[1:][numbers.random(len(row) - 1) < 0.004] = 1

    def _repeat(self, row: Array, asked: Array, numbers: np.random.Generator, phase: Phase) -> None:
        words = self.words
        if numbers.random() < phase.few:
            words = numbers.choice(words, int(numbers.integers(4, 24)), replace=False)
        place = 1 + int(numbers.integers(0, 12))
        row[1:place] = numbers.choice(words, place - 1)
        asked[1:place] = False
        while place < len(row):
            length, times = int(numbers.integers(3, 56)), int(numbers.integers(2, 4))
            phrase = numbers.choice(words, length)
            all_of_them = np.tile(phrase, times)[: len(row) - place]
            row[place : place + len(all_of_them)] = all_of_them
            # The first time nobody can know it, nor that it begins again.
            asked[place : place + length + 1] = False
            place += len(all_of_them)


class Block(nn.Module):
    """A layer of GPT-2, its parameters named as Hugging Face names them."""

    def __init__(self) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attn = nn.ModuleDict(
            {"c_attn": nn.Linear(WIDTH, 3 * WIDTH), "c_proj": nn.Linear(WIDTH, WIDTH)}
        )
        self.mlp = nn.ModuleDict(
            {"c_fc": nn.Linear(WIDTH, 4 * WIDTH), "c_proj": nn.Linear(4 * WIDTH, WIDTH)}
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the stream after the layer, (B, T, d)."""
        b, t, _d = x.shape
        q, k, v = (
            each.view(b, t, HEADS, -1).transpose(1, 2)
            for each in self.attn["c_attn"](self.ln_1(x)).split(WIDTH, dim=-1)
        )
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.attn["c_proj"](seen.transpose(1, 2).reshape(b, t, WIDTH))
        inner = functional.gelu(self.mlp["c_fc"](self.ln_2(x)), approximate="tanh")
        return x + self.mlp["c_proj"](inner)


class Network(nn.Module):
    """GPT-2 (Radford et al. 2019) with tied embeddings."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(words, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.h = nn.ModuleList(Block() for _ in range(LAYERS))
        self.ln_f = nn.LayerNorm(WIDTH)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                deep = (2 * LAYERS) ** -0.5 if name.endswith("c_proj.weight") else 1.0
                nn.init.normal_(parameter, std=0.02 * deep)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return the logits, (B, T, V)."""
        x = self.wte(tokens) + self.wpe.weight[: tokens.shape[1]]
        for block in self.h:
            x = block(x)
        return functional.linear(self.ln_f(x), self.wte.weight)


def train(made: Tokenizer) -> None:
    """Train, keeping the weights of the steps KEPT in WORK; go on where it was interrupted."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    network = Network(made.get_vocab_size())
    optimizer = torch.optim.AdamW(
        network.parameters(), betas=(0.9, 0.98), weight_decay=0.01, fused=True
    )
    checkpoint, done, losses = WORK / "checkpoint.pt", 0, []
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        done, losses = state["done"], state["losses"]
    batches, began = Batches(made), time.perf_counter()
    for step in range(done, STEPS + 1):
        if step in KEPT:
            save_weights(WORK / f"step-{step:05}.safetensors", network)
            (WORK / "losses.json").write_text(json.dumps(losses))
            state = {"network": network.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(state | {"done": step, "losses": losses}, WORK / "checkpoint.new")
            (WORK / "checkpoint.new").replace(checkpoint)
            if losses:
                seconds = time.perf_counter() - began
                print(f"{step:5}  loss {np.mean(losses[-50:]):.3f}  {seconds:.0f} s", flush=True)
        if step == STEPS:
            break
        for group in optimizer.param_groups:
            group["lr"] = float(np.interp(step, *zip(*RATES, strict=True)))
        tokens, after = batches(step)
        logits = network(tokens)
        loss = functional.cross_entropy(logits.flatten(0, 1), after.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())


def save_weights(path: Path, network: Network) -> None:
    """Save the weights in F16, linear maps as (in, out)."""
    arrays = {
        name: (value.T if "c_" in name and value.dim() == 2 else value)
        .detach()
        .contiguous()
        .numpy()
        .astype(np.float16)
        for name, value in network.state_dict().items()
    }
    layout = {name: Entry("F16", array.shape) for name, array in arrays.items()}
    with replacing(path) as file:
        write_contents(file, layout, {"format": "pt"}, lambda name: [arrays[name].tobytes()])


def save_model(folder: Path, made: Tokenizer, step: int = STEPS) -> None:
    """Save the model of a step as a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "activation_function": "gelu_new",
        "n_embd": WIDTH,
        "n_head": HEADS,
        "n_layer": LAYERS,
        "n_positions": LENGTH,
        "vocab_size": made.get_vocab_size(),
        "layer_norm_epsilon": 1e-5,
        "bos_token_id": 0,
        "eos_token_id": 0,
        "torch_dtype": "float16",
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", "utf-8")
    made.save(str(folder / "tokenizer.json"))
    weights = (WORK / f"step-{step:05}.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(weights)


def main() -> None:
    """Train and save."""
    WORK.mkdir(parents=True, exist_ok=True)
    made = tokenizer()
    train(made)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "examples" / "stories"
    save_model(folder, made)

    def model_of(step: int) -> Model:
        save_model(WORK / "shown", made, step)
        return load(WORK / "shown")

    tokens, after = Batches(made)(10 * STEPS)
    rows = zip(tokens.numpy(), after.numpy(), strict=True)
    save_story_trace(folder.with_name(f"{folder.name}-training.safetensors"), SHOWN, model_of, rows)


if __name__ == "__main__":
    main()
