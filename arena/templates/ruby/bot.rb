# A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
require "json"
$stdout.sync = true # or the answers would wait in a buffer

# The answer to one request. Change this: the fields of `ask` and `rules` are in protocol.md.
def decide(ask, rules)
  held = ->(rank) { ask["hand"].select { |card| card[0] == rank } } # a card is "AS", "4C", "TD"
  if ask["type"] == "play"
    # The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
    rank = ask["ranks"].max_by { |one| held[one].size }
    due = held[rank].first(rules["max_cards"] || ask["hand"].size)
    return { rank: rank, cards: due.empty? ? ask["hand"].first(1) : due }
  end
  # Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
  { challenge: ask["count"] + held[ask["rank"]].size > 4 * rules["decks"] }
end

rules = {}
while (line = $stdin.gets)
  ask = JSON.parse(line)
  rules = ask["rules"] if ask["type"] == "hello"
  next unless ask["id"] # an event: it wants no answer

  answer = ask["type"] == "hello" ? {} : decide(ask, rules)
  puts JSON.generate({ id: ask["id"] }.merge(answer)) # print nothing else on stdout: warn is free
end
