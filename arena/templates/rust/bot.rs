// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// The answer to one request, as the fields behind its id. Change this: protocol.md has all fields.
fn decide(ask: &HashMap<&str, &str>, rules: &HashMap<&str, &str>) -> String {
    let hand = strings(ask["hand"]); // such as "AS", "4C", "TD"
    let held = |rank: &str| hand.iter().copied().filter(|card| card.starts_with(rank)).collect::<Vec<_>>();
    if ask["type"] == "play" {
        // The rank it holds most of, of those that may be claimed: all it may lay, or a card that is a lie.
        let ranks = strings(ask["ranks"]);
        let rank = ranks.iter().rev().max_by_key(|rank| held(rank).len()).expect("there is a rank");
        let mut cards = held(rank);
        cards.truncate(rules["max_cards"].parse().unwrap_or(cards.len())); // null: no cap
        let laid = if cards.is_empty() { hand[0].to_string() } else { cards.join("\",\"") };
        return format!(r#","rank":"{rank}","cards":["{laid}"]"#);
    }
    // Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let lie = number(ask["count"]) + held(ask["rank"]).len() > 4 * number(rules["decks"]);
    format!(r#","challenge":{lie}"#)
}

/// The strings of a list: cards, ranks.
fn strings(list: &str) -> Vec<&str> {
    list.split('"').skip(1).step_by(2).collect()
}

/// The fields of a JSON object as texts: strings without their quotes, lists and objects as they stand.
fn fields(text: &str) -> HashMap<&str, &str> {
    let (mut found, mut name, mut from) = (HashMap::new(), "", 1);
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, mark) in text.char_indices() {
        quoted ^= mark == '"' && !escaped;
        escaped = mark == '\\' && !escaped;
        depth += match mark { '{' | '[' if !quoted => 1, '}' | ']' if !quoted => -1, _ => 0 };
        if !quoted && (depth == 0 || depth == 1 && (mark == ':' || mark == ',')) {
            let part = text[from..at].trim().trim_matches('"');
            if mark == ':' { name = part } else { found.insert(name, part); }
            from = at + 1;
        }
    }
    found
}

fn main() {
    let mut rules = String::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let ask = fields(&line);
        if ask["type"] == "hello" {
            rules = ask["rules"].to_string();
        }
        if let Some(id) = ask.get("id") { // a request; events have no id and want no answer
            let answer = if ask["type"] == "hello" { String::new() } else { decide(&ask, &fields(&rules)) };
            println!(r#"{{"id":"{id}"{answer}}}"#); // print nothing else: eprintln! is free
            io::stdout().flush().expect("somebody reads");
        }
    }
}
