"""A person in a seat: what the seat is sent is shown in words, and what is typed is its answer."""

import math
import time
from typing import Final

import msgspec
import trio

from arena.cheat.cards import RANKS
from arena.cheat.rules import Rules
from arena.cli.awaited import Awaited
from arena.cli.cardwords import Wording, rank_shown, rank_word
from arena.cli.durations import duration
from arena.cli.entry import Wish, help_lines, read_call, read_play, why_these_ranks
from arena.cli.keyboard import Keyboard, TooLong
from arena.cli.screen import Screen
from arena.cli.shown import counted
from arena.protocol.messages import (
    ChallengeReply,
    ChallengeRequest,
    End,
    Hello,
    HelloReply,
    Limits,
    Outcome,
    OutEvent,
    PassedEvent,
    PlayReply,
    PlayRequest,
    Start,
)
from arena.referee.ask import Ask, Trouble
from arena.referee.ids import Ids

_Line = Hello | Start | PlayRequest | ChallengeRequest | Outcome | PassedEvent | OutEvent | End
_TO_PLAY: Final = "Lay (? helps) > "
_TO_CALL: Final = "Call it a lie? (c, or Enter) > "
_PATIENCE: Final = 2.0
"""Seconds after which it is said who is waited for."""
_TIME_IS_UP: Final = "Your time is up, and you leave the game."


