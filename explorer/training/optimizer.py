"""Adam and gradient descent as torch does them, by the functions behind its classes.

The classes import torch's compiler before their first step, which takes about as long as importing
torch itself.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor
from torch.optim.adam import adam
from torch.optim.sgd import sgd


class Optimizer:
    """Steps along a gradient, with the constants of `torch.optim.Adam` or `torch.optim.SGD`.

    values, gradient : Tensor
        of one shape; a step changes the values as the gradient says
    state : dict of Tensor
        of Adam the two moving means, "exp_avg" and "exp_avg_sq", and the number of steps, "step",
        named as torch does; empty in gradient descent
    """

    def __init__(
        self, kind: Literal["adam", "sgd"], values: Tensor, gradient: Tensor, rate: float
    ) -> None:
        self._values, self._gradient, self._rate = values, gradient, rate
        self.state: dict[str, Tensor] = {}
        if kind == "adam":
            self.state = {
                "exp_avg": torch.zeros_like(values),
                "exp_avg_sq": torch.zeros_like(values),
                "step": torch.zeros((), dtype=torch.float32, device=values.device),
            }

    @torch.no_grad()
    def step(self) -> None:
        """Change the values by one step, in one fused pass."""
        if self.state:
            adam(
                [self._values],
                [self._gradient],
                [self.state["exp_avg"]],
                [self.state["exp_avg_sq"]],
                [],
                [self.state["step"]],
                fused=True,
                amsgrad=False,
                beta1=0.9,
                beta2=0.999,
                lr=self._rate,
                weight_decay=0,
                eps=1e-8,
                maximize=False,
            )
        else:
            sgd(
                [self._values],
                [self._gradient],
                [None],
                fused=True,
                weight_decay=0,
                momentum=0,
                lr=self._rate,
                dampening=0,
                nesterov=False,
                maximize=False,
            )
