/* A bot for Cheat. What it does is decided in `play` and `challenge`; arena_bot.h, beside it, does the rest. */
#include "arena_bot.h"

/* Lay cards with arena_lay, at least one and at most ask->most, and claim a rank of ask->ranks. Change this. */
static void play(arena_ask *ask) {
    int laid = 0;
    for (const char *rank = ask->ranks; *rank; rank++)
        if (arena_layable(ask, *rank) > arena_layable(ask, ask->claim)) ask->claim = *rank;
    for (int i = 0; i < ask->hand_size && laid < ask->most; i++)
        if (ask->hand[i][0] == ask->claim) arena_lay(ask, i), laid++;
    if (laid) return;
    /* A lie, with the card that it will be asked for last, if the order of the ranks tells. */
    int late = 0;
    for (int i = 1; i < ask->hand_size; i++)
        if (arena_turns_to(ask, ask->hand[i][0]) > arena_turns_to(ask, ask->hand[late][0])) late = i;
    arena_lay(ask, late);
}

/* Whether to call the claim a lie. Change this. */
static int challenge(const arena_ask *ask) {
    int leaves = ask->hand_sizes[ask->claimant] == ask->count; /* its last cards: to believe it is to lose */
    return arena_impossible(ask) || leaves;
}

int main(void) { return arena_run(play, challenge); } /* printf goes to stderr, which is yours */
