/* A helper for bots in C (and C++): requests as a struct, counting, the ranks to come, and the talk with the
   referee. Needs POSIX alone. Ranks are the characters A23456789TJQK, a card is "AS" or "TD". */
#ifndef ARENA_BOT_H
#define ARENA_BOT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    int playing;            /* 1: lay cards; 0: say whether a claim is a lie */
    int turn, seat, pile;   /* as in protocol.md */
    int seats, active;      /* at the table; still in the game */
    int hand_sizes[10];     /* by seat; -1 for a seat that is out */
    int hand_size, most;    /* cards in the hand; cards that may be laid at once */
    char hand[208][3];      /* hand[0] is a card, hand[0][0] its rank */
    char ranks[14];         /* to play: the ranks that may be claimed */
    int claimant, count;    /* to challenge: who claims, how many */
    char rank;              /* and of which rank */
    double seconds, bank;   /* for this answer, and in the bank */
    int decks, max_cards;   /* rules; 0: no cap */
    int passing;            /* rules: a seat may pass */
    char order[20];         /* rules: "up", "free" ... */
    uint64_t seed;          /* the bot's own in this game, for dice that fall the same when it is played again */
    char claim;             /* the answer: the rank claimed, at first ranks[0] */
    int laid;               /* the answer: cards laid; with none of them it passes */
    char cards[208][3];     /* the answer: these cards */
} arena_ask;

/* Ends the program with one sentence for the author of the bot, and leaves no half of an answer. */
static inline void arena_mistake(const char *play, const char *rule) {
    fflush(stdout);
    fprintf(stderr, "%s, which cannot be played: %s\n", play, rule);
    _exit(1);
}

/* Lay the card at this place of the hand; each place once. */
static inline void arena_lay(arena_ask *ask, int place) {
    char said[80];
    snprintf(said, sizeof said, "play called arena_lay(ask, %d) with %d cards laid", place, ask->laid);
    if (place < 0 || place >= ask->hand_size) arena_mistake(said, "the hand has no card there");
    if (ask->laid >= ask->hand_size) arena_mistake(said, "the hand has no more cards");
    memcpy(ask->cards[ask->laid++], ask->hand[place], 3);
}

/* The rule that the answer to play breaks, NULL if it is legal. */
static inline const char *arena_why_illegal(const arena_ask *ask) {
    if (!ask->laid) return ask->passing ? NULL : "there is no passing in these rules";
    if (ask->laid > ask->most) return "more than ask->most cards may not be laid";
    if (!ask->claim || !strchr(ask->ranks, ask->claim)) return "the rank is none of ask->ranks";
    for (int i = 0; i < ask->laid; i++) {
        int more = 0; /* of this card: laid than held */
        for (int j = 0; j < ask->laid; j++) more += !strcmp(ask->cards[i], ask->cards[j]);
        for (int j = 0; j < ask->hand_size; j++) more -= !strcmp(ask->cards[i], ask->hand[j]);
        if (more > 0) return "a card is laid more often than it is held";
    }
    return NULL;
}

/* Cards of a rank in the hand. */
static inline int arena_held(const arena_ask *ask, char rank) {
    int number = 0;
    for (int i = 0; i < ask->hand_size; i++) number += ask->hand[i][0] == rank;
    return number;
}

/* Cards of a rank that can be laid at once. */
static inline int arena_layable(const arena_ask *ask, char rank) {
    int number = arena_held(ask, rank);
    return number < ask->most ? number : ask->most;
}

/* Cards of a rank that are not in the hand. */
static inline int arena_unseen(const arena_ask *ask, char rank) { return 4 * ask->decks - arena_held(ask, rank); }

/* Whether the claim cannot be true: the bot itself holds too many of these cards. */
static inline int arena_impossible(const arena_ask *ask) { return ask->count > arena_unseen(ask, ask->rank); }

/* The rank of a turn (from 1) where the order alone decides it, else 0. */
static inline char arena_due(const char *order, int turn) {
    int step = (turn - 1) % 13;
    if (!strcmp(order, "up")) return "A23456789TJQK"[step];
    if (!strcmp(order, "down_from_ace")) return "AKQJT98765432"[step];
    return !strcmp(order, "down_from_king") ? "KQJT98765432A"[step] : 0;
}

/* Turns from now until this seat must play that rank, if nobody leaves; 0 where the order does not tell. */
static inline int arena_turns_to(const arena_ask *ask, char rank) {
    int first = 0;
    if (!ask->playing) /* clockwise from the claimant, past the seats that are out */
        for (int seat = ask->claimant; seat != ask->seat; seat = (seat + 1) % ask->seats)
            first += ask->hand_sizes[seat] >= 0;
    for (int turns = ask->playing ? ask->active : first; turns <= first + 13 * ask->active; turns += ask->active)
        if (rank && arena_due(ask->order, ask->turn + turns) == rank) return turns;
    return 0;
}

/* How likely the claimant's hand is to have held what it claims, were all cards the bot does not see dealt at
   random: the upper tail of the hypergeometric distribution. */
