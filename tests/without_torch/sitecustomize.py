"""On the path of a process, as if PyTorch and scikit-learn had never been installed."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec


class _Hidden:
    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec:
        if name.partition(".")[0] in ("torch", "sklearn", "scipy"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None  # type: ignore[return-value]


sys.meta_path.insert(0, _Hidden())  # type: ignore[arg-type]
