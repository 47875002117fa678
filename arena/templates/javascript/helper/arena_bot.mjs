// A helper for bots in JavaScript: counting, the ranks to come, and the talk with the referee.
// A card is "AS" or "TD"; `ask` is a request as protocol.md has it, with `rules`, and `start` of this game.
import { createInterface } from "node:readline";

export const RANKS = "A23456789TJQK";
/** Orders in which the turn alone decides the rank: the ranks of turns 1 to 13, then the same again. */
const FORCED = { up: RANKS, down_from_ace: "AKQJT98765432", down_from_king: "KQJT98765432A" };

/** The cards of a rank in a hand. */
export const held = (hand, rank) => hand.filter((card) => card[0] === rank);

/** How many cards may be laid at once. */
export const most = (ask) => Math.min(ask.hand.length, ask.rules.max_cards ?? ask.hand.length);

/** Every play that is no lie, as { cards, rank }, those of most cards first. */
export function truePlays(ask) {
  const plays = [];
  for (let number = most(ask); number > 0; number--)
    for (const rank of ask.ranks) {
      const cards = held(ask.hand, rank);
      if (cards.length >= number) plays.push({ cards: cards.slice(0, number), rank });
    }
  return plays;
}

/** The rule that an answer to play breaks, null if it is legal. */
export function whyIllegal(ask, { cards = [], rank, count = cards.length, pass = false }) {
  if (pass) return ask.rules.passing ? null : "there is no passing in these rules";
  const fits = cards.length >= 1 && cards.length <= most(ask);
  if (!fits) return `1 to ${most(ask)} cards may be laid, not ${cards.length}`;
  const times = (list, card) => list.filter((other) => other === card).length;
  const lacking = cards.findIndex((card) => times(cards, card) > times(ask.hand, card));
  if (lacking >= 0) return `${cards[lacking]} is not held as often as it is laid`;
  if (!ask.ranks.includes(rank)) return `${rank} may not be claimed now, but ${ask.ranks.join(" ")}`;
  if (count !== cards.length && !ask.rules.wrong_count) return `${cards.length} cards are not ${count}`;
  const inPlay = ask.hand_sizes.reduce((sum, size) => sum + (size ?? 0), ask.pile);
  const top = Math.min(ask.rules.max_cards ?? inPlay, inPlay);
  return Number.isInteger(count) && count >= 1 && count <= top ? null : `a count of ${count} is not possible`;
}

/** The rank of a turn (from 1) where the order alone decides it, else null. */
export const due = (order, turn) => (order in FORCED ? FORCED[order][(turn - 1) % 13] : null);

/** The next turns this seat will play on if nobody leaves, after the one that is asked about. */
export function comingTurns(ask, number) {
  const around = ask.active.length;
  const place = (seat) => ask.active.indexOf(seat);
  const first = ask.type === "play" ? around : (place(ask.seat) - place(ask.claimant) + around) % around;
  return Array.from({ length: number }, (_, lap) => ask.turn + first + lap * around);
}

/** What will be due on these turns; nothing in the orders that leave a choice. */
export const comingRanks = (ask, number) =>
  comingTurns(ask, number).map((turn) => due(ask.rules.order, turn)).filter((rank) => rank !== null);

/** Cards of a rank that are not in the bot's hand. */
export const unseen = (ask, rank) => 4 * ask.rules.decks - held(ask.hand, rank).length;

/** Whether a claim cannot be true: the bot itself holds too many of these cards. */
export const impossible = (ask) => ask.count > unseen(ask, ask.rank);

/** How likely the claimant's hand is to have held what it claims, were all cards the bot does not see dealt at
 *  random: the upper tail of the hypergeometric distribution. */
export function chanceHeld(ask) {
  const cards = 52 * ask.rules.decks - ask.hand.length;
  const size = Math.min(ask.hand_sizes[ask.claimant] ?? 0, cards);
  const ofRank = unseen(ask, ask.rank);
  const ways = (from, taken) => {
    let product = taken < 0 || taken > from ? 0 : 1;
    for (let i = 0; product && i < taken; i++) product *= (from - i) / (i + 1);
    return product;
  };
  let chance = 0;
  for (let found = ask.count; found <= Math.min(ofRank, size); found++)
    chance += (ways(ofRank, found) * ways(cards - ofRank, size - found)) / ways(cards, size);
  return chance;
}

