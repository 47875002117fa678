# A bot for Cheat. What it does is decided in `play` and `challenge`; arena_bot.py, beside it, does the rest.
from arena_bot import Bot, coming_ranks, impossible, true_plays


class Mine(Bot):
    def play(self, ask):
        """What to lay: cards, or Lay(cards, rank). Change this: `ask` is a Play of arena_bot.py."""
        true = next(true_plays(ask), None)
        if true is not None:
            return true
        # A lie, with the card that it will be asked for last, if the order of the ranks tells.
        coming = coming_ranks(ask, 13)
        return [max(ask.hand, key=lambda card: coming.index(card[0]) if card[0] in coming else 13)]

    def challenge(self, ask):
        """Whether to call the claim a lie. Change this: `ask` is a Challenge of arena_bot.py."""
        leaves = ask.hand_sizes[ask.claimant] == ask.count  # its last cards: to believe it is to lose
        return impossible(ask) or leaves


Mine().run()  # whatever prints from here on prints to stderr, which is yours
