// A bot for Cheat. What it does is decided in `play` and `challenge`; arena_bot.mjs, beside it, does the rest.
import { comingRanks, impossible, run, truePlays } from "./arena_bot.mjs";

/** What to lay: { cards, rank }. Change this: the fields of `ask` are in protocol.md, and ask.rules with them. */
function play(ask) {
  const [longest] = truePlays(ask);
  if (longest) return longest;
  // A lie, with the card that it will be asked for last, if the order of the ranks tells.
  const coming = comingRanks(ask, 13);
  const when = (card) => (coming.includes(card[0]) ? coming.indexOf(card[0]) : 13);
  return { cards: [ask.hand.reduce((late, card) => (when(card) > when(late) ? card : late))] };
}

/** Whether to call the claim a lie. Change this. */
function challenge(ask) {
  const leaves = ask.hand_sizes[ask.claimant] === ask.count; // its last cards: to believe it is to lose
  return impossible(ask) || leaves;
}

run({ play, challenge }); // console.log goes to stderr, which is yours
