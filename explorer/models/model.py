"""A model folder, opened offline, and its runs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from explorer.models.config import Config
from explorer.models.families import FAMILIES
from explorer.models.folders import (
    CONFIG,
    INDEX,
    LARGEST_CONFIG,
    WEIGHTS,
    read_config,
    read_json,
    snapshot_of,
)
from explorer.models.forward import Forward, HeadParameters, Report
from explorer.models.model_run import ModelRun
from explorer.models.plan import Family, Plan
from explorer.models.run import Array, check_head, read_only
from explorer.models.tokenizer import TOKENIZER, Encoded, Piece, Tokenizer
from explorer.models.weights import Weights
from explorer.text import N_, Listing, Problem, displayable, why_refused

MOST_TOKENS = 4096  # one head of so many takes 64 MiB
# Tensors that old files keep among a layer's, and that hold nothing a model was taught.
_BUFFERS = re.compile(r"\.(attn|attention)\.(masked_)?bias$|\.rotary_emb\.inv_freq$")
_PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
_CONVERT = (
    'python -c "import glob, torch, safetensors.torch as s; s.save_file({k: v.contiguous().clone()'
    " for f in glob.glob('pytorch_model*.bin')"
    " for k, v in torch.load(f, weights_only=True).items()}, 'model.safetensors')\""
)


def load(
    folder: str | os.PathLike[str], *, dtype: Literal["float32", "float64"] = "float32"
) -> Model:
    """Open a model folder as Hugging Face tools save it. Nothing is downloaded, mapped or executed.

    The folder holds `config.json`, `model.safetensors` (or an index and shards) and, unless runs
    are asked for by numbers of tokens alone, `tokenizer.json`. A folder of the standard cache,
    `models--owner--name`, opens its current snapshot. Weights are read when they are first used.

    Parameters
    ----------
    folder : path
    dtype : str
        What is computed in.

    Raises
    ------
    Problem
        One sentence that names the file, the field or tensor, the reason and the remedy.
    """
    path = snapshot_of(Path(folder))
    shown = displayable(path.name or str(path))
    try:
        if not path.is_dir():
            raise Problem(N_("{folder} is not a folder: name a model's folder."), folder=shown)
        here = {each.name for each in path.iterdir()}
    except (OSError, ValueError) as error:
        raise Problem(
            N_("{file} cannot be opened: {reason}."), file=shown, reason=why_refused(error)
        ) from None
    _check_files(shown, here)
    config = read_config(path)
    family = _family(config)
    config.check_known()
    weights = Weights(path)
    try:
        weights.without_prefix(family.prefix)
        plan = family.describe(config, frozenset(weights.names))
        weights.check(plan.parts.values())
        _check_strangers(plan, family.layer, weights.names)
        tokenizer = Tokenizer(path, plan.vocabulary) if TOKENIZER in here else None
        made_for = _made_for(path, here, plan)
        start = config.fields.get("bos_token_id")
    except BaseException:
        weights.close()
        raise
    return Model(
        path,
        plan,
        weights,
        tokenizer,
        np.float32 if dtype == "float32" else np.float64,
        made_for,
        start if type(start) is int and 0 <= start < plan.vocabulary else None,
    )


def is_model_folder(path: Path) -> bool:
    """Return whether a folder is a model's, or one of the standard cache that holds one."""
    try:
        return (snapshot_of(path) / CONFIG).is_file()
    except (OSError, ValueError):
        return False


