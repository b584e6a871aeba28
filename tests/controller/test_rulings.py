"""Rulings as JSON and as sentences."""

from __future__ import annotations

import dataclasses

from controller import rulings
from controller.rulings import Misdeal, NotCallable, Option, to_json
from controller.table import Seat
from vision.cards import Card


def test_json_leaves_out_what_has_no_value_and_ends_with_the_reason() -> None:
    ruling = Misdeal(law="whist 37-VI", on=6, because="So says the law.", lost=True, dealer=Seat.W)
    assert list(to_json(ruling).items()) == [
        ("ruling", "misdeal"),
        ("law", "whist 37-VI"),
        ("lost", True),
        ("dealer", "W"),
        ("on", 6),
        ("because", "So says the law."),
    ]


def test_a_field_named_by_a_keyword_is_written_without_its_underscore() -> None:
    ruling = rulings.Barred(law="euchre 15b", on=1, because=".", seats=(Seat.N, Seat.S), from_="order_up")
    assert to_json(ruling)["from"] == "order_up"
    assert to_json(ruling)["seats"] == ["N", "S"]


def test_a_ruling_reads_aloud() -> None:
    option = Option(
        law="whist 30a", on=3, because="If so, then so.", may=(Seat.W, Seat.E), what="new_deal", until="trump_turned"
    )
    assert str(option) == "West and East may claim: new deal. Whist 30a: If so, then so."
    lapsed = rulings.OptionClosed(law="whist 30a", on=3, because="If so, then so.", why="completed")
    assert str(lapsed).startswith("The right to claim has lapsed: the moment is past up to which it lasted. Whist 30a")
    barred = rulings.Barred(law="euchre 15b", on=3, because="So.", seats=(Seat.N, Seat.S), from_="privilege")
    assert str(barred) == "North and South may no longer use the privilege of the trump card. Euchre 15b: So."
    assert " may no longer order up. " in str(dataclasses.replace(barred, from_="order_up"))
    seen = NotCallable(law="whist 30c", on=3, because="If so, then so.", card=Card.parse("7C"))
    assert str(seen).startswith("Not to be called: seven of clubs.")
    policy = rulings.NewDeal(law=None, policy="machine_fault", on=3, because="So.", dealer=Seat.S)
    assert str(policy) == "New deal: South deals again. House setting machine_fault: So."
    right = rulings.PriorRight(law="table 3", on=3, because="So.", players=("p1",), player="p1", lost=True)
    assert str(right) == "p1 loses his prior right. Table 3: So."
    cut = rulings.CutAgain(law="table 2", on=3, because="So.", players=("p1", "p2"))
    assert str(cut) == "To cut: p1 and p2. Table 2: So."


def test_a_misdeal_that_costs_no_deal_says_so_and_why() -> None:
    lost = Misdeal(law="whist 37-VI", on=6, because="So.", lost=True, dealer=Seat.W)
    assert str(lost) == "Misdeal: West deals next. Whist 37-VI: So."
    saved = dataclasses.replace(lost, lost=False, dealer=Seat.S, saved_by="whist 39")
    assert str(saved) == "Misdeal, but the deal is not lost (whist 39): South deals again. Whist 37-VI: So."
    housed = dataclasses.replace(saved, saved_by=None)
    assert str(housed) == "Misdeal, but the deal is not lost: South deals again. Whist 37-VI: So."
