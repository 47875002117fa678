/* A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the JSON object that `text` begins with: where the value of a key begins, "" if there is no such key. */
static const char *value(const char *text, const char *key) {
    for (int depth = 0; *text; text++) {
        if (*text == '{' || *text == '[') depth++;
        if ((*text == '}' || *text == ']') && --depth == 0) break;
        if (*text != '"') continue;
        const char *name = ++text;
        while (*text != '"') text += *text == '\\' ? 2 : 1;
        const char *after = text + 1 + strspn(text + 1, " \t");
        if (depth == 1 && *after == ':' && !strncmp(name, key, strlen(key)) && name + strlen(key) == text)
            return after + 1 + strspn(after + 1, " \t");
    }
    return "";
}

/* Where the strings of a list begin, each a card or a rank; how many there are. */
static int strings(const char *list, const char **found, int most) {
    int size = 0;
    for (; *list && *list != ']' && size < most; list++)
        if (*list == '"') found[size++] = list + 1, list = strchr(list + 1, '"');
    return size;
}

static int held(const char **hand, int size, char rank) {
    return size ? (hand[0][0] == rank) + held(hand + 1, size - 1, rank) : 0;
}

/* Prints the answer to one request, as the fields behind its id. Change this: protocol.md has all fields. */
static void decide(const char *ask, int max_cards, int decks) {
    const char *hand[208], *ranks[13]; /* hand[0][0] is the rank of a card, hand[0][1] its suit */
    int size = strings(value(ask, "hand"), hand, 208);
    int choices = strings(value(ask, "ranks"), ranks, 13), laid = 0;
    if (!strncmp(value(ask, "type"), "\"play\"", 6)) {
        /* The rank it holds most of, of those that may be claimed: all it may lay, or a card that is a lie. */
        char rank = ranks[0][0];
        for (int i = 1; i < choices; i++)
            if (held(hand, size, *ranks[i]) > held(hand, size, rank)) rank = *ranks[i];
        printf(",\"rank\":\"%c\",\"cards\":[", rank);
        for (int i = 0; i < size && laid < max_cards; i++)
            if (hand[i][0] == rank) printf("%s\"%.2s\"", laid++ ? "," : "", hand[i]);
        printf(laid ? "]" : "\"%.2s\"]", hand[0]);
    } else {
        /* Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many. */
        int number = atoi(value(ask, "count")) + held(hand, size, value(ask, "rank")[1]);
        printf(",\"challenge\":%s", number > 4 * decks ? "true" : "false");
    }
}

int main(void) {
    static char line[65537]; /* the longest there can be, and its end */
    int max_cards = 208, decks = 1;
    while (fgets(line, sizeof line, stdin)) {
        const char *id = value(line, "id"), *rules = value(line, "rules");
        if (!*id) continue; /* an event: it wants no answer */
        printf("{\"id\":\"%.*s\"", (int)strcspn(id + 1, "\""), id + 1);
        if (!*rules) decide(line, max_cards, decks);
        else max_cards = atoi(value(rules, "max_cards")), decks = atoi(value(rules, "decks"));
        if (!max_cards) max_cards = 208; /* null: no cap */
        puts("}");      /* print nothing else on stdout: stderr is free */
        fflush(stdout); /* or the answer would wait in a buffer */
    }
}