static inline double arena_chance_held(const arena_ask *ask) {
    int cards = 52 * ask->decks - ask->hand_size, size = ask->hand_sizes[ask->claimant];
    int of_rank = arena_unseen(ask, ask->rank);
    double chance = 0;
    for (int found = ask->count; found <= of_rank && found <= size; found++) {
        double ways = size - found > cards - of_rank ? 0 : 1;
        /* C(of_rank, found) * C(cards - of_rank, size - found) / C(cards, size), factor by factor */
        for (int i = 0; i < found; i++) ways *= (double)(of_rank - i) / (i + 1) * (size - i) / (cards - i);
        for (int i = 0; i < size - found; i++) ways *= (double)(cards - of_rank - i) / (cards - found - i);
        chance += ways;
    }
    return chance;
}

/* In the JSON object that `text` begins with: where the value of a key begins, "" if there is no such key. */
static inline const char *arena_value(const char *text, const char *key) {
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
    return "\0\0"; /* so that what stands behind an absent value can be looked at */
}

/* Fills a request that hello and start have begun. */
static inline void arena_read(const char *line, arena_ask *ask) {
    ask->playing = !strncmp(arena_value(line, "type"), "\"play\"", 6);
    ask->turn = atoi(arena_value(line, "turn")), ask->seat = atoi(arena_value(line, "seat"));
    ask->pile = atoi(arena_value(line, "pile")), ask->claimant = atoi(arena_value(line, "claimant"));
    ask->count = atoi(arena_value(line, "count")), ask->seconds = atof(arena_value(line, "seconds"));
    ask->bank = atof(arena_value(line, "bank"));
    ask->hand_size = ask->seats = ask->active = ask->laid = 0;
    memset(ask->ranks, 0, sizeof ask->ranks);
    for (const char *at = arena_value(line, "hand"); *at && *at != ']' && ask->hand_size < 208; at++)
        if (*at == '"') memcpy(ask->hand[ask->hand_size++], at + 1, 2), at += 3;
    const char *at = ask->playing ? arena_value(line, "ranks") : arena_value(line, "rank");
    for (int i = 0; ask->playing && *at && *at != ']'; at++)
        if (*at == '"' && i < 13) ask->ranks[i++] = at[1], at += 2;
    ask->rank = ask->playing ? 0 : at[1], ask->claim = ask->ranks[0];
    for (at = arena_value(line, "hand_sizes"); *at && *at != ']' && ask->seats < 10; at += strcspn(at, ",]")) {
        at += strspn(at, "[, \t");
        ask->active += *at != 'n'; /* null */
        ask->hand_sizes[ask->seats++] = *at == 'n' ? -1 : atoi(at);
    }
    ask->most = ask->max_cards && ask->max_cards < ask->hand_size ? ask->max_cards : ask->hand_size;
}

/* Tells of an answer to play that would be a fault. */
static inline void arena_check(const arena_ask *ask) {
    const char *rule = arena_why_illegal(ask), *first = ask->laid ? ask->cards[0] : "none";
    char said[80], claim = ask->claim ? ask->claim : '0';
    snprintf(said, sizeof said, "play laid %d cards (%s ...) as '%c'", ask->laid, first, claim);
    if (rule) arena_mistake(said, rule);
}

/* Answers the referee until it says goodbye, or until a mistake. Whatever else is printed goes to stderr. */
static inline int arena_run(void (*play)(arena_ask *), int (*challenge)(const arena_ask *)) {
    static char line[65537]; /* the longest there can be, and its end */
    static arena_ask ask;
    FILE *answers = fdopen(dup(1), "w");
    if (!answers || dup2(2, 1) < 0) return 1;
    while (fgets(line, sizeof line, stdin)) {
        const char *id = arena_value(line, "id"), *rules = arena_value(line, "rules");
        const char *seed = arena_value(line, "seed");
        if (*seed) ask.seed = strtoull(seed, NULL, 10); /* a game begins */
        if (!*id) continue;
        fprintf(answers, "{\"id\":\"%.*s\"", (int)strcspn(id + 1, "\""), id + 1);
        if (*rules) {
            const char *order = arena_value(rules, "order") + 1;
            ask.decks = atoi(arena_value(rules, "decks")), ask.max_cards = atoi(arena_value(rules, "max_cards"));
            ask.passing = *arena_value(rules, "passing") == 't';
            snprintf(ask.order, sizeof ask.order, "%.*s", (int)strcspn(order, "\""), order);
        } else {
            arena_read(line, &ask);
            if (!ask.playing) fprintf(answers, ",\"challenge\":%s", challenge(&ask) ? "true" : "false");
            else play(&ask), arena_check(&ask);
            if (ask.playing && !ask.laid) fprintf(answers, ",\"pass\":true");
            for (int i = 0; ask.playing && i < ask.laid; i++) {
                if (i == 0) fprintf(answers, ",\"rank\":\"%c\",\"cards\":[", ask.claim);
                fprintf(answers, "\"%s\"%s", ask.cards[i], i + 1 < ask.laid ? "," : "]");
            }
        }
        fprintf(answers, "}\n");
        fflush(answers), fflush(stdout);
    }
    return 0;
}

#endif
