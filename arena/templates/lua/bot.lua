-- A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
io.stdout:setvbuf("line") -- or the answers would wait in a buffer

-- The answer to one request, as the fields that stand behind its id. Change this. `ask` and `rules` have the
-- fields of protocol.md that `read` gives them below.
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
    return ('"rank":"%s","cards":["%s"]'):format(rank, table.concat(cards, '","'))
  end
  -- Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
  return '"challenge":' .. tostring(ask.count + #held(ask.rank) > 4 * rules.decks)
end

-- Lua has no JSON. This gives the fields of one object: numbers and strings as such (escapes are left as they
-- are), a list as its strings, an object as its text, true and false as such, null as nil.
local function read(text)
  local fields, at = {}, text:find("{", 1, true)
  while true do
    local _, past, key = text:find('^[%s,{]*"([^"]*)"%s*:%s*', at)
    if not key then return fields end
    local value = text:match("^%b{}", past + 1) or text:match("^%b[]", past + 1)
    local stop = value and past + #value
    if not value and text:sub(past + 1, past + 1) == '"' then
      stop = past + 2
      while text:sub(stop, stop) ~= '"' do stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1) end
      value = text:sub(past + 2, stop - 1)
    elseif not value then
      _, stop, value = text:find("^([^%s,}]*)", past + 1)
      value = ({ ["true"] = true, ["false"] = false })[value] or tonumber(value)
    elseif value:sub(1, 1) == "[" then
      local list = {}
      for item in value:gmatch('"([^"]*)"') do list[#list + 1] = item end
      value = list
    end
    fields[key], at = value, stop + 1
  end
end

local rules = {}
for line in io.lines() do
  local ask = read(line)
  if ask.type == "hello" then rules = read(ask.rules) end
  if ask.id then -- a request; events have no id and want no answer
    local answer = ask.type == "hello" and "" or "," .. decide(ask, rules)
    print(('{"id":"%s"%s}'):format(ask.id, answer)) -- print nothing else: io.stderr:write is free
  end
end
