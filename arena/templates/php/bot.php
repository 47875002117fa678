<?php
// A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.

/** The answer to one request. Change this: the fields of $ask and $rules are in protocol.md. */
function decide(array $ask, array $rules): array
{
    $hand = $ask["hand"]; // such as ["AS", "4C", "TD"]
    $held = fn($rank) => array_values(array_filter($hand, fn($card) => $card[0] === (string) $rank));
    if ($ask["type"] === "play") {
        // The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
        $rank = $ask["ranks"][0];
        foreach ($ask["ranks"] as $other) {
            $rank = count($held($other)) > count($held($rank)) ? $other : $rank;
        }
        $due = array_slice($held($rank), 0, $rules["max_cards"]);
        return ["rank" => $rank, "cards" => $due ?: [$hand[0]]];
    }
    // Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    return ["challenge" => $ask["count"] + count($held($ask["rank"])) > 4 * $rules["decks"]];
}

$rules = [];
while (($line = fgets(STDIN)) !== false) {
    $ask = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    if ($ask["type"] === "hello") {
        $rules = $ask["rules"];
    }
    if (isset($ask["id"])) { // a request; events have no id and want no answer
        $answer = $ask["type"] === "hello" ? [] : decide($ask, $rules);
        // Print nothing else on stdout: fwrite(STDERR, ...) is free.
        echo json_encode(["id" => $ask["id"]] + $answer), "\n";
    }
}
