# A bot for Cheat, for any POSIX shell. What it does is decided in `decide`; the rest reads and answers.
set -f # no word here is a pattern of files
IFS=' '
marks='[]["{}]'

# decide: sets `answer` to the fields behind the id. Change this. `value "$ask" KEY` sets `value` to the text
# from the value of a field on; `strings` makes a `list` of it, `number` and `word` keep what it begins with.
decide() {
  value "$ask" hand && strings && hand=$list # such as AS 4C TD
  value "$ask" type && word
  if [ "$value" = play ]; then
    # The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
    value "$ask" ranks && strings && best=-1
    for rank in $list; do
      held "$rank"
      [ $held -le $best ] || { best=$held answer=",\"rank\":\"$rank\",\"cards\":[" due=$cards; }
    done
    set -- $hand
    answer="$answer${due:-\"$1\"}]"
  else
    # Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    value "$ask" rank && word && held "$value"
    value "$ask" count && number
    [ $((value + held)) -gt $((4 * decks)) ] && answer=',"challenge":true' || answer=',"challenge":false'
  fi
}

# held RANK: sets `held` to how many cards of it are in the hand, `cards` to those that may be laid, in JSON.
held() {
  held=0 cards=
  for card in $hand; do
    case $card in "$1"?) held=$((held + 1)) ;; *) continue ;; esac
    [ $held -gt "$max_cards" ] || cards=$cards${cards:+,}\"$card\"
  done
}

value() { # value OBJECT KEY: as said above; fails where the JSON object has no such field
  rest=$1 depth=0
  while rest=${rest#"${rest%%$marks*}"} && [ -n "$rest" ]; do
    mark=${rest%"${rest#?}"} rest=${rest#?}
    case $mark in [{[]) depth=$((depth + 1)) ;; []}]) depth=$((depth - 1)) ;; esac
    [ "$mark" = \" ] || continue
    string=
    while part=${rest%%\"*} rest=${rest#*\"} slashes=${part##*[!\\]} && [ $((${#slashes} % 2)) = 1 ]; do
      string=$string$part\"
    done
    value=${rest#"${rest%%[! ]*}"}
    [ "$depth$string$part${value%"${value#?}"}" = "1$2:" ] || continue
    value=${value#:} && value=${value#"${value%%[! ]*}"} && return
  done
  return 1
}
word() { value=${value#?} && value=${value%%\"*}; }
number() { value=${value%%[!0-9]*}; }
strings() { IFS='[", ' && set -- ${value%%]*} && IFS=' ' && list=$*; }

while read -r ask; do
  value "$ask" id && word || continue # an event: it wants no answer
  id=$value answer=
  if value "$ask" rules; then
    rules=$value && value "$rules" decks && number && decks=$value
    value "$rules" max_cards && number && max_cards=${value:-208} # null: no cap
  else
    decide
  fi
  printf '{"id":"%s"%s}\n' "$id" "$answer" # print nothing else on stdout: >&2 is free
done
