#!/usr/bin/env node
// hello_js: the whole of a working bot. Lays one due card, else its first card; never calls.
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const ask = JSON.parse(line);
  if (!ask.id) return; // an event: it wants no answer
  const reply = { id: ask.id, challenge: false };
  if (ask.type === "play") {
    reply.rank = ask.ranks[0];
    reply.cards = [ask.hand.find((card) => card[0] === reply.rank) ?? ask.hand[0]];
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
});
