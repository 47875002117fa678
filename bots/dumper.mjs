#!/usr/bin/env node
// dumper: a planner in a hurry. Stuck, it lies with the two cards it would be asked for last.
import { createInterface } from "node:readline";

const RANKS = "A23456789TJQK";
let rules = {};
let state = 1;

/** A fair coin that falls the same way again for the same seed. */
function coin() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state >>> 31 === 1;
}

/** Own turns until `rank` falls due here: one rank a turn, so `active` ranks between two own turns. */
function turnsUntilDue(rank, ask) {
  let gap = RANKS.indexOf(rank) - RANKS.indexOf(ask.ranks[0]);
  if (ask.ranks.length > 1) return Math.min((gap + 13) % 13, (13 - gap) % 13); // steps round the circle
  if (rules.order.startsWith("down")) gap = -gap;
  let turns = 0;
  while ((turns * ask.active.length - gap + 13) % 13 !== 0) turns++;
  return turns;
}

/** All cards of the legal rank it holds most of; without one, the two cards that are of use last. */
function play(ask) {
  const held = (rank) => ask.hand.filter((card) => card[0] === rank);
  const rank = ask.ranks.reduce((best, other) => {
    const more = held(other).length - held(best).length;
    return more > 0 || (more === 0 && coin()) ? other : best;
  });
  const due = held(rank).slice(0, rules.max_cards ?? undefined);
  if (due.length > 0) return { rank, cards: due };
  if (rules.passing && ask.hand.length <= 2) return { pass: true }; // false last cards would be called
  const furthest = [...ask.hand].sort((a, b) => turnsUntilDue(b[0], ask) - turnsUntilDue(a[0], ask));
  return { rank, cards: furthest.slice(0, Math.min(2, rules.max_cards ?? 2)) };
}

/** A claim of more cards than there can be, or of the claimant's last cards. */
function suspicious(ask) {
  const own = ask.hand.filter((card) => card[0] === ask.rank).length;
  return own + ask.count > 4 * rules.decks || ask.count >= ask.hand_sizes[ask.claimant];
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const ask = JSON.parse(line);
  let answer;
  if (ask.type === "hello") {
    rules = ask.rules;
    answer = { name: "dumper" };
  } else if (ask.type === "start") {
    state = ask.seed >>> 0;
    return;
  } else if (ask.type === "play") answer = play(ask);
  else if (ask.type === "challenge") answer = { challenge: suspicious(ask) };
  else return;
  process.stdout.write(JSON.stringify({ id: ask.id, ...answer }) + "\n");
});
