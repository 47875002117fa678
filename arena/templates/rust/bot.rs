// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
use std::io::{self, BufRead, Write};

/// The answer to one request, as the fields behind its id. Change this: protocol.md has all fields.
fn decide(ask: &str, max_cards: usize, decks: usize) -> String {
    let hand = strings(value(ask, "hand")); // such as "AS", "4C", "TD"
    let held = |rank: &str| hand.iter().copied().filter(|card| card.starts_with(rank)).collect::<Vec<_>>();
    if strings(value(ask, "type"))[0] == "play" {
        // The rank it holds most of, of those that may be claimed: all it may lay, or a card that is a lie.
        let ranks = strings(value(ask, "ranks"));
        let rank = ranks.iter().rev().max_by_key(|rank| held(rank).len()).expect("there is a rank");
        let mut cards = held(rank);
        cards.truncate(max_cards);
        let laid = if cards.is_empty() { hand[0].to_string() } else { cards.join("\",\"") };
        return format!(r#","rank":"{rank}","cards":["{laid}"]"#);
    }
    // Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    let own = held(strings(value(ask, "rank"))[0]).len();
    format!(r#","challenge":{}"#, number(value(ask, "count"), 1) + own > 4 * decks)
}

/// In the JSON object `text` begins with: the text from the value of a key on, "" if there is no such key.
fn value<'a>(text: &'a str, key: &str) -> &'a str {
    let (mut depth, mut name, mut quoted, mut escaped) = (0, 0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => {
                quoted = !quoted;
                let after = text[at + 1..].trim_start();
                if !quoted && depth == 1 && &text[name..at] == key && after.starts_with(':') {
                    return after[1..].trim_start();
                }
                name = at + 1;
            }
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth -= 1,
            _ => (),
        }
    }
    ""
}

/// The strings of a list, or one string and more: cards, ranks.
fn strings(text: &str) -> Vec<&str> {
    text.split(']').take(1).flat_map(|list| list.split('"').skip(1).step_by(2)).collect()
}

/// The whole number that `text` begins with, or another where that is null.
fn number(text: &str, other: usize) -> usize {
    text.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap_or(other)
}

fn main() {
    let (mut max_cards, mut decks) = (0, 1);
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let (id, rules) = (value(&line, "id"), value(&line, "rules"));
        if id.is_empty() {
            continue; // an event: it wants no answer
        }
        let mut answer = String::new();
        if rules.is_empty() {
            answer = decide(&line, max_cards, decks);
        } else {
            (max_cards, decks) = (number(value(rules, "max_cards"), 208), number(value(rules, "decks"), 1));
        }
        println!(r#"{{"id":"{}"{answer}}}"#, strings(id)[0]); // print nothing else: eprintln! is free
        io::stdout().flush().expect("somebody reads");
    }
}
