"""The mailbox: every scalar, every event, and nothing of a stale run."""

from __future__ import annotations

import threading

from explorer.training import CPU, Batch, Ended, Mailbox, Progress, Scalar, Started


def progress(run: int, *epochs: int) -> Progress:
    scalars = tuple(Scalar(epoch, 1.0, 0.5) for epoch in epochs)
    return Progress(run, scalars)


def test_it_begins_empty_and_is_empty_once_taken() -> None:
    mailbox = Mailbox()
    assert mailbox.take() == Batch()
    mailbox.begin(1)
    mailbox.put(progress(1, 0))
    mailbox.put(Started(1, CPU))
    mailbox.take()
    assert mailbox.take() == Batch(run=1)


def test_the_newest_frame_wins_and_every_scalar_stays() -> None:
    mailbox = Mailbox()
    mailbox.begin(1)
    mailbox.put(progress(1, 0, 1))
    mailbox.put(progress(1, 2, 3))
    mailbox.put(progress(1, 4))
    batch = mailbox.take()
    assert batch.run == 1
    assert [scalar.epoch for scalar in batch.scalars] == [0, 1, 2, 3, 4]


def test_a_stale_run_is_dropped_but_its_end_is_told() -> None:
    mailbox = Mailbox()
    mailbox.begin(1)
    mailbox.put(progress(1, 0))
    mailbox.begin(2)
    mailbox.put(progress(1, 1))
    mailbox.put(Ended(1, "stopped", 1))
    batch = mailbox.take()
    assert (batch.run, batch.scalars) == (2, ())
    assert batch.events == (Ended(1, "stopped", 1),)


def test_nothing_is_lost_between_threads() -> None:
    mailbox = Mailbox()
    mailbox.begin(1)
    done = threading.Event()

    def put() -> None:
        for epoch in range(20_000):
            mailbox.put(progress(1, epoch))
        done.set()

    thread = threading.Thread(target=put)
    thread.start()
    epochs: list[int] = []
    while not done.is_set():
        epochs += [scalar.epoch for scalar in mailbox.take().scalars]
    thread.join()
    epochs += [scalar.epoch for scalar in mailbox.take().scalars]
    assert epochs == list(range(20_000))
