// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
#include <iostream>
#include <string>
#include <vector>
using std::string;

// In the JSON object that `text` begins with: the text from the value of a key on, "" if there is no such key.
string value(const string &text, const string &key) {
    int depth = 0;
    for (size_t at = 0; at < text.size(); at++) {
        if (text[at] == '{' || text[at] == '[') depth++;
        if ((text[at] == '}' || text[at] == ']') && --depth == 0) break;
        if (text[at] != '"') continue;
        size_t name = ++at;
        while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
        size_t after = text.find_first_not_of(" \t", at + 1);
        if (depth == 1 && after < text.size() && text[after] == ':' && text.substr(name, at - name) == key)
            return text.substr(text.find_first_not_of(" \t", after + 1));
    }
    return "";
}

// The strings of a list, or one string: cards, ranks.
std::vector<string> strings(const string &text) {
    std::vector<string> found;
    for (size_t at = text.find('"'), end; at < text.find(']'); at = text.find('"', end + 1))
        end = text.find('"', at + 1), found.push_back(text.substr(at + 1, end - at - 1));
    return found;
}

// The answer to one request, as the fields behind its id. Change this: protocol.md has all fields.
string decide(const string &ask, size_t max_cards, size_t decks) {
    auto hand = strings(value(ask, "hand")); // such as "AS", "4C", "TD"
    auto held = [&](const string &rank) {
        std::vector<string> cards;
        for (auto &card : hand)
            if (card[0] == rank[0]) cards.push_back(card);
        return cards;
    };
    if (strings(value(ask, "type"))[0] == "play") {
        // The rank it holds most of, of those that may be claimed: all it may lay, or a card that is a lie.
        string rank, list;
        for (auto &other : strings(value(ask, "ranks")))
            if (rank.empty() || held(other).size() > held(rank).size()) rank = other;
        auto cards = held(rank).empty() ? std::vector<string>{hand[0]} : held(rank);
        for (size_t i = 0; i < cards.size() && i < max_cards; i++) list += (i ? ",\"" : "\"") + cards[i] + '"';
        return ",\"rank\":\"" + rank + "\",\"cards\":[" + list + "]";
    }
    // Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    size_t own = held(strings(value(ask, "rank"))[0]).size();
    return string(",\"challenge\":") + (std::stoul(value(ask, "count")) + own > 4 * decks ? "true" : "false");
}

int main() {
    size_t max_cards = 0, decks = 1;
    for (string line; std::getline(std::cin, line);) {
        string id = value(line, "id"), rules = value(line, "rules"), answer;
        if (id.empty()) continue; // an event: it wants no answer
        if (rules.empty()) answer = decide(line, max_cards, decks);
        else decks = std::stoul(value(rules, "decks")), max_cards = std::atoi(value(rules, "max_cards").c_str());
        if (!max_cards) max_cards = 208; // null: no cap
        // Print nothing else on stdout: std::cerr is free. The flush sends the answer off.
        std::cout << "{\"id\":\"" << id.substr(1, id.find('"', 1)) << answer << "}\n" << std::flush;
    }
}
