"""The model's process: real processes, real folders, one killed for real."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from explorer.model_process import client as client_module
from explorer.model_process import messages
from explorer.model_process.client import Died, ModelProcess
from explorer.model_process.worker import Inbox, Interrupted, Worker
from explorer.models import Model, load
from explorer.models.effects import Followed
from explorer.models.model_run import ModelRun
from explorer.models.next_token import probabilities
from explorer.models.repeats import RepeatScores
from explorer.models.switches import Put
from explorer.resources import example
from explorer.session.model.frame import HeadDetail, PairDetail
from explorer.session.model.switching import ALL_ON, Outcome, Switches
from tests.models.made import GPT2, model_folder
from tests.waiting import until

TEXT = "the cat sat on a mat"
STORY = "When Mary and John went to the shop, John gave a drink to"
SECOND = "When Mary and John went to the shop, Mary gave a drink to"


class Asker:
    """Asks the process as the window does, and keeps the answers."""

    def __init__(self) -> None:
        self.process = ModelProcess()
        self.came: list[messages.Answer | Died] = []

    def ask(self, *requests: messages.Request) -> None:
        for request in requests:
            assert self.process.ask(request) is None

    def until(self, seen: Callable[[messages.Answer | Died], bool]) -> messages.Answer | Died:
        def answers() -> list[messages.Answer | Died]:
            self.came += self.process.take()
            return [each for each in self.came if seen(each)]

        found = until(answers)[0]
        self.came.remove(found)
        return found

    def kind(self, kind: type) -> messages.Answer | Died:
        return self.until(lambda each: isinstance(each, kind))


@pytest.fixture(scope="module")
def warm() -> Iterator[Asker]:
    asker = Asker()
    yield asker
    asker.process.close()
    assert not multiprocessing.active_children()


@pytest.fixture
def asker(warm: Asker) -> Asker:
    warm.came.clear()
    return warm


def opened(asker: Asker, folder: Path, text: str = TEXT, number: int = 1) -> messages.Ran:
    asker.ask(messages.Open(folder), messages.RunText(number, text))
    ran = asker.kind(messages.Ran)
    assert isinstance(ran, messages.Ran)
    return ran


def test_a_folder_opens_and_runs_as_it_would_here(asker: Asker, tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "small")
    ran = opened(asker, folder)
    info = asker.kind(messages.Opened)
    assert isinstance(info, messages.Opened)
    assert (info.info.title, info.info.layers, info.info.heads) == ("small", 2, 4)
    here = load(folder).run(TEXT)
    head = ran.head
    whole = here.head(head.layer + 1, head.head + 1)
    np.testing.assert_array_equal(head.arrays.weights, whole.weights)
    assert ran.summary.pieces == here.pieces
    assert ran.pair is not None
    weights = np.stack([layer.weights[:, ran.pair.query, ran.pair.key] for layer in here.layers])
    np.testing.assert_allclose(ran.pair.weights, weights, atol=1e-6)


def switches(*puts: tuple[int, int, Put], second: str = "") -> Switches:
    return Switches().with_second(second, puts)


def whole_pass(model: Model, text: str, asked: Switches) -> ModelRun:
    """Return the text run from its beginning, what is put in place of heads written out."""
    off = [(layer + 1, head + 1) for layer, head, put in asked.puts if put is Put.ZEROS]
    replace: dict[tuple[int, str], Callable[[Any], Any]] = {}
    for layer, head, put in asked.puts:
        name, made = {
            Put.ZEROS: ("x", lambda x: x),
            Put.MEAN: ("head_output", lambda z: np.broadcast_to(z.mean(axis=0), z.shape)),
            Put.OTHER: (
                "head_output",
                lambda _z, i=layer, h=head: model.run(asked.second).head(i + 1, h + 1).output,
            ),
            Put.UNIFORM: ("weights", lambda a: (a > 0) / (a > 0).sum(axis=-1, keepdims=True)),
            Put.SELF: ("weights", lambda a: np.eye(len(a))),
            Put.PREVIOUS: ("weights", lambda a: np.eye(len(a))[[0, *range(len(a) - 1)]]),
        }[put]
        if put is not Put.ZEROS:

            def changed(value: Any, head: int = head, made: Any = made) -> Any:
                value[head] = made(value[head])
                return value

            assert (layer + 1, name) not in replace
            replace[layer + 1, name] = changed
    return model.run(text, off=off, replace=replace)


def test_what_is_put_in_place_of_heads_is_that_of_a_whole_pass(asker: Asker) -> None:
    """One after the other, with what was asked for before taken over where it is the same."""
    opened(asker, example("stories"), STORY)
    here = load(example("stories"))
    before = here.run(STORY)
    zeros = Put.ZEROS
    for number, asked in enumerate(
        (
            switches((3, 0, zeros)),
            switches((1, 2, zeros), (3, 0, zeros)),
            switches((1, 2, Put.MEAN), (3, 0, zeros)),
            switches((0, 0, Put.UNIFORM), (1, 2, Put.SELF), (2, 1, Put.PREVIOUS)),
            switches((1, 2, Put.OTHER), (2, 1, Put.PREVIOUS), second=SECOND),
            switches((1, 2, Put.OTHER), (3, 3, Put.OTHER), second=STORY),
            ALL_ON,
        ),
        2,
    ):
        asker.ask(messages.RunText(number, STORY, (3, 1), switches=asked))
        ran = asker.kind(messages.Ran)
        assert isinstance(ran, messages.Ran)
        wanted = whole_pass(here, STORY, asked)
        assert ran.summary.switches == asked
        assert ran.head.arrays.weights is not None
        np.testing.assert_allclose(ran.head.arrays.weights, wanted.head(4, 2).weights, atol=1e-5)
        for layer, made in enumerate(wanted.layers):
            np.testing.assert_allclose(ran.summary.tiles[layer], made.weights, atol=1e-5)
        assert ran.next is not None
        now, then = probabilities(wanted), probabilities(before)
        assert ran.outcome is not None
        assert ran.outcome.follows.word == int(then.argmax())
        for row in ran.next.rows:
            assert row.probability == pytest.approx(now[row.id], abs=1e-5)
            if asked.puts:
                assert row.before == pytest.approx(then[row.id], abs=1e-5)
            else:
                assert row.before is None


def test_effects_and_steps_come_while_other_questions_are_answered(asker: Asker) -> None:
    ran = opened(asker, example("stories"), STORY)
    here = load(example("stories"))
    asker.ask(messages.AskWord("John"))
    token = asker.kind(messages.Token)
    assert isinstance(token, messages.Token)
    assert here.text_of(token.token).strip() == "John"
    assert ran.outcome is not None
    follows = Followed(ran.outcome.follows.place, token.token)
    steps = (
        ALL_ON,
        switches((1, 2, Put.ZEROS)),
        switches((1, 2, Put.ZEROS), (3, 3, Put.OTHER), second=SECOND),
    )
    asker.ask(
        messages.AskEffects(1, follows),
        messages.AskOutcomes(1, follows, steps),
        messages.AskHead(1, 0, 0),
    )
    asker.kind(HeadDetail)
    asker.ask(messages.RunText(2, STORY, switches=steps[1], word=token.token))
    again = asker.kind(messages.Ran)
    assert isinstance(again, messages.Ran)
    assert again.outcome == Outcome(follows)
    assert again.next is not None
    assert token.token in [row.id for row in again.next.rows]
    found: dict[tuple[int, int], float] = {}
    values: dict[Switches, float] = {}
    ended: set[type] = set()
    while ended != {messages.HeadEffects, messages.Outcomes}:
        answer = asker.until(
            lambda each: isinstance(each, messages.HeadEffects | messages.Outcomes)
        )
        if isinstance(answer, messages.HeadEffects):
            found |= {(layer, head): change for layer, head, change in answer.found}
        elif isinstance(answer, messages.Outcomes):
            values |= answer.values
        if answer.ended:
            ended.add(type(answer))
    all_on = probabilities(here.run(STORY))[token.token]
    for step in steps:
        wanted = probabilities(whole_pass(here, STORY, step))[token.token]
        assert values[step] == pytest.approx(wanted, abs=1e-5)
    assert set(found) == {(layer, head) for layer in range(4) for head in range(4)}
    for (layer, head), change in found.items():
        alone = probabilities(here.run(STORY, off=[(layer + 1, head + 1)]))[token.token]
        assert change == pytest.approx(alone - all_on, abs=1e-5)


def test_a_model_without_words_tells_how_far_the_vector_turns(asker: Asker, tmp_path: Path) -> None:
    opened(asker, model_folder(tmp_path / "small"))
    asker.ask(messages.RunText(2, TEXT, switches=switches((0, 1, Put.ZEROS), (1, 3, Put.UNIFORM))))
    ran = asker.kind(messages.Ran)
    assert isinstance(ran, messages.Ran)
    here = load(tmp_path / "small")
    asked = switches((0, 1, Put.ZEROS), (1, 3, Put.UNIFORM))
    a, b = (run.hidden.mean(axis=0) for run in (here.run(TEXT), whole_pass(here, TEXT, asked)))
    assert ran.next is None
    assert ran.outcome is not None
    assert ran.outcome.follows == Followed(None)
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert ran.outcome.turned == pytest.approx(cosine, abs=1e-5)


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (
            messages.RunText(2, STORY, switches=switches((0, 0, Put.OTHER), second="Mary")),
            "of the same",
        ),
        (messages.AskWord("Zanzibar"), "Zanzibar is not one token of this model"),
    ],
)
def test_what_cannot_be_done_is_said_and_all_stays(
    asker: Asker, request_: messages.Request, sentence: str
) -> None:
    opened(asker, example("stories"), STORY)
    asker.ask(request_, messages.AskHead(1, 2, 2))
    failed = asker.kind(messages.Failed)
    assert isinstance(failed, messages.Failed)
    assert sentence in str(failed.message)
    assert isinstance(asker.kind(HeadDetail), HeadDetail)


def test_effects_are_stopped_and_a_new_text_drops_them(asker: Asker, tmp_path: Path) -> None:
    # As heavy as a pass of some seconds, so that stopping comes before the end.
    config = GPT2 | {"n_layer": 8, "n_embd": 256, "n_head": 16, "n_positions": 1024}
    folder = model_folder(tmp_path / "large", config)
    ran = opened(asker, folder, "the cat " * 300)
    assert ran.outcome is not None
    asker.ask(messages.AskEffects(1, ran.outcome.follows), messages.Stop())
    assert isinstance(asker.kind(messages.Stopped), messages.Stopped)
    asker.ask(messages.AskEffects(1, ran.outcome.follows), messages.RunText(2, "the cat"))
    asker.kind(messages.Ran)
    asker.ask(messages.Stop())
    asker.kind(messages.Stopped)
    assert not [
        each for each in asker.came if isinstance(each, messages.HeadEffects) and each.ended
    ]


def test_another_text_is_run_with_the_same_heads_off(asker: Asker) -> None:
    opened(asker, example("stories"), STORY)
    off = switches((1, 2, Put.ZEROS))
    asker.ask(
        messages.RunText(2, STORY, switches=off),
        messages.RunText(3, "The cat sat on", switches=off),
    )
    ran = asker.until(lambda each: isinstance(each, messages.Ran) and each.summary.number == 3)
    assert isinstance(ran, messages.Ran)
    assert ran.next is not None
    wanted = probabilities(load(example("stories")).run("The cat sat on", off=[(2, 3)]))
    for row in ran.next.rows:
        assert row.probability == pytest.approx(wanted[row.id], abs=1e-5)
    assert ran.summary.text == "The cat sat on"


def test_a_head_a_pair_and_a_count_are_told_on_demand(asker: Asker, tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "small")
    opened(asker, folder)
    asker.ask(
        messages.AskHead(1, 1, 3), messages.AskPair(1, 2, 4), messages.AskCount("the cat " * 9)
    )
    head, pair, count = asker.kind(HeadDetail), asker.kind(PairDetail), asker.kind(messages.Counted)
    assert isinstance(head, HeadDetail)
    np.testing.assert_array_equal(head.arrays.q, load(folder).run(TEXT).head(2, 4).q)
    assert isinstance(pair, PairDetail)
    assert (pair.query, pair.key, pair.weights.shape) == (2, 4, (2, 4))
    # 18 words, [CLS] and [SEP]; 12 positions take 10 of the words.
    assert count == messages.Counted("the cat " * 9, 20, len("the cat " * 5) - 1)


def test_a_selected_pair_is_kept_where_the_same_tokens_stand_there(
    asker: Asker, tmp_path: Path
) -> None:
    folder = model_folder(tmp_path / "small")
    opened(asker, folder)
    asker.ask(messages.RunText(2, "the cat sat on the mat", (1, 2), (1, 3)))
    ran = asker.kind(messages.Ran)
    assert isinstance(ran, messages.Ran)
    assert (ran.head.layer, ran.head.head) == (1, 2)
    assert ran.pair is not None
    assert (ran.pair.query, ran.pair.key) == (1, 3)
    asker.ask(messages.RunText(3, "a mat sat on the mat", (1, 2), (1, 3)))
    ran = asker.kind(messages.Ran)
    assert isinstance(ran, messages.Ran)
    assert ran.pair is not None
    first = ran.head.pairs[0]
    assert (ran.pair.query, ran.pair.key) == (first.query, first.key)


def test_what_cannot_be_opened_is_told_and_the_model_stays(asker: Asker, tmp_path: Path) -> None:
    opened(asker, model_folder(tmp_path / "small"))
    asker.ask(messages.Open(tmp_path / "nothing.npz"))
    failed = asker.kind(messages.Failed)
    assert isinstance(failed, messages.Failed)
    assert "nothing.npz" in str(failed.message)
    asker.ask(messages.AskHead(1, 0, 0))
    assert isinstance(asker.kind(HeadDetail), HeadDetail)


def test_arrays_open_with_the_text_that_they_are_of(asker: Asker, tmp_path: Path) -> None:
    weights = np.random.default_rng(0).dirichlet(np.ones(5), (2, 3, 5)).astype(np.float32)
    save_file({"weights": weights}, tmp_path / "a.safetensors")
    ran = opened(asker, tmp_path / "a.safetensors", "", number=4)
    info = asker.kind(messages.Opened)
    assert isinstance(info, messages.Opened)
    assert not info.info.runs
    assert ran.head.arrays.q is None
    np.testing.assert_array_equal(ran.head.arrays.weights, weights[ran.head.layer, ran.head.head])


def test_without_a_tokenizer_numbers_of_tokens_are_run(asker: Asker, tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "bare", tokenizer=False)
    ran = opened(asker, folder, "3, 5 7")
    assert [piece.text for piece in ran.summary.pieces] == ["#3", "#5", "#7"]
    asker.ask(messages.RunText(2, "the cat"))
    failed = asker.kind(messages.Failed)
    assert isinstance(failed, messages.Failed)
    assert "101, 2023" in str(failed.message)


def test_a_causal_model_tells_next_tokens_and_scores_on_repeats(
    asker: Asker, tmp_path: Path
) -> None:
    folder = model_folder(tmp_path / "gpt", GPT2, tokenizer=False)
    ran = opened(asker, folder, "3 5 7")
    assert ran.next is not None
    assert 0 < ran.next.rows[0].probability <= 1
    asker.ask(messages.AskRepeats())
    answer = asker.until(lambda each: isinstance(each, RepeatScores | messages.Failed))
    assert isinstance(
        answer, messages.Failed
    )  # its vocabulary of 40 is too small for 50 different tokens


def test_a_head_becomes_a_scene(asker: Asker, tmp_path: Path) -> None:
    opened(asker, model_folder(tmp_path / "small"))
    asker.ask(messages.AskCopy(1, 0, 1, "en"))
    copied = asker.kind(messages.Copied)
    assert isinstance(copied, messages.Copied)
    assert len(copied.scene.tokens) == 8
    assert "layer 1, head 2" in copied.scene.title


def test_a_process_that_dies_is_told_and_starts_again(tmp_path: Path) -> None:
    own = Asker()
    others = set(multiprocessing.active_children())
    opened(own, model_folder(tmp_path / "small"))
    (process,) = set(multiprocessing.active_children()) - others
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    died = own.kind(Died)
    assert isinstance(died, Died)
    assert "−9" in str(died.message)
    own.ask(messages.RunText(2, "the mat"))
    ran = own.until(lambda each: isinstance(each, messages.Ran) and each.summary.number == 2)
    assert isinstance(ran, messages.Ran)
    assert len(ran.summary.pieces) == 4
    own.process.close()


def test_what_does_not_stop_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "STOPS_WITHIN", 0.0)
    own = Asker()
    own.ask(messages.Open(model_folder(tmp_path / "small")), messages.Stop())
    assert isinstance(own.kind(messages.Stopped), messages.Stopped)
    own.process.close()


def test_the_newest_request_of_a_kind_is_answered_and_a_run_gives_way() -> None:
    inbox = Inbox()
    for request in (
        messages.AskHead(1, 0, 0),
        messages.AskCount("a"),
        messages.AskHead(1, 0, 1),
        messages.RunText(1, "a"),
    ):
        inbox.put(request)
    assert inbox.next() == messages.RunText(1, "a")
    inbox.check()
    inbox.put(messages.AskHead(1, 1, 1))
    inbox.check()  # waits its turn
    inbox.put(messages.RunText(2, "b"))
    with pytest.raises(Interrupted):
        inbox.check()
    assert [inbox.next(), inbox.next(), inbox.next()] == [
        messages.RunText(2, "b"),
        messages.AskHead(1, 1, 1),
        messages.AskCount("a"),
    ]


def test_opening_drops_what_was_asked_of_the_model_before() -> None:
    inbox = Inbox()
    inbox.put(messages.AskHead(1, 0, 0))
    inbox.put(messages.Open(Path("a")))
    inbox.put(messages.RunText(1, "a"))
    assert inbox.next() == messages.Open(Path("a"))
    inbox.put(messages.Stop())
    with pytest.raises(Interrupted):
        inbox.check()
    assert inbox.next() == messages.Stop()
    assert inbox.next(wait=False) is None
    inbox.put(messages.AskCount("a"))  # goes before what is done meanwhile
    with pytest.raises(Interrupted):
        inbox.check()


def test_reading_weights_can_be_stopped_and_what_was_open_stays(tmp_path: Path) -> None:
    told: list[messages.Answer] = []
    calls = iter([None] * 100)
    worker = Worker(told.append, lambda: next(calls))
    worker.answer(messages.Open(model_folder(tmp_path / "small")))
    worker.answer(messages.RunText(1, TEXT))

    def stop() -> None:
        raise Interrupted

    worker._check = stop  # what the inbox would say
    with pytest.raises(Interrupted):
        worker.answer(messages.Open(model_folder(tmp_path / "other")))
    worker._check = lambda: None
    told.clear()
    worker.answer(messages.AskHead(1, 0, 0))
    assert [type(each) for each in told] == [HeadDetail]