@dataclass(frozen=True, eq=False)
class Model:
    """An open model folder.

    Attributes
    ----------
    folder : Path
    plan : Plan
        Its sizes and choices.
    tokenizer : Tokenizer or None
    dtype : float32 or float64
    made_for : int
        How many tokens it was made for, where it names fewer than it can take.
    start : int or None
        The token that a text begins with, by the configuration.
    """

    folder: Path
    plan: Plan
    weights: Weights = field(repr=False)
    tokenizer: Tokenizer | None = field(repr=False)
    dtype: type[np.floating] = np.float32
    made_for: int = 0
    start: int | None = None

    @property
    def positions(self) -> int:
        """How many tokens a run takes at most."""
        return min(self.plan.positions, MOST_TOKENS)

    @cached_property
    def frame(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numbers of the tokens that begin and end every text, such as those of [CLS], [SEP].

        A causal model whose tokenizer adds none begins with the one that its configuration names.
        """
        if self.tokenizer is not None and (ids := self.tokenizer.encode("", 8).ids):
            return ids[:1], ids[1:]
        return ((self.start,) if self.plan.causal and self.start is not None else ()), ()

    @property
    def special_ids(self) -> frozenset[int]:
        """The numbers of the tokens that are no words."""
        return frozenset() if self.tokenizer is None else self.tokenizer.special_ids

    def parameters(self, layer: int, head: int) -> HeadParameters:
        """Return what one head computes with, layer and head counted from 1. Raises Problem."""
        check_head(layer, head, self.plan.layers, self.plan.heads)
        return self._forward((), {}).parameters(layer - 1, head - 1)

    def text_of(self, token: int) -> str:
        """Return what a token of the vocabulary is called. Untrusted plain text."""
        return f"#{token}" if self.tokenizer is None else self.tokenizer.text_of(token)

    def run(
        self,
        text: str | None = None,
        *,
        ids: Sequence[int] | None = None,
        off: Iterable[tuple[int, int]] = (),
        replace: Mapping[tuple[int, str], Callable[[Array], Array]] | None = None,
        report: Report | None = None,
    ) -> ModelRun:
        """Run the model on a text, or on numbers of tokens.

        Parameters
        ----------
        text : str
        ids : sequence of int
        off : set of (layer, head)
            Heads whose output counts as zeros; both count from 1.
        replace : mapping of (layer, name) to function
            Takes an intermediate and returns what is taken in its place, of the same shape. Layers
            count from 1, one more than there are stands for the end; `explorer/models/forward.py`
            has the names. The function must give the same for the same input: it is called again
            when a layer's arrays are asked for.
        report : function, optional
            Called with the number of layers done, after each one; may raise to stop the run.

        Raises
        ------
        Problem
        """
        encoded = self._encoded(text, ids)
        forward = self._forward(off, replace or {})
        numbers = np.array(encoded.ids, np.int64)
        streams = forward.layers(forward.embed(numbers), 0, report)
        return self._made(encoded, text, forward, streams)

    def again(
        self,
        run: ModelRun,
        *,
        off: Iterable[tuple[int, int]] = (),
        replace: Mapping[tuple[int, str], Callable[[Array], Array]] | None = None,
        report: Report | None = None,
    ) -> ModelRun:
        """Run the same text with other heads off or other replacements.

        What lies before the first layer that differs is taken from `run`.
        """
        forward = self._forward(off, replace or {})
        start = _first_changed(run.forward, forward, self.plan.layers)
        begin = run.streams[start]
        changed = forward.replace.get((start, "residual"))
        if start == 0:
            begin = forward.embed(np.array(run.ids, np.int64))
        elif changed is not None or (start, "residual") in run.forward.replace:
            # The stream before the replacement is not kept; the layer before it makes it again.
            start -= 1
            begin = run.streams[start]
        streams = [*run.streams[:start], *forward.layers(begin, start, report)]
        encoded = Encoded(run.ids, run.pieces, run.left_out)
        return self._made(encoded, run.text, forward, streams)

    def _encoded(self, text: str | None, ids: Sequence[int] | None) -> Encoded:
        if (text is None) == (ids is None):
            raise Problem(N_("Give either a text or token numbers (ids)."))
        if text is not None:
            if self.tokenizer is None:
                raise Problem(
                    N_(
                        "{folder} has no {file}: add it, or give numbers of tokens (ids) in place"
                        " of a text."
                    ),
                    folder=displayable(self.folder.name),
                    file=TOKENIZER,
                )
            encoded = self.tokenizer.encode(text, self.positions)
        else:
            assert ids is not None
            encoded = self._numbered([int(i) for i in ids])
        if not encoded.ids:
            raise Problem(N_("The text has no tokens: type a word."))
        words = self.plan.vocabulary
        wrong = next((i for i in encoded.ids if not 0 <= i < words), None)
        if wrong is not None:
            raise Problem(
                N_("Token {found} is not in the model's vocabulary, which goes from 0 to {last}."),
                found=wrong,
                last=words - 1,
            )
        return encoded

    def _numbered(self, ids: list[int]) -> Encoded:
        first = ids[: self.positions]
        inside = all(0 <= i < self.plan.vocabulary for i in first)
        if self.tokenizer is not None and inside:
            pieces = self.tokenizer.pieces(first)
        else:
            pieces = tuple(Piece(f"#{i}", f"#{i}") for i in first)
        return Encoded(tuple(first), pieces, len(ids) - len(first))

    def _forward(
        self,
        off: Iterable[tuple[int, int]],
        replaced: Mapping[tuple[int, str], Callable[[Array], Array]],
    ) -> Forward:
        plan = self.plan
        heads = set()
        for layer, head in off:
            check_head(layer, head, plan.layers, plan.heads)
            heads.add((layer - 1, head - 1))
        numbered = {(layer - 1, name): made for (layer, name), made in replaced.items()}
        return Forward(plan, self.weights, self.dtype, frozenset(heads), numbered)

    def _made(
        self, encoded: Encoded, text: str | None, forward: Forward, streams: list[Array]
    ) -> ModelRun:
        return ModelRun(
            model=self,
            ids=encoded.ids,
            pieces=encoded.pieces,
            text=text,
            left_out=encoded.left_out,
            forward=forward,
            streams=tuple(read_only(each) for each in streams),
        )


def _first_changed(old: Forward, new: Forward, layers: int) -> int:
    """Return the first layer in which two passes differ; the number of layers where none does."""
    places = [layer for layer, _head in old.off ^ new.off]
    for key in old.replace.keys() | new.replace.keys():
        if old.replace.get(key) != new.replace.get(key):
            places.append(key[0])
    return min([layers, *places])


def _check_files(folder: str, here: Collection[str]) -> None:
    if CONFIG not in here:
        raise Problem(
            N_("{folder} has no {file}: name a folder that a model was saved in."),
            folder=folder,
            file=CONFIG,
        )
    if WEIGHTS in here or INDEX in here:
        return
    pickle = next((name for name in _PICKLES if name in here), None)
    if pickle is not None:
        raise Problem(
            N_(
                "{file} is pickled, which can run any code, so it is not opened; this line, run in"
                " its folder, makes a file that can: {line}"
            ),
            file=pickle,
            line=_CONVERT,
        )
    raise Problem(
        N_("{folder} has no {file}: take it from the model's source."), folder=folder, file=WEIGHTS
    )


def _family(config: Config) -> Family:
    kind = config.fields.get("model_type")
    if not isinstance(kind, str) or kind not in FAMILIES:
        raise Problem(
            N_(
                'config.json: "model_type" is {found}, but only {known} are known: run others in '
                "Python and give their attention to explorer.capture."
            ),
            found=displayable(str(kind), 40),
            known=Listing.of(FAMILIES),
        )
    return FAMILIES[kind]


def _check_strangers(plan: Plan, layer: str, names: Iterable[str]) -> None:
    """Raise a Problem naming a tensor within the layers that the family does not have."""
    known = {part.name for part in plan.parts.values()}
    for name in sorted(names):
        if not name.startswith(layer) or name in known or _BUFFERS.search(name):
            continue
        raise Problem(
            N_(
                "The weights hold {array}, which a {family} with {layers} layers does not have:"
                " take all files from the same source."
            ),
            array=displayable(name, 64),
            family=plan.family,
            layers=plan.layers,
        )


def _made_for(folder: Path, here: Collection[str], plan: Plan) -> int:
    """Return the length that a folder of sentence-transformers names; 0 where it names none."""
    name = "sentence_bert_config.json"
    if name not in here:
        return 0
    told = read_json(folder, name, LARGEST_CONFIG)
    most = told.get("max_seq_length") if isinstance(told, dict) else None
    return most if type(most) is int and 0 < most < plan.positions else 0
