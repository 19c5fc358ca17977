"""Where the runs of a sweep train when nothing is said."""

from __future__ import annotations

import msgspec

from explorer.sweeps.plan import Plan, made_plan
from explorer.traces import Config


def with_device(config: Config) -> Config:
    """Return a configuration whose device is named: an accelerator, where PyTorch finds one.

    A batch of runs fills an accelerator that one run of this size would not. Imports torch.
    """
    if config.device != "auto":
        return config
    from explorer.training.loop import devices

    return msgspec.structs.replace(config, device=devices()[-1].kind)


def on_device(plan: Plan) -> Plan:
    """Return a plan whose device is named likewise, with chunks as large as that device takes."""
    config = with_device(plan.config)
    if config is plan.config:
        return plan
    return made_plan(config, plan.varied, plan.seeds, plan.sentences, leave_out=True)
