"""Records: a replay gives the same game, and what was changed in one is caught."""

from dataclasses import fields, replace

import msgspec
import pytest
from cheat_table import UNHURRIED, any_rules, close, dealt, faults, filled_up, lay, play_out, quiet_turns
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cheat.actions import Answers, Fault, Pass, Play
from arena.cheat.events import Dealt, Ended, Out, Passed, Played, Resolved
from arena.cheat.game import Phase
from arena.cheat.record import RecordError, actions_of, record_of, rejudge, replay
from arena.cheat.rules import Rules

RULES = any_rules().map(lambda rules: replace(rules, turn_cap=min(rules.turn_cap or 200, 200)))


@settings(UNHURRIED, max_examples=150)
@given(
    RULES,
    st.integers(2, 10),
    st.integers(0, 2**32),
    st.sampled_from([0, 0.02, 0.2]),
    st.sampled_from([0, 0.1, 1]),
)
def test_a_replay_gives_the_same_events_and_the_events_the_same_record(
    rules, seats, seed, fault_rate, call_rate
):
    game = dealt(rules, seats, seed)
    events = play_out(game, seed, fault_rate, call_rate)
    record = game.record()
    assert replay(record) == events
    assert actions_of(events) == record.actions
    assert record_of(rules, events) == record == rejudge(rules, events)


def short_game():
    """Seven turns with a called lie, a true call, a pass, faults of every kind, and an end at the cap."""
    game = filled_up(Rules(passing=True, turn_cap=6), "AC AD", "", "3C", "", "", "", "")
    events = [game.opening(), *faults(game, 5, 6)]
    events += [*lay(game, "AC AD"), *close(game, 2, 1)]
    events += faults(game)
    events += [*lay(game, "3C", "2"), *close(game, 0, faulted=(4,))]
    events += game.apply(Pass(3))
    while game.phase is not Phase.OVER:
        events += [*lay(game, game.hands[game.seat_to_play][-1]), *close(game)]
    assert game.reason == "capped"
    return game, events


def test_faults_are_told_apart_by_their_turns():
    game, _ = short_game()
    assert game.record().actions[:6] == (
        Fault((5, 6)),
        Play(0, ("AC", "AD"), "A", 2),
        Answers((1, 2)),
        Fault((1,)),
        Play(2, ("3C",), "2", 1),
        Answers((0,), (4,)),
    )
    game = dealt(Rules(), 5)
    events = [game.opening(), *faults(game), *faults(game)]
    assert actions_of(events) == (Fault((0,)), Fault((1,)))
    quiet_turns(game, 1)
    assert game.turns == 1


def changed(value):
    """Other values of the kind that a field holds."""
    if value is None:
        return [0]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, str):
        return ["K" if value != "K" else "Q"]
    return [value[1:], value[::-1]] if len(value) > 1 else [value * 2, ()] if value else [(0,)]


TOLD = {
    Played: ("turn", "seat"),
    Passed: ("turn", "seat"),
    Resolved: ("turn", "claimant", "rank", "count", "challenger", "shown", "true", "taker", "taken"),
    Out: ("turn", "seat", "place", "fault", "removed"),
    Ended: ("turn", "places", "winner", "reason"),
}


def test_whatever_follows_from_the_actions_cannot_be_changed_in_a_log():
    game, events = short_game()
    assert rejudge(game.rules, events) == game.record()
    assert {type(event) for event in events} == {Dealt, *TOLD}
    tried = 0
    for at, event in enumerate(events):
        for name in TOLD.get(type(event), ()):
            for value in changed(getattr(event, name)):
                if value != getattr(event, name):
                    tampered = [
                        *events[:at],
                        msgspec.structs.replace(event, **{name: value}),
                        *events[at + 1 :],
                    ]
                    with pytest.raises(RecordError):
                        rejudge(game.rules, tampered)
                    tried += 1
    assert tried > 100


def test_the_first_event_that_the_rules_do_not_bear_out_is_named():
    game, events = short_game()
    at = next(at for at, event in enumerate(events) if isinstance(event, Resolved))
    tampered = [
        *events[:at],
        msgspec.structs.replace(events[at], true=not events[at].true),
        *events[at + 1 :],
    ]
    with pytest.raises(
        RecordError, match=f"^event {at + 1} of the log is Resolved.*; by the rules it is Resolved"
    ):
        rejudge(game.rules, tampered)


def test_no_event_can_be_left_out_of_a_log_or_told_twice():
    game, events = short_game()
    for at, event in enumerate(events):
        for tampered in ([*events[:at], *events[at + 1 :]], [*events[:at], event, event, *events[at + 1 :]]):
            with pytest.raises(RecordError):
                rejudge(game.rules, tampered)
    for cut in range(len(events)):
        with pytest.raises(RecordError):
            rejudge(game.rules, events[:cut])


def test_a_verdict_that_the_actions_do_not_lead_to_is_caught():
    game, _ = short_game()
    record = game.record()
    for name in ("places", "winner", "reason", "turns"):
        for value in changed(getattr(record, name)):
            if value != getattr(record, name):
                with pytest.raises(RecordError, match=f"the record announces {name} "):
                    replay(replace(record, **{name: value}))
    assert {field.name for field in fields(record)} == {
        *("rules", "hands", "actions"),
        *("places", "winner", "reason", "turns"),
    }


def test_a_deal_that_is_not_the_pack_is_caught():
    game, _ = short_game()
    record = game.record()
    first, *others = record.hands
    for hands in (
        (first[:-1], *others),
        ((*first, "AC"), *others),
        (first, *others, ()),
        ((first[0], *first[:-1]), *others),
        (tuple(card for hand in record.hands for card in hand), *((),) * 6),
        (),
    ):
        with pytest.raises(RecordError, match=r"^the deal: "):
            replay(replace(record, hands=hands))


def test_an_action_the_rules_do_not_allow_is_caught_with_its_turn():
    game, _ = short_game()
    record = game.record()
    with pytest.raises(RecordError, match="action 1, turn 1: no challenge window is open"):
        replay(replace(record, actions=(Answers(), *record.actions)))
    with pytest.raises(RecordError, match="the game is over"):
        replay(replace(record, actions=(*record.actions, Pass(0))))
    with pytest.raises(RecordError, match="the record stops after 3 actions, and the game goes on"):
        replay(replace(record, actions=record.actions[:3]))
    with pytest.raises(RecordError, match="there is no passing"):
        replay(replace(record, rules=replace(record.rules, passing=False)))


def test_a_log_begins_with_the_deal_and_closes_with_the_end():
    game, events = short_game()
    for part in ([], events[:1], events[1:], events[:-1], events[-1:]):
        with pytest.raises(RecordError, match="begins with the deal and closes with the end"):
            record_of(game.rules, part)
