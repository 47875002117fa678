# hello_rb: the whole of a working bot. Lays one due card, else its first card; never calls.
require "json"
$stdout.sync = true
$stdin.each_line do |line|
  ask = JSON.parse(line)
  next unless ask["id"] # an event: it wants no answer
  reply = { id: ask["id"], challenge: false }
  rank = reply[:rank] = ask["ranks"][0] if ask["type"] == "play"
  reply[:cards] = [ask["hand"].find { |card| card[0] == rank } || ask["hand"][0]] if rank
  puts JSON.generate(reply)
end
