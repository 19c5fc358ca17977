"""A sweep in words: its plan, its runs, a setting."""

from __future__ import annotations

from explorer.sweeps.plan import Plan, Setting, setting_text
from explorer.text import _, joined, ngettext, size_text, time_text


def runs_text(count: int) -> str:
    """Return how many runs there are: "96 runs"."""
    return ngettext("{n} run", "{n} runs", count).format(n=count)


def setting_words(setting: Setting) -> str:
    """Return a setting: "Learning Rate 0.006, Heads 1"."""
    return setting_text(setting) or _("all seeds")


def run_name(plan: Plan, run: int) -> str:
    """Return which run it is, by its seed and its setting."""
    return joined((seed_name(plan, run), setting_words(plan.setting(run))))


def seed_name(plan: Plan, run: int) -> str:
    """Return a run's seed: "Seed 7"."""
    return f"{_('Seed')} {plan.seed(run)}"


def plan_text(plan: Plan, seconds: float | None, workers: int | None) -> str:
    """Return how long a plan takes and how much it keeps, as far as that is known."""
    parts = [
        _("{settings} settings × {seeds} seeds").format(
            settings=len(plan.settings), seeds=len(plan.seeds)
        )
    ]
    if seconds is not None and workers is not None:
        took = seconds / min(workers, len(plan.chunks))
        parts.append(
            ngettext(
                "about {time} with {n} worker", "about {time} with {n} workers", workers
            ).format(time=time_text(took), n=workers)
        )
    elif workers is not None:
        parts.append(_("the time is being estimated…"))
    parts.append(_("{size} on disk").format(size=size_text(plan.nbytes())))
    return " · ".join(parts)
