"""A recorded game on the whole terminal: draws where somebody stands, and goes where the keys lead."""

import sys
from functools import cache

from arena.cli.cardwords import Look
from arena.cli.fullscreen import Ended, Fullscreen
from arena.cli.gamewords import Sitters, Words
from arena.cli.stage import draw
from arena.cli.stepping import Reel, Stand, press
from arena.protocol.views import View
from arena.referee.story import Story


def watch(story: Story, sitters: Sitters, title: str, stand: Stand) -> None:
    """Show the game from there until the one who watches leaves. Raises KeyboardInterrupt for a signal."""
    reel = Reel(story)
    look = Look(symbols=Look.of(sys.stdout).symbols)

    @cache
    def words(view: View) -> Words:
        return Words(story, sitters, view, look)

    try:
        with Fullscreen() as screen:
            while not stand.left:
                width, height = screen.size()
                screen.show(draw(reel.past(stand), title, words(stand.view), stand, width, height))
                for key in screen.wait():
                    stand = press(reel, stand, key)
                    if stand.left:
                        break
    except Ended:
        raise KeyboardInterrupt from None
