"""The clauses that the running machine meets: for each a course of a deal, from what happens to the rulings on it.

A course is written in two small languages. What happens: `12 shown W report exposed_on s` is a deed at a moment of a
passage (`offer`, `loaded` and so on as scenarios have them, `done+800` for 800 ms later), `fault gate_slip at=10 to=W`
a fault of the machine, `face at=2 place=open` a face that comes to light on the table, `cut 2`, `fresh_cuts 2,12` how
the pone cuts, `people decide=s` what people are like. What is ruled: `option 12a may=W,E what=new_deal until=touch`,
the law by its number. South has the deal, so the eldest hand is West, his partner North and the pone East.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from controller.house import House


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """One course of a deal.

    Attributes:
        code: the code of laws.
        title: what happens.
        meets: the clauses that it meets, by their rows in the tables of the laws; a ruling cites each.
        shows: clauses that it keeps, on which there is nothing to rule: as they are kept, no ruling comes.
        does: what happens.
        rulings: all that must be said, in order.
        ends: how the deal ends, and who deals next.
        house: the decisions of the house.
        watched: whether a camera is over the table.
    """

    code: str
    title: str
    meets: str
    does: tuple[str, ...]
    rulings: tuple[str, ...]
    ends: str
    shows: str = ""
    house: House = field(default_factory=House)
    watched: bool = False

    def toml(self) -> str:
        """Return the scenario."""
        cuts, people, rest = {"cut": "12"}, "", ""
        for line in self.does:
            word, *words = line.split()
            match word:
                case "fault":
                    rest += f'[[deal.fault]]\nkind = "{words[0]}"\n{_fields(words[1:])}'
                case "face":
                    rest += f"[[deal.exposed]]\n{_fields(words)}"
                case "cut":
                    cuts["cut"] = words[0]
                case "fresh_cuts":
                    cuts["fresh_cuts"] = f"[{words[0]}]"
                case "people":
                    people = f"[people]\n{_fields(words)}"
                case _:
                    rest += _deed(word, words)
        return people + "[[deal]]\n" + "".join(f"{key} = {value}\n" for key, value in cuts.items()) + rest

    def expected(self) -> list[dict[str, Any]]:
        """Return the rulings as the record has them, without lines and reasons."""
        said = []
        for line in self.rulings:
            kind, number, *words = line.split()
            ruling = {"ruling": kind, "law": f"{self.code} {number}"} | dict(map(_read, words))
            if "saved_by" in ruling:
                ruling["saved_by"] = f"{self.code} {ruling['saved_by']}"
            said.append(ruling)
        return said


def _read(word: str) -> tuple[str, Any]:
    key, _, value = word.partition("=")
    if key in ("may", "seats"):
        return key, value.split(",")
    return key, {"yes": True, "no": False}.get(value, value)


def _fields(words: list[str]) -> str:
    """Return `key=value` pairs as TOML; what is no number is a text."""
    pairs = (word.partition("=") for word in words)
    return "".join(f"{key} = {value if value.isdigit() else repr(value)}\n" for key, _, value in pairs)


def _deed(at: str, words: list[str]) -> str:
    moment, who, what, *more = words
    phase, _, after = moment.partition("+")
    fields = [f"at={at}", f"phase={phase}", f"what={what}", *([f"after_ms={after}"] if after else [])]
    fields += [f"seat={who}"] if who != "-" else []
    fields += [f"{key}={word}" for key, word in zip(("says", "who"), more, strict=False) if word != "-"]
    return f"[[deal.act]]\n{_fields(fields)}"


EUCHRE: Final = (
    Course(
        code="euchre",
        title="a card shows in the cut, then two cards are cut; people want what is not theirs; the pack is wrong",
        meets="E9a E9b E13b",
        watched=True,
        does=(
            "people cut_ms=2000",
            "face phase=offer place=cut card=9C for_ms=1500",
            "fresh_cuts 2,12",
            "1 shown N ask deal",
            "2 shown W ask cut",
            "4 shown E report wrong_pack",
        ),
        rulings=(
            "reshuffle_and_cut 9b",
            "fresh_cut 9a",
            "refused 10c act=deal",
            "refused 9a act=cut",
            "stop 13b dealer=S",
        ),
        ends="stopped S",
    ),
    Course(
        code="euchre",
        title="the camera sees a face, whoever showed it; an adversary claims",
        meets="E12a",
        watched=True,
        does=("face at=2 card=9H place=open seat=E for_ms=3000", "3 done+2500 E claim new_deal"),
        rulings=("option 12a may=W,E what=new_deal until=touch", "new_deal 12a dealer=S"),
        ends="new_deal S",
    ),
    Course(
        code="euchre",
        title="two errors are put right, faces are let pass, and the trump is answered out of turn and twice",
        meets="E12a E12c E13a E14e E15a E15b",
        shows="E10a E10b E10c",
        does=(
            "fault double_feed at=2",
            "fault gate_slip at=5 to=N",
            "7 shown W report exposed_on s",
            "7 done+600 W waive",
            "7 done+900 E waive",
            "9 shown W report exposed_on n",
            "9 done+900 - key",
            "11 shown E touch",
            "12 shown W report exposed_on s",
            "31 done+600 N report out_of_turn",
            "31 done+700 N call pass",
            "31 done+800 W call pass",
            "31 done+900 W call order_up",
            "31 done+1000 S claim bar",
        ),
        rulings=(
            "correct_first 14e",
            "correct_first 14e",
            "option 12a may=W,E what=new_deal until=touch",
            "option_closed 12a why=waived",
            "not_callable 12c",
            "option 12a may=W,E what=new_deal until=touch",
            "option_closed 12a why=touched",
            "not_callable 12c",
            "not_callable 12c",
            "stands 13a",
            "refused 15a act=pass",
            "option 15b may=N,S what=bar until=lead",
            "barred 15b seats=W,E from=privilege",
        ),
        ends="completed W",
    ),
    Course(
        code="euchre",
        title="two cards come together, and the house lets none be moved by hand",
        meets="E14b",
        house=House(hand_cure=False),
        does=("fault double_feed at=2",),
        rulings=("misdeal 14b lost=no dealer=S policy=hand_cure",),
        ends="misdeal S",
    ),
    Course(
        code="euchre",
        title="an adversary shows a card; the dealer claims, and nobody else may",
        meets="E12b",
        does=("2 shown W report exposed_on w", "2 done+500 N claim new_deal", "2 done+900 S claim new_deal"),
        rulings=(
            "option 12b may=S what=new_deal until=touch",
            "refused 12b act=new_deal",
            "new_deal 12b dealer=S",
        ),
        ends="new_deal S",
    ),
    Course(
        code="euchre",
        title="a player deals out of turn and an adversary stops him",
        meets="E13a",
        does=("3 shown N report out_of_turn", "4 shown E report out_of_turn"),
        rulings=("refused 13a act=stop", "stop 13a dealer=S"),
        ends="stopped S",
    ),
    Course(
        code="euchre",
        title="a card lies face up in the pack",
        meets="E11a",
        does=("fault faced_card at=4",),
        rulings=("new_deal 11a dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="euchre",
        title="a card is twice in the pack",
        meets="E11b",
        does=("fault duplicate_card card=7S instead_of=8S",),
        rulings=("new_deal 11b dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="euchre",
        title="the pack was not cut, and the deal is lost",
        meets="E14a",
        shows="E10c",
        does=("3 shown E report cut_omitted",),
        rulings=("misdeal 14a lost=yes dealer=W",),
        ends="misdeal W",
    ),
)

WHIST: Final = (
    Course(
        code="whist",
        title="the dealer shows a face and is made to shuffle; the cut is bad; people want what is not theirs",
        meets="W3 W24 W26 W27 W34 W35",
        does=(
            "1 offer W report exposed_on s",
            "1 offer+300 W claim reshuffle",
            "cut 2",
            "fresh_cuts 12,12",
            "3 offer+100 W report cut_confused",
            "1 shown E ask cut",
            "2 shown W ask cut",
            "3 shown N ask deal",
            "4 shown E ask new_packs",
            "5 shown N report wrong_pack",
        ),
        rulings=(
            "option 24 may=W,E what=reshuffle until=next_card",
            "reshuffle 24",
            "fresh_cut 26",
            "fresh_cut 26",
            "refused 27 act=cut",
            "refused 35 act=cut",
            "refused 34 act=deal",
            "refused 3 act=new_packs",
            "stop 34 dealer=S",
        ),
        ends="stopped S",
    ),
    Course(
        code="whist",
        title="errors are put right and faces are let pass, but the last comes too soon before the trump",
        meets="W30a W30c W32 W34 W37-I W37-VI W37-VII",
        shows="W2 W31",
        does=(
            "2 shown E look own",
            "3 shown W report cut_omitted",
            "fault torn_card at=3",
            "fault double_feed at=5",
            "fault gate_slip at=10 to=W",
            "14 shown N touch",
            "15 shown E touch",
            "20 shown W report exposed_on n",
            "20 done+500 E waive",
            "20 done+900 W waive",
            "51 routed W report exposed_on s",
            "51 done+600 N report out_of_turn",
            "51 done+900 W claim new_deal",
        ),
        rulings=(
            "stands 37-VII",
            "correct_first 37-VI",
            "correct_first 37-I policy=single_card_cure",
            "option 30a may=W,E what=new_deal until=trump_turned",
            "option_closed 30a why=waived",
            "not_callable 30c",
            "option 30a may=W,E what=new_deal until=trump_turned",
            "option 32 may=W,E what=new_deal until=time",
            "stands 34",
            "new_deal 32 dealer=S",
        ),
        ends="new_deal S",
    ),
    Course(
        code="whist",
        title="the camera sees a face, the director says whose act it was, and an adversary claims",
        meets="W30a",
        watched=True,
        does=(
            "people decide=s decide_ms=500",
            "face at=2 card=9H place=open seat=E for_ms=3000",
            "3 done+2500 E claim new_deal",
        ),
        rulings=(
            "ask_director 30a",
            "option 30a may=W,E what=new_deal until=trump_turned",
            "new_deal 30a dealer=S",
        ),
        ends="new_deal S",
    ),
    Course(
        code="whist",
        title="an adversary shows a card before the dealer's partner has touched any; the dealer claims",
        meets="W30b",
        does=("2 shown W report exposed_on e", "2 done+900 S claim new_deal"),
        rulings=("option 30b may=S what=new_deal until=trump_turned", "new_deal 30b dealer=S"),
        ends="new_deal S",
    ),
    Course(
        code="whist",
        title="an adversary demands what the law does not give, and has lost his right; then a card lies face up",
        meets="W29-II W30a W30c W88",
        does=("2 shown W report exposed_on s", "2 done+500 W claim misdeal", "fault faced_card at=4"),
        rulings=(
            "option 30a may=W,E what=new_deal until=trump_turned",
            "option_closed 88 why=wrong_claim",
            "not_callable 30c",
            "new_deal 29-II dealer=S",
        ),
        ends="new_deal S",
    ),
    Course(
        code="whist",
        title="a card is twice in the pack",
        meets="W29-I",
        does=("fault duplicate_card card=5S instead_of=KC",),
        rulings=("new_deal 29-I dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="whist",
        title="a player takes up another's hand",
        meets="W29-III",
        does=("4 shown N touch - w",),
        rulings=("new_deal 29-III dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="whist",
        title="the dealer looks at the trump card",
        meets="W33",
        does=("2 shown S look trump", "2 done+900 E claim new_deal"),
        rulings=(
            "show_to 33 seats=W,E",
            "option 33 may=W,E what=new_deal until=trump_turned",
            "new_deal 33 dealer=S",
        ),
        ends="new_deal S",
    ),
    Course(
        code="whist",
        title="the pack was not cut, and the deal is lost",
        meets="W37-VII",
        shows="W25 W39",
        does=("3 shown W report cut_omitted",),
        rulings=("misdeal 37-VII lost=yes dealer=W",),
        ends="misdeal W",
    ),
    Course(
        code="whist",
        title="the pack was not cut, but an adversary touched his cards before the dealer's partner did",
        meets="W37-VII W39",
        does=("2 shown E touch", "3 shown N touch", "4 shown W report cut_omitted"),
        rulings=("misdeal 37-VII lost=no dealer=S saved_by=39",),
        ends="misdeal S",
    ),
    Course(
        code="whist",
        title="the last card falls to another player",
        meets="W37-III",
        does=("fault gate_slip at=52 to=N",),
        rulings=("misdeal 37-III lost=no dealer=S policy=machine_fault",),
        ends="misdeal S",
    ),
    Course(
        code="whist",
        title="the last card falls face down before the dealer, in a house that takes the machine for his hand",
        meets="W37-II",
        shows="W39",
        house=House(machine_fault="as_dealer"),
        does=("fault gate_slip at=52 to=S",),
        rulings=("misdeal 37-II lost=yes dealer=W policy=machine_fault",),
        ends="misdeal W",
    ),
)

BRIDGE: Final = (
    Course(
        code="bridge",
        title="the dealer shows a face and must shuffle; the cut is bad; people want what is not theirs",
        meets="BS2 BD1 BD2 BD3 BN6b BN7 BNC",
        does=(
            "1 offer W report exposed_on s",
            "cut 2",
            "fresh_cuts 12,12",
            "3 offer+100 W report cut_confused",
            "1 shown E ask cut",
            "2 shown W ask cut",
            "3 shown N ask deal",
            "4 shown E ask new_packs",
            "5 shown N report out_of_turn",
        ),
        rulings=(
            "reshuffle S2",
            "fresh_cut D2",
            "fresh_cut D2",
            "refused D3 act=cut",
            "refused N7 act=cut",
            "refused D1 act=deal",
            "refused NC act=new_packs",
            "stop N6b dealer=S",
        ),
        ends="stopped S",
    ),
    Course(
        code="bridge",
        title="errors are put right; the pone claims what is his partner's; the last card is seen too soon",
        meets="BM0 BN1a BN1e BN2a BN2d BN3 BG1",
        does=(
            "1 shown W claim misdeal",
            "fault double_feed at=5",
            "fault gate_slip at=10 to=W",
            "20 shown W report exposed_on n",
            "20 done+900 E claim new_deal",
            "51 routed W report exposed_on s",
            "51 done+900 W claim new_deal",
        ),
        rulings=(
            "refused M0 act=misdeal",
            "correct_first N1e",
            "correct_first N1a policy=single_card_cure",
            "option N2a may=W what=new_deal until=deal_completed",
            "refused N2a act=new_deal",
            "option_closed G1 why=consulted",
            "not_callable N3",
            "option N2a may=W what=new_deal until=deal_completed",
            "option N2d may=W what=new_deal until=time",
            "new_deal N2d dealer=S",
        ),
        ends="new_deal S",
    ),
    Course(
        code="bridge",
        title="the camera sees a face, the director says whose act it was, and the eldest hand claims",
        meets="BN2a",
        watched=True,
        does=(
            "people decide=n decide_ms=500",
            "face at=2 card=9H place=open seat=W for_ms=3000",
            "3 done+2500 W claim new_deal",
        ),
        rulings=(
            "ask_director N2a",
            "option N2a may=W what=new_deal until=deal_completed",
            "new_deal N2a dealer=S",
        ),
        ends="new_deal S",
    ),
    Course(
        code="bridge",
        title="an adversary shows a card; the dealer has looked at his cards, his partner claims",
        meets="BN1f BN2b BN2c",
        does=(
            "2 shown E look own",
            "3 shown W report cut_omitted",
            "5 shown S look own",
            "6 shown W report exposed_on e",
            "6 done+900 N claim new_deal",
        ),
        rulings=(
            "stands N1f",
            "show_to N2c seats=W,E",
            "option N2c may=W what=new_deal until=deal_completed",
            "option N2b may=N what=new_deal until=deal_completed",
            "new_deal N2b dealer=S",
        ),
        ends="new_deal S",
    ),
    Course(
        code="bridge",
        title="the eldest hand has looked, and may not claim; then a card lies face up",
        meets="BN1c BN3",
        does=(
            "2 done W look own",
            "4 shown W report exposed_on s",
            "5 shown W claim new_deal",
            "fault faced_card at=7",
        ),
        rulings=("not_callable N3", "refused N3 act=new_deal", "new_deal N1c dealer=S"),
        ends="new_deal S",
    ),
    Course(
        code="bridge",
        title="a card is twice in the pack",
        meets="BN1b",
        does=("fault duplicate_card card=5S instead_of=KC",),
        rulings=("new_deal N1b dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="bridge",
        title="the pack was not cut",
        meets="BN1f",
        shows="BM0",
        does=("3 shown E report cut_omitted",),
        rulings=("new_deal N1f dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="bridge",
        title="the last card falls to another player",
        meets="BN1g",
        shows="BM0",
        house=House(machine_fault="as_dealer"),
        does=("fault gate_slip at=52 to=N",),
        rulings=("new_deal N1g dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="bridge",
        title="the cards lie face down, and behind the last the adversaries' pack is found and the dealer shows a card",
        meets="BX1 BN6a",
        shows="BD5",
        does=(
            "52 done+500 W report exposed_on s",
            "52 done+900 N report wrong_pack",
        ),
        rulings=("option X1 may=W what=new_deal until=lead", "stop N6a dealer=S"),
        ends="stopped S",
    ),
)

AUCTION: Final = (
    Course(
        code="auction",
        title="the dealer shows a face and must shuffle; the cut is bad; people want what is not theirs",
        meets="A29 A31 A32 A33 A40a A41 A95",
        does=(
            "1 offer W report exposed_on s",
            "cut 2",
            "fresh_cuts 12,12",
            "3 offer+100 W report cut_confused",
            "1 shown E ask cut",
            "2 shown W ask cut",
            "3 shown N ask deal",
            "4 shown E ask new_packs",
            "5 shown N report out_of_turn",
        ),
        rulings=(
            "reshuffle 29",
            "fresh_cut 32",
            "fresh_cut 32",
            "refused 33 act=cut",
            "refused 41 act=cut",
            "refused 31 act=deal",
            "refused 95 act=new_packs",
            "stop 40a dealer=S",
        ),
        ends="stopped S",
    ),
    Course(
        code="auction",
        title="errors are put right; who has looked, or whose partner has, stops no deal; the turn is found too late",
        meets="A36 A37a A37e A37f A40a A40b A65",
        shows="A31 A35",
        does=(
            "1 shown W claim misdeal",
            "2 shown E look own",
            "3 shown W report cut_omitted",
            "4 shown W report wrong_pack",
            "fault double_feed at=5",
            "fault gate_slip at=10 to=W",
            "51 done+600 N report out_of_turn",
            "51 done+900 W report exposed_on s",
        ),
        rulings=(
            "refused 36 act=misdeal",
            "stands 37f",
            "refused 40a act=stop",
            "correct_first 37e",
            "correct_first 37a policy=single_card_cure",
            "stands 40b",
            "barred 65 seats=N from=bid",
        ),
        ends="completed W",
    ),
    Course(
        code="auction",
        title="the camera sees a face, whoever showed it",
        meets="A37c",
        watched=True,
        does=("face at=2 card=9H place=beyond where=below seat=E for_ms=3000",),
        rulings=("new_deal 37c dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="auction",
        title="a card lies face up in the pack",
        meets="A37c",
        does=("fault faced_card at=4",),
        rulings=("new_deal 37c dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="auction",
        title="a card is twice in the pack",
        meets="A37b",
        does=("fault duplicate_card card=5S instead_of=KC",),
        rulings=("new_deal 37b dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="auction",
        title="the pack was not cut, and the same player deals again",
        meets="A37f",
        shows="A36",
        does=("3 shown E report cut_omitted",),
        rulings=("new_deal 37f dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="auction",
        title="the last card falls to another player, and the same player deals again",
        meets="A37g",
        shows="A36",
        house=House(machine_fault="as_dealer"),
        does=("fault gate_slip at=52 to=N",),
        rulings=("new_deal 37g dealer=S",),
        ends="new_deal S",
    ),
)

DUPLICATE: Final = (
    Course(
        code="duplicate",
        title="two neighbours of the pack come to one player",
        meets="D6D1",
        does=("fault double_feed at=3",),
        rulings=("new_deal 6D1 dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="duplicate",
        title="the camera sees a face",
        meets="D6D1",
        watched=True,
        does=("face at=2 card=9H place=N for_ms=3000",),
        rulings=("new_deal 6D1 dealer=S",),
        ends="new_deal S",
    ),
    Course(
        code="duplicate",
        title="a card is twice in the pack, and the director decides",
        meets="D14",
        does=("fault duplicate_card card=5S instead_of=KC", "fault faced_card at=3"),
        rulings=("ask_director 14", "new_deal 6D1 dealer=S"),
        ends="new_deal S",
    ),
    Course(
        code="duplicate",
        title="a card falls to another player out of the order, which is free, and is moved: each has thirteen",
        meets="D6D1",
        shows="D6A D6B D6E4",
        does=("fault gate_slip at=10 to=E", "52 done+900 W claim new_deal"),
        rulings=("ask_director 6D1",),
        ends="completed W",
    ),
)

COURSES: Final = (*EUCHRE, *WHIST, *BRIDGE, *AUCTION, *DUPLICATE)

_PLAY: Final = "the machine's record ends when the last rights behind the deal have run out; play is not the machine's"
_CALLS: Final = "bids are not made at the machine"
_HELD: Final = "the pack lies in the machine from the shuffle to the last card, where nobody can shuffle or count it"
_HIDDEN: Final = "the machine shuffles inside, where nobody sees a face"
_DUTY: Final = "it says how things are done, and there is nothing to rule"
_FULL: Final = (
    "the machine stops at every card that strays and at every two that come together, and feeds none before that is "
    "put right, so that no hand is ever long or short"
)

NOT_MET: Final = {
    "E7": "a cut for seats is no deal: `pone draw` has the players draw again, and has tests of its own",
    "E8": "the machine shuffles last; whoever wants to shuffle asks, and no law refuses it",
    "E9c": _HELD,
    "E14": "the heading of the misdeals",
    "E14c": _FULL,
    "E14d": _HELD,
    "E14f": "no button says that the dealer was interrupted, and the machine cannot be; fact `interrupted`",
    "E15c": "no button says that a player spoke of being at the bridge; the director hears it, fact `remarked`",
    "BS1": _HIDDEN,
    "BS3": _DUTY,
    "BD4": _HELD,
    "BN1": "the heading of the new deals",
    "BN1d": _FULL,
    "BN4": _FULL,
    "BN5": _PLAY,
    "BX2": _PLAY,
    "W17": _DUTY,
    "W18": _HIDDEN,
    "W19": _PLAY,
    "W20": "the machine shuffles over shelves, which no printed code knows",
    "W21": "a machine with shelves shuffles alone, and what people shuffle by hand where it has none nobody watches",
    "W22": _DUTY,
    "W23": _DUTY,
    "W28": _HELD,
    "W36": "no button says that the dealer was interrupted, and the machine cannot be; fact `interrupted`",
    "W37-IV": _FULL,
    "W37-V": _HELD,
    "W38": "the machine deals for the player whose turn it is, and for no other; who wants to deal is refused (W34)",
    "W40": _FULL,
    "W41": _PLAY,
    "W42": _PLAY,
    "W43": _PLAY,
    "W44": _PLAY,
    "W72": _PLAY,
    "W87": "no button says that partners consult; the director hears it, fact `consulted`",
    "W91": _DUTY,
    "W93": _DUTY,
    "WD3": "the facts know four players, not three and a dummy",
    "A28": _HIDDEN,
    "A30": _PLAY,
    "A34": _HELD,
    "A37d": _FULL,
    "A38": _FULL,
    "A39a": _PLAY,
    "A39b": _FULL,
    "A49": _CALLS,
    "A50": _CALLS,
    "A57": _CALLS,
    "A66": _CALLS,
    "A81": _PLAY,
    "A94": _DUTY,
    "A96": _DUTY,
    "AE12": "etiquette, without a penalty",
    "AC1": "the machine opens no right to two partners in auction: what the law gives there must follow",
    "D1": "the machine counts and reads its pack; a pack of other backs is not the judge's matter",
    "D2": "whoever starts the deal says who deals; a board's number is not read",
    "D6C": "who sits at the table is not the machine's matter",
    "D6D2": "only the director knows of another session; the machine deals no pack that it has not shuffled",
    "D6D3": "the director orders it, and starts the next deal",
    "D7": "players count their cards behind the deal; only a count that is wrong is a fact",
    "D13A": _FULL,
    "D13B": _FULL,
    "D13C": _PLAY,
    "D13D": _PLAY,
}
"""The clauses that this machine does not meet, each with the reason."""
