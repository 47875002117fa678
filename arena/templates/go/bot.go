// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
package main

import (
	"encoding/json"
	"os"
)

// Rules and Ask have the fields that are used here; protocol.md has all.
type Rules struct {
	MaxCards int `json:"max_cards"` // 0: no cap
	Decks    int
}
type Ask struct {
	Type, ID, Rank string
	Ranks, Hand    []string // a card is "AS", "4C", "TD"
	Count          int
	Rules          Rules
}

// decide gives the answer to one request. Change this.
func decide(ask Ask, rules Rules) map[string]any {
	held := map[string][]string{} // the cards of the hand by rank
	for _, card := range ask.Hand {
		held[card[:1]] = append(held[card[:1]], card)
	}
	if ask.Type == "play" {
		// The rank it holds most of, of those that may be claimed: all it may lay, or a card that is a lie.
		rank := ask.Ranks[0]
		for _, other := range ask.Ranks {
			if len(held[other]) > len(held[rank]) {
				rank = other
			}
		}
		cards := held[rank]
		if len(cards) == 0 {
			cards = ask.Hand[:1]
		} else if rules.MaxCards > 0 && len(cards) > rules.MaxCards {
			cards = cards[:rules.MaxCards]
		}
		return map[string]any{"id": ask.ID, "rank": rank, "cards": cards}
	}
	// Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
	return map[string]any{"id": ask.ID, "challenge": ask.Count+len(held[ask.Rank]) > 4*rules.Decks}
}

func main() {
	var rules Rules
	lines, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for ask := (Ask{}); lines.Decode(&ask) == nil; ask = (Ask{}) {
		if ask.Type == "hello" {
			rules = ask.Rules
			answers.Encode(map[string]any{"id": ask.ID})
		} else if ask.ID != "" { // events have no id and want no answer
			answers.Encode(decide(ask, rules)) // print nothing else on stdout: os.Stderr is free
		}
	}
}
