"""The pages tell the trace file's arrays and metadata as they are."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import msgspec

from explorer.traces import (
    FORMAT,
    VERSION,
    Config,
    Run,
    TraceFile,
    array_spec,
    checks,
    parameter_names,
    schema,
    state_names,
)
from explorer.training import loop
from tests.project.pages.told import ROOT, code, prose, quoted, rows


def test_a_trace_opens_from_python_in_five_lines() -> None:
    [program] = code("python", "files")
    assert len(program.replace("\n\n", "\n").splitlines()) == 5
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    vocabulary, weights = done.stdout.split("\n", 1)
    trace = TraceFile(ROOT / "examples" / "tiny-transformer.safetensors")
    assert vocabulary == str(list(trace.run.vocabulary))
    assert trace.epochs[6] == 30
    assert weights.strip() == str(trace.array("weights", 6, sample=0, layer=0, head=1))
    trace.close()


def arrays_told() -> dict[str, list[str]]:
    """Return the pages' row for each array, by its name."""
    told: dict[str, list[str]] = {}
    for cells in rows("files", "array"):
        for name in re.findall(r"`([^`]+)`", cells[0]):
            assert name not in told
            told[name] = cells
    return told


def test_the_arrays_of_a_trace_are_all_told() -> None:
    config = Config()
    known = {
        *schema.REQUIRED,
        *schema.ACTIVATIONS,
        *checks.BASIS,
        *schema.state_names(Config(dropout=0.1)),
        *("targets", "samples", *schema.OF_PLACES),
        *(f"scalar.{name}" for name in ("epoch", "loss", "accuracy", "gradient", "NAME")),
        *(f"param.{name}".replace(".0.", ".i.") for name in parameter_names(config)),
        *state_names(Config(dropout=0.1)),
    }
    trace = TraceFile(ROOT / "examples" / "tiny-transformer.safetensors")
    assert {name.replace(".0.", ".i.") for name in trace.entries} < known
    trace.close()
    assert arrays_told().keys() == known


def test_the_arrays_of_a_trace_are_as_told() -> None:
    for name, cells in arrays_told().items():
        spec = array_spec(name.replace(".i.", ".0."))
        assert spec is not None
        assert cells[1] == spec.kind, name
        assert quoted(cells[2]) == " ".join(spec.shape), name
        assert ("needed" in cells[3]) == spec.required, name


def test_the_metadata_of_a_trace_is_as_told() -> None:
    told = {
        quoted(cells[0]): cells[2].rstrip("| ").strip("`")
        for cells in rows("files", "key of `run`")
    }
    needed = {name for name, default in told.items() if default == "needed"}
    assert told.keys() == set(Run.__struct_fields__)
    least = msgspec.json.decode(json.dumps({key: ["a"] for key in needed}), type=Run)
    assert told == dict.fromkeys(needed, "needed") | {
        name: json.dumps(value)
        for name, value in json.loads(msgspec.json.encode(least)).items()
        if name not in needed
    }
    assert f"`format` is `{FORMAT}`, `version` is `{VERSION}`" in prose("files")


def test_the_device_rule_is_as_told() -> None:
    rule = prose("guide").split('**Device.** "auto"')[1].split("###")[0]
    [accelerator, threads] = re.findall(r"(\d+) million", rule)
    assert int(accelerator) * 10**6 == loop.WORK_FOR_ACCELERATOR
    assert int(threads) * 10**6 == loop.WORK_FOR_THREADS
