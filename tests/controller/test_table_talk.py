"""The handover from other threads: in the order of saying, held back where it is to be, and never lost."""

from __future__ import annotations

import threading

from controller.seats import SeatWord, parse_word
from controller.table_talk import TableTalk


def test_words_come_in_the_order_of_saying() -> None:
    talk = TableTalk()
    for text in ("N touch", "E touch"):
        talk.say(parse_word(text, line=1))
    assert [str(talk.next_word(0)), str(talk.next_word(0)), talk.next_word(0)] == ["N touch", "E touch", None]


def test_a_word_that_waits_holds_those_behind_it() -> None:
    talk = TableTalk()
    for text in ("20 N touch", "E touch"):
        talk.say(parse_word(text, line=1))
    assert talk.next_word(19) is None
    assert [str(talk.next_word(20)), str(talk.next_word(20))] == ["N touch", "E touch"]


def test_words_of_many_threads_all_arrive_each_thread_in_its_order() -> None:
    talk = TableTalk()

    def say(seat: str) -> None:
        for k in range(200):
            talk.say(parse_word(f"{k} {seat} touch", line=1))

    threads = [threading.Thread(target=say, args=(seat,)) for seat in "NESW"]
    for thread in threads:
        thread.start()
    heard: list[SeatWord] = []
    while len(heard) < 800:
        word = talk.next_word(1000)
        if word is not None:
            heard.append(word)
    for thread in threads:
        thread.join()
    for seat in "NESW":
        assert [word.after for word in heard if word.seat == seat] == list(range(200))


def test_the_second_wish_to_stop_is_to_stop_at_once() -> None:
    talk = TableTalk()
    assert (talk.stop, talk.stop_now) == (False, False)
    talk.ask_to_stop()
    assert (talk.stop, talk.stop_now) == (True, False)
    talk.ask_to_stop()
    assert (talk.stop, talk.stop_now) == (True, True)
