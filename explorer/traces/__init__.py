"""What was recorded: the configuration and corpus of a run, its steps, and the files they are in.

A run is recorded by a `SpoolWriter` into a folder of its own, seen as it grows through a
`SpoolTrace`, saved by `save_trace` as one safetensors file, and opened again as a `TraceFile`.
"""

from explorer.traces.basis import as_kept, fit_basis
from explorer.traces.corpus import (
    DEFAULT_CORPUS,
    Corpus,
    CorpusProblem,
    parse_samples,
    samples_text,
)
from explorer.traces.corpus_text import parse_corpus, read_corpus_text
from explorer.traces.marks import Mark, Said, read_said
from explorer.traces.runs import AbandonedRun, abandoned_runs, new_run_folder, prune, remove_run
from explorer.traces.save import save_trace
from explorer.traces.schema import (
    ACTIVATIONS,
    ArraySpec,
    array_spec,
    expected_bytes,
    keeps_state,
    parameter_names,
    parameter_shapes,
    state_names,
    usual_samples,
)
from explorer.traces.spec import (
    FORMAT,
    LABELS,
    LIMITS,
    MOST_SAMPLES,
    SAMPLES_LABEL,
    VERSION,
    Config,
    ConfigProblem,
    Fork,
    Limit,
    Run,
    check,
    check_field,
    recorded_epochs,
)
from explorer.traces.splitting import (
    SPLITTING_LABELS,
    SPLITTING_LIMITS,
    Splitting,
    check_splitting,
)
from explorer.traces.spool import SpoolWriter
from explorer.traces.spool_trace import SpoolTrace
from explorer.traces.storage import TraceFile
from explorer.traces.trace import BadStep, Step, Trace

__all__ = [
    "ACTIVATIONS",
    "DEFAULT_CORPUS",
    "FORMAT",
    "LABELS",
    "LIMITS",
    "MOST_SAMPLES",
    "SAMPLES_LABEL",
    "SPLITTING_LABELS",
    "SPLITTING_LIMITS",
    "VERSION",
    "AbandonedRun",
    "ArraySpec",
    "BadStep",
    "Config",
    "ConfigProblem",
    "Corpus",
    "CorpusProblem",
    "Fork",
    "Limit",
    "Mark",
    "Run",
    "SpoolTrace",
    "SpoolWriter",
    "Splitting",
    "Step",
    "Trace",
    "TraceFile",
    "abandoned_runs",
    "array_spec",
    "as_kept",
    "check",
    "check_field",
    "check_splitting",
    "expected_bytes",
    "fit_basis",
    "keeps_state",
    "new_run_folder",
    "parameter_names",
    "parameter_shapes",
    "parse_corpus",
    "parse_samples",
    "prune",
    "read_corpus_text",
    "read_said",
    "Said",
    "recorded_epochs",
    "remove_run",
    "samples_text",
    "save_trace",
    "state_names",
    "usual_samples",
]
