"""What a sweep's folder holds, as text."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.sweeps.folder import SweepFolder
from explorer.sweeps.plan import value_text
from explorer.sweeps.statistics import setting_rows
from explorer.text import _, ascii_number, columns_taken, plain_text
from explorer.text.layout import json_text
from explorer.traces import LABELS


def info_json(folder: SweepFolder) -> Iterator[str]:
    """Yield one JSON object: the plan, how far it is, and a row for each setting."""
    plan, about = folder.plan, folder.about
    results = list(folder.results())
    config = {field: getattr(plan.config, field) for field in plan.config.__struct_fields__}
    config.pop("seed")
    yield json_text(
        {
            "format": about.format,
            "version": about.version,
            "created": about.created,
            "versions": about.versions,
            "config": config,
            "varied": {field: list(values) for field, values in plan.varied.items()},
            "seeds": list(plan.seeds),
            "corpus": list(plan.corpus),
            "runs": plan.runs,
            "done": len(results),
            "settings": [
                {
                    **row.setting,
                    "done": row.runs,
                    "diverged": row.diverged,
                    "never_right": row.never_right,
                    "median": row.median,
                    "p10": row.low,
                    "p90": row.high,
                    "last_loss": row.last_loss,
                }
                for row in setting_rows(plan, results)
            ],
        },
        ascii_only=True,
    )


def info_table(folder: SweepFolder) -> Iterator[str]:
    """Yield the lines of a short description: the plan, and a row for each setting."""
    plan = folder.plan
    results = list(folder.results())
    yield f"{_('Created')}  {plain_text(folder.about.created, 40)}"
    yield _("{done} of {runs} runs are done, {diverged} of them diverged").format(
        done=len(results),
        runs=plan.runs,
        diverged=sum(each.status == "diverged" for each in results),
    )
    yield ""
    names = [_(LABELS[field]) for field in plan.varied]
    table = [[*names, _("runs"), _("all correct from"), _("10–90 %"), _("last loss")]]
    for row in setting_rows(plan, results):
        loss = "–" if row.last_loss is None else ascii_number(row.last_loss, 4)
        band = f"{epoch_text(row.low)}–{epoch_text(row.high)}"
        values = map(value_text, row.setting.values())
        table.append([*values, str(row.runs), epoch_text(row.median), band, loss])
    widths = [max(map(columns_taken, column)) + 2 for column in zip(*table, strict=True)]
    for cells in table:
        padded = (
            cell + " " * (width - columns_taken(cell))
            for cell, width in zip(cells, widths, strict=True)
        )
        yield "".join(padded).rstrip()


def epoch_text(value: float | None) -> str:
    """Return an epoch, which may lie between two; a dash where there is none."""
    return "–" if value is None else f"{value:g}"
