"""Threads: the answers in order, and none within another."""

from __future__ import annotations

import threading
import time

import pytest
from threadpoolctl import ThreadpoolController

from ropewalk import bayes, threads
from ropewalk.threads import side_by_side


def test_the_answers_come_in_the_order_of_the_items() -> None:
    def slow_at_first(i: int) -> int:
        time.sleep(0.02 if i < 2 else 0.0)
        return i * i

    assert side_by_side(slow_at_first, range(20)) == [i * i for i in range(20)]


def test_progress_is_told_item_by_item() -> None:
    told = []

    def steps(items):
        for item in items:
            told.append(item)
            yield item

    assert side_by_side(abs, [-1, 2, -3], steps) == [1, 2, 3]
    assert told == [-1, 2, -3]


def test_an_error_is_not_lost() -> None:
    with pytest.raises(ZeroDivisionError):
        side_by_side(lambda i: 1 // i, [1, 0, 2])


def test_within_a_thread_there_are_no_further_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.os, "cpu_count", lambda: 4)

    def names(_: int) -> set[str]:
        return {
            threading.current_thread().name,
            *side_by_side(lambda _: threading.current_thread().name, range(8)),
        }

    outside = side_by_side(names, range(6))
    assert all(len(own) == 1 for own in outside)
    assert threading.current_thread().name not in set().union(*outside)
    # Back outside threads are to be had again.
    assert len(set(side_by_side(lambda _: (time.sleep(0.01), threading.get_ident())[1], range(8)))) > 1


def test_one_item_needs_no_thread() -> None:
    assert side_by_side(lambda _: threading.current_thread(), [0]) == [threading.main_thread()]


def test_draws_do_not_depend_on_the_threads() -> None:
    d = [0.03, 0.02, 0.01, -0.01, 0.05, 0.04] * 30
    alone = bayes.signed_rank(d, 0.01, draws=20_000, rng=1)
    within = side_by_side(lambda _: bayes.signed_rank(d, 0.01, draws=20_000, rng=1), range(2))
    assert [r.most_probable for r in within] == [alone.most_probable] * 2


def test_of_overlapping_limits_the_last_lifts_it() -> None:
    def most() -> int:
        return max(m["num_threads"] for m in ThreadpoolController().info())

    first, second = threads.one_thread(), threads.one_thread()
    with ThreadpoolController().limit(limits=2):  # as on a machine with two cores, whatever this one has
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert most() == 1  # the second is still within
        second.__exit__(None, None, None)
        assert most() == 2
