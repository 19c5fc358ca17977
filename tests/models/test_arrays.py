"""Files of arrays: every layout that is promised, and a sentence for whatever is not."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file
from safetensors.torch import save_file as save_torch

from explorer.models.array_files import read_arrays
from explorer.models.arrays import run_of
from explorer.models.figures import run_figures
from explorer.models.functions import softmax
from explorer.text import Problem

RANDOM = np.random.default_rng(5)
L, H, T, S, D = 3, 4, 5, 6, 8
Q = RANDOM.normal(size=(L, H, T, D)).astype(np.float32)
K = RANDOM.normal(size=(L, H, S, D)).astype(np.float32)
V = RANDOM.normal(size=(L, H, S, D)).astype(np.float32)
A = softmax(RANDOM.normal(size=(L, H, T, S)).astype(np.float32))

Write = Callable[[Path, dict[str, Any]], Path]


def npz(folder: Path, arrays: dict[str, Any]) -> Path:
    np.savez_compressed(folder / "a.npz", **arrays)
    return folder / "a.npz"


def safetensors(folder: Path, arrays: dict[str, Any]) -> Path:
    texts = {name: json.dumps(arrays[name].tolist()) for name in arrays if "tokens" in name}
    numbers = {name: np.ascontiguousarray(a) for name, a in arrays.items() if name not in texts}
    save_file(numbers, folder / "a.safetensors", texts)
    return folder / "a.safetensors"


@pytest.fixture(params=[npz, safetensors])
def write(request: pytest.FixtureRequest) -> Write:
    return request.param


def refusal(path: Path, *named: str, **options: Any) -> None:
    with pytest.raises(Problem) as caught:
        read_arrays(path, **options)
    sentence = str(caught.value)
    assert "\n" not in sentence
    for name in (path.name, *named):
        assert name in sentence, sentence


@pytest.mark.parametrize("name", ["weights", "attentions"])
@pytest.mark.parametrize(("array", "layers", "heads"), [(A[0, 0], 1, 1), (A[0], 1, H), (A, L, H)])
def test_weights_alone_have_any_number_of_axes(
    tmp_path: Path, write: Write, name: str, array: Any, layers: int, heads: int
) -> None:
    run = read_arrays(write(tmp_path, {name: array}))
    whole = array.reshape(layers, heads, T, S)
    assert len(run.layers) == layers
    for i, layer in enumerate(run.layers):
        assert layer.heads == heads
        assert (layer.weights == whole[i]).all()
        assert layer.q is layer.k is layer.v is layer.scores is layer.head_output is None
    assert run.tokens == tuple("12345")
    assert run.key_tokens == tuple("123456")
    head = run.head(layers, heads)
    assert (head.weights == whole[-1, -1]).all()
    assert head.q is head.output is None
    assert run_figures(run).places.shape == (layers, heads, 5)


def test_q_k_v_make_scores_weights_and_outputs(tmp_path: Path, write: Write) -> None:
    names = {"tokens": np.array(list("abcde")), "key_tokens": np.array(list("uvwxyz"))}
    run = read_arrays(write(tmp_path, {"q": Q, "k": K, "v": V, **names}))
    assert (run.tokens, run.key_tokens) == (tuple("abcde"), tuple("uvwxyz"))
    for i, layer in enumerate(run.layers):
        scores = Q[i] @ K[i].swapaxes(-1, -2) / np.sqrt(D)
        np.testing.assert_allclose(layer.scores, scores, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(layer.weights, softmax(scores), rtol=1e-5)
        np.testing.assert_allclose(layer.head_output, softmax(scores) @ V[i], rtol=1e-4, atol=1e-6)
        assert (layer.q == Q[i]).all()
    head = run.head(2, 3)
    np.testing.assert_allclose(head.output, run.layers[1].head_output[2])


def test_scale_and_masks_are_applied(tmp_path: Path, write: Write) -> None:
    seen = RANDOM.random((T, S)) < 0.6
    seen[:, 0] = True
    added = np.where(seen, 0.25, -3.4e38).astype(np.float32)
    expected = np.where(seen, Q[0] @ K[0].swapaxes(-1, -2) * 0.5, -np.inf)
    for mask, shift in ((seen, 0), (added, 0.25), (np.stack([seen] * H), 0)):
        arrays = {"q": Q[0], "k": K[0], "scale": np.array(0.5), "mask": mask}
        layer = read_arrays(write(tmp_path, arrays)).layers[0]
        np.testing.assert_allclose(layer.scores, expected + shift, rtol=1e-5, atol=1e-6)
        assert (layer.weights[:, ~seen] == 0).all()
    per_layer = {"q.0": Q[0], "k.0": K[0], "q.1": Q[1], "k.1": K[1], "scale.1": np.array([2.0])}
    first, second = read_arrays(write(tmp_path, per_layer)).layers
    np.testing.assert_allclose(
        first.scores, Q[0] @ K[0].swapaxes(-1, -2) / np.sqrt(D), rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(
        second.scores, Q[1] @ K[1].swapaxes(-1, -2) * 2, rtol=1e-5, atol=1e-6
    )


def test_layers_may_be_numbered_and_batched(tmp_path: Path, write: Write) -> None:
    batch = np.stack([A, A[::-1]], axis=1)  # (L, B, H, T, S)
    numbered = {f"attentions.{i}": batch[i] for i in range(L)}
    for arrays in (numbered, {"attentions": batch}):
        path = write(tmp_path, arrays)
        for sample, expected in ((1, A), (2, A[::-1])):
            run = read_arrays(path, sample=sample)
            assert (np.stack([layer.weights for layer in run.layers]) == expected).all()
        refusal(path, "sample 3", sample=3)
    gaps = read_arrays(write(tmp_path, {"weights.7": A[1], "weights.2": A[0], "k.7": K[1]}))
    assert (gaps.layers[0].weights == A[0]).all()
    assert (gaps.layers[1].k == K[1]).all()


def test_a_transformer_lens_cache_is_read(tmp_path: Path, write: Write) -> None:
    scores = np.where(np.tri(T, T), RANDOM.normal(size=(L, H, T, T)), -3.4028235e38)
    cache: dict[str, Any] = {"hook_embed": np.zeros((1, T, D), np.float32)}
    for i in range(L):
        at = f"blocks.{i}.attn.hook_"
        cache[at + "attn_scores"] = scores[i][None].astype(np.float32)
        cache[at + "q"] = np.zeros((1, T, H, D), np.float32)
        cache[at + "rot_q"] = Q[i].swapaxes(0, 1)[None]
        cache[at + "rot_k"] = K[i][:2, :T].swapaxes(0, 1)[None]
        cache[at + "k"] = np.ones((1, T, 2, D), np.float32)
        cache[at + "v"] = V[i][:, :T].swapaxes(0, 1)[None]
        if i:  # a pattern goes before what the scores would give
            cache[at + "pattern"] = softmax(scores[i])[None].astype(np.float32)
    run = read_arrays(write(tmp_path, cache), tokens=list("hello"))
    assert run.tokens == run.key_tokens == tuple("hello")
    for i, layer in enumerate(run.layers):
        assert (layer.q == Q[i]).all()
        assert (layer.k == np.repeat(K[i][:2, :T], 2, axis=0)).all()
        assert (layer.v == V[i][:, :T]).all()
        assert np.isneginf(layer.scores[:, ~np.tri(T, dtype=bool)]).all()
        np.testing.assert_allclose(layer.weights, softmax(scores[i]), rtol=1e-5, atol=1e-7)


def test_half_precision_is_read(tmp_path: Path) -> None:
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        tensor = torch.from_numpy(A).to(dtype)
        save_torch({"weights": tensor}, tmp_path / "a.safetensors")
        made = read_arrays(tmp_path / "a.safetensors").layers[2].weights
        assert (made == tensor[2].to(torch.float64).numpy()).all()


BAD = A[0].copy()
BAD[1, 2, 3] = np.nan


@pytest.mark.parametrize(
    ("arrays", "named"),
    [
        ({"something": A}, "weights"),
        ({"weights": A[0, 0, 0]}, "weights has the shape 6"),
        ({"weights": BAD}, "weights"),
        ({"weights": A[0] * 7}, "scores"),
        ({"weights": A[0] - 1}, "scores"),
        ({"weights": A[0][:, :0]}, "weights"),
        ({"weights": A[0], "attentions": A[0]}, "attentions"),
        ({"weights": A[0], "q.0": Q[0]}, "weights"),
        ({"q": Q}, "Layer 1"),
        ({"q": Q, "k": K[..., :3]}, "k has the shape 4 × 6 × 3"),
        ({"q": Q, "k": K[:, :3]}, "k has the shape 3 × 6 × 8"),
        ({"weights": A, "q": Q[:, :, :2]}, "q has the shape"),
        ({"weights": A, "v": V[:, :, :2]}, "v has the shape"),
        ({"q": Q, "k": K, "mask": np.ones((T, T), bool)}, "mask"),
        ({"q": Q, "k": K, "mask": np.ones((T, S), np.int64)}, "mask"),
        ({"q": Q, "k": K, "scale": np.ones(3, np.float32)}, "scale"),
        ({"weights.0": A[0], "weights.1": A[1][:, :3]}, "Layer 2"),
        ({"weights": np.zeros((1, 9000), np.float32)}, "9000"),
        ({"blocks.0.attn.hook_q": Q[0, 0]}, "hook_q"),
        ({"weights": A.astype(np.complex64)}, "weights"),
    ],
)
def test_what_does_not_fit_is_named(
    tmp_path: Path, write: Write, arrays: dict[str, Any], named: str
) -> None:
    if write is safetensors and arrays.get("weights", A).dtype == np.complex64:
        arrays = {"weights": A.astype(np.int8)}
        save_file(arrays, tmp_path / "a.safetensors")
    refusal(write(tmp_path, arrays), named)


def test_names_of_tokens_are_counted(tmp_path: Path, write: Write) -> None:
    path = write(tmp_path, {"weights": A})
    refusal(path, "4 tokens", tokens=list("abcd"))
    refusal(path, "2 key_tokens", key_tokens=["a", "b"])
    assert read_arrays(path, tokens=list("abcde")).key_tokens == tuple("123456")


def test_nothing_is_unpickled_or_inflated_beyond_its_size(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, weights=np.array([{"a": 1}], object))
    refusal(path, "weights", "pickled")
    np.savez(path, weights=A, tokens=np.array([b"a"], object))
    refusal(path, "tokens", "pickled")
    # A small file that would be very large.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        header = BytesIO()
        np.lib.format.write_array_header_1_0(
            header, {"shape": (2**28,), "fortran_order": False, "descr": "<f4"}
        )
        with archive.open("weights.npy", "w", force_zip64=True) as member:
            member.write(header.getvalue())
            for _part in range(1025):
                member.write(bytes(2**20))
    assert path.stat().st_size < 2**23
    refusal(path, "MB")
    # A header that promises more than there is.
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("weights.npy", header.getvalue() + bytes(64))
    refusal(path, "weights", "bytes")


def test_broken_files_of_arrays_are_refused(tmp_path: Path, write: Write) -> None:
    path = write(tmp_path, {"weights": A, "q": Q, "k": K})
    data = path.read_bytes()
    random = np.random.default_rng(3)
    refused = 0
    for _attempt in range(200):
        broken = bytearray(data)
        place = int(random.integers(len(broken)))
        if random.random() < 0.3:
            del broken[place:]
        else:
            broken[place] = int(random.integers(256))
        path.write_bytes(broken)
        with np.errstate(all="ignore"):
            try:
                read_arrays(path)
            except Problem:
                refused += 1
    assert refused > 50


def test_arrays_in_memory_are_a_run_too() -> None:
    run = run_of({"weights": A, "v": V}, tokens=list("abcde"), key_tokens=list("uvwxyz"))
    np.testing.assert_allclose(run.head(1, 2).output, A[0, 1] @ V[0, 1], rtol=1e-5)
