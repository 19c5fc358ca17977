"""The parameters that are folded away at first."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.kit.fold import INSET, Fold
from explorer.kit.labels import plain_label
from explorer.kit.motion import unfold
from explorer.kit.small_inputs import CalmCombo
from explorer.kit.theme import Theme
from explorer.rooms.train.parameter_rows import Emit, ParameterRow, SamplesRow, rows
from explorer.session.train import TrainFrame
from explorer.session.train.intents import OpenMoreParameters
from explorer.text import _, displayable, ngettext

FIELDS = (
    "layers",
    "feed_forward",
    "causal",
    "position_kind",
    "initialisation",
    "dropout",
    "optimizer",
    "batch_size",
    "device",
)
_HEADER = 30  # px at 100 %
_LONGEST = 60  # of a device's name


class MoreParameters(QWidget):
    """A line that says the most telling of them and unfolds to all."""

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open = False
        self._devices: tuple[str, ...] | None = None
        self._frame = TrainFrame()
        self._optimizers = {"adam": "Adam", "sgd": "SGD"}
        choices = {
            "position_kind": {"learned": _("Learned"), "sinusoidal": _("Sinusoidal")},
            "initialisation": {"pytorch": "PyTorch", "xavier": "Xavier", "he": "He"},
            "optimizer": self._optimizers,
            "device": {"auto": _("Automatic"), "cpu": "CPU"},
        }
        self.fold = Fold(_("More"), INSET, theme)
        self.fold.header.clicked.connect(
            lambda: emit(OpenMoreParameters(not self._frame.look.more_open))
        )
        self.rows: dict[str, ParameterRow] = rows(FIELDS, theme, emit, choices)
        self.rows["samples"] = SamplesRow(theme, emit)
        self.running = plain_label("ink3")
        self.body = QWidget()
        self._column = QVBoxLayout(self.body)
        self._column.setSpacing(0)
        for row in self.rows.values():
            self._column.addWidget(row)
        self._column.addWidget(self.running)
        self.body.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.fold)
        whole.addWidget(self.body)
        self.retheme(theme)

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's values."""
        self._frame = frame
        if frame.devices != self._devices:
            self._devices = frame.devices
            self._offer_devices(frame)
        for row in self.rows.values():
            row.draw(frame)
        width = str(2 * frame.config.d_model)
        self.rows["feed_forward"].set_placeholder(width)
        self.rows["batch_size"].set_placeholder(_("all"))
        self._tell(frame)
        # What cannot be is never hidden.
        unfolded = frame.look.more_open or any(field in frame.problems for field in self.rows)
        if unfolded != self._open:
            self._open = unfolded
            self.body.setVisible(unfolded)
            self.fold.show_open(unfolded)
            if unfolded:
                unfold(self.body)

    def _offer_devices(self, frame: TrainFrame) -> None:
        found = dict.fromkeys(("cpu", *frame.devices, frame.config.device))
        found.pop("auto", None)
        names = {"auto": _("Automatic")} | {kind: kind.upper() for kind in found}
        combo = self.rows["device"].input
        assert isinstance(combo, CalmCombo)
        ParameterRow.offer(combo, names)

    def _tell(self, frame: TrainFrame) -> None:
        config, progress = frame.config, frame.progress
        running = progress.device if progress.active else ""
        layers = ngettext("{n} layer", "{n} layers", config.layers).format(n=config.layers)
        if running or config.device != "auto":
            device = _device_name(running or config.device)
        else:
            device = "CPU" if len(frame.devices) < 2 else _("auto")
        parts = (layers, self._optimizers[config.optimizer], device)
        self.fold.show_summary(" · ".join(parts))
        text = _("The run trains on {device}.").format(device=_device_name(running))
        if self.running.text() != (text if running else ""):
            self.running.setText(text if running else "")
        self.running.setVisible(bool(running))

    def retheme(self, theme: Theme, compact: bool = False) -> None:
        """Take another theme, text scale or height."""
        inset = theme.px(INSET)
        self.fold.retheme(theme)
        self.fold.header.setFixedHeight(theme.px(_HEADER))
        self._column.setContentsMargins(inset, 0, inset, theme.px(8))
        self.running.setFont(theme.font(13))
        for row in self.rows.values():
            row.retheme(theme, compact)
            row.label.setFont(theme.font(13))


def _device_name(device: str) -> str:
    """Return a device as it is written: CPU, CUDA, or what its maker calls it."""
    return device.upper() if device in ("cpu", "cuda", "mps") else displayable(device, _LONGEST)