const EVENTS = ["start", "outcome", "passed", "out", "end", "goodbye"];

/** What a bot does where it has no function of its own: all it holds of a rank, or one card that is a lie. */
const USUAL = {
  play: (ask) => truePlays(ask)[0] ?? { cards: ask.hand.slice(0, 1) },
  challenge: impossible,
};

/**
 * Answer the referee until it says goodbye. `bot.play(ask)` gives { cards, rank, count, pass, debug }, of which
 * rank and count may be left out; `bot.challenge(ask)` gives true or false. `bot.start`, `outcome`, `passed`,
 * `out` and `end` are called with these events. Whatever console.log says goes to stderr. A mistake, such as an
 * answer that would be a fault, is told on stderr in one sentence, and the program ends with exit code 1.
 */
export function run(bot) {
  const answers = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  checkNames(bot);
  let rules, start;
  createInterface({ input: process.stdin }).on("line", (line) => {
    const ask = JSON.parse(line);
    if (ask.type === "hello") rules = ask.rules;
    if (ask.type === "start") start = ask;
    if (ask.id === undefined) return bot[ask.type]?.(ask);
    const reply = { id: ask.id };
    if (ask.type === "hello") Object.assign(reply, bot.about);
    Object.assign(ask, { rules, start });
    // Judged by lists of its own, for play may change those it gets.
    const kept = { ...JSON.parse(line), rules };
    if (ask.type === "play") Object.assign(reply, laid(kept, (bot.play ?? USUAL.play).call(bot, ask)));
    if (ask.type === "challenge") reply.challenge = called((bot.challenge ?? USUAL.challenge).call(bot, ask));
    answers(JSON.stringify(reply) + "\n");
  });
}

/** The fields of an answer to play, with a rank: the one that most of its cards are of. */
function laid(ask, answer) {
  const isList = Array.isArray(answer?.cards) && answer.cards.every((card) => typeof card === "string");
  if (!(answer?.pass === true || isList))
    mistake(`play returned ${shown(answer)}; it must return { cards: ["AS", ...] } or { pass: true }`);
  const number = (rank) => (answer.cards ?? []).filter((card) => String(card)[0] === rank).length;
  const rank = answer.rank ?? ask.ranks.reduce((best, other) => (number(other) > number(best) ? other : best));
  const reason = whyIllegal(ask, { ...answer, rank });
  if (reason) mistake(`play returned ${shown(answer)}, which cannot be played: ${reason}`);
  return answer.pass ? answer : { rank, ...answer };
}

/** An answer to challenge. */
function called(answer) {
  if (![true, false, 0, 1].includes(answer))
    mistake(`challenge returned ${shown(answer)}; it must return true or false`);
  return Boolean(answer);
}

/** What a bot has returned, on one line. */
function shown(answer) {
  if (typeof answer?.then === "function") return "a promise";
  const text = JSON.stringify(answer) ?? String(answer);
  return text.length < 70 ? text : `${text.slice(0, 66)} ...`;
}

/** Ends at an `about` that is not of strings.
 *  Tells of functions that nothing calls; those of a class are not looked at, for they may call each other. */
function checkNames(bot) {
  for (const [name, text] of Object.entries(bot.about ?? {}))
    if (text !== undefined && typeof text !== "string") mistake(`about.${name} is ${text}; it must be a string`);
  const unknown = Object.keys(bot).filter((name) => ![...EVENTS, "play", "challenge", "about"].includes(name));
  const functions = unknown.filter((name) => typeof bot[name] === "function");
  if (functions.length && !bot.play && !bot.challenge)
    mistake(`run was given neither play nor challenge, but ${functions.join(", ")}`);
  for (const name of functions) console.error(`run was given ${name}, which it does not know`);
}

/** Ends the program with one sentence for the author of the bot. */
function mistake(sentence) {
  console.error(sentence);
  process.exit(1);
}
