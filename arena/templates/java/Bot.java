// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
import java.io.*;
import java.util.*;

class Bot {
    static int maxCards, decks; // of the rules, 0: no cap; protocol.md has all there are

    /** The answer to one request, as the fields behind its id. Change this: protocol.md has all fields. */
    static String decide(String ask) {
        List<String> hand = strings(value(ask, "hand")); // such as "AS", "4C", "TD"
        if (value(ask, "type").startsWith("\"play\"")) {
            // The rank it holds most of, of those that may be claimed: all it may lay, or a card that is a lie.
            List<String> ranks = strings(value(ask, "ranks"));
            String rank = Collections.max(ranks, Comparator.comparing(other -> held(hand, other).size()));
            List<String> cards = held(hand, rank);
            if (cards.isEmpty()) cards = hand.subList(0, 1);
            if (maxCards > 0 && cards.size() > maxCards) cards = cards.subList(0, maxCards);
            return ",\"rank\":\"" + rank + "\",\"cards\":[\"" + String.join("\",\"", cards) + "\"]";
        }
        // Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
        int own = held(hand, strings(value(ask, "rank")).get(0)).size();
        return ",\"challenge\":" + (number(value(ask, "count")) + own > 4 * decks);
    }

    static List<String> held(List<String> hand, String rank) {
        List<String> cards = new ArrayList<>(hand);
        cards.removeIf(card -> !card.startsWith(rank));
        return cards;
    }

    /** In the JSON object text begins with: the text from the value of a key on, "" if there is no such key. */
    static String value(String text, String key) {
        for (int at = 0, depth = 0; at < text.length(); at++) {
            char mark = text.charAt(at);
            depth += mark == '{' || mark == '[' ? 1 : mark == '}' || mark == ']' ? -1 : 0;
            if (mark != '"') continue;
            int name = ++at;
            while (text.charAt(at) != '"') at += text.charAt(at) == '\\' ? 2 : 1;
            String after = text.substring(at + 1).stripLeading();
            if (depth == 1 && after.startsWith(":") && text.substring(name, at).equals(key))
                return after.substring(1).stripLeading();
        }
        return "";
    }

    /** The words in a list, or in one string and more: cards, ranks. */
    static List<String> strings(String text) {
        return List.of(text.split("]", 2)[0].replaceFirst("^\\W+", "").split("\\W+"));
    }

    /** The whole number text begins with; 0 for null. */
    static int number(String text) {
        return Integer.parseInt("0" + text.split("\\D", 2)[0]);
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = lines.readLine()) != null; ) {
            String id = value(line, "id"), rules = value(line, "rules"), answer = "";
            if (id.isEmpty()) continue; // an event: it wants no answer
            if (rules.isEmpty()) answer = decide(line);
            else decks = number(value(rules, "decks"));
            if (!rules.isEmpty()) maxCards = number(value(rules, "max_cards"));
            System.out.println("{\"id\":\"" + id.split("\"")[1] + "\"" + answer + "}");
            System.out.flush(); // print nothing else there: System.err is free
        }
    }
}
