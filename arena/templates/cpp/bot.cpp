// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
using std::string;

// In the JSON object that `text` begins with: the text from the value of a key on, "" if there is no such key.
string value(const string &text, const string &key) {
    for (size_t at = 1, depth = 1; depth > 0 && at < text.size(); at++) {
        depth += (text[at] == '{' || text[at] == '[') - (text[at] == '}' || text[at] == ']');
        if (text[at] != '"') continue;
        size_t name = ++at;
        while (text[at] != '"') at += text[at] == '\\' ? 2 : 1;
        size_t after = text.find_first_not_of(" \t", at + 1);
        if (depth == 1 && text[after] == ':' && text.substr(name, at - name) == key)
            return text.substr(text.find_first_not_of(" \t", after + 1));
    }
    return "";
}

// The strings of the list that `text` begins with, or the one string: cards, ranks.
std::vector<string> strings(const string &text) {
    std::vector<string> found;
    std::istringstream parts(text.substr(0, text.find(']')));
    for (string part; std::getline(parts, part, '"') && std::getline(parts, part, '"');) found.push_back(part);
    return found;
}

// The answer to one request, as the fields behind its id. Change this: protocol.md has all fields.
string decide(const string &ask, const string &rules) {
    auto hand = strings(value(ask, "hand"));    // such as "AS", "4C", "TD"
    std::map<string, std::vector<string>> held; // these cards by rank
    for (auto &card : hand) held[card.substr(0, 1)].push_back(card);
    if (strings(value(ask, "type"))[0] == "play") {
        // The rank it holds most of, of those that may be claimed: all it may lay, or a card that is a lie.
        string rank, list;
        for (auto &other : strings(value(ask, "ranks")))
            if (rank.empty() || held[other].size() > held[rank].size()) rank = other;
        auto cards = held[rank].empty() ? std::vector<string>{hand[0]} : held[rank];
        size_t most = value(rules, "max_cards")[0] == 'n' ? 208 : std::stoul(value(rules, "max_cards")); // or null
        for (size_t i = 0; i < cards.size() && i < most; i++) list += (i ? ",\"" : "\"") + cards[i] + '"';
        return ",\"rank\":\"" + rank + "\",\"cards\":[" + list + "]";
    }
    // Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    size_t number = std::stoul(value(ask, "count")) + held[strings(value(ask, "rank"))[0]].size();
    return number > 4 * std::stoul(value(rules, "decks")) ? ",\"challenge\":true" : ",\"challenge\":false";
}

int main() {
    for (string line, rules; std::getline(std::cin, line);) {
        string id = value(line, "id"), answer;
        if (id.empty()) continue; // an event: it wants no answer
        if (rules.empty()) rules = value(line, "rules"); // hello, the first line
        else answer = decide(line, rules);
        // Print nothing else on stdout: std::cerr is free. The flush sends the answer off.
        std::cout << "{\"id\":\"" << strings(id)[0] << '"' << answer << "}\n" << std::flush;
    }
}
