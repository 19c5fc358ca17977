"""Real models: a folder opened offline, its forward pass, and every intermediate of every head.

`load` opens a folder, `Model.run` runs a text through it, and a run's layers and heads have NumPy
arrays.
"""

from explorer.models.array_files import read_arrays
from explorer.models.array_run import ArrayRun
from explorer.models.arrays import run_of
from explorer.models.forward import HeadParameters
from explorer.models.found import Found, found_models
from explorer.models.model import Model, is_model_folder, load
from explorer.models.model_run import ModelRun
from explorer.models.run import Head, Layer, Run
from explorer.models.tokenizer import Piece

__all__ = [
    "ArrayRun",
    "Found",
    "Head",
    "HeadParameters",
    "Layer",
    "Model",
    "ModelRun",
    "Piece",
    "Run",
    "found_models",
    "is_model_folder",
    "load",
    "read_arrays",
    "run_of",
]
