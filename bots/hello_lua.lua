-- hello_lua: the whole of a working bot, without JSON. Lays one due card, else its first card; never calls.
io.stdout:setvbuf("line")
for line in io.lines() do
  local id, rank = line:match('"id"%s*:%s*"([^"]*)"'), line:match('"ranks"%s*:%s*%[%s*"(.)"')
  local hand = line:match('"hand"%s*:%s*(%b[])')
  if id and rank then -- it has `ranks`: it is a request to play
    local card = hand:match('"(' .. rank .. '.)"') or hand:match('"(..)"')
    print(('{"id":"%s","rank":"%s","cards":["%s"]}'):format(id, rank, card))
  elseif id then -- without an id it is an event: it wants no answer
    print(('{"id":"%s","challenge":false}'):format(id))
  end
end
