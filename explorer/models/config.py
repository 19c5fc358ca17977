"""`config.json` as fields that are checked when they are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from explorer.text import N_, Message, Problem, displayable

MOST_LAYERS = 1024
# Fields of this and other families that change numbers, and that no forward here implements.
_UNKNOWN = (
    "pruned_heads",
    "is_decoder",
    "is_encoder_decoder",
    "add_cross_attention",
    "scale_attn_by_inverse_layer_idx",
    "alibi",
    "use_alibi",
    "attn_logit_softcapping",
    "final_logit_softcapping",
    "query_pre_attn_scalar",
    "attention_multiplier",
    "embedding_multiplier",
    "residual_multiplier",
    "logits_scaling",
    "logit_scale",
    "no_rope_layers",
    "num_experts",
    "num_local_experts",
    "quantization_config",
)
_OFF: tuple[object, ...] = (None, False, 0, 1, [], {})


class Config:
    """The fields of a model's `config.json`, or of a group in it.

    Attributes
    ----------
    fields : mapping
    """

    def __init__(self, fields: Mapping[str, Any], path: str = "") -> None:
        self.fields = fields
        self._path = path

    def check_known(self) -> None:
        """Raise a Problem that names the first field which changes numbers unknown to us."""
        if self.fields.get("auto_map"):
            raise Problem(
                N_(
                    'config.json: "auto_map" asks for code that came with the model, which is never'
                    " run: open a model of a known family."
                )
            )
        for name in _UNKNOWN:
            value = self.fields.get(name)
            # 1 is no multiplier at all, True is something switched on.
            if value is True or value not in _OFF:
                raise self.refused(name)

    def refused(self, name: str) -> Problem:
        """Return the problem that a field asks for what is not implemented."""
        return Problem(
            N_(
                'config.json: "{field}" is {value}, which changes numbers in a way that is not'
                " implemented: run the model in Python and give its attention to explorer.capture."
            ),
            field=self._path + name,
            value=_shown(self.fields.get(name)),
        )

    def has(self, name: str) -> bool:
        """Return whether a field is there and not null."""
        return self.fields.get(name) is not None

    def count(
        self, name: str, default: int | None = None, *, least: int = 1, most: int = 2**31
    ) -> int:
        """Return a whole number. Raises Problem."""
        value = self._value(name, default)
        if type(value) is not int or not least <= value <= most:
            raise self._wrong(
                name, value, N_("a whole number from {least} to {most}"), least=least, most=most
            )
        return value

    def layers(self, name: str) -> int:
        """Return how many layers there are. Raises Problem."""
        return self.count(name, most=MOST_LAYERS)

    def number(self, name: str, default: float | None = None) -> float:
        """Return a number above 0, not too large or small for float32. Raises Problem."""
        value = self._value(name, default)
        if type(value) not in (int, float) or not 1e-30 <= value <= 1e30:
            raise self._wrong(name, value, N_("a number above 0"))
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        """Return true or false. Raises Problem."""
        value = self._value(name, default)
        if type(value) is not bool:
            raise self._wrong(name, value, N_("true or false"))
        return value

    def choice(self, name: str, known: Mapping[str, object] | tuple[str, ...], default: str) -> str:
        """Return one of the known words. Raises Problem."""
        value = self._value(name, default)
        if not isinstance(value, str) or value not in known:
            raise (
                self.refused(name)
                if isinstance(value, str)
                else self._wrong(name, value, N_("a text"))
            )
        return value

    def group(self, name: str) -> Config:
        """Return the fields of a group, none where it is not there. Raises Problem."""
        value = self.fields.get(name)
        if value is None:
            value = {}
        if not isinstance(value, dict):
            raise self._wrong(name, value, N_("a group of fields"))
        return Config(value, f"{self._path}{name}.")

    def texts(self, name: str) -> list[str] | None:
        """Return a list of texts, None where it is not there. Raises Problem."""
        value = self.fields.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._wrong(name, value, N_("a list of texts"))
        return value

    def _value(self, name: str, default: Any) -> Any:
        value = self.fields.get(name)
        value = default if value is None else value
        if value is None:
            raise Problem(
                N_('config.json: "{field}" is missing: take the file from the model\'s source.'),
                field=self._path + name,
            )
        return value

    def _wrong(self, name: str, value: object, wanted: str, **args: object) -> Problem:
        return Problem(
            N_('config.json: "{field}" is {value}, but must be {wanted}.'),
            field=self._path + name,
            value=_shown(value),
            wanted=Message(wanted, args),
        )


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    return displayable(json.dumps(value), 40)
