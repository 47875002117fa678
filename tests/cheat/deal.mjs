// Deals one game from a seed by the steps of docs/deal.md, with nothing but Node's standard library.
// node deal.mjs SEED BLOCK GAME SEATS DECKS singly|bicycle   prints one JSON object.
import { createHash, createHmac, pbkdf2Sync } from "node:crypto";

const [text, block, game, seatsText, decksText, kind] = process.argv.slice(2);
const seats = Number(seatsText);
const decks = Number(decksText);

const seed = /^[0-9a-fA-F]{32}$/.test(text)
  ? Buffer.from(text, "hex")
  : pbkdf2Sync(Buffer.from(text, "utf8"), "arena", 600000, 16, "sha256");

const hmac = (purpose) => createHmac("sha256", seed).update(purpose, "ascii").digest();

function* words(key) {
  for (let counter = 0n; ; counter += 1n) {
    const suffix = Buffer.alloc(8);
    suffix.writeBigUInt64BE(counter);
    const digest = createHash("sha256").update(key).update(suffix).digest();
    for (let at = 0; at < 32; at += 4) yield digest.readUInt32BE(at);
  }
}

function below(n, source) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const word = source.next().value;
    if (word < limit) return word % n;
  }
}

const deck = [];
for (const rank of "A23456789TJQK") for (const suit of "CDHS") deck.push(rank + suit);
const pack = [];
for (let d = 0; d < decks; d += 1) pack.push(...deck);

const source = words(hmac(`deal:${block}:${game}`));
for (let i = pack.length - 1; i >= 1; i -= 1) {
  const j = below(i + 1, source);
  [pack[i], pack[j]] = [pack[j], pack[i]];
}

const hands = Array.from({ length: seats }, () => []);
let next = 0;
const round = (each) => {
  for (const hand of hands) {
    for (let k = 0; k < each && next < pack.length; k += 1) hand.push(pack[next++]);
  }
};
if (kind === "bicycle") {
  for (let each = 2; next + each * seats <= pack.length; each = 5 - each) round(each);
}
while (next < pack.length) round(1);
for (const hand of hands) hand.sort((a, b) => deck.indexOf(a) - deck.indexOf(b));

const botSeed = (seat) => Number(hmac(`bot:${block}:${game}:${seat}`).readBigUInt64BE(0) >> 11n);
console.log(
  JSON.stringify({
    seed: seed.toString("hex"),
    id: hmac(`game:${block}:${game}`).toString("hex").slice(0, 16),
    bot_seeds: hands.map((_, seat) => botSeed(seat)),
    hands,
  }),
);
