/* honest_random: lays every due card it holds, stuck it lies with one random card, and calls one claim in ten. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1; /* xorshift64*: the same seed gives the same game */

static uint32_t random_below(uint32_t bound) {
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717u) >> 33) % bound;
}

/* The text of a field's value: enough of JSON for lines whose keys occur once. */
static const char *value(const char *line, const char *key) {
    char quoted[32];
    const char *at = line;
    int length = snprintf(quoted, sizeof quoted, "\"%s\"", key);
    while ((at = strstr(at, quoted)) != NULL) {
        at += length;
        at += strspn(at, " ");
        if (*at == ':') return at + 1 + strspn(at + 1, " ");
    }
    return "";
}

static int is(const char *line, const char *type) {
    return strncmp(value(line, "type") + 1, type, strlen(type)) == 0;
}

static void play(const char *line, int cap) {
    const char *hand[512], *ranks[13], *at, *best = NULL;
    int held = 0, choices = 0, most = -1, laid = 0;
    for (at = value(line, "hand"); *at && *at != ']'; at++)
        if (*at == '"' && held < 512) hand[held++] = at + 1, at += 3;
    for (at = value(line, "ranks"); *at && *at != ']'; at++)
        if (*at == '"' && choices < 13) ranks[choices++] = at + 1, at += 2;
    for (int i = 0; i < choices; i++) { /* the legal rank it holds most of */
        int count = 0;
        for (int j = 0; j < held; j++) count += *hand[j] == *ranks[i];
        if (count > most || (count == most && random_below(2))) most = count, best = ranks[i];
    }
    printf(",\"rank\":\"%c\",\"cards\":[", *best);
    for (int j = 0; j < held && laid < cap; j++)
        if (*hand[j] == *best) printf("%s\"%.2s\"", laid++ ? "," : "", hand[j]);
    if (!laid) printf("\"%.2s\"", hand[random_below((uint32_t)held)]);
    printf("]}\n");
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    int cap = 512;
    while (getline(&line, &room, stdin) > 0) {
        const char *id = value(line, "id");
        if (is(line, "start")) state = strtoull(value(line, "seed"), NULL, 10) * 2 + 1;
        if (!*id) continue; /* an event: it wants no answer */
        printf("{\"id\":\"%.*s\"", (int)strcspn(id + 1, "\""), id + 1);
        if (is(line, "hello")) {
            int most = atoi(value(line, "max_cards")); /* null reads as 0: no cap */
            cap = most > 0 ? most : 512;
            printf(",\"name\":\"honest_random\"}\n");
        } else if (is(line, "play")) {
            play(line, cap);
        } else {
            printf(",\"challenge\":%s}\n", random_below(10) == 0 ? "true" : "false");
        }
        fflush(stdout);
    }
    return 0;
}
