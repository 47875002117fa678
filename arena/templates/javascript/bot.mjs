// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
import { createInterface } from "node:readline";

/** The answer to one request. Change this: the fields of `ask` and `rules` are in protocol.md. */
function decide(ask, rules) {
  const held = (rank) => ask.hand.filter((card) => card[0] === rank); // a card is "AS", "4C", "TD"
  if (ask.type === "play") {
    // The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
    const rank = ask.ranks.reduce((best, other) => (held(other).length > held(best).length ? other : best));
    const due = held(rank).slice(0, rules.max_cards ?? undefined);
    return { rank, cards: due.length ? due : ask.hand.slice(0, 1) };
  }
  // Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
  return { challenge: ask.count + held(ask.rank).length > 4 * rules.decks };
}

let rules = {};
createInterface({ input: process.stdin }).on("line", (line) => {
  const ask = JSON.parse(line);
  if (ask.type === "hello") rules = ask.rules;
  if (ask.id === undefined) return; // an event: it wants no answer
  const answer = ask.type === "hello" ? {} : decide(ask, rules);
  // Print nothing else on stdout: console.error is free.
  process.stdout.write(JSON.stringify({ id: ask.id, ...answer }) + "\n");
});
