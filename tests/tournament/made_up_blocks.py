"""Blocks of real games that no process has played: legal moves from a seed, and faults where asked for."""

import random
from collections.abc import Collection, Sequence
from functools import lru_cache

import msgspec

from arena.cheat.actions import Answers, Fault, Play
from arena.cheat.deal import deal, deal_key, game_id
from arena.cheat.events import Event
from arena.cheat.game import Game, Phase
from arena.cheat.presets import preset
from arena.protocol.faults import FaultRecord
from arena.referee.block import Block, BlockResult, Debug, GameResult, HelloSaid, Terms, Timing

SEED = bytes(range(16))


@lru_cache(maxsize=512)
def _played(seats: int, block: int, game: int, faulted: int | None) -> tuple[Game, tuple[Event, ...]]:
    rules = preset("classic")
    draw = random.Random(f"{block}:{game}")
    table = Game(rules, deal(rules, seats, deal_key(SEED, block, game)))
    events: list[Event] = [table.opening()]
    if faulted is not None:
        events += table.apply(Fault((faulted,)))
    while table.phase != Phase.OVER:
        seat = table.seat_to_play
        if table.phase == Phase.PLAY:
            rank = table.legal_ranks[0]
            hand = table.hands[seat]
            true = [card for card in hand if card[0] == rank][:4]
            lie = draw.sample(hand, min(len(hand), draw.randint(1, 2)))
            cards = tuple(true or lie)
            events += table.apply(Play(seat, cards, rank, len(cards)))
        else:
            events += table.apply(Answers(tuple(s for s in table.asked if draw.random() < 0.2)))
    return table, tuple(events)


def made_up(block: Block, faulted: Collection[int] = (), number: int | None = None) -> BlockResult:
    """The block as if it had been played; `faulted` bots fault at the first move of each of its games.

    The games are those of block `number`, the block's own if it is left out.
    """
    games = []
    for game, seating in enumerate(block.seatings):
        wrong = next((seat for seat, bot in enumerate(seating) if bot in faulted), None)
        table, events = _played(len(seating), block.number if number is None else number, game, wrong)
        faults = () if wrong is None else (_fault(wrong),)
        games.append(
            GameResult(
                game=game,
                id=game_id(SEED, block.number, game),
                seating=seating,
                record=table.record(),
                events=events,
                faults=faults,
                forfeited=(),
                debug=(Debug(1, 0, "I \u2665 lies"),),
                timings=(Timing(1, 0, 5.0, 0.25), Timing(1, 1, 5.0, 0.125)),
                seconds=1.5,
            )
        )
    return BlockResult(
        block=block,
        games=tuple(games),
        said=tuple(HelloSaid(bot, f"bot {bot}", None, None, 0.1) for bot in block.table),
        tier="bare",
        started=1.75e9,
        seconds=6.5,
        spawn_seconds=0.5,
        requests=100,
    )


def due(result: BlockResult, terms: Terms, earlier: Sequence[GameResult]) -> BlockResult:
    """Of the block, the games that one set of processes would play after the earlier ones."""
    after = result.games[len(earlier) :]
    return msgspec.structs.replace(result, games=after[:1] if terms.fresh else after)


def _fault(seat: int) -> FaultRecord:
    return FaultRecord(code="exit", seat=seat, bot="bad", phase="start", turn=0, rule="it ended")


def renumbered(result: BlockResult, number: int) -> BlockResult:
    """The same games under another block number."""
    games = tuple(msgspec.structs.replace(game, id=game_id(SEED, number, game.game)) for game in result.games)
    block = msgspec.structs.replace(result.block, number=number)
    return msgspec.structs.replace(result, block=block, games=games)
