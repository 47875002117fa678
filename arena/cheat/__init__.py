"""The game of Cheat: cards, rules, the deal, the game as a state machine, the record. No clock, no I/O."""
