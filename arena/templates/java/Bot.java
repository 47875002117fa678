// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
import java.io.*;
import java.util.*;
import java.util.function.Function;

class Bot {
    /** The answer to one request, as the fields behind its id. Change this: protocol.md has all fields. */
    static String decide(Map<String, String> ask, Map<String, String> rules) {
        List<String> hand = strings(ask.get("hand")); // such as "AS", "4C", "TD"
        Function<String, List<String>> held = rank -> hand.stream().filter(card -> card.startsWith(rank)).toList();
        if (ask.get("type").equals("play")) {
            // The rank it holds most of, of those that may be claimed: all it may lay, or a card that is a lie.
            List<String> ranks = strings(ask.get("ranks"));
            String rank = Collections.max(ranks, Comparator.comparing(other -> held.apply(other).size()));
            List<String> due = held.apply(rank), cards = due.isEmpty() ? hand.subList(0, 1) : due;
            String most = rules.get("max_cards"); // null: no cap
            if (!most.equals("null")) cards = cards.subList(0, Math.min(cards.size(), Integer.parseInt(most)));
            return ",\"rank\":\"" + rank + "\",\"cards\":[\"" + String.join("\",\"", cards) + "\"]";
        }
        // Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
        int number = Integer.parseInt(ask.get("count")) + held.apply(ask.get("rank")).size();
        return ",\"challenge\":" + (number > 4 * Integer.parseInt(rules.get("decks")));
    }

    /** The strings of a list: cards, ranks. */
    static List<String> strings(String list) {
        return List.of(list.replaceAll("[^\\w,]", "").split(","));
    }

    /** The fields of a JSON object as texts: strings without their quotes, lists and objects as they stand. */
    static Map<String, String> fields(String text) {
        Map<String, String> found = new HashMap<>();
        String name = "";
        boolean quoted = false;
        for (int at = 1, from = 1, depth = 1; depth > 0; at++) {
            char mark = text.charAt(at);
            if (mark == '\\') at++;
            if (mark == '"') quoted = !quoted;
            if (!quoted) depth += mark == '{' || mark == '[' ? 1 : mark == '}' || mark == ']' ? -1 : 0;
            if (quoted || depth > 1 || (depth == 1 && mark != ':' && mark != ',')) continue;
            String part = text.substring(from, at).strip().replaceAll("^\"|\"$", "");
            if (mark == ':') name = part; else found.put(name, part);
            from = at + 1;
        }
        return found;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        Map<String, String> rules = null;
        for (String line; (line = lines.readLine()) != null; ) {
            Map<String, String> ask = fields(line);
            if (!ask.containsKey("id")) continue; // an event: it wants no answer
            if (ask.get("type").equals("hello")) rules = fields(ask.get("rules"));
            String answer = ask.get("type").equals("hello") ? "" : decide(ask, rules);
            // Print nothing else on stdout: System.err is free.
            System.out.printf("{\"id\":\"%s\"%s}\n", ask.get("id"), answer).flush();
        }
    }
}
