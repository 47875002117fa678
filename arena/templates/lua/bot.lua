-- A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
io.stdout:setvbuf("line") -- or the answers would wait in a buffer

-- The answer to one request, as the fields behind its id. Change this: protocol.md has all fields.
local function decide(ask, rules)
  local function held(rank)
    local cards = {}
    for _, card in ipairs(ask.hand) do -- a card is "AS", "4C", "TD"
      if card:sub(1, 1) == rank then cards[#cards + 1] = card end
    end
    return cards
  end
  if ask.type == "play" then
    -- The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
    local rank = ask.ranks[1]
    for _, other in ipairs(ask.ranks) do
      if #held(other) > #held(rank) then rank = other end
    end
    local cards = held(rank)
    while rules.max_cards and #cards > rules.max_cards do table.remove(cards) end
    if #cards == 0 then cards = { ask.hand[1] } end
    return (',"rank":"%s","cards":["%s"]'):format(rank, table.concat(cards, '","'))
  end
  -- Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
  return ',"challenge":' .. tostring(ask.count + #held(ask.rank) > 4 * rules.decks)
end

-- Lua has no JSON. This gives the value that begins at a place of the text, null as false and strings with their
-- escapes, and the place behind it.
local function read(text, at)
  at = text:find("[^%s,:]", at)
  local first, found, key = text:sub(at, at), {}, nil
  if first == '"' then
    local stop = at + 1
    while text:sub(stop, stop) ~= '"' do stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1) end
    return text:sub(at + 1, stop - 1), stop + 1
  elseif first ~= "[" and first ~= "{" then
    local word = text:match("^[^%s,%]}]+", at)
    return word == "true" or tonumber(word) or false, at + #word
  end
  at = text:find("%S", at + 1)
  while not text:find("^[%]}]", at) do
    if first == "{" then key, at = read(text, at) else key = #found + 1 end
    found[key], at = read(text, at)
    at = text:find("[^%s,]", at)
  end
  return found, at + 1
end

local rules
for line in io.lines() do
  local ask = read(line, 1)
  if ask.type == "hello" then rules = ask.rules end
  if ask.id then -- a request; events have no id and want no answer
    local answer = ask.type == "hello" and "" or decide(ask, rules)
    print(('{"id":"%s"%s}'):format(ask.id, answer)) -- print nothing else: io.stderr:write is free
  end
end
