"""The scene as a PyTorch module: its parameters, and what it does with X."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.exporters.code import PARAMETER_GROUPS, Writer
from explorer.session import Frame
from explorer.text import of_example, plain_text

_LONGEST_TITLE = 60


def pytorch_module(frame: Frame) -> str:
    """Return a program with the module `Attention`, which is then run on the scene's own rows.

    Its `forward` takes X, where there is one the context too, or else Q, K and V; it returns the
    output and the weights, these with a head axis where there are heads. All is float64.
    """
    return "\n".join(_lines(frame)) + "\n"


def _lines(frame: Frame) -> Iterator[str]:
    scene = frame.scene
    writer = Writer(scene, torch=True)
    takes = ["Q", "K", "V"] if scene.given else ["X"]
    if scene.context is not None and not scene.given:
        takes.append("context")
    parameters = [
        name
        for names, _stages in PARAMETER_GROUPS
        for name in names
        if getattr(scene, name) is not None
    ]
    yield "import torch"
    yield "from torch import nn"
    yield ""
    yield "torch.set_default_dtype(torch.float64)"
    yield ""
    yield ""
    title = plain_text(of_example(scene.title), _LONGEST_TITLE)
    if title:
        yield f"# {title}"
    yield "class Attention(nn.Module):"
    if parameters:
        yield "    def __init__(self):"
        yield "        super().__init__()"
        for name in parameters:
            numbers = f"torch.tensor({getattr(scene, name).tolist()!r})"
            yield f"        self.{name} = nn.Parameter({numbers})"
        yield ""
    yield f"    def forward(self, {', '.join(takes)}):"
    for name in parameters:
        yield f"        {name} = self.{name}"
    for part in (writer.position(), writer.mask(), writer.steps()):
        for text, _stages in part:
            yield f"        {text}"
    yield "        return output, weights"
    yield ""
    yield ""
    for text, _stages in writer.inputs():
        yield text
    yield f"output, weights = Attention()({', '.join(takes)})"
    yield "print(output)"