class Person:
    """A seat (arena/referee/seat.py) for who sits at the terminal. `run` must be running.

    All that is shown is read from the lines that a bot in this seat would be sent, and from nothing else;
    but for who is waited for, which follows from the order of the turns.
    """

    def __init__(self, seed: bytes, keyboard: Keyboard, screen: Screen, *, timed: bool = False) -> None:
        """`timed`: whether it has the clock that its requests tell of."""
        self.pace = 0.0
        self.trouble: Trouble | None = None
        self.ids = Ids(seed)
        self.title = "One game"
        """What the next game is called."""
        self.starting = False
        """Whether a game begins for which the bots are still being started."""
        self.left = False
        """Whether the person has left the table, and plays no more."""
        self.failure: OSError | None = None
        """Why nothing can be shown any more."""
        self.awaited = Awaited()
        """Must hear what happens."""
        self._keyboard = keyboard
        self._screen = screen
        self._timed = timed
        self._limits = Limits(0.0, 0.0, 0.0)
        self._rules = Rules()
        self._wording = Wording(screen.look, ())
        self._own: int | None = None
        """The seat in this game, or in the one before it."""
        self._told, self._come = trio.open_memory_channel[bytes | Ask | trio.Event](math.inf)
        self._asked = trio.CancelScope()
        self._laid: PlayReply | None = None
        """The play of one's own that is on the table."""

    # What the table does.

    def tell(self, line: bytes) -> None:
        """An event: shown at once, for a person reads while others play."""
        self._told.send_nowait(line)

    def begin(self, ask: Ask) -> None:
        """A request: shown, and answered by what is typed."""
        ask.stamp_send()
        if ask.kind == "hello":
            hello = msgspec.json.decode(ask.line, type=Hello)
            self._rules, self._limits = Rules(**hello.rules), hello.limits
            ask.finish(time.perf_counter(), HelloReply())
        else:
            self._told.send_nowait(ask)

    def expire(self, ask: Ask, now: float) -> None:
        """The deadline of a person who has one is past."""
        self.trouble = Trouble("timeout", f"The answer must be typed within {ask.allowed:.3f} s.")
        ask.finish(now, self.trouble)
        self._asked.cancel()

    def new_game(self, purpose: str) -> None:
        """Ids of another game begin; what happened in the last one is over."""
        self.ids.begin(purpose)
        self.starting = False
        self.trouble = self._laid = None

    def last_words(self) -> bytes:
        """Nothing: a person has no stderr."""
        return b""

    # What the person sees and does.

    async def run(self) -> None:
        """Show what comes and read answers, until the person leaves or nothing can be shown."""
        try:
            while True:
                come = await self._next()
                if isinstance(come, trio.Event):
                    come.set()
                elif isinstance(come, bytes):
                    await self._screen.show(*self._told_of(msgspec.json.decode(come, type=_Line | None)))
                elif come.open:
                    await self._answer(come)
                elif self.trouble is not None:
                    # The time was up before the request could be shown.
                    await self._screen.show("", _TIME_IS_UP)
                if self.left:
                    return
        except OSError as error:
            self.left, self.failure = True, error

    async def settled(self) -> None:
        """Wait until all that was told has been shown."""
        shown = trio.Event()
        self._told.send_nowait(shown)
        await shown.wait()

    async def _next(self) -> bytes | Ask | trio.Event:
        """What comes next; on a terminal it is said once who is waited for, if that takes long."""
        with trio.move_on_after(_PATIENCE):
            return await self._come.receive()
        if self._screen.terminal and (whom := self._waited_for()):
            await self._screen.show(self._screen.look.faint(f"  waiting for {whom} ..."))
        return await self._come.receive()

    def _waited_for(self) -> str:
        """Who is waited for, in words; empty where that is not known."""
        if self.starting:
            return "the bots to start"
        if self._own not in self.awaited.active:
            # Who has left is not told who is still there.
            return "the others" if self.awaited.active else ""
        others = [seat for seat in self.awaited.seats if seat != self._own]
        return self._wording.names(others) if others else ""

    def _told_of(self, line: _Line | None) -> list[str]:
        match line:
            case Start():
                return self._started(line)
            case Outcome():
                return [f"  {self._wording.notice(line)}"]
            case PassedEvent() if line.seat == self._own:
                return []
            case PassedEvent():
                return ["", f"Turn {line.turn}: {self._wording.notice(line)}"]
            case OutEvent():
                goes_on = line.seat == self._own and (self._rules.play_on or line.fault)
                more = "; you are told no more until the end" if goes_on else ""
                return [f"  {self._wording.notice(line)}{more}"]
            case End():
                said = self._wording.notice(line)
                return ["", self._screen.look.strong(f"{said[0].upper()}{said[1:]}")]
        return []

    def _started(self, start: Start) -> list[str]:
        names = start.names or [f"seat {seat}" for seat in range(start.seats)]
        before, self._own = self._own, start.seat
        self._wording = Wording(self._screen.look, names, start.seat, places=False)
        others = [seat for seat in range(start.seats) if seat != start.seat]
        leads = self._wording.does(start.first, "lead")
        return [
            "",
            self._screen.look.strong(self.title)
            + f", rules {self._rules.name}. You are on seat {start.seat} of {start.seats}, with "
            f"{self._wording.names(others)}; {leads}.",
            *_moved(before, start.seat),
            *self._clock_begins(),
        ]

    def _clock_begins(self) -> list[str]:
        """What time there is in a game, for who has a clock."""
        if not self._timed:
            return []
        move, bank = self._limits.move, self._limits.bank
        more = f", and {duration(bank)} in the bank for what goes beyond it in this game" if bank else ""
        return [f"You have {duration(move)} for each answer{more}."]

    def _clock(self, request: PlayRequest | ChallengeRequest) -> list[str]:
        """What time there is for an answer, for who has a clock."""
        if not self._timed:
            return []
        # Rounded down: nobody is promised time that is not there.
        bank = math.floor(request.bank * 10) / 10
        left = f"{duration(bank)} in the bank" if bank else "nothing in the bank"
        return [f"  You have {duration(request.seconds)}, and {left}."]

    async def _answer(self, ask: Ask) -> None:
        request = msgspec.json.decode(ask.line, type=PlayRequest | ChallengeRequest)
        with trio.CancelScope() as self._asked:
            if isinstance(request, PlayRequest):
                reply: PlayReply | ChallengeReply | None = await self._play(request)
            else:
                reply = await self._call(request)
            if reply is None:
                self.left = True
                return
            ask.finish(time.perf_counter(), reply)
        if self._asked.cancelled_caught:
            await self._screen.show("", _TIME_IS_UP)

    async def _play(self, request: PlayRequest) -> PlayReply | None:
        look, ranks = self._screen.look, request.ranks
        if len(ranks) == 1:
            due = f"{rank_word(ranks[0], 2)} are due"
        elif len(ranks) == len(RANKS):
            due = "you may claim any rank"
        else:
            due = f"you may claim {' '.join(map(rank_shown, ranks))}"
        await self._screen.show(
            "",
            look.strong(f"Turn {request.turn}, yours: {due}."),
            f"  {self._table(request)}",
            f"  {look.hand(request.hand)}",
            *self._clock(request),
        )
        while (text := await self._typed(_TO_PLAY)) is not None:
            found = read_play(text, request, self._rules, look)
            if isinstance(found, PlayReply):
                await self._screen.show(f"  {self._as_laid(found, request)}")
                return found
            if found is Wish.LEAVE:
                break
            if found is Wish.HELP:
                why = why_these_ranks(request, self._rules)
                await self._screen.show(*help_lines(self._rules, to_play=True), f"  {_sentence(why)}")
            else:
                await self._screen.show(f"  {_sentence(str(found))}")
        return None

    def _as_laid(self, play: PlayReply, request: PlayRequest) -> str:
        if play.passing or play.rank is None or play.count is None:
            return self._wording.does(request.seat, "pass")
        return self._wording.claim(request.seat, play.count, play.rank, play.cards)

    async def _call(self, request: ChallengeRequest) -> ChallengeReply | None:
        look = self._screen.look
        claim = self._wording.claim(request.claimant, request.count, request.rank)
        before = request.hand_sizes[request.claimant] or 0
        last = ""
        if request.count >= before and not self._rules.wrong_count:
            last = f" {look.strong('These are the last cards of that hand.')}"
        own = [card for card in request.hand if card[0] == request.rank]
        held = look.cards(own) if own else f"no {rank_word(request.rank, 2)}"
        table = f"out of {counted(before, 'card')}; the pile had {request.pile}. You hold {held}."
        told = f"Turn {request.turn}: {look.strong(claim)}, {table}{last}"
        await self._screen.show("", told, *self._clock(request))
        while (text := await self._typed(_TO_CALL)) is not None:
            found = read_call(text)
            if isinstance(found, ChallengeReply):
                return found
            if found is Wish.LEAVE:
                break
            if found is Wish.HELP:
                hand = f"  {look.hand(request.hand)}"
                await self._screen.show(
                    *help_lines(self._rules, to_play=False), f"  {self._table(request)}", hand
                )
            else:
                await self._screen.show(f"  {_sentence(str(found))}")
        return None

    def _table(self, request: PlayRequest | ChallengeRequest) -> str:
        look = self._screen.look
        clockwise = sorted(request.active, key=lambda seat: (seat < request.seat, seat))
        sizes = [f"{self._wording.name(seat)} {request.hand_sizes[seat]}" for seat in clockwise]
        return look.faint(f"pile {request.pile}; hands: {', '.join(sizes)}")

    async def _typed(self, prompt: str) -> str | None:
        """What is typed; None at the end of the input. Where no terminal has shown it, it is shown here."""
        while True:
            await self._screen.prompt(prompt)
            try:
                text = await self._keyboard.line()
                break
            except TooLong as error:
                # What nobody can read again is not shown.
                await self._screen.show(f"({error.size:,} bytes)", f"  {_sentence(str(error))}")
        if text is None:
            await self._screen.show("")
        elif not self._keyboard.terminal:
            await self._screen.show(text if text.isprintable() else ascii(text))
        return text


def _moved(before: int | None, now: int) -> list[str]:
    """What has become of the seats since the game before this one, if there was one."""
    if before is None:
        return []
    if before == now:
        return ["All sit on the same seats as in the game before."]
    return [
        f"The seats have moved: they are counted from the player who leads. You were on seat {before}; "
        "clockwise the players are the same."
    ]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}{'' if text[-1] in '?.!' else '.'}"
