"""What a sweep is asked to be: what varies, what stays, its runs, and which train together."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from explorer.text import N_, Listing, Message, Problem, _, displayable, joined, joined_long
from explorer.traces import LABELS, Config, ConfigProblem, Corpus, check, check_field
from explorer.training.parameters import parameter_blocks
from explorer.training.shapes import shape_of, work

FORMAT = "attention-explorer/sweep"
VERSION = "1"
MOST_RUNS = 100_000
# Runs of a chunk: beyond, a batch gains little; larger models fill a core with fewer.
TOGETHER = 16
WORK_TOGETHER = 8_000_000  # of a chunk, as `explorer.training.shapes.work` counts
MEMORY_TOGETHER = 2 * 2**30  # bytes of a chunk's parameters and passes on an accelerator
_PER_NUMBER = 4 * 4  # bytes: a parameter, its gradient and two moments
_LONGEST = 40  # of a value, quoted
_SEEDS = re.compile(r"(\d{1,10})(?:-(\d{1,10}))?", re.ASCII)

Value = bool | int | float | str | None
Setting = Mapping[str, Value]


class Plan(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The runs of a sweep: every setting with every seed, in the order of the seeds.

    config : Config
        What stays; its seed is not read.
    varied : mapping of str to tuple
        Fields of `Config` and the values that each takes.
    seeds : tuple of int
    corpus : tuple of str
        The sentences.
    together : int
        Most runs that train as one batch.
    """

    config: Config
    varied: dict[str, tuple[Value, ...]]
    seeds: tuple[int, ...]
    corpus: tuple[str, ...]
    together: int = TOGETHER

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every combination of values that can be, the last field varying fastest."""
        return tuple(each for each in self._product if self._contradiction(each) is None)

    @cached_property
    def contradictions(self) -> tuple[tuple[Setting, ConfigProblem], ...]:
        """The combinations that cannot be, each with its reason."""
        found = ((each, self._contradiction(each)) for each in self._product)
        return tuple((each, problem) for each, problem in found if problem is not None)

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.settings) * len(self.seeds)

    def place(self, run: int) -> int:
        """Return the place of a run's setting; both count from 0."""
        return run % len(self.settings)

    def setting(self, run: int) -> Setting:
        """Return the setting of a run."""
        return self.settings[self.place(run)]

    def seed(self, run: int) -> int:
        """Return the seed of a run."""
        return self.seeds[run // len(self.settings)]

    def run_config(self, run: int) -> Config:
        """Return the configuration of a run, to be trained as any other."""
        return self._config({**self.setting(run), "seed": self.seed(run)})

    @cached_property
    def chunks(self) -> tuple[tuple[int, ...], ...]:
        """The runs that train together, seed by seed, so that all settings grow evenly."""
        groups: dict[tuple[object, ...], list[int]] = {}
        for place, setting in enumerate(self.settings):
            groups.setdefault(shape_of(self._config(setting)), []).append(place)
        found = []
        for places in groups.values():
            seeds = max(1, self.together // len(places))
            for first in range(0, len(self.seeds), seeds):
                rows = range(first, min(first + seeds, len(self.seeds)))
                runs = [row * len(self.settings) + place for row in rows for place in places]
                found += [
                    (first, tuple(runs[i : i + self.together]))
                    for i in range(0, len(runs), self.together)
                ]
        return tuple(runs for _first, runs in sorted(found))

    def nbytes(self) -> int:
        """Return what the results take on disk."""
        total = 0
        for setting in self.settings:
            config = self._config(setting)
            numbers = 2 * (config.epochs + 1) + parameter_blocks(config, self.sentences).size
            total += 4 * numbers + 80  # its numbers, and its row of the table
        return total * len(self.seeds)

    @cached_property
    def sentences(self) -> Corpus:
        """The corpus."""
        return Corpus(tuple(tuple(line.split(" ")) for line in self.corpus))

    @cached_property
    def _product(self) -> tuple[Setting, ...]:
        names = self.varied.keys()
        return tuple(
            dict(zip(names, values, strict=True))
            for values in itertools.product(*self.varied.values())
        )

    def _config(self, setting: Setting) -> Config:
        return msgspec.structs.replace(self.config, **setting)

    def _contradiction(self, setting: Setting) -> ConfigProblem | None:
        try:
            check(self._config(setting))
        except ConfigProblem as problem:
            return problem
        return None


def made_plan(
    config: Config,
    varied: Mapping[str, Sequence[Value]],
    seeds: Sequence[int],
    corpus: Corpus,
    *,
    leave_out: bool = False,
) -> Plan:
    """Return a plan that can be carried out.

    Parameters
    ----------
    leave_out : bool
        Whether settings that cannot be are left out; else they are a Problem that names them.

    Raises Problem for a sweep of nothing, of too many runs, or of contradictory values.
    """
    for field, values in varied.items():
        for value in values:
            check_field(field, value)
        if len(set(values)) < len(values):
            twice = next(value for value in values if list(values).count(value) > 1)
            raise Problem(
                N_("{label}: {value} appears twice."),
                label=Message(LABELS[field]),
                value=value_text(twice),
            )
    count = math.prod(len(values) for values in varied.values()) * len(seeds)
    if count < 2:
        raise Problem(
            N_("Nothing varies yet: give a parameter two values or more, or take several seeds.")
        )
    if count > MOST_RUNS:
        raise Problem(
            N_("These are {found} runs, but a sweep may have at most {most}."),
            found=count,
            most=MOST_RUNS,
        )
    for seed in (min(seeds), max(seeds)):
        check_field("seed", seed)
    plan = Plan(
        config=config,
        varied={field: tuple(values) for field, values in varied.items()},
        seeds=tuple(seeds),
        corpus=corpus.sentences,
    )
    if plan.contradictions and not (leave_out and plan.settings):
        raise contradictory(plan)
    return msgspec.structs.replace(plan, together=_together(plan))


class Contradictory(Problem):
    """Some settings cannot be; others can."""


def contradictory(plan: Plan) -> Problem:
    """Return the problem that names the settings that cannot be."""
    names = [setting_text(each) for each, _problem in plan.contradictions[:3]]
    if len(plan.contradictions) > 3:
        names.append("…")
    kind = Contradictory if plan.settings else Problem
    return kind(
        N_("{count} of the settings are impossible ({named}): {reason}"),
        count=len(plan.contradictions),
        named=joined_long(names),
        reason=plan.contradictions[0][1].message,
    )


def setting_text(setting: Setting) -> str:
    """Return a setting as it is read: its fields by their names on screen, and their values."""
    return joined(f"{_(LABELS[field])} {value_text(v)}" for field, v in setting.items())


def value_text(value: Value) -> str:
    """Return a value as it is typed."""
    if value is None:
        return "default"
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _together(plan: Plan) -> int:
    config = max(
        (plan.run_config(place) for place in range(len(plan.settings))),
        key=lambda each: work(each, plan.sentences),
    )
    if config.device in ("auto", "cpu"):
        return max(1, min(TOGETHER, WORK_TOGETHER // work(config, plan.sentences)))
    # An accelerator takes as many runs at once as its memory holds.
    corpus = plan.sentences
    tokens = len(corpus.lines) * corpus.longest
    numbers = tokens * config.layers * (16 * config.d_model + 4 * config.heads * corpus.longest)
    size = _PER_NUMBER * parameter_blocks(config, corpus).size + 4 * numbers
    return max(1, min(plan.runs, MEMORY_TOGETHER // size))


def parse_varied(text: str) -> tuple[str, tuple[Value, ...]]:
    """Return a field and its values: "learning_rate=0.0005,0.0015".

    Raises Problem for what is no field, has no values, or a value that cannot be.
    """
    field, equals, rest = text.partition("=")
    field = field.strip().replace("-", "_")
    if field == "seed":
        raise Problem(N_("The seeds of a sweep are named with --seeds, such as --seeds 1-32."))
    if field not in LABELS:
        raise Problem(
            N_("There is no parameter {name}. Choose one of {fields}."),
            name=displayable(field, _LONGEST),
            fields=Listing.of(each for each in LABELS if each != "seed"),
        )
    values = tuple(part.strip() for part in rest.split(",") if part.strip())
    if not equals or not values:
        raise Problem(
            N_("{field} needs values with commas between them, such as {example}."),
            field=field,
            example=f"{field}={value_text(getattr(Config(), field))}",
        )
    return field, tuple(parse_value(field, value) for value in values)


def parse_value(field: str, text: str) -> Value:
    """Return the value of a field that a text means. Raises Problem."""
    usual = getattr(Config(), field)
    known: dict[str, Value] = {}
    if isinstance(usual, bool):
        known = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}
    elif usual is None:
        known = {"default": None, "all": None}
    value: Value = text
    if text.lower() in known:
        value = known[text.lower()]
    elif not isinstance(usual, str):
        try:
            value = float(text) if isinstance(usual, float) else int(text)
        except ValueError:
            value = displayable(text, _LONGEST)
    check_field(field, value)
    return value


def parse_seeds(text: str) -> tuple[int, ...]:
    """Return the seeds that a text means: "1-32", "3, 5, 9-12". Raises Problem."""
    seeds: dict[int, None] = {}
    for part in text.replace(" ", "").split(","):
        match = _SEEDS.fullmatch(part)
        least, most = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
        if most < least:
            raise Problem(
                N_("Seeds must be numbers such as 1-32, not “{text}”."),
                text=displayable(text, _LONGEST),
            )
        if most - least >= MOST_RUNS:
            raise Problem(
                N_("These are {found} runs, but a sweep may have at most {most}."),
                found=most - least + 1,
                most=MOST_RUNS,
            )
        check_field("seed", most)
        seeds.update(dict.fromkeys(range(least, most + 1)))
    return tuple(seeds)


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
