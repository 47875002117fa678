/* A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the JSON object that `text` begins with: where the value of a key begins, "" if there is no such key. */
static const char *value(const char *text, const char *key) {
    for (int depth = *text++ == '{'; depth > 0 && *text; text++) {
        depth += (*text == '{' || *text == '[') - (*text == '}' || *text == ']');
        if (*text != '"') continue;
        const char *name = ++text;
        while (*text != '"') text += *text == '\\' ? 2 : 1;
        const char *after = text + 1 + strspn(text + 1, " \t");
        if (depth == 1 && *after == ':' && !strncmp(name, key, strlen(key)) && name + strlen(key) == text)
            return after + 1 + strspn(after + 1, " \t");
    }
    return "";
}

/* A list of cards or ranks as one text: "AS4CTD" is a hand, "A2" are ranks. */
static void letters(const char *list, char *found) {
    for (; *list && *list != ']'; list++)
        if (!strchr("[\", \t", *list)) *found++ = *list;
    *found = '\0';
}

/* Prints the answer to one request, as the fields behind its id. Change this: protocol.md has all fields. */
static void decide(const char *ask, const char *rules) {
    char hand[2 * 208 + 1], ranks[13 + 1], *rank = ranks;
    int held[128] = {0}, laid = 0; /* held['A']: how many aces are in the hand */
    letters(value(ask, "hand"), hand), letters(value(ask, "ranks"), ranks);
    for (char *card = hand; *card; card += 2) held[(int)*card]++;
    if (!strncmp(value(ask, "type"), "\"play\"", 6)) {
        /* The rank it holds most of, of those that may be claimed: all it may lay, or a card that is a lie. */
        for (char *other = ranks; *other; other++)
            if (held[(int)*other] > held[(int)*rank]) rank = other;
        printf(",\"rank\":\"%c\",\"cards\":[", *rank);
        int most = atoi(value(rules, "max_cards")); /* 0: no cap */
        for (char *card = hand; *card && (laid < most || !most); card += 2)
            if (*card == *rank) printf(laid++ ? ",\"%.2s\"" : "\"%.2s\"", card);
        if (!laid) printf("\"%.2s\"", hand);
        printf("]");
    } else {
        /* Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many. */
        int number = atoi(value(ask, "count")) + held[(int)value(ask, "rank")[1]];
        printf(",\"challenge\":%s", number > 4 * atoi(value(rules, "decks")) ? "true" : "false");
    }
}

int main(void) {
    static char line[65537], hello[65537]; /* the longest there can be, and its end */
    while (fgets(line, sizeof line, stdin)) {
        const char *id = value(line, "id");
        if (!*id) continue; /* an event: it wants no answer */
        printf("{\"id\":\"%.*s\"", (int)strcspn(id + 1, "\""), id + 1);
        if (*hello) decide(line, value(hello, "rules"));
        else strcpy(hello, line);  /* the first line has the rules */
        puts("}"), fflush(stdout); /* print nothing else on stdout: stderr is free */
    }
}
