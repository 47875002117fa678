// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
type Rules = { max_cards: number | null; decks: number };
type Play = { type: "play"; ranks: string[]; hand: string[] };
type Challenge = { type: "challenge"; claimant: number; rank: string; count: number; hand: string[] };
type Answer = { rank: string; cards: string[] } | { challenge: boolean };

/** The answer to one request. Change this: all fields of `ask` and `rules` are in protocol.md. */
function decide(ask: Play | Challenge, rules: Rules): Answer {
  const held = (rank: string) => ask.hand.filter((card) => card[0] === rank); // a card is "AS", "4C", "TD"
  if (ask.type === "play") {
    // The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
    const rank = ask.ranks.reduce((best, other) => (held(other).length > held(best).length ? other : best));
    const due = held(rank).slice(0, rules.max_cards ?? undefined);
    return { rank, cards: due.length ? due : ask.hand.slice(0, 1) };
  }
  // Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
  return { challenge: ask.count + held(ask.rank).length > 4 * rules.decks };
}

/** What is used of Node, so that nothing need be installed but tsc. */
declare const process: {
  stdin: { setEncoding(name: string): void; on(event: "data", heard: (text: string) => void): void };
  stdout: { write(text: string): void };
};

function answer(line: string): void {
  const ask = JSON.parse(line);
  if (ask.type === "hello") rules = ask.rules;
  if (ask.id === undefined) return; // an event: it wants no answer
  const said = ask.type === "hello" ? {} : decide(ask, rules);
  // Print nothing else on stdout: console.error is free.
  process.stdout.write(JSON.stringify({ id: ask.id, ...said }) + "\n");
}

let rules: Rules = { max_cards: null, decks: 1 };
let begun = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (begun + text).split("\n");
  begun = lines.pop() ?? "";
  lines.filter((line) => line.trim()).forEach(answer);
});
export {};
